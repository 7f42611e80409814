"""The segments of a recording as a table."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent

from ....edits.segments import Segment
from ....texts import say
from ....views.time_axis import frame_of
from ....views.units import size_text
from ...session import Session
from ...style.theme import Theme
from ...widgets.items_table import Column, ItemModel, ItemTable

NAME, START, END, SIZE = range(4)
_MOST_ROWS = 6  # visible at once
_ROW = 22
_FRAME = 1  # width of the table's frame


class SegmentTable(ItemTable):
    """The segments below the Trim pane's range, with their times and the bytes of their frames."""

    def __init__(self, session: Session, theme: Theme) -> None:
        segments = session.segments
        selection = session.selection
        span = session.range
        self._presses = 0

        def moment(frame: int) -> str:
            elapsed = session.snapshot_or_refuse().elapsed
            seconds = float(elapsed[min(frame, len(elapsed) - 1)])
            text, _ = theme.units.time_parts(seconds, end=float(elapsed[-1]))
            return text

        def size(segment: Segment) -> str:
            snapshot = session.snapshot_or_refuse()
            first = snapshot.table.row_of_frame(segment.start)
            last = snapshot.table.row_of_frame(segment.stop - 1)
            return size_text(snapshot.position(last + 1) - snapshot.position(first))

        def set_name(_segment: Segment, text: str) -> dict[str, str]:
            return {"name": text} if text else {}

        def set_start(_segment: Segment, text: str) -> dict[str, int]:
            return {"start": frame_of(session.snapshot_or_refuse().elapsed, text, stop=False)}

        def set_stop(_segment: Segment, text: str) -> dict[str, int]:
            return {"stop": frame_of(session.snapshot_or_refuse().elapsed, text, stop=True)}

        def switch(index: int) -> None:
            segments.change(index, is_on=not segments.items[index].is_on)

        def go_to(index: int) -> None:
            selection.go_to_frame(segments.items[index].start)

        def set_range(index: int) -> None:
            segment = segments.items[index]
            span.set(segment.start, segment.stop)

        columns = (
            Column(say("Segment"), lambda segment: segment.name, set_name),
            Column(say("From"), lambda segment: moment(segment.start), set_start),
            Column(say("To"), lambda segment: moment(segment.stop), set_stop),
            Column(say("Size ≈"), size),
        )
        super().__init__(
            ItemModel(session, theme, segments, columns, numbers=(START, END, SIZE)),
            say("Segments"),
            (say("On or off"), "Space", switch),
            (say("Go to its first frame"), "", go_to),
            (say("Mark in and out at its ends"), "", set_range),
            (say("Move up"), "Alt+Up", partial(self._move, -1)),
            (say("Move down"), "Alt+Down", partial(self._move, 1)),
            (say("Remove from the list"), "Del", segments.remove),
        )

    def _move(self, by: int, row: int, gesture: str | None = None) -> None:
        target = row + by
        if 0 <= target < len(self.items.rows):
            self.items.session.segments.move(row, target, gesture)
            self.setCurrentIndex(self.items.index(target, self.currentIndex().column()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._presses += 1  # all moves of a row until the next press are one step of undo
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the row that the mouse holds."""
        row = self.currentIndex().row()
        target = self.rowAt(event.position().toPoint().y())
        if event.buttons() == Qt.MouseButton.NoButton:
            super().mouseMoveEvent(event)
        elif target not in (row, -1):
            self._move(target - row, row, f"row:{self._presses}")

    def refresh(self) -> None:
        """Show the segments of the session."""
        super().refresh()
        rows = self.items.rowCount()
        header = self.verticalHeader()
        header.setDefaultSectionSize(self.items.theme.px(_ROW))  # or as low as the style lets it be
        rows_height = header.defaultSectionSize() * min(rows, _MOST_ROWS)
        self.setFixedHeight(rows_height + self.horizontalHeader().sizeHint().height() + 2 * _FRAME)
        self.setVisible(rows > 0)
