"""The rules of the house: imports run one way, and only the window knows Qt."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = PROJECT / "recorder_editor"
QT = ("PySide6", "pyqtgraph", "shiboken6")
OUTSIDE_THE_WINDOW = sorted(set(PACKAGE.rglob("*.py")) - set((PACKAGE / "ui").rglob("*.py")))

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


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def test_imports_run_one_way() -> None:
    done = run("-c", LINT_IMPORTS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Imports run one way KEPT" in done.stdout


def test_no_module_outside_the_window_names_qt() -> None:
    assert OUTSIDE_THE_WINDOW
    for path in OUTSIDE_THE_WINDOW:
        names = imported(ast.parse(path.read_text(encoding="utf-8")))
        assert not [name for name in names if name.partition(".")[0] in QT], module_name(path)


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
