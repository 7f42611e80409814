"""A small recording in a folder of its own, closed or open."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import Recording
from recorder_editor.recording import writing
from tests.recording.steps import DRIVE


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A recording of 40 frames in a folder of its own."""
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "town.log"
    path.write_bytes(DRIVE)
    return path


@pytest.fixture
def recording(file: Path) -> Iterator[Recording]:
    with recorder_editor.open(file) as opened:
        yield opened


@pytest.fixture
def every_range_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_WORTH_A_CALL", 1)
