"""Findings of scan, checks and repair: a code, a sentence and a location."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..texts import N_, say, say_count

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding.

    Attributes:
        code: The code, which is stable, in kebab-case.
        severity: How bad it is.
        message: A whole sentence.
        offset: The byte in the file, or None.
        frame_index: The frame that it is in or, between frames, the one before, from 0; None before the first one.
        row: The row of the frame table, or None.
        size: The bytes that it is about, from `offset` on.
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
DAMAGE = frozenset(_OF_FRAMES + _OF_BYTES)
"""The codes of findings of the scan."""

_SOUND = "frame-too-large"


def damage(code: str, offset: int, size: int, *, frames: int, row: int, packets: int = 0) -> Finding:
    """Make the finding about bytes that are no valid frame.

    Args:
        code: The code, one of `DAMAGE`.
        offset: The first byte in the file.
        size: The number of bytes.
        frames: The number of frames up to the row, inclusive.
        row: The row of the frame table.
        packets: The number of packets in the bytes.

    Raises:
        KeyError: There is no such code.
    """
    frame_index = None
    place = say("before the first frame")
    if frames:
        frame_index = frames - 1
        place = say("after frame {frame:,}", frame=frames)
    message = say(
        _MESSAGES[code],
        frame=frames,
        size=say_count("1 byte", "{count:,} bytes", count=size),
        packets=say_count("1 packet", "{count:,} packets", count=packets),
        place=place,
    )
    severity: Severity = "error"
    if code == _SOUND:
        severity = "warning"
    return Finding(
        code=code, severity=severity, message=message, offset=offset, frame_index=frame_index, row=row, size=size
    )
