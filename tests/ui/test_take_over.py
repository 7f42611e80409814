"""Things that differ from another recording: taken over, ignored, shown in the scene at the line between both."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import Edit, edits
from recorder_editor.progress import Progress
from recorder_editor.recording.place import Place
from recorder_editor.reports import diff
from recorder_editor.reports.diff import things as diff_things
from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.attributes.compared_page import ComparedPage
from recorder_editor.ui.panes.differences.differences_pane import DifferencesPane
from recorder_editor.ui.panes.differences.row_buttons import RowButton
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.session import Session, comparison
from recorder_editor.ui.session.comparison import Item
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, DIFFERENCES, SCENE
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import ElidedLabel

from .parts import in_turn
from .windows import OpenWindow, beginning, bring_up

HERO, LEAVES, NEW = 3890, 3901, 5000
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pair(recordings: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A part of a real recording; and it with a new car, one car less, the hero aside, without the last two frames."""
    here, there = tmp_path / "here.log", tmp_path / "there.log"
    here.write_bytes(beginning(recordings / "carla-0.9.13-town05-collisions.log", frames=60, others=9))
    with recorder_editor.open(here) as recording:
        (life,) = recording.actors.of_id(LEAVES)
        recording.apply(edits.duplicate_actor(recording, life, offset=(30.0, 0.0, 0.0), new_id=NEW))
        recording.apply(edits.remove_actors(recording, recording.actors.of_id(LEAVES)))
        (hero,) = recording.actors.of_id(HERO)
        recording.apply(edits.offset_path(recording, hero, range(20, 30), 1.5))
        recording.apply(edits.delete_rows(recording, recording.snapshot.table.row_of_frame(58), 2))
        recording.save(there)
    return here, there


def compared(session: Session, path: Path, qtbot: QtBot) -> None:
    session.comparison.begin_later(path, lambda error: pytest.fail(str(error)))
    ready(session, qtbot)


def ready(session: Session, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: session.comparison.is_current and not session.jobs.running)


@pytest.fixture
def pane(session: Session, theme: Theme, pair: tuple[Path, Path], qtbot: QtBot) -> Iterator[DifferencesPane]:
    """The pane without a window around it, with both compared."""
    pane = DifferencesPane(session, theme)
    pane.resize(560, 700)
    pane.show()
    session.open(pair[0])
    compared(session, pair[1], qtbot)
    yield pane
    pane.close()
    pane.deleteLater()


def titles(pane: DifferencesPane) -> list[str]:
    model = pane.things.model_of_things
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def buttons(pane: DifferencesPane, row: int) -> dict[str, tuple[RowButton, QPoint]]:
    things = pane.things
    index = things.model_of_things.index(row, 0)
    things.scrollTo(index)
    return {button.name: (button, rect.center()) for button, rect in things.buttons_of(index)}


def press(pane: DifferencesPane, row: int, name: str, qtbot: QtBot, *, waits: bool = True) -> None:
    _, point = buttons(pane, row)[name]
    qtbot.mouseClick(pane.things.viewport(), LEFT, pos=point)
    if waits:
        ready(pane.session, qtbot)


THINGS = ["Actor 5000, only there", "Actor 3901, only here", "Actor 3890, moved", "Frames 59 to 60, only here"]


def test_things_come_first_and_say_where_and_by_how_much(pane: DifferencesPane, qtmodeltester: ModelTester) -> None:
    model = pane.things.model_of_things
    assert titles(pane) == THINGS
    details = [model.detail(row.thing) for row in model.rows if row.thing is not None]
    blueprint = pane.session.snapshot_or_refuse() and details[1].split(",")[0]
    assert details[0].startswith(f"{blueprint}, ")
    assert details[2] == "10 frames, 21 to 30, by at most 1.500 m"
    assert details[3] == "2 frames, 2.900 s to 2.950 s"
    spoken = model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Actor 3890, moved, 10 frames, 21 to 30, by at most 1.500 m"
    qtmodeltester.check(model)


def test_each_is_taken_over_with_the_mouse_in_one_step(
    pane: DifferencesPane, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    session = pane.session
    for left in (3, 2, 1, 0):
        press(pane, 0, "take", qtbot)
        assert len(titles(pane)) == left
    snapshot = session.snapshot_or_refuse()
    assert snapshot.read(0, snapshot.size) == pair[1].read_bytes()
    assert pane.empty.text() == "The two recordings are the same"
    for _ in range(4):
        session.editing.undo()
    ready(session, qtbot)
    assert titles(pane) == THINGS
    assert not session.is_modified


def test_another_order_is_a_thing_of_its_own(
    session: Session, theme: Theme, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    here, there = pair
    there.unlink()
    with recorder_editor.open(here) as recording:
        place = edits.place(recording, frame=3, packet="Position", record=0)
        recording.apply(edits.move_record(recording, place, 1))
        recording.save(there)
    pane = DifferencesPane(session, theme)
    qtbot.addWidget(pane)
    pane.resize(560, 700)
    pane.show()
    session.open(here)
    compared(session, there, qtbot)
    assert titles(pane) == ["Order of packets and records, differs"]
    (row,) = pane.things.model_of_things.rows
    assert row.thing is not None
    assert pane.things.model_of_things.detail(row.thing) == "1 frame, 4"
    press(pane, 0, "take", qtbot)
    assert pane.empty.text() == "The two recordings are the same"


def test_a_file_that_was_rewritten_is_told_and_nothing_is_taken(
    pane: DifferencesPane, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    session = pane.session
    refused: list[str] = []
    session.refused.connect(refused.append)
    pair[1].write_bytes(bytes(pair[1].stat().st_size))
    pane.tree.expandAll()
    pane.grab()
    found = session.comparison.result
    assert found is not None
    group = next(group for group in found.groups if group.id == HERO)
    session.comparison.select(Item(group=group))
    session.comparison.take(Item(group=group))
    assert len(refused) == 2
    assert all(text.startswith("Another program has rewritten there.log") for text in refused)
    assert not session.is_modified


def test_the_end_of_the_comparison_cancels_what_is_being_taken_over(
    pane: DifferencesPane, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_for_ever(_snapshot: object, _comparison: object, _thing: object, progress: Progress) -> Edit:
        while True:
            progress.check()

    monkeypatch.setattr(comparison, "_AT_ONCE", 0)
    monkeypatch.setattr(diff, "take_thing", take_for_ever)
    press(pane, 2, "take", qtbot, waits=False)
    (job,) = pane.session.jobs.running
    pane.session.comparison.stop()
    assert job.wait(0)
    qtbot.waitUntil(lambda: not pane.session.jobs.running)
    assert not pane.session.is_modified


def test_keys_take_over_and_ignore_the_current_one_and_no_other(pane: DifferencesPane, qtbot: QtBot) -> None:
    things = pane.things
    bring_up(pane, qtbot)
    things.setFocus()
    things.setCurrentIndex(things.model_of_things.index(0, 0))
    qtbot.keyClick(things, Qt.Key.Key_Return)
    ready(pane.session, qtbot)
    assert titles(pane) == THINGS[1:]
    qtbot.keyClick(things, Qt.Key.Key_Return)  # what came into its place was not chosen
    assert titles(pane) == THINGS[1:]
    qtbot.keyClick(things, Qt.Key.Key_Down)
    qtbot.keyClick(things, Qt.Key.Key_Delete)
    assert titles(pane) == [THINGS[1], THINGS[3], "1 ignored", THINGS[2]]
    qtbot.keyClick(things, Qt.Key.Key_Delete)
    assert titles(pane) == THINGS[1:]


def test_an_ignored_thing_is_at_the_end_one_click_back(pane: DifferencesPane, qtbot: QtBot) -> None:
    press(pane, 1, "ignore", qtbot)
    assert titles(pane) == [THINGS[0], THINGS[2], THINGS[3], "1 ignored", THINGS[1]]
    assert set(buttons(pane, 4)) == {"restore"}
    spoken = pane.things.model_of_things.index(4, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith(", ignored")
    press(pane, 4, "restore", qtbot)
    assert titles(pane) == THINGS


def test_actors_beyond_the_most_that_are_listed_are_counted(
    session: Session, pair: tuple[Path, Path], pane: DifferencesPane, qtbot: QtBot
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(diff_things, "MOST_THINGS", 1)
        compared(session, pair[1], qtbot)
    assert titles(pane)[1:] == [THINGS[3], "2 more actors that differ are not listed"]
    row = pane.things.model_of_things.index(2, 0)
    assert not row.flags() & Qt.ItemFlag.ItemIsSelectable
    assert buttons(pane, 2) == {}
    assert any(label.text().startswith("4 things differ") for label in pane.findChildren(ElidedLabel))


def test_what_cannot_be_taken_over_says_why_in_its_row(
    session: Session, theme: Theme, pair: tuple[Path, Path], tmp_path: Path, pane: DifferencesPane, qtbot: QtBot
) -> None:
    longer = tmp_path / "longer.log"
    with recorder_editor.open(pair[0]) as recording:
        (life,) = recording.actors.of_id(LEAVES)
        recording.apply(edits.duplicate_actor(recording, life, new_id=NEW))
        recording.apply(edits.trim_life(recording, recording.actors.of_id(NEW)[0], range(58, 60)))
        recording.save(longer)
    session.open(pair[1])
    compared(session, longer, qtbot)
    row = titles(pane).index("Actor 5000, differs")
    assert buttons(pane, row)["take"][0].is_enabled
    session.open(pair[0])
    with recorder_editor.open(longer) as recording:
        recording.apply(edits.set_actor_id(recording, recording.actors.of_id(NEW)[0], NEW + 1))
        recording.save(longer, overwrite=True)
    session.open(pair[1])
    compared(session, longer, qtbot)
    row = titles(pane).index("Actor 5001, only there")
    button, _ = buttons(pane, row)["take"]
    assert not button.is_enabled
    assert button.tip == "it comes with frames 59 to 60"
    thing = pane.things.model_of_things.rows[row].thing
    assert thing is not None
    assert pane.things.model_of_things.detail(thing) == "it comes with frames 59 to 60"
    press(pane, row, "take", qtbot)
    assert not session.is_modified


def group(pane: DifferencesPane, text: str) -> QModelIndex:
    """The row of a group, under the pointer."""
    groups = [pane.model.index(row, 0) for row in range(pane.model.rowCount())]
    return next(index for index in groups if str(index.data()).startswith(text))


def press_on_group(pane: DifferencesPane, index: QModelIndex, name: str, qtbot: QtBot) -> str:
    """Press a button that is in the row of a group while the pointer is over it; returns its text."""
    pane.tree.scrollTo(index)
    viewport = pane.tree.viewport()
    middle = pane.tree.visualRect(index).center()
    qtbot.mouseMove(viewport, middle - QPoint(1, 0))
    qtbot.mouseMove(viewport, middle)
    placed = {button.name: (button, rect.center()) for button, rect in pane.buttons_of(index)}
    button, point = placed[name]
    qtbot.mouseClick(viewport, LEFT, pos=point)
    ready(pane.session, qtbot)
    return button.text


def test_a_group_is_taken_over_and_ignored_with_the_mouse_over_its_row(pane: DifferencesPane, qtbot: QtBot) -> None:
    pane.mode.set_current(1)
    bring_up(pane, qtbot)
    text = str(group(pane, "Position 3890 location.").data())
    press_on_group(pane, group(pane, text), "ignore", qtbot)
    last = pane.model.index(pane.model.rowCount() - 1, 0)
    assert last.data() == f"{text}, ignored"
    pane.tree.setFocus()
    pane.tree.setCurrentIndex(last)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Delete)
    assert press_on_group(pane, group(pane, text), "take", qtbot) == "Take over 10 frames"
    left = [str(pane.model.index(row, 0).data()) for row in range(pane.model.rowCount())]
    assert not [each for each in left if each.startswith(text)]


def test_what_the_buttons_do_is_in_the_menu_too(pane: DifferencesPane) -> None:
    things = pane.things
    menu = things.menu_at(things.visualRect(things.model_of_things.index(1, 0)).center())
    assert isinstance(menu, QMenu)
    assert [entry.text() for entry in menu.actions()] == ["Take over", "Show", "Ignore"]
    assert [entry.isEnabled() for entry in menu.actions()] == [True, True, True]
    menu.deleteLater()


def test_a_narrow_row_has_take_over_alone(pane: DifferencesPane) -> None:
    pane.resize(260, 400)
    settle()
    assert set(buttons(pane, 0)) == {"take"}


# --- in the scene ---------------------------------------------------------------------------------------


@pytest.fixture
def window(pair: tuple[Path, Path], open_window: OpenWindow, qtbot: QtBot) -> MainWindow:
    window = open_window(pair[0])
    begin(window, pair[1], qtbot)
    return window


def begin(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    window.documents.compare(path)
    qtbot.waitUntil(lambda: window.session.comparison.result is not None and not window.session.jobs.running)
    window.session.selection.go_to_frame(25)
    settle()


def scene_of(window: MainWindow) -> SceneView:
    view: SceneView = window.panes.get(SCENE).view
    return view


def show(window: MainWindow, row: int) -> None:
    things = window.panes.get(DIFFERENCES).things
    things.run("show", things.model_of_things.index(row, 0))
    settle()


def choosing_a_row_highlights_the_outline(window: MainWindow, qtbot: QtBot) -> None:
    things = window.panes.get(DIFFERENCES).things
    things.setCurrentIndex(things.model_of_things.index(0, 0))
    state = scene_of(window).state
    assert state.compared is not None
    assert state.compared.ids == (NEW,)
    assert state.compared.text == "5000 only there"
    assert state.wipe is None
    things.setCurrentIndex(things.model_of_things.index(2, 0))
    assert window.session.selection.actor == HERO


def show_zooms_to_it_with_the_other_recording_behind_a_line(window: MainWindow, qtbot: QtBot) -> None:
    scene = scene_of(window)
    show(window, 0)
    state = scene.state
    assert state.wipe is not None
    assert NEW in state.wipe.there.actors.ids
    assert state.coloring is not None
    assert state.wipe.there.coloring is not None
    assert state.wipe.there.coloring.is_own == state.coloring.is_own
    assert NEW not in state.actors.ids
    assert scene.camera.scale >= 9.0
    x, y = scene.compared.place(state) or (0.0, 0.0)
    point = scene.camera.point(x, y)
    assert point.x() == pytest.approx(scene.camera.width / 4, abs=2)
    assert state.half_at(QPointF(10, 10)) is state.halves[0]
    assert state.half_at(QPointF(scene.camera.width - 10, 10)).is_there
    assert not scene.grab().isNull()
    show(window, 0)
    assert scene.state.wipe is None


def the_line_is_dragged_swapped_and_put_back(window: MainWindow, qtbot: QtBot) -> None:
    scene = scene_of(window)
    show(window, 0)
    viewport = scene.viewport()
    width = scene.camera.width
    start = QPoint(round(width / 2), 200)
    qtbot.mousePress(viewport, LEFT, pos=start)
    for by in (10, 80):
        qtbot.mouseMove(viewport, start + QPoint(by, 0))
    qtbot.mouseRelease(viewport, LEFT, pos=start + QPoint(80, 0))
    assert scene.compared.share == pytest.approx((start.x() + 80) / width, abs=0.01)
    qtbot.mouseDClick(viewport, LEFT, pos=start + QPoint(80, 0))
    assert scene.compared.share == 0.5
    scene.setFocus()
    qtbot.keyClick(scene, Qt.Key.Key_X)
    assert scene.state.half_at(QPointF(10, 10)).is_there
    qtbot.keyClick(scene, Qt.Key.Key_X)
    qtbot.keyClick(scene, Qt.Key.Key_Escape)
    assert not window.session.comparison.is_wiping


def a_click_on_an_outline_chooses_its_row(window: MainWindow, qtbot: QtBot) -> None:
    scene = scene_of(window)
    things = window.panes.get(DIFFERENCES).things
    show(window, 0)
    show(window, 0)
    things.setCurrentIndex(things.model_of_things.index(3, 0))
    assert window.session.comparison.chosen is not None
    window.session.selection.go_to_frame(25)
    window.session.comparison.choose(None)
    assert scene.state.other is not None
    index = scene.state.other.index_of(NEW)
    assert index is not None
    place = scene.camera.point(float(scene.state.other.x[index]), float(scene.state.other.y[index]))
    qtbot.mouseClick(scene.viewport(), LEFT, pos=place.toPoint())
    chosen = things.current_thing()
    assert chosen is not None
    assert chosen.ids == (NEW,)
    assert window.session.comparison.refusal_of(Item(thing=chosen)) == ""


def a_chosen_thing_is_shown_here_and_there_in_attributes(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    panel = window.panes.get(ATTRIBUTES)
    things = window.panes.get(DIFFERENCES).things
    things.setCurrentIndex(things.model_of_things.index(2, 0))
    settle()
    (page,) = panel.findChildren(ComparedPage)

    def lines() -> dict[str, tuple[str, str]]:
        return {line.title: (line.here, line.there) for line in page.model.rows}

    assert page.isVisible()
    assert page.heading.title.text() == "Actor 3890, moved"
    assert page.heading.detail.text() == "vehicle.lincoln.mkz_2017"
    assert {"In frame 26", "x", "y", "z", "yaw"} <= lines().keys()
    here, there = (float(text) for text in lines()["y"])
    assert here != there
    assert lines()["Position"] == ("", "10")
    spoken = page.model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("x: here -")
    session.selection.go_to_frame(0)
    settle()
    assert page.isVisible(), "another frame of the same thing"
    assert lines()["y"][0] == lines()["y"][1]
    session.selection.select(Place(session.selection.row, 0))
    settle()
    assert not page.isVisible()
    things.setCurrentIndex(things.model_of_things.index(0, 0))
    settle()
    assert lines()["x"][0] == "–"
    assert page.note.text() == "The id 5000 is free here. One step to undo."
    qtbot.mouseClick(panel.compared_footer.ignore, LEFT)
    assert things.model_of_things.ignored == 1
    qtbot.mouseClick(panel.compared_footer.ignore, LEFT)
    assert things.model_of_things.ignored == 0
    qtbot.mouseClick(panel.compared_footer.take, LEFT)
    ready(session, qtbot)
    assert not page.isVisible()
    assert titles(window.panes.get(DIFFERENCES)) == THINGS[1:]
    session.editing.undo()
    ready(session, qtbot)


def the_switch_of_the_scene_shows_and_ends_it(window: MainWindow, qtbot: QtBot) -> None:
    (chip,) = (each for each in window.panes.get(SCENE).switches if each.objectName() == "scene-wipe")
    qtbot.mouseClick(chip, LEFT)
    assert scene_of(window).state.wipe is not None
    window.registry.run("scene.wipe")
    assert scene_of(window).state.wipe is None
    assert not chip.isChecked()
    window.registry.run("compare.stop")
    assert not chip.isVisible()


def test_the_scene_of_a_comparison(
    request: pytest.FixtureRequest, window: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    in_turn(
        request,
        window,
        choosing_a_row_highlights_the_outline,
        show_zooms_to_it_with_the_other_recording_behind_a_line,
        the_line_is_dragged_swapped_and_put_back,
        a_click_on_an_outline_chooses_its_row,
        a_chosen_thing_is_shown_here_and_there_in_attributes,
        the_switch_of_the_scene_shows_and_ends_it,
        between=lambda: begin(window, pair[1], qtbot),
    )
