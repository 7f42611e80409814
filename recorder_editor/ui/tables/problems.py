"""The findings: what is wrong, where; a click selects the bytes it talks about."""

from collections import Counter
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStackedLayout, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ...edits.place import Place
from ...recording.findings import Finding
from ..icons import Icons
from ..session import Session
from ..theme import Theme
from ..widgets import EmptyState

Index = QModelIndex | QPersistentModelIndex
FINDING = int(Qt.ItemDataRole.UserRole)
ROW = 42
SIGNS = {"error": ("error", "error"), "warning": ("warning", "warning"), "info": ("info", "muted")}


class ProblemsModel(QAbstractListModel):
    """The session's findings; the role `FINDING` gives a `Finding`."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.findings: tuple[Finding, ...] = session.findings
        session.checked.connect(self._take)
        session.opened.connect(self._take)

    def _take(self) -> None:
        if self.session.findings == self.findings:
            return
        self.beginResetModel()
        self.findings = self.session.findings
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.findings)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid() or index.row() >= len(self.findings):
            return None
        finding = self.findings[index.row()]
        if role == FINDING:
            return finding
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return finding.message
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{finding.severity}: {finding.message}"
        return None


class _Delegate(QStyledItemDelegate):
    def __init__(self, session: Session, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, self.theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        finding = index.data(FINDING)
        if not isinstance(finding, Finding):
            return
        palette = self.theme.palette
        rect: QRect = option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, palette.hover if selected else palette.window)
        if selected:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), palette.selection)
        icon, color = SIGNS[finding.severity]
        self.theme.icons.draw(painter, icon, rect.left() + 12, rect.top() + 6, 16, palette.color(color))
        side = self.theme.px(84)
        room = rect.adjusted(38, 4, -side - 16, -4)
        painter.setFont(self.theme.font)
        painter.setPen(palette.text)
        flags = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        painter.drawText(room, flags, self._two_lines(finding.message, room.width()))
        right = QRect(rect.right() - side - 12, rect.top() + 4, side, rect.height() - 8)
        painter.setFont(self.theme.mono)
        painter.setPen(palette.muted)
        if finding.offset is not None:
            painter.drawText(right, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight, f"0x{finding.offset:06x}")
        painter.setFont(self.theme.small)
        if finding.frame_index is not None and self.session.frames:
            text = f"frame {finding.frame_index + 1:,}"
            painter.drawText(right, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight, text)
        painter.setPen(palette.hairline)
        painter.drawLine(rect.left() + 38, rect.bottom(), rect.right(), rect.bottom())

    def _two_lines(self, text: str, width: int) -> str:
        """As many words as two lines hold, the rest as an ellipsis (the tooltip has them all)."""
        metrics = self.theme.metrics(self.theme.font)
        words, first = text.split(" "), ""
        while words and metrics.horizontalAdvance(f"{first} {words[0]}".strip()) <= width:
            first = f"{first} {words.pop(0)}".strip()
        rest = metrics.elidedText(" ".join(words), Qt.TextElideMode.ElideRight, width)
        return f"{first}\n{rest}" if rest else first


class ProblemsTable(QWidget):
    """Signal: `caption_changed(str)`: `4 errors, 2 warnings`."""

    caption_changed = Signal(str)
    title_switches: tuple[QWidget, ...] = ()

    def __init__(self, session: Session, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.model = ProblemsModel(session, self)
        self.list = QListView()
        self.list.setObjectName("problemsTable")
        self.list.setAccessibleName(self.tr("Problems"))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Delegate(session, theme, self))
        self.list.clicked.connect(self.go_to)
        self.list.activated.connect(self.go_to)
        self.empty = EmptyState(theme, "", icon="checks", color="fine")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.list)
        self.setFocusProxy(self.list)
        session.checked.connect(self._show)
        session.opened.connect(self._show)
        theme.changed.connect(self.list.viewport().update)
        self._show()

    @property
    def caption(self) -> str:
        """How many of which."""
        counts: Counter[str] = Counter(finding.severity for finding in self.model.findings)
        words = (("error", "error"), ("warning", "warning"), ("info", "note"))
        told = [(counts[key], word) for key, word in words if counts[key]]
        return ", ".join(f"{number:,} {word}{'s' if number > 1 else ''}" for number, word in told)

    def _show(self) -> None:
        found = bool(self.model.findings)
        if not found:
            if self.session.snapshot is None:
                self.empty.set_text(self.tr("No recording open"))
            elif self.session.survey is None:
                self.empty.set_text(self.tr("Checking..."))
            else:
                frames = f"{self.session.frames:,}"
                self.empty.set_text(self.tr("No problems found in %1 frames").replace("%1", frames))
        self._stack.setCurrentIndex(1 if found else 0)
        self.caption_changed.emit(self.caption)

    def go_to(self, index: QModelIndex) -> None:
        """Select what a finding talks about."""
        finding = index.data(FINDING)
        if isinstance(finding, Finding):
            select_finding(self.session, finding)

    def step(self, by: int) -> None:
        """The next (or previous) finding."""
        rows = self.model.rowCount()
        if not rows:
            return
        current = self.list.currentIndex()
        row = (current.row() + by) % rows if current.isValid() else (0 if by > 0 else rows - 1)
        index = self.model.index(row, 0)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.go_to(index)


def select_finding(session: Session, finding: Finding) -> None:
    """Select the bytes of a finding, or its row where it names no bytes."""
    snapshot = session.snapshot
    if snapshot is None:
        return
    if finding.offset is not None and finding.offset < snapshot.size:
        stop = min(finding.offset + max(1, finding.size), snapshot.size)
        session.select_span(finding.offset, stop)
    elif finding.row is not None and finding.row < snapshot.rows:
        session.select(Place(finding.row))
