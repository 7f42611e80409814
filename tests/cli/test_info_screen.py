"""The screen of `info` for people: one recording in at most 25 lines, several as a table."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from recorder_editor import cli
from recorder_editor.cli.info_screen import Signs
from recorder_editor.texts import display_width

from .. import builders as b
from ..real_recordings import DAMAGED, RECORDINGS, SOUND, missing
from ..recording.films import add, collide, film

Show = Callable[..., str]


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    """A recording of ten frames."""
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(10, vehicles=2))
    return path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What `info` prints into a pipe."""
    assert cli.main(["info", *words]) == 0
    return capsys.readouterr().out


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Show:
    """What `info` prints on a terminal, of 100 columns and without colours if nothing else is said."""

    def run(*words: str, columns: int = 100, coloured: bool = False) -> str:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("NO_COLOR", "" if coloured else "1")
        return printed(capsys, *words)

    return run


def test_a_pipe_gets_what_carla_prints_and_a_terminal_the_screen(
    drive: Path, shown: Show, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, str(drive))
    assert text.startswith("Version: 1\nMap: Town01\n")
    summary = printed(capsys, str(drive), "--summary")
    assert "\x1b" not in summary
    assert shown(str(drive)) == summary
    assert shown(str(drive), coloured=True).startswith("\x1b[1mdrive.log\x1b[0m")
    assert shown(str(drive), "--carla") == text
    for words in (["--all"], ["--utc"], ["--release", "0.9.13"]):
        assert shown(str(drive), *words).startswith("Version: 1\n")


def test_the_screen_says_what_the_recording_holds(tmp_path: Path, shown: Show) -> None:
    path = tmp_path / "crash.log"
    roles = [b.attribute(3, "role_name", "hero")]
    poses = [b.packet(6, b.position([b.pose(7, b.xyz(100.0 * n)), b.pose(8, b.xyz(5e4))])) for n in range(4)]
    path.write_bytes(
        film(
            [add(b.actor(7, attributes=roles), b.actor(8, blueprint="vehicle.audi.tt")), poses[0]],
            [poses[1], collide((7, 8))],
            [poses[2], collide((7, 8))],
            [poses[3]],
        )
    )
    screen = shown(str(path))
    lines = screen.splitlines()
    assert lines[0] == f"crash.log  {path.stat().st_size:,} bytes"
    assert "  length      0.150 s, 4 frames      step      0.050 s in every frame" in lines
    assert "hero        7 vehicle" in screen
    assert "drives 3.0 m" in screen
    assert any(line.split() == ["vehicles", "2", "2", "3", "m", "20.0", "m/s"] for line in lines)
    assert "  collisions  ✗ 1 contact, 0.050 to 0.100 s: hero 7 and 8 vehicle.audi.tt" in lines
    assert sum(int(cells[1].replace(",", "")) for cells in _packet_rows(lines)) == path.stat().st_size


def _packet_rows(lines: list[str]) -> list[list[str]]:
    """The name and the bytes of each row of the table of packets."""
    start = next(index for index, line in enumerate(lines) if line.split()[:1] == ["packets"])
    rows = []
    for line in lines[start + 1 : lines.index("", start)]:
        before, _, _ = line.partition(" %")
        *name, size, _share = before.split()
        rows.append([" ".join(name), size])
    return rows


@pytest.mark.parametrize("name", [SOUND[4], pytest.param(SOUND[0], marks=pytest.mark.long), DAMAGED])
def test_it_fits_the_terminal(shown: Show, name: str) -> None:
    if not (RECORDINGS / name).exists():
        missing("There are no real recordings here.")
    for columns in (100, 80, 60):
        lines = shown(str(RECORDINGS / name), columns=columns).splitlines()
        assert len(lines) <= 25 or columns < 80
        assert max(map(display_width, lines)) <= columns
    narrow = shown(str(RECORDINGS / name), columns=40)
    assert "Town05\n" in narrow or name != SOUND[4]


def test_a_damaged_recording_says_so_below_its_name(drive: Path, shown: Show) -> None:
    data = drive.read_bytes()
    drive.write_bytes(data[:-40])
    lines = shown(str(drive)).splitlines()
    assert lines[2].startswith("  health      ✗ damaged at 0x")
    assert "frame 10: 10 of 10 frames can be kept" in lines[2]
    assert lines[-1] == "  what next   recorder-editor repair --dry-run FILE says what can be saved"


def test_what_holds_no_recording_gets_no_repair_offered(tmp_path: Path, shown: Show) -> None:
    path = tmp_path / "notes.log"
    path.write_text("text")
    lines = shown(str(path)).splitlines()
    assert "This is text, not a recording." in lines[2]
    assert lines[-1] == "  what next   info --carla FILE prints CARLA's own text"


def test_a_terminal_without_these_signs_gets_others() -> None:
    assert Signs.of("ascii") == Signs("x", "!", "ok", "=", "")
    assert Signs.of("utf-8") == Signs.of("UTF8") == Signs("✗", "▲", "✓", "━", "╸")


def test_several_recordings_are_a_table(drive: Path, tmp_path: Path, shown: Show) -> None:
    broken = tmp_path / "broken.log"
    broken.write_bytes(drive.read_bytes()[:-40])
    head, *rows = shown(str(drive), str(broken)).splitlines()
    assert head.split() == ["recording", "map", "length", "road", "users", "contacts", "health"]
    assert [row.split()[:4] for row in rows] == [
        ["drive.log", "Town01", "0.5", "s"],
        ["broken.log", "Town01", "0.5", "s"],
    ]
    assert rows[1].endswith("✗ damaged")


def test_kinds_of_output_exclude_each_other(drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--carla"], ["--json"], ["--all"]):
        assert cli.main(["info", str(drive), "--summary", *words]) == 2
    assert "--summary is one of several kinds of output" in capsys.readouterr().err
