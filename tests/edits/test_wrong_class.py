"""No edit leaves a record on which the simulator crashes: it is removed with what the actor was, or refused."""

from collections.abc import Callable, Iterator

import pytest

from recorder_editor import Edit, Recording, edits
from recorder_editor.checks import check
from recorder_editor.edits import Place, raw
from recorder_editor.errors import EditError
from recorder_editor.reading.lives import Life
from recorder_editor.recording.snapshot import Snapshot

from .. import builders as b
from ..recording.films import add, delete, opened
from .conftest import saved

BICYCLE = b.actor(1, 1, "vehicle.bh.crossbike", uid=11)
CAR = b.actor(2, 1, "vehicle.tesla.model3", b.xyz(2000.0), uid=12)
WALKER = b.actor(3, 2, "walker.pedestrian.0001", b.xyz(0.0, 900.0), uid=13)
BOX = b.actor(4, 0, "static.prop.box", b.xyz(0.0, -900.0), uid=14)
FRAMES = 6


def rider(actor: int) -> b.Record:
    return {"id": actor, "forward_speed": 3.0, "engine_rotation": 0.5}


def rides(*actors: int) -> bytes:
    return b.packet(22, b.biker([rider(actor) for actor in actors]))


def controls(*actors: int) -> bytes:
    record = {"steering": 0.0, "throttle": 0.0, "brake": 0.0, "handbrake": False, "gear": 1}
    return b.packet(8, b.anim_vehicle([{"id": actor, **record} for actor in actors]))


def wheels(*actors: int) -> bytes:
    turned = [{"location": 0, "steering": 1.0, "rotation": 2.0}]
    return b.packet(21, b.vehicle_wheels([{"id": actor, "wheels": turned} for actor in actors]))


def lights(*actors: int) -> bytes:
    return b.packet(10, b.vehicle_light([{"id": actor, "lights": 1} for actor in actors]))


def walks(*actors: int) -> bytes:
    return b.packet(9, b.anim_walker([{"id": actor, "speed": 100.0} for actor in actors]))


def at(*actors: int) -> bytes:
    return b.packet(6, b.position([b.pose(actor, b.xyz(100.0 * actor)) for actor in actors]))


def motion(*actors: int) -> bytes:
    still = {"linear_velocity": b.xyz(), "angular_velocity": b.xyz()}
    return b.packet(12, b.kinematics([{"id": actor, **still} for actor in actors]))


def frame_of(*vehicles: int, first: bytes = b"", riders: tuple[int, ...] = (1,)) -> list[bytes]:
    everybody = (*vehicles, 3, 4)
    return [
        first,
        at(*everybody),
        controls(*vehicles),
        walks(3),
        lights(*vehicles),
        wheels(*vehicles),
        rides(*riders),
        motion(*vehicles, 3),
    ]


def recorded(*frames: list[bytes]) -> bytes:
    last = len(frames) - 1
    return b.recording(*(b.frame(n + 1, 0.1 * n, -1.0 if n == last else 0.1, each) for n, each in enumerate(frames)))


STREET = recorded(frame_of(1, 2, first=add(BICYCLE, CAR, WALKER, BOX)), *[frame_of(1, 2) for _ in range(FRAMES - 1)])


@pytest.fixture
def street() -> Iterator[Recording]:
    with opened(STREET, "ue4-0.9.15") as recording:
        yield recording


def life_of(recording: Recording, actor: int) -> Life:
    return recording.actors.of_id(actor)[0]


def crashes(snapshot: Snapshot) -> list[str]:
    return [each.message for each in check(snapshot) if each.code == "replay-wrong-class"]


def named(recording: Recording, packet: str) -> list[list[int]]:
    found = [frame.packet(packet) for frame in recording]
    return [[] if each is None else [record["id"] for record in each.records] for each in found]


# --- removed with what the actor was ----------------------------------------------------------------------


def test_a_bicycle_that_becomes_a_walker_loses_the_records_of_a_vehicle_and_no_others(street: Recording) -> None:
    known = {each.code for each in check(street.snapshot)}
    edit = edits.set_blueprint(street, [life_of(street, 1)], "walker.pedestrian.0001")
    assert edit.label == (
        "Change 1 to walker.pedestrian.0001, without 24 records that it cannot have: "
        "AnimBiker, AnimVehicle, AnimVehicleWheels, VehicleLight"
    )
    street.apply(edit)
    changed = {**BICYCLE, "type": 2, "blueprint": "walker.pedestrian.0001", "uid": 13}
    alone = [frame_of(2, riders=()) for _ in range(FRAMES)]
    for packets in alone:
        packets[1], packets[7] = at(1, 2, 3, 4), motion(1, 2, 3)
    alone[0][0] = add(changed, CAR, WALKER, BOX)
    assert saved(street) == recorded(*alone)
    assert {each.code for each in check(street.snapshot)} <= known
    street.undo()
    assert saved(street) == STREET


def test_a_bicycle_that_becomes_a_prop_has_no_velocity_but_a_position(street: Recording) -> None:
    street.apply(edits.set_blueprint(street, [life_of(street, 1)], "static.prop.box"))
    assert named(street, "AnimBiker") == [[]] * FRAMES
    assert named(street, "Kinematics") == [[2, 3]] * FRAMES
    assert named(street, "Position") == [[1, 2, 3, 4]] * FRAMES


def test_a_bicycle_that_becomes_a_car_keeps_all_its_records(street: Recording) -> None:
    edit = edits.set_blueprint(street, [life_of(street, 1)], "vehicle.tesla.model3")
    assert edit.label == "Change 1 to vehicle.tesla.model3"
    street.apply(edit)
    changed = {**BICYCLE, "blueprint": "vehicle.tesla.model3", "uid": 12}
    frames = [frame_of(1, 2, first=add(changed, CAR, WALKER, BOX)), *[frame_of(1, 2)] * (FRAMES - 1)]
    assert saved(street) == recorded(*frames)
    assert crashes(street.snapshot) == []


def test_a_walker_that_becomes_a_car_walks_no_more(street: Recording) -> None:
    street.apply(edits.set_blueprint(street, [life_of(street, 3)], "vehicle.tesla.model3"))
    assert named(street, "AnimWalker") == [[]] * FRAMES
    assert named(street, "AnimVehicle") == [[1, 2]] * FRAMES


def test_another_life_of_the_id_keeps_its_records() -> None:
    rest = add(CAR, WALKER, BOX)
    story = [
        frame_of(1, 2, first=rest + add(BICYCLE)),
        frame_of(1, 2),
        frame_of(2, first=delete(1), riders=()),
        frame_of(1, 2, first=add(BICYCLE)),
        frame_of(1, 2),
    ]
    with opened(recorded(*story), "ue4-0.9.15") as recording:
        recording.apply(edits.set_blueprint(recording, [recording.actors.of_id(1)[0]], "walker.pedestrian.0001"))
        assert named(recording, "AnimBiker") == [[], [], [], [1], [1]]
        assert crashes(recording.snapshot) == []


# --- refused ----------------------------------------------------------------------------------------------


def place(recording: Recording, frame: int, packet: str, record: int | None = 0, field: str | None = None) -> Place:
    found = recording[frame].packet(packet)
    assert found is not None
    return Place(recording[frame].row, found.index, record, field)


def taken(recording: Recording, take: Callable[..., Edit], *, with_record: bool = False) -> Edit:
    """A walker as actor 1, of another recording."""
    with opened(recorded([add({**WALKER, "id": 1}), at(1)]), "ue4-0.9.15") as other:
        found = other[0].packet("EventAdd")
        assert found is not None
        if with_record:
            return take(recording, place(recording, 0, "EventAdd"), found, 0)
        return take(recording, place(recording, 1, "EventAdd", None), found)


def taken_frame(recording: Recording) -> Edit:
    with opened(recorded([add({**WALKER, "id": 1}), at(1)]), "ue4-0.9.15") as other:
        return edits.take_frame(recording, recording[2].row, other[0])


REFUSED: dict[str, Callable[[Recording], Edit]] = {
    "a blueprint by its field": lambda recording: edits.set_field(
        recording, place(recording, 0, "EventAdd", 0, "blueprint"), "walker.pedestrian.0001"
    ),
    "several fields": lambda recording: edits.set_fields(
        recording,
        [
            (place(recording, 0, "EventAdd", 0, "uid"), 13),
            (place(recording, 0, "EventAdd", 0, "blueprint"), "walker.pedestrian.0001"),
        ],
    ),
    "an id by its field": lambda recording: edits.set_field(recording, place(recording, 2, "AnimBiker", 0, "id"), 3),
    "ids that are replaced": lambda recording: edits.replace_where(recording, "AnimBiker where id == 1: id = 4"),
    "blueprints that are replaced": lambda recording: edits.replace_where(
        recording, 'EventAdd where id == 1: blueprint = "static.prop.box"'
    ),
    "actors that swap their ids": lambda recording: edits.replace_where(
        recording, "EventAdd where id == 1 or id == 3: id = 4 - id"
    ),
    "a record that is inserted": lambda recording: edits.insert_record(
        recording, place(recording, 1, "AnimBiker", None), rider(3)
    ),
    "a record that is replaced": lambda recording: edits.replace_record(
        recording, place(recording, 1, "AnimBiker"), rider(4)
    ),
    "a creation that is replaced": lambda recording: edits.replace_record(
        recording, place(recording, 0, "EventAdd"), {**WALKER, "id": 1}
    ),
    "a body": lambda recording: edits.replace_body(
        recording, place(recording, 1, "AnimBiker", None), b.biker([rider(3)])
    ),
    "a packet": lambda recording: edits.insert_packet(recording, Place(recording[1].row), 22, [rider(3)]),
    "a packet of an event": lambda recording: edits.insert_packet(
        recording, Place(recording[1].row), 2, [{**WALKER, "id": 1}]
    ),
    "a record of another recording": lambda recording: taken(recording, edits.take_record, with_record=True),
    "a packet of another recording": lambda recording: taken(recording, edits.take_packet),
    "a frame of another recording": taken_frame,
}


BORN = add(BICYCLE, CAR, WALKER, BOX)
STORY = recorded(frame_of(1, 2, first=BORN), *[frame_of(1, 2, first=add()) for _ in range(FRAMES - 1)])


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_crash_the_simulator_is_refused(name: str) -> None:
    with opened(STORY, "ue4-0.9.15") as recording:
        with pytest.raises(EditError, match=r"AnimBiker in frame .* the simulator crashes") as refused:
            REFUSED[name](recording)
        assert refused.value.frame is not None
        assert saved(recording) == STORY


def test_a_frame_that_creates_somebody_else_again_is_not_copied() -> None:
    story = [frame_of(2, first=add(CAR, {**WALKER, "id": 1}, WALKER, BOX), riders=()) for _ in range(1)]
    story += [frame_of(2, first=add(), riders=()), frame_of(1, 2, first=add(BICYCLE)), frame_of(1, 2)]
    with opened(recorded(*story), "ue4-0.9.15") as recording, pytest.raises(EditError, match="simulator crashes"):
        edits.insert_frame(recording, recording[3].row, recording[0].row)


def test_a_creation_behind_which_another_actor_would_have_the_id_is_not_deleted() -> None:
    story = [frame_of(2, first=add(CAR, {**WALKER, "id": 1}, WALKER, BOX), riders=())]
    story += [frame_of(1, 2, first=add(BICYCLE)), frame_of(1, 2, first=add())]
    with opened(recorded(*story), "ue4-0.9.15") as recording:
        where = place(recording, 1, "EventAdd")
        deletions: list[Callable[[], Edit]] = [
            lambda: edits.delete_record(recording, where),
            lambda: edits.delete_records(recording, [where]),
            lambda: edits.delete_packet(recording, where._replace(record=None)),
            lambda: edits.delete_rows(recording, recording[1].row),
        ]
        for delete_it in deletions:
            with pytest.raises(EditError, match="simulator crashes"):
                delete_it()


STRAY = 777
"""Somebody who does not exist, of whom the records tell all the same."""


def pasted(recording: Recording) -> Edit:
    with opened(STREET, "ue4-0.9.15") as other:
        return edits.paste_actor(recording, other.snapshot, life_of(other, 3), new_id=STRAY)


ADOPTING: dict[str, Callable[[Recording], Edit]] = {
    "another id": lambda recording: edits.set_actor_id(recording, life_of(recording, 3), STRAY),
    "a copy": lambda recording: edits.duplicate_actor(recording, life_of(recording, 3), new_id=STRAY),
    "a new actor": lambda recording: edits.add_actor(
        recording, "walker.pedestrian.0001", path=[[0.0, 0.0]], new_id=STRAY
    ),
    "an actor of another recording": pasted,
}


def strays() -> bytes:
    return recorded(
        frame_of(1, 2, first=BORN, riders=(1, STRAY)),
        *[frame_of(1, 2, first=add(), riders=(1, STRAY)) for _ in range(FRAMES - 1)],
    )


@pytest.mark.parametrize("name", ADOPTING)
def test_nobody_gets_an_id_whose_records_would_crash_the_simulator(name: str) -> None:
    with opened(strays(), "ue4-0.9.15") as recording, pytest.raises(EditError, match="simulator crashes"):
        ADOPTING[name](recording)
    with opened(STREET, "ue4-0.9.15") as recording:
        recording.apply(ADOPTING[name](recording))
        assert crashes(recording.snapshot) == []


@pytest.mark.parametrize("match_actors", [False, True])
def test_records_of_nobody_do_not_mean_somebody_of_the_recording_before(match_actors: bool) -> None:
    level = b.actor(STRAY, 3, "traffic.traffic_light", b.xyz(0.0, 0.0, 20.0), uid=0)
    same = {**level, "id": 900}
    before = recorded(frame_of(1, 2, first=add(BICYCLE, CAR, WALKER, BOX, level)), frame_of(1, 2, first=add()))
    after = recorded(
        frame_of(1, 2, first=add(BICYCLE, CAR, WALKER, BOX, same), riders=(1, STRAY)),
        frame_of(1, 2, first=add(), riders=(1, STRAY)),
    )
    with (
        opened(before, "ue4-0.9.15") as recording,
        opened(after, "ue4-0.9.15") as other,
        pytest.raises(EditError, match="simulator crashes"),
    ):
        edits.join(recording, [other], match_actors=match_actors)
    with opened(before, "ue4-0.9.15") as recording, opened(before, "ue4-0.9.15") as other:
        recording.apply(edits.join(recording, [other], match_actors=match_actors))
        assert crashes(recording.snapshot) == []


# --- not refused --------------------------------------------------------------------------------------------


def test_bytes_are_changed_as_they_are_typed_and_the_check_tells() -> None:
    with opened(STREET, "ue4-0.9.15") as recording:
        where = place(recording, 1, "AnimBiker")
        packet = recording[1].packets[where.packet or 0]
        recording.apply(edits.overwrite(recording, packet.offset + 7, b"\x03\0\0\0"))
        assert named(recording, "AnimBiker")[1] == [3]
        (message,) = crashes(recording.snapshot)
        assert message.startswith("AnimBiker names walker.pedestrian.0001 3 (walker) in frame 2:")
        inserted = b"\x04\0\0\0" + bytes(8)
        recording.apply(raw.insert_in_body(recording, where, 2, inserted))
        assert len(crashes(recording.snapshot)) == 2


def test_a_recording_that_crashes_already_can_be_edited() -> None:
    story = [frame_of(1, 2, first=BORN, riders=(3,)), *[frame_of(1, 2, riders=(1, 3)) for _ in range(FRAMES - 1)]]
    with opened(recorded(*story), "ue4-0.9.15") as recording:
        assert len(crashes(recording.snapshot)) == 1
        recording.apply(edits.set_field(recording, place(recording, 0, "EventAdd", 0, "uid"), 99))
        recording.apply(edits.set_field(recording, place(recording, 1, "AnimBiker", 1, "id"), 1))
        recording.apply(edits.delete_record(recording, place(recording, 0, "AnimBiker")))
        recording.apply(edits.set_actor_id(recording, life_of(recording, 3), 50))
        assert len(crashes(recording.snapshot)) == 1


def test_releases_without_riders_refuse_nothing() -> None:
    packets = [add(CAR, WALKER), at(2, 3), controls(2)]
    with opened(recorded(packets, [add(), at(2, 3), controls(2)]), "ue4-0.9.12") as recording:
        recording.apply(edits.set_field(recording, place(recording, 0, "EventAdd", 0, "blueprint"), "walker.a"))
        recording.apply(edits.set_field(recording, place(recording, 1, "AnimVehicle", 0, "id"), 3))
        assert check(recording.snapshot) == []
