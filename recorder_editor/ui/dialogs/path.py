"""What can be asked about the ways of actors: moved and turned, sideways, smoothed, mirrored.

Descriptions of forms; the edits are `edits.paths`.
"""

import math
from collections.abc import Callable, Sequence

from ... import edits
from ...recording.actors import Actors
from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ..jobs import Cancel, Progress
from ..scene.stage import Ghost
from ..session import Session
from .actor import again, frames_ask, named, names_of, told_frames, tr
from .command_words import listed, option, over, plain, whose
from .form import Ask, Task, Values
from .poses import CM, Pose, birth_of, pose_in

_MOST_GHOSTS = 50


def _easing() -> tuple[Ask, Ask]:
    tip = tr("So many seconds in which the change grows from nothing or goes back to nothing: nothing jumps")
    return (
        Ask("ease_in", tr("Ease in"), "number", 0.0, "s", low=0, step=0.5, tip=tip),
        Ask("ease_out", tr("Ease out"), "number", 0.0, "s", low=0, step=0.5, tip=tip),
    )


def move(session: Session, lives: Sequence[Life]) -> Task:
    """Asks for a shift and a turn."""

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        return edits.move_actors(
            snapshot, again(snapshot, lives), (values["x"], values["y"], values["z"]), values["turn"],
            values["frames"], ease_in=values["ease_in"], ease_out=values["ease_out"], progress=progress,
            cancel=cancel,
        )  # fmt: skip

    def command(values: Values) -> list[str]:
        by = listed(values["x"], values["y"], values["z"], values["turn"])
        return _command(session, lives, "--move", by, values)

    along = tr("Along the axes of the world, as locations are recorded")
    asks = (
        Ask("x", tr("Shift x"), "number", 0.0, "m", tip=along), Ask("y", tr("Shift y"), "number", 0.0, "m", tip=along),
        Ask("z", tr("Shift z"), "number", 0.0, "m", tip=along),
        Ask("turn", tr("Turn"), "angle", 0.0,
            tip=tr("The path as a whole, about where the actor is in the first of the frames")),
        frames_ask(session), *_easing(),
    )  # fmt: skip

    def moved(values: Values, pose: Pose, first: Pose) -> Pose:
        turned = pose.turned(first, values["turn"])
        return Pose(turned.x + values["x"], turned.y + values["y"], turned.yaw)

    return Task(
        tr("Move"), tr("Move %1").replace("%1", names_of(lives)), tr("Move"), asks, make,
        tr("The path is shifted, and turned about where the actor is first; velocities and attached actors go along."),
        lambda values: told_frames(session, lives, values), command,
        ghosts=lambda values: _ghosts(session, lives, values, lambda *poses: moved(values, *poses)),
    )  # fmt: skip


def _command(session: Session, lives: Sequence[Life], name: str, value: str, values: Values) -> list[str]:
    """The command line for a change of ways, with what belongs to it."""
    snapshot = session.snapshot_or_refuse()
    eased = [*option("--ease-in", values.get("ease_in")), *option("--ease-out", values.get("ease_out"))]
    return ["edit", name, f"{whose(snapshot, lives)}={value}", *over(snapshot, values["frames"]), *eased]


def sideways(session: Session, life: Life) -> Task:
    """Asks how far to the side."""

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        return edits.offset_path(
            snapshot, again(snapshot, [life])[0], values["frames"], values["metres"], ease_in=values["ease_in"],
            ease_out=values["ease_out"], progress=progress, cancel=cancel,
        )  # fmt: skip

    asks = (
        Ask("metres", tr("To the right"), "number", 3.5, "m", step=0.5, tip=tr("Below 0: to the left")),
        frames_ask(session), *_easing(),
    )  # fmt: skip
    return Task(
        tr("Offset sideways"), tr("Shift %1 sideways").replace("%1", named(life)), tr("Shift"), asks, make,
        tr("To the side of its own heading, as in a change of lanes; it goes on looking where it looked."),
        lambda values: told_frames(session, [life], values),
        lambda values: _command(session, [life], "--sideways", plain(values["metres"]), values),
        ghosts=lambda values: _ghosts(session, [life], values, lambda *poses: _beside(poses[0], values["metres"])),
    )  # fmt: skip


def smooth(session: Session, life: Life) -> Task:
    """Asks over how long to smooth."""

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        there, frames = again(snapshot, [life])[0], values["frames"]
        return edits.smooth_path(snapshot, there, frames, values["window"], progress=progress, cancel=cancel)

    asks = (Ask("window", tr("Window"), "number", 1.0, "s", low=0, step=0.1), frames_ask(session))
    return Task(
        tr("Smooth path"), tr("Smooth the path of %1").replace("%1", named(life)), tr("Smooth"), asks, make,
        tr("Location and heading become their mean over the window; the first and the last frame stay."),
        lambda values: told_frames(session, [life], values),
        lambda values: _command(session, [life], "--smooth", plain(values["window"]), values),
    )  # fmt: skip


def mirror(session: Session, lives: Sequence[Life]) -> Task:
    """Asks for the line to mirror at: proposed is the one the first actor drives along now."""
    snapshot = session.snapshot_or_refuse()
    x, y, yaw = _stands(snapshot, lives[0], session.frame_index)

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        return edits.mirror_path(
            snapshot, again(snapshot, lives), values["frames"], (values["x"], values["y"]), values["angle"],
            progress=progress, cancel=cancel,
        )  # fmt: skip

    asks = (
        Ask("x", tr("Through x"), "number", round(x / CM, 3), "m"),
        Ask("y", tr("Through y"), "number", round(y / CM, 3), "m"),
        Ask("angle", tr("Direction"), "angle", round(yaw, 3), tip=tr("Where the line runs to, as a heading")),
        frames_ask(session),
    )  # fmt: skip
    return Task(
        tr("Mirror path"), tr("Mirror the path of %1").replace("%1", names_of(lives)), tr("Mirror"), asks, make,
        tr("At a line on the ground: left becomes right, in steering, wheels and blinkers too."),
        lambda values: told_frames(session, lives, values),
        lambda values: _command(
            session, lives, "--mirror", listed(values["x"], values["y"], values["angle"]), values
        ),
        ghosts=lambda values: _ghosts(session, lives, values, lambda *poses: _mirrored(poses[0], values)),
    )  # fmt: skip


def _ghosts(
    session: Session, lives: Sequence[Life], values: Values, place: Callable[[Pose, Pose], Pose]
) -> list[Ghost]:
    """Where the lives would be in the current frame, if that is one of those meant.

    `place` gives it from where they are in this frame and where they are in the first one.
    """
    snapshot, frame, frames = session.snapshot_or_refuse(), session.frame_index, values["frames"]
    if frames is not None and frame not in frames:
        return []
    found = []
    for life in lives[:_MOST_GHOSTS]:
        here = pose_in(snapshot, life, frame)
        first = pose_in(snapshot, life, max(life.born, frames.start if frames is not None else 0))
        if here is not None:
            found.append(place(here, first or birth_of(life)).ghost(life.actor, here))
    return [ghost for ghost in found if ghost.dx or ghost.dy or ghost.turn]


def _beside(pose: Pose, metres: float) -> Pose:
    yaw = math.radians(pose.yaw)
    return Pose(pose.x - metres * math.sin(yaw), pose.y + metres * math.cos(yaw), pose.yaw)


def _mirrored(pose: Pose, line: Values) -> Pose:
    turn = math.radians(2 * line["angle"])
    dx, dy = pose.x - line["x"], pose.y - line["y"]
    x, y = dx * math.cos(turn) + dy * math.sin(turn), dx * math.sin(turn) - dy * math.cos(turn)
    return Pose(line["x"] + x, line["y"] + y, 2 * line["angle"] - pose.yaw)


def _stands(snapshot: Snapshot, life: Life, frame_index: int) -> tuple[float, float, float]:
    """Where a life is in a frame (x, y in cm, yaw in degrees), or was born."""
    place = life.transform
    if life.is_alive(frame_index):
        standing = Actors.of(snapshot).world_at(frame_index).of(life.actor)
        place = standing.transform if standing is not None else place
    return place.x, place.y, place.yaw
