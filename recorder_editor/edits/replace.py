"""Find and replace: sets fields of all records that match a condition.

Records of fixed size are processed in blocks of frames, the values of FrameStart as columns of the frame table, and all
other records frame by frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import AnyArray, BoolArray, IndexArray
from ..errors import EditError, FieldError, NothingToDo
from ..format import INTEGER_RANGES, LONGEST_STRING, Field, PacketType, pack_value
from ..format.schema import Value
from ..format.values import text_of, unpack_value
from ..progress import SILENT, Progress
from ..reading import Actors
from ..reading.expression.query import Assignment, Query, parse
from ..reading.expression.records import ActorColumns, BlockRecords, PacketRecords, Records, RecordSubset, bits_of
from ..reading.expression.values import InexactError, Texts, bool_as_number, evaluate
from ..recording import RAW, Edit, Frame, FrameBlock, FrameTable, Intent, Packet, RecordingLike, Snapshot, Splice
from ..texts import N_, listed, say, say_count
from .block_rewrite import frames_within, patch_blocks, splices_of_rows
from .intents import seconds
from .rows import RawPacket, frames_with, raw_packets, with_packets
from .wrong_class import refuse_crash

Values = tuple[Any, Any]
"""Values of a field before and after: arrays of its type, or lists of bytes for texts."""

MAX_SHOWN = 1_000
_GAP = 64  # frames without such a packet that are faster to read than to skip


class FieldChange(NamedTuple):
    """A change of one field of one record.

    Attributes:
        frame_index: Index of the frame.
        packet: Index in its frame, FrameStart is 0.
        record: Ordinal, from 0.
        actor: Id, or None.
        field: Path; empty for a query without assignments.
        before: As stored.
        after: As stored.
    """

    frame_index: int
    packet: int
    record: int
    actor: int | None
    field: str
    before: Value
    after: Value


class ReplacePreview(NamedTuple):
    """The effect of a text.

    Attributes:
        matches: Number of records that match.
        frames: Number of frames with a match.
        changes: The first ones, in file order.
        more: Whether there are further ones.
        changed: Number of records that change.
    """

    matches: int
    frames: int
    changes: tuple[FieldChange, ...]
    more: bool
    changed: int


def replace_where(
    recording: RecordingLike, text: str, frames: range | None = None, progress: Progress = SILENT
) -> Edit:
    """Return the edit of a text such as `Position where id == 174 and location.z < 0: location.z = 0`.

    All values on the right are those before the edit. A NaN that would become NaN keeps its bits.

    Args:
        recording: The recording, which is not changed.
        text: The text.
        frames: Frame indices; None: all.
        progress: Reports progress and cancels.

    Raises:
        ExpressionError: The text is no query.
        EditError: Nothing is set, or the simulator would crash on a record.
        NothingToDo: Nothing matches or changes.
        FieldError: A field cannot hold a value, as other NaNs and fractions for whole numbers.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    query = parse(text, snapshot.dialect)
    query.need_map(snapshot)
    if not query.assignments:
        raise EditError(say("Nothing is set; behind the condition belongs a colon, and a field with its new value."))
    run = _Run(snapshot, query, 0)
    splices = run.execute(frames_within(snapshot, frames), progress, write=True)
    if not run.matches:
        hint = query.misspelt(Actors.of(snapshot))
        raise NothingToDo(say("No record of {name} matches.{hint}", name=query.kind.name, hint=hint))
    if not splices:
        raise NothingToDo(say("Every record of {name} that matches holds that already.", name=query.kind.name))
    names = listed(assignment.field.label for assignment in query.assignments)
    label = say_count(
        "Set {names} of {packet} in 1 record",
        "Set {names} of {packet} in {count:,} records",
        names=names,
        packet=query.kind.name,
        count=run.changed,
    )
    intent = Intent("replace_where", {"text": text, **seconds(snapshot, frames)})
    return refuse_crash(snapshot, Edit(label, snapshot.version, splices, intent=intent), [query.kind])


def preview(
    recording: RecordingLike,
    text: str,
    limit: int = MAX_SHOWN,
    frames: range | None = None,
    progress: Progress = SILENT,
) -> ReplacePreview:
    """Return the effect of `replace_where`; without a colon, the records that match.

    Writes nothing. Errors as `replace_where`, but none if nothing matches or changes.

    Args:
        recording: The recording.
        text: The text.
        limit: Number of changes that are shown.
        frames: Frame indices; None: all.
        progress: Reports progress and cancels.
    """
    snapshot = recording.snapshot
    query = parse(text, snapshot.dialect)
    query.need_map(snapshot)
    run = _Run(snapshot, query, limit)
    run.execute(frames_within(snapshot, frames), progress, write=False)
    changes = sorted(run.changes, key=lambda change: (change.frame_index, change.packet, change.record))
    return ReplacePreview(
        matches=run.matches, frames=run.frames, changes=tuple(changes), more=run.more, changed=run.changed
    )


# --- passes over the rows -------------------------------------------------------------------------------


@dataclass
class _Run:
    """One pass: counts, and the first changes."""

    snapshot: Snapshot
    query: Query
    limit: int
    matches: int = 0
    frames: int = 0
    changed: int = 0
    more: bool = False
    changes: list[FieldChange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._names = ActorColumns(self.snapshot)

    def execute(self, frames: range, progress: Progress, *, write: bool) -> tuple[Splice, ...]:
        """Return the splices of rows that change; none, and nothing is written, without `write`."""
        self._actors: Actors | None = None
        if self.query.needs_actors:
            # Reading the actors takes long and can be cancelled here.
            self._actors = Actors.of(self.snapshot, progress.part(0, 0))
        if not frames or self.query.kind.body in ("opaque", "empty"):
            return ()
        if self.query.kind.id == 0:
            return self._edit_starts(frames)
        if self.query.kind.dtype is None:
            return self._edit_rows(frames, progress, write=write)
        with_packet = frames_with(self.snapshot, self.query.kind, frames)
        stretches: list[range] = []
        if len(with_packet):
            for run in np.split(with_packet, np.flatnonzero(np.diff(with_packet) > _GAP) + 1):
                stretches.append(range(int(run[0]), int(run[-1]) + 1))
        return patch_blocks(self.snapshot, stretches, lambda block: self._in_block(block, write=write), progress)

    # --- blocks of records of one size ------------------------------------------------------------------

    def _in_block(self, block: FrameBlock, *, write: bool) -> BoolArray:
        """Change the block if `write`, and return which frames changed, bool[frames]."""
        kind = self.query.kind
        first = self.snapshot.table.frame_of_row(block.first)
        touched = np.zeros(len(block), np.bool_)
        matched = np.zeros(len(block), np.bool_)
        for packet in np.flatnonzero(block.layout.ids == kind.id).tolist():
            records = BlockRecords(kind, block, packet, first, self._names)
            if not records.valid.size:
                continue
            entries = np.nonzero(self.query.mask(records, records.shape) & records.valid)
            rows, columns = entries
            if not len(rows):
                continue
            matched[rows] = True
            values, changed = self._values(records, entries, packet + 1, columns)
            touched[rows[changed]] = True
            if write:
                for assignment, (_, after) in zip(self.query.assignments, values, strict=True):
                    # As integers: as floats, signalling NaNs may become quiet.
                    bits = bits_of(assignment.field)
                    records.values[assignment.field.path].view(bits)[entries] = after.view(bits)
        self.frames += int(matched.sum())
        return touched & write

    # --- FrameStart -------------------------------------------------------------------------------------

    def _edit_starts(self, frames: range) -> tuple[Splice, ...]:
        """Return the splices of frames with changed values of FrameStart."""
        table = self.snapshot.table
        first = table.row_of_frame(frames[0])
        stop = table.row_of_frame(frames[-1]) + 1
        rows = table.rows(first, stop).copy()
        held = np.flatnonzero(rows["kind"] != RAW)
        records = Records(
            self.query.kind, held.shape, rows[held], frames[0] + np.arange(len(held)), rows["elapsed"][held]
        )
        entries = np.nonzero(self.query.mask(records, records.shape))
        if not len(entries[0]):
            return ()
        self.frames += len(entries[0])
        values, changed = self._values(records, entries, 0, np.zeros(len(entries[0]), np.intp))
        for assignment, (_, after) in zip(self.query.assignments, values, strict=True):
            bits = bits_of(assignment.field)
            rows[assignment.field.path].view(bits)[held[entries[0]]] = after.view(bits)
        touched = held[entries[0][changed]]
        if not len(touched):
            return ()
        rows["stored"][touched] = 0
        begin = int(touched[0])
        end = int(touched[-1]) + 1
        return (Splice(first + begin, end - begin, FrameTable.from_rows(rows[begin:end])),)

    # --- records that differ in length ------------------------------------------------------------------

    def _edit_rows(self, frames: range, progress: Progress, *, write: bool) -> tuple[Splice, ...]:
        """Return the splices of frames with records that differ in length."""
        splices: list[Splice] = []
        with_packet = frames_with(self.snapshot, self.query.kind, frames).tolist()
        for frame_index in progress.over(with_packet):
            row = self.snapshot.table.row_of_frame(frame_index)
            packets = self._in_row(row)
            if write and packets is not None:
                splices += with_packets(self.snapshot, row, packets, "").splices
        return splices_of_rows([(splice.row, splice.inserted.rows()) for splice in splices])

    def _in_row(self, row: int) -> list[RawPacket] | None:
        """Return the changed packets of a frame; None if there is no change."""
        frame = self.snapshot.row(row)
        assert isinstance(frame, Frame)
        packets = raw_packets(frame)
        changed = False
        matched = False
        for packet in frame.packets:
            if packet.id != self.query.kind.id or not len(packet.decoded):
                continue
            records = PacketRecords(self.snapshot, frame, packet, self._actors)
            (ordinals,) = np.nonzero(self.query.mask(records, records.shape))
            if not len(ordinals):
                continue
            matched = True
            body = self._body(records, packet, ordinals)
            if body != packet.body:
                packets[packet.index] = (packet.id, body)
                changed = True
        self.frames += matched
        if changed:
            return packets
        return None

    def _body(self, records: PacketRecords, packet: Packet, ordinals: IndexArray) -> bytes:
        """Return the body of a packet with changed records."""
        values, _ = self._values(records, (ordinals,), packet.index, ordinals)
        parts: list[tuple[int, int, bytes]] = []
        for assignment, (_, after) in zip(self.query.assignments, values, strict=True):
            for ordinal, value in zip(ordinals.tolist(), after, strict=True):
                leaf = packet.decoded.leaf(ordinal, assignment.field.path)
                if isinstance(value, bytes):
                    raw = len(value).to_bytes(2, "little") + value
                else:
                    raw = value.tobytes()
                parts.append((leaf.start, leaf.stop, raw))
        pieces: list[bytes] = []
        end = 0
        for start, stop, raw in sorted(parts):
            pieces.append(packet.body[end:start])
            pieces.append(raw)
            end = stop
        pieces.append(packet.body[end:])
        return b"".join(pieces)

    # --- values of records ------------------------------------------------------------------------------

    def _values(
        self, records: Records, entries: tuple[IndexArray, ...], packet: int, ordinals: npt.NDArray[np.integer]
    ) -> tuple[list[Values], BoolArray]:
        """Return for each assignment the values before and after, and which records change, bool[n]."""
        subset = RecordSubset(records, entries)
        values: list[Values] = []
        changed = [np.zeros(len(ordinals), np.bool_)]
        for assignment in self.query.assignments:
            try:
                before, after = _new_values(assignment, subset, len(ordinals))
            except _Unfit as unfit:
                raise self._refusal(assignment.field, unfit, subset, ordinals) from None
            values.append((before, after))
            changed.append(_differing(assignment.field, before, after))
        self.matches += len(ordinals)
        differs = np.logical_or.reduce(changed)
        self.changed += int(differs.sum())
        self._show(subset, values, changed[1:], packet, ordinals)
        return values, differs

    def _refusal(
        self, wrong: Field, unfit: "_Unfit", subset: RecordSubset, ordinals: npt.NDArray[np.integer]
    ) -> FieldError:
        """Return the error for a value that a field cannot hold."""
        entry, value, reason = unfit.args
        frame = int(subset.frames[entry]) + 1
        actor = _actors_of(self.query.kind, subset)
        if actor is not None:
            template = N_("In frame {frame:,}, record {record:,} of {packet} (actor {actor})")
        else:
            template = N_("In frame {frame:,}, record {record:,} of {packet}")
        if self.query.kind.body != "list":
            template = N_("In frame {frame:,}")
        record = int(ordinals[entry]) + 1
        actor_id = None
        if actor is not None:
            actor_id = int(actor[entry])
        place = say(template, frame=frame, record=record, packet=self.query.kind.name, actor=actor_id)
        message = say(
            "{where}, {label} would become {value}: {why}.", where=place, label=wrong.label, value=value, why=reason
        )
        return FieldError(message, frame=frame, field=wrong.path)

    def _show(
        self,
        subset: RecordSubset,
        values: Sequence[Values],
        changed: Sequence[BoolArray],
        packet: int,
        ordinals: npt.NDArray[np.integer],
    ) -> None:
        """Add changes up to the limit."""
        room = self.limit - len(self.changes)
        if self.more or not len(ordinals) or not self.limit:
            return
        fields = [assignment.field for assignment in self.query.assignments]
        if fields:
            chosen = np.logical_or.reduce(changed)
        else:
            chosen = np.ones(len(ordinals), np.bool_)
        actors = _actors_of(self.query.kind, subset)
        frames = subset.frames
        shown: list[FieldChange] = []
        for entry in np.flatnonzero(chosen)[: room + 1].tolist():
            actor = None
            if actors is not None:
                actor = int(actors[entry])
            place = FieldChange(
                frame_index=int(frames[entry]),
                packet=packet,
                record=int(ordinals[entry]),
                actor=actor,
                field="",
                before="",
                after="",
            )
            if not fields:
                shown.append(place)
            for field_, (before, after), differs in zip(fields, values, changed, strict=True):
                if differs[entry]:
                    old = _value(field_, before[entry])
                    new = _value(field_, after[entry])
                    shown.append(place._replace(field=field_.path, before=old, after=new))
        self.more = len(shown) > room
        self.changes += shown[:room]


def _actors_of(kind: PacketType, subset: RecordSubset) -> AnyArray | None:
    if kind.actor_field is None:
        return None
    ids = subset.column("id")
    assert isinstance(ids, np.ndarray)
    return ids


def _value(field_: Field, stored: Any) -> Value:
    """Return a stored value of a field as a plain one."""
    if isinstance(stored, bytes):
        return text_of(stored)
    return unpack_value(field_, stored.tobytes())


def _differing(field_: Field, before: Any, after: Any) -> BoolArray:
    """Return which values of a field differ in their bits, bool[n]."""
    if field_.type == "str":
        return np.fromiter((old != new for old, new in zip(before, after, strict=True)), np.bool_, len(before))
    return np.asarray(before.view(bits_of(field_)) != after.view(bits_of(field_)))


# --- values that fit ------------------------------------------------------------------------------------


class _Unfit(Exception):
    """A value that its field cannot hold; `args`: the entry, the value as a text, why."""


def _new_values(assignment: Assignment, subset: RecordSubset, number: int) -> Values:
    """Return the values of a field before and after an assignment; `number` is that of the records."""
    target = assignment.field
    node = assignment.value
    before = subset.column(target.path)
    if node.kind == "number":
        assert isinstance(before, np.ndarray)
        (typed,) = np.frombuffer(pack_value(target, node.value), before.dtype)
        return before, np.full(number, typed)
    try:
        result = evaluate(node, subset, whole=target.type in INTEGER_RANGES)
    except InexactError as inexact:
        entry, value = inexact.args
        raise _Unfit(
            entry,
            say("the outcome of {value:.15g}", value=value),
            say("whole numbers of that size are not calculated exactly"),
        ) from None
    if isinstance(before, Texts):
        if isinstance(result, Texts):
            texts = result.listed()
        else:
            texts = [str(result)] * number
        stored = [_raw(text) for text in before.listed()]
        return stored, _fitting_texts(texts, stored)
    assert not isinstance(result, Texts)
    if assignment.is_copy and isinstance(result, np.ndarray) and result.dtype == before.dtype:
        return before, result
    numbers = np.broadcast_to(bool_as_number(result), (number,))
    if before.dtype.kind == "f":
        return before, _fitting_floats(numbers, before)
    return before, _fitting_integers(target, numbers, before.dtype)


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _fitting_texts(texts: Sequence[str], before: Sequence[bytes]) -> list[bytes]:
    raws = [_raw(text) for text in texts]
    for entry, raw in enumerate(raws):
        if len(raw) > LONGEST_STRING and raw != before[entry]:
            raise _Unfit(
                entry, say("{size:,} bytes long", size=len(raw)), say("it holds at most {most:,}", most=LONGEST_STRING)
            )
    return raws


def _fitting_floats(numbers: AnyArray, before: AnyArray) -> AnyArray:
    with np.errstate(all="ignore"):
        after = numbers.astype(before.dtype)
    stays = np.isnan(after) & np.isnan(before)
    # Infinite values may stay.
    is_wrong = ~np.isfinite(after) & ~stays & (after != before)
    if is_wrong.any():
        entry = int(np.argmax(is_wrong))
        value = float(numbers[entry])
        if value != value:
            template = N_("that is not a number")
        else:
            template = N_("that is too large for {bits} bits")
        raise _Unfit(entry, f"{value:.15g}", say(template, bits=before.dtype.itemsize * 8))
    if stays.any():
        after.view(f"u{after.itemsize}")[stays] = before.view(f"u{after.itemsize}")[stays]
    return after


def _fitting_integers(target: Field, numbers: AnyArray, dtype: np.dtype) -> AnyArray:
    low, high = INTEGER_RANGES[target.type]
    if numbers.dtype.kind == "f":
        with np.errstate(all="ignore"):
            is_whole = np.isfinite(numbers) & (numbers == np.floor(numbers))
        _need(is_whole, numbers, N_("it takes whole numbers alone"))
    _need((numbers >= low) & (numbers <= high), numbers, N_("it holds {low:,} to {high:,}"), low=low, high=high)
    return numbers.astype(dtype)


def _need(fits: BoolArray, numbers: AnyArray, template: str, **values: int) -> None:
    if not fits.all():
        entry = int(np.argmin(fits))
        value = numbers[entry].item()
        text = f"{value:,}"
        if isinstance(value, float):
            text = f"{value:.15g}"
        raise _Unfit(entry, text, say(template, **values))
