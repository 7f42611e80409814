"""The filter line of the tree: its meaning, and the rows that match."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..progress import SILENT, Progress
from ..reading import Actors, Life
from ..reading.expression import ExpressionError, Query, parse
from ..recording import RAW, Frame, Packet, Snapshot
from ..texts import say
from .packet_matches import Match

_LONGEST_EMPTY = 2
"""Bytes of a list without records."""
_BLOCK = 4_096


class Filter:
    """A text as a query, or as words to look for.

    Attributes:
        text: Text of the filter line.
        query: Its query; None: its words are looked for in names of packets, and in ids and texts of actors.
    """

    def __init__(self, text: str, query: Query | None) -> None:
        self.text = text
        self.query = query
        self._words = tuple(text.lower().split())
        # Whether an actor matches the words, by id.
        self._actor_matches: dict[int, bool] = {}
        self._actors: Actors | None = None

    def no_match(self, actors: Actors | None) -> str:
        """Return the sentence that no frame has a match, with what may have been meant by a misspelt name."""
        meant = ""
        if self.query is not None and actors is not None:
            meant = self.query.misspelt(actors)
        return say("No frame has a match.{meant}", meant=meant)

    def shows(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> list[int] | None:
        """Return which records of a packet match.

        Args:
            snapshot: State of the recording.
            frame: Frame that holds the packet.
            packet: The packet.
            actors: Actors of that state; None: an actor matches by its id only.

        Returns:
            Indices of records; an empty list where the packet does not match, None where it matches as a whole.
        """
        if self.query is not None:
            is_whole = self.query.condition is None and packet.type.body in ("opaque", "empty")
            if is_whole and packet.id in self.query.ids:
                return None
            return np.flatnonzero(self.query.matches(snapshot, frame, packet, actors)).tolist()
        name = say(packet.name).lower()
        if _holds_all(name, self._words):
            return None
        if packet.type.body == "opaque" and self._words == (str(packet.id),):
            return None
        owner = packet.type.actor_field
        if owner is None or not len(packet.decoded):
            return []
        if packet.type.dtype is not None:
            ids = packet.decoded.array[owner.path].tolist()
        else:
            ids = [packet.decoded.get(record, owner.path) for record in range(len(packet.decoded))]
        if actors is not self._actors:
            self._actors = actors
            self._actor_matches.clear()
        return [record for record, actor in enumerate(ids) if self._matches_actor(actor)]

    def _matches_actor(self, actor: int) -> bool:
        """Return whether the words stand in an actor's id, or in the texts of one of its lives."""
        is_match = self._actor_matches.get(actor)
        if is_match is None:
            is_match = any(_holds_all(text, self._words) for text in self._actor_texts(actor))
            self._actor_matches[actor] = is_match
        return is_match

    def _actor_texts(self, actor: int) -> list[str]:
        texts = []
        if self._actors is not None:
            texts = [f"{actor} {_life_text(life)}" for life in self._actors.of_id(actor)]
        return texts or [str(actor)]


def _life_text(life: Life) -> str:
    """Return the text of a life in which words are looked for."""
    return f"{life.blueprint} {life.role_name} {life.class_}".lower()


def _holds_all(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)


class Finder:
    """Finds what a filter shows, and reads no frame that cannot have it.

    Attributes:
        filter: The filter.
        snapshot: State that is searched.
    """

    def __init__(self, wanted: Filter, snapshot: Snapshot, actors: Actors | None) -> None:
        self.filter = wanted
        self.snapshot = snapshot
        self._actors = actors
        # Whether a layout may hold a match, by its number.
        self._layouts: dict[int, bool] = {}
        # Whether a packet of the query is a list, by its id.
        self._is_list: dict[int, bool] = {}
        # The rows that may match; None for all.
        self._rows: list[range] | None = None
        if wanted.query is None:
            self._rows = self._rows_of_actors(wanted.text.lower().split())
        else:
            for packet_id in wanted.query.ids:
                kind = snapshot.dialect.packet(packet_id)
                self._is_list[kind.id] = kind.body == "list"

    def _rows_of_actors(self, words: list[str]) -> list[range] | None:
        """Return the rows in which actors live that match the words; None where these may match something else."""
        if self._actors is None or any(_has_digit(word) for word in words):
            return None
        names = [say(kind.name).lower() for kind in self.snapshot.dialect.packets.values()]
        names.append("unknown")
        if any(_holds_all(name, words) for name in names):
            return None
        table = self.snapshot.table
        rows = []
        for life in self._actors:
            if _holds_all(_life_text(life), words):
                last = len(self.snapshot) - 1
                if life.gone is not None:
                    last = life.gone
                rows.append(range(table.row_of_frame(life.born), table.row_of_frame(last) + 1))
        return rows

    def candidates(self, start: int, stop: int) -> list[int]:
        """Return the rows of `[start, stop)` that may have a match, without reading them."""
        rows = self.snapshot.table.rows(start, stop)
        keep = rows["kind"] != RAW
        if self._is_list and 0 not in self._is_list:
            layouts, layout_of_row = np.unique(rows["layout"], return_inverse=True)
            may_hold = np.array([self._may_hold(layout) for layout in layouts.tolist()], np.bool_)
            keep &= may_hold[layout_of_row]
        if self._rows is not None:
            is_alive = np.zeros(len(rows), np.bool_)
            for life_rows in self._rows:
                is_alive[max(0, life_rows.start - start) : max(0, life_rows.stop - start)] = True
            keep &= is_alive
        return (np.flatnonzero(keep) + start).tolist()

    def _may_hold(self, layout: int) -> bool:
        """Return whether frames of a layout have a packet of the query that is not an empty list."""
        if layout < 0:
            return True
        may_hold = self._layouts.get(layout)
        if may_hold is None:
            packets = self.snapshot.layouts.get(layout)
            pairs = zip(packets.ids.tolist(), packets.sizes.tolist(), strict=True)
            may_hold = any(self._may_match(packet_id, size) for packet_id, size in pairs)
            self._layouts[layout] = may_hold
        return may_hold

    def _may_match(self, packet_id: int, size: int) -> bool:
        is_list = self._is_list.get(packet_id)
        if is_list is None:
            return False
        return not is_list or size > _LONGEST_EMPTY

    def in_row(self, row: int, most: int | None = None) -> Match | None:
        """Return what is shown of a row.

        Args:
            row: Row of the frame table.
            most: How many rows of a list the match may take: frame, packets and records; None: any number.

        Returns:
            The match; None for a row without one.
        """
        frame = self.snapshot.row(row)
        if not isinstance(frame, Frame):
            return None
        packets: list[tuple[int, tuple[int, ...] | None]] = []
        left = None if most is None else most - 1
        for packet in frame.packets:
            shown = self.filter.shows(self.snapshot, frame, packet, self._actors)
            if shown == [] or (left is not None and left <= 0):
                continue
            if left is not None:
                left -= 1
            records = None
            if shown is not None and packet.type.body == "list":
                records = tuple(shown[:left])
            if records == ():
                continue
            packets.append((packet.index, records))
            if left is not None and records is not None:
                left -= len(records)
        if packets:
            return Match(row, tuple(packets))
        return None

    def matches_in(self, rows: range, progress: Progress = SILENT) -> Iterator[Match]:
        """Yield what is shown of rows.

        Args:
            rows: Rows of the frame table, with a step of 1 or -1.
            progress: Told the rows that are done.

        Raises:
            Cancelled: The progress was cancelled.
        """
        for first in range(0, len(rows), _BLOCK):
            block = rows[first : first + _BLOCK]
            candidates = self.candidates(min(block), max(block) + 1)
            for row in candidates[:: rows.step]:
                progress.update(first, len(rows))
                match = self.in_row(row)
                if match is not None:
                    yield match

    def next_match(self, start: int, progress: Progress = SILENT) -> Match | None:
        """Return the next match behind row `start`, round the end; None for none.

        Raises:
            Cancelled: The progress was cancelled.
        """
        for rows in (range(start + 1, self.snapshot.rows), range(start + 1)):
            for match in self.matches_in(rows, progress):
                return match
        return None


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)


def filter_of(text: str, snapshot: Snapshot) -> Filter:
    """Return the filter that a text means: a query with `where` or of a packet's name alone, words otherwise.

    Args:
        text: Text of the filter line.
        snapshot: State of the recording, for its dialect and road map.

    Raises:
        ExpressionError: The text begins like a query and is none, or needs a road map that is not there.
    """
    words = text.split()
    names = {kind.name.lower() for kind in snapshot.dialect.packets.values()}
    is_name = len(words) == 1 and words[0].lower() in names
    if is_name or "where" in words:
        query = parse(text, snapshot.dialect)
        query.need_map(snapshot)
        return Filter(text, query)
    return Filter(text, None)


__all__ = ["ExpressionError", "Filter", "Finder", "filter_of"]
