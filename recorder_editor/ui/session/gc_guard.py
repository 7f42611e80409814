"""Garbage is collected in the window's thread only; memory that large jobs leave goes back to the system.

Python collects cycles in whichever thread happens to allocate next. Cycles of this program hold Qt objects, and a Qt
object that is destroyed by a job's thread takes the program along. So automatic collection is off while there is a
window, and a timer does it.
"""

import ctypes
import gc
import sys

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from .debounce import Debounce

_MS = 250
_NAME = "garbage collector"


class GcGuard(QObject):
    """Collects garbage by a timer, by the thresholds of the interpreter."""

    def __init__(self, application: QCoreApplication) -> None:
        super().__init__(application)
        self.setObjectName(_NAME)
        self._timer = QTimer(self, interval=_MS)
        self._timer.timeout.connect(self.collect)
        # Collecting would delay the first picture.
        Debounce(self, self._timer.start).begin(opening=True)
        gc.disable()
        # The loaded modules stay: to look through them takes longer than through all objects that come later.
        gc.freeze()

    @classmethod
    def install(cls) -> None:
        """Make one for the application, unless it has one; without an application do nothing."""
        application = QCoreApplication.instance()
        if application is not None and application.findChild(QObject, _NAME) is None:
            cls(application)

    def collect(self) -> None:
        """Collect the oldest generation that is over its threshold."""
        counts = gc.get_count()
        thresholds = gc.get_threshold()
        for generation in (2, 1, 0):
            if counts[generation] > thresholds[generation]:
                gc.collect(generation)
                return


def trim_heap() -> None:
    """Return freed memory to the system, in any thread: the C library of Linux keeps most of it otherwise."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not in every C library
        if trim is not None:
            trim(0)
