"""Array types of any shape, each of one dtype (`AnyArray`: of any), and an order statistic of one."""

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


def value_at(values: AnyArray, share: float) -> float:
    """The value that `share` (0 to 1) of the others lie below: the median for 0.5. Needs values that are numbers.

    `np.median` and `np.percentile` load numpy's masked arrays, for which the first picture of the window would wait.
    """
    at = round(share * (len(values) - 1))
    return float(np.partition(values, at)[at])
