"""Selectors: typed words that select actors and frames.

Actors are `174`, `174@250`, `hero`, `role:NAME`, `type:vehicle.*`; times and frames are `12.5`, `0:12.5`, `f250`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray, BoolArray
from ..errors import RecorderError
from ..recording.snapshot import Snapshot
from ..texts import listed, say
from .actors import Actors
from .lives import Life
from .moments import frame_number, seconds_of
from .tracks import Tracks

_ALWAYS = 1 << 40
_LARGEST_ID = 0xFFFFFFFF
_MAX_ROLES = 8  # in a sentence


class SelectorError(RecorderError):
    """A selector matches no actor or frame of the recording, or is invalid."""


class Span(NamedTuple):
    """An actor in some frames of one life; in all frames if the id has no EventAdd.

    Attributes:
        actor: The id.
        start: The first frame index.
        stop: The frame index behind the last one.
    """

    actor: int
    start: int
    stop: int

    def overlaps(self, life: Life) -> bool:
        """Whether a life of the actor is alive in some of the frames."""
        if life.actor != self.actor or life.born >= self.stop:
            return False
        return life.gone is None or self.start < life.gone


@dataclass(frozen=True)
class Subset:
    """The selected frames and actors of a recording.

    Attributes:
        frames: The frame indices, a rising range.
        spans: The selected actors; None for all.
    """

    frames: range
    spans: tuple[Span, ...] | None = None

    @cached_property
    def ids(self) -> tuple[int, ...] | None:
        """The selected ids, rising; None for all actors."""
        if self.spans is None:
            return None
        return tuple(sorted({span.actor for span in self.spans}))

    def holds(self, life: Life) -> bool:
        """Whether a life is selected in some of the frames."""
        if not self.frames or life.born > self.frames[-1]:
            return False
        if life.gone is not None and life.gone <= self.frames[0]:
            return False
        if self.spans is None:
            return True
        return any(span.overlaps(life) for span in self.spans)

    def mask(self, ids: AnyArray, frames: AnyArray) -> BoolArray:
        """Find the ids that are selected in their frames.

        Args:
            ids: The ids of actors, of shape (n,).
            frames: The frame index of each, of shape (n,).

        Returns:
            bool[n].
        """
        selected = np.zeros(len(ids), np.bool_)
        if self.spans is None:
            selected[:] = True
            return selected
        whole = [span.actor for span in self.spans if span.start <= 0 and span.stop >= _ALWAYS]
        if whole:
            selected |= np.isin(ids, np.array(whole, np.uint32))
        for span in self.spans:
            if span.actor not in whole:
                selected |= (ids == span.actor) & (frames >= span.start) & (frames < span.stop)
        return selected


def find_subset(
    snapshot: Snapshot, actors: Iterable[str] = (), start: str | None = None, stop: str | None = None, step: int = 1
) -> Subset:
    """Find the frames and actors that selectors match; everything without any.

    Args:
        snapshot: The state of the recording.
        actors: Selectors of actors, as in `find_actors`; empty for all.
        start: The first frame, as in `find_frames`.
        stop: The frame behind the last one, as in `find_frames`.
        step: Every step-th of these frames is selected, from 1.

    Raises:
        SelectorError: A selector matches nothing or is invalid.
    """
    selectors = tuple(actors)
    frames = find_frames(snapshot, start, stop)
    if step < 1:
        raise SelectorError(say("A step of {step} is not valid; it is a number of frames, from 1.", step=step))
    spans = find_actors(snapshot, selectors) if selectors else None
    return Subset(frames[::step], spans)


# --- frames -----------------------------------------------------------------------------------------------


def find_frames(snapshot: Snapshot, start: str | None = None, stop: str | None = None) -> range:
    """Find the frames between two times or frames, as `moments` reads them.

    Args:
        snapshot: The state of the recording.
        start: The first frame; None for the beginning.
        stop: The frame behind the last one; None for the end.

    Raises:
        SelectorError: A text is no time or frame, or no frame lies between them.
    """
    first = 0
    if start is not None:
        first = _frame(snapshot, start)
    end = len(snapshot)
    if stop is not None:
        end = _frame(snapshot, stop)
    if first >= end and (start is not None or stop is not None):
        raise SelectorError(
            say(
                "No frame lies from {start} up to {stop}. {extent}",
                start=start or say("the beginning"),
                stop=stop or say("the end"),
                extent=_extent_text(snapshot),
            )
        )
    return range(first, end)


def _extent_text(snapshot: Snapshot) -> str:
    """Say which times and frames there are."""
    if not len(snapshot):
        return say("The recording has no frames.")
    return say(
        "The recording lasts from {first:.3f} to {last:.3f} s, frames f1 to f{frames}.",
        first=float(snapshot.elapsed[0]),
        last=float(snapshot.elapsed[-1]),
        frames=len(snapshot),
    )


def _frame(snapshot: Snapshot, text: str) -> int:
    """Return the index of the first frame at or after a time or frame; the number of frames if there is none."""
    number = frame_number(text)
    if number is not None:
        return min(number - 1, len(snapshot))
    if re.match(r"\s*(#|[fF]\s*[-+\d])", text):
        raise SelectorError(say("“{text}” is not a frame; they count from f1.", text=text))
    seconds = _seconds(text)
    elapsed = snapshot.elapsed
    back = np.flatnonzero(~((elapsed[1:] >= elapsed[:-1]) & np.isfinite(elapsed[:-1])))
    if len(back) or np.isnan(elapsed[:1]).any():
        where = int(back[0]) + 2 if len(back) else 1
        raise SelectorError(
            say("Time does not rise at frame {where}; name frames instead, as in f250.", where=where), frame=where
        )
    return int(np.searchsorted(elapsed, seconds, side="left"))


def _seconds(text: str) -> float:
    """Return the seconds of a text that is no frame."""
    try:
        return seconds_of(text)
    except ValueError:
        raise SelectorError(
            say("“{text}” is not a time; write seconds, as in 12.5 or 0:12.5, or a frame, as in f250.", text=text)
        ) from None


# --- actors -----------------------------------------------------------------------------------------------


def find_actors(snapshot: Snapshot, selectors: Sequence[str]) -> tuple[Span, ...]:
    """Find the actors that selectors match, each once.

    Args:
        snapshot: The state of the recording.
        selectors: `ID` (all its lives), `ID@N` (the life at frame N), `hero`, `role:NAME`, `type:vehicle.*` (* and ?
            are wildcards).

    Raises:
        SelectorError: A selector matches no actor.
    """
    actors = Actors.of(snapshot)
    spans: dict[Span, None] = {}
    for selector in selectors:
        spans.update(dict.fromkeys(_matches(snapshot, actors, selector.strip())))
    return tuple(spans)


def _matches(snapshot: Snapshot, actors: Actors, selector: str) -> list[Span]:
    """Return the actors that one selector matches."""
    kind, colon, pattern = selector.partition(":")
    if selector == "hero":
        heroes = [life for life in actors if life.is_hero]
        if not heroes:
            raise SelectorError(_with_roles(actors, say("There is no hero in this recording.")))
        return _spans(heroes)
    if colon and kind == "role":
        lives = [life for life in actors if life.role_name and fnmatchcase(life.role_name, pattern)]
        if not lives:
            raise SelectorError(_with_roles(actors, say("No actor has the role name “{pattern}”.", pattern=pattern)))
        return _spans(lives)
    if colon and kind == "type":
        lives = [life for life in actors if fnmatchcase(life.blueprint, pattern)]
        if not lives:
            raise SelectorError(say("No actor has the blueprint “{pattern}”.", pattern=pattern))
        return _spans(lives)
    form = re.fullmatch(r"([0-9]{1,18})(?:@[#fF]?([0-9]{1,18}))?", selector)
    if form is None:
        raise SelectorError(
            say("“{word}” names no actor; write an id, ID@FRAME, hero, role:NAME or type:vehicle.*", word=selector)
        )
    actor = int(form[1])
    if form[2] is not None:
        return _life_in_frame(snapshot, actors, actor, int(form[2]))
    if not actors.of_id(actor) and not _has_positions(snapshot, actor):
        raise SelectorError(say("There is no actor {actor} in this recording.", actor=actor))
    return [Span(actor, 0, _ALWAYS)]


def _with_roles(actors: Actors, message: str) -> str:
    """Return a sentence that a role is not there, and which roles of road users are: the rarest first, as of an ego."""
    used = Counter(life.role_name for life in actors if life.is_road_user and life.role_name)
    names = sorted(used, key=used.__getitem__)
    if not names:
        return message
    shown = listed(names[:_MAX_ROLES])
    if len(names) > _MAX_ROLES:
        shown = say("{names} and {more:,} more", names=shown, more=len(names) - _MAX_ROLES)
    hint = say("The roles are {names}; one is written role:{name}.", names=shown, name=names[0])
    return listed([message, hint], "sentences")


def _life_in_frame(snapshot: Snapshot, actors: Actors, actor: int, frame: int) -> list[Span]:
    """Return the life of an id in a frame (from 1)."""
    life = None
    if frame <= len(snapshot):
        life = actors.at(actor, frame - 1)
    if life is None:
        raise SelectorError(say("Actor {actor} is not alive in frame {frame}.", actor=actor, frame=frame))
    return _spans([life])


def _spans(lives: Sequence[Life]) -> list[Span]:
    """Return lives as spans."""
    spans = []
    for life in lives:
        spans.append(Span(life.actor, life.born, _ALWAYS if life.gone is None else life.gone))
    return spans


def _has_positions(snapshot: Snapshot, actor: int) -> bool:
    """Whether an id without an EventAdd has positions, as in recordings without their beginning."""
    if actor > _LARGEST_ID:
        return False
    return next(Tracks(snapshot).blocks("positions", [actor]), None) is not None
