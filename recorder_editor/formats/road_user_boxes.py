"""The boxes of road users, recorded or as large as their blueprints are known to be, and what they are in OSI."""

import math
from typing import NamedTuple

import numpy as np

from ..edits.blueprints import kind_of, model_of_life
from ..reading import Actors, Life
from ..reading.lives import Box
from ..reading.osi_types import OsiType, osi_type

SIZES_FROM = ("recorded", "catalogue", "class")
"""Where the size of a box is from: BoundingBox, CARLA's blueprint of that name, or what is typical of its kind."""

_LARGEST = 2000.0
"""cm: half sizes and centres of boxes from there on are not valid."""


class RoadUserBox(NamedTuple):
    """The box of a road user, in the axes of the actor as the simulator has them.

    Attributes:
        centre: x, y, z, m.
        size: Length, width, height, m.
        sizes_from: One of `SIZES_FROM`.
    """

    centre: tuple[float, float, float]
    size: tuple[float, float, float]
    sizes_from: str


class RoadUserBoxes:
    """The boxes of the road users of a recording, by index of the life.

    Attributes:
        is_road_user: Whether a life is a road user: bool[lives + 1], the last one for records of no life.
        centres: In the axes of the actor: m, float64[3, lives]; 0 of other actors.
        sizes: Length, width and height: m, float64[3, lives]; 0 of other actors.
        sizes_from: One of `SIZES_FROM` each; empty of other actors.
        types: What each is in OSI; empty of other actors.
    """

    def __init__(self, actors: Actors) -> None:
        self.is_road_user = np.zeros(len(actors) + 1, np.bool_)
        self.centres = np.zeros((3, len(actors)))
        self.sizes = np.zeros((3, len(actors)))
        self.sizes_from = [""] * len(actors)
        self.types = [OsiType("", "", "")] * len(actors)
        for life in actors:
            if life.is_road_user:
                index = life.index
                box = road_user_box(life, actors.boxes.get(index))
                self.is_road_user[index] = True
                self.centres[:, index] = box.centre
                self.sizes[:, index] = box.size
                self.sizes_from[index] = box.sizes_from
                self.types[index] = osi_type(kind_of(life), life.blueprint)


def road_user_box(life: Life, box: Box | None) -> RoadUserBox:
    """Return the box of a road user.

    Args:
        life: The road user.
        box: Its recorded box; one with numbers that no box can have counts for none.

    Raises:
        KeyError: It is no road user.
    """
    if box is not None and _is_sound(box):
        return _in_metres(box.origin, box.extent, "recorded")
    model = model_of_life(life)
    half = (model.half_length, model.half_width, model.half_height)
    centre = (0.0, 0.0, model.half_height - model.above)
    return _in_metres(centre, half, "catalogue" if model.is_measured else "class")


def _is_sound(box: Box) -> bool:
    numbers = box.origin + box.extent
    return all(map(math.isfinite, numbers)) and max(map(abs, numbers)) < _LARGEST and min(box.extent) > 0


def _in_metres(centre: tuple[float, float, float], half: tuple[float, float, float], sizes_from: str) -> RoadUserBox:
    """Return a box of centimetres."""
    x, y, z = centre
    half_length, half_width, half_height = half
    return RoadUserBox(
        centre=(x / 100, y / 100, z / 100),
        size=(half_length / 50, half_width / 50, half_height / 50),
        sizes_from=sizes_from,
    )
