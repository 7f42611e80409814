"""Files of ASAM OSI in MCAP, as those of omega-prime, as trajectories. Needs the extra `[osi]`."""

import struct
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from math import isfinite, nan
from pathlib import Path
from typing import Any, BinaryIO

import lz4.frame
import numpy as np
import zstandard
from google.protobuf.message import DecodeError
from mcap.data_stream import ReadDataStream
from mcap.exceptions import EndOfFile, McapError
from mcap.opcode import Opcode
from mcap.records import Channel, Chunk, McapRecord, Message, Metadata, Schema
from mcap.stream_reader import StreamReader

from ...arrays import StructuredArray
from ...format import LONGEST_MAP_NAME
from ...progress import Progress
from ...texts import say
from ..osi_schema import enumeration, message_class
from .choosing import kind_of
from .trajectories import LARGEST, LATEST, LONGEST, ROW, MemoryRows, RoadUser, Trajectories, TrajectoryError

_LARGEST_CHUNK = 1 << 28
"""Bytes of a chunk, packed or not: files have chunks of a few megabytes, or of the largest road map."""

_DAMAGE = (McapError, DecodeError, ValueError, OverflowError, RuntimeError, zstandard.ZstdError)
"""What libraries raise at bytes that are none of their format."""

_ROWS_AT_ONCE = 1 << 16
_VEHICLE = "TYPE_VEHICLE"
_HERO = "hero"


class OsiFile:
    """What an OSI file holds.

    Attributes:
        trajectories: Its moving objects.
        road_map: The text of its road map; empty without one.
        needs_ground: Some rows do not tell their height or slope.
    """

    def __init__(self, path: Path, progress: Progress) -> None:
        """Read the file.

        Args:
            path: The file.
            progress: Counts bytes.

        Raises:
            TrajectoryError: It is damaged, or holds no moving objects.
            Cancelled: The user stopped it.
            OSError: It cannot be read.
        """
        self.road_map = ""
        self.needs_ground = False
        self._name = path.name
        self._date = 0
        self._map_name = ""
        self._host: int | None = None
        self._schemas: dict[int, Schema] = {}
        self._channels: dict[int, str] = {}
        self._channel: int | None = None
        self._has_other_channels = False
        self._messages = 0
        self._users: dict[int | None, int] = {}
        self._road_users: list[RoadUser] = []
        self._rows: list[tuple[float, ...]] = []
        self._blocks: list[StructuredArray] = []
        with path.open("rb") as file:
            self._read(file, path.stat().st_size, progress)
        self.trajectories = self._trajectories()

    # --- the file -----------------------------------------------------------------------------------------------

    def _read(self, file: BinaryIO, size: int, progress: Progress) -> None:
        try:
            bounded = _Bounded(file, size)
            for record in _records(bounded, self._name):
                self._take(record)
                progress.update(size - bounded.left, size)
        except (EndOfFile, struct.error):  # the other one of what has begun
            raise TrajectoryError(say("{name} ends in the middle.", name=self._name)) from None
        except _DAMAGE as error:
            raise TrajectoryError(
                say("{name} is no sound MCAP file: {reason}.", name=self._name, reason=str(error).rstrip("."))
            ) from None

    def _take(self, record: McapRecord) -> None:
        if isinstance(record, Schema):
            self._schemas[record.id] = record
        elif isinstance(record, Channel):
            self._take_channel(record)
        elif isinstance(record, Metadata):
            self._take_metadata(record)
        elif isinstance(record, Message):
            self._take_message(record)

    def _take_channel(self, channel: Channel) -> None:
        schema = self._schemas.get(channel.schema_id)
        if schema is not None and channel.message_encoding == "protobuf":
            self._channels[channel.id] = schema.name.removeprefix("osi3.")

    def _take_metadata(self, metadata: Metadata) -> None:
        zero_time = metadata.metadata.get("zero_time", "")
        try:
            self._date = max(0, int(datetime.fromisoformat(zero_time).timestamp()))
        except (ValueError, OverflowError, OSError):  # OSError: systems that know no such time
            return

    def _take_message(self, message: Message) -> None:
        kind = self._channels.get(message.channel_id, "")
        if kind == "MapAsamOpenDrive" and not self.road_map:
            road_map = message_class(kind).FromString(message.data)
            self.road_map = road_map.open_drive_xml_content
        elif kind in ("GroundTruth", "SensorView"):
            if self._channel is None:
                self._channel = message.channel_id
            if message.channel_id != self._channel:
                self._has_other_channels = True
                return
            truth = message_class(kind).FromString(message.data)
            if kind == "SensorView":
                truth = truth.global_ground_truth
            self._messages += 1
            self._take_truth(truth)

    # --- messages -----------------------------------------------------------------------------------------------

    def _take_truth(self, truth: Any) -> None:
        """Take the moving objects of a message."""
        time = truth.timestamp.seconds + truth.timestamp.nanos * 1e-9
        if abs(time) > LATEST:
            raise TrajectoryError(
                say("{name}, message {message}: the time is too large.", name=self._name, message=self._messages)
            )
        if self._host is None and truth.HasField("host_vehicle_id"):
            self._host = truth.host_vehicle_id.value
        if not self._map_name and len(truth.map_reference.encode()) <= LONGEST_MAP_NAME:
            self._map_name = truth.map_reference
        for thing in truth.moving_object:
            user = self._users.get(thing.id.value)
            if user is None:
                user = self._users[thing.id.value] = len(self._road_users)
                self._road_users.append(_road_user(thing))
            self._rows.append(self._row(time, user, thing))
        if len(self._rows) >= _ROWS_AT_ONCE:
            self._close_block()

    def _row(self, time: float, user: int, thing: Any) -> tuple[float, ...]:
        """Return a moving object as a row."""
        base = thing.base
        position = base.position
        x = _told(position, "x")
        y = _told(position, "y")
        if not (isfinite(x) and isfinite(y)):
            raise TrajectoryError(
                say(
                    "{name}, message {message}: the position of object {id} is missing, no finite number or too large.",
                    name=self._name,
                    message=self._messages,
                    id=thing.id.value,
                )
            )
        turn = base.orientation
        velocity = base.velocity
        return (
            time,
            user,
            self._messages,
            x,
            y,
            _told(position, "z"),
            _told(turn, "roll"),
            _told(turn, "pitch"),
            _told(turn, "yaw"),
            _told(velocity, "x"),
            _told(velocity, "y"),
            _told(velocity, "z"),
        )

    def _close_block(self) -> None:
        self._blocks.append(np.array(self._rows, ROW))
        self._rows = []

    def _trajectories(self) -> Trajectories:
        """Return what was read.

        Raises:
            TrajectoryError: There is no moving object.
        """
        self._close_block()
        rows = np.concatenate(self._blocks)
        if not len(rows):
            raise TrajectoryError(
                say("{name} holds no moving objects in messages GroundTruth of ASAM OSI.", name=self._name)
            )
        remarks = []
        if self.road_map and not rows["z"].any():
            # Those who have seen a street from above write a height of 0.
            rows["z"] = nan
            remarks.append(say("All heights in {name} are 0; the road map in it tells them.", name=self._name))
        self.needs_ground = bool(np.isnan([rows[name] for name in ("z", "roll", "pitch")]).any())
        if self._has_other_channels:
            remarks.append(say("{name} holds several channels of road users; the first one is read.", name=self._name))
        users = list(self._road_users)
        if self._host in self._users:
            hero = self._users[self._host]
            users[hero] = users[hero]._replace(role=_HERO)
        return Trajectories(
            source=self._name,
            users=users,
            rows=MemoryRows(rows),
            map_name=self._map_name,
            date=self._date,
            remarks=tuple(remarks),
        )


class _Bounded:
    """A file of which no more is asked for than it has: the library believes the lengths in it.

    Attributes:
        left: Bytes that were not read.
    """

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.left = size
        self._file = file

    def read(self, length: int) -> bytes:
        """Return so many bytes, or those that there are."""
        data = self._file.read(min(length, self.left))
        self.left -= len(data)
        return data


def _records(file: _Bounded, name: str) -> Iterator[McapRecord]:
    """Yield the records of an MCAP file, with those in its chunks.

    Raises:
        TrajectoryError: A chunk is larger than any sound file has.
    """
    stream: Any = file  # of which the library reads only
    for record in StreamReader(stream, emit_chunks=True, record_size_limit=_LARGEST_CHUNK).records:
        if isinstance(record, Chunk):
            yield from _records_in(_unpacked(record, name))
        else:
            yield record


def _records_in(data: bytes) -> Iterator[McapRecord]:
    """Yield the records in a chunk one by one: a list of them may be a hundred times as large as the chunk was."""
    stream = ReadDataStream(BytesIO(data))
    while stream.count < len(data):
        opcode = stream.read1()
        length = stream.read8()
        if opcode == Opcode.MESSAGE:
            yield Message.read(stream, length)
        elif opcode == Opcode.CHANNEL:
            yield Channel.read(stream)
        elif opcode == Opcode.SCHEMA:
            yield Schema.read(stream)
        else:
            stream.read(length)


def _unpacked(chunk: Chunk, name: str) -> bytes:
    """Return the bytes in a chunk, without compression.

    The library believes what a chunk says of its size, and asks for so much memory.

    Raises:
        TrajectoryError: It is larger than any sound file has, or not as large as it says.
    """
    size = chunk.uncompressed_size
    if chunk.compression == "zstd":
        is_sound = size <= _LARGEST_CHUNK and zstandard.frame_content_size(chunk.data) in (-1, size)
        data = zstandard.decompress(chunk.data, max_output_size=size) if is_sound else b""
    elif chunk.compression == "lz4":
        is_sound = size <= _LARGEST_CHUNK
        data = lz4.frame.LZ4FrameDecompressor().decompress(chunk.data, max_length=size) if is_sound else b""
    elif chunk.compression:
        raise TrajectoryError(
            say(
                "{name} is compressed by {compression}; lz4 and zstd are read.",
                name=name,
                compression=chunk.compression,
            )
        )
    else:
        return chunk.data
    if len(data) != size:
        raise TrajectoryError(
            say("{name} holds a chunk of {size:,} bytes, or one that says so of itself.", name=name, size=size)
        )
    return data


def _road_user(thing: Any) -> RoadUser:
    """Return what a moving object tells of itself in the first message that holds it."""
    dimension = thing.base.dimension
    role = ""
    for source in thing.source_reference:
        for identifier in source.identifier:
            if identifier.startswith("role:"):
                role = identifier.removeprefix("role:")
    return RoadUser(
        name=str(thing.id.value),
        kind=_kind_of(thing),
        length=_size(dimension, "length"),
        width=_size(dimension, "width"),
        height=_size(dimension, "height"),
        blueprint=thing.model_reference,
        role=role,
    )


def _kind_of(thing: Any) -> str:
    """Return the kind of a moving object, by its type; empty where that does not tell."""
    name = _type_name("MovingObject.Type", thing.type)
    if name == _VEHICLE:
        name = _type_name("MovingObject.VehicleClassification.Type", thing.vehicle_classification.type)
    return kind_of(name) or ""


def _type_name(enum: str, number: int) -> str:
    for name, value in enumeration(enum).items():
        if value == number:
            return name
    return ""


def _size(dimension: Any, field: str) -> float:
    """Return a size in metres; NaN where it is not told or none."""
    size = _told(dimension, field)
    if 0 < size <= LONGEST:
        return size
    return nan


def _told(message: Any, field: str) -> float:
    """Return a number of a message; NaN where it has none, or one so large that it tells nothing."""
    if message.HasField(field):
        number = float(getattr(message, field))
        if abs(number) <= LARGEST:
            return number
    return nan
