"""Long work beside the window: a thread, its progress, one path for errors; jobs of which only the newest counts.

A job works on a snapshot and returns a value; what it hands back arrives in the window's own thread. Work that loops
in Python over many frames keeps the interpreter busy: let it call `progress.check` often, or run it in a process.

No signal crosses threads: a thread writes into a plain queue, and a timer of the window reads it. A window may go while
its threads are still at work, and a signal of an object that is being destroyed would take the program along.
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
"""A thread that has not ended by then is left alone: it would hold up the window."""

_SECONDS_BETWEEN_REPORTS = 0.05
_MS_BETWEEN_LOOKS = 15
_SECONDS_OF_A_LARGE_JOB = 1.0
_SECONDS_OF_A_RATE = 10.0
_FEWEST_REPORTS = 8
_SECONDS_OF_DOUBT = 2.0


class Told:
    """What is called when something happens to a job, in the window's thread.

    Methods of an object of Qt that is gone by then are left out, also where they were given arguments by `partial`.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[[], object]] = []

    def connect(self, listener: Callable[[], object]) -> None:
        """Call this from now on."""
        self._listeners.append(listener)

    def emit(self) -> None:
        """It happened."""
        for listener in tuple(self._listeners):
            method = listener.func if isinstance(listener, partial) else listener
            receiver = getattr(method, "__self__", None)
            if not isinstance(receiver, QObject) or isValid(receiver):
                listener()


class TimeLeft:
    """How long work will take by its rate over the last seconds: a countdown that is set anew where it is far off."""

    def __init__(self, now: float) -> None:
        self._past: deque[tuple[float, float]] = deque([(now, 0.0)])
        self._end: float | None = None

    def after(self, share: float, now: float) -> float | None:
        """Seconds left at `now` with this share done (0 to 1); None while unknown."""
        past = self._past
        if share > past[-1][1]:
            past.append((now, share))
            while len(past) > _FEWEST_REPORTS and past[1][0] <= now - _SECONDS_OF_A_RATE:
                past.popleft()
            spent = now - past[0][0]
            done = share - past[0][1]
            left = spent * (1 - share) / done
            if spent >= 1 and (self._end is None or abs(self._end - now - left) > max(_SECONDS_OF_DOUBT, left / 4)):
                self._end = now + left
        stands_still = now - past[-1][0] > max(1.0, past[-1][0] - past[0][0])
        if self._end is None or stands_still:
            return None
        return max(0.0, self._end - now)


class _Returned(NamedTuple):
    """What the work has returned."""

    value: object


_Messages = SimpleQueue[float | Exception | _Returned]
"""What a thread says: the share that is done, and at last why it failed or what it returned."""


class Job:
    """One piece of work; no Qt object, so that it may outlive the window whose work it does.

    Attributes: `title` (what is going on, for the person), `quiet` (not shown unless it takes long),
    `share` (done, 0 to 1, None while unknown), `seconds_left` (None while unknown), `progressed` and `ended` (after the
    handlers ran), to be connected to.
    """

    def __init__(self, title: str, work: Work[Result], done: Done[Result], failed: Failed, quiet: bool) -> None:
        self.title = title
        self.quiet = quiet
        self.share: float | None = None
        self.seconds_left: float | None = None
        self.progressed = Told()
        self.ended = Told()
        self._done: Done[Any] = done
        self._failed = failed
        self._cancel = threading.Event()
        self._told = time.monotonic()
        self._time_left = TimeLeft(self._told)
        self._messages: _Messages = SimpleQueue()
        arguments = (work, self._messages, self._cancel)
        self._thread = threading.Thread(target=_run, args=arguments, name=title, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Ask the work to stop; neither handler is called afterwards."""
        self._cancel.set()

    @property
    def is_cancelled(self) -> bool:
        """Somebody asked it to stop."""
        return self._cancel.is_set()

    def wait(self, seconds: float) -> bool:
        """Block until the thread is through; False when it still runs after `seconds`."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def look(self) -> bool:
        """Take in what the thread has said since; True when it has ended and its handlers have run."""
        while True:
            try:
                message = self._messages.get_nowait()
            except Empty:
                if self.share is not None and time.monotonic() - self._told >= 1:
                    self._report(self.share)
                return False
            if isinstance(message, float):
                self._report(message)
                continue
            if not self.is_cancelled:
                if isinstance(message, _Returned):
                    self._done(message.value)
                elif not isinstance(message, Cancelled):
                    self._failed(message)
            self.ended.emit()
            return True

    def _report(self, share: float) -> None:
        self.share = share
        self._told = time.monotonic()
        self.seconds_left = self._time_left.after(share, self._told)
        self.progressed.emit()


def _run(work: Work[object], messages: _Messages, cancel: threading.Event) -> None:
    """What the thread does; it knows no object of the window."""
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
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told in the window's thread
        messages.put(error)
    if time.monotonic() - began > _SECONDS_OF_A_LARGE_JOB:
        trim_heap()


class Jobs(QObject):
    """The jobs of a window. Signals: `changed` (one began, reported, ended), `failed` (an error nobody else takes)."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        GcGuard.install()
        self._running: list[Job] = []
        self._timer = QTimer(self, interval=_MS_BETWEEN_LOOKS)
        self._timer.timeout.connect(self._look)

    @property
    def running(self) -> tuple[Job, ...]:
        """The jobs that have not ended, oldest first."""
        return tuple(self._running)

    def start(
        self, title: str, work: Work[Result], done: Done[Result], failed: Failed | None = None, *, quiet: bool = False
    ) -> Job:
        """Run `work(progress)` in a thread; `done(result)` or `failed(error)` follow in the window's thread."""
        job = Job(title, work, done, failed or self.failed.emit, quiet)
        self._running.append(job)
        job.progressed.connect(self._tell)
        job.start()
        self._timer.start()
        self.changed.emit()
        return job

    def _tell(self) -> None:
        self.changed.emit()

    def cancel_all(self, seconds: float = SECONDS_TO_STOP) -> None:
        """Stop everything and wait for the threads: what they read is about to be closed."""
        for job in self._running:
            job.cancel()
        for job in self._running:
            job.wait(seconds)

    def _look(self) -> None:
        for job in self.running:
            if job.look():
                self._running.remove(job)
                self.changed.emit()
        if not self._running:
            self._timer.stop()


class LatestJob(QObject):
    """Runs the newest request after a pause and cancels the one before; only the newest one's handler is called.

    `request` is called when the pause is over: it reads what is wanted then, and hands the work to `run`. Without one,
    `run` is called at once by whoever wants something.
    """

    def __init__(self, parent: QObject, jobs: Jobs, request: Callable[[], None] = lambda: None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._request = request
        self._rest = Debounce(self, request)
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

    def run(
        self, title: str, work: Work[Result], done: Done[Result], failed: Failed | None = None, *, quiet: bool = True
    ) -> Job:
        """Start this work in place of what runs; `done(result)` or `failed(error)` follow in the window's thread."""
        self.cancel()
        handle_error = failed or self._jobs.failed.emit

        def finish(result: Result) -> None:
            self._job = None
            done(result)

        def give_up(error: Exception) -> None:
            self._job = None
            handle_error(error)

        job = self._job = self._jobs.start(title, work, finish, give_up, quiet=quiet)
        self._threads.append(job)
        job.ended.connect(partial(self._forget, job))
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
