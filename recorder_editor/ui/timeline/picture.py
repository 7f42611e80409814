"""The picture of the timeline, but for the cursor: overview, ruler, lanes, lives, what is cut away, the handles.

It is painted from what it is given and changes nothing; knows no mouse.
"""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from ...analysis.constants import RISK_TTC
from ..colors import with_alpha
from ..signal_key import OFF_SCALE
from .axis import Integers
from .drawing import LEFT, Drawing, tr
from .lane_picture import LanePicture
from .layout import GRIP, OVERVIEW, RULER, SIDES, Side, TimelineLayout
from .life_picture import LifePicture

_HEAT = 2  # pixels for each level of risk


class Picture(Drawing):
    """One painting of a layout. Attribute: `labels` (where the words of the ruler stand)."""

    def __init__(self, layout: TimelineLayout, painter: QPainter) -> None:
        super().__init__(layout, painter)
        self.labels: list[QRectF] = []

    def paint(self) -> None:
        """All of it."""
        layout, axis = self.layout, self.axis
        top = layout.lanes_top
        self.painter.fillRect(QRectF(axis.left, top, axis.width, layout.height - top), self.palette.in_range)
        self._overview()
        self._ruler()
        lanes = LanePicture(layout, self.painter)
        for lane in layout.lanes:
            lanes.paint(lane)
        LifePicture(layout, self.painter).paint()
        self._cut()
        self._handles()

    # --- overview and ruler -----------------------------------------------------------------------------

    def _overview(self) -> None:
        layout, axis, painter = self.layout, self.axis, self.painter
        height = layout.theme.px(OVERVIEW)
        self.name("Overview", 0, height)
        lane = QRectF(axis.left, 2, axis.width, height - 3)
        painter.fillRect(lane, self.palette.in_range if layout.session.range.is_set else self.palette.field)
        self._silhouette(lane)
        self._heat(lane)
        actors = layout.session.actors
        if actors is not None and len(actors.collisions):
            hits = axis.whole().pixels(actors.collisions["frame_index"])
            painter.setPen(QPen(self.palette.error, 1))
            painter.drawLines([QLineF(x + 0.5, lane.bottom() - 5, x + 0.5, lane.bottom()) for x in hits])
        starts, stops = map(axis.whole().xs, layout.marks.lost)
        self.lost(starts, stops, lane.top(), lane.height())
        if layout.session.range.is_set:
            span = layout.session.range.frames
            left, right = (
                layout.overview_x(float(axis.times[span.start])),
                layout.overview_x(axis.end_of(span.stop - 1)),
            )
            for low, high in self._gone(lane.left(), left, right, lane.right()):
                self.hatch(QRectF(low, lane.top(), high - low, lane.height()))
        if not axis.is_whole:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.palette.muted, 1))
            painter.drawRoundedRect(layout.window_rect(), 2, 2)

    def _silhouette(self, lane: QRectF) -> None:
        """How much the frames hold, column by column."""
        weights = self.layout.marks.weights
        columns = self._columns(lane, len(weights))
        if not len(columns):
            return
        peaks = np.maximum.reduceat(weights, columns)
        low = 0.35 * float(np.median(weights))
        share = np.clip((peaks - low) / max(float(np.percentile(peaks, 98)) - low, 1.0), 0.05, 1.0)
        tops = lane.bottom() - share * (lane.height() - 6)
        points = [QPointF(lane.left() + i, y) for i, y in enumerate(tops.tolist())]
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.palette.overview)
        self.painter.drawPolygon(QPolygonF([lane.bottomLeft(), *points, lane.bottomRight()]))

    def _columns(self, lane: QRectF, frames: int) -> Integers:
        """The first frame of each pixel column of the overview; none where there is too little of either."""
        count, axis = int(lane.width()), self.axis
        if count < 2 or not frames:
            return np.zeros(0, np.int64)
        starts = np.linspace(axis.first, axis.last, count + 1)[:-1]
        return np.clip(np.searchsorted(axis.times, starts, side="right") - 1, 0, frames - 1)

    def _heat(self, lane: QRectF) -> None:
        """How near it comes to a collision, column by column: the nearer, the taller and hotter."""
        analysis = self.layout.session.traffic.shown
        if analysis is None or len(analysis.least_ttc) != len(self.axis.times):
            return
        columns = self._columns(lane, len(analysis.least_ttc))
        if not len(columns):
            return
        least = np.minimum.reduceat(analysis.least_ttc, columns)
        inks = with_alpha(self.palette.warning, 0.4), self.palette.warning, self.palette.error
        for level, (below, ink) in enumerate(zip((OFF_SCALE["ttc"], *RISK_TTC), inks, strict=True)):
            is_low = np.concatenate(([False], least < below, [False]))
            ends = np.flatnonzero(is_low[1:] != is_low[:-1]).reshape(-1, 2).tolist()
            for start, stop in ends:
                self.painter.fillRect(QRectF(lane.left() + start, lane.top(), stop - start, _HEAT * (level + 1)), ink)

    def _ruler(self) -> None:
        layout, axis, painter = self.layout, self.axis, self.painter
        theme = layout.theme
        top, height = theme.px(OVERVIEW), theme.px(RULER)
        metrics = theme.metrics(theme.small)
        taken = [rect for which in layout.handles() for rect in (layout.grip(which), self._handle_words(which)[0])]
        painter.setFont(theme.small)
        for time, text in axis.ticks():
            x, width = axis.x(time), metrics.horizontalAdvance(text)
            if not axis.left <= x <= axis.left + axis.width:
                continue
            painter.setPen(self.palette.edge)
            painter.drawLine(QPointF(x, top + height - 4), QPointF(x, top + height - 1))
            label = QRectF(x - width / 2 - 1, top, width + 2, height - 3)
            inside = label.left() >= axis.left - 2 and label.right() <= layout.width
            if inside and not any(label.intersects(rect) for rect in taken):
                painter.setPen(self.palette.muted)
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
                self.labels.append(label)
        if not axis.in_seconds:
            self.name("By frame number", top, height)

    # --- the range --------------------------------------------------------------------------------------

    def _cut(self) -> None:
        """What is cut away: hatched over everything, and still readable."""
        layout, axis = self.layout, self.axis
        if not layout.session.range.is_set:
            return
        top, end = layout.lanes_top, axis.left + axis.width
        start, stop = (max(min(layout.handle_x(which), end), axis.left) for which in SIDES)
        for left, right in self._gone(axis.left, start, stop, end):
            if right > left:
                self.hatch(QRectF(left, top, right - left, layout.height - top))

    def _gone(self, first: float, start: float, stop: float, last: float) -> tuple[tuple[float, float], ...]:
        """The stretches that do not stay: those around the range, or the range."""
        return ((start, stop),) if self.layout.goes else ((first, start), (stop, last))

    def _handle_words(self, which: Side) -> tuple[QRectF, str]:
        """Where the number of the first or last frame that stays is written, and how; nowhere when it is not.

        Beside it in what stays; of a range that is too narrow for both, outside.
        """
        layout = self.layout
        span, metrics = layout.session.range.frames, layout.theme.metrics(layout.theme.small)
        number = self._frame_at(which)
        if not (layout.names_frames and layout.session.range.is_set) or not 1 <= number <= layout.session.frames:
            return QRectF(), ""
        first, last = (tr("frame %1").replace("%1", f"{number:,}") for number in (span.start + 1, span.stop))
        needed = metrics.horizontalAdvance(first + last) + 2 * (GRIP[0] + 8)
        inside = layout.goes or layout.handle_x("out") - layout.handle_x("in") >= needed
        text = tr("frame %1").replace("%1", f"{number:,}")
        grip, width = layout.grip(which), metrics.horizontalAdvance(text) + 2
        to_the_right = layout.points_right(which) == inside
        left = grip.right() + 5 if to_the_right else grip.left() - 5 - width
        return QRectF(left, grip.top(), width, grip.height()), text

    def _frame_at(self, which: Side) -> int:
        """The frame that stays at a handle, counted from 1; beyond the recording where nothing stays there."""
        span, goes = self.layout.session.range.frames, self.layout.goes
        return (span.start if goes else span.start + 1) if which == "in" else span.stop + 1 if goes else span.stop

    def _handles(self) -> None:
        layout, painter, palette = self.layout, self.painter, self.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        handles = layout.handles()
        for which in handles:
            x, grip = layout.handle_x(which), layout.grip(which)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.selection)
            if layout.session.range.is_set:
                painter.drawRect(QRectF(x - 1, grip.top() + 1, 2, layout.height - grip.top() - 1))
            painter.setPen(QPen(palette.text, 1) if which == layout.held else Qt.PenStyle.NoPen)
            painter.drawRoundedRect(grip.adjusted(-1, -1, 1, 1) if which == layout.held else grip, 2, 2)
            painter.setPen(QPen(palette.on_selection, 1))
            middle = grip.center()
            painter.drawLines(
                [QLineF(middle.x() + by, middle.y() - 3, middle.x() + by, middle.y() + 3) for by in (-1.5, 1.5)]
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(layout.theme.small)
        painter.setPen(palette.selection)
        for which in handles:
            place, text = self._handle_words(which)
            painter.drawText(place, LEFT, text)
            if text:
                self.labels.append(place)
