"""The verb `diff`: what differs between two recordings, as text or as data."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from ..format import json_of
from ..format.schema import Value
from ..formats.dump import json_value
from ..reading import Life
from ..recording import Recording
from ..reports.diff import ActorChange, Comparison, Difference, FieldGroup, compare
from ..terminal import Line, Span, Tone
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

_GROUPS_SHOWN = 20


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
        comparison = compare(a.snapshot, b.snapshot, arguments.tolerance, progress_bar("Comparing"))
        if not arguments.json:
            print_lines(_lines(a, b, comparison))
            if arguments.details:
                print_lines(_details(comparison))
        elif arguments.details:
            print_json_lines(_json_lines(a, b, comparison))
        else:
            print_json(summary(a, b, comparison))
    return not comparison.differ


# --- as JSON ----------------------------------------------------------------------------------------------


def _json_lines(a: Recording, b: Recording, comparison: Comparison) -> Iterator[str]:
    """Yield the summary, and each difference."""
    yield json_of(summary(a, b, comparison))
    for index in range(len(comparison)):
        for difference in comparison.details(index):
            yield json_of(_difference(difference))


def summary(a: Recording, b: Recording, comparison: Comparison) -> dict[str, object]:
    """Return the summary, as the guide documents it.

    Args:
        a: The first recording.
        b: The one that it is compared with.
        comparison: Their comparison.
    """
    header = []
    for header_change in comparison.header:
        value_a = text_as_json(header_change.value_a)
        value_b = text_as_json(header_change.value_b)
        header.append({"field": header_change.field, "a": value_a, "b": value_b})
    return {
        "a": _side(a),
        "b": _side(b),
        "differ": comparison.differ,
        "tolerance": comparison.tolerance,
        "aligned_by": "time" if comparison.alignment.by_time else "number",
        "header": header,
        "frames": comparison.frames._asdict(),
        "actors": _actors(comparison),
        "outside": comparison.outside,
        "groups": [_group(comparison, group) for group in comparison.groups],
        "groups_left_out": comparison.left_out,
    }


def _actors(comparison: Comparison) -> dict[str, object]:
    only_a = []
    only_b = []
    changed = []
    for change in comparison.actors:
        if change.life_a and change.life_b:
            for name, value_a, value_b in change.fields:
                changed.append({"id": change.life_a.actor, "field": name, "a": value_a, "b": value_b})
        elif change.life_a:
            only_a.append(_life(change.life_a))
        elif change.life_b:
            only_b.append(_life(change.life_b))
    return {"only_a": only_a, "only_b": only_b, "changed": changed}


def _side(recording: Recording) -> dict[str, object]:
    return {
        "file": str(recording.path),
        "dialect": recording.dialect.name,
        "frames": len(recording),
        "bytes": recording.snapshot.size,
    }


def _life(life: Life) -> dict[str, object]:
    return {"id": life.actor, "blueprint": life.blueprint, "role": life.role_name, "born": life.born + 1}


def _group(comparison: Comparison, group: FieldGroup) -> dict[str, object]:
    low = None
    high = None
    if group.field is not None and group.change:
        low = number_as_json(group.low)
        high = number_as_json(group.high)
    unit = None
    if group.field is not None:
        unit = group.field.unit or None
    return {
        "packet": group.packet,
        "id": group.id,
        "field": group.path or None,
        "in": [group.only] if group.only else ["a", "b"],
        "frames": group.frames,
        "first_frame": _frame_number(comparison, group.spans[0]),
        "last_frame": _frame_number(comparison, group.spans[-1] - 1),
        "low": low,
        "high": high,
        "unit": unit,
    }


def _frame_number(comparison: Comparison, row: int) -> int:
    """Return the number of the first recording's frame in a row of the alignment."""
    return int(comparison.alignment.pairs[row, 0]) + 1


def _difference(difference: Difference) -> dict[str, object]:
    sides = []
    if difference.packet_a is not None:
        sides.append("a")
    if difference.packet_b is not None:
        sides.append("b")
    return {
        "level": difference.level,
        "frame_a": difference.frame_a + 1,
        "frame_b": difference.frame_b + 1,
        "packet": difference.packet,
        "in": sides,
        "record_a": difference.record_a,
        "record_b": difference.record_b,
        "id": difference.id,
        "field": difference.path or None,
        "a": _field_value(difference, difference.value_a),
        "b": _field_value(difference, difference.value_b),
    }


def _field_value(difference: Difference, value: Value | None) -> object:
    """Return the value of a side as JSON; null where no field differs, or the side lacks it."""
    if difference.field is None or value is None:
        return None
    return json_value(difference.field, value)


# --- as text ----------------------------------------------------------------------------------------------


def _lines(a: Recording, b: Recording, comparison: Comparison) -> Iterator[Line]:
    for side, recording in (("A", a), ("B", b)):
        yield f"{side}: {recording.path}: {len(recording):,} frames, {recording.dialect.title}"
    if not comparison.differ:
        within = ""
        if comparison.tolerance:
            within = f" within {comparison.tolerance:g}"
        yield [Span(say("The two recordings are the same{within}.", within=within), "fine")]
        return
    for change in comparison.header:
        yield f"header: {change.field}: {_shown(change.value_a)} | {_shown(change.value_b)}"
    frames = comparison.frames
    by = "time" if comparison.alignment.by_time else "number, as their times do not rise"
    yield [
        Span(f"frames, matched by {by}: "),
        Span(f"{frames.same:,} the same", _tone_of("fine", frames.same)),
        Span(", "),
        Span(f"{frames.differ:,} differ", _tone_of("warning", frames.differ)),
        Span(", "),
        Span(f"{frames.only_a:,} only in A", _tone_of("warning", frames.only_a)),
        Span(", "),
        Span(f"{frames.only_b:,} only in B", _tone_of("warning", frames.only_b)),
    ]
    if frames.reordered:
        yield f"frames that hold the same in another order: {frames.reordered:,}"
    if comparison.outside:
        yield [Span("bytes outside of frames differ", "warning")]
    yield from map(_actor_line, comparison.actors)
    if comparison.groups:
        yield "by record and field, those of the most frames first:"
    for group in comparison.groups[:_GROUPS_SHOWN]:
        yield f"  {_group_line(comparison, group)}"
    if len(comparison.groups) > _GROUPS_SHOWN:
        yield f"  and {len(comparison.groups) - _GROUPS_SHOWN:,} more, which --json lists"
    if comparison.left_out:
        yield f"  and {comparison.left_out:,} differences of more fields"


def _tone_of(tone: Tone, count: int) -> Tone:
    """Return how a number of frames stands out; none at all does not."""
    if count:
        return tone
    return "plain"


def _group_line(comparison: Comparison, group: FieldGroup) -> str:
    first = _frame_number(comparison, group.spans[0])
    last = _frame_number(comparison, group.spans[-1] - 1)
    if group.frames > 1:
        parts = [f"{group.frames:,} frames, {first} to {last}"]
    else:
        parts = [f"frame {first}"]
    if group.change:
        parts.append(group.change)
    if group.only:
        parts.append(f"only in {group.only.upper()}")
    return f"{group.title}: {', '.join(parts)}"


def _actor_line(change: ActorChange) -> str:
    life = change.life_a or change.life_b
    assert life is not None
    actor = f"actor {life.actor} {life.blueprint}"
    if change.life_b is None:
        return f"{actor}: only in A"
    if change.life_a is None:
        return f"{actor}: only in B"
    fields = []
    for name, value_a, value_b in change.fields:
        fields.append(f"{name} {_shown(value_a)} | {_shown(value_b)}")
    return f"{actor}: {', '.join(fields)}"


def _details(comparison: Comparison) -> Iterator[str]:
    for index in range(len(comparison)):
        pair = comparison.pair(index)
        if pair.frame_a is None:
            assert pair.frame_b is not None
            yield f"frame {pair.frame_b + 1} of B: only there"
        elif pair.frame_b is None:
            yield f"frame {pair.frame_a + 1} of A: only there"
        yield from map(_detail, comparison.details(index))


def _detail(difference: Difference) -> str:
    what = f"frame {difference.frame_a + 1}"
    if difference.frame_a != difference.frame_b:
        what += f" | {difference.frame_b + 1}"
    what += f": {difference.packet}"
    if difference.id is not None:
        what += f" {difference.id}"
    if difference.level == "field":
        return f"{what} {difference.path}: {_shown(difference.value_a)} | {_shown(difference.value_b)}"
    if difference.level == "bytes":
        return f"{what}: the bytes differ"
    if difference.level == "packet":
        is_only_in_a = difference.packet_b is None
    else:
        is_only_in_a = difference.record_b is None
    return f"{what}: only in {'A' if is_only_in_a else 'B'}"


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return f"{value:.9g}"
    return str(value)
