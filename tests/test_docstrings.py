"""Docstrings name attributes and arguments that are there, and errors in one form."""

import ast
import re
from collections.abc import Iterator
from functools import cache

from .sources import PACKAGE, name_of, nodes


def test_attributes_that_docstrings_name_are_there() -> None:
    classes: dict[str, list[tuple[str, ast.ClassDef]]] = {}
    for path, every in nodes().items():
        for node in every:
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append((path.relative_to(PACKAGE).as_posix(), node))
    by_name = {name: [node for _, node in found] for name, found in classes.items()}
    told = 0
    stale = []
    for found in classes.values():
        for place, node in found:
            names = list(named(ast.get_docstring(node) or ""))
            told += len(names)
            there = attributes(node, by_name, frozenset())
            stale += [f"{place}: {node.name}.{name}" for name in names if name not in there]
    assert stale == []
    assert told > 1000, "the words that docstrings use for attributes are found no more"


def test_arguments_that_docstrings_name_are_parameters() -> None:
    stale = []
    described = 0
    for path, every in nodes().items():
        for node in every:
            if isinstance(node, ast.ClassDef):
                makers = [function for function in node.body if is_maker(function)]
                documented = [(node, maker) for maker in makers if "Args:" in (ast.get_docstring(node) or "")]
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                documented = [(node, node)]
            else:
                continue
            for owner, function in documented:
                names = entries(ast.get_docstring(owner) or "", "Args")
                described += len(names)
                there = parameters(function)
                place = path.relative_to(PACKAGE).as_posix()
                stale += [f"{place}: {owner.name}({name})" for name in names if name not in there]
    assert stale == []
    assert described > 1000


def test_sections_of_docstrings_have_their_form() -> None:
    """Args, Returns, Yields and Raises in this order, each behind a blank line, with indented entries."""
    order = ("Attributes", "Args", "Returns", "Yields", "Raises")
    wrong = []
    for path, every in nodes().items():
        for node in every:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            lines = (ast.get_docstring(node) or "").split("\n")
            heads = [number for number, line in enumerate(lines) if line.rstrip(":") in order and line.endswith(":")]
            names = [lines[number].rstrip(":") for number in heads]
            is_sound = names == sorted(set(names), key=order.index) and all(
                number > 0 and lines[number - 1] == "" and lines[number + 1 : number + 2] > ["    "] for number in heads
            )
            if not is_sound:
                wrong.append(f"{path.relative_to(PACKAGE).as_posix()}: {node.name} {names}")
    assert wrong == []


def is_maker(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name in ("__init__", "__new__")


def parameters(function: ast.stmt) -> set[str]:
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {argument.arg for argument in every if argument is not None}


def entries(docstring: str, section: str) -> list[str]:
    """The names of a Google section: its lines that are indented by four."""
    names = []
    is_inside = False
    for line in docstring.split("\n"):
        if is_inside and line and not line.startswith("    "):
            break
        entry = re.match(r"    \*{0,2}(\w+): ", line)
        if is_inside and entry is not None:
            names.append(entry[1])
        if line == f"{section}:":
            is_inside = True
    return names


def named(docstring: str) -> Iterator[str]:
    """The attributes that a docstring lists: a line each, or in one paragraph with what they are in brackets."""
    head = re.search(r"^Attributes?:(.*)", docstring, re.MULTILINE | re.DOTALL)
    if head is None:
        head = re.search(r"\bAttributes?:(.*)", docstring, re.DOTALL)
    if head is None:
        return
    lines = head[1].split("\n")
    if not lines[0].strip():
        for line in lines[1:]:
            entry = re.match(r"    (\w+): ", line)
            if entry is not None:
                yield entry[1]
            elif line and not line.startswith(" "):
                return
        return
    paragraph = head[1].partition("\n\n")[0]
    while "(" in paragraph:
        shorter = re.sub(r"\([^()]*\)", "", paragraph)
        if shorter == paragraph:
            break
        paragraph = shorter
    yield from re.findall(r"`(\w+)`", paragraph.partition(". ")[0])


def attributes(node: ast.ClassDef, classes: dict[str, list[ast.ClassDef]], seen: frozenset[str]) -> frozenset[str]:
    """The attributes of a class, and of those of the package that it is made of."""
    names = own_attributes(node)
    for base in node.bases:
        inner_base = base.value if isinstance(base, ast.Subscript) else base
        name = inner_base.attr if isinstance(inner_base, ast.Attribute) else getattr(inner_base, "id", "")
        if name not in seen:
            for parent in classes.get(name, []):
                names = names | attributes(parent, classes, seen | {name})
    return names


@cache
def own_attributes(node: ast.ClassDef) -> frozenset[str]:
    names: set[str] = set()
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names.add(statement.target.id)
        elif isinstance(statement, ast.Assign):
            names |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
        elif isinstance(statement, ast.FunctionDef):
            names.add(statement.name)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store) and name_of(inner.value) == "self":
            names.add(inner.attr)
    return frozenset(names)
