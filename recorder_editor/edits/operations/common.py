"""Reasons why actors cannot be edited, and previews of moved actors."""

import math
from collections.abc import Callable
from typing import NamedTuple

from ...reading import Ghost, Life
from ...recording import Snapshot
from ...texts import N_, say
from ..actors.rewrite import name_of
from ..paths.moved_actors import has_positions
from .schema import OperationCall, Situation


def reason(situation: Situation, applies: Callable[[Life], bool], template: str) -> str | None:
    """What is said of the first of the lives that it applies to; None if there is none."""
    life = next(filter(applies, situation.lives), None)
    return None if life is None else say(template, actor=name_of(life))


def of_the_map(situation: Situation) -> str | None:
    """The reason if one of the lives belongs to the map."""
    return reason(
        situation,
        lambda life: life.is_traffic or life.blueprint == "spectator",
        N_("{actor} belongs to the map: the simulator creates none."),
    )


def found_by_place(situation: Situation) -> str | None:
    """The reason if one of the lives is found by its place."""
    return reason(
        situation,
        lambda life: life.is_traffic,
        N_("{actor} cannot be moved: the simulator finds traffic actors by their position."),
    )


def without_path(situation: Situation) -> str | None:
    """The reason if one of the lives has no Position."""
    return reason(
        situation,
        lambda life: not has_positions(situation.snapshot, life),
        N_("{actor} has no path: only its EventAdd says where it is."),
    )


# --- previews -------------------------------------------------------------------------------------------


CM = 100.0
_MAX_GHOSTS = 50


class Pose(NamedTuple):
    """Place (m) and heading (degrees) of an actor."""

    x: float
    y: float
    yaw: float

    def moved(self, centre: "Pose", call: OperationCall) -> "Pose":
        """The pose, turned about another one's place and shifted, by the arguments of a call."""
        degrees, (x, y, _) = call.number("turn"), call.point("offset") or (0.0, 0.0, 0.0)
        turn, dx, dy = math.radians(degrees), self.x - centre.x, self.y - centre.y
        dx, dy = dx * math.cos(turn) - dy * math.sin(turn), dx * math.sin(turn) + dy * math.cos(turn)
        return Pose(centre.x + dx + x, centre.y + dy + y, self.yaw + degrees)

    def ghost(self, actor: int, before: "Pose") -> Ghost:
        """The ghost of an actor that is moved here."""
        turn = (self.yaw - before.yaw + 180.0) % 360.0 - 180.0
        return Ghost(actor, self.x - before.x, self.y - before.y, turn)


Move = Callable[[OperationCall, Pose, Pose], Pose]
"""New pose of an actor, from those in the shown frame and in the first frame of the range."""


def pose_in(snapshot: Snapshot, life: Life, frame_index: int) -> Pose | None:
    """The pose of a life in a frame by its Position, or None."""
    if not life.is_alive(frame_index) or not 0 <= frame_index < len(snapshot):
        return None
    packet = snapshot.frame(frame_index).packet("Position")
    record = packet.decoded.find_actor(life.actor) if packet is not None else None
    if packet is None or record is None:
        return None
    x, y, yaw = (float(packet.array[name][record]) for name in ("location.x", "location.y", "rotation.yaw"))
    return Pose(x / CM, y / CM, yaw) if math.isfinite(x + y + yaw) else None


def spawn_pose_of(life: Life) -> Pose:
    """The pose in the EventAdd of a life."""
    return Pose(life.transform.x / CM, life.transform.y / CM, life.transform.yaw)


def ghosts_of(move: Move) -> Callable[[OperationCall, int], list[Ghost]]:
    """A function that gives the ghosts of a call in a frame, if that is in its range."""

    def ghosts(call: OperationCall, frame: int) -> list[Ghost]:
        frames = call.frames
        if frames is not None and frame not in frames:
            return []
        found = []
        for life in call.lives[:_MAX_GHOSTS]:
            here = pose_in(call.snapshot, life, frame)
            first = pose_in(call.snapshot, life, max(life.born, frames.start if frames is not None else 0))
            if here is not None:
                found.append(move(call, here, first or spawn_pose_of(life)).ghost(life.actor, here))
        return [ghost for ghost in found if ghost.dx or ghost.dy or ghost.turn]

    return ghosts
