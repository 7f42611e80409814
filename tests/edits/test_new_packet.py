"""A packet type that is entered in the table and in a dialect is carried by everything: nothing else knows its name."""

import struct
from collections.abc import Iterator
from dataclasses import replace

import pytest

from recorder_editor import Recording, edits
from recorder_editor.checks.replay import find
from recorder_editor.edits import duplicate_actor, paste_actor, remove_actors, set_actor_id, swap_actors, trim_life
from recorder_editor.edits.convert import convert
from recorder_editor.edits.resample import resample
from recorder_editor.edits.trim import part_of
from recorder_editor.errors import EditError
from recorder_editor.format.codec import decode, encode
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.formats.dump import build_bytes, dump_lines
from recorder_editor.reading import Actors
from recorder_editor.recording.snapshot import Snapshot
from recorder_editor.reports.info import info_report

from .. import builders as b
from ..recording.films import add, film, opened
from ..replay import Replayer
from ..replaying import assert_replays_same
from . import cargo as cargo_packet
from .cargo import (
    CAR,
    CARGO,
    DIALECT,
    NUMBER,
    OLDER,
    TRUCK,
    USERS_CARGO,
    USERS_DIALECT,
    USERS_NUMBER,
    bytes_of,
    cargo,
    story,
)
from .conftest import saved


@pytest.fixture(autouse=True, params=["of a release", "of a user"])
def packet(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The packet is in the table of a release; or it is described by a file of a user, and has another id."""
    if request.param == "of a user":
        monkeypatch.setattr(cargo_packet, "NUMBER", USERS_NUMBER)
        for name, value in (("NUMBER", USERS_NUMBER), ("DIALECT", USERS_DIALECT), ("CARGO", USERS_CARGO)):
            monkeypatch.setitem(globals(), name, value)


@pytest.fixture
def recording() -> Iterator[Recording]:
    with opened(story(), DIALECT) as found:
        yield found


def loads(snapshot: Snapshot) -> list[dict[int, float]]:
    """Frame by frame, who carries how much, as the replay model leaves it; it passes over packets of users."""
    if CARGO.replayed == "skipped":
        return [_held(snapshot, index) for index in range(len(snapshot))]
    return [
        {
            actor: struct.unpack_from("<f", shown.records[CARGO.name])[0]
            for actor, shown in scene.actors.items()
            if CARGO.name in shown.records
        }
        for scene in Replayer(snapshot).frames()
    ]


def _held(snapshot: Snapshot, frame: int) -> dict[int, float]:
    """Who carries how much, by the last record of each."""
    held = {}
    for actor in Actors.of(snapshot).world_at(frame).actors:
        for record in actor.records(CARGO.name):
            held[actor.life.actor] = struct.unpack_from("<f", record, 4)[0]
    return held


ALL = [{}, {7: 10.0}, {7: 10.0, 8: 20.0}, {7: 10.0, 8: 20.0}, {7: 30.0, 8: 20.0}, {7: 30.0}, {7: 30.0}, {7: 30.0}]


def tells(recording: Recording | Snapshot, frame: int) -> list[dict[str, object]]:
    """The records of the packet in a frame, without what it is bound for."""
    packet = recording.snapshot.frame(frame).packet(CARGO.name)
    records = packet.decoded.records() if packet is not None else []
    return [{name: record[name] for name in ("id", "mass")} for record in records]


# --- bytes and text ---------------------------------------------------------------------------------------


def test_its_bytes_are_decoded_and_encoded() -> None:
    kind = DIALECT.packet(NUMBER)
    body = b.u16(1) + bytes_of(CAR, 10.0)
    decoded = decode(kind, body)
    assert decoded.damage is None
    assert decoded.records() == [{"id": 7, "mass": 10.0, "bound": {"x": 500.0, "y": 0.0, "z": 0.0}, "sealed": True}]
    assert encode(kind, decoded.records()) == body


def test_the_text_of_a_recording_with_it_is_built_into_the_same_bytes(recording: Recording) -> None:
    lines = list(dump_lines(recording.snapshot))
    assert '"packet": "Cargo"' in "".join(lines)
    assert '"hex"' not in "".join(lines)
    assert b"".join(build_bytes(lines, {**DIALECTS, DIALECT.name: DIALECT})) == story()


def test_the_text_report_tells_of_it(recording: Recording) -> None:
    text = b"".join(info_report(recording.snapshot, show_all=True, utc=True)).decode()
    if not CARGO.reported:  # no server tells of packets that it does not know
        assert "Cargo" not in text
        return
    assert " Cargo: 1\n  id: 8 mass: 20 bound.x: 500 bound.y: 0 bound.z: 0 sealed: 1\n" in text
    assert text.count(" Cargo:") == 3


# --- states -----------------------------------------------------------------------------------------------------


def test_the_world_at_a_frame_holds_the_last_record_of_each_actor(recording: Recording) -> None:
    worlds = [recording.actors.world_at(index) for index in range(len(recording))]
    held = [
        {each.life.actor: each.records(CARGO.name) for each in world.actors if each.records(CARGO.name)}
        for world in worlds
    ]
    assert held == [{actor: (bytes_of(actor, mass),) for actor, mass in frame.items()} for frame in ALL]


def test_the_replay_model_applies_it_to_actors_and_says_who_is_missing(recording: Recording) -> None:
    assert loads(recording.snapshot) == ALL
    with opened(film([add(b.actor(CAR)), cargo((CAR, 1.0), (TRUCK, 2.0))]), DIALECT) as strange:
        told = [each.code for each in find(strange.snapshot) if "Cargo" in each.message]
        assert told == ["replay-unknown-actor"] * (CARGO.replayed == "applied")


# --- frames -----------------------------------------------------------------------------------------------------


def test_a_trimmed_recording_begins_with_what_everybody_carries(recording: Recording) -> None:
    after = recording.snapshot.after(edits.trim(recording, range(3, 8)))
    assert tells(after, 0) == [{"id": 7, "mass": 10.0}, {"id": 8, "mass": 20.0}]
    names = [packet.name for packet in after.frame(0).packets]
    assert names.index(CARGO.name) > names.index("Position")
    assert_replays_same(recording.snapshot, 3, 8, after)


def test_the_frame_behind_a_cut_tells_what_changed_in_the_gap(recording: Recording) -> None:
    after = recording.snapshot.after(edits.cut(recording, range(2, 6)))
    assert tells(after, 2) == [{"id": 7, "mass": 30.0}]
    assert_replays_same(recording.snapshot, 6, 8, after, result_first=2)


def test_parts_of_a_split_recording_tell_it_and_joined_again_it_is_as_it_was(recording: Recording) -> None:
    first, second = (part_of(recording, frames) for frames in (range(4), range(4, 8)))
    assert tells(second, 0) == [{"id": 8, "mass": 20.0}, {"id": 7, "mass": 30.0}]
    joined = first.after(edits.join(first, [second], match_actors=True))
    assert loads(joined) == ALL
    assert tells(joined, 4) == [{"id": 7, "mass": 30.0}]


def test_what_follows_tells_it_of_actors_with_ids_of_their_own(recording: Recording) -> None:
    with opened(story(), DIALECT) as other:
        joined = recording.snapshot.after(edits.join(recording, [other]))
    assert loads(joined)[10:12] == [{9: 10.0, 10: 20.0}] * 2
    assert tells(joined, 10) == [{"id": 10, "mass": 20.0}]


def test_frames_of_another_step_tell_it_when_it_comes_first(recording: Recording) -> None:
    after = recording.snapshot.after(resample(recording, 0.1))
    assert [tells(after, index) for index in range(4)] == [
        [],
        [{"id": 7, "mass": 10.0}, {"id": 8, "mass": 20.0}],
        [{"id": 7, "mass": 30.0}],
        [],
    ]


# --- actors -----------------------------------------------------------------------------------------------------


def test_a_copy_carries_the_same_to_where_it_is_moved(recording: Recording) -> None:
    (car,) = recording.actors.of_id(CAR)
    recording.apply(duplicate_actor(recording, car, offset=(1.0, 2.0, 3.0), turn=90.0, new_id=20))
    assert loads(recording.snapshot) == [{**frame, **({20: frame[CAR]} if CAR in frame else {})} for frame in ALL]
    packet = recording.snapshot.frame(1).packet(CARGO.name)
    assert packet is not None
    bound = packet.decoded.record(1)["bound"]
    assert [round(value) for value in bound.values()] == [100, 700, 300]


def test_a_copy_that_begins_later_begins_with_it(recording: Recording) -> None:
    (car,) = recording.actors.of_id(CAR)
    recording.apply(duplicate_actor(recording, car, seconds=-0.15, new_id=20))
    assert tells(recording, 0) == [{"id": 20, "mass": 10.0}]
    assert loads(recording.snapshot)[1][20] == 30.0


def test_an_actor_of_another_recording_brings_it_along(recording: Recording) -> None:
    with opened(story(), DIALECT) as other:
        (truck,) = other.actors.of_id(TRUCK)
        recording.apply(paste_actor(recording, other.snapshot, truck, new_id=20))
    assert [frame.get(20) for frame in loads(recording.snapshot)] == [None, None, 20.0, 20.0, 20.0, None, None, None]


def test_a_life_that_begins_later_begins_with_it(recording: Recording) -> None:
    (car,) = recording.actors.of_id(CAR)
    recording.apply(trim_life(recording, car, range(3, 8)))
    assert tells(recording, 1) == []
    assert tells(recording, 3) == [{"id": 7, "mass": 10.0}]


def test_a_removed_actor_is_not_told_of_and_a_packet_without_records_goes(recording: Recording) -> None:
    recording.apply(remove_actors(recording, recording.actors.of_id(TRUCK)))
    assert loads(recording.snapshot) == [{CAR: frame[CAR]} if CAR in frame else {} for frame in ALL]
    assert recording.snapshot.frame(2).packet(CARGO.name) is None
    recording.undo()
    assert saved(recording) == story()


def test_another_id_is_another_id_here_too_and_who_changes_places_leaves_it(recording: Recording) -> None:
    recording.apply(set_actor_id(recording, recording.actors.of_id(CAR)[0], 30))
    assert loads(recording.snapshot)[4] == {30: 30.0, TRUCK: 20.0}
    recording.undo()
    recording.apply(swap_actors(recording, recording.actors.of_id(CAR)[0], recording.actors.of_id(TRUCK)[0]))
    assert loads(recording.snapshot)[4] == {TRUCK: 30.0, CAR: 20.0}


def test_who_becomes_an_actor_that_it_must_not_name_is_told_of_no_more() -> None:
    kind = replace(DIALECT.packet(NUMBER), actors=("vehicle", "two-wheeler"), wrong_class="crash")
    dialect = replace(DIALECT, packets={**DIALECT.packets, NUMBER: kind})
    with opened(story(), dialect) as recording:
        (car,) = recording.actors.of_id(CAR)
        made = edits.set_blueprint(recording, [car], "walker.pedestrian.0001", 30)
        assert made.label == "Change 7 to walker.pedestrian.0001, without 2 records that it cannot have: Cargo"
        assert loads(recording.snapshot.after(made))[4] == {TRUCK: 20.0}
        with pytest.raises(EditError, match="Cargo in frame 2 would name"):
            edits.replace_where(recording, 'EventAdd where id == 7: blueprint = "static.prop.box"')


# --- other releases ---------------------------------------------------------------------------------------------


def test_a_release_that_has_none_is_said_to_lose_it(recording: Recording) -> None:
    made = convert(recording, OLDER.name)
    if NUMBER == USERS_NUMBER:  # every release has room for it
        assert not made.losses
        assert loads(recording.snapshot.after(made.edit)) == ALL
        return
    assert [(loss.name, loss.count, loss.frame_index, loss.is_lossy) for loss in made.losses] == [("Cargo", 3, 1, True)]
    assert made.losses[0].message == "3 records of Cargo are left out: ue4-2026 has none."
    assert all(packet.id != NUMBER for frame in recording.snapshot.after(made.edit) for packet in frame.packets)


def test_a_release_that_has_it_under_another_id_keeps_it(recording: Recording) -> None:
    renumbered = {30 if number == NUMBER else number: kind for number, kind in DIALECT.packets.items()}
    kind = replace(DIALECT.packet(NUMBER), id=30)
    target = replace(DIALECT, name="ue4-cargo-30", packets={**renumbered, 30: kind})
    made = convert(recording, target)
    assert not made.losses
    after = recording.snapshot.after(made.edit)
    assert loads(after) == ALL
    assert {packet.id for frame in after for packet in frame.packets if packet.name == CARGO.name} == {30}
