"""Saving: a new file is written beside the old one, read back and put in its place; the old one is whole to the end.

Everything goes to a temporary file in the target's folder, which is synced and read back and only then renamed over
the target. What is read back: a recording of whole frames alone is scanned again and compared row by row (sizes, ids,
times, layouts), and byte by byte should those differ. Damaged bytes may fall into other rows when they are scanned
anew, so that a recording with any is compared by its length and a checksum of everything that was written.

Knows what rows are, nothing of what stands in them.
"""

import errno
import os
import re
import secrets
import shutil
import stat
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..errors import Cancelled, SaveRefused, SourceChanged, SourceGrown, SourceReplaced
from .frames import NO_LAYOUT, RAW, START_SIZE, FrameTable, Rows
from .scan import scan
from .snapshot import Snapshot
from .store import Store
from .writing import write

Progress = Callable[[int, int], None]
Cancel = Callable[[], bool]

_WORTH_A_THREAD = 4 << 20  # below it, the disk is done before a thread has begun
_ROWS_COMPARED = 1 << 16
_FIRST_MODE = 0o600
_SECONDS_OF_A_REMNANT = 24 * 3600.0


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
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    *,
    system: System | None = None,
    prepared: Prepared | None = None,
    backup: bool = False,
) -> Saved:
    """Write the recording to `target`; None: over the file it was opened from (`opened_path`).

    A link is followed and stays. An existing file passes its permissions on, and its owner where that is allowed.
    `progress` is called with (bytes written and read back, twice the size). Until the last step the target is as it
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
    final = Path(os.path.realpath(place))
    present = _looked_at(final)
    if opened is not None and final == Path(os.path.realpath(opened)) and not (target and present is None):
        _refuse_another_file(store)
    made: list[Snapshot] = []

    def tell(source: int, exact: bool) -> None:
        table = _table_in(source, snapshot.table, len(snapshot.header_bytes))
        made.append(replace(snapshot, table=table, version=snapshot.version + 1))
        if prepared is not None:
            prepared(made[0], place, source, exact)
        if backup and present is not None:
            back_up(final)

    steps = _Steps(2 * snapshot.size, progress, cancel)
    store.file = _made(snapshot, final, place, present, steps, system, tell)
    return Saved(opened_path if target is None else target, made[0])


def save_copy(
    snapshot: Snapshot,
    target: Path,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    *,
    system: System | None = None,
) -> None:
    """Write a state to a file that the recording does not go on from; otherwise as `save`.

    Raises `SaveRefused` for the file that is open, and what `save` raises.
    """
    store = snapshot.store
    place = Path(os.path.abspath(target))
    final = Path(os.path.realpath(place))
    present = _looked_at(final)
    opened = _opened(store)
    if opened is not None and final == Path(os.path.realpath(opened)):
        raise SaveRefused(f"{final.name} is the file that is open. Choose another name for the copy.")
    steps = _Steps(2 * snapshot.size, progress, cancel)
    store.drop(_made(snapshot, final, place, present, steps, system or System()))


def _made(
    snapshot: Snapshot, final: Path, place: Path, present: os.stat_result | None, steps: "_Steps", system: System,
    tell: Callable[[int, bool], None] | None = None,
) -> int:  # fmt: skip
    """Write the state, read it back and put it in its place; returns the new file's number in the store."""
    store = snapshot.store
    _check_room(final.parent, snapshot.size)
    _sweep(final)
    temporary, descriptor = _created(final, present)
    source: int | None = None
    try:
        try:
            checksum = write(snapshot, descriptor, steps.advance, kernel_copy=system.kernel_copy, block=system.block)
            if present is not None:
                _pass_on(final, present, descriptor)
            source = store.add_file(temporary)
            if snapshot.size < _WORTH_A_THREAD:
                os.fsync(descriptor)
                exact = _read_back(snapshot, source, final.name, checksum, steps, system)
            else:
                with ThreadPoolExecutor(1) as beside:  # the disk is busy while the processor reads back
                    synced = beside.submit(os.fsync, descriptor)
                    exact = _read_back(snapshot, source, final.name, checksum, steps, system)
                    synced.result()
        finally:
            os.close(descriptor)
        if tell is not None:
            tell(source, exact)
        _put_in_place(store, source, final, place, system)
    except BaseException:
        if source is not None:
            store.drop(source)
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(final.parent)
    return source


class _Steps:
    """How far the work is, and whether it should stop."""

    def __init__(self, total: int, progress: Progress | None, cancel: Cancel | None) -> None:
        self._total = total
        self._progress = progress
        self._cancel = cancel
        self._done = 0

    def advance(self, count: int) -> None:
        """So many bytes more are done. Raises `Cancelled`."""
        self._done += count
        if self._progress is not None:
            self._progress(self._done, self._total)
        if self._cancel is not None and self._cancel():
            raise Cancelled


# --- the target -----------------------------------------------------------------------------------------


def _opened(store: Store) -> Path | None:
    """Where the recording's file was opened or saved; None for one that has no file."""
    try:
        return store.path(store.file)
    except ValueError:
        return None


def _looked_at(final: Path) -> os.stat_result | None:
    """What stands at the target, None for nothing; raises where it cannot be replaced."""
    try:
        present = os.stat(final)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(present.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(final))
    if not stat.S_ISREG(present.st_mode):
        raise SaveRefused(f"{final.name} is not an ordinary file, and saving would replace it. Choose another name.")
    if not os.access(final, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(final))
    return present


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


def _created(final: Path, present: os.stat_result | None) -> tuple[Path, int]:
    """A new file beside the target, open for writing. For a new recording the system decides who may read it."""
    mode = _FIRST_MODE if present is not None else 0o666
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
    # Names have 255 bytes at most, and a character up to four.
    path = final.with_name(f".{final.name[:50]}.{secrets.token_hex(4)}.tmp")
    return path, os.open(path, flags, mode)


def _sweep(final: Path) -> None:
    """Remove what processes that were killed while they saved left beside the file, a day ago or longer."""
    pattern = re.compile(re.escape(f".{final.name[:50]}.") + r"[0-9a-f]{8}\.tmp")
    with suppress(OSError), os.scandir(final.parent) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name) and time.time() - entry.stat().st_mtime > _SECONDS_OF_A_REMNANT:
                os.unlink(entry.path)


def _pass_on(final: Path, present: os.stat_result, descriptor: int) -> None:
    """Give the new file what the old one had: owner where allowed, permissions, access lists and other attributes."""
    if sys.platform == "win32":
        return
    for owner, group in ((-1, present.st_gid), (present.st_uid, -1)):
        with suppress(OSError):
            os.fchown(descriptor, owner, group)
    os.fchmod(descriptor, stat.S_IMODE(present.st_mode))
    if sys.platform == "linux":
        with suppress(OSError):
            for name in os.listxattr(final):
                with suppress(OSError):
                    os.setxattr(descriptor, name, os.getxattr(final, name))


def back_up(final: Path) -> Path:
    """Keep a file as it is under the name `NAME.bak`, in the place of an earlier one; raises OSError."""
    kept = final.with_name(f"{final.name}.bak")
    temporary = final.with_name(f".{final.name[:50]}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            os.link(final, temporary)
        except OSError:  # a file system where a file has one name: the bytes are copied
            _check_room(final.parent, final.stat().st_size)
            shutil.copy2(final, temporary)
            with open(temporary, "rb+") as copied:
                os.fsync(copied.fileno())
        os.replace(temporary, kept)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    # Of two names of one file the renaming leaves both.
    with suppress(OSError):
        temporary.unlink()
    return kept


def _put_in_place(store: Store, source: int, final: Path, place: Path, system: System) -> None:
    """Rename the new file over the target; where open files cannot be replaced, the old one is set aside first."""
    aside: list[tuple[int, Path]] = []
    if not system.replaces_open_files:
        aside = [(old, store.path(old)) for old in store.sources_at(final)]
    try:
        for old, _ in aside:
            store.set_aside(old, final.with_name(f".{final.name[:50]}.{secrets.token_hex(4)}.old"))
        store.rename(source, final, path=place)
    except BaseException:
        for old, known_as in aside:
            store.rename(old, final, path=known_as)
        raise


def _sync_folder(folder: Path) -> None:
    """Make the renaming last, where the system can."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


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
        found = scan(store, source, len(header), size, layouts=snapshot.layouts, progress=on_progress).table
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
    buffer = bytearray(block)
    size, at, checksum = store.size(source), 0, 0
    with memoryview(buffer) as view:
        while at < size:
            part = view[: min(block, size - at)]
            store.read_into(source, at, part)
            checksum = zlib.crc32(part, checksum)
            at += len(part)
            steps.advance(len(part))
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
        for column in ("kind", "size", "frame_id"):
            if not np.array_equal(one[column], other[column]):
                return False
        for column in ("elapsed", "duration"):
            if not np.array_equal(one[column].view(np.uint64), other[column].view(np.uint64)):
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
