"""The operations on whole actors: removed, described otherwise, renumbered."""

from collections.abc import Sequence

from ...errors import EditError
from ...reading import Actors, Life
from ...recording import Edit, Snapshot
from ...texts import N_, listed, say, say_count
from ..actors.describing import HERO, ROLE, set_attribute, set_blueprint, set_hero, set_role, uid_of
from ..actors.removing import keep_only_actors, remove_actors, remove_from_frame, trim_life, with_children
from ..actors.renumbering import set_actor_id, swap_actors
from ..actors.rewrite import unused_id
from . import kinds
from .common import ACTOR, ACTORS, FROM, TO, of_the_map, role_names
from .schema import Argument, Arguments, Form, Menu, Operation, OperationCall, Option, Situation, named, names_of

# --- removed --------------------------------------------------------------------------------------------


def _attached(snapshot: Snapshot, lives: Sequence[Life]) -> list[Life]:
    return with_children(Actors.of(snapshot), lives)[len(lives) :]


def _with_attached(here: Situation) -> str:
    number = len(_attached(here.snapshot, here.lives))
    if not number:
        return ""
    return say_count("With the one attached", "With the {count:,} attached", count=number)


def _remove(call: OperationCall) -> Edit:
    snapshot = call.snapshot
    lives = call.lives
    frame = call.whole("frame")
    if frame is None:
        children = call.flag("children", default=True)
        return remove_actors(snapshot, lives, children=children, progress=call.progress)
    if call.flag("children", default=False):
        lives = with_children(Actors.of(snapshot), lives)
    return remove_from_frame(snapshot, lives, frame)


def _describe_removal(call: OperationCall) -> tuple[str, ...]:
    frame = call.whole("frame")
    if frame is not None:
        return (
            say("In frame {frame:,} only; it stays before and after. The checks will list the gap.", frame=frame + 1),
        )
    whole = say("All its records in all packets are deleted, collisions too.")
    children = _attached(call.snapshot, call.lives)
    if not children:
        return whole, say("No actor is attached.")
    names = names_of(children)
    if call.flag("children", default=True):
        return whole, say("Also removed: {actors}.", actors=names)
    return whole, say("Stays without a parent: {actors}.", actors=names)


REMOVE_ACTORS = Operation(
    edit=remove_actors,
    run=_remove,
    title=N_("Remove actor"),
    summary=N_("Delete every record of an actor and, by default, of the actors attached to it"),
    parameters=(
        ACTORS,
        Argument("frame", kinds.FRAME, needed=False, help=N_("this frame only"), label=N_("Remove from"), private=True),
        Argument(
            "children",
            kinds.FLAG,
            needed=False,
            detail="--keep-children",
            help=N_("attached actors stay"),
            script_help=N_("include attached actors (default: true)"),
            label=_with_attached,
            default=True,
        ),
    ),
    options=(Option("--remove-actor", help=N_("remove actors and those attached to them")),),
    menu=Menu(action="actor.remove", section="removing", icon="delete", key="Shift+Del", keywords=N_("delete")),
    form=Form(heading=N_("Remove {names}"), verb=N_("Remove"), describe=_describe_removal),
)

KEEP_ONLY_ACTORS = Operation(
    edit=keep_only_actors,
    title=N_("Keep only these actors"),
    summary=N_("Remove all other actors, except those of the map and those attached"),
    progress_text=N_("Keeping only {names}"),
    parameters=(ACTORS,),
    options=(Option("--only-actor", help=N_("remove all other actors")),),
    menu=Menu(action="actor.keep", section="removing", keywords=N_("remove others all but")),
)


def _trim(call: OperationCall) -> Edit:
    return trim_life(call.snapshot, call.life, call.frames_or(call.life), progress=call.progress)


def _describe_trim(call: OperationCall) -> tuple[str, ...]:
    life = call.life
    elapsed = call.snapshot.elapsed
    end = len(elapsed)
    if life.gone is not None:
        end = life.gone
    try:
        wanted = call.frames_or(life)
    except EditError:
        wanted = range(0)
    frames = range(max(wanted.start, life.born), min(wanted.stop, end))
    whole = end - life.born
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
    return (
        say(
            "{frames:,} of its {whole:,} frames stay, from {first:.3f} s to {last:.3f} s.",
            frames=len(frames),
            whole=whole,
            first=elapsed[frames.start],
            last=elapsed[frames.stop - 1],
        ),
    )


TRIM_LIFE = Operation(
    edit=trim_life,
    run=_trim,
    title=N_("Trim life"),
    summary=N_("Let an actor appear later or disappear earlier"),
    frame_range="named",
    parameters=(ACTOR, FROM, TO),
    options=(Option("--trim-actor", help=N_("limit an actor to a range (--from, --to)")),),
    menu=Menu(action="actor.trim", section="removing", icon="trim", keywords=N_("born gone spawn destroy")),
    form=Form(
        heading=N_("Trim the life of {names}"),
        verb=N_("Trim"),
        note=N_(
            "It is created in the first of these frames, at its position there, with the actors that are created "
            "attached to it, and destroyed after the last one."
        ),
        describe=_describe_trim,
    ),
)


# --- described otherwise --------------------------------------------------------------------------------


def _blueprint_names(here: Situation) -> Sequence[str]:
    return sorted({life.blueprint for life in Actors.of(here.snapshot)} - {"spectator"})


def _describe_blueprint(call: OperationCall) -> tuple[str, ...]:
    uid = call.whole("uid")
    recorded_uid = uid_of(call.snapshot, call.text("blueprint"))
    if uid is None and recorded_uid is None:
        raise EditError(say("No actor of this recording has that blueprint: give its uid, or choose another."))
    if uid is None or uid == recorded_uid:
        return (say("The uid is that of other actors of this recording."),)
    return (
        say(
            "Up to CARLA 0.9.15 the uid alone decides what is created; later it has to be "
            "that of the same kind of actor."
        ),
    )


def _uid_of_blueprint(name: str, values: Arguments, here: Situation) -> Arguments:
    if name != "blueprint":
        return {}
    return {"uid": uid_of(here.snapshot, str(values["blueprint"]).strip())}


def _normalize_blueprint(values: Arguments, here: Situation) -> Arguments:
    name = str(values["blueprint"]).strip()
    uid = values["uid"]
    if uid == uid_of(here.snapshot, name):
        uid = None  # without it, a script finds that of the recording it is run on
    return {**values, "blueprint": name, "uid": uid}


SET_BLUEPRINT = Operation(
    edit=set_blueprint,
    title=N_("Set blueprint"),
    summary=N_("Give an actor another blueprint"),
    parameters=(
        ACTORS,
        Argument(
            "blueprint",
            kinds.BLUEPRINT,
            help=N_("its name"),
            label=N_("Blueprint"),
            default=lambda here: here.lives[0].blueprint,
            offers=_blueprint_names,
        ),
        Argument(
            "uid",
            kinds.WHOLE,
            needed=False,
            metavar="UID",
            help=N_("its number"),
            label=N_("Uid"),
            default=lambda here: here.lives[0].uid or None,
            low=1,
            high=4294967295,
            tip=N_("The number of the blueprint in the build that recorded; empty: as other actors of this recording"),
        ),
    ),
    options=(Option("--set-blueprint", help=N_("another blueprint"), values=("blueprint", "uid")),),
    menu=Menu(
        action="actor.blueprint",
        section="description",
        keywords=N_("change type id uid model"),
        disabled_reasons=(of_the_map,),
    ),
    form=Form(
        heading=N_("Set the blueprint of {names}"),
        verb=N_("Set"),
        note=N_("Attributes stay as they are. Records that an actor of another class does not have are removed."),
        describe=_describe_blueprint,
        follow=_uid_of_blueprint,
        normalize=_normalize_blueprint,
    ),
)


def _describe_role(call: OperationCall) -> tuple[str, ...]:
    if call["role"] != HERO:
        return ()
    return (say("The simulator and its tools find the hero by this name."),)


SET_ROLE = Operation(
    edit=set_role,
    title=N_("Set role name"),
    summary=N_("Set the role name, such as hero or autopilot"),
    parameters=(
        ACTORS,
        Argument(
            "role",
            kinds.TEXT,
            help=N_("the role name"),
            label=N_("Role name"),
            default=lambda here: here.lives[0].role_name,
            offers=role_names,
        ),
    ),
    options=(Option("--set-role", help=N_("the role name"), values=("role",)),),
    menu=Menu(action="actor.role", section="description"),
    form=Form(heading=N_("Set the role name of {names}"), verb=N_("Set"), describe=_describe_role),
)


def _set_attribute(call: OperationCall) -> Edit:
    return set_attribute(call.snapshot, call.lives, call.text("key"), call.text_or_none("value"))


def _attribute_names(here: Situation) -> Sequence[str]:
    """Return the attributes of the first actor in their order, then those of all others."""
    own: dict[str, None] = {}
    for attribute in here.lives[0].attributes:
        own[attribute.id] = None
    others: set[str] = set()
    for life in Actors.of(here.snapshot):
        for attribute in life.attributes:
            others.add(attribute.id)
    others -= own.keys()
    names = list(own) + sorted(others)
    return [name for name in names if name]


def _first_attribute(here: Situation) -> str:
    """Return the first attribute other than the role name, if there is one."""
    for attribute in here.lives[0].attributes:
        if attribute.id and attribute.id != ROLE:
            return attribute.id
    return ROLE


def _first_value(here: Situation) -> str:
    return here.lives[0].attribute(_first_attribute(here)) or ""


def _value_of_attribute(name: str, values: Arguments, here: Situation) -> Arguments:
    if name != "key":
        return {}
    return {"value": here.lives[0].attribute(str(values["key"]).strip()) or ""}


def _describe_attribute(call: OperationCall) -> tuple[str, ...]:
    key = call.text("key")
    values: dict[str, None] = {}
    for life in call.lives:
        value = life.attribute(key)
        if value is not None:
            values[value] = None
    if not values and call["value"] is None:
        raise EditError(say("None of them has an attribute {key}.", key=key))
    if not values:
        return (say("The attribute is new and will be added."),)
    return (say("Current value: {values}.", values=listed(values) or say("empty")),)


def _normalize_attribute(values: Arguments, here: Situation) -> Arguments:
    del here
    return {**values, "key": str(values["key"]).strip()}


SET_ATTRIBUTE = Operation(
    edit=set_attribute,
    run=_set_attribute,
    title=N_("Set attribute"),
    summary=N_("Set, add or remove an attribute, such as color"),
    parameters=(
        ACTORS,
        Argument(
            "key",
            kinds.KEY,
            help=N_("its name"),
            label=N_("Attribute"),
            default=_first_attribute,
            offers=_attribute_names,
        ),
        Argument(
            "value",
            kinds.VALUE,
            needed=False,
            help=N_("null or missing removes it"),
            label=N_("Value"),
            default=_first_value,
            remove_label=N_("Remove it"),
        ),
    ),
    options=(
        Option("--set-attribute", help=N_("set an attribute of the EventAdd"), values=("key", "value")),
        Option(
            "--remove-attribute", help=N_("remove an attribute of the EventAdd"), values=("key",), fixed={"value": None}
        ),
    ),
    menu=Menu(action="actor.attribute", section="description", keywords=N_("color colour")),
    form=Form(
        heading=N_("Set an attribute of {names}"),
        verb=N_("Set"),
        describe=_describe_attribute,
        follow=_value_of_attribute,
        normalize=_normalize_attribute,
    ),
)


# --- renumbered, and exchanged --------------------------------------------------------------------------


def _describe_id(call: OperationCall) -> tuple[str, ...]:
    new_id = call.whole("new_id")
    assert new_id is not None
    if new_id == call.life.actor:
        return (say("The first unused id is {id}.", id=unused_id(call.snapshot)),)
    if Actors.of(call.snapshot).of_id(new_id):
        return (say("Other lives have that id at other times."),)
    return ()


SET_ACTOR_ID = Operation(
    edit=set_actor_id,
    title=N_("Set id"),
    summary=N_("Change the id of an actor in every record of every packet"),
    parameters=(
        ACTOR,
        Argument(
            "new_id",
            kinds.WHOLE,
            help=N_("the other id"),
            label=N_("Id"),
            default=lambda here: here.lives[0].actor,
            low=1,
            high=4294967294,
        ),
    ),
    options=(Option("--set-id", help=N_("another id, in every packet"), values=("new_id",)),),
    menu=Menu(action="actor.id", section="description", keywords=N_("renumber")),
    form=Form(
        heading=N_("Set the id of {names}"),
        verb=N_("Set"),
        note=N_("In every record of every packet of this life; other lives of that id keep it."),
        describe=_describe_id,
    ),
)


def _is_hero_already(here: Situation) -> str | None:
    life = here.lives[0]
    heroes = sum(other.is_hero for other in Actors.of(here.snapshot))
    if life.is_hero and heroes == 1:
        return say("{actor} is the hero already.", actor=life.actor)
    return None


SET_HERO = Operation(
    edit=set_hero,
    title=N_("Set as hero"),
    summary=N_("Give an actor, and no other, the role name hero"),
    progress_text=N_("Making {names} the hero"),
    parameters=(ACTOR,),
    options=(Option("--set-hero", help=N_("make an actor the only hero")),),
    menu=Menu(
        action="actor.make_hero", section="description", icon="star", disabled_reasons=(of_the_map, _is_hero_already)
    ),
)


def _describe_swap(call: OperationCall) -> tuple[str, ...]:
    if len(call.lives) < 2:
        return (say("Type an id, or a part of a blueprint to choose from."),)
    first, second = call.pair
    return (say("{one} takes the path of {other}, and {other} that of {one}.", one=named(first), other=named(second)),)


SWAP_ACTORS = Operation(
    edit=swap_actors,
    title=N_("Swap paths"),
    summary=N_("Two actors swap their paths"),
    parameters=(Argument("actors", kinds.PAIR, help=N_("the two actors"), label=N_("With")),),
    options=(Option("--swap", help=N_("swap the paths of two actors")),),
    menu=Menu(action="actor.swap", section="description", keywords=N_("exchange"), disabled_reasons=(of_the_map,)),
    form=Form(
        heading=N_("Swap the path of {names}"),
        verb=N_("Swap"),
        note=N_("Each keeps id, blueprint and attributes, and takes over the other's path and times."),
        describe=_describe_swap,
    ),
)

OPERATIONS = (
    REMOVE_ACTORS,
    KEEP_ONLY_ACTORS,
    TRIM_LIFE,
    SET_BLUEPRINT,
    SET_ROLE,
    SET_ATTRIBUTE,
    SET_ACTOR_ID,
    SET_HERO,
    SWAP_ACTORS,
)
"""The operations on actors."""
