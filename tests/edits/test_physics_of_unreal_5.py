"""Physics of Unreal 5 belong to actors, as those of Unreal 4: edits carry, renumber, copy and remove their records."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder_editor import Recording
from recorder_editor.api import open_recording
from recorder_editor.cli import main
from recorder_editor.edits.convert import convert
from recorder_editor.formats.dump import build_bytes, dump_lines
from recorder_editor.recording.snapshot import Snapshot
from recorder_editor.reports.diff.packets import compare_frames

from .. import builders as b
from ..recording.films import opened
from .conftest import saved

UNREAL_5 = ("ue5-0.10.0", "ue5-2026")
FIXED = 111
"""Bytes of a record before its first list."""
VEHICLES = [25, 26, 27, 28, 29, 30]


def records_of(body: bytes) -> list[bytes]:
    """The records of a body, told apart by the sizes of the elements of its five lists."""
    records = []
    at = 2
    for _ in range(struct.unpack_from("<H", body)[0]):
        start = at
        at += FIXED
        for size in (8, 4, 4, 8, 208):
            at += 4 + size * struct.unpack_from("<I", body, at)[0]
        records.append(body[start:at])
    assert at == len(body)
    return records


def physics_in(recording: Recording | Snapshot) -> list[tuple[int, int, bytes]]:
    """Frame, actor and the bytes behind the id of every record."""
    packets = [
        (frame.index, packet) for frame in recording for packet in frame.packets if packet.name == "PhysicsControl"
    ]
    return [
        (index, int.from_bytes(record[:4], "little"), record[4:])
        for index, packet in packets
        for record in records_of(packet.body)
    ]


def physics_of(path: Path) -> dict[int, bytes]:
    """The bytes behind the id of the last record of each actor."""
    with open_recording(path) as recording:
        return {actor: record for _, actor, record in physics_in(recording)}


@pytest.fixture(scope="module", params=UNREAL_5)
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of which everything is recorded: its six vehicles have physics in the first frame."""
    path = tmp_path_factory.mktemp("physics") / "d.log"
    sizes = ["--seconds", "2", "--vehicles", "6", "--walkers", "4"]
    assert main(["demo", str(path), "--write-as", request.param, *sizes]) == 0
    assert list(physics_of(path)) == VEHICLES
    return path


@pytest.fixture
def recording(demo: Path) -> Iterator[Recording]:
    with open_recording(demo) as found:
        yield found


# --- actors -----------------------------------------------------------------------------------------------


ALL_OF_THEM = {actor: actor for actor in VEHICLES}
CHANGES = {
    "--set-id 26=777": {25: 25, 777: 26, 27: 27, 28: 28, 29: 29, 30: 30},
    "--remove-actor 26": {25: 25, 27: 27, 28: 28, 29: 29, 30: 30},
    "--only-actor 25": {25: 25},
    "--duplicate 25=0,4,0 --as 888": ALL_OF_THEM | {888: 25},
    "--paste {demo}:27=0,4,0 --as 888": ALL_OF_THEM | {888: 27},
    "--fixed-step 0.1": ALL_OF_THEM,
    "--retime 2": ALL_OF_THEM,
}
"""Options of `edit`, and whose records the actors have after it."""


@pytest.mark.sampled
@pytest.mark.parametrize("options", CHANGES)
def test_edits_change_the_records_of_their_actors(demo: Path, tmp_path: Path, options: str) -> None:
    out = tmp_path / "out.log"
    assert main(["edit", str(demo), str(out), *(each.format(demo=demo) for each in options.split())]) == 0
    before = physics_of(demo)
    assert physics_of(out) == {actor: before[like] for actor, like in CHANGES[options].items()}


def test_a_copy_that_follows_another_actor_has_its_physics(demo: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.log"
    with open_recording(demo) as recording:
        (life,) = recording.actors.of_id(25)
    actor = f'{{"blueprint": "{life.blueprint}", "copy": "25", "offset": [0, 4, 0], "new_id": 888}}'
    assert main(["edit", str(demo), str(out), "--add-actor", actor]) == 0
    before = physics_of(demo)
    like = {each: before[each] for each in VEHICLES}
    made = physics_of(out)
    assert {each: record for each, record in made.items() if each != 888} == like
    assert made[888] in before.values()


# --- frames -----------------------------------------------------------------------------------------------


def test_a_part_begins_with_the_physics_of_everybody(demo: Path, tmp_path: Path) -> None:
    with open_recording(demo) as recording:
        before = physics_in(recording)
    (tmp_path / "list.csv").write_text("#20,#35,one\n")
    words = {
        "trim": [str(tmp_path / "trim.log"), "--from", "#20", "--to", "#35"],
        "segments": [str(tmp_path), "--segments", str(tmp_path / "list.csv"), "--names", "segment"],
    }
    for verb, (out, *options) in words.items():
        assert main([verb, str(demo), out, *options]) == 0
        with open_recording(tmp_path / f"{verb.rstrip('s')}.log") as part:
            assert physics_in(part) == before


def test_the_frame_behind_a_cut_has_them_if_they_were_in_the_gap(demo: Path, tmp_path: Path) -> None:
    for number, (first, last) in enumerate((("#1", "#20"), ("#20", "#40"))):
        out = tmp_path / f"{number}.log"
        assert main(["cut", str(demo), str(out), "--from", first, "--to", last]) == 0
        assert physics_of(out) == physics_of(demo)


def test_joined_recordings_have_those_of_both_under_the_ids_of_their_actors(demo: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.log"
    assert main(["join", str(demo), str(demo), str(out)]) == 0
    before = physics_of(demo)
    with open_recording(out) as joined:
        found = physics_in(joined)
        vehicles = [life.actor for life in joined.actors if life.class_ in ("vehicle", "two-wheeler")]
    assert [actor for _, actor, _ in found] == vehicles
    assert len(set(vehicles)) == 12
    assert [record for *_, record in found] == [*before.values()] * 2


# --- text, conversion and damage --------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", UNREAL_5)
def test_the_text_of_a_recording_with_them_is_built_into_the_same_bytes(dialect: str) -> None:
    data = b.everything(dialect)
    with opened(data, dialect) as recording:
        lines = list(dump_lines(recording.snapshot))
    (line,) = (each for each in lines if '"PhysicsControl"' in each)
    assert '"lateral_slip_graph": {"hex": "' in line
    assert '"records"' in line
    assert b"".join(build_bytes(lines)) == data


@pytest.mark.parametrize("dialect", UNREAL_5)
def test_conversion_keeps_them_in_unreal_5_and_tells_of_them_for_unreal_4(dialect: str) -> None:
    other = next(name for name in UNREAL_5 if name != dialect)
    data = b.everything(dialect)
    with opened(data, dialect) as recording:
        before = physics_in(recording)
        conversion = convert(recording, other)
        assert not [loss for loss in conversion.losses if loss.name == "PhysicsControl"]
        assert physics_in(recording.snapshot.after(conversion.edit)) == before
    with opened(data, dialect) as recording:
        conversion = convert(recording, "ue4-2026")
        (loss,) = (loss for loss in conversion.losses if loss.name == "PhysicsControl")
        assert (loss.kind, loss.count) == ("engine", 3)
        assert physics_in(recording.snapshot.after(conversion.edit)) == []
    with opened(b.everything("ue4-2026"), "ue4-2026") as recording:
        conversion = convert(recording, dialect)
        (loss,) = (loss for loss in conversion.losses if loss.name == "PhysicsControl")
        assert (loss.kind, loss.count) == ("engine", 2)


def test_a_difference_in_a_wheel_is_told_by_its_field() -> None:
    records = [b.physics_ue5(7, pointers=pointers) for pointers in (b.NO_POINTERS, b.POINTERS)]
    born = b.packet(2, b.event_add([b.actor(7)], wide=True))
    one, other = (
        b.recording(b.frame(1, packets=[born, b.packet(15, b.physics_control_ue5([record]))])) for record in records
    )
    with opened(one, "ue5-2026") as first, opened(other, "ue5-2026") as second:
        found = list(compare_frames(first[0], second[0]))
    told = [(each.packet, each.id, each.path, each.value_b) for each in found]
    assert told == [("PhysicsControl", 7, f"wheels[{n}].lateral_slip_graph", b.POINTERS) for n in range(2)]


def bodies_that_do_not_fit() -> Iterator[bytes]:
    """Physics that end anywhere, go on behind their end, or speak of more than there is."""
    whole = b.physics_control_ue5([b.physics_ue5(7, wheels=1), b.bare_physics_ue5()])
    yield from (whole[:size] for size in range(1, len(whole)))
    yield whole + b"\x00"
    yield b.u16(3) + whole[2:]
    for at in range(111, 131, 4):
        yield b.physics_control_ue5([b.bare_physics_ue5()])[: 2 + at] + b.u32(0xFFFFFFFF) + bytes(8)


def test_a_body_that_does_not_fit_the_layout_is_told_and_kept() -> None:
    bodies = list(bodies_that_do_not_fit())
    frames = (b.frame(number, 0.5 * number, 0.5, [b.packet(15, body)]) for number, body in enumerate(bodies, 1))
    data = b.recording(*frames)
    with opened(data, "ue5-2026") as recording:
        for frame, body in zip(recording, bodies, strict=True):
            packet = frame.packet("PhysicsControl")
            assert packet is not None
            assert packet.body == body
            assert packet.decoded.damage is not None
        assert saved(recording) == data
