"""Runs the same work for many items: in this process, in several, or on a Dask cluster.

A failure becomes the outcome of its item, and does not stop the others.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Generic, TypeVar

from ..analysis.libraries import AnalysisError, library
from ..errors import RecorderError, error_sentence
from ..termination import initialize_worker
from ..texts import say

MEMORY_PER_WORKER = 2 << 30
"""Bytes that a recording of 2 million rows needs."""

_CONNECTING = "10s"
_MEMORY_INFO = Path("/proc/meminfo")
_MEMORY_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))

Item = TypeVar("Item")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Item, T]):
    """The outcome of one item: its result, or an error message."""

    item: Item
    result: T | None = None
    error: str | None = None


Outcomes = Generator[Outcome[Item, T], None, None]


def run_many(
    work: Callable[[Item], T], items: Sequence[Item], workers: int = 1, cluster: str | None = None
) -> Outcomes[Item, T]:
    """Run the work for all items; yields outcomes as they complete.

    With one worker it runs in this process and in order, with more in processes, and with `cluster`, the address of a
    Dask scheduler, there; then work and items have to be picklable. Raises `AnalysisError` without a scheduler.
    """
    if cluster is not None:
        return _run_on_cluster(work, items, cluster)
    if min(workers, len(items)) > 1:
        return _run_in_processes(work, items, workers)
    return (Outcome(item, *_attempt(work, item)) for item in items)


def _attempt(work: Callable[[Item], T], item: Item) -> tuple[T | None, str | None]:
    """The result of the work, or an error message."""
    try:
        return work(item), None
    except (RecorderError, OSError) as error:
        return None, error_sentence(error)
    except MemoryError:
        return None, say("There was not enough memory; use fewer workers.")


def _run_in_processes(work: Callable[[Item], T], items: Sequence[Item], workers: int) -> Outcomes[Item, T]:
    # Each process has a pipe of its own: a lock that they share would stay held by one that a signal ends. They are
    # spawned, since polars keeps threads, whose locks a fork would leave held.
    context = get_context("spawn")
    waiting = deque(items)
    is_deaf = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    running: dict[Connection, Item] = {}
    started: dict[Connection, SpawnProcess] = {}

    def give(pipe: Connection) -> None:
        running[pipe] = waiting.popleft()
        with suppress(OSError):  # it has ended, which is seen when it should answer
            pipe.send((work, running[pipe]))

    try:
        while waiting or running:
            while waiting and len(running) < workers:
                pipe, other_end = context.Pipe()
                process = context.Process(target=_serve, args=(other_end, workers, is_deaf))
                with _ignore_interrupts():
                    process.start()
                started[pipe] = process
                other_end.close()
                give(pipe)
            answers = wait(list(running))
            for pipe in [each for each in running if each in answers]:
                item = running.pop(pipe)
                try:
                    outcome = Outcome(item, *pipe.recv())
                except (EOFError, OSError):
                    started[pipe].join()  # now its files are closed
                    outcome = Outcome(
                        item, error=say("A worker process ended, perhaps for lack of memory; use fewer workers.")
                    )
                else:
                    if waiting:
                        give(pipe)
                yield outcome
    finally:
        for pipe in started:
            pipe.close()
        for process in started.values():
            process.join()


def _serve(pipe: Connection, workers: int, is_deaf: bool) -> None:
    """Do the work that comes through a pipe, until it is closed or a signal comes; Ctrl+C only if it is not deaf."""
    # polars reads the variable when it is imported
    os.environ.setdefault("POLARS_MAX_THREADS", str(max(1, usable_cores() // workers)))
    with suppress(KeyboardInterrupt, EOFError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN if is_deaf else signal.default_int_handler)
        initialize_worker()
        while True:
            pipe.send(_attempt(*pipe.recv()))
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl+C, also in processes started meanwhile, until they have their own handlers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _run_on_cluster(work: Callable[[Item], T], items: Sequence[Item], address: str) -> Outcomes[Item, T]:
    distributed = library("distributed", "dask")
    try:
        distributed.comm.get_address_host_port(address)  # a client of what is no address takes long to end
        client = distributed.Client(address, timeout=_CONNECTING, set_as_default=False)
    except (OSError, ValueError):
        raise AnalysisError(say("No Dask scheduler answers at {address}.", address=address)) from None
    with client:
        futures = {}
        for item in items:
            futures[client.submit(_attempt, work, item, pure=False)] = item
        for future in distributed.as_completed(futures, loop=client.loop):
            if future.status == "finished":
                yield Outcome(futures[future], *future.result())
            else:
                reason = future.exception() or future.status
                yield Outcome(futures[future], error=say("The cluster failed: {reason}.", reason=reason))


# --- number of workers ------------------------------------------------------------------------------------


def workers_for(recordings: int, memory: int | None) -> int:
    """The number of workers for so many recordings and bytes of memory (None: unknown), at most one a core."""
    if memory is None:
        most = recordings
    else:
        most = min(recordings, memory // MEMORY_PER_WORKER)
    return max(1, min(usable_cores(), most))


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory() -> int | None:
    """Available bytes of memory, None if unknown."""
    found = []
    for each in (_available(), *map(_limit, _MEMORY_LIMITS)):
        if each is not None:
            found.append(each)
    if found:
        return min(found)
    return None


def _available() -> int | None:
    try:
        lines = _MEMORY_INFO.read_text(encoding="ascii").splitlines()
    except OSError:
        return _physical()
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")), None)


def _physical() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _limit(path: Path) -> int | None:
    """The memory limit of a container, None without one."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError:
        return None
    if text.isdigit():
        return int(text)
    return None
