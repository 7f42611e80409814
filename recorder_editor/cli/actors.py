"""The verb `actors`: a table of all actors."""

import math
from argparse import Namespace
from collections.abc import Callable
from typing import TypedDict

from ..reading import Actors, Life, Trajectory
from ..reading.trajectories import find_trajectories
from ..texts import N_, Measure
from . import options
from .files import open_input
from .output import aligned, frame_times, number_as_json, print_json, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Example: recorder-editor actors a.log --json"""
)

_TEXTS = (1, 7, 8)  # columns that are aligned on the left


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recording(parser)
    options.add_json(parser)


def run(arguments: Namespace) -> None:
    """Print the table."""
    with open_input(arguments.file, arguments.dialect) as recording:
        trajectories = find_trajectories(recording.snapshot, progress_bar(f"Reading {arguments.file.name}"))
        time_of = frame_times(recording.snapshot)
        rows = []
        for life in trajectories.actors:
            rows.append(_life(trajectories.actors, time_of, trajectories.of(life), life))
        if arguments.json:
            print_json({"file": str(arguments.file), "actors": rows})
        else:
            print_lines(_table(rows))


_Row = TypedDict(
    "_Row",
    {
        "id": int,
        "class": str,
        "blueprint": str,
        "role": str,
        "hero": bool,
        "parent": int | None,
        "born": dict[str, object],
        "gone": dict[str, object] | None,
        "distance_m": float | str | None,
        "top_speed_mps": float | str | None,
        "collisions": int,
    },
)
"""A life as JSON."""


def _life(actors: Actors, time_of: Callable[[int], dict[str, object]], trajectory: Trajectory, life: Life) -> _Row:
    parent = actors.parent_of(life)
    return {
        "id": life.actor,
        "class": life.class_,
        "blueprint": life.blueprint,
        "role": life.role_name,
        "hero": life.is_hero,
        "parent": parent.actor if parent is not None else None,
        "born": time_of(life.born),
        "gone": time_of(life.gone) if life.gone is not None else None,
        "distance_m": number_as_json(trajectory.distance),
        "top_speed_mps": None if math.isnan(trajectory.top_speed) else number_as_json(trajectory.top_speed),
        "collisions": trajectory.collisions,
    }


def _number_text(value: float | str | None) -> str:
    if isinstance(value, float):
        return f"{Measure(value):.1f}"
    return "-"


def _frame_text(time_of: dict[str, object] | None) -> str:
    if time_of is not None and time_of["frame"] is not None:
        return str(time_of["frame"])
    return "-"


def _table(rows: list[_Row]) -> list[str]:
    titles = ("id", "class", "born", "gone", "metres", "m/s", "parent", "role", "blueprint")
    lines: list[tuple[str, ...]] = [titles]
    for row in rows:
        lines.append(_cells(row))
    numbers = set(range(len(titles))) - set(_TEXTS)
    return list(aligned(lines, right=numbers))


def _cells(row: _Row) -> tuple[str, ...]:
    return (
        str(row["id"]),
        row["class"],
        _frame_text(row["born"]),
        _frame_text(row["gone"]),
        _number_text(row["distance_m"]),
        _number_text(row["top_speed_mps"]),
        str(row["parent"]) if row["parent"] is not None else "-",
        row["role"] or "-",
        row["blueprint"],
    )
