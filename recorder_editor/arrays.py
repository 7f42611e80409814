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
    """The dtype of rows.

    Args:
        columns: The columns with blanks between, each `name:type` as numpy writes types; without a type it is a double.
        align: Columns begin at multiples of their size, as a C compiler would have it.
    """
    types = []
    for column in columns.split():
        name, _, type_name = column.partition(":")
        types.append((name, type_name or "f8"))
    return np.dtype(types, align=align)


def run_starts(*columns: AnyArray) -> BoolArray:
    """Mark the first row of each run of equal rows.

    Args:
        columns: The columns of the rows, each of shape (n,), n at least 1.

    Returns:
        bool (n,): the first row, and rows that differ from the one before in any column.
    """
    is_first = np.ones(len(columns[0]), np.bool_)
    is_first[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return is_first


def run_ends(*columns: AnyArray) -> BoolArray:
    """Mark the last row of each run of equal rows.

    Args:
        columns: As for `run_starts`.

    Returns:
        bool (n,): the last row, and rows that differ from the one after in any column.
    """
    return np.roll(run_starts(*columns), -1)


def distinct(values: AnyArray) -> AnyArray:
    """Return the values of an array of shape (n,), rising, each once: `np.unique`, which would load numpy.ma."""
    ordered = np.sort(values)
    if len(ordered):
        ordered = ordered[run_starts(ordered)]
    return ordered


def sorted_order(numbers: AnyArray) -> IndexArray:
    """The stable order of numbers from 0 on, as indices."""
    # Sorting numbers of 16 bits is ten times as fast.
    kind: type[np.integer[Any]] = np.int32
    if numbers.max(initial=0) < 1 << 16:
        kind = np.uint16
    return np.argsort(numbers.astype(kind), kind="stable")


def values_before(groups: AnyArray, values: AnyArray, last: AnyArray) -> AnyArray:
    """The value of the row before each row in the same group.

    Args:
        groups: The number of the group of each row, rising, shape (n,).
        values: The values of the rows, shape (..., n).
        last: For each group the value before its first row, shape (..., groups). Afterwards it holds the values of the
            last rows, so that a next call goes on behind them.

    Returns:
        The values, of the shape and dtype of `values`.
    """
    firsts = run_starts(groups)
    lasts = run_ends(groups)
    before = np.roll(values, 1, axis=-1)
    before[..., firsts] = last[..., groups[firsts]]
    last[..., groups[lasts]] = values[..., lasts]
    return before


def quantile(values: AnyArray, share: float) -> float:
    """The value that a share of the others lie below: the median for 0.5.

    `np.median` and `np.percentile` load numpy's masked arrays, for which the first picture of the window would wait.

    Args:
        values: Numbers, none of them NaN, shape (n,), n at least 1.
        share: The share, 0 to 1.
    """
    index = round(share * (len(values) - 1))
    return float(np.partition(values, index)[index])
