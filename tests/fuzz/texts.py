"""Texts and values that nobody would write: what JSON, expressions, tables and command lines are made worse with."""

import json
from random import Random
from typing import Any

NUMBERS: tuple[float | int, ...] = (
    0,
    1,
    -1,
    2,
    7,
    174,
    255,
    256,
    65_536,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**53 + 1,
    2**63 - 1,
    2**63,
    2**64 - 1,
    2**64,
    10**30,
    10**400,
    -(2**63),
    0.0,
    -0.0,
    0.05,
    0.1,
    0.5,
    1.5,
    1e-9,
    1e-300,
    5e-324,
    1e9,
    3.4e38,
    3.5e38,
    1e300,
    1.8e308,
    float("inf"),
    float("-inf"),
    float("nan"),
)
WORDS = (
    "",
    " ",
    "hero",
    "#1",
    "#0",
    "#2",
    "#99999999999999999999",
    "174",
    "100",
    "100@1",
    "174@2",
    "type:vehicle.*",
    "role:hero",
    "type:*",
    "true",
    "null",
    "NaN",
    "-Infinity",
    "Position",
    "location.z",
    "\ud800",
    "\x00",
    "\x1b[2J",
    "\u202e",
    "\n",
    "\U0001f697",
    "'",
    '"',
    "\\",
    "x" * 300,
    "9" * 5_000,
    "f32:7f800001",
    "f64:7ff0000000000001",
    "f32:",
    "hex",
    "ff",
    "f",
    "zz",
    "ue4-0.9.16",
    "ue5-2026",
    "../x",
    "%s",
    "{}",
    "[]",
    "0x",
    "0xffffffff",
    "1e999",
    "１",
    "٣",
    "²",
)
PIECES = (
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    ";",
    "\\",
    "\n",
    "\r\n",
    "\t",
    " ",
    "-",
    "+",
    "*",
    "/",
    "=",
    "==",
    "<",
    "#",
    "@",
    ".",
    "0",
    "1",
    "9",
    "e",
    "E",
    "NaN",
    "Infinity",
    "null",
    "true",
    "\x00",
    "\x1b",
    "\ufeff",
    "\ud800",
    "\u2028",
    "\u0130",
    "\\u0000",
    "\\ud800",
    "9" * 30,
    "9" * 5_000,
    "[" * 200,
    "(" * 80,
    '"' * 3,
)


def odd_value(random: Random, depth: int = 0) -> Any:
    """A value of JSON, and those that only Python's reader knows (NaN, 10**400)."""
    kind = random.randrange(8 if depth < 2 else 5)
    if kind < 2:
        return random.choice(NUMBERS)
    if kind < 4:
        return random.choice(WORDS)
    if kind == 4:
        return random.choice((None, True, False))
    if kind == 5:
        return [odd_value(random, depth + 1) for _ in range(random.randrange(4))]
    if kind == 6:
        return {random.choice(WORDS): odd_value(random, depth + 1) for _ in range(random.randrange(3))}
    value: Any = random.choice((0, "x"))
    for _ in range(random.choice((3, 100))):
        value = [value]
    return value


def worse(value: Any, random: Random) -> Any:
    """A value of JSON with one thing in it changed: another value, a key less or more, an item twice."""
    if isinstance(value, dict) and value and random.random() < 0.85:
        key = random.choice(list(value))
        kind = random.randrange(8)
        if kind == 0:
            return {name: each for name, each in value.items() if name != key}
        if kind == 1:
            return {**value, random.choice((*WORDS, *value)): odd_value(random)}
        return {**value, key: worse(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.85:
        at, kind = random.randrange(len(value)), random.randrange(8)
        if kind == 0:
            return value[:at] + value[at + 1 :]
        if kind == 1:
            return [*value[:at], value[at], *value[at:]]
        return [*value[:at], worse(value[at], random), *value[at + 1 :]]
    if isinstance(value, str) and value and random.random() < 0.4:
        return mangled(value, random)
    if isinstance(value, int | float) and not isinstance(value, bool) and random.random() < 0.4:
        return random.choice(
            (
                value + 1,
                value - 1,
                -value,
                value * 2,
                value / 3 if abs(value) < 1e300 else 0,
                float(value) if abs(value) < 1e300 else 1.0,
            )
        )
    return odd_value(random)


def mangled(text: str, random: Random) -> str:
    """A text with a piece taken out, put in, doubled or in another place."""
    at, size = random.randrange(len(text) + 1), int(2 ** (random.random() * 7))
    kind = random.randrange(6)
    if kind < 2:
        return text[:at] + random.choice(PIECES) + text[at + (size if kind else 0) :]
    if kind == 2:
        return text[:at] + text[at + size :]
    if kind == 3:
        return text[: at + size] + text[at:]
    if kind == 4:
        return text[:at]
    to = random.randrange(len(text) + 1)
    return text[:to] + text[at : at + size] + text[to:]


def as_json(value: Any, random: Random) -> str:
    """The value as text, as a careless program writes it: NaN, halves of characters, any spacing."""
    plain = random.random() < 0.5
    try:
        return json.dumps(value, ensure_ascii=plain, indent=random.choice((None, None, 2)))
    except ValueError:  # digits that Python will not write
        return json.dumps(str(type(value)))


def some(random: Random, mean: float = 1.0) -> int:
    """One or a few."""
    return 1 + min(int(random.expovariate(1 / mean)), 8)
