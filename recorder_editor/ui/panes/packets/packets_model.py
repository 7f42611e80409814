"""The outline as an item model: integer ids, lazy, moved by insertions and removals instead of resets.

`createIndex` gets the number of the parent node, never an object: a raw pointer in an index outlives what it points to.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ....errors import RecorderError
from ....recording import Change, Place
from ....texts import N_, say
from ....views.describe import describe, guide_place
from ....views.outline import GROUP, Outline, Path, TreeLine
from ....views.outline_nodes import ROOT, Nodes
from ....views.packet_matches import Match, MatchOutline
from ....views.selection import HEADER, look_up
from ....views.signal_catalog import keys_at
from ....views.signal_key import MIME
from ....views.units import AS_STORED, Units
from ...session import Session
from ...session.color_rules import Rule
from ...widgets.dragged_signals import dragged
from ...widgets.hover_card import GUIDE

Index = QModelIndex | QPersistentModelIndex
Found = TypeVar("Found")
COLUMNS = (N_("Name"), N_("Value"), N_("Records"), N_("Bytes"))
LINE = int(Qt.ItemDataRole.UserRole)
_MOST_LINES_KEPT = 4_000
_MOST_TOLD = 64
_NONE = -1  # the number of no node
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_UNREADABLE = (RecorderError, OSError)
_NO_FLAGS = Qt.ItemFlag.NoItemFlags
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled


class PacketModel(QAbstractItemModel):
    """Rows of the tree; the role `LINE` gives a `TreeLine`.

    Attribute: `largest` (bytes of the largest row, or group). Signal: `turned`: any row may say something else now.
    """

    turned = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.outline: Outline | MatchOutline | None = None
        self.largest = 0
        self._units = AS_STORED
        self._whole = False
        self._matches: list[Match] | None = None
        self.nodes = Nodes()
        self._lines: dict[tuple[int, int], TreeLine] = {}
        self.rebuild()

    # --- what is shown ----------------------------------------------------------------------------------

    @property
    def whole(self) -> bool:
        """All rows are shown, instead of the current one."""
        return self._whole

    def set_whole(self, whole: bool) -> None:
        """Show all rows, or the current one."""
        if whole != self._whole:
            self._whole = whole
            self.rebuild()

    @property
    def matches(self) -> MatchOutline | None:
        """What is shown, where that is matches of a filter only."""
        if isinstance(self.outline, MatchOutline):
            return self.outline
        return None

    def set_matches(self, matches: list[Match] | None) -> None:
        """Show these matches of a filter instead of all rows; None: all rows."""
        if matches is not None or self._matches is not None:
            self._matches = matches
            self.rebuild()

    def rebuild(self) -> None:
        """Take in another recording."""
        self.beginResetModel()
        self.nodes.clear()
        self._lines.clear()
        self.outline = self._made()
        if self.outline is not None:
            snapshot = self.outline.snapshot
            grouped = isinstance(self.outline, Outline) and self.outline.is_grouped
            starts = range(0, snapshot.rows, GROUP)
            ends = [*map(snapshot.position, starts), snapshot.size] if grouped else snapshot.table.positions()
            self.largest = int(np.diff(ends).max(initial=0))
        self.endResetModel()

    def _made(self) -> Outline | MatchOutline | None:
        session = self.session
        if session.snapshot is None:
            return None
        if self._matches is not None:
            return MatchOutline(session.snapshot, session.actors, self._matches, self._units)
        return Outline(
            session.snapshot, session.actors, whole=self._whole, row=session.selection.row, units=self._units
        )

    def set_units(self, units: Units) -> None:
        """Show quantities in other units."""
        self._units = units
        outline = self.outline.every if isinstance(self.outline, MatchOutline) else self.outline
        if outline is not None and outline.units != units:
            outline.units = units
            self._lines.clear()
            self.turned.emit()

    def show_current(self) -> None:
        """Go to the session's row: what both rows have in common stays as it is, so that the tree does not jump."""
        outline = self.outline
        if not isinstance(outline, Outline) or self._whole or outline.row == self.session.selection.row:
            return
        made = self._made()
        if made is None:
            self.rebuild()
            return
        # Nothing of it is what it was; there is no before that a view could still be shown.
        self._lines.clear()
        self.outline = made
        for number in sorted(self.nodes.counts):  # a parent has a smaller number than its children
            if number in self.nodes.counts:  # rows are added or removed at the ends
                self._resize(number, _count_in(made, self.nodes.path(number)))
        self._take(made)

    def change(self, change: Change, matches: list[Match] | None = None) -> bool:
        """Follow an edit, after which these are the matches; False where rows come or go, and all is to be built anew.

        Only rows that the edit changed are looked at, where it names some.
        """
        self._matches = matches
        made = self._made()
        rows = []
        for at, _, inserted in change.splices:
            rows.append(range(at, at + inserted))
        moved = any(removed != inserted for _, removed, inserted in change.splices)
        # Without rows, too, all is built anew: while rows go, views ask for them.
        if made is None or not made.snapshot.rows or (moved and made.whole):
            return False
        for number, count in self.nodes.counts.items():
            path = self.nodes.path(number)
            row = None
            if made.whole:
                row = made.row_of(path)[0]
            is_edited = row is None or not rows or any(row in each for each in rows)
            if is_edited and _count_in(made, path) != count:
                return False
        self._take(made)
        return True

    def add_matches(self, found: list[Match]) -> None:
        """Further matches, behind those that are shown."""
        if self._matches is not None:
            self._matches = [*self._matches, *found]
            self.outline = self._made()
            self._resize(ROOT, len(self._matches))

    def _resize(self, number: int, now: int) -> None:
        """A node has so many children now."""
        before = self.nodes.counts.get(number, now)
        index = self._index(number)
        if now > before:
            self.beginInsertRows(index, before, now - 1)
            self.nodes.resize(number, now)
            self.endInsertRows()
        elif now < before:
            self.beginRemoveRows(index, now, before - 1)
            self.nodes.resize(number, now)
            self.endRemoveRows()

    def _take(self, made: Outline | MatchOutline) -> None:
        """An outline with as many rows everywhere, which may say something else."""
        self._lines.clear()
        self.outline = made
        # Told row by row for the outermost rows only: a view asks for every row of a range that is told, and a step of
        # frames changes all of them. `turned` stands for the rest, and the view paints what is visible anew.
        count = self.nodes.counts.get(ROOT, 0)
        if count:
            self.dataChanged.emit(self.index(0, 0), self.index(min(count, _MOST_TOLD) - 1, len(COLUMNS) - 1))
        self.turned.emit()

    # --- nodes ------------------------------------------------------------------------------------------

    def _number(self, index: Index) -> int:
        """The number of a node as a parent, given out when it is first asked for."""
        if not index.isValid():
            return ROOT
        return self.nodes.number(int(index.internalId()), index.row())

    def _index(self, number: int) -> QModelIndex:
        if number == ROOT:
            return QModelIndex()
        parent, row = self.nodes.place(number)
        return self.createIndex(row, 0, parent)

    def path(self, index: Index) -> Path:
        """The path of an index."""
        if index.isValid():
            return (*self.nodes.path(int(index.internalId())), index.row())
        return ()

    def index_of_path(self, path: Path) -> QModelIndex:
        """The index of a path."""
        index = QModelIndex()
        for row in path:
            index = self.index(row, 0, index)
        return index

    def place(self, index: Index) -> Place | None:
        """What a row stands for; None, too, where it can no longer be read."""
        if index.isValid():
            return self._ask(lambda outline: outline.place(self.path(index)))
        return None

    def _ask(self, ask: Callable[[Outline | MatchOutline], Found]) -> Found | None:
        """What the outline says; None where there is none, or it can no longer be read."""
        try:
            if self.outline is not None:
                return ask(self.outline)
            return None
        except _UNREADABLE:
            return None

    def index_of(self, place: Place) -> QModelIndex:
        """The row of a place, or of what holds it; none where it is not shown, or can no longer be read."""
        path = self._ask(lambda outline: outline.path(place))
        if path is not None:
            return self.index_of_path(path)
        return QModelIndex()

    def line(self, index: Index) -> TreeLine | None:
        """What a row says."""
        if self.outline is None or not index.isValid():
            return None
        key = (int(index.internalId()), index.row())
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) > _MOST_LINES_KEPT:
                self._lines.clear()
            try:
                line = self._lines[key] = self.outline.line(self.path(index))
            except _UNREADABLE as error:
                # Views ask while they paint; that the file was changed beneath is announced by who reads for a person.
                return TreeLine(say("Cannot be read"), Place(HEADER), icon="raw", damaged=str(error))
        return line

    def rule(self, line: TreeLine) -> Rule | None:
        """The colour rule that the actor of a record meets in its frame."""
        if line.life >= 0:
            return self.session.rule_colors.of_row(line.place.row).get(line.life)
        return None

    # --- Qt ---------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        # A tree that is laid out anew asks for every row twice, and for its flags three times.
        if parent.column() <= 0:
            number = self._number(parent)
        else:
            number = _NONE
        known = self.nodes.counts.get(number)
        if not (0 <= column < len(COLUMNS) and 0 <= row < (self.rowCount(parent) if known is None else known)):
            return QModelIndex()
        return self.createIndex(row, column, number)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        if index.isValid():
            return self._index(int(index.internalId()))
        return QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if self.outline is None or parent.column() > 0:
            return 0
        number = self._number(parent)
        if number not in self.nodes.counts:
            self.nodes.counts[number] = _count_in(self.outline, self.nodes.path(number))
        return self.nodes.counts[number]

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        # Not counted before it is opened: what was counted is counted again in every step, and there may be thousands.
        known = self._ask(lambda outline: outline.is_parent(self.path(parent)))
        return known is not None and (known or self.rowCount(parent) > 0)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return say(COLUMNS[section])
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole and section == 0:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if role == LINE:
            return self.line(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            place = self.place(index)
            snapshot = self.session.snapshot
            if place is None or snapshot is None:
                return None
            line = self.line(index)
            rule = None
            if line is not None:
                rule = self.rule(line)
            described = describe(snapshot, place, self.session.actors, self._units)
            if rule is not None:
                return f"{described}<br>{escape(rule.text)}"
            return described
        if role == GUIDE:
            place = self.place(index)
            snapshot = self.session.snapshot
            if place is not None and snapshot is not None:
                return guide_place(look_up(snapshot, place).packet)
            return ""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        line = self.line(index)
        if line is None:
            return None
        name = f"{line.name} {line.detail}".strip()
        value = f"{line.value} {line.unit}".strip()
        return (name, value, line.records, line.size)[index.column()]

    def flags(self, index: Index) -> Qt.ItemFlag:
        # Nothing is looked up where a cell cannot be edited.
        column = index.column()
        place = None
        if column == 1:
            place = self.place(index)
        if place is None:
            if column >= 0:
                return _FLAGS
            return _NO_FLAGS
        editable = place.field is not None and self.session.is_complete
        editable = editable and (place.row, place.field) != (HEADER, "magic")
        if editable:
            return _FLAGS | Qt.ItemFlag.ItemIsEditable
        return _FLAGS

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The signals of the rows, to be dropped where they are plotted; nothing where they are no numbers."""
        places = []
        for index in indexes:
            if index.column() == 0:
                places.append(self.place(index))
        snapshot = self.session.snapshot
        if snapshot is None:
            return dragged(())
        return dragged(key for place in places if place is not None for key in keys_at(snapshot, place))


def _count_in(outline: Outline | MatchOutline, path: Path) -> int:
    """How many children a node has; none where it is not there, or can no longer be read."""
    try:
        return outline.count(path)
    except (IndexError, *_UNREADABLE):
        return 0
