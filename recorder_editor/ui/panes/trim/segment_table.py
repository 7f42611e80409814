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
_MOST_ROWS = 6  # in sight
_ROW = 22


class SegmentTable(ItemTable):
    """The segments below the Trim pane's range, with their times and how many bytes their frames have."""

    def __init__(self, session: Session, theme: Theme) -> None:
        segments = session.segments
        selection = session.selection
        span = session.range
        self._presses = 0

        def moment(frame: int) -> str:
            elapsed = session.snapshot_or_refuse().elapsed
            return theme.units.time_parts(float(elapsed[min(frame, len(elapsed) - 1)]), float(elapsed[-1]))[0]

        def size(each: Segment) -> str:
            snapshot = session.snapshot_or_refuse()
            low, high = map(snapshot.table.row_of_frame, (each.start, each.stop - 1))
            return size_text(snapshot.position(high + 1) - snapshot.position(low))

        def end(name: str, _segment: Segment, text: str) -> dict[str, int]:
            return {name: frame_of(session.snapshot_or_refuse().elapsed, text, stop=name == "stop")}

        every = (
            Column(say("Segment"), lambda each: each.name, lambda _, text: {"name": text} if text else {}),
            Column(say("From"), lambda each: moment(each.start), partial(end, "start")),
            Column(say("To"), lambda each: moment(each.stop), partial(end, "stop")),
            Column(say("Size ≈"), size),
        )
        super().__init__(
            ItemModel(session, theme, segments, every, (START, END, SIZE)),
            say("Segments"),
            (say("On or off"), "Space", lambda at: segments.change(at, is_on=not segments.items[at].is_on)),
            (say("Go to its first frame"), "", lambda at: selection.go_to_frame(segments.items[at].start)),
            (say("Set in and out points to it"), "", lambda at: span.set(*segments.items[at][1:3])),
            (say("Move up"), "Alt+Up", partial(self._move, -1)),
            (say("Move down"), "Alt+Down", partial(self._move, 1)),
            (say("Remove from the list"), "Del", segments.remove),
        )

    def _move(self, by: int, at: int, gesture: str | None = None) -> None:
        if 0 <= at + by < len(self.items.rows):
            self.items.session.segments.move(at, at + by, gesture)
            self.setCurrentIndex(self.items.index(at + by, self.currentIndex().column()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._presses += 1  # all that a row is moved until the next one is one step of undo
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the row that the mouse holds go with it."""
        at = self.currentIndex().row()
        to = self.rowAt(event.position().toPoint().y())
        if event.buttons() == Qt.MouseButton.NoButton:
            super().mouseMoveEvent(event)
        elif to not in (at, -1):
            self._move(to - at, at, f"row:{self._presses}")

    def refresh(self) -> None:
        """Show the segments of the session."""
        super().refresh()
        rows = self.items.rowCount()
        lines = self.verticalHeader()
        lines.setDefaultSectionSize(self.items.theme.px(_ROW))  # or as low as the style lets it be
        heights = lines.defaultSectionSize() * min(rows, _MOST_ROWS), self.horizontalHeader().sizeHint().height(), 2
        self.setFixedHeight(sum(heights))
        self.setVisible(rows > 0)
