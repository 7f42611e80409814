"""Go to or find (Ctrl+K): the field at the right of the toolbar, and the list that hangs from it."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ..boxes import fill
from ..style import draw_box
from ..theme import Theme
from ..widgets import Label, SearchField
from .goto_parser import HINT
from .search import Match, Search

Index = QModelIndex | QPersistentModelIndex
MATCH = int(Qt.ItemDataRole.UserRole)
WIDTH = 340
LIST_WIDTH = 480
_ROW = 26
_ROWS = 12


class PaletteModel(QAbstractListModel):
    """The lines found for what is typed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.matches: list[Match] = []

    def show(self, matches: list[Match]) -> None:
        """Take other lines."""
        self.beginResetModel()
        self.matches = matches
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        return 0 if parent.isValid() else len(self.matches)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        match = self.matches[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return match.text
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return ", ".join(part for part in (match.detail, match.keys) if part)
        return match if role == MATCH else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEnabled if index.isValid() and self.matches[index.row()].enabled else flags


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, self.theme.px(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        match: Match = index.data(MATCH)
        palette, rect = self.theme.palette, option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            draw_box(painter, rect.adjusted(4, 0, -4, 0), palette.hover, palette.hover)
        ink = palette.text if match.enabled else palette.faint
        if match.icon:
            color = None if match.enabled else QColor(palette.faint)
            self.theme.icons.draw(painter, match.icon, rect.left() + 12, rect.center().y() - 6, 14, color)
        right = rect.right() - 12
        painter.setFont(self.theme.small)
        for text, color in ((match.keys, ink), (match.detail, palette.muted if match.enabled else palette.faint)):
            if text:
                width = min(painter.fontMetrics().horizontalAdvance(text), rect.width() // 2)
                painter.setPen(color)
                place = QRect(right - width, rect.top(), width, rect.height())
                elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width + 1)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, elided)
                right -= width + 16
        painter.setFont(self.theme.font)
        painter.setPen(ink)
        room = QRect(rect.left() + 34, rect.top(), right - rect.left() - 34, rect.height())
        text = painter.fontMetrics().elidedText(match.text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)


class _List(QFrame):
    """The list below the field; a child of the window, so that the field keeps the keyboard."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("paletteList")
        self.view = QListView()
        self.view.setAccessibleName(self.tr("Found"))
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setMouseTracking(True)
        self.view.setUniformItemSizes(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setStyleSheet("background: transparent;")
        self.view.setItemDelegate(_Delegate(theme, self))
        self.hint = Label(theme, HINT, "mono", "muted")
        self.hint.setContentsMargins(12, 6, 12, 6)
        fill(QVBoxLayout(self), self.view, self.hint, spacing=0, margins=(1, 5, 1, 1))
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        draw_box(painter, self.rect(), palette.control, palette.edge)
        y = self.hint.y()
        painter.fillRect(1, y, self.width() - 2, 1, palette.hairline)


class PaletteField(SearchField):
    """The field. Typing opens the list; Up, Down and Enter choose, Escape gives the keyboard back."""

    def __init__(self, theme: Theme, search: Search, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Go to or find", "Ctrl+K", parent=parent)
        self.setObjectName("palette")
        self.search = search
        self.setFixedWidth(theme.px(WIDTH))
        self.model = PaletteModel(self)
        self._list: _List | None = None
        self._came_from: QWidget | None = None
        self.textEdited.connect(self._look)

    @property
    def list(self) -> QListView:
        """The list, for whoever looks at what was found."""
        return self._hung().view

    @property
    def is_open(self) -> bool:
        """The list is to be seen."""
        return self._list is not None and self._list.isVisible()

    def open_list(self) -> None:
        """Take the keyboard and show what can be done (Ctrl+K)."""
        if not self.hasFocus():
            self._came_from = self.window().focusWidget()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()
        self._look()

    def close_list(self, *, give_back: bool = True) -> None:
        """Hide the list, forget what was typed."""
        if self._list is not None:
            self._list.hide()
        self.clear()
        if give_back and self._came_from is not None and self._came_from.isVisible():
            self._came_from.setFocus(Qt.FocusReason.OtherFocusReason)
        elif give_back:
            self.clearFocus()

    def _hung(self) -> _List:
        if self._list is None:
            self._list = _List(self.theme, self.window())
            self._list.view.setModel(self.model)
            self._list.view.clicked.connect(self._take)
            self._list.view.entered.connect(self._list.view.setCurrentIndex)
        return self._list

    def _look(self) -> None:
        self.model.show(self.search.find(self.text()))
        hung = self._hung()
        rows = max(1, min(_ROWS, self.model.rowCount()))
        hung.hint.setText(HINT if self.model.rowCount() else self.tr("Nothing found"))
        height = rows * self.theme.px(_ROW) if self.model.rowCount() else 0
        hung.view.setFixedHeight(height)
        width = max(self.width(), self.theme.px(LIST_WIDTH))
        below = self.mapTo(self.window(), self.rect().bottomRight())
        total = height + 6 + hung.hint.sizeHint().height()
        hung.setGeometry(below.x() - width + 1, below.y() + 4, width, total)
        hung.show()
        hung.raise_()
        self._move_to(next((row for row, match in enumerate(self.model.matches) if match.enabled), -1))

    def _move_to(self, row: int) -> None:
        if 0 <= row < self.model.rowCount():
            index = self.model.index(row, 0)
            self._hung().view.setCurrentIndex(index)
            self._hung().view.scrollTo(index)

    def _step(self, by: int) -> None:
        rows = self.model.rowCount()
        row = self._hung().view.currentIndex().row()
        for _ in range(rows):
            row = (row + by) % rows
            if self.model.matches[row].enabled:
                self._move_to(row)
                return

    def _take(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        match: Match = index.data(MATCH)
        if match.enabled:
            self.close_list()
            match.run()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -_ROWS, Qt.Key.Key_PageDown: _ROWS}
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.close_list()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(self._hung().view.currentIndex())
        elif key in steps and self.is_open:
            self._step(steps[key])
        elif key == Qt.Key.Key_Down:
            self._look()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            self._look()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.close_list(give_back=False)

    def event(self, event: QEvent) -> bool:
        # Escape closes the list while this field has the keyboard, whatever the window does with it.
        overrides = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if overrides and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)
