"""notes: what it prints, and what it says of files of notes that are odd, foreign or beside a copy."""

import json
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import NoteBook, notes_path

from .. import builders as b


@pytest.fixture
def noted(tmp_path: Path) -> Path:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(12))
    with recorder_editor.open(path) as recording:
        book = NoteBook(recording)
        book.set(Note("brakes\nlate", 4, 9, 100, "#EE6677", ("braking", "to do")))
        book.set(Note("begins", 1, 2))
        book.set(Note("was cut", 7, 8, is_gone=True))
        book.save()
    return path


def test_the_notes_are_lines_of_text(noted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notes", str(noted)]) == 0
    assert capsys.readouterr() == (
        "2  0.050 s  begins\n5-9  0.200 s  actor 100  brakes late  #braking #to do\n-  was cut\n",
        "",
    )


def test_the_notes_as_json(noted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notes", str(noted), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["file"] == str(noted)
    first, ranged, gone = said["notes"]
    assert first == {"frame": 2, "frame_id": 2, "time": 0.05, "text": "begins", "color": "#CCBB44"}
    assert (ranged["frame"], ranged["last"], ranged["actor"], ranged["tags"]) == (5, 9, 100, ["braking", "to do"])
    assert (gone["frame"], gone["time"], gone["gone"]) == (None, None, True)


def test_tags_of_a_text_are_tags_and_printed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b.drive(11))
    with recorder_editor.open(path) as recording:
        book = NoteBook(recording)
        book.set(Note("late #brake", 1, 2, tags=("brake", "wet")))
        book.save()
    assert main(["notes", str(path)]) == 0
    assert capsys.readouterr().out == "2  0.050 s  late #brake  #wet\n"
    assert main(["notes", str(path), "--json"]) == 0
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert (note["text"], note["tags"]) == ("late #brake", ["brake", "wet"])


def test_a_copy_is_told_where_its_notes_are_and_another_content_that_they_may_not_fit(
    noted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.log"
    copy.write_bytes(noted.read_bytes())
    assert main(["notes", str(copy)]) == 0
    assert capsys.readouterr() == ("", f"{notes_path(noted)} has notes of the same content.\n")
    noted.write_bytes(b.drive(11))
    assert main(["notes", str(noted)]) == 0
    said = capsys.readouterr()
    assert said.err == "The notes were written for another content of this file; their frames may be others.\n"
    assert len(said.out.splitlines()) == 3


def test_notes_that_cannot_be_read_are_wrong_usage_with_their_line(
    noted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = notes_path(noted).read_text().splitlines()
    notes_path(noted).write_text("\n".join([*lines[:2], ",{]", *lines[2:]]))
    assert main(["notes", str(noted)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("recorder-editor: drive.log.notes.json: Line 3: ")


def test_notes_without_a_fingerprint_are_printed_and_it_is_said_that_there_is_none(
    noted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes_path(noted).write_text('[{"notes": 1}\n,{"frame": 3, "text": "by hand"}\n]')
    assert main(["notes", str(noted)]) == 0
    said = capsys.readouterr()
    assert said.out == "3  0.100 s  by hand\n"
    assert said.err.startswith("The file of the notes has no fingerprint")


def test_a_recording_without_notes_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "plain.log"
    path.write_bytes(b.drive(3))
    assert main(["notes", str(path)]) == 0
    assert capsys.readouterr() == ("", "No notes are kept beside plain.log.\n")
    assert main(["notes", str(path), "--json"]) == 0
    said = capsys.readouterr()
    assert (json.loads(said.out)["notes"], said.err) == ([], "")
