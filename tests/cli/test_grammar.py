"""The verb `grammar`: the grammars of the program's resources, and with packets of users in them."""

from pathlib import Path

import pytest

from recorder_editor import resources
from recorder_editor.cli import main

Captured = pytest.CaptureFixture[str]

OWN = '{"packets": [{"id": 150, "name": "DriverMood", "members": [["%s", "u8", "The mood"]]}]}'


@pytest.mark.parametrize("suffix", [".ksy", ".hexpat"])
def test_without_files_it_is_the_grammar_of_the_resources(tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"
    assert main(["grammar", str(out)]) == 0
    assert out.read_bytes() == resources.path(f"formats/carla-recorder{suffix}").read_bytes()


@pytest.mark.parametrize(("suffix", "expected"), [(".ksy", "driver_mood_body:"), (".HEXPAT", "struct DriverMood_body")])
def test_files_of_packets_are_in_it_of_which_the_first_one_counts(
    tmp_path: Path, capsys: Captured, suffix: str, expected: str
) -> None:
    names = []
    for name in ("mood", "humour"):
        file = tmp_path / f"{name}.packets.json"
        file.write_text(OWN % name, "utf-8")
        names += ["--schema", str(file)]
    out = tmp_path / f"out{suffix}"
    assert main(["grammar", str(out), *names]) == 0
    text = out.read_text("utf-8")
    assert expected in text
    assert "mood.packets.json, humour.packets.json" in text
    assert "humour" not in text.replace("humour.packets.json", "")
    assert "both describe packet 150" in capsys.readouterr().err


def test_another_ending_is_refused(tmp_path: Path, capsys: Captured) -> None:
    assert main(["grammar", str(tmp_path / "out.txt")]) == 2
    assert "there are .ksy, .hexpat" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
