"""Sentences for people: a code and its values. A catalogue of each language has the words.

`resources/sentences/en.json` is an object of code -> text with the placeholders of str.format, or -> `{"one": text,
"other": text}`, of which `count` chooses. A value may be a sentence itself. Other languages have files of the same
form; what is missing or empty in them is said in English.
"""

import os
import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import zip_longest
from numbers import Integral, Real
from typing import Any, TypeGuard

from . import resources

ENGLISH = "en"
LANGUAGES = tuple(sorted(path.stem for path in resources.path("sentences").glob("*.json")))
"""Those that have a catalogue."""

_Texts = dict[str, str | dict[str, str]]
_chosen = [ENGLISH]
_VALUE = "= "
"""How the codes of names of values begin; what follows is the name in English."""

_GAP = re.compile("(?<=[⺀-鿿]) (?=[⺀-鿿])")
"""No blank stands between Chinese signs."""

FIRST_WIDE = "\u1100"
"""Characters from here on are as wide as two in a terminal."""
_PIECES = re.compile("[（“]*(?:[⺀-鿿]|[^\\s⺀-鿿，。、：；！？（）“”]+)?[，。、：；！？）”.,;:!?)]*\\s*")
"""What no line breaks: a word or a Chinese sign, with the punctuation around it."""


_FIXED_BELOW = 1e15
"""From here on a number has more digits than it is known to, so that none is written with all of them."""


class Measure(float):
    """A length, a speed or a time in a text: where it is huge, in the form `1.7e+308` instead of 309 digits."""

    def __format__(self, spec: str) -> str:
        if spec.endswith("f") and abs(self) >= _FIXED_BELOW:
            spec = "g"
        return super().__format__(spec)


class Sentence(str):
    """A text in the language that is set, which keeps its `code` and its `values`."""

    __slots__ = ("code", "values")
    code: str
    values: dict[str, object]

    def __new__(cls, code: str, values: dict[str, object]) -> "Sentence":
        sentence = super().__new__(cls, _words(code, _chosen[0], values))
        sentence.code, sentence.values = code, values
        return sentence

    def __getnewargs__(self) -> tuple[str, dict[str, object]]:  # type: ignore[override]
        return self.code, self.values


def packed(value: object) -> Any:
    """A text without its language: a sentence as its code and its values, other values as they are."""
    if not isinstance(value, Sentence):
        return value
    return [value.code, {name: packed(each) for name, each in value.values.items()}]


def unpacked(value: Any) -> Any:
    """What `packed` returned, in the language that is set now.

    Raises:
        KeyError: A code or a value of a sentence is unknown.
        ValueError, TypeError: A value has another type than the sentence needs.
    """
    match value:
        case [str(code), dict(values)]:
            return say(code, **{str(name): unpacked(each) for name, each in values.items()})
    return value


def say(code: str, /, **values: object) -> Sentence:
    """The sentence of a code; raises KeyError for one that the English catalogue does not have."""
    return Sentence(code, values)


def listed(items: Iterable[str], code: str = "list") -> str:
    """A list as the language writes one, without empty items; empty where there is no other."""
    said = [*filter(None, items)]
    while len(said) > 1:  # by pairs: long lists are not deep
        pairs = zip_longest(said[::2], said[1::2], fillvalue="")
        said = [say(code, first=first, last=last) if last else first for first, last in pairs]
    return said[0] if said else ""


def columns(text: str) -> int:
    """How wide a text is in a terminal."""
    return sum(1 + (sign >= FIRST_WIDE) for sign in text)


def wrapped(text: str, fits: Callable[[str], bool]) -> list[str]:
    """A text in lines that fit, with the blanks at their ends; what cannot be broken may have a line that does not."""
    lines = [""]
    for piece in _PIECES.findall(text):
        if lines[-1] and piece and not fits((lines[-1] + piece).rstrip()):
            lines.append("")
        lines[-1] += piece
    return lines


def set_language(name: str) -> None:
    """Say what is said from now on in this language, in English where there is no catalogue of it."""
    _chosen[0] = name


def language() -> str:
    """The language that is set."""
    return _chosen[0]


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Say what is said within in this language."""
    before = language()
    set_language(name)
    try:
        yield
    finally:
        set_language(before)


def option_value(arguments: Sequence[str], name: str) -> str | None:
    """The value of an option among the words of a command, whatever its verb: empty if none follows, None without it.

    Read as the parsers of the verbs do: the name may be shortened, and behind `--` there are no options.
    """
    parser = ArgumentParser(add_help=False, usage="")
    parser.add_argument(name, dest="value", nargs="?", const="")
    value: str | None = parser.parse_known_args(arguments)[0].value
    return value


def language_of(arguments: Sequence[str]) -> str:
    """The language that `--lang` names among the arguments of a command, else that of the locale's messages."""
    chosen = option_value(arguments, "--lang")
    named = [chosen] if chosen else []
    named += filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG")))
    said = named[0].partition(".")[0] if named else ENGLISH
    near = [name for name in LANGUAGES if name.split("_")[0] == said.split("_")[0]]
    return said if said in near else next(iter(near), ENGLISH)


def translated(text: str) -> str:
    """A text of the tables in `resources` in the language that is set."""
    return str(catalogue(language(), "translations").get(text) or text)


def value_name(name: str) -> Sentence:
    """The name of a value, of an enumeration or a bit, in the language that is set; in English as it is given."""
    return say(f"{_VALUE}{name}")


def value_names(names: Mapping[int, str]) -> dict[int, str]:
    """The names of values, as `value_name` gives them."""
    return {value: value_name(name) for value, name in names.items()}


def field_title(path: str) -> str:
    """The name of a field in the language that is set: `location x`, `wheels[1] tire friction`."""
    return re.sub(r"[a-z]\w*", lambda name: translated(name[0]).replace("_", " "), path.replace(".", " "))


@cache
def catalogue(name: str, folder: str = "sentences") -> _Texts:
    """The texts of a language by their codes, or by the English ones; none of a language that is not there."""
    try:
        return resources.table(f"{folder}/{name}")
    except FileNotFoundError:
        return {}


def _words(code: str, name: str, values: dict[str, object]) -> str:
    if code.startswith(_VALUE):
        return str(catalogue(name, "translations").get(code.lower()) or code.removeprefix(_VALUE))
    text = catalogue(name).get(code) or catalogue(ENGLISH)[code]
    if isinstance(text, dict):
        text = text["one"] if values["count"] == 1 and "one" in text else text["other"]
    named = {key: title(str(values[key])) for key, title in _TITLES.items() if key in values and name != ENGLISH}
    shown = {key: Measure(each) if _is_huge(each) else each for key, each in values.items()}
    said = text.format_map({**shown, **named})
    return _GAP.sub("", said) if named else said


def _is_huge(value: object) -> TypeGuard[float]:
    """Whether a value is a huge number that is not whole by its type, numpy's among them."""
    return isinstance(value, Real) and not isinstance(value, Integral) and abs(float(value)) >= _FIXED_BELOW


_TITLES = {"packet": translated, "field": field_title}
"""The placeholders of names of the format: the catalogue of another language calls them by their titles."""
