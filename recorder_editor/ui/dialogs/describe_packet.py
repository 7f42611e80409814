"""Describe a packet that CARLA does not know: its members over its bytes, what comes next, what does not fit.

`views.packet_draft` knows how a draft fits the bodies, and makes the file; here it is shown, edited and saved.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...errors import RecorderError
from ...format.packet_files import SUFFIX, PacketFileError, faults_in_words, parse_packet_file, read_packet_file
from ...recording import RAW, write_file
from ...recording.packet_search import FOLDER, answer
from ...recording.user_folders import config_folder
from ...texts import N_, say, say_count
from ...views.packet_draft import (
    ARRAY,
    LIFETIMES,
    NEXT_TYPES,
    TEXT,
    Body,
    Candidate,
    Draft,
    DraftHistory,
    DraftMember,
    amount_text,
    body_in,
    candidates,
    describing_file,
    draft_of,
    file_content,
    layout_of,
    member_types,
    next_member,
    read_body,
    review,
    sample_of,
    type_title,
)
from ..session import Session
from ..style.boxes import Does, fill, icon_button, make_scrolling, push_button, set_spacing
from ..style.painting import LEFT, RIGHT
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label, Segmented
from ..widgets.base import set_state
from ..widgets.rows import WholeRows
from .base import SessionDialog
from .packet_bytes import PacketBytes

WIDTH, HEIGHT = 1120, 720
_LEAST_WIDTH, _LEAST_HEIGHT = 960, 600

_NARROW = 1040
_LEFT, _LEFT_NARROW = 500, 340

_OFFSET, _NAME, _TYPE, _MEANING, _UNIT, _VALUE = range(6)
_TITLES = (N_("offset"), N_("name"), N_("type"), N_("meaning"), N_("unit"))
_WIDTHS = {_OFFSET: 52, _NAME: 144, _TYPE: 64, _UNIT: 44, _VALUE: 178}
_EDITED = {_NAME: "name", _TYPE: "type", _MEANING: "meaning", _UNIT: "unit"}
"""The attribute of a member that each column changes."""

_BODIES: tuple[Body, ...] = ("single", "list")
_ICONS = {"error": "error", "warning": "warning", "info": "info", "fine": "tick"}


class _TypeDelegate(QStyledItemDelegate):
    """Offers the types of members in a list."""

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        choice = QComboBox(parent)
        for name in member_types():
            choice.addItem(type_title(name), name)
        choice.activated.connect(lambda: self._finish(choice))
        return choice

    def _finish(self, choice: QComboBox) -> None:
        self.commitData.emit(choice)
        self.closeEditor.emit(choice)

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, QComboBox)
        editor.setCurrentText(index.data())

    def setModelData(self, editor: QWidget, model: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, QComboBox)
        model.setData(index, editor.currentText())


class _NextRow:
    """What the next bytes would be as one type, and the button that adds a member of it."""

    def __init__(self, theme: Theme, grid: QGridLayout, kind: str, add: Does) -> None:
        row = grid.rowCount()
        self._value = ElidedLabel(theme, "", "mono")
        self._remark = Label(theme, "", "small", "muted")
        self._button = push_button(say("Add as {type}", type=type_title(kind)), add)
        self._button.setFixedHeight(theme.px(20))
        grid.addWidget(Label(theme, type_title(kind), color="muted"), row, 0)
        grid.addLayout(fill(QHBoxLayout(), (self._value, 1), self._remark, spacing=8), row, 1)
        grid.addWidget(self._button, row, 2)

    def show_remark(self, is_shown: bool) -> None:
        """Show why it fits, or leave the room to the value; the tooltip of the button says it, too."""
        self._remark.setVisible(is_shown)

    def show_candidate(self, candidate: Candidate) -> None:
        """Show a value; the button of the type that fits best is filled."""
        self._value.setText(candidate.text)
        self._value.setToolTip(candidate.text)
        self._remark.setText(candidate.remark if candidate.best else "")
        self._button.setToolTip(candidate.remark)
        self._button.setEnabled(candidate.readable > 0)
        set_state(self._button, "primary", candidate.best)


class DescribePacketDialog(SessionDialog):
    """Edits the draft of a description, and saves it as a file of packets.

    Attributes:
        number: The id of the packet.
        history: The draft, and those before it.
        table: The members.
        bytes: The body of the frame that is shown.
    """

    def __init__(self, session: Session, theme: Theme, number: int, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "describePacketDialog", parent, _LEAST_WIDTH)
        self.number = number
        self._is_narrow: bool | None = None
        self.snapshot = session.snapshot_or_refuse()
        self.sample = sample_of(self.snapshot, number)
        self.history = DraftHistory(draft_of(self.snapshot, number))
        self._known = describing_file(self.snapshot, number)
        self._frames = {row: self._frame_of(row) for row in self.sample.rows}
        self._shown = self._nearest(session.selection.place.row)
        title = say("Describe packet {number}", number=number)
        self.say(title, title, self._summary())
        self._make_strip()
        self._make_middle()
        self._make_foot()
        self.resize(theme.px(WIDTH), theme.px(HEIGHT))
        self.setMinimumHeight(theme.px(_LEAST_HEIGHT))
        for editor in self.findChildren(QLineEdit):
            editor.installEventFilter(self)
        self.update_all()
        self.name.setFocus()

    # --- its parts --------------------------------------------------------------------------------------------

    def _summary(self) -> str:
        sizes = [len(body) for body in self.sample.bodies.values()] or [0]
        return say_count(
            "{file}, in {count:,} of {all:,} frame, {size}",
            "{file}, in {count:,} of {all:,} frames, {size}",
            file=self.session.path.name,
            count=len(self.sample.rows),
            all=len(self.snapshot),
            size=amount_text(sizes),
        )

    def _make_strip(self) -> None:
        theme = self.theme
        self.name = self._line(say("Name"), 150)
        self.name.textEdited.connect(partial(self._type, "name"))
        self.record = self._line(say("A record is a"), 110)
        self.record.textEdited.connect(partial(self._type, "record"))
        self.body_kind = Segmented(theme, (say("One record"), say("List, u16 count")), name=say("Layout"))
        self.body_kind.changed.connect(lambda index: self._take(body=_BODIES[index]))
        self.lifetime = QComboBox()
        self.lifetime.setAccessibleName(say("When cut"))
        for name, words in LIFETIMES.items():
            self.lifetime.addItem(say(words), name)
        self.lifetime.activated.connect(lambda: self._take(lifetime=self.lifetime.currentData()))
        self.previous = icon_button(theme.icons.icon("chevron-left"), say("Previous frame with it"), self._go_back)
        self.next = icon_button(theme.icons.icon("chevron-right"), say("Next frame with it"), self._go_on)
        self.frame_label = Label(theme)
        self.body.addLayout(
            fill(
                QHBoxLayout(),
                Label(theme, say("Name"), color="muted"),
                (self.name, 2),
                8,
                Label(theme, say("A record is a"), color="muted"),
                (self.record, 1),
                8,
                Label(theme, say("Layout"), color="muted"),
                self.body_kind,
                8,
                Label(theme, say("When cut"), color="muted"),
                self.lifetime,
                8,
                self.previous,
                self.frame_label,
                self.next,
                spacing=6,
            )
        )

    def _line(self, name: str, width: int) -> QLineEdit:
        line = QLineEdit()
        line.setAccessibleName(name)
        line.setMinimumWidth(self.theme.px(width * 2 // 3))
        return line

    def _make_middle(self) -> None:
        theme = self.theme
        self.bytes = PacketBytes(theme)
        self.bytes.member_clicked.connect(self._select_member)
        self.next_title = ElidedLabel(theme, "", "small_bold")
        grid = set_spacing(QGridLayout(), 8, 2)
        grid.setColumnStretch(1, 1)
        self._next_rows: dict[str, _NextRow] = {}
        for kind in NEXT_TYPES:
            self._next_rows[kind] = _NextRow(theme, grid, kind, partial(self.add_as, kind))
        self._next_page = QWidget()
        self._next_page.setProperty("ground", "none")
        fill(QVBoxLayout(self._next_page), grid)
        left = QWidget()
        legend = ElidedLabel(theme, say("header grey, members in two tints, the rest hatched"), "small", "muted")
        head = fill(QHBoxLayout(), Label(theme, say("Bytes"), "small_bold"), (legend, 1), spacing=12)
        fill(
            QVBoxLayout(left), head, (self.bytes, 1), self.next_title, self._next_page, spacing=6, margins=(0, 0, 8, 0)
        )
        right = QWidget()
        self.members_title = Label(theme, say("Members"), "small_bold")
        self.add = push_button(say("Add"), self.add_member)
        icons = theme.icons
        self.up = icon_button(icons.icon("up"), say("Move up (Alt+Up)"), lambda: self._move(-1))
        self.down = icon_button(icons.icon("down"), say("Move down (Alt+Down)"), lambda: self._move(1))
        self.delete = icon_button(icons.icon("delete"), say("Delete (Del)"), self.delete_member)
        tools = fill(QHBoxLayout(), (self.members_title, 1), self.add, self.up, self.down, self.delete, spacing=4)
        self._make_table()
        self._remarks = fill(QVBoxLayout(), spacing=4)
        remarks_page = QWidget()
        remarks_page.setProperty("ground", "none")
        fill(QVBoxLayout(remarks_page), self._remarks)
        self.remarks_area: QScrollArea = make_scrolling(remarks_page)
        self.remarks_area.setFixedHeight(theme.px(104))
        title = Label(theme, say("What does not fit"), "small_bold")
        fill(QVBoxLayout(right), tools, (self.table, 1), title, self.remarks_area, spacing=6, margins=(8, 0, 0, 0))
        self.splitter = QSplitter()
        splitter = self.splitter
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(right)
        splitter.setStretchFactor(0, 4)
        splitter.setStretchFactor(1, 5)
        left.setMinimumWidth(theme.px(330))
        self.body.addWidget(splitter, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show 8 bytes a row where it is narrow, so that the members keep their room."""
        super().resizeEvent(event)
        is_narrow = self.width() < self.theme.px(_NARROW)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            left = self.theme.px(_LEFT_NARROW if is_narrow else _LEFT)
            self.splitter.setSizes([left, self.width() - left])
            for row in self._next_rows.values():
                row.show_remark(not is_narrow)

    def _make_table(self) -> None:
        theme = self.theme
        self.table = QTableWidget(0, len(_TITLES) + 1)
        self.table.setAccessibleName(say("Members"))
        self.table.setProperty("framed", True)
        WholeRows(self.table)
        self.table.setTabKeyNavigation(True)
        triggers = QAbstractItemView.EditTrigger
        self.table.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setItemDelegateForColumn(_TYPE, _TypeDelegate(self.table))
        self.table.verticalHeader().setDefaultSectionSize(theme.px(22))
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(LEFT)
        header.setMinimumSectionSize(theme.px(36))
        for column, width in _WIDTHS.items():
            self.table.setColumnWidth(column, theme.px(width))
        header.setSectionResizeMode(_MEANING, QHeaderView.ResizeMode.Stretch)
        self.table.itemChanged.connect(self._take_cell)
        self.table.currentCellChanged.connect(lambda row, *_: self._mark(row))
        self.table.installEventFilter(self)

    def _make_foot(self) -> None:
        theme = self.theme
        self.file = self._line(say("File"), 180)
        self.file.setMinimumWidth(theme.px(200))
        self.file.setText(f"packet-{self.number}{SUFFIX}")
        if self._known is not None:
            self.file.setText(self._known.path.name)
        self.where = QComboBox()
        self.where.setAccessibleName(say("Read for"))
        self.where.addItem(say("recordings in this folder"))
        self.where.addItem(say("all recordings"))
        if self._known is not None and self._known.path.parent == config_folder() / FOLDER:
            self.where.setCurrentIndex(1)
        file_words = Label(theme, say("File"), color="muted")
        where_words = Label(theme, say("Read for"), color="muted")
        self.refusal = Label(theme, "", "small", "error", wraps=True)
        self.refusal.hide()
        self.body.addWidget(self.refusal)
        self.add_left(file_words, self.file, where_words, self.where)
        self.add_answers(say("Save as .packets.json"), self.save)

    # --- frames -----------------------------------------------------------------------------------------------

    def _frame_of(self, row: int) -> int:
        """The number of a row's frame, from 1; 0 for bytes outside of frames."""
        table = self.snapshot.table
        if table.row(row)["kind"] == RAW:
            return 0
        return table.frame_of_row(row) + 1

    def _nearest(self, row: int) -> int:
        """The index of the row with the packet that is nearest to a row."""
        rows = self.sample.rows
        return min(range(len(rows)), key=lambda index: abs(rows[index] - row), default=0)

    @property
    def shown_body(self) -> bytes:
        """The body of the frame that is shown."""
        if not self.sample.rows:
            return b""
        row = self.sample.rows[self._shown]
        if row in self.sample.bodies:
            return self.sample.bodies[row]
        return body_in(self.snapshot, row, self.number)

    def _go(self, step: int) -> None:
        target = self._shown + step
        if 0 <= target < len(self.sample.rows):
            self._shown = target
            self.update_all()

    def _go_back(self) -> None:
        self._go(-1)

    def _go_on(self) -> None:
        self._go(1)

    # --- editing ----------------------------------------------------------------------------------------------

    @property
    def draft(self) -> Draft:
        """The draft of this moment."""
        return self.history.draft

    def _set(self, draft: Draft) -> None:
        if self.history.set(draft):
            self.update_all()

    def _type(self, name: str, text: str) -> None:
        """Take what is typed into a line, whose letters are one step; nothing else that is shown depends on it."""
        changes: dict[str, Any] = {name: text.strip()}
        self.history.set(replace(self.draft, **changes), gesture=name)

    def _take(self, **changes: Any) -> None:
        """Take a changed field of the strip into the draft."""
        self._set(replace(self.draft, **changes))

    def _take_cell(self, item: QTableWidgetItem) -> None:
        name = _EDITED.get(item.column())
        if name is None or item.row() >= len(self.draft.members):
            return
        text = item.text().strip()
        if item.column() == _TYPE:
            text = _type_of(text)
        self._set(self.draft.with_member(item.row(), **{name: text}))

    def add_member(self) -> None:
        """Add what fits the next bytes, or a byte, and let its name be typed."""
        kind = "u8"
        for candidate in self._candidates():
            if candidate.best:
                kind = candidate.type
        self.add_as(kind)

    def add_as(self, kind: str) -> None:
        """Add a member of a type at the end, and let its name be typed."""
        member: DraftMember = next_member(self.draft, kind)
        self._set(self.draft.added(member))
        row = self.table.rowCount() - 1
        self.table.setCurrentCell(row, _NAME)
        self.table.setFocus()
        item = self.table.item(row, _NAME)
        if item is not None:
            self.table.editItem(item)

    def delete_member(self) -> None:
        """Delete the member of the current row."""
        row = self.table.currentRow()
        if 0 <= row < len(self.draft.members):
            self._set(self.draft.removed(row))
            self._mark(self.table.currentRow())

    def _move(self, step: int) -> None:
        row = self.table.currentRow()
        if 0 <= row < len(self.draft.members) and 0 <= row + step < len(self.draft.members):
            self._set(self.draft.moved(row, step))
            self.table.setCurrentCell(row + step, max(self.table.currentColumn(), _NAME))

    def undo(self) -> None:
        """Take the last change of the draft back."""
        if self.history.undo():
            self.update_all()

    def redo(self) -> None:
        """Make the change again that was taken back last."""
        if self.history.redo():
            self.update_all()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys of members; and those of undo, where a field has nothing of its own to undo."""
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            return False
        assert isinstance(event, QKeyEvent)
        if isinstance(watched, QLineEdit):
            is_undo = event.matches(QKeySequence.StandardKey.Undo) and not watched.isUndoAvailable()
            is_redo = event.matches(QKeySequence.StandardKey.Redo) and not watched.isRedoAvailable()
            if not is_undo and not is_redo:
                return False
            if event.type() == QEvent.Type.KeyPress:
                self._undo_by_key(event)
            else:
                event.accept()  # or the window takes the key
            return True
        if watched is self.table and event.type() == QEvent.Type.KeyPress:
            return self._table_key(event)
        return False

    def _undo_by_key(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo()
            return True
        if event.matches(QKeySequence.StandardKey.Redo):
            self.redo()
            return True
        return False

    def _table_key(self, event: QKeyEvent) -> bool:
        if event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() == Qt.Key.Key_Up:
            self._move(-1)
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() == Qt.Key.Key_Down:
            self._move(1)
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_member()
        else:
            return self._undo_by_key(event)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_PageUp:
            self._go(-1)
        elif event.key() == Qt.Key.Key_PageDown:
            self._go(1)
        elif not self._undo_by_key(event):
            super().keyPressEvent(event)

    # --- showing ----------------------------------------------------------------------------------------------

    def _candidates(self) -> tuple[Candidate, ...]:
        return candidates(self.draft, self.snapshot.dialect, self.sample, self.shown_body)

    def update_all(self) -> None:
        """Show the draft and the frame of this moment."""
        draft = self.draft
        body = self.shown_body
        self._reading = read_body(layout_of(draft, self.snapshot.dialect), body)
        for line, text in ((self.name, draft.name), (self.record, draft.record)):
            if line.text().strip() != text:
                line.setText(text)
        with QSignalBlocker(self.body_kind):
            self.body_kind.set_current(_BODIES.index(draft.body))
        self.lifetime.setCurrentIndex(list(LIFETIMES).index(draft.lifetime))
        self._show_frame()
        self.bytes.show_body(body, self._reading)
        self._show_members()
        self._show_next()
        self._show_remarks()

    def _show_frame(self) -> None:
        rows = self.sample.rows
        self.previous.setEnabled(self._shown > 0)
        self.next.setEnabled(self._shown + 1 < len(rows))
        if rows:
            frame = self._frames[rows[self._shown]]
            self.frame_label.setText(say("frame {frame:,} / {all:,}", frame=frame, all=len(self.snapshot)))

    def _show_members(self) -> None:
        members = self.draft.members
        spans = {span.member: span for span in self._reading.spans}
        self.members_title.setText(say("Members: {count:,}", count=len(members)))
        frame = self.frame_label.text().partition(" /")[0]
        self.table.setHorizontalHeaderLabels([*(say(title) for title in _TITLES), frame])
        head = self.table.horizontalHeaderItem(_VALUE)
        if head is not None:
            head.setTextAlignment(RIGHT)
        with QSignalBlocker(self.table):
            self.table.setRowCount(len(members))
            for row, member in enumerate(members):
                span = spans.get(row)
                offset = ""
                value = ""
                if span is not None:
                    offset = f"{span.start:04x}"
                    value = span.text
                elif self._reading.records:
                    value = say("does not fit")
                texts = (offset, member.name, type_title(member.type), member.meaning, member.unit, value)
                for column, text in enumerate(texts):
                    self._show_cell(row, column, text, is_fixed=member.type == ARRAY)
        self.table.viewport().update()
        has_row = bool(members)
        self.up.setEnabled(has_row)
        self.down.setEnabled(has_row)
        self.delete.setEnabled(has_row)

    def _show_cell(self, row: int, column: int, text: str, *, is_fixed: bool) -> None:
        item = self.table.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            self.table.setItem(row, column, item)
        item.setText(text)
        item.setToolTip(text)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if column not in (_OFFSET, _VALUE) and not is_fixed:
            flags |= Qt.ItemFlag.ItemIsEditable
        item.setFlags(flags)
        if column in (_OFFSET, _VALUE):
            item.setFont(self.theme.mono)
        if column == _OFFSET:
            palette = self.theme.palette
            item.setBackground(palette.tint_b if row % 2 else palette.tint_a)
        if column == _VALUE:
            item.setTextAlignment(RIGHT)

    def _show_next(self) -> None:
        found = self._candidates()
        title = say("Next, at {offset}, read as", offset=f"{self._reading.stop:04x}")
        if not found:
            title = say("All bytes are described.")
        self.next_title.setText(title)
        self._next_page.setVisible(bool(found))
        for candidate in found:
            self._next_rows[candidate.type].show_candidate(candidate)

    def _show_remarks(self) -> None:
        _clear(self._remarks)
        for remark in review(self.draft, self.snapshot.dialect, self.sample, self._frames):
            sign = Label(self.theme)
            name = _ICONS[remark.severity]
            color = self.theme.icons.color_of(name)
            if remark.severity != "info":
                color = self.theme.palette.color(remark.severity)
            sign.setPixmap(self.theme.icons.pixmap(name, 14, color, self.devicePixelRatioF()))
            words = Label(self.theme, remark.text, wraps=True)
            top = Qt.AlignmentFlag.AlignTop
            row = QWidget()
            row.setProperty("ground", "none")
            fill(QHBoxLayout(row), (sign, 0, top), (words, 1), spacing=8)
            self._remarks.addWidget(row)
        self._remarks.addStretch()

    def _mark(self, row: int) -> None:
        member = None
        if 0 <= row < len(self.draft.members):
            member = row
        self.bytes.select(member)

    def _select_member(self, member: int) -> None:
        self.table.setCurrentCell(member, _NAME)

    # --- saving -----------------------------------------------------------------------------------------------

    def target(self) -> Path:
        """The file that is written."""
        name = Path(self.file.text().strip()).name or f"packet-{self.number}"
        if not name.endswith(SUFFIX):
            name = name.removesuffix(".json") + SUFFIX
        if self.where.currentIndex() == 1:
            return config_folder() / FOLDER / name
        return self.session.path.parent / name

    def save(self) -> None:
        """Write the file, accept it, and read the open recording with it."""
        target = self.target()
        try:
            existing = None
            if target.is_file():
                existing = read_packet_file(target)
            data = file_content(self.draft, existing, target, self._known)
            target.parent.mkdir(parents=True, exist_ok=True)
            write_file(target, data, overwrite=True)
            file = parse_packet_file(data, target)
            answer(file, "accepted")
        except PacketFileError as error:
            self._refuse(faults_in_words(error))
            return
        except (OSError, RecorderError) as error:
            self._refuse(str(error))
            return
        self.session.editing.describe_packets()
        used = None
        if self.session.snapshot is not None:
            used = describing_file(self.session.snapshot, self.number)
        if used is not None and used != file:
            self._refuse(
                say(
                    "{file} was written, but {other} describes packet {number}, too, and counts first.",
                    file=target.name,
                    other=used.path.name,
                    number=self.number,
                )
            )
            return
        self.accept()

    def _refuse(self, text: str) -> None:
        self.refusal.setText(text)
        self.refusal.show()


def _type_of(title: str) -> str:
    """The type with a title."""
    if title == type_title(TEXT):
        return TEXT
    return title


def _clear(layout: QVBoxLayout) -> None:
    """Remove all from a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
