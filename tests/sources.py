"""The modules of the package as trees, parsed once for all tests of a process that go through them."""

import ast
import gc
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = PROJECT / "recorder_editor"


@cache
def trees() -> Mapping[Path, ast.Module]:
    """The tree of each module, which no test changes."""
    gc.disable()  # nothing of it becomes garbage, and a sweep would go through all of it again and again
    found = {path: ast.parse(path.read_bytes()) for path in sorted(PACKAGE.rglob("*.py"))}
    gc.freeze()
    gc.enable()
    return found


@cache
def nodes() -> Mapping[Path, Sequence[ast.AST]]:
    """What `ast.walk` finds in each module."""
    return {path: [*ast.walk(tree)] for path, tree in trees().items()}


def name_of(node: ast.AST) -> str:
    """The dotted name that an expression is, as `self.rows`, else ""."""
    if isinstance(node, ast.Name):
        return node.id
    if not isinstance(node, ast.Attribute):
        return ""
    place = name_of(node.value)
    return f"{place}.{node.attr}" if place else ""
