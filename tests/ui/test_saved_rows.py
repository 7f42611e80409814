"""What is told when a recording was saved: how many bytes differ, or which frames."""

from pathlib import Path

from recorder_editor import edits
from recorder_editor.edits.packets import delete_rows
from recorder_editor.recording.history import Edit
from recorder_editor.ui.saved_rows import differences
from recorder_editor.ui.session import Session

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
