"""Array types of any shape, each of one dtype; `AnyArray` of any."""

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
