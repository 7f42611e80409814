"""Measures of two road users over time, by name, and as they are typed: `ttc2d(25, 31)`."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray, StructuredArray
from ..progress import SILENT, Progress
from ..recording.snapshot import Snapshot
from ..texts import N_, say
from .actors import Actors
from .measures import (
    Boxes,
    closing_speed,
    distance,
    drac,
    lateral_deceleration,
    longitudinal_deceleration,
    predicted_pet,
    time_headway,
    ttc2d,
)
from .road_users import ROAD_USER, RoadUsers, boxes_of
from .selectors import SelectorError


class PairMeasure(NamedTuple):
    """A measure of two road users.

    Attributes:
        name: Its name in expressions and files.
        title_text: Its name in the window, marked by `N_`.
        unit: Its unit.
        meaning_text: What it tells, a line, marked by `N_`.
        worst: Which of several values is the worst one.
        function: Computes it of boxes of both, row by row.
        is_mutual: Whether its amount is the same for both.
    """

    name: str
    title_text: str
    unit: str
    meaning_text: str
    worst: Literal["least", "greatest"]
    function: Callable[[Boxes, Boxes], FloatArray]
    is_mutual: bool


_MEASURES = (
    PairMeasure(
        name="ttc2d",
        title_text=N_("2D-TTC"),
        unit="s",
        meaning_text=N_("Time to collision of their boxes if both keep their velocities and headings"),
        worst="least",
        function=ttc2d,
        is_mutual=True,
    ),
    PairMeasure(
        name="distance",
        title_text=N_("box distance"),
        unit="m",
        meaning_text=N_("Shortest distance of their boxes"),
        worst="least",
        function=distance,
        is_mutual=True,
    ),
    PairMeasure(
        name="closing",
        title_text=N_("closing speed"),
        unit="m/s",
        meaning_text=N_("Speed at which their boxes close; negative where they part"),
        worst="greatest",
        function=closing_speed,
        is_mutual=True,
    ),
    PairMeasure(
        name="pet",
        title_text=N_("PET"),
        unit="s",
        meaning_text=N_("PET if both keep their velocities; negative where the other one is first"),
        worst="least",
        function=predicted_pet,
        is_mutual=True,
    ),
    PairMeasure(
        name="drac",
        title_text=N_("DRAC"),
        unit="m/s²",
        meaning_text=N_("Deceleration to avoid a crash; 0 where they do not close"),
        worst="greatest",
        function=drac,
        is_mutual=True,
    ),
    PairMeasure(
        name="headway",
        title_text=N_("time headway"),
        unit="s",
        meaning_text=N_("Time headway of the actor to the other one ahead"),
        worst="least",
        function=time_headway,
        is_mutual=False,
    ),
    PairMeasure(
        name="long_decel",
        title_text=N_("required deceleration"),
        unit="m/s²",
        meaning_text=N_("Deceleration by which the actor avoids to touch the other one"),
        worst="greatest",
        function=longitudinal_deceleration,
        is_mutual=False,
    ),
    PairMeasure(
        name="lat_accel",
        title_text=N_("required acceleration to the side"),
        unit="m/s²",
        meaning_text=N_("Acceleration to the side by which the actor passes the other one"),
        worst="greatest",
        function=lateral_deceleration,
        is_mutual=False,
    ),
)
PAIR_MEASURES: Mapping[str, PairMeasure] = {measure.name: measure for measure in _MEASURES}
"""The measures of pairs by name."""

_TYPED = re.compile(r"\s*(\w+)\s*\(\s*([0-9]{1,10})\s*,\s*([0-9]{1,10})\s*\)\s*")


class PairSignal(NamedTuple):
    """A measure of two actors.

    Attributes:
        measure: The measure.
        actor: Id of the first actor.
        other: Id of the other actor.
    """

    measure: PairMeasure
    actor: int
    other: int

    def check(self, actors: Actors) -> None:
        """Refuse actors that have no measure.

        Raises:
            SelectorError: One of them is no vehicle or walker, or both are the same.
        """
        name = self.measure.name
        if self.actor == self.other:
            raise SelectorError(say("{name} is of two actors, and both are {actor}.", name=name, actor=self.actor))
        for actor in (self.actor, self.other):
            if not any(life.is_road_user for life in actors.of_id(actor)):
                raise SelectorError(
                    say("{name} is of two vehicles or walkers, and {actor} is none.", name=name, actor=actor)
                )

    def of_rows(self, rows: StructuredArray, others: StructuredArray) -> tuple[IntArray, FloatArray]:
        """Compute the measure in the frames in which both are there.

        Args:
            rows: The actor over time, dtype `ROAD_USER`.
            others: The other one over time.

        Returns:
            Frame indices, int64[n], rising, and the values, float64[n]; NaN where there is none.
        """
        frames, own, there = np.intersect1d(rows["frame"], others["frame"], assume_unique=True, return_indices=True)
        values = self.measure.function(boxes_of(rows[own]), boxes_of(others[there]))
        return frames.astype(np.int64), values

    def over_time(self, snapshot: Snapshot, progress: Progress = SILENT) -> tuple[IntArray, FloatArray]:
        """Compute the measure in all frames of a recording, as `of_rows`.

        Args:
            snapshot: The state of the recording.
            progress: Counts frames.

        Raises:
            SelectorError: One of them is no vehicle or walker, or both are the same.
            Cancelled: The user stopped it.
            OSError: The recording cannot be read.
        """
        self.check(Actors.of(snapshot, progress.quiet()))
        rows = rows_over_time(snapshot, (self.actor, self.other), progress)
        return self.of_rows(rows[self.actor], rows[self.other])


def pair_signal(text: str) -> PairSignal | None:
    """Return the signal that a text such as `ttc2d(25, 31)` means; None if it is no such text."""
    typed = _TYPED.fullmatch(text)
    if typed is None or typed[1] not in PAIR_MEASURES:
        return None
    return PairSignal(PAIR_MEASURES[typed[1]], int(typed[2]), int(typed[3]))


def rows_over_time(
    snapshot: Snapshot, actors: Iterable[int], progress: Progress = SILENT
) -> dict[int, StructuredArray]:
    """Read road users over time.

    Args:
        snapshot: The state of the recording.
        actors: Ids of actors.
        progress: Counts frames.

    Returns:
        By id all its lives in order of time, dtype `ROAD_USER`; without rows for what is no vehicle or walker.
    """
    users = RoadUsers(snapshot, progress)
    wanted = frozenset(actors)
    parts = [np.zeros(0, ROAD_USER)]
    for _, rows in users.portions(progress, actors=wanted):
        parts.append(rows)
    table = np.concatenate(parts)
    found = {}
    for actor in wanted:
        lives = [life.index for life in users.actors.of_id(actor)]
        found[actor] = table[np.isin(table["life"], lives)]
    return found
