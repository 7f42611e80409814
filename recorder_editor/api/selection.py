"""The actors and frames that arguments of the facade name: selectors as on the command line, ids, lives, numbers."""

from collections.abc import Iterable, Mapping

from ..reading import Actors, Life, Subset
from ..reading.selectors import Span, find_actors, find_frames
from ..recording import Snapshot
from ..texts import say

ActorsLike = str | int | Life | Iterable[str | int | Life]
"""Actors: a selector (`hero`, `174`, `174@250`, `role:NAME`, `type:vehicle.*`), an id, a life, or several of these."""

MomentLike = str | float | None
"""A moment: seconds (12.5, "0:12.5"), a frame ("f250"), or None for the beginning or the end."""


def find_lives(snapshot: Snapshot, actors: ActorsLike) -> list[Life]:
    """Find the lives of actors.

    Args:
        snapshot: The state of the recording.
        actors: The actors; those of an id are all its lives.

    Returns:
        Each life once, in order of birth.

    Raises:
        SelectorError: An actor is not there.
        TypeError: It is nothing that names actors.
    """
    spans = find_spans(snapshot, actors)
    return [life for life in Actors.of(snapshot) if any(span.overlaps(life) for span in spans)]


def find_spans(snapshot: Snapshot, actors: ActorsLike) -> tuple[Span, ...]:
    """Find actors in the frames in which they are meant; arguments and errors as `find_lives`."""
    return find_actors(snapshot, [_selector(actor) for actor in _each(actors)])


def frames_between(snapshot: Snapshot, start: MomentLike, stop: MomentLike) -> range:
    """Find the frames from one moment up to another, which is exclusive.

    Raises:
        SelectorError: There is no such moment, or no frame.
        TypeError: It is no moment.
    """
    return find_frames(snapshot, _moment_text(start), _moment_text(stop))


def subset_of(
    snapshot: Snapshot, actors: ActorsLike | None, start: MomentLike, stop: MomentLike, step: int = 1
) -> Subset:
    """Return the chosen actors and frames.

    Args:
        snapshot: The state of the recording.
        actors: The actors; None for all.
        start: The first frame.
        stop: The frame behind the last one.
        step: Every step-th frame, from 1.

    Raises:
        SelectorError: An actor or a moment is not there.
        TypeError: It is nothing that names actors or a moment.
        ValueError: The step is not 1 or more.
    """
    if step < 1:
        raise ValueError(say("A step of {step} is not valid; it is a number of frames, from 1.", step=step))
    frames = frames_between(snapshot, start, stop)[::step]
    if actors is None:
        return Subset(frames)
    return Subset(frames, find_spans(snapshot, actors))


def _each(actors: ActorsLike) -> list[str | int | Life]:
    if isinstance(actors, (str, int, Life)) and not isinstance(actors, bool):
        return [actors]
    if isinstance(actors, Iterable) and not isinstance(actors, bytes | Mapping):
        return list(actors)
    raise TypeError(_actors_wanted(actors))


def _selector(actor: object) -> str:
    if isinstance(actor, Life):
        return f"{actor.actor}@{actor.born + 1}"
    if isinstance(actor, str):
        return actor
    if isinstance(actor, bool) or not hasattr(actor, "__index__"):
        raise TypeError(_actors_wanted(actor))
    return str(int(actor.__index__()))  # numbers of NumPy, too


def _actors_wanted(actor: object) -> str:
    return say(
        "{value} names no actor: give an id, a selector as 'hero' or 'type:vehicle.*', a life or several of these.",
        value=repr(actor)[:60],
    )


def _moment_text(moment: MomentLike) -> str | None:
    if moment is None or isinstance(moment, str):
        return moment
    if isinstance(moment, bool) or not hasattr(moment, "__float__"):
        raise TypeError(
            say(
                "{value} is no moment: give seconds (12.5) or a text such as '0:12.5' or 'f250'.",
                value=repr(moment)[:60],
            )
        )
    return f"{float(moment)!r}"
