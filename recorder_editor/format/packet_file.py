"""A file of packets of users that was read and checked; `packet_files` reads it, and says which recordings get it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from .packets import CHOICES, Real, packet_type
from .schema import PacketType, Ray

LARGEST_ID = 255

LAST_RANK = 1000
"""The rank of FrameEnd: packets of users stand before it."""

_FIRST_RANK = LAST_RANK - LARGEST_ID - 1
"""Packets of users stand behind those of CARLA in new frames, in the order of their ids."""


@dataclass(frozen=True, slots=True)
class PacketFile:
    """A file that describes packets, and was checked. Two with the same content are equal.

    Attributes:
        digest: The SHA-256 of its content, as hexadecimal digits.
        path: Where it was read.
        content: Its content.
        packets: The entries of its packets by id.
        choices: Its enumerations and bit masks by name.
        fork: The fork that writes these packets; empty if none is named.
        header_versions: The versions of the header for which ids of CARLA hold; empty: none.
    """

    digest: str
    path: Path = field(compare=False, repr=False)
    content: bytes = field(compare=False, repr=False)
    packets: Mapping[int, Mapping[str, Any]] = field(compare=False)
    choices: Mapping[str, Mapping[int, str]] = field(compare=False)
    fork: str = field(compare=False)
    header_versions: tuple[int, ...] = field(compare=False)

    def types(self, dialect: str, real: Real) -> Mapping[int, PacketType]:
        """The packet types by id; the same objects each time.

        Args:
            dialect: The name of the dialect that decides which members they have.
            real: The type of vectors.
        """
        return _types(self, dialect, real)


@lru_cache(maxsize=64)
def _types(file: PacketFile, dialect: str, real: Real) -> Mapping[int, PacketType]:
    choices = {**CHOICES, **file.choices}
    types = {}
    for number, entry in file.packets.items():
        kind = packet_type(entry, real, dialect=dialect, choices=choices)
        key = tuple(path for path in kind.key if path in kind.record.places)
        types[number] = replace(
            kind,
            id=number,
            key=key,
            motion=kind.motion and key == kind.key,
            rays=tuple(ray for ray in kind.rays if _has_members(kind, ray)),
            rank=_FIRST_RANK + number,
            described_by=file.path.name,
        )
    return types


def _has_members(kind: PacketType, ray: Ray) -> bool:
    """Whether the dialect has all members of a ray."""
    groups = {path.rpartition(".")[0] for path in kind.record.places}
    vectors = {ray.origin, ray.direction, ray.rotation} - {""}
    return vectors <= groups and (not ray.valid or ray.valid in kind.record.places)
