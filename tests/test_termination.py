"""Processes that are asked to end do so, once and whatever they are at; their workers go with them."""

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
