"""Checks what a release must fulfil, and prints what to tag.

python packaging/release.py            every check; exit code 1 if one finds something
python packaging/release.py NAME...    these checks alone: tree, version, changelog, reference, translations,
                                       benchmarks, packages, trial, documentation, installation, tests, mutants, fuzzing
python packaging/release.py --notes    what the changelog says of this version
python packaging/release.py --address URL
                                       writes where the project is into pyproject.toml, which packages state from then
                                       on: [project.urls], and links and pictures of the page on PyPI (addresses.py)

A check is a function of the project's folder that yields what is wrong, a sentence each.
"""

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from addresses import with_addresses

PROJECT = Path(__file__).resolve().parents[1]
SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
MOST_DAYS = 14
"""Figures may be so much older than the last commit."""
FUZZ_CASES = 1_000_000
BUNDLE = "recorder-editor-{version}-linux-x86_64.tar.xz"
PACKAGES = (
    "recorder_editor-{version}-py3-none-any.whl",
    "recorder_editor-{version}.tar.gz",
    BUNDLE,
    "recorder-editor_{version}_amd64.deb",
)
"""What packaging/build leaves in dist/."""


def main(arguments: Sequence[str] | None = None, project: Path = PROJECT) -> int:
    """Run the checks; returns the exit code."""
    parser = argparse.ArgumentParser(description="Check what a release must fulfil, and print what to tag.")
    parser.add_argument(
        "--notes", action="store_true", help="print what the changelog says of this version, and no more"
    )
    parser.add_argument("--address", metavar="URL", help="write where the project is, as https://github.com/OWNER/NAME")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"a check: {', '.join(CHECKS)}; all without a name")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(CHECKS):
        parser.error(f"there is no check {', '.join(sorted(unknown))}")
    if options.address:
        try:
            write_address(project, options.address)
        except ValueError as error:
            parser.error(str(error))
        return 0
    if options.notes:
        print(entries(project)[1][1])
        return 0
    failed = []
    for name in options.names or CHECKS:
        problems = list(CHECKS[name](project))
        print(f"{name}: {'ok' if not problems else 'NOT READY'}", *problems, sep="\n  ", flush=True)
        if problems:
            failed.append(name)
    if failed:
        print(f"Not ready for a release: {', '.join(failed)}.")
        return 1
    if not options.names:
        print_tag(version_of(project))
    return 0


def write_address(project: Path, address: str) -> None:
    """Write where the project is into pyproject.toml. Raises ValueError: It is no address of a project."""
    path = project / "pyproject.toml"
    text = with_addresses(path.read_text(encoding="utf-8"), address)
    path.write_text(text, encoding="utf-8", newline="\n")


def print_tag(version: str) -> None:
    """Say what is left to be done by hand."""
    print(f"\nEverything is ready for {version}. To release it:\n")
    print(f"  git tag --annotate v{version} --message 'Recorder Editor {version}'")
    print(f"  git push origin v{version}\n")
    print("Then .github/workflows/packages.yml, which was never run, makes every package and drafts the release.")
    major, minor, _ = version.split(".")
    print(f"After that, give the project the version {major}.{int(minor) + 1}.0.dev0, so that reports tell them apart.")


# --- the checks -----------------------------------------------------------------------------------------


def tree(project: Path) -> Iterator[str]:
    """Everything is committed, and the version has no tag yet."""
    changed = git(project, "status", "--porcelain").splitlines()
    yield from (f"Not committed: {line[3:]}" for line in changed)
    tag = f"v{version_of(project)}"
    if git(project, "tag", "--list", tag):
        yield f"The tag {tag} is there already; give the project another version."


def version(project: Path) -> Iterator[str]:
    """Package, changelog and the names of packages in the READMEs have the version of pyproject.toml, a release's."""
    declared = version_of(project)
    package = (project / "recorder_editor" / "__init__.py").read_text(encoding="utf-8")
    if f'\n__version__ = "{declared}"\n' not in package:
        yield f"recorder_editor/__init__.py does not have the version {declared} of pyproject.toml."
    if re.fullmatch(r"\d+\.\d+\.\d+", declared) is None:
        yield f"{declared} is not the version of a release, which is made of three numbers."
    if f"[{declared}]" not in [title.partition(" ")[0] for title, _ in entries(project)[1:2]]:
        yield f"The newest version of CHANGELOG.md is not {declared}."
    for readme in sorted(project.glob("README*.md")):
        text = readme.read_text(encoding="utf-8")
        for named in set(re.findall(r"recorder-editor[_-](\d+\.\d+\.\d+)", text)) - {declared}:
            yield f"{readme.name} names packages of {named}."


def changelog(project: Path) -> Iterator[str]:
    """Nothing is left under Unreleased, versions fall and have dates, and sections have the usual names."""
    found = entries(project)
    if not found or found[0][0] != "[Unreleased]":
        yield "CHANGELOG.md does not begin with [Unreleased]."
        return
    if found[0][1]:
        yield "CHANGELOG.md has entries under [Unreleased]; move them to the version."
    numbers = []
    for title, text in found[1:]:
        match = re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d", title)
        if match is None:
            yield f"CHANGELOG.md: “{title}” is not a version in brackets and a date."
        else:
            numbers.append(tuple(map(int, match.groups())))
        for section in re.findall(r"^### (.*)", text, re.MULTILINE):
            if section not in SECTIONS:
                yield f"CHANGELOG.md: “{section}” in {title} is none of {', '.join(sorted(SECTIONS))}."
    if any(newer <= older for newer, older in pairwise(numbers)):
        yield "CHANGELOG.md: versions are not in falling order."


def reference(project: Path) -> Iterator[str]:
    """The reference pages of the guide are those that the program's tables make."""
    if run(project, sys.executable, project / "packaging" / "reference.py", "--check"):
        yield "Pages of the guide are not current: run packaging/reference.py."


def translations(project: Path) -> Iterator[str]:
    """Every translation has all texts of the window and of the tables, and no others."""
    if run(project, sys.executable, project / "packaging" / "translations.py", "--check"):
        yield "Translations are not whole: run packaging/translations.py."


def benchmarks(project: Path) -> Iterator[str]:
    """The figures are recent, and those of the README are those of the page."""
    today = commit_time(project)
    tables = {}
    for name in ("tests/bench/README.md", "README.md"):
        text = (project / name).read_text(encoding="utf-8")
        tables[name] = text.partition("<!-- benchmarks: begin -->")[2].partition("<!-- benchmarks: end -->")[0]
        days = re.findall(r"\b\d{4}-\d\d-\d\d\b", tables[name])
        if not days:
            yield f"{name}: the figures have no date."
        elif (today - datetime.fromisoformat(min(days)).replace(tzinfo=UTC)).days > MOST_DAYS:
            yield f"{name}: figures of {min(days)} are too old: run packaging/benchmarks.py --write."
    every, headlines = ({cells(line) for line in table.splitlines() if "|" in line} for table in tables.values())
    yield from (f"README.md: not as in tests/bench/README.md: {row[0]}" for row in sorted(headlines - every))


def cells(line: str) -> tuple[str, ...]:
    """The first three cells of a row, which both tables have."""
    return tuple(cell.strip(" -:") for cell in line.split("|")[1:4])


def packages(project: Path) -> Iterator[str]:
    """The packages for Linux are there, and of the last commit."""
    made = int(commit_time(project).timestamp())
    for form in PACKAGES:
        path = project / "dist" / form.format(version=version_of(project))
        if not path.exists():
            yield f"dist/{path.name} is missing: run packaging/build."
        elif abs(newest_content(path) - made) > 1:  # zip files count in steps of two seconds
            yield f"dist/{path.name} is not of the last commit: run packaging/build."


def newest_content(path: Path) -> int:
    """The time of the newest file in a package, in seconds of the epoch; that of the commit it was built from."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return max(int(datetime(*each.date_time, tzinfo=UTC).timestamp()) for each in wheel.infolist())
    if path.suffix == ".deb":
        with path.open("rb") as package:
            return int(package.read(36)[24:])  # of the first member, behind the 8 bytes of the archive and its name
    with tarfile.open(path) as archive:
        return max(int(each.mtime) for each in archive)


def trial(project: Path) -> Iterator[str]:
    """The program in the bundle runs, with every verb."""
    path = project / "dist" / BUNDLE.format(version=version_of(project))
    if not path.exists():
        yield f"dist/{path.name} is missing: run packaging/build."
        return
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(path) as archive:
            # The parameter `filter` is there from Python 3.11.4 on.
            archive.extraction_filter = getattr(tarfile, "tar_filter", lambda member, _folder: member)
            archive.extractall(folder)
        (program,) = Path(folder).glob("*/recorder-editor")
        if run(project, sys.executable, project / "packaging" / "trial.py", program):
            yield f"dist/{path.name}: its program does not do what it should (packaging/trial.py, above)."


def documentation(project: Path) -> Iterator[str]:
    """The documentation site is built without a warning, in every language."""
    with tempfile.TemporaryDirectory() as folder:
        if run(project, project / "packaging" / "docs", Path(folder) / "site"):
            yield "packaging/docs fails."


def installation(project: Path) -> Iterator[str]:
    """The packages can be installed and used, on a bare system, too, and building them again gives the same bytes."""
    if run(project, project / "packaging" / "build", "check"):
        yield "packaging/build check fails."


def tests(project: Path) -> Iterator[str]:
    """The whole suite passes, also what takes long."""
    if run(project, project / "packaging" / "test", "--long"):
        yield "packaging/test --long fails."


def mutants(project: Path) -> Iterator[str]:
    """The tests find every mistake that is planted."""
    with tempfile.TemporaryDirectory() as folder:
        if run(project, sys.executable, "-m", "tests.mutants", Path(folder) / "found.json"):
            yield "The tests do not find every mutant."


def fuzzing(project: Path) -> Iterator[str]:
    """A million damaged inputs break nothing."""
    if run(project, sys.executable, project / "tests" / "fuzz" / "run.py", "--cases", str(FUZZ_CASES)):
        yield "Fuzzing breaks something."


CHECKS: dict[str, Callable[[Path], Iterator[str]]] = {
    check.__name__: check
    for check in (
        tree,
        version,
        changelog,
        reference,
        translations,
        benchmarks,
        packages,
        trial,
        documentation,
        installation,
        tests,
        mutants,
        fuzzing,
    )
}
"""In this order: what takes hours comes last."""


# --- what they look at ----------------------------------------------------------------------------------


def version_of(project: Path) -> str:
    """The version that pyproject.toml declares."""
    return str(tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def entries(project: Path) -> list[tuple[str, str]]:
    """The titles and texts of the versions in the changelog, the newest first."""
    parts = re.split(r"^## (.*)\n", (project / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [(title.strip(), text.strip()) for title, text in zip(parts[1::2], parts[2::2], strict=True)]


def commit_time(project: Path) -> datetime:
    """When the last commit was made."""
    return datetime.fromtimestamp(int(git(project, "log", "-1", "--format=%ct")), UTC)


def git(project: Path, *arguments: str) -> str:
    """What git says, without a line break at the end."""
    done = subprocess.run(["git", *arguments], cwd=project, check=True, capture_output=True, text=True)
    return done.stdout.rstrip("\n")


def run(project: Path, *command: str | Path) -> int:
    """Run a program in the folder of the project; returns its exit code."""
    return subprocess.run([str(word) for word in command], cwd=project, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
