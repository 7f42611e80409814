"""Escaping of output, so that texts of a recording or file names cannot control the terminal."""

import argparse
import re
from typing import NoReturn

from .texts import say

_UNSAFE = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""DEL and C1 controls, line separators, and bidirectional controls."""

_CONTROLS = re.compile(f"[\x00-\x1f{_UNSAFE}]")
_UNSAFE_IN_JSON = re.compile(f"[{_UNSAFE}]")


def printable(text: str) -> str:
    """A line with control characters and line ends as escapes (`\\x1b`)."""
    return _CONTROLS.sub(lambda match: repr(match[0])[1:-1], text)


def printable_json(text: str) -> str:
    """As `printable` for JSON, which already escapes controls up to 0x1f: the value stays the same."""
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class Parser(argparse.ArgumentParser):
    """An argument parser with printable error messages, and with help in the language that is set."""

    def __init__(
        self,
        *,
        prog: str,
        description: str,
        epilog: str | None = None,
        formatter_class: type[argparse.HelpFormatter] = argparse.HelpFormatter,
    ) -> None:
        super().__init__(prog=prog, description=description, epilog=epilog, formatter_class=formatter_class)
        self._positionals.title = say("positional arguments")
        self._optionals.title = say("options")
        for action in self._actions:
            action.help = say("show this help message and exit")

    def format_help(self) -> str:
        text = say("usage: ") + super().format_help().removeprefix("usage: ")
        for group in self._action_groups:
            title = say("{title}:", title=group.title)
            text = text.replace(f"\n{group.title}:\n", f"\n{title}\n")
        return text

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))
