"""What a recording is, and what its bytes are spent on: figures, a table of packets, and the same over time."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ...progress import SILENT, Progress
from ...reading import Actors
from ...recording import Snapshot
from ...reports.statistics import PacketCount, Sizes, duration, packet_counts, sizes_over_time, time_steps
from ...texts import N_count, Plural, listed, say, say_count
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

_CLASSES: Mapping[str, Plural] = {
    "other": N_count("1 other", "{count:,} others"),
    "prop": N_count("1 prop", "{count:,} props"),
    "sensor": N_count("1 sensor", "{count:,} sensors"),
    "spectator": N_count("1 spectator", "{count:,} spectators"),
    "traffic light": N_count("1 traffic light", "{count:,} traffic lights"),
    "traffic sign": N_count("1 traffic sign", "{count:,} traffic signs"),
    "two-wheeler": N_count("1 two-wheeler", "{count:,} two-wheelers"),
    "vehicle": N_count("1 vehicle", "{count:,} vehicles"),
    "walker": N_count("1 walker", "{count:,} walkers"),
}


class Figures(NamedTuple):
    """What a job finds out."""

    counts: dict[int, PacketCount]
    classes: Counter[str]
    collisions: tuple[int, int]
    sizes: Sizes


def figures_of(snapshot: Snapshot, progress: Progress = SILENT) -> Figures:
    """Everything the dialog shows that has to be read for it."""
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
        recording = session.recording
        if recording is not None:
            name = recording.path.name
        else:
            name = say("A recording that is still being read")
        self.say(say("Properties"), name, str(recording.path.absolute().parent) if recording is not None else "")
        self.facts: dict[str, Label] = {}
        known = self._known()
        self._width = max(theme.px(76), *(Label(theme, words).sizeHint().width() for words, _ in known))
        for words, text in known:
            self._fact(words, text)
        beside = QVBoxLayout() if room_for(self).width() < theme.px(_NARROW) else QHBoxLayout()
        fill(self.body, 4, (fill(beside, self._make_table(), (self._make_plot(), 1), spacing=12), 1))
        self.add_button(say("Close"), self.accept, filled=True)
        self.resize(theme.px(926), theme.px(620))
        self.counting = LatestJob(self, session.jobs)
        self.counting.run(say("Counting packets"), partial(figures_of, snapshot), self._show)
        self.finished.connect(self.counting.cancel)

    # --- parts ------------------------------------------------------------------------------------------

    def _known(self) -> list[tuple[str, str]]:
        """What is known without reading."""
        snapshot = self.snapshot
        header = self.snapshot.header
        frames = len(snapshot)
        told: list[tuple[str, str]] = []
        if header is not None:
            when = header.when
            if when is not None:
                date = when.strftime("%Y-%m-%d %H:%M:%S UTC")
            else:
                date = str(header.date)
            if isinstance(header.map_name, str):
                shown = header.map_name
            else:
                shown = header.map_name.hex(" ")
            told.append(
                (
                    say("Recorded"),
                    say("{shown}, {date}, version {version}", shown=shown, date=date, version=header.version),
                )
            )
        else:
            told.append((say("Recorded"), say("the header cannot be read")))
        told.append((say("Release"), snapshot.dialect.title))
        told.append(("", listed(snapshot.detection.reasons, "sentences")))
        steps = time_steps(snapshot)
        length = self.theme.units.time_label(duration(snapshot), duration(snapshot))
        text = say("{frames:,} in {length}", frames=frames, length=length)
        if steps.median is not None:
            words = say("fixed steps of {median:.4f} s", median=steps.median)
            if not steps.fixed:
                words = say(
                    "steps of {least:.4f} to {greatest:.4f} s, median {median:.4f} s",
                    least=steps.least,
                    greatest=steps.greatest,
                    median=steps.median,
                )
            text = listed((text, words), "clauses")
        told.append((say("Frames"), text))
        told.append((say("Size"), say_count("1 byte", "{count:,} bytes", count=snapshot.size)))
        told.append((say("Actors"), "..."))
        told.append((say("Collisions"), "..."))
        return told

    def _fact(self, words: str, text: str) -> None:
        label = Label(self.theme, words, "font", "muted")
        label.setFixedWidth(self._width)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value = ElidedLabel(self.theme, text) if words else Label(self.theme, text, "small", "muted", wraps=True)
        value.setToolTip(text)
        self.body.addLayout(fill(QHBoxLayout(), label, (value, 1), spacing=8))
        self.facts[words] = value

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

    def _show(self, found: Figures) -> None:
        actors = listed(say(_CLASSES[name], count=count) for name, count in found.classes.most_common())
        hits = found.collisions
        told = say_count("{hits:,} in 1 record", "{hits:,} in {count:,} records", count=hits[0], hits=hits[1])
        for words, text in ((say("Actors"), actors or say("none")), (say("Collisions"), told)):
            self.facts[words].setText(text)
            self.facts[words].setToolTip(text)
        self._fill(found.counts)
        if len(self.snapshot):
            self.plot.show_sizes(found.sizes, self.snapshot.elapsed)
            self._stack.setCurrentIndex(1)
        else:
            self.empty.set_text(say("No frames in this file"))

    def _fill(self, counts: dict[int, PacketCount]) -> None:
        order = sorted(counts.items(), key=lambda pair: -pair[1].bytes)
        whole = max(1, self.snapshot.size)
        named = [(say(self.snapshot.dialect.packet(number).name), found) for number, found in order]
        rows = [(name, f"{found.count:,}", f"{found.records:,}", f"{found.bytes:,}") for name, found in named]
        self.table.show_rows(rows)
        for row, (name, found) in enumerate(named):
            for column in range(self.table.columnCount()):
                if (item := self.table.item(row, column)) is not None:
                    share = f"{100 * found.bytes / whole:.1f}"
                    item.setToolTip(say("{name}: {share} % of the file", name=name, share=share))


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
        rises = bool(np.isfinite(elapsed).all() and (elapsed[1:] >= elapsed[:-1]).all())
        starts = sizes.edges[:-1]
        if rises:
            self._times = elapsed[starts]
        else:
            self._times = starts + 1.0
        if rises:
            self._axis = "s"
        else:
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
        for (name, color), sign in reversed(list(zip(self._bands, SIGNS, strict=False))):
            self.legend.addItem(pg.ScatterPlotItem(symbol=sign, size=9, pen=None, brush=palette.color(color)), name)
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
        """What the recording's bytes are spent on at a time: a line for each band, the uppermost first."""
        if self._sizes is None:
            return ""
        column = int(np.clip(np.searchsorted(self._times, x, side="right") - 1, 0, len(self._times) - 1))
        values = np.diff(self._stacked[:, column], prepend=0)
        sizes = zip(self._bands, values, strict=True)
        lines = []
        for (name, _), size in sizes:
            lines.append(say("{name}: {size:,.0f}", name=name, size=size))
        first, last = int(self._sizes.edges[column]) + 1, int(self._sizes.edges[column + 1])
        head = say("frame {frame:,}", frame=first)
        if last > first:
            head = say("frames {first:,} to {last:,}", first=first, last=last)
        return "\n".join([head, *reversed(lines)])

    def spoken(self) -> Spoken:
        """What is drawn, for a screen reader."""

        def line(column: int) -> str:
            return listed(self.told_at(float(self._times[column])).split("\n"), "clauses")

        return Spoken(len(self._times), line)

    def _tell(self, point: QPointF) -> None:
        box = self.plot.vb
        if box.sceneBoundingRect().contains(point):
            self.view.setToolTip(self.told_at(box.mapSceneToView(point).x()))
