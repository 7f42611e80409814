"""Vehicles where the road map has no way for them: off the road, against the direction, on a sidewalk.

Information and no warnings, since a scenario may be about just that; only where a road map is known.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..progress import SILENT, Progress
from ..reading import Actors, lanes
from ..reading.lanes import LaneUse
from ..reading.tracks import COLUMNS
from ..recording import Finding, Snapshot
from ..texts import N_, say, say_count
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


_RULES_BY_KIND = {
    lanes.OFF_ROAD: (OFF_ROAD, N_("{actor} is off the road for {seconds:,.1f} s, {stretches}.")),
    lanes.WRONG_WAY: (WRONG_WAY, N_("{actor} is against the direction of its lane for {seconds:,.1f} s, {stretches}.")),
    lanes.SIDEWALK: (ON_SIDEWALK, N_("{actor} is on a sidewalk for {seconds:,.1f} s, {stretches}.")),
}


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Yield a finding for each vehicle and rule, at the first stretch; none without a road map of its own town.

    Raises:
        Cancelled: The user stopped it.
    """
    use = LaneUse.of(snapshot, progress)
    if use is None or not use.fits:
        return
    lives = Actors.of(snapshot).lives
    long_stretches = use.stretches[use.stretches["seconds"] > LEAST_TIME]
    groups: dict[tuple[int, int], list[_Stretch]] = {}
    for kind, index, first, last, seconds in long_stretches[["kind", "life", "first", "last", "seconds"]].tolist():
        groups.setdefault((index, kind), []).append(_Stretch(first, last, seconds))
    for (index, kind), stretches in sorted(groups.items()):
        rule, sentence = _RULES_BY_KIND[kind]
        life = lives[index]
        seconds = sum(stretch.seconds for stretch in stretches)
        message = say(sentence, actor=actor_text(life), seconds=seconds, stretches=_stretches_text(stretches))
        yield finding_of(
            snapshot, rule, life, packet=COLUMNS["positions"][0], frame=stretches[0].first, message=message
        )


class _Stretch(NamedTuple):
    """Frames of a vehicle where it should not be.

    Attributes:
        first: Index of the first frame.
        last: Index of the last one.
        seconds: How long it is.
    """

    first: int
    last: int
    seconds: float


def _stretches_text(stretches: Sequence[_Stretch]) -> str:
    """Return the text for the first of some stretches, and the number of the others."""
    first = stretches[0].first + 1
    last = stretches[0].last + 1
    more = len(stretches) - 1
    if not more:
        return say("from frame {first:,} to {last:,}", first=first, last=last)
    return say_count(
        "from frame {first:,} to {last:,} and in 1 more stretch",
        "from frame {first:,} to {last:,} and in {count:,} more stretches",
        first=first,
        last=last,
        count=more,
    )
