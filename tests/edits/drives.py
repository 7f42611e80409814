"""Drives of a few actors, frame by frame, built byte by byte, and what a recording says of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import recorder_editor
from recorder_editor import Edit, edits
from recorder_editor.api import Recording
from recorder_editor.edits.script import ScriptStep, run_step
from recorder_editor.progress import SILENT, Progress
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.lives import Life
from recorder_editor.recording.place import RecordingLike
from recorder_editor.recording.snapshot import Snapshot

from .. import builders as b

Pose = tuple[float, float, float, float]
"""x, y, z (cm) and yaw (degrees)."""

STEP = 0.1


def drive(
    poses: Mapping[int, Callable[[int], Pose]],
    frames: int = 11,
    *,
    wide: bool = False,
    velocity: Callable[[int, int], tuple[float, ...]] = lambda actor, frame: (10.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    more: Callable[[int], Sequence[bytes]] = lambda frame: (),
    born: Mapping[int, int] | None = None,
    gone: Mapping[int, int] | None = None,
    step: float = STEP,
) -> bytes:
    """A recording in which actors are at `poses[id](frame)`; `born` and `gone` are frames (0, and never)."""
    first, last = born or {}, gone or {}
    made = []
    for n in range(frames):
        alive = [actor for actor in poses if first.get(actor, 0) <= n < last.get(actor, frames)]
        at = {actor: poses[actor](n) for actor in alive}
        placed = {actor: (b.xyz(*pose[:3]), b.turn(0.0, 0.0, pose[3])) for actor, pose in at.items()}
        come = [
            b.actor(actor, 1, "vehicle.tesla.model3", *placed[actor]) for actor in alive if first.get(actor, 0) == n
        ]
        moving = [
            {
                "id": actor,
                "linear_velocity": b.xyz(*velocity(actor, n)[:3]),
                "angular_velocity": b.xyz(*velocity(actor, n)[3:]),
            }
            for actor in alive
        ]
        packets = [
            b.packet(2, b.event_add(come, wide)),
            b.packet(3, b.event_del([{"id": actor} for actor, when in last.items() if when == n])),
            b.packet(6, b.position([b.pose(actor, *placed[actor]) for actor in alive], wide)),
            b.packet(12, b.kinematics(moving, wide)),
            *more(n),
        ]
        made.append(b.frame(n + 1, n * step, -1.0 if n == frames - 1 else step, packets))
    return b.recording(*made)


@contextmanager
def opened(tmp_path: Path, data: bytes, dialect: str = "ue4-0.9.12") -> Iterator[Recording]:
    file = tmp_path / "drive.log"
    file.write_bytes(data)
    with recorder_editor.open(file, dialect=dialect) as recording:
        yield recording


def life_of(recording: Recording, actor: int, number: int = 0) -> Life:
    return Actors.of(recording.snapshot).of_id(actor)[number]


def moved_by_cm(
    recording: RecordingLike,
    life: Life,
    frames: range,
    *,
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0),
    turn: float = 0.0,
    pivot: tuple[float, ...] | None = None,
    **watch: Any,
) -> Edit:
    """The edit that moves one actor by lengths in the file's unit."""
    x, y, z = (axis / 100 for axis in offset)
    centre = (pivot[0] / 100, pivot[1] / 100) if pivot is not None else None
    return edits.move_actors(recording, [life], (x, y, z), turn, frames, pivot=centre, **watch)


def told(recording: Recording, frame: int, packet: str, actor: int, *paths: str) -> tuple[float, ...]:
    """Fields of an actor's last record in a frame, as stored."""
    found = recording[frame].packet(packet)
    assert found is not None
    record = found.decoded.find_actor(actor)
    assert record is not None
    return tuple(float(found.decoded.get(record, path)) for path in paths)  # type: ignore[arg-type]


def pose_of(recording: Recording, frame: int, actor: int, packet: str = "Position") -> tuple[float, ...]:
    return told(recording, frame, packet, actor, "location.x", "location.y", "location.z", "rotation.yaw")


def path_of(recording: Recording, actor: int, frames: range | None = None) -> np.ndarray:
    """Poses of every frame, (n, 4)."""
    every = range(len(recording.snapshot)) if frames is None else frames
    return np.array([pose_of(recording, frame, actor) for frame in every])


def velocity_of(recording: Recording, frame: int, actor: int) -> tuple[float, ...]:
    paths = [f"{group}.{axis}" for group in ("linear_velocity", "angular_velocity") for axis in "xyz"]
    return told(recording, frame, "Kinematics", actor, *paths)


def saved(recording: Recording) -> bytes:
    """All bytes, as they would be saved."""
    return recording.snapshot.read(0, recording.snapshot.size)


def all_sound(recording: Recording) -> bool:
    """Every body decodes exactly."""
    return all(packet.decoded.damage is None for frame in recording for packet in frame.packets)


def others_are_the_same(before: bytes, recording: Recording, actors: set[int], path: Path) -> bool:
    """Every record that names none of the actors is as it was, bit for bit, in its place."""
    file = path / "before.log"
    file.write_bytes(before)
    with recorder_editor.open(file, dialect=recording.snapshot.dialect.name) as old:
        if len(old.snapshot) != len(recording.snapshot):
            return False
        for one, two in zip(old.snapshot, recording.snapshot, strict=True):
            if [each.id for each in one.packets] != [each.id for each in two.packets]:
                return False
            for packet, other in zip(one.packets, two.packets, strict=True):
                if packet.body == other.body:
                    continue
                if packet.type.actor_field is None or len(packet.decoded) != len(other.decoded):
                    return False
                if packet.type.dtype is not None:
                    wide = packet.type.dtype.itemsize
                    records, others = (
                        np.frombuffer(each.body[2:], np.uint8).reshape(-1, wide) for each in (packet, other)
                    )
                    differ = (records != others).any(axis=1)
                    if not set(packet.array["id"][differ].tolist()) <= actors:
                        return False
                    continue
                for index in range(len(packet.decoded)):
                    (start, stop), (first, last) = packet.decoded.span(index), other.decoded.span(index)
                    same = packet.body[start:stop] == other.body[first:last]
                    if not same and packet.decoded.get(index, "id") not in actors:
                        return False
    return True


def apply_step(snapshot: Snapshot, step: ScriptStep, progress: Progress = SILENT) -> Edit:
    """The edit that a step of a script makes."""
    return run_step(snapshot, step, progress).edit
