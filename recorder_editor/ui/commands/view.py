"""View: panes, layouts, the scene's switches, light and dark."""

from functools import partial

from PySide6.QtCore import Qt

from ..actions import ActionSpec
from ..panes import Services
from ..preferences import FOLLOW_MODE, TEXT_SIZE_PIXELS, THEME, FollowMode
from ..scene import SCENE
from ..scene.colorings import COLORINGS, ColorBy
from ..theme import Mode
from ..timeline import TIMELINE
from .rows import actions_by_row


def view_actions(services: Services) -> list[ActionSpec]:
    """The actions of View."""
    return [*_panes(services), *_layouts(services), *_scene(services), *_themes(services), *_sizes(services)]


def _panes(services: Services) -> list[ActionSpec]:
    tr, panes = services.tr, services.panes
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
            keywords=tr("pane"),
            tooltip=tr("Show or hide the pane %1").replace("%1", dock.windowTitle()),
        )
        for name, dock in panes.docks.items()
    ]
    float_timeline = ActionSpec(
        "view.float_timeline",
        tr("Float the timeline"),
        timeline.setFloating,
        menu="View",
        enabled=services.is_open,
        checked=timeline.isFloating,
        section="panes",
        tooltip=tr("Show the timeline in a separate window"),
    )
    return [*docks, float_timeline]


def _layouts(services: Services) -> list[ActionSpec]:
    tr = services.tr

    def is_chosen(name: str) -> bool:
        return services.panes.preset == name

    tip = "Arrange the panes for this task"
    layout_action = partial(ActionSpec, menu="View/Layout", enabled=services.is_open)
    layouts = actions_by_row(
        services,
        partial(layout_action, keywords=tr("preset")),
        services.panes.set_preset,
        ("inspect", "view.preset_inspect", "Inspect layout", "Ctrl+1", tip),
        ("trim", "view.preset_trim", "Trim layout", "Ctrl+2", tip),
        ("repair", "view.preset_repair", "Repair layout", "Ctrl+3", tip),
        is_on=is_chosen,
    )
    reset = layout_action(
        "view.reset",
        tr("Reset layout"),
        services.panes.reset_layout,
        tooltip=tr("Restore the default layout"),
        section="reset",
    )
    return [*layouts, reset]


def _scene(services: Services) -> list[ActionSpec]:
    tr, panes = services.tr, services.panes

    def is_on(name: str) -> bool:
        scene = panes.if_made(SCENE)
        return scene is not None and scene.view.switches[name]

    def switch(name: str, on: bool) -> None:
        panes.get(SCENE).view.switch(name, on)

    def is_mode(mode: FollowMode) -> bool:
        return services.settings[FOLLOW_MODE] == mode

    def choose_mode(mode: FollowMode) -> None:
        services.settings[FOLLOW_MODE] = mode

    def is_comparing() -> bool:
        return services.session.comparison.other is not None

    switches = (
        ("roads", tr("Roads"), "R", "roads", tr("All recorded paths, in the background")),
        ("trails", tr("Trails"), "T", "trails", tr("The paths of the selected actors, coloured by speed")),
        ("ids", tr("Ids"), "", "ids", tr("The ids of the actors")),
        (
            "other",
            tr("Other recording"),
            "",
            "compare",
            tr("The actors of the recording that this one is compared with"),
        ),
        ("measure", tr("Measure"), "M", "measure", tr("Distance and heading between two points")),
    )
    chips = [
        ActionSpec(
            f"scene.{name}",
            text,
            partial(switch, name),
            key,
            icon,
            tip,
            "View/Scene",
            is_comparing if name == "other" else services.is_open,
            needs=tr("No recording is compared with this one."),
            checked=partial(is_on, name),
            context="pane",
            keywords=tr("scene"),
            where=tr("Scene"),
        )
        for name, text, key, icon, tip in switches
    ]
    ways: tuple[tuple[FollowMode, str, str], ...] = (
        ("keep", "Follow: keep in view", "Move the view when the followed actor leaves its middle half"),
        ("middle", "Follow: in the middle", "Keep the followed actor in the middle of the scene"),
        ("up", "Follow: heading up", "Keep the followed actor in the middle, with its heading up"),
    )
    modes = actions_by_row(
        services,
        partial(ActionSpec, menu="View/Scene", enabled=services.is_open, section="follow"),
        choose_mode,
        *((mode, f"scene.follow_{mode}", text, "", tip) for mode, text, tip in ways),
        is_on=is_mode,
    )

    def is_color(by: ColorBy) -> bool:
        scene = panes.if_made(SCENE)
        return scene is not None and scene.view.color_by == by

    def choose_color(by: ColorBy) -> None:
        panes.get(SCENE).color_by(by)

    colors = actions_by_row(
        services,
        partial(ActionSpec, menu="View/Colour by", enabled=services.is_open, keywords=tr("scene colours of actors")),
        choose_color,
        *((by, f"scene.color_{by}", text, "", tip) for by, (text, tip) in COLORINGS.items()),
        is_on=is_color,
    )
    camera_action = partial(
        ActionSpec, menu="View/Scene", enabled=services.is_open, context="pane", section="fit", where=tr("Scene")
    )
    picture_action = partial(ActionSpec, menu="View/Scene", enabled=services.is_open, section="picture")
    return [
        *chips,
        *modes,
        *colors,
        camera_action(
            "scene.fit",
            tr("Fit the road users"),
            lambda: panes.get(SCENE).view.fit(),
            "F",
            "fit",
            tr("Show all road users of this frame"),
        ),
        camera_action(
            "scene.zoom",
            tr("Zoom to the selection"),
            lambda: panes.get(SCENE).view.zoom_to_selection(),
            "Z",
            tooltip=tr("Zoom to the selected actors"),
        ),
        *actions_by_row(
            services,
            camera_action,
            lambda back: panes.get(SCENE).view.step_view(back=back),
            (True, "scene.back", "Previous view", "Backspace", "Back to the view before the last move or zoom"),
            (False, "scene.forward", "Next view", "Shift+Backspace", "Forward to the view before going back"),
        ),
        picture_action(
            "scene.copy",
            tr("Copy picture of the scene"),
            lambda: panes.get(SCENE).copy_picture(),
            tooltip=tr("Copy the scene as a picture"),
        ),
        picture_action(
            "scene.save",
            tr("Save picture of the scene..."),
            lambda: panes.get(SCENE).ask_and_save_picture(),
            tooltip=tr("Save the scene as a PNG or SVG file"),
        ),
    ]


def _themes(services: Services) -> list[ActionSpec]:
    tr, theme = services.tr, services.theme

    def choose(mode: Mode) -> None:
        services.settings[THEME] = mode
        theme.set_mode(mode)
        services.actions.refresh()

    def is_chosen(mode: Mode) -> bool:
        return theme.mode == mode

    modes: tuple[tuple[Mode, str, str], ...] = (
        ("system", "System", "Follow the desktop"),
        ("light", "Light", "Dark on light"),
        ("dark", "Dark", "Light on dark"),
    )
    return actions_by_row(
        services,
        partial(ActionSpec, menu="View/Theme", keywords=tr("theme colours dark light"), section="modes"),
        choose,
        *((mode, f"view.theme_{mode}", text, "", tip) for mode, text, tip in modes),
        is_on=is_chosen,
    )


def _sizes(services: Services) -> list[ActionSpec]:
    tr, theme, window = services.tr, services.theme, services.window

    def grow(by: int) -> None:
        theme.set_text_size(theme.text_size + by)
        services.settings[TEXT_SIZE_PIXELS] = theme.text_size

    def full_screen(on: bool) -> None:
        full, state = Qt.WindowState.WindowFullScreen, window.windowState()
        window.setWindowState(state | full if on else state & ~full)

    look_action = partial(ActionSpec, menu="View", section="look")
    return [
        *actions_by_row(
            services,
            look_action,
            grow,
            (1, "view.larger", "Larger text", "Ctrl++; Ctrl+=", "Increase the size of text and controls by one pixel"),
            (-1, "view.smaller", "Smaller text", "Ctrl+-", "Decrease the size of text and controls by one pixel"),
        ),
        *actions_by_row(
            services,
            look_action,
            services.panes.focus_next,
            (1, "view.next_pane", "Next pane", "F6", "Move the keyboard to the next pane"),
            (-1, "view.previous_pane", "Previous pane", "Shift+F6", "Move the keyboard to the previous pane"),
        ),
        look_action(
            "view.full_screen",
            tr("Full screen"),
            full_screen,
            "F11",
            tooltip=tr("Show the window on the whole screen"),
            checked=window.isFullScreen,
        ),
    ]
