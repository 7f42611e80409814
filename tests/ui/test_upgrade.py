"""What version 0.2.0 kept is opened by this one: settings, workspaces, segments, notes, index, script, unsaved edits.

`upgrade/state-0.2.0.zip` was made with that version: `home/` is its folder of states, `folder/` holds a recording, what
was beside it, the script of its edits and what 0.2.0 makes of them. Its process ended with the edits not saved.
"""

import json
import zlib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pytestqt.qtbot import QtBot

from recorder_editor.cli import main
from recorder_editor.recording.recovery import find_leftovers
from recorder_editor.ui.session.preferences import (
    APPLY_TO,
    FOLLOW_MODE,
    KEEPS_BACKUP,
    MAP_FOLDERS,
    ROADS,
    SPEED,
    TEXT_SIZE_PIXELS,
    THEME,
    UNDO_MEMORY,
)
from recorder_editor.ui.session.settings import Settings

from .windows import OpenWindow, idle

STATE = Path(__file__).with_name("upgrade") / "state-0.2.0.zip"
OLD_FOLDER = "/recordings"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the recording, moved to this machine; the state of that version is the program's."""
    with ZipFile(STATE) as archive:
        archive.extractall(tmp_path)
    place = tmp_path / "folder"
    home = tmp_path / "home"
    settings = home / "settings.ini"
    settings.write_text(settings.read_text("utf-8").replace(OLD_FOLDER, place.as_posix()), "utf-8")
    for journal in (home / "journals").iterdir():
        lines = [moved(json.loads(line[9:]), place) for line in journal.read_text("ascii").splitlines()]
        journal.write_bytes(b"".join(lines))
    monkeypatch.setenv("RECORDER_EDITOR_STATE_DIR", str(home))
    return place


@pytest.fixture
def settings(folder: Path) -> Settings:
    """What that version remembers."""
    return Settings()


def moved(entry: dict[str, Any], folder: Path) -> bytes:
    """A line of a journal for the recording in another folder, on another disk."""
    if "base" in entry:
        path = folder / Path(entry["path"]).name
        entry["path"] = str(path)
        status = path.stat()
        entry["identity"][:4] = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    text = json.dumps(entry, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def test_settings(folder: Path, settings: Settings) -> None:
    assert settings[THEME] == "dark"
    assert settings[TEXT_SIZE_PIXELS] == 14
    assert settings[SPEED] == "km/h"
    assert settings[KEEPS_BACKUP]
    assert settings[APPLY_TO] == "life"
    assert settings[FOLLOW_MODE] == "up"
    assert settings[ROADS] == "paths"
    assert settings[UNDO_MEMORY] == 512
    assert settings[MAP_FOLDERS] == "/maps/mine"
    assert settings.keys == {"actor.hero": "", "file.save_as": "Ctrl+Alt+S"}
    assert settings.filters == (("slow cars", "speed < 2"), ("hero", "hero"))
    assert settings.color_rules == ("speed > 3: #ff0000", 'class == "walker": #00ff00')
    assert settings.road_maps == {"Town01": "/maps/mine/Town01.xodr", "Town02": ""}
    assert settings.timeline_lanes == {"Notes": True, "Problems": False}
    assert settings.library == str(folder)
    assert [Path(recent.path).name for recent in settings.recents] == ["saved.log"]


def test_the_window_shows_workspace_segments_and_notes(folder: Path, open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(folder / "saved.log")
    idle(window, qtbot)
    assert window.workspaces.current == "My trimming"
    assert window.workspaces.is_own()
    segments = window.session.segments.items
    assert [(each.name, each.start, each.stop, each.is_on) for each in segments] == [
        ("braking", 3, 20, True),
        ("turn", 25, 35, False),
    ]
    notes = window.session.notes.items
    assert [(note.text, note.start, note.stop, note.actor) for note in notes] == [
        ("The hero", 0, 1, 2),
        ("Brakes late #yield", 5, 10, None),
    ]


def test_edits_that_a_crash_left_are_restored(folder: Path) -> None:
    (leftover,) = find_leftovers()
    assert leftover.labels == (
        "Set role name of 25 to other",
        "Remove 26 and 1 child",
        "Set map to Town77",
        "Retime by 1.5",
    )
    restored = leftover.restore()
    assert not restored.warning
    with restored.recording as recording:
        recording.save(folder / "restored.log")
    assert (folder / "restored.log").read_bytes() == (folder / "expected.log").read_bytes()


def test_a_script_does_the_same(folder: Path) -> None:
    assert main(["run", str(folder / "steps.json"), str(folder / "saved.log"), str(folder / "again.log")]) == 0
    assert (folder / "again.log").read_bytes() == (folder / "expected.log").read_bytes()


def test_an_index_of_that_version_is_told_and_made_anew(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", str(folder), "vehicles > 0"]) == 2
    assert "is an index of another release. Make it anew with recorder-editor index" in capsys.readouterr().err
    assert main(["index", str(folder)]) == 0
    assert main(["find", str(folder), "vehicles > 0"]) == 0
    assert "saved.log" in capsys.readouterr().out
