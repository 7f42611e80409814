"""The line around the view that has the focus: views do not show it themselves, as buttons and fields do."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from shiboken6 import isValid

from ..style.theme import Theme
from .pane import Pane


class FocusRing(QWidget):
    """The line around the view that has the focus, however it got that: some keys act on this view."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._parts: list[QWidget] = []  # the view and its parents: any of them may move
        self.hide()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._show_around)

    def _show_around(self, _before: QWidget | None, widget: QWidget | None) -> None:
        """Draw the line around a widget if it is a view: controls show their focus themselves."""
        self._leave()
        window = self.parentWidget()
        if widget is None or widget.window() is not window:
            return
        if not isinstance(widget, QAbstractScrollArea | Pane) and not hasattr(widget, "spoken"):
            return
        while widget is not None and widget is not window:
            self._parts.append(widget)
            widget.installEventFilter(self)
            widget = widget.parentWidget()
        self._place()
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        elif event.type() == QEvent.Type.Hide:
            self._leave()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        window = self.parentWidget()
        if self._parts and window is not None:
            rects = [QRect(part.mapTo(window, QPoint()), part.size()) for part in self._parts]
            visible = rects[0]
            for rect in rects[1:]:
                visible = visible.intersected(rect)
            self.setGeometry(visible)
            self.setMask(QRegion(self.rect()) - QRegion(self.rect().adjusted(2, 2, -2, -2)))

    def _leave(self) -> None:
        for part in self._parts:
            if isValid(part):
                part.removeEventFilter(self)
        self._parts = []
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.theme.palette.selection)  # of which the mask leaves the edge
