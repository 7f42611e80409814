"""The small sheet beneath an editor that says why its text cannot be stored."""

from functools import cached_property

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QHBoxLayout, QWidget

from recorder_editor.ui.style.boxes import fill
from recorder_editor.ui.style.painting import draw_box
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import Label, Sign
from recorder_editor.ui.widgets.screen_reader import announce

_WIDEST = 320


class ErrorPopup(QWidget):
    """A reason beneath an editor (above it where there is no room), which scrolls with it.

    Attributes:
        theme: The theme.
        reason: The reason; empty: none is shown.
    """

    def __init__(self, theme: Theme, editor: QWidget) -> None:
        super().__init__(editor)
        self.theme = theme
        self.reason = ""
        self._editor = editor
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @cached_property
    def _parts(self) -> tuple[Label, QHBoxLayout]:
        """The label of the reason, and its row with a sign; made when they are needed, which few editors do."""
        label = Label(self.theme, "", "small", wraps=True)
        sign = Sign(self.theme)
        row = fill(QHBoxLayout(self), (sign, 0, Qt.AlignmentFlag.AlignTop), label, spacing=6, margins=(6, 5, 8, 5))
        sign.set_icon("error")  # now that it is not a window of its own
        return label, row

    def show_reason(self, reason: str) -> None:
        """Show a reason; an empty one hides the sheet."""
        self.reason = reason
        if not reason:
            self.hide()
            return
        page = self._page()
        self.setParent(page)
        label, _ = self._parts
        label.setText(reason)
        self.setGeometry(self._place(page))
        self.raise_()
        self.show()
        announce(self._editor, reason)

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_box(QPainter(self), self.rect(), self.theme.palette.control, self.theme.palette.error)

    def _page(self) -> QWidget:
        """Return what it may cover: the whole page that scrolls with the editor, or the window."""
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
        """Return its place on a page."""
        label, row = self._parts
        around = row.minimumSize().width() - label.minimumSizeHint().width()
        needed = self.theme.metrics(self.theme.small).horizontalAdvance(self.reason) + around + 2
        width = min(self.theme.px(_WIDEST), page.width() - 16, needed)
        height = row.totalHeightForWidth(width)
        corner = self._editor.mapTo(page, self._editor.rect().bottomLeft())
        x = max(8, min(corner.x(), page.width() - 8 - width))
        y = corner.y() + 3
        if y + height > page.height():
            y = corner.y() - self._editor.height() - height - 1
        return QRect(x, max(0, y), width, height)
