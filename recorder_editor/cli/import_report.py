"""The verb `import-report`: a recording made of CARLA's text report of all packets."""

from argparse import Namespace
from pathlib import Path

from ..formats.report import ReportImport, ReportOptions
from ..texts import N_, say
from . import options
from .files import Unreadable
from .output import print_error, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
IN is what show_recorder_file_info prints with show_all=True, or info --all. What the text does not tell is counted on
stderr. Example: recorder-editor import-report crash.txt crash.log"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("report", type=Path, metavar="IN.txt", help=say("the text report"))
    options.add_output(parser)
    options.add_declared(parser, ReportOptions)


def run(arguments: Namespace) -> None:
    """Write the recording; what the text does not tell goes to stderr."""
    report: Path = arguments.report
    if report.is_dir():
        raise Unreadable(say("{file}: {reason}.", file=report, reason=say("Is a directory")))
    if not report.is_file():
        raise Unreadable(say("{file}: there is no such file.", file=report))
    chosen = options.declared_options(arguments, ReportOptions)
    bar = progress_bar(say("Writing {name}", name=arguments.out.name))
    remarks = ReportImport().make(arguments.report, chosen, arguments.out, bar, overwrite=arguments.overwrite)
    for remark in remarks:
        print_error(remark)
