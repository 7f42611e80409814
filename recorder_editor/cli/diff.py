"""The verb `diff`: what differs between two recordings, as text or as data."""

from argparse import Namespace
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ..format import json_of
from ..formats.dump import json_value
from ..reading import Life
from ..recording import Recording
from ..reports.diff import ActorChange, Comparison, Difference, FieldGroup, compare
from ..texts import N_, say
from . import options
from .files import open_input
from .output import number_as_json, print_json, print_json_lines, print_lines, progress_bar, text_as_json
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Frames are matched by time, records by id. Exit code 1 when the recordings differ.
Example: recorder-editor diff before.log after.log --details --tolerance 0.01"""
)

_GROUPS_TOLD = 20


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("a", type=Path, metavar="A", help=say("a recording"))
    parser.add_argument("b", type=Path, metavar="B", help=say("the one to compare it with"))
    options.add_json(parser, help=say("as JSON; with --details one line for each difference"))
    parser.add_argument("--details", action="store_true", help=say("every difference as well, not the summary alone"))
    parser.add_argument(
        "--tolerance",
        type=options.not_negative,
        default=0.0,
        metavar="X",
        help=say("numbers no further apart are equal, in the fields' own units (default 0: equal to the bit)"),
    )
    options.add_dialect(parser)


def run(arguments: Namespace) -> bool:
    """Print the differences; returns whether there are none."""
    with open_input(arguments.a, arguments.dialect) as a, open_input(arguments.b, arguments.dialect) as b:
        found = compare(a.snapshot, b.snapshot, arguments.tolerance, progress_bar("Comparing"))
        if not arguments.json:
            print_lines(_lines(a, b, found))
            if arguments.details:
                print_lines(_details(found))
        elif arguments.details:
            print_json_lines(map(json_of, chain([summary(a, b, found)], map(_difference, _differences(found)))))
        else:
            print_json(summary(a, b, found))
    return not found.differ


# --- as JSON ----------------------------------------------------------------------------------------------


def summary(a: Recording, b: Recording, found: Comparison) -> dict[str, object]:
    """The summary, as the guide documents it."""
    return {
        "a": _side(a),
        "b": _side(b),
        "differ": found.differ,
        "tolerance": found.tolerance,
        "aligned_by": "time" if found.alignment.by_time else "number",
        "header": [
            {"field": change.field, "a": text_as_json(change.value_a), "b": text_as_json(change.value_b)}
            for change in found.header
        ],
        "frames": found.frames._asdict(),
        "actors": {
            "only_a": [_life(change.life_a) for change in found.actors if change.life_a and not change.life_b],
            "only_b": [_life(change.life_b) for change in found.actors if change.life_b and not change.life_a],
            "changed": [
                {"id": change.life_a.actor, "field": name, "a": one, "b": other}
                for change in found.actors
                if change.life_a and change.life_b
                for name, one, other in change.fields
            ],
        },
        "outside": found.outside,
        "groups": [_group(found, each) for each in found.groups],
        "groups_left_out": found.left_out,
    }


def _side(recording: Recording) -> dict[str, object]:
    return {
        "file": str(recording.path),
        "dialect": recording.dialect.name,
        "frames": len(recording),
        "bytes": recording.snapshot.size,
    }


def _life(life: Life) -> dict[str, object]:
    return {"id": life.actor, "blueprint": life.blueprint, "role": life.role_name, "born": life.born + 1}


def _group(found: Comparison, group: FieldGroup) -> dict[str, object]:
    is_number = group.field is not None and bool(group.change)
    return {
        "packet": group.packet,
        "id": group.id,
        "field": group.path or None,
        "in": [group.only] if group.only else ["a", "b"],
        "frames": group.frames,
        "first_frame": _first(found, group.spans[0]),
        "last_frame": _first(found, group.spans[-1] - 1),
        "low": number_as_json(group.low) if is_number else None,
        "high": number_as_json(group.high) if is_number else None,
        "unit": (group.field.unit or None) if group.field is not None else None,
    }


def _first(found: Comparison, row: int) -> int:
    """The number of the first recording's frame in a row of the alignment."""
    return int(found.alignment.pairs[row, 0]) + 1


def _difference(each: Difference) -> dict[str, object]:
    value_a, value_b = (
        json_value(each.field, value) if each.field is not None and value is not None else None
        for value in (each.value_a, each.value_b)
    )
    return {
        "level": each.level,
        "frame_a": each.frame_a + 1,
        "frame_b": each.frame_b + 1,
        "packet": each.packet,
        "in": [side for side, index in (("a", each.packet_a), ("b", each.packet_b)) if index is not None],
        "record_a": each.record_a,
        "record_b": each.record_b,
        "id": each.id,
        "field": each.path or None,
        "a": value_a,
        "b": value_b,
    }


def _differences(found: Comparison) -> Iterator[Difference]:
    for index in range(len(found)):
        yield from found.details(index)


# --- as text ----------------------------------------------------------------------------------------------


def _lines(a: Recording, b: Recording, found: Comparison) -> Iterator[str]:
    for side, recording in (("A", a), ("B", b)):
        yield f"{side}: {recording.path}: {len(recording):,} frames, {recording.dialect.title}"
    if not found.differ:
        if found.tolerance:
            within = f" within {found.tolerance:g}"
        else:
            within = ""
        yield say("The two recordings are the same{within}.", within=within)
        return
    for change in found.header:
        yield f"header: {change.field}: {_shown(change.value_a)} | {_shown(change.value_b)}"
    frames = found.frames
    by = "time" if found.alignment.by_time else "number, as their times do not rise"
    yield (
        f"frames, matched by {by}: {frames.same:,} the same, {frames.differ:,} differ, "
        f"{frames.only_a:,} only in A, {frames.only_b:,} only in B"
    )
    if found.outside:
        yield "bytes outside of frames differ"
    yield from map(_actor_line, found.actors)
    if found.groups:
        yield "by record and field, those of the most frames first:"
        yield from (f"  {_group_line(found, group)}" for group in found.groups[:_GROUPS_TOLD])
    if len(found.groups) > _GROUPS_TOLD:
        yield f"  and {len(found.groups) - _GROUPS_TOLD:,} more, which --json lists"
    if found.left_out:
        yield f"  and {found.left_out:,} differences of more fields"


def _group_line(found: Comparison, group: FieldGroup) -> str:
    first, last = _first(found, group.spans[0]), _first(found, group.spans[-1] - 1)
    if group.frames > 1:
        frames = f"{group.frames:,} frames, {first} to {last}"
    else:
        frames = f"frame {first}"
    parts = [frames, group.change]
    if group.only:
        parts.append(f"only in {group.only.upper()}")
    return f"{group.title}: {', '.join(filter(None, parts))}"


def _actor_line(change: ActorChange) -> str:
    life = change.life_a or change.life_b
    assert life is not None
    actor = f"actor {life.actor} {life.blueprint}"
    if change.life_a is None or change.life_b is None:
        return f"{actor}: only in {'A' if change.life_a else 'B'}"
    return f"{actor}: " + ", ".join(f"{name} {_shown(one)} | {_shown(other)}" for name, one, other in change.fields)


def _details(found: Comparison) -> Iterator[str]:
    for index in range(len(found)):
        pair = found.pair(index)
        if pair.frame_a is None or pair.frame_b is None:
            side, frame = ("A", pair.frame_a) if pair.frame_a is not None else ("B", pair.frame_b)
            assert frame is not None
            yield f"frame {frame + 1} of {side}: only there"
        yield from map(_detail, found.details(index))


def _detail(each: Difference) -> str:
    where = f"frame {each.frame_a + 1}" + (f" | {each.frame_b + 1}" if each.frame_a != each.frame_b else "")
    what = f"{where}: {each.packet}" + (f" {each.id}" if each.id is not None else "")
    if each.level == "field":
        return f"{what} {each.path}: {_shown(each.value_a)} | {_shown(each.value_b)}"
    if each.level == "bytes":
        return f"{what}: the bytes differ"
    if each.level == "packet":
        only = each.packet_b is None
    else:
        only = each.record_b is None
    return f"{what}: only in {'A' if only else 'B'}"


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return f"{value:.9g}"
    return str(value)
