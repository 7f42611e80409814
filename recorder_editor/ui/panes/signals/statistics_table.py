"""The table of the statistics of signals over the chosen frames."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from ....texts import say
from ....views.time_axis import Axis, axis_of
from ...style.boxes import frameless
from ...style.theme import Theme
from ...widgets import WholeRows
from ...widgets.copied import Copied, copied_table
from ...widgets.keyboard import ViewKeys
from ...widgets.rows_model import DISPLAY, Index, RowsModel
from .series import Trace
from .statistics_rows import StatisticRow, cells_of, present_row

ROW = 22
_LINE = 9
"""The height of the line between two groups, with its room."""

_LABEL = 104
_NUMBER = 76
_UNIT_MARGIN = 9
_HEAD_MARGIN = 16
_WIDEST = 150
"""The width of a column of numbers with a long title."""


class StatisticsModel(RowsModel[StatisticRow]):
    """The rows; a signal has two columns, that of its numbers and that of its unit.

    Attributes:
        theme: The theme.
        traces: The signals.
        titles: Their titles.
        axis: The time axis.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme
        self.traces: Sequence[Trace] = ()
        self.titles: Sequence[str] = ()
        self.axis: Axis = axis_of(None)

    def set_rows(self, rows: Sequence[StatisticRow], traces: Sequence[Trace], axis: Axis) -> None:
        """Show the statistics of signals."""
        self.traces = tuple(traces)
        self.axis = axis
        has_several = len({trace.key.actor for trace in traces}) > 1
        self.titles = tuple(trace.title if has_several else trace.texts.title for trace in traces)
        self.columns = 1 + 2 * len(traces)
        self.numbers = range(1, self.columns, 2)
        self.show(rows)

    def go_to(self, frame: int) -> None:
        """Show the values in another frame as those of the current one."""
        for number, row in enumerate(self.rows):
            if row.is_present:
                rows = list(self.rows)
                rows[number] = present_row(self.traces, self.axis, frame)
                self.rows = rows
                self.dataChanged.emit(self.index(number, 0), self.index(number, self.columns - 1))

    def frame_at(self, index: Index) -> int | None:
        """Return the frame that a number is of; None for those that are of none."""
        row = self.rows[index.row()]
        if row.is_line or not index.column():
            return None
        return row.frames[(index.column() - 1) // 2]

    def head(self, column: int) -> str:
        if column in self.numbers:
            return self.titles[column // 2]
        return ""

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].is_line:
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if role == Qt.ItemDataRole.ToolTipRole and orientation == Qt.Orientation.Horizontal:
            return self.head(section)
        return super().headerData(section, orientation, role)

    def shown(self, row: StatisticRow, column: int, role: int) -> object:
        if row.is_line:
            return None
        theme = self.theme
        is_unit = column > 0 and column not in self.numbers
        if role == DISPLAY:
            if not column:
                return row.label
            return self._unit(row, column) if is_unit else row.text(column // 2, self.axis)
        if role == Qt.ItemDataRole.FontRole:
            if not column:
                return theme.font
            return theme.small if is_unit else theme.mono
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.palette.muted if is_unit else theme.palette.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, column)
        return None

    def _unit(self, row: StatisticRow, column: int) -> str:
        if row.kind == "value":
            return self.traces[(column - 1) // 2].unit
        return ""

    def _tip(self, row: StatisticRow, column: int) -> str:
        if not column:
            return row.label
        frame = row.frames[(column - 1) // 2]
        if frame is None:
            return ""
        return say("At {moment}, frame {frame:,}", moment=self.axis.label_of(frame), frame=frame + 1)


class StatisticsTable(QTableView):
    """The table of the statistics.

    Attributes:
        theme: The theme.
        statistics: The model.

    Signal: `frame_asked(int)` (a number of a frame was double-clicked, or Enter pressed on it).
    """

    frame_asked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.statistics = StatisticsModel(theme, self)
        self.setModel(self.statistics)
        frameless(self, "signalStatistics", say("Statistics of the signals"))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        WholeRows(self)
        ViewKeys(self, {}, letters_pass=True)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(8)
        header.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.verticalHeader().setMinimumSectionSize(4)
        self.setMinimumHeight(1)
        self.activated.connect(self._activate)
        theme.changed.connect(self.restyle)

    def set_rows(self, rows: Sequence[StatisticRow], traces: Sequence[Trace], axis: Axis) -> None:
        """Show the statistics of signals; the selected row stays where the rows are the same."""
        before = self.currentIndex()
        keeps = [row.label for row in self.statistics.rows] == [row.label for row in rows]
        self.statistics.set_rows(rows, traces, axis)
        if keeps and before.isValid():
            self.setCurrentIndex(self.statistics.index(before.row(), min(before.column(), 2 * len(traces))))
        self.restyle()

    def restyle(self) -> None:
        """Apply the lengths of the theme."""
        self.verticalHeader().setDefaultSectionSize(self.theme.px(ROW))
        for number, row in enumerate(self.statistics.rows):
            self.setRowHeight(number, self.theme.px(_LINE if row.is_line else ROW))
        self._fit()

    def _fit(self) -> None:
        """Give each column its width, and the labels what is left of the room."""
        small = self.theme.metrics(self.theme.small)
        used = 0
        for index, trace in enumerate(self.statistics.traces):
            unit = small.horizontalAdvance(trace.unit) + self.theme.px(_UNIT_MARGIN)
            title = small.horizontalAdvance(self.statistics.titles[index]) + self.theme.px(_HEAD_MARGIN)
            number = max(self.theme.px(_NUMBER), min(title, self.theme.px(_WIDEST)))
            self.setColumnWidth(1 + 2 * index, number)
            self.setColumnWidth(2 + 2 * index, unit)
            used += number + unit
        self.setColumnWidth(0, max(self.theme.px(_LABEL), self.viewport().width() - used))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        for number, row in enumerate(self.statistics.rows):
            if row.is_line:
                y = self.rowViewportPosition(number) + self.rowHeight(number) // 2
                painter.fillRect(0, y, self.viewport().width(), 1, self.theme.palette.hairline)

    def _activate(self, index: Index) -> None:
        frame = self.statistics.frame_at(index)
        if frame is not None:
            self.frame_asked.emit(frame)

    def copied(self) -> Copied | None:
        """Return all rows with all digits."""
        model = self.statistics
        units = [trace.unit for trace in model.traces]
        return copied_table(*cells_of(model.rows, model.titles, units, model.axis))
