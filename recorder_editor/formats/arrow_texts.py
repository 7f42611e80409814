"""Lines of rows by pyarrow, three times as fast as with a text in Python for each value; the same bytes.

pyarrow writes floats with other exponents and without `.0`: what it writes otherwise is written one by one.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import AnyArray
from ..format import Field
from .tables import DictionaryColumn, GappedColumn, TableBlock, Values

if TYPE_CHECKING:
    import pyarrow as pa

ColumnValues = Sequence[object] | AnyArray
"""Values of one column: an array, or a list in which None is a missing value."""

FormatColumn = Callable[[Field, ColumnValues], list[str]]
"""A function from values of a column to their texts."""

_LEAST = 1e-3
_MOST = {4: 1e6, 8: 1e10}
"""Between these sizes, by bytes of a float, pyarrow writes what Python and numpy write, but for `.0`."""


def arrow_lines(pattern: str, columns: Sequence[Field], block: TableBlock, format_column: FormatColumn) -> bytes:
    """Return the lines of a block.

    Args:
        pattern: A line, with `%s` for the text of each column.
        columns: The columns.
        block: The rows, at least one, as many as make less than 2 GB.
        format_column: What makes texts of values.

    Raises:
        ImportError: pyarrow is not installed.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    first, *literals = (pattern + "\n").split("%s")
    parts: list[Any] = [pa.scalar(first.encode(), pa.binary())]
    for column, values, literal in zip(columns, block.values, literals, strict=True):
        parts.append(_texts(column, values, format_column))
        parts.append(pa.scalar(literal.encode(), pa.binary()))
    lines = pc.binary_join_element_wise(*parts, b"")
    _, offsets, data = lines.buffers()
    stop = int(np.frombuffer(offsets, np.int32)[len(lines)])
    text: bytes = data.slice(0, stop).to_pybytes()
    return text


def _texts(column: Field, values: Values, format_column: FormatColumn) -> "pa.Array":
    """The texts of a column, as an array of bytes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(values, DictionaryColumn):
        return _encoded(format_column(column, values.values)).take(pa.array(values.codes))
    if isinstance(values, GappedColumn):
        (missing,) = _encoded(format_column(column, [None]))
        present = np.where(values.is_missing, values.values.dtype.type(0), values.values)
        return pc.if_else(pa.array(values.is_missing), missing, _texts(column, present, format_column))
    if column.is_raw or values.dtype.kind not in "fiu":
        return _encoded(format_column(column, values))
    if values.dtype.kind == "f":
        return _float_texts(column, values, format_column)
    return pa.array(values).cast(pa.string()).cast(pa.binary())


def _float_texts(column: Field, values: AnyArray, format_column: FormatColumn) -> "pa.Array":
    import pyarrow as pa
    import pyarrow.compute as pc

    with np.errstate(invalid="ignore"):  # a file may hold signalling NaN
        size = np.abs(values)
        is_usual = (size >= _LEAST) & (size < _MOST[values.itemsize]) | (size == 0)
        is_whole = is_usual & (values == np.floor(values))
    texts = pa.array(values).cast(pa.string()).cast(pa.binary())
    if is_whole.any():
        texts = pc.if_else(pa.array(is_whole), pc.binary_join_element_wise(texts, b"0", b"."), texts)
    if not is_usual.all():
        others = _encoded(format_column(column, values[~is_usual]))
        texts = pc.replace_with_mask(texts, pa.array(~is_usual), others)
    return texts


def _encoded(texts: Sequence[str]) -> "pa.Array":
    import pyarrow as pa

    return pa.array([text.encode("utf-8", "backslashreplace") for text in texts], pa.binary())
