"""The legend: a line a signal, with its value in the current frame, at both cursors, and between them."""

import math
from html import escape

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from ....texts import say
from ...style.boxes import bare
from ...style.theme import Theme
from ...widgets import WholeRows
from ...widgets.hover_card import GUIDE
from ...widgets.keyboard import ViewKeys
from ...widgets.rows_model import DISPLAY, RowsModel
from .series import Trace, number_text, sign_of

NAME, NOW, A, B, BETWEEN, UNIT = range(6)
ROW = 22
_NAME = 150
_WIDTHS = {NOW: 76, A: 76, B: 76, BETWEEN: 76, UNIT: 38}


class LegendModel(RowsModel[Trace]):
    """The signals and their values. Attributes: `frame`, `cursors` (name to frame)."""

    columns = 6
    numbers = NOW, A, B, BETWEEN

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme
        self.frame = 0
        self.cursors: dict[str, int] = {}

    def set_traces(self, traces: list[Trace]) -> None:
        """Show these signals."""
        if traces != self.rows:
            self.show(list(traces))
        self.refresh()

    def refresh(self) -> None:
        """All values anew."""
        self._tell(NAME, UNIT)

    def set_cursors(self, cursors: dict[str, int]) -> None:
        """The cursors stand at other frames."""
        self.cursors = dict(cursors)
        self._tell(A, BETWEEN)

    def go_to(self, frame: int) -> None:
        """The current frame is another."""
        self.frame = frame
        self._tell(NOW, NOW)

    def _tell(self, first: int, last: int) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, first), self.index(len(self.rows) - 1, last))

    def value(self, trace: Trace, column: int) -> float:
        """What stands in a column, NaN for nothing."""
        at = {A: self.cursors.get("A"), B: self.cursors.get("B"), NOW: self.frame}
        if column == BETWEEN:
            return self.value(trace, B) - self.value(trace, A)
        frame = at.get(column)
        if frame is not None:
            return trace.at(frame)
        return math.nan

    def _text(self, trace: Trace, column: int) -> str:
        if column == NAME:
            return trace.title
        if column == UNIT:
            return trace.unit
        if column == NOW and trace.reason:
            return say("not read")
        if column == NOW and not trace.is_read:
            return "..."
        value = self.value(trace, column)
        if column == BETWEEN and trace.words.choices:
            return number_text(value)
        return trace.text(value)

    def head(self, column: int) -> str:
        return (say("Signal"), say("Now"), "A", "B", "B − A", "")[column]

    def shown(self, trace: Trace, column: int, role: int) -> object:
        theme = self.theme
        if role == DISPLAY:
            return self._text(trace, column)
        if role == Qt.ItemDataRole.FontRole:
            if column == NAME:
                return theme.font
            if column == UNIT:
                return theme.small
            return theme.mono
        if role == Qt.ItemDataRole.ForegroundRole:
            dim = column == UNIT or not trace.is_shown or bool(trace.reason)
            if dim:
                return theme.palette.muted
            return theme.palette.text
        if role == Qt.ItemDataRole.DecorationRole and column == NAME:
            return sign_of(trace, theme, theme.px(14))
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"<b>{escape(trace.title)}</b><br>{escape(trace.reason or trace.words.meaning)}"
        if role == GUIDE:
            if trace.key.kind == "field":
                return f"packets.md#{trace.key.name} ("
            return ""
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NAME and not trace.is_shown:
            return say("{title}, hidden", title=trace.title)
        return None


class Legend(QTableView):
    """Signals: `hide_asked(Trace)`, `remove_asked(list)` of traces."""

    hide_asked = Signal(object)
    remove_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.legend = LegendModel(theme, self)
        self.setModel(self.legend)
        bare(self, "signalsLegend", say("Signals and their values"))
        WholeRows(self)
        ViewKeys(self, {"Space": self._hide_chosen, "Del": self._remove_chosen})
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._has_cursors = False
        header = self.horizontalHeader()
        header.setMinimumSectionSize(20)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        theme.changed.connect(self.restyle)
        self.restyle()
        self.show_cursors(False)

    def restyle(self) -> None:
        """Take over palette, fonts and lengths of this moment."""
        self.verticalHeader().setDefaultSectionSize(self.theme.px(ROW))
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, self.theme.px(width))
        self.legend.refresh()

    def show_cursors(self, on: bool) -> None:
        """Show the columns of the two cursors, or do not."""
        self._has_cursors = on
        for column in (A, B, BETWEEN):
            self.setColumnHidden(column, not on)

    def fit(self, room: int) -> int:
        """How wide it is to be where so much room is; what has no room gives way: the current value to the cursors'."""
        shown = sum(width for column, width in _WIDTHS.items() if column not in (A, B, BETWEEN) or self._has_cursors)
        narrow = self._has_cursors and self.theme.px(shown + _NAME) > room
        self.setColumnHidden(NOW, narrow)
        return min(self.theme.px(shown - narrow * _WIDTHS[NOW] + _NAME), room)

    def chosen(self) -> list[Trace]:
        """The signals that are selected; without any, the one that has the keyboard."""
        rows = set()
        for index in self.selectionModel().selectedRows() or [self.currentIndex()]:
            rows.add(index.row())
        return [trace for row, trace in enumerate(self.legend.rows) if row in rows]

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        on_sign = event.position().x() <= self.theme.px(22)
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and index.column() == NAME and on_sign:
            self.hide_asked.emit(self.legend.rows[index.row()])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        else:
            # Letters search for no row here: single keys belong to the pane and the window.
            event.ignore()

    def _hide_chosen(self) -> None:
        for trace in self.chosen():
            self.hide_asked.emit(trace)

    def _remove_chosen(self) -> None:
        self.remove_asked.emit(self.chosen())
