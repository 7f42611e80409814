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
    """The text of `show_recorder_collisions(name, first, second)` in pieces; all families print alike.

    `first` and `second` are letters of `LETTERS`. `progress` counts rows. Raises `Cancelled`.
    """
    if snapshot.header is None:
        yield report_without_header(snapshot)
        return
    yield report_header(snapshot, utc=utc) + _COLUMNS
    writer = _ReportWriter(first, second)
    for row in read_rows(snapshot, rows_with_events(snapshot, ("born", "gone", "collision"), progress), progress):
        if isinstance(row, Frame):
            writer.begin_frame(row)
        for packet in row.packets:
            yield from writer.packet_lines(packet)
    yield report_footer(snapshot, is_whole=writer.has_rows)


class _KnownActor(NamedTuple):
    """An actor in the report: type code and blueprint."""

    type: int = 0
    name: bytes = b""


class _ReportWriter:
    """Formats collisions. Attribute: `has_rows` (a row was printed, which changes the flags of the stream)."""

    def __init__(self, first: str, second: str) -> None:
        self._filters = first, second
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
        """The lines of the report for a packet."""
        body = packet.decoded
        if packet.name == _ADD:
            for actor, kind, blueprint in added_actors(body):
                self._last_added = actor
                self._known[actor] = _KnownActor(kind, blueprint)
        elif packet.name == _DELETE and len(body) and self._last_added is not None:
            # The simulator removes the actor that was added last, whichever the packet names.
            self._known.pop(self._last_added, None)
        elif packet.name == _COLLISION:
            for one, other, hero, hero_too in body.array[["actor1", "actor2", "hero1", "hero2"]].tolist():
                yield from self._collision_line((one, other), (hero, hero_too))

    def _collision_line(self, pair: tuple[int, int], heroes: tuple[int, int]) -> Iterator[bytes]:
        known = []
        for actor in pair:
            known.append(self._known.setdefault(actor, _KnownActor()))
        letters = []
        for actor, each in zip(pair, known, strict=True):
            letters.append(_letter(each.type) if actor != NO_ACTOR else "o")
        if not all(map(matches, self._filters, letters, heroes)):
            return
        self._now.add(pair)
        if pair in self._before:
            return
        self.has_rows = True
        text = f"{format_whole(self._elapsed):>8}   {letters[0]} {letters[1]}  {pair[0]:6d} "
        yield text.encode() + pad(known[0].name) + f" {pair[1]:6d} ".encode() + pad(known[1].name) + b"\n"


def _letter(kind: int) -> str:
    """The letter of an actor type; `?` beyond the table, where the simulator reads undefined memory."""
    if kind < len(LETTERS):
        return LETTERS[kind]
    return "?"


def matches(wanted: str, letter: str, is_hero: int) -> bool:
    """Whether an actor passes a filter, by the letter of its type and by whether it is a hero."""
    return wanted in ("a", letter) or (wanted == "h" and bool(is_hero))
