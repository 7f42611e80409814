"""Runs the same work for many recordings: in this process, in several, or on a Dask cluster.

A failure becomes the outcome of its recording, and does not stop the others.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Generic, TypeVar

from ..errors import RecorderError, error_sentence, say
from ..progress import SILENT, Progress
from ..termination import initialize_worker
from .libraries import AnalysisError, LibraryMissing, library

MEMORY_PER_WORKER = 2 << 30
"""Bytes that a recording of 2 million rows needs."""

_CONNECTING = "10s"
_MEMORY_INFO = Path("/proc/meminfo")
_MEMORY_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))

T = TypeVar("T")
Work = Callable[..., T]


@dataclass(frozen=True, slots=True)
class FleetOutcome(Generic[T]):
    """The outcome of one recording: its number, and the result or an error message."""

    recording: int
    result: T | None = None
    error: str | None = None


def run_one(work: Work[T], recording: int, progress: Progress = SILENT) -> FleetOutcome[T]:
    """Run the work for one recording; its errors become the outcome, except `LibraryMissing`."""
    try:
        return FleetOutcome(recording, work(recording, progress=progress))
    except LibraryMissing:
        raise
    except RecorderError as error:
        return FleetOutcome(recording, error=str(error))
    except OSError as error:
        return FleetOutcome(recording, error=error_sentence(error))
    except MemoryError:
        return FleetOutcome(recording, error=say("analysis.no_memory"))


def run_sequentially(
    work: Work[T], recordings: Iterable[int], progress: Callable[[int], Progress] = lambda _: SILENT
) -> Iterator[FleetOutcome[T]]:
    """Run the work in this process, in order."""
    for recording in recordings:
        yield run_one(work, recording, progress(recording))


def run_in_processes(work: Work[T], recordings: Sequence[int], workers: int) -> Iterator[FleetOutcome[T]]:
    """Run the work, which has to be picklable, in processes; yields outcomes as they complete."""
    # Spawned, since polars keeps threads, whose locks a fork would leave held.
    pool = ProcessPoolExecutor(min(workers, len(recordings)), get_context("spawn"), _initialize_worker, (workers,))
    with pool:
        futures = {pool.submit(run_one, work, recording): recording for recording in recordings}
        try:
            for future in as_completed(futures):
                try:
                    yield future.result()
                except BrokenExecutor:
                    yield FleetOutcome(futures[future], error=say("analysis.worker_ended"))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def run_on_cluster(work: Work[T], recordings: Sequence[int], address: str) -> Iterator[FleetOutcome[T]]:
    """Run the work on a Dask cluster; yields outcomes as they complete. Raises `AnalysisError` without a scheduler."""
    distributed = library("distributed", "dask")
    try:
        client = distributed.Client(address, timeout=_CONNECTING, set_as_default=False)
    except (OSError, ValueError):
        raise AnalysisError(say("analysis.no_dask", address=address)) from None
    with client:
        futures = {client.submit(run_one, work, recording, pure=False): recording for recording in recordings}
        for future in distributed.as_completed(futures, loop=client.loop):
            if future.status == "finished":
                yield future.result()
            else:
                yield FleetOutcome(
                    futures[future], error=say("analysis.cluster_failed", reason=future.exception() or future.status)
                )


def _initialize_worker(workers: int) -> None:
    """Divide the cores among the workers' threads; polars reads the variable when it is imported."""
    initialize_worker()
    os.environ.setdefault("POLARS_MAX_THREADS", str(max(1, usable_cores() // workers)))


# --- number of workers ------------------------------------------------------------------------------------


def workers_for(recordings: int, memory: int | None) -> int:
    """The number of workers for so many recordings and bytes of memory (None: unknown), at most one a core."""
    most = recordings if memory is None else min(recordings, memory // MEMORY_PER_WORKER)
    return max(1, min(usable_cores(), most))


def usable_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_memory() -> int | None:
    """Available bytes of memory, None if unknown."""
    found = [each for each in (_available(), *map(_limit, _MEMORY_LIMITS)) if each is not None]
    return min(found) if found else None


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
    return int(text) if text.isdigit() else None
