"""The outline as an item model: integer ids, lazy, moved by insertions and removals instead of resets.

`createIndex` gets the number of the parent node, never an object: a raw pointer in an index outlives what it points to.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ...edits.place import Place
from ...recording.recording import Change
from ..describe import describe
from ..session import Session
from .outline import Line, Outline, Path

Index = QModelIndex | QPersistentModelIndex
ROOT = 0
COLUMNS = ("Name", "Value", "Records", "Bytes")
LINE = int(Qt.ItemDataRole.UserRole)
_MOST_LINES_KEPT = 4_000
_MOST_TOLD = 64
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class PacketModel(QAbstractItemModel):
    """Rows of the tree; the role `LINE` gives a `Line`. Signal: `turned`: any row may say something else now."""

    turned = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.outline: Outline | None = None
        self._whole = False
        # Nodes that have been parents: number -> (number of their parent, row there), and back.
        self._nodes: dict[int, tuple[int, int]] = {}
        self._numbers: dict[tuple[int, int], int] = {}
        self._next = 1
        self._lines: dict[tuple[int, int], Line] = {}
        self._counts: dict[int, int] = {}
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

    def rebuild(self) -> None:
        """Take in another recording."""
        self.beginResetModel()
        self._nodes.clear()
        self._numbers.clear()
        self._forget()
        self.outline = self._made()
        self._counts.clear()
        self.endResetModel()

    def _made(self) -> Outline | None:
        session = self.session
        if session.snapshot is None:
            return None
        return Outline(session.snapshot, session.actors, whole=self._whole, row=session.row)

    def _forget(self) -> None:
        self._lines.clear()

    def show_current(self) -> None:
        """Go to the session's row: what both rows have in common stays as it is, so that the tree does not jump."""
        outline = self.outline
        if outline is None or self._whole or outline.row == self.session.row:
            return
        self._turn_to(self._made())

    def change(self, change: Change) -> None:
        """Follow an edit."""
        if self.outline is None:
            self.rebuild()
            return
        made = self._made()
        assert made is not None
        if not self._whole:
            self._turn_to(made)
            return
        moved = [splice for splice in change.splices if splice[1] != splice[2]]
        if not moved:
            made.groups = self.outline.groups
            made.restart()
            self._turn_to(made)
        elif len(moved) == 1 and self._splice(change, moved[0]):
            self._turn_to(self.outline)
        else:
            self.rebuild()

    def _splice(self, change: Change, splice: tuple[int, int, int]) -> bool:
        """Insert or remove rows where they all lie in one group; False where that is not so."""
        outline = self.outline
        assert outline is not None
        at, removed, inserted = splice
        number = abs(inserted - removed)
        first = at + min(removed, inserted)
        if outline.groups:
            group = min(_group_of(outline.groups, first), len(outline.groups) - 1)
            base = sum(outline.groups[:group])
            grows = inserted > removed
            if not grows and first + number > base + outline.groups[group]:
                return False
            if outline.groups[group] + number > 5_000 or (not grows and outline.groups[group] == number):
                return False
            parent, row = self.index_of_path((1 + group,)), first - base
        else:
            group, grows, parent, row = -1, inserted > removed, QModelIndex(), 1 + first
            if not outline.snapshot.rows:
                return False
        made = self._made()
        assert made is not None
        if group >= 0:
            made.groups = list(outline.groups)
            made.groups[group] += number if grows else -number
            made.restart()
        elif made.groups:
            return False
        if grows:
            self.beginInsertRows(parent, row, row + number - 1)
            self._shift(self._number(parent), row, number)
        else:
            self.beginRemoveRows(parent, row, row + number - 1)
            self._drop(self._number(parent), row, number)
        self.outline = made
        self._forget()
        self._counts.clear()
        (self.endInsertRows if grows else self.endRemoveRows)()
        return True

    def _turn_to(self, made: Outline | None) -> None:
        """Another outline of the same kind: rows are added or removed where counts differ, the rest is repainted."""
        before = self.outline
        if made is None or before is None:
            self.rebuild()
            return
        known = dict(self._counts)
        self._forget()
        self.outline = made
        for number in sorted(known):  # a parent has a smaller number than its children
            if number != ROOT and number not in self._nodes:
                continue
            now, then = self._safe_count(number), known[number]
            if now == then:
                continue
            parent = self._index(number)
            if now > then:
                self.beginInsertRows(parent, then, now - 1)
                self._counts[number] = now
                self.endInsertRows()
            else:
                self.beginRemoveRows(parent, now, then - 1)
                self._drop(number, now, then - now)
                self._counts[number] = now
                self.endRemoveRows()
        self._announce()

    def _announce(self) -> None:
        """Everything that is shown may say something else now.

        Told row by row for the outermost rows only: a view asks for every row of a range that is told, and a step of
        frames changes all of them. `turned` stands for the rest, and the view paints what is visible anew.
        """
        count = self._counts.get(ROOT, 0)
        if count:
            self.dataChanged.emit(self.index(0, 0), self.index(min(count, _MOST_TOLD) - 1, len(COLUMNS) - 1))
        self.turned.emit()

    def _safe_count(self, number: int) -> int:
        assert self.outline is not None
        try:
            return self.outline.count(self._path(number))
        except IndexError:
            return 0

    # --- nodes ------------------------------------------------------------------------------------------

    def _number(self, index: Index) -> int:
        """The number of a node as a parent, given out when it is first asked for."""
        if not index.isValid():
            return ROOT
        key = (int(index.internalId()), index.row())
        number = self._numbers.get(key)
        if number is None:
            number, self._next = self._next, self._next + 1
            self._numbers[key] = number
            self._nodes[number] = key
        return number

    def _path(self, number: int) -> Path:
        path: list[int] = []
        while number != ROOT:
            number, row = self._nodes[number]
            path.append(row)
        return tuple(reversed(path))

    def _index(self, number: int) -> QModelIndex:
        if number == ROOT:
            return QModelIndex()
        parent, row = self._nodes[number]
        return self.createIndex(row, 0, parent)

    def _shift(self, parent: int, row: int, by: int) -> None:
        moved = {number: key for number, key in self._nodes.items() if key[0] == parent and key[1] >= row}
        for key in moved.values():
            del self._numbers[key]
        for number, (_, at) in moved.items():
            self._nodes[number] = (parent, at + by)
            self._numbers[parent, at + by] = number

    def _drop(self, parent: int, row: int, count: int) -> None:
        gone = [number for number, key in self._nodes.items() if key[0] == parent and row <= key[1] < row + count]
        while gone:
            number = gone.pop()
            gone += [child for child, key in self._nodes.items() if key[0] == number]
            del self._numbers[self._nodes.pop(number)]
            self._counts.pop(number, None)
        self._shift(parent, row + count, -count)

    def path(self, index: Index) -> Path:
        """The path of an index."""
        return (*self._path(int(index.internalId())), index.row()) if index.isValid() else ()

    def index_of_path(self, path: Path) -> QModelIndex:
        """The index of a path."""
        index = QModelIndex()
        for row in path:
            index = self.index(row, 0, index)
        return index

    def place(self, index: Index) -> Place | None:
        """What a row stands for."""
        return self.outline.place(self.path(index)) if self.outline is not None and index.isValid() else None

    def index_of(self, place: Place) -> QModelIndex:
        """The row of a place, or of what holds it."""
        path = self.outline.path(place) if self.outline is not None else None
        return self.index_of_path(path) if path is not None else QModelIndex()

    def line(self, index: Index) -> Line | None:
        """What a row says."""
        if self.outline is None or not index.isValid():
            return None
        key = (int(index.internalId()), index.row())
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) > _MOST_LINES_KEPT:
                self._lines.clear()
            line = self._lines[key] = self.outline.line(self.path(index))
        return line

    # --- Qt ---------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if not 0 <= column < len(COLUMNS) or row < 0 or row >= self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, self._number(parent))

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        return self._index(int(index.internalId())) if index.isValid() else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if self.outline is None or parent.column() > 0:
            return 0
        number = self._number(parent)
        count = self._counts.get(number)
        if count is None:
            count = self._counts[number] = self._safe_count(number)
        return count

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        # Not counted before it is opened: what was counted is counted again in every step, and there may be thousands.
        if self.outline is not None and self.outline.is_parent(self.path(parent)):
            return True
        return self.rowCount(parent) > 0

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
            return describe(snapshot, place, self.session.actors)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        line = self.line(index)
        if line is None:
            return None
        texts: Sequence[str] = (
            f"{line.name} {line.detail}".strip(), f"{line.value} {line.unit}".strip(), line.records, line.size,
        )  # fmt: skip
        return texts[index.column()]

    def flags(self, index: Index) -> Qt.ItemFlag:
        # Asked for every row of a tree that is laid out anew: nothing is looked up where a cell cannot be edited.
        if index.column() != 1:
            return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags
        place = self.place(index)
        editable = place is not None and place.field is not None and self.session.is_complete
        return _FLAGS | Qt.ItemFlag.ItemIsEditable if editable else _FLAGS


def _group_of(groups: Sequence[int], row: int) -> int:
    for number, size in enumerate(groups):
        if row < size:
            return number
        row -= size
    return len(groups) - 1
