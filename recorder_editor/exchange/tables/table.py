"""A table of a recording: its columns, and its rows in blocks; and the columns that most tables begin with.

One idea: a table is read in blocks of bounded size, so that the length of a recording decides the time and not the
memory. Knows what frames and lives are, not what is in packets.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...format.schema import Field
from ...progress import SILENT, Progress
from ...recording.actors import Actors
from ...recording.selectors import Choice
from ...recording.snapshot import Snapshot
from .values import Block, DictionaryColumn, text_column

Read = Callable[[Choice, Progress], Iterator[Block]]
Frames = npt.NDArray[Any]

TIME_COLUMNS = (
    Field("frame", "u32", "Number of the frame in the recording, from 1"),
    Field("frame_id", "u64", "Number of the frame in the file"),
    Field("time_s", "f64", "Elapsed time of the frame", "s"),
)
ACTOR_COLUMNS = (
    Field("id", "u32", "Id of the actor", actor=True),
    Field("blueprint", "str", "Blueprint of the actor; empty where nobody of that id is alive"),
    Field("role", "str", "Role name of the actor; empty without one"),
)


@dataclass(frozen=True)
class Table:
    """One table.

    Attributes: `name`, `meaning` (a line), `columns` (fields whose paths are the names), `where` (which of a range of
    frames may have rows; None where the rows are few and are counted by reading them).
    """

    name: str
    meaning: str
    columns: tuple[Field, ...]
    read: Read = field(repr=False)
    where: Callable[[range], npt.NDArray[np.int64]] | None = field(default=None, repr=False)

    def blocks(self, choice: Choice, progress: Progress = SILENT) -> Iterator[Block]:
        """The rows of a choice in order, in blocks that are not empty and hold about a million rows at most.

        `progress` counts frames. Raises `Cancelled`, `ChoiceError` where the table knows
        no actors and some were chosen, and errors of reading as `Store.read`.
        """
        return (block for block in self.read(choice, progress) if block.rows)


class FrameTimes:
    """The columns of `TIME_COLUMNS` for rows."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._ids, self._elapsed = snapshot.frame_column("frame_id"), snapshot.elapsed

    def columns(self, frames: Frames) -> tuple[DictionaryColumn, ...]:
        """Of rows in these frames (indices): frame, frame_id, time_s."""
        begins = np.ones(len(frames), np.bool_)
        begins[1:] = frames[1:] != frames[:-1]
        codes = np.cumsum(begins, dtype=np.int32) - np.int32(1)
        distinct = frames[begins].astype(np.int64)
        values = (distinct + 1).astype(np.uint32), self._ids[distinct], self._elapsed[distinct]
        return tuple(DictionaryColumn(each, codes) for each in values)

    def row(self, frame: int) -> tuple[int, int, float]:
        """Of one row in a frame (index): frame, frame_id, time_s."""
        return frame + 1, int(self._ids[frame]), float(self._elapsed[frame])


class ActorNames:
    """Blueprint and role of the actors of rows."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._actors = Actors.of(snapshot)
        # Nobody is the life of index -1: the last entry.
        self._blueprints = text_column([*(life.blueprint for life in self._actors), ""])
        self._roles = text_column([*(life.role_name for life in self._actors), ""])

    def columns(self, ids: npt.NDArray[Any], frames: Frames) -> tuple[DictionaryColumn, ...]:
        """Of these actors in these frames (indices): blueprint, role."""
        lives = self._actors.indices_of(ids, frames)
        return tuple(DictionaryColumn(values, codes[lives]) for values, codes in (self._blueprints, self._roles))
