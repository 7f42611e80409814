"""The history of zooming and moving: the parts of a recording, or of the world, that were in sight for a moment."""

from PySide6.QtCore import QObject, Signal

from ..session.debounce import Debounce

_MOST = 100
View = tuple[float, ...]


class ViewHistory(QObject):
    """Parts in the order they were seen, as numbers: low and high on the time axis, or a camera. Signal: `changed`."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views: list[View] = []
        self._at = -1
        self._now: View | None = None
        self._rest = Debounce(self, self._settle)

    @property
    def can_go_back(self) -> bool:
        """There is an earlier part."""
        return self._at > 0 or (self._at == 0 and self._is_new())

    @property
    def can_go_forward(self) -> bool:
        """There is a later part."""
        return self._at < len(self._views) - 1 and not self._is_new()

    def clear(self) -> None:
        """Forget all parts."""
        self._rest.stop()
        self._views = []
        self._at = -1
        self._now = None
        self.changed.emit()

    def note(self, *view: float, at_once: bool = False) -> None:
        """This part is in sight; it is remembered when it stays so for a moment, or `at_once`."""
        self._now = view
        if self._at < 0 or at_once:
            self._settle()
        elif self._is_new():
            self._rest.begin()
        else:
            self._rest.stop()
        self.changed.emit()

    def step(self, by: int) -> View | None:
        """The part before (-1) or after (1) the present one; None where there is none."""
        self._settle()
        if not 0 <= self._at + by < len(self._views):
            return None
        self._at += by
        self._now = self._views[self._at]
        self.changed.emit()
        return self._now

    def _is_new(self) -> bool:
        return self._now is not None and (self._at < 0 or self._views[self._at] != self._now)

    def _settle(self) -> None:
        self._rest.stop()
        if self._is_new() and self._now is not None:
            self._views = [*self._views[: self._at + 1], self._now][-_MOST:]
            self._at = len(self._views) - 1
            self.changed.emit()
