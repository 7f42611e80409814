"""A timer that delays work until typing, dragging or editing has paused."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

MS_OF_REST = 250
MS_UNTIL_PAINTED = 20
MS_OF_OPENING = 100
"""A thread that runs Python beside the first picture of a recording would hold it up."""
_TURNS_OF_OPENING = 2
"""Turns of the event loop before these are counted: in the first one the window is laid out and painted."""
MS_UNTIL_AGAIN = 3000
"""What could not be written may be possible a little later: a disk has room again, another window is done."""


class Debounce(QTimer):
    """Calls a function once, when it has not been begun anew for a moment."""

    def __init__(self, parent: QObject, then: Callable[[], object], milliseconds: int = 0) -> None:
        """Make a timer that does not run yet.

        Args:
            parent: The object that it ends with.
            then: What it calls.
            milliseconds: How long `start()` without an argument waits.
        """
        super().__init__(parent, singleShot=True, interval=milliseconds)
        self._then = then
        self._turns = 0
        self.timeout.connect(self._end)

    def begin(self, *, at_once: bool = False, opening: bool = False, again: bool = False) -> None:
        """Wait from now on: a quarter of a second, unless an argument shortens or lengthens that.

        Args:
            at_once: Wait only until a view has been painted.
            opening: Wait until the first picture of a recording is painted.
            again: The work failed, and is tried again some seconds later.
        """
        milliseconds = MS_OF_REST
        self._turns = 0
        if again:
            milliseconds = MS_UNTIL_AGAIN
        elif opening:
            milliseconds = 0
            self._turns = _TURNS_OF_OPENING
        elif at_once:
            milliseconds = MS_UNTIL_PAINTED
        self.start(milliseconds)

    def _end(self) -> None:
        if not self._turns:
            self._then()
            return
        self._turns -= 1
        if self._turns:
            self.start(0)
        else:
            self.start(MS_OF_OPENING)
