"""Numbers of two states side by side, and what is lost by type of packet. They know columns, not what is counted."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from ..painting import RIGHT, draw_text
from ..theme import Theme
from ..widgets import ThemedWidget

_ROW = 20
_HEAD = 22


class Row(NamedTuple):
    """One line: `label`, and its numbers from the left; empty ones are not shown."""

    label: str
    numbers: tuple[str, ...]


class Column(NamedTuple):
    """The head of a column: `title`, `color` of its numbers, `sign` before the title (an icon) and its colour."""

    title: str
    color: str = "text"
    sign: str = ""
    sign_color: str = "muted"


class Table(ThemedWidget):
    """A heading, columns of right-aligned numbers with a head over each, labels at the left."""

    def __init__(self, theme: Theme, name: str, heading: str, columns: Sequence[Column]) -> None:
        super().__init__(theme)
        self.heading = heading
        self.columns = tuple(columns)
        self.rows: tuple[Row, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    def name_first(self, title: str) -> None:
        """Call the first column this."""
        if title != self.columns[0].title:
            self.columns = (self.columns[0]._replace(title=title), *self.columns[1:])
            self.updateGeometry()
            self.update()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these."""
        if tuple(rows) == self.rows:
            return
        before, self.rows = len(self.rows), tuple(rows)
        titles = [column.title for column in self.columns]
        told = (
            f"{row.label}: " + ", ".join(f"{number} {title}" for number, title in zip(row.numbers, titles, strict=True))
            for row in self.rows
        )
        self.setAccessibleDescription("; ".join(told))
        if len(self.rows) != before:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        lines = 2 if self._is_narrow() else 1
        return QSize(self.theme.px(240), lines * self.theme.px(_HEAD) + len(self.rows) * self.theme.px(_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(180), self.sizeHint().height())

    def resizeEvent(self, event: object) -> None:
        self.updateGeometry()

    def _labels(self) -> int:
        metrics = self.theme.metrics(self.theme.font)
        return max((metrics.horizontalAdvance(row.label) for row in self.rows), default=0) + 8

    def _pitch(self) -> int:
        """From column to column."""
        room = max(0, self.width() - self._labels())
        return min(room // len(self.columns), self.theme.px(104))

    def _is_narrow(self) -> bool:
        """The heading has a line of its own: beside it there is no room for the heads."""
        heading = self.theme.metrics(self.theme.bold).horizontalAdvance(self.heading) + 8
        first = self.theme.metrics(self.theme.font).horizontalAdvance(self.columns[0].title)
        first += 20 if self.columns[0].sign else 0
        return self.width() - self._pitch() * (len(self.columns) - 1) - first < heading

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, palette, head, row = self.theme, self.theme.palette, self.theme.px(_HEAD), self.theme.px(_ROW)
        painter = QPainter(self)
        draw_text(painter, QRect(0, 0, self.width(), head), self.heading, theme.bold, palette.text)
        top = head if self._is_narrow() else 0
        pitch, count = self._pitch(), len(self.columns)
        places = [QRect(self.width() - (count - i) * pitch, 0, pitch, row) for i in range(count)]
        for column, place in zip(self.columns, places, strict=True):
            self._head(painter, column, QRect(place.left(), top, pitch, head))
        for number, line in enumerate(self.rows):
            y = top + head + number * row
            room = max(places[0].left(), 20)
            draw_text(painter, QRect(0, y, self.width(), row), line.label, theme.font, palette.muted, room=room)
            for column, place, text in zip(self.columns, places, line.numbers, strict=True):
                draw_text(painter, place.translated(0, y), text, theme.mono, self._ink(column, text), RIGHT)

    def _ink(self, column: Column, text: str) -> QColor:
        """The colour of a number: nothing lost is nothing to be looked at."""
        return self.theme.palette.color("muted" if text in ("0", "0.000") else column.color)

    def _head(self, painter: QPainter, column: Column, place: QRect) -> None:
        theme = self.theme
        draw_text(painter, place, column.title, theme.font, theme.palette.muted, RIGHT)
        if column.sign:
            width = theme.metrics(theme.font).horizontalAdvance(column.title)
            at = place.right() - width - 19
            color = theme.palette.color(column.sign_color)
            theme.icons.draw(painter, column.sign, at, place.top() + (place.height() - 14) // 2, 14, color)
