"""The verb `replay`: a recording replayed in a running simulator."""

from argparse import Namespace

from ..errors import EditError
from ..reading import SelectorError
from ..recording import write_file
from ..simulator.replay import Replay, ReplayOptions, collect_script, find_obstacles, replay, replayed_file
from ..simulator.server import NoSimulator
from ..texts import N_, say
from . import options
from .files import WrongUsage, open_input
from .output import print_error, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Needs the extra [carla]. Where nothing answers, the lines of Python that replay it are printed. Example: recorder-editor
replay a.log --start 10 --follow hero"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recording(parser)
    options.add_declared(parser, ReplayOptions)
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
