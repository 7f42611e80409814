"""`show_recorder_collisions`: the collisions of actors as text.

Like the simulator's, the report loses names of actors when one is destroyed (format reference 7.2).
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..progress import SILENT, Progress
from ..reading.actors import NO_ACTOR
from ..recording import Frame, Packet, Snapshot
from .text import (
    added_actors,
    format_whole,
    pad,
    read_rows,
    report_footer,
    report_header,
    report_without_header,
    rows_with_events,
)

LETTERS = "ovwtha"
"""The letters of filters: other, vehicle, walker, traffic light, hero, any. The report prints the letter at the index
of the actor type, so that a traffic sign is an `h` and a sensor an `a`."""

_COLUMNS = b"    Time  Types     Id %s     Id %s\n" % (pad(b"Actor 1"), pad(b"Actor 2"))

_ADD = "EventAdd"
_DELETE = "EventDel"
_COLLISION = "Collision"

COLLISIONS_READS = frozenset((_ADD, _DELETE, _COLLISION))
"""The packets that this report reads by their content; it skips others by their size."""


def collision_report(
    snapshot: Snapshot, first: str = "a", second: str = "a", *, utc: bool = False, progress: Progress = SILENT
) -> Iterator[bytes]:
    """Yield the text of `show_recorder_collisions(name, first, second)` in pieces; all families print alike.

    Args:
        snapshot: The recording.
        first: The filter of the first actor, a letter of `LETTERS`.
        second: The filter of the second one.
        utc: The date is in UTC, not in local time.
        progress: Counts rows.

    Raises:
        Cancelled: The user cancelled it.
    """
    if snapshot.header is None:
        yield report_without_header(snapshot)
        return
    yield report_header(snapshot, utc=utc) + _COLUMNS
    writer = _ReportWriter(first, second)
    rows = rows_with_events(snapshot, ("born", "gone", "collision"), progress)
    for row in read_rows(snapshot, rows, progress):
        if isinstance(row, Frame):
            writer.begin_frame(row)
        for packet in row.packets:
            yield from writer.packet_lines(packet)
    yield report_footer(snapshot, is_whole=writer.has_rows)


class _KnownActor(NamedTuple):
    """An actor in the report.

    Attributes:
        type: Its type code.
        name: Its blueprint.
    """

    type: int = 0
    name: bytes = b""


class _ReportWriter:
    """Formats collisions.

    Attributes:
        has_rows: A row was printed, which changes the flags of the stream.
    """

    def __init__(self, first: str, second: str) -> None:
        self._first_filter = first
        self._second_filter = second
        self._known: dict[int, _KnownActor] = {}
        self._last_added: int | None = None
        self._frame: int | None = None
        self._elapsed = 0.0
        self._before: set[tuple[int, int]] = set()
        self._now: set[tuple[int, int]] = set()
        self.has_rows = False

    def begin_frame(self, frame: Frame) -> None:
        """Start a frame: pairs that also collided in the frame before are not printed again."""
        if self._frame is not None and frame.index == self._frame + 1:
            self._before = self._now
        else:
            self._before = set()
        self._now = set()
        self._frame = frame.index
        self._elapsed = frame.elapsed

    def packet_lines(self, packet: Packet) -> Iterator[bytes]:
        """Yield the lines of the report for a packet."""
        body = packet.decoded
        if packet.name == _ADD:
            for actor, kind, blueprint in added_actors(body):
                self._last_added = actor
                self._known[actor] = _KnownActor(kind, blueprint)
        elif packet.name == _DELETE and len(body) and self._last_added is not None:
            # The simulator removes the actor that was added last, whichever the packet names.
            self._known.pop(self._last_added, None)
        elif packet.name == _COLLISION:
            for actor_1, actor_2, hero_1, hero_2 in body.array[["actor1", "actor2", "hero1", "hero2"]].tolist():
                yield from self._collision_line((actor_1, actor_2), (hero_1, hero_2))

    def _collision_line(self, pair: tuple[int, int], heroes: tuple[int, int]) -> Iterator[bytes]:
        """The line of a collision, unless a filter leaves it out or the frame before had it."""
        first, second = pair
        first_actor = self._known.setdefault(first, _KnownActor())
        second_actor = self._known.setdefault(second, _KnownActor())
        first_letter = _letter(first, first_actor.type)
        second_letter = _letter(second, second_actor.type)
        if not matches(self._first_filter, first_letter, heroes[0]):
            return
        if not matches(self._second_filter, second_letter, heroes[1]):
            return
        self._now.add(pair)
        if pair in self._before:
            return
        self.has_rows = True
        begin = f"{format_whole(self._elapsed):>8}   {first_letter} {second_letter}  {first:6d} "
        middle = f" {second:6d} "
        yield begin.encode() + pad(first_actor.name) + middle.encode() + pad(second_actor.name) + b"\n"


def _letter(actor: int, type_code: int) -> str:
    """The letter of an actor's type; `?` beyond the table, where the simulator reads undefined memory."""
    if actor == NO_ACTOR:
        return "o"
    if type_code < len(LETTERS):
        return LETTERS[type_code]
    return "?"


def matches(wanted: str, letter: str, is_hero: int) -> bool:
    """Return whether an actor passes a filter.

    Args:
        wanted: The filter, a letter of `LETTERS`.
        letter: The letter of the actor's type.
        is_hero: Whether it is a hero, as a number.
    """
    return wanted in ("a", letter) or (wanted == "h" and bool(is_hero))
