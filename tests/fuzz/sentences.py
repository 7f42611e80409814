"""Expressions by chance, in the words of the packet table: queries that mean something, and some that do not."""

import operator
from random import Random

from recorder_editor.format.dialects import DIALECTS, Dialect
from recorder_editor.format.schema import Field, PacketType
from recorder_editor.reading.expression import DERIVED

from .texts import NUMBERS, mangled, some

NAMES = tuple(DIALECTS)
TEXTS = (
    "",
    "hero",
    "vehicle.*",
    "*",
    "vehicle.lincoln.mkz_2017",
    "Red",
    "Brake",
    "no such thing",
    "a" * 400,
    "é\U0001f697",
    "*" * 40,
)
COMPARE = ("==", "!=", "<", "<=", ">", ">=")
FUNCTIONS = {"abs": 1, "round": 1, "min": 2, "max": 2}
TYPED = tuple(number for number in NUMBERS if number == number and abs(number) < float("inf"))


def query(random: Random, dialect: Dialect) -> str:
    """A query of that dialect, or nearly one."""
    kind = random.choice(list(dialect.packets.values()))
    text = kind.name
    if random.random() < 0.7:
        text += f" where {condition(random, kind)}"
    fields = list(kind.record.fields.values())
    if fields and random.random() < 0.7:
        chosen = random.sample(fields, min(some(random, 0.7), len(fields)))
        text += ": " + ", ".join(f"{each.path} = {becomes(random, kind, each)}" for each in chosen)
    return mangled(text, random) if random.random() < 0.2 else text


def becomes(random: Random, kind: PacketType, field: Field) -> str:
    """What a field is set to."""
    if field.type == "str":
        return quoted(random) if random.random() < 0.7 else name(random, kind)
    if field.choices and random.random() < 0.3:
        return random.choice(list(field.choices.values()))
    return number(random, kind)


def condition(random: Random, kind: PacketType, depth: int = 0) -> str:
    """Something that is true of some records."""
    draw = random.randrange(9 if depth < 3 else 5)
    if draw < 2:
        return f"{number(random, kind, depth)} {random.choice(COMPARE)} {number(random, kind, depth)}"
    if draw == 2:
        return f"{name(random, kind)} {random.choice(COMPARE)} {literal(random)}"
    if draw == 3:
        return f"{name(random, kind)} like {quoted(random)}"
    if draw == 4:
        listed = ", ".join(random.choice((literal, quoted))(random) for _ in range(some(random)))
        return f"{name(random, kind)} in ({listed})"
    if draw == 5:
        return f"not {condition(random, kind, depth + 1)}"
    if draw == 6:
        return f"({condition(random, kind, depth + 1)})"
    return f"{condition(random, kind, depth + 1)} {random.choice(('and', 'or'))} {condition(random, kind, depth + 1)}"


def number(random: Random, kind: PacketType, depth: int = 0) -> str:
    """Something that is worked out."""
    draw = random.randrange(9 if depth < 3 else 5)
    if draw < 2:
        return literal(random)
    if draw < 5:
        return name(random, kind)
    if draw == 5:
        return f"-{number(random, kind, depth + 1)}"
    if draw == 6:
        function, takes = random.choice(list(FUNCTIONS.items()))
        return f"{function}({', '.join(number(random, kind, depth + 1) for _ in range(takes))})"
    if draw == 7:
        return f"({condition(random, kind, depth + 1)})"
    return f"({number(random, kind, depth + 1)} {random.choice('+-*/')} {number(random, kind, depth + 1)})"


def literal(random: Random) -> str:
    """A number as it is typed; a negative one with its sign."""
    value = random.choice(TYPED)
    return hex(value) if isinstance(value, int) and value >= 0 and random.random() < 0.1 else repr(value)


def quoted(random: Random) -> str:
    """A text in quotes."""
    return f'"{random.choice(TEXTS)}"'


def name(random: Random, kind: PacketType) -> str:
    """A field, something worked out, or something else."""
    fields = [*kind.record.fields] * 3
    return random.choice([*fields, *DERIVED, "id", "true", *kind.record.arrays])


def typed(random: Random, depth: int = 0) -> tuple[str, float | int]:
    """An expression of typed numbers alone, and what it is worth. Raises ZeroDivisionError and OverflowError.

    Whole numbers among themselves are exact as long as they stay below 2^128; all else is calculated in 64 bits.
    """
    draw = random.randrange(8 if depth < 3 else 3)
    if draw < 3:
        value = random.choice(TYPED)
        return f"({value!r})", _held(value)
    if draw == 3:
        text, value = typed(random, depth + 1)
        return f"-{text}", -value
    first, a = typed(random, depth + 1)
    second, b = typed(random, depth + 1)
    if draw == 5:
        sign, holds = random.choice((("==", operator.eq), ("<", operator.lt), (">=", operator.ge)))
        return f"({first} {sign} {second})", int(holds(a, b))
    if draw == 4:
        text, does = f"min({first}, {second})", min
    else:
        sign, does = random.choice(
            (("+", operator.add), ("-", operator.sub), ("*", operator.mul), ("/", operator.truediv))
        )
        text = f"({first} {sign} {second})"
    if does is operator.truediv or isinstance(a, float) or isinstance(b, float):
        a, b = float(a), float(b)
    return text, _held(does(a, b))


def _held(value: float | int) -> float | int:
    return float(value) if abs(value) >= 2**128 else value
