"""Progress reporting and cancellation of long functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from .errors import Cancelled

__all__ = ["SILENT", "Progress", "Report"]

Report = Callable[[int, int], None]
"""Called with the amount done and the total, in any unit; both are at least 0."""

_Item = TypeVar("_Item")


class Progress:
    """Reports the progress of a job, and raises `Cancelled` once it is cancelled.

    `report` and `is_cancelled` may be called from any thread; without them nothing is reported or cancelled.
    """

    __slots__ = ("_is_cancelled", "_report")

    def __init__(self, report: Report | None = None, is_cancelled: Callable[[], bool] | None = None) -> None:
        self._report = report
        self._is_cancelled = is_cancelled

    @property
    def is_cancelled(self) -> bool:
        """The job was cancelled."""
        return self._is_cancelled is not None and self._is_cancelled()

    def check(self) -> None:
        """Raise `Cancelled` if the job was cancelled."""
        if self.is_cancelled:
            raise Cancelled

    def update(self, done: int, total: int) -> None:
        """Report progress.

        Args:
            done: The amount that is done, at least 0, in any unit.
            total: The whole amount, in the same unit.

        Raises:
            Cancelled: The job was cancelled.
        """
        self.check()
        if self._report is not None:
            self._report(done, total)

    def over(self, items: Sequence[_Item], every: int = 1) -> Iterator[_Item]:
        """Yield items and report the progress, which counts them.

        Args:
            items: The items.
            every: It is reported before each item of so many, and at the end.

        Raises:
            Cancelled: The job was cancelled.
        """
        for done, item in enumerate(items):
            if done % every == 0:
                self.update(done, len(items))
            yield item
        self.update(len(items), len(items))

    def quiet(self) -> Progress:
        """A progress that reports nothing, but is cancelled with this one."""
        return Progress(None, self._is_cancelled)

    def part(self, begin: float, end: float) -> Progress:
        """The progress of a part of the job.

        Args:
            begin: Where the part begins in the whole, 0 to 1.
            end: Where it ends, 0 to 1.
        """
        report = self._report
        if report is None:
            return self

        def report_part(done: int, total: int) -> None:
            share = 1.0
            if total:
                share = done / total
            report(round(_STEPS * (begin + (end - begin) * share)), _STEPS)

        return Progress(report_part, self._is_cancelled)

    def parts(self, items: Sequence[_Item]) -> Iterator[tuple[_Item, Progress]]:
        """The items, each with the progress of an equal part of the job."""
        for number, item in enumerate(items):
            yield item, self.part(number / len(items), (number + 1) / len(items))


_STEPS: Final = 10_000  # resolution of a part

SILENT: Final = Progress()
"""Reports nothing and is never cancelled: the default where a function takes a `Progress`."""
