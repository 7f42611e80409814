"""The format of recordings as a grammar for Kaitai Struct (.ksy)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...format.dialects import DIALECTS
from ...format.header import FIELDS, MAGIC
from ...format.packets import CHOICES, TABLE
from ...format.schema import Array, Field, Struct
from .layouts import (
    BY_HEADER,
    UNREAL_5,
    Group,
    Layout,
    Numbering,
    dialects_with,
    direction,
    element_name,
    fields_of,
    flags_of,
    grouped,
    has_shared_axes,
    lacking_all,
    layouts_of_carla,
    one_numbering,
    packet_numbering,
    with_unit,
)
from .names import Scope, family, identifier, snake
from .own_packets import NAMES_OF_ENUMS, NAMES_OF_TYPES, OwnId, OwnPackets, flag_name
from .yaml_text import yaml

Node = dict[Any, Any]

_TYPES: Mapping[str, str] = {
    "u8": "u1",
    "i8": "s1",
    "u16": "u2",
    "i16": "s2",
    "u32": "u4",
    "i32": "s4",
    "u64": "u8",
    "i64": "s8",
    "f32": "f4",
    "f64": "f8",
    "bool": "u1",
    "str": "text",
}

_LARGEST_OF_ENUM = (1 << 63) - 1
"""Kaitai takes no larger number into an enumeration."""

_ABOUT = """
A recording is a header and packets, one after another; those from frame_start to frame_end are a frame.

What a packet means depends on the release of CARLA that wrote it, its dialect, which no byte of the file names.
It is the parameter of this grammar: `by_header` (or 0, or nothing where that is possible) reads version 1 as
0.9.15 and version 2 as the newest one for Unreal 4. This is right for every release of CARLA 0.9, but for the names of
some actor types before 0.9.12, physics_control before 0.9.12, and development builds of November 2023 to March 2025.
Recordings of CARLA 0.10 (Unreal 5) need theirs. `recorder-editor info FILE --json` names the dialect of any file.

`body` is decoded when it is first asked for, so that a damaged packet spoils nothing but itself. Where the dialect
does not define it, it is the plain bytes. The bool of C++ is a number here: 0 for no and 1 for yes.
"""


def kaitai(own: OwnPackets) -> Iterator[str]:
    """The grammar, line by line.

    Args:
        own: The packets of users in it.
    """
    if own.files:
        yield f"# Made from the table of packets and {', '.join(own.files)} by Recorder Editor."
    else:
        yield "# Made from the table of packets by packaging/reference.py of Recorder Editor."
    yield from yaml(_Grammar(own).top())


def _spoken(dialects: Iterable[str], of: str = "") -> str:
    """The condition that one of these dialects is read; `of` stands before it where that is not in the root."""
    return " or ".join(f"{of}spoken == dialect::{snake(name)}" for name in dialects)


def _number(raw: str, numbering: Numbering) -> str:
    """The expression that turns a number of the file into that of the one numbering."""
    clauses = []
    for move in numbering.moves:
        numbers = f"{raw} >= {move.first} and {raw} <= {move.last}"
        if move.first == move.last:
            numbers = f"{raw} == {move.first}"
        sign = "+" if move.difference > 0 else "-"
        moved = f"{raw} {sign} {abs(move.difference)}"
        clauses.append(f"{numbers} and ({_spoken(move.dialects, '_root.')}) ? {moved} : ")
    return f"{''.join(clauses)}{raw}"


def _of_group(names: Mapping[int, str]) -> str:
    """The enumeration of CARLA of these names; that of a release counts as its family."""
    group = next(group for group, words in CHOICES.items() if words == names)
    return snake(family(group))


class _Grammar:
    """The parts of a grammar with packets of users."""

    def __init__(self, own: OwnPackets) -> None:
        self.own = own
        self.layouts: list[Layout] = [*layouts_of_carla(), *(packet.layout for packet in own.packets)]

    def top(self) -> Node:
        """The grammar as a whole."""
        parameters = [{"id": "dialect", "type": "u1", "enum": "dialect", "doc": "The release that wrote the file"}]
        if self.own.forks:
            doc = f"Not 0 if {' or '.join(self.own.forks)} wrote the file, which uses ids of CARLA"
            parameters.append({"id": "of_fork", "type": "u1", "doc": doc})
        wide = [name for name, dialect in DIALECTS.items() if dialect.wide]
        versions = f"header.version >= 2 ? dialect::{snake(BY_HEADER[2])} : dialect::{snake(BY_HEADER[1])}"
        return {
            "meta": {
                "id": NAMES_OF_TYPES[0],
                "title": "Recordings of the CARLA simulator",
                "application": "CARLA",
                "file-extension": ["log", "rec"],
                "license": "MIT",
                "ks-version": 0.9,
                "endian": "le",
            },
            "doc": _ABOUT.strip(),
            "params": parameters,
            "seq": [{"id": "header", "type": "header"}, {"id": "packets", "type": "packet", "repeat": "eos"}],
            "instances": {
                "file_size": {"value": "_io.size"},
                "spoken": {"value": f"dialect.to_i > 0 ? dialect : {versions}", "doc": "The dialect that is read"},
                "real_size": {
                    "value": f"{_spoken(wide)} ? 8 : 4",
                    "doc": "Bytes of a number in vectors: 4 in Unreal 4, 8 in Unreal 5",
                },
            },
            "types": {**self._frame(), **self._bodies()},
            "enums": self._enums(),
        }

    # --- header and packets -----------------------------------------------------------------------------------

    def _frame(self) -> Node:
        """The types around the bodies of packets: header, packet, text and vectors."""
        meaning = {field.name: with_unit(field.meaning, field.unit) for field in FIELDS}
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
            "packet": self._packet(),
            "span": {"doc": "Bytes that others read"},
            "text": {
                "seq": [{"id": "size", "type": "u2"}, {"id": "bytes", "size": "size"}],
                "instances": {"value": {"value": "bytes.to_s('UTF-8')", "doc": "The text; fails if it is not UTF-8"}},
            },
        }
        real = {"switch-on": "_root.real_size", "cases": {4: "f4", 8: "f8"}}
        for axes, suffixes in TABLE["axes"].items():
            numbers = []
            for axis, doc in suffixes.items():
                numbers.append({"id": axis[1:], "type": real, "doc": direction(doc)})
            types[axes] = {"seq": numbers}
        return types

    def _packet(self) -> Node:
        """The type of a packet, with what finds the type of its body."""
        left = "_root.file_size - _io.pos"
        layouts = []
        for layout, packet in UNREAL_5.items():
            condition = f"kind == packet_kind::{snake(packet)} and ({_spoken(dialects_with(layout), '_root.')})"
            layouts.append(f"{condition} ? packet_kind::{snake(layout)} : ")
        cases = {}
        for each in self.layouts:
            cases[f"packet_kind::{snake(each.name)}"] = f"{snake(each.name)}_body"
        return {
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
                    "value": f"{self._own_kinds()}{_number('id', packet_numbering())}",
                    "enum": "packet_kind",
                    "doc": "Kind of the packet, by one numbering for all dialects",
                },
                "layout": {
                    "value": f"{''.join(layouts)}kind",
                    "doc": "The kind, or one of its own where Unreal 5 has other members",
                },
                "body": {"io": "raw._io", "pos": 0, "size-eos": True, "type": {"switch-on": "layout", "cases": cases}},
            },
        }

    def _own_kinds(self) -> str:
        """The beginning of an expression: the numbers of packets of users whose ids are others."""
        clauses = []
        for packet in self.own.packets:
            for own_id in packet.ids:
                if own_id.number == packet.number:
                    continue
                condition = f"id == {own_id.number}"
                if not own_id.is_unconditional:
                    condition = f"{condition} and ({_holds(own_id)})"
                clauses.append(f"{condition} ? {packet.number} : ")
        return "".join(clauses)

    # --- bodies -----------------------------------------------------------------------------------------------

    def _bodies(self) -> Node:
        """The types of the bodies of packets, with those of their records inside."""
        tail = {"id": "tail", "size-eos": True, "doc": "Bytes behind the records; none in a sound packet"}
        types: Node = {}
        for layout in self.layouts:
            kind = layout.kind
            body_name = f"{snake(layout.name)}_body"
            names = Scope([*NAMES_OF_TYPES, body_name, *self._enums_of(layout)])
            if kind.body == "single":
                record = self._record(kind.record, layout, (), names)
                body = {"doc": kind.meaning, **record, "seq": [*record["seq"], tail]}
            else:
                name = names.add(snake(kind.record.name))
                record = self._record(kind.record, layout, (), names)
                rows = {"id": "records", "type": name, "repeat": "expr", "repeat-expr": "count"}
                count = {"id": "count", "type": "u2"}
                body = {"doc": kind.meaning, "seq": [count, rows, tail], "types": {name: record}}
            types[body_name] = body
        return types

    def _record(self, record: Struct, layout: Layout, arrays: Sequence[str], names: Scope) -> Node:
        """The type of a record of a packet, or of an element of its arrays.

        Args:
            record: The record.
            layout: The packet.
            arrays: The paths of the arrays around it, the outermost first.
            names: The names of types in the body.
        """
        seq: list[Node] = []
        instances: Node = {}
        types: Node = {}
        for member in grouped(record):
            if isinstance(member, Field):
                attribute, explaining = self._field(member, member.path, layout, arrays)
                seq.append(attribute)
                instances.update(explaining)
            elif isinstance(member, Array):
                name = names.add(snake(element_name(record, member)))
                seq.extend(_array(member, name, layout.lacking(arrays, member.path)))
                types[name] = self._record(member.element, layout, (*arrays, member.path), names)
            elif has_shared_axes(layout, arrays, member):
                lacking = layout.lacking(arrays, member.fields[0].path)
                doc = with_unit(member.meaning, member.fields[0].unit)
                seq.append({"id": member.name, "type": member.axes, **_condition(lacking), "doc": doc})
            else:
                name = names.add(identifier(member.name, "group"))
                lacking = lacking_all(layout, arrays, member)
                seq.append({"id": member.name, "type": name, **_condition(lacking)})
                types[name] = self._group(member, layout, arrays)
        node: Node = {"seq": seq}
        if instances:
            node["instances"] = instances
        if types:
            node["types"] = types
        return node

    def _group(self, group: Group, layout: Layout, arrays: Sequence[str]) -> Node:
        """The type of fields under one path."""
        seq = []
        instances: Node = {}
        for field in group.fields:
            attribute, explaining = self._field(field, field.name, layout, arrays)
            seq.append(attribute)
            instances.update(explaining)
        if instances:
            return {"seq": seq, "instances": instances}
        return {"seq": seq}

    def _field(self, field: Field, name: str, layout: Layout, arrays: Sequence[str]) -> tuple[Node, Node]:
        """The attribute of a field, and the instances that explain its number.

        Args:
            field: The field.
            name: Its name in the type that it is in.
            layout: The packet.
            arrays: The paths of the arrays around it, the outermost first.
        """
        variants = layout.variants(arrays, field.path)
        attribute: Node = {"id": name}
        if field.is_raw:
            attribute["size"] = field.width
        else:
            attribute["type"] = _TYPES[field.type]
        instances: Node = {}
        attribute.update(_condition(layout.lacking(arrays, field.path)))
        if variants.is_renumbered:
            value = _number(name, one_numbering(variants.choices, field.choices or {}))
            instances[f"{name}_name"] = {"value": value, "enum": self._enum_of(field), "doc": field.meaning}
        elif field.choices:
            attribute["enum"] = self._enum_of(field)
        for mask, word in flags_of(field).items():
            instances[flag_name(name, word)] = {"value": f"({name} & {mask:#x}) != 0"}
        attribute["doc"] = with_unit(field.meaning, field.unit)
        return attribute, instances

    # --- enumerations -----------------------------------------------------------------------------------------

    def _enum_of(self, field: Field) -> str:
        """The enumeration of a field."""
        names = field.choices or {}
        return self.own.group_of(names) or _of_group(names)

    def _enums_of(self, layout: Layout) -> list[str]:
        """The names of enumerations that no type in the body of a packet of users may have."""
        own = [packet.layout for packet in self.own.packets]
        if layout not in own:
            return []
        return [*NAMES_OF_ENUMS, *self.own.choices]

    def _enums(self) -> Node:
        """The enumerations: dialects, packets, and those of the fields."""
        dialects: Node = {0: {"id": "by_header", "doc": "As the version of the header says"}}
        for number, dialect in enumerate(DIALECTS.values(), 1):
            dialects[number] = {"id": snake(dialect.name), "doc": dialect.title}
        kinds = self.own.kinds()
        enums: Node = {"dialect": dialects, "packet_kind": {number: snake(kinds[number]) for number in sorted(kinds)}}
        for layout in self.layouts:
            for arrays, field in fields_of(layout.kind.record):
                if not field.choices:
                    continue
                group = self.own.group_of(field.choices)
                if group:
                    enums[group] = self._own_enum(group)
                else:
                    names = one_numbering(layout.variants(arrays, field.path).choices, field.choices).names
                    enums[_of_group(field.choices)] = {number: snake(names[number]) for number in sorted(names)}
        return enums

    def _own_enum(self, group: str) -> Node:
        """An enumeration of a file, with its names as they stand there."""
        enum: Node = {}
        for number in sorted(self.own.choices[group]):
            if number <= _LARGEST_OF_ENUM:
                enum[number] = {"id": snake(self.own.choices[group][number]), "doc": self.own.texts[group][number]}
        return enum


def _holds(own_id: OwnId) -> str:
    """The condition that an id of CARLA means a packet of users."""
    conditions = [f"_root.header.version == {version}" for version in own_id.header_versions]
    if own_id.free_in:
        conditions.append(_spoken(own_id.free_in, "_root."))
    if own_id.is_of_fork:
        conditions.append("_root.of_fork != 0")
    return " or ".join(conditions)


def _condition(lacking: Sequence[str]) -> Node:
    """The condition of an attribute that dialects lack."""
    if not lacking:
        return {}
    return {"if": f"not ({_spoken(lacking, '_root.')})"}


def _array(array: Array, element: str, lacking: Sequence[str]) -> list[Node]:
    """The attributes of an array: its count and its elements."""
    count = f"num_{array.path}"
    condition = _condition(lacking)
    return [
        {"id": count, "type": _TYPES[array.count], **condition, "doc": array.count_field.meaning},
        {"id": array.path, "type": element, "repeat": "expr", "repeat-expr": count, **condition, "doc": array.meaning},
    ]
