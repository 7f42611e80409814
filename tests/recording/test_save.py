"""Saving: every byte where it belongs, links, permissions, and what is never replaced."""

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor import Edit, Recording, edits
from recorder_editor.errors import SaveRefused, SourceChanged, WouldReplace
from recorder_editor.format.schema import RawFloat
from recorder_editor.progress import SILENT, Progress
from recorder_editor.recording import files
from recorder_editor.recording import save as save_module
from recorder_editor.recording.frames import START_SIZE, FrameTable
from recorder_editor.recording.save import System, save, save_copies, save_copy
from recorder_editor.recording.store import Store
from tests import builders
from tests.builders import RELEASES, SIGNALLING_64, everything
from tests.recording.steps import (
    AS_ON_WINDOWS,
    BY_BLOCKS,
    BY_THE_KERNEL,
    DAMAGED,
    DRIVE,
    content,
    linux,
    names,
    posix,
    retime,
    turn,
)

# --- the bytes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", RELEASES)
@pytest.mark.parametrize("system", [BY_THE_KERNEL, BY_BLOCKS, AS_ON_WINDOWS], ids=["kernel", "blocks", "windows"])
def test_an_unedited_save_gives_the_same_bytes(
    tmp_path: Path, dialect: str, system: System, every_range_by_the_kernel: None
) -> None:
    path, other = tmp_path / "a.log", tmp_path / "b.log"
    path.write_bytes(everything(dialect))
    with recorder_editor.open(path) as opened:
        save(opened.snapshot, path, other, system=system)
        assert other.read_bytes() == everything(dialect)
        opened.save()
    assert path.read_bytes() == everything(dialect)


def test_an_unedited_save_of_a_real_recording_gives_the_same_bytes(sound_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(sound_recording) as opened:
        opened.save(tmp_path / "copy.log")
    assert (tmp_path / "copy.log").read_bytes() == sound_recording.read_bytes()


@pytest.mark.parametrize("block", [1, 2, 3, 23, 24, 25, 29, 30, 97, 512, 1 << 20])
def test_retimed_rows_are_patched_wherever_a_block_ends(recording: Recording, file: Path, block: int) -> None:
    recording.apply(retime(recording, slice(0, None, 2)))
    recording.apply(turn(recording, 7))
    wanted = content(recording)
    assert wanted != DRIVE
    system = System(kernel_copy=False, block=block)
    save(recording.snapshot, file, file.with_name("other.log"), system=system)
    assert file.with_name("other.log").read_bytes() == wanted


@pytest.mark.parametrize("field", ["elapsed", "duration"])
def test_a_signalling_nan_reaches_the_file_bit_for_bit(recording: Recording, file: Path, field: str) -> None:
    recording.apply(edits.set_frame_start(recording, 3, {field: RawFloat(SIGNALLING_64.bits, 64)}))
    start = recording[3].offset
    recording.save()
    at = start + 5 + (8 if field == "duration" else 16)
    assert file.read_bytes()[at : at + 8] == SIGNALLING_64.bits.to_bytes(8, "little")
    assert file.read_bytes()[:at] + DRIVE[at : at + 8] + file.read_bytes()[at + 8 :] == DRIVE


def test_a_retimed_row_of_the_scratch_file_is_patched_too(recording: Recording, file: Path) -> None:
    recording.apply(turn(recording, 5))
    recording.apply(retime(recording, slice(4, 7)))
    wanted = content(recording)
    recording.save()
    assert file.read_bytes() == wanted


@pytest.mark.parametrize("edited", ["nothing", "the times of all frames"])
def test_neighbouring_rows_are_read_as_one_range(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edited: str) -> None:
    path = tmp_path / "long.log"
    path.write_bytes(builders.recording(*(builders.frame(n + 1, n * 0.05, 0.05) for n in range(2_500))))
    reads: list[int] = []
    read_into = Store.read_into

    def counted(store: Store, source: int, offset: int, buffer: bytearray | memoryview) -> None:
        reads.append(len(buffer))
        read_into(store, source, offset, buffer)

    with recorder_editor.open(path) as opened:
        if edited != "nothing":
            opened.apply(retime(opened, slice(None)))
        wanted = content(opened)
        found = SimpleNamespace(table=opened.snapshot.table)
        monkeypatch.setattr(save_module, "scan", lambda *arguments, **named: found)
        monkeypatch.setattr(Store, "read_into", counted)
        save(opened.snapshot, path, tmp_path / "other.log", system=System(kernel_copy=False, block=1 << 14))
    assert (tmp_path / "other.log").read_bytes() == wanted
    assert len(reads) <= len(wanted) // (1 << 14) + 1 + len(opened.snapshot.table.chunks)


@linux
def test_a_range_that_the_kernel_cannot_copy_is_copied_by_blocks(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, every_range_by_the_kernel: None
) -> None:
    asked = []

    def refused(*arguments: Any) -> int:
        asked.append(arguments)
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    monkeypatch.setattr(os, "copy_file_range", refused)
    save(recording.snapshot, file, file.with_name("other.log"), system=BY_THE_KERNEL)
    assert asked
    assert file.with_name("other.log").read_bytes() == DRIVE


def test_macos_and_windows_have_no_copy_by_the_kernel(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, every_range_by_the_kernel: None
) -> None:
    monkeypatch.setattr(files, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.delattr(os, "copy_file_range", raising=False)
    recording.save(file.with_name("other.log"))
    assert file.with_name("other.log").read_bytes() == DRIVE


@linux
def test_a_kernel_copy_that_stops_early_is_finished_by_blocks(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, every_range_by_the_kernel: None
) -> None:
    copy = os.copy_file_range
    left = [100, 1, 0]
    monkeypatch.setattr(
        os, "copy_file_range", lambda one, other, size, at: copy(one, other, n, at) if (n := left.pop(0)) else 0
    )
    save(recording.snapshot, file, file.with_name("other.log"), system=BY_THE_KERNEL)
    assert left == []
    assert file.with_name("other.log").read_bytes() == DRIVE


def test_writes_that_take_fewer_bytes_than_asked_are_gone_on_with(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, bytes(data[:11])))
    recording.apply(retime(recording, slice(None)))
    wanted = content(recording)
    recording.save()
    assert file.read_bytes() == wanted


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such call for folders")
def test_the_file_is_on_the_disk_before_its_name_and_then_the_name_is(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, bool]] = []

    def sync(descriptor: int) -> None:
        inode = os.fstat(descriptor).st_ino
        synced.append((inode, file.stat().st_ino == inode))

    recording.apply(retime(recording, slice(0, None, 2)))
    monkeypatch.setattr(save_module.os, "fsync", sync)
    save(recording.snapshot, file, file)
    saved, folder = file.stat().st_ino, file.parent.stat().st_ino
    assert [each for each in synced if each[0] in (saved, folder)] == [(saved, False), (folder, False)]


def test_a_recording_without_frames_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "short.log"
    path.write_bytes(builders.recording(builders.frame(1)))
    with recorder_editor.open(path) as opened:
        opened.apply(edits.delete_rows(opened, 0))
        opened.save()
        assert path.read_bytes() == builders.header()
        opened.undo()
        opened.save()
    assert path.read_bytes() == builders.recording(builders.frame(1))


@pytest.mark.parametrize("there", [DRIVE, b"mine"])
def test_another_file_that_is_not_empty_is_only_replaced_if_that_is_asked_for(
    recording: Recording, file: Path, there: bytes
) -> None:
    other = file.with_name("other.log")
    other.write_bytes(there)
    recording.apply(turn(recording, 3))
    for write in (recording.save, lambda path: save_copy(recording.snapshot, path)):
        with pytest.raises(WouldReplace, match=r"other\.log exists already"):
            write(other)
        assert other.read_bytes() == there
        assert recording.is_modified
    with pytest.raises(WouldReplace):
        save_copies(file.parent, [("new.log", recording.snapshot, SILENT), ("other.log", recording.snapshot, SILENT)])
    assert names(file.parent) == [other.name, file.name]
    save_copy(recording.snapshot, other, overwrite=True)
    assert other.read_bytes() == content(recording)
    recording.save(other, overwrite=True)
    recording.save(other)  # it is the open file now
    other.with_name("empty.log").touch()
    recording.save(other.with_name("empty.log"))


@pytest.mark.parametrize("data", [b"", b"abc", DAMAGED], ids=["nothing", "three bytes", "junk between frames"])
def test_damaged_files_are_saved_as_they_are(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with recorder_editor.open(file) as opened:
        opened.save(file.with_name("other.log"))
        opened.save()
        opened.save(file, overwrite=True)
    assert file.read_bytes() == file.with_name("other.log").read_bytes() == data


# --- afterwards -----------------------------------------------------------------------------------------


def test_the_rows_keep_their_keys_and_stand_in_the_new_file(recording: Recording, file: Path) -> None:
    recording.apply(edits.insert_frame(recording, 5, copy_of=20))
    recording.apply(turn(recording, 3))
    recording.apply(retime(recording, slice(10, 30)))
    before = recording.snapshot
    change = recording.save()
    after = recording.snapshot
    assert change.before is before
    assert change.after is after
    assert change.splices == ()
    assert after.version == before.version + 1
    assert after.header_bytes == before.header_bytes
    rows = after.table.rows()
    assert set(rows["source"].tolist()) == {recording.store.file}
    assert (rows["stored"] == 1).all()
    for name in ("key", "kind", "size", "frame_id", "elapsed", "duration", "layout"):
        assert np.array_equal(rows[name], before.table.column(name))
    data = file.read_bytes()
    for index, row in enumerate(rows):
        start = int(row["offset"]) - START_SIZE
        assert data[start : start + START_SIZE + int(row["size"])] == after.row(index).data
        assert start == after.position(index)


def test_a_snapshot_from_before_can_still_be_read(recording: Recording) -> None:
    before = recording.snapshot
    recording.apply(turn(recording, 3))
    recording.save()
    assert before.read(0, before.size) == DRIVE


@pytest.mark.parametrize("system", [BY_THE_KERNEL, AS_ON_WINDOWS], ids=["here", "windows"])
def test_undo_reaches_beyond_saves_over_the_open_file(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, system: System
) -> None:
    monkeypatch.setattr(save_module, "System", lambda: system)
    states = [DRIVE]
    steps: tuple[Callable[[Recording], Edit], ...] = (
        partial(turn, frame=3),
        partial(retime, rows=slice(2, 9)),
        partial(edits.delete_rows, first=4, count=3),
        partial(turn, frame=30, yaw=-3.0),
    )
    for step in steps:
        recording.apply(step(recording))
        states.append(content(recording))
        recording.save()
        assert file.read_bytes() == states[-1]
        assert not recording.is_modified
    for state in reversed(states[:-1]):
        recording.undo()
        assert recording.is_modified
        assert content(recording) == state
        recording.save()
        assert file.read_bytes() == state
    for state in states[1:]:
        recording.redo()
        assert content(recording) == state
    recording.save()
    assert file.read_bytes() == states[-1]
    recording.close()
    assert names(file.parent) == [file.name]


def test_save_as_leaves_the_opened_file_and_goes_on_with_the_new_one(recording: Recording, file: Path) -> None:
    other = file.with_name("other.log")
    recording.apply(turn(recording, 3))
    first = content(recording)
    recording.save(other)
    assert recording.path == other
    assert file.read_bytes() == DRIVE
    recording.apply(turn(recording, 4))
    recording.save()
    assert file.read_bytes() == DRIVE
    assert other.read_bytes() == content(recording) != first


@pytest.mark.parametrize("system", [BY_THE_KERNEL, AS_ON_WINDOWS], ids=["here", "windows"])
def test_saving_to_another_name_and_back_keeps_undo(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, system: System
) -> None:
    monkeypatch.setattr(save_module, "System", lambda: system)
    recording.apply(turn(recording, 3))
    turned = content(recording)
    recording.save(file.with_name("other.log"))
    recording.save(file, overwrite=True)
    assert file.read_bytes() == turned
    recording.undo()
    recording.save()
    assert file.read_bytes() == DRIVE
    assert file.with_name("other.log").read_bytes() == turned


def test_an_edit_made_while_saving_is_kept_and_counts_as_unsaved(recording: Recording, file: Path) -> None:
    def edit_meanwhile(done: int, total: int) -> None:
        if not recording.is_modified:
            recording.apply(turn(recording, 3))

    change = recording.save(progress=Progress(edit_meanwhile))
    assert file.read_bytes() == DRIVE
    assert recording.is_modified
    assert change.after is recording.snapshot
    wanted = content(recording)
    assert wanted != DRIVE
    recording.save()
    assert file.read_bytes() == wanted
    assert not recording.is_modified


# --- what is refused ------------------------------------------------------------------------------------


def test_a_file_that_was_replaced_is_not_saved_over(recording: Recording, file: Path) -> None:
    recording.apply(turn(recording, 3))
    other = file.with_name("new")
    other.write_bytes(b"somebody else's")
    other.replace(file)
    for target in (None, file, file.parent / ".." / file.parent.name / file.name):
        with pytest.raises(SaveRefused, match=r"no longer the file that was opened.*Save As"):
            recording.save(target)
    assert file.read_bytes() == b"somebody else's"
    assert names(file.parent) == [file.name]
    assert recording.is_modified
    wanted = content(recording)
    recording.save(other)
    assert other.read_bytes() == wanted


def test_a_file_that_is_gone_is_saved_only_under_a_name_that_is_given(recording: Recording, file: Path) -> None:
    file.unlink()
    with pytest.raises(SaveRefused, match="Save As"):
        recording.save()
    assert names(file.parent) == []
    recording.save(file)
    assert file.read_bytes() == DRIVE


def test_a_file_that_was_rewritten_in_place_is_not_saved_over(recording: Recording, file: Path) -> None:
    recording.apply(turn(recording, 3))
    with file.open("r+b") as rewritten:
        rewritten.write(b"somebody else's")
    os.utime(file, ns=(0, 0))
    now = file.read_bytes()
    with pytest.raises(SaveRefused, match=r"has rewritten town\.log.*Save As"):
        recording.save()
    with pytest.raises(SourceChanged):
        recording.save(file.with_name("other.log"))
    assert file.read_bytes() == now
    assert names(file.parent) == [file.name]


def test_a_recording_of_edited_bytes_alone_outlives_a_rewritten_file(tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    path.write_bytes(builders.drive(frames=1))
    with recorder_editor.open(path) as opened:
        opened.apply(turn(opened, 0))
        wanted = content(opened)
        path.write_bytes(b"gone")
        opened.save(tmp_path / "kept.log")
    assert (tmp_path / "kept.log").read_bytes() == wanted


def test_a_recording_without_a_file_needs_a_name(file: Path) -> None:
    with recorder_editor.open(file) as opened, Store() as store:
        source, offset = store.append(DRIVE)
        rows = opened.snapshot.table.rows().copy()
        rows["source"], rows["offset"] = source, rows["offset"] + offset
        fresh = type(opened.snapshot)(
            store,
            opened.snapshot.layouts,
            opened.snapshot.keys,
            FrameTable.from_rows(rows),
            opened.snapshot.header,
            opened.snapshot.header_bytes,
            opened.snapshot.detection,
        )
        with pytest.raises(SaveRefused, match="under a name"):
            save(fresh, Path("unnamed"), None)
        target = file.with_name("new.log")
        save(fresh, Path("unnamed"), target)
        assert target.read_bytes() == DRIVE
        assert store.path(store.file) == target


def test_a_folder_is_no_target(recording: Recording, file: Path) -> None:
    with pytest.raises(IsADirectoryError):
        recording.save(file.parent)


@posix
def test_what_is_no_ordinary_file_is_no_target(recording: Recording, file: Path) -> None:
    pipe = file.with_name("pipe")
    os.mkfifo(pipe)
    with pytest.raises(SaveRefused, match="not an ordinary file"):
        recording.save(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_missing_folder_is_said(recording: Recording, file: Path) -> None:
    with pytest.raises(FileNotFoundError):
        recording.save(file.parent / "missing" / "town.log")


def test_a_write_protected_file_is_not_replaced(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(PermissionError):
        recording.save()
    assert names(file.parent) == [file.name]


def test_a_full_disk_is_said_before_anything_is_written(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10_000, 9_900, 100))
    monkeypatch.setattr(os, "write", lambda *rest: pytest.fail("something was written"))
    with pytest.raises(OSError, match=rf"{len(DRIVE):,} bytes are needed, 100 are free") as caught:
        recording.save()
    assert caught.value.errno == errno.ENOSPC
    assert names(file.parent) == [file.name]


def test_a_folder_that_does_not_know_its_size_is_tried(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(0, 0, 0))
    recording.save()
    assert file.read_bytes() == DRIVE


# --- links, permissions, names ----------------------------------------------------------------------------


@posix
def test_a_link_stays_and_the_file_behind_it_is_written(recording: Recording, file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.log"
    link.symlink_to(file)
    with recorder_editor.open(link) as opened:
        opened.apply(turn(opened, 3))
        wanted = content(opened)
        opened.save()
        assert opened.path == link
        opened.undo()
        opened.save()
        opened.redo()
        opened.save()
    assert link.is_symlink()
    assert link.readlink() == file
    assert not file.is_symlink()
    assert file.read_bytes() == wanted
    assert names(tmp_path / "folder") == [file.name]


@posix
def test_a_link_to_nothing_is_written_through(recording: Recording, file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.log"
    link.symlink_to(file.with_name("new.log"))
    recording.save(link)
    assert link.is_symlink()
    assert file.with_name("new.log").read_bytes() == DRIVE


@posix
@pytest.mark.parametrize("saved_first", [False, True])
def test_a_link_that_leads_elsewhere_by_now_is_not_saved_through(file: Path, tmp_path: Path, saved_first: bool) -> None:
    link, other = tmp_path / "link.log", file.with_name("other.log")
    link.symlink_to(file)
    other.write_bytes(b"somebody else's")
    with recorder_editor.open(link) as opened:
        if saved_first:
            opened.save()
        link.unlink()
        link.symlink_to(other)
        with pytest.raises(SaveRefused):
            opened.save()
    assert other.read_bytes() == b"somebody else's"


@posix
def test_the_old_permissions_stay(recording: Recording, file: Path) -> None:
    file.chmod(0o640)
    recording.save()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@posix
def test_a_new_file_is_readable_to_whom_the_system_says(recording: Recording, file: Path) -> None:
    before = os.umask(0o027)
    try:
        recording.save(file.with_name("new.log"))
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.with_name("new.log").stat().st_mode) == 0o640


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_the_old_owner_stays_where_that_is_allowed(recording: Recording, file: Path) -> None:
    os.chown(file, 12345, 23456)
    recording.save()
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 23456)


@posix
def test_an_owner_that_may_not_be_given_is_no_failure(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*arguments: Any) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "fchown", refused)
    recording.save()
    assert file.read_bytes() == DRIVE


@linux
def test_attributes_of_the_old_file_stay(recording: Recording, file: Path) -> None:
    try:
        os.setxattr(file, "user.origin", b"town")
    except OSError:
        pytest.skip("the file system keeps no attributes")
    recording.save()
    assert os.getxattr(file, "user.origin") == b"town"


@pytest.mark.parametrize("existing", [True, False])
def test_the_temporary_file_stands_beside_the_target_for_nobody_else(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, existing: bool
) -> None:
    seen: list[tuple[str, int]] = []
    write = os.write

    def looked_at(descriptor: int, data: bytes) -> int:
        seen.extend((entry.name, stat.S_IMODE(entry.stat().st_mode)) for entry in file.parent.glob(".*.tmp"))
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", looked_at)
    recording.save(None if existing else file.with_name("new.log"))
    assert seen
    name, mode = seen[0]
    assert name.startswith(".town.log-" if existing else ".new.log-")
    if existing and sys.platform != "win32":
        assert mode == 0o600


@pytest.mark.parametrize("name", ["x" * 255, "ö" * 127])
def test_the_longest_names_can_be_saved(recording: Recording, file: Path, name: str) -> None:
    recording.save(file.with_name(name))
    assert file.with_name(name).read_bytes() == DRIVE


def test_a_relative_name_means_the_folder_of_now(
    recording: Recording, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    recording.save("new.log")
    monkeypatch.chdir(tmp_path)
    recording.apply(turn(recording, 3))
    recording.save()
    assert names(tmp_path) == ["folder"]
    assert (file.parent / "new.log").read_bytes() == content(recording)
