"""Changes to a recording, in the order in which they are given.

Options after a change (--from, --to, --ease-in, --at...) belong to it. ACTORS is ID (all its lives), ID@FRAME,
hero, role:NAME or type:vehicle.*, several with commas between. Lengths are metres, angles degrees, times seconds; a
number may have another unit (150cm, 500ms). A value that begins with - needs = before it, as in --shift=-2.
--xodr MAP names the road map that --set finds lanes on.
Example: recorder-editor edit a.log b.log --remove-actor 174 --move hero=0,3.5,0 --from 5 --to 12 --ease-in 1
"""

from argparse import SUPPRESS, ArgumentParser, Namespace, _ArgumentGroup
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..edits import outcome
from ..edits.operations import OperationResult
from ..edits.operations.command import metavar
from ..edits.operations.schema import Call
from ..edits.script import perform, save_script
from ..errors import EditError, RecorderError, say
from ..recording import Edit, Recording, SelectorError
from ..sentences import translated
from .changes import DETAILS, OPTIONS, RequestedChange, parse_changes, split_road_map
from .editing import EditLog, outcome_as_json, outcome_text
from .files import WrongUsage, open_input, refuse_same
from .output import Exit, print_error, print_json, print_lines, progress_bar


def add_changes(parser: ArgumentParser) -> None:
    """Add the changes and their details."""
    # The generated usage would fill a screen before every error message.
    parser.usage = "%(prog)s [options] IN OUT CHANGE [DETAILS] [CHANGE...]"
    parser.set_defaults(typed=[])
    changes = parser.add_argument_group(say("cli.changes"))
    details = parser.add_argument_group(say("cli.details"))
    for name, (operation, option) in OPTIONS.items():
        _add(changes, name, metavar(operation, option), translated(option.help))
    for name, detail in DETAILS.items():
        _add(details, name, detail.typed, translated(detail.help))


def _add(group: _ArgumentGroup, name: str, metavar: str, says: str) -> None:
    """Add an option, which is collected with its value in the order in which it is typed."""
    words: dict[str, Any] = {"action": "append_const", "const": (name, "")}
    if metavar:
        words = {"action": "append", "type": lambda value: (name, value), "metavar": metavar}
    group.add_argument(name, dest="typed", default=SUPPRESS, help=says.replace("%", "%%"), **words)


def prepare(arguments: Namespace) -> dict[str, Any]:
    """Refuse wrong changes, once for all files."""
    if not parse_changes(split_road_map(arguments.typed)[1]):
        raise WrongUsage(say("cli.name_a_change_as_in_remove"))
    return {}


def run(arguments: Namespace) -> Exit:
    """Write the edited recording."""
    xodr, typed = split_road_map(arguments.typed)
    changes = parse_changes(typed)
    refuse_same(arguments.file, arguments.out)
    script: Path | None = arguments.save_script
    if script is not None:
        refuse_same(arguments.file, script)
        if script.resolve() == arguments.out.resolve():
            raise WrongUsage(say("cli.is_to_be_both_the_recording", script=script))
    with open_input(arguments.file, arguments.dialect, damaged=arguments.damaged, xodr=xodr) as recording:
        log = EditLog()
        for change in changes:
            _apply_change(log, recording, change, arguments.file.name)
        for remark in log.remarks:
            print_error(f"{arguments.file.name}: {remark}")
        if not arguments.dry_run:
            bar = progress_bar(f"Writing {arguments.out.name}")
            recording.save(arguments.out, backup=arguments.backup, progress=bar)
            if script is not None:
                _save_script(script, log.edits)
        if arguments.json:
            print_json(_report(arguments, recording, log))
        elif arguments.dry_run:
            print_lines([*(edit.label for edit in log.edits), outcome_text(outcome(recording))])
    return Exit.LOSS if log.is_lossy else Exit.OK


def _apply_change(log: EditLog, recording: Recording, change: RequestedChange, name: str) -> None:
    """Apply a change; error messages begin with what was typed."""
    bar = progress_bar(f"{name}: {change.typed}")
    try:
        if not change.operation.in_scripts:
            log.apply(recording, lambda: _paste(recording, change))
            return
        for step in list(change.steps(recording.snapshot)):
            log.apply(recording, partial(perform, recording.snapshot, step, bar))
    except SelectorError as error:
        raise WrongUsage(f"{change.typed}: {error.message}") from None
    except RecorderError as error:
        raise EditError(f"{change.typed}: {error}") from None


def _paste(recording: Recording, change: RequestedChange) -> OperationResult:
    with open_input(Path(change.arguments["file"])) as other:
        bar = progress_bar(f"Pasting from {other.path.name}")
        return change.operation.do(Call(recording.snapshot, change.arguments, bar, source=other.snapshot))


def _save_script(path: Path, made: Sequence[Edit]) -> None:
    saved = save_script(made)
    path.write_text(saved.text, encoding="utf-8", newline="\n")
    for label in saved.left_out:
        print_error(say("cli.is_left_out_it_belongs_to", name=path.name, label=label))


def _report(arguments: Namespace, recording: Recording, log: EditLog) -> dict[str, Any]:
    return {
        "file": str(arguments.file),
        "out": str(arguments.out),
        "changes": [edit.label for edit in log.edits],
        "remarks": log.remarks,
        "lossless": not log.is_lossy,
        **outcome_as_json(outcome(recording)),
    }
