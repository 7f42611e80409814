"""Go to or find (Ctrl+K): the field at the right of the toolbar, and the list that hangs from it."""

from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy, QVBoxLayout, QWidget

from ..boxes import fill
from ..keyboard import ViewKeys
from ..language import tr
from ..match_list import MATCH, ROW, Match, MatchDelegate, MatchModel, tell_current
from ..painting import draw_box
from ..screen_reader import announce
from ..theme import Theme
from ..widgets import Label, SearchField
from .goto_parser import HINT
from .search import Search

WIDTH = 340
_LEAST_WIDTH = 130
LIST_WIDTH = 480
_ROWS = 12


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
        self.view.setProperty("ground", "none")
        self.view.setItemDelegate(MatchDelegate(theme, self))
        self.hint = Label(theme, HINT, "mono", "muted")
        self.hint.setContentsMargins(12, 6, 12, 6)
        fill(QVBoxLayout(self), self.view, self.hint, spacing=0, margins=(1, 5, 1, 1))
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, painter = self.theme.palette, QPainter(self)
        draw_box(painter, self.rect(), palette.control, palette.edge)
        y = self.hint.y()
        painter.fillRect(1, y, self.width() - 2, 1, palette.hairline)


class PaletteField(SearchField):
    """The field. Typing opens the list; Up, Down and Enter choose, Escape gives the keyboard back.

    What is grey can be chosen, too: it says why it cannot be done.
    """

    def __init__(self, theme: Theme, search: Search) -> None:
        super().__init__(theme, tr("Go to or find"))
        self.setObjectName("palette")
        self.search = search
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.model = MatchModel(self)
        self._list: _List | None = None
        self._came_from: QWidget | None = None
        self.textEdited.connect(self._look)
        ViewKeys(self, {"Esc": self.close_list})
        search.actions.ran.connect(self._leave)

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(WIDTH), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(_LEAST_WIDTH), super().minimumSizeHint().height())

    @property
    def list(self) -> QListView:
        """The list, for whoever looks at what was found."""
        return self._hung().view

    @property
    def is_open(self) -> bool:
        """The list is to be seen."""
        return self._list is not None and self._list.isVisible()

    def open_list(self) -> None:
        """Take the keyboard and show what can be done (Ctrl+K, Ctrl+G)."""
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

    def _leave(self, action: str) -> None:
        """Close the list where another action was used by its key."""
        if self.is_open and action not in ("palette.open", "go.to"):
            self.close_list()

    def _hung(self) -> _List:
        if self._list is None:
            self._list = _List(self.theme, self.window())
            self._list.view.setModel(self.model)
            tell_current(self._list.view, self)
            self._list.view.clicked.connect(self._take)
            self._list.view.entered.connect(self._list.view.setCurrentIndex)
        return self._list

    def _look(self) -> None:
        self.model.show(self.search.find(self.text()))
        hung = self._hung()
        hung.hint.setText(HINT if self.model.rowCount() else self.tr("Nothing found"))
        announce(self, "" if self.model.rowCount() else hung.hint.text())
        width = max(self.width(), self.theme.px(LIST_WIDTH))
        below = self.mapTo(self.window(), self.rect().bottomRight())
        around = 6 + hung.hint.sizeHint().height()
        room = (self.window().height() - below.y() - 8 - around) // self.theme.px(ROW)
        height = min(self.model.rowCount(), _ROWS, max(1, room)) * self.theme.px(ROW)
        hung.view.setFixedHeight(height)
        total = height + around
        hung.setGeometry(below.x() - width + 1, below.y() + 4, width, total)
        hung.show()
        hung.raise_()
        self._move_to(0)

    def _move_to(self, row: int) -> None:
        if 0 <= row < self.model.rowCount():
            index = self.model.index(row, 0)
            self._hung().view.setCurrentIndex(index)
            self._hung().view.scrollTo(index)

    def _step(self, by: int) -> None:
        rows = self.model.rowCount()
        if rows:
            self._move_to((self._hung().view.currentIndex().row() + by) % rows)

    def _take(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        match: Match = index.data(MATCH)
        self.close_list()
        match.run()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -_ROWS, Qt.Key.Key_PageDown: _ROWS}
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
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
