"""Processes that are asked to end do so, once and whatever they are at; their workers go with them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
PROJECT = Path(__file__).resolve().parents[1]
BEGINS = """
import os, signal
from recorder_editor.termination import Terminated, initialize_worker, unwind_on_signals

def ask():
    os.kill(os.getpid(), signal.SIGTERM)

"""


def ended(code: str, before: str = "") -> tuple[int, str, str]:
    """What becomes of a process: its code, and what it and its workers say until the last of them is gone."""
    command = [sys.executable, "-c", before + BEGINS + code]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


def test_a_second_signal_does_not_stop_the_cleaning_up() -> None:
    code = """
unwind_on_signals()
try:
    try:
        ask()
    finally:
        ask()
        try:
            raise OSError
        except OSError:
            ask()
        print("cleaned")
except Terminated as end:
    code = end.end()
    ask()
    raise SystemExit(code)
"""
    assert ended(code) == (128 + signal.SIGTERM, "cleaned\n", "")


def test_a_signal_that_is_lost_in_a_dying_object_is_heard_all_the_same() -> None:
    code = """
class Dies:
    def __del__(self):
        ask()
        print("lost")

unwind_on_signals()
try:
    Dies()
    while True:
        signal.pause()
except Terminated as end:
    raise SystemExit(end.end())
"""
    number, told, complaint = ended(code)
    assert (number, told) == (128 + signal.SIGTERM, "")
    assert complaint.startswith("Exception ignored in")


def test_a_system_without_hang_up_and_timers_ends_and_cleans_up_as_well() -> None:
    """As Windows is, where nothing signals again."""
    without = "import signal\ndel signal.SIGHUP, signal.setitimer\n"
    code = """
unwind_on_signals()
try:
    try:
        ask()
    finally:
        print("cleaned")
except Terminated as end:
    raise SystemExit(end.end())
"""
    assert ended(code, without) == (128 + signal.SIGTERM, "cleaned\n", "")


def test_workers_of_a_killed_process_end() -> None:
    code = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

pool = ProcessPoolExecutor(1, get_context("spawn"), initialize_worker)
assert pool.submit(os.getpid).result() != os.getpid()
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert ended(code)[0] == -signal.SIGKILL


# --- Ctrl+C -----------------------------------------------------------------------------------------------

STOPPED = """
import os, signal, sys
from recorder_editor.__main__ import main

def stop(*_arguments, **_options):
    os.killpg(0, signal.SIGINT)

{patch}
if __name__ == "__main__":
    sys.exit(main())
"""
"""The program, in which something is stopped as by Ctrl+C in a terminal: all processes of the group get the signal."""

IN_A_VERB = """
from recorder_editor.cli import trim
trim.find_frames = stop
"""
IN_AN_IMPORT = """
import importlib.abc

class Stops(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "recorder_editor.checks":
            stop()

sys.meta_path.insert(0, Stops())
"""
IN_A_PICTURE = """
from PySide6.QtCore import QTimer
from recorder_editor.ui import app

def waited(*given, before=app.wait_for_jobs):
    QTimer.singleShot(0, stop)
    before(*given)

app.wait_for_jobs = waited
"""
IN_THE_WINDOW = """
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtCore import QTimer
from recorder_editor.ui import app

class Program(app.Program):
    def new_window(self, path=None):
        QTimer.singleShot(0, stop)
        return super().new_window(path)

app.Program = Program
"""
WAYS = {
    "verb": (IN_A_VERB, "trim town.log out.log --to 1"),
    "many": (IN_A_VERB, "trim town.log again.log --to 1 --out-dir out --workers 2"),
    "import": (IN_AN_IMPORT, "check town.log"),
    "picture": (IN_A_PICTURE, "screenshot town.log out.png"),
    "window": (IN_THE_WINDOW, "open town.log"),
}


def stopped(folder: Path, way: str, *command: str) -> tuple[int, str, str]:
    """What becomes of a command that is stopped: its code, and what it says."""
    patch, words = WAYS[way]
    for name in ("town.log", "again.log"):
        (folder / name).write_bytes((PROJECT / "resources" / "sample" / "town.log").read_bytes())
    (folder / "program.py").write_text(STOPPED.format(patch=patch), encoding="utf-8")
    done = subprocess.run(
        [*command, sys.executable, "program.py", *words.split()],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        start_new_session=True,  # so that the signal does not go to the tests
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background ignore it
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c_ends_the_program_by_the_signal_after_it_has_cleaned_up(tmp_path: Path, way: str) -> None:
    told = "" if way == "window" else "recorder-editor: Stopped.\n"
    assert stopped(tmp_path, way) == (-signal.SIGINT, "", told)
    left = {path.name for path in tmp_path.iterdir()} - {"out", "__pycache__"}
    assert left == {"town.log", "again.log", "program.py"}


def test_ctrl_c_ends_a_loop_of_a_shell(tmp_path: Path) -> None:
    loop = 'for number in 1 2 3; do "$@"; echo "went on after $?"; done'
    code, out, error = stopped(tmp_path, "verb", "bash", "-c", loop, "loop")
    assert (code, out, error) == (-signal.SIGINT, "", "recorder-editor: Stopped.\n")


def test_what_is_to_be_done_at_exit_is_done_before_the_signal() -> None:
    code = """
import atexit
from recorder_editor.termination import Ending

ending = Ending()
atexit.register(print, "cleaned")
ending.end_by(signal.SIGINT)
print("ends")
"""
    assert ended(code) == (-signal.SIGINT, "ends\ncleaned\n", "")
    assert ended(code.replace("ending.end_by(signal.SIGINT)", "")) == (0, "ends\ncleaned\n", "")


def test_where_no_process_can_end_by_a_signal_the_exit_code_tells_it() -> None:
    """As on Windows, where os.kill ends a process with the number of the signal as its code."""
    code = """
from recorder_editor import __main__, termination

termination.ENDS_BY_SIGNALS = False
def stop(_arguments):
    raise KeyboardInterrupt

__main__._dispatch = stop
raise SystemExit(__main__.main())
"""
    assert ended(code) == (130, "", "recorder-editor: Stopped.\n")
