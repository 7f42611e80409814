"""Writes the reference pages of the guide, and the grammars of the format, from the program's own tables.

python packaging/reference.py            writes packets.md (of the tables), checks.md (of the rules), operations.md
                                         (of the operations) and actions.md, and the grammars (`grammars.py`)
python packaging/reference.py --check    exit code 1 where one of them is not what would be written
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

import grammars  # noqa: E402 - the project, which it needs, is found a line above

from recorder_editor.checks import RULES  # noqa: E402 - the project is found a line above
from recorder_editor.checks.rule import Rule  # noqa: E402
from recorder_editor.edits.operations import EVERY, Operation  # noqa: E402 - as above
from recorder_editor.edits.operations.command import details, metavar  # noqa: E402 - as above
from recorder_editor.format.dialects import DIALECTS  # noqa: E402 - the project is found a line above
from recorder_editor.format.schema import Array, Field, PacketType, Struct  # noqa: E402

GUIDE = PROJECT / "resources" / "guide"
FORMATS = PROJECT / "resources" / "formats"


def packets() -> Iterator[str]:
    """The page of the packets, line by line."""
    yield "# Packets and their fields"
    yield ""
    yield "Every packet that CARLA has written, by release family. Made from the program's own tables."
    yield "`real` is a 32-bit float up to CARLA 0.9 (Unreal 4) and a 64-bit float in CARLA 0.10 (Unreal 5)."
    yield ""
    yield "## Packet ids by release"
    yield ""
    yield "| id | packet | written by |"
    yield "|---:|---|---|"
    for number in sorted({number for dialect in DIALECTS.values() for number in dialect.packets}):
        kinds = [dialect.packets.get(number) for dialect in DIALECTS.values()]
        names = [kind.name if kind is not None else "" for kind in kinds]
        for name in dict.fromkeys(filter(None, names)):
            yield f"| {number} | {name} | {releases([each == name for each in names])} |"
    newest = DIALECTS["ue4-2026"]
    for number in sorted(newest.packets):
        yield from packet_lines(newest.packets[number])


def releases(writes: list[bool]) -> str:
    """Which of the dialects write a packet, neighbours of the table from the first to the last one."""
    if all(writes):
        return "all"
    runs = []
    for is_written, group in groupby(zip(DIALECTS, writes, strict=True), key=itemgetter(1)):
        names = [f"`{name}`" for name, _ in group]
        if is_written:
            runs.append(" to ".join(dict.fromkeys((names[0], names[-1]))))
    return ", ".join(runs)


def packet_lines(kind: PacketType) -> Iterator[str]:
    """The section of a packet."""
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
    """The type of a field on the page."""
    vectors = ("location", "rotation", "origin", "extent", "linear_velocity", "angular_velocity")
    return "real" if field.type == "f32" and field.group in vectors and packet != "PhysicsControl" else field.type


def meaning_of(field: Field) -> str:
    """The meaning, with the names of an enumeration or of flags."""
    names = field.choices or field.flags or {}
    listed = ", ".join(f"{number:#x} {name}" if field.flags else f"{number} {name}" for number, name in names.items())
    return f"{field.meaning}: {listed}" if listed else field.meaning


def checks() -> Iterator[str]:
    """The page of the rules, by subject."""
    subjects = {
        "structure": "Structure: frames, packets and bytes",
        "references": "References: actors that do not exist",
        "time": "Time",
        "physics": "Physics: impossible motion and values",
        "roads": "Roads: vehicles off their lanes (with a road map: `check --xodr`)",
        "replay": "Replay: what simulators fail on",
    }
    yield "# What the checks look for"
    yield ""
    yield "Errors are what a simulator fails on or reads as something else; warnings are what hardly any"
    yield "recorder means. Both are listed in the Problems pane and by `check`, at most 1,000 of one code. Made"
    yield "from the program's own rules. In the pane, Fix corrects one finding and Fix all every one of its kind,"
    yield "each in one undo step; `check FILE --fix OUT` writes a copy in which every error is fixed that has"
    yield "a fix (with `--strict` every warning, too). In long recordings, overlapping vehicles are looked for"
    yield "in every second frame, or third, and so on: about a million positions in all. What collides by the"
    yield "recording's own word is no overlap."
    for subject, title in subjects.items():
        yield from ("", f"## {title}", "", "| code | severity | what is wrong | why it matters | fix |")
        yield "|---|---|---|---|---|"
        yield from (rule_line(rule) for rule in RULES if rule.subject == subject)


def rule_line(rule: Rule) -> str:
    """The row of a rule."""
    return f"| `{rule.code}` | {rule.severity} | {rule.title} | {rule.why} | {rule.fix.title if rule.fix else ''} |"


def operations() -> Iterator[str]:
    """The page of the operations, in the order of their table."""
    yield "# Operations"
    yield ""
    yield "What `edit`, edit scripts and the window's forms can do to a recording. Made from the program's own table."
    yield "ACTORS, X and the units are explained in [editing.md](editing.md); lengths are metres, angles degrees,"
    yield "times seconds. What is optional may be missing, or null in a script."
    for operation in EVERY.values():
        yield from operation_lines(operation)


def operation_lines(operation: Operation) -> Iterator[str]:
    """The section of an operation."""
    yield from ("", f"## {operation.title}", "", f"{operation.summary}.", "")
    if operation.menu is not None:
        yield f"- Window: *{operation.menu.path.replace('/', ' > ')} > {operation.title}*"
    behind: dict[str, str] = {}
    for option in operation.options:
        yield f"- {code(option.name, metavar(operation, option))}: {option.help}"
        for name, detail in details(operation, option).items():
            behind[name] = (
                code(name, detail.typed)
                if detail.name in ("from", "to")
                else (f"{code(name, detail.typed)} ({detail.help})")
            )
    if behind:
        yield f"- Options after it: {', '.join(behind.values())}"
    if operation.in_scripts:
        yield f"- Script: `{operation.name}`" + ("" if operation.arguments else ", without arguments")
        yield from script_lines(operation)


def code(name: str, value: str) -> str:
    """An option and what stands for its value, as the page writes them."""
    return f"`{name} {value}`" if value else f"`{name}`"


def script_lines(operation: Operation) -> Iterator[str]:
    """The arguments that a step of a script takes."""
    if operation.arguments:
        yield from ("", "| argument | takes | meaning |", "|---|---|---|")
    end = "the first frame after the range" if operation.over == "before" else "the last frame"
    span = {"from": "the first frame", "to": end}
    for each in operation.arguments.values():
        takes = "a list of actors" if each.name == "actors" else each.kind.takes
        optional = "" if each.needed else ", optional"
        unit = f" ({each.unit or each.kind.unit})" if each.unit or each.kind.unit else ""
        meaning = span.get(each.name, each.script_help or each.help).removesuffix(unit)
        yield f"| `{each.name}`{optional} | {takes} | {meaning}{unit} |"


def actions() -> Iterator[str]:
    """The page of all actions, read from the registry of a hidden window."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="recorder-editor-", ignore_cleanup_errors=True) as folder:
        os.environ["RECORDER_EDITOR_STATE_DIR"] = folder
        from recorder_editor.ui import create_window
        from recorder_editor.ui.dialogs.keys import IN_PANES

        window = create_window()
        specs = list(window.registry)
        titles = [action.text().replace("&", "") for action in window.menuBar().actions()]
        window.close()
    yield "# Actions of the window"
    yield ""
    yield "Ctrl+K finds each of these by its name. Made from the program's own list."
    yield "A key acts everywhere, or in the panes that are named with it, and never while text is typed."
    for title in titles:
        yield from ("", f"## {title}", "", "| action | key | does |", "|---|---|---|")
        for spec in specs:
            menu, _, inner = spec.menu.partition("/")
            if menu == title:
                keys = " or ".join(f"`{key.toString()}`" for key in spec.keys)
                where = f" ({spec.where.lower()})" if keys and spec.where else ""
                name = f"{inner}: {spec.plain_text}" if inner else spec.plain_text
                yield f"| {name} | {keys}{where} | {spec.tooltip or spec.plain_text} |"
    yield from ("", "## Keys of the panes", "", "| key | action | where |", "|---|---|---|")
    for keys, does, place in IN_PANES:
        yield f"| {keys} | {does} | {place.lower()} |"


PAGES = {
    GUIDE / "packets.md": packets,
    GUIDE / "checks.md": checks,
    GUIDE / "operations.md": operations,
    GUIDE / "actions.md": actions,
    FORMATS / "carla-recorder.ksy": grammars.kaitai,
    FORMATS / "carla-recorder.hexpat": grammars.imhex,
}


if __name__ == "__main__":
    for path, lines in PAGES.items():
        text = "\n".join(lines()) + "\n"
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} is not what would be written")
