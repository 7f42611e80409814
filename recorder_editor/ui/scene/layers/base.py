"""What all layers of the scene have in common: an item as large as the view that paints one state."""

from collections.abc import Iterable

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QWidget

from ...colors import Palette
from ...theme import Theme
from ..label_layout import Sides, Wish
from ..state import SceneState


class Layer(pg.GraphicsObject):  # type: ignore[misc]
    """One kind of thing in the scene, for all actors at once, in pixels of the view box that is its parent.

    A layer overrides `draw`, `occupied` where labels must keep away, `notes` where it has something to say beside what
    it draws, and `set_state` where it prepares something.

    Attributes: `state`, `theme`, `is_faint` (labels with a ground of their own may lie on what it occupies), `peers`
    (all layers of the view box).
    """

    is_faint = False
    peers: "tuple[Layer, ...]" = ()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.state = SceneState()
        self._pane = self.state.camera.pane

    @property
    def palette(self) -> Palette:
        """The colours of this moment."""
        return self.theme.palette

    def set_state(self, state: SceneState) -> None:
        """Take over what is to be painted next."""
        self.state, pane = state, state.camera.pane
        if pane != self._pane:
            self.prepareGeometryChange()
            self._pane = pane

    def boundingRect(self) -> QRectF:
        return self._pane

    def shape(self) -> QPainterPath:
        """Nothing: the mouse is the view box's."""
        return QPainterPath()

    def occupied(self) -> Iterable[Sides]:
        """Where labels must not lie, px."""
        return ()

    def notes(self) -> Iterable[Wish]:
        """What the labels are to say for it."""
        return ()

    def paint(self, painter: QPainter, _option: object = None, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter)

    def draw(self, painter: QPainter) -> None:
        """Draw the state."""
        raise NotImplementedError
