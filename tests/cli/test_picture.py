"""The verb `picture`: what is chosen, and what is refused before anything is read."""

from pathlib import Path

import pytest

from recorder_editor import cli
from recorder_editor.formats.picture import PictureChoiceError, PictureOptions, columns_of, corners_in, moments_of
from recorder_editor.recording import Snapshot, open_recording

from .. import builders as b
from .painted import make_figure

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A drive of 2 s, a frame every 0.05 s, in the working folder."""
    monkeypatch.chdir(tmp_path)
    path = Path("a.log")
    path.write_bytes(b.drive(41, vehicles=2))
    return path


def test_the_ending_says_the_format_and_what_exists_stays(path: Path, capsys: Captured) -> None:
    for kind in ("svg", "pdf", "png"):
        assert cli.main(["picture", "a.log", f"out.{kind}", "--at", "0:01"], make_figure) == 0
        assert Path(f"out.{kind}").read_bytes().startswith(f"{kind} ".encode())
    assert cli.main(["picture", "a.log", "out.gif"], make_figure) == 2
    assert ".svg, .pdf, .png" in capsys.readouterr().err
    Path("out.svg").write_bytes(path.read_bytes())
    assert cli.main(["picture", "a.log", "out.svg"], make_figure) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert cli.main(["picture", "a.log", "out.svg", "-f"], make_figure) == 0


@pytest.mark.usefixtures("path")
def test_standard_output_gets_the_format_that_is_named(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert cli.main(["picture", "a.log", "-", "--format", "pdf"], make_figure) == 0
    assert capsysbinary.readouterr().out.startswith(b"pdf ")
    assert cli.main(["picture", "a.log", "-"], make_figure) == 0
    assert capsysbinary.readouterr().out.startswith(b"svg ")


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--signals speed --path", "--signals and --path do not go together"),
        ("--signals speed --at 1", "--signals and --at do not go together"),
        ("--follow 100 --area 0,0,1,1", "--follow and --area do not go together"),
        ("--across 50", "--across is for --follow"),
        ("--follow-mode up", "--follow-mode is for --follow"),
        ("--every 1", "--every is for --path"),
        ("--from 1", "--from and --to are for --path and --signals"),
        ("--area 1,2,3", "is not an area"),
        ("--area 1,2,1,5", "is not an area"),
        ("--width 5", "from 20 to 1000 mm"),
        ("--at 99", "No frame lies"),
    ],
)
def test_choices_that_do_not_fit_are_refused(words: str, reason: str, capsys: Captured) -> None:
    code = cli.main(["picture", "a.log", "out.svg", *words.split()], _refusing)
    assert code == 2
    assert reason in capsys.readouterr().err
    assert not Path("out.svg").exists()


def _refusing(snapshot: Snapshot, options: PictureOptions, frames: range, progress: object) -> object:
    """Look for the moments, as what draws does."""
    del progress
    moments_of(options, snapshot, frames)
    raise AssertionError


def test_moments_are_frames_and_marks_of_a_path_are_round(path: Path) -> None:
    with open_recording(path) as recording:
        snapshot = recording.snapshot
        whole = range(len(recording))
        assert moments_of(PictureOptions(), snapshot, whole) == [0]
        assert moments_of(PictureOptions(at=("1.5,f2", "0:01")), snapshot, whole) == [1, 20, 30]
        assert moments_of(PictureOptions(path=True), snapshot, whole) == [0, 10, 20, 30, 40]
        assert moments_of(PictureOptions(path=True, every=1.0), snapshot, range(5, 41)) == [20, 40]
        with pytest.raises(PictureChoiceError, match="marks"):
            moments_of(PictureOptions(path=True, every=0.01), snapshot, whole)


def test_columns_and_areas() -> None:
    assert [columns_of(PictureOptions(width=width), 4) for width in (30.0, 84.0, 174.0)] == [1, 2, 4]
    assert columns_of(PictureOptions(columns=3), 2) == 2
    assert corners_in("") is None
    assert corners_in("10,5,-10,20") == (-10.0, 5.0, 10.0, 20.0)
