"""The lanes: overview, ruler, events, damage, lives, the cut-away and the cursor, painted as one picture.

What does not move with the cursor is kept as a pixmap; a step of frames repaints the cursor only.
"""

import math
from typing import Literal

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from ...edits.place import Place
from ...recording.actors import EVENT_KINDS
from ...recording.frames import RAW
from ...recording.lives import Life
from ...recording.store import Store
from ..packet_tree.outline import icon_of
from ..palette import with_alpha
from ..session import Session
from ..theme import Theme
from ..widgets import ThemedWidget
from .axis import Axis, Reals, axis_of

NAMES = 104
RIGHT = 14
OVERVIEW = 26
RULER = 18
LANE = 18
LIFE = 14
GAP = 2
GRIP = (9.0, 16.0)
SHORTEST_HISTORY = 300
Integers = np.ndarray[tuple[int], np.dtype[np.int64]]
Drag = Literal["", "scrub", "in", "out", "window", "pan"]
_BORN, _GONE, _PARENT, _COLLISION, _DOOR, _PHYSICS, _SCENE_LIGHT, _LIGHT_TIMES, _WEATHER = range(9)
_FURTHER = {_DOOR: "Doors", _SCENE_LIGHT: "Scene lights", _WEATHER: "Weather", _PARENT: "Attached"}


class Canvas(ThemedWidget):
    """Signal: `folded(bool)`."""

    folded = Signal(bool)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session = session
        self.axis = axis_of(session.snapshot)
        self.lives: list[Life] = []
        self.first_row = 0
        self.is_folded = False
        self.shows_frames = False
        self._drag: Drag = ""
        self._chosen: tuple[int, ...] = ()
        self._drag_from = 0.0
        self._still: QPixmap | None = None
        self._event_frames: dict[int, np.ndarray[tuple[int], np.dtype[np.intp]]] = {}
        self._edited: np.ndarray[tuple[int], np.dtype[np.intp]] = np.zeros(0, np.intp)
        self._lost: list[tuple[int, int]] = []
        self._silhouette: Reals = np.zeros(0)
        self.setObjectName("timeline")
        self.setAccessibleName(self.tr("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumHeight(90)
        session.opened.connect(self.open)
        session.changed.connect(self._change)
        session.selected.connect(self._select)
        session.surveyed.connect(self.refresh)
        session.checked.connect(self.refresh)
        session.range_changed.connect(self.refresh)
        self.open()

    # --- what is shown ----------------------------------------------------------------------------------

    def open(self) -> None:
        """Another recording."""
        self.axis = axis_of(self.session.snapshot)
        self.first_row = 0
        self._place_axis()
        self._take()

    def _change(self, _change: object) -> None:
        before = self.axis
        self.axis = axis_of(self.session.snapshot)
        self._place_axis()
        if not before.is_whole and len(self.axis.times):
            self.axis = self.axis.seeing(before.low, before.high)
        self._take()

    def _take(self) -> None:
        """Events, edits and damage of the present state."""
        actors, snapshot = self.session.actors, self.session.snapshot
        self._event_frames = {}
        self._edited, self._lost, self._silhouette = np.zeros(0, np.intp), [], np.zeros(0)
        if actors is not None and snapshot is not None:
            kinds = actors.events["kind"]
            self._event_frames = {kind: np.flatnonzero(kinds == kind) for kind in range(len(EVENT_KINDS))}
            table = snapshot.table
            frames = table.column("kind") != RAW
            changed = (table.column("source") == Store.scratch) | (table.column("stored") == 0)
            if self.session.is_modified:
                self._edited = np.flatnonzero(changed[frames])
            for row in np.flatnonzero(~frames)[:2000].tolist():
                index = table.frame_of_row(row)
                self._lost.append((index, int(table.row(row)["size"])))
            sizes = table.column("size")[frames]
            self._silhouette = sizes.astype(np.float64)
        self.refresh()

    def refresh(self) -> None:
        """Paint everything anew."""
        self._order_lives()
        self._still = None
        self.update()

    def _order_lives(self) -> None:
        """Selected and heroes first, then who is alive in sight, by birth; road users only where there are any."""
        actors = self.session.actors
        if actors is None:
            self.lives = []
            return
        chosen = set(self.session.actors_selected)
        users = [life for life in actors if life.class_ in ("vehicle", "walker", "two-wheeler")] or list(actors)
        low, high = (self.axis.frame(self.axis.left), self.axis.frame(self.axis.left + self.axis.width))
        if self.session.has_range:
            low, high = self.session.range.start, self.session.range.stop

        def rank(life: Life) -> tuple[bool, bool, bool, int]:
            alive = life.born <= high and (life.gone is None or life.gone > low)
            return not life.is_hero, life.actor not in chosen, not alive, life.born

        self.lives = sorted(users, key=rank)

    def _select(self, _selection: object) -> None:
        chosen = self.session.actors_selected
        if chosen != self._chosen:
            self._chosen = chosen
            self.refresh()
            return
        self._keep_cursor_in_sight()
        self.update()

    def _keep_cursor_in_sight(self) -> None:
        if self._drag or not len(self.axis.times):
            return
        now = float(self.axis.times[min(self.session.frame_index, len(self.axis.times) - 1)])
        if not self.axis.low <= now <= self.axis.high:
            span = self.axis.high - self.axis.low
            self.set_axis(self.axis.seeing(now - span / 4, now + 3 * span / 4))

    def set_axis(self, axis: Axis) -> None:
        """Look at another part."""
        self.axis = axis
        self.refresh()

    def restyle(self) -> None:
        super().restyle()
        self._still = None
        self._place_axis()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_axis()
        self._still = None

    def _place_axis(self) -> None:
        left = self.theme.px(NAMES)
        self.axis = self.axis.sized(left, self.width() - left - self.theme.px(RIGHT))

    # --- where lanes are --------------------------------------------------------------------------------

    def _lanes(self) -> list[tuple[str, int]]:
        """(name, top) of the lanes between ruler and lives."""
        names = ["Kept and lost"] if self._lost else []
        names += ["Born, gone", "Collisions"]
        names += [_FURTHER[kind] for kind in _FURTHER if self._has_later(kind)][: self._room_for_lanes()]
        if len(self._edited):
            names.append("Edits")
        top, lanes = self.theme.px(OVERVIEW) + self.theme.px(RULER) + 4, []
        for name in names:
            lanes.append((name, top))
            top += self.theme.px(LANE) + GAP
        return lanes

    def _room_for_lanes(self) -> int:
        return 4 if self.height() > SHORTEST_HISTORY else 0

    def _has_later(self, kind: int) -> bool:
        actors = self.session.actors
        where = self._event_frames.get(kind)
        return actors is not None and where is not None and bool((actors.events["frame_index"][where] > 0).any())

    @property
    def lives_top(self) -> int:
        """Where the line that names the lives begins."""
        lanes = self._lanes()
        return lanes[-1][1] + self.theme.px(LANE) + GAP if lanes else self.theme.px(OVERVIEW) + self.theme.px(RULER)

    @property
    def rows_shown(self) -> int:
        """Life rows that fit."""
        room = self.height() - self.lives_top - self.theme.px(16) - 4
        return 0 if self.is_folded else max(0, min(len(self.lives) - self.first_row, room // self.theme.px(LIFE)))

    def life_y(self, row: int) -> int:
        """The top of a life row in sight."""
        return self.lives_top + self.theme.px(16) + row * self.theme.px(LIFE)

    def sizeHint(self) -> QSize:
        return QSize(800, 196)

    # --- painting ---------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._still is None:
            self._still = self._painted()
        painter.drawPixmap(0, 0, self._still)
        if len(self.axis.times):
            self._paint_cursor(painter)
        elif self.session.snapshot is not None:
            painter.setFont(self.theme.font)
            painter.setPen(self.theme.palette.muted)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.tr("No frames in this file"))

    def _painted(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        still = QPixmap(int(self.width() * ratio), int(self.height() * ratio))
        still.setDevicePixelRatio(ratio)
        palette = self.theme.palette
        still.fill(palette.window)
        painter = QPainter(still)
        left, top = self.axis.left, self.theme.px(OVERVIEW) + self.theme.px(RULER)
        if len(self.axis.times):
            painter.fillRect(QRectF(left, top, self.axis.width, self.height() - top), palette.in_range)
            self._paint_overview(painter)
            self._paint_ruler(painter)
            self._paint_lanes(painter)
            self._paint_lives(painter)
            self._paint_cut(painter)
            self._paint_handles(painter)
        painter.end()
        return still

    def _name(self, painter: QPainter, text: str, top: int, height: int) -> None:
        painter.setFont(self.theme.small)
        painter.setPen(self.theme.palette.muted)
        painter.drawText(QRect(self.theme.px(12), top, int(self.axis.left) - 16, height), _LEFT, self.tr(text))

    def _overview_x(self, time: float) -> float:
        whole = max(self.axis.last - self.axis.first, 1e-9)
        return self.axis.left + (time - self.axis.first) / whole * self.axis.width

    def _paint_overview(self, painter: QPainter) -> None:
        palette, axis = self.theme.palette, self.axis
        height = self.theme.px(OVERVIEW)
        self._name(painter, "Overview", 0, height)
        lane = QRectF(axis.left, 2, axis.width, height - 3)
        painter.fillRect(lane, palette.in_range if self.session.has_range else palette.field)
        columns = int(axis.width)
        if columns > 1 and len(self._silhouette):
            edges = np.linspace(0, len(self._silhouette), columns + 1).astype(np.int64)
            peaks = np.maximum.reduceat(self._silhouette, np.minimum(edges[:-1], len(self._silhouette) - 1))
            low = 0.35 * float(np.median(self._silhouette))
            share = np.clip((peaks - low) / max(float(np.percentile(peaks, 98)) - low, 1.0), 0.05, 1.0)
            tops = lane.bottom() - share * (lane.height() - 6)
            points = [QPointF(lane.left() + i, y) for i, y in enumerate(tops.tolist())]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.overview)
            painter.drawPolygon(QPolygonF([lane.bottomLeft(), *points, lane.bottomRight()]))
        actors = self.session.actors
        if actors is not None and len(actors.collisions):
            hits = np.unique(self._overview_pixels(actors.collisions["frame_index"]))
            painter.setPen(QPen(palette.error, 1))
            painter.drawLines([QLineF(x + 0.5, lane.bottom() - 5, x + 0.5, lane.bottom()) for x in hits.tolist()])
        for index, _ in self._lost:
            x = self._overview_x(float(axis.times[min(index, len(axis.times) - 1)]))
            painter.fillRect(QRectF(x - 2, lane.top(), 4, lane.height()), with_alpha(palette.error, 0.7))
        if self.session.has_range:
            span = self.session.range
            left = self._overview_x(float(axis.times[span.start]))
            self._hatch(painter, QRectF(lane.left(), lane.top(), left - lane.left(), lane.height()))
            right = self._overview_x(axis.end_of(span.stop - 1))
            self._hatch(painter, QRectF(right, lane.top(), lane.right() - right, lane.height()))
        if not axis.is_whole:
            seen = self._window_rect()
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(palette.muted, 1))
            painter.drawRoundedRect(seen, 2, 2)

    def _overview_pixels(self, frames: Integers) -> Integers:
        times = self.axis.times[np.clip(frames, 0, len(self.axis.times) - 1)]
        whole = max(self.axis.last - self.axis.first, 1e-9)
        return (self.axis.left + (times - self.axis.first) / whole * self.axis.width).astype(np.int64)

    def _window_rect(self) -> QRectF:
        left, right = self._overview_x(self.axis.low), self._overview_x(self.axis.high)
        return QRectF(left + 0.5, 1.5, max(6.0, right - left - 1), self.theme.px(OVERVIEW) - 2)

    def _paint_ruler(self, painter: QPainter) -> None:
        palette = self.theme.palette
        top, height = self.theme.px(OVERVIEW), self.theme.px(RULER)
        painter.setFont(self.theme.small)
        for time in self.axis.ticks():
            x = self.axis.x(time)
            painter.setPen(palette.muted)
            painter.drawText(QRectF(x - 40, top, 80, height - 3), Qt.AlignmentFlag.AlignCenter, self.axis.label(time))
            painter.setPen(palette.hairline)
            painter.drawLine(QPointF(x, top + height - 3), QPointF(x, top + height))
        if not self.axis.in_seconds:
            self._name(painter, "frames (times do not rise)", top, height)

    def _paint_lanes(self, painter: QPainter) -> None:
        for name, top in self._lanes():
            height = self.theme.px(LANE)
            self._name(painter, name, top, height)
            if name == "Kept and lost":
                self._paint_lost(painter, top, height)
            elif name == "Born, gone":
                self._paint_births(painter, top, height)
            elif name == "Collisions":
                self._paint_ticks(painter, _COLLISION, top, height, self.theme.palette.error)
            elif name == "Edits":
                self._paint_edits(painter, top, height)
            else:
                kind = next(kind for kind, other in _FURTHER.items() if other == name)
                self._paint_ticks(painter, kind, top, height, self.theme.palette.muted)

    def _pixels(self, kind: int) -> list[int]:
        """The pixels of an event kind in sight, each once."""
        actors, where = self.session.actors, self._event_frames.get(kind)
        if actors is None or where is None or not len(where):
            return []
        frames = np.clip(actors.events["frame_index"][where], 0, len(self.axis.times) - 1)
        xs = self.axis.xs(self.axis.times[frames])
        seen = (xs >= self.axis.left - 1) & (xs <= self.axis.left + self.axis.width + 1)
        pixels: list[int] = np.unique(xs[seen].astype(np.int64)).tolist()
        return pixels

    def _nothing(self, painter: QPainter, top: int, height: int, text: str) -> None:
        painter.setFont(self.theme.small)
        painter.setPen(self.theme.palette.muted)
        start = self._handle_x("in") if self.session.has_range else self.axis.left
        painter.drawText(QRectF(max(self.axis.left, start) + 14, top, 300, height), _LEFT, self.tr(text))

    def _paint_births(self, painter: QPainter, top: int, height: int) -> None:
        palette = self.theme.palette
        born, gone = self._pixels(_BORN), self._pixels(_GONE)
        if not self._has_later(_BORN) and not self._event_frames.get(_GONE, np.zeros(0)).size:
            self._nothing(painter, top, height, "none after the first frame")
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for xs, color, up in ((born, palette.fine, True), (gone, palette.muted, False)):
            painter.setPen(QPen(color, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            lines = []
            for x in xs:
                low, high, tip = top + height - 3.0, top + 3.0, 3.0
                end, inner = (high, high + tip) if up else (low, low - tip)
                lines += [QLineF(x, low, x, high), QLineF(x, end, x - tip, inner), QLineF(x, end, x + tip, inner)]
            painter.drawLines(lines)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_ticks(self, painter: QPainter, kind: int, top: int, height: int, color: QColor) -> None:
        where = self._event_frames.get(kind)
        if where is None or not len(where):
            self._nothing(painter, top, height, "none in this recording")
            return
        painter.setPen(QPen(color, 1.5))
        painter.drawLines([QLineF(x, top + 3, x, top + height - 3) for x in self._pixels(kind)])

    def _paint_edits(self, painter: QPainter, top: int, height: int) -> None:
        xs = self.axis.xs(self.axis.times[np.clip(self._edited, 0, len(self.axis.times) - 1)])
        seen = xs[(xs >= self.axis.left) & (xs <= self.axis.left + self.axis.width)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.palette.edited)
        for x in np.unique(seen.astype(np.int64)).tolist():
            painter.drawEllipse(QPointF(x, top + height / 2), 2.6, 2.6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_lost(self, painter: QPainter, top: int, height: int) -> None:
        palette, axis = self.theme.palette, self.axis
        painter.fillRect(QRectF(axis.left, top + 4, axis.width, height - 8), palette.fine)
        for index, _ in self._lost:
            time = float(axis.times[index]) if index < len(axis.times) else axis.last
            rect = QRectF(axis.x(time) - 4, top + 3, 8, height - 6)
            painter.fillRect(rect, palette.window)
            self._hatch(painter, rect, palette.error, 5)
            painter.setPen(QPen(palette.error, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect)

    def _paint_lives(self, painter: QPainter) -> None:
        palette = self.theme.palette
        top = self.lives_top
        arrow = "chevron-right" if self.is_folded else "chevron-down"
        self._name(painter, "Actors", top, self.theme.px(16))
        side = self.theme.metrics(self.theme.small).horizontalAdvance(self.tr("Actors"))
        self.theme.icons.draw(painter, arrow, self.theme.px(12) + side + 4, top + 3, 10, palette.muted)
        if not self.is_folded and self.lives:
            painter.setFont(self.theme.small)
            painter.setPen(palette.muted)
            counted = f"{self.rows_shown}/{len(self.lives)}"
            painter.drawText(QRect(self.theme.px(12) + side + 20, top, 60, self.theme.px(16)), _LEFT, counted)
        chosen = self.session.actors_selected
        for row in range(self.rows_shown):
            self._paint_life(painter, self.lives[row + self.first_row], self.life_y(row), chosen)

    def _paint_life(self, painter: QPainter, life: Life, y: int, chosen: tuple[int, ...]) -> None:
        palette, axis, height = self.theme.palette, self.axis, self.theme.px(LIFE)
        selected = life.actor in chosen
        if selected:
            painter.fillRect(QRectF(0, y, self.width(), height), palette.hover)
        icon = icon_of(life)
        self.theme.icons.draw(painter, icon, self.theme.px(13), y + (height - 12) // 2, 12)
        painter.setFont(self.theme.mono)
        painter.setPen(palette.text if selected else palette.muted)
        painter.drawText(QRect(self.theme.px(30), y, int(axis.left) - 34, height), _LEFT, str(life.actor))
        color = palette.selection if selected else with_alpha(palette.class_color(life.class_), 0.62)
        middle = y + height / 2
        born = float(axis.times[min(life.born, len(axis.times) - 1)])
        gone = axis.last if life.gone is None else float(axis.times[min(life.gone, len(axis.times) - 1)])
        left, right = max(axis.left, axis.x(born)), min(axis.left + axis.width, axis.x(gone))
        if right <= left:
            return
        painter.fillRect(QRectF(left, middle - 1, right - left, 2), color)
        for start, stop in self._driving(life):
            low, high = max(left, axis.x(start)), min(right, axis.x(stop))
            if high > low:
                painter.fillRect(QRectF(low, middle - 4, max(1.0, high - low), 8), color)
        if axis.x(born) >= axis.left and life.born > 0:
            painter.fillRect(QRectF(left, middle - 4, 1.5, 8), color)
        if life.gone is not None and axis.x(gone) <= axis.left + axis.width:
            painter.fillRect(QRectF(right - 1.5, middle - 4, 1.5, 8), color)
        self._paint_hits(painter, life, middle)

    def _driving(self, life: Life) -> list[tuple[float, float]]:
        survey, times = self.session.survey, self.axis.times
        if survey is None or life.index >= len(survey.journeys):
            return []
        last = len(times) - 1
        moving = survey.journeys[life.index].moving.tolist()
        return [(float(times[min(start, last)]), float(times[min(stop, last)])) for start, stop in moving]

    def _paint_hits(self, painter: QPainter, life: Life, middle: float) -> None:
        actors = self.session.actors
        if actors is None or not len(actors.collisions):
            return
        records = actors.collisions
        mine = (records["actor1"] == life.actor) | (records["actor2"] == life.actor)
        frames = records["frame_index"][mine]
        gone = life.gone if life.gone is not None else len(self.axis.times)
        frames = frames[(frames >= life.born) & (frames < gone)]
        if len(frames):
            times = self.axis.times[np.clip(frames, 0, len(self.axis.times) - 1)]
            xs = np.unique(self.axis.xs(times).astype(np.int64))
            painter.setPen(QPen(self.theme.palette.error, 1.5))
            painter.drawLines([QLineF(x, middle - 4, x, middle + 4) for x in xs.tolist()])

    def _paint_cut(self, painter: QPainter) -> None:
        """What is cut away: hatched over everything, and still readable."""
        if not self.session.has_range:
            return
        axis, span = self.axis, self.session.range
        top = self.theme.px(OVERVIEW) + self.theme.px(RULER)
        start, stop = axis.x(float(axis.times[span.start])), axis.x(axis.end_of(span.stop - 1))
        end = axis.left + axis.width
        for left, right in ((axis.left, min(start, end)), (max(stop, axis.left), end)):
            if right > left:
                self._hatch(painter, QRectF(left, top, right - left, self.height() - top))

    def _hatch(self, painter: QPainter, rect: QRectF, color: QColor | None = None, step: int = 8) -> None:
        if rect.width() <= 0:
            return
        painter.save()
        painter.setClipRect(rect)
        if color is None:
            painter.fillRect(rect, with_alpha(self.theme.palette.cut, 0.62))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color or self.theme.palette.hatch, 1))
        height = rect.height()
        first = int((rect.left() - height) // step) * step
        painter.drawLines([
            QLineF(x, rect.bottom(), x + height, rect.top()) for x in range(first, int(rect.right()) + step, step)
        ])  # fmt: skip
        painter.restore()

    def _handle_x(self, which: Drag) -> float:
        span = self.session.range
        times = self.axis.times
        return self.axis.x(float(times[span.start]) if which == "in" else self.axis.end_of(span.stop - 1))

    def _paint_handles(self, painter: QPainter) -> None:
        if not self.session.has_range:
            return
        palette = self.theme.palette
        top = self.theme.px(OVERVIEW)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for which in ("in", "out"):
            x = self._handle_x(which)
            if not self.axis.left - 2 <= x <= self.axis.left + self.axis.width + 2:
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.selection)
            painter.drawRect(QRectF(x - 1, top + 2, 2, self.height() - top - 2))
            grip = QRectF(x - 1 if which == "in" else x + 1 - GRIP[0], top + 1, *GRIP)
            painter.drawRoundedRect(grip, 2, 2)
            painter.setPen(QPen(palette.on_selection, 1))
            x, y = grip.center().x(), grip.center().y()
            painter.drawLines([QLineF(x + side, y - 3, x + side, y + 3) for side in (-1.5, 1.5)])
            if self.shows_frames:
                frame = self.session.range.start + 1 if which == "in" else self.session.range.stop
                flags = _LEFT if which == "in" else _RIGHT
                place = QRectF(grip.right() + 4 if which == "in" else grip.left() - 94, top, 90, 18)
                painter.setFont(self.theme.small)
                painter.setPen(palette.selection)
                painter.drawText(place, flags, self.tr("frame %1").replace("%1", f"{frame:,}"))

    def _paint_cursor(self, painter: QPainter) -> None:
        palette, axis = self.theme.palette, self.axis
        now = float(axis.times[min(self.session.frame_index, len(axis.times) - 1)])
        over = self._overview_x(now)
        painter.setPen(QPen(palette.text, 1))
        painter.drawLine(QPointF(over, 2), QPointF(over, self.theme.px(OVERVIEW) - 1))
        x = axis.x(now)
        if not axis.left - 1 <= x <= axis.left + axis.width + 1:
            return
        top = self.theme.px(OVERVIEW)
        painter.drawLine(QPointF(x, top), QPointF(x, self.height()))
        text = axis.label(now, exact=True)
        width = self.theme.metrics(self.theme.mono).horizontalAdvance(text) + 12
        left = max(axis.left, min(x - width / 2, axis.left + axis.width - width))
        tag = QRectF(round(left), top + 1, width, 16)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.tag)
        painter.drawRoundedRect(tag, 3, 3)
        painter.setFont(self.theme.mono)
        painter.setPen(palette.on_tag)
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)

    # --- mouse ------------------------------------------------------------------------------------------

    def _drag_at(self, point: QPointF) -> Drag:
        if point.x() < self.axis.left - 6 or not len(self.axis.times):
            return ""
        if point.y() < self.theme.px(OVERVIEW):
            return "window"
        if self.session.has_range:
            near = {which: abs(self._handle_x(which) - point.x()) for which in ("in", "out")}
            which = min(near, key=lambda one: near[one])
            if near[which] <= 6:
                return "in" if which == "in" else "out"
        return "scrub"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._drag, self._drag_from = "pan", point.x()
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._press_left(point) or self._press_mark(point):
            return
        self._drag, self._drag_from = self._drag_at(point), point.x()
        if self._drag == "window" and not self._window_rect().contains(point):
            self._centre_window(point.x())
        elif self._drag == "scrub":
            self.session.go_to_frame(self.axis.frame(point.x()))

    def _press_left(self, point: QPointF) -> bool:
        """A click on the names: folds the lives, or selects the actor of a row."""
        life = self.life_at(point)
        if life is not None and point.x() < self.axis.left:
            self._select_life(life)
            return True
        top = self.lives_top
        if point.x() < self.axis.left and top <= point.y() < top + self.theme.px(16):
            self.is_folded = not self.is_folded
            self.folded.emit(self.is_folded)
            self.refresh()
            return True
        return point.x() < self.axis.left - 6

    def _select_life(self, life: Life) -> None:
        if not life.is_alive(self.session.frame_index):
            self.session.go_to_frame(life.born)
        self.session.select_actor(life.actor)

    def _press_mark(self, point: QPointF) -> bool:
        """A click on a mark selects its record."""
        actors = self.session.actors
        for name, top in self._lanes():
            if not top <= point.y() < top + self.theme.px(LANE) or actors is None:
                continue
            kinds = {"Born, gone": (_BORN, _GONE), "Collisions": (_COLLISION,)}.get(
                name, tuple(kind for kind, other in _FURTHER.items() if other == name)
            )
            found = [self._event_frames[kind] for kind in kinds if kind in self._event_frames]
            where = np.concatenate(found) if found else np.zeros(0, np.intp)
            if not len(where):
                return False
            frames = np.clip(actors.events["frame_index"][where], 0, len(self.axis.times) - 1)
            distance = np.abs(self.axis.xs(self.axis.times[frames]) - point.x())
            best = int(np.argmin(distance))
            if distance[best] <= 4:
                event = actors.events[where[best]]
                self.session.select(Place(int(event["row"]), int(event["packet"]), int(event["record"])))
                return True
        return False

    def life_at(self, point: QPointF) -> Life | None:
        """The life whose row is under a point."""
        row = (point.y() - self.life_y(0)) / self.theme.px(LIFE)
        return self.lives[self.first_row + int(row)] if 0 <= row < self.rows_shown else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._drag == "scrub":
            self.session.go_to_frame(self.axis.frame(point.x()))
        elif self._drag == "in":
            stop = self.session.range.stop
            self.session.set_range(min(self.axis.nearest(point.x()), stop - 1), stop)
        elif self._drag == "out":
            start = self.session.range.start
            self.session.set_range(start, max(self.axis.nearest(point.x()), start + 1))
        elif self._drag == "window":
            whole = self.axis.last - self.axis.first
            self._pan((point.x() - self._drag_from) / self.axis.width * whole)
            self._drag_from = point.x()
        elif self._drag == "pan":
            self._pan(-(point.x() - self._drag_from) / self.axis.width * (self.axis.high - self.axis.low))
            self._drag_from = point.x()
        else:
            shapes = {"in": Qt.CursorShape.SizeHorCursor, "out": Qt.CursorShape.SizeHorCursor}
            self.setCursor(shapes.get(self._drag_at(point), Qt.CursorShape.ArrowCursor))

    def _pan(self, seconds: float) -> None:
        self.set_axis(self.axis.seeing(self.axis.low + seconds, self.axis.high + seconds))

    def _centre_window(self, x: float) -> None:
        whole = self.axis.last - self.axis.first
        at = self.axis.first + (x - self.axis.left) / self.axis.width * whole
        half = (self.axis.high - self.axis.low) / 2
        if self.axis.is_whole:
            self.session.go_to_frame(self.axis.frame(x))
        else:
            self.set_axis(self.axis.seeing(at - half, at + half))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point, scrubbed = event.position(), self._drag == "scrub"
        self._drag = ""
        life = self.life_at(point)
        if scrubbed and life is not None and abs(point.x() - self._drag_from) <= 3:
            self.session.select_actor(life.actor)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        which = self._drag_at(event.position())
        if which == "in":
            self.session.set_range(0, self.session.range.stop)
        elif which == "out":
            self.session.set_range(self.session.range.start, self.session.frames)
        elif which == "window":
            self.set_axis(self.axis.whole())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not len(self.axis.times):
            return
        steps = event.angleDelta().y() / 120
        sideways = event.angleDelta().x() / 120
        over_lives = event.position().y() >= self.life_y(0) and event.position().x() < self.axis.left
        if over_lives:
            most = max(0, len(self.lives) - self.rows_shown)
            self.first_row = max(0, min(self.first_row - int(3 * steps), most))
            self.refresh()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or sideways:
            self._pan(-(steps + sideways) * (self.axis.high - self.axis.low) / 8)
        else:
            self.set_axis(self.axis.zoomed(1.25**steps, event.position().x()))
        event.accept()

    # --- tooltips and keys ------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and len(self.axis.times):
            text = self._tip(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), text, self) if text else QToolTip.hideText()
            return True
        return bool(super().event(event))

    def _tip(self, point: QPointF) -> str:
        life = self.life_at(point)
        if life is not None:
            gone = f"frame {life.gone + 1:,}" if life.gone is not None else "the end"
            return f"<b>{life.actor} {life.blueprint}</b><br>frame {life.born + 1:,} to {gone}"
        if point.x() < self.axis.left:
            return ""
        frame = self.axis.frame(point.x())
        return f"frame {frame + 1:,}<br>{self.axis.label(float(self.axis.times[frame]), exact=True)}"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        session, key = self.session, event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            by = -1 if key == Qt.Key.Key_Left else 1
            session.step_event(by) if control else session.step_seconds(float(by)) if shift else session.step(by)
        elif key == Qt.Key.Key_Home:
            session.go_to_frame(0)
        elif key == Qt.Key.Key_End:
            session.go_to_frame(session.frames - 1)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and not control:
            now = self.axis.x(float(self.axis.times[session.frame_index])) if len(self.axis.times) else 0.0
            self.set_axis(self.axis.zoomed(0.8 if key == Qt.Key.Key_Minus else 1.25, now))
        elif key == Qt.Key.Key_0 and not control:
            self.set_axis(self.axis.whole())
        else:
            event.ignore()

    def point_of_frame(self, frame: int) -> QPoint:
        """A point in the lanes at which a frame begins, for scripts."""
        top = self.theme.px(OVERVIEW) + self.theme.px(RULER)
        return QPoint(math.ceil(self.axis.x(float(self.axis.times[frame]))), top + 1)


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
