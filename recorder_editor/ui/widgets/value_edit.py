"""The base of editors on one line: the text that is shown, the exact one, the one that is typed, and refusals.

An editor does not store its value. It emits ``committed(str)``; then it waits for ``set_value`` (the value was stored),
or for ``refuse`` (it was not, and the reason appears beneath). It knows no field of the format.
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
MARGIN = 2  # pixels that QLineEdit itself keeps free at both ends of its text

_KEEPING_FOCUS = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class StoredNumber:
    """The methods of all editors of one number. A mixin for a widget with a signal ``committed(str)``."""

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
        """Show the value that was set last, and beneath it the reason."""
        self.revert()
        self._refusal.show_reason(reason)

    def revert(self) -> None:
        """Show the value that was set last."""
        raise NotImplementedError


class ValueEdit(QLineEdit):
    """The base of number, text and colour editors.

    Attributes:
        theme: The theme.
        hint: The text that it shows while it is empty.

    Signals:
        committed(str): This text is to become the value, by Enter, by leaving the editor or by a step.
    """

    committed = Signal(str)

    def __init__(self, theme: Theme, name: str = "", parent: QWidget | None = None) -> None:
        """Make an empty editor; ``name`` is its name for screen readers."""
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
        """Whether something was typed that was not committed yet."""
        return self._dirty

    @property
    def mixed(self) -> bool:
        """Whether it stands for several values that differ."""
        return self._mixed

    @property
    def reason(self) -> str:
        """Why the text cannot be stored; empty when nothing was refused."""
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
        """Set another width than 116 pixels of the design (100 in a narrow column)."""
        self._width = width
        self.restyle()

    def refuse(self, reason: str) -> None:
        """Show beneath why the text cannot be stored; it stays until it is corrected, reverted or set anew."""
        self._dirty = False
        self._waiting = False
        set_state(self, "refused", True)
        self.setAccessibleDescription(reason)
        self.setToolTip(reason)
        self._refusal.show_reason(reason)

    def revert(self) -> None:
        """Forget what was typed and what was refused, and show the value that was set last."""
        self._clear_refusal()
        self._dirty = False
        self._waiting = False
        self.show_value()

    def commit(self) -> None:
        """Emit what was typed, unless it is the value already or cannot be one."""
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
        """Apply palette, fonts and lengths of this moment."""
        self.setFixedHeight(self.theme.px(HEIGHT))
        self.updateGeometry()
        self.update()

    def typed(self) -> str:
        """Return the text that is to be checked and committed. For subclasses."""
        return self.text().strip()

    def stored(self, text: str) -> str:
        """Return what is committed for a text that was typed. For subclasses."""
        return text

    def reason_against(self, text: str) -> str:
        """Return a sentence why a text cannot be the value, or an empty one. For subclasses."""
        return ""

    def display(self) -> str:
        """Return the value as it is shown while it is not edited. For subclasses."""
        return self._exact

    def tip(self) -> str:
        """Return the tooltip for when nothing was refused. For subclasses."""
        return self._exact

    def show_value(self) -> None:
        """Show the value: exactly while it has the focus, else as ``display`` returns it."""
        self.setPlaceholderText(say("mixed") if self._mixed else self.hint)
        if self.hasFocus():
            self.setText(self._exact)
            self.setToolTip(self.tip())
            self.select_whole()
        else:
            self.setText(self.display())
            self.setToolTip(self.tip())
            self.setCursorPosition(0)

    def select_whole(self) -> None:
        """Select the whole text, with the cursor at the start: a text that does not fit is cut at its end."""
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
            self._refusal.show_reason(self.reason)
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
        """Draw a muted text from ``x`` to the right end, such as a unit. For subclasses."""
        palette = self.theme.palette
        color = palette.muted if self.isEnabled() else palette.faint
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
            self._refusal.show_reason("")
            set_state(self, "refused", False)
            self.setAccessibleDescription("")
            self.setToolTip(self.tip())
