"""Times and texts as MCAP files have them."""

import numpy as np

from ..arrays import IntArray
from ..recording import Snapshot
from ..texts import say
from .openscenario import ScenarioError

LAST_SECOND = (1 << 34) - 1
"""The last second since 1970 that five bytes of protobuf hold."""


def log_times(snapshot: Snapshot, frames: IntArray) -> IntArray:
    """Return the times of frames: since 1970 where the header has a date, else since the beginning, ns, int64[n].

    Raises:
        ScenarioError: There is no frame, or time is no number, goes back or is out of range.
    """
    if not len(frames):
        raise ScenarioError(say("There is no frame to export."))
    header = snapshot.header
    elapsed = snapshot.elapsed[frames]
    start = 0
    if header is not None and header.when is not None:
        start = header.date
    is_sound = (elapsed >= 0) & (elapsed + start < LAST_SECOND)
    is_sound[1:] &= elapsed[1:] >= elapsed[:-1]
    if not is_sound.all():
        frame = int(frames[np.argmin(is_sound)]) + 1
        raise ScenarioError(
            say(
                "Time falls or is no number at frame {frame}, and log times must rise. Retime "
                "the recording, or choose other frames.",
                frame=frame,
            ),
            frame=frame,
        )
    return start * 10**9 + np.rint(elapsed * 1e9).astype(np.int64)


def utf8_text(text: str) -> str:
    """Return a text that UTF-8 can store."""
    return text.encode(errors="backslashreplace").decode()
