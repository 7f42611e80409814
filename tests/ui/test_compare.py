"""Another recording beside the open one: what differs as a list, as a ghost, and taken over piece by piece."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QStyledItemDelegate, QStyleOptionViewItem
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import edits
from recorder_editor.reports.diff import groups
from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.differences.differences_model import MOST_DETAILS, PORTION
from recorder_editor.ui.panes.differences.differences_pane import DifferencesPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import DIFFERENCES, SCENE
from recorder_editor.ui.style import language
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.selection import HEADER
from recorder_editor.views.units import Units

from .. import builders as b
from ..recording.films import film
from .parts import in_turn
from .windows import OpenWindow, beginning


@dataclass(frozen=True)
class Alone:
    """The pane without a window around it."""

    session: Session
    differences: DifferencesPane


Shown = Alone | MainWindow


@pytest.fixture
def two(recordings: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A part of a real recording, and it with a car turned in frame 41, frames 61 and 62 gone, and another map."""
    first, second = tmp_path / "first.log", tmp_path / "second.log"
    first.write_bytes(beginning(recordings / "carla-0.9.13-town05-collisions.log", frames=120, others=9))
    with recorder_editor.open(first) as recording:
        where = edits.place(recording, frame=40, packet="Position", record=5, field="rotation.yaw")
        recording.apply(edits.set_field(recording, where, 12.5))
        where = edits.place(recording, frame=40, packet="Position", record=5, field="location.x")
        recording.apply(edits.add_over(recording, where, 500.0, range(40, 41)))
        recording.apply(edits.delete_rows(recording, recording.snapshot.table.row_of_frame(60), 2))
        recording.apply(edits.set_header(recording, map_name="Town07"))
        recording.save(second)
    return first, second


@pytest.fixture
def alone(session: Session, theme: Theme, qtbot: QtBot) -> Iterator[Alone]:
    pane = DifferencesPane(session, theme)
    pane.resize(500, 400)
    pane.show()
    yield Alone(session, pane)
    pane.close()
    pane.deleteLater()


@pytest.fixture
def listed(two: tuple[Path, Path], alone: Alone, qtbot: QtBot) -> Alone:
    """The pane alone, with the two compared."""
    alone.session.open(two[0])
    compared(alone, two[1], qtbot)
    return alone


@pytest.fixture
def comparing(two: tuple[Path, Path], open_window: OpenWindow, qtbot: QtBot) -> MainWindow:
    window = open_window(two[0])
    compared(window, two[1], qtbot)
    return window


def test_a_narrow_list_shows_the_frames_below_a_field_whole(listed: Alone, theme: Theme) -> None:
    pane = listed.differences
    for width in (254, 310):
        pane.resize(width, 300)
        assert pane.width() == width
        tree = pane.tree
        assert tree.columnWidth(0) >= 2 * tree.indentation() + theme.metrics().horizontalAdvance("Frame 123")
        assert tree.columnWidth(1) == tree.columnWidth(2)
        assert sum(map(tree.columnWidth, range(3))) <= tree.viewport().width()
        assert pane.take_button.width() >= pane.take_button.sizeHint().width()


def test_values_too_wide_for_a_narrow_list_keep_their_first_digits(listed: Alone) -> None:
    tree, index = listed.differences.tree, listed.differences.model.index(0, 1)
    option = QStyleOptionViewItem()
    option.textElideMode = tree.textElideMode()
    delegate = tree.itemDelegateForIndex(index)
    assert isinstance(delegate, QStyledItemDelegate)
    delegate.initStyleOption(option, index)
    assert option.textElideMode == Qt.TextElideMode.ElideRight


def test_a_field_in_a_narrow_list_is_cut_between_words(listed: Alone) -> None:
    pane = listed.differences
    pane.resize(221, 300)
    model = pane.model
    index = next(one for one in (model.index(row, 0) for row in range(model.rowCount())) if model.item(one).group)
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 180, 22)
    delegate = pane.tree.itemDelegateForIndex(index)
    assert isinstance(delegate, QStyledItemDelegate)
    delegate.initStyleOption(option, index)
    assert option.text.startswith("Position 3901 …")
    assert set(option.text.split()) <= {*index.data().split(), "…"}
    assert option.fontMetrics.horizontalAdvance(option.text) <= 180


def test_hovering_over_a_value_says_whose_it_is(listed: Alone) -> None:
    model = listed.differences.model
    row = next(row for row, texts in enumerate(rows(listed)) if texts[0] == "map")
    here, there = (model.index(row, column).data(Qt.ItemDataRole.ToolTipRole) for column in (1, 2))
    assert there == "Other: Town07"
    assert here.startswith("Here: ")


def test_no_row_is_cut_at_the_top_of_a_low_list(listed: Alone) -> None:
    pane = listed.differences
    pane.mode.set_current(1)
    pane.keep_height(0)
    pane.resize(254, 110)
    settle()
    tree = pane.tree
    for _ in range(4):
        pane.step(1)
        top = tree.indexAt(QPoint(30, 1))
        assert tree.visualRect(top).top() == 0


def test_a_low_list_shows_rows_and_no_header(listed: Alone) -> None:
    pane = listed.differences
    pane.mode.set_current(1)
    pane.keep_height(0)
    pane.resize(254, 91)
    assert pane.height() == 91
    settle()
    row = pane.tree.visualRect(pane.model.index(0, 0)).height()
    assert pane.tree.viewport().height() >= 2 * row
    pane.resize(254, 300)
    settle()
    assert pane.tree.header().isVisible()


def compared(shown: Shown, path: Path, qtbot: QtBot) -> None:
    if isinstance(shown, MainWindow):
        shown.documents.compare(path)
    else:
        shown.session.comparison.begin_later(path, lambda error: pytest.fail(str(error)))
    qtbot.waitUntil(lambda: shown.session.comparison.result is not None and not shown.session.jobs.running)


def pane_of(shown: Shown) -> DifferencesPane:
    return shown.panes.get(DIFFERENCES) if isinstance(shown, MainWindow) else shown.differences


def rows(shown: Shown) -> list[tuple[str, ...]]:
    model = pane_of(shown).model
    return [tuple(model.index(row, column).data() for column in range(3)) for row in range(model.rowCount())]


def choose(shown: Shown, words: str) -> QModelIndex:
    model = pane_of(shown).model
    row = next(row for row, texts in enumerate(rows(shown)) if texts[0].startswith(words))
    index = model.index(row, 0)
    pane_of(shown).tree.setCurrentIndex(index)
    return index


def the_differences_are_listed_and_the_pane_comes_to_the_front(comparing: MainWindow) -> None:
    assert comparing.panes.docks["differences"].isVisible()
    assert rows(comparing) == [
        ("map", "Town05", "Town07"),
        ("Position 3901 location.x: 1 frame, +5.00 m", "", ""),
        ("Position 3901 rotation.yaw: 1 frame, -167.4 °", "", ""),
        ("Frame in one recording only", "61", "–"),
        ("Frame in one recording only", "62", "–"),
    ]
    assert pane_of(comparing).caption == "second.log, 3 frames differ"


def test_the_list_is_a_sound_model(listed: Alone, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(listed.differences.model)


def stand_on_the_first(shown: Alone) -> None:
    """The first row, or the first frame of its field."""
    model = shown.differences.model
    top = model.index(0, 0)
    shown.differences.tree.setCurrentIndex(model.index(0, 0, top) if model.rowCount(top) else top)


def test_choosing_a_difference_selects_its_field(listed: Alone) -> None:
    field = choose(listed, "Position 3901 rotation.yaw")
    assert listed.session.selection.frame_index == 40
    listed.differences.tree.expand(field)
    listed.differences.tree.setCurrentIndex(listed.differences.model.index(0, 0, field))
    found = listed.session.selection.target
    assert found.leaf is not None
    assert found.leaf.path == "rotation.yaw"
    choose(listed, "map")
    assert listed.session.selection.place == (HEADER, None, None, "map")


def keys_go_from_one_difference_to_the_next(comparing: MainWindow, qtbot: QtBot) -> None:
    frames = []
    for _ in range(6):
        qtbot.keyClick(comparing, Qt.Key.Key_F7)
        frames.append(comparing.session.selection.frame_index)
    assert frames[1:5] == [40, 40, 60, 61]
    qtbot.keyClick(comparing, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    assert comparing.session.selection.frame_index == 61


@pytest.fixture
def moved(tmp_path: Path) -> tuple[Path, Path]:
    """Cars 1 and 7 over four frames, and the same with 7 three metres further on in the last three."""
    names = []
    for name, x in (("one.log", 0.0), ("two.log", 300.0)):
        poses = ([b.pose(1), b.pose(7, b.xyz(100.0 * frame + (x if frame else 0)))] for frame in range(4))
        names.append(tmp_path / name)
        names[-1].write_bytes(film(*([b.packet(6, b.position(each))] for each in poses)))
    return names[0], names[1]


def test_a_field_opens_to_its_frames_and_next_goes_through_them(
    moved: tuple[Path, Path], alone: Alone, qtbot: QtBot
) -> None:
    alone.session.open(moved[0])
    compared(alone, moved[1], qtbot)
    pane, sought = alone.differences, []
    alone.session.selection.sought.connect(lambda: sought.append(alone.session.selection.actor))
    assert rows(alone) == [("Position 7 location.x: 3 frames, +3.00 m", "", "")]
    field = choose(alone, "Position 7")
    assert (alone.session.selection.frame_index, alone.session.selection.actor, sought) == (1, 7, [7])
    assert pane.take_button.isEnabled()
    pane.theme.set_units(Units(length="cm"))
    assert rows(alone) == [("Position 7 location.x: 3 frames, +300 cm", "", "")]
    pane.theme.set_units(Units())
    frames = [[pane.model.index(row, column, field).data() for column in range(3)] for row in range(3)]
    assert frames[0] == ["Frame 2", "100.0 cm", "400.0 cm"]
    places = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(pane.tree, key)
    for button in (pane.next_button, pane.next_button, pane.next_button, pane.previous_button):
        leaf = alone.session.selection.target.leaf
        assert leaf is not None
        places.append((alone.session.selection.frame_index, leaf.path))
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert places == [(1, "location.x"), (2, "location.x"), (3, "location.x"), (1, "location.x")]
    assert sought == [7] * len(sought)
    assert pane.take_button.isEnabled()


def test_packets_have_their_names_in_the_language_of_the_window(
    moved: tuple[Path, Path], alone: Alone, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(language, "has_letters", lambda _name: True)
    alone.session.open(moved[0])
    compared(alone, moved[1], qtbot)
    language.use_language(qapp, "zh_CN")
    try:
        assert rows(alone) == [("位置 (Position) 7 location.x：3 帧，+3.00 m", "", "")]
    finally:
        language.use_language(qapp, "en")


def test_a_step_from_elsewhere_tells_the_field_when_it_enters_one(
    moved: tuple[Path, Path], alone: Alone, qtbot: QtBot
) -> None:
    told: list[str] = []
    alone.session.announced.connect(told.append)
    alone.session.open(moved[0])
    compared(alone, moved[1], qtbot)
    alone.differences.next_button.setFocus()
    for _ in range(2):
        alone.differences.step(1)
    assert told == [
        "Position 7 location.x: 3 frames, +3.00 m, Frame 2, 100.0 cm, 400.0 cm",
        "Frame 3, 200.0 cm, 500.0 cm",
    ]


def test_fields_that_found_no_room_are_counted(
    moved: tuple[Path, Path], alone: Alone, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "MOST_GROUPS", 0)
    alone.session.open(moved[0])
    compared(alone, moved[1], qtbot)
    assert rows(alone) == [("3 differences of other fields", "", "")]
    choose(alone, "3 diff")
    qtbot.mouseClick(alone.differences.next_button, Qt.MouseButton.LeftButton)
    assert not alone.differences.take_button.isEnabled()


def test_everything_can_be_taken_and_undone(listed: Alone, two: tuple[Path, Path], qtbot: QtBot) -> None:
    session = listed.session
    for left in (4, 3, 2, 1, 0):
        stand_on_the_first(listed)
        qtbot.mouseClick(listed.differences.take_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: session.comparison.is_current and not session.jobs.running)
        assert len(rows(listed)) == left
    assert session.snapshot is not None
    assert session.snapshot.read(0, session.snapshot.size) == two[1].read_bytes()
    assert listed.differences.caption == "the same as second.log"
    for _ in range(5):
        session.editing.undo()
    qtbot.waitUntil(lambda: session.comparison.is_current and not session.jobs.running)
    assert len(rows(listed)) == 5
    assert not session.is_modified


def test_a_single_field_is_taken_alone(listed: Alone, qtbot: QtBot) -> None:
    field = choose(listed, "Position 3901 rotation.yaw")
    listed.differences.tree.setCurrentIndex(listed.differences.model.index(0, 0, field))
    qtbot.mouseClick(listed.differences.take_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: listed.session.comparison.is_current and not listed.session.jobs.running)
    assert [texts[0] for texts in rows(listed)[:3]] == [
        "map",
        "Position 3901 location.x: 1 frame, +5.00 m",
        "Frame in one recording only",
    ]


def test_frames_of_the_other_are_put_where_they_belong(two: tuple[Path, Path], alone: Alone, qtbot: QtBot) -> None:
    alone.session.open(two[1])
    compared(alone, two[0], qtbot)
    while alone.session.comparison.result is not None and alone.session.comparison.result.differ:
        stand_on_the_first(alone)
        alone.differences.take()
        qtbot.waitUntil(lambda: alone.session.comparison.is_current and not alone.session.jobs.running)
    assert alone.session.snapshot is not None
    assert alone.session.snapshot.read(0, alone.session.snapshot.size) == two[0].read_bytes()


def test_an_edit_is_seen_in_the_list_by_itself(listed: Alone, qtbot: QtBot) -> None:
    session = listed.session
    snapshot = session.snapshot_or_refuse()
    where = edits.place(snapshot, frame=100, packet="Position", record=0, field="location.x")
    session.editing.apply(edits.set_field(snapshot, where, 1.0))
    assert not session.comparison.is_current
    assert not listed.differences.can_take()
    qtbot.waitUntil(lambda: len(rows(listed)) == 6)


@pytest.fixture
def crowd(tmp_path: Path, alone: Alone, qtbot: QtBot) -> Alone:
    """Thirty cars over sixty frames, of the other recording a metre further on in all but the first, compared."""
    names = []
    for name, x in (("one.log", 0.0), ("two.log", 100.0)):
        frames = [
            [b.pose(car, b.xyz(100.0 * number + (x if number else 0))) for car in range(30)] for number in range(60)
        ]
        names.append(tmp_path / name)
        names[-1].write_bytes(film(*([b.packet(6, b.position(each))] for each in frames)))
    alone.session.open(names[0])
    compared(alone, names[1], qtbot)
    return alone


def edited(shown: Alone, frame: int, record: int, qtbot: QtBot) -> None:
    """Change a height, and wait until the list tells of it."""
    session = shown.session
    where = edits.place(session.snapshot_or_refuse(), frame=frame, packet="Position", record=record, field="location.z")
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), where, 7.0))
    qtbot.waitUntil(lambda: session.comparison.is_current and not session.jobs.running)


def words_of(index: QModelIndex) -> list[str]:
    return [index.siblingAtColumn(column).data() for column in range(3)]


def test_the_list_stays_as_it_stands_when_an_edit_changes_it(crowd: Alone, qtbot: QtBot) -> None:
    tree, model, selection = crowd.differences.tree, crowd.differences.model, crowd.session.selection
    tops = [model.index(row, 0) for row in (3, 20)]
    for top in tops:
        tree.expand(top)
    tree.setCurrentIndex(model.index(12, 0, tops[1]))
    tree.verticalScrollBar().setValue(40)
    current, opened, place = words_of(tree.currentIndex()), [top.data() for top in tops], selection.place
    edited(crowd, 0, 1, qtbot)  # behind all others
    assert words_of(tree.currentIndex()) == current
    assert tree.selectedIndexes()[0] == tree.currentIndex()
    assert selection.place == place
    shown = [model.index(row, 0) for row in range(model.rowCount())]
    assert [top.data() for top in shown if tree.isExpanded(top)] == opened
    assert tree.verticalScrollBar().value() == 40
    assert tree.isFirstColumnSpanned(model.rowCount() - 1, QModelIndex())


def test_what_was_taken_leaves_no_other_row_selected_and_next_goes_on_behind_it(crowd: Alone, qtbot: QtBot) -> None:
    pane, session = crowd.differences, crowd.session
    top = pane.model.index(9, 0)
    pane.tree.expand(top)
    pane.tree.setCurrentIndex(pane.model.index(5, 0, top))
    following = words_of(pane.model.index(6, 0, top))
    place = session.selection.place
    pane.take()
    qtbot.waitUntil(lambda: session.comparison.is_current and not session.jobs.running)
    assert not pane.tree.currentIndex().isValid()
    assert pane.tree.selectedIndexes() == []
    assert session.selection.place == place
    assert not pane.take_button.isEnabled()
    qtbot.mouseClick(pane.next_button, Qt.MouseButton.LeftButton)
    assert words_of(pane.tree.currentIndex()) == following


def test_a_field_that_was_taken_whole_is_followed_by_the_next_one(listed: Alone, qtbot: QtBot) -> None:
    pane, session = listed.differences, listed.session
    field = choose(listed, "Position 3901 location.x")
    pane.tree.setCurrentIndex(pane.model.index(0, 0, field))
    for button, then in ((pane.next_button, "Position 3901 rotation.yaw"), (pane.previous_button, "map")):
        pane.take()
        qtbot.waitUntil(lambda: session.comparison.is_current and not session.jobs.running)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        index = pane.tree.currentIndex()
        top = index.parent() if index.parent().isValid() else index
        assert top.data().startswith(then)


def the_other_recording_in_the_scene_is_switched_off_and_on(comparing: MainWindow, qtbot: QtBot) -> None:
    scene = comparing.panes.get(SCENE)
    (chip,) = (each for each in scene.switches if each.objectName() == "scene-other")
    assert scene.view.state.other is not None
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert scene.view.state.other is None
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert scene.view.state.other is not None
    comparing.registry.run("compare.stop")
    assert not chip.isVisible()


def a_comparison_is_seen_although_the_other_recording_was_switched_off_before(
    comparing: MainWindow, two: tuple[Path, Path], qtbot: QtBot
) -> None:
    scene = comparing.panes.get(SCENE)
    comparing.registry.run("scene.other")
    comparing.registry.run("compare.stop")
    compared(comparing, two[1], qtbot)
    assert scene.view.state.other is not None
    (chip,) = (each for each in scene.switches if each.objectName() == "scene-other")
    assert chip.isChecked()


def an_edit_while_comparing_leaves_the_other_recording_switched_off(comparing: MainWindow, qtbot: QtBot) -> None:
    scene = comparing.panes.get(SCENE)
    comparing.registry.run("scene.other")
    comparing.session.comparison.changed.emit()
    assert scene.view.state.other is None


def comparing_no_more_puts_everything_away(comparing: MainWindow, qtbot: QtBot) -> None:
    comparing.registry.run("compare.stop")
    assert comparing.session.comparison.other is None
    assert not comparing.panes.docks["differences"].isVisible()
    assert comparing.panes.get(SCENE).view.state.other is None


def test_a_comparison_in_a_window(
    request: pytest.FixtureRequest, comparing: MainWindow, two: tuple[Path, Path], qtbot: QtBot
) -> None:
    in_turn(
        request,
        comparing,
        keys_go_from_one_difference_to_the_next,
        the_differences_are_listed_and_the_pane_comes_to_the_front,
        the_other_recording_in_the_scene_is_switched_off_and_on,
        a_comparison_is_seen_although_the_other_recording_was_switched_off_before,
        an_edit_while_comparing_leaves_the_other_recording_switched_off,
        comparing_no_more_puts_everything_away,
        between=lambda: compared(comparing, two[1], qtbot),
    )


def test_opening_another_recording_ends_the_comparison(listed: Alone, recordings: Path, qtbot: QtBot) -> None:
    listed.session.open(recordings / "carla-0.9.13-town01.log")
    assert listed.session.comparison.other is None


def test_a_file_that_cannot_be_read_is_said_and_nothing_is_compared(
    two: tuple[Path, Path], open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(two[0])
    window.documents.compare(two[0].parent / "missing.log")
    qtbot.waitUntil(lambda: bool([one for one in window.findChildren(object) if "ErrorDialog" in type(one).__name__]))
    assert window.session.comparison.other is None


def test_the_same_recording_says_so(two: tuple[Path, Path], alone: Alone, qtbot: QtBot) -> None:
    alone.session.open(two[0])
    compared(alone, two[0], qtbot)
    assert alone.differences.caption == "the same as first.log"
    assert "same" in alone.differences.empty.text()


def test_thousands_of_differences_come_in_portions(tmp_path: Path, alone: Alone, qtbot: QtBot) -> None:
    both, more = MOST_DETAILS + 5, 2 * PORTION + 5
    names = []
    for name, x, frames in (("one.log", 1.0, both), ("two.log", 2.0, both + more)):
        path = tmp_path / name
        path.write_bytes(film(*[[b.packet(6, b.position([b.pose(1, b.xyz(x))]))]] * frames))
        names.append(path)
    alone.session.open(names[0])
    compared(alone, names[1], qtbot)
    model = alone.differences.model
    assert PORTION <= model.rowCount() < 1 + more
    while model.canFetchMore(QModelIndex()):
        model.fetchMore(QModelIndex())
    assert model.rowCount() == 1 + more
    field = model.index(0, 0)
    assert model.rowCount(field) == MOST_DETAILS + 1
    assert model.index(MOST_DETAILS, 0, field).data() == "5 more frames"


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_picture_of_both(comparing: MainWindow, artefacts: Path, qtbot: QtBot, mode: str) -> None:
    comparing.theme.set_mode("light" if mode == "light" else "dark")
    frame = choose(comparing, "Position 3901 location.x")
    pane_of(comparing).tree.expand(frame)
    pane_of(comparing).tree.setCurrentIndex(pane_of(comparing).model.index(0, 0, frame))
    actor = comparing.session.selection.actor
    assert actor is not None
    comparing.panes.get(SCENE).view.centre_on(actor)
    qtbot.waitUntil(lambda: not comparing.session.jobs.running)
    comparing.resize(1440, 900)
    assert comparing.grab().save(str(artefacts / f"compare-{mode}.png"))
