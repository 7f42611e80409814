"""Selectors: typed words that select actors and frames.

Actors are `174`, `174@250`, `hero`, `role:NAME`, `type:vehicle.*`; times and frames are `12.5`, `#250`.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray, BoolArray
from ..errors import RecorderError
from ..recording.snapshot import Snapshot
from ..texts import say
from .actors import Actors
from .lives import Life
from .tracks import Tracks

_ALWAYS = 1 << 40
_LARGEST_ID = 0xFFFFFFFF


class SelectorError(RecorderError):
    """A selector matches no actor or frame of the recording, or is invalid."""


class Span(NamedTuple):
    """An actor in the frames `[start, stop)` of one life; all frames if the id has no EventAdd."""

    actor: int
    start: int
    stop: int


@dataclass(frozen=True)
class Subset:
    """The selected frames and actors of a recording.

    Attributes: `frames` (a rising range of frame indices), `spans` (None: all actors).
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
        stop = _ALWAYS if life.gone is None else life.gone
        if not self.frames or life.born > self.frames[-1] or stop <= self.frames[0]:
            return False
        return self.spans is None or any(
            span.actor == life.actor and span.start < stop and life.born < span.stop for span in self.spans
        )

    def mask(self, ids: AnyArray, frames: AnyArray) -> BoolArray:
        """Which of these ids are selected in these frames: bool[n]."""
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
    """The frames and actors that selectors match; everything without any. Raises `SelectorError`.

    `actors` as in `find_actors`; `start` (inclusive) and `stop` (exclusive) as in `find_frames`, of whose frames every
    `step`-th is selected.
    """
    words = tuple(actors)
    frames = find_frames(snapshot, start, stop)
    if step < 1:
        raise SelectorError(say("A step of {step} is not valid; it is a number of frames, from 1.", step=step))
    return Subset(frames[::step], find_actors(snapshot, words) if words else None)


# --- frames -----------------------------------------------------------------------------------------------


def find_frames(snapshot: Snapshot, start: str | None = None, stop: str | None = None) -> range:
    """The frames from `start` to `stop` (exclusive): times (`12.5`, `500ms`) or frames (`#250`).

    Raises `SelectorError`.
    """
    if start is None:
        first = 0
    else:
        first = _frame(snapshot, start)
    if stop is None:
        end = len(snapshot)
    else:
        end = _frame(snapshot, stop)
    if first >= end and (start is not None or stop is not None):
        bounds = start or say("the beginning"), stop or say("the end")
        raise SelectorError(say("No frame lies from {start} up to {stop}.", start=bounds[0], stop=bounds[1]))
    return range(first, end)


def _frame(snapshot: Snapshot, text: str) -> int:
    """The index of the first frame at or after a time or frame; the number of frames if there is none."""
    number = text.strip().removeprefix("#")
    if number != text.strip():
        if not (number.isascii() and number.isdigit()) or int(number[:18]) < 1:
            raise SelectorError(say("“{text}” is not a frame; they count from #1.", text=text))
        return min(int(number[:18]) - 1, len(snapshot))
    seconds = _seconds(text)
    elapsed = snapshot.elapsed
    back = np.flatnonzero(~((elapsed[1:] >= elapsed[:-1]) & np.isfinite(elapsed[:-1])))
    if len(back) or np.isnan(elapsed[:1]).any():
        if len(back):
            where = int(back[0]) + 2
        else:
            where = 1
        raise SelectorError(
            say("Time does not rise at frame {where}; name frames instead, as in #250.", where=where), frame=where
        )
    return int(np.searchsorted(elapsed, seconds, side="left"))


def _seconds(text: str) -> float:
    """The seconds of a number with the unit s, ms, min or none."""
    match = re.fullmatch(r"\s*([-+.0-9eE]+)\s*(s|ms|min|)\s*", text)
    try:
        if match is not None:
            number = float(match[1])
        else:
            number = math.nan
    except ValueError:
        number = math.nan
    if match is None or math.isnan(number):
        raise SelectorError(
            say("“{text}” is not a time; write seconds, as in 12.5, or a frame, as in #250.", text=text)
        )
    if match[2] == "ms":
        return number / 1000
    if match[2] == "min":
        return number * 60
    return number


# --- actors -----------------------------------------------------------------------------------------------


def find_actors(snapshot: Snapshot, words: Sequence[str]) -> tuple[Span, ...]:
    """The actors that selectors match, each once. Raises `SelectorError` for a word that matches none.

    `ID` (all its lives), `ID@N` (the life at frame N), `hero`, `role:NAME`, `type:vehicle.*` (* and ? are wildcards).
    """
    actors = Actors.of(snapshot)
    found: dict[Span, None] = {}
    for word in words:
        found.update(dict.fromkeys(_named(snapshot, actors, word.strip())))
    return tuple(found)


def _named(snapshot: Snapshot, actors: Actors, word: str) -> list[Span]:
    kind, colon, pattern = word.partition(":")
    if word == "hero":
        return _spans([life for life in actors if life.is_hero], say("There is no hero in this recording."))
    if colon and kind == "role":
        lives = [life for life in actors if life.role_name and fnmatchcase(life.role_name, pattern)]
        return _spans(lives, say("No actor has the role name “{pattern}”.", pattern=pattern))
    if colon and kind == "type":
        lives = [life for life in actors if fnmatchcase(life.blueprint, pattern)]
        return _spans(lives, say("No actor has the blueprint “{pattern}”.", pattern=pattern))
    form = re.fullmatch(r"([0-9]{1,18})(?:@#?([0-9]{1,18}))?", word)
    if form is None:
        raise SelectorError(
            say("“{word}” names no actor; write an id, ID@FRAME, hero, role:NAME or type:vehicle.*", word=word)
        )
    actor = int(form[1])
    if form[2] is not None:
        frame = int(form[2])
        life = None
        if frame <= len(snapshot):
            life = actors.at(actor, frame - 1)
        return _spans(
            [] if life is None else [life],
            say("Actor {actor} is not alive in frame {frame}.", actor=actor, frame=frame),
        )
    if not actors.of_id(actor) and not _has_positions(snapshot, actor):
        raise SelectorError(say("There is no actor {actor} in this recording.", actor=actor))
    return [Span(actor, 0, _ALWAYS)]


def _spans(lives: Sequence[Life], message: str) -> list[Span]:
    if not lives:
        raise SelectorError(message)
    return [Span(life.actor, life.born, _ALWAYS if life.gone is None else life.gone) for life in lives]


def _has_positions(snapshot: Snapshot, actor: int) -> bool:
    """Whether an id without an EventAdd has positions, as in recordings without their beginning."""
    if actor > _LARGEST_ID:
        return False
    return next(Tracks(snapshot).blocks("positions", [actor]), None) is not None
