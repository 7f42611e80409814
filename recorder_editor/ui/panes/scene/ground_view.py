"""What lies under the actors of the scene: the road map, or else the streets that recorded paths make."""

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QResizeEvent

from ....reading import Trajectories
from ....roads import RoadMap
from ....texts import say
from ....views.road_shapes import RoadShapes, road_shapes
from ....views.streets import NO_STREETS, Streets, streets_of
from ...session import Session
from ...session.jobs import LatestJob
from ...session.preferences import RoadsMode
from ...style.theme import Theme
from .camera_view import CameraView
from .layers import RecordedPaths, Roads
from .overview_map import OverviewMap
from .street_caption import StreetCaption

_RING = 8.0  # px around a selected actor


class GroundView(CameraView):
    """The part of the scene that chooses what lies under the actors.

    Attributes:
        roads: The layer of recorded paths.
        road_map: The layer of the road map, which is shown in their place.
        roads_mode: Which of both is wanted.
        switches: What is switched on, of roads, trails, ids, signs, packets, other and measure.
        street_caption: Says what streets are made of while there is no road map.
        overview: The whole ground in small, while little of it is in view.
    """

    roads: RecordedPaths
    road_map: Roads

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.switches = {
            "roads": True,
            "trails": True,
            "ids": True,
            "signs": False,
            "packets": True,
            "other": True,
            "measure": False,
        }
        self.roads_mode: RoadsMode = "map"
        self._shown_roads: RoadsMode = "map"
        self._shapes: RoadShapes | None = None
        self._shapes_of: RoadMap | None = None
        self._shaping = LatestJob(self, session.jobs)
        self._survey: Trajectories | None = None
        self._streets = NO_STREETS
        self.street_caption = StreetCaption(theme, self)
        self.overview = OverviewMap(theme, self, lambda: self.box.shown)
        self.overview.moved.connect(self._move_to)
        self.overview.zoomed.connect(self._zoom_middle)

    def _find_ground(self) -> None:
        """Find the layers of the ground in the box."""
        self.roads = next(layer for layer in self.box.layers if isinstance(layer, RecordedPaths))
        self.road_map = next(layer for layer in self.box.layers if isinstance(layer, Roads))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.street_caption.lay_out()
        self.place_overview()

    @property
    def is_drawing(self) -> bool:
        """Whether roads are being prepared, or drawn in slices."""
        return self._shaping.is_pending or self.roads.is_drawing or self.road_map.is_drawing

    @property
    def streets(self) -> Streets:
        """The streets that the paths of the recording make."""
        survey = self.session.background.trajectories
        if survey is not self._survey:
            self._survey = survey
            self._streets = NO_STREETS
            if survey is not None:
                self._streets = streets_of(survey)
        return self._streets

    def set_roads(self, mode: RoadsMode) -> None:
        """Show the map (recorded paths, where there is none), recorded paths, or neither."""
        self.roads_mode = mode
        if mode != "none":
            self._shown_roads = mode
        self.switches["roads"] = mode != "none"
        self._show_ground()
        self.toggled.emit("roads", mode != "none")

    def _show_paths(self) -> None:
        self._show_ground()
        super()._show_paths()

    def _show_ground(self) -> None:
        has_map = self._shapes is not None
        self.road_map.setVisible(self.roads_mode == "map" and has_map)
        self.roads.setVisible(self.roads_mode == "paths" or (self.roads_mode == "map" and not has_map))
        if self.roads.isVisible() and not has_map:
            self.street_caption.show_paths(self.streets.paths)
        else:
            self.street_caption.show_paths(0)
        if has_map:
            self.overview.show_ground(self._shapes)
        else:
            self.overview.show_ground(self.streets)
        self.place_overview()
        self.redraw()

    def show_overview(self, is_wanted: bool) -> None:
        """Show the overview while little of the ground is in view, or never."""
        self.overview.is_wanted = is_wanted
        self.place_overview()

    def place_overview(self) -> None:
        """Show the overview where it is of use, and out of the way of what is dragged and of what is selected."""
        pointer = None
        if self.box.is_in_use:
            pointer = self.box.pointer
        actors = self.contents.actors
        chosen = actors.indices_of(self.session.selection.actors)
        x, y = self.camera.points(actors.x[chosen], actors.y[chosen])
        radius = actors.half[chosen].max(axis=1, initial=0.0) * self.camera.scale + _RING
        self.overview.follow(self.camera, pointer, np.column_stack((x, y, radius)))

    @property
    def covered(self) -> tuple[QRectF, ...]:
        """What lies over the scene at its edges, px."""
        widgets = (self.street_caption, self.overview)
        return tuple(QRectF(widget.geometry()) for widget in widgets if not widget.isHidden())

    def _move_to(self, x: float, y: float) -> None:
        """Have a place (m) in the middle; no actor is followed then."""
        self._pan()
        self.box.set_camera(self.camera._replace(x=x, y=y))

    def _zoom_middle(self, factor: float) -> None:
        self.zoom(factor, self.camera.pane.center())

    def _load_map(self) -> None:
        """Make the shapes of another map, as a job; recorded paths are seen until then."""
        road_map = self.session.roads.map
        if road_map is self._shapes_of:
            return
        self._shapes_of = road_map
        if road_map is None:
            self._shaping.cancel()
            self._set_shapes(None)
        else:
            self._shaping.run(say("Drawing the road map"), lambda _: road_shapes(road_map), self._set_shapes)

    def _set_shapes(self, shapes: RoadShapes | None) -> None:
        self._shapes = shapes
        self._show_ground()
