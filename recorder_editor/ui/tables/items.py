"""Segments and notes as tables: cells edited in place, keys and a menu for the current row; the Notes pane."""

import re
from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QMouseEvent, QPixmap
from PySide6.QtWidgets import QHeaderView, QPushButton, QTableView

from ...edits.segments import Segment
from ...recording.notes import Note
from ...sentences import say
from ..dialogs.widgets import set_read_only
from ..keyboard import ViewKeys
from ..language import tr
from ..pane_parts import FilteredPane
from ..rows import DISPLAY, Index, RowsModel
from ..session import Session
from ..session.notes import Notes
from ..session.segments import Segments
from ..status import size_text
from ..theme import Theme
from ..timeline.axis import frame_of
from ..timeline.pointing import item_tip
from ..widgets.values import pick_colour

NAME, START, END, SIZE = range(4)
_MOST_ROWS = 6  # in sight, of segments
_ROW = 22
_SWATCH = 28
_TAGS_WIDTH = 112


class Column(NamedTuple):
    """`title`, `text` (of an item), `typed` (what a text typed for an item makes of its attributes; None: none is)."""

    title: str
    text: Callable[[Any], str]
    typed: Callable[[Any, str], dict[str, Any]] | None = None


def _swatch(color: str) -> QIcon:
    """A square of a colour, which a selected row does not tint."""
    square = QPixmap(_SWATCH, _SWATCH)
    square.fill(QColor(color))
    icon = QIcon(square)
    icon.addPixmap(square, QIcon.Mode.Selected)
    return icon


class ItemModel(RowsModel[Any]):
    """The items of a list of the session, with their colours and, where they can be off, a tick."""

    def __init__(
        self, session: Session, theme: Theme, listed: Segments | Notes, every: Sequence[Column], numbers: Container[int]
    ) -> None:
        super().__init__()
        self.session, self.theme, self.listed, self.every = session, theme, listed, every
        self.columns, self.numbers = len(every), numbers

    def head(self, column: int) -> str:
        return self.every[column].title

    def refresh(self) -> None:
        """Show the items of the session; of as many as before one may just be edited, whose editor stays."""
        items = self.listed.items
        if len(items) != len(self.rows):
            self.show(items)
        elif items:
            self.rows = items
            self.dataChanged.emit(self.index(0, 0), self.index(len(items) - 1, self.columns - 1))

    def flags(self, index: Index) -> Qt.ItemFlag:
        more = Qt.ItemFlag.ItemIsEditable if self.every[index.column()].typed is not None else Qt.ItemFlag(0)
        return super().flags(index) | more | (Qt.ItemFlag(0) if index.column() else Qt.ItemFlag.ItemIsUserCheckable)

    def shown(self, item: Any, column: int, role: int) -> Any:
        if role in (DISPLAY, Qt.ItemDataRole.EditRole):
            return self.every[column].text(item)
        if role == Qt.ItemDataRole.FontRole:
            return self.theme.mono if column in self.numbers else self.theme.font
        if role == Qt.ItemDataRole.ToolTipRole:
            return item_tip(item)
        if role == Qt.ItemDataRole.CheckStateRole and not column and isinstance(item, Segment):
            return Qt.CheckState.Checked if item.is_on else Qt.CheckState.Unchecked
        return _swatch(item.color) if role == Qt.ItemDataRole.DecorationRole and not column else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row, typed = index.row(), self.every[index.column()].typed
        if role == Qt.ItemDataRole.CheckStateRole:
            self.listed.change(row, is_on=not self.rows[row].is_on)
        elif typed is not None:
            self.session.attempt(lambda: self.listed.change(row, **typed(self.rows[row], value.strip())))
        return True


class ItemTable(QTableView):
    """The rows, and what can be done with the current one. Signal: `went(int)` (to another row, by mouse or keys)."""

    went = Signal(int)

    def __init__(self, model: ItemModel, name: str, *deeds: tuple[str, str, Callable[[int], object]]) -> None:
        """`deeds`: name, keys, and what is done with a row; the last one removes it."""
        super().__init__()
        self.items = model
        self.setModel(model)
        set_read_only(self, model.theme, name)
        self.setEditTriggers(self.EditTrigger.DoubleClicked | self.EditTrigger.EditKeyPressed)
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        taken: dict[str, Callable[[], object]] = {}
        edit, pick = (self.tr("Edit"), "Return; Enter", self.write), (self.tr("Colour..."), "", self._pick)
        for text, keys, does in (edit, *deeds[:-1], pick, deeds[-1]):
            action = QAction(text, self)
            action.setShortcut(keys.partition(";")[0])  # to be seen in the menu
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(self._do, does))
            self.addAction(action)
            taken[keys] = action.trigger
        ViewKeys(self, taken, letters_pass=True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        model.listed.changed.connect(self.refresh)
        model.theme.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the items of the session; the same place of the list is the current one, at first its beginning."""
        row, column = max(0, self.currentIndex().row()), max(0, self.currentIndex().column())
        with QSignalBlocker(self):
            self.items.refresh()
            self.setCurrentIndex(self.items.index(min(row, self.items.rowCount() - 1), column))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.went.emit(current.row())

    def write(self, row: int) -> None:
        """Let a person edit a row: its current cell, or the first one where nothing is typed into that."""
        column = self.currentIndex().column()
        self.setCurrentIndex(self.items.index(row, column if self.items.every[column].typed is not None else 0))
        self.edit(self.currentIndex())

    def _do(self, does: Callable[[int], object]) -> None:
        """Do something with the current row, unless a filter has hidden it."""
        row = self.currentIndex().row()
        if row >= 0 and not self.isRowHidden(row):
            does(row)

    def _pick(self, row: int) -> None:
        listed, color = self.items.listed, QColor(self.items.rows[row].color)
        pick_colour(self, color, lambda to: listed.change(self.currentIndex().row(), color=to.name().upper()))


class SegmentTable(ItemTable):
    """The segments below the Trim pane's range, with their times and how many bytes their frames have."""

    def __init__(self, session: Session, theme: Theme) -> None:
        segments, selection, span = session.segments, session.selection, session.range
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
            Column(tr("Segment"), lambda each: each.name, lambda _, text: {"name": text} if text else {}),
            Column(tr("From"), lambda each: moment(each.start), partial(end, "start")),
            Column(tr("To"), lambda each: moment(each.stop), partial(end, "stop")),
            Column(tr("Size ≈"), size),
        )
        super().__init__(
            ItemModel(session, theme, segments, every, (START, END, SIZE)),
            tr("Segments"),
            (tr("On or off"), "Space", lambda at: segments.change(at, is_on=not segments.items[at].is_on)),
            (tr("Go to its first frame"), "", lambda at: selection.go_to_frame(segments.items[at].start)),
            (tr("Set in and out points to it"), "", lambda at: span.set(*segments.items[at][1:3])),
            (tr("Move up"), "Alt+Up", partial(self._move, -1)),
            (tr("Move down"), "Alt+Down", partial(self._move, 1)),
            (tr("Remove from the list"), "Del", segments.remove),
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
        at, to = self.currentIndex().row(), self.rowAt(event.position().toPoint().y())
        if event.buttons() == Qt.MouseButton.NoButton:
            super().mouseMoveEvent(event)
        elif to not in (at, -1):
            self._move(to - at, at, f"row:{self._presses}")

    def refresh(self) -> None:
        """Show the segments of the session."""
        super().refresh()
        rows, lines = self.items.rowCount(), self.verticalHeader()
        lines.setDefaultSectionSize(self.items.theme.px(_ROW))  # or as low as the style lets it be
        heights = lines.defaultSectionSize() * min(rows, _MOST_ROWS), self.horizontalHeader().sizeHint().height(), 2
        self.setFixedHeight(sum(heights))
        self.setVisible(rows > 0)


class NotesPane(FilteredPane):
    """Attribute: `adopt` (the button that takes over the notes of another recording)."""

    def __init__(self, session: Session, theme: Theme) -> None:
        every = (
            Column(tr("Text"), lambda note: note.text, lambda _, text: {"text": text} if text else {}),
            Column(tr("Tags"), lambda note: note.tag_text, _tags),
            Column(tr("Frames"), _place),
        )
        self.items = ItemModel(session, theme, session.notes, every, (2,))
        self.table = table = ItemTable(self.items, tr("Notes"), (tr("Delete"), "Del", session.notes.remove))
        super().__init__(session, theme, table, tr("Filter: brakes #todo"))
        table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Interactive)
        table.setColumnWidth(1, theme.px(_TAGS_WIDTH))
        table.went.connect(self.go_to)
        table.clicked.connect(lambda index: self.go_to(index.row()))
        self.adopt = QPushButton(self.tr("Take over"))
        self.adopt.clicked.connect(session.notes.take_over)
        self.empty.add_button(self.adopt)
        self.filter.textChanged.connect(self._filter)
        session.notes.changed.connect(self._filter)
        self._filter()

    def _filter(self) -> None:
        words, notes = self.filter.text().lower().split(), self.session.notes
        texts = [" ".join(column.text(note) for column in self.items.every).lower() for note in notes.items]
        shown = [all(word in text for word in words) for text in texts]
        for row, is_shown in enumerate(shown):
            self.table.setRowHidden(row, not is_shown)
        self.table.resizeColumnToContents(2)  # Qt leaves it as wide as the rows that were shown before need
        other = say("recording.other_notes", path=notes.other.name) if notes.other is not None else ""
        about = notes.error or other or self.tr("B in the scene or timeline makes one.")
        self.adopt.setVisible(bool(other and not notes.items))
        self.tell(sum(shown), len(shown), self.tr("No note matches"), self.tr("No notes"), about)

    def go_to(self, row: int) -> None:
        """Go to the first frame of the note of a row, and select its actor."""
        if row >= 0 and (note := self.session.notes.items[row]).frames:
            self.session.selection.go_to_frame(note.start)
            if note.actor is not None:
                self.session.selection.seek_actor(note.actor)

    def edit(self) -> None:
        """Let a person write the text of the newest note."""
        self.filter.clear()
        for row in (row for row, note in enumerate(self.session.notes.items) if note is self.session.notes.newest):
            self.table.setCurrentIndex(self.items.index(row, 0))
            self.table.edit(self.table.currentIndex())


def _tags(note: Note, text: str) -> dict[str, Any]:
    tags = dict.fromkeys(filter(None, map(str.strip, re.split("[#,]", text))))
    return {"tags": note.with_tags(tags)}


def _place(note: Note) -> str:
    frames = f"{note.start + 1:,}" + (f"–{note.stop:,}" if note.stop > note.start + 1 else "")
    return (tr("gone") if note.is_gone else frames) + ("" if note.actor is None else f" · {note.actor}")
