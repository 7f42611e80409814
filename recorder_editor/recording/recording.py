"""The document: one open recording with its current snapshot, undo history and journal."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import NamedTuple, Self, TypeVar, overload
from weakref import WeakSet

import numpy as np

from ..arrays import StructuredArray
from ..errors import SourceChanged, WrongVersion
from ..format import ASSUMED_DIALECT, LONGEST_MAP_NAME, PACKET_HEADER, Detection, Dialect, FileHeader, parse_header
from ..format.detection import Sample, detect, force, shown_version
from ..format.packet_file import PacketFile
from ..format.packet_files import describe
from ..progress import SILENT, Progress
from ..texts import say
from .atomic_file import sweep_folder
from .context import Context
from .findings import Finding
from .frames import FrameTable, KeySource, Layouts
from .history import Edit, History, Splice, Step, detached, spliced
from .journal.writing import Journal
from .packet_headers import read_headers
from .packet_search import FoundPackets, find_packet_files, own_packet_files
from .save import save
from .scan import scan
from .snapshot import Frame, Snapshot
from .source_refs import detached_from, sources_of, tables_of
from .store import Store

R = TypeVar("R", bound="Recording")

_LONGEST_HEADER = 33 + LONGEST_MAP_NAME  # the file header, and the packet header behind it
_LARGEST_SAMPLE = 1 << 20  # bytes of a body
_SAMPLES = 8  # bodies of an id; frames, if no layout is stored
_SAMPLED_LAYOUTS = 4096
_SAMPLED_PACKETS = 1 << 16  # of a frame without a layout


class Change(NamedTuple):
    """The change made by an edit, an undo or a save.

    Attributes:
        before: The state before it.
        after: The state after it.
        splices: (row, rows removed, rows inserted), applied one after another.
        header: The file header changed.
        dialect: The dialect changed.
    """

    before: Snapshot
    after: Snapshot
    splices: tuple[tuple[int, int, int], ...]
    header: bool = False
    dialect: bool = False

    def __repr__(self) -> str:
        return f"<Change from version {self.before.version} to {self.after.version}>"


class Recording:
    """An open recording: a sequence of frames, with `len()`, an index from 0, and iteration.

    `recorder_editor.open` opens one. As a context manager it closes the file.

    Attributes:
        path: The path of the file.
        store: The sources of bytes.
        snapshot: The current state.
        saved: The state in the file.
        findings: The findings of the scan.
        history: The steps that can be undone and redone.
        journal: The log for recovery after a crash, or None.
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
        """The road map and the notes of the current state, which are beside the file."""
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
        """Apply an edit.

        Args:
            edit: An edit that was made for the current state.
            gesture: The name of a gesture, as a drag; consecutive edits of the same gesture become one step.

        Raises:
            WrongVersion: The edit was made for another state.
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
            step = Step(
                number=0,
                label=edit.label,
                intent=edit.intent,
                forward=edit.splices,
                backward=(),
                headers=headers,
                gesture=gesture,
                detections=detections,
            )
            return self.add(step)

    def add(self, step: Step) -> Change:
        """Do a step of which only the way forward is known, and append it to the history (see `History.add`)."""
        with self._lock:
            step, table = self._complete(step)
            change = self._move_to(table, step, is_after=True)
            removed = self.history.add(step)
            if len(self._files) > 1 and sources_of(tables_of(removed)) & self._files:
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
            whole, table = self._complete(step)
            if is_undone:
                whole = whole.reversed_step()
            self.history.extend(whole, is_undone=is_undone)
            return self._move_to(table, whole, is_after=not is_undone)

    def _complete(self, step: Step) -> tuple[Step, FrameTable]:
        """Give a number and the way back to a step of which only the way forward is known.

        Returns:
            The step, and the table after it.
        """
        table, backward = spliced(self.snapshot.table, step.forward)
        detections = None
        if step.detections is not None:
            detections = (self.snapshot.detection, step.detections[1])
        number = self.history.next_number()
        forward = detached(step.forward)
        return replace(step, number=number, forward=forward, backward=backward, detections=detections), table

    def undo(self) -> Change | None:
        """Undo the last step.

        Returns:
            The change; None if there is no step.
        """
        with self._lock:
            if not self.history.position:
                return None
            step = self.history.steps[self.history.position - 1]
            self.history.position -= 1
            if self.journal is not None:
                self.journal.replay(step, is_redone=False)
            table, _ = spliced(self.snapshot.table, step.backward)
            return self._move_to(table, step, is_after=False)

    def redo(self) -> Change | None:
        """Redo the step that was undone last.

        Returns:
            The change; None if there is no step.
        """
        with self._lock:
            if self.history.position == len(self.history.steps):
                return None
            step = self.history.steps[self.history.position]
            self.history.position += 1
            if self.journal is not None:
                self.journal.replay(step, is_redone=True)
            table, _ = spliced(self.snapshot.table, step.forward)
            return self._move_to(table, step, is_after=True)

    def decode_as(self, name: str | None) -> Change:
        """Read the bodies with another dialect. No byte changes, so there is no undo.

        Args:
            name: The name of the dialect; None: the one that the bytes show.

        Raises:
            KeyError: There is no such dialect.
        """
        with self._lock:
            before = self.snapshot
            chosen = None
            if name is not None:
                chosen = force(name)
            self.snapshot = replace(before, detection=detection_of(before, chosen), version=before.version + 1)
            if self.journal is not None:
                self.journal.decode_as(name)
            return Change(before, self.snapshot, (), dialect=True)

    def describe_packets(self) -> Change:
        """Find the files of packets anew, and read the bodies with them. No byte changes, so there is no undo."""
        with self._lock:
            self.context.packets = find_packet_files(self.path, self.context.packets.given)
            if self.detection.forced:
                return self.decode_as(self.dialect.name)
            return self.decode_as(None)

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
            since = 0
            if journal is not None:
                since = journal.moves

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
                meanwhile = None
                if shown is not before:
                    meanwhile = _between(before, shown)
                journal.saved(saved, meanwhile)
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
        tables = [self.snapshot.table, self.saved.table]
        tables += self._tables
        tables += tables_of(self.history.steps)
        used = sources_of(tables)
        used.add(self.store.file)
        for source in self._files - used:
            self._files.remove(source)
            self.store.drop(source)

    def _move_to(self, table: FrameTable, step: Step, *, is_after: bool) -> Change:
        """Move to the state after a step, or before it; its table is known."""
        before = self.snapshot
        side = 0
        splices = step.backward
        if is_after:
            side = 1
            splices = step.forward
        header = None
        if step.headers is not None:
            header = step.headers[side]
        detection = None
        if step.detections is not None:
            detection = step.detections[side]
        after = before.following(table, header, detection)
        if step.headers is not None and header is None:
            # Before a repair there was none, and its bytes were part of the rows.
            after = replace(after, header=None, header_bytes=b"")
        self.snapshot = after
        self._tables.add(table)
        return Change(
            before=before,
            after=after,
            splices=tuple((splice.row, splice.removed, len(splice.inserted)) for splice in splices),
            header=after.header is not before.header,
            dialect=after.detection is not before.detection,
        )


def _equal_rows(before: StructuredArray, after: StructuredArray) -> int:
    """The number of rows at the beginning of two equally long arrays that are equal."""
    different = np.flatnonzero(before != after)
    if len(different):
        return int(different[0])
    return len(before)


def _between(before: Snapshot, after: Snapshot) -> Step:
    """One step from a state to a later one, which replaces all rows that differ."""
    old_rows = before.table.rows()
    new_rows = after.table.rows()
    most = min(len(old_rows), len(new_rows))
    first = _equal_rows(old_rows[:most], new_rows[:most])
    old_end = old_rows[len(old_rows) - most :]
    new_end = new_rows[len(new_rows) - most :]
    alike = min(_equal_rows(old_end[::-1], new_end[::-1]), most - first)
    inserted = after.table.slice(first, len(new_rows) - alike)
    splice = Splice(first, len(old_rows) - alike - first, inserted)
    headers = None
    if after.header != before.header:
        headers = (before.header, after.header)
    detections = None
    if after.detection is not before.detection:
        detections = (before.detection, after.detection)
    return Step(
        number=0,
        label=say("Edits made while saving"),
        intent=None,
        forward=(splice,),
        backward=(),
        headers=headers,
        detections=detections,
    )


def open_recording(
    path: str | os.PathLike[str],
    progress: Progress = SILENT,
    *,
    dialect: str | Dialect | None = None,
    packets: Iterable[PacketFile] = (),
    first: Callable[[Snapshot], None] | None = None,
) -> Recording:
    """Open a file, however damaged. Temporary files of killed processes in the same folder are removed.

    Args:
        path: The file.
        progress: Counts the bytes of the scan.
        dialect: The dialect to read it with, or the name or a release of one; None: the one that the bytes show.
        packets: Files of packets of users that are given for it, before those that are found; they are read anew.
        first: Is called with a snapshot of the first block as soon as it is scanned.

    Raises:
        OSError: The file is missing, unreadable or not a file.
        KeyError: There is no such dialect.
        Cancelled: By `progress`.
    """
    detection = None
    if dialect is not None:
        detection = force(dialect)
    return open_as(Recording, Path(path), detection, progress, packets=packets, first=first)


def open_as(
    kind: type[R],
    path: Path,
    detection: Detection | None,
    progress: Progress = SILENT,
    *,
    packets: Iterable[PacketFile] = (),
    first: Callable[[Snapshot], None] | None = None,
) -> R:
    """Open a file as a recording of a class; errors as `open_recording`.

    Args:
        kind: The class.
        path: The file; its folder is swept.
        detection: The dialect to read it with; None: the one that the bytes show.
        progress: Counts the bytes of the scan.
        packets: Files of packets of users that are given for it.
        first: Is called with a snapshot of the first block as soon as it is scanned.
    """
    sweep_folder(path.parent)
    store = Store(path)
    snapshot, findings = _read(store, detection, progress, first, find_packet_files(path, packets))
    return kind(path, store, snapshot, findings)


def recording_in(
    store: Store,
    path: Path,
    detection: Detection | None = None,
    progress: Progress = SILENT,
    *,
    packets: Iterable[PacketFile] = (),
    first: Callable[[Snapshot], None] | None = None,
) -> Recording:
    """Make a recording of the file of a store, which is closed on errors.

    Args:
        store: The sources, of which the file is scanned.
        path: The path that the file was opened by.
        detection: The dialect to read it with; None: the one that the bytes show.
        progress: Counts the bytes of the scan.
        packets: Files of packets of users that are given for it.
        first: Is called with a snapshot of the first block as soon as it is scanned.
    """
    snapshot, findings = _read(store, detection, progress, first, find_packet_files(path, packets))
    return Recording(path, store, snapshot, findings)


def _read(
    store: Store,
    detection: Detection | None,
    progress: Progress,
    first: Callable[[Snapshot], None] | None,
    packets: FoundPackets,
) -> tuple[Snapshot, tuple[Finding, ...]]:
    """The first state of the file of a store, and the findings of its scan; closes the store on errors."""
    try:
        total = store.size(store.file)
        head = store.read(store.file, 0, min(total, _LONGEST_HEADER))
        header = None
        start = 0
        parsed = parse_header(head)
        if parsed is not None:
            header, start = parsed
        layouts = Layouts()
        keys = KeySource()

        def snapshot_of(table: FrameTable) -> Snapshot:
            snapshot = Snapshot(
                store=store,
                layouts=layouts,
                keys=keys,
                table=table,
                header=header,
                header_bytes=head[:start],
                detection=detection or force(ASSUMED_DIALECT),
                context=Context(packets=packets),
            )
            return replace(snapshot, detection=detection_of(snapshot, detection))

        def call_first(table: FrameTable) -> None:
            assert first is not None
            first(snapshot_of(table))

        result = scan(
            store,
            store.file,
            start,
            total - start,
            layouts=layouts,
            keys=keys,
            credible=parsed is not None,
            progress=progress,
            first=call_first if first is not None else None,
        )
        snapshot = snapshot_of(result.table)
    except BaseException:
        store.close()
        raise
    findings = result.damage
    if not total:
        findings = (Finding("no-header", "error", say("The file is empty."), 0),)
    return snapshot, findings


def detection_of(snapshot: Snapshot, chosen: Detection | None = None) -> Detection:
    """The dialect that the bytes of a snapshot show, or one that was chosen, with the packets of users.

    Args:
        snapshot: The snapshot.
        chosen: The dialect that was chosen. One that has packets of users already stays as it is.
    """
    if chosen is not None and chosen.dialect.described:
        return chosen
    version = None
    if snapshot.header is not None:
        version = snapshot.header.version
    sample = _sample(snapshot)
    detection = chosen or detect(version, sample)
    return describe(detection, version, sample, snapshot.context.packets.files, own_packet_files())


def shown_version_of(snapshot: Snapshot) -> int | None:
    """The header version that matches the bytes of a snapshot; None if nothing shows it."""
    return shown_version(_sample(snapshot))


def _sample(snapshot: Snapshot) -> Sample:
    """The distinct packet orders, and the first non-empty bodies of each id, of the first row of each layout.

    Of the first frames, if all hold more packets than a layout may.
    """
    orders: dict[tuple[int, ...], None] = {}  # as an ordered set
    bodies: dict[int, list[bytes]] = {}
    table = snapshot.table
    store = snapshot.store
    sampled_rows = _first_rows(table, len(snapshot.layouts))
    if not sampled_rows:
        sampled_rows = [table.row_of_frame(frame) for frame in range(min(len(snapshot), _SAMPLES))]
    for index in sampled_rows:
        row = table.row(index)
        source = int(row["source"])
        offset = int(row["offset"])
        order: list[int] = []
        for number, start, size in _packet_bodies(snapshot, row):
            order.append(number)
            samples = bodies.setdefault(number, [])
            if 2 < size <= _LARGEST_SAMPLE and len(samples) < _SAMPLES:
                samples.append(store.read(source, offset + start, size))
        orders[tuple(order)] = None
    return Sample(tuple(orders), bodies)


def _packet_bodies(snapshot: Snapshot, row: np.void) -> Iterator[tuple[int, int, int]]:
    """(id, offset of the body from that of the row, size of the body) of the packets of a row; not of all if many."""
    layout = int(row["layout"])
    if layout >= 0:
        for number, start, size in snapshot.layouts.get(layout).packets():
            yield number, start + PACKET_HEADER.size, size
    else:
        headers = read_headers(snapshot.store, int(row["source"]), int(row["offset"]), int(row["size"]))
        yield from islice(headers, _SAMPLED_PACKETS)


def _first_rows(table: FrameTable, layouts: int) -> list[int]:
    """The first row of each layout that the table has; the pool of `layouts` may hold others, of edited rows."""
    numbers = table.column("layout")[::-1]
    firsts = np.full(layouts + 1, -1, np.int64)
    firsts[numbers] = np.arange(len(numbers))[::-1]  # the last assignment counts; rows without a layout carry -1
    firsts = firsts[:-1]
    used: list[int] = firsts[firsts >= 0][:_SAMPLED_LAYOUTS].tolist()
    return used
