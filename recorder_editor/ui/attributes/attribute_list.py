"""The attributes of an actor's description as a list: edit, add, remove, reorder."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..theme import Theme
from ..widgets import ThemedWidget

Attribute = Mapping[str, Any]
_MOST_SHOWN = 8


class AttributeList(ThemedWidget):
    """Signal: `changed(list)`: the attributes as they should be (dicts of `type`, `id`, `value`), and what was done."""

    changed = Signal(list, str)

    def __init__(self, theme: Theme, choices: Mapping[int, str], parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._choices = dict(choices)
        self._attributes: list[dict[str, Any]] = []
        self.table = QTableWidget(0, 3)
        self.table.setObjectName("attributeList")
        self.table.setAccessibleName(self.tr("Attributes"))
        self.table.setHorizontalHeaderLabels([self.tr("Name"), self.tr("Value"), self.tr("Type")])
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(theme.px(22))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.itemChanged.connect(self._edited)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.px(4))
        for icon, tip, slot in (
            ("add", self.tr("Add an attribute"), self.add),
            ("remove", self.tr("Remove the attribute"), self.remove),
            ("up", self.tr("Move it up"), lambda: self.shift(-1)),
            ("down", self.tr("Move it down"), lambda: self.shift(1)),
        ):
            button = QToolButton()
            button.setObjectName(f"attribute-{icon}")
            button.setIcon(theme.icons.icon(icon))
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setAutoRaise(True)
            button.clicked.connect(lambda _checked, do=slot: do())
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(4))
        layout.addWidget(self.table)
        layout.addLayout(buttons)

    def show_attributes(self, attributes: Sequence[Attribute]) -> None:
        """Show these attributes; the current line stays where it can."""
        current = self.table.currentRow()
        self._attributes = [dict(attribute) for attribute in attributes]
        with QSignalBlocker(self.table):
            self.table.setRowCount(len(self._attributes))
            for row, attribute in enumerate(self._attributes):
                for column, text in enumerate(self._texts(attribute)):
                    item = QTableWidgetItem(text)
                    item.setToolTip(text)
                    if isinstance(attribute[("id", "value", "type")[column]], bytes):
                        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
                    self.table.setItem(row, column, item)
            if 0 <= current < len(self._attributes):
                self.table.setCurrentCell(current, 0)
        shown = min(max(2, len(self._attributes)), _MOST_SHOWN)
        self.table.setFixedHeight(self.theme.px(22) * shown + self.theme.px(24))

    def _texts(self, attribute: Attribute) -> tuple[str, str, str]:
        kind = attribute["type"]
        return _shown(attribute["id"]), _shown(attribute["value"]), self._choices.get(kind, str(kind))

    def _edited(self, item: QTableWidgetItem) -> None:
        row, key = item.row(), ("id", "value", "type")[item.column()]
        value: Any = item.text()
        if key == "type":
            names = {name.lower(): number for number, name in self._choices.items()}
            value = names.get(item.text().lower(), int(item.text()) if item.text().isdecimal() else None)
        if value is None or value == self._attributes[row][key]:
            self.show_attributes(self._attributes)
            return
        self._attributes[row][key] = value
        self._announce(f"Set {_shown(self._attributes[row]['id'])}")

    def add(self) -> None:
        """A new attribute at the end."""
        text = next((number for number, name in self._choices.items() if name == "String"), 3)
        self._attributes.append({"type": text, "id": "new_attribute", "value": ""})
        self._announce("Add an attribute")

    def remove(self) -> None:
        """The current attribute goes."""
        row = self.table.currentRow()
        if 0 <= row < len(self._attributes):
            gone = self._attributes.pop(row)
            self._announce(f"Remove {_shown(gone['id'])}")

    def shift(self, by: int) -> None:
        """The current attribute changes places with its neighbour."""
        row = self.table.currentRow()
        if 0 <= row < len(self._attributes) and 0 <= row + by < len(self._attributes):
            self._attributes.insert(row + by, self._attributes.pop(row))
            with QSignalBlocker(self.table):
                self.table.setCurrentCell(row + by, 0)
            self._announce(f"Move {_shown(self._attributes[row + by]['id'])}")

    def _announce(self, label: str) -> None:
        self.changed.emit([dict(attribute) for attribute in self._attributes], label)


def _shown(text: str | bytes) -> str:
    return text if isinstance(text, str) else text.hex(" ")
