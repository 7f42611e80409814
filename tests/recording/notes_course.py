"""Edits of a recording with notes, and a naive model of where the notes are then: frames with names."""

from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Edit, Recording, edits
from recorder_editor.errors import EditError, NothingToDo
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import NoteBook

from .journal.crashes import crash, restored
from .steps import turn


@dataclass
class Naive:
    """The frames by names, all states of the history, and of each note the names that it holds."""

    names: list[int]
    states: list[list[int]] = field(default_factory=list)
    at: int = 0
    held: dict[str, set[int]] = field(default_factory=dict)
    last: dict[str, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.states = [self.names]
        self.fresh = iter(range(1000, 10**6))

    def do(self, names: list[int], before: list[float], after: list[float]) -> None:
        self.states[self.at + 1 :] = [names]
        self.move(1, before, after)

    def move(self, by: int, before: list[float], after: list[float]) -> None:
        """Go to the state before or after this one; `before` and `after` are the times of the frames in both."""
        old = self.names
        self.at += by
        self.names = self.states[self.at]
        if not set(old) & set(self.names):
            self.by_time(old, before, after)
        for text in self.held:
            found = [n for n, name in enumerate(self.names) if name in self.held[text]]
            if found:
                self.last[text] = found[0], found[-1] + 1
                self.held[text] |= set(self.names[found[0] : found[-1] + 1])

    def add(self, text: str, start: int, stop: int) -> None:
        self.held[text], self.last[text] = set(self.names[start:stop]), (start, stop)

    def by_time(self, old: list[int], before: list[float], after: list[float]) -> None:
        """All frames are new ones: notes are found again by their times."""
        for text, held in self.held.items():
            if held & set(old) and not held & set(self.names):
                start, stop = self.last[text]
                end = before[stop] if stop < len(before) else float("inf")
                here = [name for name, time in zip(self.names, after, strict=True) if before[start] <= time < end]
                later = [name for name, time in zip(self.names, after, strict=True) if time >= before[start]]
                held |= set(here or later[:1] or self.names[-1:])

    def places(self) -> list[tuple[str, bool, int, int]]:
        here = {text for text, held in self.held.items() if held & set(self.names)}
        return sorted((text, text not in here, *place) for text, place in self.last.items())


class Course:
    """A recording with notes that is edited, and judged by the naive model. A subclass edits by other means."""

    def __init__(self, recording: Recording, names: list[int]) -> None:
        self.recording = recording
        self.naive = Naive(names)
        self.book = self.begin()

    def begin(self) -> NoteBook:
        return NoteBook(self.recording)

    @property
    def items(self) -> tuple[Note, ...]:
        return self.book.items

    def set(self, note: Note, instead: Note | None = None) -> None:
        self.book.set(note, instead)

    def apply(self, edit: Edit) -> None:
        self.book.follow(self.recording.apply(edit).after)

    def undo(self, *, back: bool) -> None:
        change = self.recording.undo() if back else self.recording.redo()
        if change is not None:
            self.book.follow(change.after)

    def save(self, path: Path | None) -> None:
        self.recording.save(path, overwrite=True)
        self.book.follow(self.recording.snapshot)
        self.book.save()

    def check(self) -> None:
        places = [(note.text, note.is_gone, note.start, note.stop) for note in self.items]
        assert sorted(places) == self.naive.places()


DEEDS = ("note", "note", "word", "trim", "cut", "delete", "insert", "copy", "retime", "turn", "append", "resample")
STEPS = st.lists(
    st.tuples(
        st.sampled_from((*DEEDS, "undo", "undo", "redo", "save", "save as")), st.integers(0, 99), st.integers(0, 99)
    ),
    max_size=14,
)


def step(course: Course, deed: str, a: int, z: int, number: int) -> None:
    """One thing that a person does; what is refused, and what would make the recording long, is left out."""
    recording, naive = course.recording, course.naive
    frames, before = len(recording), recording.snapshot
    start = a % frames
    stop = start + 1 + z % (frames - start)
    names = naive.names
    try:
        match deed:
            case "note":
                course.set(Note(f"n{number}", start, stop))
                return naive.add(f"n{number}", start, stop)
            case "word":
                for note in course.items[:2]:
                    course.set(note._replace(tags=("told",)), note)
                return None
            case "save" | "save as":
                return course.save(recording.path.with_name(f"as {number}.log") if deed == "save as" else None)
            case "undo" | "redo":
                course.undo(back=deed == "undo")
                if recording.snapshot is not before:
                    by = -1 if deed == "undo" else 1
                    naive.move(by, before.elapsed.tolist(), recording.snapshot.elapsed.tolist())
                return None
            case "trim":
                edit, after = edits.trim(recording, range(start, stop)), names[start:stop]
            case "cut":
                edit, after = edits.cut(recording, range(start, stop)), names[:start] + names[stop:]
            case "delete":
                edit, after = edits.delete_rows(recording, start, 1), names[:start] + names[start + 1 :]
            case "insert" | "copy":
                edit = edits.insert_frame(recording, start + 1, start if deed == "copy" else None)
                after = [*names[: start + 1], next(naive.fresh), *names[start + 1 :]]
            case "retime":
                edit, after = edits.retime(recording, 1 + z / 50), names
            case "turn":
                edit, after = turn(recording, start, z), names
            case "append":
                edit = edits.join(recording, [recording.snapshot])
                after = [*names, *(next(naive.fresh) for _ in names)]
            case _:
                edit, after = edits.resample(recording, (1 + a % 20) / 50), []
    except (EditError, NothingToDo):
        return None
    if 0 < len(recording.snapshot.after(edit)) <= 60:
        course.apply(edit)
        after = after or [next(naive.fresh) for _ in range(len(recording))]
        naive.do(after, before.elapsed.tolist(), recording.snapshot.elapsed.tolist())
    return None


def end(course: Course, *, crashes: bool, waits: bool = False) -> Recording:
    """The recording opened again: saved before, or after a crash; `waits`: a note was made before it was restored."""
    recording = course.recording
    if not crashes or not recording.is_modified:
        recording.close()
        return recorder_editor.open(recording.path)
    crash(recording)
    if waits:
        with recorder_editor.open(recording.path) as without:
            without.keep_journal()
            book = NoteBook(without)
            book.set(Note("meanwhile", 0, 1))
            book.save()
    again = restored()
    again.keep_journal()
    return again
