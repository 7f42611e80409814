"""A cache of values derived from snapshots, as `Actors`.

A snapshot shares its cache with the following ones, whose values are computed from the earlier ones. The cache affects
only speed.
"""

from threading import Lock
from typing import Any, TypeVar, cast

_MOST = 2
"""Values per class: of the current state and the one before, to which a preview or an undo returns."""

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
        """Add a value; the oldest one of its class is dropped."""
        with self._lock:
            kind = type(value)
            self._values[kind] = (value, *self._values.get(kind, ()))[:_MOST]
