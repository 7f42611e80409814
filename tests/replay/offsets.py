"""What a recording means by the place of birth of what is attached: an offset from its parent, or a place in the world.

The simulator spawns a sensor at its offset and attaches it then, keeping the relative place, and that offset is what
the recorder writes; it says nothing else of where a sensor is. So every real recording has a camera at (-550, 0, 280)
cm under a car that is 140 m away. Other programs write the place in the world, which a simulator takes as an offset,
too. The bytes alone show which it is. Written for comparisons of replays alone.
"""

import math
from collections.abc import Iterator

import numpy as np

from recorder_editor.recording.frames import RAW
from recorder_editor.recording.snapshot import Frame, Row, Snapshot

from .rotation import numbers

_PLACE = ("id", "location.x", "location.y", "location.z")


def are_offsets(snapshot: Snapshot) -> bool:
    """Whether those born and attached in one frame, without a Position in it, are told by their offset.

    Where the frame tells of the parent: they are offsets if together they are shorter than the ways from the parents to
    the same places in the world. A tie, or nobody to tell from, are offsets.
    """
    lengths = [each for rows in _with_attachments(snapshot) for each in _lengths(rows, snapshot.dialect.wide)]
    known = [each for each in lengths if all(map(math.isfinite, each))]
    return sum(sorted(length for length, _ in known)) <= sum(sorted(length for _, length in known))


def _with_attachments(snapshot: Snapshot) -> Iterator[list[Row]]:
    """The rows of each frame in which something is attached; what stands between frames is the next one's."""
    kinds, layouts = snapshot.table.column("kind"), snapshot.table.column("layout")
    attach = snapshot.dialect.by_name("EventParent")
    tells = np.zeros(len(snapshot.layouts) + 1, np.bool_)
    for number in range(len(snapshot.layouts)):
        ids, _, sizes = snapshot.layouts.get(number)
        tells[number] = attach is not None and ((ids == attach.id) & (sizes > 2)).any()
    (frames,) = np.nonzero(kinds != RAW)
    tells[-1] = True  # of what has no layout nothing is known
    (telling,) = np.nonzero(tells[layouts] & ((layouts >= 0) | (kinds != RAW)))
    for place in np.unique(frames.searchsorted(telling)).tolist():
        if place < len(frames):
            first = int(frames[place - 1]) + 1 if place else 0
            yield [snapshot.row(number) for number in range(first, int(frames[place]) + 1)]


def _lengths(rows: list[Row], wide: bool) -> Iterator[tuple[float, float]]:
    """How long the place of each that counts is: as an offset, and as a place in the world, from its parent."""
    young: dict[int, bytes] = {}
    parents: dict[int, int] = {}
    placed: dict[int, list[float]] = {}
    for row in rows:
        for packet in row.packets:
            body = packet.decoded
            match packet.name:
                case "EventAdd":
                    for index in range(len(body)):
                        record, start = body.record(index), body.span(index)[0] + 5
                        young.pop(record["id"], None)
                        if not str(record["blueprint"]).startswith("traffic."):
                            young[record["id"]] = body.data[start : start + (48 if wide else 24)]
                case "EventParent":
                    parents.update(pair for pair in packet.array.tolist() if pair[0] in young)
                case "Position" if isinstance(row, Frame):
                    ids, *axes = (packet.array[path].tolist() for path in _PLACE)
                    placed.update((actor, [*where]) for actor, *where in zip(ids, *axes, strict=True))
    for child, parent in parents.items():
        if child in young and child not in placed and parent in placed:
            spawn = numbers(young[child])[:3].tolist()
            yield math.hypot(*spawn), math.dist(spawn, placed[parent])
