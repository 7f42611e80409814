"""The lanes under the mouse and the keys: scrubbing, zooming, handles, marks, lives.

What does not move with the cursor is kept as a pixmap; a step of frames repaints only where the cursor was and is.
"""

import math
from typing import Literal

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from ...edits.place import Place
from ...recording.lives import Life
from ..session import Session
from ..tables.problems import select_finding
from ..theme import Theme
from ..widgets import ThemedWidget
from .axis import Axis, axis_of
from .lives import Roster
from .marks import (
    BORN,
    COLLISION,
    DOOR,
    GONE,
    NO_MARKS,
    PARENT,
    SCENE_LIGHT,
    WEATHER,
    Marks,
    Problems,
    marks_of,
    problems_of,
    with_lost,
)
from .picture import GAP, HEADING, KEPT_AND_LOST, LANE, OVERVIEW, RISK, RULER, Lane, Picture, Sheet, Side
from .pointing import REACH, Pointing

NAMES = 104
MARGIN = 14
LIFE, LIFE_TALL = 14, 15
TALL = 214
"""From this height on (the layout for trimming, whatever the window) all lanes are shown, and words beside handles."""

_LINES = 3  # rows a notch of the wheel scrolls
Drag = Literal["", "scrub", "in", "out", "window", "pan", "rows"]
_FURTHER = (("Attached", (PARENT,)), ("Doors", (DOOR,)), ("Scene lights", (SCENE_LIGHT,)), ("Weather", (WEATHER,)))


class Canvas(ThemedWidget):
    """Attributes: `axis` (what is in sight), `roster` (who stands in which row), `first_row`, `is_folded`.

    Signals: `folded(bool)`, `moved` (another part is in sight).
    """

    folded = Signal(bool)
    moved = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session = session
        self.first_row = 0
        self.is_folded = False
        self._left = 0
        self._axis = axis_of(None)
        self._roster = Roster(None)
        self._marks = self._found = NO_MARKS
        self._problems = problems_of(())
        self._shown: tuple[int, ...] = ()
        self._chosen: tuple[int, ...] = ()  # whose rows were brought up
        self._drag: Drag = ""
        self._drag_from = QPointF()
        self._range_before = range(0)
        self._sheet: Sheet | None = None
        self._still: QPixmap | None = None
        self._labels: list[QRectF] = []
        self._cursor_at: list[QRect] = []
        self._is_choosing = False
        self._is_stale = True
        self._is_another = True
        self.setObjectName("timeline")
        self.setAccessibleName(self.tr("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumHeight(90)
        session.opened.connect(self._open)
        session.changed.connect(self._change)
        session.selected.connect(self._select)
        session.surveyed.connect(self._repaint)
        session.checked.connect(self._check)
        session.range_changed.connect(self._arrange)
        session.traffic.changed.connect(self._repaint)
        session.lost_changed.connect(self._take_lost)

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

    @property
    def marks(self) -> Marks:
        """What is marked."""
        self._settle()
        return self._marks

    @property
    def problems(self) -> Problems:
        """Errors and warnings."""
        return self._problems

    def _open(self) -> None:
        self._is_stale = self._is_another = True
        self.first_row = 0
        self._shown = self._chosen = ()
        self._check()

    def _change(self, _change: object) -> None:
        self._is_stale = True
        self._repaint()

    def _take_lost(self) -> None:
        snapshot = self.session.snapshot
        if not self._is_stale and snapshot is not None:
            self._marks = with_lost(self._found, snapshot, self.session.lost, self._axis)
        self._repaint()

    def _check(self) -> None:
        self._problems = problems_of(self.session.findings)
        self._repaint()

    def _settle(self) -> None:
        """Take in the present state, when it is looked at."""
        if not self._is_stale:
            return
        before = self._axis
        snapshot, actors = self.session.snapshot, self.session.actors
        self._axis = axis_of(snapshot)
        self._place_axis()
        keeps = not self._is_another and before.in_seconds == self._axis.in_seconds
        if keeps and not before.is_whole and len(self._axis.times):
            self._axis = self._axis.seeing(before.low, before.high)
        self._marks = self._found = NO_MARKS
        if snapshot is not None and actors is not None and len(snapshot):
            self._found = marks_of(snapshot, actors, self._axis, is_modified=self.session.is_modified)
            self._marks = with_lost(self._found, snapshot, self.session.lost, self._axis)
        self._roster = Roster(actors)
        self._is_stale = self._is_another = False
        self._order_lives()

    def _repaint(self) -> None:
        self._sheet = self._still = None
        self.update()

    def _arrange(self) -> None:
        """Another range, or another part of the recording: who is alive in it comes first."""
        if not self._is_stale:
            self._order_lives()
        self._repaint()

    def _order_lives(self) -> None:
        looked_at = self.session.range if self.session.has_range else self._axis.frames_in_sight()
        self._roster.order(self._chosen, looked_at)
        self.first_row = max(0, min(self.first_row, len(self._roster) - 1))

    def _select(self, _selection: object) -> None:
        if not self.isVisible():
            self._repaint()
            return
        if self._stand_by(self.session.actors_selected) or self.follow():
            return
        places, before = self._cursor_places(), self._cursor_at
        if places != before:
            for place in (*before, *places):
                self.update(place)

    def _stand_by(self, chosen: tuple[int, ...]) -> bool:
        """Others are chosen: their rows come up, unless they were chosen here. Says whether all is repainted."""
        if chosen == self._shown:
            return False
        self._shown = chosen
        if not self._is_choosing:
            self._settle()
            self._chosen, self.first_row = chosen, 0
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
        return float(self.axis.times[min(self.session.frame_index, len(self.axis.times) - 1)])

    def set_axis(self, axis: Axis) -> None:
        """Look at another part."""
        self._axis = axis
        self._arrange()
        self.moved.emit()

    def set_left(self, pixels: int) -> None:
        """Begin the lanes so many pixels from the left, below which something else has them begin; 0: as designed."""
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
        self._repaint()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._shown = self._chosen = self.session.actors_selected
        self._arrange()
        self.follow()

    def _place_axis(self) -> None:
        left = max(self._left, self.theme.px(NAMES))
        self._axis = self._axis.sized(left, self.width() - left - self.theme.px(MARGIN))

    def sizeHint(self) -> QSize:
        return QSize(800, 196)

    # --- where everything is ----------------------------------------------------------------------------

    @property
    def sheet(self) -> Sheet:
        """Lanes and rows of this moment."""
        if self._sheet is None:
            self._settle()
            self._sheet = self._laid_out()
        return self._sheet

    def _laid_out(self) -> Sheet:
        theme, height, is_tall = self.theme, self.height(), self.height() > self.theme.px(TALL)
        top = theme.px(OVERVIEW) + theme.px(RULER) + 4
        lanes = []
        for name, kinds in self._lane_names(is_tall):
            lanes.append(Lane(name, kinds, top))
            top += theme.px(LANE) + GAP
        life_height = theme.px(LIFE_TALL if is_tall else LIFE)
        room = (height - top - theme.px(HEADING)) // life_height
        self.first_row = max(0, min(self.first_row, len(self._roster) - room))
        rows = 0 if self.is_folded else max(0, min(len(self._roster) - self.first_row, room))
        return Sheet(
            self.session,
            theme,
            self._axis,
            self._marks,
            self._problems,
            self._roster,
            tuple(lanes),
            top,
            life_height,
            self.first_row,
            rows,
            self.is_folded,
            is_tall or self._drag in ("in", "out"),
            self.width(),
            height,
        )

    def _lane_names(self, is_tall: bool) -> list[tuple[str, tuple[int, ...]]]:
        """The lanes: births and collisions always; others where there is something in them, and room."""
        marks = self._marks
        names: list[tuple[str, tuple[int, ...]]] = [(KEPT_AND_LOST, ())] if marks.gaps else []
        names += [("Born, gone", (BORN, GONE)), ("Collisions", (COLLISION,))]
        if self.session.traffic.is_shown:
            names.append((RISK, ()))
        if is_tall:
            names += [(name, kinds) for name, kinds in _FURTHER if marks.later.intersection(kinds)]
        found, edited = len(self._problems.frames), len(marks.edited)
        if (found or edited) and not marks.gaps:
            names.append(("Edits, problems" if found and edited else "Edits" if edited else "Problems", ()))
        return names

    @property
    def pointing(self) -> Pointing:
        """What is under a point."""
        return Pointing(self.sheet)

    def point_of_frame(self, frame: int) -> QPoint:
        """A point in the lanes at which a frame begins, for scripts."""
        return QPoint(math.ceil(self.axis.x(float(self.axis.times[frame]))), self.sheet.lanes_top + 1)

    # --- painting ---------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._still is None:
            self._still = self._painted()
        painter.drawPixmap(0, 0, self._still)
        self._cursor_at = []
        if len(self.axis.times):
            self._paint_cursor(painter)
            self._cursor_at = self._cursor_places()
        elif self.session.snapshot is not None:
            painter.setFont(self.theme.font)
            painter.setPen(self.theme.palette.muted)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.tr("No frames in this file"))

    def _painted(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        still = QPixmap(math.ceil(self.width() * ratio), math.ceil(self.height() * ratio))
        still.setDevicePixelRatio(ratio)
        still.fill(self.theme.palette.window)
        self._labels = []
        if len(self.axis.times):
            painter = QPainter(still)
            picture = Picture(self.sheet, painter)
            picture.paint()
            painter.end()
            self._labels = picture.labels
        return still

    def _tag(self) -> QRectF:
        """Where the cursor's time stands."""
        axis = self.axis
        x = axis.x(self._now())
        width = self.theme.metrics(self.theme.mono).horizontalAdvance(axis.label(self._now())) + 12
        left = max(axis.left, min(x - width / 2, axis.left + axis.width - width))
        return QRectF(round(left), self.theme.px(OVERVIEW) + 1, width, 16)

    def _cursor_places(self) -> list[QRect]:
        """What the cursor covers: its line in the overview, its line in the lanes, its tag and the words beside it."""
        if not len(self.axis.times):
            return []
        now, height = self._now(), self.height()
        over, x = int(self.sheet.overview_x(now)), int(self.axis.x(now))
        room = self.theme.px(RULER)
        tag = self._tag().toAlignedRect().adjusted(-2 * room, -1, 2 * room, 2)
        return [QRect(over - 1, 0, 4, self.theme.px(OVERVIEW)), QRect(x - 1, tag.top(), 4, height), tag]

    def _paint_cursor(self, painter: QPainter) -> None:
        palette, axis = self.theme.palette, self.axis
        now = self._now()
        top, over = self.theme.px(OVERVIEW), round(self.sheet.overview_x(now))
        painter.setPen(QPen(palette.text, 1))
        painter.drawLine(QPoint(over, 2), QPoint(over, top - 1))
        x = round(axis.x(now))
        if not axis.left - 1 <= x <= axis.left + axis.width + 1:
            return
        painter.drawLine(QPoint(x, top), QPoint(x, self.height()))
        tag = self._tag()
        for label in self._labels:
            if label.intersects(tag.adjusted(-3, 0, 3, 0)):
                painter.fillRect(label, palette.window)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.tag)
        painter.drawRoundedRect(tag, 3, 3)
        painter.setFont(self.theme.mono)
        painter.setPen(palette.on_tag)
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, axis.label(now))

    # --- mouse ------------------------------------------------------------------------------------------

    def _drag_at(self, point: QPointF) -> Drag:
        sheet, axis = self.sheet, self.axis
        if not len(axis.times):
            return ""
        if point.x() > axis.left + axis.width + 2 and sheet.rows < len(sheet.roster) and point.y() >= sheet.life_y(0):
            return "rows"
        if point.y() < self.theme.px(OVERVIEW):
            return "window" if point.x() >= axis.left - 6 else ""
        handle = self._handle_at(point)
        if handle is not None:
            return handle
        return "scrub" if point.x() >= axis.left - 6 else ""

    def _handle_at(self, point: QPointF) -> Side | None:
        """A handle is taken by its line or its grip; of two at one place the one whose grip is under the pointer."""
        sheet = self.sheet
        handles = sheet.handles()
        for which in handles:
            if sheet.grip(which).adjusted(-2, -1, 2, 2).contains(point):
                return which
        if not self.session.has_range:
            return None  # a line there is none, and the first frame is to be reached
        return next((which for which in handles if abs(sheet.handle_x(which) - point.x()) <= REACH), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._drag_from = point
        if event.button() == Qt.MouseButton.MiddleButton:
            self._drag = "pan"
        elif event.button() == Qt.MouseButton.LeftButton and not (self._press_name(point) or self._press_mark(point)):
            self._begin(point)

    def _begin(self, point: QPointF) -> None:
        self._drag = self._drag_at(point)
        self._range_before = self.session.range
        if self._drag in ("in", "out"):
            self._repaint()
        elif self._drag == "rows":
            self._scroll_to(point)
        elif self._drag == "window":
            if self.axis.is_whole:
                self._scrub_overview(point)
            elif not self.sheet.window_rect().contains(point):
                self._centre_window(point.x())
        elif self._drag == "scrub":
            self.session.go_to_frame(self.axis.frame(point.x()))

    def _press_name(self, point: QPointF) -> bool:
        """A click on the names: folds the lives, or selects the actor of a row."""
        if point.x() >= self.axis.left - 6 or not len(self.axis.times):
            return False
        life, top = self.pointing.life_at(point), self.sheet.lives_top
        if life is not None:
            self._select_life(life)
        elif top <= point.y() < top + self.theme.px(HEADING):
            self.set_folded(not self.is_folded)
        return life is not None

    def set_folded(self, is_folded: bool) -> None:
        """Fold the rows of the lives away, or show them."""
        self.is_folded = is_folded
        self._repaint()
        self.folded.emit(is_folded)

    def _select_life(self, life: Life, *, stays: bool = False) -> None:
        """Choose an actor, in a frame in which it lives unless the frame `stays`; the rows stay where they are."""
        self._is_choosing = True
        if not stays and not life.is_alive(self.session.frame_index):
            self.session.go_to_frame(life.born)
        self.session.select_actor(life.actor)
        self._is_choosing = False

    def _press_mark(self, point: QPointF) -> bool:
        """A click on a mark selects what it stands for; a handle that covers it comes first."""
        if point.x() < self.axis.left - 6 or self._handle_at(point) is not None:
            return False
        actors, event = self.session.actors, self.pointing.event_at(point)
        finding, edit, gap = self.pointing.finding_at(point), self.pointing.edit_at(point), self.pointing.gap_at(point)
        risk, analysis = self.pointing.risk_at(point), self.session.traffic.shown
        if risk is not None and analysis is not None:
            self.session.go_to_frame(int(analysis.risks["worst"][risk]))
            self.session.select_actor(analysis.actors.lives[int(analysis.risks["life"][risk])].actor)
        elif event is not None and actors is not None:
            where = actors.events[event]
            self.session.select(Place(int(where["row"]), int(where["packet"]), int(where["record"])))
        elif finding is not None:
            select_finding(self.session, finding)
        elif gap is not None:
            self.session.select(Place(gap.row))
        elif edit is not None:
            self.session.go_to_frame(edit)
        else:
            return False
        return True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._drag == "scrub":
            self.session.go_to_frame(self.axis.frame(point.x()))
        elif self._drag == "in":
            stop = self.session.range.stop
            self.session.set_range(min(self.axis.nearest(point.x()), stop - 1), stop)
        elif self._drag == "out":
            start = self.session.range.start
            self.session.set_range(start, max(self.axis.nearest(point.x()), start + 1))
        elif self._drag == "rows":
            self._scroll_to(point)
        elif self._drag == "window" and self.axis.is_whole:
            self._scrub_overview(point)
        elif self._drag in ("window", "pan"):
            span = self.axis.last - self.axis.first if self._drag == "window" else self.axis.low - self.axis.high
            self._pan((point.x() - self._drag_from.x()) / self.axis.width * span)
            self._drag_from = point
        else:
            over = self._drag_at(point) in ("in", "out")
            self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point, drag = event.position(), self._drag
        self._drag = ""
        if drag in ("in", "out"):
            self._repaint()
        life = self.pointing.life_at(point) if drag == "scrub" else None
        if life is not None and (point - self._drag_from).manhattanLength() <= 3:
            self._select_life(life, stays=True)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        which = self._drag_at(event.position())
        if which == "in":
            self.session.set_range(0, self.session.range.stop)
        elif which == "out":
            self.session.set_range(self.session.range.start, self.session.frames)
        elif which == "window":
            self.set_axis(self.axis.whole())

    def _pan(self, seconds: float) -> None:
        self.set_axis(self.axis.seeing(self.axis.low + seconds, self.axis.high + seconds))

    def _overview_time(self, x: float) -> float:
        return self.axis.first + (x - self.axis.left) / self.axis.width * (self.axis.last - self.axis.first)

    def _scrub_overview(self, point: QPointF) -> None:
        self.session.go_to_frame(self.axis.frame(self.axis.x(self._overview_time(point.x()))))

    def _centre_window(self, x: float) -> None:
        half = (self.axis.high - self.axis.low) / 2
        at = self._overview_time(x)
        self.set_axis(self.axis.seeing(at - half, at + half))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not len(self.axis.times):
            return
        point, steps, sideways = event.position(), event.angleDelta().y() / 120, event.angleDelta().x() / 120
        beside = not self.axis.left <= point.x() <= self.axis.left + self.axis.width
        if beside and point.y() >= self.sheet.life_y(0):
            self.scroll_rows(-math.ceil(_LINES * steps) if steps < 0 else -math.floor(_LINES * steps))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or sideways:
            self._pan(-(steps + sideways) * (self.axis.high - self.axis.low) / 8)
        else:
            x = max(self.axis.left, min(point.x(), self.axis.left + self.axis.width))
            self.set_axis(self.axis.zoomed(1.25**steps, x))
        event.accept()

    def scroll_rows(self, rows: int) -> None:
        """Scroll the lives."""
        self.first_row = max(0, min(self.first_row + rows, len(self.roster) - self.sheet.rows))
        self._repaint()

    def _scroll_to(self, point: QPointF) -> None:
        sheet = self.sheet
        room = max(1, sheet.rows * sheet.life_height)
        share = (point.y() - sheet.life_y(0)) / room
        self.scroll_rows(round(share * (len(sheet.roster) - sheet.rows)) - self.first_row)

    # --- tooltips and keys ------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and len(self.axis.times):
            text = self.pointing.tip(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), text, self) if text else QToolTip.hideText()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        session, key = self.session, event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            by = -1 if key == Qt.Key.Key_Left else 1
            session.step_event(by) if control else session.step_seconds(float(by)) if shift else session.step(by)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not control:
            self._choose_row(-1 if key == Qt.Key.Key_Up else 1)
        elif key == Qt.Key.Key_Home:
            session.go_to_frame(0)
        elif key == Qt.Key.Key_End:
            session.go_to_frame(session.frames - 1)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and not control:
            self.zoom(0.8 if key == Qt.Key.Key_Minus else 1.25)
        elif key == Qt.Key.Key_0 and not control:
            self.zoom(0)
        elif key == Qt.Key.Key_Escape and self._drag in ("in", "out"):
            self._drag = ""
            session.set_range(self._range_before.start, self._range_before.stop)
        else:
            event.ignore()

    def _choose_row(self, by: int) -> None:
        """Select the actor of the row below or above."""
        sheet = self.sheet
        if not len(sheet.roster) or not sheet.rows:
            return
        rows = sheet.roster.rows_of(self.session.actors_selected[:1])
        row = max(0, min(rows[0] + by, len(sheet.roster) - 1)) if rows else sheet.first_row
        if not self.first_row <= row < self.first_row + sheet.rows:
            self.first_row = row if by < 0 else row - sheet.rows + 1
            self._repaint()
        self._select_life(self.roster.life(row))
