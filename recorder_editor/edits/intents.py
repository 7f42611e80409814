"""Intents: frames and lives as JSON that other recordings can resolve, and back.

Frames are written as seconds, lives by id, blueprint, role name and place. Each operation makes its `Intent` of these.
"""

import math
import re
from collections.abc import Iterable, Sequence
from typing import NotRequired, TypedDict, TypeGuard

import numpy as np

from ..errors import EditError
from ..reading import Actors, Life
from ..reading.selectors import find_actors
from ..recording import Edit, Intent, Snapshot, Splice
from ..texts import N_, say
from .interpolation import does_not_fall

_NEAR = 1e-6
"""Tolerance for times of frames (s): elapsed is a sum of floats."""

Moment = float | str | None
"""Seconds; a frame number (`#250`) if several frames have the time; None: the beginning or the end."""


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
    """The edit of splices, with operation, arguments (JSON) and actors `lives` as its intent."""
    given: dict[str, object] = {}
    if lives is not None:
        given["actors"] = name_lives(snapshot, lives)
    given |= arguments
    return Edit(label, snapshot.version, tuple(splices), intent=Intent(operation, given))


# --- frames to JSON -------------------------------------------------------------------------------------


def seconds(snapshot: Snapshot, frames: range | None, lives: Sequence[Life] = ()) -> dict[str, Moment]:
    """Frames as JSON: `from` (elapsed of the first one) and `to` (of the last one).

    The beginning and the end of the recording are None. Empty for no frames, for all (None), and for all frames of
    `lives`.
    """
    if not frames or (lives and frames == frames_of(snapshot, lives)):
        return {}
    if frames.stop >= len(snapshot):
        last = None
    else:
        last = moment(snapshot, frames[-1], inclusive=True)
    return {"from": moment(snapshot, frames.start) if frames.start else None, "to": last}


def until(snapshot: Snapshot, frames: range) -> dict[str, Moment]:
    """As `seconds`, but `to` is the elapsed of the frame after the last one."""
    if frames.stop >= len(snapshot):
        stop = None
    else:
        stop = moment(snapshot, frames.stop)
    return {"from": moment(snapshot, frames.start) if frames.start else None, "to": stop}


def moment(snapshot: Snapshot, frame_index: int, *, inclusive: bool = False) -> float | str:
    """The elapsed of a frame in seconds, or its number if another frame has that time.

    `inclusive`: as the last frame of a range.
    """
    time = float(snapshot.elapsed[frame_index])
    if does_not_fall(snapshot.elapsed):
        if inclusive:
            found = _stop(snapshot, time) - 1
        else:
            found = _start(snapshot, time)
        if found == frame_index:
            return time
    return f"#{frame_index + 1}"


def frames_of(snapshot: Snapshot, lives: Sequence[Life]) -> range:
    """The frames from the first creation of these lives to the last end."""
    spans = [life.within(range(len(snapshot))) for life in lives]
    return range(min(span.start for span in spans), max(span.stop for span in spans))


# --- JSON to frames -------------------------------------------------------------------------------------


def frames_between(snapshot: Snapshot, start: Moment, stop: Moment, *, inclusive: bool) -> range:
    """The frames from `start` to `stop`; `inclusive`: with that of `stop`. Raises `EditError` if there are none."""
    if start is None:
        first = 0
    else:
        first = frame_at(snapshot, start)
    end = len(snapshot)
    if stop is not None:
        number = _number(stop)
        if number is not None:
            end = min(number - 1 + inclusive, len(snapshot))
        else:
            if inclusive:
                end = _stop(snapshot, _time(snapshot, stop))
            else:
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


def frame_at(snapshot: Snapshot, word: float | str) -> int:
    """The index of the first frame at or after a moment; the number of frames if there is none."""
    number = _number(word)
    if number is not None:
        return min(number - 1, len(snapshot))
    return _start(snapshot, _time(snapshot, word))


def is_moment(word: object) -> bool:
    """Whether it is a `Moment`."""
    if isinstance(word, str):
        return _number(word) is not None
    return word is None or is_number(word)


def is_number(value: object) -> TypeGuard[float]:
    """Return whether it is a number that a float can hold, and not a bool."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _number(word: float | str) -> int | None:
    """The number of a frame, from 1; None for seconds."""
    found = None
    if isinstance(word, str):
        found = re.fullmatch(r"#([1-9][0-9]{0,17})", word)
    if found is not None:
        return int(found[1])
    return None


def _time(snapshot: Snapshot, word: float | str) -> float:
    if not does_not_fall(snapshot.elapsed):
        raise EditError(
            say("Time does not rise in this recording, so seconds name no frame; put its times in order first.")
        )
    return float(word)


def _start(snapshot: Snapshot, time: float) -> int:
    return int(np.searchsorted(snapshot.elapsed, time - _NEAR, side="left"))


def _stop(snapshot: Snapshot, time: float) -> int:
    return int(np.searchsorted(snapshot.elapsed, time + _NEAR, side="right"))


def _moment_text(word: Moment, missing: str) -> str:
    if word is None:
        return say(missing)
    if isinstance(word, str):
        return say("frame {frame}", frame=word[1:])
    return say("{seconds:g} s", seconds=word)


# --- lives to JSON --------------------------------------------------------------------------------------


def name_lives(snapshot: Snapshot, lives: Sequence[Life]) -> list[ActorName]:
    """Return lives as JSON."""
    actors = Actors.of(snapshot)
    return [_name_of(actors, life) for life in lives]


def _name_of(actors: Actors, life: Life) -> ActorName:
    of_id = [each.index for each in actors.of_id(life.actor)]
    name: ActorName = {"id": life.actor, "blueprint": life.blueprint}
    if life.role_name:
        name["role"] = life.role_name
    name["life"] = of_id.index(life.index)
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
    if not life.is_traffic:
        return None
    axes = life.transform[:3]
    if all(map(math.isfinite, axes)):
        return [int(axis) for axis in axes]
    return None


# --- JSON to lives --------------------------------------------------------------------------------------


def lives_named(snapshot: Snapshot, named: Sequence[NamedActor]) -> list[Life]:
    """Return the lives of selectors (`hero`, `type:vehicle.*`) and of JSON, each once.

    For JSON it is the life with the role name, else with id and blueprint, else with the blueprint, if it is a single
    one; for traffic lights and signs the one at the place.

    Raises:
        EditError: There is none.
        SelectorError: A selector finds no actors.
    """
    found: dict[int, Life] = {}
    for each in named:
        if isinstance(each, str):
            lives = _of_word(snapshot, each)
        else:
            lives = [_of_name(snapshot, each)]
        found.update((life.index, life) for life in lives)
    return list(found.values())


def id_named(snapshot: Snapshot, named: NamedActor) -> int:
    """Return the id of one actor; errors as `lives_named`."""
    if not isinstance(named, str) and "blueprint" not in named:
        return int(named["id"])
    return lives_named(snapshot, [named])[0].actor


def _of_word(snapshot: Snapshot, word: str) -> list[Life]:
    actors = Actors.of(snapshot)
    lives: list[Life] = []
    for span in find_actors(snapshot, [word]):
        of_id = actors.of_id(span.actor)
        if not of_id:
            raise EditError(
                say(
                    "Actor {actor} has no EventAdd in this recording, so it cannot be edited as an actor.",
                    actor=span.actor,
                )
            )
        lives += [life for life in of_id if life.born < span.stop and (life.gone is None or life.gone > span.start)]
    if not lives:
        raise EditError(say("“{word}” is created and destroyed in one frame, so there is nothing to edit.", word=word))
    return lives


def _of_name(snapshot: Snapshot, named: ActorName) -> Life:
    actors = Actors.of(snapshot)
    number = named["id"]
    blueprint = named.get("blueprint")
    role = named.get("role")
    of_id = []
    for life in actors.of_id(number):
        if blueprint in (None, life.blueprint):
            of_id.append(life)
    of_blueprint = [life for life in actors if life.blueprint == blueprint]
    if "place" in named:
        at_place = []
        for life in of_blueprint:
            if _place(life) == list(named["place"]):
                at_place.append(life)
        # Several lives of one traffic light are distinguished by id.
        found = _only([life for life in at_place if life.actor == number] or at_place, named)
    else:
        of_role = []
        for life in actors:
            if role and life.role_name == role:
                of_role.append(life)
        if of_role:
            exact = [life for life in of_id if life in of_role]
        else:
            exact = of_id
        found = _nth(actors, exact, named)
        for lives in (of_role, [life for life in of_role if life.blueprint == blueprint], of_id, of_blueprint):
            found = found or _only(lives, named)
    if found is None:
        raise EditError(say(_not_found(named), **named))
    return found


def _nth(actors: Actors, lives: Sequence[Life], named: ActorName) -> Life | None:
    """The one of these that is the n-th life of its id, as in the recording it was named in."""
    number = named.get("life", 0)
    return next((life for life in lives if actors.of_id(life.actor).index(life) == number), None)


def _only(lives: Sequence[Life], named: ActorName) -> Life | None:
    number = named.get("life", 0)
    if len(lives) > 1 and len({life.actor for life in lives}) == 1 and number < len(lives):
        return lives[number]
    if len(lives) == 1:
        return lives[0]
    return None


def _not_found(named: ActorName) -> str:
    """Return the template of what is said of a named actor that is not there."""
    if "blueprint" not in named:
        return N_("This recording has no actor {id}.")
    if "place" in named:
        return N_(
            "This recording has no {blueprint} {id}: no {blueprint} is at ({place[0]}, {place[1]}, {place[2]}) cm."
        )
    if named.get("role"):
        return N_(
            "This recording has no {blueprint} {id} with the role name “{role}”: that role "
            "name, that id with that blueprint, or that blueprint alone belongs to no "
            "single actor."
        )
    return N_(
        "This recording has no {blueprint} {id}: neither that id with that blueprint "
        "nor that blueprint alone belongs to a single actor."
    )
