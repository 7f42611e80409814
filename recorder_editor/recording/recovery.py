"""Recovery of unsaved edits from the journals of processes that have ended.

A journal lists the edits, undos and redos since a state of the file; reapplying them to that file gives the same
recording, with its undo steps.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import EditError, RecorderError, RestoreRefused
from ..format.packet_file import PacketFile
from ..format.packet_files import PacketFileError, read_packet_file
from ..progress import SILENT, Progress
from ..texts import say, say_count
from .atomic_file import write_file
from .files import SCRATCH_ENDING, Identity
from .frames import FrameTable
from .history import Step
from .journal.codec import Reader, detection_of, digest, header_of, label_of
from .journal.log_file import ENDING, Entry, JournalFile, LogLine, read_lines
from .journal.writing import FOLDER, FORM, Counters, Journal
from .locking import is_held, open_file, sweep
from .recording import Recording, recording_in
from .snapshot import Snapshot
from .store import CHOICE, SCRATCH_FOLDER, Store, state_folder
from .user_folders import usual_state_folder

_SCRATCH_NAME = re.compile(rb'"([0-9a-f]+%s)"' % re.escape(SCRATCH_ENDING).encode())


class RecoveredStep(NamedTuple):
    """A change.

    Attributes:
        label: Its name, as History shows it.
        when: When it was made.
    """

    label: str
    when: datetime


class Restored(NamedTuple):
    """A recording with the edits of a journal.

    Attributes:
        recording: The recording.
        warning: A sentence about changes that could not be restored; empty if all were.
    """

    recording: Recording
    warning: str


@dataclass(frozen=True, slots=True)
class _Base:
    """A state of a file in a journal.

    Attributes:
        line: The number of its line.
        entry: Its entry.
        saved: The number of the line that confirms the save; None: it was not confirmed.
    """

    line: int
    entry: Entry
    saved: int | None

    @property
    def path(self) -> Path:
        return Path(self.entry["path"])

    @property
    def identity(self) -> Identity:
        return Identity(*self.entry["identity"])

    def is_on_disk(self) -> bool:
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        # The ends are compared when the file is opened.
        return (status.st_ino, status.st_size, status.st_mtime_ns) == self.identity[1:4]


class _JournalContent:
    """The lines of a journal, and the state of the file to which its changes apply."""

    def __init__(self, path: Path) -> None:
        self.folder = path.parent.parent
        self.lines = read_lines(path).lines
        entries = [line.entry for line in self.lines]
        if not entries or entries[0].get("form") != FORM:
            raise RestoreRefused(say("The journal was written by another version of the program, or is empty."))
        self.opened = float(entries[0]["opened"])
        self.scratch: str | None = None
        self.moves = 0
        confirmed = {}  # the lines that confirm saves, by the number of the state
        for number, entry in enumerate(entries):
            self.scratch = entry.get("scratch") or self.scratch
            if "saved" in entry:
                confirmed[entry["saved"]] = number
            if "move" in entry:
                self.moves = max(self.moves, int(entry["move"]) + 1)
        bases = []
        for number, entry in enumerate(entries):
            if "base" in entry:
                bases.append(_Base(number, entry, confirmed.get(entry["base"])))
        if not bases:
            raise RestoreRefused(say("The journal does not say what file it belongs to."))
        self.bases = len(bases)
        bases[0] = replace(bases[0], saved=bases[0].line)
        self.base = _last_valid(bases)

    @property
    def base_entry(self) -> Entry:
        """The entry that confirms the save of the base; empty without one."""
        if self.base.saved is not None:
            return self.lines[self.base.saved].entry
        return {}

    @property
    def since(self) -> int:
        """The number of the first change that the file does not contain."""
        if "since" in self.base_entry:
            return int(self.base_entry["since"])
        return int(self.base.entry["since"])

    @property
    def has_meanwhile(self) -> bool:
        """Whether changes were made while the base was saved; they are one change before those `since` then."""
        return "meanwhile" in self.base_entry

    def changes(self) -> Iterator[tuple[LogLine, Entry]]:
        """The changes to reapply to the base, in order: the line, and its entry."""
        since = self.since
        if self.base.saved is not None and self.has_meanwhile:
            saved = self.base_entry
            entry = {"edit": saved["meanwhile"], "move": since - 1, "time": saved["time"]}
            yield self.lines[self.base.saved], entry
        for line in self.lines:
            if line.entry.get("move", -1) >= since:
                yield line, line.entry


def _last_valid(bases: list[_Base]) -> _Base:
    """The last state that the file is in, or that was confirmed, as the first one is."""
    for base in reversed(bases):
        if base.is_on_disk() or base.saved is not None:
            return base
    return bases[0]


class Leftover:
    """The journal of a process that has ended.

    Attributes:
        journal: The file of the journal.
        path: The file of the recording.
        opened: When the recording was opened.
        last: When the last change was made.
        steps: The changes that the file does not contain, oldest first; `Undone: ...` for undone saved ones.
        was_saved: The recording was saved; steps before the last save cannot be undone.
    """

    def __init__(self, journal: Path) -> None:
        """Read a journal.

        Args:
            journal: Its file.

        Raises:
            OSError: It cannot be opened.
            RestoreRefused: It cannot be read.
        """
        self.journal = journal
        with _reading():
            content = _JournalContent(journal)
            self.path = content.base.path
            self.opened = datetime.fromtimestamp(content.opened).astimezone()
            self.was_saved = content.base.line > 1
            self.steps = tuple(_steps(content))
        if self.steps:
            self.last = self.steps[-1].when
        else:
            self.last = self.opened

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the changes that the file does not contain, oldest first."""
        return tuple(step.label for step in self.steps)

    def describe(self) -> str:
        """The number of edits and the time of the last one, as text."""
        return say_count(
            "1 edit, the last one made on {last:%Y-%m-%d} at {last:%H:%M}",
            "{count:,} edits, the last one made on {last:%Y-%m-%d} at {last:%H:%M}",
            count=len(self.steps),
            last=self.last,
        )

    def obstacle(self) -> str:
        """The reason why it cannot be restored, as a sentence; empty if the file is unchanged."""
        try:
            with _reading():
                if _JournalContent(self.journal).base.is_on_disk():
                    return ""
        except (OSError, RecorderError):
            return say("The journal cannot be read any more.")
        return _refusal(self.path)

    def restore(self, progress: Progress = SILENT) -> Restored:
        """Open the file and reapply the changes; the recording continues this journal. After an error it is kept.

        Raises:
            RestoreRefused: The file was changed, or another window restores it.
            Cancelled: By `progress`.
            OSError: A file cannot be read.
        """
        log = self._locked()
        try:
            with _reading():
                content = _JournalContent(self.journal)
                recording = _open_base(content, progress)
        except BaseException:
            log.close()
            raise
        try:
            with _reading():
                warning = _reapply(content, recording, log)
        except BaseException:
            # `close` would delete the scratch file.
            recording.store.release()
            log.close()
            raise
        return Restored(recording, warning)

    def discard(self) -> None:
        """Remove the journal and the bytes of its edits.

        Raises:
            RestoreRefused: It is in use, or was removed.
            OSError: It cannot be removed.
        """
        self._locked().remove()
        sweep_state()

    def _locked(self) -> JournalFile:
        try:
            log = JournalFile.open(self.journal)
        except FileNotFoundError as error:
            raise RestoreRefused(
                say(
                    "The edits of {name} are no longer kept: another window has restored or discarded them.",
                    name=self.path.name,
                )
            ) from error
        if log is None:
            raise RestoreRefused(say("The edits of {name} are being restored by another window.", name=self.path.name))
        return log


def find_leftovers() -> list[Leftover]:
    """The journals of processes that have ended, newest first; those without edits are removed.

    A journal that cannot be read is left out, and kept.
    """
    leftovers: list[Leftover] = []
    for path in _journals():
        with suppress(OSError):
            if is_held(path):
                continue
            with suppress(RestoreRefused):
                leftover = Leftover(path)
                if leftover.steps:
                    leftovers.append(leftover)
                    continue
            sweep([path], keeps=_has_content)
    sweep_state()
    return sorted(leftovers, key=lambda leftover: leftover.last, reverse=True)


def has_leftovers() -> bool:
    """Whether a process that has ended left a journal, which may hold edits; no journal is read."""
    for path in _journals():
        with suppress(OSError):
            if not is_held(path):
                return True
    return False


def other_sessions(recording: Recording) -> list[datetime]:
    """The times at which other windows, of this process or of others, opened the same file, rising."""
    try:
        status = os.stat(recording.path)
    except OSError:
        return []
    since: list[datetime] = []
    for path in _journals():
        if recording.journal is not None and recording.journal.path == path:
            continue
        with suppress(OSError, RestoreRefused), _reading():
            if not is_held(path):
                continue
            content = _JournalContent(path)
            identity = content.base.identity
            if (identity.device, identity.inode) == (status.st_dev, status.st_ino):
                since.append(datetime.fromtimestamp(content.opened).astimezone())
    return sorted(since)


def sweep_state() -> None:
    """Remove the scratch files that no journal names."""
    scratch = _files(SCRATCH_FOLDER, f"*{SCRATCH_ENDING}")
    if scratch:
        named = _named_scratch_files()
        unnamed = [path for path in scratch if path.name not in named]
        # Read again when a file is locked: a journal may have named it meanwhile.
        sweep(unnamed, keeps=lambda path: path.name in _named_scratch_files())
    sweep(_files("reports", "report-*.txt"))  # of version 0.2.0, which wrote the texts of reports there


class StateUse(NamedTuple):
    """The bytes in the state folders.

    Attributes:
        scratch: Bytes of scratch files.
        journals: Bytes of journals.
    """

    scratch: int
    journals: int


def state_use() -> StateUse:
    """The bytes that scratch files and journals of all processes take."""
    return StateUse(
        scratch=_total_size(_files(SCRATCH_FOLDER, f"*{SCRATCH_ENDING}")),
        journals=_total_size(_files(FOLDER, f"*{ENDING}")),
    )


def choose_state_folder(folder: Path | None) -> None:
    """Keep the edits of recordings that are opened from now on in another folder.

    The edits of open recordings, and those left by a crash, stay where they are.

    Args:
        folder: The folder; None: the usual one.

    Raises:
        EditError: The present folder holds edits, and would not be searched any more.
        OSError: The folder cannot be created, or the choice not be written.
    """
    usual = usual_state_folder()
    present = state_folder()
    find_leftovers()
    if present != usual and any((present / FOLDER).glob(f"*{ENDING}")):
        raise EditError(
            say(
                "{present} holds edits of open recordings or of earlier runs. Save or discard these first.",
                present=present,
            )
        )
    if folder is None:
        (usual / CHOICE).unlink(missing_ok=True)
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    usual.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(usual / CHOICE, os.fsencode(folder.absolute()), overwrite=True)


# --- steps ----------------------------------------------------------------------------------------------


class _GestureStep(NamedTuple):
    """A step with the gesture that it is part of, or None."""

    step: RecoveredStep
    gesture: object


@dataclass
class _Course:
    """Steps as History would show them.

    Attributes:
        done: The steps that are applied, oldest first.
        undone: The steps that are undone; the last one is redone first.
        saved: The number of `done` steps that the file contains; larger than their number if some of these are undone.
        lost: Steps of the file that were undone and gave way to other ones.
    """

    done: list[_GestureStep] = field(default_factory=list)
    undone: list[_GestureStep] = field(default_factory=list)
    saved: int = 0
    lost: list[RecoveredStep] = field(default_factory=list)

    def edit(self, step: _GestureStep) -> None:
        self.lost += self._undone_saved()
        self.saved = min(self.saved, len(self.done))
        self.undone.clear()
        if len(self.done) > self.saved and step.gesture is not None and self.done[-1].gesture == step.gesture:
            self.done.pop()
        self.done.append(step)

    def undo(self, step: _GestureStep | None) -> None:
        """Undo the last step, or `step`, which comes before all of these."""
        if step is not None:
            self.undone.append(step)
            self.saved += 1
        elif self.done:
            self.undone.append(self.done.pop())

    def redo(self, step: _GestureStep | None) -> None:
        """Redo the step that was undone last, or `step`, which comes after all of these."""
        if step is not None:
            self.done.append(step)
        elif self.undone:
            self.done.append(self.undone.pop())

    def unsaved(self) -> Iterator[RecoveredStep]:
        """The steps that the file does not contain, behind the steps of it that are undone."""
        for step in self.lost + self._undone_saved():
            yield step._replace(label=say("Undone: {label}", label=step.label))
        for item in self.done[self.saved :]:
            yield item.step

    def _undone_saved(self) -> list[RecoveredStep]:
        """The undone steps that the file contains."""
        missing = max(0, self.saved - len(self.done))
        return [item.step for item in self.undone[len(self.undone) - missing :]]


def _steps(content: _JournalContent) -> list[RecoveredStep]:
    """The steps as History would show them."""
    course = _Course()
    read_as: RecoveredStep | None = None
    for _, entry in content.changes():
        when = datetime.fromtimestamp(entry.get("time", 0.0)).astimezone()
        if "edit" in entry:
            step = _step_of(entry["edit"], when)
            if step is None:
                raise RestoreRefused(say("The journal cannot be read."))
            course.edit(step)
        elif "undo" in entry:
            course.undo(_step_of(entry["undo"], when))
        elif "redo" in entry:
            course.redo(_step_of(entry["redo"], when))
        elif "decode_as" in entry:
            name = entry["decode_as"]
            if name:
                label = say("Read as {dialect}", dialect=name)
            else:
                label = say("Read as the bytes show")
            read_as = RecoveredStep(label, when)
    steps = list(course.unsaved())
    if read_as is not None and steps:
        steps.append(read_as)
    return steps


def _step_of(change: Any, when: datetime) -> _GestureStep | None:
    """The step of an entry; None for an undo or redo of a step that the journal has."""
    if change is None or change is True:
        return None
    return _GestureStep(RecoveredStep(label_of(change), when), change.get("gesture"))


# --- reapplying -----------------------------------------------------------------------------------------


def _open_base(content: _JournalContent, progress: Progress) -> Recording:
    """Open the recording in the state of the base, with the bytes of the edits as its scratch file."""
    base = content.base
    if not base.is_on_disk():
        raise RestoreRefused(_refusal(base.path))
    scratch = None
    if content.scratch:
        # Only the name: a journal must not refer to files elsewhere.
        path = content.folder / SCRATCH_FOLDER / Path(content.scratch).name
        if path.exists():
            scratch = path
    detection = None
    store = Store(base.path, state=content.folder, scratch=scratch)
    try:
        if not store.identity(store.file).has_content_of(base.identity):
            raise RestoreRefused(_refusal(base.path))
        if base.entry.get("detection"):
            detection = detection_of(*base.entry["detection"])
        packets = _given_packets(base)
        recording = recording_in(store, base.path, detection, progress, packets=packets)
        return _with_saved_rows(recording, base)
    except BaseException:
        store.release()
        raise


def _given_packets(base: _Base) -> list[PacketFile]:
    """The files of packets that were given for the recording, without those that cannot be read any more."""
    files = []
    for name in base.entry.get("schema", ()):
        path = Path(name)
        # Another one stood in a script or a dump, and has a name alone.
        if path.is_absolute():
            with suppress(PacketFileError, OSError):
                files.append(read_packet_file(path))
    return files


def _with_saved_rows(recording: Recording, base: _Base) -> Recording:
    """The recording with the rows and keys of the base."""
    snapshot = recording.snapshot
    store = recording.store
    reader = Reader(store, snapshot.layouts)
    table = base.entry.get("table")
    keys = base.entry.get("keys")
    if table:
        blobs, layouts, start, header = table
        snapshot = replace(
            snapshot,
            table=reader.table(blobs=blobs, layouts=layouts),
            header=header_of(header),
            header_bytes=store.read(store.file, 0, int(start)),
        )
    elif digest(snapshot.table) != list(base.entry["digest"]):
        raise RestoreRefused(_refusal(base.path))
    elif keys:
        rows = snapshot.table.rows().copy()
        rows["key"] = reader.keys(keys, len(rows))
        snapshot = replace(snapshot, table=type(snapshot.table).from_rows(rows))
    else:
        return recording
    _reserve_keys(snapshot.table, snapshot)
    return Recording(recording.path, store, snapshot, recording.findings)


def _reserve_keys(table: FrameTable, snapshot: Snapshot) -> None:
    """Reserve the keys of rows, so that no new row gets one of them."""
    for chunk in table.chunks:
        snapshot.keys.reserve(int(chunk["key"].max()))


def _reapply(content: _JournalContent, recording: Recording, log: JournalFile) -> str:
    """Reapply the changes; returns a sentence about those that could not be."""
    reader = Reader(recording.store, recording.snapshot.layouts)
    moves = content.moves
    warning = ""
    end = content.lines[-1].stop
    changes = list(content.changes())
    expected = content.since
    if content.has_meanwhile:
        expected -= 1
    for index, (line, entry) in enumerate(changes):
        number = int(entry["move"])
        try:
            if number != expected:
                raise RestoreRefused(say("An earlier edit could not be logged."))
            _reapply_entry(entry, reader, recording)
        except Exception as error:  # noqa: BLE001 - keep what was restored so far
            warning = _restore_warning(error, count=len(changes) - index)
            moves = number
            end = _end_before(line, content.lines)
            break
        expected = number + 1
    log.cut(end)
    step_numbers = {step.number for step in recording.history.steps}
    recording.journal = Journal.resume(log, recording.snapshot, step_numbers, Counters(moves, content.bases))
    return warning


def _restore_warning(error: Exception, count: int) -> str:
    """A sentence about the last changes, which an error keeps from being restored."""
    if isinstance(error, (RecorderError, OSError)):
        reason = str(error)
    else:
        reason = say("The journal cannot be read from there on.")
    return say_count(
        "The last change could not be restored. {reason}",
        "The last {count:,} changes could not be restored. {reason}",
        count=count,
        reason=reason,
    )


def _end_before(line: LogLine, lines: list[LogLine]) -> int:
    """The offset in the file at which the line before a line ends."""
    end = 0
    for earlier in lines:
        if earlier.stop < line.stop:
            end = max(end, earlier.stop)
    return end


def _reapply_entry(entry: Entry, reader: Reader, recording: Recording) -> None:
    if "edit" in entry:
        recording.add(_read_step(entry["edit"], reader, recording))
    elif "decode_as" in entry:
        recording.decode_as(entry["decode_as"])
    elif "undo" in entry:
        if isinstance(entry["undo"], dict):
            recording.take_up(_read_step(entry["undo"], reader, recording), is_undone=True)
        elif recording.undo() is None:
            raise EditError(say("There is nothing to undo."))
    elif "redo" in entry:
        if isinstance(entry["redo"], dict):
            recording.take_up(_read_step(entry["redo"], reader, recording), is_undone=False)
        elif recording.redo() is None:
            raise EditError(say("There is nothing to redo."))
    else:
        raise EditError(say("The journal has an entry that this version of the program does not know."))


def _read_step(entry: Entry, reader: Reader, recording: Recording) -> Step:
    """The step of an entry, with its keys reserved."""
    step = reader.move(entry)
    for splice in step.forward:
        _reserve_keys(splice.inserted, recording.snapshot)
    return step


# --- files ----------------------------------------------------------------------------------------------


def _journals() -> list[Path]:
    return _files(FOLDER, f"*{ENDING}")


def _files(folder: str, names: str) -> list[Path]:
    """Files in a folder of the state folders, the one in use and the usual one, by name."""
    paths: list[Path] = []
    for state in dict.fromkeys((state_folder(), usual_state_folder())):
        with suppress(OSError):
            paths += sorted((state / folder).glob(names))
    return paths


def _total_size(paths: Iterable[Path]) -> int:
    size = 0
    for path in paths:
        with suppress(OSError):
            size += path.stat().st_size
    return size


def _named_scratch_files() -> set[str]:
    """The names of scratch files in journals, including journals that cannot be read."""
    names: set[str] = set()
    for path in _journals():
        with suppress(OSError), open(open_file(path, os.O_RDONLY), "rb") as file:
            for line in file:
                for name in _SCRATCH_NAME.findall(line):
                    names.add(name.decode())
    return names


def _has_content(path: Path) -> bool:
    """Whether a journal contains edits or unreadable lines; raises OSError."""
    lines, is_all = read_lines(path)
    if not is_all:
        return True
    if len(lines) < 2:
        return bool(lines) and lines[0].entry.get("form") != FORM
    try:
        return bool(Leftover(path).steps)
    except RestoreRefused:
        return True


@contextmanager
def _reading() -> Iterator[None]:
    """Raise `RestoreRefused` for any error caused by an invalid journal."""
    try:
        yield
    except (OSError, RecorderError):
        raise
    except Exception as error:
        raise RestoreRefused(say("The journal cannot be read.")) from error


def _refusal(path: Path) -> str:
    """The reason why edits of a file cannot be restored: it is gone, or was changed."""
    if not os.path.exists(path):  # also false for an invalid name
        return say(
            "{name} is no longer in {parent}. Put it back there to restore the edits, which are kept until then.",
            name=path.name,
            parent=path.parent,
        )
    return say(
        "{name} has been changed since the edits were made, and they cannot be applied "
        "to other bytes. Put the file of that time back to restore them; they are kept "
        "until then.",
        name=path.name,
    )
