"""The mouse events of pyqtgraph, which ships no types, as plots use them."""

from typing import Protocol

from PySide6.QtCore import QPointF, Qt


class MouseEvent(Protocol):
    """A click, or what it has in common with a drag."""

    def accept(self) -> None:
        """Keep the event from items behind."""

    def button(self) -> Qt.MouseButton:
        """The button that is held."""

    def modifiers(self) -> Qt.KeyboardModifier:
        """The keys that are held."""

    def scenePos(self) -> QPointF:
        """Where the mouse is, in the scene."""


class DragEvent(MouseEvent, Protocol):
    """A drag."""

    def isStart(self) -> bool:
        """Whether it begins."""

    def isFinish(self) -> bool:
        """Whether it ends."""

    def buttonDownScenePos(self) -> QPointF:
        """Where it began, in the scene."""

    def lastScenePos(self) -> QPointF:
        """Where the mouse was before, in the scene."""


class WheelEvent(Protocol):
    """A turn of the wheel."""

    def accept(self) -> None:
        """Keep the event from items behind."""

    def delta(self) -> int:
        """How far, in eighths of a degree."""

    def modifiers(self) -> Qt.KeyboardModifier:
        """The keys that are held."""

    def orientation(self) -> Qt.Orientation:
        """Which wheel of the mouse."""

    def scenePos(self) -> QPointF:
        """Where the mouse is, in the scene."""
