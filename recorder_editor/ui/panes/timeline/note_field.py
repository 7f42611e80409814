"""A small field on the timeline, for the text of a note."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from shiboken6 import isValid


class NoteField(QLineEdit):
    """Enter, or going elsewhere, keeps what was typed; Esc leaves the note as it is. Then the field is gone.

    Signals:
        written(str): The text to keep; never empty.
    """

    written = Signal(str)

    def __init__(self, parent: QWidget, hint: str, text: str) -> None:
        super().__init__(text, parent)
        self._before: QWidget | None = QApplication.focusWidget()  # the stub leaves None out
        self._is_done = False
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        self.selectAll()

    def keep(self) -> None:
        """Keep what was typed, and leave."""
        text = self.text().strip()
        self._leave()
        if text:
            self.written.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.keep()  # and the key is taken: what has the keyboard next is not pressed by it
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason and not self._is_done:
            self.keep()

    def _leave(self) -> None:
        had_keyboard = self.hasFocus()
        self._is_done = True
        before = self._before
        if had_keyboard and before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()
        self.deleteLater()
