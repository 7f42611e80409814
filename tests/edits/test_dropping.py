"""Packets of additional data, or named ones, are shed from a finished log."""

import struct
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import edits
from recorder_editor.api import Recording
from recorder_editor.errors import EditError, NothingToDo

from .. import builders as b
from ..recording import films
from .drives import saved

ADDITIONAL = {12, 13, 14, 15, 16, 17, 19}
"""What is written with `additional_data=True` alone, by the format reference 3.2."""


def opened(tmp_path: Path, data: bytes) -> Recording:
    path = tmp_path / "in.log"
    path.write_bytes(data)
    return recorder_editor.open(path)


def without(data: bytes, ids: set[int]) -> bytes:
    """A file without packets: the bytes of the others, as they are."""
    (length,) = struct.unpack_from("<H", data, 26)
    offset = 28 + length
    kept = [data[:offset]]
    while offset < len(data):
        number, size = struct.unpack_from("<BI", data, offset)
        if number not in ids:
            kept.append(data[offset : offset + 5 + size])
        offset += 5 + size
    return b"".join(kept)


@pytest.mark.parametrize("name", [films.COLLISIONS, "carla-0.9.10-town01-scene-lights.log"])
def test_a_real_log_is_as_one_without_additional_data(name: str, recordings: Path) -> None:
    data = (recordings / name).read_bytes()
    with recorder_editor.open(recordings / name) as recording:
        before = recording.snapshot
        recording.apply(edits.drop_packets(recording))
        shed = saved(recording)
        assert shed == without(data, ADDITIONAL)
        assert len(shed) < len(data)
        recording.undo()
        assert recording.snapshot.table.size == before.table.size
        assert saved(recording) == data


@pytest.mark.parametrize("dialect", ["ue4-0.9.10", "ue4-0.9.14", "ue4-2026", "ue5-2026"])
def test_of_every_release_the_same_packets_are_shed(dialect: str, tmp_path: Path) -> None:
    data = b.everything(dialect)
    with opened(tmp_path, data) as recording:
        recording.apply(edits.drop_packets(recording))
        assert saved(recording) == without(data, ADDITIONAL)


def test_packets_are_named_in_any_case_or_by_their_id(tmp_path: Path) -> None:
    data = b.dreyevr()
    with opened(tmp_path, data) as recording:
        recording.apply(edits.drop_packets(recording, ["dreyevrsensor", 140]))
        assert saved(recording) == without(data, {139, 140})


def test_what_is_not_there_is_not_shed(tmp_path: Path) -> None:
    with opened(tmp_path, without(b.everything("ue4-0.9.12"), ADDITIONAL)) as recording:
        with pytest.raises(NothingToDo, match="no additional data"):
            edits.drop_packets(recording)
        with pytest.raises(NothingToDo, match="no packets of Kinematics, Unknown 200"):
            edits.drop_packets(recording, ["Kinematics", 200])


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        ("FrameEnd", "FrameEnd holds the frame together"),
        (0, "FrameStart holds the frame together"),
        ("Kinematic", "Did you mean “Kinematics”"),
        ("300", "There is no packet 300"),
    ],
)
def test_what_cannot_be_dropped_is_refused(packet: str | int, reason: str, tmp_path: Path) -> None:
    with opened(tmp_path, b.everything("ue4-0.9.12")) as recording, pytest.raises(EditError, match=reason):
        edits.drop_packets(recording, [packet])
