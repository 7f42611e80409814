"""The area that shows and takes bytes: follows the selection, turns mouse and keys into what they mean.

Reads only what it shows. Where things stand and how they scroll is `scroll_area` and `geometry`, what they look like
`shading` and `painting`, what typing does to the recording `byte_editor`, what keys mean `caret_keys`.
"""

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
from ...session.marks import bytes_of
from ...style.painting import draw_text
from ...style.theme import Theme
from ...widgets.screen_reader import Spoken, spoken_lines
from .byte_editor import LARGEST_FILL, ByteEditor
from .caret_keys import COMMANDS, DIGITS, is_taken, target_of
from .copied_bytes import LARGEST, from_text
from .hex_painting import Caret, Page
from .scroll_area import HexScrollArea

_MS_A_LINE = 40
_WRAPPED = Qt.TextFlag.TextWordWrap


class HexView(HexScrollArea):
    """Offset, hex and text of the whole recording.

    Signals: `caret_moved(int)` (position), `inserting_changed(bool)`, `told(str)` (a sentence: refusal or hint).
    """

    caret_moved = Signal(object)
    inserting_changed = Signal(bool)
    told = Signal(str)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, session.snapshot, parent)
        self.session = session
        self.byte_editor = ByteEditor(session, self)
        self.byte_editor.told.connect(self.told)
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
        session.lost.changed.connect(self._scrolled)
        self.scrolled.connect(self._scrolled)

    def _scrolled(self) -> None:
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
        self.byte_editor.start_anew()
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
            self.byte_editor.start_anew()
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
            # Rewritten beneath by another program, which the window tells.
            return
        is_in_sight = self.is_in_sight(start)
        # Chosen elsewhere, it is shown from its first byte on; chosen here, the caret stays in it where it is.
        is_own = self._is_selecting or self.byte_editor.working
        is_chosen = self.session.selection.value != self._followed and not is_own
        self._followed = self.session.selection.value
        # Behind its last byte the end of the recording takes what is inserted: the caret may stay there.
        behind = self.caret == stop == self.snapshot.size
        if not (start <= self.caret < max(stop, start + 1) or behind) or (is_chosen and not is_in_sight):
            self.caret = start
            self.low_digit = False
            self._anchor = None
            self.caret_moved.emit(self.caret)
        # The caret in sight, and in the selected bytes: nothing needs to move for those that are not.
        if not is_in_sight and not (start < self.caret < stop and self.is_in_sight(self.caret)):
            self.scroll_to(start)
        self.viewport().update()

    def _point(self, position: int) -> None:
        """The caret stands on the very byte, within the field that is selected for it."""
        if 0 <= position < self.size_:
            self._move(position, scrolls=self.isVisible())

    def _move(self, position: int, anchor: int | None = None, *, low_digit: bool = False, scrolls: bool = True) -> None:
        """The caret stands on another byte, in sight; `anchor` is where its selection began."""
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
        assert self.snapshot is not None
        start = self.first_line * self.per_row
        stop = start + (self.lines_shown + 1) * self.per_row
        # With smaller letters, or without the find bar, more lines are in sight from the same byte on.
        if self._shading is None or self._shaded != (start, stop):
            saved = self.session.recording.saved if self.session.recording is not None else None
            try:
                lost = bytes_of(self.snapshot, self.session.lost.frames)
                self._shading = shade(self.snapshot, saved, start, stop, lost)
                self._shaded = (start, stop)
            except (RecorderError, OSError):
                # Rewritten beneath by another program, which the window tells: here is nothing left to show.
                return Shading(start, b"", np.zeros(0, np.uint8), np.zeros(0, np.bool_))
        return self._shading

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.theme.palette.field)
        if self.snapshot is None:
            return
        painter.translate(-self.horizontalScrollBar().value(), 0)
        caret = Caret(self.caret, self.low_digit, self.in_text, self.inserting, self.hasFocus())
        selection = self.session.selection
        try:
            place = selection.place
            outline = None
            if place.row != HEADER:
                outline = span_of(self.snapshot, place._replace(field=None))
            # A whole frame in blue would say nothing: what is filled is a field, or what was chosen by hand.
            is_small = selection.value.span is not None or place.field is not None
            span = self._dragged or (selection.span if is_small else (self.caret, self.caret))
        except (RecorderError, OSError):
            span = (self.caret, self.caret)
            outline = None
        Page(self, self._visible(), span, outline, caret).paint(painter)
        if self.is_unreadable() or not self.snapshot.size:
            painter.resetTransform()
            gone = say("These bytes cannot be read any more")
            empty = say("The file is empty")
            text = gone if self.snapshot.size else empty
            how = Qt.AlignmentFlag.AlignCenter
            draw_text(painter, self.viewport().rect(), text, self.theme.font, self.theme.palette.muted, how | _WRAPPED)

    def spoken(self) -> Spoken:
        """The rows in sight, for a screen reader; before that of the caret the byte at it, and what that is."""
        if self.snapshot is None:
            return spoken_lines(())
        data = self._visible().data
        per_row = self.per_row
        first = self.first_line * self.per_row
        starts = range(0, len(data), per_row)
        at = self.caret - first
        lines = []
        for start in starts:
            lines.append(
                say("{offset:06x}: {digits}", offset=first + start, digits=data[start : start + per_row].hex(" "))
            )
        if not 0 <= at < len(data):
            return spoken_lines(lines)
        place = self.byte_editor.place_at(self.caret)
        row = at // per_row
        packet = None
        if place is not None:
            packet = look_up(self.snapshot, place).packet
        what = say(packet.name) if packet is not None else "", field_title((place and place.field) or "")
        byte = say("{data:02x} at {caret}", data=data[at], caret=f"0x{self.caret:06x}")
        news = listed((byte, *what), "clauses")
        lines[row] = listed((news, lines[row]), "clauses")
        return spoken_lines(lines, row, news)

    def is_unreadable(self) -> bool:
        """The bytes in sight are gone: another program has rewritten the file."""
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
        down = self._pointer.y() >= self.viewport().height()
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (1 if down else -1))
        self._drag()

    def _drag(self) -> None:
        """Fill what lies between where the button went down and the pointer; it is selected when it is let go."""
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
        self._pressed = self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self.position_at(event.position().toPoint())
        place = None
        if found is not None:
            place = self.byte_editor.place_at(found[0])
        if place is not None:
            if place.row != HEADER:
                place = place._replace(field=None)
            self._choose(partial(self.session.selection.select, place))

    # --- the caret --------------------------------------------------------------------------------------

    def go_to(self, position: int) -> None:
        """Put the caret on a byte and select the smallest field that holds it."""
        if self.snapshot is not None:
            self._set_caret(position)

    def _set_caret(self, position: int) -> None:
        self.byte_editor.start_anew()
        self._move(max(0, min(position, self.size_)))
        self._select_under_caret()

    def _select_under_caret(self) -> None:
        if self.caret >= self.size_:
            return
        place = self.byte_editor.place_at(self.caret)
        selection = self.session.selection.value
        if place is not None and (place != selection.place or selection.span is not None):
            self._choose(partial(self.session.selection.select, place))

    def _choose(self, select: Callable[[], None]) -> None:
        self._is_selecting = True
        select()
        self._is_selecting = False

    def _extend_to(self, position: int) -> None:
        if not self.size_:
            return
        anchor = min(self.caret if self._anchor is None else self._anchor, self.size_ - 1)
        position = max(0, min(position, self.size_ - 1))
        low, high = sorted((anchor, position))
        self.caret = position
        self.low_digit = False
        self.byte_editor.start_anew()
        self._choose(partial(self.session.selection.select_span, low, high + 1))
        self._move(position, anchor)

    def set_inserting(self, inserting: bool) -> None:
        """Typing inserts bytes, or overwrites them."""
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
        if self.in_text:
            self._put(text.encode("utf-8", "replace"), advance=True, insert=self.inserting)
            return
        if text not in DIGITS:
            self.told.emit(say("Type hex digits here; Ctrl+Tab goes to the text column."))
            return
        value = int(text, 16)
        if not self.low_digit and self.inserting:
            self._put(bytes([value << 4]), advance=False, insert=True)
            return
        before = self.byte_editor.read(self.caret, 1)
        if before and self.low_digit:
            self._put(bytes([(before[0] & 0xF0) | value]), advance=True, insert=False)
        elif before or self.caret >= self.size_:
            if before:
                old = before[0]
            else:
                old = 0
            self._put(bytes([(value << 4) | (old & 0x0F)]), advance=False, insert=False)

    def _put(self, data: bytes, *, advance: bool, insert: bool) -> None:
        caret = self.caret
        if not (self.byte_editor.insert(caret, data) if insert else self.byte_editor.overwrite(caret, data)):
            return
        self._move(caret + (len(data) if advance else 0), low_digit=not advance)
        self._select_under_caret()
        self.low_digit = not advance

    def _remove(self, *, back: bool) -> None:
        if not self.inserting:
            self.told.emit(say("Bytes can be removed in insert mode only (Insert)."))
            return
        start, stop = self.session.selection.value.span or (self.caret - back, self.caret - back + 1)
        if start < 0 or start >= self.size_:
            return
        self.byte_editor.start_anew()
        if self.byte_editor.insert(start, b"", stop - start):
            self._set_caret(start)

    def paste(self) -> None:
        """Bytes from the clipboard: hex digits, Python bytes or a C array where it holds those, else its text."""
        text = QGuiApplication.clipboard().text()
        if self.in_text:
            data = text.encode("utf-8", "replace")
        else:
            data = from_text(text)
        if not data:
            self.told.emit(say("The clipboard does not contain bytes."))
            return
        start, stop = self.session.selection.value.span or (self.caret, self.caret)
        editor = self.byte_editor
        editor.start_anew()
        if editor.insert(start, data, stop - start) if self.inserting else editor.overwrite(start, data):
            self._set_caret(start + len(data))

    def fill(self, pattern: bytes) -> None:
        """Write a pattern over the selected bytes, again and again; their number stays."""
        start, stop = self.session.selection.span
        if stop - start > LARGEST_FILL:
            most = say("At most {most:,} bytes are filled at once.", most=LARGEST_FILL)
            self.told.emit(most)
            return
        if not pattern or stop <= start:
            return
        self.byte_editor.start_anew()
        if self.byte_editor.overwrite(start, (pattern * (-(-(stop - start) // len(pattern))))[: stop - start]):
            self.session.selection.select_span(start, stop)

    def selected_bytes(self) -> bytes:
        """The selected bytes, at most 16 MiB of them."""
        start, stop = self.session.selection.span
        return self.byte_editor.read(start, min(stop - start, LARGEST))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.byte_editor.start_anew()
        self.viewport().update()
