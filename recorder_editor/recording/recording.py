"""The document: one open recording with its current snapshot, undo history and journal."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import NamedTuple, Self, TypeVar, overload
from weakref import WeakSet

import numpy as np

from ..errors import SourceChanged, WrongVersion
from ..format import ASSUMED_DIALECT, LONGEST_MAP_NAME, PACKET_HEADER, Detection, Dialect, FileHeader, parse_header
from ..format.detection import Sample, detect, force, shown_version
from ..progress import SILENT, Progress
from ..texts import say
from .atomic_file import sweep_folder
from .context import Context
from .findings import Finding
from .frames import FrameTable, KeySource, Layouts
from .history import Edit, History, Splice, Step, detached, spliced
from .journal.writing import Journal
from .packet_headers import read_headers
from .save import save
from .scan import scan
from .snapshot import Frame, Snapshot
from .source_refs import detached_from, sources_of, tables_of
from .store import Store

R = TypeVar("R", bound="Recording")

_LARGEST_SAMPLE = 1 << 20
_SAMPLES = 8
_LAYOUTS_LOOKED_AT = 4096
_PACKETS_LOOKED_AT = 1 << 16


class Change(NamedTuple):
    """The change made by an edit, an undo or a save.

    `splices` are (row, rows removed, rows inserted), applied one after another; `header` and `dialect` say
    whether those changed.
    """

    before: Snapshot
    after: Snapshot
    splices: tuple[tuple[int, int, int], ...]
    header: bool = False
    dialect: bool = False


class Recording:
    """An open recording. `recorder_editor.open` opens one.

    Attributes: `path`, `history`, `store`, `snapshot` (the current state), `saved` (the state in the file),
    `findings` (of the scan), `journal` (for recovery after a crash, or None). A sequence of frames: `len()`,
    index from 0, iteration. A context manager that closes the file.
    """

    def __init__(self, path: Path, store: Store, snapshot: Snapshot, findings: tuple[Finding, ...]) -> None:
        self.path = path
        self.store = store
        self.snapshot = snapshot
        self.saved = snapshot
        self.findings = findings
        self.history = History()
        self._files = {store.file}
        # Files stay open while any state in use refers to them.
        self._tables = WeakSet([snapshot.table])
        # A job may be saving while edits are made.
        self._lock = RLock()
        self.journal: Journal | None = None

    @property
    def header(self) -> FileHeader | None:
        """The file header, or None if it is not credible."""
        return self.snapshot.header

    @property
    def context(self) -> Context:
        """What is known of it from beside the file: the road map, and the notes of the state that is shown."""
        return self.snapshot.context

    @property
    def dialect(self) -> Dialect:
        """The dialect that the file is read with."""
        return self.snapshot.dialect

    @property
    def detection(self) -> Detection:
        """The dialect, and the reasons for it as sentences."""
        return self.snapshot.detection

    def __len__(self) -> int:
        return len(self.snapshot)

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...
    def __getitem__(self, index: int | slice) -> Frame | list[Frame]:
        return self.snapshot[index]

    def __iter__(self) -> Iterator[Frame]:
        return iter(self.snapshot)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and remove scratch file and journal: unsaved changes are discarded."""
        if self.journal is not None:
            self.journal.close()
        self.store.close()

    def release(self) -> None:
        """Close the file, and keep journal and scratch file for recovery."""
        if self.journal is not None:
            self.journal.release()
        self.store.release()

    def keep_journal(self) -> None:
        """Log all further changes, so that they survive a crash (`recording.journal`). Raises OSError."""
        with self._lock:
            if self.journal is None:
                self.journal = Journal.begin(self.snapshot, self.path)

    @property
    def is_modified(self) -> bool:
        """There are unsaved changes."""
        return not self.history.is_clean

    def apply(self, edit: Edit, *, gesture: str | None = None) -> Change:
        """Apply an edit; consecutive edits of the same `gesture` become one step.

        Raises `WrongVersion` for an edit made for another state.
        """
        with self._lock:
            if edit.version != self.snapshot.version:
                raise WrongVersion(say("The recording has changed since this edit was prepared; nothing was changed."))
            headers = None
            if edit.header is not None:
                headers = (self.snapshot.header, edit.header)
            detections = None
            if edit.detection is not None:
                detections = (edit.detection, edit.detection)
            return self.add(Step(0, edit.label, edit.intent, edit.splices, (), headers, gesture, detections))

    def add(self, step: Step) -> Change:
        """Do a step of which only the way forward is known, and append it to the history (see `History.add`)."""
        with self._lock:
            step, table = self._completed(step)
            change = self._move_to(table, step, 1)
            gone = self.history.add(step)
            if len(self._files) > 1 and sources_of(tables_of(gone)) & self._files:
                self._close_unused()
            if self.journal is not None:
                self.journal.edit(step, self.history.steps[-1].number)
            return change

    def take_up(self, step: Step, *, is_undone: bool) -> Change:
        """Do a step of which one way is known, and have it in the history as one that was undone, or redone.

        Args:
            step: Its splices lead from the current state to that before the step (`is_undone`), or after it.
            is_undone: The step comes before all of the history, and can be redone; else it comes after all.

        Raises:
            ValueError: Other steps stand between.
        """
        with self._lock:
            whole, table = self._completed(step)
            if is_undone:
                whole = whole.turned()
            self.history.extend(whole, is_undone=is_undone)
            return self._move_to(table, whole, 0 if is_undone else 1)

    def _completed(self, step: Step) -> tuple[Step, FrameTable]:
        """A step of which only the way forward is known with a number and the way back, and the table after it."""
        table, backward = spliced(self.snapshot.table, step.forward)
        detections = None
        if step.detections is not None:
            detections = (self.snapshot.detection, step.detections[1])
        number = self.history.next_number()
        forward = detached(step.forward)
        return replace(step, number=number, forward=forward, backward=backward, detections=detections), table

    def undo(self) -> Change | None:
        """Undo the last step; returns the change, None without a step."""
        return self._move(-1)

    def redo(self) -> Change | None:
        """Redo the step that was undone last; returns the change, None without a step."""
        return self._move(1)

    def _move(self, by: int) -> Change | None:
        with self._lock:
            at = self.history.position + min(by, 0)
            if not 0 <= at < len(self.history.steps):
                return None
            step = self.history.steps[at]
            self.history.position += by
            if self.journal is not None:
                self.journal.replay(step, max(by, 0))
            table, _ = spliced(self.snapshot.table, (step.backward, step.forward)[max(by, 0)])
            return self._move_to(table, step, max(by, 0))

    def decode_as(self, name: str | None) -> Change:
        """Read the bodies with another dialect (None: the one the bytes show). No byte changes, so there is no undo.

        Raises KeyError for an unknown name.
        """
        with self._lock:
            before = self.snapshot
            if name is not None:
                detection = force(name)
            else:
                detection = detection_of(before)
            self.snapshot = replace(before, detection=detection, version=before.version + 1)
            if self.journal is not None:
                self.journal.decode_as(name)
            return Change(before, self.snapshot, (), dialect=True)

    def save(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        backup: bool = False,
        overwrite: bool = False,
        progress: Progress = SILENT,
    ) -> Change:
        """Write the recording; over the open file if `path` is None or names it.

        Args:
            path: Where to write it. From then on this is the open file.
            backup: Keep the file that is replaced as `NAME.bak`.
            overwrite: Replace another file than the open one if `path` names one.
            progress: Is told how far it is, and cancels it.

        Returns:
            The change to what is shown.

        Raises:
            WouldReplace: `path` is another file, which is not empty, and `overwrite` is False.
            SaveRefused: The file on disk is no longer the one that was opened, the written file does not verify, or
                `NAME.bak` is no backup. As with all failures, the old file is unchanged.
            SourceChanged: A file that holds parts of the recording was rewritten.
            Cancelled: By `progress`.
            OSError: The file cannot be written.
        """
        with self._lock:
            before = self.snapshot
            journal = self.journal
            bookmark = self.history.bookmark()
            since = journal.moves if journal is not None else 0

        def prepared(after: Snapshot, place: Path, source: int, exact: bool) -> None:
            if journal is not None:
                journal.about_to_save(after, place, source, since, exact=exact)

        target = None
        if path is not None:
            target = Path(path)
        saved = save(before, self.path, target, progress, prepared=prepared, backup=backup, overwrite=overwrite)
        with self._lock:
            self.path = target or self.path
            self.saved = saved
            shown = self.snapshot
            self.history.mark_saved(bookmark)
            if shown is before:
                self.snapshot = saved
            # Else it was edited while a job was saving: what is there now stays, its bytes are still where they were.
            if journal is not None:
                journal.saved(saved, None if shown is before else _between(before, shown))
            self._files.add(self.store.file)
            self._tables.add(saved.table)
            del before, saved, bookmark
            self._free_steps()
            self._close_unused()
            return Change(shown, self.snapshot, ())

    def _free_steps(self) -> None:
        """Copy the rows of small steps from files that were saved over to the scratch file."""
        steps = self.history.steps
        for source in self._files - sources_of([self.snapshot.table, self.saved.table]):
            # A step that cannot be copied (a full disk, a file that was written over) keeps its file.
            with suppress(OSError, SourceChanged):
                copied = detached_from(self.store, source, steps)
                steps[:] = [copied.get(id(step), step) for step in steps]

    def _close_unused(self) -> None:
        """Close files that no state and no step refers to."""
        used = sources_of((self.snapshot.table, self.saved.table, *self._tables, *tables_of(self.history.steps)))
        for source in self._files - used - {self.store.file}:
            self._files.remove(source)
            self.store.drop(source)

    def _move_to(self, table: FrameTable, step: Step, side: int) -> Change:
        """Move to the state before (0) or after (1) a step, whose table is known."""
        before = self.snapshot
        header = None
        if step.headers is not None:
            header = step.headers[side]
        after = before.following(table, header, step.detections[side] if step.detections is not None else None)
        if step.headers is not None and header is None:
            # Before a repair there was none, and its bytes were part of the rows.
            after = replace(after, header=None, header_bytes=b"")
        self.snapshot = after
        self._tables.add(table)
        splices = (step.backward, step.forward)[side]
        shape = tuple((splice.at, splice.removed, len(splice.inserted)) for splice in splices)
        changed = after.header is not before.header, after.detection is not before.detection
        return Change(before, after, shape, *changed)


def _between(before: Snapshot, after: Snapshot) -> Step:
    """One step from a state to a later one, which replaces all rows that differ."""
    one, other = before.table.rows(), after.table.rows()
    most = min(len(one), len(other))
    differ = np.flatnonzero(one[:most] != other[:most])
    if len(differ):
        first = int(differ[0])
    else:
        first = most
    differ = np.flatnonzero(one[len(one) - most :][::-1] != other[len(other) - most :][::-1])
    alike = min(int(differ[0]) if len(differ) else most, most - first)
    splice = Splice(first, len(one) - alike - first, after.table.slice(first, len(other) - alike))
    headers = None
    if after.header != before.header:
        headers = (before.header, after.header)
    detections = None
    if after.detection is not before.detection:
        detections = (before.detection, after.detection)
    return Step(0, say("Edits made while saving"), None, (splice,), (), headers, None, detections)


def open_recording(
    path: str | os.PathLike[str],
    progress: Progress = SILENT,
    *,
    dialect: str | Dialect | None = None,
    first: Callable[[Snapshot], None] | None = None,
) -> Recording:
    """Open a file, however damaged.

    `dialect` forces a dialect, or by its name one of `recorder_editor.format.dialects.DIALECTS`; `first` is called with
    a snapshot of the first block as soon as it is scanned. Temporary files of killed processes in the same folder are
    removed. Raises OSError if the file is missing, unreadable or not a file, KeyError for an unknown dialect,
    `Cancelled`.
    """
    detection = None
    if dialect is not None:
        detection = force(dialect)
    return opened(Recording, Path(path), detection, progress, first)


def opened(
    kind: type[R],
    path: Path,
    detection: Detection | None,
    progress: Progress = SILENT,
    first: Callable[[Snapshot], None] | None = None,
) -> R:
    """The recording in a file, of a class of recordings; sweeps the folder first. Errors as `open_recording`."""
    sweep_folder(path.parent)
    store = Store(path)
    return kind(path, store, *_read(store, detection, progress, first))


def recording_in(
    store: Store,
    path: Path,
    detection: Detection | None = None,
    progress: Progress = SILENT,
    first: Callable[[Snapshot], None] | None = None,
) -> Recording:
    """The recording in the file of a store, opened under `path`; closes the store on errors."""
    return Recording(path, store, *_read(store, detection, progress, first))


def _read(
    store: Store, detection: Detection | None, progress: Progress, first: Callable[[Snapshot], None] | None
) -> tuple[Snapshot, tuple[Finding, ...]]:
    """The first state of the file of a store, and what its scan found; closes the store on errors."""
    try:
        total = store.size(store.file)
        head = store.read(store.file, 0, min(total, 33 + LONGEST_MAP_NAME))
        parsed = parse_header(head)
        if parsed is not None:
            header, start = parsed
        else:
            header, start = (None, 0)
        header_bytes = head[:start]
        layouts = Layouts()
        keys = KeySource()

        def snapshot_of(table: FrameTable) -> Snapshot:
            guess = Snapshot(store, layouts, keys, table, header, header_bytes, detection or force(ASSUMED_DIALECT))
            if detection is not None:
                return guess
            return replace(guess, detection=detection_of(guess))

        result = scan(
            store,
            store.file,
            start,
            total - start,
            layouts=layouts,
            keys=keys,
            credible=parsed is not None,
            progress=progress,
            first=None if first is None else lambda table: first(snapshot_of(table)),
        )
        snapshot = snapshot_of(result.table)
    except BaseException:
        store.close()
        raise
    if total:
        findings = result.damage
    else:
        findings = (Finding("no-header", "error", say("The file is empty."), 0),)
    return snapshot, findings


def detection_of(snapshot: Snapshot) -> Detection:
    """The dialect that the bytes of a snapshot show."""
    version = snapshot.header.version if snapshot.header is not None else None
    return detect(version, _sample(snapshot))


def shown_version_of(snapshot: Snapshot) -> int | None:
    """The header version that matches the bytes of a snapshot; None if nothing shows it."""
    return shown_version(_sample(snapshot))


def _sample(snapshot: Snapshot) -> Sample:
    """The distinct packet orders, and the first non-empty bodies of each id, of the first row of each layout.

    Of the first frames, if all hold more packets than a layout may.
    """
    orders: dict[tuple[int, ...], None] = {}
    bodies: dict[int, list[bytes]] = {}
    table = snapshot.table
    store = snapshot.store
    first_rows = _first_rows(table, len(snapshot.layouts))
    for index in first_rows or map(table.row_of_frame, range(min(len(snapshot), _SAMPLES))):
        row = table.row(index)
        source = int(row["source"])
        offset = int(row["offset"])
        layout = int(row["layout"])
        if layout >= 0:
            packets = snapshot.layouts.get(layout).packets()
            head = PACKET_HEADER.size
        else:
            packets = islice(read_headers(store, source, offset, int(row["size"])), _PACKETS_LOOKED_AT)
            head = 0
        order: list[int] = []
        for number, at, size in packets:
            order.append(number)
            found = bodies.setdefault(number, [])
            if 2 < size <= _LARGEST_SAMPLE and len(found) < _SAMPLES:
                found.append(store.read(source, offset + at + head, size))
        orders[tuple(order)] = None
    return Sample(tuple(orders), bodies)


def _first_rows(table: FrameTable, layouts: int) -> list[int]:
    """The first row of each layout that the table has; the pool of `layouts` may hold others, of edited rows."""
    numbers = table.column("layout")[::-1]
    firsts = np.full(layouts + 1, -1, np.int64)
    firsts[numbers] = np.arange(len(numbers))[::-1]  # the last assignment counts; rows without a layout carry -1
    used: list[int] = firsts[:-1][firsts[:-1] >= 0][:_LAYOUTS_LOOKED_AT].tolist()
    return used
