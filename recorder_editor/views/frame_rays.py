"""The places and rays of a frame that packets of users declare, as gazes and beams, as seen from above. No Qt."""

import math
import struct
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..format import PacketType
from ..format.schema import CODES, Ray
from ..reading import Actors
from ..reading.rigid import axes_of
from ..recording import Frame, Snapshot

MOST_RAYS = 500
"""More of them in a frame hide what they are about."""


class FrameRay(NamedTuple):
    """A ray, seen from above: x to the right, y down. A place is one without a direction.

    Attributes:
        name: Packet and member of the direction or place, as in `DReyeVRSensor.left_gaze_dir`.
        x: Where it starts, m.
        y: Where it starts, m.
        dx: The direction, of length 1 where it is level; shorter where it points up or down.
        dy: The same across.
    """

    name: str
    x: float
    y: float
    dx: float
    dy: float


def frame_rays(snapshot: Snapshot, frame: Frame, actors: Actors) -> tuple[FrameRay, ...]:
    """Return the places and rays that hold in a frame, at most `MOST_RAYS` of them.

    Those of lasting packets hold until the next record of their key. A ray without a place or a direction is left out,
    as is one that its record says is not valid, and a place whose numbers are all 0, as they are where there is none.
    """
    rays: list[FrameRay] = []
    for kind in snapshot.dialect.kinds_in_scene:
        for record in _records(kind, frame, actors):
            rays.extend(_of_record(kind, record))
            if len(rays) >= MOST_RAYS:
                return tuple(rays[:MOST_RAYS])
    return tuple(rays)


def _of_record(kind: PacketType, record: bytes) -> Iterator[FrameRay]:
    """Yield the places of a record, then its rays."""
    for path in kind.places_in_scene:
        place = _numbers(kind, record, path, "xyz")
        if np.isfinite(place).all() and place.any():
            yield FrameRay(f"{kind.name}.{path}", float(place[0]) / 100, float(place[1]) / 100, 0.0, 0.0)
    for ray in kind.rays:
        found = _ray(kind, ray, record)
        if found is not None:
            yield found


def _records(kind: PacketType, frame: Frame, actors: Actors) -> Iterator[bytes]:
    if kind.lifetime == "lasting":
        yield from actors.records_in_force(kind, frame.index)
        return
    for packet in frame:
        if packet.type is kind:
            body = packet.decoded
            for index in range(len(body)):
                yield body.raw(index)


def _ray(kind: PacketType, ray: Ray, record: bytes) -> FrameRay | None:
    if ray.valid and not _number(kind, record, ray.valid):
        return None
    x, y, _ = _numbers(kind, record, ray.origin, "xyz") / 100
    direction = _numbers(kind, record, ray.direction, "xyz")
    with np.errstate(all="ignore"):
        if ray.rotation:
            angles = [_number(kind, record, f"{ray.rotation}.{axis}") for axis in ("roll", "pitch", "yaw")]
            direction = axes_of(np.array((0.0, 0.0, 0.0, *angles))) @ direction
        dx, dy, _ = direction / np.linalg.norm(direction)
    if not all(math.isfinite(number) for number in (x, y, dx, dy)):
        return None
    return FrameRay(f"{kind.name}.{ray.direction}", float(x), float(y), float(dx), float(dy))


def _numbers(kind: PacketType, record: bytes, path: str, axes: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([_number(kind, record, f"{path}.{axis}") for axis in axes])


def _number(kind: PacketType, record: bytes, path: str) -> float:
    field, offset = kind.record.places[path]
    (number,) = struct.unpack_from("<" + CODES[field.type], record, offset)
    return float(number)
