"""The kind of a file that an output would replace, by its first bytes, and the refusal to replace it unasked.

A recording, its notes, a list of segments, a workspace and a table of packets are the work of people or of a drive,
which cannot be made again. A table, a picture or a report can be written again. Knows no recording and reads none.
"""

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from ..errors import WouldReplace
from ..format.header import MAGIC
from ..format.json_text import first_object

ANY_FILE = "file"
"""The kind of a file of which nothing more is known."""

_MAGIC_AT = 4  # behind the version of the format and the length of the magic
_HEAD = 1 << 20
"""Bytes that are read of a file; a workspace is no larger."""

_KINDS_BY_ENDING = ((".notes.json", "notes"), (".packets.json", "packets"))
_SEGMENT_MEMBERS = {"start", "end", "name", "color", "on"}
_SEGMENT_COLUMNS = {"start", "end", "name"}


def kind_of(path: Path) -> str | None:
    """The kind of a file that cannot be made again.

    Returns:
        `recording`, `notes`, `segments`, `workspace` or `packets`; None for another file, an empty one, one that is no
        ordinary file, and where there is none.

    Raises:
        OSError: The file cannot be read.
    """
    if not _holds_bytes(path):
        return None
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    if head[_MAGIC_AT : _MAGIC_AT + len(MAGIC)] == MAGIC:
        return "recording"
    for ending, kind in _KINDS_BY_ENDING:
        if path.name.lower().endswith(ending):
            return kind
    return _kind_of_text(head.decode("utf-8-sig", "replace").lstrip())


def kept_files(paths: Iterable[Path], *, is_recording: bool) -> list[tuple[Path, str]]:
    """The files that an output must not replace unasked.

    Args:
        paths: The outputs.
        is_recording: The outputs are recordings, which replace no file that holds a byte; other outputs replace files
            that can be made again.

    Returns:
        The files that have to stay, with the kind that `kind_of` returns, or `ANY_FILE`.

    Raises:
        OSError: A file cannot be read.
    """
    kept: list[tuple[Path, str]] = []
    for path in paths:
        kind = _kept_as(path, is_recording)
        if kind is not None:
            kept.append((path, kind))
    return kept


def refuse_existing(paths: Iterable[Path], *, is_recording: bool) -> None:
    """Refuse outputs that would replace one of `kept_files`.

    Args:
        paths: The outputs.
        is_recording: As for `kept_files`.

    Raises:
        WouldReplace: There are such files.
        OSError: A file cannot be read.
    """
    kept = kept_files(paths, is_recording=is_recording)
    if kept:
        raise WouldReplace(kept)


def _kept_as(path: Path, is_recording: bool) -> str | None:
    """The kind of a file that has to stay; None if the output may be written."""
    if not is_recording:
        return kind_of(path)
    if not _holds_bytes(path):
        return None
    try:
        return kind_of(path) or ANY_FILE
    except OSError:
        return ANY_FILE


def _holds_bytes(path: Path) -> bool:
    """Whether there is an ordinary file that is not empty; if it cannot be read, writing raises the error."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size > 0


def _kind_of_text(text: str) -> str | None:
    if text.startswith(("[", "{")):
        return _kind_of_json(first_object(text), is_list=text.startswith("["))
    first_line, _, _ = text.partition("\n")
    names = {name.strip().strip('"').lower() for name in re.split("[,;\t]", first_line)}
    if names == _SEGMENT_COLUMNS:
        return "segments"
    return None


def _kind_of_json(first: dict[str, object], *, is_list: bool) -> str | None:
    if isinstance(first.get("notes"), int) and "fingerprint" in first:
        return "notes"
    if is_list:
        if "start" in first and first.keys() <= _SEGMENT_MEMBERS:
            return "segments"
        return None
    if isinstance(first.get("workspace"), int) and "layout" in first:
        return "workspace"
    if isinstance(first.get("packets"), list):
        return "packets"
    return None
