"""Every rule finds what it is made for, in bytes that are wrong in one way; and what it mends is mended by one edit."""

import importlib
import pkgutil
import re
import struct
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from math import inf, nan
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder_editor import Recording, checks
from recorder_editor.checks import RULES, check, fix, fix_all, fixable, repeated_packets, rule
from recorder_editor.checks.rule import Rule, Subject, record_of
from recorder_editor.errors import EditError
from recorder_editor.format.codec import Body
from recorder_editor.reading.actors import Actors
from recorder_editor.recording.findings import Finding, Severity
from recorder_editor.recording.snapshot import Frame
from recorder_editor.texts import say, speaking

from .. import builders as b
from ..extent import examples
from ..recording.films import add, attach, collide, delete, opened

CARS = (1, 2)
LIGHT = b.actor(50, 3, "traffic.traffic_light", b.xyz(0.0, 0.0, 20.0), uid=0)


CONFIGURATION = b.u16(1) + b.string("a=b")
"""The body of a packet of DReyeVR, of which the program has a description."""


def at(*places: tuple[int, float], z: float = 0.0, **turn: float) -> bytes:
    """A Position of actors by id and x."""
    return b.packet(6, b.position([b.pose(actor, b.xyz(x, 0.0, z), b.turn(**turn)) for actor, x in places]))


STANDING = at((1, 0.0), (2, 2000.0))
BORN = add(b.actor(1), b.actor(2, location=b.xyz(2000.0)), LIGHT)


def story(*contents: Sequence[bytes], step: float = 0.1, **header: Any) -> bytes:
    """A sound recording of these frames: cars 1 and 2, a traffic light, each frame `step` seconds, the last one -1."""
    first = [BORN, STANDING] if not contents else contents[0]
    every = [first, *contents[1:]]
    frames = [
        b.frame(number + 1, number * step, -1.0 if number == len(every) - 1 else step, each)
        for number, each in enumerate(every)
    ]
    return b.recording(*frames, **header)


def timed(*times: tuple[int, float, float]) -> bytes:
    """Frames of which each has an id, an elapsed and a duration."""
    packets = [[BORN, STANDING], *[[STANDING]] * (len(times) - 1)]
    return b.recording(
        *(
            b.frame(number, elapsed, duration, each)
            for (number, elapsed, duration), each in zip(times, packets, strict=True)
        )
    )


def control(**values: float) -> bytes:
    record = {"id": 1, "steering": 0.0, "throttle": 0.0, "brake": 0.0, "handbrake": False, "gear": 1, **values}
    return b.packet(8, b.anim_vehicle([record]))


def walks(speed: float) -> bytes:
    return b.packet(9, b.anim_walker([{"id": 3, "speed": speed}]))


def rides(*actors: int) -> bytes:
    """AnimBiker, as it is numbered in releases with doors after it (0.9.15, and 0.9.16 and newer)."""
    return b.packet(22, b.biker([{"id": actor, "forward_speed": 3.0, "engine_rotation": 0.5} for actor in actors]))


def walker(actor: int, x: float = 0.0) -> bytes:
    return add(b.actor(actor, 2, "walker.pedestrian.0001", b.xyz(x, 900.0)), LIGHT)


def camera(x: float) -> b.Record:
    return b.actor(7, 5, "sensor.camera.rgb", b.xyz(x), uid=5)


RIDING = (add(b.actor(1), b.actor(2, location=b.xyz(2000.0)), camera(100.0), LIGHT), attach((7, 1)))
"""A camera at 100 cm on car 1."""

FIRST = [BORN, STANDING]
ROLE = b.actor(1, attributes=[b.attribute(3, "role_name", "hero")])
SOUND = story(FIRST, [STANDING], [STANDING], [STANDING])

EYE = b.actor(24, 0, "spectator", uid=0)
"""A spectator with an id that is not 1."""

CASES: dict[str, bytes] = {
    "no-header": b"no recording at all\n" * 30,
    "header-date": story(FIRST, date=1 << 62),
    "no-frames": b.header(),
    "no-frame-end": SOUND[:-5],
    "odd-frame-start": SOUND + b.packet(0, bytes(20)) + b.frame_end(),
    "stray-packets": b.header() + b.frame(1, 0.0, 0.1, FIRST) + STANDING + b.frame(2, 0.1, -1.0, [STANDING]),
    "junk": b.header() + b.frame(1, 0.0, 0.1, FIRST) + b"\xee" * 400 + b.frame(2, 0.1, -1.0, [STANDING]) + b"",
    "torn-tail": SOUND + b.packet(6, bytes(90))[:40],
    "frame-too-large": story(FIRST, [b.packet(77)] * 16_385, [STANDING]),
    "unread-packets": SOUND + b.packet(77) * 16_385,
    "body-size": story(FIRST, [b.packet(6, b.u16(3) + bytes(5))], [STANDING]),
    "too-many-records": story(FIRST, [b.packet(3, b.u16(4464) + b.u32(9) * 70_000)]),
    "header-version": story([add(ROLE), at((1, 0.0))], [at((1, 0.0))], version=2),
    "description-misfit": story(FIRST, [b.packet(141, b.u16(1) + b"\3\0ab"), STANDING, b.packet(141, CONFIGURATION)]),
    "unknown-packet": story(FIRST, [b.packet(77, b"abc"), STANDING]),
    "replay-map": story(FIRST, [STANDING], map_name="Maps/Town03"),
    "replay-starts-late": timed((1, 5.0, 0.1), (2, 5.1, -1.0)),
    "replay-never-shown": timed((1, 0.0, 0.0), (2, 0.1, 0.1), (3, 0.2, -1.0)),
    "replay-last-duration": timed((1, 0.0, 0.1), (2, 0.1, 0.1)),
    "replay-spectator": story([add(EYE, b.actor(2)), at((24, 5.0), (2, 0.0))], [at((24, 9.0), (2, 0.0))]),
    "replay-id-1": story(FIRST, [STANDING]),
    "replay-two-packets": story(FIRST, [at((1, 0.0)), at((2, 2000.0))], [STANDING]),
    "replay-added-twice": story(FIRST, [add(b.actor(1)), STANDING], [STANDING]),
    "replay-deleted-unknown": story(FIRST, [delete(9), STANDING]),
    "replay-parent-unknown": story(FIRST, [attach((1, 9)), STANDING]),
    "replay-added-and-deleted": story(FIRST, [add(b.actor(7, location=b.xyz(9000.0))), delete(7), STANDING]),
    "replay-moves-unknown": story(FIRST, [at((1, 0.0), (2, 2000.0), (9, 5000.0))], [at((1, 0.0), (9, 5000.0))]),
    "replay-unknown-actor": story(FIRST, [STANDING, walks(100.0)], [STANDING, walks(100.0)]),
    "replay-wrong-class": story([BORN, walker(3), STANDING, rides(2, 3)], [STANDING, rides(3)]),
    "replay-uid-0": story([add(b.actor(1, uid=0), b.actor(2, location=b.xyz(2000.0)), LIGHT), STANDING], [STANDING]),
    "replay-blueprint": story([add(b.actor(1, 1, "vehicle.lincoln.mkz2017"), LIGHT), at((1, 0.0))]),
    "replay-uid": story([add(b.actor(1, 1, uid=45), LIGHT), at((1, 0.0))]),
    "replay-attached-position": story([*RIDING, at((1, 9000.0), (7, 9100.0))], [at((1, 9050.0), (7, 9150.0))]),
    "replay-place-as-offset": story([add(b.actor(1), camera(9100.0), LIGHT), attach((7, 1)), at((1, 9000.0))]),
    "position-hole": story(FIRST, [at((2, 2000.0))], [at((1, 100.0), (2, 2000.0))]),
    "duplicate-record": story(FIRST, [at((1, 0.0), (2, 2000.0), (1, 10.0))]),
    "friction-trigger": story(
        [add(b.actor(1), b.actor(2), b.actor(8, 0, "static.trigger.friction"), LIGHT), STANDING], [STANDING]
    ),
    "stale-pointers": b.recording(
        b.frame(
            1,
            0.0,
            -1.0,
            [
                b.packet(2, b.event_add([b.actor(1), b.actor(2)], wide=True)),
                b.packet(6, b.position([b.pose(1), b.pose(2)], wide=True)),
                b.packet(15, b.physics_control_ue5([b.physics_ue5(1, pointers=b.NO_POINTERS), b.physics_ue5(2)])),
            ],
        )
    ),
    "long-string": story(
        [add(b.actor(1, attributes=[b.attribute(3, "object_type", "x" * 32_768)]), b.actor(2), LIGHT), STANDING]
    ),
    "frame-ids": timed((1, 0.0, 0.1), (7, 0.1, -1.0)),
    "time-goes-back": timed((1, 0.0, 0.1), (2, 0.1, 0.1), (3, 0.05, 0.1), (4, 0.3, -1.0)),
    "duration-differs": timed((1, 0.0, 0.1), (2, 0.5, -1.0)),
    "teleport": story(FIRST, [at((1, 5000.0), (2, 2000.0))]),
    "too-fast": story(FIRST, [at((1, -1100.0), (2, 2000.0))]),
    "below-ground": story(FIRST, [at((1, 0.0), (2, 2000.0))], [at((1, 0.0), (2, 2000.0), z=-500.0)]),
    "not-a-number": story([BORN, STANDING, control(brake=nan)], [at((1, inf), (2, 2000.0)), control()]),
    "control-range": story([BORN, STANDING, control(steering=1.5)], [STANDING, control(throttle=-0.25)]),
    "walker-speed": story([BORN, walker(3), STANDING, walks(1300.0)], [STANDING, walks(100.0)]),
    "overlap": story([BORN, at((1, 0.0), (2, 150.0), yaw=5.0)], [at((1, 0.0), (2, 150.0), yaw=5.0)]),
}

READ_AS = {
    "replay-wrong-class": "ue4-0.9.15",
    "replay-spectator": "ue4-0.9.15",
    "replay-id-1": "ue4-0.9.15",
    "stale-pointers": "ue5-2026",
}
"""The dialect of a case, if its packets are not those of 0.9.12."""

ELSEWHERE = {
    "extension-failed",
    "odd-beginning",
    "odd-frame-end",
    "more-damage",
    "replay-too-large",
    *("off-road", "wrong-way", "on-sidewalk"),
}
"""Rules for what edits and the scan leave, for 2 GiB, and by a road map: their own tests hold them."""


def case(code: str) -> AbstractContextManager[Recording]:
    """The recording that is wrong in this way."""
    return opened(CASES[code], READ_AS.get(code, "ue4-0.9.12"))


def codes(recording: Recording) -> set[str]:
    return {finding.code for finding in check(recording.snapshot)}


def records_of(frame: Frame, name: str) -> list[dict[str, Any]]:
    packet = frame.packet(name)
    assert packet is not None
    return packet.records


def of(recording: Recording, code: str) -> list[Finding]:
    return [finding for finding in check(recording.snapshot) if finding.code == code]


def test_a_sound_recording_has_nothing_to_be_found() -> None:
    with opened(SOUND) as recording:
        assert check(recording.snapshot) == []


def test_every_rule_has_a_case_and_every_case_a_rule() -> None:
    known = [rule.code for rule in RULES]
    assert len(set(known)) == len(known)
    assert set(known) == CASES.keys() | ELSEWHERE


@pytest.mark.parametrize("code", CASES)
def test_what_a_rule_is_made_for_is_found_and_placed(code: str) -> None:
    with case(code) as recording:
        found = of(recording, code)
        assert found
        assert {finding.severity for finding in found} == {rule(code).severity}
        for finding in found:
            assert finding.message[0].isupper() or finding.message[0].islower()
            assert finding.message.endswith(".")
            assert finding.offset is None or 0 <= finding.offset <= recording.snapshot.size


@pytest.mark.parametrize("code", [rule.code for rule in RULES if rule.fix is not None and rule.code in CASES])
def test_a_fix_leaves_nothing_of_its_kind_and_no_new_error(code: str) -> None:
    with case(code) as recording:
        before = recording.snapshot
        every = check(before)
        errors = {finding.code for finding in every if finding.severity == "error"}
        found = [finding for finding in every if finding.code == code]
        assert fixable(before, found) == found
        recording.apply(fix(before, found))
        left = check(recording.snapshot)
        assert code not in {finding.code for finding in left}
        assert {finding.code for finding in left if finding.severity == "error"} <= errors - {code}
        assert recording.history.position == 1
        recording.undo()
        assert recording.snapshot.read(0, before.size) == before.read(0, before.size)


@pytest.mark.parametrize("code", [rule.code for rule in RULES if rule.fix is None and rule.code in CASES])
def test_what_has_no_fix_says_so(code: str) -> None:
    with case(code) as recording:
        found = of(recording, code)
        assert fixable(recording.snapshot, found) == []
        with pytest.raises(EditError):
            fix(recording.snapshot, found)


def test_pointers_of_a_wheel_become_zeros_and_nothing_else_changes() -> None:
    with case("stale-pointers") as recording:
        (found,) = of(recording, "stale-pointers")
        assert found.message == (
            "Frame 1: PhysicsControl of actor 2 holds pointers of the server that recorded it, in 2 wheels."
        )
        recording.apply(fix(recording.snapshot, [found]))
        data = recording.snapshot.read(0, recording.snapshot.size)
    assert data == CASES["stale-pointers"].replace(b.POINTERS, b.NO_POINTERS)


@pytest.mark.parametrize("release", b.RELEASES)
def test_the_version_of_every_release_fits_its_content(release: str) -> None:
    with opened(b.everything(release), None) as recording:
        assert "header-version" not in codes(recording)


def test_a_version_that_carla_never_wrote_is_found_and_mended_where_the_content_shows_one() -> None:
    with opened(story(FIRST, version=7)) as recording:
        (found,) = of(recording, "header-version")
        assert found.message == "The file header says version 7; CARLA writes 1, and 2 since 0.9.16."
        assert not fixable(recording.snapshot, [found])
    with opened(story([add(ROLE), at((1, 0.0))], version=7)) as recording:
        recording.apply(fix(recording.snapshot, of(recording, "header-version")))
        assert recording.header is not None
        assert recording.header.version == 1


def test_every_rule_that_a_module_declares_is_in_the_list() -> None:
    modules = [
        importlib.import_module(each.name) for each in pkgutil.iter_modules(checks.__path__, "recorder_editor.checks.")
    ]
    declared = {each for module in modules for each in vars(module).values() if isinstance(each, Rule)}
    assert declared == set(RULES)
    assert {each.subject for each in RULES} <= {*get_args(Subject)}
    assert {each.severity for each in RULES} <= {*get_args(Severity)}


def test_every_rule_is_told_in_sentences() -> None:
    for each in RULES:
        assert each.title.endswith(".")
        assert each.why.endswith(".")
        assert each.fix is None or (each.fix.title and not each.fix.title.endswith("."))


# --- references -----------------------------------------------------------------------------------------


def test_the_second_of_two_blueprints_under_one_id_gets_an_id_of_its_own() -> None:
    other = add(b.actor(1, blueprint="vehicle.tesla.model3", location=b.xyz(7000.0)))
    data = story(FIRST, [other, at((1, 7000.0), (2, 2000.0))], [at((1, 7000.0), (2, 2000.0)), delete(1)])
    with opened(data) as recording:
        recording.apply(fix(recording.snapshot, of(recording, "replay-added-twice")))
        poses = [record["id"] for record in records_of(recording[1], "Position")]
        assert poses == [51, 2]
        assert not codes(recording) & {"replay-added-twice", "replay-moves-unknown", "replay-deleted-unknown"}


def test_records_of_a_stranger_go_until_it_is_created() -> None:
    told = at((1, 0.0), (2, 2000.0), (9, 4000.0))
    born = add(b.actor(9, location=b.xyz(4000.0)))
    with opened(story(FIRST, [told], [told], [born, told], [told])) as recording:
        recording.apply(fix(recording.snapshot, of(recording, "replay-moves-unknown")))
        assert check(recording.snapshot) == []
        counts = [len(records_of(frame, "Position")) for frame in recording]
        assert counts == [2, 2, 2, 3, 3]


def test_an_actor_that_was_there_before_is_not_taken_for_one_of_one_frame() -> None:
    with opened(story(FIRST, [add(b.actor(1)), delete(1), STANDING])) as recording:
        (found,) = of(recording, "replay-added-and-deleted")
        assert fixable(recording.snapshot, [found]) == []


def riders(recording: Recording) -> list[list[int]]:
    return [[record["id"] for record in records_of(frame, "AnimBiker")] for frame in recording]


def test_records_that_crash_the_simulator_go_and_all_others_stay() -> None:
    data = story([BORN, walker(3), STANDING, walks(100.0), rides(2, 3)], [STANDING, walks(100.0), rides(3, 1)])
    with opened(data, "ue4-0.9.15") as recording:
        (found,) = of(recording, "replay-wrong-class")
        assert found.severity == "error"
        assert found.message == (
            "AnimBiker names walker.pedestrian.0001 3 (walker) in frame 1 and 1 more: the simulator crashes on that."
        )
        assert (found.frame_index, found.size) == (0, 12)
        recording.apply(fix(recording.snapshot, [found]))
        assert riders(recording) == [[2], [1]]
        assert [len(records_of(frame, "AnimWalker")) for frame in recording] == [1, 1]
        assert "replay-wrong-class" not in codes(recording)


def test_an_id_that_several_actors_have_in_turn_is_judged_by_the_one_that_lives() -> None:
    bicycle = add(b.actor(3, 1, "vehicle.bh.crossbike", b.xyz(0.0, 900.0)))
    ride = rides(3)
    # The frame of the EventDel holds records of nobody; in that of the second EventAdd they are the new actor's.
    data = story(
        [BORN, bicycle, STANDING, ride],
        [delete(3), STANDING, ride],
        [walker(3), STANDING, ride],
        [STANDING, ride],
        [delete(3), STANDING],
        [bicycle, STANDING, ride],
        [STANDING, ride],
    )
    with opened(data, "ue4-0.9.15") as recording:
        (found,) = of(recording, "replay-wrong-class")
        assert found.frame_index == 2
        assert found.message.startswith("AnimBiker names walker.pedestrian.0001 3 (walker) in frame 3 and 1 more")
        recording.apply(fix(recording.snapshot, [found]))
        assert "replay-wrong-class" not in codes(recording)
        assert [len(records_of(frame, "AnimBiker")) if frame.packet("AnimBiker") else 0 for frame in recording] == [
            *(1, 1, 0, 0, 0, 1, 1)
        ]


def test_records_of_the_wrong_class_that_the_simulator_ignores_are_no_findings() -> None:
    control_of_a_walker = b.packet(
        8, b.anim_vehicle([{"id": 3, "steering": 0.0, "throttle": 0.0, "brake": 0.0, "handbrake": False, "gear": 1}])
    )
    lights = b.packet(10, b.vehicle_light([{"id": 3, "lights": 1}]))
    pedestrian = add(b.actor(3, 2, "walker.pedestrian.0001", b.xyz(0.0, 900.0), uid=59))
    with opened(story([BORN, pedestrian, STANDING, control_of_a_walker, lights])) as recording:
        assert check(recording.snapshot) == []


def test_a_blueprint_that_nobody_else_has_gives_no_uid() -> None:
    with opened(story([add(b.actor(1, uid=0), LIGHT), at((1, 0.0))], [at((1, 0.0))])) as recording:
        assert fixable(recording.snapshot, of(recording, "replay-uid-0")) == []


@pytest.mark.parametrize(
    ("dialect", "words"),
    [
        ("ue4-0.9.15", "has the id 24 to the recorded view."),
        ("ue4-2026", "has the id 24 to the recorded view."),
        ("ue5-0.10.0", "or its own spectator."),
        ("ue5-2026", "or its own spectator."),
    ],
)
def test_a_spectator_that_moves_others_is_told_for_each_engine(dialect: str, words: str) -> None:
    wide, version = dialect.startswith("ue5"), 2 if dialect == "ue4-2026" else 1
    with opened(seen(EYE, (24, 5.0), (24, 9.0), wide=wide, version=version), dialect) as recording:
        (found,) = of(recording, "replay-spectator")
        assert words in found.message
        assert found.frame_index == 0
        kind, place, actor = record_of(recording.snapshot, found)
        assert (kind.name, place.row, actor) == ("EventAdd", 0, 24)


def seen(eye: b.Record, *places: tuple[int, float], wide: bool = False, version: int = 1) -> bytes:
    """A spectator, and a light that stands still, in frames that each hold the Position of one actor."""
    told = [b.packet(6, b.position([b.pose(actor, b.xyz(x))], wide)) for actor, x in places]
    first = b.packet(2, b.event_add([eye, b.actor(50, 3, "traffic.traffic_light", uid=0)], wide))
    return story([first, told[0]], *([each] for each in told[1:]), version=version)


@pytest.mark.parametrize("dialect", ["ue4-0.9.10", "ue4-0.9.12", "ue4-0.9.14"])
def test_a_spectator_of_an_older_release_may_have_any_id(dialect: str) -> None:
    with opened(seen(EYE, (24, 5.0)), dialect) as recording:
        assert "replay-spectator" not in codes(recording)


def test_a_spectator_with_the_id_1_or_without_positions_moves_nobody() -> None:
    for data in (
        seen({**EYE, "id": 1}, (1, 5.0), (1, 9.0)),
        story([add(EYE, b.actor(2)), at((2, 0.0))], [at((2, 0.0))]),
    ):
        with opened(data, "ue4-0.9.15") as recording:
            assert not codes(recording) & {"replay-spectator", "replay-id-1"}


def test_a_spectator_gets_the_id_1_and_keeps_its_positions() -> None:
    with case("replay-spectator") as recording:
        recording.apply(fix(recording.snapshot, of(recording, "replay-spectator")))
        assert recording.tracks.positions([1])["x"].tolist() == [5.0, 9.0]
        assert [life.actor for life in Actors.of(recording.snapshot)] == [1, 2]
        assert not codes(recording) & {"replay-spectator", "replay-id-1", "replay-moves-unknown"}


@pytest.mark.parametrize("frame", [0, 1])
def test_a_spectator_loses_its_positions_where_the_id_1_is_taken(frame: int) -> None:
    """By an actor of another time, too, and by records without an actor."""
    data = story([add(EYE, b.actor(2)), at((24, 5.0))], [at((24, 6.0), (2, 7.0))])
    taken = story([add(EYE, b.actor(2), b.actor(1)), at((24, 5.0))], [at((24, 6.0), (2, 7.0)), delete(1)])
    loose = story([add(EYE, b.actor(2)), at((24, 5.0))], [at((24, 6.0), (2, 7.0), (1, 8.0))])
    with opened((taken, loose)[frame], "ue4-0.9.15") as recording, opened(data, "ue4-0.9.15") as free:
        recording.apply(fix(recording.snapshot, of(recording, "replay-spectator")))
        assert recording.tracks.positions([24])["x"].tolist() == []
        assert recording.tracks.positions([2])["x"].tolist() == [7.0]
        assert 24 in [life.actor for life in Actors.of(recording.snapshot)]
        assert "replay-spectator" not in codes(recording)
        free.apply(fix(free.snapshot, of(free, "replay-spectator")))
        assert free.tracks.positions([1])["x"].tolist() == [5.0, 6.0]


def test_two_spectators_one_after_the_other_both_get_the_id_1() -> None:
    data = story(
        [add(EYE, b.actor(2)), at((24, 5.0))], [delete(24)], [add({**EYE, "id": 30}), at((30, 7.0))], [at((30, 8.0))]
    )
    with opened(data, "ue4-0.9.15") as recording:
        recording.apply(fix(recording.snapshot, of(recording, "replay-spectator")))
        assert recording.tracks.positions([1])["x"].tolist() == [5.0, 7.0, 8.0]
        assert check(recording.snapshot) == []


def test_of_two_spectators_at_one_time_only_the_first_gets_the_id_1() -> None:
    data = story([add(EYE, {**EYE, "id": 30}, b.actor(2)), at((24, 5.0), (30, 6.0))], [at((24, 7.0), (30, 8.0))])
    with opened(data, "ue4-0.9.15") as recording:
        recording.apply(fix(recording.snapshot, of(recording, "replay-spectator")))
        assert recording.tracks.positions([1])["x"].tolist() == [5.0, 7.0]
        assert recording.tracks.positions([30])["x"].tolist() == []
        assert check(recording.snapshot) == []


def test_an_actor_that_moves_as_1_gets_an_id_that_nobody_has() -> None:
    with case("replay-id-1") as recording:
        (found,) = of(recording, "replay-id-1")
        assert "vehicle.lincoln.mkz_2017 1" in found.message
        recording.apply(fix(recording.snapshot, [found]))
        assert sorted(life.actor for life in Actors.of(recording.snapshot)) == [2, 50, 51]
        assert recording.tracks.positions([51])["x"].tolist() == [0.0, 0.0]
        assert "replay-id-1" not in codes(recording)


def test_who_has_the_id_1_and_no_position_or_an_older_release_is_not_told_of() -> None:
    with opened(story([add(b.actor(1)), at((2, 0.0))]), "ue4-0.9.15") as recording:
        assert "replay-id-1" not in codes(recording)
    with opened(CASES["replay-id-1"], "ue4-0.9.14") as recording:
        assert "replay-id-1" not in codes(recording)


def test_packets_of_one_kind_are_joined_and_the_later_record_of_an_actor_wins() -> None:
    twice = [at((1, 5.0), (2, 2000.0)), control(), at((2, 2050.0), (1, 6.0)), at((1, 7.0))]
    with opened(story(FIRST, twice, [at(), at((1, 9.0))], [STANDING], [STANDING, at()])) as recording:
        (found,) = of(recording, "replay-two-packets")
        assert found.message.startswith("Position stands more than once in frame 2 and 2 more:")
        recording.apply(fix(recording.snapshot, [found]))
        told = [[(each["id"], each["location"]["x"]) for each in records_of(frame, "Position")] for frame in recording]
        still = [(1, 0.0), (2, 2000.0)]
        assert told == [still, [(2, 2050.0), (1, 7.0)], [(1, 9.0)], still, still]
        assert not codes(recording) & {"replay-two-packets", "duplicate-record"}
        assert [packet.name for packet in recording[1].packets] == ["FrameStart", "Position", "AnimVehicle", "FrameEnd"]


def test_only_packets_that_replace_one_another_are_told_of() -> None:
    wheels = b.packet(21, b.vehicle_wheels([{"id": 2, "wheels": [{"location": 0, "steering": 0.0, "rotation": 1.0}]}]))
    for dialect, found in (("ue4-0.9.15", []), ("ue4-2026", []), ("ue5-2026", ["AnimVehicleWheels"])):
        with opened(story([wheels, wheels, control(), control(), delete(), delete()], [wheels]), dialect) as recording:
            assert [each.message.partition(" ")[0] for each in of(recording, "replay-two-packets")] == found


def test_too_many_positions_for_one_packet_stay_in_two() -> None:
    many, others = (
        b.packet(6, b.u16(32_768) + b"".join(b.u32(number) + bytes(24) for number in range(first, first + 32_768)))
        for first in (0, 32_768)
    )
    with opened(story(FIRST, [many, others])) as recording:
        found = list(repeated_packets.find(recording.snapshot))
        assert [finding.code for finding in found] == ["replay-two-packets"]
        with pytest.raises(EditError, match="65,535"):
            fix(recording.snapshot, found)


def test_a_bone_with_too_long_a_name_is_found() -> None:
    for size, number in ((32_767, 0), (32_768, 1)):
        bone = {"name": "b" * size, "location": b.xyz(), "rotation": b.turn()}
        packet = b.packet(19, b.walker_bones([{"id": 1, "bones": [bone]}]))
        with opened(story(FIRST, [STANDING, packet]), "ue4-0.9.14") as recording:
            assert len(of(recording, "long-string")) == number


def test_a_text_that_no_recorder_writes_is_told_but_is_no_problem() -> None:
    with case("long-string") as recording:
        (found,) = of(recording, "long-string")
        assert found.severity == "info"
        assert not any(word in rule("long-string").why for word in ("lost", "negative"))


def test_a_frame_end_with_a_body_is_told_as_what_it_is_and_mended() -> None:
    first, *_, last = (b.frame(number + 1, number * 0.1, 0.1, [BORN, STANDING]) for number in range(3))
    data = b.header() + first[:-5] + b.packet(1, b"body") + b.frame(2, 0.1, 0.1, [STANDING]) + last
    with opened(data) as recording:
        assert {"odd-frame-end", "body-size"} <= codes(recording)
        assert "no-frame-end" not in codes(recording)
        (found,) = of(recording, "odd-frame-end")
        assert "loses its place" in found.message
        fix_all(recording, ("error",))
        assert not codes(recording) & {"odd-frame-end", "body-size", "no-frame-end"}
        assert len(recording) == 3


# --- time -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("elapsed", [nan, inf, -inf])
def test_an_elapsed_that_is_no_number_is_told_once(elapsed: float) -> None:
    with opened(timed((1, 0.0, 0.1), (2, elapsed, 0.1), (3, 0.2, -1.0))) as recording:
        (found,) = of(recording, "time-goes-back")
        assert found.frame_index == 1
        recording.apply(fix(recording.snapshot, [found]))
        assert "time-goes-back" not in codes(recording)


def test_a_run_of_wrong_durations_is_one_finding() -> None:
    with opened(timed(*((n + 1, n * 0.1, 0.3) for n in range(9)), (10, 0.9, -1.0))) as recording:
        (found,) = of(recording, "duration-differs")
        assert "8 frames" in found.message


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.floats(0.001, 0.5), min_size=2, max_size=20))
def test_times_of_a_recorder_are_never_wrong(steps: list[float]) -> None:
    elapsed = [0.0]
    for step in steps:
        elapsed.append(elapsed[-1] + step)
    with opened(
        timed(*((n + 1, elapsed[n], step) for n, step in enumerate(steps)), (len(steps) + 1, elapsed[-1], -1.0))
    ) as recording:
        assert not codes(recording) & {"frame-ids", "time-goes-back", "duration-differs", "replay-never-shown"}


# --- physics --------------------------------------------------------------------------------------------


def test_a_place_that_is_no_number_becomes_the_one_before() -> None:
    data = story([BORN, at((1, 40.0), (2, 2000.0))], [at((1, nan), (2, 2000.0))], [at((1, inf), (2, 2000.0))])
    with opened(data) as recording:
        recording.apply(fix(recording.snapshot, of(recording, "not-a-number")))
        places = [records_of(frame, "Position")[0]["location"]["x"] for frame in recording]
        assert places == [40.0, 40.0, 40.0]


def test_numbers_that_are_none_go_and_all_other_bytes_stay() -> None:
    data = story([BORN, STANDING, control(brake=nan, steering=0.25)], [STANDING, control(brake=0.5)])
    with opened(data) as recording:
        recording.apply(fix(recording.snapshot, of(recording, "not-a-number")))
        made = recording.snapshot.read(0, len(data))
        assert made == data.replace(struct.pack("<f", nan), bytes(4))


def test_a_spectator_may_jump() -> None:
    eye = add(b.actor(5, 0, "spectator", uid=0), LIGHT)
    with opened(story([eye, at((5, 0.0))], [at((5, 90_000.0))])) as recording:
        assert check(recording.snapshot) == []


def test_a_life_carries_on_over_another_of_its_id_as_somebody_else() -> None:
    back = [add(b.actor(1, location=b.xyz(90_000.0))), at((1, 90_000.0))]
    with opened(story([add(b.actor(1), LIGHT), at((1, 0.0))], [delete(1)], back, [at((1, 90_000.0))])) as recording:
        assert check(recording.snapshot) == []


def test_vehicles_that_collided_touched_or_carry_each_other_do_not_overlap() -> None:
    close = at((1, 0.0), (2, 150.0))
    for data in (
        story([BORN, close], [collide((1, 2)), close]),
        story([BORN, attach((2, 1)), close], [close]),
        story([BORN, at((1, 0.0), (2, 400.0))], [at((1, 0.0), (2, 400.0))]),
        story([BORN, at((1, 0.0), (2, 150.0), roll=80.0)]),
    ):
        with opened(data) as recording:
            assert "overlap" not in codes(recording)


def test_vehicles_above_one_another_do_not_overlap() -> None:
    both = b.packet(6, b.position([b.pose(1), b.pose(2, b.xyz(0.0, 0.0, 600.0))]))
    with opened(story([BORN, both], [both])) as recording:
        assert "overlap" not in codes(recording)


def test_a_walker_may_run_but_not_drive() -> None:
    for way, found in ((100.0, False), (140.0, True)):
        places = [b.packet(6, b.position([b.pose(3, b.xyz(n * way, 900.0))])) for n in range(3)]
        with opened(story([walker(3), places[0]], [places[1]], [places[2]])) as recording:
            assert ("too-fast" in codes(recording)) is found


# --- all of it ------------------------------------------------------------------------------------------


def test_everything_that_has_a_fix_is_mended_together() -> None:
    data = story(
        [BORN, STANDING, control(steering=9.0)],
        [delete(9), attach((1, 8)), STANDING],
        [add(b.actor(1)), STANDING],
        [b.packet(6, b.u16(7) + bytes(30))],
        [STANDING],
    )
    with opened(data) as recording:
        assert fix_all(recording, ("error", "warning")) == []


def test_many_strangers_of_a_frame_are_looked_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    spans: list[int] = []

    def span(self: Body, index: int, _span: Callable[[Body, int], tuple[int, int]] = Body.span) -> tuple[int, int]:
        spans.append(index)
        return _span(self, index)

    monkeypatch.setattr(Body, "span", span)
    costs = []
    for number in (10, 20, 40):
        crowd = at((1, 0.0), (2, 2000.0), *((100 + n, 9000.0 + n) for n in range(number)))
        with opened(story(FIRST, [crowd], [STANDING])) as recording:
            found = of(recording, "replay-moves-unknown")
            spans.clear()
            recording.apply(fix(recording.snapshot, found))
            costs.append(len(spans))
            assert check(recording.snapshot) == []
    assert costs[2] - costs[1] == 2 * (costs[1] - costs[0])


def test_a_fix_for_what_is_gone_is_refused() -> None:
    with opened(CASES["replay-deleted-unknown"]) as recording:
        found = of(recording, "replay-deleted-unknown")
        recording.apply(fix(recording.snapshot, found))
        with pytest.raises(EditError):
            fix(recording.snapshot, [Finding("replay-deleted-unknown", "warning", "x.", 1 << 40)])


def test_rows_alone_are_checked_for_what_they_tell_of_themselves() -> None:
    wrong = b.packet(6, b.u16(3) + bytes(5))
    with opened(story(FIRST, [wrong], [delete(9), STANDING], [wrong])) as recording:
        found = check(recording.snapshot, rows=range(1, 3))
        assert [(finding.code, finding.row) for finding in found] == [("body-size", 1)]


# --- holes and repetitions ------------------------------------------------------------------------------


def test_a_hole_is_filled_with_what_lies_in_between() -> None:
    both, other = at((1, 0.0), (2, 2000.0), yaw=170.0), at((2, 2000.0))
    third = at((1, 300.0), (2, 2000.0), yaw=-160.0)
    # The fourth frame tells nobody's position: nobody is missing there.
    data = story([BORN, both], [other], [other], [third], [], [third], [other])
    with opened(data) as recording:
        (hole,) = of(recording, "position-hole")
        assert hole.message == "vehicle.lincoln.mkz_2017 1 has no position in frame 2 and 1 more, but before and after."
        assert hole.frame_index == 0
        recording.apply(fix(recording.snapshot, [hole]))
        assert not of(recording, "position-hole")
        told = recording.tracks.positions([1])
        assert told["frame"].tolist() == [0, 1, 2, 3, 5]
        assert told["x"].tolist() == pytest.approx([0.0, 100.0, 200.0, 300.0, 300.0])
        assert told["yaw"].tolist() == pytest.approx([170.0, 180.0, -170.0, -160.0, -160.0])
        recording.undo()
        assert of(recording, "position-hole")


def test_several_holes_are_one_finding_for_each_actor() -> None:
    one, two = at((1, 0.0), (2, 2000.0)), at((2, 2000.0))
    with opened(story([BORN, one], [two], [one], [two], [one], [two])) as recording:
        (hole,) = of(recording, "position-hole")
        assert hole.message.endswith("It is missing 2 times.")


def test_a_repetition_is_found_in_every_frame_and_the_last_record_stays() -> None:
    twice = at((1, 5.0), (2, 2000.0), (1, 10.0))
    with opened(story([BORN, STANDING], [twice], [twice], [STANDING])) as recording:
        found = of(recording, "duplicate-record")
        assert [(finding.frame_index, finding.message) for finding in found] == [
            (1, "Position holds actor 1 twice in frame 2 and 1 more.")
        ]
        recording.apply(fix(recording.snapshot, found))
        assert recording.tracks.positions([1])["x"].tolist() == [0.0, 10.0, 10.0, 0.0]
        assert not of(recording, "duplicate-record")


def test_a_rule_is_said_in_the_language_that_is_set() -> None:
    with speaking("zh_CN"):
        for each in RULES:
            said = rule(each.code)
            for text in (said.shown_title(), said.shown_why(), say(said.fix.title) if said.fix else "中"):
                assert re.search("[㐀-鿿]", text), each.code
                assert "{" not in text
    assert all(rule(each.code) is each for each in RULES)


# --- attached actors ----------------------------------------------------------------------------------------


def born_x(recording: Recording, actor: int) -> list[float]:
    """The x of the EventAdds of an actor."""
    return [
        record["location"]["x"]
        for frame in recording
        for packet in frame.packets
        if packet.name == "EventAdd"
        for record in packet.decoded.records()
        if record["id"] == actor
    ]


def test_a_place_in_the_world_is_told_with_its_distance_and_becomes_an_offset() -> None:
    with opened(CASES["replay-place-as-offset"]) as recording:
        (found,) = of(recording, "replay-place-as-offset")
        assert found.message.startswith("Frame 1 attaches actor 7 to actor 1, but the EventAdd of 7 holds a place")
        assert "shows 7 90.0 m away" in found.message
        assert recording.actors.world_at(0).state_of(7).transform.x == 9100.0  # type: ignore[union-attr]
        recording.apply(fix(recording.snapshot, [found]))
        assert born_x(recording, 7) == [100.0]
        assert recording.actors.world_at(0).state_of(7).transform.x == 9100.0  # type: ignore[union-attr]


def test_a_place_in_the_world_is_told_of_who_is_attached_later_among_offsets() -> None:
    late = b.actor(8, 5, "sensor.camera.depth", b.xyz(9060.0), uid=6)
    offset = b.actor(9, 5, "sensor.camera.depth", b.xyz(60.0), uid=6)
    first = [*RIDING, add(late, offset), at((1, 9000.0), (2, 2000.0))]
    then = [attach((8, 1), (9, 1)), at((1, 9010.0), (2, 2000.0))]
    with opened(story(first, then, [at((1, 9020.0), (2, 2000.0))])) as recording:
        (found,) = of(recording, "replay-place-as-offset")
        assert (found.frame_index, found.offset is None) == (1, False)
        assert "attaches actor 8 to actor 1" in found.message
        recording.apply(fix(recording.snapshot, [found]))
        assert (born_x(recording, 7), born_x(recording, 8), born_x(recording, 9)) == ([100.0], [50.0], [60.0])
        assert of(recording, "replay-place-as-offset") == []


def test_offsets_that_would_be_read_as_places_are_not_written() -> None:
    # As far from its parent as that is from the middle of the map, and farther.
    first = [add(b.actor(1), camera(9000.0), LIGHT), attach((7, 1)), at((1, 4000.0))]
    with opened(story(first, [at((1, 4000.0))])) as recording:
        (found,) = of(recording, "replay-place-as-offset")
        with pytest.raises(EditError, match="would still be read as places"):
            fix(recording.snapshot, [found])


def test_positions_are_told_of_an_attached_actor_and_deleted_while_it_is_attached() -> None:
    both = at((1, 9050.0), (7, 9150.0))
    data = story([*RIDING, at((1, 9000.0), (7, 9100.0))], [both], [add(), delete(1), at((7, 9150.0))])
    with opened(data) as recording:
        (found,) = of(recording, "replay-attached-position")
        assert found.frame_index == 0
        assert "sensor.camera.rgb 7 is attached to actor 1, but has a Position in frame 1 and 1 more" in found.message
        recording.apply(fix(recording.snapshot, [found]))
        assert [[each["id"] for each in records_of(frame, "Position")] for frame in recording] == [[1], [1], [7]]
        assert recording.actors.world_at(1).state_of(7).transform.x == 9150.0  # type: ignore[union-attr]
    with opened(data, "ue4-0.9.10") as recording:
        assert of(recording, "replay-attached-position") == []


def test_positions_of_who_is_attached_later_are_not_deleted() -> None:
    cars = [add(b.actor(1), b.actor(2, location=b.xyz(9100.0)), LIGHT), at((1, 9000.0), (2, 9100.0))]
    with opened(story(cars, [attach((2, 1)), at((1, 9000.0), (2, 9100.0))])) as recording:
        (found,) = of(recording, "replay-attached-position")
        assert found.frame_index == 1
        assert fixable(recording.snapshot, [found]) == []
