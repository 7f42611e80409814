"""Tells which sections of the guide changed in English after they were translated.

python packaging/guide.py                     prints them
python packaging/guide.py --translated PAGE   says that the Chinese PAGE (`guide.md`) is that of the English one now

Each heading of a page in `resources/guide/zh_CN` or `packaging/website/zh_CN`, and of `README.zh-CN.md`, is followed
by a comment with a digest of the English section. The pages that `reference.py` writes have none: they are made of
tables in both languages.
"""

import hashlib
import re
import sys
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[1]
ENGLISH = PROJECT / "resources" / "guide"
CHINESE = ENGLISH / "zh_CN"
WRITTEN = (
    "guide",
    "command-line",
    "editing",
    "repair",
    "signals",
    "events",
    "analysis",
    "export",
    "recipes",
    "objects",
    "own-packets",
    "python",
    "extending",
)
"""The pages that people write; the others are made by `reference.py`."""

WEBSITE = PROJECT / "packaging" / "website"
OF_THE_SITE = ("index", "format", "replay", "saving")
"""The pages that only the documentation site has."""

PAGES = {f"{name}.md": (ENGLISH / f"{name}.md", CHINESE / f"{name}.md") for name in WRITTEN}
"""English and Chinese page."""
PAGES["README.md"] = (PROJECT / "README.md", PROJECT / "README.zh-CN.md")
for name in OF_THE_SITE:
    PAGES[f"{name}.md"] = (WEBSITE / "en" / f"{name}.md", WEBSITE / "zh_CN" / f"{name}.md")

HEADING = re.compile(r"^(#+) (.+)\n(?:<!-- (\w+) -->\n)?", re.MULTILINE)
MADE = re.compile(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", re.DOTALL)
"""A table that a program writes: in the README, where only the English one has it, and in pages of the guide."""


class Section(NamedTuple):
    """A part of a page: `level` and text of its heading, the digest `noted` below it, the `text` up to the next one."""

    level: int
    heading: str
    noted: str
    text: str

    @property
    def digest(self) -> str:
        """Of the words, whatever the lines they stand in."""
        words = " ".join([self.heading, *MADE.sub("", self.text).split()])
        return hashlib.sha256(words.encode()).hexdigest()[:12]


def sections(path: Path) -> list[Section]:
    """The sections of a page, from the top."""
    text = path.read_text(encoding="utf-8")
    found = [each for each in HEADING.finditer(text) if not in_code(text, each.start())]
    ends = [*(each.start() for each in found[1:]), len(text)]
    return [
        Section(len(each[1]), each[2], each[3] or "", text[each.end() : end])
        for each, end in zip(found, ends, strict=True)
    ]


def in_code(text: str, at: int) -> bool:
    """Whether a place is between fences of code."""
    return text.count("\n```", 0, at) % 2 == 1


def changed(name: str) -> list[str]:
    """The English headings of a page whose sections are not those that were translated."""
    english, chinese = (sections(path) for path in PAGES[name])
    noted = {each.noted for each in chinese}
    return [each.heading for each in english if each.digest not in noted]


def note(name: str) -> None:
    """Write the digests of the English sections below the Chinese headings, in their order."""
    english, chinese = PAGES[name]
    digests = iter([each.digest for each in sections(english)])
    text = chinese.read_text(encoding="utf-8")

    def with_digest(found: re.Match[str]) -> str:
        return found[0] if in_code(text, found.start()) else f"{found[1]} {found[2]}\n<!-- {next(digests)} -->\n"

    chinese.write_text(HEADING.sub(with_digest, text), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--translated"]:
        if len(sys.argv) != 3 or sys.argv[2] not in PAGES:
            sys.exit(f"--translated takes one of {', '.join(PAGES)}.")
        note(sys.argv[2])
    found = [f"{name}: {heading}" for name in PAGES for heading in changed(name)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)
