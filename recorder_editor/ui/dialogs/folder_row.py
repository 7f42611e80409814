"""The folder of edits that are not saved: where it is, how much it holds, and what of that can go."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from ...errors import RecorderError, error_sentence
from ...recording.recovery import choose_state_folder, find_leftovers, state_use
from ...recording.store import state_folder, usual_state_folder
from ..boxes import Stretch, fill, push_button
from ..preferences import FOLDER
from ..status import size_text
from ..theme import Theme
from ..widgets import ElidedLabel, Label
from .widgets import reset_button

_OWN_FOLDER = "recorder-editor"


class FolderRow(QWidget):
    """Attributes: `path`, `use` and `words` (labels), `choose`, `open`, `empty` and `reset` (buttons)."""

    preference = FOLDER

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.path = ElidedLabel(theme, "", "mono")
        self.path.setAccessibleName(self.tr(FOLDER.said.title))
        self.use = Label(theme, "", "small", "muted")
        self.words = Label(theme, "", "small", wraps=True)
        sentence = Label(theme, self.tr(FOLDER.said.sentence), "small", "muted", wraps=True)
        self.choose = push_button(self.tr("Choose..."), self._ask)
        self.open = push_button(self.tr("Open"), self._open)
        tip = self.tr("Remove files of ended programs that no unsaved edits need")
        self.empty = push_button(self.tr("Clean up"), self._empty, tip)
        self.reset = reset_button(self.tr("Reset"), self.tr(FOLDER.said.title), lambda: self._choose(None))
        buttons = fill(QHBoxLayout(), self.choose, self.open, self.empty, Stretch(), self.reset, spacing=8)
        parts = (Label(theme, self.tr(FOLDER.said.title)), sentence, 4, self.path, self.use, 4, buttons, self.words)
        fill(QVBoxLayout(self), *parts, spacing=2, margins=(0, 4, 0, 4))

    def matches(self, words: Sequence[str]) -> bool:
        """Whether it has all these words."""
        return all(word in FOLDER.words for word in words)

    def focus_editor(self) -> None:
        """Give the first button the keyboard."""
        self.choose.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Show the folder and how much it holds now."""
        folder, use = state_folder(), state_use()
        self.path.setText(str(folder))
        self.path.setToolTip(str(folder))
        sizes = self.tr("Scratch files %1, journals %2, reports %3").replace("%1", size_text(use.scratch))
        self.use.setText(sizes.replace("%2", size_text(use.journals)).replace("%3", size_text(use.reports)))
        self.reset.setVisible(folder != usual_state_folder())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.words.setText("")
        self.refresh()

    def _ask(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Folder of unsaved edits"), self.path.text())
        if chosen:
            folder = Path(chosen)
            self._choose(folder if folder.name == _OWN_FOLDER else folder / _OWN_FOLDER)

    def _choose(self, folder: Path | None) -> None:
        try:
            choose_state_folder(folder)
        except (RecorderError, OSError) as error:
            self.words.setText(error_sentence(error))
        else:
            self.words.setText(self.tr("Edits of recordings that are opened from now on are kept here."))
        self.refresh()

    def _open(self) -> None:
        folder = state_folder()
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _empty(self) -> None:
        before = sum(state_use())
        find_leftovers()  # removes what belongs to no running program and to no unsaved edits
        after = sum(state_use())
        freed = self.tr("Removed %1. ").replace("%1", size_text(max(0, before - after)))
        kept = self.tr("%1 belong to open recordings or to unsaved edits.").replace("%1", size_text(after))
        self.words.setText(freed + (kept if after else ""))
        self.refresh()
