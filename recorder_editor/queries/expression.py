"""The one expression language: `TYPE [where EXPR]`, as in `Position where id == 174 and speed > 10`.

A small parser of our own, evaluated over arrays: a name is a column of a packet's records, an operator is numpy's. Text
never reaches Python's own evaluation. Fields are in the file's units; derived names are `speed` (m/s), `heading`
(degrees), `frame`, `time` (s), `blueprint`, `role`, and `x`, `y`, `z` (metres).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import RecorderError
from ..format.dialects import Dialect
from ..recording.actors import Actors
from ..recording.contents import Frame, Packet
from ..recording.lives import Life
from ..recording.snapshot import Snapshot
from ..recording.speeds import speeds_in

Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]
Column = np.ndarray[tuple[int], np.dtype[Any]]
DERIVED = ("speed", "heading", "frame", "time", "blueprint", "role", "x", "y", "z")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|(?P<text>\"[^\"]*\"|'[^']*')"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9.]*)|(?P<sign>==|!=|<=|>=|[<>+\-*/(),]))"
)
_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip
_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide,
}  # fmt: skip
_FUNCTIONS: Mapping[str, tuple[int, Callable[..., Any]]] = {
    "abs": (1, np.abs), "min": (2, np.minimum), "max": (2, np.maximum), "round": (1, np.round),
}  # fmt: skip
_DEEPEST = 60


class ExpressionError(RecorderError):
    """The text is no expression; `column` (from 1) says where."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text: `kind` (number, text, name, sign, end), `text`, `column` from 1."""

    kind: str
    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Node:
    """A part: `kind` (number, text, name, call, compare, sum, and, or, not, in, like), its value and its parts."""

    kind: str
    value: Any = None
    parts: tuple["Node", ...] = ()
    column: int = 0


@dataclass(frozen=True, slots=True)
class Query:
    """A packet type by name, and the condition its records must meet (None: all of them)."""

    type_name: str
    condition: Node | None

    def matches(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> Mask:
        """Which records of a packet meet the condition, shape (len(packet.decoded),); raises `ExpressionError`."""
        number = len(packet.decoded)
        if packet.name.lower() != self.type_name.lower():
            return np.zeros(number, np.bool_)
        if self.condition is None or not number:
            return np.ones(number, np.bool_)
        found = _Values(snapshot, frame, packet, actors).of(self.condition)
        mask: Mask = np.broadcast_to(np.asarray(found, np.bool_), (number,))
        return mask


def parse(text: str, dialect: Dialect) -> Query:
    """The query that a text says; raises `ExpressionError` with the column of what is wrong."""
    return _Parser(text, dialect).query()


def tokens(text: str) -> list[Token]:
    """The pieces of a text, the end included; raises `ExpressionError`."""
    found, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            column = at + len(text[at:]) - len(text[at:].lstrip()) + 1
            raise ExpressionError(f"“{text[column - 1]}” belongs in no expression.", column)
        found.append(Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup) + 1))
        at = match.end()
    return [*found, Token("end", "", len(text) + 1)]


class _Parser:
    def __init__(self, text: str, dialect: Dialect) -> None:
        self.tokens = tokens(text)
        self.dialect = dialect
        self.at = 0
        self.depth = 0
        self.names: frozenset[str] = frozenset()

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self, *texts: str) -> Token | None:
        token = self.token
        if token.kind not in ("text", "end") and token.text in texts:
            self.at += 1
            return token
        return None

    def need(self, text: str) -> None:
        if self.take(text) is None:
            raise ExpressionError(f"“{text}” is missing.", self.token.column)

    def query(self) -> Query:
        token = self.token
        kinds = {kind.name.lower(): kind for kind in self.dialect.packets.values()}
        kind = kinds.get(token.text.lower())
        if token.kind != "name" or kind is None:
            raise ExpressionError("A query begins with the name of a packet, as in Position.", token.column)
        self.at += 1
        fields = {*kind.record.fields, *DERIVED}
        self.names = frozenset(fields)
        condition = None
        if self.token.kind != "end":
            if self.take("where") is None:
                raise ExpressionError(f"“where” belongs after {kind.name}.", self.token.column)
            condition = self.either()
        if self.token.kind != "end":
            raise ExpressionError(f"“{self.token.text}” was not expected here.", self.token.column)
        return Query(kind.name, condition)

    def either(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ExpressionError("The expression is nested too deep.", self.token.column)
        node = self.both()
        while token := self.take("or"):
            node = Node("or", None, (node, self.both()), token.column)
        self.depth -= 1
        return node

    def both(self) -> Node:
        node = self.inverse()
        while token := self.take("and"):
            node = Node("and", None, (node, self.inverse()), token.column)
        return node

    def inverse(self) -> Node:
        token = self.take("not")
        if token is None:
            return self.comparison()
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ExpressionError("The expression is nested too deep.", token.column)
        node = Node("not", None, (self.inverse(),), token.column)
        self.depth -= 1
        return node

    def comparison(self) -> Node:
        node = self.total()
        if token := self.take(*_COMPARE):
            return Node("compare", token.text, (node, self.total()), token.column)
        if token := self.take("like"):
            pattern = self.total()
            if pattern.kind != "text":
                raise ExpressionError("After “like” stands a text, as in \"vehicle.*\".", token.column)
            return Node("like", pattern.value, (node,), token.column)
        if token := self.take("in"):
            self.need("(")
            parts = [self.total()]
            while self.take(","):
                parts.append(self.total())
            self.need(")")
            return Node("in", None, (node, *parts), token.column)
        return node

    def total(self) -> Node:
        node = self.product()
        while token := self.take("+", "-"):
            node = Node("sum", token.text, (node, self.product()), token.column)
        return node

    def product(self) -> Node:
        node = self.atom()
        while token := self.take("*", "/"):
            node = Node("sum", token.text, (node, self.atom()), token.column)
        return node

    def atom(self) -> Node:
        token = self.token
        if self.take("-"):
            return Node("sum", "-", (Node("number", 0.0), self.atom()), token.column)
        if self.take("("):
            node = self.either()
            self.need(")")
            return node
        self.at += token.kind != "end"
        if token.kind == "number":
            return Node("number", float(token.text), (), token.column)
        if token.kind == "text":
            return Node("text", token.text[1:-1], (), token.column)
        if token.kind == "name" and token.text in _FUNCTIONS and self.take("("):
            return self.call(token)
        if token.kind == "name" and token.text in self.names:
            return Node("name", token.text, (), token.column)
        if token.kind == "name":
            raise ExpressionError(f"There is no field “{token.text}” here.", token.column)
        raise ExpressionError("Something is missing here." if token.kind == "end" else f"“{token.text}” was not "
                              "expected here.", token.column)  # fmt: skip

    def call(self, token: Token) -> Node:
        parts = [self.either()]
        while self.take(","):
            parts.append(self.either())
        self.need(")")
        wanted = _FUNCTIONS[token.text][0]
        if len(parts) != wanted:
            raise ExpressionError(f"{token.text} takes {wanted} value{'s' if wanted > 1 else ''}.", token.column)
        return Node("call", token.text, tuple(parts), token.column)


class _Values:
    """Columns of one packet's records, and what expressions make of them."""

    def __init__(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> None:
        self.snapshot, self.frame, self.packet, self.actors = snapshot, frame, packet, actors

    def of(self, node: Node) -> Any:
        """The value of a part: a column, a number or a text."""
        if node.kind in ("number", "text"):
            return node.value
        if node.kind == "name":
            return self.column(node.value)
        values = [self.of(part) for part in node.parts]
        try:
            with np.errstate(all="ignore"):
                return self._made(node, values)
        except (TypeError, ValueError):
            raise ExpressionError("A number and a text do not go together here.", node.column) from None

    def _made(self, node: Node, values: list[Any]) -> Any:
        if node.kind == "compare":
            return _COMPARE[node.value](*_alike(values[0], values[1]))
        if node.kind == "sum":
            return _ARITHMETIC[node.value](np.asarray(values[0], np.float64), np.asarray(values[1], np.float64))
        if node.kind == "call":
            return _FUNCTIONS[node.value][1](*[np.asarray(value, np.float64) for value in values])
        if node.kind == "like":
            pattern = re.compile(".*".join(map(re.escape, str(node.value).replace(".*", "*").split("*"))))
            return np.array([pattern.fullmatch(str(value)) is not None for value in np.atleast_1d(values[0])])
        if node.kind == "in":
            hits = [np.equal(*_alike(values[0], other)) for other in values[1:]]
            return np.logical_or.reduce([np.asarray(hit, np.bool_) for hit in hits])
        if node.kind == "not":
            return np.logical_not(values[0])
        return (np.logical_and if node.kind == "and" else np.logical_or)(values[0], values[1])

    def column(self, name: str) -> Column:
        """A field or a derived value of every record."""
        body = self.packet.decoded
        if name in self.packet.type.record.fields:
            if self.packet.type.dtype is not None:
                return np.asarray(body.array[name])
            return np.array([body.get(record, name) for record in range(len(body))])
        return self._derived(name)

    def _derived(self, name: str) -> Column:
        number = len(self.packet.decoded)
        if name == "frame":
            return np.full(number, self.frame.index + 1)
        if name == "time":
            return np.full(number, self.frame.elapsed)
        if name in ("x", "y", "z"):
            return self._number(f"location.{name}") / 100
        if name == "heading":
            return self._number("rotation.yaw")
        owner = self.packet.type.actor_field
        if owner is None:
            return np.full(number, np.nan) if name == "speed" else np.full(number, "")
        ids = self.column(owner.path).tolist()
        if name == "speed":
            known = speeds_in(self.snapshot, self.frame)
            return np.array([known.get(actor, np.nan) for actor in ids])
        lives = [self._life(actor) for actor in ids]
        texts = [("" if life is None else life.blueprint if name == "blueprint" else life.role_name) for life in lives]
        return np.array(texts)

    def _number(self, path: str) -> Column:
        if path in self.packet.type.record.fields:
            return np.asarray(self.column(path), np.float64)
        return np.full(len(self.packet.decoded), np.nan)

    def _life(self, actor: int) -> Life | None:
        return self.actors.at(actor, self.frame.index) if self.actors is not None else None


def _alike(left: Any, right: Any) -> tuple[Any, Any]:
    """Two values that can be compared: numbers as they are, or both as text."""
    kinds = {np.asarray(value).dtype.kind in "USO" for value in (left, right)}
    if len(kinds) > 1:
        raise TypeError
    if kinds == {True}:
        return np.asarray(left, np.str_), np.asarray(right, np.str_)
    return left, right


def matches_words(words: str, packet: Packet, actors: Actors | None, frame_index: int) -> Mask | None:
    """For a text that is no query: None where the packet's name holds it, else the records whose actor does."""
    wanted = words.lower().split()
    if all(word in packet.name.lower() for word in wanted):
        return None
    number = len(packet.decoded)
    owner = packet.type.actor_field
    if owner is None:
        return np.zeros(number, np.bool_)
    ids = [packet.decoded.get(record, owner.path) for record in range(number)]
    hits = []
    for actor in ids:
        life = actors.at(actor, frame_index) if actors is not None and isinstance(actor, int) else None
        text = f"{actor!r} {life.blueprint} {life.role_name} {life.class_}".lower() if life is not None else repr(actor)
        hits.append(all(word in text for word in wanted))
    return np.array(hits, np.bool_)
