"""The timeline lanes under the mouse and the keys: scrubbing, zooming, handles, marks, lives."""

import math
import re
from collections.abc import Callable
from contextlib import suppress
from html import unescape

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QEvent, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QImageWriter, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from ....errors import RecorderError
from ....reading import Life
from ....texts import listed, say
from ...session import Session
from ...style.theme import Theme
from ...widgets.keyboard import step_by_key
from ...widgets.screen_reader import Spoken, spoken_lines
from .timeline_layout import HEADING, OVERVIEW, Side
from .timeline_view import Drag, TimelineView

_SNAP = 6  # pixels
_ENDS: tuple[Drag, ...] = ("in", "out", "segment")
_TAG = re.compile("<[^>]*>")
_LINES = 3  # rows a notch of the wheel scrolls
_ZOOMS: dict[int, float] = {Qt.Key.Key_Plus: 1.25, Qt.Key.Key_Equal: 1.25, Qt.Key.Key_Minus: 0.8, Qt.Key.Key_0: 0.0}


class Canvas(TimelineView):
    """Attribute: `picture_at` (gives a small picture of a frame for the tooltip, or None)."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.picture_at: Callable[[int], QImage | None] = lambda _frame: None
        self._drag_from = QPointF()
        self._range_before = range(0)
        self._segments_before = session.segments.items
        self._end: tuple[int, Side] = 0, "in"  # of a segment, that is dragged
        self._gestures = 0
        self._gesture = ""  # the name of what is moved now, for undo

    # --- mouse ------------------------------------------------------------------------------------------

    def _drag_at(self, point: QPointF) -> Drag:
        layout = self.timeline_layout
        axis = self.axis
        if not len(axis.times):
            return ""
        if point.x() > axis.right + 2 and layout.rows < len(layout.roster) and point.y() >= layout.life_y(0):
            return "rows"
        if point.y() < self.theme.px(OVERVIEW):
            if point.x() >= axis.left - 6:
                return "window"
            return ""
        handle = self.pointing.handle_at(point)
        if handle is not None:
            return handle
        if self.pointing.segment_end_at(point) is not None:
            return "segment"
        if point.x() >= axis.left - 6:
            return "scrub"
        return ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._drag_from = point
        self.hold(None)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._drag = "pan"
        elif event.button() == Qt.MouseButton.LeftButton and not (self._press_name(point) or self._press_mark(point)):
            self._begin(point)

    def _begin_gesture(self) -> None:
        """What is moved from now on is a step of undo of its own."""
        self._gestures += 1
        self._gesture = f"timeline:{self._gestures}"

    def _begin(self, point: QPointF) -> None:
        self._begin_gesture()
        self._drag = self._drag_at(point)
        self._range_before = self.session.range.frames
        if self._drag == "in" or self._drag == "out":
            self.hold(self._drag)
        elif self._drag == "segment":
            self._segments_before = self.session.segments.items
            self._end = self.pointing.segment_end_at(point) or self._end
        elif self._drag == "rows":
            self._scroll_to(point)
        elif self._drag == "window":
            if self.axis.is_whole:
                self.session.selection.go_to_frame(self.pointing.frame_at(point))
            elif not self.timeline_layout.window_rect().contains(point):
                half = (self.axis.high - self.axis.low) / 2
                at = self.axis.whole().time(point.x())
                self.set_axis(self.axis.seeing(at - half, at + half))
        elif self._drag == "scrub":
            self.session.selection.go_to_frame(self.axis.frame(point.x()))

    def _press_name(self, point: QPointF) -> bool:
        """A click on the names: folds the lives, or selects the actor of a row."""
        if point.x() >= self.axis.left - 6 or not len(self.axis.times):
            return False
        life = self.pointing.life_at(point)
        top = self.timeline_layout.lives_top
        if life is not None:
            self.select_life(life)
        elif top <= point.y() < top + self.theme.px(HEADING):
            self.set_folded(not self.is_folded)
        return life is not None

    def set_folded(self, is_folded: bool) -> None:
        """Fold the rows of the lives away, or show them."""
        self.is_folded = is_folded
        self._repaint()

    def select_life(self, life: Life, *, stays: bool = False) -> None:
        """Choose an actor, in a frame in which it lives unless the frame `stays`; the rows stay where they are."""
        self._is_choosing = True
        if not stays and not life.is_alive(self.session.selection.frame_index):
            self.session.selection.go_to_frame(life.born)
        self.session.selection.select_actor(life.actor)
        self._is_choosing = False

    def _press_mark(self, point: QPointF) -> bool:
        """A click on a mark selects what it stands for; a handle that covers it comes first."""
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
            frame, (at, side) = self._frame_at(event, self.axis.nearest(point.x())), self._end
            self.session.segments.change(at, self._gesture, **{"start" if side == "in" else "stop": frame})
        elif self._drag == "rows":
            self._scroll_to(point)
        elif self._drag == "window" and self.axis.is_whole:
            self.session.selection.go_to_frame(self.pointing.frame_at(point))
        elif self._drag in ("window", "pan"):
            if self._drag == "window":
                span = self.axis.last - self.axis.first
            else:
                span = self.axis.low - self.axis.high
            self.set_axis(self.axis.moved((point.x() - self._drag_from.x()) / self.axis.width * span))
            self._drag_from = point
        else:
            over = self._drag_at(point) in _ENDS
            self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.ArrowCursor)

    def _frame_at(self, event: QMouseEvent, free: int) -> int:
        """The frame of the nearest mark, end of the range or cursor; `free` with Ctrl or Alt, or where none is near.

        For the out handle the frame behind it: what is marked stays.
        """
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return free
        axis = self.axis
        x = event.position().x()
        span = self.session.range.frames
        is_out = self._drag == "out"
        is_out = is_out or (self._drag == "segment" and self._end[1] == "out")
        low, high = axis.times[max(0, axis.frame(x - _SNAP) - 1)], axis.time(x + _SNAP)
        if self._drag == "scrub":
            others = [span.start, span.stop - 1]
        else:
            others = [self.session.selection.frame_index]
        timeline_lanes = (
            timeline_lane for timeline_lane in self.timeline_layout.timeline_lanes if timeline_lane.meaning != "segment"
        )
        moments = []
        for timeline_lane in timeline_lanes:
            for group in timeline_lane.groups:
                moments.append(group.starts)
        near = [axis.at(np.array(others)), *(times[(times >= low) & (times <= high)] for times in moments)]
        frames = np.searchsorted(axis.times, np.concatenate(near), side="right") - 1 + is_out
        distance = np.abs(axis.xs(np.append(axis.times, axis.last)[frames]) - x)
        best = int(np.argmin(distance))
        if distance[best] <= _SNAP:
            return int(frames[best])
        return free

    def _move_handle(self, which: Side, boundary: int) -> None:
        """Put a handle before a frame, not beyond the other one."""
        span = self.session.range.frames
        if which == "in":
            start = min(boundary, span.stop - 1)
            self.session.range.set(start, span.stop, say("Set in point"), self._gesture)
        else:
            stop = max(boundary, span.start + 1)
            self.session.range.set(span.start, stop, say("Set out point"), self._gesture)

    def hold(self, which: Side | None) -> None:
        """Give the arrow keys to a handle, or to the cursor."""
        if which != self._held:
            self._begin_gesture()
            self._held = which
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
        if not self.axis.left <= point.x() <= self.axis.right and point.y() >= self.timeline_layout.life_y(0):
            self.scroll_rows(-math.trunc(_LINES * steps))
        else:
            along = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier or sideways)
            self.set_axis(self.axis.wheeled(steps + sideways, point.x(), along=along))
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
        """Where the cursor and the range are, the timeline lanes and the actors in sight, for a screen reader."""
        if not len(self.axis.times):
            return spoken_lines(())
        layout = self.timeline_layout
        pointing = self.pointing
        lines = pointing.moments()
        lives = []
        for row in range(layout.rows):
            lives.append(layout.roster.life(layout.first_row + row))
        chosen = []
        for life in lives:
            chosen.append(life.actor in self.session.selection.actors)
        first = len(lines) + len(layout.timeline_lanes)
        if self._held:
            current = 1 + (self._held == "out")
        elif any(chosen):
            current = first + chosen.index(True)
        else:
            current = 0
        words = (*map(pointing.timeline_lane_text, layout.timeline_lanes), *map(pointing.life_words, lives))
        plain = (unescape(listed(_TAG.split(each), "clauses")) for each in words)
        return spoken_lines([*lines, *plain], current)

    # --- tooltips and keys ------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and len(self.axis.times):
            QToolTip.showText(event.globalPos(), self.tip(QPointF(event.pos())), self)
            return True
        return bool(super().event(event))

    def tip(self, point: QPointF) -> str:
        """What the tooltip says about a point, and the scene in its frame."""
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
        session = self.session
        key = event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        by = -1 if key == Qt.Key.Key_Left else 1
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._held is not None and not control and session.frames:
            at = session.range.frames.start if self._held == "in" else session.range.frames.stop
            further = self.axis.nearest(self.axis.x(self.axis.end_of(at - 1) + by))
            self._move_handle(self._held, further if shift and further != at else at + by)
        elif key in (Qt.Key.Key_I, Qt.Key.Key_O) and shift:
            self.hold("in" if key == Qt.Key.Key_I else "out")
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not control:
            self._choose_row(-1 if key == Qt.Key.Key_Up else 1)
        elif key == Qt.Key.Key_Escape and self._held is not None:
            if self._drag:
                self._drag = ""
                session.range.set(self._range_before.start, self._range_before.stop, gesture=self._gesture)
            self.hold(None)
        elif key == Qt.Key.Key_Escape and self._drag == "segment":
            self._drag = ""
            session.segments.set(self._segments_before, say("Change segment"), self._gesture)
        elif not self.take_key(event):
            event.ignore()

    def take_key(self, event: QKeyEvent) -> bool:
        """Step, go to an end or zoom, as here and in what shares the axis; False for other keys."""
        key = event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in _ZOOMS and not control:
            self.zoom(_ZOOMS[key])
            return True
        return step_by_key(self.session, event)

    def _choose_row(self, by: int) -> None:
        """Select the actor of the row below or above."""
        layout = self.timeline_layout
        if not len(layout.roster) or not layout.rows:
            return
        rows = layout.roster.rows_of(self.session.selection.actors[:1])
        if rows:
            row = max(0, min(rows[0] + by, len(layout.roster) - 1))
        else:
            row = layout.first_row
        if not self.first_row <= row < self.first_row + layout.rows:
            if by < 0:
                self.first_row = row
            else:
                self.first_row = row - layout.rows + 1
            self._repaint()
        self.select_life(self.roster.life(row))
