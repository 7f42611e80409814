"""What several dialogs have: a path to choose, a command to copy, tables that are only read, a name to ask for."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from ...texts import say
from ..style.boxes import Does, fill, keep_room, push_button
from ..style.painting import LEFT, RIGHT
from ..style.theme import Theme
from ..widgets import ElidedLabel
from ..widgets.rows import set_read_only
from .base import BaseDialog


class PathLine(QWidget):
    """A path and `button`: `choose` is what the button does. `typed` takes a path that was typed; without it the path
    is only shown, shortened where it is too long."""

    def __init__(self, theme: Theme, name: str, choose: Does, typed: Callable[[Path], object] | None = None) -> None:
        super().__init__()
        self.path: Path | None = None
        self.words: ElidedLabel | QLineEdit
        if typed is None:
            self.words = ElidedLabel(theme, "")
        else:
            self.words = QLineEdit()
            self.words.editingFinished.connect(lambda: self._take(typed))
        self.words.setAccessibleName(name)
        self.button = push_button(say("Choose..."), choose)
        self.button.setAccessibleName(say("Choose {name}", name=name))
        fill(QHBoxLayout(self), (self.words, 1), self.button, spacing=8)

    def _take(self, typed: Callable[[Path], object]) -> None:
        text = self.words.text().strip()
        if text and Path(text).expanduser() != self.path:
            typed(Path(text).expanduser())

    def show_path(self, path: Path, *, whole: bool = False) -> None:
        """Show the name of a file, or the `whole` path of a folder."""
        self.path = path
        self.words.setText(str(path) if whole else path.name)
        self.words.setToolTip(str(path))


class CommandLine(QWidget):
    """A command in one line, and a button that copies it; hidden while there is none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = ""
        self.words = ElidedLabel(theme, "", "mono", "muted")
        self.words.setAccessibleName(say("The command that does the same"))
        self.copy = push_button(say("Copy command"), lambda: QGuiApplication.clipboard().setText(self.text))
        fill(QHBoxLayout(self), (self.words, 1), self.copy, spacing=8)
        self.hide()

    def say(self, line: str) -> None:
        """Show this command, or none."""
        self.text = line
        self.words.setText(line)
        self.words.setToolTip(line)
        self.setVisible(bool(line))


def reset_button(text: str, name: str, does: Does) -> QPushButton:
    """A small button that keeps its room while it is hidden."""
    button = push_button(text, does)
    button.setAccessibleName(say("{action}: {name}", action=text, name=name))
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    keep_room(button)
    return button


def framed_list(name: str) -> QListWidget:
    """A list in a frame, its lines as wide as it is."""
    view = QListWidget()
    view.setProperty("framed", True)
    view.setAccessibleName(name)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return view


def show_matching(table: QTableWidget, words: Sequence[str]) -> bool:
    """Hide the rows that lack some of these words, which are in small letters; returns whether a row is left."""
    has_match = False
    for row in range(table.rowCount()):
        texts = []
        for column in range(table.columnCount()):
            item = table.item(row, column)
            if item is not None:
                texts.append(item.text())
        text = " ".join(texts).lower()
        is_match = all(word in text for word in words)
        table.setRowHidden(row, not is_match)
        if is_match:
            has_match = True
    return has_match


class NumbersTable(QTableWidget):
    """Rows of a name and numbers, or other short texts, at the right of their columns."""

    def __init__(self, theme: Theme, name: str, titles: Sequence[str], widths: Sequence[int]) -> None:
        """`widths`: of all columns but the first one, which takes the rest."""
        super().__init__(0, len(titles))
        self.theme = theme
        set_read_only(self, theme, name)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, title in enumerate(titles):
            self.setHorizontalHeaderItem(column, table_item(title, RIGHT if column else LEFT))
        for column, width in enumerate(widths, 1):
            needed = theme.metrics(theme.font).horizontalAdvance(titles[column]) + 12
            self.setColumnWidth(column, max(theme.px(width), needed))

    def show_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these."""
        self.setRowCount(len(rows))
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                if column:
                    item = table_item(text, RIGHT, self.theme.mono)
                else:
                    item = table_item(text)
                self.setItem(row, column, item)


def table_item(text: str, side: Qt.AlignmentFlag = LEFT, font: QFont | None = None) -> QTableWidgetItem:
    """A cell with a text at one side."""
    item = QTableWidgetItem(text)
    item.setTextAlignment(side)
    if font is not None:
        item.setFont(font)
    return item


Take = Callable[[str], object]


def ask_name(
    theme: Theme, window: QWidget, title: str, words: str, keep: Take, allows: Take = bool, name: str = ""
) -> None:
    """Let a person type a name, `name` to begin with; `keep` gets one that `allows` says yes to."""
    field = QLineEdit(name)
    dialog = BaseDialog(theme, window, "askName")
    dialog.say(title, title, words)
    field.setAccessibleName(say("Name"))
    dialog.body.addWidget(field)
    dialog.add_answers(say("Save"), dialog.accept)
    field.textChanged.connect(lambda text: dialog.go.setEnabled(bool(allows(text.strip()))))
    field.textChanged.emit(name)
    dialog.accepted.connect(lambda: keep(field.text().strip()))
    dialog.open_()
    field.setFocus()
