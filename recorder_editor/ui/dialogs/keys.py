"""All keys: those of the registry, and the few that panes take themselves."""

from collections.abc import Iterable

from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from ... import resources
from ...format import read_json
from ..actions import ActionSpec
from ..boxes import room_for
from ..theme import Theme
from ..widgets import SearchField
from .base import BaseDialog
from .widgets import set_read_only, show_matching

IN_PANES = tuple(tuple(row) for row in read_json(resources.path("keys.json").read_bytes()))
"""The keys that panes take themselves: key, what it does, where."""

_OTHERS = 150  # what stands above and below the table


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
        self.table.setMinimumHeight(min(theme.px(440), room_for(self).height() - theme.px(_OTHERS)))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(0, theme.px(172))
        self.table.setColumnWidth(2, theme.px(144))
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                self.table.setItem(row, column, QTableWidgetItem(text))
        self.body.addWidget(self.filter)
        self.body.addWidget(self.table, 1)
        self.add_button(self.tr("Close"), self.accept, filled=True)
        self.filter.setFocus()

    def _show(self, words: str) -> None:
        show_matching(self.table, words.lower().split())
