"""The verb `edit`: changes to a recording, in the order in which they are given."""

from argparse import SUPPRESS, Namespace, _ArgumentGroup
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from ..edits import outcome
from ..edits.intents import lives_of_names
from ..edits.operations import EVERY, Argument, Operation, OperationResult, Option, argument_error
from ..edits.operations.command import details, metavar, read
from ..edits.operations.kinds import ACTORS, MOMENT, MeasureError
from ..edits.operations.schema import Arguments, OperationCall
from ..edits.script import ScriptStep, run_step, save_script
from ..errors import EditError, RecorderError
from ..format import Dialect
from ..reading import SelectorError
from ..reading.expression.grammar import ExpressionError
from ..reading.selectors import find_frames
from ..recording import Edit, Recording, Snapshot, write_file
from ..terminal import toned
from ..texts import N_, listed, say
from . import options
from .editing import EditLog, outcome_as_json, outcome_text
from .files import WrongUsage, open_input
from .output import Exit, print_error, print_json, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Options after a change (--from, --to, --ease-in, --at...) belong to it. ACTORS is ID (all its lives), ID@FRAME,
hero, role:NAME or type:vehicle.*, several with commas between. Lengths are metres, angles degrees, times seconds; a
number may have another unit (150cm, 500ms). A value that begins with - needs = before it, as in --shift=-2.
--xodr MAP names the road map that --set finds lanes on.
Example: recorder-editor edit a.log b.log --remove-actor 174 --move hero=0,3.5,0 --from 5 --to 12 --ease-in 1"""
)


def _options() -> dict[str, tuple[Operation, Option]]:
    options = {}
    for operation in EVERY.values():
        for option in operation.options:
            options[option.name] = (operation, option)
    return options


def _details() -> dict[str, Argument]:
    details = {}
    for operation in EVERY.values():
        for parameter in operation.parameters:
            if parameter.detail:
                details[parameter.detail] = parameter
    return details


OPTIONS: Mapping[str, tuple[Operation, Option]] = _options()
"""The changes by option."""

DETAILS: Mapping[str, Argument] = _details()
"""The details of changes, by option."""

_ROAD_MAP = "--xodr"


@dataclass(frozen=True, slots=True)
class RequestedChange:
    """One change to the recording.

    Attributes:
        typed: The option and its value as typed, for sentences.
        operation: The operation.
        option: The option of the operation that was typed.
        arguments: The arguments of the operation; actors are texts.
        frames: The texts of --from and --to.
    """

    typed: str
    operation: Operation
    option: Option
    arguments: Arguments
    frames: tuple[str | None, str | None] = (None, None)

    @property
    def actors(self) -> Sequence[str]:
        """The selectors of the actors."""
        actors = self.arguments["actors"]
        assert isinstance(actors, Sequence)
        return actors

    def steps(self, snapshot: Snapshot) -> Iterator[ScriptStep]:
        """Yield the steps of a script for a state of a recording.

        Raises:
            SelectorError: An actor does not exist.
        """
        name = self.operation.name
        arguments = dict(self.arguments)
        begin = 0
        start, stop = self.frames
        if start is not None or stop is not None:
            frames = find_frames(snapshot, start, stop)
            begin = frames.start
            last = frames.stop
            if self.operation.frame_range == "exclusive":
                last += 1
            arguments["from"] = f"#{begin + 1}"
            arguments["to"] = f"#{last}"
        if _needs_moment(self.operation) and "at" not in arguments:
            first = lives_of_names(snapshot, self.actors)[0]
            arguments["at"] = f"#{max(first.born, begin) + 1}"
        if not self.option.per_actor:
            yield ScriptStep(name, arguments)
            return
        for life in lives_of_names(snapshot, self.actors):
            yield ScriptStep(name, arguments | {"actors": [f"{life.actor}@{life.born + 1}"]})


def _needs_moment(operation: Operation) -> bool:
    """Whether the operation takes a moment; the default is the first frame of its actor."""
    return "at" in operation.arguments and operation.arguments["at"].needed


@dataclass
class _TypedChange:
    """A change and its details, as typed."""

    option: str
    value: str
    details: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return f"{self.option} {self.value}".strip()


def split_road_map(typed: Iterable[tuple[str, str]]) -> tuple[Path | None, list[tuple[str, str]]]:
    """Split the road map off typed options.

    It is that of the recording: what a change finds by lanes is found on it. Some changes take it themselves.

    Args:
        typed: Options and their values, in the order in which they are typed.

    Returns:
        The road map, None without one, and the options without those that only name it.
    """
    file = None
    kept = []
    is_taken = False
    for option, value in typed:
        if option in OPTIONS:
            is_taken = _ROAD_MAP in details(*OPTIONS[option])
        if option == _ROAD_MAP:
            file = Path(value)
        if option != _ROAD_MAP or is_taken:
            kept.append((option, value))
    return file, kept


def parse_changes(typed: Iterable[tuple[str, str]]) -> list[RequestedChange]:
    """Return the changes of typed options, in order.

    Args:
        typed: Options and their values, in the order in which they are typed.

    Raises:
        WrongUsage: One is wrong, or belongs to no change.
    """
    typed_changes: list[_TypedChange] = []
    for option, value in typed:
        if option in OPTIONS:
            typed_changes.append(_TypedChange(option, value))
        elif not typed_changes:
            raise WrongUsage(
                say("{option} belongs to the change before it, and there is none; name that first.", option=option)
            )
        elif option in typed_changes[-1].details:
            raise WrongUsage(say("{text} has {option} twice.", text=typed_changes[-1].text, option=option))
        else:
            typed_changes[-1].details[option] = value
    return _join_changes([_change(typed_change) for typed_change in typed_changes])


def _change(typed: _TypedChange) -> RequestedChange:
    operation, option = OPTIONS[typed.option]
    arguments = _value_arguments(typed, operation, option)
    frames: dict[str, str] = {}
    parameters = details(operation, option)
    for name, value in typed.details.items():
        if name not in parameters:
            raise WrongUsage(_foreign_detail_text(name, typed.option, parameters))
        parameter = parameters[name]
        if parameter.kind is MOMENT:
            frames[parameter.name] = value
        else:
            arguments[parameter.name] = _detail_argument(name, value, parameter)
    _refuse_wrong_arguments(typed, operation, arguments)
    if operation.needs_frames and not frames:
        raise WrongUsage(say("{option} needs a range: --from, --to, or both after it.", option=typed.option))
    return RequestedChange(
        typed=typed.text,
        operation=operation,
        option=option,
        arguments=arguments,
        frames=(frames.get("from"), frames.get("to")),
    )


def _value_arguments(typed: _TypedChange, operation: Operation, option: Option) -> dict[str, object]:
    """Return the arguments that the value of an option holds."""
    try:
        return read(operation, option, typed.value)
    except MeasureError as error:
        form = metavar(operation, option)
        reasons = [error.args[0]]
        if form:
            reasons.append(say("Write it as {form}.", form=f"{typed.option} {form}"))
        reason = listed(reasons, "sentences")
        raise WrongUsage(say("{text}: {reason}", text=typed.text, reason=reason)) from None


def _foreign_detail_text(name: str, option: str, parameters: Container[str]) -> str:
    """Say that a detail does not belong to a change, and which do."""
    own = [detail for detail in DETAILS if detail in parameters]
    if not own:
        return say("{name} does not belong to {option}; it takes none.", name=name, option=option)
    return say("{name} does not belong to {option}; it takes {names}.", name=name, option=option, names=listed(own))


def _detail_argument(name: str, value: str, parameter: Argument) -> object:
    """Return the argument that a detail gives; a detail without a value switches its default."""
    if not parameter.typed:
        return not parameter.default
    try:
        return parameter.kind.read(value)
    except MeasureError as error:
        raise WrongUsage(say("{text}: {reason}", text=name, reason=error)) from None


def _refuse_wrong_arguments(typed: _TypedChange, operation: Operation, arguments: Mapping[str, object]) -> None:
    """Refuse arguments that a script could not have."""
    if not operation.in_scripts:
        return
    complete = dict(arguments)
    if _needs_moment(operation):
        complete.setdefault("at", 0)  # found when the recording is open
    wrong = argument_error(operation.name, complete)
    if wrong is not None:
        raise WrongUsage(say("{text}: {reason}", text=typed.text, reason=wrong))


def _join_changes(changes: Sequence[RequestedChange]) -> list[RequestedChange]:
    """Return the changes, with successive ones that differ only in their actors joined into one.

    Otherwise an attached actor would be moved twice, or be removed before its own turn.
    """
    joined: list[RequestedChange] = []
    for change in changes:
        if joined and _can_join(joined[-1], change):
            last = joined[-1]
            actors = list(last.actors)
            actors.extend(change.actors)
            joined[-1] = replace(
                last, typed=f"{last.typed} {change.typed}", arguments={**last.arguments, "actors": actors}
            )
        else:
            joined.append(change)
    return joined


def _can_join(last: RequestedChange, change: RequestedChange) -> bool:
    """Whether a change differs from the one before only in its actors."""
    if change.operation.actors is not ACTORS or not change.option.merge_repeats:
        return False
    return _without_actors(last) == _without_actors(change)


def _without_actors(change: RequestedChange) -> tuple[object, ...]:
    others = {name: value for name, value in change.arguments.items() if name != "actors"}
    return (change.operation.name, others, change.frames)


def _add_changes(parser: VerbParser) -> None:
    """Add the changes and their details."""
    # The generated usage would fill a screen before every error message.
    parser.usage = "%(prog)s [options] IN OUT CHANGE [DETAILS] [CHANGE...]"
    parser.set_defaults(typed=[])
    changes = parser.add_argument_group(say("changes"))
    details = parser.add_argument_group(say("details of the change before them"))
    for name, (operation, option) in OPTIONS.items():
        _add(changes, name, metavar=metavar(operation, option), help=say(option.help))
    for name, detail in DETAILS.items():
        _add(details, name, metavar=detail.typed, help=say(detail.help))


def _add(group: _ArgumentGroup, name: str, *, metavar: str, help: str) -> None:
    """Add an option, which is collected with its value in the order in which it is typed."""
    help = help.replace("%", "%%")
    if not metavar:
        group.add_argument(name, action="append_const", const=(name, ""), dest="typed", default=SUPPRESS, help=help)
        return

    def with_name(value: str) -> tuple[str, str]:
        return (name, value)

    group.add_argument(
        name, action="append", type=with_name, metavar=metavar, dest="typed", default=SUPPRESS, help=help
    )


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_edited(parser)
    parser.add_written(
        "--save-script", kind="file", metavar="SCRIPT", help=say("write the changes as an edit script, too")
    )
    options.add_json(parser, help=say("what was done as JSON, on stdout"))
    options.add_many(parser)
    _add_changes(parser)
    parser.set_defaults(prepare=prepare)


def prepare(arguments: Namespace) -> dict[str, object]:
    """Refuse wrong changes, once for all files.

    Raises:
        WrongUsage: A change is wrong, or there is none.
    """
    _, typed = split_road_map(arguments.typed)
    if not parse_changes(typed):
        raise WrongUsage(say("Name a change, as in --remove-actor 174; --help lists them."))
    return {}


def run(arguments: Namespace) -> Exit:
    """Write the edited recording."""
    xodr, typed = split_road_map(arguments.typed)
    changes = parse_changes(typed)
    script: Path | None = arguments.save_script
    if script is not None and script.resolve() == arguments.out.resolve():
        raise WrongUsage(
            say("{script} is to be both the recording and the script; give one another name.", script=script)
        )
    with open_input(arguments.file, arguments.dialect, damaged=arguments.damaged, xodr=xodr) as recording:
        log = EditLog()
        for change in changes:
            _apply_change(log, recording, change, arguments.file.name)
        for remark in log.remarks:
            print_error(toned(say("{name}: {message}", name=arguments.file.name, message=remark), name="warning"))
        if not arguments.dry_run:
            bar = progress_bar(f"Writing {arguments.out.name}")
            recording.save(arguments.out, backup=arguments.backup, overwrite=arguments.overwrite, progress=bar)
            if script is not None:
                _save_script(script, log.edits, recording.dialect, overwrite=arguments.overwrite)
        if arguments.json:
            print_json(_report(arguments, recording, log))
        elif arguments.dry_run:
            lines = [edit.label for edit in log.edits]
            lines.append(outcome_text(outcome(recording)))
            print_lines(lines)
    if log.is_lossy:
        return Exit.LOSS
    return Exit.OK


def _apply_change(log: EditLog, recording: Recording, change: RequestedChange, name: str) -> None:
    """Apply a change; error messages begin with what was typed."""
    bar = progress_bar(f"{name}: {change.typed}")
    try:
        if not change.operation.in_scripts:
            log.apply(recording, partial(_paste, recording, change))
            return
        for step in list(change.steps(recording.snapshot)):
            log.apply(recording, partial(run_step, recording.snapshot, step, bar))
    except SelectorError as error:
        raise WrongUsage(say("{text}: {reason}", text=change.typed, reason=error.message)) from None
    except ExpressionError as error:
        raise WrongUsage(say("{text}: {reason}", text=change.typed, reason=error)) from None
    except RecorderError as error:
        raise EditError(say("{text}: {reason}", text=change.typed, reason=error)) from None


def _paste(recording: Recording, change: RequestedChange) -> OperationResult:
    with open_input(Path(str(change.arguments["file"]))) as other:
        bar = progress_bar(f"Pasting from {other.path.name}")
        return change.operation.do(OperationCall(recording.snapshot, change.arguments, bar, source=other.snapshot))


def _save_script(path: Path, edits: Sequence[Edit], dialect: Dialect, *, overwrite: bool) -> None:
    script = save_script(edits, dialect)
    write_file(path, script.text.encode(), overwrite=overwrite)
    for label in script.left_out:
        print_error(say("{name}: “{label}” is left out: it belongs to one file only.", name=path.name, label=label))


def _report(arguments: Namespace, recording: Recording, log: EditLog) -> dict[str, object]:
    return {
        "file": str(arguments.file),
        "out": str(arguments.out),
        "changes": [edit.label for edit in log.edits],
        "remarks": log.remarks,
        "lossless": not log.is_lossy,
        **outcome_as_json(outcome(recording)),
    }
