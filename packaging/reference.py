"""Writes the reference page of the guide from the tables of the format, so that it cannot say something else.

    python packaging/reference.py            writes resources/guide/packets.md
    python packaging/reference.py --check    exit code 1 where the page is not what would be written
"""

import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from recorder_editor.format.dialects import DIALECTS  # noqa: E402 - the project is found a line above
from recorder_editor.format.schema import Array, Field, PacketType, Struct  # noqa: E402

PAGE = PROJECT / "resources" / "guide" / "packets.md"


def page() -> str:
    """The whole page."""
    return "\n".join(lines()) + "\n"


def lines() -> Iterator[str]:
    """The page, line by line."""
    yield "# Packets and their fields"
    yield ""
    yield "Every packet that CARLA has written, by release family. Made from the program's own tables."
    yield "`real` is a 32-bit float up to CARLA 0.9 (Unreal 4) and a 64-bit float in CARLA 0.10 (Unreal 5)."
    yield ""
    yield "## Which id means what"
    yield ""
    numbers = sorted({number for dialect in DIALECTS.values() for number in dialect.packets})
    yield "| id | " + " | ".join(f"`{name}`" for name in DIALECTS) + " |"
    yield "|---:|" + "---|" * len(DIALECTS)
    for number in numbers:
        cells = (dialect.packets.get(number) for dialect in DIALECTS.values())
        yield f"| {number} | " + " | ".join(kind.name if kind is not None else "" for kind in cells) + " |"
    newest = DIALECTS["ue4-2026"]
    for number in sorted(newest.packets):
        yield from packet_lines(newest.packets[number])


def packet_lines(kind: PacketType) -> Iterator[str]:
    """A packet's section."""
    bodies = {"list": "count (u16) and records", "single": "one record", "opaque": "bytes", "empty": "no body"}
    yield ""
    yield f"## {kind.name} ({kind.id})"
    yield ""
    yield f"{kind.meaning}. Body: {bodies[kind.body]}."
    if kind.record.members:
        yield ""
        yield "| field | type | unit | meaning |"
        yield "|---|---|---|---|"
        yield from member_lines(kind.record, "", kind.name)


def member_lines(record: Struct, prefix: str, packet: str) -> Iterator[str]:
    """The rows of a record's fields, those of arrays indented by their path."""
    for member in record.members:
        if isinstance(member, Array):
            yield f"| `{prefix}{member.path}` | {member.count} count | | {member.meaning} |"
            yield from member_lines(member.element, f"{prefix}{member.path}[].", packet)
        else:
            yield f"| `{prefix}{member.path}` | {type_of(member, packet)} | {member.unit} | {meaning_of(member)} |"


def type_of(field: Field, packet: str) -> str:
    """The type as the page names it."""
    vectors = ("location", "rotation", "origin", "extent", "linear_velocity", "angular_velocity")
    return "real" if field.type == "f32" and field.group in vectors and packet != "PhysicsControl" else field.type


def meaning_of(field: Field) -> str:
    """The meaning, with the names of an enumeration or of flags."""
    names = field.choices or field.flags or {}
    listed = ", ".join(f"{number:#x} {name}" if field.flags else f"{number} {name}" for number, name in names.items())
    return f"{field.meaning}: {listed}" if listed else field.meaning


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(0 if PAGE.exists() and PAGE.read_text(encoding="utf-8") == page() else 1)
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
