"""The timeline lanes, their marks, and what a mark stands for. Arrays, no widget."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ....arrays import AnyArray, BoolArray
from ....reading import Actors
from ....reading.events import KINDS, Events
from ....texts import N_
from ....views.time_axis import Axis, Integers, Reals
from ....views.timeline_marks import (
    BORN,
    COLLISION,
    DOOR,
    GONE,
    MOST_HEAT,
    NO_HEAT,
    PARENT,
    SCENE_LIGHT,
    WEATHER,
    Heat,
    Marks,
    Problems,
)
from ...session import Session

if TYPE_CHECKING:
    from ....edits.segments import Segment
    from ....recording.note import Note

Sign = Literal["born", "gone", "hit", "tick", "low", "high", "lost", "heat", "warning", "error", "item", "kind"]
Meaning = Literal["event", "traffic", "risk", "gap", "edit", "match", "difference", "finding", "segment", "note"]

KEPT_AND_LOST = N_("Kept and lost")
RISK = N_("Risk")
COLLISIONS = N_("Collisions")
EVENTS = N_("Events")
PROBLEMS = N_("Problems")
EDITS = N_("Edits")
DIFFERENCES = N_("Differences")
MATCHES = N_("Matches")
SPAWNED = N_("Spawned, gone")
APART = 10
"""Pixels: of traffic events that are nearer to each other only the worse one is drawn."""

_MINOR_EVENTS: tuple[tuple[str, tuple[tuple[int, Sign], ...]], ...] = (
    (SPAWNED, ((BORN, "born"), (GONE, "gone"))),
    (N_("Attached"), ((PARENT, "tick"),)),
    (N_("Doors"), ((DOOR, "tick"),)),
    (N_("Scene lights"), ((SCENE_LIGHT, "tick"),)),
    (N_("Weather"), ((WEATHER, "tick"),)),
)
MINOR = frozenset(name for name, _ in _MINOR_EVENTS)
"""Timeline lanes without room beside four actors: the rows of actors, the tree and the tables tell the same."""

FORMER_NAMES = {"First, last": SPAWNED}
"""Names under which settings and workspaces of before know timeline lanes."""

STAYS = frozenset({EVENTS, PROBLEMS, EDITS})
"""Timeline lanes that keep their place while nothing is marked: jobs and edits fill them after the file is opened."""


class Group(NamedTuple):
    """Marks that look alike.

    Attributes:
        sign: How they look.
        starts: Moments on the axis at which they begin, float64[n].
        stops: Moments at which they end, float64[n].
        targets: What they stand for, int64[n]: indices into `Actors.events`, the
            traffic events, the risks, the gaps, the findings or the
            items of the timeline lane, or frames.
        levels: Of heat: how strong each mark is, 1 to 3, int64[n]; else None.
    """

    sign: Sign
    starts: Reals
    stops: Reals
    targets: Integers
    levels: Integers | None = None


@dataclass(frozen=True, eq=False)
class TimelineLane:
    """A line of marks.

    Attributes:
        name: Name of the timeline lane.
        meaning: Meaning of `Group.targets`.
        groups: The marks; later groups are in front.
        is_empty: Whether nothing is marked.
        note: Text that is shown where it is empty.
        top: Upper edge, pixels.
        is_folded: Whether the lanes of its kinds are folded away; None: it has none.
        is_part: Whether it is the lane of one of the kinds of the lane above.
        items: The segments or notes that the marks stand for.
    """

    name: str
    meaning: Meaning
    groups: tuple[Group, ...]
    is_empty: bool
    note: str = N_("none in this recording")
    top: int = 0
    is_folded: bool | None = None
    is_part: bool = False
    items: "Sequence[Segment | Note]" = ()


def timeline_lanes_of(
    session: Session, axis: Axis, marks: Marks, problems: Problems, edits: Heat, *, folds_kinds: bool
) -> list[TimelineLane]:
    """Return all timeline lanes from above, always in the same order, with those in which nothing is marked.

    Args:
        session: The session.
        axis: The time axis.
        marks: The marks of the state.
        problems: The problems of the state.
        edits: The frames that differ from the file.
        folds_kinds: Whether all kinds of traffic events are in one lane alone.
    """
    lost_starts, lost_stops = marks.lost
    gaps = Group("lost", lost_starts, lost_stops, np.arange(len(marks.gaps)))
    actors = session.actors
    timeline_lanes = [_lane(KEPT_AND_LOST, "gap", gaps), *_traffic_lanes(session, axis, folds_kinds=folds_kinds)]
    if actors is not None:
        timeline_lanes.append(_event_lane(COLLISIONS, ((COLLISION, "hit"),), actors, axis, marks))
    if session.traffic.is_shown:
        timeline_lanes.append(_risk_lane(session, axis))
    warnings = _problem_group("warning", axis, problems, ~problems.is_error)
    errors = _problem_group("error", axis, problems, problems.is_error)
    matches = np.array(session.matched.frames, np.int64)
    edits_note = N_("none")
    if session.is_modified:  # as by a frame that was deleted
        edits_note = N_("none in these frames")
    timeline_lanes += [
        _lane(PROBLEMS, "finding", warnings, errors, note=N_("none")),
        _lane(EDITS, "edit", _heat_group(axis, edits), note=edits_note),
        _lane(DIFFERENCES, "difference", _heat_group(axis, _difference_heat(session))),
        _lane(MATCHES, "match", _frame_group("tick", axis, matches)),
        _item_lane(N_("Segments"), "segment", session.segments.items, axis),
        _item_lane(N_("Notes"), "note", session.notes.items, axis),
    ]
    if actors is not None:
        for name, kinds in _MINOR_EVENTS:
            timeline_lanes.append(_event_lane(name, kinds, actors, axis, marks))
    return timeline_lanes


def is_in_use(timeline_lane: TimelineLane, session: Session) -> bool:
    """Return whether what a timeline lane is about is going on: comparing, filtering, looking for risks."""
    if timeline_lane.meaning == "difference":
        return session.comparison.other is not None
    if timeline_lane.meaning == "match":
        return session.matched.is_marking
    return timeline_lane.meaning == "risk"


def is_passing(timeline_lane: TimelineLane) -> bool:
    """Return whether a timeline lane is there only while it is in use: it goes when a comparison or a filter ends."""
    return timeline_lane.meaning in ("difference", "match", "risk") or timeline_lane.is_part


def _difference_heat(session: Session) -> Heat:
    """Return the frames that differ from the other recording, the stronger the more things differ in them."""
    comparison = session.comparison.result
    if comparison is None or not session.comparison.is_current:
        return NO_HEAT
    frames = comparison.alignment.pairs[:, 0]
    counts = comparison.count_things()
    is_shown = (frames >= 0) & (counts > 0)
    return Heat(frames[is_shown], np.minimum(counts[is_shown], MOST_HEAT))


def _heat_group(axis: Axis, heat: Heat) -> Group:
    """Return marks that reach from a frame to the next one."""
    group = _stretch_group("heat", axis, heat.frames, heat.frames, heat.frames)
    return group._replace(levels=heat.levels)


def _item_lane(name: str, meaning: Meaning, items: "Sequence[Segment | Note]", axis: Axis) -> TimelineLane:
    rows = [(item.start, item.stop, index) for index, item in enumerate(items) if item.frames]
    rows.sort(key=lambda row: row[1] - row[0])  # the shortest is in front
    starts, stops, targets = np.array(rows, np.int64).reshape(-1, 3).T
    moments = np.append(axis.times, axis.last)
    group = Group("item", moments[starts], moments[stops], targets)
    return TimelineLane(name, meaning, (group,), is_empty=not rows, items=items)


def _lane(name: str, meaning: Meaning, *groups: Group, note: str = N_("none in this recording")) -> TimelineLane:
    is_empty = not any(len(group.targets) for group in groups)
    return TimelineLane(name, meaning, groups, is_empty, note)


def _group_at(sign: Sign, axis: Axis, frames: Integers, targets: Integers) -> Group:
    """Return marks at frames."""
    times = np.zeros(0)
    if len(axis.times):
        times = axis.at(frames)
    return Group(sign, starts=times, stops=times, targets=targets)


def _frame_group(sign: Sign, axis: Axis, frames: Integers) -> Group:
    """Return marks that stand for frames."""
    return _group_at(sign, axis, frames, frames)


def _problem_group(sign: Sign, axis: Axis, problems: Problems, chosen: BoolArray) -> Group:
    return _group_at(sign, axis, problems.frames[chosen], problems.findings[chosen])


def _event_lane(name: str, kinds: Sequence[tuple[int, Sign]], actors: Actors, axis: Axis, marks: Marks) -> TimelineLane:
    """Return the marks of events; births, and events with ticks, that are all in the first frame do not count."""
    frames = actors.events["frame_index"]
    groups = []
    is_empty = True
    for kind, sign in kinds:
        events = marks.events.get(kind, np.zeros(0, np.int64))
        groups.append(_group_at(sign, axis, frames[events], events))
        counts = kind in marks.later or sign not in ("born", "tick")
        if counts and len(events):
            is_empty = False
    note = N_("none")
    if BORN in dict(kinds):
        note = N_("none after the first frame")
    return TimelineLane(name, "event", tuple(groups), is_empty, note)


def _traffic_lanes(session: Session, axis: Axis, *, folds_kinds: bool) -> Iterator[TimelineLane]:
    """Yield the lane of the traffic events of the kinds that are shown, and below it one a kind unless they fold."""
    found = session.events.found
    if found is None or not len(axis.times) or not (len(found) or session.events.is_whole):
        yield TimelineLane(EVENTS, "traffic", groups=(), is_empty=True, note=N_("looking..."), is_folded=folds_kinds)
        return
    shown = [number for number, kind in enumerate(KINDS) if session.events.shows(kind)]
    group = _traffic_group(axis, found, shown)
    note = N_("none of the kinds that are shown") if len(found) else N_("none in this recording")
    yield TimelineLane(EVENTS, "traffic", (group,), not len(group.targets), note, is_folded=folds_kinds)
    if folds_kinds:
        return
    for number in shown:
        group = _traffic_group(axis, found, [number])
        if len(group.targets):
            yield TimelineLane(KINDS[number].title_text, "traffic", (group,), is_empty=False, is_part=True)


def _traffic_group(axis: Axis, found: Events, kinds: Sequence[int]) -> Group:
    """Return marks at the worst moments of the events of some kinds, the worst ones first.

    Those of frequent kinds come last: they would hide the few others.
    """
    table = found.table
    targets = np.flatnonzero(np.isin(table["kind"], kinds))
    is_frequent = np.array([kind.is_frequent for kind in KINDS])[table["kind"][targets]]
    targets = targets[np.lexsort((-table["severity"][targets], is_frequent))]
    return _group_at("kind", axis, table["worst"][targets], targets)


def _stretch_group(sign: Sign, axis: Axis, first: AnyArray, last: AnyArray, targets: Integers) -> Group:
    """Return marks of stretches of frames."""
    if not len(axis.times):
        return Group(sign, np.zeros(0), np.zeros(0), targets[:0])
    behind = last + 1
    stops = np.where(behind < len(axis.times), axis.at(behind), axis.last)
    return Group(sign, axis.at(first), stops, targets)


def _risk_lane(session: Session, axis: Axis) -> TimelineLane:
    """Return the marks of risks, the worst first: of several under the pointer it is meant."""
    analysis = session.traffic.shown
    if analysis is None or not len(axis.times):
        return TimelineLane(RISK, "risk", groups=(), is_empty=True, note=N_("looking..."))
    risks = analysis.risks
    groups = []
    signs: tuple[tuple[int, Sign], ...] = ((1, "low"), (2, "high"))
    for level, sign in signs:
        targets = np.flatnonzero(risks["level"] == level)
        targets = targets[np.argsort(risks["ttc"][targets], kind="stable")]
        groups.append(_stretch_group(sign, axis, risks["first"][targets], risks["last"][targets], targets))
    return _lane(RISK, "risk", *groups)
