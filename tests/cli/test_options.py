"""What the help says of options is what they are: every default, and what they refuse."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recorder_editor import __main__ as program
from recorder_editor import cli

from .. import builders as b
from ..analysis import highd

_TOLD = re.compile(r"\bdefault(?::? (?P<value>.+?))?(?=[;:)]|, |$)")


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield "open", program.open_parser()
    yield "screenshot", program.screenshot_parser()
    (verbs,) = (each for each in cli.parser()._actions if isinstance(each, argparse._SubParsersAction))
    yield from verbs.choices.items()


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
            assert default in (None, []), f"{name} is {default!r} if nothing is typed, and its help does not say so"
        elif default in (None, []):
            assert told["value"], name  # worked out later
        else:
            kind: Any = action.type or str
            bare = found[action.dest] if told["value"] is None else kind(told["value"])
            assert bare == default, name


@pytest.mark.parametrize("verb", ["blocked", "collisions", "demo", "diff", "export", "import-highd"])
def test_a_default_spelled_out_gives_the_same_bytes(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], verb: str
) -> None:
    spelled: list[str] = []
    for action in dict(parsers())[verb]._actions:
        told = _TOLD.search(action.help or "")
        if told is not None and (action.choices is None or told["value"] in action.choices):
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
            assert len(told) < 200
