"""The picture of the timeline but for the cursor: overview, ruler, timeline lanes, lives, what is cut away, handles.

It is painted from what it is given and changes nothing; knows no mouse.
"""

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from ....arrays import value_at
from ....reading import Life
from ....recording.note import Note
from ....texts import say
from ....views.describe import icon_of
from ....views.signal_key import OFF_SCALE
from ....views.time_axis import Integers, Reals
from ....views.timeline_lives import Bar, bar_of, rules_of
from ...style.colors import with_alpha
from ...style.painting import LEFT, draw_text, set_colors
from .drawing import Drawing
from .timeline_lanes import KEPT_AND_LOST, Group, Sign, TimelineLane
from .timeline_layout import GRIP, HEADING, OVERVIEW, RULER, SIDES, TIMELINE_LANE, Side, TimelineLayout

_HEAT = 2  # pixels for each level of risk
_COLUMN = 3  # pixels, of the bars that stand for many marks
_LEAST_BAR = 5  # pixels, of a segment or note
_FEW = 30  # that many signs may cover one another
_COLORS = {"born": "fine", "gone": "muted", "hit": "error", "tick": "muted", "low": "warning", "high": "error"}
"""Colours of signs that are not called like theirs."""

_WIDTHS: dict[Sign, int] = {"born": 7, "gone": 7, "warning": 9, "error": 8, "edited": 6}  # others: 2


class TimelineLanePicture(Drawing):
    """The timeline lanes: a sign for each mark, or how many there are where they would cover one another."""

    def paint(self, timeline_lane: TimelineLane) -> None:
        """One timeline lane, with its name."""
        height = self.theme.px(TIMELINE_LANE)
        painter = self.painter
        self.name(timeline_lane.name, timeline_lane.top, height)
        if timeline_lane.name == KEPT_AND_LOST:  # what is kept is a thin line, the normal case
            rect = QRectF(self.axis.left, timeline_lane.top + height / 2 - 3, self.axis.width, 6)
            painter.fillRect(rect, self.palette.fine)
        elif timeline_lane.is_empty:
            self._note(timeline_lane, height)
            return
        for group in timeline_lane.groups:
            (self._items if group.sign == "item" else self._group)(timeline_lane, group, height)

    def _items(self, timeline_lane: TimelineLane, group: Group, height: int) -> None:
        """Bars, the first in front, with their texts as far as no other begins; segments that are off are hollow."""
        axis = self.axis
        theme = self.theme
        starts, stops = (np.clip(axis.xs(each), axis.left, axis.right) for each in group[1:3])
        stops = np.maximum(stops, starts + _LEAST_BAR)
        ends = np.append(np.sort(starts), np.inf)
        rooms = np.minimum(stops, ends[ends.searchsorted(starts, "right")]) - starts - 8
        seen = (axis.xs(group.stops) >= axis.left) & (axis.xs(group.starts) <= axis.right)
        for at in np.flatnonzero(seen)[::-1].tolist():
            item = timeline_lane.items[group.which[at]]
            is_on = isinstance(item, Note) or item.is_on
            color = QColor(item.color)
            bar = QRectF(starts[at], timeline_lane.top + 1, stops[at] - starts[at], height - 2)
            set_colors(self.painter, with_alpha(color, 0.35 if is_on else 0.0), QPen(color, 1.5))
            self.painter.drawRect(bar.adjusted(1, 1, -1, -1))
            if rooms[at] > theme.metrics(theme.small).horizontalAdvance("0"):
                ink = self.palette.text if is_on else self.palette.muted
                draw_text(self.painter, bar.adjusted(5, 0, -3, 0), item[0], theme.small, ink, room=int(rooms[at]))

    def _note(self, timeline_lane: TimelineLane, height: int) -> None:
        """An empty timeline lane says so, where it is not cut away."""
        layout = self.layout
        axis = self.axis
        if layout.session.range.is_set and not layout.goes:
            start = max(axis.left, layout.handle_x("in"))
        else:
            start = axis.left
        if start > axis.left + axis.width - self.theme.px(60):
            start = axis.left
        place = QRectF(start + 14, timeline_lane.top, 300, height)
        draw_text(self.painter, place, say(timeline_lane.note), self.theme.small, self.palette.muted)

    def _group(self, timeline_lane: TimelineLane, group: Group, height: int) -> None:
        top = timeline_lane.top
        starts = self.axis.xs(group.starts)
        stops = self.axis.xs(group.stops)
        if group.sign == "lost":
            self.lost(starts, stops, top + height / 2 - 6, 12)
            return
        seen = (stops >= self.axis.left - 1) & (starts <= self.axis.left + self.axis.width + 1)
        starts, stops = starts[seen], stops[seen]
        if group.sign in ("low", "high"):
            self._bars(starts, stops, top + height - 3, 6 if group.sign == "low" else height - 5, self._color(group))
            return
        xs: list[int] = np.unique(starts.astype(np.int64)).tolist()
        if len(xs) > _FEW and value_at(np.diff(xs), 0.5) < _WIDTHS.get(group.sign, 2):
            self._density(group, starts, top, height)
            return
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._signs(group, xs, top, height)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _color(self, group: Group) -> QColor:
        return self.palette.color_named(_COLORS.get(group.sign, group.sign))

    def _density(self, group: Group, xs: Reals, top: int, height: int) -> None:
        """Bars as high as the logarithm of how many there are; births above the middle, ends below it."""
        low = top + height - 3.0
        room = height - 5.0
        if group.sign in ("born", "gone"):
            room /= 2
            low -= room if group.sign == "born" else 0
        columns = ((xs - self.axis.left) // _COLUMN).astype(np.int64)
        where, counts = np.unique(columns, return_counts=True)
        tall = np.log1p(counts) / math.log1p(int(counts.max())) * room
        color = self._color(group)
        for column, bar in zip(where.tolist(), np.maximum(tall, 1.0).tolist(), strict=True):
            if group.sign != "gone":
                up = low - bar
            else:
                up = low - room
            self.painter.fillRect(QRectF(self.axis.left + column * _COLUMN, up, _COLUMN, bar), color)

    def _bars(self, starts: Reals, stops: Reals, bottom: int, tall: int, color: QColor) -> None:
        """Stretches as bars, at least 2 wide."""
        ends = np.maximum(stops, starts + 2)
        begin, end = round(self.axis.left), round(self.axis.left + self.axis.width)
        for left, right in np.unique(np.stack((starts, ends), axis=1).astype(np.int64), axis=0).tolist():
            left, right = max(left, begin), min(right, end)
            self.painter.fillRect(QRectF(left, bottom - tall, max(1, right - left), tall), color)

    def _signs(self, group: Group, xs: list[int], top: int, height: int) -> None:
        """Born, gone: arrows; edited: a dot; error: a cross; warning: a triangle; the others: ticks."""
        painter = self.painter
        color = self._color(group)
        middle = top + height / 2
        lines: list[QLineF] = []
        set_colors(painter, color)
        if group.sign in ("born", "gone"):
            painter.setPen(QPen(color, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            low = top + height - 3.0
            high = top + 3.0
            by = 3.0
            if group.sign == "born":
                end, inner = (high, high + by)
            else:
                end, inner = (low, low - by)
            for x in xs:
                lines += [QLineF(x, low, x, high), QLineF(x, end, x - by, inner), QLineF(x, end, x + by, inner)]
        elif group.sign == "error":
            painter.setPen(QPen(color, 1.6))
            low = middle - 3.5
            high = middle + 3.5
            by = 3.5
            for x in xs:
                lines += [QLineF(x - by, low, x + by, high), QLineF(x - by, high, x + by, low)]
        elif group.sign == "warning":
            for x in xs:
                corners = [QPointF(x, middle - 4.5), QPointF(x - 4.5, middle + 4), QPointF(x + 4.5, middle + 4)]
                painter.drawPolygon(QPolygonF(corners))
        elif group.sign == "edited":
            for x in xs:
                painter.drawEllipse(QPointF(x, middle), 2.6, 2.6)
        else:
            self.strokes(xs, top + 3, height - 6, color)
        painter.drawLines(lines)


class LifePicture(Drawing):
    """The lives: a row for each actor, with its bar."""

    def paint(self) -> None:
        """The line that names them, the rows in sight, and the scroll bar."""
        layout = self.layout
        theme = self.theme
        painter = self.painter
        top = layout.lives_top
        height = theme.px(HEADING)
        if top + height > layout.height:
            return
        self.name(say("Actors"), top, height)
        arrow = "chevron-right" if layout.is_folded else "chevron-down"
        theme.icons.draw(painter, arrow, 1, top + (height - 10) // 2, 10, self.palette.muted)
        x = theme.px(12) + theme.metrics(theme.small).horizontalAdvance(say("Actors")) + 4
        painter.drawText(QRect(x, top, layout.width - x, height), LEFT, layout.counted)  # nothing stands beside it
        chosen = layout.session.selection.actors
        for row in range(layout.rows):
            life = layout.roster.life(row + layout.first_row)
            self._life(life, layout.life_y(row), selected=life.actor in chosen)
        if layout.rows < len(layout.roster) and layout.rows:
            self._scroll_bar()

    def _life(self, life: Life, y: int, *, selected: bool) -> None:
        layout = self.layout
        axis = self.axis
        painter = self.painter
        palette = self.palette
        theme = self.theme
        height = layout.life_height
        end = axis.left + axis.width
        if selected:
            painter.fillRect(QRectF(0, y, end, height), palette.hover)
        theme.icons.draw(painter, icon_of(life), theme.px(13), y + (height - 12) // 2, 12)
        place = QRect(theme.px(30), y, int(axis.left) - theme.px(30) - 2, height)
        ink = palette.muted
        draw_text(painter, place, str(life.actor), theme.mono, palette.text if selected else ink)
        actors = layout.session.actors
        if actors is None:
            return
        known = layout.session.background
        bar = bar_of(life, axis, known.trajectories, actors, known.lanes_of(life)[1])
        if bar is None:
            return
        rules = layout.session.rule_colors
        middle = y + height // 2
        if rules.is_on:
            plain = palette.edge
        else:
            plain = with_alpha(palette.class_color(life.class_), 0.62)
        self._bar(bar, palette.selection if selected else plain, middle)
        for left, right, color in rules_of(life, axis, rules.met) if rules.is_on else ():
            painter.setClipRect(QRectF(left, y, right - left, height))
            self._bar(bar, QColor.fromRgb(color), middle)
        painter.setClipping(False)
        ground = palette.hover if selected else palette.in_range
        for gap in layout.marks.gaps:
            start, stop = max(axis.left, axis.x(gap.start)), min(end, axis.x(gap.stop))
            if stop > start:
                painter.fillRect(QRectF(start, y, stop - start, height), ground)
        self._changes(bar.changes, middle)
        self.strokes(bar.hits, middle - 6, 12, palette.error)

    def _bar(self, bar: Bar, color: QColor, middle: int) -> None:
        """Thin while it stands, thick while it drives, with its ends."""
        fill = self.painter.fillRect
        fill(QRectF(bar.left, middle - 1, bar.right - bar.left, 2), color)
        for low, high in bar.driving:
            fill(QRectF(low, middle - 4, high - low, 8), color)
        if bar.is_born:
            fill(QRectF(bar.left, middle - 4, 1.5, 8), color)
        if bar.is_gone:
            fill(QRectF(bar.right - 1.5, middle - 4, 1.5, 8), color)

    def _changes(self, xs: list[int], middle: int) -> None:
        """Changes of timeline lanes: strokes that lean, framed so that they stand out of a bar."""
        lines = []
        for x in xs:
            lines.append(QLineF(x - 2.5, middle + 5, x + 2.5, middle - 5))
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for ink, width in ((self.palette.in_range, 4.0), (self.palette.text, 1.5)):
            self.painter.setPen(QPen(ink, width))
            self.painter.drawLines(lines)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _scroll_bar(self) -> None:
        """How far down the rows are, at the right edge."""
        layout = self.layout
        top = layout.life_y(0)
        room = layout.rows * layout.life_height
        whole = len(layout.roster)
        length = max(12.0, room * layout.rows / whole)
        at = top + (room - length) * layout.first_row / max(1, whole - layout.rows)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        set_colors(self.painter, self.palette.edge)
        self.painter.drawRoundedRect(QRectF(layout.width - 9, at, 5, length), 2.5, 2.5)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


class Picture(Drawing):
    """One painting of a layout. Attribute: `labels` (where the words of the ruler stand)."""

    def __init__(self, layout: TimelineLayout, painter: QPainter) -> None:
        super().__init__(layout, painter)
        self.labels: list[QRectF] = []

    def paint(self) -> None:
        """All of it."""
        layout = self.layout
        axis = self.axis
        top = layout.timeline_lanes_top
        self.painter.fillRect(QRectF(axis.left, top, axis.width, layout.height - top), self.palette.in_range)
        self._overview()
        self._ruler()
        timeline_lanes = TimelineLanePicture(layout, self.painter)
        for timeline_lane in layout.timeline_lanes:
            timeline_lanes.paint(timeline_lane)
        LifePicture(layout, self.painter).paint()
        self._cut()
        self._handles()

    # --- overview and ruler -----------------------------------------------------------------------------

    def _overview(self) -> None:
        layout = self.layout
        axis = self.axis
        painter = self.painter
        height = layout.theme.px(OVERVIEW)
        self.name(say("Overview"), 0, height)
        area = QRectF(axis.left, 2, axis.width, height - 3)
        painter.fillRect(area, self.palette.in_range if layout.session.range.is_set else self.palette.field)
        self._silhouette(area)
        self._heat(area)
        actors = layout.session.actors
        if actors is not None and len(actors.collisions):
            hits = axis.whole().pixels(actors.collisions["frame_index"])
            painter.setPen(QPen(self.palette.error, 1))
            painter.drawLines([QLineF(x + 0.5, area.bottom() - 5, x + 0.5, area.bottom()) for x in hits])
        starts, stops = map(axis.whole().xs, layout.marks.lost)
        self.lost(starts, stops, area.top(), area.height())
        if layout.session.range.is_set:
            left, right = layout.ends(axis.whole())
            for low, high in self._gone(area.left(), left, right, area.right()):
                self.hatch(QRectF(low, area.top(), high - low, area.height()))
        if not axis.is_whole:
            set_colors(painter, None, QPen(self.palette.muted, 1))
            painter.drawRoundedRect(layout.window_rect(), 2, 2)

    def _silhouette(self, area: QRectF) -> None:
        """How much the frames hold, column by column."""
        weights = self.layout.marks.weights
        columns = self._columns(area, len(weights))
        if not len(columns):
            return
        peaks = np.maximum.reduceat(weights, columns)
        low, high = 0.35 * value_at(weights, 0.5), value_at(peaks, 0.98)
        share = np.clip((peaks - low) / max(high - low, 1.0), 0.05, 1.0)
        tops = area.bottom() - share * (area.height() - 6)
        points = []
        for i, y in enumerate(tops.tolist()):
            points.append(QPointF(area.left() + i, y))
        set_colors(self.painter, self.palette.overview)
        self.painter.drawPolygon(QPolygonF([area.bottomLeft(), *points, area.bottomRight()]))

    def _columns(self, area: QRectF, frames: int) -> Integers:
        """The first frame of each pixel column of the overview; none where there is too little of either."""
        count = int(area.width())
        axis = self.axis
        if count < 2 or not frames:
            return np.zeros(0, np.int64)
        starts = np.linspace(axis.first, axis.last, count + 1)[:-1]
        return np.clip(np.searchsorted(axis.times, starts, side="right") - 1, 0, frames - 1)

    def _heat(self, area: QRectF) -> None:
        """How near it comes to a collision, column by column: the nearer, the taller and hotter."""
        analysis = self.layout.session.traffic.shown
        if analysis is None or len(analysis.least_ttc) != len(self.axis.times):
            return
        columns = self._columns(area, len(analysis.least_ttc))
        if not len(columns):
            return
        from ....analysis.constants import RISK_TTC

        least = np.minimum.reduceat(analysis.least_ttc, columns)
        inks = with_alpha(self.palette.warning, 0.62), self.palette.warning, self.palette.error
        for level, (below, ink) in enumerate(zip((OFF_SCALE["ttc"], *RISK_TTC), inks, strict=True)):
            is_low = np.concatenate(([False], least < below, [False]))
            ends = np.flatnonzero(is_low[1:] != is_low[:-1]).reshape(-1, 2).tolist()
            for start, stop in ends:
                self.painter.fillRect(QRectF(area.left() + start, area.top(), stop - start, _HEAT * (level + 1)), ink)

    def _ruler(self) -> None:
        layout = self.layout
        axis = self.axis
        painter = self.painter
        theme = layout.theme
        top = theme.px(OVERVIEW)
        height = theme.px(RULER)
        metrics = theme.metrics(theme.small)
        taken: list[QRectF] = []
        for which in layout.handles():
            taken.extend((layout.grip(which), self._handle_words(which)[0]))
        for time, text in axis.ticks():
            x = axis.x(time)
            width = metrics.horizontalAdvance(text)
            if not axis.left <= x <= axis.left + axis.width:
                continue
            painter.setPen(self.palette.edge)
            painter.drawLine(QPointF(x, top + height - 4), QPointF(x, top + height - 1))
            label = QRectF(x - width / 2 - 1, top, width + 2, height - 3)
            inside = label.left() >= axis.left - 2 and label.right() <= layout.width
            if inside and not any(label.intersects(rect) for rect in taken):
                draw_text(painter, label, text, theme.small, self.palette.muted, Qt.AlignmentFlag.AlignCenter)
                self.labels.append(label)
        if not axis.in_seconds:
            self.name(say("Frames"), top, height)

    # --- the range --------------------------------------------------------------------------------------

    def _cut(self) -> None:
        """What is cut away: hatched over everything, and still readable."""
        layout = self.layout
        axis = self.axis
        if not layout.session.range.is_set:
            return
        top = layout.timeline_lanes_top
        end = axis.left + axis.width
        start, stop = (max(min(layout.handle_x(which), end), axis.left) for which in SIDES)
        for left, right in self._gone(axis.left, start, stop, end):
            if right > left:
                self.hatch(QRectF(left, top, right - left, layout.height - top))

    def _gone(self, first: float, start: float, stop: float, last: float) -> tuple[tuple[float, float], ...]:
        """The stretches that do not stay: those around the range, or the range."""
        if self.layout.goes:
            return ((start, stop),)
        return ((first, start), (stop, last))

    def _handle_words(self, which: Side) -> tuple[QRectF, str]:
        """Where the number of the first or last frame that stays is written, and how; nowhere when it is not.

        Beside it in what stays; of a range that is too narrow for both, outside.
        """
        layout = self.layout
        span = layout.session.range.frames
        metrics = layout.theme.metrics(layout.theme.small)
        number = self._frame_at(which)
        if not (layout.names_frames and layout.session.range.is_set) or not 1 <= number <= layout.session.frames:
            return QRectF(), ""
        first, last = (say("frame {number:,}", number=number) for number in (span.start + 1, span.stop))
        needed = metrics.horizontalAdvance(first + last) + 2 * (GRIP[0] + 8)
        inside = layout.goes or layout.handle_x("out") - layout.handle_x("in") >= needed
        text = say("frame {number:,}", number=number)
        grip = layout.grip(which)
        width = metrics.horizontalAdvance(text) + 2
        to_the_right = layout.points_right(which) == inside
        if to_the_right:
            left = grip.right() + 5
        else:
            left = grip.left() - 5 - width
        return QRectF(left, grip.top(), width, grip.height()), text

    def _frame_at(self, which: Side) -> int:
        """The frame that stays at a handle, counted from 1; beyond the recording where nothing stays there."""
        span = self.layout.session.range.frames
        goes = self.layout.goes
        return (span.start if goes else span.start + 1) if which == "in" else span.stop + 1 if goes else span.stop

    def _handles(self) -> None:
        layout = self.layout
        painter = self.painter
        palette = self.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        handles = layout.handles()
        for which in handles:
            x = layout.handle_x(which)
            grip = layout.grip(which)
            set_colors(painter, palette.selection)
            if layout.session.range.is_set:
                painter.drawRect(QRectF(x - 1, grip.top() + 1, 2, layout.height - grip.top() - 1))
            painter.setPen(QPen(palette.text, 1) if which == layout.held else Qt.PenStyle.NoPen)
            painter.drawRoundedRect(grip.adjusted(-1, -1, 1, 1) if which == layout.held else grip, 2, 2)
            painter.setPen(QPen(palette.on_selection, 1))
            middle = grip.center()
            xs = middle.x() - 1.5, middle.x() + 1.5
            painter.drawLines([QLineF(x, middle.y() - 3, x, middle.y() + 3) for x in xs])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for which in handles:
            place, text = self._handle_words(which)
            draw_text(painter, place, text, layout.theme.small, palette.selection)
            if text:
                self.labels.append(place)
