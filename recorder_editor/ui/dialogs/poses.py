"""Where an actor is and would be, on the ground: what forms show in the scene before an edit is made."""

import math
from typing import NamedTuple

from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ..scene.stage import Ghost

CM = 100.0


class Pose(NamedTuple):
    """Where an actor is, in metres, and its heading in degrees."""

    x: float
    y: float
    yaw: float

    def turned(self, centre: "Pose", degrees: float) -> "Pose":
        """Turned about another one's place."""
        turn = math.radians(degrees)
        dx, dy = self.x - centre.x, self.y - centre.y
        x, y = dx * math.cos(turn) - dy * math.sin(turn), dx * math.sin(turn) + dy * math.cos(turn)
        return Pose(centre.x + x, centre.y + y, self.yaw + degrees)

    def ghost(self, actor: int, before: "Pose") -> Ghost:
        """What the scene shows of an actor that is moved here."""
        turn = (self.yaw - before.yaw + 180.0) % 360.0 - 180.0
        return Ghost(actor, self.x - before.x, self.y - before.y, turn)


def pose_in(snapshot: Snapshot, life: Life, frame_index: int) -> Pose | None:
    """Where a life is in a frame by its Position; None where it has none there."""
    if not life.is_alive(frame_index) or not 0 <= frame_index < len(snapshot):
        return None
    packet = snapshot.frame(frame_index).packet("Position")
    record = packet.decoded.find_actor(life.actor) if packet is not None else None
    if packet is None or record is None:
        return None
    x, y, yaw = (float(packet.array[name][record]) for name in ("location.x", "location.y", "rotation.yaw"))
    return Pose(x / CM, y / CM, yaw) if math.isfinite(x + y + yaw) else None


def birth_of(life: Life) -> Pose:
    """Where a life is created."""
    return Pose(life.transform.x / CM, life.transform.y / CM, life.transform.yaw)
