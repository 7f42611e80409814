"""The dialogs of actions without the window that offers them, which costs more than most of what they are asked."""

from PySide6.QtWidgets import QWidget

from recorder_editor.edits.operations import EVERY
from recorder_editor.ui.dialogs.append import AppendDialog
from recorder_editor.ui.dialogs.convert import ConvertDialog
from recorder_editor.ui.dialogs.form import FormDialog
from recorder_editor.ui.dialogs.operation import form_spec
from recorder_editor.ui.dialogs.script import RunScriptDialog, SaveScriptDialog
from recorder_editor.ui.dialogs.split import SplitDialog
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme

DIALOGS = {
    "recording.convert": ConvertDialog,
    "recording.split": SplitDialog,
    "tools.run_script": RunScriptDialog,
    "tools.save_script": SaveScriptDialog,
}


class Alone(QWidget):
    """What dialogs have for a parent in the place of a window; `session` is what they are about."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.theme = theme

    def run(self, action: str) -> None:
        """Show the dialog of an action, about the selected actors where it is about some."""
        if action in DIALOGS:
            DIALOGS[action](self.session, self.theme, self).open_()
            return
        operation = next(each for each in EVERY.values() if each.menu is not None and each.menu.action == action)
        actors, frame = self.session.actors, self.session.selection.frame_index
        assert actors is not None
        lives = [actors.at(actor, frame) or actors.of_id(actor)[0] for actor in self.session.selection.actors]
        spec = form_spec(self.session, operation, lives[: operation.most] if operation.actors is not None else [])
        FormDialog(self.session, self.theme, spec, self).show_()

    def append(self, path: object = None) -> None:
        """Show what comes of another recording behind this one."""
        AppendDialog(self.session, self.theme, path, self).open_()
