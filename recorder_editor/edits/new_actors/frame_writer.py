"""Frames of many road users at once: what a recorder writes of their states, as columns of numpy.

`writer` makes the same records one by one, and gives the form of those that are made here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...arrays import AnyArray, ByteArray, FloatArray, IntArray, StructuredArray, run_starts
from ...format import Dialect, PacketType, decode, packet_bytes
from ...format.codec import PACKET_HEADER, counted
from ...format.schema import WIDTHS
from ..blueprints import BICYCLES, HERO_MODEL, LIMBS, Attributes, Model
from ..paths.edit_path import MAX_STEERING
from .writer import (
    Record,
    Writer,
    front_wheel_angles,
    limb_swing,
    pedals_and_gear,
    rider_effort,
    vehicle_states,
    walker_states,
)

ACTOR: Final = ("id", "is_walker", "is_two_wheeler", "gears", "wheelbase", "radius")
"""What the states of a road user depend on: its id, and of its model the kind, the number of gears, and m."""

_POSE = ("location.x", "location.y", "location.z", "rotation.roll", "rotation.pitch", "rotation.yaw")
_HEAD = np.dtype([("id", "u1"), ("size", "<u4"), ("count", "<u2")])
"""The header of a packet, and the count of its records."""

_NUMBERS = {name: f"<{name[0]}{width}" for name, width in WIDTHS.items()} | {"bool": "?"}
"""numpy's types of fields."""

_BONES = "bones"
_FOUR = "four wheels"
_TWO = "two wheels"


class BlockStates(NamedTuple):
    """Road users in neighbouring frames; columns of shape (n,) are ordered by frame.

    Attributes:
        first: Index of the first frame.
        elapsed: Times of the frames since the recording began, s: float64[frames].
        next_elapsed: That of the frame behind the last one; None: there is none.
        frame: Index of the frame, int64[n].
        actors: The actors, by the names in `ACTOR`.
        poses: cm, and degrees of roll, pitch and yaw: shape (6, n).
        velocities: Along x, y and z, m/s: three of float64[n].
        turn: Degrees/s.
        speed: Along the heading, m/s.
        accel: m/s2.
        distance: Driven since its birth, m.
    """

    first: int
    elapsed: FloatArray
    next_elapsed: float | None
    frame: IntArray
    actors: Mapping[str, AnyArray]
    poses: FloatArray
    velocities: tuple[FloatArray, FloatArray, FloatArray]
    turn: FloatArray
    speed: FloatArray
    accel: FloatArray
    distance: FloatArray


class Birth(NamedTuple):
    """A road user that is created.

    Attributes:
        frame: Index of the frame.
        actor: Its id.
        pose: cm and degrees, as in `BlockStates`: float64[6].
        blueprint: Its blueprint.
        uid: The number of that.
        attributes: The attributes of that.
        model: Its model.
        box: Half of its sizes, m.
    """

    frame: int
    actor: int
    pose: FloatArray
    blueprint: str
    uid: int
    attributes: Attributes
    model: Model
    box: tuple[float, float, float]


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
            if leaf.field.type in _NUMBERS:
                names.append(leaf.path)
                formats.append(_NUMBERS[leaf.field.type])
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


class _Part(NamedTuple):
    """What stands at one place in each of n frames, as the header of a packet, or its records.

    Attributes:
        data: The bytes of all frames, one after the other.
        edges: Where those of each frame begin, and the end: int64[n + 1].
    """

    data: ByteArray
    edges: IntArray


class FrameWriter:
    """Encodes blocks of frames of road users: columns of numpy, not a record at a time."""

    def __init__(self, dialect: Dialect) -> None:
        self._kinds = dialect.kinds()
        self._writer = Writer(dialect)
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

    def frames(self, block: BlockStates, births: Iterable[Birth], deaths: Iterable[tuple[int, int]]) -> memoryview:
        """Return the bytes of a block of frames.

        Args:
            block: The states of the road users.
            births: Those that are created in these frames.
            deaths: Frames, and the actors that are destroyed in them.

        Raises:
            FieldError: More road users are there at a time than a packet can hold.
        """
        groups = self._groups(block)
        events = _births(births)
        for frame, actor in deaths:
            events.setdefault("EventDel", {}).setdefault(frame, []).append((actor,))
        following = np.append(block.elapsed[1:], block.elapsed[-1] - 1.0)  # -1: the duration is not known
        if block.next_elapsed is not None:
            following[-1] = block.next_elapsed
        durations = following - block.elapsed
        count = len(block.elapsed)
        parts: list[_Part] = []
        for kind in self._kinds:
            if kind.name in groups:
                parts += _lists(kind, groups[kind.name], count)
                continue
            if kind.body == "single" and kind.dtype is not None:
                values = {"frame_id": block.first + 1 + np.arange(count), "duration": durations}
                values |= {"elapsed": block.elapsed, "time": block.elapsed}
                parts.append(self._singles(kind, values, count))
                continue
            empty = b""
            if kind.presence == "always":
                empty = packet_bytes(kind.id, self._writer.body(kind, []))
            packets = [empty] * count
            for frame, records in events.get(kind.name, {}).items():
                packets[frame - block.first] = packet_bytes(kind.id, self._writer.body(kind, records))
            parts.append(_packets(packets))
        return _joined(parts)

    def _singles(self, kind: PacketType, values: Mapping[str, AnyArray], count: int) -> _Part:
        """Packets of one record each, one a frame."""
        blank: Any = np.zeros(1, kind.dtype)
        body = self._writer.body(kind, blank)
        header = PACKET_HEADER.pack(kind.id, len(body))
        data = np.empty((count, len(header) + len(body)), np.uint8)
        data[:, : len(header)] = np.frombuffer(header, np.uint8)
        records = np.zeros(count, kind.dtype)
        for path in kind.record.fields:
            records[path] = values[path]
        data[:, len(header) :] = records.view(np.uint8).reshape(count, -1)
        return _part(data, np.arange(count + 1))

    def _groups(self, block: BlockStates) -> dict[str, list[_Rows]]:
        """Records of the states of all road users, by packet."""
        speed = block.speed
        turn = block.turn
        radius = block.actors["radius"]
        spin = -np.degrees(block.distance / radius)
        columns: dict[str, AnyArray] = {"id": block.actors["id"]}
        for name, pose in zip(_POSE, block.poses, strict=True):
            columns[name] = pose
        for axis, velocity in zip("xyz", block.velocities, strict=True):
            columns[f"linear_velocity.{axis}"] = velocity
        columns["angular_velocity.z"] = turn
        everybody = slice(None)
        walks = block.actors["is_walker"]
        pedals = block.actors["is_two_wheeler"]
        groups: dict[str, list[_Rows]] = {}

        def add(packet: str, name: str, rows: Any, more: Mapping[str, AnyArray]) -> None:
            """Add the records of some road users to those of a packet."""
            pattern = self._patterns.get(name)
            if pattern is None:
                return
            frames = block.frame[rows]
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
        steer = front_wheel_angles(speed, turn, block.actors["wheelbase"])
        throttle, brake, gear = pedals_and_gear(speed, block.accel, block.actors["gears"])
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


def _births(births: Iterable[Birth]) -> dict[str, dict[int, list[Any]]]:
    """Records of those that are created, by packet and frame."""
    events: dict[str, dict[int, list[Any]]] = {}
    for birth in births:
        for name, record in _birth(birth):
            events.setdefault(name, {}).setdefault(birth.frame, []).append(record)
    return events


def _birth(birth: Birth) -> Iterator[tuple[str, Record]]:
    """Yield the records of a birth, by packet."""
    actor = birth.actor
    pose = birth.pose
    class_ = "Vehicle"
    if birth.model.kind == "walker":
        class_ = "Walker"
    yield "EventAdd", (actor, class_, *pose.tolist(), birth.uid, birth.blueprint, birth.attributes)
    half_length, half_width, half_height = birth.box
    centre = 0.0
    if class_ == "Vehicle":
        centre = half_height
    yield "BoundingBox", (actor, 0.0, 0.0, 100 * centre, 100 * half_length, 100 * half_width, 100 * half_height)
    if class_ == "Vehicle":
        metres = np.concatenate((pose[:3] / 100, np.radians(pose[3:])))
        yield "PhysicsControl", (actor, birth.model, metres)


def _rows_of(records: StructuredArray, frames: IntArray, block: BlockStates) -> _Rows:
    edges = np.searchsorted(frames, block.first + np.arange(len(block.elapsed) + 1))
    return _Rows(records, edges)


def _lists(kind: PacketType, groups: Sequence[_Rows], count: int) -> list[_Part]:
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
    return [_part(heads, edges), *(_part(group.records, group.edges) for group in groups)]


def _packets(packets: Sequence[bytes]) -> _Part:
    """Whole packets, or nothing, in n frames."""
    edges = np.append(0, np.cumsum([len(packet) for packet in packets]))
    return _Part(np.frombuffer(b"".join(packets), np.uint8), edges)


def _part(rows: AnyArray, edges: IntArray) -> _Part:
    """Rows of one size, of which each frame has those from its edge to the next one."""
    data = np.ascontiguousarray(rows).view(np.uint8).reshape(-1)
    size = rows.nbytes // max(len(rows), 1)
    return _Part(data, edges * size)


def _joined(parts: Sequence[_Part]) -> memoryview:
    """The bytes of n frames, each with its bytes of all parts in order; equally long frames are copied together."""
    sizes = np.stack([np.diff(part.edges) for part in parts])
    begins = np.flatnonzero(run_starts(*sizes))
    ends = np.append(begins[1:], sizes.shape[1])
    data = np.empty(int(sizes.sum()), np.uint8)
    place = 0
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        widths = sizes[:, begin].tolist()
        rows = end - begin
        stop = place + rows * sum(widths)
        frames = data[place:stop].reshape(rows, -1)
        column = 0
        for part, width in zip(parts, widths, strict=True):
            if width:
                first = part.edges[begin]
                frames[:, column : column + width] = part.data[first : first + rows * width].reshape(rows, width)
                column += width
        place = stop
    return data.data
