"""What is under a point of the timeline: a life, an event, a problem, an edit, a lost stretch; and words for it."""

import math

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF

from ...edits.place import Place
from ...recording.findings import Finding
from ...recording.lives import Life
from ..describe import describe
from .axis import Integers
from .marks import Gap
from .picture import KEPT_AND_LOST, LANE, OVERVIEW, RISK, Lane, Sheet

REACH = 4
"""Pixels around a mark that belong to it."""


class Pointing:
    """Looks things up in a sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    def lane_at(self, point: QPointF) -> Lane | None:
        """The lane under a point."""
        height = self._sheet.theme.px(LANE)
        return next((lane for lane in self._sheet.lanes if lane.top <= point.y() < lane.top + height), None)

    def life_at(self, point: QPointF) -> Life | None:
        """The life whose row is under a point."""
        sheet = self._sheet
        row = math.floor((point.y() - sheet.life_y(0)) / sheet.life_height)
        return sheet.roster.life(sheet.first_row + row) if 0 <= row < sheet.rows else None

    def event_at(self, point: QPointF) -> int | None:
        """The event (an index into `Actors.events`) whose mark is under a point."""
        lane, actors = self.lane_at(point), self._sheet.session.actors
        if lane is None or actors is None:
            return None
        where = [self._sheet.marks.events[kind] for kind in lane.kinds if len(self._sheet.marks.events.get(kind, ()))]
        if not where:
            return None
        events = np.concatenate(where)
        near = self._nearest(actors.events["frame_index"][events], point)
        return int(events[near]) if near is not None else None

    def finding_at(self, point: QPointF) -> Finding | None:
        """The problem whose sign is under a point."""
        lane = self.lane_at(point)
        if lane is None or lane.kinds or lane.name == RISK:
            return None
        near = self._nearest(self._sheet.problems.frames, point)
        which = int(self._sheet.problems.which[near]) if near is not None else -1
        return self._sheet.session.findings[which] if 0 <= which < len(self._sheet.session.findings) else None

    def edit_at(self, point: QPointF) -> int | None:
        """The edited frame whose dot is under a point."""
        lane = self.lane_at(point)
        if lane is None or lane.kinds or lane.name == RISK:
            return None
        near = self._nearest(self._sheet.marks.edited, point)
        return int(self._sheet.marks.edited[near]) if near is not None else None

    def gap_at(self, point: QPointF) -> Gap | None:
        """The lost stretch under a point."""
        lane = self.lane_at(point)
        if lane is None or lane.name != KEPT_AND_LOST:
            return None
        axis = self._sheet.axis
        around = ((gap, axis.x(gap.start) - REACH, axis.x(gap.stop) + REACH) for gap in self._sheet.marks.gaps)
        return next((gap for gap, low, high in around if low <= point.x() <= high), None)

    def risk_at(self, point: QPointF) -> int | None:
        """The stretch at risk (an index into `Analysis.risks`) under a point: the worst of several."""
        lane, analysis = self.lane_at(point), self._sheet.session.traffic.shown
        if lane is None or lane.name != RISK or analysis is None:
            return None
        starts, stops = self._sheet.risk_spans()
        (near,) = np.nonzero((starts - REACH <= point.x()) & (point.x() <= stops + REACH))
        return int(near[np.argmin(analysis.risks["ttc"][near])]) if len(near) else None

    def _nearest(self, frames: Integers, point: QPointF) -> int | None:
        if not len(frames) or not len(self._sheet.axis.times):
            return None
        distance = np.abs(self._sheet.axis.xs(self._sheet.axis.at(frames)) - point.x())
        best = int(np.argmin(distance))
        return best if distance[best] <= REACH else None

    def tip(self, point: QPointF) -> str:
        """What the tooltip says about a point: rich text, or nothing."""
        axis, snapshot, actors = self._sheet.axis, self._sheet.session.snapshot, self._sheet.session.actors
        if snapshot is None or actors is None or not len(axis.times):
            return ""
        event, finding, gap, life = self.event_at(point), self.finding_at(point), self.gap_at(point), None
        if point.y() >= self._sheet.life_y(0):
            life = self.life_at(point)
        if event is not None:
            where = actors.events[event]
            place = Place(int(where["row"]), int(where["packet"]), int(where["record"]))
            return f"{self._moment(int(where['frame_index']))}<br>{describe(snapshot, place, actors)}"
        if finding is not None:
            return finding.message
        risk = self.risk_at(point)
        if risk is not None:
            return self._risk_words(risk)
        if gap is not None:
            text = _tr("%1 bytes that belong to no frame, after frame %2")
            if gap.frames:
                text = _tr("A repair would leave out %3 frames (%1 bytes) after frame %2")
                text = text.replace("%3", f"{gap.frames:,}")
            return text.replace("%1", f"{gap.size:,}").replace("%2", f"{gap.frames_before:,}")
        if life is not None:
            gone = f"frame {life.gone:,}" if life.gone is not None else _tr("the end")
            return f"<b>{life.actor} {life.blueprint}</b><br>frame {life.born + 1:,} to {gone}"
        if not axis.in_seconds and self._sheet.theme.px(OVERVIEW) <= point.y() < self._sheet.lanes_top:
            return _tr("By frame number: the recorded times are missing or do not rise")
        return self._moment(axis.frame(point.x())) if point.x() >= axis.left else ""

    def _risk_words(self, risk: int) -> str:
        analysis = self._sheet.session.traffic.shown
        assert analysis is not None
        row, lives = analysis.risks[risk], analysis.actors.lives
        text = _tr("<b>Risk %1</b>: %2 behind %3<br>TTC %4 s at its least<br>frame %5 to %6")
        words = (
            row["level"],
            lives[row["life"]].actor,
            lives[row["leader"]].actor,
            f"{row['ttc']:.2f}",
            f"{row['first'] + 1:,}",
            f"{row['last'] + 1:,}",
        )
        for number, word in enumerate(words):
            text = text.replace(f"%{number + 1}", str(word))
        return text

    def _moment(self, frame: int) -> str:
        snapshot = self._sheet.session.snapshot
        number = _tr("frame %1").replace("%1", f"{frame + 1:,}")
        if snapshot is not None:
            number += _tr(" (id %1)").replace("%1", str(snapshot.frame(frame).frame_id))
        return f"{number}, {self._sheet.axis.label_of(frame)}" if self._sheet.axis.in_seconds else number


def _tr(text: str) -> str:
    return QCoreApplication.translate("Timeline", text)
