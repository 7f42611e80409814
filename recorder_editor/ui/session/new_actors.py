"""Says of actors that an edit has added in whom they stand, and what mends it."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

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
"""Actors that one edit adds; more of them are no new ones, but a recording put together."""

_MOST_NAMED = 3


class NewActors(QObject):
    """Looks, as a job, whether actors that were just added are inside others, as the rule `overlap` has it."""

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self._latest = LatestJob(self, state.jobs)
        editing.changed.connect(self._latest.cancel)  # what is looked at is no longer there
        editing.applied.connect(self._look)

    def stop(self) -> None:
        """Let go of the recording."""
        self._latest.stop()

    def _look(self, edit: Edit, change: Change) -> None:
        added = _added(change)
        if not added:
            return
        # Not in the job: two threads that load a package could wait for each other.
        from ...checks.overlaps import Overlap, overlaps_of

        def work(progress: Progress) -> list[Overlap]:
            return overlaps_of(change.after, added, progress)

        def done(found: list[Overlap]) -> None:
            if found:
                self._state.warned.emit(_words(edit, found))

        self._latest.run(say("Looking where the new actor stands"), work, done)


def _added(change: Change) -> list[Life]:
    """The lives that an edit has added; none where it changed frames, too, or the file was rewritten beneath."""
    if len(change.before) != len(change.after):
        return []
    try:
        before = Actors.of(change.before)
        after = Actors.of(change.after)
    except (RecorderError, OSError):
        return []
    if not 0 < len(after) - len(before) <= _MOST_ADDED:
        return []
    known = {(life.actor, life.born) for life in before}
    return [life for life in after if (life.actor, life.born) not in known]


def _words(edit: Edit, found: "Sequence[Overlap]") -> str:
    """The step, in whom its actors stand from which frame on, and what mends it."""
    told = []
    is_alone = len({each.life.actor for each in found}) == 1
    for actor, overlaps in groupby(found, key=lambda each: each.life.actor):
        others = [
            say("{actor} from frame {frame:,} on", actor=each.other.actor, frame=each.first + 1) for each in overlaps
        ]
        more = len(others) - _MOST_NAMED
        if more > 0:
            others[_MOST_NAMED:] = [say_count("1 more", "{count:,} more", count=more)]
        else:
            others[_MOST_NAMED:] = []
        words = listed(others, "clauses")
        told.append(
            say("it stands in {others}.", others=words)
            if is_alone
            else say("{actor} stands in {others}.", actor=actor, others=words)
        )
    intents = edit.intent.parts if edit.intent is not None else ()
    mend = _mend(intents)
    return listed([say("{step}: {remarks}", step=edit.label, remarks=listed(told, "sentences")), mend], "sentences")


def _mend(intents: Sequence[Intent]) -> str:
    """What puts an actor elsewhere: another argument of what added it, or a drag."""
    added = [each for each in intents if each.operation == "add_actor"]
    if added:
        about = added[0].arguments
    else:
        about = {}
    if about.get("follow") is not None:
        return say("Nearer or farther: undo, and Add actor with another time gap.")
    if about.get("copy") is not None or any(each.operation == "duplicate_actor" for each in intents):
        return say("Undo, and copy it with another delay or shift.")
    if about.get("wait"):
        return say("Earlier or later: undo, and add it at another frame or place.")
    return say("Drag it elsewhere, with Apply to on Whole life.")
