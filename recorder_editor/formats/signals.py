"""Signals: numbers over time that are exported beside frames, of an actor or of the whole recording."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..format import Dialect
from ..progress import SILENT, Progress
from ..reading import Actors, SelectorError, Subset, Tracks
from ..reading.computed_signals import compute_signal, computed_signals
from ..reading.expression import ExpressionError, parse_value
from ..reading.pair_signals import PairSignal, pair_signal
from ..recording import Snapshot

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
    """A number over time.

    Attributes:
        name: An identifier.
        actor: Id of the actor that has it; None: it belongs to no actor.
        frames: Indices of the frames that have a value, int64[n], rising.
        values: The values in them, float64[n].
    """

    name: str
    actor: int | None
    frames: IntArray
    values: FloatArray

    def at(self, frames: IntArray) -> FloatArray:
        """Return the values in these frames (indices, int64[n]), NaN where there is none, float64[n]."""
        rows = self.frames.searchsorted(frames, side="right") - 1
        has_value = rows >= 0
        has_value[has_value] = self.frames[rows[has_value]] == frames[has_value]
        values = np.full(len(frames), np.nan)
        values[has_value] = self.values[rows[has_value]]
        return values


def identifier(text: str) -> str:
    """Return a text as the name of a field: `lateral speed` is `lateral_speed`."""
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_")
    if not name or name[0].isdigit():
        return f"_{name}"
    return name


def usual_signals(dialect: Dialect) -> list[str]:
    """Return those of `USUAL` of which a dialect has the packet: CARLA 0.9.4 and 0.9.5 record no controls."""
    return [text for text in USUAL if dialect.by_name(text.partition(":")[0]) is not None]


def find_signals(
    snapshot: Snapshot, subset: Subset, wanted: Iterable[str] = (), progress: Progress = SILENT
) -> Iterator[Signal]:
    """Find the signals of the chosen actors, or of the heroes: speed and controls as far as recorded, and others.

    Args:
        snapshot: The state of the recording.
        subset: The chosen actors and frames.
        wanted: Further signals: expressions with or without a name, as `slip = Kinematics: linear_velocity.y`, names of
            signals that installed packages compute, or measures of two actors, as `ttc2d(25, 31)`; with `;` between
            them.
        progress: Counts frames.

    Raises:
        SelectorError: An expression is wrong, or two actors have no measure.
        SignalError: A signal cannot be computed.
        Cancelled: The user stopped it.
        OSError: The recording cannot be read.
    """
    Actors.of(snapshot, progress)  # read once for all of them
    texts = usual_signals(snapshot.dialect)
    for expressions in wanted:
        for text in expressions.split(";"):
            if text.strip():
                texts.append(text.strip())
    for text in texts:
        yield from signals_of(snapshot, subset, text, progress)


def signals_of(snapshot: Snapshot, subset: Subset, text: str, progress: Progress = SILENT) -> Iterator[Signal]:
    """Find the signals of one text, of each chosen actor or of the heroes; arguments and errors as `find_signals`."""
    name, expression = _NAMED.findall(text)[0]
    pair = pair_signal(expression)
    if pair is not None:
        yield _of_pair(name=name, pair=pair, snapshot=snapshot, subset=subset, progress=progress)
        return
    actors = _actors(snapshot, subset)
    if expression.strip() in computed_signals():
        yield from _computed(
            name=name, computed=expression.strip(), snapshot=snapshot, subset=subset, actors=actors, progress=progress
        )
    else:
        yield from _expressed(
            name=name, expression=expression, snapshot=snapshot, subset=subset, actors=actors, progress=progress
        )


def _actors(snapshot: Snapshot, subset: Subset) -> list[int]:
    """Return the ids of the chosen actors; of the heroes where none is chosen."""
    if subset.ids is not None:
        return list(subset.ids)
    return sorted({life.actor for life in Actors.of(snapshot) if life.is_hero})


def _computed(
    name: str, computed: str, snapshot: Snapshot, subset: Subset, actors: Iterable[int], progress: Progress
) -> Iterator[Signal]:
    """Yield a signal of an installed package, of each actor."""
    chosen = np.array(subset.frames, np.int64)
    for actor in actors:
        frames, values = compute_signal(computed, snapshot, actor, progress.quiet())
        is_chosen = np.isin(frames, chosen)
        yield Signal(name=identifier(name or computed), actor=actor, frames=frames[is_chosen], values=values[is_chosen])


def _of_pair(name: str, pair: PairSignal, snapshot: Snapshot, subset: Subset, progress: Progress) -> Signal:
    """Return a measure of two actors, which belongs to the first of them, whether it is chosen or not."""
    frames, values = pair.over_time(snapshot, progress.quiet())
    is_chosen = np.isin(frames, np.array(subset.frames, np.int64)) & ~np.isnan(values)
    return Signal(
        name=identifier(name) if name else f"{pair.measure.name}_{pair.other}",
        actor=pair.actor,
        frames=frames[is_chosen],
        values=values[is_chosen],
    )


def _expressed(
    name: str, expression: str, snapshot: Snapshot, subset: Subset, actors: Iterable[int], progress: Progress
) -> Iterator[Signal]:
    """Yield the signal of an expression, of each actor that its packet tells of."""
    tracks = Tracks(snapshot)
    signal_name = identifier(name or expression.rpartition(":")[2])
    try:
        query = parse_value(expression, snapshot.dialect)
        packet = query.kind.name
        owners: Iterable[int | None] = actors
        if query.kind.actor_field is None:
            owners = (None,)
        for actor in owners:
            chosen = None if actor is None else [actor]
            blocks = [np.empty(0, tracks.dtype(packet))]
            blocks.extend(tracks.blocks(packet, chosen, subset.frames, progress=progress.quiet()))
            frames, values = query.series(np.concatenate(blocks), snapshot)
            yield Signal(name=signal_name, actor=actor, frames=frames, values=values)
    except ExpressionError as error:
        raise SelectorError(error.message) from None
