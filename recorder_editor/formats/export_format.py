"""What an export format is: a kind of file, its options, and how it is previewed and written.

A format is one module: a frozen dataclass of its options (`option_specs`) and a subclass of `ExportFormat`. The command
line, the export dialog, the command that the dialog shows and the guide are made of these. `export.FORMATS` lists the
formats of this program; packages add others by the entry points `recorder_editor.formats`.
"""

from abc import ABC, abstractmethod
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from ..errors import RecorderError
from ..format import Field
from ..progress import Progress
from ..reading import Subset
from ..recording import Snapshot

if TYPE_CHECKING:
    from ..analysis import Analysis
    from .signals import Signal

OptionsT = TypeVar("OptionsT")

Input = Literal["road map", "notes"]
"""What a format reads besides the recording, from files beside it."""


class ExportError(RecorderError):
    """The file cannot be exported in this format; nothing was written."""


class UnknownFormatError(ExportError):
    """No format has files of this name, or not with these options."""


class FileBeside(NamedTuple):
    """A file that belongs beside the exported one, and its content."""

    path: Path
    data: bytes


class FormatTable(NamedTuple):
    """A table that one format alone writes.

    Attributes:
        name: Its name, in lower case.
        meaning: What it holds, a line, marked by `N_`.
        columns: Its columns; their paths are the names.
    """

    name: str
    meaning: str
    columns: tuple[Field, ...]


@dataclass(frozen=True)
class ExportSource:
    """What is exported.

    Attributes:
        snapshot: The state of the recording.
        subset: The chosen actors and frames.
        signals: Signals that a file gets besides those that its options name, as those that the window shows.
        analyses: Analyses of the vehicles, by their frames; a format adds those that it makes.
    """

    snapshot: Snapshot
    subset: Subset
    signals: Sequence["Signal"] = ()
    analyses: MutableMapping[range, "Analysis"] = field(default_factory=dict)


@dataclass(frozen=True)
class ExportPreview:
    """What an export would write.

    Attributes:
        columns: Names of the columns, with their units.
        meanings: What each column holds, a line.
        rows: The first rows, as texts of CSV.
        total: The number of rows in all.
        size: The number of bytes.
        exact: False if total and size are estimated from samples of the recording. The size of a Parquet,
            OpenSCENARIO or MCAP file is always an estimate.
        amount: What is written where that is no table, in words; empty: `total` rows.
    """

    columns: tuple[str, ...]
    meanings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    size: int
    exact: bool
    amount: str = ""


class ExportFormat(ABC, Generic[OptionsT]):
    """A kind of file that a recording is exported to.

    Attributes:
        name: Its name on the command line, which is the first of its suffixes without the dot if it has no `tables`.
        title: Its name in the window.
        suffixes: The endings of its files, in lower case.
        options: The frozen dataclass of its options.
        tables: The tables that only this format writes, which select it among those of the same suffix.
        programs: The programs that only this format is for, which select it among those of the same suffix.
        contents: What its files hold, marked by `N_`; empty if they hold one of the recording's tables.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    options: type[OptionsT]
    tables: ClassVar[tuple[FormatTable, ...]] = ()
    programs: ClassVar[tuple[str, ...]] = ()
    contents: ClassVar[str] = ""

    @abstractmethod
    def preview(
        self, source: ExportSource, options: OptionsT, suffix: str, rows: int, progress: Progress
    ) -> ExportPreview:
        """Show what `write` would write to a file of this suffix.

        Args:
            source: What is exported.
            options: The chosen options.
            suffix: One of `suffixes`.
            rows: The number of rows that are shown at most.
            progress: Counts frames.

        Raises:
            RecorderError: As `write`.
        """

    @abstractmethod
    def write(
        self, source: ExportSource, options: OptionsT, target: Path, *, overwrite: bool, progress: Progress
    ) -> tuple[FileBeside, ...]:
        """Write the file, atomically.

        Args:
            source: What is exported.
            options: The chosen options.
            target: The file; its name ends in one of `suffixes`.
            overwrite: Whether a file that nothing makes again, as a recording, is replaced.
            progress: Counts frames or points.

        Returns:
            The files that belong beside it, which `export` writes.

        Raises:
            ExportError: A library that is needed is not installed.
            SelectorError: The options do not fit the recording, or each other.
            Cancelled: The user stopped it.
            WouldReplace: The file exists and has to stay.
            OSError: It cannot be written.
        """

    def inputs(self, options: OptionsT) -> frozenset[Input]:
        """Return what is read from files beside the recording."""
        return frozenset()

    def paths_beside(self, target: Path) -> tuple[Path, ...]:
        """Return the paths of the files that belong beside a target."""
        return ()


AnyFormat = ExportFormat[Any]
"""A format, whatever its options are."""
