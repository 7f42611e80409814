"""Conversion of frames and stray packets; uniform frames are converted together, as one array of bytes."""

from collections.abc import Iterator

import numpy as np

from ...arrays import IntArray
from ...errors import EditError, say
from ...format import PACKET_HEADER
from ...recording import START_SIZE, Block, Bytes, Snapshot
from ...recording.blocks import counts_of
from ..block_rewrite import Piece, RewrittenFrames, constant, joined
from ..uniform_frames import Patterns, Records, UniformFrames
from .bodies import Recipe, recipe
from .packet_map import Notes, PacketMap, PacketMapping, Tally

LARGEST_BODY = 4 << 20
"""Largest body of records that differ in length, bytes: its recipe takes sixty times as many."""


class Converter:
    """Converts blocks of frames and counts losses."""

    def __init__(self, snapshot: Snapshot, packet_map: PacketMap, tally: Tally) -> None:
        self._table = snapshot.table
        self._packet_map, self._tally = packet_map, tally
        self._patterns = Patterns(packet_map.source_type)
        self._recipes: dict[tuple[int, int], tuple[IntArray, Recipe]] = {}
        self._kept = 0  # bytes of the bodies of cached recipes

    def frames(self, block: Block) -> Iterator[RewrittenFrames]:
        """The converted frames of a block; nothing if they do not change."""
        if self._packet_map.changes(block.layout, whole=True):
            first = self._table.frame_of_row(block.first)
            frames = first + np.arange(len(block), dtype=np.int64)
            for uniform in self._patterns.groups(block, np.arange(len(block))):
                yield self._made(uniform, frames[uniform.rows], whole=True)

    def stray(self, block: Block) -> Iterator[RewrittenFrames]:
        """The same for packets outside of frames, with space for a FrameStart before them."""
        if self._packet_map.changes(block.layout, whole=False):
            frames = np.full(1, self._table.frame_of_row(block.first), np.int64)
            for uniform in self._patterns.groups(block, np.arange(1)):
                yield self._made(uniform, frames, whole=False)

    def _made(self, uniform: UniformFrames, frames: IntArray, *, whole: bool) -> RewrittenFrames:
        layout, data, notes = uniform.block.layout, uniform.data, Notes(self._tally, frames)
        lists = {records.packet: records for records in uniform.lists}
        added = self._packet_map.added(layout) if whole else {}
        pieces: list[Piece] = [slice(0, START_SIZE)]
        headers: list[bytes] = []
        end = START_SIZE
        for index, (number, offset, size) in enumerate(layout.packets()):
            for header in added.get(index, ()):
                headers.append(header)
                pieces.append(constant(header + b"\0\0"))
            start, mapping = START_SIZE + offset + 5, self._packet_map.mapping(number)
            end = start + size
            if mapping.number is None:
                self._leave_out(mapping, data[:, start:end], notes)
                continue
            body: Piece = slice(start, end)
            if mapping.target is not None and index in lists and size > 2:
                made = self._recipe(lists[index], data, size, int(frames[0]))
                body = made(data[:, start:end], notes)
                size = body.shape[1]
            elif mapping.target is not None and index not in lists:
                notes.add("unreadable", mapping.kind.name, np.ones(len(data), np.bool_))
            header = PACKET_HEADER.pack(mapping.number, size)
            headers.append(header)
            pieces += [constant(header), body]
        pieces.append(slice(end, data.shape[1]))
        return RewrittenFrames(uniform.rows, joined(data, pieces), b"".join(headers))

    def _recipe(self, records: Records, data: Bytes, size: int, frame: int) -> Recipe:
        if records.kind.record.size is None and size > LARGEST_BODY:
            values = {"name": records.kind.name, "frame": frame + 1, "size": size, "largest_body": LARGEST_BODY}
            raise EditError(say("edits.body_too_large", **values), frame=frame + 1)
        key = records.kind.id, size
        known = self._recipes.get(key)
        if known is not None and known[0] is records.starts:
            return known[1]
        made = recipe(self._packet_map, records, data[0, records.body : records.body + size])
        self._kept += size
        if self._kept > LARGEST_BODY:
            self._recipes.clear()
            self._kept = size
        self._recipes[key] = records.starts, made
        return made

    def _leave_out(self, mapping: PacketMapping, body: Bytes, notes: Notes) -> None:
        """Count the records of a packet that is left out."""
        size, reason = body.shape[1], mapping.reason
        assert reason is not None
        counts = np.ones(len(body), np.int64)
        if mapping.kind.body == "list" and size >= 2:
            counts = counts_of(body)
            counts[(counts == 0) & (size > 2)] = 1
        if size:
            notes.add(reason, mapping.kind.name, counts)
