"""Writes MCAP files of very many small messages.

The records are those of the library `mcap`, in its order, with its chunks, indexes, checksums and compression; its
writer takes several times as long for a message of a few bytes as everything else here together.
"""

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
import zstandard
from mcap.data_stream import RecordBuilder
from mcap.opcode import Opcode
from mcap.records import (
    Channel,
    Chunk,
    ChunkIndex,
    DataEnd,
    Footer,
    Header,
    Metadata,
    MetadataIndex,
    Schema,
    Statistics,
    SummaryOffset,
)

_MAGIC = b"\x89MCAP0\r\n"
_MESSAGE = struct.Struct("<BQHIQQ")
"""What is before the data of a message: opcode, length, channel, number, two times."""
_INDEX = struct.Struct("<BQHI")
"""What is before the entries of a message index: opcode, length, channel, bytes of the entries."""
_COUNTED = _MESSAGE.size - 9  # bytes that the length of a message counts, besides the data


class McapFile:
    """An MCAP file that is written. Call `start` first and `finish` last."""

    def __init__(self, stream: BinaryIO, chunk_size: int) -> None:
        """Make a writer.

        Args:
            stream: Where the file goes.
            chunk_size: A chunk is closed after the message with which it gets larger than so many bytes.
        """
        self._stream = stream
        self._chunk_size = chunk_size
        self._offset = 0
        self._schemas: list[Schema] = []
        self._channels: list[Channel] = []
        self._metadata: list[MetadataIndex] = []
        self._chunks: list[ChunkIndex] = []
        self._counts: dict[int, int] = {}
        self._first: int | None = None
        self._last = 0
        # The chunk that is open: its pieces, their bytes, and (time, offset) of its messages by channel.
        self._pieces: list[bytes] = []
        self._size = 0
        self._indexes: dict[int, list[int]] = {}

    def start(self, library: str) -> None:
        """Write the beginning of the file.

        Args:
            library: The name of the program that writes it.
        """
        self._put(_MAGIC)
        self._put(_bytes_of(Header(profile="", library=library)))

    def add_metadata(self, name: str, data: Mapping[str, str]) -> None:
        """Write a record of texts."""
        record = _bytes_of(Metadata(name=name, metadata=dict(data)))
        self._metadata.append(MetadataIndex(offset=self._offset, length=len(record), name=name))
        self._put(record)

    def register_schema(self, name: str, encoding: str, data: bytes) -> int:
        """Add a schema, and return its number.

        Args:
            name: The name of the messages.
            encoding: How the schema is written, as `protobuf`.
            data: The schema.
        """
        schema = Schema(id=len(self._schemas) + 1, data=data, encoding=encoding, name=name)
        self._schemas.append(schema)
        self._add(_bytes_of(schema))
        return schema.id

    def register_channel(
        self, topic: str, message_encoding: str, schema_id: int, metadata: Mapping[str, str] | None = None
    ) -> int:
        """Add a channel, and return its number.

        Args:
            topic: Its name.
            message_encoding: How its messages are written, as `protobuf`.
            schema_id: The number of the schema of its messages.
            metadata: Texts that tell of it; None: none.
        """
        channel = Channel(
            id=len(self._channels) + 1,
            topic=topic,
            message_encoding=message_encoding,
            schema_id=schema_id,
            metadata=dict(metadata or {}),
        )
        self._channels.append(channel)
        self._add(_bytes_of(channel))
        return channel.id

    def add_messages(self, messages: Iterable[tuple[int, int, bytes]]) -> None:
        """Write messages.

        Args:
            messages: Channel, time (ns) and data of each.
        """
        pieces = self._pieces
        indexes = self._indexes
        pack = _MESSAGE.pack
        for channel, time, data in messages:
            index = indexes.get(channel)
            if index is None:
                index = indexes[channel] = []
            index.append(time)
            index.append(self._size)
            pieces.append(pack(Opcode.MESSAGE, _COUNTED + len(data), channel, 0, time, time))
            pieces.append(data)
            self._size += _MESSAGE.size + len(data)
            if self._size > self._chunk_size:
                self._close_chunk()

    def finish(self) -> None:
        """Write what is left, the indexes and the end of the file."""
        self._close_chunk()
        self._put(_bytes_of(DataEnd(data_section_crc=0)))
        start = self._offset
        builder = RecordBuilder()
        offsets = []
        for opcode, records in self._summary():
            begin = builder.count
            for record in records:
                record.write(builder)
            length = builder.count - begin
            offsets.append(SummaryOffset(group_opcode=opcode, group_start=start + begin, group_length=length))
        offset_start = start + builder.count
        for offset in offsets:
            offset.write(builder)
        summary: bytes = builder.end()  # type: ignore[no-untyped-call]  # its library does not say what it returns
        checked = struct.pack("<BQQQ", Opcode.FOOTER, 20, start, offset_start)
        footer = Footer(
            summary_start=start, summary_offset_start=offset_start, summary_crc=zlib.crc32(checked, zlib.crc32(summary))
        )
        self._put(summary)
        self._put(_bytes_of(footer))
        self._put(_MAGIC)

    def _summary(self) -> list[tuple[Opcode, Sequence[Any]]]:
        """Return the groups of records that are repeated at the end."""
        statistics = Statistics(
            attachment_count=0,
            channel_count=len(self._channels),
            channel_message_counts=self._counts,
            chunk_count=len(self._chunks),
            message_count=sum(self._counts.values()),
            message_end_time=self._last,
            message_start_time=self._first or 0,
            metadata_count=len(self._metadata),
            schema_count=len(self._schemas),
        )
        return [
            (Opcode.SCHEMA, self._schemas),
            (Opcode.CHANNEL, self._channels),
            (Opcode.STATISTICS, [statistics]),
            (Opcode.CHUNK_INDEX, self._chunks),
            (Opcode.ATTACHMENT_INDEX, []),
            (Opcode.METADATA_INDEX, self._metadata),
        ]

    # --- chunks -----------------------------------------------------------------------------------------

    def _add(self, record: bytes) -> None:
        """Add a record to the open chunk."""
        self._pieces.append(record)
        self._size += len(record)
        if self._size > self._chunk_size:
            self._close_chunk()

    def _close_chunk(self) -> None:
        """Write the open chunk, with the indexes of its messages, if it has any."""
        if not self._indexes:
            return
        data = b"".join(self._pieces)
        indexes = {channel: np.array(entries, "<u8") for channel, entries in self._indexes.items()}
        times = np.concatenate([entries[::2] for entries in indexes.values()])
        first = int(times.min())
        last = int(times.max())
        compressed = zstandard.compress(data)
        chunk = Chunk(
            compression="zstd",
            data=compressed,
            message_start_time=first,
            message_end_time=last,
            uncompressed_crc=zlib.crc32(data),
            uncompressed_size=len(data),
        )
        record = _bytes_of(chunk)
        chunk_start = self._offset
        self._put(record)
        indexes_start = self._offset
        offsets = {}
        for channel, entries in indexes.items():
            offsets[channel] = self._offset
            self._put(_INDEX.pack(Opcode.MESSAGE_INDEX, 6 + entries.nbytes, channel, entries.nbytes))
            self._put(entries.tobytes())
            self._counts[channel] = self._counts.get(channel, 0) + len(entries) // 2
        self._chunks.append(
            ChunkIndex(
                message_start_time=first,
                message_end_time=last,
                chunk_start_offset=chunk_start,
                chunk_length=len(record),
                message_index_offsets=offsets,
                message_index_length=self._offset - indexes_start,
                compression="zstd",
                compressed_size=len(compressed),
                uncompressed_size=len(data),
            )
        )
        if self._first is None:
            self._first = first
        else:
            self._first = min(first, self._first)
        self._last = max(last, self._last)
        self._pieces.clear()
        self._indexes.clear()
        self._size = 0

    def _put(self, data: bytes) -> None:
        self._stream.write(data)
        self._offset += len(data)


def _bytes_of(record: Any) -> bytes:
    """Return a record as the library writes it."""
    builder = RecordBuilder()
    record.write(builder)
    data: bytes = builder.end()  # type: ignore[no-untyped-call]  # as above
    return data
