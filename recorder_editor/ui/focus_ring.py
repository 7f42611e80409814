"""A line around the view that the keyboard was moved to: views do not show it themselves, as buttons and fields do."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QWidget,
)

from .theme import Theme

_SHOW_IT = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit)


class FocusRing(QWidget):
    """Shown from a move of the keyboard to the next one, or to a click."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.theme = theme
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._around: QWidget | None = None
        self.hide()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._leave)

    def show_around(self, widget: QWidget) -> None:
        """Draw the line around this widget, unless it shows by itself that it has the keyboard."""
        self._leave()
        window = self.parentWidget()
        if isinstance(widget, _SHOW_IT) or window is None or not window.isAncestorOf(widget):
            return
        self._around = widget
        widget.installEventFilter(self)
        self._place()
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        elif event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.Hide):
            self._leave()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        window = self.parentWidget()
        if self._around is not None and window is not None:
            self.setGeometry(QRect(self._around.mapTo(window, QPoint()), self._around.size()))

    def _leave(self, *_focus: object) -> None:
        if self._around is not None:
            self._around.removeEventFilter(self)
            self._around = None
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.theme.palette.selection)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
