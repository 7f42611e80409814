"""What the help says of options is what they are: every default, and what they refuse."""

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from recorder_editor import cli
from recorder_editor.__main__ import main
from recorder_editor.cli import window_parsers
from recorder_editor.cli.options import declared_options
from recorder_editor.formats.csv_format import CsvOptions
from recorder_editor.formats.export import RESERVED_FLAGS
from recorder_editor.formats.highd import HighdOptions
from recorder_editor.formats.mcap import McapOptions
from recorder_editor.formats.openscenario import ScenarioOptions
from recorder_editor.formats.picture import PictureOptions
from recorder_editor.formats.report import ReportOptions
from recorder_editor.formats.trajectories import TableOptions as TrajectoryOptions
from recorder_editor.formats.video import VideoOptions
from recorder_editor.option_specs import command_words, options_of
from recorder_editor.reading.events import Thresholds
from recorder_editor.simulator.replay import ReplayOptions
from recorder_editor.texts import say

from .. import builders as b
from ..analysis import highd

_TOLD = re.compile(r"\bdefault(?::? (?P<value>.+?))?(?=[;:)]|, |$)")


DECLARED: Mapping[str, tuple[type[Any], ...]] = {
    "export": (CsvOptions, ScenarioOptions, McapOptions),
    "replay": (ReplayOptions,),
    "import-highd": (HighdOptions,),
    "import-report": (ReportOptions,),
    "import-trajectories": (TrajectoryOptions,),
    "events": (Thresholds,),
    "video": (VideoOptions,),
    "index": (Thresholds,),
    "picture": (PictureOptions,),
}
"""The options of verbs that dialogs offer, too."""


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield "open", window_parsers.open_parser()
    yield "screenshot", window_parsers.screenshot_parser()
    for name in cli.VERBS:
        yield name, cli.verb_parser(name)


def needed(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """The least that has to be typed: the words for each destination."""
    first = [group._group_actions[0] for group in parser._mutually_exclusive_groups if group.required]
    words = {}
    for action in parser._actions:
        word = next(iter(action.choices)) if action.choices else "1"
        if action.option_strings and (action.required or action in first):
            words[action.dest] = [action.option_strings[0], word]
        elif not action.option_strings and action.nargs not in ("?", "*"):
            words[action.dest] = [word]
    return words


@pytest.mark.parametrize(("verb", "parser"), list(parsers()), ids=lambda each: each if isinstance(each, str) else "")
def test_every_default_that_the_help_tells_is_the_one(verb: str, parser: argparse.ArgumentParser) -> None:
    typed = needed(parser)
    found = vars(parser.parse_args([word for words in typed.values() for word in words]))
    for declared in DECLARED.get(verb, ()):
        found |= {spec.flag: default for _, default, spec in options_of(declared)}
    for action in parser._actions:
        if action.dest in ("help", "typed", *typed):
            continue
        told, default = _TOLD.search(action.help or ""), found[action.dest]
        name = f"{verb} {action.option_strings or action.dest}"
        if isinstance(action.const, bool):
            sharing = [each for each in parser._actions if each.dest == action.dest]
            assert (told is not None) == (len(sharing) > 1 and action.const == default), name
            assert len(sharing) > 1 or default is not action.const, name
        elif told is None:
            assert default in (None, [], ()), f"{name} is {default!r} if nothing is typed, and its help does not say so"
        elif default in (None, []):
            assert told["value"], name  # worked out later
        else:
            kind: Any = action.type or str
            bare = found[action.dest] if told["value"] is None else kind(told["value"])
            assert bare == default, name


def test_options_of_the_verb_export_are_reserved() -> None:
    """A format of another package may not have them."""
    declared = {option.spec.flag for options in DECLARED["export"] for option in options_of(options)}
    actions = cli.verb_parser("export")._actions + cli.verb_parser("export", is_many=True)._actions
    assert {flag for action in actions for flag in action.option_strings} - declared == RESERVED_FLAGS


@pytest.mark.parametrize("verb", DECLARED)
def test_options_of_dialogs_are_those_of_the_command_line(verb: str) -> None:
    actions = {action.dest: action for action in cli.verb_parser(verb)._actions}
    for declared in DECLARED[verb]:
        for name, _, spec in options_of(declared):
            action = actions[spec.flag]
            assert action.option_strings == [spec.flag]
            assert action.default is argparse.SUPPRESS, name
            assert action.help == say(spec.help, **spec.help_values)
            assert (action.metavar is None) == (spec.kind in ("choice", "switch")), name


@pytest.mark.parametrize(
    "options",
    [
        CsvOptions(),
        CsvOptions(table="Position", guard_formulas=True),
        ScenarioOptions(),
        ScenarioOptions(player="esmini", version="1.3", tolerance=0.0),
        McapOptions(),
        McapOptions(signals=("slip = Kinematics: linear_velocity.y", "Position: location.z"), all_poses=True),
    ],
)
def test_the_words_of_a_command_choose_the_same_options(options: CsvOptions | ScenarioOptions | McapOptions) -> None:
    words = command_words(options)
    assert bool(words) == (options != type(options)())
    arguments = cli.verb_parser("export").parse_args(["a.log", "out.csv", *words])
    assert declared_options(arguments, type(options)) == options


@pytest.mark.parametrize(
    "verb", ["blocked", "collisions", pytest.param("demo", marks=pytest.mark.long), "diff", "export", "import-highd"]
)
def test_a_default_spelled_out_gives_the_same_bytes(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], verb: str
) -> None:
    spelled: list[str] = []
    for action in cli.verb_parser(verb)._actions:
        told = _TOLD.search(action.help or "")
        # A default of None is worked out later: its words are no value.
        if told is not None and action.default is not None:
            spelled += [*action.option_strings[:1], *told["value"].split()]
    assert len(spelled) >= 2
    path = tmp_path / "a.log"
    path.write_bytes(b.drive(6))
    other = tmp_path / "b.log"
    other.write_bytes(b.drive(6, vehicles=3))
    highd.write(tmp_path / "highd", 7, highd.traffic(2))
    made = []
    for number, words in enumerate(([], spelled)):
        out = tmp_path / f"{number}.csv"
        imported = [tmp_path / "highd", 7, out]
        files = {"demo": [out], "diff": [path, other], "export": [path, out], "import-highd": imported}.get(
            verb, [path]
        )
        assert cli.main([verb, *map(str, files), *words]) == (1 if verb == "diff" else 0)
        made.append((capsysbinary.readouterr().out, out.read_bytes() if out.exists() else b""))
    assert made[0] == made[1]


@pytest.mark.parametrize(("verb", "parser"), list(parsers()), ids=lambda each: each if isinstance(each, str) else "")
def test_no_option_answers_with_a_name_of_the_program(
    verb: str, parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str]
) -> None:
    for action in parser._actions:
        if action.type in (None, Path) or not action.option_strings:
            continue
        for word in ("abc", "nan", "9" * 5000 + "x", ""):
            with pytest.raises(SystemExit):
                parser.parse_args([f"{action.option_strings[0]}={word}"])
            told = capsys.readouterr().err.splitlines()[-1]
            assert "invalid" not in told, (verb, told)
            assert len(told) < 320


@pytest.mark.parametrize(("release", "dialect"), [("0.9.13", "ue4-0.9.12"), ("0.9.9.4", "ue4-0.9.6")])
def test_the_number_of_a_release_stands_for_its_dialect_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], release: str, dialect: str
) -> None:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(3))
    assert main(["info", str(path), "--json", "--read-as", release]) == 0
    done = capsys.readouterr()
    assert json.loads(done.out)["dialect"] == dialect
    assert f"{release} belongs to {dialect} (CARLA " in done.err
    assert main(["info", str(path), "--json", "--read-as", dialect]) == 0
    assert "belongs to" not in capsys.readouterr().err


def test_any_release_prints_its_report_and_says_as_which(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(3))
    texts = []
    for release in ("0.9.12", "0.9.13"):
        assert main(["info", str(path), "--all", "--utc", "--release", release]) == 0
        texts.append(capsysbinary.readouterr())
    assert texts[0].out == texts[1].out
    assert b"0.9.12 prints reports as 0.9.13 does." in texts[0].err
    assert texts[1].err == b""


def test_a_release_that_there_is_not_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(tmp_path / "none.log"), "--release", "0.9.99"]) == 2
    assert "'0.9.99' is no release of CARLA that is known" in capsys.readouterr().err


def test_dialects_are_offered_in_the_order_of_releases(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "x.log", "--read-as", "0.9.99"]) == 2
    said = capsys.readouterr().err
    places = [said.index(name) for name in ("ue4-0.9.4", "ue4-0.9.6", "ue4-0.9.10", "ue4-2026", "ue5-0.10.0")]
    assert places == sorted(places)
