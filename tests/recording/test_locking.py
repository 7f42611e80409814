"""A held lock says that a file's maker lives; to look is no claim, and what nobody holds may be swept."""

import os
from pathlib import Path

import pytest

from recorder_editor.recording import locking
from recorder_editor.recording.atomic_file import write_file
from recorder_editor.recording.locking import claim, is_held, lock, remove, sweep
from tests.recording.steps import names, posix


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "kept"
    path.write_bytes(b"")
    return path


def claimed(path: Path) -> int:
    descriptor = claim(path)
    assert descriptor is not None
    return descriptor


def test_a_file_is_held_until_it_is_closed(kept: Path) -> None:
    assert not is_held(kept)
    mine = claimed(kept)
    assert is_held(kept)
    assert claim(kept) is None
    os.close(mine)
    assert not is_held(kept)
    os.close(claimed(kept))


@posix
def test_who_claims_a_file_waits_for_those_who_look_at_it(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    looks = os.open(kept, os.O_RDONLY)
    fcntl.flock(looks, fcntl.LOCK_SH)
    monkeypatch.setattr(locking.time, "sleep", lambda _: os.close(looks))
    mine = claimed(kept)
    assert is_held(kept)
    os.close(mine)


class Waits(Exception):
    """Somebody would wait."""


@posix
def test_who_claims_a_file_waits_for_those_who_sweep(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(_: float) -> None:
        raise Waits

    def claims(path: Path) -> bool:
        assert not is_held(path)
        with pytest.raises(Waits):
            claim(path)
        return False

    monkeypatch.setattr(locking.time, "sleep", wait)
    sweep([kept], claims)
    assert not kept.exists()


def test_a_file_that_was_removed_before_it_was_locked_is_not_claimed(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swept_before(descriptor: int) -> bool:
        kept.unlink()
        return lock(descriptor)

    monkeypatch.setattr(locking, "lock", swept_before)
    assert claim(kept) is None


def test_what_nobody_holds_is_swept_unless_it_is_kept(tmp_path: Path, kept: Path) -> None:
    held, left = tmp_path / "held", tmp_path / "left"
    for path in (held, left):
        path.write_bytes(b"")
    mine = claimed(held)

    def keeps(path: Path) -> bool:
        return path == kept

    sweep(sorted(tmp_path.iterdir()), keeps)
    assert names(tmp_path) == ["held", "kept"]
    remove(held, mine)
    sweep(sorted(tmp_path.iterdir()))
    assert names(tmp_path) == []


@posix
def test_a_pipe_or_a_folder_is_refused_and_stops_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a pipe")
    (tmp_path / "b folder").mkdir()
    for path in sorted(tmp_path.iterdir()):
        with pytest.raises(OSError, match=r"ordinary file|directory"):
            is_held(path)
    sweep(sorted(tmp_path.iterdir()))
    assert names(tmp_path) == ["a pipe", "b folder"]


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="this system has no /proc")
def test_a_folder_in_which_nothing_can_be_created_is_not_said_to_be_written_by_others() -> None:
    with pytest.raises(FileNotFoundError):
        write_file(Path("/proc/recorder-editor.log"), b"text")
