"""What a repair keeps and what is lost: numbers that can be checked against the bytes."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Tally:
    """So much of a recording.

    Attributes: `frames`, `packets` and `records` (of those `types` tells by the name of the packet), `bytes`.
    """

    frames: int = 0
    bytes: int = 0
    packets_by_type: Counter[str] = field(default_factory=Counter)
    records_by_type: Counter[str] = field(default_factory=Counter)

    @property
    def packets(self) -> int:
        """Packets of all types."""
        return self.packets_by_type.total()

    @property
    def records(self) -> int:
        """Records of all types."""
        return self.records_by_type.total()

    def count(self, name: str, packets: int = 0, records: int = 0, size: int = 0) -> None:
        """Add packets and records of one type, and `size` bytes."""
        self.bytes += size
        if packets:
            self.packets_by_type[name] += packets
        if records:
            self.records_by_type[name] += records

    def add(self, other: "Tally") -> None:
        """Add another tally."""
        self.frames += other.frames
        self.bytes += other.bytes
        self.packets_by_type.update(other.packets_by_type)
        self.records_by_type.update(other.records_by_type)

    def __bool__(self) -> bool:
        return bool(self.frames or self.bytes or self.packets or self.records)

    def as_json(self) -> dict[str, Any]:
        """As the guide documents it."""
        names = sorted(name for name in self.packets_by_type | self.records_by_type)
        return {
            "frames": self.frames,
            "packets": self.packets,
            "records": self.records,
            "bytes": self.bytes,
            "by_type": {
                name: {"packets": self.packets_by_type[name], "records": self.records_by_type[name]} for name in names
            },
        }


@dataclass(frozen=True)
class LossReport:
    """What a repair does to a recording.

    Attributes: `kept` (what the result holds, `bytes` those of the file that are in it), `lost` (what the file shows or
    its frame numbers tell of, and the result has not), `doubled` (bytes that stood there twice, or said nothing: they
    go and nothing with them), `added` (bytes of the result that the file has not), `actors` (ids that records told of
    while nobody had them, so that their records went).
    """

    kept: Tally
    lost: Tally
    doubled: int = 0
    added: int = 0
    actors: tuple[int, ...] = ()

    @property
    def lossless(self) -> bool:
        """Nothing that can be known of is lost."""
        return not self.lost

    def as_json(self) -> dict[str, Any]:
        """`kept`, `lost` and `lossless`, as the guide documents them."""
        lost = {**self.lost.as_json(), "actors": list(self.actors)}
        return {"lost": lost, "kept": self.kept.as_json(), "lossless": self.lossless}
