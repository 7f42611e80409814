"""The verbs of the command line with their arguments, as its own parsers declare them."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from recorder_editor import __version__, cli  # noqa: E402 - the project is found a line above
from recorder_editor.__main__ import PROG, open_parser, screenshot_parser  # noqa: E402 - as above
from recorder_editor.texts import LANGUAGES  # noqa: E402 - as above

__all__ = ["LANGUAGES", "PROG", "PROJECT", "Argument", "Verb", "__version__", "verbs"]


@dataclass(frozen=True, slots=True)
class Argument:
    """An option or a positional argument.

    Attributes: `names` (none for a positional argument), `typed` (what stands for its value, empty for a flag), `help`,
    `choices`, and whether it is a path, may be left out (if positional), or is a list.
    """

    names: tuple[str, ...]
    typed: str
    help: str
    choices: tuple[str, ...]
    is_path: bool
    is_optional: bool
    is_repeated: bool


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of the program. Attributes: `name`, `summary`, `usage`, `text` (paragraphs), `groups` of arguments."""

    name: str
    summary: str
    usage: str
    text: tuple[str, ...]
    groups: tuple[tuple[str, tuple[Argument, ...]], ...]

    def arguments(self) -> Iterator[Argument]:
        """All arguments, in the order of the help."""
        for _, arguments in self.groups:
            yield from arguments


def verbs() -> tuple[Verb, ...]:
    """All verbs, in the order of the help."""
    made: list[tuple[str, argparse.ArgumentParser]] = [("open", open_parser()), ("screenshot", screenshot_parser())]
    made.extend((name, cli.verb_parser(name)) for name in cli.VERBS)
    return tuple(_verb(name, parser) for name, parser in made)


def _verb(name: str, parser: argparse.ArgumentParser) -> Verb:
    first, *rest = (parser.description or "").split("\n\n")
    text = tuple(" ".join(part.split()) for part in [*rest, parser.epilog or ""])
    groups = tuple(
        (group.title or "", tuple(_argument(parser, action) for action in group._group_actions))
        for group in parser._action_groups
        if group._group_actions
    )
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    if name == "open":
        usage = usage.replace(PROG, f"{PROG} [open]", 1)
    return Verb(name, first.strip().rstrip("."), usage, tuple(filter(None, text)), groups)


def _argument(parser: argparse.ArgumentParser, action: argparse.Action) -> Argument:
    choices = tuple(map(str, action.choices or ()))
    typed: Any = "" if action.nargs == 0 else action.metavar or "|".join(choices)
    # `edit` keeps its options in their order and takes them as texts: what they want is in the metavar.
    is_path = action.type is Path or typed in ("MAP", "FILE:ACTOR[=DX,DY,DZ[,DYAW]]")
    return Argument(
        names=tuple(action.option_strings),
        typed=typed,
        help=parser._get_formatter()._expand_help(action) if action.help else "",
        choices=choices,
        is_path=is_path,
        is_optional=action.nargs == "?",
        is_repeated=action.nargs in ("*", "+"),
    )
