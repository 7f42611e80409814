"""Actors with two records in a packet of a frame, and gaps in positions: by the ids of records alone."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from ..arrays import ByteArray, Int32Array, StructuredArray, UInt32Array, UInt64Array
from ..edits import delete_records
from ..edits.actors.rewrite import Plan, rewrite
from ..edits.interpolation import interpolate_records
from ..errors import EditError
from ..format import PacketType
from ..reading import Actors, Life, Tracks
from ..recording import Edit, Finding, Place, RecordPlace, Snapshot
from ..recording.place import records_of
from ..texts import N_, say, say_count
from .rule import Fix, LifeProblems, Rule, actor_text, finding_of, frames_text, kind_and_life, new_finding, record_of

_POSITION = "Position"
_ID_BITS = np.uint64(32)


def fill_gaps(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that fills gaps in positions by interpolation between the frames before and after."""
    plan = Plan()
    for finding in findings:
        _, life = kind_and_life(snapshot, finding)
        for row, record in _missing(snapshot, life):
            plan.add(row, _POSITION, record)
    if not plan.added:
        raise EditError(say("The data of this finding no longer exists."))
    label = say_count(
        "Fill the gaps in the positions of 1 actor",
        "Fill the gaps in the positions of {count:,} actors",
        count=len(findings),
    )
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def _missing(snapshot: Snapshot, life: Life) -> Iterator[tuple[int, bytes]]:
    """Yield the rows in which the position of a life is missing, and the interpolated records."""
    frames = Tracks(snapshot).positions([life.actor], life.within(range(len(snapshot))))["frame"]
    kind = snapshot.dialect.by_name(_POSITION)
    elapsed = snapshot.elapsed
    assert kind is not None
    for before, after in pairwise(frames.tolist()):
        if after - before < 2:
            continue
        record_before = _record(snapshot, before, life.actor)
        record_after = _record(snapshot, after, life.actor)
        length = float(elapsed[after] - elapsed[before])
        for frame in range(before + 1, after):
            packet = snapshot.frame(frame).packet(_POSITION)
            if packet is None or not len(packet.decoded):
                continue
            share = 0.0
            if length > 0:
                share = float(elapsed[frame] - elapsed[before]) / length
            if not (0.0 <= share <= 1.0):  # times that do not rise
                share = (frame - before) / (after - before)
            record = interpolate_records(kind, record_before, record_after, np.array(share))
            yield snapshot.table.row_of_frame(frame), record.tobytes()


def keep_last_records(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that deletes the records of an actor that others of the same frame replace."""
    places: list[Place] = []
    for finding in findings:
        kind, _, actor = record_of(snapshot, finding)
        duplicates = DuplicateScan(snapshot, kind.name)
        for block in Tracks(snapshot).blocks(kind.name, [actor]):
            duplicates.add(block)
        frames, _ = duplicates.frames_and_ids()
        for frame in frames.tolist():
            row = snapshot.table.row_of_frame(frame)
            for place in _records(snapshot, kind.name, row, actor)[:-1]:
                places.append(Place(place.row, place.packet, place.record))
    return delete_records(snapshot, places)


def _record(snapshot: Snapshot, frame: int, actor: int) -> ByteArray:
    packet = snapshot.frame(frame).packet(_POSITION)
    assert packet is not None
    record = packet.decoded.find_actor(actor)
    assert record is not None
    return np.frombuffer(packet.decoded.raw(record), np.uint8)


POSITION_HOLE = Rule(
    "position-hole",
    subject="references",
    severity="warning",
    title=N_("An actor has no position in a frame, but has one before and after it."),
    why=N_("The simulator does not move it for that time, and trajectories of the recording have a gap there."),
    fix=Fix(N_("Interpolate the position"), fill_gaps),
)

DUPLICATE_RECORD = Rule(
    "duplicate-record",
    subject="references",
    severity="warning",
    title=N_("A frame holds two records of one actor in packets of one type."),
    why=N_("The last of the two counts for the simulator; other programs take the first one, or both."),
    fix=Fix(N_("Keep the last one"), keep_last_records),
)

RULES = (POSITION_HOLE, DUPLICATE_RECORD)
"""The rules of this module, in the order in which their findings are fixed."""


class PositionGaps:
    """Finds gaps in positions that are sorted by life."""

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        self._snapshot = snapshot
        self._actors = actors
        self._has_positions = np.zeros(len(snapshot), np.bool_)  # frames with positions
        self._gaps = LifeProblems(len(actors))

    def add(self, life: Int32Array, frame: Int32Array, before: Int32Array) -> None:
        """Add records that are sorted by life.

        Args:
            life: Index of the life of each, int32[n].
            frame: Index of its frame, int32[n].
            before: Index of the previous frame with a record of the life, int32[n]; -1: there is none.
        """
        self._has_positions[frame] = True
        number = np.concatenate(([0], np.cumsum(self._has_positions)))
        steps = np.flatnonzero((before >= 0) & (frame - before > 1))
        missing = number[frame[steps]] - number[before[steps] + 1]
        gaps = steps[missing > 0]
        self._gaps.add(life[gaps], before[gaps], missing[missing > 0].astype(np.float64))

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each life with gaps, at the record before the first one."""
        for life, before, number, longest in self._gaps.lives(self._actors):
            first = before + 1 + int(np.argmax(self._has_positions[before + 1 :]))
            frames = frames_text(first, int(longest))
            if number > 1:
                sentence = N_(
                    "{actor} has no position in {frames}, but before and after. It is missing {number:,} times."
                )
            else:
                sentence = N_("{actor} has no position in {frames}, but before and after.")
            message = say(sentence, actor=actor_text(life), frames=frames, number=number)
            yield finding_of(self._snapshot, POSITION_HOLE, life, packet=_POSITION, frame=before, message=message)


class DuplicateScan:
    """Finds actors with several records in one kind of packet of a frame."""

    def __init__(self, snapshot: Snapshot, packet: str) -> None:
        self._snapshot = snapshot
        self._packet = packet
        self._duplicates: list[UInt64Array] = []
        self._last = np.empty(0, np.uint64)  # of the last frame, which may go on in the next block

    def add(self, block: StructuredArray) -> None:
        """Add records in file order: columns `frame` and `id`."""
        keys = np.concatenate((self._last, (block["frame"].astype(np.uint64) << _ID_BITS) | block["id"]))
        self._duplicates.append(_repeated(keys))
        self._last = keys[(keys >> _ID_BITS).searchsorted(keys[-1] >> _ID_BITS) :]

    def frames_and_ids(self) -> tuple[Int32Array, UInt32Array]:
        """Return the frames (indices) and ids, in rising order."""
        keys = self._last
        if self._duplicates:
            keys = np.unique(np.concatenate(self._duplicates))
        return (keys >> _ID_BITS).astype(np.int32), keys.astype(np.uint32)

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each actor, at its first record in the first frame."""
        frames, ids = self.frames_and_ids()
        actors, first, counts = np.unique(ids, return_index=True, return_counts=True)
        for actor, frame, number in zip(actors.tolist(), frames[first].tolist(), counts.tolist(), strict=True):
            row = self._snapshot.table.row_of_frame(frame)
            place = _records(self._snapshot, self._packet, row, actor)[0]
            offset, size = self._snapshot.row(row).packets[place.packet].record_span(place.record)
            message = say(
                "{packet} holds actor {actor} twice in {frames}.",
                packet=self._packet,
                actor=actor,
                frames=frames_text(frame, number),
            )
            yield new_finding(DUPLICATE_RECORD, message, offset=offset, frame=frame, row=row, size=size)


def _repeated(keys: UInt64Array) -> UInt64Array:
    """Return the keys that are there more than once."""
    if bool((keys[1:] > keys[:-1]).all()):
        return keys[:0]
    keys = np.sort(keys)
    repeated: UInt64Array = keys[1:][keys[1:] == keys[:-1]]
    return repeated


def _records(snapshot: Snapshot, name: str, row: int, actor: int) -> list[RecordPlace]:
    """Return the places of the records of an actor in one kind of packet of a row."""

    def is_wanted(kind: PacketType) -> bool:
        return kind.name == name

    return list(records_of(snapshot.row(row), {actor}, is_wanted))
