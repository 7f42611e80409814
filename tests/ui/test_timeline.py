"""The timeline under real clicks, keys and wheels: scrubbing, zooming, in and out, marks, lives, and the axis."""

import itertools
import math
import shutil
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAction, QFont, QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import edits
from recorder_editor.errors import SourceChanged
from recorder_editor.reading.moments import seconds_of
from recorder_editor.recording.place import Place
from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.timeline import drawing
from recorder_editor.ui.panes.timeline.canvas import Canvas
from recorder_editor.ui.panes.timeline.timeline_layout import FOOT, LOW_LANE, TIMELINE_LANE
from recorder_editor.ui.panes.timeline.timeline_pane import TimelinePane
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.style.theme import Mode, Theme
from recorder_editor.views.time_axis import Axis, axis_of
from recorder_editor.views.timeline_marks import BORN, COLLISION, GONE
from tests import builders

from .test_frame_step import Watch
from .test_keyboard import contrasts
from .windows import picture, point_of_frame

TOWN05 = "carla-0.9.13-town05-collisions.log"
WALKERS = "carla-0.9.6-town03-walkers.rec"
LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def player(session: Session) -> Iterator[Player]:
    player = Player(session)
    yield player
    player.pause()


@pytest.fixture
def pane(qtbot: QtBot, session: Session, theme: Theme, player: Player) -> TimelinePane:
    pane = TimelinePane(session, theme, player)
    qtbot.addWidget(pane)
    pane.transport.offer_around(QAction("Cursor", pane), QAction("Event", pane))
    pane.resize(1440, 228)
    pane.show()
    return pane


@pytest.fixture
def town(pane: TimelinePane, session: Session, recordings: Path, tmp_path: Path, qtbot: QtBot) -> TimelinePane:
    """The Town05 recording, surveyed, without the timeline lane of the problems that the checks find in it."""
    copy = shutil.copy(recordings / TOWN05, tmp_path)  # notes stand beside it
    session.open(Path(copy))
    qtbot.waitUntil(lambda: session.background.trajectories is not None)
    session.background.findings = ()
    session.background.findings_changed.emit()
    return pane


Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes frames as a recording."""

    def write(*frames: bytes) -> Path:
        path = tmp_path / "made.log"
        path.write_bytes(builders.recording(*frames))
        return path

    return write


def wheel(canvas: Canvas, x: float, y: float, notches: int, modifiers: Qt.KeyboardModifier | None = None) -> None:
    point = QPointF(x, y)
    event = QWheelEvent(
        point,
        canvas.mapToGlobal(point),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        modifiers or Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, event)


def drag(qtbot: QtBot, canvas: QWidget, start: QPoint, *stops: QPoint, button: Qt.MouseButton = LEFT) -> None:
    qtbot.mousePress(canvas, button, pos=start)
    for stop in stops:
        qtbot.mouseMove(canvas, stop)
    qtbot.mouseRelease(canvas, button, pos=stops[-1])


def x_of(canvas: Canvas, frame: int) -> int:
    return point_of_frame(canvas, frame).x()


def lane_y(canvas: Canvas, name: str) -> int:
    return (
        next(timeline_lane.top for timeline_lane in canvas.timeline_layout.timeline_lanes if timeline_lane.name == name)
        + 6
    )


def ids_in_sight(canvas: Canvas) -> list[int]:
    layout = canvas.timeline_layout
    return [layout.roster.life(layout.first_row + row).actor for row in range(layout.rows)]


@pytest.mark.parametrize("mode", ["contrast_light", "contrast_dark"])
def test_in_high_contrast_marks_outside_the_range_are_as_strong_as_within(
    town: TimelinePane, session: Session, theme: Theme, mode: Mode
) -> None:
    theme.set_mode(mode)
    canvas, looks = town.canvas, []
    place = QRect(
        x_of(canvas, 100), canvas.timeline_layout.timeline_lanes[0].top, x_of(canvas, 500) - x_of(canvas, 100), 120
    )
    for choose in (lambda: None, lambda: session.range.set(20, 40)):
        choose()
        settle()
        looks.append(contrasts(canvas, place))
    whole, outside = looks
    ground = np.median(whole)
    marks = np.maximum(whole / ground, ground / whole) >= 3
    assert marks.sum() > 1000
    assert (np.maximum(outside / ground, ground / outside)[marks] >= 3).mean() > 0.99


# --- scrubbing and zooming --------------------------------------------------------------------------------


def test_clicks_drags_and_wheels_scrub_zoom_and_pan(
    qtbot: QtBot, town: TimelinePane, session: Session, subtests: pytest.Subtests
) -> None:
    with subtests.test("a click goes to the frame under it"):
        canvas = town.canvas
        qtbot.mouseClick(canvas, LEFT, pos=point_of_frame(canvas, 330))
        assert session.selection.frame_index == 330
    with subtests.test("dragging scrubs from frame to frame"):
        canvas = town.canvas
        seen: list[int] = []
        session.selection.changed.connect(lambda _: seen.append(session.selection.frame_index))
        drag(qtbot, canvas, *(point_of_frame(canvas, frame) for frame in (100, 140, 120)))
        assert seen == [100, 140, 120]
    with subtests.test("the wheel zooms and keeps the moment under the pointer"):
        canvas = town.canvas
        before = canvas.axis.time(700.0)
        span = canvas.axis.high - canvas.axis.low
        wheel(canvas, 700, 100, 3)
        assert canvas.axis.time(700.0) == pytest.approx(before, abs=1e-9)
        assert canvas.axis.high - canvas.axis.low == pytest.approx(span / 1.25**3)
        wheel(canvas, 700, 100, -9)
        assert canvas.axis.is_whole
    with subtests.test("shift and the wheel or the middle button pan"):
        town.canvas.zoom(0)
        canvas = town.canvas
        wheel(canvas, 700, 100, 8)
        low, span = canvas.axis.low, canvas.axis.high - canvas.axis.low
        wheel(canvas, 700, 100, -1, SHIFT)
        assert canvas.axis.low == pytest.approx(low + span / 8)
        drag(qtbot, canvas, QPoint(700, 100), QPoint(800, 100), button=MIDDLE)
        assert canvas.axis.low == pytest.approx(low + span / 8 - 100 / canvas.axis.width * span)
        assert canvas.axis.high - canvas.axis.low == pytest.approx(span)
    with subtests.test("zoom ends at a few frames"):
        town.canvas.zoom(0)
        for _ in range(40):
            wheel(town.canvas, 700, 100, 3)
        assert 3 <= len(town.canvas.axis.visible_frames()) <= 6
        assert all(tick.text.startswith("#") for tick in town.canvas.axis.ticks())


def test_a_tooltip_shows_the_scene_of_the_moment_under_the_pointer(
    town: TimelinePane, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas, asked = town.canvas, []

    def picture(frame: int) -> QImage | None:
        asked.append(frame)
        if frame == 200:
            raise SourceChanged(TOWN05)
        return QImage(2, 2, QImage.Format.Format_RGB32) if frame == 100 else None

    monkeypatch.setattr(canvas, "picture_at", picture)
    canvas.set_axis(canvas.axis.showing(3.0, 12.0))
    y = canvas.timeline_layout.lives_top + 2
    tips = [canvas.tip(QPointF(x_of(canvas, frame), y)) for frame in (100, 150, 200)]
    assert [tip[:9] for tip in tips] == ["frame 101", "frame 151", "frame 201"]
    assert ["<img" in tip for tip in tips] == [True, False, False]
    assert canvas.tip(QPointF(canvas.axis.whole().x(20.01), 10)).startswith("frame 401")
    assert canvas.tip(QPointF(20, y)) == ""
    assert asked == [100, 150, 200, 400]


def test_the_overview_and_what_is_done_keep_in_sight_what_is_looked_at(
    qtbot: QtBot, town: TimelinePane, session: Session, subtests: pytest.Subtests
) -> None:
    with subtests.test("the overview scrubs while everything is in sight"):
        canvas = town.canvas
        drag(qtbot, canvas, QPoint(x_of(canvas, 200), 12), QPoint(x_of(canvas, 300), 12))
        assert session.selection.frame_index == 300
    with subtests.test("the overview moves what is in sight"):
        canvas = town.canvas
        canvas.set_axis(canvas.axis.showing(5.0, 8.0))
        seen = canvas.timeline_layout.window_rect().center().toPoint()
        drag(qtbot, canvas, seen, seen + QPoint(100, 0))
        assert canvas.axis.low > 6.5
        assert canvas.axis.high - canvas.axis.low == pytest.approx(3.0)
        qtbot.mouseClick(canvas, LEFT, pos=QPoint(int(canvas.timeline_layout.overview_x(20.0)), 12))
        assert canvas.axis.low == pytest.approx(18.5, abs=0.05)
    with subtests.test("the current frame stays in sight"):
        town.canvas.zoom(0)
        canvas = town.canvas
        canvas.set_axis(canvas.axis.showing(5.0, 8.0))
        session.selection.go_to_frame(500)
        assert canvas.axis.low <= 25.0 <= canvas.axis.high
    with subtests.test("an edit keeps what is in sight"):
        town.canvas.zoom(0)
        canvas = town.canvas
        session.selection.go_to_frame(120)
        canvas.set_axis(canvas.axis.showing(5.0, 8.0))
        session.editing.apply(edits.insert_frame(session.snapshot_or_refuse(), 121))
        assert (canvas.axis.low, canvas.axis.high) == (pytest.approx(5.0), pytest.approx(8.0))
        assert len(canvas.axis.times) == 556


# --- keys -------------------------------------------------------------------------------------------------


def test_keys_step_by_frames_seconds_and_events(qtbot: QtBot, town: TimelinePane, session: Session) -> None:
    canvas = town.canvas
    canvas.setFocus()
    session.selection.go_to_frame(100)
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert session.selection.frame_index == 101
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    qtbot.keyClick(canvas, Qt.Key.Key_Right, SHIFT)
    assert session.selection.frame_index in (119, 120)  # the file's seconds are not round
    session.selection.go_to_frame(120)
    qtbot.keyClick(canvas, Qt.Key.Key_Right, CONTROL)
    assert session.actors is not None
    events = np.unique(session.actors.events["frame_index"])
    assert session.selection.frame_index == events[events > 120][0]
    qtbot.keyClick(canvas, Qt.Key.Key_End)
    assert session.selection.frame_index == 554
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    assert session.selection.frame_index == 0


def test_keys_zoom_and_fit(qtbot: QtBot, town: TimelinePane, session: Session) -> None:
    canvas = town.canvas
    session.selection.go_to_frame(300)
    x = canvas.axis.x(15.0)
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert not canvas.axis.is_whole
    assert canvas.axis.x(float(canvas.axis.times[300])) == pytest.approx(x, abs=3)
    qtbot.keyClick(canvas, Qt.Key.Key_Minus)
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    qtbot.keyClick(canvas, Qt.Key.Key_0)
    assert canvas.axis.is_whole


def test_up_and_down_walk_through_the_lives_without_moving_them(
    qtbot: QtBot, town: TimelinePane, session: Session
) -> None:
    canvas = town.canvas
    session.selection.go_to_frame(330)
    order = ids_in_sight(canvas)
    qtbot.keyClick(canvas, Qt.Key.Key_Down)
    assert session.selection.actor == order[0]
    for _ in range(3):
        qtbot.keyClick(canvas, Qt.Key.Key_Down)
    assert session.selection.actor == order[3]
    qtbot.keyClick(canvas, Qt.Key.Key_Up)
    assert session.selection.actor == order[2]
    assert ids_in_sight(canvas) == order
    for _ in range(6):
        qtbot.keyClick(canvas, Qt.Key.Key_Down)
    assert canvas.first_row == 9 - canvas.timeline_layout.rows
    assert session.selection.actor == ids_in_sight(canvas)[-1]


# --- in and out -------------------------------------------------------------------------------------------


def test_handles_drag_the_range_do_not_pass_one_another_and_are_given_back(
    qtbot: QtBot, town: TimelinePane, session: Session, subtests: pytest.Subtests
) -> None:
    with subtests.test("handles drag the range"):
        canvas = town.canvas
        session.selection.go_to_frame(499)
        session.range.set(240, 500)
        grip = canvas.timeline_layout.grip("in").center().toPoint()
        drag(qtbot, canvas, grip, QPoint(x_of(canvas, 260), grip.y()), QPoint(x_of(canvas, 255), grip.y()))
        assert session.range.frames == range(255, 500)
        line = QPoint(round(canvas.timeline_layout.handle_x("out")), 120)
        drag(qtbot, canvas, line, QPoint(x_of(canvas, 450), 120))
        assert session.range.frames == range(255, 450)
        assert session.selection.frame_index == 499
    with subtests.test("handles do not pass one another"):
        canvas = town.canvas
        session.range.set(200, 210)
        grip = canvas.timeline_layout.grip("in").center().toPoint()
        drag(qtbot, canvas, grip, QPoint(x_of(canvas, 400), grip.y()))
        assert session.range.frames == range(209, 210)
    with subtests.test("escape gives a handle back"):
        canvas = town.canvas
        session.range.set(200, 400)
        grip = canvas.timeline_layout.grip("out").center().toPoint()
        qtbot.mousePress(canvas, LEFT, pos=grip)
        assert canvas.timeline_layout.names_frames
        qtbot.mouseMove(canvas, QPoint(x_of(canvas, 300), grip.y()))
        assert session.range.frames == range(200, 300)
        qtbot.keyClick(canvas, Qt.Key.Key_Escape)
        assert session.range.frames == range(200, 400)
        qtbot.mouseRelease(canvas, LEFT, pos=grip)
        assert not canvas.timeline_layout.names_frames


def test_the_words_of_the_cursor_stand_beside_the_handles(town: TimelinePane, session: Session) -> None:
    canvas = town.canvas
    for ends in ((0, 300), (100, 555), (200, 210), (546, 551), (0, 8), (200, 230)):
        session.range.set(*ends)
        for frame in range(0, 555, 5):  # they are as wide as 20
            session.selection.go_to_frame(frame)
            tag, layout = canvas.cursor_tag(), canvas.timeline_layout
            assert layout.handles() == ["in", "out"]
            assert not any(layout.grip(which).intersects(tag) for which in layout.handles()), (ends, frame)
            assert layout.axis.left <= tag.left() < tag.right() <= layout.axis.right, (ends, frame)


def commit(qtbot: QtBot, line: QWidget, text: str) -> None:
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_A, CONTROL)
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_the_editors_take_seconds_and_frames(qtbot: QtBot, town: TimelinePane, session: Session) -> None:
    transport = town.transport
    commit(qtbot, transport.start, "12")
    commit(qtbot, transport.stop, "25.0 s")
    assert session.range.frames == range(240, 500)
    assert transport.kept.text() == "260 frames"
    commit(qtbot, transport.start, "#421")
    commit(qtbot, transport.stop, "#520")
    assert session.range.frames == range(420, 520)
    commit(qtbot, transport.stop, "1000")
    assert session.range.frames == range(420, 555)


def test_out_is_painted_whole_after_enter_though_its_cross_appears(
    qtbot: QtBot, town: TimelinePane, session: Session
) -> None:
    town.activateWindow()
    line = town.transport.stop
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    qtbot.keyClicks(line, "26")
    picture(line)  # the short text is painted at the right
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert (line.text(), line.selectedText(), line.cursorPosition()) == ("26.000 s", "26.000 s", 0)
    at_once = picture(line)
    line.update()
    assert picture(line) == at_once
    cross = line.findChild(QToolButton)
    assert cross is not None
    assert line.cursorPositionAt(QPoint(cross.x(), line.height() // 2)) == len(line.text())


def test_what_an_editor_shows_means_the_same_when_it_is_typed(
    qtbot: QtBot, pane: TimelinePane, session: Session, recordings: Path
) -> None:
    session.open(recordings / WALKERS)
    for span in (range(97, 380), range(101, 382), range(5, 6)):
        session.range.set(span.start, span.stop)
        shown = pane.transport.start.text(), pane.transport.stop.text()
        session.range.clear()
        commit(qtbot, pane.transport.start, shown[0])
        commit(qtbot, pane.transport.stop, shown[1])
        assert session.range.frames == span


@pytest.fixture
def marked(pane: TimelinePane, session: Session, written: Written) -> TimelinePane:
    """Five hundred frames, in two of which somebody is born: 150 and 300."""
    born = {at: [builders.packet(2, builders.event_add([builders.actor(at)]))] for at in (150, 300)}
    session.open(written(*(builders.frame(i + 1, i * 0.05, 0.05, born.get(i, ())) for i in range(500))))
    return pane


@pytest.mark.parametrize("suspended", [None, CONTROL, Qt.KeyboardModifier.AltModifier])
def test_marks_attract_a_handle_and_the_cursor_unless_control_or_alt_is_held(
    qtbot: QtBot, marked: TimelinePane, session: Session, suspended: Qt.KeyboardModifier | None
) -> None:
    canvas, held = marked.canvas, suspended or Qt.KeyboardModifier.NoModifier
    session.selection.go_to_frame(225)
    session.range.set(100, 400)

    def pull(start: QPoint, frame: int) -> None:
        qtbot.mousePress(canvas, LEFT, pos=start)
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(x_of(canvas, frame), start.y()),
            canvas.mapToGlobal(QPointF(x_of(canvas, frame), start.y())),
            Qt.MouseButton.NoButton,
            LEFT,
            held,
        )
        QApplication.sendEvent(canvas, event)
        qtbot.mouseRelease(canvas, LEFT, pos=QPoint(x_of(canvas, frame), start.y()))

    pull(canvas.timeline_layout.grip("in").center().toPoint(), 148)
    pull(canvas.timeline_layout.grip("out").center().toPoint(), 302)
    assert session.range.frames == (range(148, 302) if suspended else range(150, 301)), (
        "a born actor stays with its frame"
    )
    pull(canvas.timeline_layout.grip("in").center().toPoint(), 223)
    assert session.range.frames.start == (223 if suspended else 225), "the cursor attracts, too"
    pull(point_of_frame(canvas, 250), 298)
    assert session.selection.frame_index == (298 if suspended else 300)
    pull(point_of_frame(canvas, 275), 260)
    assert session.selection.frame_index == 260, "nothing is near"


def test_the_arrow_keys_move_a_handle_that_was_clicked_or_asked_for(
    qtbot: QtBot, marked: TimelinePane, session: Session
) -> None:
    canvas = marked.canvas
    session.range.set(100, 400)
    session.selection.go_to_frame(250)
    qtbot.mouseClick(canvas, LEFT, pos=canvas.timeline_layout.grip("in").center().toPoint())
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert session.range.frames == range(101, 400)
    qtbot.keyClick(canvas, Qt.Key.Key_O, SHIFT)
    qtbot.keyClick(canvas, Qt.Key.Key_Left, SHIFT)
    assert session.range.frames == range(101, 380)
    assert session.selection.frame_index == 250
    assert "frame 380" in canvas.pointing.tip(canvas.timeline_layout.grip("out").center())
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert (session.range.frames, session.selection.frame_index) == (range(101, 380), 249)
    session.range.clear()
    qtbot.keyClick(canvas, Qt.Key.Key_O, SHIFT)
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert not session.range.is_set
    qtbot.keyClick(canvas, Qt.Key.Key_Left, SHIFT)
    assert session.range.frames == range(480)
    for place in (point_of_frame(canvas, 250), QPoint(x_of(canvas, 150), lane_y(canvas, "Spawned, gone"))):
        canvas.hold("out")
        qtbot.mouseClick(canvas, LEFT, pos=place)
        clicked = session.selection.frame_index
        qtbot.keyClick(canvas, Qt.Key.Key_Left)
        assert (session.range.frames, session.selection.frame_index) == (range(480), clicked - 1), (
            "a click elsewhere frees the keys"
        )


def test_crosses_beside_in_and_out_clear_them(qtbot: QtBot, marked: TimelinePane, session: Session) -> None:
    transport = marked.transport
    assert not any(clear.isVisible() for clear in transport.clears)
    session.range.set(100, 400)
    for line, left in ((transport.start, range(400)), (transport.stop, range(500))):
        cross = line.findChild(QToolButton)
        assert cross is not None
        qtbot.mouseClick(cross, LEFT)
        assert session.range.frames == left
    assert not session.range.is_set
    assert not any(clear.isVisible() for clear in transport.clears)


def test_an_editor_refuses_what_is_no_moment(qtbot: QtBot, town: TimelinePane, session: Session) -> None:
    for text in ("soon", "#", "nan", "#1.5"):
        commit(qtbot, town.transport.start, text)
        for form in ("12.5", "h:mm:ss", "#250"):
            assert form in town.transport.start.reason, text
        assert not session.range.is_set, text
        commit(qtbot, town.transport.start, "2.0")
        assert not town.transport.start.reason
        session.range.clear()


def test_the_context_menu_sets_the_range_and_edits_frames(town: TimelinePane, session: Session) -> None:
    actions = {action.text(): action for action in town.context_menu(99).actions()}
    assert not actions["Clear range"].isEnabled()
    actions["Mark in here"].trigger()
    assert session.range.frames == range(99, 555)
    actions["Duplicate frame 100"].trigger()
    assert session.frames == 556
    actions["Delete frame 100"].trigger()
    assert session.frames == 555
    actions["Go to frame 100"].trigger()
    assert session.selection.frame_index == 99


# --- marks and lives --------------------------------------------------------------------------------------


def test_a_click_on_a_mark_selects_its_record(
    qtbot: QtBot, town: TimelinePane, session: Session, subtests: pytest.Subtests
) -> None:
    canvas = town.canvas
    assert session.actors is not None
    events = session.actors.events
    for timeline_lane, kind in (("Spawned, gone", BORN), ("Spawned, gone", GONE), ("Collisions", COLLISION)):
        with subtests.test(timeline_lane, kind=kind):
            event = events[canvas.timeline_layout.marks.events[kind][-1]]
            frame = int(event["frame_index"])
            canvas.zoom(0)
            canvas.set_axis(canvas.axis.zoomed(30, canvas.axis.x(float(canvas.axis.times[frame]))))
            qtbot.mouseClick(canvas, LEFT, pos=QPoint(x_of(canvas, frame), lane_y(canvas, timeline_lane)))
            assert session.selection.frame_index == frame
            place = session.selection.place
            same = events[(events["row"] == place.row) & (events["packet"] == place.packet)]
            assert place.record is not None
            assert kind in same["kind"]


def test_marks_numbers_and_menus_tell_what_they_are_about(
    town: TimelinePane, session: Session, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("it says where it is"):
        session.selection.go_to_frame(330)
        transport = town.transport
        said = [label.text() for label in (transport.frame, transport.frames, transport.time, transport.whole)]
        assert said == ["331", " / 555", "16.500", " / 27.700 s"]
        assert transport.wall.text() == "15:53:51 UTC"
    with subtests.test("the number of a frame tells its id in the file"):
        town.session.selection.go_to_frame(5)
        frame = town.session.selection.frame
        assert frame is not None
        for label in (town.transport.frame, town.transport.frames):
            assert label.toolTip() == f"Frame id in the file: {frame.frame_id}"
    with subtests.test("a mark of a collision tells whom it is about"):
        canvas = town.canvas
        frame = int(canvas.session.actors.collisions["frame_index"][0]) if canvas.session.actors else 0
        tip = canvas.pointing.tip(QPointF(x_of(canvas, frame), lane_y(canvas, "Collisions")))
        assert f"frame {frame + 1}" in tip
        assert "Collision" in tip
    with subtests.test("the menu of a row is about its actor"):
        canvas, asked = town.canvas, []
        town.menu_asked.connect(asked.append)
        life = canvas.roster.life(1)
        menu = town.row_menu(QPointF(30, canvas.timeline_layout.life_y(1) + 6))
        assert (session.selection.actor, asked) == (life.actor, [menu])
    with subtests.test("a right click on the names opens the menu of the lanes"):
        canvas = town.canvas
        canvas.customContextMenuRequested.emit(QPoint(30, lane_y(canvas, "Collisions")))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        next(action for action in menu.actions() if action.text() == "Collisions").trigger()
        menu.close()
        assert "Collisions" not in lane_names(canvas)


def test_lives_are_selected_and_have_rows_in_an_order(
    qtbot: QtBot, town: TimelinePane, session: Session, subtests: pytest.Subtests
) -> None:
    with subtests.test("a click on a life selects the actor"):
        canvas = town.canvas
        session.selection.go_to_frame(330)
        order = ids_in_sight(canvas)
        qtbot.mouseClick(canvas, LEFT, pos=QPoint(40, canvas.timeline_layout.life_y(1) + 6))
        assert session.selection.actor == order[1]
        assert session.selection.frame_index == 330
        qtbot.mouseClick(canvas, LEFT, pos=QPoint(x_of(canvas, 400), canvas.timeline_layout.life_y(0) + 6))
        assert (session.selection.actor, session.selection.frame_index) == (order[0], 400)
        assert ids_in_sight(canvas) == order
    with subtests.test("a life that is over is selected where it began"):
        canvas, actors = town.canvas, session.actors
        assert actors is not None
        session.selection.go_to_frame(554)
        gone = next(life for life in actors if life.gone is not None and life.class_ == "vehicle")
        layout = canvas.timeline_layout
        row = layout.roster.rows_of((gone.actor,))[0]
        canvas.scroll_rows(row)
        y = canvas.timeline_layout.life_y(row - canvas.first_row) + 6
        qtbot.mouseClick(canvas, LEFT, pos=QPoint(40, y))
        assert (session.selection.actor, session.selection.frame_index) == (gone.actor, gone.born)
    with subtests.test("whoever is selected has a row even a traffic light"):
        town.canvas.scroll_rows(0)
        assert session.actors is not None
        light = next(life for life in session.actors if life.class_ == "traffic light")
        assert light.actor not in ids_in_sight(town.canvas)
        session.selection.select_actor(light.actor)
        assert light.actor in ids_in_sight(town.canvas)
    with subtests.test("heroes come first then who is selected then who is alive"):
        session.selection.go_to_frame(330)
        session.selection.select_actor(3932)
        assert ids_in_sight(town.canvas)[:2] == [3890, 3932]
        session.range.set(420, 520)
        assert session.actors is not None
        for actor in ids_in_sight(town.canvas)[2:]:
            assert any(
                life.born < 520 and (life.gone is None or life.gone > 420) for life in session.actors.of_id(actor)
            )


def test_the_lives_scroll_and_fold(qtbot: QtBot, town: TimelinePane) -> None:
    canvas = town.canvas
    first, rows = ids_in_sight(canvas), canvas.timeline_layout.rows
    wheel(canvas, 40, canvas.timeline_layout.life_y(1), -1)
    assert ids_in_sight(canvas)[: rows - 3] == first[3:]
    wheel(canvas, 40, canvas.timeline_layout.life_y(1), -100)
    assert canvas.first_row == len(canvas.roster) - canvas.timeline_layout.rows
    scroll = QPoint(canvas.width() - 7, canvas.timeline_layout.life_y(0) + 1)
    qtbot.mouseClick(canvas, LEFT, pos=scroll)
    assert canvas.first_row < 5
    qtbot.mouseClick(canvas, LEFT, pos=QPoint(30, canvas.timeline_layout.lives_top + 6))
    assert canvas.timeline_layout.rows == 0
    qtbot.mouseClick(canvas, LEFT, pos=QPoint(30, canvas.timeline_layout.lives_top + 6))
    assert canvas.timeline_layout.rows == rows


def test_the_tall_timeline_has_higher_lanes_and_names_the_frames_that_stay(town: TimelinePane) -> None:
    layout = town.canvas.timeline_layout
    assert (layout.lane_height, layout.names_frames) == (town.theme.px(LOW_LANE), False)
    town.resize(1440, 368)
    layout = town.canvas.timeline_layout
    assert (layout.lane_height, layout.names_frames) == (town.theme.px(TIMELINE_LANE), True)
    assert layout.rows >= 10


def test_frames_that_the_filter_found_are_marked(qtbot: QtBot, town: TimelinePane, session: Session) -> None:
    canvas = town.canvas
    session.matched.set((120, 300))
    at = QPoint(x_of(canvas, 300), lane_y(canvas, "Matches"))
    assert canvas.pointing.tip(QPointF(at)).startswith("The filter matches: ")
    qtbot.mouseClick(canvas, LEFT, pos=at)
    assert session.selection.frame_index == 300
    session.matched.set(())
    assert "Matches" not in [timeline_lane.name for timeline_lane in canvas.timeline_layout.timeline_lanes]


def test_frames_that_differ_from_another_recording_are_marked(
    qtbot: QtBot, town: TimelinePane, session: Session, tmp_path: Path
) -> None:
    canvas, other = town.canvas, tmp_path / "other.log"
    with recorder_editor.open(session.recording.path if session.recording is not None else "") as recording:
        where = edits.place(recording, frame=300, packet="Position", record=0, field="location.x")
        recording.apply(edits.set_field(recording, where, 12.5))
        recording.save(other)
    session.comparison.begin_later(other, lambda error: pytest.fail(str(error)))
    qtbot.waitUntil(lambda: "Differences" in lane_names(canvas))
    at = QPoint(x_of(canvas, 300), lane_y(canvas, "Differences"))
    assert canvas.pointing.tip(QPointF(at)).startswith("Differs: ")
    qtbot.mouseClick(canvas, LEFT, pos=at)
    assert session.selection.frame_index == 300
    session.comparison.stop()
    assert "Differences" not in lane_names(canvas)


def test_the_strip_of_edits_tells_how_many_records_of_a_frame_differ(
    qtbot: QtBot, town: TimelinePane, session: Session
) -> None:
    canvas = town.canvas

    def strength(frame: int) -> int:
        """How far the strip stands out of its ground."""
        color = strip.pixelColor(x_of(canvas, frame) + 1, lane_y(canvas, "Edits"))
        ground = canvas.theme.palette.in_range
        return abs(color.red() - ground.red()) + abs(color.green() - ground.green()) + abs(color.blue() - ground.blue())

    def levels() -> dict[int, int]:
        group = next(lane for lane in canvas.timeline_lanes if lane.name == "Edits").groups[0]
        assert group.levels is not None
        return dict(zip(group.targets.tolist(), group.levels.tolist(), strict=True))

    names = lane_names(canvas)
    for frame, records in ((200, 1), (250, 2), (300, 5)):
        packet = session.snapshot_or_refuse().frame(frame).packet("Position")
        assert packet is not None
        for record in range(records):
            place = Place(first_row(session, frame), packet.index, record, "rotation.yaw")
            session.editing.apply(edits.set_field(session.snapshot_or_refuse(), place, 12.5))
    assert lane_names(canvas) == names, "an edit moves no lane"
    assert set(levels()) == {200, 250, 300}
    qtbot.waitUntil(lambda: levels() == {200: 1, 250: 2, 300: 3})
    strip = canvas.grab().toImage()
    assert strength(300) > strength(250) > strength(200) > 30
    at = QPoint(x_of(canvas, 200), lane_y(canvas, "Edits"))
    first = session.snapshot_or_refuse().frame(200).packet("Position")
    assert first is not None
    actor = int(first.array["id"][0])
    assert canvas.pointing.tip(QPointF(at)) == f"frame 201: rotation yaw of {actor}"
    assert canvas.pointing.tip(QPointF(x_of(canvas, 300), at.y())).endswith("<br>and more")
    qtbot.mouseClick(canvas, LEFT, pos=at)
    assert session.selection.place == Place(first_row(session, 200), first.index, 0, "rotation.yaw")
    session.editing.apply(edits.insert_frame(session.snapshot_or_refuse(), first_row(session, 400)))
    qtbot.waitUntil(lambda: levels()[400] == 3)
    at = QPoint(x_of(canvas, 400), lane_y(canvas, "Edits"))
    assert canvas.pointing.tip(QPointF(at)) == "frame 401: edited as a whole"
    qtbot.mouseClick(canvas, LEFT, pos=at)
    assert session.selection.frame_index == 400
    for _ in range(9):
        session.editing.undo()
    assert len(canvas.timeline_layout.marks.edited) == 0
    assert lane_names(canvas) == names


def first_row(session: Session, frame: int) -> int:
    return session.snapshot_or_refuse().table.row_of_frame(frame)


def test_lost_stretches_reach_over_the_time_without_frames(
    qtbot: QtBot, pane: TimelinePane, session: Session, recordings: Path, tmp_path: Path
) -> None:
    data = bytearray((recordings / TOWN05).read_bytes())
    data[0x08F000:0x09F000] = bytes(0x10000)
    path = tmp_path / "broken.log"
    path.write_bytes(data)
    session.open(path)
    canvas = pane.canvas
    assert canvas.timeline_layout.timeline_lanes[0].name == "Kept and lost"
    gap = canvas.timeline_layout.marks.gaps[0]
    assert gap.size > 65_000
    assert 1.0 < gap.stop - gap.start < 1.2
    middle = round(canvas.axis.x((gap.start + gap.stop) / 2))
    y = lane_y(canvas, "Kept and lost")
    assert "outside of frames" in canvas.pointing.tip(QPointF(middle, y))
    qtbot.mouseClick(canvas, LEFT, pos=QPoint(middle, y))
    assert session.selection.place == Place(gap.row)


def test_problems_get_a_sign_that_selects_their_bytes(
    qtbot: QtBot, pane: TimelinePane, session: Session, written: Written
) -> None:
    frames = [builders.frame(i, i * 0.05, 0.05) for i in range(100)]
    frames[40] = builders.frame_start(40, 2.0, 0.05)
    session.open(written(*frames))
    canvas = pane.canvas
    at = QPoint(x_of(canvas, int(canvas.problems.frames[0])), lane_y(canvas, "Problems"))
    assert canvas.pointing.tip(QPointF(at)) == session.background.findings[0].message
    qtbot.mouseClick(canvas, LEFT, pos=at)
    assert session.selection.frame_index == 40


def lane_names(canvas: Canvas) -> list[str]:
    return [timeline_lane.name for timeline_lane in canvas.timeline_layout.timeline_lanes]


def test_edits_and_problems_have_lanes_of_their_own_and_problems_stay_in_sight(
    qtbot: QtBot, pane: TimelinePane, session: Session, written: Written
) -> None:
    frames = [builders.frame(i, i * 0.05, 0.05) for i in range(100)]
    frames[40] = builders.frame_start(40, 2.0, 0.05)
    session.open(written(*frames))
    session.editing.apply(edits.insert_frame(session.snapshot_or_refuse(), 41))
    canvas = pane.canvas
    assert lane_names(canvas)[-2:] == ["Problems", "Edits"]
    problem = int(canvas.problems.frames[0])
    assert problem in range(39, 42)
    canvas.set_axis(canvas.axis.showing(1.5, 2.5))
    for name, words in (("Edits", "frame 42: edited as a whole"), ("Problems", session.background.findings[0].message)):
        frame = canvas.timeline_layout.marks.edited[0] if name == "Edits" else problem
        assert canvas.pointing.tip(QPointF(x_of(canvas, int(frame)), lane_y(canvas, name))).startswith(words)


def test_a_frame_that_was_deleted_is_an_edit_although_it_leaves_no_mark(
    pane: TimelinePane, session: Session, written: Written
) -> None:
    session.open(written(*(builders.frame(i, i * 0.05, 0.05) for i in range(20))))
    lanes = pane.canvas.timeline_layout.timeline_lanes
    assert [lane.note for lane in lanes if lane.name == "Edits"] == ["none"]
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 3))
    lanes = pane.canvas.timeline_layout.timeline_lanes
    assert [lane.note for lane in lanes if lane.name == "Edits"] == ["none in these frames"]


def test_lanes_have_one_order_and_an_empty_one_is_folded_only_by_opening_a_file(
    pane: TimelinePane, session: Session, written: Written
) -> None:
    born = {7: [builders.packet(2, builders.event_add([builders.actor(1)]))]}
    session.open(written(*(builders.frame(i, i * 0.05, 0.05, born.get(i, ())) for i in range(20))))
    canvas = pane.canvas
    assert lane_names(canvas) == ["Events", "Problems", "Edits", "Spawned, gone"]
    session.notes.make("first", range(3, 4), None)
    session.segments.add(range(5, 9))
    all_lanes = ["Events", "Problems", "Edits", "Segments", "Notes", "Spawned, gone"]
    assert lane_names(canvas) == all_lanes
    session.editing.apply(edits.insert_frame(session.snapshot_or_refuse(), 10))
    session.notes.remove(0)
    session.segments.remove(0)
    assert lane_names(canvas) == all_lanes
    session.editing.undo()
    assert lane_names(canvas) == all_lanes
    entries = {action.text(): action for action in pane.timeline_lane_menu().actions()}
    assert entries["Notes (none)"].isChecked()
    entries["Notes (none)"].trigger()
    assert "Notes" not in lane_names(canvas)
    {action.text(): action for action in pane.timeline_lane_menu().actions()}["Collisions (none)"].trigger()
    assert lane_names(canvas)[:2] == ["Events", "Collisions"]
    canvas.wish({})
    session.open(written(*(builders.frame(i, i * 0.05, 0.05) for i in range(20))))
    assert lane_names(canvas) == ["Events", "Problems", "Edits"]


def test_a_lane_of_a_former_name_is_shown_or_hidden_as_before(town: TimelinePane) -> None:
    assert "Spawned, gone" in lane_names(town.canvas)
    town.canvas.wish({"First, last": False})
    assert "Spawned, gone" not in lane_names(town.canvas)


def test_the_rows_of_actors_give_way_first_and_the_foot_names_lanes_without_room(
    qtbot: QtBot, town: TimelinePane, session: Session
) -> None:
    canvas, transport = town.canvas, town.transport.height()
    session.selection.select_actor(3905)
    session.notes.make("here", range(40, 41), None)
    session.segments.add(range(100, 200))
    wanted = ["Events", "Collisions", "Problems", "Edits", "Segments", "Notes", "Spawned, gone"]
    for height in range(10, 280, 6):
        town.resize(1440, transport + height)
        assert canvas.height() == height
        layout = canvas.timeline_layout
        shown = lane_names(canvas)
        assert shown == wanted[: len(shown)], "they go from the bottom"
        assert [lane.name for lane in layout.hidden_lanes] == wanted[len(shown) :]
        assert all(lane.top + layout.lane_height <= layout.bottom for lane in layout.timeline_lanes)
        assert layout.rows >= (height >= layout.timeline_lanes_top + 4 + 13 + 14), "one actor stays"
        assert layout.has_foot == (bool(layout.hidden_lanes) and height >= layout.timeline_lanes_top + 4 + 13 + 14 + 14)
        if 0 < len(shown) < 6:
            assert layout.rows == 1
        assert layout.life_y(layout.rows) <= layout.bottom or not layout.rows
        assert canvas.cursor_tag().bottom() <= height
        assert not layout.rows or 3905 in ids_in_sight(canvas)
    town.resize(1440, transport + 130)
    layout, asked = canvas.timeline_layout, list[int]()
    lines = canvas.spoken()
    assert lines.line(lines.size - 1) == "Edits; Segments; Notes; Spawned, gone: no room at this height"
    foot = QPoint(40, layout.bottom + FOOT // 2)
    assert canvas.pointing.tip(QPointF(foot)).startswith("Edits; Segments; Notes; Spawned, gone: no room")
    canvas.room_asked.connect(asked.append)
    frame = session.selection.frame_index
    qtbot.mouseClick(canvas, LEFT, pos=foot)
    assert session.selection.frame_index == frame
    town.resize(1440, town.height() + asked[0] - 1)
    assert canvas.timeline_layout.hidden_lanes
    town.resize(1440, town.height() + 1)
    assert lane_names(canvas) == wanted
    assert canvas.timeline_layout.rows == 4


def test_marks_too_many_to_be_told_apart_are_bars_as_high_as_they_are_many(
    pane: TimelinePane, session: Session, written: Written
) -> None:
    def frame(index: int) -> bytes:
        newcomers = 1 if index < 500 else 9
        born = builders.event_add([builders.actor(index * 10 + number) for number in range(newcomers)])
        return builders.frame(index, index * 0.05, 0.05, [builders.packet(2, born)])

    session.open(written(*map(frame, range(1, 1000))))
    canvas = pane.canvas
    picture = pane.canvas.grab().toImage()
    color = canvas.theme.palette.fine.rgb()
    y = lane_y(canvas, "Spawned, gone")
    few, many = (
        sum(picture.pixel(x_of(canvas, frame) + 1, row) == color for row in range(y - 9, y + 9)) for frame in (200, 700)
    )
    assert 0 < few < many
    assert "more here" in canvas.pointing.tip(QPointF(x_of(canvas, 700), y))
    canvas.set_axis(canvas.axis.showing(10.0, 11.0))
    picture = canvas.grab().toImage()
    assert picture.pixel(x_of(canvas, 205) + 12, y - 3) != color, "arrows again, with room between them"


def test_another_dialect_with_a_range_while_the_timeline_is_not_painted(town: TimelinePane, session: Session) -> None:
    """The range is put before the views are told of the state: its marks are not those of the one before."""
    session.range.set(10, 50)
    town.canvas.set_kinds_folded(False)
    session.editing.decode_as("ue4-0.9.6")
    assert session.actors is not None
    lanes = {timeline_lane.name: timeline_lane for timeline_lane in town.canvas.timeline_lanes}
    kinds = session.actors.events["kind"][lanes["Collisions"].groups[0].targets]
    assert (kinds == COLLISION).all()


def test_events_of_the_state_before_an_edit_are_told_without_their_frames(
    qtbot: QtBot, town: TimelinePane, session: Session
) -> None:
    canvas = town.canvas
    qtbot.waitUntil(lambda: not session.events.is_looking)
    events = session.events.found
    assert events is not None
    assert int(events.table["worst"].max()) > 1
    lane = next(lane for lane in canvas.timeline_lanes if lane.name == "Events")
    assert "frame " in canvas.pointing.timeline_lane_text(lane)
    session.editing.apply(edits.trim(session.snapshot_or_refuse(), range(1)))
    session.jobs.cancel_all()
    lane = next(lane for lane in canvas.timeline_lanes if lane.name == "Events")
    told = canvas.pointing.timeline_lane_text(lane)
    for row in range(len(events)):
        told += canvas.pointing._traffic_text(row)
    assert "(id" not in told


def test_a_range_of_one_frame_keeps_its_handles_apart(qtbot: QtBot, town: TimelinePane, session: Session) -> None:
    canvas = town.canvas
    session.range.set(300, 301)
    layout = canvas.timeline_layout
    assert layout.grip("in").right() < layout.grip("out").left()
    assert layout.handle_x("out") - layout.handle_x("in") >= 5
    grip = layout.grip("out").center().toPoint()
    drag(qtbot, canvas, grip, QPoint(x_of(canvas, 310), grip.y()))
    assert session.range.frames == range(300, 310)


# --- the transport ----------------------------------------------------------------------------------------


def test_the_buttons_step_and_play(qtbot: QtBot, town: TimelinePane, session: Session, player: Player) -> None:
    buttons = town.transport.buttons
    for name, frame in (("last", 554), ("previous", 553), ("next", 554), ("first", 0)):
        qtbot.mouseClick(buttons[name], LEFT)
        assert session.selection.frame_index == frame
    qtbot.mouseClick(buttons["play"], LEFT)
    assert player.is_playing
    qtbot.mouseClick(buttons["play"], LEFT)
    assert not player.is_playing
    qtbot.mouseClick(buttons["loop"], LEFT)
    assert player.is_looping
    assert buttons["loop"].isChecked()
    next(action for action in town.transport.speed.menu().actions() if action.data() == 4.0).trigger()
    assert (player.speed, town.transport.speed.text()) == (4.0, "4×")


def test_a_moment_has_its_unit_where_the_end_of_the_recording_has_no_room(town: TimelinePane, session: Session) -> None:
    transport = town.transport
    session.selection.go_to_frame(330)
    before = transport.width()
    width = before
    while not transport.whole.isHidden():
        width -= 20
        town.resize(width, town.height())
        settle()
    assert transport.time.text() == "16.500 s"
    assert transport.time.width() >= transport.time.sizeHint().width()
    session.selection.go_to_frame(331)
    assert transport.time.text() == "16.550 s"
    town.resize(before, town.height())
    settle()
    assert not transport.whole.isHidden()
    assert transport.time.text() == "16.550"


@pytest.mark.parametrize(("last", "shown"), [(59.95, "59.950 s"), (75.5, "0:01:15.500"), (40_000.0, "11:06:40.000")])
def test_moments_of_more_than_a_minute_are_hours_minutes_and_seconds_and_never_cut(
    qtbot: QtBot, pane: TimelinePane, session: Session, written: Written, last: float, shown: str
) -> None:
    session.open(written(*(builders.frame(i, at, 0.05) for i, at in enumerate((0.0, 12.5, last / 2, last)))))
    transport, stop = pane.transport, pane.transport.stop
    assert (transport.whole.text(), stop.text()) == (f" / {shown}", shown)
    assert pane.canvas.axis.label(last) == shown
    assert stop.fontMetrics().horizontalAdvance(shown) <= stop.width() - 16
    commit(qtbot, transport.start, "12.5")
    assert session.range.frames == range(1, 4)
    first = transport.start.text()
    assert first == ("12.500 s" if last < 60 else "0:00:12.500")
    session.range.clear()
    commit(qtbot, transport.start, first)
    assert session.range.frames == range(1, 4)
    for zoom in (1.0, 40.0, 4000.0):
        axis = pane.canvas.axis.zoomed(zoom, 700)
        texts = [tick.text for tick in axis.ticks() if not tick.text.startswith("#")]
        assert {":" in text for text in texts} <= {last > 60}
        width = max(
            (pane.canvas.theme.metrics(pane.canvas.theme.small).horizontalAdvance(text) for text in texts), default=0
        )
        assert all(
            after.time - tick.time > width * (axis.high - axis.low) / axis.width
            for tick, after in itertools.pairwise(axis.ticks())
        )


@pytest.mark.parametrize("hours", [False, True])
def test_all_that_the_transport_shows_is_whole_in_a_narrow_window(
    pane: TimelinePane, session: Session, theme: Theme, player: Player, written: Written, hours: bool
) -> None:
    step = 4000.0 if hours else 0.05
    session.open(written(*(builders.frame(i, i * step, step) for i in range(1200))))
    session.range.set(2, 12)
    player.set_speed(0.25)
    transport = pane.transport
    for text_size, width in itertools.product((9, 12, 14, 16, 18), (683, 800, 1000, 1440)):
        theme.set_text_size(text_size)
        pane.resize(width, 228)
        settle()
        assert pane.width() == width
        children = transport.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        parts = [part for part in children if part.isVisible() and not part.isWindow()]
        parts.sort(key=lambda part: part.x())
        assert {transport.start, transport.stop, transport.frame, transport.buttons["play"]} <= set(parts)
        assert all(left.geometry().right() < right.x() for left, right in itertools.pairwise(parts)), text_size
        assert parts[-1].geometry().right() < width
        texts = [part for part in parts if not isinstance(part, QLineEdit)]
        assert [part for part in texts if part.width() < part.minimumSizeHint().width()] == [], text_size
        for line in (transport.start, transport.stop):
            assert line.width() >= line.fontMetrics().horizontalAdvance(line.text()) + theme.px(20)


def test_the_names_of_in_and_out_go_together(pane: TimelinePane, session: Session, written: Written) -> None:
    session.open(written(*(builders.frame(i, i * 0.05, 0.05) for i in range(1200))))
    seen = set()
    for width in range(600, 1000, 4):
        pane.transport.resize(width, pane.transport.height())
        seen.add(tuple(word.isVisible() for word in pane.transport.range_labels))
    assert seen == {(True, True), (False, False)}


def test_another_text_size_moves_the_parts_of_the_transport_at_once(
    pane: TimelinePane, session: Session, theme: Theme, written: Written
) -> None:
    session.open(written(*(builders.frame(i, i * 0.05, 0.05) for i in range(1200))))
    pane.resize(683, 228)
    settle()
    transport = pane.transport
    for text_size in (15, 12):
        theme.set_text_size(text_size)
        children = transport.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        places = sorted((part.geometry() for part in children if part.isVisible()), key=lambda place: place.x())
        assert all(left.right() < right.x() for left, right in itertools.pairwise(places)), text_size


def test_a_step_to_a_number_of_more_digits_lays_out_nothing(
    pane: TimelinePane, session: Session, written: Written
) -> None:
    session.open(written(*(builders.frame(i, i * 1.25, 1.25) for i in range(12))))
    session.selection.go_to_frame(7)
    assert Watch(QEvent.Type.LayoutRequest).during(lambda: session.selection.step(1)) == {}
    session.selection.step(1)
    assert (pane.transport.frame.text(), pane.transport.time.text()) == ("10", "11.250")
    session.selection.go_to_frame(8)
    assert Watch(QEvent.Type.LayoutRequest).during(lambda: session.selection.step(1)) == {}


# --- odd recordings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("odd", [math.nan, 0.5, math.inf])
def test_times_that_do_not_rise_give_way_to_frame_numbers(
    qtbot: QtBot, pane: TimelinePane, session: Session, written: Written, odd: float
) -> None:
    times = [0.05 * index for index in range(200)]
    times[120] = odd
    session.open(written(*(builders.frame(index, time, 0.05) for index, time in enumerate(times))))
    canvas = pane.canvas
    assert not canvas.axis.in_seconds
    assert "By frame number" in canvas.pointing.tip(QPointF(600, 35))
    assert {tick.text[0] for tick in canvas.axis.ticks()} == {"#"}
    qtbot.mouseClick(canvas, LEFT, pos=point_of_frame(canvas, 120))
    assert session.selection.frame_index == 120
    assert (pane.transport.start.text(), pane.transport.stop.text()) == ("#1", "#200")
    commit(qtbot, pane.transport.start, "3.0")
    assert "do not increase" in pane.transport.start.reason
    commit(qtbot, pane.transport.start, "#50")
    assert session.range.frames == range(49, 200)


def test_names_and_numbers_at_the_left_are_whole_in_any_text_size(
    pane: TimelinePane, session: Session, written: Written, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[str, QFont, int | None]] = []
    monkeypatch.setattr(
        drawing, "draw_text", lambda _p, _r, text, font, *_a, room=None: drawn.append((text, font, room))
    )
    actors = [builders.actor(number) for number in range(1, 2001)]
    session.open(
        written(
            builders.frame(1, 1.0, 0.05, [builders.packet(2, builders.event_add(actors))]), builders.frame(2, 0.5, 0.05)
        )
    )
    canvas = pane.canvas
    for size in (12, 18):
        theme.set_text_size(size)
        drawn.clear()
        canvas.grab()
        assert {"Frames", "Actors"} <= {text for text, _, _ in drawn}
        for text, font, room in drawn:
            assert room is not None
            assert theme.metrics(font).horizontalAdvance(text) <= room, text
    theme.set_text_size(12)
    layout = canvas.timeline_layout
    assert layout.count_text == f"{layout.rows}/2,000"


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_hardly_any_frames(qtbot: QtBot, pane: TimelinePane, session: Session, written: Written, frames: int) -> None:
    session.open(written(*(builders.frame(index, 1.0, 0.05) for index in range(frames))))
    canvas = pane.canvas
    wheel(canvas, 600, 100, 2)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Down, Qt.Key.Key_Plus, Qt.Key.Key_0, Qt.Key.Key_I):
        qtbot.keyClick(canvas, key)
    qtbot.mouseClick(canvas, LEFT, pos=QPoint(900, 100))
    assert not pane.grab().isNull()
    assert session.selection.frame_index == max(0, frames - 1)


def test_nothing_open_and_only_raw_bytes(
    qtbot: QtBot, pane: TimelinePane, session: Session, damaged_recording: Path
) -> None:
    assert not pane.grab().isNull()
    assert not pane.transport.isEnabled()
    session.open(damaged_recording)
    qtbot.mouseClick(pane.canvas, LEFT, pos=QPoint(600, 100))
    qtbot.mouseMove(pane.canvas, QPoint(700, 100))
    assert pane.canvas.pointing.tip(QPointF(600, 100)) == ""
    assert not pane.grab().isNull()


def test_a_hidden_timeline_does_nothing_until_it_is_shown(
    qtbot: QtBot, session: Session, theme: Theme, player: Player, recordings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = TimelinePane(session, theme, player)
    qtbot.addWidget(pane)
    settled: list[bool] = []
    monkeypatch.setattr(
        "recorder_editor.ui.panes.timeline.timeline_view.marks_of", lambda *_, **__: settled.append(True)
    )
    session.open(recordings / TOWN05)
    session.selection.go_to_frame(40)
    assert settled == []
    monkeypatch.undo()
    pane.show()
    assert len(pane.canvas.axis.times) == 555


def test_a_step_repaints_only_where_the_cursor_was_and_is(
    qtbot: QtBot, town: TimelinePane, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = town.canvas
    session.selection.go_to_frame(100)
    town.grab()
    painted: list[bool] = []
    monkeypatch.setattr(Canvas, "_painted", lambda _: painted.append(True))
    areas: list[int] = []
    update = QWidget.update
    monkeypatch.setattr(canvas, "update", lambda *where: (areas.append(len(where)), update(canvas, *where)))
    session.selection.go_to_frame(101)
    assert painted == []
    assert areas
    assert 0 not in areas


def test_a_step_of_less_than_a_pixel_repaints_the_words_of_the_cursor(
    pane: TimelinePane, session: Session, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.open(written(*(builders.frame(i, i * 0.001, 0.001) for i in range(20_000))))
    canvas, areas = pane.canvas, list[QRect]()
    pane.grab()
    monkeypatch.setattr(canvas, "update", areas.append)
    session.selection.step(1)
    axis = canvas.axis
    assert (axis.label_of(1), int(axis.x(0.001))) == ("0.001 s", int(axis.x(0.0)))
    assert any(area.contains(canvas.cursor_tag().toRect()) for area in areas)


def test_a_million_frames_and_ten_thousand_actors_paint(
    qtbot: QtBot, pane: TimelinePane, session: Session, tmp_path: Path
) -> None:
    count = 1_000_000
    made = np.zeros(
        count, np.dtype([("start", "S5"), ("id", "<u8"), ("duration", "<f8"), ("elapsed", "<f8"), ("end", "S5")])
    )
    body = made.view(np.uint8).reshape(count, -1)
    body[:, :5] = np.frombuffer(struct.pack("<BI", 0, 24), np.uint8)
    body[:, -5:] = np.frombuffer(struct.pack("<BI", 1, 0), np.uint8)
    made["id"], made["duration"], made["elapsed"] = np.arange(2, count + 2), 0.05, np.arange(1, count + 1) * 0.05
    born = builders.event_add([builders.actor(number) for number in range(1, 10_001)])
    path = tmp_path / "long.log"
    path.write_bytes(builders.recording(builders.frame(1, 0.0, 0.05, [builders.packet(2, born)])) + made.tobytes())
    session.open(path)
    assert session.frames == count + 1
    canvas = pane.canvas
    assert not pane.grab().isNull()
    qtbot.mouseClick(canvas, LEFT, pos=point_of_frame(canvas, 500_000))
    wheel(canvas, 700, 100, 10)
    assert not canvas.axis.is_whole
    assert len(canvas.roster) == 10_000
    session.range.set(1_000, 900_000)
    assert not pane.grab().isNull()


def test_a_frame_of_which_a_part_is_in_sight_is_in_sight() -> None:
    axis = Axis(np.arange(10.0), True, low=2.5, high=5.5)
    assert axis.visible_frames() == range(2, 6)


@pytest.mark.parametrize("span", [(0.0, 27.7), (3.1, 9.4), (16.0, 17.9), (0.0, 50_000.0)])
def test_ticks_are_round_in_sight_and_never_twice_the_same(span: tuple[float, float]) -> None:
    times = np.arange(0, max(28.0, span[1]), 0.05)
    axis = Axis(times, True, left=104, width=1322).showing(*span)
    ticks = axis.ticks()
    assert 5 <= len(ticks) <= 22
    assert len({tick.text for tick in ticks}) == len(ticks)
    assert all(axis.low - 0.05 <= tick.time <= axis.high for tick in ticks)
    assert all(seconds_of(tick.text) == pytest.approx(tick.time, abs=1e-9) for tick in ticks)


# --- pictures ---------------------------------------------------------------------------------------------


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_pictures_of_the_timeline(
    qtbot: QtBot, pane: TimelinePane, session: Session, theme: Theme, recordings: Path, artefacts: Path, mode: str
) -> None:
    theme.set_mode("dark" if mode == "dark" else "light")
    for name, file, frame, actor, span, size, seen in (
        ("inspect", TOWN05, 330, 3932, range(240, 500), (1440, 228), (9.0, 26.6)),
        ("trim", TOWN05, 469, 3890, range(420, 520), (1440, 368), None),
        ("small", WALKERS, 238, 4864, range(97, 380), (1280, 196), (2.0, 18.0)),
    ):
        pane.resize(*size)
        session.open(recordings / file)
        qtbot.waitUntil(lambda: session.background.trajectories is not None)
        session.selection.go_to_frame(frame)
        session.selection.select_actor(actor)
        session.range.set(span.start, span.stop)
        if seen is not None:
            pane.canvas.set_axis(pane.canvas.axis.showing(*seen))
        assert pane.grab().save(str(artefacts / f"timeline-{name}-{mode}.png"))
    theme.set_mode("light")


@pytest.mark.parametrize("times", [(-7e174,), (-1.7e308, 1.7e308), (1e17, 1e17, 1e17 + 16)])
def test_seconds_that_no_axis_can_tell_apart_give_way_to_frame_numbers(tmp_path: Path, times: tuple[float]) -> None:
    path = tmp_path / "far.log"
    path.write_bytes(builders.recording(*(builders.frame(n + 1, time, 0.05) for n, time in enumerate(times))))
    with recorder_editor.open(path) as recording:
        axis = axis_of(recording.snapshot)
    assert [tick.text for tick in axis.ticks()] == [f"#{n + 1}" for n in range(len(times))]
    assert axis.x(axis.last) == axis.left + axis.width
