"""A highD recording as columns of places and speeds, for a recording of the simulator: what moves, and as what.

Reads only what that takes, with numpy alone. Units and signs are highD's: metres, y down, corners of boxes. Knows no
packets.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...errors import RecorderError

Reals = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

FIRST_DATE = 1_504_224_000  # 2017-09-01, when the first highD recordings were made
SLOWEST = 0.5  # m/s; slower than this, a velocity has no direction

_TRACKS = ("frame", "id", "x", "y", "width", "height", "xVelocity", "yVelocity")
_META = ("id", "finalFrame", "class", "drivingDirection")


class HighdError(RecorderError):
    """A highD recording cannot be read, for the reason given."""


class Traffic(NamedTuple):
    """A recording, one row a frame and vehicle, ordered by track and frame; shape (n,) each.

    `rate` (frames a second), `date` (s since 1970 UTC), `frame`, `track`, `x`, `y` (middle of the box, m), `length`,
    `width` (m), `vx`, `vy` (m/s), `yaw` (radians, without jumps within a track), and of each track `trucks` (by id)
    whether it is one.
    """

    rate: float
    date: int
    frame: Integers
    track: Integers
    x: Reals
    y: Reals
    length: Reals
    width: Reals
    vx: Reals
    vy: Reals
    yaw: Reals
    trucks: dict[int, bool]


def read_highd(folder: Path, number: int) -> Traffic:
    """The recording of that number in a folder. Raises `HighdError` for what is missing or broken, and OSError."""
    about = _lines(folder / f"{number:02}_recordingMeta.csv", ("frameRate",))
    rate = _rate(folder / f"{number:02}_recordingMeta.csv", about)
    meta = _lines(folder / f"{number:02}_tracksMeta.csv", _META)
    kinds = {int(line["id"]): line for line in meta if _is_whole(line["id"])}
    path = folder / f"{number:02}_tracks.csv"
    rows = _numbers(path)
    rows = rows[np.lexsort((rows["frame"], rows["id"]))]
    _refuse_numbers(rows, kinds, path, folder / f"{number:02}_tracksMeta.csv")
    track, frame = rows["id"].astype(np.int64), rows["frame"].astype(np.int64)
    if not np.isfinite(np.stack([rows[name] for name in _TRACKS])).all():
        raise HighdError(f"{path.name} holds places or speeds that are no finite numbers.")
    double = (track[1:] == track[:-1]) & (frame[1:] == frame[:-1])
    if double.any():
        at = int(double.argmax())
        raise HighdError(f"{path.name} has two rows of track {track[at]} in frame {frame[at]}.")
    ahead = {each: 0.0 if line["drivingDirection"].strip() == "2" else np.pi for each, line in kinds.items()}
    vx, vy = rows["xVelocity"], rows["yVelocity"]
    return Traffic(
        rate,
        _date(about[0]),
        frame,
        track,
        rows["x"] + rows["width"] / 2,
        rows["y"] + rows["height"] / 2,
        rows["width"],
        rows["height"],
        vx,
        vy,
        headings(track, vx, vy, ahead),
        {each: line["class"].strip() == "Truck" for each, line in kinds.items()},
    )


def headings(track: Integers, vx: Reals, vy: Reals, ahead: dict[int, float]) -> Reals:
    """The direction of the velocities, radians, float64[n], without jumps of a turn within a track.

    Below 0.5 m/s it stays what it was last or, before that, is what it will be first; a track that never drives faster
    looks `ahead`.
    """
    yaw = np.arctan2(vy, vx)
    moving = np.hypot(vx, vy) >= SLOWEST
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


def _lines(path: Path, wanted: Sequence[str]) -> list[dict[str, str]]:
    _refuse_missing(path)
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = csv.DictReader(file)
        _refuse_columns(path, reader.fieldnames or (), wanted)
        lines = list(reader)
    if not lines or any(line[name] is None for line in lines for name in wanted):
        raise HighdError(f"{path.name} breaks off.")
    return lines


def _numbers(path: Path) -> npt.NDArray[Any]:
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


def _refuse_numbers(rows: npt.NDArray[Any], kinds: Mapping[int, Mapping[str, str]], path: Path, about: Path) -> None:
    """Refuse tracks and frames that are none: every frame up to the last one is written."""
    unknown = set(np.unique(rows["id"]).tolist()) - set(kinds)
    if unknown:
        raise HighdError(f"{path.name} holds track {min(unknown):g}, of which {about.name} does not tell.")
    frame = rows["frame"]
    odd = frame[~((frame >= 0) & (frame == np.floor(frame)))]
    if len(odd):
        raise HighdError(f"{path.name} holds frame {odd[0]:g}; frames are whole numbers from 0 on.")
    untold = [track for track, line in kinds.items() if not _is_whole(line["finalFrame"])]
    if untold:
        raise HighdError(f"{about.name} does not say in which frame track {untold[0]} ends.")
    lasts = {track: int(line["finalFrame"]) for track, line in kinds.items()}
    beyond = np.flatnonzero(frame > np.array([lasts[int(track)] for track in rows["id"].tolist()]))
    if len(beyond):
        track, at = int(rows["id"][beyond[0]]), frame[beyond[0]]
        number = f"{int(at):,}" if at < 1 << 53 else f"{at:g}"
        raise HighdError(
            f"{path.name} has track {track} in frame {number}, but {about.name} says that it ends in frame "
            f"{lasts[track]:,}."
        )


def _is_whole(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,15}", text.strip()) is not None


def _refuse_missing(path: Path) -> None:
    if not path.is_file():
        raise HighdError(f"{path} is missing; a recording consists of three files.")


def _refuse_columns(path: Path, names: Sequence[str], wanted: Sequence[str]) -> None:
    missing = [name for name in wanted if name not in names]
    if missing:
        raise HighdError(
            f"{path.name} lacks {'the column' if len(missing) == 1 else 'the columns'} {', '.join(missing)}."
        )


def _rate(path: Path, about: list[dict[str, str]]) -> float:
    try:
        rate = float(about[0]["frameRate"])
    except ValueError:
        rate = 0.0
    if not 0 < rate < np.inf:
        raise HighdError(f"{path.name} has no frame rate above 0.")
    return rate


def _date(about: dict[str, str]) -> int:
    """The first day of the month and the time of day it tells of; when highD began where it tells of none."""
    month = re.fullmatch(r"([0-9]{1,2})\.([0-9]{4})", (about.get("month") or "").strip())
    time = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", (about.get("startTime") or "").strip())
    try:
        hour, minute = (int(time[1]), int(time[2])) if time else (0, 0)
        return (
            FIRST_DATE
            if month is None
            else int(datetime(int(month[2]), int(month[1]), 1, hour, minute, tzinfo=UTC).timestamp())
        )
    except ValueError:
        return FIRST_DATE
