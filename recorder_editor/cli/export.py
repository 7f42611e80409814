"""The verb `export`: a recording as a file that other programs read."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..analysis.constants import COLUMNS, L1, L1_MEANING
from ..formats.export import DEFAULT_TABLE, ENDINGS, WHOLE, Style, export
from ..formats.openscenario import ScenarioOptions, scenario_style
from ..formats.signals import McapOptions, McapStyle, find_signals
from ..formats.tables import LANES, tables
from ..reading import SelectorError
from ..reading.selectors import find_subset
from ..recording import Snapshot
from ..texts import N_, listed, say
from . import options
from .files import WrongUsage, find_lanes, open_input, read_notes
from .output import print_error, print_lines, progress_bar
from .parsing import VerbParser

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
            help=say("the file to write: {endings}", endings=listed(ENDINGS)),
        )
    parser.add_argument(
        "--table",
        metavar="T",
        help=say(
            "a packet's records (Position, or its id, 6) or a derived table (default {table})", table=DEFAULT_TABLE
        ),
    )
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
        "--guard-formulas",
        action="store_true",
        help=say("in CSV, put ' before texts that a spreadsheet would run as a formula"),
    )
    options.add_declared(parser, ScenarioOptions)
    options.add_declared(parser, McapOptions)
    parser.add_argument(
        "--list", action="store_true", help=say("the tables of IN and their columns; nothing is written")
    )
    options.add_road_map(parser)
    options.add_dialect(parser)
    formats = [ending.removeprefix(".") for ending in ENDINGS]
    parser.add_argument(
        "--format",
        choices=formats,
        metavar="F",
        help=say("what --out-dir gets: {formats} (without it csv)", formats=listed(formats)),
    )
    options.add_many(parser)
    options.add_outcomes(parser)
    parser.set_defaults(prepare=prepare)


def run(arguments: Namespace) -> None:
    """Write the file, or list the tables."""
    out: Path | None = arguments.out
    if out is None:
        with open_input(arguments.file, arguments.dialect, xodr=arguments.xodr) as recording:
            print_lines(_list(recording.snapshot))
        return
    with open_input(arguments.file, arguments.dialect, xodr=arguments.xodr) as recording:
        table = (arguments.table or DEFAULT_TABLE).strip().lower()
        whole = out.suffix.lower() == ".mcap"
        if whole or table == LANES:
            find_lanes(recording)
        if whole or table == "notes":
            read_notes(recording)
        actors = [word for words in arguments.actors for word in words.split(",")]
        try:
            subset = find_subset(recording.snapshot, actors, arguments.start, arguments.stop, arguments.step)
            bar = progress_bar(f"Writing {out.name}")
            if _is_l1(arguments):
                from ..analysis.recording import lives_in, of_recording

                found = of_recording(recording.snapshot, frames=subset.frames, progress=bar)
                found.export(out, lives_in(found, subset), overwrite=arguments.overwrite)
                return
            style: Style
            if whole:
                chosen = _mcap_options(arguments)
                signals = find_signals(recording.snapshot, subset, chosen.signals, bar)
                style = McapStyle(signals=[*signals], all_poses=chosen.all_poses)
            else:
                style = scenario_style(_scenario_options(arguments))
            kept = export(
                recording.snapshot,
                out,
                arguments.table or DEFAULT_TABLE,
                subset,
                guard_formulas=arguments.guard_formulas,
                style=style,
                overwrite=arguments.overwrite,
                overwrite_beside=arguments.overwrite,
                progress=bar,
            )
            for each in kept:
                print_error(
                    say(
                        "{path} is another layout than that of this export, and was kept; --overwrite replaces it.",
                        path=each.path,
                    )
                )
        except SelectorError as error:
            raise WrongUsage(error.message) from None


def prepare(arguments: Namespace) -> dict[str, Any]:
    """Raise `WrongUsage` for wrong arguments, once for all files."""
    out: Path | None = arguments.out
    if arguments.format is not None and arguments.out_dir is None:
        raise WrongUsage(say("{option} is for --out-dir; OUT says by its ending what to write.", option="--format"))
    if out is None:
        if not arguments.list:
            raise WrongUsage(say("Name the file to write, or ask for the tables with --list."))
        return {}
    if arguments.list:
        raise WrongUsage("--list writes no file; leave OUT away.")
    if out.suffix.lower() not in ENDINGS:
        raise WrongUsage(
            say(
                "{name} does not say what to write; it has to end in one of {join}.",
                name=out.name,
                join=", ".join(ENDINGS),
            )
        )
    if arguments.guard_formulas and out.suffix.lower() != ".csv":
        raise WrongUsage("--guard-formulas is for CSV; in other forms a text is a text.")
    if out.suffix.lower() in WHOLE and arguments.table is not None:
        raise WrongUsage(
            say(
                "A {ending} file holds the recording and no table; leave --table away, or write another form.",
                ending=out.suffix.lower(),
            )
        )
    if out.suffix.lower() != ".mcap" and _mcap_options(arguments) != McapOptions():
        raise WrongUsage(say("--signals and --all-poses are for MCAP (.mcap)."))
    if out.suffix.lower() != ".xosc" and _scenario_options(arguments) != ScenarioOptions():
        raise WrongUsage(say("--for, --version and --tolerance are for scenarios (.xosc)."))
    if _is_l1(arguments) and arguments.step != 1:
        raise WrongUsage(say("The table l1 takes frames as they follow one another; leave --step away."))
    return {}


def _scenario_options(arguments: Namespace) -> ScenarioOptions:
    return ScenarioOptions(player=arguments.player, version=arguments.version, tolerance=arguments.tolerance)


def _mcap_options(arguments: Namespace) -> McapOptions:
    return McapOptions(signals=tuple(arguments.signals or ()), all_poses=arguments.all_poses)


def _is_l1(arguments: Namespace) -> bool:
    return bool(arguments.table is not None and arguments.table.strip().lower() == L1)


def _list(snapshot: Snapshot) -> Iterator[str]:
    for table in tables(snapshot):
        yield f"{table.name}: {table.meaning}"
        yield from _columns([(column.path, column.type, column.meaning, column.unit) for column in table.columns])
    yield f"{L1}: {say(L1_MEANING)}"
    kinds = {"i1": "i8", "i4": "i32", "i8": "i64", "f4": "f32", "f8": "f64"}
    yield from _columns([(each.name, kinds.get(each.type, each.type), each.meaning, each.unit) for each in COLUMNS])


def _columns(columns: Sequence[tuple[str, str, str, str]]) -> Iterator[str]:
    width = max(len(name) for name, _, _, _ in columns)
    for name, kind, meaning, unit in columns:
        yield f"  {name:<{width}}  {kind:<4}  {meaning}{f' ({unit})' if unit else ''}"
