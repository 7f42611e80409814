"""SIGTERM and SIGHUP end the program as Ctrl+C does: it unwinds, and leaves nothing behind that it made on its way."""

import os
import signal
import sys
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Terminated(KeyboardInterrupt):
    """The process was asked to end. Attribute: `number` (of the signal)."""

    def __init__(self, number: int) -> None:
        super().__init__(f"Ended by {signal.Signals(number).name}.")
        self.number = number

    @property
    def exit_code(self) -> int:
        """What shells say of a process that such a signal ended."""
        return exit_code(self.number)


def exit_code(number: int) -> int:
    """128 and the number of the signal."""
    return 128 + number


def unwind_on_signals() -> None:
    """Raise `Terminated` in the main thread for these signals, which processes started from here get as well.

    Call it in the main thread. A signal that is ignored, as `nohup` has it, stays ignored.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _unwind)


def _unwind(number: int, _: FrameType | None) -> None:
    for each in SIGNALS:  # one is enough: a second one would stop the cleaning up
        signal.signal(each, signal.SIG_IGN)
    workers = sys.modules.get("multiprocessing")
    for worker in workers.active_children() if workers is not None else ():
        if worker.pid is not None:
            os.kill(worker.pid, number)
    raise Terminated(number)
