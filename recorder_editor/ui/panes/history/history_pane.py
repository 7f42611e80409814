"""The steps by name: the opened state first, a click goes to that state. Those beside the file stand in faint ink."""

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from ....texts import listed, say
from ...session import Session
from ...session.undo import MarkStep
from ...style.boxes import fill, icon_button
from ...style.painting import RIGHT, draw_text
from ...style.theme import Theme
from ...widgets.pane import Pane
from ...widgets.rows_model import Index, RowsModel

ROW = 24
_ROWS = 4  # at least, as soon as there are edits,
_SHARE = 7  # unless they need more than this part of the window


class State(NamedTuple):
    """A state of the recording: its `label`, and whether it is shown, undone, and what the file holds.

    `is_mark`: the step that led to it changed notes, segments or the range, and no byte of the file.
    """

    label: str
    is_shown: bool
    is_undone: bool
    is_saved: bool
    is_mark: bool = False


class HistoryModel(RowsModel[State]):
    """Row 0 is the recording as it was opened; row n is the state after n steps."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._known: object = None
        session.opened.connect(self._follow)
        session.state_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        if self.session.recording is None:
            return
        steps = self.session.steps
        dropped = self.session.recording.history.dropped
        saved = steps.saved_position
        known = (steps.version, dropped, saved)
        if known != self._known:  # told with every selection, too
            self._known = known
            entries = steps.entries
            at = steps.position
            shown = [State(self._opened(dropped, bool(entries)), at == 0, False, saved == 0)]
            for row, entry in enumerate(entries, 1):
                shown.append(State(entry.label, row == at, row > at, row == saved, isinstance(entry, MarkStep)))
            self.show(shown)

    def _opened(self, forgotten: int, has_edits: bool) -> str:
        if forgotten:
            return say("Opened, {forgotten:,} older edits forgotten", forgotten=forgotten)
        if has_edits:
            return say("Opened")
        return say("Opened, no edits yet")

    def shown(self, row: State, _column: int, role: int) -> object:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            signs = (say("shown"), say("undone"), say("saved"))
            said = (sign for sign, holds in zip(signs, row[1:4], strict=True) if holds)
            return listed((row.label, *said), "clauses")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.label
        return None


class _Delegate(QStyledItemDelegate):
    def __init__(self, model: HistoryModel, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.model = model
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, self.theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette = self.theme.palette
        row = index.row()
        state = self.model.rows[index.row()]
        rect: QRect = option.rect
        view = self.parent()
        chosen = isinstance(view, QListView) and view.hasFocus() and view.currentIndex().row() == row
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.fillRect(rect, palette.hover if state.is_shown else palette.alternate if hovered else palette.window)
        ink = palette.muted if state.is_mark else palette.text
        if state.is_undone:
            ink = palette.faint
        icon = "tag" if state.is_mark else "edited"
        if row == 0:
            icon = "file"
        self.theme.icons.draw(painter, icon, rect.left() + 12, rect.top() + (rect.height() - 14) // 2, 14, ink)
        room = rect.adjusted(32, 0, -60 if state.is_saved else -12, 0)
        font = self.theme.bold if state.is_shown and row else self.theme.font
        draw_text(painter, room, state.label, font, ink, room=room.width())
        if state.is_saved:
            place = rect.adjusted(0, 0, -12, 0)
            draw_text(painter, place, say("saved"), self.theme.small, palette.muted, RIGHT)
        if chosen:
            # Where the keys are, which need not be the state that is shown: Enter goes there.
            painter.setPen(palette.selection)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))


class HistoryView(Pane):
    """The list of states, each with the name of the edit that led to it."""

    lowest = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.list = QListView(uniformItemSizes=True)
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
        ask_script = partial(self.action_asked.emit, "tools.save_script")
        self.as_script = icon_button(theme.icons.icon("save-as"), say("Save as script..."), ask_script, 14)
        self.as_script.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.as_script.setToolTip(say("Save the edits as a script for other recordings"))
        self.switches = (self.as_script,)
        self.list.clicked.connect(self._go)
        self.list.activated.connect(self._go)
        self.model.modelReset.connect(self._show_current)
        theme.changed.connect(self.list.viewport().update)
        self._show_current()

    def _go(self, index: QModelIndex) -> None:
        self.session.editing.go_to_step(index.row())

    def _show_current(self) -> None:
        at = next((row for row, state in enumerate(self.model.rows) if state.is_shown), 0)
        self.as_script.setEnabled(self.session.has_edits())
        rows = min(len(self.model.rows), _ROWS)
        self.keep_height(min(self.theme.px(ROW) * rows, self.window().height() // _SHARE) if rows > 1 else 0)
        self.list.setCurrentIndex(self.model.index(at, 0))
        self.list.scrollTo(self.list.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.scrollTo(self.list.currentIndex())
