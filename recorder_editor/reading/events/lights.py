"""Red lights that are passed, by the trigger volumes of traffic lights."""

import math

import numpy as np

from ...arrays import BoolArray, FloatArray, StructuredArray
from ...format.packets import LIGHT_STATES
from ...recording.snapshot import Snapshot
from ..actors import Actors
from ..lives import Box
from ..tracks import Tracks
from .stretches import STRETCH

RED = next(number for number, name in LIGHT_STATES.items() if name == "Red")

_DRIVES = 1.0  # m/s
_LARGEST = 100.0  # m: half sizes of volumes beyond it are not valid


class RedLights:
    """The traffic lights of a recording that have a trigger volume, and when they are red."""

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        self._actors = actors
        self._volumes = {}
        for life in actors:
            box = actors.triggers.get(life.index)
            if life.class_ == "traffic light" and box is not None and _is_sound(box):
                self._volumes[life.index] = box
        self._red: dict[int, BoolArray] = {}
        if self._volumes:
            self._read_states(snapshot)

    def _read_states(self, snapshot: Snapshot) -> None:
        """Read in which frames each light is red; it stays as it is until the next record."""
        ids = sorted({self._actors.lives[index].actor for index in self._volumes})
        for index in self._volumes:
            self._red[index] = np.zeros(len(snapshot), np.bool_)
        for block in Tracks(snapshot).blocks("states", ids):
            life = self._actors.indices_of(block["id"], block["frame"])
            for index, red in self._red.items():
                own = block[life == index]
                red[own["frame"][own["state"] == RED]] = True

    def passed(self, rows: StructuredArray, is_walker: BoolArray) -> StructuredArray:
        """Return where vehicles drive out of the volume of a light that is red, ahead: dtype `STRETCH`.

        The value is the speed (m/s). The vehicle was in it in the frame before, the light red in both.

        Args:
            rows: Road users, dtype `ROAD_USER`.
            is_walker: Which lives are walkers.
        """
        found = [np.zeros(0, STRETCH)]
        rows = rows[~is_walker[rows["life"]]]
        rows = rows[np.lexsort((rows["frame"], rows["life"]))]
        follows = np.append(False, (np.diff(rows["life"]) == 0) & (np.diff(rows["frame"]) == 1))[: len(rows)]
        speed = np.hypot(rows["vx"], rows["vy"])
        for index, box in self._volumes.items():
            inside = _inside(box, rows["x"], rows["y"])
            red = self._red[index][rows["frame"]]
            leaves = follows & ~inside & np.append(False, (inside & red)[:-1])[: len(rows)] & red & (speed > _DRIVES)
            chosen = rows[leaves]
            part = np.zeros(len(chosen), STRETCH)
            part["life"] = chosen["life"]
            part["other"] = index
            for name in ("first", "last", "worst"):
                part[name] = chosen["frame"]
            part["value"] = speed[leaves]
            part["x"] = chosen["x"]
            part["y"] = chosen["y"]
            found.append(part)
        return np.concatenate(found)


def _is_sound(box: Box) -> bool:
    return all(map(math.isfinite, box.origin + box.extent)) and 0 < max(box.extent[:2]) < 100 * _LARGEST


def _inside(box: Box, x: FloatArray, y: FloatArray) -> BoolArray:
    """Return which places (m) are in a volume, seen from above."""
    half_x = max(box.extent[0], 50.0) / 100
    half_y = max(box.extent[1], 50.0) / 100
    return np.asarray((np.abs(x - box.origin[0] / 100) <= half_x) & (np.abs(y - box.origin[1] / 100) <= half_y))
