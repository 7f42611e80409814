"""Typed numbers with optional units; without one they are metres, degrees or seconds."""

import math
import re
from collections.abc import Mapping

Units = Mapping[str, float]

LENGTHS: Units = {"": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0}
ANGLES: Units = {"": 1.0, "deg": 1.0, "°": 1.0, "rad": 180.0 / math.pi}
TIMES: Units = {"": 1.0, "s": 1.0, "ms": 0.001, "min": 60.0}
NUMBERS: Units = {"": 1.0}

_DIVISORS = {"cm": 100.0, "mm": 1000.0, "ms": 1000.0}
"""Units that divide the plain one: a division rounds once, a multiplication by 0.01 twice."""


class MeasureError(ValueError):
    """A text is not a number, or has an unknown unit."""


def measure(text: str, units: Units) -> float:
    """Parse a number; returns it in the plain unit (m, °, s). Raises `MeasureError`."""
    found = re.fullmatch(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([^\W\d]*|°)\s*", text, re.ASCII)
    unit = str(found[2]) if found is not None else ""
    if found is None or unit not in units:
        names = ", ".join(name for name in units if name)
        raise MeasureError(f"“{text}” is not a number" + (f", with or without a unit ({names})." if names else "."))
    number = float(found[1])
    value = number / _DIVISORS[unit] if unit in _DIVISORS else number * units[unit]
    if not math.isfinite(value):
        raise MeasureError(f"“{text}” is too large a number.")
    return value


def whole(text: str) -> int:
    """Parse a whole number, decimal or hexadecimal (0x31). Raises `MeasureError`."""
    found = re.fullmatch(r"\s*([+-]?\d{1,20}|0[xX][0-9a-fA-F]{1,16})\s*", text, re.ASCII)
    if found is None:
        raise MeasureError(f"“{text}” is not a whole number.")
    return int(found[1], 16) if found[1][:2] in ("0x", "0X") else int(found[1])


def word(text: str) -> int:
    """Parse a whole number of 32 bits. Raises `MeasureError`."""
    number = whole(text)
    if not 0 <= number <= 0xFFFFFFFF:
        raise MeasureError(f"“{text}” is not a number from 0 to {0xFFFFFFFF}.")
    return number


def ground(text: str) -> list[float]:
    """Parse X,Y (m). Raises `MeasureError`."""
    parts = text.split(",")
    if len(parts) != 2:
        raise MeasureError(f"“{text}” is not two numbers of metres with a comma between.")
    return [measure(part, LENGTHS) for part in parts]
