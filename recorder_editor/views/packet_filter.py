"""What the filter line asks for, and which rows of the tree that leaves."""

from collections.abc import Iterator

import numpy as np

from ..progress import SILENT, Progress
from ..reading import Actors
from ..reading.expression import ExpressionError, Query, parse
from ..recording import RAW, Frame, Packet, Snapshot
from ..texts import say
from .packet_matches import Match

_LONGEST_EMPTY = 2
"""Bytes of a list without records."""
_BLOCK = 4_096


class Filter:
    """A text as a query, or as words to look for. Attributes: `text`, `query` (None: words)."""

    def __init__(self, text: str, query: Query | None) -> None:
        self.text = text
        self.query = query
        self._words = tuple(text.lower().split())
        self._meant: dict[int, bool] = {}
        self._actors: Actors | None = None

    def no_match(self, actors: Actors | None) -> str:
        """That no frame has a match, and what may have been meant."""
        if self.query is not None and actors is not None:
            meant = self.query.misspelt(actors)
        else:
            meant = ""
        return say("No frame has a match.{meant}", meant=meant)

    def shows(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> list[int] | None:
        """The records of a packet that stay; None where the packet stays whole, an empty list where it goes."""
        if self.query is not None:
            named = packet.id in self.query.ids
            if named and self.query.condition is None and packet.type.body in ("opaque", "empty"):
                return None
            return np.flatnonzero(self.query.matches(snapshot, frame, packet, actors)).tolist()
        name = say(packet.name).lower()
        if all(word in name for word in self._words):
            return None
        if packet.type.body == "opaque" and self._words == (str(packet.id),):
            return None
        owner = packet.type.actor_field
        if owner is None or not len(packet.decoded):
            return []
        if packet.type.dtype is not None:
            ids = packet.decoded.array[owner.path].tolist()
        else:
            ids = []
            for record in range(len(packet.decoded)):
                ids.append(packet.decoded.get(record, owner.path))
        if actors is not self._actors:
            self._actors = actors
            self._meant.clear()
        return [record for record, actor in enumerate(ids) if self._means(actor)]

    def _means(self, actor: int) -> bool:
        """The words stand in an actor's id, or in what it was in one of its lives."""
        found = self._meant.get(actor)
        if found is None:
            if self._actors is not None:
                lives = self._actors.of_id(actor)
            else:
                lives = ()
            texts = [f"{actor} {life.blueprint} {life.role_name} {life.class_}".lower() for life in lives] or [
                f"{actor}"
            ]
            found = self._meant[actor] = any(all(word in text for word in self._words) for text in texts)
        return found


class Finder:
    """Looks for what a filter shows, and reads no frame that cannot have it."""

    def __init__(self, wanted: Filter, snapshot: Snapshot, actors: Actors | None) -> None:
        self.filter = wanted
        self.snapshot = snapshot
        self._actors = actors
        self._verdicts: dict[int, bool] = {}
        self._ids: dict[int, bool] = {}
        if wanted.query is not None:
            kinds = []
            for number in wanted.query.ids:
                kinds.append(snapshot.dialect.packet(number))
            self._ids = {kind.id: kind.body == "list" for kind in kinds}
        if wanted.query is None:
            self._rows = self._rows_meant(wanted.text.lower().split())
        else:
            self._rows = None

    def _rows_meant(self, words: list[str]) -> list[range] | None:
        """The rows in which an actor lives whom the words mean; None where words may mean something else."""
        if self._actors is None or any(character.isdigit() for word in words for character in word):
            return None
        names = []
        for kind in self.snapshot.dialect.packets.values():
            names.append(say(kind.name).lower())
        if any(all(word in name for word in words) for name in (*names, "unknown")):
            return None
        table = self.snapshot.table
        meant = []
        for life in self._actors:
            text = f"{life.blueprint} {life.role_name} {life.class_}".lower()
            if all(word in text for word in words):
                if life.gone is None:
                    last = len(self.snapshot) - 1
                else:
                    last = life.gone
                meant.append(range(table.row_of_frame(life.born), table.row_of_frame(last) + 1))
        return meant

    def candidates(self, start: int, stop: int) -> list[int]:
        """The rows from `start` to `stop` that may have something to show; nothing is read to know that."""
        rows = self.snapshot.table.rows(start, stop)
        keep = rows["kind"] != RAW
        if self._ids and 0 not in self._ids:
            layouts, back = np.unique(rows["layout"], return_inverse=True)
            keep &= np.array([self._may_hold(layout) for layout in layouts.tolist()], np.bool_)[back]
        if self._rows is not None:
            meant = np.zeros(len(rows), np.bool_)
            for one in self._rows:
                meant[max(0, one.start - start) : max(0, one.stop - start)] = True
            keep &= meant
        return (np.flatnonzero(keep) + start).tolist()

    def _may_hold(self, layout: int) -> bool:
        verdict = self._verdicts.get(layout)
        if verdict is None:
            if layout < 0:
                return True
            packets = self.snapshot.layouts.get(layout)
            pairs = zip(packets.ids.tolist(), packets.sizes.tolist(), strict=True)
            verdict = any(one in self._ids and size > (_LONGEST_EMPTY if self._ids[one] else -1) for one, size in pairs)
            self._verdicts[layout] = verdict
        return verdict

    def in_row(self, row: int, most: int | None = None) -> Match | None:
        """What is shown of a row, None for nothing; `most` bounds the rows that this takes in a list."""
        frame = self.snapshot.row(row)
        if not isinstance(frame, Frame):
            return None
        found: list[tuple[int, tuple[int, ...] | None]] = []
        left = None
        if most is not None:
            left = most - 1
        for packet in frame.packets:
            shown = self.filter.shows(self.snapshot, frame, packet, self._actors)
            if shown == [] or (left is not None and left <= 0):
                continue
            if left is None:
                left = None
            else:
                left = left - 1
            records = None
            if shown is not None and packet.type.body == "list":
                records = tuple(shown[:left])
            if records == ():
                continue
            found.append((packet.index, records))
            if not (left is None or records is None):
                left = left - len(records)
        if found:
            return Match(row, tuple(found))
        return None

    def matches_in(self, rows: range, progress: Progress = SILENT) -> Iterator[Match]:
        """What is shown of these rows, which rise or fall by one; raises `Cancelled`."""
        for first in range(0, len(rows), _BLOCK):
            block = rows[first : first + _BLOCK]
            for row in self.candidates(min(block), max(block) + 1)[:: rows.step]:
                progress.update(first, len(rows))
                found = self.in_row(row)
                if found is not None:
                    yield found

    def next_match(self, start: int, progress: Progress = SILENT) -> Match | None:
        """The next row with a match behind row `start`, round the end; None for none."""
        parts = (range(start + 1, self.snapshot.rows), range(start + 1))
        return next((found for part in parts for found in self.matches_in(part, progress)), None)


def filter_of(text: str, snapshot: Snapshot) -> Filter:
    """The filter a text means; raises `ExpressionError` for a text that begins like a query and is none."""
    words = text.split()
    names = set()
    for kind in snapshot.dialect.packets.values():
        names.add(kind.name.lower())
    if "where" in words or (words and words[0].lower() in names and len(words) == 1):
        query = parse(text, snapshot.dialect)
        query.need_map(snapshot)
        return Filter(text, query)
    return Filter(text, None)


__all__ = ["ExpressionError", "Filter", "Finder", "filter_of"]
