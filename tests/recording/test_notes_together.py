"""Several that write the notes of one recording: nobody loses what another wrote, nor what he could not write yet."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import Recording, edits
from recorder_editor.errors import EditError, FileBusy
from recorder_editor.recording.atomic_file import reserve, rewrite_file
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import NoteBook, fingerprint, notes_path, read_notes, write_notes

from .. import builders as b

PROJECT = Path(__file__).parents[2]
FRAMES = 9
Hook = Callable[[Callable[[], object]], None]


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(FRAMES, vehicles=2))
    return path


@pytest.fixture
def opened(drive: Path) -> Iterator[Recording]:
    with recorder_editor.open(drive) as recording:
        yield recording


@pytest.fixture
def while_writing(monkeypatch: pytest.MonkeyPatch) -> Hook:
    """Does something once, when the next file is written and not renamed yet."""
    sync = os.fsync

    def arrange(does: Callable[[], object]) -> None:
        due = [does]

        def hooked(descriptor: int) -> None:
            sync(descriptor)
            if due:
                due.pop()()

        monkeypatch.setattr(os, "fsync", hooked)

    return arrange


def texts(recording: Recording) -> list[str]:
    return sorted(note.text for note in read_notes(notes_path(recording.path).read_bytes())[1])


def add(book: NoteBook, text: str) -> None:
    book.set(Note(text, 2, 3))


def write_by_hand(recording: Recording, *notes: Note) -> None:
    notes_path(recording.path).write_bytes(write_notes(fingerprint(recording.saved), notes))


# --- at the same time -----------------------------------------------------------------------------------


def test_of_two_processes_that_write_at_the_same_time_neither_loses_a_note(opened: Recording) -> None:
    write_by_hand(opened, *(Note(f"n{number}", number % FRAMES, number % FRAMES + 1) for number in range(300)))
    command = [sys.executable, "-m", "tests.recording.notes_writer", str(opened.path)]
    rounds = 12
    writers = [
        subprocess.Popen([*command, name], cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in ("a", "b")
    ]
    for number in range(rounds):
        for line, answer in ((f"{number}\n", "ready\n"), ("write\n", "written\n")):
            for writer in writers:
                assert writer.stdin is not None
                writer.stdin.write(line)
                writer.stdin.flush()
            for writer in writers:
                assert writer.stdout is not None
                assert writer.stdout.readline() == answer
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    wanted = [f"n{number}" for number in range(300)]
    wanted += [f"{name} {number}" for name in "ab" for number in range(rounds)]
    assert texts(opened) == sorted(wanted)


def test_who_finds_the_file_being_written_is_told_so_and_writes_it_afterwards(
    opened: Recording, while_writing: Hook
) -> None:
    first, second = NoteBook(opened), NoteBook(opened)
    add(first, "first")
    add(second, "second")

    def both() -> None:
        with pytest.raises(FileBusy, match=r"drive\.log\.notes\.json is being written by another") as told:
            second.save(patience=0)
        assert "another name" not in told.value.message

    while_writing(both)
    first.save()
    assert second.unwritten() == ("second",)
    second.save()
    assert texts(opened) == ["first", "second"]
    assert second.unwritten() == ()


def test_a_program_that_knows_no_lock_and_writes_at_the_same_time_loses_nothing_either(
    opened: Recording, while_writing: Hook
) -> None:
    book = NoteBook(opened)
    add(book, "mine")
    while_writing(lambda: write_by_hand(opened, Note("by hand", 4, 6)))
    book.save()
    assert texts(opened) == ["by hand", "mine"]
    assert [note.text for note in book.items] == ["mine", "by hand"]


def test_a_file_that_others_write_all_the_time_is_left_to_them(
    opened: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync, written = os.fsync, list[str]()

    def meanwhile(descriptor: int) -> None:
        sync(descriptor)
        written.append(f"n{len(written)}")
        write_by_hand(opened, *(Note(text, 2, 3) for text in written))

    monkeypatch.setattr(os, "fsync", meanwhile)
    book = NoteBook(opened)
    add(book, "mine")
    with pytest.raises(FileBusy, match="again and again"):
        book.save(patience=0)
    assert texts(opened) == sorted(written)
    monkeypatch.setattr(os, "fsync", sync)
    book.save()
    assert texts(opened) == sorted(["mine", *written])


def test_a_file_is_read_and_written_by_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(b"a")
    with reserve(path), pytest.raises(FileBusy):
        rewrite_file(path, lambda: pytest.fail("It was read while another one had it."))
    rewrite_file(path, lambda: None)
    assert path.read_bytes() == b"a"
    rewrite_file(path, lambda: path.read_bytes() + b"b")
    assert path.read_bytes() == b"ab"
    assert [each.name for each in tmp_path.iterdir()] == ["list.txt"]


# --- what each did --------------------------------------------------------------------------------------


def test_what_one_deletes_and_the_other_leaves_alone_is_gone(opened: Recording) -> None:
    write_by_hand(opened, Note("kept", 1, 2), Note("deleted", 3, 4))
    first, second = NoteBook(opened), NoteBook(opened)
    first.set(None, first.items[1])
    first.save()
    add(second, "more")
    second.save()
    assert texts(opened) == ["kept", "more"]
    assert {note.text for note in second.items} == {"kept", "more"}


def test_what_one_deletes_and_the_other_changes_stays_as_it_was_changed(opened: Recording) -> None:
    write_by_hand(opened, Note("a", 1, 2), Note("b", 3, 4))
    first, second = NoteBook(opened), NoteBook(opened)
    first.set(None, first.items[0])
    first.set(first.items[0]._replace(text="b of the first"), first.items[0])
    first.save()
    second.set(second.items[0]._replace(text="a of the second"), second.items[0])
    second.set(None, second.items[1])
    second.save()
    assert texts(opened) == ["a of the second", "b of the first"]


def test_what_both_change_stays_in_both_forms_and_what_both_make_alike_is_one(opened: Recording) -> None:
    write_by_hand(opened, Note("a", 1, 2))
    first, second = NoteBook(opened), NoteBook(opened)
    for book, text in ((first, "of the first"), (second, "of the second")):
        book.set(book.items[0]._replace(text=text), book.items[0])
        add(book, "the same")
        book.save()
    assert texts(opened) == ["of the first", "of the second", "the same"]


def test_a_note_that_stands_in_the_file_twice_stays_twice_until_one_is_deleted(opened: Recording) -> None:
    write_by_hand(opened, Note("twice", 1, 2), Note("twice", 1, 2))
    first, second = NoteBook(opened), NoteBook(opened)
    add(first, "more")
    first.save()
    assert texts(opened) == ["more", "twice", "twice"]
    second.set(None, second.items[0])
    second.save()
    assert texts(opened) == ["more", "twice"]


@pytest.mark.parametrize("data", [None, b"", b"\n"])
def test_a_file_that_is_gone_or_emptied_is_written_again(opened: Recording, data: bytes | None) -> None:
    book = NoteBook(opened)
    add(book, "kept")
    book.save()
    path = notes_path(opened.path)
    path.unlink()
    if data is not None:
        path.write_bytes(data)
    add(book, "more")
    book.save()
    assert texts(opened) == ["kept", "more"]


# --- what could not be written --------------------------------------------------------------------------


def test_what_could_not_be_written_is_written_when_it_can_be_once_and_with_what_others_did(
    opened: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_by_hand(opened, Note("changed", 1, 2), Note("deleted", 3, 4), Note("kept", 5, 6))
    book = NoteBook(opened)
    assert book.unwritten() == ()
    add(book, "new\nnote")
    book.set(book.items[0]._replace(text="other words"), book.items[0])
    book.set(None, next(note for note in book.items if note.text == "deleted"))
    before = notes_path(opened.path).read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        for _ in range(2):
            with pytest.raises(OSError, match="No space left"):
                book.save()
            assert sorted(book.unwritten()) == ["Deleted: deleted", "new note", "other words"]
            assert notes_path(opened.path).read_bytes() == before
    write_by_hand(opened, *read_notes(before)[1], Note("of another", 2, 4))
    book.save()
    assert texts(opened) == ["kept", "new\nnote", "of another", "other words"]
    assert book.unwritten() == ()


def test_a_note_made_while_the_file_cannot_be_read_is_written_when_it_can_be(opened: Recording) -> None:
    write_by_hand(opened, Note("ours", 1, 2))
    book, path = NoteBook(opened), notes_path(opened.path)
    sound = path.read_bytes()
    theirs = Note("theirs", 5, 6)
    path.write_bytes(sound.replace(b"\n,", b"\n<<<<<<< HEAD\n,"))
    add(book, "made meanwhile")
    with pytest.raises(EditError, match="Line 2"):
        book.save()
    assert book.unwritten() == ("made meanwhile",)
    write_by_hand(opened, *read_notes(sound)[1], theirs)
    book.save()
    assert texts(opened) == ["made meanwhile", "ours", "theirs"]


def test_notes_that_could_not_be_written_under_another_name_are_all_unwritten_and_none_comes_twice(
    opened: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.log"
    notes_path(other).write_bytes(write_notes("m", [Note("of another", 2, 3)]))
    book = NoteBook(opened)
    add(book, "mine")
    book.save()
    opened.save(other)
    book.follow(opened.snapshot)
    assert book.unwritten() == ("mine",)

    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", denied)
        for _ in range(2):
            with pytest.raises(PermissionError):
                book.save()
    assert set(book.unwritten()) == {"mine", "of another"}
    book.save()
    assert texts(opened) == ["mine", "of another"]


def test_notes_are_written_although_the_recording_was_rewritten_meanwhile(opened: Recording) -> None:
    book = NoteBook(opened)
    opened.apply(edits.delete_rows(opened, 0, 1))
    book.follow(opened.snapshot)
    book.set(Note("about an actor", 2, 3, 100))
    opened.path.write_bytes(b.drive(FRAMES, vehicles=1))
    book.save()
    assert texts(opened) == ["about an actor"]


def test_a_book_of_a_script_leaves_the_way_back_of_notes_on_unsaved_frames(opened: Recording, drive: Path) -> None:
    """Whoever opens the recording without a journal knows those of windows, too."""
    opened.keep_journal()
    opened.apply(edits.insert_frame(opened, 4, None))
    book = NoteBook(opened)
    book.set(Note("on an unsaved frame", 4, 5))
    book.save()
    with recorder_editor.open(drive) as recording:
        other = NoteBook(recording)
        add(other, "of a script")
        other.save()
    (line,) = (line for line in notes_path(drive).read_text().splitlines() if "unsaved" in line)
    assert '"keys"' in line
    book.read()
    assert not next(note for note in book.items if "unsaved" in note.text).is_gone
