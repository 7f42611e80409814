"""View: panes, layouts and workspaces, the scene's switches, what is plotted, light and dark."""

from collections.abc import Callable
from functools import partial
from typing import get_args

from PySide6.QtCore import Qt

from ....texts import say
from ...panes.scene.coloring import COLORINGS, ColorBy
from ...panes.signals.selected import selected_keys
from ...session.preferences import FOLLOW_MODE, LANGUAGE, TEXT_SIZE_PIXELS, THEME, FollowMode
from ...style.theme import Mode
from ...widgets.actions import ActionSpec
from ...widgets.file_dialogs import ask_file, ask_open
from ..dock_layout import PRESETS
from ..pane_list import SCENE, SIGNALS, TIMELINE
from ..panes import Services
from ..workspaces import Workspaces


def view_actions(services: Services) -> list[ActionSpec]:
    """The actions of View."""
    return [*_panes(services), *workspace_actions(services), *_scene(services), *_choices(services), *_sizes(services)]


def _panes(services: Services) -> list[ActionSpec]:
    panes = services.panes
    timeline = panes.docks[TIMELINE.name]
    docks = [
        ActionSpec(
            f"view.{name}",
            dock.windowTitle(),
            partial(panes.show, name),
            menu="View",
            enabled=services.is_open,
            section="panes",
            checked=partial(panes.is_open, name),
            keywords=" ".join((say("pane"), panes.specs[name].title)),
            tooltip=say("Show or hide the pane {pane}", pane=dock.windowTitle()),
        )
        for name, dock in panes.docks.items()
        if name not in PRESETS  # what a layout is named after comes with it
    ]
    floating = services.action("view.float_timeline", timeline.setFloating, checked=timeline.isFloating)
    return [*docks, floating]


def _scene(services: Services) -> list[ActionSpec]:
    panes = services.panes

    def is_comparing() -> bool:
        return services.session.comparison.other is not None

    def switch(name: str) -> ActionSpec:
        return action(
            f"scene.{name}",
            lambda scene: scene.view.switch(name),
            checked=lambda scene: scene.view.switches[name],
            when=is_comparing if name == "other" else None,
        )

    def is_color(by: ColorBy) -> Callable[[], bool]:
        return panes.when(SCENE, lambda scene: scene.view.color_by == by)

    def choose_color(by: ColorBy, _on: bool) -> None:
        panes.get(SCENE).color_by(by)

    def follow(mode: FollowMode) -> None:
        """Follow in this way, now: how one follows is not seen where nobody is followed."""
        services.settings[FOLLOW_MODE] = mode
        scene = panes.get(SCENE)
        if scene.view.followed is None:
            scene.follow(True)

    colors = [
        ActionSpec(
            f"scene.color_{by}",
            say(text),
            partial(choose_color, by),
            tooltip=say(tip),
            menu="View/Colour by",
            enabled=services.is_open,
            checked=is_color(by),
            keywords=say("scene colours of actors"),
        )
        for by, (text, tip) in COLORINGS.items()
    ]
    action = partial(services.action_of, SCENE)
    return [
        *map(switch, ("roads", "trails", "ids", "other", "measure")),
        *services.choices(
            "scene.follow_", FOLLOW_MODE.choices, follow, lambda mode: services.settings[FOLLOW_MODE] == mode
        ),
        *colors,
        action("scene.move", lambda scene: scene.view.move_by_keys()),
        action("scene.fit", lambda scene: scene.view.fit()),
        action("scene.zoom", lambda scene: scene.view.zoom_to_selection()),
        action("scene.back", lambda scene: scene.view.step_view(back=True)),
        action("scene.forward", lambda scene: scene.view.step_view(back=False)),
        action("scene.copy", lambda scene: scene.copy_picture()),
        action("scene.save", lambda scene: scene.ask_and_save_picture()),
    ]


def _choices(services: Services) -> list[ActionSpec]:
    theme, settings = services.theme, services.settings

    def choose(mode: Mode) -> None:
        settings[THEME] = mode
        theme.set_mode(mode)
        services.actions.refresh()

    return [
        *services.choices("view.theme_", get_args(Mode), choose, lambda mode: theme.mode == mode),
        *services.choices_of(LANGUAGE, "view.language_"),
    ]


def _sizes(services: Services) -> list[ActionSpec]:
    theme, window, focus_next = services.theme, services.window, services.panes.focus_next

    def grow(by: int) -> None:
        theme.set_text_size(theme.text_size + by)
        services.settings[TEXT_SIZE_PIXELS] = theme.text_size

    def full_screen(on: bool) -> None:
        full, state = Qt.WindowState.WindowFullScreen, window.windowState()
        window.setWindowState(state | full if on else state & ~full)

    action = services.action
    return [
        action("view.larger", partial(grow, 1)),
        action("view.smaller", partial(grow, -1)),
        action("view.next_pane", partial(focus_next, 1)),
        action("view.previous_pane", partial(focus_next, -1)),
        action("view.full_screen", full_screen, checked=window.isFullScreen),
    ]


def workspace_actions(services: Services) -> list[ActionSpec]:
    """The presets, and workspaces that a person saves, renames, imports and exports; the window lists these itself."""
    window, documents = services.window, services.documents
    workspaces = Workspaces(services.session, services.settings, services.panes)
    action, kinds = services.action, say("Workspaces (*.json)")

    def ask(rename: bool) -> None:
        from ...dialogs.widgets import ask_name

        title, taken = (say("Rename workspace"), workspaces.own) if rename else (say("Save workspace"), {})
        words = "" if rename else say("The layout, signals, filters, colours and switches of the panes.")
        keep = workspaces.rename if rename else workspaces.save
        name = workspaces.current if workspaces.is_own() else ""
        allows = partial(workspaces.allows, taken=taken)
        ask_name(services.theme, window, title, words, keep, allows, name)

    def read() -> None:
        ask_open(window, say("Import workspace"), documents.folder, workspaces.read, (kinds,))

    def write() -> None:
        name = str(documents.folder / f"{workspaces.current.replace('/', ' ')}.json")
        ask_file(window, services.session, say("Export workspace"), name, workspaces.write, kinds)

    return [
        *services.choices("view.preset_", PRESETS, workspaces.choose, lambda name: workspaces.current == name),
        action("workspace.save", lambda: ask(False)),
        action("workspace.rename", lambda: ask(True), enabled=workspaces.is_own),
        action("workspace.delete", workspaces.delete, enabled=workspaces.is_own),
        action("workspace.import", read),
        action("workspace.export", write, enabled=workspaces.is_own),
        action("view.reset", services.panes.reset_layout),
    ]


def signal_actions(services: Services) -> list[ActionSpec]:
    """The actions of View that are about signals and traffic; those of the pane itself stand behind them."""
    session = services.session

    def selects_signals() -> bool:
        return bool(selected_keys(session))

    def no_traffic_reason() -> str:
        return services.not_ready_reason() or session.traffic.lacks()

    def is_shown() -> bool:
        return session.traffic.is_shown

    add = partial(services.action_of, SIGNALS, opens=True)
    return [
        services.action("traffic.show", session.traffic.show, checked=is_shown, disabled_reason=no_traffic_reason),
        add("signals.add", lambda pane: pane.ask_add()),
        add("signals.expression", lambda pane: pane.ask_expression()),
        add("signals.plot", lambda pane: pane.add(*selected_keys(session)), when=selects_signals),
    ]
