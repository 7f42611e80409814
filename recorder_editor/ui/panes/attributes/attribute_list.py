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
_TEXT_TYPE = 3  # of a text, where the dialect does not name it
_KEYS = ("id", "value", "type")
_INDEX = re.compile(r"attributes\[(\d+)\]")


class AttributeList(ThemedWidget):
    """The table and its buttons.

    Signal: `changed(list, str)`: the attributes as they should be (dicts of `type`, `id`, `value`), and what was done.
    The list itself does not change until `show_attributes` or `refuse` is called.
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
        for name, tip, slot in (
            ("add", say("Add an attribute"), self.add),
            ("remove", say("Remove the attribute (Del)"), self.remove),
            ("up", say("Move it up (Ctrl+Up)"), up),
            ("down", say("Move it down (Ctrl+Down)"), down),
        ):
            self._buttons[name] = icon_button(theme.icons.icon(name), tip, slot)
        self._buttons["colour"] = icon_button(QIcon(), say("Choose its colour"), self.pick)
        self._buttons["colour"].setText(say("Colour..."))
        for name, button in self._buttons.items():
            button.setObjectName(f"attribute-{name}")
        buttons = fill(QHBoxLayout(), *self._buttons.values(), Stretch(), spacing=theme.px(4))
        fill(QVBoxLayout(self), self.table, buttons, spacing=theme.px(4))

    def show_attributes(self, attributes: Sequence[Record]) -> None:
        """Show these attributes; the current line stays where it can."""
        self._refusal.show_reason("")
        current = self._wanted
        self._wanted = None
        if current is None:
            current = self.table.currentRow()
        copied = [dict(attribute) for attribute in attributes]
        if copied != self._attributes:
            self._attributes = copied
            self._rebuild(current)
        shown = min(max(2, len(self._attributes)), _MOST_SHOWN)
        self.table.setFixedHeight(self.theme.px(22) * shown + self.theme.px(24))
        self._fit_buttons()

    def mark(self, path: str) -> None:
        """Show which attribute holds the selected field, as in `attributes[2].value`."""
        match = _INDEX.match(path)
        if match is None:
            return
        row = int(match[1])
        if row < len(self._attributes) and self.table.currentRow() != row:
            with QSignalBlocker(self.table):
                self.table.setCurrentCell(row, 0)
            self._fit_buttons()

    def refuse(self, reason: str) -> None:
        """Go back to what is stored, and say beneath why it stays so."""
        self._wanted = None
        self._rebuild(self.table.currentRow())
        self._refusal.show_reason(reason)

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
            tip = say_count("1 byte", "{count:,} bytes", count=len(stored.encode("utf-8", "replace")))
            if text:
                tip = f"{text} ({tip})"
            item.setToolTip(tip)
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
        """Return the cells of an attribute, in the order of `_KEYS`."""
        kind = attribute["type"]
        kind_name = value_names(self._choices).get(kind, str(kind))
        return _as_text(attribute["id"]), _as_text(attribute["value"]), kind_name

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
            value = self._type_of(item.text())
            if value is None:
                types = listed(value_names(self._choices).values())
                self.refuse(say("“{word}” is not a type; types are {types}.", word=item.text(), types=types))
                return
        self._set(row, key, value)

    def _type_of(self, text: str) -> int | None:
        """Return the type that a text names, in English or as it is shown, or by its number; None for none."""
        numbers = {}
        for names in (self._choices, value_names(self._choices)):
            for number, name in names.items():
                numbers[name.lower()] = number
        word = text.strip()
        if word.lower() in numbers:
            return numbers[word.lower()]
        if word.isdecimal():
            return int(text)
        return None

    def _set(self, row: int, key: str, value: object) -> None:
        if value == self._attributes[row][key]:
            self._rebuild(row)
            return
        changed = self._copy()
        changed[row][key] = value
        self._request(changed, say("Set {shown}", shown=_as_text(changed[row]["id"])), row)

    def add(self) -> None:
        """Add an attribute at the end, its name ready to be typed."""
        text_type = _TEXT_TYPE
        for number, kind_name in self._choices.items():
            if kind_name == "String":
                text_type = number
                break
        changed = self._copy()
        changed.append({"type": text_type, "id": "new_attribute", "value": ""})
        before = len(self._attributes)
        self._request(changed, say("Add an attribute"), before)
        name = self.table.item(before, 0)
        if len(self._attributes) > before and name is not None:
            self.table.scrollToItem(name)
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
            self.table.editItem(name)

    def remove(self) -> None:
        """Remove the current attribute."""
        row = self._current()
        if row is not None:
            changed = self._copy()
            removed = changed.pop(row)
            self._request(changed, say("Remove {shown}", shown=_as_text(removed["id"])), row)

    def shift(self, by: int) -> None:
        """Exchange the current attribute with its neighbour: -1 above, 1 below."""
        row = self._current()
        if row is not None and 0 <= row + by < len(self._attributes):
            changed = self._copy()
            moved = changed.pop(row)
            changed.insert(row + by, moved)
            self._request(changed, say("Move {shown}", shown=_as_text(moved["id"])), row + by)

    def pick(self) -> None:
        """Choose the colour of the current attribute."""
        row = self._current()
        if row is None or not self._is_colour(self._attributes[row]):
            return
        before = parse_colour(_as_text(self._attributes[row]["value"]))
        pick_colour(self, before, lambda colour: self._set_colour(row, colour))

    def _set_colour(self, row: int, colour: QColor) -> None:
        if row < len(self._attributes) and self._is_colour(self._attributes[row]):
            self._set(row, "value", f"{colour.red()},{colour.green()},{colour.blue()}")

    def _edit(self) -> None:
        if self.table.currentItem() is not None:
            self.table.editItem(self.table.currentItem())

    def _copy(self) -> list[Record]:
        return [dict(attribute) for attribute in self._attributes]

    def _request(self, changed: list[Record], label: str, current: int) -> None:
        """Ask for these attributes; `current` is the line that becomes the current one with them."""
        self._wanted = current
        self.changed.emit(changed, label)


def _as_text(text: str | bytes) -> str:
    """Return a text, or bytes that are none as hex digits."""
    if isinstance(text, str):
        return text
    return text.hex(" ")
