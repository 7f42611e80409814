"""The class of each vehicle in the L1 table, its size, and the middle of its box."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import BoolArray, FloatArray
from ..recording.actors import Actors
from ..recording.lives import Box, Life
from .constants import CAR, TRUCK

VEHICLES = ("vehicle", "two-wheeler")
"""The classes of lives that drive."""

TRUCKS = frozenset(("truck", "bus"))
"""Values of CARLA's `base_type` attribute (since 0.9.14) that mean a truck."""

TRUCK_BLUEPRINTS = ("carlacola", "firetruck", "european_hgv", "fusorosa", "cement", "dumptruck", "garbage", "truck.")
"""Parts of the blueprints of trucks and buses, for recordings without that attribute."""

_CAR, _BUS, _CYCLE = (2.3, 0.95), (5.0, 1.35), (1.0, 0.35)
"""Half length and half width, m, without a recorded box."""


class Bodies(NamedTuple):
    """One row a life: `drives` (it is a vehicle), `kind` (`veh_class`), `half` (half length and half width, m,
    float64[n, 2]), `middle` (of the box in the actor's axes, m, float64[n, 2])."""

    drives: BoolArray
    kind: npt.NDArray[np.int8]
    half: FloatArray
    middle: FloatArray


def vehicle_bodies(actors: Actors) -> Bodies:
    """The bodies of all lives, by their index."""
    kinds = [vehicle_class(life) for life in actors]
    sizes = [_size(life, kind, actors.boxes) for life, kind in zip(actors, kinds, strict=True)]
    return Bodies(
        np.array([life.class_ in VEHICLES for life in actors], np.bool_),
        np.array(kinds, np.int8),
        np.array([half for half, _ in sizes], np.float64).reshape(-1, 2),
        np.array([middle for _, middle in sizes], np.float64).reshape(-1, 2),
    )


def vehicle_class(life: Life) -> int:
    """`veh_class` of a vehicle: truck or car, by its base type or, without one, by its blueprint."""
    base = (life.attribute("base_type") or "").lower()
    if base:
        return TRUCK if base in TRUCKS else CAR
    return TRUCK if any(part in life.blueprint.lower() for part in TRUCK_BLUEPRINTS) else CAR


def _size(life: Life, kind: int, boxes: Mapping[int, Box]) -> tuple[tuple[float, float], tuple[float, float]]:
    box = boxes.get(life.index)
    if box is not None and all(map(math.isfinite, box.origin + box.extent)) and min(box.extent[:2]) > 0:
        return (box.extent[0] / 100, box.extent[1] / 100), (box.origin[0] / 100, box.origin[1] / 100)
    return (_CYCLE if life.class_ == "two-wheeler" else _BUS if kind == TRUCK else _CAR), (0.0, 0.0)
