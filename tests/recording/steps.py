"""What the tests of saving and undoing do to a recording, and what they look at afterwards."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recorder_editor import Edit, Recording, edits
from recorder_editor.recording.frames import FrameTable
from recorder_editor.recording.history import Splice
from recorder_editor.recording.save import System
from tests import builders

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, or needs a call that only Linux has")

BY_THE_KERNEL = System(kernel_copy=True, replaces_open_files=True)
BY_BLOCKS = System(kernel_copy=False, replaces_open_files=True)
AS_ON_WINDOWS = System(kernel_copy=False, replaces_open_files=False)
DRIVE = builders.drive(frames=40, vehicles=2)
DAMAGED = DRIVE[:3000] + b"\xff" * 300 + DRIVE[3300:-7]


def content(recording: Recording) -> bytes:
    return recording.snapshot.read(0, recording.snapshot.size)


def turn(recording: Recording, frame: int, yaw: float = 12.5) -> Edit:
    """An edit that writes new bytes for one frame."""
    where = edits.place(recording, frame=frame, packet="Position", record=0, field="rotation.yaw")
    return edits.set_field(recording, where, yaw)


def retime(recording: Recording, rows: slice | np.ndarray[Any, Any], by: float = 100.0) -> Edit:
    """An edit of columns alone: `elapsed` of many rows, no bytes."""
    made = recording.snapshot.table.rows().copy()
    made["elapsed"][rows] += by
    made["stored"][rows] = 0
    splice = Splice(0, len(made), FrameTable.from_rows(made))
    return Edit("Retime", recording.snapshot.version, (splice,))


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())
