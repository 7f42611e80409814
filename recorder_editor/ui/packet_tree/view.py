"""The tree itself: grounds of rows, pinned parents, a selection that comes from and goes to the session."""

from dataclasses import replace

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
)
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from ...edits.place import Place
from ...errors import RecorderError
from ...recording.frames import RAW
from ...recording.snapshot import Snapshot
from ...recording.store import Store
from ..saved_rows import record_before, row_of_key
from ..session import Session
from ..theme import Theme
from .delegate import ROW, FieldLine, PacketDelegate
from .model import COLUMNS, LINE, Index, PacketModel
from .outline import Outline, Path, TreeLine

NARROW = 420
_WIDE_COLUMNS = (116, 62, 60)
_NARROW_COLUMNS = (104, 62, 48)
_CHEVRON = 12
_GROUP = -1


class PacketView(QTreeView):
    """Shows the model; clicks and keys select in the session, the session's selection is shown."""

    def __init__(self, session: Session, theme: Theme, model: PacketModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.packets = model
        self.delegate = PacketDelegate(session, theme, self)
        self._following = False
        self._opened: QPersistentModelIndex | None = None
        self.setObjectName("packetTree")
        self.setAccessibleName(self.tr("Packets"))
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.setUniformRowHeights(True)
        self.setAnimated(False)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(30)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.restyle()
        theme.changed.connect(self.restyle)
        model.turned.connect(self.viewport().update)
        self.doubleClicked.connect(self._double_clicked)
        self.selectionModel().selectionChanged.connect(self._selection_changed)

    def restyle(self) -> None:
        """Take over lengths and colours."""
        self.setIndentation(self.theme.px(16))
        for column in (1, 2, 3):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self._fit()
        self.packets.set_units(self.theme.units)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        narrow = self.width() < self.theme.px(NARROW)
        self.delegate.narrow = narrow
        # Monospaced fonts differ in width: 29,081 bytes are to be read in each.
        sizes = self.theme.metrics(self.theme.mono).horizontalAdvance("00,000") + self.delegate.SIZE_MARGIN
        for column, width in enumerate(_NARROW_COLUMNS if narrow else _WIDE_COLUMNS, 1):
            pixels = max(self.theme.px(width), sizes if column == 3 else 0)
            if self.columnWidth(column) != pixels and not self.isColumnHidden(column):
                self.setColumnWidth(column, pixels)
        if self.isColumnHidden(2) != narrow:
            self.setColumnHidden(2, narrow)

    # --- selection --------------------------------------------------------------------------------------

    def hold(self) -> None:
        """The model is about to move: what becomes current by that is nobody's choice."""
        self._following = True

    def release(self) -> None:
        """The model has moved."""
        self._following = False

    def unfolded(self) -> list[tuple[int, Path]]:
        """What is unfolded: rows of the recording with the rest of the path, -1 and a first row for a group of them."""
        found: list[tuple[int, Path]] = []
        outline, waiting = self.packets.outline, [QModelIndex()]
        while waiting and outline is not None:
            parent = waiting.pop()
            for number in range(self.packets.rowCount(parent)):
                index = self.packets.index(number, 0, parent)
                if self.isExpanded(index):
                    row, rest = outline.row_of(self.packets.path(index))
                    found.append((row, rest) if row is not None else (_GROUP, (outline.place((number,)).row,)))
                    waiting.append(index)
        return found

    def unfold(self, unfolded: list[tuple[int, Path]], splices: tuple[tuple[int, int, int], ...]) -> None:
        """Unfold what was unfolded before rows came and went, as far as it is there."""
        outline = self.packets.outline
        for row, rest in sorted(unfolded, key=lambda one: len(one[1])):
            now = _carried(rest[0] if row == _GROUP else row, splices)
            path = outline.path(Place(now)) if isinstance(outline, Outline) and now is not None else None
            if path is None or (row == _GROUP and len(path) < 2):
                continue
            index = self.packets.index_of_path(path[:1] if row == _GROUP else (*path, *rest))
            if index.isValid():
                self.expand(index)

    def hide_row(self, row: int, parent: QModelIndex, hidden: bool) -> None:
        """Hide a row, or show it; Qt lays all rows out anew even where that changes nothing."""
        if self.isRowHidden(row, parent) != hidden:
            self.setRowHidden(row, parent, hidden)

    def follow(self) -> None:
        """Show what the session has selected."""
        selection = self.session.selection.value
        index = self.packets.index_of(selection.place)
        if not index.isValid():
            self._following = True
            self.selectionModel().clear()
            self._following = False
            return
        self._following = True
        try:
            self._collapse_old(index)
            if selection.place.record is not None and selection.place.field is not None:
                self._open_for(index)
            parent = index.parent()
            while parent.isValid():
                self.expand(parent)
                parent = parent.parent()
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flags.NoUpdate)
            chosen = self._ranges([index, *map(self.packets.index_of, selection.more)])
            self.selectionModel().select(chosen, flags.ClearAndSelect | flags.Rows)
        finally:
            self._following = False
        self._show(index)

    @staticmethod
    def _ranges(indexes: list[QModelIndex]) -> QItemSelection:
        """Rows as few ranges as they make: Qt compares each range with each other one."""
        chosen = QItemSelection()
        by_parent: dict[int, list[QModelIndex]] = {}
        for index in indexes:
            if index.isValid():
                by_parent.setdefault(int(index.internalId()), []).append(index)
        for rows in by_parent.values():
            rows.sort(key=QModelIndex.row)
            first = last = rows[0]
            for index in rows[1:]:
                if index.row() > last.row() + 1:
                    chosen.append(QItemSelectionRange(first, last))
                    first = index
                last = index
            chosen.append(QItemSelectionRange(first, last))
        return chosen

    def _open_for(self, index: QModelIndex) -> None:
        """Remember the record that is opened for its field, so that it closes when another one is selected."""
        record = index.parent()
        if record.isValid() and not self.isExpanded(record):
            self._opened = QPersistentModelIndex(record)

    def _collapse_old(self, index: QModelIndex) -> None:
        opened = self._opened
        if opened is None or not opened.isValid():
            return
        current: QModelIndex = index
        while current.isValid():
            if opened == QPersistentModelIndex(current):
                return
            current = current.parent()
        self.collapse(self.packets.index(opened.row(), 0, opened.parent()))
        self._opened = None

    def _show(self, index: QModelIndex) -> None:
        rect = self.visualRect(index)
        top = len(self.pinned()) * self.theme.px(ROW)
        if rect.isValid() and rect.top() >= top and rect.bottom() <= self.viewport().height():
            return
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        # Qt closes an editor only with the cell that is current; here values are edited beside it.
        for editor in self.viewport().findChildren(FieldLine):
            if current.row() != previous.row() or current.parent() != previous.parent():
                self.closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)

    def _selection_changed(self) -> None:
        if self._following:
            return
        places = self._selected_places()
        current = self.packets.place(self.currentIndex())
        if current is None or not places:
            return
        records = [place for place in places if place.record is not None and place.row == current.row]
        if len(records) > 1 and current in records:
            self.session.selection.select(current, more=tuple(place for place in records if place != current))
        else:
            self.session.selection.select(current)

    def _selected_places(self) -> list[Place]:
        indexes = self.selectionModel().selectedRows()
        places = (self.packets.place(index) for index in indexes[:5000])
        return [place for place in places if place is not None]

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

    def drawRow(
        self, painter: QPainter, options: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        # All of it here: Qt's own way asks the model for flags and texts of each cell that nobody paints with.
        line = self.packets.line(index)
        if line is None:
            return
        palette, top, height = self.theme.palette, options.rect.top(), options.rect.height()
        selected = self.selectionModel().isSelected(index)
        ground = palette.field
        if selected:
            ground = palette.selection
        elif self._is_echo(line.place):
            ground, line = palette.hover, replace(line, bold=True)
        elif line.bold:
            ground = palette.alternate
        painter.fillRect(QRect(0, top, self.viewport().width(), height), ground)
        if is_edited(self.session, line.place):
            painter.fillRect(QRect(0, top, 3, height), palette.edited)
        indent = self.indentation() * len(self.packets.path(index))
        if self.packets.hasChildren(index):
            is_open = bool(options.state & QStyle.StateFlag.State_Open)
            ink = palette.on_selection if selected else palette.muted
            self._draw_chevron(painter, is_open, indent, top, height, ink)
        self._draw_cells(painter, indent, top, height, line, selected)

    def _draw_chevron(self, painter: QPainter, is_open: bool, indent: int, top: int, height: int, ink: QColor) -> None:
        left = self.columnViewportPosition(0) + indent - _CHEVRON - 2
        name = "chevron-down" if is_open else "chevron-right"
        self.theme.icons.draw(painter, name, left, top + (height - _CHEVRON) // 2, _CHEVRON, ink)

    def _draw_cells(
        self, painter: QPainter, indent: int, top: int, height: int, line: TreeLine, selected: bool
    ) -> None:
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
        """The record whose field is selected: a lighter echo of the selection."""
        chosen = self.session.selection.place
        return chosen.field is not None and place.record is not None and place == chosen._replace(field=None)

    def pinned(self) -> list[QModelIndex]:
        """The parents of the topmost row that are scrolled away: they stay in sight above it."""
        height = self.theme.px(ROW)
        pinned: list[QModelIndex] = []
        # A pinned row covers one that was visible, whose own parents may differ: look again below each.
        for depth in range(4):
            index = self.indexAt(QPoint(self.theme.px(40), depth * height + 1))
            chain: list[QModelIndex] = []
            parent = index.parent() if index.isValid() else QModelIndex()
            while parent.isValid():
                chain.insert(0, parent)
                parent = parent.parent()
            hidden = [one for one in chain if self.visualRect(one).top() < depth * height]
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
        height = self.theme.px(ROW)
        for depth, index in enumerate(pinned):
            self._paint_pinned(painter, index, depth * height, height)
        painter.setPen(QPen(self.theme.palette.hairline, 1))
        painter.drawLine(0, len(pinned) * height, self.viewport().width(), len(pinned) * height)

    def _paint_pinned(self, painter: QPainter, index: QModelIndex, y: int, height: int) -> None:
        line = index.data(LINE)
        if not isinstance(line, TreeLine):
            return
        palette = self.theme.palette
        painter.fillRect(QRect(0, y, self.viewport().width(), height), palette.alternate)
        if is_edited(self.session, line.place):
            painter.fillRect(QRect(0, y, 3, height), palette.edited)
        indent = self.indentation() * len(self.packets.path(index))
        self._draw_chevron(painter, True, indent, y, height, palette.muted)
        self._draw_cells(painter, indent, y, height, replace(line, bold=True, damaged=""), False)

    # --- mouse and keys ---------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = int(event.position().y()) // self.theme.px(ROW)
        pinned = self.pinned()
        if event.button() == Qt.MouseButton.LeftButton and row < len(pinned):
            self.setCurrentIndex(pinned[row])
            self.scrollTo(pinned[row], QAbstractItemView.ScrollHint.PositionAtTop)
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            if not self.edit_current():
                index = self.currentIndex().siblingAtColumn(0)
                self.setExpanded(index, not self.isExpanded(index))
            return
        paging = event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if paging or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            # The pane moves by packets and frames with these, and records with Alt.
            event.ignore()
            return
        # A letter typed here is no search for a row: single keys belong to the window's actions.
        if event.text().strip() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)


def _carried(row: int, splices: tuple[tuple[int, int, int], ...]) -> int | None:
    """Where a row is after rows came and went; None where it is gone. The header (-1) stays."""
    for at, removed, inserted in splices:
        if row >= at + removed:
            row += inserted - removed
        elif row >= at + inserted:
            return None
    return row


def is_edited(session: Session, place: Place) -> bool:
    """What the place holds is not what the saved file holds."""
    snapshot, recording = session.snapshot, session.recording
    if snapshot is None or recording is None or not recording.is_modified:
        return False
    if place.row < 0:
        return place.field is None and snapshot.header_bytes != recording.saved.header_bytes
    if place.row >= snapshot.rows:
        return False
    record = snapshot.table.row(place.row)
    if int(record["source"]) != Store.scratch and int(record["stored"]) == 1:
        return False
    if place.packet is None:
        return True
    try:
        return _differs(snapshot, recording.saved, place)
    except (RecorderError, OSError):  # the file was rewritten; the message bar says so
        return True


def _differs(snapshot: Snapshot, saved: Snapshot, place: Place) -> bool:
    row = snapshot.row(place.row)
    before = row_of_key(saved, row.key, place.row)
    if before is None or row.kind == RAW:
        return True
    old, packet = saved.row(before), row.packets[place.packet or 0]
    if packet.index >= len(old.packets):
        return True
    was = old.packets[packet.index]
    if was.body == packet.body or place.record is None:
        return was.body != packet.body or was.id != packet.id
    if was.id != packet.id or place.record >= len(packet.decoded):
        return True
    before = record_before(packet.decoded, was.decoded, place.record)
    if before is None:
        return True
    if place.field is not None:
        try:
            now, then = packet.decoded.leaf(place.record, place.field), was.decoded.leaf(before, place.field)
        except KeyError:
            return True
        return packet.body[now.start : now.stop] != was.body[then.start : then.stop]
    (a, b), (c, d) = packet.decoded.span(place.record), was.decoded.span(before)
    return packet.body[a:b] != was.body[c:d]
