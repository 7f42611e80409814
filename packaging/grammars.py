"""The format of recordings as grammars for other programs, made from the table of packets.

`kaitai` is the grammar for Kaitai Struct (.ksy), `imhex` the pattern for ImHex (.hexpat). Both take the dialect as a
parameter, since no byte of a recording names it. What differs from dialect to dialect (ids, widths, numberings,
members) is found by comparing the tables of all dialects with those of the newest one, `NEWEST`.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from recorder_editor.format.dialects import DIALECTS, with_header_version
from recorder_editor.format.dialects import NEWEST as NEWEST_OF_ENGINE
from recorder_editor.format.header import FIELDS, MAGIC
from recorder_editor.format.packets import CHOICES, TABLE
from recorder_editor.format.schema import RAW_CODES, Array, Field, PacketType, Struct

NEWEST = NEWEST_OF_ENGINE[4]
BY_HEADER = {version: with_header_version(NEWEST, version).name for version in (1, 2)}
"""The dialect for each version of the header where none is given."""

RENUMBERED, ABSENT = 0x100, 0x200
"""Added to numbers that mean something in another dialect: to what the newest one lacks, and to what means nothing."""

UNREAL_5: Mapping[str, str] = {
    f"{kind.name}Unreal5": kind.name for kind in NEWEST_OF_ENGINE[5].packets.values() if kind.by_engine
}
"""The names of layouts that packets have in Unreal 5 alone, with those of the packets."""

LAYOUTS: Mapping[int, str] = {ABSENT - 1 - number: name for number, name in enumerate(UNREAL_5)}
"""The numbers of these layouts among the kinds."""


# --- what differs between dialects ------------------------------------------------------------------------


class Numbering(NamedTuple):
    """One numbering for all dialects: `names`, and `moves`, the (first, last, difference, dialects) to get there."""

    names: Mapping[int, str]
    moves: Sequence[tuple[int, int, int, tuple[str, ...]]]


def one_numbering(meanings: Mapping[str, Mapping[int, str]], newest: Mapping[int, str]) -> Numbering:
    """The numbering of the newest dialect, extended by what others have, from what each dialect's numbers mean."""
    names = dict(newest)
    places = {name: number for number, name in newest.items()}
    moved: dict[int, dict[int, list[str]]] = {}
    for dialect, words in meanings.items():
        for number in sorted(words.keys() | newest.keys()):
            name = words.get(number)
            there = number + ABSENT if name is None else places.get(name, number + RENUMBERED)
            if name is not None:
                names[there] = name
            if there != number:
                moved.setdefault(number, {}).setdefault(there - number, []).append(dialect)
    single = [(number, by, tuple(who)) for number, each in moved.items() for by, who in each.items()]
    moves = []
    for (by, who), runs in groupby(sorted(single, key=lambda each: (each[2], each[1], each[0])), lambda each: each[1:]):
        numbers = [number for number, _, _ in runs]
        for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
            row = [number for _, number in run]
            moves.append((row[0], row[-1], by, who))
    return Numbering(names, sorted(moves))


def packet_numbering() -> Numbering:
    """The packets of all dialects under one number each, where possible their id."""
    meanings = {
        name: {number: kind.name for number, kind in dialect.packets.items()} for name, dialect in DIALECTS.items()
    }
    return one_numbering(meanings, meanings[NEWEST.name])


class Variants(NamedTuple):
    """A field of a packet in each dialect that decodes it, by name; those without this field have None."""

    fields: Mapping[str, Field | None]

    @property
    def is_real(self) -> bool:
        """Its width is that of vectors: 4 bytes in Unreal 4, 8 in Unreal 5."""
        return len({field.type for field in self.fields.values() if field is not None}) > 1

    @property
    def lacking(self) -> tuple[str, ...]:
        """The dialects whose packet has no such field."""
        return tuple(name for name, field in self.fields.items() if field is None)

    @property
    def choices(self) -> Mapping[str, Mapping[int, str]]:
        """The enumeration in each dialect."""
        return {name: field.choices for name, field in self.fields.items() if field is not None and field.choices}

    @property
    def is_renumbered(self) -> bool:
        """Its enumeration is not the same in all dialects."""
        return len({tuple(each.items()) for each in self.choices.values()}) > 1


def variants(packet: str, path: Sequence[str]) -> Variants:
    """A field by the name of the packet or layout and its path, which begins with those of the arrays around it."""
    found: dict[str, Field | None] = {}
    for name, dialect in DIALECTS.items():
        kind = dialect.by_name(UNREAL_5.get(packet, packet))
        if kind is not None and (not kind.by_engine or dialect.wide == (packet in UNREAL_5)):
            record = kind.record
            for array in path[:-1]:
                record = record.arrays[array].element
            found[name] = record.fields.get(path[-1])
    return Variants(found)


def in_unreal_5(layout: str) -> tuple[str, ...]:
    """The dialects whose packet has this layout of Unreal 5."""
    return tuple(name for name, dialect in DIALECTS.items() if dialect.wide and dialect.by_name(UNREAL_5[layout]))


class Group(NamedTuple):
    """Neighbouring fields under one path: `axes` is the shared kind of vector it is, or empty."""

    name: str
    fields: tuple[Field, ...]
    axes: str
    meaning: str


def grouped(record: Struct) -> Iterator[Field | Array | Group]:
    """The members of a record, with the fields of a vector or colour as one."""
    for (name, _), run in groupby(record.members, lambda each: (each.path.partition(".")[0], isinstance(each, Array))):
        members = list(run)
        fields = tuple(each for each in members if isinstance(each, Field))
        if not fields or not fields[0].group:
            yield from members
            continue
        for axes, suffixes in TABLE["axes"].items():
            if [f".{each.name}" for each in fields] == list(suffixes):
                yield Group(name, fields, axes, fields[0].meaning.removesuffix(suffixes[f".{fields[0].name}"]))
                break
        else:
            yield Group(name, fields, "", "")


def decoded() -> Iterator[PacketType]:
    """The packets whose bodies have members, by id, and behind them the layouts that Unreal 5 alone has."""
    for number in sorted(NEWEST.packets):
        if NEWEST.packets[number].record.members:
            yield NEWEST.packets[number]
    for layout, packet in UNREAL_5.items():
        kind = NEWEST_OF_ENGINE[5].by_name(packet)
        assert kind is not None
        yield replace(kind, name=layout)


def element_name(record: Struct, array: Array) -> str:
    """The name of an array's elements, with that of the array where others of the record are called the same."""
    name = array.element.name
    is_shared = [each.element.name for each in record.arrays.values()].count(name) > 1
    return f"{array.path} {name}" if is_shared else name


def said(meaning: str, unit: str = "") -> str:
    """The documentation of a field."""
    return f"{meaning} ({unit})" if unit else meaning


def direction(suffix: str) -> str:
    """What an axis of a vector is, from what the table adds to the vector's meaning."""
    words = suffix.removeprefix(":").strip()
    return words[0].upper() + words[1:]


def least(packet: str, element: Struct, arrays: Sequence[str]) -> int:
    """The smallest size of a record in any dialect, in bytes."""
    optional = (field for path, field in element.fields.items() if variants(packet, (*arrays, path)).lacking)
    return element.least - sum(field.width or 0 for field in optional)


def snake(name: str) -> str:
    """A name of the table as an identifier in lower case."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")


# --- Kaitai Struct ----------------------------------------------------------------------------------------

Node = dict[Any, Any]

KAITAI = {"u8": "u1", "i8": "s1", "u16": "u2", "i16": "s2", "u32": "u4", "i32": "s4", "u64": "u8", "i64": "s8"}
KAITAI |= {"f32": "f4", "f64": "f8", "bool": "u1", "str": "text"}

ABOUT_KSY = """
A recording is a header and packets, one after another; those from frame_start to frame_end are a frame.

What a packet means depends on the release of CARLA that wrote it, its dialect, which no byte of the file names.
It is the parameter of this grammar: `by_header` (or 0, or nothing where that is possible) reads version 1 as
0.9.15 and version 2 as the newest one for Unreal 4. This is right for every release of CARLA 0.9, but for the names of
some actor types before 0.9.12, physics_control before 0.9.12, and development builds of November 2023 to March 2025.
Recordings of CARLA 0.10 (Unreal 5) need theirs. `recorder-editor info FILE --json` names the dialect of any file.

`body` is decoded when it is first asked for, so that a damaged packet spoils nothing but itself. Where the dialect
does not define it, it is the plain bytes. The bool of C++ is a number here: 0 for no and 1 for yes.
"""


def kaitai() -> Iterator[str]:
    """The grammar for Kaitai Struct, line by line."""
    yield "# Made from the table of packets by packaging/reference.py of Recorder Editor."
    yield from yaml(
        {
            "meta": {
                "id": "carla_recorder",
                "title": "Recordings of the CARLA simulator",
                "application": "CARLA",
                "file-extension": ["log", "rec"],
                "license": "MIT",
                "ks-version": 0.9,
                "endian": "le",
            },
            "doc": ABOUT_KSY.strip(),
            "params": [{"id": "dialect", "type": "u1", "enum": "dialect", "doc": "The release that wrote the file"}],
            "seq": [{"id": "header", "type": "header"}, {"id": "packets", "type": "packet", "repeat": "eos"}],
            "instances": {
                "file_size": {"value": "_io.size"},
                "spoken": {
                    "value": f"dialect.to_i > 0 ? dialect : header.version >= 2 ? dialect::{snake(BY_HEADER[2])} : "
                    f"dialect::{snake(BY_HEADER[1])}",
                    "doc": "The dialect that is read",
                },
                "real_size": {
                    "value": f"{spoken(name for name in DIALECTS if DIALECTS[name].wide)} ? 8 : 4",
                    "doc": "Bytes of a number in vectors: 4 in Unreal 4, 8 in Unreal 5",
                },
            },
            "types": {**kaitai_frame(), **kaitai_bodies()},
            "enums": kaitai_enums(),
        }
    )


def spoken(dialects: Iterable[str], of: str = "") -> str:
    """The condition that one of these dialects is read."""
    return " or ".join(f"{of}spoken == dialect::{snake(name)}" for name in dialects)


def kaitai_number(raw: str, numbering: Numbering) -> str:
    """The expression that turns a number of the file into that of the one numbering."""
    clauses = [
        f"{f'{raw} == {first}' if first == last else f'{raw} >= {first} and {raw} <= {last}'}"
        f" and ({spoken(who, '_root.')}) ? {raw} {'+' if by > 0 else '-'} {abs(by)} : "
        for first, last, by, who in numbering.moves
    ]
    return f"{''.join(clauses)}{raw}"


def kaitai_frame() -> Node:
    """The types around the bodies of packets: header, packet, text and vectors."""
    meaning = {field.name: said(field.meaning, field.unit) for field in FIELDS}
    others = "".join(
        f"kind == packet_kind::{snake(packet)} and ({spoken(in_unreal_5(layout), '_root.')})"
        f" ? packet_kind::{snake(layout)} : "
        for layout, packet in UNREAL_5.items()
    )
    left = "_root.file_size - _io.pos"
    types: Node = {
        "header": {
            "seq": [
                {"id": "version", "type": "u2", "doc": meaning["version"]},
                {"id": "magic_size", "contents": list(len(MAGIC).to_bytes(2, "little"))},
                {"id": "magic", "contents": MAGIC.decode(), "doc": meaning["magic"]},
                {"id": "date", "type": "s8", "doc": meaning["date"]},
                {"id": "map", "type": "text", "doc": meaning["map"]},
            ]
        },
        "packet": {
            "seq": [
                {"id": "id", "type": "u1", "doc": "Kind of the packet, by the numbering of the dialect"},
                {"id": "size", "type": "u4", "if": "has_size", "doc": "Bytes of the body"},
                {
                    "id": "raw",
                    "size": f"has_size and size <= {left} ? size : {left}",
                    "type": "span",
                    "doc": "The body as a stream of its own; shorter than its size where the file ends in it",
                },
            ],
            "instances": {
                "has_size": {"value": f"{left} >= 4", "doc": "False where the file ends before the size is whole"},
                "kind": {
                    "value": kaitai_number("id", packet_numbering()),
                    "enum": "packet_kind",
                    "doc": "Kind of the packet, by one numbering for all dialects",
                },
                "layout": {
                    "value": f"{others}kind",
                    "doc": "The kind, or one of its own where Unreal 5 has other members",
                },
                "body": {
                    "io": "raw._io",
                    "pos": 0,
                    "size-eos": True,
                    "type": {
                        "switch-on": "layout",
                        "cases": {f"packet_kind::{snake(kind.name)}": f"{snake(kind.name)}_body" for kind in decoded()},
                    },
                },
            },
        },
        "span": {"doc": "Bytes that others read"},
        "text": {
            "seq": [{"id": "size", "type": "u2"}, {"id": "bytes", "size": "size"}],
            "instances": {"value": {"value": "bytes.to_s('UTF-8')", "doc": "The text; fails if it is not UTF-8"}},
        },
    }
    for axes, suffixes in TABLE["axes"].items():
        real = {"switch-on": "_root.real_size", "cases": {4: "f4", 8: "f8"}}
        types[axes] = {"seq": [{"id": axis[1:], "type": real, "doc": direction(doc)} for axis, doc in suffixes.items()]}
    return types


def kaitai_bodies() -> Node:
    """The types of the bodies of packets, with those of their records inside."""
    tail = {"id": "tail", "size-eos": True, "doc": "Bytes behind the records; none in a sound packet"}
    types: Node = {}
    for kind in decoded():
        record = kaitai_record(kind.record, kind.name, ())
        if kind.body == "single":
            body = {"doc": kind.meaning, **record, "seq": [*record["seq"], tail]}
        else:
            name = snake(kind.record.name)
            rows = {"id": "records", "type": name, "repeat": "expr", "repeat-expr": "count"}
            body = {"doc": kind.meaning, "seq": [{"id": "count", "type": "u2"}, rows, tail], "types": {name: record}}
        types[f"{snake(kind.name)}_body"] = body
    return types


def kaitai_record(record: Struct, packet: str, arrays: Sequence[str]) -> Node:
    """The type of a record of a packet, or of an element of its arrays."""
    seq: list[Node] = []
    instances: Node = {}
    types: Node = {}
    for member in grouped(record):
        if isinstance(member, Field):
            attribute, more = kaitai_field(member, variants(packet, (*arrays, member.path)))
            seq.append(attribute)
            instances |= more
        elif isinstance(member, Array):
            count = {"id": f"num_{member.path}", "type": KAITAI[member.count], "doc": member.count_field.meaning}
            name = snake(element_name(record, member))
            rows = {"id": member.path, "type": name, "repeat": "expr", "repeat-expr": count["id"]}
            seq += [count, {**rows, "doc": member.meaning}]
            types[name] = kaitai_record(member.element, packet, (*arrays, member.path))
        elif member.axes and variants(packet, (*arrays, member.fields[0].path)).is_real:
            doc = said(member.meaning, member.fields[0].unit)
            seq.append({"id": member.name, "type": member.axes, "doc": doc})
        else:
            seq.append({"id": member.name, "type": member.name})
            types[member.name] = {
                "seq": [
                    {"id": each.name, "type": KAITAI[each.type], "doc": said(each.meaning, each.unit)}
                    for each in member.fields
                ]
            }
    return {key: value for key, value in (("seq", seq), ("instances", instances), ("types", types)) if value}


def kaitai_field(field: Field, among: Variants) -> tuple[Node, Node]:
    """The attribute of a field, and the instances that explain its number."""
    attribute: Node = {"id": field.path}
    if field.is_raw:
        attribute["size"] = field.width
    else:
        attribute["type"] = KAITAI[field.type]
    instances: Node = {}
    if among.lacking:
        attribute["if"] = f"not ({spoken(among.lacking, '_root.')})"
    if among.is_renumbered:
        numbering = one_numbering(among.choices, field.choices or {})
        value = kaitai_number(field.path, numbering)
        instances[f"{field.path}_name"] = {"value": value, "enum": enum_of(field), "doc": field.meaning}
    elif field.choices:
        attribute["enum"] = enum_of(field)
    for bit, word in (field.flags or {}).items():
        instances[f"{field.path}_{snake(word)}"] = {"value": f"({field.path} & {bit:#x}) != 0"}
    attribute["doc"] = said(field.meaning, field.unit)
    return attribute, instances


def enum_of(field: Field) -> str:
    """The enumeration of a field; that of a release counts as its family."""
    name = next(name for name, words in CHOICES.items() if words == field.choices)
    return snake(re.sub(r" (UE)?[\d.]+$", "", name))


def kaitai_enums() -> Node:
    """The enumerations: dialects, packets, and those of the fields."""
    dialects: Node = {0: {"id": "by_header", "doc": "As the version of the header says"}}
    for number, dialect in enumerate(DIALECTS.values(), 1):
        dialects[number] = {"id": snake(dialect.name), "doc": dialect.title}
    packets = {**packet_numbering().names, **LAYOUTS}
    enums: Node = {"dialect": dialects, "packet_kind": {number: snake(packets[number]) for number in sorted(packets)}}
    for kind in decoded():
        for path, field in paths(kind.record, ()):
            if field.choices:
                names = one_numbering(variants(kind.name, path).choices, field.choices).names
                enums[enum_of(field)] = {number: snake(names[number]) for number in sorted(names)}
    return enums


def paths(record: Struct, arrays: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Field]]:
    """The fields of a record and of its arrays, with their paths."""
    for member in record.members:
        if isinstance(member, Array):
            yield from paths(member.element, (*arrays, member.path))
        else:
            yield (*arrays, member.path), member


def yaml(node: Any) -> Iterator[str]:
    """A value of mappings, lists and plain values as YAML."""
    if isinstance(node, dict):
        for key, value in node.items():
            if isinstance(value, dict | list):
                yield f"{scalar(key)}:"
                yield from (f"  {line}" for line in yaml(value))
            elif isinstance(value, str) and len(value) > 90:
                is_text = "\n" in value
                yield f"{scalar(key)}: {'|' if is_text else '>-'}"
                lines = value.split("\n") if is_text else textwrap.wrap(value, 100, break_on_hyphens=False)
                yield from (f"  {line}".rstrip() for line in lines)
            else:
                yield f"{scalar(key)}: {scalar(value)}"
    else:
        for each in node:
            first, *others = yaml(each) if isinstance(each, dict) else [scalar(each)]
            yield f"- {first}"
            yield from (f"  {line}" for line in others)


def scalar(value: Any) -> str:
    """A plain value; text in quotes where YAML would take it for something else."""
    plain = isinstance(value, str) and re.fullmatch(r"[A-Za-z_]((?!: | #|:$).)*", value)
    if plain and value.lower() not in ("y", "n", "yes", "no", "on", "off", "true", "false", "null"):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


# --- ImHex ------------------------------------------------------------------------------------------------

IMHEX = {"i8": "s8", "i16": "s16", "i32": "s32", "i64": "s64", "f32": "float", "f64": "double", "str": "Text"}
IMHEX |= dict.fromkeys(RAW_CODES, "u8")

RESERVED = ("parent", "this", "null", "in", "out", "ref", "padding")
"""Words of ImHex's language that may be names of fields."""

ABOUT_HEXPAT = """
What a packet means depends on the release of CARLA that wrote the recording, its dialect, which no byte of the file
names. Type its number (below) into the setting `dialect` of the pattern editor, or leave 0: then the version of the
header decides, 1 for 0.9.15 and 2 for the newest one for Unreal 4. Recordings of CARLA 0.10 (Unreal 5) need theirs.
`recorder-editor info FILE --json` names the dialect of any file.
"""


def imhex() -> Iterator[str]:
    """The pattern for ImHex, line by line."""
    magic = [0x100, 0x100, *len(MAGIC).to_bytes(2, "little"), *MAGIC]
    mark = " ".join("??" if byte > 0xFF else f"{byte:02X}" for byte in magic)
    words = {field.name: comment(field.meaning, field.unit) for field in FIELDS}
    yield "#pragma author Recorder Editor"
    yield "#pragma description Recordings of the CARLA simulator"
    yield f"#pragma magic [ {mark} ] @ 0x00"
    yield "#pragma endian little"
    yield "#pragma array_limit 0x10000000"
    yield "#pragma pattern_limit 0x10000000"
    yield ""
    yield "// Made from the table of packets by packaging/reference.py of Recorder Editor."
    yield from (f"// {line}" for line in ABOUT_HEXPAT.strip().splitlines())
    yield ""
    yield from imhex_enum("Dialect", "u8", dict(enumerate(("by header", *DIALECTS))))
    yield from imhex_enum("Kind", "u16", {**packet_numbering().names, **LAYOUTS})
    yield from imhex_choices()
    yield from ("struct Text {", "    u16 size;", "    if ($ + size <= sizeof($)) {", "        char value[size];")
    yield from ("    }", "};", "")
    yield from ("struct Header {", f"    u16 version {words['version']};", "    u16 magic_size;")
    yield from (f"    char magic[{len(MAGIC)}] {words['magic']};", f"    s64 date {words['date']};")
    yield from (f"    Text map {words['map']};", "};", "")
    newest, oldest = (f"Dialect::{camel(BY_HEADER[version])}" for version in (2, 1))
    yield from ("u8 dialect in;", "Header header @ 0x00;")
    yield f"u8 spoken = dialect > 0 ? dialect : (header.version >= 2 ? {newest} : {oldest});"
    yield ""
    wide = [name for name, dialect in DIALECTS.items() if dialect.wide]
    for axes, suffixes in TABLE["axes"].items():
        yield f"struct {camel(axes)} {{"
        for condition, real in ((f"if ({imhex_spoken(wide)}) {{", "double"), ("} else {", "float")):
            yield f"    {condition}"
            for axis, doc in suffixes.items():
                yield f'        {real} {axis[1:]} [[comment("{direction(doc)}")]];'
        yield from ("    }", "};", "")
    for kind in decoded():
        yield from imhex_body(kind)
    yield from imhex_packet()


def camel(name: str) -> str:
    """A name of the table as an identifier that begins with a capital."""
    name = re.sub(r"\W+", "_", name).strip("_")
    return name[0].upper() + name[1:]


def imhex_spoken(dialects: Iterable[str]) -> str:
    """The condition that one of these dialects is read."""
    return " || ".join(f"spoken == Dialect::{camel(name)}" for name in dialects)


def imhex_enum(name: str, kind: str, names: Mapping[int, str]) -> Iterator[str]:
    """An enumeration."""
    rows = [f"    {camel(names[number])} = {number}" for number in sorted(names)]
    yield from (f"enum {name} : {kind} {{", *(f"{row}," for row in rows[:-1]), rows[-1], "};", "")


def imhex_choices() -> Iterator[str]:
    """The enumerations and bit masks of the fields, each once."""
    seen = set()
    for kind in decoded():
        for path, field in paths(kind.record, ()):
            for each in variants(kind.name, path).fields.values():
                names = (each and (each.choices or each.flags)) or {}
                if not names or choices_of(names) in seen:
                    continue
                seen.add(choices_of(names))
                if field.choices:
                    yield from imhex_enum(choices_of(names), IMHEX.get(field.type, field.type), names)
                else:
                    bits = [f"    {camel(word)} : 1;" for word in names.values()]
                    rest = 8 * (field.width or 0) - len(bits)
                    yield from (f"bitfield {choices_of(names)} {{", *bits, f"    padding : {rest};", "};", "")


def choices_of(names: Mapping[int, str]) -> str:
    """The type of an enumeration or a bit mask."""
    return camel(next(name for name, words in CHOICES.items() if words == names))


def imhex_body(kind: PacketType) -> Iterator[str]:
    """The types of a packet's body and of what is in it, the innermost first."""
    if kind.body == "single":
        yield from imhex_record(kind.record, kind.name, (), f"{kind.name}_body")
        return
    record = f"{kind.name}_{snake(kind.record.name)}"
    yield from imhex_record(kind.record, kind.name, (), record)
    yield from (f"struct {kind.name}_body<auto Stop> {{", "    u16 count;")
    yield from imhex_rows(kind.record, record, "records", "count", least(kind.name, kind.record, ()))
    yield from ("};", "")


def imhex_rows(element: Struct, name: str, path: str, count: str, size: int, comment: str = "") -> Iterator[str]:
    """An array, where there is room for it before the end of the body."""
    yield f"    if ($ + {count} * {size} <= Stop) {{"
    yield f"        {name}{'<Stop>' if element.arrays else ''} {path}[{count}]{comment};"
    yield "    }"


def imhex_record(record: Struct, packet: str, arrays: Sequence[str], name: str) -> Iterator[str]:
    """The type of a record or of an element, behind those of its parts; with arrays it is told where the body ends."""
    lines: list[str] = []
    for member in grouped(record):
        if isinstance(member, Field):
            lines += imhex_field(member, variants(packet, (*arrays, member.path)))
        elif isinstance(member, Array):
            inner = (*arrays, member.path)
            element, count = f"{name}_{snake(element_name(record, member))}", f"num_{member.path}"
            yield from imhex_record(member.element, packet, inner, element)
            lines.append(f"    {member.count} {count} {comment(member.count_field.meaning)};")
            size = least(packet, member.element, inner)
            lines += imhex_rows(member.element, element, member.path, count, size, f" {comment(member.meaning)}")
        elif member.axes and variants(packet, (*arrays, member.fields[0].path)).is_real:
            lines.append(f"    {camel(member.axes)} {member.name} {comment(member.meaning, member.fields[0].unit)};")
        else:
            parts = (
                f"    {IMHEX[each.type]} {each.name} {comment(each.meaning, each.unit)};" for each in member.fields
            )
            yield from (f"struct {name}_{member.name} {{", *parts, "};", "")
            lines.append(f"    {name}_{member.name} {member.name};")
    yield from (f"struct {name}{'<auto Stop>' if record.arrays else ''} {{", *lines, "};", "")


def imhex_field(field: Field, among: Variants) -> Iterator[str]:
    """The lines of a field; its enumeration may depend on the dialect, and whether there is one."""
    size = f"[{field.width}]" if field.is_raw else ""
    name = f"{field.path}_{size} {comment(field.meaning, field.unit, field.path)}"
    if field.path not in RESERVED:
        name = f"{field.path}{size} {comment(field.meaning, field.unit)}"
    kinds: dict[str, list[str]] = {}
    for dialect, each in among.fields.items():
        if each is not None:
            names = each.choices or each.flags
            kinds.setdefault(choices_of(names) if names else IMHEX.get(field.type, field.type), []).append(dialect)
    *special, (usual, _) = sorted(kinds.items(), key=lambda kind: len(kind[1]))
    if among.lacking:
        yield from (f"    if (!({imhex_spoken(among.lacking)})) {{", f"        {usual} {name};", "    }")
    elif not special:
        yield f"    {usual} {name};"
    else:
        for number, (kind, dialects) in enumerate(special):
            yield f"    {'} else ' if number else ''}if ({imhex_spoken(dialects)}) {{"
            yield f"        {kind} {name};"
        yield from ("    } else {", f"        {usual} {name};", "    }")


def comment(meaning: str, unit: str = "", name: str = "") -> str:
    """The attributes of a member: what it means, and its name if that is a word of the language."""
    shown = f'name("{name}"), ' if name else ""
    return f'[[{shown}comment("{said(meaning, unit)}")]]'


def imhex_packet() -> Iterator[str]:
    """The packet, what tells its kind, and the packets of the file."""
    yield "fn kind_of(u8 id) {"
    for first, last, by, who in packet_numbering().moves:
        numbers = f"id == {first}" if first == last else f"id >= {first} && id <= {last}"
        yield f"    if ({numbers} && ({imhex_spoken(who)})) {{"
        yield from (f"        return id {'+' if by > 0 else '-'} {abs(by)};", "    }")
    for layout, packet in UNREAL_5.items():
        dialects = in_unreal_5(layout)
        number = DIALECTS[dialects[0]].by_name(packet)
        assert number is not None
        yield f"    if (id == {number.id} && ({imhex_spoken(dialects)})) {{"
        yield from (f"        return Kind::{layout};", "    }")
    yield from ("    return id;", "};", "")
    yield "struct Packet {"
    yield "    u8 id;"
    yield "    u32 size;"
    yield "    u64 stop = $ + size <= sizeof($) ? $ + size : sizeof($);"
    yield "    u16 kind = kind_of(id);"
    yield "    match (kind) {"
    for kind in decoded():
        yield f"        (Kind::{kind.name}): {kind.name}_body{'' if kind.body == 'single' else '<stop>'} body;"
    yield "    }"
    yield "    if ($ < stop) {"
    yield '        u8 bytes[stop - $] [[comment("What the dialect does not define")]];'
    yield "    }"
    yield from ("    $ = stop;", "};", "")
    yield "Packet packets[while($ + 5 <= sizeof($))] @ sizeof(header);"
