"""Options and arguments that several verbs share, and the types of their values."""

import math
from argparse import SUPPRESS, ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from ..errors import reason_of
from ..format import DEFAULT_DIALECT, DIALECTS, dialect_named
from ..format.packet_file import PacketFile
from ..format.packet_files import PacketFileError, faults_in_words, read_packet_file
from ..option_specs import OptionKind, OptionSpec, options_of
from ..texts import LANGUAGES, listed, say
from .output import Loudness, print_error
from .parsing import OutputKind, VerbParser

_MAX_SHOWN = 40

_Options = TypeVar("_Options")


# --- types ------------------------------------------------------------------------------------------------


def finite(given: str) -> float:
    """Parse a finite number.

    Raises:
        ArgumentTypeError: It is none; so do all types of values.
    """
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ArgumentTypeError(say("{given} is not a number", given=quoted(given)))
    return value


def whole(given: str) -> int:
    """Parse a whole number."""
    try:
        return int(given)
    except ValueError:
        raise ArgumentTypeError(say("{given} is not a whole number", given=quoted(given))) from None


def positive(given: str) -> int:
    """Parse a whole number from 1 on."""
    value = whole(given)
    if value < 1:
        raise ArgumentTypeError(say("{given} is not a whole number from 1 on", given=quoted(given)))
    return value


def seconds(given: str) -> float:
    """Parse a time: seconds or a clock, as `moments` reads them."""
    from ..reading.moments import seconds_of  # loads what reads recordings

    try:
        value = seconds_of(given)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ArgumentTypeError(say("{given} is not a time; write seconds, as in 12.5 or 0:12.5", given=quoted(given)))
    return value


def quoted(given: str) -> str:
    """Return a typed text in quotes, shortened if it is long."""
    if len(given) > _MAX_SHOWN:
        given = f"{given[: _MAX_SHOWN - 1]}…"
    return repr(given)


def not_negative(given: str) -> float:
    """Parse a number from 0 on."""
    value = finite(given)
    if value < 0:
        raise ArgumentTypeError(say("{given} is not a number from 0 on", given=quoted(given)))
    return value


def dialect(given: str) -> str:
    """Parse the name of a dialect, for which the number of a release may stand."""
    try:
        result = dialect_named(given)
    except KeyError:
        raise ArgumentTypeError(
            say(
                "{given} is no dialect and no release of CARLA; dialects are {names}",
                given=quoted(given),
                names=listed(DIALECTS),
            )
        ) from None
    if result.name != given:
        print_error(
            say("{release} belongs to {dialect} ({title}).", release=given, dialect=result.name, title=result.releases)
        )
    return result.name


# --- inputs and outputs -----------------------------------------------------------------------------------


def add_recording(parser: VerbParser) -> None:
    """Add FILE, a recording to read, and --read-as."""
    parser.add_argument("file", type=Path, metavar="FILE", help=say("a recording"))
    add_dialect(parser)


def add_recordings(parser: VerbParser) -> None:
    """Add FILE..., recordings to read and folders of them, and --read-as."""
    parser.add_argument("file", type=Path, nargs="+", metavar="FILE", help=say("recordings, and folders of them"))
    add_dialect(parser)


def add_input(parser: VerbParser, help: str = "") -> None:
    """Add IN, the recording that is read; many of them with --out-dir.

    Args:
        parser: The parser of the verb.
        help: The line of help, if IN is not just any recording.
    """
    nargs = "+" if parser.is_many else None
    parser.add_argument("file", type=Path, nargs=nargs, metavar="IN", help=help or say("a recording"))


def add_output(parser: VerbParser, help: str = "") -> None:
    """Add OUT, the recording that is written; there is none with --out-dir.

    Args:
        parser: The parser of the verb.
        help: The line of help, if OUT is not just any recording.
    """
    if parser.is_many:
        add_no_output(parser, kind="recording")
    else:
        parser.add_written("out", kind="recording", metavar="OUT", help=help or say("the recording to write"))


def add_no_output(parser: VerbParser, kind: OutputKind) -> None:
    """Leave OUT away, as with --out-dir; the outputs of the verb stay of that kind."""
    parser.set_defaults(out=None)
    parser.outputs["out"] = kind


def add_overwrite(parser: VerbParser) -> None:
    """Add --overwrite."""
    parser.add_argument("-f", "--overwrite", action="store_true", help=say("replace files that exist"))


def add_loudness(parser: VerbParser) -> None:
    """Add --quiet and --verbose; `loudness` is their name among the arguments."""
    levels = parser.add_mutually_exclusive_group()
    levels.add_argument(
        "-q",
        "--quiet",
        dest="loudness",
        action="store_const",
        const=Loudness.QUIET,
        help=say("no progress, and no line about what was written; failures and damage are told"),
    )
    levels.add_argument(
        "--verbose",
        dest="loudness",
        action="store_const",
        const=Loudness.VERBOSE,
        help=say("tell how each recording is read, and what was written where stderr is no terminal, too"),
    )


def add_highd(parser: VerbParser) -> None:
    """Add RAW_DIR, a folder of highD."""
    parser.add_argument("raw", type=Path, metavar="RAW_DIR", help=say("the folder of highD's files, as NN_tracks.csv"))


# --- options ----------------------------------------------------------------------------------------------


def add_dialect(parser: VerbParser) -> None:
    """Add --read-as, the dialect as which the input is read."""
    parser.add_argument(
        "--read-as",
        dest="dialect",
        type=dialect,
        choices=tuple(DIALECTS),
        metavar="NAME",
        help=say("read it as this dialect, or that of a release (0.9.13)"),
    )


def add_new_dialect(parser: VerbParser) -> None:
    """Add --write-as, the dialect of a new recording."""
    parser.add_argument(
        "--write-as",
        type=dialect,
        choices=tuple(DIALECTS),
        default=DEFAULT_DIALECT,
        metavar="NAME",
        help=say("dialect to write, or a release of it (default {new_dialect})", new_dialect=DEFAULT_DIALECT),
    )


def packet_file(given: str) -> PacketFile:
    """Parse the path of a file of packets: read and check it."""
    try:
        return read_packet_file(Path(given).absolute())
    except OSError as error:
        raise ArgumentTypeError(say("{file}: {reason}", file=quoted(given), reason=reason_of(error))) from None
    except PacketFileError as error:
        raise ArgumentTypeError(faults_in_words(error)) from None


def add_schema(parser: VerbParser) -> None:
    """Add --schema, the files of packets of users."""
    parser.add_argument(
        "--schema",
        type=packet_file,
        action="append",
        default=[],
        metavar="FILE",
        help=say("a file that describes packets of your own (.packets.json); may be repeated"),
    )


def add_road_map(parser: VerbParser) -> None:
    """Add --xodr."""
    parser.add_argument("--xodr", type=Path, metavar="MAP", help=say("the road map (.xodr) that lanes are found on"))


def add_language(parser: VerbParser) -> None:
    """Add --lang."""
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        metavar="LANG",
        help=say("speak this language, en or zh_CN (default: that of the locale)"),
    )


def add_damaged(parser: VerbParser) -> None:
    """Add --damaged."""
    parser.add_argument("--damaged", action="store_true", help=say("accept a damaged recording, and keep its damage"))


def add_dry_run(parser: VerbParser) -> None:
    """Add --dry-run."""
    parser.add_argument("--dry-run", action="store_true", help=say("say what would be written, and write nothing"))


def add_json(parser: VerbParser, help: str = "") -> None:
    """Add --json.

    Args:
        parser: The parser of the verb.
        help: The line of help, if more is to be said than that it is JSON.
    """
    parser.add_argument("--json", action="store_true", help=help or say("as JSON"))


def add_outcomes(parser: VerbParser) -> None:
    """Add --json for a verb with an output that is not JSON; `outcomes` is its name among the arguments."""
    parser.add_argument(
        "--json", dest="outcomes", action="store_true", help=say("the outcome of each recording as JSON, on stdout")
    )


def add_range(parser: VerbParser) -> None:
    """Add --from and --to, the frames as texts."""
    parser.add_argument("--from", dest="start", metavar="X", help=say("start: a time (12.5, 0:12.5) or a frame (f250)"))
    parser.add_argument("--to", dest="stop", metavar="X", help=say("end (exclusive)"))


def add_rebase_clocks(parser: VerbParser) -> None:
    """Add --rebase-clocks."""
    parser.add_argument(
        "--rebase-clocks", action="store_true", help=say("close the gap in wall clock and visual time, too")
    )


def add_edited(parser: VerbParser) -> None:
    """Add what every verb has that edits IN and writes OUT."""
    add_input(parser)
    add_output(parser)
    add_dry_run(parser)
    parser.add_argument(
        "--backup", action="store_true", help=say("keep a file that OUT replaces (--overwrite) as OUT.bak")
    )
    add_damaged(parser)
    add_dialect(parser)


def add_many(parser: VerbParser) -> None:
    """Add the options for many recordings; `Verb.takes_many` has to be set, too."""
    parser.add_written(
        "--out-dir",
        kind="folder",
        metavar="D",
        help=say(
            "the folder to write to, under the names of the inputs; created if missing. With it all names are "
            "inputs: recordings, and folders of them"
        ),
    )
    parser.add_argument(
        "--recursive", action="store_true", help=say("folders with those in them, which are kept below --out-dir")
    )
    parser.add_argument(
        "--workers",
        type=positive,
        default=1,
        metavar="N",
        help=say("how many files are worked on at a time (default 1)"),
    )
    parser.add_argument("--dask", metavar="ADDRESS", help=say("work on the cluster of this Dask scheduler"))
    parser.add_argument(
        "--resume",
        action="store_true",
        help=say("leave out what was done with --resume before and has not changed since"),
    )


# --- options that a dialog has, too -----------------------------------------------------------------------

_TYPES: dict[OptionKind, Callable[[str], object]] = {
    "number": finite,
    "unsigned": not_negative,
    "count": positive,
    "time": seconds,
}


def add_declared(
    parser: VerbParser, *options: type[object], choices: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Add the options that dataclasses declare; those that they share once.

    The arguments have only those that were given, under their flags; `declared_options` completes them.

    Args:
        parser: The parser of the verb.
        options: The dataclasses.
        choices: By the flag of a choice, the values that the verb takes besides those that are declared.
    """
    added: set[str] = set()
    for cls in options:
        for declared in options_of(cls):
            if declared.spec.flag not in added:
                added.add(declared.spec.flag)
                further = (choices or {}).get(declared.spec.flag, ())
                _add_declared(parser, declared.default, declared.spec, further)


def declared_options(arguments: Namespace, options: type[_Options], **others: object) -> _Options:
    """Return the options of a dataclass that `add_declared` added, as they were given.

    Args:
        arguments: The arguments of the verb.
        options: The dataclass.
        others: Its fields that are no options.
    """
    values = dict(others)
    given = vars(arguments)
    for declared in options_of(options):
        value = given.get(declared.spec.flag, declared.default)
        if declared.spec.kind == "texts":
            values[declared.name] = tuple(value)
        else:
            values[declared.name] = value
    return options(**values)


def given_options(arguments: Namespace, options: type[object]) -> list[str]:
    """List the flags of a dataclass's options that were given."""
    return [declared.spec.flag for declared in options_of(options) if declared.spec.flag in arguments]


def _add_declared(parser: VerbParser, default: object, spec: OptionSpec, further: Sequence[str]) -> None:
    help = say(spec.help, **spec.help_values)
    add = partial(parser.add_argument, spec.flag, dest=spec.flag, default=SUPPRESS, help=help)
    if spec.kind == "switch":
        add(action="store_true")
    elif spec.kind == "choice":
        add(choices=(*spec.choices, *further))
    elif spec.kind == "texts":
        add(action="append", metavar=spec.metavar)
    elif spec.kind in ("text", "table"):
        add(metavar=spec.metavar)
    elif spec.kind == "dialect":
        add(metavar=spec.metavar, type=dialect, choices=tuple(DIALECTS))
    elif spec.kind == "numbers":
        add(metavar=spec.metavar, type=_numbers(spec, default))
    elif spec.low is not None or spec.high is not None:
        add(type=partial(_number_within, spec), metavar=spec.metavar)
    else:
        add(type=_TYPES[spec.kind], metavar=spec.metavar)


def _number_within(spec: OptionSpec, given: str) -> float:
    """Parse a number within the range of its option; its unit may stand behind it."""
    value = finite(given.removesuffix(spec.unit))
    if not spec.holds(value):
        raise ArgumentTypeError(
            say(
                "{given} is not from {low:g} to {high:g} {unit}",
                given=quoted(given),
                low=-math.inf if spec.low is None else spec.low,
                high=math.inf if spec.high is None else spec.high,
                unit=spec.unit,
            )
        )
    return value


def _numbers(spec: OptionSpec, default: object) -> Callable[[str], object]:
    """Return the function that makes the named tuple of an option of a text like `1,2,3,4`."""

    def parse(given: str) -> object:
        texts = given.split(",")
        if len(texts) != len(spec.parts):
            raise ArgumentTypeError(say("{given} is not {form}", given=quoted(given), form=spec.metavar))
        return type(default)(*map(finite, texts))

    return parse
