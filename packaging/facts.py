"""Facts that several packages state, each from the one place that declares it: pyproject.toml and packaging/linux.

python packaging/facts.py NAME...    prints facts, one a line: version, numbers, summary, publisher, title, id, mime
"""

import re
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

PROJECT = Path(__file__).resolve().parents[1]
LINUX = PROJECT / "packaging" / "linux"
_MIME = {"mime": "http://www.freedesktop.org/standards/shared-mime-info"}


def facts() -> dict[str, str]:
    """The facts by name.

    `numbers` are the three of the version, `title` is that of the program for people, `id` its reversed domain, `mime`
    its file type.
    """
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    numbers = re.match(r"\d+\.\d+\.\d+", project["version"])
    assert numbers is not None
    (metainfo,) = LINUX.glob("*.metainfo.xml")
    software = ElementTree.parse(metainfo)
    return {
        "version": project["version"],
        "numbers": numbers[0],
        "summary": project["description"],
        "publisher": project["authors"][0]["name"],
        "title": software.findtext("name", ""),
        "id": software.findtext("id", ""),
        "mime": _file_type().get("type", ""),
    }


def endings() -> list[str]:
    """The endings of recordings, without the dot."""
    return [glob.get("pattern", "").removeprefix("*.") for glob in _file_type().iterfind("mime:glob", _MIME)]


def _file_type() -> ElementTree.Element:
    found = ElementTree.parse(LINUX / "recorder-editor.xml").find("mime:mime-type", _MIME)
    assert found is not None
    return found


if __name__ == "__main__":
    known = facts()
    print("\n".join(known[name] for name in sys.argv[1:]))
