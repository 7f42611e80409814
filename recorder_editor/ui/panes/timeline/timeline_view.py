"""The view of the timeline: the visible part, the order of the lives, the picture and the cursor.

What does not move with the cursor is kept as a pixmap; a step of frames repaints only where the cursor was and is.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent, QShowEvent

from ....recording import Snapshot
from ....texts import say
from ....views.time_axis import Axis, axis_of
from ....views.timeline_lives import Roster
from ....views.timeline_marks import NO_MARKS, Marks, marks_of, problems_of, with_lost
from ...session import Session
from ...style.painting import draw_text
from ...style.theme import Theme
from ...widgets.time_axis_view import TimeAxisView
from .cursor import Cursor
from .lane_room import LaneFit, LaneRoom, fit_lanes
from .picture import Picture, TimelineLanePicture
from .pointing import Pointing
from .timeline_lanes import FORMER_NAMES, MINOR, STAYS, TimelineLane, is_in_use, is_passing, timeline_lanes_of
from .timeline_layout import (
    FOOT,
    HEADING,
    LINE,
    LOW_HEADING,
    LOW_LANE,
    OVERVIEW,
    RULER,
    TIMELINE_LANE,
    Side,
    TimelineLayout,
)

NAMES = 104
MARGIN = 14
LIFE = 14
LIFE_TALL = 15
TALL = 214
"""From this height on (as in the layout for trimming) words stand beside handles."""
_ROWS = 4
"""So many actors are visible before lanes of `MINOR` have room."""

_ABOVE_LANES = 4  # pixels

Drag = Literal["", "scrub", "in", "out", "window", "pan", "rows", "segment"]


class TimelineView(TimeAxisView):
    """The view of the timeline.

    Attributes:
        session: The session.
        first_row: The first visible row of a life.
        is_folded: Whether the rows of lives are folded away.
        folds_kinds: Whether all kinds of traffic events are in one lane alone.
        problems: The problems of the state.
        wishes: Whether a timeline lane is shown, by name, for those that a person showed or hid.

    Signals: `wished` (a person showed or hid a timeline lane), `room_asked` (all lanes are to have room: by how many
    pixels the timeline is too low).
    """

    wished = Signal()
    room_asked = Signal(int)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self.session = session
        self.first_row = 0
        self.is_folded = False
        self.folds_kinds = True
        self._left = 0
        self._axis = axis_of(None)
        self._roster = Roster(None)
        self._state_marks = NO_MARKS
        self.problems = problems_of(session.background.findings)
        self._selected: tuple[int, ...] = ()  # the selected actors, as they are drawn
        self._chosen: tuple[int, ...] = ()  # the actors that come first in the rows
        self._drag: Drag = ""
        self._held: Side | None = None
        self._layout: TimelineLayout | None = None
        self._still: QPixmap | None = None
        self._timeline_lanes: list[TimelineLane] | None = None
        self.wishes: dict[str, bool] = {}
        self._marked: set[str] = set()  # names of lanes in which something was marked since the file was opened
        self._labels: list[QRectF] = []
        self._cursor_rects: list[QRect] = []
        self._pointed: int | None = None  # the frame under the pointer in another view
        self._is_choosing = False
        self._snapshot: Snapshot | None = None  # the state that axis, roster and marks are of
        self._is_stale = True
        self._is_another = True
        self.setObjectName("timeline")
        self.setAccessibleName(say("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        session.opened.connect(self._open)
        session.editing.changed.connect(self._change)
        session.selection.changed.connect(self._select)
        session.background.trajectories_changed.connect(self._repaint)
        session.background.findings_changed.connect(self._check)
        session.rule_colors.changed.connect(self._repaint)
        session.range.changed.connect(self._arrange)
        session.edited.changed.connect(self._update_marks)
        session.segments.changed.connect(self._update_marks)
        session.traffic.changed.connect(self._update_marks)
        session.events.changed.connect(self._update_marks)
        session.events.kinds_changed.connect(self._update_marks)
        session.events.chosen_changed.connect(self._repaint)
        session.events.pointed_changed.connect(self.update)
        session.lost.changed.connect(self._update_marks)
        session.matched.changed.connect(self._update_marks)
        session.notes.changed.connect(self._update_marks)
        session.comparison.changed.connect(self._update_marks)

    # --- what is shown ----------------------------------------------------------------------------------

    @property
    def axis(self) -> Axis:
        """The time axis with its visible part."""
        self._update_state()
        return self._axis

    @property
    def roster(self) -> Roster:
        """The rows of the lives."""
        self._update_state()
        return self._roster

    def _open(self) -> None:
        self._is_stale = True
        self._is_another = True
        self.first_row = 0
        self._held = None
        self._selected = ()
        self._chosen = ()
        self._marked.clear()
        self._check()

    def _change(self, _change: object) -> None:
        self._is_stale = True
        self._held = None
        self._repaint()

    def _check(self) -> None:
        self.problems = problems_of(self.session.background.findings)
        self._update_marks()

    def _update_marks(self) -> None:
        self._timeline_lanes = None
        self._repaint()

    @property
    def _is_current(self) -> bool:
        """Whether axis, roster and marks are of the state that is shown: the range changes before that is told."""
        return not self._is_stale and self._snapshot is self.session.snapshot

    def _update_state(self) -> None:
        """Compute what depends on the state, when it is needed."""
        if self._is_current:
            return
        before = self._axis
        snapshot = self.session.snapshot
        actors = self.session.actors
        self._axis = axis_of(snapshot)
        self._place_axis()
        keeps = not self._is_another and before.in_seconds == self._axis.in_seconds
        if keeps and not before.is_whole and len(self._axis.times):
            self._axis = self._axis.showing(before.low, before.high)
        self._state_marks = NO_MARKS
        if snapshot is not None and actors is not None and len(snapshot):
            self._state_marks = marks_of(snapshot, actors, self._axis, is_modified=self.session.is_modified)
        self._roster = Roster(actors)
        self._timeline_lanes = None
        self._snapshot = snapshot
        self._is_stale = False
        self._is_another = False
        self._order_lives()

    def _repaint(self) -> None:
        self._layout = None
        self._still = None
        self.update()

    def _arrange(self) -> None:
        """Sort the lives after a change of the range or the visible part: those that are alive in it come first."""
        if self._is_current:
            self._order_lives()
        self._repaint()

    def _order_lives(self) -> None:
        frames = self._axis.visible_frames()
        if self.session.range.is_shown:
            frames = self.session.range.shown
        self._roster.sort(self._chosen, frames)
        rows = self._roster.rows_of(self._chosen)
        room = self._rows_in(self._fit())
        if rows and rows[0] >= self.first_row + room:  # below heroes, in a low pane
            self.first_row = rows[0]
        self.first_row = max(0, min(self.first_row, len(self._roster) - 1))

    def _select(self, _selection: object) -> None:
        if not self.isVisible():
            self._repaint()
            return
        if self._show_selected(self.session.selection.actors) or self.follow():
            return
        # Also where the cursor stays: its text may change.
        for rect in self._cursor_rects + self._rects_of_cursor():
            self.update(rect)

    def _show_selected(self, actors: tuple[int, ...]) -> bool:
        """Move the rows of selected actors to the top, unless they were selected here; return whether they changed."""
        if actors == self._selected:
            return False
        self._selected = actors
        if not self._is_choosing:
            self._update_state()
            self._chosen = actors
            self.first_row = 0
            self._order_lives()
        self.follow()
        self._repaint()
        return True

    def follow(self) -> bool:
        """Keep the current frame visible; return whether that moved the axis."""
        axis = self.axis
        if self._drag or not len(axis.times):
            return False
        now = self._now()
        if axis.low <= now <= axis.high:
            return False
        span = axis.high - axis.low
        self.set_axis(axis.showing(now - span / 4, now + 3 * span / 4))
        return True

    def _now(self) -> float:
        return float(self.axis.times[min(self.session.selection.frame_index, len(self.axis.times) - 1)])

    def set_axis(self, axis: Axis) -> None:
        """Show another part of the recording."""
        self._axis = axis
        self._arrange()
        self.moved.emit()

    def set_left(self, pixels: int) -> None:
        """Set the left end of the axis, so that it is that of the plots above.

        Args:
            pixels: Distance from the left edge; 0 for the width of the names.
        """
        if pixels != self._left:
            self._left = pixels
            self._place_axis()
            self._repaint()

    def point_at(self, frame: int | None) -> None:
        """Show a line at the frame under the pointer in another view; None: no line."""
        if frame != self._pointed:
            self._pointed = frame
            self.update()

    def zoom(self, factor: float) -> None:
        """Zoom in by a factor around the current frame; 0 shows all of the recording."""
        axis = self.axis
        if not len(axis.times):
            return
        if factor:
            self.set_axis(axis.zoomed(factor, axis.x(self._now())))
        else:
            self.set_axis(axis.whole())

    def restyle(self) -> None:
        super().restyle()
        self._place_axis()
        self._repaint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_axis()
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._selected = self.session.selection.actors
        self._chosen = self._selected
        self._timeline_lanes = None
        self._arrange()
        self.follow()

    def lay_out(self, size: QSize, like: "TimelineView | None" = None) -> None:
        """Lay out a view that is not shown, for a picture.

        Args:
            size: Its size.
            like: A view whose lanes and rows it has; None: as a recording is opened.
        """
        self.resize(size)
        self._selected = self.session.selection.actors
        self._chosen = self._selected
        if like is not None:
            self.wishes = dict(like.wishes)
            self.is_folded = like.is_folded
            self.folds_kinds = like.folds_kinds
        self._update_state()
        self._place_axis()
        self._arrange()

    def _place_axis(self) -> None:
        left = max(self._left, self.theme.px(NAMES))
        self._axis = self._axis.in_units(self.theme.units).with_pixels(
            left, self.width() - left - self.theme.px(MARGIN)
        )

    def sizeHint(self) -> QSize:
        return QSize(800, 196)

    # --- where everything is ----------------------------------------------------------------------------

    @property
    def timeline_layout(self) -> TimelineLayout:
        """The current layout."""
        if self._layout is None:
            self._update_state()
            self._layout = self._compute_layout()
        return self._layout

    @property
    def _marks(self) -> Marks:
        """The marks of the state, with what a repair would leave out."""
        snapshot = self.session.snapshot
        if snapshot is None:
            return self._state_marks
        return with_lost(self._state_marks, snapshot, self.session.lost.frames, self._axis)

    @property
    def timeline_lanes(self) -> list[TimelineLane]:
        """All timeline lanes, also those that are not shown."""
        self._update_state()
        if self._timeline_lanes is None:
            marks = self._marks
            edits = self.session.edited.heat(marks.edited, marks.edited_keys)
            self._timeline_lanes = timeline_lanes_of(
                self.session, self._axis, marks, self.problems, edits, folds_kinds=self.folds_kinds
            )
            self._marked.update(lane.name for lane in self._timeline_lanes if not lane.is_empty)
        return self._timeline_lanes

    @property
    def _is_tall(self) -> bool:
        return self.height() > self.theme.px(TALL)

    def shown_timeline_lanes(self) -> list[TimelineLane]:
        """Return the timeline lanes that are shown where there is room: as a person wished, else what is marked.

        A lane stays where it is until another file is opened, also when what it marks is gone.
        """
        return [timeline_lane for timeline_lane in self.timeline_lanes if self._is_shown(timeline_lane)]

    def _is_shown(self, timeline_lane: TimelineLane) -> bool:
        name = timeline_lane.name
        if name in self.wishes:
            return self.wishes[name]
        if is_passing(timeline_lane):
            return not timeline_lane.is_empty or is_in_use(timeline_lane, self.session)
        return name in STAYS or name in self._marked

    def _fit(self) -> LaneFit:
        """Return which timeline lanes have room, and how high they are."""
        minor = [name for name in MINOR if name not in self.wishes]
        return fit_lanes(self.shown_timeline_lanes(), self._room, minor)

    @property
    def _room(self) -> LaneRoom:
        px = self.theme.px
        fewest = min(_ROWS, len(self._roster))
        if self.is_folded:
            fewest = 0
        return LaneRoom(
            height=self.height() - self._lanes_top,
            tall=px(TIMELINE_LANE) + LINE,
            low=px(LOW_LANE) + LINE,
            tall_heading=px(HEADING),
            low_heading=px(LOW_HEADING),
            life=self._life_height,
            fewest=fewest,
            foot=px(FOOT),
        )

    @property
    def _lanes_top(self) -> int:
        """The upper edge of the first timeline lane."""
        return self.theme.px(OVERVIEW) + self.theme.px(RULER) + _ABOVE_LANES

    @property
    def _life_height(self) -> int:
        return self.theme.px(LIFE_TALL if self._is_tall else LIFE)

    def _rows_in(self, fit: LaneFit) -> int:
        """Return how many actors have room below the timeline lanes."""
        return self._room.rows(len(fit.shown), is_tall=fit.is_tall, has_foot=fit.has_foot)

    def ask_room(self) -> None:
        """Have the timeline made so much higher that all lanes have room, where some have none."""
        lacks = self.timeline_layout.lacks
        if lacks > 0:
            self.room_asked.emit(lacks)

    def show_timeline_lane(self, name: str, on: bool) -> None:
        """Show a timeline lane, or fold it away."""
        self.wish(self.wishes | {name: on})

    def remember(self, timeline_lanes: Mapping[str, bool]) -> None:
        """Show or hide timeline lanes as they were kept, by name, which may be one of before."""
        self.wishes = {FORMER_NAMES.get(name, name): on for name, on in timeline_lanes.items()}

    def wish(self, timeline_lanes: dict[str, bool]) -> None:
        """Show or hide timeline lanes, by name, and the others as there is room."""
        self.remember(timeline_lanes)
        self.wished.emit()
        self._repaint()

    def set_kinds_folded(self, is_folded: bool) -> None:
        """Show all kinds of traffic events in one lane alone, or below it each in a lane of its own."""
        self.folds_kinds = is_folded
        self._update_marks()

    def _compute_layout(self) -> TimelineLayout:
        theme = self.theme
        fit = self._fit()
        lane_height = theme.px(TIMELINE_LANE if fit.is_tall else LOW_LANE)
        top = self._lanes_top
        timeline_lanes = []
        for timeline_lane in fit.shown:
            timeline_lanes.append(replace(timeline_lane, top=top))
            top += lane_height + LINE
        room = self._rows_in(fit)
        self.first_row = max(0, min(self.first_row, len(self._roster) - room))
        rows = 0
        if not self.is_folded:
            rows = max(0, min(len(self._roster) - self.first_row, room))
        return TimelineLayout(
            session=self.session,
            theme=theme,
            axis=self._axis,
            marks=self._marks,
            roster=self._roster,
            timeline_lanes=tuple(timeline_lanes),
            hidden_lanes=fit.hidden,
            lane_height=lane_height,
            heading_height=theme.px(HEADING if fit.is_tall else LOW_HEADING),
            has_foot=fit.has_foot,
            lacks=fit.lacks,
            lives_top=top,
            life_height=self._life_height,
            first_row=self.first_row,
            rows=rows,
            is_folded=self.is_folded,
            names_frames=self._is_tall or self._held is not None,
            held=self._held,
            width=self.width(),
            height=self.height(),
        )

    @property
    def pointing(self) -> Pointing:
        """Finds what is under a point."""
        return Pointing(self.timeline_layout)

    # --- painting ---------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._still is None:
            self._still = self._painted()
        # One after the other: within all rectangles at once Qt takes a hundred times as long.
        for rect in event.region():  # type: ignore[attr-defined]  # a sequence that the stubs leave out
            painter.setClipRect(rect)
            painter.drawPixmap(0, 0, self._still)
        painter.setClipping(False)
        self._cursor_rects = []
        if len(self.axis.times):
            TimelineLanePicture(self.timeline_layout, painter).paint_pointed()
            self._paint_pointed(painter)
            self._cursor().paint(painter)
            self._cursor_rects = self._rects_of_cursor()
        elif self.session.snapshot is not None:
            text = say("No frames in this file; Repair shows what can be recovered")
            color = self.theme.palette.muted
            draw_text(painter, self.rect(), text, self.theme.font, color, Qt.AlignmentFlag.AlignCenter)

    def _painted(self) -> QPixmap:
        """Return the picture of everything but the cursor."""
        ratio = self.devicePixelRatioF()
        still = QPixmap(math.ceil(self.width() * ratio), math.ceil(self.height() * ratio))
        still.setDevicePixelRatio(ratio)
        painter = QPainter(still)
        self._labels = self.paint_still(painter)
        painter.end()
        return still

    def paint_still(self, painter: QPainter) -> list[QRectF]:
        """Paint everything but the cursor, also of a view that is not shown.

        Returns:
            The rectangles of the texts that the tag of the cursor covers whole.
        """
        painter.fillRect(self.rect(), self.theme.palette.window)
        if not len(self.axis.times):
            return []
        picture = Picture(self.timeline_layout, painter)
        picture.paint()
        return picture.labels

    def cursor_tag(self) -> QRectF:
        """Return the rectangle of the cursor's time; beside grips of handles that it would cover."""
        return self._cursor().tag()

    def _cursor(self) -> Cursor:
        layout = self.timeline_layout
        return Cursor(layout, self._labels, layout.grips(), self.session.selection.frame_index)

    def _rects_of_cursor(self) -> list[QRect]:
        """Return what the cursor covers: its lines in the overview and below, its tag and the texts beside that."""
        if not len(self.axis.times):
            return []
        now = self._now()
        height = self.height()
        over = int(self.timeline_layout.overview_x(now))
        x = int(self.axis.x(now))
        room = self.theme.px(RULER)
        tag = self.cursor_tag().toAlignedRect().adjusted(-2 * room, -1, 2 * room, 2)
        overview_line = QRect(over - 1, 0, 4, self.theme.px(OVERVIEW))
        line = QRect(x - 1, tag.top(), 4, height)
        return [overview_line, line, tag]

    def _paint_pointed(self, painter: QPainter) -> None:
        """Draw the line of the frame under the pointer in another view."""
        axis = self.axis
        if self._pointed is None or self._pointed >= len(axis.times):
            return
        x = round(axis.x(float(axis.times[self._pointed])))
        if axis.left - 1 <= x <= axis.right + 1:
            painter.setPen(QPen(self.theme.palette.text, 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPoint(x, self.theme.px(OVERVIEW)), QPoint(x, self.timeline_layout.bottom))
