"""Reads, checks and merges the three CSV files of a highD recording.

Errors name file and column; later steps rely on these checks. Needs polars, and is imported only when highD is read.
"""

import re
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..format.highd import LARGEST, LEAST_RATE, MOST_RATE
from ..format.ind import is_family_file, other_importer
from ..texts import N_, listed, say, say_count
from .constants import CLASSES, PICTURE_SIZE, SURROUNDINGS, TRACKS_PER_RECORDING
from .libraries import AnalysisError, library_missing
from .steps import Columns

try:
    import polars as pl
except ImportError:
    raise library_missing("polars") from None

NUMBERS = range(1, 61)
FILES = ("recordingMeta", "tracksMeta", "tracks")

_RECORDING: Mapping[str, pl.DataType] = {"id": pl.Int32(), "frameRate": pl.Float64()}
_META: Mapping[str, pl.DataType] = {
    "id": pl.Int32(),
    "width": pl.Float64(),
    "height": pl.Float64(),
    "class": pl.String(),
    "drivingDirection": pl.Int8(),
}
_TRACKS: Mapping[str, pl.DataType] = {
    "frame": pl.Int32(),
    "id": pl.Int32(),
    "x": pl.Float64(),
    "y": pl.Float64(),
    "xVelocity": pl.Float64(),
    "xAcceleration": pl.Float64(),
    "dhw": pl.Float64(),
    "thw": pl.Float64(),
    "ttc": pl.Float64(),
    "precedingId": pl.Int32(),
    **dict.fromkeys(SURROUNDINGS, pl.Int32()),
    "laneId": pl.Int32(),
}
_NAMES: Mapping[str, str] = {
    "id": "trackId",
    "x": "x_raw",
    "y": "y_raw",
    "laneId": "laneId_raw",
    "dhw": "dist_headway_raw",
    "thw": "time_headway_raw",
    "ttc": "ttc_raw",
}
"""Columns of the L1 table, by what highD calls them."""
_FINITE_COLUMNS = ("x", "y", "xVelocity", "xAcceleration")


class Raw(NamedTuple):
    """The files of a recording.

    Attributes:
        number: Of the recording, 1 to 60.
        rate: Frame rate, Hz.
        meta: The file tracksMeta.
        tracks: The file tracks.
        picture: Width and height of the picture, px.
    """

    number: int
    rate: float
    meta: pl.DataFrame
    tracks: pl.DataFrame
    picture: tuple[int, int]


def file_path(folder: Path, number: int, name: str) -> Path:
    """Return the path of a file of a recording: `07_tracks.csv`.

    Args:
        folder: The folder of highD.
        number: Of the recording.
        name: One of `FILES`.
    """
    return folder / f"{number:02}_{name}.csv"


def recordings_in(folder: Path) -> list[int]:
    """Return the numbers (1 to 60, rising) of recordings with at least one of the three files in the folder."""
    numbers: list[int] = []
    for number in NUMBERS:
        paths = [file_path(folder, number, name) for name in FILES]
        if any(path.exists() for path in paths):
            numbers.append(number)
    return numbers


def load(folder: Path, number: int) -> Raw:
    """Step 1: read the three files of a recording.

    Args:
        folder: The folder of highD.
        number: Of the recording.

    Raises:
        AnalysisError: A file is missing or damaged, or of another data set.
        OSError: A file cannot be read.
    """
    for name in FILES:
        path = file_path(folder, number, name)
        if not path.is_file():
            raise AnalysisError(say("{path} is missing; a recording consists of three files.", path=path))
    path = file_path(folder, number, "tracks")
    if is_family_file(path):
        raise AnalysisError(other_importer(path))
    path = file_path(folder, number, "recordingMeta")
    info = _read(path, _RECORDING)
    if len(info) != 1 or info["id"][0] != number or not LEAST_RATE <= info["frameRate"][0] <= MOST_RATE:
        raise AnalysisError(
            say(
                "{name} has to hold one line, with the id {number} and a frameRate from {least:g} to {most:,.0f}.",
                name=path.name,
                number=number,
                least=LEAST_RATE,
                most=MOST_RATE,
            )
        )
    path = file_path(folder, number, "tracksMeta")
    meta = _read(path, _META)
    _check_meta(path.name, meta)
    path = file_path(folder, number, "tracks")
    tracks = _read(path, _TRACKS)
    _check_tracks(path.name, tracks, meta)
    return Raw(
        number=number,
        rate=float(info["frameRate"][0]),
        meta=meta,
        tracks=tracks,
        picture=_picture_size(folder / f"{number:02}_highway.png"),
    )


def merge(raw: Raw) -> Columns:
    """Step 2: return the columns of all rows, ordered by track and frame, with the names of the L1 table or of highD.

    Raises:
        AnalysisError: A track has two rows of one frame.
    """
    class_number = pl.col("class").replace_strict(CLASSES, return_dtype=pl.Int8).alias("veh_class")
    tracks = raw.tracks.join(raw.meta, on="id", how="left", maintain_order="left").with_columns(class_number)
    keys = (tracks["id"].to_numpy().astype(np.int64) << 32) + tracks["frame"].to_numpy()
    steps = np.diff(keys)
    if (steps < 0).any():
        tracks = tracks.sort("id", "frame")
        steps = np.diff(np.sort(keys))
    if (steps == 0).any():
        row = tracks.row(int(np.flatnonzero(steps == 0)[0]), named=True)
        raise AnalysisError(
            say(
                "Recording {number:02}: track {track} has two rows of frame {frame}.",
                number=raw.number,
                track=row["id"],
                frame=row["frame"],
            )
        )
    rows: Columns = {}
    for name in tracks.columns:
        if name != "class":
            rows[_NAMES.get(name, name)] = tracks[name].to_numpy()
    number = np.full(len(tracks), raw.number, np.int32)
    return rows | {
        "recordingId": number,
        "global_track_id": number.astype(np.int64) * TRACKS_PER_RECORDING + rows["trackId"],
        "time": rows["frame"] / raw.rate,
    }


# --- reading and checking ---------------------------------------------------------------------------------


def _picture_size(path: Path) -> tuple[int, int]:
    """Return width and height of a PNG file in pixels; 1280 and 720 if there is none or it is no PNG file."""
    try:
        with path.open("rb") as file:
            head = file.read(24)
    except OSError:
        return PICTURE_SIZE
    if len(head) < 24 or not head.startswith(b"\x89PNG\r\n\x1a\n"):
        return PICTURE_SIZE
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def _read(path: Path, types: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Return the named columns of a CSV file; raises `AnalysisError` for missing columns and values."""
    with path.open("r", encoding="utf-8-sig", errors="replace") as file:
        head = file.readline()
    names = [name.strip().strip('"') for name in head.rstrip("\r\n").split(",")]
    missing = [name for name in types if name not in names]
    if missing:
        raise AnalysisError(
            say_count(
                "{name} lacks the column {names}.",
                "{name} lacks the columns {names}.",
                name=path.name,
                names=listed(missing),
                count=len(missing),
            )
        )
    # highD quotes nothing; an unclosed quotation mark makes polars panic.
    quote = '"' if '"' in head else None
    try:
        frame = pl.read_csv(path, columns=list(types), schema_overrides=types, encoding="utf8-lossy", quote_char=quote)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:  # a panic is no Exception
        raise AnalysisError(say("{name} cannot be read: {reason}", name=path.name, reason=_reason(error))) from None
    for name in types:
        if frame[name].null_count():
            line = int(frame[name].is_null().arg_max() or 0) + 2
            raise AnalysisError(
                say(
                    "{name}, line {line}: there is no value in the column {column}.",
                    name=path.name,
                    line=line,
                    column=name,
                )
            )
    return frame.select(list(types))


def _reason(error: Exception) -> str:
    """Return an error of polars as a sentence.

    It is one of ours for a value that does not fit its column, else the first line of the error.
    """
    text = str(error)
    match = re.search(r"could not parse [`'\"](.*?)[`'\"] as .*?column '(.*?)'", text, re.DOTALL)
    if match:
        return say("“{text}” is not a value for the column {column}.", text=match[1][:40], column=match[2])
    return text.partition("\n")[0].rstrip(".") + "."


def _check_meta(name: str, meta: pl.DataFrame) -> None:
    """Raise `AnalysisError` for a file tracksMeta that is wrong."""
    duplicates = meta["id"].filter(meta["id"].is_duplicated())
    if len(duplicates):
        raise AnalysisError(say("{name} has track {track} twice.", name=name, track=duplicates[0]))
    _check_finite(name, meta, ("width", "height"))
    is_unknown = ~pl.col("class").is_in(list(CLASSES)) | ~pl.col("drivingDirection").is_in([1, 2])
    unknown = meta.filter(is_unknown)
    if len(unknown):
        row = unknown.row(0, named=True)
        raise AnalysisError(
            say(
                "{name}: track {track} is of class “{kind}” and direction {direction}; there "
                "are {names}, and directions 1 and 2.",
                name=name,
                names=listed(CLASSES, "and"),
                track=row["id"],
                kind=row["class"],
                direction=row["drivingDirection"],
            )
        )


def _check_tracks(name: str, tracks: pl.DataFrame, meta: pl.DataFrame) -> None:
    """Raise `AnalysisError` for a file tracks that is wrong."""
    if not len(tracks):
        raise AnalysisError(say("{name} holds no rows.", name=name))
    _check_finite(name, tracks, _FINITE_COLUMNS)
    unknown = tracks["id"].filter(~tracks["id"].is_in(meta["id"].implode()))
    if len(unknown):
        raise AnalysisError(
            say(
                "{name} holds track {track}, which is not in {other}.",
                name=name,
                track=unknown[0],
                other=name.replace("tracks", "tracksMeta"),
            )
        )


def _check_finite(name: str, table: pl.DataFrame, columns: Iterable[str]) -> None:
    """Raise `AnalysisError` for values that are not finite, or so large that what is computed would not be."""
    for column in columns:
        is_bad = ~(table[column].abs() <= LARGEST) | table[column].is_nan()
        if is_bad.any():
            row = int(is_bad.arg_max() or 0)
            if np.isfinite(table[column][row]):
                template = N_("{name}, line {line}: {column} is too large.")
            else:
                template = N_("{name}, line {line}: {column} is not a finite number.")
            raise AnalysisError(say(template, name=name, line=row + 2, column=column))
