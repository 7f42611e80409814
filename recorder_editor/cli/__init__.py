"""The command line: one module for each verb, without Qt.

Data goes to stdout as bytes with `\\n`, everything else to stderr. Only this module ends the program. The module of a
verb is loaded when the verb runs or its help is asked for: the version, the overview and a mistyped verb load none.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TextIO, cast

from ..errors import with_notes
from ..suggestions import did_you_mean
from ..terminal import print_failure
from ..termination import INTERRUPTED, Terminated
from ..texts import N_, language, language_of, option_value, say, speaking
from .output import Exit, exit_code
from .parsing import VerbParser

PROG = "recorder-editor"


class VerbModule(Protocol):
    """The module of a verb.

    Attributes:
        DESCRIPTION: What the help says below the line of the table.
    """

    DESCRIPTION: str

    def add_arguments(self, parser: VerbParser) -> None:
        """Add the arguments of the verb.

        Args:
            parser: The parser of the verb. Its default `prepare` may be replaced by a function that refuses wrong
                arguments once for all files, and returns what JSON tells of the arguments.
        """

    def run(self, arguments: Namespace) -> bool | Exit | None:
        """Do what the verb does for one recording.

        Args:
            arguments: The parsed arguments; `extra` is what `prepare` has returned.

        Returns:
            The exit code; None and True are success, False is failure.
        """


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb.

    Attributes:
        name: Its name on the command line.
        help: One line of help.
        module: The name of its module in this package.
        takes_many: It does its work for many recordings, too; its module calls `options.add_many`.
        takes_packets: It reads recordings, or makes one, which may hold packets of users.
        is_translated: It prints in the language of its user, if not as JSON; others print for programs, too.
        paints: It paints pictures, which only the window can; its module gets what does so as `arguments.paint`.
    """

    name: str
    help: str
    module: str
    takes_many: bool = False
    takes_packets: bool = True
    is_translated: bool = False
    paints: bool = False

    def load(self) -> VerbModule:
        """Load the module."""
        return cast(VerbModule, import_module(f"{__name__}.{self.module}"))


_VERBS = (
    Verb(
        name="info",
        help=N_("What a recording holds and whether it is sound; or CARLA's file info text, byte for byte."),
        module="info",
        takes_many=True,
        is_translated=True,
    ),
    Verb(
        name="collisions",
        help=N_("CARLA's collision report, byte for byte as the server prints it."),
        module="collisions",
    ),
    Verb(
        name="blocked",
        help=N_("CARLA's report of blocked actors, byte for byte as the server prints it."),
        module="blocked",
    ),
    Verb(
        name="events",
        help=N_("Traffic events: near misses, collisions, hard braking, cut-ins and more, with when, who and how bad."),
        module="events",
    ),
    Verb(
        name="report",
        help=N_("A page for any browser on one recording or several: state, map, charts, collisions, risks, checks."),
        module="report",
        is_translated=True,
    ),
    Verb(name="actors", help=N_("Life, blueprint, role, parent and distance of every actor."), module="actors"),
    Verb(
        name="diff",
        help=N_("What differs between two recordings: header, actors, frames, packets, records, fields."),
        module="diff",
    ),
    Verb(
        name="dump",
        help=N_("Every packet decoded, one JSON object a line; `build` gives the same bytes back."),
        module="dump",
    ),
    Verb(name="build", help=N_("A recording from the lines of a dump."), module="build"),
    Verb(name="rewrite", help=N_("A recording read and written again: the same bytes."), module="rewrite"),
    Verb(name="check", help=N_("What is wrong with a recording."), module="check", takes_many=True, is_translated=True),
    Verb(
        name="repair",
        help=N_("What can be saved of a damaged recording, and a report of what cannot."),
        module="repair",
        takes_many=True,
        is_translated=True,
    ),
    Verb(
        name="export",
        help=N_(
            "A recording as a table (.csv, .jsonl, .parquet), a scenario (.xosc) or an MCAP file (.mcap), "
            "by the ending of OUT."
        ),
        module="export",
        takes_many=True,
    ),
    Verb(
        name="video",
        help=N_(
            "A range of a recording as a video of the scene: MP4, WebM, GIF or PNG pictures, by the ending of OUT."
        ),
        module="video",
        paints=True,
    ),
    Verb(
        name="picture",
        help=N_(
            "A picture for a paper: the scene at moments, paths or signals as SVG, PDF or PNG, by the ending of OUT."
        ),
        module="picture",
        paints=True,
    ),
    Verb(
        name="trim",
        help=N_("A range of a recording as a recording of its own, which replays as that range did."),
        module="trim",
        takes_many=True,
    ),
    Verb(name="cut", help=N_("A recording without a range, the gap closed."), module="cut"),
    Verb(name="split", help=N_("A recording in parts that each replay alone, written to a folder."), module="split"),
    Verb(
        name="segments",
        help=N_("The segments of a list, each written to a file of its own as trim would write it."),
        module="segments",
    ),
    Verb(name="notes", help=N_("The notes of a recording, from NAME.notes.json beside it."), module="notes"),
    Verb(
        name="join",
        help=N_("Recordings joined into one that replays; the actors of later ones get new ids."),
        module="join",
    ),
    Verb(
        name="edit",
        help=N_("Changes to a recording, in the order in which they are given."),
        module="edit",
        takes_many=True,
    ),
    Verb(
        name="run",
        help=N_("An edit script, as saved by the window, applied to one recording or to many."),
        module="run",
        takes_many=True,
    ),
    Verb(
        name="convert",
        help=N_(
            "A recording of one release as one of another: ids, types, header version, widths of vectors and wheels."
        ),
        module="convert",
        takes_many=True,
    ),
    Verb(
        name="lanes",
        help=N_("The lanes of a road map (OpenDRIVE, .xodr) as a table, by the ending of OUT."),
        module="lanes",
    ),
    Verb(
        name="grammar",
        help=N_(
            "The format of recordings as a grammar for Kaitai Struct (.ksy) or ImHex (.hexpat), by the ending of OUT."
        ),
        module="grammar",
    ),
    Verb(
        name="metrics",
        help=N_("Run a metric of ScenarioRunner on a recording, without a simulator."),
        module="metrics",
        takes_many=True,
    ),
    Verb(
        name="replay",
        help=N_("Replay a recording in a running simulator, which reads the file on its own machine."),
        module="replay",
    ),
    Verb(
        name="index",
        help=N_(
            "The index of a folder: its recordings, those in folders below it, and their traffic events, for find."
        ),
        module="index",
    ),
    Verb(
        name="find",
        help=N_("The recordings of an indexed folder, or their traffic events, that an expression is true of."),
        module="find",
    ),
    Verb(
        name="l1",
        help=N_(
            "The L1 table of highD recordings: kinematics, car following, safety and emissions, "
            "one row a frame and vehicle."
        ),
        module="l1",
        takes_packets=False,
    ),
    Verb(
        name="import-highd",
        help=N_("A highD recording as a recording of the simulator."),
        module="import_highd",
        takes_packets=False,
    ),
    Verb(
        name="import-report",
        help=N_("A recording made of the text that show_recorder_file_info prints of all packets, as far as it tells."),
        module="import_report",
        takes_packets=False,
    ),
    Verb(
        name="import-trajectories",
        help=N_("Trajectories of a table (CSV, Parquet), or of inD, rounD, exiD or uniD, as a recording."),
        module="import_trajectories",
        takes_packets=False,
    ),
    Verb(name="demo", help=N_("A synthetic recording of a small town."), module="demo", takes_packets=False),
    Verb(
        name="completion",
        help=N_("What bash, zsh or fish reads to complete command lines of this program."),
        module="completion",
        takes_packets=False,
    ),
)

VERBS: Mapping[str, Verb] = {verb.name: verb for verb in _VERBS}
"""The verbs by name, in the order of the help."""


def verb_parser(name: str, *, is_many: bool = False) -> VerbParser:
    """Make the parser of a verb; loads its module.

    Args:
        name: The name of the verb.
        is_many: The command has --out-dir, so that all names are inputs of a verb that takes many.
    """
    verb = VERBS[name]
    module = verb.load()
    from .options import add_language, add_loudness, add_overwrite, add_schema  # loads what a parser of a verb needs

    parser = VerbParser(
        prog=f"{PROG} {name}",
        description=f"{say(verb.help)}\n\n{say(module.DESCRIPTION)}",
        is_many=is_many and verb.takes_many,
    )
    parser.set_defaults(verb=name, run=module.run)
    module.add_arguments(parser)
    if parser.outputs:
        add_overwrite(parser)
    if verb.takes_packets:
        add_schema(parser)
    add_loudness(parser)
    add_language(parser)
    parser.take_former_names(name)
    return parser


def main(argv: Sequence[str], paint: object = None) -> int:
    """Run a verb.

    Args:
        argv: The name of the verb, and its arguments.
        paint: What paints pictures for verbs that need it; None: there is nothing that does.

    Returns:
        The exit code.
    """
    # Streams that the parent process has closed are None.
    if sys.stdout is None:
        sys.stdout = _open_null()
    if sys.stderr is None:
        sys.stderr = _open_null()
    name = argv[0]
    try:
        with speaking(language_of(argv)):
            # Whether the last name is OUT or another input decides which arguments there are.
            parser = verb_parser(name, is_many=option_value(argv, "--out-dir") is not None)
            arguments, unknown = parser.parse_known_args(argv[1:])
            if unknown:
                parser.error(_unknown_arguments_text(parser, arguments, unknown))
    except SystemExit as stop:
        if stop.code:
            return Exit.WRONG_USAGE
        return Exit.OK
    verb = VERBS[name]
    if verb.paints:
        arguments.paint = paint
    spoken = language()
    if verb.is_translated and not arguments.json:
        spoken = language_of(argv)
    with speaking(spoken):
        return _run(verb, arguments, refusal_language=language_of(argv))


def _open_null() -> TextIO:
    """Open a stream that drops what is written."""
    return open(os.devnull, "w", encoding="utf-8")


def _unknown_arguments_text(parser: VerbParser, arguments: Namespace, unknown: Sequence[str]) -> str:
    """Say what is wrong with words that no argument takes: several recordings or another option may have been meant."""
    words = " ".join(unknown)
    takes_many = "out_dir" in parser.outputs
    if takes_many and arguments.out_dir is None and all(map(os.path.exists, unknown)):
        return say("unrecognized arguments: {words}. Give --out-dir for several recordings.", words=words)
    for word in unknown:
        option, _, _ = word.partition("=")
        if option.startswith("--"):
            meant = did_you_mean(option, parser.option_names())
            if meant:
                return say("unrecognized arguments: {words}.{meant}", words=words, meant=meant)
    meant = _pair_meant(parser, arguments, unknown)
    if meant:
        return say("unrecognized arguments: {words}.{meant}", words=words, meant=meant)
    return say("unrecognized arguments: {words}", words=words)


def _pair_meant(parser: VerbParser, arguments: Namespace, unknown: Sequence[str]) -> str:
    """Say which change was meant where a space stands for its equals sign, as in `--move hero 0,3,0`; else empty."""
    for name, value in reversed(vars(arguments).get("typed", ())):
        if parser.takes_pair(name) and "=" not in value and len(unknown) == 1:
            return say(" Did you mean “{name}”?", name=f"{name} {value}={unknown[0]}")
    return ""


def _run(verb: Verb, arguments: Namespace, *, refusal_language: str) -> int:
    """Run a verb; a refusal is told in a language of its own, since people read it."""
    from ..recording.packet_search import using
    from .files import FAILURES, failure
    from .running import run_verb

    try:
        with using(vars(arguments).get("schema", ())):
            code = exit_code(run_verb(arguments, takes_many=verb.takes_many))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe; Python would report it again when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except Terminated as end:
        ended = end.end()
        with speaking(refusal_language):
            print_failure(PROG, with_notes(say("Stopped."), end), "warning")
        return ended
    except KeyboardInterrupt as stop:
        with speaking(refusal_language):
            print_failure(PROG, with_notes(say("Stopped."), stop), "warning")
        return INTERRUPTED
    except FAILURES as error:
        with speaking(refusal_language):
            code, sentence = failure(error)
            print_failure(PROG, sentence)
    return code
