"""Traffic events: each kind planted once, and once nearly; all are found, and none more."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

import recorder_editor
from recorder_editor.arrays import FloatArray
from recorder_editor.cli import main
from recorder_editor.reading import road_users
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.events import KINDS, STANDARD, EventKind, Events, Thresholds, find, find_events
from recorder_editor.reading.events.moments import Seconds, frames_about
from recorder_editor.reading.pair_signals import pair_signal
from recorder_editor.reading.thresholds import ThresholdError
from recorder_editor.recording import Snapshot
from recorder_editor.roads import RoadMap, read_road_map

from .. import builders as b
from ..real_recordings import DAMAGED, SOUND
from ..roads.builders import geometry, lane, opendrive, road, section
from .films import STEP, Actor, Course, along, braking, film

Found = dict[str, list[tuple[int, int | None]]]
"""The actors of events, by kind."""


def found(path: Path, thresholds: Thresholds = STANDARD, roads: RoadMap | None = None) -> Found:
    with recorder_editor.open(path) as recording:
        if roads is not None:
            recording.context.use_road_map(roads, path)
        return by_kind(find_events(recording.snapshot, thresholds))


def by_kind(events: Events) -> Found:
    kinds: Found = {}
    for row in range(len(events)):
        other = events.other(row)
        who = (events.life(row).actor, None if other is None else other.actor)
        kinds.setdefault(events.kind(row).name, []).append(who)
    return kinds


# --- courses -----------------------------------------------------------------------------------------------


def stopping(speed: float, starts: float) -> Callable[[float], float]:
    """The way of one that brakes to a stand and starts again."""
    way = braking(speed, -3.0)
    return lambda seconds: way(seconds) + max(seconds - starts, 0.0) ** 2


def crossing(after: float) -> dict[int, Actor]:
    """Two that cross at right angles at 10 m/s, the second one so many seconds after the first one left its way."""
    # The first one leaves at x = 0.95 + 2.3, at 3.325 s; the second one comes to y = -0.95 - 2.3.
    came = 3.325 + after
    return {1: Actor(along(-30, 0, 0, 10)), 2: Actor(along(0, -3.25 - 10 * came, 90, 10))}


def lane_change(begin: float, length: float, width: float = 3.5, speed: float = 10.0, x: float = 0.0) -> Course:
    """From y = 3.5 to 0 along a smooth way."""

    def place(seconds: float) -> tuple[float, float, float]:
        share = min(max((seconds - begin) / length, 0.0), 1.0)
        y = width * (1 + math.cos(math.pi * share)) / 2
        slope = -width * math.pi * math.sin(math.pi * share) / 2 / length
        return x + speed * seconds, y, math.degrees(math.atan2(slope, speed))

    return place


def bend(radius: float, speed: float, angle: float, begin: float = 1.0) -> Course:
    """Straight along x, then along a circle to the right by an angle (degrees), then straight again."""

    def place(seconds: float) -> tuple[float, float, float]:
        straight = min(seconds, begin) * speed
        turned = min(max(seconds - begin, 0.0) * speed / radius, math.radians(angle))
        rest = max(seconds - begin - math.radians(angle) * radius / speed, 0.0) * speed
        x = straight + radius * math.sin(turned) + rest * math.cos(turned)
        y = radius * (1 - math.cos(turned)) + rest * math.sin(turned)
        return x, y, math.degrees(turned)

    return place


PLANTED: Mapping[str, tuple[Mapping[int, Actor], Found]] = {
    "brakes behind another one at the last moment": (
        {1: Actor(along(0, 0, 0, braking(12, -3.9))), 2: Actor(along(12 + 12**2 / 7.8 + 5.1, 0, 0, 0))},
        {"near-miss": [(1, 2)]},
    ),
    "drives into a standing one": (
        {1: Actor(along(0, 0, 0, 3)), 2: Actor(along(10, 0, 0, 0))},
        {"collision": [(1, 2)]},
    ),
    "crosses 1.4 s later": (crossing(1.4), {"short-pet": [(2, 1)]}),
    "brakes with 4.3": ({1: Actor(along(0, 0, 0, braking(14, -4.3)))}, {"hard-braking": [(1, None)]}),
    "steers with 4.2": ({1: Actor(bend(20, 9.2, 80))}, {"hard-steering": [(1, None)]}),
    "cuts in": ({1: Actor(along(0, 0, 0, 10)), 2: Actor(lane_change(1.5, 2.5, x=13))}, {"cut-in": [(2, 1)]}),
    "overtakes": ({1: Actor(along(0, 0, 0, 14)), 2: Actor(along(20, 3.5, 0, 7))}, {"overtaking": [(1, 2)]}),
    "a walker runs before a car": (
        {1: Actor(along(0, 0, 0, 8)), 2: Actor(along(25.8, -9.25, 90, 4), "walker")},
        {"walker-ahead": [(2, 1)], "short-pet": [(1, 2)]},
    ),
    "turns round": ({1: Actor(bend(6, 4, 180))}, {"u-turn": [(1, None)]}),
    "stands for 36 s": ({1: Actor(along(0, 0, 0, braking(5, -3.0)))}, {"standstill": [(1, None)]}),
}

NEARLY: Mapping[str, Mapping[int, Actor]] = {
    "brakes early enough": {
        1: Actor(along(0, 0, 0, braking(12, -3.0))),
        2: Actor(along(12 + 12**2 / 6 + 12.0, 0, 0, 0)),
    },
    "stops before it": {1: Actor(along(0, 0, 0, braking(3, -3.0))), 2: Actor(along(12, 0, 0, 0))},
    "crosses 1.6 s later": crossing(1.6),
    "brakes with 3.9": {1: Actor(along(0, 0, 0, braking(14, -3.9)))},
    "steers with 3.6": {1: Actor(bend(20, 8.5, 80))},
    "changes lanes far ahead": {1: Actor(along(0, 0, 0, 10)), 2: Actor(lane_change(1.5, 2.5, x=25))},
    "drives beside": {1: Actor(along(0, 0, 0, 10)), 2: Actor(along(5, 3.5, 0, 10))},
    "passes an oncoming one": {1: Actor(along(0, 0, 0, 10)), 2: Actor(along(60, -3.5, 180, 10))},
    "walker on the pavement": {1: Actor(along(0, 0, 0, 8)), 2: Actor(along(10, 3, 0, 1.3), "walker")},
    "turns at a corner": {1: Actor(bend(8, 4, 90))},
    "stands at a light": {1: Actor(along(0, 0, 0, stopping(5, 25)))},
    "two walkers that meet": {1: Actor(along(0, 0, 0, 1.3), "walker"), 2: Actor(along(6, 0.1, 180, 1.3), "walker")},
    "follows a bend with another beside it": {1: Actor(bend(20, 6, 80)), 2: Actor(along(26, 3, 100, 0))},
    "parked inside one another": {1: Actor(along(0, 0, 0, 0)), 2: Actor(along(3, 0, 0, 0))},
}


LONG = 40.0


@pytest.mark.parametrize("case", PLANTED)
def test_what_is_planted_is_found_and_nothing_else(tmp_path: Path, case: str) -> None:
    actors, expected = PLANTED[case]
    assert found(film(tmp_path / "planted.log", actors, LONG if "stands for" in case else 8.0)) == expected


@pytest.mark.parametrize("case", NEARLY)
def test_what_is_nearly_an_event_is_none(tmp_path: Path, case: str) -> None:
    assert found(film(tmp_path / "nearly.log", NEARLY[case], LONG if "light" in case else 8.0)) == {}


# --- what an event is ---------------------------------------------------------------------------------------


def events_of(path: Path, thresholds: Thresholds = STANDARD) -> np.ndarray:
    with recorder_editor.open(path) as recording:
        return find_events(recording.snapshot, thresholds).table.copy()


def test_a_near_miss_tells_when_how_bad_and_where(tmp_path: Path) -> None:
    actors, _ = PLANTED["brakes behind another one at the last moment"]
    (event,) = events_of(film(tmp_path / "near.log", actors, 8.0))
    stands_at = 12 + 12**2 / 7.8
    assert event["first"] < event["worst"] < event["last"]
    assert event["value"] == pytest.approx(events_value(event["worst"] * STEP, stands_at), abs=0.02)
    assert event["severity"] == pytest.approx((1.5 - event["value"]) / 1.5)
    assert event["y"] == pytest.approx(0, abs=0.01)
    assert stands_at < event["x"] < stands_at + 5.1


def test_what_nearly_hits_is_worse_than_what_drivers_do_every_day() -> None:
    values = {"collision": 5.0, "near-miss": 0.9, "hard-braking": -6.0, "lane-change": 14.0, "standstill": 60.0}
    shares = []
    for kind in KINDS:
        if kind.name in values:
            shares.append(float(kind.severity(np.array([values[kind.name]]), STANDARD)[0]))
    assert shares == pytest.approx([0.6, 0.4, 0.18, 0.1, 0.1])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_value_is_worse_than_a_collision_or_better_than_nothing(kind: EventKind) -> None:
    severities = kind.severity(np.array([-1e9, -4.0, 0.0, 0.5, 1e9]), STANDARD)
    assert (severities >= 0).all()
    assert (severities <= 1).all()


def events_value(seconds: float, stands_at: float) -> float:
    """The TTC of one that brakes 0.5 m behind another one."""
    way = braking(12, -3.9)
    speed = (way(seconds + 1e-4) - way(seconds - 1e-4)) / 2e-4
    return (stands_at + 5.1 - 4.6 - way(seconds)) / speed


@pytest.mark.parametrize(("pause", "number"), [(0.8, 1), (1.3, 2)])
def test_stretches_no_more_than_a_second_apart_are_one_event(tmp_path: Path, pause: float, number: int) -> None:
    rate = -5.0

    def way(seconds: float) -> float:
        # Brakes for 0.6 s, drives on, brakes again.
        once = min(max(seconds - 1.0, 0.0), 0.6)
        again = min(max(seconds - 1.6 - pause, 0.0), 0.6)
        first = rate * once**2 / 2 + rate * once * max(seconds - 1.6, 0.0)
        second = rate * again**2 / 2 + rate * again * max(seconds - 2.2 - pause, 0.0)
        return 15 * seconds + first + second

    assert found(film(tmp_path / "twice.log", {1: Actor(along(0, 0, 0, way))})) == {
        "hard-braking": [(1, None)] * number
    }


def test_the_hero_is_the_first_of_two(tmp_path: Path) -> None:
    course = along(0, 0, 0, 3)
    standing = along(10, 0, 0, 0)
    for role, who in (("", (1, 2)), ("hero", (2, 1))):
        path = film(tmp_path / "hero.log", {1: Actor(course), 2: Actor(standing, role=role)})
        assert found(path) == {"collision": [who]}


@pytest.mark.parametrize(
    ("change", "case", "kind"),
    [
        ({"near_miss": 0.3}, "brakes behind another one at the last moment", None),
        ({"short_pet": 1.7}, "crosses 1.6 s later", "short-pet"),
        ({"hard_braking": -3.8}, "brakes with 3.9", "hard-braking"),
        ({"hard_steering": 3.4}, "steers with 3.6", "hard-steering"),
        ({"cut_in": 3.0}, "changes lanes far ahead", "cut-in"),
        ({"walker_ahead": 0.2}, "a walker runs before a car", "short-pet"),
        ({"standstill": 15.0}, "stands at a light", "standstill"),
    ],
)
def test_a_threshold_decides(tmp_path: Path, change: dict[str, float], case: str, kind: str | None) -> None:
    actors = NEARLY[case] if case in NEARLY else PLANTED[case][0]
    path = film(tmp_path / "threshold.log", actors, LONG if "light" in case else 8.0)
    assert list(found(path, Thresholds(**change))) == ([] if kind is None else [kind])


@pytest.mark.parametrize("value", [0.0, 0.09, 10.01, -1.0, math.nan, math.inf])
def test_a_threshold_out_of_its_range_is_refused(value: float) -> None:
    with pytest.raises(ThresholdError) as refused:
        Thresholds(near_miss=value)
    assert refused.value.message == f"The threshold near_miss is {value:g}, and has to be from 0.1 to 10 s."
    with pytest.raises(ThresholdError):
        Thresholds(hard_braking=4.0)


# --- recorded collisions ------------------------------------------------------------------------------------

NOBODY = 0xFFFFFFFF


def collision(first: int, second: int) -> bytes:
    return b.packet(5, b.collision([{"id": 1, "actor1": first, "actor2": second, "hero1": 0, "hero2": 0}]))


@pytest.mark.parametrize("second", [2, NOBODY])
def test_a_recorded_collision_is_as_bad_as_can_be(tmp_path: Path, second: int) -> None:
    actors = {1: Actor(along(0, 0, 0, 5)), 2: Actor(along(8, 4, 0, 5))}
    path = film(tmp_path / "crash.log", actors, more=lambda index: [collision(1, second)] if index in (20, 21) else [])
    with recorder_editor.open(path) as recording:
        events = find_events(recording.snapshot)
    (event,) = events.table
    assert events.kind(0).name == "collision"
    assert (event["first"], event["last"]) == (20, 21)
    assert event["recorded"]
    assert event["severity"] == 1
    assert event["value"] == pytest.approx(0 if second == 2 else 5, abs=1e-6)
    assert (events.other(0) is None) == (second == NOBODY)


def test_boxes_and_record_of_a_collision_are_one_event_and_no_near_miss(tmp_path: Path) -> None:
    actors = {1: Actor(along(0, 0, 0, 8)), 2: Actor(along(20, 0, 0, 0))}
    path = film(tmp_path / "crash.log", actors, more=lambda index: [collision(2, 1)] if index == 39 else [])
    assert found(path) == {"collision": [(1, 2)]}
    (event,) = events_of(path)
    assert event["recorded"]
    assert event["value"] == pytest.approx(8)


# --- lights and lanes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("state", "kinds"), [(0, {"red-light": [(1, 9)]}), (1, {}), (2, {})])
def test_who_drives_out_of_the_volume_of_a_red_light_passes_it(tmp_path: Path, state: int, kinds: Found) -> None:
    def more(index: int) -> list[bytes]:
        packets = [b.packet(7, b.traffic_light_state([{"id": 9, "frozen": 0, "elapsed": 1.0, "state": state}]))]
        if not index:
            light = b.actor(9, 3, "traffic.traffic_light", b.xyz(2000.0, 500.0))
            box = {"id": 9, "origin": b.xyz(2000.0, 0.0), "extent": b.xyz(200.0, 150.0, 100.0)}
            packets += [b.packet(2, b.event_add([light])), b.packet(17, b.bounding_box([box]))]
        return packets

    assert found(film(tmp_path / "light.log", {1: Actor(along(0, 0, 0, 8))}, more=more)) == kinds


ON_MAP: Mapping[str, tuple[Course, Found]] = {
    "keeps its lane": (along(5, 1.75, 0, 10), {}),
    "against the direction": (along(5, -1.75, 0, 10), {"wrong-way": [(1, None)]}),
    "beside the road": (along(5, 9, 0, 10), {"off-road": [(1, None)]}),
    "into the next lane": (
        lambda seconds: (5 + 10 * seconds, 1.75 + min(max(seconds - 2, 0), 3.5), 0.0),
        {"lane-change": [(1, None)]},
    ),
}


@pytest.mark.parametrize("case", ON_MAP)
def test_lanes_tell_of_wrong_ways_and_changes(tmp_path: Path, case: str) -> None:
    lanes = section(left=[lane(1)], right=[lane(-1), lane(-2)])
    course, expected = ON_MAP[case]
    path = film(tmp_path / "lanes.log", {1: Actor(course)}, 7.0)
    assert found(path, roads=read_road_map(opendrive(road(lanes=lanes)))) == expected


def test_without_a_map_that_fits_it_is_said_what_was_not_looked_for(tmp_path: Path) -> None:
    path = film(tmp_path / "lanes.log", {1: Actor(along(5, -1.75, 0, 10))})
    elsewhere = read_road_map(opendrive(road(plan=geometry(x=9000.0))))
    for roads in (None, elsewhere):
        with recorder_editor.open(path) as recording:
            recording.context.use_road_map(roads, path)
            events = find_events(recording.snapshot)
            some = find_events(recording.snapshot, kinds=["collision", "off-road"])
        assert [kind.name for kind in events.lacking] == ["wrong-way", "off-road", "lane-change"]
        assert [kind.name for kind in some.lacking] == ["off-road"]


def test_an_event_has_the_lane_at_its_place(tmp_path: Path) -> None:
    roads = read_road_map(opendrive(road()))
    actors = {1: Actor(along(5, 1.75, 0, 3)), 2: Actor(along(15, 1.75, 0, 0))}
    with recorder_editor.open(film(tmp_path / "lane.log", actors)) as recording:
        recording.context.use_road_map(roads)
        events = find_events(recording.snapshot, kinds=["collision"])
        (row,) = events.lanes(roads).tolist()
    assert roads.lanes["lane_id"][row] == -1


# --- recordings of any kind ---------------------------------------------------------------------------------


def as_rows(events: Events) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = events.table.tolist()
    return rows


@pytest.mark.parametrize("case", [*PLANTED, *NEARLY])
def test_the_portions_in_which_a_recording_is_read_make_no_difference(
    tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    actors = NEARLY[case] if case in NEARLY else PLANTED[case][0]
    path = film(tmp_path / "portions.log", actors, 8.0)
    with recorder_editor.open(path) as recording:
        whole = find_events(recording.snapshot)
        monkeypatch.setattr(find, "_WINDOW", 6.0)
        monkeypatch.setattr(road_users, "_AT_ONCE", 15 * len(actors))
        parts = find_events(recording.snapshot)
    assert as_rows(parts) == as_rows(whole)


@pytest.mark.parametrize("case", ["crosses 1.4 s later", "brakes with 4.3", "cuts in"])
def test_of_some_frames_the_events_in_them_are_found(tmp_path: Path, case: str) -> None:
    path = film(tmp_path / "some.log", PLANTED[case][0], 8.0)
    with recorder_editor.open(path) as recording:
        whole = find_events(recording.snapshot)
        row = next(row for row in range(len(whole)) if whole.kind(row).name in PLANTED[case][1])
        first, last = (int(whole.table[name][row]) for name in ("first", "last"))
        about = range(max(0, first - 60), min(last + 10, len(recording.snapshot)))
        some = find_events(recording.snapshot, frames=about)
        before = find_events(recording.snapshot, frames=range(max(1, first // 2)))
    assert whole.table[row].tolist() in as_rows(some)
    assert whole.table[row].tolist() not in as_rows(before)
    assert whole.lacking
    assert not some.lacking


NAN = math.nan
ODD = (NAN, math.inf, -1e30, 3e36)


@pytest.mark.parametrize("number", ODD)
def test_numbers_that_are_none_leave_all_other_events(tmp_path: Path, number: float) -> None:
    actors = {
        1: Actor(along(0, 0, 0, 3)),
        2: Actor(along(10, 0, 0, 0)),
        3: Actor(lambda seconds: (number, 0.0, 0.0)),
        4: Actor(lambda seconds: (50.0, number, number)),
    }
    with np.errstate(over="ignore"):
        assert found(film(tmp_path / "odd.log", actors)) == {"collision": [(1, 2)]}


def test_times_that_begin_anew_make_no_event_of_what_lies_far_apart(tmp_path: Path) -> None:
    """Recordings that another program has put one behind another have such times."""
    path = film(tmp_path / "once.log", crossing(1.4), 8.0)
    whole = path.read_bytes()
    frames = whole[len(b.header()) :]
    path.write_bytes(whole + frames + frames)
    assert found(path)["short-pet"] == [(2, 1)]


def test_a_damaged_recording_and_an_empty_one_have_what_they_have(recordings: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.log"
    empty.write_bytes(b.recording())
    for path in (empty, recordings / DAMAGED):
        with recorder_editor.open(path) as recording:
            assert len(find_events(recording.snapshot)) == 0


def test_those_of_a_real_recording(recordings: Path) -> None:
    """An independent reckoning found the hero's near miss in frame 325, and two collisions of which one is recorded."""
    path = recordings / "carla-0.9.13-town05-collisions.log"
    with recorder_editor.open(path) as recording:
        events = find_events(recording.snapshot)
    kinds = by_kind(events)
    assert len(kinds["near-miss"]) == 13
    assert kinds["collision"] == [(3925, 3939), (3890, 3891)]
    hero = kinds["near-miss"].index((3890, 3932))
    near = events.table[[events.kind(row).name == "near-miss" for row in range(len(events))]]
    assert near["worst"][hero] + 1 == 325
    assert near["value"][hero] == pytest.approx(0.886, abs=0.001)
    assert near["severity"].argmax() == hero


def test_those_of_a_real_recording_without_gaps_joined(recordings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That reckoning counted stretches, 19 of near misses; one of them is the way into the recorded collision."""
    path = recordings / "carla-0.9.13-town05-collisions.log"
    with recorder_editor.open(path) as recording:
        joined = by_kind(find_events(recording.snapshot))
        monkeypatch.setattr(find, "GAP", -1.0)
        events = find_events(recording.snapshot)
    kinds = by_kind(events)
    assert len(kinds["near-miss"]) == 19
    assert set(kinds["near-miss"]) == {(3890, 3891), *joined["near-miss"]}
    assert (len(kinds["hard-braking"]), len(joined["hard-braking"])) == (77, 58)


def test_the_boxes_that_overlap_in_a_real_recording_have_no_record(recordings: Path) -> None:
    """Boxes of 3925 and 3939 overlap in frames 436 to 498; those of the recorded collision six frames before it."""
    path = recordings / "carla-0.9.13-town05-collisions.log"
    with recorder_editor.open(path) as recording:
        events = find_events(recording.snapshot, kinds=["collision"])
        contacts = [tuple(contact) for contact in events.users.actors.contacts[["actor1", "actor2", "first", "last"]]]
    frames = [(row["first"] + 1, row["last"] + 1, row["recorded"]) for row in events.table]
    assert frames == [(436, 498, False), (457, 500, True)]
    assert [(first, second, begin + 1, end + 1) for first, second, begin, end in contacts] == [(3890, 3891, 463, 500)]


COLLISIONS = {
    "carla-0.9.13-town05-collisions.log": ((3890, 3891), 463, 433),
    "carla-0.9.6-town03-collision.rec": ((2763, 2768), 136, 112),
}
"""The recorded collisions of two vehicles in the real recordings: the two, the first frame of the record, and that from
which on the 2D-TTC is below 1.5 s."""


@pytest.mark.parametrize("name", SOUND)
def test_each_recorded_collision_of_two_vehicles_is_preceded_by_a_small_2d_ttc(recordings: Path, name: str) -> None:
    with recorder_editor.open(recordings / name) as recording:
        elapsed = recording.snapshot.elapsed
        contacts = Actors.of(recording.snapshot).contacts
        assert len(contacts) == (name in COLLISIONS)
        if name not in COLLISIONS:
            return
        pair, record, begin = COLLISIONS[name]
        assert (contacts["actor1"][0], contacts["actor2"][0], contacts["first"][0] + 1) == (*pair, record)
        signal = pair_signal(f"ttc2d({pair[0]}, {pair[1]})")
        assert signal is not None
        frames, values = signal.over_time(recording.snapshot)
    before = values[(frames >= begin - 1) & (frames < record)]
    assert len(before) == record - begin + 1
    assert (before < 1.5).all()
    assert not values[frames == begin - 2] < 1.5
    assert elapsed[record - 1] - elapsed[begin - 1] > 1


def test_every_kind_can_be_told_apart() -> None:
    assert len({kind.title for kind in KINDS}) == len(KINDS) == len({kind.name for kind in KINDS})
    assert all(kind.value for kind in KINDS)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 11))
def test_in_a_town_in_which_nothing_happens_nothing_is_found_that_is_bad(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "town.log"
    assert main(["demo", str(path), "--seed", str(seed), "--seconds", "60", "--no-collision"]) == 0
    bad = {"collision", "near-miss", "short-pet", "walker-ahead", "red-light", "wrong-way", "off-road", "u-turn"}
    assert not bad & found(path).keys()


def test_the_frames_about_a_moment_end_where_times_jump() -> None:
    times = np.concatenate([np.arange(0, 3, 0.05), np.arange(0, 3, 0.05)])
    events = cast(Events, SimpleNamespace(table={"worst": np.array([42])}))

    def about(elapsed: FloatArray) -> range:
        return frames_about(cast(Snapshot, SimpleNamespace(elapsed=elapsed)), events, 0, Seconds(1.0, 1.0))

    assert about(times) == range(22, 60)
    times[45] = np.nan
    assert about(times) == range(22, 45)
    times[42] = np.nan
    assert about(times) == range(42, 43)
