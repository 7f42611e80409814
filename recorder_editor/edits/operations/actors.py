"""The operations on whole actors."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...errors import EditError
from ...recording.actors import Actors
from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.rigid import Ghost
from ...recording.selectors import SelectorError
from ...recording.snapshot import Snapshot
from ..actors.copying import duplicate_actor, paste_actor
from ..actors.describing import HERO, ROLE, set_attribute, set_blueprint, set_hero, set_role, uid_of
from ..actors.id_spans import unused_id
from ..actors.removing import keep_only_actors, remove_actors, remove_from_frame, trim_life, with_children
from ..actors.renumbering import set_actor_id, swap_actors
from ..actors.rewrite import count_records
from ..intents import frame_at, is_moment
from .common import MANY, NEW_ID, OFFSET, ONE, RANGE, TURN, TWO, WHEN, of_the_map, pose_in, spawn_pose_of
from .kinds import BLUEPRINT, FILE, FLAG, FRAME, KEY, SECONDS, TEXT, VALUE, WHOLE
from .schema import Argument, Call, Form, Menu, Operation, Option, Sentence, Situation, named, names_of

Values = Mapping[str, Any]

_NO_SHIFT = (0.0, 0.0, 0.0)


# --- removal and trimming -------------------------------------------------------------------------------


def _attached(snapshot: Snapshot, lives: Sequence[Life]) -> list[Life]:
    return with_children(Actors.of(snapshot), lives)[len(lives) :]


def _with_them(here: Situation) -> Sentence:
    children = _attached(here.snapshot, here.lives)
    if not children:
        return Sentence("")
    return (
        Sentence("With the one attached")
        if len(children) == 1
        else Sentence("With the %1 attached", (f"{len(children):,}",))
    )


def _going(call: Call, *, default: bool) -> Sequence[Life]:
    along = call.flag("children", default=default)
    return with_children(Actors.of(call.snapshot), call.lives) if along else call.lives


def _remove(call: Call) -> Edit:
    if call["frame"] is not None:
        return remove_from_frame(call.snapshot, _going(call, default=False), call["frame"])
    return remove_actors(
        call.snapshot, call.lives, children=call.flag("children", default=True), progress=call.progress
    )


def _describe_removal(call: Call) -> tuple[Sentence, ...]:
    if call["frame"] is not None:
        words = "In frame %1 only; it stays before and after. The checks will list the gap."
        return (Sentence(words, (f"{call['frame'] + 1:,}",)),)
    whole, children = (
        Sentence("All its records in all packets are deleted, collisions too."),
        _attached(call.snapshot, call.lives),
    )
    if not children:
        return whole, Sentence("No actor is attached.")
    words = "Also removed: %1." if call.flag("children", default=True) else "Stays without a parent: %1."
    return whole, Sentence(words, (names_of(children),))


def _count_removed(call: Call) -> tuple[Sentence, ...]:
    if call["frame"] is not None:
        return ()
    counted = count_records(call.snapshot, _going(call, default=True), progress=call.progress)
    if counted.records == 1:
        return (Sentence("1 record in 1 frame is deleted."),)
    return (Sentence("%1 records in %2 frames are deleted.", (f"{counted.records:,}", f"{counted.frames:,}")),)


def _trim(call: Call) -> Edit:
    return trim_life(call.snapshot, call.life, call.frames_or(call.life), progress=call.progress)


def _describe_trim(call: Call) -> tuple[Sentence, ...]:
    life, elapsed = call.life, call.snapshot.elapsed
    end = len(elapsed) if life.gone is None else life.gone
    try:
        wanted = call.frames_or(life)
    except EditError:
        wanted = range(0)
    frames, whole = range(max(wanted.start, life.born), min(wanted.stop, end)), end - life.born
    if not len(frames):
        raise EditError(f"{life.actor} lives from frame {life.born + 1:,} to {end:,}; choose frames of these.")
    if len(frames) == whole:
        return (Sentence("This is its whole life: %1 frames.", (f"{whole:,}",)),)
    values = f"{len(frames):,}", f"{whole:,}", f"{elapsed[frames.start]:.3f}", f"{elapsed[frames.stop - 1]:.3f}"
    return (Sentence("%1 of its %2 frames stay, from %3 s to %4 s.", values),)


# --- descriptions ---------------------------------------------------------------------------------------


def _blueprints(here: Situation) -> Sequence[str]:
    return sorted({life.blueprint for life in Actors.of(here.snapshot)} - {"spectator"})


def _describe_blueprint(call: Call) -> tuple[Sentence, ...]:
    known = uid_of(call.snapshot, call["blueprint"])
    if call["uid"] is None and known is None:
        raise EditError("No actor of this recording has that blueprint: give its uid, or choose another.")
    if call["uid"] in (None, known):
        return (Sentence("The uid is that of other actors of this recording."),)
    return (Sentence("Up to CARLA 0.9.15 the uid alone decides what is created."),)


def _with_uid(name: str, values: Values, here: Situation) -> Values:
    return {"uid": uid_of(here.snapshot, values["blueprint"].strip())} if name == "blueprint" else {}


def _normalize_blueprint(values: Values, here: Situation) -> Values:
    # Without the uid, a script finds that of the recording it is run on.
    name, uid = values["blueprint"].strip(), values["uid"]
    return {**values, "blueprint": name, "uid": uid if uid != uid_of(here.snapshot, name) else None}


def _roles(here: Situation) -> Sequence[str]:
    used = Counter(life.role_name for life in Actors.of(here.snapshot) if life.role_name)
    return [name for name, _ in used.most_common()]


def _describe_role(call: Call) -> tuple[Sentence, ...]:
    is_hero = call["role"] == HERO
    return (Sentence("The simulator and its tools find the hero by this name."),) if is_hero else ()


def _attributes(here: Situation) -> Sequence[str]:
    mine = dict.fromkeys(each.id for each in here.lives[0].attributes if each.id)
    every = {each.id for life in Actors.of(here.snapshot) for each in life.attributes if each.id}
    return [*mine, *sorted(every - set(mine))]


def _attribute(here: Situation) -> str:
    return next((each.id for each in here.lives[0].attributes if each.id and each.id != ROLE), ROLE)


def _with_value(name: str, values: Values, here: Situation) -> Values:
    return {"value": here.lives[0].attribute(values["key"].strip()) or ""} if name == "key" else {}


def _describe_attribute(call: Call) -> tuple[Sentence, ...]:
    key = call["key"]
    held = [value for life in call.lives if (value := life.attribute(key)) is not None]
    if not held and call["value"] is None:
        raise EditError(f"None of them has an attribute {key}.")
    if not held:
        return (Sentence("The attribute is new and will be added."),)
    return (Sentence("Current value: %1.", (", ".join(dict.fromkeys(held)) or Sentence("empty"),)),)


def _describe_id(call: Call) -> tuple[Sentence, ...]:
    if call["new_id"] == call.life.actor:
        return (Sentence("The first unused id is %1.", (str(unused_id(call.snapshot)),)),)
    others = Actors.of(call.snapshot).of_id(call["new_id"])
    return (Sentence("Other lives have that id at other times."),) if others else ()


def _hero_already(here: Situation) -> Sentence | None:
    heroes, life = [life for life in Actors.of(here.snapshot) if life.is_hero], here.lives[0]
    is_only = life.is_hero and len(heroes) == 1
    return Sentence("%1 is the hero already.", (str(life.actor),)) if is_only else None


def _describe_swap(call: Call) -> tuple[Sentence, ...]:
    if len(call.lives) < 2:
        return (Sentence("Type an id, or a part of a blueprint to choose from."),)
    first, second = call.pair
    return (Sentence("%1 takes the path of %2, and %2 that of %1.", (named(first), named(second))),)


# --- copies ---------------------------------------------------------------------------------------------


def _ghosts(call: Call, frame: int) -> list[Ghost]:
    snapshot, life = call.snapshot, call.life
    earlier = snapshot.frame_at_time(float(snapshot.elapsed[frame]) - call.number("seconds"))
    here, then = pose_in(snapshot, life, frame), pose_in(snapshot, life, earlier)
    return [] if here is None or then is None else [then.moved(spawn_pose_of(life), call).ghost(life.actor, here)]


def _paste(call: Call) -> Edit:
    assert call.source is not None
    at = 0.0 if call["at"] is None else call["at"]
    if isinstance(at, str):
        frame = frame_at(call.snapshot, at) if is_moment(at) else len(call.snapshot)
        if frame == len(call.snapshot):
            raise SelectorError(f"There is no frame {at}.")
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


_SHIFT = (OFFSET, replace(TURN, tip="The whole path, about the place of its EventAdd"), NEW_ID)
_PLACE = ("offset", "turn")

OPERATIONS = (
    Operation(
        duplicate_actor,
        "Duplicate actor",
        "A copy of an actor, shifted in space or time",
        (
            ONE,
            Argument(
                "seconds",
                SECONDS,
                False,
                detail="--later",
                help="delay of the copy",
                label="Later by",
                default=lambda here: 2.0,  # so that the copy is not inside the actor
                step=0.1,
            ),
            *_SHIFT,
        ),
        (
            Option(
                "--duplicate",
                "duplicate an actor, shifted and turned (m, °); --later, --as",
                _PLACE,
                bare=True,
                each=True,
            ),
        ),
        menu=Menu(
            "actor.duplicate", section="copies", icon="duplicate", key="Ctrl+Shift+D", disabled_reasons=(of_the_map,)
        ),
        form=Form(
            "Duplicate %1",
            "Duplicate",
            "The copy follows the same path under a new id; what would lie outside of the recording is cut off.",
            ghosts=_ghosts,
        ),
    ),
    Operation(
        paste_actor,
        "Paste actor",
        "Copy an actor with its track from another recording, under a new id",
        (
            Argument("file", FILE, help="the other recording"),
            ONE,
            replace(WHEN, needed=False, label="Comes at", step=0.1, default=_time_of),
            *_SHIFT,
        ),
        (Option("--paste", "copy an actor from another recording; --at, --as", _PLACE, bare=True),),
        form=Form("Paste %1 of %2", "Paste", "It is copied with its track, under a new id, and without a parent."),
        in_scripts=False,
        run=_paste,
    ),
    Operation(
        remove_actors,
        "Remove actor",
        "Delete every record of an actor and, by default, of the actors attached to it",
        (
            MANY,
            Argument("frame", FRAME, False, help="this frame only", label="From", private=True),
            Argument(
                "children",
                FLAG,
                False,
                detail="--keep-children",
                help="attached actors stay",
                script_help="include attached actors (default: true)",
                label=_with_them,
                default=True,
            ),
        ),
        (Option("--remove-actor", "remove actors and those attached to them"),),
        menu=Menu("actor.remove", section="removing", icon="delete", key="Shift+Del", keywords="delete"),
        form=Form("Remove %1", "Remove", describe=_describe_removal, count=_count_removed),
        run=_remove,
    ),
    Operation(
        keep_only_actors,
        "Keep only these",
        "Remove all other actors, except those of the map and those attached",
        (MANY,),
        (Option("--only-actor", "remove all other actors"),),
        menu=Menu("actor.keep", section="removing", keywords="remove others all but"),
        progress_text="Keeping only %1",
    ),
    Operation(
        trim_life,
        "Trim life",
        "Let an actor appear later or disappear earlier",
        (ONE, *RANGE),
        (Option("--trim-actor", "limit an actor to a range (--from, --to)"),),
        over="named",
        menu=Menu("actor.trim", section="removing", icon="trim", keywords="born gone spawn destroy"),
        form=Form(
            "Trim the life of %1",
            "Trim",
            "It is created in the first of these frames, at its position there, and destroyed after the last one.",
            describe=_describe_trim,
        ),
        run=_trim,
    ),
    Operation(
        set_blueprint,
        "Blueprint",
        "Give an actor another blueprint",
        (
            MANY,
            Argument(
                "blueprint",
                BLUEPRINT,
                help="its name",
                label="Blueprint",
                offers=_blueprints,
                default=lambda here: here.lives[0].blueprint,
            ),
            Argument(
                "uid",
                WHOLE,
                False,
                "UID",
                help="its number",
                label="Uid",
                low=1,
                high=0xFFFFFFFF,
                default=lambda here: here.lives[0].uid or None,
                tip="The number of the blueprint in the build that recorded; empty: as other actors of this recording",
            ),
        ),
        (Option("--set-blueprint", "another blueprint", ("blueprint", "uid")),),
        menu=Menu(
            "actor.blueprint",
            section="description",
            keywords="change type id uid model",
            disabled_reasons=(of_the_map,),
        ),
        form=Form(
            "Change the blueprint of %1",
            "Change",
            "Attributes stay as they are.",
            describe=_describe_blueprint,
            follow=_with_uid,
            normalize=_normalize_blueprint,
        ),
    ),
    Operation(
        set_role,
        "Role name",
        "Set the role name, such as hero or autopilot",
        (
            MANY,
            Argument(
                "role",
                TEXT,
                help="the role name",
                label="Role name",
                offers=_roles,
                default=lambda here: here.lives[0].role_name,
            ),
        ),
        (Option("--set-role", "the role name", ("role",)),),
        menu=Menu("actor.role", section="description"),
        form=Form("Role name of %1", "Change", describe=_describe_role),
    ),
    Operation(
        set_attribute,
        "Attribute",
        "Set, add or remove an attribute, such as color",
        (
            MANY,
            Argument("key", KEY, help="its name", label="Attribute", default=_attribute, offers=_attributes),
            Argument(
                "value",
                VALUE,
                False,
                help="null or missing removes it",
                label="Value",
                absent="Remove it",
                default=lambda here: here.lives[0].attribute(_attribute(here)) or "",
            ),
        ),
        (
            Option("--set-attribute", "set an attribute of the EventAdd", ("key", "value")),
            Option("--remove-attribute", "remove an attribute of the EventAdd", ("key",), {"value": None}),
        ),
        menu=Menu("actor.attribute", section="description", keywords="color colour"),
        form=Form(
            "Attribute of %1",
            "Change",
            describe=_describe_attribute,
            follow=_with_value,
            normalize=lambda values, _: {**values, "key": values["key"].strip()},
        ),
        run=lambda call: set_attribute(call.snapshot, call.lives, call["key"], call["value"]),
    ),
    Operation(
        set_actor_id,
        "Change id",
        "Change the id of an actor in every record of every packet",
        (
            ONE,
            Argument(
                "new_id",
                WHOLE,
                help="the other id",
                label="Id",
                low=1,
                high=0xFFFFFFFE,
                default=lambda here: here.lives[0].actor,
            ),
        ),
        (Option("--set-id", "another id, in every packet", ("new_id",)),),
        menu=Menu("actor.id", section="description", keywords="renumber"),
        form=Form(
            "Change the id of %1",
            "Change",
            "In every record of every packet of this life; other lives of that id keep it.",
            describe=_describe_id,
        ),
    ),
    Operation(
        set_hero,
        "Set as hero",
        "Give an actor, and no other, the role name hero",
        (ONE,),
        (Option("--set-hero", "make an actor the only hero"),),
        menu=Menu("actor.make_hero", section="description", icon="star", disabled_reasons=(of_the_map, _hero_already)),
        progress_text="Making %1 the hero",
    ),
    Operation(
        swap_actors,
        "Swap with",
        "Two actors swap their paths",
        (TWO,),
        (Option("--swap", "swap the paths of two actors"),),
        menu=Menu("actor.swap", section="description", keywords="exchange", disabled_reasons=(of_the_map,)),
        form=Form(
            "Swap the path of %1 with another",
            "Swap",
            "Each keeps id, blueprint and attributes, and takes over the other's path and times.",
            describe=_describe_swap,
        ),
    ),
)
"""The operations on actors."""
