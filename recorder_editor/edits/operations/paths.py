"""The operations on paths of actors."""

import math
from functools import partial
from typing import Any

from ...reading import Ghost
from ...texts import say
from ..paths.edit_path import edit_path
from ..paths.hold import hold_actor, timing
from ..paths.mirror import mirror_path
from ..paths.ranges import move_actors, offset_path, place_actors, put_on_lane, smooth_path
from .common import Pose, found_by_place, ghosts_of, pose_in, spawn_pose_of
from .schema import Argument, Form, OperationCall, Situation, operation


def _without_map(situation: Situation) -> str | None:
    return None if situation.snapshot.road_file else say("This recording has no road map yet: Recording > Road map.")


def _current_pose(situation: Situation) -> Pose:
    """The pose of the first life in the shown frame, or in its EventAdd."""
    life = situation.lives[0]
    return pose_in(situation.snapshot, life, situation.frame_index) or spawn_pose_of(life)


def _beside(call: OperationCall, pose: Pose, _first: Pose) -> Pose:
    yaw, metres = math.radians(pose.yaw), call.number("metres")
    return Pose(pose.x - metres * math.sin(yaw), pose.y + metres * math.cos(yaw), pose.yaw)


def _mirrored(call: OperationCall, pose: Pose, _first: Pose) -> Pose:
    (x, y), angle = call.point("point"), call.number("angle")
    turn, dx, dy = math.radians(2 * angle), pose.x - x, pose.y - y
    dx, dy = dx * math.cos(turn) + dy * math.sin(turn), dx * math.sin(turn) - dy * math.cos(turn)
    return Pose(x + dx, y + dy, 2 * angle - pose.yaw)


def _easing(call: OperationCall) -> dict[str, Any]:
    return {"ease_in": call.number("ease_in", 1.0), "ease_out": call.number("ease_out", 1.0)}


def _describe_hold(call: OperationCall) -> tuple[str, ...]:
    found, eased = timing(call.snapshot, call.life, call.frames_or(call.life), **_easing(call)), _easing(call)
    stopped = max(0.0, float(found.times[-1] - found.times[0]) - eased["ease_in"] - eased["ease_out"])
    return (
        say(
            "It stands still for {seconds:.3f} s, and catches up at up to {pace:.1f} times its recorded speed.",
            seconds=stopped,
            pace=found.pace.max(),
        ),
    )


def _held_ghosts(call: OperationCall, frame: int) -> list[Ghost]:
    life = call.life
    found = timing(call.snapshot, life, call.frames_or(life), **_easing(call))
    here, there = (pose_in(call.snapshot, life, each) for each in (frame, found.source(frame)))
    return [] if here is None or there is None or here == there else [there.ghost(life.actor, here)]


_path_operation = partial(operation, disabled_reasons=(found_by_place,))

OPERATIONS = (
    _path_operation(
        move_actors, form=partial(Form, ghosts=ghosts_of(lambda call, pose, first: pose.moved(first, call)))
    ),
    operation(place_actors),
    _path_operation(offset_path, form=partial(Form, ghosts=ghosts_of(_beside))),
    operation(
        put_on_lane,
        parameters={"xodr": partial(Argument, default=lambda here: str(here.snapshot.road_file or ""))},
        disabled_reasons=(found_by_place, _without_map),
    ),
    _path_operation(hold_actor, form=partial(Form, describe=_describe_hold, ghosts=_held_ghosts)),
    operation(edit_path),
    _path_operation(smooth_path),
    _path_operation(
        mirror_path,
        parameters={
            "point": partial(
                Argument, default=lambda here: [round(_current_pose(here).x, 3), round(_current_pose(here).y, 3)]
            ),
            "angle": partial(Argument, default=lambda here: round(_current_pose(here).yaw, 3)),
        },
        form=partial(Form, ghosts=ghosts_of(_mirrored)),
    ),
)
"""The operations on paths."""
