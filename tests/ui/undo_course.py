"""Anything a person does in a window, taken back and done again, beside a list of the states that it went through."""

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

import recorder_editor
from recorder_editor import Edit, edits
from recorder_editor.edits import segments
from recorder_editor.errors import EditError
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import NoteBook
from recorder_editor.recording.recovery import find_leftovers
from recorder_editor.ui.session import Session
from tests.recording.journal.crashes import crash, restored
from tests.recording.steps import content, turn


class Shown(NamedTuple):
    """What a window shows: the bytes, notes, segments, and the range."""

    data: bytes
    notes: frozenset[Note]
    segments: tuple[segments.Segment, ...]
    range: tuple[int, int] | None

    def words(self, strange: set[str]) -> tuple[list[tuple[str, str]], list[tuple[str, str, bool]]]:
        """Notes and segments without their frames, and without the notes that another window had a hand in."""
        notes = [(each.text, each.color) for each in self.notes if name_of(each.text) not in strange]
        return sorted(notes), [(each.name, each.color, each.is_on) for each in self.segments]


@dataclass
class Done:
    """A step: its name, what was shown before and after it, whether it is one beside the file.

    `is_exact`: nothing was put beneath it since, or restored after a crash, so that both states come back to the frame.
    """

    label: str
    before: Shown
    after: Shown
    is_mark: bool
    note: str = ""
    is_exact: bool = True


def name_of(text: str) -> str:
    return text.split()[0]


class UndoCourse:
    """A session, and what it must show."""

    def __init__(self, session: Session, path: Path, random: Random) -> None:
        self.session = session
        self.path = path
        self.random = random
        self.done: list[Done] = []
        self.at = 0
        self.strange: set[str] = set()  # notes of another window, and those that it changed or deleted
        self.written: set[str] = set()  # those that the other window changed or deleted
        self.count = 0
        session.open(path)

    def shown(self) -> Shown:
        recording = self.session.recording
        assert recording is not None
        notes = frozenset(note._replace(keys="") for note in self.session.notes.items)
        return Shown(content(recording), notes, self.session.segments.items, self.session.range.value)

    def run(self, steps: int) -> None:
        deeds = (
            *(self.edit,) * 4,
            *(self.note,) * 3,
            *(self.segment,) * 3,
            *(self.range,) * 2,
            *(self.undo,) * 5,
            *(self.redo,) * 4,
            self.save,
            self.jump,
            self.crash,
            self.other_window,
        )
        for _ in range(steps):
            self.random.choice(deeds)()
            self.check()

    def check(self) -> None:
        """The names of Undo and Redo, of History, and what counts as an edit."""
        session, recording = self.session, self.session.recording
        assert recording is not None
        assert [each.label for each in session.steps.entries] == [each.label for each in self.done]
        assert session.steps.position == self.at
        assert session.steps.undo_label == (self.done[self.at - 1].label if self.at else "")
        assert session.steps.redo_label == (self.done[self.at].label if self.at < len(self.done) else "")
        applied = sum(not each.is_mark for each in self.done[: self.at])
        assert recording.history.position == applied
        assert recording.is_modified or content(recording) == session.path.read_bytes()

    # --- what is done ---------------------------------------------------------------------------------------

    def _take(self, before: Shown, *, is_mark: bool, note: str = "") -> None:
        """A step was done: it must stand before the position, and nothing else may have changed in what is done."""
        steps, after = self.session.steps, self.shown()
        undone = self.done[self.at :]
        entry = steps.entries[steps.position - 1]
        if is_mark:
            assert after.data == before.data
            kept = [each for each in undone if not each.is_mark]
            for each in kept:
                each.is_exact = False
        else:
            kept = []
        self.done = [*self.done[: self.at], Done(entry.label, before, after, is_mark, note), *kept]
        self.at += 1

    def edit(self) -> None:
        session, random = self.session, self.random
        before, snapshot, frames = self.shown(), session.snapshot_or_refuse(), session.frames
        kind = random.choice(("turn", "cut", "insert", "trim"))
        gesture = None
        made: Edit
        try:
            if kind == "turn":
                made = turn(session.recording, random.randrange(frames), random.uniform(-90, 90))
                gesture = random.choice((None, "drag"))
            elif kind == "cut" and frames > 4:
                start = random.randrange(frames - 2)
                made = edits.cut(snapshot, range(start, start + random.randrange(1, 3)))
            elif kind == "trim" and session.range.is_set and len(session.range.frames) > 4:
                made = edits.trim(snapshot, session.range.frames)
            else:
                kind = "insert"
                made = edits.insert_frame(snapshot, random.randrange(frames + 1), None)
        except EditError:
            return
        number = session.steps.position
        last = self.done[self.at - 1] if self.at else None
        session.editing.apply(made, gesture=gesture, clears_range=kind == "trim")
        if session.steps.position == number and last is not None:  # it joined the step before it
            assert not last.is_mark
            last.after, last.label = self.shown(), session.steps.entries[number - 1].label
            del self.done[self.at :]
        else:
            self._take(before, is_mark=False)

    def note(self) -> None:
        notes, random = self.session.notes, self.random
        before = self.shown()
        own = [at for at, each in enumerate(notes.items) if name_of(each.text) not in self.strange]
        kind = random.choice(("add", "change", "delete", "bookmark"))
        self.count += 1
        if kind == "change" and own:
            at = random.choice(own)
            name = name_of(notes.items[at].text)
            notes.change(at, text=f"{name} {self.count}", color=random.choice(("#112233", "#CCBB44")))
        elif kind == "delete" and own:
            at = random.choice(own)
            name = name_of(notes.items[at].text)
            notes.remove(at)
        else:
            name = f"n{self.count}"
            start = random.randrange(self.session.frames)
            if kind == "bookmark":
                notes.bookmark(name, start)
            else:
                notes.make(name, range(start, min(start + 3, self.session.frames)), random.choice((None, 100)))
        self._take(before, is_mark=True, note=name)

    def segment(self) -> None:
        listed, random = self.session.segments, self.random
        before, steps = self.shown(), self.session.steps.version
        kind = random.choice(("split", "add", "change", "delete", "move", "drag"))
        items = listed.items
        if kind == "add" or not items:
            start = random.randrange(self.session.frames - 1)
            listed.add(range(start, start + 2))
        elif kind == "split":
            listed.split(random.randrange(self.session.frames))
        elif kind == "change":
            listed.change(random.randrange(len(items)), is_on=random.random() < 0.5, name=f"s{self.count}")
        elif kind == "delete":
            listed.remove(random.randrange(len(items)))
        elif kind == "move":
            listed.move(random.randrange(len(items)), random.randrange(len(items)))
        else:
            self.count += 1
            at = random.randrange(len(items))
            for _ in range(3):  # a mouse that moves an end
                listed.change(at, f"drag {self.count}", stop=random.randrange(1, self.session.frames + 1))
        if self.session.steps.version != steps:
            self._take_or_nothing(before)

    def range(self) -> None:
        chosen, random = self.session.range, self.random
        before, steps = self.shown(), self.session.steps.version
        kind = random.choice(("in", "out", "set", "clear", "drag"))
        if kind == "in":
            chosen.set_in(random.randrange(self.session.frames))
        elif kind == "out":
            chosen.set_out(random.randrange(self.session.frames))
        elif kind == "clear":
            chosen.clear()
        elif kind == "set":
            start = random.randrange(self.session.frames)
            chosen.set(start, start + random.randrange(1, 8))
        else:
            self.count += 1
            for _ in range(3):
                start = random.randrange(self.session.frames)
                chosen.set(start, start + 3, gesture=f"drag {self.count}")
        if self.session.steps.version != steps:
            self._take_or_nothing(before)

    def _take_or_nothing(self, before: Shown) -> None:
        """A drag that ends where it began is no step; what was undone and could be done again beside it is gone."""
        if self.shown() != before:
            self._take(before, is_mark=True)
        else:
            self.done[self.at :] = [each for each in self.done[self.at :] if not each.is_mark]

    # --- taken back and done again --------------------------------------------------------------------------

    def undo(self) -> None:
        self._move(-1)

    def redo(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        present, messages = self.shown(), list(self.session.messages)
        (self.session.editing.undo if by < 0 else self.session.editing.redo)()
        step_at = self.at - 1 if by < 0 else self.at
        if not 0 <= step_at < len(self.done):
            assert self.shown() == present
            return
        step = self.done[step_at]
        if step.note in self.written and len(self.session.steps.entries) < len(self.done):
            # The other window changed or deleted its note: that is told, and the step is gone.
            assert "Another window changed or deleted this note" in self.session.messages[-1]
            assert self.shown().data == present.data
            assert self.shown().segments == present.segments
            del self.done[step_at]
            self.at -= by < 0
            return
        self.at += by
        wanted, now = (step.before if by < 0 else step.after), self.shown()
        assert now.data == wanted.data
        if not step.is_exact:
            if not step.is_mark:
                assert now.words(self.strange)[0] == present.words(self.strange)[0]
            return
        assert now.words(self.strange) == wanted.words(self.strange)
        assert now.segments == wanted.segments
        assert now.range == wanted.range
        assert self._own(now) == self._own(wanted)
        assert list(self.session.messages)[: len(messages)] == messages

    def _own(self, shown: Shown) -> set[Note]:
        own = {each for each in shown.notes if name_of(each.text) not in self.strange}
        return {each._replace(start=0, stop=0) if each.is_gone else each for each in own}

    def jump(self) -> None:
        """A click in History: many steps at once lead to the same as one after another."""
        if self.strange or any(not each.is_exact for each in self.done):
            return
        to = self.random.randrange(len(self.done) + 1)
        wanted = self.shown()
        if to < self.at:
            wanted = self.done[to].before
        elif to > self.at:
            wanted = self.done[to - 1].after
        self.session.editing.go_to_step(to)
        self.at = to
        assert self.shown() == wanted

    # --- what lies between ----------------------------------------------------------------------------------

    def save(self) -> None:
        before = self.shown()
        self.session.editing.save()
        assert self.path.read_bytes() == before.data
        assert self.shown() == before

    def other_window(self) -> None:
        """Another window of the same file adds a note, and changes or deletes one."""
        self.session.notes.finish()
        random = self.random
        with recorder_editor.open(self.path) as recording:
            book = NoteBook(recording)
            self.count += 1
            name = f"theirs{self.count}"
            book.set(Note(name, 0, 1))
            self.strange.add(name)
            own = [each for each in book.items if name_of(each.text) not in self.strange]
            if own:
                note = random.choice(own)
                book.set(random.choice((None, note._replace(text=f"{note.text} theirs"))), note)
                self.strange.add(name_of(note.text))
                self.written.add(name_of(note.text))
            book.save()

    def crash(self) -> None:
        """The process is gone: the edits come back, notes and segments are those beside the file."""
        session, recording = self.session, self.session.recording
        assert recording is not None
        session.notes.finish()
        before, applied = self.shown(), recording.history.position
        is_saved = not recording.is_modified
        session.segments.keep()
        assert session.recording is not None
        crash(recording)
        session.recording = None  # nobody is there to close it
        leftovers = find_leftovers()
        every = [each for each in self.done if not each.is_mark]
        if leftovers:
            again = restored(leftovers[0])
            first = applied - again.history.position
            self.done = every[first : first + len(again.history.steps)]
            self.at = again.history.position
            session.show(again)
        else:
            assert is_saved
            self.done = []
            self.at = 0
            session.open(self.path)
        for each in self.done:
            each.is_exact = False
        now = self.shown()
        assert now.data == before.data
        assert self._own(now) == self._own(before)
        if is_saved:
            assert now.segments == before.segments
        assert now.range is None
