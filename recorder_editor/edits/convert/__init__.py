"""Conversion to another dialect: packet ids, numbers of types, header version, widths of vectors and wheels.

Fields are matched by packet and name. Fields without a counterpart are left out and listed as losses; without losses,
converting back gives the same bytes. Blueprints, uids, maps and physics are those of the recording build, and stay.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import EditError, listed, say
from ...format import DIALECTS, Detection, Dialect, FileHeader
from ...progress import SILENT, Progress
from ...recording import RAW, START_SIZE, Block, Edit, FrameTable, Intent, RecordingLike, Snapshot, Splice
from ..block_rewrite import RewrittenFrames, rewrite_blocks
from .frames import Converter
from .packet_map import Loss, PacketMap, Tally, is_lossy

__all__ = ["Conversion", "Loss", "convert", "is_lossy", "preview_losses", "warning"]


@dataclass(frozen=True, slots=True)
class Conversion:
    """An edit that converts, and its losses.

    Attributes: `edit`, `losses` (at the end those that are rounded or filled in), `warning` (a sentence if the engines
    differ, else empty).
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
        found = [self.warning] if self.warning else []
        for loss in self.losses:
            first = loss.frame_index
            message = loss.message
            found.append(message if first is None else say("edits.first_in_frame", message=message, frame=first + 1))
        return tuple(found)


def convert(recording: RecordingLike, dialect: str | Dialect, progress: Progress = SILENT) -> Conversion:
    """The edit that converts a recording to another dialect.

    Empty packets that the target's recorder writes in every frame are added, and removed on the way back (frames
    without the packets of every recorder are skipped). Doubles are rounded to floats: that is listed, but a loss only
    if a finite value is too large. Bytes outside of frames that are no packets stay. Raises `EditError` for an unknown
    name, and if there is no file header for the version that the target needs; `Cancelled`.
    """
    snapshot = recording.snapshot
    packet_map, tally = _map(snapshot, dialect), Tally()
    source, target = packet_map.source, packet_map.target
    header, converter = _header(snapshot, target), Converter(snapshot, packet_map, tally)
    splices = rewrite_blocks(snapshot, range(len(snapshot)), converter.frames, progress)
    stray = _stray(snapshot, converter, progress)
    edit = Edit(
        say("edits.convert_to", name=target.name),
        snapshot.version,
        (*splices, *reversed(stray)),
        header,
        Intent("convert", {"dialect": target.name}),
        Detection(
            packet_map.dialect(), (say("edits.converted_from", title=source.title, name=source.name),), forced=True
        ),
    )
    return Conversion(edit, tally.losses(source, target, len(snapshot)), warning(source, target))


def preview_losses(recording: RecordingLike, dialect: str | Dialect, progress: Progress = SILENT) -> tuple[Loss, ...]:
    """The losses of `convert`, without writing anything. Errors as `convert`."""
    snapshot = recording.snapshot
    packet_map, tally = _map(snapshot, dialect), Tally()
    _header(snapshot, packet_map.target)
    converter = Converter(snapshot, packet_map, tally)

    def count(block: Block) -> Sequence[RewrittenFrames]:
        for _ in converter.frames(block):
            pass
        return ()

    rewrite_blocks(snapshot, range(len(snapshot)), count, progress)
    for row in _stray_rows(snapshot):
        for _ in converter.stray(_as_block(snapshot, row)):
            pass
    return tally.losses(packet_map.source, packet_map.target, len(snapshot))


def _map(snapshot: Snapshot, dialect: str | Dialect) -> PacketMap:
    target = dialect if isinstance(dialect, Dialect) else DIALECTS.get(dialect)
    if target is None:
        raise EditError(say("edits.no_dialect", dialect=dialect, names=listed(DIALECTS)))
    return PacketMap(snapshot.dialect, target)


def _header(snapshot: Snapshot, target: Dialect) -> FileHeader | None:
    """The new file header; None if it stays."""
    if snapshot.header is None:
        if target.header_version != 1:
            raise EditError(say("edits.no_header_to_convert", name=target.name, version=target.header_version))
        return None
    if snapshot.header.version == target.header_version:
        return None
    return replace(snapshot.header, version=target.header_version)


def warning(source: Dialect, target: Dialect) -> str:
    """A sentence on what no conversion between the two can carry; empty if there is nothing."""
    if source.engine == target.engine:
        return ""
    return say("edits.engines_differ")


def _stray(snapshot: Snapshot, converter: Converter, progress: Progress) -> list[Splice]:
    """Splices for packets outside of frames; a row without packets left is removed."""
    splices: list[Splice] = []
    for number in _stray_rows(snapshot):
        progress.check()
        for made in converter.stray(_as_block(snapshot, number)):
            data = made.data[0, START_SIZE:].tobytes()
            row = snapshot.table.rows(number, number + 1).copy()
            if data:
                row["source"], row["offset"] = snapshot.store.append(data)
                row["size"], row["stored"] = len(data), 1
                row["layout"] = snapshot.layouts.add(made.headers or b"")
            splices.append(Splice(number, 1, FrameTable.from_rows(row[: bool(data)])))
    return splices


def _stray_rows(snapshot: Snapshot) -> Iterator[int]:
    """The rows of packets outside of frames."""
    first = 0
    for chunk in snapshot.table.chunks:
        for at in np.flatnonzero((chunk["kind"] == RAW) & (chunk["layout"] >= 0)).tolist():
            yield first + at
        first += len(chunk)


def _as_block(snapshot: Snapshot, number: int) -> Block:
    row = snapshot.table.rows(number, number + 1)
    size = int(row["size"][0])
    data = np.zeros((1, START_SIZE + size), np.uint8)
    snapshot.store.read_into(int(row["source"][0]), int(row["offset"][0]), data[0, START_SIZE:].data)
    return Block(number, row, data, snapshot.layouts.get(int(row["layout"][0])))
