"""The catalogue of sentences: every code is there and used, and the languages agree."""

import ast
import json
import pickle
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import sentences
from recorder_editor.sentences import Sentence, say, set_language

PACKAGE = Path(recorder_editor.__file__).parent
CATALOGUES = Path(__file__).parent.parent / "resources" / "sentences"
NOT_FOR_PEOPLE = (
    *("queries/reports/", "exchange/openscenario.py", "exchange/demo/", "analysis/constants.py"),
    *("__main__.py", "resources.py", "versions.py"),
)
"""What is written here is in the words of the simulator or of a format, or English by contract."""
PROGRAM_ERRORS = ("ValueError", "TypeError", "AssertionError", "IndexError", "KeyError", "AttributeError")
OF_COLUMNS = ("Field", "Rows", "row_type", "self._row")
SPOKEN = ("cli/__init__.py", "cli/check.py", "cli/files.py", "cli/output.py", "cli/repair.py")
"""What speaks to people on the command line; what other verbs say is for programs, too, and English."""


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    set_language("en")
    yield
    set_language("en")


def _trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def _texts(entry: str | dict[str, str]) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _used() -> Iterator[tuple[str, str, set[str]]]:
    """Where a code is said: the place, the code, the names of its values."""
    for name, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                named = {str(each.arg) for each in node.keywords}
                if isinstance(node.args[0], ast.Constant):
                    yield f"{name}:{node.lineno}", str(node.args[0].value), named


def test_a_code_is_said_with_the_values_of_its_text() -> None:
    english = sentences.catalogue("en")
    wrong = []
    for place, code, named in _used():
        if code not in english:
            wrong.append(f"{place}: there is no {code}")
        elif "None" not in named and named - {"count"} != set().union(*map(_placeholders, _texts(english[code]))) - {
            "count"
        }:
            wrong.append(f"{place}: {code} has other placeholders")
    assert not wrong


def test_every_text_of_the_catalogue_is_used() -> None:
    literals = {
        node.value
        for _, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not sentences.catalogue("en").keys() - literals


@pytest.mark.parametrize("path", sorted(CATALOGUES.glob("*.json")), ids=lambda path: path.stem)
def test_a_catalogue_is_sorted_and_has_the_placeholders_of_the_english_one(path: Path) -> None:
    texts = json.loads(path.read_text(encoding="utf-8"))
    assert list(texts) == sorted(texts)
    english = sentences.catalogue("en")
    assert texts.keys() == english.keys()
    for code, entry in texts.items():
        there = set().union(*map(_placeholders, _texts(english[code])))
        assert set().union(*map(_placeholders, _texts(entry))) == there, code


def test_a_sentence_keeps_its_code_and_its_values() -> None:
    sentence = say("format.is_missing", label="x")
    assert sentence == "x is missing."
    assert (sentence.code, sentence.values) == ("format.is_missing", {"label": "x"})
    copied = pickle.loads(pickle.dumps(sentence))
    assert (copied, type(copied), copied.code) == (sentence, Sentence, sentence.code)


def test_a_code_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        say("format.nobody_says_this")


def test_what_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "catalogue", lambda name: {"a": "A"} if name == "en" else {})
    set_language("xx")
    assert say("a") == "A"


def test_a_number_chooses_its_form_and_another_language_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: dict[str, dict[str, str | dict[str, str]]] = {
        "en": {"frames": {"one": "one frame", "other": "{count:,} frames"}, "held": "Holds {frames}."},
        "xx": {"frames": {"other": "F{count}"}, "held": "H({frames})"},
    }
    monkeypatch.setattr(sentences, "catalogue", texts.__getitem__)
    one, many = say("held", frames=say("frames", count=1)), say("held", frames=say("frames", count=1200))
    assert (one, many) == ("Holds one frame.", "Holds 1,200 frames.")
    set_language("xx")
    assert (one.again(), many.again()) == ("H(F1)", "H(F1200)")


NAMES = r"[a-z]+ [a-z]+( [\d.]*)?|(id|road|lane|\w+[._:]\w+)( \S+)*|.*[<>]=.*|(\w+=\w+ ?)+|Library/.*"
NAMES += r"|CARLA recording|<.*|[{,] ?\".*|could not parse \[.*|sensors and props|\nimport .*"
"""A class as "traffic light", columns, a query, a folder, JSON, what other programs say, a program."""


def _is_words(text: str) -> bool:
    """Several words of a person."""
    words = [word for word in re.split(r"\s+", text) if re.search("[A-Za-z]{2}", word)]
    return len(words) > 1 and re.fullmatch(NAMES, text, re.DOTALL) is None


def test_no_sentence_is_glued_from_pieces() -> None:
    """Below the window words stand in the catalogue, or in tables of `resources`; not in the source."""
    found = []
    for name, tree in _trees():
        if name.startswith(("ui/", "cli/", *NOT_FOR_PEOPLE)) and name not in SPOKEN:
            continue
        silent = {inner for node in ast.walk(tree) if _is_for_developers(node) for inner in ast.walk(node)}
        silent |= set(_types(tree))
        found += [
            f"{name}:{node.lineno} {node.value!r}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and node not in silent and isinstance(node.value, str)
            if _is_words(node.value)
        ]
    assert not found, "\n".join(found)


def _is_for_developers(node: ast.AST) -> bool:
    """A docstring, a type, an error that is a mistake in the program, a column or a table of columns."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Call) and ast.unparse(node.func) in (*PROGRAM_ERRORS, *OF_COLUMNS)


def _types(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if (each := getattr(node, name, None)) is not None:
                yield from ast.walk(each)
