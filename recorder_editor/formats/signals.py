"""Signals: numbers over time that are exported beside frames, of an actor or of nobody."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..format import Dialect
from ..option_specs import OptionSpec, option
from ..progress import SILENT, Progress
from ..reading import Actors, SelectorError, Subset, Tracks
from ..reading.expression import ExpressionError, parse_value
from ..recording import Snapshot
from ..texts import N_

USUAL: tuple[str, ...] = (
    "Position: speed",
    "AnimVehicle: throttle",
    "AnimVehicle: steering",
    "AnimVehicle: brake",
    "AnimVehicle: gear",
)
"""What every chosen actor has, as expressions, if the dialect has the packet; their last word is the name."""

_NAMED = re.compile(r"\A(?:([^:<>=!]+)=(?!=))?(.*)", re.DOTALL)


class Signal(NamedTuple):
    """Attributes: `name` (an identifier), `actor` (id; None: nobody's), `frames` (indices, int64[n], rising), `values`
    (float64[n])."""

    name: str
    actor: int | None
    frames: IntArray
    values: FloatArray

    def at(self, frames: IntArray) -> FloatArray:
        """The values in these frames, NaN where there is none: float64[n]."""
        found = self.frames.searchsorted(frames, side="right") - 1
        has = found >= 0
        has[has] = self.frames[found[has]] == frames[has]
        column = np.full(len(frames), np.nan)
        column[has] = self.values[found[has]]
        return column


@dataclass(frozen=True)
class McapOptions:
    """What may be chosen of an MCAP file.

    Attributes:
        signals: Expressions of `find_signals` beside the usual ones.
        all_poses: Poses are written in every frame.
    """

    signals: tuple[str, ...] = option(
        (),
        OptionSpec(
            flag="--signals",
            kind="texts",
            metavar="[NAME=]TYPE: EXPR",
            label=N_("Signals"),
            hint=N_("more than speed and controls: slip = Kinematics: linear_velocity.y"),
            help=N_(
                "numbers over time more than speed and controls, of the heroes or of --actors, as slip = Kinematics: "
                "linear_velocity.y; may be repeated"
            ),
        ),
    )
    all_poses: bool = option(
        False,
        OptionSpec(
            flag="--all-poses",
            kind="switch",
            label=N_("All poses"),
            help=N_("poses in every frame, for viewers that draw nothing else; otherwise one message each second"),
        ),
    )


class McapStyle(NamedTuple):
    """How an MCAP file is written: with which `signals`, and with poses in every frame (`all_poses`) or each second."""

    signals: Sequence[Signal] = ()
    all_poses: bool = False


def identifier(text: str) -> str:
    """A text as a name of a field: `lateral speed` is `lateral_speed`."""
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_")
    return f"_{name}" if not name or name[0].isdigit() else name


def usual_signals(dialect: Dialect) -> list[str]:
    """Those of `USUAL` whose packet a dialect has: CARLA 0.9.4 and 0.9.5 record no controls of vehicles."""
    return [text for text in USUAL if dialect.by_name(text.partition(":")[0]) is not None]


def find_signals(
    snapshot: Snapshot, subset: Subset, wanted: Iterable[str] = (), progress: Progress = SILENT
) -> Iterator[Signal]:
    """Speed and controls of the chosen actors, or of the heroes, as far as recorded, and what is `wanted` of them.

    These are expressions with or without a name, as `slip = Kinematics: linear_velocity.y`, with `;` between them.
    Raises `SelectorError`, `Cancelled`, and errors of reading as `Store.read`.
    """
    heroes = {life.actor for life in Actors.of(snapshot, progress) if life.is_hero}
    actors, tracks = sorted(heroes) if subset.ids is None else subset.ids, Tracks(snapshot)
    for text in (*usual_signals(snapshot.dialect), *filter(str.strip, ";".join(wanted).split(";"))):
        name, expression = _NAMED.findall(text)[0]
        try:
            query = parse_value(expression, snapshot.dialect)
            for actor in actors if query.kind.actor_field is not None else (None,):
                chosen, packet = None if actor is None else [actor], query.kind.name
                found = [*tracks.blocks(packet, chosen, subset.frames, progress=progress.quiet())]
                table = np.concatenate([np.empty(0, tracks.dtype(packet)), *found])
                called = identifier(name or expression.rpartition(":")[2])
                yield Signal(called, actor, *query.series(table, snapshot))
        except ExpressionError as error:
            raise SelectorError(error.message) from None
