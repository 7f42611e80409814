"""highD recordings that nobody ever filmed: platoons that brake, lane changes, trucks, both directions, in CSV.

One idea: everybody in a lane drives as the first one did, a second later, so every place and speed is a formula and who
brakes comes near to who brakes before. Columns, units and signs are highD's. Never imports the library.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

RATE = 25.0
ROAD = 420.0
LANE = 4.0
UPPER = {2: 8.0, 3: 12.0, 4: 16.0}
LOWER = {6: 24.0, 7: 28.0, 8: 32.0}
"""Lanes and where their middles are; the median lies between 18 and 22 m."""

RECORDING = (
    "id",
    "frameRate",
    "locationId",
    "speedLimit",
    "month",
    "weekDay",
    "startTime",
    "duration",
    "totalDrivenDistance",
    "totalDrivenTime",
    "numVehicles",
    "numCars",
    "numTrucks",
    "upperLaneMarkings",
    "lowerLaneMarkings",
)
META = (
    "id",
    "width",
    "height",
    "initialFrame",
    "finalFrame",
    "numFrames",
    "class",
    "drivingDirection",
    "traveledDistance",
    "minXVelocity",
    "maxXVelocity",
    "meanXVelocity",
    "minDHW",
    "minTHW",
    "minTTC",
    "numLaneChanges",
)
TRACKS = (
    "frame",
    "id",
    "x",
    "y",
    "width",
    "height",
    "xVelocity",
    "yVelocity",
    "xAcceleration",
    "yAcceleration",
    "frontSightDistance",
    "backSightDistance",
    "dhw",
    "thw",
    "ttc",
    "precedingXVelocity",
    "precedingId",
    "followingId",
    "leftPrecedingId",
    "leftAlongsideId",
    "leftFollowingId",
    "rightPrecedingId",
    "rightAlongsideId",
    "rightFollowingId",
    "laneId",
)
IDS = frozenset(("frame", "id", "laneId", *(name for name in TRACKS if name.endswith("Id"))))

Columns = dict[str, np.ndarray]


# --- files ------------------------------------------------------------------------------------------------


def write(folder: Path, number: int, tracks: Columns, rate: float = RATE, **meta: Any) -> None:
    """The three files of a recording; columns of `tracks` that are not given are 0, `class` and `direction` by row.

    `meta` replaces values of recordingMeta.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = len(tracks["id"])
    columns = {name: np.asarray(tracks.get(name, np.zeros(rows))) for name in TRACKS}
    kinds, ways = tracks.get("class", np.full(rows, "Car")), tracks.get("direction", np.full(rows, 2))
    table = [
        [str(int(value)) for value in column.tolist()]
        if name in IDS
        else [f"{value:.{PLACES}f}" for value in column.tolist()]
        for name, column in columns.items()
    ]
    _put(folder / f"{number:02}_tracks.csv", TRACKS, zip(*table, strict=True))
    ids, firsts = np.unique(columns["id"], return_index=True)
    told = [_meta(int(each), int(first), columns, kinds, ways) for each, first in zip(ids, firsts, strict=True)]
    _put(folder / f"{number:02}_tracksMeta.csv", META, told)
    trucks = sum(line[6] == "Truck" for line in told)
    about = {
        "id": number,
        "frameRate": f"{rate:g}",
        "locationId": 1,
        "speedLimit": "36.11",
        "month": "10.2017",
        "weekDay": "Tue",
        "startTime": "08:38",
        "duration": "60.00",
        "totalDrivenDistance": "1.00",
        "totalDrivenTime": "1.00",
        "numVehicles": len(told),
        "numCars": len(told) - trucks,
        "numTrucks": trucks,
        "upperLaneMarkings": "6.00;10.00;14.00;18.00",
        "lowerLaneMarkings": "22.00;26.00;30.00;34.00",
    }
    _put(folder / f"{number:02}_recordingMeta.csv", RECORDING, [[str((about | meta)[name]) for name in RECORDING]])


PLACES = 2
"""Decimals of highD's numbers."""


def _put(path: Path, names: Sequence[str], lines: Any) -> None:
    path.write_text("\n".join([",".join(names), *(",".join(line) for line in lines)]) + "\n", encoding="utf-8")


def _meta(track: int, first: int, columns: Columns, kinds: np.ndarray, ways: np.ndarray) -> list[str]:
    own = columns["id"] == track
    frames, speed, x = columns["frame"][own], np.abs(columns["xVelocity"][own]), columns["x"][own]
    # -1 stands for none in the least values, where the rows have 0.
    least = [
        f"{values[values > 0].min() if (values > 0).any() else -1:.2f}"
        for values in (columns[name][own] for name in ("dhw", "thw", "ttc"))
    ]
    return [
        str(track),
        f"{columns['width'][first]:.2f}",
        f"{columns['height'][first]:.2f}",
        str(int(frames.min())),
        str(int(frames.max())),
        str(len(frames)),
        str(kinds[first]),
        str(int(ways[first])),
        f"{np.ptp(x):.2f}",
        f"{speed.min():.2f}",
        f"{speed.max():.2f}",
        f"{speed.mean():.2f}",
        *least,
        str(int((np.diff(columns["laneId"][own]) != 0).sum())),
    ]


# --- traffic ----------------------------------------------------------------------------------------------


def traffic(vehicles: int = 40, seed: int = 1) -> Columns:
    """So many vehicles in the outer lanes of both directions, some of which change into the middle lanes.

    Every fifth is a truck. Track 3 is seen for 4 frames, track 4 for 1, and of track 5 some frames are missing.
    """
    chance = np.random.default_rng(seed)
    tracks = [
        _drive(track, chance, lane=(2, 8, 4, 6)[track % 4], place=(track - 1) // 4) for track in range(1, vehicles + 1)
    ]
    rows = {name: np.concatenate([track[name] for track in tracks]) for name in tracks[0]}
    seen = np.ones(len(rows["id"]), np.bool_)
    for track, keep in ((3, slice(0, 4)), (4, slice(7, 8))):
        own = np.flatnonzero(rows["id"] == track)
        seen[own] = False
        seen[own[keep]] = True
    seen[np.flatnonzero(rows["id"] == 5)[100:112]] = False
    return _neighbours({name: column[seen] for name, column in rows.items()})


def _drive(track: int, chance: np.random.Generator, lane: int, place: int) -> Columns:
    """One vehicle from one end of the road to the other, `place` seconds behind the first of its lane."""
    truck = track % 5 == 0
    length, width = (16.5, 2.5) if truck else (round(float(chance.uniform(3.8, 5.2)), 2), 1.9)
    time = np.arange(40 * 25) / RATE
    along, speed, pull = _first(time, lane)
    changes = lane in (2, 8) and place % 3 == 1
    share = 1 / (1 + np.exp(-(time - 7.0) / 0.5)) if changes else np.zeros(len(time))
    inner, middles = {2: 3, 4: 3, 6: 7, 8: 7}[lane], UPPER | LOWER
    across = middles[lane] + share * (middles[inner] - middles[lane])
    drift = np.gradient(across, 1 / RATE)
    upper = lane in UPPER
    sign = -1.0 if upper else 1.0
    columns = {
        "frame": 1 + np.arange(len(time)) + round(place * RATE),
        "id": np.full(len(time), track),
        "x": (ROAD - along if upper else along) - length / 2,
        "y": across - width / 2,
        "width": np.full(len(time), length),
        "height": np.full(len(time), width),
        "xVelocity": sign * speed,
        "yVelocity": drift,
        "xAcceleration": sign * pull,
        "yAcceleration": np.gradient(drift, 1 / RATE),
        "laneId": np.where(share < 0.5, lane, inner),
        "direction": np.full(len(time), 1 if upper else 2),
        "class": np.full(len(time), "Truck" if truck else "Car"),
        "frontSightDistance": ROAD - along,
        "backSightDistance": along,
    }
    return {name: column[along <= ROAD] for name, column in columns.items()}


def _first(time: np.ndarray, lane: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Way, speed and acceleration of whoever is first in a lane: steady, a braking, and up again."""
    speed = {2: 24.0, 8: 25.0, 4: 33.0, 6: 34.0}[lane] - 12.0 * np.exp(-(((time - 5.0) / 1.3) ** 2))
    pull = np.gradient(speed, 1 / RATE)
    way = np.concatenate(([0.0], np.cumsum((speed[1:] + speed[:-1]) / 2 / RATE)))
    return way, speed, pull


def _neighbours(rows: Columns) -> Columns:
    """The same rows with their neighbours in each frame, and what follows from the one ahead."""
    upper = rows["direction"] == 1
    sign = np.where(upper, -1.0, 1.0)
    along = sign * (rows["x"] + rows["width"] / 2)
    reach = rows["width"] / 2
    far = 10_000.0

    def keys(lane: np.ndarray, place: np.ndarray) -> np.ndarray:
        return (rows["frame"] * 10.0 + lane) * far + place + far / 2

    order = np.argsort(keys(rows["laneId"], along))
    placed = keys(rows["laneId"], along)[order]

    def found(lane: np.ndarray, place: np.ndarray, ahead: bool) -> np.ndarray:
        """The row next ahead of (or behind) a place in a lane of the same frame, -1 without one."""
        at = placed.searchsorted(keys(lane, place), side="right" if ahead else "left") - (0 if ahead else 1)
        row = order[np.clip(at, 0, len(order) - 1)]
        right = (at >= 0) & (at < len(order)) & (rows["frame"][row] == rows["frame"]) & (rows["laneId"][row] == lane)
        return np.where(right, row, -1)

    def ids(row: np.ndarray) -> np.ndarray:
        return np.where(row < 0, 0, rows["id"][row])

    made = dict(rows)
    ahead = found(rows["laneId"], along, True)
    made["precedingId"], made["followingId"] = ids(ahead), ids(found(rows["laneId"], along, False))
    for side, step in (("left", np.where(upper, 1, -1)), ("right", np.where(upper, -1, 1))):
        lane = rows["laneId"] + step
        front, behind = found(lane, along, True), found(lane, along, False)
        beside = np.full(len(along), -1)
        for other in (front, behind):
            near = (other >= 0) & (np.abs(along[other] - along) < reach[other] + reach)
            beside = np.where(near, other, beside)
        made[f"{side}AlongsideId"] = ids(beside)
        made[f"{side}PrecedingId"] = ids(np.where(front == beside, -1, front))
        made[f"{side}FollowingId"] = ids(np.where(behind == beside, -1, behind))
    led, speed = ahead >= 0, np.abs(rows["xVelocity"])
    gap = np.where(led, along[ahead] - along - reach[ahead] - reach, 0.0)
    closing = speed - speed[ahead]
    made["dhw"], made["thw"] = gap, np.where(led, gap / np.maximum(speed, 0.01), 0.0)
    made["ttc"] = np.where(led & (np.abs(closing) > 1e-3), gap / np.where(closing == 0, 1.0, closing), 0.0)
    made["precedingXVelocity"] = np.where(led, rows["xVelocity"][ahead], 0.0)
    return made
