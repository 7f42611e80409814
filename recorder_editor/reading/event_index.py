"""Index of event packets: actors created and destroyed, attachments, collisions, lasting settings.

These packets are empty in almost every frame, and the layouts of the frame table show in which they are not, so that
few rows are read. The events of a chunk of the table are cached for later states that share the chunk. `lives` builds
lives from them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

import numpy as np

from ..arrays import IndexArray, StructuredArray
from ..format import MAX_RECORDS, PACKET_HEADER, Body, Dialect, PacketType, decode
from ..format.schema import Run
from ..progress import Progress
from ..recording.frames import LARGEST_FRAME, RAW, Layouts
from ..recording.layout_filter import LayoutFilter
from ..recording.packet_headers import read_headers
from ..recording.snapshot import Snapshot
from ..texts import N_count, Plural

MAX_ADDED = 250_000
"""Largest number of EventAdd records that are read; further ones are ignored."""

MAX_BYTES = 64 << 20
"""The limit for each other packet type: bytes in memory."""

MAX_ATTRIBUTES = 500_000
"""Largest number of attributes in memory, those of equal actors counted once: each takes hundreds of bytes, in a file
five.
"""

_ADDED = (
    "id",
    "type",
    "location.x",
    "location.y",
    "location.z",
    "rotation.roll",
    "rotation.pitch",
    "rotation.yaw",
    "uid",
)
"""The fields of `Added` in an EventAdd record."""

_NO_RECORD = np.dtype([("id", "<u4")])

_OVERHEAD = 256  # what Python spends on a packet, beside its bytes
_CHECKED_EVERY = 256

ActorClass = Literal[
    "vehicle", "two-wheeler", "walker", "traffic light", "traffic sign", "prop", "sensor", "spectator", "other"
]
CLASSES: tuple[ActorClass, ...] = get_args(ActorClass)
"""The classes of actors, in the order of lists."""

CLASS_COUNTS: Mapping[str, Plural] = {
    "other": N_count("1 other", "{count:,} others"),
    "prop": N_count("1 prop", "{count:,} props"),
    "sensor": N_count("1 sensor", "{count:,} sensors"),
    "spectator": N_count("1 spectator", "{count:,} spectators"),
    "traffic light": N_count("1 traffic light", "{count:,} traffic lights"),
    "traffic sign": N_count("1 traffic sign", "{count:,} traffic signs"),
    "two-wheeler": N_count("1 two-wheeler", "{count:,} two-wheelers"),
    "vehicle": N_count("1 vehicle", "{count:,} vehicles"),
    "walker": N_count("1 walker", "{count:,} walkers"),
}
"""How many actors of a class there are."""

_BY_GROUP: Mapping[str, ActorClass] = {
    "vehicle": "vehicle",
    "walker": "walker",
    "sensor": "sensor",
    "spectator": "spectator",
    "traffic": "traffic sign",
    "static": "prop",
    "controller": "other",
}
_BY_TYPE: Mapping[str, ActorClass] = {name.title().replace(" ", ""): name for name in CLASSES}
"""The classes by the first part of a blueprint, and by the type as the format names it: `TrafficLight`."""


class Attribute(NamedTuple):
    """One attribute of a blueprint; `type` is the number of the dialect (format reference 4.2).

    Bytes that are not UTF-8 are shown as `\xff`, here and in blueprints.
    """

    type: int
    id: str
    value: str


class Transform(NamedTuple):
    """A pose in the world, centimetres and degrees, as stored."""

    x: float
    y: float
    z: float
    roll: float
    pitch: float
    yaw: float


@dataclass(frozen=True, slots=True)
class Description:
    """The part of an EventAdd record without id, transform and uid; equal ones are stored once.

    Attributes:
        blueprint: The blueprint.
        attributes: The attributes, in file order.
        class_: The class of the actor.
        role_name: The role name, empty without one.
        colour: The actor's own colour as red, green, blue of 0 to 255, or None.
    """

    blueprint: str
    attributes: tuple[Attribute, ...]
    class_: ActorClass
    role_name: str
    colour: tuple[int, int, int] | None


Descriptions = dict[tuple[int, bytes], Description]
"""Descriptions by the type byte and the bytes from the blueprint on."""


class Added(NamedTuple):
    """One record of EventAdd."""

    actor: int
    type: int
    transform: Transform
    uid: int
    description: Description


class EventPacket(NamedTuple):
    """One packet with events.

    Attributes:
        packet: Its index in its row; FrameStart is 0.
        kind: The name of the packet.
        added: The records of an EventAdd.
        records: The complete records if they have one size, else the actor ids, u32; empty for a packet without
            actors, as lights and weather: its body is not read.
        dtype: The dtype of records of one size.
    """

    packet: int
    kind: str
    added: tuple[Added, ...] = ()
    records: bytes = b""
    dtype: np.dtype[np.void] | None = None

    @property
    def table(self) -> StructuredArray:
        """The records of one size by the paths of their fields; empty where they have none."""
        if self.dtype is None:
            return np.empty(0, _NO_RECORD)
        return np.frombuffer(self.records, self.dtype)

    @property
    def weight(self) -> int:
        """Its share of `MAX_ADDED` or `MAX_BYTES`."""
        if self.kind == "EventAdd":
            return len(self.added)
        return _OVERHEAD + len(self.records)


class EventRow(NamedTuple):
    """The event packets of one row, its number and the frames before it: in the chunk, or in the frame table."""

    row: int
    frame: int
    packets: tuple[EventPacket, ...]


Span = tuple[int, int, int]
"""(source, offset, size): its bytes never change, so that it is a cache key."""


@dataclass(frozen=True)
class ChunkEvents:
    """The events of one chunk of the frame table.

    Attributes:
        chunk: The rows of the chunk.
        frames: The number of frames in it.
        lines: The rows with events.
        spans: The places of these rows, in the same order.
        whole: Whether no limit was reached.
    """

    chunk: StructuredArray
    frames: int
    lines: tuple[EventRow, ...]
    spans: tuple[Span, ...]
    whole: bool

    def equals(self, page: "ChunkEvents") -> bool:
        """Whether events and their places are equal."""
        if self is page:
            return True
        if len(self.chunk) != len(page.chunk) or self.frames != page.frames:
            return False
        return self.lines == page.lines

    @cached_property
    def weights(self) -> Mapping[str, int]:
        """Its share of the limits, by packet type."""
        weights: Counter[str] = Counter()
        for line in self.lines:
            for event in line.packets:
                weights[event.kind] += event.weight
        return weights


class _Place(NamedTuple):
    """The place of the body of an event packet in a span."""

    packet: int
    kind: PacketType
    body: int
    size: int


class EventFilter:
    """Finds the layouts with event packets, and their rows, in one dialect. Thread-safe."""

    def __init__(self, dialect: Dialect, layouts: Layouts) -> None:
        self.dialect = dialect
        self._kinds: dict[int, PacketType] = {}
        for number, kind in dialect.packets.items():
            if kind.is_recorded_once and kind.body != "opaque":  # `bodies` finds these
                self._kinds[number] = kind
        self._layouts = layouts
        self._places: dict[int, tuple[_Place, ...]] = {}
        self._filter = LayoutFilter(lambda layout: bool(self._of_layout(layout)))

    def _of_layout(self, layout: int) -> tuple[_Place, ...]:
        """Return the event packets of a layout, which is read once."""
        if layout not in self._places:
            bodies = []
            for number, offset, size in self._layouts.get(layout).packets():
                bodies.append((number, offset + PACKET_HEADER.size, size))
            self._places[layout] = self._watched(bodies)
        return self._places[layout]

    def _watched(self, bodies: Iterable[tuple[int, int, int]]) -> tuple[_Place, ...]:
        """Return the event packets that are not empty among some: id, offset of the body and size of each."""
        places = []
        for index, (number, body, size) in enumerate(bodies):
            if size > 2 and number in self._kinds:
                places.append(_Place(index, self._kinds[number], body, size))
        return tuple(places)

    def rows(self, chunk: StructuredArray) -> IndexArray:
        """Return the rows of a chunk that may hold events."""
        return np.flatnonzero(self._filter.mask(chunk))

    def places(self, snapshot: Snapshot, layout: int, span: Span) -> tuple[_Place, ...]:
        """Return the event packets of a row that are not empty.

        Args:
            snapshot: The state of the recording.
            layout: The layout of the row, below 0 for none.
            span: The place of the row.
        """
        if layout >= 0:
            return self._of_layout(layout)
        source, offset, size = span
        return self._watched(read_headers(snapshot.store, source, offset, size))


class Reader:
    """Reads the events of chunks, and reuses those of an earlier state."""

    def __init__(
        self, snapshot: Snapshot, watch: EventFilter, earlier: tuple[ChunkEvents, ...], descriptions: Descriptions
    ) -> None:
        """Prepare what can be reused.

        Args:
            snapshot: The state of the recording.
            watch: Finds the rows with events.
            earlier: The events of an earlier state; empty for none.
            descriptions: Those of earlier states, to which new ones are added.
        """
        self._watch = watch
        self._snapshot = snapshot
        self._used: Counter[str] = Counter()
        self._whole = True
        self._room = MAX_ATTRIBUTES
        for description in descriptions.values():
            self._room -= len(description.attributes)
        self._descriptions = descriptions
        self._kept = {id(page.chunk): page for page in earlier}
        here = {id(chunk) for chunk in snapshot.table.chunks}
        self._spans: dict[Span, tuple[EventPacket, ...]] = {}
        for page in earlier:
            if id(page.chunk) not in here:
                for span, line in zip(page.spans, page.lines, strict=True):
                    self._spans[span] = line.packets

    def read(self, progress: Progress) -> tuple[ChunkEvents, ...]:
        """Return the events of all chunks.

        Args:
            progress: Counts chunks.

        Raises:
            Cancelled: The user stopped it.
        """
        chunks = self._snapshot.table.chunks
        pages: list[ChunkEvents] = []
        for done, chunk in enumerate(chunks):
            page = self._kept.get(id(chunk))
            if page is None:
                progress.update(done, len(chunks))
                page = self._page(chunk, progress)
            if page.weights:
                self._used.update(page.weights)
            pages.append(page)
        progress.update(len(chunks), len(chunks))
        return tuple(pages)

    def _page(self, chunk: StructuredArray, progress: Progress) -> ChunkEvents:
        """Read the events of one chunk."""
        rows = self._watch.rows(chunk)
        raw = np.flatnonzero(chunk["kind"] == RAW)
        frames = rows - raw.searchsorted(rows)  # that come before
        self._whole = True
        lines: list[EventRow] = []
        spans: list[Span] = []
        counted: Counter[str] = Counter()
        places = chunk[["source", "offset", "size", "layout", "kind"]][rows].tolist()
        for number, (row, before, place) in enumerate(zip(rows.tolist(), frames.tolist(), places, strict=True)):
            if number % _CHECKED_EVERY == 0:
                progress.check()
            source, offset, size, layout, kind = place
            span = (source, offset, size)
            packets = self._spans.get(span)
            if packets is None:
                packets = self._read_row(span, layout, kind, counted)
            for event in packets:
                counted[event.kind] += event.weight
            lines.append(EventRow(row, before, packets))
            spans.append(span)
        return ChunkEvents(chunk, len(chunk) - len(raw), tuple(lines), tuple(spans), self._whole)

    def _read_row(self, span: Span, layout: int, kind: int, counted: Counter[str]) -> tuple[EventPacket, ...]:
        """Read the events of one row, without those beyond the limits."""
        first = 0 if kind == RAW else 1  # a FrameStart is not in the layout
        packets: list[EventPacket] = []
        for place in self._watch.places(self._snapshot, layout, span):
            name = place.kind.name
            limit = MAX_ADDED if name == "EventAdd" else MAX_BYTES
            if self._used[name] + counted[name] >= limit:
                self._whole = False
            else:
                packets.append(self._packet(span, place, first + place.packet))
        return tuple(packets)

    def _packet(self, span: Span, place: _Place, packet: int) -> EventPacket:
        """Read one packet; `packet` is its index in the row."""
        kind = place.kind
        if kind.body != "list" or not kind.actor_offsets:
            return EventPacket(packet, kind.name)
        size = kind.record.size
        most = LARGEST_FRAME if size is None else 2 + MAX_RECORDS * size
        source, offset, _ = span
        body = self._snapshot.store.read(source, offset + place.body, min(place.size, most))
        if size is not None:
            whole = min(int.from_bytes(body[:2], "little"), (len(body) - 2) // size)
            return EventPacket(packet, kind.name, records=body[2 : 2 + whole * size], dtype=kind.dtype)
        decoded = decode(kind, body)
        if kind.name == "EventAdd":
            return EventPacket(packet, kind.name, tuple(self._added(decoded)))
        ids = []
        for index in range(len(decoded)):
            start = decoded.span(index)[0] + kind.actor_offsets[0]
            ids.append(decoded.data[start : start + 4])
        return EventPacket(packet, kind.name, records=b"".join(ids))

    def _added(self, body: Body) -> Iterator[Added]:
        """Yield the records of an EventAdd."""
        run = body.type.record.steps[0]
        assert isinstance(run, Run)
        paths = [field.path for field in run.fields]
        pick = itemgetter(*(paths.index(path) for path in _ADDED))
        for index in range(len(body)):
            start, stop = body.span(index)
            actor, kind, x, y, z, roll, pitch, yaw, uid = pick(run.unpack.unpack_from(body.data, start))
            key = (kind, body.data[start + run.unpack.size : stop])
            description = self._descriptions.get(key)
            if description is None:
                description = _describe(body, index, kind)
                self._room -= len(description.attributes)
                if self._room < 0:
                    description = replace(description, attributes=())
                    self._whole = False
                self._descriptions[key] = description
            yield Added(actor, kind, Transform(x, y, z, roll, pitch, yaw), uid, description)


def _describe(body: Body, index: int, kind: int) -> Description:
    """Return the description in a record of EventAdd; `kind` is its type byte."""
    record = body.record(index)
    attributes: list[Attribute] = []
    by_name: dict[str, str] = {}
    for entry in record["attributes"]:
        attribute = Attribute(entry["type"], _text(entry["id"]), _text(entry["value"]))
        attributes.append(attribute)
        by_name[attribute.id] = attribute.value
    blueprint = _text(record["blueprint"])
    kinds = body.type.record.fields["type"].choices or {}
    return Description(
        blueprint=blueprint,
        attributes=tuple(attributes),
        class_=class_of(blueprint, kind, by_name, kinds),
        role_name=by_name.get("role_name", ""),
        colour=_colour(by_name.get("color", "")),
    )


def class_of(blueprint: str, kind: int, attributes: Mapping[str, str], kinds: Mapping[int, str]) -> ActorClass:
    """Return the class of an actor by its blueprint, else by its type byte.

    Args:
        blueprint: The blueprint.
        kind: The type byte.
        attributes: The values of its attributes by name.
        kinds: The names of type bytes.
    """
    if blueprint.startswith("traffic.traffic_light"):
        return "traffic light"
    class_ = _BY_GROUP.get(blueprint.partition(".")[0])
    if class_ is None:
        class_ = _BY_TYPE.get(kinds.get(kind, ""), "other")
    if class_ == "vehicle" and _has_two_wheels(attributes):
        return "two-wheeler"
    return class_


def _has_two_wheels(attributes: Mapping[str, str]) -> bool:
    if attributes.get("number_of_wheels") == "2":
        return True
    return attributes.get("base_type") in ("bicycle", "motorcycle")


def _text(value: str | bytes) -> str:
    """Return a text; bytes that are not UTF-8 become `\\xff`."""
    if isinstance(value, str):
        return value
    return value.decode("utf-8", "backslashreplace")


def _colour(text: str) -> tuple[int, int, int] | None:
    """Return the colour in a text of three numbers up to 255, or None."""
    parts = text.split(",")
    if len(parts) != 3:
        return None
    for part in parts:
        digits = part.strip()
        if not (digits.isascii() and digits.isdigit()):
            return None
    red = int(parts[0][:8])
    green = int(parts[1][:8])
    blue = int(parts[2][:8])
    if max(red, green, blue) <= 255:
        return (red, green, blue)
    return None
