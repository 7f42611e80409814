"""What --resume leaves out: outputs that are still what the same arguments make of the same bytes.

A file in the folder of the outputs holds a line for each: hashes of what it was made from and of itself, and the exit
code. Only contents count, neither times nor paths.
"""

import hashlib
import json
from argparse import Namespace
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from .. import __version__
from ..errors import SaveRefused
from ..format import JsonError, read_json
from ..recording.atomic_file import rewrite_file
from ..recording.existing import refuse_existing
from ..recording.files import content
from ..recording.notes import notes_path
from ..texts import language
from .files import may_replace

RECORD = "recorder-editor-done.json"
_SECONDS = 2.0  # between two writings
_PATIENCE = 5.0  # seconds to wait for another run that writes the file

_HOW = {
    "dask",
    "file",
    "files",
    "json",
    "out",
    "out_dir",
    "outcomes",
    "outputs",
    "overwrite",
    "recursive",
    "resume",
    "workers",
}
"""Arguments that do not change what an output holds, or that its name tells."""


class Record:
    """The outputs in a folder, each with a list of `made_of`, its `content` and the exit code; None: being made.

    Attributes: `key` (hash of the arguments, empty without --resume, which writes nothing).

    Raises `WouldReplace` for a file of its name that is no record, unless files may be replaced.
    """

    def __init__(self, arguments: Namespace) -> None:
        self._folder = arguments.out_dir
        self._is_written = arguments.resume and not getattr(arguments, "dry_run", False)
        self._saved = monotonic()
        self._outputs: dict[str, object] = {}
        self._own: dict[str, object] = {}  # of this run
        self._gone: set[str] = set()  # planned by this run, and not made
        self.key = ""
        if arguments.resume:
            own = {}
            for name, each in vars(arguments).items():
                if name not in _HOW and not callable(each):
                    own[name] = each
            self.key = _hash(__version__, language(), repr([(name, _by_content(own[name])) for name in sorted(own)]))
            known = self._read()
            if known is None and not may_replace(arguments):
                refuse_existing([self._folder / RECORD], is_recording=True)
            self._outputs = known or {}

    def known(self, out: Path | None) -> object:
        """The entry of an output, None without one."""
        if self.key and out is not None:
            return self._outputs.get(self._name(out))
        return None

    def has(self, out: Path) -> bool:
        """Whether an output was made, or was to be made, by a run with --resume, which may make it again."""
        return bool(self.key) and self._name(out) in self._outputs

    def plan(self, outs: Iterable[Path]) -> None:
        """Take in outputs that are going to be made, so that a run after one that was ended replaces them."""
        if self.key:
            names = [self._name(out) for out in outs]
            self._own |= {name: None for name in names if name not in self._outputs}
            with suppress(OSError, SaveRefused):  # as in `add`
                self.write()

    def forget(self, out: Path | None) -> None:
        """Leave out an output that was planned and not made."""
        if self.key and out is not None and not out.exists():
            self._own.pop(self._name(out), None)
            self._gone.add(self._name(out))

    def add(self, out: Path, entry: list[object]) -> None:
        """Take in an output."""
        self._own[self._name(out)] = entry
        if monotonic() - self._saved > _SECONDS:
            with suppress(OSError, SaveRefused):  # told at the end, where it is tried again
                self.write()

    def write(self) -> None:
        """Write the file; entries that another run wrote meanwhile stay. Raises `SaveRefused`, OSError."""
        if self._is_written:
            self._saved = monotonic()
            rewrite_file(self._folder / RECORD, self._bytes, patience=_PATIENCE)

    def _read(self) -> dict[str, object] | None:
        """The entries in the file; None where there is none, or one that is spoilt or no record."""
        with suppress(OSError, JsonError, LookupError, TypeError, ValueError):
            return dict(read_json((self._folder / RECORD).read_bytes())["outputs"])
        return None

    def _bytes(self) -> bytes:
        entries = (self._read() or {}) | self._own
        outputs = {}
        for name, entry in entries.items():
            if entry is not None or name not in self._gone:
                outputs[name] = entry
        return json.dumps({"outputs": outputs}, indent=1).encode("ascii")

    def _name(self, out: Path) -> str:
        return out.relative_to(self._folder).as_posix()


def made_of(key: str, recording: Path) -> str:
    """The hash of all that an output is made of: the arguments, the recording and its notes."""
    return _hash(key, content(recording), content(notes_path(recording)))


def _by_content(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_by_content(each) for each in value]
    if isinstance(value, str | Path):
        return content(value) or str(value)
    return value


def _hash(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
