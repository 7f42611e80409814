"""Whatever is done in the window, by chance: nothing is said on stderr, by Qt or as a warning, and nothing fails."""

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from recorder_editor import resources

from .. import builders as b
from ..real_recordings import DAMAGED, PROJECT, SOUND
from ..simulator import answer_with
from .random_events import run
from .windows import OpenWindow, ask_nobody

EVENTS, SEEDS = 250, 40
"""Ten thousand together, in tests that end within the time that each has."""
INPUTS = PROJECT.parent / "shared" / "reviews" / "inputs"
PATCHED = "monkey-walkers-patch.json"
HOSTILE = ("huge-duration.log", "inf-elapsed.log", "nan-elapsed.log", "last-duration.log", PATCHED)
FILES = (*SOUND, DAMAGED, *HOSTILE)


def saved(*arguments: Any, **_: Any) -> tuple[str, str]:
    """A name in the folder of the test, with the first suffix that is offered."""
    kinds = next((str(each) for each in arguments[3:] if "*." in str(each)), "Any (*.log)")
    first = kinds.split(";;")[0]
    return f"picked.{first.partition('*.')[2].partition(' ')[0].rstrip(')')}", first


@pytest.fixture(autouse=True)
def alone_with_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing outside of the folder of the test is written or started, and time passes when the hand says so."""
    ask_nobody(monkeypatch)
    answer_with("raise RuntimeError('nobody is there')", tmp_path, monkeypatch)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    samples = shutil.copytree(resources.path("sample"), tmp_path / "sample")  # notes are written beside a recording
    found = resources.path
    monkeypatch.setattr(
        resources, "path", lambda name: samples.parent / name if name.startswith("sample/") else found(name)
    )
    monkeypatch.setattr(QFileDialog, "getSaveFileName", saved)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: ("in.log", ""))
    monkeypatch.setattr(time, "monotonic", time.monotonic)  # the hand puts its own there


def patched(source: Path, patch: Path) -> bytes:
    """A recording with the changes that a patch has: offsets are those of the source, from the end."""
    data = source.read_bytes()
    for offset, taken, put in sorted(json.loads(patch.read_text())["replace"], reverse=True):
        data = data[:offset] + bytes.fromhex(put) + data[offset + taken :]
    return data


def test_nothing_is_said_in_a_short_run(open_window: OpenWindow, qtbot: QtBot) -> None:
    path = Path("in.log")
    path.write_bytes(b.drive(40, vehicles=3))
    found = run(open_window(path.resolve()), path.resolve(), "1", 60)
    assert not found, "\n\n".join(found)


@pytest.mark.long
@pytest.mark.parametrize(("seed", "name"), [(seed, FILES[seed % len(FILES)]) for seed in range(SEEDS)])
def test_nothing_is_said_whatever_is_done(
    open_window: OpenWindow, recordings: Path, qtbot: QtBot, seed: int, name: str
) -> None:
    path = Path("in.log").resolve()
    if name == PATCHED:
        path.write_bytes(patched(recordings / SOUND[0], INPUTS / PATCHED))
    else:
        path.write_bytes(((INPUTS if name in HOSTILE else recordings) / name).read_bytes())
    found = run(open_window(path), path, str(seed), EVENTS)
    assert not found, "\n\n".join(found)
