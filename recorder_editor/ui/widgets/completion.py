"""Completion in lines that take an expression: a list at the cursor, by typing or by Ctrl+Space.

The list is a window that takes neither keyboard nor activation: the keys go to the line, and are handled there.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListView

from ...reading.expression import Completion, completion
from ...texts import say
from ..session import Session
from ..style.theme import Theme
from .match_list import MATCH, ROW, STEPS, Match, MatchDelegate, MatchModel, announce_current

_INSERTING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_LIST_KEYS = _INSERTING + STEPS + (Qt.Key.Key_Escape,)
_CLOSING = (QEvent.Type.FocusOut, QEvent.Type.Hide, QEvent.Type.Move)
_WIDTH = 420
_ROWS = 10


class ExpressionCompleter(QObject):
    """Proposes what can follow in an expression. Enter and Tab insert the current proposal, Escape closes the list.

    It opens by typing where a proposal begins with what was typed; while it is closed, it handles only Ctrl+Space.

    Attributes:
        session: Its recording gives names and values.
        theme: The theme.
        line: The line.
        matches: The proposals.
        list: The list that shows them.
    """

    def __init__(
        self, session: Session, theme: Theme, line: QLineEdit, complete: Callable[..., Completion] = completion
    ) -> None:
        super().__init__(line)
        self.session = session
        self.theme = theme
        self.line = line
        self._complete = complete
        self._before = ""
        self._result = Completion(0, (), 0)
        self.matches = MatchModel(self)
        self.list = QListView(line, uniformItemSizes=True)
        self.list.setWindowFlags(Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.list.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName(say("Completions"))
        self.list.setProperty("framed", True)
        self.list.setModel(self.matches)
        announce_current(self.list, line)
        self.list.setItemDelegate(MatchDelegate(theme, self, left=12))
        self.list.clicked.connect(self._insert)
        line.textEdited.connect(lambda: self.propose(asked=False))
        line.installEventFilter(self)
        theme.changing.connect(self._close)

    def _close(self) -> None:
        self.list.hide()

    def propose(self, *, asked: bool) -> None:
        """Open the list, or close it where there is nothing to propose.

        Args:
            asked: Open it also where nothing was typed, or proposals only contain what was typed.
        """
        snapshot = self.session.snapshot
        line = self.line
        if snapshot is None:
            return
        before = self._text_before()
        result = self._complete(before, snapshot.dialect, self.session.actors)
        self._before = before
        self._result = result
        typed = before[result.start :]
        is_whole = any(proposal.word.lower() == typed.lower() for proposal in result.proposals)
        is_begun = bool(typed) and result.alike and not is_whole
        if not result.proposals or not (asked or is_begun):
            self.list.hide()
            return
        self.matches.show([Match(word, meaning, "", "", lambda: None) for word, meaning in result.proposals])
        self.list.setCurrentIndex(self.matches.index(0, 0))
        self._place(line.fontMetrics().horizontalAdvance(typed))
        line.window().installEventFilter(self)
        self.list.show()

    def _text_before(self) -> str:
        """Return the text before the cursor."""
        return self.line.text()[: self.line.cursorPosition()]

    def _place(self, back: int) -> None:
        """Put the list below the word that begins so many pixels before the cursor, above it where there is no room."""
        line = self.line
        px = self.theme.px
        width = px(_WIDTH)
        height = min(_ROWS, self.matches.rowCount()) * px(ROW) + 4
        screen = line.screen().availableGeometry()
        below = line.mapToGlobal(QPoint(line.cursorRect().center().x() - back - px(12), line.height()))
        left = max(screen.left(), min(below.x(), screen.right() - width))
        top = below.y()
        if top + height > screen.bottom():
            top -= line.height() + height
        self.list.setGeometry(left, top, width, height)

    def _insert(self, index: QModelIndex) -> None:
        """Put the proposal of a row in place of what was typed of it."""
        match: Match = index.data(MATCH)
        self.list.hide()
        if self._text_before() == self._before:  # and the cursor was not put elsewhere since
            start = self._result.start
            self.line.setSelection(start, len(self._before) - start)
            self.line.insert(match.text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _CLOSING:
            self.list.hide()
        elif watched is self.line and isinstance(event, QKeyEvent) and event.type() != QEvent.Type.KeyRelease:
            return self._handle_key(event)
        return False

    def _handle_key(self, event: QKeyEvent) -> bool:
        """Do what a key means for the list; False where it means nothing."""
        key = Qt.Key(event.key())
        modifiers = event.modifiers()
        is_request = key == Qt.Key.Key_Space and modifiers == Qt.KeyboardModifier.ControlModifier
        is_plain = not modifiers & ~Qt.KeyboardModifier.KeypadModifier
        is_for_list = self.list.isVisible() and is_plain and key in _LIST_KEYS
        if not (is_for_list or is_request):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # whatever the window does with these keys
        elif is_request:
            self.propose(asked=True)
        elif key in STEPS:
            QApplication.sendEvent(self.list, event)
        elif key in _INSERTING:
            self._insert(self.list.currentIndex())
        else:
            self.list.hide()
        return True
