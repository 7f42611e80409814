"""What packages for Linux hold beside the program. The packages themselves are tried by `packaging/build check`."""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from packaging.requirements import Requirement
from PySide6.QtGui import QImage

from recorder_editor import cli, resources
from recorder_editor.cli.window_parsers import open_parser, screenshot_parser
from recorder_editor.texts import LANGUAGES

PROJECT = Path(__file__).resolve().parents[2]
LINUX = PROJECT / "packaging" / "linux"
VERBS = ("open", "screenshot", *cli.VERBS)


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What stands below /usr/share."""
    return written(tmp_path_factory.mktemp("share") / "one")


def written(folder: Path) -> Path:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1800000000"}
    subprocess.run([sys.executable, LINUX / "share.py", folder], check=True, env=environment, stderr=subprocess.PIPE)
    return folder


def output_of(*command: str | Path) -> str:
    """The output of another program; skips where that is not installed."""
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def options() -> set[tuple[str, str]]:
    """Each verb with each of its options."""
    helps = {"open": open_parser().format_help(), "screenshot": screenshot_parser().format_help()}
    for verb in cli.VERBS:
        helps[verb] = cli.verb_parser(verb).format_help()
    return {
        (verb, found) for verb, text in helps.items() for found in re.findall(r"^ +(--[a-z0-9-]+)", text, re.MULTILINE)
    }


def test_the_same_commit_gives_the_same_files(share: Path, tmp_path: Path) -> None:
    again = written(tmp_path / "two")
    files = sorted(path.relative_to(share) for path in share.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    assert all((share / name).read_bytes() == (again / name).read_bytes() for name in files)


def test_the_manual_page_has_every_option_of_every_verb(share: Path) -> None:
    page = gzip.decompress((share / "man/man1/recorder-editor.1.gz").read_bytes()).decode().replace("\\-", "-")
    sections = dict(re.findall(r'^\.SS "([a-z0-9-]+)"\n(.*?)(?=^\.S[SH] )', page, re.MULTILINE | re.DOTALL))
    assert tuple(sections) == VERBS
    missing = {(verb, option) for verb, option in options() if not re.search(rf'\.B ".*{option}\b', sections[verb])}
    assert missing == set()


def test_the_manual_page_is_sound(share: Path) -> None:
    page = share / "man/man1/recorder-editor.1.gz"
    if shutil.which("man") is None:
        pytest.skip("man is not installed")
    run = subprocess.run(["man", "--warnings", "--local-file", page], capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert "recorder-editor repair" in run.stdout


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        (["inf"], {"info"}),
        (["info", "--ut"], {"--utc"}),
        (["convert", "a.log", "--write-as", "ue5-0"], {"ue5-0.10.0"}),
        (["a.log", "--fr"], {"--frame"}),
        (["screenshot", "--theme", ""], {"light", "dark"}),
        (["info", "some.l"], set()),
        (["split", "--every", ""], set()),
    ],
)
def test_bash_offers_verbs_options_and_choices(share: Path, line: Sequence[str], offered: set[str]) -> None:
    words = ["recorder-editor", *line]
    script = f"""
        source {share}/bash-completion/completions/recorder-editor
        compopt() {{ :; }}
        COMP_WORDS=("$@") COMP_CWORD={len(line)}
        _recorder_editor recorder-editor "${{COMP_WORDS[-1]}}" "${{COMP_WORDS[-2]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    assert set(output_of("bash", "-c", script, "bash", *words).split()) == offered


def test_fish_offers_verbs_options_and_choices(share: Path) -> None:
    file = share / "fish/vendor_completions.d/recorder-editor.fish"

    def offered(line: str) -> list[str]:
        lines = output_of("fish", "--no-config", "-c", f"source {file}; complete -C '{line}'").splitlines()
        return [each.partition("\t")[0] for each in lines]

    assert offered("recorder-editor inf") == ["info"]
    assert offered("recorder-editor info --ut") == ["--utc"]
    assert offered("recorder-editor convert a.log --write-as ue5-0") == ["ue5-0.10.0"]


def test_the_completion_for_zsh_has_every_verb_and_is_sound(share: Path) -> None:
    file = share / "zsh/vendor-completions/_recorder-editor"
    text = file.read_text(encoding="utf-8")
    assert all(f"  {verb}) _arguments" in text for verb in VERBS if verb != "open")
    output_of("zsh", "-n", file)


def test_desktops_accept_what_they_read(share: Path) -> None:
    output_of("desktop-file-validate", share / "applications/recorder-editor.desktop")


def test_software_centres_accept_what_they_read(share: Path) -> None:
    (metainfo,) = (share / "metainfo").iterdir()
    output_of("appstreamcli", "validate", "--no-net", metainfo)


def test_the_desktop_entry_the_file_type_and_the_metainfo_name_the_same(share: Path) -> None:
    (metainfo,) = (share / "metainfo").iterdir()
    component = ElementTree.parse(metainfo).getroot()
    entry = (share / "applications/recorder-editor.desktop").read_text(encoding="utf-8").splitlines()
    mime = ElementTree.parse(share / "mime/packages/recorder-editor.xml").getroot()[0]
    assert component.findtext("launchable") == "recorder-editor.desktop"
    assert f"MimeType={component.findtext('provides/mediatype')};" in entry
    assert mime.get("type") == component.findtext("provides/mediatype")
    assert f"Exec={component.findtext('provides/binary')} open --show-errors %f" in entry
    release = component.find("releases/release")
    assert release is not None
    assert (release.get("version"), release.get("date")) == (project()["version"], "2027-01-15")


def test_what_a_desktop_shows_is_chinese_too(share: Path) -> None:
    entry = dict(
        line.split("=", 1)
        for line in (share / "applications/recorder-editor.desktop").read_text(encoding="utf-8").splitlines()[1:]
    )
    assert {key for key in entry if f"{key}[zh_CN]" in entry} == {"Name", "GenericName", "Comment", "Keywords"}
    language = "{http://www.w3.org/XML/1998/namespace}lang"
    (metainfo,) = LINUX.glob("*.metainfo.xml")
    for file, tags in (
        (metainfo, ("summary", "p", "li", "caption")),
        (share / "mime/packages/recorder-editor.xml", ()),
    ):
        for tag in tags or ("{http://www.freedesktop.org/standards/shared-mime-info}comment",):
            languages = [element.get(language) for element in ElementTree.parse(file).getroot().iter(tag)]
            assert languages == [None, "zh_CN"] * (len(languages) // 2), tag
            assert languages


def test_software_centres_know_every_language(share: Path) -> None:
    (metainfo,) = (share / "metainfo").iterdir()
    languages = ElementTree.parse(metainfo).getroot().iterfind("languages/lang")
    assert tuple(each.text for each in languages) == LANGUAGES


def test_every_picture_of_the_metainfo_is_in_the_project() -> None:
    (metainfo,) = LINUX.glob("*.metainfo.xml")
    images = ElementTree.parse(metainfo).getroot().findall("screenshots/screenshot/image")
    assert len(images) == 4
    for image in images:
        assert image.text is not None
        assert (PROJECT / image.text.removeprefix("@PICTURES@/")).is_file()


def test_without_an_address_of_the_project_the_metainfo_has_none(share: Path) -> None:
    (metainfo,) = (share / "metainfo").iterdir()
    text = metainfo.read_text(encoding="utf-8")
    assert "@" not in text
    assert ("https://" in text) == ("urls" in project())


def test_the_sample_has_the_bytes_by_which_desktops_know_a_recording(share: Path) -> None:
    namespace = "{http://www.freedesktop.org/standards/shared-mime-info}"
    match = ElementTree.parse(share / "mime/packages/recorder-editor.xml").getroot().find(f".//{namespace}match")
    assert match is not None
    start = int(match.get("offset", ""))
    assert resources.path("sample/town.log").read_bytes()[start:].startswith(match.get("value", "").encode())


def test_the_icon_is_drawn_in_the_sizes_of_desktops(share: Path) -> None:
    for size in (16, 24, 32, 48, 64, 128, 256):
        image = QImage(str(share / f"icons/hicolor/{size}x{size}/apps/recorder-editor.png"))
        assert (image.width(), image.height()) == (size, size)
        assert image.pixelColor(size // 2, size // 2).alpha() == 255
    assert (share / "icons/hicolor/scalable/apps/recorder-editor.svg").is_file()


def test_what_the_bundle_starts_again_runs_as_python_does_and_without_its_libraries() -> None:
    code = "import os, sys; print(sys.argv, os.environ.get('LD_LIBRARY_PATH'))"
    environment = {**os.environ, "LD_LIBRARY_PATH": "/bundle", "LD_LIBRARY_PATH_ORIG": "/own"}
    for kept, left in (({}, "/own"), ({"LD_LIBRARY_PATH_ORIG"}, "None")):
        run = subprocess.run(
            [sys.executable, LINUX / "launch.py", "-P", "-c", code, "one"],
            env={name: value for name, value in environment.items() if name not in kept},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == f"['-c', 'one'] {left}"


def test_the_bundle_starts_the_program() -> None:
    run = subprocess.run([sys.executable, LINUX / "launch.py", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"recorder-editor {project()['version']}\n")


def test_packages_are_built_with_what_the_project_allows() -> None:
    lines = (LINUX / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.lower().replace("_", "-").split("==") for line in lines if "==" in line)
    for each in map(Requirement, project()["dependencies"]):
        assert each.specifier.contains(pinned[each.name.lower()]), each.name


def project() -> dict[str, str]:
    """The project's own table in pyproject.toml."""
    table: dict[str, str] = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table
