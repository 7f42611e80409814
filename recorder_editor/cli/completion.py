"""The verb `completion`: what a shell reads to complete command lines of this program."""

from argparse import Namespace
from pathlib import Path

from ..errors import RecorderError
from ..terminal import printable
from ..texts import N_, say
from .completions.names import KINDS, Kind, names
from .files import WrongUsage
from .output import print_lines, write_bytes
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
It offers verbs, options, their values, and names of actors and packets where the line names a recording.
bash: eval "$(recorder-editor completion bash)" in ~/.bashrc. zsh: the same with zsh, in ~/.zshrc behind compinit.
fish: recorder-editor completion fish > ~/.config/fish/completions/recorder-editor.fish.
Example: recorder-editor completion bash"""
)

_SHELLS = ("bash", "zsh", "fish")
_NAMES = "names"


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "shell",
        choices=(*_SHELLS, _NAMES),
        metavar="SHELL",
        help=say("bash, zsh or fish; names: print what can be typed of KIND in FILE, which these ask for"),
    )
    parser.add_argument("kind", nargs="?", choices=KINDS, metavar="KIND", help=say("actors or packets"))
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=say("a recording"))
    parser.set_defaults(prepare=_refuse_mixed)


def _refuse_mixed(arguments: Namespace) -> dict[str, object]:
    """Refuse KIND and FILE for a shell, and their lack for names."""
    has_all = arguments.file is not None
    has_none = arguments.kind is None
    if arguments.shell == _NAMES and not has_all:
        raise WrongUsage(say("names takes KIND (actors or packets) and FILE."))
    if arguments.shell != _NAMES and not has_none:
        raise WrongUsage(say("KIND and FILE are for names."))
    return {}


def run(arguments: Namespace) -> None:
    """Print the completion, or names."""
    if arguments.shell == _NAMES:
        _print_names(arguments.kind, arguments.file)
        return
    from .completions.shells import SHELLS

    print_lines(SHELLS[arguments.shell]().splitlines())


def _print_names(kind: Kind, path: Path) -> None:
    """Print names, each with what it is behind a tab; none of a file that cannot be read, so that typing goes on."""
    try:
        found = names(kind, path)
    except (OSError, RecorderError):
        return
    for name, meaning in found:
        write_bytes([f"{printable(name)}\t{printable(meaning)}\n".encode("utf-8", "backslashreplace")])
