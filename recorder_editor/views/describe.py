"""What a place is, in words: the one tooltip of tree, bytes and scene, and how values are written for people."""

import math
from html import escape
from typing import TYPE_CHECKING

from ..format import Field, FileHeader, exact_text
from ..format.schema import Value
from ..format.values import flag_names
from ..reading import Actors, Life
from ..recording import Frame, Packet, Place, Snapshot
from ..texts import N_, field_title, listed, say, say_count, value_names
from .selection import HEADER, Found, look_up, span_of
from .units import AS_STORED, Units

if TYPE_CHECKING:
    from ..edits.segments import Segment
    from ..recording.note import Note

DECIMALS = 3
_LONGEST_TEXT = 80
_CLASS_ICONS = {"traffic light": "traffic-light", "traffic sign": "traffic-sign", "other": "prop"}


def value_text(field: Field, value: Value, units: Units = AS_STORED) -> tuple[str, str]:
    """A value as (number or words, unit), three decimals: what rows, forms and labels show."""
    if field.choices is not None and isinstance(value, int):
        return value_names(field.choices).get(int(value), str(int(value))), ""
    if field.flags is not None and isinstance(value, int):
        return flag_names(field, value), ""
    if isinstance(value, bool):
        return (say("yes") if value else say("no")), ""
    if isinstance(value, float):
        shown = number_text(value * units.factor(field.unit), units.decimals(field.unit, DECIMALS))
        return shown, units.unit(field.unit)
    if isinstance(value, bytes):
        return value.hex(" "), "hex"
    if isinstance(value, str):
        return f"“{value}”" if len(value) <= _LONGEST_TEXT else f"“{value[:_LONGEST_TEXT]}…”", ""
    return str(value), field.unit


def number_text(value: float, decimals: int = DECIMALS) -> str:
    """A number with three decimals or so, very large ones in powers of ten; `nan`, `inf`, `-inf`."""
    if abs(value) >= 1e9:
        return f"{value:.3e}"
    return f"{value:.{decimals}f}"


def moment_text(snapshot: Snapshot, seconds: float, units: Units) -> str:
    """A stored time of a recording with its unit, written as all of its moments are."""
    return " ".join(filter(None, units.moment(seconds, float(snapshot.elapsed[-1]), number_text(seconds))))


def describe(snapshot: Snapshot, place: Place, actors: Actors | None = None, units: Units = AS_STORED) -> str:
    """Rich text: what it is, value with unit, type, offset, actor, blueprint, role, speed."""
    start, stop = span_of(snapshot, place)
    where = listed((f"0x{start:06x}", say_count("1 byte", "{count:,} bytes", count=stop - start)), "clauses")
    if place.row == HEADER:
        return _lines([say("File header"), _header_line(snapshot, place.field), where])
    found = look_up(snapshot, place)
    if found.row is None:
        return ""
    if found.packet is None:
        return _lines([*_row_lines(snapshot, found, units), where])
    lines = [_title(found)]
    if found.leaf is not None:
        lines += _field_lines(found, units)
    elif found.record is None:
        lines.append(say("{meaning}.", meaning=say(found.packet.type.meaning)))
        if found.packet.decoded.damage is not None:
            lines.append(say("{message}.", message=found.packet.decoded.damage.message))
    lines.append(where)
    life = _life(found, actors)
    if life is not None:
        lines.append(actor_line(life))
        speed = speed_in(found.row, life.actor)
        if speed is not None:
            lines.append(units.text(speed, "m/s"))
    return _lines(lines)


def guide_place(packet: Packet | None) -> str:
    """What the guide says of a packet, as a page, `#` and a heading; empty where there is none."""
    if packet is not None:
        return f"packets.md#{packet.name} ({packet.id})"
    return ""


def _lines(lines: list[str]) -> str:
    from html import escape

    first, *rest = [escape(line) for line in lines if line]
    return "<br>".join([f"<b>{first}</b>", *rest])


def _header_line(snapshot: Snapshot, name: str | None) -> str:
    header = snapshot.header
    if header is None:
        return ""
    texts = header_texts(header)
    if name == "magic":
        return texts[name]
    said = {}
    for key in ("map", "date", "version"):
        said[key] = f"{field_title(key)} {texts[key]}"
    said["date"] += " UTC" if header.when is not None else ""
    return said.get(name or "", listed(said.values(), "clauses"))


def header_texts(header: FileHeader) -> dict[str, str]:
    """The values of the file header, by field."""
    return {
        "version": str(header.version),
        "magic": header.magic.decode("ascii", "replace"),
        "date": f"{header.when:%Y-%m-%d %H:%M:%S}" if header.when is not None else str(header.date),
        "map": str(header.map_name),
    }


def _row_lines(snapshot: Snapshot, found: Found, units: Units) -> list[str]:
    row = found.row
    if isinstance(row, Frame):
        moment = moment_text(snapshot, row.elapsed, units)
        template = N_("id {id}, {moment}, lasts {seconds} s")
        if row.is_open:
            template = N_("id {id}, {moment}, lasts {seconds} s, no FrameEnd")
        facts = say(template, id=row.frame_id, moment=moment, seconds=number_text(row.duration))
        return [say("Frame {index}", index=row.index + 1), facts]
    return [say("Outside of frames"), say("These bytes belong to no frame")]


def _title(found: Found) -> str:
    packet = found.packet
    assert packet is not None
    if found.record is None:
        return say("{name} (packet {id})", name=say(packet.name), id=packet.id)
    owner = packet.type.actor_field
    if owner is not None:
        return say("{name} of {actor}", actor=packet.decoded.get(found.record, "id"), name=say(packet.name))
    return say(
        "{name}, {kind} {record}", name=say(packet.name), kind=say(packet.type.record.name), record=found.record + 1
    )


def _field_lines(found: Found, units: Units) -> list[str]:
    packet = found.packet
    leaf = found.leaf
    assert packet is not None
    assert leaf is not None
    value = packet.decoded.value(leaf)
    shown, unit = value_text(leaf.field, value, units)
    exact = exact_text(leaf.field, value)
    lines = [f"{field_title(leaf.path)} = {shown}{' ' + unit if unit else ''}"]
    if exact not in (shown, shown.strip("“”")):
        if unit != leaf.field.unit:
            of = f" {leaf.field.unit}"
        else:
            of = ""
        lines.append(say("exactly {exact}", exact=f"{exact}{of}"))
    lines.append(say("{type}: {meaning}", type=leaf.field.type, meaning=say(leaf.field.meaning)))
    return lines


def _life(found: Found, actors: Actors | None) -> Life | None:
    actor = found.actor
    if actor is None or actors is None:
        return None
    return actors.nearest(actor, found.row.index if isinstance(found.row, Frame) else 0)


def actor_line(life: Life) -> str:
    """Id, blueprint and role of an actor in one line."""
    actor = life.actor
    blueprint = life.blueprint
    if not life.role_name:
        return f"{actor} {blueprint}"
    return say("{actor} {blueprint}, role {role}", actor=actor, blueprint=blueprint, role=life.role_name)


def speed_in(row: object, actor: int) -> float | None:
    """An actor's speed (m/s) by the Kinematics of a frame, or None where it has none."""
    if not isinstance(row, Frame):
        return None
    packet = row.packet("Kinematics")
    record = None
    if packet is not None:
        record = packet.decoded.find_actor(actor)
    if packet is None or record is None:
        return None
    values = packet.array[record]
    return math.sqrt(sum(float(values[f"linear_velocity.{axis}"]) ** 2 for axis in "xyz"))


def icon_of(life: Life) -> str:
    """The icon of an actor's class; a star for a hero."""
    if life.is_hero:
        return "star"
    return _CLASS_ICONS.get(life.class_, life.class_)


def item_tip(item: "Segment | Note") -> str:
    """What a tooltip says about a segment or a note."""
    words = say("frames {start:,} to {stop:,}", start=item.start + 1, stop=item.stop)
    return f"<b>{escape(item[0])}</b><br>{words}"
