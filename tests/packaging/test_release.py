"""What packaging/release checks, each check on a small project that fulfils it and on one that does not."""

import importlib.util
import os
import subprocess
import tarfile
import tomllib
import zipfile
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parents[2]
COMMITTED = 1_700_000_000  # 2023-11-14
FIGURES = "<!-- benchmarks: begin -->\n| what | this | beside |{more}\n| Open | 1 ms | |{more}\n\n{day}. Medians.\n"
FILES = {
    ".gitignore": "/dist/\n",
    "pyproject.toml": '[project]\nname = "recorder-editor"\nversion = "1.2.3"\n',
    "recorder_editor/__init__.py": '"""Stands in."""\n\n__version__ = "1.2.3"\n',
    "CHANGELOG.md": "## [Unreleased]\n\n## [1.2.3] - 2023-11-14\n\n### Added\n\n- One.\n\n## [1.2.2] - 2023-11-01\n",
    "README.md": FIGURES.format(more="", day="2023-11-10") + "<!-- benchmarks: end -->\n",
    "README.zh-CN.md": "recorder-editor_1.2.3_amd64.deb\n",
    "tests/bench/README.md": FIGURES.format(more=" ratio |", day="2023-11-10") + "<!-- benchmarks: end -->\n",
    "packaging/reference.py": "",
    "packaging/translations.py": "",
    "packaging/build": "#!/bin/sh\n",
    "packaging/docs": "#!/bin/sh\n",
    "packaging/test": "#!/bin/sh\n",
    "packaging/trial.py": "import subprocess, sys\n\nsys.exit(subprocess.run(sys.argv[1:]).returncode)\n",
    "tests/__init__.py": "",
    "tests/fuzz/run.py": "",
    "tests/mutants/__init__.py": "",
    "tests/mutants/__main__.py": "",
}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="packaging/test is a shell script")


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return script("release", monkeypatch)


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return script("addresses", monkeypatch)


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A script of packaging/, which finds the others as it does when it is run."""
    monkeypatch.syspath_prepend(str(PROJECT / "packaging"))
    spec = importlib.util.spec_from_file_location(name, PROJECT / "packaging" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path, release: ModuleType) -> Path:
    """A project that is ready for a release."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in ("build", "docs", "test"):
        (tmp_path / "packaging" / name).chmod(0o755)
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    (tmp_path / "dist").mkdir()
    for form in release.PACKAGES:
        build(tmp_path / "dist" / form.format(version="1.2.3"), COMMITTED)
    return tmp_path


def git(project: Path, *arguments: str) -> None:
    day = f"{COMMITTED} +0000"
    environment = {**os.environ, "GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=project, env=environment, check=True)


def commit(project: Path) -> None:
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "one")


def build(path: Path, time: int, program: bytes = b"#!/bin/sh\n") -> None:
    """Write a package with one file of that time, which is the program where it has one."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path, "w") as wheel:
            wheel.writestr(zipfile.ZipInfo("file", datetime.fromtimestamp(time, UTC).timetuple()[:6]), "")
    elif path.suffix == ".deb":
        path.write_bytes(
            b"!<arch>\n" + b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (b"debian-binary", time, 0, 0, b"100644", 4) + b"2.0\n"
        )
    else:
        with tarfile.open(path, f"w:{path.suffix[1:]}") as archive:
            entry = tarfile.TarInfo("folder/recorder-editor")
            entry.mtime = time
            entry.mode = 0o755
            entry.size = len(program)
            archive.addfile(entry, BytesIO(program))


def replace(project: Path, name: str, old: str, new: str) -> None:
    text = (project / name).read_text(encoding="utf-8")
    assert old in text
    (project / name).write_text(text.replace(old, new), encoding="utf-8")


def test_a_project_that_is_ready_is_told_what_to_tag(
    release: ModuleType, project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert release.main([], project) == 0
    told = capfd.readouterr().out
    assert [line for line in told.splitlines() if line.endswith(": ok")] == [f"{name}: ok" for name in release.CHECKS]
    assert "\n  git tag --annotate v1.2.3 --message 'Recorder Editor 1.2.3'\n  git push origin v1.2.3\n" in told


def test_nothing_is_tagged_after_some_of_the_checks(
    release: ModuleType, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release.main(["version", "tree"], project) == 0
    assert capsys.readouterr().out == "version: ok\ntree: ok\n"


def test_what_is_wrong_is_said_under_its_check_and_nothing_is_tagged(
    release: ModuleType, project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "new file").touch()
    assert release.main([], project) == 1
    told = capfd.readouterr().out
    assert "tree: NOT READY\n  Not committed: " in told
    assert told.endswith("fuzzing: ok\nNot ready for a release: tree.\n")
    assert "git tag" not in told


def test_the_notes_are_what_the_changelog_says_of_this_version(
    release: ModuleType, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release.main(["--notes"], project) == 0
    assert capsys.readouterr().out == "### Added\n\n- One.\n"


@pytest.mark.parametrize(
    ("check", "name", "old", "new", "problem"),
    [
        ("tree", "README.md", "Open", "Close", "Not committed: README.md"),
        ("version", "pyproject.toml", "1.2.3", "1.2.4", "does not have the version 1.2.4"),
        ("version", "CHANGELOG.md", "[1.2.3]", "[1.2.4]", "newest version of CHANGELOG.md is not 1.2.3"),
        ("version", "pyproject.toml", "1.2.3", "1.2.3rc1", "which is made of three numbers"),
        (
            "version",
            "README.md",
            "| Open",
            "recorder-editor_1.2.2_amd64.deb\n| Open",
            "README.md names packages of 1.2.2",
        ),
        ("version", "README.zh-CN.md", "1.2.3", "1.2.1", "README.zh-CN.md names packages of 1.2.1"),
        ("changelog", "CHANGELOG.md", "## [1.2.3]", "- More.\n\n## [1.2.3]", "entries under [Unreleased]"),
        ("changelog", "CHANGELOG.md", "## [Unreleased]\n", "", "does not begin with [Unreleased]"),
        ("changelog", "CHANGELOG.md", "] - 2023-11-14", "]", "is not a version in brackets and a date"),
        ("changelog", "CHANGELOG.md", "### Added", "### News", "“News” in [1.2.3] - 2023-11-14 is none of"),
        ("changelog", "CHANGELOG.md", "[1.2.2]", "[1.3.0]", "not in falling order"),
        ("reference", "packaging/reference.py", "", "raise SystemExit(1)", "run packaging/reference.py"),
        ("translations", "packaging/translations.py", "", "raise SystemExit(1)", "run packaging/translations.py"),
        ("benchmarks", "README.md", "1 ms", "2 ms", "README.md: not as in tests/bench/README.md: Open"),
        ("benchmarks", "README.md", "11-10", "10-10", "README.md: figures of 2023-10-10 are too old"),
        ("benchmarks", "tests/bench/README.md", "2023-11-10", "", "tests/bench/README.md: the figures have no date"),
        ("documentation", "packaging/docs", "#!/bin/sh\n", "#!/bin/sh\nexit 1\n", "packaging/docs fails"),
        ("installation", "packaging/build", "#!/bin/sh\n", '#!/bin/sh\n[ "$1" != check ]\n', "build check fails"),
        ("tests", "packaging/test", "#!/bin/sh\n", '#!/bin/sh\n[ "$1" != --long ]\n', "packaging/test --long fails"),
        ("mutants", "tests/mutants/__main__.py", "", "raise SystemExit(1)", "do not find every mutant"),
        ("fuzzing", "tests/fuzz/run.py", "", "import sys; sys.exit('1000000' in sys.argv)", "Fuzzing breaks something"),
    ],
)
def test_each_check_finds_what_is_not_ready(
    release: ModuleType, project: Path, check: str, name: str, old: str, new: str, problem: str
) -> None:
    assert list(release.CHECKS[check](project)) == []
    replace(project, name, old, new)
    assert problem in "\n".join(release.CHECKS[check](project))


def test_a_version_that_has_its_tag_is_not_released_again(release: ModuleType, project: Path) -> None:
    git(project, "tag", "v1.2.3")
    assert list(release.tree(project)) == ["The tag v1.2.3 is there already; give the project another version."]


def test_packages_are_there_and_of_the_last_commit(release: ModuleType, project: Path) -> None:
    for path in (project / "dist").iterdir():
        build(path, COMMITTED - 60)
        assert list(release.packages(project)) == [f"dist/{path.name} is not of the last commit: run packaging/build."]
        path.unlink()
        assert list(release.packages(project)) == [f"dist/{path.name} is missing: run packaging/build."]
        build(path, COMMITTED)


def test_this_project_has_one_version_and_a_changelog_in_form(release: ModuleType) -> None:
    declared = release.version_of(PROJECT)
    problems = set(release.version(PROJECT))
    if declared.endswith(".dev0"):  # between releases
        newest = release.entries(PROJECT)[1][0].partition("]")[0].removeprefix("[")
        assert tuple(map(int, newest.split("."))) < tuple(map(int, declared.removesuffix(".dev0").split(".")))
        problems -= {
            f"{declared} is not the version of a release, which is made of three numbers.",
            f"The newest version of CHANGELOG.md is not {declared}.",
        }
    assert problems == set()
    assert [line for line in release.changelog(PROJECT) if "[Unreleased]" not in line] == []


# --- addresses ------------------------------------------------------------------------------------------

PAGE = (
    "![Window](resources/pictures/a.png) [guide](resources/guide/guide.md#terms) [CARLA](https://carla.org) [up](#top)"
)
ADDRESS = "https://github.com/someone/recorder-editor"


def test_without_an_address_the_project_states_none_and_its_page_stays_as_it_is(
    addresses: ModuleType, project: Path
) -> None:
    assert addresses.with_absolute_links(PAGE, project) == PAGE
    assert (addresses.homepage(project), addresses.picture_folder(project)) == ("", "")
    assert "urls" not in tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_an_address_is_written_once_and_the_page_on_pypi_shows_its_pictures(
    release: ModuleType, addresses: ModuleType, project: Path
) -> None:
    pyproject = project / "pyproject.toml"
    pyproject.write_text(
        (PROJECT / "pyproject.toml").read_text(encoding="utf-8").replace(release.version_of(PROJECT), "1.2.3", 1),
        encoding="utf-8",
    )
    before = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    assert release.main(["--address", "https://github.com/before/recorder-editor"], project) == 0
    assert release.main(["--address", f"{ADDRESS}/"], project) == 0
    after = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    urls = after["project"].pop("urls")
    assert after == before
    assert (urls["Homepage"], urls["Issues"]) == (ADDRESS, f"{ADDRESS}/issues")
    (project / "README.md").write_text(PAGE, encoding="utf-8")
    addresses.main(project)
    assert (project / "README.md").read_text(encoding="utf-8") == (
        f"![Window]({ADDRESS}/raw/v1.2.3/resources/pictures/a.png) "
        f"[guide]({ADDRESS}/blob/v1.2.3/resources/guide/guide.md#terms) [CARLA](https://carla.org) [up](#top)"
    )
    assert addresses.picture_folder(project) == f"{ADDRESS}/raw/v1.2.3"


@pytest.mark.parametrize("address", ["github.com/a/b", "http://github.com/a/b", "https://github.com", 'https://a.b/"'])
def test_what_is_no_address_of_a_project_is_refused(
    release: ModuleType, project: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (project / "pyproject.toml").read_bytes()
    with pytest.raises(SystemExit):
        release.main(["--address", address], project)
    assert "is not the address of a project" in capsys.readouterr().err
    assert (project / "pyproject.toml").read_bytes() == before


def test_unknown_checks_are_refused(release: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        release.main(["everything"])
    assert "there is no check everything" in capsys.readouterr().err


def test_a_bundle_whose_program_does_not_run_is_not_released(
    release: ModuleType, project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bundle = project / "dist" / release.BUNDLE.format(version="1.2.3")
    build(bundle, COMMITTED, b"#!/bin/sh\necho broken >&2\nexit 1\n")
    assert release.main(["trial"], project) == 1
    told = capfd.readouterr()
    assert f"dist/{bundle.name}: its program does not do what it should" in told.out
    assert "broken" in told.err
    bundle.unlink()
    assert list(release.trial(project)) == [f"dist/{bundle.name} is missing: run packaging/build."]
