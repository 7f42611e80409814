"""Findings carried over an edit are those that a check of the edited recording finds, as far as rows tell them."""

from collections.abc import Callable

import pytest

from recorder_editor import Recording, edits
from recorder_editor.checks import check, rule, updated_findings
from recorder_editor.edits import Place
from recorder_editor.recording.findings import Finding
from recorder_editor.recording.history import Edit

from .. import builders as b
from ..recording.films import add, delete, opened

POSES = b.packet(6, b.position([b.pose(1)]))
LONG = b.packet(6, b.position([b.pose(1)]) + b"!!")
AILING = b.recording(
    b.frame(1, 0.0, 0.1, [add(b.actor(1)), POSES]),
    b.frame(2, 0.1, 0.1, [LONG]),
    b.frame(3, 0.2, 0.1, [delete(7), POSES]),
    b.frame(4, 0.3, 0.1, [LONG]),
    b.frame(5, 0.4, 0.1, [delete(8), POSES]),
    b.frame(6, 0.5, -1.0, [LONG]),
)

EDITS: dict[str, Callable[[Recording], Edit]] = {
    "a body mended": lambda it: edits.replace_body(it, Place(1, 1), POSES[5:]),
    "a body broken": lambda it: edits.replace_body(it, Place(2, 2), LONG[5:]),
    "a body longer": lambda it: edits.replace_body(it, Place(0, 2), LONG[5:] + bytes(99)),
    "a frame more": lambda it: edits.insert_frame(it, 1),
    "a frame doubled": lambda it: edits.insert_frame(it, 1, copy_of=3),
    "frames gone": lambda it: edits.delete_rows(it, 1, 3),
    "a field set": lambda it: edits.set_field(it, Place(0, 2, 0, "location.x"), 5.0),
    "a packet less": lambda it: edits.delete_packet(it, Place(3, 1)),
    "bytes typed": lambda it: edits.overwrite(it, it.snapshot.position(3) + 29, b"\x63"),
    "bytes torn": lambda it: edits.replace_bytes(it, it.snapshot.size - 3, it.snapshot.size, b""),
}


def of_rows(findings: list[Finding] | tuple[Finding, ...]) -> set[tuple[str, int | None, int | None, int | None]]:
    """Where structure is wrong, and how."""
    return {
        (one.code, one.row, one.offset, one.frame_index) for one in findings if rule(one.code).subject == "structure"
    }


@pytest.mark.parametrize("name", EDITS)
def test_what_is_known_at_once_is_what_a_check_finds(name: str) -> None:
    with opened(AILING) as recording:
        before = check(recording.snapshot)
        change = recording.apply(EDITS[name](recording))
        carried = updated_findings(before, change.before, change.after, change.splices)
        assert of_rows(carried) == of_rows(check(recording.snapshot))
        back = recording.undo()
        assert back is not None
        again = updated_findings(carried, back.before, back.after, back.splices)
        assert of_rows(again) == of_rows(before)


def test_what_concerns_other_frames_stays_with_them() -> None:
    with opened(AILING) as recording:
        before = check(recording.snapshot)
        change = recording.apply(edits.insert_frame(recording, 0))
        carried = updated_findings(before, change.before, change.after, change.splices)
        strangers = [one for one in carried if one.code == "replay-deleted-unknown"]
        assert [one.frame_index for one in strangers] == [3, 5]
        for one in strangers:
            assert one.offset is not None
            assert recording.snapshot.read(one.offset, 1) in (b"\7", b"\x08")


def test_an_edit_of_many_frames_waits_for_the_check_of_all() -> None:
    frames = [b.frame(n + 1, n * 0.1, 0.1, [LONG]) for n in range(200)]
    with opened(b.recording(*frames)) as recording:
        before = check(recording.snapshot)
        change = recording.apply(edits.retime(recording, 2.0))
        assert updated_findings(before, change.before, change.after, change.splices) == tuple(before)
