"""The verb `video`: the scene of a range of a recording as a video. The window paints the pictures, as it is handed in.

Formats and choices are in `formats.video`.
"""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ..edits.segments import Segment, read_segments
from ..errors import EditError
from ..formats.video import (
    PNG,
    Film,
    VideoChoiceError,
    VideoError,
    VideoOptions,
    check_choices,
    format_of,
    sequence_names,
    shots,
    text_scale,
    write_video,
)
from ..formats.video.options import place_in
from ..progress import Progress
from ..reading.events.moments import Seconds, frames_around
from ..reading.selectors import find_frames
from ..recording import Recording, Snapshot
from ..texts import N_, language_of, listed, say, speaking
from . import options
from .files import Unreadable, WrongUsage, find_lanes, open_input, read_input, refuse_inputs, tell_notes
from .output import print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
What is shown is what the window shows; --from and --to, a segment of a list or a moment choose the range. MP4 and WebM
need the extra video; a folder, or a name as shot-%04d.png, gets PNG pictures.
Example: recorder-editor video a.log hero.mp4 --from 10 --to 20 --follow hero --size 1920x1080"""
)

_SECONDS = 5.0
"""Seconds before and after a moment, unless others are asked for."""


class MakeFilm(Protocol):
    """What gives the painter of a video."""

    def __call__(self, snapshot: Snapshot, options: VideoOptions, frames: range, progress: Progress) -> Film:
        """Return the painter, for these choices and frames."""


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_input(parser, help=say("a recording, damaged or not"))
    parser.add_written(
        "out",
        kind="file",
        metavar="OUT",
        help=say("the video (.mp4, .webm, .gif), or a folder or pattern for pictures (shot-%%04d.png)"),
    )
    options.add_range(parser)
    parser.add_argument(
        "--segments", type=Path, metavar="S", help=say("segments, of which --segment names one: CSV or JSON")
    )
    parser.add_argument("--segment", metavar="NAME", help=say("this segment of --segments, by its name or number"))
    parser.add_argument(
        "--around", metavar="X", help=say("the seconds about a time or a frame, as that which events prints")
    )
    parser.add_argument(
        "--seconds",
        type=options.not_negative,
        metavar="S",
        help=say("so many before and after --around (default {value})", value="5"),
    )
    options.add_declared(parser, VideoOptions)
    options.add_road_map(parser)
    options.add_dialect(parser)
    parser.set_defaults(prepare=prepare)


def prepare(arguments: Namespace) -> dict[str, object]:
    """Check the arguments before anything is read.

    Raises:
        WrongUsage: They are wrong, or do not fit each other.
        VideoError: The package of the format is missing.
    """
    ranges = (
        (arguments.start is not None or arguments.stop is not None, "--from"),
        (arguments.segments is not None or arguments.segment is not None, "--segment"),
        (arguments.around is not None, "--around"),
    )
    given = [option for is_given, option in ranges if is_given]
    if len(given) > 1:
        raise WrongUsage(say("{options} each choose the range: give one.", options=listed(given, "and")))
    if (arguments.segments is None) != (arguments.segment is None):
        raise WrongUsage(say("--segments and --segment go together."))
    if arguments.seconds is not None and arguments.around is None:
        raise WrongUsage(say("--seconds is for --around."))
    chosen = options.declared_options(arguments, VideoOptions)
    if chosen.follow and chosen.center:
        raise WrongUsage(say("{options} each choose what is in view: give one.", options="--follow, --center"))
    try:
        format = format_of(arguments.out)
        check_choices(chosen, format)
        text_scale(chosen)
        if chosen.center:
            place_in(chosen.center)
        if format is PNG:
            sequence_names(arguments.out, 1)
            arguments.outputs = {"out": "folder"}  # this verb names what it has written
    except VideoChoiceError as error:
        raise WrongUsage(error.message) from None
    return {}


def run(arguments: Namespace) -> None:
    """Write the video."""
    chosen = options.declared_options(arguments, VideoOptions)
    with open_input(arguments.file, arguments.dialect, xodr=arguments.xodr) as recording:
        if chosen.roads == "map":
            find_lanes(recording)
        if chosen.timeline:
            tell_notes(recording)
        try:
            if arguments.paint is None:
                raise VideoError(say("There is nothing here that paints pictures; the program `recorder-editor` does."))
            with speaking(language_of([f"--lang={arguments.lang}"] if arguments.lang else [])):
                _write(recording, arguments, chosen, arguments.paint)
        except VideoChoiceError as error:
            raise WrongUsage(error.message) from None


def _write(recording: Recording, arguments: Namespace, chosen: VideoOptions, make_film: MakeFilm) -> None:
    snapshot = recording.snapshot
    frames = _frames(snapshot, arguments)
    indices = shots(snapshot, frames, chosen.rate, chosen.speed).tolist()
    out: Path = arguments.out
    paths: Sequence[Path] = ()
    if format_of(out) is PNG:
        paths = sequence_names(out, len(indices))
        for path in paths:
            refuse_inputs(arguments, path)
    reading = progress_bar(say("Reading {name}", name=recording.path.name))
    film = make_film(snapshot, chosen, frames, reading)
    writing = progress_bar(say("Writing {name}", name=out.name))
    write_video(out, film, indices, chosen, overwrite=arguments.overwrite, progress=writing)
    if len(paths) > 1:
        print_lines([say("{first} to {last}", first=paths[0], last=paths[-1].name)])
    else:
        print_lines(map(str, paths))


def _frames(snapshot: Snapshot, arguments: Namespace) -> range:
    """Return the frames that were chosen."""
    if arguments.around is not None:
        first = find_frames(snapshot, arguments.around).start
        seconds = _SECONDS
        if arguments.seconds is not None:
            seconds = arguments.seconds
        return frames_around(snapshot, first, Seconds(before=seconds, after=seconds))
    if arguments.segments is not None:
        return _segment(snapshot, arguments.segments, arguments.segment).frames
    return find_frames(snapshot, arguments.start, arguments.stop)


def _segment(snapshot: Snapshot, path: Path, name: str) -> Segment:
    """Return the segment of a list that a name, or else a number from 1, means.

    Raises:
        Unreadable: The list cannot be read.
        WrongUsage: There is none.
    """
    try:
        segments = read_segments(snapshot, read_input(path))
    except EditError as error:
        raise Unreadable(say("{file}: {reason}", file=path, reason=error)) from None
    found = next((segment for segment in segments if segment.name == name), None)
    if found is None and name.isdecimal() and 1 <= int(name) <= len(segments):
        found = segments[int(name) - 1]
    if found is None:
        names = listed([segment.name for segment in segments[:8]])
        raise WrongUsage(say("{path} has no segment {name}; it has {names}.", path=path, name=repr(name), names=names))
    return found
