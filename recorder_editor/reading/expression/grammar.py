"""The parser of expressions: text to tokens to a syntax tree. Names are resolved in `query`.

Depth is limited, and long chains (`a + b + c`, `a or b or c`) are one node each, so that no text overflows the stack.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

from ...errors import PacketNameError, RecorderError
from ...format import packet_number
from ...suggestions import did_you_mean
from ...texts import N_, N_count, Plural, say

COMPARE = ("==", "!=", "<=", ">=", "<", ">")
FUNCTIONS = ("abs", "isfinite", "isnan", "max", "min", "round")
_MAX_DEPTH = 60
_SPACE = re.compile(r"\s*")
TOKEN = re.compile(
    r"(?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<text>\"[^\"]*\"|'[^']*')"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9.]*)|(?P<sign>==|!=|<=|>=|[<>+\-*/(),:=])",
    re.ASCII,
)
INTEGER_LIMIT = 2**128
"""Integer constants from here on become floats."""


class ExpressionError(RecorderError):
    """A text is not a valid expression; `column` (from 1) says where."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column

    def __str__(self) -> str:
        return say("{message} (column {column})", message=self.message, column=self.column)


def refused(column: int, template: str | Plural, **values: Any) -> ExpressionError:
    """Return the error at a column with a sentence."""
    return ExpressionError(say(template, **values), column)


@dataclass(frozen=True, slots=True)
class Token:
    """A token: `kind` (number, text, name, sign, end), `text`, `column` from 1."""

    kind: str
    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the syntax tree.

    Attributes: `kind` (number, text, name, call, compare, sum, negative, and, or, not, in, like), `value` (the number,
    text, name or function; the operator of a comparison; the operators of a sum; the pattern of `like`), `parts`,
    `column` (from 1).
    """

    kind: str
    value: Any = None
    parts: tuple["Node", ...] = ()
    column: int = 0


@dataclass(frozen=True, slots=True)
class QueryTree:
    """The syntax tree of a query.

    Attributes: `type` (the token of the packet name or id), `condition` (None without `where`), `where` (its text),
    `assignments` (name and value, in order), `settings` (their text), `value` (of the records, instead of assignments).
    """

    type: Token
    condition: Node | None = None
    where: str = ""
    assignments: tuple[tuple[Token, Node], ...] = ()
    settings: str = ""
    value: Node | None = None


def tokens(text: str) -> list[Token]:
    """The tokens of a text, including the end; raises `ExpressionError`."""
    result: list[Token] = []
    at = _skip_space(text, 0)
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            if text[at] in "\"'":
                raise refused(at + 1, N_("The text that begins here has no end."))
            raise refused(at + 1, N_("“{text}” cannot be used in an expression."), text=text[at])
        result.append(Token(match.lastgroup, match[0], at + 1))
        at = _skip_space(text, match.end())
    return [*result, Token("end", "", len(text) + 1)]


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    if match is not None:
        return match.end()
    return at


def _refuse_no_id(number: Token) -> None:
    """Raises `ExpressionError` for a number that is not the id of a packet."""
    try:
        known = packet_number(number.text)
    except PacketNameError as error:
        raise ExpressionError(error.message, number.column) from None
    if known is None:
        meant = say(" A query begins with one, as in Position.")
        raise refused(number.column, N_("There is no packet “{name}”.{meant}"), name=number.text, meant=meant)


class Parser:
    """Parses one text; `types` are the names of packets."""

    def __init__(self, text: str, types: Collection[str]) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.types = types
        self.at = 0
        self.depth = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def accept(self, *texts: str) -> Token | None:
        token = self.token
        if token.kind not in ("text", "end") and token.text in texts:
            self.at += 1
            return token
        return None

    def expect(self, text: str) -> None:
        if self.accept(text) is None:
            self._refuse_single_sign()
            raise refused(self.token.column, N_("“{text}” is missing."), text=text)

    def _refuse_single_sign(self) -> None:
        if self.token.kind == "sign" and self.token.text == "=":
            raise refused(self.token.column, N_("A comparison is written ==; assignments follow a colon."))

    def nested(self, part: Callable[[], Node]) -> Node:
        """A nested part; raises `ExpressionError` if it is nested too deep."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise refused(self.token.column, N_("The expression is nested too deep."))
        node = part()
        self.depth -= 1
        return node

    # --- queries ----------------------------------------------------------------------------------------

    def query(self, *, of_value: bool) -> QueryTree:
        """The syntax tree of a query, or of `TYPE [where EXPR]: EXPR` (`of_value`). Raises `ExpressionError`."""
        name = self.token
        if name.kind == "number":
            _refuse_no_id(name)
        elif name.kind != "name" or name.text.lower() not in {each.lower() for each in self.types}:
            meant = did_you_mean(name.text, self.types) or say(" A query begins with one, as in Position.")
            raise refused(name.column, N_("There is no packet “{name}”.{meant}"), name=name.text, meant=meant)
        self.at += 1
        tree = QueryTree(name)
        if self.token.kind != "end" and self.token.text != ":":
            if self.accept("where") is None:
                raise refused(self.token.column, N_("“where” or “:” belongs after {text}."), text=name.text)
            begin = self.token.column - 1
            condition = self.disjunction()
            tree = replace(tree, condition=condition, where=self.text[begin : self.token.column - 1].strip())
        if self.accept(":"):
            settings = self.text[self.token.column - 1 :].strip()
            if of_value:
                tree = replace(tree, value=self.disjunction())
            else:
                assignments = [self.assignment()]
                while self.accept(","):
                    assignments.append(self.assignment())
                tree = replace(tree, assignments=tuple(assignments), settings=settings)
        elif of_value:
            raise refused(
                self.token.column, N_("A colon and a value belong after this, as in {text}: speed."), text=name.text
            )
        self.end()
        return tree

    def end(self) -> None:
        """Raises `ExpressionError` if there is more text."""
        if self.token.kind != "end":
            self._refuse_single_sign()
            raise refused(self.token.column, N_("“{text}” was not expected here."), text=self.token.text)

    def assignment(self) -> tuple[Token, Node]:
        name = self.token
        if name.kind != "name":
            raise refused(name.column, N_("A field and its new value are expected here, as in location.z = 0."))
        self.at += 1
        if self.accept("==") is not None:
            raise refused(self.tokens[self.at - 1].column, N_("An assignment is written with one =."))
        self.expect("=")
        return name, self.disjunction()

    # --- expressions, lowest precedence first -----------------------------------------------------------

    def disjunction(self) -> Node:
        return self.nested(lambda: self.chain("or", lambda: self.chain("and", self.negation)))

    def chain(self, word: str, part: Callable[[], Node]) -> Node:
        parts = [part()]
        column = self.token.column
        while self.accept(word):
            parts.append(part())
        if len(parts) > 1:
            return Node(word, None, tuple(parts), column)
        return parts[0]

    def negation(self) -> Node:
        token = self.accept("not")
        if token is None:
            return self.comparison()
        return Node("not", None, (self.nested(self.negation),), token.column)

    def comparison(self) -> Node:
        node = self.arithmetic()
        if token := self.accept(*COMPARE):
            return Node("compare", token.text, (node, self.arithmetic()), token.column)
        if token := self.accept("like"):
            pattern = self.arithmetic()
            if pattern.kind != "text":
                raise refused(token.column, N_('A text follows “like”, as in "vehicle.*".'))
            return Node("like", pattern.value, (node,), token.column)
        if token := self.accept("in"):
            self.expect("(")
            return Node("in", None, (node, *self.arguments(self.arithmetic)), token.column)
        return node

    def arguments(self, part: Callable[[], Node]) -> list[Node]:
        """Parts separated by commas, up to the closing parenthesis."""
        parts = [part()]
        while self.accept(","):
            parts.append(part())
        self.expect(")")
        return parts

    def arithmetic(self) -> Node:
        return self.left_associative(("+", "-"), lambda: self.left_associative(("*", "/"), self.atom))

    def left_associative(self, operators: tuple[str, str], part: Callable[[], Node]) -> Node:
        parts = [part()]
        between = []
        column = self.token.column
        while token := self.accept(*operators):
            between.append(token.text)
            parts.append(part())
        if between:
            return Node("sum", tuple(between), tuple(parts), column)
        return parts[0]

    def atom(self) -> Node:
        token = self.token
        if self.accept("-"):
            return Node("negative", None, (self.nested(self.atom),), token.column)
        if self.accept("("):
            node = self.disjunction()
            self.expect(")")
            return node
        self.at += token.kind != "end"
        if token.kind == "number":
            return Node("number", _number(token), (), token.column)
        if token.kind == "text":
            return Node("text", token.text[1:-1], (), token.column)
        if token.kind == "name" and self.accept("("):
            return self.call(token)
        if token.kind == "name":
            return Node("name", token.text, (), token.column)
        if token.kind == "end":
            raise refused(token.column, N_("Something is missing here."))
        raise refused(token.column, N_("“{text}” was not expected here."), text=token.text)

    def call(self, token: Token) -> Node:
        if token.text not in FUNCTIONS:
            meant = did_you_mean(token.text, FUNCTIONS)
            raise refused(token.column, N_("There is no function “{name}”.{meant}"), name=token.text, meant=meant)
        parts = self.arguments(self.disjunction)
        wanted = 2 if token.text in ("min", "max") else 1
        if len(parts) != wanted:
            raise refused(
                token.column,
                N_count("{text} takes {count} value.", "{text} takes {count} values."),
                text=token.text,
                count=wanted,
            )
        return Node("call", token.text, tuple(parts), token.column)


def _number(token: Token) -> int | float:
    text = token.text.lower()
    if text.startswith("0x"):
        # The limit has 33 digits; longer texts may have leading zeros.
        if len(text) < 40:
            whole = int(text, 16)
        else:
            whole = INTEGER_LIMIT
    elif text.isdigit() and len(text) <= 40:
        whole = int(text)
    else:
        number = float(text)
        if number - number != 0:
            raise refused(token.column, N_("This number is too large."))
        return number
    if whole >= INTEGER_LIMIT:
        return float(whole)
    return whole
