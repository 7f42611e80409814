"""A recording as a table (.csv, .jsonl, .parquet), a scenario (.xosc) or an MCAP file (.mcap), by the ending of OUT.

--list says which tables there are. Example: recorder-editor export a.log hero.csv --actors hero --from 10 --to 20
"""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..analysis.constants import COLUMNS, L1, L1_MEANING
from ..formats.export import DEFAULT_TABLE, ENDINGS, WHOLE, Style, export
from ..formats.openscenario import scenario_style
from ..formats.signals import McapStyle, find_signals
from ..formats.tables import LANES, tables
from ..reading import SelectorError
from ..reading.selectors import find_subset
from ..recording import Snapshot
from ..texts import say
from .files import WrongUsage, find_lanes, open_input, read_notes
from .output import print_error, print_lines, progress_bar


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
                signals = find_signals(recording.snapshot, subset, arguments.signals or (), bar)
                style = McapStyle([*signals], arguments.all_poses)
            else:
                style = scenario_style(arguments.player, arguments.version, arguments.tolerance)
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
    if out.suffix.lower() != ".mcap" and (arguments.signals or arguments.all_poses):
        raise WrongUsage(say("--signals and --all-poses are for MCAP (.mcap)."))
    style = arguments.player, arguments.version, arguments.tolerance
    if out.suffix.lower() != ".xosc" and style != (None, None, None):
        raise WrongUsage(say("--for, --version and --tolerance are for scenarios (.xosc)."))
    if _is_l1(arguments) and arguments.step != 1:
        raise WrongUsage(say("The table l1 takes frames as they follow one another; leave --step away."))
    return {}


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
