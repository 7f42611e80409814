"""The base of views that show a part of a recording along a time axis, which other views follow."""

from abc import abstractmethod

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent

from ...views.time_axis import Axis
from .base import ThemedWidget


class TimeAxisView(ThemedWidget):
    """A view with a time axis.

    Signals:
        moved(): Another part is in sight.
    """

    moved = Signal()

    @property
    @abstractmethod
    def axis(self) -> Axis:
        """The time axis, which knows where frames are."""

    @abstractmethod
    def follow(self) -> bool:
        """Keep the current frame in sight; return whether that moved the axis."""

    @abstractmethod
    def set_axis(self, axis: Axis) -> None:
        """Show another part."""

    @abstractmethod
    def set_left(self, pixels: int) -> None:
        """Let the axis begin at least so many pixels from the left edge."""

    @abstractmethod
    def point_at(self, frame: int | None) -> None:
        """Show a line at the frame under the pointer in another view; None: no line."""

    @abstractmethod
    def zoom(self, factor: float) -> None:
        """Zoom around the current frame; a factor of 0 shows the whole recording."""

    @abstractmethod
    def take_key(self, event: QKeyEvent) -> bool:
        """Do what a key means on the time axis; False where it means nothing."""
