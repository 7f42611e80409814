"""The history of zooming and moving: the parts of a recording, or of the world, that were in sight for a moment."""

from PySide6.QtCore import QObject, Signal

from ..session.debounce import Debounce

_MOST = 100
View = tuple[float, ...]
"""Low and high on the time axis, or the numbers of a camera."""


class ViewHistory(QObject):
    """The parts that were in sight, in the order of time.

    Signals:
        changed(): Another part is in sight.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views: list[View] = []
        self._index = -1
        self._present: View | None = None
        self._debounce = Debounce(self, self._remember)

    @property
    def can_go_back(self) -> bool:
        """Whether there is an earlier part."""
        return self._index > 0 or (self._index == 0 and self._is_new())

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a later part."""
        return self._index < len(self._views) - 1 and not self._is_new()

    def clear(self) -> None:
        """Forget all parts."""
        self._debounce.stop()
        self._views = []
        self._index = -1
        self._present = None
        self.changed.emit()

    def note(self, *view: float, at_once: bool = False) -> None:
        """Note that a part is in sight; it is remembered when it stays so for a moment, or `at_once`."""
        self._present = view
        if self._index < 0 or at_once:
            self._remember()
        elif self._is_new():
            self._debounce.begin()
        else:
            self._debounce.stop()
        self.changed.emit()

    def step(self, by: int) -> View | None:
        """Return the part before (-1) or after (1) the present one; None where there is none."""
        self._remember()
        if not 0 <= self._index + by < len(self._views):
            return None
        self._index += by
        self._present = self._views[self._index]
        self.changed.emit()
        return self._present

    def _is_new(self) -> bool:
        """Return whether the part in sight is not remembered yet."""
        if self._present is None:
            return False
        return self._index < 0 or self._views[self._index] != self._present

    def _remember(self) -> None:
        """Remember the part in sight, behind the ones before it; later ones are forgotten."""
        self._debounce.stop()
        if self._present is not None and self._is_new():
            del self._views[self._index + 1 :]
            self._views.append(self._present)
            del self._views[:-_MOST]
            self._index = len(self._views) - 1
            self.changed.emit()
