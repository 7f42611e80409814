"""Notes about frames, ranges and actors, and the file beside a recording that keeps them.

The file is JSON, an array: an object with the fingerprint of the recording, then each note, one a line that begins with
its comma, so that version control merges it line by line. Frames are those of the recording as it was saved.

Several may write the file. What each did since it read the file is done to what stands there then (`NoteBook.save`):
notes that others added are taken in, and notes that others deleted go, unless they were changed here. A note that both
changed is kept in both forms, and one that both made the same in all its members is kept once. A file that is gone or
empty deletes nothing: it is written again.
"""

import hashlib
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..arrays import IntArray
from ..errors import EditError, RecorderError, error_sentence
from ..format import read_json
from ..format.json_text import json_of, shown
from ..texts import N_, Measure, say
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

_LARGEST = 64 << 20
_NO_MARK = "-"
_SPREAD = 16
_MOST_OF_A_FRAME = 1 << 16
_UNSAVED_KEYS = re.compile(r"(\S+) (\d{1,18}) (\d{1,18})")
_NUMBERS = {"frame": range(1, 1 << 62), "last": range(1, 1 << 62), "actor": range(1 << 32)}


def notes_path(recording: Path) -> Path:
    """The file with the notes of a recording."""
    return recording.with_name(recording.name + ENDING)


def fingerprint(snapshot: Snapshot) -> str:
    """What tells the content of a recording from others: its header, the sizes of its rows, and some spread frames."""
    made = hashlib.sha256(snapshot.header_bytes + snapshot.table.column("size").astype("<i8").tobytes())
    for row in np.linspace(0, snapshot.rows - 1, min(_SPREAD, snapshot.rows)).astype(np.int64).tolist():
        start, stop = snapshot.position(row), snapshot.position(row + 1)
        made.update(snapshot.read(start, min(stop - start, _MOST_OF_A_FRAME)))
    return made.hexdigest()[:32]


# --- the file -------------------------------------------------------------------------------------------


def read_notes(data: bytes) -> tuple[str, list[Note]]:
    """The fingerprint, and the notes in their order; nothing of an empty file. Raises `EditError` with the line.

    Each object has a line of its own; commas and brackets around it may be missing, as after a merge.
    """
    lines = enumerate(data.removeprefix(BOM_UTF8).split(b"\n"), 1)
    items = [(number, line) for number, each in lines if (line := each.strip().strip(b"[,]").strip())]
    mark = ""
    notes = list[Note]()
    for number, line in items:
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
    first = item.get("frame", 0)
    color = item.get("color", COLOR)
    for name in sorted({*item, "frame", "text"} & {*MEMBERS}):
        value = item.get(name)
        numbers = _NUMBERS.get(name)
        is_fine = type(value) is MEMBERS[name] and (numbers is None or value in numbers)
        is_fine = is_fine and (name != "tags" or all(isinstance(tag, str) for tag in item["tags"]))
        if not is_fine or (name == "color" and not re.fullmatch("#[0-9A-Fa-f]{6}", color)):
            raise EditError(say("“{name}” of a note cannot be {shown}", name=name, shown=shown(value)))
    tags = tuple(item.get("tags", ()))
    stop = max(first, item.get("last", first))
    gone = item.get("gone", False)
    more = tuple((name, value) for name, value in item.items() if name not in MEMBERS)
    return Note(item["text"], first - 1, stop, item.get("actor"), color, tags, gone, item.get("keys", ""), more)


def write_notes(mark: str, notes: Iterable[Note]) -> bytes:
    """The bytes of the file, sorted by frames; `mark` is the fingerprint."""
    return _file_of(mark, [(note, line_of(note)) for note in notes])


def line_of(note: Note) -> str:
    """The object of a note as it stands in its line of the file."""
    return json_of(note.as_json())


def _file_of(mark: str, lines: Iterable[tuple[Note, str]]) -> bytes:
    """The bytes of the file with these notes, which are given with their lines."""
    in_order = sorted((note.start, note.stop, line) for note, line in lines)
    head = json_of({"notes": FORM, "fingerprint": mark})
    return ("[" + "\n,".join([head, *(line for _, _, line in in_order)]) + "\n]\n").encode()


def note_lines(snapshot: Snapshot) -> Iterator[str]:
    """The notes of the state that is shown in words, one a line: frames, time, actor, text, tags that it lacks."""
    for note in snapshot.context.notes:
        frames = f"{note.start + 1}" + (f"-{note.stop}" if note.stop > note.start + 1 else "")
        if note.frames:
            place = [frames, f"{Measure(snapshot.elapsed[note.start]):.3f} s"]
        else:
            place = ["-"]
        if note.actor is None:
            actor = ""
        else:
            actor = say("actor {actor}", actor=note.actor)
        tags = with_signs(note._replace(tags=()).with_tags(note.every_tag))
        yield "  ".join(filter(None, [*place, actor, " ".join(note.text.split()), tags]))


# --- the notes of an open recording ---------------------------------------------------------------------


class HeldNote(NamedTuple):
    """A note that a book holds.

    Attributes: `note`, `keys` (of the rows of its frames), `number` (stays with it through changes), `line` (what the
    file had of it when that was read or written last; empty where it had nothing), `replaced` (the line of the note in
    whose place it was set), `is_theirs` (others wrote it while the recording was open).
    """

    note: Note
    keys: IntArray
    number: int
    line: str = ""
    replaced: str = ""
    is_theirs: bool = False


class NoteChange(NamedTuple):
    """What was done to notes: those that were changed or deleted, as they were, and what is there instead of them."""

    before: tuple[HeldNote, ...]
    after: tuple[HeldNote, ...]


class NoteBook:
    """The notes of an open recording, which follow its edits: what comes to stand between frames of a note is its own.

    Attributes: `items` (in the order of their frames, those that are gone last), `error` (why they cannot be read, and
    are not written; empty where they can), `doubt` (a sentence that they may be those of another content, or nothing).
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._path = notes_path(recording.path)
        self._data = b""  # of the file, when it was read or written last
        self._lines = Counter[str]()  # of the notes in it
        self._journal = recording.journal.path.stem if recording.journal is not None else ""
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
            found = self._merge(self._path, _bytes_of(self._path))
            if found not in ("", mark):
                self.doubt = say(
                    N_(
                        "The file of the notes has no fingerprint; whether they were written for this "
                        "content is not known."
                    )
                    if found == _NO_MARK
                    else N_("The notes were written for another content of this file; their frames may be others.")
                )
        except (OSError, RecorderError) as error:
            self.error = say("{file}: {reason}", file=self._path.name, reason=error_sentence(error))
        self._is_open = True

    def set(self, note: Note | None, instead: Note | None = None) -> NoteChange:
        """Have a note; instead of another one, or with None without it. Raises `EditError`.

        One that stands where the other did goes on following its frames.
        """
        if self.error:
            raise EditError(say("The note is not kept, because the notes cannot be read: {reason}", reason=self.error))
        rest = [each for each in self._held if each.note is not instead]
        before = [each for each in self._held if each.note is instead]
        after = list[HeldNote]()
        if note is not None:
            replaced = ""
            keys = None
            if before:
                number = before[0].number
            else:
                number = self._next_number()
            if before:
                replaced = before[0].line or before[0].replaced
                keys = None
                if before[0].note.place == note.place:
                    keys = before[0].keys
            if keys is None:
                keys = FrameKeys(self._shown).of(note)
            after.append(HeldNote(note, keys, number, replaced=replaced))
        self._have([*rest, *after])
        return NoteChange(tuple(before), tuple(after))

    def move(self, present: Sequence[HeldNote], wanted: Sequence[HeldNote]) -> None:
        """Take a change back, or make it again.

        Args:
            present: What the change left: the notes as they are, unless others changed them meanwhile.
            wanted: What they are to be.

        Raises:
            EditError: Others changed or deleted one of the notes; all stay as they are.
        """
        # A note that others changed is another one, with a number of its own.
        numbers = {each.number for each in (*present, *wanted)}
        there = {each.number: each for each in self._held if each.number in numbers}
        if there.keys() != {each.number for each in present}:
            raise EditError(say("Another window changed or deleted this note meanwhile; it stays as it is there."))
        rest = [each for each in self._held if each.number not in numbers]
        free = self._lines - Counter(each.line for each in rest)
        made = list[HeldNote]()
        before = {each.number: each for each in present}
        for each in wanted:
            now = there.get(each.number)
            line = each.line if free[each.line] else ""
            if now is not None and before[each.number].note.place == each.note.place:
                # Its frames are where edits have left them since.
                placed = each.note.placed(now.note.frames)._replace(keys=now.note.keys)
                each = each._replace(note=placed, keys=now.keys)
            if now is not None:
                each = each._replace(replaced=now.line or now.replaced)
            made.append(each._replace(line=line))
        self._have([*rest, *made])

    def rivals(self, notes: Iterable[HeldNote]) -> bool:
        """Whether others wrote a note, while the recording was open, where one of these is."""
        places = {(each.note.place, each.note.actor) for each in notes}
        return any(each.is_theirs and (each.note.place, each.note.actor) in places for each in self._held)

    def read(self) -> None:
        """Take in what others wrote to the file since it was read or written last. Raises OSError, `RecorderError`."""
        path = notes_path(self._recording.path)
        data = _bytes_of(path)
        if not self.error and path == self._path and data != self._data:
            self._merge(path, data)

    def follow(self, after: Snapshot) -> None:
        """Show the notes as they are in a state of the recording, which came of the one shown before."""
        before = self._shown
        self._shown = after
        self._have(_followed(before, after, self._held))

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
        self._have(each._replace(line=line, replaced="") for each, line in zip(self._held, lines, strict=True))

    def unwritten(self) -> tuple[str, ...]:
        """What the file does not hold as it is here, as far as is known: a text for each note, deleted ones last."""
        notes = zip(self._held, self._in_file(self._held), strict=True)
        if notes_path(self._recording.path) != self._path:  # saved under another name, beside which there are none yet
            return tuple(_one_line(each.note.text) for each, _ in notes)
        texts = []
        for each, (_, line) in notes:
            if each.line != line:
                texts.append(_one_line(each.note.text))
        deleted = self._lines - Counter(each.line or each.replaced for each in self._held)
        gone = []
        for line in deleted.elements():
            gone.append(_note(read_json(line)).text)
        return (*texts, *(say("Deleted: {text}", text=_one_line(text)) for text in gone))

    def others(self, elsewhere: Iterable[Path] = ()) -> Path | None:
        """A file with notes of the same content under another name: in the same folder, or one of `elsewhere`."""
        for path in [*sorted(self._path.parent.glob(f"*{ENDING}")), *elsewhere]:
            with suppress(OSError, RecorderError):
                if path != self._path and read_notes(_bytes_of(path).partition(b"\n")[0])[0] == self._mark != "":
                    return path
        return None

    def take_over(self, path: Path) -> NoteChange:
        """Have the notes of the same content that another file holds, too. Raises `EditError`, OSError."""
        before = {each.number for each in self._held}
        _, notes = read_notes(_bytes_of(path))
        lines, _ = self._written()
        known = self._lines | Counter(lines)
        self._take((note, "") for note in notes if not known[line_of(note)])
        return NoteChange((), tuple(each for each in self._held if each.number not in before))

    def _merge(self, path: Path, data: bytes) -> str:
        """Do to the notes what others did to the file since it was read or written last.

        The notes of a file under another name are taken in as ones whose frames are gone here: the recording was saved
        over another one. Done again with the same bytes, it changes nothing.

        Returns:
            The fingerprint in the file.

        Raises:
            EditError: The file cannot be read.
        """
        mark, notes = read_notes(data)
        found = [(note, line_of(note)) for note in notes]
        left = Counter(line for _, line in found)
        theirs = left.copy()
        is_other = path != self._path
        dropped = self._lines - Counter(each.line for each in self._held)
        held = []
        for each in self._held:
            if left[each.line]:
                left[each.line] -= 1
                held.append(each)
            elif not each.line or is_other or not mark:
                held.append(each._replace(line=""))
            # Else others deleted it, and nobody changed it here.
        left -= dropped  # what was deleted or changed here stays so
        self._held = held
        if left.total():
            unwritten = [index for index, each in enumerate(held) if not each.line]
            for index, (_, line) in zip(unwritten, self._in_file([held[index] for index in unwritten]), strict=True):
                if left[line]:  # others have the same one, or an attempt to write it got so far
                    left[line] -= 1
                    held[index] = held[index]._replace(line=line)
        new = []
        for note, line in found:
            if left[line]:
                left[line] -= 1
                new.append((note, line))
        self._path = path
        self._data = data
        self._lines = theirs
        self._take(new, is_other=is_other, is_theirs=self._is_open)
        return mark

    def _take(self, notes: Iterable[tuple[Note, str]], *, is_other: bool = False, is_theirs: bool = False) -> None:
        """Have further notes, given with their lines in the file; the frames of `is_other` recording are gone here."""
        saved = self._recording.saved
        keys_of = FrameKeys(saved)
        journals = set()
        for each in (self._recording.store.state / FOLDER).glob(f"*{LOG_ENDING}"):
            journals.add(each.stem)
        further = []
        for note, line in notes:
            keys = _UNSAVED_KEYS.fullmatch(note.keys)
            is_recovered = keys is not None and keys[1] == self._journal
            waits = keys is not None and not is_recovered and keys[1] in journals
            is_gone = note.is_gone or is_other or is_recovered
            taken = note._replace(is_gone=is_gone, keys=note.keys if waits else "")
            if keys and is_recovered:
                held = np.array(keys.groups()[1:], np.int64)
            else:
                held = keys_of.of(taken)
            further.append(HeldNote(taken, held, self._next_number(), line, is_theirs=is_theirs))
        self._have([*self._held, *_followed(saved, self._shown, further)])

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
        keys = FrameKeys(saved)
        shown = FrameKeys(self._shown)
        notes = []
        for each, placed in zip(held, _followed(self._shown, saved, held), strict=True):
            own = shown.of(each.note)
            known = own if len(own) else each.keys
            journal = each.note.keys
            if len(keys.frames(own)) < len(own) or each.note.is_gone > placed.note.is_gone:
                if len(known):
                    first, last = (known[0], known[-1])
                else:
                    first, last = (0, 0)
                journal = f"{self._journal} {first} {last}"
            note = placed.note._replace(keys=journal)
            notes.append((note, line_of(note)))
        return notes

    def _have(self, held: Iterable[HeldNote]) -> None:
        self._held = sorted(held, key=lambda each: each.note.place)
        self.items = self._shown.context.notes = tuple(each.note for each in self._held)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _bytes_of(path: Path) -> bytes:
    """The bytes of the file; none where there is no file. Raises `EditError` for too large a one, OSError."""
    if path.is_file() and path.stat().st_size > _LARGEST:
        raise EditError(say("{most:,} bytes are the most that are read of notes", most=_LARGEST))
    if path.is_file():
        return path.read_bytes()
    return b""


def _followed(before: Snapshot, after: Snapshot, held: list[HeldNote]) -> list[HeldNote]:
    """The notes where their frames are now, about the actors that they were about."""
    placed = follow(before, after, [(each.note, each.keys) for each in held])
    followed = []
    for each, (note, keys) in zip(held, placed, strict=True):
        if note.actor is not None and each.note.frames and note.frames and before is not after:
            # Where the file was rewritten beneath, its frames cannot be read: the note stays, with the id that it has.
            with suppress(OSError, RecorderError):
                actor = _same_actor(before.frame(each.note.start), after.frame(note.start), note.actor)
                note = note._replace(actor=actor)
        followed.append(each._replace(note=note, keys=keys))
    return followed


def _same_actor(before: Frame, after: Frame, actor: int) -> int:
    """The id that an actor has now: of its record in a packet that has as many records as before."""
    for packet in before:
        record = packet.decoded.find_actor(actor)
        now = after.packet(packet.name)
        if record is not None and now is not None and len(now.decoded) == len(packet.decoded):
            if now.decoded.find_actor(actor) is not None:
                return actor
            return now.decoded.actors[record]
    return actor
