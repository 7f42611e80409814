"""JSON of others: read as the standard has it, or refused in one sentence."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorder_editor
from recorder_editor.format.json_text import JsonError, read_json, shown

ODD_JSON = (
    "",
    "[",
    "nonsense",
    "NaN",
    "-Infinity",
    "1e999",
    "9" * 5000,
    "-" + "9" * 5000,
    "[" * 100_000,
    '{"a":' * 100_000,
    '"\x00"',
    "\ufeff[]",
    '{"a": 1',
    "[1,]",
    "'a'",
)


@pytest.mark.parametrize("text", ODD_JSON, ids=lambda text: text[:12])
def test_what_is_no_json_is_refused_in_a_sentence(text: str) -> None:
    for given_ in (text, text.encode()):
        with pytest.raises(JsonError) as caught:
            read_json(given_)
        assert caught.value.message.endswith(".")
        assert len(caught.value.message) < 120


@given(st.text() | st.binary())
def test_any_text_is_a_value_or_refused(text: str | bytes) -> None:
    for unique in (True, False):
        try:
            read_json(text, unique=unique)
        except JsonError:
            continue


def test_a_name_that_stands_twice_is_refused_where_that_matters() -> None:
    assert read_json('{"a": 1, "b": 2, "a": 3}') == {"a": 3, "b": 2}
    with pytest.raises(JsonError, match="“a” is twice"):
        read_json('[{"a": 1, "b": 2, "a": 3}]', unique=True)


def test_what_is_long_or_deep_is_shown_in_part() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert shown(deep) == "something nested too deep"
    assert shown("a" * 100) == '"' + "a" * 38 + "…"


def test_nobody_else_reads_json() -> None:
    package = Path(recorder_editor.__file__).parent
    readers = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        for text in [path.read_text(encoding="utf-8")]
        if "json" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and node.attr in ("load", "loads", "JSONDecoder")
        and isinstance(node.value, ast.Name)
        and node.value.id == "json"
    }
    # Tables and sentences are the program's own, and read before anything else is there.
    assert readers == {str(Path("format") / "json_text.py"), "resources.py"}
