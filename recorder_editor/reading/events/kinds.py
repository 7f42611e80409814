"""The kinds of traffic events, and the table that holds them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from ...arrays import FloatArray, row_type
from ...texts import N_, say
from ..thresholds import Thresholds

EventName = Literal[
    "collision",
    "near-miss",
    "short-pet",
    "walker-ahead",
    "red-light",
    "wrong-way",
    "off-road",
    "cut-in",
    "hard-braking",
    "hard-steering",
    "overtaking",
    "lane-change",
    "u-turn",
    "standstill",
]

EVENT: Final = row_type("kind:i1 life:i4 other:i4 first:i4 last:i4 worst:i4 value x y severity recorded:?", align=True)
"""An event: `kind` (index of `KINDS`), `life` and `other` (indices of lives; -1: none), frames `first` to `last` and
the `worst` one (indices, all in), the value then, the place (m), how bad it is, 0 to 1, and whether the
recording has it as a collision."""

VERSION = 2
"""Rises when what an event is changes, so that what was found before is looked for again."""

GAP = 1.0
"""Seconds: stretches of the same kind and actors that are no further apart are one event."""


Severity = Callable[[FloatArray, Thresholds], FloatArray]
"""Returns how bad events of a kind are, 0 to 1, by their values; float64[n] of float64[n]."""

RECORDED = 1.0
"""The severity of a collision that the recording has."""

_BOXES_ALONE = 0.6  # a collision that no record tells of; recorded boxes are larger than the bodies
_OF_OTHERS = 0.3  # what breaks a rule, or is done with the full force of tyres
_MANOEUVRE = 0.1  # what drivers do every day
_FULL_BRAKING = 10.0  # m/s²: what tyres hold on a dry road


def _always(severity: float) -> Severity:
    """Return a severity that does not depend on the value."""
    return lambda values, _thresholds: np.full(len(values), severity)


def _lacking(threshold: str) -> Severity:
    """Return the severity of a time: the share of its threshold, a field of `Thresholds`, that is lacking."""

    def severity(values: FloatArray, thresholds: Thresholds) -> FloatArray:
        least = float(getattr(thresholds, threshold))
        return np.clip((least - values) / least, 0.0, 1.0)

    return severity


def _of_acceleration(values: FloatArray, _thresholds: Thresholds) -> FloatArray:
    return _OF_OTHERS * np.clip(np.abs(values) / _FULL_BRAKING, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event.

    Attributes:
        name: Its name on the command line and in files.
        needs_map: Only a road map tells of it; of red lights also trigger volumes do, which recordings seldom have.
        is_frequent: It is so frequent that lists leave it out at first.
        unit: The unit of the value; empty without one.
        severity: How bad its events are.
        threshold: The field of `Thresholds` that decides; empty where none does.
        limit_text: What is so all the time that it lasts, with `{limit}` for the threshold; empty without one.
        measure: The measure of a pair, by its name, that is below the threshold; empty where it is none.
    """

    name: EventName
    title_text: str
    value_text: str
    unit: str
    severity: Severity
    needs_map: bool = False
    is_frequent: bool = False
    threshold: str = ""
    limit_text: str = ""
    measure: str = ""

    @property
    def title(self) -> str:
        """What it is called, in the language of the window."""
        return say(self.title_text)

    @property
    def value(self) -> str:
        """What its value is, in the language of the window."""
        return say(self.value_text)

    def limit(self, thresholds: Thresholds) -> float | None:
        """Return the threshold that decides, in the unit of the value; None where none does."""
        if not self.threshold:
            return None
        return float(getattr(thresholds, self.threshold))


KINDS: tuple[EventKind, ...] = (
    EventKind(
        "collision",
        N_("Collision"),
        N_("Speed of the two relative to each other at contact"),
        "m/s",
        severity=_always(_BOXES_ALONE),
    ),
    EventKind(
        "near-miss",
        N_("Near miss"),
        N_("Minimum 2D-TTC"),
        "s",
        severity=_lacking("near_miss"),
        threshold="near_miss",
        limit_text=N_("2D-TTC below {limit}"),
        measure="ttc2d",
    ),
    EventKind(
        "short-pet",
        N_("Short PET"),
        N_("Post-encroachment time"),
        "s",
        severity=_lacking("short_pet"),
        threshold="short_pet",
        limit_text=N_("PET below {limit}"),
    ),
    EventKind(
        "walker-ahead",
        N_("Walker before a car"),
        N_("Minimum time headway"),
        "s",
        severity=_lacking("walker_ahead"),
        threshold="walker_ahead",
        limit_text=N_("Time headway below {limit}"),
    ),
    EventKind("red-light", N_("Red light passed"), N_("Speed"), "m/s", severity=_always(_OF_OTHERS)),
    EventKind(
        "wrong-way",
        N_("Wrong way"),
        N_("Time against the direction of the lane"),
        "s",
        severity=_always(_OF_OTHERS),
        needs_map=True,
    ),
    EventKind(
        "off-road", N_("Off the road"), N_("Time off the road"), "s", severity=_always(_OF_OTHERS), needs_map=True
    ),
    EventKind(
        "cut-in",
        N_("Cut-in"),
        N_("Minimum time headway"),
        "s",
        severity=_lacking("cut_in"),
        threshold="cut_in",
        limit_text=N_("Time headway below {limit}"),
    ),
    EventKind(
        "hard-braking",
        N_("Hard braking"),
        N_("Minimum acceleration"),
        "m/s²",
        severity=_of_acceleration,
        is_frequent=True,
        threshold="hard_braking",
        limit_text=N_("Acceleration below {limit}"),
    ),
    EventKind(
        "hard-steering",
        N_("Hard steering"),
        N_("Greatest acceleration to the side"),
        "m/s²",
        severity=_of_acceleration,
        is_frequent=True,
        threshold="hard_steering",
        limit_text=N_("Acceleration to the side above {limit}"),
    ),
    EventKind(
        "overtaking",
        N_("Overtaking"),
        N_("Speed relative to the one that is overtaken"),
        "m/s",
        severity=_always(_MANOEUVRE),
    ),
    EventKind(
        "lane-change",
        N_("Lane change"),
        N_("Speed"),
        "m/s",
        severity=_always(_MANOEUVRE),
        needs_map=True,
        is_frequent=True,
    ),
    EventKind("u-turn", N_("U-turn"), N_("Change of the heading"), "°", severity=_always(_MANOEUVRE)),
    EventKind(
        "standstill",
        N_("Long standstill"),
        N_("Time that it stands"),
        "s",
        severity=_always(_MANOEUVRE),
        is_frequent=True,
        threshold="standstill",
        limit_text=N_("Stands longer than {limit}"),
    ),
)
"""All kinds, the worst ones first."""

NUMBERS: Mapping[EventName, int] = {kind.name: number for number, kind in enumerate(KINDS)}
"""The number of each kind in the table."""
