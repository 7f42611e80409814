"""How much of what is in a recording, counted from headers and counts."""

import json
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.recording.frames import MAX_PACKETS
from recorder_editor.reports.statistics import PacketCount, TimeSteps, duration, packet_counts, time_steps
from tests import builders as b


@pytest.mark.parametrize("more", [0, MAX_PACKETS])
@pytest.mark.parametrize("dialect", b.RELEASES)
def test_packets_and_records_are_counted_however_many_a_frame_holds(tmp_path: Path, dialect: str, more: int) -> None:
    samples = b.samples(dialect)
    full = [sample.data for sample in samples] + [b.packet(77, b"x")] * more
    path = tmp_path / "x.log"
    version = b.RELEASES[dialect].version
    path.write_bytes(b.recording(b.frame(1, 0.0, 0.1, full), b.frame(2, 0.1, -1.0, full), version=version))
    with recorder_editor.open(path) as recording:
        assert recording.dialect.name == dialect
        counts = packet_counts(recording.snapshot)
    assert counts[0] == PacketCount(2, 48, 2)
    assert counts[1] == PacketCount(2, 0, 0)
    for sample in samples:
        records = len(sample.records) if sample.records is not None else 0
        assert counts[sample.id] == PacketCount(2, 2 * len(sample.body), 2 * records), sample.name
    if more:
        assert counts[77] == PacketCount(2 * more, 2 * more, 0)


def test_a_count_that_is_wrong_is_believed_as_far_as_the_body_goes(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(b.recording(b.frame(1, packets=[b.packet(2, b.u16(0xFFFF) + bytes(100))])))
    with recorder_editor.open(path) as recording:
        assert packet_counts(recording.snapshot)[2].records == 100 // 37


def test_times_that_are_no_times_have_no_steps(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    frames = [b.frame(number, float("inf")) for number in range(3)]
    path.write_bytes(b.recording(*frames, b.frame(4, b.SIGNALLING_64)))
    with recorder_editor.open(path) as recording:
        assert time_steps(recording.snapshot) == TimeSteps()


def test_steps_are_fixed_to_a_microsecond(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(b.recording(*(b.frame(number, at) for number, at in enumerate((0.0, 0.1, 0.2000001, 0.3)))))
    with recorder_editor.open(path) as recording:
        steps = time_steps(recording.snapshot)
    assert steps.fixed
    assert steps.median == pytest.approx(0.1)


def test_a_summary_counts_lives_by_class_and_collisions_by_contact(
    recordings: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = recordings / "carla-0.9.13-town05-collisions.log"
    assert main(["info", str(path), "--json"]) == 0
    found = json.loads(capfdbinary.readouterr().out)
    assert (found["frames"], found["collisions"]) == (555, {"records": 38, "contacts": 1})
    with recorder_editor.open(path) as recording:
        assert sum(found["actors"].values()) == len(recording.actors)
        assert list(found["packets"]) == [
            recording.dialect.packet(number).name for number in sorted(packet_counts(recording.snapshot))
        ]
        whole = sum(5 * each["count"] + each["bytes"] for each in found["packets"].values())
        assert whole + len(recording.snapshot.header_bytes) == recording.snapshot.size


@pytest.mark.parametrize("data", [b"", b.header(), b.header() + b.packet(5, b.collision([]))])
def test_a_recording_without_frames_has_a_summary_too(
    tmp_path: Path, data: bytes, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(data)
    with recorder_editor.open(path) as recording:
        assert (duration(recording.snapshot), time_steps(recording.snapshot)) == (0.0, TimeSteps())
    assert main(["info", str(path), "--json"]) == 0
    found = json.loads(capfdbinary.readouterr().out)
    assert (found["frames"], found["duration"], found["actors"]) == (0, 0.0, {})
