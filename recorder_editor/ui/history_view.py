"""The edits by name: the opened state first, a click goes to that state."""

from functools import partial
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QRect, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QPainter
from PySide6.QtWidgets import QListView, QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from ..sentences import listed
from .boxes import fill, icon_button
from .docks import Placement
from .painting import RIGHT, draw_text
from .pane import Pane
from .panes import PaneSpec, Services
from .rows import Index, RowsModel
from .session import Session
from .theme import Theme

ROW = 24
_ROWS = 4  # at least, as soon as there are edits,
_SHARE = 7  # unless they need more than this part of the window


class HistoryModel(RowsModel[int]):
    """Row 0 is the recording as it was opened; row n is the state after n edits."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.rows = self._wanted()
        self._known: object = None
        session.opened.connect(self._reset)
        session.state_changed.connect(self._follow)

    def _wanted(self) -> range:
        recording = self.session.recording
        return range(1 + len(recording.history.steps) if recording is not None else 0)

    def _reset(self) -> None:
        self.show(self._wanted())

    def _follow(self) -> None:
        wanted = self._wanted()
        recording = self.session.recording
        history = recording.history if recording is not None else None
        state = (history.position, history.clean_position, history.dropped) if history is not None else None
        last = history.steps[-1].number if history is not None and history.steps else 0
        if (wanted, state, last) == self._known:
            return  # told with every selection, too
        self._known = (wanted, state, last)
        count, before = len(wanted), len(self.rows)
        if count > before:
            self.beginInsertRows(QModelIndex(), before, count - 1)
            self.rows = wanted
            self.endInsertRows()
        elif count < before:
            self.beginRemoveRows(QModelIndex(), count, before - 1)
            self.rows = wanted
            self.endRemoveRows()
        if count:
            self.dataChanged.emit(self.index(0, 0), self.index(count - 1, 0))

    def shown(self, row: int, _column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return listed((self.label(row), *self._said(row)), "list.clauses")
        return self.label(row) if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole) else None

    def _said(self, row: int) -> list[str]:
        """What is shown of a row beside its name, in words."""
        recording = self.session.recording
        if recording is None:
            return []
        history = recording.history
        said = {
            self.tr("shown"): row == history.position,
            self.tr("undone"): row > history.position,
            self.tr("saved"): row == history.clean_position,
        }
        return [words for words, holds in said.items() if holds]

    def label(self, row: int) -> str:
        """What the row says."""
        recording = self.session.recording
        if recording is None:
            return ""
        if row == 0:
            forgotten = recording.history.dropped
            if forgotten:
                return self.tr("Opened, %1 older edits forgotten").replace("%1", f"{forgotten:,}")
            return self.tr("Opened, no edits yet") if len(self.rows) == 1 else self.tr("Opened")
        steps = recording.history.steps
        return steps[row - 1].label if row - 1 < len(steps) else ""


class _Delegate(QStyledItemDelegate):
    def __init__(self, session: Session, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, self.theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        recording = self.session.recording
        if recording is None:
            return
        palette, history, row = self.theme.palette, recording.history, index.row()
        rect: QRect = option.rect
        current = row == history.position
        view = self.parent()
        chosen = isinstance(view, QListView) and view.hasFocus() and view.currentIndex().row() == row
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.fillRect(rect, palette.hover if current else palette.alternate if hovered else palette.window)
        undone = row > history.position
        ink = palette.faint if undone else palette.text
        icon = "file" if row == 0 else "edited"
        self.theme.icons.draw(painter, icon, rect.left() + 12, rect.top() + (rect.height() - 14) // 2, 14, ink)
        saved = row == history.clean_position
        room = rect.adjusted(32, 0, -60 if saved else -12, 0)
        font = self.theme.bold if current and row else self.theme.font
        draw_text(painter, room, str(index.data()), font, ink, room=room.width())
        if saved:
            place = rect.adjusted(0, 0, -12, 0)
            draw_text(painter, place, self.tr("saved"), self.theme.small, palette.muted, RIGHT)
        if chosen:
            # Where the keys are, which need not be the state that is shown: Enter goes there.
            painter.setPen(palette.selection)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))


class HistoryView(Pane):
    """The list of states, each with the name of the edit that led to it."""

    lowest = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.list = QListView()
        self.list.setProperty("ground", "window")
        self.list.setObjectName("historyView")
        self.list.setAccessibleName(self.tr("History of edits"))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setModel(HistoryModel(session, self))
        self.list.setItemDelegate(_Delegate(session, theme, self.list))
        fill(QVBoxLayout(self), self.list)
        self.setFocusProxy(self.list)
        ask_script = partial(self.action_asked.emit, "tools.save_script")
        self.as_script = icon_button(theme.icons.icon("save-as"), self.tr("Save as script..."), ask_script, 14)
        self.as_script.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.as_script.setToolTip(self.tr("Save the edits as a script for other recordings"))
        self.switches = (self.as_script,)
        self.list.clicked.connect(self._go)
        self.list.activated.connect(self._go)
        self._shown = -1
        session.opened.connect(self._forget)
        session.state_changed.connect(self._show_current)
        theme.changed.connect(self.list.viewport().update)
        self._show_current()

    def _go(self, index: QModelIndex) -> None:
        self.session.editing.go_to_step(index.row())

    def _forget(self) -> None:
        self._shown = -1

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        action = menu.addAction(self.theme.icons.icon("save-as"), self.tr("Save as script..."))
        action.setEnabled(self.as_script.isEnabled())
        action.triggered.connect(self.as_script.click)
        menu.popup(event.globalPos())

    def _show_current(self) -> None:
        recording = self.session.recording
        self.as_script.setEnabled(recording is not None and recording.history.position > 0)
        rows = min(self.list.model().rowCount(), _ROWS)
        self.keep_height(min(self.theme.px(ROW) * rows, self.window().height() // _SHARE) if rows > 1 else 0)
        if recording is not None and recording.history.position != self._shown:
            self._shown = recording.history.position
            index = self.list.model().index(recording.history.position, 0)
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)


def _make(services: Services) -> HistoryView:
    return HistoryView(services.session, services.theme)


HISTORY = PaneSpec(
    "history", "History", _make, Placement("right", {"inspect": ("right", 1)}), guide="editing.md#Scripts"
)
