"""Before edits would be lost: Save, Discard or Cancel, and the list of what would be lost."""

from PySide6.QtWidgets import QWidget

from ...recording.history import History
from ...sentences import say
from ..boxes import Does
from ..language import tr
from ..theme import Theme
from .base import Question

_SHOWN = 8


def unsaved(history: History) -> tuple[str, ...]:
    """The labels of what the file does not hold, oldest first; `Undone: ...` for saved edits that were taken back."""
    saved = history.clean_position
    if saved is None:
        return tuple(step.label for step in history.steps[: history.position])
    if saved <= history.position:
        return tuple(step.label for step in history.steps[saved : history.position])
    return tuple(say("recording.undone", label=step.label) for step in history.steps[history.position : saved])


class ClosePrompt(Question):
    """Asks what becomes of unsaved edits."""

    def __init__(
        self, theme: Theme, name: str, labels: tuple[str, ...], save: Does, discard: Does, parent: QWidget | None = None
    ) -> None:
        answers = ((tr("Save"), save), (tr("Discard"), discard), (tr("Cancel"), lambda: None))
        super().__init__(theme, answers, parent)
        count = len(labels)
        words = say("ui.unsaved_edits", count=count) if count else tr("There are unsaved edits.")
        heading = tr("Save the edits to %1?").replace("%1", name)
        self.say(tr("Unsaved edits"), heading, words)
        shown = labels[-_SHOWN:]
        if count > len(shown):
            self.add_line(tr("%1 earlier ones").replace("%1", f"{count - len(shown):,}"), small=True, muted=True)
        for text in shown:
            self.add_line(f"•  {text}")
