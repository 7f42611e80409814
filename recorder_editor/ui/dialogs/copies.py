"""What can be asked about copies of actors: of one that is here, and of one of another recording.

Descriptions of forms; the edits are `edits.actors`.
"""

from collections.abc import Callable

from ... import edits
from ...recording.history import Edit
from ...recording.lives import Life, short_blueprint
from ...recording.snapshot import Snapshot
from ..clipboard import CopiedActor, Source
from ..jobs import Cancel, Progress
from ..scene.stage import Ghost
from ..session import Session
from .actor import again, named, tr
from .command_words import listed, option, plain, whose
from .form import Ask, Task, Values
from .poses import Pose, birth_of, pose_in


def _copy_asks(turn_tip: str) -> tuple[Ask, ...]:
    shift = tr("Along the axes of the world, as locations are recorded")
    return (
        Ask("x", tr("Shift x"), "number", 0.0, "m", tip=shift), Ask("y", tr("Shift y"), "number", 0.0, "m", tip=shift),
        Ask("z", tr("Shift z"), "number", 0.0, "m", tip=shift), Ask("turn", tr("Turn"), "angle", 0.0, tip=turn_tip),
        Ask("id", tr("Id"), "whole", None, low=1, high=0xFFFFFFFE, optional=True,
            hint=tr("next free"), tip=tr("Empty: one above the highest there is")),
    )  # fmt: skip


def _as(values: Values) -> list[str]:
    return ["--as", str(values["id"])] if values["id"] is not None else []


def duplicate(session: Session, life: Life) -> Task:
    """Asks where and when a copy is to be."""

    def ghosts(values: Values) -> list[Ghost]:
        snapshot = session.snapshot_or_refuse()
        here, now = pose_in(snapshot, life, session.frame_index), float(snapshot.elapsed[session.frame_index])
        earlier = snapshot.frame_at_time(now - values["seconds"])
        pose = pose_in(snapshot, life, earlier)
        if here is None or pose is None:
            return []
        turned = pose.turned(birth_of(life), values["turn"])
        return [Pose(turned.x + values["x"], turned.y + values["y"], turned.yaw).ghost(life.actor, here)]

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        return edits.duplicate_actor(
            snapshot, again(snapshot, [life])[0], offset=(values["x"], values["y"], values["z"]), turn=values["turn"],
            seconds=values["seconds"], new_id=values["id"], progress=progress, cancel=cancel,
        )  # fmt: skip

    def command(values: Values) -> list[str]:
        who = whose(session.snapshot_or_refuse(), [life])
        shift = listed(values["x"], values["y"], values["z"], values["turn"])
        return ["edit", "--duplicate", f"{who}={shift}", *option("--later", values["seconds"]), *_as(values)]

    about = tr("The whole path, about the place of its EventAdd")
    asks = (Ask("seconds", tr("Later by"), "number", 0.0, "s", step=0.1), *_copy_asks(about))
    return Task(
        tr("Duplicate"), tr("Duplicate %1").replace("%1", named(life)), tr("Duplicate"), asks, make,
        tr("The copy drives the same way under an id of its own; what would lie outside of the recording is cut off."),
        command=command, ghosts=ghosts,
    )  # fmt: skip


def paste(session: Session, copied: CopiedActor, source: Callable[[Progress, Cancel], Source]) -> Task:
    """Asks where and when an actor of another recording is to be; `source` opens that one."""
    snapshot = session.snapshot_or_refuse()
    now = float(snapshot.elapsed[session.frame_index]) if len(snapshot) else 0.0

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        with source(progress, cancel) as other:
            return edits.paste_actor(
                snapshot, other, copied.life_in(other), at=values["at"],
                offset=(values["x"], values["y"], values["z"]), turn=values["turn"], new_id=values["id"],
                progress=progress, cancel=cancel,
            )  # fmt: skip

    def command(values: Values) -> list[str]:
        shift = listed(values["x"], values["y"], values["z"], values["turn"])
        who = f"{copied.file}:{copied.actor}@{copied.born + 1}={shift}"
        return ["edit", "--paste", who, f"--at={plain(values['at'])}", *_as(values)]

    about = tr("The whole path, about the place of its EventAdd")
    asks = (Ask("at", tr("Comes at"), "number", round(now, 6), "s", step=0.1), *_copy_asks(about))
    name = f"{copied.actor} {short_blueprint(copied.blueprint)}"
    heading = tr("Paste %1 of %2").replace("%1", name).replace("%2", copied.path.name)
    return Task(
        tr("Paste actor"), heading, tr("Paste"), asks, make,
        tr("It comes with its track, under an id of its own, and attached to nobody."), command=command,
    )  # fmt: skip
