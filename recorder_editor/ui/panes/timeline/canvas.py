"""The timeline's mouse and keys: scrubbing, zooming, handles, marks, lives."""

import math
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QEvent, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QImageWriter, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from ....errors import RecorderError
from ....reading import Life
from ....texts import say
from ....views.time_axis import Reals
from ...session import Session
from ...session.range import Span
from ...style.theme import Theme
from ...widgets.keyboard import step_by_key
from ...widgets.screen_reader import Spoken, spoken_lines
from .pointing import plain_text
from .timeline_layout import OVERVIEW, Side
from .timeline_view import Drag, TimelineView

_SNAP = 6  # pixels
_ENDS: tuple[Drag, ...] = ("in", "out", "segment")
_ROWS_OF_NOTCH = 3  # rows that a notch of the wheel scrolls
_ZOOMS: dict[int, float] = {Qt.Key.Key_Plus: 1.25, Qt.Key.Key_Equal: 1.25, Qt.Key.Key_Minus: 0.8, Qt.Key.Key_0: 0.0}


class Canvas(TimelineView):
    """The timeline lanes and the lives, with mouse and keys.

    Attributes:
        picture_at: Returns a small picture of a frame for the tooltip, or None.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.picture_at: Callable[[int], QImage | None] = lambda _frame: None
        self._drag_from = QPointF()
        self._range_before: Span = None
        self._segments_before = session.segments.items
        self._end: tuple[int, Side] = (0, "in")  # the segment of which an end is dragged, and the side of that end
        self._gestures = 0
        self._gesture = ""  # the name of the gesture, for undo

    # --- mouse ------------------------------------------------------------------------------------------

    def _drag_at(self, point: QPointF) -> Drag:
        """Return what a press at a point would drag."""
        layout = self.timeline_layout
        axis = self.axis
        if not len(axis.times):
            return ""
        if point.x() > axis.right + 2 and layout.rows < len(layout.roster) and point.y() >= layout.life_y(0):
            return "rows"
        is_right_of_names = point.x() >= axis.left - 6
        if point.y() < self.theme.px(OVERVIEW):
            return "window" if is_right_of_names else ""
        handle = self.pointing.handle_at(point)
        if handle is not None:
            return handle
        if self.pointing.segment_end_at(point) is not None:
            return "segment"
        return "scrub" if is_right_of_names else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._drag_from = point
        self.hold(None)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._drag = "pan"
        elif event.button() == Qt.MouseButton.LeftButton and not self._press(point):
            self._begin_drag(point)

    def _press(self, point: QPointF) -> bool:
        """Take a press on the foot, a name or a mark; return whether there is one."""
        if self.pointing.is_at_foot(point):
            self.ask_room()
            return True
        return self._press_name(point) or self._press_mark(point)

    def _begin_gesture(self) -> None:
        """Begin a new step of undo for what is moved from now on."""
        self._gestures += 1
        self._gesture = f"timeline:{self._gestures}"

    def _begin_drag(self, point: QPointF) -> None:
        self._begin_gesture()
        self._drag = self._drag_at(point)
        self._range_before = self.session.range.value
        if self._drag == "in" or self._drag == "out":
            self.hold(self._drag)
        elif self._drag == "segment":
            self._segments_before = self.session.segments.items
            self._end = self.pointing.segment_end_at(point) or self._end
        elif self._drag == "rows":
            self._scroll_to(point)
        elif self._drag == "window":
            self._press_overview(point)
        elif self._drag == "scrub":
            self.session.selection.go_to_frame(self.axis.frame(point.x()))

    def _press_overview(self, point: QPointF) -> None:
        """Go to the frame under the pointer, or move the visible part there."""
        axis = self.axis
        if axis.is_whole:
            self.session.selection.go_to_frame(self.pointing.frame_at(point))
        elif not self.timeline_layout.window_rect().contains(point):
            half = (axis.high - axis.low) / 2
            time = axis.whole().time(point.x())
            self.set_axis(axis.showing(time - half, time + half))

    def _press_name(self, point: QPointF) -> bool:
        """Take a press on the names: it selects an actor, or folds lives or kinds; return whether it selected one."""
        if point.x() >= self.axis.left - 6 or not len(self.axis.times):
            return False
        life = self.pointing.life_at(point)
        top = self.timeline_layout.lives_top
        if life is not None:
            self.select_life(life)
        elif top <= point.y() < top + self.timeline_layout.heading_height:
            self.set_folded(not self.is_folded)
        else:
            timeline_lane = self.pointing.timeline_lane_at(point)
            if timeline_lane is not None and timeline_lane.is_folded is not None:
                self.set_kinds_folded(not self.folds_kinds)
        return life is not None

    def set_folded(self, is_folded: bool) -> None:
        """Fold the rows of the lives away, or show them."""
        self.is_folded = is_folded
        self._repaint()

    def select_life(self, life: Life, *, stays: bool = False) -> None:
        """Select an actor, in a frame in which it lives; the rows keep their order.

        Args:
            life: A life of the actor.
            stays: Whether the current frame stays, also where the actor does not live in it.
        """
        self._is_choosing = True
        if not stays and not life.is_alive(self.session.selection.frame_index):
            self.session.selection.go_to_frame(life.born)
        self.session.selection.select_actor(life.actor)
        self._is_choosing = False

    def _press_mark(self, point: QPointF) -> bool:
        """Take a press on a mark, which selects what it stands for; return whether there is one.

        A handle that covers a mark comes first.
        """
        if point.x() < self.axis.left - 6 or self._drag_at(point) in _ENDS:
            return False
        mark = self.pointing.mark_at(point)
        if mark is not None:
            self.pointing.select(mark)
        return mark is not None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._drag == "scrub":
            self.session.selection.go_to_frame(self._frame_at(event, self.axis.frame(point.x())))
        elif self._drag == "in" or self._drag == "out":
            self._move_handle(self._drag, self._frame_at(event, self.axis.nearest(point.x())))
        elif self._drag == "segment":
            self._move_segment_end(self._frame_at(event, self.axis.nearest(point.x())))
        elif self._drag == "rows":
            self._scroll_to(point)
        elif self._drag == "window" and self.axis.is_whole:
            self.session.selection.go_to_frame(self.pointing.frame_at(point))
        elif self._drag in ("window", "pan"):
            self._move_axis(point)
        elif self._drag_at(point) in _ENDS:
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        else:
            self.setCursor(Qt.CursorShape.ArrowCursor)

    def _move_segment_end(self, frame: int) -> None:
        index, side = self._end
        if side == "in":
            self.session.segments.change(index, self._gesture, start=frame)
        else:
            self.session.segments.change(index, self._gesture, stop=frame)

    def _move_axis(self, point: QPointF) -> None:
        """Move the visible part: with its rectangle in the overview, or against the pointer as the paper under it."""
        axis = self.axis
        if self._drag == "window":
            span = axis.last - axis.first
        else:
            span = axis.low - axis.high
        self.set_axis(axis.moved((point.x() - self._drag_from.x()) / axis.width * span))
        self._drag_from = point

    def _frame_at(self, event: QMouseEvent, free: int) -> int:
        """Return the frame of the nearest mark, end of the range or cursor.

        For the out handle, and the end of a segment, it is the frame behind that: what is marked stays.

        Args:
            event: Event of the mouse.
            free: The frame under the pointer, which is returned with Ctrl or Alt, or where no mark is near.
        """
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return free
        axis = self.axis
        x = event.position().x()
        times = self._moments_near(x)
        frames = np.searchsorted(axis.times, times, side="right") - 1
        is_out = self._drag == "out" or (self._drag == "segment" and self._end[1] == "out")
        if is_out:
            frames += 1
        distances = np.abs(axis.xs(np.append(axis.times, axis.last)[frames]) - x)
        nearest = int(np.argmin(distances))
        if distances[nearest] <= _SNAP:
            return int(frames[nearest])
        return free

    def _moments_near(self, x: float) -> Reals:
        """Return the moments to which a drag snaps: the cursor or the ends of the range, and marks around a pixel."""
        axis = self.axis
        low = axis.times[max(0, axis.frame(x - _SNAP) - 1)]
        high = axis.time(x + _SNAP)
        frames = [self.session.selection.frame_index]
        if self._drag == "scrub":
            span = self.session.range.shown
            frames = [span.start, span.stop - 1]
        moments = [axis.at(np.array(frames))]
        for timeline_lane in self.timeline_layout.timeline_lanes:
            if timeline_lane.meaning == "segment":
                continue
            for group in timeline_lane.groups:
                is_near = (group.starts >= low) & (group.starts <= high)
                moments.append(group.starts[is_near])
        return np.concatenate(moments)

    def _move_handle(self, side: Side, boundary: int) -> None:
        """Move a handle to the beginning of a frame, not beyond the other handle."""
        span = self.session.range.shown
        if side == "in":
            start = min(boundary, span.stop - 1)
            self.session.range.set(start, span.stop, say("Mark in"), self._gesture)
        else:
            stop = max(boundary, span.start + 1)
            self.session.range.set(span.start, stop, say("Mark out"), self._gesture)

    def hold(self, side: Side | None) -> None:
        """Give the arrow keys to a handle, or to the cursor (None)."""
        if side != self._held:
            self._begin_gesture()
            self._held = side
            self._repaint()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        drag = self._drag
        self._drag = ""
        life = None
        if drag == "scrub":
            life = self.pointing.life_at(point)
        if life is not None and (point - self._drag_from).manhattanLength() <= 3:
            self.select_life(life, stays=True)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not len(self.axis.times):
            return
        point = event.position()
        steps = event.angleDelta().y() / 120
        sideways = event.angleDelta().x() / 120
        is_beside_bars = not self.axis.left <= point.x() <= self.axis.right
        if is_beside_bars and point.y() >= self.timeline_layout.life_y(0):
            self.scroll_rows(-math.trunc(_ROWS_OF_NOTCH * steps))
        else:
            has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.set_axis(self.axis.after_wheel(steps + sideways, point.x(), along=has_shift or sideways != 0))
        event.accept()

    def scroll_rows(self, rows: int) -> None:
        """Scroll the lives."""
        self.first_row = max(0, min(self.first_row + rows, len(self.roster) - self.timeline_layout.rows))
        self._repaint()

    def _scroll_to(self, point: QPointF) -> None:
        layout = self.timeline_layout
        room = max(1, layout.rows * layout.life_height)
        share = (point.y() - layout.life_y(0)) / room
        self.scroll_rows(round(share * (len(layout.roster) - layout.rows)) - self.first_row)

    def spoken(self) -> Spoken:
        """Return the lines for a screen reader: cursor, range, timeline lanes, visible actors."""
        if not len(self.axis.times):
            return spoken_lines(())
        layout = self.timeline_layout
        pointing = self.pointing
        # The first three lines are the cursor, the in point and the out point.
        lines = pointing.moments()
        current = 0
        if self._held == "in":
            current = 1
        elif self._held == "out":
            current = 2
        for timeline_lane in layout.timeline_lanes:
            lines.append(plain_text(pointing.timeline_lane_text(timeline_lane)))
        for row in range(layout.rows):
            life = layout.roster.life(layout.first_row + row)
            if current == 0 and life.actor in self.session.selection.actors:
                current = len(lines)
            lines.append(plain_text(pointing.life_text(life)))
        if layout.hidden_lanes:
            lines.append(pointing.hidden_text)
        return spoken_lines(lines, current)

    # --- tooltips and keys ------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and len(self.axis.times):
            QToolTip.showText(event.globalPos(), self.tip(QPointF(event.pos())), self)
            return True
        return bool(super().event(event))

    def tip(self, point: QPointF) -> str:
        """Return the tooltip of a point as rich text, with a picture of the scene in its frame."""
        text = self.pointing.tip(point)
        picture = None
        if text and point.x() >= self.axis.left:
            with suppress(RecorderError, OSError):  # the file may have been rewritten
                picture = self.picture_at(self.pointing.frame_at(point))
        if picture is None:
            return text
        png = QBuffer()
        QImageWriter(png, QByteArray(b"png")).write(picture)
        return f'{text}<br><img src="data:image/png;base64,{png.data().toBase64().toStdString()}">'

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._take_own_key(event) and not self.take_key(event):
            event.ignore()

    def _take_own_key(self, event: QKeyEvent) -> bool:
        """Move a handle or the selection, or cancel a drag; return False for other keys."""
        key = event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._held is not None:
            if control or not self.session.frames:
                return False
            self._step_handle(self._held, -1 if key == Qt.Key.Key_Left else 1, by_second=shift)
        elif key in (Qt.Key.Key_I, Qt.Key.Key_O) and shift:
            self.hold("in" if key == Qt.Key.Key_I else "out")
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not control:
            self._choose_row(-1 if key == Qt.Key.Key_Up else 1)
        elif key == Qt.Key.Key_Escape:
            return self._cancel_drag()
        else:
            return False
        return True

    def _step_handle(self, side: Side, step: int, *, by_second: bool) -> None:
        """Move a handle by a frame; with `by_second` by a second, where that reaches another frame."""
        span = self.session.range.shown
        boundary = span.start if side == "in" else span.stop
        target = boundary + step
        if by_second:
            second_away = self.axis.nearest(self.axis.x(self.axis.end_of(boundary - 1) + step))
            if second_away != boundary:
                target = second_away
        self._move_handle(side, target)

    def _cancel_drag(self) -> bool:
        """Put back the handle or the end of a segment that is dragged; False without any."""
        session = self.session
        if self._held is not None:
            if self._drag:
                self._drag = ""
                session.range.put_back(self._range_before, self._gesture)
                session.events.propose()
            self.hold(None)
            return True
        if self._drag == "segment":
            self._drag = ""
            session.segments.set(self._segments_before, say("Change segment"), self._gesture)
            return True
        return False

    def take_key(self, event: QKeyEvent) -> bool:
        """Step, go to an end or zoom, here and in panes that share the axis; return False for other keys."""
        key = event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in _ZOOMS and not control:
            self.zoom(_ZOOMS[key])
            return True
        return step_by_key(self.session, event)

    def _choose_row(self, by: int) -> None:
        """Select the actor of the row below (1) or above (-1)."""
        layout = self.timeline_layout
        if not len(layout.roster) or not layout.rows:
            return
        rows = layout.roster.rows_of(self.session.selection.actors[:1])
        row = layout.first_row
        if rows:
            row = max(0, min(rows[0] + by, len(layout.roster) - 1))
        if not self.first_row <= row < self.first_row + layout.rows:
            if by < 0:
                self.first_row = row
            else:
                self.first_row = row - layout.rows + 1
            self._repaint()
        self.select_life(self.roster.life(row))
