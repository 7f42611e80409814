"""The form of an operation, made from its declaration: fields by kind, what they lead to, the command that does it.

Which operations there are, and what they ask, stands in `edits.operations`.
"""

import math
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
    """Return the same lives in a state that may be a later one.

    Raises:
        EditError: One of them is no longer there.
    """
    actors = Actors.of(snapshot)
    later_lives = []
    for life in lives:
        for candidate in actors.of_id(life.actor):
            if candidate.born == life.born:
                later_lives.append(candidate)
                break
        else:
            raise EditError(say("Actor {actor} is no longer there as it was; choose it again.", actor=life.actor))
    return later_lives


def find_life(snapshot: Snapshot, text: str, frame_index: int) -> Life:
    """Return the life of a typed id, which may have words behind it, that is nearest to a frame.

    Raises:
        EditError: The text begins with no id, or no actor has it.
    """
    number = text.strip().partition(" ")[0]
    if not (number.isascii() and number.isdigit()):
        raise EditError(say("“{text}” names no actor; write an id, as in 174.", text=text))
    life = Actors.of(snapshot).nearest(int(number), frame_index)
    if life is None:
        raise EditError(say("There is no actor {actor} in this recording.", actor=number))
    return life


def form_spec(session: Session, operation: Operation, lives: Sequence[Life] = ()) -> FormSpec:
    """Return the form of an operation on these lives."""
    return _OperationForm(session, operation, lives).spec(names=names_of(lives))


def paste_form_spec(session: Session, copied: CopiedActor, source: SourceOf) -> FormSpec:
    """Return the form that pastes an actor of another recording, which `source` opens."""
    name = f"{copied.actor} {short_blueprint(copied.blueprint)}"
    return _PasteForm(session, copied, source).spec(actor=name, file=copied.path.name)


class _OperationForm:
    """The form of an operation: its fields, and their values as arguments of the operation."""

    def __init__(self, session: Session, operation: Operation, lives: Sequence[Life]) -> None:
        self.session = session
        self.operation = operation
        self.lives = lives
        self.here = situation(session, lives)
        assert operation.form is not None
        self.form: Form = operation.form
        self.is_drawn = "path" in operation.arguments
        self.proposed: dict[str, object] = {}
        for argument in operation.parameters:
            if argument.label:
                self.proposed[argument.name] = argument.default_in(self.here)

    def spec(self, **about: str) -> FormSpec:
        """The description for the dialog; `about` fills the heading."""
        form = self.form
        note = form.note
        if callable(note):
            note = note(self.here)
        fields: list[FieldSpec] = []
        for argument in self.operation.parameters:
            fields.extend(self.fields(argument))
        return FormSpec(
            title=say(self.operation.title),
            heading=say(form.heading, **about),
            verb=say(form.verb),
            fields=tuple(fields),
            make=self.make,
            note=say(note),
            tell=self.tell,
            command=self.command,
            ghosts=None if form.ghosts is None else self.ghosts,
            follow=None if form.follow is None else self.follow,
            drive=self.drive if self.is_drawn else None,
        )

    # --- fields -----------------------------------------------------------------------------------------

    def fields(self, argument: Argument) -> list[FieldSpec]:
        """The fields of an argument; none where the form does not ask for it."""
        if argument.name == "from":
            if self.operation.needs_frames or self.is_drawn:
                return self._first_and_last()
            return [self._frames()]
        label = argument.label
        if callable(label):
            label = label(self.here)
        if not label:
            return []
        field = FieldSpec(
            argument.name,
            label="",
            kind="number",
            value=self.proposed[argument.name],
            unit=argument.unit or argument.kind.unit,
            low=argument.low,
            high=argument.high,
            step=argument.step,
            tip=say(argument.tip),
        )
        if isinstance(label, tuple):
            return self._axis_fields(argument, label, field)
        field = replace(field, label=say(label))
        if argument.kind.name == "values":
            return self._weather_fields(argument)
        if argument.kind.name in _NUMBERS or argument.kind.name in _WHOLE:
            return [self._number_field(argument, field)]
        special_field = self._field_of_kind(argument, field)
        if special_field is not None:
            return [special_field]
        choices = _choices(argument)
        if choices:
            return [_choice_field(argument, choices, field)]
        return self._text_fields(argument, field)

    def _field_of_kind(self, argument: Argument, field: FieldSpec) -> FieldSpec | None:
        """The field of a kind that has an editor of its own; None for all other kinds."""
        kind = argument.kind.name
        if kind == "angle":
            return replace(field, kind="angle")
        if kind == "points":
            return replace(field, kind="path")
        if kind == "frame":
            names = {0: say("Whole recording"), 1: say("Frame {frame:,} only", frame=self._frame + 1)}
            return replace(field, kind="choice", value=0, choices=names)
        if kind == "bits":
            return replace(field, kind="flags", choices=value_names(argument.flags))
        if kind == "flag" and isinstance(field.value, bool):
            return replace(field, kind="check")
        return None

    def _axis_fields(self, argument: Argument, labels: tuple[str, ...], field: FieldSpec) -> list[FieldSpec]:
        """One field for each axis of a vector."""
        vector = field.value
        assert isinstance(vector, Sequence)
        fields = []
        for axis, label, value in zip(argument.kind.axes, labels, vector, strict=True):
            fields.append(replace(field, name=axis, label=say(label), value=value))
        return fields

    def _number_field(self, argument: Argument, field: FieldSpec) -> FieldSpec:
        """A field of a number; it may be empty where the argument need not be given."""
        if argument.kind.name in _WHOLE:
            return replace(field, kind="whole", optional=not argument.needed, hint=say(argument.hint))
        is_optional = not argument.needed and field.value is None
        return replace(field, optional=is_optional, hint=say(argument.hint))

    def _text_fields(self, argument: Argument, field: FieldSpec) -> list[FieldSpec]:
        """A field of text with what it suggests, and the box that removes the value, if there is one."""
        if argument.kind.name == "pair":
            second = ""
            if len(self.lives) > 1:
                second = named(self.lives[1])
            return [replace(field, name="other", kind="text", value=second, offers=self._actors_of_class())]
        offers: Sequence[str] = ()
        if argument.offers is not None:
            offers = argument.offers(self.here)
        fields = [replace(field, kind="text", offers=tuple(offers))]
        if argument.remove_label:
            fields.append(FieldSpec("without", say(argument.remove_label), "check", False))
        return fields

    @property
    def _frame(self) -> int:
        return self.here.frame_index

    def _frames(self) -> FieldSpec:
        """The field of frames, with the scope of edits; instead of one frame it proposes the range or the life."""
        scope: Scope = self.session.editing.scope
        if scope == "frame":
            scope = "range" if self.session.range.is_set else "life"
        choices = {}
        if self.operation.frame_range == "recording":
            choices = {0: say("Whole recording")}
        return FieldSpec("frames", say("Frames"), "frames", scope, choices=choices)

    def _first_and_last(self) -> list[FieldSpec]:
        """The fields of the first and last frame: the in-out range, else from the current frame on, within the life."""
        frame_count = self.session.frames
        if self.lives:
            possible = frames_of(self.here.snapshot, self.lives[:1])
        else:
            possible = range(frame_count)
        wanted = self.here.span or range(self._frame, frame_count)
        first = max(wanted.start, possible.start)
        stop = min(wanted.stop, possible.stop)
        if first >= stop:
            first = possible.start
            stop = possible.stop
        return [
            FieldSpec("first", say("First frame"), "whole", first + 1, low=1, high=frame_count),
            FieldSpec("last", say("Last frame"), "whole", stop, low=1, high=frame_count),
        ]

    def _proposed_weather(self, argument: Argument) -> Mapping[str, float | None]:
        """The values that the fields of Weather hold first, by field name."""
        values = self.proposed[argument.name]
        assert isinstance(values, Mapping)
        return values

    def _weather_fields(self, argument: Argument) -> list[FieldSpec]:
        """One field for each field of the packet Weather."""
        values = self._proposed_weather(argument)
        weather = self.here.snapshot.dialect.by_name("Weather")
        assert weather is not None
        fields = []
        for name, field in weather.record.fields.items():
            fields.append(
                FieldSpec(
                    name,
                    field.label.capitalize(),
                    "number",
                    values[name] or 0.0,
                    field.unit,
                    step=field.step or 1,
                    tip=say(field.meaning),
                )
            )
        return fields

    def _actors_of_class(self) -> tuple[str, ...]:
        """The names of all other lives of the class of the first one."""
        first = self.lives[0]
        names = []
        for life in Actors.of(self.here.snapshot):
            if life.index != first.index and life.class_ == first.class_:
                names.append(named(life))
        return tuple(names)

    # --- their values -----------------------------------------------------------------------------------

    def arguments(self, values: Values) -> Mapping[str, object]:
        """The values of the fields as a script would hold them."""
        arguments: dict[str, object] = {}
        for argument in self.operation.parameters:
            if argument.name == "from":
                frames = self._frames_in(values)
                if frames is not None:
                    arguments["from"] = f"#{frames.start + 1}"
                    arguments["to"] = f"#{frames.stop}"
            elif argument.kind.axes:
                if argument.label:
                    arguments[argument.name] = [values[axis] for axis in argument.kind.axes]
            elif argument.kind.name == "values":
                arguments[argument.name] = self._changed_weather(argument, values)
            elif argument.kind.name == "frame":
                arguments[argument.name] = self._frame if values[argument.name] else None
            elif argument.name in values:
                arguments[argument.name] = _value_of(argument, values)
        if self.form.normalize is not None:
            return self.form.normalize(arguments, self.here)
        return arguments

    def _changed_weather(self, argument: Argument, values: Values) -> dict[str, float]:
        """The fields of Weather whose value was changed."""
        changed: dict[str, float] = {}
        for name, proposed in self._proposed_weather(argument).items():
            # What stands there may be no number at all, and stays it.
            if proposed is None or _differ(values[name], proposed):
                changed[name] = values[name]
        return changed

    def _frames_in(self, values: Values) -> range | None:
        if "first" in values:
            return range(values["first"] - 1, values["last"])
        frames: range | None = values["frames"]
        return frames

    def _lives_in(self, values: Values) -> Sequence[Life] | None:
        """The lives that the operation changes, with the typed one; None for an operation on no actors."""
        if self.operation.most != 2:
            return self.lives or None
        other: str = values["other"]
        lives = [self.lives[0]]
        if other.strip():
            lives.append(find_life(self.session.snapshot_or_refuse(), other, self._frame))
        return lives

    def _call(self, values: Values) -> OperationCall:
        return OperationCall(self.session.snapshot_or_refuse(), self.arguments(values), chosen=self._lives_in(values))

    # --- the edit and its preview -----------------------------------------------------------------------

    def make(self, snapshot: Snapshot, values: Values, progress: Progress) -> Edit:
        """Make the edit, of a state that may be a later one."""
        chosen = self._lives_in(values)
        if chosen is not None:
            chosen = again(snapshot, chosen)
        return self.operation.do(OperationCall(snapshot, self.arguments(values), progress, chosen)).edit

    def tell(self, values: Values) -> str:
        """Say what the operation will do."""
        self.session.drawing.on_lanes = str(values.get("blueprint")).startswith("vehicle.")
        if self.form.describe is not None:
            return listed(self.form.describe(self._call(values)), "sentences")
        if "from" in self.operation.arguments:
            return listed(describe_frames(self._call(values)), "sentences")
        return ""

    def ghosts(self, values: Values) -> Sequence[Ghost]:
        """Return the poses that the actors would have in the current frame."""
        assert self.form.ghosts is not None
        return self.form.ghosts(self._call(values), self.session.selection.frame_index)

    def drive(self, snapshot: Snapshot, values: Values, progress: Progress) -> NewActor:
        """Return the actor that would drive along the drawn path."""
        return NewActor(snapshot, WantedActor.of_arguments(self.arguments(values)), progress)

    def follow(self, name: str, values: Values) -> Values:
        """Return the values of the fields that follow the changed one."""
        assert self.form.follow is not None
        return self.form.follow(name, values, self.here)

    def command(self, values: Values) -> Sequence[str] | None:
        """Return the arguments of the command line that does it to the file; None where there are none."""
        snapshot = self.session.snapshot_or_refuse()
        lives = self._lives_in(values)
        if self.operation.most == 2 and (lives is None or len(lives) < 2):
            return None
        frames = None
        if "from" in self.operation.arguments:
            frames = self._frames_in(values)
        actors = ""
        if lives is not None:
            actors = format_lives(snapshot, lives)
        words = command_words(self.operation, self.arguments(values), actors, frame_options(snapshot, frames))
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
        actors = f"{self.copied.file}:{self.copied.actor}@{self.copied.born + 1}"
        words = command_words(self.operation, self.arguments(values), actors, [])
        if words is None:
            return None
        return ["edit", *words]


def _choices(argument: Argument) -> list[tuple[object, str]]:
    """The values that an argument may have, and their names; none where any value of its kind will do."""
    if argument.kind.name == "flag" and argument.default is None:
        return list(_FROZEN)
    return list(argument.choices.items())


def _choice_field(argument: Argument, choices: Sequence[tuple[object, str]], field: FieldSpec) -> FieldSpec:
    """A field that holds the index of one of the choices."""
    name_of = value_name if argument.kind.name == "state" else say
    names = {index: name_of(name) for index, (_, name) in enumerate(choices)}
    values = [value for value, _ in choices]
    return replace(field, kind="choice", value=values.index(field.value), choices=names)


def _value_of(argument: Argument, values: Values) -> object:
    """The value that stands in the field of an argument; None where the box that removes it is ticked."""
    if argument.remove_label and values["without"]:
        return None
    value = values[argument.name]
    choices = _choices(argument)
    if choices:
        return choices[value][0]
    return value


def _differ(value: float, proposed: float) -> bool:
    """Whether a value was changed; a NaN stays what it was."""
    return value != proposed and not math.isnan(value)
