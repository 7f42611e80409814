"""Go to or find (Ctrl+K): the field at the right of the toolbar, and the list that hangs from it."""

from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QListView, QSizePolicy, QVBoxLayout, QWidget

from ...texts import say
from ..style.boxes import fill
from ..style.theme import Theme
from ..widgets import Label, SearchField
from ..widgets.keyboard import ViewKeys
from ..widgets.match_list import MATCH, ROW, STEPS, Match, MatchDelegate, MatchModel, announce_current
from ..widgets.screen_reader import announce
from .goto_parser import HINT
from .search import Search

WIDTH = 340
_LEAST_WIDTH = 130
LIST_WIDTH = 480
_ROWS = 12


class PaletteField(SearchField):
    """The field. Typing opens the list; Up, Down and Enter choose, Escape gives the keyboard back.

    What is grey can be chosen, too: it says why it cannot be done.
    """

    def __init__(self, theme: Theme, search: Search) -> None:
        super().__init__(theme, say("Go to or find"))
        self.setObjectName("palette")
        self.search = search
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.model = MatchModel(self)
        self._came_from: QWidget | None = None
        self._make_list()
        self.textEdited.connect(self._update_list)
        ViewKeys(self, {"Esc": self.close_list})
        search.actions.ran.connect(self._leave)
        theme.changing.connect(self._close_open_list)

    def _make_list(self) -> None:
        """The list below the field; a child of the window once it is opened, so that the field keeps the keyboard."""
        self.list = view = QListView(uniformItemSizes=True)
        view.setAccessibleName(say("Found"))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setMouseTracking(True)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setProperty("ground", "none")
        view.setItemDelegate(MatchDelegate(self.theme, self))
        view.setModel(self.model)
        announce_current(view, self)
        view.clicked.connect(self._run_match)
        view.entered.connect(view.setCurrentIndex)
        self._hint = Label(self.theme, HINT, "mono", "muted")
        self._hint.setContentsMargins(12, 6, 12, 6)
        self._hung = QFrame(self)
        self._hung.setObjectName("paletteList")
        fill(QVBoxLayout(self._hung), view, self._hint, spacing=0, margins=(0, 4, 0, 0))
        self._hung.hide()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(WIDTH), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(_LEAST_WIDTH), super().minimumSizeHint().height())

    @property
    def is_open(self) -> bool:
        """The list is to be seen."""
        return self._hung.isVisible()

    def open_list(self) -> None:
        """Take the keyboard and show what can be done (Ctrl+K, Ctrl+G)."""
        if not self.hasFocus():
            self._came_from = self.window().focusWidget()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()
        self._update_list()

    def close_list(self, *, give_back: bool = True) -> None:
        """Hide the list, forget what was typed."""
        self._hung.hide()
        self.clear()
        if give_back and self._came_from is not None and self._came_from.isVisible():
            self._came_from.setFocus(Qt.FocusReason.OtherFocusReason)
        elif give_back:
            self.clearFocus()

    def _leave(self, action: str) -> None:
        """Close the list where another action was used by its key."""
        if self.is_open and action not in ("palette.open", "go.to"):
            self.close_list()

    def _close_open_list(self) -> None:
        if self.is_open:
            self.close_list()

    def _update_list(self) -> None:
        self.model.show(self.search.find(self.text()))
        rows = self.model.rowCount()
        hung = self._hung
        if rows:
            self._hint.setText(HINT)
            announce(self, "")
        else:
            self._hint.setText(say("Nothing found"))
            announce(self, say("Nothing found"))
        width = max(self.width(), self.theme.px(LIST_WIDTH))
        below = self.mapTo(self.window(), self.rect().bottomRight())
        around = 6 + self._hint.sizeHint().height()
        room = (self.window().height() - below.y() - 8 - around) // self.theme.px(ROW)
        height = min(rows, _ROWS, max(1, room)) * self.theme.px(ROW)
        self.list.setFixedHeight(height)
        hung.setParent(self.window())
        hung.setGeometry(below.x() - width + 1, below.y() + 4, width, height + around)
        hung.show()
        hung.raise_()
        self.list.setCurrentIndex(self.model.index(0, 0))

    def _run_match(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        match: Match = index.data(MATCH)
        self.close_list()
        # Now, and not when the action has ended: what takes a moment would leave the list to be seen.
        self.window().repaint(self._hung.geometry())
        match.run()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run_match(self.list.currentIndex())
        elif self.is_open and key in STEPS:
            QApplication.sendEvent(self.list, event)
        elif key == Qt.Key.Key_Down:
            self._update_list()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            self._update_list()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.close_list(give_back=False)
