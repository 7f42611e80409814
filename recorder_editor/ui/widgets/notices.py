"""What a pane says when it has nothing to show yet, what a job says while it runs, and the few loud controls."""

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

    Signals: those of QLineEdit (``textChanged``, ``returnPressed``), `left(Qt.Key)` for the view it leads to.
    """

    left = Signal(Qt.Key)

    def __init__(self, theme: Theme, hint: str, icon: str = "search") -> None:
        """An empty ``icon`` leaves the icon out."""
        super().__init__()
        self.theme = theme
        self._icon = icon
        self._view: QWidget | None = None
        self._ways: tuple[Qt.Key, ...] = ()
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
        """Take over palette, fonts and lengths of this moment."""
        shortcut = self.theme.metrics(self.theme.small).horizontalAdvance(self._shortcut)
        self.setTextMargins(22 if self._icon else 0, 0, shortcut + 4 if shortcut else 0, 0)
        self.update()

    def lead_to(self, view: QWidget, *keys: Qt.Key) -> None:
        """Let these keys lead from here into a view; Escape clears the line on the way."""
        self._view = view
        self._ways = keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._view is None or event.key() not in self._ways:
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
        ink = palette.muted if self.isEnabled() else palette.faint
        if self._icon:
            self.theme.icons.draw(painter, self._icon, 7, (self.height() - 14) // 2, 14, ink)
        if self._shortcut and not self.text():
            draw_text(painter, self.rect().adjusted(0, 0, -9, 0), self._shortcut, self.theme.small, ink, RIGHT)


_MARGIN = 12
_ABOVE_BUTTON = 8
_LEAST_BAR = 24


class EmptyState(ThemedWidget):
    """What a pane says instead of being blank: what to do, or that all is well.

    The words stand in the middle and wrap; ``add_button`` puts a control beneath them. Where the pane is too low, the
    detail is left out, then the sign, and above a button the words.
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
        """``icon`` and the palette's ``color`` for it: ("checks", "fine") where nothing was found.

        ``ground`` is the palette's colour behind the words: "field" where rows would stand, "scene" for a scene.
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
        """Take the place of the rows of a view; what that does with keys and, unless a button is added, mouse stays."""
        self.setParent(view.viewport())
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self.resize(event.size())
        return super().eventFilter(watched, event)

    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def set_text(self, text: str, detail: str = "") -> None:
        """Say something else."""
        self._text.setText(text)
        self._detail.setText(detail)
        self.setAccessibleName(text)
        self._fit()

    def set_icon(self, icon: str, color: ColorName = "muted") -> None:
        """Show another sign above the words; an empty name shows none."""
        self._has_sign = bool(icon)
        self._sign.set_icon(icon, color)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # words or a button need other room
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Show the parts that there is room for."""
        width = self.width() - 2 * _MARGIN
        spacing = self._column.spacing()
        parts: dict[QWidget, int] = {}
        if self._has_sign:
            parts = {self._sign: self._sign.height()}
        parts |= {each: each.heightForWidth(width) for each in (self._text, self._detail) if each.text()}
        buttons = {button: gap for button, gap in self._buttons.items() if not button.isHidden()}
        needed = sum(parts.values()) + spacing * len(parts)
        needed += sum(button.sizeHint().height() + _ABOVE_BUTTON for button in buttons)
        for part in (self._detail, self._sign, self._text):
            fits = needed + 2 * _MARGIN <= self.height() or (part is self._text and not buttons)
            if part in parts and not fits:
                needed -= parts.pop(part) + spacing
            part.setVisible(part in parts)
        if needed + 2 * _MARGIN <= self.height():
            margin, above = (_MARGIN, _ABOVE_BUTTON)
        else:
            margin, above = (0, 0)
        for gap in self._buttons.values():
            if gap.sizeHint().height() != above:
                gap.changeSize(0, above)
                self._column.invalidate()
        self._column.setContentsMargins(_MARGIN, margin, _MARGIN, margin)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.theme.palette.color(self._ground))

    def add_button(self, button: QWidget) -> None:
        """Put a control beneath the words."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        at = self._column.count() - 1
        gap = self._buttons[button] = QSpacerItem(0, _ABOVE_BUTTON)
        self._column.insertItem(at, gap)
        self._column.insertWidget(at + 1, button, 0, Qt.AlignmentFlag.AlignHCenter)
        self._fit()


class ProgressStrip(ThemedWidget):
    """A job in one line of 28, or `compact` of 24: what it does, how far it is, how long it will take, Cancel.

    It comes and goes, so that it asks for little room: a dock that it widened would stay so wide.

    Attribute: `cancel_button`. Signal: ``cancelled()`` when the user has asked to stop.
    """

    cancelled = Signal()

    def __init__(self, theme: Theme, text: str = "", *, compact: bool = False) -> None:
        super().__init__(theme)
        self._job: Job | None = None
        self._words = ElidedLabel(theme, text, "small", "muted" if compact else "text")
        self._left = ElidedLabel(theme, "", "small", "muted")
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
        parts = (self._words, (self._bar, 1), self._left, self.cancel_button)
        fill(QHBoxLayout(self), *parts, spacing=8, margins=(12, 0, 8, 0) if compact else (12, 2, 12, 2))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_progress(self, text: str, share: float | None, seconds_left: float | None = None) -> None:
        """Say what is done; ``share`` is 0 to 1, None while nobody can know it."""
        self._words.setText(text)
        self._bar.setAccessibleName(text)
        if share is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, 1000)
            self._bar.setValue(round(share * 1000))
        if not self.cancel_button.isEnabled():
            self._left.setText(say("stopping"))
        elif seconds_left is None:
            self._left.setText("")
        elif seconds_left < 90:
            self._left.setText(say("about {seconds} s left", seconds=max(1, round(seconds_left))))
        else:
            self._left.setText(say("about {minutes} min left", minutes=max(1, round(seconds_left / 60))))

    def follow(self, job: Job | None) -> None:
        """Say how far this job is from now on, and ask it to stop where the user wants that; None lets go of it."""
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
        self._left.setText(say("stopping"))
        self.cancelled.emit()
