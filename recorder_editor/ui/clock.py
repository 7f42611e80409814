"""Moments of a recording as text, and back: `12.500 s`, in one longer than a minute `0:00:12.500`."""

import math
import re

_FROM = 60.0
_TO = 1e9  # beyond it hours say nothing, and what is stored is damage
_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d*)?)$")


def is_long(seconds: float) -> bool:
    """Whether a recording that ends then has its moments written as h:mm:ss."""
    return _FROM <= seconds < _TO


def time_text(seconds: float, *, clock: bool, decimals: int = 3) -> str:
    """Seconds with so many decimals, without a unit; a dash for what is not finite."""
    if not math.isfinite(seconds):
        return "—"
    if not clock or abs(seconds) >= _TO:
        return f"{seconds:.{decimals}f}"
    units = 10**decimals
    whole, part = divmod(round(abs(seconds) * units), units)
    sign, tail = "-" if seconds < 0 and (whole or part) else "", f".{part:0{decimals}d}" if decimals else ""
    return f"{sign}{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}{tail}"


def seconds_of(text: str) -> float:
    """What was written as seconds, m:ss or h:mm:ss; raises ValueError."""
    given = text.strip().removesuffix("s").rstrip()
    sign = -1.0 if given.startswith("-") else 1.0
    found = _CLOCK.match(given.removeprefix("-"))
    return sign * (int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3])) if found else float(given)
