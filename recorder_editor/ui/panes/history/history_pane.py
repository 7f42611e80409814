"""The History pane: the steps of undo by name, the opened state first. A click goes to a state."""

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QResizeEvent
from PySide6.QtWidgets import QListView, QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from ....texts import listed, say
from ...session import Session
from ...session.undo import MarkStep
from ...style.boxes import fill, icon_button
from ...style.painting import RIGHT, draw_text
from ...style.theme import Theme
from ...widgets.copied import Copied, copied_table
from ...widgets.pane import Pane
from ...widgets.rows_model import Index, RowsModel

ROW = 24
_ABOVE = 4  # above and below a label of several lines
_LEFT = 32  # where labels begin
_RIGHT = 12
_GAP = 8  # before a tag
_HIGHEST = 10_000
_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_ROWS = 4  # at least, as soon as there are edits,
_SHARE = 7  # unless they need more than this part of the window


class State(NamedTuple):
    """A state of the recording.

    Attributes:
        label: Name of the step that led to it.
        is_shown: Whether it is the current state.
        is_undone: Whether it was undone.
        is_saved: Whether the file holds it.
        is_mark: Whether the step changed notes, segments or the range, and no byte of the file.
    """

    label: str
    is_shown: bool
    is_undone: bool
    is_saved: bool
    is_mark: bool = False


class HistoryModel(RowsModel[State]):
    """The states: row 0 is the recording as it was opened, row n the state after n steps.

    Attributes:
        session: The session.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._version: object = None
        session.opened.connect(self._follow)
        session.state_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        if self.session.recording is None:
            return
        steps = self.session.steps
        dropped = self.session.recording.history.dropped
        saved = steps.saved_position
        version = (steps.version, dropped, saved)
        if version == self._version:  # notified of every selection, too
            return
        self._version = version
        position = steps.position
        opened = _opened_text(dropped, has_edits=bool(steps.entries))
        states = [State(opened, is_shown=position == 0, is_undone=False, is_saved=saved == 0)]
        for row, entry in enumerate(steps.entries, 1):
            state = State(
                label=entry.label,
                is_shown=row == position,
                is_undone=row > position,
                is_saved=row == saved,
                is_mark=isinstance(entry, MarkStep),
            )
            states.append(state)
        self.show(states)

    def shown(self, state: State, _column: int, role: int) -> object:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken_text(state)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return state.label
        return None


def _opened_text(forgotten: int, *, has_edits: bool) -> str:
    if forgotten:
        return say("Opened, {forgotten:,} older edits forgotten", forgotten=forgotten)
    if has_edits:
        return say("Opened")
    return say("Opened, no edits yet")


def _tag(state: State, row: int) -> str:
    """Return the word at the end of a row: the file holds the state, or it is the one that an edit led to."""
    if state.is_saved:
        return say("saved")
    if state.is_shown and row > 0:
        return say("now")
    return ""


def _spoken_text(state: State) -> str:
    """Return the text of a state for a screen reader."""
    parts = [state.label]
    parts.extend(text for text, is_so in _facts(state) if is_so)
    return listed(parts, "clauses")


def _facts(state: State) -> tuple[tuple[str, bool], ...]:
    """Return what may be so of a state, and whether it is."""
    return ((say("shown"), state.is_shown), (say("undone"), state.is_undone), (say("saved"), state.is_saved))


class _Delegate(QStyledItemDelegate):
    """Draws a state, its label on as many lines as it needs; one that was undone is faint."""

    def __init__(self, model: HistoryModel, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.model = model
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = self.parent()
        assert isinstance(view, QListView)
        row = index.row()
        state = self.model.rows[row]
        room = QRect(0, 0, view.viewport().width(), _HIGHEST)
        label = self._label_rect(room, _tag(state, row))
        metrics = self.theme.metrics(self._font(row, is_shown=True))  # no row changes its height by being shown
        height = metrics.boundingRect(label, _WRAPPED, state.label).height() + 2 * _ABOVE
        return QSize(60, max(self.theme.px(ROW), height))

    def _font(self, row: int, *, is_shown: bool) -> QFont:
        """Return the font of a label: the state that an edit led to stands out while it is shown."""
        if is_shown and row > 0:
            return self.theme.bold
        return self.theme.font

    def _label_rect(self, rect: QRect, tag: str) -> QRect:
        """Return the place of the label in a row, beside a tag."""
        right = _RIGHT
        if tag:
            right += self.theme.metrics(self.theme.small).horizontalAdvance(tag) + _GAP
        return rect.adjusted(_LEFT, 0, -right, 0)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette = self.theme.palette
        row = index.row()
        state = self.model.rows[row]
        rect: QRect = option.rect
        background = palette.window
        if state.is_shown:
            background = palette.hover
        elif option.state & QStyle.StateFlag.State_MouseOver:
            background = palette.alternate
        painter.fillRect(rect, background)
        color = palette.text
        icon = "edited"
        if state.is_mark:
            color = palette.muted
            icon = "tag"
        if state.is_undone:
            color = palette.faint
        if row == 0:
            icon = "file"
        first_line = min(rect.height(), self.theme.px(ROW))
        self.theme.icons.draw(painter, icon, rect.left() + 12, rect.top() + (first_line - 14) // 2, 14, color)
        font = self._font(row, is_shown=state.is_shown)
        tag = _tag(state, row)
        if tag:
            tag_rect = QRect(rect.left(), rect.top(), rect.width() - _RIGHT, first_line)
            draw_text(painter, tag_rect, tag, self.theme.small, palette.muted, RIGHT)
        above = max(0, (first_line - self.theme.metrics(font).height()) // 2)
        label_rect = self._label_rect(rect, tag).adjusted(0, above, 0, 0)
        draw_text(painter, label_rect, state.label, font, color, _WRAPPED)
        if self._has_keyboard(row):
            painter.setPen(palette.selection)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _has_keyboard(self, row: int) -> bool:
        """Return whether Enter goes to a row, which need not be the state that is shown."""
        view = self.parent()
        return isinstance(view, QListView) and view.hasFocus() and view.currentIndex().row() == row


class HistoryPane(Pane):
    """The list of states, each with the name of the step that led to it.

    Attributes:
        list: The list.
        model: The states.
        as_script: The button that saves the edits as a script.
    """

    lowest = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.list = QListView()
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setProperty("ground", "window")
        self.list.setObjectName("historyView")
        self.list.setAccessibleName(say("History of edits"))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.model = HistoryModel(session, self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Delegate(self.model, theme, self.list))
        fill(QVBoxLayout(self), self.list)
        self.setFocusProxy(self.list)
        self.give(self.list, self.copied_states)
        self.offer_menu(self.list, self._menu_at)
        ask_script = partial(self.action_asked.emit, "tools.save_script")
        self.as_script = icon_button(theme.icons.icon("save-as"), say("Save as script..."), ask_script, 14)
        self.as_script.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.as_script.setToolTip(say("Save the edits as a script for other recordings"))
        self.switches = (self.as_script,)
        self.list.clicked.connect(self._go)
        self.list.activated.connect(self._go)
        self.model.modelReset.connect(self._show_current)
        theme.changed.connect(self.list.doItemsLayout)
        self._show_current()

    def copied_states(self) -> Copied | None:
        """Return all states as a table, each with its number, the label of its step, and what is so of it."""
        rows = []
        for number, state in enumerate(self.model.rows):
            facts = [text for text, is_so in _facts(state) if is_so]
            rows.append((str(number), state.label, listed(facts)))
        return copied_table((say("Step"), say("Edit"), say("State")), rows)

    def _menu_at(self, _point: QPoint) -> QMenu:
        menu = QMenu(self)
        self.offer_copies(menu, self.list)
        return menu

    def _go(self, index: QModelIndex) -> None:
        self.session.editing.go_to_step(index.row())

    def _show_current(self) -> None:
        self.as_script.setEnabled(self.session.has_edits())
        self._keep_rows()
        self.list.setCurrentIndex(self.model.index(self._current_row(), 0))
        self.list.scrollTo(self.list.currentIndex())

    def _keep_rows(self) -> None:
        """Keep the height of the first rows; without edits none."""
        rows = min(len(self.model.rows), _ROWS)
        height = 0
        if rows > 1:
            needed = sum(self.list.sizeHintForIndex(self.model.index(row, 0)).height() for row in range(rows))
            height = min(needed, self.window().height() // _SHARE)
        self.keep_height(height)

    def _current_row(self) -> int:
        """Return the row of the current state."""
        for row, state in enumerate(self.model.rows):
            if state.is_shown:
                return row
        return 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._keep_rows()
        self.list.scrollTo(self.list.currentIndex())
