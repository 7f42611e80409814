"""Shows a text of any length: a table of its lines, which reads those in sight and no others."""

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QTableView, QWidget

from ..rows import RowsModel
from ..text_lines import TextLines
from ..theme import Theme
from .widgets import set_read_only

MOST_COPIED = 100_000
"""Lines that are copied at once."""

_LONGEST = 4096  # characters of a line that are shown
_MARGINS = 16


class _Lines(RowsModel[int]):
    text: TextLines | None = None

    def shown(self, line: int, _column: int, role: int) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or self.text is None:
            return None
        return self.text.read(line, 1)[0][:_LONGEST].decode("utf-8", "replace")


class TextView(QTableView):
    """Signal: `refused(str)` (why nothing was copied)."""

    refused = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.text_model = _Lines(self)
        self.setModel(self.text_model)
        set_read_only(self, theme, self.tr("Report"))
        self.setSelectionMode(QTableView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        QShortcut(QKeySequence.StandardKey.Copy, self, self.copy, context=Qt.ShortcutContext.WidgetShortcut)
        theme.changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Take over font and lengths."""
        self.setFont(self.theme.mono)
        self.verticalHeader().setMinimumSectionSize(self.theme.px(18))
        self.verticalHeader().setDefaultSectionSize(self.theme.px(18))
        longest = self.text_model.text.longest if self.text_model.text is not None else 0
        width = QFontMetrics(self.theme.mono).horizontalAdvance("0") * min(longest, _LONGEST)
        self.horizontalHeader().setMinimumSectionSize(width + _MARGINS)

    def show_text(self, text: TextLines | None) -> None:
        """Show another text from its beginning."""
        self.text_model.text = text
        self.text_model.show(range(text.lines if text is not None else 0))
        self.restyle()
        self.selectRow(0)

    @property
    def current(self) -> int:
        """The line that was chosen last."""
        return max(0, self.currentIndex().row())

    @property
    def selection(self) -> range:
        """The lines that are selected."""
        chosen = self.selectionModel().selection()
        return range(chosen.at(0).top(), chosen.at(0).bottom() + 1) if chosen.count() else range(0)

    def go_to(self, line: int) -> None:
        """Make a line the current one, and show it."""
        self.selectRow(line)
        self.scrollTo(self.currentIndex(), QTableView.ScrollHint.PositionAtCenter)

    def moveCursor(self, action: QTableView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        if action in (QTableView.CursorAction.MoveHome, QTableView.CursorAction.MoveEnd):
            modifiers |= Qt.KeyboardModifier.ControlModifier  # the ends of the text, not of the line
        return super().moveCursor(action, modifiers)

    def keyboardSearch(self, search: str) -> None:
        """Look for no line by its first letters: Qt would read all of them."""

    def copy(self) -> None:
        """Put the selected lines on the clipboard; too many of them are refused."""
        text, chosen = self.text_model.text, self.selection
        if len(chosen) > MOST_COPIED:
            self.refused.emit(self.tr("This is too much to copy; save the report instead."))
        elif text is not None and chosen:
            lines = text.read(chosen.start, len(chosen))
            QGuiApplication.clipboard().setText(b"\n".join(lines).decode("utf-8", "replace") + "\n")
