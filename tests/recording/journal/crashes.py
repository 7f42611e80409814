"""What the tests of the journal crash: a process that edits, and one that is only left without a word."""

import subprocess
import sys
from pathlib import Path

from recorder_editor import Recording
from recorder_editor.recording.recovery import Leftover, find_leftovers

PROJECT = Path(__file__).resolve().parents[3]


def crash(recording: Recording) -> None:
    """What is left of a recording whose process is gone: the files, without their locks."""
    assert recording.journal is not None
    assert recording.journal.flush(30)
    recording.release()


def the_leftover() -> Leftover:
    (leftover,) = find_leftovers()
    return leftover


def restored(leftover: Leftover | None = None) -> Recording:
    """The recording of the only journal that was left, whole."""
    recording, words = (leftover or the_leftover()).restore()
    assert words == ""
    return recording


def python(code: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Python, started afresh, with the same folders."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
