"""What differs from dialect to dialect: ids, widths, numberings, members.

No byte of a recording names its dialect, so that a grammar takes it as a parameter. What differs is found by comparing
the tables of all dialects with those of the newest one, `NEWEST`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ...format.dialects import DIALECTS, with_header_version
from ...format.dialects import NEWEST as NEWEST_OF_ENGINE
from ...format.packets import TABLE
from ...format.schema import Array, Field, PacketType, Struct

NEWEST = NEWEST_OF_ENGINE[4]
BY_HEADER = {version: with_header_version(NEWEST, version).name for version in (1, 2)}
"""The dialect for each version of the header where none is given."""

RENUMBERED = 0x100
"""Added to numbers that mean something else in the newest dialect than in another one."""

ABSENT = 0x200
"""Added to numbers that mean something in the newest dialect alone."""

UNREAL_5: Mapping[str, str] = {
    f"{kind.name}Unreal5": kind.name for kind in NEWEST_OF_ENGINE[5].packets.values() if kind.by_engine
}
"""The names of layouts that packets have in Unreal 5 alone, with those of the packets."""

LAYOUT_NUMBERS: Mapping[int, str] = {ABSENT - 1 - number: name for number, name in enumerate(UNREAL_5)}
"""The numbers of these layouts among the kinds of packets."""


# --- numberings -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """Numbers that are others in some dialects.

    Attributes:
        first: The first number.
        last: The last number; all between them move, too.
        difference: What is added to a number.
        dialects: The names of the dialects.
    """

    first: int
    last: int
    difference: int
    dialects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Numbering:
    """One numbering for all dialects.

    Attributes:
        names: The names by number.
        moves: What has to be added to numbers of a dialect to get there.
    """

    names: Mapping[int, str]
    moves: Sequence[Move]


def one_numbering(meanings: Mapping[str, Mapping[int, str]], newest: Mapping[int, str]) -> Numbering:
    """The numbering of the newest dialect, extended by what others have.

    Args:
        meanings: What the numbers mean, by the name of each dialect.
        newest: What they mean in the newest one.
    """
    names = dict(newest)
    places = {name: number for number, name in newest.items()}
    moved: dict[tuple[int, int], list[str]] = {}  # by number and difference
    for dialect, words in meanings.items():
        for number in sorted(words.keys() | newest.keys()):
            name = words.get(number)
            if name is None:
                place = number + ABSENT
            else:
                place = places.setdefault(name, number + RENUMBERED)
                names[place] = name
            if place != number:
                moved.setdefault((number, place - number), []).append(dialect)
    return Numbering(names, _moves(moved))


def _moves(moved: Mapping[tuple[int, int], Sequence[str]]) -> list[Move]:
    """Join neighbouring numbers that move alike."""
    single = [Move(number, number, difference, tuple(who)) for (number, difference), who in moved.items()]
    single.sort(key=lambda move: (move.dialects, move.difference, move.first))
    moves: list[Move] = []
    for move in single:
        before = moves[-1] if moves else None
        if before is not None and before == replace(move, first=before.first, last=move.first - 1):
            moves[-1] = replace(before, last=move.last)
        else:
            moves.append(move)
    return sorted(moves)


def packet_numbering() -> Numbering:
    """The packets of all dialects under one number each, where possible their id."""
    meanings = {}
    for name, dialect in DIALECTS.items():
        meanings[name] = {number: kind.name for number, kind in dialect.packets.items()}
    return one_numbering(meanings, meanings[NEWEST.name])


# --- layouts --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variants:
    """A field in each dialect whose records, or elements of arrays, it could be in.

    Attributes:
        fields: The field by the name of the dialect; None where it lacks it.
    """

    fields: Mapping[str, Field | None]

    @property
    def choices(self) -> Mapping[str, Mapping[int, str]]:
        """The enumeration in each dialect."""
        return {name: field.choices for name, field in self.fields.items() if field is not None and field.choices}

    @property
    def is_renumbered(self) -> bool:
        """Its enumeration is not the same in all dialects."""
        return len({tuple(names.items()) for names in self.choices.values()}) > 1


@dataclass(frozen=True, eq=False)
class Layout:
    """A packet whose body has members, or one that has others in Unreal 5.

    Attributes:
        name: Its name.
        kind: The packet with every member that it has in any dialect.
        by_dialect: The packet in each dialect that has it in this layout.
    """

    name: str
    kind: PacketType
    by_dialect: Mapping[str, PacketType] = field(repr=False)

    def records(self, arrays: Sequence[str]) -> Mapping[str, Struct]:
        """The record, or the element of an array, by the name of each dialect that has it.

        Args:
            arrays: The paths of the arrays around it, the outermost first.
        """
        records = {}
        for name, kind in self.by_dialect.items():
            record: Struct | None = kind.record
            for path in arrays:
                array = record.arrays.get(path) if record is not None else None
                record = array.element if array is not None else None
            if record is not None:
                records[name] = record
        return records

    def variants(self, arrays: Sequence[str], path: str) -> Variants:
        """A field by its path and those of the arrays around it."""
        return Variants({name: record.fields.get(path) for name, record in self.records(arrays).items()})

    def lacking(self, arrays: Sequence[str], path: str) -> tuple[str, ...]:
        """The dialects that lack a field or an array, but have the record that it is in."""
        names = []
        for name, record in self.records(arrays).items():
            if path not in record.fields and path not in record.arrays:
                names.append(name)
        return tuple(names)

    def least(self, arrays: Sequence[str]) -> int:
        """The smallest size in bytes of a record, or of an element of an array, in any dialect."""
        return min((record.least for record in self.records(arrays).values()), default=0)


def layouts_of_carla() -> Iterator[Layout]:
    """The packets whose bodies have members, by id, and behind them the layouts that Unreal 5 alone has."""
    for number in sorted(NEWEST.packets):
        kind = NEWEST.packets[number]
        if kind.record.members:
            yield Layout(kind.name, kind, _by_dialect(kind.name, is_of_unreal_5=False))
    for layout, packet in UNREAL_5.items():
        kind_of_5 = NEWEST_OF_ENGINE[5].by_name(packet)
        assert kind_of_5 is not None
        yield Layout(layout, replace(kind_of_5, name=layout), _by_dialect(packet, is_of_unreal_5=True))


def _by_dialect(packet: str, *, is_of_unreal_5: bool) -> dict[str, PacketType]:
    """The packet in each dialect, with its layout of Unreal 5 or the other one if it has two."""
    kinds = {}
    for name, dialect in DIALECTS.items():
        kind = dialect.by_name(packet)
        if kind is not None and (not kind.by_engine or dialect.wide == is_of_unreal_5):
            kinds[name] = kind
    return kinds


def dialects_with(layout: str) -> tuple[str, ...]:
    """The dialects whose packet has a layout of Unreal 5."""
    packet = UNREAL_5[layout]
    return tuple(name for name, dialect in DIALECTS.items() if dialect.wide and dialect.by_name(packet))


# --- members --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring fields under one path.

    Attributes:
        name: The path.
        fields: The fields.
        axes: The kind of vector or rotation that they may be; empty if they are none.
        meaning: The meaning of the vector; empty if they are none.
    """

    name: str
    fields: tuple[Field, ...]
    axes: str
    meaning: str


def grouped(record: Struct) -> Iterator[Field | Array | Group]:
    """The members of a record, with the fields of a vector or colour as one."""
    for (name, _), run in groupby(record.members, _group_of):
        members = list(run)
        fields = tuple(member for member in members if isinstance(member, Field))
        if fields and fields[0].group:
            yield _group(name, fields)
        else:
            yield from members


def _group_of(member: Field | Array) -> tuple[str, bool]:
    return member.path.partition(".")[0], isinstance(member, Array)


def _group(name: str, fields: tuple[Field, ...]) -> Group:
    suffixes_of_fields = [f".{field.name}" for field in fields]
    for axes, suffixes in TABLE["axes"].items():
        if suffixes_of_fields == list(suffixes):
            meaning = fields[0].meaning.removesuffix(suffixes[suffixes_of_fields[0]])
            return Group(name, fields, axes, meaning)
    return Group(name, fields, "", "")


def has_shared_axes(layout: Layout, arrays: Sequence[str], group: Group) -> bool:
    """Whether a group is a vector or rotation whose numbers are those of the engine, in each dialect that has it."""
    engines = {DIALECTS[name].engine for name in layout.by_dialect}
    lacking = {layout.lacking(arrays, field.path) for field in group.fields}
    if not group.axes or len(engines) == 1 or len(lacking) > 1:
        return False
    return all(_has_type_of_engine(layout.variants(arrays, field.path)) for field in group.fields)


def lacking_all(layout: Layout, arrays: Sequence[str], group: Group) -> tuple[str, ...]:
    """The dialects that lack all fields of a group."""
    lacking = layout.lacking(arrays, group.fields[0].path)
    for part in group.fields[1:]:
        also_lacking = layout.lacking(arrays, part.path)
        lacking = tuple(name for name in lacking if name in also_lacking)
    return lacking


def _has_type_of_engine(variants: Variants) -> bool:
    for name, variant in variants.fields.items():
        if variant is not None and variant.type != DIALECTS[name].real:
            return False
    return True


def element_name(record: Struct, array: Array) -> str:
    """The name of an array's elements, with that of the array where others of the record have the same."""
    name = array.element.name
    names = [other.element.name for other in record.arrays.values()]
    if names.count(name) > 1:
        return f"{array.path} {name}"
    return name


def fields_of(record: Struct, arrays: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Field]]:
    """The fields of a record and of the elements of its arrays, each with the paths of the arrays around it."""
    for member in record.members:
        if isinstance(member, Array):
            yield from fields_of(member.element, (*arrays, member.path))
        else:
            yield arrays, member


def flags_of(field: Field) -> Mapping[int, str]:
    """The names of the bits of a field by their masks, without those that its type has no bit for.

    A field that has names for its values, too, shows them, and none of its bits.
    """
    if not field.flags or field.choices or field.width is None:
        return {}
    bits = {1 << bit for bit in range(8 * field.width)}
    return {mask: field.flags[mask] for mask in sorted(field.flags) if mask in bits}


def with_unit(meaning: str, unit: str = "") -> str:
    """The documentation of a field."""
    if unit:
        return f"{meaning} ({unit})"
    return meaning


def direction(suffix: str) -> str:
    """What an axis of a vector is, from what the table adds to the vector's meaning."""
    words = suffix.removeprefix(":").strip()
    return words[0].upper() + words[1:]
