"""Ids that the replayer does not take for those of the recorded actors: that of the spectator, and 1.

From 0.9.15 on the replayer creates no spectator unless asked to, so that its Positions move the live actor of that id,
and it leaves live actor 1 alone, which it takes for its own spectator (format reference 6.4).
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter

import numpy as np

from ..arrays import StructuredArray
from ..edits.actors.renumbering import with_unused_ids
from ..edits.actors.rewrite import Plan, Rename, id_span_of, rewrite
from ..reading import Actors, Life, Tracks
from ..reading.lives import SPECTATOR_ID
from ..reading.tracks import COLUMNS
from ..recording import Edit, Finding, Snapshot
from ..texts import N_, say, say_count
from .fixes import life_of
from .rule import Fix, LifeProblems, Rule, actor_text, new_finding

_POSITION = COLUMNS["positions"][0]


class ReservedIdScan:
    """Finds spectators with another id than 1, and other actors with the id 1, that have Positions."""

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        self._snapshot = snapshot
        self._actors = actors
        self._problems = LifeProblems(len(actors))
        self._ids = np.empty(0, np.uint32)
        if snapshot.dialect.ignores_spectator:
            ids = {life.actor for life in actors if _is_misplaced(life)}
            self._ids = np.array(sorted(ids), np.uint32)

    def add(self, block: StructuredArray) -> None:
        """Check a block of positions: columns `frame` and `id`."""
        if len(self._ids):
            chosen = block[np.isin(block["id"], self._ids)]
            lives = self._actors.indices_of(chosen["id"], chosen["frame"])
            self._problems.add(lives, chosen["frame"], np.zeros(len(chosen)))

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each life, at its EventAdd."""
        for life, _, _, _ in self._problems.lives(self._actors):
            if not _is_misplaced(life):
                continue
            rule = REPLAY_ID_1
            sentence = N_(
                "Frame {frame:,} creates {name}: where the simulator gives it the id 1, too, "
                "and ignores the spectator, it is not moved."
            )
            if life.is_spectator:
                rule = REPLAY_SPECTATOR
                if self._snapshot.dialect.engine == 5:
                    sentence = N_(
                        "Frame {frame:,} creates the spectator as actor {actor}: a replay leaves that "
                        "out, and moves whatever actor of the simulator has the id {actor} to the "
                        "recorded view, be it another actor or its own spectator."
                    )
                else:
                    sentence = N_(
                        "Frame {frame:,} creates the spectator as actor {actor}: a replay leaves that "
                        "out, and moves whatever actor of the simulator has the id {actor} to the "
                        "recorded view."
                    )
            message = say(sentence, frame=life.born + 1, name=actor_text(life), actor=life.actor)
            packet = self._snapshot.row(life.added.row).packets[life.added.packet]
            offset, size = packet.record_span(life.added.record)
            yield new_finding(rule, message, offset=offset, frame=life.born, row=life.added.row, size=size)


def _is_misplaced(life: Life) -> bool:
    """Whether an actor has the id 1 and is no spectator, or the other way round."""
    return life.is_spectator != (life.actor == SPECTATOR_ID)


def give_spectators_id_1(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that gives spectators the id 1; where that is taken, it deletes their Positions instead."""
    lives = [life_of(snapshot, finding) for finding in findings]
    others = [kind.name for kind in snapshot.dialect.packets.values() if kind.name != _POSITION]
    plan = Plan(spared=others)
    named: list[Life] = []
    is_free = _is_free(snapshot)
    for life in lives:
        span = id_span_of(snapshot, life)
        if is_free and not any(_overlap(life, other) for other in named):
            named.append(life)
            plan.renamed.append(Rename(span, SPECTATOR_ID))
            plan.renumbered.extend((place, SPECTATOR_ID) for place in life.events)
        else:
            plan.leaving.append(span)
    label = say_count(
        "Stop 1 spectator from moving another actor",
        "Stop {count:,} spectators from moving other actors",
        count=len(lives),
    )
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def _is_free(snapshot: Snapshot) -> bool:
    """Whether nothing in the recording has the id 1."""
    if Actors.of(snapshot).of_id(SPECTATOR_ID):
        return False
    return not len(Tracks(snapshot).positions([SPECTATOR_ID]))


def _overlap(life: Life, other: Life) -> bool:
    """Whether two lives share a frame; within one, actors are created before others are destroyed."""
    first, second = sorted((life, other), key=attrgetter("born"))
    return first.gone is None or first.gone >= second.born


def give_unused_ids(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that gives actors with the id 1 an unused id."""
    lives = [life_of(snapshot, finding) for finding in findings]
    label = say_count(
        "Give 1 actor with the id 1 an unused id", "Give {count:,} actors with the id 1 an unused id", count=len(lives)
    )
    return Edit(label, snapshot.version, with_unused_ids(snapshot, lives))


REPLAY_SPECTATOR = Rule(
    "replay-spectator",
    subject="references",
    severity="warning",
    title=N_("The spectator has an id other than 1."),
    why=N_(
        "From 0.9.15 on a replay leaves out the creation of the spectator, so that its positions move whatever actor "
        "has that id in the simulator; in the Unreal 5 line that may be the simulator's own spectator, though it is to "
        "be ignored. With the id 1 they move nothing."
    ),
    fix=Fix(N_("Give it the id 1; where that is taken, delete its positions"), give_spectators_id_1),
)

REPLAY_ID_1 = Rule(
    "replay-id-1",
    subject="references",
    severity="warning",
    title=N_("An actor that moves has the id 1."),
    why=N_(
        "From 0.9.15 on the simulator takes 1 for its spectator. An actor that gets this id in a replay is not moved "
        "while the spectator is ignored, as it is by default."
    ),
    fix=Fix(N_("Give it an unused id"), give_unused_ids),
)

RULES = (REPLAY_SPECTATOR, REPLAY_ID_1)
"""The rules of this module, in the order in which their findings are fixed."""
