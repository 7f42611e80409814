"""Whatever can stand in a field, in every table of every dialect: the three forms say the same of it."""

import csv
import json
import struct
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import recorder_editor
from recorder_editor import Recording
from recorder_editor.errors import SaveRefused
from recorder_editor.formats.export import TableOptions, export
from recorder_editor.formats.tables import tables
from recorder_editor.reading.selectors import SelectorError, find_subset

from .. import builders as b


def refused(word: str) -> Any:
    raise AssertionError(word)


def json_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line, parse_constant=refused) for line in path.read_bytes().decode("utf-8").splitlines()]


def number(value: Any) -> Any:
    """A value of a line; those that are given by their bits as numbers."""
    if isinstance(value, str) and value.startswith(("f32:", "f64:")):
        bits, kind = ("<I", "<f") if value[1] == "3" else ("<Q", "<d")
        return struct.unpack(kind, struct.pack(bits, int(value[4:], 16)))[0]
    return value


def check_forms(recording: Recording, folder: Path, table: str) -> int:
    """CSV and JSON Lines say what Parquet says, to the bit but for the bits of NaN; returns the number of rows."""
    for ending in ("csv", "jsonl", "parquet"):
        export(recording.snapshot, folder / f"out.{ending}", TableOptions(table))
    stored = pyarrow.parquet.read_table(folder / "out.parquet")
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        names, *lines = csv.reader(file)
    objects = json_rows(folder / "out.jsonl")
    assert names == stored.column_names
    assert all(list(each) == names for each in objects)
    assert len(lines) == len(objects) == len(stored)
    texts: list[tuple[str, ...]] = list(zip(*lines, strict=True)) if lines else [()] * len(names)
    for name, column in zip(names, texts, strict=True):
        kind, wanted = stored.schema.field(name).type, stored[name].to_pylist()
        told = [number(each[name]) for each in objects]
        if str(kind) == "bool":
            assert [{"true": True, "false": False, "": None}[text] for text in column] == told == wanted
        elif str(kind) == "string":
            assert list(column) == told == wanted
        else:
            assert (
                [text == "" for text in column] == [each is None for each in told] == [each is None for each in wanted]
            )
            dtype = kind.to_pandas_dtype()
            found, by_line, given = (
                np.array([dtype(value) for value in values if value not in (None, "")], dtype)
                for values in (column, told, wanted)
            )
            for other in (found, by_line):
                assert np.array_equal(other, given, equal_nan=given.dtype.kind == "f")
                assert np.array_equal(np.signbit(other[other == 0]), np.signbit(given[given == 0]))
    return len(lines)


@pytest.mark.sampled(cases=3)
@pytest.mark.parametrize("dialect", list(b.RELEASES))
def test_all_forms_of_all_tables_agree_on_whatever_can_stand_in_a_field(dialect: str, tmp_path: Path) -> None:
    (tmp_path / "in.log").write_bytes(b.everything(dialect))
    with recorder_editor.open(tmp_path / "in.log", dialect=dialect) as recording:
        rows = {table.name: check_forms(recording, tmp_path, table.name) for table in tables(recording.snapshot)}
    assert rows["positions"] == rows["Position"] > 0


def test_all_tables_of_the_damaged_recording_are_empty_in_all_forms(damaged_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(damaged_recording) as recording:
        assert all(check_forms(recording, tmp_path, table.name) == 0 for table in tables(recording.snapshot))


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Recording]:
    """Ten frames, three vehicles: 100, 101 and 102."""
    (tmp_path / "drive.log").write_bytes(b.drive(10, vehicles=3))
    with recorder_editor.open(tmp_path / "drive.log") as recording:
        yield recording


def test_a_row_is_the_same_whatever_range_it_is_exported_in(drive: Recording, tmp_path: Path) -> None:
    def rows(start: int, stop: int) -> list[dict[str, Any]]:
        export(drive.snapshot, tmp_path / "rows.jsonl", subset=find_subset(drive.snapshot, (), f"#{start}", f"#{stop}"))
        return json_rows(tmp_path / "rows.jsonl")

    assert list(chain.from_iterable(rows(n, n + 1) for n in range(1, 11))) == rows(1, 11)


@pytest.mark.parametrize("word", ["100@0", "100@11", "100@99", "-1", "100@", "@1", "", "4294967296"])
def test_an_actor_in_a_frame_that_does_not_exist_is_refused(word: str, drive: Recording) -> None:
    with pytest.raises(SelectorError):
        find_subset(drive.snapshot, [word])


@pytest.mark.parametrize("name", ["own.csv", "link.csv", "other/../own.csv"])
def test_the_recording_itself_is_never_written_over(name: str, tmp_path: Path) -> None:
    data = b.drive(3)
    (tmp_path / "own.csv").write_bytes(data)
    (tmp_path / "link.csv").symlink_to("own.csv")
    (tmp_path / "other").mkdir()
    with recorder_editor.open(tmp_path / "own.csv") as recording, pytest.raises(SaveRefused, match="itself"):
        export(recording.snapshot, tmp_path / name)
    assert (tmp_path / "own.csv").read_bytes() == data
