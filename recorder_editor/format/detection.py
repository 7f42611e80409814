"""Detection of the dialect of a file, once, from packet ids, sizes and values (format reference, sections 3.3 and 5).

Nothing here names a dialect. What tells a dialect from the one before it follows from the table of packets: ids, the
order in a frame, members of records, the version of the header, and the `signs` of the dialect. Nothing here reads
files: the caller passes the packet ids of the frames and a few bodies of each kind.
"""

from collections import Counter, defaultdict
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
    """The dialect of a file.

    Attributes:
        dialect: The dialect.
        reasons: Why it is this one, as sentences.
        forced: The user chose it.
    """

    dialect: Dialect
    reasons: tuple[str, ...]
    forced: bool = False


@dataclass(frozen=True)
class Sample:
    """The input of the detection.

    Attributes:
        orders: The packet ids of frames, in file order, each distinct order once.
        bodies: Some non-empty bodies from early frames, by packet id.
    """

    orders: Sequence[Sequence[int]]
    bodies: Mapping[int, Sequence[bytes]]

    @cached_property
    def ids(self) -> frozenset[int]:
        """Every packet id that occurs."""
        ids: set[int] = set()
        for order in self.orders:
            ids.update(order)
        return frozenset(ids)

    def decoded(self, kind: PacketType | None) -> Iterator[Body]:
        """The bodies of a packet type; none for None."""
        if kind is not None:
            for body in self.bodies.get(kind.id, ()):
                yield decode(kind, body)


class _Evidence(NamedTuple):
    """A reason to take a file for one of a dialect or a later one (`is_since`), or of an earlier one."""

    is_since: bool
    reason: str


def force(dialect: str | Dialect) -> Detection:
    """The detection for a dialect that the user chose.

    Args:
        dialect: The dialect, its name, or the number of a release.

    Raises:
        KeyError: There is no such dialect.
    """
    if isinstance(dialect, Dialect):
        chosen = dialect
    else:
        chosen = dialect_named(dialect)
    return Detection(chosen, (say("Chosen by hand."),), forced=True)


def detect(header_version: int | None, sample: Sample) -> Detection:
    """The dialect that matches a file, with the reasons.

    Args:
        header_version: The version in the file header; None without a header.
        sample: Packet ids and bodies of the file.
    """
    reasons: list[str] = []
    if _vectors_are_wide(sample, reasons):
        engine = 5
    else:
        engine = 4
    fork_ids = _fork_ids(sample, reasons)
    carla = _without(sample, fork_ids)
    candidates = [dialect for dialect in DIALECTS.values() if dialect.engine == engine]
    candidates = _with_packets_in_place(candidates, carla, reasons)
    candidates = _with_packets_that_fit(candidates, carla, reasons)
    dialect = _latest(candidates, header_version, carla, reasons)
    dialect = _attribute_numbering(dialect, sample, reasons)
    if fork_ids:
        packets = dict(dialect.packets)
        for number in sorted(fork_ids):
            packets[number] = replace(FORK_PACKETS[18], id=number)
        dialect = replace(dialect, packets=packets)
    return Detection(dialect, tuple(dict.fromkeys(reasons)))


def _without(sample: Sample, ids: frozenset[int]) -> Sample:
    """The sample without packets of these ids in its frames."""
    orders = []
    for order in sample.orders:
        orders.append([number for number in order if number not in ids])
    return Sample(orders, sample.bodies)


# --- the engine -------------------------------------------------------------------------------------------


def _vectors_are_wide(sample: Sample, reasons: list[str]) -> bool:
    for kind, narrow, wide in _records_with_vectors():
        narrow_sizes = []
        wide_sizes = []
        for body in sample.bodies.get(kind.id, ()):
            size = _record_size(body)
            if size is None:
                continue
            if size in narrow:
                narrow_sizes.append(size)
            elif size in wide:
                wide_sizes.append(size)
        if not narrow_sizes and not wide_sizes:
            continue
        # The majority decides: one wrong count can turn 13 records of 28 bytes into 7 of 52.
        is_wide = len(wide_sizes) > len(narrow_sizes)
        if is_wide:
            size = wide_sizes[0]
        else:
            size = narrow_sizes[0]
        reasons.append(
            say(
                "{name} records are {size} bytes long: vectors are {kind}.",
                name=kind.name,
                size=int(size),
                kind=_width(is_wide),
            )
        )
        return is_wide
    for engine, is_wide in ((4, False), (5, True)):
        for decoded in sample.decoded(NEWEST[engine].event_add):
            if decoded.damage is None and len(decoded):
                reasons.append(say("EventAdd fits vectors of {kind}.", kind=_width(is_wide)))
                return is_wide
    reasons.append(say("No packet shows how wide vectors are; floats (UE4) are assumed."))
    return False


def _width(is_wide: bool) -> str:
    if is_wide:
        return say("doubles (UE5)")
    return say("floats (UE4)")


def _records_with_vectors() -> Iterator[tuple[PacketType, set[float | None], set[float | None]]]:
    """The lists of records that have one size in Unreal 4 and another in Unreal 5.

    Yields:
        The type in the newest dialect of Unreal 4, and the sizes of a record in all dialects of Unreal 4 and of 5.
    """
    for number, kind in sorted(NEWEST[4].packets.items()):
        if kind.body != "list" or kind.record.size is None:
            continue
        sizes: dict[int, set[float | None]] = {4: set(), 5: set()}
        for dialect in DIALECTS.values():
            counterpart = dialect.packets.get(number)
            if counterpart is not None and counterpart.name == kind.name:
                sizes[dialect.engine].add(counterpart.record.size)
        if sizes[5] and sizes[4].isdisjoint(sizes[5]):
            yield kind, sizes[4], sizes[5]


def _record_size(body: bytes) -> float | None:
    """The size of a record if all are of one size; None without records."""
    count = int.from_bytes(body[:2], "little")
    if count and len(body) > 2:
        return (len(body) - 2) / count
    return None


# --- packets of forks -------------------------------------------------------------------------------------


def _fork_ids(sample: Sample, reasons: list[str]) -> frozenset[int]:
    """The ids of CARLA under which a fork has written its weather."""
    fork = set()
    for number in _WEATHER_IDS:
        if _is_of_a_fork(number, sample):
            fork.add(number)
    foreign = fork.copy()
    for number in sample.ids:
        if number > LARGEST_KNOWN_ID:
            foreign.add(number)
    if foreign:
        reasons.append(
            say_count(
                "Packet {numbers} is not CARLA's: a fork or a writer of one's own.",
                "Packets {numbers} are not CARLA's: a fork or a writer of one's own.",
                numbers=listed(map(str, sorted(foreign))),
                count=len(foreign),
            )
        )
    return frozenset(fork)


def _is_of_a_fork(number: int, sample: Sample) -> bool:
    kinds = _kinds(number, DIALECTS.values())
    bodies = sample.bodies.get(number, ())
    if _are_never_written(kinds):
        if number not in sample.ids:
            return False
        return not bodies or not all(_fits(kinds, body) for body in bodies)
    return any(_is_weather_of_a_fork(kinds, body) for body in bodies)


def _is_weather_of_a_fork(kinds: Iterable[PacketType], body: bytes) -> bool:
    # Wheels of cars and trucks can also average 52 bytes a record; they decode as wheels.
    return _record_size(body) == _WEATHER_OF_A_FORK and not _fits(kinds, body)


def _are_never_written(kinds: Iterable[PacketType]) -> bool:
    return all(kind.presence == "never" for kind in kinds)


def _fits(kinds: Iterable[PacketType], body: bytes) -> bool:
    """Whether a body has no damage as one of some types."""
    return any(decode(kind, body).damage is None for kind in kinds)


def _kinds(number: int, dialects: Iterable[Dialect]) -> list[PacketType]:
    """The packet types that an id means in dialects, one of each name."""
    kinds = {}
    for dialect in dialects:
        kind = dialect.packets.get(number)
        if kind is not None and kind.body != "opaque":
            kinds[kind.name] = kind
    return list(kinds.values())


# --- ids that changed their meaning -------------------------------------------------------------------------


class _Votes:
    """The votes of packets for dialects, with the reason that each id has to vote for a dialect."""

    def __init__(self, candidates: Sequence[Dialect]) -> None:
        self._candidates = candidates
        self._counts: Counter[str] = Counter()
        self._reasons: dict[str, dict[int, str]] = defaultdict(dict)

    def add(self, dialect: Dialect, number: int, reason: str) -> None:
        """Count a vote of a packet id for a dialect; of several reasons of an id the first one is kept."""
        self._counts[dialect.name] += 1
        self._reasons[dialect.name].setdefault(number, reason)

    def winners(self, reasons: list[str]) -> list[Dialect]:
        """The dialects with the most votes, all if there is no vote; adds the reasons if that leaves some out."""
        most = max(self._counts.values(), default=0)
        winners = [dialect for dialect in self._candidates if self._counts[dialect.name] == most]
        if len(winners) < len(self._candidates):
            reasons.extend(self._reasons[winners[0].name].values())
        return winners


def _ambiguous(candidates: Sequence[Dialect], sample: Sample) -> list[int]:
    """The ids in the sample that mean one packet in some of the dialects and another one in others."""
    return [number for number in sorted(sample.ids) if len(_kinds(number, candidates)) > 1]


def _with_packets_in_place(candidates: list[Dialect], sample: Sample, reasons: list[str]) -> list[Dialect]:
    """The dialects in which recorders write the ambiguous ids where they stand in the frames."""
    ambiguous = _ambiguous(candidates, sample)
    votes = _Votes(candidates)
    for order in sample.orders:
        settled = [number for number in order if len(_kinds(number, candidates)) == 1]
        for number in ambiguous:
            if number not in order:
                continue
            for dialect in candidates:
                if number not in dialect.packets:
                    continue
                line = _settled_beside(number, order, settled, dialect)
                if _is_in_order(settled, dialect) and _is_in_order(line, dialect):
                    votes.add(dialect, number, _place(number, line, dialect))
    return votes.winners(reasons)


def _settled_beside(number: int, order: Sequence[int], settled: Sequence[int], dialect: Dialect) -> list[int]:
    """The ids of a frame that a dialect has and that are settled, together with an ambiguous one."""
    line = []
    for candidate in order:
        is_settled = candidate in settled and candidate in dialect.packets
        if is_settled or candidate == number:
            line.append(candidate)
    return line


def _is_in_order(numbers: Sequence[int], dialect: Dialect) -> bool:
    ranks = [dialect.packet(number).rank for number in numbers if number in dialect.packets]
    return ranks == sorted(ranks)


def _place(number: int, line: Sequence[int], dialect: Dialect) -> str:
    index = line.index(number)
    following = min(index + 1, len(line) - 1)
    return say(
        "Packet {number} stands between {before} and {after}: it is {name}.",
        number=number,
        name=dialect.packet(number).name,
        before=dialect.packet(line[index - 1]).name,
        after=dialect.packet(line[following]).name,
    )


def _with_packets_that_fit(candidates: list[Dialect], sample: Sample, reasons: list[str]) -> list[Dialect]:
    """The dialects in which the bodies of the ambiguous ids have no damage, else the released ones."""
    ambiguous = _ambiguous(candidates, sample)
    if not ambiguous:
        return candidates
    votes = _Votes(candidates)
    for number in ambiguous:
        for dialect in candidates:
            kind = dialect.packets.get(number)
            for body in sample.decoded(kind):
                if kind is not None and body.damage is None:
                    reason = say("The bodies of packet {number} are those of {name}.", number=number, name=kind.name)
                    votes.add(dialect, number, reason)
    fitting = votes.winners(reasons)
    if not _ambiguous(fitting, sample):
        return fitting
    line = dialect_line(fitting[-1].name)
    return [dialect for dialect in fitting if dialect.name in line]


# --- the release ------------------------------------------------------------------------------------------


def _latest(candidates: Sequence[Dialect], header_version: int | None, sample: Sample, reasons: list[str]) -> Dialect:
    """The latest dialect that something shows, with the releases that nothing tells from its own."""
    before = {}
    evidence = {}
    first = candidates[0]
    is_shown = False
    for dialect in candidates:
        before[dialect.name] = _before(dialect, candidates)
        evidence[dialect.name] = _evidence(dialect, before[dialect.name], header_version, sample)
        if _has_since(evidence[dialect.name]):
            first = dialect
            is_shown = True
    for item in evidence[first.name]:
        if item.is_since:
            reasons.append(item.reason)

    alike = [first]
    for dialect in candidates[candidates.index(first) + 1 :]:
        if before[dialect.name] is not alike[-1]:
            continue
        against = evidence[dialect.name] or _signs(dialect, sample)
        for item in against:
            reasons.append(item.reason)
        if _has_since(against):
            alike = [dialect]
        elif not against:
            alike.append(dialect)
        else:
            break

    first = alike[0]
    last = alike[-1]
    assumed = DIALECTS[ASSUMED_DIALECT]
    if not is_shown and assumed in alike and not _has_packets(first, sample):
        reasons.append(
            say("It holds nothing that tells releases apart; the tables of {release} are used.", release=assumed.first)
        )
        return replace(assumed, first=first.first, last=last.last)
    if len(alike) > 1:
        reasons.append(
            say(
                "Nothing in it tells {first} to {last} apart; their bytes are the same here.",
                first=say(first.first),
                last=say(last.last),
            )
        )
    widened = replace(_newest_of(alike), first=first.first, last=last.last)
    return _narrowed(widened, alike, sample, reasons)


def _has_since(evidence: Iterable[_Evidence]) -> bool:
    return any(item.is_since for item in evidence)


def _newest_of(alike: Sequence[Dialect]) -> Dialect:
    """The newest of dialects that has no further packets: a file without them is the same in both."""
    ids = alike[0].packets.keys()
    newest = alike[0]
    for dialect in alike:
        if dialect.packets.keys() == ids:
            newest = dialect
    return newest


def _narrowed(dialect: Dialect, alike: Sequence[Dialect], sample: Sample, reasons: list[str]) -> Dialect:
    """The dialect with the first release that the signs leave."""
    for candidate in alike:
        for sign in candidate.signs:
            if sign.since not in ("", dialect.first) and _has_sign(sign, dialect, sample):
                dialect = replace(dialect, first=sign.since)
                reasons.append(_sign_text(sign))
    return dialect


def _before(dialect: Dialect, candidates: Sequence[Dialect]) -> Dialect | None:
    """The dialect among the candidates that one follows: on its own line, else in their order."""
    line = dialect_line(dialect.name)
    earlier = candidates[: candidates.index(dialect)]
    for candidate in reversed(earlier):
        if candidate.name in line:
            return candidate
    if earlier:
        return earlier[-1]
    return None


def _has_packets(dialect: Dialect, sample: Sample) -> bool:
    """Whether a file holds packets of CARLA besides the begin and the end of frames."""
    for number in sample.ids:
        kind = dialect.packet(number)
        if kind.rank >= 0 and kind.lifetime != "structural":
            return True
    return False


def _evidence(dialect: Dialect, before: Dialect | None, header_version: int | None, sample: Sample) -> list[_Evidence]:
    """What tells a dialect from the one before it: members, which decide, else packets and the header."""
    if before is None:
        return []
    members = list(_members(dialect, before, sample))
    if members:
        return members[:1]
    return list(_packets(dialect, before, sample)) + list(_header(dialect, before, header_version))


def _signs(dialect: Dialect, sample: Sample) -> list[_Evidence]:
    """What values tell of a dialect where nothing else does."""
    evidence = []
    for sign in dialect.signs:
        if _has_sign(sign, dialect, sample):
            evidence.append(_Evidence(bool(sign.since), _sign_text(sign)))
    return evidence


def _header(dialect: Dialect, before: Dialect, version: int | None) -> Iterator[_Evidence]:
    """What the version of the header tells."""
    needed = dialect.header_version
    if version is None or needed <= before.header_version:
        return
    if version >= needed:
        reason = say("The header says version {version}, as since {release}.", version=needed, release=dialect.first)
        yield _Evidence(True, reason)
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
    held = []
    expected = []
    for number, kind in dialect.packets.items():
        if number in before.packets or kind.presence == "never":
            continue
        if kind.id in sample.ids:
            held.append(kind)
        if kind.presence == "always" and not kind.additional:
            expected.append(kind)
    if held:
        yield _Evidence(True, say("It holds {names}.", names=_names(held)))
    elif expected and _has_packets(before, sample):
        reason = say(
            "It does not hold {names}, which recorders write since {release}.",
            names=_names(expected),
            release=dialect.first,
        )
        yield _Evidence(False, reason)


def _names(kinds: Iterable[PacketType]) -> str:
    names = [say("{name} ({number})", name=kind.name, number=kind.id) for kind in kinds]
    return listed(names)


def _members(dialect: Dialect, before: Dialect, sample: Sample) -> Iterator[_Evidence]:
    """What the sizes of records tell of packets that have other members in a dialect than in the one before it."""
    for number, kind in dialect.packets.items():
        older = before.packets.get(number)
        if older is None or older.name != kind.name or older.record.layout == kind.record.layout:
            continue
        only_newer = 0
        only_older = 0
        for as_newer, as_older in zip(sample.decoded(kind), sample.decoded(older), strict=True):
            fits_newer = as_newer.damage is None
            fits_older = as_older.damage is None
            if fits_newer and not fits_older:
                only_newer += 1
            elif fits_older and not fits_newer:
                only_older += 1
        if only_newer > only_older:
            yield _Evidence(True, _size_text(kind.name, kind.record, older.record))
        elif only_older:
            yield _Evidence(False, _size_text(kind.name, older.record, kind.record))


def _size_text(name: str, record: Struct, counterpart: Struct) -> str:
    """How long the records of a packet are, or their elements if these differ from those of another dialect."""
    for path, array in record.arrays.items():
        other_array = counterpart.arrays.get(path)
        if other_array is None or other_array.element.layout == array.element.layout:
            continue
        if array.element.size is not None:
            return say(
                "The elements of {path} in {name} are {size} bytes long.", path=path, name=name, size=array.element.size
            )
    if record.size is None:
        return say("The records of {name} have these fields.", name=name)
    return say("The records of {name} are {size} bytes long.", name=name, size=record.size)


# --- signs ------------------------------------------------------------------------------------------------


def _sign_text(sign: Sign) -> str:
    meaning = say(sign.meaning)
    if sign.since:
        return say("{meaning}, as since {release}.", meaning=meaning, release=sign.since)
    return say("{meaning}, as before {release}.", meaning=meaning, release=sign.before)


def _has_sign(sign: Sign, dialect: Dialect, sample: Sample) -> bool:
    """Whether a record of the sample bears a sign."""
    values: set[object] = {sign.value}
    if sign.actors_of_type is not None:
        values = _actors_of_type(sign.actors_of_type, dialect, sample)
    for body in sample.decoded(dialect.by_name(sign.packet)):
        for index in range(len(body)):
            if _is_meant(sign, body, index) and body.get(index, sign.field) in values:
                return True
    return False


def _is_meant(sign: Sign, body: Body, index: int) -> bool:
    """Whether a sign is about a record: its fields of text begin as the sign says."""
    if sign.begins is None:
        return True
    return all(str(body.get(index, path)).startswith(text) for path, text in sign.begins.items())


def _actors_of_type(actor_type: int, dialect: Dialect, sample: Sample) -> set[object]:
    """The ids of actors of a type in the sampled EventAdd bodies."""
    actors: set[object] = set()
    for body in sample.decoded(dialect.event_add):
        for index in range(len(body)):
            if body.get(index, "type") == actor_type:
                actors.add(body.get(index, "id"))
    return actors


# --- numbering of attribute types -------------------------------------------------------------------------


def shown_version(sample: Sample) -> int | None:
    """The header version that matches the attribute types of the sample; None if nothing shows it.

    Simulators use the version for these types only (format reference 2, 4.2).
    """
    if _vectors_are_wide(sample, []):
        return 1
    is_numbered_from_1 = _is_numbered_from_1(NEWEST[4], sample)
    if is_numbered_from_1 is None:
        return None
    if is_numbered_from_1:
        return 2
    return 1


def _is_numbered_from_1(dialect: Dialect, sample: Sample) -> bool | None:
    """Whether attribute types are numbered from 1, by well-known attributes (reference 4.2); None: unknown."""
    numbers_from_0 = {name: number for number, name in ATTRIBUTE_TYPES_1.items()}
    votes_for_0 = 0
    votes_for_1 = 0
    for body in sample.decoded(dialect.event_add):
        for record in body:
            for attribute in record["attributes"]:
                name = _KNOWN_ATTRIBUTES.get(str(attribute["id"]))
                if name is None:
                    continue
                number = numbers_from_0[name]
                if attribute["type"] == number:
                    votes_for_0 += 1
                elif attribute["type"] == number + 1:
                    votes_for_1 += 1
    if votes_for_0 == votes_for_1:
        return None
    return votes_for_1 > votes_for_0


def _attribute_numbering(dialect: Dialect, sample: Sample, reasons: list[str]) -> Dialect:
    """The dialect with the attribute types numbered as well-known attributes show, else by the header version."""
    is_numbered_from_1 = _is_numbered_from_1(dialect, sample)
    if is_numbered_from_1 is None or is_numbered_from_1 == (dialect.header_version == 2):
        return dialect
    if is_numbered_from_1:
        reasons.append(say("Attribute types are numbered from 1, as since 0.9.16, whatever the header says."))
        return with_attribute_types(dialect, ATTRIBUTE_TYPES_2)
    reasons.append(say("Attribute types are numbered from 0, as before 0.9.16, whatever the header says."))
    return with_attribute_types(dialect, ATTRIBUTE_TYPES_1)
