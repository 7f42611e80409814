"""The guide's reference page says what the tables say."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_the_reference_page_is_the_one_the_tables_make() -> None:
    run = subprocess.run([sys.executable, str(PROJECT / "packaging" / "reference.py"), "--check"], check=False)
    assert run.returncode == 0, "run packaging/reference.py"
