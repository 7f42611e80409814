"""What the file speaks, what decided it, and the other tables it can be read with (Decode as)."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ...format import DIALECTS
from ...texts import say
from ..session import Session
from ..style.boxes import fill
from ..style.theme import Theme
from ..widgets import ChoiceEdit, Label
from .base import BaseDialog
from .fields import dialect_titles

_DETECTED = 0


class DialectDialog(BaseDialog):
    """The dialect in words with its reasons, and a choice of all eleven. No byte changes by it."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent, "dialectDialog")
        self.session = session
        self._names = tuple(DIALECTS)
        title = say("No recording open")
        reasons: tuple[str, ...] = ()
        chosen = _DETECTED
        if session.snapshot is not None:
            detection = session.snapshot.detection
            title = detection.dialect.title
            reasons = detection.reasons
            if detection.forced:
                chosen = self._names.index(detection.dialect.name) + 1
        self.say(say("Decode as"), title)
        for reason in reasons:
            words = Label(theme, reason, wraps=True)
            top = Qt.AlignmentFlag.AlignTop
            self.body.addLayout(fill(QHBoxLayout(), (Label(theme, "•"), 0, top), (words, 1), spacing=8))
        self.body.addSpacing(4)
        self.body.addWidget(Label(theme, say("Decode the packets as"), "small_bold"))
        choices = {_DETECTED: say("Detected")}
        choices |= {number + 1: text for number, text in dialect_titles(self._names).items()}
        self.choice = ChoiceEdit(theme, choices, numbers=False)
        self.choice.set_value(chosen)
        self.choice.setAccessibleName(say("Dialect"))
        self.choice.committed.connect(self._choose)
        self.body.addWidget(self.choice)
        self.add_line(say("Changes how the bodies are read; no byte changes."), small=True, muted=True)
        self.add_button(say("Close"), self.accept, filled=True)

    def _choose(self, value: str) -> None:
        number = int(value)
        if number == _DETECTED:
            self.session.editing.decode_as(None)
        else:
            self.session.editing.decode_as(self._names[number - 1])
        self.choice.set_value(number)
        if self.session.snapshot is not None:
            self.heading.setText(self.session.snapshot.dialect.title)
