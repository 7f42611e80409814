"""Export to MCAP, for Foxglove and other viewers of robots: boxes, frames, poses, signals and events.

Foxglove's schemas in protobuf; lengths are metres in right-handed axes (y mirrored). Messages about the same actors in
consecutive frames differ in numbers only and are made of one template. Needs the extra `[mcap]`.
"""

import json
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
from mcap_protobuf.schema import register_schema

from ..arrays import AnyArray, BoolArray, FloatArray, IntArray, StructuredArray, run_starts
from ..format import VEHICLE_LIGHTS
from ..progress import SILENT, Progress
from ..reading import Actors, Life, Subset, Tracks
from ..reading.actors import EVENT_KINDS, NO_ACTOR
from ..reading.events import Events
from ..reading.motion import last_in_frame
from ..recording import Snapshot, atomic_write
from ..roads import DRIVABLE, LANE_TYPES, RoadMap
from .contents import Contents, channel_contents
from .mcap_file import McapFile
from .mcap_log import TRAFFIC, event_entry, label_of, log_entry, stamp_of
from .mcap_template import Template, mark_stamp
from .mcap_values import log_times, utf8_text
from .openscenario import box_of, category_of
from .signals import Signal

if TYPE_CHECKING:
    from mcap.writer import Writer

_CHUNK = 16 << 20  # larger ones compress better
_WINDOW = 8 << 20  # bytes of a recording of which positions are read together
_SAMPLE = 64  # frames, by which the size is estimated
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

_Triple = tuple[float, float, float]
"""A point or a size, m."""

_LIGHTS = (_RED_LAMP, _YELLOW_LAMP, _GREEN_LAMP)
"""The colours of states of traffic lights, from 0 on."""


class McapStyle(NamedTuple):
    """How an MCAP file is written.

    Attributes:
        signals: The signals that it holds.
        all_poses: Poses are written in every frame, not each second.
        traffic: The traffic events that it holds; None: none, and no channel of them.
    """

    signals: Sequence[Signal] = ()
    all_poses: bool = False
    traffic: Events | None = None


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


def preview_mcap(snapshot: Snapshot, subset: Subset, style: McapStyle, progress: Progress = SILENT) -> Contents:
    """Return the channels of the file, a row each, and its size by that of frames in the middle.

    Args:
        snapshot: As of `write_mcap`.
        subset: As of `write_mcap`.
        style: As of `write_mcap`.
        progress: As of `write_mcap`.

    Raises:
        RecorderError: As `write_mcap`.
        OSError: The recording cannot be read.
    """
    whole = _McapExport(snapshot, subset, style, progress.quiet())
    first = max(0, len(subset.frames) // 2 - _SAMPLE // 2)
    stream = BytesIO()
    part = Subset(subset.frames[first : first + _SAMPLE], subset.spans)
    _McapExport(snapshot, part, style, progress.quiet()).write(stream, progress)
    rows = []
    for topic, (kind, count) in whole.channels.items():
        rows.append((topic, kind.DESCRIPTOR.full_name, count))
    size = round(len(stream.getvalue()) * len(subset.frames) / len(part.frames))
    return channel_contents(rows, size)


class _McapExport:
    """What is written of a recording.

    Attributes:
        channels: Message class and number of messages, by topic.
    """

    def __init__(self, snapshot: Snapshot, subset: Subset, style: McapStyle, progress: Progress) -> None:
        self._snapshot = snapshot
        self._subset = subset
        self._tracks = Tracks(snapshot)
        self._actors = Actors.of(snapshot, progress)
        self._frames = np.array(subset.frames, np.int64)
        self._times = log_times(snapshot, self._frames)
        self._signals: dict[str, dict[str, FloatArray]] = {}
        for signal in style.signals:
            topic = "/signals" if signal.actor is None else f"/signals/{signal.actor}"
            self._signals.setdefault(topic, {})[signal.name] = signal.at(self._frames)
        self._written: dict[str, list[bool]] = {"/poses": (run_starts(self._times // 10**9) | style.all_poses).tolist()}
        for topic, signals in self._signals.items():
            has_value = ~np.isnan(np.array(list(signals.values())))
            self._written[topic] = has_value.any(axis=0).tolist()
        self._events = self._find_events()
        self._traffic = self._find_traffic(style.traffic)
        self.channels: dict[str, tuple[Any, int]] = {}
        for topic, kind in (("/scene", SceneUpdate), ("/tf", FrameTransforms), ("/poses", PosesInFrame)):
            messages = sum(self._written.get(topic, ())) or len(self._frames)
            self.channels[topic] = (kind, messages)
        for topic, signals in self._signals.items():
            self.channels[topic] = (_signals_class(signals), sum(self._written[topic]))
        self.channels[_EVENTS] = (Log, sum(map(len, self._events.values())))
        if style.traffic is not None:
            self.channels[TRAFFIC] = (Log, sum(map(len, self._traffic.values())))
        if snapshot.roads is not None:
            self.channels["/map"] = (SceneUpdate, 1)

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
        ids = {}
        for topic, (kind, _) in self.channels.items():
            ids[topic] = file.register_channel(topic, "protobuf", schemas[kind])
        if self._snapshot.roads is not None:
            file.add_messages([(ids["/map"], int(self._times[0]), _map_lines(self._snapshot.roads))])
        scene = _Scene(self._actors)
        done = 0
        for block in self._blocks(scene):
            file.add_messages(self._messages(block, done, ids))
            done += block.frames
            progress.update(done, len(self._frames))
        file.finish()

    def _messages(self, block: "_Block", first: int, ids: Mapping[str, int]) -> Iterator[tuple[int, int, bytes]]:
        """Yield channel, time and data of the messages of a block.

        Args:
            block: The block.
            first: Index of its first frame among the chosen ones.
            ids: Numbers of the channels, by topic.
        """
        times = self._times[first : first + block.frames].tolist()
        columns = []
        for topic, messages in block.rows.items():
            columns.append((ids[topic], messages, self._written.get(topic)))
        for row, scene in enumerate(block.scenes):
            time = times[row]
            for event in self._events.get(first + row, ()):
                yield ids[_EVENTS], time, event
            for event in self._traffic.get(first + row, ()):
                yield ids[TRAFFIC], time, event
            yield ids["/scene"], time, scene
            for channel, messages, is_written in columns:
                if is_written is None or is_written[first + row]:
                    yield channel, time, messages[row]

    def _facts(self) -> dict[str, str]:
        """Return what the header says, and how to read the numbers."""
        header = self._snapshot.header
        frames = self._subset.frames
        facts: dict[str, object] = {}
        if header is not None:
            facts["map"] = header.map_name
            facts["date"] = header.when
            facts["version"] = header.version
        facts["frames"] = len(frames)
        facts["first_frame"] = frames[0] + 1
        facts["dialect"] = self._snapshot.dialect.name
        facts.update(_FACTS)
        return {name: utf8_text(str(value)) for name, value in facts.items()}

    def _find_events(self) -> dict[int, list[bytes]]:
        """Return events, contacts and notes as log entries, by the chosen frame at which they are written."""
        events: dict[int, list[bytes]] = {}
        for frame, kind, text in sorted(self._event_texts()):
            index = self._written_at(frame)
            if index is not None:
                level = _LEVELS.get(kind, Log.DEBUG)
                entry = log_entry(int(self._times[index]), level, name=kind, message=text)
                events.setdefault(index, []).append(entry)
        return events

    def _written_at(self, frame: int) -> int | None:
        """Return the number of the chosen frame at which a log entry of a frame is written; None outside of them."""
        if self._frames[0] <= frame <= self._frames[-1]:
            return int(self._frames.searchsorted(frame))
        return None

    def _find_traffic(self, events: Events | None) -> dict[int, list[bytes]]:
        """Return traffic events as log entries, by the chosen frame at which they are written."""
        found: dict[int, list[bytes]] = {}
        if events is None:
            return found
        for row, frame in enumerate(events.table["worst"].tolist()):
            index = self._written_at(frame)
            if index is not None:
                found.setdefault(index, []).append(event_entry(events, row, int(self._times[index])))
        return found

    def _event_texts(self) -> list[tuple[int, str, str]]:
        """Return frame, kind and text of events, contacts and notes."""
        actors = self._actors
        texts: list[tuple[int, str, str]] = []
        for frame, actor, kind in actors.events[["frame_index", "actor", "kind"]].tolist():
            if EVENT_KINDS[kind] != "collision":
                texts.append((frame, EVENT_KINDS[kind], self._name(actor, frame)))
        for frame, actor1, actor2 in actors.contacts[["first", "actor1", "actor2"]].tolist():
            names = [self._name(actor1, frame), self._name(actor2, frame)]
            texts.append((frame, "collision", " - ".join(filter(None, names))))
        for note in self._snapshot.context.notes:
            if note.frames:
                texts.append((note.start, "note", note.text))
        return texts

    def _name(self, actor: int, frame: int) -> str:
        """Return the label of an actor by its life at a frame, or its last one; empty for what is no actor."""
        if not 0 <= actor < NO_ACTOR:
            return ""
        life = self._actors.at(actor, frame)
        if life is None:
            life = next(reversed(self._actors.of_id(actor)), None)
        return label_of(actor, life)

    def layout(self) -> dict[str, Any]:
        """Return the layout of Foxglove's panels: the scene, following the first hero, its signals and the events."""
        followed = _MAP
        for life in self._actors:
            if life.is_hero and self._subset.holds(life):
                followed = _frame_of(life.actor)
                break
        paths = []
        for topic, names in self._signals.items():
            for name in names:
                paths.append({"value": f"{topic}.{name}", "enabled": True, "timestampMethod": "receiveTime"})
        return _layout(followed, paths[:_PLOTTED])

    # --- blocks of frames ---------------------------------------------------------------------------------------

    def _read(self, track: str, frames: range) -> "_Rows":
        """Return the chosen records of a track; of several of an actor in a frame the last."""
        records = last_in_frame(self._tracks.read(track, self._subset.ids, frames))
        records = records[self._subset.mask(records["id"], records["frame"])]
        if track == "positions":
            records = records[np.isfinite(_poses(records)).all(axis=1)]
        ends = np.ascontiguousarray(records["frame"]).searchsorted(np.array(frames), "right")
        return _Rows(records, np.concatenate(([0], ends[:-1], [len(records)])))

    def _blocks(self, scene: "_Scene") -> Iterator["_Block"]:
        """Yield frames with the same actors, in windows of frames that are read together."""
        window = max(1, _WINDOW * len(self._snapshot) // max(1, self._snapshot.size))
        for begin in range(0, len(self._frames), window):
            frames = self._subset.frames[begin : begin + window]
            positions = self._read("positions", frames)
            lights = self._read("lights", frames)
            states = self._read("states", frames)
            times = self._times[begin : begin + window]
            scenes = scene.updates(frames, times, positions=positions, lights=lights, states=states)
            edges = np.append(np.flatnonzero(positions.changes("id")), len(frames))
            for first, stop in pairwise(edges.tolist()):
                ids = positions.of(first)["id"].tolist()
                part = slice(begin + first, begin + stop)
                poses = _poses(positions.of(first, stop)).reshape(stop - first, len(ids), 7)
                rows = _pose_messages(ids, poses, self._times[part])
                for topic, signals in self._signals.items():
                    template = Template()
                    message = self.channels[topic][0]()
                    for name, values in signals.items():
                        template.put(message, name, values[part])
                    rows[topic] = template.rows(message, self._times[part])
                yield _Block(stop - first, islice(scenes, stop - first), rows)


class _Rows:
    """The records of a track in neighbouring frames.

    Attributes:
        table: All of them, by frame.
    """

    def __init__(self, table: StructuredArray, edges: IntArray) -> None:
        """Take the records.

        Args:
            table: The records, by frame.
            edges: Where the rows of each frame begin, and the end of the last ones, int64[frames + 1].
        """
        self.table = table
        self._edges = edges

    def of(self, first: int, stop: int | None = None) -> StructuredArray:
        """Return the rows of some frames.

        Args:
            first: Index of the first frame among those of the table.
            stop: Index of the frame behind the last one; None: one frame.
        """
        if stop is None:
            stop = first + 1
        return self.table[self._edges[first] : self._edges[stop]]

    def changes(self, *columns: str | AnyArray) -> BoolArray:
        """Return the frames that differ from the one before in these columns, and the first one, bool[frames].

        Args:
            columns: Columns of the table by name, or values for each of its rows.
        """
        counts = np.diff(self._edges)
        changed = run_starts(counts)
        frames = np.repeat(np.arange(len(counts)), counts)
        rows = np.flatnonzero(~changed[frames])  # in frames with as many rows as the one before
        rows_before = rows - counts[frames[rows]]
        for column in columns:
            values = self.table[column] if isinstance(column, str) else column
            differs = values[rows] != values[rows_before]
            changed[frames[rows[differs]]] = True
        return changed


class _Block(NamedTuple):
    """Frames with the same actors.

    Attributes:
        frames: Their number.
        scenes: A SceneUpdate for each.
        rows: A message for each, by topic.
    """

    frames: int
    scenes: Iterator[bytes]
    rows: Mapping[str, Sequence[bytes]]


def _signals_class(names: Iterable[str]) -> Any:
    """Return the class of messages with these numbers."""
    file = FileDescriptorProto(name="recorder_editor/signals.proto", package="recorder_editor", syntax="proto3")
    message = file.message_type.add(name="Signals")
    for number, name in enumerate(names, 1):
        message.field.add(name=name, number=number, type=FieldDescriptorProto.TYPE_DOUBLE)
    pool = DescriptorPool()
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("recorder_editor.Signals"))


# --- poses ------------------------------------------------------------------------------------------------------


def _poses(positions: StructuredArray) -> FloatArray:
    """Return positions (m) and quaternions (x, y, z, w) in right-handed axes, float64[n, 7]."""
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is left out
        x, y, z, roll, pitch, yaw = (positions[name].astype(np.float64) for name in _POSE)
        # The quaternion of rotations about x, y and z, in right-handed axes, by sine and cosine of half the angles.
        halves = np.radians((roll, -pitch, -yaw)) / 2
        sr, sp, sy = np.sin(halves)
        cr, cp, cy = np.cos(halves)
        quaternion = (
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        )
        metres = np.rint(np.stack((x, -y, z), axis=-1) / 100 * _GRID) / _GRID
        rotation = np.rint(np.stack(quaternion, axis=-1) * _TURNS) / _TURNS
        return np.concatenate((metres, rotation), axis=-1) + 0.0  # turns minus zero into zero


def _pose_messages(ids: list[int], poses: FloatArray, times: IntArray) -> dict[str, list[bytes]]:
    """Return the transforms and poses of actors, by topic.

    Args:
        ids: Ids of the actors.
        poses: As of `_poses`, float64[frames, actors, 7].
        times: Times of the frames, ns, int64[frames].
    """
    transforms = FrameTransforms()
    transform_template = Template()
    poses_message = PosesInFrame(frame_id=_MAP)
    mark_stamp(poses_message.timestamp)
    pose_template = Template()
    for index, actor in enumerate(ids):
        transform = transforms.transforms.add(parent_frame_id=_MAP, child_frame_id=_frame_of(actor))
        mark_stamp(transform.timestamp)
        _put_pose(transform_template, transform.translation, transform.rotation, poses[:, index])
        pose = poses_message.poses.add()
        _put_pose(pose_template, pose.position, pose.orientation, poses[:, index])
    return {"/tf": transform_template.rows(transforms, times), "/poses": pose_template.rows(poses_message, times)}


def _put_pose(template: Template, place: Any, rotation: Any, poses: FloatArray) -> None:
    """Put the poses of one actor, float64[frames, 7], in two parts of a message."""
    place.SetInParent()
    for column, field in enumerate(("x", "y", "z")):
        template.put(place, field, poses[:, column])
    for column, field in enumerate(("x", "y", "z", "w"), 3):
        template.put(rotation, field, poses[:, column])


# --- the scene --------------------------------------------------------------------------------------------------


class _Scene:
    """The boxes, lights and collisions of frames; what stays as it was has the same bytes."""

    def __init__(self, actors: Actors) -> None:
        self._actors = actors
        self._hits: dict[int, set[int]] = {}
        for frame, actor1, actor2 in actors.collisions[["frame_index", "actor1", "actor2"]].tolist():
            self._hits.setdefault(frame, set()).update((actor1, actor2))
        self._box = lru_cache(1 << 14)(self._make_box)
        self._key: tuple[Any, ...] = ()
        self._names: set[str] = set()
        self._entities = b""

    def updates(
        self, frames: range, times: IntArray, positions: _Rows, lights: _Rows, states: _Rows
    ) -> Iterator[bytes]:
        """Yield the SceneUpdate of each frame.

        Args:
            frames: Indices of the frames.
            times: Their times, ns, int64[frames].
            positions: The records of Position in them.
            lights: Those of lights of vehicles.
            states: Those of states of traffic lights.
        """
        lives = self._actors.indices_of(positions.table["id"], positions.table["frame"])
        changed = positions.changes("id", lives) | lights.changes("id", "lights") | states.changes("id", "state")
        is_hit = np.isin(np.array(frames), np.array(list(self._hits), np.int64))
        changed |= is_hit
        changed[1:] |= is_hit[:-1]
        for index, is_changed in enumerate(changed.tolist()):
            if is_changed:
                yield self._update(
                    frame=frames[index],
                    time=int(times[index]),
                    positions=positions.of(index),
                    lights=lights.of(index),
                    states=states.of(index),
                )
            else:
                yield self._entities

    def _update(
        self, frame: int, time: int, positions: StructuredArray, lights: StructuredArray, states: StructuredArray
    ) -> bytes:
        """Return the SceneUpdate of a frame: deletions of gone actors, entities of present ones."""
        hits = self._hits.get(frame, set())
        lives = self._actors.indices_of(positions["id"], positions["frame"])
        columns = (positions["id"], lives, lights["id"], lights["lights"], states["id"], states["state"])
        key = (tuple(column.tobytes() for column in columns), frozenset(hits))
        if key == self._key:
            return self._entities
        light_bits = dict(zip(lights["id"].tolist(), lights["lights"].tolist(), strict=True))
        entities = {}
        for actor, life_index in zip(positions["id"].tolist(), lives.tolist(), strict=True):
            entities[_frame_of(actor)] = self._box(actor, life_index, light_bits.get(actor, 0), actor in hits)
        for actor, state in zip(states["id"].tolist(), states["state"].tolist(), strict=True):
            life = self._actors.at(actor, frame)
            if life is not None:
                entities[f"light/{actor}"] = _traffic_light(life, state)
        gone = []
        for name in sorted(self._names - entities.keys()):
            gone.append(SceneEntityDeletion(id=name, timestamp=stamp_of(time)))
        self._key = key
        self._names = set(entities)
        self._entities = b"".join(entities.values())
        # Protobuf joins what is repeated, so a message is the sum of its parts.
        removed: bytes = SceneUpdate(deletions=gone).SerializeToString()
        return removed + self._entities

    def _make_box(self, actor: int, index: int, lights: int, is_hit: bool) -> bytes:
        """Return an actor in its own frame of reference, as a SceneUpdate: its box, arrow, label, lights and collision.

        Args:
            actor: Its id.
            index: Index of its life; -1: it has none.
            lights: The bits of its lights.
            is_hit: Whether it collides.
        """
        life = self._actors.lives[index] if index >= 0 else None
        category = "none" if life is None else category_of(life)
        centre, size = box_of(category, self._actors.boxes.get(index))
        length, width, _ = size
        entity = _entity(_frame_of(actor), _frame_of(actor))
        lit = [name for bit, name in VEHICLE_LIGHTS.items() if lights & bit]
        if lit and life is not None:
            entity.metadata.add(key="lights", value=" ".join(lit))
        box_color = _COLLISION_COLOR if is_hit else _box_color(life)
        _place(entity.cubes.add(color=_color(box_color, 0.8)), centre, size)
        _add_arrow_and_label(entity, label_of(actor, life), centre, size)
        for name in lit:
            if name in _LAMPS:
                ahead, left, lamp_color = _LAMPS[name]
                for x, y in product(ahead, left):
                    place = (centre[0] + x * length / 2, centre[1] + y * width / 2, centre[2])
                    _place(entity.spheres.add(color=_color(lamp_color)), place, (width / 8,) * 3)
        if not is_hit:
            return _scene_of(entity)
        mark = _entity(f"collision/{actor}", _frame_of(actor))
        mark.lifetime.seconds = 1
        _place(mark.spheres.add(color=_color(_COLLISION_COLOR, 0.4)), centre, (1.2 * length,) * 3)
        return _scene_of(entity, mark)


def _add_arrow_and_label(entity: SceneEntity, text: str, centre: _Triple, size: _Triple) -> None:
    """Add an arrow forwards at the top of a box, and its label above.

    Args:
        entity: The entity of the box.
        text: The label.
        centre: Centre of the box, m.
        size: Length, width and height of the box, m.
    """
    length, width, height = size
    x, y, z = centre
    top = z + height / 2
    arrow = entity.arrows.add(color=_BLACK, shaft_length=length / 4, head_length=length / 4)
    arrow.shaft_diameter = width / 8
    arrow.head_diameter = width / 3
    _place(arrow, (x, y, top))
    label = entity.texts.add(billboard=True, font_size=12, scale_invariant=True, color=_BLACK)
    label.text = text
    _place(label, (x, y, top + 0.5))


def _traffic_light(life: Life, state: int) -> bytes:
    x, y, z = life.transform[:3]  # centimetres
    entity = _entity(f"light/{life.actor}", _MAP)
    color = _LIGHTS[state] if 0 <= state < len(_LIGHTS) else _LAMP_OFF
    _place(entity.spheres.add(color=_color(color)), (x / 100, -y / 100, z / 100 + 4), (1.0, 1.0, 1.0))
    return _scene_of(entity)


def _map_lines(roads: RoadMap) -> bytes:
    """Return the borders of all lanes: those that vehicles drive on, and the others."""
    samples = roads.sample(tolerance=0.05)
    edges = np.rint(roads.edges(samples["lane"], samples["s"]) * (1, -1, 1) * _GRID) / _GRID
    rows = np.flatnonzero(~run_starts(samples["lane"])[1:])  # that are followed by a point of the same lane
    lines = np.stack((edges[rows], edges[rows + 1]), axis=2)
    drivable_types = [LANE_TYPES.index(name) for name in DRIVABLE]
    is_drivable = np.isin(roads.lanes["type"][samples["lane"][rows]], drivable_types)
    entity = _entity("lanes", _MAP)
    for chosen, border_color in ((is_drivable, _DRIVABLE_BORDER), (~is_drivable, _OTHER_BORDER)):
        line = entity.lines.add(type=LinePrimitive.LINE_LIST, thickness=0.1, color=_color(border_color))
        line.pose.orientation.w = 1
        line.points.extend(Point3(x=x, y=y, z=z) for x, y, z in lines[chosen].reshape(-1, 3).tolist())
    return _scene_of(entity)


def _scene_of(*entities: SceneEntity) -> bytes:
    message: bytes = SceneUpdate(entities=entities).SerializeToString()
    return message


def _entity(name: str, frame: str) -> SceneEntity:
    """Return an entity that moves with its frame of reference."""
    return SceneEntity(id=name, frame_id=frame, frame_locked=True)


def _place(part: Any, place: _Triple, size: _Triple | None = None) -> None:
    """Give a part of an entity its position and, if it has one, its size, m."""
    part.pose.position.x, part.pose.position.y, part.pose.position.z = place
    part.pose.orientation.w = 1
    if size is not None:
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
