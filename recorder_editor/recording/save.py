"""Saving: write a temporary file beside the target, sync and verify it, then rename it over the target.

Verification: a recording of complete frames only is scanned again and compared row by row (sizes, ids, times, layouts),
and byte by byte if the rows differ. Damaged bytes may be split into other rows by a new scan, so any other recording is
compared byte by byte.

Knows rows, but not their contents.
"""

import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..arrays import StructuredArray
from ..errors import SaveRefused, SourceChanged, SourceGrown, SourceReplaced
from ..progress import SILENT, Progress
from ..texts import say
from .atomic_file import Target, reserve, sync_folder
from .existing import kind_of, refuse_existing
from .frames import FRAME, NO_LAYOUT, RAW, START_SIZE, FrameTable, frozen
from .locking import claim
from .scan import scan
from .snapshot import Snapshot
from .store import Store
from .writing import write

_BACKUP_BLOCK = 1 << 20
_COMPARED = ("kind", "size", "frame_id", "elapsed", "duration")


Prepared = Callable[[Snapshot, Path, int, bool], None]
"""A function that is called with a verified file before it is renamed: with the snapshot in it, the path, the number of
the file in the store, and whether a scan of it gives the same rows."""


@dataclass(frozen=True, slots=True)
class System:
    """The abilities of the operating system.

    Attributes:
        kernel_copy: Bytes are copied by `copy_file_range`, where there is one.
        replaces_open_files: An open file can be replaced; else it is renamed first.
        block: The size of the buffer in bytes.
    """

    kernel_copy: bool = True
    replaces_open_files: bool = sys.platform != "win32"
    block: int = 1 << 20  # fits the processor's cache; 4 MiB takes twice as long


def save(
    snapshot: Snapshot,
    opened_path: Path,
    target: Path | None,
    progress: Progress = SILENT,
    *,
    system: System | None = None,
    prepared: Prepared | None = None,
    backup: bool = False,
    overwrite: bool = False,
) -> Snapshot:
    """Write the recording to a file.

    A symbolic link is followed and kept. Permissions of an existing file are kept, and its owner if allowed. The target
    does not change before the last step, and no temporary file remains.

    Args:
        snapshot: The state to write.
        opened_path: The path that the recording was opened by.
        target: Where to write it; None: over the file that it was opened from.
        progress: Writing is its first half, verifying the second.
        system: The abilities of the operating system; None: those of this one.
        prepared: Is called with the verified file before it is renamed.
        backup: Keep an existing file as `NAME.bak`, replacing an earlier one.
        overwrite: `target` may be another file that exists and is not empty.

    Returns:
        The same rows with the same keys, in the new file.

    Raises:
        WouldReplace: `target` is another file, which is not empty, and `overwrite` is False.
        SaveRefused: The opened file was replaced, verification failed, or `NAME.bak` is no recording.
        SourceChanged: A file that holds parts of the recording was rewritten.
        Cancelled: By `progress`.
        OSError: The file cannot be written.
    """
    system = system or System()
    store = snapshot.store
    opened = _opened_path(store)
    if target is None and opened is None:
        raise SaveRefused(say("This recording has no file yet; save it under a name."))
    place = Path(os.path.abspath(target or opened or opened_path))
    saved: list[Snapshot] = []

    with reserve(place, overwrite=True) as reserved:  # the opened file is known below
        is_over = opened is not None and reserved.final == Path(os.path.realpath(opened))
        if target is not None and reserved.present is None:
            is_over = False  # a deleted file may be saved again under its requested name
        if not is_over and not overwrite:
            refuse_existing([place], is_recording=True)
        if backup and reserved.present is not None:
            refuse_foreign_backup(reserved)

        def verify() -> None:
            if is_over:
                _verify_opened_file(store)
            reserved.verify()

        def prepare(source: int, exact: bool) -> None:
            table = _relocated(source, snapshot.table, len(snapshot.header_bytes))
            saved.append(replace(snapshot, table=table, version=snapshot.version + 1))
            if prepared is not None:
                prepared(saved[0], place, source, exact)
            if backup and reserved.present is not None:
                verify()
                back_up(reserved)
            verify()

        verify()
        store.file = _write_file(snapshot, reserved, progress, system, prepare)
    return saved[0]


def save_copy(snapshot: Snapshot, target: Path, progress: Progress = SILENT, *, overwrite: bool = False) -> None:
    """Write a snapshot to another file, while the recording keeps its own; otherwise as `save`.

    Args:
        snapshot: The state to write.
        target: The file.
        progress: Writing is its first half, verifying the second.
        overwrite: The file may exist.

    Raises:
        SaveRefused: The file is the one that is open, or verification failed.
        WouldReplace: The file is not empty, and `overwrite` is False.
        SourceChanged: A file that holds parts of the recording was rewritten.
        Cancelled: By `progress`.
        OSError: The file cannot be written.
    """
    store = snapshot.store
    opened = _opened_path(store)
    with reserve(Path(os.path.abspath(target)), overwrite=True) as reserved:  # the open file has another sentence
        if opened is not None and reserved.final == Path(os.path.realpath(opened)):
            raise SaveRefused(
                say("{name} is the file that is open. Choose another name for the copy.", name=reserved.final.name)
            )
        if not overwrite:
            refuse_existing([target], is_recording=True)
        source = _write_file(snapshot, reserved, progress, System(), prepare=lambda source, exact: reserved.verify())
        store.drop(source)


def save_copies(folder: Path, copies: Iterable[tuple[str, Snapshot, Progress]], *, overwrite: bool = False) -> None:
    """Write snapshots to a folder: all, or no new file.

    If one cannot be written, the new files are removed again, and a note of the error says so; existing files stay
    replaced. Errors as `save_copy`.

    Args:
        folder: The folder, which is created if necessary.
        copies: The name of each file, its snapshot and the progress of writing it.
        overwrite: The files may exist.
    """
    is_new = not folder.exists()
    created: list[Path] = []
    replaced = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, snapshot, progress in copies:
            final = Path(os.path.realpath(folder / name))
            existed = final.exists()
            save_copy(snapshot, folder / name, progress, overwrite=overwrite)
            if existed:
                replaced += 1
            else:
                created.append(final)
    except BaseException as error:
        for path in created:
            with suppress(OSError):
                path.unlink()
        if is_new:
            with suppress(OSError):
                folder.rmdir()
        if created:
            error.add_note(say("The new files that were written before are removed again."))
        if replaced:
            error.add_note(say("Older files that are replaced, and whole: {replaced:,}.", replaced=replaced))
        raise


def _write_file(
    snapshot: Snapshot, target: Target, progress: Progress, system: System, prepare: Callable[[int, bool], None]
) -> int:
    """Write, verify and rename the new file.

    Args:
        snapshot: The state to write.
        target: The reserved target.
        progress: Writing is its first half, verifying the second.
        system: The abilities of the operating system.
        prepare: Is called before the renaming, with the number of the file in the store and whether a scan of it gives
            the same rows.

    Returns:
        The number of the file in the store.
    """
    from concurrent.futures import ThreadPoolExecutor  # it takes time that the first picture does without

    store = snapshot.store
    final = target.final
    _check_room(final.parent, snapshot.size)
    temporary, descriptor = target.create()
    source: int | None = None
    try:
        writing = progress.part(0.0, 0.5)
        verifying = progress.part(0.5, 1.0)
        write(snapshot, descriptor, writing, kernel_copy=system.kernel_copy, block=system.block)
        target.copy_attributes(descriptor)
        source = store.add_file(temporary)
        with ThreadPoolExecutor(1) as executor:  # sync while the file is verified
            synced = executor.submit(os.fsync, descriptor)
            exact = _verify(snapshot, source, final.name, verifying, system.block)
            synced.result()
        if not system.replaces_open_files:
            os.close(descriptor)
            descriptor = -1
        prepare(source, exact)
        _replace_target(store, source, target, system)
    except BaseException as error:
        if source is not None:
            store.drop(source)
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.filename == str(temporary):
            raise target.named(error) from None
        raise
    finally:
        if descriptor >= 0:  # keeps its lock until the end
            os.close(descriptor)
    sync_folder(final.parent)
    return source


# --- the target -----------------------------------------------------------------------------------------


def _opened_path(store: Store) -> Path | None:
    """The path of the recording's file; None for a recording without a file."""
    try:
        return store.path(store.file)
    except ValueError:
        return None


def _verify_opened_file(store: Store) -> None:
    """Raise `SaveRefused` if the file on disk is no longer the one that was opened."""
    name = store.path(store.file).name
    try:
        store.verify(store.file)
    except SourceReplaced:
        raise SaveRefused(
            say(
                "{name} on disk is no longer the file that was opened: it was replaced or "
                "removed. It was not changed. Use Save As to keep this recording under another "
                "name.",
                name=name,
            )
        ) from None
    except SourceGrown:
        raise SaveRefused(
            say(
                "{name} became longer since it was opened: it may still be written. It was not "
                "changed. Use Save As to keep this recording under another name.",
                name=name,
            )
        ) from None
    except SourceChanged:
        raise SaveRefused(
            say(
                "Another program has rewritten {name} since it was opened. It was not changed. "
                "Save As under another name is possible as far as nothing has to be read from "
                "it any more; open it again to see what it holds now.",
                name=name,
            )
        ) from None


def _check_room(folder: Path, size: int) -> None:
    disk = shutil.disk_usage(folder)
    if disk.total and disk.free < size:  # some network folders report no size
        reason = say(
            "{system} ({size:,} bytes are needed, {free:,} are free)",
            system=os.strerror(errno.ENOSPC),
            size=size,
            free=disk.free,
        )
        raise OSError(errno.ENOSPC, reason, str(folder))


def _backup_path(target: Target) -> Path:
    """The path under which the file that a target replaces is kept."""
    return target.final.with_name(f"{target.final.name}.bak")


def refuse_foreign_backup(target: Target) -> None:
    """Check that `NAME.bak` would replace no other file than an earlier backup.

    Raises:
        SaveRefused: The file there is no recording.
    """
    backup = _backup_path(target)
    if backup.exists() and backup.stat().st_size and kind_of(backup) != "recording":
        raise SaveRefused(
            say(
                "{name} is no recording, so it is no earlier backup, and would be replaced. "
                "Give it another name, or save without a backup.",
                name=backup.name,
            )
        )


def back_up(target: Target) -> Path:
    """Keep the file that a target replaces as `NAME.bak`, replacing an earlier one.

    Returns:
        The path of the backup.

    Raises:
        SaveRefused: The file there is no recording.
        OSError: The backup cannot be written.
    """
    refuse_foreign_backup(target)
    final = target.final
    backup = _backup_path(target)
    temporary = target.beside("tmp")
    lock: int | None = None
    # A second name of an open file cannot be renamed where the file itself cannot.
    has_links = System().replaces_open_files
    if has_links:
        with suppress(OSError):  # its second name would otherwise look like a stale temporary file
            lock = claim(final)
    try:
        if has_links:
            with suppress(OSError):
                os.link(final, temporary)
        if not temporary.exists():
            _check_room(final.parent, final.stat().st_size)
            temporary, descriptor = target.create()
            with open(descriptor, "wb") as copied, open(final, "rb") as source:
                shutil.copyfileobj(source, copied, _BACKUP_BLOCK)
                copied.flush()
                target.copy_attributes(descriptor)
                os.fsync(descriptor)
        os.replace(temporary, backup)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(backup)) from None
        raise
    finally:
        if lock is not None:
            os.close(lock)
    # Renaming one link of a file over another leaves both.
    with suppress(OSError):
        temporary.unlink()
    return backup


def _replace_target(store: Store, source: int, target: Target, system: System) -> None:
    """Rename the new file over the target; if open files cannot be replaced, rename the old one first."""
    with ExitStack() as stack:
        if not system.replaces_open_files:
            for old in store.sources_at(target.final):
                stack.enter_context(store.set_aside(old, target.beside("old")))
        store.rename(source, target.final, path=target.asked)


# --- what was written -----------------------------------------------------------------------------------


def _verify(snapshot: Snapshot, source: int, name: str, progress: Progress, block: int) -> bool:
    """Whether a scan gives the same rows. Raises `SaveRefused` if the new file differs from the recording."""
    store = snapshot.store
    header = snapshot.header_bytes
    has_same_begin = store.size(source) == snapshot.size and store.read(source, 0, len(header)) == header
    if has_same_begin and snapshot.header is not None and (snapshot.table.column("kind") == FRAME).all():
        size = snapshot.table.size
        scanned = scan(store, source, len(header), size, layouts=snapshot.layouts, progress=progress).table
        if _same_rows(snapshot.table, scanned):
            return True
    if has_same_begin and _same_bytes(snapshot, source, progress, block):
        return False
    raise SaveRefused(
        say(
            "What was written for {name} does not read back as it should; the file under "
            "that name is as it was. The disk may be failing: save to another one.",
            name=name,
        )
    )


def _same_bytes(snapshot: Snapshot, source: int, progress: Progress, block: int) -> bool:
    for position in progress.over(range(0, snapshot.size, block)):
        size = min(block, snapshot.size - position)
        if snapshot.read(position, size) != snapshot.store.read(source, position, size):
            return False
    return True


def _same_rows(expected: FrameTable, actual: FrameTable) -> bool:
    """Whether two tables have the same frames; layouts that one of them does not keep are not compared."""
    if len(expected) != len(actual):
        return False
    for name in _COMPARED:
        if expected.column(name).tobytes() != actual.column(name).tobytes():
            return False
    expected_layouts = expected.column("layout")
    actual_layouts = actual.column("layout")
    are_kept = (expected_layouts != NO_LAYOUT) & (actual_layouts != NO_LAYOUT)
    return not (are_kept & (expected_layouts != actual_layouts)).any()


def _relocated(source: int, table: FrameTable, start: int) -> FrameTable:
    """The same rows in the new file, which begins with `start` bytes of header."""

    def chunks() -> Iterator[StructuredArray]:
        end = start
        for chunk in table.chunks:
            sizes = chunk["size"]
            ends = end + np.cumsum(sizes + np.where(chunk["kind"] == RAW, 0, START_SIZE))
            relocated = chunk.copy()
            relocated["source"] = source
            relocated["stored"] = 1
            relocated["offset"] = ends - sizes
            yield frozen(relocated)
            end = int(ends[-1])

    return FrameTable(chunks())
