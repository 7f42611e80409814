"""How verbs open, report and write files."""

import errno
import json
import math
import os
import struct
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ..checks import diagnosis
from ..errors import SaveRefused
from ..format.dialects import DIALECTS
from ..recording.recording import Recording, open_recording


class Unreadable(Exception):
    """An input file is missing, or cannot be read; the message is the whole sentence."""


class WrongUsage(Exception):
    """The arguments do not go together; the message is the whole sentence."""


def add_input(parser: ArgumentParser) -> None:
    """The positional FILE and `--dialect`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a recording")
    add_dialect(parser)


def add_dialect(parser: ArgumentParser) -> None:
    """`--dialect`: read the bodies with other tables than the bytes show."""
    parser.add_argument("--dialect", choices=sorted(DIALECTS), metavar="NAME", help="read it as this dialect")


@contextmanager
def opened(path: Path, dialect: str | None = None, *, quiet: bool = False) -> Iterator[Recording]:
    """An open recording; its damage is told on stderr. Raises `Unreadable`."""
    try:
        recording = open_recording(path, dialect=dialect, progress=progress(f"Reading {path.name}"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unreadable(reason if reason.endswith(".") else f"{path}: {reason}.") from None
    with recording:
        if not quiet:
            for finding in recording.findings:
                place = f" at 0x{finding.offset:06x}" if finding.offset is not None else ""
                message = diagnosis(recording.snapshot) if finding.code == "no-header" else finding.message
                sys.stderr.write(f"{path.name}{place}: {message}\n")
        yield recording


def progress(title: str) -> Callable[[int, int], None] | None:
    """A line of progress on stderr where that is a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        share = 100 * done // total if total else 100
        sys.stderr.write(f"\r{title} {share} %" if done < total else "\r\x1b[K")
        sys.stderr.flush()

    return show


def refuse_same(source: Path, target: Path) -> None:
    """Raises `WrongUsage` where both names lead to one file: no verb writes onto its input."""
    if source.exists() and target.exists() and os.path.samefile(source, target):
        raise WrongUsage(f"{target} is the input itself; give another name for the output.")


@contextmanager
def written(target: Path) -> Iterator[BinaryIO]:
    """A file that takes the name of `target` when all went well, and leaves nothing behind when it did not.

    A link is followed and stays. Raises `SaveRefused` for what is no ordinary file, OSError with the target's name.
    """
    asked, target = target, Path(os.path.realpath(target))
    _refuse_target(asked, target)
    try:
        number, name = tempfile.mkstemp(prefix=f".{target.name[:50]}.", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(asked)) from None
    try:
        with open(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            os.chmod(name, target.stat().st_mode & 0o7777)
        else:
            os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _refuse_target(asked: Path, target: Path) -> None:
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(asked))
    if target.exists() and not target.is_file():
        raise SaveRefused(f"{asked} is not an ordinary file, and writing would replace it. Choose another name.")
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(asked))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def say(lines: Iterable[str]) -> None:
    """Lines to stdout: UTF-8, `\\n`, whatever the system prefers."""
    out = sys.stdout.buffer
    for line in lines:
        out.write(line.encode("utf-8", "backslashreplace") + b"\n")


def say_json(value: Any) -> None:
    """A value as indented JSON that a strict parser takes."""
    say([json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)])


def number(value: float) -> float | str:
    """A finite number as it is; every other one by its bits, since JSON has none."""
    return value if math.isfinite(value) else "f64:" + struct.pack(">d", value).hex()


def text(value: str | bytes) -> str | dict[str, str]:
    """Text as it is; bytes that are not UTF-8 as hex."""
    return value if isinstance(value, str) else {"hex": value.hex()}
