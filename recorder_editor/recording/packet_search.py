"""Where files of packets are found (`format.packet_files`), and which of them the user has accepted.

They are given (`--schema`), lie beside the recording, in the folder of the preferences, or are the program's own. One
beside a recording came with it from somebody else: it is used when the user has accepted its content.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from stat import S_ISREG
from typing import Literal

from .. import resources
from ..errors import os_error_text
from ..format.json_text import JsonError, json_of, read_json
from ..format.packet_file import PacketFile
from ..format.packet_files import SUFFIX, PacketFileError, claimed_twice, faults_in_words, read_packet_file
from ..texts import say
from .atomic_file import atomic_write
from .user_folders import config_folder

FOLDER = "packets"
"""The folder of packets of the user, in that of the preferences."""

_ANSWERS = "packet-files.json"
_MOST_FILES = 50  # beside a recording
_MOST_ANSWERS = 10_000

Answer = Literal["accepted", "refused"]

_given: ContextVar[tuple[PacketFile, ...]] = ContextVar("given_packet_files", default=())


@dataclass(frozen=True, slots=True)
class FoundPackets:
    """The files of packets for one recording.

    Attributes:
        files: Those that are used, in the order in which they count.
        asked: Those beside the recording that the user was not asked about yet.
        remarks: Sentences about files that are not valid, and about ids that two of them describe.
        given: Those of the files that were given for the recording, so that another program would not find them.
    """

    files: tuple[PacketFile, ...] = ()
    asked: tuple[PacketFile, ...] = ()
    remarks: tuple[str, ...] = ()
    given: tuple[PacketFile, ...] = ()


@contextmanager
def using(files: Iterable[PacketFile]) -> Iterator[None]:
    """Use files for every recording that is opened or made meanwhile, before those that are found."""
    token = _given.set((*files, *_given.get()))
    try:
        yield
    finally:
        _given.reset(token)


def given() -> tuple[PacketFile, ...]:
    """The files that are used for every recording at present."""
    return _given.get()


def find_packet_files(path: Path | None = None, given_before: Iterable[PacketFile] = ()) -> FoundPackets:
    """Find the files of packets for a recording.

    Args:
        path: The recording; None: one that is made, so that nothing lies beside it.
        given_before: The files that were given for the recording, beside those that are used for every one. They are
            read as they are now, where they can be.
    """
    remarks: list[str] = []
    given_files = tuple(dict.fromkeys((*given(), *_read_again(given_before, remarks))))
    files = list(given_files)
    asked = []
    if path is not None:
        beside = list(_files_in(path.parent, remarks))
        answers = _answers() if beside else {}
        for file in beside:
            answer = answers.get(file.digest)
            if answer == "accepted":
                files.append(file)
            elif answer is None and file not in files:
                asked.append(file)
    files += _files_in(config_folder() / FOLDER, remarks)
    used = tuple(dict.fromkeys(files))
    remarks += claimed_twice(used)
    return FoundPackets(files=used, asked=tuple(dict.fromkeys(asked)), remarks=tuple(remarks), given=given_files)


@cache
def own_packet_files() -> tuple[PacketFile, ...]:
    """The program's own files, each of a fork."""
    return tuple(read_packet_file(path) for path in sorted(resources.path("packets").glob(f"*{SUFFIX}")))


def _read_again(files: Iterable[PacketFile], remarks: list[str]) -> Iterator[PacketFile]:
    """Files as they are on the disk now; one that is gone or not valid stays as it was."""
    for file in files:
        # Others stood in a script or a dump, and have a name alone.
        if not file.path.is_absolute():
            yield file
            continue
        try:
            yield read_packet_file(file.path)
        except PacketFileError as error:
            remarks.append(faults_in_words(error))
            yield file
        except OSError:
            yield file


def _files_in(folder: Path, remarks: list[str]) -> Iterator[PacketFile]:
    try:
        with os.scandir(folder) as entries:
            paths = [Path(entry.path) for entry in entries if entry.name.endswith(SUFFIX)]
    except OSError:
        return
    for path in sorted(paths)[:_MOST_FILES]:
        try:
            if S_ISREG(path.stat().st_mode):
                yield read_packet_file(path)
        except PacketFileError as error:
            remarks.append(faults_in_words(error))
        except OSError as error:
            remarks.append(os_error_text(error))


# --- what the user has answered ---------------------------------------------------------------------------


def answer(file: PacketFile, given_answer: Answer) -> None:
    """Remember whether a content is to be used where it lies beside a recording.

    Raises:
        OSError: It cannot be written.
    """
    answers = _answers()
    answers.pop(file.digest, None)
    answers[file.digest] = given_answer
    kept = dict(list(answers.items())[-_MOST_ANSWERS:])
    folder = config_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_write(folder / _ANSWERS, overwrite=True) as stream:
        stream.write(json_of(kept).encode())


def _answers() -> dict[str, str]:
    """The answers by the digests of contents; none where the file is missing or damaged."""
    try:
        stored = read_json((config_folder() / _ANSWERS).read_bytes())
    except (OSError, JsonError):
        return {}
    if not isinstance(stored, dict):
        return {}
    return {digest: text for digest, text in stored.items() if text in ("accepted", "refused")}


def unaccepted_line(path: Path, file: PacketFile) -> str:
    """The sentence that a file beside a recording is not used, and how to use it."""
    return say(
        "{file} beside {recording} describes packets and was not accepted yet; it is used with --schema {file}.",
        file=file.path,
        recording=path.name,
    )
