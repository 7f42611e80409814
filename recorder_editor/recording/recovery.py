"""Recovery of unsaved edits from the journals of processes that have ended.

A journal lists the edits, undos and redos since a state of the file; reapplying them to that file gives the same
recording, with its undo steps.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ..errors import EditError, RecorderError, RestoreRefused
from ..progress import SILENT, Progress
from ..texts import N_, say, say_count
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
from .store import CHOICE, SCRATCH_FOLDER, Store, state_folder, usual_state_folder

_SCRATCH_NAME = re.compile(rb'"([0-9a-f]+%s)"' % re.escape(SCRATCH_ENDING).encode())


class RecoveredStep(NamedTuple):
    """A change: its `label` as History shows it, and `when` it was made."""

    label: str
    when: datetime


class Restored(NamedTuple):
    """A `recording` with its edits, and a `warning` about changes that could not be restored, or an empty text."""

    recording: Recording
    warning: str


@dataclass(frozen=True, slots=True)
class _Base:
    """A state of a file: the line of its entry, the entry, and the line that confirms the save (None: unconfirmed)."""

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
        scratch = next((entry["scratch"] for entry in reversed(entries) if entry.get("scratch")), None)
        self.scratch: str | None = scratch
        confirmed = {}
        for number, entry in enumerate(entries):
            if "saved" in entry:
                confirmed[entry["saved"]] = number
        states = []
        for number, entry in enumerate(entries):
            if "base" in entry:
                states.append((number, entry))
        bases = []
        for number, entry in states:
            bases.append(_Base(number, entry, confirmed.get(entry["base"])))
        if not bases:
            raise RestoreRefused(say("The journal does not say what file it belongs to."))
        self.bases = len(bases)
        self.moves = 1 + max((int(entry["move"]) for entry in entries if "move" in entry), default=-1)
        bases[0] = replace(bases[0], saved=bases[0].line)
        self.base = next(base for base in reversed(bases) if base.is_on_disk() or base.saved is not None)

    @property
    def base_entry(self) -> Entry:
        """The entry that confirms the save of the base; empty without one."""
        if self.base.saved is not None:
            return self.lines[self.base.saved].entry
        return {}

    @property
    def since(self) -> int:
        """The number of the first change that the file does not contain."""
        entry = self.base_entry if "since" in self.base_entry else self.base.entry
        return int(entry["since"])

    def changes(self) -> Iterator[tuple[LogLine, Entry]]:
        """The changes to reapply to the base, in order: the line, and its entry."""
        since = self.since
        saved = self.base_entry
        if self.base.saved is not None and "meanwhile" in saved:
            yield (self.lines[self.base.saved], {"edit": saved["meanwhile"], "move": since - 1, "time": saved["time"]})
        for line in self.lines:
            if line.entry.get("move", -1) >= since:
                yield line, line.entry


class Leftover:
    """The journal of a process that has ended.

    Attributes: `journal` (its file), `path` (of the recording), `opened`, `last` (when the last change was made),
    `steps` (the changes that the file does not contain, oldest first; `Undone: ...` for undone saved ones), `was_saved`
    (steps before the last save cannot be undone).
    """

    def __init__(self, journal: Path) -> None:
        """Raises OSError, and `RestoreRefused` if it cannot be read."""
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
        """Why it cannot be restored, as a sentence; empty if the file is unchanged."""
        try:
            with _reading():
                if _JournalContent(self.journal).base.is_on_disk():
                    return ""
        except (OSError, RecorderError):
            return say("The journal cannot be read any more.")
        return _refusal(self.path)

    def restore(self, progress: Progress = SILENT) -> Restored:
        """Open the file and reapply the changes; the recording continues this journal.

        Raises `RestoreRefused` (the file was changed, another window restores it), `Cancelled`, OSError; the journal
        is kept.
        """
        log = self._locked()
        try:
            with _reading():
                content = _JournalContent(self.journal)
                recording = _opened(content, progress)
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
        """Remove the journal and the bytes of its edits. Raises OSError, `RestoreRefused` if it is in use."""
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
    return sorted(leftovers, key=lambda each: each.last, reverse=True)


def has_leftovers() -> bool:
    """Whether a process that has ended left a journal, which may hold edits; reads none of them."""
    for path in _journals():
        with suppress(OSError):
            if not is_held(path):
                return True
    return False


def other_sessions(recording: Recording) -> list[datetime]:
    """When other windows, of this process or of others, opened the same file."""
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
    else:
        named = set()
    # Read again when a file is locked: a journal may have named it meanwhile.
    sweep((path for path in scratch if path.name not in named), keeps=lambda path: path.name in _named_scratch_files())
    sweep(_files("reports", "report-*.txt"))  # of version 0.2.0, which wrote the texts of reports there


class StateUse(NamedTuple):
    """Bytes in the state folders: `scratch` files, and `journals`."""

    scratch: int
    journals: int


def state_use() -> StateUse:
    """How much scratch files and journals take, of all processes."""
    kinds = ((SCRATCH_FOLDER, f"*{SCRATCH_ENDING}"), (FOLDER, f"*{ENDING}"))
    return StateUse(*(sum(map(_size, _files(*kind))) for kind in kinds))


def choose_state_folder(folder: Path | None) -> None:
    """Keep the edits of recordings that are opened from now on in another folder; None: in the usual one.

    What is open, or left by a crash, stays where it is. Raises OSError, and `EditError` where that would be a folder
    in which nobody looks any more.
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
    for each in (folder, usual):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(usual / CHOICE, os.fsencode(folder.absolute()), overwrite=True)


# --- steps ----------------------------------------------------------------------------------------------


@dataclass
class _Course:
    """Steps as History would show them: `done` and `undone` ones, each with its gesture; how many of `done` the file
    has (`saved`), and steps of the file that were undone and gave way to other ones (`lost`)."""

    done: list[tuple[RecoveredStep, object]] = field(default_factory=list)
    undone: list[tuple[RecoveredStep, object]] = field(default_factory=list)
    saved: int = 0
    lost: list[RecoveredStep] = field(default_factory=list)

    def edit(self, step: RecoveredStep, gesture: object) -> None:
        missing = self.saved - len(self.done)
        if missing > 0:
            self.lost += [each for each, _ in self.undone[len(self.undone) - missing :]]
            self.saved = len(self.done)
        self.undone.clear()
        if len(self.done) > self.saved and gesture is not None and self.done[-1][1] == gesture:
            self.done.pop()
        self.done.append((step, gesture))

    def undo(self, step: tuple[RecoveredStep, object] | None) -> None:
        """Undo the last step, or `step`, which comes before all of these."""
        if step is not None:
            self.undone.append(step)
            self.saved += 1
        elif self.done:
            self.undone.append(self.done.pop())

    def redo(self, step: tuple[RecoveredStep, object] | None) -> None:
        """Redo the step that was undone last, or `step`, which comes after all of these."""
        if step is not None:
            self.done.append(step)
        elif self.undone:
            self.done.append(self.undone.pop())

    def unsaved(self) -> Iterator[RecoveredStep]:
        """What the file does not contain: steps of it that are undone first."""
        missing = max(0, self.saved - len(self.done))
        undone = []
        for each, _ in self.undone[len(self.undone) - missing :]:
            undone.append(each)
        for step in (*self.lost, *undone):
            yield step._replace(label=say("Undone: {label}", label=step.label))
        yield from (step for step, _ in self.done[self.saved :])


def _steps(content: _JournalContent) -> Iterator[RecoveredStep]:
    """The steps as History would show them."""
    course = _Course()
    read_as: RecoveredStep | None = None
    for _, entry in content.changes():
        when = datetime.fromtimestamp(entry.get("time", 0.0)).astimezone()
        kind = next((each for each in ("edit", "undo", "redo") if each in entry), "")
        told = entry.get(kind)
        if told is None or told is True:
            step = None
        else:
            step = (RecoveredStep(label_of(told), when), told.get("gesture"))
        if kind == "edit":
            if step is None:
                raise RestoreRefused(say("The journal cannot be read."))
            course.edit(*step)
        elif kind == "undo":
            course.undo(step)
        elif kind == "redo":
            course.redo(step)
        elif "decode_as" in entry:
            name = entry["decode_as"]
            if name:
                label = say("Read as {dialect}", dialect=name)
            else:
                label = say("Read as the bytes show")
            read_as = RecoveredStep(label, when)
    steps = tuple(course.unsaved())
    yield from steps
    if read_as is not None and steps:
        yield read_as


# --- reapplying -----------------------------------------------------------------------------------------


def _opened(content: _JournalContent, progress: Progress) -> Recording:
    """The recording in the state of the base, with the bytes of the edits as its scratch file."""
    base = content.base
    if not base.is_on_disk():
        raise RestoreRefused(_refusal(base.path))
    # Only the name: a journal must not refer to files elsewhere.
    scratch = None
    if content.scratch:
        scratch = content.folder / SCRATCH_FOLDER / Path(content.scratch).name
    detection = base.entry.get("detection")
    scratch = scratch if scratch is not None and scratch.exists() else None
    store = Store(base.path, state=content.folder, scratch=scratch)
    try:
        if not store.identity(store.file).has_content_of(base.identity):
            raise RestoreRefused(_refusal(base.path))
        recording = recording_in(store, base.path, detection_of(*detection) if detection else None, progress)
        return _with_saved_rows(recording, base)
    except BaseException:
        store.release()
        raise


def _with_saved_rows(recording: Recording, base: _Base) -> Recording:
    """The recording with the rows and keys of the base."""
    snapshot = recording.snapshot
    store = recording.store
    reader = Reader(store, snapshot.layouts)
    if table := base.entry.get("table"):
        start = int(table[2])
        snapshot = replace(
            snapshot,
            table=reader.table(blobs=table[0], layouts=table[1]),
            header=header_of(table[3]),
            header_bytes=store.read(store.file, 0, start),
        )
    elif digest(snapshot.table) != list(base.entry["digest"]):
        raise RestoreRefused(_refusal(base.path))
    elif keys := base.entry.get("keys"):
        rows = snapshot.table.rows().copy()
        rows["key"] = reader.keys(keys, len(rows))
        snapshot = replace(snapshot, table=type(snapshot.table).from_rows(rows))
    else:
        return recording
    _reserve_keys(snapshot.table, snapshot)
    return Recording(recording.path, store, snapshot, recording.findings)


def _reserve_keys(table: FrameTable, snapshot: Snapshot) -> None:
    """Let no new row have the key of one that is there."""
    for chunk in table.chunks:
        snapshot.keys.reserve(int(chunk["key"].max()))


def _reapply(content: _JournalContent, recording: Recording, log: JournalFile) -> str:
    """Reapply the changes; returns a sentence about those that could not be."""
    reader = Reader(recording.store, recording.snapshot.layouts)
    moves = content.moves
    warning = ""
    end = content.lines[-1].stop
    changes = list(content.changes())
    expected = content.since - ("meanwhile" in content.base_entry)
    for index, (line, entry) in enumerate(changes):
        number = int(entry["move"])
        try:
            if number != expected:
                raise RestoreRefused(say("An earlier edit could not be logged."))
            _reapply_entry(entry, reader, recording)
        except Exception as error:  # noqa: BLE001 - keep what was restored so far
            count = len(changes) - index
            is_told = isinstance(error, (RecorderError, OSError))
            if is_told:
                reason = str(error)
            else:
                reason = say("The journal cannot be read from there on.")
            warning = say_count(
                "The last change could not be restored. {reason}",
                "The last {count:,} changes could not be restored. {reason}",
                count=count,
                reason=reason,
            )
            moves = number
            end = max((each.stop for each in content.lines if each.stop < line.stop), default=0)
            break
        expected = number + 1
    log.cut(end)
    known = {step.number for step in recording.history.steps}
    recording.journal = Journal.resume(log, recording.snapshot, known, Counters(moves, content.bases))
    return warning


def _reapply_entry(entry: Entry, reader: Reader, recording: Recording) -> None:
    if "edit" in entry:
        step = reader.move(entry["edit"])
        _reserve_keys_of(step, recording)
        recording.add(step)
    elif "decode_as" in entry:
        recording.decode_as(entry["decode_as"])
    elif isinstance(entry.get("undo", entry.get("redo")), dict):
        is_undone = "undo" in entry
        step = reader.move(entry["undo" if is_undone else "redo"])
        _reserve_keys_of(step, recording)
        recording.take_up(step, is_undone=is_undone)
    elif "undo" in entry or "redo" in entry:
        if (recording.undo() if "undo" in entry else recording.redo()) is None:
            raise EditError(
                say(N_("There is nothing to undo.") if "undo" in entry else N_("There is nothing to redo."))
            )
    else:
        raise EditError(say("The journal has an entry that this version of the program does not know."))


def _reserve_keys_of(step: Step, recording: Recording) -> None:
    for splice in step.forward:
        _reserve_keys(splice.inserted, recording.snapshot)


# --- files ----------------------------------------------------------------------------------------------


def _journals() -> list[Path]:
    return _files(FOLDER, f"*{ENDING}")


def _files(folder: str, names: str) -> list[Path]:
    """Files in a folder of the state folders, the one in use and the usual one, by name."""
    found: list[Path] = []
    for state in dict.fromkeys((state_folder(), usual_state_folder())):
        with suppress(OSError):
            found += sorted((state / folder).glob(names))
    return found


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _named_scratch_files() -> set[str]:
    """The names of scratch files in journals, including journals that cannot be read."""
    names: set[str] = set()
    for path in _journals():
        with suppress(OSError), open(open_file(path, os.O_RDONLY), "rb") as file:
            for line in file:
                names.update(name.decode() for name in _SCRATCH_NAME.findall(line))
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
