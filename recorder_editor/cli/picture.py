"""The verb `picture`: a picture for a paper, of the scene or of signals. The window paints it, as it is handed in.

Choices are in `formats.picture`.
"""

from argparse import Namespace

from ..formats.picture import (
    FORMATS,
    MakeFigure,
    PictureChoiceError,
    PictureError,
    PictureOptions,
    check_choices,
    format_of,
)
from ..reading import SelectorError
from ..reading.selectors import find_frames
from ..recording import Recording, write_file
from ..texts import N_, language_of, listed, say, speaking
from . import options
from .files import WrongUsage, find_lanes, open_input
from .output import progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
The scene at a moment, at several moments as a strip, as one picture of paths with marks of time (--path), or signals
over time (--signals). SVG and PDF are lines and text: the text of an SVG stays text, a PDF has its fonts in it.
Example: recorder-editor picture a.log crossing.pdf --at 5,6,7,8 --follow hero --across 60 --width 174"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_input(parser, help=say("a recording, damaged or not"))
    parser.add_written(
        "out",
        kind="file",
        metavar="OUT",
        help=say("the picture to write: {endings}", endings=listed([f".{kind}" for kind in FORMATS])),
    )
    options.add_declared(parser, PictureOptions)
    options.add_range(parser)
    options.add_road_map(parser)
    options.add_dialect(parser)
    parser.add_argument(
        "--format", choices=FORMATS, metavar="F", help=say("what - gets: {formats}", formats=listed(FORMATS))
    )
    parser.set_defaults(prepare=prepare, output_suffix=output_suffix)


def output_suffix(arguments: Namespace) -> str:
    """Return the ending of a picture that goes to standard output."""
    return f".{arguments.format or FORMATS[0]}"


def prepare(arguments: Namespace) -> dict[str, object]:
    """Check the arguments before anything is read.

    Raises:
        WrongUsage: They are wrong, or do not fit each other.
    """
    chosen = options.declared_options(arguments, PictureOptions)
    has_range = arguments.start is not None or arguments.stop is not None
    if has_range and not chosen.path and not chosen.signals:
        raise WrongUsage(say("--from and --to are for --path and --signals; --at names moments."))
    try:
        kind = format_of(arguments.out)
        if arguments.format not in (None, kind):
            raise WrongUsage(say("{path} says one format and --format another.", path=arguments.out))
        check_choices(chosen, kind)
    except PictureChoiceError as error:
        raise WrongUsage(error.message) from None
    return {}


def run(arguments: Namespace) -> None:
    """Write the picture."""
    chosen = options.declared_options(arguments, PictureOptions)
    with open_input(arguments.file, arguments.dialect, xodr=arguments.xodr) as recording:
        if chosen.roads == "map" and not chosen.signals:
            find_lanes(recording)
        try:
            if arguments.paint is None:
                raise PictureError(
                    say("There is nothing here that paints pictures; the program `recorder-editor` does.")
                )
            with speaking(language_of([f"--lang={arguments.lang}"] if arguments.lang else [])):
                _write(recording, arguments, chosen, arguments.paint)
        except (PictureChoiceError, SelectorError) as error:
            raise WrongUsage(error.message) from None


def _write(recording: Recording, arguments: Namespace, chosen: PictureOptions, make_figure: MakeFigure) -> None:
    frames = find_frames(recording.snapshot, arguments.start, arguments.stop)
    reading = progress_bar(say("Reading {name}", name=recording.path.name))
    figure = make_figure(recording.snapshot, chosen, frames, reading)
    try:
        data = figure.written(format_of(arguments.out))
    finally:
        figure.close()
    write_file(arguments.out, data, overwrite=arguments.overwrite)
