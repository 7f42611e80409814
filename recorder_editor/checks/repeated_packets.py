"""Packets of one kind that replace one another within a frame.

The replayer applies most packets one by one. Those that it interpolates it keeps until the next one of the kind: a
second one in a frame becomes the current one, and the first the one before (format reference 6.4).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays import IntArray
from ..edits.rows import raw_packets, with_packets
from ..errors import EditError
from ..format import MAX_RECORDS, PacketType
from ..progress import SILENT, Progress
from ..recording import Edit, Finding, Packet, Snapshot
from ..texts import N_, say, say_count
from .fixes import edit_rows
from .rule import Fix, Rule, frames_text, new_finding, place_of


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Yield a finding for each kind of packet, at the second packet of the first frame that holds two."""
    for name in snapshot.dialect.interpolated:
        kind = snapshot.dialect.by_name(name)
        if kind is None:
            continue
        frames = _frames_with_several(snapshot, kind)
        if not len(frames):
            continue
        first = int(frames[0])
        frame = snapshot.frame(first)
        packet = [packet for packet in frame.packets if packet.name == name][1]
        message = say(
            "{packet} stands more than once in {frames}: the simulator takes the last "
            "packet for the frame, and the one before it for the frame before.",
            packet=name,
            frames=frames_text(first, len(frames)),
        )
        yield new_finding(
            REPLAY_TWO_PACKETS, message, offset=packet.offset, frame=first, row=frame.row, size=5 + packet.size
        )


def _frames_with_several(snapshot: Snapshot, kind: PacketType) -> IntArray:
    """Return the frames that hold several packets of a kind, empty ones included: int64[n], rising."""
    layouts = snapshot.frame_column("layout").astype(np.int64)
    has_several = np.zeros(len(snapshot.layouts) + 1, np.bool_)  # the last one is that of frames without a layout
    for number in np.unique(layouts[layouts >= 0]).tolist():
        has_several[number] = np.count_nonzero(snapshot.layouts.get(number).ids == kind.id) > 1
    return np.flatnonzero(has_several[layouts])


def join_packets(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that joins the packets of a kind in each frame into one; of an actor, its last record stays.

    Args:
        snapshot: The state of the recording.
        findings: Findings about the kinds of packets; all frames are edited.

    Raises:
        EditError: The packets of a frame hold more records than one can, or bytes that are no records.
    """
    kinds: dict[int, PacketType] = {}
    for finding in findings:
        place = place_of(snapshot, finding)
        assert place.packet is not None
        kind = snapshot.row(place.row).packets[place.packet].type
        kinds[kind.id] = kind
    rows: dict[int, list[PacketType]] = {}
    for kind in kinds.values():
        for frame in _frames_with_several(snapshot, kind).tolist():
            rows.setdefault(snapshot.table.row_of_frame(frame), []).append(kind)
    label = say_count(
        "Join packets of one kind in 1 frame", "Join packets of one kind in {count:,} frames", count=len(rows)
    )

    def join(row: int) -> Edit:
        return _joined(snapshot, row, rows[row])

    return edit_rows(snapshot, label, rows, join)


def _joined(snapshot: Snapshot, row: int, kinds: Sequence[PacketType]) -> Edit:
    """Return the edit of one row: its packets of each kind become one, where the first of them is."""
    row_data = snapshot.row(row)
    frame = snapshot.table.frame_of_row(row) + 1
    packets = raw_packets(row_data)
    dropped: set[int] = set()
    for kind in kinds:
        of_kind = [packet for packet in row_data.packets if packet.id == kind.id]
        packets[of_kind[0].index] = (kind.id, _joined_body(of_kind, kind, frame))
        dropped.update(packet.index for packet in of_kind[1:])
    kept = [packet for index, packet in enumerate(packets) if index not in dropped]
    return with_packets(snapshot, row, kept, "")


def _joined_body(packets: Sequence[Packet], kind: PacketType, frame: int) -> bytes:
    """Return the body with the last record of each actor in packets of a kind; `frame` is from 1."""
    records: dict[int, bytes] = {}
    for packet in packets:
        body = packet.decoded
        if body.damage is not None:
            raise EditError(
                say("{packet} of frame {frame:,} is damaged; correct its size first.", packet=kind.name, frame=frame),
                frame=frame,
            )
        for number, actor in enumerate(body.actors):
            records.pop(actor, None)  # the later record takes its place in the order, too
            records[actor] = body.raw(number)
        if len(records) > MAX_RECORDS:
            raise EditError(
                say(
                    "The packets {packet} of frame {frame:,} hold more than the {most:,} records that one can count.",
                    packet=kind.name,
                    frame=frame,
                    most=MAX_RECORDS,
                ),
                frame=frame,
            )
    return len(records).to_bytes(2, "little") + b"".join(records.values())


REPLAY_TWO_PACKETS = Rule(
    "replay-two-packets",
    subject="references",
    severity="warning",
    title=N_("A frame holds several packets of a kind of which the simulator takes the last one."),
    why=N_(
        "The packet before it becomes that of the previous frame: actors only in the earlier one are not moved in this "
        "frame, and those in the last one are not interpolated from the frame before. No recorder writes this."
    ),
    fix=Fix(N_("Join them into one, with the last record of each actor"), join_packets),
)

RULES = (REPLAY_TWO_PACKETS,)
"""The rules of this module, in the order in which their findings are fixed."""
