"""What several operations have: arguments, reasons why actors cannot be edited, previews of moved actors."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...reading import Actors, Ghost, Life
from ...recording import Snapshot
from ...texts import N_, say
from ..actors.rewrite import name_of
from ..paths.moved_actors import has_positions
from . import kinds
from .schema import Argument, OperationCall, Situation

# --- arguments ------------------------------------------------------------------------------------------


ACTORS = Argument("actors", kinds.ACTORS, help=N_("the actors"))
ACTOR = Argument("actors", kinds.ACTOR, help=N_("the actor (exactly one)"))

FROM = Argument(
    "from", kinds.MOMENT, needed=False, detail="--from", help=N_("first frame: a time (12.5, 0:12.5) or a frame (f250)")
)
TO = Argument("to", kinds.MOMENT, needed=False, detail="--to", help=N_("end (exclusive)"))
AT = Argument("at", kinds.AT, detail="--at", help=N_("the time: seconds or a frame"))

EASE_IN = Argument(
    "ease_in",
    kinds.SECONDS,
    needed=False,
    detail="--ease-in",
    help=N_("seconds in which the change begins"),
    label=N_("Ease in"),
    default=0.0,
    low=0,
    step=0.5,
    tip=N_("Seconds in which the change is faded in or out, so that nothing jumps"),
)
EASE_OUT = replace(
    EASE_IN, name="ease_out", detail="--ease-out", help=N_("seconds in which the change ends"), label=N_("Ease out")
)

OFFSET = Argument(
    "offset",
    kinds.SPACE,
    needed=False,
    help=N_("the shift"),
    label=(N_("Shift x"), N_("Shift y"), N_("Shift z")),
    default=(0.0, 0.0, 0.0),
    tip=N_("Along the axes of the world, as locations are recorded"),
)
TURN = Argument(
    "turn",
    kinds.ANGLE,
    needed=False,
    metavar="DYAW",
    help=N_("the rotation, from x towards y"),
    label=N_("Turn"),
    default=0.0,
)


def role_names(here: Situation) -> Sequence[str]:
    """Return the role names of a recording, the most frequent first."""
    used = Counter(life.role_name for life in Actors.of(here.snapshot) if life.role_name)
    return [name for name, _ in used.most_common()]


# --- reasons --------------------------------------------------------------------------------------------


def reason(situation: Situation, applies: Callable[[Life], bool], template: str) -> str | None:
    """Return why an operation cannot be used.

    Args:
        situation: Where it would be used.
        applies: Whether a life is a reason.
        template: The sentence on that, a template for the `actor`.

    Returns:
        The sentence on the first such life; None if there is none.
    """
    for life in situation.lives:
        if applies(life):
            return say(template, actor=name_of(life))
    return None


def of_the_map(situation: Situation) -> str | None:
    """Return the reason if one of the lives belongs to the map."""
    return reason(
        situation, lambda life: life.is_of_the_map, N_("{actor} belongs to the map: the simulator creates none.")
    )


def found_by_place(situation: Situation) -> str | None:
    """Return the reason if one of the lives is found by its place."""
    return reason(
        situation,
        lambda life: life.is_traffic,
        N_("{actor} cannot be moved: the simulator finds traffic actors by their position."),
    )


def without_path(situation: Situation) -> str | None:
    """Return the reason if one of the lives has no Position."""
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
        """Return the pose, turned about another one's place and shifted, by the arguments of a call."""
        degrees = call.number("turn")
        x, y, _ = call.shift("offset")
        turn = math.radians(degrees)
        dx = self.x - centre.x
        dy = self.y - centre.y
        turned_x = dx * math.cos(turn) - dy * math.sin(turn)
        turned_y = dx * math.sin(turn) + dy * math.cos(turn)
        return Pose(centre.x + turned_x + x, centre.y + turned_y + y, self.yaw + degrees)

    def ghost(self, actor: int, before: "Pose") -> Ghost:
        """Return the ghost of an actor that is moved here."""
        turn = (self.yaw - before.yaw + 180.0) % 360.0 - 180.0
        return Ghost(actor, self.x - before.x, self.y - before.y, turn)


Move = Callable[[OperationCall, Pose, Pose], Pose]
"""New pose of an actor, from those in the shown frame and in the first frame of the range."""


def pose_in(snapshot: Snapshot, life: Life, frame_index: int) -> Pose | None:
    """Return the pose of a life in a frame by its Position; None without one."""
    if not life.is_alive(frame_index) or not 0 <= frame_index < len(snapshot):
        return None
    packet = snapshot.frame(frame_index).packet("Position")
    if packet is None:
        return None
    record = packet.decoded.find_actor(life.actor)
    if record is None:
        return None
    x = float(packet.array["location.x"][record])
    y = float(packet.array["location.y"][record])
    yaw = float(packet.array["rotation.yaw"][record])
    if math.isfinite(x + y + yaw):
        return Pose(x / CM, y / CM, yaw)
    return None


def spawn_pose_of(life: Life) -> Pose:
    """Return the pose in the EventAdd of a life."""
    return Pose(life.transform.x / CM, life.transform.y / CM, life.transform.yaw)


def ghosts_of(move: Move) -> Callable[[OperationCall, int], list[Ghost]]:
    """Return a function that gives the ghosts of a call in a frame, if that is in its range."""

    def ghosts(call: OperationCall, frame: int) -> list[Ghost]:
        frames = call.frames
        if frames is not None and frame not in frames:
            return []
        start = 0
        if frames is not None:
            start = frames.start
        result = []
        for life in call.lives[:_MAX_GHOSTS]:
            here = pose_in(call.snapshot, life, frame)
            if here is None:
                continue
            first = pose_in(call.snapshot, life, max(life.born, start)) or spawn_pose_of(life)
            ghost = move(call, here, first).ghost(life.actor, here)
            if ghost.dx or ghost.dy or ghost.turn:
                result.append(ghost)
        return result

    return ghosts
