"""What may stand at the cursor of an expression that is being written."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...errors import PacketNameError
from ...format import Dialect, PacketType, packet_number
from ...roads import LANE_TYPES
from ...texts import listed, say, say_count, value_name
from ..actors import Actors
from .grammar import COMPARE, FUNCTIONS, TOKEN
from .query import DERIVED
from .records import LANE_NAMES

_PART = re.compile(rf"{TOKEN.pattern}|(?P<open>\"[^\"]*$|'[^']*$)", re.ASCII)
_COMPARED = (*COMPARE, "like", "in", ",", "(", "=")
_BEFORE_VALUE = (*_COMPARED, "where", "and", "or", "not", "+", "-", "*", "/", ":")


class Proposal(NamedTuple):
    """A word, and what it means in a few words."""

    word: str
    meaning: str


class Completion(NamedTuple):
    """The text from `start` to the cursor may become one of these, those that begin with it first.

    Attributes: `start`, `proposals`, `alike` (how many of them begin with the text, in any case).
    """

    start: int
    proposals: tuple[Proposal, ...]
    alike: int


def completion(text: str, dialect: Dialect, actors: Actors | None, *, sets: bool = True) -> Completion:
    """What may stand at the end of a text (all of it before the cursor).

    `sets`: a field to be set stands behind the colon, and no value.
    """
    parts = []
    for match in _PART.finditer(text):
        parts.append((match.lastgroup, match[0], match.start()))
    is_word = bool(parts) and parts[-1][0] in ("name", "open") and text.endswith(parts[-1][1])
    if is_word:
        start = parts.pop()[2]
    else:
        start = len(text)
    is_quoted = text[start : start + 1] in ("'", '"')
    before = [part[1] for part in parts]
    kinds = {kind.name.lower(): kind for kind in dialect.packets.values()}
    if not before:
        every = [Proposal(kind.name, say(kind.meaning)) for kind in kinds.values()]
    elif (kind := _kind_of(before[0], kinds, dialect)) is None:
        every = []
    else:
        every = list(_values(before, kind, actors) if is_quoted else _behind(before[1:], kind, actors, sets))
    if is_quoted:
        every = [Proposal(_quoted(word), meaning) for word, meaning in every]
    typed = text[start:].strip("\"'").lower()
    begun = []
    for each in every:
        if _begins(each.word.strip('"').lower(), typed):
            begun.append(each)
    others = []
    for each in every:
        if each not in begun and typed in each.word.lower():
            others.append(each)
    return Completion(start, (*begun, *others), len(begun))


def _kind_of(text: str, kinds: Mapping[str, PacketType], dialect: Dialect) -> PacketType | None:
    """The packet of the first word, a name or an id; None if there is none."""
    try:
        number = packet_number(text)
    except PacketNameError:
        return None
    if number is None:
        return kinds.get(text.lower())
    return dialect.packet(number)


def _quoted(word: str) -> str:
    if word.startswith('"'):
        return word
    return f'"{word}"'


def _begins(word: str, typed: str) -> bool:
    return word.startswith(typed) or any(part.startswith(typed) for part in re.split("[._]", word))


def _behind(before: list[str], kind: PacketType, actors: Actors | None, sets: bool) -> Iterator[Proposal]:
    """What may stand behind these tokens after the packet's name."""
    is_set = sets and ":" in before
    if not before:
        yield Proposal("where", say("a condition follows"))
    elif before[-1] not in _BEFORE_VALUE:
        yield from (Proposal(word, "") for word in ("and", "or", "in", "like") if not is_set)
    elif is_set and (before[-1] == ":" or (before[-1] == "," and before.count("(") == before.count(")"))):
        yield from _fields(kind)
    else:
        yield from _values(before, kind, actors)
        yield from _fields(kind)
        yield from (Proposal(*each) for each in _derived(kind))
        yield from (Proposal(f"{name}(", say("function")) for name in FUNCTIONS)


def _derived(kind: PacketType) -> Iterator[tuple[str, str]]:
    for name in DERIVED:
        if name not in kind.record.fields and (name not in LANE_NAMES or "location.x" in kind.record.fields):
            yield name, say("by the road map") if name in LANE_NAMES else say("derived")


def _meaning(number: int, word: str) -> str:
    """Of the name of a value, which is typed in English: its number, and the name in other languages."""
    return listed((f"{number}", value_name(word).removeprefix(word)), "clauses")


def _fields(kind: PacketType) -> Iterator[Proposal]:
    for path, field in kind.record.fields.items():
        yield Proposal(path, listed((say(field.meaning), field.unit), "clauses"))


def _values(before: list[str], kind: PacketType, actors: Actors | None) -> Iterator[Proposal]:
    """Values of the field, blueprint or role that is compared or set here."""
    names = []
    for text in before:
        if text in kind.record.fields or text in DERIVED:
            names.append(text)
    if names and before[-1] in _COMPARED:
        name = names[-1]
    else:
        name = ""
    field = kind.record.fields.get(name)
    if field is not None and (words := field.choices or field.flags):
        yield from (Proposal(w if w.isidentifier() else _quoted(w), _meaning(number, w)) for number, w in words.items())
    elif name == "lane_type":
        yield from (Proposal(_quoted(word), "") for word in LANE_TYPES)
    elif name in ("blueprint", "role") and actors is not None:
        met = Counter(life.blueprint if name == "blueprint" else life.role_name for life in actors)
        for word in sorted(met):
            if word and '"' not in word:
                yield Proposal(_quoted(word), say_count("1 actor", "{count:,} actors", count=met[word]))
