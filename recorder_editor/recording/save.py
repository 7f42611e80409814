"""Saving: a new file is written beside the old one, read back and put in its place; the old one is whole to the end.

Everything goes to a temporary file in the target's folder, which is synced and read back and only then renamed over
the target. What is read back: a recording of whole frames alone is scanned again and compared row by row (sizes, ids,
times, layouts), and byte by byte should those differ. Damaged bytes may fall into other rows when they are scanned
anew, so that a recording with any is compared by its length and a checksum of everything that was written.

Knows what rows are, nothing of what stands in them.
"""

import errno
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..errors import SaveRefused, SourceChanged, SourceGrown, SourceReplaced
from ..progress import SILENT, Progress
from .atomic_file import Target, reserve, sync_folder
from .frames import NO_LAYOUT, RAW, START_SIZE, FrameTable, Rows
from .locking import claim
from .scan import scan
from .snapshot import Snapshot
from .store import Store
from .writing import write

_WORTH_A_THREAD = 4 << 20  # below it, the disk is done before a thread has begun
_ROWS_COMPARED = 1 << 16
_BLOCK_OF_A_BACKUP = 1 << 20


Prepared = Callable[[Snapshot, Path, int, bool], None]
"""Told of a file that is whole, just before it takes its place: the state that is in it, the path, the file's number in
the store, and whether it gives the same rows when it is scanned anew."""


class Saved(NamedTuple):
    """A recording as it was saved.

    Attributes: `path` (as it was asked for), `snapshot` (the same rows, with the same keys, in the new file).
    """

    path: Path
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class System:
    """What saving can count on.

    Attributes: `kernel_copy` (ranges may be copied by the kernel), `replaces_open_files` (a file can be replaced while
    it is open; else it is set aside first), `block` (bytes in the one buffer).
    """

    kernel_copy: bool = sys.platform == "linux"
    replaces_open_files: bool = sys.platform != "win32"
    block: int = 1 << 20  # larger ones leave the processor's cache: 4 MiB takes twice as long


def save(
    snapshot: Snapshot,
    opened_path: Path,
    target: Path | None,
    progress: Progress = SILENT,
    *,
    system: System | None = None,
    prepared: Prepared | None = None,
    backup: bool = False,
) -> Saved:
    """Write the recording to `target`; None: over the file it was opened from (`opened_path`).

    A link is followed and stays. An existing file passes its permissions on, and its owner where that is allowed.
    `progress` counts bytes written and read back, twice the size. Until the last step the target is as it
    was, and no temporary file stays behind. `backup` keeps an existing file as `NAME.bak`, in the place of an earlier
    one. Raises `SaveRefused` (another file stands where the opened one was, what was written reads back otherwise),
    `SourceChanged`, `Cancelled`, and OSError unchanged.
    """
    system = system or System()
    store = snapshot.store
    opened = _opened(store)
    if target is None and opened is None:
        raise SaveRefused("This recording has no file yet; save it under a name.")
    place = Path(os.path.abspath(target if target is not None else opened or opened_path))
    made: list[Snapshot] = []

    with reserve(place) as there:
        # A name that was asked for may be given back to a file that is gone.
        is_over = opened is not None and there.final == Path(os.path.realpath(opened))
        is_over = is_over and (there.present is not None or target is None)

        def verify() -> None:
            if is_over:
                _refuse_another_file(store)
            there.verify()

        def tell(source: int, exact: bool) -> None:
            table = _table_in(source, snapshot.table, len(snapshot.header_bytes))
            made.append(replace(snapshot, table=table, version=snapshot.version + 1))
            if prepared is not None:
                prepared(made[0], place, source, exact)
            if backup and there.present is not None:
                verify()
                back_up(there)
            verify()

        verify()
        steps = _Steps(2 * snapshot.size, progress)
        store.file = _made(snapshot, there, steps, system, tell)
    return Saved(opened_path if target is None else target, made[0])


def save_copy(snapshot: Snapshot, target: Path, progress: Progress = SILENT, *, system: System | None = None) -> None:
    """Write a state to a file that the recording does not go on from; otherwise as `save`.

    Raises `SaveRefused` for the file that is open, and what `save` raises.
    """
    store = snapshot.store
    opened = _opened(store)
    with reserve(Path(os.path.abspath(target))) as there:
        if opened is not None and there.final == Path(os.path.realpath(opened)):
            raise SaveRefused(f"{there.final.name} is the file that is open. Choose another name for the copy.")
        steps = _Steps(2 * snapshot.size, progress)
        store.drop(_made(snapshot, there, steps, system or System(), lambda source, exact: there.verify()))


def save_copies(folder: Path, copies: Iterable[tuple[str, Snapshot, Progress]]) -> None:
    """Write states (name, state, progress) to a folder that is made where there is none: all of them, or no new file.

    Where one cannot be written, what was new is removed again, and a note of the error says so; a file that was there
    before stays replaced. Raises what `save_copy` raises.
    """
    is_new = not folder.exists()
    made: list[Path] = []
    replaced = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, snapshot, progress in copies:
            final = Path(os.path.realpath(folder / name))
            was_there = final.exists()
            save_copy(snapshot, folder / name, progress)
            replaced += was_there
            made += [] if was_there else [final]
    except BaseException as error:
        for path in made:
            with suppress(OSError):
                path.unlink()
        if is_new:
            with suppress(OSError):
                folder.rmdir()
        if made:
            error.add_note("The new files that were written before are removed again.")
        if replaced:
            error.add_note(f"Older files that are replaced, and whole: {replaced:,}.")
        raise


def _made(
    snapshot: Snapshot, target: Target, steps: "_Steps", system: System, prepare: Callable[[int, bool], None]
) -> int:
    """Write the state, read it back and put it in its place; returns the new file's number in the store.

    `prepare` is called directly before the renaming, with that number and whether a scan gives the same rows.
    """
    store, final = snapshot.store, target.final
    _check_room(final.parent, snapshot.size)
    temporary, descriptor = target.create()
    source: int | None = None
    try:
        checksum = write(snapshot, descriptor, steps.advance, kernel_copy=system.kernel_copy, block=system.block)
        target.copy_attributes(descriptor)
        source = store.add_file(temporary)
        if snapshot.size < _WORTH_A_THREAD:
            os.fsync(descriptor)
            exact = _read_back(snapshot, source, final.name, checksum, steps, system)
        else:
            with ThreadPoolExecutor(1) as beside:  # the disk is busy while the processor reads back
                synced = beside.submit(os.fsync, descriptor)
                exact = _read_back(snapshot, source, final.name, checksum, steps, system)
                synced.result()
        if not system.replaces_open_files:
            os.close(descriptor)
            descriptor = -1
        prepare(source, exact)
        _put_in_place(store, source, target, system)
    except BaseException as error:
        if source is not None:
            store.drop(source)
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.filename == str(temporary):
            raise target.named(error) from None
        raise
    finally:
        if descriptor >= 0:  # until then its lock says that somebody is at work
            os.close(descriptor)
    sync_folder(final.parent)
    return source


class _Steps:
    """Bytes written and read back so far."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._total = total
        self._progress = progress
        self._done = 0

    def advance(self, count: int) -> None:
        """So many bytes more are done. Raises `Cancelled`."""
        self._done += count
        self._progress.update(self._done, self._total)


# --- the target -----------------------------------------------------------------------------------------


def _opened(store: Store) -> Path | None:
    """Where the recording's file was opened or saved; None for one that has no file."""
    try:
        return store.path(store.file)
    except ValueError:
        return None


def _refuse_another_file(store: Store) -> None:
    """Raises `SaveRefused` where the file on disk is no longer the one that was opened."""
    name = store.path(store.file).name
    try:
        store.verify(store.file)
    except SourceReplaced:
        raise SaveRefused(
            f"{name} on disk is no longer the file that was opened: another one stands in its place, or none does. "
            "It was left alone. Use Save As to keep this recording under another name."
        ) from None
    except SourceGrown:
        raise SaveRefused(
            f"{name} became longer since it was opened: it may still be written. It was left alone. Use Save As to "
            "keep this recording under another name."
        ) from None
    except SourceChanged:
        raise SaveRefused(
            f"Another program has rewritten {name} since it was opened. It was left alone. Save As under another name "
            "is possible as far as nothing has to be read from it any more; open it again to see what it holds now."
        ) from None


def _check_room(folder: Path, size: int) -> None:
    disk = shutil.disk_usage(folder)
    if disk.total and disk.free < size:  # a few network folders do not know their size
        words = f"{size:,} bytes are needed, {disk.free:,} are free"
        raise OSError(errno.ENOSPC, f"{os.strerror(errno.ENOSPC)} ({words})", str(folder))


def back_up(target: Target) -> Path:
    """Keep a file as it is under the name `NAME.bak`, in the place of an earlier one; raises OSError."""
    final = target.final
    kept = final.with_name(f"{final.name}.bak")
    temporary = target.beside("tmp")
    held: int | None = None
    with suppress(OSError):  # a second name of it looks else as if its maker were gone
        held = claim(final)
    try:
        try:
            os.link(final, temporary)
        except OSError:  # a file system where a file has one name: the bytes are copied
            _check_room(final.parent, final.stat().st_size)
            temporary, descriptor = target.create()
            with open(descriptor, "wb") as copied, open(final, "rb") as source:
                shutil.copyfileobj(source, copied, _BLOCK_OF_A_BACKUP)
                copied.flush()
                target.copy_attributes(descriptor)
                os.fsync(descriptor)
        os.replace(temporary, kept)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(kept)) from None
        raise
    finally:
        if held is not None:
            os.close(held)
    # Of two names of one file the renaming leaves both.
    with suppress(OSError):
        temporary.unlink()
    return kept


def _put_in_place(store: Store, source: int, target: Target, system: System) -> None:
    """Rename the new file over the target; where open files cannot be replaced, the old one is set aside first."""
    final = target.final
    aside: list[tuple[int, Path]] = []
    if not system.replaces_open_files:
        aside = [(old, store.path(old)) for old in store.sources_at(final)]
    try:
        for old, _ in aside:
            store.set_aside(old, target.beside("old"))
        store.rename(source, final, path=target.asked)
    except BaseException:
        for old, known_as in aside:
            store.rename(old, final, path=known_as)
        raise


# --- what was written -----------------------------------------------------------------------------------


def _read_back(snapshot: Snapshot, source: int, name: str, checksum: int | None, steps: _Steps, system: System) -> bool:
    """True where a scan gives the same rows. Raises `SaveRefused` where the new file does not hold the recording."""
    store, header, exact = snapshot.store, snapshot.header_bytes, False
    right = store.size(source) == snapshot.size and store.read(source, 0, len(header)) == header
    if right and checksum is not None:
        right = _sum(store, source, steps, system.block) == checksum
    elif right:
        done = len(header)
        steps.advance(done)

        def on_progress(now: int, _: int) -> None:
            nonlocal done
            steps.advance(len(header) + now - done)
            done = len(header) + now

        size = snapshot.table.size
        found = scan(store, source, len(header), size, layouts=snapshot.layouts, progress=Progress(on_progress)).table
        # A table that calls frame what a scan does not is no reason to lose the work: then the bytes decide.
        exact = _same_rows(snapshot.table, found)
        right = exact or _same_bytes(snapshot, source, system.block)
    if not right:
        raise SaveRefused(
            f"What was written for {name} does not read back as it should; the file under that name is as it was. "
            "The disk may be failing: save to another one."
        )
    return exact


def _sum(store: Store, source: int, steps: _Steps, block: int) -> int:
    size, checksum = store.size(source), 0
    for at in range(0, size, block):
        data = store.read(source, at, min(block, size - at))
        checksum = zlib.crc32(data, checksum)
        steps.advance(len(data))
    return checksum


def _same_bytes(snapshot: Snapshot, source: int, block: int) -> bool:
    return all(
        snapshot.read(at, block) == snapshot.store.read(source, at, min(block, snapshot.size - at))
        for at in range(0, snapshot.size, block)
    )


def _same_rows(wanted: FrameTable, found: FrameTable) -> bool:
    """The tables tell the same frames; a layout that one of them has not kept is not compared."""
    if len(wanted) != len(found):
        return False
    for at in range(0, len(wanted), _ROWS_COMPARED):
        one, other = wanted.rows(at, at + _ROWS_COMPARED), found.rows(at, at + _ROWS_COMPARED)
        for column in ("kind", "size", "frame_id", "elapsed", "duration"):
            if one[column].tobytes() != other[column].tobytes():
                return False
        known = (one["layout"] != NO_LAYOUT) & (other["layout"] != NO_LAYOUT)
        if (known & (one["layout"] != other["layout"])).any():
            return False
    return True


def _table_in(source: int, table: FrameTable, start: int) -> FrameTable:
    """The same rows as they stand in the new file, which begins with `start` bytes of header."""

    def chunks() -> Iterator[Rows]:
        end = start
        for chunk in table.chunks:
            ends = end + np.cumsum(chunk["size"] + np.where(chunk["kind"] == RAW, 0, START_SIZE))
            made = chunk.copy()
            made["source"], made["stored"] = source, 1
            made["offset"] = ends - chunk["size"]
            made.flags.writeable = False
            yield made
            end = int(ends[-1])

    return FrameTable(chunks())
