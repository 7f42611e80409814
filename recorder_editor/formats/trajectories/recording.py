"""The bytes of a recording that is made of trajectories: what a recorder writes of every road user in every frame."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from ...arrays import AnyArray, FloatArray, IntArray, StructuredArray
from ...edits.blueprints import BICYCLES, HERO_MODEL, LIMBS
from ...edits.new_actors.writer import (
    Record,
    Writer,
    front_wheel_angles,
    limb_swing,
    pedals_and_gear,
    rider_effort,
    vehicle_states,
    walker_states,
)
from ...edits.paths.edit_path import MAX_STEERING
from ...edits.paths.motion import wrapped
from ...format import DIALECTS, LONGEST_MAP_NAME, Dialect, FileHeader, PacketType, decode, packet_bytes
from ...format.codec import PACKET_HEADER, counted
from ...progress import SILENT, Progress
from ...texts import say
from ..tables.values import NUMPY
from .choosing import Choice
from .options import DEFAULT_MAP, RecordingOptions
from .samples import Columns, FrameBlock, Sampler
from .trajectories import Trajectories, TrajectoryError, ZAt

LARGEST = 1e7
"""Metres and seconds that numbers may be: the grid of a country lies within, and a year does."""

_FIRST_DATE = 1_577_836_800  # 2020-01-01, of a recording whose file does not tell when it was made
_POSE = ("location.x", "location.y", "location.z", "rotation.roll", "rotation.pitch", "rotation.yaw")
_HEAD = np.dtype([("id", "u1"), ("size", "<u4"), ("count", "<u2")])
"""The header of a packet, and the count of its records."""

_BONES = "bones"
_FOUR = "four wheels"
_TWO = "two wheels"


class Written:
    """What is known of a recording when its last byte was given.

    Attributes:
        frames: The number of frames.
        seconds: The time of the last one.
        lives: The number of actors.
        remarks: What is odd about the rows.
    """

    def __init__(self) -> None:
        self.frames = 0
        self.seconds = 0.0
        self.lives = 0
        self.remarks: tuple[str, ...] = ()


def recording_pieces(
    trajectories: Trajectories,
    options: RecordingOptions,
    progress: Progress = SILENT,
    *,
    written: Written | None = None,
) -> Iterator[bytes]:
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
    sampler = Sampler(trajectories, options, dialect)
    encoder = _Encoder(dialect, sampler, trajectories.z_at)
    date = trajectories.date or _FIRST_DATE
    yield FileHeader(dialect.header_version, date, map_name).encode()
    frames = 0
    seconds = 0.0
    for block in sampler.blocks(progress):
        frames += len(block.elapsed)
        seconds = float(block.elapsed[-1])
        yield encoder.frames(block)
    if not frames:
        raise TrajectoryError(say("No road user is there in that range of time."))
    if written is not None:
        written.frames = frames
        written.seconds = seconds
        written.lives = sampler.lives.count
        written.remarks = (*trajectories.remarks, *sampler.lives.remarks.sentences())


class _Pattern:
    """Records of a packet that are of one size, whatever they hold, and the defaults of what is not set."""

    def __init__(self, writer: Writer, kind: PacketType, record: Record) -> None:
        body = writer.body(kind, [record])
        decoded = decode(kind, body)
        start, stop = decoded.span(0)
        names = []
        formats = []
        offsets = []
        for leaf in decoded.leaves(0):
            if leaf.field.type in NUMPY and leaf.field.type != "str":
                names.append(leaf.path)
                formats.append("<" + NUMPY[leaf.field.type].removeprefix("<"))
                offsets.append(leaf.start - start)
        size = stop - start
        self._dtype = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})
        self._record = np.frombuffer(body[start:stop], np.dtype((np.void, size)))

    @property
    def paths(self) -> frozenset[str]:
        """The paths of the numbers of a record."""
        return frozenset(self._dtype.names or ())

    def records(self, columns: Mapping[str, AnyArray], count: int) -> StructuredArray:
        """Return n records with columns by path; other numbers are those of the pattern."""
        table = np.empty(count, self._record.dtype)
        table[:] = self._record
        records = table.view(self._dtype)
        for path, column in columns.items():
            records[path] = column
        return records


class _Rows(NamedTuple):
    """Records of a packet in a block of frames.

    Attributes:
        records: The records, ordered by frame.
        edges: The first record of each frame, and the end: int64[n + 1].
    """

    records: StructuredArray
    edges: IntArray


class _Encoder:
    """Encodes blocks of frames."""

    def __init__(self, dialect: Dialect, sampler: Sampler, z_at: ZAt) -> None:
        self._kinds = dialect.kinds()
        self._writer = Writer(dialect)
        self._lives = sampler.lives
        self._z_at = z_at
        self._by_name = {kind.name: kind for kind in self._kinds}
        self._patterns: dict[str, _Pattern] = {}
        six_numbers = (0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        self._add("Position", "Position", six_numbers)
        self._add("Kinematics", "Kinematics", six_numbers)
        self._add("VehicleLight", "VehicleLight", (0, 0))
        zero = np.zeros(1)
        nobody = np.zeros(1, np.int64)
        for model, wheels in ((HERO_MODEL, _FOUR), (BICYCLES[0], _TWO)):
            states = vehicle_states(
                nobody, [model], speed=zero, accel=zero, steer=zero, spin=zero, is_driven=np.ones(1, np.bool_)
            )
            self._add("AnimVehicleWheels", wheels, states["AnimVehicleWheels"][0])
            self._add("AnimVehicle", "AnimVehicle", states["AnimVehicle"][0])
            for rider in states["AnimBiker"]:
                self._add("AnimBiker", "AnimBiker", rider)
        for name, records in walker_states(nobody, zero, zero).items():
            self._add(name, name, records[0])

    def _add(self, packet: str, name: str, record: Record) -> None:
        """Learn the form of the records of a packet, unless the dialect writes none."""
        kind = self._by_name.get(packet)
        if kind is not None and not kind.always_empty:
            self._patterns[name] = _Pattern(self._writer, kind, record)

    def frames(self, block: FrameBlock) -> bytes:
        """Return the bytes of a block of frames."""
        samples = block.samples
        lives = self._lives.table[samples["life"]]
        poses = _poses(samples, lives, self._z_at)
        groups = self._groups(block, poses, lives)
        events = self._births(block, poses)
        deaths = events.setdefault("EventDel", {})
        for frame, life in block.gone.tolist():
            deaths.setdefault(frame, []).append((int(self._lives.table["id"][life]),))
        following = np.append(block.elapsed[1:], block.elapsed[-1] - 1.0)  # -1: the duration is not known
        if block.next_elapsed is not None:
            following[-1] = block.next_elapsed
        durations = following - block.elapsed
        columns: list[Iterable[bytes | memoryview]] = []
        for kind in self._kinds:
            if kind.name in groups:
                columns += _chunks_of(kind, groups[kind.name], len(block.elapsed))
                continue
            if kind.body == "single" and kind.dtype is not None:
                values = {"frame_id": block.first + 1 + np.arange(len(block.elapsed)), "duration": durations}
                values |= {"elapsed": block.elapsed, "time": block.elapsed}
                columns.append(self._singles(kind, values, len(block.elapsed)))
                continue
            empty = b""
            if kind.presence == "always":
                empty = packet_bytes(kind.id, self._writer.body(kind, []))
            chunks = [empty] * len(block.elapsed)
            for frame, records in events.get(kind.name, {}).items():
                chunks[frame - block.first] = packet_bytes(kind.id, self._writer.body(kind, records))
            columns.append(chunks)
        return b"".join(chain.from_iterable(zip(*columns, strict=True)))

    def _singles(self, kind: PacketType, values: Mapping[str, AnyArray], count: int) -> list[memoryview]:
        """Packets of one record each, one a frame."""
        body = self._writer.body(kind, np.zeros(1, kind.dtype))
        header = PACKET_HEADER.pack(kind.id, len(body))
        data = np.empty((count, len(header) + len(body)), np.uint8)
        data[:, : len(header)] = np.frombuffer(header, np.uint8)
        records = np.zeros(count, kind.dtype)
        for path in kind.record.fields:
            records[path] = values[path]
        data[:, len(header) :] = records.view(np.uint8).reshape(count, -1)
        return _sliced(data, count)

    def _groups(self, block: FrameBlock, poses: FloatArray, lives: StructuredArray) -> dict[str, list[_Rows]]:
        """Records of the states of all road users, by packet."""
        samples = block.samples
        speed = samples["speed"]
        turn = np.degrees(samples["turn"])
        spin = -np.degrees(samples["distance"] / lives["radius"])
        columns: dict[str, AnyArray] = {"id": lives["id"]}
        for name, pose in zip(_POSE, poses.T, strict=True):
            columns[name] = pose
        for axis in "xyz":
            columns[f"linear_velocity.{axis}"] = samples[f"v{axis}"]
        columns["angular_velocity.z"] = turn
        everybody = slice(None)
        walks = lives["is_walker"]
        pedals = lives["is_two_wheeler"]
        groups: dict[str, list[_Rows]] = {}

        def add(packet: str, name: str, rows: Any, more: Mapping[str, AnyArray]) -> None:
            """Add the records of some road users to those of a packet."""
            pattern = self._patterns.get(name)
            if pattern is None:
                return
            frames = samples["frame"][rows]
            chosen = {path: column[rows] for path, column in columns.items() if path in pattern.paths}
            for path, column in more.items():
                chosen[path] = column[rows]
            groups.setdefault(packet, []).append(_rows_of(pattern.records(chosen, len(frames)), frames, block))

        add("Position", "Position", everybody, {})
        add("Kinematics", "Kinematics", everybody, {})
        drivers: Any = everybody
        if walks.any():
            drivers = np.flatnonzero(~walks)
            walkers = np.flatnonzero(walks)
            pace = np.abs(speed)
            add("AnimWalker", "AnimWalker", walkers, {"speed": 100 * pace})
            swing = limb_swing(pace, spin)
            limbs = {}
            for number, (_, share, _) in enumerate(LIMBS):
                limbs[f"{_BONES}[{number}].rotation.pitch"] = share * swing
            add("WalkerBones", "WalkerBones", walkers, limbs)
        steer = front_wheel_angles(speed, turn, lives["wheelbase"])
        throttle, brake, gear = pedals_and_gear(speed, samples["accel"], lives["gears"])
        controls = {"steering": steer / MAX_STEERING, "throttle": throttle, "brake": brake, "gear": gear}
        add("AnimVehicle", "AnimVehicle", drivers, controls)
        add("VehicleLight", "VehicleLight", drivers, {})
        rolled = spin % -1800.0
        four = {"wheels[0].steering": steer, "wheels[1].steering": steer}
        for wheel in range(4):
            four[f"wheels[{wheel}].rotation"] = rolled
        two = {"wheels[0].steering": steer, "wheels[0].rotation": rolled, "wheels[1].rotation": rolled}
        wheeled: Any = drivers
        if pedals.any():
            wheeled = np.flatnonzero(~walks & ~pedals)
            riders = np.flatnonzero(pedals)
            add("AnimVehicleWheels", _TWO, riders, two)
            add("AnimBiker", "AnimBiker", riders, {"forward_speed": speed, "engine_rotation": rider_effort(speed)})
        add("AnimVehicleWheels", _FOUR, wheeled, four)
        return groups

    def _births(self, block: FrameBlock, poses: FloatArray) -> dict[str, dict[int, list[Any]]]:
        """Records of those that are created, by packet and frame."""
        births: dict[str, dict[int, list[Any]]] = {}
        samples = block.samples
        for row in np.flatnonzero(samples["born"]).tolist():
            life = int(samples["life"][row])
            choice = self._lives.choices.pop(life)
            actor = int(self._lives.table["id"][life])
            frame = int(samples["frame"][row])
            for name, record in _birth(actor, choice, poses[row]):
                births.setdefault(name, {}).setdefault(frame, []).append(record)
        return births


def _birth(actor: int, choice: Choice, pose: FloatArray) -> Iterator[tuple[str, Record]]:
    """Yield the records of a birth, by packet; the pose is in cm and degrees."""
    class_ = "Vehicle"
    if choice.model.kind == "walker":
        class_ = "Walker"
    added = (actor, class_, *pose.tolist(), choice.uid, choice.name, choice.attributes)
    yield "EventAdd", added
    half_length, half_width, half_height = choice.box
    centre = 0.0 if class_ == "Walker" else half_height
    yield "BoundingBox", (actor, 0.0, 0.0, 100 * centre, 100 * half_length, 100 * half_width, 100 * half_height)
    if class_ == "Vehicle":
        metres = np.concatenate((pose[:3] / 100, np.radians(pose[3:])))
        yield "PhysicsControl", (actor, choice.model, metres)


def _poses(samples: Columns, lives: StructuredArray, z_at: ZAt) -> FloatArray:
    """Origins of road users in cm and degrees, shape (n, 6): the middle of a walker, the ground below a vehicle."""
    roll = samples["roll"]
    pitch = samples["pitch"]
    yaw = samples["yaw"]
    half_height = lives["half_height"]
    centre = np.where(lives["is_walker"], 0.0, half_height)  # of the box above the origin
    ground = half_height - centre  # below the origin
    above = {"centre": -centre, "ground": ground, "origin": np.zeros(len(roll))}[z_at]
    poses = np.empty((len(roll), 6))
    poses[:, 0] = samples["x"]
    poses[:, 1] = samples["y"]
    poses[:, 2] = samples["z"] + np.where(samples["on_ground"], ground, above)
    if z_at != "origin" and (roll.any() or pitch.any()):
        sin_roll = np.sin(roll)
        cos_roll = np.cos(roll)
        sin_pitch = np.sin(pitch)
        sin_yaw = np.sin(yaw)
        cos_yaw = np.cos(yaw)
        # The axis through the roof.
        poses[:, 0] += centre * (cos_roll * sin_pitch * cos_yaw + sin_roll * sin_yaw)
        poses[:, 1] += centre * (cos_roll * sin_pitch * sin_yaw - sin_roll * cos_yaw)
        if z_at == "centre":
            up = cos_roll * np.cos(pitch)
            poses[:, 2] += np.where(samples["on_ground"], 0.0, centre * (1.0 - up))
    poses[:, :3] *= 100
    poses[:, 3] = np.degrees(roll)
    poses[:, 4] = np.degrees(pitch)
    poses[:, 5] = wrapped(np.degrees(yaw))
    return poses


def _rows_of(records: StructuredArray, frames: IntArray, block: FrameBlock) -> _Rows:
    edges = np.searchsorted(frames, block.first + np.arange(len(block.elapsed) + 1))
    return _Rows(records, edges)


def _chunks_of(kind: PacketType, groups: Sequence[_Rows], count: int) -> list[list[memoryview]]:
    """The packets of a kind in n frames: their heads, then the records of each group."""
    numbers = np.zeros(count, np.int64)
    sizes = np.zeros(count, np.int64)
    for group in groups:
        here = np.diff(group.edges)
        numbers += here
        sizes += here * group.records.dtype.itemsize
    counted(kind, int(numbers.max()))  # refuses more than the count of a packet can tell
    heads = np.zeros(count, _HEAD)
    heads["id"] = kind.id
    heads["size"] = sizes + heads.dtype["count"].itemsize
    heads["count"] = numbers
    edges = np.arange(count + 1)
    if kind.presence != "always":
        heads = heads[numbers > 0]
        edges = np.append(0, np.cumsum(numbers > 0))
    return [_sliced(heads, count, edges), *(_sliced(group.records, count, group.edges) for group in groups)]


def _sliced(rows: AnyArray, count: int, edges: AnyArray | None = None) -> list[memoryview]:
    """The bytes of rows in n parts that begin and end at edges; one row each without these."""
    if not len(rows):
        return [memoryview(b"")] * count
    data = memoryview(np.ascontiguousarray(rows).view(np.uint8).reshape(-1))
    size = len(data) // len(rows)
    if edges is None:
        edges = np.arange(count + 1)
    places = (edges * size).tolist()
    return [data[begin:end] for begin, end in pairwise(places)]
