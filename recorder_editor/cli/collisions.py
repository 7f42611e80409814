"""The verb `collisions`: CARLA's collision report, or the collisions as data."""

from argparse import Namespace
from collections.abc import Iterator

from ..reading import Actors, Life
from ..recording import Snapshot
from ..reports.collisions import COLLISIONS_READS, LETTERS, collision_report, matches
from ..reports.remarks import remarks
from ..texts import N_, say
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
        raise WrongUsage(f"Name both types or neither, as in: collisions a.log h v; types are {', '.join(TYPES)}")
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
    """The contacts of actors of these types, in either order; `h` is a hero here, and a sign or a sensor is `o`."""
    actors = Actors.of(snapshot)
    time_of = frame_times(snapshot)
    for contact in actors.contacts:
        frame = int(contact["first"])
        record = actors.collisions[contact["collision"]]
        ids = record[["actor1", "actor2"]].tolist()
        heroes = record[["hero1", "hero2"]].tolist()
        lives = [actors.at(actor, frame) for actor in ids]
        letters = []
        for life in lives:
            letters.append(LETTERS[life.type] if life is not None and life.type < 4 else "o")
        if not any(all(map(matches, pair, letters, heroes)) for pair in ((first, second), (second, first))):
            continue
        last = time_of(int(contact["last"]))
        sides = zip(ids, lives, heroes, strict=True)
        yield {
            **time_of(frame),
            "last_frame": last["frame"],
            "last_time": last["time"],
            "records": int(contact["records"]),
            **{
                f"actor{number}": {**actor_as_json(actor, life), "hero": bool(hero)}
                for number, (actor, life, hero) in enumerate(sides, 1)
            },
        }


def actor_as_json(actor: int, life: Life | None) -> dict[str, object]:
    """An actor as JSON values; null if the id is unknown."""
    return {
        "id": actor,
        "class": life.class_ if life is not None else None,
        "blueprint": life.blueprint if life is not None else None,
        "role": life.role_name if life is not None else None,
    }
