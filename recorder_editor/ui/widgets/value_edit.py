"""What the editors on one line share: what is shown, what is exact, what is typed, what was refused.

An editor never believes itself. It says ``committed(str)``; then it waits for ``set_value`` (it was stored), or for
``refuse`` (it was not, and the reason appears beneath). It knows no field of the format.
"""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QHideEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from recorder_editor.ui.style.painting import draw_text
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import set_state
from recorder_editor.ui.widgets.error_popup import ErrorPopup

from ...texts import say

WIDTH = 116
NARROW = 100
HEIGHT = 24

EDGE = 6  # border and padding of a line edit in the style sheet, together
MARGIN = 2  # what QLineEdit itself keeps free at both ends of its text

_KEEPING_FOCUS = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class StoredNumber:
    """What editors of one number share beside their widget, which has a signal ``committed(str)``. A mixin."""

    _value: int | None
    _refusal: ErrorPopup

    @property
    def value(self) -> int | None:
        """The number that was set last; None when values are mixed."""
        return self._value

    @property
    def reason(self) -> str:
        """Why the last choice was refused; empty otherwise."""
        return self._refusal.reason

    def set_value(self, value: int) -> None:
        """Show a number."""
        self._value = value
        self.revert()

    def set_mixed(self) -> None:
        """Show that several values differ."""
        self._value = None
        self.revert()

    def refuse(self, reason: str) -> None:
        """Go back to the value that was set last and say beneath why."""
        self.revert()
        self._refusal.say(reason)

    def revert(self) -> None:
        """Show the value that was set last."""
        raise NotImplementedError


class ValueEdit(QLineEdit):
    """The base of number, text and colour editors. Attribute: ``hint`` (what stands in it while it is empty).

    Signal: ``committed(str)``: Enter, leaving the editor or a step asks for this text as the new value.
    """

    committed = Signal(str)

    def __init__(self, theme: Theme, name: str = "", parent: QWidget | None = None) -> None:
        """``name`` says to a screen reader what is edited."""
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName(name)
        self.hint = ""
        self._width = WIDTH
        self._exact = ""
        self._mixed = False
        self._dirty = False
        self._waiting = False
        self._entered = False
        self._refusal = ErrorPopup(theme, self)
        self.setFixedHeight(theme.px(HEIGHT))
        self.textEdited.connect(self._typed)
        self.returnPressed.connect(self.commit)
        theme.changed.connect(self.restyle)

    @property
    def dirty(self) -> bool:
        """Whether something was typed that nobody has been asked for yet."""
        return self._dirty

    @property
    def mixed(self) -> bool:
        """Whether it stands for several values that differ."""
        return self._mixed

    @property
    def reason(self) -> str:
        """Why the text that stands here cannot be stored; empty when nothing was refused."""
        return self._refusal.reason

    def show_text(self, text: str) -> None:
        """Show this value, forgetting what was typed and what was refused."""
        self._exact = text
        self._mixed = False
        self.revert()

    def set_mixed(self) -> None:
        """Show that several values differ; what is typed then is meant for all of them."""
        self._exact = ""
        self._mixed = True
        self.revert()

    def set_selected(self, selected: bool) -> None:
        """Draw the frame of the selection around it, whether it has the keyboard or not."""
        set_state(self, "selected", selected)

    def set_width(self, width: int) -> None:
        """Another width than 116 pixels of the design (100 in a narrow column)."""
        self._width = width
        self.restyle()

    def refuse(self, reason: str) -> None:
        """Say beneath why the text cannot be stored; it stays until it is corrected, reverted or set anew."""
        self._dirty = False
        self._waiting = False
        set_state(self, "refused", True)
        self.setAccessibleDescription(reason)
        self.setToolTip(reason)
        self._refusal.say(reason)

    def revert(self) -> None:
        """Forget what was typed and what was refused, and show the value that was set last."""
        self._clear_refusal()
        self._dirty = False
        self._waiting = False
        self.show_value()

    def commit(self) -> None:
        """Ask for what was typed, unless it is the value already or cannot be one."""
        text = self.typed()
        if not self._dirty:
            return
        if text == self._exact and not self._mixed:
            self.revert()
            return
        reason = self.reason_against(text)
        if reason:
            self.refuse(reason)
            return
        self._dirty = False
        self._waiting = True
        self.committed.emit(self.stored(text))

    def restyle(self) -> None:
        """Take over palette, fonts and lengths of this moment."""
        self.setFixedHeight(self.theme.px(HEIGHT))
        self.updateGeometry()
        self.update()

    def typed(self) -> str:
        """What stands here, as it is asked for. For subclasses."""
        return self.text().strip()

    def stored(self, text: str) -> str:
        """What is asked for where this text stands here. For subclasses."""
        return text

    def reason_against(self, text: str) -> str:
        """A sentence why this text cannot be a value here, or an empty one. For subclasses."""
        return ""

    def display(self) -> str:
        """The value as it is shown while nobody edits it. For subclasses."""
        return self._exact

    def tip(self) -> str:
        """What the tooltip says when nothing was refused. For subclasses."""
        return self._exact

    def show_value(self) -> None:
        """Show the value: exactly while it is edited, as ``display`` says otherwise."""
        self.setPlaceholderText(say("mixed") if self._mixed else self.hint)
        self.setText(self._exact if self.hasFocus() else self.display())
        self.setToolTip(self.tip())
        if self.hasFocus():
            self.select_whole()
        else:
            self.setCursorPosition(0)

    def select_whole(self) -> None:
        """Select all of it, with the cursor at the start: what does not fit is cut at its end."""
        self.end(False)
        self.home(True)

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(self._width), self.theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._entered = event.reason() == Qt.FocusReason.MouseFocusReason
        if self.reason:
            self._refusal.say(self.reason)
        elif not self._dirty and not self._waiting:
            self.show_value()
        if self.selectedText() == self.text():
            self.select_whole()  # Qt selects with the cursor at the end, when the Tab key leads here

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() in _KEEPING_FOCUS:
            return
        self.commit()
        self._refusal.hide()
        if not (self.reason or self._waiting or self._dirty):
            self.show_value()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        # The first click opens the editor; the second one places the cursor.
        if self._entered and not self.hasSelectedText():
            self.select_whole()
        self._entered = False

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._refusal.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        # Qt scrolls while it paints, and by a part of the way only where a text gets too long because its room shrank,
        # as when the cross that clears it appears: the first painting shows a digit or two at the right end.
        before = self.cursorRect()
        super().paintEvent(event)
        if self.cursorRect() != before:
            super().paintEvent(event)
            self.update()  # round corners that were painted twice are too dark

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self._dirty or self._waiting or self.reason):
            self.revert()
            event.accept()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # Undo and redo mean the recording until something has been typed here.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undoes = event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
            if undoes and not self._dirty:
                event.ignore()
                return False
        return super().event(event)

    def draw_end(self, painter: QPainter, text: str, font: QFont, x: int) -> None:
        """Draw muted words from ``x`` to the right end, such as a unit. For subclasses."""
        color = self.theme.palette.muted if self.isEnabled() else self.theme.palette.faint
        draw_text(painter, self.rect().adjusted(x, 0, -EDGE, 0), text, font, color)

    def fix_width(self) -> None:
        """Be exactly as wide as the form's editors. For subclasses."""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def _typed(self) -> None:
        self._dirty = True
        self._waiting = False
        self._clear_refusal()

    def _clear_refusal(self) -> None:
        if self.reason:
            self._refusal.say("")
            set_state(self, "refused", False)
            self.setAccessibleDescription("")
            self.setToolTip(self.tip())
