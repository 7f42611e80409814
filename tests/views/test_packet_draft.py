"""The draft of a description of a packet: reading bodies, what comes next, what does not fit, undo, the file."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from recorder_editor.format.packet_files import PacketFileError, parse_packet_file, with_packets
from recorder_editor.recording import Snapshot
from recorder_editor.recording.recording import open_recording
from recorder_editor.views.packet_draft import (
    Draft,
    DraftHistory,
    DraftMember,
    candidates,
    draft_of,
    file_content,
    layout_of,
    read_body,
    review,
    rows_with,
    sample_of,
)

from .. import builders as b

LEVEL = DraftMember("level", "u16")
NAME = DraftMember("name", "str")
PLACE = Path("own.packets.json")


def body(index: int) -> bytes:
    return b.u16(1000 + index) + b.string("car" if index < 2 else "truck") + b.boolean(index % 2) + b.f32(0.5 + index)


@pytest.fixture
def snapshot(tmp_path: Path) -> Iterator[Snapshot]:
    frames = [b.frame(number, packets=[b.packet(150, body(number))]) for number in range(4)]
    path = tmp_path / "own.log"
    path.write_bytes(b.recording(*frames, b.frame(4)))
    with open_recording(path) as recording:
        yield recording.snapshot


def frames_of(snapshot: Snapshot) -> dict[int, int]:
    return {row: row + 1 for row in range(snapshot.rows)}


def best(snapshot: Snapshot, *members: DraftMember) -> str:
    draft = Draft(150, "Own", members=members)
    sample = sample_of(snapshot, 150)
    (one,) = [found.type for found in candidates(draft, snapshot.dialect, sample, body(0)) if found.best]
    return one


def test_only_frames_with_the_packet_are_taken(snapshot: Snapshot) -> None:
    assert rows_with(snapshot, 150) == (0, 1, 2, 3)
    assert rows_with(snapshot, 151) == ()
    assert sample_of(snapshot, 150).bodies[2] == body(2)


def test_members_are_found_in_the_bytes_with_their_values(snapshot: Snapshot) -> None:
    layout = layout_of(Draft(150, members=(LEVEL, NAME)), snapshot.dialect)
    reading = read_body(layout, body(3))
    assert [(span.start, span.stop, span.text) for span in reading.spans] == [(0, 2, "1,003"), (2, 9, "truck")]
    assert reading.stop == 9
    assert not reading.fits(len(body(3)))


def test_all_records_of_a_list_are_read_where_they_fit(snapshot: Snapshot) -> None:
    data = b.u16(3) + b.u16(7) + b.u16(8) + b.u16(9)
    draft = Draft(150, body="list", members=(LEVEL,))
    reading = read_body(layout_of(draft, snapshot.dialect), data)
    assert [span.text for span in (*reading.spans, *reading.more)] == ["7", "8", "9"]
    assert reading.fits(len(data))
    short = read_body(layout_of(draft, snapshot.dialect), data + b"\0")
    assert (short.more, short.stop) == ((), 4)


def test_a_member_that_runs_past_the_end_is_named(snapshot: Snapshot) -> None:
    reading = read_body(layout_of(Draft(150, members=(LEVEL, NAME)), snapshot.dialect), b.u16(1) + b.u16(9) + b"ab")
    assert (reading.cut, reading.stop) == (1, 2)


def test_what_fits_in_all_frames_is_offered(snapshot: Snapshot) -> None:
    assert best(snapshot, LEVEL) == "str"
    assert best(snapshot, LEVEL, NAME) == "bool"
    assert best(snapshot, LEVEL, NAME, DraftMember("on", "bool")) == "f32"


def test_nothing_is_offered_where_all_bytes_are_described(snapshot: Snapshot) -> None:
    members = (LEVEL, NAME, DraftMember("on", "bool"), DraftMember("share", "f32"))
    draft = Draft(150, members=members)
    assert candidates(draft, snapshot.dialect, sample_of(snapshot, 150), body(0)) == ()


def test_sentences_say_what_does_not_fit(snapshot: Snapshot) -> None:
    sample = sample_of(snapshot, 150)
    frames = frames_of(snapshot)
    remarks = review(Draft(150, members=(LEVEL, NAME)), snapshot.dialect, sample, frames)
    assert [remark.text for remark in remarks] == [
        "5 bytes after name are not described, from 0007 to 0009. They are kept and saved as they are.",
        "The length differs: 12 bytes in frame 1, 14 in frame 3.",
        "2 members fit in 4 of 4 frames; no switch is other than 0 or 1, no number is NaN.",
    ]
    (error, *_) = review(Draft(150, members=(NAME,)), snapshot.dialect, sample, frames)
    assert error.severity == "error"
    assert "name does not fit in frame 1: it begins at 0000, and the body has 12 bytes." in error.text


def test_undo_and_redo_go_through_the_drafts() -> None:
    history = DraftHistory(Draft(150))
    assert not history.undo()
    history.set(history.draft.added(LEVEL))
    history.set(history.draft.with_member(0, name="height"))
    assert not history.set(history.draft)
    assert history.undo()
    assert history.draft.members == (LEVEL,)
    assert history.redo()
    assert history.draft.members[0].name == "height"


def test_members_move_and_keep_their_order_at_the_ends() -> None:
    draft = Draft(150, members=(LEVEL, NAME))
    assert draft.moved(0, 1).members == (NAME, LEVEL)
    assert draft.moved(1, 1) == draft
    assert draft.added(LEVEL).free_name("level") == "level_2"


def test_a_file_keeps_its_other_packets_and_all_else() -> None:
    other = {"id": [151, 152], "name": "Other", "members": [["a", "u8", "A", {"choices": "kinds"}]]}
    mine = {"id": 150, "name": "Old", "key": [], "members": [["b", "u8", "B"]]}
    content = json.dumps({"choices": {"kinds": ["x", "y"]}, "packets": [mine, other]}).encode()
    existing = parse_packet_file(content, PLACE)
    written = file_content(Draft(150, "Own", members=(LEVEL,)), existing, PLACE)
    file = parse_packet_file(written, PLACE)
    assert file.packets[150]["name"] == "Own"
    assert json.loads(written)["packets"][1] == other
    assert file.choices["kinds"] == {0: "x", 1: "y"}


def test_a_draft_that_is_not_valid_is_refused() -> None:
    with pytest.raises(PacketFileError, match="is not a name of a packet"):
        file_content(Draft(150, "", members=(LEVEL,)), None, PLACE)


def test_a_description_that_there_is_stays_as_it_is_when_it_is_saved_again(recordings: Path) -> None:
    existing = json.dumps(
        {
            "packets": [
                {
                    "id": 150,
                    "name": "Own",
                    "record": "sample",
                    "body": "list",
                    "lifetime": "event",
                    "meaning": "Mine",
                    "key": [],
                    "members": [
                        ["kind", "u8", "Kind", "m", {"high": 9}],
                        {
                            "path": "parts",
                            "count": "u16",
                            "meaning": "P",
                            "element": "part",
                            "members": [["a", "u8", "A"]],
                        },
                    ],
                }
            ]
        }
    )
    file = parse_packet_file(existing.encode(), PLACE)
    with open_recording(min(recordings.glob("*.log"))) as recording:
        dialect = recording.snapshot.dialect
        described = with_packets(dialect, [file], [150])
        snapshot = replace(recording.snapshot, detection=replace(recording.snapshot.detection, dialect=described))
        draft = draft_of(snapshot, 150)
    assert json.loads(file_content(draft, file, PLACE)) == json.loads(existing)
    reading = read_body(layout_of(draft, dialect), b.u16(1) + b"\x07" + b.u16(2) + b"\1\2")
    assert [span.text for span in reading.spans] == ["7", "2 elements"]
    assert reading.fits(7)
