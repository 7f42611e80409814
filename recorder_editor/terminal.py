"""What reaches a terminal: nothing that a recording or a file's name could steer it by."""

import argparse
import re
from typing import NoReturn

_MARKS = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""DEL and the controls of C1, line separators, and what turns the direction of writing."""

_CONTROLS = re.compile(f"[\x00-\x1f{_MARKS}]")
_MARKED = re.compile(f"[{_MARKS}]")


def printable(text: str) -> str:
    """A line as it may be printed: controls, line ends among them, as escapes (`\\x1b`)."""
    return _CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


def printable_json(text: str) -> str:
    """The same for JSON, which escapes the controls up to 0x1f itself: another spelling of the same value."""
    return _MARKED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class Parser(argparse.ArgumentParser):
    """A parser whose refusals name what was typed in characters that can be printed."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))
