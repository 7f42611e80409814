"""The layout of the timeline at one moment: timeline lanes, rows of lives, handles. No painter, no mouse."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF

from ....texts import listed, say
from ....views.time_axis import Axis
from ....views.timeline_lives import Roster
from ....views.timeline_marks import Marks
from ...session import Session
from ...style.look import Look
from .timeline_lanes import TimelineLane

OVERVIEW = 26
RULER = 18
TIMELINE_LANE = 18
LOW_LANE = 12
"""Heights of a timeline lane: where all have room, and else."""

HEADING = 16
LOW_HEADING = 13
"""Heights of the line that names the lives, above it such lanes."""

FOOT = 14
LINE = 1  # below each lane
GRIP = (9.0, 16.0)
_NARROWEST = 5.0  # pixels between the lines of the handles

Side = Literal["in", "out"]
SIDES: tuple[Side, Side] = ("in", "out")


@dataclass(frozen=True, eq=False)
class TimelineLayout:
    """The layout that the picture is painted from; all lengths in pixels.

    Attributes:
        session: The session.
        theme: The theme.
        axis: The time axis.
        marks: The marks of the state.
        roster: The rows of lives.
        timeline_lanes: The timeline lanes that are shown.
        hidden_lanes: Those for which there is no room.
        lane_height: Height of a timeline lane, without the line below it.
        heading_height: Height of the line that names the lives.
        has_foot: Whether the lowest line names the hidden lanes.
        lacks: So many pixels more would give room to all.
        lives_top: Upper edge of the line that names the lives.
        life_height: Height of a row of a life.
        first_row: The first visible row of a life.
        rows: Number of visible rows of lives.
        is_folded: Whether these rows are folded away.
        names_frames: Whether handles carry numbers of frames.
        held: The handle that the arrow keys move; None: they move the cursor.
        width: Width of the timeline.
        height: Height of the timeline.
    """

    session: Session
    theme: Look
    axis: Axis
    marks: Marks
    roster: Roster
    timeline_lanes: tuple[TimelineLane, ...]
    hidden_lanes: tuple[TimelineLane, ...]
    lane_height: int
    heading_height: int
    has_foot: bool
    lacks: int
    lives_top: int
    life_height: int
    first_row: int
    rows: int
    is_folded: bool
    names_frames: bool
    held: Side | None
    width: int
    height: int

    @property
    def timeline_lanes_top(self) -> int:
        """Lower edge of the ruler."""
        return self.theme.px(OVERVIEW) + self.theme.px(RULER)

    @property
    def count_text(self) -> str:
        """Number of actors, behind the number of those that are visible: `6/20,641`."""
        if self.is_folded:
            return f"{len(self.roster):,}"
        return f"{self.rows:,}/{len(self.roster):,}"

    def life_y(self, row: int) -> int:
        """Return the upper edge of a row of a life, counted from the first visible one."""
        return self.lives_top + self.heading_height + row * self.life_height

    @property
    def bottom(self) -> int:
        """Lower edge of what has the time axis: that of the timeline, or the upper edge of its foot."""
        if self.has_foot:
            return self.height - self.theme.px(FOOT)
        return self.height

    @property
    def hidden_names(self) -> str:
        """The names of the timeline lanes for which there is no room."""
        return listed([say(lane.name) for lane in self.hidden_lanes], "parts")

    def overview_x(self, time: float) -> float:
        """Return the pixel of a moment in the overview."""
        return self.axis.whole().x(time)

    def window_rect(self) -> QRectF:
        """Return the rectangle in the overview around the visible part."""
        left = self.overview_x(self.axis.low)
        right = self.overview_x(self.axis.high)
        return QRectF(left + 0.5, 1.5, max(6.0, right - left - 1), self.theme.px(OVERVIEW) - 2)

    # --- the range --------------------------------------------------------------------------------------

    @property
    def is_cut(self) -> bool:
        """Whether the range is removed, and the rest stays."""
        return self.session.range.is_cut

    def ends(self, axis: Axis) -> tuple[float, float]:
        """Return the pixels at which the range begins and ends on an axis."""
        span = self.session.range.shown
        start = float(axis.times[span.start])
        stop = axis.end_of(span.stop - 1)
        return axis.x(start), axis.x(stop)

    def handle_x(self, side: Side) -> float:
        """Return the pixel of a handle; the two stay far enough apart to be distinguished."""
        start, stop = self.ends(self.axis)
        apart = max(0.0, _NARROWEST - (stop - start)) / 2
        if side == "in":
            return start - apart
        return stop + apart

    def grip(self, side: Side) -> QRectF:
        """Return where a handle is taken hold of: on the side of what stays, where there is room for both."""
        width, height = GRIP
        start, stop = self.ends(self.axis)
        is_right = side == "out"
        if stop - start >= 2 * width:
            is_right = self.points_right(side)
        left = self.handle_x(side)
        if is_right:
            left -= 1
        else:
            left += 1 - width
        return QRectF(left, self.theme.px(OVERVIEW) + 1, width, height)

    def points_right(self, side: Side) -> bool:
        """Return whether what stays lies to the right of a handle: of in, and of out where the range is removed."""
        return (side == "in") != self.is_cut

    def handles(self) -> list[Side]:
        """Return the visible handles; without a range only where there is room for numbers beside them."""
        if not self.session.frames or not (self.session.range.is_shown or self.names_frames):
            return []
        low = self.axis.left - 2
        high = self.axis.right + 2
        return [side for side in SIDES if low <= self.handle_x(side) <= high]

    def grips(self) -> list[QRectF]:
        """Return where the visible handles are taken hold of."""
        return [self.grip(side) for side in self.handles()]
