"""The worst measures of each road user with all others near it, frame by frame: `ttc2d`, `distance` and more as words.

Computed for the frames and actors that are asked for, and kept nowhere.
"""

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, StructuredArray, UInt32Array, UInt64Array, run_starts
from ..progress import SILENT, Progress
from ..recording.snapshot import Snapshot
from .actors import Actors
from .measures import Boxes, ttc2d
from .motion import keys_of
from .near_users import Company, parts_of, rows_near
from .pair_signals import PairMeasure
from .road_users import RoadUsers, boxes_of

NEAR_METRES = 50.0
"""Boxes with middles that are no further apart are near each other."""

NEAR_SECONDS = 5.0
"""Boxes that would touch within this time are near each other, however far they are apart."""


class WorstMeasures:
    """The worst measures of the road users of a recording. Get them with `WorstMeasures.of`."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._table = snapshot.table
        actors = Actors.of(snapshot)
        own = snapshot.with_empty_cache()
        own.derived.keep(actors)
        self._users = RoadUsers(own)
        self._company = Company(actors)
        self._ids = np.array([life.actor for life in actors], np.uint32)

    @classmethod
    def of(cls, snapshot: Snapshot) -> "WorstMeasures":
        """Return those of a snapshot; what it needs of the actors is collected once.

        Raises:
            OSError: The file cannot be read, as by `Store.read`.
        """
        for cached in snapshot.derived.newest(cls):
            if cached._table is snapshot.table:
                return cached
        measures = cls(snapshot)
        snapshot.derived.keep(measures)
        return measures

    def read(
        self, measure: PairMeasure, frames: range, ids: UInt32Array | None = None, progress: Progress = SILENT
    ) -> tuple[UInt64Array, FloatArray]:
        """Compute a measure of each road user with all others near it, and return the worst value.

        Two are near each other where the middles of their boxes are at most 50 m apart, or the boxes would touch
        within 5 s if both keep their velocities. Left out are two walkers, what is attached to each other, and what is
        more than 3 m above the other.

        Args:
            measure: The measure; of a signed one the amount counts.
            frames: Frame indices that follow one another.
            ids: The ids of the actors that are asked for; None for all.
            progress: Counts frames; raises `Cancelled` when the user stops it.

        Returns:
            Keys of frame and id (`motion.keys_of`), uint64[n], rising, and the values, float64[n], finite; actors that
            are near nobody, or have no value with anybody, are left out.

        Raises:
            OSError: The file cannot be read, as by `Store.read`.
        """
        is_wanted = np.ones(len(self._ids), np.bool_)
        if ids is not None:
            is_wanted = np.isin(self._ids, ids)
        keys = [np.zeros(0, np.uint64)]
        values = [np.zeros(0)]
        with np.errstate(all="ignore"):  # places of a damaged file may be any number
            for _, rows in self._users.portions(progress, frames=frames):
                for part in parts_of(rows):
                    progress.check()
                    part_keys, part_values = self._worst_in(part, measure, is_wanted)
                    keys.append(part_keys)
                    values.append(part_values)
        return np.concatenate(keys), np.concatenate(values)

    def _worst_in(
        self, rows: StructuredArray, measure: PairMeasure, is_wanted: BoolArray
    ) -> tuple[UInt64Array, FloatArray]:
        """Return the keys and the worst values in whole frames, as `read`."""
        boxes = boxes_of(rows)
        first, second = self._near(rows, boxes)
        one_of_both = np.flatnonzero(is_wanted[rows["life"][first]] | is_wanted[rows["life"][second]])
        first = first[one_of_both]
        second = second[one_of_both]
        one_way = measure.function(boxes.take(first), boxes.take(second))
        other_way = one_way
        if not measure.is_mutual:
            other_way = measure.function(boxes.take(second), boxes.take(first))
        values = np.concatenate((one_way, other_way))
        if measure.worst == "least":
            values = np.abs(values)  # of a PET, which tells by its sign who is first
        row_keys = keys_of(rows["frame"], self._ids[rows["life"]])
        keys = np.concatenate((row_keys[first], row_keys[second]))
        return _worst(keys, values, measure)

    def _near(self, rows: StructuredArray, boxes: Boxes) -> tuple[IndexArray, IndexArray]:
        """Return the rows of the pairs that are near each other, once each."""
        first, second = rows_near(rows, boxes, self._company, seconds=0.0, reach=NEAR_METRES)
        close = np.flatnonzero(_apart(boxes, first, second) <= NEAR_METRES)
        far_first, far_second = rows_near(rows, boxes, self._company, seconds=NEAR_SECONDS)
        far = np.flatnonzero(_apart(boxes, far_first, far_second) > NEAR_METRES)
        far_first = far_first[far]
        far_second = far_second[far]
        meeting = np.flatnonzero(ttc2d(boxes.take(far_first), boxes.take(far_second)) <= NEAR_SECONDS)
        return (
            np.concatenate((first[close], far_first[meeting])),
            np.concatenate((second[close], far_second[meeting])),
        )


def _apart(boxes: Boxes, first: IndexArray, second: IndexArray) -> FloatArray:
    """Return the distances of the middles of boxes, m."""
    return np.hypot(boxes.x[first] - boxes.x[second], boxes.y[first] - boxes.y[second])


def _worst(keys: UInt64Array, values: FloatArray, measure: PairMeasure) -> tuple[UInt64Array, FloatArray]:
    """Return each key once, rising, with the worst of its values; without those that are not finite."""
    is_known = np.isfinite(values)
    keys = keys[is_known]
    values = values[is_known]
    if not len(keys):
        return keys, values
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    heads = np.flatnonzero(run_starts(keys))
    if measure.worst == "least":
        return keys[heads], np.minimum.reduceat(values[order], heads)
    return keys[heads], np.maximum.reduceat(values[order], heads)
