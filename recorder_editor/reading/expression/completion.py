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
from ..pair_signals import PAIR_MEASURES, PairMeasure
from .grammar import COMPARE, FUNCTIONS, TOKEN
from .query import DERIVED
from .records import LANE_NAMES, actor_text

_PART = re.compile(rf"{TOKEN.pattern}|(?P<open>\"[^\"]*$|'[^']*$)", re.ASCII)
_BEFORE_COMPARED = frozenset(COMPARE) | {"like", "in", ",", "(", "="}
_BEFORE_VALUE = _BEFORE_COMPARED | {"where", "and", "or", "not", "+", "-", "*", "/", ":"}


class Proposal(NamedTuple):
    """A word that may stand at the cursor.

    Attributes:
        word: The word as it is typed.
        meaning: What it means, in a few words.
    """

    word: str
    meaning: str


class Completion(NamedTuple):
    """What the text from `start` to the cursor may become.

    Attributes:
        start: The index in the text at which the word that is being written begins.
        proposals: The words that may stand there, those that begin with the text first.
        alike: How many of them begin with the text, in any case.
    """

    start: int
    proposals: tuple[Proposal, ...]
    alike: int


def completion(text: str, dialect: Dialect, actors: Actors | None, *, sets: bool = True) -> Completion:
    """Return what may stand at the end of a text.

    Args:
        text: The expression up to the cursor.
        dialect: The dialect that names packets and fields.
        actors: The actors of the recording, for their blueprints and roles; None for none.
        sets: Whether a field to be set stands behind the colon, and no value.

    Returns:
        The proposals, with the place of the word that they replace.
    """
    texts: list[str] = []
    start = len(text)
    for match in _PART.finditer(text):
        is_unfinished = match.lastgroup in ("name", "open") and match.end() == len(text)
        if is_unfinished:
            start = match.start()
        else:
            texts.append(match[0])
    is_quoted = text[start : start + 1] in ("'", '"')
    proposals = _proposals(texts, dialect, actors, is_quoted=is_quoted, sets=sets)
    typed = text[start:].strip("\"'").lower()
    alike: list[Proposal] = []
    others: list[Proposal] = []
    for proposal in proposals:
        if is_quoted:
            proposal = Proposal(_quoted(proposal.word), proposal.meaning)
        word = proposal.word.lower()
        if _begins(word.strip('"'), typed):
            alike.append(proposal)
        elif typed in word:
            others.append(proposal)
    return Completion(start, tuple(alike + others), len(alike))


def _proposals(
    before: list[str], dialect: Dialect, actors: Actors | None, *, is_quoted: bool, sets: bool
) -> list[Proposal]:
    """Return what may stand behind these tokens; values alone inside of quotes."""
    kinds = {kind.name.lower(): kind for kind in dialect.packets.values()}
    if not before:
        return [Proposal(kind.name, say(kind.meaning)) for kind in kinds.values()]
    kind = _kind_of(before[0], kinds, dialect)
    if kind is None:
        return []
    if is_quoted:
        return list(_values(before, kind, actors))
    return list(_behind(before[1:], kind, actors, sets=sets))


def _kind_of(text: str, kinds: Mapping[str, PacketType], dialect: Dialect) -> PacketType | None:
    """Return the packet of the first word, a name or an id; None if there is none."""
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
    """Whether a word, or a part of it behind a dot or an underscore, begins with the typed text."""
    if word.startswith(typed):
        return True
    return any(part.startswith(typed) for part in re.split("[._]", word))


def _behind(before: list[str], kind: PacketType, actors: Actors | None, *, sets: bool) -> Iterator[Proposal]:
    """Yield what may stand behind these tokens after the packet's name."""
    is_setting = sets and ":" in before
    if not before:
        yield Proposal("where", say("a condition follows"))
    elif before[-1] not in _BEFORE_VALUE:
        if not is_setting:
            for word in ("and", "or", "in", "like"):
                yield Proposal(word, "")
    elif is_setting and _begins_setting(before):
        yield from _fields(kind)
    else:
        yield from _values(before, kind, actors)
        yield from _fields(kind)
        yield from _derived(kind)
        for name in FUNCTIONS:
            yield Proposal(f"{name}(", say("function"))


def _begins_setting(before: list[str]) -> bool:
    """Whether the next token is a field to be set: behind the colon, and behind a comma outside of parentheses."""
    if before[-1] == ":":
        return True
    return before[-1] == "," and before.count("(") == before.count(")")


def _derived(kind: PacketType) -> Iterator[Proposal]:
    """Yield the derived names that records of a packet have."""
    fields = kind.record.fields
    for name in DERIVED:
        if name in fields:
            continue
        if name in PAIR_MEASURES:
            if kind.actor_field is not None:
                yield Proposal(name, _meaning_of_measure(PAIR_MEASURES[name]))
        elif name not in LANE_NAMES:
            yield Proposal(name, say("derived"))
        elif "location.x" in fields:
            yield Proposal(name, say("by the road map"))


def _meaning_of_measure(measure: PairMeasure) -> str:
    """Return what a measure with others is, as a word of an actor."""
    title = say(measure.title_text)
    if measure.worst == "least":
        meaning = say("minimum {measure} to others near it", measure=title)
    else:
        meaning = say("greatest {measure} to others near it", measure=title)
    return listed((meaning, measure.unit), "clauses")


def _meaning(number: int, word: str) -> str:
    """Return the number of a value, and its name in other languages; it is typed in English."""
    return listed((f"{number}", value_name(word).removeprefix(word)), "clauses")


def _fields(kind: PacketType) -> Iterator[Proposal]:
    for path, field in kind.record.fields.items():
        yield Proposal(path, listed((say(field.meaning), field.unit), "clauses"))


def _values(before: list[str], kind: PacketType, actors: Actors | None) -> Iterator[Proposal]:
    """Yield values of the field, blueprint, role or class that is compared or set here."""
    name = ""
    if before[-1] in _BEFORE_COMPARED:
        for text in before:
            if text in kind.record.fields or text in DERIVED:
                name = text
    field = kind.record.fields.get(name)
    choices = None
    if field is not None:
        choices = field.choices or field.flags
    if choices:
        for number, word in choices.items():
            yield Proposal(word if word.isidentifier() else _quoted(word), _meaning(number, word))
    elif name == "lane_type":
        for word in LANE_TYPES:
            yield Proposal(_quoted(word), "")
    elif name in ("blueprint", "role", "class") and actors is not None:
        counts = Counter(actor_text(life, name) for life in actors)
        for word in sorted(counts):
            if word and '"' not in word:
                yield Proposal(_quoted(word), say_count("1 actor", "{count:,} actors", count=counts[word]))
