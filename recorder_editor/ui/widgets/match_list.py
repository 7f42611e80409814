"""Lines of a list below a field: matches or proposals, and how they are drawn."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ...texts import listed
from ..session.debounce import Debounce
from ..style.painting import RIGHT, draw_box, draw_text
from ..style.theme import Theme
from .rows_model import Index, RowsModel
from .screen_reader import announce

MATCH = int(Qt.ItemDataRole.UserRole)
ROW = 26
STEPS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
"""The keys that such a list handles while its field has the keyboard."""


class Match(NamedTuple):
    """One line of the list.

    Attributes:
        text: Its text.
        detail: A muted text at the right: where it is in the menus, or what it leads to.
        keys: Its keys, as the system writes them.
        icon: The name of its icon; empty: none.
        run: Does it; of a line that is not enabled says why it cannot be done.
        enabled: It can be done now.
        id: The id of its action; empty for places and actors.
    """

    text: str
    detail: str
    keys: str
    icon: str
    run: Callable[[], None]
    enabled: bool = True
    id: str = ""


class MatchModel(RowsModel[Match]):
    """The lines for what is typed."""

    def shown(self, match: Match, _column: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return match.text
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return listed((match.detail, match.keys), "clauses")
        if role == MATCH:
            return match
        return None


def announce_current(view: QListView, line: QWidget) -> None:
    """Announce the current line of a list to screen readers, while the keyboard stays in the field above it."""

    def announce_current() -> None:
        if view.isVisible():
            index = view.currentIndex()
            text = index.data(Qt.ItemDataRole.DisplayRole)
            description = index.data(Qt.ItemDataRole.AccessibleDescriptionRole)
            announce(line, listed((text, description), "clauses"))

    debounce = Debounce(view, announce_current)
    view.selectionModel().currentChanged.connect(lambda *_: debounce.begin())


class MatchDelegate(QStyledItemDelegate):
    """Draws a line: icon, text, and at the right detail and keys; `left` is where the text begins, px."""

    def __init__(self, theme: Theme, parent: QObject, left: int = 34) -> None:
        super().__init__(parent)
        self.theme = theme
        self._left = left

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, self.theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        match: Match = index.data(MATCH)
        palette = self.theme.palette
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            draw_box(painter, rect.adjusted(4, 0, -4, 0), palette.hover, palette.picked)
        if match.enabled:
            text_color = palette.text
            detail_color = palette.muted
            icon_color = None
        else:
            text_color = palette.faint
            detail_color = palette.faint
            icon_color = QColor(palette.faint)
        if match.icon:
            self.theme.icons.draw(painter, match.icon, rect.left() + 12, rect.center().y() - 6, 14, icon_color)
        right = rect.right() - 12
        metrics = self.theme.metrics(self.theme.small)
        for text, color in ((match.keys, text_color), (match.detail, detail_color)):
            if text:
                width = min(metrics.horizontalAdvance(text), rect.width() // 2)
                place = QRect(right - width, rect.top(), width, rect.height())
                draw_text(painter, place, text, self.theme.small, color, RIGHT, room=width + 1)
                right -= width + 16
        room = QRect(rect.left() + self._left, rect.top(), right - rect.left() - self._left, rect.height())
        draw_text(painter, room, match.text, self.theme.font, text_color, room=room.width())
