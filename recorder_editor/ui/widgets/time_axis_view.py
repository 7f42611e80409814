"""What shows a part of a recording along a time axis that others follow."""

from abc import abstractmethod

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent

from ...views.time_axis import Axis
from .base import ThemedWidget


class TimeAxisView(ThemedWidget):
    """A view with a time axis. Signal: `moved` (another part is in sight)."""

    moved = Signal()

    @property
    @abstractmethod
    def axis(self) -> Axis:
        """Where frames are."""

    @abstractmethod
    def follow(self) -> bool:
        """Keep the current frame in sight; says whether that moved the axis."""

    @abstractmethod
    def set_axis(self, axis: Axis) -> None:
        """Show another part."""

    @abstractmethod
    def set_left(self, pixels: int) -> None:
        """Let the axis begin at least so far from the left edge."""

    @abstractmethod
    def zoom(self, factor: float) -> None:
        """Zoom around the current frame; by 0 to the whole recording."""

    @abstractmethod
    def take_key(self, event: QKeyEvent) -> bool:
        """Do what a key means on the time axis; False where it means nothing."""
