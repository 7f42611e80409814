"""The verb `run`: an edit script applied to recordings."""

from argparse import Namespace
from functools import partial
from pathlib import Path

from ..edits import RecordingSize, outcome
from ..edits.script import Script, ScriptError, read_script, run_step
from ..errors import EditError, RecorderError
from ..recording import Recording
from ..recording.packet_search import using
from ..terminal import Span, toned
from ..texts import N_, say
from . import options
from .editing import EditLog, outcome_as_json, outcome_text
from .files import FAILURES, Unreadable, damage_lines, failure, open_input, read_input, refuse_damaged
from .output import Exit, print_error, print_json, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Times are seconds, and actors are found by role name, id or blueprint, so that a script fits other
recordings. With --out-dir each file is written there under its own name; a file for which a step fails is reported and
not written, and the others continue. The exit code is the worst one: 1 failed, 3 something could not be kept.
Example: recorder-editor run edits.json one.log two.log --out-dir edited --workers 2"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("script", type=Path, metavar="SCRIPT", help=say("an edit script"))
    options.add_input(parser)
    options.add_output(parser)
    options.add_json(parser, help=say("the outcome of each file as JSON, on stdout"))
    options.add_dry_run(parser)
    options.add_damaged(parser)
    options.add_road_map(parser)
    options.add_dialect(parser)
    options.add_many(parser)
    parser.set_defaults(prepare=prepare)


def prepare(arguments: Namespace) -> dict[str, object]:
    """Read the script and tell what it cannot do, once for all files.

    Returns:
        What JSON tells of it.

    Raises:
        Unreadable: It cannot be read.
    """
    script = _script(arguments.script)
    arguments.steps = script
    for label in script.left_out:
        print_error(
            say("{name}: “{label}” is left out: it belongs to one file only.", name=arguments.script.name, label=label)
        )
    if not script.steps:
        print_error(say("{name}: The script holds no step, so nothing is changed.", name=arguments.script.name))
    return {"script": str(arguments.script), "left_out": list(script.left_out)}


def run(arguments: Namespace) -> Exit:
    """Write what the script makes of the file."""
    log = EditLog()
    error = None
    damage: list[str] = []
    size: RecordingSize | None = None
    try:
        with (
            using(arguments.steps.packet_files),
            open_input(arguments.file, arguments.dialect, quiet=True, xodr=arguments.xodr) as recording,
        ):
            damage.extend(damage_lines(recording))
            refuse_damaged(recording, arguments.damaged)
            _run_steps(arguments, recording, log)
            if not arguments.dry_run:
                bar = progress_bar(f"Writing {arguments.out.name}")
                recording.save(arguments.out, overwrite=arguments.overwrite, progress=bar)
            code = Exit.LOSS if log.is_lossy else Exit.OK
            size = outcome(recording)
    except FAILURES as failed:
        code, error = failure(failed)
    for line in damage:
        print_error(line)
    for remark in log.remarks:
        print_error(toned(say("{name}: {message}", name=arguments.file.name, message=remark), name="warning"))
    if error is not None:
        print_error([Span(error, "error")])
    if arguments.json:
        report = {
            "file": str(arguments.file),
            "out": str(arguments.out),
            "code": int(code),
            "error": error,
            "damage": damage,
            "remarks": log.remarks,
            **outcome_as_json(size),
        }
        if arguments.out_dir is None:
            report = arguments.extra | {"files": [report]}
        print_json(report)
    elif arguments.dry_run and size is not None:
        print_lines([outcome_text(size)])
    return code


def _script(path: Path) -> Script:
    try:
        return read_script(read_input(path).decode("utf-8"))
    except UnicodeDecodeError:
        raise Unreadable(say("{path}: This is not an edit script: it is not text.", path=path)) from None
    except ScriptError as error:
        raise Unreadable(say("{text}: {reason}", text=path, reason=error)) from None


def _run_steps(arguments: Namespace, recording: Recording, log: EditLog) -> None:
    """Apply the steps of the script."""
    name = arguments.file.name
    steps = arguments.steps.steps
    for index, step in enumerate(steps, 1):
        bar = progress_bar(f"{name}: {step.name}")
        try:
            log.apply(recording, partial(run_step, recording.snapshot, step, bar))
        except RecorderError as error:
            raise EditError(
                say(
                    "{name}: Step {index} of {count}, “{step}”, cannot be done: {reason}",
                    name=name,
                    index=index,
                    count=len(steps),
                    step=step.name,
                    reason=error,
                )
            ) from None
