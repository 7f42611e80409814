"""Findings of scan, checks and repair: a code, a sentence and a location."""

from dataclasses import dataclass
from typing import Literal

from ..format import plural

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


_SENTENCES = {
    "no-header": "The file does not begin like a recording, so none of its {size} could be read as frames.",
    "no-frame-end": "Frame {frame} is never ended: its FrameEnd is missing.",
    "odd-frame-end": "Frame {frame} holds a FrameEnd with a body, which does not end it.",
    "odd-frame-start": "A FrameStart {place} has the wrong size, so what it begins ({packets}) is not a frame.",
    "stray-packets": "Outside of any frame, {place}: {packets} ({size}).",
    "junk": "The bytes {place} are not in the form of packets: {size}, up to the next readable frame or the end.",
    "frame-too-large": "The frame {place} is too large to be decoded: {size}. Its bytes are kept as they are.",
    "unread-packets": "Packets outside of whole frames, {place}, are too many or too large to be decoded: {size}.",
    "torn-tail": "The file ends in the middle of a packet {place}; {size} of it are left.",
}

DAMAGE = frozenset(_SENTENCES)
"""The codes of findings of the scan."""

_SOUND = "frame-too-large"


def damage(code: str, offset: int, size: int, *, frames: int, row: int, packets: int = 0) -> Finding:
    """The finding for `size` bytes from `offset` on that are no valid frame.

    `frames` counts the frames up to the row, inclusive; `packets` those in the bytes. Raises KeyError for an
    unknown code.
    """
    place = f"after frame {frames:,}" if frames else "before the first frame"
    text = _SENTENCES[code].format(
        frame=f"{frames:,}", size=plural(size, "byte"), packets=plural(packets, "packet"), place=place
    )
    severity: Severity = "warning" if code == _SOUND else "error"
    return Finding(code, severity, text, offset, frames - 1 if frames else None, row, size)
