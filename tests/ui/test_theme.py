"""The look: colours that can be read, icons and fonts that follow, one style for light and dark."""

import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QImage, QPainter, QPalette, QStyleHints
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QListView,
    QMainWindow,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollBar,
    QStyle,
    QTabBar,
    QToolButton,
    QTreeView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from recorder_editor import resources
from recorder_editor.ui.app import settle
from recorder_editor.ui.style.colors import (
    CONTRAST_DARK,
    CONTRAST_LIGHT,
    DARK,
    LIGHT,
    Palette,
    contrast,
    mix,
    with_alpha,
)
from recorder_editor.ui.style.icons import Icons
from recorder_editor.ui.style.menu_style import Style
from recorder_editor.ui.style.theme import Mode, Theme
from recorder_editor.ui.widgets import Segmented, ToggleChip
from recorder_editor.ui.widgets.match_list import Match, MatchDelegate, MatchModel

from .windows import bring_up

PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
MODES: tuple[Mode, ...] = ("light", "dark", "contrast_light", "contrast_dark")
ICON_FILES = sorted(path.stem for path in resources.path("icons").glob("*.svg"))


# --- palette --------------------------------------------------------------------------------------------


@PALETTES
def test_words_can_be_read_on_every_ground(palette: Palette) -> None:
    for ground in (palette.window, palette.field, palette.alternate):
        assert contrast(palette.text, ground) >= 12
        assert contrast(palette.muted, ground) >= 4.7
    assert contrast(palette.on_selection, palette.selection) >= 4.5
    assert contrast(palette.selection, palette.hover) >= 3.9
    assert contrast(palette.on_tag, palette.tag) >= 12
    assert contrast(palette.on_error, palette.error) >= 3.8


@PALETTES
def test_signs_stand_out_from_the_ground(palette: Palette) -> None:
    for name in ("error", "warning", "fine", "hero", "vehicle", "two_wheeler", "lamp_red"):
        assert contrast(palette.color(name), palette.field) >= 2.9, name


@PALETTES
def test_every_pair_of_classes_differs(palette: Palette) -> None:
    names = ["vehicle", "walker", "two-wheeler", "prop", "spectator", "sensor"]
    assert len({palette.class_color(name).rgb() for name in names}) == len(names)


@PALETTES
def test_the_speed_colours_run_from_slow_to_fast_and_are_clipped(palette: Palette) -> None:
    assert len(palette.speed) == 256
    assert palette.speed_color(-1) == palette.speed[0]
    assert palette.speed_color(2) == palette.speed[-1]
    lightness = [color.lightnessF() for color in palette.speed]
    assert lightness[-1] > lightness[0]


def test_the_speed_colours_are_viridis() -> None:
    pyqtgraph = pytest.importorskip("pyqtgraph")
    table = pyqtgraph.colormap.get("viridis").getLookupTable(0.28, 1.0, 256)
    for expected, color in zip(table, DARK.speed, strict=True):
        assert abs(int(expected[0]) - color.red()) <= 8
        assert abs(int(expected[1]) - color.green()) <= 8
        assert abs(int(expected[2]) - color.blue()) <= 8


def test_an_unknown_colour_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        LIGHT.color_named("dark")
    with pytest.raises(KeyError):
        LIGHT.color_named("puce")


def test_mixing_goes_from_the_first_colour_to_the_second() -> None:
    black, white = QColor("#000000"), QColor("#FFFFFF")
    assert mix(black, white, 0).rgb() == black.rgb()
    assert mix(black, white, 1).rgb() == white.rgb()
    assert with_alpha(white, 0.5).alpha() == 128
    assert contrast(black, white) == pytest.approx(21)


# --- theme ----------------------------------------------------------------------------------------------


def test_a_theme_follows_what_it_is_told(qtbot: QtBot, theme: Theme) -> None:
    assert theme.palette == LIGHT
    with qtbot.waitSignal(theme.changed):
        theme.set_mode("dark")
    assert theme.palette == DARK
    assert QApplication.palette().color(QPalette.ColorRole.Window) == DARK.window


def test_a_theme_says_nothing_when_nothing_changes(qtbot: QtBot, theme: Theme) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_mode("light")
        theme.set_text_size(12)


class Wishes(QObject):
    """What a desktop that asks for more contrast tells since Qt 6.10."""

    contrastPreferenceChanged = Signal()
    wish = "NoPreference"

    def contrastPreference(self) -> object:
        return getattr(Qt.ContrastPreference, self.wish)


class StyleChanges(QWidget):
    """Counts how often Qt gives it a style."""

    seen = 0

    def changeEvent(self, event: QEvent) -> None:
        self.seen += event.type() == QEvent.Type.StyleChange
        super().changeEvent(event)


def test_a_widget_gets_its_new_look_twice_however_deep_it_is(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    parent = window
    for _ in range(6):
        parent = QWidget(parent)
        QPushButton(parent)
    inner = StyleChanges(parent)
    bring_up(window, qtbot)
    before = inner.seen
    theme.set_mode("dark")
    assert inner.seen - before <= 2


def test_a_menu_closes_before_the_look_changes(qtbot: QtBot, theme: Theme) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addMenu("More").addAction("Deep")
    menu.popup(QPoint())
    assert menu.isVisible()
    grounds: list[bool] = []
    theme.changed.connect(lambda: grounds.append(menu.isVisible()))
    theme.set_mode("dark")
    assert grounds == [False]


@pytest.mark.skipif(not hasattr(QStyleHints, "accessibility"), reason="Qt tells this since 6.10")
def test_high_contrast_follows_the_desktop_and_can_be_chosen(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    wishes = Wishes()
    monkeypatch.setattr(QStyleHints, "accessibility", lambda _hints: wishes)
    for mode, palettes in {
        "system": (LIGHT, CONTRAST_LIGHT),
        "dark": (DARK, DARK),
        "contrast_light": (CONTRAST_LIGHT, CONTRAST_LIGHT),
        "contrast_dark": (CONTRAST_DARK, CONTRAST_DARK),
    }.items():
        for wishes.wish, palette in zip(("NoPreference", "HighContrast"), palettes, strict=True):
            theme.set_mode("light")
            theme.set_mode(cast("Mode", mode))
            assert theme.palette == palette, (mode, wishes.wish)
            assert QApplication.palette().color(QPalette.ColorRole.Window) == palette.window


@pytest.mark.skipif(not hasattr(QStyleHints, "accessibility"), reason="Qt tells this since 6.10")
def test_a_desktop_that_changes_its_mind_is_followed(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    wishes = Wishes()
    monkeypatch.setattr(QStyleHints, "accessibility", lambda _hints: wishes)
    theme = Theme(qapp)
    wishes.wish = "HighContrast"
    wishes.contrastPreferenceChanged.emit()
    assert theme.palette == CONTRAST_LIGHT
    theme.release()
    wishes.wish = "NoPreference"
    wishes.contrastPreferenceChanged.emit()
    assert theme.palette == CONTRAST_LIGHT
    theme.setParent(None)
    theme.deleteLater()


def test_a_desktop_that_says_nothing_counts_as_light(theme: Theme) -> None:
    theme.set_mode("system")
    assert theme.palette == LIGHT


def test_lengths_and_fonts_follow_the_text_size(qtbot: QtBot, theme: Theme) -> None:
    assert (theme.px(22), theme.font.pixelSize(), theme.mono.pixelSize()) == (22, 12, 11)
    with qtbot.waitSignal(theme.changed):
        theme.set_text_size(18)
    assert (theme.px(22), theme.font.pixelSize(), theme.mono.pixelSize()) == (33, 18, 17)
    theme.set_text_size(1000)
    assert theme.text_size == 24


def test_a_system_whose_fixed_font_has_no_fixed_pitch_gets_another_one(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFontDatabase, "systemFont", lambda _: QFont("DejaVu Sans"))
    theme.set_text_size(13)
    assert len({theme.metrics(theme.mono).horizontalAdvance(letter) for letter in "iW 0"}) == 1


def test_digits_of_the_monospaced_font_have_one_width(theme: Theme) -> None:
    metrics = theme.metrics(theme.mono)
    assert len({metrics.horizontalAdvance(digit) for digit in "0123456789abcdef"}) == 1


def test_disabled_words_are_faint(theme: Theme) -> None:
    color = QApplication.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
    assert color == theme.palette.faint


def paint_button(theme: Theme) -> QPushButton:
    button = QPushButton("Trim")
    button.setProperty("primary", True)
    return button


def paint_check(theme: Theme) -> QCheckBox:
    box = QCheckBox("Write size 730")
    box.setChecked(True)
    return box


@pytest.mark.parametrize("make", [paint_button, paint_check])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_what_is_on_is_filled_with_the_selection(
    qtbot: QtBot, theme: Theme, make: Callable[[Theme], QPushButton | QCheckBox], mode: str
) -> None:
    theme.set_mode("dark" if mode == "dark" else "light")
    widget = make(theme)
    qtbot.addWidget(widget)
    widget.resize(120, 28)
    picture = widget.grab().toImage()
    assert theme.palette.selection.rgb() in colors(picture)


def test_a_combo_box_has_a_chevron(qtbot: QtBot, theme: Theme) -> None:
    combo = QComboBox()
    combo.addItem("1x")
    qtbot.addWidget(combo)
    combo.resize(80, 24)
    picture = combo.grab().toImage()
    right = colors(picture.copy(QRect(56, 4, 20, 16)))
    assert len(right) > 1
    assert picture.pixelColor(40, 12) == theme.palette.control


def sign_of_a_box(theme: Theme) -> tuple[QWidget, QColor]:
    box = QCheckBox()
    box.setChecked(True)
    return box, theme.palette.on_selection


def sign_of_a_branch(theme: Theme) -> tuple[QWidget, QColor]:
    tree = QTreeWidget()
    tree.setHeaderHidden(True)
    QTreeWidgetItem(QTreeWidgetItem(tree))
    return tree, theme.palette.muted


def sign_of_an_order(theme: Theme) -> tuple[QWidget, QColor]:
    tree = QTreeWidget()
    tree.setHeaderLabels([""])
    tree.setSortingEnabled(True)
    tree.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    return tree, theme.palette.muted


def sign_of_a_checked_entry(theme: Theme) -> tuple[QWidget, QColor]:
    menu = QMenu()
    action = menu.addAction("")
    action.setCheckable(True)
    action.setChecked(True)
    return menu, theme.palette.text


def sign_of_an_inner_menu(theme: Theme) -> tuple[QWidget, QColor]:
    menu = QMenu()
    menu.addMenu("")
    return menu, theme.palette.muted


def sign_of_a_button_with_a_menu(theme: Theme) -> tuple[QWidget, QColor]:
    button = QToolButton()
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(QMenu(button))
    return button, theme.palette.muted


@pytest.mark.parametrize(
    ("make", "rounding"),
    [
        (sign_of_a_box, 2),
        (sign_of_a_branch, 2),
        # These are drawn for the screen, not for the picture: their lines are soft in it.
        (sign_of_an_order, 40),
        (sign_of_a_button_with_a_menu, 40),
        (sign_of_a_checked_entry, 40),
        (sign_of_an_inner_menu, 40),
    ],
)
def test_signs_of_controls_follow_the_palette(
    qtbot: QtBot, theme: Theme, make: Callable[[Theme], tuple[QWidget, QColor]], rounding: int
) -> None:
    for mode in MODES:
        theme.set_mode(mode)
        widget, color = make(theme)
        qtbot.addWidget(widget)
        widget.resize(160, 60)
        picture = QImage(widget.size() * 4, QImage.Format.Format_RGB32)
        picture.setDevicePixelRatio(4)
        picture.fill(theme.palette.window)
        widget.render(picture)
        found = [QColor(each) for each in ink(picture)]
        assert any(furthest(each, color) <= rounding for each in found), mode


State = tuple[QWidget, Callable[[], object]]
"""A widget, and what turns something in it on or makes it current."""


def state_of_a_chip(theme: Theme) -> State:
    chip = ToggleChip("Trails")
    return chip, lambda: chip.setChecked(True)


def state_of_a_switch(theme: Theme) -> State:
    switch = Segmented(theme, ["", ""])
    return switch, lambda: switch.set_current(1)


def state_of_a_menu(theme: Theme) -> State:
    menu = QMenu()
    entry = menu.addAction("Trim")
    return menu, lambda: menu.setActiveAction(entry)


def state_of_a_menu_bar(theme: Theme) -> State:
    window = QMainWindow()
    entry = window.menuBar().addAction("File")
    return window, lambda: window.menuBar().setActiveAction(entry)


def state_of_a_list_below_a_line(theme: Theme) -> State:
    view = QListView()
    matches = MatchModel(view)
    matches.show([Match("Trim", "", "", "", lambda: None)])
    view.setModel(matches)
    view.setItemDelegate(MatchDelegate(theme, view))
    return view, lambda: view.setCurrentIndex(matches.index(0, 0))


@pytest.mark.parametrize(
    "state", [state_of_a_chip, state_of_a_switch, state_of_a_menu, state_of_a_menu_bar, state_of_a_list_below_a_line]
)
@pytest.mark.parametrize("mode", ["contrast_light", "contrast_dark"])
def test_in_high_contrast_what_is_on_or_current_has_three_to_one(
    qtbot: QtBot, theme: Theme, mode: Mode, state: Callable[[Theme], State]
) -> None:
    theme.set_mode(mode)
    widget, turn_on = state(theme)
    qtbot.addWidget(widget)
    widget.resize(120, 40)
    pictures = []
    for step in (settle, turn_on):
        step()
        settle()
        pictures.append(widget.grab().toImage())
    before, after = pictures
    places = product(range(before.width()), range(before.height()))
    assert sum(contrast(before.pixelColor(*place), after.pixelColor(*place)) >= 3 for place in places) > 50


def furthest(one: QColor, other: QColor) -> int:
    """The largest difference of a channel."""
    channels = zip((one.red(), one.green(), one.blue()), (other.red(), other.green(), other.blue()), strict=True)
    return max(abs(a - b) for a, b in channels)


def test_the_file_dialog_shows_sizes_and_dates_in_full(theme: Theme, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "a recording.log").write_bytes(bytes(336_543))
    dialog = QFileDialog(None, "Open", str(tmp_path))
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    bring_up(dialog, qtbot)
    tree = dialog.findChild(QTreeView, "treeView")
    assert tree is not None

    def fits() -> bool:
        shown = [column for column in range(tree.header().count()) if not tree.isColumnHidden(column)]
        has_file = tree.model().rowCount(tree.rootIndex()) == 1
        return has_file and all(tree.columnWidth(each) >= tree.sizeHintForColumn(each) for each in shown)

    qtbot.waitUntil(fits)
    assert tree.columnWidth(0) > dialog.width() // 3
    dialog.reject()


def test_the_file_dialog_has_the_buttons_of_the_program_and_says_that_it_saves(
    theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = QFileDialog(None, "Save as", str(tmp_path / "a.log"))
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    bring_up(dialog, qtbot)
    qtbot.waitUntil(lambda: dialog.labelText(QFileDialog.DialogLabel.LookIn) == "Save in:")
    assert all(button.icon().isNull() for button in dialog.findChildren(QPushButton))
    dialog.reject()


@pytest.mark.parametrize("mode", MODES)
def test_the_arrows_of_the_file_dialog_have_the_colour_of_text(
    theme: Theme, tmp_path: Path, qtbot: QtBot, mode: Mode
) -> None:
    theme.set_mode(mode)
    dialog = QFileDialog(None, "Open", str(tmp_path))
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    bring_up(dialog, qtbot)
    for name in ("backButton", "forwardButton", "toParentButton"):
        button = dialog.findChild(QToolButton, name)
        assert button is not None
        assert theme.palette.text.rgb() in colors(button.icon().pixmap(16, 16).toImage())
    dialog.reject()


def test_the_file_dialog_fits_a_small_screen(
    theme: Theme, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recorder_editor.ui.style.theme.room_for", lambda _window: QSize(600, 344))
    dialog = QFileDialog(None, "Open", str(tmp_path))
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.resize(690, 420)
    bring_up(dialog, qtbot)
    qtbot.waitUntil(lambda: dialog.size() == QSize(600, 344))
    dialog.reject()


def test_a_pressed_switch_shows_its_icon_in_the_selection_colour(qtbot: QtBot, theme: Theme) -> None:
    button = QToolButton()
    button.setIcon(theme.icons.icon("loop"))
    button.setCheckable(True)
    button.setChecked(True)
    qtbot.addWidget(button)
    button.resize(24, 24)
    assert theme.palette.hover.rgb() in colors(button.grab().toImage())


def test_the_program_ends_cleanly_with_a_theme_and_its_icons() -> None:
    script = (
        "from PySide6.QtWidgets import QApplication, QToolButton\n"
        "from recorder_editor.ui.style.theme import Mode, Theme\n"
        "app = QApplication([])\n"
        "theme = Theme(app, 'dark')\n"
        "button = QToolButton()\n"
        "button.setIcon(theme.icons.icon('open'))\n"
        "button.grab()\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


# --- icons ----------------------------------------------------------------------------------------------


def colors(picture: QImage) -> set[int]:
    places = ((x, y) for x in range(picture.width()) for y in range(picture.height()))
    return {picture.pixelColor(x, y).rgb() for x, y in places}


def ink(picture: QImage) -> set[str]:
    """The colours of all wholly opaque pixels."""
    of_32_bits = picture.convertToFormat(QImage.Format.Format_ARGB32)
    colors = np.unique(np.frombuffer(of_32_bits.constBits(), np.uint32))
    return {QColor.fromRgb(color).name() for color in colors.tolist() if color >> 24 == 255}


def test_every_icon_is_one_colour_and_draws_something(theme: Theme) -> None:
    assert ICON_FILES
    for name in ICON_FILES:
        source = (resources.path("icons") / f"{name}.svg").read_text(encoding="utf-8")
        assert "#" not in source, name
        assert 'viewBox="0 0 16 16"' in source, name
        drawn = [QColor(found) for found in ink(theme.icons.pixmap(name, 64, QColor("#0072B2")).toImage())]
        assert drawn, name
        # Two strokes one over the other may round by one.
        assert all(abs(c.red()) <= 2 and abs(c.green() - 114) <= 2 and abs(c.blue() - 178) <= 2 for c in drawn), name


def test_no_icon_leaves_its_box(theme: Theme) -> None:
    edge = [(i, 0) for i in range(64)] + [(i, 63) for i in range(64)]
    edge += [(0, i) for i in range(64)] + [(63, i) for i in range(64)]
    for name in ICON_FILES:
        picture = theme.icons.pixmap(name, 64, QColor("#000000")).toImage()
        assert not [place for place in edge if picture.pixelColor(*place).alpha() > 0], name


def test_an_icon_follows_the_theme_without_being_set_again(theme: Theme) -> None:
    icon = theme.icons.icon("packet")
    assert ink(icon.pixmap(QSize(64, 64)).toImage()) == {LIGHT.text.name()}
    theme.set_mode("dark")
    assert ink(icon.pixmap(QSize(64, 64)).toImage()) == {DARK.text.name()}


def test_icons_of_classes_and_signs_have_their_own_colour(theme: Theme) -> None:
    assert ink(theme.icons.icon("vehicle").pixmap(QSize(64, 64)).toImage()) == {LIGHT.vehicle.name()}
    assert ink(theme.icons.icon("error").pixmap(QSize(64, 64)).toImage()) == {LIGHT.error.name()}
    assert ink(theme.icons.icon("checks", "fine").pixmap(QSize(64, 64)).toImage()) == {LIGHT.fine.name()}


def test_a_disabled_icon_is_faint_and_a_switched_on_one_is_blue(theme: Theme) -> None:
    icon = theme.icons.icon("repair")
    disabled = icon.pixmap(QSize(64, 64), QIcon.Mode.Disabled)
    assert ink(disabled.toImage()) == {LIGHT.faint.name()}
    on = icon.pixmap(QSize(64, 64), QIcon.Mode.Normal, QIcon.State.On)
    assert ink(on.toImage()) == {LIGHT.selection.name()}


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_an_icon_is_drawn_in_device_pixels(theme: Theme, ratio: float) -> None:
    pixmap = theme.icons.pixmap("open", 16, None, ratio)
    assert pixmap.width() == round(16 * ratio)
    assert pixmap.deviceIndependentSize().width() == pytest.approx(16)
    icon = theme.icons.icon("open").pixmap(QSize(16, 16), ratio)
    assert icon.width() == round(16 * ratio)


def test_an_icon_stands_in_the_middle_of_a_wider_picture(theme: Theme) -> None:
    picture = theme.icons.icon("open").pixmap(QSize(24, 16), 2.0).toImage()
    assert (picture.width(), picture.height()) == (48, 32)
    assert ink(picture.copy(8, 0, 32, 32)) == {LIGHT.text.name()}
    for side in (picture.copy(0, 0, 8, 32), picture.copy(40, 0, 8, 32)):
        assert not ink(side)


def test_an_icon_is_drawn_where_it_is_asked_for(theme: Theme) -> None:
    picture = QImage(40, 40, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    theme.icons.draw(painter, "prop", 10, 12, 16, QColor("#000000"))
    painter.end()
    assert picture.pixelColor(5, 20).alpha() == 0
    assert ink(picture.copy(10, 12, 16, 16))


def test_an_unknown_icon_is_a_key_error(theme: Theme) -> None:
    with pytest.raises(KeyError):
        theme.icons.icon("nothing")


def test_icons_can_come_from_another_folder(theme: Theme, tmp_path: Path) -> None:
    source = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="currentColor">'
    (tmp_path / "dot.svg").write_text(source + '<rect x="2" y="2" width="8" height="8"/></svg>', encoding="utf-8")
    icons = Icons(theme, tmp_path)
    assert icons.names() == ("dot",)
    assert ink(icons.pixmap("dot").toImage()) == {LIGHT.text.name()}


def test_menus_and_tooltips_do_not_fade_in(qapp: QApplication) -> None:
    effects = [each for each in Qt.UIEffect if each != Qt.UIEffect.UI_General]
    for effect in Qt.UIEffect:
        qapp.setEffectEnabled(effect)
    assert any(qapp.isEffectEnabled(effect) for effect in effects)
    theme = Theme(qapp, "light")
    assert [effect for effect in effects if qapp.isEffectEnabled(effect)] == []
    theme.release()
    theme.setParent(None)
    theme.deleteLater()


def test_nothing_moves_by_itself_and_no_hint_of_the_style_passes_through_python(theme: Theme, qtbot: QtBot) -> None:
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    for widget in (QMainWindow(), QTabBar(), QProgressBar(), QScrollBar()):
        qtbot.addWidget(widget)
        widget.ensurePolished()
        assert widget.style().styleHint(hint, None, widget) == 0, widget
    assert "styleHint" not in vars(Style)
