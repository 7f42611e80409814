"""Edit scripts: the edits of one recording as JSON, to be repeated on others.

A script is a list of intents; edits without one (typed bytes, copies from another recording) are listed as left out.
The operations are those of `operations`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ..errors import EditError, RecorderError
from ..format import Dialect, JsonError, json_of, read_json
from ..format.json_text import shown
from ..format.packet_file import PacketFile
from ..format.packet_files import PacketFileError, file_entries, files_of_entries
from ..progress import SILENT, Progress
from ..recording import Edit, Snapshot
from ..recording.history import Step
from ..texts import say
from .intents import is_number
from .operations import OPERATIONS, Arguments, OperationCall, OperationResult, argument_error

FORM = 2
"""The version of scripts that are written. Form 1 differs in `move_actor`, and its `convert` kept blueprints."""


class ScriptError(RecorderError):
    """A text is no valid script; `line` counts from 1, None if unknown."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(say("Line {line}: {message}", line=line, message=message) if line is not None else message)
        self.line = line


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """One step.

    Attributes:
        operation: The name of an operation.
        arguments: Its arguments, as JSON.
        label: The label of the edit; empty if it is not known.
    """

    operation: str
    arguments: Arguments = field(default_factory=dict)
    label: str = ""

    @property
    def name(self) -> str:
        """The name in sentences."""
        return self.label or self.operation


@dataclass(frozen=True, slots=True)
class Script:
    """A script.

    Attributes:
        steps: Its steps.
        left_out: The labels of edits that it cannot hold.
        packet_files: The packets of users of the recording that it was saved of, which steps may name.
    """

    steps: tuple[ScriptStep, ...]
    left_out: tuple[str, ...] = ()
    packet_files: tuple[PacketFile, ...] = ()


class Saved(NamedTuple):
    """A script as `text`, and the labels of edits that it cannot hold."""

    text: str
    left_out: list[str]


# --- from a history to a text ---------------------------------------------------------------------------


def save_script(steps: Iterable[Step | Edit], dialect: Dialect | None = None) -> Saved:
    """Return the script of the applied steps of a history.

    Args:
        steps: The steps, oldest first.
        dialect: That of the recording, whose packets of users the script describes, too.
    """
    kept: list[ScriptStep] = []
    left_out: list[str] = []
    for step in steps:
        parts: list[ScriptStep] = []
        if step.intent is not None:
            for intent in step.intent.parts:
                operation, arguments = _renewed(intent.operation, intent.arguments)
                parts.append(ScriptStep(operation, arguments, step.label))
        if not parts or any(argument_error(part.operation, part.arguments) for part in parts):
            left_out.append(step.label)
        else:
            kept += parts
    return Saved(_text(kept, left_out, dialect), left_out)


def _text(steps: Iterable[ScriptStep], left_out: Iterable[str], dialect: Dialect | None) -> str:
    """JSON with one argument in each line."""
    data = ",\n".join(_step_text(step) for step in steps)
    lines = ["{", f'  "script": {FORM},', f'  "steps": [\n{data}\n  ]' if data else '  "steps": []']
    labels = ",\n".join(f"    {json_of(label)}" for label in left_out)
    if labels:
        lines[-1] += ","
        lines.append(f'  "left_out": [\n{labels}\n  ]')
    if dialect is not None and dialect.described:
        lines[-1] += ","
        lines.append(f'  "packets": {json_of(file_entries(dialect))}')
    lines.append("}")
    return "\n".join(lines) + "\n"


def _step_text(step: ScriptStep) -> str:
    arguments = ",\n".join(f"        {json_of(name)}: {json_of(value)}" for name, value in step.arguments.items())
    lines = [f'      "operation": {json_of(step.operation)}', f'      "label": {json_of(step.label)}']
    lines.append(f'      "arguments": {{\n{arguments}\n      }}' if arguments else '      "arguments": {}')
    return "    {\n" + ",\n".join(lines) + "\n    }"


# --- from a text to steps -------------------------------------------------------------------------------


def read_script(text: str) -> Script:
    """Parse a script, strictly; raises `ScriptError`."""
    try:
        data = read_json(text.removeprefix("\ufeff"), unique=True)
    except JsonError as error:
        raise ScriptError(error.message, error.line) from None
    if not isinstance(data, dict) or "script" not in data:
        raise ScriptError(say('This is not an edit script; one begins with {"script": 2, "steps": [...]}.'))
    form = data["script"]
    if form not in (1, FORM) or isinstance(form, bool):
        raise ScriptError(
            say(
                "This is a script of form {shown}; this program reads forms 1 and {form}. A newer one may help.",
                shown=shown(form),
                form=FORM,
            )
        )
    for name in data:
        if name not in ("script", "steps", "left_out", "packets"):
            raise ScriptError(say("A script has no “{name}”; it has script, steps, left_out and packets.", name=name))
    steps = data.get("steps")
    left_out = data.get("left_out", [])
    if not isinstance(steps, list):
        raise ScriptError(say("“steps” is a list of steps."))
    if not isinstance(left_out, list) or not all(isinstance(label, str) for label in left_out):
        raise ScriptError(say("“left_out” is a list of texts."))
    try:
        packet_files = files_of_entries(data.get("packets", []))
    except PacketFileError as error:
        raise ScriptError(error.faults[0]) from None
    return Script(
        tuple(_step(number, step, form) for number, step in enumerate(steps, 1)), tuple(left_out), packet_files
    )


def _step(number: int, data: object, form: int) -> ScriptStep:
    if not isinstance(data, dict):
        raise ScriptError(
            say(
                "Step {number} is {shown}; a step is an object with operation and arguments.",
                number=number,
                shown=shown(data),
            )
        )
    for name in data:
        if name not in ("operation", "arguments", "label"):
            raise ScriptError(
                say("Step {number} has “{name}”; a step has operation, arguments and label.", number=number, name=name)
            )
    operation = data.get("operation")
    arguments = data.get("arguments", {})
    label = data.get("label", "")
    if not isinstance(operation, str):
        raise ScriptError(say("Step {number} does not say its operation.", number=number))
    if not isinstance(arguments, dict) or not isinstance(label, str):
        raise ScriptError(say("Step {number}: arguments are an object, and a label is a text.", number=number))
    if form == 1:
        operation, arguments = _renewed(operation, arguments)
        if operation == "convert":
            arguments["keep_blueprints"] = True
    wrong = argument_error(operation, arguments)
    if wrong is not None:
        raise ScriptError(say("Step {number} cannot be done. {why}", number=number, why=wrong))
    return ScriptStep(operation, arguments, label)


def _renewed(operation: str, arguments: Arguments) -> tuple[str, dict[str, object]]:
    """Return a step of form 1 in the present form: `move_actor` took centimetres."""
    renewed = dict(arguments)
    if operation != "move_actor":
        return operation, renewed
    for name in ("offset", "pivot"):
        values = renewed.get(name)
        if isinstance(values, list) and all(map(is_number, values)):
            renewed[name] = [value / 100.0 for value in values]
    return "move_actors", renewed


# --- from a step to an edit -----------------------------------------------------------------------------


def run_step(snapshot: Snapshot, step: ScriptStep, progress: Progress = SILENT) -> OperationResult:
    """Run a step on a state of a recording.

    Raises:
        EditError: It cannot be done here, also if there is no such actor.
        FieldError: A value does not fit.
        SelectorError: A selector finds no actors.
        Cancelled: The user cancelled.
    """
    wrong = argument_error(step.operation, step.arguments)
    if wrong is not None:
        raise EditError(wrong)
    return OPERATIONS[step.operation].do(OperationCall(snapshot, step.arguments, progress))
