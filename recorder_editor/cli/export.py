"""The verb `export`: a recording as a file that other programs read. What formats there are, `formats.export` knows."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..format import Field
from ..formats.export import (
    TableOptions,
    UnknownFormatError,
    export,
    export_formats,
    find_format,
    programs,
    suffix_of,
    suffixes,
)
from ..formats.export_format import AnyFormat
from ..formats.tables import tables
from ..option_specs import options_of
from ..reading import SelectorError
from ..reading.selectors import find_subset
from ..recording import Recording, Snapshot
from ..texts import N_, listed, say
from . import options
from .files import WrongUsage, find_lanes, open_input, read_notes
from .output import print_error, print_lines, progress_bar
from .parsing import VerbParser

_PROGRAM = "--for"
"""The option that names the program that a file is for: a scenario is for a player, an OSI file for omega-prime."""

DESCRIPTION = N_(
    """\
--list says which tables there are. Example: recorder-editor export a.log hero.csv --actors hero --from 10 --to 20"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_input(parser, help=say("a recording, damaged or not"))
    if parser.is_many:
        options.add_no_output(parser, kind="file")
    else:
        parser.add_written(
            "out",
            kind="file",
            nargs="?",
            metavar="OUT",
            help=say("the file to write: {endings}", endings=listed(suffixes())),
        )
    declared = [format.options for format in export_formats()]
    options.add_declared(parser, *declared, choices={_PROGRAM: tuple(programs())})
    parser.add_argument(
        "--actors",
        action="append",
        default=[],
        metavar="ACTORS,...",
        help=say("only these: ID, ID@FRAME, hero, role:NAME, type:vehicle.*"),
    )
    options.add_range(parser)
    parser.add_argument(
        "--step", type=options.whole, default=1, metavar="N", help=say("only every N-th frame (default 1: all)")
    )
    parser.add_argument(
        "--list", action="store_true", help=say("the tables of IN and their columns; nothing is written")
    )
    options.add_road_map(parser)
    options.add_dialect(parser)
    formats = [format.name for format in export_formats() if not format.tables]
    parser.add_argument(
        "--format",
        choices=formats,
        metavar="F",
        help=say("what --out-dir and - get: {formats} (without it csv)", formats=listed(formats)),
    )
    options.add_many(parser)
    options.add_outcomes(parser)
    parser.set_defaults(prepare=prepare, output_suffix=output_suffix)


def run(arguments: Namespace) -> None:
    """Write the file, or list the tables."""
    with open_input(arguments.file, arguments.dialect, xodr=arguments.xodr) as recording:
        if arguments.out is None:
            print_lines(_list(recording.snapshot))
        else:
            _write(recording, arguments.out, arguments)


def _write(recording: Recording, out: Path, arguments: Namespace) -> None:
    format = _format_of(out, arguments)
    chosen = options.declared_options(arguments, format.options)
    _tell_table_name(recording.snapshot, chosen)
    inputs = format.inputs(chosen)
    if "road map" in inputs:
        find_lanes(recording)
    if "notes" in inputs:
        read_notes(recording)
    actors = []
    for text in arguments.actors:
        actors.extend(text.split(","))
    try:
        subset = find_subset(recording.snapshot, actors, arguments.start, arguments.stop, arguments.step)
        kept = export(
            recording.snapshot,
            out,
            chosen,
            subset,
            overwrite=arguments.overwrite,
            overwrite_beside=arguments.overwrite,
            progress=progress_bar(f"Writing {out.name}"),
        )
    except SelectorError as error:
        raise WrongUsage(error.message) from None
    for file in kept:
        print_error(
            say(
                "{path} is another layout than that of this export, and was kept; --overwrite replaces it.",
                path=file.path,
            )
        )


def _tell_table_name(snapshot: Snapshot, chosen: object) -> None:
    """Tell the name of a table that was typed in another case: Position is not positions."""
    if not isinstance(chosen, TableOptions):
        return
    typed = chosen.table.strip()
    for table in tables(snapshot):
        if table.name != typed and table.name.lower() == chosen.table_key:
            print_error(say("{former} is now called {present}.", former=f"--table {typed}", present=table.name))


def prepare(arguments: Namespace) -> dict[str, object]:
    """Check the arguments once for all files.

    Raises:
        WrongUsage: They do not fit each other.
    """
    out: Path | None = arguments.out
    if arguments.format is not None and arguments.out_dir is None and not arguments.to_stdout:
        raise WrongUsage(
            say("{option} is for --out-dir and for -; OUT says by its ending what to write.", option="--format")
        )
    if out is None:
        if not arguments.list:
            raise WrongUsage(say("Name the file to write, or ask for the tables with --list."))
        return {}
    if arguments.list:
        raise WrongUsage(say("--list writes no file; leave OUT away."))
    format = _format_of(out, arguments)
    _refuse_others(format, arguments)
    return {}


def output_suffix(arguments: Namespace) -> str:
    """Return the suffix of the files that are written to --out-dir."""
    program = _program(arguments)
    if arguments.format is None and program:
        return programs()[program].suffixes[0]
    if arguments.format is None:
        return export_formats()[0].suffixes[0]
    by_name = {format.name: format for format in export_formats()}
    return by_name[arguments.format].suffixes[0]


def _format_of(out: Path, arguments: Namespace) -> AnyFormat:
    """Return the format of the output.

    Raises:
        WrongUsage: There is none.
    """
    table = options.declared_options(arguments, TableOptions).table_key
    try:
        return find_format(suffix_of(out), table, _program(arguments))
    except UnknownFormatError:
        endings = ", ".join(suffixes())
        raise WrongUsage(
            say("{name} does not say what to write; it has to end in one of {join}.", name=out.name, join=endings)
        ) from None


def _refuse_others(format: AnyFormat, arguments: Namespace) -> None:
    """Refuse options of other formats.

    Raises:
        WrongUsage: One was given.
    """
    own = {declared.spec.flag for declared in options_of(format.options)}
    program = _program(arguments)
    if program in format.programs:
        own.add(_PROGRAM)
    elif program:
        only = programs()[program]
        raise WrongUsage(
            say("{option} is for {formats}.", option=f"{_PROGRAM} {program}", formats=_title_with_suffixes(only))
        )
    for other in export_formats():
        for flag in options.given_options(arguments, other.options):
            if flag not in own:
                raise WrongUsage(say("{option} is for {formats}.", option=flag, formats=_formats_with(flag)))


def _formats_with(flag: str) -> str:
    """Return the formats that have an option, by their titles and suffixes."""
    titles: list[str] = []
    for format in export_formats():
        flags = {declared.spec.flag for declared in options_of(format.options)}
        if flag in flags and not format.tables:
            titles.append(_title_with_suffixes(format))
    return listed(titles)


def _title_with_suffixes(format: AnyFormat) -> str:
    return f"{format.title} ({', '.join(format.suffixes)})"


def _program(arguments: Namespace) -> str:
    """Return the program that the file is for, if a format is for it alone; otherwise nothing."""
    program = vars(arguments).get(_PROGRAM)
    if program in programs():
        return str(program)
    return ""


def _list(snapshot: Snapshot) -> Iterator[str]:
    for table in tables(snapshot):
        yield f"{table.name}: {table.meaning}"
        yield from _column_lines(table.columns)
    for format in export_formats():
        for format_table in format.tables:
            yield f"{format_table.name}: {say(format_table.meaning)}"
            yield from _column_lines(format_table.columns)


def _column_lines(columns: Sequence[Field]) -> Iterator[str]:
    width = max(len(column.path) for column in columns)
    for column in columns:
        unit = f" ({column.unit})" if column.unit else ""
        yield f"  {column.path:<{width}}  {column.type:<4}  {column.meaning}{unit}"
