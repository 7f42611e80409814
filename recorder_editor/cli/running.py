"""A verb is run for the recording that its arguments name; for many recordings `many` runs it."""

import os
from argparse import Namespace
from pathlib import Path

from ..recording.recovery import sweep_state
from ..texts import say
from .files import WrongUsage, refuse_outputs
from .output import Exit, print_error, telling
from .streams import standard_streams
from .written import Written


def run_verb(arguments: Namespace, *, takes_many: bool) -> bool | Exit | None:
    """Run a verb for one recording or for many.

    Args:
        arguments: The arguments of the verb.
        takes_many: The verb has the options for many recordings.

    Returns:
        What the verb returns, or the worst exit code of many.

    Raises:
        WrongUsage: The arguments are wrong.
        Exception: What the verb raises for one recording.
    """
    sweep_state()
    with telling(arguments.loudness), standard_streams(arguments):
        return _run(arguments, takes_many=takes_many)


def _run(arguments: Namespace, *, takes_many: bool) -> bool | Exit | None:
    if takes_many:
        inputs = _inputs(arguments)
        if _is_for_many(arguments, inputs):
            from .many import run_all

            if arguments.out_dir is None and "out" in arguments.outputs:
                _refuse_single_output(arguments, inputs[0])
            return run_all(arguments, inputs)
        arguments.file = inputs[0]
    refuse_outputs(arguments)
    arguments.extra = arguments.prepare(arguments)
    written = Written(arguments)
    outcome: bool | Exit | None = arguments.run(arguments)
    if not arguments.to_stdout:
        for line in written.lines():
            print_error(line)
    return outcome


def _inputs(arguments: Namespace) -> list[Path]:
    inputs: Path | list[Path] = arguments.files or arguments.file
    if isinstance(inputs, list):
        return inputs
    return [inputs]


def _refuse_single_output(arguments: Namespace, recording: Path) -> None:
    """Refuse the output of one recording whose outcome is told as that of many.

    Raises:
        WrongUsage: It is the input, or goes to standard output as the outcome does.
        WouldReplace: It exists and has to stay.
    """
    if arguments.to_stdout:
        raise WrongUsage(say("--json goes to standard output: name a file for the output."))
    arguments.file = recording
    refuse_outputs(arguments)


def _is_for_many(arguments: Namespace, inputs: list[Path]) -> bool:
    """Whether the recordings are worked on one by one, each with an outcome of its own.

    Raises:
        WrongUsage: The options say so, and a folder for the outputs is missing.
    """
    if arguments.out_dir is not None:
        return True
    is_asked = arguments.recursive or arguments.dask is not None
    is_writing = "out" in arguments.outputs
    if arguments.resume or (is_asked and is_writing):
        raise WrongUsage(
            say(
                "--recursive, --dask and --resume are for many recordings: "
                "give a folder for the outputs with --out-dir."
            )
        )
    if is_writing or arguments.outcomes:
        return bool(arguments.outcomes)
    takes_several_itself = arguments.files is not None
    is_several = len(inputs) > 1 and (arguments.workers > 1 or not takes_several_itself)
    return is_asked or is_several or any(map(os.path.isdir, inputs))
