"""Segments: the list, its text, and the recordings that are made of it."""

import csv
import io
import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import edits
from recorder_editor.edits.segments import (
    Segment,
    cut_out,
    file_names,
    join_segments,
    new_segment,
    read_segments,
    split_segments,
    write_segments,
)
from recorder_editor.edits.trim import part_of
from recorder_editor.errors import EditError, NothingToDo
from recorder_editor.recording.save import save_copy
from recorder_editor.recording.snapshot import Snapshot
from recorder_editor.recording.source_refs import sources_of

from .. import builders as b
from ..extent import examples
from ..recording.films import BIKES, of_real
from ..replaying import assert_replays_same

FRAMES = 12


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    path = tmp_path_factory.mktemp("drive") / "drive.log"
    path.write_bytes(b.drive(FRAMES))
    with recorder_editor.open(path) as recording:
        yield recording.snapshot


@given(st.lists(st.integers(0, FRAMES), max_size=20))
def test_splits_leave_every_frame_in_one_segment_and_cut_where_they_were_asked(places: list[int]) -> None:
    segments: tuple[Segment, ...] = ()
    naive = [list(range(FRAMES))]  # the frames of each segment
    for place in places:
        before = [frames for frames in naive if place in frames[1:]]
        if not before:
            with pytest.raises(NothingToDo):
                split_segments(segments, place, FRAMES)
            continue
        at = naive.index(before[0])
        naive[at : at + 1] = [[n for n in naive[at] if n < place], [n for n in naive[at] if n >= place]]
        segments = split_segments(segments, place, FRAMES)
    assert [list(each.frames) for each in segments] == (naive if segments else [])
    assert len({each.name for each in segments}) == len(segments)


def test_of_overlapping_segments_the_first_is_split_and_both_parts_are_as_it_was() -> None:
    first, second = Segment("one", 0, 8, "#112233", is_on=False), Segment("two", 4, 10)
    before, after, other = split_segments((first, second), 6, FRAMES)
    assert (before, other) == (first._replace(stop=6), second)
    assert after.frames == range(6, 8)
    assert after.name not in ("one", "two")
    assert not after.is_on


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
spans = st.tuples(st.integers(0, FRAMES - 1), st.integers(1, FRAMES)).filter(lambda ends: ends[0] < ends[1])
lists = st.lists(st.tuples(texts, spans, st.integers(0, 0xFFFFFF), st.booleans()), max_size=6)


@settings(max_examples=examples(60))
@given(lists, st.booleans())
def test_a_list_that_is_written_is_read_as_it_was(
    drive: Snapshot, rows: list[tuple[str, tuple[int, int], int, bool]], as_json: bool
) -> None:
    made = [Segment(name.strip() or "x", *ends, f"#{color:06x}", on) for name, ends, color, on in rows]
    written = write_segments(drive, made, as_json=as_json)
    found = read_segments(drive, written.encode())
    if as_json:
        assert list(found) == made
        assert len(json.loads(written)) == len(made)
    else:
        assert [each[:3] for each in found] == [each[:3] for each in made]
        assert next(csv.reader(io.StringIO(written))) == ["start", "end", "name"]


def test_columns_may_have_another_order_and_ends_may_be_missing(drive: Snapshot) -> None:
    text = "\ufeffName, End ,Start,remark\nfirst,#4,,x\n\n,,#10,\n"
    first, second = read_segments(drive, text.encode())
    assert (first.name, first.frames) == ("first", range(3))
    assert (second.name, second.frames) == (new_segment((), range(1)).name, range(9, FRAMES))
    third, fourth = read_segments(drive, b"0,0.1s\n#5,#8,named\n")
    assert third.start == 0
    assert fourth.name == "named"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"start,end,name\n0,#4,ok\n#9,#4,wrong\n", "Line 3: No frame lies from #9"),
        (b"0,soon,x\n", "Line 1: "),
        (b"#1,#4,ok\n7 km,,x\n", "Line 2: "),
        (b'#1,#4,"ok"x\n', "Line 1: This is not CSV"),
        (b"#1,#4,ok\n#2,#3,\xff\n", "Line 2: This is not UTF-8."),
        (b'[{"start": 0},\n{"start": 0,}]', "Line 2: "),
        (b'[{"start": 0}, {"start": true}]', "Segment 2: "),
        (b'[{"start": 0}, {"start": 0, "name": 5}]', "Segment 2: This is no segment"),
        (b'[{"start": 0, "on": "yes"}]', "Segment 1: This is no segment"),
        (b"[7]", "Segment 1: This is no segment"),
        (b'{"start": "#99", "end": "#98"}', "Segment 1: This is no segment"),
        (b"#99999,,late", "Line 1: No frame"),
    ],
)
def test_what_is_wrong_with_a_list_is_told_with_its_place(drive: Snapshot, text: bytes, words: str) -> None:
    with pytest.raises(EditError) as error:
        read_segments(drive, text)
    assert error.value.message.startswith(words)


def test_a_recording_without_frames_has_no_segments(tmp_path: Path) -> None:
    path = tmp_path / "empty.log"
    path.write_bytes(b.recording())
    with recorder_editor.open(path) as recording, pytest.raises(EditError, match="no frames"):
        read_segments(recording.snapshot, b'[{"name": "all"}]')


def test_times_that_do_not_rise_are_written_as_frames(tmp_path: Path) -> None:
    path = tmp_path / "odd.log"
    path.write_bytes(b.recording(*(b.frame(n + 1, time, 0.1) for n, time in enumerate((0.0, math.nan, 0.2, 0.1)))))
    with recorder_editor.open(path) as recording:
        made = (Segment("a", 1, 3),)
        text = write_segments(recording.snapshot, made, as_json=False)
        assert text.splitlines()[1] == "#2,#4,a"
        assert read_segments(recording.snapshot, text.encode())[0].frames == range(1, 3)


def test_file_names_are_made_of_the_pattern_and_hold_nothing_that_a_system_refuses() -> None:
    segments = [Segment("../a:b\n", 0, 1), Segment("two", 1, 2)]
    names = file_names(segments, Path("folder/my drive.rec"))
    assert names == ["my drive-001-.._a_b_.rec", "my drive-002-two.rec"]
    assert file_names(segments, Path("x.log"), "{segment}") == ["_a_b_.log", "two.log"]
    for pattern in ("same", "", " . "):
        with pytest.raises(EditError, match=r"\{index\}"):
            file_names(segments, Path("x.log"), pattern)
    with pytest.raises(EditError):
        file_names([Segment("A", 0, 1), Segment("a", 1, 2)], Path("x.log"), "{segment}")


@of_real(BIKES)
def test_segments_that_are_joined_replay_one_after_another(short_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(short_recording) as recording:
        snapshot = recording.snapshot
        ranges = [range(len(recording) // 2, len(recording)), range(2, len(recording) // 2)]
        made = join_segments(recording, ranges)
        opened_before = sources_of([snapshot.table]) | {snapshot.store.scratch}
        assert sources_of([made.table]) <= opened_before  # the file is not opened for each of them
        save_copy(made, tmp_path / "joined.log")
        paths = [tmp_path / f"{n}.log" for n in range(2)]
        for path, frames in zip(paths, ranges, strict=True):
            save_copy(part_of(recording, frames), path)
        with recorder_editor.open(paths[0]) as first, recorder_editor.open(paths[1]) as second:
            first.apply(edits.join(first, [second], match_actors=True))
            first.save(tmp_path / "by hand.log")
        assert (tmp_path / "joined.log").read_bytes() == (tmp_path / "by hand.log").read_bytes()
        assert recording.snapshot is snapshot
        assert recording.snapshot.read(0, snapshot.size) == short_recording.read_bytes()


def test_joining_one_segment_is_a_trim(drive: Snapshot) -> None:
    assert len(join_segments(drive, [range(3, 5)])) == 2


@of_real(BIKES)
def test_segments_are_cut_out_in_one_step_wherever_they_are(short_recording: Path) -> None:
    with recorder_editor.open(short_recording) as recording:
        whole, frames = recording.snapshot, len(recording)
        assert frames > 20
        edit = cut_out(recording, [range(12, 15), range(4, 8), range(6, 9), range(9, 10)])
        recording.apply(edit)
        assert len(recording.history.steps) == 1
        one_by_one = whole.after(edits.cut(whole, range(12, 15)))
        one_by_one = one_by_one.after(edits.cut(one_by_one, range(4, 10)))
        assert [frame.data for frame in recording.snapshot] == [frame.data for frame in one_by_one]
        recording.undo()
        assert recording.snapshot.read(0, whole.size) == short_recording.read_bytes()
        with pytest.raises(EditError, match="nothing would be left"):
            cut_out(recording, [range(5, frames), range(5)])


def test_a_segment_within_another_is_cut_out_with_it(drive: Snapshot) -> None:
    left = drive.after(cut_out(drive, [range(2, 9), range(4, 6)]))
    assert len(left) == FRAMES - 7


@of_real(BIKES)
def test_one_of_several_segments_replays_as_it_did(short_recording: Path) -> None:
    with recorder_editor.open(short_recording) as recording:
        made = join_segments(recording, [range(3, 9), range(12, 16)])
        assert_replays_same(recording.snapshot, 3, 6, made.after(edits.trim(made, range(6))))
