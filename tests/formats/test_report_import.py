"""CARLA's text report becomes a recording again, of which the report is the same text."""

from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.api import Recording
from recorder_editor.checks import check
from recorder_editor.cli import main
from recorder_editor.errors import Cancelled
from recorder_editor.formats.report import ReportImport, ReportOptions
from recorder_editor.progress import Progress
from recorder_editor.reports.info import info_report
from recorder_editor.reports.info_reader import ReportError

from .. import builders as b
from ..recording import films

RECORDINGS = (
    "carla-0.9.6-town03-collision.rec",
    "carla-0.9.6-town03-walkers.rec",
    "carla-0.9.10-town01-scene-lights.log",
    "carla-0.9.13-opendrive.log",
    "carla-0.9.13-town01.log",
    films.COLLISIONS,
    "carla-0.9.15-town05-bikes.log",
)
FRAMES = 12
"""Of each recording; with `--long` it is all of them."""


def text_of(recording: Recording) -> bytes:
    return b"".join(info_report(recording.snapshot, show_all=True))


def imported(tmp_path: Path, text: bytes, options: ReportOptions | None = None) -> tuple[Path, list[str]]:
    """The recording that a text becomes, and what is told of it."""
    source, target = tmp_path / "report.txt", tmp_path / "made.log"
    source.write_bytes(text)
    remarks = ReportImport().make(source, options or ReportOptions(), target, overwrite=True)
    return target, remarks


@pytest.mark.parametrize("frames", [FRAMES, pytest.param(10**6, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", RECORDINGS)
def test_the_report_of_a_real_recording_comes_back(name: str, frames: int, recordings: Path, tmp_path: Path) -> None:
    with recorder_editor.open(recordings / name) as whole:
        stop = whole[min(frames, len(whole) - 1)].offset
        dialect = whole.dialect.name
    path = tmp_path / name
    path.write_bytes((recordings / name).read_bytes()[: stop if frames == FRAMES else None])
    with recorder_editor.open(path, dialect=dialect) as recording:
        text = text_of(recording)
        lives = [(life.actor, life.blueprint, life.role_name) for life in recording.actors]
    made, _ = imported(tmp_path, text)
    with recorder_editor.open(made) as recording:
        assert text_of(recording) == text
        assert not recording.findings
        assert recording.dialect.name == dialect
        assert [(life.actor, life.blueprint, life.role_name) for life in recording.actors] == lives
        assert not [finding for finding in check(recording.snapshot) if finding.severity == "error"]


OF_RELEASES = ("ue4-0.9.6", "ue4-0.9.12", "ue4-0.9.14", "ue4-0.9.15", "ue4-doors", "ue4-0.9.16", "ue4-2026")


@pytest.mark.parametrize("dialect", OF_RELEASES)
def test_the_report_of_every_packet_comes_back(dialect: str, tmp_path: Path) -> None:
    path = tmp_path / "everything.log"
    path.write_bytes(b.everything(dialect))
    with recorder_editor.open(path, dialect=dialect) as recording:
        text = text_of(recording)
    made, _ = imported(tmp_path, text)
    with recorder_editor.open(made) as recording:
        assert text_of(recording) == text
        assert recording.dialect.name == dialect
    # Lines as Windows ends them, and a mark of UTF-8 at the beginning.
    again, _ = imported(tmp_path, b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    with recorder_editor.open(again) as recording:
        assert text_of(recording) == text


@pytest.mark.parametrize("dialect", ["ue5-0.10.0", "ue5-2026"])
def test_physics_of_unreal_5_are_left_out_and_told(dialect: str, tmp_path: Path) -> None:
    path = tmp_path / "everything.log"
    path.write_bytes(b.everything(dialect))
    with recorder_editor.open(path) as recording:
        text = text_of(recording)
    made, remarks = imported(tmp_path, text)
    assert "Records of “Physics Control events” that are left out: 3." in remarks
    with recorder_editor.open(made) as recording:
        assert recording.dialect.name == dialect
        before, _, rest = text.partition(b" Physics Control events: 3\n")
        left = b" Traffic Light time events" + rest.partition(b" Traffic Light time events")[2]
        assert text_of(recording) == before + left


def drive_text(tmp_path: Path) -> bytes:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(4, vehicles=2))
    with recorder_editor.open(path, dialect="ue4-0.9.12") as recording:
        return text_of(recording)


def test_what_the_text_does_not_tell_is_counted(tmp_path: Path) -> None:
    made, remarks = imported(tmp_path, drive_text(tmp_path))
    assert remarks == [
        "Written as CARLA 0.9.12 to 0.9.13 (floats). Numbers have the six digits of the text.",
        "Uids and types of attributes of 2 new actors are those of the catalogue; uids not known: 0.",
        "Rotations of new actors are those of their first Position; 0 actors have none.",
    ]
    with recorder_editor.open(made) as recording:
        assert recording.snapshot.elapsed.tolist() == [0.0, 0.05, 0.1, 0.15]
        assert [frame.duration for frame in recording] == pytest.approx([0.05, 0.05, 0.05, -1.0])
        births = recording[0].packet("EventAdd")
        assert births is not None
        assert births.decoded.get(0, "uid") != 0


def test_a_text_that_was_cut_ends_with_its_last_whole_packet(tmp_path: Path) -> None:
    text = drive_text(tmp_path)
    lines = text.splitlines(keepends=True)
    frames = set()
    for stop in range(lines.index(b"Frame 2 at 0.05 seconds\n") + 1, len(lines)):
        made, remarks = imported(tmp_path, b"".join(lines[:stop]) + lines[stop][:5])
        assert remarks[-1] == "The text has no end: a frame that it ends in is left out." or stop > len(lines) - 3
        with recorder_editor.open(made) as recording:
            assert not recording.findings
            frames.add(len(recording))
    assert frames == {1, 2, 3, 4}


WRONG = {
    "another text": (b"dear diary\n", "“Version:” is missing in line 1"),
    "no text": (b"", "The file is empty."),
    "UTF-16": ("Version: 1\nMap: Town01\n".encode("utf-16"), "in UTF-8"),
    "no date": (b"Version: 1\nMap: T\nDate: today\n\nFrame 1 at 0 seconds\n Positions: 0\n", "“today” is not a date"),
    "a date before CARLA": (b"Version: 1\nMap: T\nDate: 01/01/01 00:00:00\n\n Positions: 0\n", "A date before 2015"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_report_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, sentence = WRONG[name]
    source, out = tmp_path / "in.txt", tmp_path / "out.log"
    source.write_bytes(text)
    assert main(["import-report", str(source), str(out), "--utc"]) == 1
    assert sentence in capsys.readouterr().err
    assert not out.exists()


CHANGES = {
    "events alone": (b" Positions: 2\n", b" Nobody: 2\n", "it has to be made with show_all=True"),
    "a word for a number": (b"Steering: 0 ", b"Steering: x ", "Line 13: this is not a line"),
    "two points": (b"Steering: 0 ", b"Steering: 0.1.2 ", "Line 13: this is not a line"),
    "a NUL": (b"Steering: 0 ", b"Steering: \0 ", "Line 13: this is not a line"),
    "too large an id": (b"  Id: 100 Steering", b"  Id: 4294967296 Steering", "line 12: id: a number is too large"),
    "too large a float": (b"Steering: 0 ", b"Steering: 1e+300 ", "steering: a number is too large"),
    "a huge integer": (b"Gear: 1\n", b"Gear: " + b"9" * 5000 + b"\n", "Line 13: this is not a line"),
    "too few records": (b" Positions: 2\n", b" Positions: 3\n", "Line 11: this is not a line"),
    "too many records": (b" Positions: 2\n", b" Positions: 65536\n", "at most 65,535 records"),
    "too many events": (b" Positions: 2\n", b" Destroy 5\n" * 65_536 + b" Positions: 2\n", "at most 65,535 records"),
    "a packet before a frame": (b"Frame 1 at 0 seconds\n", b"", "Line 5: this is not a line"),
    "an endless line": (b" Positions: 2\n", b"x" * 3_000_000, "more than 1,048,576 bytes"),
    "a light that is none": (b" None\n", b" Disco\n", "this is not a line"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_wrong_line_is_told_by_its_number(name: str, tmp_path: Path) -> None:
    before, after, sentence = CHANGES[name]
    text = drive_text(tmp_path)
    assert before in text
    with pytest.raises(ReportError, match=sentence.replace("(", r"\(")):
        imported(tmp_path, text.replace(before, after, 1 if name != "events alone" else -1))
    assert not (tmp_path / "made.log").exists()


def test_packets_that_carla_does_not_have_are_left_out_and_told(tmp_path: Path) -> None:
    text = drive_text(tmp_path).replace(b" Walker animations: 0\n", b" Gazes: 2\n  x: 1\n  x: 2\n", 1)
    made, remarks = imported(tmp_path, text)
    assert remarks[-1] == "Records of “Gazes” that are left out: 2."
    with recorder_editor.open(made) as recording:
        assert len(recording) == 4


def test_another_release_is_written_where_it_is_chosen(tmp_path: Path) -> None:
    made, _ = imported(tmp_path, drive_text(tmp_path), ReportOptions(dialect="ue4-0.9.15"))
    with recorder_editor.open(made) as recording:
        assert recording.dialect.name == "ue4-0.9.15"
        assert not recording.findings


def test_an_import_can_be_cancelled(tmp_path: Path) -> None:
    text = drive_text(tmp_path)
    head, _, rest = text.partition(b"Frame 2 ")
    frames = b"".join(b"Frame %d at %d seconds\n" % (number, number) for number in range(2, 200))
    source = tmp_path / "report.txt"
    source.write_bytes(head + frames + b"Frame 200 " + rest)
    with pytest.raises(Cancelled):
        ReportImport().make(source, ReportOptions(), tmp_path / "out.log", Progress(None, lambda: True))
    assert not (tmp_path / "out.log").exists()


def test_a_report_is_named_where_a_recording_is_wanted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.txt"
    path.write_bytes(drive_text(tmp_path))
    main(["check", str(path)])
    assert "recorder-editor import-report makes a recording of it" in capsys.readouterr().out


def test_a_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import-report", str(tmp_path), str(tmp_path / "out.log")]) == 2
    assert "Is a directory." in capsys.readouterr().err
    assert not (tmp_path / "out.log").exists()
