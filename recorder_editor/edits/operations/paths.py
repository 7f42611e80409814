"""The operations on paths of actors."""

import math
from dataclasses import replace
from typing import Any

from ...recording.rigid import Ghost
from ..paths.hold import hold_actor, timing
from ..paths.mirror import mirror_path
from ..paths.ranges import move_actors, offset_path, place_actors, smooth_path
from .common import EASE, MANY, OFFSET, ONE, RANGE, TURN, WHEN, Pose, found_by_place, ghosts_of, pose_in, spawn_pose_of
from .kinds import ANGLE, GROUND, LENGTH, PLACE, SECONDS
from .schema import Argument, Call, Form, Menu, Operation, Option, Sentence, Situation


def _menu(action: str, keywords: str = "", icon: str = "") -> Menu:
    return Menu(action, "Actor/Path", keywords=keywords, icon=icon, disabled_reasons=(found_by_place,))


def _current_pose(situation: Situation) -> Pose:
    """The pose of the first life in the shown frame, or in its EventAdd."""
    life = situation.lives[0]
    return pose_in(situation.snapshot, life, situation.frame_index) or spawn_pose_of(life)


def _beside(call: Call, pose: Pose, _first: Pose) -> Pose:
    yaw, metres = math.radians(pose.yaw), call.number("metres")
    return Pose(pose.x - metres * math.sin(yaw), pose.y + metres * math.cos(yaw), pose.yaw)


def _mirrored(call: Call, pose: Pose, _first: Pose) -> Pose:
    (x, y), angle = call.point("point"), call.number("angle")
    turn, dx, dy = math.radians(2 * angle), pose.x - x, pose.y - y
    dx, dy = dx * math.cos(turn) + dy * math.sin(turn), dx * math.sin(turn) - dy * math.cos(turn)
    return Pose(x + dx, y + dy, 2 * angle - pose.yaw)


def _easing(call: Call) -> dict[str, Any]:
    return {"ease_in": call.number("ease_in", 1.0), "ease_out": call.number("ease_out", 1.0)}


def _describe_hold(call: Call) -> tuple[Sentence, ...]:
    found, eased = timing(call.snapshot, call.life, call.frames_or(call.life), **_easing(call)), _easing(call)
    stopped = max(0.0, float(found.times[-1] - found.times[0]) - eased["ease_in"] - eased["ease_out"])
    words = "It stands for %1 s, and catches up at up to %2 times its recorded speed."
    return (Sentence(words, (f"{stopped:.3f}", f"{found.pace.max():.1f}")),)


def _held_ghosts(call: Call, frame: int) -> list[Ghost]:
    life = call.life
    found = timing(call.snapshot, life, call.frames_or(life), **_easing(call))
    here, there = (pose_in(call.snapshot, life, each) for each in (frame, found.source(frame)))
    return [] if here is None or there is None or here == there else [there.ghost(life.actor, here)]


OPERATIONS = (
    Operation(
        move_actors,
        "Move and turn",
        "Shift and turn the path over a range, with easing so that nothing jumps",
        (
            MANY,
            OFFSET,
            replace(TURN, tip="The path as a whole, about where the actor is in the first of the frames"),
            Argument("pivot", GROUND, False, detail="--pivot", help="turn about this point (m)"),
            *RANGE,
            *EASE,
        ),
        (
            Option("--move", "shift and turn paths (m, °)", ("offset", "turn")),
            Option("--rotate", "turn paths (°)", ("turn",)),
        ),
        over="life",
        menu=_menu("path.move", "offset rotate shift ease path"),
        form=Form(
            "Move %1",
            "Move",
            "The path is shifted, and turned about the actor's first position; velocities and attached actors follow.",
            ghosts=ghosts_of(lambda call, pose, first: pose.moved(first, call)),
        ),
    ),
    Operation(
        place_actors,
        "Place",
        "Move an actor to a place in one frame, and its whole path with it",
        (
            MANY,
            WHEN,
            Argument("location", PLACE, False, help="position of the first actor at that time"),
            Argument("yaw", ANGLE, False, help="its heading at that time"),
            *RANGE,
            *EASE,
        ),
        (
            Option(
                "--place",
                "move an actor and its path so that it is there at a time; each number may be empty; --at",
                ("location", "yaw"),
                joins=False,
            ),
        ),
        over="life",
    ),
    Operation(
        offset_path,
        "Offset sideways",
        "Shift the path to the left or right of the heading, as in a lane change",
        (
            ONE,
            Argument(
                "metres",
                LENGTH,
                help="distance to the right",
                label="To the right",
                default=3.5,
                step=0.5,
                tip="Below 0: to the left",
            ),
            *RANGE,
            *EASE,
        ),
        (
            Option(
                "--sideways",
                "shift a path to the right of its heading (m), as in a lane change",
                ("metres",),
                each=True,
            ),
        ),
        over="life",
        menu=_menu("path.sideways", "lane offset ease path"),
        form=Form(
            "Shift %1 sideways",
            "Shift",
            "To the side of its heading, as in a lane change; the heading stays.",
            ghosts=ghosts_of(_beside),
        ),
    ),
    Operation(
        hold_actor,
        "Hold still",
        "Brake on the path, stand, and catch up until the end of the range",
        (
            ONE,
            *RANGE,
            replace(
                EASE[0],
                label="Brake within",
                default=1.0,
                script_help="seconds in which it brakes (default: 1)",
                tip="So many seconds until it stands; with 0 it halts at once",
            ),
            replace(
                EASE[1],
                label="Catch up within",
                default=1.0,
                script_help="seconds in which it catches up (default: 1)",
                tip="So many seconds, the last ones of the range; with 0 it is back at once",
            ),
        ),
        (
            Option(
                "--hold", "hold an actor still in a range (--from, --to); it catches up in the last seconds", each=True
            ),
        ),
        over="named",
        menu=_menu("path.hold", "stop stand wait freeze pause brake"),
        form=Form(
            "Hold %1 still",
            "Hold",
            "On its own path: the first and the last position stay. Lights and doors stay as they are.",
            describe=_describe_hold,
            ghosts=_held_ghosts,
        ),
    ),
    Operation(
        smooth_path,
        "Smooth path",
        "Smooth position and heading",
        (
            ONE,
            Argument(
                "window", SECONDS, help="length of the moving average", label="Window", default=1.0, low=0, step=0.1
            ),
            *RANGE,
        ),
        (Option("--smooth", "smooth a path with a moving average of this length (s)", ("window",), each=True),),
        over="life",
        menu=_menu("path.smooth"),
        form=Form(
            "Smooth the path of %1",
            "Smooth",
            "Position and heading become a moving average; the first and the last frame stay.",
        ),
    ),
    Operation(
        mirror_path,
        "Mirror path",
        "Mirror the path at a line on the ground",
        (
            MANY,
            Argument(
                "point",
                GROUND,
                help="a point of the line",
                label=("Through x", "Through y"),
                default=lambda here: [round(_current_pose(here).x, 3), round(_current_pose(here).y, 3)],
            ),
            Argument(
                "angle",
                ANGLE,
                help="direction of the line, as a heading",
                label="Direction",
                default=lambda here: round(_current_pose(here).yaw, 3),
                tip="Where the line runs to, as a heading",
            ),
            *RANGE,
        ),
        (Option("--mirror", "mirror paths at a line through a point (m, m, °)", ("point", "angle")),),
        over="life",
        menu=_menu("path.mirror"),
        form=Form(
            "Mirror the path of %1",
            "Mirror",
            "At a line on the ground: left becomes right, also in steering, wheels and blinkers.",
            ghosts=ghosts_of(_mirrored),
        ),
    ),
)
"""The operations on paths."""
