"""Warns of actors that an edit has added inside others, and says how to correct that."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from ...errors import RecorderError
from ...progress import Progress
from ...reading import Actors, Life
from ...recording import Change, Edit
from ...recording.history import Intent
from ...texts import listed, say, say_count
from .editing import Editing
from .jobs import LatestJob
from .state import SessionState

if TYPE_CHECKING:
    from ...checks.overlaps import Overlap

_MOST_ADDED = 8
"""Actors that one edit adds; more of them come from joining recordings, and are not new."""

_MOST_NAMED = 3


class PlacedInside(NamedTuple):
    """A new actor that stands in others.

    Attributes:
        actor: Its id.
        frame_index: The first frame in which it does, from 0.
        sentence: Which ones, and from which frame on.
    """

    actor: int
    frame_index: int
    sentence: str


class NewActors(QObject):
    """Checks, as a job, whether actors that were just added are inside others, by the rule `overlap`.

    Signals:
        found(PlacedInside): The first one that is, where it is; all of them are told by `warned` of the session.
    """

    found = Signal(object)

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self._latest = LatestJob(self, state.jobs)
        editing.changed.connect(self._latest.cancel)  # what is checked is no longer shown
        editing.applied.connect(self._check)

    def stop(self) -> None:
        """Release the recording."""
        self._latest.stop()

    def _check(self, edit: Edit, change: Change) -> None:
        added = _added(change)
        if not added:
            return
        # Not in the job: two threads that load a package could wait for each other.
        from ...checks.overlaps import Overlap, overlaps_of

        def work(progress: Progress) -> list[Overlap]:
            return overlaps_of(change.after, added, progress)

        def done(overlaps: list[Overlap]) -> None:
            if overlaps:
                self._state.warned.emit(_warning(edit, overlaps))
                self.found.emit(_first_placed(overlaps))

        self._latest.run(say("Looking where the new actor stands"), work, done)


def _added(change: Change) -> list[Life]:
    """Return the lives that an edit has added; none where it changed frames, too, or the file was rewritten."""
    if len(change.before) != len(change.after):
        return []
    try:
        before = Actors.of(change.before)
        after = Actors.of(change.after)
    except (RecorderError, OSError):
        return []
    if not 0 < len(after) - len(before) <= _MOST_ADDED:
        return []
    lives_before = {(life.actor, life.born) for life in before}
    return [life for life in after if (life.actor, life.born) not in lives_before]


def _first_placed(overlaps: "Sequence[Overlap]") -> PlacedInside:
    """Return the first new actor that stands in others."""
    actor, of_actor = next(groupby(overlaps, key=lambda overlap: overlap.life.actor))
    of_first = list(of_actor)
    others = listed(_others(of_first), "clauses")
    return PlacedInside(
        actor=actor,
        frame_index=min(overlap.first for overlap in of_first),
        sentence=say("{actor} stands in {others}", actor=actor, others=others),
    )


def _warning(edit: Edit, overlaps: "Sequence[Overlap]") -> str:
    """Return the step, the actors that its actors stand in, from which frame on, and how to correct that."""
    sentences = []
    is_single = len({overlap.life.actor for overlap in overlaps}) == 1
    for actor, of_actor in groupby(overlaps, key=lambda overlap: overlap.life.actor):
        others = listed(_others(of_actor), "clauses")
        if is_single:
            sentences.append(say("it stands in {others}.", others=others))
        else:
            sentences.append(say("{actor} stands in {others}.", actor=actor, others=others))
    intents: Sequence[Intent] = ()
    if edit.intent is not None:
        intents = edit.intent.parts
    remarks = listed(sentences, "sentences")
    return listed([say("{step}: {remarks}", step=edit.label, remarks=remarks), _correction(intents)], "sentences")


def _others(overlaps: "Iterable[Overlap]") -> list[str]:
    """Return the actors that one actor stands in, from which frame on; the last text counts those that are too many."""
    others = [
        say("{actor} from frame {frame:,} on", actor=overlap.other.actor, frame=overlap.first + 1)
        for overlap in overlaps
    ]
    more = len(others) - _MOST_NAMED
    if more > 0:
        others[_MOST_NAMED:] = [say_count("1 more", "{count:,} more", count=more)]
    return others


def _correction(intents: Sequence[Intent]) -> str:
    """Return how to put an actor elsewhere: another argument of the operation that added it, or a drag."""
    added = [intent for intent in intents if intent.operation == "add_actor"]
    is_copy = any(intent.operation == "duplicate_actor" for intent in intents)
    arguments: Mapping[str, object] = {}
    if added:
        arguments = added[0].arguments
    if arguments.get("follow") is not None:
        return say("Nearer or farther: undo, and Add actor with another time gap.")
    if is_copy or arguments.get("copy") is not None:
        return say("Undo, and copy it with another delay or shift.")
    if arguments.get("wait"):
        return say("Earlier or later: undo, and add it at another frame or place.")
    return say("Drag it elsewhere, with Apply to on Whole life.")
