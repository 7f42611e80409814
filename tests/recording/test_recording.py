"""The public API: open, look, apply, undo, redo, save."""

import gc
import tomllib
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

import recorder_editor
from recorder_editor import Edit, Frame, Packet, Recording, Snapshot, edits
from recorder_editor.errors import Cancelled, FieldError, WrongVersion
from recorder_editor.format.header import FileHeader
from recorder_editor.progress import Progress
from recorder_editor.recording import history as history_module
from recorder_editor.recording.files import File
from recorder_editor.recording.frames import RAW, FrameTable
from recorder_editor.recording.history import History, Intent, Splice, Step, memory_used
from tests import builders
from tests.builders import RELEASES, everything, samples
from tests.recording.films import film, opened
from tests.recording.steps import DAMAGED, DRIVE, content, names, retime, turn

PROJECT = Path(__file__).resolve().parents[2]


def yaw(recording: Recording, frame: int) -> float:
    packet = recording[frame].packet("Position")
    assert packet is not None
    return float(packet.array["rotation.yaw"][0])


# --- the package ----------------------------------------------------------------------------------------


def test_all_that_is_promised_is_there() -> None:
    assert sorted(recorder_editor.__all__) == recorder_editor.__all__
    for name in recorder_editor.__all__:
        assert getattr(recorder_editor, name) is not None


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert recorder_editor.__version__ == project["version"]


def test_the_example_of_the_package_works(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recorder_editor.__doc__ is not None
    _, _, example = recorder_editor.__doc__.partition("For example:\n\n")
    monkeypatch.chdir(file.parent)
    lines = [line.removeprefix("    ") for line in example.splitlines()]
    exec(compile("\n".join(lines).replace("214", "100"), "example", "exec"), {})
    with recorder_editor.open(file.with_name("turned.log")) as opened:
        assert yaw(opened, 0) == 92.5


# --- opening and looking ----------------------------------------------------------------------------------


def test_a_recording_is_a_sequence_of_frames(recording: Recording) -> None:
    assert len(recording) == 40
    assert [frame.index for frame in recording] == list(range(40))
    assert recording[-1].index == 39
    assert [frame.index for frame in recording[3:9:2]] == [3, 5, 7]
    for beyond in (40, -41):
        with pytest.raises(IndexError):
            recording[beyond]


def test_the_header_tells_version_date_and_map(recording: Recording) -> None:
    assert recording.header == FileHeader(1, builders.DATE, "Town01")
    assert recording.header is not None
    assert recording.header.when is not None
    assert recording.header.when.isoformat() == "2021-11-23T14:08:48+00:00"


@pytest.mark.parametrize("name", RELEASES)
def test_every_release_opens_with_all_its_packets(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(everything(name))
    with recorder_editor.open(path, dialect=name) as opened:
        assert opened.dialect.name == name
        packets = opened[0].packets
        assert [packet.name for packet in packets[1:-1]] == [sample.name for sample in samples(name)]
        assert [packet.body for packet in packets[1:-1]] == [sample.body for sample in samples(name)]


def test_an_unknown_dialect_is_a_key_error_and_nothing_stays_open(file: Path) -> None:
    with pytest.raises(KeyError):
        recorder_editor.open(file, dialect="ue3")


def test_what_decided_the_dialect_can_be_read(recording: Recording) -> None:
    assert recording.dialect is recording.detection.dialect
    assert recording.dialect.title.startswith("CARLA ")
    assert recording.detection.reasons


def test_a_frame_tells_its_number_times_and_place(recording: Recording) -> None:
    frame = recording[2]
    assert isinstance(frame, Frame)
    assert (frame.frame_id, frame.elapsed, frame.duration) == (3, 0.1, 0.05)
    assert not frame.is_open
    assert DRIVE[frame.offset : frame.offset + frame.size] == frame.data
    assert recording[3].offset == frame.offset + frame.size
    assert frame.packets[0].name == "FrameStart"
    assert frame.packets[-1].name == "FrameEnd"


def test_a_packet_tells_its_id_place_body_and_records(recording: Recording) -> None:
    packet = recording[2].packet("Position")
    assert isinstance(packet, Packet)
    assert (packet.id, packet.size) == (6, 2 + 2 * 28)
    assert DRIVE[packet.offset : packet.offset + 5 + packet.size] == packet.to_bytes()
    assert packet.body == DRIVE[packet.offset + 5 :][: packet.size]
    assert packet.records[1] == {
        "id": 101,
        "location": {"x": 100.0, "y": 400.0, "z": 50.0},
        "rotation": {"roll": 0.0, "pitch": 0.0, "yaw": 0.0},
    }
    assert packet.array["id"].tolist() == [100, 101]
    assert recording[2].packet("Weather") is None
    assert [one.index for one in recording[2]] == list(range(len(recording[2].packets)))


def test_every_packet_of_a_real_recording_is_found_where_it_says(sound_recording: Path) -> None:
    data = sound_recording.read_bytes()
    with recorder_editor.open(sound_recording) as opened:
        for frame in opened:
            for packet in frame:
                assert data[packet.offset : packet.offset + 5 + packet.size] == packet.to_bytes()
                assert packet.decoded.damage is None
                assert packet.type.body == "opaque" or packet.decoded.tail[0] == packet.decoded.tail[1]


def test_frame_columns_leave_raw_rows_out(file: Path) -> None:
    file.write_bytes(DAMAGED)
    with recorder_editor.open(file) as opened:
        assert (opened.snapshot.table.column("kind") == RAW).any()
        assert len(opened.snapshot.elapsed) == len(opened)
        assert opened.snapshot.elapsed.tolist() == [frame.elapsed for frame in opened]
        assert opened.findings


def test_the_frame_at_a_time_is_the_last_one_begun(recording: Recording) -> None:
    snapshot = recording.snapshot
    assert [snapshot.frame_at_time(time) for time in (-1.0, 0.0, 0.049, 0.051, 99.0)] == [0, 0, 0, 1, 39]


@pytest.mark.parametrize("size", [0, 1, 28, 29, 400, len(DRIVE), len(DRIVE) + 1])
@pytest.mark.parametrize("position", [0, 3, 33, 34, 35, 62, 63, 64, 500, len(DRIVE) - 1, len(DRIVE), len(DRIVE) + 5])
def test_a_snapshot_reads_as_the_file_would(recording: Recording, position: int, size: int) -> None:
    recording.apply(retime(recording, slice(None)))
    recording.undo()
    assert recording.snapshot.read(position, size) == DRIVE[position : position + size]


def test_the_first_frames_are_shown_before_all_are_scanned(file: Path) -> None:
    seen: list[Snapshot] = []
    with recorder_editor.open(file, first=seen.append) as opened:
        (early,) = seen
        assert early[0].data == opened[0].data
        assert early.dialect.name == opened.dialect.name


def test_opening_tells_its_progress(file: Path) -> None:
    seen: list[tuple[int, int]] = []
    with recorder_editor.open(file, progress=Progress(lambda done, total: seen.append((done, total)))):
        size = len(DRIVE) - len(builders.header())
        assert seen[-1] == (size, size)
        assert seen == sorted(seen)


def test_opening_can_be_cancelled_and_leaves_nothing_open(file: Path, home: Path) -> None:
    with pytest.raises(Cancelled):
        recorder_editor.open(file, progress=Progress(is_cancelled=lambda: True))
    assert [path for path in home.rglob("*") if path.is_file()] == []
    file.rename(file.with_name("free.log"))


def test_a_closed_recording_leaves_no_scratch_file(file: Path, home: Path) -> None:
    with recorder_editor.open(file) as opened:
        opened.apply(turn(opened, 3))
        assert [path for path in home.rglob("*") if path.is_file()] == [opened.store.scratch_path]
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_reading_with_another_dialect_changes_no_byte(recording: Recording) -> None:
    name = recording.dialect.name
    change = recording.decode_as("ue5-2026")
    assert change.dialect
    assert recording.dialect.name == "ue5-2026"
    assert content(recording) == DRIVE
    assert not recording.is_modified
    recording.decode_as(None)
    assert recording.dialect.name == name
    with pytest.raises(KeyError):
        recording.decode_as("ue3")


# --- editing ----------------------------------------------------------------------------------------------


def test_an_edit_an_undo_and_a_redo_tell_what_they_did(recording: Recording) -> None:
    before = recording.snapshot
    change = recording.apply(turn(recording, 3))
    assert (change.before, change.after) == (before, recording.snapshot)
    assert change.splices == ((3, 1, 1),)
    assert not change.header
    assert yaw(recording, 3) == 12.5
    undone = recording.undo()
    assert undone is not None
    assert undone.splices == ((3, 1, 1),)
    assert content(recording) == DRIVE
    redone = recording.redo()
    assert redone is not None
    assert redone.after is recording.snapshot
    assert yaw(recording, 3) == 12.5


def test_there_is_nothing_to_undo_or_redo_at_the_ends(recording: Recording) -> None:
    assert recording.undo() is None
    assert recording.redo() is None


def test_a_snapshot_never_changes(recording: Recording) -> None:
    before = recording.snapshot
    recording.apply(edits.delete_rows(recording, 0, 30))
    assert len(recording) == 10
    assert len(before) == 40
    assert before.read(0, before.size) == DRIVE


def test_edited_rows_keep_their_keys_and_new_ones_get_others(recording: Recording) -> None:
    keys = recording.snapshot.table.column("key").tolist()
    recording.apply(turn(recording, 3))
    assert recording.snapshot.table.column("key").tolist() == keys
    recording.apply(edits.insert_frame(recording, 5, copy_of=3))
    now = recording.snapshot.table.column("key").tolist()
    assert now[:5] + now[6:] == keys
    assert now[5] not in keys


def test_an_edit_for_another_state_is_refused(recording: Recording) -> None:
    early = turn(recording, 3)
    recording.apply(turn(recording, 4))
    now = recording.snapshot
    with pytest.raises(WrongVersion):
        recording.apply(early)
    assert recording.snapshot is now
    recording.undo()
    with pytest.raises(WrongVersion):
        recording.apply(early)


@pytest.mark.parametrize("step", ["undo", "redo", "save", "decode_as"])
def test_every_step_makes_another_version(recording: Recording, step: str) -> None:
    recording.apply(turn(recording, 3))
    recording.apply(turn(recording, 4))
    recording.undo()
    early = turn(recording, 5)
    steps: dict[str, Callable[[], object]] = {
        "undo": recording.undo,
        "redo": recording.redo,
        "save": recording.save,
        "decode_as": partial(recording.decode_as, "ue5-2026"),
    }
    steps[step]()
    with pytest.raises(WrongVersion):
        recording.apply(early)


def test_a_value_that_does_not_fit_changes_nothing(recording: Recording) -> None:
    where = edits.place(recording, frame=3, packet="AnimVehicle", record=0, field="gear")
    with pytest.raises(FieldError):
        edits.set_field(recording, where, 2**31)
    assert content(recording) == DRIVE
    assert not recording.is_modified


def test_an_edit_of_many_splices_is_undone_as_one(recording: Recording) -> None:
    table = recording.snapshot.table
    nothing = FrameTable()
    splices = (Splice(2, 3, nothing), Splice(0, 1, table.slice(5, 9)), Splice(4, 0, table.slice(0, 1)))
    wanted = [*range(5, 9), 0, 1, *range(5, 40)]
    recording.apply(Edit("Shuffle", recording.snapshot.version, splices))
    assert [frame.frame_id - 1 for frame in recording] == wanted
    recording.undo()
    assert content(recording) == DRIVE
    recording.redo()
    assert [frame.frame_id - 1 for frame in recording] == wanted


def test_the_header_is_edited_undone_and_saved(recording: Recording, file: Path) -> None:
    change = recording.apply(edits.set_header(recording, map_name="Town10HD_Opt"))
    assert change.header
    assert change.splices == ()
    changed = builders.header(map_name="Town10HD_Opt") + DRIVE[len(builders.header()) :]
    assert content(recording) == changed
    assert recording[3].offset == DRIVE.index(recording[3].data) + len("10HD_Opt") - len("01")
    recording.save()
    assert file.read_bytes() == changed
    undone = recording.undo()
    assert undone is not None
    assert undone.header
    assert content(recording) == DRIVE
    recording.redo()
    assert content(recording) == changed


def test_a_header_is_put_where_none_was_and_taken_away_again(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(b"no recording at all")
    with recorder_editor.open(path) as opened:
        header = FileHeader(1, builders.DATE, "Town01")
        opened.apply(Edit("Put a header", opened.snapshot.version, (), header=header))
        assert content(opened) == builders.header() + b"no recording at all"
        opened.undo()
        assert opened.header is None
        assert content(opened) == b"no recording at all"
        opened.redo()
        assert opened.header is header


# --- history ----------------------------------------------------------------------------------------------


def test_a_new_edit_forgets_what_was_undone(recording: Recording) -> None:
    recording.apply(turn(recording, 3))
    recording.apply(turn(recording, 4))
    recording.undo()
    recording.apply(turn(recording, 5))
    assert recording.redo() is None
    assert (recording.history.position, len(recording.history.steps)) == (2, 2)
    assert [yaw(recording, frame) for frame in (3, 4, 5)] == [12.5, 0.0, 12.5]


def test_steps_carry_intent_label_and_a_number_of_their_own(recording: Recording) -> None:
    recording.apply(edits.set_header(recording, map_name="Town02"))
    recording.apply(turn(recording, 3))
    recording.undo()
    recording.apply(turn(recording, 4))
    steps = recording.history.steps
    assert steps[0].intent == Intent("set_header", {"map_name": "Town02"})
    assert steps[0].label == "Set map to Town02"
    assert [step.number for step in steps] == [1, 3]


def test_a_gesture_is_one_step(recording: Recording) -> None:
    recording.apply(turn(recording, 3, 1.0))
    for value in (2.0, 3.0, 4.0):
        recording.apply(turn(recording, 3, value), gesture="drag 1")
    recording.apply(turn(recording, 3, 5.0), gesture="drag 2")
    values = []
    while recording.undo() is not None:
        values.append(yaw(recording, 3))
    assert values == [4.0, 1.0, 0.0]
    values = []
    while recording.redo() is not None:
        values.append(yaw(recording, 3))
    assert values == [1.0, 4.0, 5.0]


def test_a_gesture_does_not_go_on_across_another_edit_an_undo_or_a_save(recording: Recording) -> None:
    recording.apply(turn(recording, 3, 1.0), gesture="drag")
    recording.apply(turn(recording, 4, 1.0))
    recording.apply(turn(recording, 3, 2.0), gesture="drag")
    recording.save()
    recording.apply(turn(recording, 3, 3.0), gesture="drag")
    assert recording.history.position == 4
    recording.undo()
    assert not recording.is_modified


def test_a_long_gesture_keeps_only_its_ends(recording: Recording) -> None:
    for value in range(1, 100):
        edit = edits.set_fields(
            recording,
            [
                (edits.place(recording, frame=n, packet="Position", record=0, field="rotation.yaw"), value)
                for n in (3, 9)
            ],
        )
        recording.apply(edit, gesture="drag")
    (step,) = recording.history.steps
    assert sum(map(len, step.tables)) == 4
    recording.undo()
    assert content(recording) == DRIVE
    recording.redo()
    assert [yaw(recording, frame) for frame in (3, 9)] == [99.0, 99.0]


def test_a_gesture_that_moves_frames_about_comes_back_whole(recording: Recording) -> None:
    for count in (1, 2, 3):
        recording.apply(edits.delete_rows(recording, 0, count), gesture="trim")
    assert len(recording) == 34
    recording.undo()
    assert content(recording) == DRIVE
    recording.redo()
    assert [frame.frame_id for frame in recording] == list(range(7, 41))


def test_a_gesture_over_the_header_comes_back_whole(recording: Recording) -> None:
    for name in ("Town02", "Town03"):
        recording.apply(edits.set_header(recording, map_name=name), gesture="type")
    recording.undo()
    assert content(recording) == DRIVE
    recording.redo()
    assert recording.header is not None
    assert recording.header.map_name == "Town03"


def test_a_recording_is_modified_until_it_is_as_it_was_saved(recording: Recording) -> None:
    modified = [recording.is_modified]
    for step in (partial(recording.apply, turn(recording, 3)), recording.undo, recording.redo, recording.save):
        step()
        modified.append(recording.is_modified)
    assert modified == [False, True, False, True, False]
    recording.undo()
    assert recording.is_modified
    recording.redo()
    assert recording.history.is_clean


def test_a_saved_state_that_no_undo_reaches_is_never_clean_again(recording: Recording) -> None:
    recording.apply(turn(recording, 3))
    recording.save()
    recording.undo()
    recording.apply(turn(recording, 4))
    assert recording.is_modified
    recording.undo()
    assert recording.is_modified
    assert recording.history.clean_position is None


def test_history_has_a_bound_in_steps(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "MAX_STEPS", 5)
    for value in range(1, 200):
        recording.apply(turn(recording, 3, float(value)))
    history = recording.history
    assert len(history.steps) <= 5
    assert history.dropped + len(history.steps) == 199
    while recording.undo() is not None:
        pass
    assert yaw(recording, 3) == history.dropped
    assert recording.is_modified


def test_history_has_a_bound_in_bytes(recording: Recording) -> None:
    recording.history.max_bytes = 100_000
    largest = 0
    for value in range(1, 300):
        recording.apply(retime(recording, slice(None), by=float(value)))
        *_, held = memory_used(recording.history.steps)
        largest = max(largest, next(memory_used(recording.history.steps)))
        assert held <= 100_000 + 64 * largest
    assert recording.history.dropped > 0
    assert recording.history.position == len(recording.history.steps)


def test_rows_that_stand_one_behind_the_other_are_read_at_once(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def read(self: File, offset: int, size: int, _read: Callable[..., bytes] = File.read) -> bytes:
        sizes.append(size)
        return _read(self, offset, size)

    monkeypatch.setattr(File, "read", read)
    assert content(recording) == DRIVE
    assert len(sizes) == 1


def test_any_stretch_of_edited_rows_is_what_would_be_saved(recording: Recording) -> None:
    recording.apply(turn(recording, 5))
    recording.apply(retime(recording, np.array([2, 5, 20, 21])))
    recording.apply(edits.delete_rows(recording, 12, 2))
    snapshot, random = recording.snapshot, Random(1)
    whole = snapshot.header_bytes + b"".join(snapshot.row(row).data for row in range(snapshot.rows))
    for _ in range(300):
        start, size = random.randrange(len(whole)), random.choice((3, 40, 2000, len(whole)))
        assert snapshot.read(start, size) == whole[start : start + size]


def test_an_edit_of_one_field_keeps_two_rows_of_a_long_recording(tmp_path: Path) -> None:
    path = tmp_path / "long.log"
    path.write_bytes(builders.recording(*(builders.frame(n + 1, n / 20) for n in range(5000))))
    with recorder_editor.open(path) as recording:
        for frame in range(100, 4900, 400):
            place = edits.place(recording, frame=frame, packet="FrameStart", record=0, field="elapsed")
            recording.apply(edits.set_field(recording, place, 1000.0))
        for _ in range(3):
            recording.undo()
        splices = [splice for step in recording.history.steps for splice in (*step.forward, *step.backward)]
        arrays = [chunk if chunk.base is None else chunk.base for each in splices for chunk in each.inserted.chunks]
        assert len(recording.history.steps) == 12
        assert sum(array.nbytes for array in arrays) == 12 * 2 * 56


def test_what_is_pasted_keeps_no_longer_recording_alive(recording: Recording) -> None:
    table = FrameTable.from_rows(np.zeros(4096, recorder_editor.recording.frames.ROW)).slice(7, 8)
    recording.apply(Edit("Paste", recording.snapshot.version, (Splice(0, 0, table),)))
    (held,) = memory_used(recording.history.steps)
    assert held < 8 << 10


def step(number: int, rows: int = 1) -> Step:
    table = FrameTable.from_rows(np.zeros(rows, recorder_editor.recording.frames.ROW))
    splice = Splice(0, 0, table)
    return Step(number, "Edit", None, (splice,), ())


def test_one_step_larger_than_the_bound_can_still_be_undone() -> None:
    history = History(max_bytes=100_000)
    history.add(step(1))
    history.add(step(2, rows=5000))
    assert [one.number for one in history.steps] == [2]
    assert (history.position, history.dropped) == (1, 1)
    assert history.clean_position is None
    assert not history.is_clean


def test_the_clean_mark_moves_with_forgotten_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "MAX_STEPS", 3)
    history = History()
    for number in range(1, 4):
        history.add(step(number))
    history.mark_saved(history.bookmark())
    history.add(step(4))
    assert (history.position, history.clean_position) == (3, 2)
    history.position -= 1
    assert history.is_clean


def test_undo_reaches_back_through_bounded_history_to_the_byte(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_module, "MAX_STEPS", 4)
    states = [content(recording)]
    for frame in range(10):
        recording.apply(turn(recording, frame))
        states.append(content(recording))
    reached = [content(recording)]
    while recording.undo() is not None:
        reached.append(content(recording))
    assert reached == states[: recording.history.dropped - 1 : -1]


# --- saving through the API ---------------------------------------------------------------------------------


def test_save_tells_the_rows_have_not_moved(recording: Recording, file: Path) -> None:
    recording.apply(turn(recording, 3))
    change = recording.save(progress=Progress(lambda done, total: None, lambda: False))
    assert change.splices == ()
    assert not change.header
    assert not change.dialect
    assert recording.saved is recording.snapshot
    assert file.read_bytes() == content(recording)


def test_a_cancelled_save_leaves_nothing_behind(recording: Recording, file: Path) -> None:
    recording.apply(turn(recording, 3))
    before = recording.snapshot
    with pytest.raises(Cancelled):
        recording.save(file.with_name("other.log"), progress=Progress(is_cancelled=lambda: True))
    assert recording.snapshot is before
    assert recording.path == file
    assert recording.is_modified
    assert names(file.parent) == [file.name]


def test_what_was_saved_opens_as_the_same_recording(recording: Recording, file: Path) -> None:
    recording.apply(edits.insert_frame(recording, 5, copy_of=3))
    recording.apply(edits.set_frame_start(recording, 7, {"elapsed": float("inf")}))
    recording.save(str(file.with_name("other.log")))
    with recorder_editor.open(file.with_name("other.log")) as again:
        assert [frame.data for frame in again] == [frame.data for frame in recording]
        assert replace(again.detection) == recording.detection
        assert again.findings == ()


# --- large frames ---------------------------------------------------------------------------------------


def test_the_bytes_of_a_large_frame_are_held_once_and_only_while_somebody_looks() -> None:
    size = 17 << 20
    large = [builders.packet(120, bytes(size))]
    with opened(film(large, large)) as recording:
        snapshot = recording.snapshot
        tracemalloc.start()
        try:
            first = snapshot.frame(0)
            assert len(first.data) > size
            assert tracemalloc.get_traced_memory()[1] < 1.5 * size
            snapshot.frame(1).packet("FrameEnd")
            assert snapshot.frame(0) is first
            del first
            gc.collect()
            assert tracemalloc.get_traced_memory()[0] < size
        finally:
            tracemalloc.stop()
