"""All keys: those of the registry, and the few that panes take themselves."""

from collections.abc import Iterable

from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from ..actions import ActionSpec
from ..theme import Theme
from ..widgets import SearchField
from .base import BaseDialog
from .widgets import set_read_only, show_matching

IN_PANES = (
    ("Left, Right", "Previous, next frame", "Scene, timeline, signals"),
    ("Ctrl+PgUp, Ctrl+PgDown", "Previous, next frame", "Packets"),
    ("F2, Enter", "Edit the value", "Packets"),
    ("Alt+Up, Alt+Down", "Move the record or packet", "Packets"),
    ("Ctrl+Space", "Complete the word", "Expressions"),
    ("0 to 9, a to f", "Overwrite the byte", "Bytes"),
    ("Ctrl+Tab", "Hex or text column", "Bytes"),
    ("F3, Shift+F3", "Find again", "Bytes"),
    ("Shift+click", "Add to the selection", "Scene"),
    ("S", "While dragging: change the frames it applies to", "Scene"),
    ("Shift+drag", "Select in a rectangle", "Scene"),
    ("Double-click", "Follow an actor", "Scene"),
    ("+, -", "Zoom in, zoom out", "Scene, timeline, signals"),
    ("0", "Show the whole recording", "Timeline, signals"),
    ("A, B", "Put a cursor at the current frame", "Signals"),
    ("Ctrl+drag", "Zoom to that range of time", "Signals"),
    ("Wheel, drag on a y axis", "Zoom the axis, move it", "Signals"),
    ("Insert", "Add a signal", "Signals"),
    ("Space, Del", "Hide, remove the signal", "Signals"),
    ("Up, Down", "Select the actor above, below", "Timeline"),
    ("Shift+I, Shift+O", "Left and Right move the in point, the out point", "Timeline"),
    ("Esc", "Cancel a drag; in the scene, stop following", "Scene, timeline"),
)


def rows_of(specs: Iterable[ActionSpec]) -> list[tuple[str, str, str]]:
    """Keys, what they do, and where: those of the registry, then what panes take themselves."""
    named = [(spec.key_text, spec.plain_text, spec.where) for spec in specs if spec.shortcut]
    return [*named, *IN_PANES]


class KeysDialog(BaseDialog):
    """A table of keys with a filter."""

    def __init__(self, theme: Theme, specs: Iterable[ActionSpec], parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.say(self.tr("Keyboard shortcuts"), self.tr("Keyboard shortcuts"))
        self.setObjectName("keysDialog")
        self.resize(theme.px(560), theme.px(560))
        rows = [(keys, does, where or self.tr("Everywhere")) for keys, does, where in rows_of(specs)]
        self.filter = SearchField(theme, self.tr("Filter keys"))
        self.filter.textChanged.connect(self._show)
        self.table = QTableWidget(len(rows), 3)
        self.table.setHorizontalHeaderLabels([self.tr("Keys"), self.tr("Action"), self.tr("Where")])
        set_read_only(self.table, theme, self.tr("Keys"))
        self.table.setMinimumHeight(theme.px(440))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(0, theme.px(172))
        self.table.setColumnWidth(2, theme.px(112))
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                self.table.setItem(row, column, QTableWidgetItem(text))
        self.body.addWidget(self.filter)
        self.body.addWidget(self.table, 1)
        self.add_button(self.tr("Close"), self.accept, filled=True)
        self.filter.setFocus()

    def _show(self, words: str) -> None:
        show_matching(self.table, words.lower().split())
