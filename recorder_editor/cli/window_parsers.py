"""The parsers of `open` and `screenshot`, the verbs of the window, which `recorder_editor.__main__` runs."""

import argparse
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..terminal import Parser
from ..texts import LANGUAGES, say
from . import PROG

if TYPE_CHECKING:
    from ..format.packet_file import PacketFile

_MIN_WIDTH = 320
_MIN_HEIGHT = 240
_MAX_SIDE = 8192  # at four bytes a pixel, for both the window and the picture
_MAX_SHOWN = 40


def open_parser() -> Parser:
    """Make the parser of `open`, which a command without a verb means, too."""
    parser = Parser(
        prog=PROG,
        description=say("Open the window."),
        epilog=say("Example: {prog} {arguments}", prog=PROG, arguments="town.log --frame 250"),
    )
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help=say("a recording"))
    position = parser.add_mutually_exclusive_group()
    position.add_argument("--frame", type=_frame, metavar="N", help=say("show frame N (250 or f250), counted from 1"))
    position.add_argument("--time", type=_seconds, metavar="S", help=say("show the frame at a time (12.5, 0:12.5)"))
    parser.add_argument("--xodr", type=Path, metavar="MAP", help=say("draw this OpenDRIVE road map under the actors"))
    _add_schema(parser)
    _add_language(parser)
    parser.add_argument(
        "--show-errors",
        action="store_true",
        help=say("show in the window why the file cannot be opened, as for a desktop"),
    )
    return parser


def screenshot_parser() -> Parser:
    """Make the parser of `screenshot`."""
    parser = Parser(
        prog=f"{PROG} screenshot",
        description=say("A picture of the window, drawn without a screen."),
        epilog=say(
            "Example: {prog} {arguments}", prog=PROG, arguments="screenshot town.log town.png --frame 250 --theme dark"
        ),
    )
    parser.add_argument("file", type=Path, metavar="IN", help=say("a recording"))
    parser.add_argument("out", type=Path, metavar="OUT.png", help=say("the picture to write"))
    parser.add_argument("--frame", type=_frame, metavar="N", help=say("show frame N (250 or f250), counted from 1"))
    parser.add_argument(
        "--size", type=_size, default=(1440, 900), metavar="WxH", help=say("default {value}", value="1440x900")
    )
    parser.add_argument(
        "--theme", choices=("light", "dark"), default="light", help=say("default {value}", value="light")
    )
    parser.add_argument("--xodr", type=Path, metavar="MAP", help=say("draw this OpenDRIVE road map under the actors"))
    _add_schema(parser)
    parser.add_argument(
        "--preset",
        choices=("inspect", "scene", "trim", "repair"),
        help=say("default inspect, for a damaged file repair"),
    )
    parser.add_argument(
        "-f", "--overwrite", action="store_true", help=say("replace a file that cannot be made again, as a recording")
    )
    _add_language(parser)
    return parser


WINDOW_PARSERS: Mapping[str, Callable[[], Parser]] = {"open": open_parser, "screenshot": screenshot_parser}
"""What makes the parser of each verb of the window, in the order of the help."""


# --- arguments ------------------------------------------------------------------------------------------


def _add_schema(parser: argparse.ArgumentParser) -> None:
    """Add --schema as verbs have it."""
    parser.add_argument(
        "--schema",
        type=_packet_file,
        action="append",
        default=[],
        metavar="FILE",
        help=say("a file that describes packets of your own (.packets.json); may be repeated"),
    )


def _add_language(parser: argparse.ArgumentParser) -> None:
    """Add --lang, of the window and of what is said here."""
    parser.add_argument(
        "--lang", choices=LANGUAGES, metavar="LANG", help=say("speak this language, en or zh_CN, in the window, too")
    )


def _packet_file(text: str) -> "PacketFile":
    from .options import packet_file  # loads the tables of the format

    return packet_file(text)


def _frame(text: str) -> int:
    match = re.fullmatch(r"[#fF]?(\d{1,18})", text, re.ASCII)
    if match is None:
        raise argparse.ArgumentTypeError(say("{given} is not a frame number", given=repr(text[:_MAX_SHOWN])))
    if int(match[1]) < 1:
        raise argparse.ArgumentTypeError(say("frames count from 1"))
    return int(match[1])


def _seconds(text: str) -> float:
    from .options import seconds  # loads the tables of the format

    return seconds(text)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,9})[xX](\d{1,9})", text, re.ASCII)
    if match is None:
        raise argparse.ArgumentTypeError(
            say("{given} is not a size; write it as {example}", given=repr(text[:_MAX_SHOWN]), example="1440x900")
        )
    width = int(match[1])
    height = int(match[2])
    if not _MIN_WIDTH <= width <= _MAX_SIDE or not _MIN_HEIGHT <= height <= _MAX_SIDE:
        raise argparse.ArgumentTypeError(
            say(
                "a picture has {least} to {most} pixels",
                least=f"{_MIN_WIDTH}x{_MIN_HEIGHT}",
                most=f"{_MAX_SIDE}x{_MAX_SIDE}",
            )
        )
    return width, height
