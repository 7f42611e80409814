"""The form of an operation, made from its declaration: fields by kind, what they lead to, the command that does it.

Which operations there are, and what they ask, stands in `edits.operations`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ...edits.intents import frames_of
from ...edits.new_actors.add_actor import NewActor, WantedActor
from ...edits.operations import Argument, Operation
from ...edits.operations.command import command_words, format_lives, frame_options
from ...edits.operations.kinds import KindName
from ...edits.operations.new_actors import PASTE_ACTOR
from ...edits.operations.schema import Form, OperationCall, describe_frames, named, names_of
from ...errors import EditError
from ...progress import Progress
from ...reading import Actors, Ghost, Life, short_blueprint
from ...recording import Edit, Snapshot
from ...texts import N_, listed, say, value_name, value_names
from ..session import Scope, Session
from ..session.clipboard import CopiedActor, Source
from ..session.operations import situation
from .fields import FieldSpec, Values
from .form import FormSpec

_NUMBERS: tuple[KindName, ...] = ("number", "length", "seconds", "at")
_WHOLE: tuple[KindName, ...] = ("whole", "stamp", "version")
SourceOf = Callable[[Progress], Source]
_FROZEN: Sequence[tuple[object, str]] = ((None, N_("As it is")), (True, N_("Yes")), (False, N_("No")))


def again(snapshot: Snapshot, lives: Sequence[Life]) -> list[Life]:
    """The same lives in a state that may be a later one; raises `EditError` where one is no longer there."""
    actors = Actors.of(snapshot)
    found = []
    for life in lives:
        same = next((each for each in actors.of_id(life.actor) if each.born == life.born), None)
        if same is None:
            raise EditError(say("Actor {actor} is no longer there as it was; choose it again.", actor=life.actor))
        found.append(same)
    return found


def find_life(snapshot: Snapshot, text: str, frame_index: int) -> Life:
    """The life that somebody typed: an id, perhaps with words behind it. Raises `EditError`."""
    number = text.strip().partition(" ")[0]
    if not (number.isascii() and number.isdigit()):
        raise EditError(say("“{text}” names no actor; write an id, as in 174.", text=text))
    life = Actors.of(snapshot).nearest(int(number), frame_index)
    if life is None:
        raise EditError(say("There is no actor {actor} in this recording.", actor=number))
    return life


def form_spec(session: Session, operation: Operation, lives: Sequence[Life] = ()) -> FormSpec:
    """What a form asks for an operation on these lives."""
    return _OperationForm(session, operation, lives).spec(names=names_of(lives))


def paste_form_spec(session: Session, copied: CopiedActor, source: SourceOf) -> FormSpec:
    """What a form asks for an actor of another recording; `source` opens that one."""
    name = f"{copied.actor} {short_blueprint(copied.blueprint)}"
    return _PasteForm(session, copied, source).spec(actor=name, file=copied.path.name)


class _OperationForm:
    """An operation that is asked for: its fields, and what stands in them as arguments."""

    def __init__(self, session: Session, operation: Operation, lives: Sequence[Life]) -> None:
        self.session = session
        self.operation = operation
        self.lives = lives
        self.here = situation(session, lives)
        assert operation.form is not None
        self.form: Form = operation.form
        self.is_drawn = "path" in operation.arguments
        self.proposed = {each.name: each.default_in(self.here) for each in operation.parameters if each.label}

    def spec(self, **about: str) -> FormSpec:
        """The description for the dialog; `about` fills the heading."""
        form = self.form
        if callable(form.note):
            note = form.note(self.here)
        else:
            note = form.note
        return FormSpec(
            say(self.operation.title),
            say(form.heading, **about),
            say(form.verb),
            tuple(ask for each in self.operation.parameters for ask in self.fields(each)),
            self.make,
            say(note),
            self.tell,
            self.command,
            self.ghosts if form.ghosts is not None else None,
            self.follow if form.follow is not None else None,
            self.drive if self.is_drawn else None,
        )

    # --- fields -----------------------------------------------------------------------------------------

    def fields(self, each: Argument) -> list[FieldSpec]:
        """The fields of an argument."""
        if each.name == "from":
            if self.operation.needs_frames or self.is_drawn:
                return self._first_and_last()
            return [self._frames()]
        label = each.label(self.here) if callable(each.label) else each.label
        if not label:
            return []
        value = self.proposed[each.name]
        kind = each.kind.name
        ask = FieldSpec(
            each.name,
            label="",
            kind="number",
            value=value,
            unit=each.unit or each.kind.unit,
            low=each.low,
            high=each.high,
            step=each.step,
            tip=say(each.tip),
        )
        if isinstance(label, tuple):
            assert isinstance(value, Sequence)
            parts = zip(each.kind.axes, label, value, strict=True)
            return [replace(ask, name=axis, label=say(text), value=part) for axis, text, part in parts]
        ask = replace(ask, label=say(label))
        if kind in _WHOLE:
            return [replace(ask, kind="whole", optional=not each.needed, hint=say(each.hint))]
        if kind in _NUMBERS:
            optional = not each.needed and value is None
            return [replace(ask, kind="number", optional=optional, hint=say(each.hint))]
        if kind == "angle":
            return [replace(ask, kind="angle")]
        if kind == "values":
            return self._fields(each)
        if kind == "points":
            return [replace(ask, kind="path")]
        if kind == "frame":
            names = {0: say("Whole recording"), 1: say("Frame {frame:,} only", frame=self._frame + 1)}
            return [replace(ask, kind="choice", value=0, choices=names)]
        if kind == "bits":
            return [replace(ask, kind="flags", choices=value_names(each.flags))]
        if kind == "flag" and isinstance(value, bool):
            return [replace(ask, kind="check")]
        choices = _choices(each)
        if choices:
            shown = value_name if kind == "state" else say
            names = dict(enumerate(shown(name) for _, name in choices))
            index = [choice for choice, _ in choices].index(value)
            return [replace(ask, kind="choice", value=index, choices=names)]
        if kind == "pair":
            if len(self.lives) > 1:
                second = named(self.lives[1])
            else:
                second = ""
            return [replace(ask, name="other", kind="text", value=second, offers=self._alike())]
        if each.offers is not None:
            offers = tuple(each.offers(self.here))
        else:
            offers = ()
        if each.remove_label:
            box = [FieldSpec("without", say(each.remove_label), "check", False)]
        else:
            box = []
        return [replace(ask, kind="text", offers=offers), *box]

    @property
    def _frame(self) -> int:
        return self.here.frame_index

    def _frames(self) -> FieldSpec:
        """The frames that are proposed are those edits are meant for now, but for a single one something longer."""
        scope: Scope = self.session.editing.scope
        if scope == "frame":
            scope = "range" if self.session.range.is_set else "life"
        if self.operation.frame_range == "recording":
            every = {0: say("Whole recording")}
        else:
            every = {}
        return FieldSpec("frames", say("Frames"), "frames", scope, choices=every)

    def _first_and_last(self) -> list[FieldSpec]:
        """Proposed are those from in to out, else from here on, of the life."""
        frames = self.session.frames
        if self.lives:
            whole = frames_of(self.here.snapshot, self.lives[:1])
        else:
            whole = range(frames)
        wanted = self.here.span or range(self._frame, frames)
        first, stop = max(wanted.start, whole.start), min(wanted.stop, whole.stop)
        if first >= stop:
            first, stop = whole.start, whole.stop
        return [
            FieldSpec("first", say("First frame"), "whole", first + 1, low=1, high=frames),
            FieldSpec("last", say("Last frame"), "whole", stop, low=1, high=frames),
        ]

    def _proposed_values(self, each: Argument) -> Mapping[str, float | None]:
        """What stands in the fields of Weather first."""
        values = self.proposed[each.name]
        assert isinstance(values, Mapping)
        return values

    def _fields(self, argument: Argument) -> list[FieldSpec]:
        """The fields of Weather."""
        now = self._proposed_values(argument)
        kind = self.here.snapshot.dialect.by_name("Weather")
        assert kind is not None
        made: list[FieldSpec] = []
        for name, each in kind.record.fields.items():
            label = each.label.capitalize()
            value = now[name] or 0.0
            step = each.step or 1
            made.append(FieldSpec(name, label, "number", value, each.unit, step=step, tip=say(each.meaning)))
        return made

    def _alike(self) -> tuple[str, ...]:
        first = self.lives[0]
        every = Actors.of(self.here.snapshot)
        return tuple(named(each) for each in every if each.index != first.index and each.class_ == first.class_)

    # --- what stands in them ----------------------------------------------------------------------------

    def arguments(self, values: Values) -> Mapping[str, object]:
        """The values of the fields as a script would hold them."""
        made: dict[str, object] = {}
        for each in self.operation.parameters:
            if each.name == "from":
                frames = self._frames_in(values)
                if frames is None:
                    made |= {}
                else:
                    made |= {"from": f"#{frames.start + 1}", "to": f"#{frames.stop}"}
            elif each.kind.axes:
                if each.label:
                    made |= {each.name: [values[axis] for axis in each.kind.axes]}
                else:
                    made |= {}
            elif each.kind.name == "values":
                changed: dict[str, float] = {}
                for name, now in self._proposed_values(each).items():
                    # What stands there may be no number at all, and stays it.
                    if now is None or _differ(values[name], now):
                        changed[name] = values[name]
                made[each.name] = changed
            elif each.kind.name == "frame":
                made[each.name] = self._frame if values[each.name] else None
            elif each.name in values:
                value = values[each.name]
                choices = _choices(each)
                if choices:
                    made[each.name] = choices[value][0]
                else:
                    made[each.name] = value
                if each.remove_label and values["without"]:
                    made[each.name] = None
        if self.form.normalize is not None:
            return self.form.normalize(made, self.here)
        return made

    def _frames_in(self, values: Values) -> range | None:
        if "first" in values:
            return range(values["first"] - 1, values["last"])
        frames: range | None = values["frames"]
        return frames

    def _lives_in(self, values: Values) -> Sequence[Life] | None:
        """Those whom it is done to, the typed one too; None where it is about no actors."""
        if self.operation.most != 2:
            return self.lives or None
        other: str = values["other"]
        if other.strip():
            found = [find_life(self.session.snapshot_or_refuse(), other, self._frame)]
        else:
            found = []
        return [self.lives[0], *found]

    def _call(self, values: Values) -> OperationCall:
        return OperationCall(self.session.snapshot_or_refuse(), self.arguments(values), chosen=self._lives_in(values))

    # --- what they lead to ------------------------------------------------------------------------------

    def make(self, snapshot: Snapshot, values: Values, progress: Progress) -> Edit:
        """The edit, of a state that may be a later one."""
        lives = self._lives_in(values)
        chosen = None
        if lives is not None:
            chosen = again(snapshot, lives)
        return self.operation.do(OperationCall(snapshot, self.arguments(values), progress, chosen)).edit

    def tell(self, values: Values) -> str:
        """What it will do, in words."""
        self.session.drawing.on_lanes = str(values.get("blueprint")).startswith("vehicle.")
        if self.form.describe is not None:
            return listed(self.form.describe(self._call(values)), "sentences")
        if "from" in self.operation.arguments:
            said = describe_frames(self._call(values))
        else:
            said = ()
        return listed(said, "sentences")

    def ghosts(self, values: Values) -> Sequence[Ghost]:
        """Where the actors would be in the frame that is shown."""
        assert self.form.ghosts is not None
        return self.form.ghosts(self._call(values), self.session.selection.frame_index)

    def drive(self, snapshot: Snapshot, values: Values, progress: Progress) -> NewActor:
        """What comes of the path that is drawn."""
        return NewActor(snapshot, WantedActor.of_arguments(self.arguments(values)), progress)

    def follow(self, name: str, values: Values) -> Values:
        """Fields that follow the one that was changed."""
        assert self.form.follow is not None
        return self.form.follow(name, values, self.here)

    def command(self, values: Values) -> Sequence[str] | None:
        """The command line that does it to the file."""
        snapshot = self.session.snapshot_or_refuse()
        lives = self._lives_in(values)
        if self.operation.most == 2 and (lives is None or len(lives) < 2):
            return None
        frames = None
        if "from" in self.operation.arguments:
            frames = self._frames_in(values)
        if lives is not None:
            who = format_lives(snapshot, lives)
        else:
            who = ""
        words = command_words(self.operation, self.arguments(values), who, frame_options(snapshot, frames))
        if words is None:
            return None
        return ["edit", *words]


class _PasteForm(_OperationForm):
    """A paste: the life that is meant is one of another recording."""

    def __init__(self, session: Session, copied: CopiedActor, source: SourceOf) -> None:
        super().__init__(session, PASTE_ACTOR, ())
        self.copied = copied
        self.source = source

    def make(self, snapshot: Snapshot, values: Values, progress: Progress) -> Edit:
        with self.source(progress) as other:
            chosen = [self.copied.life_in(other)]
            call = OperationCall(snapshot, self.arguments(values), progress, chosen, other)
            return self.operation.do(call).edit

    def command(self, values: Values) -> Sequence[str] | None:
        who = f"{self.copied.file}:{self.copied.actor}@{self.copied.born + 1}"
        words = command_words(self.operation, self.arguments(values), who, [])
        if words is None:
            return None
        return ["edit", *words]


def _choices(argument: Argument) -> list[tuple[object, str]]:
    """The values that an argument may have, and what they are called; none where any value of its kind will do."""
    if argument.kind.name == "flag" and argument.default is None:
        return list(_FROZEN)
    return list(argument.choices.items())


def _differ(value: float, now: float) -> bool:
    return value != now and value == value
