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
        detection = session.snapshot.detection if session.snapshot is not None else None
        super().__init__(theme, parent, "dialectDialog")
        if detection is not None:
            title = detection.dialect.title
        else:
            title = say("No recording open")
        self.say(say("Decode as"), title)
        self.session = session
        reasons = detection.reasons if detection is not None else ()
        for reason in reasons:
            words = Label(theme, reason, wraps=True)
            top = Qt.AlignmentFlag.AlignTop
            self.body.addLayout(fill(QHBoxLayout(), (Label(theme, "•"), 0, top), (words, 1), spacing=8))
        self.body.addSpacing(4)
        self.body.addWidget(Label(theme, say("Decode the packets as"), "small_bold"))
        self._names = tuple(DIALECTS)
        choices = {_DETECTED: say("Detected")}
        choices |= {number + 1: text for number, text in dialect_titles(self._names).items()}
        self.choice = ChoiceEdit(theme, choices, numbers=False)
        forced = detection is not None and detection.forced
        self.choice.set_value(self._names.index(detection.dialect.name) + 1 if detection and forced else _DETECTED)
        self.choice.setAccessibleName(say("Dialect"))
        self.choice.committed.connect(self._choose)
        self.body.addWidget(self.choice)
        self.add_line(say("Changes how the bodies are read; no byte changes."), small=True, muted=True)
        self.add_button(say("Close"), self.accept, filled=True)

    def _choose(self, value: str) -> None:
        number = int(value)
        self.session.editing.decode_as(None if number == _DETECTED else self._names[number - 1])
        self.choice.set_value(number)
        if self.session.snapshot is not None:
            self.heading.setText(self.session.snapshot.dialect.title)
