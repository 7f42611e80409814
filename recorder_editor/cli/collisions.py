"""The verb `collisions`: CARLA's collision report, or the collisions as data."""

from argparse import Namespace
from collections.abc import Iterator

from ..reading import Actors, Life
from ..recording import Snapshot
from ..reports.collisions import COLLISIONS_READS, LETTERS, collision_report, matches
from ..reports.remarks import remarks
from ..texts import N_, listed, say
from . import options
from .files import WrongUsage, open_input
from .output import frame_times, print_error, print_json, progress_bar, write_bytes
from .parsing import VerbParser
from .report_options import add_release

DESCRIPTION = N_(
    """\
TYPE is a letter: h hero, v vehicle, w walker, t traffic light, o other, a any. With --json the same as data, without
the report's quirks. Example: recorder-editor collisions a.log h v"""
)

TYPES = "hvwtoa"


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recording(parser)
    parser.add_argument(
        "types", nargs="*", default=[], metavar="TYPE", help=say("types of the two actors, as h v (default: a a)")
    )
    options.add_json(parser)
    add_release(parser)


def run(arguments: Namespace) -> None:
    """Print the report, or the collisions as data."""
    if len(arguments.types) not in (0, 2) or not set(arguments.types) <= set(TYPES):
        raise WrongUsage(
            say("Name both types or neither, as in: collisions a.log h v; types are {types}.", types=listed(TYPES))
        )
    first, second = arguments.types or ("a", "a")
    with open_input(arguments.file, arguments.dialect) as recording:
        snapshot = recording.snapshot
        if arguments.json:
            rows = list(_contacts(snapshot, first, second))
            print_json({"file": str(arguments.file), "types": [first, second], "collisions": rows})
            return
        for line in remarks(snapshot, arguments.file, arguments.release, COLLISIONS_READS):
            print_error(line)
        bar = progress_bar(f"Reading {arguments.file.name}")
        write_bytes(collision_report(snapshot, first, second, utc=arguments.utc, progress=bar))


def _contacts(snapshot: Snapshot, first: str, second: str) -> Iterator[dict[str, object]]:
    """Yield the contacts of actors of these types, in either order; `h` is a hero, and a sign or a sensor is `o`."""
    actors = Actors.of(snapshot)
    time_of = frame_times(snapshot)
    for contact in actors.contacts:
        frame = int(contact["first"])
        record = actors.collisions[contact["collision"]]
        actor1, actor2, hero1, hero2 = record[["actor1", "actor2", "hero1", "hero2"]].tolist()
        life1 = actors.at(actor1, frame)
        life2 = actors.at(actor2, frame)
        letter1 = _letter(life1)
        letter2 = _letter(life2)
        in_order = matches(first, letter1, hero1) and matches(second, letter2, hero2)
        if not in_order and not (matches(second, letter1, hero1) and matches(first, letter2, hero2)):
            continue
        last = time_of(int(contact["last"]))
        row = time_of(frame)
        row["last_frame"] = last["frame"]
        row["last_time"] = last["time"]
        row["records"] = int(contact["records"])
        row["actor1"] = actor_as_json(actor1, life1) | {"hero": bool(hero1)}
        row["actor2"] = actor_as_json(actor2, life2) | {"hero": bool(hero2)}
        yield row


def _letter(life: Life | None) -> str:
    """Return the letter of an actor's type."""
    if life is not None and life.type < 4:
        return LETTERS[life.type]
    return "o"


def actor_as_json(actor: int, life: Life | None) -> dict[str, object]:
    """Return an actor as JSON values; null if the id is unknown."""
    return {
        "id": actor,
        "class": life.class_ if life is not None else None,
        "blueprint": life.blueprint if life is not None else None,
        "role": life.role_name if life is not None else None,
    }
