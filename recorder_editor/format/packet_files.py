"""Packets of users: a file `NAME.packets.json` that describes packets as `resources/packets.json` does.

CARLA recommends ids above 100 for packets of one's own, and forks write them. The packets of a file become packet types
of a dialect (`describe`), and are as good as CARLA's from then on.

A file is hostile input: it is checked before anything is made of it, with a sentence for each fault.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import RecorderError
from ..texts import listed, say, say_count
from .detection import Detection, Sample
from .dialects import LARGEST_KNOWN_ID, Dialect
from .json_text import JsonError, json_of, read_json, read_json_lines
from .packet_file import PacketFile
from .packet_file_check import Checker
from .schema import PacketType

SUFFIX = ".packets.json"

LARGEST_FILE = 1 << 20
"""Bytes of a file of packets."""


class PacketFileError(RecorderError):
    """A file of packets is not valid.

    Attributes:
        faults: A sentence for each fault, with its line.
    """

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


def describe(
    detection: Detection,
    header_version: int | None,
    sample: Sample,
    files: Iterable[PacketFile],
    of_forks: Iterable[PacketFile] = (),
) -> Detection:
    """The detection with the packets of files, of which the first one counts that has an id.

    Args:
        detection: The dialect of CARLA, without packets of users.
        header_version: The version in the file header; None without a header.
        sample: Packet ids and bodies of the file.
        files: The files of the user.
        of_forks: Files that are used where bodies of the recording show that their fork wrote it.
    """
    dialect = detection.dialect
    files = tuple(dict.fromkeys(files))
    packets: dict[int, PacketType] = {}
    used: dict[PacketFile, list[int]] = {}
    for file in files:
        for number, kind in dialect.described_by(file).items():
            is_free = number > LARGEST_KNOWN_ID or header_version in file.header_versions
            if number not in packets and (is_free or (file.fork and _is_of_fork(dialect, kind, sample))):
                packets[number] = kind
                used.setdefault(file, []).append(number)
    for file in of_forks:
        numbers = [number for number in _recognised(file, dialect, sample) if number not in packets]
        if numbers:
            packets |= {number: dialect.described_by(file)[number] for number in numbers}
            used[file] = numbers
    if not packets:
        return replace(detection, dialect=replace(dialect, packet_files=files))
    reasons = [*detection.reasons]
    for file, numbers in used.items():
        reasons.append(
            say_count(
                "Packet {numbers} is described by {file}.",
                "Packets {numbers} are described by {file}.",
                numbers=listed(map(str, sorted(numbers))),
                file=file.path.name,
                count=len(numbers),
            )
        )
    described = with_packets(dialect, dict.fromkeys((*files, *used)), packets)
    return replace(detection, dialect=described, reasons=tuple(reasons))


def _recognised(file: PacketFile, dialect: Dialect, sample: Sample) -> list[int]:
    """The ids of a fork's file that a recording has in its form; none where no packet of its own ids has it."""
    types = dialect.described_by(file)
    own = [number for number in types if number > LARGEST_KNOWN_ID]
    fitting = {number for number in own if _fits(types[number], sample)}
    if not fitting:
        return []
    numbers = [number for number in own if number in fitting or not sample.bodies.get(number)]
    return numbers + [
        number for number in types if number <= LARGEST_KNOWN_ID and _is_of_fork(dialect, types[number], sample)
    ]


def _is_of_fork(dialect: Dialect, kind: PacketType, sample: Sample) -> bool:
    """Whether the bodies of an id that CARLA uses have the form of a fork, and not that of CARLA."""
    own = dialect.packets.get(kind.id)
    if not _fits(kind, sample):
        return False
    return own is None or own.body == "opaque" or not _fits(own, sample)


def _fits(kind: PacketType, sample: Sample) -> bool:
    """Whether a body of an id has no damage as one of a type."""
    return any(body.damage is None for body in sample.decoded(kind))


def like(dialect: Dialect, other: Dialect) -> Dialect:
    """The dialect with the packets of users that another one has, where it has no packet of its own under their ids."""
    numbers = []
    for number in other.described:
        own = dialect.packets.get(number)
        if own is None or own.body == "opaque":
            numbers.append(number)
    return with_packets(dialect, other.packet_files, numbers)


def with_packets(dialect: Dialect, files: Iterable[PacketFile], numbers: Iterable[int]) -> Dialect:
    """The dialect with packets of files, of which the first one counts that has an id.

    Packets are found by their names, so that each needs its own: the second id of a name has its number behind it, and
    another packet of such a name, as one of a fork that is bytes, is left out.

    Args:
        dialect: The dialect.
        files: The files.
        numbers: The ids; those that no file has are left out.
    """
    files = tuple(files)
    packets: dict[int, PacketType] = {}
    names: set[str] = set()
    for number in sorted(numbers):
        file = _first_with(files, number, dialect.header_version)
        if file is None:
            continue
        kind = dialect.described_by(file)[number]
        if kind.name in names:
            kind = replace(kind, name=f"{kind.name}_{number}")
        names.add(kind.name)
        packets[number] = kind
    if not packets:
        return dialect
    others = {number: kind for number, kind in dialect.packets.items() if kind.name not in names}
    return replace(dialect, packets={**others, **packets}, packet_files=files, described=frozenset(packets))


def _first_with(files: Sequence[PacketFile], number: int, header_version: int) -> PacketFile | None:
    """The first file that has an id; of CARLA's own ids the first that has it for this version of the header."""
    having = [file for file in files if number in file.packets]
    if number <= LARGEST_KNOWN_ID:
        meant = [file for file in having if header_version in file.header_versions]
        having = meant or having
    return having[0] if having else None


def file_entries(dialect: Dialect) -> list[object]:
    """The files that describe packets of users of a dialect, as JSON."""
    files: list[object] = []
    for file in dialect.packet_files:
        if dialect.described & file.packets.keys():
            files.append({"name": file.path.name, "content": read_json(file.content)})
    return files


def files_of_entries(entries: object) -> tuple[PacketFile, ...]:
    """The files of what `file_entries` returned.

    Raises:
        PacketFileError: It is nothing that `file_entries` returns, or a file in it is not valid.
    """
    files = []
    if not isinstance(entries, list):
        raise PacketFileError([say("The files of packets are not a list.")])
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            raise PacketFileError([say("A file of packets has no name.")])
        try:
            content = json_of(entry.get("content")).encode()
        except RecursionError:
            raise PacketFileError([say("{file} is nested too deep.", file=name)]) from None
        files.append(parse_packet_file(content, Path(name)))
    return tuple(files)


def entries_of(dialect: Dialect) -> dict[str, object]:
    """The packets of users of a dialect as JSON: their ids, and the files that describe them."""
    return {"ids": sorted(dialect.described), "files": file_entries(dialect)}


def with_entries(dialect: Dialect, entries: object) -> Dialect:
    """The dialect with packets of users from what `entries_of` returned.

    Raises:
        PacketFileError: It is nothing that `entries_of` returns, or a file in it is not valid.
    """
    if not isinstance(entries, dict):
        raise PacketFileError([say("The packets of users are no object with “ids” and “files”.")])
    numbers = entries.get("ids")
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise PacketFileError([say("The ids of packets of users are no list of whole numbers.")])
    return with_packets(dialect, files_of_entries(entries.get("files")), numbers)


def claimed_twice(files: Iterable[PacketFile]) -> Iterator[str]:
    """A sentence for each id that two files describe, of which the first one counts."""
    first: dict[int, PacketFile] = {}
    for file in dict.fromkeys(files):
        for number in file.packets:
            before = first.setdefault(number, file)
            if before is not file:
                yield say(
                    "{used} and {other} both describe packet {number}; that of {used} is used.",
                    used=before.path.name,
                    other=file.path.name,
                    number=number,
                )


# --- reading ------------------------------------------------------------------------------------------


def read_packet_file(path: Path) -> PacketFile:
    """Read and check a file.

    Raises:
        PacketFileError: It is not valid.
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    return parse_packet_file(content, path)


def parse_packet_file(content: bytes, path: Path) -> PacketFile:
    """Check the content of a file.

    Args:
        content: The content.
        path: Where it was read; its name stands in each sentence.

    Raises:
        PacketFileError: It is not valid.
    """
    reader = Checker(path.name)
    if len(content) > LARGEST_FILE:
        reader.fault(None, say("the file is larger than {size:,} bytes", size=LARGEST_FILE))
        raise PacketFileError(reader.faults)
    try:
        lines = read_json_lines(content)
    except JsonError as error:
        raise PacketFileError([reader.sentence(error.line, str(error).removesuffix("."))]) from None
    reader.lines = lines
    packets = reader.file(lines.value)
    if reader.faults:
        raise PacketFileError(reader.faults)
    return PacketFile(
        digest=hashlib.sha256(content).hexdigest(),
        path=path,
        content=content,
        packets=packets,
        choices=reader.choices,
        fork=reader.fork,
        header_versions=reader.header_versions,
    )


def faults_in_words(error: PacketFileError) -> str:
    """The first fault, and how many more there are."""
    more = len(error.faults) - 1
    if not more:
        return error.faults[0]
    return say_count("{first} ({count} more fault)", "{first} ({count} more faults)", first=error.faults[0], count=more)
