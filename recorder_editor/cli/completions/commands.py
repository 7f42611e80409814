"""The verbs of the command line with their arguments, as their own parsers declare them."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...texts import say
from .. import PROG, VERBS, verb_parser
from ..window_parsers import WINDOW_PARSERS
from .names import Kind

_PATHS = ("MAP", "FILE:ACTOR[=DX,DY,DZ[,DYAW]]")
"""What stands for paths among the arguments of `edit`, which takes all of its options as texts."""

_PACKETS = ("dump", "--packets")


@dataclass(frozen=True, slots=True)
class Argument:
    """An option or a positional argument.

    Attributes:
        names: Its names; none for a positional argument.
        typed: What stands for its value, empty for a flag.
        help: Its line of help.
        choices: The values that it may have; none where they are free.
        names_of: What of the recording its value names, or None.
        is_path: It is a path.
        is_optional: It is positional, and may be left out.
        is_repeated: It is a list.
    """

    names: tuple[str, ...]
    typed: str
    help: str
    choices: tuple[str, ...]
    names_of: Kind | None
    is_path: bool
    is_optional: bool
    is_repeated: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A verb of the program.

    Attributes:
        name: Its name.
        summary: The first line of its help, without a full stop.
        usage: How it is typed.
        text: The paragraphs of its help.
        groups: The titles of its groups of arguments, each with the arguments.
    """

    name: str
    summary: str
    usage: str
    text: tuple[str, ...]
    groups: tuple[tuple[str, tuple[Argument, ...]], ...]

    def arguments(self) -> Iterator[Argument]:
        """Yield all arguments, in the order of the help."""
        for _, arguments in self.groups:
            yield from arguments


def commands() -> tuple[Command, ...]:
    """Return all verbs, in the order of the help; loads the module of each."""
    result = []
    for name, make_parser in WINDOW_PARSERS.items():
        result.append(_command(name, make_parser()))
    for name in VERBS:
        result.append(_command(name, verb_parser(name)))
    return tuple(result)


def _command(name: str, parser: argparse.ArgumentParser) -> Command:
    summary, *paragraphs = (parser.description or "").split("\n\n")
    paragraphs.append(parser.epilog or "")
    text = (" ".join(paragraph.split()) for paragraph in paragraphs)
    groups = []
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help != argparse.SUPPRESS]
        if actions:
            groups.append((group.title or "", tuple(_argument(name, parser, action) for action in actions)))
    usage = " ".join(parser.format_usage().removeprefix(say("usage: ")).split())
    if name == "open":
        usage = usage.replace(PROG, f"{PROG} [open]", 1)
    return Command(
        name=name,
        summary=summary.strip().rstrip("."),
        usage=usage,
        text=tuple(filter(None, text)),
        groups=tuple(groups),
    )


def _argument(verb: str, parser: argparse.ArgumentParser, action: argparse.Action) -> Argument:
    choices = tuple(map(str, action.choices or ()))
    typed = ""
    if action.nargs != 0:
        typed = str(action.metavar or "|".join(choices))
    help = ""
    if action.help:
        help = parser._get_formatter()._expand_help(action)
    return Argument(
        names=tuple(action.option_strings),
        typed=typed,
        help=help,
        choices=choices,
        names_of=_names_of(verb, action, typed),
        is_path=action.type is Path or typed in _PATHS,
        is_optional=action.nargs == "?",
        is_repeated=action.nargs in ("*", "+"),
    )


def _names_of(verb: str, action: argparse.Action, typed: str) -> Kind | None:
    """Return what of a recording the value of an option names."""
    if not action.option_strings:
        return None
    if typed.startswith(("ACTOR", "WHO")):
        return "actors"
    if (verb, action.option_strings[-1]) == _PACKETS:
        return "packets"
    return None
