"""The format of recordings as a pattern for ImHex (.hexpat)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...format.dialects import DIALECTS
from ...format.header import FIELDS, MAGIC
from ...format.packets import CHOICES, TABLE
from ...format.schema import INTEGER_RANGES, RAW_CODES, Array, Field, Struct
from .layouts import (
    BY_HEADER,
    UNREAL_5,
    Group,
    Layout,
    dialects_with,
    direction,
    element_name,
    fields_of,
    flags_of,
    grouped,
    has_shared_axes,
    lacking_all,
    layouts_of_carla,
    packet_numbering,
    with_unit,
)
from .names import Scope, camel, snake
from .own_packets import OwnId, OwnPackets

_TYPES: Mapping[str, str] = {
    "i8": "s8",
    "i16": "s16",
    "i32": "s32",
    "i64": "s64",
    "f32": "float",
    "f64": "double",
    "str": "Text",
    **dict.fromkeys(RAW_CODES, "u8"),
}

_WORDS = """
addressof as auto be bitfield bool break builtin catch char char16 const continue double else enum false float fn for
from if import in is le match namespace null out padding parent ref reference return s128 s16 s24 s32 s48 s64 s8 s96
signed sizeof std str struct this true try typenameof u128 u16 u24 u32 u48 u64 u8 u96 union unsigned using while
"""
"""The words of ImHex's language."""

_VARIABLES = "dialect header kind_of of_fork packets spoken"
"""The variables of the pattern that conditions name."""

_NO_MEMBERS = frozenset([*_WORDS.split(), *_VARIABLES.split()])

_OWN_TYPES = ("Dialect", "Header", "Kind", "Packet", "Text")

_ABOUT = """
What a packet means depends on the release of CARLA that wrote the recording, its dialect, which no byte of the file
names. Type its number (below) into the setting `dialect` of the pattern editor, or leave 0: then the version of the
header decides, 1 for 0.9.15 and 2 for the newest one for Unreal 4. Recordings of CARLA 0.10 (Unreal 5) need theirs.
`recorder-editor info FILE --json` names the dialect of any file.
"""


def imhex(own: OwnPackets) -> Iterator[str]:
    """The pattern, line by line.

    Args:
        own: The packets of users in it.
    """
    yield from _head(own)
    yield from _Pattern(own).lines()


def _head(own: OwnPackets) -> Iterator[str]:
    """What stands before the types."""
    magic = ["??", "??"]
    for byte in (*len(MAGIC).to_bytes(2, "little"), *MAGIC):
        magic.append(f"{byte:02X}")
    yield "#pragma author Recorder Editor"
    yield "#pragma description Recordings of the CARLA simulator"
    yield f"#pragma magic [ {' '.join(magic)} ] @ 0x00"
    yield "#pragma endian little"
    yield "#pragma array_limit 0x10000000"
    yield "#pragma pattern_limit 0x10000000"
    yield ""
    if own.files:
        yield f"// Made from the table of packets and {', '.join(own.files)} by Recorder Editor."
    else:
        yield "// Made from the table of packets by packaging/reference.py of Recorder Editor."
    for line in _ABOUT.strip().splitlines():
        yield f"// {line}"
    if own.forks:
        yield f"// Type 1 into the setting `of_fork` if {' or '.join(own.forks)} wrote it, which uses ids of CARLA."
    yield ""


def _spoken(dialects: Iterable[str]) -> str:
    """The condition that one of these dialects is read."""
    return " || ".join(f"spoken == Dialect::{camel(name)}" for name in dialects)


def _enum(name: str, type_: str, names: Mapping[int, str]) -> Iterator[str]:
    """An enumeration."""
    rows = [f"    {camel(names[number])} = {number}" for number in sorted(names)]
    yield f"enum {name} : {type_} {{"
    for row in rows[:-1]:
        yield f"{row},"
    yield rows[-1]
    yield "};"
    yield ""


def _comment(meaning: str, unit: str = "", name: str = "") -> str:
    """The attributes of a member: what it means, and its name if that is a word of the language."""
    shown = f'name("{name}"), ' if name else ""
    return f'[[{shown}comment("{with_unit(meaning, unit)}")]]'


def _named(path: str, size: str, meaning: str, unit: str) -> str:
    """The name of a member, and its attributes; a word of the language gets another name, and is shown as it is."""
    if path in _NO_MEMBERS:
        return f"{path}_{size} {_comment(meaning, unit, path)}"
    return f"{path}{size} {_comment(meaning, unit)}"


def _guarded(lines: Iterable[str], lacking: Sequence[str]) -> Iterator[str]:
    """Lines that hold for all dialects but some."""
    if not lacking:
        yield from lines
        return
    yield f"    if (!({_spoken(lacking)})) {{"
    for line in lines:
        yield f"    {line}"
    yield "    }"


class _Pattern:
    """The parts of a pattern with packets of users."""

    def __init__(self, own: OwnPackets) -> None:
        self.own = own
        self.layouts: list[Layout] = [*layouts_of_carla(), *(packet.layout for packet in own.packets)]
        self.names = Scope([*_OWN_TYPES, *TABLE["axes"]])
        self.types: dict[tuple[str, str, str], str] = {}
        """The types of enumerations and bit masks by what they are, their group and the type of the field."""

    def lines(self) -> Iterator[str]:
        """The pattern, line by line."""
        yield from _enum("Dialect", "u8", dict(enumerate(("by header", *DIALECTS))))
        yield from _enum("Kind", "u16", self.own.kinds())
        yield from self._choices()
        yield from self._frame()
        for layout in self.layouts:
            yield from self._body(layout)
        yield from self._kind_of()
        yield from self._packets()

    # --- enumerations and bit masks ---------------------------------------------------------------------------

    def _choices(self) -> Iterator[str]:
        """The enumerations and bit masks of the fields, each once."""
        for layout in self.layouts:
            for arrays, field in fields_of(layout.kind.record):
                for variant in layout.variants(arrays, field.path).fields.values():
                    if variant is not None:
                        yield from self._definition(variant)

    def _definition(self, field: Field) -> Iterator[str]:
        """The type of a field's enumeration or bit mask, if there is none yet."""
        key = self._key(field)
        if key is None or key in self.types:
            return
        use, group, type_ = key
        name = self.names.add(camel(group))
        self.types[key] = name
        if use == "choices":
            yield from _enum(name, _TYPES.get(type_, type_), _choices_of(field))
        else:
            yield from _bitfield(name, field)

    def _key(self, field: Field) -> tuple[str, str, str] | None:
        """What tells the types of enumerations and bit masks apart; None for a field that is a plain number."""
        type_ = "u8" if field.type == "bool" else field.type
        if _choices_of(field):
            return "choices", self._group_of(field.choices or {}), type_
        if flags_of(field) and not field.type.startswith("i"):  # a bit field has no sign
            return "flags", self._group_of(field.flags or {}), type_
        return None

    def _group_of(self, names: Mapping[int, str]) -> str:
        """The name of an enumeration or a bit mask."""
        group = self.own.group_of(names)
        if group:
            return group
        return next(name for name, words in CHOICES.items() if words == names)

    def _type_of(self, field: Field) -> str:
        """The type of a field."""
        key = self._key(field)
        if key is None:
            return _TYPES.get(field.type, field.type)
        return self.types[key]

    # --- header and vectors -----------------------------------------------------------------------------------

    def _frame(self) -> Iterator[str]:
        """Text, header and vectors, and the variables that conditions name."""
        comments = {field.name: _comment(field.meaning, field.unit) for field in FIELDS}
        yield "struct Text {"
        yield "    u16 size;"
        yield "    if ($ + size <= sizeof($)) {"
        yield "        char value[size];"
        yield "    }"
        yield "};"
        yield ""
        yield "struct Header {"
        yield f"    u16 version {comments['version']};"
        yield "    u16 magic_size;"
        yield f"    char magic[{len(MAGIC)}] {comments['magic']};"
        yield f"    s64 date {comments['date']};"
        yield f"    Text map {comments['map']};"
        yield "};"
        yield ""
        newest = f"Dialect::{camel(BY_HEADER[2])}"
        oldest = f"Dialect::{camel(BY_HEADER[1])}"
        yield "u8 dialect in;"
        if self.own.forks:
            yield "u8 of_fork in;"
        yield "Header header @ 0x00;"
        yield f"u8 spoken = dialect > 0 ? dialect : (header.version >= 2 ? {newest} : {oldest});"
        yield ""
        wide = [name for name, dialect in DIALECTS.items() if dialect.wide]
        for axes, suffixes in TABLE["axes"].items():
            yield f"struct {camel(axes)} {{"
            for condition, real in ((f"if ({_spoken(wide)}) {{", "double"), ("} else {", "float")):
                yield f"    {condition}"
                for axis, doc in suffixes.items():
                    yield f'        {real} {axis[1:]} [[comment("{direction(doc)}")]];'
            yield "    }"
            yield "};"
            yield ""

    # --- bodies -----------------------------------------------------------------------------------------------

    def _body(self, layout: Layout) -> Iterator[str]:
        """The types of a packet's body and of what is in it, the innermost first."""
        kind = layout.kind
        name = camel(layout.name)
        body = self.names.add(f"{name}_body")
        if kind.body == "single":
            yield from self._record(kind.record, layout, (), body)
            return
        record = self.names.add(f"{name}_{snake(kind.record.name)}")
        yield from self._record(kind.record, layout, (), record)
        yield f"struct {body}<auto Stop> {{"
        yield "    u16 count;"
        yield from _rows(kind.record, record, "records[count]", "count", layout.least(()))
        yield "};"
        yield ""

    def _record(self, record: Struct, layout: Layout, arrays: Sequence[str], name: str) -> Iterator[str]:
        """The type of a record or of an element, behind those of its parts.

        Args:
            record: The record. With arrays it is told where the body ends.
            layout: The packet.
            arrays: The paths of the arrays around it, the outermost first.
            name: The name of the type.
        """
        lines: list[str] = []
        for member in grouped(record):
            if isinstance(member, Field):
                lines.extend(self._field(member, member.path, layout, arrays))
            elif isinstance(member, Array):
                inner = (*arrays, member.path)
                element = self.names.add(f"{name}_{snake(element_name(record, member))}")
                yield from self._record(member.element, layout, inner, element)
                rows = _array(member, element, layout.least(inner))
                lines.extend(_guarded(rows, layout.lacking(arrays, member.path)))
            elif has_shared_axes(layout, arrays, member):
                named = _named(member.name, "", member.meaning, member.fields[0].unit)
                lacking = layout.lacking(arrays, member.fields[0].path)
                lines.extend(_guarded([f"    {camel(member.axes)} {named};"], lacking))
            else:
                group = self.names.add(f"{name}_{member.name}")
                yield from self._group(member, layout, arrays, group)
                lines.extend(_guarded([f"    {group} {_group_name(member)};"], lacking_all(layout, arrays, member)))
        yield f"struct {name}{'<auto Stop>' if record.arrays else ''} {{"
        yield from lines
        yield "};"
        yield ""

    def _group(self, group: Group, layout: Layout, arrays: Sequence[str], name: str) -> Iterator[str]:
        """The type of fields under one path."""
        yield f"struct {name} {{"
        for field in group.fields:
            yield from self._field(field, field.name, layout, arrays)
        yield "};"
        yield ""

    def _field(self, field: Field, name: str, layout: Layout, arrays: Sequence[str]) -> Iterator[str]:
        """The lines of a field; its enumeration may depend on the dialect, and whether there is one.

        Args:
            field: The field.
            name: Its name in the type that it is in.
            layout: The packet.
            arrays: The paths of the arrays around it, the outermost first.
        """
        size = f"[{field.width}]" if field.is_raw else ""
        named = _named(name, size, field.meaning, field.unit)
        types: dict[str, list[str]] = {}
        for dialect, variant in layout.variants(arrays, field.path).fields.items():
            if variant is not None:
                types.setdefault(self._type_of(variant), []).append(dialect)
        if not types:  # no dialect has it
            return
        *special, (usual, _) = sorted(types.items(), key=lambda item: len(item[1]))
        lacking = layout.lacking(arrays, field.path)
        if lacking or not special:
            yield from _guarded([f"    {usual} {named};"], lacking)
            return
        for number, (type_, dialects) in enumerate(special):
            otherwise = "} else " if number else ""
            yield f"    {otherwise}if ({_spoken(dialects)}) {{"
            yield f"        {type_} {named};"
        yield "    } else {"
        yield f"        {usual} {named};"
        yield "    }"

    # --- packets ----------------------------------------------------------------------------------------------

    def _kind_of(self) -> Iterator[str]:
        """The function that tells the kind of a packet by its id."""
        yield "fn kind_of(u8 id) {"
        for packet in self.own.packets:
            for own_id in packet.ids:
                if own_id.number == packet.number:
                    continue
                condition = f"id == {own_id.number}"
                if not own_id.is_unconditional:
                    condition = f"{condition} && ({_holds(own_id)})"
                yield f"    if ({condition}) {{"
                yield f"        return {packet.number};"
                yield "    }"
        for move in packet_numbering().moves:
            numbers = f"id >= {move.first} && id <= {move.last}"
            if move.first == move.last:
                numbers = f"id == {move.first}"
            sign = "+" if move.difference > 0 else "-"
            yield f"    if ({numbers} && ({_spoken(move.dialects)})) {{"
            yield f"        return id {sign} {abs(move.difference)};"
            yield "    }"
        for layout in UNREAL_5:
            dialects = dialects_with(layout)
            yield f"    if (id == {_id_in(dialects[0], layout)} && ({_spoken(dialects)})) {{"
            yield f"        return Kind::{layout};"
            yield "    }"
        yield "    return id;"
        yield "};"
        yield ""

    def _packets(self) -> Iterator[str]:
        """The packet, and the packets of the file."""
        yield "struct Packet {"
        yield "    u8 id;"
        yield "    u32 size;"
        yield "    u64 stop = $ + size <= sizeof($) ? $ + size : sizeof($);"
        yield "    u16 kind = kind_of(id);"
        yield "    match (kind) {"
        for layout in self.layouts:
            name = camel(layout.name)
            argument = "" if layout.kind.body == "single" else "<stop>"
            yield f"        (Kind::{name}): {name}_body{argument} body;"
        yield "    }"
        yield "    if ($ < stop) {"
        yield '        u8 bytes[stop - $] [[comment("What the dialect does not define")]];'
        yield "    }"
        yield "    $ = stop;"
        yield "};"
        yield ""
        yield "Packet packets[while($ + 5 <= sizeof($))] @ sizeof(header);"


def _id_in(dialect: str, layout: str) -> int:
    """The id that a dialect has for a packet with a layout of Unreal 5."""
    kind = DIALECTS[dialect].by_name(UNREAL_5[layout])
    assert kind is not None
    return kind.id


def _choices_of(field: Field) -> Mapping[int, str]:
    """The names of values that the type of a field can hold."""
    if not field.choices:
        return {}
    low, high = INTEGER_RANGES[field.type]
    return {number: name for number, name in field.choices.items() if low <= number <= high}


def _bitfield(name: str, field: Field) -> Iterator[str]:
    """A bit mask; bits without a name are left out."""
    assert field.width is not None
    yield f"bitfield {name} {{"
    end = 0  # the bits before this one are told
    for mask, word in flags_of(field).items():
        bit = mask.bit_length() - 1
        if bit > end:
            yield f"    padding : {bit - end};"
        yield f"    {camel(word)} : 1;"
        end = bit + 1
    rest = 8 * field.width - end
    if rest:
        yield f"    padding : {rest};"
    yield "};"
    yield ""


def _group_name(group: Group) -> str:
    """The name of a group of fields."""
    if group.name in _NO_MEMBERS:
        return f'{group.name}_ [[name("{group.name}")]]'
    return group.name


def _array(array: Array, element: str, size: int) -> Iterator[str]:
    """The count of an array, and its elements.

    Args:
        array: The array.
        element: The name of the type of an element.
        size: The smallest size of an element in bytes.
    """
    count = f"num_{array.path}"
    yield f"    {array.count} {count} {_comment(array.count_field.meaning)};"
    yield from _rows(array.element, element, _named(array.path, f"[{count}]", array.meaning, ""), count, size)


def _rows(element: Struct, type_: str, named: str, count: str, size: int) -> Iterator[str]:
    """An array, where there is room for it before the end of the body.

    Args:
        element: An element.
        type_: The name of its type.
        named: The name of the array, with its count and its attributes.
        count: The name of the count.
        size: The smallest size of an element in bytes.
    """
    argument = "<Stop>" if element.arrays else ""
    yield f"    if ($ + {count} * {size} <= Stop) {{"
    yield f"        {type_}{argument} {named};"
    yield "    }"


def _holds(own_id: OwnId) -> str:
    """The condition that an id of CARLA means a packet of users."""
    conditions = [f"header.version == {version}" for version in own_id.header_versions]
    if own_id.free_in:
        conditions.append(_spoken(own_id.free_in))
    if own_id.is_of_fork:
        conditions.append("of_fork > 0")
    return " || ".join(conditions)
