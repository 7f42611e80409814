"""Importers of trajectories: each makes a recording of a kind of files."""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, TypeVar

from ...progress import SILENT, Progress
from ...recording import atomic_write
from ..import_format import ImportFormat
from .options import RecordingOptions
from .recording import Written, recording_pieces
from .table import TableSample, first_trajectories, open_table, read_table, sample_table
from .table_options import TableOptions
from .trajectories import Trajectories

OptionsT = TypeVar("OptionsT", bound=RecordingOptions)

PREVIEW_SECONDS = 10.0
"""How much of a recording a preview shows."""


class TrajectoryImport(ImportFormat[OptionsT]):
    """A kind of files that hold trajectories.

    Attributes:
        suffixes: The endings of its files, in lower case.
    """

    suffixes: ClassVar[tuple[str, ...]]

    def recognises(self, source: Path) -> bool:
        """Return whether a file or folder may be of this kind."""
        return source.suffix.lower() in self.suffixes

    @abstractmethod
    def load(self, source: Path, options: OptionsT, progress: Progress) -> Trajectories:
        """Read the trajectories of a file.

        Args:
            source: The file or folder.
            options: What was chosen.
            progress: Of the reading.

        Raises:
            TrajectoryError: The file is damaged, or the options do not fit it.
            Cancelled: The user stopped it.
            OSError: It cannot be read.
        """

    def pieces(self, source: Path, options: OptionsT, progress: Progress) -> Iterator[bytes | memoryview]:
        """Yield the bytes of the recording."""
        yield from self._pieces(source, options, progress, Written())

    def make(
        self, source: Path, options: OptionsT, target: Path, progress: Progress = SILENT, *, overwrite: bool = False
    ) -> Written:
        """Write the recording, atomically, and return what was written; errors as of `write`."""
        written = Written()
        with atomic_write(target, overwrite=overwrite, is_recording=True) as file:
            file.writelines(self._pieces(source, options, progress, written))
        return written

    def sample(self, source: Path, options: OptionsT) -> TableSample | None:
        """Return the columns of a table and what they are taken for, also where something needed is missing.

        Args:
            source: The file.
            options: What was chosen.

        Returns:
            None of a file without columns.

        Raises:
            TrajectoryError: It is no table, or what was chosen of its columns is impossible.
            OSError: It cannot be read.
        """
        return None

    def load_first(self, source: Path, options: OptionsT, progress: Progress) -> Trajectories:
        """Read the trajectories of the first seconds, or more; errors as of `load`."""
        return self.load(source, options, progress)

    def make_first(self, source: Path, options: OptionsT, target: Path, progress: Progress = SILENT) -> Written:
        """Write the first seconds (`PREVIEW_SECONDS`) of the recording for a preview; errors as of `make`."""
        end = (options.start or 0.0) + PREVIEW_SECONDS
        if options.stop is not None:
            end = min(end, options.stop)
        written = Written()
        trajectories = self.load_first(source, options, progress.part(0.0, 0.5))
        hero = options.hero
        if hero not in [user.name for user in trajectories.users]:
            hero = None  # it may be in later rows
        shown = replace(options, stop=end, hero=hero)
        with closing(trajectories.rows), atomic_write(target, overwrite=True, is_recording=True) as file:
            file.writelines(recording_pieces(trajectories, shown, progress.part(0.5, 1.0), written=written))
        return written

    def survey(self, source: Path, options: OptionsT, progress: Progress = SILENT) -> Written:
        """Return what would be written, and write nothing; errors as of `make`."""
        written = Written()
        for _ in self._pieces(source, options, progress, written):
            pass
        return written

    def _pieces(
        self, source: Path, options: OptionsT, progress: Progress, written: Written
    ) -> Iterator[bytes | memoryview]:
        trajectories = self.load(source, options, progress.part(0.0, 0.5))
        with closing(trajectories.rows):
            yield from recording_pieces(trajectories, options, progress.part(0.5, 1.0), written=written)


class TableImport(TrajectoryImport[TableOptions]):
    """CSV and Parquet, and the files of inD, rounD, exiD and uniD."""

    name = "trajectories"
    title = "CSV, Parquet"
    suffixes = (".csv", ".txt", ".tsv", ".parquet", ".pq")
    options = TableOptions

    def recognises(self, source: Path) -> bool:
        """Any other file may be a table, too; what it is not is said when it is read."""
        return True

    def load(self, source: Path, options: TableOptions, progress: Progress) -> Trajectories:
        """Read the rows of a table."""
        return read_table(source, options, progress)

    def sample(self, source: Path, options: TableOptions) -> TableSample:
        """Return the columns of a table and what they are taken for; errors as of `TrajectoryImport`."""
        return sample_table(source, options)

    def load_first(self, source: Path, options: TableOptions, progress: Progress) -> Trajectories:
        """Read the first rows of a table, all of them where the recording begins later."""
        if options.start:
            return self.load(source, options, progress)
        return first_trajectories(open_table(source, options), options)
