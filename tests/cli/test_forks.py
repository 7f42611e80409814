"""Packets of forks on the command line: what is lost with frames that are cut away, and packets named by number."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.cli import VERBS, main, verb_parser
from recorder_editor.edits.script import save_script

from ..forks import STORY, data_of

LOST_1 = "fork.log: 1 packet 150 is cut away before frames that stay"


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    path = tmp_path / "fork.log"
    path.write_bytes(data_of(STORY))
    return path


def ids_of(path: Path, frame: int = 0) -> list[int]:
    with recorder_editor.open(path) as recording:
        return [packet.id for packet in recording[frame].packets if packet.id > 12]


def listed(folder: Path) -> str:
    path = folder / "list.csv"
    path.write_text("start,end,name\n#1,#3,a\n#4,#6,b\n", encoding="utf-8")
    return str(path)


# --- losses -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "lost"),
    [
        (["trim", "--from", "#4"], 3, {150: 1}),
        (["trim", "--to", "#4"], 0, {}),
        (["trim", "--from", "#2", "--to", "#3"], 0, {}),
        (["cut", "--from", "#2", "--to", "#7"], 3, {150: 2, 199: 1}),
        (["cut", "--to", "#4"], 3, {150: 1}),
        (["cut", "--from", "#3"], 0, {}),
    ],
)
def test_what_is_cut_away_before_frames_that_stay_is_told(
    fork: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, lost: dict[int, int]
) -> None:
    verb, *options = words
    out = tmp_path / "out.log"
    for more in ([], ["--dry-run"]):
        assert main([verb, str(fork), str(out), *options, "-f", *more]) == code
        told = capsys.readouterr().err
        found = re.findall(r"fork\.log: (\d+) packets? (\d+) (?:is|are) cut away", told)
        assert {int(number): int(count) for count, number in found} == lost
    assert out.exists()


def test_parts_and_segments_tell_it_once(fork: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = tmp_path / "parts"
    assert main(["split", str(fork), str(parts), "--frames", "3"]) == 3
    told = capsys.readouterr().err
    assert told.count("are cut away before") == 1
    assert "fork.log: 2 packets 150 are cut away before frames that stay" in told
    assert ids_of(parts / "fork-002.log") == [139, 150, 18, 21, 141]
    assert main(["split", str(fork), str(tmp_path / "one"), "--frames", "8"]) == 0
    pieces = tmp_path / "pieces"
    assert main(["segments", str(fork), "--segments", listed(tmp_path), str(pieces)]) == 3
    assert LOST_1 in capsys.readouterr().err
    assert main(["segments", str(fork), "--segments", listed(tmp_path), str(pieces), "--json", "--dry-run"]) == 3
    said = json.loads(capsys.readouterr().out)
    assert said["lossless"] is False
    assert [remark.startswith("1 packet 150") for remark in said["remarks"]] == [True]


def test_nothing_is_lost_where_recordings_are_joined(fork: Path, tmp_path: Path) -> None:
    assert main(["join", str(fork), str(fork), str(tmp_path / "twice.log")]) == 0
    assert main(["edit", str(fork), str(tmp_path / "slow.log"), "--retime", "2"]) == 0
    assert main(["edit", str(fork), str(tmp_path / "steps.log"), "--fixed-step", "0.1"]) == 0


def test_the_changes_of_edit_tell_it(fork: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["edit", str(fork), str(tmp_path / "out.log"), "--trim", "--from", "#4", "--json"]
    assert main(words) == 3
    printed = capsys.readouterr()
    assert LOST_1 in printed.err
    assert json.loads(printed.out)["lossless"] is False


def test_a_script_that_trims_tells_it(fork: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trim", str(fork), str(tmp_path / "trimmed.log"), "--from", "#4"]) == 3
    with recorder_editor.open(fork) as recording:
        text = save_script([recorder_editor.edits.trim(recording, range(3, 8))]).text
    steps = tmp_path / "trim.json"
    steps.write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert main(["run", str(steps), str(fork), "--out-dir", str(tmp_path / "done"), "--json"]) == 3
    assert LOST_1 in capsys.readouterr().err
    assert (tmp_path / "done" / "fork.log").read_bytes() == (tmp_path / "trimmed.log").read_bytes()


# --- numbers for names --------------------------------------------------------------------------------------

Words = Callable[[Path, Path, str], list[str]]
TAKES: Mapping[tuple[str, str], Words] = {
    ("dump", "--packets"): lambda fork, _, name: ["dump", str(fork), "--packets", name],
    ("export", "--table"): lambda fork, out, name: ["export", str(fork), f"{out}.csv", "-f", "--table", name],
    ("export", "--signals"): lambda fork, out, name: [
        *("export", str(fork), f"{out}.mcap", "-f", "--signals", f"x = {name}: location.x", "--actors", "7")
    ],
    ("edit", "--drop-packets"): lambda fork, out, name: ["edit", str(fork), str(out), "-f", "--drop-packets", name],
    ("edit", "--set"): lambda fork, out, name: ["edit", str(fork), str(out), "-f", "--set", f"{name}: location.z = 5"],
}
"""What verbs are given to name a packet."""

NO_NAMES = {
    ("info", "--all"),
    ("collisions", "types"),
    ("rewrite", "--reencode"),
    ("edit", "--set-id"),
    ("find", "where"),
    ("completion", "kind"),
    ("edit", "--drop-additional"),
    ("picture", "--actors"),
}
"""Arguments whose help tells of packets, types or expressions, and that take no name of a packet."""


def options() -> set[tuple[str, str]]:
    """The arguments of all verbs whose help tells of packets, types or expressions."""
    return {
        (verb, action.option_strings[0] if action.option_strings else action.dest)
        for verb in VERBS
        for action in verb_parser(verb)._actions
        if action.dest != "schema"
        and re.search("packet|TYPE|EXPR|Position|Kinematics", f"{action.metavar} {action.help}")
    }


def test_every_verb_that_takes_names_of_packets_is_known_here() -> None:
    assert options() - NO_NAMES == TAKES.keys()


@pytest.mark.parametrize("option", TAKES, ids=" ".join)
def test_a_number_names_what_the_name_does(
    fork: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], option: tuple[str, str]
) -> None:
    told: list[tuple[bytes, list[bytes]]] = []
    for name in ("Position", "6", "006"):
        folder = tmp_path / f"out-{name}"
        folder.mkdir()
        assert main(TAKES[option](fork, folder / "out", name)) == 0
        told.append((capsysbinary.readouterr().out, [path.read_bytes() for path in folder.iterdir()]))
    assert told[0] != (b"", [])
    assert told[1] == told[0]
    assert told[2] == told[0]


@pytest.mark.parametrize("number", ["256", "99999999999999999999"])
@pytest.mark.parametrize("option", TAKES, ids=" ".join)
def test_a_number_that_is_no_id_is_refused_in_a_sentence(
    fork: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, str], number: str
) -> None:
    assert main(TAKES[option](fork, tmp_path / "out", number)) in (1, 2)
    assert f"There is no packet {number}: ids are 0 to 255." in capsys.readouterr().err


@pytest.mark.parametrize(("name", "count"), [("139", 8), ("150", 3), ("Unknown 150", 3), ("139,18", 12), ("77", 0)])
def test_a_dump_takes_numbers_of_any_packet(
    fork: Path, capsysbinary: pytest.CaptureFixture[bytes], name: str, count: int
) -> None:
    assert main(["dump", str(fork), "--packets", name]) == 0
    lines = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert sum("packet" in line for line in lines) == count
