"""Vehicles inside one another, by their bounding boxes on the ground, reduced by a fifth.

In long recordings only every n-th frame is checked: vehicles overlap for more than one frame.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IntArray, StructuredArray
from ..progress import SILENT, Progress
from ..reading import Actors, Life, Tracks
from ..recording import Finding, Snapshot
from ..texts import N_, say
from .overlap_pairs import OverlapPairs, keys_of, lives_of
from .rule import MAX_PER_CODE, MoreFindings, Rule, actor_text, finding_of, frames_text

SHARE = 0.8
"""Factor of each box: recorded boxes are larger than the meshes, and colliding vehicles overlap a little."""

MAX_RECORDS = 1_000_000
"""Number of positions up to which every frame is checked."""

VEHICLES = {"vehicle": (230.0, 95.0), "two-wheeler": (95.0, 30.0)}
"""Half length and half width of those without a recorded box, cm."""

ROAD_USERS = VEHICLES | {"walker": (30.0, 30.0)}
"""The same with walkers."""

_HEIGHT = 100.0  # cm: beyond it one of them is on a bridge
_TIPPED = 45.0  # degrees
_FAR = 1e9  # cm: beyond it a location is not valid
_LARGEST = 2_000.0  # cm: half sizes of boxes beyond it are not valid

PLACED = np.dtype(
    [
        ("life", "i8"),
        ("frame", "i8"),
        ("x", "f8"),
        ("y", "f8"),
        ("z", "f8"),
        ("cos", "f8"),
        ("sin", "f8"),
        ("half", "f8", 2),
        ("reach", "f8"),
    ]
)
"""A box on the ground: its middle, half sizes and half diagonal (cm), and cosine and sine of its heading."""


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


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding | MoreFindings]:
    """Yield a finding for each of the first 1,000 pairs of vehicles that are inside one another, and count the others.

    Raises:
        Cancelled: The user stopped it.
    """
    actors = Actors.of(snapshot, progress.quiet())
    tracks = Tracks(snapshot)
    boxes = Boxes(actors)
    if np.count_nonzero(boxes.known) < 2:
        return
    step = max(1, math.ceil(tracks.count("positions") / MAX_RECORDS))
    pairs = OverlapPairs(MAX_PER_CODE, _Exclusion(actors).holds)
    for block in tracks.blocks("positions", None, slice(None, None, step), progress=progress):
        placed = boxes.place(block, actors.indices_of(block["id"], block["frame"]))
        placed = placed[np.lexsort((placed["x"], placed["frame"]))]
        longest = 2 * float(placed["reach"].max(initial=0.0))
        pairs.add(placed, longest, are_overlapping, progress)
    listed = pairs.first()
    for pair in listed:
        index_a, index_b = lives_of(int(pair["key"]))
        life = actors.lives[index_a]
        first = int(pair["first"])
        message = say(
            "{one} and {other} are inside one another in {frames}.",
            one=actor_text(life),
            other=actor_text(actors.lives[index_b]),
            frames=frames_text(first, int(pair["frames"])),
        )
        yield finding_of(snapshot, OVERLAP, life, packet="Position", frame=first, message=message)
    if pairs.number > len(listed):
        yield MoreFindings(OVERLAP.code, pairs.number - len(listed), is_least=not pairs.is_complete)


class _Exclusion:
    """Pairs of vehicles whose boxes may overlap: one carries the other, or the recording has their collision."""

    def __init__(self, actors: Actors) -> None:
        self._ids = np.array([life.actor for life in actors], np.int64)
        attached = [(life.index, life.parent) for life in actors if life.parent is not None]
        children = np.array(attached, np.int64).reshape(-1, 2)
        self._attached = keys_of(children[:, 0], children[:, 1])
        self._collided = np.unique(keys_of(actors.contacts["actor1"], actors.contacts["actor2"]))

    def holds(self, keys: IntArray) -> BoolArray:
        """Return which pairs of lives, by their keys, these are, bool[n]."""
        one = keys >> 32
        other = keys & 0xFFFFFFFF
        is_excluded: BoolArray = np.isin(keys, self._attached)
        is_excluded |= np.isin(keys_of(self._ids[one], self._ids[other]), self._collided)
        return is_excluded


class Overlap(NamedTuple):
    """A road user that is inside another one.

    Attributes:
        life: The life.
        other: The one that it is in.
        first: Index of the first such frame.
    """

    life: Life
    other: Life
    first: int


def overlaps_of(snapshot: Snapshot, lives: Sequence[Life], progress: Progress = SILENT) -> list[Overlap]:
    """Find the road users that these are inside of, in any frame: vehicles, and walkers in vehicles.

    Args:
        snapshot: The state of the recording.
        lives: The lives.
        progress: Counts frames.

    Returns:
        One overlap for each pair, by actor and first frame.

    Raises:
        Cancelled: The user stopped it.
    """
    actors = Actors.of(snapshot, progress.quiet())
    boxes = Boxes(actors, ROAD_USERS)
    with_box = [life for life in lives if boxes.known[life.index]]
    if not with_box:
        return []
    is_walker = np.array([life.class_ == "walker" for life in actors])
    spans = [life.within(range(len(snapshot))) for life in with_box]
    frames = slice(min(span.start for span in spans), max(span.stop for span in spans))
    first: dict[tuple[int, int], int] = {}
    for block in Tracks(snapshot).blocks("positions", None, frames, progress=progress):
        placed = boxes.place(block, actors.indices_of(block["id"], block["frame"]))
        for life in with_box:
            own = placed[placed["life"] == life.index]
            others = placed[~np.isin(placed["life"], _family(actors, life))]
            if is_walker[life.index]:
                others = others[~is_walker[others["life"]]]
            for other, frame in _overlapping(own, others):
                first.setdefault((life.index, other), frame)
    overlaps = []
    for (index, other), frame in first.items():
        overlaps.append(Overlap(life=actors.lives[index], other=actors.lives[other], first=frame))
    return sorted(overlaps, key=_by_actor_and_frame)


def _by_actor_and_frame(overlap: Overlap) -> tuple[int, int, int]:
    return (overlap.life.actor, overlap.first, overlap.other.actor)


def _family(actors: Actors, life: Life) -> list[int]:
    """Return the indices of a life, of what it is attached to, and of what is attached to it."""
    family = [life.index]
    for child in actors:
        if child.parent == life.index:
            family.append(child.index)
    if life.parent is not None:
        family.append(life.parent)
    return family


def _overlapping(own: StructuredArray, others: StructuredArray) -> Iterator[tuple[int, int]]:
    """Yield life (index) and frame of the boxes that overlap that of a single life; dtype `PLACED`, both by frame."""
    if not len(own):
        return
    own_frames = own["frame"]
    frames = others["frame"]
    own_rows = np.minimum(np.searchsorted(own_frames, frames), len(own) - 1)
    rows = np.flatnonzero(own_frames[own_rows] == frames)
    rows = rows[are_overlapping(own[own_rows[rows]], others[rows])]
    lives = others["life"]
    yield from zip(lives[rows].tolist(), frames[rows].tolist(), strict=True)


class Boxes:
    """The boxes of road users, by index of the life.

    Attributes:
        known: Whether the life is of a class with a size, bool[n].
        half: Half length and half width, cm, float64[2, n].
        centre: Offset of the centre, along and aside, cm, float64[2, n].
    """

    def __init__(self, actors: Actors, sizes: Mapping[str, tuple[float, float]] = VEHICLES) -> None:
        """Collect the boxes.

        Args:
            actors: The actors of the recording.
            sizes: Half length and half width of those without a recorded box, cm, by class.
        """
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

    def place(self, block: StructuredArray, life: AnyArray) -> StructuredArray:
        """Return the boxes of positions.

        Args:
            block: Positions, as `Tracks` has them.
            life: Index of the life of each row, int[n]; -1: it has none.

        Returns:
            Boxes, dtype `PLACED`, in the order of the positions; rows without a box, and those of tipped vehicles, are
            left out.
        """
        with np.errstate(invalid="ignore"):  # signalling NaNs
            is_valid = np.abs(block["x"]) < _FAR
            for name in ("y", "z", "yaw"):
                is_valid &= np.abs(block[name]) < _FAR
            # The box of a vehicle on its side does not show what it covers.
            for name in ("roll", "pitch"):
                is_valid &= np.abs(block[name]) < _TIPPED
        rows = np.flatnonzero((life >= 0) & self.known[life] & is_valid)
        lives = life[rows]
        along, aside = self.centre[:, lives]
        x = block["x"][rows].astype(np.float64)
        y = block["y"][rows].astype(np.float64)
        yaw = np.radians(block["yaw"][rows].astype(np.float64))
        cos = np.cos(yaw)
        sin = np.sin(yaw)
        boxes = np.zeros(len(rows), PLACED)
        boxes["life"] = lives
        boxes["frame"] = block["frame"][rows]
        boxes["x"] = x + along * cos - aside * sin
        boxes["y"] = y + along * sin + aside * cos
        boxes["z"] = block["z"][rows].astype(np.float64)
        boxes["cos"] = cos
        boxes["sin"] = sin
        boxes["half"] = self.half[:, lives].T
        boxes["reach"] = np.hypot(*boxes["half"].T)
        return boxes


def are_overlapping(a: StructuredArray, b: StructuredArray) -> BoolArray:
    """Return whether boxes of different lives overlap, row by row.

    Args:
        a: Boxes, dtype `PLACED`, shape (n,).
        b: Boxes, dtype `PLACED`, shape (n,).

    Returns:
        bool[n].
    """
    a_z = a["z"]
    b_z = b["z"]
    a_reach = a["reach"]
    b_reach = b["reach"]
    x = b["x"] - a["x"]
    y = b["y"] - a["y"]
    is_level = np.abs(a_z - b_z) < _HEIGHT
    is_near = is_level & (np.hypot(x, y) <= a_reach + b_reach)
    is_near &= a["life"] != b["life"]
    rows = np.flatnonzero(is_near)
    result = np.zeros(len(is_near), np.bool_)
    result[rows] = ~_are_apart(x[rows], y[rows], a[rows], b[rows])
    return result


def _are_apart(x: FloatArray, y: FloatArray, a: StructuredArray, b: StructuredArray) -> BoolArray:
    """Return whether an axis of one of two boxes separates them; `x`, `y` are from the middle of `a` to that of `b`."""
    a_cos = a["cos"]
    a_sin = a["sin"]
    b_cos = b["cos"]
    b_sin = b["sin"]
    dot = np.abs(a_cos * b_cos + a_sin * b_sin)
    cross = np.abs(a_cos * b_sin - a_sin * b_cos)
    apart = np.zeros(len(dot), np.bool_)
    for own, other in ((a, b), (b, a)):
        half_length, half_width = own["half"].T
        other_length, other_width = other["half"].T
        cos = own["cos"]
        sin = own["sin"]
        ahead = np.abs(x * cos + y * sin)
        aside = np.abs(y * cos - x * sin)
        apart |= ahead > half_length + other_length * dot + other_width * cross
        apart |= aside > half_width + other_length * cross + other_width * dot
    return apart
