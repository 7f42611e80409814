"""Saving that is killed at any call of the system: the old file or the new one is there, whole, and no edit is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.recording.journal import found
from tests.recording.killed import OTHER
from tests.recording.steps import DRIVE, content, names

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that begin as copies")
PROJECT = Path(__file__).resolve().parents[2]


def killed(folder: Path, when: str, how: str) -> list[Path]:
    """The folders in which a process was killed, and the last one, in which none was."""
    command = [sys.executable, "-m", "tests.recording.killed", str(folder), when, how]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    folders = sorted(folder.iterdir(), key=lambda each: int(each.name))
    assert len(folders) > 8
    return folders


@pytest.mark.parametrize(
    ("how", "when"), [("over", "before"), ("over", "half"), ("as", "before"), ("windows", "before")]
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
    assert seen == sorted(seen)
    assert not seen[0]
    assert seen[-1]


def check_restored(folder: Path, wanted: bytes, *, is_saved: bool) -> None:
    leftovers = found()
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


def test_what_a_killed_save_left_is_swept_up_after_a_day(file: Path) -> None:
    old, new, strange = (file.with_name(f".town.log.{name}.tmp") for name in ("00c0ffee", "0badcafe", "mine"))
    for path in (old, new, strange):
        path.write_bytes(b"half a recording")
    for path in (old, strange):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    with recorder_editor.open(file) as recording:
        recording.save()
    assert names(file.parent) == sorted([new.name, strange.name, file.name])
