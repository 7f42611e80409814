"""The small sheet beneath an editor that says why its text cannot be stored."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from recorder_editor.ui.painting import LEFT, draw_box, draw_text
from recorder_editor.ui.screen_reader import announce
from recorder_editor.ui.theme import Theme

_WIDEST = 320
_ICON = 14


class ErrorPopup(QWidget):
    """A reason in place: it hangs beneath an editor (above it where there is no room) and scrolls with it."""

    def __init__(self, theme: Theme, editor: QWidget) -> None:
        super().__init__(editor)
        self.theme = theme
        self.reason = ""
        self._editor = editor
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def say(self, reason: str) -> None:
        """Show a reason; an empty one takes the sheet away."""
        self.reason = reason
        if not reason:
            self.hide()
            return
        page = self._page()
        self.setParent(page)
        self.setGeometry(self._place(page))
        self.raise_()
        self.show()
        announce(self._editor, reason)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, painter = self.theme.palette, QPainter(self)
        draw_box(painter, self.rect(), palette.control, palette.error)
        self.theme.icons.draw(painter, "error", 6, 5, _ICON)
        draw_text(painter, self._words(self.width()), self.reason, self.theme.small, palette.text, _FLAGS)

    def _page(self) -> QWidget:
        """What it may cover: the whole page that scrolls with the editor, or the window."""
        page = self._editor.parentWidget()
        if page is None:
            return self._editor
        while not page.isWindow():
            above = page.parentWidget()
            if above is None or isinstance(above.parentWidget(), QAbstractScrollArea):
                break
            page = above
        return page

    def _place(self, page: QWidget) -> QRect:
        room = page.width() - 16
        metrics = self.theme.metrics(self.theme.small)
        around = _ICON + 6 + 6 + 8
        width = min(self.theme.px(_WIDEST), room, metrics.horizontalAdvance(self.reason) + around + 2)
        words = metrics.boundingRect(QRect(0, 0, width - around, 10_000), _FLAGS, self.reason)
        size = QSize(width, max(words.height(), _ICON) + 10)
        corner = self._editor.mapTo(page, self._editor.rect().bottomLeft())
        x = max(8, min(corner.x(), page.width() - 8 - size.width()))
        y = corner.y() + 3
        if y + size.height() > page.height():
            y = corner.y() - self._editor.height() - size.height() - 1
        return QRect(x, max(0, y), size.width(), size.height())

    def _words(self, width: int) -> QRect:
        left = 6 + _ICON + 6
        return QRect(left, 5, width - left - 8, self.height() - 10)


_FLAGS = LEFT | Qt.TextFlag.TextWordWrap
