"""The parser of a verb."""

import argparse
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn

from ..terminal import Parser
from ..texts import FIRST_WIDE, display_width, say, wrap_lines
from .former_names import former_names, with_present_names
from .output import Loudness, print_error

OutputKind = Literal["recording", "file", "folder"]
"""What a verb writes at a path."""


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    def _split_lines(self, text: str, width: int) -> list[str]:
        """Split a text into lines as wide as the terminal, in which Chinese signs take two columns."""
        if max(text) < FIRST_WIDE:
            return super()._split_lines(text, width)

        def fits(line: str) -> bool:
            return display_width(line) <= width

        return [line.rstrip() for line in wrap_lines(text, fits)]


class VerbParser(Parser):
    """The parser of a verb.

    Attributes:
        is_many: The command has --out-dir: all names are inputs, and no argument is the output.
        outputs: What the verb writes at the paths that it is given, by the names of the arguments.
        former_names: Names that its options had, each with the present one.
    """

    def __init__(self, *, prog: str, description: str, is_many: bool = False) -> None:
        super().__init__(prog=prog, description=description, formatter_class=_HelpFormatter)
        self.is_many = is_many
        self.outputs: dict[str, OutputKind] = {}
        self.former_names: Mapping[str, str] = {}
        self._former_given: list[str] = []
        # Arguments that some verbs lack; what runs all of them can read these of each. `prepare` sets `in_table` where
        # the verb prints a row of a table for each of many recordings.
        self.set_defaults(file=None, files=None, json=False, outcomes=False)
        self.set_defaults(outputs=self.outputs, prepare=_prepare_nothing, output_suffix=_usual_output_suffix)
        self.set_defaults(is_one_of_many=False, in_table=False, to_stdout=False)

    def add_written(self, *names: str, kind: OutputKind, metavar: str, help: str, nargs: str | None = None) -> None:
        """Add an argument for a path that the verb writes.

        Args:
            names: The names of the argument, as `add_argument` takes them.
            kind: What the verb writes there.
            metavar: What stands for the path in the help.
            help: The line of help.
            nargs: How many paths there may be, as `add_argument` takes it.
        """
        action = self.add_argument(*names, type=Path, nargs=nargs, metavar=metavar, help=help)
        self.outputs[action.dest] = kind

    def option_names(self) -> list[str]:
        """List the long names of all options."""
        return [name for name in self._option_string_actions if name.startswith("--")]

    def takes_pair(self, name: str) -> bool:
        """Whether the value of an option is a name and something else, joined by an equals sign."""
        action = self._option_string_actions.get(name)
        return action is not None and "=" in str(action.metavar)

    def take_former_names(self, verb: str) -> None:
        """Take the names that the options of a verb had, too; called when it has all of them."""
        self.former_names = former_names(verb, self.option_names())

    def parse_known_args(  # type: ignore[override]  # of its overloads this is the general one
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Parse the words of a command; former names of options are told, unless --quiet is among them."""
        words, self._former_given = with_present_names(args or (), self.former_names, self.option_names())
        arguments, unknown = super().parse_known_args(words, namespace)
        self._take_late_word(arguments, unknown)
        if vars(arguments).get("loudness") != Loudness.QUIET:
            self._tell_former_names()
        return arguments, unknown

    def _take_late_word(self, arguments: Any, unknown: list[str]) -> None:
        """Give a word that stands behind options to an argument that may be left out: argparse leaves it over.

        Args:
            arguments: The arguments, in which the word is set.
            unknown: The words that are left over, of which it is taken.
        """
        for action in self._get_positional_actions():
            is_left_out = action.nargs == "?" and action.choices is None and vars(arguments)[action.dest] is None
            if is_left_out and len(unknown) == 1 and not unknown[0].startswith("-"):
                word = unknown.pop()
                setattr(arguments, action.dest, Path(word) if action.type is Path else word)

    def error(self, message: str) -> NoReturn:
        self._tell_former_names()
        super().error(message)

    def _tell_former_names(self) -> None:
        for name in dict.fromkeys(self._former_given):
            print_error(say("{former} is now called {present}.", former=name, present=self.former_names[name]))
        self._former_given = []


def _prepare_nothing(_arguments: Namespace) -> dict[str, object]:
    return {}


def _usual_output_suffix(arguments: Namespace) -> str | None:
    """Return the suffix of files in --out-dir; None where they are recordings, which keep theirs."""
    if "out" in arguments.outputs:
        return None
    if arguments.json:
        return ".json"
    return ".txt"
