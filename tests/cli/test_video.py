"""video: which frames are chosen, what is told, and what is refused."""

import sys
from pathlib import Path

import pytest

from recorder_editor.cli import main
from recorder_editor.formats.video import Film, VideoOptions
from recorder_editor.progress import Progress
from recorder_editor.recording import Snapshot
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import write_notes

from .. import builders as b
from .painted import GreyFilm

pytestmark = pytest.mark.usefixtures("one_parser")

SMALL = ("--size", "64x64", "--fps", "10")


class Studio:
    """Gives films, and keeps them. Attributes: `films`, and `frames`, `options` and `notes` of the last one."""

    def __init__(self) -> None:
        self.films: list[GreyFilm] = []
        self.frames = range(0)
        self.options = VideoOptions()
        self.notes: list[str] = []

    def make(self, snapshot: Snapshot, options: VideoOptions, frames: range, _progress: Progress) -> Film:
        self.frames = frames
        self.options = options
        self.notes = [note.text for note in snapshot.context.notes]
        self.films.append(GreyFilm(options))
        return self.films[-1]


@pytest.fixture
def studio() -> Studio:
    return Studio()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a recording of 20 frames, 0.05 s each, and a list of segments."""
    monkeypatch.chdir(tmp_path)
    Path("a.log").write_bytes(b.drive(20))
    Path("list.csv").write_text("#3,#6,braking\n#10,#12,turn\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "frames"),
    [
        ("", range(20)),
        ("--from f5 --to f9", range(4, 8)),
        ("--from 0.1 --to 0:00.3", range(2, 6)),
        ("--segments list.csv --segment braking", range(2, 5)),
        ("--segments list.csv --segment 2", range(9, 11)),
        ("--around f11 --seconds 0.1", range(8, 12)),
        ("--around 0.5", range(20)),
    ],
)
def test_a_range_a_segment_or_the_seconds_about_a_moment_are_shown(
    folder: Path, studio: Studio, words: str, frames: range
) -> None:
    assert main(["video", "a.log", "out.gif", *SMALL, *words.split()], studio.make) == 0
    assert studio.frames == frames
    painted = studio.films[0].painted
    assert painted[0] == frames[0]
    assert set(painted) <= set(frames)
    assert studio.films[0].is_closed


def test_the_options_are_those_of_the_dialog_and_a_speed_may_have_its_unit(folder: Path, studio: Studio) -> None:
    words = "--speed 2x --follow 7 --follow-mode up --across 50 --theme dark --labels none --title Hero --clock"
    words += " --timeline --signals speed --actors 7 --size 320x300"
    assert main(["video", "a.log", "out.gif", *SMALL, *words.split()], studio.make) == 0
    expected = VideoOptions(
        size="320x300",
        rate=10,
        speed=2.0,
        actors=("7",),
        timeline=True,
        signals=("speed",),
        follow="7",
        mode="up",
        across=50.0,
        theme="dark",
        labels="none",
        title="Hero",
        clock=True,
    )
    assert studio.options == expected
    assert studio.films[0].painted == [0, 4, 8, 12, 16]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("out.gif --from f2 --around f3", "--from and --around each choose the range: give one."),
        ("out.gif --segments list.csv", "--segments and --segment go together."),
        ("out.gif --seconds 2", "--seconds is for --around."),
        ("out.gif --follow 7 --center 1,2", "--follow, --center each choose what is in view: give one."),
        ("out.gif --center here", "'here' is not a place; write it as X,Y in metres."),
        ("out.gif --segments list.csv --segment none", "list.csv has no segment 'none'; it has braking, turn."),
        ("out.avi", "out.avi does not say what to write"),
        ("out.mp4 --size 65x64", "MP4 wants an even width and height: 64x64 in place of 65x64."),
        ("out-%x.png", "the number of a picture stands for %d or %05d, once."),
        ("out.gif --around f99", "No frame lies from f99"),
        ("out.gif --timeline --size 320x200", "A picture of 320x200 has no room for timeline or signals"),
        ("out.gif --signals speed --size 640x400 --scale 2", "600 lines are needed."),
        ("out.gif --speed 0", "'0' is not from 0.01 to 1000 x"),
    ],
)
def test_wrong_words_end_with_2_and_write_nothing(
    folder: Path, studio: Studio, capsys: pytest.CaptureFixture[str], words: str, reason: str
) -> None:
    before = sorted(folder.iterdir())
    assert main(["video", "a.log", *words.split()], studio.make) == 2
    assert reason in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before


def test_a_missing_package_is_told_before_anything_is_read(
    folder: Path, studio: Studio, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    assert main(["video", "a.log", "out.mp4"], studio.make) == 1
    assert "MP4 and WebM videos need PyAV, which is not installed." in capsys.readouterr().err
    assert not studio.films


def test_what_was_written_is_told(folder: Path, studio: Studio, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["video", "a.log", "out.gif", *SMALL, "--verbose"], studio.make) == 0
    assert f"Wrote out.gif: {Path('out.gif').stat().st_size:,} bytes." in capsys.readouterr().err
    assert main(["video", "a.log", "shots", *SMALL, "--to", "f4"], studio.make) == 0
    told = capsys.readouterr()
    assert told.out == "shots/frame-00001.png to frame-00002.png\n"
    assert told.err == ""
    assert main(["video", "a.log", "one.png", *SMALL, "--to", "f2"], studio.make) == 0
    assert capsys.readouterr().out == "one-00001.png\n"
    assert main(["video", "a.log", "out.gif", *SMALL, "--quiet"], studio.make) == 0
    assert capsys.readouterr() == ("", "")


def test_without_the_window_nothing_is_painted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["video", "a.log", "out.gif"]) == 1
    assert "There is nothing here that paints pictures" in capsys.readouterr().err


def test_notes_are_read_for_the_timeline(folder: Path, studio: Studio) -> None:
    Path("a.log.notes.json").write_bytes(write_notes("", [Note("brakes", 4, 5)]))
    words = ["--size", "320x300", "--fps", "10", "--timeline"]
    assert main(["video", "a.log", "out.gif", *words], studio.make) == 0
    assert studio.notes == ["brakes"]
