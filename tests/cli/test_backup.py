"""`--backup` keeps what OUT replaces."""

from pathlib import Path

import pytest

from recorder_editor import cli
from tests import builders


@pytest.mark.parametrize(
    "verb", [["trim", "--to", "#5"], ["cut", "--from", "#5", "--to", "#6"], ["edit", "--set-map", "Town07"]]
)
def test_what_out_replaces_is_kept_if_asked_for(tmp_path: Path, verb: list[str]) -> None:
    source, out, kept = tmp_path / "in.log", tmp_path / "out.log", tmp_path / "out.log.bak"
    source.write_bytes(builders.drive(frames=9))
    out.write_bytes(b"what was there")
    name, *options = verb
    assert cli.main([name, str(source), str(out), *options, "-f"]) == 0
    assert not kept.exists()
    first = out.read_bytes()
    assert cli.main([name, str(source), str(out), *options, "--backup", "-f"]) == 0
    assert kept.read_bytes() == first
