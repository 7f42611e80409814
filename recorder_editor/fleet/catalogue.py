"""A catalogue of a folder: a row for each recording and one for each of its traffic events, in an SQLite file in it.

The names of columns are those in expressions, too. The file may come from anywhere: its schema must be exactly ours,
and every value is cast to the type of its column.
"""

import json
import os
import sqlite3
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from itertools import compress
from pathlib import Path
from time import monotonic, time_ns
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

import numpy as np

from ..analysis.libraries import AnalysisError
from ..arrays import FloatArray
from ..format import Field, PacketType
from ..format.header import has_mark
from ..format.schema import Struct
from ..progress import SILENT, Progress
from ..reading import Actors
from ..reading.event_index import ActorClass
from ..reading.events import NUMBERS, STANDARD, VERSION, Events, Thresholds, find_events
from ..reading.events.columns import EVENT_COLUMNS
from ..reading.expression.query import parse_condition
from ..reading.expression.values import column_of
from ..reading.trajectories import find_trajectories, thumbnail_lines
from ..recording import Recording, open_recording
from ..recording.existing import refuse_existing
from ..recording.files import content, recordings_in
from ..roads.towns import town_key, town_of
from ..texts import N_, listed, say, say_count
from .pool import run_many

_UNWRITABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
"""Codes of SQLite for a file or folder that gives no permission."""

_PRIMARY_CODE = 0xFF  # of a code of SQLite; what is above tells more of the same error

NAME = "recorder-editor-index.sqlite"
Kind = Literal["recordings", "events"]
Row = dict[str, object]

Cells = tuple[Any, ...]
"""The values of a row: numbers, texts, bytes or None."""

_OF_RECORDINGS = (
    Field("path", "str", N_("Recording")),
    Field("town", "str", N_("Map")),
    Field("release", "str", N_("Release")),
    Field("date", "str", N_("Date")),
    Field("frames", "i64", N_("Frames")),
    Field("duration", "f64", N_("Duration, s")),
    Field("hero", "str", N_("Hero")),
    Field("vehicles", "i64", N_("Vehicles")),
    Field("two_wheelers", "i64", N_("Two-wheelers")),
    Field("walkers", "i64", N_("Walkers")),
    Field("traffic_lights", "i64", N_("Traffic lights")),
    Field("traffic_signs", "i64", N_("Traffic signs")),
    Field("props", "i64", N_("Props")),
    Field("sensors", "i64", N_("Sensors")),
    Field("spectators", "i64", N_("Spectators")),
    Field("others", "i64", N_("Others")),
    Field("collisions", "i64", N_("Collisions")),
    Field("near_misses", "i64", N_("Near misses")),
    Field("min_ttc", "f64", N_("Minimum 2D-TTC, s")),
    Field("damage", "i64", N_("Errors")),
    Field("size", "i64", N_("Size, bytes")),
    Field("hash", "str", N_("Hash")),
)
_OF_EVENTS = tuple(column.field for column in EVENT_COLUMNS.values())
STORED: Mapping[Kind, Sequence[Field]] = {"recordings": _OF_RECORDINGS, "events": _OF_EVENTS}
"""The columns of each table of the file."""

COLUMNS: Mapping[Kind, Mapping[str, Field]] = {
    "recordings": {field.path: field for field in _OF_RECORDINGS},
    "events": {field.path: field for field in (*_OF_EVENTS, *_OF_RECORDINGS)},
}
"""The columns of both kinds of rows, by name: an event has those of its recording, too."""

SHOWN: Mapping[Kind, Sequence[str]] = {
    "recordings": (
        "path",
        "town",
        "release",
        "date",
        "frames",
        "duration",
        "vehicles",
        "walkers",
        "collisions",
        "near_misses",
        "min_ttc",
        "damage",
        "size",
    ),
    "events": ("path", "kind", "town", "blueprint", "other_blueprint", "time", "frame", "value", "severity"),
}
"""The columns of lists, in their order."""

_CLASSES: Mapping[str, ActorClass] = {
    "vehicles": "vehicle",
    "two_wheelers": "two-wheeler",
    "walkers": "walker",
    "traffic_lights": "traffic light",
    "traffic_signs": "traffic sign",
    "props": "prop",
    "sensors": "sensor",
    "spectators": "spectator",
    "others": "other",
}
"""The class of actors that a column counts."""

_SPELLINGS = {"town": town_key}
"""How texts of a column are spelled where they are compared: names of one town are equal."""

_SQL = {"str": "TEXT", "i64": "INTEGER", "f64": "REAL"}
_ID = {"recordings": "recordings.id", "events": "events.id"}
_SOURCES = {"recordings": "recordings", "events": "recordings JOIN events ON recording = recordings.id"}
_ORDERS = {"recordings": "path", "events": "path, frame, events.id"}
_MOST_EVENTS = 10_000  # of one kind in one recording
_HEAD_SIZE = 64  # bytes that tell whether a file is a recording
_POINTS = 200  # of a thumbnail
_GAP = (0xFFFF, 0xFFFF)  # the point behind each of its lines
_SECONDS = 2.0  # between two writings
_SETTLED = 2_000_000_000  # ns: the time of a file that was written since does not tell whether it is written again


class NoIndex(AnalysisError):
    """A folder has no index yet."""


class OldIndex(NoIndex):
    """The index of a folder was made by another release."""


def _columns_in_sql(kind: Kind) -> str:
    columns = [f"{field.path} {_SQL[field.type]}" for field in STORED[kind]]
    return ", ".join(columns)


_OWNER = "recording INTEGER REFERENCES recordings ON DELETE CASCADE"
_HEAD = "id INTEGER PRIMARY KEY, stamp INTEGER, judged TEXT"
_SCHEMA = [
    f"CREATE TABLE recordings ({_HEAD}, {_columns_in_sql('recordings')}, lines BLOB)",
    f"CREATE TABLE events (id INTEGER PRIMARY KEY, {_OWNER}, {_columns_in_sql('events')})",
    "CREATE UNIQUE INDEX by_path ON recordings (path)",
    "CREATE INDEX by_recording ON events (recording)",
]


@contextmanager
def _opened(folder: Path, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """The file of a folder. Raises NoIndex where there is none, AnalysisError for another, and for errors of SQLite."""
    path = folder.absolute() / NAME
    if not create and not path.is_file():
        raise NoIndex(
            say(
                "{folder} has no index yet. Make one with recorder-editor index, or with Index folder in the Library.",
                folder=folder,
            )
        )
    if create:
        _create(path)
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as connection:
            connection.text_factory = bytes.decode  # a text that is none is damage; SQLite's own words name the query
            connection.executescript("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA foreign_keys=ON")
            schema = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql != ''")]
            if create and not schema and not path.stat().st_size:
                connection.executescript(";".join(["BEGIN", *_SCHEMA, "COMMIT"]))
            elif sorted(schema) != sorted(_SCHEMA):
                _refuse_other(path, schema)
            yield connection
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & _PRIMARY_CODE in _UNWRITABLE:
            raise AnalysisError(
                say("{file} cannot be written: the folder or the file does not permit it.", file=path)
            ) from None
        raise AnalysisError(say("{file}: {reason}", file=path, reason=error)) from None
    except (sqlite3.Error, UnicodeDecodeError):
        raise AnalysisError(
            say(
                "{path} is no index that this release has made, or is damaged. Move it away, "
                "or have it replaced (index --new).",
                path=path,
            )
        ) from None


def _refuse_other(path: Path, schema: Sequence[str]) -> None:
    """Raise OldIndex where a file has the tables of an index with other columns, else DatabaseError of SQLite."""
    if {sql.partition("(")[0] for sql in schema} != {sql.partition("(")[0] for sql in _SCHEMA}:
        raise sqlite3.DatabaseError
    raise OldIndex(
        say(
            "{path} is an index of another release. Make it anew with recorder-editor index, or with Index folder in "
            "the Library.",
            path=path,
        )
    )


def _is_old(folder: Path) -> bool:
    """Whether the index of a folder was made by another release."""
    try:
        with _opened(folder):
            return False
    except OldIndex:
        return True
    except AnalysisError:
        return False


def _create(path: Path) -> None:
    """Create an empty file if there is none; a link that points nowhere is not followed."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666))
    except FileExistsError:
        if path.is_symlink() and not path.exists():
            raise AnalysisError(
                say(
                    "{path} is a link to a file that is not there. Remove it, or have it replaced (index --new).",
                    path=path,
                )
            ) from None


# --- making it --------------------------------------------------------------------------------------------


class Indexed(NamedTuple):
    """What came of an index.

    Attributes:
        read: The number of recordings that were read.
        unchanged: The number of those that were not, since they are as before.
        gone: The number of those that are no longer there.
        foreign: The number of files that are no recordings, such as logs of other programs; they are not listed.
        failed: Why others could not be read, by path.
    """

    read: int
    unchanged: int
    gone: int
    foreign: int
    failed: dict[str, str]

    def summary(self, folder: Path) -> str:
        """Return the numbers as sentences."""
        numbers = say(
            "{path}: {read:,} read, {unchanged:,} unchanged, {gone:,} gone, {failed:,} failed.",
            path=folder / NAME,
            read=self.read,
            unchanged=self.unchanged,
            gone=self.gone,
            failed=len(self.failed),
        )
        foreign = ""
        if self.foreign:
            foreign = say_count(
                "1 file is no recording, and is not listed.",
                "{count:,} files are no recordings, and are not listed.",
                count=self.foreign,
            )
        return listed([numbers, foreign], "sentences")


class _Job(NamedTuple):
    """A file to read.

    Attributes:
        name: Its path below the folder.
        path: Its path.
        known_hash: The hash that is known of it; None: none, or its events are not those of these thresholds.
        thresholds: From when on something is an event.
    """

    name: str
    path: Path
    known_hash: str | None
    thresholds: Thresholds


class _Reading(NamedTuple):
    """What was read of a file.

    Attributes:
        stamp: What changes when it is written.
        recording: Its row; None: its content is the same, or it is no recording.
        events: Its events.
        is_foreign: It is no recording.
    """

    stamp: int
    recording: Row | None = None
    events: Sequence[Row] = ()
    is_foreign: bool = False


def index(
    folder: Path,
    progress: Progress = SILENT,
    *,
    thresholds: Thresholds = STANDARD,
    workers: int = 1,
    works_here: bool = False,
    anew: bool = False,
    overwrite: bool = False,
) -> Indexed:
    """Bring the catalogue of a folder and those in it up to date.

    One of another release is made anew. Only files that have another size or other times are read, and only those with
    another content in full; with other thresholds than before all of them. What was read is written every other second.

    Args:
        folder: The folder.
        progress: Counts files.
        thresholds: From when on something is an event.
        workers: The number of processes.
        works_here: This process is one of them, and stays less responsive.
        anew: Make it anew, in place of the file that is there.
        overwrite: Also in place of a file that nothing makes again.

    Raises:
        AnalysisError: The file is not a catalogue, or SQLite cannot write it.
        WouldReplace: A file that nothing makes again would be replaced.
        OSError: A file cannot be removed.
        Cancelled: The user cancelled it.
    """
    if anew or _is_old(folder):
        _remove(folder, overwrite)
    with _opened(folder, create=True) as connection:
        indexed = _indexed_files(connection)
        files = {}
        for path in recordings_in(folder, recursive=True):
            name = _text(path.relative_to(folder).as_posix())
            files[name] = path
        jobs = _jobs(files, indexed, thresholds)
        gone = indexed.keys() - files.keys()
        batch: dict[str, _Reading | None] = dict.fromkeys(gone)
        failed: dict[str, str] = {}
        fresh = 0
        foreign = 0
        written = monotonic()
        try:
            with closing(run_many(_read, jobs, workers, works_here=works_here)) as outcomes:
                for done, outcome in enumerate(outcomes, 1):
                    name = outcome.item.name
                    reading = outcome.result
                    batch[name] = reading
                    if reading is None:
                        failed[name] = _failure(outcome.item, outcome.error or "")
                    elif reading.is_foreign:
                        foreign += 1
                    elif reading.recording is not None:
                        fresh += 1
                    if monotonic() - written > _SECONDS:
                        _write(connection, batch)
                        written = monotonic()
                    progress.update(done, len(jobs))
        finally:
            _write(connection, batch)
    return Indexed(
        read=fresh,
        unchanged=len(files) - fresh - foreign - len(failed),
        gone=len(gone),
        foreign=foreign,
        failed=dict(sorted(failed.items())),
    )


def _remove(folder: Path, overwrite: bool) -> None:
    """Remove the file of a folder. Raises WouldReplace if nothing makes it again, unless that is allowed."""
    paths = [folder / f"{NAME}-journal", folder / NAME]
    if not overwrite:
        refuse_existing(paths, is_recording=False)
    for path in paths:
        path.unlink(missing_ok=True)


class _IndexedFile(NamedTuple):
    """What the catalogue knows of a file."""

    stamp: int | None
    size: int | None
    hash: str | None
    judged: str | None
    frames: int | None


def _indexed_files(connection: sqlite3.Connection) -> dict[str, _IndexedFile]:
    """The files of the catalogue by name."""
    files = {}
    for name, *known in connection.execute("SELECT path, stamp, size, hash, judged, frames FROM recordings"):
        files[name] = _IndexedFile(*known)
    return files


def _jobs(files: Mapping[str, Path], indexed: Mapping[str, _IndexedFile], thresholds: Thresholds) -> list[_Job]:
    """The files that are new or have changed, or whose events were found with other thresholds."""
    judged = _judged(thresholds)
    jobs = []
    for name, path in files.items():
        file = indexed.get(name)
        if file is None or file.judged != judged:
            jobs.append(_Job(name, path, None, thresholds))
        # Earlier releases listed what is no recording, with no frames.
        elif not file.frames or (file.stamp, file.size) != _stamp(path):
            jobs.append(_Job(name, path, file.hash, thresholds))
    return jobs


def _judged(thresholds: Thresholds) -> str:
    """How events were found: the version of what they are, and the thresholds."""
    return json.dumps({"version": VERSION, **asdict(thresholds)})


def _failure(job: _Job, reason: str) -> str:
    """Why a file could not be read, with its name."""
    if job.path.name in reason:
        return reason
    return say("{file}: {reason}", file=job.name, reason=reason)


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes when a file is written, as far as its folder tells: a sum of times, and the size."""
    try:
        status = path.stat()
    except OSError:
        return None  # told when it is read
    return status.st_mtime_ns + status.st_ctime_ns, status.st_size


def _write(connection: sqlite3.Connection, batch: dict[str, _Reading | None]) -> None:
    """Write what was read, in one transaction; None: the file is gone, or could not be read, and has no row."""
    with connection:
        for name, reading in batch.items():
            if reading is not None and reading.recording is None and not reading.is_foreign:
                connection.execute("UPDATE recordings SET stamp = ? WHERE path = ?", (reading.stamp, name))
                continue
            connection.execute("DELETE FROM recordings WHERE path = ?", (name,))
            if reading is not None and reading.recording is not None:
                row = {"path": name, "stamp": reading.stamp} | reading.recording
                owner = _insert(connection, "recordings", row)
                for event in reading.events:
                    _insert(connection, "events", {"recording": owner} | event)
    batch.clear()


def _insert(connection: sqlite3.Connection, table: str, row: Row) -> int | None:
    """Insert a row, and return its number."""
    values = []
    for value in row.values():
        if isinstance(value, str):
            value = _text(value)
        values.append(value)
    names = ", ".join(row)
    places = ", ".join("?" * len(row))
    cursor = connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", values)
    return cursor.lastrowid


def _text(text: str) -> str:
    """A text as SQLite takes it: names of files may have signs that are no Unicode."""
    return text.encode("utf-8", "backslashreplace").decode()


# --- one recording ----------------------------------------------------------------------------------------


def _read(job: _Job) -> _Reading:
    """Read a file, in full if its content is another. Raises OSError, and errors of reading."""
    path = job.path
    status = path.stat()
    stamp = 0
    if time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > _SETTLED:
        stamp = status.st_mtime_ns + status.st_ctime_ns
    if _is_foreign(path):
        return _Reading(stamp, is_foreign=True)
    digest = content(path)
    if digest == job.known_hash:
        return _Reading(stamp)
    with open_recording(path) as recording:
        found = find_events(recording.snapshot, job.thresholds)
        row = _row(recording, found)
        row["size"] = status.st_size
        row["hash"] = digest
        row["judged"] = _judged(job.thresholds)
        return _Reading(stamp, row, list(_events(found, recording.snapshot.elapsed)))


def _is_foreign(path: Path) -> bool:
    """Whether a file is no recording, not even a damaged one. Raises OSError."""
    if not path.is_file():  # opening a recording says what else it is
        return False
    with path.open("rb") as file:
        return not has_mark(file.read(_HEAD_SIZE))


def _row(recording: Recording, found: Events) -> Row:
    """The columns of a recording that are read of its frames."""
    snapshot = recording.snapshot
    actors = Actors.of(snapshot)
    row: Row = {"town": "", "release": "", "date": "", "hero": ""}
    header = recording.header
    if header is not None:
        if isinstance(header.map_name, str):
            row["town"] = town_of(header.map_name)
        when = header.when
        if when is not None:
            row["date"] = f"{when:%Y-%m-%d %H:%M:%S}"
    row["frames"] = len(snapshot)
    row["duration"] = 0.0
    if len(snapshot):
        releases = dict.fromkeys((recording.dialect.first, recording.dialect.last))
        row["release"] = "-".join(releases)
        row["duration"] = float(snapshot.elapsed[-1])
    classes = Counter(life.class_ for life in actors)
    for column, class_ in _CLASSES.items():
        row[column] = classes[class_]
    for life in actors:
        if life.is_hero:
            row["hero"] = life.blueprint
            break
    row["collisions"] = len(actors.contacts)
    near = found.table[found.table["kind"] == NUMBERS["near-miss"]]
    row["near_misses"] = len(near)
    row["min_ttc"] = float(near["value"].min()) if len(near) else None
    row["damage"] = sum(finding.severity == "error" for finding in recording.findings)
    points: list[tuple[int, int]] = []
    for line in thumbnail_lines(find_trajectories(snapshot), _POINTS):
        points.extend(line)
        points.append(_GAP)
    row["lines"] = np.array(points, "<u2").tobytes()
    return row


def _events(found: Events, elapsed: FloatArray) -> Iterator[Row]:
    """The rows of the events, of each kind the first ones."""
    number: Counter[str] = Counter()
    for index in range(len(found)):
        kind = found.kind(index)
        number[kind.name] += 1
        if number[kind.name] > _MOST_EVENTS:
            continue
        yield {name: column.value(found, index, elapsed) for name, column in EVENT_COLUMNS.items()}


# --- asking it --------------------------------------------------------------------------------------------


def _cast(kind: Kind, name: str) -> str:
    """What selects a column with the type that it should have: the file may hold others."""
    if name == "lines":
        return "CAST(IFNULL(lines, '') AS BLOB)"
    sql_type = _SQL[COLUMNS[kind][name].type]
    if sql_type != "TEXT":
        return f"CAST({name} AS {sql_type})"
    return f"CAST(IFNULL({name}, '') AS TEXT)"


def find(folder: Path, text: str, kind: Kind, names: Iterable[str]) -> list[Cells]:
    """Return the values of the rows that an expression is true of, in the order of paths and frames.

    Args:
        folder: The folder of the catalogue.
        text: The expression; empty: all rows.
        kind: Rows of recordings, or of events.
        names: Names of columns, and `lines` (for `thumbnail`).

    Raises:
        ExpressionError: The expression is wrong.
        AnalysisError: The folder has no catalogue.
    """
    fields = COLUMNS[kind]
    shape = Struct(kind, tuple(fields.values()))
    query = parse_condition(text, PacketType(-1, kind.title()[:-1], "list", shape, ""), _SPELLINGS)
    selected = ", ".join([_cast(kind, name) for name in names])
    read = ", ".join([_ID[kind], *(_cast(kind, name) for name in query.names)])
    with _opened(folder) as connection:
        rows = connection.execute(f"SELECT {read} FROM {_SOURCES[kind]}").fetchall()
        ids = [row[0] for row in rows]
        columns = {}
        for index, name in enumerate(query.names, 1):
            values = [row[index] for row in rows]
            if name in _SPELLINGS:
                values = [_SPELLINGS[name](value) for value in values]
            columns[name] = column_of(values, is_text=fields[name].type == "str")
        mask = query.mask(SimpleNamespace(column=columns.__getitem__), (len(ids),))
        chosen = list(compress(ids, mask))
        statement = (
            f"SELECT {selected} FROM {_SOURCES[kind]}"
            f" WHERE {_ID[kind]} IN (SELECT value FROM json_each(?)) ORDER BY {_ORDERS[kind]}"
        )
        return connection.execute(statement, [json.dumps(chosen)]).fetchall()


def thumbnail(stored: bytes) -> list[list[tuple[int, int]]]:
    """Return the paths driven, as `thumbnail_lines` gives them."""
    whole = len(stored) // 4 * 4
    lines = []
    line: list[tuple[int, int]] = []
    for x, y in struct.iter_unpack("<HH", stored[:whole]):
        if (x, y) != _GAP:
            line.append((x, y))
        elif line:
            lines.append(line)
            line = []
    if line:
        lines.append(line)
    return lines
