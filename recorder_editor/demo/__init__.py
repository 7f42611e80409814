"""A synthetic recording: a small town with traffic, in any dialect.

`make_town` streams the bytes; the same arguments always give the same bytes.
"""

from collections.abc import Iterator
from itertools import chain

from ..edits.blueprints import Release
from ..edits.new_actors.writer import Writer
from ..format import DEFAULT_DIALECT, DIALECTS, FileHeader
from ..texts import say
from .scenario import Scenario

MAP_NAME = "DemoTown"
FIRST_DATE = 1_735_722_000  # 2025-01-01 09:00 UTC
DATES = 365 * 24


def make_town(
    seconds: float = 30.0,
    *,
    vehicles: int = 24,
    walkers: int = 16,
    lights: int = 4,
    seed: int = 1,
    dialect: str = DEFAULT_DIALECT,
    step: float = 0.05,
    collision: bool = True,
) -> Iterator[bytes]:
    """Return the bytes of a recording of a small town, in pieces: the file header, then a frame at a time.

    Args:
        seconds: Elapsed time of the last frame, rounded to whole steps: 0 to 1e6.
        vehicles: The most vehicles at a time, bicycles and parked cars among them: 0 to 5,000. The town grows with
            them.
        walkers: The most walkers at a time: 0 to 5,000. The town grows with them.
        lights: The exact number of traffic lights: 0 to 2,000.
        seed: Decides the town, its traffic and the date of the recording.
        dialect: The name of the dialect.
        step: Seconds between frames: 0.001 to 10.
        collision: Without it the hero passes the cyclist that it runs into otherwise, and nothing collides.

    Raises:
        KeyError: There is no such dialect.
        ValueError: The numbers make no town.
    """
    target = DIALECTS[dialect]
    if not 0 <= seconds <= 1e6 or not 0.001 <= step <= 10.0:
        raise ValueError(say("A recording lasts 0 seconds or more, in steps of 0.001 to 10 seconds."))
    if not (0 <= vehicles <= 5000 and 0 <= walkers <= 5000 and 0 <= lights <= 2000):
        raise ValueError(say("A town holds 0 to 5,000 vehicles and walkers and 0 to 2,000 traffic lights."))
    scenario = Scenario(
        Release.of(target),
        seconds=seconds,
        step=step,
        vehicles=vehicles,
        walkers=walkers,
        lights=lights,
        seed=seed,
        collision=collision,
    )
    date = FIRST_DATE + 3600 * (seed % DATES)
    header = FileHeader(target.header_version, date, MAP_NAME)
    return chain([header.encode()], map(Writer(target).frame, scenario.frames()))
