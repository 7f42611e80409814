"""Lines of rows are the same bytes however they are made."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.format import Field
from recorder_editor.formats.csv_format import csv_lines
from recorder_editor.formats.json_lines import json_lines
from recorder_editor.formats.tables import DictionaryColumn, GappedColumn, TableBlock

COLUMNS = (
    Field("double", "f64", ""),
    Field("single", "f32", ""),
    Field("gaps", "f64", ""),
    Field("count", "u64", ""),
    Field("is_on", "bool", ""),
    Field("time", "f64", ""),
    Field("name", "str", ""),
)

NUMBERS = [0.0, -0.0, 1.0, -250.0, 0.1, 1e-5, 1e-4, 999.5, 2017014.1, 1e10, 1e15, 1e16, 1e22, np.nan, np.inf, -np.inf]


def block(numbers: list[float]) -> TableBlock:
    values = np.array(numbers)
    with np.errstate(over="ignore"):
        singles = values.astype(np.float32)
    rows = np.arange(len(values))
    texts = ["", 'a "quoted" name', "broken \udcff", "=1+1,\n", "é"]
    return TableBlock(
        len(values),
        (
            values,
            singles,
            GappedColumn(values, rows % 3 == 0),
            rows.astype(np.uint64) << np.uint64(60),
            rows % 2 == 0,
            DictionaryColumn(values, rows[::-1].astype(np.int32)),
            DictionaryColumn(texts, (rows % len(texts)).astype(np.int32)),
        ),
    )


@given(st.lists(st.sampled_from(NUMBERS) | st.floats() | st.floats(width=32), min_size=1, max_size=30))
def test_lines_by_pyarrow_are_the_same(numbers: list[float]) -> None:
    """Of numbers with and without exponents, of whole ones, and of what is missing, whatever makes the lines."""
    pytest.importorskip("pyarrow")
    texts = []
    for least_rows in (1, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("recorder_editor.formats.row_texts._MANY", least_rows)
            lines = [*csv_lines(COLUMNS, [block(numbers)], guard=True), *json_lines(COLUMNS, [block(numbers)])]
        texts.append(b"".join(lines))
    assert texts[0] == texts[1]
