"""Names in grammars: identifiers of what tables and files name, each once in its place, none a word of a language."""

import keyword
import re
from collections.abc import Callable, Iterable

_LONGEST = 60

_WORDS_OF_LANGUAGES = """
abstract alias alignas alignof and_eq arguments asm auto base begin bitand bitor bitsizeof bool boolean byte case catch
char checked compl const const_cast constexpr constructor crate debugger decimal decltype default defined delegate
delete do double dyn dynamic_cast elseif end ensure enum eval event explicit export extends extern false final finally
fixed float fn foreach friend function goto implements impl implicit inline instanceof int interface internal let local
lock long loop match mod module move mut mutable namespace native new next nil noexcept not_eq null nullptr object
operator or_eq out override package params private protected prototype pub public readonly redo ref register
reinterpret_cast repeat require rescue retry sbyte sealed self send short signed sizeof stackalloc static static_assert
static_cast strictfp string struct super switch synchronized template then this thread_local throw throws trait
transient true typedef typeid typename typeof uint ulong unchecked undef union unless unsafe unsigned until use ushort
using var virtual void volatile wchar_t when where xor xor_eq
"""
"""Words of the languages that Kaitai writes readers in, but those of Python, which has a list of its own."""

_WORDS_OF_READERS = "clone close equals finalize get_class hash hash_code mro notify notify_all to_s to_string wait"
"""What the readers of Kaitai, or all objects of their languages, have already."""

_CLASSES_OF_READERS = "array_list exception integer io_exception kaitai_stream kaitai_struct list"

_BUILT_IN_TYPE = re.compile("([usf][1248]|b[0-9]+)(le|be)?|strz?")
"""The types that Kaitai has without a declaration."""

_RESERVED = frozenset(
    [
        *[word.lower() for word in keyword.kwlist],
        *_WORDS_OF_LANGUAGES.split(),
        *_WORDS_OF_READERS.split(),
        *_CLASSES_OF_READERS.split(),
    ]
)


def snake(name: str) -> str:
    """Make an identifier in lower case of a name."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")


def camel(name: str) -> str:
    """Make an identifier that begins with a capital of a name."""
    name = re.sub(r"\W+", "_", name).strip("_")
    return name[0].upper() + name[1:]


def identifier(text: str, kind: str) -> str:
    """Make an identifier of a text of a user's file: letters and digits of ASCII, no word of a language.

    Args:
        text: The text; it may be anything.
        kind: What it names, an identifier: it stands before or behind what is no identifier alone.
    """
    name = re.sub("[^A-Za-z0-9]+", "_", text).strip("_")
    name = name[:_LONGEST].strip("_")
    if not name:
        return kind
    if name[0].isdigit():
        return f"{kind}_{name}"
    word = snake(name)
    if word in _RESERVED or _BUILT_IN_TYPE.fullmatch(word):
        return f"{name}_{kind}"
    return name


def plain_text(text: str) -> str:
    """A text of a user's file as it may stand in a comment of any language: it ends neither comment nor string.

    Readers that are made of a grammar have its texts in their comments, some of which end at `*/` or three quotes, and
    in some of which a backslash begins another character. Quotes and backslashes become signs that look like them.
    """
    printable = "".join(character if character.isprintable() else " " for character in text)
    line = " ".join(printable.split())
    line = line.replace('"', "″").replace("\\", "⧵")
    return line.replace("*/", "* /").replace("/*", "/ *")


def _beside_nothing(name: str) -> Iterable[str]:
    del name
    return ()


class Scope:
    """Names of one place, each of which stands there once, in whatever way a language writes capitals and `_`."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._taken = {key_of(name) for name in names}

    def add(self, name: str, beside: Callable[[str], Iterable[str]] = _beside_nothing) -> str:
        """Add a name, with a number behind it if it is taken.

        Args:
            name: The name.
            beside: What else stands in the place because of a name, as the count of an array.

        Returns:
            The name that was added.
        """
        free = name
        number = 1
        while not self._are_free([free, *beside(free)]):
            number += 1
            free = f"{name}_{number}"
        self._taken.update(map(key_of, [free, *beside(free)]))
        return free

    def _are_free(self, names: Iterable[str]) -> bool:
        return self._taken.isdisjoint(map(key_of, names))


def key_of(name: str) -> str:
    """What is the same in names that a language may write alike: `a_b` becomes `aB` in some."""
    return name.replace("_", "").lower()


def family(name: str) -> str:
    """The name of an enumeration without the release that it ends with."""
    return re.sub(r" (UE)?[\d.]+$", "", name)
