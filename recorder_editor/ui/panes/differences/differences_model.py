"""The rows of the differences: header, actors, each field of each actor, frames, and the frames below a field."""

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ....errors import RecorderError
from ....format import Field, exact_text
from ....format.schema import Value
from ....reports.diff import ActorChange, Comparison, Difference, FieldGroup
from ....texts import listed, say, say_count
from ...session import Session
from ...session.comparison import Item
from ...style.theme import Theme

Index = QModelIndex | QPersistentModelIndex
ITEM = int(Qt.ItemDataRole.UserRole)
GROUP = ITEM + 1
PORTION = 1_000
"""Rows that are added when the view is scrolled to the end."""

MOST_DETAILS = 2_000
"""Frames shown of a field."""

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_FRAMES_KEPT = 16
_ROWS_KEPT = 512


class GroupTexts(NamedTuple):
    """The texts of a group of differences.

    Attributes:
        title: Packet, id and field.
        number: The number of frames.
        frames: The first and the last frame.
        change: By how much it differs; empty where that is no number.
        only: Which recording alone has it; empty for both.
        is_ignored: It is ignored.
    """

    title: str
    number: str
    frames: str
    change: str
    only: str
    is_ignored: bool


class DifferencesModel(QAbstractItemModel):
    """The differences as a tree with the columns difference, here, and other.

    The role `ITEM` gives an `Item`, the role `GROUP` the `GroupTexts` of a field; ignored groups are at the end.

    An index holds 0 at the top, and the number of its top row, from 1, below it.

    Attributes:
        session: The session.
        theme: The theme.
    """

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self._comparison: Comparison | None = None
        self._sections: list[tuple[int, Callable[[int], Item]]] = []
        self._tops = 0
        self._shown = 0
        self._ignored: frozenset[Hashable] = frozenset()
        session.comparison.changed.connect(self._take)
        session.comparison.marked.connect(self._take)
        self._load()

    def _take(self) -> None:
        comparing = self.session.comparison
        if comparing.result is not self._comparison or comparing.ignored != self._ignored:
            self.beginResetModel()
            self._load()
            self.endResetModel()

    def name(self, index: Index) -> Hashable:
        """Return what identifies a row, in a later comparison, too; None for one that only says that there is more."""
        top = index.internalId()
        if not top:
            return self._name_of(self._top(index.row()))
        if index.row() >= MOST_DETAILS:
            return None
        return self._name_of(Item(pair=self._pair_below(top - 1, index.row())))

    def _name_of(self, item: Item) -> Hashable:
        if item.pair is not None and self._comparison is not None:
            pair = self._comparison.pair(item.pair)
            if pair.frame_b is None:
                return -1 - (pair.frame_a or 0)
            return pair.frame_b
        if item.header is not None:
            return item.header.field
        if item.actor is not None:
            life = item.actor.life_b or item.actor.life_a
            if life is not None:
                return life.actor, life.born
        if item.group is not None:
            return item.group.key
        return None

    def _load(self) -> None:
        """Load the newest comparison, with as many of its top rows as were shown."""
        comparison = self.session.comparison.result
        self._comparison = comparison
        self._ignored = self.session.comparison.ignored
        self._sections = []
        self._tops = 0
        if comparison is not None:
            self._load_sections(comparison)

            def first_detail(pair: int, group: FieldGroup | None) -> Difference | None:
                try:
                    details = comparison.details(pair, group)
                except (RecorderError, OSError):  # a file was rewritten: taking over says so
                    return None
                if details:
                    return details[0]
                return None

            # Comparing two frames takes a moment, and every cell asks for it.
            self._frames: Callable[[FieldGroup], npt.NDArray[np.int64]] = lru_cache(_FRAMES_KEPT)(comparison.pairs_of)
            self._first_detail = lru_cache(_ROWS_KEPT)(first_detail)
        self._shown = min(self._tops, max(PORTION, self._shown))

    def _load_sections(self, comparison: Comparison) -> None:
        """Load the numbers of top rows of each kind, with what returns the item of such a row."""
        pairs: list[int] = np.flatnonzero(comparison.counts == 0).tolist()
        groups = [group for group in comparison.groups if group.key not in self._ignored]
        changed = [actor for actor in comparison.actors if actor.fields]  # those of one side are things
        ignored = [group for group in comparison.groups if group.key in self._ignored]
        self._sections = [
            (len(comparison.header), lambda row: Item(header=comparison.header[row])),
            (len(changed), lambda row: Item(actor=changed[row])),
            (len(groups), lambda row: Item(group=groups[row])),
            (len(pairs), lambda row: Item(pair=pairs[row])),
            (len(ignored), lambda row: Item(group=ignored[row])),
        ]
        self._tops = sum(size for size, _ in self._sections)
        if comparison.left_out:
            self._tops += 1

    # --- structure --------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        if parent.isValid():
            return self.createIndex(row, column, parent.row() + 1)
        return self.createIndex(row, column, 0)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # QObject has another
        if index.isValid() and index.internalId():
            return self.createIndex(index.internalId() - 1, 0, 0)
        return QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        if not parent.isValid():
            return self._shown
        if parent.column() or parent.internalId():
            return 0
        return min(self._below(parent.row()), MOST_DETAILS + 1)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 3

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:
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
        """Return what a top row stands for; an empty item where it says that there is more."""
        for size, item in self._sections:
            if row < size:
                return item(row)
            row -= size
        return Item()

    def _below(self, row: int) -> int:
        """Return the number of frames below a top row."""
        group = self._top(row).group
        if group is not None:
            return len(self._frames(group))
        return 0

    def item(self, index: Index) -> Item:
        """Return what a row stands for; an empty item where it says that there is more."""
        top = index.internalId()
        if not top:
            return self._top(index.row())
        if index.row() >= MOST_DETAILS:
            return Item()
        pair = self._pair_below(top - 1, index.row())
        return Item(pair=pair, difference=self._first_detail(pair, self._top(top - 1).group))

    def _pair_below(self, top: int, row: int) -> int:
        """Return the pair of frames of a row below a top row."""
        group = self._top(top).group
        assert group is not None
        return int(self._frames(group)[row])

    # --- texts ------------------------------------------------------------------------------------------

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            heads = (say("Difference"), say("Here"), say("Other"))
            return heads[section]
        return None

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        if not index.isValid() or self._comparison is None:
            return None
        if role == ITEM:
            return self.item(index)
        if role == GROUP:
            group = self.item(index).group
            if group is not None and not index.column():
                return self._group_texts(group)
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._texts(index)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(index)
        if role == Qt.ItemDataRole.FontRole and index.column():
            return self.theme.mono
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return listed(self._texts(index), "clauses")
        return None

    def _tip(self, index: Index) -> str:
        """Return the text of a cell, that of a value with the head of its column."""
        column = index.column()
        text = self._texts(index)[column]
        if not text or not column:
            return text
        return say("{head}: {change}", head=self.headerData(column, Qt.Orientation.Horizontal), change=text)

    def _texts(self, index: Index) -> tuple[str, str, str]:
        """Return the texts of the three columns of a row."""
        comparison = self._comparison
        assert comparison is not None
        item = self.item(index)
        if item == Item():
            return self._more_text(comparison, index.internalId()), "", ""
        if item.header is not None:
            return item.header.field, value_text(item.header.value_a), value_text(item.header.value_b)
        if item.actor is not None:
            return _actor_texts(item.actor)
        if item.group is not None:
            return self._group_text(item.group), "", ""
        assert item.pair is not None
        pair = comparison.pair(item.pair)
        if pair.frame_a is None or pair.frame_b is None:
            return say("Frame in one recording only"), _frame_text(pair.frame_a), _frame_text(pair.frame_b)
        here = ""
        there = ""
        if item.difference is not None:
            here, there = self._values(item.difference)
        return say("Frame {frame_a:,}", frame_a=pair.frame_a + 1), here, there

    def _more_text(self, comparison: Comparison, top: int) -> str:
        """Return the text of a row that says that there is more: below a top row, from 1, or at the top (0)."""
        if top:
            return say("{frames:,} more frames", frames=self._below(top - 1) - MOST_DETAILS)
        return say("{number:,} differences of other fields", number=comparison.left_out)

    def _group_text(self, group: FieldGroup) -> str:
        """Return `Position 3890 location.x: 200 frames, +3.00 m`."""
        texts = self._group_texts(group)
        parts = [say_count("1 frame", "{count:,} frames", count=group.frames), texts.change, texts.only]
        if group.key in self._ignored:
            parts.append(say("ignored"))
        return say("{title}: {changes}", title=texts.title, changes=listed(parts, "clauses"))

    def _group_texts(self, group: FieldGroup) -> "GroupTexts":
        units = self.theme.units
        stored = _unit_of(group.field)
        is_stored_unit = units.unit(stored) == stored and (stored != "cm" or units.length == "file")
        if is_stored_unit:
            change = group.change
        else:
            change = group.change_in(units.unit(stored), units.factor(stored))
        only = ""
        if group.only == "a":
            only = say("only here")
        elif group.only == "b":
            only = say("only there")
        assert self._comparison is not None
        pairs = self._comparison.alignment.pairs[[group.spans[0], group.spans[-1] - 1], 0]
        first, last = (pairs + 1).tolist()
        frames = f"{first:,}"
        if last != first:
            frames = say("{first:,} to {last:,}", first=first, last=last)
        return GroupTexts(
            title=group.title.replace(group.packet, say(group.packet), 1),
            number=f"{group.frames:,}",
            frames=frames,
            change=change,
            only=only,
            is_ignored=group.key in self._ignored,
        )

    def _values(self, difference: Difference) -> tuple[str, str]:
        """Return the texts of the values of a difference, here and in the other recording."""
        if difference.level == "field":
            return self._value(difference.value_a, difference), self._value(difference.value_b, difference)
        if difference.level == "bytes":
            return say("other bytes"), say("other bytes")
        missing = difference.record_b
        if difference.level == "packet":
            missing = difference.packet_b
        if missing is None:
            return say("present"), "–"
        return "–", say("present")

    def _value(self, value: Value | None, difference: Difference) -> str:
        units = self.theme.units
        stored = _unit_of(difference.field)
        text = units.exact(value_text(value, difference), stored)
        if stored and value is not None:
            return f"{text} {units.unit(stored)}"
        return text


def _unit_of(field: Field | None) -> str:
    if field is None:
        return ""
    return field.unit


def _frame_text(frame: int | None) -> str:
    if frame is None:
        return "–"
    return f"{frame + 1:,}"


def _actor_texts(actor: ActorChange) -> tuple[str, str, str]:
    """Return the texts of the three columns of an actor: its blueprints, or the fields that differ."""
    here = actor.life_a
    there = actor.life_b
    life = here or there
    assert life is not None
    name = say("Actor {actor}", actor=life.actor)
    if there is None:
        return name, life.blueprint, "–"
    if here is None:
        return name, "–", life.blueprint
    fields = []
    values_here = []
    values_there = []
    for field, value_here, value_there in actor.fields:
        fields.append(field)
        values_here.append(value_text(value_here))
        values_there.append(value_text(value_there))
    return say("{name} {fields}", name=name, fields=listed(fields)), listed(values_here), listed(values_there)


def value_text(value: Value | None, difference: Difference | None = None) -> str:
    """Write a value: floats as short as their width allows, bytes as hex, a dash for None.

    Args:
        value: The value.
        difference: The difference it belongs to, for the width of a float; None: as Python writes it.
    """
    if value is None:
        return "–"
    if isinstance(value, bytes):
        return value.hex(" ")
    if isinstance(value, float) and difference is not None and difference.field is not None:
        return exact_text(difference.field, value)
    return str(value)
