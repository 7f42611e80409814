"""The frame of every small dialog: a heading, words, something between, buttons at the right. One filled button."""

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ...texts import say
from ..session import Session
from ..style.boxes import Does, Stretch, fill, make_scrolling, room_for
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label
from ..widgets.focus_ring import FocusRing

WIDTH = 440


class BaseDialog(QDialog):
    """A dialog of the program's own look. `open_` shows it over its window and comes back at once.

    It has one size, that of the choice that needs most, and its buttons never move: what is said later takes the room
    that is spare, and where that is not enough, what is above the buttons scrolls.

    Attribute: `spare_lines` (of small text, for what is said later).
    """

    spare_lines = 0

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
        self._texts: dict[QPushButton, tuple[str, ...]] = {}
        self._design: QSize | None = None
        self._area: QScrollArea | None = None
        self._scrolled: QWidget | None = None
        self.body = fill(QVBoxLayout(), spacing=8)
        self._foot = fill(QHBoxLayout(), Stretch(), spacing=8)
        parts = (self.heading, self.words, self.body, 8, self._foot)
        self._column = fill(QVBoxLayout(self), *parts, spacing=8, margins=(16, 16, 16, 12))
        # Or Qt makes the dialog larger with what it shows, and the buttons move.
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        theme.changed.connect(self._follow_theme)

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

    def stretch_left(self, widget: QWidget, share: int = 100) -> None:
        """Let a widget of the foot take its share of the room that is left, up to its largest width."""
        self._foot.setStretchFactor(widget, share)

    def keep_width(self, button: QPushButton, *texts: str) -> None:
        """Make a button as wide as the longest text that it will show, so that the one beside it stays in place."""
        self._texts[button] = texts

    def open_(self) -> None:
        """Show it over its window; it goes away with its answer."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fit()
        self.open()

    def fit(self) -> None:
        """Give it the size that the largest of its choices needs; where it is higher, its parts stay together."""
        if self._design is None:
            is_sized = self.testAttribute(Qt.WidgetAttribute.WA_Resized)
            self._design = QSize(self.width(), self.height() if is_sized else 0)
        if not self.body.expandingDirections() & Qt.Orientation.Vertical:
            self.body.addStretch()
        self.ensurePolished()
        self._widen_buttons()
        focus = self.focusWidget()
        needed = self._needed_size()
        if focus is not None:
            focus.setFocus()  # a row that was hidden for a moment has lost it
        self.setMinimumHeight(0)
        self.resize(needed.expandedTo(self._design))
        self._stay_on_screen()
        self.setMinimumHeight(min(needed.height(), self.height()))

    def _follow_theme(self) -> None:
        QTimer.singleShot(0, self, self._refit)  # what it shows has its fonts by then

    def _refit(self) -> None:
        """Follow the size of the text; never make it smaller under the pointer."""
        if self.isVisible():
            before = self.size()
            self.fit()
            self.resize(self.size().expandedTo(before).boundedTo(room_for(self)))

    def arrangements(self) -> Iterable[object]:
        """Show each choice in turn, so that it can be measured, and at last the present one again. For subclasses."""
        return (None,)

    def _widen_buttons(self) -> None:
        for button, texts in self._texts.items():
            present = button.text()
            widths = []
            for text in (present, *texts):
                button.setText(text)
                widths.append(button.sizeHint().width())
            button.setText(present)
            button.setMinimumWidth(max(widths))

    def _needed_size(self) -> QSize:
        """The size that all choices have room in, and what may be said later."""
        room = room_for(self)
        column = self._column
        spare = self.spare_lines * self.theme.metrics(self.theme.small).lineSpacing()
        size = QSize(min(max(self.width(), self.minimumWidth()), room.width()), 0)
        for _ in self.arrangements():
            column.invalidate()
            column.activate()  # or rows within rows say what they said before
            least = column.totalMinimumSize()
            width = min(max(size.width(), least.width()), room.width())
            height = max(column.totalHeightForWidth(width), least.height())
            if self._area is not None:
                height = least.height() + self._hidden_height(width)
            size = QSize(width, max(size.height(), height + spare))
        column.invalidate()
        column.activate()
        return size

    def _hidden_height(self, width: int) -> int:
        """How much higher what scrolls is than the lowest area that it scrolls in."""
        if self._area is None or self._scrolled is None:
            return 0
        page = self._scrolled
        return max(page.heightForWidth(width), page.minimumSizeHint().height()) - self._area.minimumSizeHint().height()

    def _stay_on_screen(self) -> None:
        """Never be larger than the screen; where that is too small for it, what is above the buttons scrolls."""
        room = room_for(self)
        column = self._column
        width = min(max(self.minimumWidth(), column.totalMinimumSize().width()), room.width())
        least = max(column.totalMinimumHeightForWidth(max(width, self.width())), column.totalMinimumSize().height())
        if self._area is None and (least > room.height() or column.totalMinimumSize().width() > room.width()):
            self._let_scroll()
            width = min(self.minimumWidth(), room.width())
        self.setMinimumSize(width, min(self.minimumHeight(), room.height()))
        self.resize(self.size().boundedTo(room))

    def _let_scroll(self) -> None:
        """Put what is above the buttons into an area that scrolls."""
        focus = self.focusWidget()
        page = QWidget(self)
        page.setProperty("ground", "none")
        self._column.removeItem(self.body)
        fill(QVBoxLayout(page), self.heading, self.words, self.body, spacing=8, margins=(0, 0, 8, 0))
        self._scrolled = page
        self._area = make_scrolling(page)
        self._area.verticalScrollBar().rangeChanged.connect(self._show_end)
        self._column.insertWidget(0, self._area, 1)
        page.show()  # at once: a layout shows what it is given when events are handled next
        self._area.show()
        self._column.activate()  # or the former smallest size holds
        if focus is not None:
            focus.setFocus()

    def make_room(self) -> None:
        """Keep size and buttons while it shows something else; show its end where that has no room."""
        if not self.isVisible():
            return
        column = self._column
        column.invalidate()
        column.activate()
        least = max(column.totalMinimumHeightForWidth(self.width()), column.totalMinimumSize().height())
        if self._area is None and least > self.height():
            self._let_scroll()
        self._show_end()

    def _show_end(self) -> None:
        """Show what was said last, and what has the keyboard, where not all has room."""
        if self._area is None or self._scrolled is None:
            return
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.maximum())
        focus: QWidget | None = self.focusWidget()  # the stub leaves None out
        if focus is not None and self._scrolled.isAncestorOf(focus):
            self._area.ensureWidgetVisible(focus)

    def showEvent(self, event: QShowEvent) -> None:
        if self._design is None:
            self.fit()
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
