"""The chips of the modes in the title of the scene: what is on, and a cross that ends it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy

from ....texts import say
from ...style.boxes import fill, icon_button
from ...style.painting import draw_box
from ...style.theme import Theme
from ...widgets import ElidedLabel, ThemedWidget
from .modes import MODES, ActiveMode, Mode

_HEIGHT = 20
_CROSS = 12
_SIDE = 8  # px before the text
_LEAST = 32  # px of the text where there is no more room
_BETWEEN = 4


class ModeChip(ThemedWidget):
    """One mode, hidden while it is off.

    Signals:
        ended(): The cross was pressed.
    """

    ended = Signal()

    def __init__(self, theme: Theme, mode: Mode) -> None:
        super().__init__(theme)
        self.mode = mode
        self.setObjectName(f"mode-{mode.name}")
        self.label = ElidedLabel(theme, "", "small_bold")
        self.cross = icon_button(theme.icons.icon("close", "muted"), "", self.ended.emit, _CROSS)
        self._row = fill(QHBoxLayout(self), self.label, self.cross, spacing=2)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.restyle()
        self.hide()

    def show_title(self, title: str) -> None:
        """Show that the mode is on, with a text."""
        if title != self.label.text():
            self.label.setText(title)
            tip = say("End: {mode} (Esc)", mode=title)
            self.cross.setToolTip(tip)
            self.cross.setAccessibleName(tip)
            self.setAccessibleName(title)
        self.show()

    def restyle(self) -> None:
        px = self.theme.px
        self.setFixedHeight(px(_HEIGHT))
        self._row.setContentsMargins(px(_SIDE), 0, 1, 0)
        self.label.setMinimumWidth(px(_LEAST))
        self.cross.setFixedSize(px(_HEIGHT), px(_HEIGHT) - 2)  # the whole end of the chip is pressed
        super().restyle()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        edge = palette.selection
        if self.mode.is_edit:
            edge = palette.edited
        draw_box(QPainter(self), self.rect(), palette.field, edge)


class ModeChips(ThemedWidget):
    """The chips of all modes, the innermost at the left: those that are on stay where they are when one more begins.

    Signals:
        ended(Mode): Its cross was pressed.
    """

    ended = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.chips = {mode.name: ModeChip(theme, mode) for mode in MODES}
        fill(QHBoxLayout(self), *self.chips.values(), spacing=_BETWEEN)
        for chip in self.chips.values():
            chip.ended.connect(partial(self.ended.emit, chip.mode))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_modes(self, modes: Sequence[ActiveMode]) -> None:
        """Show the modes that are on."""
        titles = {active.mode.name: active.title for active in modes}
        for name, chip in self.chips.items():
            if name in titles:
                chip.show_title(titles[name])
            else:
                chip.hide()
        if self.parentWidget() is not None:  # without a title around it, it would be a window
            self.setVisible(bool(modes))

    def sizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None
        return QSize(layout.sizeHint().width(), self.theme.px(_HEIGHT))
