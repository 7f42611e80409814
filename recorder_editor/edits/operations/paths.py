"""The operations on paths of actors."""

import math
from dataclasses import replace

from ...reading import Ghost
from ...texts import N_, say
from ..paths.edit_path import edit_path
from ..paths.hold import Timing, hold_actor, timing
from ..paths.mirror import mirror_path
from ..paths.ranges import move_actors, offset_path, place_actors, put_on_lane, smooth_path
from . import kinds
from .common import (
    ACTOR,
    ACTORS,
    AT,
    EASE_IN,
    EASE_OUT,
    FROM,
    OFFSET,
    TO,
    TURN,
    Pose,
    found_by_place,
    ghosts_of,
    pose_in,
    spawn_pose_of,
)
from .schema import Argument, Form, Menu, Operation, OperationCall, Option, Situation

# --- moved ----------------------------------------------------------------------------------------------


def _moved(call: OperationCall, pose: Pose, first: Pose) -> Pose:
    return pose.moved(first, call)


MOVE_ACTORS = Operation(
    edit=move_actors,
    title=N_("Move and turn"),
    summary=N_("Shift and turn the path over a range, with easing so that nothing jumps"),
    frame_range="life",
    parameters=(
        ACTORS,
        OFFSET,
        replace(TURN, tip=N_("Turns the whole path about the actor's position in the first frame")),
        Argument("pivot", kinds.GROUND, needed=False, detail="--pivot", help=N_("turn about this point (m)")),
        FROM,
        TO,
        EASE_IN,
        EASE_OUT,
    ),
    options=(
        Option("--move", help=N_("shift and turn paths (m, °)"), values=("offset", "turn")),
        Option("--rotate", help=N_("turn paths (°)"), values=("turn",)),
    ),
    menu=Menu(
        action="path.move",
        path="Actor/Path",
        keywords=N_("offset rotate shift ease path"),
        disabled_reasons=(found_by_place,),
    ),
    form=Form(
        heading=N_("Move {names}"),
        verb=N_("Move"),
        note=N_(
            "The path is shifted, and turned about the actor's first position; velocities and attached actors follow."
        ),
        ghosts=ghosts_of(_moved),
    ),
)

PLACE_ACTORS = Operation(
    edit=place_actors,
    title=N_("Place"),
    summary=N_("Move an actor to a position in one frame, and its whole path with it"),
    frame_range="life",
    parameters=(
        ACTORS,
        AT,
        Argument("location", kinds.PLACE, needed=False, help=N_("position of the first actor at that time")),
        Argument("yaw", kinds.ANGLE, needed=False, help=N_("its heading at that time")),
        FROM,
        TO,
        EASE_IN,
        EASE_OUT,
    ),
    options=(
        Option(
            "--place",
            help=N_("move an actor and its path so that it is there at a time; each number may be empty; --at"),
            values=("location", "yaw"),
            merge_repeats=False,
        ),
    ),
)


def _beside(call: OperationCall, pose: Pose, _first: Pose) -> Pose:
    yaw = math.radians(pose.yaw)
    metres = call.number("metres")
    x = pose.x - metres * math.sin(yaw)
    y = pose.y + metres * math.cos(yaw)
    return Pose(x, y, pose.yaw)


OFFSET_PATH = Operation(
    edit=offset_path,
    title=N_("Offset sideways"),
    summary=N_("Shift the path to the left or right of the heading, as in a lane change"),
    frame_range="life",
    parameters=(
        ACTOR,
        Argument(
            "metres",
            kinds.LENGTH,
            help=N_("distance to the right"),
            label=N_("To the right"),
            default=3.5,
            step=0.5,
            tip=N_("Below 0: to the left"),
        ),
        FROM,
        TO,
        EASE_IN,
        EASE_OUT,
    ),
    options=(
        Option(
            "--sideways",
            help=N_("shift a path to the right of its heading (m), as in a lane change"),
            values=("metres",),
            per_actor=True,
        ),
    ),
    menu=Menu(
        action="path.sideways",
        path="Actor/Path",
        keywords=N_("lane offset ease path"),
        disabled_reasons=(found_by_place,),
    ),
    form=Form(
        heading=N_("Shift {names} sideways"),
        verb=N_("Offset"),
        note=N_("To the side of its heading, as in a lane change; the heading stays."),
        ghosts=ghosts_of(_beside),
    ),
)


def _without_map(situation: Situation) -> str | None:
    if situation.snapshot.road_file:
        return None
    return say("This recording has no road map yet: Recording > Road map.")


PUT_ON_LANE = Operation(
    edit=put_on_lane,
    title=N_("Put on lane"),
    summary=N_("Move each position of a path to the middle of the nearest lane of a road map, with its heading"),
    frame_range="life",
    parameters=(
        ACTOR,
        Argument(
            "xodr",
            kinds.ROAD_MAP,
            detail="--xodr",
            help=N_("the road map, an OpenDRIVE file"),
            label=N_("Road map"),
            default=lambda here: str(here.snapshot.road_file or ""),
        ),
        FROM,
        TO,
        EASE_IN,
        EASE_OUT,
    ),
    options=(
        Option(
            "--put-on-lane", help=N_("move a path to the middle of the lanes of a road map; --xodr"), per_actor=True
        ),
    ),
    menu=Menu(
        action="path.lane",
        path="Actor/Path",
        keywords=N_("road map snap middle heading opendrive xodr"),
        disabled_reasons=(found_by_place, _without_map),
    ),
    form=Form(
        heading=N_("Put {names} on its lane"),
        verb=N_("Put on lane"),
        note=N_("Each position moves to the middle of the nearest lane for vehicles, with its heading; heights stay."),
    ),
)


# --- held -----------------------------------------------------------------------------------------------


def _timing(call: OperationCall) -> Timing:
    return timing(
        call.snapshot,
        call.life,
        call.frames_or(call.life),
        ease_in=call.number("ease_in", 1.0),
        ease_out=call.number("ease_out", 1.0),
    )


def _describe_hold(call: OperationCall) -> tuple[str, ...]:
    held = _timing(call)
    whole = float(held.times[-1] - held.times[0])
    still = whole - call.number("ease_in", 1.0) - call.number("ease_out", 1.0)
    return (
        say(
            "It stands still for {seconds:.3f} s, and catches up at up to {pace:.1f} times its recorded speed.",
            seconds=max(0.0, still),
            pace=held.pace.max(),
        ),
    )


def _ghosts_of_held(call: OperationCall, frame: int) -> list[Ghost]:
    life = call.life
    held = _timing(call)
    here = pose_in(call.snapshot, life, frame)
    there = pose_in(call.snapshot, life, held.source(frame))
    if here is None or there is None or here == there:
        return []
    return [there.ghost(life.actor, here)]


HOLD_ACTOR = Operation(
    edit=hold_actor,
    title=N_("Hold still"),
    summary=N_("Brake on the path, stand, and catch up until the end of the range"),
    frame_range="named",
    parameters=(
        ACTOR,
        FROM,
        TO,
        replace(
            EASE_IN,
            script_help=N_("seconds in which it brakes (default: 1)"),
            label=N_("Brake within"),
            default=1.0,
            tip=N_("Seconds until it stands; 0: it stops at once"),
        ),
        replace(
            EASE_OUT,
            script_help=N_("seconds in which it catches up (default: 1)"),
            label=N_("Catch up within"),
            default=1.0,
            tip=N_("Seconds at the end of the range; 0: it is back on its path at once"),
        ),
    ),
    options=(
        Option(
            "--hold",
            help=N_("hold an actor still in a range (--from, --to); it catches up in the last seconds"),
            per_actor=True,
        ),
    ),
    menu=Menu(
        action="path.hold",
        path="Actor/Path",
        keywords=N_("stop stand wait freeze pause brake"),
        disabled_reasons=(found_by_place,),
    ),
    form=Form(
        heading=N_("Hold {names} still"),
        verb=N_("Hold"),
        note=N_("On its own path: the first and the last position stay. Lights and doors stay as they are."),
        describe=_describe_hold,
        ghosts=_ghosts_of_held,
    ),
)


# --- led otherwise --------------------------------------------------------------------------------------

EDIT_PATH = Operation(
    edit=edit_path,
    title=N_("Edit path"),
    summary=N_("Lead a path by keys: elsewhere, at another time, at another speed"),
    parameters=(ACTOR, Argument("keys", kinds.KEYS, help=N_("the keys of the path"))),
    options=(Option("--path", help=N_("lead a path by the keys in a file of JSON"), values=("keys",)),),
)

SMOOTH_PATH = Operation(
    edit=smooth_path,
    title=N_("Smooth path"),
    summary=N_("Smooth position and heading"),
    frame_range="life",
    parameters=(
        ACTOR,
        Argument(
            "window",
            kinds.SECONDS,
            help=N_("length of the moving average"),
            label=N_("Window"),
            default=1.0,
            low=0,
            step=0.1,
        ),
        FROM,
        TO,
    ),
    options=(
        Option(
            "--smooth",
            help=N_("smooth a path with a moving average of this length (s)"),
            values=("window",),
            per_actor=True,
        ),
    ),
    menu=Menu(action="path.smooth", path="Actor/Path", disabled_reasons=(found_by_place,)),
    form=Form(
        heading=N_("Smooth the path of {names}"),
        verb=N_("Smooth"),
        note=N_("Position and heading become a moving average; the first and the last frame stay."),
    ),
)


def _current_pose(situation: Situation) -> Pose:
    """Return the pose of the first life in the shown frame, or in its EventAdd."""
    life = situation.lives[0]
    return pose_in(situation.snapshot, life, situation.frame_index) or spawn_pose_of(life)


def _current_place(situation: Situation) -> list[float]:
    pose = _current_pose(situation)
    return [round(pose.x, 3), round(pose.y, 3)]


def _mirrored(call: OperationCall, pose: Pose, _first: Pose) -> Pose:
    x, y = call.ground_point("point")
    angle = call.number("angle")
    turn = math.radians(2 * angle)
    dx = pose.x - x
    dy = pose.y - y
    mirrored_x = dx * math.cos(turn) + dy * math.sin(turn)
    mirrored_y = dx * math.sin(turn) - dy * math.cos(turn)
    return Pose(x + mirrored_x, y + mirrored_y, 2 * angle - pose.yaw)


MIRROR_PATH = Operation(
    edit=mirror_path,
    title=N_("Mirror path"),
    summary=N_("Mirror the path at a line on the ground"),
    frame_range="life",
    parameters=(
        ACTORS,
        Argument(
            "point",
            kinds.GROUND,
            help=N_("a point of the line"),
            label=(N_("Through x"), N_("Through y")),
            default=_current_place,
        ),
        Argument(
            "angle",
            kinds.ANGLE,
            help=N_("direction of the line, as a heading"),
            label=N_("Direction"),
            default=lambda here: round(_current_pose(here).yaw, 3),
            tip=N_("Where the line runs to, as a heading"),
        ),
        FROM,
        TO,
    ),
    options=(
        Option("--mirror", help=N_("mirror paths at a line through a point (m, m, °)"), values=("point", "angle")),
    ),
    menu=Menu(action="path.mirror", path="Actor/Path", disabled_reasons=(found_by_place,)),
    form=Form(
        heading=N_("Mirror the path of {names}"),
        verb=N_("Mirror"),
        note=N_("At a line on the ground: left becomes right, also in steering, wheels and blinkers."),
        ghosts=ghosts_of(_mirrored),
    ),
)

OPERATIONS = (MOVE_ACTORS, PLACE_ACTORS, OFFSET_PATH, PUT_ON_LANE, HOLD_ACTOR, EDIT_PATH, SMOOTH_PATH, MIRROR_PATH)
"""The operations on paths."""
