"""The changes that `edit` can make: what was typed, and which operation with which arguments it becomes.

One idea: a change is an option, and the details that follow it belong to it. Which options there are, and how their
values look, is declared with the operations in `edits`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..edits.intents import lives_named
from ..edits.operations import EVERY, Argument, Operation, Option, wrong_with
from ..edits.operations.command import details, metavar, read
from ..edits.operations.kinds import ACTORS, MOMENT
from ..edits.operations.measures import NoMeasure
from ..edits.script import ScriptStep
from ..recording.selectors import find_frames
from ..recording.snapshot import Snapshot
from .files import WrongUsage

OPTIONS: Mapping[str, tuple[Operation, Option]] = {
    option.name: (operation, option) for operation in EVERY.values() for option in operation.options
}
"""The changes by option."""

DETAILS: Mapping[str, Argument] = {
    each.detail: each for operation in EVERY.values() for each in operation.parameters if each.detail
}
"""What may stand behind a change, by option."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change to the recording.

    Attributes: `typed` (for sentences), `operation`, `option`, `arguments` (actors as words), `frames` (the words of
    --from and --to).
    """

    typed: str
    operation: Operation
    option: Option
    arguments: Mapping[str, Any]
    frames: tuple[str | None, str | None] = (None, None)

    def steps(self, snapshot: Snapshot) -> Iterator[ScriptStep]:
        """The steps that it is on a state of a recording. Raises `ChoiceError` for words that name nobody."""
        name, arguments, frames = self.operation.name, dict(self.arguments), None
        if self.frames != (None, None):
            frames = find_frames(snapshot, *self.frames)
            last = frames.stop + 1 if self.operation.over == "before" else frames.stop
            arguments |= {"from": f"#{frames.start + 1}", "to": f"#{last}"}
        if _needs_moment(self.operation) and "at" not in arguments:
            first = lives_named(snapshot, arguments["actors"])[0]
            arguments["at"] = f"#{max(first.born, frames.start if frames is not None else 0) + 1}"
        if not self.option.each:
            yield ScriptStep(name, arguments)
            return
        for life in lives_named(snapshot, arguments["actors"]):
            yield ScriptStep(name, {**arguments, "actors": [f"{life.actor}@{life.born + 1}"]})


def _needs_moment(operation: Operation) -> bool:
    """It is done at a moment; where none is typed, that is the first one at which its actor is there."""
    return "at" in operation.arguments and operation.arguments["at"].needed


@dataclass
class _Typed:
    """A change and the details behind it, as typed."""

    option: str
    value: str
    details: dict[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        return f"{self.option} {self.value}".strip()


def parse_changes(typed: Iterable[tuple[str, str]]) -> list[Change]:
    """The changes that options mean, in their order. Raises `WrongUsage`."""
    found: list[_Typed] = []
    for option, value in typed:
        if option in OPTIONS:
            found.append(_Typed(option, value))
        elif not found:
            raise WrongUsage(f"{option} belongs to the change before it, and there is none; name that first.")
        elif option in found[-1].details:
            raise WrongUsage(f"{found[-1].words} has {option} twice.")
        else:
            found[-1].details[option] = value
    return _join_changes([_change(each) for each in found])


def _change(typed: _Typed) -> Change:
    operation, option = OPTIONS[typed.option]
    try:
        arguments = read(operation, option, typed.value)
    except NoMeasure as error:
        form = metavar(operation, option)
        form = f" Write it as {typed.option} {form}." if form else ""
        raise WrongUsage(f"{typed.words}: {error}{form}") from None
    known = details(operation, option)
    takes = [name for name in DETAILS if name in known]
    frames: dict[str, str] = {}
    for name, value in typed.details.items():
        if name not in known:
            may = f"it takes {', '.join(takes)}" if takes else "it takes none"
            raise WrongUsage(f"{name} says nothing of {typed.option}; {may}.")
        detail = known[name]
        if detail.kind is MOMENT:
            frames[detail.name] = value
            continue
        try:
            arguments[detail.name] = detail.kind.read(value) if detail.typed else not detail.default
        except NoMeasure as error:
            raise WrongUsage(f"{name}: {error}") from None
    needed = {"at": 0, **arguments} if _needs_moment(operation) else arguments
    wrong = wrong_with(operation.name, needed) if operation.in_scripts else None
    if wrong is not None:
        raise WrongUsage(f"{typed.words}: {wrong}")
    if operation.needs_frames and not frames:
        raise WrongUsage(f"{typed.option} needs a range: --from, --to, or both behind it.")
    return Change(typed.words, operation, option, arguments, (frames.get("from"), frames.get("to")))


def _join_changes(changes: Sequence[Change]) -> list[Change]:
    """The changes, those in a row as one that say the same of different actors.

    Somebody who is attached to another one would else be moved twice, or be gone when it is their turn.
    """
    made: list[Change] = []
    for change in changes:
        last = made[-1] if made else None
        joins = change.operation.actors is ACTORS and change.option.joins
        if last is not None and joins and _without_actors(last) == _without_actors(change):
            actors = [*last.arguments["actors"], *change.arguments["actors"]]
            made[-1] = replace(
                last, typed=f"{last.typed} {change.typed}", arguments={**last.arguments, "actors": actors}
            )
        else:
            made.append(change)
    return made


def _without_actors(change: Change) -> tuple[Any, ...]:
    others = {name: value for name, value in change.arguments.items() if name != "actors"}
    return change.operation.name, others, change.frames
