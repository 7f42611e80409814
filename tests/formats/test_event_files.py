"""Traffic events as files: CSV, JSON and log entries of MCAP, alone and beside the other channels."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import Recording
from recorder_editor.cli import main
from recorder_editor.edits import set_frame_start
from recorder_editor.formats.event_files import events_as_csv, write_events
from recorder_editor.formats.export_format import ExportError
from recorder_editor.formats.openscenario import ScenarioError
from recorder_editor.reading.events import find_events
from recorder_editor.recording.existing import WouldReplace

from .. import builders as b
from ..reading.films import STEP, Actor, along, braking, film
from .test_mcap import NANO, Messages, read

CRASH = {
    1: Actor(along(0, 0, 0, 3)),
    2: Actor(along(10, 0, 0, 0), role="hero"),
    3: Actor(along(0, 40, 0, braking(14, -4.5))),
}
"""One drives into the hero, while elsewhere another one brakes hard."""
START = b.DATE * NANO
WARNING = 3
INFO = 2


@pytest.fixture
def crash(tmp_path: Path) -> Path:
    return film(tmp_path / "crash.log", CRASH)


@pytest.fixture
def recording(crash: Path) -> Iterator[Recording]:
    with recorder_editor.open(crash) as recording:
        yield recording


def entries(messages: Messages) -> list[tuple[int, int, str, str]]:
    """Frame, level, name and text of the traffic events."""
    found = []
    for time, log in messages["/traffic_events"]:
        assert log.timestamp.seconds * NANO + log.timestamp.nanos == time
        frame = round((time - START) / NANO / STEP) + 1
        found.append((frame, log.level, log.name, log.message))
    return found


def test_an_mcap_of_events_has_a_log_entry_for_each_in_its_worst_moment(recording: Recording, tmp_path: Path) -> None:
    events = find_events(recording.snapshot)
    out = tmp_path / "events.mcap"
    write_events(out, recording.path, recording.snapshot, events)
    messages = read(out)
    assert list(messages) == ["/traffic_events"]
    found = entries(messages)
    worst = sorted((int(event["worst"]) + 1, events.kind(row).name) for row, event in enumerate(events.table))
    assert [(frame, name) for frame, _, name, _ in found] == worst
    (collision,) = (entry for entry in found if entry[2] == "collision")
    (event,) = (event for row, event in enumerate(events.table) if events.kind(row).name == "collision")
    assert collision[1] == WARNING
    assert collision[3] == (
        "2 lincoln.mkz_2017 hero - 1 lincoln.mkz_2017: Speed of the two relative to each other at contact 3.000 m/s, "
        f"frames {event['first'] + 1} to {event['last'] + 1}"
    )
    (brake,) = (entry for entry in found if entry[2] == "hard-braking")
    assert brake[1] == INFO
    assert brake[3].startswith("3 lincoln.mkz_2017: Minimum acceleration -4.5")


def test_without_events_it_is_an_mcap_without_messages(recording: Recording, tmp_path: Path) -> None:
    out = tmp_path / "none.mcap"
    write_events(out, recording.path, recording.snapshot, find_events(recording.snapshot, kinds=["u-turn"]))
    assert read(out) == {}


def test_where_times_fall_no_log_is_written(recording: Recording, tmp_path: Path) -> None:
    events = find_events(recording.snapshot)
    row = int(events.table["worst"].max())
    recording.apply(set_frame_start(recording.snapshot, row, {"elapsed": -1.0}))
    with pytest.raises(ScenarioError, match=f"at frame {row + 1}, and log times must rise"):
        write_events(tmp_path / "out.mcap", recording.path, recording.snapshot, events)
    assert not (tmp_path / "out.mcap").exists()


def test_a_recording_stays_and_other_endings_are_refused(recording: Recording, crash: Path, tmp_path: Path) -> None:
    events = find_events(recording.snapshot)
    kept = tmp_path / "events.csv"
    kept.write_bytes(crash.read_bytes())
    with pytest.raises(WouldReplace):
        write_events(kept, recording.path, recording.snapshot, events)
    assert kept.read_bytes() == crash.read_bytes()
    write_events(kept, recording.path, recording.snapshot, events, overwrite=True)
    assert kept.read_bytes() == events_as_csv(recording.snapshot, events)
    with pytest.raises(ExportError, match=r"“.txt” cannot be written; there are .csv, .json, .mcap"):
        write_events(tmp_path / "events.txt", recording.path, recording.snapshot, events)


def test_without_the_packages_of_mcap_it_is_said_how_to_get_them(
    recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcap_protobuf.schema", None)
    monkeypatch.delitem(sys.modules, "recorder_editor.formats.mcap_log", raising=False)
    with pytest.raises(ExportError, match="MCAP files need packages that are not installed"):
        write_events(tmp_path / "out.mcap", recording.path, recording.snapshot, find_events(recording.snapshot))


# --- on the command line ------------------------------------------------------------------------------------


def test_the_verb_writes_what_json_prints(crash: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "events.json"
    assert main(["events", str(crash), "--out", str(out), "--actors", "hero"]) == 0
    printed, err = capsys.readouterr()
    assert printed == ""
    assert f"{out}: 1 event.\n" in err
    assert main(["events", str(crash), "--json", "--actors", "hero"]) == 0
    assert json.loads(out.read_text(encoding="utf-8")) == json.loads(capsys.readouterr().out)
    assert main(["events", str(crash), "--out", str(crash), "--overwrite"]) == 2


def test_the_verb_writes_the_events_of_one_recording(
    crash: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = film(tmp_path / "other.log", CRASH)
    out = tmp_path / "events.mcap"
    assert main(["events", str(crash), str(other), "--out", str(out)]) == 2
    assert "--out is for the events of one recording." in capsys.readouterr().err
    assert main(["events", str(crash), "--kinds", "collision", "--out", str(out)]) == 0
    assert [name for _, _, name, _ in entries(read(out))] == ["collision"]


def test_an_export_has_them_where_that_is_asked_for(crash: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.mcap"
    assert main(["export", str(crash), str(plain)]) == 0
    assert "/traffic_events" not in read(plain)
    full = tmp_path / "full.mcap"
    assert main(["export", str(crash), str(full), "--traffic-events"]) == 0
    messages = read(full)
    assert {name for _, _, name, _ in entries(messages)} == {"collision", "hard-braking"}
    both = (messages["/events"], read(plain)["/events"])
    own, other = ([(time, log.SerializeToString()) for time, log in found] for found in both)
    assert own == other
    of_hero = tmp_path / "hero.mcap"
    assert main(["export", str(crash), str(of_hero), "--traffic-events", "--actors", "hero"]) == 0
    assert [name for _, _, name, _ in entries(read(of_hero))] == ["collision"]
    late = tmp_path / "late.mcap"
    assert main(["export", str(crash), str(late), "--traffic-events", "--from", "#110"]) == 0
    assert "/traffic_events" not in read(late)
