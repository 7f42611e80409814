"""Who stands in which row of the timeline, and where their bars are. Arrays and lives, no widget."""

from typing import NamedTuple

import numpy as np

from ..arrays import IntArray
from ..reading import Actors, Life, Trajectories
from .time_axis import Axis, Integers, Reals, joined


class Bar(NamedTuple):
    """Pixels of a life: from `left` to `right`, `is_born` and `is_gone` in sight, `driving` (left and right of each
    stretch), `hits` (collisions), `changes` (of timeline lanes)."""

    left: float
    right: float
    is_born: bool
    is_gone: bool
    driving: list[tuple[int, int]]
    hits: list[int]
    changes: list[int]


class Roster:
    """The rows of the lives: heroes, then the chosen ones, then who is alive in what is looked at, by birth.

    Road users only, where there are any; of the others whoever is chosen.
    """

    def __init__(self, actors: Actors | None) -> None:
        self._lives = lives = actors.lives if actors is not None else ()
        none = np.zeros(0, np.int64)
        if actors is not None:
            self._born, self._gone = actors.spans
        else:
            self._born, self._gone = (none, none)
        self._hero = np.array([life.is_hero for life in lives], np.bool_)
        self._user = np.array([life.is_road_user for life in lives], np.bool_)
        self._ids = np.array([life.actor for life in lives], np.int64)
        self._order: Integers = none

    def __len__(self) -> int:
        return len(self._order)

    def order(self, chosen: tuple[int, ...], looked_at: range) -> None:
        """Give everybody a row."""
        picked = np.isin(self._ids, np.array(chosen, np.int64))
        shown = np.flatnonzero(self._user | picked if self._user.any() else np.ones_like(self._user))
        alive = (self._born < looked_at.stop) & (self._gone > looked_at.start)
        rank = np.lexsort((self._born[shown], ~alive[shown], ~picked[shown], ~self._hero[shown]))
        self._order = shown[rank]

    def life(self, row: int) -> Life:
        """Who stands in a row."""
        return self._lives[int(self._order[row])]

    def rows_of(self, chosen: tuple[int, ...]) -> list[int]:
        """The rows of these actors."""
        rows: list[int] = np.flatnonzero(np.isin(self._ids[self._order], np.array(chosen, np.int64))).tolist()
        return rows


def bar_of(life: Life, axis: Axis, survey: Trajectories | None, actors: Actors, changes: Integers) -> Bar | None:
    """The bar of a life that is on another timeline lane in these frames, None where nothing of it is in sight."""
    last = len(axis.times) - 1
    end = axis.left + axis.width
    born = axis.x(float(axis.times[min(life.born, last)]))
    stays = life.gone is None or life.gone > last
    gone = axis.x(axis.last if life.gone is None or stays else float(axis.times[life.gone]))
    left, right = max(axis.left, born), min(end, gone)
    if right <= left:
        return None
    driving = _driving(life, axis, survey, left, right)
    is_born = born >= axis.left and life.born > 0
    is_gone = gone <= end and not stays
    if len(changes):
        timeline_lanes = axis.pixels(changes)
    else:
        timeline_lanes = []
    return Bar(left, right, is_born, is_gone, driving, _hits(life, axis, actors), timeline_lanes)


def rules_of(life: Life, axis: Axis, met: IntArray) -> list[tuple[int, int, int]]:
    """Where a life meets a rule (of those that `rules_met` gives): pixels from left to right, and the colour."""
    starts, stops, colors = met[slice(*np.searchsorted(met[:, 0], [life.index, life.index + 1])), 1:].T
    times = np.append(axis.times, axis.last)
    lows, highs = (np.round(axis.xs(times[np.minimum(ends, len(axis.times))])) for ends in (starts, stops))
    _, first = np.unique(lows, return_index=True)  # of what begins at one pixel
    found = np.stack((lows, np.maximum(highs, lows + 1), colors), axis=1)[first].astype(np.int64)
    return [(left, right, color) for left, right, color in found.tolist() if right > axis.left and left < axis.right]


def _driving(life: Life, axis: Axis, survey: Trajectories | None, left: float, right: float) -> list[tuple[int, int]]:
    """Stretches under way in whole pixels, those that touch as one."""
    if survey is None or life.index >= len(survey.trajectories) or survey.trajectories[life.index].actor != life.actor:
        return []
    moving = survey.trajectories[life.index].moving
    if not len(moving):
        return []
    starts: Reals = np.clip(axis.xs(axis.at(moving[:, 0].astype(np.int64))), left, right)
    stops: Reals = np.clip(axis.xs(axis.at(moving[:, 1].astype(np.int64))), left, right)
    seen = stops > starts
    spans = joined(np.round(starts[seen]), np.ceil(stops[seen]))
    return [(int(low), max(int(high), int(low) + 1)) for low, high in spans]


def _hits(life: Life, axis: Axis, actors: Actors) -> list[int]:
    """The pixels of a life's collisions, each once."""
    records = actors.collisions
    if not len(records):
        return []
    frames = records["frame_index"][(records["actor1"] == life.actor) | (records["actor2"] == life.actor)]
    if life.gone is not None:
        gone = life.gone
    else:
        gone = len(axis.times)
    return axis.pixels(frames[(frames >= life.born) & (frames < gone)])
