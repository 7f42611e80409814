"""The classes that declare operations: arguments, options of the command line, menu entries, forms.

    RETIME = Operation(
        edit=retime,
        title=N_("Retime"),
        summary=N_("Make the recording longer or shorter by a factor"),
        parameters=(Argument("factor", kinds.NUMBER, help=N_("the factor"), label=N_("Factor"), default=2.0),),
        options=(Option("--retime", help=N_("scale all times by a factor"), values=("factor",)),),
    )

Texts are English and marked by `N_`; the command line, the window and the guide say them when they show them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from inspect import signature
from typing import Literal, NamedTuple

from ...errors import EditError
from ...progress import SILENT, Progress
from ...reading import Ghost, Life, short_blueprint
from ...recording import Edit, Snapshot
from ...texts import listed, say, say_count
from ..intents import NamedActor, frame_at, frames_between, frames_of, lives_of_names
from .kinds import ACTOR, AT, PAIR, ArgumentKind

MenuPath = Literal["Actor", "Actor/New", "Actor/Path", "Recording", "Recording/Time"]
"""The menus of the window that operations stand in."""

Icon = Literal["add", "clock", "delete", "duplicate", "star", "trim"]
"""The icons of operations; the window has one of each name."""

FrameRange = Literal["none", "life", "recording", "named", "exclusive"]
"""The frames of an operation without `from` and `to`: see `Operation.frame_range`."""

_MAX_NAMES = 4


class OperationResult(NamedTuple):
    """The result of an operation.

    Attributes:
        edit: The edit.
        remarks: Sentences on losses and other effects.
        is_lossy: Whether something is lost.
    """

    edit: Edit
    remarks: tuple[str, ...] = ()
    is_lossy: bool = False


@dataclass(frozen=True)
class Situation:
    """The context of an operation; defaults, choices and reasons are functions of it.

    Attributes:
        snapshot: The state of the recording.
        lives: The selected ones.
        frame_index: The shown frame.
        span: The range that is set, or None.
    """

    snapshot: Snapshot
    lives: Sequence[Life] = ()
    frame_index: int = 0
    span: range | None = None


Reason = Callable[[Situation], str | None]
"""Why an operation cannot be used; None if it can."""

Arguments = Mapping[str, object]
"""Arguments by name, as JSON has them."""


# --- a call ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OperationCall:
    """A call of an operation.

    Attributes:
        snapshot: The state of the recording.
        given: Valid arguments.
        progress: The progress of the call.
        chosen: The lives of the argument `actors`, if they are known already.
        source: The other recording of `paste_actor`.
    """

    snapshot: Snapshot
    given: Arguments
    progress: Progress = SILENT
    chosen: Sequence[Life] | None = None
    source: Snapshot | None = None

    def __getitem__(self, name: str) -> object:
        """Return an argument as it was given; None without it."""
        return self.given.get(name)

    # --- arguments by their types -----------------------------------------------------------------------

    def number(self, name: str, default: float = 0.0) -> float:
        """Return a number."""
        value = self[name]
        if value is None:
            return default
        assert isinstance(value, (int, float))
        return float(value)

    def whole(self, name: str) -> int | None:
        """Return a whole number, or None without it."""
        value = self[name]
        assert value is None or isinstance(value, int)
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """Return a switch."""
        value = self[name]
        if value is None:
            return default
        return bool(value)

    def text(self, name: str) -> str:
        """Return a text that is needed."""
        value = self[name]
        assert isinstance(value, str)
        return value

    def text_or_none(self, name: str) -> str | None:
        """Return a text, or None without it."""
        if self[name] is None:
            return None
        return self.text(name)

    def moment(self, name: str) -> float | str | None:
        """Return seconds, the number of a frame (`f250`), or None without it."""
        value = self[name]
        assert value is None or isinstance(value, (int, float, str))
        return value

    def ground_point(self, name: str) -> tuple[float, float]:
        """Return x and y (m) of a point that is needed."""
        x, y = self._numbers(name)
        return x, y

    def shift(self, name: str) -> tuple[float, float, float]:
        """Return x, y and z (m) of a shift; zeros without it."""
        if self[name] is None:
            return (0.0, 0.0, 0.0)
        x, y, z = self._numbers(name)
        return x, y, z

    def _numbers(self, name: str) -> list[float]:
        values = self[name]
        assert isinstance(values, Sequence)
        return [float(value) for value in values]

    @property
    def named_actors(self) -> Sequence[NamedActor]:
        """The argument `actors`."""
        named = self["actors"]
        assert isinstance(named, Sequence)
        return named

    # --- lives ------------------------------------------------------------------------------------------

    @property
    def lives(self) -> Sequence[Life]:
        """The lives of the argument `actors`."""
        if self.chosen is not None:
            return self.chosen
        return lives_of_names(self.source or self.snapshot, self.named_actors)

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

    # --- frames -----------------------------------------------------------------------------------------

    @property
    def frames(self) -> range | None:
        """The frames from `from` to `to`, inclusive; None if neither is given."""
        if "from" not in self.given and "to" not in self.given:
            return None
        return self._frames(inclusive=True)

    @property
    def frames_before(self) -> range:
        """The frames from `from` to `to`, exclusive."""
        return self._frames(inclusive=False)

    def frames_or(self, life: Life) -> range:
        """Return `frames`, or those of a life."""
        frames = self.frames
        if frames is None:
            return frames_of(self.snapshot, [life])
        return frames

    def _frames(self, *, inclusive: bool) -> range:
        return frames_between(self.snapshot, self.moment("from"), self.moment("to"), inclusive=inclusive)


# --- declarations ---------------------------------------------------------------------------------------


DefaultValue = str | float | tuple[float, ...] | None
"""What a field may hold first; switches are truth values."""


@dataclass(frozen=True)
class Argument:
    """One argument of an operation.

    Attributes:
        name: Its name in scripts.
        kind: Its kind.
        needed: Whether it has to be given.
        metavar: The placeholder in the help, if not that of the kind.
        detail: The option of the command line that gives it after a change.
        help: What it is, for help and guide.
        script_help: What it is in scripts, if that is something else.
        label: The label of its field in the form, one for each of the kind's axes; empty: it is not in the form.
        default: What its field holds first, or a function that returns it; None: nothing.
        low: The least number that its field takes.
        high: The largest one.
        step: The step of its field.
        unit: The unit of its field, if not that of the kind.
        tip: The tooltip of its field.
        hint: The text of the empty field.
        choices: The values to choose from, and their names.
        flags: The bits that may be set, and their names.
        offers: Returns texts that its field suggests.
        remove_label: The label of a box that removes the value.
        private: Whether it is in the window only.
    """

    name: str
    kind: ArgumentKind
    _: KW_ONLY
    needed: bool = True
    metavar: str = ""
    detail: str = ""
    help: str = ""
    script_help: str = ""
    label: str | tuple[str, ...] | Callable[[Situation], str] = ""
    default: DefaultValue | Callable[[Situation], object] = None
    low: float | None = None
    high: float | None = None
    step: float = 1.0
    unit: str = ""
    tip: str = ""
    hint: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[int, str] = field(default_factory=dict)
    offers: Callable[[Situation], Sequence[str]] | None = None
    remove_label: str = ""
    private: bool = False

    @property
    def takes(self) -> str:
        """The values in a script, in words."""
        if self.needed or self.kind.fits(None):
            return self.kind.takes
        return say("{takes}, or null", takes=self.kind.takes)

    @property
    def typed(self) -> str:
        """The placeholder in the help of the command line; empty for a switch."""
        is_switch = self.detail and isinstance(self.default, bool)
        if is_switch:
            return ""
        return self.metavar or self.kind.metavar

    def fits(self, value: object) -> bool:
        """Return whether a script may hold a value."""
        return (value is None and not self.needed) or self.kind.fits(value)

    def default_in(self, situation: Situation) -> object:
        """Return what its field holds first."""
        if callable(self.default):
            return self.default(situation)
        return self.default

    def value_in(self, call: OperationCall) -> object:
        """Return the value that an edit takes; the argument is given."""
        if self.kind is AT:
            moment = call.moment(self.name)
            assert moment is not None
            return frame_at(call.snapshot, moment)
        return self.kind.value(call[self.name])


@dataclass(frozen=True)
class Option:
    """An option of `edit` that makes a change.

    Attributes:
        name: The option, as in `--move`.
        help: What it does.
        values: The names of the arguments in its value, after ACTORS= if the operation is about actors; those that are
            not needed may be left out from the end.
        fixed: Arguments that the option implies.
        values_optional: Whether ACTORS alone is valid.
        per_actor: Whether several actors are edited one after another.
        merge_repeats: Whether several in a row with equal values for different actors are one change.
        is_json: Whether its value is a JSON object of the arguments, or a file of one.
    """

    name: str
    _: KW_ONLY
    help: str
    values: tuple[str, ...] = ()
    fixed: Arguments = field(default_factory=dict)
    values_optional: bool = False
    per_actor: bool = False
    merge_repeats: bool = True
    is_json: bool = False


@dataclass(frozen=True, kw_only=True)
class Menu:
    """The entry in menus, in the list under Ctrl+K and in the list of keys.

    Attributes:
        action: The id of the action.
        path: Menu and submenu.
        section: The section of the menu; a line stands between two.
        icon: The name of its icon.
        key: The shortcut.
        keywords: Further words by which it is found.
        disabled_reasons: Functions that return why it cannot be used.
    """

    action: str
    path: MenuPath = "Actor"
    section: str = ""
    icon: Icon | None = None
    key: str = ""
    keywords: str = ""
    disabled_reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Form:
    """The form of an operation.

    Attributes:
        heading: The heading, a template for the names of the actors.
        verb: The text of the button.
        note: A sentence below the heading, or a function that returns it.
        describe: Returns sentences on the effect. Raises `EditError` for a reason against it.
        ghosts: Returns previews of actors in the shown frame.
        follow: Returns the values that change with a changed field, from its name and all values.
        normalize: Returns the arguments of the values of the fields.
    """

    heading: str
    verb: str
    note: str | Callable[[Situation], str] = ""
    describe: Callable[[OperationCall], tuple[str, ...]] | None = None
    ghosts: Callable[[OperationCall, int], list[Ghost]] | None = None
    follow: Callable[[str, Arguments, Situation], Arguments] | None = None
    normalize: Callable[[Arguments, Situation], Arguments] | None = None


@dataclass(frozen=True, kw_only=True)
class Operation:
    """An operation, whose name is that of its function.

    Attributes:
        edit: The function. Its parameters are named as the arguments, or `lives`, `life`, `first` and `second` (those
            of `actors`) and `frames`; missing or null arguments keep the default of the function.
        title: Its title.
        summary: What it does: a sentence without a full stop.
        parameters: Its arguments.
        options: Its options of the command line.
        frame_range: The frames without `from` and `to`: those of the life, or of the recording. With "named" one of
            the two is needed; with "exclusive" too, and `to` is the first frame after the range.
        menu: Its entry in menus.
        form: Its form; None with a menu: it is run at once.
        progress_text: What is said while it is run at once, a template for the names of the actors.
        in_scripts: Whether scripts can hold its arguments.
        run: Calls the function, if the parameters of that are others.
    """

    edit: Callable[..., object]
    title: str
    summary: str
    parameters: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    frame_range: FrameRange = "none"
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
        if self.run is None:
            result: Edit | OperationResult = self._run_edit(call)
        else:
            result = self.run(call)
        if isinstance(result, OperationResult):
            return result
        remarks = tuple(loss.message for loss in result.losses)
        return OperationResult(result, remarks, bool(result.losses))

    def _run_edit(self, call: OperationCall) -> Edit:
        """Call the function with those of the arguments that are its parameters."""
        takes = signature(self.edit).parameters
        values: dict[str, object] = {}
        for name, argument in self.arguments.items():
            if name in takes and call[name] is not None:
                values[name] = argument.value_in(call)
        if "lives" in takes:
            values["lives"] = call.lives
        if "life" in takes:
            values["life"] = call.life
        if "progress" in takes:
            values["progress"] = call.progress
        if "second" in takes:
            first, second = call.pair
            values["first"] = first
            values["second"] = second
        if "frames" in takes and self.frame_range == "exclusive":
            values["frames"] = call.frames_before
        elif "frames" in takes:
            values["frames"] = call.frames
        edit = self.edit(call.snapshot, **values)
        assert isinstance(edit, Edit)
        return edit

    @cached_property
    def arguments(self) -> Mapping[str, Argument]:
        """The arguments in scripts, by name."""
        return {argument.name: argument for argument in self.parameters if not argument.private}

    @property
    def actors(self) -> ArgumentKind | None:
        """The kind of `actors`: several, one, two; None if it has none."""
        argument = self.arguments.get("actors")
        if argument is not None:
            return argument.kind
        return None

    @property
    def needs_frames(self) -> bool:
        """Whether `from` or `to` is needed."""
        return self.frame_range in ("named", "exclusive")

    @property
    def most(self) -> int | None:
        """The largest number of actors of one call; None: any, or none."""
        if self.actors is ACTOR:
            return 1
        if self.actors is PAIR:
            return 2
        return None


# --- texts ----------------------------------------------------------------------------------------------


def named(life: Life) -> str:
    """Return a life as forms name it: `174 tesla.model3`."""
    return f"{life.actor} {short_blueprint(life.blueprint)}"


def names_of(lives: Sequence[Life]) -> str:
    """Return the names of several lives, the first few of many."""
    names = listed(map(named, lives[:_MAX_NAMES]))
    more = len(lives) - _MAX_NAMES
    if more <= 0:
        return names
    return say("{names} and {more:,} more", names=names, more=more)


def describe_frames(call: OperationCall) -> tuple[str, ...]:
    """Return a sentence on the frames and seconds of a call: those given, those of the lives, or all."""
    elapsed = call.snapshot.elapsed
    frames = call.frames
    if frames is None:
        if call.chosen is not None or call["actors"] is not None:
            frames = frames_of(call.snapshot, call.lives)
        else:
            frames = range(len(elapsed))
    frames = range(max(0, frames.start), min(frames.stop, len(elapsed)))
    seconds = 0.0
    if len(frames):
        seconds = float(elapsed[frames.stop - 1] - elapsed[frames.start])
    return (say_count("Over 1 frame", "Over {count:,} frames, {seconds:.3f} s", count=len(frames), seconds=seconds),)
