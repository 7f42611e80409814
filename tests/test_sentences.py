"""The catalogue of sentences: every code is there and used, and the languages agree."""

import ast
import json
import pickle
import re
import string
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import recorder_editor
from recorder_editor import resources, sentences
from recorder_editor.format import read_json
from recorder_editor.sentences import (
    Sentence,
    columns,
    listed,
    packed,
    say,
    set_language,
    unpacked,
    value_name,
    wrapped,
)

PACKAGE = Path(recorder_editor.__file__).parent
CATALOGUES = Path(__file__).parent.parent / "resources" / "sentences"
NOT_FOR_PEOPLE = (
    *("reports/", "formats/openscenario.py", "demo/", "analysis/constants.py", "simulator/metrics.py"),
    *("__main__.py", "resources.py", "versions.py"),
)
"""What is written here is in the words of the simulator or of a format, or English by contract."""
PROGRAM_ERRORS = ("ValueError", "TypeError", "AssertionError", "IndexError", "KeyError", "AttributeError")
SAYERS: dict[str, tuple[int, set[str]]] = {"say": (0, set()), "unfit": (1, {"label"}), "refused": (1, set())}
"""Functions that say a sentence: which argument is its code, and the values that they add."""
OF_PROGRAMS = ("ui/dialogs/about.py", "ui/panes/bytes/copied_bytes.py")
"""In the window: what a report of a mistake says, and bytes as the source of a program."""
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
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYERS:
                at, more = SAYERS[node.func.id]
                named = {str(each.arg) for each in node.keywords}
                if isinstance(node.args[at], ast.Constant):
                    yield f"{name}:{node.lineno}", str(node.args[at].value), named | more


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


@pytest.mark.parametrize(("number", "shown"), [(1234.6, "1,235"), (9e14, "900,000,000,000,000"), (1e15, "1e+15")])
def test_a_huge_number_is_said_in_few_digits(number: float, shown: str) -> None:
    for kind in (float, np.float64):
        assert f"at up to {shown} m/s" in say("checks.falls", actor="Actor 7", worst=kind(number), frames="frame 3")
    assert "3e+38" in say("checks.falls", actor="Actor 7", worst=np.float32(3e38), frames="frame 3")
    assert say("checks.frame", frame=10**18) == "frame 1,000,000,000,000,000,000"


def test_every_text_of_the_catalogue_is_used() -> None:
    literals = {
        node.value
        for _, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    named = {code for code in sentences.catalogue("en") if code.partition(".")[0] + "." in literals}  # f"class.{name}"
    assert not sentences.catalogue("en").keys() - literals - named


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


def test_names_of_values_are_said_in_every_language_and_are_those_of_the_table_in_english() -> None:
    table = read_json(resources.path("packets.json").read_bytes(), unique=True)
    for name in (name for part in ("choices", "flags") for names in table[part].values() for name in names):
        assert value_name(name) == name
    told = value_name("Red"), value_name("red"), value_name("Position"), value_name("Nobody's")
    assert told == ("Red", "red", "Position", "Nobody's")
    set_language("zh_CN")
    assert [unpacked(packed(each)) for each in told] == ["红灯", "红灯", "示廓灯", "Nobody's"]
    assert listed(map(value_name, ("LowBeam", "Brake")), "list.values") == "近光灯、刹车灯"


def test_packets_and_fields_have_their_titles_in_sentences_of_another_language() -> None:
    told = say("edits.set_in_packet", field="location x", packet="Position"), say("repair.too_short", packet="Nobody's")
    assert told == ("Set location x in Position", "Nobody's is shorter than it must be")
    set_language("zh_CN")
    assert [unpacked(packed(each)) for each in told] == ["设置位置 (Position) 中的位置 x", "Nobody's 比应有的长度短"]
    asked = say("recording.no_field", packet="Position", typed="brake", meant="")
    assert asked == "位置 (Position) 没有字段“brake”。", "what was typed stays as it was"


def test_a_list_of_thousands_can_be_packed_and_sent_to_a_process() -> None:
    ids = [str(number) for number in range(3_001)]
    text = listed(ids)
    assert text == ", ".join(ids)
    assert pickle.loads(pickle.dumps(text)) == text
    set_language("zh_CN")
    assert unpacked(packed(text)) == "、".join(ids)


def test_a_list_is_written_as_the_language_does() -> None:
    assert (listed("abc"), listed("a"), listed(["", "a", "", "b"], "list.and"), listed([])) == (
        "a, b, c",
        "a",
        "a and b",
        "",
    )
    set_language("zh_CN")
    assert (listed("abc"), listed(["Aa.", "Bb."], "list.sentences")) == ("a、b、c", "Aa.Bb.")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("The file ends after frame 374.", ["The file ", "ends after ", "frame 374."]),
        ("Unbreakable-words, here", ["Unbreakable-words, ", "here"]),
        ("Unbreakable-words", ["Unbreakable-words"]),
        ("文件在第 374 帧之后结束。", ["文件在第 ", "374 帧之后", "结束。"]),
        ("第一二三四。五六（七八，九）", ["第一二三", "四。五六", "（七八，", "九）"]),
    ],
)
def test_lines_end_between_words_or_chinese_signs(text: str, lines: list[str]) -> None:
    assert wrapped(text, lambda line: columns(line) <= 10) == lines


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
    assert [unpacked(packed(each)) for each in (one, many, "held")] == ["H(F1)", "H(F1200)", "held"]


NAMES = r"[a-z]+ [a-z]+( [\d.]*)?|(id|road|lane|\w+[._:]\w+)( \S+)*|.*[<>]=.*|(\w+=\w+ ?)+|Library/.*"
NAMES += r"|CARLA recording|<.*|[{,] ?\".*|could not parse \[.*|sensors and props|\nimport .*"
NAMES += r"|.*\b(AS|BY|CREATE|DELETE|FROM|IN|INSERT|JOIN|KEY|LAST|PRAGMA|TABLE|UPDATE|BLOB)\b.*|(\w+, )+\w+\.id"
"""A class as "traffic light", columns, a query, a folder, JSON, what other programs say, a program, SQL."""


def _is_words(text: str) -> bool:
    """Several words of a person."""
    words = [word for word in re.split(r"\s+", text) if re.search("[A-Za-z]{2}", word)]
    return len(words) > 1 and re.fullmatch(NAMES, text, re.DOTALL) is None


def test_no_sentence_is_glued_from_pieces() -> None:
    """Below the window words stand in the catalogue, or in tables of `resources`; not in the source."""
    found = []
    for name, tree in _trees():
        if name.startswith(("ui/", "views/", "cli/", *NOT_FOR_PEOPLE)) and name not in SPOKEN:
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


def test_no_text_of_the_window_is_glued_from_pieces() -> None:
    """What is said is whole where it is said: its values go into places of it, and lists are made by `listed`."""
    found = []
    for name, tree in _trees():
        if not name.startswith("ui/") or name in OF_PROGRAMS:
            continue
        silent = {inner for node in ast.walk(tree) if _is_for_developers(node) for inner in ast.walk(node)}
        found += [
            f"{name}:{node.lineno} {ast.unparse(node)}"
            for node in ast.walk(tree)
            if isinstance(node, ast.expr | ast.AugAssign) and node not in silent and _is_glued(node)
        ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        'self.tr("Saved") + name',
        'text += tr(", %1 damaged")',
        'words = say("ui.edits", count=3).lower() + end',
        'f"{tr(title)} {number}"',
        'f"{number} frames"',
        'f"{name}: {value}"',
        'f"<b>{name}</b>, {value}"',
        '", ".join(names)',
        '" and ".join(names)',
    ],
)
def test_a_glued_text_is_found(source: str) -> None:
    assert any(_is_glued(node) for node in ast.walk(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        'f"<b>{tr(title)}</b><br>{words}"',
        'f"attribute-{name}"',
        'f"{number:.1f} {unit}"',
        'f"packets.md#{name} ({number})"',
        '"<br>".join((text, tr("next: %1")))',
        'theme.px(12) + metrics.horizontalAdvance(tr("Actors"))',
    ],
)
def test_what_is_no_sentence_is_not_taken_for_a_glued_one(source: str) -> None:
    assert not any(_is_glued(node) for node in ast.walk(ast.parse(source)))


def _is_glued(node: ast.AST) -> bool:
    """A translated text with something before or behind it, or words and punctuation in the source around values."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_said(node.left) or _is_said(node.right)
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Add) and _is_said(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
        between = getattr(node.func.value, "value", None)
        return isinstance(between, str) and re.search(r"[,.:!?] $| \w+ ", between) is not None
    if not isinstance(node, ast.JoinedStr):
        return False
    parts = (str(each.value) if isinstance(each, ast.Constant) else _place(each) for each in node.values)
    text = "".join(parts)
    if re.match(r"\w+\.\w+[#(]|.* =", text):
        return False  # a place in the guide, a call, a query
    lines = re.split(r"\n|<br>", re.sub(r"<(?!br)[^>]*>", "", text))
    glued = re.compile(rf"[,.;:!?] |[A-Za-z]{{2,}}.* | .*[A-Za-z]{{2,}}|.{SAID}|{SAID}.")
    return any(glued.search(line.strip(" ")) for line in lines)


SAID = "\1"


def _place(value: ast.expr) -> str:
    return SAID if isinstance(value, ast.FormattedValue) and _is_said(value.value) else "\0"


def _is_said(node: ast.AST) -> bool:
    """The call of what translates a text, or of a method of its result."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr == "tr" or (node.func.attr != "join" and _is_said(node.func.value))
    return ast.unparse(node.func) in ("tr", "_tr", "put", "say", "listed")


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
