"""The limits from which something is a traffic event: options of the command line, preferences, and rows of the guide.

Each is declared once, with its range and the source of its default.
"""

from dataclasses import dataclass

from ..errors import RecorderError
from ..option_specs import OptionSpec, option, options_of
from ..texts import N_, say


class ThresholdError(RecorderError):
    """A threshold is out of its range."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The limits from which something is an event.

    Attributes:
        near_miss: 2D-TTC below which two nearly collide, s.
        short_pet: Post-encroachment time below which a crossing is a near miss, s (SSAM has 5 s as the most).
        walker_ahead: Time headway to a walker below which a car has one before it, s.
        cut_in: Time headway below which an actor that comes into another one's way cuts in, s.
        hard_braking: Acceleration of hard braking and below, m/s².
        hard_steering: Acceleration across the heading of hard steering and above, m/s².
        standstill: Seconds from which an actor that also moves stands long.

    Raises:
        ThresholdError: One of them is out of its range.
    """

    near_miss: float = option(
        1.5,
        OptionSpec(
            flag="--near-miss",
            kind="number",
            label=N_("Near miss below"),
            help=N_("2D-TTC of a near miss, s (default 1.5)"),
            metavar="S",
            unit="s",
            step=0.1,
            low=0.1,
            high=10.0,
            source=N_("van der Horst and Hogema (1993)"),
        ),
    )
    short_pet: float = option(
        1.5,
        OptionSpec(
            flag="--short-pet",
            kind="number",
            label=N_("Short PET below"),
            help=N_("post-encroachment time that is short, s (default 1.5)"),
            metavar="S",
            unit="s",
            step=0.1,
            low=0.1,
            high=10.0,
            source=N_("FHWA, Surrogate Safety Assessment Model (2008): what is serious"),
        ),
    )
    walker_ahead: float = option(
        1.0,
        OptionSpec(
            flag="--walker-ahead",
            kind="number",
            label=N_("Walker before a car below"),
            help=N_("time headway of a car to a walker before it, s (default 1)"),
            metavar="S",
            unit="s",
            step=0.1,
            low=0.1,
            high=10.0,
            source=N_("chosen here: about the time in which a driver begins to brake (Green, 2000)"),
        ),
    )
    cut_in: float = option(
        1.5,
        OptionSpec(
            flag="--cut-in",
            kind="number",
            label=N_("Cut-in below"),
            help=N_("time headway behind one that cuts in, s (default 1.5)"),
            metavar="S",
            unit="s",
            step=0.1,
            low=0.1,
            high=10.0,
            source=N_("chosen here: as that of a near miss"),
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
            low=-20.0,
            high=0.0,
            source=N_("naturalistic driving studies: from -3 to -5"),
        ),
    )
    hard_steering: float = option(
        4.0,
        OptionSpec(
            flag="--hard-steering",
            kind="number",
            label=N_("Hard steering above"),
            help=N_("acceleration to the side of hard steering, m/s² (default 4)"),
            metavar="A",
            unit="m/s²",
            step=0.5,
            low=0.0,
            high=20.0,
            source=N_("chosen here: as much as for hard braking"),
        ),
    )
    standstill: float = option(
        30.0,
        OptionSpec(
            flag="--standstill",
            kind="number",
            label=N_("Long standstill above"),
            help=N_("time of a long standstill, s (default 30)"),
            metavar="S",
            unit="s",
            step=5.0,
            low=1.0,
            high=3600.0,
            source=N_("chosen here"),
        ),
    )

    def __post_init__(self) -> None:
        """Refuse what is out of its range."""
        for name, _, spec in options_of(type(self)):
            value = getattr(self, name)
            if not spec.holds(value):
                raise ThresholdError(
                    say(
                        "The threshold {name} is {value:g}, and has to be from {low:g} to {high:g} {unit}.",
                        name=name,
                        value=value,
                        low=spec.low,
                        high=spec.high,
                        unit=spec.unit,
                    )
                )


STANDARD = Thresholds()
