"""The mouse events of pyqtgraph, which ships no types, as plots use them."""

from typing import Protocol

from PySide6.QtCore import QPointF, Qt


class MouseEvent(Protocol):
    """A click; also what a drag has in common with it."""

    def accept(self) -> None:
        """Keep the event from items behind."""

    def button(self) -> Qt.MouseButton:
        """Return the button that is held."""

    def modifiers(self) -> Qt.KeyboardModifier:
        """Return the keys that are held."""

    def scenePos(self) -> QPointF:
        """Return where the mouse is, in the scene."""


class DragEvent(MouseEvent, Protocol):
    """A drag."""

    def isStart(self) -> bool:
        """Return whether it begins."""

    def isFinish(self) -> bool:
        """Return whether it ends."""

    def buttonDownScenePos(self) -> QPointF:
        """Return where it began, in the scene."""

    def lastScenePos(self) -> QPointF:
        """Return where the mouse was before, in the scene."""


class WheelEvent(Protocol):
    """A turn of the wheel."""

    def accept(self) -> None:
        """Keep the event from items behind."""

    def delta(self) -> int:
        """Return how far it is turned, in eighths of a degree."""

    def modifiers(self) -> Qt.KeyboardModifier:
        """Return the keys that are held."""

    def orientation(self) -> Qt.Orientation:
        """Return the direction of the wheel."""

    def scenePos(self) -> QPointF:
        """Return where the mouse is, in the scene."""
