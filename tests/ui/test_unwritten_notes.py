"""A note that could not be written is said so, written as soon as that is possible, and asked for before it is lost."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.recording.atomic_file import reserve
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import notes_path, read_notes, write_notes
from recorder_editor.ui.dialogs.closing import ClosePrompt, UnwrittenPrompt
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.widgets import Label

from .. import builders as b
from .parts import Parts, begin_anew
from .windows import OpenWindow, idle

MARKERS = b"<<<<<<< HEAD\n"


@contextmanager
def a_full_disk(path: Path) -> Iterator[None]:
    replace = os.replace

    def full(source: Any, target: Any) -> None:
        if str(target) == str(notes_path(path)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        replace(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", full)
        yield


@contextmanager
def another_that_writes(path: Path) -> Iterator[None]:
    with reserve(notes_path(path), overwrite=True):
        yield


@contextmanager
def conflict_markers(path: Path) -> Iterator[None]:
    file = notes_path(path)
    sound = file.read_bytes()
    file.write_bytes(sound.replace(b"\n,", b"\n" + MARKERS + b",", 1))
    yield
    mark, notes = read_notes(sound)
    file.write_bytes(write_notes(mark, [*notes, Note("of the merge", 7, 8)]))


OBSTACLES = {
    "a full disk": (a_full_disk, "No space left on device.", ["before", "mine"]),
    "another that writes": (
        another_that_writes,
        "town 1.log.notes.json is being written by another window or process, which holds the file .town 1.log",
        ["before", "mine"],
    ),
    "conflict markers": (conflict_markers, "Line 2: This is not JSON", ["before", "mine", "of the merge"]),
}

part = Parts()


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.show()
    idle(window, qtbot)
    return window


def texts(path: Path) -> list[str]:
    file = notes_path(path)
    return sorted(note.text for note in read_notes(file.read_bytes())[1]) if file.exists() else []


def make_a_note(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    window.session.notes.make("before", range(3, 4))
    qtbot.waitUntil(lambda: texts(path) == ["before"])


def prompt_of(window: MainWindow, qtbot: QtBot) -> UnwrittenPrompt:
    def is_there() -> bool:
        return any(each.isVisible() for each in window.findChildren(UnwrittenPrompt))

    qtbot.waitUntil(is_there)
    return next(each for each in window.findChildren(UnwrittenPrompt) if each.isVisible())


def said(prompt: UnwrittenPrompt) -> list[str]:
    return [label.text() for label in prompt.findChildren(Label) if label.text()]


@part.each("what", OBSTACLES)
def it_is_said_that_a_note_is_not_written_and_it_is_when_the_obstacle_goes(
    window: MainWindow, path: Path, qtbot: QtBot, what: str
) -> None:
    obstacle, reason, afterwards = OBSTACLES[what]
    session = window.session
    with obstacle(path):
        session.notes.make("mine", range(5, 6))
        qtbot.waitUntil(lambda: session.notes.reason != "")
        assert session.messages[-1].startswith("1 note is not written yet, and is tried again: ")
        assert reason in session.messages[-1]
        assert "another name" not in session.messages[-1]
        assert session.notes.unwritten == ("mine",)
        told = len(session.messages)
    qtbot.waitUntil(lambda: session.notes.reason == "")
    assert texts(path) == afterwards
    assert sorted(note.text for note in session.notes.items) == afterwards
    assert list(session.messages)[told:] == ["The notes are written."]


@part
def each_note_that_is_not_written_is_told_once_and_how_many_there_are(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    session = window.session
    with a_full_disk(path):
        session.notes.change(0, text="changed")
        qtbot.waitUntil(lambda: session.notes.reason != "")
        assert session.notes.unwritten == ("changed",)
        session.notes.make("mine", range(5, 6))
        qtbot.waitUntil(lambda: session.messages[-1].startswith("2 notes are not written yet"))
        assert list(session.notes.unwritten) == ["changed", "mine"]


@part
def opening_another_file_asks_after_the_unsaved_edits_were_asked_for(
    window: MainWindow, path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    other = tmp_path / "other.log"
    other.write_bytes(b.drive(5))
    session = window.session
    with a_full_disk(path):
        session.notes.make("mine", range(5, 6))
        session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 0, 1))
        window.documents.open(other)
        qtbot.waitUntil(lambda: bool(window.findChildren(ClosePrompt)))
        (edits_prompt,) = window.findChildren(ClosePrompt)
        assert not window.findChildren(UnwrittenPrompt)
        edits_prompt.buttons["Discard"].click()
        prompt = prompt_of(window, qtbot)
        assert session.path == path
    prompt.buttons["Write again"].click()
    qtbot.waitUntil(lambda: session.path == other and session.is_complete)
    assert texts(path) == ["before", "mine"]
    idle(window, qtbot)


@part
def notes_of_a_saved_recording_that_could_not_follow_it_are_unwritten(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    session = window.session
    with another_that_writes(path):
        session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 0, 1))
        session.editing.save()
        qtbot.waitUntil(lambda: session.notes.unwritten == ("before",))
    qtbot.waitUntil(lambda: session.notes.reason == "")
    assert [note.start for note in read_notes(notes_path(path).read_bytes())[1]] == [2]


@part
def notes_that_another_window_wrote_come_and_go_with_the_next_change(
    window: MainWindow, open_window: OpenWindow, path: Path, qtbot: QtBot
) -> None:
    second = open_window(path)
    second.session.notes.make("second", range(8, 9))
    qtbot.waitUntil(lambda: texts(path) == ["before", "second"])
    changed: list[object] = []
    window.session.notes.changed.connect(lambda: changed.append([note.text for note in window.session.notes.items]))
    window.session.notes.make("first", range(5, 6))
    qtbot.waitUntil(lambda: texts(path) == ["before", "first", "second"])
    qtbot.waitUntil(lambda: changed[-1:] == [["before", "first", "second"]])
    second.session.notes.remove(0)
    qtbot.waitUntil(lambda: texts(path) == ["first", "second"])
    window.session.notes.make("more", range(9, 10))
    qtbot.waitUntil(lambda: changed[-1:] == [["first", "second", "more"]])


@part
def closing_can_be_given_up_or_the_notes(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    session = window.session
    with a_full_disk(path):
        session.notes.make("mine", range(5, 6))
        session.notes.remove(0)
        window.close()
        prompt = prompt_of(window, qtbot)
        assert {"•  mine", "•  Deleted: before"} < set(said(prompt))
        prompt.buttons["Cancel"].click()
        qtbot.waitUntil(lambda: not window.findChildren(UnwrittenPrompt))
        assert window.isVisible()
        assert [note.text for note in session.notes.items] == ["mine"]
        window.close()
        prompt_of(window, qtbot).buttons["Discard"].click()
        qtbot.waitUntil(lambda: session.recording is None)
    assert texts(path) == ["before"]


@pytest.mark.sampled(cases=2)
@pytest.mark.parametrize("what", OBSTACLES)
def test_closing_the_window_asks_and_writes_again(window: MainWindow, path: Path, qtbot: QtBot, what: str) -> None:
    obstacle, reason, afterwards = OBSTACLES[what]
    make_a_note(window, path, qtbot)
    with obstacle(path):
        window.session.notes.make("mine", range(5, 6))
        window.close()
        prompt = prompt_of(window, qtbot)
        assert window.isVisible()
        assert "Write the notes of town 1.log?" in said(prompt)
        assert any(text.startswith("1 note could not be written: ") and reason in text for text in said(prompt))
        assert "•  mine" in said(prompt)
        prompt.buttons["Write again"].click()
        prompt = prompt_of(window, qtbot)  # it still cannot be
    prompt.buttons["Write again"].click()
    qtbot.waitUntil(lambda: window.session.recording is None)
    assert texts(path) == afterwards


def test_notes_that_are_not_written_yet(
    window: MainWindow, open_window: OpenWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    begin_with_a_copy = begin_anew(window, path, qtbot)

    def begin() -> dict[str, Path]:
        own = begin_with_a_copy()
        make_a_note(window, own["path"], qtbot)
        return own

    part.run(subtests, begin, window=window, open_window=open_window, tmp_path=path.parent, qtbot=qtbot)
