"""Vehicles where the road map has no way for them: off the road, against the direction, on a sidewalk.

Information and no warnings, since a scenario may be about just that; only where a road map is known.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from ..progress import SILENT, Progress
from ..reading import Actors, lanes
from ..reading.lanes import LaneUse
from ..reading.tracks import COLUMNS
from ..recording import Finding, Snapshot
from ..texts import N_, N_count, say
from .rule import Rule, actor_text, finding_of

LEAST_TIME = 1.0
"""Seconds: shorter stretches are not told."""

OFF_ROAD = Rule(
    "off-road",
    subject="roads",
    severity="info",
    title=N_("A vehicle is off the road."),
    why=N_("For more than {lane_time:g} s it is on no lane of the road map."),
    numbers={"lane_time": LEAST_TIME},
)

WRONG_WAY = Rule(
    "wrong-way",
    subject="roads",
    severity="info",
    title=N_("A vehicle faces against the direction of its lane."),
    why=N_(
        "For more than {lane_time:g} s its heading differs by more than {against:g} degrees from that of the lane for "
        "driving that it is on. Junctions, where lanes cross, do not count."
    ),
    numbers={"lane_time": LEAST_TIME, "against": lanes.AGAINST},
)

ON_SIDEWALK = Rule(
    "on-sidewalk",
    subject="roads",
    severity="info",
    title=N_("A vehicle is on a sidewalk."),
    why=N_("For more than {lane_time:g} s its position is on a lane of the type sidewalk."),
    numbers={"lane_time": LEAST_TIME},
)

RULES = (OFF_ROAD, WRONG_WAY, ON_SIDEWALK)
"""The rules of this module, in the order in which their findings are fixed."""


_TOLD = {
    lanes.OFF_ROAD: (OFF_ROAD, N_("{actor} is off the road for {seconds:,.1f} s, {stretches}.")),
    lanes.WRONG_WAY: (WRONG_WAY, N_("{actor} is against the direction of its lane for {seconds:,.1f} s, {stretches}.")),
    lanes.SIDEWALK: (ON_SIDEWALK, N_("{actor} is on a sidewalk for {seconds:,.1f} s, {stretches}.")),
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
        rule, sentence = _TOLD[kind]
        life = lives[index]
        seconds = sum(stretch[-1] for stretch in stretches)
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
        yield finding_of(snapshot, rule, life, COLUMNS["positions"][0], first, message)
