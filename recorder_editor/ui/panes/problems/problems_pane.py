"""The Problems pane: what is wrong, and where. A click selects the bytes of a finding."""

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
from ....texts import N_, N_count, Plural, listed, say, say_count, wrap_lines
from ...session import Session
from ...style.boxes import fill, frameless, push_button
from ...style.colors import ColorName
from ...style.painting import cut_between_words, draw_text
from ...style.theme import Theme
from ...widgets import ElidedLabel, Label, ThemedWidget
from ...widgets.copied import Copied, copied_table
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
_ROWS = 3  # findings that have to be visible with three lines each, or they have two
_MOST_MEASURED = 100
_MOST_ASKED = 100  # findings that are asked one by one whether they can be fixed: the window answers at once
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
    """The session's findings that match the filter, errors first, each severity in the order of the file.

    The role `FINDING` gives a `Finding`.

    Attributes:
        session: The session.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._words: tuple[str, ...] = ()
        self.rows = _by_severity(session.background.findings)
        session.background.findings_changed.connect(self._take)
        session.opened.connect(self._take)

    def set_words(self, text: str) -> None:
        """Set the filter: the words that sentence, severity, code, offset and frame of a finding must hold."""
        self._words = tuple(text.lower().split())
        self._take()

    def _take(self) -> None:
        findings = _by_severity(self.session.background.findings)
        findings = tuple(finding for finding in findings if self._matches(finding))
        if findings != self.rows:
            self.show(findings)

    def _matches(self, finding: Finding) -> bool:
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
            return self._tip(finding)
        if role == GUIDE:
            # Rules of installed packages are not in the guide.
            if rule(finding.code) in RULES:
                return f"checks.md#{finding.code}"
            return "checks.md"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.text(finding)
        return None

    def _tip(self, finding: Finding) -> str:
        kind = rule(finding.code)
        title = say("{severity} ({code})", severity=self.severity(finding), code=finding.code)
        text = f"<b>{escape(title)}</b><br>{escape(finding.message)}<br><br>{escape(kind.shown_why())}"
        if kind.fix is None:
            return text
        fix = say("Fix: {title}", title=say(kind.fix.title))
        return f"{text}<br><i>{escape(fix)}</i>"

    def severity(self, finding: Finding) -> str:
        """Return the severity as a word for people."""
        names = {"error": say("Error"), "warning": say("Warning"), "info": say("Note")}
        return names[finding.severity]

    def text(self, finding: Finding) -> str:
        """Return severity, code, sentence and place of a finding in one line."""
        places = []
        if finding.offset is not None:
            places.append(f"0x{finding.offset:06x}")
        if finding.frame_index is not None and self.session.frames:
            places.append(say("frame {frame:,}", frame=finding.frame_index + 1))
        template = N_("{severity}, {code}: {message}")
        if places:
            template = N_("{severity}, {code}: {message} ({place})")
        return say(
            template,
            severity=self.severity(finding),
            code=finding.code,
            message=finding.message,
            place=listed(places, "clauses"),
        )


def _by_severity(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    order = list(SIGNS)
    return tuple(sorted(findings, key=lambda finding: order.index(finding.severity)))


class _List(QListView):
    """The list. Signal: `moved(QModelIndex)` when a key made another row the current one."""

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
            width = self.width() - self.verticalScrollBar().sizeHint().width()
            delegate.fit(model.rows, width=width, height=self.height())
            self.doItemsLayout()


class FindingDelegate(QStyledItemDelegate):
    """Draws a finding: its sign, its message in lines, and its place at the right.

    Attributes:
        session: The session.
        theme: The theme.
        lines: Number of lines of each finding.
    """

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
        """Set the number of lines: as many as messages need where all have room, or else three where three have room.

        Args:
            findings: The findings.
            width: Width of a row, pixels.
            height: Height of the list, pixels.
        """
        message_width = self._message_rect(QRect(0, 0, width, 0)).width()
        needed = 0
        for finding in findings[:_MOST_MEASURED]:
            needed = max(needed, len(self._wrapped(finding.message, message_width)))
        if len(findings) * self._height(needed) > height:
            most = _FEWEST_LINES
            if _ROWS * self._height(_LINES) <= height:
                most = _LINES
            needed = min(needed, most)
        self.lines = max(needed, _FEWEST_LINES)

    def _message_rect(self, rect: QRect) -> QRect:
        """Return the rectangle of the message in that of a row."""
        return rect.adjusted(38, 4, -self._place_width(rect) - 16, -4)

    def _place_width(self, rect: QRect) -> int:
        """Return the width of the place at the right of a row; 0 where the message needs the room."""
        if rect.width() >= self.theme.px(_NARROW):
            return self.theme.px(_SIDE)
        return 0

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        finding = index.data(FINDING)
        if not isinstance(finding, Finding):
            return
        palette = self.theme.palette
        rect: QRect = option.rect
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus):
            painter.fillRect(rect, palette.hover)
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), palette.selection)
        else:
            painter.fillRect(rect, palette.window)
        icon, color = SIGNS[finding.severity]
        self.theme.icons.draw(painter, icon, rect.left() + 12, rect.top() + 6, 16, palette.color(color))
        message_rect = self._message_rect(rect)
        # The lines stay as they are broken, also where Qt measures one a bit wider.
        lines = self.broken(finding.message, message_rect.width())
        flags = Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextDontClip
        draw_text(painter, message_rect, lines, self.theme.font, palette.text, flags)
        painter.setPen(palette.hairline)
        painter.drawLine(rect.left() + 38, rect.bottom(), rect.right(), rect.bottom())
        width = self._place_width(rect)
        if width:
            place_rect = QRect(rect.right() - width - 12, rect.top() + 4, width, rect.height() - 8)
            self._paint_place(painter, place_rect, finding)

    def _paint_place(self, painter: QPainter, rect: QRect, finding: Finding) -> None:
        """Draw the offset of a finding above its frame."""
        color = self.theme.palette.muted
        if finding.offset is not None:
            above = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
            draw_text(painter, rect, f"0x{finding.offset:06x}", self.theme.mono, color, above)
        if finding.frame_index is not None and self.session.frames:
            text = say("frame {frame:,}", frame=finding.frame_index + 1)
            below = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight
            draw_text(painter, rect, text, self.theme.small, color, below)

    def broken(self, text: str, width: int) -> str:
        """Return a text in lines; where there are too many, the last one holds the rest, cut between words."""
        lines = self._wrapped(text, width)
        shown = lines[: self.lines - 1]
        shown.append("".join(lines[self.lines - 1 :]))
        metrics = self.theme.metrics(self.theme.font)
        return "\n".join(cut_between_words(metrics, line.rstrip(), width) for line in shown if line)

    def _wrapped(self, text: str, width: int) -> list[str]:
        """Return a text in as many lines as it needs; a word that is wider than a line has one of its own."""
        metrics = self.theme.metrics(self.theme.font)
        return wrap_lines(text, lambda line: metrics.horizontalAdvance(line) <= width)


class ProblemsPane(FilteredPane):
    """The findings, and what can be done about the current one; the caption counts them: `4 errors, 2 warnings`.

    Attributes:
        list: The list.
        model: The findings.
        foot: The explanation of the current one, with buttons that fix it.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        self.list = frameless(_List(uniformItemSizes=True), "problemsTable", say("Problems"))
        super().__init__(session, theme, self.list, say("Filter: error collision"))
        self.model = ProblemsModel(session, self)
        self.list.setProperty("ground", "window")
        self.list.setModel(self.model)
        self.list.setItemDelegate(FindingDelegate(session, theme, self))
        self.list.clicked.connect(self.go_to)
        self.list.activated.connect(self.go_to)
        self.list.moved.connect(self.go_to)
        ViewKeys(self.list, {}, letters_pass=True)
        self.list.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.give(self.list, self.copied_findings)
        self.offer_menu(self.list, self._menu_at)
        self._current: tuple[int, Finding] | None = None
        self.list.selectionModel().currentChanged.connect(self._remember)
        self.model.modelReset.connect(self._return)
        self.filter.textChanged.connect(self._set_filter)
        self.foot = ProblemFooter(session, theme)
        self.foot.fix.clicked.connect(self.fix)
        self.foot.fix_all.clicked.connect(self.fix_all)
        self.column.addWidget(self.foot)
        session.background.findings_changed.connect(self._show)
        session.opened.connect(self._show)
        theme.changed.connect(self.list.fit)
        self._show()

    def _counts_text(self) -> str:
        counts: Counter[str] = Counter(finding.severity for finding in self.model.rows)
        texts = [say(_COUNTED[severity], count=counts[severity]) for severity in SIGNS if counts[severity]]
        return listed(texts)

    def _none_text(self) -> str:
        """Return the text for a list without findings."""
        if self.session.background.trajectories is not None:
            return say_count(
                "No problems found in 1 frame", "No problems found in {count:,} frames", count=self.session.frames
            )
        if self.session.snapshot is not None:
            return say("Checking...")
        return say("No recording open")

    def _show(self) -> None:
        shown = len(self.model.rows)
        every = len(self.session.background.findings)
        self.show_counts(shown, every, no_match=say("No problem matches"), none=self._none_text(), about="")
        self.empty.set_icon("" if every else "checks", "fine")
        self.filter.setVisible(every > 0)
        self.list.fit()
        self.foot.show_finding(self.current)
        if shown == every:
            self.set_caption(self._counts_text())

    def _set_filter(self, text: str) -> None:
        self.model.set_words(text)
        self._show()

    def guide_topic(self) -> str:
        if self.current is not None:
            return self.current.code
        return ""

    def go_to(self, index: QModelIndex) -> None:
        """Select the bytes of a finding."""
        finding = index.data(FINDING)
        if isinstance(finding, Finding):
            self.session.selection.select_finding(finding)

    @property
    def current(self) -> Finding | None:
        """The finding of the current row; None without one."""
        finding = self.list.currentIndex().data(FINDING)
        if isinstance(finding, Finding):
            return finding
        return None

    def can_fix(self) -> bool:
        """Return whether there is a fix for the current finding."""
        return bool(fixes_for(self.session, self.current))

    def can_fix_all(self) -> bool:
        """Return whether there is a fix for any finding of its kind."""
        return bool(fixes_for(self.session, self.current, all_of_kind=True))

    def fix(self) -> None:
        """Fix the current finding, in one step of undo."""
        self._fix(fixes_for(self.session, self.current))

    def fix_all(self) -> None:
        """Fix all findings of the kind of the current one, in one step of undo."""
        self._fix(fixes_for(self.session, self.current, all_of_kind=True))

    def _fix(self, findings: list[Finding]) -> None:
        if findings:
            self.session.editing.attempt_later(say("Fixing"), lambda snapshot, _progress: fix(snapshot, findings))

    def _remember(self, index: QModelIndex) -> None:
        if self.current is not None:
            self._current = (index.row(), self.current)
        self.foot.show_finding(self.current)

    def _return(self) -> None:
        """Make the same finding current after an edit, or that in its place; nothing is selected anew."""
        current = self._current
        self._current = None
        if current is not None and self.model.rows:
            row, finding = current
            self._select_row(self._row_of(finding, row))

    def _row_of(self, finding: Finding, row: int) -> int:
        """Return the row of a finding, also of one with another message; where it is gone, the nearest to its row."""
        similar = None
        for index, other in enumerate(self.model.rows):
            if other.code != finding.code or other.row != finding.row:
                continue
            if other.message == finding.message:
                return index
            if similar is None:
                similar = index
        if similar is not None:
            return similar
        return min(row, len(self.model.rows) - 1)

    def _select_row(self, row: int) -> None:
        selection = self.list.selectionModel()
        selection.setCurrentIndex(self.model.index(row, 0), selection.SelectionFlag.ClearAndSelect)

    def note(self) -> None:
        """Make a note of the current finding, at its frame, or at the current one where it names none."""
        finding = self.current
        if finding is None:
            return
        frame = finding.frame_index
        if frame is None:
            frame = self.session.selection.frame_index
        if self.session.notes.make(finding.message, range(frame, frame + 1)):
            self.action_asked.emit("notes.edit")

    def copied_findings(self) -> Copied | None:
        """Return the selected findings, or all that are listed where none is, as a table."""
        chosen = sorted(index.row() for index in self.list.selectionModel().selectedRows())
        findings = [self.model.rows[row] for row in chosen] or self.model.rows
        rows = []
        for finding in findings:
            offset = ""
            if finding.offset is not None:
                offset = f"0x{finding.offset:06x}"
            frame = ""
            if finding.frame_index is not None:
                frame = str(finding.frame_index + 1)
            rows.append((self.model.severity(finding), finding.code, finding.message, frame, offset))
        return copied_table((say("Severity"), say("Rule"), say("Problem"), say("Frame"), say("Offset")), rows)

    def menu(self) -> QMenu:
        """Return the context menu of the current finding."""
        menu = QMenu(self)
        has_current = self.list.currentIndex().isValid()
        select = menu.addAction(say("Select the bytes"), lambda: self.go_to(self.list.currentIndex()))
        select.setEnabled(has_current)
        menu.addSeparator()
        fix_action = menu.addAction(say("Fix"), self.fix)
        fix_action.setEnabled(self.can_fix())
        fix_all_action = menu.addAction(say("Fix all of this kind"), self.fix_all)
        fix_all_action.setEnabled(self.can_fix_all())
        explain = partial(self.guide_asked.emit, f"checks.md#{self.guide_topic()}")
        menu.addAction(say("Explain in the guide"), explain)
        note = menu.addAction(say("Make a note of this"), self.note)
        note.setEnabled(has_current)
        self.offer_copies(menu, self.list)
        return menu

    def _menu_at(self, point: QPoint) -> QMenu:
        self.go_to(self.list.indexAt(point))
        return self.menu()

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) finding, round the ends."""
        rows = self.model.rowCount()
        if not rows:
            return
        current = self.list.currentIndex()
        if current.isValid():
            row = (current.row() + by) % rows
        elif by > 0:
            row = 0
        else:
            row = rows - 1
        self._select_row(row)
        self.go_to(self.list.currentIndex())
        if not self.list.hasFocus():
            text = self.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
            self.session.announced.emit(str(text))


class ProblemFooter(ThemedWidget):
    """The explanation of the current finding's kind, with the buttons that fix it.

    Attributes:
        session: The session.
        title: The title of the kind.
        why: Why it matters.
        does: What the fix does.
        fix: The button that fixes the finding.
        fix_all: The button that fixes all of its kind.
    """

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
        """Explain a finding; hidden for None."""
        self.setVisible(finding is not None)
        if finding is None:
            return
        kind = rule(finding.code)
        self.title.setText(kind.shown_title())
        self.why.setText(kind.shown_why())
        number = len(fixes_for(self.session, finding, all_of_kind=True))
        fix_title = ""
        if kind.fix is not None:
            fix_title = say(kind.fix.title)
        if number:
            self.does.setText(fix_title)
        else:
            self.does.setText(say("There is no fix for this"))
        self.fix.setVisible(number > 0)
        self.fix.setEnabled(bool(fixes_for(self.session, finding)))
        self.fix.setToolTip(fix_title)
        self.fix_all.setVisible(number > 1)
        self.fix_all.setText(say("Fix all {number:,}", number=number))
        self.fix_all.setToolTip(say("Fix all problems of this kind in one undo step"))


def fixes_for(session: Session, finding: Finding | None, *, all_of_kind: bool = False) -> list[Finding]:
    """Return the findings that a fix would correct.

    Args:
        session: The session.
        finding: A finding; None: none is returned.
        all_of_kind: Whether all findings of its kind are returned.
    """
    if finding is None or session.recording is None or session.snapshot is None:
        return []
    findings = [finding]
    if all_of_kind:
        findings = [other for other in session.background.findings if other.code == finding.code]
    kind_fix = rule(finding.code).fix
    if kind_fix is not None and kind_fix.applies is not None:
        findings = findings[:_MOST_ASKED]
    return fixable(session.snapshot, findings)
