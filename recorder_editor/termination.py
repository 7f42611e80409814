"""SIGTERM and SIGHUP unwind the program as Ctrl+C does, so that temporary files are removed.

After Ctrl+C the process ends by SIGINT itself, as shells expect it of one that a loop is to end with.
"""

import atexit
import os
import signal
import sys
from contextlib import suppress
from threading import Thread
from types import FrameType

SIGNALS = tuple(signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__)
"""The signals to end; Windows has no SIGHUP."""

ENDS_BY_SIGNALS = os.name == "posix"
"""Whether a process can end by a signal, which others see; Windows has exit codes alone."""

_RETRY_SECONDS = 0.05


class Terminated(KeyboardInterrupt):
    """The process got a signal to end.

    Attributes:
        number: The number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def end(self) -> int:
        """Ignore these signals from now on.

        Returns:
            The exit code of the process.
        """
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        return exit_code(self.number)


def exit_code(number: int) -> int:
    """The exit code of a process that a signal ended, by the convention of shells: 128 + number."""
    return 128 + number


INTERRUPTED = exit_code(signal.SIGINT)
"""The exit code after Ctrl+C."""


class Ending:
    """The end of this process: with its exit code, or by a signal after all that is done at exit.

    Make it before others register with `atexit`, which begins with what was registered last.
    """

    def __init__(self) -> None:
        self._number: int | None = None
        atexit.register(self._end)

    def end_by(self, number: int) -> None:
        """Let the process end by this signal when it exits, and ignore the signal until then."""
        self._number = number
        signal.signal(number, signal.SIG_IGN)

    def _end(self) -> None:
        if self._number is None or not ENDS_BY_SIGNALS:
            return
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # closed by the parent process
                with suppress(OSError, ValueError):
                    stream.flush()
        signal.signal(self._number, signal.SIG_DFL)
        os.kill(os.getpid(), self._number)


def unwind_on_signals() -> None:
    """Raise `Terminated` in the main thread on these signals, and pass them on to worker processes.

    Call it in the main thread. A signal that is ignored, as by `nohup`, stays ignored.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _unwind)


def initialize_worker() -> None:
    """Let a worker process unwind on signals, and exit when its parent process ends in any way."""
    from multiprocessing import parent_process

    unwind_on_signals()
    parent = parent_process()
    if parent is not None:
        Thread(target=_exit_with, args=(parent.sentinel,), daemon=True).start()


def _exit_with(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)  # its temporary files are removed at the next start


def _unwind(number: int, frame: FrameType | None) -> None:
    if _is_unwinding():  # another one would interrupt the cleaning up
        return
    is_worker = False
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None:
        is_worker = multiprocessing.parent_process() is not None
        for worker in multiprocessing.active_children():
            if worker.pid is not None:
                os.kill(worker.pid, number)
    if hasattr(signal, "setitimer") and not is_worker:
        # Python drops exceptions raised in finalizers and weakref callbacks, as during imports: signal again.
        signal.signal(signal.SIGALRM, lambda _, later: _unwind(number, later))
        signal.setitimer(signal.ITIMER_REAL, _RETRY_SECONDS)
        if frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
            return
    raise Terminated(number)


def _is_unwinding() -> bool:
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, Terminated):
        error = error.__context__
    return error is not None
