"""Vehicles inside one another, by their bounding boxes on the ground, reduced by a fifth.

In long recordings only every n-th frame is checked: vehicles overlap for more than one frame.
"""

import math
from collections.abc import Iterator

import numpy as np

from ..arrays import BoolArray, FloatArray, StructuredArray
from ..progress import SILENT, Progress
from ..recording.actors import Actors
from ..recording.findings import Finding
from ..recording.snapshot import Snapshot
from ..recording.tracks import Tracks
from .rule import finding_of, frames_text

SHARE = 0.8
"""Factor of each box: recorded boxes are larger than the meshes, and colliding vehicles overlap a little."""

MAX_RECORDS = 1_000_000
"""Number of positions up to which every frame is checked."""

_DEFAULT = {"vehicle": (230.0, 95.0), "two-wheeler": (95.0, 30.0)}  # cm, half length and half width
_HEIGHT = 100.0  # cm: beyond it one of them is on a bridge
_TIPPED = 45.0  # degrees
_FAR = 1e9  # cm: beyond it a location is not valid
_NEIGHBOURS = 64
_LARGEST = 2_000.0  # cm: half sizes of boxes beyond it are not valid

_Plane = tuple[FloatArray, FloatArray]


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Pairs of vehicles that are inside one another, one finding for each pair. Raises `Cancelled`."""
    actors, tracks = Actors.of(snapshot, progress.quiet()), Tracks(snapshot)
    boxes = _Boxes(actors)
    if np.count_nonzero(boxes.known) < 2:
        return
    step = max(1, math.ceil(tracks.count("positions") / MAX_RECORDS))
    # Vehicles that collide overlap, and the recording has that collision.
    collided = {frozenset((int(each["actor1"]), int(each["actor2"]))) for each in actors.contacts}
    pairs: dict[tuple[int, int], list[int]] = {}
    for block in tracks.blocks("positions", None, slice(None, None, step), progress=progress):
        for one, other, frame in _meeting(block, actors, boxes):
            pairs.setdefault((min(one, other), max(one, other)), []).append(frame)
    for (one, other), frames in sorted(pairs.items(), key=lambda pair: min(pair[1])):
        a, b = actors.lives[one], actors.lives[other]
        if a.parent == other or b.parent == one or frozenset((a.actor, b.actor)) in collided:
            continue
        first, where = min(frames), frames_text(min(frames), len(set(frames)))
        message = f"{a.blueprint} {a.actor} and {b.blueprint} {b.actor} are inside one another in {where}."
        yield finding_of(snapshot, "overlap", a, "Position", first, message)


class _Boxes:
    """By index of the life: whether it is a vehicle, half sizes, and the offset of the centre in its axes (cm)."""

    def __init__(self, actors: Actors) -> None:
        self.known = np.zeros(len(actors), np.bool_)
        self.half, self.centre = np.zeros((2, len(actors))), np.zeros((2, len(actors)))
        for life in actors:
            if life.class_ in _DEFAULT:
                self.known[life.index] = True
                self.half[:, life.index] = _DEFAULT[life.class_]
                box = actors.boxes.get(life.index)
                if box is not None and 0 < min(box.extent[:2]) <= max(box.extent[:2]) < _LARGEST:
                    self.half[:, life.index] = box.extent[:2]
                    self.centre[:, life.index] = np.nan_to_num(box.origin[:2])
        self.half *= SHARE


def _meeting(block: StructuredArray, actors: Actors, boxes: _Boxes) -> Iterator[tuple[int, int, int]]:
    """(life, other life, frame) of vehicles whose boxes overlap in a block."""
    life = actors.indices_of(block["id"], block["frame"])
    with np.errstate(invalid="ignore"):  # signalling NaNs
        finite = np.logical_and.reduce([np.abs(block[name]) < _FAR for name in ("x", "y", "z", "yaw")])
        # The box of a vehicle on its side does not show what it covers.
        upright = (np.abs(block["roll"]) < _TIPPED) & (np.abs(block["pitch"]) < _TIPPED)
    rows = np.flatnonzero((life >= 0) & boxes.known[life] & finite & upright)
    life, frame = life[rows], block["frame"][rows]
    x, y, z, yaw = (block[name][rows].astype(np.float64) for name in ("x", "y", "z", "yaw"))
    cos, sin = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    aside, along = boxes.centre[1][life], boxes.centre[0][life]
    x, y = x + along * cos - aside * sin, y + along * sin + aside * cos
    reach = np.hypot(*boxes.half[:, life])
    order = np.lexsort((x, frame))
    life, frame = life[order], frame[order]
    x, y, z, cos, sin, reach = (each[order] for each in (x, y, z, cos, sin, reach))
    longest = 2 * float(reach.max()) if len(reach) else 0.0
    for step in range(1, _NEIGHBOURS + 1):
        same = (frame[step:] == frame[:-step]) & (x[step:] - x[:-step] <= longest)
        if not same.any():
            return
        a = np.flatnonzero(same)
        b = a + step
        near = (np.abs(z[a] - z[b]) < _HEIGHT) & (np.hypot(x[a] - x[b], y[a] - y[b]) <= reach[a] + reach[b])
        a, b = a[near & (life[a] != life[b])], b[near & (life[a] != life[b])]
        halves = boxes.half[:, life[a]], boxes.half[:, life[b]]
        meet = _meet((x[b] - x[a], y[b] - y[a]), (cos[a], sin[a]), (cos[b], sin[b]), *halves)
        yield from zip(life[a[meet]].tolist(), life[b[meet]].tolist(), frame[a[meet]].tolist(), strict=True)


def _meet(offset: _Plane, one: _Plane, other: _Plane, half: FloatArray, half_other: FloatArray) -> BoolArray:
    """Whether rectangles overlap, by separating axes. `one`, `other`: cosine and sine of the headings."""
    dot = np.abs(one[0] * other[0] + one[1] * other[1])
    cross = np.abs(one[0] * other[1] - one[1] * other[0])
    apart = np.zeros(len(dot), np.bool_)
    for (cos, sin), mine, its in ((one, half, half_other), (other, half_other, half)):
        apart |= np.abs(offset[0] * cos + offset[1] * sin) > mine[0] + its[0] * dot + its[1] * cross
        apart |= np.abs(offset[1] * cos - offset[0] * sin) > mine[1] + its[0] * cross + its[1] * dot
    return ~apart
