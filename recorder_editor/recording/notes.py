"""Notes about frames, ranges and actors, and the file beside a recording that keeps them.

The file is JSON, an array: an object with the fingerprint of the recording, then each note, one a line that begins with
its comma, so that version control merges it line by line. Frames are those of the recording as it was saved.

Several windows and processes may write the file. The changes made here since it was read are merged with what others
wrote meanwhile (`NoteBook.save`): notes that others added are taken in, and notes that others deleted go, unless they
were changed here. A note that was changed on both sides is kept in both forms, and one that was made the same in all
its members is kept once. A file that is gone or empty deletes nothing: it is written again.
"""

import hashlib
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..arrays import IntArray
from ..errors import EditError, RecorderError, error_sentence
from ..format import read_json
from ..format.json_text import json_of, shown
from ..texts import Measure, say
from .atomic_file import rewrite_file
from .frame_keys import FrameKeys, follow
from .journal.log_file import ENDING as LOG_ENDING
from .journal.writing import FOLDER
from .note import COLOR, MEMBERS, Note, with_signs
from .recording import Recording
from .snapshot import Frame, Snapshot

ENDING = ".notes.json"
FORM = 1
PATIENCE = 5.0
"""Seconds that `NoteBook.save` waits while others write the file."""

_LARGEST = 64 << 20  # bytes of the file that are read
_NO_MARK = "-"  # the fingerprint of a file without one
_SPREAD = 16  # rows that a fingerprint is made of
_MOST_OF_A_FRAME = 1 << 16  # bytes of each of them
_UNSAVED_KEYS = re.compile(r"(\S+) (\d{1,18}) (\d{1,18})")
_NUMBERS = {"frame": range(1, 1 << 62), "last": range(1, 1 << 62), "actor": range(1 << 32)}


def notes_path(recording: Path) -> Path:
    """The file with the notes of a recording."""
    return recording.with_name(recording.name + ENDING)


def fingerprint(snapshot: Snapshot) -> str:
    """A hash that identifies the content of a recording: of header, sizes of rows, and some spread frames."""
    sizes = snapshot.table.column("size").astype("<i8")
    hasher = hashlib.sha256(snapshot.header_bytes + sizes.tobytes())
    spread_rows = np.linspace(0, snapshot.rows - 1, min(_SPREAD, snapshot.rows)).astype(np.int64)
    for row in spread_rows.tolist():
        start = snapshot.position(row)
        stop = snapshot.position(row + 1)
        hasher.update(snapshot.read(start, min(stop - start, _MOST_OF_A_FRAME)))
    return hasher.hexdigest()[:32]


# --- the file -------------------------------------------------------------------------------------------


def read_notes(data: bytes) -> tuple[str, list[Note]]:
    """Read the file.

    Args:
        data: Its bytes. Each object has a line of its own; commas and brackets around it may be missing, as after a
            merge.

    Returns:
        The fingerprint, and the notes in their order; an empty text and no notes for an empty file.

    Raises:
        EditError: A line cannot be read.
    """
    mark = ""
    notes = list[Note]()
    for number, raw in enumerate(data.removeprefix(BOM_UTF8).split(b"\n"), 1):
        line = raw.strip().strip(b"[,]").strip()
        if not line:
            continue
        try:
            item = read_json(line, unique=True)
            if mark:
                notes.append(_note(item))
            elif isinstance(item, dict) and item.get("notes") == FORM:
                mark = str(item.get("fingerprint") or _NO_MARK)
            else:
                raise EditError(
                    say("The first object of a file of notes has “notes”: {form}; this one does not", form=FORM)
                )
        except RecorderError as error:
            raise EditError(say("Line {line}: {message}", line=number, message=error.message)) from None
    return mark, notes


def _note(item: object) -> Note:
    if not isinstance(item, dict):
        raise EditError(say("A note is an object, not {shown}", shown=shown(item)))
    required = {"frame", "text"}
    for name in sorted(MEMBERS.keys() & (item.keys() | required)):
        value = item.get(name)
        if not _is_fine(name, value):
            raise EditError(say("“{name}” of a note cannot be {shown}", name=name, shown=shown(value)))
    first = item["frame"]
    return Note(
        text=item["text"],
        start=first - 1,
        stop=max(first, item.get("last", first)),
        actor=item.get("actor"),
        color=item.get("color", COLOR),
        tags=tuple(item.get("tags", ())),
        is_gone=item.get("gone", False),
        keys=item.get("keys", ""),
        more=tuple((name, value) for name, value in item.items() if name not in MEMBERS),
    )


def _is_fine(name: str, value: Any) -> bool:
    """Whether a member of the object of a note may have a value."""
    has_type = type(value) is MEMBERS[name]  # a bool is no int here
    if not has_type:
        return False
    if name in _NUMBERS:
        return value in _NUMBERS[name]
    if name == "tags":
        return all(isinstance(tag, str) for tag in value)
    if name == "color":
        return re.fullmatch("#[0-9A-Fa-f]{6}", value) is not None
    return True


def write_notes(mark: str, notes: Iterable[Note]) -> bytes:
    """Make the bytes of the file, in which notes are sorted by frames.

    Args:
        mark: The fingerprint.
        notes: The notes.
    """
    return _file_of(mark, [(note, line_of(note)) for note in notes])


def line_of(note: Note) -> str:
    """The object of a note as it stands in its line of the file."""
    return json_of(note.as_json())


def _file_of(mark: str, lines: Iterable[tuple[Note, str]]) -> bytes:
    """The bytes of the file with these notes, which are given with their lines."""
    objects = [json_of({"notes": FORM, "fingerprint": mark})]
    for _, _, line in sorted((note.start, note.stop, line) for note, line in lines):
        objects.append(line)
    return ("[" + "\n,".join(objects) + "\n]\n").encode()


def note_lines(snapshot: Snapshot) -> Iterator[str]:
    """The notes of the state that is shown in words, one a line: frames, time, actor, text, tags that it lacks."""
    for note in snapshot.context.notes:
        parts = ["-"]
        if note.frames:
            frames = f"{note.start + 1}"
            if note.stop > note.start + 1:
                frames += f"-{note.stop}"
            parts = [frames, f"{Measure(snapshot.elapsed[note.start]):.3f} s"]
        if note.actor is not None:
            parts.append(say("actor {actor}", actor=note.actor))
        parts.append(_one_line(note.text))
        parts.append(with_signs(note._replace(tags=()).with_tags(note.every_tag)))
        yield "  ".join(part for part in parts if part)


# --- the notes of an open recording ---------------------------------------------------------------------


class HeldNote(NamedTuple):
    """A note that a book holds.

    Attributes:
        note: The note.
        keys: The keys of the rows of its frames, int64 (n,).
        number: Its number, which it keeps through changes.
        line: Its line in the file when that was read or written last; empty if it was not there.
        replaced: The line of the note that it was set instead of; empty without one.
        is_theirs: Others wrote it while the recording was open.
    """

    note: Note
    keys: IntArray
    number: int
    line: str = ""
    replaced: str = ""
    is_theirs: bool = False


class NoteChange(NamedTuple):
    """A change of notes.

    Attributes:
        before: The notes that were changed or deleted, as they were.
        after: The notes that are there instead of them.
    """

    before: tuple[HeldNote, ...]
    after: tuple[HeldNote, ...]


class NoteBook:
    """The notes of an open recording, which follow its edits: frames inserted between those of a note belong to it.

    Attributes:
        items: The notes in the order of their frames, those that are gone last.
        error: Why they cannot be read, and are not written; empty if they can.
        doubt: A sentence that they may be those of another content; empty without a doubt.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._path = notes_path(recording.path)
        self._data = b""  # of the file, when it was read or written last
        self._lines = Counter[str]()  # of the notes in it
        self._journal = ""
        if recording.journal is not None:
            self._journal = recording.journal.path.stem
        self._shown = recording.snapshot
        self._held: list[HeldNote] = []
        self._numbers = count(1)
        self._is_open = False  # the file was read
        self._marked: Snapshot | None = None
        self._mark = ""
        self.items: tuple[Note, ...] = ()
        self.error = ""
        self.doubt = ""
        try:
            mark = self._mark_of(recording.saved)
            file_mark = self._merge(self._path, _bytes_of(self._path))
            if file_mark == _NO_MARK:
                self.doubt = say(
                    "The file of the notes has no fingerprint; whether they were written for this content is not known."
                )
            elif file_mark not in ("", mark):
                self.doubt = say("The notes were written for another content of this file; their frames may be others.")
        except (OSError, RecorderError) as error:
            self.error = say("{file}: {reason}", file=self._path.name, reason=error_sentence(error))
        self._is_open = True

    def set(self, note: Note | None, instead: Note | None = None) -> NoteChange:
        """Add, change or delete a note.

        Args:
            note: The new note; at the frames of the old one it goes on following these. None: the old one is deleted.
            instead: The old note, one of `items`; None: the new one is added.

        Raises:
            EditError: The notes cannot be read.
        """
        if self.error:
            raise EditError(say("The note is not kept, because the notes cannot be read: {reason}", reason=self.error))
        rest = list[HeldNote]()
        before = list[HeldNote]()
        for held in self._held:
            if held.note is instead:
                before.append(held)
            else:
                rest.append(held)
        after = list[HeldNote]()
        if note is not None and before:
            after.append(self._replacement(note, before[0]))
        elif note is not None:
            after.append(HeldNote(note, FrameKeys(self._shown).of(note), self._next_number()))
        self._hold(rest + after)
        return NoteChange(tuple(before), tuple(after))

    def _replacement(self, note: Note, old: HeldNote) -> HeldNote:
        """A note as it is held instead of another one."""
        keys = old.keys
        if old.note.place != note.place:
            keys = FrameKeys(self._shown).of(note)
        return HeldNote(note, keys, old.number, replaced=old.line or old.replaced)

    def move(self, present: Sequence[HeldNote], wanted: Sequence[HeldNote]) -> None:
        """Take a change back, or make it again.

        Args:
            present: The notes that the change left, which are held unless others changed them meanwhile.
            wanted: The notes to hold instead.

        Raises:
            EditError: Others changed or deleted one of the notes; all stay as they are.
        """
        # A note that others changed is another one, with a number of its own.
        before = {held.number: held for held in present}
        numbers = before.keys() | {held.number for held in wanted}
        now = dict[int, HeldNote]()
        rest = list[HeldNote]()
        for held in self._held:
            if held.number in numbers:
                now[held.number] = held
            else:
                rest.append(held)
        if now.keys() != before.keys():
            raise EditError(say("Another window changed or deleted this note meanwhile; it stays as it is there."))
        free = self._lines - _count_lines(rest)
        moved = list[HeldNote]()
        for held in wanted:
            line = ""
            if free[held.line]:
                line = held.line
            present_note = now.get(held.number)
            if present_note is not None and before[held.number].note.place == held.note.place:
                # Its frames are where edits have left them since.
                placed = held.note.placed(present_note.note.frames)._replace(keys=present_note.note.keys)
                held = held._replace(note=placed, keys=present_note.keys)
            if present_note is not None:
                held = held._replace(replaced=present_note.line or present_note.replaced)
            moved.append(held._replace(line=line))
        self._hold(rest + moved)

    def is_contested(self, notes: Iterable[HeldNote]) -> bool:
        """Whether others wrote a note, while the recording was open, at the place of one of these."""
        places = {(held.note.place, held.note.actor) for held in notes}
        return any(held.is_theirs and (held.note.place, held.note.actor) in places for held in self._held)

    def read(self) -> None:
        """Take in what others wrote to the file since it was read or written last.

        Raises:
            EditError: The file cannot be read.
            OSError: The file cannot be opened.
        """
        path = notes_path(self._recording.path)
        data = _bytes_of(path)
        if not self.error and path == self._path and data != self._data:
            self._merge(path, data)

    def follow(self, after: Snapshot) -> None:
        """Show the notes as they are in a state of the recording, which was made of the one shown before."""
        before = self._shown
        self._shown = after
        self._hold(_followed(before, after, self._held))

    def save(self, *, patience: float = PATIENCE) -> None:
        """Write the file beside the recording, if something changed; what others did to it meanwhile is taken over.

        Reading, merging and writing are done under one lock. Where this fails, nothing is lost: the notes are still
        held, and it can be done again.

        Args:
            patience: Seconds to wait while another window or process writes the file.

        Raises:
            EditError: The file cannot be read.
            FileBusy: Others went on writing it.
            SaveRefused: It is no regular file.
            OSError: It cannot be read or written.
        """
        if self.error:
            raise EditError(self.error)
        path = notes_path(self._recording.path)
        lines: list[str] = []
        written = b""

        def make(*, is_due: bool) -> bytes | None:
            """The bytes to be written; None where the file has them, or has what they were made for before."""
            nonlocal lines, written
            data = _bytes_of(path)
            is_other = path != self._path or data != self._data
            if is_other:
                self._merge(path, data)
            if is_due or is_other:
                lines, written = self._written()
            if written == self._data:
                return None
            return written

        # Nothing is locked, and no folder is written to, where nothing changed.
        if make(is_due=True) is None:
            return
        rewrite_file(path, lambda: make(is_due=False), patience=patience)
        self._data = written
        self._lines = Counter(lines)
        self._hold(held._replace(line=line, replaced="") for held, line in zip(self._held, lines, strict=True))

    def unwritten(self) -> tuple[str, ...]:
        """The notes that the file lacks as they are here, as far as is known: a text for each, deleted ones last."""
        texts = []
        is_renamed = notes_path(self._recording.path) != self._path  # there is no file beside the new name yet
        for held, (_, line) in zip(self._held, self._in_file(self._held), strict=True):
            if is_renamed or held.line != line:
                texts.append(_one_line(held.note.text))
        if not is_renamed:
            deleted = self._lines - Counter(held.line or held.replaced for held in self._held)
            for line in deleted.elements():
                text = _note(read_json(line)).text
                texts.append(say("Deleted: {text}", text=_one_line(text)))
        return tuple(texts)

    def others(self, elsewhere: Iterable[Path] = ()) -> Path | None:
        """Find a file with notes of the same content under another name.

        Args:
            elsewhere: Files outside of the folder of this one, which is searched first.
        """
        if not self._mark:
            return None
        for path in [*sorted(self._path.parent.glob(f"*{ENDING}")), *elsewhere]:
            if path == self._path:
                continue
            with suppress(OSError, RecorderError):
                first_line, _, _ = _bytes_of(path).partition(b"\n")
                mark, _ = read_notes(first_line)
                if mark == self._mark:
                    return path
        return None

    def take_over(self, path: Path) -> NoteChange:
        """Add the notes of another file, which are about the same content.

        Raises:
            EditError: The file cannot be read.
            OSError: The file cannot be opened.
        """
        before = {held.number for held in self._held}
        _, notes = read_notes(_bytes_of(path))
        lines, _ = self._written()
        known_lines = self._lines | Counter(lines)
        self._take([(note, "") for note in notes if not known_lines[line_of(note)]])
        return NoteChange((), tuple(held for held in self._held if held.number not in before))

    def _merge(self, path: Path, data: bytes) -> str:
        """Merge the notes with the changes that others made to the file since it was read or written last.

        The notes of a file under another name are taken in as notes without frames here: the recording was saved over
        another one. Merging the same bytes again changes nothing.

        Returns:
            The fingerprint in the file.

        Raises:
            EditError: The file cannot be read.
        """
        mark, notes = read_notes(data)
        in_file = [(note, line_of(note)) for note in notes]
        lines = Counter(line for _, line in in_file)
        left = lines.copy()  # lines that no note here has
        is_other = path != self._path
        dropped = self._lines - _count_lines(self._held)
        kept = []
        for held in self._held:
            if left[held.line]:
                left[held.line] -= 1
                kept.append(held)
            elif not held.line or is_other or not mark:
                kept.append(held._replace(line=""))
            # Else others deleted it, and it was not changed here.
        left -= dropped  # what was deleted or changed here stays so
        self._held = kept
        if left.total():
            self._match_unwritten(left)
        new = []
        for note, line in in_file:
            if left[line]:
                left[line] -= 1
                new.append((note, line))
        self._path = path
        self._data = data
        self._lines = lines
        self._take(new, is_other=is_other, is_theirs=self._is_open)
        return mark

    def _match_unwritten(self, left: Counter[str]) -> None:
        """Give notes that were not written the lines of the file that are the same.

        Others made the same note, or an attempt to write it was interrupted after the file was replaced.

        Args:
            left: The lines that no note has yet; those that are given away are taken out.
        """
        unwritten = [index for index, held in enumerate(self._held) if not held.line]
        in_file = self._in_file([self._held[index] for index in unwritten])
        for index, (_, line) in zip(unwritten, in_file, strict=True):
            if left[line]:
                left[line] -= 1
                self._held[index] = self._held[index]._replace(line=line)

    def _take(self, notes: Iterable[tuple[Note, str]], *, is_other: bool = False, is_theirs: bool = False) -> None:
        """Hold further notes.

        Args:
            notes: The notes with their lines in the file.
            is_other: They are of another recording; their frames are gone here.
            is_theirs: Others wrote them while the recording was open.
        """
        saved = self._recording.saved
        saved_keys = FrameKeys(saved)
        journals = set()
        for path in (self._recording.store.state / FOLDER).glob(f"*{LOG_ENDING}"):
            journals.add(path.stem)
        further = []
        for note, line in notes:
            unsaved = _UNSAVED_KEYS.fullmatch(note.keys)
            if unsaved is not None and unsaved[1] == self._journal:  # the recording was recovered from that journal
                note = note._replace(is_gone=True, keys="")
                keys = np.array([unsaved[2], unsaved[3]], np.int64)
            else:
                is_recoverable = unsaved is not None and unsaved[1] in journals
                if not is_recoverable:
                    note = note._replace(keys="")
                if is_other:
                    note = note._replace(is_gone=True)
                keys = saved_keys.of(note)
            further.append(HeldNote(note, keys, self._next_number(), line, is_theirs=is_theirs))
        self._hold(self._held + _followed(saved, self._shown, further))

    def _written(self) -> tuple[list[str], bytes]:
        """The lines of the notes that are held, in their order, and the bytes of the file with them."""
        notes = self._in_file(self._held)
        lines = [line for _, line in notes]
        if not notes and not self._data:
            return lines, b""
        return lines, _file_of(self._mark_of(self._recording.saved), notes)

    def _next_number(self) -> int:
        return next(self._numbers)

    def _mark_of(self, saved: Snapshot) -> str:
        """The fingerprint of the saved state, read once: the file may be rewritten beneath later."""
        if saved is not self._marked:
            self._mark = fingerprint(saved)
            self._marked = saved
        return self._mark

    def _in_file(self, held: list[HeldNote]) -> list[tuple[Note, str]]:
        """Notes as they are in the saved state, with their lines.

        Keys tell a recovery of the journal the frames that the saved state lacks. Those of a journal that is still to
        be restored stay as they are.
        """
        saved = self._recording.saved
        saved_keys = FrameKeys(saved)
        shown_keys = FrameKeys(self._shown)
        notes = []
        for shown_note, saved_note in zip(held, _followed(self._shown, saved, held), strict=True):
            keys = shown_keys.of(shown_note.note)
            journal = shown_note.note.keys
            has_new_frames = len(saved_keys.frames(keys)) < len(keys)
            is_gone_since = shown_note.note.is_gone and not saved_note.note.is_gone
            if has_new_frames or is_gone_since:
                journal = self._unsaved_keys(keys if len(keys) else shown_note.keys)
            note = saved_note.note._replace(keys=journal)
            notes.append((note, line_of(note)))
        return notes

    def _unsaved_keys(self, keys: IntArray) -> str:
        """The member of the object of a note by which a recovery of the journal finds its frames."""
        first = 0
        last = 0
        if len(keys):
            first = keys[0]
            last = keys[-1]
        return f"{self._journal} {first} {last}"

    def _hold(self, held: Iterable[HeldNote]) -> None:
        """Hold these notes and no others, and show them."""
        self._held = sorted(held, key=lambda item: item.note.place)
        self.items = tuple(note.note for note in self._held)
        self._shown.context.notes = self.items


def _count_lines(held: Iterable[HeldNote]) -> Counter[str]:
    """How many notes have each line."""
    return Counter(note.line for note in held)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _bytes_of(path: Path) -> bytes:
    """The bytes of a file; none if there is no file. Raises `EditError` if it is too large, and OSError."""
    if path.is_file() and path.stat().st_size > _LARGEST:
        raise EditError(say("{most:,} bytes are the most that are read of notes", most=_LARGEST))
    if path.is_file():
        return path.read_bytes()
    return b""


def _followed(before: Snapshot, after: Snapshot, held: list[HeldNote]) -> list[HeldNote]:
    """The notes where their frames are now, about the actors that they were about."""
    placed = follow(before, after, [(old.note, old.keys) for old in held])
    followed = []
    for old, (note, keys) in zip(held, placed, strict=True):
        if note.actor is not None and old.note.frames and note.frames and before is not after:
            # Where the file was rewritten beneath, its frames cannot be read: the note stays, with the id that it has.
            with suppress(OSError, RecorderError):
                actor = _same_actor(before.frame(old.note.start), after.frame(note.start), note.actor)
                note = note._replace(actor=actor)
        followed.append(old._replace(note=note, keys=keys))
    return followed


def _same_actor(before: Frame, after: Frame, actor: int) -> int:
    """The id that an actor has now: of its record in a packet that has as many records as before."""
    for packet in before:
        record = packet.decoded.find_actor(actor)
        counterpart = after.packet(packet.name)
        if record is None or counterpart is None or len(counterpart.decoded) != len(packet.decoded):
            continue
        if counterpart.decoded.find_actor(actor) is not None:
            return actor
        return counterpart.decoded.actors[record]
    return actor
