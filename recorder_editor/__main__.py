"""The program: verbs go to the command line, `open` and `screenshot` to the window. The only module above both.

Nothing of either is loaded before it is known which one is asked for, so that no verb waits for Qt.
"""

import argparse
import math
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .terminal import Parser, printable
from .termination import Terminated, unwind_on_signals

WRONG_USAGE = 2
FAILED = 1
PROG = "recorder-editor"
_SMALLEST = (320, 240)
_LARGEST_SIDE = 8192  # at four bytes a pixel, twice: what the window paints on, and the picture of it
_LONGEST_SHOWN = 40


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        unwind_on_signals()
    try:
        return _dispatch(arguments)
    except Terminated as end:  # while all that a verb needs is still being loaded
        return _print_failure("Stopped.", end.end())
    except KeyboardInterrupt:
        return _print_failure("Stopped.", FAILED)


def _dispatch(arguments: list[str]) -> int:
    first = arguments[0] if arguments else ""
    if first in ("-V", "--version"):
        return _print("\n".join(versions()))
    if first in ("-h", "--help"):
        return _print(overview())
    if first == "screenshot":
        return _run_parsed(_screenshot_parser(), arguments[1:], _screenshot)
    if first == "open":
        return _run_parsed(_open_parser(), arguments[1:], _open)
    from . import cli

    if first in cli.VERBS:
        return int(cli.main(arguments))
    is_verb = first.isalpha() or (len(arguments) > 1 and arguments[1][:1] != "-")
    if is_verb and first[:1] != "-" and not Path(first).exists():
        return _print_failure(f"There is no verb “{first}”, and no such file; --help lists the verbs.", WRONG_USAGE)
    return _run_parsed(_open_parser(), arguments, _open)


def versions() -> list[str]:
    """Ours first, then those of Python and the main libraries; nothing of Qt is loaded for it."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from . import __version__

    lines = [f"{PROG} {__version__}", f"Python {platform.python_version()}"]
    for name, package in (("NumPy", "numpy"), ("PySide6", "PySide6-Essentials"), ("pyqtgraph", "pyqtgraph")):
        try:
            lines.append(f"{name} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{name} is not installed")
    return lines


def overview() -> str:
    """What can be typed, a line a verb."""
    from . import cli

    lines = [
        f"usage: {PROG} [FILE] [--frame N | --time S]",
        f"       {PROG} VERB ...",
        "",
        "Without a verb the window opens, with FILE in it. Verbs:",
        "",
        "  open        open the window",
        "  screenshot  a picture of the window, drawn without a screen",
    ]
    for name, module in cli.VERBS.items():
        words = (module.__doc__ or "").strip().splitlines()[0].rstrip(".")
        lines.append(f"  {name:<12}{words[:1].lower()}{words[1:]}")
    lines += ["", f"{PROG} VERB --help tells more. --version prints the versions."]
    return "\n".join(lines)


# --- the window -----------------------------------------------------------------------------------------


def _open_parser() -> argparse.ArgumentParser:
    parser = Parser(prog=PROG, description="Open the window.", epilog=f"Example: {PROG} town.log --frame 250")
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a recording")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--frame", type=_frame, metavar="N", help="show frame N, counted from 1")
    where.add_argument("--time", type=_seconds, metavar="S", help="show the frame at S seconds")
    return parser


def _open(arguments: argparse.Namespace) -> int:
    if arguments.file is not None and (reason := _unreadable(arguments.file)):
        return _print_failure(reason, WRONG_USAGE)
    if not _has_screen():
        return _print_failure(f"There is no screen to open a window on. `{PROG} screenshot` draws without one.", FAILED)
    from .ui import app

    return app.run(arguments.file, frame=arguments.frame, seconds=arguments.time)


def _screenshot_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=f"{PROG} screenshot",
        description="A picture of the window, drawn without a screen.",
        epilog=f"Example: {PROG} screenshot town.log town.png --frame 250 --theme dark",
    )
    parser.add_argument("file", type=Path, metavar="IN", help="a recording")
    parser.add_argument("out", type=Path, metavar="OUT.png", help="the picture to write")
    parser.add_argument("--frame", type=_frame, metavar="N", help="show frame N, counted from 1")
    parser.add_argument("--size", type=_size, default=(1440, 900), metavar="WxH", help="default 1440x900")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="default light")
    parser.add_argument(
        "--preset", choices=("inspect", "trim", "repair"), help="default inspect, for a damaged file repair"
    )
    return parser


def _screenshot(arguments: argparse.Namespace) -> int:
    if reason := _unreadable(arguments.file):
        return _print_failure(reason, WRONG_USAGE)
    if arguments.out.exists() and arguments.out.samefile(arguments.file):
        return _print_failure(
            f"{arguments.out} is the recording itself; give another name for the picture.", WRONG_USAGE
        )
    if not _has_screen():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        # It warns of size hints that a window without a screen cannot have.
        os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")
    from .errors import RecorderError, SaveRefused
    from .ui import app

    try:
        app.screenshot(
            arguments.file,
            arguments.out,
            frame=arguments.frame,
            size=arguments.size,
            mode=arguments.theme,
            preset=arguments.preset,
        )
    except (app.NoPicture, SaveRefused) as error:
        return _print_failure(str(error), FAILED)
    except (OSError, RecorderError) as error:
        return _print_failure(f"{arguments.file}: {error}", FAILED)
    return 0


# --- small things ---------------------------------------------------------------------------------------


def _run_parsed(
    parser: argparse.ArgumentParser, arguments: Sequence[str], does: Callable[[argparse.Namespace], int]
) -> int:
    try:
        parsed = parser.parse_args(arguments)
    except SystemExit as stop:
        return WRONG_USAGE if stop.code else 0
    return does(parsed)


def _frame(text: str) -> int:
    digits = text.removeprefix("#")
    if not re.fullmatch(r"\d{1,18}", digits, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text[:_LONGEST_SHOWN]!r} is not a frame number")
    if int(digits) < 1:
        raise argparse.ArgumentTypeError("frames count from 1")
    return int(digits)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text[:_LONGEST_SHOWN]!r} is no number of seconds")
    return value


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,9})[xX](\d{1,9})", text, re.ASCII)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text[:_LONGEST_SHOWN]!r} is no size; write it as 1440x900")
    width, height = int(found[1]), int(found[2])
    if not (_SMALLEST[0] <= width <= _LARGEST_SIDE and _SMALLEST[1] <= height <= _LARGEST_SIDE):
        least = f"{_SMALLEST[0]}x{_SMALLEST[1]}"
        raise argparse.ArgumentTypeError(f"a picture has {least} to {_LARGEST_SIDE}x{_LARGEST_SIDE} pixels")
    return width, height


def _has_screen() -> bool:
    """A window can be opened: Qt would abort the program where it cannot."""
    named = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in named)


def _unreadable(path: Path) -> str:
    """Why a file cannot be read, empty where it can."""
    if path.is_dir():
        return f"{path} is a folder, not a recording."
    try:
        with open(path, "rb"):
            return ""
    except OSError as error:
        return f"{path}: {error.strerror or error}."


def _print(text: str) -> int:
    try:
        print(text, flush=True)
    except OSError as error:  # Python would complain once more when it flushes stdout at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0 if isinstance(error, BrokenPipeError) else _print_failure(f"{error.strerror or error}.", FAILED)
    return 0


def _print_failure(sentence: str, code: int) -> int:
    print(f"{PROG}: {printable(sentence)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
