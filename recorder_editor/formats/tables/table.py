"""Table: columns, and rows read in blocks; and the columns for time and actor that most tables begin with.

Blocks are of bounded size, so that memory does not grow with the length of a recording.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ...arrays import AnyArray, Int32Array, IntArray, run_starts
from ...format import Field
from ...progress import SILENT, Progress
from ...reading import Actors, Subset
from ...recording import Snapshot
from ...texts import N_
from .values import DictionaryColumn, TableBlock, text_column

Read = Callable[[Subset, Progress], Iterator[TableBlock]]

TIME_COLUMNS = (
    Field("frame", "u32", N_("Number of the frame in the recording, from 1")),
    Field("frame_id", "u64", N_("Number of the frame in the file")),
    Field("time_s", "f64", N_("Elapsed time of the frame"), unit="s"),
)
"""The columns of time of a row, which most tables begin with."""

ACTOR_COLUMNS = (
    Field("id", "u32", N_("Id of the actor"), actor=True),
    Field("blueprint", "str", N_("Blueprint of the actor; empty if no actor of that id is alive")),
    Field("role", "str", N_("Role name of the actor; empty without one")),
)
"""The columns of the actor of a row, which follow."""


@dataclass(frozen=True)
class Table:
    """One table.

    Attributes:
        name: Its name.
        meaning: What it holds, a line.
        columns: A field for each column; its path is the name.
        read: Yields the rows of a subset in blocks, some of which may be empty.
        find_frames: Returns the frames of a range that may have rows, int64[n]; None for small tables, of which rows
            are counted by reading them.
    """

    name: str
    meaning: str
    columns: tuple[Field, ...]
    read: Read = field(repr=False)
    find_frames: Callable[[range], IntArray] | None = field(default=None, repr=False)

    def blocks(self, subset: Subset, progress: Progress = SILENT) -> Iterator[TableBlock]:
        """Return the rows of a subset in order, in blocks that are not empty and hold about a million rows at most.

        Args:
            subset: The chosen actors and frames.
            progress: Counts frames.

        Raises:
            Cancelled: The user stopped it.
            SelectorError: Actors were chosen and the table has none.
            OSError: The recording cannot be read; as `Store.read`.
        """
        return (block for block in self.read(subset, progress) if block.rows)


class FrameTimes:
    """Values of `TIME_COLUMNS`."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._ids = snapshot.frame_column("frame_id")
        self._elapsed = snapshot.elapsed

    def columns(self, frames: AnyArray) -> tuple[DictionaryColumn, DictionaryColumn, DictionaryColumn]:
        """Return frame, frame_id and time_s of rows in these frames (indices)."""
        first = run_starts(frames)
        codes = np.cumsum(first, dtype=np.int32) - np.int32(1)
        distinct = frames[first].astype(np.int64)
        return (
            DictionaryColumn((distinct + 1).astype(np.uint32), codes),
            DictionaryColumn(self._ids[distinct], codes),
            DictionaryColumn(self._elapsed[distinct], codes),
        )

    def row(self, frame: int) -> tuple[int, int, float]:
        """Return frame, frame_id and time_s of one row in a frame (index)."""
        return frame + 1, int(self._ids[frame]), float(self._elapsed[frame])


class ActorNames:
    """Values of the columns blueprint and role."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._actors = Actors.of(snapshot)
        # The last entry is for index -1, no life.
        self._blueprints = text_column([life.blueprint for life in self._actors] + [""])
        self._roles = text_column([life.role_name for life in self._actors] + [""])

    def columns(self, ids: AnyArray, frames: AnyArray) -> tuple[DictionaryColumn, DictionaryColumn]:
        """Return blueprint and role of actors.

        Args:
            ids: The id of the actor of each row.
            frames: The frame (index) of each row.
        """
        return self.of_lives(self._actors.indices_of(ids, frames))

    def of_lives(self, lives: Int32Array) -> tuple[DictionaryColumn, DictionaryColumn]:
        """Return blueprint and role of lives.

        Args:
            lives: The index of the life of each row; -1 for none.
        """
        blueprints = DictionaryColumn(self._blueprints.values, self._blueprints.codes[lives])
        roles = DictionaryColumn(self._roles.values, self._roles.codes[lives])
        return blueprints, roles
