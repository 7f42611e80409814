"""A mistake in a declaration is an error of mypy: each is planted in a small module, and one run checks them all."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

MISTAKES = {
    "misspelt_colour": (
        """
        from recorder_editor.ui.style.colors import LIGHT

        print(LIGHT.selection.name())
        print(LIGHT.higlight.name())  # mistake
        """,
        "attr-defined",
    ),
    "misspelt_colour_of_a_label": (
        """
        from recorder_editor.ui.style.theme import Theme
        from recorder_editor.ui.widgets import Label


        def labels(theme: Theme) -> None:
            Label(theme, "Frames", "small", "muted")
            Label(theme, "Frames", "small", "mutted")  # mistake
        """,
        "arg-type",
    ),
    "misspelt_option_of_a_format": (
        """
        from recorder_editor.formats.csv_format import CsvOptions

        CsvOptions(table="Position", guard_formulas=True)
        CsvOptions(table="Position", guard_formulae=True)  # mistake
        """,
        "call-arg",
    ),
    "options_of_another_format": (
        """
        from pathlib import Path

        from recorder_editor.formats.csv_format import Csv
        from recorder_editor.formats.export_format import ExportSource
        from recorder_editor.formats.mcap import McapOptions
        from recorder_editor.progress import SILENT


        def write(source: ExportSource) -> None:
            Csv().write(source, McapOptions(), Path("a.csv"), overwrite=False, progress=SILENT)  # mistake
        """,
        "arg-type",
    ),
    "misspelt_severity": (
        """
        from recorder_editor.checks.rule import Rule

        Rule("sound", subject="time", severity="warning", title="Sound.", why="As it is.")
        Rule("unsound", subject="time", severity="fatal", title="Unsound.", why="Misspelt.")  # mistake
        """,
        "arg-type",
    ),
    "misspelt_subject": (
        """
        from recorder_editor.checks.rule import Rule

        Rule("unsound", subject="bytes", severity="error", title="Unsound.", why="Misspelt.")  # mistake
        """,
        "arg-type",
    ),
    "fix_of_another_signature": (
        """
        from recorder_editor.checks import fixes
        from recorder_editor.checks.rule import Fix
        from recorder_editor.recording import Edit, Snapshot


        def end_one_frame(snapshot: Snapshot, row: int) -> Edit:
            raise NotImplementedError


        Fix("End the frames", fixes.end_frames)
        Fix("End the frame", end_one_frame)  # mistake
        """,
        "arg-type",
    ),
    "misspelt_attribute_of_an_argument": (
        """
        from recorder_editor.edits.operations import kinds
        from recorder_editor.edits.operations.schema import Argument

        Argument("metres", kinds.LENGTH, help="how far", label="Distance")
        Argument("metres", kinds.LENGTH, help="how far", lable="Distance")  # mistake
        """,
        "call-arg",
    ),
    "misspelt_kind_of_an_argument": (
        """
        from recorder_editor.edits.operations import kinds
        from recorder_editor.edits.operations.schema import Argument

        Argument("metres", kinds.LENGHT, help="how far")  # mistake
        """,
        "attr-defined",
    ),
    "misspelt_name_of_a_kind": (
        """
        from recorder_editor.edits.operations.kinds import ArgumentKind

        ArgumentKind("lenght", "a number", lambda value: isinstance(value, float))  # mistake
        """,
        "arg-type",
    ),
    "default_of_nothing": (
        """
        from recorder_editor.edits.operations import kinds
        from recorder_editor.edits.operations.schema import Argument

        Argument("uid", kinds.WHOLE, default=lambda here: here.lives[0].uid)
        Argument("uid", kinds.WHOLE, default=lambda here: here.lives[0].udi)  # mistake
        """,
        "attr-defined",
    ),
    "misspelt_function_of_an_operation": (
        """
        from recorder_editor.edits import times
        from recorder_editor.edits.operations.schema import Operation

        Operation(edit=times.shift, title="Shift", summary="Shift times")
        Operation(edit=times.shfit, title="Shift", summary="Shift times")  # mistake
        """,
        "attr-defined",
    ),
    "misspelt_frame_range": (
        """
        from recorder_editor.edits.times import shift
        from recorder_editor.edits.operations.schema import Operation

        Operation(edit=shift, title="Shift", summary="Shift times", frame_range="lives")  # mistake
        """,
        "arg-type",
    ),
    "misspelt_menu_of_an_operation": (
        """
        from recorder_editor.edits.operations.schema import Menu

        Menu(action="path.lift", path="Actor/Path")
        Menu(action="path.lift", path="Actor/Paths")  # mistake
        """,
        "arg-type",
    ),
    "misspelt_icon_of_an_operation": (
        """
        from recorder_editor.edits.operations.schema import Menu

        Menu(action="path.lift", icon="star")
        Menu(action="path.lift", icon="stra")  # mistake
        """,
        "arg-type",
    ),
    "preview_of_another_signature": (
        """
        from recorder_editor.edits.operations.schema import Form, OperationCall
        from recorder_editor.reading import Ghost


        def ghosts(call: OperationCall) -> list[Ghost]:
            return []


        Form(heading="Lift", verb="Lift", ghosts=ghosts)  # mistake
        """,
        "arg-type",
    ),
    "misspelt_fix": (
        """
        from recorder_editor.checks import fixes
        from recorder_editor.checks.rule import Fix

        Fix("End the frames", fixes.end_framse)  # mistake
        """,
        "attr-defined",
    ),
}
"""Modules with a mistake in one line, by name, and the code of the error of mypy."""


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[int, str]]]:
    """Return the errors of mypy in each module: line, and code of the error.

    The options are those of `packaging/test`, which has looked through the package before: what mypy keeps of that is
    of use for no others, and would be made anew, here and there, each time.
    """
    folder = tmp_path_factory.mktemp("declarations")
    for name, (text, _) in MISTAKES.items():
        (folder / f"{name}.py").write_text(dedented(text))
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary"]
    paths = sorted(map(str, folder.iterdir()))
    result = subprocess.run([*command, *paths], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode in (0, 1), result.stdout + result.stderr
    found: dict[str, list[tuple[int, str]]] = {name: [] for name in MISTAKES}
    for name, line, code in re.findall(r"(\w+)\.py:(\d+): error: .*\[([\w-]+)\]$", result.stdout, re.MULTILINE):
        if name in found:
            found[name].append((int(line), code))
    return found


@pytest.mark.parametrize("name", MISTAKES)
def test_mypy_finds_the_mistake(name: str, errors: dict[str, list[tuple[int, str]]]) -> None:
    text, code = MISTAKES[name]
    lines = dedented(text).splitlines()
    (wrong,) = [number for number, line in enumerate(lines, 1) if line.endswith("# mistake")]
    assert errors[name] == [(wrong, code)]


def dedented(text: str) -> str:
    """Return the text of a module without the indentation that it has in the table."""
    return "\n".join(line.removeprefix(" " * 8) for line in text.strip("\n").splitlines()) + "\n"
