"""Colours stored as three linear shares, shown and picked as screens have them: 0 to 255."""

import math
from collections.abc import Container, Mapping

from ...format.schema import Value

CHANNELS = ("r", "g", "b")


def is_colour(paths: Container[str], group: str) -> bool:
    """A group of fields is a colour: it has red, green and blue."""
    return all(f"{group}.{channel}" in paths for channel in CHANNELS)


def colour_text(values: Mapping[str, Value], group: str) -> str:
    """The colour of a group as "r,g,b"; "none" where a share is no number."""
    shares = [values[f"{group}.{channel}"] for channel in CHANNELS]
    numbers = [share for share in shares if isinstance(share, (int, float)) and math.isfinite(share)]
    if len(numbers) != len(CHANNELS):
        return "none"
    return ",".join(str(_shown(number)) for number in numbers)


def linear_shares(text: str) -> tuple[float, ...]:
    """The three linear shares of "r,g,b"."""
    return tuple(_linear(int(part) / 255) for part in text.split(","))


def _shown(share: float) -> int:
    share = min(max(share, 0.0), 1.0)
    curved = 12.92 * share if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055
    return round(255 * curved)


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)
