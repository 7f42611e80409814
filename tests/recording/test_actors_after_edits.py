"""Actors from one state of a recording to the next: the same as read anew, and without reading what stayed."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording, edits
from recorder_editor.errors import Cancelled
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors
from recorder_editor.recording.snapshot import Derived, Snapshot
from tests import builders
from tests.builders import actor, everything, packet, pose
from tests.recording.films import COMINGS, add, attach, delete, film, opened

Open = Callable[..., Recording]


@pytest.fixture
def open_bytes(tmp_path: Path) -> Iterator[Open]:
    found: list[Recording] = []

    def open_(data: bytes, dialect: str | None = "ue4-0.9.12") -> Recording:
        path = tmp_path / f"{len(found)}.log"
        path.write_bytes(data)
        found.append(recorder_editor.open(path, dialect=dialect))
        return found[-1]

    yield open_
    for recording in found:
        recording.close()


def read_anew(snapshot: Snapshot) -> Actors:
    return Actors.of(replace(snapshot, derived=Derived()))


def assert_same(one: Actors, other: Actors) -> None:
    assert repr(one.lives) == repr(other.lives)
    assert repr(one.boxes) == repr(other.boxes)
    assert one.parents == other.parents
    assert one.events.tolist() == other.events.tolist()
    assert one.collisions.tolist() == other.collisions.tolist()
    assert one.is_whole == other.is_whole


def test_the_damaged_real_recording_is_read_as_far_as_it_goes(damaged_recording: Path) -> None:
    with recorder_editor.open(damaged_recording) as recording:
        assert_same(recording.actors, read_anew(recording.snapshot))


def reads_of(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """Collects what is read from now on."""
    reads: list[tuple[int, int, int]] = []
    read = recording.store.read

    def listen(source: int, offset: int, size: int) -> bytes:
        reads.append((source, offset, size))
        return read(source, offset, size)

    monkeypatch.setattr(recording.store, "read", listen)
    return reads


def test_the_actors_of_a_snapshot_are_read_once(open_bytes: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = open_bytes(film([add(actor(1))], [delete(1)]))
    actors = recording.actors
    reads = reads_of(recording, monkeypatch)
    assert recording.actors is actors
    assert reads == []


def test_of_what_follows_only_its_own_events_are_read(open_bytes: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = open_bytes(film([add(actor(1), actor(2))], [attach((2, 1))], [add(actor(3))], [delete(3)]))
    more = open_bytes(film([add(actor(1))], [delete(2)], [attach((1, 1))]))
    before = recording.actors
    recording.apply(edits.join(recording, [more]))
    reads = reads_of(recording, monkeypatch)
    after = recording.actors
    assert not [read for read in reads if read[0] == recording.store.file]
    monkeypatch.undo()
    assert_same(after, read_anew(recording.snapshot))
    assert len(before.lives) == 3
    assert [life.gone for life in before.lives] == [None, None, 3]


def test_an_edit_elsewhere_costs_no_reading_and_no_lives(open_bytes: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    position = packet(6, builders.position([pose(1)]))
    recording = open_bytes(film([add(actor(1)), position], [position], [delete(1)]))
    before = recording.actors
    assert before.events["frame_index"].tolist() == [0, 2]
    for index in (1, 0):
        where = edits.place(recording, frame=index, packet="Position", record=0, field="location.x")
        recording.apply(edits.set_field(recording, where, 12.5))
        reads = reads_of(recording, monkeypatch)
        after = recording.actors
        assert after.lives is before.lives
        assert after.events is before.events
        assert {source for source, _, _ in reads} <= {recording.store.scratch}
    assert_same(recording.actors, read_anew(recording.snapshot))


def test_an_edit_of_a_birth_is_seen_and_undone(open_bytes: Open) -> None:
    recording = open_bytes(film([add(actor(1), actor(2))], [add(actor(3))], [delete(2)]))
    before = recording.actors
    where = edits.place(recording, frame=1, packet="EventAdd", record=0, field="blueprint")
    recording.apply(edits.set_field(recording, where, "walker.pedestrian.0001"))
    assert [life.class_ for life in recording.actors] == ["vehicle", "vehicle", "walker"]
    recording.undo()
    assert recording.actors.lives == before.lives


def test_another_dialect_reads_the_actors_anew(open_bytes: Open) -> None:
    recording = open_bytes(everything("ue5-0.10.0"), "ue5-0.10.0")
    assert len(recording.actors) == 4
    recording.decode_as("ue4-0.9.12")
    assert_same(recording.actors, read_anew(recording.snapshot))
    recording.decode_as("ue5-0.10.0")
    assert len(recording.actors) == 4


def test_reading_can_be_cancelled_and_tells_how_far_it_is(open_bytes: Open) -> None:
    snapshot = open_bytes(film([add(actor(1))], [delete(1)])).snapshot
    with pytest.raises(Cancelled):
        Actors.of(snapshot, Progress(is_cancelled=lambda: True))
    done: list[tuple[int, int]] = []
    Actors.of(snapshot, Progress(lambda *numbers: done.append(numbers)))
    assert done == [(0, 1), (1, 1)]


@given(frames=COMINGS, data=st.data())
def test_after_any_splice_the_actors_are_those_read_anew(frames: list[list[bytes]], data: st.DataObject) -> None:
    with opened(film(*frames, [], [])) as recording:
        snapshot = recording.snapshot
        table = snapshot.table
        for _ in range(3):
            Actors.of(snapshot)
            at = data.draw(st.integers(0, len(table)))
            removed = data.draw(st.integers(0, len(table) - at))
            start = data.draw(st.integers(0, recording.snapshot.rows))
            stop = data.draw(st.integers(start, recording.snapshot.rows))
            table = table.splice(at, removed, recording.snapshot.table.slice(start, stop))
            snapshot = replace(snapshot, table=table)
            assert_same(Actors.of(snapshot), read_anew(snapshot))
