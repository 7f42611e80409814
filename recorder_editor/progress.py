"""How far a long function has come, and whether it shall end: the one object it takes for both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from .errors import Cancelled

__all__ = ["SILENT", "Progress", "Report"]

Report = Callable[[int, int], None]
"""Called with how much is done and how much there is, in any unit; both are at least 0."""

_Item = TypeVar("_Item")


class Progress:
    """Reports how far a job has come, and raises `Cancelled` once somebody asked it to end.

    Both functions may be called from any thread. Without them nothing is reported, and nothing ends early.
    """

    __slots__ = ("_is_cancelled", "_report")

    def __init__(self, report: Report | None = None, is_cancelled: Callable[[], bool] | None = None) -> None:
        self._report = report
        self._is_cancelled = is_cancelled

    @property
    def is_cancelled(self) -> bool:
        """Somebody asked the job to end."""
        return self._is_cancelled is not None and self._is_cancelled()

    def check(self) -> None:
        """Raise `Cancelled` if the job shall end."""
        if self.is_cancelled:
            raise Cancelled

    def update(self, done: int, total: int) -> None:
        """Report that `done` of `total` are done. Raises `Cancelled` if the job shall end."""
        self.check()
        if self._report is not None:
            self._report(done, total)

    def __call__(self, done: int, total: int) -> None:
        """As `update`, for functions that still take a callable."""
        self.update(done, total)

    def over(self, items: Sequence[_Item], every: int = 1) -> Iterator[_Item]:
        """The items, with an `update` before each `every`-th and one at the end. Raises `Cancelled`."""
        for done, item in enumerate(items):
            if done % every == 0:
                self.update(done, len(items))
            yield item
        self.update(len(items), len(items))

    def quiet(self) -> Progress:
        """The same job for work that is not counted: nothing is reported, `Cancelled` is raised as here."""
        return Progress(None, self._is_cancelled)

    def part(self, begin: float, end: float) -> Progress:
        """The progress of one part of the job, which takes from `begin` to `end` of the whole (0 to 1)."""
        report = self._report
        if report is None:
            return self

        def partly(done: int, total: int) -> None:
            report(round(_STEPS * (begin + (end - begin) * (done / total if total else 1))), _STEPS)

        return Progress(partly, self._is_cancelled)

    def parts(self, items: Sequence[_Item]) -> Iterator[tuple[_Item, Progress]]:
        """The items, each with the progress of its part of the job; all parts are of one size."""
        for number, item in enumerate(items):
            yield item, self.part(number / len(items), (number + 1) / len(items))


_STEPS: Final = 10_000  # what a part counts in

SILENT: Final = Progress()
"""Reports to nobody and is never cancelled: the default where a function takes a `Progress`."""
