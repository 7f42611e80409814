"""Red lights that are passed: by the trigger volumes of traffic lights, else by the stop lines of the road map."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, StructuredArray
from ...format.packets import LIGHT_STATES
from ...recording.snapshot import Snapshot
from ...roads import RoadMap
from ..actors import Actors
from ..lives import Box, Life
from ..near_users import HEIGHT
from ..tracks import Tracks
from .driving import DRIVES
from .stop_lines import STOP_LINE, Passings, lights_at, lines_of
from .stretches import STRETCH

RED = next(number for number, name in LIGHT_STATES.items() if name == "Red")

_LARGEST = 100.0  # m: half sizes of volumes beyond it are not valid


class _Held(NamedTuple):
    """Where a light holds.

    Attributes:
        actor: Its id.
        lives: The lives (indices) of that id that hold there: a recording may add a light again and again.
        box: Its trigger volume; None without one.
        lines: Its stop lines where it has no volume, dtype `STOP_LINE`.
    """

    actor: int
    lives: set[int]
    box: Box | None
    lines: StructuredArray


class RedLights:
    """The traffic lights of a recording that hold somewhere, and when they are red.

    Attributes:
        need_map: There are lights without a trigger volume, and no road map tells where they hold.
    """

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        self._actors = actors
        lights = [life for life in actors if life.class_ == "traffic light"]
        volumes = {}
        for life in lights:
            box = actors.triggers.get(life.index)
            if box is not None and _is_sound(box):
                volumes[life.index] = box
        of_map: Mapping[int, int] = {}
        if len(volumes) < len(lights) and snapshot.roads is not None:
            of_map = lights_at(lights, snapshot.roads)
        self.need_map = bool(lights) and not volumes and not of_map
        self._places = _places(lights, volumes, of_map, snapshot.roads)
        self._red = _red_frames(snapshot, {place.actor for place in self._places})

    def passed(self, rows: StructuredArray, is_walker: BoolArray) -> StructuredArray:
        """Return where vehicles pass a light that is red: dtype `STRETCH`, with the speed (m/s).

        Args:
            rows: Road users, dtype `ROAD_USER`.
            is_walker: Which lives are walkers.
        """
        found = [np.zeros(0, STRETCH)]
        if not self._places:
            return found[0]
        rows = rows[~is_walker[rows["life"]]]
        rows = rows[np.lexsort((rows["frame"], rows["life"]))]
        steps_of_life = np.diff(rows["life"])
        steps_of_frame = np.diff(rows["frame"])
        follows = np.append(False, (steps_of_life == 0) & (steps_of_frame == 1))[: len(rows)]
        passings = Passings(rows)
        for place in self._places:
            red = self._red.get(place.actor)
            if red is None:
                continue
            if place.box is None:
                passed = _over_lines(passings, rows, place.lines, red)
            else:
                passed = _out_of_volume(rows, follows, place.box, red)
            for first, last in passed:
                light = self._actors.at(place.actor, int(rows["frame"][first]))
                if light is not None and light.index in place.lives:
                    found.append(_as_stretch(rows[first], rows[last], light))
        return np.concatenate(found)


def _places(
    lights: Sequence[Life], volumes: Mapping[int, Box], of_map: Mapping[int, int], roads: RoadMap | None
) -> Sequence[_Held]:
    """Return where lights hold.

    Args:
        lights: The lights.
        volumes: Their trigger volumes, by the indices of the lives.
        of_map: The lights of the map at which they stand, likewise.
        roads: The map.
    """
    places: dict[tuple[object, ...], _Held] = {}
    for life in lights:
        box = volumes.get(life.index)
        light = of_map.get(life.index)
        if box is None and light is None:
            continue
        key = (life.actor, light, box and (box.origin, box.extent))
        if key not in places:
            lines = np.zeros(0, STOP_LINE)
            if box is None and light is not None and roads is not None:
                lines = lines_of(roads, light)
            places[key] = _Held(life.actor, set(), box, lines)
        places[key].lives.add(life.index)
    return tuple(places.values())


def _red_frames(snapshot: Snapshot, actors: Collection[int]) -> dict[int, BoolArray]:
    """Return in which frames lights that are red at some time are recorded so, by id: bool[frames] each.

    The simulator records every frame.
    """
    red: dict[int, BoolArray] = {}
    if not actors:
        return red
    for block in Tracks(snapshot).blocks("states", sorted(actors)):
        block = block[block["state"] == RED]
        for actor in np.unique(block["id"]).tolist():
            if actor not in red:
                red[actor] = np.zeros(len(snapshot), np.bool_)
            red[actor][block["frame"][block["id"] == actor]] = True
    return red


def _out_of_volume(rows: StructuredArray, follows: BoolArray, box: Box, red: BoolArray) -> list[tuple[int, int]]:
    """Return the rows in which vehicles are out of a volume, in it in the frame before, the light red in both."""
    inside = _inside(box, rows)
    is_red = red[rows["frame"]]
    before = np.append(False, (inside & is_red)[:-1])[: len(rows)]
    leaves = follows & ~inside & before & is_red & (np.hypot(rows["vx"], rows["vy"]) > DRIVES)
    return [(row, row) for row in np.flatnonzero(leaves).tolist()]


def _over_lines(
    passings: Passings, rows: StructuredArray, lines: StructuredArray, red: BoolArray
) -> list[tuple[int, int]]:
    """Return where vehicles drive over stop lines, red from before the front is over it until they are through.

    One that was over it with its front before, or that stops behind it until green, did not pass a red light.
    """
    passed = []
    for line in lines:
        for first, last in passings.of(line):
            if red[rows["frame"][first] - 1 : rows["frame"][last] + 1].all():
                passed.append((first, last))
    return passed


def _as_stretch(first: np.void, last: np.void, light: Life) -> StructuredArray:
    """Return the event of a vehicle at a light.

    Args:
        first: The row in which it begins, dtype `ROAD_USER`: that of the value and the place.
        last: The row in which it ends.
        light: The light.
    """
    stretch = np.zeros(1, STRETCH)
    stretch["life"] = first["life"]
    stretch["other"] = light.index
    stretch["first"] = first["frame"]
    stretch["worst"] = first["frame"]
    stretch["last"] = last["frame"]
    stretch["value"] = np.hypot(first["vx"], first["vy"])
    stretch["x"] = first["x"]
    stretch["y"] = first["y"]
    return stretch


def _is_sound(box: Box) -> bool:
    return all(map(math.isfinite, box.origin + box.extent)) and 0 < max(box.extent[:2]) < 100 * _LARGEST


def _inside(box: Box, rows: StructuredArray) -> BoolArray:
    """Return which road users are in a volume seen from above, and on no bridge over it or road below."""
    inside = np.ones(len(rows), np.bool_)
    for axis, name in enumerate("xy"):
        half = max(box.extent[axis], 50.0) / 100
        inside &= np.abs(rows[name] - box.origin[axis] / 100) <= half
    inside &= np.abs(rows["z"] - box.origin[2] / 100) < max(box.extent[2], 0.0) / 100 + HEIGHT
    return inside
