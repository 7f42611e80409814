"""Detection of the dialect of a file, once, from packet ids, sizes and values (format reference, sections 3.3 and 5).

Nothing here names a dialect. What tells a dialect from the one before it follows from the table of packets: ids, the
order in a frame, members of records, the version of the header, and the `signs` of the dialect. Nothing here reads
files: the caller passes the packet ids of the frames and a few bodies of each kind.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from ..texts import listed, say, say_count
from .codec import Body, decode
from .dialects import (
    ASSUMED_DIALECT,
    DIALECTS,
    LARGEST_KNOWN_ID,
    NEWEST,
    Dialect,
    Sign,
    dialect_named,
    with_attribute_types,
)
from .packets import ATTRIBUTE_TYPES_1, ATTRIBUTE_TYPES_2, FORK_PACKETS, dialect_line
from .schema import PacketType, Struct

_WEATHER_IDS = (18, 21)
_WEATHER_OF_A_FORK = 52
"""Ids of CARLA that DReyeVR has used for its weather, and the bytes of a record of it."""

_KNOWN_ATTRIBUTES = {"role_name": "String", "number_of_wheels": "Int", "sticky_control": "Bool"}


@dataclass(frozen=True, slots=True)
class Detection:
    """The dialect of a file; `reasons` are sentences, `forced` means chosen by the user."""

    dialect: Dialect
    reasons: tuple[str, ...]
    forced: bool = False


@dataclass(frozen=True)
class Sample:
    """The input of the detection.

    Attributes: `orders` (packet ids of frames, in file order, each distinct order once), `bodies` (by id, some
    non-empty bodies from early frames).
    """

    orders: Sequence[Sequence[int]]
    bodies: Mapping[int, Sequence[bytes]]

    @cached_property
    def ids(self) -> frozenset[int]:
        """Every packet id that occurs."""
        return frozenset(number for order in self.orders for number in order)

    def decoded(self, kind: PacketType | None) -> Iterator[Body]:
        """The bodies of a packet type; none for None."""
        if kind is not None:
            for body in self.bodies.get(kind.id, ()):
                yield decode(kind, body)


class _Evidence(NamedTuple):
    """What tells whether a file is of a dialect, or a later one, or of one before it."""

    is_since: bool
    reason: str


def force(dialect: str | Dialect) -> Detection:
    """The detection for a dialect, or for the name or release of one, that the user chose; raises KeyError."""
    if isinstance(dialect, Dialect):
        chosen = dialect
    else:
        chosen = dialect_named(dialect)
    return Detection(chosen, (say("Chosen by hand."),), forced=True)


def detect(header_version: int | None, sample: Sample) -> Detection:
    """The dialect that matches the header version (None without a header) and the sample, with the reasons."""
    reasons: list[str] = []
    engine = 5 if _vectors_are_wide(sample, reasons) else 4
    fork = _fork(sample, reasons)
    rest = Sample([[number for number in order if number not in fork] for order in sample.orders], sample.bodies)
    candidates = [dialect for dialect in DIALECTS.values() if dialect.engine == engine]
    candidates = _with_packets_in_place(candidates, rest, reasons)
    candidates = _with_packets_that_fit(candidates, rest, reasons)
    dialect = _latest(candidates, header_version, rest, reasons)
    dialect = _attribute_numbering(dialect, sample, reasons)
    for number in sorted(fork):
        dialect = replace(dialect, packets={**dialect.packets, number: replace(FORK_PACKETS[18], id=number)})
    return Detection(dialect, tuple(dict.fromkeys(reasons)))


# --- the engine -------------------------------------------------------------------------------------------


def _vectors_are_wide(sample: Sample, reasons: list[str]) -> bool:
    for kind, narrow, wide in _records_with_vectors():
        sizes = [_record_size(body) for body in sample.bodies.get(kind.id, ())]
        narrow_bodies = [size for size in sizes if size is not None and size in narrow]
        wide_bodies = [size for size in sizes if size is not None and size in wide]
        # The majority decides: one wrong count can turn 13 records of 28 bytes into 7 of 52.
        if narrow_bodies or wide_bodies:
            is_wide = len(wide_bodies) > len(narrow_bodies)
            if is_wide:
                size = wide_bodies[0]
            else:
                size = narrow_bodies[0]
            reasons.append(
                say(
                    "{name} records are {size} bytes long: vectors are {kind}.",
                    name=kind.name,
                    size=int(size or 0),
                    kind=_width(is_wide),
                )
            )
            return is_wide
    for engine, is_wide in ((4, False), (5, True)):
        for body in sample.decoded(NEWEST[engine].event_add):
            if body.damage is None and len(body):
                reasons.append(say("EventAdd fits vectors of {kind}.", kind=_width(is_wide)))
                return is_wide
    reasons.append(say("No packet shows how wide vectors are; floats (UE4) are assumed."))
    return False


def _width(is_wide: bool) -> str:
    if is_wide:
        return say("doubles (UE5)")
    return say("floats (UE4)")


def _records_with_vectors() -> Iterator[tuple[PacketType, frozenset[int | None], frozenset[int | None]]]:
    """The lists of records that have one size in Unreal 4 and another in Unreal 5, with the sizes of all dialects."""
    for number, kind in sorted(NEWEST[4].packets.items()):
        if kind.body != "list" or kind.record.size is None:
            continue
        sizes: dict[int, set[int | None]] = {4: set(), 5: set()}
        for dialect in DIALECTS.values():
            other = dialect.packets.get(number)
            if other is not None and other.name == kind.name:
                sizes[dialect.engine].add(other.record.size)
        if sizes[4].isdisjoint(sizes[5]) and sizes[5]:
            yield kind, frozenset(sizes[4]), frozenset(sizes[5])


def _record_size(body: bytes) -> float | None:
    count = int.from_bytes(body[:2], "little")
    if count and len(body) > 2:
        return (len(body) - 2) / count
    return None


# --- packets of forks -------------------------------------------------------------------------------------


def _fork(sample: Sample, reasons: list[str]) -> frozenset[int]:
    """The ids of CARLA under which a fork has written its weather."""
    fork = set()
    for number in _WEATHER_IDS:
        if _is_of_a_fork(number, sample):
            fork.add(number)
    own = sorted(fork | {number for number in sample.ids if number > LARGEST_KNOWN_ID})
    if own:
        numbers = listed(str(number) for number in own)
        reasons.append(
            say_count(
                "Packet {numbers} is not CARLA's: a fork or a writer of one's own.",
                "Packets {numbers} are not CARLA's: a fork or a writer of one's own.",
                numbers=numbers,
                count=len(own),
            )
        )
    return frozenset(fork)


def _is_of_a_fork(number: int, sample: Sample) -> bool:
    kinds = _kinds(number, DIALECTS.values())
    bodies = sample.bodies.get(number, ())
    if all(kind.presence == "never" for kind in kinds):
        return number in sample.ids and not (bodies and all(_fits(kinds, body) for body in bodies))
    # Wheels of cars and trucks can also average 52 bytes a record; they decode as wheels.
    return any(_record_size(body) == _WEATHER_OF_A_FORK and not _fits(kinds, body) for body in bodies)


def _fits(kinds: Iterable[PacketType], body: bytes) -> bool:
    return any(decode(kind, body).damage is None for kind in kinds)


def _kinds(number: int, dialects: Iterable[Dialect]) -> list[PacketType]:
    """What an id means in dialects, each meaning once."""
    kinds = (dialect.packets.get(number) for dialect in dialects)
    return list({kind.name: kind for kind in kinds if kind is not None and kind.body != "opaque"}.values())


# --- ids that changed their meaning -------------------------------------------------------------------------


def _ambiguous(candidates: Sequence[Dialect], sample: Sample) -> list[int]:
    """The ids in the sample that mean one packet in some of the dialects and another one in others."""
    return [number for number in sorted(sample.ids) if len(_kinds(number, candidates)) > 1]


def _with_packets_in_place(candidates: list[Dialect], sample: Sample, reasons: list[str]) -> list[Dialect]:
    """The dialects whose recorders write the ambiguous ids where they stand in the frames."""
    ambiguous = _ambiguous(candidates, sample)
    votes = dict.fromkeys((each.name for each in candidates), 0)
    told: dict[str, dict[int, str]] = {dialect.name: {} for dialect in candidates}
    for order in sample.orders:
        settled = [number for number in order if number not in ambiguous and len(_kinds(number, candidates)) == 1]
        for number in (each for each in ambiguous if each in order):
            for dialect in candidates:
                line = []
                for each in order:
                    if (each in settled and each in dialect.packets) or each == number:
                        line.append(each)
                if number in dialect.packets and _is_in_order(settled, dialect) and _is_in_order(line, dialect):
                    votes[dialect.name] += 1
                    told[dialect.name].setdefault(number, _place(number, line, dialect))
    return _most(candidates, votes, told, reasons)


def _is_in_order(numbers: Sequence[int], dialect: Dialect) -> bool:
    ranks = []
    for number in numbers:
        if number in dialect.packets:
            ranks.append(dialect.packet(number).rank)
    return ranks == sorted(ranks)


def _place(number: int, line: Sequence[int], dialect: Dialect) -> str:
    at = line.index(number)
    before, after = (dialect.packet(each).name for each in (line[at - 1], line[min(at + 1, len(line) - 1)]))
    name = dialect.packet(number).name
    return say(
        "Packet {number} stands between {before} and {after}: it is {name}.",
        number=number,
        name=name,
        before=before,
        after=after,
    )


def _with_packets_that_fit(candidates: list[Dialect], sample: Sample, reasons: list[str]) -> list[Dialect]:
    """The dialects in which the bodies of the ambiguous ids have no damage, else the released ones."""
    ambiguous = _ambiguous(candidates, sample)
    if not ambiguous:
        return candidates
    votes = dict.fromkeys((each.name for each in candidates), 0)
    told: dict[str, dict[int, str]] = {dialect.name: {} for dialect in candidates}
    for number in ambiguous:
        for dialect in candidates:
            kind = dialect.packets.get(number)
            for body in sample.decoded(kind):
                if kind is not None and body.damage is None:
                    votes[dialect.name] += 1
                    told[dialect.name][number] = say(
                        "The bodies of packet {number} are those of {name}.", number=number, name=kind.name
                    )
    fitting = _most(candidates, votes, told, reasons)
    if not _ambiguous(fitting, sample):
        return fitting
    line = dialect_line(fitting[-1].name)
    return [dialect for dialect in fitting if dialect.name in line]


def _most(
    candidates: list[Dialect], votes: Mapping[str, int], told: Mapping[str, Mapping[int, str]], reasons: list[str]
) -> list[Dialect]:
    """The dialects with the most votes, all if there is no vote; says why if that leaves some out."""
    most = max(votes.values(), default=0)
    chosen = []
    for dialect in candidates:
        if votes[dialect.name] == most:
            chosen.append(dialect)
    if len(chosen) < len(candidates):
        reasons += told[chosen[0].name].values()
    return chosen


# --- the release ------------------------------------------------------------------------------------------


def _latest(candidates: Sequence[Dialect], header_version: int | None, sample: Sample, reasons: list[str]) -> Dialect:
    """The latest dialect that something shows, with the releases that nothing tells from its own."""
    before = {dialect.name: _before(dialect, candidates) for dialect in candidates}
    evidence = {
        dialect.name: _evidence(dialect, before[dialect.name], header_version, sample) for dialect in candidates
    }
    shown = [dialect for dialect in candidates if any(each.is_since for each in evidence[dialect.name])]
    if shown:
        first = shown[-1]
    else:
        first = candidates[0]
    reasons += [each.reason for each in evidence[first.name] if each.is_since]

    alike = [first]
    for dialect in candidates[candidates.index(first) + 1 :]:
        if before[dialect.name] is not alike[-1]:
            continue
        against = evidence[dialect.name] or _signs(dialect, sample)
        reasons += [each.reason for each in against]
        if any(each.is_since for each in against):
            alike = [dialect]
        elif not against:
            alike.append(dialect)
        else:
            break

    first, last = alike[0], alike[-1]
    if not shown and not _has_packets(first, sample) and DIALECTS[ASSUMED_DIALECT] in alike:
        assumed = DIALECTS[ASSUMED_DIALECT]
        reasons.append(
            say("It holds nothing that tells releases apart; the tables of {release} are used.", release=assumed.first)
        )
        return replace(assumed, first=first.first, last=last.last)
    if len(alike) > 1:
        releases = {"first": say(first.first), "last": say(last.last)}
        reasons.append(say("Nothing in it tells {first} to {last} apart; their bytes are the same here.", **releases))
    return _narrowed(replace(_newest_of(alike), first=first.first, last=last.last), alike, sample, reasons)


def _newest_of(alike: Sequence[Dialect]) -> Dialect:
    """The newest of dialects that has no further packets: a file without them is the same in both."""
    ids = alike[0].packets.keys()
    return [dialect for dialect in alike if dialect.packets.keys() == ids][-1]


def _narrowed(dialect: Dialect, alike: Sequence[Dialect], sample: Sample, reasons: list[str]) -> Dialect:
    """The dialect with the first release that the signs leave."""
    for each in alike:
        for sign in each.signs:
            if sign.since not in ("", dialect.first) and _shows(sign, dialect, sample):
                dialect = replace(dialect, first=sign.since)
                reasons.append(_said(sign))
    return dialect


def _before(dialect: Dialect, candidates: Sequence[Dialect]) -> Dialect | None:
    """The dialect among the candidates that one follows: on its own line, else in their order."""
    line = dialect_line(dialect.name)
    earlier = candidates[: candidates.index(dialect)]
    on_line = [each for each in earlier if each.name in line]
    if on_line:
        return on_line[-1]
    if earlier:
        return earlier[-1]
    return None


def _has_packets(dialect: Dialect, sample: Sample) -> bool:
    """Whether a file holds packets of CARLA besides the begin and the end of frames."""
    kinds = [dialect.packet(number) for number in sample.ids]
    return any(kind.rank >= 0 and kind.lifetime != "structural" for kind in kinds)


def _evidence(dialect: Dialect, before: Dialect | None, header_version: int | None, sample: Sample) -> list[_Evidence]:
    """What tells a dialect from the one before it: members, which decide, else packets and the header."""
    if before is None:
        return []
    members = list(_members(dialect, before, sample))[:1]
    return members or [*_packets(dialect, before, sample), *_header(dialect, before, header_version)]


def _signs(dialect: Dialect, sample: Sample) -> list[_Evidence]:
    """What values tell of a dialect where nothing else does."""
    return [_Evidence(bool(sign.since), _said(sign)) for sign in dialect.signs if _shows(sign, dialect, sample)]


def _header(dialect: Dialect, before: Dialect, version: int | None) -> Iterator[_Evidence]:
    """What the version of the header tells."""
    needed = dialect.header_version
    if version is None or needed <= before.header_version:
        return
    if version >= needed:
        yield _Evidence(
            True, say("The header says version {version}, as since {release}.", version=needed, release=dialect.first)
        )
    else:
        reason = say(
            "The header says version {version}, not {needed} as since {release}.",
            version=version,
            needed=needed,
            release=dialect.first,
        )
        yield _Evidence(False, reason)


def _packets(dialect: Dialect, before: Dialect, sample: Sample) -> Iterator[_Evidence]:
    """What the packets tell that a dialect has and the one before it has not."""
    new = []
    for number, kind in dialect.packets.items():
        if number not in before.packets:
            new.append(kind)
    new = [kind for kind in new if kind.presence != "never"]
    held = [kind for kind in new if kind.id in sample.ids]
    expected = []
    for kind in new:
        if kind.presence == "always" and not kind.additional:
            expected.append(kind)
    if held:
        yield _Evidence(True, say("It holds {names}.", names=_names(held)))
    elif expected and _has_packets(before, sample):
        yield _Evidence(
            False,
            say(
                "It does not hold {names}, which recorders write since {release}.",
                names=_names(expected),
                release=dialect.first,
            ),
        )


def _names(kinds: Iterable[PacketType]) -> str:
    return listed(say("{name} ({number})", name=kind.name, number=kind.id) for kind in kinds)


def _members(dialect: Dialect, before: Dialect, sample: Sample) -> Iterator[_Evidence]:
    """What the sizes of records tell of packets that have other members in a dialect than in the one before it."""
    for number, kind in dialect.packets.items():
        older = before.packets.get(number)
        if older is None or older.name != kind.name or older.record.layout == kind.record.layout:
            continue
        newer_bodies = [body.damage is None for body in sample.decoded(kind)]
        older_bodies = [body.damage is None for body in sample.decoded(older)]
        only_newer = sum(new and not old for new, old in zip(newer_bodies, older_bodies, strict=True))
        only_older = sum(old and not new for new, old in zip(newer_bodies, older_bodies, strict=True))
        if only_newer > only_older:
            yield _Evidence(True, _size(kind.name, kind.record, older.record))
        elif only_older:
            yield _Evidence(False, _size(kind.name, older.record, kind.record))


def _size(name: str, record: Struct, other: Struct) -> str:
    """How long the records of a packet are where those of another dialect are longer or shorter, or their elements."""
    for path, array in record.arrays.items():
        there = other.arrays.get(path)
        if there is not None and there.element.layout != array.element.layout and array.element.size is not None:
            return say(
                "The elements of {path} in {name} are {size} bytes long.", path=path, name=name, size=array.element.size
            )
    if record.size is None:
        return say("The records of {name} have these fields.", name=name)
    return say("The records of {name} are {size} bytes long.", name=name, size=record.size)


# --- signs ------------------------------------------------------------------------------------------------


def _said(sign: Sign) -> str:
    meaning = say(sign.meaning)
    if sign.since:
        return say("{meaning}, as since {release}.", meaning=meaning, release=sign.since)
    return say("{meaning}, as before {release}.", meaning=meaning, release=sign.before)


def _shows(sign: Sign, dialect: Dialect, sample: Sample) -> bool:
    """Whether a record of the sample bears a sign."""
    actors: set[object] | None = None
    if sign.actors_of_type is not None:
        actors = set()
        for actor, kind in _types_of_actors(dialect, sample):
            if kind == sign.actors_of_type:
                actors.add(actor)
    for body in sample.decoded(dialect.by_name(sign.packet)):
        for index in range(len(body)):
            if not all(str(body.get(index, path)).startswith(text) for path, text in (sign.begins or {}).items()):
                continue
            value = body.get(index, sign.field)
            if value in actors if actors is not None else value == sign.value:
                return True
    return False


def _types_of_actors(dialect: Dialect, sample: Sample) -> Iterator[tuple[object, object]]:
    """Id and type of the actors in the sampled EventAdd bodies."""
    for body in sample.decoded(dialect.event_add):
        for index in range(len(body)):
            yield body.get(index, "id"), body.get(index, "type")


# --- numbering of attribute types -------------------------------------------------------------------------


def shown_version(sample: Sample) -> int | None:
    """The header version that matches the attribute types of the sample; None if nothing shows it.

    Simulators use the version for these types only (format reference 2, 4.2).
    """
    if _vectors_are_wide(sample, []):
        return 1
    shifted = _is_numbered_from_1(NEWEST[4], sample)
    if shifted is None:
        return None
    if shifted:
        return 2
    return 1


def _is_numbered_from_1(dialect: Dialect, sample: Sample) -> bool | None:
    """Whether attribute types are numbered from 1, by well-known attributes (reference 4.2); None: unknown."""
    votes = {1: 0, 2: 0}
    first = {}
    for number, name in ATTRIBUTE_TYPES_1.items():
        first[name] = number
    for body in sample.decoded(dialect.event_add):
        for record in body:
            for attribute in record["attributes"]:
                kind = _KNOWN_ATTRIBUTES.get(str(attribute["id"]))
                if kind is not None:
                    votes[1] += attribute["type"] == first[kind]
                    votes[2] += attribute["type"] == first[kind] + 1
    if votes[1] == votes[2]:
        return None
    return votes[2] > votes[1]


def _attribute_numbering(dialect: Dialect, sample: Sample, reasons: list[str]) -> Dialect:
    """The dialect with the attribute types numbered as well-known attributes show, else by the header version."""
    shifted = _is_numbered_from_1(dialect, sample)
    if shifted is None or shifted == (dialect.header_version == 2):
        return dialect
    if shifted:
        reasons.append(say("Attribute types are numbered from 1, as since 0.9.16, whatever the header says."))
        return with_attribute_types(dialect, ATTRIBUTE_TYPES_2)
    reasons.append(say("Attribute types are numbered from 0, as before 0.9.16, whatever the header says."))
    return with_attribute_types(dialect, ATTRIBUTE_TYPES_1)
