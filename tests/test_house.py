"""The rules of the house: imports run one way, and only the window knows Qt."""

import ast
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp

from recorder_editor.format.dialects import DIALECTS

from .sources import PACKAGE, PROJECT, name_of, nodes, trees

QT = ("PySide6", "pyqtgraph", "shiboken6")
OUTSIDE_THE_WINDOW = sorted(set(PACKAGE.rglob("*.py")) - set((PACKAGE / "ui").rglob("*.py")))

LAYOUT = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}
"""Tokens that make no line of code."""

LINT_IMPORTS = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
IMPORT_AND_NAME_QT = f"""
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(*sorted(name for name in sys.modules if name.partition(".")[0] in {QT!r}))
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Python, started afresh in the project's folder."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=PROJECT, capture_output=True, text=True, check=False, timeout=120
    )


def module_name(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> Iterator[str]:
    for node in nodes()[path]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def test_imports_run_one_way() -> None:
    done = run("-c", LINT_IMPORTS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Imports run one way KEPT" in done.stdout


def test_no_module_imports_itself_through_others() -> None:
    """Also within functions, for types only, and between a package and its own modules."""
    graph = grimp.build_graph("recorder_editor")
    assert not [
        (module, imported)
        for module in sorted(graph.modules)
        for imported in sorted(graph.find_modules_directly_imported_by(module))
        if graph.chain_exists(importer=imported, imported=module)
    ]


def test_no_module_outside_the_window_names_qt() -> None:
    assert OUTSIDE_THE_WINDOW
    for path in OUTSIDE_THE_WINDOW:
        assert not [name for name in imported(path) if name.partition(".")[0] in QT], module_name(path)


def test_the_command_line_and_all_below_it_load_no_qt() -> None:
    names = [module_name(path) for path in OUTSIDE_THE_WINDOW]
    assert "recorder_editor.cli" in names
    done = run("-c", IMPORT_AND_NAME_QT, *names)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_asking_for_the_version_loads_no_qt() -> None:
    done = run("-X", "importtime", "-m", "recorder_editor", "--version")
    assert done.returncode == 0, done.stderr
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "recorder_editor" in loaded
    assert loaded.isdisjoint(QT)


def test_types_of_arrays_are_named_in_one_module() -> None:
    for path in OUTSIDE_THE_WINDOW:
        assigned = [ast.unparse(node) for node in trees()[path].body if isinstance(node, ast.Assign)]
        named = [each for each in assigned if "NDArray[" in each]
        assert not named or path == PACKAGE / "arrays.py", (module_name(path), named)


NAMING = {
    "simulator/metrics": 28,
    "checks/numbers": 1,
    "checks/overlaps": 1,
    "checks/physics": 3,
    "checks/presence": 1,
    "checks/replay": 4,
    "checks/simulator_crashes": 1,
    "edits/actors/copying": 5,
    "edits/actors/describing": 1,
    "edits/actors/removing": 4,
    "edits/actors/renumbering": 1,
    "edits/actors/rewrite": 3,
    "edits/trim": 6,
    "reading/events/kinds": 1,  # a title
    "edits/convert/packet_map": 1,
    "edits/event_schedule": 3,
    "edits/join": 3,
    "edits/operations/common": 1,
    "edits/operations/states": 8,
    "edits/paths/edit_path": 1,
    "edits/paths/moved_actors": 3,
    "edits/paths/mirror": 3,
    "edits/states": 3,
    "formats/highd": 14,
    "formats/report": 7,
    "formats/openscenario_xml": 2,  # elements of OpenSCENARIO, two of which are called as packets are
    "formats/tables/packets": 2,
    "reports/blocked": 3,
    "reports/collisions": 3,
    "reports/info": 16,
    "reports/info_reader": 14,
    "reports/statistics": 1,
    "reading/actors": 12,
    "reading/event_index": 3,
    "reading/expression/records": 3,
    "reading/lives": 5,
    "reading/motion": 2,
    "reading/actor_state": 2,
    "reading/tracks": 6,
    "reading/world": 4,
    "repair/actor_refs": 1,
    "repair/packet_finder": 1,
    "views/describe": 1,
    "views/frame_actors": 3,
    "views/outline": 11,
    "views/signal_catalog": 7,
}
"""How often a module writes the name of a packet, because it is about that packet: an event that it makes, a report in
the words of CARLA, the meaning that a packet has for the replayer, an editor of lights."""


def test_what_packets_are_is_asked_of_the_table_and_not_listed_anew() -> None:
    names = {kind.name for dialect in DIALECTS.values() for kind in dialect.packets.values()}
    about = {PACKAGE / "format", PACKAGE / "demo", PACKAGE / "edits" / "new_actors"}
    found: dict[str, int] = {}
    for path in OUTSIDE_THE_WINDOW:
        if about.isdisjoint(path.parents):
            number = sum(isinstance(node, ast.Constant) and node.value in names for node in nodes()[path])
            found[path.relative_to(PACKAGE).with_suffix("").as_posix()] = number
    more = {module: number for module, number in found.items() if number > NAMING.get(module, 0)}
    assert not more, "derive it from the traits of `PacketType`, as lifetime, presence, key, or add a trait"
    assert NAMING.keys() <= found.keys()


def test_jobs_of_the_window_load_no_module_of_the_program() -> None:
    """Python locks a module before its package: two threads that load one and the other wait for each other, and what
    comes of it is an ImportError. What jobs need is loaded before they begin, in the window's thread."""
    found = []
    for path in sorted({*(PACKAGE / "ui").rglob("*.py"), *(PACKAGE / "views").rglob("*.py")}):
        for node in nodes()[path]:
            if not isinstance(node, ast.FunctionDef):
                continue
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if not any(each.annotation is not None and name_of(each.annotation) == "Progress" for each in arguments):
                continue
            loads = [each for each in ast.walk(node) if isinstance(each, ast.ImportFrom) and each.level]
            found += [f"{path.relative_to(PROJECT)}:{each.lineno} {ast.unparse(each)}" for each in loads]
    assert not found, "\n".join(found)


def test_an_exemption_says_why_on_its_line() -> None:
    reason = re.compile(r"(type: ignore\[[\w-]+\] +#|noqa: [A-Z]+\d+ +[#-]) \w")
    exempt = []
    silent = []
    for path in sorted({*PACKAGE.rglob("*.py"), *(PROJECT / "packaging").rglob("*.py")}):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search("# *(type: *ignore|noqa)", line):
                exempt.append(line)
                if reason.search(line) is None:
                    silent.append(f"{path.relative_to(PROJECT)}:{number} {line.strip()}")
    assert exempt
    assert not silent, "\n".join(silent)


def test_functions_classes_and_modules_end_in_sight() -> None:
    """At most 90, 600 and 700 lines of code, which leaves out docstrings, comments and blank lines."""
    too_long = []
    for path, found in nodes().items():
        for node in found:
            if isinstance(node, ast.Module):
                last = node.body[-1].end_lineno if node.body else 0
                most, lines = 700, range(1, (last or 0) + 1)
            elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                most = 600 if isinstance(node, ast.ClassDef) else 90
                lines = range(node.lineno, (node.end_lineno or 0) + 1)
            else:
                continue
            if len(lines) <= most:
                continue  # so it is with nearly all
            length = len(code_lines(path) & {*lines})
            if length > most:
                too_long.append(f"{module_name(path)}:{getattr(node, 'name', '')} has {length} lines of code")
    assert too_long == []


@cache
def code_lines(path: Path) -> set[int]:
    lines: set[int] = set()
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type not in LAYOUT:
                lines |= set(range(token.start[0], token.end[0] + 1))
    for node in nodes()[path]:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or 0) + 1))
    return lines
