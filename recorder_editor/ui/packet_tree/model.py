"""The outline as an item model: integer ids, lazy, moved by insertions and removals instead of resets.

`createIndex` gets the number of the parent node, never an object: a raw pointer in an index outlives what it points to.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, TypeVar

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ...errors import RecorderError
from ...recording import Change, Place
from ..color_rules import Rule
from ..describe import describe, guide_place
from ..hover_card import GUIDE
from ..selection import HEADER, look_up
from ..session import Session
from ..signal_key import MIME, dragged
from ..signals.catalog import keys_at
from ..units import AS_STORED, Units
from .matches import Match, MatchOutline
from .nodes import ROOT, Nodes, difference
from .outline import GROUP, Outline, Path, TreeLine

Index = QModelIndex | QPersistentModelIndex
Found = TypeVar("Found")
COLUMNS = ("Name", "Value", "Records", "Bytes")
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
        self._matching = False
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
        return self.outline if isinstance(self.outline, MatchOutline) else None

    def set_matching(self, matching: bool) -> None:
        """Show matches of a filter, none at first, instead of all rows."""
        if matching or self._matching:
            self._matching = matching
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
        if self._matching:
            return MatchOutline(session.snapshot, session.actors, [], self._units)
        return Outline(
            session.snapshot, session.actors, whole=self._whole, row=session.selection.row, units=self._units
        )

    def set_units(self, units: Units) -> None:
        """Show quantities in other units."""
        self._units = units
        if self.outline is not None and self.outline.units != units:
            self.outline.units = units
            self._lines.clear()
            self.turned.emit()

    def show_current(self) -> None:
        """Go to the session's row: what both rows have in common stays as it is, so that the tree does not jump."""
        outline = self.outline
        if not isinstance(outline, Outline) or self._whole or outline.row == self.session.selection.row:
            return
        self._turn_to(self._made())

    def change(self, change: Change) -> None:
        """Follow an edit that leaves rows where they are."""
        made = self._made()
        # Without rows, too, all is built anew: while rows go, views ask for them.
        if isinstance(self.outline, Outline) and isinstance(made, Outline) and made.snapshot.rows:
            self._turn_to(made, _rows_of(change))
        else:
            self.rebuild()

    def add_matches(self, found: list[Match]) -> None:
        """Further matches, behind those that are shown."""
        if self.matches is not None:
            self._replace_matches(self.matches, len(self.matches.matches), 0, found)

    def turn_matches(self, change: Change, found: Mapping[int, Match | None]) -> list[int]:
        """Follow an edit of rows that stay where they are; `found` says what matches in them now.

        Returns the rows that were taken out and put in again: nothing is unfolded in them.
        """
        outline = self.matches
        if outline is None:
            return []
        turned = []
        for row, match in found.items():
            at = outline.find(row)
            if outline.has(row) and outline.matches[at] != match:
                outline = self._replace_matches(outline, at, 1, [])
                turned.append(row)
        outline = MatchOutline(change.after, self.session.actors, outline.matches, self._units)
        self._turn_to(outline, _rows_of(change))
        for row, match in found.items():
            if match is not None and not outline.has(row):
                outline = self._replace_matches(outline, outline.find(row), 0, [match])
        return turned

    def _replace_matches(self, outline: MatchOutline, at: int, removed: int, found: list[Match]) -> MatchOutline:
        """Take matches out, or put others in; returns the outline that has them."""
        matches = [*outline.matches[:at], *found, *outline.matches[at + removed :]]
        made = MatchOutline(outline.snapshot, self.session.actors, matches, self._units)
        if removed:
            self._remove(ROOT, at, removed, made)
        else:
            self._insert(ROOT, at, len(found), made)
        return made

    def _insert(self, number: int, row: int, count: int, made: Outline | MatchOutline) -> None:
        """Rows come below a node; the outline that has them is the one from then on."""
        self.beginInsertRows(self._index(number), row, row + count - 1)
        self.nodes.insert(number, row, count)
        self._settle(made)
        self.endInsertRows()

    def _remove(self, number: int, row: int, count: int, made: Outline | MatchOutline) -> None:
        self.beginRemoveRows(self._index(number), row, row + count - 1)
        self.nodes.remove(number, row, count)
        self._settle(made)
        self.endRemoveRows()

    def _settle(self, made: Outline | MatchOutline) -> None:
        self.outline = made
        self._lines.clear()

    def _turn_to(self, made: Outline | MatchOutline | None, edited: Sequence[range] | None = None) -> None:
        """Another outline of the same kind: rows are added or removed where counts differ, the rest is repainted.

        `edited`: the rows that an edit changed. There, what came or went does so where it stands, and what is
        unfolded stays with it; no other row is looked at. Without it, what came or went does so at the end.
        """
        before = self.outline
        if made is None or before is None:
            self.rebuild()
            return
        known = dict(self.nodes.counts)
        same = edited is not None and _same_row(before, made)
        paths = {number: self.nodes.path(number) for number in known} if same else {}
        if not same:
            # Nothing of it is what it was; there is no before that a view could still be shown.
            self._lines.clear()
            self.outline = made
        for number in sorted(known):  # a parent has a smaller number than its children
            if number not in self.nodes:
                continue
            path = self.nodes.path(number)
            row = made.row_of(path)[0] if edited and made.whole else None
            if edited and row is not None and not any(row in rows for rows in edited):
                continue
            now, then = _count_in(made, path), known[number]
            if now == then:
                continue
            keys = None
            if same and isinstance(before, Outline) and isinstance(made, Outline):
                were, are = before.keys(paths[number]), made.keys(path)
                if were is not None and are is not None and (len(were), len(are)) == (then, now):
                    keys = were, are
            first, *numbers = difference(*keys) if keys is not None else (min(now, then), 0, 0)
            change = self._insert if now > then else self._remove
            change(number, first + min(numbers), abs(now - then), made)
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
        return (*self.nodes.path(int(index.internalId())), index.row()) if index.isValid() else ()

    def index_of_path(self, path: Path) -> QModelIndex:
        """The index of a path."""
        index = QModelIndex()
        for row in path:
            index = self.index(row, 0, index)
        return index

    def place(self, index: Index) -> Place | None:
        """What a row stands for; None, too, where it can no longer be read."""
        return self._ask(lambda outline: outline.place(self.path(index))) if index.isValid() else None

    def _ask(self, ask: Callable[[Outline | MatchOutline], Found]) -> Found | None:
        """What the outline says; None where there is none, or it can no longer be read."""
        try:
            return ask(self.outline) if self.outline is not None else None
        except _UNREADABLE:
            return None

    def index_of(self, place: Place) -> QModelIndex:
        """The row of a place, or of what holds it; none where it is not shown, or can no longer be read."""
        path = self._ask(lambda outline: outline.path(place))
        return self.index_of_path(path) if path is not None else QModelIndex()

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
                return TreeLine(self.tr("Cannot be read"), Place(HEADER), icon="raw", damaged=str(error))
        return line

    def rule(self, line: TreeLine) -> Rule | None:
        """The colour rule that the actor of a record meets in its frame."""
        return self.session.rule_colors.of_row(line.place.row).get(line.life) if line.life >= 0 else None

    # --- Qt ---------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        # A tree that is laid out anew asks for every row twice, and for its flags three times.
        number = self._number(parent) if parent.column() <= 0 else _NONE
        known = self.nodes.counts.get(number)
        if not (0 <= column < len(COLUMNS) and 0 <= row < (self.rowCount(parent) if known is None else known)):
            return QModelIndex()
        return self.createIndex(row, column, number)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        return self._index(int(index.internalId())) if index.isValid() else QModelIndex()

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

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.tr(COLUMNS[section])
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole and section == 0:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if role == LINE:
            return self.line(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            place, snapshot = self.place(index), self.session.snapshot
            if place is None or snapshot is None:
                return None
            line = self.line(index)
            rule = self.rule(line) if line is not None else None
            described = describe(snapshot, place, self.session.actors, self._units)
            return f"{described}<br>{escape(rule.text)}" if rule is not None else described
        if role == GUIDE:
            place, snapshot = self.place(index), self.session.snapshot
            return guide_place(look_up(snapshot, place).packet) if place is not None and snapshot is not None else ""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        line = self.line(index)
        if line is None:
            return None
        texts: Sequence[str] = (
            f"{line.name} {line.detail}".strip(),
            f"{line.value} {line.unit}".strip(),
            line.records,
            line.size,
        )
        return texts[index.column()]

    def flags(self, index: Index) -> Qt.ItemFlag:
        # Nothing is looked up where a cell cannot be edited.
        column = index.column()
        place = self.place(index) if column == 1 else None
        if place is None:
            return _FLAGS if column >= 0 else _NO_FLAGS
        editable = place.field is not None and self.session.is_complete
        editable = editable and (place.row, place.field) != (HEADER, "magic")
        return _FLAGS | Qt.ItemFlag.ItemIsEditable if editable else _FLAGS

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The signals of the rows, to be dropped where they are plotted; nothing where they are no numbers."""
        places = [self.place(index) for index in indexes if index.column() == 0]
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


def _rows_of(change: Change) -> list[range]:
    """The rows that an edit changed, as they are counted after it; none of them: all rows may be others."""
    return [range(at, at + inserted) for at, _, inserted in change.splices]


def _same_row(before: Outline | MatchOutline, after: Outline | MatchOutline) -> bool:
    """Both show the same row, or all of them."""
    if not isinstance(before, Outline) or not isinstance(after, Outline):
        return False
    if before.whole or after.whole:
        return before.whole == after.whole
    if max(before.row - before.snapshot.rows, after.row - after.snapshot.rows) >= 0:
        return False
    return bool(before.snapshot.table.row(before.row)["key"] == after.snapshot.table.row(after.row)["key"])
