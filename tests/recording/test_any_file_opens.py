"""Any file opens, says in words what is wrong with it, and is saved back byte for byte."""

import errno
import os
import random
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Finding, Recording, checks
from recorder_editor.errors import SourceChanged
from recorder_editor.formats.dump import build_bytes, dump_lines, dump_pieces
from recorder_editor.reading.tracks import COLUMNS
from recorder_editor.reading.trajectories import find_trajectories
from recorder_editor.recording.frames import FRAME
from recorder_editor.reports.statistics import packet_counts, time_steps
from tests import builders
from tests.builders import RELEASES, everything

from ..extent import examples
from ..real_recordings import only_one

SEED = 20211123
CUTS = 60
BROKEN = 6
CUT = ("ue4-0.9.4", "ue4-0.9.12", "ue4-2026", "ue5-2026")
"""Dialects whose recordings are cut in the short run, too."""
DRIVE = builders.drive(frames=6, vehicles=2)


def check(path: Path, data: bytes) -> tuple[Finding, ...]:
    """Open, look at every packet, save without edits; returns what was found wrong."""
    path.write_bytes(data)
    with recorder_editor.open(path) as opened:
        for row in range(opened.snapshot.rows):
            for packet in opened.snapshot.row(row):
                assert len(packet.decoded) >= 0
        snapshot = opened.snapshot
        assert snapshot.read(0, snapshot.size + 1) == data
        assert b"".join(snapshot.row(row).data for row in range(snapshot.rows)) == data[len(snapshot.header_bytes) :]
        check_bytes(opened, data)
        return opened.findings


def check_bytes(opened: Recording, data: bytes) -> None:
    """The end is as it should be, a save gives every byte back, and what is no whole frame is told in words."""
    snapshot = opened.snapshot
    assert snapshot.size == len(data)
    tail = max(0, len(data) - 5000)
    assert snapshot.read(tail, 6000) == data[tail:]
    for finding in opened.findings:
        assert finding.message.endswith(".")
        assert finding.message[0].isupper() or finding.message[0].isdigit()
        assert " " in finding.message
        assert finding.offset is not None
        assert 0 <= finding.offset <= len(data)
    told = {finding.row for finding in opened.findings}
    kinds = snapshot.table.column("kind").tolist()
    assert {row for row, kind in enumerate(kinds) if kind != FRAME} <= told
    saved = opened.path.with_suffix(".saved")
    opened.save(saved, overwrite=True)
    assert saved.read_bytes() == data


@pytest.fixture
def no_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of saves that need not outlive a power cut."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def complete(data: bytes) -> set[int]:
    """The lengths at which a cut does not show: after the header, and after each frame."""
    found = set()
    at = len(builders.header())
    while at < len(data):
        found.add(at)
        while data[at] != 1:
            at += 5 + int.from_bytes(data[at + 1 : at + 5], "little")
        at += 5
    return found | {len(data)}


# --- what there is to open ----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"\x00", b"abc", bytes(5), b"\xff" * 100, bytes(1000)], ids=len)
def test_a_file_that_is_no_recording_opens_and_says_so(tmp_path: Path, data: bytes) -> None:
    assert check(tmp_path / "x.log", data)


def test_an_empty_file_has_no_frames_and_no_header(tmp_path: Path) -> None:
    (tmp_path / "x.log").write_bytes(b"")
    with recorder_editor.open(tmp_path / "x.log") as opened:
        assert len(opened) == 0
        assert opened.header is None
        assert not opened.is_modified
        assert [finding.message for finding in opened.findings] == ["The file is empty."]


def test_a_header_alone_is_a_recording_without_frames(tmp_path: Path) -> None:
    assert check(tmp_path / "x.log", builders.header()) == ()


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=400), header=st.booleans())
def test_random_bytes_open(tmp_path: Path, data: bytes, header: bool) -> None:
    check(tmp_path / "x.log", builders.header() * header + data)


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(
        st.tuples(st.integers(0, len(DRIVE)), st.integers(0, 40), st.binary(max_size=40)), min_size=1, max_size=4
    )
)
def test_a_recording_with_other_bytes_in_it_opens(tmp_path: Path, changes: list[tuple[int, int, bytes]]) -> None:
    data = DRIVE
    for at, count, other in changes:
        data = data[:at] + other + data[at + count :]
    check(tmp_path / "x.log", data)


def test_sizes_and_counts_in_the_file_allocate_nothing(tmp_path: Path) -> None:
    huge = builders.u8(6) + builders.u32(0xFFFFFFFF)
    first = builders.frame(1)
    counted = builders.frame(2, 0.0, -1.0, [builders.packet(2, builders.u16(0xFFFF)), builders.packet(12, b"\xff\xff")])
    findings = check(tmp_path / "x.log", builders.recording(first, counted, builders.frame_start(3) + huge))
    assert findings


def test_the_recording_that_a_text_editor_destroyed_opens(damaged_recording: Path, tmp_path: Path) -> None:
    assert check(tmp_path / "x.log", damaged_recording.read_bytes())


@only_one
def test_a_sound_recording_has_nothing_to_say(sound_recording: Path, tmp_path: Path) -> None:
    assert check(tmp_path / "x.log", sound_recording.read_bytes()) == ()


def test_junk_is_not_read_to_learn_that_it_holds_no_packets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(b"\xff" * 1000)
    with recorder_editor.open(path) as opened:
        monkeypatch.setattr(opened.store, "read", None)
        row = opened.snapshot.row(0)
        assert not row.has_packets
        assert row.packets == ()


@pytest.mark.sampled(cases=4)
@pytest.mark.parametrize("dialect", RELEASES)
def test_whatever_byte_is_another_everything_can_be_looked_at(tmp_path: Path, dialect: str, no_sync: None) -> None:
    data, random_ = everything(dialect), random.Random(SEED)
    for _ in range(BROKEN):
        at = random_.randrange(len(data))
        broken = data[:at] + bytes([data[at] ^ random_.randrange(1, 256)]) + data[at + 1 :]
        check(tmp_path / "x.log", broken)
        with recorder_editor.open(tmp_path / "x.log") as opened:
            snapshot = opened.snapshot
            checks.check(snapshot)
            packet_counts(snapshot)
            time_steps(snapshot)
            find_trajectories(snapshot)
            assert len(opened.actors.events) >= len(opened.actors.collisions)
            for name in COLUMNS:
                opened.tracks.read(name)
            opened.tracks.speeds()
            assert b"".join(build_bytes(dump_lines(snapshot))) == broken


def test_a_body_too_large_to_be_told_is_dumped_as_hex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder_editor.formats.dump.LARGEST_DECODED", 60)
    monkeypatch.setattr("recorder_editor.formats.dump._HEX_PIECE", 7)
    (tmp_path / "x.log").write_bytes(DRIVE)
    with recorder_editor.open(tmp_path / "x.log") as opened:
        lines = list(dump_lines(opened.snapshot))
        pieces = list(dump_pieces(opened.snapshot))
    assert "".join(pieces).splitlines() == lines
    assert all(len(piece) <= 2 * 7 for before, piece in pairwise(pieces) if before == ', "hex": "')
    assert any('"hex"' in line for line in lines)
    assert any('"records"' in line for line in lines)
    assert b"".join(build_bytes(lines)) == DRIVE


# --- what does not open -------------------------------------------------------------------------------------


def test_a_missing_file_does_not_open(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        recorder_editor.open(tmp_path / "missing.log")


def test_a_folder_does_not_open_and_is_called_one(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"folder|directory") as caught:
        recorder_editor.open(tmp_path)
    assert isinstance(caught.value, (IsADirectoryError, PermissionError))  # Windows says the second


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among its files")
def test_a_pipe_does_not_open_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not an ordinary file"):
        recorder_editor.open(tmp_path / "pipe")


def test_a_file_nobody_may_read_does_not_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(DRIVE)
    opening = os.open

    def refused(name: Any, *rest: Any, **named: Any) -> int:
        if Path(name) == path:  # root may read everything
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(name))
        return opening(name, *rest, **named)

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(PermissionError):
        recorder_editor.open(path)


def test_a_file_that_is_rewritten_while_open_is_not_read_on(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(DRIVE)
    with recorder_editor.open(path) as opened:
        path.write_bytes(DRIVE[:100])
        with pytest.raises(SourceChanged):
            opened[3].packets  # noqa: B018  (looking is what raises)


# --- cut off -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "step"),
    [
        *(pytest.param(dialect, 17, marks=[pytest.mark.long] * (dialect not in CUT)) for dialect in RELEASES),
        pytest.param("ue5-2026", 1, marks=pytest.mark.long),
    ],
)
def test_a_recording_cut_at_any_byte_opens_and_says_what_is_missing(
    tmp_path: Path, dialect: str, step: int, no_sync: None
) -> None:
    """At those lengths at which something begins or ends, and at some between or all of them."""
    data = everything(dialect)
    whole = complete(data)
    assert len(data) <= 4096
    near = {at + by for at in whole for by in (-1, 0, 1) if at + by <= len(data)}
    for length in sorted({*range(1, len(data) + 1, step), *near}):
        findings = check(tmp_path / "x.log", data[:length])
        assert bool(findings) == (length not in whole), length


@only_one
def test_a_real_recording_cut_anywhere_opens_and_says_what_is_missing(
    short_recording: Path, tmp_path: Path, no_sync: None
) -> None:
    data = short_recording.read_bytes()
    path = tmp_path / "x.log"
    path.write_bytes(data)
    with recorder_editor.open(path) as opened:
        whole = {frame.offset for frame in opened} | {len(data)}
    for length in sorted(random.Random(SEED).sample(range(1, len(data)), CUTS), reverse=True):
        os.truncate(path, length)
        with recorder_editor.open(path) as opened:
            check_bytes(opened, data[:length])
            assert bool(opened.findings) == (length not in whole), length
