"""`-` for standard input and output: a file in a folder of its own stands for each while the verb runs.

Recordings are read by places, and outputs are checked before they appear, so that neither can be a pipe.
"""

import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ..texts import say
from .files import WrongUsage

_STANDARD = Path("-")
_INPUT = "stdin"
_OUTPUT = "stdout"


@contextmanager
def standard_streams(arguments: Namespace) -> Iterator[None]:
    """Let `-` among the arguments of a verb be standard input or output for the time of a `with` statement.

    The verb is told by `arguments.to_stdout` that its output goes there. What it wrote is passed on when it ends
    without an exception.

    Args:
        arguments: The arguments, in which paths take the place of `-`.

    Raises:
        WrongUsage: Standard input is a terminal or is named twice, or the output is several files.
        OSError: What is read or written cannot be kept.
    """
    outputs = [name for name in arguments.outputs if vars(arguments)[name] == _STANDARD]
    inputs = [name for name, value in vars(arguments).items() if name not in arguments.outputs and _names_stdin(value)]
    if not outputs and not inputs:
        yield
        return
    if len(outputs) > 1 or len(inputs) > 1:
        raise WrongUsage(say("- can stand for one input and one output."))
    with TemporaryDirectory(prefix="recorder-editor-") as folder:
        for name in inputs:
            source = Path(folder) / "in" / _INPUT
            source.parent.mkdir()
            _read_stdin(source)
            _replace(arguments, name, source)
        target = None
        for name in outputs:
            target = Path(folder) / "out" / f"{_OUTPUT}{_suffix(arguments, name)}"
            target.parent.mkdir()
            setattr(arguments, name, target)
            arguments.to_stdout = True
        yield
        if target is not None and target.exists():
            _write_stdout(target)


def _names_stdin(value: object) -> bool:
    if isinstance(value, list):
        return _STANDARD in value
    return value == _STANDARD


def _replace(arguments: Namespace, name: str, source: Path) -> None:
    value = vars(arguments)[name]
    if isinstance(value, list):
        if value.count(_STANDARD) > 1:
            raise WrongUsage(say("- can stand for one input and one output."))
        setattr(arguments, name, [source if path == _STANDARD else path for path in value])
    else:
        setattr(arguments, name, source)


def _read_stdin(source: Path) -> None:
    if sys.stdin is None or sys.stdin.isatty():
        raise WrongUsage(say("- reads standard input, which is a terminal here: redirect a file or a pipe to it."))
    with source.open("xb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)


def _suffix(arguments: Namespace, name: str) -> str:
    """Return the ending of a file that goes to standard output, by which the verb knows what to write."""
    if arguments.outputs[name] == "recording":
        return ".log"
    return str(arguments.output_suffix(arguments) or ".csv")


def _write_stdout(target: Path) -> None:
    if len(list(target.parent.iterdir())) > 1:
        raise WrongUsage(say("This output is several files, which cannot go to standard output: name one."))
    with target.open("rb") as file:
        shutil.copyfileobj(file, sys.stdout.buffer)
