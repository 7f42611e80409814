"""A catalogue of a folder: a row for each recording and one for each collision or risk, in an SQLite file in it.

`resources/catalogue.json` has the columns, which are the names in expressions, too. The file may come from anywhere:
its schema must be exactly ours, and every value is cast to the type of its column.
"""

import json
import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import compress
from pathlib import Path
from time import monotonic, time_ns
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

import numpy as np

from .. import resources
from ..arrays import FloatArray
from ..errors import say
from ..format import Field, PacketType
from ..format.header import town_of
from ..format.schema import Struct
from ..progress import SILENT, Progress
from ..recording import Actors, open_recording
from ..recording.actors import NO_ACTOR
from ..recording.event_index import CLASSES
from ..recording.expression.query import parse_condition
from ..recording.expression.values import Column, Texts
from ..recording.files import content, recordings_in
from ..recording.trajectories import find_trajectories, lines_of
from .fleet import run_many
from .libraries import AnalysisError, library
from .recording import Analysis, of_recording

NAME = "recorder-editor-index.sqlite"
Kind = Literal["recordings", "events"]
Row = dict[str, Any]

_TABLE = resources.table("catalogue")
_LISTED = {"recordings": _TABLE["recordings"], "events": [*_TABLE["events"], *_TABLE["recordings"]]}
COLUMNS = {
    kind: {each["name"]: Field(each["name"], each["type"], each["title"], each.get("unit", "")) for each in listed}
    for kind, listed in _LISTED.items()
}
"""The columns of both kinds of rows, by name: an event has those of its recording, too."""

SHOWN: dict[Kind, list[str]] = _TABLE["shown"]
"""The columns of lists, in their order."""

_SQL = {"str": "TEXT", "i64": "INTEGER", "f64": "REAL"}
_ID = {"recordings": "recordings.id", "events": "events.id"}
_THUMBNAILS = "LEFT JOIN thumbnails ON thumbnails.id = recordings.id"
_SOURCES = {
    "recordings": f"recordings {_THUMBNAILS}",
    "events": f"recordings JOIN events ON recording = recordings.id {_THUMBNAILS}",
}
_MOST_EVENTS = 10_000  # of one kind in one recording
_LONGEST = 16 << 20  # bytes of a text in the file
_POINTS = 200  # of a thumbnail
_SECONDS = 2.0  # between two writings
_SETTLED = 2_000_000_000  # ns: the time of a file that was written since does not tell whether it is written again


def _made(kind: str) -> str:
    return ", ".join(f"{each['name']} {_SQL[each['type']]}" for each in _TABLE[kind])


_OWNER = "INTEGER REFERENCES recordings ON DELETE CASCADE"
_SCHEMA = [
    f"CREATE TABLE recordings (id INTEGER PRIMARY KEY, stamp INTEGER, {_made('recordings')})",
    f"CREATE TABLE events (id INTEGER PRIMARY KEY, recording {_OWNER}, {_made('events')})",
    f"CREATE TABLE thumbnails (id {_OWNER} PRIMARY KEY, lines TEXT)",
    "CREATE UNIQUE INDEX by_path ON recordings (path)",
    "CREATE INDEX by_recording ON events (recording)",
]


@contextmanager
def _opened(folder: Path, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """The file of a folder; raises `AnalysisError` where there is none, or another, and for errors of SQLite."""
    path = folder.absolute() / NAME
    if not create and not path.is_file():
        raise AnalysisError(say("analysis.no_index", folder=folder))
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode={'rwc' if create else 'rw'}", uri=True)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            connection.text_factory = bytes
            connection.executescript("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA foreign_keys=ON")
            found = [_text(sql) for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql != ''")]
            if create and not found and not path.stat().st_size:
                connection.executescript(";".join(["BEGIN", *_SCHEMA, "COMMIT"]))
            elif sorted(found) != sorted(_SCHEMA):
                raise sqlite3.DatabaseError
            yield connection
    except sqlite3.OperationalError as error:
        raise AnalysisError(say("errors.file", file=path, reason=error)) from None
    except (sqlite3.Error, UnicodeError):
        raise AnalysisError(say("analysis.foreign_index", path=path)) from None


# --- making it --------------------------------------------------------------------------------------------


class Indexed(NamedTuple):
    """What came of it: how many recordings were `read`, are `unchanged` or `gone`, and why others `failed`, by path."""

    read: int
    unchanged: int
    gone: int
    failed: dict[str, str]


class _Job(NamedTuple):
    name: str
    path: Path
    digest: str


class _Reading(NamedTuple):
    """What was read of a file: its `stamp`; where its content is another, its row, its events and its paths."""

    stamp: int
    recording: Row | None = None
    events: Sequence[Row] = ()
    lines: str = ""


def index(folder: Path, *, workers: int = 1, anew: bool = False, progress: Progress = SILENT) -> Indexed:
    """Bring the catalogue of a folder and those in it up to date; `anew`: in place of whatever file is there.

    Only files whose size or times have changed are read, and only those with another content in full. What was read is
    written every other second. Raises `AnalysisError`, `LibraryMissing` without SciPy, OSError and `Cancelled`.
    """
    library("scipy.signal")
    for ending in ("-journal", "") if anew else ():
        with suppress(FileNotFoundError):
            (folder / f"{NAME}{ending}").unlink()
    with _opened(folder, create=True) as connection:
        path_and_hash = [_cast("recordings", name) for name in ("path", "hash")]
        query = connection.execute(f"SELECT {path_and_hash[0]}, stamp, size, {path_and_hash[1]} FROM recordings")
        known = {_text(path): (stamp, size, _text(digest)) for path, stamp, size, digest in query}
        files = {path.relative_to(folder).as_posix(): path for path in recordings_in(folder, recursive=True)}
        changed = [name for name, path in files.items() if known.get(name, ())[:2] != _stamp(path)]
        jobs = [_Job(name, files[name], known[name][2] if name in known else "") for name in changed]
        gone = known.keys() - files.keys()
        batch: dict[str, _Reading | None] = dict.fromkeys(gone)
        failed, fresh, written = {}, 0, monotonic()
        try:
            with closing(run_many(_read, jobs, workers)) as outcomes:
                for done, outcome in enumerate(outcomes, 1):
                    batch[outcome.item.name] = outcome.result
                    if outcome.result is None:
                        failed[outcome.item.name] = str(outcome.error)
                    elif outcome.result.recording is not None:
                        fresh += 1
                    if monotonic() - written > _SECONDS:
                        _write(connection, batch)
                        written = monotonic()
                    progress.update(done, len(jobs))
        finally:
            _write(connection, batch)
    return Indexed(fresh, len(files) - fresh - len(failed), len(gone), failed)


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes when a file is written, as far as its folder tells: a sum of times, and the size."""
    try:
        status = path.stat()
    except OSError:
        return None  # told when it is read
    return status.st_mtime_ns + status.st_ctime_ns, status.st_size


def _write(connection: sqlite3.Connection, batch: dict[str, _Reading | None]) -> None:
    """Write what was read, in one transaction; None: the file is gone, or could not be read."""
    with connection:
        for name, reading in batch.items():
            if reading is not None and reading.recording is None:
                values = {"stamp": reading.stamp, "path": name}
                connection.execute(f"UPDATE recordings SET stamp = ? WHERE path = {_TEXT}", _stored(values))
                continue
            connection.execute(f"DELETE FROM recordings WHERE path = {_TEXT}", _stored({"path": name}))
            if reading is not None and reading.recording is not None:
                owner = _insert(connection, "recordings", {"path": name, "stamp": reading.stamp} | reading.recording)
                _insert(connection, "thumbnails", {"id": owner, "lines": reading.lines})
                for event in reading.events:
                    _insert(connection, "events", {"recording": owner} | event)
    batch.clear()


_TEXT = "CAST(? AS TEXT)"


def _text(stored: bytes) -> str:
    """A text of the file: names of files may have signs that are no Unicode."""
    return stored.decode("utf-8", "surrogatepass")


def _insert(connection: sqlite3.Connection, table: str, row: Row) -> int | None:
    marks = ", ".join(_TEXT if isinstance(value, str) else "?" for value in row.values())
    return connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", _stored(row)).lastrowid


def _stored(row: Row) -> list[Any]:
    """The values of a row, its texts as `_text` reads them."""
    return [value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value for value in row.values()]


# --- one recording ----------------------------------------------------------------------------------------


def _read(job: _Job) -> _Reading:
    """Read a file, in full if its content is another. Raises OSError, and errors of reading."""
    status = job.path.stat()
    is_settled = time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > _SETTLED
    stamp = status.st_mtime_ns + status.st_ctime_ns if is_settled else 0
    digest = content(job.path)
    if digest == job.digest:
        return _Reading(stamp)
    with open_recording(job.path) as recording:
        snapshot, header, dialect = recording.snapshot, recording.header, recording.dialect
        actors = Actors.of(snapshot)
        traffic = None
        with suppress(AnalysisError):  # it has too many positions
            traffic = of_recording(recording)
        name = header.map_name if header is not None else b""
        when = header.when if header is not None else None
        least = math.inf if traffic is None else float(traffic.least_ttc.min(initial=math.inf))
        row = {
            "town": town_of(name) if isinstance(name, str) else "",
            "release": "-".join(dict.fromkeys((dialect.first, dialect.last))) if len(snapshot) else "",
            "date": f"{when:%Y-%m-%dT%H:%M:%S}" if when is not None else "",
            "frames": len(snapshot),
            "duration": float(snapshot.elapsed[-1]) if len(snapshot) else 0.0,
            "hero": next((life.blueprint for life in actors if life.is_hero), ""),
            **{f"{re.sub('[ -]', '_', each)}s": sum(life.class_ == each for life in actors) for each in CLASSES},
            "collisions": len(actors.contacts),
            "risks": None if traffic is None else len(traffic.risks),
            "min_ttc": least if math.isfinite(least) else None,
            "damage": sum(each.severity == "error" for each in recording.findings),
            "size": status.st_size,
            "hash": digest,
        }
        lines = json.dumps(lines_of(find_trajectories(snapshot), _POINTS), separators=(",", ":"))
        return _Reading(stamp, row, [*_events(actors, snapshot.elapsed, traffic)], lines)


def _events(actors: Actors, elapsed: FloatArray, traffic: Analysis | None) -> Iterator[Row]:
    """The rows of collisions and risks."""
    found: list[tuple[Any, ...]] = [
        ("collision", first, actor, None if other == NO_ACTOR else other, None, None)
        for first, _, actor, other, *_ in actors.contacts[:_MOST_EVENTS].tolist()
    ]
    found += [
        ("risk", worst, actors.lives[life].actor, actors.lives[leader].actor, level, ttc)
        for life, leader, level, _, _, worst, ttc in (() if traffic is None else traffic.risks[:_MOST_EVENTS].tolist())
    ]
    for kind, frame, actor, other, level, ttc in found:
        lives = [None if each is None else actors.at(each, frame) for each in (actor, other)]
        names = ["" if life is None else life.blueprint for life in lives]
        values = (kind, frame + 1, float(elapsed[frame]), actor, names[0], other, names[1], level, ttc)
        yield dict(zip((each["name"] for each in _TABLE["events"]), values, strict=True))


# --- asking it --------------------------------------------------------------------------------------------


def _column(field: Field, values: Sequence[Any]) -> Column:
    """A column as numbers, NaN where there is none, or as texts."""
    if field.type != "str":
        return np.array(values, np.float64)
    words = {word: code for code, word in enumerate(dict.fromkeys(values))}
    return Texts(np.array([words[value] for value in values], np.intp), [*map(_text, words)])


def _cast(kind: Kind, name: str) -> str:
    field = COLUMNS[kind].get(name)
    if field is None or field.type == "str":
        return f"CAST(IFNULL({name}, '') AS TEXT)"
    return f"CAST({name} AS {_SQL[field.type]})"


def find(
    folder: Path, text: str = "", kind: Kind = "recordings", order: str = "path", *, falls: bool = False
) -> list[int]:
    """The ids of the rows that an expression is true of, all for an empty one, by a column and by path.

    Raises `ExpressionError`, and `AnalysisError` where the folder has no catalogue.
    """
    fields = COLUMNS[kind]
    query = parse_condition(text, PacketType(-1, kind.title()[:-1], "list", Struct(kind, (*fields.values(),)), ""))
    names = [_ID[kind], *(_cast(kind, name) for name in query.names)]
    by = f"{order}{' DESC' if falls else ''}{'' if order == 'path' else ' NULLS LAST, path'}, {_ID[kind]}"
    with _opened(folder) as connection:
        found = connection.execute(f"SELECT {', '.join(names)} FROM {_SOURCES[kind]}").fetchall()
        ids, *values = zip(*found, strict=True) if found else [()] * len(names)
        columns = {name: _column(fields[name], each) for name, each in zip(query.names, values, strict=True)}
        mask = query.mask(SimpleNamespace(column=columns.__getitem__), (len(ids),))
        chosen = json.dumps([*compress(ids, mask.tolist())])
        return [each for (each,) in connection.execute(f"SELECT {_chosen(kind, _ID[kind])} ORDER BY {by}", [chosen])]


def _chosen(kind: Kind, *columns: str) -> str:
    """The query for columns of rows with ids in a list of JSON."""
    return f"{', '.join(columns)} FROM {_SOURCES[kind]} WHERE {_ID[kind]} IN (SELECT value FROM json_each(?))"


def rows(folder: Path, kind: Kind, ids: Sequence[int], names: Iterable[str] | None = None) -> list[Row]:
    """The rows of these ids that are still there, in their order, with these columns, or all but `lines`.

    `lines` are the paths driven, as JSON. Raises as `find`.
    """
    names = [*(COLUMNS[kind] if names is None else names)]
    query = f"SELECT {_chosen(kind, _ID[kind], *(_cast(kind, name) for name in names))}"
    with _opened(folder) as connection:
        found = {}
        for own, *values in connection.execute(query, [json.dumps(ids)]):
            values = [_text(each) if isinstance(each, bytes) else each for each in values]
            found[own] = dict(zip(names, values, strict=True))
    return [found[each] for each in ids if each in found]
