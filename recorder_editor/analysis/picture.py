"""Positions in pixels of highD's picture of the road."""

import struct
from pathlib import Path

import numpy as np

from ..arrays import FloatArray
from .constants import PICTURE_SIZE


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height of a PNG file in pixels; 1280 and 720 if there is none or it is no PNG file."""
    try:
        with path.open("rb") as file:
            head = file.read(24)
    except OSError:
        return PICTURE_SIZE
    if len(head) < 24 or not head.startswith(b"\x89PNG\r\n\x1a\n"):
        return PICTURE_SIZE
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def stretch_to_pixels(place: FloatArray, pixels: int) -> FloatArray:
    """Step 9, as documented: positions scaled from their range to the pixels, float64[n]; NaN for an empty range."""
    if not len(place):
        return place.astype(np.float64)
    low, high = float(np.nanmin(place)), float(np.nanmax(place))
    return (place - low) / (high - low) * pixels if high > low else np.full(len(place), np.nan)
