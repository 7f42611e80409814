"""Edits of values: one field, several fields, one field over many frames, the values of FrameStart."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray
from ..errors import EditError, FieldError, PacketNameError
from ..format import INTEGER_RANGES, WIDTHS, Field, PacketType, exact_text, pack_value, packets_named
from ..format.codec import patch
from ..format.schema import Value
from ..progress import SILENT, Progress
from ..reading import Life
from ..recording import RAW, Bytes, Edit, Frame, FrameBlock, FrameTable, Place, RecordingLike, Snapshot, Splice
from ..recording.place import leaf_of, packet_of, row_name, row_of
from ..texts import N_, field_title, listed, say
from .block_rewrite import frames_within, patch_blocks
from .intents import edit_of, lives_of_names, name_id, over_frames, seconds
from .rows import raw_packets, with_packets
from .wrong_class import refuse_crash

Numbers = np.ndarray[tuple[int], np.dtype]

FRAME_FIELDS = ("frame_id", "duration", "elapsed")


def set_field(recording: RecordingLike, where: Place, value: Value, *, label: str | None = None) -> Edit:
    """Return the edit that sets one field.

    Args:
        recording: The recording, which is not changed.
        where: The field.
        value: Its new value.
        label: Of the edit; None: it names the field.

    Raises:
        FieldError: The value does not fit.
        EditError: There is no such field, or the simulator would crash on the record.
    """
    return set_fields(recording, [(where, value)], label=label)


def set_fields(recording: RecordingLike, values: Sequence[tuple[Place, Value]], *, label: str | None = None) -> Edit:
    """Return the edit that sets several fields, in one or several rows; as `set_field`."""
    snapshot = recording.snapshot
    if not values:
        raise EditError(say("No field is named."))
    by_row: dict[int, list[tuple[Place, Value]]] = {}
    for where, value in values:
        by_row.setdefault(where.row, []).append((where, value))
    splices: list[Splice] = []
    for row, changes in by_row.items():
        splices.extend(_row_splices(snapshot.snapshot, row, changes))
    first, value = values[0]
    if label is None:
        label = _label(recording, first, len(values), len(by_row))
    edit = Edit(label, snapshot.version, tuple(splices), intent=None)
    kinds = [packet_of(snapshot, where)[1].type for where, _ in values if where.packet is not None]
    return refuse_crash(snapshot.snapshot, edit, kinds)


def _row_splices(recording: RecordingLike, row: int, changes: Sequence[tuple[Place, Value]]) -> tuple[Splice, ...]:
    """Return the splices that set fields of a row."""
    snapshot = recording.snapshot
    content = row_of(snapshot, row)
    is_frame = isinstance(content, Frame)
    if is_frame and all(_is_frame_field(where) for where, _ in changes):
        values = {str(where.field): value for where, value in changes}
        return (Splice(row, 1, _with_start(snapshot, row, values)),)
    packets = raw_packets(content)
    for where, value in changes:
        if is_frame and _is_frame_field(where):
            where = Place(row, 0, 0, where.field)
        packet, leaf = leaf_of(snapshot, where)
        # Applied to the body after earlier changes of this edit, since strings may move later fields.
        number, body = packets[packet.index]
        if body is packet.body:
            current = packet.decoded
        else:
            current = type(packet)(0, number, packet.type, 0, body).decoded
        packets[packet.index] = (number, patch(current, where.record or 0, leaf.path, value))
    return with_packets(snapshot, row, packets, "").splices


def _is_frame_field(where: Place) -> bool:
    return where.field in FRAME_FIELDS and where.packet in (None, 0)


def _label(recording: RecordingLike, where: Place, number: int, rows: int) -> str:
    """Return the label of values in rows; with their number where they could be set over many frames, too."""
    if where.packet is None:
        names = field_title(where.field or "")
        return say("Set {names} of {row}", names=names, row=row_name(recording.snapshot, where.row))
    packet, leaf = leaf_of(recording.snapshot, where)
    if packet.type.actor_field:
        actor = packet.decoded.get(where.record or 0, "id")
        label = say("Set {field} of {actor}", field=short_label(packet.type, leaf.field), actor=actor)
    else:
        label = say("Set {field} in {packet}", field=leaf.field.label, packet=packet.name)
    if number > 1:
        label = say("{label} and {more} more", label=label, more=number - 1)
    if runs_over_frames(packet.type) and not leaf.field.actor:
        label = over_frames(label, rows)
    return label


def short_label(kind: PacketType, field: Field) -> str:
    """Return the name of a field: its last part where no other field of the record has that (`yaw`)."""
    names = [other.name for other in kind.record.fields.values()]
    if names.count(field.name) == 1:
        return field_title(field.name)
    return field.label


def runs_over_frames(kind: PacketType) -> bool:
    """Return whether fields of a packet can be set over many frames: records of actors, of fixed width."""
    return kind.actor_field is not None and kind.dtype is not None


def set_frame_start(recording: RecordingLike, row: int, values: Mapping[str, Value]) -> Edit:
    """Return the edit that sets `frame_id`, `duration` or `elapsed` (seconds) of a frame, in the frame table alone.

    Args:
        recording: The recording, which is not changed.
        row: Of the frame table.
        values: By name.

    Raises:
        FieldError: A value does not fit.
        EditError: A name is another one, or the row is no frame.
    """
    snapshot = recording.snapshot
    row_of(snapshot, row)
    if not values or not set(values) <= set(FRAME_FIELDS):
        raise EditError(say("A frame has {names} to be set.", names=listed(FRAME_FIELDS)))
    label = say("Set {names} of {row}", names=listed(field_title(name) for name in values), row=row_name(snapshot, row))
    return Edit(label, snapshot.version, (Splice(row, 1, _with_start(snapshot, row, values)),))


def _with_start(recording: RecordingLike, row: int, values: Mapping[str, Value]) -> FrameTable:
    """Return the row of a frame with other values of FrameStart."""
    snapshot = recording.snapshot
    if int(snapshot.table.row(row)["kind"]) == RAW:
        raise EditError(say("The damaged stretch at 0x{offset:06x} has no times.", offset=snapshot.position(row)))
    rows = snapshot.table.rows(row, row + 1).copy()
    fields = snapshot.dialect.packet(0).record.fields
    for name, value in values.items():
        raw = pack_value(fields[name], value)
        rows[name] = np.frombuffer(raw, rows.dtype[name])
    rows["stored"] = 0
    return FrameTable.from_rows(rows)


class ActorField(NamedTuple):
    """A field of an actor's records in a packet, to be changed over frames."""

    packet: PacketType
    field: Field
    actor: int

    @classmethod
    def at(cls, snapshot: Snapshot, where: Place) -> "ActorField":
        """Return the field at an address; raises `EditError` for fields without an actor or of variable width."""
        packet, leaf = leaf_of(snapshot, where)
        _refuse_field(packet.type, leaf.field)
        actor = packet.decoded.get(where.record or 0, "id")
        assert isinstance(actor, int)
        return cls(packet.type, leaf.field, actor)

    @classmethod
    def named(cls, snapshot: Snapshot, packet: str, field: str, actor: int) -> "ActorField":
        """Return the field of an actor.

        Args:
            snapshot: The recording.
            packet: Name or number of the packet.
            field: Name of the field.
            actor: Id of the actor.

        Raises:
            EditError: There is no such packet or field, or it cannot be edited over frames.
        """
        try:
            kind = packets_named(snapshot.dialect, packet)[0]
        except PacketNameError as error:
            raise EditError(error.message) from None
        leaf = kind.record.fields.get(field)
        if leaf is None:
            raise EditError(
                say(
                    "{packet} has no field {typed} in {title}.",
                    packet=packet,
                    typed=field,
                    title=snapshot.dialect.title,
                )
            )
        _refuse_field(kind, leaf)
        return cls(kind, leaf, actor)


def set_over(
    recording: RecordingLike, where: Place | ActorField, value: Value, frames: range, *, progress: Progress = SILENT
) -> Edit:
    """Return the edit that sets an actor's field to one value in every frame of a range that has it.

    In each frame the actor's last record in the first packet of the kind is changed.

    Args:
        recording: The recording, which is not changed.
        where: The field.
        value: Its new value.
        frames: Frame indices without steps; those beyond the recording are ignored.
        progress: Reports progress and cancels.

    Raises:
        EditError: The field has no actor or a variable width, no frame has it, or the range has steps.
        FieldError: The value does not fit.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    if isinstance(where, ActorField):
        target = where
    else:
        target = ActorField.at(snapshot, where)
    text = exact_text(target.field, value)
    raw = np.frombuffer(pack_value(target.field, value), np.uint8)

    def change(bytes_: Bytes) -> None:
        bytes_[:] = raw

    return _over(
        snapshot, target, frames, change, "set_over", N_("Set {field} of {actor} to {value}"), {"value": text}, progress
    )


def add_over(
    recording: RecordingLike, where: Place | ActorField, delta: float, frames: range, *, progress: Progress = SILENT
) -> Edit:
    """Return the edit that adds a number to an actor's field in every frame of a range that has it; as `set_over`.

    Angles are wrapped to -180 to 180.

    Args:
        recording: The recording, which is not changed.
        where: The field.
        delta: What is added, in the unit of the field.
        frames: Frame indices without steps.
        progress: Reports progress and cancels.

    Raises:
        EditError: Nothing can be added to the field; else as `set_over`.
        FieldError: A sum does not fit.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    if isinstance(where, ActorField):
        target = where
    else:
        target = ActorField.at(snapshot, where)
    leaf = target.field
    if leaf.choices or leaf.flags or leaf.is_raw or leaf.type == "bool":
        raise EditError(say("Nothing can be added to {label}; set it instead.", label=leaf.label), field=leaf.path)
    if not math.isfinite(delta):
        raise FieldError(say("{delta:g} cannot be added to {label}.", delta=delta, label=leaf.label), field=leaf.path)
    kind = np.dtype(f"<{leaf.type[0]}{int(leaf.type[1:]) // 8}")
    if kind.kind != "f" and delta != round(delta):
        raise FieldError(
            say("{label} takes whole numbers; {delta:g} is none.", label=leaf.label, delta=delta), field=leaf.path
        )

    def change(bytes_: Bytes) -> None:
        values = np.ascontiguousarray(bytes_).view(kind)[:, 0]
        if kind.kind == "f":
            added = _added_float(leaf, values, delta)
        else:
            added = _added_integer(leaf, values, round(delta))
        bytes_[:] = np.ascontiguousarray(added).view(np.uint8).reshape(bytes_.shape)

    return _over(
        snapshot,
        target,
        frames,
        change,
        "add_over",
        N_("Add {delta:g} to {field} of {actor}"),
        {"delta": delta},
        progress,
    )


def _added_float(field: Field, values: Numbers, delta: float) -> Numbers:
    # Values that are not finite keep their bits, without a warning.
    with np.errstate(invalid="ignore", over="ignore"):
        total = values.astype(np.float64) + delta
        if field.angle:
            total = (total + 180.0) % 360.0 - 180.0
        sums = total.astype(values.dtype)
    finite = np.isfinite(values)
    if not np.isfinite(sums[finite]).all():
        raise FieldError(say("The sum is too large for {label}.", label=field.label), field=field.path)
    return np.where(finite, sums, values)


def _added_integer(field: Field, values: Numbers, delta: int) -> Numbers:
    low, high = INTEGER_RANGES[field.type]
    if int(values.min()) + delta < low or int(values.max()) + delta > high:
        raise FieldError(
            say("The sum does not fit {label}: it holds {low:,} to {high:,}.", label=field.label, low=low, high=high),
            field=field.path,
        )
    # Modulo 2^64, which gives the sum for all signs.
    return (values.astype(np.uint64) + np.uint64(delta % 2**64)).astype(values.dtype)


def _refuse_field(kind: PacketType, field: Field) -> None:
    if not runs_over_frames(kind):
        raise EditError(
            say("{name} holds no actor's values of fixed width; only this frame can be edited.", name=kind.name)
        )
    if field.actor:
        raise EditError(say("An actor's id cannot be set over many frames this way."), field=field.path)


def _over(
    snapshot: Snapshot,
    target: ActorField,
    frames: range,
    change: Callable[[Bytes], None],
    operation: str,
    template: str,
    arguments: Mapping[str, object],
    progress: Progress,
) -> Edit:
    """Return the edit that changes the bytes of a field in frames.

    `template` is that of its label, to which the number of frames that have the field is added.
    """
    kind, field, actor = target
    frames = frames_within(snapshot, frames)
    _, start = kind.record.places[field.path]
    width = WIDTHS[field.type]
    count = 0

    def visit(block: FrameBlock) -> BoolArray:
        nonlocal count
        touched = np.zeros(len(block), np.bool_)
        for records in islice(block.records(kind), 1):
            rows, columns = records.last_of(actor)
            if not len(rows):
                continue
            values = records.bytes[rows, columns]
            change(values[:, start : start + width])
            records.bytes[rows, columns] = values
            touched[rows] = True
        count += int(touched.sum())
        return touched

    splices = patch_blocks(snapshot, frames, visit, progress)
    if not splices:
        raise EditError(say("No frame of the range has a {name} of {actor}.", name=kind.name, actor=actor))
    name = name_id(snapshot, actor, frames)
    lives: list[Life] = []
    if "blueprint" in name:
        lives = lives_of_names(snapshot, [name])
    label = over_frames(say(template, field=short_label(kind, field), actor=actor, **arguments), count)
    return edit_of(
        snapshot,
        operation,
        label,
        splices,
        lives=None,
        packet=kind.name,
        actors=[name],
        field=field.path,
        **arguments,
        **seconds(snapshot, frames, lives),
    )
