"""Journals whose writer is gone: what they tell, and how that is done again.

One idea: a journal is a list of what was applied, taken back and made again, since the file was as it is now; doing
the same once more to the same file gives the same state, with its undo steps.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import EditError, RecorderError, RestoreRefused
from ..progress import SILENT, Progress
from .files import SCRATCH_ENDING, Identity
from .history import Edit
from .journal.codec import Move, Reader, detection_of, digest, header_of
from .journal.log_file import ENDING, Entry, JournalFile, Line, read_lines
from .journal.writing import FOLDER, FORM, Journal, Numbers
from .locking import is_held, open_file, sweep
from .recording import Recording, recording_in
from .store import REPORTS_FOLDER, SCRATCH_FOLDER, Store, state_folder

_KINDS = ("edit", "undo", "redo", "decode_as")
_SCRATCH_NAME = re.compile(rb'"([0-9a-f]+%s)"' % re.escape(SCRATCH_ENDING).encode())


class Step(NamedTuple):
    """What was done: its `label` as History shows it, and `when`."""

    label: str
    when: datetime


class Restored(NamedTuple):
    """A `recording` with its edits, and `words`: a sentence about what could not be restored (mostly empty)."""

    recording: Recording
    words: str


@dataclass(frozen=True, slots=True)
class _Base:
    """A state of a file: the line where it was told, the entry, and the line after which it was true (None: nobody
    knows whether it ever was)."""

    line: int
    entry: Entry
    saved: int | None

    @property
    def path(self) -> Path:
        return Path(self.entry["path"])

    @property
    def identity(self) -> Identity:
        return Identity(*self.entry["identity"])

    def is_there(self) -> bool:
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        # The ends are compared when it is opened.
        return (status.st_ino, status.st_size, status.st_mtime_ns) == self.identity[1:4]


class _JournalContent:
    """The lines of a journal, and the state of the file from which they are told."""

    def __init__(self, path: Path) -> None:
        self.lines = read_lines(path).lines
        entries = [line.entry for line in self.lines]
        if not entries or entries[0].get("form") != FORM:
            raise RestoreRefused("The journal was written by another version of the program, or is empty.")
        self.opened = float(entries[0]["opened"])
        scratch = next((entry["scratch"] for entry in reversed(entries) if entry.get("scratch")), None)
        self.scratch: str | None = scratch
        confirmed = {entry["saved"]: number for number, entry in enumerate(entries) if "saved" in entry}
        bases = [
            _Base(number, entry, confirmed.get(entry["base"]))
            for number, entry in enumerate(entries)
            if "base" in entry
        ]
        if not bases:
            raise RestoreRefused("The journal does not say what file it belongs to.")
        self.bases = len(bases)
        self.moves = 1 + max((int(entry["move"]) for entry in entries if "move" in entry), default=-1)
        bases[0] = replace(bases[0], saved=bases[0].line)
        self.base = next(base for base in reversed(bases) if base.is_there() or base.saved is not None)

    @property
    def base_entry(self) -> Entry:
        """What was told when the state of the file became true; empty where nobody saw that."""
        return self.lines[self.base.saved].entry if self.base.saved is not None else {}

    @property
    def since(self) -> int:
        """The number of the first change that the file does not hold."""
        entry = self.base_entry if "since" in self.base_entry else self.base.entry
        return int(entry["since"])

    def changes(self) -> Iterator[tuple[Line, Entry]]:
        """What is to be done to the file as the base has it, in order: the line, and what it tells."""
        since, told = self.since, self.base_entry
        if self.base.saved is not None and "meanwhile" in told:
            yield (self.lines[self.base.saved], {"edit": told["meanwhile"], "move": since - 1, "time": told["time"]})
        for line in self.lines:
            if line.entry.get("move", -1) >= since:
                yield line, line.entry


class Leftover:
    """A journal that was left by a process that is gone.

    Attributes: `journal` (its file), `path` (of the recording), `opened`, `last` (when the last change was made),
    `steps` (the changes that the file does not hold, oldest first; `Undone: ...` for saved ones that were taken back),
    `was_saved` (steps before the last save cannot be taken back any more).
    """

    def __init__(self, journal: Path) -> None:
        """Raises OSError, and `RestoreRefused` where it cannot be read."""
        self.journal = journal
        with _reading():
            story = _JournalContent(journal)
            self.path = story.base.path
            self.opened = datetime.fromtimestamp(story.opened).astimezone()
            self.was_saved = story.base.line > 1
            self.steps = tuple(_steps(story))
        self.last = self.steps[-1].when if self.steps else self.opened

    @property
    def labels(self) -> tuple[str, ...]:
        """What the file does not hold, oldest first."""
        return tuple(step.label for step in self.steps)

    def describe(self) -> str:
        """How many edits, and of when."""
        count = len(self.steps)
        edits = "1 edit" if count == 1 else f"{count:,} edits"
        return f"{edits}, the last one made on {self.last:%Y-%m-%d} at {self.last:%H:%M}"

    def obstacle(self) -> str:
        """Why it cannot be restored, as a sentence; empty where the file is still the same."""
        try:
            with _reading():
                if _JournalContent(self.journal).base.is_there():
                    return ""
        except (OSError, RecorderError):
            return "The journal cannot be read any more."
        return _refusal(self.path)

    def restore(self, progress: Progress = SILENT) -> Restored:
        """Open the file and do everything again; the recording goes on with this journal.

        Raises `RestoreRefused` (the file is another one by now, another window has taken it), `Cancelled`, OSError.
        Whatever is raised, the journal stays.
        """
        pages = self._claimed()
        try:
            with _reading():
                story = _JournalContent(self.journal)
                recording = _opened(story, progress)
        except BaseException:
            pages.close()
            raise
        try:
            with _reading():
                words = _reapply(story, recording, pages)
        except BaseException:
            # Closing would delete the scratch file.
            recording.store.release()
            pages.close()
            raise
        return Restored(recording, words)

    def discard(self) -> None:
        """Remove the journal, and the bytes of its edits. Raises OSError, `RestoreRefused` where somebody uses it."""
        self._claimed().remove()
        sweep_state()

    def _claimed(self) -> JournalFile:
        try:
            pages = JournalFile.take(self.journal)
        except FileNotFoundError as error:
            raise RestoreRefused(
                f"The edits of {self.path.name} are no longer kept: another window has restored or discarded them."
            ) from error
        if pages is None:
            raise RestoreRefused(f"The edits of {self.path.name} are being restored by another window.")
        return pages


def find_leftovers() -> list[Leftover]:
    """What was left by processes that are gone, the newest first; remains without any edit are swept up.

    A journal that cannot be read, whatever the reason, is not offered, and stays.
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


def other_sessions(recording: Recording) -> list[datetime]:
    """Since when other windows, of this process or of another, have the same file open."""
    try:
        mine = os.stat(recording.path)
    except OSError:
        return []
    since: list[datetime] = []
    for path in _journals():
        if recording.journal is not None and recording.journal.path == path:
            continue
        with suppress(OSError, RestoreRefused), _reading():
            if not is_held(path):
                continue
            story = _JournalContent(path)
            identity = story.base.identity
            if (identity.device, identity.inode) == (mine.st_dev, mine.st_ino):
                since.append(datetime.fromtimestamp(story.opened).astimezone())
    return sorted(since)


def sweep_state() -> None:
    """Remove the scratch files, but for those that a journal names, and the reports whose makers are gone."""
    scratch = _files(SCRATCH_FOLDER, f"*{SCRATCH_ENDING}")
    named = _named() if scratch else set()
    # Looked up again when a file is claimed: its maker may just have named it, and gone.
    sweep((path for path in scratch if path.name not in named), keeps=lambda path: path.name in _named())
    sweep(_files(REPORTS_FOLDER, "report-*.txt"))


# --- what is told ---------------------------------------------------------------------------------------


def _steps(story: _JournalContent) -> Iterator[Step]:
    """The steps in force, as History would have them."""
    done: list[tuple[Step, Any]] = []
    undone: list[tuple[Step, Any]] = []
    before: list[Step] = []
    read_as: Step | None = None
    for _, entry in story.changes():
        when = datetime.fromtimestamp(entry.get("time", 0.0)).astimezone()
        if "edit" in entry:
            told = entry["edit"]
            step, gesture = Step(str(told["label"]), when), told.get("gesture")
            if done and gesture is not None and done[-1][1] == gesture:
                done.pop()
            done.append((step, gesture))
            undone.clear()
        elif "undo" in entry and done:
            undone.append(done.pop())
        elif "undo" in entry:
            before.append(Step(f"Undone: {_label(entry['undo'])}", when))
        elif "redo" in entry and undone:
            done.append(undone.pop())
        elif "redo" in entry and before:
            before.pop()
        elif "redo" in entry:
            done.append((Step(_label(entry["redo"]), when), None))
        elif "decode_as" in entry:
            read_as = Step(f"Read as {entry['decode_as'] or 'the bytes show'}", when)
    yield from before
    yield from (step for step, _ in done)
    if read_as is not None and (done or before):
        yield read_as


def _label(told: Any) -> str:
    return str(told["label"]) if isinstance(told, dict) else "an edit"


# --- doing it again -------------------------------------------------------------------------------------


def _opened(story: _JournalContent, progress: Progress) -> Recording:
    """The recording in the state of the base, with the bytes of the edits as its scratch file."""
    base = story.base
    if not base.is_there():
        raise RestoreRefused(_refusal(base.path))
    scratch = _scratch(story.scratch)
    told = base.entry.get("detection")
    store = Store(base.path, scratch=scratch if scratch is not None and scratch.exists() else None)
    try:
        if not store.identity(store.file).has_content_of(base.identity):
            raise RestoreRefused(_refusal(base.path))
        recording = recording_in(store, base.path, detection_of(told) if told else None, progress)
        return _with_saved_rows(recording, base)
    except BaseException:
        store.release()
        raise


def _with_saved_rows(recording: Recording, base: _Base) -> Recording:
    """The recording with the rows, and their keys, that the base had."""
    snapshot, store = recording.snapshot, recording.store
    reader = Reader(store, snapshot.layouts)
    if told := base.entry.get("table"):
        start = int(told[2])
        snapshot = replace(
            snapshot, table=reader.table(told), header=header_of(told[3]), header_bytes=store.read(store.file, 0, start)
        )
    elif digest(snapshot.table) != list(base.entry["digest"]):
        raise RestoreRefused(_refusal(base.path))
    elif told := base.entry.get("keys"):
        rows = snapshot.table.rows().copy()
        rows["key"] = reader.keys(told, len(rows))
        snapshot = replace(snapshot, table=type(snapshot.table).from_rows(rows))
    else:
        return recording
    return Recording(recording.path, store, snapshot, recording.findings)


def _reapply(story: _JournalContent, recording: Recording, pages: JournalFile) -> str:
    """Apply, take back and make again as it is told; returns a sentence about what could not be."""
    reader = Reader(recording.store, recording.snapshot.layouts)
    moves, words, end = story.moves, "", story.lines[-1].stop
    changes = list(story.changes())
    expected = story.since - ("meanwhile" in story.base_entry)
    for index, (line, entry) in enumerate(changes):
        number = int(entry["move"])
        try:
            if number != expected:
                raise RestoreRefused("An edit before them could not be written down.")
            _reapply_entry(entry, reader, recording)
        except Exception as error:  # noqa: BLE001 - what was restored so far is worth more than none
            words = _words(error, len(changes) - index)
            moves, end = number, max((each.stop for each in story.lines if each.stop < line.stop), default=0)
            break
        expected = number + 1
    pages.cut(end)
    known = {step.number for step in recording.history.steps}
    recording.journal = Journal.resume(pages, recording.snapshot, known, Numbers(moves, story.bases))
    return words


def _words(error: Exception, count: int) -> str:
    reason = str(error) if isinstance(error, (RecorderError, OSError)) else "The journal cannot be read from there on."
    return f"{'The last change' if count == 1 else f'The last {count:,} changes'} could not be restored. {reason}"


def _reapply_entry(entry: Entry, reader: Reader, recording: Recording) -> None:
    if "edit" in entry:
        move = reader.move(entry["edit"])
        _check_keys(move, recording)
        header = move.headers[1] if move.headers is not None else None
        version = recording.snapshot.version
        edit = Edit(move.label, version, move.splices, header, move.intent, move.detection)
        recording.apply(edit, gesture=move.gesture)
    elif "decode_as" in entry:
        recording.decode_as(entry["decode_as"])
    elif "undo" in entry or "redo" in entry:
        kind = "undo" if "undo" in entry else "redo"
        if isinstance(entry[kind], dict):
            move = reader.move(entry[kind])
            _check_keys(move, recording)
            recording.insert_step(
                move.label,
                move.splices,
                made_again=kind == "redo",
                intent=move.intent,
                headers=move.headers,
                detection=move.detection,
            )
        elif (recording.undo() if kind == "undo" else recording.redo()) is None:
            raise EditError(f"There is nothing to {kind}.")
    else:
        raise EditError("The journal tells of something that this version of the program does not know.")


def _check_keys(move: Move, recording: Recording) -> None:
    for splice in move.splices:
        for chunk in splice.inserted.chunks:
            recording.snapshot.keys.pass_over(int(chunk["key"].max()))


# --- files ----------------------------------------------------------------------------------------------


def _journals() -> list[Path]:
    return _files(FOLDER, f"*{ENDING}")


def _files(folder: str, names: str) -> list[Path]:
    """Files in a folder of the state folder, by name."""
    with suppress(OSError):
        return sorted((state_folder() / folder).glob(names))
    return []


def _scratch(name: str | None) -> Path | None:
    # A name, never a path: what a journal says must not lead elsewhere.
    return state_folder() / SCRATCH_FOLDER / Path(name).name if name else None


def _named() -> set[str]:
    """The scratch files that journals name; of those that cannot be read, too."""
    names: set[str] = set()
    for path in _journals():
        with suppress(OSError), open(open_file(path, os.O_RDONLY), "rb") as file:
            for line in file:
                names.update(name.decode() for name in _SCRATCH_NAME.findall(line))
    return names


def _has_content(path: Path) -> bool:
    """A journal holds edits, or what cannot be read; raises OSError. False: it was begun, and that is all."""
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
    """Whatever a journal says in the place of what it should: it cannot be read."""
    try:
        yield
    except (OSError, RecorderError):
        raise
    except Exception as error:
        raise RestoreRefused("The journal cannot be read.") from error


def _refusal(path: Path) -> str:
    if not os.path.exists(path):  # false, too, for what can be no name
        return (
            f"{path.name} is no longer in {path.parent}. Put it back there to restore the edits, which are kept "
            "until then."
        )
    return (
        f"{path.name} has been changed since the edits were made, and they cannot be applied to other bytes. "
        "Put the file of that time back to restore them; they are kept until then."
    )
