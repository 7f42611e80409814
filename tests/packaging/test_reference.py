"""The guide's reference pages say what the tables of the format and the window's list of actions say."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_the_reference_pages_are_those_the_program_makes() -> None:
    run = subprocess.run([sys.executable, str(PROJECT / "packaging" / "reference.py"), "--check"], check=False)
    assert run.returncode == 0, "run packaging/reference.py"
