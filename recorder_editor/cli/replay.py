"""The verb `replay`: a recording replayed in a running simulator."""

from argparse import Namespace
from dataclasses import replace

from ..errors import EditError
from ..reading import SelectorError
from ..recording import Snapshot, write_file
from ..simulator.replay import Replay, ReplayOptions, collect_script, find_obstacles, replay, replayed_file
from ..simulator.server import NoSimulator
from ..texts import N_, say
from . import options
from .files import WrongUsage, open_input
from .output import print_error, print_lines, progress_bar
from .parsing import VerbParser

_DIGITS = 6  # of a duration, so that 0.35 - 0.1 is 0.25

DESCRIPTION = N_(
    """\
Needs the extra [carla]. Where nothing answers, the lines of Python that replay it are printed. Example: recorder-editor
replay a.log --from 10 --follow hero"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recording(parser)
    options.add_declared(parser, ReplayOptions)
    parser.add_argument(
        "--to",
        dest="stop",
        type=options.seconds,
        metavar="X",
        help=say("end (exclusive), a time of the recording, in place of --duration"),
    )
    parser.add_written(
        "--script",
        kind="file",
        metavar="OUT.py",
        help=say("write a program that replays it step by step and saves what sensors see; nothing is replayed"),
    )


def run(arguments: Namespace) -> None:
    """Begin the replay, or write the script."""
    chosen = options.declared_options(arguments, ReplayOptions)
    path = arguments.file
    server = chosen.server
    with open_input(path, arguments.dialect) as recording:
        snapshot = recording.snapshot
        if arguments.stop is not None:
            chosen = replace(chosen, duration=_duration(arguments, chosen.start, snapshot))
        try:
            request = Replay.chosen(chosen, snapshot)
        except SelectorError as error:
            raise WrongUsage(error.message) from None
        if arguments.script is not None:
            program = collect_script(snapshot, path, server, request).encode()
            write_file(arguments.script, program, overwrite=arguments.overwrite)
            return
        try:
            obstacles = find_obstacles(snapshot, server)
        except NoSimulator:
            print_lines(request.call(path, snapshot.dialect).splitlines())
            raise
        for sentence, option, _ in obstacles:
            if not chosen.allows(option):
                raise EditError(
                    say("{sentence} {option} helps.", sentence=sentence, option=f"--{option.replace('_', '-')}")
                )
            print_error(sentence)
        print_error(
            say(
                "The simulator at {place} reads {path} on its own machine.",
                path=replayed_file(path, obstacles),
                place=server,
            )
        )
        bar = progress_bar(say("Replaying {name}", name=path.name))
        print_lines(replay(snapshot, path, server, request, obstacles, edited=False, progress=bar))


def _duration(arguments: Namespace, start: float, snapshot: Snapshot) -> float:
    """Return how long the replay lasts up to --to, in seconds.

    Raises:
        WrongUsage: The end is before the start, or --duration was given, too.
    """
    if "--duration" in arguments:
        raise WrongUsage(say("--to and --duration both tell the end; give one of them."))
    if start < 0 and len(snapshot.elapsed):
        start += float(snapshot.elapsed[-1])
    stop: float = arguments.stop
    duration = round(stop - start, _DIGITS)
    if duration <= 0:
        raise WrongUsage(say("The end, {stop:g} s, is not behind the start, {start:g} s.", stop=stop, start=start))
    return duration
