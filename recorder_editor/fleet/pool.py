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
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import SimpleQueue
from typing import Generic, NamedTuple, TypeVar

from ..analysis.libraries import AnalysisError, library
from ..errors import RecorderError, error_sentence
from ..format.packet_file import PacketFile
from ..recording.packet_search import given, using
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
    """The outcome of one item.

    Attributes:
        item: The item.
        result: The result; None after an error.
        error: The message of the error; None without one.
    """

    item: Item
    result: T | None = None
    error: str | None = None


Outcomes = Generator[Outcome[Item, T], None, None]


def run_many(
    work: Callable[[Item], T],
    items: Sequence[Item],
    workers: int = 1,
    cluster: str | None = None,
    *,
    works_here: bool = False,
    libraries: Sequence[str] = (),
) -> Outcomes[Item, T]:
    """Run the work for all items, and yield outcomes as they complete.

    Args:
        work: What is done with an item; picklable unless it runs in this process.
        items: The items; likewise.
        workers: With one the work runs in this process and in order, with more also in other processes.
        cluster: The address of a Dask scheduler, where the work runs; None: here.
        works_here: With more than one worker this process is one of them: work that is done before others are ready
            takes no longer for them. Not for work that may end its process, nor beside a window.
        libraries: What the work imports when it needs it: another process has it before it takes an item.

    Raises:
        AnalysisError: No scheduler answers.
    """
    if cluster is not None:
        return _run_on_cluster(partial(_with_packets, work, given()), items, cluster)
    if min(workers, len(items)) > 1:
        packed = partial(_with_packets, work, given())
        return _run_in_processes(packed, items, workers, works_here=works_here, libraries=libraries)
    return (_attempt(work, item) for item in items)


def _with_packets(work: Callable[[Item], T], files: tuple[PacketFile, ...], item: Item) -> T:
    """Do the work for an item in another process with the files of packets that are used in this one."""
    with using(files):
        return work(item)


def _attempt(work: Callable[[Item], T], item: Item) -> Outcome[Item, T]:
    """Do the work for an item."""
    try:
        return Outcome(item, result=work(item))
    except (RecorderError, OSError) as error:
        return Outcome(item, error=error_sentence(error))
    except MemoryError:
        return Outcome(item, error=say("There was not enough memory; use fewer workers."))


def _answer(work: Callable[[Item], T], item: Item) -> tuple[T | None, str | None]:
    """Do the work for an item of another process, and return its result or an error message: that has the item."""
    outcome = _attempt(work, item)
    return outcome.result, outcome.error


def _run_in_processes(
    work: Callable[[Item], T], items: Sequence[Item], workers: int, *, works_here: bool, libraries: Sequence[str]
) -> Outcomes[Item, T]:
    is_deaf = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    waiting = deque(items)
    found: SimpleQueue[_Found[Item, T] | Exception] = SimpleQueue()
    started: list[_Worker[Item, T]] = []

    def start() -> None:
        started.append(_Worker(partial(_serve, work, workers, is_deaf, libraries), waiting, found))

    try:
        for _ in range(min(workers, len(items)) - works_here):
            start()
        for _ in items:
            outcome = None
            if works_here and found.empty():
                outcome = _next_outcome(work, waiting)
            if outcome is None:
                answer = found.get()
                if isinstance(answer, Exception):
                    raise answer
                outcome = answer.outcome
                if answer.has_ended and waiting:
                    start()
            yield outcome
    finally:
        waiting.clear()
        for worker in started:
            worker.end()


def _next_outcome(work: Callable[[Item], T], waiting: deque[Item]) -> Outcome[Item, T] | None:
    """Do the work for the next item; None if none is left."""
    try:
        item = waiting.popleft()
    except IndexError:
        return None
    return _attempt(work, item)


class _Found(NamedTuple, Generic[Item, T]):
    """What comes of an item in another process.

    Attributes:
        outcome: Its outcome.
        has_ended: The process has ended with it.
    """

    outcome: Outcome[Item, T]
    has_ended: bool = False


class _Worker(Generic[Item, T]):
    """A process that does the work, and a thread that gives it an item as soon as it has done the one before."""

    def __init__(
        self,
        serve: Callable[[Connection], None],
        waiting: deque[Item],
        found: "SimpleQueue[_Found[Item, T] | Exception]",
    ) -> None:
        """Start both.

        Args:
            serve: What the process runs, with its end of the pipe.
            waiting: The items that nobody has taken yet.
            found: Gets the outcomes.
        """
        # Each process has a pipe of its own: a lock that they share would stay held by one that a signal ends. They
        # are spawned, since polars keeps threads, whose locks a fork would leave held.
        context = get_context("spawn")
        self._pipe, other_end = context.Pipe()
        self._process: SpawnProcess = context.Process(target=serve, args=(other_end,))
        with _ignore_interrupts():
            self._process.start()
        other_end.close()
        self._waiting = waiting
        self._found = found
        self._is_ready = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """End when the present item is done; at once while the process is not ready for one."""
        if not self._is_ready:
            self._process.terminate()
        self._thread.join()
        self._process.join()

    def _run(self) -> None:
        with self._pipe:
            try:
                self._give_items()
            except Exception as error:  # noqa: BLE001 # whoever waits for outcomes has to know
                self._found.put(error)

    def _give_items(self) -> None:
        with suppress(EOFError, OSError):  # it has ended: others take the items
            self._pipe.recv()
            self._is_ready = True
        while self._waiting:
            try:
                item = self._waiting.popleft()
            except IndexError:  # another one was faster
                return
            try:
                self._pipe.send(item)
                result, error = self._pipe.recv()
            except (EOFError, OSError):
                self._process.join()  # now its files are closed
                error = say("A worker process ended, perhaps for lack of memory; use fewer workers.")
                self._found.put(_Found(Outcome(item, error=error), has_ended=True))
                return
            self._found.put(_Found(Outcome(item, result, error)))


def _serve(work: Callable[[Item], T], workers: int, is_deaf: bool, libraries: Sequence[str], pipe: Connection) -> None:
    """Do the work that comes through a pipe, until it is closed or a signal comes; Ctrl+C only if it is not deaf."""
    # polars reads the variable when it is imported
    os.environ.setdefault("POLARS_MAX_THREADS", str(max(1, usable_cores() // workers)))
    with suppress(KeyboardInterrupt, EOFError, OSError):
        if is_deaf:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        else:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        initialize_worker()
        for name in libraries:
            import_module(name)
        pipe.send(None)  # ready
        while True:
            item = pipe.recv()
            pipe.send(_answer(work, item))
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
            futures[client.submit(_answer, work, item, pure=False)] = item
        for future in distributed.as_completed(futures, loop=client.loop):
            if future.status == "finished":
                result, error = future.result()
                yield Outcome(futures[future], result, error)
            else:
                reason = future.exception() or future.status
                yield Outcome(futures[future], error=say("The cluster failed: {reason}.", reason=reason))


# --- number of workers ------------------------------------------------------------------------------------


def workers_for(recordings: int, memory: int | None) -> int:
    """Return the number of workers, at most one a core.

    Args:
        recordings: The number of recordings.
        memory: Bytes that they may take; None: unknown.
    """
    if memory is None:
        most = recordings
    else:
        most = min(recordings, memory // MEMORY_PER_WORKER)
    return max(1, min(usable_cores(), most))


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory() -> int | None:
    """Return the available bytes of memory; None if unknown."""
    sizes = []
    available = _available()
    if available is not None:
        sizes.append(available)
    for path in _MEMORY_LIMITS:
        limit = _limit(path)
        if limit is not None:
            sizes.append(limit)
    return min(sizes, default=None)


def _available() -> int | None:
    try:
        lines = _MEMORY_INFO.read_text(encoding="ascii").splitlines()
    except OSError:
        return _physical()
    for line in lines:
        if line.startswith("MemAvailable:"):
            kilobytes = int(line.split()[1])
            return kilobytes << 10
    return None


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
