"""The command line: one module for each verb, without Qt.

Data goes to stdout as bytes with `\\n`, everything else to stderr. Only this module ends the program.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType

from ..errors import with_notes
from ..terminal import Parser, printable
from ..termination import INTERRUPTED, Terminated
from ..texts import FIRST_WIDE, N_, columns, language, language_of, option_value, say, speaking, wrapped
from . import many
from .files import FAILURES, failure
from .options import TABLE, add_arguments
from .output import Exit, exit_code

VERBS: Mapping[str, ModuleType] = {
    name: import_module(f"{__name__}.{name.replace('-', '_')}") for name in TABLE if name != "shared"
}
"""The module of each verb, in the order of the help."""


SPEAKING = ("check", "repair")
"""The verbs that speak the language of their user, if not in JSON; what others say is for programs, too."""


class _Help(argparse.RawDescriptionHelpFormatter):
    def _split_lines(self, text: str, width: int) -> list[str]:
        """Lines as wide as the terminal, in which Chinese signs take two columns."""
        if max(text) < FIRST_WIDE:
            return super()._split_lines(text, width)
        return [line.rstrip() for line in wrapped(text, lambda line: columns(line) <= width)]


def parser(*, is_many: bool = False) -> argparse.ArgumentParser:
    """The parser with every verb of this package; `is_many`: with --out-dir, so that all names are inputs."""
    made = Parser(prog="recorder-editor", description=say("Inspect and edit CARLA recordings on the command line."))
    verbs = made.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, module in VERBS.items():
        lines = [say(each) for each in (module.__doc__ or "").strip().split("\n\n")]
        verb = verbs.add_parser(
            name, help=lines[0].rstrip(".。"), description="\n\n".join(lines), formatter_class=_Help
        )
        add_arguments(verb, name, is_many=is_many and "many" in TABLE[name])
        if name == "edit":
            module.add_changes(verb)
        verb.set_defaults(run=module.run, prepare=getattr(module, "prepare", lambda _: {}))
    return made


def main(argv: Sequence[str]) -> int:
    """Run a verb; returns the exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    try:
        with speaking(language_of(argv)):
            made = parser(is_many=option_value(argv, "--out-dir") is not None)
            arguments, unknown = made.parse_known_args(argv)
            if unknown:
                made.error(_unknown_words(arguments, unknown))
    except SystemExit as stop:
        return Exit.OK if not stop.code else Exit.WRONG_USAGE
    with speaking(language_of(argv) if arguments.verb in SPEAKING and not arguments.json else language()):
        return _run(arguments)


def _unknown_words(arguments: argparse.Namespace, unknown: Sequence[str]) -> str:
    """What is wrong with words that no argument takes: several recordings may have been meant."""
    is_several = getattr(arguments, "out_dir", "") is None and all(map(os.path.exists, unknown))
    code = (
        N_("unrecognized arguments: {words}. Give --out-dir for several recordings.")
        if is_several
        else N_("unrecognized arguments: {words}")
    )
    return say(code, words=" ".join(unknown))


def _run(arguments: argparse.Namespace) -> int:
    try:
        code = exit_code(many.run(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe; Python would report it again when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except Terminated as end:
        return _print_failure(with_notes(say("Stopped."), end), end.end())
    except KeyboardInterrupt as stop:
        return _print_failure(with_notes(say("Stopped."), stop), INTERRUPTED)
    except FAILURES as error:
        code, sentence = failure(error)
        return _print_failure(sentence, code)
    return code


def _print_failure(sentence: str, code: int) -> int:
    sys.stderr.write(f"recorder-editor: {printable(sentence)}\n")
    return code
