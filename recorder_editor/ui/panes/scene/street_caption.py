"""What streets are made of where there is no road map: a chip at the foot of the scene that offers to choose one."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ....texts import say, say_count
from ...style.painting import draw_box, draw_text
from ...style.theme import Theme
from ...widgets.base import ThemedButton
from ...widgets.toast import NARROW
from .shapes import EDGE

_HEIGHT = 20
_BESIDE = 6
_SCALE_BAR = 230
"""Pixels that the scale bar at the left takes, with the edges and what is between both."""


class StreetCaption(ThemedButton):
    """The chip; it keeps in the corner at the right of the foot of its parent."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self._paths = 0
        self.setObjectName("street-caption")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(say("Choose a road map..."))
        self.hide()

    def show_paths(self, paths: int) -> None:
        """Say of how many recorded paths the streets are made; 0 hides the chip."""
        self._paths = paths
        self.setVisible(paths > 0)
        self.lay_out()

    def lay_out(self) -> None:
        """Take the place in the corner that the size of the parent leaves."""
        if not self._paths:
            return
        whole = say_count(
            "Streets from 1 recorded path, no road map",
            "Streets from {count:,} recorded paths, no road map",
            count=self._paths,
        )
        self.setAccessibleName(whole)
        self.setText(whole)
        parent = self.parent()
        assert isinstance(parent, QWidget)
        room = parent.width()
        if room < self.theme.px(NARROW) or room < self.sizeHint().width() + self.theme.px(_SCALE_BAR):
            self.setText(say("No road map"))
        size = self.sizeHint()
        corner = parent.rect().bottomRight()
        self.setGeometry(corner.x() + 1 - EDGE - size.width(), corner.y() + 1 - EDGE - size.height(), *size.toTuple())
        self.update()

    def restyle(self) -> None:
        super().restyle()
        self.lay_out()

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self.theme.small).horizontalAdvance(self.text()) + 2 * _BESIDE
        return QSize(width, self.theme.px(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self.theme.palette
        edge = palette.edge
        color = palette.muted
        if self.hasFocus():
            edge = palette.selection
        if self.underMouse():
            color = palette.text
        draw_box(painter, self.rect(), palette.field, edge)
        draw_text(painter, QRect(self.rect()), self.text(), self.theme.small, color, Qt.AlignmentFlag.AlignCenter)
