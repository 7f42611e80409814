"""What is written to a terminal: escaped, so that texts of a recording or file names cannot control it, and in tones.

Tones are colours where the stream is a terminal, by which what is wrong stands out; pipes and files get none.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import Literal, NamedTuple, NoReturn, TextIO

from .texts import say, text_pieces

_WRONG_USAGE = 2  # the exit code

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


Tone = Literal["plain", "bold", "faint", "error", "warning", "fine"]
"""How a text stands out on a terminal: colour only says how bad something is."""

_CODES: dict[Tone, str] = {"bold": "1", "faint": "2", "error": "31", "warning": "33", "fine": "32"}


class Span(NamedTuple):
    """A piece of a line.

    Attributes:
        text: Its text.
        tone: How it stands out.
    """

    text: str
    tone: Tone = "plain"


def is_coloured(stream: TextIO | None) -> bool:
    """Whether tones are written to a stream: a terminal that has them, without NO_COLOR; None: a closed one."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def toned(text: str, **tones: Tone) -> list[Span]:
    """Return a text of `say` in pieces.

    Args:
        text: The text.
        tones: By the name of a value of the text, how that stands out.
    """
    return [Span(piece, tones.get(name, "plain")) for piece, name in text_pieces(text)]


Line = str | Sequence[Span]
"""A line, or its pieces."""


def line_text(line: Line, *, coloured: bool) -> str:
    """Return a line as it is written: escaped, without blanks at the end of its pieces.

    Args:
        line: The line.
        coloured: Write the tones.
    """
    if isinstance(line, str):
        return printable(line)
    return "".join(_span_text(span, coloured) for span in line).rstrip()


def _span_text(span: Span, coloured: bool) -> str:
    text = printable(span.text)
    if not coloured or span.tone == "plain" or not text.strip():
        return text
    return f"\x1b[{_CODES[span.tone]}m{text}\x1b[0m"


def print_failure(prog: str, sentence: str, tone: Tone = "error") -> None:
    """Print on stderr why a program ends, behind its name.

    Args:
        prog: The name of the program.
        sentence: Why.
        tone: How the name stands out.
    """
    if sys.stderr is None:  # closed by the parent process
        return
    line = [Span(f"{prog}:", tone), Span(f" {sentence}")]
    sys.stderr.write(f"{line_text(line, coloured=is_coloured(sys.stderr))}\n")


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
        self.color = False  # from Python 3.14 on; codes would stand before the word that is translated
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

    def format_usage(self) -> str:
        return say("usage: ") + super().format_usage().removeprefix("usage: ")

    def error(self, message: str) -> NoReturn:
        from .argument_errors import sentence_of  # for a mistyped command alone

        if sys.stderr is None:  # argparse up to Python 3.11.2 writes to it all the same
            sys.exit(_WRONG_USAGE)
        self.print_usage(sys.stderr)
        text = say("{prog}: {mark}: {message}", prog=self.prog, mark=say("error"), message=sentence_of(message))
        line = line_text(toned(text, mark="error"), coloured=is_coloured(sys.stderr))
        self.exit(_WRONG_USAGE, f"{line}\n")
