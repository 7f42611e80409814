"""The rows of lives in the timeline, and the bars in them. Arrays and lives, no widget."""

from typing import NamedTuple

import numpy as np

from ..arrays import IntArray
from ..reading import Actors, Life, Trajectories
from .time_axis import Axis, Integers, Reals, joined


class Bar(NamedTuple):
    """The bar of a life, in pixels.

    Attributes:
        left: Left end.
        right: Right end.
        is_born: Whether its birth is visible.
        is_gone: Whether its end is visible.
        driving: Left and right end of each interval in which it moves.
        hits: Places of collisions.
        changes: Places of lane changes.
    """

    left: float
    right: float
    is_born: bool
    is_gone: bool
    driving: list[tuple[int, int]]
    hits: list[int]
    changes: list[int]


class Roster:
    """The rows of the lives: heroes, then selected ones, then those that are alive in a span of frames, by birth.

    Only road users have rows, where there are any; of the other lives those that are selected.
    """

    def __init__(self, actors: Actors | None) -> None:
        self._lives: tuple[Life, ...] = ()
        self._born = np.zeros(0, np.int64)
        self._gone = np.zeros(0, np.int64)
        if actors is not None:
            self._lives = actors.lives
            self._born, self._gone = actors.spans
        self._is_hero = np.array([life.is_hero for life in self._lives], np.bool_)
        self._is_road_user = np.array([life.is_road_user for life in self._lives], np.bool_)
        self._ids = np.array([life.actor for life in self._lives], np.int64)
        self._order: Integers = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._order)

    def sort(self, chosen: tuple[int, ...], looked_at: range) -> None:
        """Sort the lives into rows.

        Args:
            chosen: Ids of the selected actors.
            looked_at: Frames of which the lives come before others.
        """
        is_chosen = np.isin(self._ids, np.array(chosen, np.int64))
        if self._is_road_user.any():
            shown = np.flatnonzero(self._is_road_user | is_chosen)
        else:
            shown = np.arange(len(self._lives))
        is_alive = (self._born < looked_at.stop) & (self._gone > looked_at.start)
        # The last key is the first to sort by.
        keys = (self._born[shown], ~is_alive[shown], ~is_chosen[shown], ~self._is_hero[shown])
        self._order = shown[np.lexsort(keys)]

    def life(self, row: int) -> Life:
        """Return the life of a row."""
        return self._lives[int(self._order[row])]

    def rows_of(self, chosen: tuple[int, ...]) -> list[int]:
        """Return the rows of actors, by their ids."""
        is_chosen = np.isin(self._ids[self._order], np.array(chosen, np.int64))
        rows: list[int] = np.flatnonzero(is_chosen).tolist()
        return rows


def bar_of(life: Life, axis: Axis, survey: Trajectories | None, actors: Actors, changes: Integers) -> Bar | None:
    """Return the bar of a life.

    Args:
        life: The life.
        axis: The time axis.
        survey: Trajectories of all lives; None: not known yet.
        actors: The actors, for their collisions.
        changes: Frames in which it changes the lane of the road.

    Returns:
        The bar; None where nothing of the life is visible.
    """
    last = len(axis.times) - 1
    born = axis.x(float(axis.times[min(life.born, last)]))
    gone = axis.x(axis.last)
    stays = True
    if life.gone is not None and life.gone <= last:
        gone = axis.x(float(axis.times[life.gone]))
        stays = False
    left = max(axis.left, born)
    right = min(axis.right, gone)
    if right <= left:
        return None
    return Bar(
        left=left,
        right=right,
        is_born=born >= axis.left and life.born > 0,
        is_gone=gone <= axis.right and not stays,
        driving=_driving(life, axis, survey, left, right),
        hits=_hits(life, axis, actors),
        changes=axis.pixels(changes) if len(changes) else [],
    )


def rules_of(life: Life, axis: Axis, met: IntArray) -> list[tuple[int, int, int]]:
    """Return where a life meets a rule.

    Args:
        life: The life.
        axis: The time axis.
        met: Spans of all lives that `rules_met` gives: index of the life (rising), first frame, frame behind the last,
            colour; int64[n, 4].

    Returns:
        Left and right pixel and the colour, of visible spans; of those that begin at one pixel only the first.
    """
    first, stop = np.searchsorted(met[:, 0], [life.index, life.index + 1])
    _, starts, stops, colors = met[first:stop].T
    times = np.append(axis.times, axis.last)
    lefts = np.round(axis.xs(times[np.minimum(starts, len(axis.times))]))
    rights = np.round(axis.xs(times[np.minimum(stops, len(axis.times))]))
    _, firsts = np.unique(lefts, return_index=True)
    spans = np.stack((lefts, np.maximum(rights, lefts + 1), colors), axis=1)[firsts].astype(np.int64)
    return [(left, right, color) for left, right, color in spans.tolist() if right > axis.left and left < axis.right]


def _driving(life: Life, axis: Axis, survey: Trajectories | None, left: float, right: float) -> list[tuple[int, int]]:
    """Return the intervals of movement between two pixels, in whole pixels, joined where they touch."""
    if survey is None or life.index >= len(survey.trajectories):
        return []
    trajectory = survey.trajectories[life.index]
    if trajectory.actor != life.actor or not len(trajectory.moving):
        return []
    moving = trajectory.moving.astype(np.int64)
    starts: Reals = np.clip(axis.xs(axis.at(moving[:, 0])), left, right)
    stops: Reals = np.clip(axis.xs(axis.at(moving[:, 1])), left, right)
    is_visible = stops > starts
    spans = joined(np.round(starts[is_visible]), np.ceil(stops[is_visible]))
    return [(int(low), max(int(high), int(low) + 1)) for low, high in spans]


def _hits(life: Life, axis: Axis, actors: Actors) -> list[int]:
    """Return the pixels of a life's collisions, each once."""
    records = actors.collisions
    if not len(records):
        return []
    end = life.gone if life.gone is not None else len(axis.times)
    takes_part = (records["actor1"] == life.actor) | (records["actor2"] == life.actor)
    frames = records["frame_index"][takes_part]
    return axis.pixels(frames[(frames >= life.born) & (frames < end)])
