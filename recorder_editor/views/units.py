"""The units in which quantities and moments are shown: what is recorded in one, written and typed in another.

Only what people see and type in the window: files, scripts, expressions and commands keep the units of the recording.
"""

import math
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

_SHORTEST_CLOCK = 60.0
_LONGEST_CLOCK = 1e9  # beyond it hours have no meaning, and what is stored is damage


def is_long(seconds: float) -> bool:
    """Return whether a recording that ends at a moment (s) has its moments written as h:mm:ss."""
    return _SHORTEST_CLOCK <= seconds < _LONGEST_CLOCK


def time_text(seconds: float, *, clock: bool, decimals: int = 3) -> str:
    """Write seconds.

    Args:
        seconds: The time, s.
        clock: Whether it is written as h:mm:ss.
        decimals: Number of decimals.

    Returns:
        The text without a unit; a dash for what is not finite.
    """
    if not math.isfinite(seconds):
        return "—"
    if not clock or abs(seconds) >= _LONGEST_CLOCK:
        return f"{seconds:.{decimals}f}"
    parts_of_second = 10**decimals
    whole, part = divmod(round(abs(seconds) * parts_of_second), parts_of_second)
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    text = f"{hours}:{minute:02d}:{second:02d}"
    if decimals:
        text = f"{text}.{part:0{decimals}d}"
    if seconds < 0 and (whole or part):
        return f"-{text}"
    return text


Length = Literal["file", "cm", "m"]
Speed = Literal["file", "m/s", "km/h"]
Angle = Literal["°", "rad"]
Time = Literal["auto", "seconds", "clock"]
"""Moments as h:mm:ss in recordings longer than a minute, in none, or in all."""

_PI = Fraction("3.14159265358979323846264338327950288419716939937510")
_SIZES: tuple[Mapping[str, Fraction], ...] = (
    {"cm": Fraction(1, 100), "m": Fraction(1)},
    {"cm/s": Fraction(1, 100), "m/s": Fraction(1), "km/h": Fraction(5, 18)},
    {"°": _PI / 180, "rad": Fraction(1)},
    {"°/s": _PI / 180, "rad/s": Fraction(1)},
)
"""Units of one quantity and their sizes in a common one."""

_FEWER_DECIMALS = {("m", "cm"): 2, ("°", "rad"): -2, ("°/s", "rad/s"): -2}
_EXACT_DIGITS = 50
_LONGEST_PLAIN = 15


class Units(NamedTuple):
    """The units in which quantities are shown.

    Attributes:
        length: Of lengths; "file": as the recording has them.
        speed: Of speeds; "file": as the recording has them.
        angle: Of angles.
        time: How moments are written.
    """

    length: Length = "file"
    speed: Speed = "file"
    angle: Angle = "°"
    time: Time = "auto"

    def unit(self, unit: str) -> str:
        """Return the unit in which values of a unit are shown."""
        shown = (self.length, self.speed, self.angle, f"{self.angle}/s")
        for shown_unit, sizes in zip(shown, _SIZES, strict=True):
            if unit in sizes and shown_unit in sizes:
                return shown_unit
        return unit

    def factor(self, unit: str) -> float:
        """Return the factor from a unit to the one in which it is shown."""
        return float(_factor(unit, self.unit(unit)))

    def decimals(self, unit: str, decimals: int) -> int:
        """Return how many decimals of the unit shown tell as much as a number of decimals of the recorded one.

        Args:
            unit: Unit of the recording.
            decimals: Number of decimals in that unit.
        """
        return max(0, decimals - _FEWER_DECIMALS.get((unit, self.unit(unit)), 0))

    def text(self, value: float, unit: str, decimals: int = 3) -> str:
        """Write a value with its unit for a label: `35.3 km/h`.

        Args:
            value: Value in the unit of the recording.
            unit: That unit.
            decimals: Number of decimals that it would have in that unit.
        """
        return f"{value * self.factor(unit):.{self.decimals(unit, decimals)}f} {self.unit(unit)}"

    def short(self, value: float, unit: str) -> str:
        """Write a value of a unit with three digits and the unit shown, for a legend: `57.6 km/h`."""
        return f"{value * self.factor(unit):.3g} {self.unit(unit)}"

    def exact(self, text: str, unit: str) -> str:
        """Convert a number of the recording to the unit shown, with so many digits that `stored` gives the same float.

        Args:
            text: The number; what is no finite number is returned as it is.
            unit: Its unit.
        """
        factor = _factor(unit, self.unit(unit))
        number = _number(text)
        if factor == 1 or number is None:
            return text
        converted = Fraction(number) * factor
        for digits in range(len(number.as_tuple().digits), _EXACT_DIGITS):
            shown = _plain(converted, digits, is_negative=number.is_signed())
            if float(_stored(Decimal(shown), factor)) == float(number):
                return shown
        return _plain(converted, _EXACT_DIGITS, is_negative=number.is_signed())

    def stored(self, text: str, unit: str) -> str:
        """Convert a number that was typed in the unit shown to the unit of the recording.

        Args:
            text: The number; what is no finite number is returned as it is.
            unit: Unit of the recording.
        """
        factor = _factor(unit, self.unit(unit))
        number = _number(text)
        if factor == 1 or number is None:
            return text
        return _stored(number, factor)

    def has_clock(self, end: float) -> bool:
        """Return whether moments of a recording that ends at a moment (s) are written as h:mm:ss."""
        return self.time == "clock" or (self.time == "auto" and is_long(end))

    def time_parts(self, seconds: float, end: float, decimals: int = 3) -> tuple[str, str]:
        """Write a moment or a length.

        Args:
            seconds: The moment or length, s.
            end: End of the recording, s, which decides between seconds and h:mm:ss.
            decimals: Number of decimals.

        Returns:
            The text, and its unit, which is empty for h:mm:ss.
        """
        clock = self.has_clock(end)
        text = time_text(seconds, clock=clock, decimals=decimals)
        return text, "" if clock else "s"

    def time_label(self, seconds: float, end: float, decimals: int = 3) -> str:
        """Write a moment or a length with its unit: `17.600 s`, or `0:00:17.600`; arguments as `time_parts`."""
        text, unit = self.time_parts(seconds, end, decimals)
        if unit:
            return f"{text} {unit}"
        return text

    def moment(self, seconds: float, end: float, text: str) -> tuple[str, str]:
        """Write a stored time.

        Args:
            seconds: The time, s.
            end: End of the recording, s, which decides between seconds and h:mm:ss.
            text: The time as text, for seconds.

        Returns:
            The text, and its unit, which is empty for h:mm:ss.
        """
        shown = time_text(seconds, clock=self.has_clock(end))
        if ":" in shown:
            return shown, ""
        return text, "s"


AS_STORED = Units()


@lru_cache
def _factor(unit: str, shown: str) -> Fraction:
    for sizes in _SIZES:
        if unit in sizes and shown in sizes:
            return sizes[unit] / sizes[shown]
    return Fraction(1)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    # An exponent beyond any float makes a fraction of as many digits.
    if number.is_finite() and abs(number.adjusted()) < 400:
        return number
    return None


def _stored(shown: Decimal, factor: Fraction) -> str:
    return _plain(Fraction(shown) / factor, _EXACT_DIGITS, is_negative=shown.is_signed())


def _plain(value: Fraction, digits: int, *, is_negative: bool) -> str:
    """Write a fraction rounded to so many digits, without zeros at its end; zero keeps its sign."""
    with localcontext(prec=max(1, digits)):
        number = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    if abs(number.adjusted()) < _LONGEST_PLAIN:
        text = format(number, "f")
    else:
        text = str(number).lower()
    if is_negative and not number:
        return f"-{text}"
    return text


def size_text(size: int) -> str:
    """Write a number of bytes: `1.6 MB`."""
    if size < 1000:
        return f"{size} B"
    # With a decimal below 99.5 of a unit, without one from there on.
    if size < 99_500:
        unit = "kB"
        unit_size = 1e3
    elif size < 999.5e6:
        unit = "MB"
        unit_size = 1e6
    else:
        unit = "GB"
        unit_size = 1e9
    decimals = 0 if size >= 99.5 * unit_size else 1
    return f"{size / unit_size:.{decimals}f} {unit}"


def size_parts(size: int, whole: int) -> tuple[str, str]:
    """Write a number of bytes of a file of so many as number and unit, in which the whole has up to four digits."""
    if whole < 9_950e3:
        return f"{size / 1e3:,.0f}", "kB"
    if whole < 9_950e6:
        return f"{size / 1e6:,.1f}", "MB"
    return f"{size / 1e9:,.2f}", "GB"
