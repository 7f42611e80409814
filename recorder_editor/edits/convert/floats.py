"""Conversion between floats and doubles, on their bits.

Widening loses nothing, and narrowing a widened float restores its bits. Values that are not finite are converted
without arithmetic: hardware makes signalling NaNs quiet.
"""

from dataclasses import dataclass

import numpy as np

from ...arrays import BoolArray, UInt32Array, UInt64Array

_SIGN_32, _EXPONENT_32, _FRACTION_32 = np.uint32(0x80000000), np.uint32(0x7F800000), np.uint32(0x7FFFFF)
_EXPONENT_64, _FRACTION_64 = np.uint64(0x7FF << 52), np.uint64((1 << 52) - 1)
_SPARE = np.uint64(29)
"""Bits of a double's fraction that a float has no room for."""
_BELOW = np.uint64((1 << 29) - 1)


@dataclass(frozen=True)
class Narrowed:
    """Doubles as floats.

    Attributes: `bits`, `rounded` (not exactly the double: the nearest float, or a NaN with a shortened payload),
    `beyond` (finite, but too large for a float: infinite). The masks do not overlap.
    """

    bits: UInt32Array
    rounded: BoolArray
    beyond: BoolArray


def widened(bits: UInt32Array) -> UInt64Array:
    """The doubles of the same values; NaNs keep sign, quietness and payload. Any shape."""
    with np.errstate(all="ignore"):
        wide: UInt64Array = bits.view(np.float32).astype(np.float64).view(np.uint64)
    odd = (bits & _EXPONENT_32) == _EXPONENT_32
    if odd.any():
        strange = bits[odd].astype(np.uint64)
        sign = (strange >> np.uint64(31)) << np.uint64(63)
        wide[odd] = sign | _EXPONENT_64 | ((strange & np.uint64(_FRACTION_32)) << _SPARE)
    return wide


def narrowed(bits: UInt64Array) -> Narrowed:
    """The nearest floats; NaNs keep sign, quietness and the upper bits of the payload. Any shape."""
    with np.errstate(all="ignore"):
        narrow: UInt32Array = bits.view(np.float64).astype(np.float32).view(np.uint32)
        back = narrow.view(np.float32).astype(np.float64).view(np.uint64)
    rounded: BoolArray = back != bits
    beyond: BoolArray = np.zeros(bits.shape, np.bool_)
    odd = (narrow & _EXPONENT_32) == _EXPONENT_32
    if odd.any():
        strange = bits[odd]
        finite = (strange & _EXPONENT_64) != _EXPONENT_64
        fraction = strange & _FRACTION_64
        kept = (fraction >> _SPARE).astype(np.uint32)
        # Without a bit it would be an infinity.
        kept[(fraction != 0) & (kept == 0)] = 1
        sign = (strange >> np.uint64(32)).astype(np.uint32) & _SIGN_32
        narrow[odd] = np.where(finite, narrow[odd], sign | _EXPONENT_32 | kept)
        rounded[odd] = ~finite & ((fraction & _BELOW) != 0)
        beyond[odd] = finite
    return Narrowed(narrow, rounded, beyond)
