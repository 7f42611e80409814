"""The parts of the pane: curves over time, XY plot, histogram and statistics, which show the same frames and range."""

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from ....arrays import BoolArray
from ....reading.events import STANDARD, Thresholds
from ....texts import listed, say, say_count
from ....views.time_axis import Axis, axis_of
from ...style.boxes import fill
from ...style.painting import draw_text
from ...style.theme import Theme
from ...widgets import EmptyState, ToggleChip
from ...widgets.base import ElidedLabel, Label, ThemedWidget
from ...widgets.copied import Copied
from .axis_choice import AxisChoice, Pair, SignalGroup, pairs_of
from .chosen_frames import ChosenFrames
from .histogram_plot import HistogramPlot
from .series import Trace
from .side_plot import SidePlot
from .statistics_rows import rows_of
from .statistics_table import StatisticsTable
from .xy_plot import XYPlot

OVER_TIME = "over_time"
XY = "xy"
HISTOGRAM = "histogram"
STATISTICS = "statistics"
PARTS = (OVER_TIME, XY, HISTOGRAM, STATISTICS)
"""The names of the parts, as workspaces keep them."""

_STACKED_BELOW = 1100
"""Width below which the statistics are below the histogram, px of the design."""

_STACKED_HEIGHT = 500
"""Height below which they are side by side all the same: below one another neither would be read, px of the design."""

_SINGLE_BELOW = 760
"""Width below which one part is shown at a time, px of the design."""

_SINGLE_HEIGHT = 260
"""Height below which one is all the same: of two, neither would be read, px of the design."""

_CURVES = 192
"""Height of the curves above the other parts, px of the design."""

_LEAST_CURVES = 92
_LEAST_BELOW = 200
"""Height of the other parts from which on the curves give way to them, down to their least height, px of the design."""

_SHARES = {XY: 5, HISTOGRAM: 3, STATISTICS: 3}
"""How the parts share the width."""

_SIDE = 12
_SIGN = 8


class KeyLine(ThemedWidget):
    """What two colours mean, as signs with their words, at the right end of a line.

    Attributes:
        entries: The colour and the words of each sign; empty: nothing is shown.
        is_round: Whether the signs are dots; else they are bars.
        is_hollow: Whether the second sign is hollow.
    """

    def __init__(self, theme: Theme, *, is_round: bool) -> None:
        super().__init__(theme)
        self.is_round = is_round
        self.is_hollow = False
        self.entries: list[tuple[QColor, str]] = []
        self.setMinimumWidth(1)

    def show_entries(self, entries: list[tuple[QColor, str]], *, is_hollow: bool = False) -> None:
        """Show other signs."""
        self.entries = entries
        self.is_hollow = is_hollow
        self.setAccessibleName(listed(text for _, text in entries))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.theme
        metrics = theme.metrics(theme.small)
        size = theme.px(_SIGN)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        right = self.width()
        for number, (color, text) in reversed(list(enumerate(self.entries))):
            width = metrics.horizontalAdvance(text)
            left = right - width - size - theme.px(5)
            if left < 0:
                return
            rect = self.rect().adjusted(left + size + theme.px(5), 0, 0, 0)
            draw_text(painter, rect, text, theme.small, theme.palette.text)
            painter.setPen(color if self.is_hollow and number else Qt.PenStyle.NoPen)
            painter.setBrush(Qt.BrushStyle.NoBrush if self.is_hollow and number else color)
            top = (self.height() - size) // 2
            if self.is_round:
                painter.drawEllipse(left, top, size, size)
            else:
                painter.drawRect(left, top, size, size)
            right = left - theme.px(16)


class PartFrame(QWidget):
    """A part below the curves: its title with a caption, what it shows, or a sentence why it shows nothing.

    Attributes:
        theme: The theme.
        title: Its title.
        caption: What it is of.
        above: The words of the axis upwards, above the plot.
        key: What the colours mean.
        below: The words of the axis to the right, below the plot.
        body: The plot or the table.
        empty: The sentence.
    """

    def __init__(self, theme: Theme, body: QWidget, *, is_round: bool = False) -> None:
        super().__init__()
        self.theme = theme
        self.setAutoFillBackground(True)
        self.body = body
        self.title = Label(theme, "", "small_bold")
        self.caption = ElidedLabel(theme, "", "small", "muted")
        self.above = ElidedLabel(theme, "", "small", "muted")
        self.below = ElidedLabel(theme, "", "small", "muted")
        self.below.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.key = KeyLine(theme, is_round=is_round)
        self.empty = EmptyState(theme, "")
        head = fill(QHBoxLayout(), self.title, (self.caption, 1), spacing=8)
        self._head = head
        self._line = fill(QHBoxLayout(), self.above, (self.key, 1), spacing=8)
        shown = QWidget()
        self._sides = fill(QVBoxLayout(), (body, 1))
        fill(QVBoxLayout(shown), self._line, (self._sides, 1), self.below, spacing=0)
        self._stack = QStackedLayout()
        fill(QVBoxLayout(self), head, (self._stack, 1), spacing=0)
        # A layout that belongs to no widget yet would show its first one as a window.
        self._stack.addWidget(shown)
        self._stack.addWidget(self.empty)
        theme.changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Apply the lengths of the theme."""
        px = self.theme.px
        self._head.setContentsMargins(px(_SIDE), px(8), px(_SIDE), px(4))
        self._line.setContentsMargins(px(_SIDE), 0, px(_SIDE), 0)
        self.below.setContentsMargins(0, 0, px(24), px(6))
        if isinstance(self.body, StatisticsTable):
            self._sides.setContentsMargins(px(8), 0, 0, px(4))
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, self.theme.palette.field)
        self.setPalette(palette)

    def show_text(self, title: str, caption: str, above: str = "", below: str = "") -> None:
        """Show title, caption and the words of the axes."""
        self.title.setText(title)
        self.caption.setText(caption)
        self.above.setText(above)
        self.below.setText(below)
        self.above.setVisible(bool(above))
        self.below.setVisible(bool(below))
        self.key.setVisible(bool(self.key.entries))

    def show_reason(self, reason: str) -> None:
        """Show a sentence in the place of the body; empty: show the body."""
        if reason:
            self.empty.set_text(reason)
        self._stack.setCurrentIndex(1 if reason else 0)


class SignalParts(QWidget):
    """The curves, and below them XY plot, histogram and statistics as far as they are switched on.

    Attributes:
        theme: The theme.
        choice: What is along X and Y.
        chips: The switch of each part, by its name.
        xy: The XY plot.
        histogram: The histogram.
        table: The statistics.
        plots: XY plot and histogram, by the name of the part.
        frames: The frame around each of these three, by the name of the part.
        brushed: Whether each frame is brushed, bool[n]; None: none are.

    Signals:
        frame_asked(int): A frame is to be shown.
        pointed(object): The frame of the dot under the pointer, an int; None: there is none.
        stretches_changed(): Other frames are chosen, or the parts that show them are switched on or off.
        switched(): A person showed or hid a part, or chose another signal.
    """

    frame_asked = Signal(int)
    pointed = Signal(object)
    stretches_changed = Signal()
    switched = Signal()

    def __init__(self, theme: Theme, curves: QWidget) -> None:
        super().__init__()
        self.theme = theme
        self.brushed: BoolArray | None = None
        self._traces: Sequence[Trace] = ()
        self._axis: Axis = axis_of(None)
        self._thresholds: Thresholds = STANDARD
        self._range: range | None = None
        self._frame = 0
        self._cursors: Mapping[str, int] = {}
        self._wanted = {OVER_TIME}
        self._latest = OVER_TIME
        self._shown_before: list[str] = []
        self._curves = curves
        self._make_parts()
        self._make_chips()
        self._arrange()

    def _make_parts(self) -> None:
        theme = self.theme
        self.choice = AxisChoice(theme)
        self.choice.hide()
        self.choice.changed.connect(self._choose)
        self.xy = XYPlot(theme)
        self.histogram = HistogramPlot(theme)
        self.table = StatisticsTable(theme)
        self.frames = {
            XY: PartFrame(theme, self.xy, is_round=True),
            HISTOGRAM: PartFrame(theme, self.histogram),
            STATISTICS: PartFrame(theme, self.table),
        }
        self.plots: dict[str, SidePlot] = {XY: self.xy, HISTOGRAM: self.histogram}
        for plot in self.plots.values():
            plot.frame_asked.connect(self.frame_asked)
            plot.pointed.connect(self.pointed)
            plot.brushed.connect(self.brush)
        self.table.frame_asked.connect(self.frame_asked)
        self._right = _splitter(Qt.Orientation.Horizontal, self.frames[HISTOGRAM], self.frames[STATISTICS])
        self._lower = _splitter(Qt.Orientation.Horizontal, self.frames[XY], self._right)
        self._column = _splitter(Qt.Orientation.Vertical, self._curves, self._lower)
        self._is_split_by_hand = False
        for splitter in (self._right, self._lower, self._column):
            splitter.splitterMoved.connect(self._split_by_hand)
        fill(QVBoxLayout(self), self._column, spacing=0)
        theme.changed.connect(self._arrange)

    def _make_chips(self) -> None:
        texts = {
            OVER_TIME: (say("Over time"), say("The signals as curves over time")),
            XY: (say("XY"), say("One signal against another, a dot for each frame")),
            HISTOGRAM: (say("Histogram"), say("How often each value occurs")),
            STATISTICS: (say("Statistics"), say("Least, greatest, mean and more of the range")),
        }
        self.chips: dict[str, ToggleChip] = {}
        for name, (text, tip) in texts.items():
            chip = ToggleChip(text)
            chip.setToolTip(tip)
            chip.clicked.connect(lambda on, name=name: self.show_part(name, on=on))
            self.chips[name] = chip

    # --- which parts are shown --------------------------------------------------------------------------

    @property
    def is_narrow(self) -> bool:
        """Whether one part is shown at a time."""
        px = self.theme.px
        return self.width() < px(_SINGLE_BELOW) or self.height() < px(_SINGLE_HEIGHT)

    @property
    def shown(self) -> list[str]:
        """The names of the parts that are shown."""
        if not self.is_narrow:
            return [name for name in PARTS if name in self._wanted]
        if self._latest in self._wanted:
            return [self._latest]
        return [name for name in PARTS if name in self._wanted][:1]

    def show_part(self, name: str, *, on: bool) -> None:
        """Show or hide a part; without any the curves are shown."""
        if on:
            self._wanted.add(name)
            self._latest = name
        else:
            self._wanted.discard(name)
        if not self._wanted:
            self._wanted.add(OVER_TIME)
        self._arrange()
        self.switched.emit()

    def kept(self) -> list[str]:
        """Return the parts that are switched on, as workspaces keep them."""
        return [name for name in PARTS if name in self._wanted]

    def restore(self, names: Sequence[str]) -> None:
        """Show these parts only."""
        self._wanted = set(names) or {OVER_TIME}
        self._latest = names[0] if names else OVER_TIME
        self._arrange()
        self.switched.emit()

    def _arrange(self) -> None:
        """Show and place the parts."""
        shown = self.shown
        for name, chip in self.chips.items():
            chip.setChecked(name in shown)
        self._curves.setVisible(OVER_TIME in shown)
        for name, frame in self.frames.items():
            frame.setVisible(name in shown)
        has_right = HISTOGRAM in shown or STATISTICS in shown
        self._right.setVisible(has_right)
        self._lower.setVisible(XY in shown or has_right)
        if not self.choice.isWindow():  # it is in the title
            self.choice.setVisible(self._lower.isVisibleTo(self))
        is_stacked = XY in shown and self.width() < self.theme.px(_STACKED_BELOW)
        if self.height() < self.theme.px(_STACKED_HEIGHT):
            is_stacked = False
        self._right.setOrientation(Qt.Orientation.Vertical if is_stacked else Qt.Orientation.Horizontal)
        if not self._is_split_by_hand:
            self._share(shown, is_stacked=is_stacked)
        if shown != self._shown_before:
            self._shown_before = shown
            self.refresh()
            self.stretches_changed.emit()

    def _share(self, shown: Sequence[str], *, is_stacked: bool) -> None:
        """Give each part its share of the room."""
        height = self.height()
        room = max(self.theme.px(_LEAST_CURVES), height - self.theme.px(_LEAST_BELOW))
        curves = min(self.theme.px(_CURVES), height // 2, room)
        self._column.setSizes([curves, height - curves])
        right = [_SHARES[name] for name in (HISTOGRAM, STATISTICS) if name in shown]
        if is_stacked:
            right = right[:1]
        self._lower.setSizes([1000 * _SHARES[XY], 1000 * sum(right)])
        self._right.setSizes([1000, 1000])

    def _split_by_hand(self) -> None:
        self._is_split_by_hand = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    # --- what they show ---------------------------------------------------------------------------------

    def set_traces(self, traces: Sequence[Trace], axis: Axis, thresholds: Thresholds) -> None:
        """Show signals.

        Args:
            traces: The signals that are not hidden.
            axis: The time axis.
            thresholds: What traffic events are found with.
        """
        self._traces = tuple(traces)
        self._axis = axis
        self._thresholds = thresholds
        if self.brushed is not None and len(self.brushed) != len(axis.times):
            self.brushed = None
        self.choice.set_traces(self._traces)
        self.refresh()

    def set_axis(self, axis: Axis) -> None:
        """Write moments as on this axis."""
        is_another = axis.times is not self._axis.times or axis.units != self._axis.units
        self._axis = axis
        if is_another:
            self.refresh()

    def set_range(self, frames: range | None) -> None:
        """Choose the frames of the range; None: all. What is brushed stays chosen."""
        if frames != self._range:
            self._range = frames
            self.refresh()
            self.stretches_changed.emit()

    def brush(self, brushed: BoolArray | None) -> None:
        """Choose the frames that are brushed; None: those of the range again."""
        if brushed is not None or self.brushed is not None:
            self.brushed = brushed
            self.refresh()
            self.stretches_changed.emit()

    def set_cursors(self, cursors: Mapping[str, int]) -> None:
        """Show the values at the cursors."""
        self._cursors = dict(cursors)
        self.refresh()

    def go_to(self, frame: int) -> None:
        """Show another frame as the current one."""
        self._frame = frame
        shown = self.shown
        if XY in shown:
            self.xy.go_to(frame)
        if HISTOGRAM in shown:
            self.histogram.go_to(frame)
        if STATISTICS in shown and len(self._axis.times):
            self.table.statistics.go_to(frame)

    @property
    def chosen(self) -> ChosenFrames:
        """The chosen frames: those that are brushed, else those of the range, else all."""
        count = len(self._axis.times)
        if self.brushed is not None:
            return ChosenFrames(self._axis, self.brushed, are_brushed=True)
        are_chosen = np.ones(count, np.bool_)
        if self._range is not None:
            are_chosen[:] = False
            are_chosen[self._range.start : self._range.stop] = True
            if not are_chosen.any():
                are_chosen[:] = True
        return ChosenFrames(self._axis, are_chosen)

    def stretches(self) -> list[tuple[float, float]]:
        """Return the moments of the stretches that the curves tint; none while no other part is shown."""
        if not set(self.shown) & set(self.frames) or not len(self._axis.times):
            return []
        return self.chosen.stretches()

    @property
    def pairs(self) -> list[Pair]:
        """The signals that are plotted against each other."""
        return pairs_of(self.choice.group("x"), self.choice.group("y"))

    def copied(self, name: str) -> Copied | None:
        """Return a part below the curves as a table: dots by their frames, bars by their bins, or the statistics."""
        if name == STATISTICS:
            return self.table.copied()
        return self.plots[name].copied()

    def _choose(self) -> None:
        self.refresh()
        self.switched.emit()

    def refresh(self) -> None:
        """Show everything anew in the parts that are visible."""
        shown = self.shown
        if not self._traces or not len(self._axis.times) or not self.isVisible():
            return
        chosen = self.chosen
        self._frame = min(self._frame, len(self._axis.times) - 1)
        if XY in shown:
            self._show_xy(chosen)
        if HISTOGRAM in shown:
            self._show_histogram(chosen)
        if STATISTICS in shown:
            self._show_statistics(chosen)

    def _show_xy(self, chosen: ChosenFrames) -> None:
        frame = self.frames[XY]
        x = self.choice.group("x")
        y = self.choice.group("y")
        pairs = self.pairs
        if x is None or y is None or not pairs:
            frame.key.show_entries([])
            frame.show_text(say("XY"), "")
            frame.show_reason(say("Choose a second signal for X"))
            return
        self.xy.go_to(self._frame)
        self.xy.set_data(pairs, chosen, self._thresholds)
        palette = self.theme.palette
        if chosen.are_all:
            frame.key.show_entries([])
        elif len(pairs) == 1:
            frame.key.show_entries([(palette.selection, chosen.name), (palette.grid, say("the rest"))])
        else:
            entries = [(palette.text, chosen.name), (palette.text, say("the rest"))]
            frame.key.show_entries(entries, is_hollow=True)
        title = say("{y} against {x}", y=_capital(y.title), x=x.title)
        frame.show_text(title, self._caption(say("one dot a frame")), above=_with_unit(y), below=_with_unit(x))
        frame.show_reason(self._lacking((*x.traces, *y.traces), chosen))

    def _show_histogram(self, chosen: ChosenFrames) -> None:
        frame = self.frames[HISTOGRAM]
        y = self.choice.group("y")
        if y is None:
            return
        self.histogram.go_to(self._frame)
        self.histogram.set_data(y.traces, chosen)
        palette = self.theme.palette
        if chosen.are_all:
            frame.key.show_entries([])
        else:
            frame.key.show_entries([(palette.selection, chosen.name), (palette.packet_header, say("all frames"))])
        caption = self.histogram.bin_text
        frame.show_text(say("Histogram of {signal}", signal=y.title), caption, above=say("frames"), below=_with_unit(y))
        frame.show_reason(self._lacking(y.traces, None))

    def _show_statistics(self, chosen: ChosenFrames) -> None:
        frame = self.frames[STATISTICS]
        traces: dict[Trace, None] = {}
        for axis in ("y", "x"):
            group = self.choice.group(axis)
            if group is not None:
                traces.update(dict.fromkeys(group.traces))
        traces.update(dict.fromkeys(self._traces))
        columns = list(traces)
        rows = rows_of(columns, self.pairs, chosen, self._thresholds, self._cursors, self._frame)
        self.table.set_rows(rows, columns, self._axis)
        frame.show_text(say("Statistics"), chosen.text)

    def _caption(self, text: str) -> str:
        """Return a caption that begins with the actors of the pairs."""
        actors = {pair.y.key.actor for pair in self.pairs} | {pair.x.key.actor for pair in self.pairs}
        actors.discard(None)
        if len(actors) > 1:
            first = say_count("1 actor", "{count:,} actors", count=len(actors))
        elif actors:
            first = str(actors.pop())
        else:
            return text
        return listed((first, text), "clauses")

    def _lacking(self, traces: Sequence[Trace], chosen: ChosenFrames | None) -> str:
        """Return a sentence about signals without a value in the chosen frames, None: in any; empty where one has some.

        Where a signal of several actors is meant, it has a value if one of them has.
        """
        titles: dict[str, bool] = {}
        reason = ""
        for trace in traces:
            if trace.reason:
                reason = trace.reason
            if not trace.is_read and not trace.reason:
                return ""
            values = trace.meant(range(len(self._axis.times)))
            if chosen is not None:
                values = values[chosen.are_chosen]
            has_values = bool(np.isfinite(values).any())
            titles[trace.texts.title] = titles.get(trace.texts.title, False) or has_values
        for title, has_values in titles.items():
            if has_values:
                continue
            if reason:
                return reason
            if chosen is None or chosen.are_all or chosen.are_brushed:
                return say("{signal} has no value", signal=title)
            frames = chosen.frames
            return say(
                "{signal} has no value from {first} to {last}",
                signal=title,
                first=self._axis.label_of(int(frames[0])),
                last=self._axis.label_of(int(frames[-1])),
            )
        return ""


def _splitter(orientation: Qt.Orientation, *widgets: QWidget) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for widget in widgets:
        splitter.addWidget(widget)
    return splitter


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _with_unit(group: SignalGroup) -> str:
    """Return the words of an axis: `speed, m/s`."""
    unit = group.traces[0].unit
    if unit:
        return listed((group.title, unit), "clauses")
    return group.title
