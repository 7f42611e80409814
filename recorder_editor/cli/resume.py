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
from ..recording.packet_search import find_packet_files
from ..texts import language
from .files import is_dry_run, may_replace

RECORD = "recorder-editor-done.json"
_SECONDS = 2.0  # between two writings
_PATIENCE = 5.0  # seconds to wait for another run that writes the file

_NOT_HASHED = {
    "dask",
    "file",
    "files",
    "json",
    "lang",
    "loudness",
    "out",
    "out_dir",
    "outcomes",
    "outputs",
    "overwrite",
    "recursive",
    "resume",
    "schema",
    "workers",
}
"""Arguments that do not change what an output holds, or that its name or `source_hash` tells."""


class Record:
    """The outputs in a folder, each with a list of `source_hash`, its `content` and the exit code; None: being made.

    Attributes:
        key: Hash of the arguments; empty without --resume, which then writes nothing.
    """

    def __init__(self, arguments: Namespace) -> None:
        """Read the record.

        Args:
            arguments: The arguments of the verb.

        Raises:
            WouldReplace: A file of its name is no record, and files may not be replaced.
        """
        self._folder = arguments.out_dir
        self._is_written = arguments.resume and not is_dry_run(arguments)
        self._saved = monotonic()
        self._outputs: dict[str, object] = {}
        self._own: dict[str, object] = {}  # of this run
        self._gone: set[str] = set()  # planned by this run, and not made
        self.key = ""
        if arguments.resume:
            values = []
            for name, value in sorted(vars(arguments).items()):
                if name not in _NOT_HASHED and not callable(value):
                    values.append((name, _by_content(value)))
            self.key = _hash(__version__, language(), repr(values))
            outputs = self._read()
            if outputs is None and not may_replace(arguments):
                refuse_existing([self._folder / RECORD], is_recording=True)
            self._outputs = outputs or {}

    def entry(self, out: Path | None) -> object:
        """Return the entry of an output, None without one."""
        if self.key and out is not None:
            return self._outputs.get(self._name(out))
        return None

    def has(self, out: Path) -> bool:
        """Whether an output was made, or was to be made, by a run with --resume, which may make it again."""
        return bool(self.key) and self._name(out) in self._outputs

    def plan(self, outs: Iterable[Path]) -> None:
        """Take in outputs that are going to be made, so that a run after one that was ended replaces them."""
        if self.key:
            for out in outs:
                name = self._name(out)
                if name not in self._outputs:
                    self._own[name] = None
            with suppress(OSError, SaveRefused):  # as in `add`
                self.write()

    def forget(self, out: Path | None) -> None:
        """Leave out an output that was planned and not made."""
        if self.key and out is not None and not out.exists():
            self._own.pop(self._name(out), None)
            self._gone.add(self._name(out))

    def add(self, out: Path, entry: list[object]) -> None:
        """Take in an output.

        Args:
            out: The output.
            entry: `source_hash`, its `content` and the exit code.
        """
        self._own[self._name(out)] = entry
        if monotonic() - self._saved > _SECONDS:
            with suppress(OSError, SaveRefused):  # raised at the end, where it is tried again
                self.write()

    def write(self) -> None:
        """Write the file; entries that another run wrote meanwhile stay.

        Raises:
            SaveRefused: Another run keeps writing it.
            OSError: It cannot be written.
        """
        if self._is_written:
            self._saved = monotonic()
            rewrite_file(self._folder / RECORD, self._bytes, patience=_PATIENCE)

    def _read(self) -> dict[str, object] | None:
        """Return the entries in the file; None where there is none, or one that is spoilt or no record."""
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


def source_hash(key: str, recording: Path) -> str:
    """Return the hash of all that an output is made of.

    Args:
        key: The hash of the arguments.
        recording: The recording; its notes count, too, and the files of packets that are used for it.
    """
    digests = [file.digest for file in find_packet_files(recording).files]
    return _hash(key, content(recording), content(notes_path(recording)), *digests)


def _by_content(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_by_content(item) for item in value]
    if isinstance(value, str | Path):
        return content(value) or str(value)
    return value


def _hash(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
