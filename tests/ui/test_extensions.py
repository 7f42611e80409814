"""What installed packages add: the example of the guide, and packages that are broken."""

import csv
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import cli, extensions
from recorder_editor.__main__ import main
from recorder_editor.checks import check, checking, fix_all
from recorder_editor.cli.options import declared_options
from recorder_editor.formats import export
from recorder_editor.reading import Actors, computed_signals
from recorder_editor.ui.dialogs.about import AboutDialog
from recorder_editor.ui.dialogs.export import ExportDialog
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views import signal_catalog
from recorder_editor.views.extension_texts import extension_lines
from recorder_editor.views.signal_key import Key
from recorder_editor.views.signal_reading import read_signals

from .. import builders as b
from ..formats.test_mcap import read

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLE = PROJECT / "tests" / "extension"
CACHES = (
    extensions.extensions_of,
    export.export_formats,
    checking.rule_sets,
    checking.all_rules,
    computed_signals.computed_signals,
)


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the example is installed in."""
    folder = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--target", str(folder), str(EXAMPLE)], check=True, timeout=300)
    return folder


@pytest.fixture
def fresh() -> Iterator[None]:
    """Extensions are looked for anew, and forgotten at the end."""
    for cache in CACHES:
        cache.cache_clear()
    yield
    for cache in CACHES:
        cache.cache_clear()


@pytest.fixture
def installed(example: Path, monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    monkeypatch.syspath_prepend(example)


def install(folder: Path, name: str, code: str, group: str, value: str) -> None:
    """Write a package of one module as an installer would leave it."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    facts = folder / f"{name}-2.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(f"[{group}]\nthing = {name}:{value}\n", encoding="utf-8")


def recording_at(folder: Path, map_name: str = "Town01") -> Path:
    path = folder / "drive.log"
    path.write_bytes(b.drive(12).replace(b.string("Town01"), b.string(map_name), 1))
    return path


# --- the example ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["", "zh_CN/"])
def test_the_guide_shows_the_example(language: str) -> None:
    page = (PROJECT / "resources" / "guide" / f"{language}extending.md").read_text(encoding="utf-8")
    shown = re.findall(r"```\w+\n(.*?)```", page, re.DOTALL)
    files = [EXAMPLE / "pyproject.toml", *(EXAMPLE / "recorder_editor_example").glob("[a-z]*.py")]
    assert sorted(shown) == sorted(file.read_text(encoding="utf-8") for file in files)


def test_a_format_is_a_suffix_with_options(installed: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recording_at(tmp_path)
    assert main(["export", str(path), str(tmp_path / "out.tsv"), "--no-names"]) == 0
    assert main(["export", str(path), str(tmp_path / "out.csv")]) == 0
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    assert [line.split("\t") for line in (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()] == rows
    assert main(["export", str(path), str(tmp_path / "out.csv"), "--no-names"]) == 2
    assert "--no-names is for TSV (.tsv)." in capsys.readouterr().err
    assert "--no-names" in cli.verb_parser("export").format_help()
    many = [str(path), "--out-dir", str(tmp_path / "many"), "--format", "tsv"]
    assert main(["export", *many]) == 0
    assert (tmp_path / "many" / "drive.tsv").exists()


def test_a_format_is_in_the_dialog(
    installed: None, qtbot: QtBot, session: Session, theme: Theme, tmp_path: Path
) -> None:
    session.open(recording_at(tmp_path))
    dialog = ExportDialog(session, theme)
    qtbot.addWidget(dialog)
    titles = [format.title for format in export.export_formats() if not format.tables]
    dialog.format.set_current(titles.index("TSV"))
    dialog.form.editors["no_names"].click()  # type: ignore[union-attr]
    assert dialog.command_line().endswith("drive.tsv --no-names")
    dialog.write(tmp_path / "out.tsv")
    qtbot.waitUntil(lambda: dialog.job_panel.sentence.text().startswith("Wrote out.tsv"))


EVERY_KIND = """
from dataclasses import dataclass
from typing import NamedTuple
from recorder_editor.formats.json_lines import JsonLines
from recorder_editor.formats.table_format import TableOptions
from recorder_editor.option_specs import NumberPart, OptionSpec, option

class Corner(NamedTuple):
    x: float = 0.0
    y: float = 0.0

def spec(kind, **more):
    return OptionSpec(flag=f"--my-{kind}", kind=kind, label=kind.title(), help=f"a {kind}", metavar="M", **more)

@dataclass(frozen=True)
class Options(TableOptions):
    my_text: str = option("as it is", spec("text"))
    my_texts: tuple[str, ...] = option((), spec("texts"))
    my_choice: str = option("fast", spec("choice", choices={"slow": "Slow", "fast": "Fast"}))
    my_switch: bool = option(False, spec("switch"))
    my_number: float = option(-1.5, spec("number"))
    my_unsigned: float | None = option(None, spec("unsigned"))
    my_count: int = option(3, spec("count"))
    my_numbers: Corner = option(Corner(), spec("numbers", parts=(NumberPart("x", "m"), NumberPart("y", "m"))))
    my_dialect: str = option("ue5-2026", spec("dialect"))

class thing(JsonLines):
    name = title = "mine"
    suffixes = (".mine",)
    options = Options
"""


def test_every_kind_of_option_is_in_dialog_and_command_line(
    fresh: None, qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "every_kind", raising=False)
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", "every_kind", EVERY_KIND, "recorder_editor.formats", "thing")
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert extension_lines() == ["every_kind 2.0: format thing"]
    path = recording_at(tmp_path)
    options = export.find_format(".mine").options
    session.open(path)
    dialog = ExportDialog(session, theme)
    qtbot.addWidget(dialog)
    titles = [format.title for format in export.export_formats() if not format.tables]
    dialog.format.set_current(titles.index("mine"))
    assert dialog.options() == options()
    assert dialog.command_line().endswith("drive.mine")
    form = dialog.form
    form.editors["my_choice"].setCurrentIndex(0)  # type: ignore[union-attr]
    form.editors["my_choice"].activated.emit(0)  # type: ignore[union-attr]
    for name, value in (("my_numbers.0", -2.0), ("my_numbers.1", 0.25), ("my_unsigned", 4.0), ("my_count", 7)):
        form.set_value(name, value)
    form.set_value("my_text", "other words")
    form.set_value("my_switch", True)
    chosen = dialog.options()
    assert chosen != options()
    words = shlex.split(dialog.command_line())[2:]
    arguments = cli.verb_parser("export").parse_args(words)
    assert declared_options(arguments, options) == chosen
    assert declared_options(cli.verb_parser("export").parse_args(["a.log", "b.mine"]), options) == options()


def test_a_rule_finds_and_fixes(installed: None, tmp_path: Path) -> None:
    with recorder_editor.open(recording_at(tmp_path, map_name=" Town01 ")) as recording:
        found = [finding for finding in check(recording.snapshot) if finding.code == "example-map-blanks"]
        assert [finding.message for finding in found] == ["The map is called ' Town01 '."]
        left = fix_all(recording, ("warning",))
        assert "example-map-blanks" not in {finding.code for finding in left}
        assert recording.snapshot.header is not None
        assert recording.snapshot.header.map_name == "Town01"


def test_a_signal_is_plotted_and_exported(installed: None, tmp_path: Path) -> None:
    path = recording_at(tmp_path)
    with recorder_editor.open(path) as recording:
        snapshot = recording.snapshot
        actor = next(iter(Actors.of(snapshot))).actor
        offered = signal_catalog.signals_of_actor(snapshot, Actors.of(snapshot), actor, 0)
        key = Key("computed", "lateral_acceleration", "", actor)
        assert key in offered
        assert signal_catalog.texts_of(key, snapshot.dialect).unit == "m/s²"
        series = read_signals(snapshot, [key], None, None).series[key]
        assert len(series.frames) == 12
        assert np.isfinite(series.values).all()
    out = tmp_path / "out.mcap"
    words = ["--actors", str(actor), "--signals", "lat = lateral_acceleration"]
    assert main(["export", str(path), str(out), *words]) == 0
    messages = read(out)[f"/signals/{actor}"]
    assert [round(message.lat, 9) for _, message in messages] == [round(value, 9) for value in series.values.tolist()]


def test_about_names_the_package(installed: None, qtbot: QtBot, theme: Theme) -> None:
    line = "recorder-editor-example 1.0: format tsv, rules map-name, signal lateral-acceleration"
    assert extension_lines() == [line]
    dialog = AboutDialog(theme)
    qtbot.addWidget(dialog)
    assert line in [label.text() for label in dialog.findChildren(type(dialog.add_line("")))]


# --- broken packages --------------------------------------------------------------------------------------


SECOND_HEADER = """
from recorder_editor.checks import RULES
from recorder_editor.checks.rule import RuleSet

thing = RuleSet((RULES[0],), lambda snapshot, progress: iter(()))
"""

ODD_FORMAT = """
from recorder_editor.formats.csv_format import Csv

class thing(Csv):
    name = "other"
    suffixes = (".other",)
"""
ODD_RULES = """
from recorder_editor.checks.rule import RuleSet

thing = RuleSet(("no rule",), lambda snapshot, progress: iter(()))
"""
ODD_SIGNAL = """
from recorder_editor.reading.computed_signals import ComputedSignal

class thing(ComputedSignal):
    name = "seven"

    def compute(self, snapshot, actor, progress):
        raise NotImplementedError
"""

BROKEN = [
    (
        f"{ODD_FORMAT}    options = int\n",
        "recorder_editor.formats",
        "TypeError: must be called with a dataclass type or instance",
    ),
    (f"{ODD_FORMAT}    suffixes = 5\n", "recorder_editor.formats", "TypeError: 'int' object is not iterable"),
    (ODD_RULES, "recorder_editor.rules", "AttributeError: 'str' object has no attribute 'code'"),
    (ODD_SIGNAL, "recorder_editor.signals", "AttributeError: 'thing' object has no attribute 'title'"),
    (f"{ODD_SIGNAL}    title = 7\n", "recorder_editor.signals", "Its title is no text."),
    ("raise RuntimeError('no luck')", "recorder_editor.formats", "RuntimeError: no luck"),
    ("thing = 7", "recorder_editor.formats", "It is no ExportFormat."),
    ("thing = 7", "recorder_editor.rules", "It is no RuleSet."),
    ("thing = 7", "recorder_editor.signals", "It is no ComputedSignal."),
    ("", "recorder_editor.signals", "AttributeError: module 'broken' has no attribute 'thing'"),
    (
        "from recorder_editor.formats.csv_format import Csv as thing",
        "recorder_editor.formats",
        "There is a format of the name “csv” already.",
    ),
    (
        "from recorder_editor.formats.csv_format import Csv\nclass thing(Csv):\n    name = 'other'",
        "recorder_editor.formats",
        "Files that end in “.csv” have a format already.",
    ),
    (SECOND_HEADER, "recorder_editor.rules", "There is a rule with the code no-header already."),
]


@pytest.mark.parametrize(("code", "group", "reason"), BROKEN)
def test_a_broken_package_is_named_and_left_out(
    code: str, group: str, reason: str, fresh: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", "broken", code, group, "thing")
    monkeypatch.syspath_prepend(tmp_path / "site")
    (line,) = extension_lines()
    assert line.startswith("broken 2.0, ")
    assert line.endswith(f" thing: left out. {reason}")
    assert main(["check", str(recording_at(tmp_path))]) in (0, 1)
    assert main(["export", str(tmp_path / "drive.log"), str(tmp_path / "out.csv")]) == 0


@pytest.mark.parametrize(
    ("name", "flag", "reason"),
    [
        ("every", "--step", "The verb export has the option --step itself."),
        ("pace", "--table", "Another format has the option --table."),
        ("tolerance", "--pace", "Another format has the option --tolerance."),
    ],
)
def test_the_option_of_a_format_is_its_own(
    name: str, flag: str, reason: str, fresh: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A name that another one has would share its field of the form, a flag its place on the command line."""
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    code = f"""
from dataclasses import dataclass
from recorder_editor.formats.json_lines import JsonLines
from recorder_editor.formats.table_format import TableOptions
from recorder_editor.option_specs import OptionSpec, option

@dataclass(frozen=True)
class Options(TableOptions):
    {name}: str = option("", OptionSpec(flag="{flag}", kind="text", label="Pace", help="a pace"))

class thing(JsonLines):
    name = "other"
    suffixes = (".other",)
    options = Options
"""
    install(tmp_path, "broken", code, "recorder_editor.formats", "thing")
    monkeypatch.syspath_prepend(tmp_path)
    assert extension_lines() == [f"broken 2.0, format thing: left out. {reason}"]


def test_a_rule_that_raises_is_a_finding(fresh: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    code = """
from recorder_editor.checks.rule import Rule, RuleSet

def find(snapshot, progress):
    raise ZeroDivisionError("by zero")
    yield

thing = RuleSet((Rule("odd", subject="time", severity="info", title="Odd.", why="It is odd."),), find)
"""
    install(tmp_path, "broken", code, "recorder_editor.rules", "thing")
    monkeypatch.syspath_prepend(tmp_path)
    with recorder_editor.open(recording_at(tmp_path)) as recording:
        others = [finding for finding in check(recording.snapshot) if finding.code != "extension-failed"]
        (finding,) = [finding for finding in check(recording.snapshot) if finding.code == "extension-failed"]
    assert finding.message == "The rules odd could not run: ZeroDivisionError: by zero"
    for cache in CACHES:
        cache.cache_clear()
    monkeypatch.undo()
    with recorder_editor.open(recording_at(tmp_path)) as recording:
        assert check(recording.snapshot) == others


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise ZeroDivisionError('by zero')", "cannot be computed: ZeroDivisionError: by zero"),
        ("return [3, 2], [0.0, 1.0]", "has no rising frames"),
        ("return [0, 1], [0.0]", "has no rising frames"),
        ("return [0, 99], [0.0, 1.0]", "has no rising frames"),
        ("return 'ab', 'cd'", "cannot be computed: ValueError"),
    ],
)
def test_a_signal_that_is_wrong_is_refused(
    body: str, reason: str, fresh: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    code = f"""
from recorder_editor.reading.computed_signals import ComputedSignal

class thing(ComputedSignal):
    name = title = "odd"

    def compute(self, snapshot, actor, progress):
        {body}
"""
    install(tmp_path, "broken", code, "recorder_editor.signals", "thing")
    monkeypatch.syspath_prepend(tmp_path)
    with recorder_editor.open(recording_at(tmp_path)) as recording:
        key = Key("computed", "odd", "", 7)
        assert reason in read_signals(recording.snapshot, [key], None, None).refused[key]


def test_a_signal_whose_package_is_gone_is_refused_with_a_sentence(fresh: None, tmp_path: Path) -> None:
    """As of a workspace that was saved with it."""
    with recorder_editor.open(recording_at(tmp_path)) as recording:
        key = Key("computed", "odd", "", 7)
        assert signal_catalog.texts_of(key, recording.snapshot.dialect).title == "odd"
        refused = read_signals(recording.snapshot, [key], None, None).refused
    assert refused == {key: "No installed package computes the signal odd."}


def test_a_bundle_takes_no_packages(installed: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert extension_lines() == ["Nothing can be installed beside this program, so no package extends it."]
    assert ".tsv" not in export.suffixes()
