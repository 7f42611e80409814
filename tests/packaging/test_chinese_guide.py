"""The Chinese guide and README say what the English ones do: section by section, with the same code, tables and links.

What they say in between is for people to judge; that somebody looked again after a change is what the digests tell.
"""

import copy
import gettext
import importlib.util
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recorder_editor import texts

PROJECT = Path(__file__).resolve().parents[2]
GUIDE = PROJECT / "resources" / "guide"
PICTURES = PROJECT / "resources" / "pictures"
SPEC = importlib.util.spec_from_file_location("guide", PROJECT / "packaging" / "guide.py")
assert SPEC is not None
assert SPEC.loader is not None
guide = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(guide)

WEBSITE = PROJECT / "packaging" / "website"
MADE_FOR_THE_SITE = ("install.md", "tutorial.md", "verbs.md", "api.md")
EVERY = {path.name: (path, guide.CHINESE / path.name) for path in sorted(GUIDE.glob("*.md"))} | guide.PAGES
WRITTEN = pytest.mark.parametrize("name", guide.PAGES)
ALL = pytest.mark.parametrize("name", EVERY)
HAN = "[\u3007\u4e00-\u9fff]"
CODE = re.compile(r"^(?: {4}.*\n)+|^```\w*\n(?:.*\n)*?```$", re.MULTILINE)
COMMENT = re.compile(r"  # .*")
SPAN = re.compile(r"`[^`]+`")
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


def pairs(name: str) -> Iterator[tuple[str, str, str]]:
    """The English heading of each section of a page, and its text in both languages."""
    english, chinese = (guide.sections(path) for path in EVERY[name])
    for theirs, own in zip(english, chinese, strict=True):
        yield theirs.heading, guide.MADE.sub("", theirs.text), guide.MADE.sub("", own.text)


class Absent(gettext.NullTranslations):
    """Says nothing, of texts that the catalogue lacks."""

    def gettext(self, message: str) -> str:
        del message
        return ""


@pytest.fixture(scope="module")
def translate() -> Callable[[str], str]:
    """The Chinese texts of the program."""
    found = copy.copy(texts.catalogue("zh_CN"))
    assert isinstance(found, gettext.GNUTranslations)
    found.add_fallback(Absent())
    return found.gettext


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def anchors(path: Path) -> list[str]:
    return [anchor(each.heading) for each in guide.sections(path)]


def tables(text: str) -> list[tuple[int, int]]:
    """Rows and columns of each table."""
    found = []
    for table in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        rows = table.strip().split("\n")
        found.append((len(rows), len(re.findall(r"(?<!\\)\|", rows[0]))))
    return found


def spans(text: str) -> set[str]:
    """The code within lines."""
    return {" ".join(each.split()) for each in SPAN.findall(CODE.sub("", text))}


def linked(page: Path, target: str) -> Path:
    """What a link leads to; pages of the documentation site stand beside those of the guide when it is built."""
    path = (page.parent / target).resolve() if target else page
    if path.is_relative_to(WEBSITE) and not path.exists():
        return guide.ENGLISH / target if page.parent.name == "en" else guide.CHINESE / target
    return path


def prose(text: str) -> str:
    """A text without what is the same in both languages: code, addresses, comments, the pipes of tables."""
    text = re.sub(r"<!--.*?-->", "", CODE.sub("", text), flags=re.DOTALL)
    return re.sub(r"(?<=\])\([^)]*\)", "", SPAN.sub("`x`", text))


@ALL
def test_every_page_has_the_same_headings(name: str) -> None:
    english, chinese = ([each.level for each in guide.sections(path)] for path in EVERY[name])
    assert english == chinese


@WRITTEN
def test_no_section_changed_after_it_was_translated(name: str) -> None:
    assert guide.changed(name) == [], f"translate them, then run packaging/guide.py --translated {name}"


def test_a_change_of_an_english_section_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    english, chinese = tmp_path / "english.md", tmp_path / "chinese.md"
    english.write_text("# Page\n\nOne word.\n\n## Part\n\nAnother\nword.\n", encoding="utf-8")
    chinese.write_text("# 页\n\n一个词。\n\n## 部分\n\n另一个词。\n", encoding="utf-8")
    monkeypatch.setitem(guide.PAGES, "page.md", (english, chinese))
    assert guide.changed("page.md") == ["Page", "Part"]
    guide.note("page.md")
    assert guide.changed("page.md") == []
    english.write_text("# Page\n\nOne\nword.\n\n## Part\n\nAnother word, changed.\n", encoding="utf-8")
    assert guide.changed("page.md") == ["Part"]
    guide.note("page.md")
    assert guide.changed("page.md") == []


@WRITTEN
def test_sections_have_the_same_code(name: str) -> None:
    """Comments in it are translated."""
    for heading, english, chinese in pairs(name):
        codes = [[COMMENT.sub("", code) for code in CODE.findall(text)] for text in (english, chinese)]
        assert codes[0] == codes[1], heading
        assert spans(english) == spans(chinese), heading


@ALL
def test_sections_have_tables_of_the_same_size(name: str) -> None:
    for heading, english, chinese in pairs(name):
        assert tables(english) == tables(chinese), heading


@WRITTEN
def test_sections_have_lists_of_the_same_length(name: str) -> None:
    for heading, english, chinese in pairs(name):
        items = [len(re.findall(r"^(?:- |\d\. )", text, re.MULTILINE)) for text in (english, chinese)]
        assert items[0] == items[1], heading


@ALL
def test_links_lead_to_the_same_places(name: str) -> None:
    """Those into the guide to its Chinese page, and there to the heading at the same place."""
    english_page, chinese_page = EVERY[name]
    for heading, english, chinese in pairs(name):
        expected = set()
        for target, place in LINK.findall(english):
            page = linked(english_page, target)
            own = dict(EVERY.values()).get(page, page)
            if page.parent == PICTURES:
                own = PICTURES / "zh_CN" / page.name
            if page.parent == GUIDE / "pictures":
                own = guide.CHINESE / "pictures" / page.name
            if page.name in MADE_FOR_THE_SITE:
                own = guide.CHINESE / page.name
            if place and own != page:
                place = anchors(own)[anchors(page).index(place)]
            expected.add((own, place))
        found = set()
        for target, place in LINK.findall(chinese):
            page = linked(chinese_page, target)
            assert page.exists() or page.name in MADE_FOR_THE_SITE, (heading, target)
            assert not place or place in anchors(page), (heading, place)
            found.add((page, place))
        if name == "README.md" and heading in ("Recorder Editor", "How fast it is"):
            continue  # they lead to each other
        assert found == expected, heading


@WRITTEN
def test_entries_of_the_window_have_its_names(name: str, translate: Callable[[str], str]) -> None:
    """*Names in italics* in the English page are texts of the window, and **bold** in the Chinese one, in its words, as
    are **bold** ones that the window has.
    """
    for heading, english, chinese in pairs(name):
        bold = set(re.findall(r"\*\*([^*]+)\*\*", chinese))
        for stars, entry in re.findall(r"(?<!\*)(\*\*?)([^*\s][^*]*)\1(?!\*)", SPAN.sub("", CODE.sub("", english))):
            parts = " ".join(entry.split()).split(" > ")
            said = [translate(part) or translate(f"{part}...") for part in parts]
            if len(stars) == 2 and ("" in said or said == parts or not entry[0].isupper()):
                continue
            assert "" not in said, (heading, entry)
            shown = " > ".join(re.sub(r"\(&.\)|\.\.\.$", "", part) for part in said)
            assert shown in bold, (heading, entry, shown)


@ALL
def test_text_is_set_as_chinese_is(name: str) -> None:
    """Full-width punctuation beside Chinese, and a space between Chinese and Latin letters or digits."""
    for number, line in enumerate(prose(EVERY[name][1].read_text(encoding="utf-8")).split("\n")):
        text = line.replace("**", "")
        for wrong in (
            f"{HAN}[A-Za-z0-9`]",
            f"[A-Za-z0-9`%]{HAN}",
            f"{HAN} {HAN}",
            f"{HAN} ?[,;!?]",
            f"{HAN}[.:](?!\\w)",
            "(?<!\\|) [，。；：、（）“”]",
            "[，。；：、（）“”] (?!\\|)",
        ):
            found = re.search(wrong, text)
            assert found is None, f"line {number}: {text[max(found.start() - 20, 0) : found.end() + 20]}"
