"""The version of the file header: set where it fits what the file holds, refused where it would be read otherwise."""

from collections.abc import Callable
from pathlib import Path

import pytest

from recorder_editor import Recording
from recorder_editor.cli import main
from recorder_editor.edits.header import set_header
from recorder_editor.edits.script import run_step
from recorder_editor.errors import EditError
from recorder_editor.recording.history import Intent

from .. import builders as b
from ..recording.films import add, film, opened
from .conftest import saved


def numbered(text: int, version: int = 1) -> bytes:
    """A car with a role name, whose attribute type for texts is that number."""
    born = add(b.actor(5, attributes=[b.attribute(text, "role_name", "hero")]))
    return b.u16(version) + film([born, b.packet(6, b.position([b.pose(5)])), b.packet(10, b.u16(0))])[2:]


WAYS: list[Callable[[Recording, int], object]] = [
    lambda recording, version: set_header(recording, version=version),
    lambda recording, version: run_step(recording.snapshot, Intent("set_header", {"version": version})),
]


@pytest.mark.parametrize("change", WAYS)
@pytest.mark.parametrize(
    ("data", "version", "sentence"),
    [
        (numbered(3), 2, r"read as CARLA 0\.9\.16 .* recorder-editor convert IN OUT --write-as ue4-0\.9\.16"),
        (numbered(4, 2), 1, r"convert IN OUT --write-as ue4-0\.9\.15"),
        (b.everything("ue4-2026"), 1, r"its bytes are not"),
        (b.everything("ue5-0.10.0"), 2, "Unreal Engine 5 are of version 1"),
        (film([b.packet(6, b.position([b.pose(5)]))]), 2, "convert"),
        (numbered(3), 3, "a header of version 3 is none"),
    ],
)
def test_a_version_that_would_misread_the_content_is_refused(
    data: bytes, version: int, sentence: str, change: Callable[[Recording, int], object]
) -> None:
    with opened(data, None) as recording:
        with pytest.raises(EditError, match=sentence):
            change(recording, version)
        assert saved(recording) == data


def test_a_wrong_version_is_set_right_and_read_so() -> None:
    with opened(numbered(4), None) as recording:
        recording.apply(set_header(recording, version=2))
        assert saved(recording) == numbered(4, 2)
        assert recording.detection.dialect.name == "ue4-0.9.16"
        recording.undo()
        assert recording.detection.dialect.name == "ue4-0.9.12"


def test_the_command_line_refuses_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    source.write_bytes(numbered(3))
    assert main(["edit", str(source), str(out), "--set-version", "2"]) == 1
    assert "recorder-editor convert IN OUT --write-as ue4-0.9.16" in capsys.readouterr().err
    assert not out.exists()
