"""The journal of a recording: every change is logged, so that a crash loses nothing.

Editing only queues a change. A thread writes and syncs the bytes that the change refers to, then writes and syncs its
line, in the order of the changes, so that all bytes of a line on the disk are there.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Self

from ...errors import RecorderError
from ..history import Step
from ..snapshot import Snapshot
from .codec import Writer
from .log_file import Entry, JournalFile

FOLDER = "journals"
FORM = 1

_SAVE_TIMEOUT = 30.0
"""Seconds that a save waits at most for the journal."""


@dataclass(frozen=True, slots=True)
class QueuedEntry:
    """An entry to be written.

    Attributes:
        make: Makes the entry.
        file: The source number of the recording's file.
        syncs: It is synced to the disk.
        is_base: It is a state of the file, which needs no earlier entries.
    """

    make: Callable[[Writer], Entry]
    file: int
    syncs: bool
    is_base: bool


class Counters(NamedTuple):
    """How much a journal has logged.

    Attributes:
        moves: The number of changes.
        bases: The number of states of the file.
    """

    moves: int = 0
    bases: int = 0


class Journal:
    """The journal of one open recording. Any thread may log; nothing waits for the disk.

    Attributes:
        path: Its file.
        error: Why changes cannot be written; None: they are, or will be.
    """

    def __init__(self, log: JournalFile, snapshot: Snapshot) -> None:
        self.path = log.path
        self.error: Exception | None = None
        self._log = log
        self._store = snapshot.store
        self._layouts = snapshot.layouts
        self._file = snapshot.store.file
        # The numbers of steps that a recovery has at the same places of its history, which begins with the state of the
        # file.
        self._recoverable: set[int] = set()
        self._is_aligned = True  # a step that it lacks can be put before or after those
        self._counters = Counters()
        self._queue: deque[QueuedEntry] = deque()
        self._wake = threading.Condition()
        self._is_closed = False
        self._is_idle = True
        self._thread: threading.Thread | None = None

    @classmethod
    def begin(cls, snapshot: Snapshot, path: Path) -> Self:
        """A new journal of a recording that was just opened; raises OSError."""
        journal = cls(JournalFile.create(snapshot.store.state / FOLDER), snapshot)
        opened = {"form": FORM, "opened": time.time(), "process": os.getpid()}
        journal._put(lambda _: opened, syncs=False)
        journal._put_base(snapshot, path, journal._file, since=0, exact=True, syncs=False)
        return journal

    @classmethod
    def resume(cls, log: JournalFile, snapshot: Snapshot, step_numbers: set[int], counters: Counters) -> Self:
        """Continue an existing journal after its changes were reapplied.

        Args:
            log: The file of the journal.
            snapshot: The state of the recording.
            step_numbers: The numbers of the steps that were reapplied.
            counters: The numbers of changes and of states of the file in the journal.
        """
        journal = cls(log, snapshot)
        journal._recoverable = step_numbers
        journal._counters = counters
        return journal

    # --- changes ----------------------------------------------------------------------------------------

    def edit(self, step: Step, number: int) -> None:
        """Log an edit, which is (part of) the step of that number."""
        if step.number == number:
            self._recoverable.add(number)
        elif number not in self._recoverable:
            self._is_aligned = False
        self._put_change(lambda writer: {"edit": writer.move(step)})

    def replay(self, step: Step, *, is_redone: bool) -> None:
        """Log that a step was redone, or undone; one from before the last save is logged with all that it does."""
        kind = "redo" if is_redone else "undo"
        if step.number in self._recoverable:
            self._put_change(lambda _: {kind: True})
        elif self._is_aligned:
            change = step
            if not is_redone:
                change = step.reversed_step()
            self._recoverable.add(step.number)
            self._put_change(lambda writer: {kind: writer.move(change)})
        else:
            # As an edit, which ends Redo.
            if is_redone:
                edit = replace(step, gesture=None)
            else:
                edit = step.inverse()
            self._recoverable.clear()
            self._put_change(lambda writer: {"edit": writer.move(edit)})

    def decode_as(self, name: str | None) -> None:
        """Log that the bodies are read with another dialect."""
        self._put_change(lambda _: {"decode_as": name})

    def _put_change(self, make: Callable[[Writer], Entry]) -> None:
        number = self._counters.moves
        moment = time.time()
        self._counters = self._counters._replace(moves=number + 1)
        self._put(lambda writer: {**make(writer), "move": number, "time": moment})

    # --- saving -----------------------------------------------------------------------------------------

    @property
    def moves(self) -> int:
        """The number of changes logged."""
        return self._counters.moves

    def about_to_save(self, after: Snapshot, path: Path, source: int, since: int, *, exact: bool) -> None:
        """Log that a new file is about to be renamed, and wait until that is written.

        The entry is valid only if the file is found under its new name.

        Args:
            after: The state in the file.
            path: Its new path.
            source: Its source number.
            since: The number of changes that it contains.
            exact: A scan of it gives the rows of `after`.
        """
        self._put_base(after, path, source, since=since, exact=exact)
        self.flush(_SAVE_TIMEOUT)

    def saved(self, after: Snapshot, meanwhile: Step | None) -> None:
        """Log that the file was renamed.

        Args:
            after: The state in the file.
            meanwhile: The changes since the save began, as one step; None without any.
        """
        base = self._counters.bases - 1
        moves = self._counters.moves
        self._file = after.store.file
        self._recoverable.clear()
        self._is_aligned = meanwhile is None

        def make(writer: Writer) -> Entry:
            entry: Entry = {"saved": base, "since": moves, "time": time.time()}
            if meanwhile is None:
                return entry
            return {**entry, "meanwhile": writer.move(meanwhile)}

        self._put(make)

    def _put_base(
        self, snapshot: Snapshot, path: Path, source: int, *, since: int, exact: bool, syncs: bool = True
    ) -> None:
        place = Path(os.path.abspath(path))
        number = self._counters.bases
        self._counters = self._counters._replace(bases=number + 1)
        self._put(
            lambda writer: {**writer.file_state(snapshot, place, number, exact=exact), "since": since},
            file=source,
            syncs=syncs,
            is_base=True,
        )

    # --- the thread -------------------------------------------------------------------------------------

    def flush(self, seconds: float | None = None) -> bool:
        """Wait until everything logged is on the disk.

        Args:
            seconds: The longest time to wait; None: any time.

        Returns:
            False if it could not be written in time.
        """
        with self._wake:
            self._wake.wait_for(lambda: self._is_idle or self._is_closed, seconds)
            return not self._queue

    def _put(
        self, make: Callable[[Writer], Entry], *, file: int | None = None, syncs: bool = True, is_base: bool = False
    ) -> None:
        with self._wake:
            if self._is_closed:
                return
            if file is None:
                file = self._file
            self._queue.append(QueuedEntry(make, file, syncs=syncs, is_base=is_base))
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
                queued = list(self._queue)
            error = self._attempt(queued)
            with self._wake:
                if error is None:
                    for _ in queued:
                        self._queue.popleft()
                # After an error, all of it is tried again with the next change.
                self._is_idle = error is not None or not self._queue
                self.error = error
                self._wake.notify_all()

    def _attempt(self, queued: list[QueuedEntry]) -> Exception | None:
        """Write the entries, or at least those from the last state of the file on, which need no earlier ones."""
        try:
            self._write(queued)
        except (OSError, RecorderError, ValueError) as error:
            bases = [index for index, item in enumerate(queued) if item.is_base]
            if bases and bases[-1]:
                return self._attempt(queued[bases[-1] :])
            return error
        return None

    def _write(self, queued: list[QueuedEntry]) -> None:
        entries = []
        for item in queued:
            entry = item.make(Writer(self._store, self._layouts, item.file))
            scratch = self._store.scratch_path
            if scratch is not None:
                entry = {**entry, "scratch": scratch.name}
            entries.append(entry)
        syncs = any(item.syncs for item in queued)
        if syncs:
            self._store.sync()
        self._log.append(entries, sync=syncs)

    # --- the end ----------------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop and remove the journal: unsaved changes are discarded."""
        self._stop()
        with suppress(OSError):
            self._log.remove()

    def release(self) -> None:
        """Write everything, stop, and keep the journal for recovery."""
        self.flush()
        self._stop()
        self._log.close()

    def _stop(self) -> None:
        with self._wake:
            self._is_closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join()
