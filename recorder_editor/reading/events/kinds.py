"""The kinds of traffic events, their thresholds, and the table that holds them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from ...arrays import row_type
from ...option_specs import OptionSpec, option
from ...texts import N_, say

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

VERSION = 1
"""Rises when what an event is changes, so that what was found before is looked for again."""

GAP = 1.0
"""Seconds: stretches of the same kind and actors that are no further apart are one event."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The limits from which something is an event.

    Attributes:
        near_miss: 2D-TTC below which two nearly collide, s (van der Horst and Hogema, 1993).
        short_pet: Post-encroachment time below which a crossing is a near miss, s (FHWA, Surrogate Safety Assessment
            Model, 2008, has 5 s as the most and counts what is below 1.5 s as serious).
        walker_ahead: Time headway to a walker below which a car has one before it, s.
        cut_in: Time headway below which an actor that comes into another one's way cuts in, s.
        hard_braking: Acceleration of hard braking and below, m/s² (naturalistic driving studies take -3 to -5).
        hard_steering: Acceleration across the heading of hard steering and above, m/s².
        standstill: Seconds from which an actor that also moves stands long.
    """

    near_miss: float = option(
        1.5,
        OptionSpec(
            flag="--near-miss",
            kind="unsigned",
            label=N_("Near miss below"),
            help=N_("2D-TTC of a near miss, s (default 1.5)"),
            metavar="S",
            unit="s",
            step=0.1,
        ),
    )
    short_pet: float = option(
        1.5,
        OptionSpec(
            flag="--short-pet",
            kind="unsigned",
            label=N_("Short PET below"),
            help=N_("post-encroachment time that is short, s (default 1.5)"),
            metavar="S",
            unit="s",
            step=0.1,
        ),
    )
    walker_ahead: float = option(
        1.0,
        OptionSpec(
            flag="--walker-ahead",
            kind="unsigned",
            label=N_("Walker before a car below"),
            help=N_("time headway of a car to a walker before it, s (default 1)"),
            metavar="S",
            unit="s",
            step=0.1,
        ),
    )
    cut_in: float = option(
        1.5,
        OptionSpec(
            flag="--cut-in",
            kind="unsigned",
            label=N_("Cut-in below"),
            help=N_("time headway behind one that cuts in, s (default 1.5)"),
            metavar="S",
            unit="s",
            step=0.1,
        ),
    )
    hard_braking: float = option(
        -4.0,
        OptionSpec(
            flag="--hard-braking",
            kind="number",
            label=N_("Hard braking below"),
            help=N_("acceleration of hard braking, m/s² (default -4)"),
            metavar="A",
            unit="m/s²",
            step=0.5,
        ),
    )
    hard_steering: float = option(
        4.0,
        OptionSpec(
            flag="--hard-steering",
            kind="unsigned",
            label=N_("Hard steering above"),
            help=N_("acceleration to the side of hard steering, m/s² (default 4)"),
            metavar="A",
            unit="m/s²",
            step=0.5,
        ),
    )
    standstill: float = option(
        30.0,
        OptionSpec(
            flag="--standstill",
            kind="unsigned",
            label=N_("Long standstill above"),
            help=N_("time of a long standstill, s (default 30)"),
            metavar="S",
            unit="s",
            step=5.0,
        ),
    )


STANDARD = Thresholds()


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event.

    Attributes:
        name: Its name on the command line and in files.
        needs_map: Only a road map tells of it.
        is_frequent: It is so frequent that lists fold it at first.
        unit: The unit of the value; empty without one.
        threshold: The field of `Thresholds` that decides; empty where none does.
        limit_text: What is so all the time that it lasts, with `{limit}` for the threshold; empty without one.
        measure: The measure of a pair, by its name, that is below the threshold; empty where it is none.
    """

    name: EventName
    title_text: str
    value_text: str
    unit: str
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
    EventKind("collision", N_("Collision"), N_("Speed of the two relative to each other at contact"), "m/s"),
    EventKind(
        "near-miss",
        N_("Near miss"),
        N_("Least 2D-TTC"),
        "s",
        threshold="near_miss",
        limit_text=N_("2D-TTC below {limit}"),
        measure="ttc2d",
    ),
    EventKind(
        "short-pet",
        N_("Short PET"),
        N_("Post-encroachment time"),
        "s",
        threshold="short_pet",
        limit_text=N_("PET below {limit}"),
    ),
    EventKind(
        "walker-ahead",
        N_("Walker before a car"),
        N_("Least time headway"),
        "s",
        threshold="walker_ahead",
        limit_text=N_("Time headway below {limit}"),
    ),
    EventKind("red-light", N_("Red light passed"), N_("Speed"), "m/s"),
    EventKind("wrong-way", N_("Wrong way"), N_("Time against the direction of the lane"), "s", needs_map=True),
    EventKind("off-road", N_("Off the road"), N_("Time off the road"), "s", needs_map=True),
    EventKind(
        "cut-in",
        N_("Cut-in"),
        N_("Least time headway"),
        "s",
        threshold="cut_in",
        limit_text=N_("Time headway below {limit}"),
    ),
    EventKind(
        "hard-braking",
        N_("Hard braking"),
        N_("Least acceleration"),
        "m/s²",
        is_frequent=True,
        threshold="hard_braking",
        limit_text=N_("Acceleration below {limit}"),
    ),
    EventKind(
        "hard-steering",
        N_("Hard steering"),
        N_("Greatest acceleration to the side"),
        "m/s²",
        is_frequent=True,
        threshold="hard_steering",
        limit_text=N_("Acceleration to the side above {limit}"),
    ),
    EventKind("overtaking", N_("Overtaking"), N_("Speed relative to the one that is overtaken"), "m/s"),
    EventKind("lane-change", N_("Lane change"), N_("Speed"), "m/s", needs_map=True, is_frequent=True),
    EventKind("u-turn", N_("U-turn"), N_("Change of the heading"), "°"),
    EventKind(
        "standstill",
        N_("Long standstill"),
        N_("Time that it stands"),
        "s",
        is_frequent=True,
        threshold="standstill",
        limit_text=N_("Stands longer than {limit}"),
    ),
)
"""All kinds, the worst ones first."""

NUMBERS: Mapping[EventName, int] = {kind.name: number for number, kind in enumerate(KINDS)}
"""The number of each kind in the table."""
