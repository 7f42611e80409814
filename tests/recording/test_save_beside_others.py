"""Saving beside other programs and other processes: what they write meanwhile is noticed, and nothing is lost."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import Recording
from recorder_editor.errors import SaveRefused
from recorder_editor.progress import Progress
from recorder_editor.recording import atomic_file as target_module
from recorder_editor.recording.atomic_file import atomic_write
from recorder_editor.recording.recovery import find_leftovers
from tests.recording.steps import DRIVE, content, linux, names, posix, turn

PROJECT = Path(__file__).resolve().parents[2]
OTHERS = b"what another program wrote"

SAVES = """
import sys
import recorder_editor
from tests.recording.steps import turn

recording = recorder_editor.open(sys.argv[1])
recording.apply(turn(recording, int(sys.argv[2])))
waits = True


def halfway(done, total):
    global waits
    if waits and done > total // 4:
        waits = False
        print("halfway", flush=True)
        sys.stdin.readline()


try:
    recording.save(progress=recorder_editor.progress.Progress(halfway))
    print("saved", flush=True)
except recorder_editor.errors.SaveRefused as refused:
    print(refused, flush=True)
recording.close()
"""


def saving(file: Path, frame: int) -> subprocess.Popen[str]:
    """A process that edits and saves a file, and waits for a line in the middle of saving."""
    return subprocess.Popen(
        [sys.executable, "-c", SAVES, str(file), str(frame)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_of_two_processes_that_save_at_once_one_is_told(file: Path) -> None:
    with recorder_editor.open(file) as recording, saving(file, 3) as other:
        recording.apply(turn(recording, 9))
        assert line_of(other) == "halfway"
        with pytest.raises(SaveRefused, match=r"town\.log is being written .* holds the file \.town\.log-\w+"):
            recording.save()
        other.communicate("go on\n")
        theirs = file.read_bytes()
        assert theirs != DRIVE
        with pytest.raises(SaveRefused, match="no longer the file that was opened"):
            recording.save()
        recording.save(file.with_name("mine.log"))
        assert file.read_bytes() == theirs
        assert file.with_name("mine.log").read_bytes() == content(recording)
    assert names(file.parent) == ["mine.log", "town.log"]


def test_the_process_that_was_first_is_not_disturbed_by_the_second(file: Path) -> None:
    with saving(file, 3) as first:
        assert line_of(first) == "halfway"
        with saving(file, 9) as second:
            # It is refused before it gets that far.
            assert line_of(second).startswith("town.log is being written")
        assert first.communicate("go on\n")[0].strip() == "saved"


def append(file: Path) -> None:
    with open(file, "ab") as stream:
        stream.write(OTHERS)


def rewrite(file: Path) -> None:
    file.write_bytes(OTHERS)


def replace(file: Path) -> None:
    other = file.with_name("other")
    other.write_bytes(OTHERS)
    os.replace(other, file)


def meanwhile(does: Callable[[Path], None], file: Path) -> Progress:
    """Something that happens once, when everything is written and read back."""
    is_done = False

    def halfway(done: int, total: int) -> None:
        nonlocal is_done
        if done >= total and not is_done:
            is_done = True
            does(file)

    return Progress(halfway)


@pytest.mark.parametrize("does", [append, rewrite, replace, Path.unlink])
@pytest.mark.parametrize("backup", [False, True])
def test_what_becomes_of_the_open_file_during_a_save_is_noticed(
    recording: Recording, file: Path, does: Callable[[Path], None], backup: bool
) -> None:
    recording.keep_journal()
    recording.apply(turn(recording, 3))
    wanted = content(recording)
    with pytest.raises(SaveRefused, match="Save"):
        recording.save(backup=backup, progress=meanwhile(does, file))
    assert names(file.parent) == ([] if does is Path.unlink else [file.name])
    if file.exists():
        assert file.read_bytes() in (OTHERS, DRIVE + OTHERS)
    assert recording.is_modified
    if does is not rewrite:  # of what was rewritten in place the rest is gone
        recording.save(file.with_name("mine.log"))
        assert file.with_name("mine.log").read_bytes() == wanted
    assert not find_leftovers()


@pytest.mark.parametrize("does", [append, rewrite, replace, Path.unlink])
def test_what_becomes_of_another_file_during_a_save_is_noticed(
    recording: Recording, file: Path, does: Callable[[Path], None]
) -> None:
    target = file.with_name("target.log")
    target.write_bytes(b"before")
    with pytest.raises(SaveRefused, match=r"target\.log was .* by another program"):
        recording.save(target, overwrite=True, progress=meanwhile(does, target))
    assert target.exists() == (does is not Path.unlink)
    assert names(file.parent) == sorted([file.name, *([target.name] if target.exists() else [])])


def test_a_file_that_appears_during_a_save_is_left_alone(recording: Recording, file: Path) -> None:
    target = file.with_name("target.log")
    with pytest.raises(SaveRefused, match="was created by another program"):
        recording.save(target, progress=meanwhile(rewrite, target))
    assert target.read_bytes() == OTHERS


def test_what_another_save_ends_with_while_this_one_begins_is_left_alone(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, locked = file.with_name("target.log"), target_module._locked

    def ends(path: Path, name: str, patience: float) -> int | None:
        target.write_bytes(OTHERS)
        return locked(path, name, patience)

    monkeypatch.setattr(target_module, "_locked", ends)
    with pytest.raises(SaveRefused, match="was created by another program"):
        recording.save(target, overwrite=True)
    assert target.read_bytes() == OTHERS


def test_what_is_written_but_recordings_is_guarded_too(tmp_path: Path) -> None:
    target = tmp_path / "table.csv"
    with pytest.raises(SaveRefused, match="was created by another program"), atomic_write(target):
        target.write_bytes(OTHERS)
    assert target.read_bytes() == OTHERS
    with atomic_write(target) as file:
        file.write(b"mine")
        with pytest.raises(SaveRefused, match="being written"), atomic_write(target):
            pass
    assert target.read_bytes() == b"mine"
    assert names(tmp_path) == ["table.csv"]


@posix
def test_what_is_written_keeps_the_permissions_of_what_it_replaces(tmp_path: Path) -> None:
    target, new = tmp_path / "table.csv", tmp_path / "new.csv"
    target.touch(mode=0o600)
    before = os.umask(0o027)
    try:
        for path in (target, new):
            with atomic_write(path) as file:
                file.write(b"mine")
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (target, new)] == [0o600, 0o640]


@linux
def test_what_is_written_keeps_owner_and_attributes_and_its_name_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, synced = tmp_path / "table.csv", []
    sync = os.fsync

    def sees(descriptor: int) -> None:
        synced.append((os.fstat(descriptor).st_ino, target.read_bytes()))
        sync(descriptor)

    target.write_bytes(b"before")
    try:
        os.setxattr(target, "user.origin", b"town")
    except OSError:
        pytest.skip("the file system keeps no attributes")
    if os.geteuid() == 0:
        os.chown(target, 12345, 23456)
    before = target.stat()
    monkeypatch.setattr(os, "fsync", sees)
    with atomic_write(target) as file:
        file.write(b"mine")
    after = target.stat()
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    assert os.getxattr(target, "user.origin") == b"town"
    assert synced == [(after.st_ino, b"before"), (tmp_path.stat().st_ino, b"mine")]


def write(recording: Recording, other: Path) -> None:
    with atomic_write(other) as stream:
        stream.write(content(recording))


@pytest.mark.parametrize(
    ("does", "named"),
    [
        (lambda recording, other: recording.save(), "town.log"),
        (lambda recording, other: recording.save(backup=True), "town.log.bak"),
        (Recording.save, "other.log"),
        (write, "other.log"),
    ],
)
def test_an_error_of_the_renaming_names_no_hidden_file(
    recording: Recording,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    does: Callable[[Recording, Path], object],
    named: str,
) -> None:
    def fails(one: Path, other: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(one), None, str(other))

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(PermissionError) as caught:
        does(recording, file.with_name("other.log"))
    assert (caught.value.filename, caught.value.filename2) == (str(file.with_name(named)), None)
    assert names(file.parent) == [file.name]


def test_errors_name_the_target_and_no_hidden_file(tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "table.csv"
    with pytest.raises(FileNotFoundError) as caught, atomic_write(target):
        pass
    assert caught.value.filename == str(target)
