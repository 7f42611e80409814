"""New actors: everything that the release writes of them, nothing else changed, and a motion that is one."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import edits
from recorder_editor.api import Recording
from recorder_editor.checks import check
from recorder_editor.edits.blueprints import DRIVERS, Blueprint
from recorder_editor.edits.new_actors.add_actor import (
    NewActor,
    WantedActor,
    add_wanted,
    crossing_walker,
    follower,
    parked_car,
)
from recorder_editor.edits.new_actors.blueprints import blueprint_of, catalogue
from recorder_editor.errors import EditError
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.lives import Life
from recorder_editor.reading.selectors import SelectorError
from recorder_editor.reading.tracks import Tracks
from recorder_editor.recording.snapshot import Snapshot

from ..extent import examples
from ..formats.reader import RULES, read, without_actor
from ..recording.films import COLLISIONS, OPENDRIVE, beginning, of_real, town
from ..replay import Replayer
from ..replaying import complaints
from .drives import drive, saved
from .test_actors_recordings import judge

CAR, WALKER, BICYCLE, PROP = (
    "vehicle.tesla.model3",
    "walker.pedestrian.0005",
    "vehicle.gazelle.omafiets",
    "static.prop.bin",
)
LEADER = 1
STREET = [[0.0, 0.0], [60.0, 0.0]]


@contextmanager
def opened(data: bytes, dialect: str | None = None) -> Iterator[Recording]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "street.log"
        path.write_bytes(data)
        with recorder_editor.open(path, dialect=dialect) as recording:
            yield recording


def straight(speeds: Callable[[float], float], frames: int = 101, **more: Any) -> bytes:
    """A leader on the x axis at these speeds (m/s, by time), a frame every 0.1 s."""
    places = np.cumsum([0.0, *(10.0 * speeds(0.1 * n) for n in range(frames - 1))])
    return drive({LEADER: lambda n: (places[n], 0.0, 0.0, 0.0)}, frames, **more)


@contextmanager
def added(data: bytes, about: dict[str, Any]) -> Iterator[tuple[Recording, NewActor]]:
    """A recording with an actor more; what is true of every new actor is looked at."""
    with opened(data) as recording:
        yield recording, add(recording, WantedActor.of_arguments(about))


def add(recording: Recording, wanted: WantedActor) -> NewActor:
    before, actor = recording.snapshot, NewActor(recording.snapshot, wanted)
    was, found, complained = saved(recording), codes(before), {each.code for each in complaints(before)}
    recording.apply(add_wanted(recording, wanted))
    now, after = saved(recording), recording.snapshot
    assert without_actor(now, recording.dialect.name, actor.id) == was
    judge(recording)
    assert codes(after) - {"overlap"} <= found
    assert {each.code for each in complaints(after)} <= complained
    (life,) = Actors.of(after).of_id(actor.id)
    assert (life.blueprint, life.born) == (wanted.blueprint, actor.frames.start)
    assert life.within(range(len(after))) == actor.frames
    velocities_are_derivatives(after, life)
    recording.undo()
    assert saved(recording) == was
    recording.redo()
    assert saved(recording) == now
    return actor


def size_of(blueprint: Blueprint) -> tuple[float, ...]:
    return tuple(half / 50 for half in blueprint.model.box[3:])


def codes(snapshot: Snapshot) -> set[str]:
    return {finding.code for finding in check(snapshot)}


def velocities_are_derivatives(snapshot: Snapshot, life: Life) -> None:
    placed, moving = Tracks(snapshot).path(life.actor), Tracks(snapshot).kinematics([life.actor])
    if len(moving) < 2:
        return
    stored = np.column_stack([moving[axis].astype(float) for axis in ("vx", "vy", "vz")])
    places = np.column_stack([placed[axis].astype(float) / 100 for axis in "xyz"])
    off = np.linalg.norm(stored - np.gradient(places, snapshot.elapsed[placed["frame"]], axis=0), axis=1)
    assert off.max() <= 0.01 * max(1.0, np.linalg.norm(stored, axis=1).max())


def gaps(recording: Recording, actor: int, length: float = 4.79) -> np.ndarray[Any, Any]:
    """Metres from the bumper of the actor to the leader, which both go along x, by frame."""
    leader, own = (Tracks(recording.snapshot).path(each) for each in (LEADER, actor))
    return np.asarray((leader["x"][own["frame"]] - own["x"]) / 100 - length)


# --- what is written ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", RULES)
@pytest.mark.parametrize("kind", ["vehicle.", "vehicle.diamondback", "walker.", "static."])
@pytest.mark.sampled
def test_a_new_actor_is_in_the_packets_that_its_like_is_in(dialect: str, kind: str) -> None:
    data = town(0.5, vehicles=8, walkers=4, seed=3, dialect=dialect)
    first = read(data, dialect).frames[0].packets
    like = next(each for each in first["EventAdd"] if each.blueprint.startswith(kind))
    about = {"blueprint": like.blueprint, "path": [[0.0, 0.0]], "from": "#3", "to": "#9"}
    with added(data, about) as (recording, actor):
        frames = read(saved(recording), dialect).frames

        def packets_of(number: int, frame: int) -> dict[str, Any]:
            return {
                name: record
                for name, records in frames[frame].packets.items()
                for record in records
                if isinstance(record, tuple) and record[0] == number and name not in ("Collision", "SceneLight")
            }

        made = packets_of(actor.id, 2)
        assert set(made) - {"PhysicsControl"} == set(packets_of(like.id, 0)) - {"PhysicsControl"}
        assert ("PhysicsControl" in made) == ("PhysicsControl" in packets_of(like.id, 0))
        assert set(packets_of(actor.id, 4)) == set(packets_of(like.id, 4)) - {"EventParent"}
        assert packets_of(actor.id, 8).keys() == packets_of(actor.id, 4).keys()
        assert packets_of(actor.id, 9).keys() <= {"EventDel"}
        new = made["EventAdd"]
        assert (new.kind, new.uid) == (like.kind, like.uid)
        assert {name: each[0] for name, each in new.attributes.items()} == {
            name: each[0] for name, each in like.attributes.items()
        }
        scenes = list(Replayer(recording.snapshot).frames())
        assert scenes[2].created[actor.id].blueprint == like.blueprint
        assert actor.id not in scenes[9].created
        if "AnimVehicleWheels" in made:
            assert len(made["AnimVehicleWheels"][1]) == len(packets_of(like.id, 4)["AnimVehicleWheels"][1])


def test_a_packet_that_the_file_does_not_have_stays_absent() -> None:
    with added(straight(lambda t: 5.0), {"blueprint": CAR, "path": STREET}) as (recording, _):
        names = {packet.name for frame in recording for packet in frame.packets}
        assert "AnimVehicle" not in names
        assert "Position" in names


def test_the_description_is_that_of_the_blueprint_with_what_is_asked_for() -> None:
    data = town(0.5, vehicles=6, walkers=2, seed=3)
    about = {
        "blueprint": CAR,
        "path": [[5.0, 6.0, 1.0]],
        "yaw": 30.0,
        "role": "extra",
        "color": "1,2,3",
        "lights": 0x21,
    }
    with added(data, about | {"new_id": 777}) as (recording, actor):
        (life,) = Actors.of(recording.snapshot).of_id(777)
        assert (life.role_name, life.colour, life.uid) == ("extra", (1, 2, 3), 24)
        assert life.transform[:3] == pytest.approx((500.0, 600.0, 100.0))
        assert life.transform.yaw == pytest.approx(30.0)
        lights = Tracks(recording.snapshot).read("lights", [777])["lights"]
        assert set(lights.tolist()) == {0x21}
        control = Tracks(recording.snapshot).read("controls", [777])
        assert control["handbrake"].all()
        assert not control["throttle"].any()
        assert size_of(actor.blueprint) == pytest.approx((4.792, 2.164, 1.488))


def test_sizes_are_the_recording_s_own_where_it_has_them(recordings: Path) -> None:
    with opened(beginning(recordings / COLLISIONS, 30)) as recording:
        known = catalogue(recording.snapshot)
        assert size_of(known["vehicle.seat.leon"]) == pytest.approx((4.192, 1.816, 1.474), abs=0.002)
        assert known["vehicle.seat.leon"].uid == 14
        assert known["vehicle.diamondback.century"].model.is_two_wheeler
        assert size_of(known["vehicle.carlamotors.firetruck"]) == pytest.approx((8.58, 2.9, 3.828))
        assert list(known).index("vehicle.seat.leon") < list(known).index("vehicle.audi.a2")
        actors = Actors.of(recording.snapshot)
        box = {each.blueprint: actors.boxes[each.index] for each in actors if each.index in actors.boxes}
        add(recording, WantedActor(blueprint="vehicle.seat.leon", path=[[0.0, 0.0]]))
        new = max(Actors.of(recording.snapshot), key=lambda life: life.actor)
        made = Actors.of(recording.snapshot).boxes[new.index]
        assert made.extent == pytest.approx(box["vehicle.seat.leon"].extent, abs=0.01)


def test_an_unknown_number_of_a_blueprint_is_refused_unless_it_is_given() -> None:
    with opened(straight(lambda t: 5.0)) as recording:
        with pytest.raises(EditError, match=r"number \(uid\) of vehicle\.kawasaki\.ninja is not known"):
            edits.add_actor(recording, "vehicle.kawasaki.ninja", path=STREET)
        add(recording, WantedActor(blueprint="vehicle.kawasaki.ninja", path=STREET, uid=18))
        add(recording, WantedActor(blueprint="vehicle.own.model", path=STREET, uid=99))


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"blueprint": "sensor.camera.rgb", "path": STREET}, "no vehicle, walker or prop"),
        ({"blueprint": "vehicle.own.model", "path": STREET}, "no vehicle, walker or prop"),
        ({"blueprint": CAR}, "needs a place"),
        ({"blueprint": CAR, "path": [[1.0, 1.0], [1.0, 1.001]]}, "two that are apart"),
        ({"blueprint": CAR, "path": [[1e9, 1.0], [1.0, 1.0]]}, "must be finite"),
        ({"blueprint": CAR, "path": STREET, "speed": -1.0}, "must not be negative"),
        ({"blueprint": CAR, "path": STREET, "new_id": LEADER}, "id"),
        ({"blueprint": CAR, "path": STREET, "from": 1000.0}, "[Nn]o frame|outside"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(about: dict[str, Any], message: str) -> None:
    with opened(straight(lambda t: 5.0)) as recording:
        before = saved(recording)
        with pytest.raises(EditError, match=message):
            add_wanted(recording, WantedActor.of_arguments(about))
        assert saved(recording) == before


# --- where it is --------------------------------------------------------------------------------------------


def test_it_drives_the_curve_at_its_speed_slower_in_bends_and_stops_at_the_end() -> None:
    path = [[0.0, 0.0], [40.0, 0.0], [50.0, 10.0], [50.0, 50.0]]
    with added(straight(lambda t: 0.0, 201), {"blueprint": CAR, "path": path, "speed": 10.0}) as (_, actor):
        poses, speed = actor.poses, actor.speed
        near = [np.hypot(*(poses[:, :2] - point).T).min() for point in path]
        assert max(near) < 0.6
        assert speed[0] == pytest.approx(10.0, abs=0.1)
        bend = np.argmin(np.hypot(*(poses[:, :2] - (48.0, 3.0)).T))
        assert 3.0 < speed[bend] < 8.5
        assert speed[-1] == pytest.approx(0.0, abs=0.01)
        assert poses[-1, :2] == pytest.approx((50.0, 50.0), abs=0.1)
        assert poses[-1, 5] == pytest.approx(90.0, abs=1.0)
        assert np.diff(speed).max() / 0.1 < 3.0
        assert np.diff(speed).min() / 0.1 > -4.0


def test_it_waits_then_goes_from_standstill() -> None:
    about = {"blueprint": WALKER, "path": [[0.0, 5.0], [0.0, -5.0]], "speed": 1.5, "wait": 3.0}
    with added(straight(lambda t: 0.0), about) as (_, actor):
        assert not actor.speed[:29].any()
        assert actor.speed.max() == pytest.approx(1.5, abs=0.05)
        assert actor.poses[0, 2] == pytest.approx(0.93)


def test_heights_are_of_the_points_else_of_the_nearest_recorded_place() -> None:
    hill = drive({LEADER: lambda n: (500.0 * n, 0.0, 100.0 * n, 0.0)}, 101)
    with added(hill, {"blueprint": CAR, "path": [[20.0, 1.0], [40.0, 1.0]]}) as (_, actor):
        assert actor.poses[0, 2] == pytest.approx(4.0)
        assert actor.poses[0, 4] > 5.0
    with added(hill, {"blueprint": CAR, "path": [[20.0, 1.0, 7.0], [40.0, 1.0, 7.0]]}) as (_, actor):
        assert actor.poses[:, 2] == pytest.approx(np.full(101, 7.0))


def test_a_walker_on_a_slope_stays_upright() -> None:
    with added(straight(lambda t: 5.0), {"blueprint": WALKER, "path": [[0.0, 5.0, 0.0], [10.0, 5.0, 3.0]]}) as (
        _,
        actor,
    ):
        assert actor.poses[-1, 2] > 2.0
        assert not actor.poses[:, 3:5].any()


def test_a_follower_keeps_its_gap_and_stays_behind_a_leader_that_brakes_hard() -> None:
    braking = straight(lambda t: max(0.0, 12.0 - max(0.0, t - 6.0) * 8.0), 151)
    with added(braking, {"blueprint": CAR, "follow": str(LEADER), "gap": 1.5}) as (recording, actor):
        room = gaps(recording, actor.id)
        assert room.min() > 0.0
        assert room[59] == pytest.approx(12.0 * 1.5 + 2.0, rel=0.35)
        assert room[-1] == pytest.approx(2.0, abs=1.0)
        assert not [each for each in check(recording.snapshot) if each.code == "overlap"]


def test_a_driver_with_a_gap_heeds_whoever_is_on_its_way_and_without_one_nobody() -> None:
    standing = drive({LEADER: lambda n: (4000.0, 30.0, 0.0, 45.0)}, 151)
    with added(standing, {"blueprint": CAR, "path": STREET, "gap": 1.0}) as (_, actor):
        assert 30.0 < actor.poses[-1, 0] < 37.0
    with added(standing, {"blueprint": CAR, "path": STREET}) as (_, actor):
        assert actor.poses[-1, 0] == pytest.approx(60.0, abs=0.1)


def test_a_leader_that_is_not_there_cannot_be_followed() -> None:
    leaves = straight(lambda t: 5.0, gone={LEADER: 20})
    with opened(leaves) as recording, pytest.raises(EditError, match="the leader, is not there"):
        edits.add_actor(recording, CAR, follow=str(LEADER), start="#50")


def test_of_two_who_had_an_id_the_one_that_is_there_is_followed() -> None:
    two = {LEADER: lambda n: (100.0 * n, 0.0, 0.0, 0.0), 2: lambda n: (100.0 * n, 5000.0, 0.0, 0.0)}
    with opened(drive(two, 101, gone={LEADER: 40}, born={2: 50})) as recording:
        recording.apply(edits.set_actor_id(recording, Actors.of(recording.snapshot).of_id(2)[0], LEADER))
        actor = add(recording, WantedActor(blueprint=CAR, follow=str(LEADER), start="#70"))
        assert actor.poses[:, 1] == pytest.approx(np.full(32, 50.0))


def test_a_follower_is_born_behind_all_who_stand_behind_its_leader() -> None:
    queue = {LEADER: lambda n: (4000.0, 0.0, 0.0, 0.0), 2: lambda n: (3300.0, 0.0, 0.0, 0.0)}
    with added(
        drive(queue | {3: lambda n: (2600.0, 0.0, 0.0, 0.0)}, 21), {"blueprint": CAR, "follow": str(LEADER)}
    ) as (_, actor):
        assert 15.0 < actor.poses[0, 0] < 26.0 - 4.7


def test_a_copy_is_where_the_other_was_so_much_before() -> None:
    about = {"blueprint": CAR, "copy": str(LEADER), "later": 2.0, "offset": [0.0, 3.5, 0.0]}
    with added(straight(lambda t: 5.0 + t), about) as (recording, actor):
        leader = Tracks(recording.snapshot).path(LEADER)
        assert actor.frames == range(20, 101)
        assert actor.poses[:, 0] == pytest.approx(leader["x"][:81] / 100, abs=1e-3)
        assert actor.poses[:, 1] == pytest.approx(np.full(81, 3.5))


def test_on_a_path_of_its_own_a_copy_has_the_speeds_of_the_other() -> None:
    about = {"blueprint": CAR, "copy": str(LEADER), "path": [[0.0, 9.0], [200.0, 9.0]]}
    with added(straight(lambda t: 2.0 + t), about) as (_, actor):
        assert actor.speed[5:95] == pytest.approx(2.0 + 0.1 * np.arange(5, 95), abs=0.2)


# --- one click ----------------------------------------------------------------------------------------------


def test_each_click_proposes_an_actor_that_is_there(recordings: Path) -> None:
    with opened(beginning(recordings / COLLISIONS, 150)) as recording:
        hero = next(life for life in recording.actors if life.is_hero)
        x, y = hero.transform.x / 100, hero.transform.y / 100
        parked = add(recording, parked_car(recording.snapshot, (x + 30.0, y + 30.0)))
        assert np.ptp(parked.poses, axis=0).max() == 0.0
        behind = add(recording, follower(recording.snapshot, 10))
        assert behind.frames.start == 10
        walker = add(recording, crossing_walker(recording.snapshot, 10))
        path = Tracks(recording.snapshot).path(hero.actor)
        away = np.hypot(path["x"][:, None] / 100 - walker.poses[:, 0], path["y"][:, None] / 100 - walker.poses[:, 1])
        assert away.min() < 1.0
        assert walker.blueprint.model.kind == "walker"


def test_a_walker_is_on_the_path_a_second_before_the_hero() -> None:
    data = town(8.0, vehicles=4, walkers=0, seed=3)
    with opened(data) as recording:
        hero = next(life for life in recording.actors if life.is_hero)
        placed = Tracks(recording.snapshot).path(hero.actor)
        places = np.column_stack((placed["x"], placed["y"])) / 100
        x, y = places[130].tolist()
        walker = add(recording, crossing_walker(recording.snapshot, 20, (x, y)))
        far = np.hypot(*(places[:, None] - walker.poses[None, :, :2]).transpose(2, 0, 1))
        at, when = np.unravel_index(np.argmin(far), far.shape)
        seconds = float(recording.snapshot.elapsed[placed["frame"][at]] - walker.times[when])
        assert 0.5 < seconds < 2.0
        own, its = (places[:, None], walker.poses[None, :, :2])
        together = placed["frame"][:, None] == np.asarray(walker.frames)
        assert np.hypot(*(own - its).transpose(2, 0, 1))[together].min() > 1.5  # beside it, not before it


def test_a_walker_beside_a_hero_that_stands_first_crosses_before_it(recordings: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-town01.log") as recording:
        hero = next(life for life in recording.actors if life.is_hero)
        placed = Tracks(recording.snapshot).path(hero.actor)
        places = np.column_stack((placed["x"], placed["y"])) / 100
        walker = add(recording, crossing_walker(recording.snapshot, 144, tuple((places[144] + 1.0).tolist())))
        own, its = (places[:, None], walker.poses[None, :, :2])
        together = placed["frame"][:, None] == np.asarray(walker.frames)
        assert np.hypot(*(own - its).transpose(2, 0, 1))[together].min() > 1.5  # beside it, not through it


def test_without_a_hero_nobody_is_followed() -> None:
    with opened(straight(lambda t: 5.0)) as recording, pytest.raises(SelectorError, match="no hero"):
        add_wanted(recording, follower(recording.snapshot, 2))


# --- any of them --------------------------------------------------------------------------------------------


def some_actor(snapshot: Snapshot, chance: random.Random) -> dict[str, Any]:
    """Arguments of an actor near the others of a recording, at speeds of its kind: those on foot copy no car."""
    known = [each for each in catalogue(snapshot).values() if each.uid]
    lives = [each for each in Actors.of(snapshot) if each.class_ in ("vehicle", "walker") and each.within(range(2))]
    life, new = chance.choice(lives), chance.choice(known)
    about: dict[str, Any] = {"blueprint": new.name}
    x, y = life.transform.x / 100 + chance.uniform(-30, 30), life.transform.y / 100 + chance.uniform(-30, 30)
    turns = [(chance.uniform(-20, 20), chance.uniform(-20, 20)) for _ in range(chance.choice((1, 2, 5)))]
    drawn = np.cumsum([(x, y), *turns[1:]], axis=0).tolist()
    where: list[dict[str, Any]] = [
        {"path": drawn, "yaw": chance.uniform(-180, 180)},
        {
            "path": drawn,
            "gap": chance.uniform(0.5, 3.0),
            "speed": chance.uniform(0.0, 1.4 * DRIVERS[new.model.kind][1]),
        },
    ]
    like: list[dict[str, Any]] = [
        {"follow": str(life.actor), "gap": chance.uniform(0.5, 3.0)},
        {"copy": str(life.actor), "later": chance.uniform(0.0, 1.0), "offset": [0.0, 4.0, 0.0]},
        {"copy": str(life.actor), "path": drawn},
    ]
    is_like = (life.class_ == "walker") == (new.model.kind == "walker")
    about |= chance.choice(where + like if is_like else where)
    if chance.random() < 0.5:
        first = chance.randrange(len(snapshot) - 2)
        about |= {"from": f"#{first + 1}", "to": f"#{chance.randrange(first + 1, len(snapshot)) + 1}"}
    return about | ({"wait": 0.5, "lights": chance.randrange(1 << 11)} if chance.random() < 0.5 else {})


@of_real(OPENDRIVE)
def test_random_new_actors_change_nothing_else_and_no_check_finds_more(sound_recording: Path) -> None:
    chance, done = random.Random(sound_recording.name), 0
    with recorder_editor.open(sound_recording) as recording:
        for _ in range(8):
            about = some_actor(recording.snapshot, chance)
            try:
                add(recording, WantedActor.of_arguments(about))
            except EditError:
                continue
            done += 1
            recording.undo()
    assert done >= 4


numbers = st.floats(-50.0, 50.0, allow_nan=False)


@given(
    st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6),
    st.floats(0.0, 30.0),
    st.sampled_from((CAR, WALKER, BICYCLE)),
)
@settings(max_examples=examples(40), deadline=None)
def test_any_path_is_driven_without_a_jump(path: list[tuple[float, float]], speed: float, blueprint: str) -> None:
    with opened(straight(lambda t: 5.0)) as recording:
        points = [*map(list, path), [99.0, 99.0]]
        actor = NewActor(recording.snapshot, WantedActor(blueprint=blueprint, path=points, speed=speed))
        moved = np.hypot(*np.diff(actor.poses[:, :2], axis=0).T)
        assert moved.max() <= 0.1 * speed + 1e-6
        assert np.isfinite(actor.velocities).all()


@pytest.mark.parametrize("dialect", ["ue4-0.9.16", "ue4-2026", "ue5-2026"])
def test_releases_that_find_a_blueprint_by_its_name_need_the_number_of_one_of_its_kind(dialect: str) -> None:
    """The number chooses what makes the actor: a vehicle, a walker or a prop (format reference 6.4)."""
    prop = "static.prop.advertisement"  # without a number in the catalogue
    data = town(0.5, vehicles=2, walkers=0, seed=3, dialect=dialect)
    with opened(data, dialect) as recording:
        snapshot = recording.snapshot
        of_props = {life.uid for life in Actors.of(snapshot) if life.blueprint.startswith("static.")}
        assert blueprint_of(snapshot, prop).uid in of_props
        assert blueprint_of(snapshot, prop, 5).uid == 5
        of_vehicles = {life.uid for life in Actors.of(snapshot) if life.blueprint.startswith("vehicle.")}
        assert blueprint_of(snapshot, next(iter(unmet(snapshot, "vehicle.")))).uid in of_vehicles
    with opened(straight(lambda t: 5.0, 3), "ue4-2026") as recording:
        with pytest.raises(EditError, match="later ones need that of an actor of its kind"):
            blueprint_of(recording.snapshot, prop)
        recorded = {life.blueprint: life.uid for life in Actors.of(recording.snapshot)}
        assert all(blueprint_of(recording.snapshot, name).uid == uid for name, uid in recorded.items())


def test_releases_of_numbers_take_that_of_the_catalogue() -> None:
    with opened(town(0.5, vehicles=2, walkers=0, seed=3)) as recording:
        for name, uid in unmet(recording.snapshot, "vehicle.").items():
            assert uid is None or blueprint_of(recording.snapshot, name).uid == uid


def unmet(snapshot: Snapshot, kind: str) -> dict[str, int | None]:
    """The uids of the catalogue for blueprints of a kind that the recording does not hold."""
    return {name: each.uid for name, each in catalogue(snapshot).items() if each.life is None and name.startswith(kind)}
