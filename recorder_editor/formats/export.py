"""The export formats, and the export of a recording to one of them, with a preview.

The suffix of a file's name selects its format; where several formats have the same suffix, the chosen table does, the
program that the file is for, or the type of the options.
"""

from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import SaveRefused
from ..extensions import NotTaken, offer_extensions, require_texts
from ..option_specs import options_of, same_options
from ..progress import SILENT, Progress
from ..reading import SelectorError, Subset
from ..reading.selectors import find_subset
from ..recording import Snapshot, write_file
from ..roads import RoadMap
from ..texts import listed, say
from .csv_format import Csv
from .export_format import (
    AnyFormat,
    ExportError,
    ExportFormat,
    ExportPreview,
    ExportSource,
    FileBeside,
    UnknownFormatError,
)
from .json_lines import JsonLines
from .l1 import L1Table
from .mcap import Mcap
from .openscenario import OpenScenario
from .osi import Osi
from .parquet import Parquet
from .signals import Signal
from .table_format import TableFormat, TableOptions
from .tables import road_map_table, tables

if TYPE_CHECKING:
    from ..analysis import Analysis

__all__ = [
    "FORMATS",
    "ExportError",
    "ExportPreview",
    "FileBeside",
    "TableOptions",
    "UnknownFormatError",
    "export",
    "export_formats",
    "export_lanes",
    "find_format",
    "paths_beside",
    "preview",
    "programs",
    "suffix_of",
    "suffixes",
    "table_names",
]

FORMATS: tuple[AnyFormat, ...] = (Csv(), JsonLines(), Parquet(), OpenScenario(), Mcap(), Osi(), L1Table())
"""The formats of this program, in the order of the export dialog."""

RESERVED_FLAGS = frozenset(
    {
        "--actors",
        "--dask",
        "--format",
        "--from",
        "--help",
        "--json",
        "--lang",
        "--list",
        "--out-dir",
        "--overwrite",
        "--quiet",
        "--read-as",
        "--recursive",
        "--resume",
        "--schema",
        "--step",
        "--to",
        "--verbose",
        "--workers",
        "--xodr",
        "-f",
        "-h",
        "-q",
    }
)
"""Flags of the verb `export`, which no option of a format may have."""


# --- the formats ------------------------------------------------------------------------------------------


@cache
def export_formats() -> tuple[AnyFormat, ...]:
    """Return the formats of this program, and those of installed packages."""
    formats = list(FORMATS)

    def add_format(value: object) -> None:
        if not isinstance(value, ExportFormat):
            raise NotTaken(say("It is no {kind}.", kind="ExportFormat"))
        require_texts(value, "name", "title", "contents")
        for other in formats:
            _refuse_clash(value, other)
        _refuse_reserved(value)
        formats.append(value)

    offer_extensions("recorder_editor.formats", add_format)
    return tuple(formats)


def _refuse_reserved(format: AnyFormat) -> None:
    """Refuse a format with an option that the verb has itself.

    Raises:
        NotTaken: It has one.
    """
    for option in options_of(format.options):
        if option.spec.flag in RESERVED_FLAGS:
            raise NotTaken(say("The verb export has the option {flag} itself.", flag=option.spec.flag))


def _refuse_clash(format: AnyFormat, other: AnyFormat) -> None:
    """Refuse a format that cannot be told from another one.

    Raises:
        NotTaken: They have the same name, suffix or table, or an option of the same name with another meaning.
    """
    if other.name == format.name:
        raise NotTaken(say("There is a format of the name “{name}” already.", name=format.name))
    suffixes = set(other.suffixes) & set(format.suffixes)
    if suffixes and not format.tables:
        raise NotTaken(say("Files that end in “{suffix}” have a format already.", suffix=min(suffixes)))
    tables = {table.name for table in other.tables} & {table.name for table in format.tables}
    if tables:
        raise NotTaken(say("Another format has the table “{name}”.", name=min(tables)))
    other_options = options_of(other.options)
    for option in options_of(format.options):
        for other_option in other_options:
            is_alike = option.spec.flag == other_option.spec.flag or option.name == other_option.name
            if is_alike and option.spec is not other_option.spec:
                raise NotTaken(say("Another format has the option {flag}.", flag=other_option.spec.flag))


def find_format(suffix: str, table: str = "", program: str = "") -> AnyFormat:
    """Return the format of files with this suffix.

    Args:
        suffix: The ending of a file's name, with its dot; case does not matter.
        table: The chosen table in lower case, which some formats alone write.
        program: The program that the file is for, which some formats alone are for.

    Raises:
        UnknownFormatError: There is none.
    """
    candidates = [format for format in export_formats() if suffix.lower() in format.suffixes]
    for format in candidates:
        if program in format.programs or table in {own.name for own in format.tables}:
            return format
    for format in candidates:
        if not format.tables:
            return format
    raise UnknownFormatError(
        say(
            "Files that end in “{ending}” cannot be written; there are {endings}.",
            ending=suffix.lower(),
            endings=listed(suffixes()),
        )
    )


def suffix_of(target: Path) -> str:
    """Return the ending of a file's name that selects its format: the longest one that a format has, in lower case.

    Args:
        target: The file. A name that ends in none of them has its last ending.
    """
    name = target.name.lower()
    endings = [suffix for suffix in suffixes() if name.endswith(suffix)]
    return max(endings, key=len, default=target.suffix.lower())


def programs() -> dict[str, AnyFormat]:
    """Return the formats that are for one program only, by the name of the program."""
    return {program: format for format in export_formats() for program in format.programs}


def suffixes() -> tuple[str, ...]:
    """Return the endings of the files that can be written."""
    endings: list[str] = []
    for format in export_formats():
        endings.extend(format.suffixes)
    return tuple(dict.fromkeys(endings))


def table_names(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield name and meaning of all tables that can be exported, translated."""
    for table in tables(snapshot):
        yield table.name, say(table.meaning)
    for format in export_formats():
        for format_table in format.tables:
            yield format_table.name, say(format_table.meaning)


def paths_beside(target: Path) -> tuple[Path, ...]:
    """Return the paths of the files that `export` writes beside a target."""
    try:
        return find_format(suffix_of(target)).paths_beside(target)
    except UnknownFormatError:
        return ()


# --- export -----------------------------------------------------------------------------------------------


def export(
    snapshot: Snapshot,
    target: Path,
    options: object = None,
    subset: Subset | None = None,
    *,
    signals: Sequence[Signal] = (),
    analyses: MutableMapping[range, "Analysis"] | None = None,
    overwrite: bool = False,
    overwrite_beside: bool = False,
    progress: Progress = SILENT,
) -> tuple[FileBeside, ...]:
    """Write the chosen actors and frames to a file, atomically.

    Args:
        snapshot: The state of the recording.
        target: The file; its suffix selects the format.
        options: Options of the format, or of one that has the same ones; None: the usual ones.
        subset: The actors and frames, from `find_subset`; None: all.
        signals: Signals that a file gets besides those of its options, if its format holds signals.
        analyses: Analyses of the vehicles that were made already, by their frames.
        overwrite: Whether a file that nothing makes again, as a recording, is replaced.
        overwrite_beside: Whether files beside it that hold something else are replaced.
        progress: Counts frames or points.

    Returns:
        The files beside the target that hold something else than belongs there, and were kept.

    Raises:
        UnknownFormatError: No format has this suffix and these options.
        ExportError: A library that is needed is not installed.
        ScenarioError: The chosen actors and frames make no scenario.
        SelectorError: There is no such table, or actors were chosen of one without actors.
        SaveRefused: The target is the recording itself.
        WouldReplace: The target exists and has to stay.
        Cancelled: The user stopped it.
        OSError: It cannot be written, or the recording cannot be read.
    """
    format, chosen = _format_and_options(suffix_of(target), options)
    if snapshot.store.sources_at(target):
        raise SaveRefused(
            say("{name} is the recording itself, and would be replaced. Choose another name.", name=target.name)
        )
    source = _source(snapshot, subset, signals, analyses)
    kept = []
    for file in format.write(source, chosen, target, overwrite=overwrite, progress=progress):
        if not _write_beside(file, overwrite_beside):
            kept.append(file)
    return tuple(kept)


def preview(
    snapshot: Snapshot,
    suffix: str,
    options: object = None,
    subset: Subset | None = None,
    *,
    rows: int = 100,
    signals: Sequence[Signal] = (),
    analyses: MutableMapping[range, "Analysis"] | None = None,
    progress: Progress = SILENT,
) -> ExportPreview:
    """Return the first rows that `export` would write to a file, and how many rows and bytes in all.

    A few frames are read; of OpenSCENARIO and the table of actors all positions.

    Args:
        snapshot: As of `export`.
        suffix: The ending of the file's name (`.csv`).
        options: As of `export`.
        subset: As of `export`.
        rows: The number of rows that are shown at most.
        signals: As of `export`.
        analyses: As of `export`.
        progress: As of `export`.

    Raises:
        RecorderError: As `export`.
    """
    format, chosen = _format_and_options(suffix, options)
    source = _source(snapshot, subset, signals, analyses)
    return format.preview(source, chosen, suffix=suffix.lower(), rows=rows, progress=progress)


def _format_and_options(suffix: str, options: object) -> tuple[AnyFormat, object]:
    table = options.table_key if isinstance(options, TableOptions) else ""
    format = find_format(suffix, table, _program_of(options))
    if options is None:
        return format, format.options()
    _refuse_other_tables(options, table)
    try:
        return format, same_options(options, format.options)
    except ValueError as error:
        raise UnknownFormatError(
            say("{title} has no option {option}.", title=format.title, option=str(error))
        ) from None


def _refuse_other_tables(options: object, table: str) -> None:
    """Refuse options of another table than the chosen one.

    Raises:
        SelectorError: One was chosen.
    """
    for option in options_of(type(options)):
        if not option.spec.is_for_table(table) and getattr(options, option.name) != option.default:
            raise SelectorError(
                say("{option} is for the table {tables}.", option=option.spec.flag, tables=listed(option.spec.tables))
            )


def _program_of(options: object) -> str:
    """Return the program that options are for: that of the format whose options they are, if it is for one only."""
    for program, format in programs().items():
        if isinstance(options, format.options):
            return program
    return ""


def _source(
    snapshot: Snapshot,
    subset: Subset | None,
    signals: Sequence[Signal],
    analyses: MutableMapping[range, "Analysis"] | None,
) -> ExportSource:
    if subset is None:
        subset = find_subset(snapshot)
    if analyses is None:
        analyses = {}
    return ExportSource(snapshot=snapshot, subset=subset, signals=signals, analyses=analyses)


def _write_beside(file: FileBeside, overwrite: bool) -> bool:
    """Write a file beside the target.

    Returns:
        False if a file that holds something else was kept.
    """
    with suppress(FileNotFoundError):
        size = file.path.stat().st_size
        if size == len(file.data) and file.path.read_bytes() == file.data:
            return True
        if size and not overwrite:
            return False
    write_file(file.path, file.data, overwrite=overwrite)
    return True


def export_lanes(
    roads: RoadMap, target: Path, step: float = 2.0, *, overwrite: bool = False, progress: Progress = SILENT
) -> None:
    """Write points along the lanes of a road map to a table, atomically.

    Args:
        roads: The road map.
        target: The file (.csv, .jsonl, .parquet).
        step: Metres between points.
        overwrite: Whether a file that nothing makes again is replaced.
        progress: Counts lanes.

    Raises:
        UnknownFormatError: The suffix is not that of a table.
        ExportError: A library that is needed is not installed.
        WouldReplace: The target exists and has to stay.
        Cancelled: The user stopped it.
        OSError: It cannot be written.
    """
    format = find_format(suffix_of(target))
    if not isinstance(format, TableFormat):
        raise UnknownFormatError(
            say("Lanes are a table and no scenario; give a name that ends in .csv, .jsonl or .parquet.")
        )
    format.write_table(
        road_map_table(roads, step),
        Subset(range(0), None),
        format.options(),
        target,
        overwrite=overwrite,
        progress=progress,
    )
