"""The row below the scene: what the mouse and keys do there at this moment, each key in a cap."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from ....texts import listed
from ...style.painting import LEFT, draw_box, draw_text
from ...style.theme import Theme
from ...widgets import ThemedWidget
from .hints import Hint

_HEIGHT = 20
_CAP = 14  # px
_SIDE = 12  # px before the first hint
_END = 6  # px after the last one
_BETWEEN = 14  # px between two
_INSIDE = 4  # px in a cap at each side of its text, and from a cap to its word


class HintRow(ThemedWidget):
    """Hints beside each other; those that do not fit whole are left out, the last ones first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._hints: tuple[Hint, ...] = ()
        self.setObjectName("scene-hints")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.restyle()

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The hints, also those that have no room."""
        return self._hints

    def show_hints(self, hints: tuple[Hint, ...]) -> None:
        """Show other hints."""
        if hints != self._hints:
            self._hints = hints
            self.setAccessibleName(self.text())
            self.update()

    def text(self) -> str:
        """Return all hints as one text, for screen readers."""
        return listed([hint.phrase for hint in self._hints], "clauses")

    def restyle(self) -> None:
        self.setFixedHeight(self.theme.px(_HEIGHT))
        super().restyle()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(160), self.theme.px(_HEIGHT))

    def places(self) -> list[tuple[Hint, QRect, QRect]]:
        """Return the hints that have room, each with the rectangles of its cap and of its word."""
        px = self.theme.px
        small = self.theme.metrics(self.theme.small)
        tiny = self.theme.metrics(self.theme.tiny)
        top = 1 + (self.height() - 1 - px(_CAP)) // 2
        left = px(_SIDE)
        places = []
        for hint in self._hints:
            cap = QRect(left, top, tiny.horizontalAdvance(hint.keys) + 2 * px(_INSIDE), px(_CAP))
            word = QRect(cap.right() + 1 + px(_INSIDE), 1, small.horizontalAdvance(hint.text) + 1, self.height() - 1)
            if word.right() >= self.width() - px(_END):
                break
            places.append((hint, cap, word))
            left = word.right() + px(_BETWEEN)
        return places

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), palette.window)
        painter.fillRect(0, 0, self.width(), 1, palette.hairline)
        for hint, cap, word in self.places():
            draw_box(painter, cap, palette.field, palette.edge)
            key = QRect(cap.left() + self.theme.px(_INSIDE), word.top(), cap.width(), word.height())
            draw_text(painter, key, hint.keys, self.theme.tiny, palette.text, LEFT)
            draw_text(painter, word, hint.text, self.theme.small, palette.muted, LEFT)
