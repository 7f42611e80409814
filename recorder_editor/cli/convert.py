"""The verb `convert`: a recording of one release as one of another."""

from argparse import ArgumentTypeError, Namespace

from ..edits.convert import Conversion, Loss, convert
from ..format import DIALECTS, Dialect
from ..recording import Recording
from ..terminal import toned
from ..texts import N_, listed, say
from . import options
from .files import open_input
from .output import Exit, frame_as_json, print_error, print_json, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
What cannot be carried is listed on stderr, and makes the exit code 3; values that are merely rounded to 32 bits are
listed, too, and do not. Blueprints get the names and uids of the dialect; one that it does not have is a loss, also if
another one stands in for it. The map stays as it is.
Example: recorder-editor convert a.log b.log --write-as ue4-0.9.15"""
)


def substitute(given: str) -> tuple[str, str]:
    """Parse a blueprint and what stands in for it, as `OLD=NEW`.

    Raises:
        ArgumentTypeError: It has another form.
    """
    old, sign, new = given.partition("=")
    if not (old and sign and new):
        raise ArgumentTypeError(say("{given} is not {form}", given=options.quoted(given), form="OLD=NEW"))
    return old, new


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_input(parser)
    options.add_output(parser)
    parser.add_argument(
        "--write-as",
        type=options.dialect,
        choices=tuple(DIALECTS),
        required=True,
        metavar="NAME",
        help=say("dialect of OUT, or a release of it (0.9.13): {dialects}", dialects=listed(DIALECTS)),
    )
    parser.add_argument(
        "--read-as",
        dest="dialect",
        type=options.dialect,
        choices=tuple(DIALECTS),
        metavar="NAME",
        help=say("read IN as this dialect, or that of a release (0.9.13)"),
    )
    parser.add_argument(
        "--keep-blueprints", action="store_true", help=say("leave blueprints and their uids as they are")
    )
    parser.add_argument(
        "--substitute",
        nargs="?",
        const="*=nearest",
        action="append",
        type=substitute,
        default=[],
        metavar="OLD=NEW",
        help=say(
            "a blueprint that stands in for one that the dialect does not have, or nearest for the nearest of its "
            "class; repeatable. Without a value: the nearest for every one"
        ),
    )
    options.add_json(parser, help=say("losses as JSON, on stdout"))
    options.add_damaged(parser)
    options.add_many(parser)


def run(arguments: Namespace) -> Exit:
    """Write the converted recording."""
    with open_input(arguments.file, arguments.dialect, damaged=arguments.damaged) as recording:
        source = recording.dialect
        conversion = convert(
            recording,
            arguments.write_as,
            progress=progress_bar(f"Converting {arguments.file.name}"),
            keep_blueprints=arguments.keep_blueprints,
            substitutes=dict(arguments.substitute),
        )
        recording.apply(conversion.edit)
        bar = progress_bar(f"Writing {arguments.out.name}")
        recording.save(arguments.out, overwrite=arguments.overwrite, progress=bar)
        for line in conversion.remarks:
            print_error(toned(say("{name}: {message}", name=arguments.file.name, message=line), name="warning"))
        if arguments.json:
            print_json(_report(arguments, source, recording, conversion))
    if conversion.is_lossy:
        return Exit.LOSS
    return Exit.OK


def _report(arguments: Namespace, source: Dialect, recording: Recording, conversion: Conversion) -> dict[str, object]:
    return {
        "file": str(arguments.file),
        "out": str(arguments.out),
        "from": source.name,
        "to": arguments.write_as,
        "lossless": not conversion.is_lossy,
        "losses": [_loss(recording, loss) for loss in conversion.losses],
        "warning": conversion.warning or None,
    }


def _loss(recording: Recording, loss: Loss) -> dict[str, object]:
    return {
        "kind": loss.kind,
        "packet": loss.name,
        "count": loss.count,
        "blueprint": loss.blueprint or None,
        "becomes": loss.becomes or None,
        **frame_as_json(recording.snapshot, loss.frame_index),
        "lossy": loss.is_lossy,
        "message": loss.message,
    }
