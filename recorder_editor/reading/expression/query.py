"""Queries: a parsed expression resolved for a dialect into packet type, condition and assignments.

Names are resolved to fields or enumeration values, types are checked, and constants are folded, so that all errors in a
text are reported before a recording is read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...arrays import BoolArray, FloatArray, IntArray, StructuredArray
from ...errors import FieldError
from ...format import LONGEST_STRING, Dialect, Field, PacketType, pack_value, packets_named
from ...recording.snapshot import Frame, Packet, Snapshot
from ...suggestions import did_you_mean
from ...texts import N_, listed, say
from ..actors import Actors
from .grammar import ExpressionError, Node, Parser, Token, refused
from .records import LANE_NAMES, PacketRecords, TrackRecords
from .values import Columns, evaluate, evaluate_mask

_NAMES = ("speed", "heading", "frame", "time", "blueprint", "role", "x", "y", "z", *LANE_NAMES)
DERIVED: Mapping[str, bool] = {name: name in ("blueprint", "role", "lane_type") for name in _NAMES}
"""Derived names, and whether they are texts; a field of the same name takes precedence."""

_YES_NO = {"true": 1, "false": 0}
_MAX_NAMES = 8


@dataclass(frozen=True, slots=True)
class Assignment:
    """A field and its new value. `column` (from 1) is that of the field; `is_copy`: the value is another field."""

    field: Field
    value: Node
    column: int
    is_copy: bool


@dataclass(frozen=True, slots=True)
class Query:
    """A search for records of one packet type, with or without assignments, or with a number of each record.

    Attributes: `kind`, `condition` (None: all records), `assignments` (empty for a search only), `where` and `settings`
    (the texts of both), `value` (the number, or None), `ids` (of the packets that are meant; empty: of none).
    """

    kind: PacketType
    condition: Node | None
    assignments: tuple[Assignment, ...] = ()
    where: str = ""
    settings: str = ""
    value: Node | None = None
    ids: frozenset[int] = frozenset()

    @property
    def type_name(self) -> str:
        """The packet's name."""
        return self.kind.name

    @property
    def names(self) -> set[str]:
        """The fields and derived values that its condition and its assignments use."""
        nodes = _all_nodes(self.condition, *(assignment.value for assignment in self.assignments))
        return {node.value for node in nodes if node.kind == "name"}

    @property
    def needs_actors(self) -> bool:
        """It uses the blueprint or role of actors."""
        return bool(self.names & {"blueprint", "role"} - self.kind.record.fields.keys())

    def need_map(self, snapshot: Snapshot) -> None:
        """Raises `ExpressionError` if it asks for lanes, and no road map of the recording is known."""
        if snapshot.roads is None:
            for node in _all_nodes(self.condition, self.value, *(each.value for each in self.assignments)):
                if node.kind == "name" and node.value in LANE_NAMES and node.value not in self.kind.record.fields:
                    raise refused(
                        node.column,
                        N_("“{value}” needs a road map (.xodr), and none of this town is known."),
                        value=node.value,
                    )

    def misspelt(self, actors: Actors) -> str:
        """Sentences about the first blueprint or role in the condition that no actor has, but one alike; else empty."""
        names = {"blueprint": {each.blueprint for each in actors}, "role": {each.role_name for each in actors}}
        for node in _all_nodes(self.condition):
            asked = {part.value for part in node.parts if part.kind == "name"} & names.keys()
            if node.kind not in ("compare", "in") or not asked:
                continue
            (name, *_) = asked
            for part in (part for part in node.parts if part.kind == "text" and part.value not in names[name]):
                if meant := did_you_mean(part.value, names[name]):
                    if name == "blueprint":
                        template = N_(" No actor has the blueprint “{name}” (column {column}).{meant}")
                    else:
                        template = N_(" No actor has the role “{name}” (column {column}).{meant}")
                    return say(template, name=part.value, column=part.column, meant=meant)
        return ""

    def mask(self, records: Columns, shape: tuple[int, ...]) -> BoolArray:
        """Which of these records meet the condition: bool[shape]."""
        if self.condition is None:
            return np.ones(shape, np.bool_)
        return evaluate_mask(self.condition, records, shape)

    def values(self, records: Columns, shape: tuple[int, ...]) -> FloatArray:
        """The value of each of these records, whether or not it meets the condition: float64[shape]."""
        assert self.value is not None
        with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
            return np.broadcast_to(np.asarray(evaluate(self.value, records), np.float64), shape)

    def series(self, table: StructuredArray, snapshot: Snapshot) -> tuple[IntArray, FloatArray]:
        """Frames (int64[n], rising) and values (float64[n]) of the records of a track that meet the condition.

        The track was read under its packet's name. Raises `ExpressionError` for lanes without a road map.
        """
        self.need_map(snapshot)
        records = TrackRecords(self.kind, table, snapshot)
        met = self.mask(records, table.shape)
        return records.frames[met], self.values(records, table.shape)[met]

    def matches(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> BoolArray:
        """Which records of a packet match: bool[len(packet.decoded)]; none in a packet of another type."""
        number = len(packet.decoded)
        if packet.name != self.type_name:
            return np.zeros(number, np.bool_)
        if self.condition is None or not number:
            return np.ones(number, np.bool_)
        return self.mask(PacketRecords(snapshot, frame, packet, actors), (number,))

    def within(self, first: int, last: int) -> str:
        """The text of the query limited to frames `first` to `last` (from 1, inclusive)."""
        if first != last:
            limits = f"frame >= {first} and frame <= {last}"
        else:
            limits = f"frame == {first}"
        if self.where:
            condition = f"({self.where}) and {limits}"
        else:
            condition = limits
        if self.kind.name.isidentifier():
            name = self.kind.name
        else:
            name = str(self.kind.id)
        return f"{name} where {condition}" + (f": {self.settings}" if self.settings else "")


def _all_nodes(*nodes: Node | None) -> Iterator[Node]:
    """The nodes and all their parts, in their order."""
    for node in nodes:
        if node is not None:
            yield node
            yield from _all_nodes(*node.parts)


def parse(text: str, dialect: Dialect, *, of_value: bool = False) -> Query:
    """The query of a text, or of `TYPE [where EXPR]: EXPR` (`of_value`).

    Raises `ExpressionError` with the column of the error.
    """
    tree = Parser(text, [kind.name for kind in dialect.packets.values()]).query(of_value=of_value)
    kinds = packets_named(dialect, tree.type.text)
    ids = frozenset(kind.id for kind in kinds)
    resolver = _Resolver(kinds[0])
    value = None
    if tree.value is not None:
        value = resolver.resolve(tree.value)
        resolver.need_number(value, N_("This is a text, not a number."))
    condition = resolver.condition(tree.condition)
    assignments = []
    for name, node in tree.assignments:
        assignments.append(resolver.assignment(name, node))
    seen: set[str] = set()
    for assignment in assignments:
        if assignment.field.path in seen:
            raise refused(assignment.column, N_("{path} is set twice."), path=assignment.field.path)
        seen.add(assignment.field.path)
    return Query(resolver.kind, condition, tuple(assignments), tree.where, tree.settings, value, ids)


def parse_condition(text: str, kind: PacketType) -> Query:
    """The query for records of a type that is no packet by a condition alone, or by an empty text.

    Raises `ExpressionError` with the column of the error.
    """
    parser = Parser(text, ())
    node = None
    if parser.token.kind != "end":
        node = parser.disjunction()
        parser.end()
    return Query(kind, _Resolver(kind, {}).condition(node))


def parse_value(text: str, dialect: Dialect) -> Query:
    """The query with a value that `TYPE [where EXPR]: EXPR` means; raises as `parse`, and if records differ in size."""
    query = parse(text, dialect, of_value=True)
    if query.kind.dtype is None:
        raise refused(
            1, N_("Records of {packet} differ in size: plot their fields one by one."), packet=query.kind.name
        )
    return query


class _NoColumns:
    """No columns, for constants."""

    def column(self, name: str) -> BoolArray:
        raise KeyError(name)


class _Resolver:
    def __init__(self, kind: PacketType, derived: Mapping[str, bool] = DERIVED) -> None:
        self.kind = kind
        self.derived = derived
        self.fields = {path: field for path, field in kind.record.fields.items() if not field.is_raw}

    def assignment(self, name: Token, value: Node) -> Assignment:
        """The resolved assignment of a value to a field."""
        field = self.fields.get(name.text)
        if field is None and name.text in self.kind.record.arrays:
            raise refused(name.column, N_("{text} is a list, and lists cannot be set."), text=name.text)
        if field is None and name.text in DERIVED:
            raise refused(
                name.column,
                N_("{text} is calculated and not stored; set {instead}."),
                text=name.text,
                instead=self._instead(),
            )
        if field is None:
            meant = did_you_mean(name.text, self.fields)
            raise refused(
                name.column,
                N_("{packet} has no field “{typed}”.{meant}"),
                packet=self.kind.name,
                typed=name.text,
                meant=meant,
            )
        node = self.resolve(value, field)
        if (field.type == "str") != self.is_text(node):
            if field.type == "str":
                takes = N_("{name} takes a text, in quotes.")
            else:
                takes = N_("{name} takes a number.")
            raise refused(_first_column(node) or name.column, takes, name=field.label)
        if node.kind in ("number", "text"):
            _refuse_unfit(field, node, name.column)
        return Assignment(field, node, name.column, node.kind == "name" and node.value in self.fields)

    def condition(self, node: Node | None) -> Node | None:
        """The resolved condition, None for none."""
        if node is None:
            return None
        condition = self.resolve(node)
        self.need_number(condition, N_("A condition is not a text alone."))
        return condition

    def _instead(self) -> str:
        names = [path for path, field in self.fields.items() if not field.actor][:_MAX_NAMES]
        if len(names) > 1:
            return say("{names} or {last}", names=listed(names[:-1]), last=names[-1])
        return "".join(names) or say("something else")

    # --- names ------------------------------------------------------------------------------------------

    def resolve(self, node: Node, near: Field | None = None) -> Node:
        """A node with its names resolved; `near` is the field whose enumeration names may be used."""
        if node.kind == "name":
            return self._named(node, near)
        if node.kind == "text":
            return self._quoted(node, near)
        if node.kind in ("compare", "in"):
            near = next((field for field in map(self._enumeration, node.parts) if field is not None), None)
        elif node.kind in ("and", "or", "not", "like"):
            near = None
        parts = tuple(self.resolve(part, near) for part in node.parts)
        resolved = Node(node.kind, node.value, parts, node.column)
        self._check(resolved)
        if node.kind in ("sum", "negative", "call", "compare") and all(part.kind == "number" for part in parts):
            constant = evaluate(resolved, _NoColumns())
            assert isinstance(constant, (int, float, np.bool_))
            return Node("number", int(constant) if node.kind == "compare" else constant, (), node.column)
        return resolved

    def _enumeration(self, node: Node) -> Field | None:
        field = None
        if node.kind == "name":
            field = self.fields.get(node.value)
        if field is not None and (field.choices or field.flags):
            return field
        return None

    def _named(self, node: Node, near: Field | None) -> Node:
        if self.derived and node.value in LANE_NAMES and not self.fields.keys() & {node.value, "location.x"}:
            raise refused(
                node.column,
                N_("{name} has no position; “{value}” is known of Position."),
                name=self.kind.name,
                value=node.value,
            )
        if node.value in self.fields or node.value in self.derived:
            return node
        number = _number_of(near, node.value)
        if number is None:
            number = _YES_NO.get(node.value.lower())
        if number is not None:
            return Node("number", number, (), node.column)
        if node.value.lower() == "nan":
            raise refused(node.column, N_("Expressions have no “nan”; isnan(field) finds it."))
        meant = did_you_mean(node.value, (*_words(near), *self.fields, *self.derived))
        if near is not None:
            names = _names(near)
            raise refused(
                node.column,
                N_("“{text}” is neither a field nor a name of {names}.{meant}"),
                text=node.value,
                names=names,
                meant=meant,
            )
        if node.value in self.kind.record.arrays:
            raise refused(node.column, N_("{value} is a list; its elements cannot be used here."), value=node.value)
        raise refused(
            node.column,
            N_("{packet} has no field “{typed}”.{meant}"),
            packet=self.kind.name,
            typed=node.value,
            meant=meant,
        )

    def _quoted(self, node: Node, near: Field | None) -> Node:
        if near is None or near.type == "str":
            return node
        number = _number_of(near, node.value)
        if number is None and (near.choices or near.flags):
            meant = did_you_mean(node.value, _words(near))
            raise refused(
                node.column,
                N_("“{text}” is not a name of {names}.{meant}"),
                text=node.value,
                names=_names(near),
                meant=meant,
            )
        if number is None:
            return node
        return Node("number", number, (), node.column)

    # --- types ------------------------------------------------------------------------------------------

    def is_text(self, node: Node) -> bool:
        """Whether a node is a text; everything else is a number, true being 1."""
        if node.kind == "name":
            field = self.fields.get(node.value)
            if field is not None:
                return field.type == "str"
            return self.derived[node.value]
        return node.kind == "text"

    def need_number(self, node: Node, code: str) -> None:
        """Raises `ExpressionError` with a sentence for a text."""
        if self.is_text(node):
            raise refused(node.column, code)

    def _check(self, node: Node) -> None:
        if node.kind in ("compare", "in"):
            kinds = {self.is_text(part) for part in node.parts}
            if len(kinds) > 1:
                raise refused(node.column, N_("A number and a text cannot be combined here."))
        elif node.kind == "like":
            if not self.is_text(node.parts[0]):
                raise refused(
                    _first_column(node.parts[0]) or node.column, N_("“like” compares texts; this is a number.")
                )
        elif node.kind in ("and", "or", "not"):
            for part in node.parts:
                self.need_number(part, N_("A condition is not a text alone."))
        else:
            for part in node.parts:
                self.need_number(part, N_("Nothing can be calculated with a text."))


def _first_column(node: Node) -> int:
    """The first column of a node."""
    return min([node.column, *(_first_column(part) for part in node.parts)])


def _number_of(field: Field | None, name: str) -> int | None:
    if field is None:
        return None
    named = {}
    for number, word in (field.choices or field.flags or {}).items():
        named[word.lower()] = number
    return named.get(name.lower())


def _words(field: Field | None) -> list[str]:
    """The names of an enumeration's values, or of bits."""
    if field is not None:
        return list((field.choices or field.flags or {}).values())
    return []


def _names(field: Field) -> str:
    names = _words(field)
    if len(names) > _MAX_NAMES:
        more = ["..."]
    else:
        more = []
    known = listed((*names[:_MAX_NAMES], *more))
    if names:
        return say("{known} ({names})", known=field.label, names=known)
    return field.label


def _refuse_unfit(field: Field, node: Node, column: int) -> None:
    """Raises `ExpressionError` for a constant that does not fit its field."""
    value = node.value
    if isinstance(value, float) and value - value != 0:
        raise refused(node.column or column, N_("The value to set is not a finite number."))
    try:
        raw = pack_value(field, value)
    except FieldError as error:
        raise ExpressionError(error.message, node.column or column) from None
    if field.type == "str" and len(raw) - 2 > LONGEST_STRING:
        values = {"label": field.label, "longest_string": LONGEST_STRING}
        raise refused(
            node.column, N_("The text is too long; {label} holds at most {longest_string:,} bytes."), **values
        )
