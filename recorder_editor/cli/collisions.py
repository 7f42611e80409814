"""CARLA's collision report, byte for byte as the server prints it.

TYPE is a letter: h hero, v vehicle, w walker, t traffic light, o other, a any. With --json the same as data, without
the report's slips. Example: recorder-editor collisions a.log h v
"""

import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from ..queries.reports import Collision, collision_report, collisions
from ..recording.lives import Life
from ..recording.recording import Recording
from .files import WrongUsage, add_input, number, opened, progress, say_json
from .info import add_release, release_of

TYPES = "hvwtoa"


def add_arguments(parser: ArgumentParser) -> None:
    """FILE, TYPE1 TYPE2, --json, --release, --utc."""
    add_input(parser)
    parser.add_argument(
        "types", nargs="*", choices=[*TYPES, []], default=[], metavar="TYPE",
        help="what one side and the other has to be (default: a a)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_release(parser)


def run(arguments: Namespace) -> bool:
    """Print the report, or the collisions as data."""
    if len(arguments.types) not in (0, 2):
        raise WrongUsage("Name both types or neither, as in: collisions a.log h v")
    first, second = arguments.types or ("a", "a")
    with opened(arguments.file, arguments.dialect) as recording:
        snapshot = recording.snapshot
        if arguments.json:
            rows = [_row(recording, each) for each in collisions(snapshot, first, second)]
            say_json({"file": str(arguments.file), "types": [first, second], "collisions": rows})
            return True
        shown = progress(f"Reading {arguments.file.name}")
        for piece in collision_report(
            snapshot, first, second, family=release_of(arguments), utc=arguments.utc, progress=shown
        ):
            sys.stdout.buffer.write(piece)
    return True


def _row(recording: Recording, each: Collision) -> dict[str, Any]:
    elapsed = recording.snapshot.elapsed
    return {
        "frame": each.first + 1,
        "time": number(float(elapsed[each.first])),
        "last_frame": each.last + 1,
        "last_time": number(float(elapsed[each.last])),
        "records": each.records,
        "actor1": _side(each.actors[0], each.lives[0], each.heroes[0]),
        "actor2": _side(each.actors[1], each.lives[1], each.heroes[1]),
    }


def _side(actor: int, life: Life | None, is_hero: bool) -> dict[str, Any]:
    return {
        "id": actor,
        "class": life.class_ if life is not None else None,
        "blueprint": life.blueprint if life is not None else None,
        "role": life.role_name if life is not None else None,
        "hero": is_hero,
    }
