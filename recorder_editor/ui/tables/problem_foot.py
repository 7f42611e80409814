"""Below the findings: why the current one matters, and the buttons that mend it, or all of its kind."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ...checks import fixable, rule
from ...recording import Finding
from ..boxes import fill
from ..session import Session
from ..theme import Theme
from ..widgets import ElidedLabel, Label, ThemedWidget

_MOST_ASKED = 100  # findings that are looked at one by one: the window answers at once


class ProblemFoot(ThemedWidget):
    """What is known of the kind of one finding. Attributes: `fix`, `fix_all` (buttons)."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session = session
        self.title = ElidedLabel(theme, "", "bold")
        self.why = Label(theme, "", "small", "muted", wraps=True)
        self.why.setAccessibleName(self.tr("Why it matters"))
        self.why.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.does = ElidedLabel(theme, "", "small", "muted")
        self.fix = QPushButton(self.tr("Fix"))
        self.fix.setObjectName("problemFix")
        self.fix_all = QPushButton(self.tr("Fix all of this kind"))
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
        self.title.setText(kind.title)
        self.why.setText(kind.why)
        number = len(fixes_for(self.session, finding, all_of_kind=True))
        can = bool(fixes_for(self.session, finding))
        title = kind.fix.title if kind.fix is not None else ""
        self.does.setText(title if number else self.tr("There is no fix for this"))
        self.fix.setVisible(bool(number))
        self.fix.setEnabled(can)
        self.fix.setToolTip(title)
        self.fix_all.setVisible(number > 1)
        self.fix_all.setText(self.tr("Fix all %1").replace("%1", f"{number:,}"))
        self.fix_all.setToolTip(self.tr("Fix all problems of this kind in one undo step"))


def fixes_for(session: Session, finding: Finding | None, *, all_of_kind: bool = False) -> list[Finding]:
    """What a fix would mend: this finding, or all of its kind; none where nothing can be edited or there is no fix."""
    if finding is None or session.recording is None or session.snapshot is None:
        return []
    chosen = [one for one in session.background.findings if one.code == finding.code] if all_of_kind else [finding]
    known = rule(finding.code).fix
    if known is not None and known.applies is not None:
        chosen = chosen[:_MOST_ASKED]
    return fixable(session.snapshot, chosen)
