"""Reading of the rows that a report needs: all, or those with events."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from ...format import Body
from ...progress import SILENT, Progress
from ...recording import Actors, Row, Snapshot
from ...recording.actors import EVENT_KINDS

_ROWS_BETWEEN_UPDATES = 64


def rows_with_events(snapshot: Snapshot, kinds: Collection[str], progress: Progress = SILENT) -> Sequence[int]:
    """The numbers of the rows with such events (of `EVENT_KINDS`), rising; all rows if the event index is incomplete.

    Raises `Cancelled`.
    """
    actors = Actors.of(snapshot, progress.quiet())
    if not actors.is_whole:
        return range(snapshot.rows)
    wanted = np.isin(actors.events["kind"], [EVENT_KINDS.index(kind) for kind in kinds])
    rows: list[int] = np.unique(actors.events["row"][wanted]).tolist()
    return rows


def read_rows(snapshot: Snapshot, numbers: Sequence[int], progress: Progress) -> Iterator[Row]:
    """The rows of these numbers, counted by `progress`. Raises `Cancelled`."""
    return map(snapshot.row, progress.over(numbers, _ROWS_BETWEEN_UPDATES))


def added_actors(body: Body) -> Iterator[tuple[int, int, bytes]]:
    """Id, type code and blueprint of the records of an EventAdd; attributes are not read."""
    for index in range(len(body)):
        blueprint = body.leaf(index, "blueprint")
        start = body.span(index)[0]
        actor = int.from_bytes(body.data[start : start + 4], "little")
        yield actor, body.data[start + 4], body.data[blueprint.start + 2 : blueprint.stop]
