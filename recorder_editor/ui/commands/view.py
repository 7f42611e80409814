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
            f"view.{name}", dock.windowTitle(), partial(window.show_dock, name), menu="View", enabled=shown,
            section="panes", checked=partial(is_shown, name), words=tr("pane"),
            tooltip=tr("Show or hide the pane %1").replace("%1", dock.windowTitle()),
        )
        for name, dock in docks.items()
    ]  # fmt: skip
    float_timeline = ActionSpec(
        "view.float_timeline", tr("Float the timeline"), docks["timeline"].setFloating, menu="View", enabled=shown,
        checked=docks["timeline"].isFloating, section="panes", tooltip=tr("The timeline in a window of its own"),
    )  # fmt: skip
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
        ("inspect", tr("Inspect layout"), "Ctrl+1"), ("trim", tr("Trim layout"), "Ctrl+2"),
        ("repair", tr("Repair layout"), "Ctrl+3"),
    )  # fmt: skip
    layouts = [
        ActionSpec(
            f"view.preset_{name}", text, partial(choose, name), key, "", tr("Arrange the panes for this work"),
            "View/Layout", shown, checked=partial(is_chosen, name), words=tr("preset"),
        )
        for name, text, key in names
    ]  # fmt: skip
    reset = ActionSpec(
        "view.reset", tr("Reset layout"), window.reset_layout, "", "",
        tr("All panes where they were designed to be"), "View/Layout", shown, section="reset",
    )  # fmt: skip
    return [*layouts, reset]


def _scene(window: "MainWindow") -> list[ActionSpec]:
    tr, scene = window.tr, window.scene

    def shown() -> bool:
        return window.session.snapshot is not None

    def is_on(name: str) -> bool:
        return scene.view.switches[name]

    switches = (
        ("roads", tr("Roads"), "R", "roads"), ("trails", tr("Trails"), "T", "trails"), ("ids", tr("Ids"), "", "ids"),
        ("measure", tr("Measure"), "M", "measure"), ("colours", tr("Actors' own colours"), "", ""),
    )  # fmt: skip
    chips = [
        ActionSpec(
            f"scene.{name}", text, partial(scene.view.switch, name), key, icon, "", "View/Scene", shown,
            checked=partial(is_on, name), context="pane", words=tr("scene"),
        )
        for name, text, key, icon in switches
    ]  # fmt: skip
    return [
        *chips,
        ActionSpec("scene.fit", tr("Fit the road users"), scene.view.fit, "F", "fit", menu="View/Scene", enabled=shown,
                   context="pane", section="fit"),
        ActionSpec("scene.copy", tr("Copy picture of the scene"), scene.copy_picture, menu="View/Scene", enabled=shown,
                   section="picture"),
        ActionSpec("scene.save", tr("Save picture of the scene..."), scene.ask_and_save_picture, menu="View/Scene",
                   enabled=shown, section="picture"),
    ]  # fmt: skip


def _themes(window: "MainWindow") -> list[ActionSpec]:
    tr, theme = window.tr, window.theme

    def choose(mode: Mode, _on: bool) -> None:
        theme.set_mode(mode)
        window.settings.mode = mode
        window.registry.refresh()

    def is_chosen(mode: Mode) -> bool:
        return theme.mode == mode

    modes: tuple[tuple[Mode, str], ...] = (("system", tr("System")), ("light", tr("Light")), ("dark", tr("Dark")))
    return [
        ActionSpec(
            f"view.theme_{mode}", text, partial(choose, mode), menu="View/Theme", checked=partial(is_chosen, mode),
            words=tr("theme colours dark light"), section="modes",
        )
        for mode, text in modes
    ]  # fmt: skip


def _sizes(window: "MainWindow") -> list[ActionSpec]:
    tr, theme = window.tr, window.theme

    def grow(by: int) -> None:
        theme.set_text_size(theme.text_size + by)

    def full_screen(on: bool) -> None:
        full, state = Qt.WindowState.WindowFullScreen, window.windowState()
        window.setWindowState(state | full if on else state & ~full)

    return [
        ActionSpec("view.larger", tr("Larger text"), partial(grow, 1), "Ctrl++; Ctrl+=", menu="View", section="look"),
        ActionSpec("view.smaller", tr("Smaller text"), partial(grow, -1), "Ctrl+-", menu="View", section="look"),
        ActionSpec("view.full_screen", tr("Full screen"), full_screen, "F11", menu="View", section="look",
                   checked=window.isFullScreen),
    ]  # fmt: skip
