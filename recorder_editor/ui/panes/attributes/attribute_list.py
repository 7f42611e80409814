"""The attributes of an actor's description as a list: edit, add, remove, reorder."""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QTableWidget, QTableWidgetItem, QToolButton, QVBoxLayout

from ....format.codec import Record
from ....texts import listed, say, say_count, value_names
from ...style.boxes import Stretch, fill, icon_button
from ...style.theme import Theme
from ...widgets import ThemedWidget
from ...widgets.error_popup import ErrorPopup
from ...widgets.keyboard import ViewKeys
from ...widgets.values import parse_colour, pick_colour

_MOST_SHOWN = 8
_KEYS = ("id", "value", "type")
_INDEX = re.compile(r"attributes\[(\d+)\]")


class AttributeList(ThemedWidget):
    """The table and its buttons.

    It never believes itself: it says `changed(list, str)`, the attributes as they should be (dicts of `type`, `id`,
    `value`) and what was done, and waits for `show_attributes` or `refuse`.
    """

    changed = Signal(list, str)

    def __init__(self, theme: Theme, choices: Mapping[int, str]) -> None:
        super().__init__(theme)
        self._choices = dict(choices)
        self._attributes: list[Record] = []
        self._wanted: int | None = None
        self._buttons: dict[str, QToolButton] = {}
        self.table = QTableWidget(0, 3)
        self.table.setAccessibleName(say("Attributes"))
        self.table.setHorizontalHeaderLabels([say("Name"), say("Value"), say("Type")])
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(theme.px(22))
        self.table.setSelectionBehavior(self.table.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.itemChanged.connect(self._edited)
        self.table.currentCellChanged.connect(self._fit_buttons)
        up = partial(self.shift, -1)
        down = partial(self.shift, 1)
        ViewKeys(self.table, {"Del": self.remove, "Ctrl+Up": up, "Ctrl+Down": down, "Return; Enter": self._edit})
        self._refusal = ErrorPopup(theme, self.table)
        for icon, tip, slot in (
            ("add", say("Add an attribute"), self.add),
            ("remove", say("Remove the attribute (Del)"), self.remove),
            ("up", say("Move it up (Ctrl+Up)"), up),
            ("down", say("Move it down (Ctrl+Down)"), down),
            ("colour", say("Choose its colour"), self.pick),
        ):
            button = icon_button(QIcon() if icon == "colour" else theme.icons.icon(icon), tip, slot)
            button.setObjectName(f"attribute-{icon}")
            button.setText(say("Colour...") if icon == "colour" else "")
            self._buttons[icon] = button
        buttons = fill(QHBoxLayout(), *self._buttons.values(), Stretch(), spacing=theme.px(4))
        fill(QVBoxLayout(self), self.table, buttons, spacing=theme.px(4))

    def show_attributes(self, attributes: Sequence[Record]) -> None:
        """Show these attributes; the current line stays where it can."""
        self._refusal.say("")
        wanted = self._wanted
        self._wanted = None
        if [dict(attribute) for attribute in attributes] != self._attributes:
            self._attributes = [dict(attribute) for attribute in attributes]
            self._rebuild(self.table.currentRow() if wanted is None else wanted)
        shown = min(max(2, len(self._attributes)), _MOST_SHOWN)
        self.table.setFixedHeight(self.theme.px(22) * shown + self.theme.px(24))
        self._fit_buttons()

    def mark(self, path: str) -> None:
        """Show which attribute holds the selected field, as in `attributes[2].value`."""
        found = _INDEX.match(path)
        if found is not None:
            row = int(found[1])
        else:
            row = -1
        if 0 <= row < len(self._attributes) and self.table.currentRow() != row:
            with QSignalBlocker(self.table):
                self.table.setCurrentCell(row, 0)
            self._fit_buttons()

    def refuse(self, reason: str) -> None:
        """Go back to what is stored, and say beneath why it stays so."""
        self._wanted = None
        self._rebuild(self.table.currentRow())
        self._refusal.say(reason)

    def _rebuild(self, current: int) -> None:
        with QSignalBlocker(self.table):
            self.table.setRowCount(len(self._attributes))
            for row, attribute in enumerate(self._attributes):
                for column, text in enumerate(self._texts(attribute)):
                    self.table.setItem(row, column, self._item(attribute, _KEYS[column], text))
            if self._attributes and current >= 0:
                self.table.setCurrentCell(min(current, len(self._attributes) - 1), 0)

    def _item(self, attribute: Record, key: str, text: str) -> QTableWidgetItem:
        item = QTableWidgetItem(text)
        stored = attribute[key]
        if isinstance(stored, bytes):
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            item.setToolTip(say("These bytes are not UTF-8. Edit them in Bytes."))
        elif isinstance(stored, str):
            length = say_count("1 byte", "{count:,} bytes", count=len(stored.encode("utf-8", "replace")))
            item.setToolTip(f"{text} ({length})" if text else length)
        else:
            item.setToolTip(f"{text} ({stored})")
        colour = None
        if key == "value" and self._is_colour(attribute):
            colour = parse_colour(text)
        if colour is not None:
            item.setData(Qt.ItemDataRole.DecorationRole, colour)
        return item

    def _is_colour(self, attribute: Record) -> bool:
        return self._choices.get(attribute["type"]) == "RGBColor"

    def _texts(self, attribute: Record) -> tuple[str, str, str]:
        kind = attribute["type"]
        return _shown(attribute["id"]), _shown(attribute["value"]), value_names(self._choices).get(kind, str(kind))

    def _current(self) -> int | None:
        row = self.table.currentRow()
        if 0 <= row < len(self._attributes):
            return row
        return None

    def _fit_buttons(self) -> None:
        row = self._current()
        last = len(self._attributes) - 1
        self._buttons["remove"].setEnabled(row is not None)
        self._buttons["up"].setEnabled(row is not None and row > 0)
        self._buttons["down"].setEnabled(row is not None and row < last)
        self._buttons["colour"].setEnabled(row is not None and self._is_colour(self._attributes[row]))

    def _edited(self, item: QTableWidgetItem) -> None:
        row = item.row()
        key = _KEYS[item.column()]
        value: object = item.text()
        if key == "type":
            shown = value_names(self._choices)
            names = {}
            for each in (self._choices, shown):
                for number, name in each.items():
                    names[name.lower()] = number
            value = names.get(item.text().strip().lower())
            if value is None and item.text().strip().isdecimal():
                value = int(item.text())
            if value is None:
                types = listed(shown.values())
                self.refuse(say("“{word}” is not a type; types are {types}.", word=item.text(), types=types))
                return
        self._set(row, key, value)

    def _set(self, row: int, key: str, value: object) -> None:
        if value == self._attributes[row][key]:
            self._rebuild(row)
            return
        changed = self._copy()
        changed[row][key] = value
        self._announce(changed, say("Set {shown}", shown=_shown(changed[row]["id"])), row)

    def add(self) -> None:
        """A new attribute at the end, its name ready to be typed."""
        text = next((number for number, name in self._choices.items() if name == "String"), 3)
        changed = [*self._copy(), {"type": text, "id": "new_attribute", "value": ""}]
        before = len(self._attributes)
        self._announce(changed, say("Add an attribute"), before)
        name = self.table.item(before, 0)
        if len(self._attributes) > before and name is not None:
            self.table.scrollToItem(name)
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
            self.table.editItem(name)

    def remove(self) -> None:
        """The current attribute goes."""
        row = self._current()
        if row is not None:
            changed = self._copy()
            gone = changed.pop(row)
            self._announce(changed, say("Remove {shown}", shown=_shown(gone["id"])), row)

    def shift(self, by: int) -> None:
        """The current attribute changes places with its neighbour."""
        row = self._current()
        if row is not None and 0 <= row + by < len(self._attributes):
            changed = self._copy()
            changed.insert(row + by, changed.pop(row))
            self._announce(changed, say("Move {shown}", shown=_shown(changed[row + by]["id"])), row + by)

    def pick(self) -> None:
        """Choose the colour of the current attribute."""
        row = self._current()
        if row is None or not self._is_colour(self._attributes[row]):
            return
        before = parse_colour(_shown(self._attributes[row]["value"]))
        pick_colour(self, before, lambda colour: self._picked(row, colour))

    def _picked(self, row: int, colour: QColor) -> None:
        if row < len(self._attributes) and self._is_colour(self._attributes[row]):
            self._set(row, "value", f"{colour.red()},{colour.green()},{colour.blue()}")

    def _edit(self) -> None:
        if self.table.currentItem() is not None:
            self.table.editItem(self.table.currentItem())

    def _copy(self) -> list[Record]:
        return [dict(attribute) for attribute in self._attributes]

    def _announce(self, changed: list[Record], label: str, current: int) -> None:
        self._wanted = current
        self.changed.emit(changed, label)


def _shown(text: str | bytes) -> str:
    if isinstance(text, str):
        return text
    return text.hex(" ")
