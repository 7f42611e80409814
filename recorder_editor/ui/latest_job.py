"""A job of which only the newest request counts."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from .jobs import SECONDS_TO_STOP, Job, Jobs, Work
from .rest import Rest


class LatestJob(QObject):
    """Runs the newest request after a pause and cancels the one before; only the newest one's handler is called.

    `request` is called when the pause is over: it reads what is wanted then, and hands the work to `run`. Without one,
    `run` is called at once by whoever wants something.
    """

    def __init__(self, parent: QObject, jobs: Jobs, request: Callable[[], None] = lambda: None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._request = request
        self._rest = Rest(self, request)
        self._job: Job | None = None
        self._threads: list[Job] = []  # with those that were cancelled and have not ended yet

    @property
    def is_running(self) -> bool:
        """The work of a request has begun and is not over."""
        return self._job is not None

    @property
    def is_pending(self) -> bool:
        """A request waits or is at work: what was found last is not the answer to it."""
        return self.is_running or self._rest.isActive()

    def begin(self, *, at_once: bool = False, opening: bool = False) -> None:
        """Request after the pause that `Rest.begin` says; work that runs goes on so long."""
        self._rest.begin(at_once=at_once, opening=opening)

    def now(self) -> None:
        """Request without a pause."""
        self.cancel()
        self._request()

    def run(
        self,
        title: str,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
        *,
        quiet: bool = True,
    ) -> Job:
        """Start this work in place of what runs; `done(result)` or `failed(error)` follow in the window's thread."""
        self.cancel()
        handle_error = failed or self._jobs.failed.emit

        def finish(result: Any) -> None:
            self._job = None
            done(result)

        def give_up(error: Exception) -> None:
            self._job = None
            handle_error(error)

        job = self._job = self._jobs.start(title, work, finish, give_up, quiet=quiet)
        self._threads.append(job)
        job.ended.connect(lambda: self._forget(job))
        return job

    def cancel(self) -> None:
        """Give up the request: no handler is called any more. The thread may run on for a moment."""
        self._rest.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def stop(self) -> None:
        """Cancel, and wait for all of its threads: what they read from is about to be closed."""
        self.cancel()
        for job in self._threads:
            job.wait(SECONDS_TO_STOP)

    def _forget(self, job: Job) -> None:
        self._threads.remove(job)
        if self._job is job:  # cancelled by somebody else: no handler was called
            self._job = None
