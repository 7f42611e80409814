"""The page of a frame: its own values, which can be edited, and below them what it holds and what is near it."""

from collections.abc import Sequence
from typing import NamedTuple, cast, get_args

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from ....format import PacketType
from ....reading import Actors
from ....reading.events import Events
from ....recording import Finding, Frame, Place, Snapshot
from ....texts import listed, say, say_count
from ....views.frame_overview import EventIndex, FrameIndex, Line, Section, problems_of, traffic_lights
from ...session import Session
from ...style.boxes import fill, frameless
from ...style.colors import ColorName
from ...style.icons import ROW_SIZE
from ...style.painting import RIGHT, draw_text
from ...style.theme import Theme
from ...widgets.keyboard import ViewKeys
from ...widgets.rows_model import Index, RowsModel
from .forms import FrameForm, frame_title
from .pages import Heading, tighten

ROW = 22
TITLE = 28
SIDE = 12
_TEXT = 34  # where texts begin
_BETWEEN = 8  # a text and what stands at the end of its line
_LEAST_LIST = 96
_ROW_ROLE = int(Qt.ItemDataRole.UserRole)
_COLORS = frozenset(get_args(ColorName))


class Row(NamedTuple):
    """A row of the list.

    Attributes:
        section: The title of its section.
        line: The line; None: it is that title.
    """

    section: str
    line: Line | None


class OverviewModel(RowsModel[Row]):
    """The sections one below the other."""

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show these; from frame to frame most lines stay, and only the others are painted anew."""
        rows: list[Row] = []
        for section in sections:
            rows.append(Row(section.title, None))
            rows += [Row(section.title, line) for line in section.lines]
        if [row.line is None for row in rows] != [row.line is None for row in self.rows]:
            self.show(rows)
            return
        changed = [number for number, row in enumerate(rows) if row != self.rows[number]]
        self.rows = rows
        if changed:
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], 0))

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Return the flags of a row: the keyboard passes over titles."""
        if index.isValid() and self.rows[index.row()].line is None:
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def shown(self, row: Row, _column: int, role: int) -> object:
        if role == _ROW_ROLE:
            return row
        if row.line is None:
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
                return row.section
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.line.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return listed((row.section, row.line.spoken), "clauses")
        if role == Qt.ItemDataRole.ToolTipRole:
            if row.line.target is not None:
                return f"{row.line.spoken}\n{say('Click to go there')}"
            return row.line.spoken
        return None


def paint_section(painter: QPainter, rect: QRect, title: str, theme: Theme) -> None:
    """Draw the title of a section in a row of a list: a small semi-bold text and a hairline after it."""
    room = rect.adjusted(SIDE, theme.px(TITLE - ROW), -SIDE, 0)
    draw_text(painter, room, title, theme.small_bold, theme.palette.text, room=room.width())
    start = room.left() + theme.metrics(theme.small_bold).horizontalAdvance(title) + 8
    if start < room.right():
        painter.fillRect(start, room.center().y(), room.right() + 1 - start, 1, theme.palette.hairline)


class _Delegate(QStyledItemDelegate):
    """Draws titles with a hairline after them, as in forms, and lines with what they lead to as links."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row = index.data(_ROW_ROLE)
        height = ROW if row.line is not None else TITLE
        return QSize(60, self.theme.px(height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(_ROW_ROLE)
        if row.line is None:
            paint_section(painter, option.rect, row.section, self.theme)
        else:
            self._paint_line(painter, option, row.line)

    def _paint_line(self, painter: QPainter, option: QStyleOptionViewItem, line: Line) -> None:
        palette = self.theme.palette
        rect: QRect = option.rect
        is_pointed = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if line.target is not None and is_pointed:
            painter.fillRect(rect, palette.hover)
        if line.icon:
            color = palette.color(cast("ColorName", line.color)) if line.color in _COLORS else None
            top = rect.top() + (rect.height() - ROW_SIZE) // 2
            self.theme.icons.draw(painter, line.icon, rect.left() + SIDE, top, ROW_SIZE, color)
        right = rect.right() + 1 - SIDE
        left = rect.left() + (_TEXT if line.icon else SIDE)
        if line.detail:
            needed = self.theme.metrics(self.theme.small).horizontalAdvance(line.detail) + 1
            text_width = self.theme.metrics().horizontalAdvance(line.text)
            width = min(needed, max(rect.width() // 2, right - left - text_width - _BETWEEN))
            place = QRect(right - width, rect.top(), width, rect.height())
            draw_text(painter, place, line.detail, self.theme.small, palette.muted, RIGHT, room=width)
            right -= width + _BETWEEN
        room = QRect(left, rect.top(), right - left, rect.height())
        color = palette.text if line.icon or line.target is not None else palette.muted
        draw_text(painter, room, line.text, self.theme.font, color, room=room.width())
        view = self.parent()
        if option.state & QStyle.StateFlag.State_HasFocus and isinstance(view, QWidget) and view.hasFocus():
            painter.setPen(palette.selection)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))


class FramePage(QWidget):
    """A frame: number, time and size, the values of its FrameStart, and its overview. It is filled while it is seen.

    Attributes:
        heading: Number of the frame, its time, packets and bytes.
        form: Its three values.
        list: What is in it and about it; a click, or Enter, goes there.
        model: The lines of the list.
    """

    def __init__(self, session: Session, theme: Theme, kind: PacketType) -> None:
        super().__init__()
        self.session = session
        self.theme = theme
        self.heading = Heading(theme)
        self.form = FrameForm(theme, kind)
        self.list = frameless(QListView(), "frameOverview", say("Overview of the frame"))
        self.list.setProperty("ground", "window")
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.model = OverviewModel(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Delegate(theme, self.list))
        self.list.clicked.connect(self._go)
        ViewKeys(self.list, {"Return; Enter": lambda: self._go(self.list.currentIndex())})
        fill(QVBoxLayout(self), self.heading, tighten(self.form), (self.list, 1), spacing=0)
        self._frames: FrameIndex | None = None
        self._events: EventIndex | None = None
        self._shown_kinds: object = None
        self._findings: Sequence[Finding] = ()
        self._by_row: dict[int, list[Finding]] = {}
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.list.setMinimumHeight(self.theme.px(_LEAST_LIST))
        self.list.doItemsLayout()

    def fill(self, snapshot: Snapshot, frame: Frame) -> None:
        """Show a frame."""
        title, moment = frame_title(snapshot, frame, self.theme.units)
        packets = say_count("1 packet", "{count:,} packets", count=len(frame.packets))
        size = say_count("1 byte", "{count:,} bytes", count=frame.size)
        self.heading.show_title(title, listed((moment, packets, size), "clauses"), "frame")
        self.form.fill_frame(frame)
        self.form.mark(self.session.selection.place.field)
        self.model.show_sections(self._sections(snapshot, frame))

    def _sections(self, snapshot: Snapshot, frame: Frame) -> list[Section]:
        sections = []
        index = self._frame_index()
        if index is not None:
            sections.append(index.road_users(frame))
        lights = traffic_lights(frame)
        if lights is not None:
            sections.append(lights)
        events = self._event_index(snapshot)
        if events is not None:
            sections.append(events.about(frame.index, snapshot.elapsed))
        else:
            sections.append(Section(say("Traffic events"), (Line(say("Looking for traffic events")),)))
        if index is not None:
            sections.append(index.happenings(frame))
        problems = self._problems(frame)
        if problems:
            sections.append(problems_of(problems))
        return sections

    def _frame_index(self) -> FrameIndex | None:
        """Return the actors, prepared once; None until they are read."""
        actors: Actors | None = self.session.actors
        if actors is None:
            return None
        if self._frames is None or self._frames.actors is not actors:
            self._frames = FrameIndex(actors)
        return self._frames

    def _event_index(self, snapshot: Snapshot) -> EventIndex | None:
        """Return the traffic events, prepared once.

        None until they are known in a state with as many frames, and until all frames are looked at where none is.
        """
        events: Events | None = self.session.events.found
        searched = self.session.events.snapshot
        if events is None or searched is None or len(searched) != len(snapshot):
            return None
        if not len(events) and not self.session.events.is_whole:
            return None
        kinds = self.session.events.switched
        if self._events is None or self._events.events is not events or kinds is not self._shown_kinds:
            self._events = EventIndex(events, self.session.events.shows)
            self._shown_kinds = kinds
        return self._events

    def _problems(self, frame: Frame) -> Sequence[Finding]:
        findings = self.session.background.findings
        if findings is not self._findings:
            self._findings = findings
            self._by_row = {}
            for finding in findings:
                if finding.row is not None:
                    self._by_row.setdefault(finding.row, []).append(finding)
        return self._by_row.get(frame.row, ())

    def _go(self, index: QModelIndex) -> None:
        """Go to what a line leads to."""
        if not index.isValid():
            return
        row: Row = index.data(_ROW_ROLE)
        if row.line is None or row.line.target is None:
            return
        target = row.line.target
        selection = self.session.selection
        if isinstance(target, Finding):
            selection.select_finding(target)
        elif isinstance(target, Place):
            selection.select(target)
            selection.sought.emit()
        else:
            self.session.events.choose(target.row)
