"""The script that writes the README's pictures."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("language", "page", "folder"), [("en", "README.md", ""), ("zh_CN", "README.zh-CN.md", "zh_CN/")]
)
def test_it_writes_every_picture_of_the_readme(language: str, page: str, folder: str, tmp_path: Path) -> None:
    script = PROJECT / "packaging" / "pictures.py"
    subprocess.run([sys.executable, script, "--lang", language, tmp_path], check=True)
    named = set(re.findall(rf"resources/pictures/{folder}([\w-]+\.png)", (PROJECT / page).read_text("utf-8")))
    written = {path.name for path in tmp_path.glob("*.png")}
    assert written == named
    steps = PROJECT / "resources" / "guide" / folder / "pictures"
    if (PROJECT.parent / "shared" / "recordings").is_dir():
        assert {path.name for path in (tmp_path / "guide").iterdir()} == {path.name for path in steps.iterdir()}
    for path in tmp_path.glob("*.png"):
        size = QImage(str(path)).size()
        assert (size.width(), size.height()) == (1440, 900)
