"""Lines of a list that hangs from a field: what was found or is proposed, and how they are drawn."""

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
"""The keys that such a list takes while its field has the keyboard."""

_SAID = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleDescriptionRole


class Match(NamedTuple):
    """One line of the list.

    Attributes: `text`, `detail` (muted, at the right: where it is in the menus, what it leads to), `keys`, `icon`,
    `run` (of one that is not enabled: says why), `enabled`, `id` (of the action; empty for places and actors).
    """

    text: str
    detail: str
    keys: str
    icon: str
    run: Callable[[], None]
    enabled: bool = True
    id: str = ""


class MatchModel(RowsModel[Match]):
    """The lines found for what is typed."""

    def shown(self, match: Match, _column: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return match.text
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return listed((match.detail, match.keys), "clauses")
        if role == MATCH:
            return match
        return None


def tell_current(view: QListView, line: QWidget) -> None:
    """Tell screen readers of the current line of a list while the keyboard stays in the line that it hangs from."""

    def tell() -> None:
        announce(line, listed(map(view.currentIndex().data, _SAID), "clauses") if view.isVisible() else "")

    rest = Debounce(view, tell)
    view.selectionModel().currentChanged.connect(lambda *_: rest.begin())


class MatchDelegate(QStyledItemDelegate):
    """Draws a line: icon, text, and at the right detail and keys; `left` is where the text begins."""

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
        ink = palette.text if match.enabled else palette.faint
        if match.icon:
            if match.enabled:
                color = None
            else:
                color = QColor(palette.faint)
            self.theme.icons.draw(painter, match.icon, rect.left() + 12, rect.center().y() - 6, 14, color)
        right = rect.right() - 12
        metrics = self.theme.metrics(self.theme.small)
        for text, color in ((match.keys, ink), (match.detail, palette.muted if match.enabled else palette.faint)):
            if text:
                width = min(metrics.horizontalAdvance(text), rect.width() // 2)
                place = QRect(right - width, rect.top(), width, rect.height())
                draw_text(painter, place, text, self.theme.small, color, RIGHT, room=width + 1)
                right -= width + 16
        room = QRect(rect.left() + self._left, rect.top(), right - rect.left() - self._left, rect.height())
        draw_text(painter, room, match.text, self.theme.font, ink, room=room.width())
