"""Several edits as one: whole or not at all, each row once, one step."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from recorder_editor import edits
from recorder_editor.api import Recording, open_recording
from recorder_editor.errors import EditError, NothingToDo
from recorder_editor.recording.compose import compose
from recorder_editor.recording.history import SEVERAL, Edit
from recorder_editor.recording.place import Place
from recorder_editor.recording.snapshot import Snapshot

from .. import builders as b

FRAMES = 6


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    (tmp_path / "drive.log").write_bytes(b.drive(FRAMES, vehicles=2))
    with open_recording(tmp_path / "drive.log") as opened:
        yield opened


def data(recording: Recording) -> bytes:
    return recording.snapshot.read(0, recording.snapshot.size)


def lifted(snapshot: Snapshot, actor: int) -> Edit:
    """Sets the height of an actor in all frames."""
    packet = snapshot.frame(0).packet("Position")
    assert packet is not None
    record = packet.decoded.find_actor(actor)
    return edits.set_over(snapshot, Place(0, packet.index, record, "location.z"), float(actor), range(FRAMES))


def refused(snapshot: Snapshot) -> Edit:
    raise EditError("No.")


def idle(snapshot: Snapshot) -> Edit:
    raise NothingToDo("It is so already.")


def test_several_edits_are_one_step_that_replaces_each_row_once(recording: Recording) -> None:
    before = data(recording)
    recording.apply(compose(recording.snapshot, "Lift", [partial(lifted, actor=100), partial(lifted, actor=101)]))
    (step,) = recording.history.steps
    assert step.label == "Lift"
    assert step.intent is not None
    assert [part.operation for part in step.intent.parts] == ["set_over", "set_over"]
    assert step.intent.operation == SEVERAL
    assert sum(splice.removed for splice in step.forward) == FRAMES
    for actor in (100, 101):
        assert recording.tracks.positions([actor])["z"].tolist() == [float(actor)] * FRAMES
    recording.undo()
    assert data(recording) == before


def test_rows_that_come_and_go_are_composed_in_their_order(recording: Recording) -> None:
    steps = [partial(edits.delete_rows, first=0), partial(lifted, actor=101), partial(edits.delete_rows, first=0)]
    before = data(recording)
    edit = compose(recording.snapshot, "", steps)
    assert edit.label.endswith("and 2 more")
    assert edit.intent is None
    recording.apply(edit)
    assert len(recording) == FRAMES - 2
    assert recording.tracks.positions([101])["z"].tolist() == [101.0] * (FRAMES - 2)
    recording.undo()
    assert data(recording) == before


def test_the_header_of_the_last_edit_counts(recording: Recording) -> None:
    names = [partial(edits.set_header, map_name=name) for name in ("Town02", "Town03")]
    recording.apply(compose(recording.snapshot, "Name", [*names, partial(lifted, actor=100)]))
    assert recording.header is not None
    assert recording.header.map_name == "Town03"


def test_a_refused_part_leaves_nothing(recording: Recording) -> None:
    with pytest.raises(EditError, match="No"):
        compose(recording.snapshot, "Lift", [partial(lifted, actor=100), refused])
    assert recording.history.steps == []


def test_what_is_so_already_is_left_out_and_all_of_it_is_nothing_to_do(recording: Recording) -> None:
    edit = compose(recording.snapshot, "", [idle, partial(lifted, actor=100)])
    assert edit.label.startswith("Set z of 100")
    with pytest.raises(NothingToDo, match="so already"):
        compose(recording.snapshot, "Lift", [idle, idle])
