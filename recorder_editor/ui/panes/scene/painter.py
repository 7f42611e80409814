"""The scene without a window: a frame of a recording, painted on any paint device at any size.

A `ScenePainter` draws with the layers of the scene pane, so that a picture or a video shows what the window shows. It
needs a QGuiApplication for its fonts, but no widget and no session, and may work in a thread of its own.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPaintEngine, QPainter

from ....formats.scene_options import SceneOptions
from ....progress import SILENT, Progress
from ....reading import Actors, Trajectories
from ....reading.trajectories import find_trajectories
from ....recording import Snapshot
from ....roads import RoadMap
from ....views.frame_actors import FrameContents, LifeTraits, colliding_in, frame_contents, life_traits
from ....views.road_shapes import RoadShapes, road_shapes
from ....views.streets import Streets, streets_of
from ...session.preferences import FollowMode, IdsMode, RoadsMode
from ...style.look import Look
from .camera import CLOSEST, FARTHEST, Camera, box_of_contents, is_placed
from .coloring import Coloring, FrameColorBy, coloring_of_frame
from .layers import LAYERS, RecordedPaths, Roads
from .layers.layer import PictureLayer
from .state import REACH_OF_IDS, SceneState, message_of
from .trails import trails_of, trajectories_of

if TYPE_CHECKING:
    from ....analysis import Analysis

FOLLOWED_WIDTH = 100.0
"""Metres that are seen across a view that follows an actor, unless another width is asked for."""

_MOST_FITTED = 60
"""Frames of a span that are looked at to fit all of it."""

_RASTER = (QPaintEngine.Type.Raster, QPaintEngine.Type.OpenGL2, QPaintEngine.Type.Direct2D)


@dataclass(frozen=True, eq=False)
class SceneSource:
    """What pictures of one state of a recording are painted of.

    Attributes:
        snapshot: The state.
        traits: The traits of its lives.
        survey: Its trajectories.
        streets: The streets that those make.
        roads: The shapes of the road map; None without one.
        analysis: The analysis of traffic; None where no colour needs it.
    """

    snapshot: Snapshot
    traits: LifeTraits
    survey: Trajectories
    streets: Streets
    roads: RoadShapes | None
    analysis: "Analysis | None" = None

    @classmethod
    def of(
        cls,
        snapshot: Snapshot,
        road_map: RoadMap | None = None,
        survey: Trajectories | None = None,
        progress: Progress = SILENT,
    ) -> "SceneSource":
        """Read what is needed of a recording.

        Args:
            snapshot: The state of the recording.
            road_map: The road map; None: streets are those that the recorded paths make.
            survey: Its trajectories, where they are known.
            progress: Counts frames.

        Raises:
            Cancelled: The user stopped it.
            OSError: The file cannot be read.
        """
        shapes = None
        if road_map is not None:
            shapes = road_shapes(road_map)
        if survey is None:
            survey = find_trajectories(snapshot, progress)
        return cls(
            snapshot=snapshot,
            traits=life_traits(Actors.of(snapshot)),
            survey=survey,
            streets=streets_of(survey),
            roads=shapes,
        )

    def contents(self, frame_index: int) -> FrameContents:
        """Return what a frame (its index, from 0) holds.

        Raises:
            RecorderError: The frame cannot be read.
            OSError: The file cannot be read.
        """
        return frame_contents(self.snapshot, self.snapshot.frame(frame_index), self.traits)


ColoringOf = Callable[[FrameContents], Coloring | None]

_IDS: Mapping[str, IdsMode | None] = {"near": "near", "all": "all", "none": None}
_ROADS: Mapping[str, RoadsMode] = {"map": "map", "paths": "paths", "none": "none"}
_COLORS: Mapping[str, FrameColorBy] = {name: name for name in get_args(FrameColorBy)}


@dataclass(frozen=True)
class SceneChoices:
    """What is shown; as the window opens a recording, unless something else is chosen.

    Attributes:
        roads: The road map (recorded paths, where there is none), recorded paths, or neither.
        ids: Which road users have their id beside them; None: none but heroes and actors that collide or are selected.
        color_by: What actors are filled with.
        coloring: Gives the colours of a frame in place of `color_by`; None: that is used.
        selected: Ids of actors with a ring and, where `trails` is set, a trail.
        trails: Whether those have trails.
        packets: Whether places, gazes and beams of packets are drawn.
        signs: Whether the legend of the signs is drawn.
    """

    roads: RoadsMode = "map"
    ids: IdsMode | None = "near"
    color_by: FrameColorBy = "own"
    coloring: ColoringOf | None = None
    selected: tuple[int, ...] = ()
    trails: bool = True
    packets: bool = True
    signs: bool = False

    @classmethod
    def of(cls, options: SceneOptions) -> "SceneChoices":
        """Return what the options of a picture or a video choose."""
        return cls(ids=_IDS[options.labels], roads=_ROADS[options.roads], color_by=_COLORS[options.color])


@dataclass(frozen=True)
class FitView:
    """All road users, with north up, of a span of frames; without a span of the frame that is shown."""

    frames: range | None = None


@dataclass(frozen=True)
class RectView:
    """A rectangle of the world (m) whole, with north up."""

    rect: QRectF


@dataclass(frozen=True)
class FollowView:
    """An actor, wherever it goes.

    Attributes:
        actor: Its id.
        mode: It is kept in view, in the middle, or there with its heading up.
        width: What is seen across the view, m.
    """

    actor: int
    mode: FollowMode = "middle"
    width: float = FOLLOWED_WIDTH


View = FitView | RectView | FollowView


class ScenePainter:
    """Paints frames of a recording; frames that follow one another in one view take least time.

    Attributes:
        source: What is painted.
        look: Colours, fonts and units.
        choices: What is shown.
    """

    def __init__(self, source: SceneSource, look: Look, choices: SceneChoices | None = None) -> None:
        """Make the layers, in the thread that paints.

        Args:
            source: What is painted.
            look: Colours, fonts and units: a `PictureLook` in a thread of its own.
            choices: What is shown; None: as the window opens a recording.
        """
        self.source = source
        self.look = look
        self.choices = choices or SceneChoices()
        self._layers = tuple(kind(look) for kind in LAYERS)
        for layer in self._layers:
            layer.peers = self._layers
            if isinstance(layer, PictureLayer):
                layer.is_patient = True
        self._last: FrameContents | None = None
        self._spans: dict[range, QRectF | None] = {}

    def release(self) -> None:
        """Let the layers go, in the thread that made them; nothing can be painted any more.

        Without it they go when garbage is collected, which another thread does.
        """
        for layer in self._layers:
            layer.peers = ()
        self._layers = ()

    # --- the view ---------------------------------------------------------------------------------------

    def camera(self, view: View, frame_index: int, size: tuple[float, float], before: Camera | None = None) -> Camera:
        """Return which part of the world a view shows.

        Args:
            view: The view.
            frame_index: Index of the frame, from 0.
            size: Width and height of the picture, in the pixels that lengths and fonts of the scene are given in.
            before: The camera of the frame before, from which an actor is followed; None for the first one.

        Returns:
            The camera. An actor that is not in the frame leaves it where it was, or shows all road users.
        """
        camera = Camera(width=size[0], height=size[1])
        if isinstance(view, RectView):
            scale = min(size[0] / view.rect.width(), size[1] / view.rect.height())
            centre = view.rect.center()
            return camera._replace(x=centre.x(), y=centre.y(), scale=max(FARTHEST, min(scale, CLOSEST)))
        if isinstance(view, FitView):
            return self._fitted(camera, view.frames or range(frame_index, frame_index + 1))
        actors = self.contents(frame_index).actors
        index = actors.index_of(view.actor)
        if index is None or not is_placed(actors)[index]:
            return before or self._fitted(camera, range(frame_index, frame_index + 1))
        x = float(actors.x[index])
        y = float(actors.y[index])
        if before is not None:
            camera = before._replace(width=size[0], height=size[1])
        else:
            camera = camera._replace(x=x, y=y)
        camera = camera._replace(scale=max(FARTHEST, min(size[0] / view.width, CLOSEST)))
        return camera.following(x, y, float(actors.yaw[index]), view.mode)

    def _fitted(self, camera: Camera, frames: range) -> Camera:
        """Return a camera that shows the road users of all frames of a span."""
        if frames not in self._spans:
            self._spans[frames] = self._box_of(frames)
        box = self._spans[frames]
        if box is None:
            return camera
        return camera.fitted(box)

    def _box_of(self, frames: range) -> QRectF | None:
        """Return the world rectangle of a span of frames, m; None where they hold no place."""
        count = min(len(frames), _MOST_FITTED)
        boxes = []
        for position in np.linspace(0, len(frames) - 1, count).round().astype(int).tolist():
            box = box_of_contents(self.contents(frames[position]))
            if box is not None:
                boxes.append(box)
        if not boxes:
            return None
        whole = boxes[0]
        for box in boxes[1:]:
            whole = whole.united(box)
        return whole

    # --- painting ---------------------------------------------------------------------------------------

    def contents(self, frame_index: int) -> FrameContents:
        """Return what a frame holds, as `SceneSource.contents`; the last one is not read twice."""
        last = self._last
        if last is None or last.frame is None or last.frame.index != frame_index:
            last = self.source.contents(frame_index)
            self._last = last
        return last

    def state(self, frame_index: int, camera: Camera) -> SceneState:
        """Return what is painted of a frame."""
        source = self.source
        choices = self.choices
        contents = self.contents(frame_index)
        colliding: frozenset[int] = frozenset()
        if contents.frame is not None:
            colliding = colliding_in(source.traits.actors, source.snapshot, contents.frame)
        with_trail: tuple[int, ...] = ()
        if choices.trails:
            with_trail = choices.selected
        trajectories = trajectories_of(source.survey, source.traits.actors, with_trail, frame_index)
        return SceneState(
            camera=camera,
            contents=contents,
            streets=source.streets,
            roads=source.roads,
            selected=choices.selected,
            trails=trails_of(trajectories, source.snapshot.elapsed, frame_index),
            colliding=colliding,
            coloring=self._coloring(contents),
            ids=choices.ids is not None,
            id_reach=REACH_OF_IDS[choices.ids or "near"],
            signs=choices.signs,
            packets=choices.packets,
            message=message_of(contents),
        )

    def _coloring(self, contents: FrameContents) -> Coloring | None:
        if self.choices.coloring is not None:
            return self.choices.coloring(contents)
        source = self.source
        return coloring_of_frame(
            self.choices.color_by, source.traits.actors, source.survey, contents, self.look, source.analysis
        )

    def paint(self, painter: QPainter, frame_index: int, camera: Camera) -> None:
        """Paint a frame at the origin of a painter, `camera.pane` large.

        Args:
            painter: Any painter; where it is scaled, fonts and lines are, too. On SVG and PDF all is lines and areas.
                What reaches over the edge of the pane is painted, too: set a clip where something else lies there.
            frame_index: Index of the frame, from 0.
            camera: Which part of the world is seen; from `camera()`, or any other.

        Raises:
            RecorderError: The frame cannot be read.
            OSError: The file cannot be read.
        """
        self.paint_state(painter, self.state(frame_index, camera))

    def paint_state(self, painter: QPainter, state: SceneState) -> None:
        """Paint a state, as `paint` does; `state()` makes one that may be changed before."""
        pane = state.camera.pane
        painter.save()
        painter.fillRect(pane, self.look.palette.scene)
        is_raster = painter.paintEngine().type() in _RASTER
        transform = painter.deviceTransform()
        ratio = math.hypot(transform.m11(), transform.m12())
        for layer in self._layers:
            layer.set_state(state)
        for layer in self._layers:
            if not self._shows(layer):
                continue
            painter.save()
            if isinstance(layer, PictureLayer) and is_raster:
                layer.draw_picture(painter, ratio)
            else:
                layer.paint(painter)
            painter.restore()
        painter.restore()

    def _shows(self, layer: object) -> bool:
        """Return whether a layer is shown: of both grounds at most one is."""
        shows_map = self.choices.roads == "map" and self.source.roads is not None
        if isinstance(layer, Roads):
            return shows_map
        if isinstance(layer, RecordedPaths):
            return self.choices.roads != "none" and not shows_map
        return True

    def image(self, frame_index: int, camera: Camera, ratio: float = 1.0) -> QImage:
        """Return a picture of a frame.

        Args:
            frame_index: Index of the frame, from 0.
            camera: Which part of the world is seen; from `camera()`, or any other.
            ratio: Pixels of the picture for one of the camera.

        Returns:
            An opaque picture (RGB32) of the size of the camera, times `ratio`.

        Raises:
            MemoryError: The picture is too large.
            RecorderError: The frame cannot be read.
            OSError: The file cannot be read.
        """
        size = QSize(math.ceil(camera.width * ratio), math.ceil(camera.height * ratio))
        image = QImage(size, QImage.Format.Format_RGB32)
        if image.isNull():
            raise MemoryError
        image.setDevicePixelRatio(ratio)
        painter = QPainter(image)
        try:
            self.paint(painter, frame_index, camera)
        finally:
            painter.end()
        return image
