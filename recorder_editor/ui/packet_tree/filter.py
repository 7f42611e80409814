"""What the filter line asks for, and which rows of the tree that leaves."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...errors import Cancelled
from ...queries.expression import ExpressionError, Query, matches_words, parse
from ...recording.actors import Actors
from ...recording.contents import Frame, Packet
from ...recording.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Filter:
    """A text as a query, or as words to look for. Attributes: `text`, `query` (None: words)."""

    text: str
    query: Query | None

    def shows(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> list[int] | None:
        """The records of a packet that stay; None where the packet stays whole, an empty list where it goes."""
        if self.query is not None:
            return np.flatnonzero(self.query.matches(snapshot, frame, packet, actors)).tolist()
        mask = matches_words(self.text, packet, actors, frame.index)
        return None if mask is None else np.flatnonzero(mask).tolist()

    def first_in(self, snapshot: Snapshot, frame: Frame, actors: Actors | None) -> tuple[int, int | None] | None:
        """(packet, record) of the first match in a frame, or None."""
        for packet in frame.packets[1:]:
            shown = self.shows(snapshot, frame, packet, actors)
            if shown is None:
                return packet.index, None
            if shown:
                return packet.index, shown[0]
        return None

    def next_match(
        self, snapshot: Snapshot, actors: Actors | None, start: int, step: int,
        progress: Callable[[int, int], None], cancel: Callable[[], bool],
    ) -> tuple[int, int, int | None] | None:  # fmt: skip
        """(frame index, packet, record) of the next frame with a match, round the end; None without one."""
        frames = len(snapshot)
        for number in range(1, frames + 1):
            if cancel():
                raise Cancelled
            index = (start + number * step) % frames
            found = self.first_in(snapshot, snapshot.frame(index), actors)
            if found is not None:
                return index, *found
            progress(number, frames)
        return None


def filter_of(text: str, snapshot: Snapshot) -> Filter:
    """The filter a text means; raises `ExpressionError` for a text that begins like a query and is none."""
    words = text.split()
    names = {kind.name.lower() for kind in snapshot.dialect.packets.values()}
    if words and words[0].lower() in names and (len(words) == 1 or words[1] == "where"):
        return Filter(text, parse(text, snapshot.dialect))
    if "where" in words:
        return Filter(text, parse(text, snapshot.dialect))
    return Filter(text, None)


__all__ = ["ExpressionError", "Filter", "filter_of"]
