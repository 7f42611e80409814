"""A line that lies over a view for a few seconds: it tells what was done, and offers what can be done about it.

It never takes the keyboard by itself. Knows no step and no scene.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from ..session.debounce import Debounce
from ..style.boxes import fill, show_what_fits
from ..style.colors import ColorName
from ..style.painting import LEFT, RADIUS, draw_box, draw_text, set_colors
from ..style.theme import Theme
from .base import RunningText, ThemedButton, ThemedWidget, show_cut_text

MS_SHOWN = 5000
EDGE = 14
"""Pixels of the design that it keeps from the edges of its view."""

NARROW = 420
"""Pixels of the design below which a view is narrow: what lies over it is short, takes its width, or is left out."""

_HEIGHT = 32
_BAR = 3
_BUTTON = 22
_PADDING = 6
_BEFORE_KEY = 5


class Offer(NamedTuple):
    """Something that a toast offers to do.

    Attributes:
        text: The text of its button.
        does: Does it.
        tip: The tooltip of the button.
        key: A key that does the same, as the system writes it; empty: none.
    """

    text: str
    does: Callable[[], object]
    tip: str
    key: str = ""


class _OfferButton(ThemedButton):
    """A button, 22 high, with its key in small. Signal: `focus_changed()`."""

    focus_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "")
        self._does: Callable[[], object] | None = None
        self._key = ""
        self._shows_key = True
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._do)

    def show_offer(self, offer: Offer) -> None:
        """Offer something else."""
        self._does = offer.does
        self._key = offer.key
        self.setText(offer.text)
        self.setAccessibleName(offer.text)
        self.setToolTip(offer.tip)
        self.updateGeometry()
        self.update()

    def show_key(self, on: bool) -> None:
        """Show the key beside the text, or leave it out."""
        if on != self._shows_key:
            self._shows_key = on
            self.updateGeometry()
            self.update()

    def _do(self) -> None:
        if self._does is not None:
            self._does()

    @property
    def _shown_key(self) -> str:
        if self._shows_key:
            return self._key
        return ""

    def sizeHint(self) -> QSize:
        width = self.theme.metrics(self.theme.font).horizontalAdvance(self.text()) + 2 * self.theme.px(_PADDING)
        if self._shown_key:
            key_width = self.theme.metrics(self.theme.small).horizontalAdvance(self._shown_key)
            width += self.theme.px(_BEFORE_KEY) + key_width
        return QSize(width + 1, self.theme.px(_BUTTON))

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        ground = palette.control_down if self.isDown() else palette.control
        edge = palette.faint if self.underMouse() else palette.edge
        draw_box(painter, self.rect(), ground, edge)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            set_colors(painter, None, QPen(palette.selection, 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS - 1, RADIUS - 1)
        words = self.rect().adjusted(self.theme.px(_PADDING), 0, 0, 0)
        draw_text(painter, words, self.text(), self.theme.font, palette.text)
        width = self.theme.metrics(self.theme.font).horizontalAdvance(self.text())
        key = words.adjusted(width + self.theme.px(_BEFORE_KEY), 0, 0, 0)
        draw_text(painter, key, self._shown_key, self.theme.small, palette.muted)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()


class _Sentence(RunningText):
    """A sentence with a semi-bold part; one that does not fit is cut in the middle, and whole in the tooltip."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "", font="font")
        self._parts = ("", "", "")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def show_parts(self, parts: tuple[str, str, str]) -> None:
        """Show a sentence.

        Args:
            parts: What is before the semi-bold part, that part, and what is after it.
        """
        self._parts = parts
        self.setText("".join(parts))
        self.updateGeometry()
        self.update()

    def _widths(self) -> list[int]:
        fonts = (self.theme.font, self.theme.bold, self.theme.font)
        return [self.theme.metrics(font).horizontalAdvance(part) for font, part in zip(fonts, self._parts, strict=True)]

    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()) + 1, self.theme.metrics(self.theme.bold).height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        color = self.theme.palette.text
        widths = self._widths()
        if sum(widths) > self.width():
            middle = Qt.TextElideMode.ElideMiddle
            draw_text(painter, self.rect(), self.text(), self.theme.font, color, room=self.width(), elide=middle)
            return
        left = 0
        fonts = (self.theme.font, self.theme.bold, self.theme.font)
        for font, part, width in zip(fonts, self._parts, widths, strict=True):
            place = QRect(left, 0, self.width() - left, self.height())
            draw_text(painter, place, part, font, color, LEFT | Qt.TextFlag.TextDontClip)
            left += width

    def event(self, event: QEvent) -> bool:
        return show_cut_text(self, event, self.text()) or super().event(event)


class Toast(ThemedWidget):
    """A sentence behind a bar of colour, and one or two buttons, over a view.

    It is shown for five seconds, and as long as the pointer or the keyboard is in it; Esc hides it. What shows it says
    where it lies.

    Attributes:
        sentence: What was done.
        other: The button of the first of two offers.
        main: The button of the last offer.
        timer: Hides it.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._bar: ColorName = "edited"
        self.sentence = _Sentence(theme)
        self.other = _OfferButton(theme)
        self.main = _OfferButton(theme)
        self.timer = Debounce(self, self.hide, MS_SHOWN)
        self._buttons = fill(QHBoxLayout(), self.other, self.main, spacing=4)
        self._row = fill(QHBoxLayout(self), (self.sentence, 1), 8, self._buttons, spacing=0)
        for button in (self.other, self.main):
            button.focus_changed.connect(self._wait)
        self.restyle()
        self.hide()

    def restyle(self) -> None:
        """Apply palette, fonts and lengths of this moment."""
        px = self.theme.px
        self._row.setContentsMargins(px(_BAR) + px(9), 0, px(5), 0)
        self.setFixedHeight(px(_HEIGHT))
        super().restyle()

    def set_line(self, parts: tuple[str, str, str], offers: Sequence[Offer], bar: ColorName = "edited") -> None:
        """Set a sentence with offers, in place of what is shown now; `appear` shows it.

        Args:
            parts: The sentence: what is before its semi-bold part, that part, and what is after it.
            offers: One or two; the last one is the nearest to the end.
            bar: The name of the colour of the bar.
        """
        self._bar = bar
        self.sentence.show_parts(parts)
        self.setAccessibleName(self.sentence.text())
        if self.other.hasFocus() and len(offers) == 1:
            self.main.setFocus(Qt.FocusReason.OtherFocusReason)
        if len(offers) > 1:
            self.other.show_offer(offers[0])
        self.other.setVisible(len(offers) > 1)
        self.main.show_offer(offers[-1])

    def appear(self) -> None:
        """Show it, for five seconds from now on."""
        self.show()
        self.raise_()
        self.update()
        self._wait()

    @property
    def is_held(self) -> bool:
        """Whether the pointer or the keyboard is in it, so that it stays where it is."""
        return self.isVisible() and (self.underMouse() or self.other.hasFocus() or self.main.hasFocus())

    def fit(self, width: int, *, has_other: bool) -> None:
        """Take the width that there is for it.

        Args:
            width: That of its view, pixels.
            has_other: There are two offers; the first one is left out where there is no room for it.
        """
        room = width - 2 * self.theme.px(EDGE)
        is_narrow = width < self.theme.px(NARROW)
        for button in (self.other, self.main):
            button.show_key(not is_narrow)
        if has_other:
            show_what_fits(self._row, room, [[self.other]])
        self._row.invalidate()
        if not is_narrow:
            room = min(room, self._row.sizeHint().width())
        self.setFixedWidth(room)
        self._row.activate()

    def _wait(self) -> None:
        """Count the seconds from now on; not while the pointer or the keyboard is in it."""
        if self.is_held:
            self.timer.stop()
        elif self.isVisible():
            self.timer.start()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._wait()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._wait()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        draw_box(painter, self.rect(), palette.field, palette.edge)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        painter.setClipPath(shape)
        bar = QRect(0, 0, self.theme.px(_BAR), self.height())
        painter.fillRect(bar, palette.color(self._bar))
