"""The units in which quantities and moments are shown: what is recorded in one, written and typed in another.

Only what people see and type in the window: files, scripts, expressions and commands keep the units of the recording.
"""

import math
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

_FROM = 60.0
_TO = 1e9  # beyond it hours say nothing, and what is stored is damage
_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d*)?)$")


def is_long(seconds: float) -> bool:
    """Whether a recording that ends then has its moments written as h:mm:ss."""
    return _FROM <= seconds < _TO


def time_text(seconds: float, *, clock: bool, decimals: int = 3) -> str:
    """Seconds with so many decimals, without a unit; a dash for what is not finite."""
    if not math.isfinite(seconds):
        return "—"
    if not clock or abs(seconds) >= _TO:
        return f"{seconds:.{decimals}f}"
    units = 10**decimals
    whole, part = divmod(round(abs(seconds) * units), units)
    sign = "-" if seconds < 0 and (whole or part) else ""
    if decimals:
        tail = f".{part:0{decimals}d}"
    else:
        tail = ""
    return f"{sign}{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}{tail}"


def seconds_of(text: str) -> float:
    """What was written as seconds, m:ss or h:mm:ss; raises ValueError."""
    given = text.strip().removesuffix("s").rstrip()
    sign = -1.0 if given.startswith("-") else 1.0
    found = _CLOCK.match(given.removeprefix("-"))
    if found:
        return sign * (int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3]))
    return float(given)


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
"""Units of one quantity and how large they are."""

_FEWER_DECIMALS = {("m", "cm"): 2, ("°", "rad"): -2, ("°/s", "rad/s"): -2}
_EXACT_DIGITS = 50
_LONGEST_PLAIN = 15


class Units(NamedTuple):
    """How lengths, speeds, angles and moments are shown; `file`: as the recording has them."""

    length: Length = "file"
    speed: Speed = "file"
    angle: Angle = "°"
    time: Time = "auto"

    def unit(self, unit: str) -> str:
        """The unit in which values of a unit are shown."""
        for chosen, sizes in zip((self.length, self.speed, self.angle, f"{self.angle}/s"), _SIZES, strict=True):
            if unit in sizes and chosen in sizes:
                return chosen
        return unit

    def factor(self, unit: str) -> float:
        """What a value is multiplied by to be shown."""
        return float(_factor(unit, self.unit(unit)))

    def decimals(self, unit: str, decimals: int) -> int:
        """How many decimals tell as much as so many do in `unit`."""
        return max(0, decimals - _FEWER_DECIMALS.get((unit, self.unit(unit)), 0))

    def text(self, value: float, unit: str, decimals: int = 3) -> str:
        """A value and its unit, as labels say it: `35.3 km/h`."""
        return f"{value * self.factor(unit):.{self.decimals(unit, decimals)}f} {self.unit(unit)}"

    def short(self, value: float, unit: str) -> str:
        """The same with as few digits as a legend has: `57.6 km/h`."""
        return f"{value * self.factor(unit):.3g} {self.unit(unit)}"

    def exact(self, text: str, unit: str) -> str:
        """A number of the recording in the unit shown: so many digits that `stored` gives the same float again."""
        factor = _factor(unit, self.unit(unit))
        number = _number(text)
        if factor == 1 or number is None:
            return text
        wanted = float(number)
        whole = Fraction(number) * factor
        for digits in range(len(number.as_tuple().digits), _EXACT_DIGITS):
            shown = _plain(whole, digits, is_negative=number.is_signed())
            if float(_stored(Decimal(shown), factor)) == wanted:
                return shown
        return _plain(whole, _EXACT_DIGITS, is_negative=number.is_signed())

    def stored(self, text: str, unit: str) -> str:
        """What was typed in the unit shown as a number of the recording; what is no finite number stays as it is."""
        factor = _factor(unit, self.unit(unit))
        number = _number(text)
        if factor == 1 or number is None:
            return text
        return _stored(number, factor)

    def has_clock(self, end: float) -> bool:
        """Whether moments of a recording that ends then (s) are written as h:mm:ss."""
        return self.time == "clock" or (self.time == "auto" and is_long(end))

    def time_parts(self, seconds: float, end: float, decimals: int = 3) -> tuple[str, str]:
        """A moment or a length of a recording that ends at `end` (s), as text and unit; h:mm:ss has none."""
        clock = self.has_clock(end)
        return time_text(seconds, clock=clock, decimals=decimals), "" if clock else "s"

    def time_label(self, seconds: float, end: float, decimals: int = 3) -> str:
        """The same in one: `17.600 s`, or `0:00:17.600`."""
        return " ".join(filter(None, self.time_parts(seconds, end, decimals)))

    def moment(self, seconds: float, end: float, text: str) -> tuple[str, str]:
        """A stored time of a recording that ends at `end` (s) as text and unit: `text` where it is not h:mm:ss."""
        shown = time_text(seconds, clock=self.has_clock(end))
        if ":" in shown:
            return (shown, "")
        return (text, "s")


AS_STORED = Units()


@lru_cache
def _factor(unit: str, shown: str) -> Fraction:
    return next((sizes[unit] / sizes[shown] for sizes in _SIZES if unit in sizes and shown in sizes), Fraction(1))


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
    """A fraction rounded to so many digits, without zeros at its end; zero keeps its sign."""
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
    """Bytes as people say them: `1.6 MB`."""
    if size < 1000:
        return f"{size} B"
    # a list has one
    if size < 99_500:
        unit, one = ("kB", 1e3)
    elif size < 999.5e6:
        unit, one = ("MB", 1e6)
    else:
        unit, one = ("GB", 1e9)
    if size >= 99.5 * one:
        return f"{size / one:.0f} {unit}"
    return f"{size / one:.1f} {unit}"
