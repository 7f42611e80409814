"""Mistakes drawn by a seed from all of the package: each is one change of the syntax tree of one function."""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

PROJECT = Path(__file__).resolve().parents[2]

PROBE = "__reached__"
"""The builtin that a probe calls with the number of its site."""

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True, slots=True)
class Site:
    """A place for one mistake.

    Attributes:
        path: The module, relative to the project.
        index: The number of the node among all of the module's tree, in the order of `ast.walk`.
        line: Its line.
        text: What becomes of it, for people.
    """

    path: str
    index: int
    line: int
    text: str

    @property
    def name(self) -> str:
        """The site in one line."""
        return f"{self.path}:{self.line} {self.text}"


def draw(number: int, seed: int) -> list[Site]:
    """Draw so many sites from the functions of the package, the same ones each time for the same source."""
    places: list[tuple[Path, int]] = []
    for path in sorted((PROJECT / "recorder_editor").rglob("*.py")):
        places += [(path, index) for index in _indexes(path)]
    return [_site(path, index) for path, index in Random(seed).sample(places, number)]


def _indexes(path: Path) -> Iterator[int]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bodies = _statements_of_functions(tree)
    for index, node in enumerate(ast.walk(tree)):
        if id(node) in bodies and _change_of(node) is not None:
            yield index


def _site(path: Path, index: int) -> Site:
    node = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))[index]
    change = _change_of(node)
    assert change is not None
    before = _one_line(node)
    line = getattr(node, "lineno", 0)
    change(node)
    return Site(path.relative_to(PROJECT).as_posix(), index, line, f"{before} -> {_one_line(node)}")


def _one_line(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:60]


def _statements_of_functions(tree: ast.Module) -> dict[int, ast.stmt]:
    """The innermost statement of a function around each node that is in one, by the id of the node."""
    result: dict[int, ast.stmt] = {}

    def go(node: ast.AST, statement: ast.stmt | None, inside: bool) -> None:
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST):
                    continue
                is_inside = inside or (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and field == "body")
                around = child if isinstance(child, ast.stmt) else statement
                if is_inside and around is not None:
                    result[id(child)] = around
                go(child, around, is_inside and not isinstance(child, ast.ClassDef))

    go(tree, None, False)
    return result


def _change_of(node: ast.AST) -> Callable[[ast.AST], None] | None:
    """What makes a mistake of a node, in place; None where none is made of it."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARISONS:
            return _other_comparison
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS and not _is_text(node):
            return _other_operator
        case ast.BoolOp():
            return _other_conjunction
        case ast.Constant(value=bool() | int()):
            return _other_constant
        case ast.If() | ast.IfExp() | ast.While():
            return _negated_test
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            return _nothing_returned
        case ast.Expr(value=ast.Call()):
            return _nothing_called
    return None


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(isinstance(side, ast.JoinedStr) or _is_string(side) for side in sides)


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _other_comparison(node: ast.AST) -> None:
    assert isinstance(node, ast.Compare)
    node.ops = [_COMPARISONS[type(node.ops[0])]()]


def _other_operator(node: ast.AST) -> None:
    assert isinstance(node, ast.BinOp)
    node.op = _OPERATORS[type(node.op)]()


def _other_conjunction(node: ast.AST) -> None:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def _other_constant(node: ast.AST) -> None:
    assert isinstance(node, ast.Constant)
    if isinstance(node.value, bool):
        node.value = not node.value
    else:
        assert isinstance(node.value, int)
        node.value += 1


def _negated_test(node: ast.AST) -> None:
    assert isinstance(node, ast.If | ast.IfExp | ast.While)
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _nothing_returned(node: ast.AST) -> None:
    assert isinstance(node, ast.Return)
    assert node.value is not None
    node.value = _left_out(node.value)


def _nothing_called(node: ast.AST) -> None:
    assert isinstance(node, ast.Expr)
    node.value = _left_out(node.value)


def _left_out(value: ast.expr) -> ast.expr:
    """None, and an expression that is never evaluated: a closure keeps its variables."""
    return ast.BoolOp(ast.And(), [ast.Constant(None), value])


def mutated(site: Site) -> ast.Module:
    """Return the tree of the module with the mistake in it."""
    tree = ast.parse((PROJECT / site.path).read_text(encoding="utf-8"))
    node = list(ast.walk(tree))[site.index]
    change = _change_of(node)
    assert change is not None
    change(node)
    return ast.fix_missing_locations(tree)


def probed(path: str, sites: Sequence[tuple[int, Site]]) -> ast.Module:
    """Return the tree of a module that tells, before each of these numbered sites, that it is reached."""
    tree = ast.parse((PROJECT / path).read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    around = _statements_of_functions(tree)
    probes: dict[int, list[ast.stmt]] = {}
    for number, site in sites:
        call = ast.Call(ast.Name(PROBE, ast.Load()), [ast.Constant(number)], [])
        probes.setdefault(id(around[id(nodes[site.index])]), []).append(ast.Expr(call))
    for node in nodes:
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                setattr(node, field, [part for one in statements for part in (*probes.get(id(one), []), one)])
    return ast.fix_missing_locations(tree)
