"""The texts that people read, in their language.

The English text stands where it is used; catalogues of other languages are `resources/locale/LANGUAGE.po`, compiled to
`.mo` files, which the standard `gettext` reads. A text without a translation is shown in English.

    say("{name} holds no rows.", name=path.name)
    say_count("{count} frame", "{count} frames", count=n)

`packaging/translations.py` finds the texts by the names of these functions. A text that is declared at import, as a
title, is marked by `N_` or `N_count` and translated by `say` when it is shown.
"""

import gettext
import os
import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import zip_longest
from numbers import Integral, Real
from string import Formatter
from typing import NamedTuple, TypeGuard

from . import resources

ENGLISH = "en"
LANGUAGES = (ENGLISH, *sorted(path.stem for path in resources.path("locale").glob("*.po")))
"""Those that can be spoken: English, and those with a catalogue."""

_process_language = ENGLISH
_language: ContextVar[str | None] = ContextVar("language", default=None)
"""The language of the present thread or task, where `speaking` has set one."""

_GAP = re.compile("(?<=[⺀-鿿]) (?=[⺀-鿿])")
"""No blank stands between Chinese signs."""

FIRST_WIDE = "\u1100"
"""Characters from here on are as wide as two in a terminal."""
_PIECES = re.compile("[（“]*(?:[⺀-鿿]|[^\\s⺀-鿿，。、：；！？（）“”]+)?[，。、：；！？）”.,;:!?)]*\\s*")
"""What no line breaks: a word or a Chinese sign, with the punctuation around it."""

_FIXED_BELOW = 1e15
"""From here on a number has more digits than it is known to, so that none is written with all of them."""

_CONTEXT = "\x04"
"""Stands between the context of a text and the text, as in the files of gettext."""
_VALUE = "value"
"""The context of the names of values, which catalogues have in small letters."""

_SPEC = re.compile(r"[+,<>]?0?\d{0,2},?(\.\d{1,2})?[a-zA-Z%]?")
"""How values may be formatted in a text that was read from a file: no wider than 99 places."""


class Measure(float):
    """A length, a speed or a time in a text: where it is huge, in the form `1.7e+308` instead of 309 digits."""

    def __format__(self, spec: str) -> str:
        if spec.endswith("f") and abs(self) >= _FIXED_BELOW:
            spec = "g"
        return super().__format__(spec)


class Plural(NamedTuple):
    """A text about a number of things: `one` is for one thing, `other` for all other numbers, in English."""

    one: str
    other: str


class Text(str):
    """A text in the language that is set.

    Attributes:
        template: The English text with placeholders, or its two forms.
        values: The values of the placeholders, by name.
    """

    __slots__ = ("template", "values")
    template: str | Plural
    values: dict[str, object]

    def __new__(cls, template: str | Plural, values: dict[str, object]) -> "Text":
        text = super().__new__(cls, _shown(template, values, language()))
        text.template = template
        text.values = values
        return text

    def __getnewargs__(self) -> tuple[str | Plural, dict[str, object]]:  # type: ignore[override]
        return self.template, self.values


def say(template: str | Plural, /, **values: object) -> str:
    """Translate a text and put its values in; the result is a `Text`.

    Args:
        template: The English text, with placeholders of `str.format`; braces mean nothing without values.
        values: The values of the placeholders. Those named `packet` and `field` are names of the format, which other
            languages than English show by their titles. A value may be a text itself.
    """
    return Text(template, values)


def say_count(one: str, other: str, /, *, count: int, **values: object) -> str:
    """Translate a text about `count` things; English has two forms of it, other languages as many as they need."""
    return Text(Plural(one, other), {"count": count, **values})


def N_(text: str) -> str:  # noqa: N802 - the name that tools for gettext know
    """Mark a text that is translated when it is shown."""
    return text


def N_count(one: str, other: str) -> Plural:  # noqa: N802 - as N_
    """Mark a text about a number of things, which `say(..., count=n)` translates."""
    return Plural(one, other)


def packed(value: object) -> object:
    """Return a value for JSON: a text as its template and values, other values as they are."""
    if not isinstance(value, Text):
        return value
    template = list(value.template) if isinstance(value.template, Plural) else value.template
    return [template, {name: packed(each) for name, each in value.values.items()}]


def unpacked(value: object) -> object:
    """Return what `packed` was given, in the language that is set now.

    Raises:
        KeyError: A placeholder has no value.
        ValueError, TypeError: A value has another type than the text needs, or a placeholder is none of a text.
    """
    match value:
        case [str(template), dict(values)]:
            return _unpacked(template, values)
        case [[str(one), str(other)], dict(values)]:
            return _unpacked(Plural(one, other), values)
    return value


def _unpacked(template: str | Plural, values: dict[object, object]) -> Text:
    known = {str(name): unpacked(value) for name, value in values.items()}
    if isinstance(template, Plural) and not isinstance(known["count"], Integral):
        raise TypeError(template.other)
    for form in [template] if isinstance(template, str) else template:
        for _, name, spec, conversion in Formatter().parse(form):
            if name is None:
                continue
            if conversion or not name.isidentifier() or not _SPEC.fullmatch(spec or ""):
                raise ValueError(form)
            if name not in known:
                raise KeyError(name)
    return Text(template, known)


_JOINS = {
    "and": ("list", "{first} and {last}"),
    "clauses": ("clauses", "{first}, {last}"),
    "items": ("list", "{first}, {last}"),
    "or": ("list", "{first} or {last}"),
    "parts": ("list", "{first}; {last}"),
    "sentences": ("sentences", "{first} {last}"),
    "values": ("list", "{first} {last}"),
}
"""How two items are joined: the context in the catalogues, and the English text."""


def listed(items: Iterable[str], join: str = "items") -> str:
    """Return a list as the language writes one, without empty items.

    Args:
        items: The items; without any the list is empty.
        join: "items" (commas), "and", "or", "clauses", "parts" (semicolons), "sentences", "values" (blanks).
    """
    template = _CONTEXT.join(_JOINS[join])
    joined = [*filter(None, items)]
    while len(joined) > 1:  # by pairs: long lists are not deep
        pairs = zip_longest(joined[::2], joined[1::2], fillvalue="")
        joined = []
        for first, last in pairs:
            joined.append(say(template, first=first, last=last) if last else first)
    if joined:
        return joined[0]
    return ""


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
    """Say what is said from now on in this language, in every thread that `speaking` gave no other one."""
    global _process_language  # noqa: PLW0603 - of the process, whose threads begin without one
    _process_language = name


def language() -> str:
    """Return the name of the language that is set, for this thread or for the process."""
    return _language.get() or _process_language


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Say what this thread or task says within in this language."""
    token = _language.set(name)
    try:
        yield
    finally:
        _language.reset(token)


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
    if chosen:
        named = [chosen]
    else:
        named = []
    named += filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG")))
    if named:
        said = named[0].partition(".")[0]
    else:
        said = ENGLISH
    near = []
    for name in LANGUAGES:
        if name.split("_")[0] == said.split("_")[0]:
            near.append(name)
    if said in near:
        return said
    return next(iter(near), ENGLISH)


def value_name(name: str) -> str:
    """Return the name of a value, of an enumeration or a bit; in English as it is given.

    They have a context of their own in catalogues: a lamp may be called otherwise than a packet of its name.
    """
    return say(f"{_VALUE}{_CONTEXT}{name}")


def value_names(names: Mapping[int, str]) -> dict[int, str]:
    """Return the names of values, as `value_name` gives them."""
    return {value: value_name(name) for value, name in names.items()}


def field_title(path: str) -> str:
    """Return the name of a field: `location x`, `wheels[1] tire friction`."""
    return re.sub(r"[a-z]\w*", lambda name: say(name[0]).replace("_", " "), path.replace(".", " "))


def found_by(text: str, keywords: str) -> str:
    """Return the words by which a text is found beside itself: in the language that is set and in English."""
    if say(text) == text:
        return keywords
    return " ".join((say(keywords), text, keywords))


@cache
def catalogue(name: str) -> gettext.NullTranslations:
    """Return the texts of a language; none of one without a catalogue."""
    try:
        with resources.path(f"locale/{name}.mo").open("rb") as file:
            return gettext.GNUTranslations(file)
    except FileNotFoundError:
        return gettext.NullTranslations()


def _translation(name: str, text: str) -> str:
    """Return a text in a language, in English where the catalogue of the language lacks it."""
    context, _, english = text.rpartition(_CONTEXT)
    if not english or name == ENGLISH:
        return english
    if not context:
        return catalogue(name).gettext(english)
    if context == _VALUE:
        wanted = english.lower()
    else:
        wanted = english
    known = catalogue(name).pgettext(context, wanted)
    if known == wanted:
        return english
    return known


def _shown(template: str | Plural, values: dict[str, object], name: str) -> str:
    if isinstance(template, Plural):
        count = values["count"]
        assert isinstance(count, Integral)
        if name == ENGLISH:
            text = template.one if count == 1 else template.other
        else:
            text = catalogue(name).ngettext(template.one, template.other, int(count))
    else:
        text = _translation(name, template)
    if not values:
        return text
    shown = {}
    for key, each in values.items():
        shown[key] = Measure(each) if _is_huge(each) else each
    named = {}
    for key, title in _TITLES.items():
        if key in values and name != ENGLISH:
            named[key] = title(str(values[key]))
    formatted = text.format_map({**shown, **named})
    if named:
        return _GAP.sub("", formatted)
    return formatted


def _is_huge(value: object) -> TypeGuard[float]:
    """Whether a value is a huge number that is not whole by its type, numpy's among them."""
    return isinstance(value, Real) and not isinstance(value, Integral) and abs(float(value)) >= _FIXED_BELOW


_TITLES: Mapping[str, Callable[[str], str]] = {"packet": say, "field": field_title}
"""The placeholders of names of the format: the catalogue of another language calls them by their titles."""
