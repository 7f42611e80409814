"""What a recording is, and what its bytes are spent on: figures, a table of packets, and the same over time."""

from collections import Counter
from functools import partial
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ...progress import SILENT, Progress
from ...reading import Actors
from ...reading.event_index import CLASS_COUNTS
from ...recording import Snapshot
from ...reports.statistics import PacketCount, Sizes, duration, packet_counts, sizes_over_time, time_steps
from ...texts import listed, say, say_count
from ..session import Session
from ..session.jobs import LatestJob
from ..style.boxes import fill, room_for
from ..style.colors import ColorName
from ..style.theme import Theme
from ..widgets import ElidedLabel, EmptyState, Label, ThemedWidget
from ..widgets.plots import make_marks, off_scale, style_legend, style_plot
from ..widgets.screen_reader import Spoken
from .base import SessionDialog
from .widgets import NumbersTable

BANDS: tuple[ColorName, ...] = ("vehicle", "edited", "fine", "walker", "hero", "two_wheeler", "error", "prop")
"""Palette names of the bands; the last one is everything that is too small for a band of its own."""

SIGNS = ("s", "t1", "o", "d", "t", "star", "+", "_")
"""A symbol of pyqtgraph for each band, so that colour is never alone."""

_ROOM = 0.12
_LINE = 20
_LOWEST_PLOT = 220
_NARROW = 760


class Figures(NamedTuple):
    """What a job counts.

    Attributes:
        counts: Packets by id.
        classes: Lives by class.
        collisions: The numbers of records and of contacts.
        sizes: Bytes by packet type over time.
    """

    counts: dict[int, PacketCount]
    classes: Counter[str]
    collisions: tuple[int, int]
    sizes: Sizes


def figures_of(snapshot: Snapshot, progress: Progress = SILENT) -> Figures:
    """Count what the dialog shows of the whole recording."""
    actors = Actors.of(snapshot, progress.quiet())
    classes: Counter[str] = Counter(life.class_ for life in actors)
    hits = len(actors.collisions), len(actors.contacts)
    return Figures(packet_counts(snapshot), classes, hits, sizes_over_time(snapshot, progress=progress))


class PropertiesDialog(SessionDialog):
    """Header, dialect, times, actors, packets; the figures that have to be read come from a job."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "propertiesDialog", parent)
        snapshot = session.snapshot
        assert snapshot is not None
        self.snapshot = snapshot
        name = say("A recording that is still being read")
        folder = ""
        if session.recording is not None:
            name = session.recording.path.name
            folder = str(session.recording.path.absolute().parent)
        self.say(say("Properties"), name, folder)
        self.facts: dict[str, Label] = {}
        facts = self._known_facts()
        widths = [Label(theme, label).sizeHint().width() for label, _ in facts]
        self._width = max(theme.px(76), *widths)
        for label, text in facts:
            self._add_fact(label, text)
        if room_for(self).width() < theme.px(_NARROW):
            beside: QVBoxLayout | QHBoxLayout = QVBoxLayout()
        else:
            beside = QHBoxLayout()
        fill(self.body, 4, (fill(beside, self._make_table(), (self._make_plot(), 1), spacing=12), 1))
        self.add_button(say("Close"), self.accept, filled=True)
        self.resize(theme.px(926), theme.px(620))
        self.counting = LatestJob(self, session.jobs)
        self.counting.run(say("Counting packets"), partial(figures_of, snapshot), self._show)
        self.finished.connect(self.counting.cancel)

    # --- parts ------------------------------------------------------------------------------------------

    def _known_facts(self) -> list[tuple[str, str]]:
        """The facts that are known without reading the recording: label and text."""
        snapshot = self.snapshot
        return [
            (say("Recorded"), self._header_text()),
            (say("Release"), snapshot.dialect.title),
            ("", listed(snapshot.detection.reasons, "sentences")),
            (say("Frames"), self._frames_text()),
            (say("Size"), say_count("1 byte", "{count:,} bytes", count=snapshot.size)),
            (say("Actors"), "..."),
            (say("Collisions"), "..."),
        ]

    def _header_text(self) -> str:
        header = self.snapshot.header
        if header is None:
            return say("the header cannot be read")
        date = str(header.date)
        if header.when is not None:
            date = header.when.strftime("%Y-%m-%d %H:%M:%S UTC")
        map_name = header.map_name
        if isinstance(map_name, bytes):
            map_name = map_name.hex(" ")
        return say("{shown}, {date}, version {version}", shown=map_name, date=date, version=header.version)

    def _frames_text(self) -> str:
        snapshot = self.snapshot
        length = self.theme.units.time_label(duration(snapshot), duration(snapshot))
        text = say("{frames:,} in {length}", frames=len(snapshot), length=length)
        steps = time_steps(snapshot)
        if steps.median is None:
            return text
        if steps.fixed:
            steps_text = say("fixed steps of {median:.4f} s", median=steps.median)
        else:
            steps_text = say(
                "steps of {least:.4f} to {greatest:.4f} s, median {median:.4f} s",
                least=steps.least,
                greatest=steps.greatest,
                median=steps.median,
            )
        return listed((text, steps_text), "clauses")

    def _add_fact(self, label_text: str, text: str) -> None:
        label = Label(self.theme, label_text, "font", "muted")
        label.setFixedWidth(self._width)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if label_text:
            value: Label = ElidedLabel(self.theme, text)
        else:
            value = Label(self.theme, text, "small", "muted", wraps=True)
        value.setToolTip(text)
        self.body.addLayout(fill(QHBoxLayout(), label, (value, 1), spacing=8))
        self.facts[label_text] = value

    def _make_table(self) -> NumbersTable:
        heads = (say("Type"), say("Packets"), say("Records"), say("Bytes"))
        self.table = NumbersTable(self.theme, say("Packets and bytes by type"), heads, (64, 84, 104))
        self.table.setMinimumHeight(self.theme.px(300))
        self.table.setFixedWidth(self.theme.px(456))
        return self.table

    def _make_plot(self) -> QWidget:
        self._stack = QStackedWidget()
        self._stack.setMinimumHeight(self.theme.px(_LOWEST_PLOT))
        self.plot = SizesPlot(self.theme)
        self.empty = EmptyState(self.theme, say("Counting packets..."), ground="field")
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.plot)
        return self._stack

    # --- the job ----------------------------------------------------------------------------------------

    def _show(self, figures: Figures) -> None:
        counts = [say(CLASS_COUNTS[name], count=count) for name, count in figures.classes.most_common()]
        self._set_fact(say("Actors"), listed(counts) or say("none"))
        records, contacts = figures.collisions
        self._set_fact(
            say("Collisions"),
            say_count("{hits:,} in 1 record", "{hits:,} in {count:,} records", count=records, hits=contacts),
        )
        self._fill(figures.counts)
        if len(self.snapshot):
            self.plot.show_sizes(figures.sizes, self.snapshot.elapsed)
            self._stack.setCurrentIndex(1)
        else:
            self.empty.set_text(say("No frames in this file"))

    def _set_fact(self, label_text: str, text: str) -> None:
        self.facts[label_text].setText(text)
        self.facts[label_text].setToolTip(text)

    def _fill(self, counts: dict[int, PacketCount]) -> None:
        """Fill the table of packets, the largest first."""
        file_size = max(1, self.snapshot.size)
        rows = []
        tooltips = []
        for number, packets in sorted(counts.items(), key=lambda entry: -entry[1].bytes):
            name = say(self.snapshot.dialect.packet(number).name)
            share = f"{100 * packets.bytes / file_size:.1f}"
            rows.append((name, f"{packets.count:,}", f"{packets.records:,}", f"{packets.bytes:,}"))
            tooltips.append(say("{name}: {share} % of the file", name=name, share=share))
        self.table.show_rows(rows)
        for row, tooltip in enumerate(tooltips):
            for column in range(self.table.columnCount()):
                item = self.table.item(row, column)
                if item is not None:
                    item.setToolTip(tooltip)


class SizesPlot(ThemedWidget):
    """Bytes a frame by packet type over time, stacked; the pointer tells what is under it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(say("Bytes of each frame by packet type, over time"))
        self.view = pg.GraphicsLayoutWidget()
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setAcceptDrops(False)
        self.plot = self.view.addPlot(0, 0, enableMenu=False)
        self.plot.hideButtons()
        self.plot.setMouseEnabled(x=True, y=False)
        self.legend = pg.LegendItem(verSpacing=-2)
        self.view.addItem(self.legend, 0, 1)
        self.view.ci.layout.setAlignment(self.legend, Qt.AlignmentFlag.AlignTop)
        self.marks = make_marks("t1")
        self._bands: list[tuple[str, ColorName]] = []
        self._sizes: Sizes | None = None
        self._times: np.ndarray[tuple[int], np.dtype] = np.zeros(0)
        self._stacked = np.zeros((0, 0))
        fill(QHBoxLayout(self), (self.view, 1))
        self.view.scene().sigMouseMoved.connect(self._tell)
        self.restyle()

    def show_sizes(self, sizes: Sizes, elapsed: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
        """Show these; the axis is time where times rise, else the number of the frame."""
        self._sizes = sizes
        starts = sizes.edges[:-1]
        has_rising_times = bool(np.isfinite(elapsed).all() and (elapsed[1:] >= elapsed[:-1]).all())
        if has_rising_times:
            self._times = elapsed[starts]
            self._axis = "s"
        else:
            self._times = starts + 1.0
            self._axis = say("frame")
        large = len(BANDS) - 1
        bands = list(sizes.bytes[:large])
        names = [say(name) for name in sizes.names[:large]]
        if len(sizes.names) > large:
            bands.append(sizes.bytes[large:].sum(axis=0))
            names.append(say("others"))
        self._stacked = np.cumsum(np.array(bands).reshape(len(bands), -1), axis=0)
        self._bands = list(zip(names, BANDS, strict=False))
        self.restyle()

    def restyle(self) -> None:
        """Take over palette and fonts of this moment."""
        palette = self.theme.palette
        self.view.setBackground(palette.field)
        style_plot(self.plot, self.theme)
        self.plot.clear()
        style_legend(self.legend, self.theme)
        if self._sizes is None:
            return
        self.plot.setLabel("left", say("bytes per frame"), color=palette.muted.name())
        self.plot.setLabel("bottom", self._axis, color=palette.muted.name())
        below = pg.PlotDataItem(self._times, np.zeros(len(self._times)))
        for top, (_, color) in zip(self._stacked, self._bands, strict=True):
            ink = palette.color(color)
            above = pg.PlotDataItem(self._times, top, pen=pg.mkPen(ink, width=1))
            self.plot.addItem(pg.FillBetweenItem(below, above, brush=ink))
            self.plot.addItem(above)
            below = above
        first, last = float(self._times[0]), float(max(self._times[-1], self._times[0] + 1e-3))
        room = 0.02 * (last - first)
        self.plot.setLimits(xMin=first - room, xMax=last + room, yMin=0)
        self.plot.autoRange(padding=0)
        self.plot.setXRange(first, last, padding=0.02)
        self._limit()
        symbols = list(zip(self._bands, SIGNS, strict=False))
        for (name, color), symbol in reversed(symbols):
            self.legend.addItem(pg.ScatterPlotItem(symbol=symbol, size=9, pen=None, brush=palette.color(color)), name)
        self.legend.setMaximumHeight(self.theme.px(_LINE) * len(self._bands))
        self.view.setAccessibleDescription(listed(name for name, _ in self._bands))

    def _limit(self) -> None:
        """End the axis above the 99th percentile, with marks for what is higher."""
        total = self._stacked[-1]
        palette = self.theme.palette
        highest = float(np.percentile(total, 99, method="lower"))
        if highest <= 0 or highest >= total.max():
            return
        top = highest * (1 + _ROOM)
        self.plot.setYRange(0, top, padding=0)
        pixels = self._times / max(float(np.ptp(self._times)), 1e-9) * self.view.width()
        above = self._times[off_scale(pixels, total > top)]
        self.marks = make_marks("t1", size=8, brush=palette.muted)
        self.marks.setData(above, np.full(len(above), highest * (1 + _ROOM * 0.6)))
        self.plot.addItem(self.marks, ignoreBounds=True)

    def told_at(self, x: float) -> str:
        """Return the bytes of each band at a time, a line for each, the uppermost first."""
        if self._sizes is None:
            return ""
        column = int(np.clip(np.searchsorted(self._times, x, side="right") - 1, 0, len(self._times) - 1))
        first = int(self._sizes.edges[column]) + 1
        last = int(self._sizes.edges[column + 1])
        if last > first:
            lines = [say("frames {first:,} to {last:,}", first=first, last=last)]
        else:
            lines = [say("frame {frame:,}", frame=first)]
        sizes = np.diff(self._stacked[:, column], prepend=0)
        bands = list(zip(self._bands, sizes, strict=True))
        for (name, _), size in reversed(bands):
            lines.append(say("{name}: {size:,.0f}", name=name, size=size))
        return "\n".join(lines)

    def spoken(self) -> Spoken:
        """Return the plot as lines for a screen reader, one for each time."""

        def line(column: int) -> str:
            return listed(self.told_at(float(self._times[column])).split("\n"), "clauses")

        return Spoken(len(self._times), line)

    def _tell(self, point: QPointF) -> None:
        box = self.plot.vb
        if box.sceneBoundingRect().contains(point):
            self.view.setToolTip(self.told_at(box.mapSceneToView(point).x()))
