"""Completion in lines that take an expression: a list at the cursor, by typing or by Ctrl+Space.

The list is a window that takes neither keyboard nor activation: the keys go on to the line, and are taken there.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListView

from ...reading.expression import Completion, completion
from ...texts import say
from ..session import Session
from ..style.theme import Theme
from .match_list import MATCH, ROW, STEPS, Match, MatchDelegate, MatchModel, tell_current

_TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_CLOSING = (QEvent.Type.FocusOut, QEvent.Type.Hide, QEvent.Type.Move)
_WIDTH = 420
_ROWS = 10


class ExpressionCompleter(QObject):
    """Proposes what the recording knows. Enter and Tab take the current line, Escape closes the list.

    It opens by typing where something begins with what was typed; while it is closed, no key is taken but Ctrl+Space.
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
        self._found = Completion(0, (), 0)
        self.matches = MatchModel(self)
        self.list = QListView(line, uniformItemSizes=True)
        self.list.setWindowFlags(Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.list.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName(say("Completions"))
        self.list.setProperty("framed", True)
        self.list.setModel(self.matches)
        tell_current(self.list, line)
        self.list.setItemDelegate(MatchDelegate(theme, self, left=12))
        self.list.clicked.connect(self._take)
        line.textEdited.connect(lambda: self.propose(asked=False))
        line.installEventFilter(self)

    def propose(self, *, asked: bool) -> None:
        """Open the list, or close it; `asked`: also where nothing was typed, or stands in the middle of words only."""
        snapshot = self.session.snapshot
        line = self.line
        if snapshot is None:
            return
        self._before = before = self._text_before()
        self._found = found = self._complete(before, snapshot.dialect, self.session.actors)
        typed = before[found.start :].lower()
        is_whole = any(each.word.lower() == typed for each in found.proposals)
        if not found.proposals or not (asked or (typed and found.alike and not is_whole)):
            self.list.hide()
            return
        self.matches.show([Match(word, meaning, "", "", lambda: None) for word, meaning in found.proposals])
        self.list.setCurrentIndex(self.matches.index(0, 0))
        self._place(line.fontMetrics().horizontalAdvance(before[found.start :]))
        line.window().installEventFilter(self)
        self.list.show()

    def _text_before(self) -> str:
        return self.line.text()[: self.line.cursorPosition()]

    def _place(self, back: int) -> None:
        """Put the list below the word that begins so many pixels before the cursor, above it where there is no room."""
        line = self.line
        px = self.theme.px
        width, height = px(_WIDTH), min(_ROWS, self.matches.rowCount()) * px(ROW) + 4
        screen = line.screen().availableGeometry()
        at = line.mapToGlobal(QPoint(line.cursorRect().center().x() - back - px(12), line.height()))
        is_below = at.y() + height <= screen.bottom()
        left = max(screen.left(), min(at.x(), screen.right() - width))
        self.list.setGeometry(left, at.y() if is_below else at.y() - line.height() - height, width, height)

    def _take(self, index: QModelIndex) -> None:
        match: Match = index.data(MATCH)
        self.list.hide()
        if self._text_before() == self._before:  # and the cursor was not put elsewhere since
            self.line.setSelection(self._found.start, len(self._before) - self._found.start)
            self.line.insert(match.text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _CLOSING:
            self.list.hide()
        elif watched is self.line and isinstance(event, QKeyEvent) and event.type() != QEvent.Type.KeyRelease:
            return self._pressed(event)
        return False

    def _pressed(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        modifiers = event.modifiers()
        is_asked = key == Qt.Key.Key_Space and modifiers == Qt.KeyboardModifier.ControlModifier
        plain = not modifiers & ~Qt.KeyboardModifier.KeypadModifier
        is_ours = self.list.isVisible() and plain and key in (*_TAKING, *STEPS, Qt.Key.Key_Escape)
        if not (is_ours or is_asked):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # whatever the window does with these keys
        elif is_asked:
            self.propose(asked=True)
        elif key in STEPS:
            QApplication.sendEvent(self.list, event)
        elif key in _TAKING:
            self._take(self.list.currentIndex())
        else:
            self.list.hide()
        return True
