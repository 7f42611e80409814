"""A pane of lines of bytes that scrolls over any size: how many fit, which is at the top, what is under a point.

Knows how large the recording is, and neither what its bytes mean nor what is done with them.
"""

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from ....recording import Snapshot
from ...style.theme import Theme
from .geometry import Metrics, fitting_metrics

MOST_LINES = 2_000_000_000
"""A scroll bar counts no further; beyond that one step of it is several lines."""


class HexScrollArea(QAbstractScrollArea):
    """Lines of bytes, and their scroll bars.

    Signals: `row_length_changed(int)`, `scrolled`.

    Attributes:
        theme: Fonts and colours.
        snapshot: The recording; None without one.
        metrics_: Where things are.
    """

    row_length_changed = Signal(int)
    scrolled = Signal()

    def __init__(self, theme: Theme, snapshot: Snapshot | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.snapshot = snapshot
        self.metrics_: Metrics = fitting_metrics(theme, 0, 0)
        self._stretch = 1
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.restyle()
        theme.changed.connect(self.restyle)
        self.verticalScrollBar().valueChanged.connect(self.scrolled)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)

    def restyle(self) -> None:
        """Take over fonts and colours."""
        self.setFont(self.theme.mono)
        self._measure_again()
        self.viewport().update()

    def measure(self) -> None:
        """Take over the size of the recording and of the pane."""
        before = self.metrics_.per_row
        metrics = fitting_metrics(self.theme, self.size_, self.viewport().width())
        bar_height = self.horizontalScrollBar().sizeHint().height()
        if self.height() < metrics.header + metrics.line + bar_height:
            self.metrics_ = metrics._replace(header=0)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        else:
            self.metrics_ = metrics
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        if before != self.metrics_.per_row:
            self.row_length_changed.emit(self.metrics_.per_row)
        self._fit_scroll_bars()

    @property
    def size_(self) -> int:
        """Bytes of the recording."""
        if self.snapshot is not None:
            return self.snapshot.size
        return 0

    @property
    def per_row(self) -> int:
        """Bytes a row."""
        return self.metrics_.per_row

    @property
    def lines_shown(self) -> int:
        """Whole lines that fit."""
        return max(1, (self.viewport().height() - self.metrics_.header) // self.metrics_.line)

    def _fit_scroll_bars(self) -> None:
        bar = self.verticalScrollBar()
        lines = self.size_ // self.per_row + 1
        self._stretch = max(1, -(-lines // MOST_LINES))
        bar.setRange(0, max(0, -(-(lines - self.lines_shown) // self._stretch)))
        bar.setPageStep(max(1, self.lines_shown // self._stretch))
        bar.setSingleStep(3)
        side = self.horizontalScrollBar()
        # None where the lines fit as `fitting_metrics` has it: the bars would else come and go for ever.
        excess = self.metrics_.text_x(self.per_row) - self.viewport().width()
        if excess > 0:
            side.setRange(0, int(excess) + 6)
        else:
            side.setRange(0, 0)
        side.setPageStep(self.viewport().width())

    @property
    def first_line(self) -> int:
        """The line at the top."""
        return self.verticalScrollBar().value() * self._stretch

    def is_in_sight(self, position: int) -> bool:
        """Return whether the line of a byte is shown, whole."""
        return self.first_line <= position // self.per_row < self.first_line + self.lines_shown

    def scroll_to(self, position: int) -> None:
        """Make a byte visible: where it is not, on a line of the upper third, the same one each time."""
        if self.is_in_sight(position):
            return
        wanted = position // self.per_row
        value = max(0, wanted - self.lines_shown // 3) // self._stretch
        if wanted - value * self._stretch >= self.lines_shown:
            value = wanted // self._stretch
        self.verticalScrollBar().setValue(value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._measure_again()

    def _measure_again(self) -> None:
        """Measure, and keep the byte at the top there, however many go into a line now."""
        top = self.first_line * self.per_row
        self.measure()
        self.verticalScrollBar().setValue(top // self.per_row // self._stretch)
        self.scrolled.emit()

    # --- where is what ----------------------------------------------------------------------------------

    def inside(self, point: QPoint) -> QPoint:
        """Return a point of the viewport, counted from the left end of the lines."""
        return point + QPoint(self.horizontalScrollBar().value(), 0)

    def position_at(self, point: QPoint) -> tuple[int, bool] | None:
        """Return the position of the byte under a point of the viewport, and whether it is in the text column.

        Returns:
            None where no byte is.
        """
        if self.snapshot is None or point.y() < self.metrics_.header:
            return None
        spot = self.metrics_.spot(self.inside(point), self.first_line)
        if spot.position < self.snapshot.size:
            return spot
        return None

    def rect_of(self, position: int) -> QRect:
        """Return the cell of a byte in the hex column, in the viewport."""
        cell, _ = self.metrics_.cells(position, position + 1, self.first_line)
        return cell.translated(-self.horizontalScrollBar().value(), 0)
