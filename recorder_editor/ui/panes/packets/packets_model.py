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
from ....views.signal_key import MIME, Key
from ....views.units import AS_STORED, Units
from ...session import Session
from ...session.color_rules import ColorRule
from ...widgets.dragged_signals import drag_data
from ...widgets.hover_card import GUIDE

Index = QModelIndex | QPersistentModelIndex
Result = TypeVar("Result")
COLUMNS = (N_("Name"), N_("Value"), N_("Records"), N_("Bytes"))
LINE = int(Qt.ItemDataRole.UserRole)
_MOST_LINES_KEPT = 4_000
_MOST_NOTIFIED = 64  # rows that `dataChanged` names
_NONE = -1  # the number of no node
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_UNREADABLE = (RecorderError, OSError)
_NO_FLAGS = Qt.ItemFlag.NoItemFlags
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled


class PacketModel(QAbstractItemModel):
    """Rows of the tree; the role `LINE` gives a `TreeLine`.

    Signal: `turned`: any row may say something else now.

    Attributes:
        outline: What is shown; None without a recording.
        largest: Bytes of the largest row, or group.
        nodes: The nodes that views have asked for.
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
        """Whether all rows are shown, instead of the current one."""
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
        self.outline = self._make_outline()
        if self.outline is not None:
            snapshot = self.outline.snapshot
            if isinstance(self.outline, Outline) and self.outline.is_grouped:
                edges = [snapshot.position(row) for row in range(0, snapshot.rows, GROUP)]
                edges.append(snapshot.size)
                sizes = np.diff(edges)
            else:
                sizes = np.diff(snapshot.table.positions())
            self.largest = int(sizes.max(initial=0))
        self.endResetModel()

    def _make_outline(self) -> Outline | MatchOutline | None:
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
        outline = self.outline
        if isinstance(outline, MatchOutline):
            outline = outline.full_outline
        if outline is not None and outline.units != units:
            outline.units = units
            self._lines.clear()
            self.turned.emit()

    def show_current(self) -> None:
        """Go to the session's row: what both rows have in common stays as it is, so that the tree does not jump."""
        before = self.outline
        if not isinstance(before, Outline) or self._whole or before.row == self.session.selection.row:
            return
        outline = self._make_outline()
        if outline is None:
            self.rebuild()
            return
        # Nothing of it is what it was; there is no before that a view could still be shown.
        self._lines.clear()
        self.outline = outline
        for number in sorted(self.nodes.counts):  # a parent has a smaller number than its children
            if number in self.nodes.counts:  # rows are added or removed at the ends
                self._resize(number, _count_in(outline, self.nodes.path(number)))
        self._replace_outline(outline)

    def change(self, change: Change, matches: list[Match] | None = None) -> bool:
        """Follow an edit. Only rows that the edit changed are counted, where it names some.

        Args:
            change: The edit.
            matches: The matches after it; None where all rows are shown.

        Returns:
            False where rows come or go, and all is to be built anew.
        """
        self._matches = matches
        outline = self._make_outline()
        edited: list[range] = []
        is_moved = False
        for first, removed, inserted in change.splices:
            edited.append(range(first, first + inserted))
            is_moved = is_moved or removed != inserted
        # Without rows, too, all is built anew: while rows go, views ask for them.
        if outline is None or not outline.snapshot.rows or (is_moved and outline.whole):
            return False
        for number, count in self.nodes.counts.items():
            path = self.nodes.path(number)
            if edited and outline.whole:
                row, _ = outline.row_of(path)
                if row is not None and not any(row in rows for rows in edited):
                    continue
            if _count_in(outline, path) != count:
                return False
        self._replace_outline(outline)
        return True

    def add_matches(self, matches: list[Match]) -> None:
        """Show further matches, behind those that are shown."""
        if self._matches is not None:
            self._matches = self._matches + matches
            self.outline = self._make_outline()
            self._resize(ROOT, len(self._matches))

    def _resize(self, number: int, now: int) -> None:
        """Add or remove children of a node at the end, until it has so many."""
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

    def _replace_outline(self, outline: Outline | MatchOutline) -> None:
        """Show an outline with as many rows everywhere, which may say something else."""
        self._lines.clear()
        self.outline = outline
        # Only the outermost rows are named: a view asks for every row of a range that is named, and a step of frames
        # changes all of them. `turned` stands for the rest, and the view paints what is visible anew.
        count = self.nodes.counts.get(ROOT, 0)
        if count:
            last = self.index(min(count, _MOST_NOTIFIED) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        self.turned.emit()

    # --- nodes ------------------------------------------------------------------------------------------

    def _number(self, index: Index) -> int:
        """Return the number of a node as a parent, which it gets when it is first asked for."""
        if not index.isValid():
            return ROOT
        return self.nodes.number(int(index.internalId()), index.row())

    def _index(self, number: int) -> QModelIndex:
        if number == ROOT:
            return QModelIndex()
        parent, row = self.nodes.place(number)
        return self.createIndex(row, 0, parent)

    def path(self, index: Index) -> Path:
        """Return the path of an index."""
        if index.isValid():
            return (*self.nodes.path(int(index.internalId())), index.row())
        return ()

    def index_of_path(self, path: Path) -> QModelIndex:
        """Return the index of a path."""
        index = QModelIndex()
        for row in path:
            index = self.index(row, 0, index)
        return index

    def place(self, index: Index) -> Place | None:
        """Return what a row stands for; None, too, where it can no longer be read."""
        if index.isValid():
            return self._query(lambda outline: outline.place(self.path(index)))
        return None

    def _query(self, query: Callable[[Outline | MatchOutline], Result]) -> Result | None:
        """Return what the outline says; None where there is none, or it can no longer be read."""
        if self.outline is None:
            return None
        try:
            return query(self.outline)
        except _UNREADABLE:
            return None

    def index_of(self, place: Place) -> QModelIndex:
        """Return the row of a place, or of what holds it; an invalid index where it is not shown, or not readable."""
        path = self._query(lambda outline: outline.path(place))
        if path is not None:
            return self.index_of_path(path)
        return QModelIndex()

    def line(self, index: Index) -> TreeLine | None:
        """Return what a row says; None for an invalid index."""
        if self.outline is None or not index.isValid():
            return None
        key = (int(index.internalId()), index.row())
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) > _MOST_LINES_KEPT:
                self._lines.clear()
            try:
                line = self.outline.line(self.path(index))
            except _UNREADABLE as error:
                # Views ask while they paint: that another program has changed the file is announced elsewhere.
                return TreeLine(say("Cannot be read"), Place(HEADER), icon="raw", damaged=str(error))
            self._lines[key] = line
        return line

    def rule(self, line: TreeLine) -> ColorRule | None:
        """Return the colour rule that the actor of a record meets in its frame; None for none."""
        if line.life >= 0:
            return self.session.rule_colors.of_row(line.place.row).get(line.life)
        return None

    # --- Qt ---------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        # A tree that is laid out anew asks for every row twice, and for its flags three times: hence the short way.
        if parent.column() <= 0:
            number = self._number(parent)
        else:
            number = _NONE
        if row < 0 or not 0 <= column < len(COLUMNS):
            return QModelIndex()
        count = self.nodes.counts.get(number)
        if count is None:
            count = self.rowCount(parent)
        if row >= count:
            return QModelIndex()
        return self.createIndex(row, column, number)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # QObject has another
        if index.isValid():
            return self._index(int(index.internalId()))
        return QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        if self.outline is None or parent.column() > 0:
            return 0
        number = self._number(parent)
        if number not in self.nodes.counts:
            self.nodes.counts[number] = _count_in(self.outline, self.nodes.path(number))
        return self.nodes.counts[number]

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:
        # Not counted before it is opened: what was counted is counted again in every step, and there may be thousands.
        is_parent = self._query(lambda outline: outline.is_parent(self.path(parent)))
        if is_parent is None:
            return False
        return is_parent or self.rowCount(parent) > 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return say(COLUMNS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole and section == 0:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if role == LINE:
            return self.line(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tooltip(index)
        if role == GUIDE:
            return self._guide_place(index)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        line = self.line(index)
        if line is None:
            return None
        if index.column() == 0:
            return f"{line.name} {line.detail}".strip()
        if index.column() == 1:
            return f"{line.value} {line.unit}".strip()
        if index.column() == 2:
            return line.records
        return line.size

    def _tooltip(self, index: Index) -> str | None:
        """Return what a row is about, with the colour rule that its actor meets."""
        place = self.place(index)
        snapshot = self.session.snapshot
        if place is None or snapshot is None:
            return None
        line = self.line(index)
        rule = None
        if line is not None:
            rule = self.rule(line)
        description = describe(snapshot, place, self.session.actors, self._units)
        if rule is not None:
            return f"{description}<br>{escape(rule.text)}"
        return description

    def _guide_place(self, index: Index) -> str:
        """Return the place of the guide that explains a row."""
        place = self.place(index)
        snapshot = self.session.snapshot
        if place is None or snapshot is None:
            return ""
        return guide_place(look_up(snapshot, place).packet)

    def flags(self, index: Index) -> Qt.ItemFlag:
        column = index.column()
        if column < 0:
            return _NO_FLAGS
        if column != 1:  # nothing is looked up where a cell cannot be edited
            return _FLAGS
        place = self.place(index)
        if place is None or place.field is None or not self.session.is_complete:
            return _FLAGS
        if (place.row, place.field) == (HEADER, "magic"):
            return _FLAGS
        return _FLAGS | Qt.ItemFlag.ItemIsEditable

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the signals of the rows, to be dropped where they are plotted; nothing where they are no numbers."""
        snapshot = self.session.snapshot
        keys: list[Key] = []
        if snapshot is not None:
            for index in indexes:
                place = None
                if index.column() == 0:
                    place = self.place(index)
                if place is not None:
                    keys.extend(keys_at(snapshot, place))
        return drag_data(keys)


def _count_in(outline: Outline | MatchOutline, path: Path) -> int:
    """Return how many children a node has; none where it is not there, or can no longer be read."""
    try:
        return outline.count(path)
    except (IndexError, RecorderError, OSError):
        return 0
