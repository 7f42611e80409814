"""The words in which operations are declared: arguments, options of the command line, menu entries, forms.

An operation is data and functions of a state of a recording. What it looks like in a window or a terminal is derived
elsewhere. Sentences are patterns with `%1`, so that a window can translate them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import signature
from typing import Any, Literal, NamedTuple

from ...errors import EditError
from ...progress import SILENT, Progress
from ...recording.history import Edit
from ...recording.lives import Life, short_blueprint
from ...recording.snapshot import Snapshot
from ..intents import frame_at, frames_between, frames_of, lives_named
from .kinds import ACTOR, AT, PAIR, Kind

_MOST_NAMES = 4


class OperationResult(NamedTuple):
    """What an operation made.

    Attributes: `edit`, `remarks` (sentences on what could not be carried, or what to know), `is_lossy` (something is
    gone for good).
    """

    edit: Edit
    remarks: tuple[str, ...] = ()
    is_lossy: bool = False


class Sentence(NamedTuple):
    """A pattern in which `%1`, `%2`... stand for `values`: texts, or sentences again."""

    text: str
    values: tuple[Any, ...] = ()

    def filled(self, translated: Callable[[str], str] = str) -> str:
        """The sentence, its pattern translated."""
        text = translated(self.text)
        for number, value in enumerate(self.values, 1):
            text = text.replace(f"%{number}", value.filled(translated) if isinstance(value, Sentence) else value)
        return text


@dataclass(frozen=True)
class Situation:
    """What an operation is asked for: `snapshot`, `lives` (chosen ones), `frame_index` (shown), `span` (in to out).

    `span` is None where no range is set.
    """

    snapshot: Snapshot
    lives: Sequence[Life] = ()
    frame_index: int = 0
    span: range | None = None


@dataclass(frozen=True)
class Ghost:
    """An edit before it is made: the actor, shifted by (dx, dy) metres, turned by `turn` degrees."""

    actor: int
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0


# --- a call ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """An operation about to be done: `snapshot`, `given` (arguments that fit), and who wants to know or to stop.

    `chosen` are the lives that are meant, where they are known already; `source` is the other recording of `paste`.
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
        """A list of numbers as a tuple, None where there is none."""
        values = self[name]
        return None if values is None else tuple(None if each is None else float(each) for each in values)

    def flag(self, name: str, *, default: bool) -> bool:
        """An argument as a truth value."""
        value = self[name]
        return default if value is None else bool(value)

    @property
    def lives(self) -> Sequence[Life]:
        """Those whom `actors` means."""
        return lives_named(self.source or self.snapshot, self["actors"]) if self.chosen is None else self.chosen

    @property
    def life(self) -> Life:
        """The only one whom `actors` means."""
        return self._exactly(1)[0]

    @property
    def pair(self) -> tuple[Life, Life]:
        """The two whom `actors` means."""
        first, second = self._exactly(2)
        return first, second

    def _exactly(self, number: int) -> Sequence[Life]:
        lives = self.lives
        if len(lives) != number:
            wanted = "one actor" if number == 1 else f"{number} actors"
            meant = "1 is" if len(lives) == 1 else f"{len(lives):,} are"
            raise EditError(
                f"This is done to {wanted} alone, and {meant} meant here; a life is named by a frame it holds, as in "
                "174@250."
            )
        return lives

    @property
    def frames(self) -> range | None:
        """The frames from `from` to the one at `to`; None where neither is named."""
        return self._frames(inclusive=True) if "from" in self.given or "to" in self.given else None

    @property
    def frames_before(self) -> range:
        """The frames from `from` up to, but without, the one at `to`."""
        return self._frames(inclusive=False)

    def frames_or(self, life: Life) -> range:
        """`frames`, or those of a life."""
        return frames_of(self.snapshot, [life]) if self.frames is None else self.frames

    def _frames(self, *, inclusive: bool) -> range:
        return frames_between(self.snapshot, self["from"], self["to"], inclusive=inclusive)


# --- what is declared -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Argument:
    """One argument of an operation.

    Attributes: `name`, `kind`, `needed`; `metavar` (where it differs from the kind's), `detail` (the option behind a
    change that gives it), `says` (its meaning, for help and guide), `means` (in a script, where that is another one);
    `label` (of its field in the form, one for each of the kind's axes; empty: no form asks for it), `default` (None:
    nothing), `low`, `high`, `step`, `unit` (where it differs), `tip`, `hint` (what stands in an empty field), `choices`
    (values and their names), `offers` (texts that are proposed), `absent` (name of a box that takes the value away),
    `private` (asked in the window only: it means something of the open file). What depends on the situation is a
    function of it.
    """

    name: str
    kind: Kind
    needed: bool = True
    metavar: str = ""
    detail: str = ""
    help: str = ""
    script_help: str = ""
    label: str | tuple[str, ...] | Callable[[Situation], Sentence] = ""
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
        """What it may be in a script, in words."""
        return self.kind.takes if self.needed or self.kind.fits(None) else f"{self.kind.takes}, or null"

    @property
    def typed(self) -> str:
        """What stands for it in a command line's help; empty for a switch."""
        is_switch = self.detail and isinstance(self.default, bool)
        return "" if is_switch else self.metavar or self.kind.metavar

    def fits(self, value: Any) -> bool:
        """A script may hold that value."""
        return (value is None and not self.needed) or self.kind.fits(value)

    def default_in(self, situation: Situation) -> Any:
        """What its field proposes."""
        return self.default(situation) if callable(self.default) else self.default

    @property
    def optional(self) -> "Argument":
        """The same, which may be missing or null."""
        return replace(self, needed=False)


@dataclass(frozen=True)
class Option:
    """An option of `edit` that makes a change.

    Attributes: `name`, `says` (for the help), `values` (the arguments in its value, behind WHO= where it is about
    actors; optional ones may be left out from the end), `fixed` (arguments it stands for by itself), `bare` (WHO alone
    will do), `each` (of several actors it is done to one after another), `joins` (several in a row that say the same
    of different actors are one change).
    """

    name: str
    help: str
    values: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    bare: bool = False
    each: bool = False
    joins: bool = True


@dataclass(frozen=True)
class Menu:
    """The entry in menus, palette and list of keys.

    Attributes: `action` (its id), `path` (menu and submenu), `section` (a line stands between two), `icon`, `key`,
    `keywords` (further words it is found by), `against` (reasons against it for these actors).
    """

    action: str
    path: str = "Actor"
    section: str = ""
    icon: str = ""
    key: str = ""
    keywords: str = ""
    disabled_reasons: tuple[Callable[[Situation], Sentence | None], ...] = ()


@dataclass(frozen=True)
class Form:
    """What is asked before the operation is done.

    Attributes: `heading` (a pattern of the actors' names), `verb` (on the button), `note` (a sentence below the
    heading), `tell` (what it will do in words; raises `EditError` for a reason against it), `count` (a further
    sentence that takes longer to find out), `ghosts` (where actors of the frame that is shown would be), `follow` (name
    of a field that was changed and all arguments, to others that follow it), `meant` (what the fields mean, where that
    is not what stands in them).
    """

    heading: str
    verb: str
    note: str | Callable[[Situation], str] = ""
    describe: Callable[[Call], tuple[Sentence, ...]] | None = None
    count: Callable[[Call], tuple[Sentence, ...]] | None = None
    ghosts: Callable[[Call, int], list[Ghost]] | None = None
    follow: Callable[[str, Mapping[str, Any], Situation], Mapping[str, Any]] | None = None
    normalize: Callable[[Mapping[str, Any], Situation], Mapping[str, Any]] | None = None


@dataclass(frozen=True)
class Operation:
    """One edit: `edit` (the function, whose name it has), `title`, `does` (one sentence), and how it is reached.

    The function's parameters are named as the arguments are, or `lives`, `life` or `first` and `second` (those whom
    `actors` means) and `frames`; what is missing or null keeps its default. `run` calls it where it takes other ones.

    Attributes: `parameters`, `options` of the command line, `over` (what `from` and `to` are when they are not named: a
    life, the recording; `named`: one of them must be; `before`: so, too, and the frame at `to` is left out), `menu`,
    `form` (None with a menu: nothing is asked, and `doing` says what is done), `in_scripts` (False: it needs what no
    script can hold).
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
    run: Callable[[Call], Edit | OperationResult] | None = None

    @property
    def name(self) -> str:
        """As scripts call it."""
        return self.edit.__name__

    def do(self, call: Call) -> OperationResult:
        """What it makes of a call; errors are those of the edit."""
        made = self._called(call) if self.run is None else self.run(call)
        return made if isinstance(made, OperationResult) else OperationResult(made)

    def _called(self, call: Call) -> Edit:
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
        """What scripts may hold, by name."""
        return {each.name: each for each in self.parameters if not each.private}

    @property
    def actors(self) -> Kind | None:
        """Whom it is done to: some actors, one, two; None where it is about the recording."""
        argument = self.arguments.get("actors")
        return argument.kind if argument is not None else None

    @property
    def needs_frames(self) -> bool:
        """`from` or `to` must be named."""
        return self.over in ("named", "before")

    @property
    def most(self) -> int | None:
        """To how many actors it is done at once, at the most; None: to any number, or to none."""
        return {ACTOR: 1, PAIR: 2}.get(self.actors) if self.actors is not None else None


# --- words ----------------------------------------------------------------------------------------------


def named(life: Life) -> str:
    """A life as forms call it: `174 tesla.model3`."""
    return f"{life.actor} {short_blueprint(life.blueprint)}"


def names_of(lives: Sequence[Life]) -> Sentence:
    """Several lives, the first few by name."""
    names, more = ", ".join(map(named, lives[:_MOST_NAMES])), len(lives) - _MOST_NAMES
    return Sentence("%1 and %2 more", (names, f"{more:,}")) if more > 0 else Sentence("%1", (names,))


def describe_frames(call: Call) -> tuple[Sentence, ...]:
    """Over how many frames, and how long, an edit goes: those named, those of the lives, or all."""
    elapsed, frames = call.snapshot.elapsed, call.frames
    if frames is None:
        has_lives = call.chosen is not None or call["actors"] is not None
        frames = frames_of(call.snapshot, call.lives) if has_lives else range(len(elapsed))
    frames = range(max(0, frames.start), min(frames.stop, len(elapsed)))
    seconds = float(elapsed[frames.stop - 1] - elapsed[frames.start]) if len(frames) else 0.0
    if len(frames) == 1:
        return (Sentence("Over 1 frame"),)
    return (Sentence("Over %1 frames, %2 s", (f"{len(frames):,}", f"{seconds:.3f}")),)
