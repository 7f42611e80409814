"""Whatever was done in whatever order, with a crash at any moment: what is restored is what was there."""

from pathlib import Path
from random import Random

import pytest

import recorder_editor
from recorder_editor import Edit, Recording, edits
from recorder_editor.recording.history import Splice
from recorder_editor.recording.recovery import find_leftovers
from tests.recording.journal.crashes import crash, restored
from tests.recording.steps import DAMAGED, DRIVE, content, turn


def cut_out(recording: Recording, random: Random) -> Edit:
    rows = recording.snapshot.rows
    at = random.randrange(rows)
    return edits.delete_rows(recording, at)


def doubled(recording: Recording, random: Random) -> Edit:
    """Rows that stand in the file, put in once more: nothing of them is in the scratch file."""
    table = recording.snapshot.table
    at = random.randrange(len(table))
    rows = table.rows(at, at + 3).copy()
    rows["key"] = recording.snapshot.keys.take(len(rows))
    inserted = type(table).from_rows(rows)
    return Edit("Double", recording.snapshot.version, (Splice(random.randrange(len(table) + 1), 0, inserted),))


def turned(recording: Recording, random: Random) -> Edit:
    return turn(recording, random.randrange(len(recording)), random.uniform(-180, 180))


def named(recording: Recording, random: Random) -> Edit:
    return edits.set_header(recording, map_name=f"Town{random.randrange(99):02}")


def act(recording: Recording, random: Random, folder: Path) -> None:
    chosen = random.random()
    if chosen < 0.2:
        recording.undo()
    elif chosen < 0.3:
        recording.redo()
    elif chosen < 0.4:
        recording.save(folder / f"{random.randrange(3)}.log" if random.random() < 0.4 else None, overwrite=True)
    elif recording.snapshot.rows < 6 or not len(recording):
        recording.undo()
    else:
        makes = [turned, turned, cut_out, doubled] + ([named] if recording.header is not None else [])
        gesture = random.choice([None, None, "drag"])
        recording.apply(random.choice(makes)(recording, random), gesture=gesture)


def courses(recording: Recording, back: int) -> list[bytes]:
    """The present state, those that so many undos lead to, and those that redos lead to from there."""
    states = [content(recording)]
    for _ in range(back):
        recording.undo()
        states.append(content(recording))
    while recording.redo() is not None:
        states.append(content(recording))
    return states


def unsaved(recording: Recording) -> tuple[str, ...] | None:
    """The steps between the file and the present state; None where undo and redo do not lead from one to the other."""
    history, clean = recording.history, recording.history.clean_position
    if clean is None:
        return None
    undone = tuple(f"Undone: {step.label}" for step in reversed(history.steps[history.position : clean]))
    return undone + tuple(step.label for step in history.steps[clean : history.position])


@pytest.mark.sampled(cases=10)
@pytest.mark.parametrize("data", [DRIVE, DAMAGED], ids=["sound", "damaged"])
@pytest.mark.parametrize("seed", range(12))
def test_a_crash_at_any_moment(file: Path, seed: int, data: bytes) -> None:
    random = Random(seed)
    file.write_bytes(data)
    recording = recorder_editor.open(file)
    recording.keep_journal()
    for _ in range(5):
        for _ in range(random.randrange(1, 9)):
            act(recording, random, file.parent)
        present, path = content(recording), recording.path
        modified, steps = recording.is_modified, unsaved(recording)
        on_disk = path.read_bytes()
        crash(recording)
        leftovers = find_leftovers()
        assert path.read_bytes() == on_disk
        if not leftovers:
            assert present == on_disk
            recording = recorder_editor.open(path)
            recording.keep_journal()
            continue
        assert steps is None or leftovers[0].labels == steps
        recording = restored(leftovers[0])
        assert steps is None or unsaved(recording) == steps
        assert content(recording) == present
        assert recording.is_modified == modified
        # Undo and redo lead through whole states, and back to this one.
        position = recording.history.position
        states = courses(recording, position)
        assert states[0] == present
        while recording.history.position > position:
            recording.undo()
        assert content(recording) == present
    recording.close()
