"""After a crash: Restore, Show or Discard the edits that were not saved."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from ...recording.recovery import Leftover
from ...texts import say
from ..style.boxes import Does
from ..style.theme import Theme
from .base import Question


class RecoveryDialog(Question):
    """One journal that was left; closing the dialog keeps it for another time."""

    def __init__(
        self, theme: Theme, leftover: Leftover, restore: Does, discard: Does, later: Does, parent: QWidget
    ) -> None:
        """`restore` and `discard` are called when the dialog has gone; `later` when neither was chosen."""
        self._later = later
        answers = ((say("Restore"), restore), (say("Discard"), lambda: self._ask(discard)), (say("Later"), self._later))
        super().__init__(theme, answers, parent)
        self.setObjectName("leftover")
        self.leftover = leftover
        heading = say("Unsaved edits of {name} were found", name=leftover.path.name)
        about = say(
            "The program ended before they were saved: {edits}. The file itself is unchanged.",
            edits=leftover.describe(),
        )
        self.say(say("Unsaved edits"), heading, about)
        self.add_path(str(leftover.path))
        obstacle = leftover.obstacle()
        if obstacle:
            self.add_line(obstacle)
        if leftover.was_saved:
            note = say("Edits from before the last save are in the file and cannot be undone.")
            self.add_line(note, small=True, muted=True)
        lines = "\n".join(f"{step.when:%H:%M:%S}   {step.label}" for step in leftover.steps)
        self.edits = self.add_text(lines, say("The edits"), 140)
        self.show_edits = self.add_button(say("Show"), self._unfold, left=True)
        self.show_edits.setToolTip(say("List the edits"))
        self.folder = self.add_button(say("Folder"), self._open_folder, left=True)
        self.folder.setToolTip(say("Open the folder of the file"))
        self.folder.hide()
        self.restore = self.buttons[say("Restore")]
        self.discard = self.buttons[say("Discard")]
        self.later = self.buttons[say("Later")]
        self.restore.setEnabled(not obstacle)
        if obstacle:
            self.later.setFocus()

    def _ask(self, discard: Does) -> None:
        """Ask again, so that one click loses no edits."""
        answers = ((say("Discard"), discard), (say("Keep them"), self._later))
        question = Question(self.theme, answers, self.parentWidget())
        question.setObjectName("discardQuestion")
        heading = say("Discard the edits of {name} permanently?", name=self.leftover.path.name)
        question.say(say("Unsaved edits"), heading, say("{edits}.", edits=self.leftover.describe()))
        question.open_()

    def _unfold(self) -> None:
        self.edits.setVisible(self.edits.isHidden())
        self.folder.setVisible(not self.edits.isHidden())
        self.fit()

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.leftover.path.parent)))
