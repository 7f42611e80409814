"""From a text to a tree: pieces, and which of them belong together. Nothing here knows what a name means.

Depth is bounded, and long chains (`a + b + c`, `a or b or c`) are one node each, so that no text overruns the stack.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import RecorderError

COMPARE = ("==", "!=", "<=", ">=", "<", ">")
FUNCTIONS = ("abs", "min", "max", "round")
_DEEPEST = 60
_SPACE = re.compile(r"\s*")
_TOKEN = re.compile(
    r"(?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<text>\"[^\"]*\"|'[^']*')"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9.]*)|(?P<sign>==|!=|<=|>=|[<>+\-*/(),:=])",
    re.ASCII,
)
LARGEST_TYPED = 2**128
"""From here on a whole number is a float, whether it was typed or calculated of typed ones."""


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
    """A part of an expression.

    Attributes: `kind` (number, text, name, call, compare, sum, negative, and, or, not, in, like), `value` (the number,
    text, name or function; the sign of a comparison; those between the parts of a sum; the pattern of `like`), `parts`,
    `column` (from 1).
    """

    kind: str
    value: Any = None
    parts: tuple["Node", ...] = ()
    column: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole text: the packet's name, the condition and what is set, as they were written.

    Attributes: `type` (the token of the name), `condition` (None without `where`), `where` (the text of the condition),
    `sets` (name and value, in their order), `settings` (their text).
    """

    type: Token
    condition: Node | None
    where: str
    sets: tuple[tuple[Token, Node], ...]
    settings: str


def tokens(text: str) -> list[Token]:
    """The pieces of a text, the end included; raises `ExpressionError`."""
    found: list[Token] = []
    at = _skipped(text, 0)
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            if text[at] in "\"'":
                raise ExpressionError("The text that begins here has no end.", at + 1)
            raise ExpressionError(f"“{text[at]}” belongs in no expression.", at + 1)
        found.append(Token(match.lastgroup, match[0], at + 1))
        at = _skipped(text, match.end())
    return [*found, Token("end", "", len(text) + 1)]


def _skipped(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at


def sentence(text: str, is_type: Callable[[str], bool]) -> Sentence:
    """What a text says, by its form alone; `is_type` knows the names of packets. Raises `ExpressionError`."""
    return _Parser(text, is_type).sentence()


class _Parser:
    def __init__(self, text: str, is_type: Callable[[str], bool]) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.is_type = is_type
        self.at = 0
        self.depth = 0

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
            self._refuse_single_sign()
            raise ExpressionError(f"“{text}” is missing.", self.token.column)

    def _refuse_single_sign(self) -> None:
        if self.token.kind == "sign" and self.token.text == "=":
            raise ExpressionError("A comparison is written ==; what is set stands behind a colon.", self.token.column)

    def nested(self, part: Callable[[], Node]) -> Node:
        """A part inside of another one; raises `ExpressionError` where there are too many around it."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ExpressionError("The expression is nested too deep.", self.token.column)
        node = part()
        self.depth -= 1
        return node

    # --- the whole --------------------------------------------------------------------------------------

    def sentence(self) -> Sentence:
        name = self.token
        if name.kind != "name" or not self.is_type(name.text):
            raise ExpressionError("A query begins with the name of a packet, as in Position.", name.column)
        self.at += 1
        condition, where = None, ""
        if self.token.kind != "end" and self.token.text != ":":
            if self.take("where") is None:
                raise ExpressionError(f"“where” or “:” belongs after {name.text}.", self.token.column)
            begin = self.token.column - 1
            condition = self.either()
            where = self.text[begin : self.token.column - 1].strip()
        sets: list[tuple[Token, Node]] = []
        begin = len(self.text)
        if self.take(":"):
            begin = self.token.column - 1
            sets.append(self.setting())
            while self.take(","):
                sets.append(self.setting())
        if self.token.kind != "end":
            self._refuse_single_sign()
            raise ExpressionError(f"“{self.token.text}” was not expected here.", self.token.column)
        return Sentence(name, condition, where, tuple(sets), self.text[begin:].strip())

    def setting(self) -> tuple[Token, Node]:
        name = self.token
        if name.kind != "name":
            raise ExpressionError("Here stands a field and what it becomes, as in location.z = 0.", name.column)
        self.at += 1
        if self.take("==") is not None:
            raise ExpressionError("What is set is written with one =.", self.tokens[self.at - 1].column)
        self.need("=")
        return name, self.either()

    # --- expressions, the loosest first -----------------------------------------------------------------

    def either(self) -> Node:
        return self.nested(lambda: self.chain("or", lambda: self.chain("and", self.inverse)))

    def chain(self, word: str, part: Callable[[], Node]) -> Node:
        parts, column = [part()], self.token.column
        while self.take(word):
            parts.append(part())
        return Node(word, None, tuple(parts), column) if len(parts) > 1 else parts[0]

    def inverse(self) -> Node:
        token = self.take("not")
        if token is None:
            return self.comparison()
        return Node("not", None, (self.nested(self.inverse),), token.column)

    def comparison(self) -> Node:
        node = self.total()
        if token := self.take(*COMPARE):
            return Node("compare", token.text, (node, self.total()), token.column)
        if token := self.take("like"):
            pattern = self.total()
            if pattern.kind != "text":
                raise ExpressionError('After “like” stands a text, as in "vehicle.*".', token.column)
            return Node("like", pattern.value, (node,), token.column)
        if token := self.take("in"):
            self.need("(")
            return Node("in", None, (node, *self.listed(self.total)), token.column)
        return node

    def listed(self, part: Callable[[], Node]) -> list[Node]:
        """Parts with commas between them, up to the closing bracket."""
        parts = [part()]
        while self.take(","):
            parts.append(part())
        self.need(")")
        return parts

    def total(self) -> Node:
        return self.calculation(("+", "-"), lambda: self.calculation(("*", "/"), self.atom))

    def calculation(self, signs: tuple[str, str], part: Callable[[], Node]) -> Node:
        parts, between, column = [part()], [], self.token.column
        while token := self.take(*signs):
            between.append(token.text)
            parts.append(part())
        return Node("sum", tuple(between), tuple(parts), column) if between else parts[0]

    def atom(self) -> Node:
        token = self.token
        if self.take("-"):
            return Node("negative", None, (self.nested(self.atom),), token.column)
        if self.take("("):
            node = self.either()
            self.need(")")
            return node
        self.at += token.kind != "end"
        if token.kind == "number":
            return Node("number", _number(token), (), token.column)
        if token.kind == "text":
            return Node("text", token.text[1:-1], (), token.column)
        if token.kind == "name" and token.text in FUNCTIONS and self.take("("):
            return self.call(token)
        if token.kind == "name":
            return Node("name", token.text, (), token.column)
        if token.kind == "end":
            raise ExpressionError("Something is missing here.", token.column)
        raise ExpressionError(f"“{token.text}” was not expected here.", token.column)

    def call(self, token: Token) -> Node:
        parts = self.listed(self.either)
        wanted = 2 if token.text in ("min", "max") else 1
        if len(parts) != wanted:
            raise ExpressionError(f"{token.text} takes {wanted} value{'s' if wanted > 1 else ''}.", token.column)
        return Node("call", token.text, tuple(parts), token.column)


def _number(token: Token) -> int | float:
    text = token.text.lower()
    if text.startswith("0x"):
        # As many digits as the largest one, and some zeros before them.
        whole = int(text, 16) if len(text) < 40 else LARGEST_TYPED
    elif text.isdigit() and len(text) <= 40:
        whole = int(text)
    else:
        number = float(text)
        if number - number != 0:
            raise ExpressionError("This number is too large.", token.column)
        return number
    if whole >= LARGEST_TYPED:
        return float(whole)
    return whole
