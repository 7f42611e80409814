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
from ..format import MAX_RECORDS, Body, Dialect, PacketType, decode
from ..format.schema import Run
from ..progress import Progress
from ..recording.frames import LARGEST_FRAME, RAW, Layouts
from ..recording.layout_filter import LayoutFilter
from ..recording.packet_headers import read_headers
from ..recording.snapshot import Snapshot

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
    *(f"location.{axis}" for axis in "xyz"),
    *(f"rotation.{axis}" for axis in ("roll", "pitch", "yaw")),
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

_BY_GROUP: Mapping[str, ActorClass] = {
    **{name: name for name in CLASSES if name in ("vehicle", "walker", "sensor", "spectator")},
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

    Attributes: `blueprint`, `attributes`, `class_`, `role_name` (empty without one), `colour` (own colour as red,
    green, blue of 0 to 255, or None).
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

    Attributes: `packet` (index in its row, FrameStart is 0), `kind` (name), `added` (of an EventAdd), `records`
    (complete ones if they have one size, else the actor ids, u32; empty for a packet without actors, as lights and
    weather, whose body is not read), `dtype` (of records of one size).
    """

    packet: int
    kind: str
    added: tuple[Added, ...] = ()
    records: bytes = b""
    dtype: np.dtype[np.void] | None = None

    @property
    def table(self) -> StructuredArray:
        """The records of one size by the paths of their fields; empty where they have none."""
        return np.frombuffer(self.records if self.dtype is not None else b"", self.dtype or _NO_RECORD)

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

    Attributes: `chunk`, `frames` (in the chunk), `lines` (rows with events), `spans` (theirs, in the same order),
    `whole` (no limit was reached).
    """

    chunk: StructuredArray
    frames: int
    lines: tuple[EventRow, ...]
    spans: tuple[Span, ...]
    whole: bool

    def equals(self, other: "ChunkEvents") -> bool:
        """Whether events and their places are equal."""
        if self is other:
            return True
        return (len(self.chunk), self.frames, self.lines) == (len(other.chunk), other.frames, other.lines)

    @cached_property
    def weights(self) -> Mapping[str, int]:
        """Its share of the limits, by packet type."""
        found: Counter[str] = Counter()
        for line in self.lines:
            for event in line.packets:
                found[event.kind] += event.weight
        return found


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
        self._kinds = {
            number: kind
            for number, kind in dialect.packets.items()
            if kind.is_recorded_once and kind.body != "opaque"  # `bodies` finds these
        }
        self._layouts = layouts
        self._places: dict[int, tuple[_Place, ...]] = {}
        self._filter = LayoutFilter(lambda layout: bool(self._of_layout(layout)))

    def _of_layout(self, layout: int) -> tuple[_Place, ...]:
        """The event packets of a layout, which is looked at once."""
        if layout not in self._places:
            packets = self._layouts.get(layout).packets()
            self._places[layout] = self._watched((kind, at + 5, size) for kind, at, size in packets)
        return self._places[layout]

    def _watched(self, packets: Iterable[tuple[int, int, int]]) -> tuple[_Place, ...]:
        kinds = self._kinds
        return tuple(
            _Place(index, kinds[number], body, size)
            for index, (number, body, size) in enumerate(packets)
            if size > 2 and number in kinds
        )

    def rows(self, chunk: StructuredArray) -> IndexArray:
        """The rows of a chunk that may hold events."""
        return np.flatnonzero(self._filter.mask(chunk))

    def places(self, snapshot: Snapshot, layout: int, span: Span) -> tuple[_Place, ...]:
        """The event packets of a row that are not empty."""
        if layout >= 0:
            return self._of_layout(layout)
        return self._watched(read_headers(snapshot.store, *span))


class Reader:
    """Reads the events of chunks, and reuses those of an earlier state.

    `descriptions` are those already known; new ones are added.
    """

    def __init__(
        self, snapshot: Snapshot, watch: EventFilter, earlier: tuple[ChunkEvents, ...], descriptions: Descriptions
    ) -> None:
        self._watch = watch
        self._snapshot = snapshot
        self._used: Counter[str] = Counter()
        self._whole = True
        self._room = MAX_ATTRIBUTES - sum(len(each.attributes) for each in descriptions.values())
        self._descriptions = descriptions
        self._kept = {id(page.chunk): page for page in earlier}
        here = {id(chunk) for chunk in snapshot.table.chunks}
        self._spans: dict[Span, tuple[EventPacket, ...]] = {}
        for page in earlier:
            if id(page.chunk) not in here:
                self._spans.update(zip(page.spans, (line.packets for line in page.lines), strict=True))

    def read(self, progress: Progress) -> tuple[ChunkEvents, ...]:
        """The events of all chunks; raises `Cancelled`."""
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
        rows = self._watch.rows(chunk)
        raw = np.flatnonzero(chunk["kind"] == RAW)
        frames = rows - raw.searchsorted(rows)  # that come before
        self._whole = True
        lines: list[EventRow] = []
        spans: list[Span] = []
        counted: Counter[str] = Counter()
        columns = (chunk[name][rows].tolist() for name in ("source", "offset", "size", "layout", "kind"))
        table = zip(rows.tolist(), frames.tolist(), *columns, strict=True)
        for number, (row, before, source, offset, size, layout, kind) in enumerate(table):
            if number % _CHECKED_EVERY == 0:
                progress.check()
            span = source, offset, size
            packets = self._spans.get(span)
            if packets is None:
                packets = self._read_row(span, layout, kind, counted)
            for event in packets:
                counted[event.kind] += event.weight
            lines.append(EventRow(row, before, packets))
            spans.append(span)
        return ChunkEvents(chunk, len(chunk) - len(raw), tuple(lines), tuple(spans), self._whole)

    def _read_row(self, span: Span, layout: int, kind: int, counted: Counter[str]) -> tuple[EventPacket, ...]:
        start = 0 if kind == RAW else 1
        packets: list[EventPacket] = []
        for place in self._watch.places(self._snapshot, layout, span):
            name = place.kind.name
            most = MAX_ADDED if name == "EventAdd" else MAX_BYTES
            if self._used[name] + counted[name] >= most:
                self._whole = False
                continue
            packets.append(self._packet(span, place, start + place.packet))
        return tuple(packets)

    def _packet(self, span: Span, place: _Place, packet: int) -> EventPacket:
        kind = place.kind
        if kind.body != "list" or not kind.actor_offsets:
            return EventPacket(packet, kind.name)
        size = kind.record.size
        if size is not None:
            most = 2 + MAX_RECORDS * size
        else:
            most = LARGEST_FRAME
        body = self._snapshot.store.read(span[0], span[1] + place.body, min(place.size, most))
        if size is not None:
            whole = min(int.from_bytes(body[:2], "little"), (len(body) - 2) // size)
            return EventPacket(packet, kind.name, records=body[2 : 2 + whole * size], dtype=kind.dtype)
        if kind.name != "EventAdd":
            decoded = decode(kind, body)
            at = kind.actor_offsets[0]
            starts = (decoded.span(index)[0] + at for index in range(len(decoded)))
            ids = [decoded.data[start : start + 4] for start in starts]
            return EventPacket(packet, kind.name, records=b"".join(ids))
        return EventPacket(packet, kind.name, tuple(self._added(decode(kind, body))))

    def _added(self, body: Body) -> Iterator[Added]:
        run = body.type.record.steps[0]
        assert isinstance(run, Run)
        paths = [field.path for field in run.fields]
        read = itemgetter(*(paths.index(path) for path in _ADDED))
        for index in range(len(body)):
            start, stop = body.span(index)
            actor, kind, x, y, z, roll, pitch, yaw, uid = read(run.unpack.unpack_from(body.data, start))
            described = kind, body.data[start + run.unpack.size : stop]
            description = self._descriptions.get(described)
            if description is None:
                description = _described(body, index, kind)
                self._room -= len(description.attributes)
                if self._room < 0:
                    description = replace(description, attributes=())
                    self._whole = False
                self._descriptions[described] = description
            yield Added(actor, kind, Transform(x, y, z, roll, pitch, yaw), uid, description)


def _described(body: Body, index: int, kind: int) -> Description:
    record = body.record(index)
    kinds = body.type.record.fields["type"].choices or {}
    listed = record["attributes"]
    attributes = tuple(Attribute(each["type"], _text(each["id"]), _text(each["value"])) for each in listed)
    by_name = {attribute.id: attribute.value for attribute in attributes}
    blueprint = _text(record["blueprint"])
    class_ = class_of(blueprint, kind, by_name, kinds)
    role = by_name.get("role_name", "")
    colour = _colour(by_name.get("color", ""))
    return Description(blueprint, attributes, class_, role, colour)


def class_of(blueprint: str, kind: int, attributes: Mapping[str, str], kinds: Mapping[int, str]) -> ActorClass:
    """The class of an actor by its blueprint, else by its type byte (named by `kinds`)."""
    if blueprint.startswith("traffic.traffic_light"):
        return "traffic light"
    found = _BY_GROUP.get(blueprint.partition(".")[0]) or _BY_TYPE.get(kinds.get(kind, ""), "other")
    two_wheels = attributes.get("number_of_wheels") == "2" or attributes.get("base_type") in ("bicycle", "motorcycle")
    if found == "vehicle" and two_wheels:
        return "two-wheeler"
    return found


def _text(value: str | bytes) -> str:
    if isinstance(value, str):
        return value
    return value.decode("utf-8", "backslashreplace")


def _colour(text: str) -> tuple[int, int, int] | None:
    parts = text.split(",")
    if len(parts) != 3 or not all(part.strip().isascii() and part.strip().isdigit() for part in parts):
        return None
    red, green, blue = (int(part[:8]) for part in parts)
    if max(red, green, blue) <= 255:
        return (red, green, blue)
    return None
