"""Before edits or notes would be lost: the question what becomes of them, and the list of what would be lost."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from ...recording.history import History
from ...texts import say, say_count
from ..style.boxes import Does
from ..style.theme import Theme
from .base import Question

_SHOWN = 8
_LONGEST = 200  # letters of one: a note may be a page


def unsaved(history: History) -> tuple[str, ...]:
    """The labels of what the file does not hold, oldest first; `Undone: ...` for saved edits that were taken back."""
    saved = history.clean_position
    if saved is None:
        return tuple(step.label for step in history.steps[: history.position])
    if saved <= history.position:
        return tuple(step.label for step in history.steps[saved : history.position])
    return tuple(say("Undone: {label}", label=step.label) for step in history.steps[history.position : saved])


class ClosePrompt(Question):
    """Asks what becomes of unsaved edits."""

    def __init__(
        self, theme: Theme, name: str, labels: tuple[str, ...], save: Does, discard: Does, parent: QWidget | None = None
    ) -> None:
        answers = ((say("Save"), save), (say("Discard"), discard), (say("Cancel"), lambda: None))
        super().__init__(theme, answers, parent)
        count = len(labels)
        if count:
            words = say_count("1 unsaved edit:", "{count:,} unsaved edits:", count=count)
        else:
            words = say("There are unsaved edits.")
        heading = say("Save the edits to {name}?", name=name)
        self.say(say("Unsaved edits"), heading, words)
        _list(self, labels)


class UnwrittenPrompt(Question):
    """Asks what becomes of what could not be written: notes, or what the program remembers."""

    def __init__(self, theme: Theme, write: Does, discard: Does, parent: QWidget | None = None) -> None:
        answers = ((say("Write again"), write), (say("Discard"), discard), (say("Cancel"), lambda: None))
        super().__init__(theme, answers, parent)

    def ask_of_notes(self, name: str, texts: Sequence[str], reason: str) -> None:
        """Ask of the notes of a recording."""
        heading = say("Write the notes of {name}?", name=name)
        self.say(
            say("Unwritten notes"),
            heading,
            say_count(
                "1 note could not be written: {reason}",
                "{count:,} notes could not be written: {reason}",
                count=len(texts),
                reason=reason,
            ),
        )
        _list(self, texts)
        self.open_()

    def ask_of_settings(self, path: Path) -> None:
        """Ask of the file that holds what the program remembers."""
        words = say("Segments, workspaces, filters and recent files could not be written to this file:")
        self.say(say("Unwritten settings"), say("Write what the program remembers?"), words)
        self.add_path(str(path))
        self.open_()


def _list(question: Question, texts: Sequence[str]) -> None:
    """List what would be lost: the newest, and how many there are before them."""
    shown = texts[-_SHOWN:]
    if len(texts) > len(shown):
        earlier = f"{len(texts) - len(shown):,}"
        question.add_line(say("{earlier} earlier ones", earlier=earlier), small=True, muted=True)
    for text in shown:
        if len(text) > _LONGEST:
            text = f"{text[: _LONGEST - 1]}…"
        question.add_line(f"•  {text}")
