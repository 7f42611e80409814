"""The verb `report`: recordings as a page for a browser."""

from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path

from ..recording import Recording
from ..texts import N_, say, say_count
from . import options
from .files import WrongUsage, find_lanes, open_input, recordings_of, tell_notes
from .output import progress_bar
from .parsing import VerbParser

SUFFIXES = (".html", ".htm")

DESCRIPTION = N_(
    """\
One file for any browser, without network: state, map, actors, speed and time to collision, collisions and risks with
pictures, checks, edits and notes; of several recordings a table, too. Needs the extra [report].
Example: recorder-editor report a.log a.html --xodr Town05.xodr"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=say("recordings, and folders of them"))
    parser.add_written("out", kind="file", metavar="OUT", help=say("the page to write (.html)"))
    options.add_road_map(parser)
    options.add_dialect(parser)
    parser.set_defaults(output_suffix=_suffix)


def _suffix(_arguments: Namespace) -> str:
    return SUFFIXES[0]


def run(arguments: Namespace) -> None:
    """Write the report."""
    # Checks, repair and traffic analysis are loaded once there is something to report.
    from ..views.html_report import Source, require_libraries, write_report

    out: Path = arguments.out
    if out.suffix.lower() not in SUFFIXES:
        raise WrongUsage(say("{path}: the name of a report ends in .html; it is the last one.", path=out))
    require_libraries()
    paths = list(recordings_of(arguments.files))
    with ExitStack() as stack:
        sources = []
        for path in paths:
            recording = stack.enter_context(open_input(path, arguments.dialect, xodr=arguments.xodr))
            _read_beside(recording, finds_map=arguments.xodr is None)
            sources.append(Source(recording.path, recording.snapshot))
        bar = progress_bar(
            say_count("Reporting {name}", "Reporting {count:,} recordings", count=len(paths), name=paths[0].name)
        )
        target = "-" if arguments.to_stdout else out.name
        write_report(out, sources, target=target, overwrite=arguments.overwrite, progress=bar)


def _read_beside(recording: Recording, *, finds_map: bool) -> None:
    """Read the notes of a recording, and its road map where none was given."""
    tell_notes(recording)
    if finds_map:
        find_lanes(recording)
