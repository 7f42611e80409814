"""A catalogue of a folder: a row for each recording and one for each collision or risk, in an SQLite file in it.

The names of columns are those in expressions, too. The file may come from anywhere: its schema must be exactly ours,
and every value is cast to the type of its column.
"""

import json
import os
import sqlite3
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import compress, groupby
from pathlib import Path
from time import monotonic, time_ns
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

import numpy as np

from ..analysis.libraries import AnalysisError, LibraryMissing, library
from ..analysis.recording import Analysis, of_recording
from ..arrays import FloatArray
from ..format import Field, PacketType
from ..format.schema import Struct
from ..progress import SILENT, Progress
from ..reading import Actors
from ..reading.actors import NO_ACTOR
from ..reading.event_index import ActorClass
from ..reading.expression.query import parse_condition
from ..reading.expression.values import Column, Texts
from ..reading.trajectories import find_trajectories, lines_of
from ..recording import open_recording
from ..recording.existing import refuse_existing
from ..recording.files import content, recordings_in
from ..texts import N_, say
from .pool import run_many

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
    Field("risks", "i64", N_("Risks")),
    Field("min_ttc", "f64", N_("Least TTC, s")),
    Field("damage", "i64", N_("Damage")),
    Field("size", "i64", N_("Size, bytes")),
    Field("hash", "str", N_("Hash")),
)
_OF_EVENTS = (
    Field("kind", "str", N_("Event")),
    Field("frame", "i64", N_("Frame")),
    Field("time", "f64", N_("Time, s")),
    Field("actor", "i64", N_("Actor")),
    Field("blueprint", "str", N_("Blueprint")),
    Field("other", "i64", N_("Other")),
    Field("other_blueprint", "str", N_("Other blueprint")),
    Field("level", "i64", N_("Level")),
    Field("ttc", "f64", N_("TTC, s")),
)
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
        "risks",
        "min_ttc",
        "damage",
        "size",
    ),
    "events": ("path", "kind", "town", "blueprint", "other_blueprint", "time", "frame", "level", "ttc"),
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

_SQL = {"str": "TEXT", "i64": "INTEGER", "f64": "REAL"}
_ID = {"recordings": "recordings.id", "events": "events.id"}
_SOURCES = {"recordings": "recordings", "events": "recordings JOIN events ON recording = recordings.id"}
_ORDERS = {"recordings": "path", "events": "path, frame, events.id"}
_MOST_EVENTS = 10_000  # of one kind in one recording
_POINTS = 200  # of a thumbnail
_GAP = 0xFFFF, 0xFFFF  # the point behind each of its lines
_SECONDS = 2.0  # between two writings
_SETTLED = 2_000_000_000  # ns: the time of a file that was written since does not tell whether it is written again


def _columns_in_sql(kind: Kind) -> str:
    return ", ".join(f"{field.path} {_SQL[field.type]}" for field in STORED[kind])


_OWNER = "recording INTEGER REFERENCES recordings ON DELETE CASCADE"
_SCHEMA = [
    f"CREATE TABLE recordings (id INTEGER PRIMARY KEY, stamp INTEGER, {_columns_in_sql('recordings')}, lines BLOB)",
    f"CREATE TABLE events (id INTEGER PRIMARY KEY, {_OWNER}, {_columns_in_sql('events')})",
    "CREATE UNIQUE INDEX by_path ON recordings (path)",
    "CREATE INDEX by_recording ON events (recording)",
]


@contextmanager
def _opened(folder: Path, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """The file of a folder; raises `AnalysisError` where there is none, or another, and for errors of SQLite."""
    path = folder.absolute() / NAME
    if not create and not path.is_file():
        raise AnalysisError(
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
            found = []
            for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql != ''"):
                found.append(sql)
            if create and not found and not path.stat().st_size:
                connection.executescript(";".join(["BEGIN", *_SCHEMA, "COMMIT"]))
            elif sorted(found) != sorted(_SCHEMA):
                raise sqlite3.DatabaseError
            yield connection
    except sqlite3.OperationalError as error:
        raise AnalysisError(say("{file}: {reason}", file=path, reason=error)) from None
    except (sqlite3.Error, UnicodeDecodeError):
        raise AnalysisError(
            say(
                "{path} is no index that this release has made, or is damaged. Move it away, "
                "or have it replaced (index --new).",
                path=path,
            )
        ) from None


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

    Attributes: `read`, `unchanged`, `gone` (numbers of recordings), `failed` (why others could not be read, by path),
    `lacking` (why recordings were read without their risks; empty where they were not).
    """

    read: int
    unchanged: int
    gone: int
    failed: dict[str, str]
    lacking: str = ""

    def told(self, folder: Path) -> str:
        """The numbers as a sentence."""
        return say(
            "{path}: {read:,} read, {unchanged:,} unchanged, {gone:,} gone, {failed:,} failed.",
            path=folder / NAME,
            read=self.read,
            unchanged=self.unchanged,
            gone=self.gone,
            failed=len(self.failed),
        )


class _Job(NamedTuple):
    """A file to read.

    Attributes: `name` (its path below the folder), `path`, `known` (the hash that is known of it, or None),
    `has_risks` (whether its traffic is analysed).
    """

    name: str
    path: Path
    known: str | None
    has_risks: bool


class _Reading(NamedTuple):
    """What was read of a file: its `stamp`, and where its content is another its row and its events."""

    stamp: int
    recording: Row | None = None
    events: Sequence[Row] = ()


def index(
    folder: Path, progress: Progress = SILENT, *, workers: int = 1, anew: bool = False, overwrite: bool = False
) -> Indexed:
    """Bring the catalogue of a folder and those in it up to date; `anew`: in place of the file that is there.

    That stays if nothing makes it again (`WouldReplace`), unless `overwrite` is given.

    Only files whose size or times have changed are read, and only those with another content in full. What was read is
    written every other second. Without SciPy there are no risks. Raises `AnalysisError`, OSError and `Cancelled`.
    """
    lacking = _why_no_risks()
    if anew:
        replaced = [folder / f"{NAME}-journal", folder / NAME]
        if not overwrite:
            refuse_existing(replaced, is_recording=False)
        for path in replaced:
            path.unlink(missing_ok=True)
    with _opened(folder, create=True) as connection:
        query = connection.execute("SELECT path, stamp, size, hash FROM recordings")
        known = {path: (stamp, size, digest) for path, stamp, size, digest in query}
        files = {_text(path.relative_to(folder).as_posix()): path for path in recordings_in(folder, recursive=True)}
        changed = [name for name, path in files.items() if known.get(name, ())[:2] != _stamp(path)]
        jobs = [_Job(name, files[name], known.get(name, (None,))[-1], not lacking) for name in changed]
        gone = known.keys() - files.keys()
        batch: dict[str, _Reading | None] = dict.fromkeys(gone)
        failed: dict[str, str] = {}
        fresh = 0
        written = monotonic()
        try:
            with closing(run_many(_read, jobs, workers)) as outcomes:
                for done, outcome in enumerate(outcomes, 1):
                    name = outcome.item.name
                    path = outcome.item.path
                    reading = outcome.result
                    reason = outcome.error or ""
                    batch[name] = reading
                    fresh += reading is not None and reading.recording is not None
                    if reading is None:
                        if path.name in reason:
                            failed[name] = reason
                        else:
                            failed[name] = say("{file}: {reason}", file=name, reason=reason)
                    if monotonic() - written > _SECONDS:
                        _write(connection, batch)
                        written = monotonic()
                    progress.update(done, len(jobs))
        finally:
            _write(connection, batch)
    return Indexed(
        read=fresh,
        unchanged=len(files) - fresh - len(failed),
        gone=len(gone),
        failed=dict(sorted(failed.items())),
        lacking=say(
            "Risks and times to collision are left out of the index. {reason} Then `index --new` adds them.",
            reason=lacking,
        )
        if fresh and lacking
        else "",
    )


def _why_no_risks() -> str:
    """The reason why traffic cannot be analysed here; empty where it can."""
    try:
        library("scipy.signal")
    except LibraryMissing as missing:
        return missing.message
    return ""


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
                connection.execute("UPDATE recordings SET stamp = ? WHERE path = ?", (reading.stamp, name))
                continue
            connection.execute("DELETE FROM recordings WHERE path = ?", (name,))
            if reading is not None and reading.recording is not None:
                owner = _insert(connection, "recordings", {"path": name, "stamp": reading.stamp} | reading.recording)
                for event in reading.events:
                    _insert(connection, "events", {"recording": owner} | event)
    batch.clear()


def _insert(connection: sqlite3.Connection, table: str, row: Row) -> int | None:
    values = []
    for value in row.values():
        values.append(_text(value) if isinstance(value, str) else value)
    places = ", ".join("?" * len(row))
    return connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", values).lastrowid


def _text(text: str) -> str:
    """A text as SQLite takes it: names of files may have signs that are no Unicode."""
    return text.encode("utf-8", "backslashreplace").decode()


# --- one recording ----------------------------------------------------------------------------------------


def _read(job: _Job) -> _Reading:
    """Read a file, in full if its content is another. Raises OSError, and errors of reading."""
    path = job.path
    status = path.stat()
    is_settled = time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > _SETTLED
    if is_settled:
        stamp = status.st_mtime_ns + status.st_ctime_ns
    else:
        stamp = 0
    digest = content(path)
    if digest == job.known:
        return _Reading(stamp)
    with open_recording(path) as recording:
        snapshot = recording.snapshot
        header = recording.header
        dialect = recording.dialect
        actors = Actors.of(snapshot)
        traffic = None
        if job.has_risks:
            with suppress(AnalysisError):  # it has too many positions
                traffic = of_recording(recording)
        name = header.map_name if header is not None else b""
        when = header.when if header is not None else None
        lines = lines_of(find_trajectories(snapshot), _POINTS)
        if traffic is None:
            least = np.inf
        else:
            least = float(traffic.least_ttc.min(initial=np.inf))
        row: Row = {
            "town": name.rpartition("/")[2].removesuffix("_Opt") if isinstance(name, str) else "",
            "release": "-".join(dict.fromkeys((dialect.first, dialect.last))) if len(snapshot) else "",
            "date": f"{when:%Y-%m-%d %H:%M:%S}" if when is not None else "",
            "frames": len(snapshot),
            "duration": float(snapshot.elapsed[-1]) if len(snapshot) else 0.0,
            "hero": next((life.blueprint for life in actors if life.is_hero), ""),
            **{name: sum(life.class_ == each for life in actors) for name, each in _CLASSES.items()},
            "collisions": len(actors.contacts),
            "risks": None if traffic is None else len(traffic.risks),
            "min_ttc": least if np.isfinite(least) else None,
            "damage": sum(each.severity == "error" for each in recording.findings),
            "size": status.st_size,
            "hash": digest,
            "lines": np.array([point for line in lines for point in (*line, _GAP)], "<u2").tobytes(),
        }
        return _Reading(stamp, row, [*_events(actors, snapshot.elapsed, traffic)])


def _events(actors: Actors, elapsed: FloatArray, traffic: Analysis | None) -> Iterator[Row]:
    """The rows of collisions and risks."""
    hits: list[tuple[int, ...]] = actors.contacts[:_MOST_EVENTS].tolist()
    found: list[Cells] = [("collision", first, *both, None, None) for first, _, *both, _, _ in hits]
    for life, leader, level, _, _, worst, ttc in () if traffic is None else traffic.risks[:_MOST_EVENTS].tolist():
        found.append(("risk", worst, actors.lives[life].actor, actors.lives[leader].actor, level, ttc))
    for kind, frame, actor, other, level, ttc in found:
        names = [
            life.blueprint if life is not None else "" for life in (actors.at(each, frame) for each in (actor, other))
        ]
        told = None if other == NO_ACTOR else other
        values = (kind, frame + 1, float(elapsed[frame]), actor, names[0], told, names[1], level, ttc)
        yield dict(zip((field.path for field in _OF_EVENTS), values, strict=True))


# --- asking it --------------------------------------------------------------------------------------------


def _column(field: Field, values: Sequence[float | str | None]) -> Column:
    """A column as numbers, NaN where there is none, or as texts."""
    if field.type != "str":
        return np.array(values, np.float64)
    texts = [str(value) for value in values]
    words = {}
    for code, word in enumerate(dict.fromkeys(texts)):
        words[word] = code
    return Texts(np.array([words[text] for text in texts], np.intp), [*words])


def _cast(kind: Kind, name: str) -> str:
    if name == "lines":
        return "CAST(IFNULL(lines, '') AS BLOB)"
    made = _SQL[COLUMNS[kind][name].type]
    if made != "TEXT":
        return f"CAST({name} AS {made})"
    return f"CAST(IFNULL({name}, '') AS TEXT)"


def find(folder: Path, text: str, kind: Kind, names: Iterable[str]) -> list[Cells]:
    """The values of the rows that an expression is true of, all for an empty one, in the order of paths and frames.

    `names`: those of columns, and `lines` (for `thumbnail`). Raises `ExpressionError`, and `AnalysisError` where the
    folder has no catalogue.
    """
    fields = COLUMNS[kind]
    query = parse_condition(text, PacketType(-1, kind.title()[:-1], "list", Struct(kind, (*fields.values(),)), ""))
    used, told = ([_ID[kind], *(_cast(kind, name) for name in each)] for each in (query.names, names))
    with _opened(folder) as connection:
        found = connection.execute(f"SELECT {', '.join(used)} FROM {_SOURCES[kind]}").fetchall()
        if found:
            ids, *values = zip(*found, strict=True)
        else:
            ids, *values = [()] * len(used)
        columns = {}
        for name, each in zip(query.names, values, strict=True):
            columns[name] = _column(fields[name], each)
        mask = query.mask(SimpleNamespace(column=columns.__getitem__), (len(ids),))
        chosen = f"WHERE {_ID[kind]} IN (SELECT value FROM json_each(?)) ORDER BY {_ORDERS[kind]}"
        rows = f"SELECT {', '.join(told[1:])} FROM {_SOURCES[kind]} {chosen}"
        return connection.execute(rows, [json.dumps([*compress(ids, mask)])]).fetchall()


def thumbnail(stored: bytes) -> list[list[tuple[int, int]]]:
    """The paths driven, as `lines_of` gives them."""
    points = [*struct.iter_unpack("<HH", stored[: len(stored) // 4 * 4])]
    return [[*line] for is_gap, line in groupby(points, _GAP.__eq__) if not is_gap]
