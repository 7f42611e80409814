"""Packets as people name them: by a name in any case, or by the number of their id, as of a fork's packet."""

import re
from functools import cache

from ..errors import PacketNameError
from ..suggestions import did_you_mean
from ..texts import say
from .dialects import DIALECTS, Dialect
from .packet_file import LARGEST_ID
from .schema import PacketType

_NUMBER = re.compile("[0-9]+")


def packet_number(text: str) -> int | None:
    """The id of a text that is a number; None for another text.

    Raises:
        PacketNameError: No packet can have the number.
    """
    digits = text.strip()
    if _NUMBER.fullmatch(digits) is None:
        return None
    shortened = digits.lstrip("0") or "0"
    if len(shortened) > len(str(LARGEST_ID)) or int(shortened) > LARGEST_ID:
        raise PacketNameError(
            say("There is no packet {number}: ids are 0 to {largest}.", number=digits, largest=LARGEST_ID)
        )
    return int(shortened)


@cache
def _known_names() -> frozenset[str]:
    """The names of packets in all dialects."""
    return frozenset(kind.name for dialect in DIALECTS.values() for kind in dialect.packets.values())


def refuse_misspelt(dialect: Dialect, name: str) -> None:
    """Refuse a name that no packet of a release has.

    Args:
        dialect: The dialect of the recording, in which forks and users have packets of their own.
        name: The name.

    Raises:
        PacketNameError: It is none; it says which one was meant.
    """
    if name in _known_names() or dialect.by_name(name) is not None or name.startswith("Unknown "):
        return
    names = [kind.name for kind in dialect.packets.values()]
    raise PacketNameError(say("“{name}” is no packet.{meant}", name=name, meant=did_you_mean(name, names)))


def packets_named(dialect: Dialect, text: str) -> tuple[PacketType, ...]:
    """The packet types that a text names.

    Args:
        dialect: The dialect that the ids are of.
        text: A name in any case (`Position`, `Unknown 150`) or an id (`139`, `150`), in a table or not.

    Returns:
        One type, or several if a fork writes packets of one name under several ids.

    Raises:
        PacketNameError: There is no such name, or the number is no id.
    """
    number = packet_number(text)
    if number is not None:
        return (dialect.packet(number),)
    name = text.strip().lower()
    matches = []
    names = []
    for packet_id in range(LARGEST_ID + 1):
        kind = dialect.packet(packet_id)
        if kind.name.lower() == name:
            matches.append(kind)
        if kind.id in dialect.packets and kind.name not in names:
            names.append(kind.name)
    if not matches:
        raise PacketNameError(
            say(
                "“{name}” is not a packet of {title}.{meant} Its packets: {names}, or the number of an id.",
                name=text.strip(),
                title=dialect.title,
                meant=did_you_mean(name, names),
                names=", ".join(names),
            )
        )
    return tuple(matches)
