"""The findings: what is wrong, where; a click selects the bytes it talks about."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from ....checks import RULES, fix, fixable, rule
from ....recording import Finding
from ....texts import N_, N_count, Plural, listed, say, say_count, wrapped
from ...session import Session
from ...style.boxes import bare, fill, push_button
from ...style.colors import ColorName
from ...style.painting import cut_between_words, draw_text
from ...style.theme import Theme
from ...widgets import ElidedLabel, Label, ThemedWidget
from ...widgets.hover_card import GUIDE
from ...widgets.keyboard import ViewKeys
from ...widgets.pane_parts import FilteredPane
from ...widgets.rows_model import Index, RowsModel

FINDING = int(Qt.ItemDataRole.UserRole)
ROW = 42
_LINE = 16
_SIDE = 84
_NARROW = 280
_FEWEST_LINES = 2
_LINES = 3
_ROWS = 3  # so many findings of three lines are in sight, or they have two
_MOST_MEASURED = 100
SIGNS: Mapping[str, tuple[str, ColorName]] = {
    "error": ("error", "error"),
    "warning": ("warning", "warning"),
    "info": ("info", "muted"),
}

_COUNTED: Mapping[str, Plural] = {
    "error": N_count("1 error", "{count:,} errors"),
    "info": N_count("1 note", "{count:,} notes"),
    "warning": N_count("1 warning", "{count:,} warnings"),
}


class ProblemsModel(RowsModel[Finding]):
    """The session's findings that the filter leaves, errors first, each kind in file order; the role `FINDING` gives a
    `Finding`."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._words: tuple[str, ...] = ()
        self.rows = _by_severity(session.background.findings)
        session.background.findings_changed.connect(self._take)
        session.opened.connect(self._take)

    def set_words(self, text: str) -> None:
        """Leave the findings that have all of these words: in their sentence, severity, code, offset or frame."""
        self._words = tuple(text.lower().split())
        self._take()

    def _take(self) -> None:
        findings = tuple(one for one in _by_severity(self.session.background.findings) if self._is_meant(one))
        if findings != self.rows:
            self.show(findings)

    def _is_meant(self, finding: Finding) -> bool:
        if not self._words:
            return True
        text = self.text(finding).lower()
        return all(word in text for word in self._words)

    def shown(self, finding: Finding, _column: int, role: int) -> object:
        if role == FINDING:
            return finding
        if role == Qt.ItemDataRole.DisplayRole:
            return finding.message
        if role == Qt.ItemDataRole.ToolTipRole:
            kind = rule(finding.code)
            said = say("{severity} ({code})", severity=self.severity(finding), code=finding.code)
            text = f"<b>{escape(said)}</b><br>{escape(finding.message)}<br><br>{escape(kind.shown_why())}"
            if kind.fix is None:
                return text
            fix = say("Fix: {title}", title=say(kind.fix.title))
            return f"{text}<br><i>{escape(fix)}</i>"
        if role == GUIDE:
            is_in_guide = rule(finding.code) in RULES
            if is_in_guide:
                return f"checks.md#{finding.code}"
            return "checks.md"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.text(finding)
        return None

    def severity(self, finding: Finding) -> str:
        """The severity as a word for people."""
        words = {"error": say("Error"), "warning": say("Warning"), "info": say("Note")}
        return words[finding.severity]

    def text(self, finding: Finding) -> str:
        """All that is known of a finding, in one line."""
        if finding.offset is not None:
            place = [f"0x{finding.offset:06x}"]
        else:
            place = []
        if finding.frame_index is not None and self.session.frames:
            place.append(say("frame {frame:,}", frame=finding.frame_index + 1))
        if place:
            template = N_("{severity}, {code}: {message} ({place})")
        else:
            template = N_("{severity}, {code}: {message}")
        return say(
            template,
            severity=self.severity(finding),
            code=finding.code,
            message=finding.message,
            place=listed(place, "clauses"),
        )


def _by_severity(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: list(SIGNS).index(finding.severity)))


class _List(QListView):
    """Signal: `moved(QModelIndex)` when a key made another row the current one."""

    moved = Signal(QModelIndex)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = QPersistentModelIndex(self.currentIndex())
        super().keyPressEvent(event)
        if self.currentIndex().isValid() and before != QPersistentModelIndex(self.currentIndex()):
            self.moved.emit(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Give the findings as many lines as there is room for."""
        delegate = self.itemDelegate()
        model = self.model()
        if isinstance(delegate, FindingDelegate) and isinstance(model, ProblemsModel):
            delegate.fit(model.rows, self.width() - self.verticalScrollBar().sizeHint().width(), self.height())
            self.doItemsLayout()


class FindingDelegate(QStyledItemDelegate):
    """Draws a finding: its sign, its message in lines, and at the right where it is."""

    def __init__(self, session: Session, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.lines = _FEWEST_LINES

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, self._height(self.lines))

    def _height(self, lines: int) -> int:
        return self.theme.px(ROW + (lines - 2) * _LINE)

    def fit(self, findings: Sequence[Finding], width: int, height: int) -> None:
        """As many lines as messages need where all findings have room; else three, where some findings have."""
        room = self._room(QRect(0, 0, width, 0)).width()
        needed = max((len(self._wrapped(one.message, room)) for one in findings[:_MOST_MEASURED]), default=0)
        if len(findings) * self._height(needed) > height:
            needed = min(needed, _LINES if _ROWS * self._height(_LINES) <= height else _FEWEST_LINES)
        self.lines = max(needed, _FEWEST_LINES)

    def _room(self, rect: QRect) -> QRect:
        """Where the message stands."""
        return rect.adjusted(38, 4, -self._side(rect) - 16, -4)

    def _side(self, rect: QRect) -> int:
        """How wide the place of a finding is at the right; 0 where the message needs the room."""
        if rect.width() >= self.theme.px(_NARROW):
            return self.theme.px(_SIDE)
        return 0

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        finding = index.data(FINDING)
        if not isinstance(finding, Finding):
            return
        palette = self.theme.palette
        rect: QRect = option.rect
        selected = bool(option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus))
        painter.fillRect(rect, palette.hover if selected else palette.window)
        if selected:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), palette.selection)
        icon, color = SIGNS[finding.severity]
        self.theme.icons.draw(painter, icon, rect.left() + 12, rect.top() + 6, 16, palette.color(color))
        side = self._side(rect)
        room = self._room(rect)
        # Its lines stand: what Qt measures a bit wider is not broken again.
        lines = self.broken(finding.message, room.width())
        how = Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextDontClip
        draw_text(painter, room, lines, self.theme.font, palette.text, how)
        painter.setPen(palette.hairline)
        painter.drawLine(rect.left() + 38, rect.bottom(), rect.right(), rect.bottom())
        if not side:
            return
        right = QRect(rect.right() - side - 12, rect.top() + 4, side, rect.height() - 8)
        if finding.offset is not None:
            above = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
            draw_text(painter, right, f"0x{finding.offset:06x}", self.theme.mono, palette.muted, above)
        if finding.frame_index is not None and self.session.frames:
            text = say("frame {frame:,}", frame=finding.frame_index + 1)
            below = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight
            draw_text(painter, right, text, self.theme.small, palette.muted, below)

    def broken(self, text: str, width: int) -> str:
        """The words in lines; if there are too many, the end of the sentence stays (the tooltip has it all)."""
        lines = self._wrapped(text, width)
        lines = [*lines[: self.lines - 1], "".join(lines[self.lines - 1 :])]
        metrics = self.theme.metrics(self.theme.font)
        return "\n".join(cut_between_words(metrics, line.rstrip(), width) for line in lines if line)

    def _wrapped(self, text: str, width: int) -> list[str]:
        """The words in as many lines as they need; a word that is wider than a line has one of its own."""
        metrics = self.theme.metrics(self.theme.font)
        return wrapped(text, lambda line: metrics.horizontalAdvance(line) <= width)


class ProblemsTable(FilteredPane):
    """The findings and what can be done about the current one; its caption counts them: `4 errors, 2 warnings`."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.list = bare(_List(uniformItemSizes=True), "problemsTable", say("Problems"))
        super().__init__(session, theme, self.list, say("Filter: error collision"))
        self.model = ProblemsModel(session, self)
        self.list.setProperty("ground", "window")
        self.list.setModel(self.model)
        self.list.setItemDelegate(FindingDelegate(session, theme, self))
        self.list.clicked.connect(self.go_to)
        self.list.activated.connect(self.go_to)
        self.list.moved.connect(self.go_to)
        ViewKeys(self.list, {}, letters_pass=True)
        self.offer_menu(self.list, self._menu_at)
        self._current: tuple[int, Finding] | None = None
        self.list.selectionModel().currentChanged.connect(self._remember)
        self.model.modelReset.connect(self._return)
        self.filter.textChanged.connect(self._set_filter)
        self.foot = ProblemFoot(session, theme)
        self.foot.fix.clicked.connect(self.fix)
        self.foot.fix_all.clicked.connect(self.fix_all)
        self.column.addWidget(self.foot)
        session.background.findings_changed.connect(self._show)
        session.opened.connect(self._show)
        theme.changed.connect(self.list.fit)
        self._show()

    def _counts(self) -> str:
        counts: Counter[str] = Counter(finding.severity for finding in self.model.rows)
        return listed(say(_COUNTED[kind], count=counts[kind]) for kind in SIGNS if counts[kind])

    def _show(self) -> None:
        shown = len(self.model.rows)
        every = len(self.session.background.findings)
        none: str = say_count(
            "No problems found in 1 frame", "No problems found in {count:,} frames", count=self.session.frames
        )
        if self.session.background.trajectories is None:
            if self.session.snapshot is not None:
                none = say("Checking...")
            else:
                none = say("No recording open")
        self.tell(shown, every, say("No problem matches"), none, "")
        self.empty.set_icon("" if every else "checks", "fine")
        self.filter.setVisible(every > 0)
        self.list.fit()
        self.foot.show_finding(self.current)
        if shown == every:
            self.set_caption(self._counts())

    def _set_filter(self, text: str) -> None:
        self.model.set_words(text)
        self._show()

    def guide_topic(self) -> str:
        if self.current is not None:
            return self.current.code
        return ""

    def go_to(self, index: QModelIndex) -> None:
        """Select what a finding talks about."""
        finding = index.data(FINDING)
        if isinstance(finding, Finding):
            self.session.selection.select_finding(finding)

    @property
    def current(self) -> Finding | None:
        """The finding that the list stands on."""
        finding = self.list.currentIndex().data(FINDING)
        if isinstance(finding, Finding):
            return finding
        return None

    def can_fix(self) -> bool:
        """There is a fix for the current finding."""
        return bool(fixes_for(self.session, self.current))

    def can_fix_all(self) -> bool:
        """There is a fix for any finding of its kind."""
        return bool(fixes_for(self.session, self.current, all_of_kind=True))

    def fix(self) -> None:
        """Mend the current finding, in one undo step."""
        self._mend(fixes_for(self.session, self.current))

    def fix_all(self) -> None:
        """Mend all findings of the kind of the current one, in one undo step."""
        self._mend(fixes_for(self.session, self.current, all_of_kind=True))

    def _mend(self, findings: list[Finding]) -> None:
        if findings:
            self.session.editing.attempt_later(say("Fixing"), lambda snapshot, _progress: fix(snapshot, findings))

    def _remember(self, index: QModelIndex) -> None:
        if self.current is not None:
            self._current = index.row(), self.current
        self.foot.show_finding(self.current)

    def _return(self) -> None:
        """After an edit the same finding is the current one, or what stands in its place; nothing is selected anew."""
        kept = self._current
        findings = self.model.rows
        self._current = None
        if kept is None or not findings:
            return
        row, finding = kept
        same = []
        for number, one in enumerate(findings):
            if one.code == finding.code and one.row == finding.row:
                same.append(number)
        exact = []
        for number in same:
            if findings[number].message == finding.message:
                exact.append(number)
        self._stand_on((exact or same or [min(row, len(findings) - 1)])[0])

    def _stand_on(self, row: int) -> None:
        selection = self.list.selectionModel()
        selection.setCurrentIndex(self.model.index(row, 0), selection.SelectionFlag.ClearAndSelect)

    def note(self) -> None:
        """Make a note of what the current finding says, at its frame."""
        if self.current is not None:
            frame = self.session.selection.frame_index if self.current.frame_index is None else self.current.frame_index
            if self.session.notes.make(self.current.message, range(frame, frame + 1)):
                self.action_asked.emit("notes.edit")

    def menu(self) -> QMenu:
        """The context menu for the current finding."""
        menu = QMenu(self)
        index = self.list.currentIndex()
        select = menu.addAction(say("Select the bytes"), lambda: self.go_to(self.list.currentIndex()))
        select.setEnabled(index.isValid())
        menu.addSeparator()
        menu.addAction(say("Fix"), self.fix).setEnabled(self.can_fix())
        menu.addAction(say("Fix all of this kind"), self.fix_all).setEnabled(self.can_fix_all())
        explain = partial(self.guide_asked.emit, f"checks.md#{self.guide_topic()}")
        menu.addAction(say("Explain in the guide"), explain)
        menu.addAction(say("Make a note of this"), self.note).setEnabled(index.isValid())
        return menu

    def _menu_at(self, point: QPoint) -> QMenu:
        self.go_to(self.list.indexAt(point))
        return self.menu()

    def step(self, by: int) -> None:
        """The next (or previous) finding."""
        rows = self.model.rowCount()
        if not rows:
            return
        current = self.list.currentIndex()
        self._stand_on((current.row() + by) % rows if current.isValid() else (0 if by > 0 else rows - 1))
        self.go_to(self.list.currentIndex())
        if not self.list.hasFocus():
            self.session.announced.emit(str(self.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)))


_MOST_ASKED = 100  # findings that are looked at one by one: the window answers at once


class ProblemFoot(ThemedWidget):
    """What is known of the kind of one finding. Attributes: `fix`, `fix_all` (buttons)."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self.session = session
        self.title = ElidedLabel(theme, "", "bold")
        self.why = Label(theme, "", "small", "muted", wraps=True)
        self.why.setAccessibleName(say("Why it matters"))
        self.why.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.does = ElidedLabel(theme, "", "small", "muted")
        self.fix = push_button(say("Fix"))
        self.fix.setObjectName("problemFix")
        self.fix_all = push_button(say("Fix all of this kind"))
        self.fix_all.setObjectName("problemFixAll")
        buttons = fill(QHBoxLayout(), (self.does, 1), self.fix, self.fix_all, spacing=8)
        fill(QVBoxLayout(self), self.title, self.why, buttons, spacing=4, margins=(12, 8, 12, 8))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.show_finding(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.theme.palette.hairline)
        painter.drawLine(0, 0, self.width(), 0)

    def show_finding(self, finding: Finding | None) -> None:
        """Show this one; nothing for None."""
        self.setVisible(finding is not None)
        if finding is None:
            return
        kind = rule(finding.code)
        self.title.setText(kind.shown_title())
        self.why.setText(kind.shown_why())
        number = len(fixes_for(self.session, finding, all_of_kind=True))
        can = bool(fixes_for(self.session, finding))
        if kind.fix is not None:
            title = say(kind.fix.title)
        else:
            title = ""
        self.does.setText(title if number else say("There is no fix for this"))
        self.fix.setVisible(bool(number))
        self.fix.setEnabled(can)
        self.fix.setToolTip(title)
        self.fix_all.setVisible(number > 1)
        self.fix_all.setText(say("Fix all {number:,}", number=number))
        self.fix_all.setToolTip(say("Fix all problems of this kind in one undo step"))


def fixes_for(session: Session, finding: Finding | None, *, all_of_kind: bool = False) -> list[Finding]:
    """What a fix would mend: this finding, or all of its kind; none where nothing can be edited or there is no fix."""
    if finding is None or session.recording is None or session.snapshot is None:
        return []
    if all_of_kind:
        chosen = []
        for one in session.background.findings:
            if one.code == finding.code:
                chosen.append(one)
    else:
        chosen = [finding]
    known = rule(finding.code).fix
    if known is not None and known.applies is not None:
        chosen = chosen[:_MOST_ASKED]
    return fixable(session.snapshot, chosen)
