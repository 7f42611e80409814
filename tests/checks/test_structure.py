"""Structure: what is no frame, and what is not as long as it says, is found and named."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recorder_editor import edits
from recorder_editor.api import open_recording
from recorder_editor.checks import check, checking, fix, fix_all, fixes, rule, structure
from recorder_editor.checks.rule import place_of
from recorder_editor.errors import Cancelled
from recorder_editor.progress import Progress
from recorder_editor.recording.findings import Finding
from recorder_editor.recording.history import Edit
from recorder_editor.recording.snapshot import Packet, Snapshot

from .. import builders as b


def findings(tmp_path: Path, data: bytes) -> list[Finding]:
    path = tmp_path / "file.log"
    path.write_bytes(data)
    with open_recording(path) as recording:
        return structural(recording.snapshot)


def structural(snapshot: Snapshot) -> list[Finding]:
    """What is found of the structure, the other subjects left out."""
    return [finding for finding in check(snapshot) if rule(finding.code).subject == "structure"]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "empty"),
        (bytes(5000), "zeros"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "PNG"),
        (b"dear diary, today nothing was recorded\n" * 10, "text"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 3331829\n", "run git lfs pull"),
        (bytes(range(256)) * 20, "not a CARLA recording"),
        (b.drive(2)[:20], "damaged"),
        (("\ufffd" * 400 + "x").encode(), "as text"),
    ],
)
def test_what_is_no_recording_is_told_for_what_it_is(tmp_path: Path, data: bytes, word: str) -> None:
    (finding,) = findings(tmp_path, data)
    assert (finding.code, finding.severity) == ("no-header", "error")
    assert word in finding.message


def test_a_header_alone_has_no_frame(tmp_path: Path) -> None:
    assert [finding.code for finding in findings(tmp_path, b.header())] == ["no-frames"]


def test_sound_files_of_every_kind_have_no_errors(tmp_path: Path) -> None:
    assert not [finding for finding in findings(tmp_path, b.drive(20)) if finding.severity == "error"]


@pytest.mark.parametrize(
    ("number", "body", "word"),
    [
        (6, b.position([b.pose(1)]) + b"\0\0", "2 bytes after the last record"),
        (6, b.u16(3) + b.position([b.pose(1)])[2:], "says 3 records"),
        (3, b"\1", "needs 2 bytes"),
        (14, b"\0" * 7, "needs 8 bytes"),
        (14, b"\0" * 9, "1 byte after the end"),
        (2, b.u16(1) + b"\0" * 20, "ends in"),
        (2, b.u16(5), "says 5 records"),
        (1, b"x", "has no body"),
    ],
)
def test_a_body_that_is_not_as_long_as_it_says_is_found(tmp_path: Path, number: int, body: bytes, word: str) -> None:
    frames = [b.frame(n, 0.1 * n, packets=[b.packet(4, b.u16(0)), b.packet(number, body)]) for n in (1, 2, 3)]
    found = findings(tmp_path, b.recording(*frames))
    assert [finding.code for finding in found] == ["body-size"] * 3
    assert all(word in finding.message for finding in found)
    assert [finding.frame_index for finding in found] == [0, 1, 2]
    first = len(b.header()) + 29 + 7 + 5
    assert first <= (found[0].offset or 0) <= first + len(body)


def test_an_unknown_packet_is_mentioned_once(tmp_path: Path) -> None:
    frames = [b.frame(n, 0.1 * n, packets=[b.packet(77, b"abc")]) for n in (1, 2, 3)]
    found = findings(tmp_path, b.recording(*frames))
    assert [(finding.code, finding.severity) for finding in found] == [("unknown-packet", "info")]


def test_what_is_no_frame_is_told_as_the_scan_tells_it(tmp_path: Path) -> None:
    whole = b.drive(4)
    cut = whole[:-30]
    path = tmp_path / "cut.log"
    path.write_bytes(cut)
    with open_recording(path) as recording:
        assert [one for one in check(recording.snapshot) if one.severity == "error"] == list(recording.findings)


def test_findings_follow_an_edit(tmp_path: Path) -> None:
    path = tmp_path / "file.log"
    path.write_bytes(b.drive(4))
    with open_recording(path) as recording:
        packet = recording[1].packet("Position")
        assert packet is not None
        recording.apply(edits.replace_body(recording, edits.Place(1, packet.index), packet.body + b"!"))
        assert [finding.code for finding in check(recording.snapshot)] == ["body-size"]
        recording.undo()
        assert check(recording.snapshot) == []


def test_a_check_reports_progress_and_can_be_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "file.log"
    path.write_bytes(b.drive(4))
    seen: list[tuple[int, int]] = []
    with open_recording(path) as recording:
        check(recording.snapshot, Progress(lambda done, total: seen.append((done, total))))
        shares = [done / total for done, total in seen]
        assert shares == sorted(shares)
        assert seen[-1] == (4, 4)
        with pytest.raises(Cancelled):
            check(recording.snapshot, Progress(is_cancelled=lambda: True))


def test_thousands_of_findings_are_counted_not_listed(tmp_path: Path) -> None:
    body = b.u16(9)
    frame = b.frame(1, packets=[b.packet(6, body)])
    found = findings(tmp_path, b.recording(*[frame] * 1500))
    assert len(found) == 1001
    assert "500 more" in found[-1].message


def test_zeros_before_the_first_frame_belong_to_none(tmp_path: Path) -> None:
    found = findings(tmp_path, b.header() + bytes(5000) + b.frame(1, 1.0, 1.0, [b.packet(3, b.u16(0))]))
    (zeros,) = [finding for finding in found if "zero" in finding.message]
    assert zeros.frame_index is None


def test_an_edit_after_which_the_file_would_not_be_recognised_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(b.drive(3))
    with open_recording(path) as recording:
        assert check(recording.snapshot) == []
        recording.apply(edits.overwrite(recording, len(b.header()), b"\x30"))
        codes = [finding.code for finding in check(recording.snapshot)]
        assert "odd-beginning" in codes
        recording.save()
    with open_recording(path) as recording:
        assert recording.header is None


@pytest.mark.parametrize(
    ("code", "frame"),
    [
        ("no-frame-end", lambda number: b.frame_start(number, number / 20, 0.05)),
        ("body-size", lambda number: b.frame(number, number / 20, 0.05, [b.packet(6, b.u16(3) + bytes(5))])),
    ],
)
def test_many_rows_are_mended_without_a_state_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, frame: Callable[[int], bytes]
) -> None:
    path = tmp_path / "many.log"
    path.write_bytes(b.recording(*(frame(number) for number in range(1, 31))))
    states: list[int] = []

    def after(self: Snapshot, edit: Edit, _after: Callable[..., Snapshot] = Snapshot.after) -> Snapshot:
        states.append(1)
        return _after(self, edit)

    monkeypatch.setattr(Snapshot, "after", after)
    with open_recording(path) as recording:
        found = [finding for finding in structural(recording.snapshot) if finding.code == code]
        recording.apply(fix(recording.snapshot, found))
        left = [finding.code for finding in structural(recording.snapshot)]
    assert len(found) == 30
    assert code not in left
    assert states == []


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one with every check of a whole recording."""
    made: list[int] = []

    def found(*arguments: Any, _found: Callable[..., Iterator[Finding]] = structure.find) -> Iterator[Finding]:
        made.append(1)
        return _found(*arguments)

    monkeypatch.setattr(structure, "find", found)
    return made


@pytest.mark.parametrize(
    ("frame", "label"),
    [
        (lambda number: b.frame_start(number, number / 20, 0.05), "End 30 frames"),
        (
            lambda number: b.frame(number, number / 20, 0.05, [b.packet(6, b.u16(3) + bytes(5))]),
            "Correct 30 packets of wrong size or count",
        ),
        (lambda number: b.frame(number, number / 20, 0.05) + b.packet(9), "Delete 150 bytes outside of frames"),
    ],
)
def test_more_findings_than_are_listed_are_mended_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checks: list[int], frame: Callable[[int], bytes], label: str
) -> None:
    monkeypatch.setattr(checking, "MAX_PER_CODE", 7)
    path = tmp_path / "many.log"
    path.write_bytes(b.recording(*(frame(number) for number in range(30))))
    with open_recording(path) as recording:
        assert fix_all(recording, ("error",)) == [
            each for each in check(recording.snapshot) if each.severity != "error"
        ]
        assert [step.label for step in recording.history.steps] == [label]
        assert [(each.frame_id, each.packets[-1].name) for each in recording] == [(n, "FrameEnd") for n in range(30)]
    assert len(checks) == 3  # before, behind the step, and the test's own


def test_no_row_that_is_no_frame_goes_untold(tmp_path: Path) -> None:
    found = findings(tmp_path, b.recording(*[b.frame_start(1)] * 4_100))
    assert "3,100 more findings of the kind no-frame-end are not listed." in [each.message for each in found]


def test_what_is_more_than_memory_may_hold_is_mended_in_several_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "MAX_FIXED_AT_ONCE", 12)
    path = tmp_path / "many.log"
    path.write_bytes(b.recording(*(b.frame_start(number) for number in range(30))))
    with open_recording(path) as recording:
        assert "no-frame-end" not in [each.code for each in fix_all(recording, ("error",))]
        assert [step.label for step in recording.history.steps] == ["End 12 frames", "End 12 frames", "End 6 frames"]


def test_a_kind_that_its_fix_does_not_make_fewer_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checks: list[int]
) -> None:
    monkeypatch.setattr(checking, "MAX_FIXED_AT_ONCE", 12)
    monkeypatch.setattr(fixes, "_FRAME_END", b"")
    path = tmp_path / "many.log"
    path.write_bytes(b.recording(*(b.frame_start(number) for number in range(30))))
    with open_recording(path) as recording:
        assert "no-frame-end" in [each.code for each in fix_all(recording, ("error",))]
        assert len(recording.history.steps) == 1
    assert len(checks) == 2


def test_the_packet_of_a_finding_is_found_without_going_through_its_frame(tmp_path: Path) -> None:
    looked_at: list[int] = []

    class Watched(tuple[Packet, ...]):
        def __getitem__(self, index: Any) -> Any:
            looked_at.append(1)
            return super().__getitem__(index)

        def __iter__(self) -> Iterator[Packet]:
            return (self[index] for index in range(len(self)))

    path = tmp_path / "many.log"
    path.write_bytes(b.recording(b.frame(1, packets=[b.packet(6, b.u16(3) + bytes(5))] * 500)))
    with open_recording(path) as recording:
        found = [finding for finding in structural(recording.snapshot) if finding.code == "body-size"]
        row = recording.snapshot.row(0)
        row.__dict__["packets"] = Watched(row.packets)  # where the row itself keeps them
        assert [place_of(recording.snapshot, finding).packet for finding in found] == list(range(1, 501))
    assert 500 <= len(looked_at) <= 500 * 12
