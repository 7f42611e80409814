"""What the dialog that imports trajectories shows of a file before anything is written."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import RecorderError
from ..formats.trajectories import (
    IMPORTS,
    MEANINGS,
    MissingColumnError,
    RecordingOptions,
    TableSample,
    TrajectoryImport,
    Written,
)
from ..formats.trajectories.columns import find_columns
from ..progress import SILENT, Progress
from ..roads import RoadMap, read_road_map
from ..texts import say

MOST_COLUMNS = 200
"""Columns that are shown; more are no table that a person made."""

_VALUES = 3
_LONGEST_VALUE = 24


class ShownColumn(NamedTuple):
    """A column of a file.

    Attributes:
        place: Where it is in the table, from 0.
        name: Its name in the file.
        values: Its values in the first rows.
        meaning: What it is taken for, a key of `MEANINGS`; empty: it is left out.
        unit: The unit of its values; empty: it has none.
    """

    place: int
    name: str
    values: tuple[str, ...]
    meaning: str
    unit: str


class ImportPreview(NamedTuple):
    """What is known of a file after its first rows.

    Attributes:
        names: The names of all columns.
        columns: The columns, at most `MOST_COLUMNS`.
        delimiter: What separates them; empty: nothing does.
        recording: A recording of its first seconds; None: there is an error.
        error: Why there is none.
        written: What is known of that recording.
    """

    names: tuple[str, ...] = ()
    columns: tuple[ShownColumn, ...] = ()
    delimiter: str = ""
    recording: Path | None = None
    error: RecorderError | None = None
    written: Written | None = None


class RoadMapReader:
    """Reads the road map of an import, and the same file once only."""

    def __init__(self) -> None:
        self._stamp: tuple[Path, int, int] | None = None
        self._map: RoadMap | None = None

    def read(self, path: Path | None, progress: Progress = SILENT) -> RoadMap | None:
        """Return a road map; None without a path.

        Raises:
            MapError: It cannot be used.
            OSError: It cannot be read.
            Cancelled: The user stopped it.
        """
        if path is None:
            return None
        status = path.stat()
        stamp = (path, status.st_mtime_ns, status.st_size)
        if self._map is None or self._stamp != stamp:
            self._map = read_road_map(path, progress=progress)
            self._stamp = stamp
        return self._map


def importer_of(source: Path) -> TrajectoryImport[Any]:
    """Return the first importer that recognises a file.

    Raises:
        OSError: It cannot be read.
    """
    return next(importer for importer in IMPORTS if importer.recognises(source))


def preview_import(source: Path, options: RecordingOptions, target: Path, progress: Progress = SILENT) -> ImportPreview:
    """Find out what a file holds, and write its first seconds as a recording.

    Args:
        source: The file.
        options: What was chosen; an instance of the options of `importer_of(source)`.
        target: The recording to write; not written where the file cannot be imported as it was chosen.
        progress: Counts rows or bytes.

    Returns:
        The preview; with its columns where the file is a table, also where no recording can be made of it.

    Raises:
        RecorderError: It is no such file.
        OSError: It cannot be read.
        Cancelled: The user stopped it.
    """
    importer = importer_of(source)
    preview = ImportPreview()
    sample = importer.sample(source, options)
    if sample is not None:
        preview = ImportPreview(
            names=tuple(sample.file.names), columns=_shown_columns(sample), delimiter=sample.file.delimiter
        )
    try:
        written = importer.make_first(source, options, target, progress)
    except MissingColumnError as error:
        return preview._replace(error=MissingColumnError(_missing_text(error), error.meaning, error.frame_column))
    except RecorderError as error:
        if sample is None:
            raise
        return preview._replace(error=error)
    return preview._replace(recording=target, written=written)


def survey_import(source: Path, options: RecordingOptions, progress: Progress = SILENT) -> Written:
    """Read all of a file, and return what an import would write. Errors as of `preview_import`."""
    return importer_of(source).survey(source, options, progress)


def write_import(source: Path, options: RecordingOptions, target: Path, progress: Progress = SILENT) -> Written:
    """Write the recording of a file over one that exists, atomically. Errors as of `preview_import`."""
    return importer_of(source).make(source, options, target, progress, overwrite=True)


def with_roads(
    options: RecordingOptions, reader: RoadMapReader, road_map: Path | None, progress: Progress = SILENT
) -> RecordingOptions:
    """Return the options with the road map of a file; errors as of `RoadMapReader.read`."""
    return replace(options, roads=reader.read(road_map, progress))


def choose_meaning(
    names: Sequence[str], chosen: Mapping[str, str], column: ShownColumn, meaning: str
) -> dict[str, str]:
    """Take a column for something else.

    Args:
        names: The names of all columns.
        chosen: What was chosen before: columns by meaning; an empty name: none has it.
        column: The column.
        meaning: What it is; empty: it is left out.

    Returns:
        What is chosen then, in the same form.
    """
    spelling = str(column.place + 1)
    if column.name and names.count(column.name) == 1:
        spelling = column.name
    choices = {other: name for other, name in chosen.items() if name != spelling}
    if meaning:
        choices[meaning] = spelling
        return choices
    while True:
        found = find_columns(names, choices, {})
        wrong = [other for other, used in found.items() if used.place == column.place]
        if not wrong:
            return choices
        choices[wrong[0]] = ""


def _shown_columns(sample: TableSample) -> tuple[ShownColumn, ...]:
    meanings = {}
    for meaning, column in sample.columns.items():
        meanings[column.place] = (meaning, column.unit)
    columns = []
    rows = sample.file.first_rows[:_VALUES]
    for place, name in enumerate(sample.file.names[:MOST_COLUMNS]):
        meaning, unit = meanings.get(place, ("", ""))
        values = tuple(row[place].strip()[:_LONGEST_VALUE] for row in rows)
        columns.append(ShownColumn(place, name, values, meaning, unit))
    return tuple(columns)


def _missing_text(error: MissingColumnError) -> str:
    """What to do in the dialog about a column that is missing."""
    if error.frame_column:
        return say(
            "No column tells the time, only {column} counts frames. Choose another column, or give the frame rate.",
            column=error.frame_column,
        )
    if error.meaning == "time":
        return say("No column tells the time. Choose one among the columns.")
    return say("No column tells {what}. Choose one among the columns.", what=say(MEANINGS[error.meaning].label))
