"""Every verb, every table and every format do their work on a recording of every dialect.

Verbs and their arguments come from the parser, tables and formats from the export, dialects from the format: a new one
is tried without a change here, or the test fails and names the argument for which it has no value.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import cli
from recorder_editor.analysis.constants import L1
from recorder_editor.cli.output import Exit
from recorder_editor.demo import make_town
from recorder_editor.format import DIALECTS
from recorder_editor.formats.dump import dump_lines
from recorder_editor.formats.export import export_formats
from recorder_editor.formats.tables import tables
from recorder_editor.reports.info import info_report

from ..analysis import highd
from ..roads import builders as roads
from .painted import paint

pytestmark = pytest.mark.usefixtures("one_parser")

METRIC = """
from srunner.metrics.examples.basic_metric import BasicMetric


class Frames(BasicMetric):
    def _create_metric(self, town_map, log, criteria):
        print(log.get_total_frame_count())
"""

SCRIPT = {"script": 2, "steps": [{"operation": "set_header", "arguments": {"map_name": "Elsewhere"}}]}

FRESH = "<a path at which there is nothing>"

VALUES = {
    "file": "town.log",
    "files": "town.log",
    "a": "town.log",
    "b": "indexed/town.log",
    "lines": "dump.jsonl",
    "report": "report.txt",
    "shell": "bash",
    "script": "script.json",
    "metric": "metric.py",
    "folder": "indexed",
    "raw": "highD",
    "number": "1",
    "segments": "segments.csv",
    "every": "0.2",
    "frames": "3",
    "max_size": "1000000",
    "out": FRESH,
}
"""What is typed for an argument that a verb needs, by its name in the parser."""

INSTEAD = {
    ("grammar", "out"): f"{FRESH}.ksy",
    ("import-trajectories", "file"): "table.csv",
    ("lanes", "file"): "DemoTown.xodr",
    ("video", "out"): f"{FRESH}.gif",
    ("lanes", "out"): f"{FRESH}.csv",
    ("picture", "out"): f"{FRESH}.svg",
    ("report", "out"): f"{FRESH}.html",
}
"""The same where a name means something else for one verb."""

ALSO = {
    "cut": ["--to", "#3"],
    "demo": ["--seconds", "0.4"],
    "edit": ["--set-map", "Elsewhere"],
    "export": ["--list"],
    "index": ["--workers", "1"],
    "replay": ["--script", FRESH],
    "l1": ["--workers", "1"],
}
"""What is typed besides, where a verb would refuse to do nothing, take long, ask a simulator or start processes."""

NEEDS = {"metrics": "carla", "report": "jinja2"}
"""Verbs that need a library that not every system has."""

UNABLE = {("import-report", "ue4-0.9.4")}
"""Verbs that can do nothing with a dialect: the reports of 0.9.4 have events alone."""

MAY_LOSE = ("convert",)
"""Verbs whose exit code tells that the other dialect cannot hold everything."""

RECORDINGS = {"file", "files", "a"}
"""Arguments that name a recording, which tells its dialect itself."""


class Inputs:
    """A folder of what verbs read, for a recording of one dialect. Attribute: `recording` (its path)."""

    def __init__(self, folder: Path, dialect: str) -> None:
        self.recording = folder / "town.log"
        self._folder = folder
        self._written = 0
        (folder / "indexed").mkdir(parents=True)
        town = b"".join(make_town(0.4, vehicles=3, walkers=2, lights=1, dialect=dialect))
        self.recording.write_bytes(town)
        (folder / "indexed" / "town.log").write_bytes(town)
        (folder / "DemoTown.xodr").write_bytes(roads.opendrive(roads.road()))
        (folder / "segments.csv").write_text("#2,#5,middle\n", encoding="utf-8")
        (folder / "script.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
        (folder / "metric.py").write_text(METRIC, encoding="utf-8")
        highd.write(folder / "highD", 1, highd.traffic(vehicles=4))
        with recorder_editor.open(self.recording) as recording:
            lines = list(dump_lines(recording.snapshot))
            report = b"".join(info_report(recording.snapshot, show_all=True))
        (folder / "report.txt").write_bytes(report)
        (folder / "table.csv").write_text("time,id,x,y\n0,7,0,0\n0.1,7,1,0\n", encoding="utf-8")
        (folder / "dump.jsonl").write_text("\n".join(lines), encoding="utf-8")

    def typed(self, word: str) -> str:
        """A word as it is typed: `FRESH` as a path at which there is nothing, the name of a file as its path."""
        if word.startswith(FRESH):
            self._written += 1
            return str(self._folder / f"out-{self._written}{word.removeprefix(FRESH)}")
        path = self._folder / word
        return str(path) if path.exists() else word


@pytest.fixture(scope="session")
def inputs_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Inputs]:
    """The inputs for a dialect, made once."""
    folder = tmp_path_factory.mktemp("dialects")
    return cache(lambda dialect: Inputs(folder / dialect, dialect))


# --- verbs ------------------------------------------------------------------------------------------------


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parsers of the verbs."""
    return {name: cli.verb_parser(name) for name in cli.VERBS}


def typed_for(verb: str, action: argparse.Action, turn: int) -> list[str]:
    """What is typed for an argument: of its choices one in turn."""
    option = action.option_strings[:1]
    if action.choices:
        choices = list(action.choices)
        return [*option, choices[turn % len(choices)]]
    value = INSTEAD.get((verb, action.dest)) or VALUES.get(action.dest)
    assert value is not None, f"“{verb}” needs “{action.dest}”, for which this test has no value: add one to VALUES"
    if action.nargs == "+":
        return [*option, value, value]
    return [*option, value]


def commands(verb: str, parser: argparse.ArgumentParser, dialect: str, turn: int) -> Iterator[list[str]]:
    """The least that can be typed for a verb: a command for each option of a group of which one is needed."""
    words = [verb, *ALSO.get(verb, ())]
    names = {action.dest for action in parser._actions}
    for action in parser._actions:
        if action.required:
            words += typed_for(verb, action, turn)
        elif action.dest == "dialect" and not names & RECORDINGS:
            words += ["--read-as", dialect]
    needed = [group for group in parser._mutually_exclusive_groups if group.required]
    if not needed:
        yield words
    for group in needed:
        for action in group._group_actions:
            yield words + typed_for(verb, action, turn)


@pytest.mark.sampled(cases=4)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_verb_does_its_work_on_a_recording_of_every_dialect(
    dialect: str, inputs_of: Callable[[str], Inputs], capfd: pytest.CaptureFixture[str]
) -> None:
    inputs = inputs_of(dialect)
    turn = [*DIALECTS].index(dialect)
    for verb, parser in parsers().items():
        if verb in NEEDS and find_spec(NEEDS[verb]) is None:
            continue
        if (verb, dialect) in UNABLE:
            continue
        allowed = (Exit.OK, Exit.LOSS) if verb in MAY_LOSE else (Exit.OK,)
        for command in commands(verb, parser, dialect, turn):
            code = cli.main([inputs.typed(word) for word in command], paint)
            error = capfd.readouterr().err
            assert code in allowed, f"{' '.join(command)}: exit code {code}\n{error}"


# --- formats ----------------------------------------------------------------------------------------------


def exports(recording: Path, turn: int) -> Iterator[tuple[str, list[str]]]:
    """The ending and the options of exports: each format without a table, and each table in one of the others in turn.

    All dialects together have each table in each of them, and each dialect has each of them.
    """
    with recorder_editor.open(recording) as opened:
        names = [table.name for table in tables(opened.snapshot)]
    with_tables = []
    for form in export_formats():
        if form.contents:
            yield form.suffixes[0], []
        elif not form.tables:
            with_tables.append(form.suffixes[0])
    for number, name in enumerate((*names, L1)):
        yield with_tables[(number + turn) % len(with_tables)], ["--table", name]


@pytest.mark.sampled(cases=4)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_table_and_every_format_is_written_of_a_recording_of_every_dialect(
    dialect: str, inputs_of: Callable[[str], Inputs], capfd: pytest.CaptureFixture[str]
) -> None:
    inputs = inputs_of(dialect)
    for ending, options in exports(inputs.recording, [*DIALECTS].index(dialect)):
        out = inputs.typed(f"{FRESH}{ending}")
        code = cli.main(["export", str(inputs.recording), out, *options])
        error = capfd.readouterr().err
        assert code == Exit.OK, f"export {ending} {' '.join(options)}: exit code {code}\n{error}"
        assert Path(out).exists()
