"""Array types of any shape, each of one dtype (`AnyArray`: of any), dtypes and groups of rows, an order statistic."""

from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Int32Array = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
IndexArray = npt.NDArray[np.intp]
ByteArray = npt.NDArray[np.uint8]
UInt32Array = npt.NDArray[np.uint32]
UInt64Array = npt.NDArray[np.uint64]
StructuredArray = npt.NDArray[np.void]
AnyArray = npt.NDArray[Any]


def row_type(columns: str, *, align: bool = False) -> np.dtype[np.void]:
    """The dtype of rows with these columns, each "name:type"; without a type it is a double."""
    pairs = (column.partition(":") for column in columns.split())
    return np.dtype([(name, type_ or "f8") for name, _, type_ in pairs], align=align)


def begins(*columns: AnyArray) -> BoolArray:
    """bool[n]: the rows that differ from the one before in any of these columns, and the first row."""
    found = np.ones(len(columns[0]), np.bool_)
    found[1:] = np.logical_or.reduce([each[1:] != each[:-1] for each in columns])
    return found


def ends(*columns: AnyArray) -> BoolArray:
    """bool[n]: the rows that differ from the one after in any of these columns, and the last row."""
    return np.roll(begins(*columns), -1)


def sorted_order(numbers: AnyArray) -> IndexArray:
    """The stable order of numbers from 0 on, as indices."""
    # Sorting numbers of 16 bits is ten times as fast.
    kind = np.uint16 if numbers.max(initial=0) < 1 << 16 else np.int32
    return np.argsort(numbers.astype(kind), kind="stable")


def values_before(whose: AnyArray, values: AnyArray, last: AnyArray) -> AnyArray:
    """The value (last axis) before each of some rows that are sorted by `whose` they are.

    Before the first one it is that of `last`, which holds one of each, and afterwards the values of the last rows.
    """
    firsts = begins(whose)
    lasts = ends(whose)
    before = np.roll(values, 1, axis=-1)
    before[..., firsts] = last[..., whose[firsts]]
    last[..., whose[lasts]] = values[..., lasts]
    return before


def value_at(values: AnyArray, share: float) -> float:
    """The value that `share` (0 to 1) of the others lie below: the median for 0.5. Needs values that are numbers.

    `np.median` and `np.percentile` load numpy's masked arrays, for which the first picture of the window would wait.
    """
    at = round(share * (len(values) - 1))
    return float(np.partition(values, at)[at])
