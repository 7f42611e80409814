"""What a crash left: offered one after another when the program starts, and whenever somebody asks.

Knows no file of a journal; restoring is the documents' business.
"""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ...errors import RecorderError
from ...recording.recovery import Leftover, find_leftovers, has_leftovers
from ...texts import say
from ..style.theme import Theme
from .documents import Documents


class Recovery(QObject):
    """The leftovers as one window, the parent of dialogs, offers them.

    Signals: `changed()` (one was restored or discarded), `seen()` (there are some where there were none, or the other
    way round).
    """

    changed = Signal()
    seen = Signal()

    def __init__(self, documents: Documents, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.documents = documents
        self.theme = theme
        self.window = window
        self._is_any = False
        documents.restore_ended.connect(self.changed)

    def paths(self) -> tuple[Path, ...]:
        """The recordings whose edits were found, the newest first."""
        leftovers = find_leftovers()
        self._know(bool(leftovers))
        return tuple(leftover.path for leftover in leftovers)

    def look(self) -> None:
        """Look whether there are any; journals are not read."""
        self._know(has_leftovers())

    def _know(self, is_any: bool) -> None:
        if is_any != self._is_any:
            self._is_any = is_any
            self.seen.emit()

    def ask(self) -> bool:
        """Offer what was found; False where nothing was."""
        leftovers = find_leftovers()
        self._ask(leftovers)
        return bool(leftovers)

    def disabled_reason(self) -> str:
        """The sentence that nothing was found when last looked; empty where something may have been."""
        if self._is_any:
            return ""
        return self._nothing()

    def ask_or_say(self) -> None:
        """Offer what was found, or say that nothing was."""
        if not self.ask():
            self.documents.session.informed.emit(self._nothing())

    def _nothing(self) -> str:
        return say("No unsaved edits of earlier runs were found.")

    def _ask(self, leftovers: list[Leftover]) -> None:
        if not leftovers:
            return
        from ..dialogs.recovery import RecoveryDialog

        first = leftovers[0]
        rest = leftovers[1:]

        def restore() -> None:
            self.documents.restore(first)
            self._ask(rest)

        def discard() -> None:
            self._discard(first)
            self._ask(rest)

        dialog = RecoveryDialog(self.theme, first, restore, discard, lambda: self._ask(rest), self.window)
        dialog.open_()

    def _discard(self, leftover: Leftover) -> None:
        name = Path(leftover.path).name
        try:
            leftover.discard()
        except (RecorderError, OSError) as error:
            self.documents.tell(say("The edits of {name} were not discarded", name=name), error)
        self.changed.emit()
