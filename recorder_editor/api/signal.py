"""A signal: a number over time, of an actor or of the whole recording."""

from dataclasses import dataclass
from typing import Any

from ..arrays import FloatArray, IntArray
from ..formats.signals import USUAL, signals_of
from ..reading import SelectorError, Subset
from ..reading.computed_signals import computed_signals
from ..reading.pair_signals import pair_signal
from ..recording import Snapshot
from ..suggestions import did_you_mean
from ..texts import listed, say
from .libraries import load_library

_NAMES = {text.rpartition(" ")[2]: text for text in USUAL} | {
    name: f"Position: {name}" for name in ("x", "y", "z", "heading")
}
"""The expression of each name."""

_DERIVED = {"speed": "m/s", "heading": "°", "time": "s", "x": "m", "y": "m", "z": "m"}
"""The units of derived names in expressions (`reading.expression`)."""


@dataclass(frozen=True, eq=False)
class Signal:
    """A number over time; positions and angles in the recorded, left-handed axes.

    Attributes:
        name: Its name.
        actor: The id of its actor; None: it belongs to no actor.
        unit: The unit of its values; empty: none, or that of an expression.
        frames: Frame indices, int64[n], rising.
        times: Seconds of these frames, float64[n].
        values: The values, float64[n].
    """

    name: str
    actor: int | None
    unit: str
    frames: IntArray
    times: FloatArray
    values: FloatArray

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        owner = "" if self.actor is None else f" of {self.actor}"
        unit = f" in {self.unit}" if self.unit else ""
        return f"<Signal {self.name}{owner}: {len(self):,} values{unit}>"

    def plot(self, axes: Any = None) -> Any:
        """Plot it over time with matplotlib.

        Args:
            axes: The axes to plot in; None for those of a new figure.

        Returns:
            The axes.

        Raises:
            RecorderError: matplotlib is not installed.
        """
        pyplot = load_library("matplotlib.pyplot")
        if axes is None:
            _, axes = pyplot.subplots()
        label = self.name if self.actor is None else f"{self.name} {self.actor}"
        axes.plot(self.times, self.values, label=label)
        axes.set_xlabel("time / s")
        axes.set_ylabel(f"{self.name} / {self.unit}" if self.unit else self.name)
        return axes


def read_signals(snapshot: Snapshot, name: str, subset: Subset) -> list[Signal]:
    """Read a signal of the chosen actors.

    Args:
        snapshot: The state of the recording.
        name: A name (`speed`, `throttle`, `steering`, `brake`, `gear`, `x`, `y`, `z`, `heading`), an expression as
            `Kinematics: linear_velocity.x`, a measure of two actors as `ttc2d(25, 31)`, or a signal of an installed
            package.
        subset: The actors and frames.

    Raises:
        SelectorError: There is no such signal.
    """
    expression = _NAMES.get(name.strip(), name)
    if ":" not in expression and pair_signal(expression) is None and expression not in computed_signals():
        names = [*_NAMES, *computed_signals()]
        raise SelectorError(
            say(
                "“{name}” is no signal.{meant} There are: {names}, and expressions as Kinematics: linear_velocity.x.",
                name=name,
                meant=did_you_mean(name, names),
                names=listed(names),
            )
        )
    elapsed = snapshot.elapsed
    signals = []
    for signal in signals_of(snapshot, subset, expression):
        signals.append(
            Signal(
                name=name.strip(),
                actor=signal.actor,
                unit=_unit(snapshot, expression),
                frames=signal.frames,
                times=elapsed[signal.frames],
                values=signal.values,
            )
        )
    return signals


def _unit(snapshot: Snapshot, expression: str) -> str:
    pair = pair_signal(expression)
    if pair is not None:
        return pair.measure.unit
    if expression in computed_signals():
        return computed_signals()[expression].unit
    packet, _, path = expression.partition(":")
    path = path.strip()
    if path in _DERIVED:
        return _DERIVED[path]
    kind = snapshot.dialect.by_name(packet.strip())
    if kind is not None and path in kind.record.fields:
        return kind.record.fields[path].unit
    return ""
