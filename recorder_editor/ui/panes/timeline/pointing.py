"""What is under a point of the timeline: a mark or a life; words for it, and how it is selected."""

import math
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF

from ....reading import Life
from ....recording import Place
from ....texts import N_, listed, say, say_count
from ....views.describe import describe, item_tip
from ....views.signal_key import OFF_SCALE
from ....views.time_axis import Integers, Reals
from .timeline_lanes import TimelineLane
from .timeline_layout import OVERVIEW, SIDES, TIMELINE_LANE, Side, TimelineLayout

REACH = 4
"""Pixels around a mark that belong to it."""

_OF_FRAMES = {
    "edit": N_("Edited: {moment}"),
    "match": N_("The filter matches: {moment}"),
    "difference": N_("Differs: {moment}"),
}
"""Meanings of marks that stand for a frame, and their tooltips."""


class Mark(NamedTuple):
    """A mark on a timeline lane.

    Attributes: `timeline_lane`, `which` (what it stands for, as in `Group.which`), `many` (marks under the same point).
    """

    timeline_lane: TimelineLane
    which: int
    many: int = 1


def _all_of(timeline_lane: TimelineLane) -> tuple[Reals, Reals, Integers]:
    """Where the marks of a timeline lane begin and end, and what they stand for; those in front first."""
    columns = zip(*(group[1:] for group in timeline_lane.groups[::-1]), strict=True)
    starts, stops, which = map(np.concatenate, columns)
    return starts, stops, which


class Pointing:
    """Looks things up in a layout."""

    def __init__(self, layout: TimelineLayout) -> None:
        self._layout = layout
        self._session = layout.session

    def timeline_lane_at(self, point: QPointF) -> TimelineLane | None:
        """The timeline lane under a point."""
        height = self._layout.theme.px(TIMELINE_LANE)
        return next(
            (
                timeline_lane
                for timeline_lane in self._layout.timeline_lanes
                if timeline_lane.top <= point.y() < timeline_lane.top + height
            ),
            None,
        )

    def life_at(self, point: QPointF) -> Life | None:
        """The life whose row is under a point."""
        layout = self._layout
        row = math.floor((point.y() - layout.life_y(0)) / layout.life_height)
        if 0 <= row < layout.rows:
            return layout.roster.life(layout.first_row + row)
        return None

    def frame_at(self, point: QPointF) -> int:
        """The frame under a point of the timeline lanes, or of the overview."""
        axis = self._layout.axis
        return (axis.whole() if point.y() < self._layout.theme.px(OVERVIEW) else axis).frame(point.x())

    def handle_at(self, point: QPointF) -> Side | None:
        """A handle is taken by its line or its grip; of two at one place the one whose grip is under the pointer."""
        layout = self._layout
        handles = layout.handles()
        for which in handles:
            if layout.grip(which).adjusted(-2, -1, 2, 2).contains(point):
                return which
        if not self._session.range.is_set:
            return None  # a line there is none, and the first frame is to be reached
        return next((which for which in handles if abs(layout.handle_x(which) - point.x()) <= REACH), None)

    def segment_end_at(self, point: QPointF) -> tuple[int, Side] | None:
        """The segment whose end is under a point, and which end."""
        timeline_lane = self.timeline_lane_at(point)
        axis = self._layout.axis
        if timeline_lane is None or timeline_lane.meaning != "segment" or timeline_lane.is_empty:
            return None
        starts, stops, which = _all_of(timeline_lane)
        distance = np.abs(axis.xs(np.stack((starts, stops))) - point.x())
        side, at = np.unravel_index(np.argmin(distance), distance.shape)
        if distance[side, at] <= REACH:
            return (int(which[at]), SIDES[side])
        return None

    def mark_at(self, point: QPointF) -> Mark | None:
        """The mark under a point, or the nearest one within reach; of several the one in front."""
        timeline_lane = self.timeline_lane_at(point)
        axis = self._layout.axis
        if timeline_lane is None or not timeline_lane.groups or not len(axis.times):
            return None
        starts, stops, which = _all_of(timeline_lane)
        distance = np.maximum(np.maximum(axis.xs(starts) - point.x(), point.x() - axis.xs(stops)), 0)
        near = np.flatnonzero(distance <= REACH)
        if len(near):
            return Mark(timeline_lane, int(which[near[np.argmin(distance[near])]]), len(near))
        return None

    def _mark_after(self, timeline_lane: TimelineLane) -> Mark | None:
        """The first mark of a timeline lane behind the current frame."""
        if not timeline_lane.groups:
            return None
        now = self._layout.axis.at(np.array([self._session.selection.frame_index]))[0]
        starts, _, which = _all_of(timeline_lane)
        there = np.flatnonzero(starts > now)
        if len(there):
            return Mark(timeline_lane, int(which[there[np.argmin(starts[there])]]))
        return None

    def select(self, mark: Mark) -> None:
        """Select what a mark stands for."""
        session = self._session
        which = mark.which
        analysis = session.traffic.shown
        if mark.timeline_lane.meaning == "event":
            session.selection.select(self._place(which))
        elif mark.timeline_lane.meaning == "risk" and analysis is not None:
            session.selection.go_to_frame(int(analysis.risks["worst"][which]))
            session.selection.select_actor(analysis.actors.lives[int(analysis.risks["life"][which])].actor)
        elif mark.timeline_lane.meaning == "gap":
            session.selection.select(Place(self._layout.marks.gaps[which].row))
        elif mark.timeline_lane.items:
            session.selection.go_to_frame(mark.timeline_lane.items[which].start)
        elif mark.timeline_lane.meaning in _OF_FRAMES:
            session.selection.go_to_frame(which)
        elif mark.timeline_lane.meaning == "finding" and which < len(session.background.findings):
            session.selection.select_finding(session.background.findings[which])

    def _place(self, event: int) -> Place:
        assert self._session.actors is not None
        where = self._session.actors.events[event]
        return Place(int(where["row"]), int(where["packet"]), int(where["record"]))

    def tip(self, point: QPointF) -> str:
        """What the tooltip says about a point: rich text, or nothing."""
        axis = self._layout.axis
        snapshot = self._session.snapshot
        if snapshot is None or self._session.actors is None or not len(axis.times):
            return ""
        mark = self.mark_at(point)
        life = self.life_at(point)
        handle = self.handle_at(point)
        if handle is not None:
            span = self._session.range.frames
            if handle == "in":
                text = say("In: {moment}", moment=self._moment(span.start))
            else:
                text = say("Out: {moment} is the last frame", moment=self._moment(span.stop - 1))
            how = say("Drag, or click and press Left or Right."), say("It snaps to marks; Ctrl or Alt turns that off.")
            return "<br>".join((text, *how))
        if mark is not None:
            if mark.many > 1:
                more = [say("and {many:,} more here", many=mark.many - 1)]
            else:
                more = []
            return "<br>".join((self._words(mark), *more))
        if life is not None:
            text = self.life_words(life)
            _, changes = self._session.background.lanes_of(life)
            near = changes[np.abs(axis.xs(axis.at(changes)) - point.x()) <= REACH]
            there = []
            for at in near[:1]:
                there.append(say("lane change: {moment}", moment=self._moment(int(at))))
            return "<br>".join((text, *there))
        if not axis.in_seconds and self._layout.theme.px(OVERVIEW) <= point.y() < self._layout.timeline_lanes_top:
            return say("By frame number, because the recorded times do not increase")
        if point.x() < axis.left:
            return ""
        frame = self.frame_at(point)
        analysis = self._session.traffic.shown
        text = self._moment(frame)
        if analysis is not None and point.y() < self._layout.theme.px(OVERVIEW) and frame < len(analysis.least_ttc):
            ttc = float(analysis.least_ttc[frame])
            if ttc < OFF_SCALE["ttc"]:
                return "<br>".join((text, say("minimum TTC {ttc:.2f} s", ttc=ttc)))
        return text

    def life_words(self, life: Life) -> str:
        """Who it is, and its frames: rich text."""
        frames = say("frames {first:,} to the end", first=life.born + 1)
        if life.gone is not None:
            frames = say("frames {first:,} to {last:,}", first=life.born + 1, last=life.gone)
        return f"<b>{life.actor} {life.blueprint}</b><br>{frames}"

    def timeline_lane_text(self, timeline_lane: TimelineLane) -> str:
        """How many marks it has, and the next one from the current frame on: rich text."""
        mark = self._mark_after(timeline_lane)
        marks = sum(len(group.which) for group in timeline_lane.groups)
        name = say(timeline_lane.name)
        if marks:
            words = say_count("{lane}: 1 mark", "{lane}: {count:,} marks", count=marks, lane=name)
        else:
            words = say("{name}: {note}", name=name, note=say(timeline_lane.note))
        if mark is not None:
            more = [say("next: {mark}", mark=self._words(mark))]
        else:
            more = []
        return "<br>".join((words, *more))

    def moments(self) -> list[str]:
        """The current frame, the first and the last one of the range, in words."""
        span = self._session.range.frames
        return [
            say("Cursor: {moment}", moment=self._moment(self._session.selection.frame_index)),
            say("In: {moment}", moment=self._moment(span.start)),
            say("Out: {moment} is the last frame", moment=self._moment(span.stop - 1)),
        ]

    def _words(self, mark: Mark) -> str:
        session = self._session
        which = mark.which
        if mark.timeline_lane.meaning == "event" and session.actors is not None:
            moment = self._moment(int(session.actors.events["frame_index"][which]))
            snapshot = session.snapshot_or_refuse()
            units = self._layout.axis.units
            return f"{moment}<br>{describe(snapshot, self._place(which), session.actors, units)}"
        if mark.timeline_lane.meaning == "risk":
            return self._risk_words(which)
        if mark.timeline_lane.meaning == "gap":
            gap = self._layout.marks.gaps[which]
            if not gap.frames:
                return say(
                    "{size:,} bytes outside of frames, after frame {frame:,}", size=gap.size, frame=gap.frames_before
                )
            return say(
                "A repair would leave out {frames:,} frames ({size:,} bytes) after frame {frame:,}",
                frames=gap.frames,
                size=gap.size,
                frame=gap.frames_before,
            )
        if mark.timeline_lane.items:
            return item_tip(mark.timeline_lane.items[which])
        if mark.timeline_lane.meaning == "finding":
            if which < len(session.background.findings):
                return session.background.findings[which].message
            return ""
        return say(_OF_FRAMES[mark.timeline_lane.meaning], moment=self._moment(which))

    def _risk_words(self, risk: int) -> str:
        analysis = self._session.traffic.shown
        assert analysis is not None
        row = analysis.risks[risk]
        lives = analysis.actors.lives
        return say(
            "<b>Risk {level}</b>: {actor} behind {leader}<br>minimum TTC {ttc:.2f} s<br>frame {first:,} to {last:,}",
            level=row["level"],
            actor=lives[row["life"]].actor,
            leader=lives[row["leader"]].actor,
            ttc=row["ttc"],
            first=row["first"] + 1,
            last=row["last"] + 1,
        )

    def _moment(self, frame: int) -> str:
        snapshot = self._session.snapshot
        axis = self._layout.axis
        number = say("frame {frame:,}", frame=frame + 1)
        if snapshot is not None:
            number = say("frame {frame:,} (id {id})", frame=frame + 1, id=snapshot.frame(frame).frame_id)
        return listed((number, axis.label_of(frame) if axis.in_seconds else ""), "clauses")
