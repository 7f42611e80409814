"""The draft of a description of a packet of users: members, how they fit the bodies of a recording, and its JSON.

Knows no window. A `Draft` is immutable, so that undo is a list of drafts; a `Sample` holds the bodies that it is tried
on; `read_body` and `review` say how a draft fits them.
"""

import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from ..format.dialects import Dialect
from ..format.json_text import json_of, read_json
from ..format.packet_file import PacketFile
from ..format.packet_files import parse_packet_file
from ..format.packets import TABLE, packet_type
from ..format.schema import CODES, NUMBER_CODES, WIDTHS, Array, Field
from ..recording import Snapshot
from ..recording.layout_filter import LayoutFilter
from ..texts import N_, say, say_count

MOST_SAMPLES = 200
"""Frames whose bodies a draft is tried on."""

LARGEST_BODY = 1 << 20
"""Bytes of a body that are looked at."""

LARGEST_SAMPLE = 16 << 20
"""Bytes of all bodies that a draft is tried on, but for the first one."""

ARRAY = "array"
"""The type that is shown for a member that is an array, which is kept as it is."""

TEXT = "str"

_COUNT_WIDTH = 2
_MOST_RECORDS_READ = 2_000
_EXACT = 1 << 53  # whole numbers that f64 holds
_LARGEST_SHOWN = 1e7
_SMALLEST_SHOWN = 1e-3
_LONGEST_SHOWN_TEXT = 60

Body = Literal["single", "list"]

LIFETIMES: Mapping[str, str] = {
    "shown": N_("goes with its frame"),
    "event": N_("is an event"),
    "lasting": N_("stays in force"),
}
"""The words for what becomes of a packet when frames are cut, by the lifetime in the file."""

NEXT_TYPES = ("u8", "u16", "bool", "u32", "i64", "f32", "f64", TEXT, "vector")
"""The types that the next bytes are read as."""

_BEST_FIRST = (TEXT, "vector", "f32", "bool", "i64", "f64", "u32", "u16", "u8")


def member_types() -> tuple[str, ...]:
    """The types that a member may have."""
    return (*NUMBER_CODES, TEXT, *TABLE["kinds"])


def type_title(name: str) -> str:
    """A type in words: text for `str`, the others as they are."""
    if name == TEXT:
        return say("text")
    if name == ARRAY:
        return say("array")
    return name


# --- the draft ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DraftMember:
    """A member of the record.

    Attributes:
        name: The path in the file.
        type: The type in the file; `ARRAY` for an array.
        meaning: The meaning, one line.
        unit: The unit; empty for none.
        options: Its options in the file, which are kept.
        array: The object of an array in the file, which is kept; None for a field.
    """

    name: str
    type: str
    meaning: str = ""
    unit: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    array: Mapping[str, Any] | None = None

    def to_json(self) -> object:
        """The member as it stands in a file."""
        if self.array is not None:
            return dict(self.array)
        row: list[object] = [self.name, self.type, self.meaning or self.name]
        if self.unit:
            row.append(self.unit)
        if self.options:
            row.append(dict(self.options))
        return row


def member_of(entry: Any) -> DraftMember:
    """The member of what stands in a file, which was checked."""
    if isinstance(entry, dict):
        return DraftMember(entry["path"], ARRAY, entry["meaning"], array=entry)
    name, kind, meaning = entry[:3]
    unit = ""
    options: Mapping[str, Any] = {}
    for part in entry[3:]:
        if isinstance(part, str):
            unit = part
        else:
            options = part
    if meaning == name:
        meaning = ""
    return DraftMember(name, kind, meaning, unit, options)


@dataclass(frozen=True)
class Draft:
    """What is known of a packet.

    Attributes:
        number: The id of the packet.
        name: The name; empty before one is typed.
        record: What a record is called; empty: as the packet.
        body: One record, or a u16 count and a list of them.
        lifetime: What becomes of it when frames are cut, as in the file.
        members: The members, in the order of the bytes.
        entry: The entry of the file that it began with; its other traits are kept.
    """

    number: int
    name: str = ""
    record: str = ""
    body: Body = "single"
    lifetime: str = "shown"
    members: tuple[DraftMember, ...] = ()
    entry: Mapping[str, Any] = field(default_factory=dict)

    def with_member(self, index: int, **changes: Any) -> "Draft":
        """The draft with another name, type, meaning or unit of a member."""
        members = list(self.members)
        member = members[index]
        if member.array is None:
            members[index] = replace(member, **changes)
        return replace(self, members=tuple(members))

    def added(self, member: DraftMember, index: int | None = None) -> "Draft":
        """The draft with another member before that of an index; None: at the end."""
        members = list(self.members)
        if index is None:
            index = len(members)
        members.insert(index, member)
        return replace(self, members=tuple(members))

    def removed(self, index: int) -> "Draft":
        """The draft without a member."""
        return replace(self, members=self.members[:index] + self.members[index + 1 :])

    def moved(self, index: int, step: int) -> "Draft":
        """The draft with a member `step` places further down; the same where there is no such place."""
        target = index + step
        if not 0 <= target < len(self.members):
            return self
        members = list(self.members)
        members.insert(target, members.pop(index))
        return replace(self, members=tuple(members))

    def free_name(self, stem: str) -> str:
        """A name that no member has: the stem, or the stem and a number."""
        names = {member.name for member in self.members}
        if stem not in names:
            return stem
        number = 2
        while f"{stem}_{number}" in names:
            number += 1
        return f"{stem}_{number}"

    def to_json(self) -> dict[str, object]:
        """The entry of a file, of which the traits that no form shows are those of the file before."""
        entry: dict[str, object] = {"id": self.number, "name": self.name}
        if self.record:
            entry["record"] = self.record
        entry["body"] = self.body
        entry["lifetime"] = self.lifetime
        for name, value in self.entry.items():
            if name not in ("id", "name", "record", "body", "lifetime", "members"):
                entry[name] = value
        entry["members"] = [member.to_json() for member in self.members]
        return entry


class DraftHistory:
    """The drafts that there were, for undo and redo.

    Attributes:
        draft: The draft of this moment.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._before: list[Draft] = []
        self._after: list[Draft] = []
        self._gesture = ""

    def set(self, draft: Draft, gesture: str = "") -> bool:
        """Go on to another draft.

        Args:
            draft: The draft.
            gesture: A name; changes of one gesture after another, as letters that are typed, are one step.

        Returns:
            Whether it differs.
        """
        if draft == self.draft:
            return False
        if not gesture or gesture != self._gesture:
            self._before.append(self.draft)
        self._gesture = gesture
        self._after.clear()
        self.draft = draft
        return True

    def undo(self) -> bool:
        """Go back to the draft before; whether there is one."""
        if not self._before:
            return False
        self._gesture = ""
        self._after.append(self.draft)
        self.draft = self._before.pop()
        return True

    def redo(self) -> bool:
        """Go on to the draft that was left last; whether there is one."""
        if not self._after:
            return False
        self._gesture = ""
        self._before.append(self.draft)
        self.draft = self._after.pop()
        return True

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to undo."""
        return bool(self._before)


def describing_file(snapshot: Snapshot, number: int) -> PacketFile | None:
    """The file that describes a packet of the recording, or None."""
    dialect = snapshot.dialect
    if number not in dialect.described:
        return None
    for file in dialect.packet_files:
        if number in file.packets:
            return file
    return None


def draft_of(snapshot: Snapshot, number: int) -> Draft:
    """The draft that begins with what is known of a packet: its description, or nothing."""
    file = describing_file(snapshot, number)
    if file is None:
        return Draft(number)
    for entry in read_json(file.content)["packets"]:
        if number in _ids_of(entry):
            return _draft_of_entry(number, entry)
    return Draft(number)


def _draft_of_entry(number: int, entry: Mapping[str, Any]) -> Draft:
    return Draft(
        number=number,
        name=entry["name"],
        record=entry.get("record", ""),
        body=entry.get("body", "list"),
        lifetime=entry.get("lifetime", "shown"),
        members=tuple(member_of(member) for member in entry["members"]),
        entry=entry,
    )


def _ids_of(entry: Mapping[str, Any]) -> list[int]:
    """The ids of an entry of a file, which was checked."""
    ids: int | list[int] = entry["id"]
    if isinstance(ids, list):
        return ids
    return [ids]


# --- the bodies that it is tried on -----------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """The frames that hold the packet, and bodies of some of them.

    Attributes:
        rows: The rows of all frames that hold it.
        bodies: Bodies by row, of at most `MOST_SAMPLES` rows.
    """

    rows: tuple[int, ...]
    bodies: Mapping[int, bytes]


def body_in(snapshot: Snapshot, row: int, number: int) -> bytes:
    """The body of the first packet of an id in a row; empty without one."""
    packet = snapshot.row(row).packet(number)
    if packet is None:
        return b""
    return packet.body[:LARGEST_BODY]


def rows_with(snapshot: Snapshot, number: int) -> tuple[int, ...]:
    """The rows that hold a packet of an id, rising."""
    layouts = snapshot.layouts

    def holds(layout: int) -> bool:
        return any(packet[0] == number for packet in layouts.get(layout).packets())

    table = snapshot.table
    rows = []
    for row in LayoutFilter(holds).rows(table).tolist():
        has_layout = int(table.row(row)["layout"]) >= 0
        if has_layout or snapshot.row(row).packet(number) is not None:
            rows.append(row)
    return tuple(rows)


def sample_of(snapshot: Snapshot, number: int) -> Sample:
    """Take bodies of a packet from frames that lie evenly in the recording."""
    rows = rows_with(snapshot, number)
    step = max(1, math.ceil(len(rows) / MOST_SAMPLES))
    bodies: dict[int, bytes] = {}
    size = 0
    for row in rows[::step]:
        if size > LARGEST_SAMPLE:
            break
        bodies[row] = body_in(snapshot, row, number)
        size += len(bodies[row])
    return Sample(rows, bodies)


# --- reading bodies by the draft ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Span:
    """A member in a body.

    Attributes:
        member: The index of the member.
        start: Its first byte.
        stop: The byte behind it.
        text: Its value as text.
    """

    member: int
    start: int
    stop: int
    text: str


@dataclass(frozen=True)
class Reading:
    """A body, as a draft reads it.

    Attributes:
        header: The bytes of the count of a list; 0 for one record.
        records: The records that the body says it has.
        spans: The members of the first record that could be read.
        more: The members of the records after it, where all of them fit.
        stop: The byte behind the last one that is described.
        cut: The index of the member that runs past the end of the body; None if none does.
        odd: The indices of members with a bool other than 0 and 1, or a number that is none.
    """

    header: int
    records: int
    spans: tuple[Span, ...]
    more: tuple[Span, ...]
    stop: int
    cut: int | None
    odd: frozenset[int]

    def fits(self, size: int) -> bool:
        """Whether members describe all bytes of a body of `size` bytes."""
        return self.cut is None and self.stop == size


class _Cut(Exception):
    """A member runs past the end of the body."""


@dataclass(frozen=True)
class Layout:
    """What the members of a draft are made of.

    Attributes:
        body: One record or a list.
        members: The fields of each member, or its array; nothing for one that the dialect lacks.
    """

    body: Body
    members: tuple[tuple[Field | Array, ...], ...]


def layout_of(draft: Draft, dialect: Dialect) -> Layout:
    """The layout of a draft; a member whose type is none has no bytes."""
    members: list[tuple[Field | Array, ...]] = []
    for member in draft.members:
        row: object
        if member.array is not None:
            row = _bare(member.array)
        elif member.type in CODES or member.type == TEXT or member.type in TABLE["kinds"]:
            row = ["m", member.type, "", _dates(member.options)]
        else:
            members.append(())
            continue
        members.append(_parts_of(row, dialect))
    return Layout(draft.body, tuple(members))


def _parts_of(member: object, dialect: Dialect) -> tuple[Field | Array, ...]:
    """The fields of a member as it stands in a file, or its array; nothing where the dialect lacks it."""
    entry: dict[str, Any] = {"name": "draft", "record": "draft", "members": [member], "key": ()}
    return packet_type(entry, dialect.real, dialect=dialect.name, choices={}).record.members


def _dates(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("since", "until") if name in options}


def _bare(array: Mapping[str, Any]) -> dict[str, Any]:
    """An array without the options of its fields, of which only the bytes are of interest."""
    members: list[object] = []
    for member in array["members"]:
        if isinstance(member, dict):
            members.append(_bare(member))
        else:
            parsed = member_of(member)
            members.append([parsed.name, parsed.type, "", _dates(parsed.options)])
    return {**array, "members": members}


def read_body(layout: Layout, body: bytes) -> Reading:
    """Read a body by a layout, up to where it ends."""
    header = 0
    records = 1
    if layout.body == "list":
        header = min(_COUNT_WIDTH, len(body))
        records = int.from_bytes(body[:header], "little")
    if records == 0:
        return Reading(header, 0, (), (), header, None, frozenset())
    spans, stop, cut, odd = _read_record(layout, body, header)
    more: list[Span] = []
    if cut is None and stop > header:
        end = stop
        for _ in range(min(records, _MOST_RECORDS_READ) - 1):
            further, end, cut_later, odd_later = _read_record(layout, body, end)
            if cut_later is not None:
                more.clear()
                break
            more += further
            odd |= odd_later
        else:
            # A record that leaves bytes over says nothing of where the next one begins.
            if end == len(body):
                stop = end
            else:
                more.clear()
    return Reading(header, records, tuple(spans), tuple(more), stop, cut, frozenset(odd))


def _read_record(layout: Layout, body: bytes, start: int) -> tuple[list[Span], int, int | None, set[int]]:
    """Read one record: its members, where it ends, the member that is cut off, the members with odd values."""
    spans: list[Span] = []
    odd: set[int] = set()
    offset = start
    for index, parts in enumerate(layout.members):
        first = offset
        texts = []
        try:
            for part in parts:
                text, offset, is_odd = _read_part(part, body, offset)
                texts.append(text)
                if is_odd:
                    odd.add(index)
        except _Cut:
            return spans, first, index, odd
        spans.append(Span(index, first, offset, "  ".join(texts)))
    return spans, offset, None, odd


def _read_part(part: Field | Array, body: bytes, offset: int) -> tuple[str, int, bool]:
    """Read a field or an array: its value as text, the byte behind it, whether the value is odd."""
    if isinstance(part, Array):
        width = WIDTHS[part.count]
        if offset + width > len(body):
            raise _Cut
        count = int.from_bytes(body[offset : offset + width], "little")
        if count * part.element.least > len(body) - offset - width or count > len(body):
            raise _Cut
        offset += width
        for _ in range(count):
            for inner in part.element.members:
                _, offset, _ = _read_part(inner, body, offset)
        return say_count("{count:,} element", "{count:,} elements", count=count), offset, False
    if part.type == TEXT:
        return _read_text(body, offset)
    width = WIDTHS[part.type]
    if offset + width > len(body):
        raise _Cut
    data = body[offset : offset + width]
    if part.is_raw:
        return data.hex(" "), offset + width, False
    (value,) = struct.unpack("<" + CODES[part.type], data)
    is_odd = value not in (0, 1) if part.type == "bool" else not math.isfinite(value)
    return value_text(value, part.type), offset + width, is_odd


def _read_text(body: bytes, offset: int) -> tuple[str, int, bool]:
    if offset + 2 > len(body):
        raise _Cut
    length = int.from_bytes(body[offset : offset + 2], "little")
    stop = offset + 2 + length
    if stop > len(body):
        raise _Cut
    text = body[offset + 2 : stop].decode("utf-8", "replace")
    if len(text) > _LONGEST_SHOWN_TEXT:
        text = text[:_LONGEST_SHOWN_TEXT] + "..."
    text = "".join(letter if letter.isprintable() else "." for letter in text)
    return text, stop, False


def value_text(value: float, kind: str) -> str:
    """A number as text: true or false, digits in groups, three decimals or an exponent."""
    if kind == "bool":
        if value in (0, 1):
            return say("true") if value else say("false")
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return str(value)
    if value == 0 or _SMALLEST_SHOWN <= abs(value) < _LARGEST_SHOWN:
        return f"{value:.3f}"
    return f"{value:.3e}"


# --- what the next bytes would be ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Candidate:
    """What the bytes behind the last member are as a type.

    Attributes:
        type: The type, as in the file.
        text: The value in the frame that is shown; empty where too few bytes follow.
        readable: In so many bodies enough bytes follow.
        of: So many bodies.
        fits: The values look as those of this type in all bodies.
        best: It is the first one to take.
        remark: Why it fits, in words; empty if it does not.
    """

    type: str
    text: str
    readable: int
    of: int
    fits: bool
    best: bool
    remark: str


def candidates(draft: Draft, dialect: Dialect, sample: Sample, body: bytes) -> tuple[Candidate, ...]:
    """Read the bytes behind the last member as each type, in a body and in all of a sample."""
    layout = layout_of(draft, dialect)
    rests = []
    for data in sample.bodies.values():
        reading = read_body(layout, data)
        if reading.records and reading.cut is None:
            rests.append(data[_end_of_first(reading) :])
    shown = read_body(layout, body)
    rest = b""
    if shown.records and shown.cut is None:
        rest = body[_end_of_first(shown) :]
    if draft.members and all(not data for data in rests):
        return ()
    found = {kind: _candidate(kind, dialect, rest, rests) for kind in NEXT_TYPES}
    for kind in _BEST_FIRST:
        if found[kind].fits:
            found[kind] = replace(found[kind], best=True)
            break
    return tuple(found.values())


def _end_of_first(reading: Reading) -> int:
    """Where the first record ends as far as it is described; everything, where all records fit."""
    if reading.more:
        return reading.stop
    if reading.spans:
        return reading.spans[-1].stop
    return reading.header


def _candidate(kind: str, dialect: Dialect, rest: bytes, rests: Sequence[bytes]) -> Candidate:
    parts = _parts_of(["next", kind, ""], dialect)
    values = []
    for data in rests:
        value = _values_at(parts, data)
        if value is not None:
            values.append(value)
    text = ""
    if _values_at(parts, rest) is not None:
        texts = [_read_part(part, rest, start)[0] for part, start in _starts(parts, rest)]
        text = "  ".join(texts)
    is_everywhere = bool(values) and len(values) == len(rests)
    fits = is_everywhere and _looks_like(kind, values)
    remark = ""
    if fits:
        remark = _remark(kind, len(values))
    return Candidate(kind, text, len(values), len(rests), fits, best=False, remark=remark)


def _starts(parts: Iterable[Field | Array], data: bytes) -> list[tuple[Field | Array, int]]:
    starts = []
    offset = 0
    for part in parts:
        starts.append((part, offset))
        _, offset, _ = _read_part(part, data, offset)
    return starts


def _values_at(parts: Iterable[Field | Array], data: bytes) -> tuple[Any, ...] | None:
    """The values of fields at the beginning of bytes; None where too few bytes are there."""
    values: list[Any] = []
    offset = 0
    for part in parts:
        assert isinstance(part, Field)
        try:
            _, stop, _ = _read_part(part, data, offset)
        except _Cut:
            return None
        if part.type == TEXT:
            values.append(data[offset + 2 : stop])
        else:
            values.extend(struct.unpack("<" + CODES[part.type], data[offset:stop]))
        offset = stop
    return tuple(values)


def _looks_like(kind: str, values: Sequence[tuple[Any, ...]]) -> bool:
    """Whether values are what programs write as a type: not only bytes that could be read so."""
    if kind == TEXT:
        return any(value[0] for value in values) and all(_is_text(value[0]) for value in values)
    numbers = [number for value in values for number in value]
    if kind == "bool":
        return all(number in (0, 1) for number in numbers)
    if kind in ("f32", "f64", "vector"):
        if not any(numbers):
            return False
        return all(number == 0 or 1e-6 < abs(number) < 1e9 for number in numbers)
    if kind == "i64":
        return any(abs(number) >= 256 for number in numbers) and all(abs(number) < _EXACT for number in numbers)
    if kind == "u32":
        return any(number >= 256 for number in numbers) and all(number < 1 << 24 for number in numbers)
    return False


def _is_text(data: bytes) -> bool:
    try:
        return data.decode().isprintable()
    except UnicodeDecodeError:
        return False


def _remark(kind: str, count: int) -> str:
    if kind == "bool":
        return say_count("0 or 1 in {count:,} frame", "0 or 1 in all {count:,} frames", count=count)
    return say_count("fits in {count:,} frame", "fits in all {count:,} frames", count=count)


def next_member(draft: Draft, kind: str) -> DraftMember:
    """A new member of a type, with a name that is free."""
    return DraftMember(draft.free_name("member"), kind)


# --- what does not fit ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Remark:
    """A sentence about how a draft fits.

    Attributes:
        severity: `warning`, `info`, `fine`, or `error` for a body that ends too early.
        text: The sentence.
    """

    severity: Literal["error", "warning", "info", "fine"]
    text: str


def review(draft: Draft, dialect: Dialect, sample: Sample, frames: Mapping[int, int]) -> list[Remark]:
    """Say how a draft fits the bodies of a sample.

    Args:
        draft: The draft.
        dialect: The dialect of the recording.
        sample: The bodies.
        frames: The number of the frame, from 1, by row.
    """
    layout = layout_of(draft, dialect)
    readings = {row: read_body(layout, body) for row, body in sample.bodies.items()}
    remarks: list[Remark] = []
    if not readings:
        return remarks
    remarks += _cut_remarks(draft, sample, readings, frames)
    remarks += _rest_remarks(draft, sample, readings)
    remarks += _length_remarks(draft, sample, readings, frames)
    remarks += _fit_remarks(draft, sample, readings)
    if len(readings) < len(sample.rows):
        text = say(
            "{count:,} of the {all:,} frames with the packet are looked at.", count=len(readings), all=len(sample.rows)
        )
        remarks.append(Remark("info", text))
    return remarks


def _cut_remarks(
    draft: Draft, sample: Sample, readings: Mapping[int, Reading], frames: Mapping[int, int]
) -> list[Remark]:
    cut = [(row, reading.cut) for row, reading in readings.items() if reading.cut is not None]
    if not cut:
        return []
    row, index = cut[0]
    assert index is not None
    where = say(
        "{member} does not fit in frame {frame:,}: it begins at {offset}, and the body has {size:,} bytes.",
        member=draft.members[index].name,
        frame=frames.get(row, 0),
        offset=f"{readings[row].stop:04x}",
        size=len(sample.bodies[row]),
    )
    how_many = say_count(
        "Bytes are shown instead in {count:,} of {all:,} frame.",
        "Bytes are shown instead in {count:,} of {all:,} frames.",
        count=len(cut),
        all=len(readings),
    )
    return [Remark("error", f"{where} {how_many}")]


def _rest_remarks(draft: Draft, sample: Sample, readings: Mapping[int, Reading]) -> list[Remark]:
    rests = []
    offsets = []
    for row, reading in readings.items():
        rest = len(sample.bodies[row]) - reading.stop
        if reading.cut is None and rest and reading.records:
            rests.append(rest)
            offsets.append(reading.stop)
    if not rests:
        return []
    count = amount_text(rests)
    offset = range_text([f"{value:04x}" for value in (min(offsets), max(offsets))])
    if draft.members:
        text = say(
            "{count} after {member} are not described, from {offset}. They are kept and saved as they are.",
            count=count,
            member=draft.members[-1].name,
            offset=offset,
        )
    else:
        text = say("{count} are not described. They are kept and saved as they are.", count=count)
    return [Remark("warning", text)]


def amount_text(sizes: Sequence[int]) -> str:
    """A number of bytes, or the smallest and the largest one."""
    if min(sizes) == max(sizes):
        return say_count("{count:,} byte", "{count:,} bytes", count=sizes[0])
    return say("{least:,} to {most:,} bytes", least=min(sizes), most=max(sizes))


def range_text(texts: Sequence[str]) -> str:
    """Two texts, or one where they are the same."""
    if texts[0] == texts[-1]:
        return texts[0]
    return say("{first} to {last}", first=texts[0], last=texts[-1])


def _length_remarks(
    draft: Draft, sample: Sample, readings: Mapping[int, Reading], frames: Mapping[int, int]
) -> list[Remark]:
    lengths = [len(body) for body in sample.bodies.values()]
    if min(lengths) == max(lengths):
        return []
    first: dict[int, int] = {}
    for row, body in sample.bodies.items():
        first.setdefault(len(body), row)
    ordered = sorted(first.values())
    text = say(
        "The length differs: {first:,} bytes in frame {frame:,}, {other:,} in frame {later:,}.",
        first=len(sample.bodies[ordered[0]]),
        frame=frames.get(ordered[0], 0),
        other=len(sample.bodies[ordered[1]]),
        later=frames.get(ordered[1], 0),
    )
    if all(reading.fits(len(sample.bodies[row])) for row, reading in readings.items()):
        text = f"{text} {say('The members account for it in every frame.')}"
    return [Remark("info", text)]


def _fit_remarks(draft: Draft, sample: Sample, readings: Mapping[int, Reading]) -> list[Remark]:
    if not draft.members:
        return []
    fitting = [reading for reading in readings.values() if reading.cut is None]
    odd = sorted({index for reading in readings.values() for index in reading.odd})
    text = say_count(
        "{count:,} member fits in {fitting:,} of {all:,} frames",
        "{count:,} members fit in {fitting:,} of {all:,} frames",
        count=len(draft.members),
        fitting=len(fitting),
        all=len(readings),
    )
    if odd:
        name = draft.members[odd[0]].name
        doubt = say("{text}; {member} holds a switch other than 0 or 1, or NaN.", text=text, member=name)
        return [Remark("warning", doubt)]
    if len(fitting) < len(readings):
        return [Remark("info", f"{text}.")]
    return [Remark("fine", say("{text}; no switch is other than 0 or 1, no number is NaN.", text=text))]


# --- the file -----------------------------------------------------------------------------------------------


def file_content(draft: Draft, existing: PacketFile | None, path: Path, known: PacketFile | None = None) -> bytes:
    """The content of a file with the draft in it, in place of the packet of its id.

    Args:
        draft: The draft.
        existing: The file that is there; None without one.
        path: The file, which the sentences name.
        known: The file that described the packet before; its enumerations come along into a new file.

    Raises:
        PacketFileError: The draft is not valid, with a sentence for each fault.
    """
    content: dict[str, Any] = {"packets": []}
    if existing is not None:
        content = read_json(existing.content)
    elif known is not None:
        content = read_json(known.content) | {"packets": []}
    entries: list[object] = []
    is_placed = False
    for entry in content["packets"]:
        ids = _ids_of(entry)
        if draft.number not in ids:
            entries.append(entry)
            continue
        others = [number for number in ids if number != draft.number]
        if others:
            entries.append({**entry, "id": others})
        if not is_placed:
            entries.append(draft.to_json())
            is_placed = True
    if not is_placed:
        entries.append(draft.to_json())
    content["packets"] = entries
    data = _text_of(content).encode()
    parse_packet_file(data, path)
    return data


def _text_of(content: Mapping[str, Any]) -> str:
    """A file as people write it by hand: a line for each member of a packet."""
    blocks = []
    for name, value in content.items():
        if name == "packets":
            packets = ",\n".join(_packet_text(entry) for entry in value)
            blocks.append(f'  "packets": [\n{packets}\n  ]')
        else:
            blocks.append(f"  {json_of(name)}: {json_of(value)}")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def _packet_text(entry: Mapping[str, Any]) -> str:
    traits = []
    for name, value in entry.items():
        if name != "members":
            traits.append(f"{json_of(name)}: {json_of(value)}")
    members = ",\n".join(f"        {json_of(member)}" for member in entry["members"])
    return "    {" + ", ".join(traits) + f',\n      "members": [\n{members}\n      ]}}'
