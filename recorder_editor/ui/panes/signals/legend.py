"""The legend: a line a signal, with its value in the current frame, at both cursors, and between them."""

import math
from html import escape

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from ....texts import say
from ...style.boxes import frameless
from ...style.theme import Theme
from ...widgets import WholeRows
from ...widgets.hover_card import GUIDE
from ...widgets.keyboard import ViewKeys
from ...widgets.rows_model import DISPLAY, RowsModel
from .series import Trace, number_text, sign_of

NAME, NOW, A, B, BETWEEN, UNIT = range(6)
_CURSORS = {A: "A", B: "B"}
"""The cursor of a column."""

ROW = 22
_NAME = 150
_WIDTHS = {NOW: 76, A: 76, B: 76, BETWEEN: 76, UNIT: 38}


class LegendModel(RowsModel[Trace]):
    """The signals and their values.

    Attributes:
        theme: The theme.
        frame: The current frame.
        cursors: Frames of the cursors, by name.
    """

    columns = 6
    numbers = (NOW, A, B, BETWEEN)

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
        """Show all values anew."""
        self._notify(NAME, UNIT)

    def set_cursors(self, cursors: dict[str, int]) -> None:
        """Show the values at other frames of the cursors, by their names."""
        self.cursors = dict(cursors)
        self._notify(A, BETWEEN)

    def go_to(self, frame: int) -> None:
        """Show the values in another frame."""
        self.frame = frame
        self._notify(NOW, NOW)

    def _notify(self, first: int, last: int) -> None:
        """Notify the view that the values of columns changed."""
        if self.rows:
            self.dataChanged.emit(self.index(0, first), self.index(len(self.rows) - 1, last))

    def value(self, trace: Trace, column: int) -> float:
        """Return the value in a column; NaN for none."""
        if column == BETWEEN:
            return self.value(trace, B) - self.value(trace, A)
        if column == NOW:
            return trace.at(self.frame)
        name = _CURSORS.get(column, "")
        if name in self.cursors:
            return trace.at(self.cursors[name])
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
        if column == BETWEEN and trace.texts.choices:
            return number_text(value)
        return trace.text(value)

    def head(self, column: int) -> str:
        heads = (say("Signal"), say("Now"), "A", "B", "B − A", "")
        return heads[column]

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
            if column == UNIT or not trace.is_shown or trace.reason:
                return theme.palette.muted
            return theme.palette.text
        if role == Qt.ItemDataRole.DecorationRole and column == NAME:
            return sign_of(trace, theme, theme.px(14))
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"<b>{escape(trace.title)}</b><br>{escape(trace.reason or trace.texts.meaning)}"
        if role == GUIDE:
            if trace.key.kind == "field":
                return f"packets.md#{trace.key.name} ("
            return ""
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NAME and not trace.is_shown:
            return say("{title}, hidden", title=trace.title)
        return None


class Legend(QTableView):
    """The table of the signals.

    Attributes:
        theme: The theme.
        legend: The model.

    Signals: `hide_asked(Trace)`, `remove_asked(list)` of traces.
    """

    hide_asked = Signal(object)
    remove_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.legend = LegendModel(theme, self)
        self.setModel(self.legend)
        frameless(self, "signalsLegend", say("Signals and their values"))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names of signals of a packet differ at their end
        WholeRows(self)
        ViewKeys(self, {"Space": self._ask_to_hide, "Del": self._ask_to_remove})
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
        """Apply the colours, fonts and lengths of the theme."""
        self.verticalHeader().setDefaultSectionSize(self.theme.px(ROW))
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, self.theme.px(width))
        self.legend.refresh()

    def show_cursors(self, on: bool) -> None:
        """Show or hide the columns of the two cursors."""
        self._has_cursors = on
        for column in (A, B, BETWEEN):
            self.setColumnHidden(column, not on)

    def fit(self, room: int) -> int:
        """Return the width that the table needs; the current value is hidden where the cursors leave no room for it.

        Args:
            room: The largest width, pixels.
        """
        width = _NAME + _WIDTHS[NOW] + _WIDTHS[UNIT]
        if self._has_cursors:
            width += _WIDTHS[A] + _WIDTHS[B] + _WIDTHS[BETWEEN]
        is_narrow = self._has_cursors and self.theme.px(width) > room
        self.setColumnHidden(NOW, is_narrow)
        if is_narrow:
            width -= _WIDTHS[NOW]
        return min(self.theme.px(width), room)

    def chosen(self) -> list[Trace]:
        """Return the selected signals; without any, the one that has the keyboard."""
        indices = self.selectionModel().selectedRows() or [self.currentIndex()]
        rows = {index.row() for index in indices}
        return [trace for row, trace in enumerate(self.legend.rows) if row in rows]

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        is_on_sign = index.isValid() and index.column() == NAME and event.position().x() <= self.theme.px(22)
        if is_on_sign and event.button() == Qt.MouseButton.LeftButton:
            self.hide_asked.emit(self.legend.rows[index.row()])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        else:
            # Letters search for no row here: single keys belong to the pane and the window.
            event.ignore()

    def _ask_to_hide(self) -> None:
        for trace in self.chosen():
            self.hide_asked.emit(trace)

    def _ask_to_remove(self) -> None:
        self.remove_asked.emit(self.chosen())
