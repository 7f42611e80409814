"""The operations on whole actors."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ...errors import EditError, NothingToDo
from ...format import VEHICLE_LIGHTS
from ...reading import Actors, Ghost, Life, SelectorError
from ...recording import Edit, Snapshot
from ...texts import N_, listed, say, say_count
from ..actors.copying import duplicate_actor, paste_actor
from ..actors.describing import HERO, ROLE, set_attribute, set_blueprint, set_hero, set_role, uid_of
from ..actors.removing import keep_only_actors, remove_actors, remove_from_frame, trim_life, with_children
from ..actors.renumbering import set_actor_id, swap_actors
from ..actors.rewrite import unused_id
from ..blueprints import typical_model
from ..intents import frame_at, is_moment
from ..new_actors.add_actor import WantedActor, add_actor, add_wanted, usual
from ..new_actors.blueprints import blueprint_of, catalogue, uid_of_kind
from .common import of_the_map, pose_in, spawn_pose_of
from .schema import (
    Argument,
    Form,
    OperationCall,
    OperationResult,
    Situation,
    describe_frames,
    named,
    names_of,
    operation,
)

Values = Mapping[str, Any]

_NO_SHIFT = (0.0, 0.0, 0.0)


# --- new actors -----------------------------------------------------------------------------------------


def _add(call: OperationCall) -> OperationResult:
    return OperationResult(
        add_wanted(call.snapshot, WantedActor.of_arguments(call.given), call.progress), _remarks(call)
    )


def _remarks(call: OperationCall) -> tuple[str, ...]:
    found = blueprint_of(call.snapshot, call["blueprint"], call["uid"])
    if found.life is not None or call["uid"] is not None:
        return ()
    if uid_of_kind(call.snapshot, call["blueprint"]) is not None:
        return ()
    return (
        say(
            "The uid {uid} is from the catalogue, not from this recording; up to CARLA "
            "0.9.15 it alone decides what appears, later it has to be that of the same "
            "kind of actor.",
            uid=found.uid,
        ),
    )


def _describe_new(call: OperationCall) -> tuple[str, ...]:
    if not (call["path"] or call["follow"] or call["copy"]):
        raise NothingToDo(say("A new actor needs a place: a path, an actor to follow, or one to copy."))
    return *_remarks(call), *describe_frames(call)


def _with_sizes(here: Situation) -> Sequence[str]:
    """Sizes that are only typical of their kind have a ≈ before them."""
    models = [(name, each.model) for name, each in catalogue(here.snapshot).items()]
    like = {name: "≈ " * (model.box == typical_model(kind=model.kind).box) for name, model in models}
    return [
        f"{name}, {like[name]}{' × '.join(f'{half / 50:.2f}' for half in model.box[3:])} m" for name, model in models
    ]


def _everybody(here: Situation) -> Sequence[str]:
    return [named(life) for life in Actors.of(here.snapshot) if life.is_road_user]


def _normalize_new(values: Values, here: Situation) -> Values:
    made = {"blueprint": "", **{name: value for name, value in values.items() if value != ""}}
    return made | {name: made[name].split()[0].strip(",") for name in ("blueprint", "follow", "copy") if made.get(name)}


# --- removal and trimming -------------------------------------------------------------------------------


def _attached(snapshot: Snapshot, lives: Sequence[Life]) -> list[Life]:
    return with_children(Actors.of(snapshot), lives)[len(lives) :]


def _with_them(here: Situation) -> str:
    number = len(_attached(here.snapshot, here.lives))
    return say_count("With the one attached", "With the {count:,} attached", count=number) if number else ""


def _going(call: OperationCall, *, default: bool) -> Sequence[Life]:
    along = call.flag("children", default=default)
    return with_children(Actors.of(call.snapshot), call.lives) if along else call.lives


def _remove(call: OperationCall) -> Edit:
    if call["frame"] is not None:
        return remove_from_frame(call.snapshot, _going(call, default=False), call["frame"])
    return remove_actors(
        call.snapshot, call.lives, children=call.flag("children", default=True), progress=call.progress
    )


def _describe_removal(call: OperationCall) -> tuple[str, ...]:
    if call["frame"] is not None:
        return (
            say(
                "In frame {frame:,} only; it stays before and after. The checks will list the gap.",
                frame=call["frame"] + 1,
            ),
        )
    whole, children = (
        say("All its records in all packets are deleted, collisions too."),
        _attached(call.snapshot, call.lives),
    )
    if not children:
        return whole, say("No actor is attached.")
    template = (
        N_("Also removed: {actors}.")
        if call.flag("children", default=True)
        else N_("Stays without a parent: {actors}.")
    )
    return whole, say(template, actors=names_of(children))


def _trim(call: OperationCall) -> Edit:
    return trim_life(call.snapshot, call.life, call.frames_or(call.life), progress=call.progress)


def _describe_trim(call: OperationCall) -> tuple[str, ...]:
    life, elapsed = call.life, call.snapshot.elapsed
    end = len(elapsed) if life.gone is None else life.gone
    try:
        wanted = call.frames_or(life)
    except EditError:
        wanted = range(0)
    frames, whole = range(max(wanted.start, life.born), min(wanted.stop, end)), end - life.born
    if not len(frames):
        raise EditError(
            say(
                "{actor} lives from frame {born:,} to {end:,}; choose frames of these.",
                actor=life.actor,
                born=life.born + 1,
                end=end,
            )
        )
    if len(frames) == whole:
        return (say("This is its whole life: {frames:,} frames.", frames=whole),)
    first, last = elapsed[frames.start], elapsed[frames.stop - 1]
    return (
        say(
            "{frames:,} of its {whole:,} frames stay, from {first:.3f} s to {last:.3f} s.",
            frames=len(frames),
            whole=whole,
            first=first,
            last=last,
        ),
    )


# --- descriptions ---------------------------------------------------------------------------------------


def _blueprints(here: Situation) -> Sequence[str]:
    return sorted({life.blueprint for life in Actors.of(here.snapshot)} - {"spectator"})


def _describe_blueprint(call: OperationCall) -> tuple[str, ...]:
    known = uid_of(call.snapshot, call["blueprint"])
    if call["uid"] is None and known is None:
        raise EditError(say("No actor of this recording has that blueprint: give its uid, or choose another."))
    return (
        say("The uid is that of other actors of this recording.")
        if call["uid"] in (None, known)
        else say(
            "Up to CARLA 0.9.15 the uid alone decides what is created; later it has to be "
            "that of the same kind of actor."
        ),
    )


def _with_uid(name: str, values: Values, here: Situation) -> Values:
    return {"uid": uid_of(here.snapshot, values["blueprint"].strip())} if name == "blueprint" else {}


def _normalize_blueprint(values: Values, here: Situation) -> Values:
    # Without the uid, a script finds that of the recording it is run on.
    name, uid = values["blueprint"].strip(), values["uid"]
    return {**values, "blueprint": name, "uid": uid if uid != uid_of(here.snapshot, name) else None}


def _roles(here: Situation) -> Sequence[str]:
    used = Counter(life.role_name for life in Actors.of(here.snapshot) if life.role_name)
    return [name for name, _ in used.most_common()]


def _describe_role(call: OperationCall) -> tuple[str, ...]:
    return (say("The simulator and its tools find the hero by this name."),) if call["role"] == HERO else ()


def _attributes(here: Situation) -> Sequence[str]:
    mine = dict.fromkeys(each.id for each in here.lives[0].attributes if each.id)
    every = {each.id for life in Actors.of(here.snapshot) for each in life.attributes if each.id}
    return [*mine, *sorted(every - set(mine))]


def _attribute(here: Situation) -> str:
    return next((each.id for each in here.lives[0].attributes if each.id and each.id != ROLE), ROLE)


def _with_value(name: str, values: Values, here: Situation) -> Values:
    return {"value": here.lives[0].attribute(values["key"].strip()) or ""} if name == "key" else {}


def _describe_attribute(call: OperationCall) -> tuple[str, ...]:
    key = call["key"]
    held = [value for life in call.lives if (value := life.attribute(key)) is not None]
    if not held and call["value"] is None:
        raise EditError(say("None of them has an attribute {key}.", key=key))
    if not held:
        return (say("The attribute is new and will be added."),)
    return (say("Current value: {values}.", values=listed(dict.fromkeys(held)) or say("empty")),)


def _describe_id(call: OperationCall) -> tuple[str, ...]:
    if call["new_id"] == call.life.actor:
        return (say("The first unused id is {id}.", id=unused_id(call.snapshot)),)
    others = Actors.of(call.snapshot).of_id(call["new_id"])
    return (say("Other lives have that id at other times."),) if others else ()


def _hero_already(here: Situation) -> str | None:
    heroes, life = [life for life in Actors.of(here.snapshot) if life.is_hero], here.lives[0]
    return say("{actor} is the hero already.", actor=life.actor) if life.is_hero and len(heroes) == 1 else None


def _describe_swap(call: OperationCall) -> tuple[str, ...]:
    if len(call.lives) < 2:
        return (say("Type an id, or a part of a blueprint to choose from."),)
    first, second = map(named, call.pair)
    return (say("{one} takes the path of {other}, and {other} that of {one}.", one=first, other=second),)


# --- copies ---------------------------------------------------------------------------------------------


def _ghosts(call: OperationCall, frame: int) -> list[Ghost]:
    snapshot, life = call.snapshot, call.life
    earlier = snapshot.frame_at_time(float(snapshot.elapsed[frame]) - call.number("seconds"))
    here, then = pose_in(snapshot, life, frame), pose_in(snapshot, life, earlier)
    return [] if here is None or then is None else [then.moved(spawn_pose_of(life), call).ghost(life.actor, here)]


def _paste(call: OperationCall) -> Edit:
    assert call.source is not None
    at = 0.0 if call["at"] is None else call["at"]
    if isinstance(at, str):
        frame = frame_at(call.snapshot, at) if is_moment(at) else len(call.snapshot)
        if frame == len(call.snapshot):
            raise SelectorError(say("There is no frame {at}.", at=at))
        at = float(call.snapshot.elapsed[frame])
    return paste_actor(
        call.snapshot,
        call.source,
        call.life,
        at=at,
        offset=call.point("offset") or _NO_SHIFT,
        turn=call.number("turn"),
        new_id=call["new_id"],
        progress=call.progress,
    )


def _time_of(here: Situation) -> float:
    return round(float(here.snapshot.elapsed[here.frame_index]), 6) if len(here.snapshot) else 0.0


OPERATIONS = (
    operation(
        add_actor,
        run=_add,
        parameters={
            "blueprint": partial(Argument, offers=_with_sizes, default=lambda here: usual(here.snapshot, "car")),
            "role": partial(Argument, offers=_roles),
            "follow": partial(Argument, offers=_everybody),
            "copy": partial(Argument, offers=_everybody),
            "lights": partial(Argument, choices=VEHICLE_LIGHTS),
        },
        form=partial(Form, describe=_describe_new, normalize=_normalize_new),
    ),
    operation(
        duplicate_actor,
        # so that the copy is not inside the actor
        parameters={"seconds": partial(Argument, default=lambda here: 2.0)},
        disabled_reasons=(of_the_map,),
        form=partial(Form, ghosts=_ghosts),
    ),
    operation(paste_actor, run=_paste, parameters={"at": partial(Argument, default=_time_of)}),
    operation(
        remove_actors,
        run=_remove,
        parameters={"children": partial(Argument, label=_with_them)},
        form=partial(Form, describe=_describe_removal),
    ),
    operation(keep_only_actors),
    operation(trim_life, run=_trim, form=partial(Form, describe=_describe_trim)),
    operation(
        set_blueprint,
        parameters={
            "blueprint": partial(Argument, offers=_blueprints, default=lambda here: here.lives[0].blueprint),
            "uid": partial(Argument, default=lambda here: here.lives[0].uid or None),
        },
        disabled_reasons=(of_the_map,),
        form=partial(Form, describe=_describe_blueprint, follow=_with_uid, normalize=_normalize_blueprint),
    ),
    operation(
        set_role,
        parameters={"role": partial(Argument, offers=_roles, default=lambda here: here.lives[0].role_name)},
        form=partial(Form, describe=_describe_role),
    ),
    operation(
        set_attribute,
        run=lambda call: set_attribute(call.snapshot, call.lives, call["key"], call["value"]),
        parameters={
            "key": partial(Argument, offers=_attributes, default=_attribute),
            "value": partial(Argument, default=lambda here: here.lives[0].attribute(_attribute(here)) or ""),
        },
        form=partial(
            Form,
            describe=_describe_attribute,
            follow=_with_value,
            normalize=lambda values, _: {**values, "key": values["key"].strip()},
        ),
    ),
    operation(
        set_actor_id,
        parameters={"new_id": partial(Argument, default=lambda here: here.lives[0].actor)},
        form=partial(Form, describe=_describe_id),
    ),
    operation(set_hero, disabled_reasons=(of_the_map, _hero_already)),
    operation(swap_actors, disabled_reasons=(of_the_map,), form=partial(Form, describe=_describe_swap)),
)
"""The operations on actors."""
