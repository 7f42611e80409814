"""The classes that declare operations: arguments, options of the command line, menu entries, forms.

`operation` makes one of a function and of what `resources/operations.json` says of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from typing import Any, Literal, NamedTuple

from ... import resources
from ...errors import EditError
from ...progress import SILENT, Progress
from ...reading import Ghost, Life, short_blueprint
from ...recording import Edit, Snapshot
from ...texts import listed, say, say_count
from ..intents import frame_at, frames_between, frames_of, lives_named
from .kinds import ACTOR, AT, KINDS, PAIR, ArgumentKind

_MAX_NAMES = 4


class OperationResult(NamedTuple):
    """The result of an operation.

    Attributes: `edit`, `remarks` (sentences on losses and other effects), `is_lossy`.
    """

    edit: Edit
    remarks: tuple[str, ...] = ()
    is_lossy: bool = False


@dataclass(frozen=True)
class Situation:
    """The context of an operation: `snapshot`, `lives` (selected), `frame_index` (shown), `span` (range, or None).

    Defaults, choices and reasons of operations are functions of it.
    """

    snapshot: Snapshot
    lives: Sequence[Life] = ()
    frame_index: int = 0
    span: range | None = None


Reason = Callable[[Situation], str | None]
"""Why an operation cannot be used; None if it can."""


# --- a call ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OperationCall:
    """A call of an operation: `snapshot`, `given` (valid arguments), `progress`.

    `chosen` are the lives, if they are known already; `source` is the other recording of `paste_actor`.
    """

    snapshot: Snapshot
    given: Mapping[str, Any]
    progress: Progress = SILENT
    chosen: Sequence[Life] | None = None
    source: Snapshot | None = None

    def __getitem__(self, name: str) -> Any:
        return self.given.get(name)

    def number(self, name: str, default: float = 0.0) -> float:
        """An argument as a float."""
        value = self[name]
        return default if value is None else float(value)

    def point(self, name: str) -> Any:
        """A list of numbers as a tuple, or None."""
        values = self[name]
        return None if values is None else tuple(None if each is None else float(each) for each in values)

    def flag(self, name: str, *, default: bool) -> bool:
        """An argument as a bool."""
        value = self[name]
        return default if value is None else bool(value)

    @property
    def lives(self) -> Sequence[Life]:
        """The lives of the argument `actors`."""
        return lives_named(self.source or self.snapshot, self["actors"]) if self.chosen is None else self.chosen

    @property
    def life(self) -> Life:
        """The single life of `actors`. Raises `EditError`."""
        return self._exactly(1)[0]

    @property
    def pair(self) -> tuple[Life, Life]:
        """The two lives of `actors`. Raises `EditError`."""
        first, second = self._exactly(2)
        return first, second

    def _exactly(self, number: int) -> Sequence[Life]:
        lives = self.lives
        if len(lives) != number:
            raise EditError(
                say_count(
                    "This takes exactly one actor, not {lives:,}; of an id with several lives, one "
                    "is chosen by a frame, as in 174@250.",
                    "This takes exactly {count} actors, not {lives:,}; of an id with several "
                    "lives, one is chosen by a frame, as in 174@250.",
                    count=number,
                    lives=len(lives),
                )
            )
        return lives

    @property
    def frames(self) -> range | None:
        """The frames from `from` to `to`, inclusive; None if neither is given."""
        return self._frames(inclusive=True) if "from" in self.given or "to" in self.given else None

    @property
    def frames_before(self) -> range:
        """The frames from `from` to `to`, exclusive."""
        return self._frames(inclusive=False)

    def frames_or(self, life: Life) -> range:
        """`frames`, or those of a life."""
        return frames_of(self.snapshot, [life]) if self.frames is None else self.frames

    def _frames(self, *, inclusive: bool) -> range:
        return frames_between(self.snapshot, self["from"], self["to"], inclusive=inclusive)


# --- declarations ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Argument:
    """One argument of an operation.

    Attributes: `name`, `kind`, `needed`; `metavar` (if not that of the kind), `detail` (the option that gives it after
    a change), `help` (for help and guide), `script_help` (for scripts, if another); `label` (of its field in the form,
    one for each of the kind's axes; empty: not in the form), `default` (None: none), `low`, `high`, `step`, `unit` (if
    not that of the kind), `tip`, `hint` (text of the empty field), `choices` (values and their names), `offers`
    (suggested texts), `absent` (name of a box that removes the value), `private` (in the window only). Some may be
    functions of the `Situation`.
    """

    name: str
    kind: ArgumentKind
    needed: bool = True
    metavar: str = ""
    detail: str = ""
    help: str = ""
    script_help: str = ""
    label: str | tuple[str, ...] | Callable[[Situation], str] = ""
    default: Any = None
    low: float | None = None
    high: float | None = None
    step: float = 1.0
    unit: str = ""
    tip: str = ""
    hint: str = ""
    choices: Mapping[Any, str] = field(default_factory=dict)
    offers: Callable[[Situation], Sequence[str]] | None = None
    absent: str = ""
    private: bool = False

    @property
    def takes(self) -> str:
        """The values in a script, in words."""
        is_null = not self.needed and not self.kind.fits(None)
        return say("{takes}, or null", takes=self.kind.takes) if is_null else self.kind.takes

    @property
    def typed(self) -> str:
        """The placeholder in the help of the command line; empty for a switch."""
        is_switch = self.detail and isinstance(self.default, bool)
        return "" if is_switch else self.metavar or self.kind.metavar

    def fits(self, value: Any) -> bool:
        """Whether a script may hold a value."""
        return (value is None and not self.needed) or self.kind.fits(value)

    def default_in(self, situation: Situation) -> Any:
        """The default of its field."""
        return self.default(situation) if callable(self.default) else self.default


@dataclass(frozen=True)
class Option:
    """An option of `edit` that makes a change.

    Attributes: `name`, `help`, `values` (the arguments in its value, after ACTORS= if it has actors; optional ones may
    be left out from the end), `fixed` (arguments it implies), `bare` (ACTORS alone is valid), `each` (several actors
    are edited one after another), `joins` (several in a row with equal values for different actors are one change),
    `is_json` (its value is a JSON object of the arguments, or a file of one).
    """

    name: str
    help: str
    values: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    bare: bool = False
    each: bool = False
    joins: bool = True
    is_json: bool = False


@dataclass(frozen=True)
class Menu:
    """The entry in menus, palette and list of keys.

    Attributes: `action` (its id), `path` (menu and submenu), `section` (sections are separated by a line), `icon`,
    `key`, `keywords` (further words it is found by), `disabled_reasons` (functions that give a reason or None).
    """

    action: str
    path: str = "Actor"
    section: str = ""
    icon: str = ""
    key: str = ""
    keywords: str = ""
    disabled_reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class Form:
    """The form of an operation.

    Attributes: `heading` (a pattern for the actors' names), `verb` (on the button), `note` (a sentence below the
    heading), `describe` (sentences on the effect; raises `EditError` for a reason against it), `ghosts` (previews of
    actors in the shown frame), `follow` (name of a changed field and all values, to values that change with it),
    `normalize` (values of the fields to arguments).
    """

    heading: str
    verb: str
    note: str | Callable[[Situation], str] = ""
    describe: Callable[[OperationCall], tuple[str, ...]] | None = None
    ghosts: Callable[[OperationCall, int], list[Ghost]] | None = None
    follow: Callable[[str, Mapping[str, Any], Situation], Mapping[str, Any]] | None = None
    normalize: Callable[[Mapping[str, Any], Situation], Mapping[str, Any]] | None = None


@dataclass(frozen=True)
class Operation:
    """An operation: `edit` (the function, whose name it has), `title`, `summary` (one sentence).

    The function's parameters are named as the arguments, or `lives`, `life`, `first` and `second` (those of `actors`)
    and `frames`; missing or null ones keep their default. `run` calls it if it has other parameters.

    Attributes: `parameters`, `options` of the command line, `over` (default of `from` and `to`: a life, the recording;
    `named`: one of them is needed; `before`: the same, and `to` is exclusive), `menu`, `form` (None with a menu: it is
    run at once, with `progress_text`), `in_scripts` (False: scripts cannot hold its arguments).
    """

    edit: Callable[..., Any]
    title: str
    summary: str
    parameters: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    over: Literal["", "life", "recording", "named", "before"] = ""
    menu: Menu | None = None
    form: Form | None = None
    progress_text: str = ""
    in_scripts: bool = True
    run: Callable[[OperationCall], Edit | OperationResult] | None = None

    @property
    def name(self) -> str:
        """The name in scripts."""
        return self.edit.__name__

    def do(self, call: OperationCall) -> OperationResult:
        """Run a call; errors are those of the edit."""
        made = self._called(call) if self.run is None else self.run(call)
        if isinstance(made, OperationResult):
            return made
        return OperationResult(made, tuple(loss.message for loss in made.losses), bool(made.losses))

    def _called(self, call: OperationCall) -> Edit:
        takes = signature(self.edit).parameters
        given = {
            name: frame_at(call.snapshot, call[name]) if each.kind is AT else each.kind.value(call[name])
            for name, each in self.arguments.items()
            if name in takes and call[name] is not None
        }
        given |= {name: getattr(call, name) for name in ("lives", "life", "progress") if name in takes}
        if "second" in takes:
            given["first"], given["second"] = call.pair
        if "frames" in takes:
            given["frames"] = call.frames_before if self.over == "before" else call.frames
        made: Edit = self.edit(call.snapshot, **given)
        return made

    @cached_property
    def arguments(self) -> Mapping[str, Argument]:
        """The arguments in scripts, by name."""
        return {each.name: each for each in self.parameters if not each.private}

    @property
    def actors(self) -> ArgumentKind | None:
        """The kind of `actors`: several, one, two; None if it has none."""
        argument = self.arguments.get("actors")
        return argument.kind if argument is not None else None

    @property
    def needs_frames(self) -> bool:
        """Whether `from` or `to` is needed."""
        return self.over in ("named", "before")

    @property
    def most(self) -> int | None:
        """The largest number of actors of one call; None: any, or none."""
        return {ACTOR: 1, PAIR: 2}.get(self.actors) if self.actors is not None else None


# --- texts ----------------------------------------------------------------------------------------------


def named(life: Life) -> str:
    """A life in forms: `174 tesla.model3`."""
    return f"{life.actor} {short_blueprint(life.blueprint)}"


def names_of(lives: Sequence[Life]) -> str:
    """Several lives, the first few by name."""
    names, more = listed(map(named, lives[:_MAX_NAMES])), len(lives) - _MAX_NAMES
    return say("{names} and {more:,} more", names=names, more=more) if more > 0 else names


def describe_frames(call: OperationCall) -> tuple[str, ...]:
    """A sentence on the frames and seconds of a call: those given, those of the lives, or all."""
    elapsed, frames = call.snapshot.elapsed, call.frames
    if frames is None:
        has_lives = call.chosen is not None or call["actors"] is not None
        frames = frames_of(call.snapshot, call.lives) if has_lives else range(len(elapsed))
    frames = range(max(0, frames.start), min(frames.stop, len(elapsed)))
    seconds = float(elapsed[frames.stop - 1] - elapsed[frames.start]) if len(frames) else 0.0
    return (say_count("Over 1 frame", "Over {count:,} frames, {seconds:.3f} s", count=len(frames), seconds=seconds),)


def operation_table() -> Mapping[str, Mapping[str, Any]]:
    """The `operations` by the names of their functions and the `shared parameters`: attributes of their classes.

    A parameter is one that is shared, or has a `name` and a `kind` of `KINDS`, or is `like` a shared one.
    """
    return resources.table("operations")


def operation(
    edit: Callable[..., Any],
    *,
    run: Callable[[OperationCall], Edit | OperationResult] | None = None,
    parameters: Mapping[str, Callable[..., Argument]] | None = None,
    disabled_reasons: tuple[Reason, ...] = (),
    form: Callable[..., Form] = Form,
) -> Operation:
    """The operation of a function, with what the table says of it.

    `parameters` (by name) and `form` are the classes with what the table cannot say: functions, names of other tables.
    Raises ValueError with the name if the table is wrong.
    """
    makers = parameters or {}
    try:
        said = dict(operation_table()["operations"][edit.__name__])
        made = tuple(_parameter(each, makers) for each in said.pop("parameters", ()))
        if unknown := makers.keys() - {each.name for each in made}:
            raise KeyError(*unknown)
        options = tuple(Option(name, **_tuples(each)) for name, each in said.pop("options", {}).items())
        reasons: dict[str, Any] = {"disabled_reasons": disabled_reasons} if disabled_reasons else {}
        menu = Menu(**said.pop("menu"), **reasons) if "menu" in said or reasons else None
        asked = form(**said.pop("form")) if "form" in said or form is not Form else None
        return Operation(edit, parameters=made, options=options, menu=menu, form=asked, run=run, **said)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"operations.json, {edit.__name__}: {error}") from error


def _parameter(said: str | Mapping[str, Any], makers: Mapping[str, Callable[..., Argument]]) -> Argument:
    words = _tuples(_attributes(said))
    kind = KINDS[words.pop("kind")]
    return makers.get(words["name"], Argument)(kind=kind, **words)


def _attributes(said: str | Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a parameter, with those of the shared one that it is or is like."""
    if isinstance(said, str):
        return {"name": said} | _attributes(operation_table()["shared parameters"][said])
    own = dict(said)
    return (_attributes(own.pop("like")) if "like" in own else {}) | own


def _tuples(said: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in said.items()}
