"""Completion in lines that take an expression: a list at the cursor, by typing or by Ctrl+Space.

The list is a window that takes neither keyboard nor activation: the keys go on to the line, and are taken there.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QPlainTextEdit

from ..format.dialects import Dialect
from ..recording import Actors
from ..recording.expression import Completion, completion
from .match_list import MATCH, ROW, Match, MatchDelegate, MatchModel
from .session import Session
from .theme import Theme

_STEPS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_CLOSING = (QEvent.Type.FocusOut, QEvent.Type.Hide, QEvent.Type.Move)
_WIDTH = 420
_ROWS = 10

Complete = Callable[[str, Dialect, Actors | None], Completion]
"""What may stand at the end of a text; see `completion`."""


class _Line:
    """The cursor of a line. Attribute: `typed` (signal)."""

    def __init__(self, line: QLineEdit) -> None:
        self._line = line
        self.typed = line.textEdited

    def before(self) -> str:
        """The text of the line before the cursor."""
        return self._line.text()[: self._line.cursorPosition()]

    def replace(self, characters: int, word: str) -> None:
        """Put a word in the place of so many characters before the cursor."""
        self._line.setSelection(self._line.cursorPosition() - characters, characters)
        self._line.insert(word)

    def row(self) -> QRect:
        """The row of the cursor: its middle, and the height of the line."""
        return QRect(self._line.cursorRect().center().x(), 0, 0, self._line.height())


class _Text:
    """The same in a text of several lines."""

    def __init__(self, text: QPlainTextEdit) -> None:
        self._text = text
        self.typed = text.textChanged

    def before(self) -> str:
        cursor = self._text.textCursor()
        return cursor.block().text()[: cursor.positionInBlock()]

    def replace(self, characters: int, word: str) -> None:
        cursor = self._text.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, characters)
        cursor.insertText(word)

    def row(self) -> QRect:
        return self._text.cursorRect().translated(self._text.viewport().pos())


class ExpressionCompleter(QObject):
    """Proposes what the recording knows. Enter and Tab take the current line, Escape closes the list.

    It opens by typing where something begins with what was typed; while it is closed, no key is taken but Ctrl+Space.
    """

    def __init__(
        self, session: Session, theme: Theme, line: QLineEdit | QPlainTextEdit, complete: Complete = completion
    ) -> None:
        super().__init__(line)
        self.session, self.theme, self.line, self._complete = session, theme, line, complete
        self._cursor = _Line(line) if isinstance(line, QLineEdit) else _Text(line)
        self._before, self._found = "", Completion(0, (), 0)
        self.matches = MatchModel(self)
        self.list = QListView(line)
        self.list.setWindowFlags(Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.list.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setObjectName("completions")
        self.list.setAccessibleName(self.tr("Completions"))
        self.list.setProperty("framed", True)
        self.list.setUniformItemSizes(True)
        self.list.setModel(self.matches)
        self.list.setItemDelegate(MatchDelegate(theme, self, left=12))
        self.list.clicked.connect(self._take)
        self._cursor.typed.connect(lambda: self.propose(asked=False))
        line.installEventFilter(self)

    def propose(self, *, asked: bool) -> None:
        """Open the list, or close it; `asked`: also where nothing was typed, or stands in the middle of words only."""
        snapshot, line = self.session.snapshot, self.line
        if snapshot is None:
            return
        self._before = before = self._cursor.before()
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

    def _place(self, back: int) -> None:
        """Put the list below the word that begins so many pixels before the cursor, above it where there is no room."""
        line, row, px = self.line, self._cursor.row(), self.theme.px
        width, height = px(_WIDTH), min(_ROWS, self.matches.rowCount()) * px(ROW) + 4
        screen = line.screen().availableGeometry()
        at = line.mapToGlobal(QPoint(row.left() - back - px(12), row.top() + row.height()))
        is_below = at.y() + height <= screen.bottom()
        left = max(screen.left(), min(at.x(), screen.right() - width))
        self.list.setGeometry(left, at.y() if is_below else at.y() - row.height() - height, width, height)

    def _take(self, index: QModelIndex) -> None:
        match: Match = index.data(MATCH)
        self.list.hide()
        if self._cursor.before() == self._before:  # and the cursor was not put elsewhere since
            self._cursor.replace(len(self._before) - self._found.start, match.text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _CLOSING:
            self.list.hide()
        elif watched is self.line and isinstance(event, QKeyEvent) and event.type() != QEvent.Type.KeyRelease:
            return self._pressed(event)
        return False

    def _pressed(self, event: QKeyEvent) -> bool:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        is_asked = key == Qt.Key.Key_Space and modifiers == Qt.KeyboardModifier.ControlModifier
        plain = not modifiers & ~Qt.KeyboardModifier.KeypadModifier
        is_ours = self.list.isVisible() and plain and key in (*_TAKING, *_STEPS, Qt.Key.Key_Escape)
        if not (is_ours or is_asked):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # whatever the window does with these keys
        elif is_asked:
            self.propose(asked=True)
        elif key in _STEPS:
            QApplication.sendEvent(self.list, event)
        elif key in _TAKING:
            self._take(self.list.currentIndex())
        else:
            self.list.hide()
        return True
