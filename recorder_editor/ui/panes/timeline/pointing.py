"""The mark or life under a point of the timeline, the text about it, and its selection."""

import math
import re
from html import escape, unescape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF

from ....errors import RecorderError
from ....reading import Life
from ....recording import Place
from ....texts import N_, listed, say, say_count
from ....views.describe import describe, item_tip
from ....views.event_texts import event_tip
from ....views.signal_key import OFF_SCALE
from ....views.time_axis import Integers, Reals
from ....views.timeline_marks import MOST_HEAT, marks_apart
from .timeline_lanes import APART, TimelineLane
from .timeline_layout import OVERVIEW, SIDES, Side, TimelineLayout

if TYPE_CHECKING:
    from ....views.edited_records import EditedRecord

_TAG = re.compile("<[^>]*>")
MOST_TOLD = 1_000
"""Marks of one lane that are copied: describing one takes a moment."""

REACH = 4
"""Pixels around a mark that belong to it."""

_OF_FRAMES = {"match": N_("The filter matches: {moment}"), "difference": N_("Differs: {moment}")}
"""Meanings of marks that stand for a frame, and their tooltips."""


class Mark(NamedTuple):
    """A mark on a timeline lane.

    Attributes:
        timeline_lane: The timeline lane.
        target: What it stands for, as in `Group.targets`.
        many: Number of marks under the same point.
    """

    timeline_lane: TimelineLane
    target: int
    many: int = 1


def plain_text(text: str) -> str:
    """Return rich text without its tags, what stands between them as clauses."""
    return unescape(listed(_TAG.split(text), "clauses"))


def _all_of(timeline_lane: TimelineLane) -> tuple[Reals, Reals, Integers]:
    """Return where the marks of a timeline lane begin and end, and what they stand for; those in front first.

    The timeline lane has at least one group.
    """
    groups = timeline_lane.groups[::-1]
    starts = np.concatenate([group.starts for group in groups])
    stops = np.concatenate([group.stops for group in groups])
    targets = np.concatenate([group.targets for group in groups])
    return starts, stops, targets


class Pointing:
    """Finds what is under a point of a layout."""

    def __init__(self, layout: TimelineLayout) -> None:
        self._layout = layout
        self._session = layout.session

    def timeline_lane_at(self, point: QPointF) -> TimelineLane | None:
        """Return the timeline lane under a point."""
        height = self._layout.lane_height
        for timeline_lane in self._layout.timeline_lanes:
            if timeline_lane.top <= point.y() < timeline_lane.top + height:
                return timeline_lane
        return None

    def is_at_foot(self, point: QPointF) -> bool:
        """Return whether a point is in the line that names the lanes without room."""
        return self._layout.has_foot and point.y() >= self._layout.bottom

    def life_at(self, point: QPointF) -> Life | None:
        """Return the life of the row under a point."""
        layout = self._layout
        row = math.floor((point.y() - layout.life_y(0)) / layout.life_height)
        if 0 <= row < layout.rows:
            return layout.roster.life(layout.first_row + row)
        return None

    def frame_at(self, point: QPointF) -> int:
        """Return the frame under a point of the timeline lanes, or of the overview."""
        axis = self._layout.axis
        if self._is_in_overview(point):
            return axis.whole().frame(point.x())
        return axis.frame(point.x())

    def _is_in_overview(self, point: QPointF) -> bool:
        return point.y() < self._layout.theme.px(OVERVIEW)

    def handle_at(self, point: QPointF) -> Side | None:
        """Return the handle under a point, by its grip or its line; grips come first."""
        layout = self._layout
        handles = layout.handles()
        for side in handles:
            if layout.grip(side).adjusted(-2, -1, 2, 2).contains(point):
                return side
        if not self._session.range.is_shown:
            return None  # there is no line, and the first frame has to be within reach
        for side in handles:
            if abs(layout.handle_x(side) - point.x()) <= REACH:
                return side
        return None

    def segment_end_at(self, point: QPointF) -> tuple[int, Side] | None:
        """Return the index of the segment that begins or ends under a point, and the side of that end."""
        timeline_lane = self.timeline_lane_at(point)
        axis = self._layout.axis
        if timeline_lane is None or timeline_lane.meaning != "segment" or timeline_lane.is_empty:
            return None
        starts, stops, targets = _all_of(timeline_lane)
        distances = np.abs(axis.xs(np.stack((starts, stops))) - point.x())
        side, mark = np.unravel_index(np.argmin(distances), distances.shape)
        if distances[side, mark] <= REACH:
            return int(targets[mark]), SIDES[side]
        return None

    def mark_at(self, point: QPointF) -> Mark | None:
        """Return the mark under a point, or the nearest one within reach; of several the one in front."""
        timeline_lane = self.timeline_lane_at(point)
        axis = self._layout.axis
        if timeline_lane is None or not timeline_lane.groups or not len(axis.times):
            return None
        starts, stops, targets = _all_of(timeline_lane)
        if timeline_lane.meaning == "traffic":
            return self._event_at(point, timeline_lane, axis.xs(starts), targets)
        distances = np.maximum(np.maximum(axis.xs(starts) - point.x(), point.x() - axis.xs(stops)), 0)
        near = np.flatnonzero(distances <= REACH)
        if not len(near):
            return None
        nearest = near[np.argmin(distances[near])]
        return Mark(timeline_lane, int(targets[nearest]), many=len(near))

    def _event_at(self, point: QPointF, timeline_lane: TimelineLane, xs: Reals, targets: Integers) -> Mark | None:
        """Return the mark of a traffic event that is drawn under a point, with the number of those that it hides."""
        axis = self._layout.axis
        drawn = marks_apart(xs, APART, axis.left - 1, axis.right + 1)
        if not len(drawn):
            return None
        nearest = drawn[np.argmin(np.abs(xs[drawn] - point.x()))]
        if abs(xs[nearest] - point.x()) > REACH:
            return None
        many = int(np.count_nonzero(np.abs(xs - xs[nearest]) < APART))
        return Mark(timeline_lane, int(targets[nearest]), many)

    def _mark_after(self, timeline_lane: TimelineLane) -> Mark | None:
        """Return the first mark of a timeline lane behind the current frame."""
        if not timeline_lane.groups:
            return None
        now = self._layout.axis.at(np.array([self._session.selection.frame_index]))[0]
        starts, _, targets = _all_of(timeline_lane)
        later = np.flatnonzero(starts > now)
        if not len(later):
            return None
        first = later[np.argmin(starts[later])]
        return Mark(timeline_lane, int(targets[first]))

    def select(self, mark: Mark) -> None:
        """Select what a mark stands for."""
        session = self._session
        selection = session.selection
        target = mark.target
        meaning = mark.timeline_lane.meaning
        analysis = session.traffic.shown
        if meaning == "event":
            selection.select(self._place(target))
        elif meaning == "traffic":
            session.events.choose(target)
        elif meaning == "risk" and analysis is not None:
            selection.go_to_frame(int(analysis.risks["worst"][target]))
            life = analysis.actors.lives[int(analysis.risks["life"][target])]
            selection.select_actor(life.actor)
        elif meaning == "gap":
            selection.select(Place(self._layout.marks.gaps[target].row))
        elif mark.timeline_lane.items:
            selection.go_to_frame(mark.timeline_lane.items[target].start)
        elif meaning == "edit":
            self._select_edit(target)
        elif meaning in _OF_FRAMES:
            selection.go_to_frame(target)
        elif meaning == "finding" and target < len(session.background.findings):
            selection.select_finding(session.background.findings[target])

    def _select_edit(self, frame: int) -> None:
        """Select the first record of a frame that was edited; of a new frame the frame."""
        selection = self._session.selection
        records = self._edited(frame)
        if not records:
            selection.go_to_frame(frame)
            return
        selection.select(records[0].place)
        if selection.actor is not None:
            selection.sought.emit()

    def _edited(self, frame: int) -> "list[EditedRecord]":
        """Return the first records of a frame that were edited; none of a new frame, and of one that cannot be read."""
        from ....views.edited_records import edited_records  # the first picture does without

        session = self._session
        if session.snapshot is None or session.recording is None:
            return []
        try:
            return edited_records(session.snapshot, session.recording.saved, frame)
        except (RecorderError, OSError):  # the file was rewritten; the message bar says so
            return []

    def _place(self, event: int) -> Place:
        assert self._session.actors is not None
        record = self._session.actors.events[event]
        return Place(int(record["row"]), int(record["packet"]), int(record["record"]))

    def tip(self, point: QPointF) -> str:
        """Return the tooltip of a point as rich text; empty for none."""
        axis = self._layout.axis
        if self._session.snapshot is None or self._session.actors is None or not len(axis.times):
            return ""
        if self.is_at_foot(point):
            return _lines(self.hidden_text, say("Click to make the timeline higher"))
        handle = self.handle_at(point)
        if handle is not None:
            return self._handle_tip(handle)
        mark = self.mark_at(point)
        if mark is not None:
            text = self._mark_text(mark)
            if mark.many > 1:
                text = _lines(text, say("and {many:,} more here", many=mark.many - 1))
            return text
        life = self.life_at(point)
        if life is not None:
            return self._life_tip(life, point.x())
        if not axis.in_seconds and self._layout.theme.px(OVERVIEW) <= point.y() < self._layout.timeline_lanes_top:
            return say("By frame number, because the recorded times do not increase")
        if point.x() < axis.left:
            timeline_lane = self.timeline_lane_at(point)
            return self.timeline_lane_text(timeline_lane) if timeline_lane is not None else ""
        return self._frame_tip(point)

    def _handle_tip(self, side: Side) -> str:
        span = self._session.range.shown
        if side == "in":
            text = say("In: {moment}", moment=self._moment(span.start))
        else:
            text = say("Out: {moment} is the last frame", moment=self._moment(span.stop - 1))
        drag = say("Drag, or click and press Left or Right.")
        return _lines(text, drag, say("It snaps to marks; Ctrl or Alt turns that off."))

    def _life_tip(self, life: Life, x: float) -> str:
        axis = self._layout.axis
        text = self.life_text(life)
        _, changes = self._session.background.lanes_of(life)
        near = changes[np.abs(axis.xs(axis.at(changes)) - x) <= REACH]
        if len(near):
            text = _lines(text, say("lane change: {moment}", moment=self._moment(int(near[0]))))
        return text

    def _frame_tip(self, point: QPointF) -> str:
        """Return the tooltip of a frame, in the overview with its minimum TTC."""
        frame = self.frame_at(point)
        text = self._moment(frame)
        analysis = self._session.traffic.shown
        if analysis is not None and self._is_in_overview(point) and frame < len(analysis.least_ttc):
            ttc = float(analysis.least_ttc[frame])
            if ttc < OFF_SCALE["ttc"]:
                text = _lines(text, say("minimum TTC {ttc:.2f} s", ttc=ttc))
        return text

    def life_text(self, life: Life) -> str:
        """Return id, blueprint and frames of a life as rich text."""
        frames = say("frames {first:,} to the end", first=life.born + 1)
        if life.gone is not None:
            frames = say("frames {first:,} to {last:,}", first=life.born + 1, last=life.gone)
        return f"<b>{life.actor} {life.blueprint}</b><br>{frames}"

    def timeline_lane_text(self, timeline_lane: TimelineLane) -> str:
        """Return the number of marks of a timeline lane, and the next one behind the current frame, as rich text."""
        name = say(timeline_lane.name)
        marks = sum(len(group.targets) for group in timeline_lane.groups)
        if marks:
            text = say_count("{lane}: 1 mark", "{lane}: {count:,} marks", count=marks, lane=name)
        else:
            text = say("{name}: {note}", name=name, note=say(timeline_lane.note))
        mark = self._mark_after(timeline_lane)
        if mark is not None:
            text = _lines(text, say("next: {mark}", mark=self._mark_text(mark)))
        return text

    @property
    def hidden_text(self) -> str:
        """The text about the timeline lanes without room."""
        return say("{names}: no room at this height", names=self._layout.hidden_names)

    def moments(self) -> list[str]:
        """Return the texts about the current frame and the first and last one of the range."""
        span = self._session.range.shown
        return [
            say("Cursor: {moment}", moment=self._moment(self._session.selection.frame_index)),
            say("In: {moment}", moment=self._moment(span.start)),
            say("Out: {moment} is the last frame", moment=self._moment(span.stop - 1)),
        ]

    def marks_in_view(self) -> list[tuple[str, str, str, str]]:
        """Return the marks of the lanes that are shown, and the actors of the rows, as far as they are in view.

        Returns:
            The lane, the moments of beginning and end in seconds, and what it is, from above and then in order of time;
            of each lane the first `MOST_TOLD` marks.
        """
        axis = self._layout.axis
        rows = []
        for timeline_lane in self._layout.timeline_lanes:
            told = 0
            for group in timeline_lane.groups:
                is_seen = (group.starts <= axis.high) & (group.stops >= axis.low)
                for number in np.flatnonzero(is_seen)[: MOST_TOLD - told].tolist():
                    mark = Mark(timeline_lane, int(group.targets[number]))
                    start = float(group.starts[number])
                    stop = float(group.stops[number])
                    text = plain_text(self._mark_text(mark)).replace(", :", ":")
                    rows.append((say(timeline_lane.name), f"{start:.3f}", f"{stop:.3f}", text))
                    told += 1
        roster = self._layout.roster
        for row in range(self._layout.rows):
            life = roster.life(self._layout.first_row + row)
            start = float(axis.times[life.born])
            stop = axis.last if life.gone is None else float(axis.times[min(life.gone, len(axis.times) - 1)])
            if start <= axis.high and stop >= axis.low:
                rows.append((say("Actors"), f"{start:.3f}", f"{stop:.3f}", plain_text(self.life_text(life))))
        return rows

    def _mark_text(self, mark: Mark) -> str:
        session = self._session
        target = mark.target
        meaning = mark.timeline_lane.meaning
        if meaning == "event" and session.actors is not None:
            moment = self._moment(int(session.actors.events["frame_index"][target]))
            snapshot = session.snapshot_or_refuse()
            text = describe(snapshot, self._place(target), session.actors, self._layout.axis.units)
            return f"{moment}<br>{text}"
        if meaning == "traffic":
            return self._traffic_text(target)
        if meaning == "risk":
            return self._risk_text(target)
        if meaning == "gap":
            return self._gap_text(target)
        if mark.timeline_lane.items:
            return item_tip(mark.timeline_lane.items[target])
        if meaning == "edit":
            return self._edit_text(target)
        if meaning == "finding":
            if target < len(session.background.findings):
                return session.background.findings[target].message
            return ""
        return say(_OF_FRAMES[meaning], moment=self._moment(target))

    def _edit_text(self, frame: int) -> str:
        records = self._edited(frame)
        if not records:
            return say("frame {frame:,}: edited as a whole", frame=frame + 1)
        lines = [say("frame {frame:,}: {record}", frame=frame + 1, record=records[0].text)]
        lines += [record.text for record in records[1 : MOST_HEAT - 1]]
        if len(records) == MOST_HEAT:
            lines.append(say("and more"))
        return _lines(*map(escape, lines))

    def _gap_text(self, index: int) -> str:
        gap = self._layout.marks.gaps[index]
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

    def _traffic_text(self, row: int) -> str:
        events = self._session.events.found
        if events is None or row >= len(events):
            return ""
        tip = event_tip(events, row, self._layout.axis.units)
        if not self._session.events.is_current:
            return tip  # its frames are those of the state before an edit
        return _lines(tip, self._moment(int(events.table["worst"][row])))

    def _risk_text(self, risk: int) -> str:
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
        if not axis.in_seconds:
            return number
        return listed((number, axis.label_of(frame)), "clauses")


def _lines(*lines: str) -> str:
    """Join lines of rich text."""
    return "<br>".join(lines)
