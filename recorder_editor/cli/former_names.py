"""Names that options had before: they stay valid, and a line says what they are called now.

They are in no help, no completion and no reference.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class FormerName(NamedTuple):
    """A name that an option had.

    Attributes:
        former: The name.
        present: What the option is called now; the former name is taken by the verbs that have it.
        verbs: The verbs that took the former name; empty: all that have the option.
    """

    former: str
    present: str
    verbs: tuple[str, ...] = ()


FORMER_NAMES = (
    FormerName("--dialect", "--write-as"),
    FormerName("--dialect", "--read-as"),
    FormerName("--list", "--segments", verbs=("segments",)),
    FormerName("--num-workers", "--workers", verbs=("l1",)),
    FormerName("--start", "--from", verbs=("replay",)),
    FormerName("--step", "--fixed-step", verbs=("import-trajectories",)),
    FormerName("--step", "--spacing", verbs=("lanes",)),
)
"""All names that options had. Of several for one former name a verb takes the first one whose option it has."""


def former_names(verb: str, options: Iterable[str]) -> Mapping[str, str]:
    """Return the former names that a verb takes, each with the present one.

    Args:
        verb: The name of the verb.
        options: The names of its options.
    """
    present = set(options)
    names: dict[str, str] = {}
    for name in FORMER_NAMES:
        takes_it = name.present in present and (not name.verbs or verb in name.verbs)
        if takes_it and name.former not in present:
            names.setdefault(name.former, name.present)
    return names


def with_present_names(
    words: Iterable[str], names: Mapping[str, str], options: Iterable[str]
) -> tuple[list[str], list[str]]:
    """Replace former names among the words of a command; they may be shortened as those of options.

    Args:
        words: The words.
        names: The former names, each with the present one.
        options: The names of all options, which go before former names.

    Returns:
        The words with the present names, and the former names that were among them.
    """
    present = tuple(options)
    renamed: list[str] = []
    found: list[str] = []
    has_ended = False  # behind -- there are no options
    for word in words:
        has_ended = has_ended or word == "--"
        option, sign, value = word.partition("=")
        former = None
        if option.startswith("--") and not has_ended and not _is_name(option, present):
            former = _completed(option, names)
        if former is not None:
            found.append(former)
            renamed.append(f"{names[former]}{sign}{value}")
        else:
            renamed.append(word)
    return renamed, found


def _is_name(option: str, present: Iterable[str]) -> bool:
    """Whether a word is the name of an option, or the beginning of one."""
    return any(name.startswith(option) for name in present)


def _completed(option: str, names: Iterable[str]) -> str | None:
    """Return the one name that begins so; None where there is none or several."""
    matches = [name for name in names if name.startswith(option)]
    if len(matches) == 1:
        return matches[0]
    return None
