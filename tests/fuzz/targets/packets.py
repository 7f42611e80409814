"""Files of packets: refused with sentences, or packet types of every dialect, which take bodies of any bytes."""

import io
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from recorder_editor import resources
from recorder_editor.format import DIALECTS, decode
from recorder_editor.format.packet_files import PacketFileError, parse_packet_file

from ..texts import as_json, mangled, some, worse
from ..watch import Broken, Watch
from .target import Target

SECONDS = 5.0
"""Processor time of a case; most take a thousandth of it."""

_MEMBERS = (
    ["id", "actor", "m"],
    ["eye", "vector", "m", "cm", {"world": "place"}],
    ["head", "rotator", "m", {"world": "rotation"}],
    ["turn", "rotation", "m"],
    ["mood", "u8", "m", {"choices": "moods", "default": 1, "every": 255}],
    ["on", "u16", "m", {"flags": "lamps", "since": "ue4-0.9.12"}],
    ["time", "clock", "m"],
    ["pupil.x", "f32", "m", {"low": 0, "high": 1, "step": 0.1, "until": "ue4-2026"}],
    ["raw", "bytes64", "m"],
    ["big", "i64", "m", {"default": -1}],
    ["yes", "bool", "m"],
    ["said", "str", "m"],
    {
        "path": "rows",
        "count": "u32",
        "element": "row",
        "meaning": "m",
        "members": [["a", "u8", "m"], ["b", "str", "m"]],
    },
)


@dataclass(frozen=True)
class Case:
    """The content of a file and the bodies that its packets are to decode."""

    content: bytes
    bodies: tuple[bytes, ...]


class Packets(Target):
    of_a_round = 10_000

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        self.own = json.loads(resources.path("packets/dreyevr.packets.json").read_text(encoding="utf-8"))

    def make(self, random: Random) -> Case:
        value: Any = self.own if random.random() < 0.2 else _file(random)
        for _ in range(random.choice((0, 0, 1, 1, 2, 4))):
            value = worse(value, random)
        text = as_json(value, random)
        for _ in range(some(random) if random.random() < 0.15 else 0):
            text = mangled(text, random)
        return Case(text.encode("utf-8", "surrogatepass"), tuple(_body(random) for _ in range(4)))

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        before = time.process_time()
        try:
            file = parse_packet_file(case.content, Path("own.packets.json"))
        except PacketFileError as error:
            if not 1 <= len(error.faults) <= 20 or not all(fault.strip() for fault in error.faults):
                raise Broken("refused without a word, or with too many", error.faults) from error
            return ("file refused",)
        for dialect in DIALECTS.values():
            for kind in dialect.described_by(file).values():
                for data in case.bodies:
                    body = decode(kind, data)
                    body.records()
                    if body.data != data:
                        raise Broken("a body is not kept", (dialect.name, kind.name))
        spent = time.process_time() - before
        if spent > SECONDS:
            raise Broken(f"{spent:.1f} s for {len(case.content):,} bytes")
        return ("file read",)


def _file(random: Random) -> dict[str, Any]:
    """A valid file with a few members in any order, and sometimes many or deep ones."""
    packets = []
    for number in range(some(random)):
        members: list[Any] = list(random.sample(_MEMBERS, 1 + random.randrange(len(_MEMBERS))))
        if random.random() < 0.05:
            members += [[f"n{at}", random.choice(("u8", "f64", "bytes64")), "m"] for at in range(380)]
        if random.random() < 0.1:
            members.append(_deep(random.randrange(1, 7)))
        packet: dict[str, Any] = {"id": 150 + number, "name": f"Own{number}", "members": members}
        packet |= {"body": random.choice(("list", "single")), "lifetime": random.choice(("shown", "event", "lasting"))}
        packets.append(packet)
    return {"choices": {"moods": ["calm", "angry"]}, "flags": {"lamps": {"0": "a", "15": "b"}}, "packets": packets}


def _deep(depth: int) -> dict[str, Any]:
    inner = [["x", "u8", "m"]] if depth == 1 else [_deep(depth - 1)]
    return {"path": "deep", "count": "u32", "element": "e", "meaning": "m", "members": inner}


def _body(random: Random) -> bytes:
    """Bytes that say of themselves that they are many records, few, or nothing."""
    made = io.BytesIO()
    made.write(random.choice((b"", b"\0\0", b"\1\0", b"\2\0", b"\xff\xff")))
    made.write(random.choice((bytes, random.randbytes, lambda size: b"\xff" * size))(random.choice((0, 1, 50, 800))))
    return made.getvalue()
