"""The segments as a table below the Trim pane's range: switched on and off, renamed, moved and coloured in place."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QHeaderView, QTableView

from ...edits.segments import Segment
from ..dialogs.widgets import set_read_only
from ..keyboard import ViewKeys
from ..rows import DISPLAY, Index, RowsModel
from ..session import Session
from ..status import size_text
from ..theme import Theme
from ..timeline.axis import frame_of
from ..timeline.pointing import segment_tip
from ..widgets.values import pick_colour

NAME, START, END, SIZE = range(4)
_MOST_ROWS = 6  # in sight
_ROW = 22


class SegmentModel(RowsModel[Segment]):
    """The segments, with their times and how many bytes their frames have; names and times can be edited."""

    columns = 4
    numbers = START, END, SIZE

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.theme = theme

    def head(self, column: int) -> str:
        return (self.tr("Segment"), self.tr("From"), self.tr("To"), self.tr("Size ≈"))[column]

    def refresh(self) -> None:
        """Show the segments of the session."""
        segments = self.session.segments.items
        if len(segments) != len(self.rows):
            self.show(segments)
        elif segments:
            self.rows = segments
            self.dataChanged.emit(self.index(0, NAME), self.index(len(segments) - 1, SIZE))

    def flags(self, index: Index) -> Qt.ItemFlag:
        edited, ticked = Qt.ItemFlag.ItemIsEditable, Qt.ItemFlag.ItemIsUserCheckable
        added = {NAME: edited | ticked, START: edited, END: edited}
        return super().flags(index) | added.get(index.column(), Qt.ItemFlag(0))

    def shown(self, each: Segment, column: int, role: int) -> Any:
        if role in (DISPLAY, Qt.ItemDataRole.EditRole):
            return each.name if column == NAME else self._text(each, column)
        if role == Qt.ItemDataRole.FontRole:
            return self.theme.mono if column else self.theme.font
        if role == Qt.ItemDataRole.ToolTipRole:
            return segment_tip(each.name, each.frames)
        if role == Qt.ItemDataRole.CheckStateRole and column == NAME:
            return Qt.CheckState.Checked if each.is_on else Qt.CheckState.Unchecked
        return QColor(each.color) if role == Qt.ItemDataRole.DecorationRole and column == NAME else None

    def _text(self, each: Segment, column: int) -> str:
        snapshot = self.session.snapshot_or_refuse()
        elapsed, table = snapshot.elapsed, snapshot.table
        if column == SIZE:
            low, high = table.row_of_frame(each.start), table.row_of_frame(each.stop - 1)
            return size_text(snapshot.position(high + 1) - snapshot.position(low))
        end = float(elapsed[min(each.start if column == START else each.stop, len(elapsed) - 1)])
        return self.theme.units.time_parts(end, float(elapsed[-1]))[0]

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        each, column = self.rows[index.row()], index.column()
        try:
            if role == Qt.ItemDataRole.CheckStateRole:
                values: dict[str, Any] = {"is_on": not each.is_on}
            elif column == NAME:
                values = {"name": value.strip() or each.name}
            else:
                frame = frame_of(self.session.snapshot_or_refuse().elapsed, value, stop=column == END)
                values = {"start" if column == START else "stop": frame}
            self.session.segments.change(index.row(), **values)
        except ValueError as error:
            self.session.refused.emit(str(error))
        return True


class SegmentTable(QTableView):
    """The rows; what can be done with the current one is in their menu, and has keys."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.theme = theme
        self.segments = SegmentModel(session, theme)
        self.setModel(self.segments)
        set_read_only(self, theme, self.tr("Segments"))
        self.setEditTriggers(self.EditTrigger.DoubleClicked | self.EditTrigger.EditKeyPressed)
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        segments, selection, span = session.segments, session.selection, session.range
        taken: dict[str, Callable[[], object]] = {}
        for text, keys, does in (
            (self.tr("Edit"), "Return; Enter", self._edit),
            (self.tr("On or off"), "Space", lambda at: segments.change(at, is_on=not segments.items[at].is_on)),
            (self.tr("Go to its first frame"), "", lambda at: selection.go_to_frame(segments.items[at].start)),
            (self.tr("Set in and out points to it"), "", lambda at: span.set(*segments.items[at][1:3])),
            (self.tr("Colour..."), "", self._pick),
            (self.tr("Move up"), "Alt+Up", partial(self._move, -1)),
            (self.tr("Move down"), "Alt+Down", partial(self._move, 1)),
            (self.tr("Remove from the list"), "Del", segments.remove),
        ):
            action = QAction(text, self)
            action.setShortcut(keys.partition(";")[0])  # to be seen in the menu
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(self._do, does))
            self.addAction(action)
            taken[keys] = action.trigger
        ViewKeys(self, taken, letters_pass=True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        segments.changed.connect(self.refresh)
        theme.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the segments of the session; the same place of the list is the current one, at first its beginning."""
        row, column = max(0, self.currentIndex().row()), max(0, self.currentIndex().column())
        self.segments.refresh()
        rows, lines = self.segments.rowCount(), self.verticalHeader()
        self.setCurrentIndex(self.segments.index(min(row, rows - 1), column))
        lines.setDefaultSectionSize(self.theme.px(_ROW))  # or as low as the style lets it be
        heights = lines.defaultSectionSize() * min(rows, _MOST_ROWS), self.horizontalHeader().sizeHint().height(), 2
        self.setFixedHeight(sum(heights))
        self.setVisible(rows > 0)

    def _do(self, does: Callable[[int], object]) -> None:
        """Do something with the current segment, whose place in the list it is told."""
        does(self.currentIndex().row())

    def _edit(self, at: int) -> None:
        self.edit(self.segments.index(at, min(self.currentIndex().column(), END)))

    def _pick(self, at: int) -> None:
        segments = self.session.segments
        pick_colour(self, QColor(segments.items[at].color), lambda to: segments.change(at, color=to.name().upper()))

    def _move(self, by: int, at: int) -> None:
        if 0 <= at + by < self.segments.rowCount():
            self.session.segments.move(at, at + by)
            self.setCurrentIndex(self.segments.index(at + by, self.currentIndex().column()))
