"""The parser of expressions: text to tokens to a syntax tree. Names are resolved in `query`.

Depth is limited, and long chains (`a + b + c`, `a or b or c`) are one node each, so that no text overflows the stack.
"""

import math
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
_HINT = N_(" A query begins with one, as in Position.")

INTEGER_LIMIT = 2**128
"""Integer constants from here on become floats."""


class ExpressionError(RecorderError):
    """A text is not a valid expression.

    Attributes:
        column: The place of the error in the text, from 1.
    """

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column

    def __str__(self) -> str:
        return say("{message} (column {column})", message=self.message, column=self.column)


def refused(column: int, template: str | Plural, **values: Any) -> ExpressionError:
    """Return the error at a column with a sentence.

    Args:
        column: The place in the text, from 1.
        template: The sentence with names of values in braces.
        values: The values.
    """
    return ExpressionError(say(template, **values), column)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of an expression.

    Attributes:
        kind: One of number, text, name, sign, end.
        text: The characters as they stand in the expression, with their quotes.
        column: The place of its first character, from 1.
    """

    kind: str
    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the syntax tree.

    Attributes:
        kind: One of number, text, name, call, compare, sum, negative, and, or, not, in, like.
        value: The number, text, name or function; the operator of a comparison; the operators of a sum; the pattern of
            `like`.
        parts: The nodes that it combines.
        column: The place of its first character, or of its operator, from 1.
    """

    kind: str
    value: Any = None
    parts: tuple["Node", ...] = ()
    column: int = 0


@dataclass(frozen=True, slots=True)
class QueryTree:
    """The syntax tree of a query.

    Attributes:
        type: The token of the packet name or id.
        condition: The condition; None without `where`.
        where: The text of the condition.
        assignments: Name and value of each assignment, in order.
        settings: The text of the assignments.
        value: The value of the records, instead of assignments; None for a query without one.
    """

    type: Token
    condition: Node | None = None
    where: str = ""
    assignments: tuple[tuple[Token, Node], ...] = ()
    settings: str = ""
    value: Node | None = None


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text, the last one of kind `end`.

    Raises:
        ExpressionError: A character cannot be used, or a quoted text has no end.
    """
    result: list[Token] = []
    index = _skip_space(text, 0)
    while index < len(text):
        match = TOKEN.match(text, index)
        if match is None or match.lastgroup is None:
            if text[index] in "\"'":
                raise refused(index + 1, N_("The text that begins here has no end."))
            raise refused(index + 1, N_("“{text}” cannot be used in an expression."), text=text[index])
        result.append(Token(match.lastgroup, match[0], index + 1))
        index = _skip_space(text, match.end())
    result.append(Token("end", "", len(text) + 1))
    return result


def _skip_space(text: str, index: int) -> int:
    """Return the index of the next character that is no space."""
    match = _SPACE.match(text, index)
    if match is None:
        return index
    return match.end()


def _refuse_no_id(token: Token) -> None:
    """Raise `ExpressionError` for a number that is not the id of a packet."""
    try:
        number = packet_number(token.text)
    except PacketNameError as error:
        raise ExpressionError(error.message, token.column) from None
    if number is None:
        raise _no_such_packet(token, say(_HINT))


def _no_such_packet(token: Token, meant: str) -> ExpressionError:
    """Return the error for a token that names no packet, with a sentence about what may be meant."""
    return refused(token.column, N_("There is no packet “{name}”.{meant}"), name=token.text, meant=meant)


class Parser:
    """Parses one text.

    Attributes:
        text: The text.
        tokens: Its tokens.
        types: The names of packets.
        index: The index of the token that is read next.
        depth: How deep the part that is read is nested.
    """

    def __init__(self, text: str, types: Collection[str]) -> None:
        """Split the text into tokens.

        Args:
            text: The text.
            types: The names of packets.

        Raises:
            ExpressionError: A character cannot be used, or a quoted text has no end.
        """
        self.text = text
        self.tokens = tokens(text)
        self.types = types
        self.index = 0
        self.depth = 0

    @property
    def token(self) -> Token:
        """The token that is read next."""
        return self.tokens[self.index]

    def accept(self, text: str) -> Token | None:
        """Read the next token if it is this text; return it, else None."""
        return self.accept_any((text,))

    def accept_any(self, texts: Collection[str]) -> Token | None:
        """Read the next token if it is one of these texts; return it, else None."""
        token = self.token
        if token.kind in ("text", "end") or token.text not in texts:
            return None
        self.index += 1
        return token

    def expect(self, text: str) -> None:
        """Read a text, or raise `ExpressionError` if the next token is another one."""
        if self.accept(text) is None:
            self._refuse_single_sign()
            raise refused(self.token.column, N_("“{text}” is missing."), text=text)

    def _refuse_single_sign(self) -> None:
        """Raise `ExpressionError` for a single `=`, which is often meant as a comparison."""
        if self.token.kind == "sign" and self.token.text == "=":
            raise refused(self.token.column, N_("A comparison is written ==; assignments follow a colon."))

    def nested(self, part: Callable[[], Node]) -> Node:
        """Read a nested part.

        Args:
            part: The function that reads it.

        Raises:
            ExpressionError: It is nested too deep.
        """
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise refused(self.token.column, N_("The expression is nested too deep."))
        node = part()
        self.depth -= 1
        return node

    # --- queries ----------------------------------------------------------------------------------------

    def query(self, *, of_value: bool) -> QueryTree:
        """Read a query.

        Args:
            of_value: Whether it is `TYPE [where EXPR]: EXPR`, a value of each record, instead of assignments.

        Raises:
            ExpressionError: The text is no such query.
        """
        name = self.token
        if name.kind == "number":
            _refuse_no_id(name)
        elif name.kind != "name" or name.text.lower() not in {packet.lower() for packet in self.types}:
            raise _no_such_packet(name, did_you_mean(name.text, self.types) or say(_HINT))
        self.index += 1
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
        """Raise `ExpressionError` if there is more text."""
        if self.token.kind != "end":
            self._refuse_single_sign()
            raise refused(self.token.column, N_("“{text}” was not expected here."), text=self.token.text)

    def assignment(self) -> tuple[Token, Node]:
        """Read `NAME = EXPR`.

        Returns:
            The token of the name, and the value.

        Raises:
            ExpressionError: Something else stands there.
        """
        name = self.token
        if name.kind != "name":
            raise refused(name.column, N_("A field and its new value are expected here, as in location.z = 0."))
        self.index += 1
        if self.accept("==") is not None:
            raise refused(self.tokens[self.index - 1].column, N_("An assignment is written with one =."))
        self.expect("=")
        return name, self.disjunction()

    # --- expressions, lowest precedence first -----------------------------------------------------------

    def disjunction(self) -> Node:
        """Read a condition or a value: parts that are joined by `or`."""
        return self.nested(lambda: self.chain("or", self.conjunction))

    def conjunction(self) -> Node:
        """Read parts that are joined by `and`."""
        return self.chain("and", self.negation)

    def chain(self, word: str, part: Callable[[], Node]) -> Node:
        """Read parts that are joined by a word.

        Args:
            word: The word, `and` or `or`.
            part: The function that reads one part.

        Returns:
            One node with all parts; the part itself if there is one alone.
        """
        parts = [part()]
        column = self.token.column
        while self.accept(word):
            parts.append(part())
        if len(parts) > 1:
            return Node(word, None, tuple(parts), column)
        return parts[0]

    def negation(self) -> Node:
        """Read a comparison, with or without `not`."""
        token = self.accept("not")
        if token is None:
            return self.comparison()
        return Node("not", None, (self.nested(self.negation),), token.column)

    def comparison(self) -> Node:
        """Read a value, or values that are compared by an operator, `like` or `in`."""
        node = self.arithmetic()
        token = self.accept_any(COMPARE)
        if token is not None:
            return Node("compare", token.text, (node, self.arithmetic()), token.column)
        token = self.accept("like")
        if token is not None:
            pattern = self.arithmetic()
            if pattern.kind != "text":
                raise refused(token.column, N_('A text follows “like”, as in "vehicle.*".'))
            return Node("like", pattern.value, (node,), token.column)
        token = self.accept("in")
        if token is None:
            return node
        self.expect("(")
        parts = [node]
        parts += self.arguments(self.arithmetic)
        return Node("in", None, tuple(parts), token.column)

    def arguments(self, part: Callable[[], Node]) -> list[Node]:
        """Read parts that are separated by commas, up to the closing parenthesis."""
        parts = [part()]
        while self.accept(","):
            parts.append(part())
        self.expect(")")
        return parts

    def arithmetic(self) -> Node:
        """Read a sum."""
        return self.left_associative(("+", "-"), self.product)

    def product(self) -> Node:
        """Read a product or a quotient."""
        return self.left_associative(("*", "/"), self.atom)

    def left_associative(self, operators: tuple[str, str], part: Callable[[], Node]) -> Node:
        """Read parts with operators of one precedence between them.

        Args:
            operators: The operators.
            part: The function that reads one part.

        Returns:
            One node with all parts; the part itself if there is one alone.
        """
        parts = [part()]
        between = []
        column = self.token.column
        while token := self.accept_any(operators):
            between.append(token.text)
            parts.append(part())
        if between:
            return Node("sum", tuple(between), tuple(parts), column)
        return parts[0]

    def atom(self) -> Node:
        """Read a constant, a name, a call, a part in parentheses, or one of these with a sign."""
        token = self.token
        if self.accept("-"):
            return Node("negative", None, (self.nested(self.atom),), token.column)
        if self.accept("("):
            node = self.disjunction()
            self.expect(")")
            return node
        if token.kind == "end":
            raise refused(token.column, N_("Something is missing here."))
        self.index += 1
        if token.kind == "number":
            return Node("number", _number(token), (), token.column)
        if token.kind == "text":
            return Node("text", token.text[1:-1], (), token.column)
        if token.kind == "name" and self.accept("("):
            return self.call(token)
        if token.kind == "name":
            return Node("name", token.text, (), token.column)
        raise refused(token.column, N_("“{text}” was not expected here."), text=token.text)

    def call(self, token: Token) -> Node:
        """Read the values of a function; its name and the opening parenthesis are read already.

        Args:
            token: The name.

        Raises:
            ExpressionError: There is no such function, or it takes another number of values.
        """
        name = token.text
        if name not in FUNCTIONS:
            meant = did_you_mean(name, FUNCTIONS)
            raise refused(token.column, N_("There is no function “{name}”.{meant}"), name=name, meant=meant)
        parts = self.arguments(self.disjunction)
        count = 2 if name in ("min", "max") else 1
        if len(parts) != count:
            raise refused(
                token.column,
                N_count("{text} takes {count} value.", "{text} takes {count} values."),
                text=name,
                count=count,
            )
        return Node("call", name, tuple(parts), token.column)


def _number(token: Token) -> int | float:
    """Return the value of a number; integers beyond `INTEGER_LIMIT` become floats."""
    text = token.text.lower()
    if text.startswith("0x"):
        # The limit has 33 digits; longer texts may have leading zeros.
        whole = int(text, 16) if len(text) < 40 else INTEGER_LIMIT
    elif text.isdigit() and len(text) <= 40:
        whole = int(text)
    else:
        number = float(text)
        if not math.isfinite(number):
            raise refused(token.column, N_("This number is too large."))
        return number
    if whole >= INTEGER_LIMIT:
        return float(whole)
    return whole
