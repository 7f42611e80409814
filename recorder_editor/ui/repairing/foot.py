"""The foot of the Repair pane: what came of the last thing that was done, and the buttons. It knows no recording."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from ..icons import Icons
from ..session import Session
from ..theme import Theme
from ..widgets import PrimaryButton, ThemedWidget
from ..working import Working

_ROOMY, _WIDE, _NARROW = 376, 340, 264


class Foot(ThemedWidget):
    """Attributes: `working` (progress and a sentence), `copy`, `report`, `go`, `save` (in the place of `go` once it is
    done)."""

    def __init__(self, session: Session, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._is_done = False
        self.working = Working(session, theme)
        self.copy = QToolButton()
        self.copy.setIcon(icons.icon("copy"))
        self.copy.setIconSize(QSize(16, 16))
        self.copy.setAutoRaise(True)
        self.copy.setAccessibleName(self.tr("Copy command"))
        self.report = QPushButton(self.tr("Save report..."))
        self.report.setToolTip(self.tr("Write what is kept and what is lost as a text"))
        self.go = PrimaryButton(theme, self.tr("Repair"))
        self.go.setObjectName("repairGo")
        self.save = PrimaryButton(theme, self.tr("Save repaired copy..."))
        self.save.setObjectName("repairSave")
        self.save.setToolTip(self.tr("Save under another name: the damaged file stays as it is"))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.copy)
        buttons.addStretch(1)
        for button in (self.report, self.go, self.save):
            button.setProperty("large", True)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 11, 12, 10)
        column.setSpacing(6)
        column.addWidget(self.working)
        column.addLayout(buttons)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def show_done(self, *, done: bool) -> None:
        """Offer to save what was repaired, or to repair."""
        self._is_done = done
        self.go.setVisible(not done)
        self.save.setVisible(done)
        self._fit()

    def _fit(self) -> None:
        """Shorter words where room is short, and only what is needed next."""
        is_wide = self.width() >= self.theme.px(_WIDE)
        self.copy.setVisible(not self._is_done or self.width() >= self.theme.px(_ROOMY))
        self.save.setText(self.tr("Save repaired copy...") if is_wide else self.tr("Save copy..."))
        is_narrow = self.width() < self.theme.px(_NARROW)
        self.report.setText(self.tr("Report...") if is_narrow else self.tr("Save report..."))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(0, 0, self.width(), 1, self.theme.palette.hairline)
