"""The table of notes: what is exported of them, for which frames and actors."""

import csv
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
        book.set(Note("brakes,\nlate", 4, 9, 100, "#EE6677", ("brake", "to do")))
        book.set(Note("begins", 1, 2))
        book.set(Note("half \ud800", 10, 11))
        book.set(Note("was cut", 7, 8, is_gone=True))
        book.save()
    return path


def rows_of(path: Path, *words: str) -> list[dict[str, str]]:
    out = path.with_suffix(".csv")
    assert main(["export", str(path), str(out), "--table", "notes", *words]) == 0
    with out.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_notes_are_rows_of_their_frames_without_those_that_are_gone(noted: Path) -> None:
    first, ranged, half = rows_of(noted)
    assert (first["frame"], first["last_frame"], first["actor"], first["text"]) == ("2", "2", "", "begins")
    assert ranged == {
        "frame": "5",
        "frame_id": "5",
        "time_s": "0.2",
        "last_frame": "9",
        "actor": "100",
        "text": "brakes,\nlate",
        "color": "#EE6677",
        "tags": "#brake #to do",
    }
    assert half["frame"] == "11"


def test_frames_and_actors_choose_among_notes(noted: Path) -> None:
    assert [row["frame"] for row in rows_of(noted, "--from", "#8", "--to", "#11")] == ["5"]
    assert [row["frame"] for row in rows_of(noted, "--actors", "100")] == ["5"]


def test_lines_of_json_have_the_same(noted: Path, tmp_path: Path) -> None:
    out = tmp_path / "notes.jsonl"
    assert main(["export", str(noted), str(out), "--table", "notes"]) == 0
    first, *_ = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert (first["frame"], first["actor"], first["text"]) == (2, None, "begins")


def test_notes_that_cannot_be_read_are_told_and_nothing_is_written(
    noted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes_path(noted).write_text('[{"notes": 1}\n,{"frame": 0, "text": "odd"}\n]')
    out = noted.with_suffix(".csv")
    assert main(["export", str(noted), str(out), "--table", " Notes"]) == 2
    assert "Line 2" in capsys.readouterr().err
    assert not out.exists()
