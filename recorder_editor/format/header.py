"""The file header: version, magic, date, map name (format reference, section 2)."""

import struct
from dataclasses import dataclass
from datetime import UTC, datetime

from ..errors import FieldError
from ..texts import N_, say
from .schema import Field
from .values import pack_value, text_of

MAGIC = b"CARLA_RECORDER"
LONGEST_MAP_NAME = 255
FIELDS = (
    Field(N_("version"), "u16", N_("Version of the format: 1, or 2 since 0.9.16"), low=1, high=2),
    Field(N_("magic"), "str", N_("Marks the file as a recording")),
    Field(N_("date"), "i64", N_("When the recording was made, seconds since 1970-01-01 UTC"), "s"),
    Field(N_("map"), "str", N_("Map the recording was made on")),
)
_HEAD = struct.Struct("<HH14sqH")  # version, length of the magic, magic, date, length of the map name
_EARLIEST = int(datetime(2015, 1, 1, tzinfo=UTC).timestamp())
_LATEST = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp())
_DATES = range(-67_768_040_609_740_800, 67_768_036_191_676_800)
"""The seconds since 1970 of dates with a year that fits the `int` of C's `struct tm`."""


_MARKED = 64  # bytes in which the mark of a damaged header stands


def has_mark(head: bytes) -> bool:
    """Whether a file is marked as a recording, with a header that can be read or one that is damaged.

    Args:
        head: The first bytes of the file, 64 or more.
    """
    return MAGIC in head[:_MARKED]


@dataclass(frozen=True, slots=True)
class FileHeader:
    """The file header.

    Attributes:
        version: The version of the format.
        date: Seconds since 1970, UTC.
        map_name: The name of the map; bytes if it is not UTF-8.
        magic: The bytes that mark a recording.
    """

    version: int
    date: int
    map_name: str | bytes
    magic: bytes = MAGIC

    def encode(self) -> bytes:
        """The header as bytes.

        Raises:
            FieldError: A value cannot be stored or read back.
        """
        version_field, magic_field, date_field, map_field = FIELDS
        version = pack_value(version_field, self.version)
        magic = pack_value(magic_field, self.magic)
        date = pack_value(date_field, self.date)
        name = pack_value(map_field, self.map_name)
        if self.magic != MAGIC:
            raise FieldError(
                say("A recording is marked {decode}; no other mark is read.", decode=MAGIC.decode()), field="magic"
            )
        if not _EARLIEST <= self.date < _LATEST:
            raise FieldError(
                say("A date before 2015 or after 2099 would not be taken for a recording's."), field="date"
            )
        if len(name) - 2 > LONGEST_MAP_NAME:
            raise FieldError(
                say("A map name is at most {longest_map_name} bytes long.", longest_map_name=LONGEST_MAP_NAME),
                field="map",
            )
        if not _is_map_name(name[2:]):
            raise FieldError(say("A map name is text that can be printed."), field="map")
        return version + magic + date + name

    @property
    def when(self) -> datetime | None:
        """The date as UTC; None if it is out of range."""
        try:
            return datetime.fromtimestamp(self.date, UTC)
        except (OverflowError, OSError, ValueError):
            return None

    def spans(self) -> tuple[tuple[Field, int, int], ...]:
        """Each field with its byte range `(start, stop)` in the file."""
        name = self.map_name
        if isinstance(name, str):
            name = name.encode()
        widths = (2, 2 + len(self.magic), 8, 2 + len(name))
        spans = []
        start = 0
        for field, width in zip(FIELDS, widths, strict=True):
            spans.append((field, start, start + width))
            start += width
        return tuple(spans)


def parse_header(data: bytes) -> tuple[FileHeader, int] | None:
    """Read the file header.

    Args:
        data: The beginning of a file.

    Returns:
        The header and its length in bytes; None if it is not credible. It is if the magic is right, the date is between
        2015 and 2100, the map name is at most 255 printable characters, and the bytes after it, if any, can be a packet
        header.
    """
    if len(data) < _HEAD.size:
        return None
    version, magic_length, magic, date, length = _HEAD.unpack_from(data)
    if magic_length != len(MAGIC) or magic != MAGIC:
        return None
    end = _HEAD.size + length
    if not _EARLIEST <= date < _LATEST or length > LONGEST_MAP_NAME or end > len(data):
        return None
    name = data[_HEAD.size : end]
    if not _is_map_name(name) or not _begins_a_packet(data[end : end + 5]):
        return None
    return FileHeader(version, date, text_of(name)), end


def simulators_date(data: bytes) -> int | None:
    """The date that the simulator reads at the beginning of a file; None if it does not take it for a recording.

    The simulator checks the magic alone.
    """
    if len(data) < _HEAD.size:
        return None
    _, magic_length, magic, date, _ = _HEAD.unpack_from(data)
    if magic_length != len(MAGIC) or magic != MAGIC:
        return None
    return int(date)


def has_year(date: int) -> bool:
    """Whether a date has a year that C can hold; the simulator crashes when it prints another one."""
    return date in _DATES


def _is_map_name(raw: bytes) -> bool:
    name = text_of(raw)
    return isinstance(name, str) and name.isprintable()


def _begins_a_packet(data: bytes) -> bool:
    if len(data) < 5:
        return True
    number = data[0]
    size = int.from_bytes(data[1:], "little")
    return (number <= 24 or number >= 100) and size < 2**31
