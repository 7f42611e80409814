"""The XY plot: a dot for each frame, one signal against another; those of the chosen frames stand out."""

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor

from ....arrays import AnyArray, BoolArray, FloatArray
from ....reading.events import STANDARD, Thresholds
from ....texts import say
from ....views.signal_scale import round_limits
from ...style.colors import with_alpha
from ...style.theme import Theme
from ...widgets.copied import Copied, copied_table, heading
from ...widgets.screen_reader import Spoken, spoken_lines
from .axis_choice import Pair
from .chosen_frames import ChosenFrames
from .series import number_text
from .side_plot import CACHED, SidePlot, ValueTag
from .signal_limits import limits_of

MOST_DOTS = 20_000
"""Of more dots a density is drawn."""

CELL = 2
"""Pixels of a side of a square of the density."""

_STEPS = 5
_DOT = 5.2
_OTHER_DOT = 4.4
_RING = 10
_REACH = 8.0
"""Pixels from a dot within which the pointer means it."""

_LINE = 0.35
"""Opacity of the line through the dots of the range, and of the cross hairs."""

_HOLLOW = 1.2
_MOST_LINKED = 1.5
"""Frames further apart are not linked by a line."""


class _Marks(pg.ScatterPlotItem):
    """Symbols that leave clicks to the plot."""

    def __init__(self, size: float, z: int = 0) -> None:
        super().__init__(size=size, pen=None)
        self.setZValue(z)

    def mouseClickEvent(self, event: QEvent) -> None:
        event.ignore()


class _Dots:
    """The dots of one pair of signals.

    Attributes:
        pair: The signals.
        x: Their values along X in all frames, float64[n].
        y: Their values along Y, float64[n].
        are_dots: Whether each frame has both values, bool[n].
    """

    def __init__(self, plot: SidePlot) -> None:
        self.pair: Pair | None = None
        self.x = np.zeros(0)
        self.y = np.zeros(0)
        self.are_dots = np.zeros(0, np.bool_)
        self._line = pg.PlotCurveItem()
        self._others = _Marks(_OTHER_DOT)
        self._chosen = _Marks(_DOT)
        self._items = (self._others, self._line, self._chosen)
        for item in self._items:
            item.setCacheMode(CACHED)
            plot.addItem(item, ignoreBounds=True)

    def hold(self, pair: Pair | None, frames: range) -> None:
        """Take the values of a pair of signals; None: of none."""
        self.pair = pair
        self.x = np.zeros(0)
        self.y = np.zeros(0)
        if pair is not None:
            self.x = pair.x.meant(frames)
            self.y = pair.y.meant(frames)
        self.are_dots = np.isfinite(self.x) & np.isfinite(self.y)

    def draw(self, are_chosen: BoolArray, theme: Theme, *, is_only: bool) -> None:
        """Draw the dots.

        Args:
            are_chosen: Whether each frame is chosen, bool[n].
            theme: The theme.
            is_only: Whether no other pair is drawn; else each has its colour, and dots of chosen frames are filled.
        """
        assert self.pair is not None
        palette = theme.palette
        color = palette.selection
        other_brush = pg.mkBrush(palette.grid)
        other_pen = pg.mkPen(None)
        if not is_only:
            color = self.pair.y.color(palette)
            other_brush = pg.mkBrush(palette.field)
            other_pen = pg.mkPen(color, width=_HOLLOW)
        inside = self.are_dots & are_chosen
        outside = self.are_dots & ~are_chosen
        self._others.setData(self.x[outside], self.y[outside], brush=other_brush, pen=other_pen, size=_OTHER_DOT)
        self._chosen.setData(self.x[inside], self.y[inside], brush=pg.mkBrush(color), size=_DOT)
        frames = np.flatnonzero(inside)
        linked = np.append(np.diff(frames) < _MOST_LINKED, [False] * bool(len(frames)))
        pen = pg.mkPen(with_alpha(color, _LINE), width=1)
        self._line.setData(self.x[inside], self.y[inside], connect=linked.astype(np.int32), pen=pen)
        for item in self._items:
            item.setVisible(True)

    def hide(self) -> None:
        """Draw no dot."""
        for item in self._items:
            item.setVisible(False)


class XYPlot(SidePlot):
    """One signal against another, of one actor or of several.

    Attributes:
        pairs: The signals that are plotted against each other.
        chosen: The chosen frames; None before any are known.
        tag: Moment and values of the current frame, or of the dot under the pointer.
        density: The picture of how many dots lie where, of a long recording.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, say("XY plot"))
        self.pairs: Sequence[Pair] = ()
        self.chosen: ChosenFrames | None = None
        self.thresholds: Thresholds = STANDARD
        self._frame = 0
        self._shown: int | None = None
        self._pool: list[_Dots] = []
        self._dots: list[_Dots] = []
        self._limits: list[pg.InfiniteLine] = []
        self.density = pg.ImageItem()
        self.addItem(self.density, ignoreBounds=True)
        self._cross = (pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=0))
        for line in self._cross:
            line.setZValue(15)
            self.addItem(line, ignoreBounds=True)
        self._ends = _Marks(_RING, 20)
        self._rings = _Marks(_RING, 30)
        self._hover_ring = _Marks(_RING + 3, 31)
        for marks in (self._ends, self._rings, self._hover_ring):
            self.addItem(marks, ignoreBounds=True)
        self._end_texts = (pg.TextItem(), pg.TextItem())
        for text in self._end_texts:
            text.setZValue(25)
            self.addItem(text, ignoreBounds=True)
        self.tag = ValueTag(self)
        self.restyle()

    # --- what is shown ----------------------------------------------------------------------------------

    def set_data(self, pairs: Sequence[Pair], chosen: ChosenFrames, thresholds: Thresholds) -> None:
        """Show signals against each other.

        Args:
            pairs: The signals.
            chosen: The chosen frames.
            thresholds: What traffic events are found with.
        """
        is_another = [tuple(pair) for pair in pairs] != [tuple(pair) for pair in self.pairs]
        self.pairs = tuple(pairs)
        self.chosen = chosen
        self.thresholds = thresholds
        self._shown = None
        while len(self._pool) < len(pairs):
            self._pool.append(_Dots(self))
        # Dots that are not needed stay, hidden: an item that is taken out of a scene may still be asked for by Qt.
        self._dots = self._pool[: len(pairs)]
        for index, dots in enumerate(self._pool):
            dots.hold(pairs[index] if index < len(pairs) else None, chosen.all_frames)
        if is_another:
            self.history.clear()
            self._is_whole = True
        self.set_whole(round_limits(self._values("x")), round_limits(self._values("y")))
        self._draw()

    def copied(self) -> Copied | None:
        """Return the values of the chosen frames that have a dot: X and Y of each pair, with their frames and times."""
        chosen = self.chosen
        if chosen is None or not self._dots:
            return None
        heads = [say("Frame"), say("Time [s]") if chosen.axis.in_seconds else say("Time")]
        has_dot = np.zeros(len(chosen.are_chosen), np.bool_)
        for dots in self._dots:
            assert dots.pair is not None
            for trace in (dots.pair.x, dots.pair.y):
                heads.append(heading(trace.title, trace.unit))
            has_dot |= dots.are_dots
        rows = []
        for frame in np.flatnonzero(has_dot & chosen.are_chosen).tolist():
            cells = [str(frame + 1), repr(float(chosen.axis.times[frame]))]
            for dots in self._dots:
                for value in (float(dots.x[frame]), float(dots.y[frame])):
                    cells.append(repr(value) if math.isfinite(value) else "")
            rows.append(cells)
        return copied_table(heads, rows)

    def _values(self, axis: str) -> FloatArray:
        """Return the values along an axis, "x" or "y", of all dots, float64[n]."""
        values = [np.zeros(0)]
        for dots in self._dots:
            values.append(getattr(dots, axis)[dots.are_dots])
        return np.concatenate(values)

    @property
    def dot_count(self) -> int:
        """How many dots there are."""
        return sum(int(np.count_nonzero(dots.are_dots)) for dots in self._dots)

    @property
    def is_dense(self) -> bool:
        """Whether there are so many dots that their density is drawn."""
        return self.dot_count > MOST_DOTS

    def restyle(self) -> None:
        super().restyle()
        palette = self.theme.palette
        for line in self._cross:
            line.setPen(pg.mkPen(with_alpha(palette.text, _LINE), width=1))
        self._ends.setPen(pg.mkPen(palette.selection, width=1.4))
        self._ends.setBrush(pg.mkBrush(None))
        self._hover_ring.setBrush(pg.mkBrush(None))
        self._rings.setPen(pg.mkPen(palette.text, width=2))
        self._rings.setBrush(pg.mkBrush(palette.field))
        self._hover_ring.setPen(pg.mkPen(palette.text, width=1.2))
        for text in self._end_texts:
            text.setFont(self.theme.small)
            text.setColor(palette.text)
        self.tag.restyle()
        self._draw()

    def _draw(self) -> None:
        """Draw dots, thresholds, the ends of the range and the current frame."""
        chosen = self.chosen
        if chosen is None:
            return
        for dots in self._pool:
            if dots.pair is None or self.is_dense:
                dots.hide()
            else:
                dots.draw(chosen.are_chosen, self.theme, is_only=len(self.pairs) == 1)
        self._draw_limits()
        self._draw_ends(chosen)
        self.draw_part()
        self.go_to(self._frame)

    def _draw_limits(self) -> None:
        """Draw the thresholds of the signals as lines: those along X upright."""
        limits: dict[tuple[float, float], QColor] = {}
        for pair in self.pairs:
            for trace, angle in ((pair.x, 90.0), (pair.y, 0.0)):
                for limit in limits_of(trace, self.thresholds):
                    limits[angle, limit.value] = self.theme.palette.color(limit.color)
        while len(self._limits) < len(limits):
            line = pg.InfiniteLine()
            line.setZValue(1)
            self._limits.append(line)
            self.addItem(line, ignoreBounds=True)
        for line in self._limits[len(limits) :]:
            line.hide()
        for line, ((angle, value), color) in zip(self._limits, limits.items(), strict=False):
            line.setAngle(angle)
            line.setPos(value)
            line.setPen(pg.mkPen(color, width=1, style=Qt.PenStyle.DashLine))
            line.show()

    def _draw_ends(self, chosen: ChosenFrames) -> None:
        """Draw a ring around the first and the last dot of a range of one pair, with its moment."""
        places = []
        if len(self._dots) == 1 and not chosen.are_brushed and not chosen.are_all:
            dots = self._dots[0]
            frames = np.flatnonzero(dots.are_dots & chosen.are_chosen)
            if len(frames) > 1:
                places = [int(frames[0]), int(frames[-1])]
        for text in self._end_texts[len(places) :]:
            text.hide()
        spots = []
        low, high = self.box.viewRange()[0]
        for frame, text in zip(places, self._end_texts, strict=False):
            x = float(self._dots[0].x[frame])
            y = float(self._dots[0].y[frame])
            spots.append({"pos": (x, y)})
            moment = chosen.axis.label_of(frame)
            if frame == places[0]:
                text.setText(say("{moment}, first", moment=moment))
            else:
                text.setText(say("{moment}, last", moment=moment))
            text.setAnchor((1.0, 1.2) if x > (low + high) / 2 else (0.0, 1.2))
            text.setPos(x, y)
            text.show()
        self._ends.setData(spots)

    def draw_part(self) -> None:
        """Draw the density of the visible part, where there are too many dots."""
        self._uncover_ends()
        self.density.setVisible(self.is_dense)
        if not self.is_dense or self.chosen is None:
            return
        (low, high), (bottom, top) = self.box.viewRange()
        columns = max(1, round(self.box.width() / CELL))
        rows = max(1, round(self.box.height() / CELL))
        others = np.zeros((columns, rows))
        inside = np.zeros((columns, rows))
        for dots in self._dots:
            for counts, are_meant in ((inside, self.chosen.are_chosen), (others, ~self.chosen.are_chosen)):
                is_shown = dots.are_dots & are_meant
                histogram, _, _ = np.histogram2d(
                    dots.x[is_shown], dots.y[is_shown], bins=(columns, rows), range=((low, high), (bottom, top))
                )
                counts += histogram
        picture = np.zeros((columns, rows, 4), np.uint8)
        _tint(picture, others, self.theme.palette.grid)
        _tint(picture, inside, self.theme.palette.selection)
        self.density.setImage(picture, levels=(0, 255))
        self.density.setRect(QRectF(low, bottom, high - low, top - bottom))

    # --- the current frame ------------------------------------------------------------------------------

    def go_to(self, frame: int) -> None:
        """Show another frame as the current one."""
        self._frame = frame
        spots = []
        for dots in self._dots:
            if frame < len(dots.x) and dots.are_dots[frame]:
                spots.append({"pos": (float(dots.x[frame]), float(dots.y[frame]))})
        self._rings.setData(spots)
        for line in self._cross:
            line.setVisible(bool(spots))
        if spots:
            self._cross[0].setPos(spots[0]["pos"][0])
            self._cross[1].setPos(spots[0]["pos"][1])
        if self._shown is None:
            self._show_tag(frame)

    def _show_tag(self, frame: int) -> None:
        """Show moment and values of a frame beside its first dot."""
        for dots in self._dots:
            if frame < len(dots.x) and dots.are_dots[frame]:
                self.tag.show_at(float(dots.x[frame]), float(dots.y[frame]), self._text_of(dots, frame))
                self._uncover_ends()
                return
        self.tag.hide()
        self._uncover_ends()

    def _uncover_ends(self) -> None:
        """Hide the words of an end that the tag would cut."""
        for text in self._end_texts:
            text.updateTransform(force=True)  # it is placed when it is painted, which what is hidden never is
            text.setOpacity(0.0 if self.tag.rect.intersects(text.sceneBoundingRect()) else 1.0)

    def _text_of(self, dots: _Dots, frame: int) -> str:
        """Return moment and values of a dot: `22.000 s   3.220 s   4.030 m/s`."""
        assert self.chosen is not None
        assert dots.pair is not None
        parts = [self.chosen.axis.label_of(frame)]
        if len(self._dots) > 1 and dots.pair.y.key.actor is not None:
            parts.append(str(dots.pair.y.key.actor))
        for trace, values in ((dots.pair.x, dots.x), (dots.pair.y, dots.y)):
            parts.append(f"{number_text(float(values[frame]))} {trace.unit}".rstrip())
        return "   ".join(parts)

    # --- mouse ------------------------------------------------------------------------------------------

    def _nearest(self, point: QPointF) -> tuple[_Dots, int] | None:
        """Return the dot within reach of a point of the scene that is nearest: its pair and its frame."""
        place = self.box.mapSceneToView(point)
        width, height = self.box.viewPixelSize()
        best = None
        least = _REACH
        for dots in self._dots:
            if not dots.are_dots.any():
                continue
            with np.errstate(all="ignore"):  # of dots far outside, or of a part too small to be told apart
                distances = np.hypot((dots.x - place.x()) / width, (dots.y - place.y()) / height)
            distances[np.isnan(distances)] = np.inf
            frame = int(np.argmin(distances))
            if distances[frame] <= least:
                least = float(distances[frame])
                best = (dots, frame)
        return best

    def frame_at(self, point: QPointF) -> int | None:
        nearest = self._nearest(point)
        return nearest[1] if nearest is not None else None

    def show_pointed(self, frame: int | None) -> None:
        """Draw a ring and the tag at the dot under the pointer; without one the tag is that of the current frame."""
        self._shown = frame
        self._hover_ring.setData([])
        if frame is None:
            self._show_tag(self._frame)
            return
        spots = []
        for dots in self._dots:
            if dots.are_dots[frame]:
                spots.append({"pos": (float(dots.x[frame]), float(dots.y[frame]))})
        self._hover_ring.setData(spots)
        self._show_tag(frame)

    def frames_in(self, rect: QRectF) -> BoolArray:
        count = len(self.chosen.are_chosen) if self.chosen is not None else 0
        are_in = np.zeros(count, np.bool_)
        with np.errstate(invalid="ignore"):
            for dots in self._dots:
                is_across = (dots.x >= rect.left()) & (dots.x <= rect.right())
                is_up = (dots.y >= rect.top()) & (dots.y <= rect.bottom())
                are_in |= is_across & is_up
        return are_in

    def spoken(self) -> Spoken:
        """Return the values in the current frame, for a screen reader."""
        lines = []
        for dots in self._dots:
            if self._frame < len(dots.x) and dots.are_dots[self._frame]:
                lines.append(self._text_of(dots, self._frame))
        return spoken_lines(lines, 0 if lines else -1)


def _tint(picture: AnyArray, counts: FloatArray, color: QColor) -> None:
    """Colour the cells that have dots, in five steps by how many they have.

    Args:
        picture: The picture, uint8[columns, rows, 4].
        counts: How many dots are in each cell, float64[columns, rows].
        color: The colour of the most.
    """
    most = counts.max(initial=0.0)
    if most <= 0:
        return
    steps = np.ceil(_STEPS * np.log1p(counts) / np.log1p(most))
    has_dots = counts > 0
    picture[has_dots, :3] = (color.red(), color.green(), color.blue())
    picture[has_dots, 3] = (255 * (0.25 + 0.75 * steps[has_dots] / _STEPS)).astype(np.uint8)
