"""Saving that is killed at any call of the system: the old file or the new one is there, whole, and no edit is lost."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.cli.files import open_input
from recorder_editor.recording.locking import claim
from recorder_editor.recording.recovery import find_leftovers
from tests.recording.killed import OTHER
from tests.recording.steps import DRIVE, content, names

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that begin as copies")
PROJECT = Path(__file__).resolve().parents[2]


def killed(folder: Path, when: str, how: str) -> list[Path]:
    """The folders in which a process was killed, and the last one, in which none was."""
    command = [sys.executable, "-m", "tests.recording.killed", str(folder), when, how]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert set(done.stderr.splitlines()) <= {"recorder-editor: Stopped."}
    folders = sorted(folder.iterdir(), key=lambda each: int(each.name))
    assert len(folders) > 8
    return folders


@pytest.mark.parametrize(
    ("how", "when"),
    [
        # Killed behind a call it is as before the next one, but for writes, which `half` cuts: see the two below.
        pytest.param("over", "before", marks=pytest.mark.long),
        ("over", "half"),
        ("as", "before"),
        ("windows", "before"),
    ],
)
def test_a_kill_at_any_call_leaves_a_whole_file_and_loses_no_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, when: str
) -> None:
    name, before = ("other.log", OTHER) if how == "as" else ("town.log", DRIVE)
    seen = []
    for folder in killed(tmp_path, when, how):
        wanted, present = (folder / "wanted").read_bytes(), (folder / name).read_bytes()
        assert present in (before, wanted)
        seen.append(present == wanted)
        if how == "as":
            assert (folder / "town.log").read_bytes() == DRIVE
        monkeypatch.setenv("RECORDER_EDITOR_STATE_DIR", str(folder / "state"))
        check_restored(folder, wanted, is_saved=present == wanted)
        check_clean(folder, monkeypatch)
    assert seen == sorted(seen)
    assert not seen[0]
    assert seen[-1]


def check_restored(folder: Path, wanted: bytes, *, is_saved: bool) -> None:
    leftovers = find_leftovers()
    assert bool(leftovers) != is_saved
    for leftover in leftovers:
        assert (leftover.path, len(leftover.steps)) == (folder / "town.log", 2)
        recording, words = leftover.restore()
        with recording:
            assert words == ""
            assert content(recording) == wanted
            recording.undo()
            recording.undo()
            assert content(recording) == DRIVE


@pytest.mark.parametrize("how", ["TERM", pytest.param("HUP", marks=pytest.mark.long)])
def test_a_verb_that_is_asked_to_end_at_any_call_leaves_a_whole_file_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    seen = []
    for folder in killed(tmp_path, "before", how):
        out = folder / "out.log"
        assert (folder / "town.log").read_bytes() == DRIVE
        assert not out.exists() or out.read_bytes() == (folder / "wanted").read_bytes()
        seen.append((int((folder / "code").read_text()), out.exists()))
        check_clean(folder, monkeypatch)
    assert {code for code, _ in seen} == {0, 128 + getattr(signal, f"SIG{how}")}
    assert not seen[0][1]
    assert seen[-1] == (0, True)


def check_clean(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the next command nothing is there that a killed one made on its way."""
    monkeypatch.setenv("RECORDER_EDITOR_STATE_DIR", str(folder / "state"))
    with open_input(folder / "town.log"):
        find_leftovers()
    known = {"town.log", "town.log.bak", "other.log", "out.log", "wanted", "code", "state"}
    assert {name for name in names(folder) if not name.endswith(".old")} <= known
    assert not [path for path in (folder / "state").rglob("*") if path.is_file()]


def test_what_a_killed_save_left_is_swept_and_nothing_else(file: Path) -> None:
    left = [file.with_name(f".{name}.recorder-editor.tmp") for name in ("town.log-00c0ffee", "other.csv-0badcafe")]
    held, strange = (file.with_name(f".{name}") for name in ("town.log-12345678.recorder-editor.tmp", "town.log.tmp"))
    for path in (*left, held, strange):
        path.write_bytes(b"half a recording")
    descriptor = claim(held)
    assert descriptor is not None
    with recorder_editor.open(file):
        assert names(file.parent) == sorted([held.name, strange.name, file.name])
    os.close(descriptor)
    with recorder_editor.open(file) as recording:
        recording.save(file.with_name("new.log"))
    assert names(file.parent) == sorted([strange.name, file.name, "new.log"])
