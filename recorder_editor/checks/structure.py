"""Structure: bytes outside of frames, and bodies of another size than their content.

The simulator parses known packets by content, not by size (format reference 6.5): a body of another size makes it
lose its place in the rest of the file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..edits.header import VERSIONS
from ..format import MAX_RECORDS, PACKET_HEADER, PacketType, decode, has_year, parse_header, simulators_date
from ..format.codec import BodyDamage
from ..format.header import has_mark
from ..progress import SILENT, Progress
from ..recording import FRAME, LARGEST_FRAME, RAW, Finding, FrameBlock, Snapshot
from ..recording.blocks import blocks, counts_of
from ..recording.findings import damage
from ..recording.frames import MAX_IN_FRAME, Layouts
from ..recording.recording import shown_version_of
from ..texts import N_, say, say_count
from . import fixes
from .rule import DeferredFinding, Fix, Rule, new_finding

_LOOKED_AT = 1 << 16
_FRAME_END = 1
_DATE_AT = 18  # offset in the file header
_MANGLED = b"\xef\xbf\xbd"
_MANGLED_SHARE = 0.02
_KINDS = {
    b"\x89PNG": N_("a PNG picture"),
    b"\xff\xd8\xff": N_("a JPEG picture"),
    b"PK\x03\x04": N_("a ZIP archive"),
    b"\x1f\x8b": N_("a gzip archive"),
    b"%PDF": N_("a PDF document"),
}

_REPORT = b"Version: "
_MAP_LINE = b"\nMap: "
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
"""What stands in the place of a file that Git LFS has not fetched (its specification, "The Pointer")."""


NO_HEADER = Rule(
    "no-header",
    subject="structure",
    severity="error",
    title=N_("The file does not begin like a recording."),
    why=N_("Without the header the simulator does not recognise the file."),
)

HEADER_DATE = Rule(
    "header-date",
    subject="structure",
    severity="error",
    title=N_("The date in the file header is beyond any year."),
    why=N_(
        "The simulator takes the file for a recording, but its three reports print the date and crash it. A replay "
        "does not read the date."
    ),
)

ODD_BEGINNING = Rule(
    "odd-beginning",
    subject="structure",
    severity="error",
    title=N_("No packet follows the file header."),
    why=N_("The simulator and this program recognise a recording by its header and the first packet."),
)

NO_FRAMES = Rule(
    "no-frames",
    subject="structure",
    severity="error",
    title=N_("The recording holds no frame."),
    why=N_("There is nothing to replay."),
)

NO_FRAME_END = Rule(
    "no-frame-end",
    subject="structure",
    severity="error",
    title=N_("A frame has no end."),
    why=N_("The simulator reads on into the next frame and shows that instead."),
    fix=Fix(N_("End the frame"), fixes.end_frames),
)

ODD_FRAME_END = Rule(
    "odd-frame-end",
    subject="structure",
    severity="error",
    title=N_("A FrameEnd has a body."),
    why=N_(
        "The simulator ends the frame there, but does not skip the body: it loses its place in the rest of the file."
    ),
)

ODD_FRAME_START = Rule(
    "odd-frame-start",
    subject="structure",
    severity="error",
    title=N_("A FrameStart has the wrong size."),
    why=N_("It begins no frame: its id and times cannot be read."),
    fix=Fix(N_("Delete these bytes"), fixes.delete_bytes),
)

STRAY_PACKETS = Rule(
    "stray-packets",
    subject="structure",
    severity="error",
    title=N_("Packets are outside of any frame."),
    why=N_("The simulator runs the events among them, skips the rest, and may lose its place in the file."),
    fix=Fix(N_("Delete these packets"), fixes.delete_bytes),
)

JUNK = Rule(
    "junk",
    subject="structure",
    severity="error",
    title=N_("Bytes are not packets."),
    why=N_("Every packet from here to the next readable frame is lost to the simulator, or taken for something else."),
    fix=Fix(N_("Delete these bytes"), fixes.delete_bytes),
)

FRAME_TOO_LARGE = Rule(
    "frame-too-large",
    subject="structure",
    severity="warning",
    title=N_("A frame is larger than any recorder writes."),
    why=N_(
        "A frame of more than {frame_mib} MiB or {frame_packets:,} packets is not decoded; its bytes are kept as they "
        "are. The simulator reads it."
    ),
    numbers={"frame_mib": LARGEST_FRAME >> 20, "frame_packets": MAX_IN_FRAME},
)

UNREAD_PACKETS = Rule(
    "unread-packets",
    subject="structure",
    severity="error",
    title=N_("Packets outside of whole frames are too many or too large to be decoded."),
    why=N_("More than {frame_mib} MiB or {frame_packets:,} packets are outside of frames, or in one that never ends."),
    numbers={"frame_mib": LARGEST_FRAME >> 20, "frame_packets": MAX_IN_FRAME},
    fix=Fix(N_("Delete these bytes"), fixes.delete_bytes),
)

TORN_TAIL = Rule(
    "torn-tail",
    subject="structure",
    severity="error",
    title=N_("The file ends in the middle of a packet."),
    why=N_("The simulator handles the packet before it once more with nothing to read: it may hang or crash."),
    fix=Fix(N_("Delete these bytes"), fixes.delete_bytes),
)

MORE_DAMAGE = Rule(
    "more-damage",
    subject="structure",
    severity="error",
    title=N_("There is more damage than is listed."),
    why=N_("Use repair for a file like this: it keeps what can be read."),
)

BODY_SIZE = Rule(
    "body-size",
    subject="structure",
    severity="error",
    title=N_("The size of a packet does not fit its content."),
    why=N_(
        "The simulator reads packets it knows by their content, not by their size: one that is longer or shorter makes "
        "it lose its place in the rest of the file."
    ),
    fix=Fix(N_("Keep the whole records, with count and size to match"), fixes.fit_bodies),
)

TOO_MANY_RECORDS = Rule(
    "too-many-records",
    subject="structure",
    severity="error",
    title=N_("A packet holds more records than can be counted."),
    why=N_("The count has 16 bits: with more than 65,535 records it starts at 0 again, and the size does not."),
    fix=Fix(N_("Keep as many records as the count says"), fixes.fit_bodies),
)

HEADER_VERSION = Rule(
    "header-version",
    subject="structure",
    severity="warning",
    title=N_("The version in the file header does not fit the content."),
    why=N_(
        "Releases from 0.9.16 on read the types of attributes by the version: with a wrong one every attribute is of "
        "another type."
    ),
    fix=Fix(N_("Set the version that fits"), fixes.set_version, applies=fixes.has_shown_version),
)

UNKNOWN_PACKET = Rule(
    "unknown-packet",
    subject="structure",
    severity="info",
    title=N_("A packet is of an unknown type."),
    why=N_("Other programs write packets of their own; a simulator skips them by their size."),
)

DESCRIPTION_MISFIT = Rule(
    "description-misfit",
    subject="structure",
    severity="warning",
    title=N_("A packet does not fit its description."),
    why=N_("Its file of packets describes another form. The bytes are shown and saved as they are."),
)

RULES = (
    NO_HEADER,
    HEADER_DATE,
    ODD_BEGINNING,
    NO_FRAMES,
    NO_FRAME_END,
    ODD_FRAME_END,
    ODD_FRAME_START,
    STRAY_PACKETS,
    JUNK,
    FRAME_TOO_LARGE,
    UNREAD_PACKETS,
    TORN_TAIL,
    MORE_DAMAGE,
    BODY_SIZE,
    TOO_MANY_RECORDS,
    HEADER_VERSION,
    UNKNOWN_PACKET,
    DESCRIPTION_MISFIT,
)
"""The rules of this module, in the order in which their findings are fixed."""


def find(
    snapshot: Snapshot, progress: Progress = SILENT, rows: range | None = None
) -> Iterator[Finding | DeferredFinding]:
    """Yield findings about the structure of the file.

    Args:
        snapshot: The state of the recording.
        progress: Counts rows.
        rows: The rows that are checked; None: all, and the version in the header.

    Raises:
        Cancelled: The user stopped it.
        OSError: The recording cannot be read.
    """
    checked = range(snapshot.rows) if rows is None else rows
    if snapshot.header is None:
        yield from _no_header(snapshot)
    elif not snapshot.rows:
        message = say("The file ends after its header: it holds no frame.")
        yield new_finding(NO_FRAMES, message, offset=snapshot.size)
    else:
        begin = len(snapshot.header_bytes)
        if parse_header(snapshot.read(0, begin + PACKET_HEADER.size)) is None:
            message = say(
                "No packet follows the file header: saved like this, the file would no longer "
                "be recognised as a recording."
            )
            yield new_finding(ODD_BEGINNING, message, offset=begin, row=0, size=PACKET_HEADER.size)
        if rows is None:
            yield from _version(snapshot.header.version, shown_version_of(snapshot))
        yield from _rows(snapshot, checked)
    yield from _bodies(snapshot, checked, progress)


def _no_header(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield findings about a file without a readable header."""
    row = 0 if snapshot.rows else None
    yield new_finding(NO_HEADER, diagnosis(snapshot), offset=0, row=row, size=snapshot.size)
    date = simulators_date(snapshot.read(0, _LOOKED_AT))
    if date is not None and not has_year(date):
        message = say(
            "The date in the file header ({date} seconds since 1970) is beyond any year: a "
            "report of the simulator crashes it.",
            date=date,
        )
        yield new_finding(HEADER_DATE, message, offset=_DATE_AT, row=row, size=8)


def is_saved_as_text(snapshot: Snapshot) -> bool:
    """Whether a program saved the file as UTF-8 text, with EF BF BD for invalid bytes."""
    head = snapshot.read(0, _LOOKED_AT)
    return head.count(_MANGLED) * len(_MANGLED) > _MANGLED_SHARE * len(head)


def diagnosis(snapshot: Snapshot) -> str:
    """Say what a file without a readable header probably is, in one or two sentences."""
    if not snapshot.size:
        return say("The file is empty.")
    head = snapshot.read(0, _LOOKED_AT)
    if not head.strip(b"\0"):
        return say(
            "The file begins with zeros where the header should be: it was never written, or lost with its disk."
        )
    if is_saved_as_text(snapshot):
        return say(
            "Some program read this recording as text and saved it: every byte that was "
            "not valid UTF-8 was replaced by EF BF BD. The values are lost for good; only "
            "an untouched copy of the file can help."
        )
    for magic, kind in _KINDS.items():
        if head.startswith(magic):
            return say("This is {kind}, not a recording.", kind=say(kind))
    if head.startswith(_LFS_POINTER):
        return say(
            "This is a Git LFS pointer, which stands for the recording that was not fetched yet: run git lfs pull in "
            "its repository."
        )
    if head.startswith(_REPORT) and _MAP_LINE in head:
        return say(
            "This is the text that show_recorder_file_info prints of a recording: recorder-editor import-report makes "
            "a recording of it, if it lists all packets."
        )
    if has_mark(head):
        return say("The file header is damaged: magic, date, map name or the first packet are not what they should be.")
    if head.isascii() and min(head) >= 9:  # a tab is the first sign of a text
        return say("This is text, not a recording.")
    return say("This is not a CARLA recording: the header with its mark CARLA_RECORDER is missing.")


def _version(version: int, shown: int | None) -> Iterator[Finding]:
    if shown is None and version not in VERSIONS:
        message = say("The file header says version {version}; CARLA writes 1, and 2 since 0.9.16.", version=version)
    elif shown is not None and version != shown:
        message = say(
            "The file header says version {version}, but the content is that of version {shown}.",
            version=version,
            shown=shown,
        )
    else:
        return
    yield new_finding(HEADER_VERSION, message, offset=0, size=2)


def _rows(snapshot: Snapshot, rows: range) -> Iterator[Finding]:
    kinds = snapshot.table.column("kind", rows.start, rows.stop)
    for index in np.flatnonzero(kinds != FRAME).tolist():
        number = rows.start + index
        offset = snapshot.position(number)
        size = snapshot.position(number + 1) - offset
        frames = snapshot.table.frame_of_row(number)
        rule = JUNK
        packets = 0
        if kinds[index] != RAW:
            rule = _open_frame(snapshot, number)
            frames += 1
        elif int(snapshot.table.row(number)["layout"]) >= 0:
            ids = Layouts.walk(snapshot.read(offset, min(size, _LOOKED_AT))).ids
            rule = ODD_FRAME_START if len(ids) and ids[0] == 0 else STRAY_PACKETS
            packets = len(ids)
        elif snapshot.is_too_large(number):
            rule = FRAME_TOO_LARGE if snapshot.is_large_frame(number) else UNREAD_PACKETS
        elif offset + size == snapshot.size:
            rule = TORN_TAIL
        elif not snapshot.read(offset, min(size, _LOOKED_AT)).strip(b"\0"):
            text = say(
                "{size:,} bytes from 0x{offset:06x} to 0x{offset_2:06x} are zero where packets should be.",
                size=size,
                offset=offset,
                offset_2=offset + size,
            )
            frame = frames - 1 if frames else None
            yield new_finding(JUNK, text, offset=offset, frame=frame, row=number, size=size)
            continue
        yield damage(rule.code, offset, size, frames=frames, row=number, packets=packets)


def _open_frame(snapshot: Snapshot, row: int) -> Rule:
    """Return the rule that a frame without an end breaks: what ends it for the simulator may have a body."""
    layout = int(snapshot.table.row(row)["layout"])
    if layout >= 0 and (snapshot.layouts.get(layout).ids == _FRAME_END).any():
        return ODD_FRAME_END
    return NO_FRAME_END


def _bodies(snapshot: Snapshot, rows: range, progress: Progress) -> Iterator[Finding | DeferredFinding]:
    unknown: set[int] = set()
    misfits: dict[int, _Misfit] = {}
    for block in blocks(snapshot, rows.start, rows.stop):
        progress.update(block.first - rows.start, len(rows))
        for kind, start, size in block.spans(snapshot.dialect):
            if kind.id not in snapshot.dialect.packets and kind.id not in unknown:
                unknown.add(kind.id)
                offset = snapshot.position(block.first) + start - 5
                frame = snapshot.table.frame_of_row(block.first)
                message = say("Packet {id} is not one of CARLA's; a simulator skips it by its size.", id=kind.id)
                yield new_finding(UNKNOWN_PACKET, message, offset=offset, frame=frame, row=block.first, size=5)
            for row in damaged_bodies(block, kind, start=start, size=size):
                number = block.first + row
                body = block.data[row, start : start + size].tobytes()
                if not kind.described_by:
                    make = partial(_body_finding, snapshot, row=number, kind=kind, start=start, body=body)
                    yield DeferredFinding(_body_rule(kind, size).code, make)
                elif kind.id in misfits:
                    misfits[kind.id].count += 1
                else:
                    fault = _fault_of(kind, body)
                    offset = snapshot.position(number) + start + min(fault.offset, max(size - 1, 0))
                    misfits[kind.id] = _Misfit(kind, number, offset, fault.message, count=1)
    for misfit in misfits.values():
        yield _misfit_finding(snapshot, misfit)


@dataclass
class _Misfit:
    """The bodies of a packet of a user that do not fit its description.

    Attributes:
        kind: The packet.
        row: The row of the first one.
        offset: Where that stops fitting, in the file.
        message: Why.
        count: How many there are.
    """

    kind: PacketType
    row: int
    offset: int
    message: str
    count: int


def _misfit_finding(snapshot: Snapshot, misfit: _Misfit) -> Finding:
    frame = snapshot.table.frame_of_row(misfit.row)
    message = say_count(
        "A packet of {name} does not fit its description in {file}, in frame {frame:,}: {why}.",
        "{count:,} packets of {name} do not fit their description in {file}, first in frame {frame:,}: {why}.",
        count=misfit.count,
        name=misfit.kind.name,
        file=misfit.kind.described_by,
        frame=frame + 1,
        why=misfit.message,
    )
    return new_finding(DESCRIPTION_MISFIT, message, offset=misfit.offset, frame=frame, row=misfit.row, size=1)


def damaged_bodies(block: FrameBlock, kind: PacketType, start: int, size: int) -> Iterator[int]:
    """Yield the rows of a block in which the size of a body differs from its content.

    Args:
        block: The block.
        kind: The type of the packet.
        start: Where the body begins in each frame.
        size: Its size in bytes.
    """
    if kind.body == "opaque" or (kind.body != "list" and size == (kind.record.size or 0)):
        return
    rows: Sequence[int] = range(len(block))
    if kind.body != "list" or size < 2:
        yield from rows
        return
    if kind.record.size is not None or size == 2:
        counts = block.data[:, start : start + 2]
        count, rest = divmod(size - 2, kind.record.least or 1)
        if not rest and count <= MAX_RECORDS and counts.tobytes() == count.to_bytes(2, "little") * len(block):
            return
        yield from np.flatnonzero(counts_of(counts) * kind.record.least + 2 != size).tolist()
        return
    for row in rows:
        if decode(kind, block.data[row, start : start + size].tobytes()).damage is not None:
            yield row


def _fault_of(kind: PacketType, body: bytes) -> BodyDamage:
    """Return what is wrong with a body that `damaged_bodies` has found."""
    fault = decode(kind, body).damage
    assert fault is not None
    return fault


def _records_in(kind: PacketType, size: int) -> int:
    """Return the number of records that a list of a size holds; 0 where that is not known."""
    if kind.body == "list" and kind.record.size:
        return (size - 2) // kind.record.size
    return 0


def _body_rule(kind: PacketType, size: int) -> Rule:
    """Return the rule that a damaged body of a size breaks."""
    if _records_in(kind, size) > MAX_RECORDS:
        return TOO_MANY_RECORDS
    return BODY_SIZE


def _body_finding(snapshot: Snapshot, row: int, kind: PacketType, start: int, body: bytes) -> Finding:
    fault = _fault_of(kind, body)
    size = len(body)
    # Missing bytes are reported at the last byte of the body: the next one belongs to another packet.
    byte = min(fault.offset, size - 1)
    frame = snapshot.table.frame_of_row(row)
    rule = _body_rule(kind, size)
    if rule is TOO_MANY_RECORDS:
        message = say(
            "{name} of frame {frame:,} holds {records:,} records; its count ends at {max_records:,}.",
            name=kind.name,
            frame=frame + 1,
            records=_records_in(kind, size),
            max_records=MAX_RECORDS,
        )
    else:
        message = say("{text}.", text=fault.message)
    offset = snapshot.position(row) + start + byte
    return new_finding(rule, message, offset=offset, frame=frame, row=row, size=size - byte)
