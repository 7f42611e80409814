"""When to begin what is not worth beginning while somebody still types, drags or edits."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

MS_OF_REST = 250
MS_UNTIL_PAINTED = 20
MS_OF_OPENING = 100
"""A thread that runs Python beside the first picture of a recording would hold it up."""


class Rest(QTimer):
    """Calls `then` once nothing has begun it anew for a moment."""

    def __init__(self, parent: QObject, then: Callable[[], object], milliseconds: int = 0) -> None:
        """With `start()` it waits the milliseconds given here."""
        super().__init__(parent, singleShot=True, interval=milliseconds)
        self.timeout.connect(then)

    def begin(self, *, at_once: bool = False, opening: bool = False) -> None:
        """Wait from now on, or with `at_once` only until a view has been painted, or `opening` until all are."""
        self.start(MS_OF_OPENING if opening else MS_UNTIL_PAINTED if at_once else MS_OF_REST)
