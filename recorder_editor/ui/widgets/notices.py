"""A field to search in, the message of a pane that has nothing to show, and the progress of a job."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from recorder_editor.ui.session.jobs import Job
from recorder_editor.ui.style.boxes import Stretch, fill, icon_button
from recorder_editor.ui.style.painting import RIGHT, draw_text
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import ElidedLabel, Label, Sign, ThemedWidget

from ...texts import say
from ..style.colors import ColorName


class SearchField(QLineEdit):
    """A line to search in: an icon at the left, a hint, and its shortcut at the right while it is empty.

    Signals:
        left(Qt.Key): This key has led from the line into its view.
    """

    left = Signal(Qt.Key)

    def __init__(self, theme: Theme, hint: str, icon: str = "search") -> None:
        """Make a line; an empty ``icon`` leaves the icon out."""
        super().__init__()
        self.theme = theme
        self._icon = icon
        self._view: QWidget | None = None
        self._view_keys: tuple[Qt.Key, ...] = ()
        self._shortcut = ""
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        theme.changed.connect(self.restyle)
        self.restyle()

    def set_shortcut(self, text: str) -> None:
        """Show another shortcut, as the system writes it."""
        self._shortcut = text
        self.restyle()

    def restyle(self) -> None:
        """Apply palette, fonts and lengths of this moment."""
        left = 22 if self._icon else 0
        right = self.theme.metrics(self.theme.small).horizontalAdvance(self._shortcut)
        if right:
            right += 4
        self.setTextMargins(left, 0, right, 0)
        self.update()

    def lead_to(self, view: QWidget, *keys: Qt.Key) -> None:
        """Let keys lead from the line into a view; Escape clears the line first."""
        self._view = view
        self._view_keys = keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._view is None or event.key() not in self._view_keys:
            super().keyPressEvent(event)
            return
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        self.left.emit(Qt.Key(event.key()))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        palette = self.theme.palette
        painter = QPainter(self)
        color = palette.muted if self.isEnabled() else palette.faint
        if self._icon:
            self.theme.icons.draw(painter, self._icon, 7, (self.height() - 14) // 2, 14, color)
        if self._shortcut and not self.text():
            draw_text(painter, self.rect().adjusted(0, 0, -9, 0), self._shortcut, self.theme.small, color, RIGHT)


_MARGIN = 12
_ABOVE_BUTTON = 8
_LEAST_BAR = 24


class EmptyState(ThemedWidget):
    """The message of a pane that would be blank: what to do, or that all is well.

    The text is in the middle and wraps; ``add_button`` puts a control beneath it. Where the pane is too low, the detail
    is left out, then the sign, and above a button the text.
    """

    def __init__(
        self,
        theme: Theme,
        text: str,
        detail: str = "",
        icon: str = "",
        color: ColorName = "muted",
        ground: ColorName = "window",
    ) -> None:
        """Make the message.

        Args:
            theme: The theme.
            text: The text.
            detail: A smaller text beneath it.
            icon: The name of the sign above it, such as "checks"; empty: none.
            color: The name of the sign's colour, such as "fine".
            ground: The name of the colour behind it: "field" in place of rows, "scene" in a scene.
        """
        super().__init__(theme)
        self._ground = ground
        self._text = Label(theme, text, "font", "muted", wraps=True)
        self._detail = Label(theme, detail, "small", "muted", wraps=True)
        column = fill(QVBoxLayout(self), Stretch(2), spacing=4, margins=_MARGIN)
        self._sign = Sign(theme, 20)
        self._sign.setFixedHeight(24)
        self._has_sign = bool(icon)
        self._buttons: dict[QWidget, QSpacerItem] = {}
        column.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignHCenter)
        self._sign.set_icon(icon, color)
        for label in (self._text, self._detail):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        self._detail.setVisible(bool(detail))
        self._column = column
        column.addStretch(3)
        self.setAccessibleName(text)

    def lie_over(self, view: QAbstractScrollArea) -> None:
        """Cover the rows of a view, which keeps its keys and, unless a button is added, the mouse."""
        self.setParent(view.viewport())
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self.resize(event.size())
        return super().eventFilter(watched, event)

    def text(self) -> str:
        """Return the text."""
        return self._text.text()

    def set_text(self, text: str, detail: str = "") -> None:
        """Show another text and another smaller one beneath it."""
        self._text.setText(text)
        self._detail.setText(detail)
        self.setAccessibleName(text)
        self._fit()

    def set_icon(self, icon: str, color: ColorName = "muted") -> None:
        """Show another sign above the text; an empty name shows none."""
        self._has_sign = bool(icon)
        self._sign.set_icon(icon, color)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the text or a button needs other room
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Show the parts that there is room for."""
        width = self.width() - 2 * _MARGIN
        room = self.height() - 2 * _MARGIN
        spacing = self._column.spacing()
        heights: dict[QWidget, int] = {}
        if self._has_sign:
            heights[self._sign] = self._sign.height()
        for label in (self._text, self._detail):
            if label.text():
                heights[label] = label.heightForWidth(width)
        buttons = [button for button in self._buttons if not button.isHidden()]
        needed = sum(heights.values()) + spacing * len(heights)
        needed += sum(button.sizeHint().height() + _ABOVE_BUTTON for button in buttons)
        for part in (self._detail, self._sign, self._text):
            is_last = part is self._text and not buttons
            if part in heights and needed > room and not is_last:
                needed -= heights.pop(part) + spacing
            part.setVisible(part in heights)
        if needed <= room:
            self._set_spaces(_MARGIN, _ABOVE_BUTTON)
        else:
            self._set_spaces(0, 0)

    def _set_spaces(self, margin: int, above_button: int) -> None:
        """Set the pixels above and below all parts, and above each button."""
        for gap in self._buttons.values():
            if gap.sizeHint().height() != above_button:
                gap.changeSize(0, above_button)
                self._column.invalidate()
        self._column.setContentsMargins(_MARGIN, margin, _MARGIN, margin)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.theme.palette.color(self._ground))

    def add_button(self, button: QWidget) -> None:
        """Put a control beneath the text."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        index = self._column.count() - 1
        gap = QSpacerItem(0, _ABOVE_BUTTON)
        self._buttons[button] = gap
        self._column.insertItem(index, gap)
        self._column.insertWidget(index + 1, button, 0, Qt.AlignmentFlag.AlignHCenter)
        self._fit()


class ProgressStrip(ThemedWidget):
    """A job in one line of 28, or `compact` of 24: what it does, how far it is, how long it will take, Cancel.

    It is shown and hidden often, so it needs little room: a dock that it widened would stay so wide.

    Attributes:
        cancel_button: The button that cancels the job.

    Signals:
        cancelled(): The user has asked to stop.
    """

    cancelled = Signal()

    def __init__(self, theme: Theme, text: str = "", *, compact: bool = False) -> None:
        super().__init__(theme)
        self._job: Job | None = None
        self._title = ElidedLabel(theme, text, "small", "muted" if compact else "text")
        self._time_left = ElidedLabel(theme, "", "small", "muted")
        self._bar = QProgressBar(textVisible=False, maximum=1000)
        self._bar.setMinimumWidth(_LEAST_BAR)
        self._bar.setAccessibleName(text)
        self.cancel_button: QAbstractButton = QPushButton(say("Cancel"))
        if compact:
            self._bar.setFixedWidth(theme.px(96))
            close = theme.icons.icon("close", "muted")
            self.cancel_button = icon_button(close, say("Cancel the job"), self._stop, 12)
            self.cancel_button.setFixedSize(20, 20)
        else:
            self.cancel_button.clicked.connect(self._stop)
        margins = (12, 0, 8, 0) if compact else (12, 2, 12, 2)
        row = QHBoxLayout(self)
        fill(row, self._title, (self._bar, 1), self._time_left, self.cancel_button, spacing=8, margins=margins)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_progress(self, text: str, share: float | None, seconds_left: float | None = None) -> None:
        """Show how far a job is.

        Args:
            text: What it does.
            share: How much is done, 0 to 1; None while unknown.
            seconds_left: How long it will take; None while unknown.
        """
        self._title.setText(text)
        self._bar.setAccessibleName(text)
        if share is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, 1000)
            self._bar.setValue(round(share * 1000))
        if not self.cancel_button.isEnabled():
            self._time_left.setText(say("stopping"))
        elif seconds_left is None:
            self._time_left.setText("")
        elif seconds_left < 90:
            self._time_left.setText(say("about {seconds} s left", seconds=max(1, round(seconds_left))))
        else:
            self._time_left.setText(say("about {minutes} min left", minutes=max(1, round(seconds_left / 60))))

    def follow(self, job: Job | None) -> None:
        """Show how far a job is from now on, and cancel it where the user wants that; None: follow none."""
        if job is not None and job is not self._job:
            job.progressed.connect(self._report)
        self._job = job
        self._report()

    def _report(self) -> None:
        job = self._job
        if job is not None:
            self.cancel_button.setEnabled(not job.is_cancelled)
            self.set_progress(job.title, job.share, job.seconds_left)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self.cancel_button.setEnabled(False)
        self._time_left.setText(say("stopping"))
        self.cancelled.emit()
