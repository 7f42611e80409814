"""Chosen traffic events as a file of their own: CSV, JSON, or MCAP with log entries."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from ..format import json_of
from ..option_specs import options_of
from ..reading.events import Events, Thresholds
from ..recording import Snapshot, write_file
from ..roads import RoadMap
from ..texts import listed, say
from .csv_format import csv_lines
from .export_format import UnknownFormatError
from .mcap import packages_missing
from .tables.road_users import EVENT_COLUMNS, event_block


def events_as_csv(snapshot: Snapshot, events: Events) -> bytes:
    """Return events as CSV, with the columns of the table of events."""
    blocks = [event_block(snapshot, events)] if len(events) else []
    return b"".join(csv_lines(EVENT_COLUMNS, blocks))


# --- JSON -------------------------------------------------------------------------------------------------


class _Row(TypedDict):
    kind: str
    start_s: float | None
    end_s: float | None
    frame: int
    actor: int
    other: int | None
    value: float | None
    unit: str
    x_m: float | None
    y_m: float | None
    lane: dict[str, int] | None


"""An event as JSON."""


def events_report(file: str, snapshot: Snapshot, events: Events) -> dict[str, object]:
    """Return what JSON tells of events.

    Args:
        file: The name of the recording.
        snapshot: The state in which they were found.
        events: The events.

    Returns:
        `file`, `events` (a dictionary each), `thresholds` by name, `needs_map` (kinds that were not looked for).
    """
    elapsed = snapshot.elapsed
    lanes = _lanes(snapshot.roads, events)
    rows: list[_Row] = []
    for number, (event, lane) in enumerate(zip(events.table, lanes, strict=True)):
        other = events.other(number)
        rows.append(
            {
                "kind": events.kind(number).name,
                "start_s": _number(elapsed[event["first"]]),
                "end_s": _number(elapsed[event["last"]]),
                "frame": int(event["worst"]) + 1,
                "actor": events.life(number).actor,
                "other": None if other is None else other.actor,
                "value": _number(event["value"]),
                "unit": events.kind(number).unit,
                "x_m": _number(event["x"]),
                "y_m": _number(event["y"]),
                "lane": lane,
            }
        )
    return {
        "file": file,
        "events": rows,
        "thresholds": _thresholds(events.thresholds),
        "needs_map": [kind.name for kind in events.lacking],
    }


def _thresholds(thresholds: Thresholds) -> Mapping[str, float]:
    values = {}
    for declared in options_of(Thresholds):
        values[declared.name] = float(getattr(thresholds, declared.name))
    return values


def _lanes(roads: RoadMap | None, events: Events) -> list[dict[str, int] | None]:
    """Return road and lane of each event; None where there is none."""
    if roads is None:
        return [None] * len(events)
    found: list[dict[str, int] | None] = []
    for row in events.lanes(roads).tolist():
        if row < 0:
            found.append(None)
        else:
            lane = roads.lanes[row]
            found.append({"road": int(lane["road_id"]), "lane": int(lane["lane_id"])})
    return found


def _number(value: float) -> float | None:
    """Return a number to the micrometre or microsecond; None for one that is not finite."""
    if math.isfinite(value):
        return round(float(value), 6)
    return None


def events_as_json(file: str, snapshot: Snapshot, events: Events) -> bytes:
    """Return events as a line of JSON; the arguments are those of `events_report`."""
    return (json_of(events_report(file, snapshot, events)) + "\n").encode()


# --- MCAP -------------------------------------------------------------------------------------------------


def events_as_mcap(snapshot: Snapshot, events: Events) -> bytes:
    """Return events as an MCAP with a `foxglove.Log` each.

    Raises:
        ExportError: The packages of MCAP are not installed.
        ScenarioError: Time is no number, goes back or is out of range.
    """
    try:
        from .mcap_log import log_of_events
    except ImportError:
        raise packages_missing() from None
    return log_of_events(snapshot, events)


# --- by the name of the file ------------------------------------------------------------------------------

SUFFIXES = (".csv", ".json", ".mcap")
"""The endings of files of events."""


def write_events(target: Path, source: Path, snapshot: Snapshot, events: Events, *, overwrite: bool = False) -> None:
    """Write events as the ending of the file says, atomically.

    Args:
        target: The file.
        source: The recording.
        snapshot: The state in which they were found.
        events: The events.
        overwrite: Whether a file that nothing makes again is replaced.

    Raises:
        ExportError: No file of events ends so, or the packages that it needs are not installed.
        ScenarioError: As `events_as_mcap`.
        WouldReplace: The file exists and has to stay.
        OSError: The file cannot be written.
    """
    suffix = target.suffix.lower()
    if suffix == ".csv":
        data = events_as_csv(snapshot, events)
    elif suffix == ".json":
        data = events_as_json(str(source), snapshot, events)
    elif suffix == ".mcap":
        data = events_as_mcap(snapshot, events)
    else:
        raise UnknownFormatError(
            say(
                "Files that end in “{ending}” cannot be written; there are {endings}.",
                ending=suffix,
                endings=listed(SUFFIXES),
            )
        )
    write_file(target, data, overwrite=overwrite)
