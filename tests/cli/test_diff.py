"""The verb that tells what differs between two recordings."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor import edits
from recorder_editor.cli import main

from .. import builders as b


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """A small drive, and the same with an actor turned in frame 3, frame 5 gone and another map."""
    before, after = tmp_path / "before.log", tmp_path / "after.log"
    before.write_bytes(b.drive(6))
    with recorder_editor.open(before) as recording:
        where = edits.place(recording, frame=2, packet="Position", record=0, field="rotation.yaw")
        recording.apply(edits.set_field(recording, where, 12.5))
        recording.apply(edits.delete_rows(recording, recording.snapshot.table.row_of_frame(4)))
        recording.apply(edits.set_header(recording, map_name="Town07"))
        recording.save(after)
    return before, after


def told(capsysbinary: pytest.CaptureFixture[bytes]) -> str:
    return capsysbinary.readouterr().out.decode()


def test_the_same_file_has_no_differences(two: tuple[Path, Path], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["diff", str(two[0]), str(two[0])]) == 0
    assert told(capsysbinary).endswith("The two recordings are the same.\n")


def test_the_summary_names_header_frames_and_fields(
    two: tuple[Path, Path], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["diff", *map(str, two)]) == 1
    lines = told(capsysbinary).splitlines()
    assert "header: map: Town01 | Town07" in lines
    assert "frames, matched by time: 4 the same, 1 differ, 1 only in A, 0 only in B" in lines
    assert "  Position 100 rotation.yaw: frame 3, +12.5 °" in lines


def test_details_tell_each_difference(two: tuple[Path, Path], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["diff", *map(str, two), "--details"]) == 1
    lines = told(capsysbinary).splitlines()
    assert "frame 5 of A: only there" in lines
    assert any(line.startswith("frame 3: Position ") and line.endswith(" | 12.5") for line in lines)


def test_json_is_strict_and_tells_the_same(two: tuple[Path, Path], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    def refuse(word: str) -> Any:
        raise AssertionError(word)

    assert main(["diff", *map(str, two), "--json"]) == 1
    found = json.loads(told(capsysbinary), parse_constant=refuse)
    assert found["differ"] is True
    assert found["frames"] == {"same": 4, "differ": 1, "reordered": 0, "only_a": 1, "only_b": 0}
    assert "packets" not in found
    (turned,) = [each for each in found["groups"] if each["field"] == "rotation.yaw"]
    assert (turned["packet"], turned["frames"], turned["first_frame"]) == ("Position", 1, 3)
    assert main(["diff", *map(str, two), "--json", "--details"]) == 1
    summary, *differences = [json.loads(line, parse_constant=refuse) for line in told(capsysbinary).splitlines()]
    assert summary == found
    (turned,) = [each for each in differences if each["field"] == "rotation.yaw"]
    assert (turned["level"], turned["frame_a"], turned["b"], turned["in"]) == ("field", 3, 12.5, ["a", "b"])


def test_differences_are_grouped_by_actor_and_field(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    names = []
    for name, moved in (("one.log", 0.0), ("two.log", 300.0)):
        drives = (
            [b.pose(7, b.xyz(moved)), *(b.pose(n, b.xyz(moved * (n == k))) for n in range(50, 73))]
            for k in range(50, 73)
        )
        frames = [b.frame(k, k * 0.05, 0.05, [b.packet(6, b.position(poses))]) for k, poses in enumerate(drives, 1)]
        names.append(str(tmp_path / name))
        Path(names[-1]).write_bytes(b.recording(*frames))
    assert main(["diff", *names]) == 1
    lines = told(capsysbinary).splitlines()
    at = lines.index("by record and field, those of the most frames first:")
    assert lines[at + 1] == "  Position 7 location.x: 23 frames, 1 to 23, +3.00 m"
    assert lines[at + 2] == "  Position 50 location.x: frame 1, +3.00 m"
    assert lines[-1] == "  and 4 more, which --json lists"
    assert main(["diff", *names, "--json"]) == 1
    found = json.loads(told(capsysbinary))
    assert (len(found["groups"]), found["groups_left_out"]) == (24, 0)
    assert found["groups"][0] == {
        "packet": "Position",
        "id": 7,
        "field": "location.x",
        "in": ["a", "b"],
        "frames": 23,
        "first_frame": 1,
        "last_frame": 23,
        "low": 300.0,
        "high": 300.0,
        "unit": "cm",
    }


def test_not_a_number_in_a_difference_stays_strict_json(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    names = []
    for index, x in enumerate((b.BOX_NAN_32, 1.0)):
        names.append(str(tmp_path / f"{index}.log"))
        body = b.position([b.pose(1, b.xyz(x))])
        Path(names[-1]).write_bytes(b.recording(b.frame(1, packets=[b.packet(6, body)])))
    assert main(["diff", *names, "--json", "--details"]) == 1
    difference = json.loads(told(capsysbinary).splitlines()[1])
    assert (difference["a"], difference["b"]) == ("f32:ffc00000", 1.0)


@pytest.mark.parametrize("given", ["-1", "nan", "inf", "much"])
def test_a_tolerance_is_a_number_from_0_on(given: str, two: tuple[Path, Path]) -> None:
    assert main(["diff", *map(str, two), f"--tolerance={given}"]) == 2


def test_a_missing_file_is_wrong_usage(two: tuple[Path, Path], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["diff", str(two[0]), "no-such.log"]) == 2
    assert b"no-such.log" in capsysbinary.readouterr().err


def test_the_verb_does_not_load_the_window(two: tuple[Path, Path]) -> None:
    code = "import sys\nfrom recorder_editor.cli import main\nmain(sys.argv[1:])\nassert 'PySide6' not in sys.modules"
    subprocess.run([sys.executable, "-c", code, "diff", *map(str, two)], check=True, capture_output=True)
