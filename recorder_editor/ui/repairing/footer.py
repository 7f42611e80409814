"""The footer of the Repair pane: what came of the last thing that was done, and the buttons. It knows no recording."""

from collections.abc import Callable

from PySide6.QtGui import QResizeEvent

from ..boxes import push_button
from ..pane_parts import PaneFoot
from ..session import Session
from ..theme import Theme

_ROOMY, _WIDE, _NARROW = 376, 340, 204


class RepairFooter(PaneFoot):
    """Attributes: `report`, `go`, `save` (in the place of `go` once it is done)."""

    def __init__(self, session: Session, theme: Theme, command: Callable[[], str]) -> None:
        super().__init__(session, theme, command)
        self._is_done = False
        tip = self.tr("Write what is kept and lost to a text file")
        self.report = push_button(self.tr("Save report..."), tip=tip)
        self.go = push_button(self.tr("Repair"), primary=True)
        tip = self.tr("Save under another name; the damaged file is not changed")
        self.save = push_button(self.tr("Save repaired copy..."), tip=tip, primary=True)
        self.add_buttons(self.report, self.go, self.save)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def show_done(self, *, done: bool) -> None:
        """Offer to save what was repaired, or to repair."""
        self._is_done = done
        self.go.setVisible(not done)
        self.save.setVisible(done)
        self._fit()

    def show_command(self, command: str) -> None:
        """Offer to copy a command, or say why there is none."""
        self.copy.setEnabled(bool(command))
        without = self.tr("There is no command for this: a command runs all steps, on the saved file")
        words = self.tr("Copy the command that does the same")
        self.copy.setToolTip(f"{words}\n{command}" if command else without)

    def _fit(self) -> None:
        """Shorter words where room is short, and only what is needed next."""
        is_wide = self.width() >= self.theme.px(_WIDE)
        self.copy.setVisible(not self._is_done or self.width() >= self.theme.px(_ROOMY))
        self.save.setText(self.tr("Save repaired copy...") if is_wide else self.tr("Save copy..."))
        is_narrow = self.width() < 60 + self.theme.px(_NARROW)
        self.report.setText(self.tr("Report...") if is_narrow else self.tr("Save report..."))
