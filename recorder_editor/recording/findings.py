"""Findings of scan, checks and repair: a code, a sentence and a location."""

from dataclasses import dataclass
from typing import Literal

from ..sentences import say

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding.

    Attributes: `code` (stable, kebab-case), `severity`, `message` (a whole sentence), `offset` (byte in the file, None
    without one), `frame_index` (from 0: the frame it happens in or, between frames, the one before),
    `row` (of the frame table), `size` (bytes it is about, from `offset` on).
    """

    code: str
    severity: Severity
    message: str
    offset: int | None = None
    frame_index: int | None = None
    row: int | None = None
    size: int = 0


_OF_FRAMES = ("no-frame-end", "odd-frame-end", "odd-frame-start", "frame-too-large")
_OF_BYTES = ("no-header", "stray-packets", "junk", "unread-packets", "torn-tail")
DAMAGE = frozenset((*_OF_FRAMES, *_OF_BYTES))
"""The codes of findings of the scan."""

_SOUND = "frame-too-large"


def damage(code: str, offset: int, size: int, *, frames: int, row: int, packets: int = 0) -> Finding:
    """The finding for `size` bytes from `offset` on that are no valid frame.

    `frames` counts the frames up to the row, inclusive; `packets` those in the bytes. Raises KeyError for an
    unknown code.
    """
    place = say("recording.after_frame", frame=frames) if frames else say("recording.before_first_frame")
    held, lost = say("recording.packets", count=packets), say("recording.bytes", count=size)
    text = say(f"damage.{code}", frame=frames, size=lost, packets=held, place=place)
    severity: Severity = "warning" if code == _SOUND else "error"
    return Finding(code, severity, text, offset, frames - 1 if frames else None, row, size)
