"""The tree of packets: how many children a node has, and the texts of its row. No Qt.

A node is a path of child numbers from the root. The outline of one frame begins with the file header and the current
row; that of the whole recording with the header and its rows, grouped by 1,000 where there are more.
"""

import math
from dataclasses import dataclass, field

from ..format import Leaf, exact_text
from ..format.header import FIELDS
from ..reading import Actors, Life, short_blueprint
from ..recording import RAW, Frame, Packet, Place, Row, Snapshot
from ..recording.frames import OPEN_FRAME
from ..texts import field_title, say
from .describe import header_texts, icon_of, moment_text, number_text, speed_in, value_text
from .selection import HEADER, span_of
from .units import AS_STORED, Units

GROUP = 1_000
MOST_CHILDREN = 5_000
_KEPT = 64
_INTEGERS = ("u8", "u16", "u32", "u64", "i32", "i64")
"""Types that are shown where a unit would be."""

_MAIN_FIELDS = {
    "State": "state",
    "VehicleLight": "lights",
    "VehicleDoor": "open",
    "AnimWalker": "speed",
    "EventAdd": "type",
    "TrafficLightTime": "green",
}
"""The field that the row of a record shows, by packet."""

Path = tuple[int, ...]


@dataclass(slots=True)
class Item:
    """A field of a record, an array with its elements, or an element with its fields.

    Attributes:
        label: Title of the field, or of the element with its number.
        leaf: The field, for an array that of its count; None for an element.
        children: Elements of an array, or fields of an element.
    """

    label: str
    leaf: Leaf | None
    children: list["Item"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TreeLine:
    """The texts of a row of the tree.

    Attributes:
        name: Name of the node.
        place: Place that the node stands for.
        detail: Text beside the name, muted.
        value: Value of a field, or the main value of a record.
        unit: Unit of the value.
        records: Number of records.
        size: Number of bytes.
        icon: Name of the icon; empty for none.
        bold: Whether the name is bold.
        damaged: Sentence about damage; empty without any.
        life: Index of the life that the record belongs to, or -1.
    """

    name: str
    place: Place
    detail: str = ""
    value: str = ""
    unit: str = ""
    records: str = ""
    size: str = ""
    icon: str = ""
    bold: bool = False
    damaged: str = ""
    life: int = -1


class Outline:
    """The tree of a snapshot: one of its rows, or all of them.

    Attributes:
        snapshot: State of the recording.
        actors: Actors of that state; None: records are shown without their blueprints.
        whole: Whether all rows are shown.
        row: The row that is shown unless all are.
        units: Units of the values in lines.
        is_grouped: Whether rows are grouped by 1,000.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        actors: Actors | None,
        *,
        whole: bool,
        row: int = 0,
        units: Units = AS_STORED,
        groups: bool = True,
    ) -> None:
        self.snapshot = snapshot
        self.actors = actors
        self.whole = whole
        self.row = row
        self.units = units
        self.is_grouped = groups and whole and snapshot.rows > GROUP
        self._items: dict[tuple[int, int, int], list[Item]] = {}
        self._fixed_of: tuple[int, int] | None = None  # row and packet
        self._fixed = 0

    # --- the shape --------------------------------------------------------------------------------------

    def group(self, path: Path) -> range:
        """Return the rows of a group."""
        first = (path[0] - 1) * GROUP
        return range(first, min(first + GROUP, self.snapshot.rows))

    def count(self, path: Path) -> int:
        """Return how many children a node has."""
        if not path:
            return 1 + self._top_nodes()
        if path[0] == 0:
            if len(path) == 1 and self.snapshot.header is not None:
                return len(FIELDS)
            return 0
        if self.is_grouped and len(path) == 1:
            return len(self.group(path))
        row, rest = self.row_of(path)
        if row is None:
            return 0
        if not rest:
            return self._packets(row)
        packet = self.snapshot.row(row).packets[rest[0]]
        return self._below_packet(row, packet, rest[1:])

    def _top_nodes(self) -> int:
        """Return how many nodes stand beside the header at the top."""
        if not self.whole:
            return min(1, self.snapshot.rows)
        if self.is_grouped:
            return _groups(self.snapshot.rows)
        return self.snapshot.rows

    def is_parent(self, path: Path) -> bool:
        """Return whether a node is known to have children before they are counted.

        That is so for groups, rows with packets, and records of a fixed size.
        """
        row, rest = self.row_of(path)
        if row is None:
            return self.is_grouped and len(path) == 1 and path[0] > 0
        if not rest:
            return self._has_packets(row)
        if len(rest) < 2:
            return False
        records = self._fixed_records(row, rest[0])
        if records > MOST_CHILDREN:
            return len(rest) == 3 and rest[1] * GROUP + rest[2] < records
        return len(rest) == 2 and rest[1] < records

    def _fixed_records(self, row: int, number: int) -> int:
        """Return how many records a packet has that is a list of such of a fixed size, else 0.

        A tree that is laid out anew asks for each record of a packet, one after the other: the last answer is kept.
        """
        key = (row, number)
        if self._fixed_of != key:
            records = 0
            if number < self._packets(row):
                packet = self.snapshot.row(row).packets[number]
                if packet.type.body == "list" and packet.type.record.size is not None:
                    records = len(packet.decoded)
            self._fixed_of = key
            self._fixed = records
        return self._fixed

    def row_of(self, path: Path) -> tuple[int | None, Path]:
        """Return the row of the frame table of a node and the rest of its path; (None, ()) for header and groups."""
        if not path or path[0] == 0:
            return None, ()
        if not self.whole:
            return self.row, path[1:]
        if not self.is_grouped:
            return path[0] - 1, path[1:]
        if len(path) == 1:
            return None, ()
        return (path[0] - 1) * GROUP + path[1], path[2:]

    def path_of_row(self, row: int) -> Path | None:
        """Return the node of a row; None where this outline does not show it."""
        if row == HEADER:
            return (0,)
        if not self.whole:
            if row == self.row:
                return (1,)
            return None
        if not self.is_grouped:
            return (1 + row,)
        if row < self.snapshot.rows:
            return (1 + row // GROUP, row % GROUP)
        return None

    def _has_packets(self, row: int) -> bool:
        """Return whether a row has packets, without reading it: a frame has its FrameStart at least."""
        record = self.snapshot.table.row(row)
        return bool(record["kind"] != RAW or record["layout"] >= 0)

    def _packets(self, row: int) -> int:
        if self._has_packets(row):
            return len(self.snapshot.row(row).packets)
        return 0

    def _below_packet(self, row: int, packet: Packet, rest: Path) -> int:
        """Return how many children a packet, or a node below it, has."""
        if not rest:
            return self._children_of_packet(row, packet)
        record, inner = self._record_of(packet, rest)
        records = len(packet.decoded)
        if record is None:  # a group of records, or the remaining bytes behind them
            if records > MOST_CHILDREN:
                return max(0, min(GROUP, records - rest[0] * GROUP))
            return 0
        if record < records:
            return self._below_record(row, packet, record, inner)
        return 0

    def _children_of_packet(self, row: int, packet: Packet) -> int:
        records = len(packet.decoded)
        if packet.type.body == "single":
            children = 0
            if records:
                children = self._below_record(row, packet, 0, ())
        elif records > MOST_CHILDREN:
            children = _groups(records)
        else:
            children = records
        low, high = packet.decoded.tail
        has_remaining_bytes = high > low and packet.type.body != "opaque"
        if has_remaining_bytes:
            return children + 1
        return children

    def _below_record(self, row: int, packet: Packet, record: int, inner: Path) -> int:
        if packet.type.record.size is not None:
            if inner:
                return 0
            return len(packet.type.record.fields)
        items = self.items(row, packet, record)
        if not inner:
            return len(items)
        if inner[0] < len(items):
            return len(_descend(items, inner).children)
        return 0

    def items(self, row: int, packet: Packet, record: int) -> list[Item]:
        """Return the fields of a record as a small tree; the last ones asked for are kept."""
        key = (row, packet.index, record)
        if key not in self._items:
            if len(self._items) >= _KEPT:
                self._items.clear()
            self._items[key] = _items(packet.decoded.leaves(record))
        return self._items[key]

    # --- places -----------------------------------------------------------------------------------------

    def place(self, path: Path) -> Place:
        """Return what a node stands for."""
        if not path or path[0] == 0:
            if len(path) > 1:
                return Place(HEADER, field=FIELDS[path[1]].path)
            return Place(HEADER)
        row, rest = self.row_of(path)
        if row is None:
            return Place((path[0] - 1) * GROUP)
        if not rest:
            return Place(row)
        packet = self.snapshot.row(row).packets[rest[0]]
        record, inner = self._record_of(packet, rest[1:])
        if record is None or not inner:
            return Place(row, packet.index, record)
        if inner[0] >= len(self.items(row, packet, record)):
            return Place(row, packet.index)
        leaf = _first_leaf(_descend(self.items(row, packet, record), inner))
        if leaf is None:
            return Place(row, packet.index, record)
        return Place(row, packet.index, record, leaf.path)

    def _record_of(self, packet: Packet, rest: Path) -> tuple[int | None, Path]:
        """Return the record of a node below a packet and the rest of its path; (None, ()) for nodes without one."""
        records = len(packet.decoded)
        if packet.type.body == "single":
            if rest and records:
                return (0, rest)
            return (None, ())
        if records > MOST_CHILDREN:
            if len(rest) > 1:
                return (rest[0] * GROUP + rest[1], rest[2:])
            return (None, ())
        if rest and rest[0] < records:
            return (rest[0], rest[1:])
        return (None, ())

    def path(self, place: Place) -> Path | None:
        """Return the node of a place, or of what holds it; None where the row is not shown."""
        path = self.path_of_row(place.row)
        if path is None or place.row == HEADER:
            names = [field.path for field in FIELDS]
            if path and place.field in names:
                return (0, names.index(place.field))
            return path
        if place.packet is None or place.packet >= self._packets(place.row):
            return path
        packet = self.snapshot.row(place.row).packets[place.packet]
        path = (*path, place.packet)
        if place.record is None or place.record >= len(packet.decoded):
            return path
        if packet.type.body != "single":
            if len(packet.decoded) > MOST_CHILDREN:
                path = path + divmod(place.record, GROUP)
            else:
                path = (*path, place.record)
        if place.field is None:
            return path
        return path + _path_of_field(self.items(place.row, packet, place.record), place.field)

    # --- texts of rows ----------------------------------------------------------------------------------

    def line(self, path: Path) -> TreeLine:
        """Return the texts of a node's row."""
        place = self.place(path)
        if place.row == HEADER:
            return self._header_line(place)
        row, rest = self.row_of(path)
        if row is None:
            return self._group_line(path, place)
        if not rest:
            return self._row_line(row, place)
        content = self.snapshot.row(row)
        packet = content.packets[rest[0]]
        if len(rest) == 1:
            return self._packet_line(packet, place)
        return self._line_below_packet(content, packet, rest[1:], place)

    def _bytes(self, rows: range) -> str:
        return f"{self.snapshot.position(rows.stop) - self.snapshot.position(rows.start):,}"

    def _group_line(self, path: Path, place: Place) -> TreeLine:
        rows = self.group(path)
        first = self.snapshot.table.frame_of_row(rows.start)
        stop = self.snapshot.table.frame_of_row(rows.stop)
        name = say("Frames {first:,} to {last:,}", first=first + 1, last=stop)
        return TreeLine(name, place, records=f"{len(rows):,}", size=self._bytes(rows), icon="frame")

    def _header_line(self, place: Place) -> TreeLine:
        header = self.snapshot.header
        if header is None:
            return TreeLine(say("No header"), place, icon="header", damaged=say("The file header is not readable"))
        if place.field is None:
            size = str(len(self.snapshot.header_bytes))
            return TreeLine(say("File header"), place, detail=str(header.map_name), size=size, icon="header")
        start, stop = span_of(self.snapshot, place)
        return TreeLine(
            field_title(place.field),
            place,
            value=header_texts(header)[place.field],
            unit="UTC" if place.field == "date" else "",
            size=str(stop - start),
        )

    def _row_line(self, row: int, place: Place) -> TreeLine:
        record = self.snapshot.table.row(row)
        size = self._bytes(range(row, row + 1))
        if record["kind"] == RAW:
            name = say("Outside of frames")
            if record["layout"] >= 0:
                name = say("Stray packets")
            damaged = say("These bytes belong to no frame")
            return TreeLine(name, place, size=size, icon="raw", bold=True, damaged=damaged)
        name = say("Frame {frame:,}", frame=self.snapshot.table.frame_of_row(row) + 1)
        value, _, unit = moment_text(self.snapshot, float(record["elapsed"]), self.units).partition(" ")
        damaged = ""
        if record["kind"] == OPEN_FRAME:
            damaged = say("The frame has no FrameEnd")
        return TreeLine(name, place, value=value, unit=unit, size=size, icon="frame", bold=True, damaged=damaged)

    def _packet_line(self, packet: Packet, place: Place) -> TreeLine:
        decoded = packet.decoded
        detail = ""
        value = ""
        unit = ""
        records = ""
        if packet.type.body == "list":
            records = f"{len(decoded):,}"
        elif packet.type.body == "opaque" and packet.id not in (0, 1):
            detail = packet.body[:12].hex(" ")
        elif packet.type.body == "single" and len(decoded) and len(packet.type.record.fields) == 1:
            leaf = decoded.leaves(0)[0]
            value, unit = value_text(leaf.field, decoded.value(leaf), self.units)
        return TreeLine(
            say(packet.name),
            place,
            detail=detail,
            value=value,
            unit=unit,
            records=records,
            size=f"{packet.size + 5:,}",
            icon="packet",
            damaged=decoded.damage.message if decoded.damage is not None else "",
        )

    def _line_below_packet(self, row: Row, packet: Packet, rest: Path, place: Place) -> TreeLine:
        """Return the texts of a group of records, a record, a field, or the remaining bytes."""
        record, inner = self._record_of(packet, rest)
        if record is None:
            return self._group_or_tail(packet, rest, place)
        if not inner:
            return self._record_line(row, packet, record, place)
        items = self.items(row.row, packet, record)
        if inner[0] >= len(items):
            return self._group_or_tail(packet, rest, place)
        item = _descend(items, inner)
        leaf = item.leaf
        if leaf is None:
            first, last = _ends(item)
            return TreeLine(item.label, place, icon="", size=f"{last - first}")
        value, unit = value_text(leaf.field, packet.decoded.value(leaf), self.units)
        if not unit and leaf.field.type in _INTEGERS and leaf.field.choices is None:
            unit = leaf.field.type
        return TreeLine(item.label, place, value=value, unit=unit, size=f"{leaf.stop - leaf.start}")

    def _group_or_tail(self, packet: Packet, rest: Path, place: Place) -> TreeLine:
        records = len(packet.decoded)
        if records > MOST_CHILDREN and rest[0] * GROUP < records:
            first = rest[0] * GROUP
            last = min(first + GROUP, records)
            name = say("Records {first:,} to {last:,}", first=first + 1, last=last)
            return TreeLine(name, place, records=f"{last - first:,}", icon="record")
        low, high = packet.decoded.tail
        return TreeLine(
            say("Remaining bytes"),
            place,
            detail=packet.body[low : low + 12].hex(" "),
            size=f"{high - low:,}",
            icon="raw",
            damaged=say("These bytes are no whole record"),
        )

    def _record_line(self, row: Row, packet: Packet, record: int, place: Place) -> TreeLine:
        low, high = packet.decoded.span(record)
        size = f"{high - low:,}"
        if packet.type.actor_field is None:
            name, detail = _record_name(packet, record)
            return TreeLine(name, place, detail=detail, size=size, icon="record")
        actor = packet.decoded.get(record, "id")
        assert isinstance(actor, int)
        detail = ""
        icon = "record"
        life_index = -1
        life = self._life_of(actor, row)
        if life is not None:
            detail = short_blueprint(life.blueprint)
            icon = icon_of(life)
            life_index = life.index
        value, unit = self._main_value(row, packet, record, actor)
        return TreeLine(str(actor), place, detail=detail, value=value, unit=unit, size=size, icon=icon, life=life_index)

    def _life_of(self, actor: int, row: Row) -> Life | None:
        if self.actors is None:
            return None
        frame_index = row.index if isinstance(row, Frame) else 0
        return self.actors.nearest(actor, frame_index)

    def _main_value(self, row: Row, packet: Packet, record: int, actor: int) -> tuple[str, str]:
        """Return the value of a record that is worth a column, a speed, a state or lights, and its unit."""
        if packet.name in ("Position", "Kinematics"):
            speed = speed_in(row, actor)
            if speed is None:
                return ("", "")
            return (number_text(speed * self.units.factor("m/s")), self.units.unit("m/s"))
        path = _MAIN_FIELDS.get(packet.name)
        if path is None:
            return ("", "")
        leaf = packet.decoded.leaf(record, path)
        return value_text(leaf.field, packet.decoded.value(leaf), self.units)


def _groups(count: int) -> int:
    """Return how many groups so many rows or records make."""
    return math.ceil(count / GROUP)


def _record_name(packet: Packet, record: int) -> tuple[str, str]:
    """Return the name of a record that belongs to no actor, and a detail beside it."""
    fields = list(packet.type.record.fields.values())[:3]
    texts = [exact_text(field, packet.decoded.get(record, field.path)) for field in fields]
    if packet.name == "EventParent":
        return say("{actor} on {parent}", actor=texts[0], parent=texts[1]), ""
    if packet.name == "Collision":
        pair = say("{actor} and {other}", actor=texts[1], other=texts[2])
        return pair, say("collision {number}", number=texts[0])
    if packet.name == "SceneLight":
        return say("light {number}", number=texts[0]), ""
    return say("{name} {record}", name=say(packet.type.record.name), record=record + 1), ""


def _items(leaves: tuple[Leaf, ...]) -> list[Item]:
    """Build a tree of leaves: the elements of an array stand under the leaf of its count."""
    top: list[Item] = []
    by_path: dict[str, Item] = {}
    elements: dict[str, Item] = {}
    for leaf in leaves:
        # "wheels[2].angle" is the field "angle" of the element "wheels[2".
        head, bracket, _ = leaf.path.rpartition("].")
        if not bracket:
            item = Item(field_title(leaf.path), leaf)
            top.append(item)
        else:
            element = elements.get(head)
            if element is None:
                array, _, number = head.rpartition("[")
                element = Item(f"{field_title(array)} {int(number) + 1}", None)
                elements[head] = element
                by_path[array].children.append(element)
            item = Item(field_title(leaf.field.path), leaf)
            element.children.append(item)
        by_path[leaf.path] = item
    return top


def _descend(items: list[Item], path: Path) -> Item:
    item = items[path[0]]
    for index in path[1:]:
        item = item.children[index]
    return item


def _path_of_field(items: list[Item], path: str) -> Path:
    """Return where a field is in a tree of items; empty where it is not there."""
    for index, item in enumerate(items):
        if item.leaf is not None and item.leaf.path == path:
            return (index,)
        inner = _path_of_field(item.children, path)
        if inner:
            return (index, *inner)
    return ()


def _first_leaf(item: Item) -> Leaf | None:
    if item.leaf is not None:
        return item.leaf
    if item.children:
        return _first_leaf(item.children[0])
    return None


def _ends(item: Item) -> tuple[int, int]:
    """Return the first byte of an item in its body, and the byte behind its last one."""
    first = item
    while first.leaf is None:
        first = first.children[0]
    last = item
    while last.children:
        last = last.children[-1]
    assert last.leaf is not None
    return first.leaf.start, last.leaf.stop
