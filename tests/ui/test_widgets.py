"""The controls: what they show, what they ask for, what they refuse, and that keys reach all of it."""

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QMargins, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QKeySequence, QUndoStack, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPushButton,
    QTabBar,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from recorder_editor.ui.app import settle
from recorder_editor.ui.session.jobs import Job
from recorder_editor.ui.shell.status import Part
from recorder_editor.ui.style.boxes import Stretch, fill
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import (
    AngleEdit,
    CheckEdit,
    ChoiceEdit,
    ColourEdit,
    CountBadge,
    DockTitle,
    ElidedLabel,
    EmptyState,
    ErrorPopup,
    FlagsEdit,
    Form,
    Label,
    MomentEdit,
    NumberEdit,
    NumberLabel,
    ProgressStrip,
    SearchField,
    Segmented,
    SwitchStrip,
    TextEdit,
    ToggleChip,
    format_number,
)
from recorder_editor.ui.widgets.figures import NAME, NUMBER, Figure, Figures
from recorder_editor.ui.widgets.switches import WordButton
from recorder_editor.ui.widgets.values import parse_colour

from .windows import bring_up, picture

Key = Qt.Key


class Page(QWidget):
    """A window with editors beneath each other and something else that takes the keyboard."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        for widget in widgets:
            self.column.addWidget(widget)
        self.other = QPushButton("Other")
        self.column.addWidget(self.other)
        self.resize(400, 300)


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[type[Page]]:
    """Pages that are shown and have the keyboard."""
    pages: list[Page] = []

    class Shown(Page):
        def __init__(self, *widgets: QWidget) -> None:
            super().__init__(*widgets)
            pages.append(self)
            qtbot.addWidget(self)
            self.show()
            self.activateWindow()
            qtbot.waitUntil(self.isActiveWindow)

    yield Shown
    for shown in pages:
        shown.close()


def asked(editor: NumberEdit | TextEdit | ColourEdit | ChoiceEdit | FlagsEdit | CheckEdit | MomentEdit) -> list[str]:
    """Everything the editor asks for from now on."""
    texts: list[str] = []
    editor.committed.connect(texts.append)
    return texts


def reasons(page: QWidget) -> list[str]:
    """What is refused in sight."""
    return [sheet.reason for sheet in page.findChildren(ErrorPopup) if sheet.isVisible()]


# --- numbers --------------------------------------------------------------------------------------------


def test_a_number_has_three_decimals_until_it_is_edited(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme, "cm")
    editor.set_value(-19660.775390625)
    shown = page(editor)
    shown.other.setFocus()
    assert editor.text() == "-19660.775"
    editor.setFocus()
    assert editor.text() == "-19660.775390625"
    assert editor.selectedText() == editor.text()
    assert editor.cursorPosition() == 0  # its first digits are in sight
    shown.other.setFocus()
    assert editor.text() == "-19660.775"
    assert editor.toolTip() == "-19660.775390625 cm"


TAIL = 5.000000074505806
"""A moment of a frame as recordings hold it: too long for its editor."""


def first_ink(editor: QLineEdit) -> int:
    """The left end, in pixels, of what is marked as selected."""
    image, colour = editor.grab().toImage(), editor.palette().highlight().color()
    row = image.height() // 2
    return next(x for x in range(4, image.width()) if image.pixelColor(x, row) == colour)


@pytest.mark.parametrize("kind", [NumberEdit, AngleEdit])
def test_a_click_selects_a_long_number_and_shows_its_first_digits(
    theme: Theme, page: type[Page], kind: type[NumberEdit]
) -> None:
    editor = kind(theme, "°" if kind is AngleEdit else "s")
    editor.set_value(TAIL)
    page(editor).other.setFocus()
    QTest.mouseClick(editor, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(70, 12))
    assert editor.selectedText() == editor.text() == "5.000000074505806"
    assert editor.cursorPosition() == 0
    picture(editor)
    assert editor.cursorPositionAt(QPoint(first_ink(editor) + 1, 12)) == 0


def test_a_refused_number_shows_its_first_digits_when_the_keyboard_comes_back(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme, "s")
    editor.set_value(1.0)
    shown = page(editor)
    editor.setFocus()
    QTest.keyClicks(editor, "5.000000074505806 fast")
    QTest.keyClick(editor, Key.Key_Return)
    assert editor.reason
    shown.other.setFocus()
    editor.setFocus(Qt.FocusReason.TabFocusReason)
    assert editor.selectedText() == editor.text() == "5.000000074505806 fast"
    assert editor.cursorPosition() == 0


@pytest.mark.parametrize("is_focused", [True, False])
def test_a_text_that_gets_too_long_as_its_room_shrinks_is_painted_whole_at_once(
    theme: Theme, page: type[Page], is_focused: bool
) -> None:
    editor = NumberEdit(theme)
    editor.set_value(7)
    shown = page(editor)
    (editor if is_focused else shown.other).setFocus()
    picture(editor)  # the short number is painted at the right
    margins = editor.textMargins()
    editor.setTextMargins(0, 0, margins.right() + 40, 0)
    editor.set_value(26000, "26000.50000")
    at_once = picture(editor)
    editor.update()
    assert picture(editor) == at_once
    assert editor.cursorPositionAt(QPoint(10, 12)) == 0


def test_enter_asks_for_what_was_typed(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme, "cm")
    editor.set_value(1.0)
    page(editor)
    texts = asked(editor)
    editor.setFocus()
    QTest.keyClicks(editor, "92.5")
    assert editor.dirty
    QTest.keyClick(editor, Key.Key_Return)
    assert texts == ["92.5"]
    editor.set_value(92.5)
    assert (editor.value, editor.text(), editor.dirty) == (92.5, "92.5", False)


def test_leaving_asks_too_and_only_once(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme)
    editor.set_value(1.0)
    shown = page(editor)
    texts = asked(editor)
    editor.setFocus()
    QTest.keyClicks(editor, "2.5")
    shown.other.setFocus()
    assert texts == ["2.5"]
    editor.setFocus()
    shown.other.setFocus()
    assert texts == ["2.5"]


def test_typing_the_value_that_is_there_asks_for_nothing(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme)
    editor.set_value(1.5)
    page(editor)
    texts = asked(editor)
    editor.setFocus()
    QTest.keyClicks(editor, "1.5")
    QTest.keyClick(editor, Key.Key_Return)
    assert texts == []


def test_escape_reverts(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme)
    editor.set_value(1.5)
    shown = page(editor)
    texts = asked(editor)
    editor.setFocus()
    QTest.keyClicks(editor, "7")
    QTest.keyClick(editor, Key.Key_Escape)
    assert editor.text() == "1.5"
    shown.other.setFocus()
    assert texts == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fast", "Not a number."),
        ("", "Not a number."),
        ("11", "The largest value here is 10 m/s."),
        ("-1", "The smallest value here is 0 m/s."),
    ],
)
def test_what_cannot_be_stored_is_refused_beneath(theme: Theme, page: type[Page], text: str, reason: str) -> None:
    editor = NumberEdit(theme, "m/s", low=0, high=10)
    editor.set_value(3.5)
    shown = page(editor)
    texts = asked(editor)
    editor.setFocus()
    QTest.keyClick(editor, Key.Key_Backspace)
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Key.Key_Return)
    assert texts == []
    assert reasons(shown) == [reason]
    assert editor.reason == editor.accessibleDescription() == reason
    assert editor.text() == text
    QTest.keyClicks(editor, "5")
    assert reasons(shown) == []


def test_a_reason_from_outside_stays_until_the_value_is_set(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme)
    editor.set_value(1.0)
    shown = page(editor)
    editor.committed.connect(lambda text: editor.refuse(f"{text} does not fit into 32 bits."))
    editor.setFocus()
    QTest.keyClicks(editor, "1e300")
    QTest.keyClick(editor, Key.Key_Return)
    assert reasons(shown) == ["1e300 does not fit into 32 bits."]
    shown.other.setFocus()
    assert reasons(shown) == []
    assert editor.text() == "1e300"
    assert editor.reason
    editor.setFocus()
    assert reasons(shown)
    editor.set_value(2.0)
    assert reasons(shown) == []
    assert (editor.text(), editor.reason) == ("2.0", "")


def test_the_reason_hangs_beneath_the_editor_inside_the_window(theme: Theme, page: type[Page]) -> None:
    top, bottom = NumberEdit(theme), NumberEdit(theme)
    shown = page(top, bottom)
    shown.column.setContentsMargins(4, 4, 4, 0)
    shown.other.hide()
    QApplication.processEvents()
    for editor in (top, bottom):
        editor.refuse("A sentence that is long enough to need a second line in a window as narrow as this one is.")
        sheet = next(sheet for sheet in shown.findChildren(ErrorPopup) if sheet.isVisible())
        assert shown.rect().contains(sheet.geometry())
        assert not sheet.geometry().intersects(editor.geometry())
        editor.revert()


@pytest.mark.parametrize(
    ("key", "modifier", "text"),
    [
        (Key.Key_Up, Qt.KeyboardModifier.NoModifier, "1.7"),
        (Key.Key_Down, Qt.KeyboardModifier.NoModifier, "0.7"),
        (Key.Key_Up, Qt.KeyboardModifier.ShiftModifier, "6.2"),
        (Key.Key_Up, Qt.KeyboardModifier.ControlModifier, "1.25"),
    ],
)
def test_arrows_take_steps_that_are_asked_for_at_once(
    theme: Theme, page: type[Page], key: Qt.Key, modifier: Qt.KeyboardModifier, text: str
) -> None:
    editor = NumberEdit(theme, step=0.5)
    editor.set_value(1.2)
    page(editor)
    texts = asked(editor)
    editor.setFocus()
    QTest.keyClick(editor, key, modifier)
    assert texts == [text]


def test_steps_stop_at_the_ends_of_the_range(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme, integer=True, low=0, high=255)
    editor.set_value(250)
    page(editor)
    texts = asked(editor)
    editor.setFocus()
    editor.step_by(10)
    editor.set_value(255)
    editor.step_by(10)
    assert texts == ["255"]


def wheel(widget: QWidget, turn: int) -> QWheelEvent:
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place,
        QPointF(widget.mapToGlobal(place.toPoint())),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event


def test_the_wheel_turns_only_the_number_that_has_the_keyboard(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme)
    editor.set_value(5)
    shown = page(editor)
    texts = asked(editor)
    shown.other.setFocus()
    assert not wheel(editor, 120).isAccepted()
    editor.setFocus()
    assert wheel(editor, 60).isAccepted()
    assert texts == []
    wheel(editor, 60)
    assert texts == ["6"]


def test_whole_numbers_take_hexadecimal_and_nothing_with_a_point(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme, integer=True, low=0, high=2**32 - 1)
    assert editor.reason_against("0x1f4a") == ""
    assert editor.reason_against("007") == ""
    assert editor.reason_against("1.5") == "Not a whole number."
    assert editor.reason_against("4294967296") == "The largest value here is 4,294,967,295."


def test_a_float_may_be_nan_or_infinite(theme: Theme) -> None:
    editor = NumberEdit(theme, low=0, high=10)
    assert editor.reason_against("nan") == ""
    assert editor.reason_against("inf") != ""
    assert NumberEdit(theme).reason_against("-inf") == ""


def test_mixed_values_show_as_mixed_and_typing_sets_all(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme, "m")
    editor.set_mixed()
    page(editor)
    assert (editor.text(), editor.placeholderText(), editor.value) == ("", "mixed", None)
    texts = asked(editor)
    editor.setFocus()
    QTest.keyClicks(editor, "3")
    QTest.keyClick(editor, Key.Key_Return)
    assert texts == ["3"]


def test_a_number_too_wide_for_its_place_gives_up_decimals(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme, "cm/s²")
    editor.set_value(-1234567.1234)
    shown = page(editor)
    shown.other.setFocus()
    QApplication.processEvents()
    assert editor.text() in ("-1234567.1", "-1234567.12", "-1234567")
    assert editor.toolTip() == "-1234567.1234 cm/s²"


def test_undo_means_the_recording_until_something_is_typed(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme)
    editor.set_value(1.0)
    shown = page(editor)
    undone: list[bool] = []
    action = QUndoStack(shown).createUndoAction(shown)
    action.setShortcut(QKeySequence.StandardKey.Undo)
    action.setEnabled(True)
    action.triggered.connect(lambda: undone.append(True))
    shown.addAction(action)
    editor.setFocus()
    QTest.keyClick(editor, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone
    QTest.keyClicks(editor, "12")
    QTest.keyClick(editor, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(undone) == 1


def test_a_selected_number_has_a_frame(theme: Theme, page: type[Page]) -> None:
    editor = NumberEdit(theme)
    shown = page(editor)
    shown.other.setFocus()
    plain = editor.grab().toImage().pixelColor(58, 0)
    editor.set_selected(True)
    assert editor.grab().toImage().pixelColor(58, 0) == theme.palette.selection
    editor.set_selected(False)
    assert editor.grab().toImage().pixelColor(58, 0) == plain


@pytest.mark.parametrize(
    ("value", "text"),
    [(3932, "3932"), (16.5, "16.500"), (-0.0, "-0.000"), (1e12, "1e+12"), (float("nan"), "nan"), (float("inf"), "inf")],
)
def test_numbers_are_shown_to_three_decimals(value: float, text: str) -> None:
    assert format_number(value) == text


# --- angles ---------------------------------------------------------------------------------------------


def test_the_dial_turns_clockwise_and_is_asked_for_when_let_go(qtbot: QtBot, theme: Theme, page: type[Page]) -> None:
    editor = AngleEdit(theme, "°")
    editor.set_value(0.0)
    page(editor)
    texts, turns = asked(editor), list[float]()
    editor.turning.connect(turns.append)
    centre = QPoint(12, 12)
    QTest.mousePress(editor, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, centre + QPoint(5, 0))
    QTest.mouseMove(editor, centre + QPoint(0, 60))
    assert turns[-1] == pytest.approx(90, abs=2)
    assert texts == []
    QTest.mouseRelease(editor, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, centre + QPoint(0, 60))
    assert float(texts[0]) == pytest.approx(90, abs=2)


def test_a_click_beside_the_dial_only_edits(theme: Theme, page: type[Page]) -> None:
    editor = AngleEdit(theme, "°")
    editor.set_value(12.0)
    page(editor).other.setFocus()
    texts = asked(editor)
    QTest.mouseClick(editor, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(70, 12))
    assert editor.hasFocus()
    assert texts == []
    assert editor.selectedText() == "12.0"


# --- text, colours, choices, bits -----------------------------------------------------------------------


def test_a_text_says_its_length_in_bytes(theme: Theme, page: type[Page]) -> None:
    editor = TextEdit(theme, longest=8)
    editor.set_value("Zürich")
    page(editor)
    assert editor.length_text() == "7 bytes"
    texts = asked(editor)
    editor.setFocus()
    QTest.keyClicks(editor, " a ")
    QTest.keyClick(editor, Key.Key_Return)
    assert texts == [" a "]
    editor.set_value("a")
    assert editor.length_text() == "1 byte"
    QTest.keyClicks(editor, "123456789")
    QTest.keyClick(editor, Key.Key_Return)
    assert editor.reason == "This text has 9 bytes; at most 8 can be stored."


def test_bytes_that_are_no_text_are_shown_and_kept(theme: Theme, page: type[Page]) -> None:
    editor = TextEdit(theme, longest=8)
    editor.set_value(b"caf\xe9")
    page(editor)
    assert editor.text() == "caf\\xe9"
    assert editor.isReadOnly()
    assert editor.length_text() == "4 bytes"
    assert TextEdit(theme).length_text() == "", "what is not stored has no length"
    editor.set_value("now text")
    assert not editor.isReadOnly()


@pytest.mark.parametrize(
    ("text", "colour"),
    [("255,128,0", (255, 128, 0)), (" 1, 2 ,3 ", (1, 2, 3)), ("1,2", None), ("256,0,0", None), ("red", None)],
)
def test_a_colour_is_three_numbers(text: str, colour: tuple[int, int, int] | None) -> None:
    found = parse_colour(text)
    assert (found is None) == (colour is None)
    assert found is None or (found.red(), found.green(), found.blue()) == colour


def test_a_colour_editor_shows_a_swatch_and_refuses_words(theme: Theme, page: type[Page]) -> None:
    editor = ColourEdit(theme)
    editor.set_value("255,128,0")
    page(editor)
    assert editor.grab().toImage().pixelColor(13, 12) == QColor(255, 128, 0)
    editor.setFocus()
    QTest.keyClicks(editor, "red")
    QTest.keyClick(editor, Key.Key_Return)
    assert editor.reason.startswith("A colour is three numbers")


def test_a_choice_asks_for_the_number_of_a_name(theme: Theme, page: type[Page]) -> None:
    editor = ChoiceEdit(theme, {0: "Red", 1: "Yellow", 2: "Green"})
    editor.set_value(2)
    page(editor)
    texts = asked(editor)
    editor.setFocus()
    QTest.keyClick(editor, Key.Key_Up)
    assert texts == ["1"]
    editor.refuse("The file is being read.")
    assert editor.currentText() == "Green (2)"
    assert editor.reason == "The file is being read."


def test_a_number_without_a_name_stays_a_choice_of_its_own(theme: Theme, page: type[Page]) -> None:
    editor = ChoiceEdit(theme, {0: "Red"})
    editor.set_value(77)
    page(editor)
    assert (editor.currentText(), editor.currentData(), editor.value) == ("unnamed (77)", 77, 77)
    editor.set_value(0)
    assert (editor.currentText(), editor.count()) == ("Red (0)", 1)
    editor.set_mixed()
    assert (editor.currentIndex(), editor.value) == (-1, None)
    assert not editor.grab().isNull()


def test_the_number_of_a_choice_gives_way_to_its_name(theme: Theme, page: type[Page]) -> None:
    with_number, alone = (ChoiceEdit(theme, {5: "Middle right"}, numbers=numbers) for numbers in (True, False))
    for editor in (with_number, alone):
        editor.set_value(5)
    page(with_number, alone).other.setFocus()
    for width, is_same in ((200, False), (116, True)):
        for editor in (with_number, alone):
            editor.setFixedWidth(width)
        assert (with_number.grab().toImage() == alone.grab().toImage()) is is_same


def test_switching_a_bit_keeps_the_bits_without_a_name(theme: Theme, page: type[Page]) -> None:
    editor = FlagsEdit(theme, {1: "position", 2: "low beam", 8: "brake"})
    editor.set_value(0x202)
    page(editor)
    texts = asked(editor)
    brake = next(box for box in editor.findChildren(QCheckBox) if box.text() == "brake")
    brake.click()
    assert texts == [str(0x202 | 8)]
    editor.set_mixed()
    assert brake.checkState() == Qt.CheckState.PartiallyChecked


def test_boxes_of_bits_stand_in_one_column_where_two_have_no_room(theme: Theme, page: type[Page]) -> None:
    editor = FlagsEdit(theme, {1: "position", 2: "low beam", 8: "a very long name"})
    page(editor)
    boxes = editor.findChildren(QCheckBox)
    for width, columns in ((400, 2), (190, 1), (400, 2)):
        editor.setFixedWidth(width)
        settle()
        assert len({box.x() for box in boxes}) == columns
        assert all(box.width() >= box.sizeHint().width() for box in boxes)
    assert [box.text() for box in sorted(boxes, key=lambda box: (box.x(), box.y()))][:2] == ["position", "low beam"]


def test_switching_a_bit_of_numbers_that_differ_asks_for_that_bit_alone(theme: Theme, page: type[Page]) -> None:
    editor = FlagsEdit(theme, {1: "position", 2: "low beam", 8: "brake"})
    editor.set_mixed([0x203, 0x1])
    page(editor)
    texts, bits = asked(editor), []
    editor.switched.connect(lambda bit, on: bits.append((bit, on)))
    boxes = {box.text(): box for box in editor.findChildren(QCheckBox)}
    half, on, off = Qt.CheckState.PartiallyChecked, Qt.CheckState.Checked, Qt.CheckState.Unchecked
    assert [boxes[name].checkState() for name in ("position", "low beam", "brake")] == [on, half, off]
    for name in ("position", "low beam", "brake"):
        boxes[name].click()
    assert (texts, bits) == ([], [(1, False), (2, True), (8, True)])
    editor.refuse("The file is being read.")
    assert [boxes[name].checkState() for name in ("position", "low beam", "brake")] == [on, half, off]


def test_a_fraction_is_typed_by_its_bits_too(theme: Theme, page: type[Page], qtbot: QtBot) -> None:
    editor, whole = NumberEdit(theme), NumberEdit(theme, integer=True)
    page(editor, whole)
    texts = asked(editor)
    for text in ("f32:7fc00000", "f64:7ff8000000000000"):
        editor.setFocus()
        editor.selectAll()
        qtbot.keyClicks(editor, text)
        qtbot.keyClick(editor, Qt.Key.Key_Return)
        assert editor.reason == ""
    assert texts == ["f32:7fc00000", "f64:7ff8000000000000"]
    assert editor.reason_against("f32:xyz") == "Not a number."
    assert editor.reason_against("f16:7c00") == "Not a number."
    assert whole.reason_against("f32:7fc00000") == "Not a whole number."


def test_a_boolean_of_two_is_shown_as_such(theme: Theme, page: type[Page]) -> None:
    editor = CheckEdit(theme)
    editor.set_value(2)
    page(editor)
    assert (editor.isChecked(), editor.text()) == (True, "stored as 2")
    texts = asked(editor)
    editor.click()
    editor.set_value(0)
    editor.click()
    assert texts == ["0", "1"]
    assert editor.text() == ""


def test_a_moment_is_shown_in_utc_and_asked_for_in_seconds(theme: Theme, page: type[Page]) -> None:
    editor = MomentEdit(theme)
    editor.set_value(1_661_874_814)
    page(editor)
    assert editor.text() == "2022-08-30 15:53:34"
    texts = asked(editor)
    editor.setDateTime(editor.dateTime().addDays(1))
    assert texts == [str(1_661_874_814 + 86_400)]
    editor.set_value(2**63)
    assert editor.text().startswith("9999")
    assert len(texts) == 1


# --- switches, titles, notices --------------------------------------------------------------------------


def test_one_segment_is_always_on_and_arrows_move_it(qtbot: QtBot, theme: Theme, page: type[Page]) -> None:
    switch = Segmented(theme, ["This frame", "Recording"], name="what is shown")
    page(switch)
    with qtbot.waitSignal(switch.changed) as signal:
        QTest.mouseClick(switch.segment(1), Qt.MouseButton.LeftButton)
    assert signal.args == [1]
    with qtbot.assertNotEmitted(switch.changed):
        QTest.mouseClick(switch.segment(1), Qt.MouseButton.LeftButton)
        QTest.keyClick(switch.segment(1), Key.Key_Right)
    QTest.keyClick(switch.segment(1), Key.Key_Left)
    assert switch.current == 0


def test_a_chip_is_switched_by_the_space_bar(theme: Theme, page: type[Page]) -> None:
    chip = ToggleChip("Roads", on=True)
    page(chip)
    chip.setFocus()
    QTest.keyClick(chip, Key.Key_Space)
    assert not chip.isChecked()
    assert chip.accessibleName() == "Roads"


def test_a_badge_of_warnings_has_another_form_than_one_of_errors(theme: Theme, page: type[Page]) -> None:
    badge = CountBadge("problems")
    row = QWidget()
    fill(QHBoxLayout(row), badge, Stretch(), spacing=0)
    page(row)
    filled = []
    for color in ("error", "warning"):
        badge.set_count(6, color)
        settle()
        corner = badge.mapTo(row, QPoint(1, 1))
        filled.append(row.grab().toImage().pixelColor(corner) == theme.palette.color(color))
    assert filled == [False, True]


def test_a_badge_takes_no_room_at_nothing(theme: Theme, page: type[Page]) -> None:
    badge = CountBadge("problems")
    row = QWidget()
    fill(QHBoxLayout(row), badge, Stretch(), spacing=0)
    page(row)
    assert badge.width() == 0
    badge.set_count(6)
    settle()
    assert (badge.text().strip(), badge.accessibleName(), badge.width(), badge.height()) == ("6", "6 problems", 16, 16)
    badge.set_count(12)
    settle()
    assert badge.width() >= theme.metrics(theme.small_bold).horizontalAdvance("12") + 4
    badge.set_count(72_000)
    settle()
    assert badge.text().strip() == "999+"
    assert badge.width() >= theme.metrics(theme.small_bold).horizontalAdvance("999+")
    badge.set_count(0)
    settle()
    assert badge.width() == 0


def test_a_click_opens_a_tab_of_a_title(qtbot: QtBot, theme: Theme) -> None:
    title = DockTitle(theme, ["Packets", "Actors", "Problems"])
    qtbot.addWidget(title)
    title.resize(400, title.sizeHint().height())
    title.set_caption("4 errors, 2 warnings")
    assert title.sizeHint().height() == 28
    title.show()
    tab = next(child for child in title.findChildren(QWidget) if child.accessibleName() == "Problems")
    QTest.mouseClick(tab, Qt.MouseButton.LeftButton)
    assert title.current == 2


def test_a_caption_without_room_is_shown_in_its_short_form(qtbot: QtBot, theme: Theme) -> None:
    title = DockTitle(theme, ["Packets", "Actors"])
    title.set_caption("1,234 of 5,678", short="1,234")
    qtbot.addWidget(title)
    title.show()
    caption = title.findChild(ElidedLabel)
    shown = []
    for width in range(400, 100, -1):
        title.resize(width, 28)
        settle()
        if caption.shown_text() not in shown:
            shown.append(caption.shown_text())
    assert shown == ["1,234 of 5,678", "1,234", ""]
    title.set_caption("1,234")
    title.resize(400, 28)
    settle()
    assert caption.shown_text() == "1,234"


def test_switches_of_a_narrow_title_are_in_a_menu(qtbot: QtBot, theme: Theme) -> None:
    pane = QWidget()
    title = DockTitle(theme, "Scene", parent=pane)
    chips = {name: ToggleChip(name) for name in ("Roads", "Trails", "Other", "Follow")}
    for chip in chips.values():
        title.add_switch(chip)
    chips["Other"].hide()
    qtbot.addWidget(pane)
    title.resize(600, 28)
    bring_up(pane, qtbot)

    def seen() -> list[str]:
        return [name for name, chip in chips.items() if chip.isVisible() and chip.width() >= chip.sizeHint().width()]

    assert seen() == ["Roads", "Trails", "Follow"]
    more = next(button for button in title.findChildren(QToolButton) if button.accessibleName() == "More switches")
    assert not more.isVisible()
    title.resize(180, 28)
    qtbot.waitUntil(more.isVisible)
    qtbot.waitUntil(lambda: seen() == ["Roads"])
    assert more.geometry().right() < title.width()
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    menu = more.findChild(QMenu)
    assert menu is not None
    assert [(action.text(), action.isChecked()) for action in menu.actions()] == [("Trails", False), ("Follow", False)]
    menu.actions()[0].trigger()
    assert chips["Trails"].isChecked()
    menu.close()
    title.resize(600, 28)
    qtbot.waitUntil(lambda: seen() == ["Roads", "Trails", "Follow"])
    chips["Other"].show()
    qtbot.waitUntil(lambda: seen() == list(chips))


def test_chips_that_a_strip_has_no_room_for_are_in_its_menu(qtbot: QtBot, theme: Theme) -> None:
    chips = {name: ToggleChip(name) for name in ("Collision 2", "Near miss 13", "Hard braking 58")}
    chips["Collision 2"].set_sign(theme.icons.icon("cross", "error"))
    pane = QWidget()
    field = QLineEdit()
    field.setMinimumWidth(176)
    strip = SwitchStrip(*chips.values())
    fill(QHBoxLayout(pane), (field, 1), strip)
    qtbot.addWidget(pane)
    pane.resize(600, 30)
    bring_up(pane, qtbot)

    def seen() -> list[str]:
        return [name for name, chip in chips.items() if chip.isVisible() and chip.width() >= chip.sizeHint().width()]

    qtbot.waitUntil(lambda: seen() == list(chips))
    assert field.width() > 176
    pane.resize(330, 30)
    qtbot.waitUntil(lambda: seen() == ["Collision 2"])
    assert field.width() == 176
    more = next(button for button in strip.findChildren(QToolButton) if button.text() == "»")
    assert more.isVisible()
    chips["Collision 2"].hide()
    qtbot.waitUntil(lambda: seen() == ["Near miss 13"])
    pane.resize(600, 30)
    qtbot.waitUntil(lambda: seen() == ["Near miss 13", "Hard braking 58"])
    assert not more.isVisible()


def test_chips_that_are_hidden_and_shown_while_their_strip_is_hidden_stay_in_its_menu(qtbot: QtBot) -> None:
    chips = [ToggleChip(name) for name in ("Collision 2", "Near miss 13", "Hard braking 58")]
    pane = QWidget()
    field = QLineEdit()
    field.setMinimumWidth(176)
    strip = SwitchStrip(*chips)
    fill(QHBoxLayout(pane), (field, 1), strip)
    qtbot.addWidget(pane)
    pane.resize(330, 30)
    bring_up(pane, qtbot)
    more = next(button for button in strip.findChildren(QToolButton) if button.text() == "»")
    qtbot.waitUntil(more.isVisible)
    pane.hide()
    for is_hidden in (True, False):
        for chip in chips:
            chip.setHidden(is_hidden)
        QApplication.processEvents()
    bring_up(pane, qtbot)
    qtbot.waitUntil(more.isVisible)
    assert chips[0].width() == chips[0].sizeHint().width()
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    menu = more.findChild(QMenu)
    assert menu is not None
    texts = [action.text() for action in menu.actions()]
    menu.close()
    assert texts == ["Near miss 13", "Hard braking 58"]


class Docks(QMainWindow):
    """A window with three docks in one place, each with the program's title."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setCentralWidget(QLabel("Scene"))
        self.docks: list[QDockWidget] = []
        self.titles: list[DockTitle] = []
        for name in ("Packets", "Actors", "Problems"):
            dock = QDockWidget(name, self)
            title = DockTitle(theme)
            title.attach(dock)
            dock.setWidget(QLabel(name))
            self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
            self.docks.append(dock)
            self.titles.append(title)
        for dock in self.docks[1:]:
            self.tabifyDockWidget(self.docks[0], dock)
        self.docks[0].raise_()
        self.resize(600, 400)


def test_docks_in_one_place_are_tabs_of_its_title(qtbot: QtBot, theme: Theme) -> None:
    window = Docks(theme)
    qtbot.addWidget(window)
    window.show()
    QApplication.processEvents()
    first, _, last = window.titles
    assert first.titles() == ("Packets", "Actors", "Problems")
    assert first.current == 0
    assert [bar.height() for bar in window.findChildren(QTabBar)] == [0]
    tab = next(child for child in first.findChildren(QWidget) if child.accessibleName() == "Problems")
    QTest.mouseClick(tab, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    # Qt keeps the docks behind the open one as they are, out of sight.
    assert window.rect().contains(window.docks[2].geometry())
    assert not window.rect().intersects(window.docks[0].geometry())
    assert (last.titles(), last.current) == (("Packets", "Actors", "Problems"), 2)


def test_a_dock_that_leaves_takes_its_tab_with_it(qtbot: QtBot, theme: Theme) -> None:
    window = Docks(theme)
    qtbot.addWidget(window)
    window.show()
    QApplication.processEvents()
    window.docks[1].close()
    QApplication.processEvents()
    assert window.titles[0].titles() == ("Packets", "Problems")
    window.docks[1].show()
    window.docks[2].setFloating(True)
    window.docks[0].raise_()
    QApplication.processEvents()
    assert window.titles[0].titles() == ("Packets", "Actors")
    assert window.titles[2].titles() == ("Problems",)


def test_a_form_gives_labels_room_and_names_its_editors(qtbot: QtBot, theme: Theme) -> None:
    form = Form(theme)
    qtbot.addWidget(form)
    form.heading("Location")
    x = form.row("x", NumberEdit(theme, "cm"), "8d 99 99 c6")
    form.wide("Apply to", ChoiceEdit(theme, {0: "This frame"}, numbers=False))
    form.row("speed", NumberLabel(theme, "m/s"))
    form.resize(292, 400)
    form.show()
    assert x.label.width() >= 56
    assert x.editor.accessibleName() == "x"
    assert x.editor.height() == 24
    assert x.raw.geometry().left() - x.editor.geometry().right() == 9
    x.set_selected(True)
    assert x.editor.property("selected")
    form.row("a label that needs more room", NumberEdit(theme))
    assert 56 < x.label.width() <= 128
    form.clear()
    assert form.rows() == ()
    form.row("y", NumberEdit(theme))
    assert len(form.rows()) == 1


def test_a_pane_says_what_to_do(qtbot: QtBot, theme: Theme) -> None:
    empty = EmptyState(theme, "Click a packet to see its bytes", ground="field")
    qtbot.addWidget(empty)
    empty.resize(200, 100)
    assert empty.accessibleName() == "Click a packet to see its bytes"
    assert empty.grab().toImage().pixelColor(1, 1) == theme.palette.field
    empty.set_text("No problems found in 72,000 frames", "Checked in 0.8 s")
    empty.set_icon("checks", "fine")
    assert empty.text() == "No problems found in 72,000 frames"


def test_a_job_can_be_cancelled_once(qtbot: QtBot, theme: Theme) -> None:
    strip = ProgressStrip(theme)
    qtbot.addWidget(strip)
    strip.set_progress("Checking frame 31,204 of 72,000", 0.43, 12.4)
    words = {label.text() for label in strip.findChildren(QLabel)}
    assert words == {"Checking frame 31,204 of 72,000", "about 12 s left"}
    button = strip.findChild(QPushButton)
    assert isinstance(button, QPushButton)
    with qtbot.waitSignal(strip.cancelled):
        button.click()
    assert not button.isEnabled()
    strip.set_progress("Checking frame 31,208 of 72,000", 0.43, 12.3)
    assert "stopping" in {label.text() for label in strip.findChildren(QLabel)}
    strip.follow(Job("Writing", print, print, print, quiet=False))
    assert button.isEnabled()
    strip.set_progress("Writing", None, 300)
    assert "about 5 min left" in {label.text() for label in strip.findChildren(QLabel)}


def test_a_job_asks_for_no_more_room_the_more_it_says(qtbot: QtBot, theme: Theme) -> None:
    strip = ProgressStrip(theme)
    qtbot.addWidget(strip)
    least = strip.minimumSizeHint().width()
    strip.set_progress("Checking frame 31,204 of 72,000", 0.43, 300)
    assert strip.minimumSizeHint().width() == least <= 160


def test_words_that_do_not_fit_end_in_an_ellipsis_and_take_no_room(theme: Theme) -> None:
    label = ElidedLabel(theme, "carla-0.9.13-town05-collisions.log")
    assert label.minimumSizeHint().width() == 0
    assert label.sizeHint().width() > 100


def test_what_is_said_in_a_low_empty_pane_has_its_room(theme: Theme, qtbot: QtBot) -> None:
    empty = EmptyState(theme, "Plot numbers over time", "Add a signal from the list, or drag a field", icon="signals")
    button = QPushButton("Add signal...")
    empty.add_button(button)
    empty.setMinimumHeight(1)
    qtbot.addWidget(empty)
    empty.show()
    parts = empty.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    counts = []
    for height in (400, 110, 90, 70, 45, button.sizeHint().height(), 400):
        empty.resize(500, height)
        settle()
        shown = [part for part in parts if part.isVisible()]
        assert button in shown
        for part in shown:
            wanted = part.heightForWidth(part.width()) if part.hasHeightForWidth() else part.sizeHint().height()
            assert part.height() >= wanted
            assert empty.rect().contains(part.geometry())
        counts.append(len(shown))
    assert counts[0] == counts[-1] == 4
    assert counts[-2] == 1
    assert counts[:-1] == sorted(counts[:-1], reverse=True)


def test_words_of_which_no_three_letters_fit_are_not_shown(theme: Theme, qtbot: QtBot) -> None:
    label = ElidedLabel(theme, "12 road users")
    qtbot.addWidget(label)
    height = label.sizeHint().height()
    letters = theme.metrics().horizontalAdvance("12…") + 2
    for width, is_shown in ((letters, False), (2 * letters, True)):
        label.resize(width, height)
        image = label.grab().toImage()
        colors = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
        assert (len(colors) > 1) == is_shown


def test_a_tab_too_narrow_for_its_name_ends_in_an_ellipsis_and_tells_it_whole(theme: Theme, qtbot: QtBot) -> None:
    title = DockTitle(theme, ["Packets", "Differences"])
    qtbot.addWidget(title)
    title.show()
    tab = next(child for child in title.findChildren(QWidget) if child.accessibleName() == "Differences")
    assert isinstance(tab, QAbstractButton)
    cut = tab.sizeHint().shrunkBy(QMargins(0, 0, 20, 0))
    whole = tab.text()
    tab.resize(cut)
    shown = tab.grab().toImage()
    tab.setText(tab.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, cut.width()))
    assert tab.text().endswith("…")
    assert tab.grab().toImage() == shown
    tab.setText(whole)
    QApplication.sendEvent(tab, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), tab.mapToGlobal(QPoint(2, 2))))
    assert QToolTip.text() == whole
    QToolTip.hideText()


def test_tabs_without_room_are_in_a_menu_and_the_open_one_never_is(theme: Theme, qtbot: QtBot) -> None:
    names = ["Packets", "Actors", "Problems", "Differences"]
    pane = QWidget()
    qtbot.addWidget(pane)
    title = DockTitle(theme, names, parent=pane)
    pane.show()
    tabs = {each.text(): each for each in title.findChildren(QAbstractButton) if each.text() in names}
    more = next(button for button in title.findChildren(QToolButton) if button.accessibleName() == "More panes")
    for current, shown in ((0, names[:3]), (3, ["Packets", "Differences"])):
        title.set_current(current)
        for width in (221, 800, 221):
            title.resize(width, title.sizeHint().height())
            settle()
            assert [name for name in names if tabs[name].isVisible()] == (shown if width == 221 else names)
            assert all(tab.width() >= tab.sizeHint().width() for tab in tabs.values() if tab.isVisible())
            assert more.isVisible() == (width == 221)
            assert more.isHidden() or more.geometry().right() < width
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    menu = more.findChild(QMenu)
    assert menu is not None
    assert [action.text() for action in menu.actions()] == ["Actors", "Problems"]
    menu.actions()[0].trigger()
    menu.close()
    assert title.current == 1
    qtbot.waitUntil(tabs["Actors"].isVisible)


def test_figures_tell_what_is_cut_of_their_words_and_show_their_numbers_whole(theme: Theme, qtbot: QtBot) -> None:
    figures, tally = Figures(theme, "What stays"), Figures(theme, "Packets", (NAME, NUMBER))
    figures.show_rows([Figure("frames", "1,200", "", "of 1,200"), Figure("actors", "3", "", "3 that come later")])
    tally.show_rows([("AnimVehicleWheelsAndDoors", "12,000"), ("Position", "3")])
    assert figures.accessibleDescription() == "frames 1,200 of 1,200, actors 3 3 that come later"
    for widget, width in ((figures, 200), (tally, 120)):
        qtbot.addWidget(widget)
        widget.resize(width, widget.sizeHint().height())
        widget.show()
    for widget, text, told in (
        (figures, "frames", ""),
        (tally, "12,000", ""),
        (figures, "3 that come later", "3 that come later"),
        (tally, "AnimVehicleWheelsAndDoors", "AnimVehicleWheelsAndDoors"),
    ):
        cell = next(label for label in widget.findChildren(Label) if label.text() == text)
        assert (cell.width() < cell.sizeHint().width()) == bool(told)
        QApplication.sendEvent(cell, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), cell.mapToGlobal(QPoint(2, 2))))
        assert (QToolTip.text() if QToolTip.isVisible() else "") == told
    QToolTip.hideText()


def test_figures_show_as_many_rows_as_they_are_given(theme: Theme, qtbot: QtBot) -> None:
    figures = Figures(theme, "Packets", (NAME, NUMBER))
    qtbot.addWidget(figures)
    figures.show()
    heights = []
    for count in (1, 3, 1):
        figures.show_rows([("Position", f"{number}") for number in range(count)])
        shown = [label.text() for label in figures.findChildren(Label) if label.isVisible() and label.text()]
        assert shown == ["Position", "0", "Position", "1", "Position", "2"][: 2 * count]
        heights.append(figures.sizeHint().height())
    assert heights[1] > 2 * heights[0] == 2 * heights[2]


def test_the_search_field_shows_its_shortcut_while_it_is_empty(qtbot: QtBot, theme: Theme) -> None:
    field = SearchField(theme, "Go to or find")
    field.set_shortcut("Ctrl+K")
    qtbot.addWidget(field)
    field.resize(340, 24)
    empty = field.grab().toImage().copy(280, 0, 60, 24)
    field.setText("#250")
    assert field.grab().toImage().copy(280, 0, 60, 24) != empty
    assert field.accessibleName() == "Go to or find"


# --- all of them ----------------------------------------------------------------------------------------


def everything(theme: Theme) -> list[QWidget]:
    number = NumberEdit(theme, "cm")
    number.set_value(1.25)
    label = NumberLabel(theme, "m/s")
    label.set_value(6.2)
    badge = CountBadge()
    badge.set_count(6, "warning")
    part = Part(theme, "map")
    part.setText("Town05")
    return [
        number,
        AngleEdit(theme, "°"),
        label,
        badge,
        CheckEdit(theme),
        ChoiceEdit(theme, {0: "Red"}),
        ColourEdit(theme),
        DockTitle(theme, "Scene"),
        EmptyState(theme, "Nothing selected", icon="info"),
        FlagsEdit(theme, {1: "position"}),
        Label(theme, "words"),
        MomentEdit(theme),
        ProgressStrip(theme, "Reading"),
        SearchField(theme, "Filter", icon=""),
        Segmented(theme, ["Set", "Add"]),
        part,
        TextEdit(theme),
        ToggleChip("Ids"),
    ]


def test_every_control_is_painted_in_light_and_dark_at_any_size(qtbot: QtBot, theme: Theme) -> None:
    page = Page(*everything(theme))
    qtbot.addWidget(page)
    page.show()
    pictures = set()
    for mode in ("light", "dark"):
        theme.set_mode("dark" if mode == "dark" else "light")
        for size in (9, 12, 20):
            theme.set_text_size(size)
            picture = page.grab().toImage()
            pictures.add((picture.width(), picture.height(), bytes(picture.constBits())))
    assert len(pictures) == 6


def test_disabled_controls_are_painted_too(qtbot: QtBot, theme: Theme) -> None:
    page = Page(*everything(theme))
    qtbot.addWidget(page)
    bright = page.grab().toImage()
    page.setEnabled(False)
    assert page.grab().toImage() != bright


def test_a_control_that_is_gone_no_longer_follows_the_theme(qtbot: QtBot, theme: Theme) -> None:
    page = Page(*everything(theme))
    qtbot.addWidget(page)
    page.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    theme.set_mode("dark")
    assert theme.palette.dark


def test_buttons_of_a_title_have_words_where_there_is_room_for_all(theme: Theme, qtbot: QtBot) -> None:
    title = DockTitle(theme, "Signals")
    qtbot.addWidget(title)
    done: list[str] = []
    icon = theme.icons.icon("export")
    buttons = [WordButton(icon, word, f"{word} it", partial(done.append, word)) for word in ("Back", "Export")]
    for button in buttons:
        title.add_switch(button)
    title.resize(420, 28)
    title.show()
    settle()
    assert [button.is_worded for button in buttons] == [True, True]
    needed = buttons[1].sizeHint().width()
    assert buttons[1].width() >= needed
    title.resize(150, 28)
    settle()
    assert [button.is_worded for button in buttons] == [False, False]
    assert buttons[1].accessibleName() == "Export it"
    qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert done == ["Export"]
    title.resize(420, 28)
    settle()
    assert [button.is_worded for button in buttons] == [True, True]
