"""What differs from another recording: header, actors, each field of each actor, frames.

Two levels: under a field are the frames in which it differs, or under a frame its single differences, worked out when
it is opened. A click selects.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractItemModel, QItemSelectionModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedLayout,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ...format.schema import Value
from ...format.values import exact_text
from ...queries.diff import Comparison, Difference, FieldGroup
from ..boxes import Stretch, bare, fill
from ..pane import Pane
from ..session import Session
from ..session.comparison import Item
from ..theme import Theme
from ..widgets import EmptyState, Segmented

Index = QModelIndex | QPersistentModelIndex
ITEM = int(Qt.ItemDataRole.UserRole)
PORTION = 1_000
"""Rows that are added when somebody scrolls to the end."""

MOST_DETAILS = 2_000
"""Single differences shown of a frame, and frames shown of a field."""

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_FRAMES_KEPT = 16
_ROWS_KEPT = 512
_WIDTH = 110


class DifferencesModel(QAbstractItemModel):
    """Columns: what, here, in the other. The role `ITEM` gives an `Item`.

    An index holds 0 at the top, and the number of its top row, from 1, below it. Attribute: `by_frame` (differences lie
    under their frame, not under their field).
    """

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.by_frame = False
        self._found: Comparison | None = None
        self._sections: list[tuple[Callable[[Any], Item], Sequence[Any]]] = []
        self._tops = 0
        self._shown = 0
        session.comparison.changed.connect(self._take)
        self._take()

    def _take(self) -> None:
        if self.session.comparison.found is not self._found:
            self.set_by_frame(self.by_frame)

    def set_by_frame(self, on: bool) -> None:
        """List what differs by frame, or by actor and field."""
        self.beginResetModel()
        self.by_frame = on
        self._found = found = self.session.comparison.found
        self._sections, self._tops = [], 0
        if found is not None:
            fields = () if on else found.groups
            pairs = range(len(found)) if on else np.flatnonzero(found.counts == 0).tolist()
            self._sections = [
                (lambda header: Item(header=header), found.header),
                (lambda actor: Item(actor=actor), found.actors),
                (lambda group: Item(group=group), fields),
                (lambda pair: Item(pair=pair), pairs),
            ]
            self._tops = sum(len(values) for _, values in self._sections) + (found.left_out > 0 and not on)
            # Comparing two frames takes a moment, and every cell asks for it.
            self._details = lru_cache(_FRAMES_KEPT)(found.details)
            self._frames: Callable[[FieldGroup], npt.NDArray[np.int64]] = lru_cache(_FRAMES_KEPT)(found.pairs_of)
            self._of_group = lru_cache(_ROWS_KEPT)(lambda pair, group: next(iter(found.details(pair, group)), None))
        self._shown = min(self._tops, PORTION)
        self.endResetModel()

    # --- structure --------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override] # noqa: B008
        top = index.internalId() if index.isValid() else 0
        return self.createIndex(top - 1, 0, 0) if top else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return self._shown
        return 0 if parent.column() or parent.internalId() else min(self._below(parent.row()), MOST_DETAILS + 1)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 3

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        if not parent.isValid():
            return self._shown > 0
        if parent.column() or parent.internalId():
            return False
        item = self._top(parent.row())
        return item.group is not None or self._differs(item.pair)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._shown < self._tops

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            more = min(PORTION, self._tops - self._shown)
            self.beginInsertRows(QModelIndex(), self._shown, self._shown + more - 1)
            self._shown += more
            self.endInsertRows()

    def _differs(self, pair: int | None) -> bool:
        return self._found is not None and pair is not None and bool(self._found.counts[pair])

    def _top(self, row: int) -> Item:
        """What a top row stands for; nothing where it says that there is more."""
        for made, values in self._sections:
            if row < len(values):
                return made(values[row])
            row -= len(values)
        return Item()

    def _below(self, row: int) -> int:
        """The number of differences under a top row."""
        item = self._top(row)
        if item.group is not None:
            return len(self._frames(item.group))
        return len(self._details(item.pair)) if item.pair is not None and self._differs(item.pair) else 0

    def item(self, index: Index) -> Item:
        """What a row stands for."""
        if not index.internalId():
            return self._top(index.row())
        top, number = self._top(index.internalId() - 1), index.row()
        if number >= MOST_DETAILS:
            return Item()
        if top.group is not None:
            pair = int(self._frames(top.group)[number])
            return Item(pair=pair, difference=self._of_group(pair, top.group))
        assert top.pair is not None
        return Item(pair=top.pair, difference=self._details(top.pair)[number])

    # --- words ------------------------------------------------------------------------------------------

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("What"), self.tr("Here"), self.tr("In the other"))[section]
        return None

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if not index.isValid() or self._found is None:
            return None
        if role == ITEM:
            return self.item(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._words(index)[index.column()]
        if role == Qt.ItemDataRole.FontRole and index.column():
            return self.theme.mono
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ": ".join(filter(None, self._words(index)))
        return None

    def _words(self, index: Index) -> tuple[str, str, str]:
        found = self._found
        assert found is not None
        item, top = self.item(index), index.internalId()
        if item == Item():
            left = self._below(top - 1) - MOST_DETAILS if top else found.left_out
            more = self.tr("%1 more differences in this frame") if self.by_frame else self.tr("%1 more frames")
            return (more if top else self.tr("%1 differences of more fields")).replace("%1", f"{left:,}"), "", ""
        if item.header is not None:
            return item.header.field, told(item.header.value_a), told(item.header.value_b)
        if item.actor is not None:
            return self._actor_words(item)
        if item.group is not None:
            return self._group_words(item.group), "", ""
        if item.difference is not None and self.by_frame:
            return self._difference_words(item.difference)
        assert item.pair is not None
        pair = found.pair(item.pair)
        if pair.frame_a is None or pair.frame_b is None:
            here, there = (f"{frame + 1:,}" if frame is not None else "–" for frame in pair[:2])
            return self.tr("Frame of one only"), here, there
        if top:
            values = self._difference_words(item.difference)[1:] if item.difference is not None else ("", "")
            return (self.tr("Frame %1").replace("%1", f"{pair.frame_a + 1:,}"), *values)
        many = self.tr("1 difference") if pair.differences == 1 else self.tr("%1 differences")
        words = self.tr("Frame %1, %2").replace("%1", f"{pair.frame_a + 1:,}")
        same = pair.frame_a == pair.frame_b
        return (
            words.replace("%2", many.replace("%1", f"{pair.differences:,}")),
            "",
            "" if same else self.tr("frame %1").replace("%1", f"{pair.frame_b + 1:,}"),
        )

    def _group_words(self, group: FieldGroup) -> str:
        """`Position 3890 location.x: 200 frames, +3.00 m`."""
        frames = self.tr("1 frame") if group.frames == 1 else self.tr("%1 frames")
        if group.is_partial:
            frames = self.tr("at least %1").replace("%1", frames)
        only = {"a": self.tr("only here"), "b": self.tr("only in the other"), "": ""}[group.only]
        units, stored = self.theme.units, group.field.unit if group.field is not None else ""
        is_plain = units.unit(stored) == stored and (stored != "cm" or units.length == "file")
        change = group.change if is_plain else group.change_in(units.unit(stored), units.factor(stored))
        parts = frames.replace("%1", f"{group.frames:,}"), change, only
        return f"{group.title}: {', '.join(filter(None, parts))}"

    def _actor_words(self, item: Item) -> tuple[str, str, str]:
        assert item.actor is not None
        here, there = item.actor.life_a, item.actor.life_b
        life = here or there
        assert life is not None
        name = self.tr("Actor %1").replace("%1", str(life.actor))
        if here is None or there is None:
            return name, here.blueprint if here else "–", there.blueprint if there else "–"
        return (
            f"{name} {', '.join(field for field, _, _ in item.actor.fields)}",
            ", ".join(told(one) for _, one, _ in item.actor.fields),
            ", ".join(told(other) for _, _, other in item.actor.fields),
        )

    def _difference_words(self, difference: Difference) -> tuple[str, str, str]:
        what = difference.packet + (f" {difference.id}" if difference.id is not None else "")
        if difference.level == "field":
            units, stored = self.theme.units, difference.field.unit if difference.field is not None else ""
            unit = f" {units.unit(stored)}" if stored else ""
            here, there = (
                units.exact(told(value, difference), stored) + (unit if value is not None else "")
                for value in (difference.value_a, difference.value_b)
            )
            return f"{what} {difference.path}", here, there
        if difference.level == "bytes":
            return what, self.tr("other bytes"), self.tr("other bytes")
        is_here = (difference.packet_b if difference.level == "packet" else difference.record_b) is None
        there_is = self.tr("there")
        return what, there_is if is_here else "–", "–" if is_here else there_is


def told(value: Value | None, difference: Difference | None = None) -> str:
    """A value as text: floats as short as their width allows, bytes as hex, a dash for none."""
    if value is None:
        return "–"
    if isinstance(value, bytes):
        return value.hex(" ")
    if isinstance(value, float) and difference is not None and difference.field is not None:
        return exact_text(difference.field, value)
    return str(value)


def _subject(difference: Difference | None) -> tuple[str, int | None, str] | None:
    """What a difference is of in every frame: packet, id and path."""
    return (difference.packet, difference.id, difference.path) if difference is not None else None


class DifferencesPane(Pane):
    """The differences as a tree; its caption is the other's name, and how many frames differ."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.setObjectName("differences")
        self.model = DifferencesModel(session, theme, self)
        self.tree = bare(QTreeView(), "differencesTree", self.tr("Differences"))
        self.tree.setModel(self.model)
        self.tree.setUniformRowHeights(True)
        self.tree.setAllColumnsShowFocus(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.selectionModel().currentChanged.connect(self._select)
        header = self.tree.header()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.empty = EmptyState(theme, "", icon="compare", color="muted")
        self._stack = QStackedLayout()
        self.grouping = Segmented(theme, (self.tr("By field"), self.tr("By frame")), name=self.tr("Grouping"))
        self.grouping.setToolTip(self.tr("List what differs by actor and field, or in each frame"))
        self.grouping.changed.connect(lambda index: self.model.set_by_frame(index == 1))
        head = fill(QHBoxLayout(), self.grouping, Stretch(), margins=(8, 4, 8, 4))
        fill(QVBoxLayout(self), head, (self._stack, 1), self._foot(), spacing=0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.tree)
        self.model.modelReset.connect(self._span)
        self.model.rowsInserted.connect(lambda parent, first: self._span(first) if not parent.isValid() else None)
        self._span()
        self.setFocusProxy(self.tree)
        session.comparison.changed.connect(self._show)
        session.selection.changed.connect(self.refresh)
        theme.changed.connect(self.restyle)
        self.restyle()
        self._show()

    def _foot(self) -> QHBoxLayout:
        self.previous_button = QPushButton(self.tr("Previous"))
        self.next_button = QPushButton(self.tr("Next"))
        self.take_button = QPushButton(self.tr("Take over"))
        self.take_button.setToolTip(self.tr("Take this value from the other recording"))
        self.previous_button.clicked.connect(lambda: self.step(-1))
        self.next_button.clicked.connect(lambda: self.step(1))
        self.take_button.clicked.connect(self.take)
        steps = (self.previous_button, self.next_button)
        return fill(QHBoxLayout(), *steps, Stretch(), self.take_button, spacing=8, margins=(8, 6, 8, 6))

    def restyle(self) -> None:
        """Take over lengths."""
        for column in (1, 2):
            self.tree.setColumnWidth(column, self.theme.px(_WIDTH))

    def _span(self, first: int = 0) -> None:
        """A field says all in its first cell."""
        for row in range(first, self.model.rowCount()):
            if self.model.item(self.model.index(row, 0)).group is not None:
                self.tree.setFirstColumnSpanned(row, QModelIndex(), True)

    def _counts(self) -> str:
        """`other.log, 3 frames differ`."""
        other, found = self.session.comparison.other, self.session.comparison.found
        if other is None or found is None:
            return ""
        if not found.differ:
            return self.tr("the same as %1").replace("%1", other.path.name)
        frames = self.tr("1 frame differs") if len(found) == 1 else self.tr("%1 frames differ")
        return f"{other.path.name}, {frames.replace('%1', f'{len(found):,}')}"

    def _show(self) -> None:
        comparing = self.session.comparison
        found = comparing.found
        if comparing.other is None or found is None:
            self.empty.set_text(self.tr("No other recording"), self.tr("File > Compare with opens another one"))
        elif not found.differ:
            self.empty.set_text(self.tr("The two recordings are the same"), comparing.other.path.name)
        elif not self.model.rowCount():
            self.empty.set_text(self.tr("Only bytes outside of frames are different"), comparing.other.path.name)
        self._stack.setCurrentIndex(1 if self.model.rowCount() else 0)
        self.refresh()
        self.set_caption(self._counts())

    def refresh(self) -> None:
        """Enable what can be done with the current difference."""
        if not self.isVisible():
            return
        some = self.model.rowCount() > 0
        self.previous_button.setEnabled(some)
        self.next_button.setEnabled(some)
        self.take_button.setEnabled(self.can_take())

    # --- what can be done -------------------------------------------------------------------------------

    def current(self) -> Item | None:
        """What the current row stands for."""
        index = self.tree.currentIndex()
        return self.model.item(index) if index.isValid() and self.model.rowCount() else None

    def _select(self) -> None:
        item = self.current()
        if item is not None:
            self.session.comparison.select(item)
        self.refresh()

    def step(self, by: int) -> None:
        """The next (or previous) frame in which the same field differs, then the next thing that differs.

        By frame: the same field in the next frame, or the first one that differs there.
        """
        model, rows, was = self.model, self.model.rowCount(), self.current()
        if not rows:
            return
        index = self.tree.currentIndex()
        top = index.parent() if index.parent().isValid() else index
        number = index.row() + by if index != top else 0 if by > 0 else -1
        if top.isValid() and (index == top or not model.by_frame) and 0 <= number < self._most(top):
            chosen = model.index(number, 0, top)
        else:
            row = top.row() + by if top.isValid() else (0 if by > 0 else rows - 1)
            if row >= rows and model.canFetchMore(QModelIndex()):
                model.fetchMore(QModelIndex())
                rows = model.rowCount()
            self.tree.collapse(top)
            chosen = self._first_in(model.index(row % rows, 0), by, was)
        self.tree.selectionModel().setCurrentIndex(
            chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        )
        self.tree.scrollTo(chosen)

    def _most(self, top: QModelIndex) -> int:
        return min(self.model.rowCount(top), MOST_DETAILS)

    def _first_in(self, top: QModelIndex, by: int, was: Item | None) -> QModelIndex:
        """Where stepping enters a top row."""
        model, below = self.model, [self.model.index(number, 0, top) for number in range(self._most(top))]
        if not below:
            return top
        if not model.by_frame:
            return below[0 if by > 0 else -1]
        subject = _subject(was.difference) if was is not None else None
        return next((index for index in below if _subject(model.item(index).difference) == subject), below[0])

    def can_take(self) -> bool:
        """The current row can be taken from the other recording."""
        item = self.current()
        return item is not None and self.session.comparison.can_take(item)

    def take(self) -> None:
        """Make what the current row stands for as it is in the other recording."""
        item = self.current()
        if item is not None and self.session.comparison.can_take(item):
            self.session.comparison.take(item)
