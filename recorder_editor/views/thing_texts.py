"""The texts of a thing that differs between two recordings: what it is, where it is, and how it differs."""

from typing import TYPE_CHECKING

from ..reading import Actors, Life
from ..recording import Snapshot
from ..texts import listed, say, say_count
from .describe import icon_of
from .units import Units

if TYPE_CHECKING:
    from ..reports.diff import Comparison, Thing

_MOST_NAMES = 3  # actors or packets that are named in a row


def life_of(comparison: "Comparison", thing: "Thing") -> Life | None:
    """Return the first life of an actor, in the recording that has it; None for other things."""
    if thing.kind not in ("actor", "carried"):
        return None
    snapshots: tuple[Snapshot, ...] = (comparison.a, comparison.b)
    if thing.only == "b":
        snapshots = (comparison.b,)
    for snapshot in snapshots:
        lives = Actors.of(snapshot).of_id(thing.ids[0])
        if lives:
            return lives[0]
    return None


def thing_icon(comparison: "Comparison", thing: "Thing") -> str:
    """Return the name of the icon of a thing."""
    life = life_of(comparison, thing)
    if life is not None and len(thing.ids) == 1:
        return icon_of(life)
    icons = {"actor": "record", "carried": "actors", "frames": "frame", "header": "header", "outside": "raw"}
    return icons.get(thing.kind, "packet")


def thing_title(thing: "Thing") -> str:
    """Return what a thing is, as in `Actor 3946` and `Frames 541 to 555`."""
    if thing.kind in ("actor", "carried"):
        names = [str(actor) for actor in thing.ids[:_MOST_NAMES]]
        if len(thing.ids) > _MOST_NAMES:
            return say("{count:,} actors", count=len(thing.ids))
        if len(names) > 1:
            return say("Actors {actors}", actors=listed(names, "and"))
        return say("Actor {actor}", actor=names[0])
    if thing.kind == "frames" and thing.frames == 1:
        return say("Frame {frame:,}", frame=thing.first + 1)
    if thing.kind == "frames":
        return say("Frames {first:,} to {last:,}", first=thing.first + 1, last=thing.last + 1)
    if thing.kind == "header":
        return say("File header")
    if thing.kind == "outside":
        return say("Bytes outside of frames")
    if thing.kind == "order":
        return say("Order of packets and records")
    return say(thing.packet)


def thing_state(thing: "Thing") -> str:
    """Return how a thing differs, in a word or two."""
    if thing.only == "a":
        return say("only here")
    if thing.only == "b":
        return say("only there")
    if thing.moved:
        return say("moved")
    if thing.turned:
        return say("turned")
    return say("differs")


def thing_detail(comparison: "Comparison", thing: "Thing", units: Units) -> str:
    """Return what else there is to say of a thing: its blueprint, its frames, by how much it differs."""
    if thing.kind == "frames":
        return _frames_detail(comparison, thing, units)
    if thing.kind == "header":
        return _header_detail(comparison)
    if thing.kind in ("outside", "carried"):
        return ""
    first, last = own_frames(comparison, thing)
    count = thing.frames
    life = life_of(comparison, thing)
    if thing.only and life is not None:
        # Without the frame in which it is destroyed.
        snapshot = comparison.b if thing.only == "b" else comparison.a
        span = life.within(range(len(snapshot)))
        first = span.start
        last = span.stop - 1
        count = len(span)
    numbers = f"{first + 1:,}"
    if last != first:
        numbers = say("{first:,} to {last:,}", first=first + 1, last=last + 1)
    clauses = [say_count("1 frame", "{count:,} frames", count=count), numbers]
    if thing.only and life is not None:
        clauses.insert(0, life.blueprint)
    elif thing.moved:
        # The place is stored in centimetres.
        clauses.append(say("by at most {distance}", distance=units.text(thing.moved / 100, "m", 3)))
    elif thing.others:
        names = sorted(thing.others)
        clauses.extend(say(name) for name in names[:_MOST_NAMES])
    return listed(clauses, "clauses")


def own_frames(comparison: "Comparison", thing: "Thing") -> tuple[int, int]:
    """Return the first and the last frame in which a thing differs; of a frame that is not here, the one there."""
    first, last = comparison.alignment.pairs[[thing.spans[0], thing.spans[-1] - 1]].tolist()
    return _frame_of_pair(first), _frame_of_pair(last)


def _frame_of_pair(pair: list[int]) -> int:
    return pair[0] if pair[0] >= 0 else pair[1]


def _frames_detail(comparison: "Comparison", thing: "Thing", units: Units) -> str:
    """Return `15 frames, 27.000 s to 27.700 s`."""
    snapshot = comparison.b if thing.only == "b" else comparison.a
    times = snapshot.elapsed[[thing.first, thing.last]].tolist()
    count = say_count("1 frame", "{count:,} frames", count=thing.frames)
    end = float(snapshot.elapsed[-1])
    first, last = (units.time_label(seconds, end) for seconds in times)
    if thing.frames == 1:
        return listed((count, first), "clauses")
    return listed((count, say("{start} to {end}", start=first, end=last)), "clauses")


def _header_detail(comparison: "Comparison") -> str:
    """Return the fields that differ, as in `map Town05, there Town07`."""
    clauses = []
    for change in comparison.header:
        value_a = "–" if change.value_a is None else str(change.value_a)
        value_b = "–" if change.value_b is None else str(change.value_b)
        clauses.append(say("{field} {here}, there {there}", field=change.field, here=value_a, there=value_b))
    return listed(clauses, "clauses")


def spoken_thing(comparison: "Comparison", thing: "Thing", units: Units, reason: str) -> str:
    """Return a thing in one line, for screen readers; with the reason why it cannot be taken over."""
    parts = [thing_title(thing), thing_state(thing), thing_detail(comparison, thing, units), reason]
    return listed([part for part in parts if part], "clauses")
