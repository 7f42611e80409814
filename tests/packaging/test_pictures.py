"""The script that writes the README's pictures."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.pictures
def test_it_writes_every_picture_of_the_readme(tmp_path: Path) -> None:
    subprocess.run([sys.executable, PROJECT / "packaging" / "pictures.py", tmp_path], check=True)
    named = set(re.findall(r"resources/pictures/([\w-]+\.png)", (PROJECT / "README.md").read_text("utf-8")))
    assert {path.name for path in tmp_path.iterdir()} == named
    for path in tmp_path.iterdir():
        size = QImage(str(path)).size()
        assert (size.width(), size.height()) == (1440, 900)
