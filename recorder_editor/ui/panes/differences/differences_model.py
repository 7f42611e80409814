"""The rows of the differences: header, actors, each field of each actor, frames, and what lies under them."""

from collections.abc import Callable, Hashable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ....format import exact_text
from ....format.schema import Value
from ....reports.diff import Comparison, Difference, FieldGroup
from ....texts import listed, say, say_count
from ...session import Session
from ...session.comparison import Item
from ...style.theme import Theme

Index = QModelIndex | QPersistentModelIndex
ITEM = int(Qt.ItemDataRole.UserRole)
PORTION = 1_000
"""Rows that are added when somebody scrolls to the end."""

MOST_DETAILS = 2_000
"""Frames shown of a field."""

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_FRAMES_KEPT = 16
_ROWS_KEPT = 512


class DifferencesModel(QAbstractItemModel):
    """Columns: what, here, in the other. The role `ITEM` gives an `Item`.

    An index holds 0 at the top, and the number of its top row, from 1, below it.
    """

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self._found: Comparison | None = None
        self._sections: list[tuple[int, Callable[[int], Item]]] = []
        self._tops = 0
        self._shown = 0
        session.comparison.changed.connect(self._take)
        self._load()

    def _take(self) -> None:
        if self.session.comparison.found is not self._found:
            self.beginResetModel()
            self._load()
            self.endResetModel()

    def name(self, index: Index) -> Hashable:
        """What a row is known by in a later comparison, too; None for one that only says that there is more."""
        item = self._top(index.row())
        number = index.row()
        if top := index.internalId():
            item = Item(pair=self._pair_below(top - 1, number) if number < MOST_DETAILS else None)
        if item.pair is not None and self._found is not None:
            pair = self._found.pair(item.pair)
            if pair.frame_b is None:
                return -1 - (pair.frame_a or 0)
            return pair.frame_b
        if item.header is not None:
            return item.header.field
        if item.actor is not None and (life := item.actor.life_b or item.actor.life_a):
            return life.actor, life.born
        if item.group is not None:
            return item.group.key
        return None

    def _load(self) -> None:
        """Take over the newest comparison, with as many of its top rows as were shown."""
        self._found = found = self.session.comparison.found
        self._sections = []
        self._tops = 0
        if found is not None:
            pairs: list[int] = np.flatnonzero(found.counts == 0).tolist()
            self._sections = [
                (len(found.header), lambda row: Item(header=found.header[row])),
                (len(found.actors), lambda row: Item(actor=found.actors[row])),
                (len(found.groups), lambda row: Item(group=found.groups[row])),
                (len(pairs), lambda row: Item(pair=pairs[row])),
            ]
            self._tops = sum(size for size, _ in self._sections) + (found.left_out > 0)
            # Comparing two frames takes a moment, and every cell asks for it.
            self._frames: Callable[[FieldGroup], npt.NDArray[np.int64]] = lru_cache(_FRAMES_KEPT)(found.pairs_of)
            self._of_group = lru_cache(_ROWS_KEPT)(lambda pair, group: next(iter(found.details(pair, group)), None))
        self._shown = min(self._tops, max(PORTION, self._shown))

    # --- structure --------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override] # noqa: B008
        if index.isValid():
            top = index.internalId()
        else:
            top = 0
        if top:
            return self.createIndex(top - 1, 0, 0)
        return QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return self._shown
        if parent.column() or parent.internalId():
            return 0
        return min(self._below(parent.row()), MOST_DETAILS + 1)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 3

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        if not parent.isValid():
            return self._shown > 0
        if parent.column() or parent.internalId():
            return False
        return self._top(parent.row()).group is not None

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._shown < self._tops

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            more = min(PORTION, self._tops - self._shown)
            self.beginInsertRows(QModelIndex(), self._shown, self._shown + more - 1)
            self._shown += more
            self.endInsertRows()

    def _top(self, row: int) -> Item:
        """What a top row stands for; nothing where it says that there is more."""
        for size, item in self._sections:
            if row < size:
                return item(row)
            row -= size
        return Item()

    def _below(self, row: int) -> int:
        """The number of frames under a top row."""
        group = self._top(row).group
        if group is not None:
            return len(self._frames(group))
        return 0

    def item(self, index: Index) -> Item:
        """What a row stands for."""
        if not index.internalId():
            return self._top(index.row())
        top = self._top(index.internalId() - 1)
        number = index.row()
        if number >= MOST_DETAILS:
            return Item()
        pair = self._pair_below(index.internalId() - 1, number)
        return Item(pair=pair, difference=self._of_group(pair, top.group))

    def _pair_below(self, row: int, number: int) -> int:
        """The pair of frames of a row below a top row."""
        group = self._top(row).group
        assert group is not None
        return int(self._frames(group)[number])

    # --- words ------------------------------------------------------------------------------------------

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (say("Difference"), say("Here"), say("Other"))[section]
        return None

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        if not index.isValid() or self._found is None:
            return None
        if role == ITEM:
            return self.item(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            text = self._words(index)[index.column()]
            says_whose = bool(text and index.column()) and role == Qt.ItemDataRole.ToolTipRole
            head = self.headerData(index.column(), Qt.Orientation.Horizontal)
            if says_whose:
                return say("{head}: {change}", head=head, change=text)
            return text
        if role == Qt.ItemDataRole.FontRole and index.column():
            return self.theme.mono
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return listed(self._words(index), "clauses")
        return None

    def _words(self, index: Index) -> tuple[str, str, str]:
        found = self._found
        assert found is not None
        item = self.item(index)
        top = index.internalId()
        if item == Item():
            if top:
                more = say("{frames:,} more frames", frames=self._below(top - 1) - MOST_DETAILS)
            else:
                more = say("{number:,} differences of other fields", number=found.left_out)
            return more, "", ""
        if item.header is not None:
            return item.header.field, told(item.header.value_a), told(item.header.value_b)
        if item.actor is not None:
            return self._actor_words(item)
        if item.group is not None:
            return self._group_words(item.group), "", ""
        assert item.pair is not None
        pair = found.pair(item.pair)
        if pair.frame_a is None or pair.frame_b is None:
            here, there = (f"{frame + 1:,}" if frame is not None else "–" for frame in pair)
            return say("Frame in one recording only"), here, there
        if item.difference is not None:
            values = self._values(item.difference)
        else:
            values = ("", "")
        return (say("Frame {frame_a:,}", frame_a=pair.frame_a + 1), *values)

    def _group_words(self, group: FieldGroup) -> str:
        """`Position 3890 location.x: 200 frames, +3.00 m`."""
        frames: str = say_count("1 frame", "{count:,} frames", count=group.frames)
        only = {"a": say("only here"), "b": say("only in the other"), "": ""}[group.only]
        units = self.theme.units
        stored = group.field.unit if group.field is not None else ""
        is_plain = units.unit(stored) == stored and (stored != "cm" or units.length == "file")
        if is_plain:
            change = group.change
        else:
            change = group.change_in(units.unit(stored), units.factor(stored))
        title = group.title.replace(group.packet, say(group.packet), 1)
        return say("{title}: {changes}", title=title, changes=listed((frames, change, only), "clauses"))

    def _actor_words(self, item: Item) -> tuple[str, str, str]:
        assert item.actor is not None
        here = item.actor.life_a
        there = item.actor.life_b
        life = here or there
        assert life is not None
        name = say("Actor {actor}", actor=life.actor)
        if here is None or there is None:
            return name, here.blueprint if here else "–", there.blueprint if there else "–"
        return (
            say("{name} {fields}", name=name, fields=listed(field for field, _, _ in item.actor.fields)),
            listed(told(one) for _, one, _ in item.actor.fields),
            listed(told(other) for _, _, other in item.actor.fields),
        )

    def _values(self, difference: Difference) -> tuple[str, str]:
        if difference.level == "field":
            units = self.theme.units
            stored = difference.field.unit if difference.field is not None else ""
            if stored:
                unit = f" {units.unit(stored)}"
            else:
                unit = ""
            here, there = (
                units.exact(told(value, difference), stored) + (unit if value is not None else "")
                for value in (difference.value_a, difference.value_b)
            )
            return here, there
        if difference.level == "bytes":
            return say("other bytes"), say("other bytes")
        is_here = (difference.packet_b if difference.level == "packet" else difference.record_b) is None
        there_is = say("there")
        return there_is if is_here else "–", "–" if is_here else there_is


def told(value: Value | None, difference: Difference | None = None) -> str:
    """A value as text: floats as short as their width allows, bytes as hex, a dash for none."""
    if value is None:
        return "–"
    if isinstance(value, bytes):
        return value.hex(" ")
    if isinstance(value, float) and difference is not None and difference.field is not None:
        return exact_text(difference.field, value)
    return str(value)
