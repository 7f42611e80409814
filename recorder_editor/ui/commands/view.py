"""View: panes, layouts, the scene's switches, light and dark."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ..actions import ActionSpec
from ..theme import Mode

if TYPE_CHECKING:
    from ..main_window import MainWindow


def view_actions(window: "MainWindow") -> list[ActionSpec]:
    """The actions of View."""
    return [*_panes(window), *_layouts(window), *_scene(window), *_themes(window), *_sizes(window)]


def _panes(window: "MainWindow") -> list[ActionSpec]:
    tr, docks = window.tr, window.docks

    def shown() -> bool:
        return window.session.snapshot is not None

    def is_shown(name: str) -> bool:
        return not docks[name].isHidden()

    panes = [
        ActionSpec(
            f"view.{name}",
            dock.windowTitle(),
            partial(window.show_dock, name),
            menu="View",
            enabled=shown,
            section="panes",
            checked=partial(is_shown, name),
            words=tr("pane"),
            tooltip=tr("Show or hide the pane %1").replace("%1", dock.windowTitle()),
        )
        for name, dock in docks.items()
    ]
    float_timeline = ActionSpec(
        "view.float_timeline",
        tr("Float the timeline"),
        docks["timeline"].setFloating,
        menu="View",
        enabled=shown,
        checked=docks["timeline"].isFloating,
        section="panes",
        tooltip=tr("The timeline in a window of its own"),
    )
    return [*panes, float_timeline]


def _layouts(window: "MainWindow") -> list[ActionSpec]:
    tr = window.tr

    def shown() -> bool:
        return window.session.snapshot is not None

    def choose(name: str, _on: bool) -> None:
        window.set_preset(name)

    def is_chosen(name: str) -> bool:
        return window.preset == name

    names = (
        ("inspect", tr("Inspect layout"), "Ctrl+1"),
        ("trim", tr("Trim layout"), "Ctrl+2"),
        ("repair", tr("Repair layout"), "Ctrl+3"),
    )
    layouts = [
        ActionSpec(
            f"view.preset_{name}",
            text,
            partial(choose, name),
            key,
            "",
            tr("Arrange the panes for this work"),
            "View/Layout",
            shown,
            checked=partial(is_chosen, name),
            words=tr("preset"),
        )
        for name, text, key in names
    ]
    reset = ActionSpec(
        "view.reset",
        tr("Reset layout"),
        window.reset_layout,
        "",
        "",
        tr("All panes where they were designed to be"),
        "View/Layout",
        shown,
        section="reset",
    )
    return [*layouts, reset]


def _scene(window: "MainWindow") -> list[ActionSpec]:
    tr, scene = window.tr, window.scene

    def shown() -> bool:
        return window.session.snapshot is not None

    def is_on(name: str) -> bool:
        return scene.view.switches[name]

    switches = (
        ("roads", tr("Roads"), "R", "roads", tr("All paths of the recording, faintly behind")),
        ("trails", tr("Trails"), "T", "trails", tr("The way of the selected actors, coloured by speed")),
        ("ids", tr("Ids"), "", "ids", tr("The numbers of the actors beside them")),
        ("measure", tr("Measure"), "M", "measure", tr("Distance and heading between two points that are clicked")),
        ("colours", tr("Actors' own colours"), "", "", tr("The colour recorded for an actor, not that of its class")),
    )
    chips = [
        ActionSpec(
            f"scene.{name}",
            text,
            partial(scene.view.switch, name),
            key,
            icon,
            tip,
            "View/Scene",
            shown,
            checked=partial(is_on, name),
            context="pane",
            words=tr("scene"),
            where=tr("Scene"),
        )
        for name, text, key, icon, tip in switches
    ]
    return [
        *chips,
        ActionSpec(
            "scene.fit",
            tr("Fit the road users"),
            scene.view.fit,
            "F",
            "fit",
            menu="View/Scene",
            enabled=shown,
            context="pane",
            section="fit",
            where=tr("Scene"),
            tooltip=tr("See all road users of this frame"),
        ),
        ActionSpec(
            "scene.copy",
            tr("Copy picture of the scene"),
            scene.copy_picture,
            menu="View/Scene",
            enabled=shown,
            section="picture",
            tooltip=tr("What the scene shows, to the clipboard"),
        ),
        ActionSpec(
            "scene.save",
            tr("Save picture of the scene..."),
            scene.ask_and_save_picture,
            menu="View/Scene",
            enabled=shown,
            section="picture",
            tooltip=tr("What the scene shows, as a PNG or SVG file"),
        ),
    ]


def _themes(window: "MainWindow") -> list[ActionSpec]:
    tr, theme = window.tr, window.theme

    def choose(mode: Mode, _on: bool) -> None:
        theme.set_mode(mode)
        window.settings.mode = mode
        window.registry.refresh()

    def is_chosen(mode: Mode) -> bool:
        return theme.mode == mode

    modes: tuple[tuple[Mode, str, str], ...] = (
        ("system", tr("System"), tr("Light or dark as the desktop is")),
        ("light", tr("Light"), tr("Dark on light")),
        ("dark", tr("Dark"), tr("Light on dark")),
    )
    return [
        ActionSpec(
            f"view.theme_{mode}",
            text,
            partial(choose, mode),
            menu="View/Theme",
            checked=partial(is_chosen, mode),
            words=tr("theme colours dark light"),
            section="modes",
            tooltip=tip,
        )
        for mode, text, tip in modes
    ]


def _sizes(window: "MainWindow") -> list[ActionSpec]:
    tr, theme = window.tr, window.theme

    def grow(by: int) -> None:
        theme.set_text_size(theme.text_size + by)
        window.settings.text_size = theme.text_size

    def full_screen(on: bool) -> None:
        full, state = Qt.WindowState.WindowFullScreen, window.windowState()
        window.setWindowState(state | full if on else state & ~full)

    return [
        ActionSpec(
            "view.larger",
            tr("Larger text"),
            partial(grow, 1),
            "Ctrl++; Ctrl+=",
            menu="View",
            section="look",
            tooltip=tr("All text, and what surrounds it, one pixel larger"),
        ),
        ActionSpec(
            "view.smaller",
            tr("Smaller text"),
            partial(grow, -1),
            "Ctrl+-",
            menu="View",
            section="look",
            tooltip=tr("All text, and what surrounds it, one pixel smaller"),
        ),
        ActionSpec(
            "view.full_screen",
            tr("Full screen"),
            full_screen,
            "F11",
            menu="View",
            section="look",
            checked=window.isFullScreen,
            tooltip=tr("The window without a frame, on the whole screen"),
        ),
    ]
