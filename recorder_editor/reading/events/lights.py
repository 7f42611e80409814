"""Red lights that are passed: by the trigger volumes of traffic lights, else by the stop lines of the road map."""

import math

import numpy as np

from ...arrays import BoolArray, FloatArray, StructuredArray
from ...format.packets import LIGHT_STATES
from ...recording.snapshot import Snapshot
from ..actors import Actors
from ..lives import Box, Life
from ..tracks import Tracks
from .stop_lines import STOP_LINE, Passings, lines_of
from .stretches import STRETCH

RED = next(number for number, name in LIGHT_STATES.items() if name == "Red")

_DRIVES = 1.0  # m/s
_LARGEST = 100.0  # m: half sizes of volumes beyond it are not valid


class RedLights:
    """The traffic lights of a recording that hold somewhere, and when they are red.

    Attributes:
        need_map: There are lights without a trigger volume, and no road map tells where they hold.
    """

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        lights = [life for life in actors if life.class_ == "traffic light"]
        self._volumes: dict[int, Box] = {}
        for life in lights:
            box = actors.triggers.get(life.index)
            if box is not None and _is_sound(box):
                self._volumes[life.index] = box
        self._lines = np.zeros(0, STOP_LINE)
        self.need_map = False
        if len(self._volumes) < len(lights):
            self._find_lines(snapshot, lights)
            self.need_map = not len(self._lines)
        held = {*self._volumes, *self._lines["life"].tolist()}
        self._red = _red_frames(snapshot, actors, [life for life in lights if life.index in held])

    def _find_lines(self, snapshot: Snapshot, lights: list[Life]) -> None:
        """Find the stop lines of the lights without a trigger volume."""
        if snapshot.roads is not None:
            lines = lines_of(lights, snapshot.roads)
            self._lines = lines[~np.isin(lines["life"], list(self._volumes))]

    def passed(self, rows: StructuredArray, is_walker: BoolArray) -> StructuredArray:
        """Return where vehicles pass a light that is red: dtype `STRETCH`, with the speed (m/s).

        Args:
            rows: Road users, dtype `ROAD_USER`.
            is_walker: Which lives are walkers.
        """
        if not self._red:
            return np.zeros(0, STRETCH)
        rows = rows[~is_walker[rows["life"]]]
        rows = rows[np.lexsort((rows["frame"], rows["life"]))]
        return np.concatenate([self._out_of_volumes(rows), self._over_lines(rows)])

    def _out_of_volumes(self, rows: StructuredArray) -> StructuredArray:
        """Return where vehicles drive out of a volume: in it in the frame before, the light red in both."""
        found = [np.zeros(0, STRETCH)]
        follows = np.append(False, (np.diff(rows["life"]) == 0) & (np.diff(rows["frame"]) == 1))[: len(rows)]
        speed = np.hypot(rows["vx"], rows["vy"])
        for index, box in self._volumes.items():
            inside = _inside(box, rows["x"], rows["y"])
            red = self._red[index][rows["frame"]]
            leaves = follows & ~inside & np.append(False, (inside & red)[:-1])[: len(rows)] & red & (speed > _DRIVES)
            found.append(_as_stretches(rows[leaves], rows[leaves], index))
        return np.concatenate(found)

    def _over_lines(self, rows: StructuredArray) -> StructuredArray:
        """Return where vehicles drive over a stop line, red from before the front is over it until they are through.

        One that was over it with its front before, or that stops behind it until green, did not pass a red light.
        """
        found = [np.zeros(0, STRETCH)]
        if not len(self._lines):
            return found[0]
        passings = Passings(rows)
        for line in self._lines:
            index = int(line["life"])
            for first, last in passings.of(line):
                if self._red[index][rows["frame"][first] - 1 : rows["frame"][last] + 1].all():
                    found.append(_as_stretches(rows[first : first + 1], rows[last : last + 1], index))
        return np.concatenate(found)


def _red_frames(snapshot: Snapshot, actors: Actors, lights: list[Life]) -> dict[int, BoolArray]:
    """Return in which frames each light is recorded as red, by its life: bool[frames]; the simulator records each."""
    red = {life.index: np.zeros(len(snapshot), np.bool_) for life in lights}
    if not red:
        return red
    for block in Tracks(snapshot).blocks("states", sorted({life.actor for life in lights})):
        block = block[block["state"] == RED]
        life = actors.indices_of(block["id"], block["frame"])
        for index, frames in red.items():
            frames[block["frame"][life == index]] = True
    return red


def _as_stretches(first: StructuredArray, last: StructuredArray, light: int) -> StructuredArray:
    """Return events of vehicles at a light.

    Args:
        first: The rows in which they begin, dtype `ROAD_USER`: those of the value and the place.
        last: Those in which they end.
        light: The life (index) of the light.
    """
    stretches = np.zeros(len(first), STRETCH)
    stretches["life"] = first["life"]
    stretches["other"] = light
    stretches["first"] = first["frame"]
    stretches["worst"] = first["frame"]
    stretches["last"] = last["frame"]
    stretches["value"] = np.hypot(first["vx"], first["vy"])
    stretches["x"] = first["x"]
    stretches["y"] = first["y"]
    return stretches


def _is_sound(box: Box) -> bool:
    return all(map(math.isfinite, box.origin + box.extent)) and 0 < max(box.extent[:2]) < 100 * _LARGEST


def _inside(box: Box, x: FloatArray, y: FloatArray) -> BoolArray:
    """Return which places (m) are in a volume, seen from above."""
    half_x = max(box.extent[0], 50.0) / 100
    half_y = max(box.extent[1], 50.0) / 100
    return np.asarray((np.abs(x - box.origin[0] / 100) <= half_x) & (np.abs(y - box.origin[1] / 100) <= half_y))
