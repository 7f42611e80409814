"""What is looked at while a case runs: exceptions, warnings, stderr, time, memory, descriptors, files left behind."""

import contextlib
import faulthandler
import gc
import io
import logging
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from recorder_editor import __main__, cli

from ..memory import peak

CPU_SECONDS = 30.0
"""Processor time of a case, so that a machine with other work to do changes nothing."""
WALL_SECONDS = 900.0
"""After so long the process ends with a traceback: it waits for something that never comes."""
ADDRESS_SPACE = 4 << 30
"""Bytes of the process, libraries and stacks of threads included."""
RESIDENT = 1 << 30
"""Bytes that the process ever holds at most."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_OURS_ON_STDERR = re.compile(
    r"usage: | |recorder-editor|[\w./-]+(?: at 0x[0-9a-f]+)?: |.*[.!?。”)\]>]\s*$"
    r"|(?:done|failed|with loss|unchanged) +\S"
)
"""Of argparse, of the program, of a file; a whole sentence; or the outcome of one of several files."""
_OF_PYTHON = re.compile(r"Traceback|\b[A-Z]\w*(?:Error|Warning|Exception)\b|<class |object at 0x")
_OURS = f"{os.sep}recorder_editor{os.sep}"
Result = TypeVar("Result")


class Broken(AssertionError):
    """A promise that did not hold: `key` names it (equal for equal failures), the message says what was seen."""

    def __init__(self, key: str, seen: object = "") -> None:
        super().__init__(f"{key}: {seen}" if seen != "" else key)
        self.key = key


class Hang(BaseException):
    """A case took more than `CPU_SECONDS`."""


class Spoken(NamedTuple):
    """What a command line came to: exit `code`, `out` (stdout), `err` (stderr)."""

    code: int
    out: bytes
    err: str


def key_of(error: BaseException) -> str:
    """What tells one failure from another: of an exception its type and the innermost place in the package."""
    if isinstance(error, Broken):
        return error.key
    frames = [each for each in traceback.extract_tb(error.__traceback__) if _OURS in each.filename]
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].name}" if frames else ""
    return f"{type(error).__name__}{place}"


class Watch:
    """Makes a process one that runs cases: an own folder, home and stderr, bounds on memory and time.

    Attributes: `folder` (the current directory of every case, empty before each), `state` (the state folder, empty
    likewise), `keep` (what stays from case to case).
    """

    def __init__(self, base: Path) -> None:
        self.folder, self.state = base / "case", base / "state"
        self.keep, self._temporary = base / "keep", base / "tmp"
        for folder in (self.folder, self.state, self.keep, self._temporary):
            folder.mkdir(parents=True, exist_ok=True)
        os.environ["RECORDER_EDITOR_STATE_DIR"] = str(self.state)
        for name in ("CONFIG", "DATA", "STATE", "CACHE"):
            os.environ[f"XDG_{name}_HOME"] = str(self.state)
        tempfile.tempdir = str(self._temporary)
        os.chdir(self.folder)
        self.seen: list[tuple[str, str]] = []
        # What libraries write past Python (Qt, a panic of polars) is found in this file.
        self._stderr = base / "stderr"
        self._told = os.open(self._stderr, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._screen = os.dup(2)
        os.dup2(self._told, 2)
        faulthandler.enable(self._told)
        # A thread that watches the time, as faulthandler's own, is waited for after each case.
        faulthandler.register(signal.SIGALRM, file=self._told, chain=True)
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        warnings.simplefilter("always")
        warnings.showwarning = self._warned
        sys.excepthook = lambda kind, error, trace: self._raised("an event", error)
        sys.unraisablehook = lambda each: self._raised("a destructor", each.exc_value)
        threading.excepthook = lambda each: self._raised("a thread", each.exc_value)
        logging.getLogger().addHandler(_Logged(self.seen))
        signal.signal(signal.SIGPROF, self._hang)
        self._alarms = 0
        cli.verb_parser = lru_cache(cli.verb_parser)  # type: ignore[assignment] # made once, as in its own process

    def _warned(self, message: Warning | str, category: type[Warning], filename: str, line: int, *_: Any) -> None:
        self.seen.append((f"{category.__name__} at {Path(filename).name}", f"{message} (line {line})"))

    def _raised(self, where: str, error: BaseException | None) -> None:
        if error is not None:
            self.seen.append((f"{key_of(error)} in {where}", "".join(traceback.format_exception(error))))

    def run(self, does: Callable[[], Result]) -> Result:
        """Do it; raises what it raises, `Hang`, and `Broken` for whatever else must not be."""
        self.clear()
        before = _descriptors()
        signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
        # Where the first alarm does not end it (Qt catches what a slot raises), the second one ends the process.
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS, CPU_SECONDS / 2)
        self._alarms = 0
        try:
            result = does()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
        self._look(before)
        return result

    def _hang(self, _signal: int, frame: FrameType | None) -> None:
        self._alarms += 1
        if self._alarms > 1:
            faulthandler.dump_traceback(self._told)
            os._exit(1)
        raise Hang(f"more than {CPU_SECONDS:g} s of processor time")

    def clear(self) -> None:
        """Nothing in the folders, nothing seen."""
        for folder in (self.folder, self.state, self._temporary):
            for each in folder.iterdir():
                if each.is_dir() and not each.is_symlink():
                    shutil.rmtree(each)
                else:
                    each.unlink()
        os.ftruncate(self._told, 0)
        self.seen.clear()

    def _look(self, before: set[str]) -> None:
        left = [each.name for each in (*self._temporary.rglob("*"), *self.state.rglob("*")) if each.is_file()]
        left = [name for name in left if name != "settings.ini"]
        if left:
            raise Broken("a temporary file is left", sorted(left))
        more = _descriptors() - before
        if more:
            gc.collect()
            more = _descriptors() - before
        if more:
            raise Broken("a descriptor is left", sorted(more))
        if self.seen:
            raise Broken(*self.seen[0])
        said = self._stderr.read_text("utf-8", "replace")
        if said:
            raise Broken("said past Python on stderr", said[:2000])
        most = peak()
        if most > RESIDENT:
            raise Broken("more memory than allowed", f"{most >> 20} MiB")

    def said_past_python(self) -> str:
        """What stands in the file that is stderr."""
        return self._stderr.read_text("utf-8", "replace")


def command(arguments: Sequence[str], stdin: bytes = b"") -> Spoken:
    """Run a verb in this process; raises what escapes it, and `Broken` for what it must not say."""
    out, err = io.BytesIO(), io.StringIO()
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    sys.stdout, sys.stderr = io.TextIOWrapper(out, "utf-8", write_through=True), err
    try:
        code = int(__main__.main(list(arguments)))
        sys.stdout.flush()
        spoken = Spoken(code, out.getvalue(), err.getvalue())
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    if not 0 <= code <= 3:
        raise Broken("an exit code that does not exist", code)
    if found := _OF_PYTHON.search(spoken.err):
        raise Broken(f"{arguments[0]}: words of Python on stderr", (found[0], spoken.err))
    for line in spoken.err.splitlines():
        if not _OURS_ON_STDERR.match(line):
            raise Broken(f"{arguments[0]}: no sentence on stderr", line)
    if CONTROL.search(spoken.err):
        raise Broken(f"{arguments[0]}: a control character on stderr", ascii(spoken.err))
    return spoken


@contextlib.contextmanager
def refused(*kinds: type[BaseException]) -> Iterator[None]:
    """What may be raised here."""
    with contextlib.suppress(*kinds):
        yield


class _Logged(logging.Handler):
    def __init__(self, seen: list[tuple[str, str]]) -> None:
        super().__init__(logging.WARNING)
        self._seen = seen

    def emit(self, record: logging.LogRecord) -> None:
        self._seen.append((f"logged by {record.name}", record.getMessage()))


def _descriptors() -> set[str]:
    """The open descriptors with what they lead to, but for those by which threads of libraries wake each other."""
    found = set()
    for each in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.add(f"{each} {os.readlink(f'/proc/self/fd/{each}')}")
    return {each for each in found if f"/proc/{os.getpid()}/fd" not in each and "anon_inode" not in each}
