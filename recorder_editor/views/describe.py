"""Texts about a place: the one tooltip of tree, bytes and scene, and how values are written for people."""

import math
from html import escape
from typing import TYPE_CHECKING

from ..format import Field, FileHeader, Leaf, exact_text
from ..format.schema import Value
from ..format.values import flag_names
from ..reading import Actors, Life
from ..recording import Frame, Packet, Place, Row, Snapshot
from ..texts import N_, field_title, listed, say, say_count, value_names
from .selection import HEADER, PlaceParts, look_up, span_of
from .units import AS_STORED, Units

if TYPE_CHECKING:
    from ..edits.segments import Segment
    from ..recording.note import Note

DECIMALS = 3
_LONGEST_TEXT = 80
CLASS_ICONS = {"traffic light": "traffic-light", "traffic sign": "traffic-sign", "other": "prop"}
"""The icons of classes of actors that are not named as these."""


def value_text(field: Field, value: Value, units: Units = AS_STORED) -> tuple[str, str]:
    """Return a value as rows, forms and labels show it.

    Args:
        field: The field that holds the value.
        value: The value as stored.
        units: Units in which quantities are shown.

    Returns:
        The number, with three decimals or as many as tell the same in the unit shown, or words; and the unit, empty
        for none.
    """
    if field.choices is not None and isinstance(value, int):
        return value_names(field.choices).get(int(value), str(int(value))), ""
    if field.flags is not None and isinstance(value, int):
        return flag_names(field, value), ""
    if isinstance(value, bool):
        text = say("yes") if value else say("no")
        return text, ""
    if isinstance(value, float):
        decimals = units.decimals(field.unit, DECIMALS)
        return number_text(value * units.factor(field.unit), decimals), units.unit(field.unit)
    if isinstance(value, bytes):
        return value.hex(" "), "hex"
    if isinstance(value, str):
        if len(value) > _LONGEST_TEXT:
            value = f"{value[:_LONGEST_TEXT]}…"
        return f"“{value}”", ""
    return str(value), field.unit


def number_text(value: float, decimals: int = DECIMALS) -> str:
    """Write a number with so many decimals, from 1e9 on with a power of ten; `nan`, `inf`, `-inf`."""
    if abs(value) >= 1e9:
        return f"{value:.3e}"
    return f"{value:.{decimals}f}"


def moment_text(snapshot: Snapshot, seconds: float, units: Units) -> str:
    """Write a stored time of a recording, as all of its moments are written.

    Args:
        snapshot: State with at least one frame; its last time decides between seconds and h:mm:ss.
        seconds: The time, s.
        units: Units in which moments are shown.

    Returns:
        The time with its unit, if it has one.
    """
    text, unit = units.moment(seconds, end=float(snapshot.elapsed[-1]), text=number_text(seconds))
    if unit:
        return f"{text} {unit}"
    return text


def describe(snapshot: Snapshot, place: Place, actors: Actors | None = None, units: Units = AS_STORED) -> str:
    """Describe a place in rich text: name, value with unit, type, bytes, and actor with blueprint, role and speed.

    Args:
        snapshot: State of the recording.
        place: Place to describe.
        actors: Actors of that state; None: the line about the actor is left out.
        units: Units in which quantities are shown.

    Returns:
        Lines with the first one bold; empty where there is no such row.
    """
    start, stop = span_of(snapshot, place)
    size = say_count("1 byte", "{count:,} bytes", count=stop - start)
    bytes_line = listed((f"0x{start:06x}", size), "clauses")
    if place.row == HEADER:
        return _rich_text(say("File header"), [_header_line(snapshot, place.field), bytes_line])
    parts = look_up(snapshot, place)
    if parts.row is None:
        return ""
    if parts.packet is None:
        title, facts = _row_texts(snapshot, parts.row, units)
        return _rich_text(title, [facts, bytes_line])
    lines: list[str] = []
    if parts.leaf is not None:
        lines += _field_lines(parts.packet, parts.leaf, units)
    elif parts.record is None:
        lines.append(say("{meaning}.", meaning=say(parts.packet.type.meaning)))
        if parts.packet.decoded.damage is not None:
            lines.append(say("{message}.", message=parts.packet.decoded.damage.message))
    lines.append(bytes_line)
    life = _life_of(parts, actors)
    if life is not None:
        lines.append(actor_line(life))
        speed = speed_in(parts.row, life.actor)
        if speed is not None:
            lines.append(units.text(speed, "m/s"))
    return _rich_text(_title(parts.packet, parts.record), lines)


def guide_place(packet: Packet | None) -> str:
    """Return where the guide describes a packet, as a page, `#` and a heading; empty for no packet."""
    if packet is not None:
        return f"packets.md#{packet.name} ({packet.id})"
    return ""


def _rich_text(title: str, lines: list[str]) -> str:
    """Join a title and lines; empty ones are left out."""
    parts = [f"<b>{escape(title)}</b>"]
    for line in lines:
        if line:
            parts.append(escape(line))
    return "<br>".join(parts)


def _header_line(snapshot: Snapshot, name: str | None) -> str:
    """Return the text of a field of the header, or of map, date and version for None."""
    header = snapshot.header
    if header is None:
        return ""
    texts = header_texts(header)
    if name == "magic":
        return texts[name]
    lines = {key: f"{field_title(key)} {texts[key]}" for key in ("map", "date", "version")}
    if header.when is not None:
        lines["date"] += " UTC"
    if name in lines:
        return lines[name]
    return listed(lines.values(), "clauses")


def header_texts(header: FileHeader) -> dict[str, str]:
    """Return the values of the file header as texts, by field."""
    if header.when is not None:
        date = f"{header.when:%Y-%m-%d %H:%M:%S}"
    else:
        date = str(header.date)
    return {
        "version": str(header.version),
        "magic": header.magic.decode("ascii", "replace"),
        "date": date,
        "map": str(header.map_name),
    }


def _row_texts(snapshot: Snapshot, row: Row, units: Units) -> tuple[str, str]:
    """Return the title of a row and a line about it."""
    if not isinstance(row, Frame):
        return say("Outside of frames"), say("These bytes belong to no frame")
    template = N_("id {id}, {moment}, lasts {seconds} s")
    if row.is_open:
        template = N_("id {id}, {moment}, lasts {seconds} s, no FrameEnd")
    moment = moment_text(snapshot, row.elapsed, units)
    facts = say(template, id=row.frame_id, moment=moment, seconds=number_text(row.duration))
    return say("Frame {index}", index=row.index + 1), facts


def _title(packet: Packet, record: int | None) -> str:
    name = say(packet.name)
    if record is None:
        return say("{name} (packet {id})", name=name, id=packet.id)
    if packet.type.actor_field is not None:
        return say("{name} of {actor}", actor=packet.decoded.get(record, "id"), name=name)
    return say("{name}, {kind} {record}", name=name, kind=say(packet.type.record.name), record=record + 1)


def _field_lines(packet: Packet, leaf: Leaf, units: Units) -> list[str]:
    """Return the lines about a field: its value, the exact value where that differs, type and meaning."""
    value = packet.decoded.value(leaf)
    shown, unit = value_text(leaf.field, value, units)
    value_line = f"{field_title(leaf.path)} = {shown}"
    if unit:
        value_line = f"{value_line} {unit}"
    lines = [value_line]
    exact = exact_text(leaf.field, value)
    if exact not in (shown, shown.strip("“”")):
        if unit != leaf.field.unit:
            exact = f"{exact} {leaf.field.unit}"
        lines.append(say("exactly {exact}", exact=exact))
    lines.append(say("{type}: {meaning}", type=leaf.field.type, meaning=say(leaf.field.meaning)))
    return lines


def _life_of(parts: PlaceParts, actors: Actors | None) -> Life | None:
    if parts.actor is None or actors is None:
        return None
    frame_index = parts.row.index if isinstance(parts.row, Frame) else 0
    return actors.nearest(parts.actor, frame_index)


def actor_line(life: Life) -> str:
    """Return id, blueprint and role of an actor in one line."""
    if not life.role_name:
        return f"{life.actor} {life.blueprint}"
    return say("{actor} {blueprint}, role {role}", actor=life.actor, blueprint=life.blueprint, role=life.role_name)


def speed_in(row: object, actor: int) -> float | None:
    """Return the speed (m/s) of an actor by the Kinematics of a frame; None without a record, or for a raw row."""
    if not isinstance(row, Frame):
        return None
    packet = row.packet("Kinematics")
    if packet is None:
        return None
    record = packet.decoded.find_actor(actor)
    if record is None:
        return None
    values = packet.array[record]
    return math.sqrt(sum(float(values[f"linear_velocity.{axis}"]) ** 2 for axis in "xyz"))


def icon_of(life: Life) -> str:
    """Return the icon of an actor's class; a star for a hero."""
    if life.is_hero:
        return "star"
    return CLASS_ICONS.get(life.class_, life.class_)


def item_tip(item: "Segment | Note") -> str:
    """Return the tooltip of a segment or a note: its name or text, and its frames."""
    frames = say("frames {start:,} to {stop:,}", start=item.start + 1, stop=item.stop)
    return f"<b>{escape(item[0])}</b><br>{frames}"
