"""What a thing that differs between two recordings holds in one frame of each, and what taking it over writes.

Knows no Qt.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..format import Field
from ..format.schema import Value
from ..recording import Frame
from ..texts import field_title, say
from .describe import speed_in, value_text
from .frame_actors import positions_in
from .units import Units

if TYPE_CHECKING:
    from ..reports.diff import Comparison, Difference, Thing

_POSE = ("location.x", "location.y", "location.z", "rotation.yaw")
"""The fields of Position that are always shown of an actor."""

_MOST = 30  # values of a frame
_SPEED = Field("speed", "f64", "", unit="m/s")


class ComparedValue(NamedTuple):
    """A value of both recordings.

    Attributes:
        title: What it is.
        here: Its text in the open recording; empty where it has none.
        there: Its text in the other one, likewise.
        unit: The unit of both; empty without one.
    """

    title: str
    here: str
    there: str
    unit: str = ""


class Written(NamedTuple):
    """What taking a thing over writes of one packet type.

    Attributes:
        packet: The name of the packet.
        frames: In how many frames.
    """

    packet: str
    frames: int


def compared_values(
    comparison: "Comparison", thing: "Thing", here: Frame | None, there: Frame | None, units: Units
) -> list[ComparedValue]:
    """Return the values of a thing in a frame and in the frame of the other recording at the same moment.

    Args:
        comparison: The comparison that found the thing.
        thing: The thing.
        here: The frame of the open recording; None: it has none.
        there: The frame of the other one, likewise.
        units: The units in which values are shown.

    Returns:
        Of an actor where it is, its speed, and what else differs of it; of a packet what differs; of the header its
        fields that differ. At most 30; none of frames and of their order.

    Raises:
        RecorderError: A frame cannot be read any more.
        OSError: Likewise.
    """
    if thing.kind == "header":
        return [_of_header(change.field, change.value_a, change.value_b) for change in comparison.header]
    values: list[ComparedValue] = []
    if thing.kind in ("actor", "carried") and len(thing.ids) == 1:
        values += _pose(thing.ids[0], here, there, units)
    for difference in _differences(comparison, thing, here, there):
        if len(values) >= _MOST:
            break
        values.append(_of_difference(difference, units, names_packet=thing.kind == "actor"))
    return values


def _of_header(field: str, here: object, there: object) -> ComparedValue:
    here_text = "" if here is None else str(here)
    there_text = "" if there is None else str(there)
    return ComparedValue(field_title(field), here_text, there_text)


def _pose(actor: int, here: Frame | None, there: Frame | None, units: Units) -> Iterator[ComparedValue]:
    """Yield where an actor is in both frames, how it is turned, and how fast it is; none of one without a place."""
    fields_here = _position(actor, here)
    fields_there = _position(actor, there)
    for path in _POSE:
        field, value_here = fields_here.get(path, (None, None))
        other_field, value_there = fields_there.get(path, (None, None))
        field = field or other_field
        if field is not None:
            yield _both(field_title(path.partition(".")[2]), field, value_here, value_there, units)
    speeds = (speed_in(here, actor), speed_in(there, actor))
    if speeds != (None, None):
        yield _both(say("speed"), _SPEED, *speeds, units)


def _position(actor: int, frame: Frame | None) -> dict[str, tuple[Field, Value]]:
    """Return the fields of an actor's record of Position and their values, by path; none without a record."""
    packet = positions_in(frame) if frame is not None else None
    if packet is None:
        return {}
    record = packet.decoded.find_actor(actor)
    if record is None:
        return {}
    return {leaf.path: (leaf.field, packet.decoded.value(leaf)) for leaf in packet.decoded.leaves(record)}


def _both(title: str, field: Field, here: Value | None, there: Value | None, units: Units) -> ComparedValue:
    unit = ""
    here_text = ""
    there_text = ""
    if here is not None:
        here_text, unit = value_text(field, here, units)
    if there is not None:
        there_text, unit = value_text(field, there, units)
    return ComparedValue(title, here_text, there_text, unit)


def _differences(
    comparison: "Comparison", thing: "Thing", here: Frame | None, there: Frame | None
) -> Iterator["Difference"]:
    """Yield the fields that differ of a thing in both frames, without those that are shown of every actor."""
    from ..reports.diff.packets import compare_frames

    if here is None or there is None or thing.only or thing.kind not in ("actor", "packet"):
        return
    positions = positions_in(here)
    for difference in compare_frames(here, there, comparison.tolerance):
        if thing.kind == "packet":
            is_of_thing = difference.packet == thing.packet
        else:
            is_of_thing = difference.id in thing.ids
        is_position = positions is not None and difference.packet == positions.name
        is_shown = thing.kind == "actor" and is_position and difference.path in _POSE
        if is_of_thing and not is_shown:
            yield difference


def _of_difference(difference: "Difference", units: Units, *, names_packet: bool) -> ComparedValue:
    parts = []
    if names_packet:
        parts.append(difference.packet)
    elif difference.id is not None:
        parts.append(str(difference.id))
    if difference.path:
        parts.append(field_title(difference.path))
    title = " ".join(parts) or say("body")
    if difference.level == "field" and difference.field is not None:
        return _both(title, difference.field, difference.value_a, difference.value_b, units)
    if difference.level == "field":
        return _of_header(title, difference.value_a, difference.value_b)
    if difference.level == "bytes":
        return ComparedValue(title, say("other bytes"), say("other bytes"))
    missing = difference.packet_b if difference.level == "packet" else difference.record_b
    if missing is None:
        return ComparedValue(title, say("present"), "")
    return ComparedValue(title, "", say("present"))


def written(comparison: "Comparison", thing: "Thing") -> list[Written]:
    """Return what taking a thing over writes, or removes, by packet: in the order of the most frames.

    Known of actors and packets whose differences are listed by field; of others nothing is returned.
    """
    from ..reports.diff.groups import rows_of_spans

    rows: dict[str, list[np.ndarray]] = {}
    for group in comparison.groups:
        is_of_actor = thing.kind == "actor" and group.id in thing.ids
        is_of_packet = thing.kind == "packet" and group.packet == thing.packet
        if is_of_actor or is_of_packet:
            rows.setdefault(group.packet, []).append(rows_of_spans(group.spans))
    counts = [Written(packet, len(np.unique(np.concatenate(spans)))) for packet, spans in rows.items()]
    counts.sort(key=lambda each: (each.frames, each.packet))
    return counts
