"""Conversion to another dialect: packet ids, numbers of types, header version, widths of vectors and wheels.

Fields are matched by packet and name. Fields without a counterpart are left out and listed as losses; without losses,
converting back gives the same bytes. Blueprints and uids become those of the target where they are known; converting
back gives those of the release of the recording. Maps and physics are those of the recording build, and stay.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...arrays import IntArray
from ...errors import EditError
from ...format import DIALECTS, PACKET_HEADER, Detection, Dialect, FileHeader, dialect_named
from ...format.packet_files import like
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...reading.lives import SPECTATOR_ID
from ...reading.tracks import COLUMNS
from ...recording import RAW, START_SIZE, Bytes, Edit, FrameBlock, FrameTable, Intent, RecordingLike, Snapshot, Splice
from ...recording.blocks import counts_of
from ...recording.compose import compose
from ...texts import listed, say
from ..block_rewrite import Piece, RewrittenFrames, as_row, join_pieces, rewrite_blocks
from ..uniform_frames import Patterns, Records, UniformFrames
from .bodies import Recipe, recipe
from .packet_map import Kind, Loss, Notes, PacketMap, PacketMapping, Tally, is_lossy
from .renaming import EVERY, KINDS, NEAREST, Renaming, Substitutes

LARGEST_BODY = 4 << 20
"""Largest body of records that differ in length, bytes: its recipe takes sixty times as many."""

_NO_RECORDS = b"\0\0"
"""The body of a list packet without records: its count."""


class Converter:
    """Converts blocks of frames and counts losses."""

    def __init__(self, snapshot: Snapshot, packet_map: PacketMap, tally: Tally) -> None:
        self._table = snapshot.table
        self._packet_map = packet_map
        self._tally = tally
        self._patterns = Patterns(packet_map.source_type, with_single=True)
        self._recipes: dict[tuple[int, int], tuple[IntArray, Recipe]] = {}
        self._cached_size = 0  # bytes of the bodies of cached recipes

    def frames(self, block: FrameBlock) -> Iterator[RewrittenFrames]:
        """Yield the converted frames of a block; nothing if they do not change."""
        if self._packet_map.changes(block.layout, whole=True):
            first = self._table.frame_of_row(block.first)
            frames = first + np.arange(len(block), dtype=np.int64)
            for uniform in self._patterns.groups(block, np.arange(len(block))):
                yield self._convert(uniform, frames[uniform.rows], whole=True)

    def stray(self, block: FrameBlock) -> Iterator[RewrittenFrames]:
        """Yield the converted packets outside of frames, with space for a FrameStart before them."""
        if self._packet_map.changes(block.layout, whole=False):
            frames = np.full(1, self._table.frame_of_row(block.first), np.int64)
            for uniform in self._patterns.groups(block, np.arange(1)):
                yield self._convert(uniform, frames, whole=False)

    def _convert(self, uniform: UniformFrames, frames: IntArray, *, whole: bool) -> RewrittenFrames:
        layout = uniform.block.layout
        data = uniform.data
        notes = Notes(self._tally, frames)
        records_of = {records.packet: records for records in uniform.lists}
        added: dict[int, list[bytes]] = {}
        if whole:
            added = self._packet_map.added(layout)
        pieces: list[Piece] = [slice(0, START_SIZE)]
        headers: list[bytes] = []
        end = START_SIZE
        for index, (number, offset, size) in enumerate(layout.packets()):
            for header in added.get(index, ()):
                headers.append(header)
                pieces.append(as_row(header + _NO_RECORDS))
            start = START_SIZE + offset + PACKET_HEADER.size
            end = start + size
            mapping = self._packet_map.mapping(number)
            if mapping.reason is not None:
                self._count_left_out(mapping, mapping.reason, data[:, start:end], notes)
            if mapping.number is None:
                continue
            body: Piece = slice(start, end)
            if mapping.reason is not None:
                body = as_row(_NO_RECORDS)
                size = len(_NO_RECORDS)
            if mapping.target is not None:
                records = records_of.get(index)
                if records is None:
                    notes.add("unreadable", mapping.kind.name, np.ones(len(data), np.bool_))
                elif _has_records(mapping, size):
                    convert_bodies = self._recipe(records, data, size, int(frames[0]))
                    body = convert_bodies(data[:, start:end], notes)
                    size = body.shape[1]
            header = PACKET_HEADER.pack(mapping.number, size)
            headers.append(header)
            pieces.append(as_row(header))
            pieces.append(body)
        pieces.append(slice(end, data.shape[1]))
        return RewrittenFrames(uniform.rows, join_pieces(data, pieces), b"".join(headers))

    def _recipe(self, records: Records, data: Bytes, size: int, frame: int) -> Recipe:
        """The recipe for bodies of so many bytes; the last ones are kept, since neighbouring blocks are alike."""
        if records.kind.record.size is None and size > LARGEST_BODY:
            message = say(
                "{name} of frame {frame:,} takes {size:,} bytes; at most {largest_body:,} can be converted.",
                name=records.kind.name,
                frame=frame + 1,
                size=size,
                largest_body=LARGEST_BODY,
            )
            raise EditError(message, frame=frame + 1)
        key = (records.kind.id, size)
        if key in self._recipes:
            starts, cached = self._recipes[key]
            if starts is records.starts:
                return cached
        sample = data[0, records.body : records.body + size]
        result = recipe(self._packet_map, records, sample)
        self._cached_size += size
        if self._cached_size > LARGEST_BODY:
            self._recipes.clear()
            self._cached_size = size
        self._recipes[key] = (records.starts, result)
        return result

    def _count_left_out(self, mapping: PacketMapping, reason: Kind, body: Bytes, notes: Notes) -> None:
        """Count the records of a packet that is left out."""
        size = body.shape[1]
        counts = np.ones(len(body), np.int64)
        if mapping.kind.body == "list" and size >= len(_NO_RECORDS):
            counts = counts_of(body)
            counts[(counts == 0) & (size > len(_NO_RECORDS))] = 1
        if size and (mapping.number is None or size > len(_NO_RECORDS)):
            notes.add(reason, mapping.kind.name, counts)


def _has_records(mapping: PacketMapping, size: int) -> bool:
    """Whether a body of so many bytes holds more than the count of a list."""
    if mapping.kind.body == "list":
        return size > len(_NO_RECORDS)
    return size > 0


__all__ = [
    "EVERY",
    "NEAREST",
    "Conversion",
    "Loss",
    "Preview",
    "Renaming",
    "Substitutes",
    "convert",
    "is_lossy",
    "preview",
    "warning",
    "with_blueprints_of",
]


@dataclass(frozen=True, slots=True)
class Conversion:
    """An edit that converts, and its losses.

    Attributes:
        edit: The edit.
        losses: What is lost, then what changes without loss.
        warning: As of `warning`; empty: none.
    """

    edit: Edit
    losses: tuple[Loss, ...]
    warning: str = ""

    @property
    def is_lossy(self) -> bool:
        """Whether something is lost, not merely rounded to the nearest float."""
        return is_lossy(self.losses)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The warning, and a sentence for each loss with its first frame."""
        remarks = []
        if self.warning:
            remarks.append(self.warning)
        for loss in self.losses:
            remark = loss.message
            if loss.frame_index is not None:
                frame = loss.frame_index + 1
                remark = say("{message} First in frame {frame}.", message=loss.message, frame=frame)
            remarks.append(remark)
        return tuple(remarks)


def convert(
    recording: RecordingLike,
    dialect: str | Dialect,
    progress: Progress = SILENT,
    *,
    keep_blueprints: bool = False,
    substitutes: Substitutes | None = None,
) -> Conversion:
    """Return the edit that converts a recording to another dialect, and what it loses.

    Empty packets that the target's recorder writes in every frame are added, and removed on the way back (frames
    without the packets of every recorder are skipped). Doubles are rounded to floats: that is listed, but a loss only
    if a finite value is too large. Bytes outside of frames that are no packets stay. Blueprints get the names and uids
    of the target; one that it lacks is a loss, and stays.

    Args:
        recording: The recording.
        dialect: The target, or its name.
        progress: Of the conversion.
        keep_blueprints: Blueprints and uids stay as they are.
        substitutes: Blueprints that stand in for those that the target lacks, by name; `"nearest"` is the nearest one
            of the class, and the name `"*"` is every one that the target lacks. Positions and attributes stay.

    Raises:
        EditError: The name is unknown, there is no file header for the version that the target needs, or a substitute
            does not fit.
        Cancelled: The user cancelled it.
    """
    snapshot = recording.snapshot
    packet_map = _map(snapshot, dialect)
    target = packet_map.target
    _header(snapshot, target)
    renaming = _renaming(snapshot, target, progress.quiet(), keep_blueprints, substitutes)
    tally = Tally()
    label = say("Convert to {name}", name=target.name)
    arguments: dict[str, object] = {"dialect": target.name}
    if keep_blueprints:
        arguments["keep_blueprints"] = True
    if substitutes:
        arguments["substitutes"] = dict(substitutes)
    steps: list[Callable[[Snapshot], Edit]] = []
    if renaming is not None:
        renamed = renaming.edit(label)
        if renamed is not None:
            steps.append(lambda _: renamed)
    steps.append(partial(_converted, packet_map=packet_map, tally=tally, progress=progress))
    edit = replace(compose(snapshot, label, steps), intent=Intent("convert", arguments))
    losses = _all_losses(tally.losses(packet_map.source, target, len(snapshot)), renaming)
    return Conversion(edit, losses, warning(snapshot, target))


def _converted(snapshot: Snapshot, packet_map: PacketMap, tally: Tally, progress: Progress) -> Edit:
    """The edit that converts packets, and counts what is lost."""
    source = packet_map.source
    target = packet_map.target
    header = _header(snapshot, target)
    converter = Converter(snapshot, packet_map, tally)
    splices = rewrite_blocks(snapshot, range(len(snapshot)), converter.frames, progress)
    stray = _stray(snapshot, converter, progress)
    reasons = (say("Converted from {title}, {name}.", title=source.title, name=source.name),)
    detection = Detection(packet_map.dialect(), reasons, forced=True)
    return Edit(
        label=say("Convert to {name}", name=target.name),
        version=snapshot.version,
        splices=(*splices, *reversed(stray)),
        header=header,
        detection=detection,
    )


def _renaming(
    snapshot: Snapshot, target: Dialect, progress: Progress, keep: bool, substitutes: Substitutes | None
) -> Renaming | None:
    """The changes of blueprints; None if they are kept."""
    if keep:
        return None
    return Renaming(snapshot, target, substitutes or {}, progress)


def _all_losses(losses: Sequence[Loss], renaming: Renaming | None) -> tuple[Loss, ...]:
    """Losses of packets and of blueprints, then changes without loss."""
    changes = list(losses)
    if renaming is not None:
        changes += renaming.losses()
    changes.sort(key=lambda loss: not loss.is_lossy)
    return tuple(changes)


def with_blueprints_of(losses: Sequence[Loss], renaming: Renaming) -> tuple[Loss, ...]:
    """Return the losses of a preview, with those of other changes of blueprints in place of its own."""
    of_packets = [loss for loss in losses if loss.kind not in KINDS]
    return _all_losses(of_packets, renaming)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a conversion would lose and change.

    Attributes:
        losses: As of `convert`.
        renaming: The changes of blueprints; None if they are kept.
    """

    losses: tuple[Loss, ...]
    renaming: Renaming | None


def preview(
    recording: RecordingLike,
    dialect: str | Dialect,
    progress: Progress = SILENT,
    *,
    keep_blueprints: bool = False,
    substitutes: Substitutes | None = None,
) -> Preview:
    """Return the losses of `convert`, without writing anything, and the changes of blueprints.

    Arguments and errors are those of `convert`.
    """
    snapshot = recording.snapshot
    packet_map = _map(snapshot, dialect)
    tally = Tally()
    _header(snapshot, packet_map.target)
    renaming = _renaming(snapshot, packet_map.target, progress.quiet(), keep_blueprints, substitutes)
    converter = Converter(snapshot, packet_map, tally)

    def count(block: FrameBlock) -> Sequence[RewrittenFrames]:
        for _ in converter.frames(block):
            pass
        return ()

    rewrite_blocks(snapshot, range(len(snapshot)), count, progress)
    for row in _stray_rows(snapshot):
        for _ in converter.stray(_as_block(snapshot, row)):
            pass
    losses = tally.losses(packet_map.source, packet_map.target, len(snapshot))
    return Preview(_all_losses(losses, renaming), renaming)


def _map(snapshot: Snapshot, dialect: str | Dialect) -> PacketMap:
    if isinstance(dialect, Dialect):
        return PacketMap(snapshot.dialect, dialect)
    try:
        return PacketMap(snapshot.dialect, like(dialect_named(dialect), snapshot.dialect))
    except KeyError:
        raise EditError(
            say("There is no dialect {dialect}; there are {names}.", dialect=dialect, names=listed(DIALECTS))
        ) from None


def _header(snapshot: Snapshot, target: Dialect) -> FileHeader | None:
    """The new file header; None if it stays."""
    if snapshot.header is None:
        if target.header_version != 1:
            raise EditError(
                say(
                    "The file has no readable header, and {name} needs one of version {version}: "
                    "without it attributes would be read as other types. Repair the file first.",
                    name=target.name,
                    version=target.header_version,
                )
            )
        return None
    if snapshot.header.version == target.header_version:
        return None
    return replace(snapshot.header, version=target.header_version)


def warning(snapshot: Snapshot, target: Dialect) -> str:
    """Return sentences on what no conversion to a dialect can carry, and what its simulators would do wrong.

    Empty if there is nothing to say.
    """
    sentences: list[str] = []
    if snapshot.dialect.engine != target.engine:
        sentences.append(
            say(
                "Blueprints, their numbers, maps and physics of Unreal 4 and 5 differ: the "
                "simulator may create other actors than were recorded, or none."
            )
        )
    spectator = None
    if target.ignores_spectator:
        spectator = _spectator_that_moves_others(snapshot)
    if spectator is not None:
        sentences.append(
            say(
                "The spectator is actor {actor}: from CARLA 0.9.15 on a replay moves whatever "
                "actor of the simulator has that id. The check of the result has a fix that "
                "gives it the id 1.",
                actor=spectator.actor,
            )
        )
    return " ".join(sentences)


def _spectator_that_moves_others(snapshot: Snapshot) -> Life | None:
    """The spectator if a simulator that ignores it would move another actor by its Positions (reference 6.4).

    Such a simulator knows the spectator by its id, which is always the same there.
    """
    for life in Actors.of(snapshot):
        if not life.is_spectator or life.actor == SPECTATOR_ID or life.born >= len(snapshot):
            continue
        packet = snapshot.frame(life.born).packet(COLUMNS["positions"][0])
        if packet is not None and life.actor in packet.decoded.actors:
            return life
    return None


def _stray(snapshot: Snapshot, converter: Converter, progress: Progress) -> list[Splice]:
    """Splices for packets outside of frames; a row without packets left is removed."""
    splices: list[Splice] = []
    for number in _stray_rows(snapshot):
        progress.check()
        for rewritten in converter.stray(_as_block(snapshot, number)):
            data = rewritten.data[0, START_SIZE:].tobytes()
            row = snapshot.table.rows(number, number + 1).copy()
            if data:
                source, offset = snapshot.store.append(data)
                row["source"] = source
                row["offset"] = offset
                row["size"] = len(data)
                row["stored"] = 1
                row["layout"] = snapshot.layouts.add(rewritten.headers or b"")
            else:
                row = row[:0]
            splices.append(Splice(number, 1, FrameTable.from_rows(row)))
    return splices


def _stray_rows(snapshot: Snapshot) -> Iterator[int]:
    """The rows of packets outside of frames."""
    first = 0
    for chunk in snapshot.table.chunks:
        is_stray = (chunk["kind"] == RAW) & (chunk["layout"] >= 0)
        for index in np.flatnonzero(is_stray).tolist():
            yield first + index
        first += len(chunk)


def _as_block(snapshot: Snapshot, number: int) -> FrameBlock:
    """A row of packets outside of frames as a block of one frame, with space for a FrameStart."""
    row = snapshot.table.rows(number, number + 1)
    size = int(row["size"][0])
    data = np.zeros((1, START_SIZE + size), np.uint8)
    source = int(row["source"][0])
    offset = int(row["offset"][0])
    snapshot.store.read_into(source, offset, data[0, START_SIZE:].data)
    layout = snapshot.layouts.get(int(row["layout"][0]))
    return FrameBlock(number, row, data, layout)
