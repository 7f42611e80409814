"""What the formats have in common that hold one table: its choice, and a preview by samples of the recording."""

import io
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, ClassVar, NamedTuple, TypeVar

import numpy as np

from ..option_specs import OptionSpec, option
from ..progress import SILENT, Progress
from ..reading import Subset
from ..recording import Snapshot, atomic_write
from ..texts import N_
from .export_format import ExportFormat, ExportPreview, ExportSource, FileBeside, Input
from .row_texts import plain_rows
from .tables import EVENTS, LANES, OBJECTS, Axes, ObjectChoices, Table, TableBlock, find_table

NOTES = "notes"
"""The table of notes, which are in a file beside the recording."""


@dataclass(frozen=True)
class TableOptions:
    """What may be chosen of a file that holds a table.

    Attributes:
        table: The name of a table of the recording, or the id of a packet; case does not matter.
        axes: The axes of the table of objects.
        corners: Whether the table of objects has the corners of the boxes.
    """

    table: str = option(
        "positions",
        OptionSpec(
            flag="--table",
            kind="table",
            metavar="T",
            label=N_("Table"),
            help=N_("a packet's records (Position, or its id, 6) or a derived table (default positions)"),
        ),
    )
    axes: Axes = option(
        "right-handed",
        OptionSpec(
            flag="--axes",
            kind="choice",
            label=N_("Axes"),
            help=N_("of the table objects: as OpenDRIVE has them, or those of the simulator (default right-handed)"),
            note=N_("right-handed: Y to the left, as in OpenDRIVE"),
            choices={"right-handed": "right-handed", "simulator": "simulator"},
            tables=(OBJECTS,),
        ),
    )
    corners: bool = option(
        False,
        OptionSpec(
            flag="--corners",
            kind="switch",
            label=N_("Corners"),
            help=N_("of the table objects: the corners of the boxes, too"),
            note=N_("eight for each box"),
            tables=(OBJECTS,),
        ),
    )

    @property
    def table_key(self) -> str:
        """The name in lower case."""
        return self.table.strip().lower()

    def find_table(self, snapshot: Snapshot) -> Table:
        """Return the chosen table of a recording.

        Raises:
            SelectorError: There is no such table.
        """
        return find_table(snapshot, self.table, ObjectChoices(axes=self.axes, has_corners=self.corners))


TableOptionsT = TypeVar("TableOptionsT", bound=TableOptions)


class Sampling(NamedTuple):
    """By which frames the size of a file is estimated.

    Attributes:
        samples: The number of samples, spread over the recording.
        frames: The number of frames in each.
    """

    samples: int
    frames: int


class TableFormat(ExportFormat[TableOptionsT]):
    """A format with files that hold one table of a recording, or of a road map.

    Attributes:
        sampling: By which frames the size is estimated.
    """

    sampling: ClassVar[Sampling] = Sampling(samples=32, frames=1)

    @abstractmethod
    def write_rows(
        self, stream: BinaryIO, table: Table, blocks: Iterator[TableBlock], options: TableOptionsT, progress: Progress
    ) -> None:
        """Write rows of a table.

        Args:
            stream: Where to.
            table: The table.
            blocks: Its rows.
            options: The chosen options.
            progress: Is asked whether to stop.

        Raises:
            ExportError: A library that is needed is not installed.
            Cancelled: The user stopped it.
        """

    def inputs(self, options: TableOptionsT) -> frozenset[Input]:
        """Return what is read from files beside the recording."""
        if options.table_key in (EVENTS, LANES, OBJECTS):
            return frozenset({"road map"})
        if options.table_key == NOTES:
            return frozenset({"notes"})
        return frozenset()

    def write(
        self, source: ExportSource, options: TableOptionsT, target: Path, *, overwrite: bool, progress: Progress
    ) -> tuple[FileBeside, ...]:
        """Write the file, atomically; only one block of rows is in memory at a time."""
        table = options.find_table(source.snapshot)
        self.write_table(table, source.subset, options, target, overwrite=overwrite, progress=progress)
        return ()

    def write_table(
        self, table: Table, subset: Subset, options: TableOptionsT, target: Path, *, overwrite: bool, progress: Progress
    ) -> None:
        """Write the rows of a table, atomically.

        Args:
            table: The table.
            subset: The chosen actors and frames.
            options: The chosen options.
            target: The file.
            overwrite: Whether a file that nothing makes again is replaced.
            progress: Counts frames.

        Raises:
            ExportError: A library that is needed is not installed.
            SelectorError: Actors were chosen, and the table has none.
            WouldReplace: The file exists and has to stay.
            Cancelled: The user stopped it.
            OSError: It cannot be written, or the recording cannot be read.
        """
        with atomic_write(target, overwrite=overwrite) as stream:
            self.write_rows(stream, table, table.blocks(subset, progress), options, progress)

    def preview(
        self, source: ExportSource, options: TableOptionsT, suffix: str, rows: int, progress: Progress
    ) -> ExportPreview:
        """Show the first rows, and how many rows and bytes there are by samples of the recording."""
        table = options.find_table(source.snapshot)
        quiet = progress.quiet()
        sample, ratio = _sample(table, source.subset, self.sampling, quiet)
        sampled_rows = sum(block.rows for block in sample)
        empty = self._size(table, [], options)
        full = self._size(table, sample, options)
        return ExportPreview(
            columns=tuple(column.path for column in table.columns),
            meanings=tuple(column.meaning for column in table.columns),
            rows=tuple(_first_rows(table, source.subset, rows, quiet)),
            total=round(sampled_rows * ratio),
            size=round(empty + (full - empty) * ratio),
            exact=ratio == 1,
        )

    def _size(self, table: Table, blocks: list[TableBlock], options: TableOptionsT) -> int:
        stream = io.BytesIO()
        self.write_rows(stream, table, iter(blocks), options, SILENT)
        return len(stream.getvalue())


def _sample(table: Table, subset: Subset, sampling: Sampling, progress: Progress) -> tuple[list[TableBlock], float]:
    """Return rows of sample frames, and the ratio of all frames that may have rows to the sampled ones."""
    samples = sampling.samples
    length = sampling.frames
    frames = None
    if table.find_frames is not None:
        frames = table.find_frames(subset.frames)
    if frames is None or len(frames) <= samples * length:
        return list(table.blocks(subset, progress)), 1.0
    begins = np.linspace(0, len(frames) - length, samples).astype(np.int64)
    blocks: list[TableBlock] = []
    for begin in begins.tolist():
        first = int(frames[begin])
        last = int(frames[begin + length - 1])
        part = Subset(range(first, last + 1, subset.frames.step), subset.spans)
        blocks += table.blocks(part, progress)
    return blocks, len(frames) / (samples * length)


def _first_rows(table: Table, subset: Subset, rows: int, progress: Progress) -> Iterator[tuple[str, ...]]:
    """Yield the texts of the first rows; frames are read in growing portions."""
    begin = 0
    portion = 1
    if table.find_frames is None:
        portion = max(1, len(subset.frames))
    while rows > 0 and begin < len(subset.frames):
        part = Subset(subset.frames[begin : begin + portion], subset.spans)
        for block in table.blocks(part, progress):
            yield from plain_rows(table.columns, block.between(0, rows))
            rows -= min(rows, block.rows)
            if not rows:
                return
        begin += portion
        portion *= 8
