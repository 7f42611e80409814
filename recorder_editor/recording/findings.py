"""Findings of scan, checks and repair: a code, a sentence and a location."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..texts import N_, say, say_count

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


_MESSAGES: Mapping[str, str] = {
    "frame-too-large": N_("The frame {place} is too large to be decoded: {size}. Its bytes are kept as they are."),
    "junk": N_("The bytes {place} are not in the form of packets: {size}, up to the next readable frame or the end."),
    "no-frame-end": N_("Frame {frame:,} is never ended: its FrameEnd is missing."),
    "no-header": N_("The file does not begin like a recording, so none of its {size} could be read as frames."),
    "odd-frame-end": N_(
        "Frame {frame:,} holds a FrameEnd with a body: the simulator ends the frame "
        "there, does not skip the body, and loses its place in the file."
    ),
    "odd-frame-start": N_("A FrameStart {place} has the wrong size, so what it begins ({packets}) is not a frame."),
    "stray-packets": N_("Outside of any frame, {place}: {packets} ({size})."),
    "torn-tail": N_("The file ends in the middle of a packet {place}; {size} of it are left."),
    "unread-packets": N_("Packets outside of whole frames, {place}, are too many or too large to be decoded: {size}."),
}

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
    if frames:
        place = say("after frame {frame:,}", frame=frames)
    else:
        place = say("before the first frame")
    held = say_count("1 packet", "{count:,} packets", count=packets)
    lost = say_count("1 byte", "{count:,} bytes", count=size)
    text = say(_MESSAGES[code], frame=frames, size=lost, packets=held, place=place)
    severity: Severity = "error"
    if code == _SOUND:
        severity = "warning"
    return Finding(code, severity, text, offset, frames - 1 if frames else None, row, size)
