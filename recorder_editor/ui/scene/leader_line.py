"""A vehicle and its leader: the gap between them and, where it closes, the time that is left."""

from typing import TYPE_CHECKING, NamedTuple

from ...recording.actors import Actors
from ..units import Units

if TYPE_CHECKING:
    from ...analysis import Analysis

_LONGEST_TTC = 20.0


class LeaderLine(NamedTuple):
    """`actor` drives behind `leader` (ids): `gap` (m), `ttc` (s, NaN where the gap does not close), `risk` (0 to 2)."""

    actor: int
    leader: int
    gap: float
    ttc: float
    risk: int

    def texts(self, units: Units) -> tuple[str, str]:
        """`12.3 m, TTC 3.1 s`, a long time left out; and the gap alone."""
        gap = units.text(self.gap, "m", 1)
        return f"{gap}, TTC {self.ttc:.1f} s" if self.ttc < _LONGEST_TTC else gap, gap


def leader_lines(
    analysis: "Analysis", actors: Actors, chosen: tuple[int, ...], frame_index: int
) -> tuple[LeaderLine, ...]:
    """The lines from these actors (ids) to their leaders in a frame."""
    found = []
    for actor in chosen:
        life = actors.at(actor, frame_index)
        row = analysis.row_at(life.index, frame_index) if life is not None else None
        leader = analysis.leader_of(life.index, frame_index) if life is not None else None
        if row is not None and leader is not None:
            gap, ttc = float(analysis.columns["dist_headway"][row]), float(analysis.columns["TTC"][row])
            level = int(analysis.columns["risk_level"][row])
            found.append(LeaderLine(actor, analysis.actors.lives[leader].actor, gap, ttc, level))
    return tuple(found)
