"""What stands in the tree: how many children a node has, and what a row says. No Qt.

A node is a path of child numbers from the root. The outline of one frame begins with the file header and the current
row; that of the whole recording with the header and its rows, grouped by 1,000 where there are more.
"""

from dataclasses import dataclass, field

from ..format import Leaf, exact_text
from ..format.header import FIELDS
from ..reading import Actors, short_blueprint
from ..recording import RAW, Frame, Packet, Place, Row, Snapshot
from ..recording.frames import OPEN_FRAME
from ..texts import field_title, say
from .describe import header_texts, icon_of, moment_text, number_text, speed_in, value_text
from .selection import HEADER
from .units import AS_STORED, Units

GROUP = 1_000
MOST_CHILDREN = 5_000
_KEPT = 64

Path = tuple[int, ...]


@dataclass(slots=True)
class Item:
    """A field of a record, or an array with its elements, or an element with its fields."""

    label: str
    leaf: Leaf | None
    children: list["Item"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TreeLine:
    """What a row of the tree says.

    Attributes: `name`, `detail` (beside it, muted), `value` and `unit`, `records` and `size` (texts), `icon`, `bold`,
    `damaged` (a sentence, or empty), `place`, `life` (the index of that whose record it is, or -1).
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
    """The tree of a snapshot: one row of it (`whole` false) or all of them. Attribute: `units` (of what lines say)."""

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

    # --- the shape --------------------------------------------------------------------------------------

    def group(self, path: Path) -> range:
        """The rows of a group."""
        first = (path[0] - 1) * GROUP
        return range(first, min(first + GROUP, self.snapshot.rows))

    def count(self, path: Path) -> int:
        """How many children a node has."""
        if not path:
            if not self.whole:
                if self.snapshot.rows:
                    return 2
                return 1
            return 1 + (-(-self.snapshot.rows // GROUP) if self.is_grouped else self.snapshot.rows)
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

    def is_parent(self, path: Path) -> bool:
        """Known to have children before they are counted: a group, packets, a record of a size that is fixed."""
        row, rest = self.row_of(path)
        if row is None:
            return self.is_grouped and len(path) == 1 and path[0] > 0
        if not rest:
            return self._has_packets(row)
        if len(rest) < 2 or rest[0] >= self._packets(row):
            return False
        packet = self.snapshot.row(row).packets[rest[0]]
        if packet.type.body != "list" or packet.type.record.size is None:
            return False
        record, inner = self._record_of(packet, rest[1:])
        return record is not None and record < len(packet.decoded) and not inner

    def row_of(self, path: Path) -> tuple[int | None, Path]:
        """(row of the frame table, rest of the path) of a node below a row; (None, ()) for header and groups."""
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
        """The node of a row; None where this outline does not show it."""
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
        """A frame has its FrameStart at least; nothing is read to know that."""
        record = self.snapshot.table.row(row)
        return bool(record["kind"] != RAW or record["layout"] >= 0)

    def _packets(self, row: int) -> int:
        if self._has_packets(row):
            return len(self.snapshot.row(row).packets)
        return 0

    def _below_packet(self, row: int, packet: Packet, rest: Path) -> int:
        records = len(packet.decoded)
        grouped = records > MOST_CHILDREN
        if not rest:
            low, high = packet.decoded.tail
            extra = int(high > low and packet.type.body != "opaque")
            if packet.type.body == "single":
                if records:
                    return self._below_record(row, packet, 0, ()) + extra
                return extra
            return (-(-records // GROUP) if grouped else records) + extra
        record, inner = self._record_of(packet, rest)
        if record is None:  # a group of records, or what stands behind them
            if grouped:
                return max(0, min(GROUP, records - rest[0] * GROUP))
            return 0
        if record < records:
            return self._below_record(row, packet, record, inner)
        return 0

    def _below_record(self, row: int, packet: Packet, record: int, inner: Path) -> int:
        if packet.type.record.size is not None:
            if inner:
                return 0
            return len(packet.type.record.fields)
        items = self.items(row, packet, record)
        if not inner:
            return len(items)
        if inner[0] < len(items):
            return len(_down(items, inner).children)
        return 0

    def items(self, row: int, packet: Packet, record: int) -> list[Item]:
        """The fields of a record as a small tree."""
        key = (row, packet.index, record)
        if key not in self._items:
            if len(self._items) >= _KEPT:
                self._items.clear()
            self._items[key] = _items(packet.decoded.leaves(record))
        return self._items[key]

    # --- places -----------------------------------------------------------------------------------------

    def place(self, path: Path) -> Place:
        """What a node stands for."""
        if not path or path[0] == 0:
            return Place(HEADER, field=FIELDS[path[1]].path if len(path) > 1 else None)
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
        leaf = _leaf(_down(self.items(row, packet, record), inner))
        return Place(row, packet.index, record, leaf.path if leaf is not None else None)

    def _record_of(self, packet: Packet, rest: Path) -> tuple[int | None, Path]:
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
        """The node of a place, or of what holds it; None where the row is not shown."""
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
            grouped = len(packet.decoded) > MOST_CHILDREN
            if grouped:
                path = (*path, *divmod(place.record, GROUP))
            else:
                path = (*path, place.record)
        if place.field is None:
            return path
        inner = _find(self.items(place.row, packet, place.record), place.field)
        return (*path, *inner)

    # --- what rows say ----------------------------------------------------------------------------------

    def line(self, path: Path) -> TreeLine:
        """What a node's row says."""
        place = self.place(path)
        if place.row == HEADER:
            return self._header_line(place)
        row, rest = self.row_of(path)
        if row is None:
            group = self.group(path)
            frames = []
            for one in (group.start, group.stop):
                frames.append(self.snapshot.table.frame_of_row(one))
            name = say("Frames {first:,} to {last:,}", first=frames[0] + 1, last=frames[1])
            size = self._bytes(group)
            return TreeLine(name, place, records=f"{len(group):,}", icon="frame", size=size)
        found = None
        if rest:
            found = self.snapshot.row(row)
        if found is None:
            return self._row_line(row, place)
        packet = found.packets[rest[0]]
        if len(rest) == 1:
            return self._packet_line(packet, place)
        return self._record_line(found, packet, rest[1:], place)

    def _bytes(self, rows: range) -> str:
        return f"{self.snapshot.position(rows.stop) - self.snapshot.position(rows.start):,}"

    def _header_line(self, place: Place) -> TreeLine:
        header = self.snapshot.header
        if header is None:
            return TreeLine(say("No header"), place, icon="header", damaged=say("The file header is not readable"))
        if place.field is None:
            size = f"{len(self.snapshot.header_bytes)}"
            return TreeLine(say("File header"), place, str(header.map_name), size=size, icon="header")
        values = header_texts(header)
        unit = "UTC" if place.field == "date" else ""
        sizes = {}
        for one, start, stop in header.spans():
            sizes[one.path] = str(stop - start)
        return TreeLine(field_title(place.field), place, value=values[place.field], unit=unit, size=sizes[place.field])

    def _row_line(self, row: int, place: Place) -> TreeLine:
        record = self.snapshot.table.row(row)
        size = self._bytes(range(row, row + 1))
        if record["kind"] == RAW:
            if record["layout"] >= 0:
                name = say("Stray packets")
            else:
                name = say("Outside of frames")
            return TreeLine(
                name, place, size=size, icon="raw", bold=True, damaged=say("These bytes belong to no frame")
            )
        if record["kind"] == OPEN_FRAME:
            damaged = say("The frame has no FrameEnd")
        else:
            damaged = ""
        name = say("Frame {frame:,}", frame=self.snapshot.table.frame_of_row(row) + 1)
        value, _, unit = moment_text(self.snapshot, float(record["elapsed"]), self.units).partition(" ")
        return TreeLine(name, place, value=value, unit=unit, size=size, icon="frame", bold=True, damaged=damaged)

    def _packet_line(self, packet: Packet, place: Place) -> TreeLine:
        decoded = packet.decoded
        if packet.type.body == "list":
            records = f"{len(decoded):,}"
        else:
            records = ""
        value = ""
        unit = ""
        if packet.type.body == "single" and len(decoded) and len(packet.type.record.fields) == 1:
            leaf = decoded.leaves(0)[0]
            value, unit = value_text(leaf.field, decoded.value(leaf), self.units)
        if packet.type.body == "opaque" and packet.id not in (0, 1):
            detail = packet.body[:12].hex(" ")
        else:
            detail = ""
        damaged = decoded.damage.message if decoded.damage is not None else ""
        size = f"{packet.size + 5:,}"
        return TreeLine(say(packet.name), place, detail, value, unit, records, size, "packet", damaged=damaged)

    def _record_line(self, row: Row, packet: Packet, rest: Path, place: Place) -> TreeLine:
        record, inner = self._record_of(packet, rest)
        if record is None:
            return self._group_or_tail(packet, rest, place)
        if not inner:
            return self._one_record(row, packet, record, place)
        items = self.items(row.row, packet, record)
        if inner[0] >= len(items):
            return self._group_or_tail(packet, rest, place)
        item = _down(items, inner)
        leaf = item.leaf
        if leaf is None:
            first, last = _ends(item)
            return TreeLine(item.label, place, icon="", size=f"{last - first}")
        value, unit = value_text(leaf.field, packet.decoded.value(leaf), self.units)
        if leaf.field.type in ("u8", "u16", "u32", "u64", "i32", "i64") and not unit and leaf.field.choices is None:
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
        text = packet.body[low : low + 12].hex(" ")
        damaged = say("These bytes are no whole record")
        return TreeLine(say("Remaining bytes"), place, text, size=f"{high - low:,}", icon="raw", damaged=damaged)

    def _one_record(self, row: Row, packet: Packet, record: int, place: Place) -> TreeLine:
        low, high = packet.decoded.span(record)
        if packet.type.actor_field is None:
            return TreeLine(*self._named(packet, record, place), size=f"{high - low:,}", icon="record")
        actor = packet.decoded.get(record, "id")
        assert isinstance(actor, int)
        frame_index = row.index if isinstance(row, Frame) else 0
        life = None
        if self.actors is not None:
            life = self.actors.nearest(actor, frame_index)
        if life is not None:
            detail = short_blueprint(life.blueprint)
        else:
            detail = ""
        value, unit = self._gist(row, packet, record, actor)
        if life is not None:
            icon = icon_of(life)
        else:
            icon = "record"
        index = life.index if life is not None else -1
        return TreeLine(str(actor), place, detail, value, unit, "", f"{high - low:,}", icon, life=index)

    def _named(self, packet: Packet, record: int, place: Place) -> tuple[str, Place, str]:
        fields = list(packet.type.record.fields.values())
        texts = []
        for one in fields[:3]:
            texts.append(exact_text(one, packet.decoded.get(record, one.path)))
        if packet.name == "EventParent":
            return say("{actor} on {parent}", actor=texts[0], parent=texts[1]), place, ""
        if packet.name == "Collision":
            pair = say("{actor} and {other}", actor=texts[1], other=texts[2])
            return pair, place, say("collision {number}", number=texts[0])
        if packet.name == "SceneLight":
            return say("light {number}", number=texts[0]), place, ""
        return say("{name} {record}", name=say(packet.type.record.name), record=record + 1), place, ""

    def _gist(self, row: Row, packet: Packet, record: int, actor: int) -> tuple[str, str]:
        """The one value of a record that is worth a column: a speed, a state, a set of lights."""
        names = {
            "State": "state",
            "VehicleLight": "lights",
            "VehicleDoor": "open",
            "AnimWalker": "speed",
            "EventAdd": "type",
            "TrafficLightTime": "green",
        }
        if packet.name in ("Position", "Kinematics"):
            speed = speed_in(row, actor)
            unit = self.units.unit("m/s")
            if speed is not None:
                return (number_text(speed * self.units.factor("m/s")), unit)
            return ("", "")
        path = names.get(packet.name)
        if path is None:
            return "", ""
        leaf = packet.decoded.leaf(record, path)
        return value_text(leaf.field, packet.decoded.value(leaf), self.units)


def _items(leaves: tuple[Leaf, ...]) -> list[Item]:
    """Leaves as a tree: elements of an array stand under the leaf of its count."""
    top: list[Item] = []
    by_path: dict[str, Item] = {}
    elements: dict[str, Item] = {}
    for leaf in leaves:
        head, bracket, _ = leaf.path.rpartition("].")
        holder = top
        if bracket:
            element = elements.get(head)
            if element is None:
                name, _, number = head.rpartition("[")
                element = Item(f"{field_title(name)} {int(number) + 1}", None)
                elements[head] = element
                by_path[name].children.append(element)
            holder = element.children
        item = Item(field_title(leaf.field.path if bracket else leaf.path), leaf)
        by_path[leaf.path] = item
        holder.append(item)
    return top


def _down(items: list[Item], path: Path) -> Item:
    item = items[path[0]]
    for step in path[1:]:
        item = item.children[step]
    return item


def _find(items: list[Item], path: str) -> Path:
    for index, item in enumerate(items):
        if item.leaf is not None and item.leaf.path == path:
            return (index,)
        if item.children:
            inner = _find(item.children, path)
        else:
            inner = ()
        if inner:
            return (index, *inner)
    return ()


def _leaf(item: Item) -> Leaf | None:
    if item.leaf is not None:
        return item.leaf
    if item.children:
        return _leaf(item.children[0])
    return None


def _ends(item: Item) -> tuple[int, int]:
    if item.leaf is not None:
        leaves = [item.leaf]
    else:
        leaves = []
    if leaves:
        first = leaves[0].start
    else:
        first = _ends(item.children[0])[0]
    if item.children:
        last = _ends(item.children[-1])[1]
    else:
        last = leaves[-1].stop
    return first, last
