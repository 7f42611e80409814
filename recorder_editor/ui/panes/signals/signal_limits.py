"""The thresholds of signals: of TTC those of a risk, of measures of pairs those of traffic events."""

from typing import NamedTuple

from ....analysis.constants import RISK_TTC
from ....reading.events import Thresholds
from ...style.colors import ColorName
from .event_limit import LIMITED
from .series import Trace

_RISK_COLORS: tuple[ColorName, ColorName] = ("warning", "error")


class SignalLimit(NamedTuple):
    """A threshold of a signal.

    Attributes:
        value: Its value, as the signal is drawn.
        color: The colour of its line.
    """

    value: float
    color: ColorName


def limits_of(trace: Trace, thresholds: Thresholds) -> list[SignalLimit]:
    """Return the thresholds of a signal, the highest first."""
    key = trace.key
    if key.kind == "traffic" and key.name == "ttc":
        colors = zip(RISK_TTC, _RISK_COLORS, strict=True)
        return [SignalLimit(value * trace.factor, color) for value, color in colors]
    limits = []
    if key.kind == "pair":
        for kind in LIMITED:
            limit = kind.limit(thresholds)
            if kind.measure == key.name and limit is not None:
                limits.append(SignalLimit(limit * trace.factor, "error"))
    return sorted(limits, reverse=True)
