"""The addresses that packages state of the project; as long as it has none, they state none.

python packaging/addresses.py FOLDER    makes the links of README.md there absolute, since PyPI shows that page alone

`packaging/release --address URL` writes `[project.urls]` of pyproject.toml, from which all others follow. Pages and
pictures are found as GitHub and GitLab have them: URL/blob/TAG/PATH and URL/raw/TAG/PATH.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
PICTURES = (".png", ".svg")
_LINK = re.compile(r"(\]\()(?!https?:|#|mailto:)([^)\s]+)(\))")
_TABLE = re.compile(r"\[project\.urls\]\n(?:[^\[\n][^\n]*\n)*\n?")


def homepage(project: Path = PROJECT) -> str:
    """Return the address of the project without a slash at the end; empty as long as it is not known."""
    urls = _project(project).get("urls", {})
    return str(urls.get("Homepage", "")).rstrip("/")


def picture_folder(project: Path = PROJECT) -> str:
    """Return the address below which the files of this version are as they are; empty as long as it is not known."""
    address = homepage(project)
    if not address:
        return ""
    return f"{address}/raw/v{_project(project)['version']}"


def with_addresses(text: str, address: str) -> str:
    """Return pyproject.toml with the table of addresses of a project.

    Args:
        text: The file; a table that it has is replaced.
        address: Where the project is, as https://github.com/OWNER/NAME.

    Raises:
        ValueError: It is no such address.
    """
    if re.fullmatch(r"https://[\w.-]+(/[\w.~-]+)+/?", address) is None:
        raise ValueError(f"{address} is not the address of a project, as https://github.com/OWNER/NAME is.")
    address = address.rstrip("/")
    table = (
        "[project.urls]\n"
        f'Homepage = "{address}"\n'
        f'Issues = "{address}/issues"\n'
        f'Changelog = "{address}/blob/main/CHANGELOG.md"\n\n'
    )
    text = _TABLE.sub("", text)
    return text.replace("[project.optional-dependencies]", f"{table}[project.optional-dependencies]", 1)


def with_absolute_links(text: str, project: Path = PROJECT) -> str:
    """Return a page of the project's folder whose links lead there from anywhere; as it is without an address."""
    address = homepage(project)
    if not address:
        return text
    tag = f"v{_project(project)['version']}"

    def absolute(link: re.Match[str]) -> str:
        path = link[2].partition("#")[0]
        kind = "raw" if path.endswith(PICTURES) else "blob"
        return f"{link[1]}{address}/{kind}/{tag}/{link[2]}{link[3]}"

    return _LINK.sub(absolute, text)


def _project(folder: Path) -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def main(folder: Path) -> None:
    """Write the page with its links."""
    page = folder / "README.md"
    page.write_text(with_absolute_links(page.read_text(encoding="utf-8"), folder), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
