"""The bytes of a recording that is made of trajectories: what a recorder writes of every road user in every frame."""

from collections.abc import Iterator
from contextlib import closing

import numpy as np

from ...arrays import FloatArray
from ...edits.new_actors.frame_writer import Birth, BlockStates, FrameWriter
from ...edits.paths.motion import wrapped
from ...format import DIALECTS, LONGEST_MAP_NAME, Dialect, FileHeader
from ...progress import SILENT, Progress
from ...texts import say
from ..prefetch import prefetched
from .lives import Lives
from .options import DEFAULT_MAP, RecordingOptions
from .samples import Columns, FrameBlock, Sampler
from .trajectories import LARGEST, Trajectories, TrajectoryError, ZAt

_COARSE = 1.0
"""cm between neighbouring numbers of a recording from which on a user is told: they are off by half of it."""

_FIRST_DATE = 1_577_836_800  # 2020-01-01, of a recording whose file does not tell when it was made


class Written:
    """What is known of a recording when its last byte was given.

    Attributes:
        frames: The number of frames.
        seconds: The time of the last one.
        lives: The number of actors.
        rows: The number of rows that were read.
        users: The ids of road users in the file.
        remarks: What is odd about the rows.
    """

    def __init__(self) -> None:
        self.frames = 0
        self.seconds = 0.0
        self.lives = 0
        self.rows = 0
        self.users: tuple[str, ...] = ()
        self.remarks: tuple[str, ...] = ()


def recording_pieces(
    trajectories: Trajectories,
    options: RecordingOptions,
    progress: Progress = SILENT,
    *,
    written: Written | None = None,
) -> Iterator[bytes | memoryview]:
    """Yield the bytes of a recording in pieces: the file header, then some frames at a time.

    Args:
        trajectories: The trajectories.
        options: What was chosen.
        progress: Counts rows.
        written: Is filled in at the end.

    Raises:
        TrajectoryError: No recording can be made of them.
        FieldError: More road users are there at a time than a packet can hold.
        Cancelled: The user stopped it.
        OSError: The rows cannot be read.
    """
    dialect = DIALECTS[options.dialect]
    map_name = options.map_name or trajectories.map_name
    if not map_name and options.roads is not None:
        map_name = options.roads.name
    map_name = map_name or DEFAULT_MAP
    if len(map_name.encode()) > LONGEST_MAP_NAME:
        raise TrajectoryError(say("The name of a map is at most 255 bytes long."))
    if max(map(abs, options.origin[:3])) > LARGEST:
        raise TrajectoryError(
            say("The origin is farther than {count:,.0f} m away: {option}.", count=LARGEST, option="--origin")
        )
    sampler = Sampler(trajectories, options, dialect)
    writer = FrameWriter(dialect)
    date = trajectories.date or _FIRST_DATE
    yield FileHeader(dialect.header_version, date, map_name).encode()
    frames = 0
    seconds = 0.0
    farthest = np.zeros(2)  # cm
    with closing(prefetched(sampler.blocks(progress))) as blocks:
        for block in blocks:
            frames += len(block.elapsed)
            seconds = float(block.elapsed[-1])
            states = _states(block, trajectories.z_at)
            places = np.column_stack((farthest, states.poses[:2]))
            farthest = places[:, np.abs(places).max(axis=0).argmax()]
            births = _births(block, states, sampler.lives)
            deaths = []
            for frame, life in block.gone.tolist():
                deaths.append((frame, int(sampler.lives.table["id"][life])))
            yield writer.frames(states, births, deaths)
    if not frames:
        raise TrajectoryError(say("No road user is there in that range of time."))
    if written is not None:
        written.frames = frames
        written.seconds = seconds
        written.lives = sampler.lives.count
        written.rows = len(trajectories.rows)
        written.users = tuple(user.name for user in trajectories.users)
        far_remark = _far_remark(dialect, farthest / 100)
        written.remarks = (*trajectories.remarks, *sampler.lives.remarks.sentences(), *far_remark)


def _far_remark(dialect: Dialect, place: FloatArray) -> tuple[str, ...]:
    """Say where places are so far away (m) that floats of a recording keep them coarsely."""
    distance = float(np.abs(place).max())
    between = float(np.spacing(np.float32(100 * distance)))
    if dialect.wide or between < _COARSE:
        return ()
    x, y = (-np.round(place, -3)).tolist()
    return (
        say(
            "Places lie up to {distance:,.0f} m from the origin, where a recording of {release} keeps them to "
            "{centimetres:.0f} cm only. Move them nearer: --origin={x:.0f},{y:.0f},0,0.",
            distance=distance,
            release=dialect.releases,
            centimetres=between,
            x=x,
            y=y,
        ),
    )


def _births(block: FrameBlock, states: BlockStates, lives: Lives) -> list[Birth]:
    """Those that are created in a block of frames; their blueprints are forgotten."""
    births = []
    for row in np.flatnonzero(block.samples["born"]).tolist():
        choice = lives.choices.pop(int(block.samples["life"][row]))
        births.append(
            Birth(
                frame=int(states.frame[row]),
                actor=int(states.actors["id"][row]),
                pose=states.poses[:, row],
                blueprint=choice.name,
                uid=choice.uid,
                attributes=choice.attributes,
                model=choice.model,
                box=choice.box,
            )
        )
    return births


def _states(block: FrameBlock, z_at: ZAt) -> BlockStates:
    """The states of the road users in a block of frames."""
    samples = block.samples
    return BlockStates(
        first=block.first,
        elapsed=block.elapsed,
        next_elapsed=block.next_elapsed,
        frame=samples["frame"],
        actors=block.actors,
        poses=_poses(samples, block.actors, z_at),
        velocities=(samples["vx"], samples["vy"], samples["vz"]),
        turn=np.degrees(samples["turn"]),
        speed=samples["speed"],
        accel=samples["accel"],
        distance=samples["distance"],
    )


def _poses(samples: Columns, actors: Columns, z_at: ZAt) -> FloatArray:
    """Origins of road users in cm and degrees, shape (6, n): the middle of a walker, the ground below a vehicle."""
    roll = samples["roll"]
    pitch = samples["pitch"]
    yaw = samples["yaw"]
    half_height = actors["half_height"]
    centre = np.where(actors["is_walker"], 0.0, half_height)  # of the box above the origin
    ground = half_height - centre  # below the origin
    above = {"centre": -centre, "ground": ground, "origin": np.zeros(len(roll))}[z_at]
    x = samples["x"]
    y = samples["y"]
    z = samples["z"] + np.where(samples["on_ground"], ground, above)
    if z_at != "origin" and (roll.any() or pitch.any()):
        sin_roll = np.sin(roll)
        cos_roll = np.cos(roll)
        sin_pitch = np.sin(pitch)
        sin_yaw = np.sin(yaw)
        cos_yaw = np.cos(yaw)
        # The axis through the roof.
        x = x + centre * (cos_roll * sin_pitch * cos_yaw + sin_roll * sin_yaw)
        y = y + centre * (cos_roll * sin_pitch * sin_yaw - sin_roll * cos_yaw)
        if z_at == "centre":
            up = cos_roll * np.cos(pitch)
            z = z + np.where(samples["on_ground"], 0.0, centre * (1.0 - up))
    poses = np.empty((6, len(roll)))
    for row, metres in enumerate((x, y, z)):
        np.multiply(metres, 100, out=poses[row])
    for row, angle in enumerate((roll, pitch), 3):
        np.degrees(angle, out=poses[row])
    poses[5] = wrapped(np.degrees(yaw))
    return poses
