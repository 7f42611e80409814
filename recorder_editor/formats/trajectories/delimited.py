"""Tables as text (CSV): read in blocks of whole lines, with pyarrow where it is installed, else line by line.

Whatever the file holds, memory stays bounded: lines and their number of columns are. What pyarrow cannot read is read
again line by line, so that the message can name row and column.
"""

import codecs
import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Final, Literal, NamedTuple

import numpy as np

from ...arrays import AnyArray, FloatArray, Int32Array
from ...texts import say
from .trajectories import TrajectoryError

BLOCK: Final = 8 << 20
"""Bytes that are read at a time."""

LONGEST_LINE: Final = 1 << 20
MOST_COLUMNS: Final = 10_000

Decimal = Literal[".", ","]

_DELIMITERS = (",", ";", "\t", "|")
_MISSING: Final = ("", "nan", "null", "none", "na", "n/a", "-", "?")
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_INFINITE = re.compile(r"\s*[+-]?inf(inity)?\s*", re.ASCII | re.IGNORECASE)
_COMPRESSED: Final = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "ZIP",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
}
"""What compressed files begin with."""

_SHOWN = 40
_LINE_FEED = ord("\n")


class TextColumn(NamedTuple):
    """Texts of a block: that of a row is `values[codes[row]]`; an empty one is missing."""

    values: Sequence[str]
    codes: Int32Array


class Block(NamedTuple):
    """Rows of a table.

    Attributes:
        lines: The line of each row in the file, int64[n]; of a table without lines the number of the row, from 1.
        numbers: By index of the column, float64[n]; NaN where there is no number.
        texts: By index of the column.
        done: Bytes, or rows, of the file that were read, this block with them.
    """

    lines: AnyArray
    numbers: Mapping[int, FloatArray]
    texts: Mapping[int, TextColumn]
    done: int


class _Piece(NamedTuple):
    """Whole lines of a file.

    Attributes:
        data: The lines in UTF-8, each with a line feed.
        lines: How many there are.
        done: Bytes of the file that were read.
    """

    data: bytes
    lines: int
    done: int


class DelimitedFile:
    """A table as text.

    Attributes:
        path: The file.
        size: Its bytes.
        names: The names of its columns; of one without a line of names their numbers from 1 on.
        delimiter: What separates columns.
        decimal: What separates the fraction of a number.
        told_units: What it tells of units, nothing.
    """

    told_units: tuple[str, ...] = ()

    def __init__(self, path: Path, delimiter: str = "", decimal: str = "") -> None:
        """Read the first lines.

        Args:
            path: The file.
            delimiter: What separates columns; empty: what the first line has most of.
            decimal: What separates the fraction of a number; empty: a comma where that is not the delimiter and
                numbers have it.

        Raises:
            TrajectoryError: It is no table, or a compressed one.
            OSError: It cannot be read.
        """
        self.path = path
        self.size = path.stat().st_size
        self._latin = False
        with path.open("rb") as file:
            head = file.read(4096)
            _refuse_compressed(path, head)
            self._encoding, self._skipped = _encoding_of(head)
            file.seek(0)
            lines = self._first_lines(file)
        if not lines:
            raise TrajectoryError(say("{source} is empty.", source=path.name))
        self.delimiter = delimiter or _delimiter_of(lines[0])
        self.names = self._split(lines[0], 1)
        if len(self.names) > MOST_COLUMNS:
            raise TrajectoryError(
                say(
                    "{source} has {count:,} columns; a table of trajectories has at most {most:,}.",
                    source=path.name,
                    count=len(self.names),
                    most=MOST_COLUMNS,
                )
            )
        self._has_names = not all(_NUMBER.fullmatch(name) for name in self.names)
        if not self._has_names:
            self.names = [str(number) for number in range(1, len(self.names) + 1)]
        self.decimal = decimal or _decimal_of(lines[1:], self.delimiter)
        self.first_rows = self._shown_rows(lines)

    def _shown_rows(self, lines: Sequence[str]) -> list[list[str]]:
        """The fields of the first rows, for a person to see."""
        rows = []
        first = int(self._has_names)
        for number, line in enumerate(lines[first : first + 3], first + 1):
            fields = self._split(line, number)
            if len(fields) == len(self.names):
                rows.append(fields)
        return rows

    def _first_lines(self, file: BinaryIO) -> list[str]:
        """The first lines, as many as the first block has and are needed to look at."""
        for piece in self._pieces(file):
            lines = piece.data.decode("latin-1" if self._latin else "utf-8", "replace").splitlines()
            return [line for line in lines[:50] if line.strip()]
        return []

    def blocks(self, numbers: Sequence[int], texts: Sequence[int]) -> Iterator[Block]:
        """Yield the rows in blocks.

        Args:
            numbers: The columns of numbers to read, by index.
            texts: The columns of texts, likewise.

        Raises:
            TrajectoryError: A line is too long or has another number of columns, or a number is none.
            OSError: It cannot be read.
        """
        parser = _fast_parser(self, numbers, texts)
        line = 1
        with self.path.open("rb") as file:
            for data, count, done in self._pieces(file):
                if line == 1 and self._has_names:
                    cut = data.find(b"\n") + 1
                    data = data[cut:]
                    line = 2
                    count -= 1
                if not data:
                    continue
                block = None
                if parser is not None:
                    block = parser.parse(data, line, count, done)
                if block is None:
                    block = self._parse_slowly(data, line, numbers, texts, done)
                line += count
                if len(block.lines):
                    yield block

    # --- bytes ------------------------------------------------------------------------------------------

    def _pieces(self, file: BinaryIO) -> Iterator[_Piece]:
        """Yield whole lines; bytes that are no UTF-8 are read as Latin-1."""
        decoder = None
        if self._encoding != "utf-8":
            decoder = codecs.getincrementaldecoder(self._encoding)("replace")
        file.seek(self._skipped)
        done = self._skipped
        rest = b""
        line = 1
        while True:
            raw = file.read(BLOCK)
            done += len(raw)
            data = raw
            if decoder is not None:
                data = decoder.decode(raw, final=not raw).encode("utf-8")
            if b"\0" in data:
                at = line + (rest + data[: data.index(b"\0")]).count(b"\n")
                raise TrajectoryError(
                    say(
                        "Row {line:,} of {source} holds a NUL byte: it is no text file.", line=at, source=self.path.name
                    )
                )
            if b"\r" in data:
                # A line feed may follow in the next block; the blank line that makes is left out.
                data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            data = rest + data
            cut = data.rfind(b"\n") + 1
            if not raw:
                if data:
                    yield self._piece(data if data.endswith(b"\n") else data + b"\n", done)
                return
            if len(data) - cut > LONGEST_LINE:
                raise TrajectoryError(
                    say(
                        "Row {line:,} of {source} is longer than {most:,} characters: it is no table of trajectories.",
                        line=line + data[:cut].count(b"\n"),
                        source=self.path.name,
                        most=LONGEST_LINE,
                    )
                )
            rest = data[cut:]
            if cut:
                piece = self._piece(data[:cut], done)
                line += piece.lines
                yield piece

    def _piece(self, data: bytes, done: int) -> _Piece:
        count = int(np.count_nonzero(np.frombuffer(data, np.uint8) == _LINE_FEED))
        return _Piece(self._as_utf_8(data), count, done)

    def _as_utf_8(self, data: bytes) -> bytes:
        """Bytes that are UTF-8; those of an older program are Latin-1, in which every byte is a letter."""
        if data.isascii():
            return data
        if not self._latin:
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                self._latin = True
        if self._latin:
            return data.decode("latin-1").encode("utf-8")
        return data

    # --- fields -----------------------------------------------------------------------------------------

    def _split(self, line: str, number: int) -> list[str]:
        """The fields of a line."""
        try:
            fields = next(csv.reader([line], delimiter=self.delimiter, skipinitialspace=self.delimiter == " "), [])
        except csv.Error as error:
            raise TrajectoryError(
                say(
                    "Row {line:,} of {source} cannot be read: {reason}.",
                    line=number,
                    source=self.path.name,
                    reason=error,
                )
            ) from None
        return [field.strip() for field in fields]

    def _parse_slowly(self, data: bytes, first: int, numbers: Sequence[int], texts: Sequence[int], done: int) -> Block:
        """Read lines one by one. Raises TrajectoryError: as `blocks`."""
        lines = []
        columns: dict[int, list[float]] = {index: [] for index in numbers}
        codes: dict[int, list[int]] = {index: [] for index in texts}
        values: dict[int, dict[str, int]] = {index: {} for index in texts}
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), first):
            if not line or line.isspace():
                continue
            fields = self._split(line, number)
            if len(fields) != len(self.names):
                raise TrajectoryError(
                    say(
                        "Row {line:,} of {source} has {count:,} columns, the first line {names:,}.",
                        line=number,
                        source=self.path.name,
                        count=len(fields),
                        names=len(self.names),
                    )
                )
            lines.append(number)
            for index in numbers:
                columns[index].append(self._number(fields[index], number, index))
            for index in texts:
                known = values[index]
                codes[index].append(known.setdefault(fields[index], len(known)))
        text_columns = {}
        for index in texts:
            text_columns[index] = TextColumn(list(values[index]), np.array(codes[index], np.int32))
        number_columns = {index: np.array(column, np.float64) for index, column in columns.items()}
        return Block(np.array(lines, np.int64), number_columns, text_columns, done)

    def _number(self, text: str, line: int, index: int) -> float:
        """The number of a field; NaN where it is missing or not finite."""
        plain = text
        if self.decimal == ",":
            plain = text.replace(",", ".")
        if _NUMBER.fullmatch(plain):
            return float(plain)
        if text.strip().lower() in _MISSING or _INFINITE.fullmatch(text):
            return np.nan
        shown = text
        if len(shown) > _SHOWN:
            shown = f"{shown[: _SHOWN - 1]}…"
        raise TrajectoryError(
            say(
                "Row {line:,}, column {column}: “{text}” is no number.", line=line, column=self.names[index], text=shown
            )
        )


class _Parser:
    """Reads blocks with pyarrow."""

    def __init__(self, file: DelimitedFile, numbers: Sequence[int], texts: Sequence[int]) -> None:
        import pyarrow as pa
        import pyarrow.csv

        names = [str(index) for index in range(len(file.names))]
        types: dict[str, pa.DataType] = {str(index): pa.float64() for index in numbers}
        for index in texts:
            types[str(index)] = pa.dictionary(pa.int32(), pa.string())
        self._numbers = numbers
        self._texts = texts
        self._error = pa.ArrowInvalid
        self._buffer = pa.py_buffer
        self._read = pyarrow.csv.read_csv
        self._options = {
            "read_options": pyarrow.csv.ReadOptions(column_names=names, block_size=1 << 20),
            "parse_options": pyarrow.csv.ParseOptions(delimiter=file.delimiter),
            "convert_options": pyarrow.csv.ConvertOptions(
                include_columns=list(types), column_types=types, decimal_point=file.decimal
            ),
        }

    def parse(self, data: bytes, first: int, count: int, done: int) -> Block | None:
        """Return the rows of a block; None where it cannot read them, or not with their lines."""
        try:
            table = self._read(self._buffer(data), **self._options)
        except self._error:
            return None
        if len(table) != count:
            return None
        numbers = {}
        for index in self._numbers:
            column = table[str(index)].to_numpy()
            if np.isinf(column).any():
                column = np.where(np.isinf(column), np.nan, column)
            numbers[index] = column
        texts = {}
        for index in self._texts:
            array = table[str(index)].unify_dictionaries().combine_chunks()
            codes = array.indices.to_numpy(zero_copy_only=False)
            texts[index] = TextColumn([value.strip() for value in array.dictionary.to_pylist()], codes.astype(np.int32))
        return Block(np.arange(first, first + count), numbers, texts, done)


def _fast_parser(file: DelimitedFile, numbers: Sequence[int], texts: Sequence[int]) -> _Parser | None:
    """A parser with pyarrow; None where it is not installed, or the table is aligned with blanks."""
    if file.delimiter == " ":
        return None
    try:
        return _Parser(file, numbers, texts)
    except ImportError:
        return None


def _refuse_compressed(path: Path, head: bytes) -> None:
    for magic, name in _COMPRESSED.items():
        if head.startswith(magic):
            raise TrajectoryError(say("{source} is compressed ({name}): unpack it first.", source=path.name, name=name))


def _encoding_of(head: bytes) -> tuple[str, int]:
    """The encoding of a text file by its first bytes, and how many of these belong to none of its letters."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if head.startswith(mark):
            return encoding, len(mark)
    # Latin letters in UTF-16 have a zero in every second byte.
    if len(head) >= 4 and not any(head[1:64:2]) and all(head[0:64:2]):
        return "utf-16-le", 0
    if len(head) >= 4 and not any(head[0:64:2]) and all(head[1:64:2]):
        return "utf-16-be", 0
    return "utf-8", 0


def _delimiter_of(line: str) -> str:
    """What separates the columns of a line: what it has most of; a blank where it has nothing else."""
    counts = [line.count(delimiter) for delimiter in _DELIMITERS]
    if max(counts):
        return _DELIMITERS[counts.index(max(counts))]
    if " " in line.strip():
        return " "
    return ","


def _decimal_of(lines: Sequence[str], delimiter: str) -> str:
    """What separates the fraction of numbers: a comma where fields of the first lines have one, and no point."""
    if delimiter == ",":
        return "."
    for line in lines:
        for field in line.split(delimiter):
            if re.fullmatch(r"\s*[+-]?\d*,\d+\s*", field, re.ASCII):
                return ","
            if re.fullmatch(r"\s*[+-]?\d*\.\d+\s*", field, re.ASCII):
                return "."
    return "."
