"""All traffic events of a recording, in one pass over its positions."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray, IntArray, StructuredArray
from ...progress import SILENT, Progress
from ...recording.snapshot import Snapshot
from ...roads import RoadMap
from ..actors import NO_ACTOR, Actors
from ..lanes import LaneUse
from ..lives import Life
from ..motion import median_step
from ..near_users import Company, Pairs
from ..road_users import RoadUsers
from ..thresholds import STANDARD, Thresholds
from .crossings import crossing
from .driving import Courses
from .kinds import EVENT, GAP, KINDS, NUMBERS, RECORDED, EventKind, EventName
from .lights import RedLights
from .on_lanes import on_lanes
from .pairs import driving_together, nearly_colliding, touching, walkers_ahead
from .passing import cutting_in, overtaking
from .stretches import STRETCH, Worst, joined, lasting, stretches_of

_WINDOW = 20.0
"""Seconds that portions of a recording overlap: what takes longer to be seen, as overtaking, may be missed."""


class _Rule(NamedTuple):
    """How the moments of a kind become events.

    Attributes:
        worst: Which value counts.
        seconds: How long it lasts at least.
        frames: How many frames it has at least.
    """

    worst: Worst
    seconds: float = 0.0
    frames: int = 1


_RULES: Mapping[EventName, _Rule] = {
    "collision": _Rule("first"),
    "near-miss": _Rule("least", seconds=0.1, frames=2),
    "short-pet": _Rule("least"),
    "walker-ahead": _Rule("least", seconds=0.1, frames=2),
    "red-light": _Rule("first"),
    "wrong-way": _Rule("greatest"),
    "off-road": _Rule("greatest"),
    "cut-in": _Rule("least"),
    "hard-braking": _Rule("least", seconds=0.2, frames=2),
    "hard-steering": _Rule("greatest", seconds=0.2, frames=2),
    "overtaking": _Rule("greatest"),
    "lane-change": _Rule("first"),
    "u-turn": _Rule("greatest"),
    "standstill": _Rule("greatest"),
}


@dataclass(frozen=True, eq=False)
class Events:
    """The traffic events of a state of a recording. Get them with `find_events`.

    Attributes:
        table: dtype `EVENT`, in order of time, read-only.
        thresholds: What they were found with.
        lacking: The kinds that could not be looked for without a road map that fits.
        users: The road users.
    """

    table: StructuredArray
    thresholds: Thresholds
    lacking: tuple[EventKind, ...]
    users: RoadUsers

    def __len__(self) -> int:
        return len(self.table)

    def life(self, row: int) -> Life:
        """Return the life that an event is about."""
        return self.users.actors.lives[int(self.table["life"][row])]

    def other(self, row: int) -> Life | None:
        """Return the other life of an event, None without one."""
        other = int(self.table["other"][row])
        if other < 0:
            return None
        return self.users.actors.lives[other]

    def of(self, chosen: BoolArray) -> "Events":
        """Return some of the events.

        Args:
            chosen: Which, bool[n].
        """
        table = self.table[chosen]
        table.flags.writeable = False
        return replace(self, table=table)

    def only(self, row: int) -> "Events":
        """Return one event alone."""
        chosen = np.zeros(len(self), np.bool_)
        chosen[row] = True
        return self.of(chosen)

    def lanes(self, roads: RoadMap) -> IntArray:
        """Return the lanes (rows of `RoadMap.lanes`) at the places of the events, int64[n]; -1 where there is none."""
        rows = self.users.find(self.table["life"], self.table["worst"])
        places = np.stack([self.table["x"], self.table["y"], rows["z"]], axis=-1)
        lanes = np.full(len(places), -1, np.int64)
        known = np.flatnonzero(np.isfinite(places).all(axis=1))
        lanes[known] = roads.locate(places[known], None, 0.0)["lane"]
        return lanes

    def kind(self, row: int) -> EventKind:
        """Return the kind of an event."""
        return KINDS[int(self.table["kind"][row])]


def find_events(
    snapshot: Snapshot,
    thresholds: Thresholds = STANDARD,
    kinds: Collection[EventName] | None = None,
    frames: range | None = None,
    progress: Progress = SILENT,
) -> Events:
    """Find the traffic events of a recording.

    Args:
        snapshot: The state of the recording; kinds that need a map are looked for on its road map.
        thresholds: From when on something is an event.
        kinds: The kinds; None for all.
        frames: The frames (indices that follow one another) that are looked at, and not the use of lanes, which is that
            of whole lives: an event at their ends may be cut. None for all.
        progress: Counts frames.

    Raises:
        Cancelled: The user stopped it.
        OSError: The file cannot be read.
    """
    search = _Search(snapshot, thresholds, progress)
    with np.errstate(all="ignore"):  # times and places of a damaged file may be any number
        search.look(frames, progress)
    use = None
    if frames is None and any(kind.needs_map for kind in KINDS if kinds is None or kind.name in kinds):
        use = LaneUse.of(snapshot, progress.quiet())
    lacking: list[EventKind] = []
    if use is not None and use.fits:
        for name, table in on_lanes(use, search.users).items():
            search.found[name].append(table)
    elif frames is None:
        lacking.extend(kind for kind in KINDS if kind.needs_map)
    if search.lights.need_map:
        lacking.append(KINDS[NUMBERS["red-light"]])
    with np.errstate(all="ignore"):
        tables = search.tables()
    parts = [np.zeros(0, EVENT)]
    for name, table in tables.items():
        if kinds is None or name in kinds:
            parts.append(_as_events(name, table, thresholds))
    events = np.concatenate(parts)
    _mark_recorded(events, search.users.actors)
    events = events[np.lexsort((events["kind"], events["first"]))]
    events.flags.writeable = False
    lacking.sort(key=KINDS.index)
    wanted = tuple(kind for kind in lacking if kinds is None or kind.name in kinds)
    return Events(events, thresholds, wanted, search.users)


class _Search:
    """Looks at the frames of a recording, portion after portion.

    Attributes:
        users: The road users.
        lights: The traffic lights.
        found: The stretches by kind, dtype `STRETCH`.
    """

    def __init__(self, snapshot: Snapshot, thresholds: Thresholds, progress: Progress) -> None:
        self.users = RoadUsers(snapshot, progress)
        self.found: defaultdict[EventName, list[StructuredArray]] = defaultdict(list)
        self._snapshot = snapshot
        self._elapsed = snapshot.elapsed
        self._thresholds = thresholds
        self._company = Company(self.users.actors)
        self.lights = RedLights(snapshot, self.users.actors)
        self._moving: set[int] = set()
        self._seconds = max(thresholds.near_miss, thresholds.walker_ahead, thresholds.cut_in)

    def look(self, frames: range | None, progress: Progress) -> None:
        """Look at these frames; None: at all."""
        for _, rows in self.users.portions(progress, overlap=self._overlap(), frames=frames):
            if len(rows):
                self._look_at_pairs(rows)
                self._look_at_ways(rows)

    def _overlap(self) -> int:
        if len(self._elapsed) < 2:
            return 0
        step = median_step(self._elapsed)
        if not step > _WINDOW / len(self._elapsed):
            return len(self._elapsed)
        return int(_WINDOW / step)

    def _look_at_pairs(self, rows: StructuredArray) -> None:
        pairs = Pairs.near(rows, self._company, self._seconds)
        self._take("collision", touching(pairs))
        self._take("near-miss", nearly_colliding(pairs, self._thresholds))
        both = pairs.both_ways()
        self._take("walker-ahead", walkers_ahead(both, self._company, self._thresholds))
        together = driving_together(both, self._company)
        self._take("cut-in", cutting_in(together, self._elapsed, self._thresholds))
        self.found["overtaking"].append(overtaking(together))

    def _look_at_ways(self, rows: StructuredArray) -> None:
        is_walker = self._company.is_walker
        self.found["short-pet"].append(crossing(rows, self._elapsed, self._company, self._thresholds))
        passed = self.lights.passed(rows, is_walker)
        lasts = self._elapsed[passed["last"]] - self._elapsed[passed["first"]]
        self.found["red-light"].append(passed[lasts <= _WINDOW])  # a longer one is not whole in each portion
        courses = Courses(rows, self._elapsed, is_walker)
        self._take("hard-braking", courses.hard_braking(self._thresholds))
        self._take("hard-steering", courses.hard_steering(self._thresholds))
        self.found["standstill"].append(courses.standing())
        self.found["u-turn"].append(courses.u_turns())
        self._moving |= courses.moving()

    def _take(self, name: EventName, table: StructuredArray) -> None:
        self.found[name].append(stretches_of(table, _RULES[name].worst))

    def tables(self) -> dict[EventName, StructuredArray]:
        """Return the stretches that are events, by kind."""
        tables: dict[EventName, StructuredArray] = {}
        for name, rule in _RULES.items():
            found = np.concatenate([np.zeros(0, STRETCH), *self.found[name]])
            # First what two portions both hold, then what lasts long enough, then what is one event.
            whole = joined(found, self._elapsed, -1.0, rule.worst)
            long = lasting(whole, self._elapsed, rule.seconds, rule.frames)
            tables[name] = joined(long, self._elapsed, GAP, rule.worst)
        tables["collision"] = self._collisions(tables["collision"])
        tables["near-miss"] = _without_collisions(tables["near-miss"], tables["collision"], self._elapsed)
        tables["standstill"] = self._long_standstills(tables["standstill"])
        return tables

    def _collisions(self, touching_boxes: StructuredArray) -> StructuredArray:
        """Return the recorded collisions and those of boxes; both of the same two are one where they meet.

        Boxes of two that never drive say nothing: they were put there so.
        """
        moving = list(self._moving)
        drives = np.isin(touching_boxes["life"], moving) | np.isin(touching_boxes["other"], moving)
        both = np.concatenate([touching_boxes[drives], self._recorded_collisions()])
        return joined(both, self._elapsed, GAP, "greatest")

    def _recorded_collisions(self) -> StructuredArray:
        """Return the recorded collisions of road users, with the speeds that they have relative to each other then."""
        actors = self.users.actors
        found = []
        for contact in actors.contacts:
            first = int(contact["first"])
            life = actors.at(int(contact["actor1"]), first)
            other = None
            if int(contact["actor2"]) != NO_ACTOR:
                other = actors.at(int(contact["actor2"]), first)
            if life is None:
                continue
            found.append(self._recorded_collision(contact, life, other))
        return np.array(found, STRETCH)

    def _recorded_collision(self, contact: np.void, life: Life, other: Life | None) -> tuple[float, ...]:
        first = int(contact["first"])
        before = max(first - 1, 0)
        rows = self.users.rows(range(before, first + 1))
        own = rows[rows["life"] == life.index]
        others = rows[:0]
        number = -1
        if other is not None:
            number = other.index
            others = rows[rows["life"] == other.index]
        index, number, own, others = self._in_order(life.index, number, own, others)
        speed = np.nan
        x = np.nan
        y = np.nan
        if len(own):
            x = float(own["x"][-1])
            y = float(own["y"][-1])
            vx = own["vx"][0] - (others["vx"][0] if len(others) else 0.0)
            vy = own["vy"][0] - (others["vy"][0] if len(others) else 0.0)
            speed = float(np.hypot(vx, vy))
        return index, number, first, int(contact["last"]), first, speed, x, y

    def _in_order(
        self, index: int, number: int, own: StructuredArray, others: StructuredArray
    ) -> tuple[int, int, StructuredArray, StructuredArray]:
        """Return two lives as pairs have them: a hero first, else the lower one."""
        if number < 0 or not len(others):
            return index, number, own, others
        hero = self._company.is_hero
        is_turned = (hero[number] and not hero[index]) or (hero[number] == hero[index] and number < index)
        if is_turned:
            return number, index, others, own
        return index, number, own, others

    def _long_standstills(self, standing: StructuredArray) -> StructuredArray:
        """Return the long stretches of vehicles that drive at some other time, with their seconds."""
        with np.errstate(invalid="ignore"):
            seconds = self._elapsed[standing["last"]] - self._elapsed[standing["first"]]
        drives = np.isin(standing["life"], list(self._moving))
        chosen = drives & (seconds >= self._thresholds.standstill)
        long: StructuredArray = standing[chosen]
        long["value"] = seconds[chosen]
        long["worst"] = long["first"]
        return long


def _without_collisions(near: StructuredArray, collisions: StructuredArray, elapsed: FloatArray) -> StructuredArray:
    """Return the near misses that do not end in a collision of the same two within a second."""
    ends: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for life, other, first in collisions[["life", "other", "first"]].tolist():
        ends[life, other].append(first)
    kept = []
    for life, other, first, last in near[["life", "other", "first", "last"]].tolist():
        crashes = [begin for begin in ends[life, other] if begin >= first]
        kept.append(not any(elapsed[begin] - elapsed[last] <= GAP for begin in crashes))
    return near[np.array(kept, np.bool_)]


def _as_events(name: EventName, table: StructuredArray, thresholds: Thresholds) -> StructuredArray:
    events = np.zeros(len(table), EVENT)
    for column in STRETCH.names or ():
        events[column] = table[column]
    number = NUMBERS[name]
    events["kind"] = number
    events["severity"] = KINDS[number].severity(table["value"], thresholds)
    return events


def _mark_recorded(events: StructuredArray, actors: Actors) -> None:
    """Mark the collisions that the recording has, which are as bad as can be."""
    recorded = defaultdict(list)
    for contact in actors.contacts:
        pair = frozenset((int(contact["actor1"]), int(contact["actor2"])))
        recorded[pair].append((int(contact["first"]), int(contact["last"])))
    for row in np.flatnonzero(events["kind"] == NUMBERS["collision"]).tolist():
        other = NO_ACTOR
        if events["other"][row] >= 0:
            other = actors.lives[int(events["other"][row])].actor
        pair = frozenset((actors.lives[int(events["life"][row])].actor, other))
        if any(first <= events["last"][row] and last >= events["first"][row] for first, last in recorded[pair]):
            events["recorded"][row] = True
            events["severity"][row] = RECORDED
