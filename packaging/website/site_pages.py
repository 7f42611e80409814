"""Writes the pages that the documentation site is built from, in all its languages.

python packaging/website/site_pages.py OUT     writes OUT/en and OUT/zh_CN

The pages of the guide are taken as they are, but that a link says the title of its page instead of a file name. The
page of installing and the tutorial are sections of the README, the verbs are made of their parsers, and pages of the
API name what mkdocstrings shows there. What is left is written by people, in the folder of its language beside this
module.
"""

import inspect
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / "packaging"), str(PROJECT / "packaging" / "linux")]

import commands  # noqa: E402 - the folder is found a line above
import guide  # noqa: E402 - as above
from reference import Say, code, speaker  # noqa: E402 - as above

from recorder_editor import texts  # noqa: E402 - as above

WEBSITE = Path(__file__).resolve().parent
GUIDES = {"en": guide.ENGLISH, "zh_CN": guide.CHINESE}
READMES = dict(zip(GUIDES, guide.PAGES["README.md"], strict=True))
INSTALL = "Install"
FIRST_MINUTES = "The first five minutes"
"""The sections of the README, with those below them, that are pages of the site."""

WINDOW = ("inspect-light.png", "inspect-dark.png")
"""The picture at the top of the tutorial, in both themes."""

MODULES = {
    "api.md": ("Recordings in Python", ("recorder_editor", "recorder_editor.api")),
    "api-edits.md": ("Edits in Python", ("recorder_editor.edits",)),
    "api-roads.md": ("Road maps in Python", ("recorder_editor.roads",)),
    "api-errors.md": ("Exceptions", ("recorder_editor.errors",)),
}
"""For each page of the API its title, and the modules whose public names it shows."""

FIRST = ("open", "create", "Recording")
"""What a page of the API begins with, before the order of its modules."""

HIDDEN = "---\nhide: [navigation, toc]\n---\n\n"
"""What the first page shows none of beside it: the tabs above have them."""

IMAGE = re.compile(r"^!\[(?P<title>[^\]]*)\]\(resources/pictures/(?P<path>[^)]*)\)$", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?!https?:|#)(?P<target>[^)]*)\)")
FILE_NAME = re.compile(r"\[(?P<name>[\w-]+\.md)\]\((?P<page>[\w-]+\.md)")
"""A link whose words are the name of a page of the guide."""

EXAMPLE = re.compile(f"(?P<text>.*?)\\S+[:：]\\s*(?P<command>{commands.PROG} .*)", re.DOTALL)
"""The last paragraph of a help: what it says, and the command behind the word for an example."""

LINE = 78
"""Signs in a line of a usage."""


def pages(language: str) -> dict[str, str]:
    """Make all pages of a language.

    Returns:
        The text of each page by its name.
    """
    say = Say() if language == texts.ENGLISH else speaker(language)
    every = {path.name: path.read_text(encoding="utf-8") for path in sorted(GUIDES[language].glob("*.md"))}
    for path in sorted((WEBSITE / language).glob("*.md")):
        every[path.name] = path.read_text(encoding="utf-8")
    every["index.md"] = f"{HIDDEN}{every['index.md']}\n{pictures_of_the_window(language)}"
    every["install.md"] = readme_page(language, INSTALL)
    every["tutorial.md"] = readme_page(language, FIRST_MINUTES, pictures_of_the_window(language))
    every["verbs.md"] = "\n".join(verb_lines(say)) + "\n"
    for name in MODULES:
        every[name] = "\n".join(api_lines(say, name)) + "\n"
    if say.missing:
        raise ValueError(f"packaging/reference_{language}.po has no translation of {sorted(say.missing)}")
    return {name: with_titles(text, every) for name, text in every.items()}


def with_titles(text: str, every: Mapping[str, str]) -> str:
    """A page whose links say the titles of pages instead of their names."""

    def link_with_title(link: re.Match[str]) -> str:
        title = every[link["name"]].partition("\n")[0].removeprefix("# ")
        return f"[{title}]({link['page']}"

    return FILE_NAME.sub(link_with_title, text)


def readme_page(language: str, heading: str, below: str = "") -> str:
    """A section of the README as a page.

    Args:
        language: The language of the page.
        heading: The heading of the section in the English README.
        below: What stands between the heading and the text.
    """
    english = guide.sections(READMES["en"])
    first = [section.heading for section in english].index(heading)
    level = english[first].level
    sections = guide.sections(READMES[language])[first:]
    parts = [f"# {sections[0].heading}\n\n{below}{sections[0].text}"]
    for section in sections[1:]:
        if section.level <= level:
            break
        parts.append(f"{'#' * (section.level - level + 1)} {section.heading}\n{section.text}")
    return LINK.sub(link_of_the_site, "".join(parts))


def link_of_the_site(link: re.Match[str]) -> str:
    """A link of the README as one of the site; what leads to no page of it is left as its words."""
    page, hash, anchor = link["target"].partition("#")
    path = Path(page)
    if path.parent in (Path("resources/guide"), Path("resources/guide/zh_CN")):
        return f"[{link['text']}]({path.name}{hash}{anchor})"
    return link["text"]


def pictures_of_the_window(language: str) -> str:
    """The picture of the window that the README shows, in the theme of the page."""
    readme = READMES[language].read_text(encoding="utf-8")
    titles = {Path(image["path"]).name: image["title"] for image in IMAGE.finditer(readme)}
    light, dark = WINDOW
    return (
        f"![{titles[light]}](pictures/window/{light}#only-light)\n"
        f"![{titles[dark]}](pictures/window/{dark}#only-dark)\n\n"
    )


def verb_lines(say: Say) -> Iterator[str]:
    """The page of the verbs of the command line, line by line."""
    yield "# " + say("Verbs of the command line")
    yield ""
    yield say("What `recorder-editor VERB --help` says. Made from the program's own parsers.")
    with texts.speaking(say.language):
        verbs = commands.commands()
    for verb in verbs:
        yield from ("", f"## `{verb.name}`", "", escaped(f"{verb.summary}."), "")
        yield "```text"
        yield from textwrap.wrap(verb.usage, LINE, subsequent_indent="    ", break_on_hyphens=False)
        yield "```"
        for paragraph in verb.text:
            example = EXAMPLE.fullmatch(paragraph)
            words = example["text"] if example else paragraph
            if words.strip():
                yield from ("", escaped(words.strip()))
            if example:
                yield from ("", "```console", example["command"], "```")
        for title, arguments in verb.groups:
            yield from ("", f"{escaped(title[:1].upper() + title[1:])}{say.own.get(':', ':')}", "")
            yield from (argument_line(say, argument) for argument in arguments if "--help" not in argument.names)


def argument_line(say: Say, argument: commands.Argument) -> str:
    """The line of an option or a positional argument."""
    names = [code(name, argument.typed) for name in argument.names] or [code(argument.typed, "")]
    return say("- %1: %2", say.listed(names), escaped(argument.help))


def escaped(text: str) -> str:
    """A text that Markdown shows as it is, but for code between backticks."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return re.sub(r"([\\`*_\[\]<])", r"\\\1", text)
    parts[::2] = [re.sub(r"([\\*_\[\]<])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


def api_lines(say: Say, page: str) -> Iterator[str]:
    """The page of some modules, line by line: their public names, for mkdocstrings."""
    title, modules = MODULES[page]
    yield "# " + say(title)
    yield ""
    yield say("Made from the docstrings, which are English. [python.md](python.md) has recipes.")
    for name in public_names(modules):
        yield from ("", f"::: {name}")


def public_names(modules: tuple[str, ...]) -> list[str]:
    """The full names of what modules offer, those of FIRST before all others, each thing once."""
    names: dict[str, object] = {}
    for module_name in modules:
        module = import_module(module_name)
        for name in sorted(offered(module), key=reading_order):
            value = getattr(module, name)
            if not any(value is other for other in names.values()):
                names[path_of(module, name)] = value
    return list(names)


def path_of(module: ModuleType, name: str) -> str:
    """The path by which mkdocstrings finds a name; of two with one name in a package it takes the module."""
    path = f"{module.__name__}.{name}"
    if hasattr(module, "__path__") and find_spec(path) is not None:
        return f"{getattr(module, name).__module__}.{name}"
    return path


def reading_order(name: str) -> int:
    """The place of a name among those of its module, all but FIRST in the order of the module."""
    return FIRST.index(name) if name in FIRST else len(FIRST)


def offered(module: ModuleType) -> list[str]:
    """The functions, classes and constants that a module offers."""
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    found = []
    for name in names:
        value = getattr(module, name)
        is_own = getattr(value, "__module__", "").partition(".")[0] == "recorder_editor"
        if name.isupper() or (is_own and (inspect.isfunction(value) or inspect.isclass(value))):
            found.append(name)
    return found


def write(folder: Path) -> None:
    """Write the pages of all languages, with their pictures, into a folder of each."""
    for language, source in GUIDES.items():
        target = folder / language
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source / "pictures", target / "pictures")
        shutil.copytree(WEBSITE / "assets", target / "assets")
        shutil.copy(PROJECT / "resources" / "recorder-editor.svg", target / "assets")
        pictures = PROJECT / "resources" / "pictures"
        if language != texts.ENGLISH:
            pictures /= language
        (target / "pictures" / "window").mkdir()
        for name in WINDOW:
            shutil.copy(pictures / name, target / "pictures" / "window")
        for name, text in pages(language).items():
            (target / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(Path(sys.argv[1]))
