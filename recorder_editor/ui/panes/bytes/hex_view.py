"""The area that shows and takes bytes: follows the selection, turns mouse and keys into what they mean.

Reads only what it shows. Where things stand and how they scroll is `scroll_area` and `geometry`, what they look like
`shading` and `painting`, what typing does to the recording `byte_editor`, what keys mean `caret_keys`.
"""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QBasicTimer, QEvent, QPoint, Qt, QTimerEvent, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ....errors import RecorderError
from ....recording import Change
from ....texts import field_title, listed, say
from ....views.byte_shading import Shading, shade
from ....views.selection import HEADER, Selection, look_up, span_of
from ...session import Session
from ...session.marks import byte_spans
from ...style.painting import draw_text
from ...style.theme import Theme
from ...widgets.screen_reader import Spoken, spoken_lines
from .byte_editor import LARGEST_FILL, ByteEditor
from .caret_keys import COMMANDS, DIGITS, is_taken, target_of
from .copied_bytes import LARGEST, from_text
from .hex_painting import Caret, Page, Span
from .scroll_area import HexScrollArea

_MS_A_LINE = 40  # while dragging beyond the pane scrolls it


class HexView(HexScrollArea):
    """Offset, hex and text of the whole recording.

    Signals: `caret_moved(int)` (position), `inserting_changed(bool)`, `informed(str)` (a sentence: refusal or hint).

    Attributes:
        byte_editor: What changes bytes.
        caret: Position of the caret.
        low_digit: Whether the second digit of the byte is typed next.
        in_text: Whether the caret is in the column of text.
        inserting: Whether typing inserts.
    """

    caret_moved = Signal(object)
    inserting_changed = Signal(bool)
    informed = Signal(str)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, session.snapshot, parent)
        self.session = session
        self.byte_editor = ByteEditor(session, self)
        self.byte_editor.refused.connect(self.informed)
        self.caret = 0
        self.low_digit = False
        self.in_text = False
        self.inserting = False
        self._anchor: int | None = None
        self._pressed: int | None = None
        self._dragged: tuple[int, int] | None = None
        self._pointer = QPoint()
        self._rolling = QBasicTimer()
        self._shading: Shading | None = None
        self._shaded = (0, 0)
        self._followed: Selection | None = None
        self._is_selecting = False
        self.setObjectName("hexView")
        self.setAccessibleName(say("Bytes of the recording"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        session.opened.connect(self._open)
        session.editing.changed.connect(self._change)
        session.selection.rested.connect(self._follow)
        session.selection.pointed.connect(self._point)
        session.lost.changed.connect(self._forget_shading)
        self.scrolled.connect(self._forget_shading)

    def _forget_shading(self) -> None:
        self._shading = None
        self.viewport().update()

    # --- following the session --------------------------------------------------------------------------

    def _open(self) -> None:
        self.snapshot = self.session.snapshot
        self.caret = 0
        self.low_digit = False
        self._anchor = None
        self._shading = None
        self._stop_dragging()
        self.byte_editor.end_gesture()
        self.measure()
        self.verticalScrollBar().setValue(0)
        self._follow()
        self.caret_moved.emit(self.caret)

    def _change(self, change: Change) -> None:
        self.snapshot = change.after
        self.caret = min(self.caret, change.after.size)
        # Undo and edits made elsewhere end what is being typed: the next digit is a first one again.
        self.low_digit = False
        if not self.byte_editor.working:
            self.byte_editor.end_gesture()
        self._stop_dragging()
        self._shading = None
        self.measure()
        self.viewport().update()

    def _follow(self) -> None:
        """Show what is selected."""
        if self.snapshot is None or not self.isVisible():
            return
        try:
            start, stop = self.session.selection.span
        except (RecorderError, OSError):
            # Another program has rewritten the file; the window says so.
            return
        is_in_sight = self.is_in_sight(start)
        # Chosen elsewhere, it is shown from its first byte on; chosen here, the caret stays in it where it is.
        is_own = self._is_selecting or self.byte_editor.working
        is_chosen = self.session.selection.value != self._followed and not is_own
        self._followed = self.session.selection.value
        is_inside = start <= self.caret < max(stop, start + 1)
        # Behind its last byte the end of the recording takes what is inserted: the caret may stay there.
        is_at_end = self.caret == stop == self.snapshot.size
        if not (is_inside or is_at_end) or (is_chosen and not is_in_sight):
            self.caret = start
            self.low_digit = False
            self._anchor = None
            self.caret_moved.emit(self.caret)
        # The caret in sight, and in the selected bytes: nothing needs to move for those that are not.
        if not is_in_sight and not (start < self.caret < stop and self.is_in_sight(self.caret)):
            self.scroll_to(start)
        self.viewport().update()

    def _point(self, position: int) -> None:
        """Put the caret on the very byte that was pointed at, within the field that is selected for it."""
        if 0 <= position < self.size_:
            self._move(position, scrolls=self.isVisible())

    def _move(self, position: int, anchor: int | None = None, *, low_digit: bool = False, scrolls: bool = True) -> None:
        """Put the caret on another byte.

        Args:
            position: The byte.
            anchor: Where the selection of bytes began; None without one.
            low_digit: Whether its second digit is typed next.
            scrolls: Whether it is brought into sight.
        """
        self.caret = position
        self.low_digit = low_digit
        self._anchor = anchor
        if scrolls:
            self.scroll_to(position)
        self.caret_moved.emit(position)
        self.viewport().update()

    def showEvent(self, event: QEvent) -> None:
        self._follow()

    # --- painting ---------------------------------------------------------------------------------------

    def _visible(self) -> Shading:
        """Return the bytes in sight and what they are; none where they cannot be read any more."""
        assert self.snapshot is not None
        start = self.first_line * self.per_row
        stop = start + (self.lines_shown + 1) * self.per_row
        # With smaller letters, or without the find bar, more lines are in sight from the same byte on.
        if self._shading is not None and self._shaded == (start, stop):
            return self._shading
        saved = None
        if self.session.recording is not None:
            saved = self.session.recording.saved
        try:
            lost = byte_spans(self.snapshot, self.session.lost.frames)
            self._shading = shade(self.snapshot, saved, start, stop, lost)
        except (RecorderError, OSError):
            # Another program has rewritten the file, and the window says so: there is nothing left to show.
            return Shading(start, b"", np.zeros(0, np.uint8), np.zeros(0, np.bool_))
        self._shaded = (start, stop)
        return self._shading

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.theme.palette.field)
        if self.snapshot is None:
            return
        painter.translate(-self.horizontalScrollBar().value(), 0)
        caret = Caret(
            position=self.caret,
            low_digit=self.low_digit,
            in_text=self.in_text,
            inserting=self.inserting,
            focused=self.hasFocus(),
        )
        span = (self.caret, self.caret)
        outline = None
        try:
            span = self._filled_span()
            place = self.session.selection.place
            if place.row != HEADER:
                outline = span_of(self.snapshot, place._replace(field=None))
        except (RecorderError, OSError):
            span = (self.caret, self.caret)
        Page(area=self, shading=self._visible(), span=span, outline=outline, caret=caret).paint(painter)
        if self.is_unreadable() or not self.snapshot.size:
            painter.resetTransform()
            text = say("The file is empty")
            if self.snapshot.size:
                text = say("These bytes cannot be read any more")
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            draw_text(painter, self.viewport().rect(), text, self.theme.font, self.theme.palette.muted, flags)

    def _filled_span(self) -> Span:
        """Return the bytes that are filled with the selection's colour; none for a whole frame, packet or record.

        A whole frame in blue would say nothing: what is filled is a field, or what was chosen by hand.

        Raises:
            RecorderError: The selection cannot be read.
            OSError: The file cannot be read.
        """
        if self._dragged is not None:
            return self._dragged
        selection = self.session.selection
        if selection.value.span is not None or selection.place.field is not None:
            return selection.span
        return (self.caret, self.caret)

    def spoken(self) -> Spoken:
        """Return the rows in sight, for a screen reader; before that of the caret the byte at it, and what that is."""
        if self.snapshot is None:
            return spoken_lines(())
        data = self._visible().data
        per_row = self.per_row
        first = self.first_line * self.per_row
        lines = []
        for start in range(0, len(data), per_row):
            digits = data[start : start + per_row].hex(" ")
            lines.append(say("{offset:06x}: {digits}", offset=first + start, digits=digits))
        offset = self.caret - first
        if not 0 <= offset < len(data):
            return spoken_lines(lines)
        clauses = [say("{data:02x} at {caret}", data=data[offset], caret=f"0x{self.caret:06x}")]
        place = self.byte_editor.place_at(self.caret)
        if place is not None:
            packet = look_up(self.snapshot, place).packet
            if packet is not None:
                clauses.append(say(packet.name))
            clauses.append(field_title(place.field or ""))
        news = listed(clauses, "clauses")
        row = offset // per_row
        lines[row] = listed([news, lines[row]], "clauses")
        return spoken_lines(lines, row, news)

    def is_unreadable(self) -> bool:
        """Return whether the bytes in sight are gone: another program has rewritten the file."""
        return bool(self.snapshot is not None and self.snapshot.size and not self._visible().data)

    # --- mouse ------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if event.button() != Qt.MouseButton.LeftButton or self.snapshot is None or point.y() < self.metrics_.header:
            return
        # Behind the last byte is a place, too: there the recording goes on when bytes are inserted.
        position, self.in_text = self.metrics_.spot(self.inside(point), self.first_line)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._extend_to(position)
            return
        self._pressed = min(position, self.snapshot.size)
        self._set_caret(position)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        self._pointer = event.position().toPoint()
        below = self._pointer.y() >= self.viewport().height()
        if not below and self._pointer.y() >= self.metrics_.header:
            self._rolling.stop()
        elif not self._rolling.isActive():
            self._rolling.start(_MS_A_LINE, self)
        self._drag()

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._rolling.timerId():
            super().timerEvent(event)
            return
        bar = self.verticalScrollBar()
        if self._pointer.y() >= self.viewport().height():
            bar.setValue(bar.value() + 1)
        else:
            bar.setValue(bar.value() - 1)
        self._drag()

    def _drag(self) -> None:
        """Fill what lies between where the button went down and the pointer; releasing the button selects it."""
        if self._pressed is None or not self.size_:
            return
        height = self.metrics_.header + self.lines_shown * self.metrics_.line
        y = max(self.metrics_.header, min(self._pointer.y(), height - 1))
        position = self.metrics_.spot(self.inside(QPoint(self._pointer.x(), y)), self.first_line).position
        low, high = sorted((min(self._pressed, self.size_ - 1), min(position, self.size_ - 1)))
        if self._dragged is not None or high > low:
            self._dragged = low, high + 1
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged = self._dragged
        pressed = self._pressed
        self._stop_dragging()
        if dragged is not None and pressed is not None:
            self.caret = dragged[0]
            self.low_digit = False
            self._anchor = None
            self.session.selection.select_span(*dragged)
            self.caret_moved.emit(self.caret)

    def _stop_dragging(self) -> None:
        self._rolling.stop()
        self._pressed = None
        self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        spot = self.position_at(event.position().toPoint())
        if spot is None:
            return
        position, _ = spot
        place = self.byte_editor.place_at(position)
        if place is not None:
            if place.row != HEADER:
                place = place._replace(field=None)
            self._select_own(partial(self.session.selection.select, place))

    # --- the caret --------------------------------------------------------------------------------------

    def go_to(self, position: int) -> None:
        """Put the caret on a byte and select the smallest field that holds it."""
        if self.snapshot is not None:
            self._set_caret(position)

    def _set_caret(self, position: int) -> None:
        self.byte_editor.end_gesture()
        self._move(max(0, min(position, self.size_)))
        self._select_under_caret()

    def _select_under_caret(self) -> None:
        if self.caret >= self.size_:
            return
        place = self.byte_editor.place_at(self.caret)
        selection = self.session.selection.value
        if place is not None and (place != selection.place or selection.span is not None):
            self._select_own(partial(self.session.selection.select, place))

    def _select_own(self, select: Callable[[], None]) -> None:
        """Select something here: the caret stays where it is."""
        self._is_selecting = True
        select()
        self._is_selecting = False

    def _extend_to(self, position: int) -> None:
        """Select the bytes from the anchor to a position, where the caret goes."""
        if not self.size_:
            return
        anchor = self._anchor
        if anchor is None:
            anchor = self.caret
        anchor = min(anchor, self.size_ - 1)
        position = max(0, min(position, self.size_ - 1))
        low, high = sorted((anchor, position))
        self.caret = position
        self.low_digit = False
        self.byte_editor.end_gesture()
        self._select_own(partial(self.session.selection.select_span, low, high + 1))
        self._move(position, anchor)

    def set_inserting(self, inserting: bool) -> None:
        """Let typing insert bytes, or overwrite them."""
        if inserting != self.inserting:
            self.inserting = inserting
            self.low_digit = False
            self.inserting_changed.emit(inserting)
            self.viewport().update()

    # --- keys -------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return super().event(event)
        # Tab moves on to the next widget; Ctrl+Tab is ours.
        if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                if event.type() == QEvent.Type.KeyPress:
                    self.in_text = not self.in_text
                    self.low_digit = False
                    self.viewport().update()
                event.accept()
                return True
        elif event.type() == QEvent.Type.ShortcutOverride and is_taken(event, self.in_text):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.snapshot is None:
            super().keyPressEvent(event)
            return
        key = Qt.Key(event.key())
        modifiers = event.modifiers()
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        command = bool(modifiers & COMMANDS)
        page = self.per_row * self.lines_shown
        target = target_of(event, self.caret, self.per_row, page, self.size_)
        if target is not None:
            if shift:
                self._extend_to(target)
            else:
                self._set_caret(target)
        elif key == Qt.Key.Key_Insert and not command and not shift:
            self.set_inserting(not self.inserting)
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete) and not command and not shift:
            self._remove(back=key == Qt.Key.Key_Backspace)
        elif event.text() and not command and event.text().isprintable():
            self._type(event.text())
        else:
            super().keyPressEvent(event)

    # --- editing ----------------------------------------------------------------------------------------

    def _type(self, text: str) -> None:
        """Take a typed text: in the column of digits one of a byte's two digits."""
        if self.in_text:
            self._put(text.encode("utf-8", "replace"), advance=True, insert=self.inserting)
            return
        if text not in DIGITS:
            self.informed.emit(say("Type hex digits here; Ctrl+Tab goes to the text column."))
            return
        value = int(text, 16)
        if not self.low_digit and self.inserting:
            self._put(bytes([value << 4]), advance=False, insert=True)
            return
        before = self.byte_editor.read(self.caret, 1)
        if before and self.low_digit:
            self._put(bytes([(before[0] & 0xF0) | value]), advance=True, insert=False)
        elif before:
            self._put(bytes([(value << 4) | (before[0] & 0x0F)]), advance=False, insert=False)
        elif self.caret >= self.size_:
            self._put(bytes([value << 4]), advance=False, insert=False)

    def _put(self, data: bytes, *, advance: bool, insert: bool) -> None:
        """Put bytes at the caret; `advance` moves it behind them, else the second digit is typed next."""
        caret = self.caret
        if insert:
            is_done = self.byte_editor.insert(caret, data)
        else:
            is_done = self.byte_editor.overwrite(caret, data)
        if not is_done:
            return
        if advance:
            self._move(caret + len(data))
        else:
            self._move(caret, low_digit=True)
        self._select_under_caret()
        self.low_digit = not advance

    def _remove(self, *, back: bool) -> None:
        """Remove the selected bytes, or that at the caret, or (`back`) that before it."""
        if not self.inserting:
            self.informed.emit(say("Bytes can be removed in insert mode only (Insert)."))
            return
        span = self.session.selection.value.span
        if span is not None:
            start, stop = span
        else:
            start = self.caret
            if back:
                start -= 1
            stop = start + 1
        if start < 0 or start >= self.size_:
            return
        self.byte_editor.end_gesture()
        if self.byte_editor.insert(start, b"", stop - start):
            self._set_caret(start)

    def paste(self) -> None:
        """Paste from the clipboard: hex digits or Python bytes where it holds those, else its text."""
        text = QGuiApplication.clipboard().text()
        if self.in_text:
            data = text.encode("utf-8", "replace")
        else:
            data = from_text(text)
        if not data:
            self.informed.emit(say("The clipboard does not contain bytes."))
            return
        start, stop = self.session.selection.value.span or (self.caret, self.caret)
        self.byte_editor.end_gesture()
        if self.inserting:
            is_done = self.byte_editor.insert(start, data, stop - start)
        else:
            is_done = self.byte_editor.overwrite(start, data)
        if is_done:
            self._set_caret(start + len(data))

    def fill(self, pattern: bytes) -> None:
        """Write a pattern over the selected bytes, again and again; their number stays."""
        start, stop = self.session.selection.span
        size = stop - start
        if size > LARGEST_FILL:
            self.informed.emit(say("At most {most:,} bytes are filled at once.", most=LARGEST_FILL))
            return
        if not pattern or size <= 0:
            return
        self.byte_editor.end_gesture()
        repeats = math.ceil(size / len(pattern))
        data = (pattern * repeats)[:size]
        if self.byte_editor.overwrite(start, data):
            self.session.selection.select_span(start, stop)

    def selected_bytes(self) -> bytes:
        """Return the selected bytes, at most 16 MiB of them."""
        start, stop = self.session.selection.span
        return self.byte_editor.read(start, min(stop - start, LARGEST))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.byte_editor.end_gesture()
        self.viewport().update()
