"""Queries: a parsed expression resolved for a dialect into packet type, condition and assignments.

Names are resolved to fields or enumeration values, types are checked, and constants are folded, so that all errors in a
text are reported before a recording is read.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...arrays import BoolArray, FloatArray, IntArray, StructuredArray
from ...errors import FieldError
from ...format import LONGEST_STRING, Dialect, Field, PacketType, pack_value, packets_named
from ...recording.snapshot import Frame, Packet, Snapshot
from ...suggestions import did_you_mean
from ...texts import N_, listed, say
from ..actors import Actors
from ..pair_signals import PAIR_MEASURES
from .grammar import ExpressionError, Node, Parser, Token, refused
from .records import LANE_NAMES, PacketRecords, TrackRecords
from .values import Columns, evaluate, evaluate_mask

DERIVED: Mapping[str, bool] = {
    "speed": False,
    "heading": False,
    "frame": False,
    "time": False,
    "blueprint": True,
    "role": True,
    "class": True,
    "x": False,
    "y": False,
    "z": False,
    "lane": False,
    "lane_type": True,
    "lane_offset": False,
    "in_junction": False,
    "off_road": False,
    "wrong_way": False,
    **dict.fromkeys(PAIR_MEASURES, False),
}
"""Derived names, and whether they are texts; a field of the same name takes precedence."""

Spellings = Mapping[str, Callable[[str], str]]
"""By the name of a field of texts, a function that spells texts with one meaning in one way, as its column has them."""

NO_SPELLINGS: Spellings = {}

_YES_NO = {"true": 1, "false": 0}
_MAX_NAMES = 8


@dataclass(frozen=True, slots=True)
class Assignment:
    """A field and its new value.

    Attributes:
        field: The field that is set.
        value: The value, with its names resolved.
        column: The place of the field in the text, from 1.
        is_copy: Whether the value is another field alone.
    """

    field: Field
    value: Node
    column: int
    is_copy: bool


@dataclass(frozen=True, slots=True)
class Query:
    """A search for records of one packet type, with or without assignments, or with a number of each record.

    Attributes:
        kind: The packet type.
        condition: The condition; None for all records.
        assignments: The assignments; empty for a search only.
        where: The text of the condition.
        settings: The text of the assignments.
        value: The number of each record, or None.
        ids: The ids of the packets that are meant; empty for records that are no packet.
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
        nodes = _all_nodes([self.condition, *self._assigned()])
        return {node.value for node in nodes if node.kind == "name"}

    def _assigned(self) -> list[Node | None]:
        """Return the values that are assigned."""
        return [assignment.value for assignment in self.assignments]

    @property
    def needs_actors(self) -> bool:
        """Whether it uses the blueprint, role or class of actors, or what they are to each other."""
        return bool(self.names & {"blueprint", "role", "class", *PAIR_MEASURES} - self.kind.record.fields.keys())

    def need_map(self, snapshot: Snapshot) -> None:
        """Raise if it asks for lanes, and no road map is known.

        Args:
            snapshot: The state of the recording with its road map.

        Raises:
            ExpressionError: A name needs a map; the error is at its column.
        """
        if snapshot.roads is not None:
            return
        for node in _all_nodes([self.condition, self.value, *self._assigned()]):
            if node.kind == "name" and node.value in LANE_NAMES and node.value not in self.kind.record.fields:
                raise refused(
                    node.column,
                    N_("“{value}” needs a road map (.xodr), and none of this town is known."),
                    value=node.value,
                )

    def misspelt(self, actors: Actors) -> str:
        """Return a sentence about the first blueprint, role or class of the condition that no actor has.

        Args:
            actors: The actors of the recording.

        Returns:
            The sentence with a name that is alike; empty if there is none.
        """
        blueprints = {life.blueprint for life in actors}
        roles = {life.role_name for life in actors}
        classes: set[str] = {life.class_ for life in actors}
        for node in _all_nodes([self.condition]):
            if node.kind not in ("compare", "in"):
                continue
            names = [part.value for part in node.parts if part.kind == "name"]
            sentence = ""
            if "blueprint" in names:
                sentence = _misspelt_in(
                    node, blueprints, N_(" No actor has the blueprint “{name}” (column {column}).{meant}")
                )
            elif "role" in names:
                sentence = _misspelt_in(node, roles, N_(" No actor has the role “{name}” (column {column}).{meant}"))
            elif "class" in names:
                sentence = _misspelt_in(node, classes, N_(" No actor has the class “{name}” (column {column}).{meant}"))
            if sentence:
                return sentence
        return ""

    def mask(self, records: Columns, shape: tuple[int, ...]) -> BoolArray:
        """Find the records that meet the condition.

        Args:
            records: The records as columns.
            shape: The shape of the columns.

        Returns:
            bool[shape].
        """
        if self.condition is None:
            return np.ones(shape, np.bool_)
        return evaluate_mask(self.condition, records, shape)

    def values(self, records: Columns, shape: tuple[int, ...]) -> FloatArray:
        """Compute the value of each record, whether or not it meets the condition.

        Args:
            records: The records as columns.
            shape: The shape of the columns.

        Returns:
            float64[shape].
        """
        assert self.value is not None
        with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
            return np.broadcast_to(np.asarray(evaluate(self.value, records), np.float64), shape)

    def series(self, table: StructuredArray, snapshot: Snapshot) -> tuple[IntArray, FloatArray]:
        """Compute the values of the records of a track that meet the condition.

        Args:
            table: The track, which was read under its packet's name.
            snapshot: The state of the recording.

        Returns:
            Frames (indices, int64[n], rising) and values (float64[n]).

        Raises:
            ExpressionError: It asks for lanes, and no road map is known.
        """
        self.need_map(snapshot)
        records = TrackRecords(self.kind, table, snapshot)
        matches = self.mask(records, table.shape)
        return records.frames[matches], self.values(records, table.shape)[matches]

    def matches(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> BoolArray:
        """Find the records of a packet that match.

        Args:
            snapshot: The state of the recording.
            frame: The frame of the packet.
            packet: The packet, of any type.
            actors: The actors; None: blueprints and roles are empty, and measures with others have no value.

        Returns:
            bool[len(packet.decoded)], all False for a packet of another type.
        """
        number = len(packet.decoded)
        if packet.name != self.type_name:
            return np.zeros(number, np.bool_)
        if self.condition is None or not number:
            return np.ones(number, np.bool_)
        return self.mask(PacketRecords(snapshot, frame, packet, actors), (number,))

    def within(self, first: int, last: int) -> str:
        """Return the text of the query limited to frames.

        Args:
            first: The first frame, from 1.
            last: The last frame, which is in.
        """
        if first != last:
            condition = f"frame >= {first} and frame <= {last}"
        else:
            condition = f"frame == {first}"
        if self.where:
            condition = f"({self.where}) and {condition}"
        name = self.kind.name
        if not name.isidentifier():
            name = str(self.kind.id)
        text = f"{name} where {condition}"
        if self.settings:
            text += f": {self.settings}"
        return text


def _all_nodes(nodes: Iterable[Node | None]) -> Iterator[Node]:
    """Yield nodes and all their parts, in their order; None is left out."""
    for node in nodes:
        if node is not None:
            yield node
            yield from _all_nodes(node.parts)


def _misspelt_in(node: Node, texts: set[str], template: str) -> str:
    """Return the sentence about the first text of a comparison that no actor has but one alike; empty if none is."""
    for part in node.parts:
        if part.kind == "text" and part.value not in texts:
            meant = did_you_mean(part.value, texts)
            if meant:
                return say(template, name=part.value, column=part.column, meant=meant)
    return ""


def parse(text: str, dialect: Dialect, *, of_value: bool = False) -> Query:
    """Parse a query, and resolve its names.

    Args:
        text: The query.
        dialect: The dialect that names packets and fields.
        of_value: Whether it is `TYPE [where EXPR]: EXPR`, a value of each record.

    Raises:
        ExpressionError: The text is no query; the error has a column.
    """
    packet_names = [kind.name for kind in dialect.packets.values()]
    tree = Parser(text, packet_names).query(of_value=of_value)
    kinds = packets_named(dialect, tree.type.text)
    ids = frozenset(kind.id for kind in kinds)
    resolver = _Resolver(kinds[0])
    value = None
    if tree.value is not None:
        value = resolver.resolve(tree.value)
        resolver.need_number(value, N_("This is a text, not a number."))
    condition = resolver.condition(tree.condition)
    assignments = [resolver.assignment(name, node) for name, node in tree.assignments]
    seen: set[str] = set()
    for assignment in assignments:
        if assignment.field.path in seen:
            raise refused(assignment.column, N_("{path} is set twice."), path=assignment.field.path)
        seen.add(assignment.field.path)
    return Query(
        kind=resolver.kind,
        condition=condition,
        assignments=tuple(assignments),
        where=tree.where,
        settings=tree.settings,
        value=value,
        ids=ids,
    )


def parse_condition(text: str, kind: PacketType, spellings: Spellings = NO_SPELLINGS) -> Query:
    """Parse a condition for records that are no packet.

    Args:
        text: The condition; empty for all records.
        kind: The type of the records, which has no derived names.
        spellings: How the texts are spelled that are compared with a field.

    Raises:
        ExpressionError: The text is no condition; the error has a column.
    """
    parser = Parser(text, ())
    node = None
    if parser.token.kind != "end":
        node = parser.disjunction()
        parser.end()
    return Query(kind, _Resolver(kind, {}, spellings).condition(node))


def parse_value(text: str, dialect: Dialect) -> Query:
    """Parse `TYPE [where EXPR]: EXPR`, a value of each record of a track.

    Args:
        text: The query.
        dialect: The dialect that names packets and fields.

    Raises:
        ExpressionError: The text is no such query, or the records differ in size.
    """
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
    """Resolves the names of a syntax tree for one packet type.

    Attributes:
        kind: The packet type.
        derived: The derived names, and whether they are texts.
        spellings: How the texts are spelled that are compared with a field.
        fields: The fields by path, without those that are kept as bytes.
    """

    def __init__(
        self, kind: PacketType, derived: Mapping[str, bool] = DERIVED, spellings: Spellings = NO_SPELLINGS
    ) -> None:
        self.kind = kind
        self.derived = derived
        self.spellings = spellings
        self.fields = {path: field for path, field in kind.record.fields.items() if not field.is_raw}

    def assignment(self, name: Token, value: Node) -> Assignment:
        """Return the resolved assignment of a value to a field; raise `ExpressionError` if it cannot be set."""
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
        takes_text = field.type == "str"
        if takes_text != self.is_text(node):
            if takes_text:
                takes = N_("{name} takes a text, in quotes.")
            else:
                takes = N_("{name} takes a number.")
            raise refused(_first_column(node) or name.column, takes, name=field.label)
        if node.kind in ("number", "text"):
            _refuse_unfit(field, node, name.column)
        is_copy = node.kind == "name" and node.value in self.fields
        return Assignment(field, node, name.column, is_copy)

    def condition(self, node: Node | None) -> Node | None:
        """Return the resolved condition; None for none."""
        if node is None:
            return None
        condition = self.resolve(node)
        self.need_number(condition, N_("A condition is not a text alone."))
        return condition

    def _instead(self) -> str:
        """Return the names of fields that can be set, for a sentence."""
        names = [path for path, field in self.fields.items() if not field.actor][:_MAX_NAMES]
        if not names:
            return say("something else")
        if len(names) == 1:
            return names[0]
        return say("{names} or {last}", names=listed(names[:-1]), last=names[-1])

    # --- names ------------------------------------------------------------------------------------------

    def resolve(self, node: Node, near: Field | None = None) -> Node:
        """Return a node with its names resolved, and constants folded.

        Args:
            node: A node as it was parsed.
            near: The field that gives names of values; None for none.

        Raises:
            ExpressionError: A name is not known, or types do not fit.
        """
        if node.kind == "name":
            return self._named(node, near)
        if node.kind == "text":
            return self._quoted(node, near)
        if node.kind in ("compare", "in"):
            near = self._enumeration_in(node.parts)
        elif node.kind in ("and", "or", "not", "like"):
            near = None
        parts = tuple(self.resolve(part, near) for part in node.parts)
        resolved = self._spelled(Node(node.kind, node.value, parts, node.column))
        self._check(resolved)
        if node.kind not in ("sum", "negative", "call", "compare") or any(part.kind != "number" for part in parts):
            return resolved
        constant = evaluate(resolved, _NoColumns())
        assert isinstance(constant, (int, float, np.bool_))
        if node.kind == "compare":
            constant = int(constant)
        return Node("number", constant, (), node.column)

    def _spelled(self, node: Node) -> Node:
        """Return a comparison with its texts spelled as the field has them; other nodes as they are."""
        if node.kind not in ("compare", "in", "like"):
            return node
        for name, spell in self.spellings.items():
            if all(part.kind != "name" or part.value != name for part in node.parts):
                continue
            value = node.value
            if node.kind == "like":
                value = spell(value)
            parts = []
            for part in node.parts:
                if part.kind == "text":
                    part = Node("text", spell(part.value), (), part.column)
                parts.append(part)
            return Node(node.kind, value, tuple(parts), node.column)
        return node

    def _enumeration_in(self, nodes: Iterable[Node]) -> Field | None:
        """Return the first field with names of values among some nodes; None if there is none."""
        for node in nodes:
            field = self.fields.get(node.value) if node.kind == "name" else None
            if field is not None and (field.choices or field.flags):
                return field
        return None

    def _named(self, node: Node, near: Field | None) -> Node:
        """Return a name that is a field or a derived value as it is, and the name of a value as its number."""
        if self.derived and node.value in LANE_NAMES and not self.fields.keys() & {node.value, "location.x"}:
            raise refused(
                node.column,
                N_("{name} has no position; “{value}” is known of Position."),
                name=self.kind.name,
                value=node.value,
            )
        if node.value in self.fields:
            return node
        if self.derived and node.value in PAIR_MEASURES and self.kind.actor_field is None:
            raise refused(
                node.column,
                N_("{name} is of no actor; “{value}” is known of Position."),
                name=self.kind.name,
                value=node.value,
            )
        if node.value in self.derived:
            return node
        number = _number_of(near, node.value)
        if number is None:
            number = _YES_NO.get(node.value.lower())
        if number is not None:
            return Node("number", number, (), node.column)
        if node.value.lower() == "nan":
            raise refused(node.column, N_("Expressions have no “nan”; isnan(field) finds it."))
        names = _value_names(near)
        names.extend(self.fields)
        names.extend(self.derived)
        meant = did_you_mean(node.value, names)
        if near is not None:
            raise refused(
                node.column,
                N_("“{text}” is neither a field nor a name of {names}.{meant}"),
                text=node.value,
                names=_label_with_names(near),
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
        """Return a text as it is, or the name of a value in quotes as its number."""
        if near is None or near.type == "str":
            return node
        number = _number_of(near, node.value)
        if number is None and (near.choices or near.flags):
            meant = did_you_mean(node.value, _value_names(near))
            raise refused(
                node.column,
                N_("“{text}” is not a name of {names}.{meant}"),
                text=node.value,
                names=_label_with_names(near),
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

    def need_number(self, node: Node, message: str) -> None:
        """Raise `ExpressionError` for a text.

        Args:
            node: A resolved node.
            message: The sentence of the error.
        """
        if self.is_text(node):
            raise refused(node.column, message)

    def _check(self, node: Node) -> None:
        """Raise `ExpressionError` if numbers and texts are mixed in a resolved node."""
        if node.kind in ("compare", "in"):
            is_text = self.is_text(node.parts[0])
            for part in node.parts[1:]:
                if self.is_text(part) != is_text:
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
    """Return the first column of a node and its parts."""
    return min(part.column for part in _all_nodes([node]))


def _number_of(field: Field | None, name: str) -> int | None:
    """Return the number of the name of a value, in any case; None for no such name, or no field."""
    if field is None:
        return None
    numbers = {}
    for number, word in (field.choices or field.flags or {}).items():
        numbers[word.lower()] = number
    return numbers.get(name.lower())


def _value_names(field: Field | None) -> list[str]:
    """Return the names of an enumeration's values, or of bits; empty for no field."""
    if field is None:
        return []
    return list((field.choices or field.flags or {}).values())


def _label_with_names(field: Field) -> str:
    """Return the label of a field with the names of its values, for a sentence."""
    names = _value_names(field)
    if not names:
        return field.label
    shown = names[:_MAX_NAMES]
    if len(names) > _MAX_NAMES:
        shown.append("...")
    return say("{known} ({names})", known=field.label, names=listed(shown))


def _refuse_unfit(field: Field, node: Node, column: int) -> None:
    """Raise `ExpressionError` for a constant that does not fit its field."""
    value = node.value
    if isinstance(value, float) and not math.isfinite(value):
        raise refused(node.column or column, N_("The value to set is not a finite number."))
    try:
        raw = pack_value(field, value)
    except FieldError as error:
        raise ExpressionError(error.message, node.column or column) from None
    if field.type == "str" and len(raw) - 2 > LONGEST_STRING:
        raise refused(
            node.column,
            N_("The text is too long; {label} holds at most {longest_string:,} bytes."),
            label=field.label,
            longest_string=LONGEST_STRING,
        )
