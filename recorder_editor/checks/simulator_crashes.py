"""Well-formed content that is known to crash the simulator or to be misread by it."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from ..edits.actors.rewrite import Plan, id_span_of, rewrite
from ..format import LONGEST_STRING
from ..progress import SILENT, Progress
from ..reading import Actors, Life
from ..reading.wrong_class import crashing_records
from ..recording import Edit, Finding, Packet, Snapshot
from ..recording.compose import compose
from ..texts import N_, say, say_count
from . import fixes
from .rule import Fix, Rule, actor_text, finding_of, frames_text, kind_and_life, new_finding

_MAX_LOOKED_AT = 100  # frames of one layout
_FRICTION = "static.trigger.friction"


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Yield findings about the descriptions of actors, and about records of actors of the wrong class.

    Raises:
        Cancelled: The user stopped it.
    """
    long: dict[tuple[str, int], str] = {}
    for life in Actors.of(snapshot, progress):
        if life.blueprint == _FRICTION:
            message = say(
                "Frame {frame:,} creates {blueprint} {actor}: a second replay crashes the simulator.",
                frame=life.born + 1,
                blueprint=_FRICTION,
                actor=life.actor,
            )
            yield _at_event(snapshot, FRICTION_TRIGGER, life, message)
        key = (life.blueprint, id(life.attributes))
        if key not in long:
            long[key] = _longest(life)
        if long[key]:
            message = say(
                "Frame {frame:,} creates actor {actor} with a {text}.",
                frame=life.born + 1,
                actor=life.actor,
                text=long[key],
            )
            yield _at_event(snapshot, LONG_STRING, life, message)
    yield from _bones(snapshot)
    yield from _of_wrong_class(snapshot, progress)


def _of_wrong_class(snapshot: Snapshot, progress: Progress) -> Iterator[Finding]:
    """Yield a finding for each packet and life, at its first record."""
    for kind, life, frame, count in crashing_records(snapshot, progress.quiet()):
        message = say(
            "{packet} names {actor} ({kind}) in {frames}: the simulator crashes on that.",
            packet=kind.name,
            actor=actor_text(life),
            kind=say(life.class_),
            frames=frames_text(frame, count),
        )
        yield finding_of(snapshot, REPLAY_WRONG_CLASS, life, packet=kind.name, frame=frame, message=message)


def delete_wrong_records(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that deletes the records of each finding's life in its packet."""
    lives: dict[str, list[Life]] = {}
    for finding in findings:
        kind, life = kind_and_life(snapshot, finding)
        lives.setdefault(kind.name, []).append(life)
    steps = []
    for name, of_kind in lives.items():
        steps.append(partial(_without_records, name, [life.index for life in of_kind]))
    return compose(
        snapshot,
        say_count(
            "Delete the records of 1 actor of the wrong class",
            "Delete the records of {count:,} actors of the wrong class",
            count=sum(map(len, lives.values())),
        ),
        steps,
    )


def _without_records(packet: str, indices: Sequence[int], state: Snapshot) -> Edit:
    actors = Actors.of(state)
    plan = Plan()
    plan.leave([id_span_of(state, actors.lives[index]) for index in indices], state.dialect, [packet])
    return Edit("", state.version, rewrite(state, plan))


def _bones(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield findings about names of bones that are too long; only packets that can hold one are decoded."""
    kind = snapshot.dialect.by_name("WalkerBones")
    if kind is None:
        return
    layouts = snapshot.table.column("layout")
    for number in np.unique(layouts[layouts >= 0]).tolist():
        layout = snapshot.layouts.get(number)
        if not (layout.sizes[layout.ids == kind.id] > LONGEST_STRING).any():
            continue
        for row in np.flatnonzero(layouts == number)[:_MAX_LOOKED_AT].tolist():
            for packet in snapshot.row(row).packets:
                if packet.id == kind.id and packet.size > LONGEST_STRING:
                    yield from _long_names(snapshot, packet, row)


def _long_names(snapshot: Snapshot, packet: Packet, row: int) -> Iterator[Finding]:
    body = packet.decoded
    frame = snapshot.table.frame_of_row(row)
    for index in range(len(body)):
        for leaf in body.leaves(index):
            size = leaf.stop - leaf.start - 2
            if leaf.field.type == "str" and size > LONGEST_STRING:
                message = say(
                    "WalkerBones of frame {frame:,} names a bone with {size:,} bytes.", frame=frame + 1, size=size
                )
                yield new_finding(
                    LONG_STRING, message, offset=packet.offset + 5 + leaf.start, frame=frame, row=row, size=size + 2
                )


def _longest(life: Life) -> str:
    """Return name and size of the first text that is too long, as text; empty if there is none."""
    size = _long_size(life.blueprint)
    if size is not None:
        return say("blueprint of {size:,} bytes", size=size)
    for attribute in life.attributes:
        size = _long_size(attribute.id)
        if size is not None:
            return say("name of an attribute of {size:,} bytes", size=size)
        size = _long_size(attribute.value)
        if size is not None:
            return say("{name} of {size:,} bytes", name=attribute.id[:40], size=size)
    return ""


def _long_size(text: str) -> int | None:
    """Return the number of bytes of a text that is too long; None if it is not."""
    # `event_index` escapes each byte that is no UTF-8 as four characters.
    if len(text) <= LONGEST_STRING // 4:
        return None
    size = len(text.encode("utf-8", "surrogatepass"))
    return size if size > LONGEST_STRING else None


def _at_event(snapshot: Snapshot, rule: Rule, life: Life, message: str) -> Finding:
    """Return a finding at the EventAdd of a life."""
    packet = snapshot.row(life.added.row).packets[life.added.packet]
    offset, size = packet.record_span(life.added.record)
    return new_finding(rule, message, offset=offset, frame=life.born, row=life.added.row, size=size)


REPLAY_WRONG_CLASS = Rule(
    "replay-wrong-class",
    subject="references",
    severity="error",
    title=N_("A record names an actor on which the simulator crashes."),
    why=N_(
        "The simulator takes the actor of an AnimBiker record for a vehicle without looking. One that is none, such as "
        "a walker, a prop or a traffic light, crashes it in the first frame that it shows. Records of other packets "
        "that name an actor of the wrong class are left out."
    ),
    fix=Fix(N_("Delete the records of that actor"), delete_wrong_records),
)

FRICTION_TRIGGER = Rule(
    "friction-trigger",
    subject="replay",
    severity="warning",
    title=N_("The recording holds a friction trigger."),
    why=N_(
        "The simulator creates static.trigger.friction on the first replay and crashes when the same file is replayed "
        "a second time (CARLA issue 5926)."
    ),
    fix=Fix(N_("Remove the actor"), fixes.remove_found_actors),
)

LONG_STRING = Rule(
    "long-string",
    subject="replay",
    severity="info",
    title=N_("A text is longer than {string_bytes:,} bytes."),
    why=N_(
        "No recorder writes one, since it counts the bytes of a text with a signed number of 16 bits. Simulators read "
        "up to 65,535 bytes; other programs may not."
    ),
    numbers={"string_bytes": LONGEST_STRING},
)

RULES = (REPLAY_WRONG_CLASS, FRICTION_TRIGGER, LONG_STRING)
"""The rules of this module, in the order in which their findings are fixed."""
