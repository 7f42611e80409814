"""The verb `events`: traffic events as a table or JSON, and each as a recording of its own."""

import math
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ..arrays import BoolArray
from ..edits.trim import losses_before, part_of
from ..formats.event_files import SUFFIXES, events_report, write_events
from ..reading.events import KINDS, EventName, Events, Thresholds, find_events
from ..reading.events.moments import Seconds, moments_about
from ..reading.selectors import find_subset
from ..recording import Recording
from ..recording.existing import refuse_existing
from ..recording.save import save_copies
from ..suggestions import did_you_mean
from ..terminal import Line, Span, Tone
from ..texts import N_, Measure, listed, say, say_count
from . import options
from .editing import print_losses
from .files import Unreadable, WrongUsage, find_lanes, may_replace, open_input, recordings_of, refuse_inputs
from .output import Exit, aligned, print_error, print_json, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Near misses, collisions, short PET, hard braking, cut-ins, red lights passed and more; the guide says what each is.
Lane changes, wrong way and off the road need a road map. --trim writes so many seconds before and after each event.
Example: recorder-editor events a.log --kinds near-miss,collision --trim 5 --out-dir moments"""
)

_BAD = 0.6  # collisions, and what was as near to one
_DOUBTFUL = 0.3  # what breaks a rule

_NAMES = tuple(kind.name for kind in KINDS)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=say("recordings, and folders of them"))
    parser.add_argument(
        "--kinds",
        type=_kinds,
        metavar="KIND,...",
        help=say("only these kinds (default: all): {names}", names=", ".join(_NAMES)),
    )
    parser.add_argument(
        "--actors",
        action="append",
        default=[],
        metavar="WHO",
        help=say("only events of these actors: hero, 174, type:vehicle.*; may be repeated, or with commas"),
    )
    options.add_declared(parser, Thresholds)
    parser.add_argument(
        "--trim",
        type=options.not_negative,
        metavar="S",
        help=say("write each event with so many seconds before and after its worst moment"),
    )
    parser.add_written("--out-dir", kind="folder", metavar="D", help=say("the folder for these; created if missing"))
    parser.add_written(
        "--out",
        kind="file",
        metavar="OUT",
        help=say("write the events of one recording to this file: {endings}", endings=listed(SUFFIXES)),
    )
    options.add_road_map(parser)
    options.add_damaged(parser)
    options.add_json(parser)
    options.add_dialect(parser)


def _kinds(given: str) -> frozenset[EventName]:
    """Parse names of kinds with commas between."""
    chosen: set[EventName] = set()
    for name in given.split(","):
        found = next((known for known in _NAMES if known == name.strip()), None)
        if found is None:
            meant = did_you_mean(name, _NAMES)
            raise ArgumentTypeError(
                say("{name} is no kind of event.{meant}", name=options.quoted(name), meant=meant)
                + " "
                + say("Kinds are {names}.", names=listed(_NAMES))
            )
        chosen.add(found)
    return frozenset(chosen)


def run(arguments: Namespace) -> Exit:
    """Print the events of all recordings, and write the seconds about them where that is asked for."""
    if (arguments.trim is None) != (arguments.out_dir is None):
        raise WrongUsage(say("--trim and --out-dir go together."))
    thresholds = options.declared_options(arguments, Thresholds)
    paths = list(recordings_of(arguments.files))
    if arguments.out is not None and len(paths) > 1:
        raise WrongUsage(say("--out is for the events of one recording."))
    code = Exit.OK
    reports = []
    unreadable = []
    for path in paths:
        try:
            is_damaged_read = arguments.damaged or arguments.trim is None
            with open_input(path, arguments.dialect, damaged=is_damaged_read, xodr=arguments.xodr) as recording:
                if arguments.xodr is None:
                    find_lanes(recording)
                events = _find(recording, arguments, thresholds)
                if arguments.trim is not None and _write_moments(recording, events, arguments):
                    code = Exit.LOSS
                if arguments.out is not None:
                    _write_events(recording, events, arguments)
                if arguments.json:
                    reports.append(events_report(str(path), recording.snapshot, events))
                elif arguments.out is None:
                    print_lines(_lines(path, recording, events, len(paths)))
        except Unreadable as error:
            unreadable.append(error.args[0])
    if arguments.json and reports:
        print_json(reports[0] if len(paths) == 1 else reports)
    if unreadable:
        raise Unreadable(listed(unreadable, "sentences"))
    return code


def _write_events(recording: Recording, events: Events, arguments: Namespace) -> None:
    """Write the events as a file."""
    out = arguments.out
    write_events(out, recording.path, recording.snapshot, events, overwrite=arguments.overwrite)
    print_error(say_count("{path}: 1 event.", "{path}: {count:,} events.", path=out, count=len(events)))


def _find(recording: Recording, arguments: Namespace, thresholds: Thresholds) -> Events:
    """Find the events that were asked for, and say which could not be looked for."""
    bar = progress_bar(say("Reading {name}", name=recording.path.name))
    events = find_events(recording.snapshot, thresholds, arguments.kinds, progress=bar)
    if events.lacking and len(recording.snapshot):
        names = listed([kind.name for kind in events.lacking])
        print_error(say(_why_lacking(recording), name=recording.path.name, kinds=names))
    return events.of(_of_actors(recording, events, arguments.actors))


def _why_lacking(recording: Recording) -> str:
    """Return why kinds that need a road map were not looked for."""
    if recording.snapshot.roads is None:
        return N_("{name}: no {kinds}: these need the road map (--xodr).")
    return N_("{name}: no {kinds}: the road map is that of another town or release.")


def _of_actors(recording: Recording, events: Events, selectors: Sequence[str]) -> BoolArray:
    """Return which events are of the chosen actors."""
    actors = []
    for text in selectors:
        actors.extend(text.split(","))
    if not actors:
        return np.ones(len(events), np.bool_)
    subset = find_subset(recording.snapshot, actors)
    holds = np.array([*(subset.holds(life) for life in events.users.actors), False], np.bool_)
    return np.asarray(holds[events.table["life"]] | holds[events.table["other"]])


# --- as text ----------------------------------------------------------------------------------------------


def _lines(path: Path, recording: Recording, events: Events, files: int) -> Iterator[Line]:
    if files > 1:
        yield f"{path}:"
    if not len(events):
        yield say("No events in {count:,} frames.", count=len(recording))
        return
    elapsed = recording.snapshot.elapsed
    titles = ("event", "start", "end", "frame", "actor", "other", "value", "unit", "blueprint")
    rows: list[Sequence[str]] = [titles]
    for number, event in enumerate(events.table):
        other = events.other(number)
        rows.append(
            (
                events.kind(number).name,
                f"{Measure(elapsed[event['first']]):.3f}",
                f"{Measure(elapsed[event['last']]):.3f}",
                str(int(event["worst"]) + 1),
                str(events.life(number).actor),
                "-" if other is None else str(other.actor),
                f"{Measure(event['value']):.3f}" if math.isfinite(event["value"]) else "-",
                events.kind(number).unit,
                events.life(number).blueprint,
            )
        )
    head, *lines = aligned(rows, right=(1, 2, 3, 4, 5, 6))
    yield [Span(head, "faint")]
    for line, event in zip(lines, events.table, strict=True):
        name, gap, rest = line.partition(" ")
        yield [Span(name, _tone(float(event["severity"]))), Span(gap + rest)]


def _tone(severity: float) -> Tone:
    """Return how an event of a severity, 0 to 1, stands out."""
    if severity >= _BAD:
        return "error"
    if severity >= _DOUBTFUL:
        return "warning"
    return "plain"


# --- each event as a recording ----------------------------------------------------------------------------


def _write_moments(recording: Recording, events: Events, arguments: Namespace) -> bool:
    """Write the seconds about each event to the folder; returns whether packets that may hold on were cut away."""
    seconds = Seconds(before=arguments.trim, after=arguments.trim)
    parts = list(moments_about(recording.snapshot, events, seconds, recording.path))
    paths = [arguments.out_dir / name for name, _ in parts]
    for path in paths:
        refuse_inputs(arguments, path)
    if not may_replace(arguments):
        refuse_existing(paths, is_recording=True)
    copies = ((name, part_of(recording, frames), progress_bar(f"Writing {name}")) for name, frames in parts)
    save_copies(arguments.out_dir, copies, overwrite=arguments.overwrite)
    losses = losses_before(recording, [frames for _, frames in parts])
    print_losses(recording.path.name, losses)
    for path, (_, frames) in zip(paths, parts, strict=True):
        print_error(say("{path}: frames {first} to {last}.", path=path, first=frames.start + 1, last=frames.stop))
    return bool(losses)
