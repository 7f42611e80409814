"""Long work beside the window: a thread, its progress, one path for errors; jobs of which only the newest counts.

A job works on a snapshot and returns a value, which its handler gets in the window's own thread. Work that loops in
Python over many frames keeps the interpreter busy: let it call `progress.check` often, or run it in a process.

No signal crosses threads: a thread writes into a plain queue, and a timer of the window reads it. A window may be
closed while its threads still work, and a signal of an object that is being destroyed would crash the program.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from ...errors import Cancelled
from ...progress import Progress
from .debounce import Debounce
from .gc_guard import GcGuard, trim_heap

Result = TypeVar("Result")

Work = Callable[[Progress], Result]
Done = Callable[[Result], None]
Failed = Callable[[Exception], None]

SECONDS_TO_STOP = 5.0
"""How long to wait for a thread to stop before the window goes on without it."""

_SECONDS_BETWEEN_REPORTS = 0.05
_MS_BETWEEN_POLLS = 15
_SECONDS_OF_A_LARGE_JOB = 1.0
_SECONDS_OF_A_RATE = 10.0
_FEWEST_REPORTS = 8
_SECONDS_OF_DOUBT = 2.0


class Notifier:
    """Calls functions when something happens to a job, in the window's thread.

    Methods of a Qt object that was destroyed meanwhile are left out, also where they were given arguments by `partial`.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[[], object]] = []

    def connect(self, listener: Callable[[], object]) -> None:
        """Call a function from now on."""
        self._listeners.append(listener)

    def emit(self) -> None:
        """Call the functions that were connected."""
        for listener in tuple(self._listeners):
            method = listener.func if isinstance(listener, partial) else listener
            receiver = getattr(method, "__self__", None)
            if not isinstance(receiver, QObject) or isValid(receiver):
                listener()


class TimeLeft:
    """How long work will take by its rate over the last seconds: a countdown that is set anew where it is far off."""

    def __init__(self, now: float) -> None:
        self._reports: deque[tuple[float, float]] = deque([(now, 0.0)])  # times (s) and shares done
        self._end: float | None = None

    def after(self, share: float, now: float) -> float | None:
        """Return how long the work will take from now on.

        Args:
            share: How much of it is done, 0 to 1.
            now: The time, s.

        Returns:
            Seconds; None while unknown.
        """
        reports = self._reports
        if share > reports[-1][1]:
            reports.append((now, share))
            while len(reports) > _FEWEST_REPORTS and reports[1][0] <= now - _SECONDS_OF_A_RATE:
                reports.popleft()
            spent = now - reports[0][0]
            done = share - reports[0][1]
            left = spent * (1 - share) / done
            if spent >= 1 and self._is_far_off(left, now):
                self._end = now + left
        first_time = reports[0][0]
        last_time = reports[-1][0]
        stands_still = now - last_time > max(1.0, last_time - first_time)
        if self._end is None or stands_still:
            return None
        return max(0.0, self._end - now)

    def _is_far_off(self, left: float, now: float) -> bool:
        """Return whether the countdown is to be set anew, by the seconds that are left."""
        if self._end is None:
            return True
        return abs(self._end - now - left) > max(_SECONDS_OF_DOUBT, left / 4)


class _Returned(NamedTuple):
    """What the work has returned."""

    value: object


_Messages = SimpleQueue[float | Exception | _Returned]
"""What a thread reports: the share that is done, and at last why it failed or what it returned."""


class Job:
    """One piece of work; no Qt object, so that it may outlive its window.

    While it reports that nothing is done it gets ready, which does not tell how long the rest will take.

    Attributes:
        title: What the job does, for people.
        quiet: It is not shown unless it takes long.
        share: How much is done, 0 to 1; None while unknown.
        seconds_left: None while unknown.
        has_ended: Its thread has ended, and its handlers ran, also where one of them raised.
        progressed: Emitted after each report.
        ended: Emitted after the handlers ran.
    """

    def __init__(self, title: str, work: Work[Result], done: Done[Result], failed: Failed, quiet: bool) -> None:
        self.title = title
        self.quiet = quiet
        self.share: float | None = None
        self.seconds_left: float | None = None
        self.has_ended = False
        self.progressed = Notifier()
        self.ended = Notifier()
        self._done: Done[Any] = done
        self._failed = failed
        self._cancel = threading.Event()
        self._reported = time.monotonic()
        self._time_left = TimeLeft(self._reported)
        self._messages: _Messages = SimpleQueue()
        arguments = (work, self._messages, self._cancel)
        self._thread = threading.Thread(target=_run, args=arguments, name=title, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def cancel(self) -> None:
        """Ask the work to stop; neither handler is called afterwards."""
        self._cancel.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._cancel.is_set()

    def wait(self, seconds: float) -> bool:
        """Block until the thread ends; False when it still runs after `seconds`."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def poll(self) -> None:
        """Read the messages of the thread, and call a handler where it has ended."""
        while True:
            try:
                message = self._messages.get_nowait()
            except Empty:
                if self.share is not None and time.monotonic() - self._reported >= 1:
                    self._report(self.share)
                return
            if isinstance(message, float):
                if not message:
                    self._time_left = TimeLeft(time.monotonic())
                self._report(message)
                continue
            try:
                self._handle(message)
            finally:
                self.has_ended = True
                self.ended.emit()
            return

    def _handle(self, message: _Returned | Exception) -> None:
        """Call the handler of what the thread ended with; a job that was cancelled has none."""
        if self.is_cancelled:
            return
        if isinstance(message, _Returned):
            self._done(message.value)
        elif not isinstance(message, Cancelled):
            self._failed(message)

    def _report(self, share: float) -> None:
        self.share = share
        self._reported = time.monotonic()
        self.seconds_left = self._time_left.after(share, self._reported)
        self.progressed.emit()


def _run(work: Work[object], messages: _Messages, cancel: threading.Event) -> None:
    """Do the work, in its thread; no object of the window is used."""
    began = time.monotonic()
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _SECONDS_BETWEEN_REPORTS or done >= total:
            last = now
            messages.put(done / total if total > 0 else 1.0)

    try:
        messages.put(_Returned(work(Progress(report, cancel.is_set))))
    except Exception as error:  # noqa: BLE001 - any error is handled in the window's thread
        messages.put(error)
    if time.monotonic() - began > _SECONDS_OF_A_LARGE_JOB:
        trim_heap()


class Jobs(QObject):
    """The jobs of a window.

    Signals:
        changed(): One of them began or ended; what it reports meanwhile is told by itself.
        failed(Exception): A job without a handler of its own has failed.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        GcGuard.install()
        self._running: list[Job] = []
        self._timer = QTimer(self, interval=_MS_BETWEEN_POLLS)
        self._timer.timeout.connect(self._poll)

    @property
    def running(self) -> tuple[Job, ...]:
        """The jobs that have not ended, oldest first."""
        return tuple(self._running)

    def start(
        self, title: str, work: Work[Result], done: Done[Result], failed: Failed | None = None, *, quiet: bool = False
    ) -> Job:
        """Run work in a thread.

        Args:
            title: What the job does, for people.
            work: Is called with a `Progress`, in the thread.
            done: Is called with what it returned, in the window's thread.
            failed: Is called with the error instead; None: the signal `failed`.
            quiet: Show the job only where it takes long.
        """
        job = Job(title=title, work=work, done=done, failed=failed or self.failed.emit, quiet=quiet)
        self._running.append(job)
        job.start()
        self._timer.start()
        self.changed.emit()
        return job

    def cancel_all(self, seconds: float = SECONDS_TO_STOP) -> None:
        """Cancel all jobs and wait for their threads: what they read is about to be closed."""
        for job in self._running:
            job.cancel()
        for job in self._running:
            job.wait(seconds)

    def _poll(self) -> None:
        for job in self.running:
            try:
                job.poll()
            finally:
                if job.has_ended:
                    self._remove(job)

    def _remove(self, job: Job) -> None:
        """Take a job from those that run, unless an event loop in one of its handlers did that."""
        if job not in self._running:
            return
        self._running.remove(job)
        if not self._running:
            self._timer.stop()
        self.changed.emit()


class LatestJob(QObject):
    """Runs the newest request after a pause and cancels the one before; only the newest one's handler is called."""

    def __init__(self, parent: QObject, jobs: Jobs, request: Callable[[], None] = lambda: None) -> None:
        """Make one that runs nothing yet.

        Args:
            parent: The object that it ends with.
            jobs: The jobs of the window.
            request: Is called when the pause after `begin` is over; it reads what is wanted then, and calls `run`.
        """
        super().__init__(parent)
        self._jobs = jobs
        self._request = request
        self._debounce = Debounce(self, request)
        self._job: Job | None = None
        self._threads: list[Job] = []  # with those that were cancelled and have not ended yet

    @property
    def is_running(self) -> bool:
        """Whether the work of a request has begun and is not over."""
        return self._job is not None

    @property
    def is_pending(self) -> bool:
        """Whether a request waits or is at work: the last result is not the answer to it."""
        return self.is_running or self._debounce.isActive()

    def begin(self, *, at_once: bool = False, opening: bool = False) -> None:
        """Request after the pause of `Debounce.begin`; until then work that runs goes on."""
        self._debounce.begin(at_once=at_once, opening=opening)

    def run(
        self, title: str, work: Work[Result], done: Done[Result], failed: Failed | None = None, *, quiet: bool = True
    ) -> Job:
        """Start work in place of what runs; the arguments are those of `Jobs.start`."""
        self.cancel()
        handle_error = failed or self._jobs.failed.emit

        def finish(result: Result) -> None:
            self._job = None
            done(result)

        def give_up(error: Exception) -> None:
            self._job = None
            handle_error(error)

        job = self._jobs.start(title, work=work, done=finish, failed=give_up, quiet=quiet)
        self._job = job
        self._threads.append(job)
        job.ended.connect(partial(self._forget, job))
        return job

    def cancel(self) -> None:
        """Drop the request: no handler is called any more. The thread may run on for a moment."""
        self._debounce.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def stop(self) -> None:
        """Cancel, and wait for all of its threads: what they read is about to be closed."""
        self.cancel()
        for job in self._threads:
            job.wait(SECONDS_TO_STOP)

    def _forget(self, job: Job) -> None:
        self._threads.remove(job)
        if self._job is job:  # cancelled through `Jobs`: no handler was called
            self._job = None
