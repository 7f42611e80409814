"""The verb `index`: the index of a folder of recordings."""

from argparse import Namespace

from ..fleet.catalogue import index
from ..fleet.pool import usable_cores
from ..reading.events import Thresholds
from ..terminal import Span
from ..texts import N_, say
from . import options
from .files import refuse_missing_folder
from .output import print_error, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Writes an SQLite file into the folder. Again, it reads only what has changed since, and all with other thresholds.
Example: recorder-editor index recordings"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_written(
        "folder", kind="folder", metavar="DIR", help=say("a folder of recordings, with the folders in it")
    )
    parser.add_argument(
        "--workers",
        type=options.positive,
        metavar="N",
        help=say("how many files are read at a time (default: one for each processor)"),
    )
    options.add_declared(parser, Thresholds)
    parser.add_argument("--new", action="store_true", help=say("make the index anew, in place of any file of its name"))


def run(arguments: Namespace) -> bool:
    """Bring the index up to date, and say what was done; failures on stderr."""
    folder = arguments.folder
    refuse_missing_folder(folder)
    bar = progress_bar(say("Indexing {name}", name=folder))
    workers = arguments.workers or usable_cores()
    thresholds = options.declared_options(arguments, Thresholds)
    done = index(
        folder,
        bar,
        thresholds=thresholds,
        workers=workers,
        works_here=True,
        anew=arguments.new,
        overwrite=arguments.overwrite,
    )
    for sentence in done.failed.values():
        print_error([Span(sentence, "error")])
    print_lines([done.summary(folder)])
    return not done.failed
