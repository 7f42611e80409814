"""The parts of the scene on their own: what there is in a frame, the camera, labels, trails, and the roads' picture."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.event_index import CLASSES
from recorder_editor.reading.trajectories import POINT, Trajectories, Trajectory
from recorder_editor.recording.recording import Recording
from recorder_editor.ui.panes.scene.camera import Camera, box_of, nice_length
from recorder_editor.ui.panes.scene.label_layout import Board, Wish, place_labels, sides_of
from recorder_editor.ui.panes.scene.layers import RecordedPaths
from recorder_editor.ui.panes.scene.layers import layer as base
from recorder_editor.ui.panes.scene.state import SceneState
from recorder_editor.ui.panes.scene.trails import moment_at, trail_of
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.frame_actors import FrameContents, Kind, frame_contents, life_traits
from recorder_editor.views.streets import NO_STREETS, Streets, streets_of

from .. import builders as b


@contextmanager
def opened(folder: Path, *packets: bytes) -> Iterator[Recording]:
    path = folder / "one.log"
    path.write_bytes(b.recording(b.frame(1, 0.0, 0.1, packets), b.frame(2, 0.1, 0.1)))
    with recorder_editor.open(path, dialect="ue4-0.9.12") as recording:
        yield recording


def contents(recording: Recording) -> FrameContents:
    snapshot = recording.snapshot
    return frame_contents(snapshot, snapshot.frame(0), life_traits(Actors.of(snapshot)))


def trajectory(
    x: list[float], y: list[float], frames: list[int] | None = None, top_speed: float = math.nan
) -> Trajectory:
    path = np.zeros(len(x), POINT)
    path["x"], path["y"] = x, y
    path["frame"] = frames if frames is not None else range(len(x))
    return Trajectory(5, None, 0.0, top_speed, 0, np.zeros((0, 2), np.int32), path)


# --- what there is ----------------------------------------------------------------------------------------


def test_the_kinds_are_counted_as_the_classes_are() -> None:
    names = ("VEHICLE", "TWO_WHEELER", "WALKER", "LIGHT", "SIGN", "PROP", "SENSOR", "SPECTATOR", "OTHER")
    assert [Kind[name] for name in names] == list(range(len(CLASSES)))
    assert [CLASSES[Kind[name]].replace("-", "_").split()[-1].upper() for name in names] == list(names)


def test_a_box_stands_about_its_recorded_centre(tmp_path: Path) -> None:
    born = b.packet(2, b.event_add([b.actor(5)]))
    here = b.packet(6, b.position([b.pose(5, b.xyz(1000.0, 2000.0), b.turn(0.0, 0.0, 90.0))]))
    box = b.packet(13, b.bounding_box([{"id": 5, "origin": b.xyz(50.0, 0.0), "extent": b.xyz(250.0, 100.0, 75.0)}]))
    with opened(tmp_path, born, here, box) as recording:
        actors = contents(recording).actors
        assert (actors.x[0], actors.y[0]) == pytest.approx((10.0, 20.5))
        assert actors.half[0].tolist() == [2.5, 1.0]
        assert actors.corners(np.array([0]))[0] == pytest.approx(np.array([[11, 23], [9, 23], [9, 18], [11, 18]]))


@pytest.mark.parametrize("extent", [math.nan, math.inf, 0.0, -5.0, 1e9])
def test_a_box_that_is_none_gives_way_to_the_size_of_the_class(tmp_path: Path, extent: float) -> None:
    born = b.packet(2, b.event_add([b.actor(5)]))
    here = b.packet(6, b.position([b.pose(5)]))
    box = b.packet(13, b.bounding_box([{"id": 5, "origin": b.xyz(), "extent": b.xyz(extent, 100.0, 75.0)}]))
    with opened(tmp_path, born, here, box) as recording:
        assert contents(recording).actors.half[0].tolist() == [2.3, 0.95]


def test_lamps_stand_where_they_were_born_and_props_too(tmp_path: Path) -> None:
    born = b.packet(
        2,
        b.event_add(
            [
                b.actor(9, 3, "traffic.traffic_light", b.xyz(100.0, 200.0)),
                b.actor(10, 3, "traffic.stop", b.xyz(300.0)),
                b.actor(11, 4, "static.prop.bench", b.xyz(400.0)),
                b.actor(12, 4, "static.prop.bench", b.xyz(500.0)),
            ]
        ),
    )
    state = b.packet(
        7,
        b.traffic_light_state(
            [
                {"id": 9, "frozen": False, "elapsed": 2.5, "state": 1},
                {"id": 99, "frozen": False, "elapsed": 0.0, "state": 0},
            ]
        ),
    )
    here = b.packet(6, b.position([b.pose(12, b.xyz(600.0))]))
    with opened(tmp_path, born, here, state) as recording:
        found = contents(recording)
        assert [(one.actor, one.x, one.y, one.state, one.seconds) for one in found.lights] == [(9, 1.0, 2.0, 1, 2.5)]
        assert sorted(found.fixtures[["kind", "x"]].tolist()) == [(Kind.SIGN, 3.0), (Kind.PROP, 4.0)]
        assert found.actors.x.tolist() == [6.0]


def test_a_frame_without_positions_has_nobody(tmp_path: Path) -> None:
    with opened(tmp_path, b.packet(2, b.event_add([b.actor(5)]))) as recording:
        assert len(contents(recording).actors) == 0
        assert box_of(contents(recording).actors) is None


# --- the camera -------------------------------------------------------------------------------------------


@given(st.floats(-5e4, 5e4), st.floats(-5e4, 5e4), st.floats(0.05, 100), st.floats(0, 800), st.floats(0, 600))
def test_a_point_goes_to_the_screen_and_back(x: float, y: float, scale: float, px: float, py: float) -> None:
    camera = Camera(x, y, scale)
    back = camera.point(*camera.world(QPointF(px, py)))
    assert (back.x(), back.y()) == pytest.approx((px, py), abs=1e-5)


@given(st.floats(0.2, 5), st.floats(0, 800), st.floats(0, 600))
def test_zooming_keeps_what_is_under_the_pointer(factor: float, px: float, py: float) -> None:
    at = QPointF(px, py)
    before = Camera(10.0, -20.0, 7.0)
    assert before.zoomed(factor, at).world(at) == pytest.approx(before.world(at), abs=1e-6)


@pytest.mark.parametrize(("most", "length"), [(10.0, 10.0), (9.9, 5.0), (4.9, 2.0), (0.3, 0.2), (1234.0, 1000.0)])
def test_scale_bars_are_round(most: float, length: float) -> None:
    assert nice_length(most) == pytest.approx(length)


# --- labels -----------------------------------------------------------------------------------------------

PLACES = st.tuples(st.floats(0, 640), st.floats(0, 480), st.integers(0, 3))


@given(st.lists(PLACES, max_size=60))
def test_labels_touch_nothing_and_lie_within_the_pane(places: list[tuple[float, float, int]]) -> None:
    pane = QRectF(0, 0, 640, 480)
    board = Board(pane)
    cars = [QRectF(x - 20, y - 8, 40, 16) for x, y, _ in places]
    for car in cars:
        board.take(sides_of(car))
    wishes = [Wish(str(n), QPointF(x, y), (20, 8), 36, 14, rank, n) for n, (x, y, rank) in enumerate(places)]
    rects = [rect for _, rect in place_labels(wishes, board)]
    assert all(pane.adjusted(4, 4, -4, -4).contains(rect) for rect in rects)
    assert not any(rect.intersects(car) for rect in rects for car in cars)
    assert not any(a.intersects(other) for n, a in enumerate(rects) for other in rects[:n])


def test_the_first_place_is_at_the_right_and_the_important_ones_choose_first() -> None:
    board = Board(QRectF(0, 0, 400, 400))
    plain, chosen = (Wish(text, QPointF(200, 200), (20, 10), 40, 14, rank, rank) for text, rank in (("a", 3), ("b", 0)))
    placed = place_labels([plain, chosen], board)
    assert [wish.text for wish, _ in placed] == ["b", "a"]
    assert placed[0][1] == QRectF(225, 193, 40, 14)
    assert placed[1][1].right() < 200


def test_a_plain_label_gives_up_where_a_marked_one_goes_further() -> None:
    centre = QPointF(200, 200)
    for rank, count in ((3, 0), (0, 1)):
        board = Board(QRectF(0, 0, 400, 400))
        board.take(sides_of(QRectF(130, 150, 140, 100)))
        assert len(place_labels([Wish("x", centre, (10, 10), 40, 14, rank, 1)], board)) == count


def test_what_is_larger_than_the_pane_takes_all_of_it() -> None:
    board = Board(QRectF(0, 0, 4000, 3000))
    board.take(sides_of(QRectF(-1e6, -1e6, 2e6, 2e6)))
    assert not board.is_free(sides_of(QRectF(2000, 1500, 10, 10)))


# --- trails -----------------------------------------------------------------------------------------------


def test_a_trail_shows_seconds_behind_and_ahead_and_no_more() -> None:
    elapsed = np.arange(400) * 0.1
    trail = trail_of(trajectory([n * 1.0 for n in range(400)], [0.0] * 400), elapsed, 200)
    assert trail is not None
    assert (trail.frame[0], trail.frame[-1]) == (79, 251)
    assert trail.speed == pytest.approx(np.full(172, 10.0))
    assert trail.fastest == 10.0


def test_the_colours_end_at_the_top_speed_of_the_whole_way() -> None:
    trail = trail_of(trajectory([0.0, 1.0, 2.0], [0.0] * 3, top_speed=11.4), np.arange(3) * 1.0, 1)
    assert trail is not None
    assert trail.fastest == 12.0


def test_moments_between_the_points_of_a_trail_are_found() -> None:
    camera = Camera(50.0, 0.0, 5.0, 800, 600)
    trail = trail_of(trajectory([0.0, 100.0], [0.0, 0.0], [0, 50]), np.arange(51) * 0.1, 25)
    assert trail is not None
    assert moment_at(trail, camera, camera.point(40.0, 0.5)) == 20
    assert moment_at(trail, camera, camera.point(40.0, 3.0)) is None


def test_where_somebody_was_put_elsewhere_there_is_no_trail() -> None:
    camera = Camera(50.0, 0.0, 5.0, 800, 600)
    way = trajectory([0.0, 10.0, math.nan, 90.0, 100.0], [0.0, 0.0, math.nan, 0.0, 0.0], [0, 10, 10, 11, 21])
    trail = trail_of(way, np.arange(22) * 0.1, 10)
    assert trail is not None
    assert moment_at(trail, camera, camera.point(50.0, 0.0)) is None
    assert moment_at(trail, camera, camera.point(95.0, 0.0)) == 16


@pytest.mark.parametrize("way", [trajectory([], []), trajectory([1.0], [1.0])], ids=["empty", "one point"])
def test_a_way_of_no_length_has_no_trail(way: Trajectory) -> None:
    assert trail_of(way, np.zeros(0), 0) is None
    assert trail_of(way, np.arange(3) * 1.0, 0) is None


# --- roads ------------------------------------------------------------------------------------------------


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Streets]:
    rng = np.random.default_rng(7)
    ways = []
    for _ in range(40):
        heading = np.cumsum(rng.normal(0, 0.05, 300))
        start = rng.uniform(-60, 60, 2)
        ways.append(
            trajectory(
                (start[0] + np.cumsum(np.cos(heading))).tolist(), (start[1] + np.cumsum(np.sin(heading))).tolist()
            )
        )
    with opened(tmp_path) as recording:
        yield streets_of(Trajectories(tuple(ways), Actors.of(recording.snapshot), 0, 1, 1.0))


def painted(roads: RecordedPaths, camera: Camera, streets: Streets, *, lines: bool = False) -> QImage:
    image = QImage(int(camera.width), int(camera.height), QImage.Format.Format_RGB32)
    image.fill(roads.palette.scene)
    roads.set_state(SceneState(camera, streets=streets))
    painter = QPainter(image)
    roads.paint(painter, widget=None if lines else QWidget())
    painter.end()
    return image


def difference(one: QImage, other: QImage) -> float:
    """Share of pixels that are not nearly alike."""
    pixels = [np.frombuffer(image.constBits(), np.uint8).astype(int) for image in (one, other)]
    return float((np.abs(pixels[0] - pixels[1]) > 5).mean())


def test_many_points_are_drawn_in_slices_and_come_out_the_same(qtbot: QtBot, theme: Theme, town: Streets) -> None:
    roads, camera = RecordedPaths(theme), Camera(0.0, 0.0, 5.0, 320, 240)
    ground = painted(roads, camera, town)
    assert roads.is_drawing
    assert {ground.pixelColor(x, y).rgb() for x in range(320) for y in range(240)} == {theme.palette.scene.rgb()}
    with qtbot.waitSignal(roads.drawn):
        pass
    whole = painted(roads, camera, town)
    assert not roads.is_drawing
    assert difference(whole, ground) > 0.1
    assert difference(whole, painted(roads, camera, town, lines=True)) < 0.01


def test_moving_within_the_margin_draws_nothing_anew(
    theme: Theme, town: Streets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "AT_ONCE", 10**9)
    roads, camera = RecordedPaths(theme), Camera(0.0, 0.0, 5.0, 320, 240)
    painted(roads, camera, town)
    tile = roads._tile
    moved = camera.moved(-100, 60)
    near = painted(roads, moved, town)
    assert roads._tile is tile
    assert difference(near, painted(roads, moved, town, lines=True)) < 0.05
    painted(roads, camera.moved(0, 300), town)
    assert roads._tile is not tile


def test_while_zooming_the_old_picture_stands_in(qtbot: QtBot, theme: Theme, town: Streets) -> None:
    roads, camera = RecordedPaths(theme), Camera(0.0, 0.0, 5.0, 320, 240)
    painted(roads, camera, town)
    with qtbot.waitSignal(roads.drawn):
        pass
    now = painted(roads, camera.zoomed(1.2, QPointF(160, 120)), town)
    assert roads.is_drawing
    assert len({now.pixelColor(x, y).rgb() for x in range(0, 320, 3) for y in range(0, 240, 3)}) > 2
    with qtbot.waitSignal(roads.drawn):
        pass


def test_other_paths_and_other_colours_are_drawn_anew(
    theme: Theme, town: Streets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "AT_ONCE", 10**9)
    roads, camera = RecordedPaths(theme), Camera(0.0, 0.0, 5.0, 320, 240)
    light = painted(roads, camera, town)
    theme.set_mode("dark")
    dark = painted(roads, camera, town)
    assert difference(light, dark) > 0.5
    nothing = painted(roads, camera, NO_STREETS)
    assert {nothing.pixelColor(x, y).rgb() for x in range(320) for y in range(240)} == {theme.palette.scene.rgb()}
