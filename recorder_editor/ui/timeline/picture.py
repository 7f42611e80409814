"""The picture of the lanes, but for the cursor: overview, ruler, events, lives, what is cut away, the handles.

It is painted from what it is given and changes nothing; knows no mouse.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from ...recording.lives import Life
from ..describe import icon_of
from ..palette import with_alpha
from ..session import Session
from ..theme import Theme
from .axis import Axis, Integers, Reals
from .lives import Roster, bar_of
from .marks import BORN, COLLISION, GONE, Marks, Problems

OVERVIEW, RULER, LANE, HEADING, GAP = 26, 18, 18, 16, 2
GRIP = (9.0, 16.0)
KEPT_AND_LOST = "Kept and lost"
RISK = "Risk"
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Side = Literal["in", "out"]
_SIDES: tuple[Side, Side] = ("in", "out")


@dataclass(frozen=True)
class Lane:
    """A line of marks: `name`, the `kinds` of events in it (none: something else), `top`."""

    name: str
    kinds: tuple[int, ...]
    top: int


@dataclass(frozen=True, eq=False)
class Sheet:
    """What the picture is painted from.

    Attributes: `lanes`, `lives_top` (where the line that names the lives begins), `life_height`, `first_row`, `rows`
    (life rows in sight), `is_folded`, `names_frames` (the handles carry frame numbers), `width`, `height`.
    """

    session: Session
    theme: Theme
    axis: Axis
    marks: Marks
    problems: Problems
    roster: Roster
    lanes: tuple[Lane, ...]
    lives_top: int
    life_height: int
    first_row: int
    rows: int
    is_folded: bool
    names_frames: bool
    width: int
    height: int

    @property
    def lanes_top(self) -> int:
        """The end of the ruler."""
        return self.theme.px(OVERVIEW) + self.theme.px(RULER)

    def life_y(self, row: int) -> int:
        """The top of a life row, counted from the first one in sight."""
        return self.lives_top + self.theme.px(HEADING) + row * self.life_height

    def overview_x(self, time: float) -> float:
        """The pixel of a moment in the overview."""
        axis = self.axis
        return axis.left + (time - axis.first) / max(axis.last - axis.first, 1e-9) * axis.width

    def window_rect(self) -> QRectF:
        """The frame in the overview around what is in sight."""
        left, right = self.overview_x(self.axis.low), self.overview_x(self.axis.high)
        return QRectF(left + 0.5, 1.5, max(6.0, right - left - 1), self.theme.px(OVERVIEW) - 2)

    def handle_x(self, which: Side) -> float:
        """The pixel of in or out."""
        span = self.session.range
        return self.axis.x(float(self.axis.times[span.start]) if which == "in" else self.axis.end_of(span.stop - 1))

    def grip(self, which: Side) -> QRectF:
        """Where a handle is taken hold of: it points into what stays."""
        x, top = self.handle_x(which), self.theme.px(OVERVIEW) + 1
        return QRectF(x - 1 if self.points_right(which) else x + 1 - GRIP[0], top, *GRIP)

    def points_right(self, which: Side) -> bool:
        """What stays lies to the right of a handle: of in, and of out where the range goes."""
        return (which == "in") != self.goes

    @property
    def goes(self) -> bool:
        """The range is what goes, and the rest stays."""
        return self.session.cuts and self.session.has_range

    def risk_spans(self) -> tuple[Reals, Reals]:
        """The pixels at which the stretches at risk begin and end, in their order: float64[n] each."""
        analysis, axis = self.session.traffic.shown, self.axis
        if analysis is None or not len(axis.times):
            return np.zeros(0), np.zeros(0)
        behind = analysis.risks["last"] + 1
        stops = np.where(behind < len(axis.times), axis.at(behind), axis.last)
        return axis.xs(axis.at(analysis.risks["first"])), axis.xs(stops)

    def handles(self) -> list[Side]:
        """The handles that are in sight; where there is room for words, those at the ends of the whole as well."""
        if not self.session.frames or not (self.session.has_range or self.names_frames):
            return []
        low, high = self.axis.left - 2, self.axis.left + self.axis.width + 2
        return [which for which in _SIDES if low <= self.handle_x(which) <= high]


class Picture:
    """One painting of a sheet. Attribute: `labels` (where the words of the ruler stand)."""

    def __init__(self, sheet: Sheet, painter: QPainter) -> None:
        self.sheet = sheet
        self.painter = painter
        self.labels: list[QRectF] = []
        self._palette = sheet.theme.palette
        self._axis = sheet.axis

    def paint(self) -> None:
        """All of it."""
        sheet, axis = self.sheet, self._axis
        top = sheet.lanes_top
        self.painter.fillRect(QRectF(axis.left, top, axis.width, sheet.height - top), self._palette.in_range)
        self._overview()
        self._ruler()
        for lane in sheet.lanes:
            self._lane(lane)
        self._lives()
        self._cut()
        self._handles()

    # --- words and hatches ------------------------------------------------------------------------------

    def _tr(self, text: str) -> str:
        return QCoreApplication.translate("Timeline", text)

    def _name(self, text: str, top: int, height: int) -> None:
        theme = self.sheet.theme
        self.painter.setFont(theme.small)
        self.painter.setPen(self._palette.muted)
        room = int(self._axis.left) - theme.px(12) - 4
        text = theme.metrics(theme.small).elidedText(self._tr(text), Qt.TextElideMode.ElideRight, room)
        self.painter.drawText(QRect(theme.px(12), top, room, height), LEFT, text)

    def _hatch(self, rect: QRectF, color: QColor | None = None, step: int = 8) -> None:
        """Lines at 45 degrees; without a colour those of what is cut away, over a veil."""
        if rect.width() <= 0:
            return
        painter = self.painter
        painter.save()
        painter.setClipRect(rect)
        if color is None:
            painter.fillRect(rect, with_alpha(self._palette.cut, 0.62))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color or self._palette.hatch, 1))
        height = rect.height()
        first = int((rect.left() - height) // step) * step
        painter.drawLines(
            [QLineF(x, rect.bottom(), x + height, rect.top()) for x in range(first, int(rect.right()) + step, step)]
        )
        painter.restore()

    def _lost(self, rect: QRectF) -> None:
        """A stretch that is lost: hatched in the colour of damage, with a frame."""
        self.painter.fillRect(rect, self._palette.window)
        self._hatch(rect, self._palette.error, 5)
        self.painter.setPen(QPen(self._palette.error, 1))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))

    def _lost_spans(self, left: list[float], right: list[float]) -> list[tuple[float, float]]:
        """Pixel spans of the gaps, each at least 6 wide, those that touch as one."""
        spans: list[tuple[float, float]] = []
        for low, high in zip(left, right, strict=True):
            if high - low < 6:
                low, high = (low + high) / 2 - 3, (low + high) / 2 + 3
            if spans and low <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(high, spans[-1][1]))
            else:
                spans.append((low, high))
        begin, end = self._axis.left, self._axis.left + self._axis.width
        return [(max(low, begin), min(high, end)) for low, high in spans if high > begin and low < end]

    # --- overview and ruler -----------------------------------------------------------------------------

    def _overview(self) -> None:
        sheet, axis, painter = self.sheet, self._axis, self.painter
        height = sheet.theme.px(OVERVIEW)
        self._name("Overview", 0, height)
        lane = QRectF(axis.left, 2, axis.width, height - 3)
        painter.fillRect(lane, self._palette.in_range if sheet.session.has_range else self._palette.field)
        self._silhouette(lane)
        actors = sheet.session.actors
        if actors is not None and len(actors.collisions):
            hits = self._whole().pixels(actors.collisions["frame_index"])
            painter.setPen(QPen(self._palette.error, 1))
            painter.drawLines([QLineF(x + 0.5, lane.bottom() - 5, x + 0.5, lane.bottom()) for x in hits])
        gaps = sheet.marks.gaps
        starts, stops = [sheet.overview_x(gap.start) for gap in gaps], [sheet.overview_x(gap.stop) for gap in gaps]
        for low, high in self._lost_spans(starts, stops):
            self._lost(QRectF(low, lane.top(), high - low, lane.height()))
        if sheet.session.has_range:
            span = sheet.session.range
            left, right = sheet.overview_x(float(axis.times[span.start])), sheet.overview_x(axis.end_of(span.stop - 1))
            for low, high in self._gone(lane.left(), left, right, lane.right()):
                self._hatch(QRectF(low, lane.top(), high - low, lane.height()))
        if not axis.is_whole:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._palette.muted, 1))
            painter.drawRoundedRect(sheet.window_rect(), 2, 2)

    def _whole(self) -> Axis:
        return self._axis.whole()

    def _silhouette(self, lane: QRectF) -> None:
        """How much the frames hold, column by column."""
        weights, columns, axis = self.sheet.marks.weights, int(lane.width()), self._axis
        if columns < 2 or not len(weights):
            return
        edges = np.searchsorted(axis.times, np.linspace(axis.first, axis.last, columns + 1)[:-1], side="right") - 1
        peaks = np.maximum.reduceat(weights, np.clip(edges, 0, len(weights) - 1))
        low = 0.35 * float(np.median(weights))
        share = np.clip((peaks - low) / max(float(np.percentile(peaks, 98)) - low, 1.0), 0.05, 1.0)
        tops = lane.bottom() - share * (lane.height() - 6)
        points = [QPointF(lane.left() + i, y) for i, y in enumerate(tops.tolist())]
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self._palette.overview)
        self.painter.drawPolygon(QPolygonF([lane.bottomLeft(), *points, lane.bottomRight()]))

    def _ruler(self) -> None:
        sheet, axis, painter = self.sheet, self._axis, self.painter
        theme = sheet.theme
        top, height = theme.px(OVERVIEW), theme.px(RULER)
        metrics = theme.metrics(theme.small)
        taken = [rect for which in sheet.handles() for rect in (sheet.grip(which), self._handle_words(which)[0])]
        painter.setFont(theme.small)
        for time, text in axis.ticks():
            x, width = axis.x(time), metrics.horizontalAdvance(text)
            if not axis.left <= x <= axis.left + axis.width:
                continue
            painter.setPen(self._palette.edge)
            painter.drawLine(QPointF(x, top + height - 4), QPointF(x, top + height - 1))
            label = QRectF(x - width / 2 - 1, top, width + 2, height - 3)
            inside = label.left() >= axis.left - 2 and label.right() <= sheet.width
            if inside and not any(label.intersects(rect) for rect in taken):
                painter.setPen(self._palette.muted)
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
                self.labels.append(label)
        if not axis.in_seconds:
            self._name("By frame number", top, height)

    # --- lanes ------------------------------------------------------------------------------------------

    def _lane(self, lane: Lane) -> None:
        height = self.sheet.theme.px(LANE)
        self._name(lane.name, lane.top, height)
        if lane.name == KEPT_AND_LOST:
            self._kept_and_lost(lane.top + height / 2)
        elif lane.name == RISK:
            self._risks(lane, height)
        elif BORN in lane.kinds:
            self._births(lane, height)
        elif lane.kinds:
            self._ticks(lane, height)
        else:
            self._signs(lane.top + height / 2, [])

    def _pixels(self, kind: int) -> list[int]:
        actors = self.sheet.session.actors
        where = self.sheet.marks.events.get(kind)
        if actors is None or where is None or not len(where):
            return []
        frames: Integers = actors.events["frame_index"][where]
        return self._axis.pixels(frames)

    def _nothing(self, lane: Lane, text: str) -> None:
        """An empty lane says so, where it is not cut away."""
        sheet, axis = self.sheet, self._axis
        start = max(axis.left, sheet.handle_x("in")) if sheet.session.has_range and not sheet.goes else axis.left
        if start > axis.left + axis.width - sheet.theme.px(60):
            start = axis.left
        self.painter.setFont(sheet.theme.small)
        self.painter.setPen(self._palette.muted)
        self.painter.drawText(QRectF(start + 14, lane.top, 300, sheet.theme.px(LANE)), LEFT, self._tr(text))

    def _births(self, lane: Lane, height: int) -> None:
        marks, painter = self.sheet.marks, self.painter
        if BORN not in marks.later and not len(marks.events.get(GONE, ())):
            self._nothing(lane, "none after the first frame")
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        low, high, tip = lane.top + height - 3.0, lane.top + 3.0, 3.0
        for kind, color in ((BORN, self._palette.fine), (GONE, self._palette.muted)):
            painter.setPen(QPen(color, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            end, inner = (high, high + tip) if kind == BORN else (low, low - tip)
            lines = []
            for x in self._pixels(kind):
                lines += [QLineF(x, low, x, high), QLineF(x, end, x - tip, inner), QLineF(x, end, x + tip, inner)]
            painter.drawLines(lines)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _ticks(self, lane: Lane, height: int) -> None:
        if not any(len(self.sheet.marks.events.get(kind, ())) for kind in lane.kinds):
            self._nothing(lane, "none in this recording")
            return
        color = self._palette.error if COLLISION in lane.kinds else self._palette.muted
        for kind in lane.kinds:
            self._strokes(self._pixels(kind), lane.top + 3, height - 6, color)

    def _risks(self, lane: Lane, height: int) -> None:
        """Stretches at risk: low bars for a TTC below 4 s, high ones for one below 2 s."""
        analysis, axis = self.sheet.session.traffic.shown, self._axis
        if analysis is None or not len(analysis.risks):
            self._nothing(lane, "none in this recording" if analysis is not None else "looking...")
            return
        starts, stops = self.sheet.risk_spans()
        seen = (stops >= axis.left) & (starts <= axis.left + axis.width)
        bottom = lane.top + height - 3
        for level, tall, color in ((1, 6, self._palette.warning), (2, height - 5, self._palette.error)):
            meant = seen & (analysis.risks["level"] == level)
            ends = np.maximum(stops[meant], starts[meant] + 2)
            for left, right in np.unique(np.stack((starts[meant], ends), axis=1).astype(np.int64), axis=0).tolist():
                left, right = max(left, round(axis.left)), min(right, round(axis.left + axis.width))
                self.painter.fillRect(QRectF(left, bottom - tall, max(1, right - left), tall), color)

    def _strokes(self, xs: list[int], top: float, height: float, color: QColor) -> None:
        """Upright ticks, 1.5 wide; 1 where there is one at every pixel."""
        width = 1.5 if len(xs) < 2 or xs[-1] - xs[0] >= 2 * (len(xs) - 1) else 1.0
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x in xs:
            self.painter.fillRect(QRectF(x, top, width, height), color)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _signs(self, middle: float, hidden: list[tuple[float, float]]) -> None:
        """Edited: a dot; error: a cross; warning: a triangle. None where something `hidden` tells it already."""
        problems, painter, palette = self.sheet.problems, self.painter, self._palette

        def places(frames: Integers) -> list[int]:
            xs = self._axis.pixels(frames)
            return [x for x in xs if not any(low - 4 <= x <= high + 4 for low, high in hidden)] if hidden else xs

        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.warning)
        for x in places(problems.frames[~problems.is_error]):
            points = [QPointF(x, middle - 4.5), QPointF(x - 4.5, middle + 4), QPointF(x + 4.5, middle + 4)]
            painter.drawPolygon(QPolygonF(points))
        painter.setBrush(palette.edited)
        for x in places(self.sheet.marks.edited):
            painter.drawEllipse(QPointF(x, middle), 2.6, 2.6)
        painter.setPen(QPen(palette.error, 1.6))
        lines = []
        for x in places(problems.frames[problems.is_error]):
            low, high = middle - 3.5, middle + 3.5
            lines += [QLineF(x - 3.5, low, x + 3.5, high), QLineF(x - 3.5, high, x + 3.5, low)]
        painter.drawLines(lines)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _kept_and_lost(self, middle: float) -> None:
        """What is kept is a thin line, the normal case; what is lost is hatched."""
        axis, gaps = self._axis, self.sheet.marks.gaps
        self.painter.fillRect(QRectF(axis.left, middle - 3, axis.width, 6), self._palette.fine)
        spans = self._lost_spans([axis.x(gap.start) for gap in gaps], [axis.x(gap.stop) for gap in gaps])
        for low, high in spans:
            self._lost(QRectF(low, middle - 6, high - low, 12))
        self._signs(middle, spans)

    # --- lives ------------------------------------------------------------------------------------------

    def _lives(self) -> None:
        sheet, theme, painter = self.sheet, self.sheet.theme, self.painter
        top, height = sheet.lives_top, theme.px(HEADING)
        self._name("Actors", top, height)
        x = theme.px(12) + theme.metrics(theme.small).horizontalAdvance(self._tr("Actors")) + 4
        arrow = "chevron-right" if sheet.is_folded else "chevron-down"
        theme.icons.draw(painter, arrow, x, top + (height - 10) // 2, 10, self._palette.muted)
        room = int(self._axis.left) - x - 16
        counted = f"{len(sheet.roster):,}"
        both = f"{sheet.rows}/{counted}"
        if not sheet.is_folded and theme.metrics(theme.small).horizontalAdvance(both) <= room:
            counted = both
        painter.drawText(QRect(x + 14, top, room + 2, height), LEFT, counted)
        chosen = sheet.session.actors_selected
        for row in range(sheet.rows):
            life = sheet.roster.life(row + sheet.first_row)
            self._life(life, sheet.life_y(row), selected=life.actor in chosen)
        if sheet.rows < len(sheet.roster) and sheet.rows:
            self._scroll_bar()

    def _life(self, life: Life, y: int, *, selected: bool) -> None:
        sheet, axis, painter, palette = self.sheet, self._axis, self.painter, self._palette
        theme, height = sheet.theme, sheet.life_height
        end = axis.left + axis.width
        if selected:
            painter.fillRect(QRectF(0, y, end, height), palette.hover)
        theme.icons.draw(painter, icon_of(life), theme.px(13), y + (height - 12) // 2, 12)
        painter.setFont(theme.mono)
        painter.setPen(palette.text if selected else palette.muted)
        painter.drawText(QRect(theme.px(30), y, int(axis.left) - theme.px(30) - 2, height), LEFT, str(life.actor))
        actors = sheet.session.actors
        bar = bar_of(life, axis, sheet.session.survey, actors) if actors is not None else None
        if bar is None:
            return
        color = palette.selection if selected else with_alpha(palette.class_color(life.class_), 0.62)
        middle = y + height // 2
        painter.fillRect(QRectF(bar.left, middle - 1, bar.right - bar.left, 2), color)
        for low, high in bar.driving:
            painter.fillRect(QRectF(low, middle - 4, high - low, 8), color)
        if bar.is_born:
            painter.fillRect(QRectF(bar.left, middle - 4, 1.5, 8), color)
        if bar.is_gone:
            painter.fillRect(QRectF(bar.right - 1.5, middle - 4, 1.5, 8), color)
        ground = palette.hover if selected else palette.in_range
        for gap in sheet.marks.gaps:
            start, stop = max(axis.left, axis.x(gap.start)), min(end, axis.x(gap.stop))
            if stop > start:
                painter.fillRect(QRectF(start, y, stop - start, height), ground)
        self._strokes(bar.hits, middle - 4, 8, palette.error)

    def _scroll_bar(self) -> None:
        """How far down the rows are, at the right edge."""
        sheet = self.sheet
        top, room = sheet.life_y(0), sheet.rows * sheet.life_height
        whole = len(sheet.roster)
        length = max(12.0, room * sheet.rows / whole)
        at = top + (room - length) * sheet.first_row / max(1, whole - sheet.rows)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self._palette.edge)
        self.painter.drawRoundedRect(QRectF(sheet.width - 9, at, 5, length), 2.5, 2.5)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    # --- the range --------------------------------------------------------------------------------------

    def _cut(self) -> None:
        """What is cut away: hatched over everything, and still readable."""
        sheet, axis = self.sheet, self._axis
        if not sheet.session.has_range:
            return
        top, end = sheet.lanes_top, axis.left + axis.width
        start, stop = (max(min(sheet.handle_x(which), end), axis.left) for which in _SIDES)
        for left, right in self._gone(axis.left, start, stop, end):
            if right > left:
                self._hatch(QRectF(left, top, right - left, sheet.height - top))

    def _gone(self, first: float, start: float, stop: float, last: float) -> tuple[tuple[float, float], ...]:
        """The stretches that do not stay: those around the range, or the range."""
        return ((start, stop),) if self.sheet.goes else ((first, start), (stop, last))

    def _handle_words(self, which: Side) -> tuple[QRectF, str]:
        """Where the number of the first or last frame that stays is written, and how; nowhere when it is not.

        Beside it in what stays; of a range that is too narrow for both, outside.
        """
        sheet = self.sheet
        span, metrics = sheet.session.range, sheet.theme.metrics(sheet.theme.small)
        number = self._frame_at(which)
        if not (sheet.names_frames and sheet.session.has_range) or not 1 <= number <= sheet.session.frames:
            return QRectF(), ""
        first, last = (self._tr("frame %1").replace("%1", f"{number:,}") for number in (span.start + 1, span.stop))
        needed = metrics.horizontalAdvance(first + last) + 2 * (GRIP[0] + 8)
        inside = sheet.goes or sheet.handle_x("out") - sheet.handle_x("in") >= needed
        text = self._tr("frame %1").replace("%1", f"{number:,}")
        grip, width = sheet.grip(which), metrics.horizontalAdvance(text) + 2
        to_the_right = sheet.points_right(which) == inside
        left = grip.right() + 5 if to_the_right else grip.left() - 5 - width
        return QRectF(left, grip.top(), width, grip.height()), text

    def _frame_at(self, which: Side) -> int:
        """The frame that stays at a handle, counted from 1; beyond the recording where nothing stays there."""
        span, goes = self.sheet.session.range, self.sheet.goes
        return (span.start if goes else span.start + 1) if which == "in" else span.stop + 1 if goes else span.stop

    def _handles(self) -> None:
        sheet, painter, palette = self.sheet, self.painter, self._palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        handles = sheet.handles()
        for which in handles:
            x, grip = sheet.handle_x(which), sheet.grip(which)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.selection)
            if sheet.session.has_range:
                painter.drawRect(QRectF(x - 1, grip.top() + 1, 2, sheet.height - grip.top() - 1))
            painter.drawRoundedRect(grip, 2, 2)
            painter.setPen(QPen(palette.on_selection, 1))
            middle = grip.center()
            painter.drawLines(
                [QLineF(middle.x() + by, middle.y() - 3, middle.x() + by, middle.y() + 3) for by in (-1.5, 1.5)]
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(sheet.theme.small)
        painter.setPen(palette.selection)
        for which in handles:
            place, text = self._handle_words(which)
            painter.drawText(place, LEFT, text)
            if text:
                self.labels.append(place)
