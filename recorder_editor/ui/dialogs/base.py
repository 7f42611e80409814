"""The frame of every small dialog: a heading, words, something between, buttons at the right. One filled button."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from ...texts import say
from ..session import Session
from ..style.boxes import Does, Stretch, fill, make_scrolling, room_for
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label
from ..widgets.keyboard import FocusRing

WIDTH = 440


class BaseDialog(QDialog):
    """A dialog of the program's own look. `open_` shows it over its window and comes back at once.

    Attribute: `keeps_height` (its buttons stay where they are when it shows less).
    """

    keeps_height = False

    def __init__(self, theme: Theme, parent: QWidget | None = None, name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.theme = theme
        FocusRing(theme, self)
        self.setMinimumWidth(theme.px(WIDTH))
        self.heading = Label(theme, "", "bold", wraps=True)
        self.words = Label(theme, "", "font", "muted", wraps=True)
        self.words.hide()
        self._left = 0
        self._fitted = 0
        self._area: QScrollArea | None = None
        self.body = fill(QVBoxLayout(), spacing=8)
        self._foot = fill(QHBoxLayout(), Stretch(), spacing=8)
        parts = (self.heading, self.words, self.body, 8, self._foot)
        self._column = fill(QVBoxLayout(self), *parts, spacing=8, margins=(16, 16, 16, 12))

    def say(self, title: str, heading: str, words: str = "") -> None:
        """The window's title, the heading and a sentence below it."""
        self.setWindowTitle(title)
        self.heading.setText(heading)
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def add_line(self, text: str, *, small: bool = False, muted: bool = False) -> Label:
        """A line of words in the body, broken where it is too long."""
        label = Label(
            self.theme, text, font="small" if small else "font", color="muted" if muted else "text", wraps=True
        )
        self.body.addWidget(label)
        return label

    def add_path(self, path: str) -> None:
        """A path in the body, shortened where it is too long."""
        label = ElidedLabel(self.theme, path, "small", "muted")
        label.setToolTip(path)
        self.body.addWidget(label)

    def add_text(self, text: str, name: str, height: int) -> QPlainTextEdit:
        """Add a text to read to the body, hidden at first."""
        shown = QPlainTextEdit(text, readOnly=True)
        shown.setMinimumHeight(self.theme.px(height))
        shown.setAccessibleName(name)
        shown.hide()
        self.body.addWidget(shown, 1)
        return shown

    def add_button(self, text: str, does: Does, *, filled: bool = False, left: bool = False) -> QPushButton:
        """A button in the foot; the filled one is what Enter does."""
        button = QPushButton(text, autoDefault=filled, default=filled)
        button.setProperty("large", True)
        button.setProperty("primary", filled)
        button.clicked.connect(lambda: does())
        if left:
            self.add_left(button)
        else:
            self._foot.addWidget(button)
        return button

    def add_answers(self, text: str, does: Does, *, stays: bool = False) -> None:
        """The button that closes, and `go`, the filled one; `stays`: what that does leaves the dialog open."""
        closing_text = say("Close") if stays else say("Cancel")
        self.close_button = self.add_button(closing_text, self.reject)
        self.go = self.add_button(text, does, filled=True)

    def add_left(self, *widgets: QWidget) -> None:
        """Put these into the foot, at the left."""
        for widget in widgets:
            self._foot.insertWidget(self._left, widget)
            self._left += 1

    def stretch_left(self, widget: QWidget) -> None:
        """Let a widget of the foot take the room that is left, up to its largest width."""
        self._foot.setStretchFactor(widget, 100)

    def open_(self) -> None:
        """Show it over its window; it goes away with its answer."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fit()
        self.open()

    def fit(self) -> None:
        """As high as its words need at its width; where it is made higher, its parts stay together."""
        if not self.body.expandingDirections() & Qt.Orientation.Vertical:
            self.body.addStretch()
        self.ensurePolished()
        self._column.invalidate()
        self._column.activate()  # or rows within rows say what they said before
        width = min(max(self.width(), self.minimumWidth()), room_for(self).width())
        height = max(self._column.totalHeightForWidth(width), self._column.totalMinimumSize().height())
        if self._area is not None:  # what scrolls asks for little
            height = room_for(self).height()
        self.resize(width, height)
        self._stay_on_screen()
        self._fitted = self.height()

    def _stay_on_screen(self) -> None:
        """Never be larger than the screen; where that is too small for it, what is above the buttons scrolls."""
        room = room_for(self)
        column = self._column
        width = min(self.minimumWidth(), room.width())
        least = max(column.totalMinimumHeightForWidth(max(width, self.width())), column.totalMinimumSize().height())
        if self._area is None and (least > room.height() or column.totalMinimumSize().width() > room.width()):
            focus = self.focusWidget()
            page = QWidget(self)
            page.setProperty("ground", "none")
            column.removeItem(self.body)
            fill(QVBoxLayout(page), self.heading, self.words, self.body, spacing=8, margins=(0, 0, 8, 0))
            self._area = make_scrolling(page)
            column.insertWidget(0, self._area, 1)
            column.activate()  # or the former smallest size holds
            if focus is not None:
                focus.setFocus()
        self.setMinimumWidth(width)
        self.resize(self.size().boundedTo(room))

    def make_room(self) -> None:
        """Fit the height to the content; not lower than the user made it."""
        if self.isVisible():
            by_hand = 0
            if self.height() > self._fitted or self.keeps_height:
                by_hand = self.height()
            self.fit()
            self.resize(self.width(), max(by_hand, self.height()))

    def showEvent(self, event: QShowEvent) -> None:
        self._stay_on_screen()
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, else the filled one."""
        button = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(button, QPushButton):
            button.click()
        else:
            super().keyPressEvent(event)

    def release(self) -> None:
        """Stop the work for the dialog, which is closed. For subclasses."""

    # Not `reject`: a slot that Python overrides stays connected to a dialog that is gone.
    def done(self, result: int) -> None:
        if result == QDialog.DialogCode.Rejected:
            self.release()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.release()
        super().closeEvent(event)


class SessionDialog(BaseDialog):
    """A dialog about the open recording: the next one that is opened closes it. Attribute: `session`."""

    def __init__(self, session: Session, theme: Theme, name: str, parent: QWidget | None, width: int = WIDTH) -> None:
        super().__init__(theme, parent, name)
        self.session = session
        self.setMinimumWidth(theme.px(width))
        session.opened.connect(self.reject)


class Question(BaseDialog):
    """A heading, a sentence and named answers.

    The answer's function is called after the dialog has gone; Escape is the last answer, which is Cancel.
    """

    def __init__(self, theme: Theme, answers: Sequence[tuple[str, Does]], parent: QWidget | None = None) -> None:
        """`answers` from the filled one to Cancel: (words on the button, what it does)."""
        super().__init__(theme, parent)
        self._answer: Does = answers[-1][1]
        self.buttons: dict[str, QPushButton] = {}
        for index, (text, does) in reversed(list(enumerate(answers))):
            self.buttons[text] = self.add_button(text, partial(self._give, does), filled=index == 0)
        self.buttons[answers[0][0]].setFocus()
        self.finished.connect(lambda: self._answer())

    def _give(self, answer: Does) -> None:
        self._answer = answer
        self.accept()
