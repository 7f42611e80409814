"""Vehicles inside one another, by their bounding boxes on the ground, reduced by a fifth.

In long recordings only every n-th frame is checked: vehicles overlap for more than one frame.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, StructuredArray
from ..progress import SILENT, Progress
from ..reading import Actors, Life, Tracks
from ..recording import Finding, Snapshot
from ..texts import N_, say
from .rule import Rule, actor_text, finding_of, frames_text

SHARE = 0.8
"""Factor of each box: recorded boxes are larger than the meshes, and colliding vehicles overlap a little."""

MAX_RECORDS = 1_000_000
"""Number of positions up to which every frame is checked."""

VEHICLES = {"vehicle": (230.0, 95.0), "two-wheeler": (95.0, 30.0)}
"""Half length and half width of those without a recorded box, cm."""

ROAD_USERS = {**VEHICLES, "walker": (30.0, 30.0)}
"""The same with walkers."""

_HEIGHT = 100.0  # cm: beyond it one of them is on a bridge
_TIPPED = 45.0  # degrees
_FAR = 1e9  # cm: beyond it a location is not valid
_NEIGHBOURS = 64
_LARGEST = 2_000.0  # cm: half sizes of boxes beyond it are not valid

PLACED = np.dtype(
    [("life", "i8"), ("frame", "i8"), *((name, "f8") for name in ("x", "y", "z", "cos", "sin")), ("half", "f8", 2)]
)
"""A box on the ground: its middle and half sizes (cm), and its heading."""

_Plane = tuple[FloatArray, FloatArray]


OVERLAP = Rule(
    "overlap",
    subject="physics",
    severity="warning",
    title=N_("Two vehicles are inside one another."),
    why=N_(
        "Their boxes, each {box_reduction:.0f} % smaller than recorded, meet. In a replay they overlap; where physics "
        "takes over at the end they are thrown apart."
    ),
    numbers={"box_reduction": 100 * (1 - SHARE)},
)

RULES = (OVERLAP,)
"""The rules of this module, in the order in which their findings are fixed."""


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Pairs of vehicles that are inside one another, one finding for each pair. Raises `Cancelled`."""
    actors = Actors.of(snapshot, progress.quiet())
    tracks = Tracks(snapshot)
    boxes = Boxes(actors)
    if np.count_nonzero(boxes.known) < 2:
        return
    step = max(1, math.ceil(tracks.count("positions") / MAX_RECORDS))
    # Vehicles that collide overlap, and the recording has that collision.
    collided = set()
    for each in actors.contacts:
        collided.add(frozenset((int(each["actor1"]), int(each["actor2"]))))
    pairs: dict[tuple[int, int], list[int]] = {}
    for block in tracks.blocks("positions", None, slice(None, None, step), progress=progress):
        for one, other, frame in _meeting(block, actors, boxes):
            pairs.setdefault((min(one, other), max(one, other)), []).append(frame)
    for (one, other), frames in sorted(pairs.items(), key=lambda pair: min(pair[1])):
        a = actors.lives[one]
        b = actors.lives[other]
        if a.parent == other or b.parent == one or frozenset((a.actor, b.actor)) in collided:
            continue
        first = min(frames)
        where = frames_text(min(frames), len(set(frames)))
        message = say(
            "{one} and {other} are inside one another in {frames}.",
            one=actor_text(a),
            other=actor_text(b),
            frames=where,
        )
        yield finding_of(snapshot, OVERLAP, a, "Position", first, message)


class Overlap(NamedTuple):
    """A road user that is inside another one. Attributes: `life`, `other`, `first` (index of the first such frame)."""

    life: Life
    other: Life
    first: int


def overlaps_of(snapshot: Snapshot, lives: Sequence[Life], progress: Progress = SILENT) -> list[Overlap]:
    """In which others these are, in any frame: vehicles, and walkers in vehicles; by the first frame of each.

    Raises:
        Cancelled: The user gave up.
    """
    actors = Actors.of(snapshot, progress.quiet())
    boxes = Boxes(actors, ROAD_USERS)
    mine = [life for life in lives if boxes.known[life.index]]
    if not mine:
        return []
    walks = np.array([life.class_ == "walker" for life in actors])
    spans = [life.within(range(len(snapshot))) for life in mine]
    frames = slice(min(span.start for span in spans), max(span.stop for span in spans))
    first: dict[tuple[int, int], int] = {}
    for block in Tracks(snapshot).blocks("positions", None, frames, progress=progress):
        placed = boxes.placed(block, actors.indices_of(block["id"], block["frame"]))
        for life in mine:
            own = placed[placed["life"] == life.index]
            others = placed[~np.isin(placed["life"], _family(actors, life))]
            if walks[life.index]:
                others = others[~walks[others["life"]]]
            for other, frame in _met(own, others):
                first.setdefault((life.index, other), frame)
    found = [Overlap(actors.lives[one], actors.lives[other], frame) for (one, other), frame in first.items()]
    return sorted(found, key=lambda each: (each.life.actor, each.first, each.other.actor))


def _family(actors: Actors, life: Life) -> list[int]:
    """The indices of a life, of what it is attached to, and of what is attached to it."""
    attached = []
    for each in actors:
        if each.parent == life.index:
            attached.append(each.index)
    return [life.index, *attached, *([] if life.parent is None else [life.parent])]


def _met(own: StructuredArray, others: StructuredArray) -> Iterator[tuple[int, int]]:
    """(life, frame) of the boxes that overlap that of a single life, by frame; dtype `PLACED`, both by frame."""
    if not len(own):
        return
    at = np.minimum(np.searchsorted(own["frame"], others["frame"]), len(own) - 1)
    (rows,) = np.nonzero(own["frame"][at] == others["frame"])
    met = rows[meeting(own[at[rows]], others[rows])]
    yield from zip(others["life"][met].tolist(), others["frame"][met].tolist(), strict=True)


class Boxes:
    """By index of the life: whether it is of the classes with a size, half sizes, offset of the centre (cm)."""

    def __init__(self, actors: Actors, sizes: Mapping[str, tuple[float, float]] = VEHICLES) -> None:
        self.known = np.zeros(len(actors), np.bool_)
        self.half = np.zeros((2, len(actors)))
        self.centre = np.zeros((2, len(actors)))
        for life in actors:
            if life.class_ in sizes:
                self.known[life.index] = True
                self.half[:, life.index] = sizes[life.class_]
                box = actors.boxes.get(life.index)
                if box is not None and 0 < min(box.extent[:2]) <= max(box.extent[:2]) < _LARGEST:
                    self.half[:, life.index] = box.extent[:2]
                    self.centre[:, life.index] = np.nan_to_num(box.origin[:2])
        self.half *= SHARE

    def placed(self, block: StructuredArray, life: AnyArray) -> StructuredArray:
        """The boxes of a table of positions, dtype `PLACED`, in its order; `life`: whose they are, by index."""
        with np.errstate(invalid="ignore"):  # signalling NaNs
            finite = np.logical_and.reduce([np.abs(block[name]) < _FAR for name in ("x", "y", "z", "yaw")])
            # The box of a vehicle on its side does not show what it covers.
            upright = (np.abs(block["roll"]) < _TIPPED) & (np.abs(block["pitch"]) < _TIPPED)
        rows = np.flatnonzero((life >= 0) & self.known[life] & finite & upright)
        made, (along, aside) = np.zeros(len(rows), PLACED), self.centre[:, life[rows]]
        made["life"], made["frame"], made["half"] = life[rows], block["frame"][rows], self.half[:, life[rows]].T
        x, y, made["z"], yaw = (block[name][rows].astype(np.float64) for name in ("x", "y", "z", "yaw"))
        made["cos"], made["sin"] = cos, sin = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
        made["x"], made["y"] = x + along * cos - aside * sin, y + along * sin + aside * cos
        return made


def meeting(one: StructuredArray, other: StructuredArray) -> BoolArray:
    """bool[n]: whether boxes (dtype `PLACED`) of different lives overlap, row by row."""
    x, y = other["x"] - one["x"], other["y"] - one["y"]
    reach = np.hypot(*one["half"].T) + np.hypot(*other["half"].T)
    near = (np.abs(one["z"] - other["z"]) < _HEIGHT) & (np.hypot(x, y) <= reach) & (one["life"] != other["life"])
    (rows,) = np.nonzero(near)
    one, other, met = one[rows], other[rows], np.zeros(len(near), np.bool_)
    ahead, its = ((each["cos"], each["sin"]) for each in (one, other))
    met[rows] = _meet((x[rows], y[rows]), ahead, its, one["half"].T, other["half"].T)
    return met


def _meeting(block: StructuredArray, actors: Actors, boxes: Boxes) -> Iterator[tuple[int, int, int]]:
    """(life, other life, frame) of vehicles whose boxes overlap in a block."""
    placed = boxes.placed(block, actors.indices_of(block["id"], block["frame"]))
    placed = placed[np.lexsort((placed["x"], placed["frame"]))]
    frame, x, y = (placed[name].copy() for name in ("frame", "x", "y"))
    if len(placed):
        longest = 2 * float(np.hypot(*placed["half"].T).max())
    else:
        longest = 0.0
    for step in range(1, _NEIGHBOURS + 1):
        same = (frame[step:] == frame[:-step]) & (x[step:] - x[:-step] <= longest)
        if not same.any():
            return
        (at,) = np.nonzero(same)
        at = at[np.abs(y[at + step] - y[at]) <= longest]
        at = at[meeting(placed[at], placed[at + step])]
        found = placed["life"][at], placed["life"][at + step], frame[at]
        yield from zip(*(each.tolist() for each in found), strict=True)


def _meet(offset: _Plane, one: _Plane, other: _Plane, half: FloatArray, half_other: FloatArray) -> BoolArray:
    """Whether rectangles overlap, by separating axes. `one`, `other`: cosine and sine of the headings."""
    dot = np.abs(one[0] * other[0] + one[1] * other[1])
    cross = np.abs(one[0] * other[1] - one[1] * other[0])
    apart = np.zeros(len(dot), np.bool_)
    for (cos, sin), mine, its in ((one, half, half_other), (other, half_other, half)):
        apart |= np.abs(offset[0] * cos + offset[1] * sin) > mine[0] + its[0] * dot + its[1] * cross
        apart |= np.abs(offset[1] * cos - offset[0] * sin) > mine[1] + its[0] * cross + its[1] * dot
    return ~apart
