"""The program's own files are found from a checkout and from an installed wheel alike."""

import importlib
import json
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from recorder_editor import resources
from recorder_editor.checks import RULES
from recorder_editor.edits.operations import EVERY
from recorder_editor.format import read_json

PROJECT = Path(__file__).resolve().parents[1]
PICTURES = {"resources/pictures"}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package as a wheel lays it out, imported in place of the checkout's."""
    package = tmp_path / "recorder_editor"
    (package / "_resources" / "icons").mkdir(parents=True)
    (package / "_resources" / "icons" / "open.svg").write_text("<svg/>", encoding="utf-8")
    (package / "__init__.py").touch()
    shutil.copy(resources.__file__, package)
    ours = {name: module for name, module in sys.modules.items() if name.startswith("recorder_editor")}
    for name in ours:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    for name in [name for name in sys.modules if name.startswith("recorder_editor")]:
        del sys.modules[name]


def test_a_checkout_finds_its_files_in_the_folder_beside_the_package() -> None:
    assert resources.path("icons") == PROJECT / "resources" / "icons"


def test_an_installed_program_finds_its_files_inside_the_package(installed: Path) -> None:
    module = importlib.import_module("recorder_editor.resources")
    assert module.path("icons/open.svg") == installed / "_resources" / "icons" / "open.svg"


def test_a_wheel_has_every_file_of_the_program() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    names = {each.name for each in (PROJECT / "resources").iterdir()} - {"pictures"}
    assert included == {f"resources/{name}": f"recorder_editor/_resources/{name}" for name in names}


def test_a_file_of_the_program_is_told_from_others(tmp_path: Path) -> None:
    assert resources.is_own_file(resources.path("sample/town.log"))
    assert not resources.is_own_file(tmp_path / "town.log")


def test_a_missing_file_is_named_in_a_sentence() -> None:
    with pytest.raises(FileNotFoundError, match=r"own file icons/no-such\.svg is missing from .*Install"):
        resources.path("icons/no-such.svg")


def test_the_wheel_has_every_file_of_the_program_but_the_pictures() -> None:
    build = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    shipped = build["targets"]["wheel"]["force-include"]
    assert shipped.keys() == {f"resources/{each.name}" for each in (PROJECT / "resources").iterdir()} - PICTURES
    assert all(place == name.replace("resources/", "recorder_editor/_resources/") for name, place in shipped.items())


def test_no_name_stands_twice_in_an_object_of_a_table() -> None:
    for path in (PROJECT / "resources").rglob("*.json"):
        read_json(path.read_bytes(), unique=True)


def test_labels_are_short_and_only_sentences_end_with_a_full_stop() -> None:
    def table(name: str) -> dict[str, Any]:
        return cast(dict[str, Any], json.loads(resources.path(name).read_text(encoding="utf-8")))

    operations = list(EVERY.values())
    forms = [each.form for each in operations if each.form is not None]
    preferences = [each for group in table("preferences.json").values() for each in group.values()]
    labels = [each.title for each in operations] + [each["title"] for each in preferences]
    phrases = labels + [each.summary for each in operations] + [each["sentence"] for each in preferences]
    phrases += [each.tip for one in operations for each in one.parameters if each.tip]
    phrases += [form.heading for form in forms] + [rule.fix.title for rule in RULES if rule.fix is not None]
    sentences = [rule.title for rule in RULES] + [rule.why for rule in RULES]
    sentences += [form.note for form in forms if isinstance(form.note, str) and form.note]
    assert [label for label in labels if len(label) > 32] == []
    assert [phrase for phrase in phrases if phrase.endswith(".") or phrase[0].islower()] == []
    assert [sentence for sentence in sentences if not sentence.endswith(".")] == []
