"""The numbers in EventAdd that differ between releases: types of attributes and classes of actors.

Format reference 4.2. A table maps all 256 numbers; classes also depend on the blueprint, since releases without a class
for sensors or signs use Other.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...arrays import BoolArray, ByteArray
from ...format.dialects import Dialect

SENSOR, SIGN = "Sensor", "TrafficSign"


@dataclass(frozen=True, eq=False)
class AttributeTypes:
    """The new numbers of attribute types. Attributes: `table` (uint8[256]), `strange` (bool[256]: no such type)."""

    table: ByteArray
    strange: BoolArray


@dataclass(frozen=True, eq=False)
class ActorTypes:
    """The new numbers of actor classes.

    Attributes: `table` (uint8[256]), `lost` (classes that the target lacks and that become Other, by number in the
    source), `found` (numbers in the target of classes that are Other in the source).
    """

    table: ByteArray
    lost: Mapping[int, str]
    found: Mapping[str, int]


def attribute_types(source: Dialect, target: Dialect) -> AttributeTypes | None:
    """The new numbers of attribute types; None if they are equal."""
    names, numbers = _attribute_names(source), {name: number for number, name in _attribute_names(target).items()}
    text = numbers["String"]
    shift = text - next(number for number, name in names.items() if name == "String")
    table, strange = np.zeros(256, np.uint8), np.zeros(256, np.bool_)
    for number in range(256):
        # A number without a name is shifted as the others.
        new = numbers.get(names[number]) if number in names else number + shift
        strange[number] = new is None or not 0 <= new <= 255
        table[number] = text if strange[number] or new is None else new
    same = not strange.any() and bool((table == np.arange(256)).all())
    return None if same else AttributeTypes(table, strange)


def actor_types(source: Dialect, target: Dialect) -> ActorTypes | None:
    """The new numbers of actor classes; None if they are equal."""
    here, there = _actor_names(source), _actor_names(target)
    numbers = {name: number for number, name in there.items()}
    if here == there or not any(_is_sign(name) or name == SENSOR for name in (*_sure(here), *_sure(there))):
        # Up to 0.9.9.4 it is unknown in which releases 4 is a sign.
        return None
    table = np.arange(256, dtype=np.uint8)
    lost: dict[int, str] = {}
    for number, name in here.items():
        if name in numbers:
            table[number] = numbers[name]
        elif not (_is_sign(name) and _is_sign(there.get(number, ""))):
            table[number] = 0
            lost[number] = name
    known = [name for name in (SENSOR, SIGN) if any(each.startswith(name) for each in here.values())]
    found = {name: numbers[name] for name in (SENSOR, SIGN) if name in numbers and name not in known}
    return ActorTypes(table, lost, found)


def _is_sign(name: str) -> bool:
    return name.startswith(SIGN)


def _sure(choices: Mapping[int, str]) -> list[str]:
    """The classes whose number has one meaning in all releases of the dialect."""
    return [name for name in choices.values() if "(" not in name]


def attributes_apart(mine: Dialect, theirs: Dialect) -> str:
    """Why recordings of one dialect cannot be joined: a sentence, or empty if attribute types are equal."""
    if mine.name != theirs.name or attribute_types(theirs, mine) is None:
        return ""
    odd = 0 if mine.header_version == 2 else 1
    return (
        f"Both recordings are of {mine.title}, but number the types of attributes differently. Convert the one that "
        f"counts them from {odd} first, as in recorder-editor convert IN OUT --dialect {mine.name}"
    )


def _attribute_names(dialect: Dialect) -> Mapping[int, str]:
    return dialect.packets[2].record.arrays["attributes"].element.fields["type"].choices or {}


def _actor_names(dialect: Dialect) -> Mapping[int, str]:
    return dialect.packets[2].record.fields["type"].choices or {}
