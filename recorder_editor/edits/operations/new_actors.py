"""The operations that make new actors: added on a path, duplicated, pasted from another recording."""

from collections.abc import Sequence
from dataclasses import replace

from ...errors import NothingToDo
from ...format import VEHICLE_LIGHTS
from ...reading import Actors, Ghost, SelectorError
from ...recording import Edit
from ...texts import N_, say
from ..actors.copying import duplicate_actor, paste_actor
from ..blueprints import typical_model
from ..intents import frame_at, is_moment
from ..new_actors.add_actor import WantedActor, add_actor, add_wanted, usual
from ..new_actors.blueprints import blueprint_of, catalogue, uid_of_kind
from . import kinds
from .common import ACTOR, AT, FROM, OFFSET, TO, TURN, of_the_map, pose_in, role_names, spawn_pose_of
from .schema import (
    Argument,
    Arguments,
    Form,
    Menu,
    Operation,
    OperationCall,
    OperationResult,
    Option,
    Situation,
    describe_frames,
    named,
)

_TURN_OF_PATH = replace(TURN, tip=N_("Turns the whole path about the position in its EventAdd"))
_COPY_ID = Argument(
    "new_id",
    kinds.WHOLE,
    needed=False,
    detail="--as",
    help=N_("id of the copy"),
    label=N_("Id"),
    low=1,
    high=4294967294,
    tip=N_("Empty: one above the highest id"),
    hint=N_("next free"),
)


# --- added ----------------------------------------------------------------------------------------------


def _add(call: OperationCall) -> OperationResult:
    edit = add_wanted(call.snapshot, WantedActor.of_arguments(call.given), call.progress)
    return OperationResult(edit, _remarks(call))


def _remarks(call: OperationCall) -> tuple[str, ...]:
    """Return a sentence if the uid is not from the recording."""
    blueprint = call.text("blueprint")
    uid = call.whole("uid")
    used = blueprint_of(call.snapshot, blueprint, uid)
    if used.life is not None or uid is not None:
        return ()
    if uid_of_kind(call.snapshot, blueprint) is not None:
        return ()
    return (
        say(
            "The uid {uid} is from the catalogue, not from this recording; up to CARLA "
            "0.9.15 it alone decides what appears, later it has to be that of the same "
            "kind of actor.",
            uid=used.uid,
        ),
    )


def _describe_new(call: OperationCall) -> tuple[str, ...]:
    if not (call["path"] or call["follow"] or call["copy"]):
        raise NothingToDo(say("A new actor needs a place: a path, an actor to follow, or one to copy."))
    return _remarks(call) + describe_frames(call)


def _blueprints_with_sizes(here: Situation) -> Sequence[str]:
    """Return the blueprints and their sizes; those that are only typical of their kind have a ≈ before them."""
    texts = []
    for name, blueprint in catalogue(here.snapshot).items():
        model = blueprint.model
        size = f"{model.half_length / 50:.2f} × {model.half_width / 50:.2f} × {model.half_height / 50:.2f}"
        if model.box == typical_model(kind=model.kind).box:
            size = f"≈ {size}"
        texts.append(f"{name}, {size} m")
    return texts


def _road_users(here: Situation) -> Sequence[str]:
    return [named(life) for life in Actors.of(here.snapshot) if life.is_road_user]


def _normalize_new(values: Arguments, here: Situation) -> Arguments:
    given: dict[str, object] = {"blueprint": ""}
    for name, value in values.items():
        if value == "":
            continue
        if name in ("blueprint", "follow", "copy") and isinstance(value, str):
            given[name] = value.split()[0].strip(",")  # without the words that the field suggests behind it
        else:
            given[name] = value
    return given


ADD_ACTOR = Operation(
    edit=add_actor,
    run=_add,
    title=N_("Add actor"),
    summary=N_("A vehicle, walker or prop that was not there, on a path of its own"),
    frame_range="recording",
    parameters=(
        Argument(
            "blueprint",
            kinds.BLUEPRINT,
            help=N_("its blueprint"),
            label=N_("Blueprint"),
            default=lambda here: usual(here.snapshot, "car"),
            offers=_blueprints_with_sizes,
            tip=N_("Type a part of its name; the arrow, or Alt+Down, lists all with their sizes"),
        ),
        Argument(
            "path",
            kinds.POINTS,
            needed=False,
            help=N_("a point where it stands, or several that it drives through smoothly, to a stop at the last one"),
            label=N_("Path"),
            tip=N_(
                "Clicks in the scene, with Shift straight; Backspace takes one back, Esc gives up; one place: it "
                "stands there. By keys: Draw, arrows (with Shift farther), Enter"
            ),
        ),
        Argument(
            "yaw", kinds.ANGLE, needed=False, help=N_("its heading where it stands"), label=N_("Heading"), default=0.0
        ),
        Argument(
            "follow",
            kinds.LIFE,
            needed=False,
            help=N_("the leader that it keeps a gap to; without a path it is born behind it, on its path"),
            label=N_("Follows"),
            default="",
            hint=N_("none"),
            offers=_road_users,
        ),
        Argument(
            "gap",
            kinds.SECONDS,
            needed=False,
            help=N_("the time it keeps to whoever is ahead on its path (1.5 s to a leader, if not given)"),
            label=N_("Time gap"),
            low=0,
            step=0.1,
            hint=N_("ignores others"),
            tip=N_("It brakes for the recorded vehicles and walkers on its path"),
        ),
        Argument(
            "copy",
            kinds.LIFE,
            needed=False,
            help=N_("the actor whose path and times it has, or its speeds on a path of its own"),
            label=N_("Copies"),
            default="",
            hint=N_("none"),
            offers=_road_users,
        ),
        Argument(
            "later",
            kinds.SECONDS,
            needed=False,
            help=N_("how much later than that actor it is"),
            label=N_("Later by"),
            default=0.0,
            step=0.1,
        ),
        replace(OFFSET, help=N_("the shift of the path that it takes from another actor"), label=""),
        Argument(
            "speed",
            kinds.NUMBER,
            needed=False,
            help=N_("the speed it aims at; it is slower in bends"),
            label=N_("Speed"),
            unit="m/s",
            low=0,
            hint=N_("usual"),
        ),
        Argument(
            "wait",
            kinds.SECONDS,
            needed=False,
            help=N_("how long it stands before it goes; without, it is at its speed when it is born"),
            label=N_("Waits"),
            default=0.0,
            low=0,
            step=0.5,
        ),
        Argument(
            "role",
            kinds.TEXT,
            needed=False,
            help=N_("its role name"),
            label=N_("Role name"),
            default="",
            hint=N_("usual"),
            offers=role_names,
        ),
        Argument(
            "color",
            kinds.VALUE,
            needed=False,
            help=N_("its colour, as in 255,0,0"),
            label=N_("Colour"),
            default="",
            hint=N_("usual"),
        ),
        Argument(
            "lights",
            kinds.BITS,
            needed=False,
            help=N_("the bits of its lights, all its life"),
            label=N_("Lights"),
            default=0,
            flags=VEHICLE_LIGHTS,
        ),
        Argument("uid", kinds.WHOLE, needed=False, help=N_("the number of the blueprint, if it is not known")),
        FROM,
        TO,
        replace(_COPY_ID, help=N_("its id"), label=""),
    ),
    options=(
        Option(
            "--add-actor",
            help=N_("add an actor that a JSON object describes, or a file of one (the guide shows how)"),
            is_json=True,
        ),
    ),
    menu=Menu(
        action="actor.add",
        path="Actor/New",
        section="form",
        icon="add",
        key="Ctrl+Shift+A",
        keywords=N_("new vehicle car walker pedestrian prop spawn insert create"),
    ),
    form=Form(
        heading=N_("Add an actor"),
        verb=N_("Add actor"),
        note=N_("Clicks in the scene draw its path, along lanes where there is a map; Enter or a double click ends."),
        describe=_describe_new,
        normalize=_normalize_new,
    ),
)


# --- duplicated -----------------------------------------------------------------------------------------


def _proposed_delay(here: Situation) -> float:
    """Return a delay with which the copy is not inside the actor; the command line has none."""
    del here
    return 2.0


def _ghosts_of_copy(call: OperationCall, frame: int) -> list[Ghost]:
    snapshot = call.snapshot
    life = call.life
    earlier = snapshot.frame_at_time(float(snapshot.elapsed[frame]) - call.number("seconds"))
    here = pose_in(snapshot, life, frame)
    then = pose_in(snapshot, life, earlier)
    if here is None or then is None:
        return []
    return [then.moved(spawn_pose_of(life), call).ghost(life.actor, here)]


DUPLICATE_ACTOR = Operation(
    edit=duplicate_actor,
    title=N_("Duplicate actor"),
    summary=N_("A copy of an actor, shifted in space or time"),
    parameters=(
        ACTOR,
        Argument(
            "seconds",
            kinds.SECONDS,
            needed=False,
            detail="--later",
            help=N_("delay of the copy"),
            label=N_("Later by"),
            default=_proposed_delay,
            step=0.1,
        ),
        OFFSET,
        _TURN_OF_PATH,
        _COPY_ID,
    ),
    options=(
        Option(
            "--duplicate",
            help=N_("duplicate an actor, shifted and turned (m, °); --later, --as"),
            values=("offset", "turn"),
            values_optional=True,
            per_actor=True,
        ),
    ),
    menu=Menu(
        action="actor.duplicate", section="copies", icon="duplicate", key="Ctrl+Shift+D", disabled_reasons=(of_the_map,)
    ),
    form=Form(
        heading=N_("Duplicate {names}"),
        verb=N_("Duplicate"),
        note=N_("The copy follows the same path under a new id; what would lie outside of the recording is cut off."),
        ghosts=_ghosts_of_copy,
    ),
)


# --- pasted ---------------------------------------------------------------------------------------------


def _paste(call: OperationCall) -> Edit:
    assert call.source is not None
    return paste_actor(
        call.snapshot,
        call.source,
        call.life,
        at=_appears_at(call),
        offset=call.shift("offset"),
        turn=call.number("turn"),
        new_id=call.whole("new_id"),
        progress=call.progress,
    )


def _appears_at(call: OperationCall) -> float:
    """Return the time in seconds. Raises `SelectorError` for a frame that is not there."""
    moment = call.moment("at")
    if moment is None:
        return 0.0
    if not isinstance(moment, str):
        return moment
    frames = len(call.snapshot)
    frame = frames
    if is_moment(moment):
        frame = frame_at(call.snapshot, moment)
    if frame == frames:
        raise SelectorError(say("There is no frame {at}.", at=moment))
    return float(call.snapshot.elapsed[frame])


def _time_of(here: Situation) -> float:
    if not len(here.snapshot):
        return 0.0
    return round(float(here.snapshot.elapsed[here.frame_index]), 6)


PASTE_ACTOR = Operation(
    edit=paste_actor,
    run=_paste,
    title=N_("Paste actor"),
    summary=N_("Copy an actor with its track from another recording, under a new id"),
    in_scripts=False,
    parameters=(
        Argument("file", kinds.FILE, help=N_("the other recording")),
        ACTOR,
        replace(AT, needed=False, label=N_("Appears at"), default=_time_of, step=0.1),
        OFFSET,
        _TURN_OF_PATH,
        _COPY_ID,
    ),
    options=(
        Option(
            "--paste",
            help=N_("copy an actor from another recording; --at, --as"),
            values=("offset", "turn"),
            values_optional=True,
        ),
    ),
    form=Form(
        heading=N_("Paste {actor} of {file}"),
        verb=N_("Paste"),
        note=N_("It is copied with its track, under a new id, and without a parent."),
    ),
)

OPERATIONS = (ADD_ACTOR, DUPLICATE_ACTOR, PASTE_ACTOR)
"""The operations that make actors."""
