"""Notes about frames, ranges and actors, and the file beside a recording that keeps them.

The file is JSON, an array: an object with the fingerprint of the recording, then each note, one a line that begins with
its comma, so that version control merges it line by line. Frames are those of the recording as it was saved.
"""

import hashlib
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from ..arrays import IntArray
from ..errors import EditError, RecorderError, error_sentence, say
from ..format import read_json
from ..format.json_text import json_of, shown
from ..sentences import Measure
from .atomic_file import write_file
from .frame_keys import FrameKeys, follow
from .recording import Recording
from .snapshot import Frame, Snapshot

ENDING, FORM = ".notes.json", 1
COLOR = "#CCBB44"
_LARGEST = 64 << 20
_NO_MARK = "-"
_SPREAD, _MOST_OF_A_FRAME = 16, 1 << 16
_KINDS = {"frame": int, "last": int, "actor": int, "text": str, "color": str, "tags": list, "gone": bool, "keys": str}
_UNSAVED_KEYS = re.compile(r"(\S+) (\d{1,18}) (\d{1,18})")
_NUMBERS = {"frame": range(1, 1 << 62), "last": range(1, 1 << 62), "actor": range(1 << 32)}


class Note(NamedTuple):
    """A text about the frames `[start, stop)`, or about an actor in them.

    Attributes: `actor` (its id there, or None), `color` (`#RRGGBB`), `tags`, `is_gone` (the frames, once these, are no
    longer in the recording), `keys` (in the file: the journal that has its frames, and keys of the first and the
    last of them), `more` (further members of its object in the file).
    """

    text: str
    start: int
    stop: int
    actor: int | None = None
    color: str = COLOR
    tags: tuple[str, ...] = ()
    is_gone: bool = False
    keys: str = ""
    more: tuple[tuple[str, Any], ...] = ()

    @property
    def frames(self) -> range:
        """Its frames; none of one that is gone."""
        return range(0) if self.is_gone else range(self.start, self.stop)

    def placed(self, span: range) -> Self:
        """The note at these frames; without any it keeps the numbers that its own had."""
        return self._replace(start=span.start, stop=span.stop, is_gone=False) if span else self._replace(is_gone=True)

    @property
    def place(self) -> tuple[bool, int, int]:
        """By what notes are sorted: those that are gone come last."""
        return self.is_gone, self.start, self.stop

    @property
    def tag_text(self) -> str:
        """Its tags as they are written: `#brakes #to do`."""
        return " ".join(f"#{tag}" for tag in self.tags)

    def as_json(self) -> dict[str, Any]:
        """Its object in the file; what it does not have is left out."""
        last, gone = self.stop if self.stop > self.start + 1 else None, self.is_gone or None
        here = self.start + 1, last, self.actor, self.text, self.color, [*self.tags] or None, gone, self.keys or None
        return {name: value for name, value in (*zip(_KINDS, here, strict=True), *self.more) if value is not None}


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
    mark, notes = "", list[Note]()
    for number, line in items:
        try:
            item = read_json(line, unique=True)
            if mark:
                notes.append(_note(item))
            elif isinstance(item, dict) and item.get("notes") == FORM:
                mark = str(item.get("fingerprint") or _NO_MARK)
            else:
                raise EditError(say("recording.no_notes", form=FORM))
        except RecorderError as error:
            raise EditError(say("edits.in_line", line=number, message=error.message)) from None
    return mark, notes


def _note(item: Any) -> Note:
    if not isinstance(item, dict):
        raise EditError(say("recording.no_note", shown=shown(item)))
    first, color = item.get("frame", 0), item.get("color", COLOR)
    for name in sorted({*item, "frame", "text"} & {*_KINDS}):
        value, numbers = item.get(name), _NUMBERS.get(name)
        is_fine = type(value) is _KINDS[name] and (numbers is None or value in numbers)
        is_fine = is_fine and (name != "tags" or all(isinstance(tag, str) for tag in item["tags"]))
        if not is_fine or (name == "color" and not re.fullmatch("#[0-9A-Fa-f]{6}", color)):
            raise EditError(say("recording.note_member", name=name, shown=shown(value)))
    tags, stop, gone = tuple(item.get("tags", ())), max(first, item.get("last", first)), item.get("gone", False)
    more = tuple((name, value) for name, value in item.items() if name not in _KINDS)
    return Note(item["text"], first - 1, stop, item.get("actor"), color, tags, gone, item.get("keys", ""), more)


def write_notes(mark: str, notes: Iterable[Note]) -> bytes:
    """The bytes of the file, sorted by frames; `mark` is the fingerprint."""
    lines = sorted((note.start, note.stop, json_of(note.as_json())) for note in notes)
    head = json_of({"notes": FORM, "fingerprint": mark})
    return ("[" + "\n,".join([head, *(line for *_, line in lines)]) + "\n]\n").encode()


def note_lines(snapshot: Snapshot) -> Iterator[str]:
    """The notes of the state that is shown in words, one a line: frames, time, actor, text, tags."""
    for note in snapshot.derived.notes:
        frames = f"{note.start + 1}" + (f"-{note.stop}" if note.stop > note.start + 1 else "")
        place = [frames, f"{Measure(snapshot.elapsed[note.start]):.3f} s"] if note.frames else ["-"]
        actor = "" if note.actor is None else say("recording.note_actor", actor=note.actor)
        yield "  ".join(filter(None, [*place, actor, " ".join(note.text.split()), note.tag_text]))


# --- the notes of an open recording ---------------------------------------------------------------------


class NoteBook:
    """The notes of an open recording, which follow its edits: what comes to stand between frames of a note is its own.

    Attributes: `items` (in the order of their frames, those that are gone last), `error` (why they cannot be read, and
    are not written; empty where they can), `doubt` (a sentence that they may be those of another content, or nothing).
    """

    def __init__(self, recording: Recording) -> None:
        self._recording, self._path, self._known = recording, notes_path(recording.path), b""
        self._journal = recording.journal.path.stem if recording.journal is not None else ""
        self._shown = recording.snapshot
        self._held: list[tuple[Note, IntArray]] = []
        self.items: tuple[Note, ...] = ()
        self.error, self.doubt, self._mark = "", "", ""
        try:
            self._mark = fingerprint(recording.saved)
            found = self.take_over(self._path)
            self._known = _bytes_of(self._path)
            if found not in ("", self._mark):
                self.doubt = say("recording.unmarked_notes" if found == _NO_MARK else "recording.foreign_notes")
        except (OSError, RecorderError) as error:
            self.error = say("errors.file", file=self._path.name, reason=error_sentence(error))

    def set(self, note: Note | None, instead: Note | None = None) -> None:
        """Have a note; instead of another one, or with None without it. Raises `EditError`.

        One that stands where the other did goes on following its frames.
        """
        if self.error:
            raise EditError(say("recording.note_not_kept", reason=self.error))
        rest = [pair for pair in self._held if pair[0] is not instead]
        if note is not None:
            before = (held for each, held in self._held if each is instead and each.place == note.place)
            rest.append((note, next(before, FrameKeys(self._shown).of(note))))
        self._have(rest)

    def follow(self, after: Snapshot) -> None:
        """Show the notes as they are in a state of the recording, which came of the one shown before."""
        before, self._shown = self._shown, after
        self._have(_followed(before, after, self._held))

    def save(self) -> None:
        """Write the file beside the recording, if something changed; notes that others wrote there meanwhile stay.

        Raises `EditError`, `SaveRefused`, OSError.
        """
        path, saved = notes_path(self._recording.path), self._recording.saved
        if self.error:
            raise EditError(self.error)
        data = _bytes_of(path)
        if data != (self._known if path == self._path else b""):
            self.take_over(path, is_other=path != self._path)
        written = write_notes(fingerprint(saved), self._in_file(saved)) if self._held or data else b""
        if written != data:
            write_file(path, written)
        self._path, self._known = path, written

    def others(self, elsewhere: Iterable[Path] = ()) -> Path | None:
        """A file with notes of the same content under another name: in the same folder, or one of `elsewhere`."""
        for path in [*sorted(self._path.parent.glob(f"*{ENDING}")), *elsewhere]:
            with suppress(OSError, RecorderError):
                if path != self._path and read_notes(_bytes_of(path).partition(b"\n")[0])[0] == self._mark != "":
                    return path
        return None

    def take_over(self, path: Path, *, is_other: bool = False) -> str:
        """Have the notes of a file, too, that were not known of it; the frames of `is_other` recording are gone here.

        Returns the fingerprint in the file. Raises `EditError`, OSError.
        """
        shown, (mark, notes), (_, known) = self._shown, read_notes(_bytes_of(path)), read_notes(self._known)
        journal = self._recording.journal
        journals = {each.stem for each in journal.path.parent.iterdir()} if journal is not None else set()
        self.follow(self._recording.saved)
        saved = FrameKeys(self._shown)
        for note in (note for note in notes if note not in known):
            keys = _UNSAVED_KEYS.fullmatch(note.keys)
            is_recovered = keys is not None and keys[1] == self._journal
            waits = keys is not None and not is_recovered and keys[1] in journals
            made = note._replace(is_gone=note.is_gone or is_other or is_recovered, keys=note.keys if waits else "")
            held = np.array(keys.groups()[1:], np.int64) if keys and is_recovered else saved.of(made)
            self._held.append((made, held))
        self.follow(shown)
        return mark

    def _in_file(self, saved: Snapshot) -> Iterator[Note]:
        """The notes as they are in the saved state; keys tell a recovery of the journal the frames that it lacks.

        Those of a journal that is still to be restored stay as they are.
        """
        keys, shown = FrameKeys(saved), FrameKeys(self._shown)
        for (note, held), (placed, _) in zip(self._held, _followed(self._shown, saved, self._held), strict=True):
            own = shown.of(note)
            first, last = (own if len(own) else held)[[0, -1]] if len(held) else (0, 0)
            differs = len(keys.frames(own)) < len(own) or note.is_gone > placed.is_gone
            yield placed._replace(keys=f"{self._journal} {first} {last}" if differs else note.keys)

    def _have(self, held: Iterable[tuple[Note, IntArray]]) -> None:
        self._held = sorted(held, key=lambda pair: pair[0].place)
        self.items = self._shown.derived.notes = tuple(note for note, _ in self._held)


def _bytes_of(path: Path) -> bytes:
    """The bytes of the file; none where there is no file. Raises `EditError` for too large a one, OSError."""
    if path.is_file() and path.stat().st_size > _LARGEST:
        raise EditError(say("recording.notes_too_large", most=_LARGEST))
    return path.read_bytes() if path.is_file() else b""


def _followed(before: Snapshot, after: Snapshot, held: list[tuple[Note, IntArray]]) -> list[tuple[Note, IntArray]]:
    """The notes where their frames are now, about the actors that they were about."""
    made = follow(before, after, held)
    for at, ((old, _), (note, own)) in enumerate(zip(held, made, strict=True)):
        if note.actor is not None and old.frames and note.frames and before is not after:
            actor = _same_actor(before.frame(old.start), after.frame(note.start), note.actor)
            made[at] = note._replace(actor=actor), own
    return made


def _same_actor(before: Frame, after: Frame, actor: int) -> int:
    """The id that an actor has now: of its record in a packet that has as many records as before."""
    for packet in before:
        record, now = packet.decoded.find_actor(actor), after.packet(packet.name)
        if record is not None and now is not None and len(now.decoded) == len(packet.decoded):
            return actor if now.decoded.find_actor(actor) is not None else now.decoded.actors[record]
    return actor
