"""Tables of trajectories that nobody ever recorded: cars, a bus, a bicycle and walkers on smooth ways."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Columns = Mapping[str, Sequence[Any]]

SIZES = {"1": (4.5, 1.9), "2": (12.0, 2.55), "3": (1.8, 0.6), "4": (0.5, 0.5), "5": (4.2, 1.8)}
CLASSES = {"1": "car", "2": "bus", "3": "bicycle", "4": "pedestrian", "5": "Car"}


def traffic(frames: int = 60, step: float = 0.04) -> dict[str, list[Any]]:
    """Columns of a table ordered by time: time, track_id, x, y, yaw, length, width, class; y to the north."""
    columns: dict[str, list[Any]] = {name: [] for name in ("time", "track_id", "x", "y", "yaw", "length", "width")}
    columns["class"] = []
    for frame in range(frames):
        time = frame * step
        for number, name in enumerate(SIZES):
            speed = 1.4 if name == "4" else 6.0 + number
            angle = 0.3 * number + speed * time / 60
            columns["time"].append(round(time, 4))
            columns["track_id"].append(name)
            columns["x"].append(round(60 * np.sin(angle) + 15 * number, 4))
            columns["y"].append(round(60 - 60 * np.cos(angle) + 9 * number, 4))
            columns["yaw"].append(round(angle, 5))
            columns["length"].append(SIZES[name][0])
            columns["width"].append(SIZES[name][1])
            columns["class"].append(CLASSES[name])
    return columns


def write(path: Path, columns: Columns, delimiter: str = ",", encoding: str = "utf-8") -> Path:
    """Write columns as a table of text."""
    lines = [delimiter.join(columns)]
    lines += [delimiter.join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return path


def write_family(folder: Path, number: int, columns: Columns) -> Path:
    """Write the three files of a recording in the layout of inD; returns that of the tracks."""
    rate = 25.0
    tracks = {
        "recordingId": [number] * len(columns["x"]),
        "trackId": columns["track_id"],
        "frame": [round(time * rate) for time in columns["time"]],
        "trackLifetime": [0] * len(columns["x"]),
        "xCenter": columns["x"],
        "yCenter": columns["y"],
        "heading": [round(float(np.degrees(yaw)) % 360, 4) for yaw in columns["yaw"]],
        "width": [0.0 if name == "4" else SIZES[name][1] for name in columns["track_id"]],
        "length": [0.0 if name == "4" else SIZES[name][0] for name in columns["track_id"]],
    }
    write(folder / f"{number:02}_recordingMeta.csv", {"recordingId": [number], "frameRate": [rate]})
    classes = {"trackId": list(CLASSES), "class": ["car", "truck_bus", "bicycle", "pedestrian", "car"]}
    write(folder / f"{number:02}_tracksMeta.csv", classes)
    return write(folder / f"{number:02}_tracks.csv", tracks)
