"""The texts that people read: values, plurals, lists, languages, and that none is glued from pieces."""

import ast
import gettext
import pickle
import re
import string
import threading
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from recorder_editor import resources, texts
from recorder_editor.format import read_json
from recorder_editor.texts import (
    N_,
    N_count,
    Plural,
    Text,
    display_width,
    listed,
    say,
    say_count,
    set_language,
    speaking,
    text_from_json,
    text_to_json,
    value_name,
    wrap_lines,
)

from .sources import PACKAGE, name_of, nodes, trees

NOT_FOR_PEOPLE = (
    *(
        "reports/",
        "formats/grammars/",
        "formats/openscenario.py",
        "formats/openscenario_xml.py",
        "demo/",
        "analysis/constants.py",
        "simulator/metrics.py",
    ),
    *("__main__.py", "resources.py", "versions.py"),
)
"""What is written here is in the words of the simulator or of a format, or English by contract."""
CONSTANTS_NOT_FOR_PEOPLE = {
    "formats/mcap_messages.py": "_FACTS",
    "formats/osi_messages.py": "_FACTS",
    "formats/signals.py": "USUAL",
    "simulator/replay.py": "_OFFSET",
    "views/health.py": "_COMMANDS",
    "views/palette.py": "_VIRIDIS",
}
"""The same of single constants: metadata of files, expressions, commands, colours, and code."""
PROGRAM_ERRORS = ("ValueError", "TypeError", "AssertionError", "IndexError", "KeyError", "AttributeError")
SAYERS: dict[str, tuple[int, set[str]]] = {
    "say": (0, set()),
    "say_count": (0, {"count"}),
    "unfit": (1, {"label"}),
    "refused": (1, set()),
}
"""Functions that say a text: which argument it is, and the values that they add."""
MARKED = {"say": 1, "N_": 1, "say_count": 2, "N_count": 2}
"""Functions whose first arguments are texts, and how many."""
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


def _modules() -> Iterator[tuple[str, ast.Module, Sequence[ast.AST]]]:
    for path, tree in trees().items():
        yield path.relative_to(PACKAGE).as_posix(), tree, nodes()[path]


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_a_text_is_said_with_the_values_of_its_placeholders() -> None:
    wrong = []
    seen = 0
    for name, _, every in _modules():
        for node in every:
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYERS):
                continue
            at, more = SAYERS[node.func.id]
            forms = node.args[at : at + 1 + (node.func.id == "say_count")]
            constants = [form.value for form in forms if isinstance(form, ast.Constant)]
            named = {str(each.arg) for each in node.keywords}
            if not constants or "None" in named:
                continue
            seen += 1
            if not (named or more):
                continue  # braces mean nothing without values
            wanted = set().union(*(_placeholders(str(text)) for text in constants))
            if wanted - {"count"} != (named | more) - {"count"} or (named == set() and wanted - more):
                wrong.append(f"{name}:{node.lineno} {constants}")
    assert seen > 1500
    assert wrong == []


@pytest.mark.parametrize(("number", "shown"), [(1234.6, "1,235"), (9e14, "900,000,000,000,000"), (1e15, "1e+15")])
def test_a_huge_number_is_said_in_few_digits(number: float, shown: str) -> None:
    for kind in (float, np.float64):
        assert say("up to {worst:,.0f} m/s", worst=kind(number)) == f"up to {shown} m/s"
    assert say("{worst:,.0f}", worst=np.float32(3e38)) == "3e+38"
    assert say("frame {frame:,}", frame=10**18) == "frame 1,000,000,000,000,000,000"


def test_a_text_keeps_its_template_and_its_values() -> None:
    text = say("{label} is missing.", label="x")
    assert text == "x is missing."
    assert isinstance(text, Text)
    assert (text.template, text.values) == ("{label} is missing.", {"label": "x"})
    copied = pickle.loads(pickle.dumps(text))
    assert (copied, type(copied), copied.template) == (text, Text, text.template)


def test_a_text_that_was_marked_is_said_when_it_is_shown() -> None:
    assert N_("Open") == "Open"
    assert say(N_count("{count} part", "{count} parts"), count=2) == "2 parts"
    set_language("zh_CN")
    assert say(N_("Open")) == "打开"


def test_braces_mean_nothing_without_values_and_values_are_never_templates() -> None:
    assert say("{ } {x}") == "{ } {x}"
    assert say("{name}", name="{other}") == "{other}"
    assert say("") == ""
    set_language("zh_CN")
    assert say("") == "", "gettext would return the head of the catalogue"


def test_names_of_values_are_said_in_every_language_and_are_those_of_the_table_in_english() -> None:
    table = read_json(resources.path("packets.json").read_bytes(), unique=True)
    for name in (name for part in ("choices", "flags") for names in table[part].values() for name in names):
        assert value_name(name) == name
    told = value_name("Red"), value_name("red"), value_name("Position"), value_name("Nobody's")
    assert told == ("Red", "red", "Position", "Nobody's")
    set_language("zh_CN")
    assert [text_from_json(text_to_json(each)) for each in told] == ["红灯", "红灯", "示廓灯", "Nobody's"]
    assert listed(map(value_name, ("LowBeam", "Brake")), "values") == "近光灯、刹车灯"


def test_packets_and_fields_have_their_titles_in_sentences_of_another_language() -> None:
    told = (
        say("Set {field} in {packet}", field="location x", packet="Position"),
        say("{packet} is shorter than it must be", packet="Nobody's"),
    )
    assert told == ("Set location x in Position", "Nobody's is shorter than it must be")
    set_language("zh_CN")
    assert [text_from_json(text_to_json(each)) for each in told] == [
        "设置位置 (Position) 中的位置 x",
        "Nobody's 比应有的长度短",
    ]
    asked = say("{packet} has no field “{typed}”.{meant}", packet="Position", typed="brake", meant="")
    assert asked == "位置 (Position) 没有字段“brake”。", "what was typed stays as it was"


def test_a_list_of_thousands_can_be_packed_and_sent_to_a_process() -> None:
    ids = [str(number) for number in range(3_001)]
    text = listed(ids)
    assert text == ", ".join(ids)
    assert pickle.loads(pickle.dumps(text)) == text
    set_language("zh_CN")
    assert text_from_json(text_to_json(text)) == "、".join(ids)


def test_a_list_is_written_as_the_language_does() -> None:
    assert (listed("abc"), listed("a"), listed(["", "a", "", "b"], "and"), listed([])) == (
        "a, b, c",
        "a",
        "a and b",
        "",
    )
    set_language("zh_CN")
    assert (listed("abc"), listed(["Aa.", "Bb."], "sentences")) == ("a、b、c", "Aa.Bb.")


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
    assert wrap_lines(text, lambda line: display_width(line) <= 10) == lines


def test_what_a_language_lacks_is_said_in_english() -> None:
    set_language("xx")
    assert say("Nobody translates {this}.", this="that") == "Nobody translates that."
    set_language("zh_CN")
    assert say("Nobody translates {this}.", this="that") == "Nobody translates that."
    assert say_count("{count} thing of nobody", "{count} things of nobody", count=2) == "2 things of nobody"


class _Catalogue(gettext.NullTranslations):
    """Texts of a language that has one form for all numbers."""

    def __init__(self, texts_of: dict[str, str]) -> None:
        super().__init__()
        self.texts_of = texts_of

    def gettext(self, message: str) -> str:
        return self.texts_of.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.texts_of.get(msgid1) or (msgid1 if n == 1 else msgid2)


def test_a_number_chooses_its_form_and_another_language_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    other = _Catalogue({"one frame": "F{count}", "Holds {frames}.": "H({frames})"})
    monkeypatch.setattr(texts, "catalogue", lambda _name: other)
    frames = Plural("one frame", "{count:,} frames")
    one = say("Holds {frames}.", frames=say(frames, count=1))
    many = say("Holds {frames}.", frames=say(frames, count=1200))
    assert (one, many) == ("Holds one frame.", "Holds 1,200 frames.")
    set_language("xx")
    assert [text_from_json(text_to_json(each)) for each in (one, many, "held")] == ["H(F1)", "H(F1200)", "held"]


@pytest.mark.parametrize(
    "template", ["{x.__class__}", "{x[0]}", "{x!r}", "{x:999999999}", "{0}", "{x:{y}}", "{x:0999999999d}"]
)
def test_a_text_of_a_file_formats_its_values_in_no_other_way_than_the_program_does(template: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        text_from_json([template, {"x": 1, "y": 2}])


def test_a_language_is_that_of_a_thread_and_overlapping_ones_leave_none_behind() -> None:
    entered, leaves = threading.Event(), threading.Event()
    told: list[str] = []

    def speak(name: str, first: Callable[[], object], then: Callable[[], object]) -> None:
        with speaking(name):
            first()
            told.append(say("Open"))
            then()

    thread = threading.Thread(target=speak, args=("zh_CN", lambda: None, lambda: (entered.set(), leaves.wait(10))))
    thread.start()
    assert entered.wait(10)
    assert say("Open") == "Open", "this thread speaks what it spoke"
    with speaking("en"):
        leaves.set()
        thread.join(10)
    assert (texts.language(), told) == ("en", ["打开"])
    set_language("zh_CN")
    speak_here = threading.Thread(target=lambda: told.append(say("Open")))
    speak_here.start()
    speak_here.join(10)
    assert told == ["打开", "打开"], "a new thread speaks the language of the process"


NAMES = r"[a-z]+ [a-z]+( [\d.]*)?|(id|road|lane|\w+[._:]\w+)( \S+)*|.*[<>]=.*|(\w+=\w+ ?)+|Library/.*"
NAMES += r"|CARLA recording|<.*|[{,] ?\".*|could not parse \[.*|sensors and props|\nimport .*"
NAMES += r"|.*\b(AS|BY|CREATE|DELETE|FROM|IN|INSERT|JOIN|KEY|LAST|PRAGMA|TABLE|UPDATE|BLOB)\b.*|(\w+, )+\w+\.id"
"""A class as "traffic light", columns, a query, a folder, JSON, what other programs say, a program, SQL."""


def _is_words(text: str) -> bool:
    """Several words of a person."""
    words = [word for word in re.split(r"\s+", text) if re.search("[A-Za-z]{2}", word)]
    return len(words) > 1 and re.fullmatch(NAMES, text, re.DOTALL) is None


def test_no_sentence_is_glued_from_pieces() -> None:
    """Below the window words stand in tables of `resources`, or are said or marked."""
    found = []
    for name, tree, every in _modules():
        if name.startswith(("ui/", "cli/", "texts.py", *NOT_FOR_PEOPLE)) and name not in SPOKEN:
            continue
        silent = {inner for node in every if _is_for_developers(node) for inner in ast.walk(node)}
        silent |= set(_types(every)) | set(_texts(every))
        for statement in tree.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign) and name in CONSTANTS_NOT_FOR_PEOPLE:
                target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
                if ast.unparse(target) == CONSTANTS_NOT_FOR_PEOPLE[name]:
                    silent |= {*ast.walk(statement)}
            if name.startswith("formats/") and isinstance(statement, ast.ClassDef):
                silent |= {node.value for node in statement.body if ast.unparse(node).startswith("title = ")}
        found += [
            f"{name}:{node.lineno} {node.value!r}"
            for node in every
            if isinstance(node, ast.Constant) and node not in silent and isinstance(node.value, str)
            if _is_words(node.value)
        ]
    assert not found, "\n".join(found)


def test_no_text_of_the_window_is_glued_from_pieces() -> None:
    """What is said is whole where it is said: its values go into places of it, and lists are made by `listed`."""
    found = []
    for name, _, every in _modules():
        if not name.startswith("ui/") or name in OF_PROGRAMS:
            continue
        silent = {inner for node in every if _is_for_developers(node) for inner in ast.walk(node)}
        found += [
            f"{name}:{node.lineno} {ast.unparse(node)}"
            for node in every
            if isinstance(node, ast.expr | ast.AugAssign) and node not in silent and _is_glued(node)
        ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        'say("Saved") + name',
        'text += say(", {damaged} damaged", damaged=3)',
        'words = say_count("1 edit", "{count} edits", count=3).lower() + end',
        'f"{say(title)} {number}"',
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
        'f"<b>{say(title)}</b><br>{words}"',
        'f"attribute-{name}"',
        'f"{number:.1f} {unit}"',
        'f"packets.md#{name} ({number})"',
        '"<br>".join((text, say("next")))',
        'theme.px(12) + metrics.horizontalAdvance(say("Actors"))',
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
        return node.func.attr != "join" and _is_said(node.func.value)
    return name_of(node.func) in ("say", "say_count", "listed")


def _is_for_developers(node: ast.AST) -> bool:
    """A docstring, a type, an error that is a mistake in the program, a column or a table of columns, or what stands
    for a value on the command line."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.keyword):
        return node.arg == "metavar"
    return isinstance(node, ast.Call) and name_of(node.func) in (*PROGRAM_ERRORS, *OF_COLUMNS)


def _texts(every: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The texts that are said or marked."""
    for node in every:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from node.args[: MARKED.get(node.func.id, 0)]


def _types(every: Sequence[ast.AST]) -> Iterator[ast.AST]:
    for node in every:
        for name in ("annotation", "returns"):
            if (each := getattr(node, name, None)) is not None:
                yield from ast.walk(each)


def test_no_text_is_one_of_a_number_of_things_and_one_by_itself() -> None:
    """In a catalogue both would be one entry, and the one by itself would show the placeholder of the number."""
    single: dict[str, str] = {}
    counted: set[str] = set()
    for module, _, parts in _modules():
        for call in parts:
            if not isinstance(call, ast.Call) or not call.args or not isinstance(call.args[0], ast.Constant):
                continue
            if name_of(call.func) in ("say", "N_"):
                single[call.args[0].value] = module
            elif name_of(call.func) in ("say_count", "N_count"):
                counted.add(call.args[0].value)
    assert len(single) > len(counted) > 50
    assert {text: single[text] for text in counted & single.keys()} == {}
