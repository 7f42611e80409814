"""Export to MCAP, for Foxglove and other viewers of robots: boxes, frames, poses, signals and events.

Foxglove's schemas in protobuf; lengths are metres in right-handed axes (y mirrored). Messages about the same actors in
consecutive frames differ in numbers only: protobuf writes one of them with a mark for each number, and numpy puts the
numbers of all frames in place of the marks. Needs the extra `[mcap]`.
"""

import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import islice, pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

import numpy as np
from foxglove_schemas_protobuf.Color_pb2 import Color
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from foxglove_schemas_protobuf.LinePrimitive_pb2 import LinePrimitive
from foxglove_schemas_protobuf.Log_pb2 import Log
from foxglove_schemas_protobuf.Point3_pb2 import Point3
from foxglove_schemas_protobuf.PosesInFrame_pb2 import PosesInFrame
from foxglove_schemas_protobuf.SceneEntity_pb2 import SceneEntity
from foxglove_schemas_protobuf.SceneEntityDeletion_pb2 import SceneEntityDeletion
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from mcap_protobuf.schema import register_schema

from ..arrays import AnyArray, BoolArray, ByteArray, FloatArray, IntArray, StructuredArray, begins
from ..format import VEHICLE_LIGHTS, Field
from ..progress import SILENT, Progress
from ..reading import Actors, Life, Subset, Tracks, short_blueprint
from ..reading.actors import EVENT_KINDS, NO_ACTOR
from ..reading.motion import last_in_frame
from ..recording import Snapshot, atomic_write
from ..roads import DRIVABLE, LANE_TYPES, RoadMap
from ..texts import N_, say
from .contents import Contents
from .mcap_file import McapFile
from .openscenario import ScenarioError, box_of, category_of
from .signals import Signal
from .tables.values import block_of

if TYPE_CHECKING:
    from mcap.writer import Writer

_CHUNK = 16 << 20  # larger ones compress better
_WINDOW = 8 << 20  # bytes of a recording whose positions are read together
_SAMPLE = 64  # frames, by which the size is estimated
_SECONDS = (1 << 34) - 1
_NANOS = (1 << 31) - 1
_STAMP = b"\x08\xff\xff\xff\xff\x3f\x10\xff\xff\xff\xff\x07"
"""A time of these seconds and nanoseconds in protobuf: two numbers of five bytes, in which any other has room."""
_MARKS = 0x7A5C3E1200000000
"""The bits of the first mark, an unlikely number; those of the others follow."""
_GRID = 2.0**19
_TURNS = 2.0**20
"""Steps in a metre, and in the numbers of quaternions: errors are below 1e-6, and what is left compresses well."""

_MAP = "map"
_EVENTS = "/events"
_FACTS = {
    "axes": "right-handed, metres: x as recorded, y mirrored, z up",
    "clock": (
        "nanoseconds since 1970 (UTC): the date in the header and the elapsed time; without a date the elapsed time"
    ),
}
"""How to read the numbers of a file, for its metadata."""
_PLOTTED = 8
_FIELDS = ("x", "y", "z", "x", "y", "z", "w")
_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_LEVELS = {"collision": Log.WARNING, "born": Log.INFO, "gone": Log.INFO, "door": Log.INFO, "weather": Log.INFO}

# Those of the light window.
_CLASS_COLORS = {
    "vehicle": "#3F76B2",
    "walker": "#CC79A7",
    "two-wheeler": "#117733",
    "prop": "#858682",
    "spectator": "#5F666D",
    "sensor": "#767D84",
}
_HERO_COLOR = "#882255"
_COLLISION_COLOR = "#C44000"
_RED_LAMP = "#D7301F"
_YELLOW_LAMP = "#E6A800"
_GREEN_LAMP = "#1A9850"
_WHITE_LAMP = "#FFFFFF"
_LAMP_OFF = "#B9BEC4"
_DRIVABLE_BORDER = "#646C74"
_OTHER_BORDER = "#D5D9DD"

_LAMPS: dict[str, tuple[tuple[float, ...], tuple[float, ...], str]] = {
    "Brake": ((-1,), (-0.7, 0.7), _RED_LAMP),
    "LeftBlinker": ((-1, 1), (1,), _YELLOW_LAMP),
    "RightBlinker": ((-1, 1), (-1,), _YELLOW_LAMP),
    "Reverse": ((-1,), (-0.4, 0.4), _WHITE_LAMP),
    "LowBeam": ((1,), (-0.7, 0.7), _WHITE_LAMP),
    "HighBeam": ((1,), (-0.5, 0.5), _WHITE_LAMP),
}
"""Where lights are on a box, forwards and to the left, as shares of half its size; and their colour."""
_BLACK = Color(a=1)
_LIGHTS = (_RED_LAMP, _YELLOW_LAMP, _GREEN_LAMP)
"""The colours of states of traffic lights, from 0 on."""


class McapStyle(NamedTuple):
    """How an MCAP file is written.

    Attributes:
        signals: The signals that it holds.
        all_poses: Poses are written in every frame, not each second.
    """

    signals: Sequence[Signal] = ()
    all_poses: bool = False


def write_mcap(
    target: Path,
    snapshot: Snapshot,
    subset: Subset,
    style: McapStyle,
    progress: Progress = SILENT,
    *,
    overwrite: bool = False,
) -> bytes:
    """Write the chosen actors and frames, atomically.

    Args:
        target: The file.
        snapshot: The state of the recording.
        subset: The chosen actors and frames.
        style: How it is written.
        progress: Counts frames.
        overwrite: Whether a file that nothing makes again is replaced.

    Returns:
        The layout for Foxglove that goes with them.

    Raises:
        WouldReplace: The file exists and has to stay.
        ScenarioError: Time is no number, goes back or is out of range.
        Cancelled: The user stopped it.
        OSError: It cannot be written, or the recording cannot be read.
    """
    export = _McapExport(snapshot, subset, style, progress.quiet())
    with atomic_write(target, overwrite=overwrite) as stream:
        export.write(stream, progress)
    return json.dumps(export.layout(), indent=1).encode()


_CHANNEL_COLUMNS = (
    Field("topic", "str", N_("Name of the channel")),
    Field("schema", "str", N_("Schema of its messages")),
    Field("messages", "u32", N_("Number of its messages")),
)


def preview_mcap(snapshot: Snapshot, subset: Subset, style: McapStyle, progress: Progress = SILENT) -> Contents:
    """The channels of the file, a row each, and its size by that of frames in the middle. Raises as `write_mcap`."""
    whole = _McapExport(snapshot, subset, style, progress.quiet())
    first = max(0, len(subset.frames) // 2 - _SAMPLE // 2)
    stream = BytesIO()
    part = Subset(subset.frames[first : first + _SAMPLE], subset.spans)
    _McapExport(snapshot, part, style, progress.quiet()).write(stream, progress)
    rows = []
    for topic, (kind, count) in whole.channels.items():
        rows.append((topic, kind.DESCRIPTOR.full_name, count))
    size = round(len(stream.getvalue()) * len(subset.frames) / len(part.frames))
    return Contents(_CHANNEL_COLUMNS, block_of(_CHANNEL_COLUMNS, rows), size)


class _McapExport:
    """What is written of a recording. Attribute: `channels` (message class and number of messages, by topic)."""

    def __init__(self, snapshot: Snapshot, subset: Subset, style: McapStyle, progress: Progress) -> None:
        self._snapshot = snapshot
        self._subset = subset
        self._tracks = Tracks(snapshot)
        self._actors = Actors.of(snapshot, progress)
        self._frames = np.array(subset.frames, np.int64)
        self._times = _log_times(snapshot, self._frames)
        self._signals: dict[str, dict[str, FloatArray]] = {}
        for each in style.signals:
            if each.actor is None:
                topic = "/signals"
            else:
                topic = f"/signals/{each.actor}"
            self._signals.setdefault(topic, {})[each.name] = each.at(self._frames)
        self._written: dict[str, list[bool]] = {"/poses": (begins(self._times // 10**9) | style.all_poses).tolist()}
        for topic, values in self._signals.items():
            self._written[topic] = (~np.isnan(np.array([*values.values()]).T)).any(axis=1).tolist()
        self._events = self._find_events()
        self.channels: dict[str, tuple[Any, int]] = {}
        for topic, kind in (("/scene", SceneUpdate), ("/tf", FrameTransforms), ("/poses", PosesInFrame)):
            self.channels[topic] = kind, sum(self._written.get(topic, ())) or len(self._frames)
        for topic, names in self._signals.items():
            self.channels[topic] = _signals_class(names), sum(self._written[topic])
        self.channels[_EVENTS] = Log, sum(map(len, self._events.values()))
        if snapshot.roads is not None:
            self.channels["/map"] = SceneUpdate, 1

    # --- the file ---------------------------------------------------------------------------------------------

    def write(self, stream: BinaryIO, progress: Progress) -> None:
        """Write the file."""
        file = McapFile(stream, _CHUNK)
        file.start(library="recorder-editor")
        file.add_metadata("recording", self._facts())
        # What registers a schema needs no more of a writer than a method of that name.
        schemas = {}
        for kind, _ in self.channels.values():
            schemas[kind] = register_schema(cast("Writer", file), kind)
        channels = self.channels.items()
        ids = {}
        for topic, (kind, _) in channels:
            ids[topic] = file.register_channel(topic, "protobuf", schemas[kind])
        if self._snapshot.roads is not None:
            file.add_messages([(ids["/map"], int(self._times[0]), _map_lines(self._snapshot.roads))])
        scene = _Scene(self._actors)
        at = 0
        for block in self._blocks(scene):
            file.add_messages(self._messages(block, at, ids))
            at += block.frames
            progress.update(at, len(self._frames))
        file.finish()

    def _messages(self, block: "_Block", first: int, ids: Mapping[str, int]) -> Iterator[tuple[int, int, bytes]]:
        """Channel, time and data of the messages of a block; `first`: its first frame among the chosen ones."""
        times = self._times[first : first + block.frames].tolist()
        columns = [(ids[topic], rows, self._written.get(topic)) for topic, rows in block.rows.items()]
        for row, scene in enumerate(block.scenes):
            time = times[row]
            for event in self._events.get(first + row, ()):
                yield ids[_EVENTS], time, event
            yield ids["/scene"], time, scene
            for channel, rows, is_written in columns:
                if is_written is None or is_written[first + row]:
                    yield channel, time, rows[row]

    def _facts(self) -> dict[str, str]:
        """What the header says, and how to read the numbers."""
        header = self._snapshot.header
        frames = self._subset.frames
        if header is None:
            about = {}
        else:
            about = {"map": header.map_name, "date": header.when, "version": header.version}
        span = {"frames": len(frames), "first_frame": frames[0] + 1, "dialect": self._snapshot.dialect.name}
        return {name: _text(str(value)) for name, value in {**about, **span, **_FACTS}.items()}

    def _find_events(self) -> dict[int, list[bytes]]:
        """Events, contacts and notes as log entries, by the chosen frame at which they are written."""
        actors = self._actors
        found = list[tuple[int, str, str]]()
        for frame, actor, kind in actors.events[["frame_index", "actor", "kind"]].tolist():
            if EVENT_KINDS[kind] != "collision":
                found.append((frame, EVENT_KINDS[kind], self._name(actor, frame)))
        for frame, *both in actors.contacts[["first", "actor1", "actor2"]].tolist():
            found.append((frame, "collision", " - ".join(filter(None, (self._name(actor, frame) for actor in both)))))
        found += [(note.start, "note", note.text) for note in self._snapshot.context.notes if note.frames]
        events: dict[int, list[bytes]] = {}
        for frame, kind, text in sorted(found):
            if self._frames[0] <= frame <= self._frames[-1]:
                at = int(self._frames.searchsorted(frame))
                entry = Log(timestamp=_stamp(int(self._times[at])), name=kind, message=_text(text))
                entry.level = _LEVELS.get(kind, Log.DEBUG)
                events.setdefault(at, []).append(entry.SerializeToString())
        return events

    def _name(self, actor: int, frame: int) -> str:
        life = self._actors.at(actor, frame) or next(reversed(self._actors.of_id(actor)), None)
        if 0 <= actor < NO_ACTOR:
            return _label(actor, life)
        return ""

    def layout(self) -> dict[str, Any]:
        """The layout of Foxglove's panels: the scene, following the first hero, its signals and the events."""
        hero = next((life for life in self._actors if life.is_hero and self._subset.holds(life)), None)
        paths = []
        for topic, names in self._signals.items():
            for name in names:
                paths.append({"value": f"{topic}.{name}", "enabled": True, "timestampMethod": "receiveTime"})
        return _layout(_MAP if hero is None else _frame_of(hero.actor), paths[:_PLOTTED])

    # --- blocks of frames ---------------------------------------------------------------------------------------

    def _read(self, track: str, frames: range) -> "_Rows":
        """The chosen records of a track; of several of an actor in a frame the last."""
        found = last_in_frame(self._tracks.read(track, self._subset.ids, frames))
        found = found[self._subset.mask(found["id"], found["frame"])]
        if track == "positions":
            found = found[np.isfinite(_poses(found)).all(axis=1)]
        ends = np.ascontiguousarray(found["frame"]).searchsorted(np.array(frames), "right")
        return _Rows(found, np.concatenate(([0], ends[:-1], [len(found)])))

    def _blocks(self, scene: "_Scene") -> Iterator["_Block"]:
        """Frames with the same actors, in windows of frames that are read together."""
        window = max(1, _WINDOW * len(self._snapshot) // max(1, self._snapshot.size))
        for begin in range(0, len(self._frames), window):
            frames = self._subset.frames[begin : begin + window]
            placed, lights, states = (self._read(name, frames) for name in ("positions", "lights", "states"))
            times = self._times[begin : begin + window]
            scenes = scene.updates(frames, times, placed, lights, states)
            others = [*np.flatnonzero(placed.changes("id")).tolist(), len(frames)]
            for first, stop in pairwise(others):
                ids = placed.of(first)["id"].tolist()
                part = slice(begin + first, begin + stop)
                poses = _poses(placed.of(first, stop)).reshape(stop - first, len(ids), 7)
                rows = _pose_messages(ids, poses, self._times[part])
                for topic, signals in self._signals.items():
                    template = _Template()
                    message = self.channels[topic][0]()
                    for name, values in signals.items():
                        template.put(message, name, values[part])
                    rows[topic] = template.rows(message, self._times[part])
                yield _Block(stop - first, islice(scenes, stop - first), rows)


class _Rows:
    """The records of a track in neighbouring frames. Attribute: `table` (all of them, by frame)."""

    def __init__(self, table: StructuredArray, edges: IntArray) -> None:
        """`edges`: where the rows of each frame begin, and the end of the last ones, int64[frames + 1]."""
        self.table = table
        self._edges = edges

    def of(self, first: int, stop: int | None = None) -> StructuredArray:
        """The rows of a frame, or of the frames `[first, stop)`."""
        return self.table[self._edges[first] : self._edges[first + 1 if stop is None else stop]]

    def changes(self, *columns: str | AnyArray) -> BoolArray:
        """bool[frames]: those that differ from the frame before in these columns, and the first one."""
        counts = np.diff(self._edges)
        changed = begins(counts)
        frames = np.repeat(np.arange(len(counts)), counts)
        rows = np.flatnonzero(~changed[frames])  # in frames with as many rows as the one before
        rows_before = rows - counts[frames[rows]]
        for each in columns:
            if isinstance(each, str):
                values = self.table[each]
            else:
                values = each
            differs = values[rows] != values[rows_before]
            changed[frames[rows[differs]]] = True
        return changed


class _Block(NamedTuple):
    """Frames with the same actors.

    Attributes: `frames` (their number), `scenes` (a SceneUpdate for each), `rows` (a message for each, by topic).
    """

    frames: int
    scenes: Iterator[bytes]
    rows: Mapping[str, Sequence[bytes]]


class _Template:
    """A message in which the numbers of many frames are put in place of marks."""

    def __init__(self) -> None:
        self._columns: list[FloatArray] = []

    def put(self, message: Any, field: str, values: FloatArray) -> None:
        """Give a field of the message these values, one for each frame; protobuf leaves out what is always 0."""
        if values.any():
            setattr(message, field, _mark(len(self._columns)))
            self._columns.append(values)

    def rows(self, message: Any, times: IntArray) -> list[bytes]:
        """The message at each of these times; its fields were put in the order of their numbers."""
        text = message.SerializeToString()
        at = 0
        rows = np.tile(np.frombuffer(text, np.uint8), (len(times), 1))
        for number, values in enumerate(self._columns):
            at = text.index(struct.pack("<d", _mark(number)), at)
            rows[:, at : at + 8] = values.astype("<f8")[:, None].view(np.uint8)
        stamps = _stamps(times)
        at = text.find(_STAMP)
        while at >= 0:
            rows[:, at : at + len(_STAMP)] = stamps
            at = text.find(_STAMP, at + 1)
        return [row.tobytes() for row in rows]


def _mark(number: int) -> float:
    """A number that stands for others."""
    found: float = struct.unpack("<d", struct.pack("<Q", _MARKS + number))[0]
    return found


def _stamp(time: int) -> Timestamp:
    return Timestamp(seconds=time // 10**9, nanos=time % 10**9)


def _stamps(times: IntArray) -> ByteArray:
    """Times (ns) as protobuf has them where `_STAMP` stands, uint8[n, 12]."""
    rows = np.tile(np.frombuffer(_STAMP, np.uint8), (len(times), 1))
    for at, number in ((1, times // 10**9), (7, times % 10**9)):
        digits = (number[:, None] >> np.arange(0, 35, 7)) & 0x7F
        rows[:, at : at + 5] = digits | (0x80, 0x80, 0x80, 0x80, 0)
    return rows


def _log_times(snapshot: Snapshot, frames: IntArray) -> IntArray:
    """The times of frames: since 1970 where the header has a date, else since the recording began, ns: int64[n]."""
    header = snapshot.header
    elapsed = snapshot.elapsed[frames]
    start = header.date if header is not None and header.when is not None else 0
    sound = (elapsed >= 0) & (elapsed + start < _SECONDS) & np.append(True, elapsed[1:] >= elapsed[:-1])[: len(frames)]
    if not len(frames) or not sound.all():
        frame = None
        if len(frames):
            frame = int(frames[np.argmin(sound)]) + 1
        raise ScenarioError(
            say(
                N_(
                    "Time falls or is no number at frame {frame}, and log times must rise. Retime "
                    "the recording, or choose other frames."
                )
                if frame
                else N_("There is no frame to export."),
                frame=frame,
            ),
            frame=frame,
        )
    return start * 10**9 + np.rint(elapsed * 1e9).astype(np.int64)


def _signals_class(names: Iterable[str]) -> Any:
    """A message with these numbers."""
    file = FileDescriptorProto(name="recorder_editor/signals.proto", package="recorder_editor", syntax="proto3")
    message = file.message_type.add(name="Signals")
    for number, name in enumerate(names, 1):
        message.field.add(name=name, number=number, type=FieldDescriptorProto.TYPE_DOUBLE)
    pool = DescriptorPool()
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("recorder_editor.Signals"))


# --- poses ------------------------------------------------------------------------------------------------------


def _poses(placed: StructuredArray) -> FloatArray:
    """Positions (m) and quaternions (x, y, z, w) in right-handed axes, float64[n, 7]."""
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is left out
        x, y, z, roll, pitch, yaw = (placed[name].astype(np.float64) for name in _POSE)
        (sr, sp, sy), (cr, cp, cy) = (turn(np.radians((roll, -pitch, -yaw)) / 2) for turn in (np.sin, np.cos))
        turned = sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy
        quaternion = np.stack((*turned, cr * cp * cy + sr * sp * sy), axis=-1)
        metres = np.rint(np.stack((x, -y, z), axis=-1) / 100 * _GRID) / _GRID
        return np.concatenate((metres, np.rint(quaternion * _TURNS) / _TURNS), axis=-1) + 0.0


def _pose_messages(ids: list[int], poses: FloatArray, times: IntArray) -> dict[str, list[bytes]]:
    """Transforms and poses of the actors at these times; `poses`: float64[frames, actors, 7]."""
    rows = {}
    for topic, message in (("/tf", FrameTransforms()), ("/poses", PosesInFrame(frame_id=_MAP))):
        template = _Template()
        if topic == "/poses":
            message.timestamp.seconds, message.timestamp.nanos = _SECONDS, _NANOS
        for at, actor in enumerate(ids):
            if topic == "/tf":
                each = message.transforms.add(parent_frame_id=_MAP, child_frame_id=_frame_of(actor))
                each.timestamp.seconds, each.timestamp.nanos = _SECONDS, _NANOS
                place = each.translation
                turn = each.rotation
            else:
                each = message.poses.add()
                place = each.position
                turn = each.orientation
            place.SetInParent()
            for number, field in enumerate(_FIELDS):
                template.put(place if number < 3 else turn, field, poses[:, at, number])
        rows[topic] = template.rows(message, times)
    return rows


# --- the scene --------------------------------------------------------------------------------------------------


class _Scene:
    """The boxes, lights and collisions of frames; what stays as it was has the same bytes."""

    def __init__(self, actors: Actors) -> None:
        self._actors = actors
        self._hits: dict[int, set[int]] = {}
        for frame, *both in actors.collisions[["frame_index", "actor1", "actor2"]].tolist():
            self._hits.setdefault(frame, set()).update(both)
        self._box = lru_cache(1 << 14)(self._make_box)
        self._key: tuple[Any, ...] = ()
        self._names: set[str] = set()
        self._entities = b""

    def updates(self, frames: range, times: IntArray, placed: _Rows, lights: _Rows, states: _Rows) -> Iterator[bytes]:
        """The SceneUpdates of frames at these times (ns), a message for each."""
        lives = self._actors.indices_of(placed.table["id"], placed.table["frame"])
        changed = placed.changes("id", lives) | lights.changes("id", "lights") | states.changes("id", "state")
        hit = np.isin(np.array(frames), np.array([*self._hits], np.int64))
        changed |= hit
        changed[1:] |= hit[:-1]
        for at, is_changed in enumerate(changed.tolist()):
            if is_changed:
                yield self._update(frames[at], int(times[at]), placed.of(at), lights.of(at), states.of(at))
            else:
                yield self._entities

    def _update(
        self, frame: int, time: int, placed: StructuredArray, lights: StructuredArray, states: StructuredArray
    ) -> bytes:
        """SceneUpdate of a frame: deletions of gone actors, entities of present ones."""
        hits = self._hits.get(frame, set())
        lives = self._actors.indices_of(placed["id"], placed["frame"])
        columns = placed["id"], lives, lights["id"], lights["lights"], states["id"], states["state"]
        key = *(column.tobytes() for column in columns), frozenset(hits)
        if key == self._key:
            return self._entities
        lit = dict(zip(lights["id"].tolist(), lights["lights"].tolist(), strict=True))
        entities = {
            _frame_of(actor): self._box(actor, life, lit.get(actor, 0), actor in hits)
            for actor, life in zip(placed["id"].tolist(), lives.tolist(), strict=True)
        }
        for actor, state in zip(states["id"].tolist(), states["state"].tolist(), strict=True):
            if (life := self._actors.at(actor, frame)) is not None:
                entities[f"light/{actor}"] = _traffic_light(life, state)
        gone = []
        for name in sorted(self._names - entities.keys()):
            gone.append(SceneEntityDeletion(id=name, timestamp=_stamp(time)))
        self._key = key
        self._names = set(entities)
        self._entities = b"".join(entities.values())
        # Protobuf joins what is repeated, so a message is the sum of its parts.
        removed: bytes = SceneUpdate(deletions=gone).SerializeToString()
        return removed + self._entities

    def _make_box(self, actor: int, index: int, lights: int, is_hit: bool) -> bytes:
        """The box of an actor in its own frame, with an arrow forwards, its label and its lights, as a SceneUpdate."""
        life = None
        if index >= 0:
            life = self._actors.lives[index]
        if life is None:
            category = "none"
        else:
            category = category_of(life)
        centre, size = box_of(category, self._actors.boxes.get(index))
        entity = _entity(_frame_of(actor), _frame_of(actor))
        if life is None:
            lit = ""
        else:
            lit = " ".join(word for bit, word in VEHICLE_LIGHTS.items() if lights & bit)
        if lit:
            entity.metadata.add(key="lights", value=lit)
        _place(entity.cubes.add(color=_color(_COLLISION_COLOR if is_hit else _box_color(life), 0.8)), centre, size)
        length, width, height = size
        top = centre[0], centre[1], centre[2] + height / 2
        arrow = entity.arrows.add(color=_BLACK, shaft_length=length / 4, head_length=length / 4)
        arrow.shaft_diameter, arrow.head_diameter = width / 8, width / 3
        _place(arrow, top)
        label = entity.texts.add(billboard=True, font_size=12, scale_invariant=True, color=_BLACK)
        label.text = _label(actor, life)
        _place(label, (top[0], top[1], top[2] + 0.5))
        for bit, word in VEHICLE_LIGHTS.items():
            if lights & bit:
                ahead, left, ink = _LAMPS.get(word, ((), (), ""))
            else:
                ahead, left, ink = ((), (), "")
            for x, y in product(ahead, left):
                where = centre[0] + x * length / 2, centre[1] + y * width / 2, centre[2]
                _place(entity.spheres.add(color=_color(ink)), where, (width / 8,) * 3)
        if not is_hit:
            return _scene_of(entity)
        mark = _entity(f"collision/{actor}", _frame_of(actor))
        mark.lifetime.seconds = 1
        _place(mark.spheres.add(color=_color(_COLLISION_COLOR, 0.4)), centre, (1.2 * length,) * 3)
        return _scene_of(entity, mark)


def _traffic_light(life: Life, state: int) -> bytes:
    x, y, z = (value / 100 for value in life.transform[:3])
    entity = _entity(f"light/{life.actor}", _MAP)
    color = _color(_LIGHTS[state] if 0 <= state < len(_LIGHTS) else _LAMP_OFF)
    _place(entity.spheres.add(color=color), (x, -y, z + 4), (1.0, 1.0, 1.0))
    return _scene_of(entity)


def _map_lines(roads: RoadMap) -> bytes:
    """The borders of all lanes: those that vehicles drive on, and the others."""
    samples = roads.sample(tolerance=0.05)
    edges = np.rint(roads.edges(samples["lane"], samples["s"]) * (1, -1, 1) * _GRID) / _GRID
    at = np.flatnonzero(~begins(samples["lane"])[1:])
    lines = np.stack((edges[at], edges[at + 1]), axis=2)
    is_drivable = np.isin(roads.lanes["type"][samples["lane"][at]], [LANE_TYPES.index(name) for name in DRIVABLE])
    entity = _entity("lanes", _MAP)
    for chosen, ink in ((is_drivable, _DRIVABLE_BORDER), (~is_drivable, _OTHER_BORDER)):
        line = entity.lines.add(type=LinePrimitive.LINE_LIST, thickness=0.1, color=_color(ink))
        line.pose.orientation.w = 1
        line.points.extend(Point3(x=x, y=y, z=z) for x, y, z in lines[chosen].reshape(-1, 3).tolist())
    return _scene_of(entity)


def _scene_of(*entities: SceneEntity) -> bytes:
    made: bytes = SceneUpdate(entities=entities).SerializeToString()
    return made


def _entity(name: str, frame: str) -> SceneEntity:
    """An entity that moves with its frame."""
    return SceneEntity(id=name, frame_id=frame, frame_locked=True)


def _place(part: Any, where: Sequence[float], size: Sequence[float] = ()) -> None:
    part.pose.position.x, part.pose.position.y, part.pose.position.z = where
    part.pose.orientation.w = 1
    if size:
        part.size.x, part.size.y, part.size.z = size


def _layout(followed: str, paths: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a layout of Foxglove's panels: the scene beside signals and events.

    Args:
        followed: The frame of reference that the camera follows.
        paths: The signals that are plotted, as Foxglove has them.
    """
    return {
        "configById": {
            "3D!scene": {
                "cameraState": {
                    "perspective": True,
                    "distance": 60,
                    "phi": 55,
                    "thetaOffset": 90,
                    "target": [0, 0, 0],
                    "targetOffset": [0, 0, 0],
                    "targetOrientation": [0, 0, 0, 1],
                    "fovy": 45,
                    "near": 0.5,
                    "far": 5000,
                },
                "followMode": "follow-pose",
                "followTf": followed,
                "scene": {"transforms": {"showLabel": False, "axisScale": 0, "lineWidth": 0}},
                "layers": {
                    "grid": {
                        "layerId": "foxglove.Grid",
                        "frameId": "map",
                        "size": 1000,
                        "divisions": 100,
                        "visible": True,
                    }
                },
                "topics": {"/scene": {"visible": True}, "/map": {"visible": True}, "/poses": {"visible": False}},
            },
            "Plot!signals": {
                "title": "Signals",
                "paths": paths,
                "showLegend": True,
                "legendDisplay": "floating",
                "isSynced": True,
                "xAxisVal": "timestamp",
                "showXAxisLabels": True,
                "showYAxisLabels": True,
            },
            "RosOut!events": {"topicToRender": "/events", "searchTerms": [], "minLogLevel": 2},
        },
        "globalVariables": {},
        "userNodes": {},
        "playbackConfig": {"speed": 1},
        "layout": {
            "direction": "row",
            "first": "3D!scene",
            "splitPercentage": 65,
            "second": {
                "direction": "column",
                "first": "Plot!signals",
                "second": "RosOut!events",
                "splitPercentage": 60,
            },
        },
    }


def _box_color(life: Life | None) -> str:
    """Return the colour of an actor's box: that of a hero, or of its class, or of props."""
    if life is None:
        return _CLASS_COLORS["prop"]
    if life.is_hero:
        return _HERO_COLOR
    return _CLASS_COLORS.get(life.class_, _CLASS_COLORS["prop"])


def _color(rgb: str, alpha: float = 1.0) -> Color:
    """Return a colour that is written as `#RRGGBB`."""
    red, green, blue = bytes.fromhex(rgb.removeprefix("#"))
    return Color(r=red / 255, g=green / 255, b=blue / 255, a=alpha)


def _frame_of(actor: int) -> str:
    return f"actor/{actor}"


def _label(actor: int, life: Life | None) -> str:
    if life is None:
        return str(actor)
    return _text(f"{actor} {short_blueprint(life.blueprint)} {life.role_name}".strip())


def _text(text: str) -> str:
    """A text that UTF-8 has."""
    return text.encode(errors="backslashreplace").decode()
