"""`check`: what is fixable is said, and --fix writes a copy in which it is mended."""

import json
from pathlib import Path

import pytest

from recorder_editor.cli import main

from .. import builders as b
from ..recording.films import add, delete

POSES = b.packet(6, b.position([b.pose(1)]))
LIGHT = b.actor(50, 3, "traffic.traffic_light", uid=0)


@pytest.fixture
def ailing(tmp_path: Path) -> Path:
    """One error and one warning, both to be mended."""
    path = tmp_path / "ailing.log"
    path.write_bytes(
        b.recording(
            b.frame(1, 0.0, 0.1, [add(b.actor(1), LIGHT), POSES]),
            b.frame(2, 0.1, 0.1, [b.packet(6, b.position([b.pose(1)]) + b"!!")]),
            b.frame(3, 0.2, -1.0, [delete(9), POSES]),
        )
    )
    return path


def found(path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> dict[str, bool]:
    main(["check", str(path), "--json", "--read-as", "ue4-0.9.12"])
    told = json.loads(capsysbinary.readouterr().out)
    return {finding["code"]: finding["fixable"] for finding in told["findings"]}


def test_json_says_what_is_fixable(ailing: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert found(ailing, capsysbinary) == {"body-size": True, "replay-deleted-unknown": True}
    empty = ailing.with_name("empty.log")
    empty.write_bytes(b"")
    assert found(empty, capsysbinary) == {"no-header": False}


def test_fix_mends_errors_and_strict_warnings_too(
    ailing: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    before, out = ailing.read_bytes(), tmp_path / "out.log"
    dialect = ["--read-as", "ue4-0.9.12"]
    assert main(["check", str(ailing), *dialect]) == 1
    assert main(["check", str(ailing), "--fix", str(out), *dialect]) == 0
    told = capsysbinary.readouterr().err
    assert b"Correct 1 packet" in told
    assert b"1 warning has a fix; --strict fixes warnings, too." in told
    assert found(out, capsysbinary) == {"replay-deleted-unknown": True}
    assert main(["check", str(out), "--strict", *dialect]) == 1
    capsysbinary.readouterr()
    assert main(["check", str(ailing), "--strict", "-f", "--fix", str(out), *dialect]) == 0
    assert b"--strict fixes" not in capsysbinary.readouterr().err
    assert found(out, capsysbinary) == {}
    assert ailing.read_bytes() == before


def test_a_sound_recording_is_copied(tmp_path: Path) -> None:
    sound, out = tmp_path / "sound.log", tmp_path / "out.log"
    sound.write_bytes(b.drive(4))
    assert main(["check", str(sound), "--fix", str(out)]) == 0
    assert out.read_bytes() == sound.read_bytes()


def test_fix_takes_one_recording_and_another_name(ailing: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out.log")
    assert main(["check", str(ailing), str(ailing), "--fix", out]) == 2
    assert main(["check", str(ailing), "--fix", str(ailing)]) == 2
    assert not Path(out).exists()
