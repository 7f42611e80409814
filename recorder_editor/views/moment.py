"""How fast the actors are in one frame, and how far from the hero: what the table of actors shows of the moment.

Knows no Qt.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..reading import Actors
from ..recording import Frame, Snapshot
from .frame_actors import LifeTraits, actors_in, life_traits


class LifeMoment(NamedTuple):
    """An actor in a frame.

    Attributes:
        speed: Its speed, m/s; NaN where it is not recorded.
        to_hero: Distance to the nearest hero, from centre to centre on the ground, m; NaN without one in the frame.
    """

    speed: float
    to_hero: float


NO_MOMENT = LifeMoment(np.nan, np.nan)
"""An actor that has no position in the frame."""


class Moments:
    """The actors in one frame.

    Attributes:
        values: What is known of those that have a position in the frame, by index of the life.
    """

    def __init__(self) -> None:
        self.values: Mapping[int, LifeMoment] = {}
        self._traits: LifeTraits | None = None

    def of(self, index: int) -> LifeMoment:
        """Return what is known of the life of an index."""
        return self.values.get(index, NO_MOMENT)

    def take(self, snapshot: Snapshot, frame: Frame, actors: Actors) -> None:
        """Take over the actors in a frame.

        Raises:
            RecorderError: The frame cannot be read any more.
            OSError: Likewise.
        """
        if self._traits is None or self._traits.actors is not actors:
            self._traits = life_traits(actors)
        found = actors_in(snapshot, frame, self._traits)
        distances = np.full(len(found), np.nan)
        with np.errstate(invalid="ignore", over="ignore"):
            for hero in np.flatnonzero(found.hero).tolist():
                distances = np.fmin(distances, np.hypot(found.x - found.x[hero], found.y - found.y[hero]))
        lives = found.life.tolist()
        moments = map(LifeMoment, found.speed.tolist(), distances.tolist())
        self.values = dict(zip(lives, moments, strict=True))
