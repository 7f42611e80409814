"""What the simulator logs as an error, or gets wrong silently, when it replays a recording.

One pass over the packets, by sections 6.1 to 6.6 of the format reference, that keeps the living actors.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from ..arrays import UInt32Array
from ..format import PacketType, decode
from ..format.schema import Value
from ..progress import SILENT, Progress
from ..recording import FRAME, RAW, START_SIZE, Bytes, Finding, FrameBlock, Packet, Row, Snapshot
from ..recording.blocks import actor_ids, blocks
from ..texts import N_, listed, say
from . import fixes, times
from .rule import Fix, Rule, new_finding

LARGEST = (1 << 31) - 1
"""Largest file that servers read without trouble, bytes (format reference, section 8)."""

_NAMED = 4  # ids that are listed before "and 12 more"


REPLAY_MAP = Rule(
    "replay-map",
    subject="replay",
    severity="error",
    title=N_("The map cannot be loaded."),
    why=N_(
        "The simulator takes a bare name such as Town01, or a path below /Game; with anything else a replay on another "
        "map fails."
    ),
    fix=Fix(N_("Keep only the last part of the path"), fixes.shorten_map_name, applies=fixes.has_bare_map_name),
)

REPLAY_TOO_LARGE = Rule(
    "replay-too-large",
    subject="replay",
    severity="warning",
    title=N_("The file is 2 GiB long or longer."),
    why=N_("Servers freeze or crash while they replay files near 2 GiB, and reports break off. Split the recording."),
)

REPLAY_STARTS_LATE = Rule(
    "replay-starts-late",
    subject="time",
    severity="error",
    title=N_("Time does not begin at 0."),
    why=N_(
        "A replay from the start takes one frame a tick and stretches every movement far beyond the map, until the "
        "time of the first frame is reached."
    ),
    fix=Fix(N_("Start the time at 0"), times.start_at_zero),
)

REPLAY_NEVER_SHOWN = Rule(
    "replay-never-shown",
    subject="time",
    severity="warning",
    title=N_("A frame has no duration."),
    why=N_(
        "The simulator looks for the frame at its time; one whose duration is 0, negative or not a number is never "
        "found. Its events are run, its positions are lost."
    ),
    fix=Fix(N_("Put ids and times in order"), times.put_in_order),
)

REPLAY_LAST_DURATION = Rule(
    "replay-last-duration",
    subject="time",
    severity="warning",
    title=N_("The last frame has a duration."),
    why=N_(
        "Recorders mark the end by a last duration of -1. With another one, a replay that begins at the end shows no "
        "actors."
    ),
    fix=Fix(N_("Set the last duration to -1"), fixes.clear_last_duration),
)

REPLAY_ADDED_TWICE = Rule(
    "replay-added-twice",
    subject="references",
    severity="warning",
    title=N_("An actor is created that exists already."),
    why=N_(
        "Up to 0.9.15 the simulator moves the first one where the blueprint is the same. Otherwise it spawns a second "
        "one, and the first stays behind in the world."
    ),
    fix=Fix(N_("Remove the second one, or give it an id of its own"), fixes.separate_actors),
)

REPLAY_DELETED_UNKNOWN = Rule(
    "replay-deleted-unknown",
    subject="references",
    severity="warning",
    title=N_("An actor is destroyed that does not exist."),
    why=N_("The simulator only logs it; the creation may have been lost."),
    fix=Fix(N_("Delete the record"), fixes.delete_found_records),
)

REPLAY_PARENT_UNKNOWN = Rule(
    "replay-parent-unknown",
    subject="references",
    severity="warning",
    title=N_("An actor is attached to itself or to one that does not exist."),
    why=N_("The simulator leaves the attachment out, and the child stays where it was created."),
    fix=Fix(N_("Delete the record"), fixes.delete_found_records),
)

REPLAY_ADDED_AND_DELETED = Rule(
    "replay-added-and-deleted",
    subject="references",
    severity="warning",
    title=N_("An actor is created and destroyed in one frame."),
    why=N_(
        "Within a frame actors are created first and destroyed afterwards, so nothing of that id is left, even where a "
        "new actor should replace the old one."
    ),
    fix=Fix(N_("Remove the actor"), fixes.remove_momentary_actors, applies=fixes.is_momentary),
)

REPLAY_MOVES_UNKNOWN = Rule(
    "replay-moves-unknown",
    subject="references",
    severity="error",
    title=N_("A position names an actor that does not exist."),
    why=N_("The simulator takes the id for one of its own and may move an actor that has nothing to do with it."),
    fix=Fix(N_("Delete the records of that actor"), fixes.delete_unknown_actors),
)

REPLAY_UNKNOWN_ACTOR = Rule(
    "replay-unknown-actor",
    subject="references",
    severity="warning",
    title=N_("A record names an actor that does not exist."),
    why=N_("The simulator leaves such records out."),
    fix=Fix(N_("Delete the records of that actor"), fixes.delete_unknown_actors),
)

REPLAY_UID_0 = Rule(
    "replay-uid-0",
    subject="replay",
    severity="warning",
    title=N_("An actor has the blueprint uid 0."),
    why=N_(
        "No simulator can spawn it. It appears at most where an actor of that id and blueprint is there already, as "
        "the props of a level are on its own map, and in the newest releases not even there."
    ),
    fix=Fix(N_("Take the uid of another actor"), fixes.set_uids, applies=fixes.has_known_uid),
)

RULES = (
    REPLAY_MAP,
    REPLAY_TOO_LARGE,
    REPLAY_STARTS_LATE,
    REPLAY_NEVER_SHOWN,
    REPLAY_LAST_DURATION,
    REPLAY_ADDED_TWICE,
    REPLAY_DELETED_UNKNOWN,
    REPLAY_PARENT_UNKNOWN,
    REPLAY_ADDED_AND_DELETED,
    REPLAY_MOVES_UNKNOWN,
    REPLAY_UNKNOWN_ACTOR,
    REPLAY_UID_0,
)
"""The rules of this module, in the order in which their findings are fixed."""


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Yield the problems of a replay, first those of the file and its times, then row by row.

    An actor that does not exist is reported once for each type of packet, until it is created. Between frames,
    `frame_index` is that of the frame before, None before the first. What `structure` finds is left to it.

    Raises:
        Cancelled: The user stopped it.
    """
    yield from _of_file(snapshot)
    yield from _of_times(snapshot)
    state = _Diagnosis(snapshot)
    following = 0
    for block in blocks(snapshot, 0, snapshot.rows):
        progress.update(block.first, snapshot.rows)
        yield from state.rows(following, block.first)
        first = block.first
        following = block.first + len(block)
        is_quiet = state.is_quiet(block)
        del block  # releases its bytes before rows and the next block are read
        if not is_quiet:
            yield from state.rows(first, following)
    yield from state.rows(following, snapshot.rows)


# --- the file and its times -----------------------------------------------------------------------------


def _of_file(snapshot: Snapshot) -> Iterator[Finding]:
    name = snapshot.header.map_name if snapshot.header is not None else "unknown"
    if not _is_loadable(name):
        message = say(
            "The simulator cannot load the map '{text}': it takes a bare name as Town01, or one below /Game.",
            text=_text(name),
        )
        yield new_finding(REPLAY_MAP, message, offset=28, size=len(snapshot.header_bytes) - 28)
    if snapshot.size > LARGEST:
        message = say(
            "The file is {size:.1f} GiB long; servers may freeze or crash on files of 2 "
            "GiB and more. Split it into parts.",
            size=snapshot.size / (1 << 30),
        )
        yield new_finding(REPLAY_TOO_LARGE, message)


def _is_loadable(map_name: str | bytes) -> bool:
    """Whether the simulator takes a name for that of a map."""
    if isinstance(map_name, bytes) or not map_name:
        return False
    return "/" not in map_name or map_name.startswith("/Game")


def _of_times(snapshot: Snapshot) -> Iterator[Finding]:
    elapsed = snapshot.elapsed
    duration = snapshot.frame_column("duration")

    def at_frame(index: int, rule: Rule, message: str) -> Finding:
        row = snapshot.table.row_of_frame(index)
        return new_finding(rule, message, offset=snapshot.position(row), frame=index, row=row, size=START_SIZE)

    if elapsed[0] != 0:
        message = say(
            "Time begins at {elapsed:g} s instead of 0: a replay from the start takes one "
            "frame a tick and shows everything far from where it was.",
            elapsed=elapsed[0],
        )
        yield at_frame(0, REPLAY_STARTS_LATE, message)
    with np.errstate(all="ignore"):
        missed = np.flatnonzero(~(elapsed[:-1] < elapsed[:-1] + duration[:-1]))
    for index in missed.tolist():
        message = say(
            "Frame {index:,} lasts {duration:g} s, so the simulator never shows it; its events are run.",
            index=index + 1,
            duration=duration[index],
        )
        yield at_frame(index, REPLAY_NEVER_SHOWN, message)
    if duration[-1] > 0:
        message = say(
            "The last frame has a duration of {duration:g} s instead of -1, which marks the end: a replay that begins "
            "at the end shows no actors.",
            duration=duration[-1],
        )
        yield at_frame(len(snapshot) - 1, REPLAY_LAST_DURATION, message)


# --- row by row -----------------------------------------------------------------------------------------


class _Diagnosis:
    """Checks rows in file order and keeps the living actors."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._alive: dict[int, str] = {}
        self._names = [kind.name for kind in snapshot.dialect.kinds() if _is_applied_to_actors(kind)]
        self._reported: set[tuple[str, int]] = set()
        self._row = 0
        self._frame: int | None = None

    def is_quiet(self, block: FrameBlock) -> bool:
        """Whether no frame of a block can have findings: no events, whole bodies, records of living actors alone."""
        if not (block.rows["kind"] == FRAME).all():
            return False
        for kind, start, size in block.spans(self._snapshot.dialect):
            if size <= 2 or _is_left_out(kind):
                continue
            if not self._are_quiet(block.data[:, start : start + size], kind):
                return False
        return True

    def _are_quiet(self, bodies: Bytes, kind: PacketType) -> bool:
        """Whether lists of one kind, uint8[frames, size], can have no findings."""
        if kind.lifetime == "event":
            return False
        count = bodies[0, :2].tobytes()
        if bodies[:, :2].tobytes() != count * len(bodies):
            return False
        ids = _ids_of_whole_records(kind, bodies, int.from_bytes(count, "little"))
        if ids is None:
            return False
        if not ids.size:
            return True
        ids = ids[0] if (ids == ids[0]).all() else np.unique(ids)
        unknown = set(ids.tolist()) - self._alive.keys()
        return all((kind.name, actor) in self._reported for actor in unknown)

    def rows(self, first: int, stop: int) -> Iterator[Finding]:
        """Yield the findings in the rows `[first, stop)`."""
        for number in range(first, stop):
            yield from self._of_row(self._snapshot.row(number))

    def _of_row(self, row: Row) -> Iterator[Finding]:
        self._row = row.row
        frame = self._snapshot.table.frame_of_row(row.row)
        if row.kind == RAW:
            frame -= 1
        self._frame = frame if frame >= 0 else None
        added: set[int] = set()
        for packet in row.packets:
            yield from self._packet(packet, added, is_read=row.kind != RAW)

    def _packet(self, packet: Packet, added: set[int], *, is_read: bool) -> Iterator[Finding]:
        name = packet.name
        if packet.type.replayed == "skipped" or packet.size <= 2:
            return
        if name == "EventAdd":
            yield from self._added(packet, added)
        elif name == "EventDel":
            yield from self._deleted(packet, added)
        elif name == "EventParent":
            yield from self._attached(packet)
        elif is_read and _is_applied_to_actors(packet.type):
            yield from self._of_actors(packet)

    # --- events -----------------------------------------------------------------------------------------

    def _added(self, packet: Packet, added: set[int]) -> Iterator[Finding]:
        body = packet.decoded
        without_uid: dict[str, tuple[tuple[int, int], list[int]]] = {}
        for index, actor in enumerate(body.actors):
            span = packet.record_span(index)
            # Not the whole record: an actor may have 65,000 attributes.
            blueprint = _text(body.get(index, "blueprint"))
            if actor in self._alive:
                alive = self._alive[actor]
                if alive == blueprint:
                    sentence = N_(
                        "{here} creates actor {actor} ({blueprint}), which exists already ({alive}): "
                        "up to 0.9.15 the simulator moves that one, later it spawns a second one and "
                        "the first stays behind."
                    )
                else:
                    sentence = N_(
                        "{here} creates actor {actor} ({blueprint}), which exists already ({alive}): "
                        "the first one stays behind in the world, and nothing moves or destroys it any "
                        "more."
                    )
                message = say(sentence, here=self._here, actor=actor, blueprint=blueprint, alive=alive)
                yield self._new_finding(REPLAY_ADDED_TWICE, message, span)
            if body.get(index, "uid") == 0 and not blueprint.startswith("traffic.") and blueprint != "spectator":
                _, actors = without_uid.setdefault(blueprint, (span, []))
                actors.append(actor)
            self._alive[actor] = blueprint
            added.add(actor)
            if self._reported:
                self._reported.difference_update((name, actor) for name in self._names)
        for blueprint, (span, actors) in without_uid.items():
            message = say(
                "{here} creates {actors} as {blueprint} with blueprint uid 0, which no "
                "simulator can spawn: it appears at most where an actor of that id and "
                "blueprint is there already.",
                here=self._here,
                actors=_ids_text(actors),
                blueprint=blueprint,
            )
            yield self._new_finding(REPLAY_UID_0, message, span)

    def _deleted(self, packet: Packet, added: set[int]) -> Iterator[Finding]:
        for index, actor in enumerate(packet.decoded.actors):
            span = packet.record_span(index)
            if actor not in self._alive:
                message = say(
                    "{here} destroys actor {actor}, which does not exist then; the simulator only logs it.",
                    here=self._here,
                    actor=actor,
                )
                yield self._new_finding(REPLAY_DELETED_UNKNOWN, message, span)
                continue
            if actor in added:
                message = say(
                    "{here} creates and destroys actor {actor} ({blueprint}): actors are created "
                    "first, so nothing of that id is left.",
                    here=self._here,
                    actor=actor,
                    blueprint=self._alive[actor],
                )
                yield self._new_finding(REPLAY_ADDED_AND_DELETED, message, span)
            del self._alive[actor]

    def _attached(self, packet: Packet) -> Iterator[Finding]:
        for index, (child, parent) in enumerate(packet.array[["child", "parent"]].tolist()):
            unknown = [actor for actor in (child, parent) if actor not in self._alive]
            if child != parent and not unknown:
                continue
            if child != parent:
                sentence = N_(
                    "{here} attaches actor {child} to actor {parent}, but {unknown} does not exist "
                    "then; the simulator leaves it out."
                )
            elif unknown:
                sentence = N_(
                    "{here} attaches actor {child} to itself, but {unknown} does not exist then; "
                    "the simulator leaves it out."
                )
            else:
                sentence = N_("{here} attaches actor {child} to itself; the simulator leaves it out.")
            unknown_text = _ids_text(unknown) if unknown else ""
            message = say(sentence, here=self._here, child=child, parent=parent, unknown=unknown_text)
            yield self._new_finding(REPLAY_PARENT_UNKNOWN, message, packet.record_span(index))

    # --- records of actors ------------------------------------------------------------------------------

    def _of_actors(self, packet: Packet) -> Iterator[Finding]:
        actors = packet.decoded.actors
        if self._alive.keys() >= set(actors):
            return
        for index, actor in enumerate(actors):
            if actor not in self._alive and (packet.name, actor) not in self._reported:
                self._reported.add((packet.name, actor))
                yield self._unknown(packet, actor, packet.record_span(index))

    def _unknown(self, packet: Packet, actor: int, span: tuple[int, int]) -> Finding:
        """Return a finding about a record of an actor that does not exist."""
        if packet.name == "Position":
            rule = REPLAY_MOVES_UNKNOWN
            sentence = N_(
                "{here} has a record in {packet} of actor {actor}, which does not exist then: "
                "the simulator takes it for an id of its own and may move another actor."
            )
        else:
            rule = REPLAY_UNKNOWN_ACTOR
            sentence = N_(
                "{here} has a record in {packet} of actor {actor}, which does not exist then; "
                "the simulator leaves it out."
            )
        message = say(sentence, here=self._here, packet=packet.name, actor=actor)
        return self._new_finding(rule, message, span)

    # --- messages ---------------------------------------------------------------------------------------

    @property
    def _here(self) -> str:
        if self._frame is None:
            return say("The data before the first frame")
        return say("Frame {frame:,}", frame=self._frame + 1)

    def _new_finding(self, rule: Rule, message: str, span: tuple[int, int]) -> Finding:
        """Return a finding in the row that is checked; `span` is the offset and the size of a record."""
        offset, size = span
        return new_finding(rule, message, offset=offset, frame=self._frame, row=self._row, size=size)


def _is_left_out(kind: PacketType) -> bool:
    """Whether a packet has no findings: the replayer skips it, or takes no list of actors from it."""
    if kind.replayed == "skipped" or kind.body != "list":
        return True
    return not _is_applied_to_actors(kind) and kind.lifetime != "event"


def _is_applied_to_actors(kind: PacketType) -> bool:
    """Whether the replayer applies each record to an actor."""
    return kind.replayed != "skipped" and kind.keyed == "actor" and kind.lifetime != "event"


def _ids_of_whole_records(kind: PacketType, bodies: Bytes, count: int) -> UInt32Array | None:
    """Return the ids of the records that the simulator reads, uint32[frames, records], in bodies of one count.

    Returns:
        None if that takes a look at each body.
    """
    record_size = kind.record.size
    if record_size is not None:
        # Bytes behind the last record, and the rest of a record that is cut off, are left to `structure`.
        return actor_ids(kind, bodies[:, : 2 + count * record_size])
    if decode(kind, bodies[0].tobytes()).damage is None:
        return actor_ids(kind, bodies)
    return None


def _ids_text(actors: Iterable[int]) -> str:
    """Return ids as text: actor 5; actors 5, 6 and 7; actors 5, 6, 7, 8 and 12 more."""
    ids = [str(actor) for actor in actors]
    if len(ids) > _NAMED:
        return say("actors {actors} and {more:,} more", actors=listed(ids[:_NAMED]), more=len(ids) - _NAMED)
    if len(ids) > 1:
        return say("actors {actors} and {last}", actors=listed(ids[:-1]), last=ids[-1])
    return say("actor {last}", last=ids[-1])


def _text(name: Value) -> str:
    if isinstance(name, bytes):
        return name.decode("utf-8", "replace")
    return str(name)
