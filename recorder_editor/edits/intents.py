"""Intents: frames and lives as JSON that other recordings can resolve, and back.

Frames are written as seconds, lives by id, blueprint, role name and place. Each operation makes its `Intent` of these.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NotRequired, TypedDict, TypeGuard

import numpy as np

from ..errors import EditError
from ..reading import Actors, Life
from ..reading.moments import frame_number
from ..reading.selectors import find_actors
from ..recording import Edit, Intent, Snapshot, Splice
from ..texts import N_, say, say_count
from .interpolation import does_not_fall

_NEAR = 1e-6
"""Tolerance for times of frames (s): elapsed is a sum of floats."""

Moment = float | str | None
"""Seconds; a frame number (`f250`) if several frames have the time; None: the beginning or the end."""


class ActorName(TypedDict):
    """A life as JSON.

    Attributes:
        id: Its id.
        blueprint: Its blueprint; without it the name is that of the id alone.
        role: Its role name, if it has one.
        life: The index among the lives of the id.
        place: Of traffic lights and signs: the place in whole centimetres, by which the simulator finds them (format
            reference 6.4).
    """

    id: int
    blueprint: NotRequired[str]
    role: NotRequired[str]
    life: NotRequired[int]
    place: NotRequired[list[int]]


NamedActor = ActorName | str
"""A life as JSON, or a selector (`hero`, `type:vehicle.*`)."""


def edit_of(
    snapshot: Snapshot,
    operation: str,
    label: str,
    splices: Iterable[Splice],
    lives: Sequence[Life] | None = None,
    **arguments: object,
) -> Edit:
    """Return the edit of splices with its intent.

    Args:
        snapshot: The state that the edit is made for.
        operation: The name of the operation.
        label: The label of the edit.
        splices: The splices.
        lives: The actors of the intent; None: it has none.
        **arguments: Arguments of the operation, as JSON.
    """
    given: dict[str, object] = {}
    if lives is not None:
        given["actors"] = name_lives(snapshot, lives)
    given |= arguments
    return Edit(label, snapshot.version, tuple(splices), intent=Intent(operation, given))


def over_frames(label: str, count: int) -> str:
    """Return the label of an edit with how far it reaches: `Set yaw of 3932 in 1 frame`.

    Args:
        label: What is done, as `Set yaw of 3932`.
        count: The number of frames in which it is done.
    """
    return say_count("{label} in 1 frame", "{label} over {count:,} frames", label=label, count=count)


# --- frames to JSON -------------------------------------------------------------------------------------


def seconds(snapshot: Snapshot, frames: range | None, lives: Sequence[Life] = ()) -> dict[str, Moment]:
    """Return frames as JSON: `from` (elapsed of the first one) and `to` (of the last one).

    Args:
        snapshot: The recording.
        frames: Frame indices; None: all.
        lives: Lives with frames that need not be said.

    Returns:
        The beginning and the end of the recording as None. Empty for no frames, for all, and for all frames of `lives`.
    """
    if not frames or (lives and frames == frames_of(snapshot, lives)):
        return {}
    last: Moment = None
    if frames.stop < len(snapshot):
        last = moment(snapshot, frames[-1], inclusive=True)
    return {"from": _start_moment(snapshot, frames), "to": last}


def until(snapshot: Snapshot, frames: range) -> dict[str, Moment]:
    """Return frames as JSON as `seconds`, but `to` is the elapsed of the frame after the last one."""
    stop: Moment = None
    if frames.stop < len(snapshot):
        stop = moment(snapshot, frames.stop)
    return {"from": _start_moment(snapshot, frames), "to": stop}


def _start_moment(snapshot: Snapshot, frames: range) -> Moment:
    if frames.start:
        return moment(snapshot, frames.start)
    return None


def moment(snapshot: Snapshot, frame_index: int, *, inclusive: bool = False) -> float | str:
    """Return the elapsed of a frame in seconds, or its number if another frame has that time.

    Args:
        snapshot: The recording.
        frame_index: Index of the frame.
        inclusive: Whether it is the last frame of a range.
    """
    time = float(snapshot.elapsed[frame_index])
    if does_not_fall(snapshot.elapsed):
        if inclusive:
            index = _stop(snapshot, time) - 1
        else:
            index = _start(snapshot, time)
        if index == frame_index:
            return time
    return f"#{frame_index + 1}"


def frames_of(snapshot: Snapshot, lives: Sequence[Life]) -> range:
    """Return the frames from the first creation of lives to the last end."""
    spans = [life.within(range(len(snapshot))) for life in lives]
    return range(min(span.start for span in spans), max(span.stop for span in spans))


# --- JSON to frames -------------------------------------------------------------------------------------


def frames_between(snapshot: Snapshot, start: Moment, stop: Moment, *, inclusive: bool) -> range:
    """Return the frames from one moment to another.

    Args:
        snapshot: The recording.
        start: None: the beginning.
        stop: None: the end.
        inclusive: Whether the frame of `stop` belongs to them.

    Raises:
        EditError: There are none.
    """
    first = 0
    if start is not None:
        first = frame_at(snapshot, start)
    end = len(snapshot)
    if stop is not None and inclusive:
        end = _frame_after(snapshot, stop)
    elif stop is not None:
        end = frame_at(snapshot, stop)
    if first >= end:
        raise EditError(_no_frames(snapshot, start, stop))
    return range(first, end)


def _no_frames(snapshot: Snapshot, start: Moment, stop: Moment) -> str:
    """Return the sentence that says that no frame lies between two moments."""
    start_text = _moment_text(start, N_("the beginning"))
    stop_text = _moment_text(stop, N_("the end"))
    if len(snapshot) and does_not_fall(snapshot.elapsed):
        return say(
            "No frame lies from {start} to {stop}; the recording has {frames:,} frames and ends at {end:g} s.",
            start=start_text,
            stop=stop_text,
            frames=len(snapshot),
            end=snapshot.elapsed[-1],
        )
    return say(
        "No frame lies from {start} to {stop}; the recording has {frames:,} frames.",
        start=start_text,
        stop=stop_text,
        frames=len(snapshot),
    )


def frame_at(snapshot: Snapshot, moment: float | str) -> int:
    """Return the index of the first frame at or after a moment; the number of frames if there is none."""
    number = _number(moment)
    if number is not None:
        return min(number - 1, len(snapshot))
    return _start(snapshot, _time(snapshot, moment))


def _frame_after(snapshot: Snapshot, moment: float | str) -> int:
    """Return the index of the first frame after a moment; the number of frames if there is none."""
    number = _number(moment)
    if number is not None:
        return min(number, len(snapshot))
    return _stop(snapshot, _time(snapshot, moment))


def is_moment(value: object) -> bool:
    """Return whether it is a `Moment`."""
    if isinstance(value, str):
        return _number(value) is not None
    return value is None or is_number(value)


def is_number(value: object) -> TypeGuard[float]:
    """Return whether it is a number that a float can hold, and not a bool."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _number(moment: float | str) -> int | None:
    """Return the number of a frame, from 1; None for seconds."""
    if isinstance(moment, str):
        return frame_number(moment)
    return None


def _time(snapshot: Snapshot, moment: float | str) -> float:
    """Return the seconds of a moment; raises `EditError` if they name no frame."""
    if not does_not_fall(snapshot.elapsed):
        raise EditError(
            say("Time does not rise in this recording, so seconds name no frame; put its times in order first.")
        )
    return float(moment)


def _start(snapshot: Snapshot, time: float) -> int:
    """Return the index of the first frame at or after a time."""
    return int(np.searchsorted(snapshot.elapsed, time - _NEAR, side="left"))


def _stop(snapshot: Snapshot, time: float) -> int:
    """Return the index of the first frame after a time."""
    return int(np.searchsorted(snapshot.elapsed, time + _NEAR, side="right"))


def _moment_text(moment: Moment, missing: str) -> str:
    """Return a moment as a text; `missing` is that of None."""
    if moment is None:
        return say(missing)
    if isinstance(moment, str):
        return say("frame {frame}", frame=moment[1:])
    return say("{seconds:g} s", seconds=moment)


# --- lives to JSON --------------------------------------------------------------------------------------


def name_lives(snapshot: Snapshot, lives: Sequence[Life]) -> list[ActorName]:
    """Return lives as JSON."""
    actors = Actors.of(snapshot)
    return [_name_of(actors, life) for life in lives]


def _name_of(actors: Actors, life: Life) -> ActorName:
    indices = [other.index for other in actors.of_id(life.actor)]
    name: ActorName = {"id": life.actor, "blueprint": life.blueprint}
    if life.role_name:
        name["role"] = life.role_name
    name["life"] = indices.index(life.index)
    place = _place(life)
    if place is not None:
        name["place"] = place
    return name


def name_id(snapshot: Snapshot, actor: int, frames: range) -> ActorName:
    """Return an id as JSON: that of its first life in these frames, or the id alone."""
    for life in Actors.of(snapshot).of_id(actor):
        if frames and life.born < frames.stop and (life.gone is None or life.gone > frames.start):
            return name_lives(snapshot, [life])[0]
    return {"id": actor}


def _place(life: Life) -> list[int] | None:
    """Return the place of a traffic light or sign, whole centimetres; None for others."""
    if not life.is_traffic:
        return None
    axes = life.transform[:3]
    if all(map(math.isfinite, axes)):
        return [int(axis) for axis in axes]
    return None


# --- JSON to lives --------------------------------------------------------------------------------------


def lives_of_names(snapshot: Snapshot, named: Sequence[NamedActor]) -> list[Life]:
    """Return the lives of selectors (`hero`, `type:vehicle.*`) and of JSON, each once.

    For JSON it is the life with the role name, else with id and blueprint, else with the blueprint, if it is a single
    one; for traffic lights and signs the one at the place.

    Raises:
        EditError: There is none.
        SelectorError: A selector finds no actors.
    """
    by_index: dict[int, Life] = {}
    for name in named:
        if isinstance(name, str):
            lives = _selected(snapshot, name)
        else:
            lives = [_of_name(snapshot, name)]
        for life in lives:
            by_index[life.index] = life
    return list(by_index.values())


def id_of_name(snapshot: Snapshot, named: NamedActor) -> int:
    """Return the id of one actor; errors as `lives_of_names`."""
    if not isinstance(named, str) and "blueprint" not in named:
        return int(named["id"])
    return lives_of_names(snapshot, [named])[0].actor


def _selected(snapshot: Snapshot, selector: str) -> list[Life]:
    """Return the lives of a selector."""
    actors = Actors.of(snapshot)
    lives: list[Life] = []
    for span in find_actors(snapshot, [selector]):
        of_id = actors.of_id(span.actor)
        if not of_id:
            raise EditError(
                say(
                    "Actor {actor} has no EventAdd in this recording, so it cannot be edited as an actor.",
                    actor=span.actor,
                )
            )
        for life in of_id:
            if life.born < span.stop and (life.gone is None or life.gone > span.start):
                lives.append(life)
    if not lives:
        raise EditError(
            say("“{word}” is created and destroyed in one frame, so there is nothing to edit.", word=selector)
        )
    return lives


def _of_name(snapshot: Snapshot, name: ActorName) -> Life:
    """Return the life with a name; raises `EditError` if there is none."""
    actors = Actors.of(snapshot)
    if "place" in name:
        life = _at_place(actors, name)
    else:
        life = _of_role_or_id(actors, name)
    if life is None:
        raise EditError(say(_not_found(name), **name))
    return life


def _at_place(actors: Actors, name: ActorName) -> Life | None:
    """Return the traffic light or sign with a name, by its place."""
    at_place: list[Life] = []
    for life in actors:
        if life.blueprint == name.get("blueprint") and _place(life) == list(name["place"]):
            at_place.append(life)
    # Several lives of one traffic light are distinguished by id.
    of_id = [life for life in at_place if life.actor == name["id"]]
    return _only(of_id or at_place, name)


def _of_role_or_id(actors: Actors, name: ActorName) -> Life | None:
    """Return the life with a name: by role name, else by id and blueprint, else by blueprint, if it is a single one."""
    blueprint = name.get("blueprint")
    role = name.get("role")
    of_id: list[Life] = []
    for life in actors.of_id(name["id"]):
        if blueprint is None or life.blueprint == blueprint:
            of_id.append(life)
    of_blueprint: list[Life] = []
    of_role: list[Life] = []
    of_role_and_blueprint: list[Life] = []
    for life in actors:
        is_of_blueprint = life.blueprint == blueprint
        is_of_role = bool(role) and life.role_name == role
        if is_of_blueprint:
            of_blueprint.append(life)
        if is_of_role:
            of_role.append(life)
        if is_of_role and is_of_blueprint:
            of_role_and_blueprint.append(life)
    exact = of_id
    if of_role:
        exact = [life for life in of_id if life in of_role]
    result = _nth(actors, exact, name)
    for lives in (of_role, of_role_and_blueprint, of_id, of_blueprint):
        if result is None:
            result = _only(lives, name)
    return result


def _nth(actors: Actors, lives: Sequence[Life], name: ActorName) -> Life | None:
    """Return the life that is the n-th of its id, as in the recording it was named in."""
    number = name.get("life", 0)
    for life in lives:
        if actors.of_id(life.actor).index(life) == number:
            return life
    return None


def _only(lives: Sequence[Life], name: ActorName) -> Life | None:
    """Return a single life, or the n-th of several of one id; None for others."""
    number = name.get("life", 0)
    ids = {life.actor for life in lives}
    if len(lives) > 1 and len(ids) == 1 and number < len(lives):
        return lives[number]
    if len(lives) == 1:
        return lives[0]
    return None


def _not_found(name: ActorName) -> str:
    """Return the template of what is said of a named actor that is not there."""
    if "blueprint" not in name:
        return N_("This recording has no actor {id}.")
    if "place" in name:
        return N_(
            "This recording has no {blueprint} {id}: no {blueprint} is at ({place[0]}, {place[1]}, {place[2]}) cm."
        )
    if name.get("role"):
        return N_(
            "This recording has no {blueprint} {id} with the role name “{role}”: that role "
            "name, that id with that blueprint, or that blueprint alone belongs to no "
            "single actor."
        )
    return N_(
        "This recording has no {blueprint} {id}: neither that id with that blueprint "
        "nor that blueprint alone belongs to a single actor."
    )
