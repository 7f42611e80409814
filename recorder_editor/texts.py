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
from unicodedata import east_asian_width

from . import resources

ENGLISH = "en"
LANGUAGES = (ENGLISH, *sorted(path.stem for path in resources.path("locale").glob("*.po")))
"""The languages of the program: English, and those with a catalogue."""

_process_language = ENGLISH
_language: ContextVar[str | None] = ContextVar("language", default=None)
"""The language of the present thread or task, where `speaking` has set one."""

_GAP = "(?<=[⺀-鿿]) (?=[⺀-鿿])"
"""No blank stands between Chinese signs. Compiled when it is used first: so many signs take milliseconds."""

FIRST_WIDE = "\u1100"
"""No character before this one is as wide as two in a terminal."""
_WIDE = ("F", "W")
"""The classes of characters that are."""
_PIECES = "[（“]*(?:[⺀-鿿]|[^\\s⺀-鿿，。、：；！？（）“”]+)?[，。、：；！？）”.,;:!?)]*\\s*"
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
    """A text about a number of things, in English.

    Attributes:
        one: The form for one thing.
        other: The form for all other numbers.
    """

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
        text = super().__new__(cls, _translate(template, values, language()))
        text.template = template
        text.values = values
        return text

    def __getnewargs__(self) -> tuple[str | Plural, dict[str, object]]:  # type: ignore[override]  # that of str gives a str alone
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
    """Translate a text about a number of things; the result is a `Text`.

    Args:
        one: The English form for one thing.
        other: The English form for all other numbers; other languages have as many forms as they need.
        count: The number of things, which is also a value of the text.
        values: The other values of the placeholders.
    """
    return Text(Plural(one, other), {"count": count, **values})


def say_again(text: str) -> str:
    """Translate a text of `say` once more, with the texts in it, into the language that is set now.

    Args:
        text: The text; another one is returned as it is.
    """
    if not isinstance(text, Text):
        return text
    values = {}
    for name, value in text.values.items():
        values[name] = say_again(value) if isinstance(value, str) else value
    return Text(text.template, values)


def text_pieces(text: str) -> list[tuple[str, str]]:
    """Split a text of `say` at its values.

    Args:
        text: The text, in the language that is set; another text is one piece.

    Returns:
        The pieces, each with the name of the value that it is; empty for what stands between values.
    """
    whole = [(text, "")]
    if not isinstance(text, Text) or not text.values:
        return whole
    values = _shown_values(text.values, language())
    pieces = []
    for between, name, spec, _ in Formatter().parse(_form(text.template, text.values, language())):
        if between:
            pieces.append((between, ""))
        if name is not None:
            pieces.append((format(values[name], spec or ""), name))
    if "".join(piece for piece, _ in pieces) != text:  # blanks between Chinese signs, or another language
        return whole
    return pieces


def N_(text: str) -> str:  # noqa: N802 - the name that tools for gettext know
    """Mark a text that is translated when it is shown."""
    return text


def N_count(one: str, other: str) -> Plural:  # noqa: N802 - as N_
    """Mark a text about a number of things, which `say(..., count=n)` translates."""
    return Plural(one, other)


def text_to_json(value: object) -> object:
    """Return a value for JSON: a text as its template and values, other values as they are."""
    if not isinstance(value, Text):
        return value
    values = {name: text_to_json(inner) for name, inner in value.values.items()}
    if isinstance(value.template, Plural):
        return [list(value.template), values]
    return [value.template, values]


def text_from_json(value: object) -> object:
    """Return what `text_to_json` was given, in the language that is set now.

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
    text_values = {str(name): text_from_json(value) for name, value in values.items()}
    if isinstance(template, Plural):
        if not isinstance(text_values["count"], Integral):
            raise TypeError(template.other)
        _check_form(template.one, text_values)
        _check_form(template.other, text_values)
    else:
        _check_form(template, text_values)
    return Text(template, text_values)


def _check_form(form: str, values: Mapping[str, object]) -> None:
    """Check that a text from a file only has plain placeholders that have values.

    Raises:
        KeyError: A placeholder has no value.
        ValueError: A placeholder is none of a text.
    """
    for _, name, spec, conversion in Formatter().parse(form):
        if name is None:
            continue
        if conversion or not name.isidentifier() or not _SPEC.fullmatch(spec or ""):
            raise ValueError(form)
        if name not in values:
            raise KeyError(name)


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
    parts = [item for item in items if item]
    while len(parts) > 1:  # by pairs: long lists are not deep
        joined: list[str] = []
        for first, last in zip_longest(parts[::2], parts[1::2], fillvalue=""):
            if last:
                joined.append(say(template, first=first, last=last))
            else:
                joined.append(first)
        parts = joined
    if parts:
        return parts[0]
    return ""


def display_width(text: str) -> int:
    """The width of a text in a terminal, in characters."""
    width = len(text)
    for sign in text:
        if sign >= FIRST_WIDE and east_asian_width(sign) in _WIDE:
            width += 1
    return width


def wrap_lines(text: str, fits: Callable[[str], bool]) -> list[str]:
    """Break a text into lines.

    Args:
        text: The text.
        fits: Whether a line, without the blanks at its end, is short enough.

    Returns:
        The lines with the blanks at their ends; a word that is too long has a line that does not fit.
    """
    lines = [""]
    for piece in re.findall(_PIECES, text):
        if lines[-1] and piece and not fits((lines[-1] + piece).rstrip()):
            lines.append("")
        lines[-1] += piece
    return lines


def set_language(name: str) -> None:
    """Set the language of the process, which holds in every thread that `speaking` gave no other one."""
    global _process_language  # noqa: PLW0603 - of the process: its threads begin without one
    _process_language = name


def language() -> str:
    """Return the name of the language that is set, for this thread or for the process."""
    return _language.get() or _process_language


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Set the language of this thread or task for the time of a `with` statement."""
    token = _language.set(name)
    try:
        yield
    finally:
        _language.reset(token)


def option_value(arguments: Sequence[str], name: str) -> str | None:
    """Find the value of an option among the words of a command, whatever its verb.

    It is read as the parsers of the verbs do: the name may be shortened, and behind `--` there are no options.

    Args:
        arguments: The words.
        name: The option, as `--lang`.

    Returns:
        The value; empty if none follows the option, None without the option.
    """
    parser = ArgumentParser(add_help=False, usage="")
    parser.add_argument(name, dest="value", nargs="?", const="")
    value: str | None = parser.parse_known_args(arguments)[0].value
    return value


def language_of(arguments: Sequence[str]) -> str:
    """The language that `--lang` names among the arguments of a command, else that of the locale's messages."""
    wanted = option_value(arguments, "--lang")
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = wanted or os.environ.get(variable)
    wanted, _, _ = (wanted or ENGLISH).partition(".")
    if wanted in LANGUAGES:
        return wanted
    for name in LANGUAGES:
        if name.split("_")[0] == wanted.split("_")[0]:
            return name
    return ENGLISH


def value_name(name: str) -> str:
    """Return the name of a value of an enumeration, or of a bit; in English as it is given.

    These names have a context of their own in catalogues: a lamp may be called otherwise than a packet of its name.
    """
    return say(f"{_VALUE}{_CONTEXT}{name}")


def value_names(names: Mapping[int, str]) -> dict[int, str]:
    """Return the names of values, as `value_name` gives them."""
    return {value: value_name(name) for value, name in names.items()}


def field_title(path: str) -> str:
    """Return the name of a field: `location x`, `wheels[1] tire friction`."""
    return re.sub(r"[a-z]\w*", lambda match: say(match[0]).replace("_", " "), path.replace(".", " "))


def search_keywords(text: str, keywords: str) -> str:
    """Return the words by which a search finds a text, in the language that is set and in English.

    Args:
        text: The English text.
        keywords: Further English words that find it.
    """
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
    translation = catalogue(name).pgettext(context, wanted)
    if translation == wanted:
        return english
    return translation


def _plural_form(name: str, template: Plural, count: object) -> str:
    """Return the form of a text in a language for a number of things."""
    assert isinstance(count, Integral)
    if name != ENGLISH:
        return catalogue(name).ngettext(template.one, template.other, int(count))
    if count == 1:
        return template.one
    return template.other


def _translate(template: str | Plural, values: dict[str, object], name: str) -> str:
    """Return a text in a language, with its values."""
    text = _form(template, values, name)
    if not values:
        return text
    formatted = text.format_map(_shown_values(values, name))
    if name != ENGLISH and any(key in values for key in _TITLES):
        return re.sub(_GAP, "", formatted)
    return formatted


def _form(template: str | Plural, values: Mapping[str, object], name: str) -> str:
    """Return a text in a language, with its placeholders."""
    if isinstance(template, Plural):
        return _plural_form(name, template, values["count"])
    return _translation(name, template)


def _shown_values(values: Mapping[str, object], name: str) -> dict[str, object]:
    """Return the values of a text as a language shows them."""
    shown = dict(values)
    for key, value in values.items():
        if _is_huge(value):
            shown[key] = Measure(value)
    if name != ENGLISH:
        for key, title in _TITLES.items():
            if key in values:
                shown[key] = title(str(values[key]))
    return shown


def _is_huge(value: object) -> TypeGuard[float]:
    """Whether a value is a huge number that is not whole by its type, numpy's among them."""
    return isinstance(value, Real) and not isinstance(value, Integral) and abs(float(value)) >= _FIXED_BELOW


_TITLES: Mapping[str, Callable[[str], str]] = {"packet": say, "field": field_title}
"""The placeholders of names of the format: the catalogue of another language calls them by their titles."""
