"""Physics checks: where actors are and how fast they move, by their positions.

One pass over blocks of positions keeps the last position of every actor. There is one finding for each life, at its
first frame, and one for each jump. The height of the ground is that of the lowest traffic light or sign.
"""

import math
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from ..arrays import StructuredArray, sorted_order, values_before
from ..edits import remove_actors
from ..reading import Actors
from ..reading.motion import JUMP_LENGTH, JUMP_SPEED
from ..recording import Edit, Finding, Snapshot
from ..texts import N_, say
from .presence import PositionGaps
from .rule import Fix, LifeProblems, Rule, actor_text, finding_of, frames_text, kind_and_life

TOP_SPEED = {"vehicle": 100.0, "two-wheeler": 100.0, "walker": 12.5}
"""m/s over the ground: no car of the simulator reaches 360 km/h, no walker is faster than a sprinter."""

DEPTH = 30.0
"""m below the lowest traffic light or sign: no road of CARLA's maps lies there."""

FALL = 30.0
"""m/s: the speed after a fall of three seconds."""

MAX_JUMPS = 10_000
_LEAST_FALL = 1.0  # m between two frames
_FAR = 1e9  # cm


def remove_moving_actors(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that removes the actors of the findings."""
    lives = {}
    for finding in findings:
        _, life = kind_and_life(snapshot, finding)
        lives[life.index] = life
    return remove_actors(snapshot, list(lives.values()))


TELEPORT = Rule(
    "teleport",
    subject="physics",
    severity="warning",
    title=N_("An actor jumps from one frame to the next."),
    why=N_(
        "It moves more than {jump_length:g} m, faster than {jump_speed:g} m/s: it was teleported. A replay moves it in "
        "a straight line, through everything; speeds, distances and paths leave the step out."
    ),
    numbers={"jump_length": JUMP_LENGTH, "jump_speed": JUMP_SPEED},
)

TOO_FAST = Rule(
    "too-fast",
    subject="physics",
    severity="warning",
    title=N_("An actor moves faster than it can."),
    why=N_(
        "Its positions differ by more than {vehicle_speed:g} m/s (vehicle), {walker_speed:g} m/s (walker). Often "
        "frames are missing, or times were changed."
    ),
    numbers={"vehicle_speed": TOP_SPEED["vehicle"], "walker_speed": TOP_SPEED["walker"]},
)

BELOW_GROUND = Rule(
    "below-ground",
    subject="physics",
    severity="warning",
    title=N_("An actor falls, or lies below the map."),
    why=N_(
        "It falls faster than {fall_speed:g} m/s, or is more than {depth:g} m below the lowest traffic light or sign. "
        "An actor that was spawned inside something, or where the map has no ground, falls without end."
    ),
    numbers={"fall_speed": FALL, "depth": DEPTH},
    fix=Fix(N_("Remove the actor"), remove_moving_actors),
)

RULES = (TELEPORT, TOO_FAST, BELOW_GROUND)
"""The rules of this module, in the order in which their findings are fixed."""


class _Jump(NamedTuple):
    """A step of a life that no movement explains.

    Attributes:
        life: Index of the life.
        before: Index of the frame before it.
        frame: Index of the frame behind it.
        length: Metres.
    """

    life: int
    before: int
    frame: int
    length: float


class MotionScan:
    """Checks positions block by block."""

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        number = len(actors)
        self._snapshot = snapshot
        self._actors = actors
        self._holes = PositionGaps(snapshot, actors)
        self._elapsed = snapshot.elapsed
        self._top = np.array([TOP_SPEED.get(life.class_, np.nan) for life in actors], np.float64)
        self._floor = _ground(actors) - 100 * DEPTH
        self._last = np.full((3, number), np.nan)
        self._frame = np.full(number, -1, np.int32)
        self._fast = LifeProblems(number)
        self._below = LifeProblems(number)
        self._falls = LifeProblems(number)
        self._jumps: list[_Jump] = []

    def add(self, block: StructuredArray) -> None:
        """Check a block of positions."""
        life = self._actors.indices_of(block["id"], block["frame"])
        chosen = np.flatnonzero(life >= 0)
        if not len(chosen):
            return
        # By life, in file order within each.
        order = chosen[sorted_order(life[chosen])]
        life = life[order]
        frame = block["frame"][order]
        with np.errstate(invalid="ignore"):  # signalling NaNs
            places = np.array([block[axis][order] for axis in "xyz"], np.float64)
        before = values_before(life, places, self._last)
        frame_before = values_before(life, frame, self._frame)
        self._holes.add(life, frame, frame_before)
        with np.errstate(all="ignore"):
            seconds = self._elapsed[frame] - self._elapsed[frame_before]
            seconds[~(seconds > 0)] = np.nan
            top = self._top[life]
            has_top_speed = ~np.isnan(top)
            moves = has_top_speed & (frame_before >= 0) & (frame_before < frame)
            dx, dy, dz = places - before
            distance = 0.01 * np.sqrt(dx * dx + dy * dy)
            rise = 0.01 * dz
            speed = distance / seconds
            climb = rise / seconds
            is_far = (distance > JUMP_LENGTH) & ~(speed <= JUMP_SPEED)
            is_high = (rise > JUMP_LENGTH) & ~(climb <= JUMP_SPEED)
            jumps = moves & (is_far | is_high)
            fast = moves & ~jumps & (speed > top)
            falls = moves & (climb < -FALL) & (rise < -_LEAST_FALL)
            below = has_top_speed & (places[2] < self._floor)
        self._fast.add(life[fast], frame[fast], speed[fast])
        self._falls.add(life[falls], frame[falls], -climb[falls])
        self._below.add(life[below], frame[below], 0.01 * (self._floor - places[2][below]) + DEPTH)
        for row in np.flatnonzero(jumps).tolist()[: MAX_JUMPS - len(self._jumps)]:
            self._jumps.append(
                _Jump(
                    life=int(life[row]),
                    before=int(frame_before[row]),
                    frame=int(frame[row]),
                    length=math.hypot(distance[row], rise[row]),
                )
            )

    def findings(self) -> Iterator[Finding]:
        """Yield the findings, by kind."""
        for jump in sorted(self._jumps, key=attrgetter("frame")):
            life = self._actors.lives[jump.life]
            message = say(
                "{actor} is {length:,.1f} m away from frame {before:,} to frame {frame:,}.",
                actor=actor_text(life),
                length=jump.length,
                before=jump.before + 1,
                frame=jump.frame + 1,
            )
            yield finding_of(self._snapshot, TELEPORT, life, packet="Position", frame=jump.frame, message=message)
        for life, frame, number, worst in self._fast.lives(self._actors):
            message = say(
                "{actor} moves at up to {worst:,.1f} m/s in {frames}.",
                actor=actor_text(life),
                worst=worst,
                frames=frames_text(frame, number),
            )
            yield finding_of(self._snapshot, TOO_FAST, life, packet="Position", frame=frame, message=message)
        yield from self._below_ground()
        yield from self._holes.findings()

    def _below_ground(self) -> Iterator[Finding]:
        """Yield a finding for each life that falls or lies below the map; of one that does both, the second."""
        findings = {}
        for life, frame, number, worst in self._falls.lives(self._actors):
            message = say(
                "{actor} falls at up to {worst:,.0f} m/s in {frames}.",
                actor=actor_text(life),
                worst=worst,
                frames=frames_text(frame, number),
            )
            findings[life.index] = (life, frame, message)
        for life, frame, number, worst in self._below.lives(self._actors):
            message = say(
                "{actor} is up to {worst:,.0f} m below the map's lowest traffic light or sign in {frames}.",
                actor=actor_text(life),
                worst=worst,
                frames=frames_text(frame, number),
            )
            findings[life.index] = (life, frame, message)
        for index in sorted(findings):
            life, frame, message = findings[index]
            yield finding_of(self._snapshot, BELOW_GROUND, life, packet="Position", frame=frame, message=message)


def _ground(actors: Actors) -> float:
    """Return the height of the lowest traffic light or sign (cm); -1e9 if there is none."""
    heights = []
    for life in actors:
        if life.class_ in ("traffic light", "traffic sign") and np.isfinite(life.transform.z):
            heights.append(life.transform.z)
    return min(heights, default=-_FAR)
