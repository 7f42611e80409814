"""Asks for the name under which something is kept."""

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget

from ..language import tr
from ..theme import Theme
from .base import BaseDialog

Does = Callable[[str], object]


def ask_name(
    theme: Theme, window: QWidget, title: str, words: str, keep: Does, allows: Does = bool, name: str = ""
) -> None:
    """Let a person type a name, `name` to begin with; `keep` gets one that `allows` says yes to."""
    field, dialog = QLineEdit(name), BaseDialog(theme, window, "askName")
    dialog.say(title, title, words)
    field.setAccessibleName(tr("Name"))
    dialog.body.addWidget(field)
    dialog.add_answers(tr("Save"), dialog.accept)
    field.textChanged.connect(lambda text: dialog.go.setEnabled(bool(allows(text.strip()))))
    field.textChanged.emit(name)
    dialog.accepted.connect(lambda: keep(field.text().strip()))
    dialog.open_()
    field.setFocus()
