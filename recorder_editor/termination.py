"""SIGTERM and SIGHUP end the program as Ctrl+C does: it unwinds, and leaves nothing behind that it made on its way."""

import os
import signal
import sys
from threading import Thread
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_SECONDS_UNTIL_ASKED_AGAIN = 0.05


class Terminated(KeyboardInterrupt):
    """The process was asked to end. Attribute: `number` (of the signal)."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def end(self) -> int:
        """The exit code; from now on these signals change nothing any more."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        return exit_code(self.number)


def exit_code(number: int) -> int:
    """What shells say of a process that a signal ended: 128 and its number."""
    return 128 + number


def unwind_on_signals() -> None:
    """Raise `Terminated` in the main thread for these signals, which processes started from here get as well.

    Call it in the main thread. A signal that is ignored, as `nohup` has it, stays ignored.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _unwind)


def begin_worker() -> None:
    """What a process does first that works for another: it unwinds on signals, too, and ends when the other is gone.

    However that ended: nothing else would tell a worker that nobody will ever give it work again.
    """
    from multiprocessing import parent_process

    unwind_on_signals()
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)  # what it leaves is swept, as that of the other one


def _unwind(number: int, frame: FrameType | None) -> None:
    if _is_unwinding():  # one is enough: another one would stop the cleaning up
        return
    workers = sys.modules.get("multiprocessing")
    for worker in workers.active_children() if workers is not None else ():
        if worker.pid is not None:
            os.kill(worker.pid, number)
    is_worker = workers is not None and workers.parent_process() is not None
    if hasattr(signal, "setitimer") and not is_worker:
        # What is raised while a weak reference or an object dies is lost, as happens during imports.
        signal.signal(signal.SIGALRM, lambda _, later: _unwind(number, later))
        signal.setitimer(signal.ITIMER_REAL, _SECONDS_UNTIL_ASKED_AGAIN)
        if frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
            return
    raise Terminated(number)


def _is_unwinding() -> bool:
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, Terminated):
        error = error.__context__
    return error is not None
