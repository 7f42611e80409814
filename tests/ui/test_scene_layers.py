"""The layers of the scene, each alone and in their box: what they draw, what they keep labels off, how one is added."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPainterPath, QPolygonF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from recorder_editor.edits.paths.keyed import KeyedPath, RecordedPath
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.rigid import Ghost
from recorder_editor.reading.trajectories import POINT, Trajectories, Trajectory
from recorder_editor.roads import read_road_map
from recorder_editor.ui.panes.scene import box
from recorder_editor.ui.panes.scene.camera import Camera
from recorder_editor.ui.panes.scene.camera_view import CameraView
from recorder_editor.ui.panes.scene.label_layout import Sides
from recorder_editor.ui.panes.scene.layers import LAYERS, Layer, RecordedPaths, WipeLine
from recorder_editor.ui.panes.scene.layers import label_layer as labels
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.panes.scene.shapes import corners_of, path_of_lines, polygon_of
from recorder_editor.ui.panes.scene.state import Compared, MarkedPath, SceneState, Wipe
from recorder_editor.ui.panes.scene.trails import LeaderLine, trails_of
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.conflict import Conflict, Way
from recorder_editor.views.frame_actors import EMPTY, FrameActors, FrameContents, Kind, TrafficLight
from recorder_editor.views.frame_rays import FrameRay
from recorder_editor.views.road_shapes import road_shapes
from recorder_editor.views.streets import streets_of
from tests.roads.builders import opendrive, road

CAMERA = Camera(0.0, 0.0, 25.0, 640, 480)
IN_THE_DISC = 310, 260


class Disc(Layer):
    """A pink disc about the world's origin that no label may touch."""

    def occupied(self) -> Iterator[Sides]:
        centre = self.state.camera.point(0.0, 0.0)
        yield centre.x() - 60, centre.y() - 60, centre.x() + 60, centre.y() + 60

    def draw(self, painter: QPainter) -> None:
        painter.setBrush(QColor("#ff00ff"))
        painter.drawEllipse(self.state.camera.point(0.0, 0.0), 50, 50)


def actors(x: list[float], y: list[float], turned: float = 0.0) -> FrameActors:
    """Vehicles of the ids 1, 2, ...; the second one is the hero."""
    count = len(x)
    numbers, ids = np.zeros(count, np.int64), np.arange(1, count + 1)
    half = np.tile([2.0, 1.0], (count, 1))
    yaw, speed = np.full(count, turned), np.full(count, 3.0)
    return FrameActors(
        ids, numbers, numbers, np.array(x), np.array(y), np.zeros(len(x)), yaw, half, ids == 2, speed, numbers
    )


@pytest.fixture
def full(session: Session, path: Path) -> SceneState:
    """A state in which every layer has something to draw."""
    session.open(path)
    snapshot = session.snapshot_or_refuse()
    way = np.zeros(30, POINT)
    way["x"], way["frame"] = np.arange(30) * 0.3 - 4.0, np.arange(30)
    driven = Trajectory(1, None, 9.0, 3.0, 0, np.zeros((0, 2), np.int32), way)
    fixture = np.array([(50, Kind.PROP, 3.0, 3.0, 0, 99)], EMPTY.fixtures.dtype)
    return SceneState(
        camera=CAMERA,
        contents=FrameContents(
            snapshot.frame(0),
            actors([-4.0, 4.0], [0.0, 0.0]),
            (TrafficLight(9, 0.0, -5.0, 0, 1.5),),
            fixture,
            (FrameRay("Beam.look", -6.0, 4.0, 0.8, 0.0),),
        ),
        roads=road_shapes(read_road_map(opendrive(road()))),
        streets=streets_of(Trajectories((driven,), Actors.of(snapshot), 0, 1, 1.0)),
        selected=(1,),
        trails=trails_of([driven], np.arange(30) * 0.1, 10),
        colliding=frozenset((2,)),
        leaders=(LeaderLine(1, 2, 4.0, 2.0, 1),),
        other=actors([-4.0, 5.0], [1.0, 0.0]),
        former=(Ghost(1, -1.0, 0.5, 10.0),),
        ghosts=(Ghost(1, 1.0, 2.0),),
        measured=((0.0, 5.0), (5.0, 5.0)),
        band=QRectF(20, 20, 100, 60),
        signs=True,
    )


def drawn(layer: Layer, state: SceneState) -> QImage:
    """What one layer draws on white, nothing else being there."""
    image = QImage(640, 480, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    layer.set_state(state)
    painter = QPainter(image)
    layer.paint(painter)
    painter.end()
    return image


def test_each_layer_alone_draws_its_part_of_a_state_and_nothing_of_an_empty_one(
    theme: Theme, full: SceneState, session: Session
) -> None:
    x = np.arange(9.0)
    path = KeyedPath.as_recorded(RecordedPath(np.arange(9), x, np.column_stack((x - 4.0, x**2 / 9))))
    session.drawing.legs = [[(-3.0, -3.0)], [(0.0, 1.0), (3.0, 2.0)]]
    conflict = Conflict(
        (Way(1, False, -4.0, 0.0, 3.0, 1.0, 1.0, None), Way(2, True, 4.0, 0.0, -3.0, 1.0, 1.0, np.eye(4, 2))),
        seconds=1.2,
        distance=4.0,
        place=(0.0, 2.0),
    )
    state = replace(full, path=path, drawn=session.drawing, conflict=conflict, compared=Compared((2,), "2 differs"))
    marked = MarkedPath(1, QColor("blue"), x, x - 2.0, ((1.0, -1.0, "0.5 s"),))
    state = replace(state, marked_paths=(marked,))
    wiped = replace(state, wipe=Wipe(SceneState(camera=CAMERA), 320.0))
    pictures = [drawn(kind(theme), wiped if kind is WipeLine else state) for kind in LAYERS]
    nothing = QImage(640, 480, QImage.Format.Format_RGB32)
    nothing.fill(Qt.GlobalColor.white)
    for index, (kind, picture) in enumerate(zip(LAYERS, pictures, strict=True)):
        assert picture != nothing, kind
        assert picture not in pictures[:index], kind
        assert drawn(kind(theme), SceneState()) == nothing, kind


@pytest.fixture
def scene(qtbot: QtBot, session: Session, theme: Theme, full: SceneState) -> Callable[[], CameraView]:
    """A view of 640 x 480 pixels with a scene box that shows the full state with its own camera."""

    def make() -> CameraView:
        view = CameraView(session, theme)
        view.set_box(box.SceneBox(theme, lambda: full))
        qtbot.addWidget(view)
        view.resize(640, 480)
        with qtbot.waitExposed(view):
            view.show()
        view.box.set_camera(CAMERA)
        return view

    return make


def test_a_new_layer_is_a_class_and_a_line_and_lies_where_the_line_says(
    scene: Callable[[], CameraView], monkeypatch: pytest.MonkeyPatch
) -> None:
    pink = QColor("#ff00ff")
    assert scene().grab().toImage().pixelColor(*IN_THE_DISC) != pink
    for place, on_top in ((LAYERS.index(RecordedPaths) + 1, False), (len(LAYERS), True)):
        with monkeypatch.context() as patch:
            patch.setattr(box, "LAYERS", (*LAYERS[:place], Disc, *LAYERS[place:]))
            picture = scene().grab().toImage()
        assert picture.pixelColor(*IN_THE_DISC) == pink
        # The line from the follower to its leader goes through the middle.
        assert (picture.pixelColor(320, 240) == pink) is on_top


def test_labels_keep_off_what_a_layer_says_it_occupies(
    scene: Callable[[], CameraView], monkeypatch: pytest.MonkeyPatch
) -> None:
    def labels() -> QImage:
        view = scene()
        view.grab()
        layer = next(layer for layer in view.box.layers if type(layer).__name__ == "Labels")
        return drawn(layer, layer.state).copy(260, 180, 120, 120)

    free = labels()
    monkeypatch.setattr(box, "LAYERS", (*LAYERS, Disc))
    white = QImage(120, 120, QImage.Format.Format_RGB32)
    white.fill(Qt.GlobalColor.white)
    assert free != white
    assert labels() == white


def chips_of(theme: Theme, state: SceneState, monkeypatch: pytest.MonkeyPatch) -> dict[str, QRectF]:
    """The chips that are drawn of a state, all layers being there, and where they lie."""
    found: dict[str, QRectF] = {}

    def note(_painter: QPainter, _theme: Theme, rect: QRectF, text: str, _edge: QColor) -> None:
        found[text] = rect

    monkeypatch.setattr(labels, "draw_chip", note)
    layers = tuple(kind(theme) for kind in LAYERS)
    for layer in layers:
        layer.peers = layers
        layer.set_state(state)
    (placing,) = (layer for layer in layers if isinstance(layer, labels.Labels))
    drawn(placing, state)
    return found


@pytest.mark.parametrize("x", [-8.0, 11.0])
def test_the_note_of_a_drag_the_chips_and_the_arrow_cover_no_car_and_one_another(
    theme: Theme, full: SceneState, monkeypatch: pytest.MonkeyPatch, x: float
) -> None:
    # The selected car and the hero stand where the ghost comes to lie, one of them beneath the north arrow.
    state = replace(
        full,
        camera=CAMERA._replace(x=x, y=8.0, scale=15.0),
        contents=replace(full.contents, actors=actors([0.0, 2.0, 0.0, 6.0], [0.0, -5.0, -8.0, -4.0]), lights=()),
        colliding=frozenset(),
        leaders=(),
        ghosts=(Ghost(1, 3.0, -4.0),),
        ghost_scope="This frame",
    )
    chips = chips_of(theme, state, monkeypatch)
    assert set(chips) == {"1  3.0 m/s", "2 hero", "5.00 m This frame", "5.00 m  0.0 °"}
    taken = list(chips.values())
    overlays = next(kind for kind in LAYERS if kind.__name__ == "Overlays")(theme)
    overlays.set_state(state)
    taken += [QRectF(QPointF(*each[:2]), QPointF(*each[2:])) for each in overlays.occupied()]
    cars = [
        QPolygonF([QPointF(*corner) for corner in four])
        for four in corners_of(state.camera, state.actors, np.arange(4))
    ]
    for chip in chips.values():
        assert not [other for other in taken if other is not chip and other.intersects(chip)]
        assert not [car for car in cars if car.boundingRect().intersects(chip)]


@pytest.mark.parametrize("width", [340.0, 800.0])
def test_scale_bar_and_legend_stand_apart(theme: Theme, full: SceneState, width: float) -> None:
    overlays = next(kind for kind in LAYERS if kind.__name__ == "Overlays")(theme)
    overlays.set_state(replace(full, camera=CAMERA._replace(width=width)))
    bar, _, legend, _ = (QRectF(QPointF(*each[:2]), QPointF(*each[2:])) for each in overlays.occupied())
    assert not bar.intersects(legend)


@pytest.mark.parametrize(("width", "height"), [(225, 115), (225, 200)])
def test_a_low_or_narrow_view_has_no_legend_over_its_actors(
    theme: Theme, full: SceneState, width: int, height: int
) -> None:
    overlays = next(kind for kind in LAYERS if kind.__name__ == "Overlays")(theme)
    overlays.set_state(replace(full, camera=CAMERA._replace(width=width, height=height)))
    image = QImage(width, height, QImage.Format.Format_RGB32)
    ground = QColor("#ffffff")
    image.fill(ground)
    painter = QPainter(image)
    overlays.draw(painter)
    painter.end()
    drawn = {(x, y) for x in range(width) for y in range(height) if image.pixelColor(x, y) != ground}
    boxes = [QRectF(QPointF(*each[:2]), QPointF(*each[2:])) for each in overlays.occupied()]
    boxes = [box for box in boxes if box.isValid()]  # the key of colours has no rows
    assert drawn
    assert len(boxes) == 2
    assert all(any(box.contains(x, y) for box in boxes) for x, y in drawn)


def test_a_note_without_room_stands_above_what_it_is_about(
    theme: Theme, full: SceneState, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [(8.0 * column, 6.0 * row) for column in range(-6, 6) for row in range(-6, 6)]
    crowd = actors([0.0, *(x for x, _ in places)], [0.0, *(y for _, y in places)])
    crowd = replace(crowd, half=np.tile([4.0, 3.0], (len(crowd), 1)))
    state = replace(full, contents=replace(full.contents, actors=crowd), ghosts=(Ghost(1, 1.0, 0.0),))
    chips = chips_of(theme, state, monkeypatch)
    assert chips["1.00 m"].center().x() == pytest.approx(CAMERA.point(1.0, 0.0).x())
    assert chips["1.00 m"].bottom() < CAMERA.point(0.0, -3.0).y()


def test_who_is_nowhere_has_no_ghost(theme: Theme, full: SceneState) -> None:
    ghosts = next(kind for kind in LAYERS if kind.__name__ == "Ghosts")(theme)
    lost = replace(full.contents, actors=actors([math.nan, 0.0], [0.0, 0.0]))
    ghosts.set_state(replace(full, contents=lost, ghosts=(Ghost(1, 1.0, 0.0), Ghost(2, 1.0, 0.0))))
    assert [wish.actor for wish in ghosts.notes()] == [2]


def test_a_drag_says_less_where_its_words_have_no_room_and_is_never_cut(
    theme: Theme, full: SceneState, monkeypatch: pytest.MonkeyPatch
) -> None:
    lane = "road 8000000000000, lane -1"
    full = replace(full, ghost_scope="in 1 frame", ghost_lane=lane, measured=None, colliding=frozenset())
    for width, said in ((640.0, f"2.24 m in 1 frame\n{lane}"), (200.0, "2.24 m in 1 frame")):
        chips = chips_of(theme, replace(full, camera=CAMERA._replace(width=width)), monkeypatch)
        assert CAMERA._replace(width=width).pane.contains(chips[said])
    # Where everything is taken, it stands above the ghost as far as there is room.
    crowd = replace(full.contents, actors=replace(full.actors, half=np.full((2, 2), 90.0)))
    for x, y in ((3.0, -2.0), (9.0, 9.0), (-5.0, -9.0)):
        chips = chips_of(theme, replace(full, contents=crowd, ghosts=(Ghost(1, x, y),)), monkeypatch)
        (chip,) = (chip for text, chip in chips.items() if text.endswith(" m"))
        assert CAMERA.pane.contains(chip)


def test_labels_keep_off_the_actors_of_the_other_recording(
    theme: Theme, full: SceneState, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = replace(full, ghosts=(), measured=None, colliding=frozenset(), leaders=(), trails=())
    free = chips_of(theme, replace(state, other=None), monkeypatch)
    place = free["1  3.0 m/s"].center()
    there = actors([state.camera.world(place)[0]], [state.camera.world(place)[1]])
    chips = chips_of(theme, replace(state, other=there), monkeypatch)
    assert not chips["1  3.0 m/s"].intersects(QRectF(place - QPointF(50, 25), place + QPointF(50, 25)))


def test_the_camera_keeps_its_middle_and_scale_in_another_size(scene: Callable[[], CameraView]) -> None:
    view = scene()
    assert view.camera == CAMERA
    view.box.set_camera(CAMERA._replace(x=132.0, y=224.0, scale=10.0))
    view.resize(320, 120)
    assert view.camera == CAMERA._replace(x=132.0, y=224.0, scale=10.0, width=320.0, height=120.0)


def test_many_lines_are_one_path_as_if_drawn_point_by_point() -> None:
    lines = np.array([[(0.0, 0.0), (1.0, 0.5), (2.0, -3.0)], [(5.0, 5.0), (6.0, 5.25), (1e6, -0.125)]])
    expected = QPainterPath()
    for line in lines:
        expected.moveTo(*line[0])
        expected.lineTo(*line[1])
        expected.lineTo(*line[2])
    path = path_of_lines(lines)
    assert path == expected
    for longer in (path, expected):
        longer.closeSubpath()
        longer.lineTo(9.0, 9.0)
    assert path == expected
    assert path_of_lines(np.empty((0, 4, 2))).isEmpty()


def test_many_points_are_a_polygon_as_if_added_one_by_one() -> None:
    points = [QPointF(0.0, 1.5), QPointF(-3.25, 1e6), QPointF(0.1, 0.2)]
    x, y = np.array([(point.x(), point.y()) for point in points]).T
    assert polygon_of(x, y) == QPolygonF(points)
    assert polygon_of(x[:0], y[:0]) == QPolygonF()


def test_a_pointer_that_moves_over_the_scene_draws_nothing_anew(
    qtbot: QtBot, theme: Theme, session: Session, settings: Settings, path: Path
) -> None:
    session.open(path)
    pane = ScenePane(session, theme, Player(session, session), settings)
    qtbot.addWidget(pane)
    pane.resize(640, 480 + pane.hints.height())
    with qtbot.waitExposed(pane):
        pane.show()
    qtbot.waitUntil(lambda: session.background.trajectories is not None and not pane.view.roads.is_drawing)
    pane.view.set_ids_mode("all")  # else the ids of others are shown where the pointer comes
    pane.view.grab()
    state = pane.view.state

    def move(x: float) -> None:
        at, none = QPointF(x, 100.0), Qt.MouseButton.NoButton
        moved = QMouseEvent(QEvent.Type.MouseMove, at, at, none, none, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(pane.view.viewport(), moved)

    move(100.0)
    move(180.0)
    assert pane.view.state is state
    pane.view.switch("measure")
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=QPointF(200, 200).toPoint())
    state = pane.view.state
    move(250.0)
    assert pane.view.state is not state
    assert pane.view.state.measured is not None
