"""Export to ASAM OSI: a message GroundTruth for each frame, and the road map, in MCAP as omega-prime reads it.

Positions are the centres of boxes; lengths are metres and angles radians in right-handed axes (y mirrored), which are
those of OpenDRIVE. Times begin with the recording; the date in its header is the zero time of the file's metadata. Of
frames with the same time the last one is written, since an object has one state at a time. An id is one road user that
is there without a gap: what comes back has a new one, and tells its actor by `source_reference`. What is not known of
its motion, as that of an actor in a single frame, is 0. Needs the extra `[osi]`.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

import google.protobuf
import numpy as np
from mcap_protobuf.schema import register_schema

from ..arrays import IntArray, StructuredArray, row_type, run_starts
from ..edits.blueprints import kind_of
from ..format import VEHICLE_LIGHTS
from ..progress import SILENT, Progress
from ..reading import Actors, Life, Subset, Tracks
from ..reading.motion import keys_of, last_in_frame
from ..reading.osi_types import osi_type
from ..recording import Snapshot, atomic_write
from ..texts import say
from .contents import Contents, channel_contents
from .export_format import ExportError
from .mcap_file import McapFile
from .mcap_template import Template, mark_stamp
from .mcap_values import log_times, utf8_text
from .osi_schema import GROUND_TRUTH_TOPIC, MAP_TOPIC, VERSION, enumeration, message_class
from .tables.objects import ObjectChoices, objects_table
from .tables.values import Values, numbers_of

if TYPE_CHECKING:
    from mcap.writer import Writer

_CHUNK = 16 << 20
_SAMPLE = 64  # frames, by which the size is estimated
_GRID = 2.0**20
"""Steps in a metre, a radian, a metre a second: errors are below 1e-6, and what is left compresses well."""
_NO_LIGHTS = -1
"""Stands for the lights of an actor of which none are recorded."""

_TRACE = "net.asam.osi.trace"
"""The name of the metadata of a file, and the beginning of the names of those of a channel, by ASAM's specification of
trace files."""

_FACTS = {"road users": "Road users of a recording of CARLA", "road map": "The road map that they are on"}
"""What is in a file, for its metadata."""

_SOURCE = "org.carla"
"""The type of references to actors of the simulator."""

_LIGHTS = {"head_light": "LowBeam", "high_beam": "HighBeam", "front_fog_light": "Fog", "reversing_light": "Reverse"}
"""Lights of OSI that are on or off, by the field, as the simulator names them."""

_COLUMNS = {
    "dimension": {"length": "length", "width": "width", "height": "height"},
    "position": {"x": "x", "y": "y", "z": "z"},
    "orientation": {"roll": "roll", "pitch": "pitch", "yaw": "yaw"},
    "velocity": {"x": "vel_x", "y": "vel_y", "z": "vel_z"},
    "acceleration": {"x": "acc_x", "y": "acc_y", "z": "acc_z"},
    "orientation_rate": {"yaw": "yaw_rate"},
}
"""The columns of road users by the parts of `BaseMoving`, in the order of the numbers of the fields."""

_MOTION = tuple(column for columns in _COLUMNS.values() for column in columns.values())
_STATE: Final = row_type("frame:i8 index:i8 life:i4 actor:u4 " + " ".join(_MOTION))
"""A road user in a frame: the frame in the recording, its number among those that are written, and the columns of
the table of objects."""


def write_osi(
    target: Path, snapshot: Snapshot, subset: Subset, progress: Progress = SILENT, *, overwrite: bool = False
) -> None:
    """Write the chosen road users and frames, atomically.

    Args:
        target: The file.
        snapshot: The state of the recording.
        subset: The chosen actors and frames.
        progress: Counts frames.
        overwrite: Whether a file that nothing makes again is replaced.

    Raises:
        WouldReplace: The file exists and has to stay.
        ExportError: The road map cannot be read any more.
        ScenarioError: Time is no number, goes back or is out of range.
        Cancelled: The user stopped it.
        OSError: It cannot be written, or the recording cannot be read.
    """
    export = _OsiExport(snapshot, subset, progress.quiet())
    with atomic_write(target, overwrite=overwrite) as stream:
        export.write(stream, progress)


def preview_osi(snapshot: Snapshot, subset: Subset, progress: Progress = SILENT) -> Contents:
    """Return the channels of the file, a row each, and its size by that of frames in the middle.

    Args:
        snapshot: As of `write_osi`.
        subset: As of `write_osi`.
        progress: As of `write_osi`.

    Raises:
        RecorderError: As `write_osi`.
        OSError: The recording cannot be read.
    """
    whole = _OsiExport(snapshot, subset, progress.quiet())
    first = max(0, len(subset.frames) // 2 - _SAMPLE // 2)
    part = Subset(subset.frames[first : first + _SAMPLE], subset.spans)
    sizes = []
    for frames in (part, Subset(part.frames[:1], part.spans)):
        stream = BytesIO()
        _OsiExport(snapshot, frames, progress.quiet()).write(stream, progress)
        sizes.append(len(stream.getvalue()))
    rows = [(GROUND_TRUTH_TOPIC, "osi3.GroundTruth", whole.frames)]
    if whole.has_map:
        rows.append((MAP_TOPIC, "osi3.MapAsamOpenDrive", 1))
    grown = max(0, sizes[0] - sizes[1]) * len(subset.frames) / len(part.frames)
    return channel_contents(rows, round(sizes[1] + grown))


class _OsiExport:
    """What is written of a recording.

    Attributes:
        frames: The number of frames that are written.
    """

    def __init__(self, snapshot: Snapshot, subset: Subset, progress: Progress) -> None:
        self._snapshot = snapshot
        self._subset = subset
        self._progress = progress
        chosen = np.array(subset.frames, np.int64)
        times = log_times(snapshot, chosen) - _start(snapshot) * 10**9
        is_last = np.append(np.diff(times) > 0, True)
        self._times = times[is_last]
        self._index = np.where(is_last, np.cumsum(is_last) - 1, -1)
        self._actors = Actors.of(snapshot, progress)
        self._map_name, self._map_text = _road_map(snapshot)
        hero = next((life for life in self._actors if life.is_hero and subset.holds(life)), None)
        self._host = None if hero is None else hero.actor
        self._ids = _TrackIds(self._actors, hero)
        self.frames = len(self._times)

    @property
    def has_map(self) -> bool:
        """Whether the road map goes into the file."""
        return bool(self._map_text)

    def write(self, stream: BinaryIO, progress: Progress) -> None:
        """Write the file."""
        file = McapFile(stream, _CHUNK)
        file.start(library="recorder-editor")
        file.add_metadata(_TRACE, self._facts())
        times = self._times.tolist()
        truth = _register(file, GROUND_TRUTH_TOPIC, "GroundTruth", _FACTS["road users"])
        if self._map_text:
            road_map = message_class("MapAsamOpenDrive")(
                map_reference=self._map_name, open_drive_xml_content=self._map_text
            )
            channel = _register(file, MAP_TOPIC, "MapAsamOpenDrive", _FACTS["road map"])
            file.add_messages([(channel, times[0], road_map.SerializeToString())])
        heads = self._heads()
        done = 0
        for objects in self._objects_of_frames(progress):
            messages = []
            for frame_objects in objects:
                messages.append((truth, times[done], heads[done] + frame_objects))
                done += 1
            file.add_messages(messages)
        file.finish()

    def _facts(self) -> dict[str, str]:
        """Return the metadata of the file, by ASAM's specification of trace files."""
        facts = {
            "version": VERSION,
            "min_osi_version": VERSION,
            "max_osi_version": VERSION,
            "min_protobuf_version": google.protobuf.__version__,
            "max_protobuf_version": google.protobuf.__version__,
            "description": _FACTS["road users"],
            "data_sources": f"CARLA ({self._snapshot.dialect.name})",
        }
        header = self._snapshot.header
        if header is not None and header.when is not None:
            facts["zero_time"] = header.when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return facts

    def _heads(self) -> list[bytes]:
        """Return what each message holds besides road users."""
        truth = message_class("GroundTruth")()
        major, minor, patch = map(int, VERSION.split("."))
        truth.version.version_major = major
        truth.version.version_minor = minor
        truth.version.version_patch = patch
        mark_stamp(truth.timestamp)
        if self._host is not None:
            truth.host_vehicle_id.value = self._host
        if self._map_name:
            truth.map_reference = self._map_name
        roads = self._snapshot.roads
        if roads is not None and roads.geo_reference:
            truth.proj_string = utf8_text(roads.geo_reference)
        return Template().rows(truth, self._times)

    # --- road users ---------------------------------------------------------------------------------------------

    def _objects_of_frames(self, progress: Progress) -> Iterator[list[bytes]]:
        """Yield the road users of the frames that are written, in portions: the bytes of those of each frame."""
        table = objects_table(self._snapshot, ObjectChoices(has_lanes=False))
        names = [column.path for column in table.columns]
        done = 0
        for block in table.read(self._subset, progress):
            columns = dict(zip(names, block.values, strict=True))
            states = self._states(columns, block.rows)
            if not len(states):
                continue
            stop = int(states["index"][-1]) + 1
            pieces: list[list[bytes]] = [[] for _ in range(done, stop)]
            for number, piece in zip(states["index"].tolist(), self._pieces(states), strict=True):
                pieces[number - done].append(piece)
            yield [b"".join(parts) for parts in pieces]
            done = stop
        yield [b""] * (self.frames - done)

    def _states(self, columns: Mapping[str, Values], rows: int) -> StructuredArray:
        """Return the road users of a block of the table that are written, dtype `_STATE`, by frame."""
        states = np.zeros(rows, _STATE)
        states["frame"] = numbers_of(columns["frame"]).astype(np.int64) - 1
        states["actor"] = numbers_of(columns["id"]).astype(np.uint32)
        states["life"] = self._actors.indices_of(states["actor"], states["frame"])
        first = self._subset.frames.start
        states["index"] = self._index[(states["frame"] - first) // self._subset.frames.step]
        is_sound = states["index"] >= 0
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is left out
            for name in _MOTION:
                states[name] = numbers_of(columns[name])
                if name not in _COLUMNS["dimension"]:
                    states[name] = np.rint(states[name] * _GRID) / _GRID
        for name in ("x", "y", "z", "yaw", "pitch", "roll"):
            is_sound &= np.isfinite(states[name])
        return states[is_sound]

    def _pieces(self, states: StructuredArray) -> list[bytes]:
        """Return each road user as a message GroundTruth that holds nothing else.

        Protobuf joins what is repeated, so a message is the sum of its parts.

        Args:
            states: The road users, dtype `_STATE`, by frame.
        """
        lights = self._lights(states)
        order = np.lexsort((states["index"], states["life"]))
        ids = self._ids.of(states["life"][order], states["index"][order])
        starts = run_starts(ids) | run_starts(lights[order])
        edges = np.append(np.flatnonzero(starts), len(order))
        pieces = [b""] * len(order)
        for start, stop in pairwise(edges.tolist()):
            chosen = order[start:stop]
            life = self._actors.lives[int(states["life"][chosen[0]])]
            messages = _messages(int(ids[start]), life, int(lights[chosen[0]]), states[chosen])
            for row, message in zip(chosen.tolist(), messages, strict=True):
                pieces[row] = message
        return pieces

    def _lights(self, states: StructuredArray) -> IntArray:
        """Return the bits of the lights of each road user, int64[n]; `_NO_LIGHTS` where none are recorded."""
        lights = np.full(len(states), _NO_LIGHTS, np.int64)
        frames = range(int(states["frame"][0]), int(states["frame"][-1]) + 1)
        recorded = last_in_frame(Tracks(self._snapshot).read("lights", self._subset.ids, frames))
        keys = keys_of(states["frame"], states["actor"])
        _, rows, found = np.intersect1d(
            keys, keys_of(recorded["frame"], recorded["id"]), assume_unique=True, return_indices=True
        )
        lights[rows] = recorded["lights"][found]
        return lights


class _TrackIds:
    """The ids of road users in a file: that of the actor, and others where it comes back or the id is used again."""

    def __init__(self, actors: Actors, hero: Life | None) -> None:
        self._actors = actors
        self._last = np.full(len(actors), -2, np.int64)
        self._current = np.zeros(len(actors), np.int64)
        self._next = max((life.actor for life in actors), default=0) + 1
        self._begun: set[int] = set()
        self._owners: dict[int, int] = {}
        if hero is not None:
            self._owners[hero.actor] = hero.index

    def of(self, lives: IntArray, index: IntArray) -> IntArray:
        """Return the id of each road user, int64[n].

        Args:
            lives: The index of the life of each, int[n]; those of a life stand together.
            index: The number of the frame of each, rising within a life and from call to call, int64[n].
        """
        before = np.append(-2, index[:-1])
        is_first = run_starts(lives)
        before[is_first] = self._last[lives[is_first]]
        begins = np.flatnonzero(is_first | (index != before + 1))
        ids = np.zeros(len(lives), np.int64)
        edges = np.append(begins, len(lives)).tolist()
        for start, stop in pairwise(edges):
            life = int(lives[start])
            if index[start] != before[start] + 1:
                self._current[life] = self._new_id(life)
            ids[start:stop] = self._current[life]
        self._last[lives] = index
        return ids

    def _new_id(self, life: int) -> int:
        actor = self._actors.lives[life].actor
        if life not in self._begun and self._owners.setdefault(actor, life) == life:
            self._begun.add(life)
            return actor
        self._begun.add(life)
        self._next += 1
        return self._next - 1


def _messages(id: int, life: Life, lights: int, states: StructuredArray) -> list[bytes]:
    """Return the messages of one road user with the same lights, one for each state."""
    truth = message_class("GroundTruth")()
    thing = truth.moving_object.add()
    thing.id.value = id
    kind = osi_type(kind_of(life), life.blueprint)
    thing.type = enumeration("MovingObject.Type")[f"TYPE_{kind.type}"]
    if kind.subtype:
        types = enumeration("MovingObject.VehicleClassification.Type")
        roles = enumeration("MovingObject.VehicleClassification.Role")
        thing.vehicle_classification.type = types[f"TYPE_{kind.subtype}"]
        thing.vehicle_classification.role = roles[f"ROLE_{kind.role}"]
        if lights != _NO_LIGHTS:
            _put_lights(thing.vehicle_classification.light_state, lights)
    thing.model_reference = utf8_text(life.blueprint)
    source = thing.source_reference.add(type=_SOURCE)
    source.identifier.append(f"actor:{life.actor}")
    if life.role_name:
        source.identifier.append(utf8_text(f"role:{life.role_name}"))
    template = Template()
    for part, columns in _COLUMNS.items():
        message = getattr(thing.base, part)
        message.SetInParent()
        for field, column in columns.items():
            template.put(message, field, np.nan_to_num(states[column], posinf=0.0, neginf=0.0))
    return template.rows(truth, np.zeros(len(states), np.int64))


def _put_lights(state: Any, lights: int) -> None:
    """Put the lights of a vehicle into its message."""
    names = {name for bit, name in VEHICLE_LIGHTS.items() if lights & bit}
    values = enumeration("MovingObject.VehicleClassification.LightState.GenericLightState")
    for field, name in _LIGHTS.items():
        setattr(state, field, values["GENERIC_LIGHT_STATE_ON" if name in names else "GENERIC_LIGHT_STATE_OFF"])
    brakes = enumeration("MovingObject.VehicleClassification.LightState.BrakeLightState")
    state.brake_light_state = brakes["BRAKE_LIGHT_STATE_NORMAL" if "Brake" in names else "BRAKE_LIGHT_STATE_OFF"]
    is_left = "LeftBlinker" in names
    is_right = "RightBlinker" in names
    indicators = enumeration("MovingObject.VehicleClassification.LightState.IndicatorState")
    if is_left and is_right:
        state.indicator_state = indicators["INDICATOR_STATE_WARNING"]
    elif is_left:
        state.indicator_state = indicators["INDICATOR_STATE_LEFT"]
    elif is_right:
        state.indicator_state = indicators["INDICATOR_STATE_RIGHT"]
    else:
        state.indicator_state = indicators["INDICATOR_STATE_OFF"]


def _start(snapshot: Snapshot) -> int:
    """Return the second since 1970 that `log_times` begins with."""
    header = snapshot.header
    if header is None or header.when is None:
        return 0
    return header.date


def _register(file: McapFile, topic: str, name: str, description: str) -> int:
    """Register a channel of messages of OSI, and return its number."""
    # What registers a schema needs no more of a writer than a method of that name.
    schema = register_schema(cast("Writer", file), message_class(name))
    metadata = {
        f"{_TRACE}.channel.osi_version": VERSION,
        f"{_TRACE}.channel.protobuf_version": google.protobuf.__version__,
        f"{_TRACE}.channel.description": description,
    }
    return file.register_channel(topic, "protobuf", schema, metadata)


def _road_map(snapshot: Snapshot) -> tuple[str, str]:
    """Return the name and the text of the road map; its text is empty without one.

    Raises:
        ExportError: It is not in UTF-8.
        OSError: It cannot be read.
    """
    file = snapshot.road_file
    if file is None:
        header = snapshot.header
        if header is None or not isinstance(header.map_name, str):
            return "", ""
        return header.map_name, ""
    try:
        return utf8_text(file.stem), file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ExportError(
            say("{name} is not in UTF-8, as a road map in an OSI file has to be. Save it so first.", name=file.name)
        ) from None
