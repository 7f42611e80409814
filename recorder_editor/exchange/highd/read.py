"""Reads the positions, velocities and classes of a highD recording as columns.

Needs only numpy. Units and signs are highD's: metres, y down.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...arrays import AnyArray, FloatArray, IntArray
from ...errors import RecorderError

FIRST_DATE = 1_504_224_000  # 2017-09-01, when the first highD recordings were made
MIN_SPEED = 0.5  # m/s; a slower velocity gives no heading

_TRACKS = ("frame", "id", "x", "y", "width", "height", "xVelocity", "yVelocity")
_META = ("id", "finalFrame", "class", "drivingDirection")


class HighdError(RecorderError):
    """A highD recording cannot be read or converted."""


class Traffic(NamedTuple):
    """A recording, one row a frame and vehicle, ordered by track and frame; shape (n,) each.

    `rate` (frames a second), `date` (s since 1970 UTC), `frame`, `track`, `x`, `y` (middle of the box, m), `length`,
    `width` (m), `vx`, `vy` (m/s), `yaw` (radians, unwrapped within a track), `trucks` (by track, whether it is a
    truck).
    """

    rate: float
    date: int
    frame: IntArray
    track: IntArray
    x: FloatArray
    y: FloatArray
    length: FloatArray
    width: FloatArray
    vx: FloatArray
    vy: FloatArray
    yaw: FloatArray
    trucks: dict[int, bool]


def read_highd(folder: Path, number: int) -> Traffic:
    """The recording of a number in a folder. Raises `HighdError` for missing or damaged files, and OSError."""
    recording = _read_lines(folder / f"{number:02}_recordingMeta.csv", ("frameRate",))
    rate = _rate(folder / f"{number:02}_recordingMeta.csv", recording)
    meta = _read_lines(folder / f"{number:02}_tracksMeta.csv", _META)
    kinds = {int(line["id"]): line for line in meta if _is_whole(line["id"])}
    path = folder / f"{number:02}_tracks.csv"
    rows = _read_tracks(path)
    rows = rows[np.lexsort((rows["frame"], rows["id"]))]
    _refuse_bad_rows(rows, kinds, path, folder / f"{number:02}_tracksMeta.csv")
    track, frame = rows["id"].astype(np.int64), rows["frame"].astype(np.int64)
    if not np.isfinite(np.stack([rows[name] for name in _TRACKS])).all():
        raise HighdError(f"{path.name} holds places or speeds that are not finite numbers.")
    duplicate = (track[1:] == track[:-1]) & (frame[1:] == frame[:-1])
    if duplicate.any():
        at = int(duplicate.argmax())
        raise HighdError(f"{path.name} has two rows of track {track[at]} in frame {frame[at]}.")
    ahead = {each: 0.0 if line["drivingDirection"].strip() == "2" else np.pi for each, line in kinds.items()}
    trucks = {each: line["class"].strip() == "Truck" for each, line in kinds.items()}
    x, y, length, width, vx, vy = (rows[name] for name in _TRACKS[2:])
    yaw, x, y = headings(track, vx, vy, ahead), x + length / 2, y + width / 2
    return Traffic(rate, _date(recording[0]), frame, track, x, y, length, width, vx, vy, yaw, trucks)


def headings(track: IntArray, vx: FloatArray, vy: FloatArray, ahead: dict[int, float]) -> FloatArray:
    """Headings of the velocities, radians, float64[n], unwrapped within a track.

    Below `MIN_SPEED` the last heading holds, or the first one before it is known; tracks that are never faster have the
    heading `ahead[track]`.
    """
    yaw = np.arctan2(vy, vx)
    moving = np.hypot(vx, vy) >= MIN_SPEED
    starts = np.flatnonzero(np.diff(track, prepend=-1))
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(track)], strict=True):
        known = np.flatnonzero(moving[start:stop])
        if not len(known):
            yaw[start:stop] = ahead[int(track[start])]
            continue
        last = np.maximum(np.searchsorted(known, np.arange(stop - start), side="right") - 1, 0)
        yaw[start:stop] = np.unwrap(yaw[start:stop][known[last]])
    return yaw


# --- files ------------------------------------------------------------------------------------------------


def _read_lines(path: Path, required: Sequence[str]) -> list[dict[str, str]]:
    _refuse_missing(path)
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = csv.DictReader(file)
        _refuse_columns(path, reader.fieldnames or (), required)
        lines = list(reader)
    if not lines or any(line[name] is None for line in lines for name in required):
        raise HighdError(f"{path.name} breaks off.")
    return lines


def _read_tracks(path: Path) -> AnyArray:
    _refuse_missing(path)
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        names = [name.strip() for name in file.readline().split(",")]
        _refuse_columns(path, names, _TRACKS)
        if not file.readline().strip():
            raise HighdError(f"{path.name} holds no rows.")
    columns = [names.index(name) for name in _TRACKS]
    dtype = np.dtype([(name, "f8") for name in _TRACKS])
    try:
        return np.loadtxt(path, dtype, delimiter=",", skiprows=1, usecols=columns, ndmin=1, encoding="utf-8")
    except ValueError as error:
        raise HighdError(f"{path.name} cannot be read: {str(error).rstrip('.')}.") from None


def _refuse_bad_rows(rows: AnyArray, kinds: Mapping[int, Mapping[str, str]], path: Path, meta: Path) -> None:
    """Refuse unknown tracks and frames out of range, since every frame up to the last one is written."""
    unknown = set(np.unique(rows["id"]).tolist()) - set(kinds)
    if unknown:
        raise HighdError(f"{path.name} holds track {min(unknown):g}, which is not in {meta.name}.")
    frame = rows["frame"]
    invalid = frame[~((frame >= 0) & (frame == np.floor(frame)))]
    if len(invalid):
        raise HighdError(f"{path.name} holds frame {invalid[0]:g}; frames are whole numbers from 0 on.")
    endless = [track for track, line in kinds.items() if not _is_whole(line["finalFrame"])]
    if endless:
        raise HighdError(f"{meta.name} does not say in which frame track {endless[0]} ends.")
    lasts = {track: int(line["finalFrame"]) for track, line in kinds.items()}
    beyond = np.flatnonzero(frame > np.array([lasts[int(track)] for track in rows["id"].tolist()]))
    if len(beyond):
        track, at = int(rows["id"][beyond[0]]), frame[beyond[0]]
        number = f"{int(at):,}" if at < 1 << 53 else f"{at:g}"
        raise HighdError(
            f"{path.name} has track {track} in frame {number}, but {meta.name} says that it ends in frame "
            f"{lasts[track]:,}."
        )


def _is_whole(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,15}", text.strip()) is not None


def _refuse_missing(path: Path) -> None:
    if not path.is_file():
        raise HighdError(f"{path} is missing; a recording consists of three files.")


def _refuse_columns(path: Path, names: Sequence[str], required: Sequence[str]) -> None:
    missing = [name for name in required if name not in names]
    if missing:
        raise HighdError(
            f"{path.name} lacks {'the column' if len(missing) == 1 else 'the columns'} {', '.join(missing)}."
        )


def _rate(path: Path, recording: list[dict[str, str]]) -> float:
    try:
        rate = float(recording[0]["frameRate"])
    except ValueError:
        rate = 0.0
    if not 0 < rate < np.inf:
        raise HighdError(f"{path.name} has no frame rate above 0.")
    return rate


def _date(recording: dict[str, str]) -> int:
    """Seconds since 1970 of month and start time in recordingMeta; `FIRST_DATE` without them."""
    month = re.fullmatch(r"([0-9]{1,2})\.([0-9]{4})", (recording.get("month") or "").strip())
    time = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", (recording.get("startTime") or "").strip())
    try:
        hour, minute = (int(time[1]), int(time[2])) if time else (0, 0)
        return (
            FIRST_DATE
            if month is None
            else int(datetime(int(month[2]), int(month[1]), 1, hour, minute, tzinfo=UTC).timestamp())
        )
    except ValueError:
        return FIRST_DATE
