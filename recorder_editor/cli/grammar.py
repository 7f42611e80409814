"""The verb `grammar`: the format of recordings as a grammar for other programs."""

from argparse import Namespace

from ..format.packet_files import claimed_twice
from ..formats.grammars import GRAMMARS, grammar_lines
from ..recording import write_file
from ..texts import N_, listed, say
from .files import WrongUsage
from .output import print_error
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
With packets of your own where --schema names their files. Example: recorder-editor grammar gaze.ksy --schema
gaze.packets.json"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_written("out", kind="file", metavar="OUT", help=say("the file to write: .ksy, .hexpat"))


def run(arguments: Namespace) -> None:
    """Write the grammar."""
    suffix = arguments.out.suffix.lower()
    if suffix not in GRAMMARS:
        raise WrongUsage(
            say(
                "Files that end in “{ending}” cannot be written; there are {endings}.",
                ending=suffix,
                endings=listed(GRAMMARS),
            )
        )
    for sentence in claimed_twice(arguments.schema):
        print_error(sentence)
    text = "\n".join(grammar_lines(suffix, arguments.schema)) + "\n"
    write_file(arguments.out, text.encode(), overwrite=arguments.overwrite)
