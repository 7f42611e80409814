"""The picture of the timeline without the cursor: overview, ruler, timeline lanes, lives, what is cut away, handles.

It is painted of a layout and changes nothing; knows no mouse.
"""

import math
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from ....arrays import distinct, quantile
from ....reading import Life
from ....recording.note import Note
from ....texts import say, say_count
from ....views.describe import icon_of
from ....views.event_signs import EVENT_SIGNS
from ....views.signal_key import OFF_SCALE
from ....views.time_axis import Integers, Reals
from ....views.timeline_lives import Bar, bar_of, rules_of
from ....views.timeline_marks import marks_apart
from ...style.colors import with_alpha
from ...style.painting import LEFT, draw_text, set_colors
from .drawing import NAME, Drawing
from .timeline_lanes import APART, KEPT_AND_LOST, Group, Sign, TimelineLane
from .timeline_layout import FOOT, GRIP, OVERVIEW, RULER, Side, TimelineLayout

_RISK = 2  # pixels for each level
_HEAT = 8  # px of the design: the height of a strip of heat
_LEAST_HEAT = 3  # pixels: the width of a frame in it
_SHARES = {"edit": (0.35, 0.65, 1.0), "difference": (0.25, 0.5, 0.9)}
"""How opaque one, two, three or more records are drawn, by the meaning of the lane."""

_FLAG = (7, 9)  # px of the design
_BESIDE_FLAG = 4  # pixels
_COLUMN = 3  # pixels, of the bars that stand for many marks
_LEAST_BAR = 5  # pixels, of a segment
_FEW = 30  # that many signs may cover one another
_COLORS = {"born": "fine", "gone": "muted", "hit": "error", "tick": "muted", "low": "warning", "high": "error"}
"""Names of the colours of signs; other signs have the name of their colour."""

_WIDTHS: dict[Sign, int] = {"born": 7, "gone": 7, "warning": 9, "error": 8}  # others: 2
_SIGN = 13  # px of the design: with the room around it in its picture, as all icons have it, 8 are drawn
_GROWN = 19  # of the event under the pointer: 12 are drawn
_FOOT_ARROW = 12  # pixels
_BEHIND_ARROW = 30  # px of the design
_TICK = 3.0  # half the height of a tick on a handle


class TimelineLanePicture(Drawing):
    """Draws the timeline lanes: a sign for each mark, or their density where they would cover one another."""

    def paint(self, timeline_lane: TimelineLane) -> None:
        """Draw a timeline lane, with its name."""
        height = self.layout.lane_height
        painter = self.painter
        painter.fillRect(QRectF(self.axis.left, timeline_lane.top + height, self.axis.width, 1), self.palette.hairline)
        if timeline_lane.meaning == "traffic":
            self._traffic_name(timeline_lane, height)
        else:
            self.name(timeline_lane.name, timeline_lane.top, height)
        if timeline_lane.name == KEPT_AND_LOST:  # what is kept is a thin line, the normal case
            rect = QRectF(self.axis.left, timeline_lane.top + height / 2 - 3, self.axis.width, 6)
            painter.fillRect(rect, self.palette.fine)
        elif timeline_lane.is_empty:
            self._note(timeline_lane, height)
            return
        for group in timeline_lane.groups:
            if timeline_lane.meaning == "segment":
                self._segments(timeline_lane, group, height)
            elif timeline_lane.meaning == "note":
                self._flags(timeline_lane, group, height)
            elif group.levels is not None:
                self._heat(timeline_lane, group, group.levels, height)
            elif group.sign == "kind":
                self._events(group, timeline_lane.top, height)
            elif group.sign == "lost":
                self._gaps(group, timeline_lane.top, height)
            else:
                self._marks(group, timeline_lane.top, height)

    def _traffic_name(self, timeline_lane: TimelineLane, height: int) -> None:
        """Draw the name of a lane of traffic events; that of all kinds is tinted while one of them is chosen."""
        top = timeline_lane.top
        if self._is_tinted(timeline_lane):
            self.painter.fillRect(QRectF(0, top, self.axis.right, height), self.palette.hover)
        if timeline_lane.is_part:
            self.name(timeline_lane.name, top, height, left=2 * NAME)
            return
        self.name(timeline_lane.name, top, height)
        if timeline_lane.is_folded is not None:
            self.fold_arrow(top, height, is_folded=timeline_lane.is_folded)

    def _is_tinted(self, timeline_lane: TimelineLane) -> bool:
        return self.layout.session.events.chosen is not None and not timeline_lane.is_part

    def _events(self, group: Group, top: int, height: int) -> None:
        """Draw the signs of traffic events, of those that are near to each other that of the worst one."""
        xs = self.axis.xs(group.starts)
        for index in self._drawn_events(xs):
            self._event(int(group.targets[index]), float(xs[index]), top + height / 2, _SIGN)

    def _drawn_events(self, xs: Reals) -> list[int]:
        drawn: list[int] = marks_apart(xs, APART, self.axis.left - 1, self.axis.right + 1).tolist()
        return drawn

    def _event(self, row: int, x: float, middle: float, size: int) -> None:
        events = self.layout.session.events.found
        if events is None or row >= len(events):
            return
        sign = EVENT_SIGNS[events.kind(row).name]
        size = self.theme.px(size)
        left = round(x - size / 2)
        top = round(middle - size / 2)
        self.theme.icons.draw(self.painter, sign.icon, left, top, size, self.palette.color(sign.color))

    def paint_pointed(self) -> None:
        """Draw the sign of the traffic event under the pointer, larger, over its lanes."""
        pointed = self.layout.session.events.pointed
        if pointed is None:
            return
        for timeline_lane in self.layout.timeline_lanes:
            if timeline_lane.meaning == "traffic":
                for group in timeline_lane.groups:
                    self._grown(timeline_lane, group, pointed)

    def _grown(self, timeline_lane: TimelineLane, group: Group, row: int) -> None:
        """Draw the sign of an event larger, in place of the small one where that is drawn."""
        xs = self.axis.xs(group.starts)
        height = self.layout.lane_height
        for index in np.flatnonzero(group.targets == row).tolist():
            x = float(xs[index])
            if not self.axis.left - 1 <= x <= self.axis.right + 1:
                continue
            if index in self._drawn_events(xs):
                size = self.theme.px(_SIGN)
                ground = self.palette.hover if self._is_tinted(timeline_lane) else self.palette.in_range
                self.painter.fillRect(QRectF(x - size / 2, timeline_lane.top, size, height), ground)
            self._event(row, x, timeline_lane.top + height / 2, _GROWN)

    def _segments(self, timeline_lane: TimelineLane, group: Group, height: int) -> None:
        """Draw outlined bars, the shortest in front, with those names that fit; dotted where a segment is off."""
        starts, stops = self._visible(group)
        stops = np.maximum(stops, starts + _LEAST_BAR)
        sorted_starts = np.append(np.sort(starts), np.inf)
        next_starts = sorted_starts[sorted_starts.searchsorted(starts, "right")]
        rooms = np.minimum(stops, next_starts) - starts - 8
        metrics = self.theme.metrics(self.theme.small)
        for index in self._in_view(group)[::-1]:
            segment = timeline_lane.items[group.targets[index]]
            bar = QRectF(starts[index], timeline_lane.top, stops[index] - starts[index], height)
            edge = QPen(QColor(segment.color), 1.2)
            text_color = self.palette.text
            if not isinstance(segment, Note) and not segment.is_on:
                edge.setStyle(Qt.PenStyle.DotLine)
                text_color = self.palette.muted
            self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            set_colors(self.painter, self.palette.window, edge)
            self.painter.drawRoundedRect(bar.adjusted(1.5, 0.5, -0.5, -0.5), 2, 2)
            self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            name = segment[0]  # the first value of a segment is its name, that of a note its text
            if metrics.horizontalAdvance(name) <= rooms[index]:
                draw_text(self.painter, bar.adjusted(6, 0, -3, 0), name, self.theme.small, text_color)

    def _flags(self, timeline_lane: TimelineLane, group: Group, height: int) -> None:
        """Draw a flag for each note with its text, which gives up where it would touch the next flag.

        Notes of several frames have a line below it, as long as they last.
        """
        axis = self.axis
        starts, stops = self._visible(group)
        metrics = self.theme.metrics(self.theme.small)
        half = self.theme.px(_FLAG[0]) / 2
        sorted_starts = np.append(np.sort(starts), axis.right + half)
        next_starts = sorted_starts[sorted_starts.searchsorted(starts, "right")]
        for index in self._in_view(group)[::-1]:
            note = timeline_lane.items[group.targets[index]]
            color = self.palette.edge_of(QColor(note.color))
            x = float(starts[index])
            if len(note.frames) > 1:
                width = max(1.0, stops[index] - x)
                self.painter.fillRect(QRectF(x, timeline_lane.top + height - 2, width, 2), color)
            if axis.xs(group.starts[index : index + 1])[0] >= axis.left - 1:
                self._flag(x, timeline_lane.top + height / 2, color)
            left = x + half + _BESIDE_FLAG
            room = next_starts[index] - half - _BESIDE_FLAG - left
            if metrics.horizontalAdvance(note[0]) <= room:
                rect = QRectF(left, timeline_lane.top, room, height)
                draw_text(self.painter, rect, note[0], self.theme.small, self.palette.muted)

    def _flag(self, x: float, middle: float, color: QColor) -> None:
        """Draw a bookmark around a pixel."""
        width = self.theme.px(_FLAG[0])
        height = self.theme.px(_FLAG[1])
        left = x - width / 2
        top = middle - height / 2
        corners = [
            QPointF(left, top),
            QPointF(left + width, top),
            QPointF(left + width, top + height),
            QPointF(x, top + 2 * height / 3),
            QPointF(left, top + height),
        ]
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        set_colors(self.painter, color)
        self.painter.drawPolygon(QPolygonF(corners))
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _visible(self, group: Group) -> tuple[Reals, Reals]:
        """Return the pixels at which marks begin and end within the axis, float64[n] each."""
        axis = self.axis
        starts = np.clip(axis.xs(group.starts), axis.left, axis.right)
        stops = np.clip(axis.xs(group.stops), axis.left, axis.right)
        return starts, stops

    def _in_view(self, group: Group) -> list[int]:
        """Return the indices of marks of which something is in view."""
        axis = self.axis
        is_visible = (axis.xs(group.stops) >= axis.left) & (axis.xs(group.starts) <= axis.right)
        indices: list[int] = np.flatnonzero(is_visible).tolist()
        return indices

    def _heat(self, timeline_lane: TimelineLane, group: Group, levels: Integers, height: int) -> None:
        """Draw a strip that is the stronger the more records there are; frames in the same pixel as the strongest."""
        axis = self.axis
        first = math.floor(axis.left)
        width = math.ceil(axis.right) - first
        starts, stops = self._visible(group)
        left = np.floor(starts).astype(np.int64) - first
        right = np.minimum(np.maximum(np.floor(stops).astype(np.int64) - first, left + _LEAST_HEAT), width)
        is_visible = np.zeros(len(left), np.bool_)
        is_visible[self._in_view(group)] = True
        strength = np.zeros(width + 2, np.int64)
        for level in (1, 2, 3):
            chosen = is_visible & (levels == level)
            edges = np.zeros(width + 2, np.int64)
            np.add.at(edges, left[chosen], 1)
            np.add.at(edges, right[chosen], -1)
            strength[np.cumsum(edges) > 0] = level
        changes = np.flatnonzero(np.diff(strength, prepend=0))
        strip = self.theme.px(_HEAT)
        top = timeline_lane.top + (height - strip) / 2
        for start, stop in pairwise(changes.tolist()):
            level = int(strength[start])
            if level:
                self._heat_part(timeline_lane, level, QRectF(first + start, top, stop - start, strip))

    def _heat_part(self, timeline_lane: TimelineLane, level: int, rect: QRectF) -> None:
        """Draw a part of a strip of heat; in high contrast it is the higher, not the more opaque."""
        color = self.palette.edited if timeline_lane.meaning == "edit" else self.palette.selection
        if self.palette.has_high_contrast:
            lower = rect.height() * (3 - level) / 3
            self.painter.fillRect(rect.adjusted(0, lower, 0, 0), color)
        else:
            self.painter.fillRect(rect, with_alpha(color, _SHARES[timeline_lane.meaning][level - 1]))

    def _note(self, timeline_lane: TimelineLane, height: int) -> None:
        """Write the note of an empty timeline lane, where it is not cut away."""
        layout = self.layout
        axis = self.axis
        start = axis.left
        if layout.session.range.is_shown and not layout.is_cut:
            start = max(axis.left, layout.handle_x("in"))
        if start > axis.right - self.theme.px(60):
            start = axis.left
        rect = QRectF(start + 14, timeline_lane.top, axis.right - start - 14, height)
        draw_text(self.painter, rect, say(timeline_lane.note), self.theme.small, self.palette.faint)

    def _gaps(self, group: Group, top: int, height: int) -> None:
        self.lost(self.axis.xs(group.starts), self.axis.xs(group.stops), top=top + height / 2 - 6, height=12)

    def _marks(self, group: Group, top: int, height: int) -> None:
        starts = self.axis.xs(group.starts)
        stops = self.axis.xs(group.stops)
        is_visible = (stops >= self.axis.left - 1) & (starts <= self.axis.right + 1)
        starts = starts[is_visible]
        stops = stops[is_visible]
        if group.sign in ("low", "high"):
            bar_height = height // 3 if group.sign == "low" else height - 5
            self._bars(starts, stops, bottom=top + height - 3, height=bar_height, color=self._color(group))
            return
        xs: list[int] = distinct(starts.astype(np.int64)).tolist()
        if len(xs) > _FEW and quantile(np.diff(xs), 0.5) < _WIDTHS.get(group.sign, 2):
            self._density(group, starts, top, height)
            return
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._signs(group, xs, top, height)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _color(self, group: Group) -> QColor:
        return self.palette.color_named(_COLORS.get(group.sign, group.sign))

    def _density(self, group: Group, xs: Reals, top: int, height: int) -> None:
        """Draw bars as high as the logarithm of the number of marks; births above the middle, ends below it."""
        base = top + height - 3.0
        room = height - 5.0
        hangs = group.sign == "gone"
        if group.sign in ("born", "gone"):
            room /= 2
        if group.sign == "born":
            base -= room
        columns = ((xs - self.axis.left) // _COLUMN).astype(np.int64)
        columns, counts = np.unique(columns, return_counts=True)
        heights = np.log1p(counts) / math.log1p(int(counts.max())) * room
        heights = np.maximum(heights, 1.0)
        color = self._color(group)
        for column, bar_height in zip(columns.tolist(), heights.tolist(), strict=True):
            upper = base - room if hangs else base - bar_height
            self.painter.fillRect(QRectF(self.axis.left + column * _COLUMN, upper, _COLUMN, bar_height), color)

    def _bars(self, starts: Reals, stops: Reals, *, bottom: int, height: int, color: QColor) -> None:
        """Draw intervals as bars, at least 2 wide."""
        spans = np.stack((starts, np.maximum(stops, starts + 2)), axis=1).astype(np.int64)
        first = round(self.axis.left)
        last = round(self.axis.right)
        for left, right in np.unique(spans, axis=0).tolist():
            left = max(left, first)
            right = min(right, last)
            self.painter.fillRect(QRectF(left, bottom - height, max(1, right - left), height), color)

    def _signs(self, group: Group, xs: list[int], top: int, height: int) -> None:
        """Draw signs: arrows for births and ends, crosses, triangles, or ticks."""
        color = self._color(group)
        middle = top + height / 2
        margin = height // 6
        set_colors(self.painter, color)
        match group.sign:
            case "born":
                self._arrows(xs, tail=top + height - margin, tip=top + margin, color=color)
            case "gone":
                self._arrows(xs, tail=top + margin, tip=top + height - margin, color=color)
            case "error":
                self._crosses(xs, middle, color)
            case "warning":
                for x in xs:
                    corners = [QPointF(x, middle - 4.5), QPointF(x - 4.5, middle + 4), QPointF(x + 4.5, middle + 4)]
                    self.painter.drawPolygon(QPolygonF(corners))
            case _:
                self.strokes(xs, top + margin, height - 2 * margin, color)

    def _arrows(self, xs: list[int], *, tail: float, tip: float, color: QColor) -> None:
        """Draw upright arrows between two heights."""
        size = 3.0
        barb = tip + size if tip < tail else tip - size
        lines = []
        for x in xs:
            lines.append(QLineF(x, max(tip, tail), x, min(tip, tail)))
            lines.append(QLineF(x, tip, x - size, barb))
            lines.append(QLineF(x, tip, x + size, barb))
        self.painter.setPen(QPen(color, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        self.painter.drawLines(lines)

    def _crosses(self, xs: list[int], middle: float, color: QColor) -> None:
        size = 3.5
        upper = middle - size
        lower = middle + size
        lines = []
        for x in xs:
            lines.append(QLineF(x - size, upper, x + size, lower))
            lines.append(QLineF(x - size, lower, x + size, upper))
        self.painter.setPen(QPen(color, 1.6))
        self.painter.drawLines(lines)


class LifePicture(Drawing):
    """Draws the lives: a row for each actor, with its bar."""

    def paint(self) -> None:
        """Draw the line that names them, the visible rows, and the scroll bar."""
        layout = self.layout
        theme = self.theme
        painter = self.painter
        top = layout.lives_top
        height = layout.heading_height
        if top + height > layout.bottom:
            return
        self.name(say("Actors"), top, height)
        self.fold_arrow(top, height, is_folded=layout.is_folded)
        x = theme.px(12) + theme.metrics(theme.small).horizontalAdvance(say("Actors")) + 4
        painter.drawText(QRect(x, top, layout.width - x, height), LEFT, layout.count_text)  # with all of the room
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
        text_color = palette.muted
        background_color = palette.in_range
        if selected:
            text_color = palette.text
            background_color = palette.hover
            painter.fillRect(QRectF(0, y, axis.right, height), background_color)
        theme.icons.draw(painter, icon_of(life), theme.px(13), y + (height - 12) // 2, 12)
        rect = QRect(theme.px(30), y, int(axis.left) - theme.px(30) - 2, height)
        draw_text(painter, rect, str(life.actor), theme.mono, text_color)
        actors = layout.session.actors
        if actors is None:
            return
        background = layout.session.background
        _, changes = background.lanes_of(life)
        bar = bar_of(life, axis, background.trajectories, actors, changes)
        if bar is None:
            return
        middle = y + height // 2
        self._bar(bar, self._life_color(life, selected=selected), middle)
        if layout.session.rule_colors.is_on:
            self._rules(life, bar, y)
        for gap in layout.marks.gaps:
            left = max(axis.left, axis.x(gap.start))
            right = min(axis.right, axis.x(gap.stop))
            if right > left:
                painter.fillRect(QRectF(left, y, right - left, height), background_color)
        self._changes(bar.changes, middle)
        self.strokes(bar.hits, middle - 6, 12, palette.error)

    def _life_color(self, life: Life, *, selected: bool) -> QColor:
        if selected:
            return self.palette.selection
        if self.layout.session.rule_colors.is_on:
            return self.palette.edge
        return with_alpha(self.palette.class_color(life.class_), 0.62)

    def _rules(self, life: Life, bar: Bar, y: int) -> None:
        """Draw the bar in the colours of the rules that the life meets, where it meets them."""
        height = self.layout.life_height
        for left, right, color in rules_of(life, self.axis, self.layout.session.rule_colors.matches):
            self.painter.setClipRect(QRectF(left, y, right - left, height))
            self._bar(bar, QColor.fromRgb(color), y + height // 2)
        self.painter.setClipping(False)

    def _bar(self, bar: Bar, color: QColor, middle: int) -> None:
        """Draw a bar: thin while the actor stands, thick while it moves, with its ends."""
        fill = self.painter.fillRect
        fill(QRectF(bar.left, middle - 1, bar.right - bar.left, 2), color)
        for low, high in bar.driving:
            fill(QRectF(low, middle - 4, high - low, 8), color)
        if bar.is_born:
            fill(QRectF(bar.left, middle - 4, 1.5, 8), color)
        if bar.is_gone:
            fill(QRectF(bar.right - 1.5, middle - 4, 1.5, 8), color)

    def _changes(self, xs: list[int], middle: int) -> None:
        """Draw changes of lanes: slanted strokes, framed so that they stand out of a bar."""
        lines = [QLineF(x - 2.5, middle + 5, x + 2.5, middle - 5) for x in xs]
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for color, width in ((self.palette.in_range, 4.0), (self.palette.text, 1.5)):
            self.painter.setPen(QPen(color, width))
            self.painter.drawLines(lines)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _scroll_bar(self) -> None:
        """Draw the scroll bar of the rows, at the right edge."""
        layout = self.layout
        room = layout.rows * layout.life_height
        lives = len(layout.roster)
        length = max(12.0, room * layout.rows / lives)
        top = layout.life_y(0) + (room - length) * layout.first_row / max(1, lives - layout.rows)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        set_colors(self.painter, self.palette.edge)
        self.painter.drawRoundedRect(QRectF(layout.width - 9, top, 5, length), 2.5, 2.5)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


class Picture(Drawing):
    """Draws a layout.

    Attributes:
        labels: Rectangles of the texts of the ruler.
    """

    def __init__(self, layout: TimelineLayout, painter: QPainter) -> None:
        super().__init__(layout, painter)
        self.labels: list[QRectF] = []

    def paint(self) -> None:
        """Draw all of it."""
        layout = self.layout
        axis = self.axis
        top = layout.timeline_lanes_top
        self.painter.fillRect(QRectF(axis.left, top, axis.width, layout.bottom - top), self.palette.in_range)
        self._overview()
        self._ruler()
        lane_picture = TimelineLanePicture(layout, self.painter)
        for timeline_lane in layout.timeline_lanes:
            lane_picture.paint(timeline_lane)
        LifePicture(layout, self.painter).paint()
        if layout.has_foot:
            self._foot()
        self._cut()
        self._handles()

    def _foot(self) -> None:
        """Name the timeline lanes for which there is no room."""
        layout = self.layout
        theme = layout.theme
        height = theme.px(FOOT)
        count = say_count("1 more", "{count:,} more", count=len(layout.hidden_lanes))
        arrow = (theme.px(13), layout.bottom + (height - _FOOT_ARROW) // 2)
        theme.icons.draw(self.painter, "chevron-right", *arrow, _FOOT_ARROW, self.palette.muted)
        self.name(count, layout.bottom, height, left=_BEHIND_ARROW)
        rect = QRectF(self.axis.left + 6, layout.bottom, self.axis.width - 6, height)
        text = say("{names}: no room at this height", names=layout.hidden_names)
        draw_text(self.painter, rect, text, theme.small, self.palette.faint, room=int(rect.width()))

    # --- overview and ruler -----------------------------------------------------------------------------

    def _overview(self) -> None:
        layout = self.layout
        axis = self.axis
        painter = self.painter
        height = layout.theme.px(OVERVIEW)
        self.name(say("Overview"), 0, height)
        area = QRectF(axis.left, 2, axis.width, height - 3)
        background = self.palette.field
        if layout.session.range.is_shown:
            background = self.palette.in_range
        painter.fillRect(area, background)
        self._silhouette(area)
        self._heat(area)
        actors = layout.session.actors
        if actors is not None and len(actors.collisions):
            hits = axis.whole().pixels(actors.collisions["frame_index"])
            lines = [QLineF(x + 0.5, area.bottom() - 5, x + 0.5, area.bottom()) for x in hits]
            painter.setPen(QPen(self.palette.error, 1))
            painter.drawLines(lines)
        starts, stops = layout.marks.lost
        self.lost(axis.whole().xs(starts), axis.whole().xs(stops), area.top(), area.height())
        if layout.session.range.is_shown:
            start, stop = layout.ends(axis.whole())
            for left, right in self._removed(first=area.left(), start=start, stop=stop, last=area.right()):
                self.hatch(QRectF(left, area.top(), right - left, area.height()))
        if not axis.is_whole:
            set_colors(painter, None, QPen(self.palette.muted, 1))
            painter.drawRoundedRect(layout.window_rect(), 2, 2)

    def _silhouette(self, area: QRectF) -> None:
        """Draw the size of the frames, column by column."""
        weights = self.layout.marks.weights
        columns = self._columns(area, len(weights))
        if not len(columns):
            return
        peaks = np.maximum.reduceat(weights, columns)
        low = 0.35 * quantile(weights, 0.5)
        high = quantile(peaks, 0.98)
        shares = np.clip((peaks - low) / max(high - low, 1.0), 0.05, 1.0)
        tops = area.bottom() - shares * (area.height() - 6)
        points = [area.bottomLeft()]
        for column, y in enumerate(tops.tolist()):
            points.append(QPointF(area.left() + column, y))
        points.append(area.bottomRight())
        set_colors(self.painter, self.palette.overview)
        self.painter.drawPolygon(QPolygonF(points))

    def _columns(self, area: QRectF, frames: int) -> Integers:
        """Return the first frame of each pixel column of the overview; none where it is narrow or without frames."""
        count = int(area.width())
        axis = self.axis
        if count < 2 or not frames:
            return np.zeros(0, np.int64)
        starts = np.linspace(axis.first, axis.last, count + 1)[:-1]
        return np.clip(np.searchsorted(axis.times, starts, side="right") - 1, 0, frames - 1)

    def _heat(self, area: QRectF) -> None:
        """Draw the minimum TTC, column by column: the lower, the taller and hotter."""
        analysis = self.layout.session.traffic.shown
        if analysis is None or len(analysis.least_ttc) != len(self.axis.times):
            return
        columns = self._columns(area, len(analysis.least_ttc))
        if not len(columns):
            return
        from ....analysis.constants import RISK_TTC

        least = np.minimum.reduceat(analysis.least_ttc, columns)
        limits = (OFF_SCALE["ttc"], *RISK_TTC)
        colors = (with_alpha(self.palette.warning, 0.62), self.palette.warning, self.palette.error)
        for level, (limit, color) in enumerate(zip(limits, colors, strict=True), 1):
            is_low = np.concatenate(([False], least < limit, [False]))
            spans = np.flatnonzero(is_low[1:] != is_low[:-1]).reshape(-1, 2).tolist()
            for start, stop in spans:
                self.painter.fillRect(QRectF(area.left() + start, area.top(), stop - start, _RISK * level), color)

    def _ruler(self) -> None:
        layout = self.layout
        axis = self.axis
        painter = self.painter
        theme = layout.theme
        top = theme.px(OVERVIEW)
        height = theme.px(RULER)
        metrics = theme.metrics(theme.small)
        taken: list[QRectF] = []
        for side in layout.handles():
            label, _ = self._handle_label(side)
            taken += [layout.grip(side), label]
        for time, text in axis.ticks():
            x = axis.x(time)
            if not axis.left <= x <= axis.right:
                continue
            painter.setPen(self.palette.edge)
            painter.drawLine(QPointF(x, top + height - 4), QPointF(x, top + height - 1))
            width = metrics.horizontalAdvance(text)
            label = QRectF(x - width / 2 - 1, top, width + 2, height - 3)
            is_inside = label.left() >= axis.left - 2 and label.right() <= layout.width
            if is_inside and not any(label.intersects(rect) for rect in taken):
                draw_text(painter, label, text, theme.small, self.palette.muted, Qt.AlignmentFlag.AlignCenter)
                self.labels.append(label)
        if not axis.in_seconds:
            self.name(say("Frames"), top, height)

    # --- the range --------------------------------------------------------------------------------------

    def _cut(self) -> None:
        """Hatch what is cut away, so that everything in it is still readable."""
        layout = self.layout
        axis = self.axis
        if not layout.session.range.is_shown:
            return
        top = layout.timeline_lanes_top
        start = max(min(layout.handle_x("in"), axis.right), axis.left)
        stop = max(min(layout.handle_x("out"), axis.right), axis.left)
        for left, right in self._removed(first=axis.left, start=start, stop=stop, last=axis.right):
            if right > left:
                self.hatch(QRectF(left, top, right - left, layout.bottom - top))

    def _removed(self, *, first: float, start: float, stop: float, last: float) -> tuple[tuple[float, float], ...]:
        """Return the intervals that do not stay: those around the range, or the range.

        Args:
            first: Left end of the axis, pixels.
            start: Left end of the range, pixels.
            stop: Right end of the range, pixels.
            last: Right end of the axis, pixels.
        """
        if self.layout.is_cut:
            return ((start, stop),)
        return ((first, start), (stop, last))

    def _handle_label(self, side: Side) -> tuple[QRectF, str]:
        """Return the rectangle and the text of a handle's number of a frame; empty where it has none.

        It stands in what stays; of a range that is too narrow for both numbers, outside.
        """
        layout = self.layout
        number = self._frame_number(side)
        if not layout.names_frames or not layout.session.range.is_shown or not 1 <= number <= layout.session.frames:
            return QRectF(), ""
        span = layout.session.range.shown
        metrics = layout.theme.metrics(layout.theme.small)
        both = _frame_text(span.start + 1) + _frame_text(span.stop)
        needed = metrics.horizontalAdvance(both) + 2 * (GRIP[0] + 8)
        is_inside = layout.is_cut or layout.handle_x("out") - layout.handle_x("in") >= needed
        text = _frame_text(number)
        width = metrics.horizontalAdvance(text) + 2
        grip = layout.grip(side)
        left = grip.left() - 5 - width
        if layout.points_right(side) == is_inside:
            left = grip.right() + 5
        return QRectF(left, grip.top(), width, grip.height()), text

    def _frame_number(self, side: Side) -> int:
        """Return the number of the frame that stays at a handle, from 1; outside of the recording where none stays."""
        span = self.layout.session.range.shown
        if self.layout.is_cut:
            # The frames beside the range stay.
            return span.start if side == "in" else span.stop + 1
        return span.start + 1 if side == "in" else span.stop

    def _handles(self) -> None:
        layout = self.layout
        painter = self.painter
        handles = layout.handles()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for side in handles:
            self._handle(side)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for side in handles:
            rect, text = self._handle_label(side)
            draw_text(painter, rect, text, layout.theme.small, self.palette.selection)
            if text:
                self.labels.append(rect)

    def _handle(self, side: Side) -> None:
        """Draw the line and the grip of a handle; that of the one that is held has a frame."""
        layout = self.layout
        painter = self.painter
        grip = layout.grip(side)
        set_colors(painter, self.palette.selection)
        if layout.session.range.is_shown:
            painter.drawRect(QRectF(layout.handle_x(side) - 1, grip.top() + 1, 2, layout.bottom - grip.top() - 1))
        if side == layout.held:
            painter.setPen(QPen(self.palette.text, 1))
            painter.drawRoundedRect(grip.adjusted(-1, -1, 1, 1), 2, 2)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(grip, 2, 2)
        painter.setPen(QPen(self.palette.on_selection, 1))
        middle = grip.center()
        lines = []
        for x in (middle.x() - 1.5, middle.x() + 1.5):
            lines.append(QLineF(x, middle.y() - _TICK, x, middle.y() + _TICK))
        painter.drawLines(lines)


def _frame_text(number: int) -> str:
    return say("frame {number:,}", number=number)
