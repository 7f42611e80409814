"""What the replayer does with a record of each packet that names an actor of each class, and what the check says of it.

The rows of `REPLAYED` are read in CARLA's own replayer (format reference 6.4): the functions for controls, lights,
wheels, doors, bones and lights look at the actor first, that for riders does not, that for positions need not. They are
the same in all releases that have the packet, but that early UE5 does nothing with wheels.
"""

from collections.abc import Callable, Mapping

import pytest

from recorder_editor.checks import check
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.reading.event_index import CLASSES

from .. import builders as b
from ..recording.films import opened

NOBODY = "nobody"
ACTORS: Mapping[str, b.Record] = {
    "spectator": b.actor(1, 0, "spectator", uid=0),
    "vehicle": b.actor(2, 1, "vehicle.tesla.model3", b.xyz(1000.0)),
    "two-wheeler": b.actor(
        3, 1, "vehicle.bh.crossbike", b.xyz(2000.0), attributes=[b.attribute(3, "base_type", "bicycle")]
    ),
    "walker": b.actor(4, 2, "walker.pedestrian.0001", b.xyz(3000.0)),
    "traffic light": b.actor(5, 3, "traffic.traffic_light", b.xyz(4000.0), uid=0),
    "traffic sign": b.actor(6, 0, "traffic.stop", b.xyz(5000.0), uid=0),
    "prop": b.actor(7, 0, "static.prop.box01", b.xyz(6000.0)),
    "sensor": b.actor(8, 0, "sensor.camera.rgb", b.xyz(7000.0)),
    "other": b.actor(9, 0, "controller.ai.walker", b.xyz(8000.0)),
}
IDS = {name: each["id"] for name, each in ACTORS.items()} | {NOBODY: 99}
VEHICLES = ("vehicle", "two-wheeler")


def only(*classes: str) -> dict[str, str]:
    """A function that looks at the actor first."""
    return {name: "applied" if name in classes else "ignored" for name in (*CLASSES, NOBODY)}


ANYBODY: dict[str, str] = dict.fromkeys(CLASSES, "applied")
ANYBODY |= {"spectator": "ignored", NOBODY: "moves another"}
RIDER: dict[str, str] = dict.fromkeys(CLASSES, "crash")
RIDER |= {**dict.fromkeys(VEHICLES, "applied"), NOBODY: "ignored"}
"""Signs, sensors and the spectator do so where the simulator has found or created them."""
NOTHING = dict.fromkeys((*CLASSES, NOBODY), "skipped")

REPLAYED: Mapping[str, Mapping[str, str]] = {
    "Position": ANYBODY,
    "State": only("traffic light"),
    "AnimVehicle": only(*VEHICLES),
    "AnimWalker": only("walker"),
    "VehicleLight": only(*VEHICLES),
    "VehicleDoor": only(*VEHICLES),
    "AnimVehicleWheels": only(*VEHICLES),
    "AnimBiker": RIDER,
    "WalkerBones": only("walker"),
    "Kinematics": NOTHING,
    "BoundingBox": NOTHING,
    "TriggerVolume": NOTHING,
    "TrafficLightTime": NOTHING,
}

SAID = {
    "applied": set[str](),
    "ignored": set[str](),
    "skipped": set[str](),
    "crash": {"replay-wrong-class"},
    "moves another": {"replay-moves-unknown"},
}
"""The findings about a record, by what is done with it."""

CONTROL = {"steering": 0.0, "throttle": 0.0, "brake": 0.0, "handbrake": False, "gear": 1}
BOX = {"origin": b.xyz(), "extent": b.xyz(1.0, 1.0, 1.0)}
BODIES: Mapping[str, Callable[[int, bool], bytes]] = {
    "Position": lambda actor, wide: b.position([b.pose(actor)], wide),
    "State": lambda actor, wide: b.traffic_light_state([{"id": actor, "frozen": False, "elapsed": 0.0, "state": 0}]),
    "AnimVehicle": lambda actor, wide: b.anim_vehicle([{"id": actor, **CONTROL}]),
    "AnimWalker": lambda actor, wide: b.anim_walker([{"id": actor, "speed": 100.0}]),
    "VehicleLight": lambda actor, wide: b.vehicle_light([{"id": actor, "lights": 1}]),
    "VehicleDoor": lambda actor, wide: b.vehicle_door([{"id": actor, "door": 0, "open": True}]),
    "AnimVehicleWheels": lambda actor, wide: b.vehicle_wheels(
        [{"id": actor, "wheels": [{"location": 0, "steering": 1.0, "rotation": 2.0}]}]
    ),
    "AnimBiker": lambda actor, wide: b.biker([{"id": actor, "forward_speed": 3.0, "engine_rotation": 0.5}]),
    "WalkerBones": lambda actor, wide: b.walker_bones(
        [{"id": actor, "bones": [{"name": "hips", "location": b.xyz(), "rotation": b.turn()}]}], wide
    ),
    "Kinematics": lambda actor, wide: b.kinematics(
        [{"id": actor, "linear_velocity": b.xyz(), "angular_velocity": b.xyz()}], wide
    ),
    "BoundingBox": lambda actor, wide: b.bounding_box([{"id": actor, **BOX}], wide),
    "TriggerVolume": lambda actor, wide: b.trigger_volume([{"id": actor, **BOX}], wide),
    "TrafficLightTime": lambda actor, wide: b.traffic_light_time(
        [{"id": actor, "green": 9.0, "yellow": 3.0, "red": 2.0}]
    ),
}


def names_of(dialect: str) -> list[str]:
    return [sample.name for sample in b.samples(dialect) if sample.name in REPLAYED]


def test_the_table_has_every_packet_about_one_actor_and_every_class() -> None:
    about_one = {
        kind.name
        for dialect in DIALECTS.values()
        for kind in dialect.kinds()
        if kind.keyed == "actor" and kind.lifetime != "event" and kind.name != "PhysicsControl"
    }
    assert set(REPLAYED) == about_one
    assert all(set(row) == {*CLASSES, NOBODY} for row in REPLAYED.values())
    assert set(ACTORS) == set(CLASSES)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_traits_of_packets_are_what_the_replayer_does(dialect: str) -> None:
    for name in names_of(dialect):
        kind = DIALECTS[dialect].by_name(name)
        assert kind is not None
        row = REPLAYED[name]
        if kind.replayed == "applied":
            assert {each for each in CLASSES if not kind.may_name(each)} == {
                each for each in CLASSES if row[each] in ("ignored", "crash") and name != "Position"
            }
        assert (kind.wrong_class == "crash") == ("crash" in row.values())
        assert (kind.replayed == "skipped") == (set(row.values()) == {"skipped"})


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("dialect", "packet"), [(dialect, packet) for dialect in DIALECTS for packet in names_of(dialect)]
)
def test_a_record_of_each_class_of_actor_is_judged_as_it_is_replayed(dialect: str, packet: str) -> None:
    release = b.RELEASES[dialect]
    (number,) = (sample.id for sample in b.samples(dialect) if sample.name == packet)
    actors = [
        {**each, "attributes": [{**own, "type": own["type"] + release.shift} for own in each["attributes"]]}
        for each in ACTORS.values()
    ]
    row = REPLAYED[packet]
    packets = [b.packet(2, b.event_add(actors, release.wide))]
    packets += [b.packet(number, BODIES[packet](IDS[class_], release.wide)) for class_ in row]
    frames = [b.frame(n + 1, 0.1 * n, 0.1, [each]) for n, each in enumerate(packets)]
    frames.append(b.frame(len(frames) + 1, 0.1 * len(frames), -1.0))
    with opened(b.recording(*frames, version=release.version), dialect) as recording:
        found = check(recording.snapshot)
    codes: dict[str, set[str]] = {class_: set() for class_ in row}
    for each in found:
        if each.code in ("replay-blueprint", "replay-uid"):  # the actors are of 0.9.12, and only their class matters
            continue
        assert each.frame_index is not None
        codes[list(row)[each.frame_index - 1]].add(each.code)
        assert each.severity == "error" or each.code == "replay-unknown-actor"
    expected = {class_: SAID[done] for class_, done in row.items()}
    if row[NOBODY] == "ignored":
        expected[NOBODY] = {"replay-unknown-actor"}
    assert codes == expected
