"""The tree itself: grounds of rows, pinned parents, a selection that comes from and goes to the session."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QItemSelection, QItemSelectionRange, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem, QTreeView, QWidget

from ....recording import Change, Place
from ....texts import say
from ....views.outline import Path, TreeLine
from ....views.selection import HEADER, place_after_edit
from ...session import Session
from ...style.boxes import frameless
from ...style.colors import RULE_TINT, mix
from ...style.theme import Theme
from ...widgets.keyboard import ViewKeys
from .packets_delegate import ROW, FieldLine, PacketDelegate
from .packets_model import COLUMNS, LINE, Index, PacketModel

NARROW = 420  # px below which the number of records stands behind the name
_NARROWEST = 260
_WIDE_COLUMNS = (116, 62, 60)  # px of all columns but the first one
_NARROW_COLUMNS = (104, 62, 48)
_CHEVRON = 12
_MOST_PINNED = 4
_MOST_SELECTED = 5000


class PacketView(QTreeView):
    """Shows the model; clicks and keys select in the session, the session's selection is shown.

    Attributes:
        packets: The model.
        delegate: What paints and edits rows.
    """

    def __init__(self, session: Session, theme: Theme, model: PacketModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.packets = model
        self.delegate = PacketDelegate(session, theme, self)
        self._following = False
        self._opened: QPersistentModelIndex | None = None
        frameless(self, "packetTree", say("Packets"))
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.setUniformRowHeights(True)
        self.setAnimated(False)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(30)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.restyle()
        theme.changed.connect(self.restyle)
        ViewKeys(self, {"F2; Return; Enter": self._edit_or_unfold}, letters_pass=True)
        model.turned.connect(self.viewport().update)
        model.modelReset.connect(self._fit)
        self.doubleClicked.connect(self._double_clicked)
        self.selectionModel().selectionChanged.connect(self._selection_changed)

    def restyle(self) -> None:
        """Take over lengths and colours."""
        shown = self._is_in_sight(self.viewport().height())
        for column in (1, 2, 3):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self._fit()
        self.packets.set_units(self.theme.units)
        self.viewport().update()
        if shown:
            self.doItemsLayout()  # rows may have another height
            self._show(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        if self._is_in_sight(event.oldSize().height()):
            self._show(self.currentIndex())  # what was in sight stays there

    def _is_in_sight(self, height: int) -> bool:
        """Return whether the current row lies within so many pixels from the top."""
        current = self.visualRect(self.currentIndex())
        return current.isValid() and current.top() >= 0 and current.bottom() < height

    def _fit(self) -> None:
        """Hide columns that there is no room for, and set the widths of the others."""
        narrow = self.width() < self.theme.px(NARROW)
        narrowest = self.width() < self.theme.px(_NARROWEST)
        self.delegate.narrow = narrow
        self.setIndentation(self.theme.px(13 if narrowest else 16))
        for column, hides in ((2, narrow), (3, narrowest)):
            if self.isColumnHidden(column) != hides:
                self.setColumnHidden(column, hides)
        widths = [self.theme.px(width) for width in (_NARROW_COLUMNS if narrow else _WIDE_COLUMNS)]
        metrics = self.theme.metrics(self.theme.mono)
        largest = metrics.horizontalAdvance(f"{self.packets.largest:,}") + self.delegate.SIZE_MARGIN + 4
        widths[-1] = max(widths[-1], largest)
        for column, width in enumerate(widths, 1):
            if self.columnWidth(column) != width and not self.isColumnHidden(column):
                self.setColumnWidth(column, width)

    # --- selection --------------------------------------------------------------------------------------

    @contextmanager
    def held(self) -> Iterator[None]:
        """Select nothing in the session while the model moves: what becomes current then was not chosen."""
        self._following = True
        try:
            yield
        finally:
            self._following = False

    def rebuild(self, change: Change) -> None:
        """Build the tree anew after rows came or went; what was unfolded stays so, and what is in sight, too."""
        unfolded = self._unfolded()
        self.packets.rebuild()
        outline = self.packets.outline
        if outline is not None:
            for node in unfolded:  # before Qt lays rows out, which leaves the scroll bar where it is
                place = place_after_edit(change.before, change.after, node.place, change.splices)
                if not outline.whole and place.row != HEADER:
                    place = place._replace(row=self.session.selection.row)
                path = outline.path(place)
                if path:
                    index = self.packets.index_of_path(path[: len(path) - node.above] + node.inner)
                    if index.isValid():
                        self.expand(index)
        self.follow()

    def _unfolded(self) -> "list[_Unfolded]":
        """Return what is unfolded, parents first."""
        nodes: list[_Unfolded] = []
        outline = self.packets.outline
        waiting = [QModelIndex()]
        while waiting and outline is not None:
            parent = waiting.pop()
            for number in range(self.packets.rowCount(parent)):
                index = self.packets.index(number, 0, parent)
                if self.isExpanded(index) and self._opened != QPersistentModelIndex(index):
                    path = self.packets.path(index)
                    place = outline.place(path)._replace(field=None)
                    base = outline.path(place) or ()
                    above = max(0, len(base) - len(path))
                    nodes.append(_Unfolded(place=place, above=above, inner=path[len(base) :]))
                    waiting.append(index)
        return nodes

    def hide_row(self, row: int, parent: QModelIndex, hidden: bool) -> None:
        """Hide a row, or show it; Qt lays all rows out anew even where that changes nothing."""
        if self.isRowHidden(row, parent) != hidden:
            self.setRowHidden(row, parent, hidden)

    def follow(self) -> None:
        """Show what the session has selected."""
        selection = self.session.selection.value
        index = self.packets.index_of(selection.place)
        with self.held():
            if not index.isValid():
                self.selectionModel().clear()
                return
            parents = _parents(index)
            self._close_opened([index, *parents])
            in_record = selection.place.record is not None and selection.place.field is not None
            if in_record and parents and not self.isExpanded(parents[0]):
                self._opened = QPersistentModelIndex(parents[0])  # it closes when another record is selected
            for parent in parents:
                self.expand(parent)
            flags = self.selectionModel().SelectionFlag
            self.selectionModel().setCurrentIndex(index, flags.NoUpdate)
            indexes = [index]
            for place in selection.more:
                indexes.append(self.packets.index_of(place))
            self.selectionModel().select(self._ranges(indexes), flags.ClearAndSelect | flags.Rows)
        self._show(index)

    def _close_opened(self, kept: list[QModelIndex]) -> None:
        """Fold the record that was unfolded for a selected field, unless it is among these."""
        opened = self._opened
        if opened is not None and opened not in [QPersistentModelIndex(index) for index in kept]:
            self.collapse(self.packets.index(opened.row(), 0, opened.parent()))
            self._opened = None

    @staticmethod
    def _ranges(indexes: list[QModelIndex]) -> QItemSelection:
        """Return rows as few ranges as they make: Qt compares each range with each other one."""
        rows: dict[tuple[int, int], QModelIndex] = {}
        for index in indexes:
            if index.isValid():
                rows[(int(index.internalId()), index.row())] = index
        runs: list[list[tuple[int, int]]] = []  # of neighbours: parent and row of each
        for parent, row in sorted(rows):
            if runs and runs[-1][-1] == (parent, row - 1):
                runs[-1].append((parent, row))
            else:
                runs.append([(parent, row)])
        ranges = QItemSelection()
        for run in runs:
            ranges.append(QItemSelectionRange(rows[run[0]], rows[run[-1]]))
        return ranges

    def _show(self, index: QModelIndex) -> None:
        rect = self.visualRect(index)
        if rect.isValid() and rect.top() >= self._pinned_height() and rect.bottom() < self.viewport().height():
            return
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        bar = self.verticalScrollBar()
        height = self.theme.px(ROW)
        if bar.value() < bar.maximum():
            bar.setValue(round(bar.value() / height) * height)  # no row is cut at the top
        bar.setValue(bar.value() - max(0, self._pinned_height() - self.visualRect(index).top()))

    def _pinned_height(self) -> int:
        return len(self.pinned()) * self.theme.px(ROW)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        # Qt closes an editor only with the cell that is current; here values are edited beside it.
        for editor in self.viewport().findChildren(FieldLine):
            if current.row() != previous.row() or current.parent() != previous.parent():
                self.closeEditor(editor, self.delegate.EndEditHint.NoHint)

    def _selection_changed(self) -> None:
        if self._following:
            return
        current = self.packets.place(self.currentIndex())
        places = []
        for index in self.selectionModel().selectedRows()[:_MOST_SELECTED]:
            place = self.packets.place(index)
            if place is not None:
                places.append(place)
        if current is None or not places:
            return
        records = [place for place in places if place.record is not None and place.row == current.row]
        more: tuple[Place, ...] = ()
        if current in records:
            more = tuple(place for place in records if place != current)
        self.session.selection.select(current, more=more)

    def _double_clicked(self, index: QModelIndex) -> None:
        line = index.data(LINE)
        if isinstance(line, TreeLine) and line.place.field is not None and self.edit_current():
            return
        self.setExpanded(index.siblingAtColumn(0), not self.isExpanded(index.siblingAtColumn(0)))

    def edit_current(self) -> bool:
        """Edit the value of the current row, where it has one that can be edited."""
        index = self.currentIndex().siblingAtColumn(1)
        if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.edit(index)
            return True
        return False

    # --- painting ---------------------------------------------------------------------------------------

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        # All of it here: Qt's own way asks the model for flags and texts of each cell, which are not painted with.
        line = self.packets.line(index)
        if line is None:
            return
        palette = self.theme.palette
        if self.selectionModel().isSelected(index):
            ground = palette.selection
        elif self._is_echo(line.place):
            ground = palette.hover
            line = replace(line, bold=True)
        else:
            ground = self._ground(line)
        chevron = ""
        if self.packets.hasChildren(index):
            chevron = "chevron-right"
            if self.isExpanded(index):
                chevron = "chevron-down"
        place = QRect(0, options.rect.top(), self.viewport().width(), options.rect.height())
        self._draw_line(painter, index, line, ground, place, chevron)
        if self.hasFocus() and index == self.currentIndex() and ground is not palette.selection:
            painter.setPen(palette.selection)
            painter.drawRect(place.adjusted(0, 0, -1, -1))

    def _ground(self, line: TreeLine) -> QColor:
        """Return the ground of a row that is not selected."""
        palette = self.theme.palette
        if line.bold:
            return palette.alternate
        rule = self.packets.rule(line)
        if rule is not None:
            return mix(palette.field, rule.color, RULE_TINT)
        return palette.field

    def _draw_line(
        self, painter: QPainter, index: Index, line: TreeLine, ground: QColor, place: QRect, chevron: str
    ) -> None:
        """Paint a row in a rectangle; `chevron` is its icon where it can be unfolded."""
        palette = self.theme.palette
        top = place.top()
        height = place.height()
        selected = ground is palette.selection
        painter.fillRect(place, ground)
        if self.session.editing.is_edited(line.place):
            painter.fillRect(QRect(0, top, 3, height), palette.edited)
        indent = self.indentation() * len(self.packets.path(index))
        if chevron:
            left = self.columnViewportPosition(0) + indent - _CHEVRON - 2
            ink = palette.on_selection if selected else palette.muted
            self.theme.icons.draw(painter, chevron, left, top + (height - _CHEVRON) // 2, _CHEVRON, ink)
        for column in range(len(COLUMNS)):
            if self.isColumnHidden(column):
                continue
            rect = QRect(self.columnViewportPosition(column), top, self.columnWidth(column), height)
            if column == 0:
                # A name goes on into the column of values as far as none stands there.
                free = self.columnWidth(1) - self.delegate.value_width(line)
                rect.setRight(rect.right() + max(0, free))
                rect.setLeft(rect.left() + indent)
            self.delegate.paint_cell(painter, rect, column, line, selected)

    def _is_echo(self, place: Place) -> bool:
        """Return whether a place is the record of the selected field: it is painted as an echo of the selection."""
        chosen = self.session.selection.place
        return chosen.field is not None and place.record is not None and place == chosen._replace(field=None)

    def pinned(self) -> list[QModelIndex]:
        """Return the parents of the topmost row that are scrolled away: they stay above it, and leave two rows free."""
        height = self.theme.px(ROW)
        pinned: list[QModelIndex] = []
        # A pinned row covers one that was visible, and that one may have other parents: look again below each.
        for depth in range(min(_MOST_PINNED, self.viewport().height() // height - 2)):
            index = self.indexAt(QPoint(self.theme.px(40), depth * height + 1))
            hidden = []
            for parent in reversed(_parents(index)):
                if self.visualRect(parent).top() < depth * height:
                    hidden.append(parent)
            if len(hidden) <= depth:
                break
            pinned = hidden[: depth + 1]
        return pinned

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        pinned = self.pinned()
        if not pinned:
            return
        painter = QPainter(self.viewport())
        palette = self.theme.palette
        height = self.theme.px(ROW)
        for depth, index in enumerate(pinned):
            line = self.packets.line(index)
            if line is not None:
                place = QRect(0, depth * height, self.viewport().width(), height)
                line = replace(line, bold=True, damaged="")
                self._draw_line(painter, index, line, palette.alternate, place, "chevron-down")
        painter.setPen(QPen(palette.hairline, 1))
        painter.drawLine(0, len(pinned) * height, self.viewport().width(), len(pinned) * height)

    # --- mouse and keys ---------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = int(event.position().y()) // self.theme.px(ROW)
        pinned = self.pinned()
        if event.button() == Qt.MouseButton.LeftButton and row < len(pinned):
            self.setCurrentIndex(pinned[row])
            self.scrollTo(pinned[row], QAbstractItemView.ScrollHint.PositionAtTop)
            return
        super().mousePressEvent(event)

    def _edit_or_unfold(self) -> None:
        if not self.edit_current():
            index = self.currentIndex().siblingAtColumn(0)
            self.setExpanded(index, not self.isExpanded(index))


def _parents(index: QModelIndex) -> list[QModelIndex]:
    """Return what a row lies in, from the innermost on."""
    parents: list[QModelIndex] = []
    parent = index.parent()
    while parent.isValid():
        parents.append(parent)
        parent = parent.parent()
    return parents


class _Unfolded(NamedTuple):
    """A node that is unfolded.

    Attributes:
        place: The place of a row, packet or record.
        above: How many steps above that place the node is (a group of rows).
        inner: The way from the place down to the node.
    """

    place: Place
    above: int
    inner: Path
