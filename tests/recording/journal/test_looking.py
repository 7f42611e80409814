"""Looking at journals is in nobody's way, survives whatever lies there, and sweeps what is nobody's."""

import json
import os
import zlib
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.errors import RestoreRefused
from recorder_editor.recording import files, locking, recovery
from recorder_editor.recording.journal.codec import Reader
from recorder_editor.recording.journal.log_file import JournalFile
from recorder_editor.recording.locking import lock
from recorder_editor.recording.recovery import Leftover, find_leftovers, other_sessions
from recorder_editor.recording.store import Store, state_folder
from tests.recording.journal.crashes import crash, restored, the_leftover
from tests.recording.steps import content, names, posix, turn


def journals() -> Path:
    return state_folder() / "journals"


def scratch() -> Path:
    return state_folder() / "scratch"


def left_behind(file: Path, edits: int = 2) -> bytes:
    """Edit a recording and crash; what it held."""
    recording = recorder_editor.open(file)
    recording.keep_journal()
    for number in range(edits):
        recording.apply(turn(recording, number % 40, float(number)))
    held = content(recording)
    crash(recording)
    return held


# --- a look is not a claim ----------------------------------------------------------------------------------


def test_edits_are_restored_in_the_middle_of_a_look(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = left_behind(file)
    leftover, read, again = the_leftover(), recovery.read_lines, []

    def restored_while_read(path: Path) -> Any:
        monkeypatch.setattr(recovery, "read_lines", read)
        again.append(restored(leftover))
        return read(path)

    monkeypatch.setattr(recovery, "read_lines", restored_while_read)
    find_leftovers()
    with again[0] as recording:
        assert content(recording) == held


def test_edits_that_another_window_took_and_finished_are_told_as_such(file: Path) -> None:
    left_behind(file)
    leftover = the_leftover()
    restored().close()
    for act in (leftover.restore, leftover.discard):
        with pytest.raises(RestoreRefused, match=r"of town\.log are no longer kept: another window has"):
            act()


# --- what is swept ------------------------------------------------------------------------------------------


def test_a_journal_in_which_nothing_was_written_goes_with_its_maker() -> None:
    mine = JournalFile.create(journals())
    (journals() / "torn.journal").write_bytes(b'0123abcd {"form":1,')
    (journals() / "begun.journal").write_bytes(line({"form": 1, "opened": 1.0}))
    assert find_leftovers() == []
    assert names(journals()) == [mine.path.name]
    mine.close()
    assert find_leftovers() == []
    assert names(journals()) == []


def test_a_journal_without_edits_goes_with_its_maker_and_one_that_cannot_be_read_stays(file: Path) -> None:
    left_behind(file, edits=0)
    whole = next(journals().iterdir()).read_bytes()
    (journals() / "spoilt.journal").write_bytes(whole + b"00000000 {}\n" + line({"undo": True, "move": 0}))
    (journals() / "newer.journal").write_bytes(line({"form": 2}))
    assert find_leftovers() == []
    assert names(journals()) == ["newer.journal", "spoilt.journal"]


def test_a_journal_or_scratch_file_that_is_swept_before_it_is_locked_is_made_anew(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: list[int] = []
    is_sweeping = False

    def late(descriptor: int) -> bool:
        nonlocal is_sweeping
        if not is_sweeping and len(swept) < 2:
            is_sweeping = True
            swept.append(descriptor)
            find_leftovers()
            is_sweeping = False
        return lock(descriptor)

    monkeypatch.setattr(files, "lock", late)
    monkeypatch.setattr(locking, "lock", late)
    with recorder_editor.open(file) as recording:
        recording.keep_journal()
        recording.apply(turn(recording, 3))
        assert recording.journal is not None
        assert recording.journal.flush(30)
        assert recording.journal.path.exists()
        assert recording.store.scratch_path is not None
        assert recording.store.scratch_path.exists()
        held = content(recording)
        crash(recording)
    assert len(swept) == 2
    with restored() as again:
        assert content(again) == held


def test_scratch_files_go_with_their_makers_unless_a_journal_names_them(file: Path) -> None:
    left_behind(file)
    with Store() as store:
        store.append(b"bytes of somebody who lives")
        (scratch() / f"{'0' * 24}.bytes").write_bytes(b"bytes of somebody who is gone")
        assert len(names(scratch())) == 3
        assert len(find_leftovers()) == 1
        assert len(names(scratch())) == 2
    (journal,) = journals().iterdir()
    # It cannot be read any more, but may be mended.
    journal.write_bytes(b"\xff" + journal.read_bytes())
    assert find_leftovers() == []
    assert len(names(scratch())) == 1


def test_a_scratch_file_that_is_named_just_before_its_maker_is_gone_stays(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, named = left_behind(file), recovery._named_scratch_files
    looked: list[set[str]] = [set()]
    monkeypatch.setattr(recovery, "_named_scratch_files", lambda: looked.pop() if looked else named())
    find_leftovers()
    assert looked == []
    with restored() as again:
        assert content(again) == held


# --- whatever lies there ------------------------------------------------------------------------------------

SPOILT: tuple[tuple[str, Any], ...] = (
    ("opened", float("inf")),
    ("opened", float("nan")),
    ("opened", []),
    ("opened", 1e300),
    ("scratch", []),
    ("scratch", "\0"),
    ("scratch", 7),
    ("move", float("inf")),
    ("move", "one"),
    ("move", None),
    ("time", float("inf")),
    ("time", {}),
    ("base", []),
    ("path", 5),
    ("path", "\0"),
    ("identity", []),
    ("identity", [{}] * 5),
    ("since", float("inf")),
    ("edit", 5),
    ("edit", {"label": {}, "splices": 3}),
    ("saved", {}),
    ("path", "/" + "x" * 5000),
)


def line(entry: dict[str, Any]) -> bytes:
    text = json.dumps(entry).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def spoil(journal: Path, field: str, value: Any) -> None:
    """The field has another value in every line that has it, behind the right checksum."""
    entries = [json.loads(raw[9:]) for raw in journal.read_bytes().splitlines()]
    journal.write_bytes(b"".join(line({**entry, field: value} if field in entry else entry) for entry in entries))


@pytest.mark.parametrize(("field", "value"), SPOILT)
def test_odd_values_behind_right_checksums_stop_nobody(file: Path, field: str, value: Any) -> None:
    other = file.with_name("other.log")
    other.write_bytes(file.read_bytes())
    recording = recorder_editor.open(file)
    recording.keep_journal()
    recording.apply(turn(recording, 1))
    recording.save()
    recording.apply(turn(recording, 2))
    crash(recording)
    left_behind(other)
    assert [leftover.path for leftover in find_leftovers()] == [other, file]
    (spoilt,) = [leftover for leftover in find_leftovers() if leftover.path == file]
    spoil(spoilt.journal, field, value)
    assert other in [leftover.path for leftover in find_leftovers()]
    with recorder_editor.open(file) as looks:
        assert other_sessions(looks) == []
    try:
        left = Leftover(spoilt.journal)
        assert isinstance(left.obstacle(), str)
        left.restore().recording.close()
    except RestoreRefused:
        assert spoilt.journal.exists()


@pytest.mark.parametrize("headers", ["00", "0018000000" * 30, "0400000000", "ff"])
def test_a_layout_that_does_not_fit_its_rows_is_not_restored(file: Path, headers: str) -> None:
    left_behind(file, edits=1)
    (left,) = find_leftovers()
    entries = [json.loads(raw[9:]) for raw in left.journal.read_bytes().splitlines()]
    layouts = entries[-1]["edit"]["splices"][0][3]
    assert layouts
    layouts |= dict.fromkeys(layouts, headers)
    left.journal.write_bytes(b"".join(map(line, entries)))
    recording, words = Leftover(left.journal).restore()
    with recording:
        assert words.startswith("The last change could not be restored.")
        assert content(recording) == file.read_bytes()
        assert [packet.name for packet in recording[0]]


def test_keys_take_no_more_memory_than_there_are_rows(file: Path) -> None:
    with recorder_editor.open(file) as recording:
        data = zlib.compress(bytes(8 << 20), 9)
        _, offset = recording.store.append(data)
        reader = Reader(recording.store, recording.snapshot.layouts)
        assert reader.keys([offset, len(data), zlib.crc32(data)], 3).tolist() == [0, 0, 0]


@posix
def test_a_pipe_among_the_journals_stops_nobody(file: Path) -> None:
    left_behind(file)
    os.mkfifo(journals() / "0.journal")
    assert len(find_leftovers()) == 1
    with recorder_editor.open(file) as recording:
        assert other_sessions(recording) == []
