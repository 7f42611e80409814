"""Bytes stay readable whatever happens to the file's name, and are refused when the file itself was changed."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from recorder_editor.errors import RecorderError, SourceChanged, SourceGrown, SourceReplaced
from recorder_editor.recording import user_folders
from recorder_editor.recording.store import Store, state_folder

DATA = bytes(range(256)) * 40


@pytest.fixture(params=[True, False], ids=["positional", "handles"])
def positional(request: pytest.FixtureRequest) -> bool:
    if request.param and not hasattr(os, "preadv"):
        pytest.skip("this system has no os.preadv")
    return bool(request.param)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.log"
    path.write_bytes(DATA)
    os.utime(path, ns=(10**18, 10**18))
    return path


@pytest.fixture
def store(file: Path, tmp_path: Path, positional: bool) -> Iterator[Store]:
    with Store(file, state=tmp_path / "state", positional=positional) as opened:
        yield opened


def in_another_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def open_descriptors() -> set[str]:
    """What this process has open, by name."""
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("only Linux tells which files are open")
    found = set()
    for entry in folder.iterdir():
        try:
            found.add(os.readlink(entry))
        except OSError:
            continue
    return found


# --- reading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("offset", "size"), [(0, 0), (0, 1), (255, 3), (0, len(DATA)), (len(DATA), 0)])
def test_exactly_the_bytes_asked_for_are_read(store: Store, offset: int, size: int) -> None:
    assert store.read(Store.file, offset, size) == DATA[offset : offset + size]
    buffer = bytearray(size)
    store.read_into(Store.file, offset, buffer)
    assert buffer == DATA[offset : offset + size]


@pytest.mark.parametrize(("offset", "size"), [(-1, 2), (0, -1), (0, len(DATA) + 1), (len(DATA), 1), (2**70, 1)])
def test_bytes_outside_of_the_file_are_refused(store: Store, offset: int, size: int) -> None:
    with pytest.raises(ValueError, match="beyond"):
        store.read(Store.file, offset, size)


def test_reads_that_give_less_than_asked_go_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    if hasattr(os, "preadv"):
        whole, part = os.preadv, os.pread
        monkeypatch.setattr(os, "preadv", lambda fd, views, at: whole(fd, [views[0][:100]], at))
        monkeypatch.setattr(os, "pread", lambda fd, size, at: part(fd, min(size, 100), at))
    assert store.read(Store.file, 5, 1000) == DATA[5:1005]


@pytest.mark.skipif(not hasattr(os, "pread"), reason="this system has no os.pread")
def test_what_a_short_read_gave_is_not_read_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    def pread(descriptor: int, size: int, at: int, _read: Callable[[int, int, int], bytes] = os.pread) -> bytes:
        given.append(at)
        return _read(descriptor, min(size, 100), at)

    with Store(file, positional=True) as store:
        monkeypatch.setattr(os, "pread", pread)
        assert store.read(store.file, 3, 250) == file.read_bytes()[3:253]
    assert given == [3, 103, 203]


def test_several_threads_read_different_places_at_once(store: Store) -> None:
    gate = threading.Barrier(4)

    def work(which: int) -> bool:
        gate.wait()
        buffer = bytearray(64)
        for step in range(300):
            at = (which * 997 + step * 31) % (len(DATA) - 64)
            store.read_into(Store.file, at, buffer)
            if bytes(buffer) != DATA[at : at + 64] or store.read(Store.file, at, 9) != DATA[at : at + 9]:
                return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def test_sizes_and_paths_are_told(store: Store, file: Path) -> None:
    assert store.size(Store.file) == len(DATA)
    assert store.path(Store.file) == file


def test_an_unknown_source_is_refused(store: Store) -> None:
    for source in (7, Store.scratch):
        with pytest.raises(ValueError, match="no source"):
            store.read(source, 0, 0)


# --- what is no file ----------------------------------------------------------------------------------------


def test_errors_of_the_system_pass_through(tmp_path: Path, positional: bool) -> None:
    with pytest.raises(FileNotFoundError):
        Store(tmp_path / "missing.log", positional=positional)


def test_a_folder_is_refused_in_words(tmp_path: Path, positional: bool) -> None:
    with pytest.raises((IsADirectoryError, PermissionError)):
        Store(tmp_path, positional=positional)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_refused_and_nobody_waits_for_it(tmp_path: Path, positional: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not an ordinary file"):
        Store(tmp_path / "pipe", positional=positional)


# --- the file changes -----------------------------------------------------------------------------------------


def rewrite(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.write(b"x")


CHANGES: dict[str, Callable[[Path], None]] = {
    "rewritten": rewrite,
    "shortened": lambda path: os.truncate(path, 100),
    "emptied": lambda path: path.write_bytes(b""),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_file_changed_in_place_is_not_read_any_more(store: Store, file: Path, change: Callable[[Path], None]) -> None:
    assert store.read(Store.file, 0, 4) == DATA[:4]
    change(file)
    with pytest.raises(SourceChanged, match=r"Another program has rewritten some\.log since it was opened"):
        store.read(Store.file, 0, 4)
    with pytest.raises(SourceChanged):
        store.read_into(Store.file, 50, bytearray(500))
    with pytest.raises(SourceChanged):
        store.verify(Store.file)
    assert not store.is_replaced(Store.file)


def test_a_file_that_is_still_written_is_read_as_far_as_it_was_opened(store: Store, file: Path) -> None:
    with file.open("ab") as stream:
        stream.write(b"more")
    assert store.read(Store.file, 0, len(DATA)) == DATA
    with pytest.raises(SourceGrown, match="4 bytes longer than when it was opened"):
        store.verify(Store.file)
    with file.open("r+b") as stream:
        stream.write(b"x")
    with pytest.raises(SourceChanged, match="rewritten"):
        store.read(Store.file, 0, 4)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the name of an open file")
def test_a_file_replaced_by_another_is_still_read(store: Store, file: Path, tmp_path: Path) -> None:
    store.verify(Store.file)
    assert not store.is_replaced(Store.file)
    other = tmp_path / "other.log"
    other.write_bytes(b"other")
    os.replace(other, file)
    assert store.is_replaced(Store.file)
    assert store.read(Store.file, 3, 50) == DATA[3:53]
    assert in_another_thread(lambda: store.read(Store.file, 5, 9)) == DATA[5:14]
    with pytest.raises(SourceReplaced, match=r"some\.log"):
        store.verify(Store.file)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the name of an open file")
def test_a_deleted_file_is_still_read(store: Store, file: Path) -> None:
    file.unlink()
    assert store.is_replaced(Store.file)
    assert store.read(Store.file, 3, 50) == DATA[3:53]
    assert in_another_thread(lambda: store.read(Store.file, 5, 9)) == DATA[5:14]


def test_a_file_set_aside_is_read_from_there(store: Store, file: Path, tmp_path: Path) -> None:
    assert in_another_thread(lambda: store.read(Store.file, 0, 4)) == DATA[:4]
    aside = tmp_path / "aside.log"
    (tmp_path / "next").write_bytes(b"the next one")
    with store.set_aside(Store.file, aside):
        assert file.samefile(aside)
        (tmp_path / "next").replace(file)
    new = store.add_file(file)
    assert store.read(new, 0, 8) == b"the next"
    assert store.read(Store.file, 3, 50) == DATA[3:53]
    assert in_another_thread(lambda: store.read(Store.file, 5, 9)) == DATA[5:14]
    assert store.path(Store.file) == aside
    assert store.sources_at(file) == (new,)
    store.verify(Store.file)
    store.close()
    assert not aside.exists()
    assert file.exists()


def test_a_renamed_file_stays_where_it_is_put(store: Store, file: Path, tmp_path: Path) -> None:
    store.rename(Store.file, tmp_path / "renamed.log")
    assert store.read(Store.file, 3, 50) == DATA[3:53]
    store.verify(Store.file)
    store.close()
    assert (tmp_path / "renamed.log").read_bytes() == DATA


def test_a_failed_rename_leaves_the_file_readable(store: Store, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        store.rename(Store.file, tmp_path / "no" / "folder" / "some.log")
    assert store.read(Store.file, 3, 50) == DATA[3:53]
    store.verify(Store.file)


# --- letting go -------------------------------------------------------------------------------------


def test_a_source_is_closed_when_it_is_dropped(store: Store, file: Path, tmp_path: Path) -> None:
    second = tmp_path / "second.log"
    second.write_bytes(b"second")
    source = store.add_file(second)
    assert store.read(source, 0, 6) == b"second"
    store.drop(source)
    with pytest.raises(ValueError, match="no source"):
        store.read(source, 0, 6)
    assert str(second) not in open_descriptors()
    assert store.add_file(second) not in (source, Store.file)


def test_the_scratch_file_is_not_dropped(store: Store) -> None:
    source, offset = store.append(b"kept")
    store.drop(source)
    assert store.read(source, offset, 4) == b"kept"


def test_closing_lets_every_file_go(file: Path, tmp_path: Path, positional: bool) -> None:
    store = Store(file, state=tmp_path / "state", positional=positional)
    store.append(b"scratch")
    in_another_thread(lambda: store.read(Store.file, 0, 9))
    store.read(Store.scratch, 0, 1)
    store.close()
    store.close()
    assert not any(name.startswith(str(tmp_path)) for name in open_descriptors())
    with pytest.raises(RecorderError, match="closed"):
        store.read(Store.file, 0, 1)
    for late in (lambda: store.append(b"late"), lambda: store.add_file(file)):
        with pytest.raises(RecorderError, match="closed"):
            late()


def test_the_handles_of_threads_that_ended_are_closed(file: Path) -> None:
    with Store(file, positional=False) as store:
        for _ in range(50):
            in_another_thread(lambda: store.read(Store.file, 0, 4))
        names = [os.readlink(entry) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()]
        assert names.count(str(file)) <= 3


# --- the scratch file ---------------------------------------------------------------------------------------------


def test_the_scratch_file_exists_only_when_it_is_needed(store: Store, tmp_path: Path) -> None:
    assert store.scratch_path is None
    assert not (tmp_path / "state").exists()
    store.sync()
    assert store.append(b"first") == (Store.scratch, 0)
    assert store.append(memoryview(b"second")) == (Store.scratch, 5)
    assert store.append(b"") == (Store.scratch, 11)
    path = store.scratch_path
    assert path is not None
    assert path.parent == tmp_path / "state" / "scratch"
    store.sync()
    assert path.read_bytes() == b"firstsecond"
    assert store.size(Store.scratch) == 11
    assert store.read(Store.scratch, 3, 5) == b"stsec"
    with pytest.raises(ValueError, match="beyond"):
        store.read(Store.scratch, 3, 9)
    store.close()
    assert not path.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_nobody_else_may_read_the_scratch_file(store: Store) -> None:
    store.append(b"private")
    assert store.scratch_path is not None
    assert store.scratch_path.stat().st_mode & 0o077 == 0


def test_several_threads_append_without_mixing(store: Store) -> None:
    pieces = [bytes([number]) * (number + 1) for number in range(200)]
    with ThreadPoolExecutor(4) as pool:
        places = list(pool.map(store.append, pieces))
        wanted = [(*place, len(piece)) for place, piece in zip(places, pieces, strict=True)]
        found = list(pool.map(lambda span: store.read(*span), wanted))
    assert found == pieces


def test_a_write_that_gives_up_half_way_leaves_no_trace(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.append(b"before")
    write = os.write

    def full(descriptor: int, data: Any) -> int:
        if len(data) <= 3:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:-3])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space"):
            store.append(b"does not fit")
    assert store.append(b"after") == (Store.scratch, 6)
    assert store.read(Store.scratch, 0, 11) == b"beforeafter"


def test_two_stores_have_two_scratch_files(file: Path, tmp_path: Path) -> None:
    with Store(file, state=tmp_path) as one, Store(file, state=tmp_path) as two:
        one.append(b"one")
        two.append(b"two")
        assert one.scratch_path != two.scratch_path
        assert (one.read(Store.scratch, 0, 3), two.read(Store.scratch, 0, 3)) == (b"one", b"two")


def test_state_lies_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RECORDER_EDITOR_STATE_DIR", str(tmp_path / "chosen"))
    assert state_folder() == tmp_path / "chosen"
    with Store() as store:
        store.append(b"x")
        assert (tmp_path / "chosen" / "scratch").is_dir()


@pytest.mark.parametrize(
    ("platform", "variable", "state", "config"),
    [
        ("linux", "XDG_STATE_HOME", "given", "home/.config"),
        ("linux", "XDG_CONFIG_HOME", "home/.local/state", "given"),
        ("win32", "LOCALAPPDATA", "given", "given"),
        ("win32", "", "home/AppData/Local", "home/AppData/Local"),
        ("darwin", "", "home/Library/Application Support", "home/Library/Preferences"),
    ],
)
def test_state_and_preferences_lie_where_the_system_keeps_them(
    monkeypatch: pytest.MonkeyPatch, platform: str, variable: str, state: str, config: str
) -> None:
    for name in ("RECORDER_EDITOR_STATE_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, "given")
    monkeypatch.setattr(user_folders.sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    assert state_folder() == Path(state) / "recorder-editor"
    assert user_folders.config_folder() == Path(config) / "recorder-editor"


def test_bulk_work_leaves_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(total=1 << 40, free=100 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with Store(state=tmp_path) as store:
        store.append(b"small things are not asked for")
        with pytest.raises(OSError, match="No space left"):
            store.append(bytes(40 << 20))
        assert store.append(b"and go on")[0] == Store.scratch
