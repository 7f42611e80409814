"""A recording as JSON Lines, and back to the same bytes.

One line for the header, then one for each frame, packet and stretch of raw bytes, in file order. Lossless: floats are
the shortest decimals that read back as the same bits, or their bits; bodies that cannot be encoded again are hex.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import Any, TypeGuard

import numpy as np

from ..arrays import AnyArray
from ..errors import BuildError, FieldError
from ..format import (
    DIALECTS,
    WIDTHS,
    Array,
    Body,
    Dialect,
    Field,
    FileHeader,
    JsonError,
    PacketType,
    Struct,
    json_of,
    packet_bytes,
    read_json,
)
from ..format.codec import encode
from ..format.dialects import LARGEST_KNOWN_ID
from ..format.json_text import shown
from ..format.packet_files import PacketFileError, entries_of, with_entries, with_packets
from ..format.schema import Value
from ..format.values import bits_text, shortest, unpack_value
from ..recording import Frame, Packet, Row, Snapshot
from ..recording.packet_search import find_packet_files
from ..texts import listed, say

FORMAT = 1
LARGEST_DECODED = 4 << 20
"""Largest body in bytes that is written as records, which take up to 30 times as much text; larger ones are hex."""

_HEX_PIECE = 1 << 20
"""Bytes that are written as hex at once."""

_LINE_END = "\n"
_FRAME_FIELDS = ("frame_id", "elapsed", "duration")


# --- values ---------------------------------------------------------------------------------------------


def json_value(field: Field, value: Value) -> Any:
    """Return a value of a field as lossless JSON."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, float):
        if math.isfinite(value):
            return float(shortest(field, value))
        return bits_text(value, field)
    return value


def json_record(record: Struct, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decoded record as lossless JSON, with fields in file order.

    Args:
        record: The type of the record.
        values: Its values; those of a group are a mapping of their own.
    """
    result: dict[str, Any] = {}
    for member in record.members:
        if isinstance(member, Array):
            result[member.path] = [json_record(member.element, element) for element in values[member.path]]
            continue
        group, _, name = member.path.rpartition(".")
        if group:
            result.setdefault(group, {})[name] = json_value(member, values[group][name])
        else:
            result[name] = json_value(member, values[name])
    return result


def value_of_json(field: Field, given: Any) -> Value:
    """Return the value that `json_value` wrote.

    Args:
        field: The field of the value.
        given: What JSON holds for it.

    Raises:
        FieldError: The field cannot have it.
    """
    if field.type == "str":
        if isinstance(given, dict):
            return _from_hex(field, given)
        if isinstance(given, str):
            return given
    elif field.is_raw:
        if isinstance(given, dict):
            return _from_hex(field, given)
    elif field.type in ("f32", "f64"):
        if isinstance(given, str) and given.startswith(f"{field.type}:"):
            return _from_bits(field, given[4:])
        if isinstance(given, float) and math.isfinite(given):
            return given
        if _is_whole(given):
            return given  # packing refuses one that no float can hold
    elif _is_whole(given) or (field.type == "bool" and isinstance(given, bool)):
        return given
    raise FieldError(say("{label} cannot be {given}.", label=field.label, given=shown(given)), field=field.path)


def _is_whole(given: Any) -> TypeGuard[int]:
    return isinstance(given, int) and not isinstance(given, bool)


def _from_hex(field: Field, given: Mapping[str, Any]) -> bytes:
    try:
        return bytes.fromhex(given["hex"])
    except (KeyError, TypeError, ValueError):
        raise FieldError(
            say("{label} cannot be {given}.", label=field.label, given=shown(given)), field=field.path
        ) from None


def _from_bits(field: Field, digits: str) -> Value:
    width = WIDTHS[field.type]
    try:
        return unpack_value(field, int(digits, 16).to_bytes(width, "little"))
    except (ValueError, OverflowError):
        message = say(
            "{label}: “{digits}” are not {width} bits in hex.", label=field.label, digits=digits, width=8 * width
        )
        raise FieldError(message, field=field.path) from None


def record_of_json(record: Struct, given: Any) -> dict[str, Any]:
    """Return the nested values that `json_record` wrote.

    Args:
        record: The type of the record.
        given: What JSON holds for it.

    Raises:
        FieldError: It is no object, or a member is missing or wrong.
    """
    if not isinstance(given, dict):
        raise FieldError(say("A {name} is an object, not {given}.", name=record.name, given=shown(given)))
    values: dict[str, Any] = {}
    for member in record.members:
        group, _, name = member.path.rpartition(".")
        if group:
            holder = given.get(group)
        else:
            holder = given
        if not isinstance(holder, dict) or name not in holder:
            raise FieldError(say("{path} is missing.", path=member.path), field=member.path)
        if isinstance(member, Array):
            if not isinstance(holder[name], list):
                raise FieldError(say("{path} takes a list.", path=member.path), field=member.path)
            values[member.path] = [record_of_json(member.element, element) for element in holder[name]]
        elif group:
            values.setdefault(group, {})[name] = value_of_json(member, holder[name])
        else:
            values[name] = value_of_json(member, holder[name])
    return values


# --- records of one size, many at once --------------------------------------------------------------------


def records_text(body: Body) -> str:
    """Return the records of an undamaged body as a JSON list."""
    if body.type.dtype is None or body.type.body != "list":
        texts = [json_of(json_record(body.type.record, record)) for record in body]
        return "[" + ", ".join(texts) + "]"
    if not len(body):
        return "[]"
    fields = list(body.type.record.fields.values())
    columns = []
    for field in fields:
        columns.append(column_texts(field, np.ascontiguousarray(body.array[field.path])))
    template = _template(fields)
    texts = [template % values for values in zip(*columns, strict=True)]
    return "[" + ", ".join(texts) + "]"


def _template(fields: list[Field]) -> str:
    """Return a record of these fields in JSON, with `%s` for each value."""
    parts: list[str] = []
    for group, members in groupby(fields, key=lambda field: field.group):
        inner = ", ".join(f'"{field.name}": %s' for field in members)
        if group:
            parts.append(f'"{group}": {{{inner}}}')
        else:
            parts.append(inner)
    return "{" + ", ".join(parts) + "}"


def column_texts(field: Field, column: AnyArray) -> list[str]:
    """Return values of a field as strict JSON; those that are not finite as their bits.

    Args:
        field: The field.
        column: Its values, in an array of the field's width.
    """
    if field.is_raw:
        return [json_of(json_value(field, value)) for value in column.tolist()]
    if field.type == "bool":
        names = {0: "false", 1: "true"}
        return [names.get(value, str(value)) for value in column.tolist()]
    if column.dtype.kind != "f":
        return [str(value) for value in column.tolist()]
    if column.itemsize == 4:
        # astype(str) writes the shortest decimals that read back as the same bits in the column's width.
        texts: list[str] = column.astype(np.str_).tolist()
    else:
        texts = [repr(value) for value in column.tolist()]
    for index in np.flatnonzero(~np.isfinite(column)).tolist():
        bits = int.from_bytes(column[index : index + 1].tobytes(), "little")
        texts[index] = f'"f{column.itemsize * 8}:{bits:0{column.itemsize * 2}x}"'
    return texts


# --- out --------------------------------------------------------------------------------------------------


def packet_line(packet: Packet) -> str:
    """Return a packet as one line of JSON."""
    return "".join(_packet_pieces(packet))


def _packet_pieces(packet: Packet, *, outside: bool = False, with_bytes: bool = False) -> Iterator[str]:
    """Yield a packet as one line of JSON, in pieces.

    Args:
        packet: The packet.
        outside: It is in no frame.
        with_bytes: Write its bytes, too, where its records are written.
    """
    yield f'{{"packet": {json_of(packet.name)}, "id": {packet.id}'
    is_decodable = _is_decodable(packet)
    if is_decodable:
        yield f', "records": {records_text(packet.decoded)}'
    if with_bytes or not is_decodable:
        yield ', "hex": "'
        for start in range(0, packet.size, _HEX_PIECE):
            yield packet.body[start : start + _HEX_PIECE].hex()
        yield '"'
    if outside:
        yield ', "outside": true'
    yield "}"


def _is_decodable(packet: Packet) -> bool:
    """Whether a packet is written as records: it is whole, and not too large."""
    if packet.type.body not in ("list", "single") or packet.size > LARGEST_DECODED:
        return False
    decoded = packet.decoded
    return decoded.damage is None and decoded.tail[0] == packet.size


def header_line(snapshot: Snapshot, *, partial: bool = False) -> str:
    """Return the first line of a dump: header, dialect and format number.

    Args:
        snapshot: The state of the recording.
        partial: Mark the dump as filtered.
    """
    header = snapshot.header
    line: dict[str, Any] = {}
    if partial:
        line = {"partial": True}
    if header is None:
        line["raw_header"] = ""
    else:
        map_name = header.map_name if isinstance(header.map_name, str) else {"hex": header.map_name.hex()}
        line["header"] = {
            "version": header.version,
            "magic": header.magic.decode("ascii"),
            "date": header.date,
            "map": map_name,
        }
    line["dialect"] = snapshot.dialect.name
    if snapshot.dialect.described:
        line["packets"] = entries_of(snapshot.dialect)
    line["format"] = FORMAT
    return json_of(line)


def frame_line(snapshot: Snapshot, frame: Frame) -> str:
    """Return the first line of a frame."""
    fields = snapshot.dialect.packet(0).record.fields
    body = frame.packets[0].decoded
    line = {"frame": frame.index + 1}
    for name in _FRAME_FIELDS:
        line[name] = json_value(fields[name], body.get(0, name))
    return json_of(line)


def dump_lines(
    snapshot: Snapshot, *, frames: range | None = None, ids: frozenset[int] | None = None, with_bytes: bool = False
) -> Iterator[str]:
    """Yield the lines of a dump, without line ends; arguments as of `dump_pieces`."""
    line: list[str] = []
    for piece in dump_pieces(snapshot, frames=frames, ids=ids, with_bytes=with_bytes):
        if piece == _LINE_END:
            yield "".join(line)
            line.clear()
        else:
            line.append(piece)


def dump_pieces(
    snapshot: Snapshot, *, frames: range | None = None, ids: frozenset[int] | None = None, with_bytes: bool = False
) -> Iterator[str]:
    """Yield the text of a dump in pieces, of which each line end is one.

    The line of a large packet is never whole in memory. A filtered dump is marked as partial, and cannot be built.

    Args:
        snapshot: The state of the recording.
        frames: Indices of the frames to write, from 0; None: all rows.
        ids: Ids of the packets to write; None: all.
        with_bytes: Write the bytes of packets, too, where their records are written.
    """
    partial = frames is not None or ids is not None
    yield header_line(snapshot, partial=partial)
    yield _LINE_END
    for number in range(snapshot.rows):
        row = snapshot.row(number)
        if isinstance(row, Frame):
            if frames is None or row.index in frames:
                yield from _frame_pieces(snapshot, row, ids=ids, with_bytes=with_bytes)
        elif not partial:
            yield from _raw_pieces(snapshot, row, with_bytes)


def _frame_pieces(snapshot: Snapshot, frame: Frame, ids: frozenset[int] | None, with_bytes: bool) -> Iterator[str]:
    yield frame_line(snapshot, frame)
    yield _LINE_END
    for packet in frame.packets[1:]:
        if packet.id == 1 and packet.size == 0:
            yield '{"end": true}'
            yield _LINE_END
        elif ids is None or packet.id in ids:
            yield from _packet_pieces(packet, with_bytes=with_bytes)
            yield _LINE_END


def _raw_pieces(snapshot: Snapshot, row: Row, with_bytes: bool) -> Iterator[str]:
    offset = row.offset
    for packet in row.packets:
        yield from _packet_pieces(packet, outside=True, with_bytes=with_bytes)
        yield _LINE_END
        offset = packet.offset + 5 + packet.size
    for piece in snapshot.pieces(offset, row.offset + row.size):
        yield f'{{"raw": "{piece.hex()}"}}'
        yield _LINE_END


# --- in ---------------------------------------------------------------------------------------------------


def build_bytes(lines: Iterable[str | bytes], dialects: Mapping[str, Dialect] = DIALECTS) -> Iterator[bytes]:
    """Return the bytes of the recording that a dump describes, in pieces.

    Args:
        lines: The lines of the dump.
        dialects: The dialects that its header may name.

    Raises:
        BuildError: A line is wrong; the message has its number. The first line is read at once, the others when their
            bytes are asked for.
    """
    numbered = enumerate(lines, 1)
    first = next(numbered, None)
    if first is None:
        raise BuildError(say("The dump is empty; its first line must be the header."))
    number, line = first
    try:
        header, dialect = _parse_header(_parse_line(line), dialects)
    except (BuildError, FieldError) as error:
        raise _at_line(number, error) from None
    return chain([header], _body_pieces(numbered, dialect))


def _body_pieces(numbered: Iterator[tuple[int, str | bytes]], dialect: Dialect) -> Iterator[bytes]:
    for number, line in numbered:
        if not line.strip():
            continue
        try:
            piece = _line_bytes(_parse_line(line), dialect)
        except (BuildError, FieldError) as error:
            raise _at_line(number, error) from None
        yield piece


def _at_line(number: int, error: BuildError | FieldError) -> BuildError:
    """Return an error that names the line in which another one was."""
    return BuildError(say("Line {line}: {reason}", line=number, reason=error.message))


def _parse_line(line: str | bytes) -> dict[str, Any]:
    try:
        parsed = read_json(line)
    except JsonError as error:
        if error.line:
            text = error.message
        else:
            text = say(
                "{reason} A float that JSON has no number for is written by its bits, as in f32:7fc00000.",
                reason=error.message,
            )
        raise BuildError(text) from None
    if not isinstance(parsed, dict):
        raise BuildError(say("Every line of a dump is an object."))
    return parsed


def _parse_header(line: Mapping[str, Any], dialects: Mapping[str, Dialect]) -> tuple[bytes, Dialect]:
    if line.get("partial"):
        raise BuildError(say("The dump is partial (it was filtered); a recording cannot be built from it."))
    if line.get("format") != FORMAT or not _is_whole(line["format"]):
        raise BuildError(say("The first line must be a dump's header with format {format}.", format=FORMAT))
    dialect = dialects.get(str(line.get("dialect")))
    if dialect is None:
        raise BuildError(
            say("{given} is not a dialect; they are {names}.", given=shown(line.get("dialect")), names=listed(dialects))
        )
    dialect = _with_packets(dialect, line.get("packets"))
    if "raw_header" in line:
        return _hex(line["raw_header"]), dialect
    header = line.get("header")
    if not isinstance(header, dict):
        raise BuildError(say("The first line has no header."))
    return _parse_file_header(header).encode(), dialect


def _with_packets(dialect: Dialect, entries: object) -> Dialect:
    """Return the dialect with the packets of users that the header describes, else with those that are in use."""
    if entries is None:
        files = find_packet_files().files
        numbers = {number for file in files for number in file.packets if number > LARGEST_KNOWN_ID}
        return with_packets(dialect, files, sorted(numbers))
    try:
        return with_entries(dialect, entries)
    except PacketFileError as error:
        raise BuildError(error.faults[0]) from None


def _parse_file_header(header: Mapping[str, Any]) -> FileHeader:
    for name in ("map", "magic", "version", "date"):
        if name not in header:
            raise BuildError(say("The header has no {name}.", name=name))
    if not (_is_whole(header["version"]) and _is_whole(header["date"])):
        raise BuildError(say("Version and date are whole numbers."))
    map_name = header["map"]
    if isinstance(map_name, dict):
        map_name = _hex(map_name.get("hex"))
    magic = b""
    if isinstance(header["magic"], str):
        try:
            magic = header["magic"].encode()
        except UnicodeEncodeError:
            raise BuildError(say("The magic is not a text that UTF-8 can store.")) from None
    return FileHeader(version=header["version"], date=header["date"], map_name=map_name, magic=magic)


def _line_bytes(line: Mapping[str, Any], dialect: Dialect) -> bytes:
    if "packet" in line:
        return _packet_bytes(line, dialect)
    if "frame" in line:
        if not line.keys() >= set(_FRAME_FIELDS):
            raise BuildError(say("A frame has frame_id, elapsed and duration."))
        return packet_bytes(0, _encode_records(dialect.packet(0), [line]))
    if line.get("end") is True:
        return packet_bytes(1, b"")
    if "raw" in line:
        return _hex(line["raw"])
    raise BuildError(say("This line is neither frame, packet, end nor raw."))


def _packet_bytes(line: Mapping[str, Any], dialect: Dialect) -> bytes:
    number = line.get("id")
    if not _is_whole(number) or not 0 <= number <= 255:
        raise BuildError(say("A packet has an id from 0 to 255."))
    given = None
    if "hex" in line:
        given = _hex(line["hex"])
    if "records" not in line:
        if given is None:
            raise BuildError(say("A packet has records or hex."))
        return packet_bytes(number, given)
    body = _encode_records(dialect.packet(number), line["records"])
    if given is not None and given != body:
        raise BuildError(say("The records and the hex of {packet} differ.", packet=line["packet"]))
    return packet_bytes(number, body)


def _encode_records(kind: PacketType, records: Any) -> bytes:
    if not isinstance(records, list):
        raise BuildError(say("Records are a list."))
    return encode(kind, [record_of_json(kind.record, record) for record in records])


def _hex(given: Any) -> bytes:
    try:
        return bytes.fromhex(given)
    except (TypeError, ValueError):
        raise BuildError(say("Hex is pairs of digits 0 to 9 and a to f.")) from None
