"""Entry point: dispatches verbs to `cli`, `open` and `screenshot` to `ui`.

Imports neither before it is needed, so that no verb loads Qt.
"""

import argparse
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import __version__
from .suggestions import did_you_mean
from .terminal import printable
from .termination import INTERRUPTED, Ending, Terminated, unwind_on_signals
from .texts import language_of, say, speaking
from .versions import versions

if TYPE_CHECKING:
    from .formats.picture import Figure, PictureOptions
    from .formats.video import Film, VideoOptions
    from .progress import Progress
    from .recording import Snapshot

WRONG_USAGE = 2
FAILED = 1
PROG = "recorder-editor"
VERBS_OF_THE_WINDOW = ("open", "screenshot")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        argv: The words of the command after the program's name; None: those of this process, which then unwinds on
            signals and may end by one.

    Returns:
        The exit code.
    """
    if argv is None:
        arguments = sys.argv[1:]
    else:
        arguments = list(argv)
    arguments = _with_verb_first(arguments)
    ending = None
    if argv is None:
        ending = Ending()
        unwind_on_signals()
        if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
            sys.stdout.reconfigure(errors="backslashreplace")  # pipes of Windows have few characters
    try:
        code = _dispatch(arguments)
    except Terminated as end:  # while the modules of a verb are imported
        code = _print_failure("Stopped.", end.end())
    except KeyboardInterrupt:
        code = _print_failure("Stopped.", INTERRUPTED)
    if ending is not None and code == INTERRUPTED:
        ending.end_by(signal.SIGINT)
    return code


def _with_verb_first(arguments: list[str]) -> list[str]:
    """Move the verb before `--lang`, which means the same before it as after it."""
    if not arguments or arguments[0].partition("=")[0] != "--lang":
        return arguments
    option_words = 2
    if "=" in arguments[0]:
        option_words = 1
    language = arguments[:option_words]
    verb = arguments[option_words : option_words + 1]
    return verb + language + arguments[option_words + 1 :]


def _without_help_verb(arguments: list[str]) -> list[str]:
    """Read `help VERB` as `VERB --help`, unless there is a recording of the name `help`."""
    if not arguments or arguments[0] != "help" or Path("help").exists():
        return arguments
    words = [word for word in arguments[1:] if word != "--help"]
    return [*words, "--help"]


def _dispatch(arguments: list[str]) -> int:
    arguments = _without_help_verb(arguments)
    first = ""
    if arguments:
        first = arguments[0]
    if first in ("-V", "--version"):
        code = _print("\n".join(versions(__version__)))
        if code == 0 and "--verbose" in arguments:
            return _show_surroundings()
        return code
    if first in ("-h", "--help"):
        with speaking(language_of(arguments)):
            return _print(overview())
    if first == "screenshot":
        return _run_window(first, arguments[1:], _screenshot)
    if first == "open":
        return _run_window(first, arguments[1:], _open)
    from . import cli

    if first in cli.VERBS and cli.VERBS[first].paints:
        return int(cli.main(arguments, _paint))
    if first in cli.VERBS:
        return int(cli.main(arguments))
    has_operand = len(arguments) > 1 and not arguments[1].startswith("-")
    looks_like_verb = (first.isalpha() or has_operand) and not first.startswith("-")
    if looks_like_verb and not Path(first).exists():
        with speaking(language_of(arguments)):
            suggestion = did_you_mean(first, (*VERBS_OF_THE_WINDOW, *cli.VERBS))
            reason = say("There is no verb “{verb}”, and no such file; --help lists the verbs.", verb=first)
            return _print_failure(f"{reason}{suggestion}", WRONG_USAGE)
    return _run_window("open", arguments, _open)


def overview() -> str:
    """The overview of all verbs, a line each."""
    from . import cli

    helps = {"open": say("Open the window."), "screenshot": say("A picture of the window, drawn without a screen.")}
    for verb in cli.VERBS.values():
        helps[verb.name] = say(verb.help)
    width = max(map(len, helps)) + 2
    lines = []
    for name, text in helps.items():
        summary = text.rstrip(".。")
        if not summary[1].isupper():
            summary = summary[:1].lower() + summary[1:]
        lines.append(f"  {name:<{width}}{summary}")
    return say(
        "usage: {prog} [FILE] [--frame N | --time S]\n"
        "       {prog} VERB ...\n"
        "\n"
        "Without a verb the window opens, with FILE in it. Verbs:\n"
        "\n"
        "{verbs}\n"
        "\n"
        "{prog} VERB --help shows its options, --version [--verbose] prints versions.",
        prog=PROG,
        verbs="\n".join(lines),
    )


# --- the window -----------------------------------------------------------------------------------------


def _open(arguments: argparse.Namespace) -> int:
    if arguments.schema and arguments.file is None:
        return _print_failure("--schema describes packets of FILE; name the recording, too.", WRONG_USAGE)
    if arguments.file is not None and not arguments.show_errors:
        reason = _why_unreadable(arguments.file)
        if reason:
            return _print_failure(reason, WRONG_USAGE)
    if not _has_screen():
        return _print_failure(f"There is no screen to open a window on. `{PROG} screenshot` draws without one.", FAILED)
    from .ui import run

    return run(
        arguments.file, frame=arguments.frame, seconds=arguments.time, xodr=arguments.xodr, packets=arguments.schema
    )


def _screenshot(arguments: argparse.Namespace) -> int:
    reason = _why_unreadable(arguments.file)
    if reason:
        return _print_failure(reason, WRONG_USAGE)
    if arguments.out.exists() and arguments.out.samefile(arguments.file):
        return _print_failure(
            f"{arguments.out} is the recording itself; give another name for the picture.", WRONG_USAGE
        )
    _draw_offscreen_without_screen()
    from .errors import RecorderError, SaveRefused, WouldReplace
    from .recording.existing import refuse_existing
    from .ui import NoPicture, screenshot

    try:
        if not arguments.overwrite:
            refuse_existing([arguments.out], is_recording=False)
        screenshot(
            arguments.file,
            arguments.out,
            frame=arguments.frame,
            size=arguments.size,
            mode=arguments.theme,
            preset=arguments.preset,
            xodr=arguments.xodr,
            packets=arguments.schema,
            overwrite=arguments.overwrite,
        )
    except WouldReplace as error:
        return _print_failure(error.command_line_message, WRONG_USAGE)
    except (NoPicture, SaveRefused) as error:
        return _print_failure(str(error), FAILED)
    except (OSError, RecorderError) as error:
        return _print_failure(f"{arguments.file}: {error}", FAILED)
    return 0


def _paint(
    snapshot: "Snapshot", options: "VideoOptions | PictureOptions", frames: range, progress: "Progress"
) -> "Film | Figure":
    """Return what paints a video or a picture, by the kind of its options."""
    from .formats.picture import PictureOptions

    if isinstance(options, PictureOptions):
        return _make_figure(snapshot, options, frames, progress)
    return _make_film(snapshot, options, frames, progress)


def _make_figure(snapshot: "Snapshot", options: "PictureOptions", frames: range, progress: "Progress") -> "Figure":
    """Return what draws a picture, without a window; see there."""
    _draw_offscreen_without_screen()
    from .ui.shell.figure import make_figure

    return make_figure(snapshot, options, frames, progress)


def _make_film(snapshot: "Snapshot", options: "VideoOptions", frames: range, progress: "Progress") -> "Film":
    """Return what paints the pictures of a video, without a window; see there."""
    _draw_offscreen_without_screen()
    from .ui.shell.film import make_film

    return make_film(snapshot, options, frames, progress)


def _show_surroundings() -> int:
    """Print extensions and what the window is shown on; the latter last, since Qt may end the program."""
    from .views.extension_texts import extension_lines

    for line in extension_lines():
        _print(line)
    _draw_offscreen_without_screen()
    from .ui.app import application
    from .ui.dialogs.about import surroundings

    application()
    return _print("\n".join(surroundings()))


def _run_window(verb: str, arguments: Sequence[str], run: Callable[[argparse.Namespace], int]) -> int:
    """Run a verb of the window with its arguments; returns the exit code."""
    from .cli.window_parsers import WINDOW_PARSERS

    try:
        with speaking(language_of(arguments)):
            parsed = WINDOW_PARSERS[verb]().parse_args(arguments)
    except SystemExit as stop:
        if stop.code:
            return WRONG_USAGE
        return 0
    return run(parsed)


def _has_screen() -> bool:
    """Whether a window can be opened; otherwise Qt would abort the program."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"))


def _draw_offscreen_without_screen() -> None:
    if not _has_screen():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        # Qt warns about size hints, which the offscreen platform does not support.
        os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")


def _why_unreadable(path: Path) -> str:
    """The reason why a file cannot be read; empty if it can."""
    if path.is_dir():
        return f"{path} is a folder, not a recording."
    try:
        with open(path, "rb"):
            return ""
    except OSError as error:
        return f"{path}: {error.strerror or error}."


def _print(text: str) -> int:
    """Print a text; returns the exit code."""
    try:
        print(text, flush=True)
    except OSError as error:  # Python would report it again when it flushes stdout at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        return _print_failure(f"{error.strerror or error}.", FAILED)
    return 0


def _print_failure(sentence: str, code: int) -> int:
    """Print the reason of a failure; returns the exit code that is given."""
    print(f"{PROG}: {printable(sentence)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
