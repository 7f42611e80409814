"""Go to a frame, a moment, a byte or an actor (Ctrl+G)."""

from PySide6.QtWidgets import QLineEdit, QWidget

from ..session import Session
from ..theme import Theme
from .base import BaseDialog
from .goto_parser import Nowhere, Target, target_of

_FORMS = (("#250", "frame"), ("12.5s", "seconds"), ("0x1f4a", "byte offset"), ("id:174", "actor"))


class GoTo(BaseDialog):
    """Says where the words lead while they are typed, and goes there."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.say(self.tr("Go to"), self.tr("Go to"))
        self.setObjectName("goTo")
        self.session = session
        self.line = QLineEdit()
        self.line.setAccessibleName(self.tr("Frame, seconds, offset or actor"))
        self.line.setPlaceholderText("#250")
        self.line.textChanged.connect(self._tell)
        self.body.addWidget(self.line)
        self.told = self.add_line("", small=True, muted=True)
        self.add_button(self.tr("Cancel"), self.reject)
        self.go = self.add_button(self.tr("Go"), self._go, filled=True)
        self.line.setFocus()
        self._tell()

    def _tell(self) -> None:
        target = target_of(self.session, self.line.text(), self.theme.units)
        self.go.setEnabled(isinstance(target, Target))
        if isinstance(target, Target):
            self.told.setText(f"{target.text}: {target.detail}")
        elif isinstance(target, Nowhere):
            self.told.setText(target.reason)
        else:
            self.told.setText(",  ".join(f"{form} {what}" for form, what in _FORMS))

    def _go(self) -> None:
        target = target_of(self.session, self.line.text(), self.theme.units)
        if isinstance(target, Target):
            self.accept()
            target.go()
