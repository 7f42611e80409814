"""Where to go, in a few characters: `#250` or `f250`, `12.5`, `12.5s` or `0:12.5`, `0x1f4a`, `id:174`."""

import math
import re
from contextlib import suppress
from functools import partial

from ...reading.moments import frame_number, seconds_of
from ...texts import listed, say
from ...views.selection import place_at
from ...views.units import AS_STORED, Units
from ..session import Session
from ..widgets.match_list import Match

HINT = "#250   12.5s   0x1f4a   id:174"

_SECONDS = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))\s*(s?)$")
_OFFSET = re.compile(r"0x([0-9a-f]+)$")
_ACTOR = re.compile(r"id\s*:\s*(\d+)$")


def target_of(session: Session, typed: str, units: Units = AS_STORED) -> Match | None:
    """Find the place that a typed text names.

    Args:
        session: The session.
        typed: The text.
        units: How moments are written.

    Returns:
        The match that goes there; one that says why not, where the recording has no such place; None for other texts.
    """
    text = typed.strip().lower()
    if session.snapshot is None:
        return None
    number = frame_number(text, least=0)  # 0 is told that there is none
    if number is not None:
        return _frame(session, number, units)
    match = _OFFSET.match(text)
    if match:
        return _offset(session, int(match[1], 16))
    match = _ACTOR.match(text)
    if match:
        return _actor(session, int(match[1]))
    match = _SECONDS.match(text)
    if match:
        is_whole = "." not in match[1] and not match[2]
        return _moment(session, float(match[1]), units, whole=is_whole)
    if ":" in text:
        with suppress(ValueError):
            return _moment(session, seconds_of(text), units, whole=False)
    return None


def _frame(session: Session, number: int, units: Units) -> Match:
    snapshot = session.snapshot
    assert snapshot is not None
    if not 1 <= number <= len(snapshot):
        words = say("There is no frame {frame:,}; the recording has {frames:,}.", frame=number, frames=len(snapshot))
        return _nowhere(session, words)
    moment = units.time_label(snapshot.frame(number - 1).elapsed, snapshot.frame(len(snapshot) - 1).elapsed)
    go = partial(session.selection.go_to_frame, number - 1)
    return Match(say("Frame {number:,}", number=number), moment, "", "frame", go)


def _moment(session: Session, seconds: float, units: Units, *, whole: bool) -> Match:
    snapshot = session.snapshot
    assert snapshot is not None
    if not len(snapshot):
        return _nowhere(session, say("This recording has no frames."))
    end = float(snapshot.frame(len(snapshot) - 1).elapsed)
    if seconds < 0 or (math.isfinite(end) and seconds > end + 0.0005):
        sentences = [say("The recording lasts from 0 to {moment}.", moment=units.time_label(end, end))]
        if whole and 1 <= seconds <= len(snapshot):
            sentences.append(say("For frame {seconds:.0f} type #{seconds:.0f}.", seconds=seconds))
        return _nowhere(session, listed(sentences, "sentences"))
    # Times are shown with three decimals; what reads 12.500 may be stored as a little more.
    index = snapshot.frame_at_time(seconds + 0.0005)
    at = units.time_label(float(snapshot.frame(index).elapsed), end)
    if units.has_clock(end):
        wanted = units.time_label(seconds, end)
    else:
        wanted = f"{seconds:g} s"
    go = partial(session.selection.go_to_frame, index)
    return Match(wanted, say("frame {index:,}, {at}", index=index + 1, at=at), "", "clock", go)


def _offset(session: Session, position: int) -> Match:
    snapshot = session.snapshot
    assert snapshot is not None
    if position >= snapshot.size:
        return _nowhere(session, say("The recording ends at {most}.", most=f"0x{max(0, snapshot.size - 1):06x}"))
    row = place_at(snapshot, position).row
    if row < 0:
        place = say("file header")
    else:
        place = say("frame {frame:,}", frame=snapshot.table.frame_of_row(row) + 1)
    go = partial(session.selection.select_byte, position)
    return Match(say("Offset {position}", position=f"0x{position:06x}"), place, "", "bytes", go)


def _actor(session: Session, actor: int) -> Match:
    actors = session.actors
    if actors is not None:
        lives = actors.of_id(actor)
    else:
        lives = ()
    if not lives:
        return _nowhere(session, say("No actor {actor} exists in this recording.", actor=actor))
    go = partial(session.selection.seek_actor, actor)
    return Match(say("Actor {actor}", actor=actor), lives[0].blueprint, "", "target", go)


def _nowhere(session: Session, reason: str) -> Match:
    return Match(reason, "", "", "info", partial(session.refused.emit, reason), enabled=False)
