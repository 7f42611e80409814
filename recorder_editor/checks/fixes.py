"""The fixes of findings about structure and references.

A fix removes what its title names and nothing else; `repair` restores badly damaged files.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from ..edits import delete_records, remove_actors, set_blueprint, set_frame_start, set_header
from ..edits.actors.describing import uid_of
from ..edits.actors.rewrite import IdSpan, Plan, Rename, id_span_of, rewrite, unused_id
from ..edits.rows import raw_packets, with_bytes, with_packets
from ..errors import EditError
from ..format import MAX_RECORDS, Body, PacketType, packet_bytes
from ..reading import Actors, Life
from ..recording import Edit, Finding, FrameTable, Snapshot, Splice
from ..recording.blocks import runs
from ..recording.compose import compose
from ..recording.place import records_of
from ..recording.recording import shown_version_of
from ..texts import say, say_count
from .rule import place_of, record_of

_FRAME_END = packet_bytes(1, b"")


# --- structure ------------------------------------------------------------------------------------------


def fit_bodies(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that keeps the whole records of bodies and sets count and size."""
    chosen: dict[int, set[int]] = {}
    for finding in findings:
        place = place_of(snapshot, finding)
        assert place.packet is not None
        chosen.setdefault(place.row, set()).add(place.packet)

    def fit(row: int) -> Edit:
        return _fitted(snapshot, row, chosen[row])

    label = say_count(
        "Correct 1 packet of wrong size or count",
        "Correct {count:,} packets of wrong size or count",
        count=sum(map(len, chosen.values())),
    )
    return edit_rows(snapshot, label, chosen, fit)


def _fitted(snapshot: Snapshot, row: int, chosen: set[int]) -> Edit:
    """Return the edit that fits the bodies of these packets (indices) of a row."""
    row_data = snapshot.row(row)
    packets = raw_packets(row_data)
    for index in sorted(chosen, reverse=True):
        number, _ = packets[index]
        body = _whole(row_data.packets[index].decoded)
        if body is None:
            del packets[index]
        else:
            packets[index] = (number, body)
    return with_packets(snapshot, row, packets, "")


def _whole(body: Body) -> bytes | None:
    """Return the part of a body that decodes; None if nothing does."""
    if body.type.body == "list":
        number = min(len(body), MAX_RECORDS)
        records = b""
        if number:
            start, _ = body.span(0)
            _, stop = body.span(number - 1)
            records = body.data[start:stop]
        return number.to_bytes(2, "little") + records
    size = body.type.record.size or 0
    if len(body.data) >= size:
        return body.data[:size]
    return None


def end_frames(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that appends a FrameEnd to open frames."""
    rows = {_row_of(finding) for finding in findings}

    def end(row: int) -> Edit:
        return with_bytes(snapshot, row, snapshot.row(row).data + _FRAME_END, "")

    return edit_rows(snapshot, say_count("End 1 frame", "End {count:,} frames", count=len(rows)), rows, end)


def edit_rows(snapshot: Snapshot, label: str, rows: Iterable[int], make: Callable[[int], Edit]) -> Edit:
    """Return one edit that changes rows; neighbouring ones become one splice.

    Args:
        snapshot: The state of the recording.
        label: The label of the edit.
        rows: The rows.
        make: Returns the edit of one row.
    """

    def splice(first: int, stop: int) -> Splice:
        parts = []
        for row in range(first, stop):
            for part in make(row).splices:
                parts.append(part.inserted.rows())
        return Splice(first, stop - first, FrameTable.from_rows(np.concatenate(parts)))

    # From the end, so that a splice of another length moves only rows that are done.
    splices = [splice(first, stop) for first, stop in reversed(_runs_of(snapshot, rows))]
    return Edit(label, snapshot.version, tuple(splices))


def _runs_of(snapshot: Snapshot, rows: Iterable[int]) -> list[tuple[int, int]]:
    """Return runs of consecutive rows as `[first, stop)`, rising."""
    chosen = np.zeros(snapshot.rows, np.bool_)
    chosen[list(rows)] = True
    return runs(chosen)


def delete_bytes(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that removes rows that are no frames."""
    empty = FrameTable.from_rows(snapshot.table.rows(0, 0))
    splices = []
    size = 0
    for first, stop in reversed(_runs_of(snapshot, map(_row_of, findings))):
        splices.append(Splice(first, stop - first, empty))
        size += snapshot.position(stop) - snapshot.position(first)
    label = say_count("Delete 1 byte outside of frames", "Delete {count:,} bytes outside of frames", count=size)
    return Edit(label, snapshot.version, tuple(splices))


def _row_of(finding: Finding) -> int:
    if finding.row is None:
        raise EditError(say("This finding is in no row of the recording."))
    return finding.row


# --- the file -------------------------------------------------------------------------------------------


def clear_last_duration(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that sets the duration of the last frame to -1."""
    return set_frame_start(snapshot, _row_of(findings[0]), {"duration": -1.0})


def _bare_map_name(snapshot: Snapshot) -> str:
    name = snapshot.header.map_name if snapshot.header is not None else ""
    if isinstance(name, str):
        return name.rpartition("/")[2]
    return ""


def has_bare_map_name(snapshot: Snapshot, _finding: Finding) -> bool:
    """Whether the path of the map has a last part."""
    return bool(_bare_map_name(snapshot))


def shorten_map_name(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that reduces the map name to the last part of its path."""
    return set_header(snapshot, map_name=_bare_map_name(snapshot))


def has_shown_version(snapshot: Snapshot, _finding: Finding) -> bool:
    """Whether the content shows which version it is of."""
    return shown_version_of(snapshot) is not None


def set_version(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that sets the version in the file header to that of the content."""
    return set_header(snapshot, version=shown_version_of(snapshot))


# --- references -----------------------------------------------------------------------------------------


def delete_found_records(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that removes the records at the offsets of the findings."""
    return delete_records(snapshot, [place_of(snapshot, finding) for finding in findings])


def delete_unknown_actors(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that removes records of actors that do not exist.

    They are removed from the finding on, to the next EventAdd of the id.
    """
    plan = plan_without_unknown(snapshot, findings)
    label = say_count(
        "Delete the records of 1 actor that did not exist",
        "Delete the records of {count:,} actors that did not exist",
        count=len({span.actor for span in plan.leaving}),
    )
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def plan_without_unknown(snapshot: Snapshot, findings: Iterable[Finding]) -> Plan:
    """Return the plan of `delete_unknown_actors`; of findings about events, only the record itself is removed."""
    plan = Plan(spared=[kind.name for kind in snapshot.dialect.kinds("event")])
    unknown: dict[int, set[int]] = {}
    for finding in findings:
        kind, place, actor = record_of(snapshot, finding)
        if kind.lifetime == "event":
            plan.dropped.append(place)
            continue
        stop = _next_creation(snapshot, actor, place.row)
        plan.leaving.append(IdSpan(actor, place.row + 1, stop - 1))
        unknown.setdefault(place.row, set()).add(actor)
    # Not all records of these rows: a collision in the frame of the EventDel belongs to the actor.
    for row, ids in unknown.items():
        plan.dropped.extend(records_of(snapshot.row(row), ids, _is_no_event))
    return plan


def _is_no_event(kind: PacketType) -> bool:
    return kind.lifetime != "event"


def _next_creation(snapshot: Snapshot, actor: int, row: int) -> int:
    """Return the row behind another one in which an id is created again; the number of rows if it is not."""
    for life in Actors.of(snapshot).of_id(actor):
        if life.added.row > row:
            return life.added.row
    return snapshot.rows


def separate_actors(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that resolves second EventAdds of living actors.

    A second EventAdd of the same blueprint is removed; a life of another blueprint gets an unused id.
    """
    plan = Plan()
    others: dict[int, Life] = {}
    dropped_ids: set[int] = set()
    for finding in findings:
        life, before = duplicate_life(snapshot, finding)
        if life.blueprint == before.blueprint:
            plan.dropped.append(life.added)
            dropped_ids.add(life.actor)
        else:
            others[life.index] = life
    # An id with both is handled for other blueprints later: removing EventAdds changes to which life records belong.
    new_id = unused_id(snapshot)
    for life in others.values():
        if life.actor in dropped_ids:
            continue
        plan.renamed.append(Rename(id_span_of(snapshot, life), new_id))
        for place in life.events:
            plan.renumbered.append((place, new_id))
        new_id += 1
    label = say_count("Separate 1 actor created twice", "Separate {count:,} actors created twice", count=len(findings))
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def duplicate_life(snapshot: Snapshot, finding: Finding) -> tuple[Life, Life]:
    """Return the life that a finding is about, and the previous life of its id.

    Raises:
        EditError: Its data no longer exists, or the actor is created once only.
    """
    life = life_of(snapshot, finding)
    before = [earlier for earlier in Actors.of(snapshot).of_id(life.actor) if earlier.index < life.index]
    if not before:
        raise EditError(say("Actor {actor} is created once only.", actor=life.actor), offset=finding.offset)
    return life, before[-1]


def life_of(snapshot: Snapshot, finding: Finding) -> Life:
    """Return the life of the EventAdd that a finding is about.

    Raises:
        EditError: It no longer exists.
    """
    _, place, actor = record_of(snapshot, finding)
    for life in Actors.of(snapshot).of_id(actor):
        if life.added == place:
            return life
    raise EditError(say("The actor of this finding no longer exists."), offset=finding.offset)


def _momentary_life(snapshot: Snapshot, finding: Finding) -> Life | None:
    """Return the life that begins in the row of a finding; None if it is not alone of its id there."""
    _, place, actor = record_of(snapshot, finding)
    lives = Actors.of(snapshot).of_id(actor)
    created = [life for life in lives if life.added.row == place.row]
    if len(created) != 1:
        return None
    for life in lives:
        if life.index < created[0].index and life.gone == created[0].born:
            return None
    return created[0]


def is_momentary(snapshot: Snapshot, finding: Finding) -> bool:
    """Whether an actor is created and destroyed in one frame, and no other life of its id ends there."""
    return _momentary_life(snapshot, finding) is not None


def remove_momentary_actors(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that removes EventAdd and EventDel of actors that are created and destroyed in one frame."""
    plan = Plan()
    for finding in findings:
        life = _momentary_life(snapshot, finding)
        if life is None:
            raise EditError(say("The data of this finding no longer exists."), offset=finding.offset)
        _, deleted, _ = record_of(snapshot, finding)
        plan.dropped.append(life.added)
        plan.dropped.append(deleted)
    label = say_count(
        "Remove 1 actor created and destroyed in one frame",
        "Remove {count:,} actors created and destroyed in one frame",
        count=len(findings),
    )
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def _lives_without_uid(snapshot: Snapshot, finding: Finding) -> list[Life]:
    """Return the lives with uid 0 and the same blueprint in the packet of a finding."""
    first = life_of(snapshot, finding)
    row, packet, _ = first.added
    lives = []
    for life in Actors.of(snapshot):
        is_in_packet = life.added.row == row and life.added.packet == packet
        if is_in_packet and life.uid == 0 and life.blueprint == first.blueprint:
            lives.append(life)
    return lives


def has_known_uid(snapshot: Snapshot, finding: Finding) -> bool:
    """Whether another actor of the blueprint has a uid."""
    lives = _lives_without_uid(snapshot, finding)
    return bool(lives) and uid_of(snapshot, lives[0].blueprint) is not None


def set_uids(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that sets missing blueprint uids to that of another actor of the blueprint."""
    groups = [_lives_without_uid(snapshot, finding) for finding in findings]
    label = say_count(
        "Set the blueprint uid of 1 actor", "Set the blueprint uid of {count:,} actors", count=sum(map(len, groups))
    )
    steps = []
    for lives in groups:
        steps.append(partial(_give_uid, [life.index for life in lives]))
    return compose(snapshot, label, steps)


def _give_uid(indices: list[int], state: Snapshot) -> Edit:
    lives = [Actors.of(state).lives[index] for index in indices]
    return set_blueprint(state, lives, lives[0].blueprint)


def remove_found_actors(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that removes the actors of the EventAdds that the findings are about."""
    return remove_actors(snapshot, [life_of(snapshot, finding) for finding in findings])
