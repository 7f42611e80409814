"""What a screen reader finds and is told: a name, a role and a value for everything that can be used, and all panes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.errors import EditError
from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.dialogs.export import ExportDialog
from recorder_editor.ui.dialogs.form import FormDialog
from recorder_editor.ui.dialogs.preferences import PreferencesDialog
from recorder_editor.ui.dialogs.properties import PropertiesDialog
from recorder_editor.ui.dialogs.replace import ReplaceDialog
from recorder_editor.ui.session.file_watcher import FileNews
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, BYTES, HISTORY, PACKETS, SCENE, SIGNALS, TIMELINE
from recorder_editor.ui.widgets import NumberEdit, NumberLabel
from recorder_editor.views.signal_key import Key

from .parts import in_turn
from .windows import PARTS, OpenWindow, beginning, bring_up, dialogs

COLLISIONS = "carla-0.9.13-town05-collisions.log"
HERO = 3890
Role, Text = QAccessible.Role, QAccessible.Text
USED = {Role.Button, Role.ButtonDropDown, Role.ButtonMenu, Role.CheckBox, Role.RadioButton, Role.ComboBox}
USED |= {Role.EditableText, Role.SpinBox, Role.Slider, Role.ScrollBar, Role.PageTab, Role.MenuItem, Role.Link}
USED |= {Role.List, Role.Table, Role.Tree, Role.ListItem, Role.Cell, Role.TreeItem}
VALUED = {Role.ComboBox, Role.SpinBox, Role.Slider, Role.ScrollBar}
CELLS = {Role.Cell, Role.TreeItem}
NOTHING = {Role.NoRole, Role.Client, Role.Border}
MOST = 60  # of the children of an element
NOT_RUN = {"file.quit", "file.new_window", "file.close", "help.sample", "roads.simulator", "help.report"}


@pytest.fixture(autouse=True)
def somebody_listens(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Has Qt make interfaces and tell of events, as it does while a screen reader runs."""
    QAccessible.setActive(True)
    if not QAccessible.isActive():  # without a screen Qt 6.9 has nobody to tell
        monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    yield
    QAccessible.setActive(False)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is told without being asked."""
    sentences: list[str] = []

    def tell(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            sentences.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", tell)
    return sentences


@pytest.fixture
def window(open_window: OpenWindow, recordings: Path, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    path = tmp_path / COLLISIONS
    path.write_bytes(beginning(recordings / COLLISIONS, frames=90, actor=HERO))
    window = open_window(path, preset="inspect")
    bring_up(window, qtbot)
    wait_for_jobs(window)
    return window


@pytest.fixture
def whole(open_window: OpenWindow, recordings: Path, qtbot: QtBot) -> MainWindow:
    """A window with all of the recording: with its collisions and what the checks find."""
    window = open_window(recordings / COLLISIONS, preset="inspect")
    bring_up(window, qtbot)
    wait_for_jobs(window)
    return window


def interface(widget: QWidget) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(widget)


def elements(top: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """Everything within an element that is shown."""
    yield top
    for number in range(min(top.childCount(), MOST)):
        child = top.child(number)
        if child is not None and child.isValid() and not child.state().invisible:
            yield from elements(child)


def lines_of(widget: QWidget) -> list[str]:
    """The lines of a painted view."""
    view = interface(widget)
    assert view.role() == Role.List
    return [view.child(number).text(Text.Name) for number in range(view.childCount())]


def current_of(widget: QWidget) -> str:
    return str(interface(widget).focusChild().text(Text.Name))


def lacking(top: QWidget) -> list[str]:
    """What can be used in a window, and has no name, no role or no value."""
    for _ in elements(interface(top)):
        pass
    settle()  # what Qt gives no name is named when it was asked for
    return [words for element in elements(interface(top)) for words in complaints(element)]


def complaints(element: QAccessibleInterface) -> Iterator[str]:
    role, name, widget = element.role(), element.text(Text.Name).strip(), element.object()
    if not (element.state().focusable or role in USED):
        return
    what = f"{role.name} {name!r} {type(widget).__name__} {widget.objectName() if widget is not None else ''}"
    # A cell in which nothing is written says so; a bar of tabs without tabs is not in use.
    is_empty = role in CELLS or (
        role == Role.PageTabList and not any(each.role() == Role.PageTab for each in elements(element))
    )
    if not name and not is_empty:
        yield f"no name: {what}"
    if role in NOTHING:
        yield f"no role: {what}"
    has_value = element.text(Text.Value) or element.valueInterface() is not None
    if role in VALUED and not has_value and not (isinstance(widget, QComboBox) and not widget.count()):
        yield f"no value: {what}"


def test_everything_in_the_window_has_a_name_a_role_and_a_value(
    window: MainWindow, subtests: pytest.Subtests, open_window: OpenWindow
) -> None:
    for preset in ("inspect", "scene", "trim", "repair"):
        with subtests.test(preset=preset):
            window.panes.set_preset(preset)
            settle()
            assert lacking(window) == []
    window.panes.set_preset("inspect")
    for name in window.panes.docks:
        with subtests.test(pane=name):
            window.panes.focus(name)
            settle()
            assert lacking(window) == []
    with subtests.test("start page"):
        assert lacking(open_window()) == []


@pytest.mark.parametrize("part", [PARTS[1], PARTS[-1]])
def test_everything_in_every_dialog_has_a_name_a_role_and_a_value(
    window: MainWindow, part: slice, qtbot: QtBot, subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_: ("", ""))
    window.session.selection.select_actor(HERO)
    asked, actions = 0, [each for each in dialogs(window, part) if each not in NOT_RUN]
    for action in actions:
        window.registry.run(action)
        settle()
        for dialog in (each for each in window.findChildren(QDialog) if each.isVisible()):
            asked += 1
            with subtests.test(action=action):
                assert lacking(dialog) == []
            dialog.reject()
        settle()
    assert asked > len(actions) / 3


def the_scene_is_a_list_of_actors(window: MainWindow) -> None:
    window.session.selection.go_to_frame(40)
    window.session.selection.select_actor(HERO)
    view = window.panes.get(SCENE).view
    lines = lines_of(view)
    assert len(lines) == len(view.contents.actors)
    hero = "hero, 3890, lincoln mkz 2017, 3.2 m/s, heading 180 degrees"
    assert hero in lines
    assert current_of(view) == hero
    state = interface(view).child(lines.index(hero)).state()
    assert state.selected
    assert state.focused


def up_and_down_choose_the_next_actor_of_the_scene(window: MainWindow, qtbot: QtBot) -> None:
    view = window.panes.get(SCENE).view
    window.session.selection.select_actor(HERO)
    lines = lines_of(view)
    at = lines.index(current_of(view))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert current_of(view) == lines[at + 1]
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert window.session.selection.actor == HERO


def the_timeline_is_a_list_of_moments_lanes_and_actors(whole: MainWindow, qtbot: QtBot) -> None:
    window = whole
    canvas = window.panes.get(TIMELINE).canvas
    window.session.selection.go_to_frame(462)
    window.session.range.set(100, 200)
    lines = lines_of(canvas)
    assert lines[0].startswith("Cursor: frame 463 (id 463), 23.1")
    assert lines[1].startswith("In: frame 101 ")
    assert lines[2].startswith("Out: frame 200 ")
    collisions = next(line for line in lines if line.startswith("Collisions: 38 marks, next: frame "))
    assert "3890 vehicle.lincoln.mkz_2017, role hero" in collisions
    assert "3890 vehicle.lincoln.mkz_2017, frames 1 to the end" in lines
    assert current_of(canvas) == lines[0]
    qtbot.keyClick(canvas, Qt.Key.Key_O, Qt.KeyboardModifier.ShiftModifier)
    assert current_of(canvas) == lines[2]
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert current_of(canvas).startswith("Out: frame 201 ")


def bytes_are_rows_and_the_byte_at_the_caret(window: MainWindow, qtbot: QtBot) -> None:
    view = window.panes.get(BYTES).view
    window.session.selection.go_to_frame(0)
    view.go_to(7)
    assert lines_of(view)[1] == "000010: 45 52 7f 32 0e 63 00 00 00 00 06 00 54 6f 77 6e"
    assert current_of(view).startswith("4c at 0x000007, magic, 000000: 01 00")
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert current_of(view).startswith("41 at 0x000008, magic, ")


def plots_are_lists_of_values(window: MainWindow, qtbot: QtBot) -> None:
    window.panes.focus("signals")
    pane = window.panes.get(SIGNALS)
    pane.add(Key("motion", "speed", actor=HERO))
    wait_for_jobs(window)
    window.session.selection.go_to_frame(40)
    assert lines_of(pane.plot_view) == ["3890 speed: 3.157 m/s"]


def sizes_over_time_are_read_column_by_column(window: MainWindow, qtbot: QtBot) -> None:
    window.registry.run("file.properties")
    dialog = window.findChild(PropertiesDialog)
    assert dialog is not None
    wait_for_jobs(window)
    plot = next(each for each in dialog.findChildren(QWidget) if hasattr(each, "spoken") and each.spoken().size)
    assert lines_of(plot)[0].startswith("frame")
    dialog.reject()


def a_view_that_is_gone_leaves_no_lines(window: MainWindow, qtbot: QtBot) -> None:
    window.registry.run("file.properties")
    dialog = window.findChild(PropertiesDialog)
    assert dialog is not None
    wait_for_jobs(window)
    plot = next(each for each in dialog.findChildren(QWidget) if hasattr(each, "spoken") and each.spoken().size)
    numbers = [QAccessible.uniqueId(interface(plot).child(0))]
    assert all(QAccessible.accessibleInterface(number) is not None for number in numbers)
    dialog.reject()
    dialog.deleteLater()
    qtbot.waitUntil(lambda: all(QAccessible.accessibleInterface(number) is None for number in numbers))


def frames_edits_and_problems_are_announced_when_they_rest(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    selection = window.session.selection
    for frame in (7, 8, 9):
        selection.go_to_frame(frame)
    qtbot.waitUntil(lambda: any(sentence.startswith("Frame 10 of 90") for sentence in said))
    assert not any("Frame 8 " in sentence or "Frame 9 " in sentence for sentence in said)
    window.session.editing.attempt(lambda: edits.delete_rows(window.session.snapshot_or_refuse(), 3))
    qtbot.waitUntil(lambda: any("Delete frame 4, 1 edit" in sentence for sentence in said))
    window.session.editing.undo()
    qtbot.waitUntil(lambda: any("Undone: Delete frame 4, No edits" in sentence for sentence in said))
    window.session.editing.redo()
    qtbot.waitUntil(lambda: sum("Delete frame 4, 1 edit" in sentence for sentence in said) == 2)
    for label in ("Drag", "Drag further"):  # the same step under another name
        edit = edits.delete_rows(window.session.snapshot_or_refuse(), 3)
        window.session.editing.apply(replace(edit, label=label), gesture="drag")
        qtbot.waitUntil(lambda label=label: any(f"{label}, 2 edits" in sentence for sentence in said))
    window.session.refused.emit("It cannot be done.")
    assert said[-1] == "It cannot be done."


def what_the_keyboard_is_at_in_a_painted_pane_is_announced(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    window.panes.get(HISTORY).setFocus()
    view = window.panes.get(SCENE).view
    window.session.selection.select_actor(HERO)
    view.setFocus()
    qtbot.waitUntil(lambda: window.status.speaker._line_text.startswith("hero, 3890"))
    window.session.selection.go_to_frame(40)
    qtbot.waitUntil(lambda: "hero, 3890, lincoln mkz 2017, 3.2 m/s, heading 180 degrees" in said)


def what_is_measured_by_keys_is_announced(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    view = window.panes.get(SCENE).view
    window.session.selection.go_to_frame(40)
    window.session.selection.select_actor(HERO)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_M)
    assert said[-1].startswith("Clicks or Enter set both ends")
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.status.speaker._line_text.startswith("0.00 m, heading 0.0 degrees, hero"))
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: said[-1:] == ["1.00 m, heading 0.0 degrees"])


def the_byte_at_the_caret_is_announced(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    view = window.panes.get(BYTES).view
    view.setFocus()
    view.go_to(7)
    qtbot.waitUntil(lambda: window.status.speaker._line_text.startswith("4c at 0x000007, magic"))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: said[-1:] == ["41 at 0x000008, magic"])
    qtbot.keyClick(view, Qt.Key.Key_Insert)
    assert said[-1] == "Typing inserts"


def a_finding_that_is_gone_to_from_elsewhere_is_announced(whole: MainWindow, said: list[str], qtbot: QtBot) -> None:
    window = whole
    window.panes.get(SCENE).view.setFocus()
    window.registry.run("go.next_problem")
    finding = window.session.background.findings[0]
    assert any(finding.message in sentence for sentence in said)


def test_all_of_a_recording_is_in_the_timeline_and_its_findings_are_announced(
    request: pytest.FixtureRequest, whole: MainWindow, said: list[str]
) -> None:
    in_turn(
        request,
        whole,
        a_finding_that_is_gone_to_from_elsewhere_is_announced,
        the_timeline_is_a_list_of_moments_lanes_and_actors,
        between=said.clear,
    )


def a_difference_that_is_gone_to_from_elsewhere_is_announced(window: MainWindow, path: Path, said: list[str]) -> None:
    window.panes.get(SCENE).view.setFocus()
    window.session.comparison.begin_later(path, pytest.fail)
    wait_for_jobs(window)
    window.registry.run("go.next_difference")
    assert said[-1].startswith("date, 1661874815, ")


def the_range_is_announced_in_each_layout(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    window.session.range.set(40, 81)
    qtbot.waitUntil(lambda: any("In point 41, out point 81" in sentence for sentence in said))
    window.registry.run("range.clear")
    qtbot.waitUntil(lambda: any("Range cleared" in sentence for sentence in said))


def what_came_of_a_job_in_a_dialog_is_announced(
    window: MainWindow, said: list[str], tmp_path: Path, qtbot: QtBot
) -> None:
    window.registry.run("file.export")
    (dialog,) = window.findChildren(ExportDialog)
    for target in (tmp_path / "table.csv", tmp_path / "missing" / "table.csv"):
        wait_for_jobs(window)
        dialog.write(target)
        qtbot.waitUntil(lambda: not dialog.job_panel.is_busy)
    assert [sentence for sentence in said if sentence.startswith("Wrote table.csv (")]
    assert "No such file" in said[-1]


def jobs_are_announced_when_they_are_shown_and_when_they_have_ended(
    window: MainWindow, said: list[str], qtbot: QtBot
) -> None:
    goes_on = Event()
    window.session.jobs.start("Counting sheep", lambda _progress: goes_on.wait(60), lambda _counted: None)
    qtbot.waitUntil(lambda: "Counting sheep" in said)
    goes_on.set()
    qtbot.waitUntil(lambda: "Counting sheep: ended" in said)


def who_is_selected_is_announced_unless_the_view_with_the_keyboard_says_it(
    window: MainWindow, said: list[str], qtbot: QtBot
) -> None:
    window.panes.get(ATTRIBUTES).setFocus()
    window.session.selection.select_actor(HERO)
    qtbot.waitUntil(lambda: "3890 lincoln.mkz_2017" in said)
    window.panes.get(PACKETS).setFocus()
    window.session.selection.select_actor(3891)
    window.session.selection.go_to_frame(7)
    qtbot.waitUntil(lambda: any(sentence.startswith("Frame 8 of 90") for sentence in said))
    assert not any("3891" in sentence for sentence in said)


def what_the_list_of_a_line_would_take_is_announced(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    field = window.search_field
    window.registry.run("palette.open")
    qtbot.keyClicks(field, "trim to r")
    qtbot.waitUntil(lambda: said[-1:] == ["Trim to range, Mark in or out first."])
    qtbot.keyClicks(field, "xyz")
    qtbot.waitUntil(lambda: said[-1:] == ["Nothing found"])
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    line = window.panes.get(PACKETS).filter
    line.setFocus()
    qtbot.keyClicks(line, "Posi")
    qtbot.waitUntil(lambda: said[-1].startswith("Position, "))


def why_a_value_is_refused_is_announced(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    window.session.selection.select_actor(HERO)
    wait_for_jobs(window)
    panel = window.panes.get(ATTRIBUTES)
    field = next(each for each in panel.findChildren(NumberEdit) if each.accessibleName() == "rotation yaw")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "north")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert said[-1] == "Not a number."


def playing_its_speed_and_a_copy_are_announced(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    transport = window.panes.get(TIMELINE).transport
    assert interface(transport.speed).text(Text.Name) == "Speed 1×"
    window.registry.run("play.faster")
    assert said[-1] == "Paused, Speed 2×"
    window.registry.run("play.toggle")
    assert said[-1] == "Playing, Speed 2×"
    window.registry.run("play.toggle")
    assert said[-1] == "Paused, Speed 2×"
    window.registry.run("recording.replay")
    qtbot.waitUntil(lambda: "Copied" in said)


def why_a_form_or_a_preview_cannot_be_done_is_announced(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    window.session.selection.select_actor(HERO)
    window.registry.run("actor.swap")
    (dialog,) = [each for each in window.findChildren(FormDialog) if each.isVisible()]
    field = dialog.editors["other"]
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, "nobody")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: said[-1:] == [dialog.against.text()])
    assert said[-1].startswith("“nobody” names no actor")
    dialog.reject()
    window.registry.run("edit.replace")
    (replace,) = window.findChildren(ReplaceDialog)
    wait_for_jobs(window)
    said.clear()
    replace.show_refusal(EditError("It cannot be."))
    assert said == ["It cannot be."]


def what_became_of_the_file_is_announced(window: MainWindow, said: list[str]) -> None:
    window.message_bar.say(FileNews("replaced", "The file was replaced."))
    assert said == ["The file was replaced."]


def test_what_happens_to_frames_values_and_the_file_is_announced(
    request: pytest.FixtureRequest, window: MainWindow, said: list[str]
) -> None:
    in_turn(
        request,
        window,
        frames_edits_and_problems_are_announced_when_they_rest,
        what_the_keyboard_is_at_in_a_painted_pane_is_announced,
        what_is_measured_by_keys_is_announced,
        the_byte_at_the_caret_is_announced,
        the_range_is_announced_in_each_layout,
        jobs_are_announced_when_they_are_shown_and_when_they_have_ended,
        who_is_selected_is_announced_unless_the_view_with_the_keyboard_says_it,
        why_a_value_is_refused_is_announced,
        playing_its_speed_and_a_copy_are_announced,
        what_became_of_the_file_is_announced,
        what_came_of_a_job_in_a_dialog_is_announced,
        why_a_form_or_a_preview_cannot_be_done_is_announced,
        what_the_list_of_a_line_would_take_is_announced,
        a_difference_that_is_gone_to_from_elsewhere_is_announced,
        between=said.clear,
    )


def a_choice_is_named_where_qt_tells_its_value_alone(window: MainWindow) -> None:
    """By AT-SPI the name of a combo box is its value: a label, or its description, has to say what is chosen."""
    window.registry.run("file.preferences")
    (dialog,) = window.findChildren(PreferencesDialog)
    boxes = dialog.findChildren(QComboBox)
    for _ in range(2):
        for box in boxes:
            interface(box)
            settle()
    assert len(boxes) > 5
    for box in boxes:
        assert interface(box).text(Text.Description).count(box.accessibleName()) == 1


def titles_are_radio_buttons_and_numbers_that_are_read_are_text(window: MainWindow) -> None:
    window.session.selection.select_actor(HERO)
    wait_for_jobs(window)
    tabs = [each for each in elements(interface(window)) if each.role() == Role.RadioButton]
    assert {"Packets", "Actors", "Problems"} <= {each.text(Text.Name) for each in tabs}
    numbers = [each for each in window.panes.get(ATTRIBUTES).findChildren(NumberLabel) if each.isVisible()]
    assert {interface(each).role() for each in numbers} == {Role.StaticText}


def a_number_says_its_unit(window: MainWindow) -> None:
    window.session.selection.select_actor(HERO)
    window.registry.run("path.move")
    (dialog,) = [each for each in window.findChildren(FormDialog) if each.isVisible()]
    fields = {each.accessibleName(): interface(each).text(Text.Description) for each in dialog.findChildren(NumberEdit)}
    assert fields["Shift x"].endswith(", m")


def test_painted_panes_are_lists_and_what_is_shown_has_roles_names_and_units(
    request: pytest.FixtureRequest, window: MainWindow
) -> None:
    in_turn(
        request,
        window,
        the_scene_is_a_list_of_actors,
        up_and_down_choose_the_next_actor_of_the_scene,
        bytes_are_rows_and_the_byte_at_the_caret,
        titles_are_radio_buttons_and_numbers_that_are_read_are_text,
        a_number_says_its_unit,
        sizes_over_time_are_read_column_by_column,
        a_view_that_is_gone_leaves_no_lines,
        a_choice_is_named_where_qt_tells_its_value_alone,
        plots_are_lists_of_values,
        opens=False,
    )
