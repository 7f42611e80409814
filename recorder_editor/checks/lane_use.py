"""Vehicles where the road map has no way for them: off the road, against the direction, on a sidewalk.

Information and no warnings, since a scenario may be about just that; only where a road map is known.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from ..progress import SILENT, Progress
from ..reading import Actors
from ..reading.lanes import OFF_ROAD, SIDEWALK, WRONG_WAY, LaneUse
from ..reading.tracks import COLUMNS
from ..recording import Finding, Snapshot
from ..texts import N_, N_count, say
from .rule import actor_text, finding_of

LEAST_TIME = 1.0
"""Seconds: shorter stretches are not told."""

_TOLD = {
    OFF_ROAD: ("off-road", N_("{actor} is off the road for {seconds:,.1f} s, {stretches}.")),
    WRONG_WAY: ("wrong-way", N_("{actor} is against the direction of its lane for {seconds:,.1f} s, {stretches}.")),
    SIDEWALK: ("on-sidewalk", N_("{actor} is on a sidewalk for {seconds:,.1f} s, {stretches}.")),
}


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """One finding for each vehicle and rule, at the first stretch; none without a road map of its own town.

    Raises `Cancelled`.
    """
    use = LaneUse.of(snapshot, progress)
    if use is None or not use.fits:
        return
    lives = Actors.of(snapshot).lives
    found = use.stretches[use.stretches["seconds"] > LEAST_TIME]
    of_whom = itemgetter(1, 0)
    for (index, kind), group in groupby(sorted(found.tolist(), key=of_whom), of_whom):
        (_, _, first, last, _), *more = stretches = list(group)
        code, sentence = _TOLD[kind]
        life, seconds = lives[index], sum(stretch[-1] for stretch in stretches)
        where = say(
            N_count(
                "from frame {first:,} to {last:,} and in 1 more stretch",
                "from frame {first:,} to {last:,} and in {count:,} more stretches",
            )
            if more
            else N_("from frame {first:,} to {last:,}"),
            first=first + 1,
            last=last + 1,
            count=len(more),
        )
        message = say(sentence, actor=actor_text(life), seconds=seconds, stretches=where)
        yield finding_of(snapshot, code, life, COLUMNS["positions"][0], first, message)
