"""Numbers in a column, as a preview shows them. They know how numbers are laid out, not what they count."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip

from recorder_editor.ui.painting import RIGHT, draw_text
from recorder_editor.ui.theme import Theme
from recorder_editor.ui.widgets.base import ThemedWidget

_LABELS = 92
_NUMBERS = 84
_ROW = 21
_TALLY_ROW = 20


class Figure(NamedTuple):
    """One line: `label`, `number`, its `unit`, and muted at the right what stands `beside`."""

    label: str
    number: str
    unit: str = ""
    beside: str = ""


class Figures(ThemedWidget):
    """A column of right-aligned numbers with units, and what they are compared with at the right margin."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme)
        self._name = name
        self.lines: tuple[Figure, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    def show_lines(self, lines: Sequence[Figure]) -> None:
        """Show these."""
        if tuple(lines) == self.lines:
            return
        before, self.lines = len(self.lines), tuple(lines)
        said = (" ".join(part for part in line if part) for line in self.lines)
        self.setAccessibleDescription(", ".join(said))
        if len(self.lines) != before:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(240), len(self.lines) * self.theme.px(_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, palette, row = self.theme, self.theme.palette, self.theme.px(_ROW)
        painter = QPainter(self)
        labels, numbers = self._columns()
        for index, line in enumerate(self.lines):
            top = index * row
            draw_text(painter, QRect(0, top, labels, row), line.label, theme.font, palette.muted, RIGHT)
            draw_text(painter, QRect(labels, top, numbers, row), line.number, theme.mono, palette.text, RIGHT)
            rest = self._rest(index)
            unit = QRect(labels + numbers + 4, top, rest.left() - labels - numbers - 10, row)
            draw_text(painter, unit, line.unit, theme.small, palette.muted)
            draw_text(painter, rest, line.beside, theme.small, palette.muted, RIGHT, room=rest.width())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            index, small = event.pos().y() // self.theme.px(_ROW), self.theme.metrics(self.theme.small)
            beside = self.lines[index].beside if index < len(self.lines) else ""
            is_cut = bool(beside) and small.horizontalAdvance(beside) > self._rest(index).width()
            QToolTip.showText(event.globalPos(), beside if is_cut else "", self)
            return True
        return super().event(event)

    def _columns(self) -> tuple[int, int]:
        """Widths of the labels and of the numbers: in a narrow pane the words come nearer to the margin before anything
        is cut."""
        px = self.theme.px
        return min(px(_LABELS), max(self._widest(), self.width() - px(_NUMBERS + 130))), px(_NUMBERS)

    def _rest(self, index: int) -> QRect:
        """Where it stands what is beside a line."""
        row, unit = self.theme.px(_ROW), self.theme.metrics(self.theme.small).horizontalAdvance(self.lines[index].unit)
        left = sum(self._columns()) + unit + 12
        return QRect(left, index * row, max(0, self.width() - left), row)

    def _widest(self) -> int:
        metrics = self.theme.metrics(self.theme.font)
        return max((metrics.horizontalAdvance(line.label) + 1 for line in self.lines), default=0)


class Tally(ThemedWidget):
    """Names and how many of each, in two columns."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme)
        self.counts: Mapping[str, int] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show these."""
        self.counts = dict(counts)
        self.setAccessibleDescription(", ".join(f"{name} {count:,}" for name, count in counts.items()))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(240), (len(self.counts) + 1) // 2 * self.theme.px(_TALLY_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, palette = self.theme, self.theme.palette
        painter = QPainter(self)
        for index, (name, count) in enumerate(self.counts.items()):
            rect, room = self._place(index, count)
            draw_text(painter, rect, f"{count:,}", theme.mono, palette.text, RIGHT)
            draw_text(painter, rect, name, theme.font, palette.muted, room=room)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            said = ""
            for index, (name, count) in enumerate(self.counts.items()):
                rect, room = self._place(index, count)
                if rect.contains(event.pos()) and self.theme.metrics().horizontalAdvance(name) > room:
                    said = name
            QToolTip.showText(event.globalPos(), said, self)
            return True
        return super().event(event)

    def _place(self, index: int, count: int) -> tuple[QRect, int]:
        """Where a name and its number stand, and the room of the name."""
        theme, row = self.theme, self.theme.px(_TALLY_ROW)
        gap = theme.px(22)
        width = (self.width() - gap) // 2
        room = width - theme.metrics(theme.mono).horizontalAdvance(f"{count:,}") - 6
        return QRect((index % 2) * (width + gap), index // 2 * row, width, row), room
