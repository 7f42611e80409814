"""Writes down what is done to a recording while it is done, so that a crash loses nothing.

One idea: whoever edits only puts a change into a queue; a thread of its own writes what the change leads to, brings
that to the disk, then writes the line that names it and brings that to the disk, in the order of the changes. A line
can be trusted, whatever happens after it.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from ...errors import RecorderError
from ..history import Edit, Step
from ..snapshot import Snapshot
from ..store import state_folder
from .codec import Move, Writer
from .log_file import Entry, JournalFile

FOLDER = "journals"
FORM = 1

_SECONDS_FOR_A_SAVE = 30.0
"""A save does not wait longer for a journal whose disk does not answer."""


@dataclass(frozen=True, slots=True)
class Note:
    """What waits to be written: `make` turns it into an entry, `file` is the source that the recording is."""

    make: Callable[[Writer], Entry]
    file: int
    syncs: bool
    is_base: bool


class Numbers(NamedTuple):
    """Where a journal that is gone on with stands: entries of changes, and states of the file, so far."""

    moves: int = 0
    bases: int = 0


class Journal:
    """The journal of one open recording. Any thread may tell it something; nothing waits for the disk.

    Attributes: `path` (its file), `trouble` (why changes cannot be written down; None: they are, or will be).
    """

    def __init__(self, pages: JournalFile, snapshot: Snapshot) -> None:
        self.path = pages.path
        self.trouble: Exception | None = None
        self._pages = pages
        self._store, self._layouts = snapshot.store, snapshot.layouts
        self._file = snapshot.store.file
        self._known: set[int] = set()
        self._numbers = Numbers()
        self._queue: deque[Note] = deque()
        self._wake = threading.Condition()
        self._is_closed = False
        self._is_idle = True
        self._thread: threading.Thread | None = None

    @classmethod
    def begin(cls, snapshot: Snapshot, path: Path) -> Self:
        """A new journal of a recording that was just opened; raises OSError."""
        made = cls(JournalFile.create(state_folder() / FOLDER), snapshot)
        opened = {"form": FORM, "opened": time.time(), "process": os.getpid()}
        made._put(lambda _: opened, syncs=False)
        made._put_base(snapshot, path, made._file, since=0, exact=True, syncs=False)
        return made

    @classmethod
    def resume(cls, pages: JournalFile, snapshot: Snapshot, known: set[int], numbers: Numbers) -> Self:
        """A journal that was left, after what it tells was done again; `known` are the steps that it tells."""
        made = cls(pages, snapshot)
        made._known, made._numbers = known, numbers
        return made

    # --- what is told -----------------------------------------------------------------------------------

    def edit(self, edit: Edit, gesture: str | None, number: int) -> None:
        """An edit was made, and is (part of) the step of that number."""
        self._known.add(number)
        self._put_move("edit", _move_of(edit, gesture))

    def undo(self, step: Step) -> None:
        """A step was taken back."""
        self._replay("undo", step, 0)

    def redo(self, step: Step) -> None:
        """A step was made again."""
        self._replay("redo", step, 1)

    def decode_as(self, name: str | None) -> None:
        """The bodies are read with another dialect."""
        self._put_plain({"decode_as": name})

    def _replay(self, kind: str, step: Step, side: int) -> None:
        if step.number in self._known:
            self._put_plain({kind: True})
            return
        self._known.add(step.number)
        splices = (step.backward, step.forward)[side]
        detection = step.detections[side] if step.detections is not None else None
        self._put_move(kind, Move(step.label, splices, step.intent, step.headers, detection))

    def _put_move(self, kind: str, move: Move) -> None:
        number, moment = self._next_move(), time.time()
        self._put(lambda writer: {kind: writer.move(move), "move": number, "time": moment})

    def _put_plain(self, entry: Entry) -> None:
        number, moment = self._next_move(), time.time()
        self._put(lambda _: {**entry, "move": number, "time": moment})

    def _next_move(self) -> int:
        number = self._numbers.moves
        self._numbers = self._numbers._replace(moves=number + 1)
        return number

    # --- saving -----------------------------------------------------------------------------------------

    @property
    def moves(self) -> int:
        """How many changes were told."""
        return self._numbers.moves

    def about_to_save(self, after: Snapshot, path: Path, source: int, since: int, *, exact: bool) -> None:
        """The file `source` is whole, and is about to take the place of what stands at `path`; waits until that is
        written down. It counts only where the file is found there.

        `since` counts the changes that the file holds; `exact`: scanned anew it gives the rows that `after` has.
        """
        self._put_base(after, path, source, since=since, exact=exact)
        self.flush(_SECONDS_FOR_A_SAVE)

    def saved(self, after: Snapshot, meanwhile: Edit | None) -> None:
        """The file is in its place; `meanwhile` is what was changed since the save began."""
        base, moves = self._numbers.bases - 1, self._numbers.moves
        self._file = after.store.file
        self._known.clear()
        move = _move_of(meanwhile) if meanwhile is not None else None

        def make(writer: Writer) -> Entry:
            told: Entry = {"saved": base, "since": moves, "time": time.time()}
            return {**told, "meanwhile": writer.move(move)} if move is not None else told

        self._put(make)

    def _put_base(
        self, snapshot: Snapshot, path: Path, source: int, *, since: int, exact: bool, syncs: bool = True
    ) -> None:
        place, number = Path(os.path.abspath(path)), self._numbers.bases
        self._numbers = self._numbers._replace(bases=number + 1)
        self._put(
            lambda writer: {**writer.file_state(snapshot, place, number, exact=exact), "since": since},
            file=source,
            syncs=syncs,
            is_base=True,
        )

    # --- the thread -------------------------------------------------------------------------------------

    def flush(self, seconds: float | None = None) -> bool:
        """Wait until everything told is on the disk; False where it could not be written, or not in time."""
        with self._wake:
            self._wake.wait_for(lambda: self._is_idle or self._is_closed, seconds)
            return not self._queue

    def _put(
        self, make: Callable[[Writer], Entry], *, file: int | None = None, syncs: bool = True, is_base: bool = False
    ) -> None:
        with self._wake:
            if self._is_closed:
                return
            self._queue.append(Note(make, self._file if file is None else file, syncs, is_base))
            self._is_idle = False
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._is_closed or not self._is_idle)
                if self._is_closed:
                    return
                notes = list(self._queue)
            trouble = self._attempt(notes)
            with self._wake:
                if trouble is None:
                    for _ in notes:
                        self._queue.popleft()
                # After a failure all of it is tried again with the next change.
                self._is_idle = trouble is not None or not self._queue
                self.trouble = trouble
                self._wake.notify_all()

    def _attempt(self, notes: list[Note]) -> Exception | None:
        """Write notes, or at least what a new state of the file makes independent of those before."""
        try:
            self._write(notes)
        except (OSError, RecorderError, ValueError) as trouble:
            bases = [index for index, note in enumerate(notes) if note.is_base]
            return self._attempt(notes[bases[-1] :]) if bases and bases[-1] else trouble
        return None

    def _write(self, notes: list[Note]) -> None:
        entries = []
        for note in notes:
            entry = note.make(Writer(self._store, self._layouts, note.file))
            scratch = self._store.scratch_path
            entries.append({**entry, "scratch": scratch.name} if scratch is not None else entry)
        syncs = any(note.syncs for note in notes)
        if syncs:
            self._store.sync()
        self._pages.append(entries, sync=syncs)

    # --- the end ----------------------------------------------------------------------------------------

    def close(self) -> None:
        """The recording is closed, and what was not saved is not wanted: nothing is left of the journal."""
        self._stop()
        with suppress(OSError):
            self._pages.remove()

    def release(self) -> None:
        """Stop, and leave the journal to whoever starts the program next."""
        self.flush()
        self._stop()
        self._pages.close()

    def _stop(self) -> None:
        with self._wake:
            self._is_closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join()


def _move_of(edit: Edit, gesture: str | None = None) -> Move:
    headers = (None, edit.header) if edit.header is not None else None
    return Move(edit.label, edit.splices, edit.intent, headers, edit.detection, gesture)
