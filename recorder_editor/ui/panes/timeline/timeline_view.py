"""The timeline lanes as they are shown: what is in sight, who stands in which row, the picture and the cursor.

What does not move with the cursor is kept as a pixmap; a step of frames repaints only where the cursor was and is.
"""

import math
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent, QShowEvent

from ....texts import say
from ....views.time_axis import Axis, axis_of
from ....views.timeline_lives import Roster
from ....views.timeline_marks import NO_MARKS, Marks, marks_of, problems_of, with_lost
from ...session import Session
from ...style.painting import draw_text, set_colors
from ...style.theme import Theme
from ...widgets.time_axis_view import TimeAxisView
from .picture import Picture
from .pointing import Pointing
from .timeline_lanes import FOLD_FIRST, NEEDS_ROOM, TimelineLane, timeline_lanes_of
from .timeline_layout import GAP, HEADING, OVERVIEW, RULER, TIMELINE_LANE, Side, TimelineLayout

NAMES = 104
MARGIN = 14
LIFE = 14
LIFE_TALL = 15
TALL = 214
"""From this height on (as in the layout for trimming) all timeline lanes are shown, and words beside handles."""
_LANES, _ROWS = 3, 4  # further timeline lanes give way where fewer actors than this are in sight

Drag = Literal["", "scrub", "in", "out", "window", "pan", "rows", "segment"]


class TimelineView(TimeAxisView):
    """Attributes: `axis` (what is in sight), `roster` (who stands in which row), `first_row`, `is_folded`,
    `wishes` (by name of a timeline lane that a person showed or hid: whether it is shown).

    Signals: `wished` (a person showed or hid a timeline lane).
    """

    wished = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self.session = session
        self.first_row = 0
        self.is_folded = False
        self._left = 0
        self._axis = axis_of(None)
        self._roster = Roster(None)
        self._found = NO_MARKS
        self.problems = problems_of(session.background.findings)
        self._shown: tuple[int, ...] = ()
        self._chosen: tuple[int, ...] = ()  # whose rows were brought up
        self._drag: Drag = ""
        self._held: Side | None = None
        self._layout: TimelineLayout | None = None
        self._still: QPixmap | None = None
        self._timeline_lanes: list[TimelineLane] | None = None
        self.wishes: dict[str, bool] = {}
        self._labels: list[QRectF] = []
        self._cursor_at: list[QRect] = []
        self._is_choosing = False
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
        marked = session.segments.changed, session.traffic.changed, session.lost.changed, session.matched.changed
        for changed in (*marked, session.notes.changed, session.comparison.changed):
            changed.connect(self._mark)

    # --- what is shown ----------------------------------------------------------------------------------

    @property
    def axis(self) -> Axis:
        """Where frames are."""
        self._settle()
        return self._axis

    @property
    def roster(self) -> Roster:
        """Who stands in which row."""
        self._settle()
        return self._roster

    def _open(self) -> None:
        self._is_stale = self._is_another = True
        self.first_row = 0
        self._held = None
        self._shown = self._chosen = ()
        self._check()

    def _change(self, _change: object) -> None:
        self._is_stale = True
        self._held = None
        self._repaint()

    def _check(self) -> None:
        self.problems = problems_of(self.session.background.findings)
        self._mark()

    def _mark(self) -> None:
        """Something else is marked."""
        self._timeline_lanes = None
        self._repaint()

    def _settle(self) -> None:
        """Take in the present state, when it is looked at."""
        if not self._is_stale:
            return
        before = self._axis
        snapshot = self.session.snapshot
        actors = self.session.actors
        self._axis = axis_of(snapshot)
        self._place_axis()
        keeps = not self._is_another and before.in_seconds == self._axis.in_seconds
        if keeps and not before.is_whole and len(self._axis.times):
            self._axis = self._axis.seeing(before.low, before.high)
        self._found = NO_MARKS
        if snapshot is not None and actors is not None and len(snapshot):
            self._found = marks_of(snapshot, actors, self._axis, is_modified=self.session.is_modified)
        self._roster = Roster(actors)
        self._timeline_lanes = None
        self._is_stale = self._is_another = False
        self._order_lives()

    def _repaint(self) -> None:
        self._layout = self._still = None
        self.update()

    def _arrange(self) -> None:
        """Another range, or another part of the recording: who is alive in it comes first."""
        if not self._is_stale:
            self._order_lives()
        self._repaint()

    def _order_lives(self) -> None:
        if self.session.range.is_set:
            looked_at = self.session.range.frames
        else:
            looked_at = self._axis.frames_in_sight()
        self._roster.order(self._chosen, looked_at)
        chosen = self._roster.rows_of(self._chosen)[:1]
        room = self._rows_below(len(self.shown_timeline_lanes()))
        if chosen and chosen[0] >= self.first_row + room:  # below heroes, in a low pane
            self.first_row = chosen[0]
        self.first_row = max(0, min(self.first_row, len(self._roster) - 1))

    def _select(self, _selection: object) -> None:
        if not self.isVisible():
            self._repaint()
            return
        if self._stand_by(self.session.selection.actors) or self.follow():
            return
        for place in (*self._cursor_at, *self._cursor_places()):  # at the same place it may say something else
            self.update(place)

    def _stand_by(self, chosen: tuple[int, ...]) -> bool:
        """Others are chosen: their rows come up, unless they were chosen here. Says whether all is repainted."""
        if chosen == self._shown:
            return False
        self._shown = chosen
        if not self._is_choosing:
            self._settle()
            self._chosen = chosen
            self.first_row = 0
            self._order_lives()
        self.follow()
        self._repaint()
        return True

    def follow(self) -> bool:
        """Keep the current frame in sight; says whether that moved the axis."""
        axis = self.axis
        if self._drag or not len(axis.times):
            return False
        now = self._now()
        if axis.low <= now <= axis.high:
            return False
        span = axis.high - axis.low
        self.set_axis(axis.seeing(now - span / 4, now + 3 * span / 4))
        return True

    def _now(self) -> float:
        return float(self.axis.times[min(self.session.selection.frame_index, len(self.axis.times) - 1)])

    def set_axis(self, axis: Axis) -> None:
        """Look at another part."""
        self._axis = axis
        self._arrange()
        self.moved.emit()

    def set_left(self, pixels: int) -> None:
        """Begin the timeline lanes so many pixels from the left, where the plots above begin; 0: as designed."""
        if pixels != self._left:
            self._left = pixels
            self._place_axis()
            self._repaint()

    def zoom(self, factor: float) -> None:
        """Closer by a factor, around the current frame; 0 shows everything."""
        if len(self.axis.times):
            self.set_axis(self.axis.zoomed(factor, self.axis.x(self._now())) if factor else self.axis.whole())

    def restyle(self) -> None:
        super().restyle()
        self._place_axis()
        self._repaint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_axis()
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._shown = self._chosen = self.session.selection.actors
        self._timeline_lanes = None
        self._arrange()
        self.follow()

    def _place_axis(self) -> None:
        left = max(self._left, self.theme.px(NAMES))
        self._axis = self._axis.written_in(self.theme.units).sized(left, self.width() - left - self.theme.px(MARGIN))

    def sizeHint(self) -> QSize:
        return QSize(800, 196)

    # --- where everything is ----------------------------------------------------------------------------

    @property
    def timeline_layout(self) -> TimelineLayout:
        """Timeline lanes and rows of this moment."""
        if self._layout is None:
            self._settle()
            self._layout = self._laid_out()
        return self._layout

    @property
    def _marks(self) -> Marks:
        """What was found, and what a repair would leave out."""
        snapshot = self.session.snapshot
        lost = self.session.lost.frames
        if snapshot is not None:
            return with_lost(self._found, snapshot, lost, self._axis)
        return self._found

    @property
    def timeline_lanes(self) -> list[TimelineLane]:
        """All timeline lanes, with those that are not shown."""
        self._settle()
        if self._timeline_lanes is None:
            self._timeline_lanes = timeline_lanes_of(self.session, self._axis, self._marks, self.problems)
        return self._timeline_lanes

    @property
    def _is_tall(self) -> bool:
        return self.height() > self.theme.px(TALL)

    def shown_timeline_lanes(self) -> list[TimelineLane]:
        """The timeline lanes that are shown: as a person wished, else where something is marked and there is room.

        Risks are shown by an action of their own; that there are none is its answer.
        """
        unfit = frozenset() if self._is_tall else NEEDS_ROOM
        marked = {}
        for timeline_lane in self.timeline_lanes:
            marked[timeline_lane.name] = timeline_lane.meaning == "risk" or not (
                timeline_lane.is_empty or timeline_lane.name in unfit
            )
        shown = []
        for timeline_lane in self.timeline_lanes:
            if self.wishes.get(timeline_lane.name, marked[timeline_lane.name]):
                shown.append(timeline_lane)
        if self.is_folded:
            fewest = 0
        else:
            fewest = min(_ROWS, len(self._roster))
        folds = [name for name in FOLD_FIRST if name not in self.wishes]
        least = sum(timeline_lane.name not in folds for timeline_lane in shown)
        for name in folds:
            rows = self._rows_below(len(shown))
            if rows < fewest and (len(shown) > _LANES or rows < 1 <= self._rows_below(least)):
                shown = [timeline_lane for timeline_lane in shown if timeline_lane.name != name]
        return shown

    def _top_of(self, timeline_lane: int) -> int:
        """Where a timeline lane begins, by its number among those that are shown."""
        px = self.theme.px
        return px(OVERVIEW) + px(RULER) + 4 + timeline_lane * (px(TIMELINE_LANE) + GAP)

    def _rows_below(self, timeline_lanes: int) -> int:
        """How many actors have room below so many timeline lanes."""
        px = self.theme.px
        return (self.height() - self._top_of(timeline_lanes) - px(HEADING)) // px(LIFE_TALL if self._is_tall else LIFE)

    def show_timeline_lane(self, name: str, on: bool) -> None:
        """Show a timeline lane, or fold it away."""
        self.wish({**self.wishes, name: on})

    def wish(self, timeline_lanes: dict[str, bool]) -> None:
        """Show and fold away these timeline lanes, and the others as there is room."""
        self.wishes = timeline_lanes
        self.wished.emit()
        self._repaint()

    def _laid_out(self) -> TimelineLayout:
        theme = self.theme
        height = self.height()
        timeline_lanes = []
        for number, timeline_lane in enumerate(self.shown_timeline_lanes()):
            timeline_lanes.append(replace(timeline_lane, top=self._top_of(number)))
        timeline_lanes = [
            timeline_lane for timeline_lane in timeline_lanes if timeline_lane.top + theme.px(TIMELINE_LANE) <= height
        ]
        room = self._rows_below(len(timeline_lanes))
        self.first_row = max(0, min(self.first_row, len(self._roster) - room))
        if self.is_folded:
            rows = 0
        else:
            rows = max(0, min(len(self._roster) - self.first_row, room))
        shown = (
            self.session,
            theme,
            self._axis,
            self._marks,
            self._roster,
            tuple(timeline_lanes),
            self._top_of(len(timeline_lanes)),
        )
        high = theme.px(LIFE_TALL if self._is_tall else LIFE)
        held = self._held
        is_named = self._is_tall or held is not None
        return TimelineLayout(*shown, high, self.first_row, rows, self.is_folded, is_named, held, self.width(), height)

    @property
    def pointing(self) -> Pointing:
        """What is under a point."""
        return Pointing(self.timeline_layout)

    # --- painting ---------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._still is None:
            self._still = self._painted()
        # One after the other: within all rectangles at once Qt takes a hundred times as long.
        for place in event.region():  # type: ignore[attr-defined]  # a sequence that the stubs leave out
            painter.setClipRect(place)
            painter.drawPixmap(0, 0, self._still)
        painter.setClipping(False)
        self._cursor_at = []
        if len(self.axis.times):
            self._paint_cursor(painter)
            self._cursor_at = self._cursor_places()
        elif self.session.snapshot is not None:
            words = say("No frames in this file; Repair shows what can be recovered")
            color = self.theme.palette.muted
            middle = Qt.AlignmentFlag.AlignCenter
            draw_text(painter, self.rect(), words, self.theme.font, color, middle)

    def _painted(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        still = QPixmap(math.ceil(self.width() * ratio), math.ceil(self.height() * ratio))
        still.setDevicePixelRatio(ratio)
        still.fill(self.theme.palette.window)
        self._labels = []
        if len(self.axis.times):
            painter = QPainter(still)
            picture = Picture(self.timeline_layout, painter)
            picture.paint()
            painter.end()
            self._labels = picture.labels
        return still

    def cursor_tag(self) -> QRectF:
        """Where the cursor's time stands."""
        axis = self.axis
        x = axis.x(self._now())
        high = self.theme.px(16)
        width = self.theme.metrics(self.theme.mono).horizontalAdvance(axis.label(self._now())) + 12
        left = max(axis.left, min(x - width / 2, axis.left + axis.width - width))
        tag = QRectF(round(left), min(self.theme.px(OVERVIEW) + 1, self.height() - 1 - high), width, high)
        near = tag.adjusted(-width / 2, 0, width / 2, 0)
        every = map(self.timeline_layout.grip, self.timeline_layout.handles())
        grips = [grip for grip in every if grip.intersects(near)]
        if any(grip.intersects(tag) for grip in grips):  # it stands beside them, on the nearer side that has room
            left, right = grips[0].left() - 1 - width, grips[-1].right() + 1
            is_left = x - grips[0].left() < grips[-1].right() - x or right + width > axis.right
            tag.moveLeft(left if is_left and left >= axis.left else right)
        return tag

    def _cursor_places(self) -> list[QRect]:
        """What the cursor covers: its lines in the overview and the timeline lanes, its tag and the words beside it."""
        if not len(self.axis.times):
            return []
        now = self._now()
        height = self.height()
        over = int(self.timeline_layout.overview_x(now))
        x = int(self.axis.x(now))
        room = self.theme.px(RULER)
        tag = self.cursor_tag().toAlignedRect().adjusted(-2 * room, -1, 2 * room, 2)
        return [QRect(over - 1, 0, 4, self.theme.px(OVERVIEW)), QRect(x - 1, tag.top(), 4, height), tag]

    def _paint_cursor(self, painter: QPainter) -> None:
        palette = self.theme.palette
        axis = self.axis
        now = self._now()
        top = self.theme.px(OVERVIEW)
        over = round(self.timeline_layout.overview_x(now))
        painter.setPen(QPen(palette.text, 1))
        painter.drawLine(QPoint(over, 2), QPoint(over, top - 1))
        x = round(axis.x(now))
        if not axis.left - 1 <= x <= axis.left + axis.width + 1:
            return
        painter.drawLine(QPoint(x, top), QPoint(x, self.height()))
        tag = self.cursor_tag()
        for label in self._labels:
            if label.intersects(tag.adjusted(-3, 0, 3, 0)):
                painter.fillRect(label, palette.window)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        set_colors(painter, palette.tag)
        painter.drawRoundedRect(tag, 3, 3)
        draw_text(painter, tag, axis.label(now), self.theme.mono, palette.on_tag, Qt.AlignmentFlag.AlignCenter)
