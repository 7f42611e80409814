"""The timeline lanes: which there are, what is marked in each, and what a mark stands for. Arrays, no widget."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ....reading import Actors
from ....texts import N_
from ....views.time_axis import Axis, Integers, Reals
from ....views.timeline_marks import BORN, COLLISION, DOOR, GONE, PARENT, SCENE_LIGHT, WEATHER, Marks, Problems
from ...session import Session

if TYPE_CHECKING:
    from ....edits.segments import Segment
    from ....recording.note import Note

Sign = Literal["born", "gone", "hit", "tick", "low", "high", "lost", "edited", "warning", "error", "item"]
Meaning = Literal["event", "risk", "gap", "edit", "match", "difference", "finding", "segment", "note"]

KEPT_AND_LOST, RISK = N_("Kept and lost"), N_("Risk")
_EVENTS: tuple[tuple[str, tuple[tuple[int, Sign], ...]], ...] = (
    (N_("First, last"), ((BORN, "born"), (GONE, "gone"))),
    (N_("Collisions"), ((COLLISION, "hit"),)),
    (N_("Attached"), ((PARENT, "tick"),)),
    (N_("Doors"), ((DOOR, "tick"),)),
    (N_("Scene lights"), ((SCENE_LIGHT, "tick"),)),
    (N_("Weather"), ((WEATHER, "tick"),)),
)
NEEDS_ROOM = frozenset(name for name, kinds in _EVENTS if kinds[0][1] == "tick")
"""Timeline lanes that are shown by themselves only where the timeline is tall."""

FOLD_FIRST = (N_("First, last"), N_("Edits"), N_("Problems"))
"""Timeline lanes that give way to rows of actors: those rows, the history and a pane tell the same."""


class Group(NamedTuple):
    """Marks that look alike: where they begin and end (moments on the axis, float64[n] each), and what each stands for
    (an index into `Actors.events`, the risks, the gaps or the findings, or a frame)."""

    sign: Sign
    starts: Reals
    stops: Reals
    which: Integers


@dataclass(frozen=True, eq=False)
class TimelineLane:
    """A line of marks: `name`, `meaning` (of `Group.which`), `groups` (the later in front), `top`, `items` (segments or
    notes, if that is what they are); `note` says why there is nothing where the timeline lane `is_empty`."""

    name: str
    meaning: Meaning
    groups: tuple[Group, ...]
    is_empty: bool
    note: str = N_("none in this recording")
    top: int = 0
    items: "Sequence[Segment | Note]" = ()


def timeline_lanes_of(session: Session, axis: Axis, marks: Marks, problems: Problems) -> list[TimelineLane]:
    """All timeline lanes, from above, with those in which nothing is marked."""
    timeline_lanes = [_lane(KEPT_AND_LOST, "gap", Group("lost", *marks.lost, np.arange(len(marks.gaps))))]
    if session.actors is not None:
        timeline_lanes += [_event_lane(name, kinds, session.actors, axis, marks) for name, kinds in _EVENTS]
    if session.traffic.is_shown:
        timeline_lanes.insert(3, _risk_lane(session, axis))
    signs: tuple[tuple[Sign, bool], ...] = (("warning", False), ("error", True))
    chosen = ((sign, problems.is_error == is_error) for sign, is_error in signs)
    found = (_at(sign, axis, problems.frames[these], problems.which[these]) for sign, these in chosen)
    matched = np.array(session.matched.frames, np.int64)
    timeline_lanes.append(_lane(N_("Matches"), "match", _at("tick", axis, matched, matched)))
    differing = session.comparison.frames
    timeline_lanes.append(_lane(N_("Differences"), "difference", _at("tick", axis, differing, differing)))
    timeline_lanes.append(_lane(N_("Edits"), "edit", _at("edited", axis, marks.edited, marks.edited)))
    timeline_lanes.append(_lane(N_("Problems"), "finding", *found))
    timeline_lanes.append(_item_lane(N_("Notes"), "note", session.notes.items, axis))
    return [_item_lane(N_("Segments"), "segment", session.segments.items, axis), *timeline_lanes]


def _item_lane(name: str, meaning: Meaning, items: "Sequence[Segment | Note]", axis: Axis) -> TimelineLane:
    there = [(each.start, each.stop, at) for at, each in enumerate(items) if each.frames]
    there.sort(key=lambda each: each[1] - each[0])  # the shortest is in front
    starts, stops, which = np.array(there, np.int64).reshape(-1, 3).T
    moments = np.append(axis.times, axis.last)
    return TimelineLane(name, meaning, (Group("item", moments[starts], moments[stops], which),), not there, items=items)


def _lane(name: str, meaning: Meaning, *groups: Group) -> TimelineLane:
    return TimelineLane(name, meaning, groups, not any(len(group.which) for group in groups))


def _at(sign: Sign, axis: Axis, frames: Integers, which: Integers) -> Group:
    if len(axis.times):
        times = axis.at(frames)
    else:
        times = np.zeros(0)
    return Group(sign, times, times, which)


def _event_lane(name: str, kinds: Sequence[tuple[int, Sign]], actors: Actors, axis: Axis, marks: Marks) -> TimelineLane:
    """The marks of events; births in the first frame are not marked."""
    frames = actors.events["frame_index"]
    found = []
    for kind, sign in kinds:
        found.append((kind, sign, marks.events.get(kind, np.zeros(0, np.int64))))
    groups = tuple(_at(sign, axis, frames[where], where) for _, sign, where in found)
    happens = any(len(where) and (kind in marks.later or sign not in ("born", "tick")) for kind, sign, where in found)
    return TimelineLane(
        name, "event", groups, not happens, N_("none after the first frame") if BORN in dict(kinds) else N_("none")
    )


def _risk_lane(session: Session, axis: Axis) -> TimelineLane:
    """The worst first: of several under the pointer it is meant."""
    analysis = session.traffic.shown
    if analysis is None or not len(axis.times):
        return TimelineLane(RISK, "risk", (), True, "looking...")
    risks = analysis.risks
    groups = []
    signs: tuple[tuple[int, Sign], ...] = ((1, "low"), (2, "high"))
    for level, sign in signs:
        which = np.flatnonzero(risks["level"] == level)
        which = which[np.argsort(risks["ttc"][which], kind="stable")]
        behind = risks["last"][which] + 1
        stops = np.where(behind < len(axis.times), axis.at(behind), axis.last)
        groups.append(Group(sign, axis.at(risks["first"][which]), stops, which))
    return _lane(RISK, "risk", *groups)
