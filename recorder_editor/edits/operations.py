"""Every operation that a script may name: which arguments it takes, and how they become a call.

One idea: a table. What is not in it is no operation, so that a script from a stranger can do nothing but edit. Knows
nothing of files of scripts; that is `script`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import EditError
from ..format.dialects import DIALECTS
from ..format.values import parse_value
from ..recording.history import Edit
from ..recording.lives import Life
from ..recording.snapshot import Snapshot
from .actors import (
    duplicate_actor,
    keep_only_actors,
    remove_actors,
    set_actor_id,
    set_attribute,
    set_blueprint,
    set_hero,
    set_role,
    swap_actors,
    trim_life,
)
from .convert import convert
from .fields import add_of_actor, field_of, set_of_actor
from .header import set_header
from .intents import frame_at, frames_between, id_named, is_moment, is_number, lives_named
from .paths import mirror_path, move_actor, move_actors, offset_path, place_actors, smooth_path
from .replace import replace_where
from .resample import resample
from .states import Mode, set_traffic_lights, set_vehicle_lights, set_weather
from .times import order_times, retime, shift
from .trim import cut, trim

Progress = Callable[[int, int], None]
Cancel = Callable[[], bool]

_LARGEST = 0xFFFFFFFF


class Done(NamedTuple):
    """What an operation made.

    Attributes: `edit`, `remarks` (sentences on what could not be carried, or what to know), `is_lossy` (something is
    gone for good).
    """

    edit: Edit
    remarks: tuple[str, ...] = ()
    is_lossy: bool = False


# --- arguments ------------------------------------------------------------------------------------------


class Argument(NamedTuple):
    """One argument: `takes` says in words what it may be, `fits` whether a value is that; `needed` or not."""

    takes: str
    fits: Callable[[Any], bool]
    needed: bool = True

    @property
    def optional(self) -> "Argument":
        """The same, which may be missing or null."""
        return Argument(f"{self.takes}, or null", lambda value: value is None or self.fits(value), needed=False)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST


def _is_row(value: Any, *lengths: int) -> bool:
    return isinstance(value, list) and len(value) in lengths


def _is_name(value: Any) -> bool:
    """An actor: a word, or who it is."""
    if isinstance(value, str):
        return bool(value.strip())
    if not isinstance(value, dict) or not {"id"} <= set(value) <= {"id", "blueprint", "role", "life", "place"}:
        return False
    texts = all(isinstance(value[key], str) for key in ("blueprint", "role") if key in value)
    place = value.get("place", [0, 0, 0])
    return (
        texts and _is_whole(value["id"]) and _is_whole(value.get("life", 0))
        and _is_row(place, 3) and all(isinstance(axis, int) for axis in place)
    )  # fmt: skip


NUMBER = Argument("a number", is_number)
WHOLE = Argument("a whole number from 0 to 4294967295", _is_whole)
STAMP = Argument("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool))
TEXT = Argument("a text", lambda value: isinstance(value, str))
FLAG = Argument("true or false", lambda value: isinstance(value, bool))
ACTORS = Argument(
    'a list of actors: words such as "hero" or "type:vehicle.*", or objects with "id" and "blueprint"',
    lambda value: isinstance(value, list) and bool(value) and all(map(_is_name, value)),
)
MOMENT = Argument('seconds, a frame such as "#250", or null', is_moment, needed=False)
AT = Argument('seconds or a frame such as "#250"', lambda value: value is not None and is_moment(value))
SPACE = Argument("a list of three numbers", lambda value: _is_row(value, 3) and all(map(is_number, value)))
GROUND = Argument("a list of two numbers", lambda value: _is_row(value, 2) and all(map(is_number, value)))
PARTS = Argument(
    "a list of three numbers or nulls",
    lambda value: _is_row(value, 3) and all(each is None or is_number(each) for each in value),
)
VALUES = Argument(
    "an object of names and numbers",
    lambda value: isinstance(value, dict) and bool(value) and all(map(is_number, value.values())),
)
MODE = Argument('"set", "add" or "remove"', lambda value: value in ("set", "add", "remove"))
DIALECT = Argument(f"one of {', '.join(DIALECTS)}", lambda value: isinstance(value, str) and value in DIALECTS)

RANGE = {"from": MOMENT, "to": MOMENT}
EASE = {"ease_in": NUMBER.optional, "ease_out": NUMBER.optional}


# --- a call ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """An operation about to be done: `snapshot`, `given` (arguments that fit), and who wants to know or to stop."""

    snapshot: Snapshot
    given: Mapping[str, Any]
    progress: Progress | None = None
    cancel: Cancel | None = None

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

    @property
    def watched(self) -> dict[str, Any]:
        """`progress` and `cancel`, to be handed on."""
        return {"progress": self.progress, "cancel": self.cancel}

    @property
    def lives(self) -> list[Life]:
        """Those whom `actors` means."""
        return lives_named(self.snapshot, self["actors"])

    @property
    def life(self) -> Life:
        """The only one whom `actors` means."""
        return self._exactly(1)[0]

    @property
    def pair(self) -> tuple[Life, Life]:
        """The two whom `actors` means."""
        first, second = self._exactly(2)
        return first, second

    def _exactly(self, number: int) -> list[Life]:
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
        end = len(self.snapshot) if life.gone is None else life.gone
        return range(life.born, end) if self.frames is None else self.frames

    def _frames(self, *, inclusive: bool) -> range:
        return frames_between(self.snapshot, self["from"], self["to"], inclusive=inclusive)


@dataclass(frozen=True)
class Operation:
    """`run` makes the edit; `arguments` are those it takes, by name."""

    run: Callable[[Call], Edit | Done]
    arguments: Mapping[str, Argument]


def _trim(call: Call) -> Edit:
    return trim(call.snapshot, call.frames_before, rebase_clocks=bool(call["rebase_clocks"]), **call.watched)


def _cut(call: Call) -> Edit:
    return cut(call.snapshot, call.frames_before, rebase_clocks=bool(call["rebase_clocks"]), **call.watched)


def _header(call: Call) -> Edit:
    return set_header(call.snapshot, map_name=call["map_name"], date=call["date"], version=call["version"])


def _set_over(call: Call) -> Edit:
    actor, frames = _of_one_id(call)
    _, leaf = field_of(call.snapshot, call["packet"], call["field"])
    value = parse_value(leaf, call["value"])
    return set_of_actor(call.snapshot, call["packet"], call["field"], actor, value, frames, **call.watched)


def _add_over(call: Call) -> Edit:
    actor, frames = _of_one_id(call)
    delta = call.number("delta")
    return add_of_actor(call.snapshot, call["packet"], call["field"], actor, delta, frames, **call.watched)


def _of_one_id(call: Call) -> tuple[int, range]:
    """The id whose records are meant, which may be one that was never born, and in which frames."""
    named: Sequence[Any] = call["actors"]
    if len(named) == 1 and not isinstance(named[0], str) and "blueprint" not in named[0]:
        every = range(len(call.snapshot))
        return id_named(call.snapshot, named[0]), every if call.frames is None else call.frames
    return call.life.actor, call.frames_or(call.life)


def _traffic_lights(call: Call) -> Edit:
    return set_traffic_lights(
        call.snapshot, call.lives, call["state"], call.frames, frozen=call["frozen"], elapsed=call["elapsed"],
        **call.watched,
    )  # fmt: skip


def _vehicle_lights(call: Call) -> Edit:
    mode: Mode = call["mode"] or "set"
    return set_vehicle_lights(call.snapshot, call.lives, call["mask"], call.frames, mode=mode, **call.watched)


def _weather(call: Call) -> Edit:
    values = {name: float(value) for name, value in call["values"].items()}
    return set_weather(call.snapshot, values, call.frames, **call.watched)


def _move(call: Call) -> Edit:
    return move_actors(
        call.snapshot, call.lives, call.point("offset") or (0.0, 0.0, 0.0), call.number("turn"), call.frames,
        pivot=call.point("pivot"), **_eased(call), **call.watched,
    )  # fmt: skip


def _move_one(call: Call) -> Edit:
    life = call.life
    return move_actor(
        call.snapshot, life, call.frames_or(life), offset=call.point("offset") or (0.0, 0.0, 0.0),
        turn=call.number("turn"), pivot=call.point("pivot"), **call.watched,
    )  # fmt: skip


def _place(call: Call) -> Edit:
    at = frame_at(call.snapshot, call["at"])
    yaw = None if call["yaw"] is None else call.number("yaw")
    return place_actors(
        call.snapshot, call.lives, at, location=call.point("location") or (None, None, None), yaw=yaw,
        frames=call.frames, **_eased(call), **call.watched,
    )  # fmt: skip


def _eased(call: Call) -> dict[str, Any]:
    return {"ease_in": call.number("ease_in"), "ease_out": call.number("ease_out")}


def _mirror(call: Call) -> Edit:
    point, angle = call.point("point"), call.number("angle")
    return mirror_path(call.snapshot, call.lives, call.frames, point, angle, **call.watched)


def _smooth(call: Call) -> Edit:
    return smooth_path(call.snapshot, call.life, call.frames, call.number("window"), **call.watched)


def _sideways(call: Call) -> Edit:
    return offset_path(
        call.snapshot, call.life, call.frames, call.number("metres"), **_eased(call), **call.watched
    )  # fmt: skip


def _remove(call: Call) -> Edit:
    children = True if call["children"] is None else call["children"]
    return remove_actors(call.snapshot, call.lives, children=children, **call.watched)


def _duplicate(call: Call) -> Edit:
    return duplicate_actor(
        call.snapshot, call.life, offset=call.point("offset") or (0.0, 0.0, 0.0), turn=call.number("turn"),
        seconds=call.number("seconds"), new_id=call["new_id"], **call.watched,
    )  # fmt: skip


def _swap(call: Call) -> Edit:
    first, second = call.pair
    return swap_actors(call.snapshot, first, second, **call.watched)


def _convert(call: Call) -> Done:
    made = convert(call.snapshot, call["dialect"], **call.watched)
    remarks = [made.warning] if made.warning else []
    for loss in made.losses:
        first = f" First in frame {loss.frame_index + 1}." if loss.frame_index is not None else ""
        remarks.append(f"{loss.message}{first}")
    return Done(made.edit, tuple(remarks), made.is_lossy)


def _resample(call: Call) -> Done:
    edit = resample(call.snapshot, call.number("step"), **call.watched)
    last, end = (f"{each.elapsed[-1]:.3f}" for each in (call.snapshot.after(edit), call.snapshot))
    return Done(edit, () if last == end else (f"The last frame is at {last} s; the recording ends at {end} s.",))


OPERATIONS: Mapping[str, Operation] = {
    "trim": Operation(_trim, {**RANGE, "rebase_clocks": FLAG.optional}),
    "cut": Operation(_cut, {**RANGE, "rebase_clocks": FLAG.optional}),
    "retime": Operation(lambda call: retime(call.snapshot, call.number("factor")), {"factor": NUMBER}),
    "shift": Operation(lambda call: shift(call.snapshot, call.number("seconds")), {"seconds": NUMBER}),
    "order_times": Operation(lambda call: order_times(call.snapshot), {}),
    "resample": Operation(_resample, {"step": NUMBER}),
    "set_header": Operation(
        _header, {"map_name": TEXT.optional, "date": STAMP.optional, "version": STAMP.optional}
    ),
    "set_over": Operation(_set_over, {"packet": TEXT, "actors": ACTORS, "field": TEXT, "value": TEXT, **RANGE}),
    "add_over": Operation(_add_over, {"packet": TEXT, "actors": ACTORS, "field": TEXT, "delta": NUMBER, **RANGE}),
    "replace_where": Operation(
        lambda call: replace_where(call.snapshot, call["text"], frames=call.frames, **call.watched),
        {"text": TEXT, **RANGE},
    ),
    "set_traffic_lights": Operation(
        _traffic_lights,
        {"actors": ACTORS, "state": TEXT, "frozen": FLAG.optional, "elapsed": NUMBER.optional, **RANGE},
    ),
    "set_vehicle_lights": Operation(
        _vehicle_lights, {"actors": ACTORS, "mask": WHOLE, "mode": MODE.optional, **RANGE}
    ),
    "set_weather": Operation(_weather, {"values": VALUES, **RANGE}),
    "move_actors": Operation(
        _move,
        {"actors": ACTORS, "offset": SPACE.optional, "turn": NUMBER.optional, "pivot": GROUND.optional, **EASE,
         **RANGE},
    ),
    "move_actor": Operation(
        _move_one,
        {"actors": ACTORS, "offset": SPACE.optional, "turn": NUMBER.optional, "pivot": GROUND.optional, **RANGE},
    ),
    "place_actors": Operation(
        _place,
        {"actors": ACTORS, "at": AT, "location": PARTS.optional, "yaw": NUMBER.optional,
         **EASE, **RANGE},
    ),
    "mirror_path": Operation(_mirror, {"actors": ACTORS, "point": GROUND, "angle": NUMBER, **RANGE}),
    "smooth_path": Operation(_smooth, {"actors": ACTORS, "window": NUMBER, **RANGE}),
    "offset_path": Operation(_sideways, {"actors": ACTORS, "metres": NUMBER, **EASE, **RANGE}),
    "remove_actors": Operation(_remove, {"actors": ACTORS, "children": FLAG.optional}),
    "keep_only_actors": Operation(
        lambda call: keep_only_actors(call.snapshot, call.lives, **call.watched), {"actors": ACTORS}
    ),
    "trim_life": Operation(
        lambda call: trim_life(call.snapshot, call.life, call.frames_or(call.life), **call.watched),
        {"actors": ACTORS, **RANGE},
    ),
    "set_blueprint": Operation(
        lambda call: set_blueprint(call.snapshot, call.lives, call["blueprint"], call["uid"]),
        {"actors": ACTORS, "blueprint": TEXT, "uid": WHOLE.optional},
    ),
    "set_attribute": Operation(
        lambda call: set_attribute(call.snapshot, call.lives, call["key"], call["value"]),
        {"actors": ACTORS, "key": TEXT, "value": TEXT.optional},
    ),
    "set_role": Operation(
        lambda call: set_role(call.snapshot, call.lives, call["role"]), {"actors": ACTORS, "role": TEXT}
    ),
    "set_hero": Operation(lambda call: set_hero(call.snapshot, call.life), {"actors": ACTORS}),
    "set_actor_id": Operation(
        lambda call: set_actor_id(call.snapshot, call.life, call["new_id"], **call.watched),
        {"actors": ACTORS, "new_id": WHOLE},
    ),
    "swap_actors": Operation(_swap, {"actors": ACTORS}),
    "duplicate_actor": Operation(
        _duplicate,
        {"actors": ACTORS, "offset": SPACE.optional, "turn": NUMBER.optional, "seconds": NUMBER.optional,
         "new_id": WHOLE.optional},
    ),
    "convert": Operation(_convert, {"dialect": DIALECT}),
}  # fmt: skip
"""The operations by name."""


def wrong_with(operation: str, arguments: Mapping[str, Any]) -> str | None:
    """Why an operation cannot be done with these arguments on any recording: a sentence; None where it can."""
    known = OPERATIONS.get(operation)
    if known is None:
        return f"There is no operation “{operation}”."
    for name in arguments:
        if name not in known.arguments:
            takes = ", ".join(known.arguments) or "no arguments"
            return f"{operation} has no argument “{name}”; it takes {takes}."
    for name, argument in known.arguments.items():
        if name not in arguments and argument.needed:
            return f"{operation} needs “{name}”: {argument.takes}."
        if name in arguments and not argument.fits(arguments[name]):
            return f"{operation}: “{name}” is {argument.takes}."
    return None


def done(
    snapshot: Snapshot, operation: str, arguments: Mapping[str, Any], progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Done:  # fmt: skip
    """An operation on a state of a recording. Raises `EditError`, `FieldError`, `ChoiceError`, `Cancelled`."""
    wrong = wrong_with(operation, arguments)
    if wrong is not None:
        raise EditError(wrong)
    made = OPERATIONS[operation].run(Call(snapshot, arguments, progress, cancel))
    return made if isinstance(made, Done) else Done(made)
