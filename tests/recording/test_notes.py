"""Notes: where they are after edits, undo, saving and crashes, and the file that keeps them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording, edits
from recorder_editor.errors import EditError
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import NoteBook, fingerprint, notes_path, read_notes, write_notes
from recorder_editor.recording.recovery import find_leftovers

from .. import builders as b
from .notes_course import STEPS, Course, end, step

FRAMES = 9


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(FRAMES, vehicles=2))
    return path


@pytest.fixture
def opened(drive: Path) -> Iterator[Recording]:
    with recorder_editor.open(drive) as recording:
        yield recording


# --- edits, undo, saving, crashes -----------------------------------------------------------------------


@given(STEPS, st.booleans(), st.booleans())
@example([("note", 2, 2), ("insert", 2, 0), ("delete", 2, 0), ("delete", 3, 0), ("delete", 3, 0)], False, False)
@example([("note", 1, 0), ("resample", 19, 0), ("undo", 0, 0), ("redo", 0, 0)], True, False)
@example([("insert", 4, 0), ("note", 5, 0), ("save", 0, 0), ("copy", 5, 0), ("note", 5, 1)], True, False)
@example([("note", 3, 0), ("note", 3, 2), ("cut", 4, 1), ("note", 3, 0), ("word", 0, 0), ("undo", 0, 0)], False, False)
@example([("resample", 0, 0), ("note", 0, 0), ("undo", 0, 0), ("undo", 0, 0)], False, False)
@example([("note", 0, 0), ("insert", 0, 0), ("trim", 1, 0)], True, False)
@example([("insert", 4, 0), ("note", 5, 0)], True, True)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_notes_keep_their_frames_through_edits_undo_saving_and_a_crash(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, int]], crashes: bool, waits: bool
) -> None:
    path = tmp_path_factory.mktemp("course") / "drive.log"
    path.write_bytes(b.drive(FRAMES, vehicles=2))
    recording = recorder_editor.open(path)
    recording.keep_journal()
    course = Course(recording, list(range(FRAMES)))
    try:
        for number, (deed, a, z) in enumerate(steps):
            step(course, deed, a, z, number)
            course.check()
        if not crashes:
            recording.save()
        course.book.save()
        recording = end(course, crashes=crashes, waits=waits)
        again = NoteBook(recording)
        assert not again.doubt
        own = [note for note in again.items if note.text != "meanwhile"]
        # Those that are gone have the number that they had in the saved recording.
        assert {note.text: note.frames for note in own if note.frames} == {
            text: range(start, stop) for text, is_gone, start, stop in course.naive.places() if not is_gone
        }
        assert len(own) == len(course.naive.held)
    finally:
        recording.close()
        for leftover in find_leftovers():
            leftover.discard()


# --- actors ---------------------------------------------------------------------------------------------


def test_a_note_of_an_actor_follows_its_id_through_renumbering_undo_and_saving(opened: Recording) -> None:
    book = NoteBook(opened)
    book.set(Note("brakes", 3, 4, 101))
    book.set(Note("other", 3, 4, 100))
    life = opened.actors.of_id(101)[0]
    change = opened.apply(edits.set_actor_id(opened, life, 900))
    book.follow(change.after)
    assert {note.text: note.actor for note in book.items} == {"brakes": 900, "other": 100}
    book.save()
    assert {note.text: note.actor for note in read_notes(notes_path(opened.path).read_bytes())[1]} == {
        "brakes": 101,  # as the file on the disk has it
        "other": 100,
    }
    change = opened.undo()
    assert change is not None
    book.follow(change.after)
    assert {note.actor for note in book.items} == {100, 101}


# --- the file -------------------------------------------------------------------------------------------

NOTES = st.builds(
    Note,
    st.text(),
    st.integers(0, 5),
    st.integers(6, 9),
    st.none() | st.integers(0, 2**32 - 1),
    st.from_regex(r"#[0-9A-F]{6}", fullmatch=True),
    st.lists(st.text()).map(tuple),
    st.booleans(),
    st.just(""),
    st.sampled_from([(), (("later", [1, {"a": None}]),)]),
)


@given(st.lists(NOTES))
@example([Note("a", 1, 6), Note("a", 1, 6, is_gone=True), Note("a", 1, 6, color="#000000")])
def test_what_is_written_is_read_again_one_note_a_line_as_strict_json(notes: list[Note]) -> None:
    data = write_notes("mark", notes)
    mark, again = read_notes(data)
    assert mark == "mark"
    assert sorted(again, key=repr) == sorted(notes, key=repr)
    assert len(json.loads(data)) == len(notes) + 1
    assert data.count(b"\n") == len(notes) + 2
    assert write_notes("mark", reversed(again)) == data


@pytest.mark.parametrize(
    ("text", "given", "tags"),
    [
        ("first contact #crash", (), ("crash",)),
        ("#crash: again #Crash, (#too-late)", (), ("crash", "too-late")),
        ("brakes #to", ("to do", "brake"), ("to do", "brake", "to")),
        ("brakes #todo", ("TODO",), ("TODO",)),
        ("碰撞 #碰撞，以后", ("看",), ("看", "碰撞")),
        ("of car #3934, a#b, ##, # alone, /page#part, &#x41;", (), ()),
        ("", ("", "wet"), ("wet",)),
    ],
)
def test_words_of_the_text_after_a_number_sign_are_tags_too_each_once(
    text: str, given: tuple[str, ...], tags: tuple[str, ...]
) -> None:
    note = Note(text, 1, 2, tags=given)
    assert note.every_tag == tags
    assert note.tag_text == " ".join(f"#{tag}" for tag in tags)
    assert note.as_json().get("tags", []) == [*given]  # the text has the others


def test_a_file_of_notes_with_tags_in_their_texts_stays_as_it_is(drive: Path) -> None:
    with recorder_editor.open(drive) as recording:
        mark = fingerprint(recording.snapshot)
        notes = [Note("late #brake", 1, 2, tags=("brake", "wet")), Note("#crash", 3, 4)]
        notes_path(drive).write_bytes(data := write_notes(mark, notes))
        book = NoteBook(recording)
        assert {note.every_tag for note in book.items} == {("brake", "wet"), ("crash",)}
        book.save()
        book.set(Note("new", 8, 9))
        book.save()
    assert set(data.splitlines()) < set(notes_path(drive).read_bytes().splitlines())


def test_lines_of_two_branches_are_merged_by_their_union() -> None:
    ours, theirs = (write_notes("m", [Note("both", 1, 2), Note(each, 4, 5)]) for each in ("ours", "theirs"))
    *lines, end, _ = ours.split(b"\n")
    merged = b"\r\n".join([*lines, *(line for line in theirs.split(b"\n")[1:-2] if line not in lines), end, b""])
    assert [note.text for note in read_notes(merged)[1]] == ["both", "ours", "theirs"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"frame": 1, "text": 5}', "text"),
        ('{"frame": 1}', "text"),
        ('{"text": "a"}', "frame"),
        ('{"frame": 0, "text": "a"}', "frame"),
        ('{"frame": true, "text": "a"}', "frame"),
        ('{"frame": 1e99, "text": "a"}', "frame"),
        ('{"frame": 5, "last": "x", "text": "a"}', "last"),
        ('{"frame": 1, "text": "a", "actor": -1}', "actor"),
        ('{"frame": 1, "text": "a", "color": "red"}', "color"),
        ('{"frame": 1, "text": "a", "tags": [1]}', "tags"),
        ('{"frame": 1, "text": "a", "tags": "b"}', "tags"),
        ('{"frame": 1, "text": "a", "gone": 1}', "gone"),
        ('{"frame": 1, "text": "a", "text": "b"}', "twice"),
        ("<<<<<<< HEAD", "JSON"),
        ("17", "object"),
        ('"' + "[" * 5000, "JSON"),
        ("[" * 5000 + "1", ""),
    ],
)
def test_an_odd_line_is_told_and_the_file_is_not_written_over(drive: Path, line: str, words: str) -> None:
    odd = write_notes("m", [Note("kept", 1, 2)]).replace(b"\n]", f"\n,{line}\n]".encode())
    notes_path(drive).write_bytes(odd)
    with recorder_editor.open(drive) as recording:
        book = NoteBook(recording)
        assert words in book.error
        assert "drive.log.notes.json" in book.error
        assert "ine 3" in book.error
        assert book.items == ()
        with pytest.raises(EditError):
            book.set(Note("new", 1, 2))
        with pytest.raises(EditError):
            book.save()
    assert notes_path(drive).read_bytes() == odd


@pytest.mark.parametrize(
    "data", [b"\xff\xfe", b"[]", b"null", b'[{"notes": 2}\n]', b'[{"notes": 1.5}]', b"{", b"[" * 9999]
)
def test_what_is_no_file_of_notes_is_refused_in_its_first_line(data: bytes, drive: Path) -> None:
    notes_path(drive).write_bytes(data)
    with recorder_editor.open(drive) as recording:
        book = NoteBook(recording)
        if data.strip(b"[]"):
            assert "ine 1" in book.error
    assert notes_path(drive).read_bytes() == data


@given(st.binary(max_size=200) | st.text('[]{},:"\\ntagsframe01', max_size=80).map(str.encode))
def test_any_bytes_are_read_or_refused_with_a_line(data: bytes) -> None:
    for each in (data, write_notes("m", [])[:-2] + b"," + data + b"\n]"):
        try:
            read_notes(each)
        except EditError as error:
            assert "Line " in error.message  # noqa: PT017 - what may be raised is what is tested


def test_members_of_later_releases_and_frames_behind_the_end_are_kept(drive: Path) -> None:
    lines = ['{"frame": 2, "text": "a", "stars": [5]}', '{"frame": 99, "last": 120, "text": "far"}']
    with recorder_editor.open(drive) as recording:
        head = json.dumps({"notes": 1, "fingerprint": fingerprint(recording.snapshot)})
        notes_path(drive).write_text("\n,".join(["[" + head, *lines]) + "\n]")
        book = NoteBook(recording)
        assert [(note.text, note.is_gone) for note in book.items] == [("a", False), ("far", True)]
        book.save()
    first, far = (json.loads(line[1:]) for line in notes_path(drive).read_text().splitlines()[1:-1])
    assert first["stars"] == [5]
    assert (far["frame"], far["last"], far["gone"]) == (99, 120, True)


def test_what_another_program_added_meanwhile_stays(opened: Recording) -> None:
    book, path = NoteBook(opened), notes_path(opened.path)
    book.set(Note("mine", 1, 2))
    book.save()
    path.write_bytes(write_notes("m", [*read_notes(path.read_bytes())[1], Note("theirs", 4, 6)]))
    opened.apply(edits.delete_rows(opened, 2, 1))
    book.follow(opened.snapshot)
    book.set(Note("later", 6, 7))
    book.save()
    assert {(note.text, note.start) for note in book.items} == {("mine", 1), ("theirs", 3), ("later", 6)}
    assert [note.text for note in read_notes(path.read_bytes())[1]] == ["mine", "theirs", "later"]


def test_saving_as_takes_the_notes_along_and_keeps_those_that_are_there(opened: Recording, tmp_path: Path) -> None:
    book, other = NoteBook(opened), tmp_path / "other.log"
    notes_path(other).write_bytes(write_notes("m", [Note("of another", 2, 3)]))
    book.set(Note("mine", 5, 6))
    book.save()
    before = notes_path(opened.path).read_bytes()
    opened.apply(edits.trim(opened, range(3, 8)))
    opened.save(other)
    book.follow(opened.snapshot)
    book.save()
    assert before == notes_path(tmp_path / "drive.log").read_bytes()
    _, notes = read_notes(notes_path(other).read_bytes())
    assert {(note.text, note.start, note.is_gone) for note in notes} == {("mine", 2, False), ("of another", 2, True)}


def test_a_copy_under_another_name_finds_the_notes_and_another_content_does_not(drive: Path, tmp_path: Path) -> None:
    with recorder_editor.open(drive) as recording:
        book = NoteBook(recording)
        book.set(Note("kept", 1, 2))
        book.save()
    (tmp_path / "bad.notes.json").write_text("{")
    copy, longer = tmp_path / "copy.log", tmp_path / "sub" / "longer.log"
    copy.write_bytes(drive.read_bytes())
    longer.parent.mkdir()
    longer.write_bytes(b.drive(FRAMES, vehicles=2, step=0.1))
    with recorder_editor.open(copy) as recording:
        assert NoteBook(recording).others() == notes_path(drive)
        assert NoteBook(recording).items == ()
    with recorder_editor.open(longer) as recording:
        assert NoteBook(recording).others([notes_path(drive)]) is None
    notes_path(drive).rename(notes_path(longer))
    with recorder_editor.open(longer) as recording:
        assert NoteBook(recording).doubt


def test_no_file_is_written_where_there_are_no_notes(opened: Recording) -> None:
    book = NoteBook(opened)
    book.save()
    assert not notes_path(opened.path).exists()
    book.set(Note("a", 1, 2))
    book.save()
    book.set(None, book.items[0])
    book.save()
    assert read_notes(notes_path(opened.path).read_bytes())[1] == []
