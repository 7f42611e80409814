"""`repair` as people use it: what it prints, what it writes, what it returns."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.repair import STEPS, propose
from tests import builders as b
from tests.recording.films import OPENDRIVE, of_real
from tests.repair.made import town
from tests.repair.plain import frames_of, header_size

TOWN = town(frames=20, cars=3, seed=5)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "in.log", tmp_path / "out.log"


def repaired(files: tuple[Path, Path], data: bytes, *options: str) -> int:
    files[0].write_bytes(data)
    return main(["repair", "-f", str(files[0]), str(files[1]), *options])


def test_the_table_of_the_steps_has_a_title_for_each_and_words_for_the_window() -> None:
    for step in STEPS.values():
        texts = [step.title, step.short, step.many, *(step.counted or ())]
        assert step.title
        assert sum(map(bool, (step.short, step.counted, step.many))) <= 1
        assert all(text.strip(" .") == text for text in texts)


def test_a_sound_recording_is_copied(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert repaired(files, TOWN) == 0
    assert files[1].read_bytes() == TOWN
    assert "nothing to repair" in capsys.readouterr().out


MANY_PACKETS = b.packet(77) * 17_000


@pytest.fixture(scope="module")
def large_frame() -> bytes:
    """A sound recording whose tenth frame holds more packets than are looked into."""
    end = frames_of(TOWN)[10].start - 5
    return TOWN[:end] + MANY_PACKETS + TOWN[end:]


def test_a_whole_frame_that_is_too_large_to_be_looked_into_stays(files: tuple[Path, Path], large_frame: bytes) -> None:
    assert repaired(files, large_frame) == 0
    assert files[1].read_bytes() == large_frame
    assert main(["check", "-f", "--fix", str(files[1]), str(files[0])]) == 0
    assert files[1].read_bytes() == large_frame
    assert main(["trim", str(files[0]), str(files[1]), "--from", "#3", "--to", "#15", "-f"]) == 0
    assert MANY_PACKETS in files[1].read_bytes()


def test_a_frame_that_is_too_large_stays_beside_one_that_is_torn(files: tuple[Path, Path], large_frame: bytes) -> None:
    last = len(large_frame) - len(TOWN) + frames_of(TOWN)[-1].start
    assert repaired(files, large_frame[:-30]) == 3
    assert files[1].read_bytes()[:last] == large_frame[:last]
    starts = [frame.start for frame in frames_of(TOWN)]
    for end in (starts[9] - 5, starts[11] - 5 + len(MANY_PACKETS)):
        assert repaired(files, large_frame[:end] + large_frame[end + 5 :]) == 0
        assert files[1].read_bytes() == large_frame


@of_real(OPENDRIVE)
def test_every_sound_recording_is_copied(sound_recording: Path, tmp_path: Path) -> None:
    assert main(["repair", str(sound_recording), str(tmp_path / "out.log")]) == 0
    assert (tmp_path / "out.log").read_bytes() == sound_recording.read_bytes()


def test_what_was_repaired_is_not_repaired_again(files: tuple[Path, Path]) -> None:
    """Where a duration is put right, the frame behind follows in time, and its number has to, too."""
    starts = ((1, 0.0, 0.05), (2, 0.05, 9.0), (5, 0.1, -1.0))
    assert repaired(files, b.recording(*(b.frame(*start) for start in starts))) == 0
    once = files[1].read_bytes()
    assert repaired(files, once) == 0
    assert files[1].read_bytes() == once


def test_a_torn_recording_is_ended_and_the_loss_told(
    files: tuple[Path, Path], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    last = frames_of(TOWN)[-1]
    position = next(packet for packet in last.packets if packet.id == 6)
    torn = TOWN[: last.start + position.at + 5 + 2 + 28 + 10]
    assert repaired(files, torn, "--json") == 3
    told: dict[str, Any] = json.loads(capsysbinary.readouterr().out)
    assert not told["lossless"]
    assert told["lost"]["by_type"] == {"Position": {"packets": 0, "records": 2}}
    assert told["lost"]["bytes"] == 10
    assert told["kept"]["frames"] == 20
    assert [finding["code"] for finding in told["findings"]] == ["torn-tail"]
    assert told["remaining"] == []
    out = files[1].read_bytes()
    ended = frames_of(out)[-1]
    assert ended.packets[-1].body == struct.pack("<H", 1) + position.body[2:30]
    assert ended.duration == -1


def test_a_dry_run_writes_nothing(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert repaired(files, TOWN[:-3], "--dry-run") == 0
    assert not files[1].exists()
    assert "would be kept" in capsys.readouterr().out


def test_the_input_is_never_written(files: tuple[Path, Path]) -> None:
    files[0].write_bytes(TOWN[:-3])
    assert main(["repair", str(files[0]), str(files[0])]) == 2
    assert files[0].read_bytes() == TOWN[:-3]


def test_text_in_the_place_of_bytes_is_explained(
    damaged_recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["repair", str(damaged_recording), str(tmp_path / "out.log")]) == 1
    assert "EF BF BD" in capsys.readouterr().out
    assert not (tmp_path / "out.log").exists()


@pytest.mark.parametrize("data", [b"", b"hello", bytes(5000), b.header()], ids=["empty", "text", "zeros", "header"])
def test_what_holds_no_frame_cannot_be_saved(
    files: tuple[Path, Path], data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert repaired(files, data) == 1
    assert "Nothing can be recovered" in capsys.readouterr().out


def test_missing_frames_come_from_the_other_copy(files: tuple[Path, Path], tmp_path: Path) -> None:
    frames = frames_of(TOWN)
    donor = tmp_path / "donor.log"
    donor.write_bytes(TOWN[: frames[15].start + 40])
    damaged = TOWN[: frames[0].start + 40] + bytes(900) + TOWN[frames[4].start + 60 :]
    assert repaired(files, damaged, "--donor", str(donor)) == 0
    assert files[1].read_bytes() == TOWN


def test_frames_missing_between_whole_ones_are_told_of(
    files: tuple[Path, Path], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    frames = frames_of(TOWN)
    damaged = TOWN[: frames[5].start] + TOWN[frames[9].start :]
    assert repaired(files, damaged, "--json") == 3
    told: dict[str, Any] = json.loads(capsysbinary.readouterr().out)
    assert told["lost"]["frames"] == 4
    assert [finding["code"] for finding in told["findings"]] == ["missing-frames"]
    assert files[1].read_bytes() == damaged


@pytest.mark.parametrize("left", [19, 17])
def test_what_was_repaired_stays_as_it_is(files: tuple[Path, Path], left: int) -> None:
    frames = frames_of(TOWN)
    damaged = TOWN[: frames[0].start] + b"\2\x3e\x1e\0\0junk" + TOWN[frames[left].start :]
    assert repaired(files, damaged) == 3
    made = files[1].read_bytes()
    assert repaired(files, made) in (0, 3)
    assert files[1].read_bytes() == made


def test_frames_of_one_number_and_the_same_packets_stay_where_their_times_differ(files: tuple[Path, Path]) -> None:
    packets = [b.packet(6, b.position([]))]
    frames = [b.frame(number, 0.05 * at, 0.05, packets) for at, number in enumerate([1, 2, 3, 3, 5])]
    assert repaired(files, b.recording(*frames)) == 0
    with recorder_editor.open(files[1]) as recording:
        assert [(frame.frame_id, frame.elapsed) for frame in recording] == [(at + 1, 0.05 * at) for at in range(5)]


def test_a_frame_behind_the_largest_number_gets_one(files: tuple[Path, Path]) -> None:
    torn = b"\1\0\0\xff?" + b.packet(2, b.event_add([]))
    assert repaired(files, b.recording(b.frame_start(2**64 - 1, 0.05, 0.0625), torn)) == 0
    with recorder_editor.open(files[1]) as recording:
        assert [frame.frame_id for frame in recording] == [1, 2]


def test_a_copy_of_something_else_is_refused(files: tuple[Path, Path], tmp_path: Path) -> None:
    donor = tmp_path / "donor.log"
    donor.write_bytes(town(frames=20, cars=4, seed=6))
    assert repaired(files, TOWN[:-3], "--donor", str(donor)) == 1
    assert not files[1].exists()


def test_a_lost_map_has_to_be_named(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    headless = TOWN[header_size(TOWN) :]
    assert repaired(files, headless) == 1
    assert "--map" in capsys.readouterr().err
    assert repaired(files, headless, "--map", "Town10HD_Opt") == 3
    with recorder_editor.open(files[1]) as recording:
        assert recording.header is not None
        assert recording.header.map_name == "Town10HD_Opt"
    assert files[1].read_bytes()[header_size(files[1].read_bytes()) :] == headless


def test_a_town_is_known_by_its_lights(recordings: Path, files: tuple[Path, Path]) -> None:
    data = (recordings / "carla-0.9.13-town01.log").read_bytes()
    assert repaired(files, data[header_size(data) :]) == 3
    with recorder_editor.open(files[1]) as recording:
        assert recording.header is not None
        assert recording.header.map_name == "Town01"


def test_a_header_of_which_everything_can_be_read_is_no_loss(files: tuple[Path, Path]) -> None:
    assert repaired(files, TOWN[:5] + b"\0\0\0" + TOWN[8:]) == 0
    assert files[1].read_bytes() == TOWN


def test_two_recordings_in_one_file_become_one(files: tuple[Path, Path]) -> None:
    other = town(frames=10, cars=2, seed=9)
    assert repaired(files, TOWN + other) == 0
    frames = frames_of(files[1].read_bytes())
    assert [frame.number for frame in frames] == list(range(1, 31))
    assert files[1].read_bytes().startswith(TOWN[: frames_of(TOWN)[-1].start])


def test_the_repair_of_a_header_is_undone(files: tuple[Path, Path]) -> None:
    damaged = b"\xff" * 20 + TOWN[20:]
    files[0].write_bytes(damaged)
    with recorder_editor.open(files[0]) as recording:
        recording.apply(propose(recording.snapshot, map_name="Town01").edit())
        header, saved = recording.header, recording.snapshot.read(0, recording.snapshot.size)
        assert header is not None
        recording.undo()
        assert (recording.snapshot.header, recording.snapshot.read(0, len(damaged) + 1)) == (None, damaged)
        recording.redo()
        assert (recording.snapshot.header, recording.snapshot.read(0, len(saved) + 1)) == (header, saved)


def test_steps_can_be_left_out(files: tuple[Path, Path]) -> None:
    frames = frames_of(TOWN)
    data = TOWN[: frames[5].start] + b"junk!junk!" + TOWN[frames[5].start : -20]
    files[0].write_bytes(data)
    with recorder_editor.open(files[0]) as recording:
        everything = propose(recording.snapshot)
        assert [step.code for step in everything.steps] == ["torn-tail", "junk"]
        part = propose(recording.snapshot, parts={"junk"})
        assert {step.code: step.is_taken for step in part.steps} == {"torn-tail": False, "junk": True}
        recording.apply(part.edit())
        assert recording.snapshot.read(0, recording.snapshot.size) == TOWN[:-20]


def test_everything_behind_the_last_good_frame_goes(files: tuple[Path, Path]) -> None:
    files[0].write_bytes(TOWN[:-20])
    with recorder_editor.open(files[0]) as recording:
        proposal = propose(recording.snapshot, last_good_frame=9)
        assert len(proposal.after) == 10
        assert proposal.report.lost.frames == 10
        assert float(proposal.after.frame(9).duration) == -1
