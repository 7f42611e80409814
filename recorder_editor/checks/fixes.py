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
from ..format import MAX_RECORDS, Body, packet_bytes
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
    """The edit that keeps the whole records of bodies and sets count and size."""
    chosen: dict[int, set[int]] = {}
    for finding in findings:
        where = place_of(snapshot, finding)
        assert where.packet is not None
        chosen.setdefault(where.row, set()).add(where.packet)
    label = say_count(
        "Correct 1 packet of wrong size or count",
        "Correct {count:,} packets of wrong size or count",
        count=sum(map(len, chosen.values())),
    )
    return edit_rows(snapshot, label, chosen, lambda row: _fitted(snapshot, row, chosen[row]))


def _fitted(snapshot: Snapshot, row: int, chosen: set[int]) -> Edit:
    found = snapshot.row(row)
    packets = raw_packets(found)
    for index in sorted(chosen, reverse=True):
        number, _ = packets[index]
        body = _whole(found.packets[index].decoded)
        if body is None:
            packets[index : index + 1] = []
        else:
            packets[index : index + 1] = [(number, body)]
    return with_packets(snapshot, row, packets, "")


def _whole(body: Body) -> bytes | None:
    """The part of a body that decodes; None if nothing does."""
    if body.type.body == "list":
        number = min(len(body), MAX_RECORDS)
        if number:
            start, stop = (body.span(0)[0], body.span(number - 1)[1])
        else:
            start, stop = (0, 0)
        return number.to_bytes(2, "little") + body.data[start:stop]
    size = body.type.record.size or 0
    if len(body.data) >= size:
        return body.data[:size]
    return None


def end_frames(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that appends a FrameEnd to open frames."""
    rows = {_row_of(finding) for finding in findings}

    def end(row: int) -> Edit:
        return with_bytes(snapshot, row, snapshot.row(row).data + _FRAME_END, "")

    return edit_rows(snapshot, say_count("End 1 frame", "End {count:,} frames", count=len(rows)), rows, end)


def edit_rows(snapshot: Snapshot, label: str, rows: Iterable[int], make: Callable[[int], Edit]) -> Edit:
    """One edit that applies `make` to each row; neighbouring rows become one splice."""

    def splice(first: int, stop: int) -> Splice:
        parts = []
        for row in range(first, stop):
            for part in make(row).splices:
                parts.append(part.inserted.rows())
        return Splice(first, stop - first, FrameTable.from_rows(np.concatenate(parts)))

    # From the end, so that a splice of another length moves only rows that are done.
    return Edit(label, snapshot.version, tuple(splice(*run) for run in reversed(_runs_of(snapshot, rows))))


def _runs_of(snapshot: Snapshot, rows: Iterable[int]) -> list[tuple[int, int]]:
    """Runs of consecutive rows as `[first, stop)`, rising."""
    chosen = np.zeros(snapshot.rows, np.bool_)
    chosen[list(rows)] = True
    return runs(chosen)


def delete_bytes(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that removes rows that are no frames."""
    spans = _runs_of(snapshot, map(_row_of, findings))
    empty = FrameTable.from_rows(snapshot.table.rows(0, 0))
    size = sum(snapshot.position(stop) - snapshot.position(first) for first, stop in spans)
    label = say_count("Delete 1 byte outside of frames", "Delete {count:,} bytes outside of frames", count=size)
    return Edit(label, snapshot.version, tuple(Splice(first, stop - first, empty) for first, stop in reversed(spans)))


def _row_of(finding: Finding) -> int:
    if finding.row is None:
        raise EditError(say("This finding is in no row of the recording."))
    return finding.row


# --- the file -------------------------------------------------------------------------------------------


def clear_last_duration(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that sets the duration of the last frame to -1."""
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
    """The edit that reduces the map name to the last part of its path."""
    return set_header(snapshot, map_name=_bare_map_name(snapshot))


def has_shown_version(snapshot: Snapshot, _finding: Finding) -> bool:
    """Whether the content shows which version it is of."""
    return shown_version_of(snapshot) is not None


def set_version(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that sets the version in the file header to that of the content."""
    return set_header(snapshot, version=shown_version_of(snapshot))


# --- references -----------------------------------------------------------------------------------------


def delete_found_records(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that removes the records at the offsets of the findings."""
    return delete_records(snapshot, [place_of(snapshot, finding) for finding in findings])


def delete_unknown_actors(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that removes records of actors that do not exist, from the finding to the next EventAdd of the id."""
    plan = plan_without_unknown(snapshot, findings)
    label = say_count(
        "Delete the records of 1 actor that did not exist",
        "Delete the records of {count:,} actors that did not exist",
        count=len({span.actor for span in plan.leaving}),
    )
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def plan_without_unknown(snapshot: Snapshot, findings: Iterable[Finding]) -> Plan:
    """The plan of `delete_unknown_actors`; of findings about events, only the record itself is removed."""
    actors = Actors.of(snapshot)
    plan = Plan(spared=[kind.name for kind in snapshot.dialect.kinds("event")])
    unknown: dict[int, set[int]] = {}
    for finding in findings:
        kind, place, actor = record_of(snapshot, finding)
        if kind.lifetime == "event":
            plan.dropped.append(place)
            continue
        later = next((life.added.row for life in actors.of_id(actor) if life.added.row > place.row), snapshot.rows)
        plan.leaving.append(IdSpan(actor, place.row + 1, later - 1))
        unknown.setdefault(place.row, set()).add(actor)
    # Not all records of these rows: a collision in the frame of the EventDel belongs to the actor.
    for row, ids in unknown.items():
        plan.dropped += records_of(snapshot.row(row), ids, lambda kind: kind.lifetime != "event")
    return plan


def separate_actors(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that resolves second EventAdds of living actors.

    A second EventAdd of the same blueprint is removed; a life of another blueprint gets an unused id.
    """
    plan = Plan()
    others: list[Life] = []
    again: set[int] = set()
    for life, before in (duplicate_life(snapshot, finding) for finding in findings):
        if life.blueprint == before.blueprint:
            plan.dropped.append(life.added)
            again.add(life.actor)
        else:
            others.append(life)
    # An id with both is handled for other blueprints later: removing EventAdds changes which records are whose.
    others = [life for life in others if life.actor not in again]
    first = unused_id(snapshot)
    new = {life.index: first + number for number, life in enumerate(others)}
    plan.renamed = [Rename(id_span_of(snapshot, life), new[life.index]) for life in others]
    plan.renumbered = [(place, new[life.index]) for life in others for place in life.events]
    label = say_count("Separate 1 actor created twice", "Separate {count:,} actors created twice", count=len(findings))
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def duplicate_life(snapshot: Snapshot, finding: Finding) -> tuple[Life, Life]:
    """The life that a finding is about, and the previous life of its id. Raises `EditError`."""
    life = life_of(snapshot, finding)
    lives = Actors.of(snapshot).of_id(life.actor)
    before = [other for other in lives if other.index < life.index]
    if not before:
        raise EditError(say("Actor {actor} is created once only.", actor=life.actor), offset=finding.offset)
    return life, before[-1]


def life_of(snapshot: Snapshot, finding: Finding) -> Life:
    """The life whose EventAdd a finding is about. Raises `EditError`."""
    _, place, actor = record_of(snapshot, finding)
    for life in Actors.of(snapshot).of_id(actor):
        if life.added == place:
            return life
    raise EditError(say("The actor of this finding no longer exists."), offset=finding.offset)


def _momentary_life(snapshot: Snapshot, finding: Finding) -> Life | None:
    _, place, actor = record_of(snapshot, finding)
    lives = Actors.of(snapshot).of_id(actor)
    here = [life for life in lives if life.added.row == place.row]
    if len(here) != 1 or any(life.gone == here[0].born for life in lives if life.index < here[0].index):
        return None
    return here[0]


def is_momentary(snapshot: Snapshot, finding: Finding) -> bool:
    """Whether an actor is created and destroyed in one frame, and no other life of its id ends there."""
    return _momentary_life(snapshot, finding) is not None


def remove_momentary_actors(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that removes EventAdd and EventDel of actors that are created and destroyed in one frame."""
    plan = Plan()
    for finding in findings:
        life = _momentary_life(snapshot, finding)
        if life is None:
            raise EditError(say("The data of this finding no longer exists."), offset=finding.offset)
        plan.dropped += [life.added, record_of(snapshot, finding)[1]]
    label = say_count(
        "Remove 1 actor created and destroyed in one frame",
        "Remove {count:,} actors created and destroyed in one frame",
        count=len(findings),
    )
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def _lives_without_uid(snapshot: Snapshot, finding: Finding) -> list[Life]:
    """The lives with uid 0 and the same blueprint in the packet of a finding."""
    first = life_of(snapshot, finding)
    place = first.added.row, first.added.packet
    return [
        life
        for life in Actors.of(snapshot)
        if life.uid == 0 and life.blueprint == first.blueprint and (life.added.row, life.added.packet) == place
    ]


def has_known_uid(snapshot: Snapshot, finding: Finding) -> bool:
    """Whether another actor of the blueprint has a uid."""
    lives = _lives_without_uid(snapshot, finding)
    return bool(lives) and uid_of(snapshot, lives[0].blueprint) is not None


def set_uids(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that sets missing blueprint uids to that of another actor of the blueprint."""
    groups = []
    for finding in findings:
        groups.append(_lives_without_uid(snapshot, finding))
    label = say_count(
        "Set the blueprint uid of 1 actor", "Set the blueprint uid of {count:,} actors", count=sum(map(len, groups))
    )
    return compose(snapshot, label, (partial(_give_uid, [life.index for life in lives]) for lives in groups))


def _give_uid(indices: list[int], state: Snapshot) -> Edit:
    lives = [Actors.of(state).lives[index] for index in indices]
    return set_blueprint(state, lives, lives[0].blueprint)


def remove_found_actors(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that removes the actors whose EventAdds the findings are about."""
    return remove_actors(snapshot, [life_of(snapshot, finding) for finding in findings])
