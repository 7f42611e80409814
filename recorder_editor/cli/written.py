"""What a verb has written, told for all verbs in the same words."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from ..errors import RecorderError
from ..recording import open_recording
from ..texts import say, say_count
from .output import Loudness, loudness

_State = tuple[int, int, int] | None
"""What changes when a file is written; None without a file."""


class Written:
    """The files that a verb for one recording writes at the paths that it was given."""

    def __init__(self, arguments: Namespace) -> None:
        """Look at what there is before the verb runs.

        Args:
            arguments: The arguments of the verb.
        """
        self._before: dict[Path, _State] = {}
        self._kinds: dict[Path, str] = {}
        if not _is_told():
            return
        for name, kind in arguments.outputs.items():
            path = vars(arguments)[name]
            if path is not None and kind != "folder":  # verbs that write a folder print what is in it
                self._kinds[path] = kind
                self._before[path] = _state(path)

    def lines(self) -> Iterator[str]:
        """Yield a line for each file that was written since, with its frames and bytes."""
        for path, before in self._before.items():
            state = _state(path)
            if state is not None and state != before:
                yield _line(path, self._kinds[path])


def _is_told() -> bool:
    level = loudness()
    return level == Loudness.VERBOSE or (level == Loudness.USUAL and sys.stderr.isatty())


def _state(path: Path) -> _State:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _line(path: Path, kind: str) -> str:
    size = say_count("1 byte", "{count:,} bytes", count=path.stat().st_size)
    frames = ""
    if kind == "recording":
        frames = _frames_text(path)
    if frames:
        return say("Wrote {path}: {frames}, {size}.", path=path, frames=frames, size=size)
    return say("Wrote {path}: {size}.", path=path, size=size)


def _frames_text(path: Path) -> str:
    """Return the number of frames of a recording; empty if it cannot be read."""
    try:
        with open_recording(path) as recording:
            return say_count("{count:,} frame", "{count:,} frames", count=len(recording))
    except (OSError, RecorderError):
        return ""
