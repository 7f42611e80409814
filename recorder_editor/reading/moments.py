"""Moments that people type: seconds `12.5`, `5s`, `500ms`, `2min`, clocks `0:05`, `1:02:30.5`, frames `f250`.

A frame may be written `#250`, too, which shells take for a comment.
"""

import re

_FRAME = re.compile(r"\s*[#fF]\s*(\d[\d,]{0,23})\s*", re.ASCII)
_SECONDS = re.compile(r"\s*([-+.0-9eE]+)\s*(s|ms|min|)\s*")
_CLOCK = re.compile(r"\s*(-?)(?:(\d{1,9}):)?(\d{1,2}):(\d{1,2}(?:\.\d*)?)\s*", re.ASCII)
_UNITS = {"": 1.0, "s": 1.0, "min": 60.0}


def frame_number(text: str, least: int = 1) -> int | None:
    """Return the number of the frame that a text names; None for a text that names none.

    Args:
        text: The text.
        least: The least number; frames count from 1.
    """
    match = _FRAME.fullmatch(text)
    if match is None:
        return None
    number = int(match[1].replace(",", ""))
    if number < least:
        return None
    return number


def seconds_of(text: str) -> float:
    """Return the seconds of a text.

    Args:
        text: Seconds, a number with the unit s, ms or min, or a clock as m:ss or h:mm:ss.

    Raises:
        ValueError: The text is none of these.
    """
    clock = _CLOCK.fullmatch(text)
    if clock is not None:
        sign, hours, minutes, seconds = clock.groups(default="0")
        total = int(hours) * 3600 + int(minutes) * 60 + float(seconds)
        return -total if sign == "-" else total
    match = _SECONDS.fullmatch(text)
    if match is None:
        raise ValueError(text)
    number = float(match[1])
    if match[2] == "ms":
        return number / 1000
    return number * _UNITS[match[2]]
