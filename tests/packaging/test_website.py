"""The documentation site: its navigation names every page, its reference all that is public, its build is sound."""

import importlib.util
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

import recorder_editor
from recorder_editor import cli

from ..real_recordings import PROJECT, missing

WEBSITE = PROJECT / "packaging" / "website"
CONFIGURATIONS = {"en": WEBSITE / "mkdocs.yml", "zh_CN": WEBSITE / "zh_CN.yml"}
LANGUAGES = pytest.mark.parametrize("language", CONFIGURATIONS)
Pages = dict[str, dict[str, str]]


class Reader(yaml.SafeLoader):
    """Reads the configuration without what only MkDocs makes of it."""


Reader.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: suffix)


def configuration(language: str) -> dict[str, Any]:
    with CONFIGURATIONS[language].open(encoding="utf-8") as file:
        found = yaml.load(file, Reader)
    assert isinstance(found, dict)
    return found


def named(entries: list[Any]) -> list[str]:
    """The pages of a navigation, in its order."""
    names: list[str] = []
    for entry in entries:
        if isinstance(entry, str):
            names.append(entry)
            continue
        for inner in entry.values():
            names.extend(named([inner] if isinstance(inner, str) else inner))
    return names


@pytest.fixture(scope="module")
def site_pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("site_pages", WEBSITE / "site_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = sys.path[:]
    spec.loader.exec_module(module)
    sys.path[:] = before
    return module


@pytest.fixture(scope="module")
def pages(site_pages: ModuleType) -> Pages:
    """The pages of each language by their names."""
    return {language: site_pages.pages(language) for language in CONFIGURATIONS}


@LANGUAGES
def test_the_navigation_names_every_page_once(language: str, pages: Pages) -> None:
    assert sorted(named(configuration(language)["nav"])) == sorted(pages[language])


def test_both_languages_have_the_same_order() -> None:
    english, chinese = (named(configuration(language)["nav"]) for language in CONFIGURATIONS)
    assert english == chinese


@LANGUAGES
def test_links_lead_to_pages(language: str, pages: Pages) -> None:
    for name, text in pages[language].items():
        prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)
        targets = re.findall(r"(?<!!)\[[^\]]*\]\((?!https?:|#)([^)#]*)", prose)
        assert [target for target in targets if target not in pages[language]] == [], name


@LANGUAGES
def test_the_page_of_the_verbs_has_all_with_their_options(language: str, pages: Pages) -> None:
    sections = dict(
        re.findall(r"^## `([\w-]+)`\n(.*?)(?=^## |\Z)", pages[language]["verbs.md"], re.DOTALL | re.MULTILINE)
    )
    assert sections.keys() == {"open", "screenshot", *cli.VERBS}
    for verb in ("info", "edit", "export"):
        told = set(re.findall(r"^- .*?`(--[a-z0-9-]+)", sections[verb], re.MULTILINE))
        assert told >= set(cli.verb_parser(verb).option_names()) - {"--help", "--overwrite"}, verb


def test_the_reference_has_what_the_package_offers_with_docstrings(site_pages: ModuleType) -> None:
    names = [name for _, modules in site_pages.MODULES.values() for name in site_pages.public_names(modules)]
    assert len(names) == len(set(names))
    for name in names:
        module, _, attribute = name.rpartition(".")
        value = getattr(import_module(module), attribute)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
    modules = {"edits", "errors", "__version__"}
    assert {f"recorder_editor.{name}" for name in recorder_editor.__all__ if name not in modules} <= set(names)


def test_the_tutorial_is_that_of_the_readme(pages: Pages) -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    steps = re.findall(r"^\d\. \*\*(.*?)\*\*", pages["en"]["tutorial.md"], re.MULTILINE)
    assert len(steps) >= 5
    assert all(f"**{step}**" in readme for step in steps)
    assert len(re.findall(r"^\d\. ", pages["zh_CN"]["tutorial.md"], re.MULTILINE)) == len(steps)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="packaging/docs is a script for bash")
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    done = subprocess.run([PROJECT / "packaging" / "docs", tmp_path], capture_output=True, text=True, check=False)
    if not (PROJECT / ".venv-docs" / "installed").exists():
        missing(done.stderr)  # pip could not install what builds it
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    built = list(tmp_path.rglob("*.html"))
    assert len(built) == 2 * (len(named(configuration("en")["nav"])) + 1)  # and a page for what is not found
    loaded = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"']?((?:https?:)?//[^\"'> ]*)")
    for page in built:
        assert "doc-module" not in page.read_text(encoding="utf-8"), page.name  # a module in place of its function
        assert loaded.findall(page.read_text(encoding="utf-8")) == [], page.name
