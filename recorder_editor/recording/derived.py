"""What was computed from the states of a recording, kept for as long as somebody may want it again.

A snapshot hands its cache on to the states that follow it: what is known of the next one is computed from what is known
of the one before. Whether something is found here changes the time a call takes, and nothing else.
"""

from threading import Lock
from typing import Any, TypeVar, cast

_MOST = 2
"""Values of a kind: those of the present state and of the one before, which a preview or an undo goes back to."""

T = TypeVar("T")


class Derived:
    """The values computed last, by their class. Any thread may use it."""

    def __init__(self) -> None:
        self._values: dict[type[Any], tuple[Any, ...]] = {}
        self._lock = Lock()

    def newest(self, kind: type[T]) -> tuple[T, ...]:
        """The values of a class, newest first."""
        return cast("tuple[T, ...]", self._values.get(kind, ()))

    def keep(self, value: object) -> None:
        """Keep a value; the oldest one of its class goes."""
        with self._lock:
            kind = type(value)
            self._values[kind] = (value, *self._values.get(kind, ()))[:_MOST]
