"""Reads a file by a pattern of ImHex, as far as the pattern of recordings uses the language.

This is not ImHex: it holds what the pattern says against bytes, and tells nothing of what ImHex accepts.
"""

import re
import struct
from collections.abc import Callable
from itertools import accumulate, count
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any, NamedTuple

WORD = r'\[\[(?:"[^"]*"|[^"\]])*\]\]|"[^"]*"|\w+(?:(?:::|\.)\w+)*|<=|>=|==|!=|&&|\|\||[^\s\w]'
NUMBERS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "s8": "b", "s16": "h", "s32": "i", "s64": "q"}
NUMBERS |= {"float": "f", "double": "d", "bool": "B"}
PYTHON = {"&&": "and", "||": "or", "!": "not", "$": "AT"}


class Declared(NamedTuple):
    """A variable: how often, while what, its value if it is a local one, its place and another name if it has one."""

    type: str
    argument: CodeType | None
    name: str
    count: CodeType | None = None
    loop: CodeType | None = None
    value: CodeType | None = None
    place: CodeType | None = None
    shown: str = ""


class Block(NamedTuple):
    """What is done under a condition, and otherwise."""

    condition: CodeType
    body: list[Any]
    otherwise: list[Any]


class Pattern:
    """A pattern and the file it is run on; `names` has its variables afterwards."""

    def __init__(self, path: Path, data: bytes, **inputs: int) -> None:
        text = re.sub(r"(?m)^(#|//).*$", "", path.read_text(encoding="utf-8"))
        self.words = re.findall(WORD, text)
        self.data = data
        self.types: dict[str, Any] = {}
        self.sizes: dict[str, int] = {"AT": len(data)}
        self.names: dict[str, Any] = {"AT": 0, "sizeof": self.sizes.__getitem__, **inputs}
        self.constants: dict[str, int] = {}
        while self.words:
            self.definition()

    # --- words ----------------------------------------------------------------------------------------

    def take(self, *expected: str) -> str:
        for word in expected:
            assert self.words[0] == word, (word, self.words[:8])
            self.words.pop(0)
        return "" if expected else self.words.pop(0)

    def until(self, *ends: str) -> list[str]:
        """The words up to one of the ends outside brackets, which is taken, too."""
        found: list[str] = []
        depth = 0
        while depth or self.words[0] not in ends:
            depth += {"(": 1, ")": -1}.get(self.words[0], 0)
            found.append(self.take())
        self.take()
        return found

    def expression(self, *ends: str) -> CodeType:
        return compile(self.python(self.until(*ends)), "pattern", "eval")

    def python(self, words: list[str]) -> str:
        """An expression as Python writes it; a choice within a choice stands in brackets."""
        flat: list[str] = []
        while words:
            word, *words = words
            if word == "(":
                depths = accumulate({"(": 1, ")": -1}.get(each, 0) for each in words)
                close = next(place for place, depth in enumerate(depths) if depth < 0)
                flat.append(f"({self.python(words[:close])})")
                words = words[close + 1 :]
            else:
                flat.append(str(self.constants[word]) if "::" in word else PYTHON.get(word, word))
        source = re.sub(r"sizeof \((\w+)\)", r"sizeof('\1')", " ".join(flat))
        if "?" not in flat:
            return source
        condition, _, choice = source.partition("?")
        yes, _, no = choice.partition(":")
        return f"({yes}) if ({condition}) else ({no})"

    # --- definitions ------------------------------------------------------------------------------------

    def definition(self) -> None:
        kind = self.words[0]
        if kind in ("enum", "bitfield", "struct", "fn"):
            self.take()
            getattr(self, f"define_{kind}")(self.take())
            self.take(";")
        else:
            self.run([self.declared()], self.names, self.names)

    def define_enum(self, name: str) -> None:
        self.take(":")
        assert name not in self.types
        self.types[name] = NUMBERS[self.take()]
        self.take("{")
        while self.words[0] != "}":
            word, _, number = self.take(), self.take("="), self.take()
            if number == "-":
                number += self.take()
            assert f"{name}::{word}" not in self.constants
            self.constants[f"{name}::{word}"] = int(number)
            if self.words[0] == ",":
                self.take()
        self.take("}")

    def define_bitfield(self, name: str) -> None:
        self.take("{")
        bits = 0
        while self.words[0] != "}":
            _, _, size = self.take(), self.take(":"), self.take()
            self.take(";")
            bits += int(size)
        self.take("}")
        assert name not in self.types
        self.types[name] = next(code for kind, code in NUMBERS.items() if kind == f"u{bits}")

    def define_struct(self, name: str) -> None:
        parameter = ""
        if self.words[0] == "<":
            self.take("<", "auto")
            parameter = self.take()
            self.take(">")
        assert name not in self.types
        self.types[name] = (parameter, self.block())

    def define_fn(self, name: str) -> None:
        self.take("(", "u8")
        parameter = self.take()
        self.take(")")
        body = self.block()

        def call(value: int) -> Any:
            return self.run(body, {parameter: value}, {})

        self.names[name] = call

    def block(self) -> list[Any]:
        self.take("{")
        found = []
        while self.words[0] != "}":
            found.append(self.statement())
        self.take("}")
        return found

    def statement(self) -> Any:
        if self.words[0] == "if":
            self.take("if", "(")
            condition, body, otherwise = self.expression(")"), self.block(), []
            if self.words[0] == "else":
                self.take("else")
                otherwise = [self.statement()] if self.words[0] == "if" else self.block()
            return Block(condition, body, otherwise)
        if self.words[0] == "match":
            self.take("match", "(")
            subject, cases = self.expression(")"), {}
            self.take("{")
            while self.words[0] != "}":
                self.take("(")
                label = self.constants[self.take()]
                self.take(")", ":")
                cases[label] = self.declared()
            self.take("}")
            return (subject, cases)
        if self.words[0] == "return":
            self.take("return")
            return self.expression(";")
        if self.words[0] == "$":
            self.take("$", "=")
            return Declared("$", None, "AT", value=self.expression(";"))
        return self.declared()

    def declared(self) -> Declared:
        kind, argument = self.take(), None
        if self.words[0] == "<":
            self.take("<")
            argument = self.expression(">")
        variable = Declared(kind, argument, self.take())
        while (word := self.take()) != ";":
            if word == "[" and self.words[0] == "while":
                self.take("while", "(")
                variable = variable._replace(loop=self.expression(")"))
                self.take("]")
            elif word == "[":
                variable = variable._replace(count=self.expression("]"))
            elif word.startswith("[[") and (renamed := re.search(r'name\("(\w+)"\)', word)):
                variable = variable._replace(shown=renamed[1])
            elif word == "=":
                variable = variable._replace(value=self.expression(";"))
                break
            elif word == "@":
                variable = variable._replace(place=self.expression(";"))
                break
            else:
                assert word == "in" or word.startswith("[["), word
        return variable

    # --- running ----------------------------------------------------------------------------------------

    def run(self, body: list[Any], scope: dict[str, Any], fields: dict[str, Any]) -> Any:
        """Does what a block says; a value for `return`."""

        def value(code: CodeType) -> Any:
            return eval(code, self.names, scope)

        for each in body:
            result = None
            if isinstance(each, CodeType):
                return value(each)
            if isinstance(each, Block):
                result = self.run(each.body if value(each.condition) else each.otherwise, scope, fields)
            elif isinstance(each, Declared):
                self.place(each, value, scope, fields)
            elif (case := each[1].get(value(each[0]))) is not None:
                self.place(case, value, scope, fields)
            if result is not None:
                return result
        return None

    def place(
        self, each: Declared, value: Callable[[CodeType], Any], scope: dict[str, Any], fields: dict[str, Any]
    ) -> None:
        if each.name in self.names and each.value is None and each.place is None and scope is self.names:
            return  # an input
        if each.type == "$":
            self.names["AT"] = value(each.value)
            return
        if each.value is not None:
            scope[each.name] = value(each.value)
            return
        if each.place is not None:
            self.names["AT"] = value(each.place)
        start = self.names["AT"]
        argument = value(each.argument) if each.argument is not None else None
        numbers = range(value(each.count)) if each.count is not None else count()
        if each.type == "char" or (each.type == "u8" and each.count is not None):
            read: Any = self.data[start : start + len(numbers)]
            self.names["AT"] += len(read)
        elif each.loop is not None:
            read = []
            while value(each.loop):
                read.append(self.read(each.type, argument))
        elif each.count is not None:
            read = [self.read(each.type, argument) for _ in numbers]
        else:
            read = self.read(each.type, argument)
        scope[each.name] = fields[each.shown or each.name] = read
        self.sizes[each.name] = self.names["AT"] - start

    def read(self, kind: str, argument: Any) -> Any:
        """One value of a type where the cursor is."""
        known = self.types.get(kind, NUMBERS.get(kind))
        if isinstance(known, str):
            code = f"<{known}"
            (number,) = struct.unpack_from(code, self.data, self.names["AT"])
            self.names["AT"] += struct.calcsize(code)
            return number
        assert isinstance(known, tuple), kind
        parameter, body = known
        fields: dict[str, Any] = {}
        self.run(body, {parameter: argument}, fields)
        if kind == "Text":
            return SimpleNamespace(bytes=fields["value"], value=fields["value"].decode(errors="replace"))
        return SimpleNamespace(**fields)
