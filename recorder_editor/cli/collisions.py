"""CARLA's collision report, byte for byte as the server prints it.

TYPE is a letter: h hero, v vehicle, w walker, t traffic light, o other, a any. With --json the same as data, without
the report's quirks. Example: recorder-editor collisions a.log h v
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from typing import Any

from ..queries.reports.collisions import Collision, collision_report, collisions
from ..recording.lives import Life
from .files import WrongUsage, open_input
from .info import add_release
from .options import add_input
from .output import frame_times, print_json, progress_bar, write_bytes

TYPES = "hvwtoa"


def add_arguments(parser: ArgumentParser) -> None:
    """FILE, TYPE1 TYPE2, --json, --release, --utc."""
    add_input(parser)
    parser.add_argument(
        "types",
        nargs="*",
        type=_letter,
        default=[],
        metavar="TYPE",
        help="types of the two actors, as h v (default: a a)",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_release(parser)


def _letter(given: str) -> str:
    if len(given) != 1 or given not in TYPES:
        raise ArgumentTypeError(f"{given!r} is none of {', '.join(TYPES)}")
    return given


def run(arguments: Namespace) -> None:
    """Print the report, or the collisions as data."""
    if len(arguments.types) not in (0, 2):
        raise WrongUsage("Name both types or neither, as in: collisions a.log h v")
    first, second = arguments.types or ("a", "a")
    with open_input(arguments.file, arguments.dialect) as recording:
        snapshot = recording.snapshot
        if arguments.json:
            time_of = frame_times(snapshot)
            rows = [_row(time_of, each) for each in collisions(snapshot, first, second)]
            print_json({"file": str(arguments.file), "types": [first, second], "collisions": rows})
            return
        bar = progress_bar(f"Reading {arguments.file.name}")
        write_bytes(collision_report(snapshot, first, second, utc=arguments.utc, progress=bar))


def _row(time_of: Callable[[int], dict[str, Any]], each: Collision) -> dict[str, Any]:
    last = time_of(each.last)
    return {
        **time_of(each.first),
        "last_frame": last["frame"],
        "last_time": last["time"],
        "records": each.records,
        "actor1": _side(each.actors[0], each.lives[0], each.heroes[0]),
        "actor2": _side(each.actors[1], each.lives[1], each.heroes[1]),
    }


def _side(actor: int, life: Life | None, is_hero: bool) -> dict[str, Any]:
    return {**actor_as_json(actor, life), "hero": is_hero}


def actor_as_json(actor: int, life: Life | None) -> dict[str, Any]:
    """An actor as JSON values; null if the id is unknown."""
    return {
        "id": actor,
        "class": life.class_ if life is not None else None,
        "blueprint": life.blueprint if life is not None else None,
        "role": life.role_name if life is not None else None,
    }
