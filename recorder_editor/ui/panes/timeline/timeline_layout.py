"""Where everything of the timeline is at one moment: timeline lanes, rows of lives, handles. No painter, no mouse."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF

from ....views.time_axis import Axis
from ....views.timeline_lives import Roster
from ....views.timeline_marks import Marks
from ...session import Session
from ...style.theme import Theme
from .timeline_lanes import TimelineLane

OVERVIEW = 26
RULER = 18
TIMELINE_LANE = 18
HEADING = 16
GAP = 2
GRIP = (9.0, 16.0)
_NARROWEST = 5.0  # pixels between the lines of the handles

Side = Literal["in", "out"]
SIDES: tuple[Side, Side] = ("in", "out")


@dataclass(frozen=True, eq=False)
class TimelineLayout:
    """What the picture is painted from.

    Attributes: `timeline_lanes` (those that are shown), `lives_top` (where the line that names the lives begins),
    `life_height`, `first_row`, `rows` (life rows in sight), `is_folded`, `names_frames` (handles carry numbers), `held`
    (the handle that the arrow keys move), `width`, `height`.
    """

    session: Session
    theme: Theme
    axis: Axis
    marks: Marks
    roster: Roster
    timeline_lanes: tuple[TimelineLane, ...]
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
        """The end of the ruler."""
        return self.theme.px(OVERVIEW) + self.theme.px(RULER)

    @property
    def counted(self) -> str:
        """How many actors there are, behind how many of them are in sight: `6/20,641`."""
        return ("" if self.is_folded else f"{self.rows:,}/") + f"{len(self.roster):,}"

    def life_y(self, row: int) -> int:
        """The top of a life row, counted from the first one in sight."""
        return self.lives_top + self.theme.px(HEADING) + row * self.life_height

    def overview_x(self, time: float) -> float:
        """The pixel of a moment in the overview."""
        return self.axis.whole().x(time)

    def window_rect(self) -> QRectF:
        """The frame in the overview around what is in sight."""
        left, right = self.overview_x(self.axis.low), self.overview_x(self.axis.high)
        return QRectF(left + 0.5, 1.5, max(6.0, right - left - 1), self.theme.px(OVERVIEW) - 2)

    # --- the range --------------------------------------------------------------------------------------

    @property
    def goes(self) -> bool:
        """The range is what goes, and the rest stays."""
        return self.session.range.cuts and self.session.range.is_set

    def ends(self, axis: Axis) -> tuple[float, float]:
        """The pixels at which the range begins and ends on an axis."""
        span = self.session.range.frames
        return axis.x(float(axis.times[span.start])), axis.x(axis.end_of(span.stop - 1))

    def handle_x(self, which: Side) -> float:
        """The pixel of in or out; the two stay far enough apart to be told from one another."""
        start, stop = self.ends(self.axis)
        apart = max(0.0, _NARROWEST - (stop - start)) / 2
        if which == "in":
            return start - apart
        return stop + apart

    def grip(self, which: Side) -> QRectF:
        """Where a handle is taken hold of: it points into what stays, where there is room for both."""
        x = self.handle_x(which)
        top = self.theme.px(OVERVIEW) + 1
        start, stop = self.ends(self.axis)
        if stop - start >= 2 * GRIP[0]:
            to_the_right = self.points_right(which)
        else:
            to_the_right = which == "out"
        return QRectF(x - 1 if to_the_right else x + 1 - GRIP[0], top, *GRIP)

    def points_right(self, which: Side) -> bool:
        """What stays lies to the right of a handle: of in, and of out where the range goes."""
        return (which == "in") != self.goes

    def handles(self) -> list[Side]:
        """The handles that are in sight; where there is room for words, those at the ends of the whole as well."""
        if not self.session.frames or not (self.session.range.is_set or self.names_frames):
            return []
        low, high = self.axis.left - 2, self.axis.left + self.axis.width + 2
        return [which for which in SIDES if low <= self.handle_x(which) <= high]
