"""What people use of an open recording stays valid on what `recorder_editor.open` returns."""

from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import Recording, edits
from recorder_editor.recording import Recording as Document
from tests.builders import actor, packet, pose, position
from tests.recording.films import add, delete, film

POSES = packet(6, position([pose(1), pose(2)]))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "town.log"
    made.write_bytes(film([add(actor(1), actor(2)), POSES], [add(actor(3))], [delete(2)]))
    return made


def ids(recording: Recording) -> list[int]:
    return sorted(life.actor for life in recording.actors.lives)


def test_an_open_recording_is_a_document_with_what_is_read_of_it(path: Path) -> None:
    with recorder_editor.open(path, dialect="0.9.12") as recording:
        assert isinstance(recording, Recording)
        assert isinstance(recording, Document)
        assert (len(recording), recording[2].index) == (3, 2)
        assert recording.dialect.name == recording.snapshot.dialect.name == "ue4-0.9.12"
        assert recording.header is not None
        assert ids(recording) == [1, 2, 3]
        assert recording.tracks.positions()["id"].tolist() == [1, 2]


def test_what_is_read_is_that_of_the_state_that_edits_leave(path: Path, tmp_path: Path) -> None:
    with recorder_editor.open(path, dialect="0.9.12") as recording:
        assert recording.apply(edits.trim(recording, range(1))) is not None
        assert (len(recording), ids(recording)) == (1, [1, 2])
        recording.undo()
        assert ids(recording) == [1, 2, 3]
        recording.redo()
        assert ids(recording) == [1, 2]
        target = tmp_path / "trimmed.log"
        recording.save(target)
    with recorder_editor.open(target) as trimmed:
        assert ids(trimmed) == [1, 2]
