"""Severities stand out on a terminal, and nowhere else."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from recorder_editor.__main__ import main
from recorder_editor.terminal import Span, toned
from recorder_editor.texts import say, speaking
from tests.repair.made import town

from .. import builders as b

Shown = Callable[..., tuple[str, str]]
RED, YELLOW, GREEN = "\x1b[31m", "\x1b[33m", "\x1b[32m"
COLOUR = re.compile("\x1b\\[\\d+m")


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shown:
    """What a command prints on a terminal, on stdout and on stderr."""
    monkeypatch.chdir(tmp_path)
    Path("small.log").write_bytes(b.drive(6))
    whole = town(frames=8, cars=2, seed=5)
    Path("town.log").write_bytes(whole)
    Path("torn.log").write_bytes(whole[:-300])
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def run(command: str, *, is_terminal: bool = True) -> tuple[str, str]:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
        main(command.split())
        done = capsys.readouterr()
        return done.out, done.err

    return run


COMMANDS = (
    ("check torn.log", 0, f"torn.log: {RED}error\x1b[0m: "),
    ("check small.log", 0, f"{GREEN}small.log\x1b[0m: no problems found"),
    ("repair torn.log out.log --dry-run", 0, f"Lost: {YELLOW}"),
    ("repair town.log out.log --dry-run", 0, f"{GREEN}town.log\x1b[0m: nothing to repair"),
    ("diff town.log town.log", 0, f"{GREEN}The two recordings are the same.\x1b[0m"),
    ("diff town.log torn.log", 0, f"{YELLOW}1 only in A\x1b[0m"),
    ("diff town.log torn.log", 1, f"{RED}torn.log\x1b[0m at 0x"),
    ("trim gone.log small.log town.log --out-dir outs", 0, f"{RED}failed\x1b[0m"),
    ("trim gone.log small.log town.log --out-dir outs", 0, f"{GREEN}done\x1b[0m"),
    ("trim town.log gone.log --from", 1, f"recorder-editor trim: {RED}error\x1b[0m: argument --from"),
    ("find gone", 1, f"{RED}recorder-editor:\x1b[0m gone: there is no such folder."),
    ("index gone", 1, f"{RED}recorder-editor:\x1b[0m gone: there is no such folder."),
    ("screenshot gone.log out.png", 1, f"{RED}recorder-editor:\x1b[0m gone.log: No such file"),
    ("trimm gone.log", 1, f"{RED}recorder-editor:\x1b[0m There is no verb"),
)


@pytest.mark.parametrize(("command", "stream", "piece"), COMMANDS, ids=[command for command, _, _ in COMMANDS])
def test_severities_stand_out_on_a_terminal(command: str, stream: int, piece: str, shown: Shown) -> None:
    assert piece in shown(command)[stream]


def test_collisions_stand_out_among_events(shown: Shown) -> None:
    main(["demo", "demo.log", "--seconds", "20", "--vehicles", "12"])
    out, _ = shown("events demo.log")
    assert f"{RED}collision\x1b[0m" in out
    assert "\x1b[2mevent" in out


@pytest.mark.parametrize("command", ["check torn.log", "find gone", "trim a.log", "repair torn.log out.log --dry-run"])
def test_neither_no_color_nor_a_dumb_terminal_nor_a_pipe_gets_colours(
    command: str, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    coloured = shown(command)
    assert COLOUR.search("".join(coloured))
    plain = tuple(COLOUR.sub("", text) for text in coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(command) == plain
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert shown(command) == plain
    monkeypatch.setenv("TERM", "xterm")
    out, err = shown(command, is_terminal=False)
    assert not COLOUR.search(out + err)
    assert out == plain[0]


def test_a_text_is_split_at_its_values_in_every_language() -> None:
    for language in ("en", "zh_CN"):
        with speaking(language):
            text = say("{name}: {message}", name="a.log", message="x {y}")
            pieces = toned(text, name="error")
            assert pieces[0] == Span("a.log", "error")
            assert "".join(piece.text for piece in pieces) == text
    assert toned("a {name}", name="error") == [Span("a {name}")]
