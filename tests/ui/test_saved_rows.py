"""What is told when a recording was saved: how many bytes differ, or which frames."""

from pathlib import Path

from recorder_editor import edits
from recorder_editor.edits.packets import delete_rows
from recorder_editor.recording.history import Edit
from recorder_editor.repair import propose
from recorder_editor.ui.session import Session
from recorder_editor.views.saved_rows import differences

from .. import builders as b


def test_what_differs_is_counted_in_bytes_or_in_frames_where_bytes_moved(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(40, vehicles=2))
    session.open(path)
    assert session.recording is not None
    saved = session.recording.saved

    def told(edit: Edit) -> str:
        session.editing.apply(edit)
        return differences(saved, session.snapshot_or_refuse())

    def field(frame: int, value: float) -> Edit:
        snapshot = session.snapshot_or_refuse()
        place = edits.place(snapshot, frame=frame, packet="Position", record=0, field="location.z")
        return edits.set_field(snapshot, place, value)

    assert differences(saved, saved) == "0 bytes differ"
    session.editing.apply(field(3, -1.0))
    before, after = (b"".join(one.pieces(0, one.size)) for one in (saved, session.snapshot_or_refuse()))
    number = sum(x != y for x, y in zip(before, after, strict=True))
    assert differences(saved, session.snapshot_or_refuse()) == f"{number} bytes differ"
    assert told(delete_rows(session.snapshot_or_refuse(), 5)) == "1 frame edited, 1 frame removed"
    assert told(edits.insert_frame(session.snapshot_or_refuse(), 9, copy_of=2)).endswith(
        "1 frame inserted, 1 frame removed"
    )
    session.editing.go_to_step(0)
    assert differences(saved, session.snapshot_or_refuse()) == "0 bytes differ"


def repaired(session: Session, path: Path) -> tuple[str, int, int]:
    """What is told of a repair, and how many frames there were before and after it."""
    session.open(path)
    before = session.snapshot_or_refuse()
    session.editing.apply(propose(before).edit())
    after = session.snapshot_or_refuse()
    return differences(before, after), len(before), len(after)


def test_a_torn_tail_that_a_repair_takes_is_no_frame(session: Session, recordings: Path, tmp_path: Path) -> None:
    whole = (recordings / "carla-0.9.13-opendrive.log").read_bytes()
    path = tmp_path / "truncated.log"
    path.write_bytes(whole[:70_001])
    assert repaired(session, path) == ("1 frame edited, 1 damaged place removed", 83, 83)


def test_a_frame_that_a_repair_finds_in_damaged_bytes_is_inserted(
    session: Session, recordings: Path, tmp_path: Path
) -> None:
    whole = (recordings / "carla-0.9.13-opendrive.log").read_bytes()
    path = tmp_path / "hole.log"
    path.write_bytes(whole[:30_000] + bytes(5000) + whole[35_000:])
    told = "1 frame edited, 1 frame inserted, 1 damaged place removed"
    assert repaired(session, path) == (told, 109, 110)


def test_frames_and_damaged_places_that_go_are_counted_by_themselves(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "torn.log"
    path.write_bytes(b.drive(10, vehicles=2) + b"\xff" * 50)
    session.open(path)
    before = session.snapshot_or_refuse()
    assert before.rows == len(before) + 1
    session.editing.apply(delete_rows(before, before.rows - 3, 3))
    removed = session.snapshot_or_refuse()
    assert differences(before, removed) == "2 frames removed, 1 damaged place removed"
    assert differences(removed, before) == "2 frames inserted, 1 damaged place inserted"
