"""The words by which the command line is told what a form asks for: whose, over which frames, how much."""

from collections.abc import Sequence

from ...recording.actors import Actors
from ...recording.lives import Life
from ...recording.snapshot import Snapshot


def whose(snapshot: Snapshot, lives: Sequence[Life]) -> str:
    """Lives by id, as in `174,180@12`: with a frame (counted from 1) where the id has other lives, too."""
    actors = Actors.of(snapshot)
    alone = {life.actor for life in lives if len(actors.of_id(life.actor)) == 1}
    return ",".join(str(life.actor) if life.actor in alone else f"{life.actor}@{life.born + 1}" for life in lives)


def over(snapshot: Snapshot, frames: range | None) -> list[str]:
    """The options for frames; none for all there are."""
    if frames is None:
        return []
    until = ["--to", f"#{frames.stop + 1}"] if frames.stop < len(snapshot) else []
    return ["--from", f"#{frames.start + 1}", *until]


def plain(number: float) -> str:
    """A number as short as it can be written without becoming another one."""
    return repr(float(number)).removesuffix(".0")


def listed(*numbers: float) -> str:
    """Several numbers, as in `1,2.5,0`."""
    return ",".join(map(plain, numbers))


def option(name: str, number: float | None) -> list[str]:
    """An option with its number; nothing for 0 and for none."""
    return [f"{name}={plain(number)}"] if number else []
