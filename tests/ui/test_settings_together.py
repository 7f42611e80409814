"""Several windows and programs that remember: nobody loses what another one kept, nor what could not be written."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from recorder_editor.edits.segments import Segment
from recorder_editor.ui.dialogs.closing import UnwrittenPrompt
from recorder_editor.ui.session.settings import Recent, Settings, merged
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import TIMELINE

from .windows import OpenWindow, idle

PROJECT = Path(__file__).parents[2]
Elsewhere = Callable[[str], None]

ELSEWHERE = """
import sys
from pathlib import Path
from recorder_editor.ui.session.settings import Recent, Settings
settings = Settings(Path(sys.argv[1]))
exec(sys.argv[2])
settings.store.sync()
"""


@pytest.fixture
def elsewhere(settings: Settings) -> Elsewhere:
    """Does something with the settings in another process."""

    def run(does: str) -> None:
        settings.store.sync()
        subprocess.run([sys.executable, "-c", ELSEWHERE, str(settings.path), does], cwd=PROJECT, check=True)

    return run


@pytest.mark.parametrize(
    ("before", "after", "there", "wanted"),
    [
        ("", "a1", "b1", "a1 b1"),
        ("a1 b1", "a1", "a1 b1 c1", "a1 c1"),
        ("a1 b1", "a2 b1", "a1", "a2"),
        ("a1", "", "a2", "a2"),
        ("a1", "a2", "a3", "a2"),
        ("a1 b1", "b1 a1", "a1 b1 c1", "b1 a1 c1"),
        ("a1", "a1", "", ""),
    ],
)
def test_what_was_done_to_a_list_is_done_to_the_one_that_is_there(
    before: str, after: str, there: str, wanted: str
) -> None:
    def pairs(text: str) -> list[tuple[str, str]]:
        return [(each[0], each[1]) for each in text.split()]

    assert merged(pairs(before), pairs(after), pairs(there)) == pairs(wanted)


def test_lists_of_two_programs_hold_what_both_kept(settings: Settings, elsewhere: Elsewhere, path: Path) -> None:
    other = path.with_name("other.log")
    other.touch()
    settings.filters = (("first", "Position"),)
    settings.workspaces = [("first", "{}")]
    settings.keys = {"edit.copy": "Ctrl+1"}
    settings.remember(Recent(str(path)))
    settings.put(Settings.color_rules, ("speed > 1: red",), before=())
    elsewhere(
        "settings.filters = [*settings.filters, ('second', 'State')];"
        "settings.workspaces = [*settings.workspaces, ('second', '{}')];"
        "settings.keys = {**settings.keys, 'edit.paste': 'Ctrl+2'};"
        f"settings.remember(Recent({str(other)!r}));"
        "settings.put(Settings.color_rules, ('speed > 2: blue',), before=())"
    )
    settings.filters = [*settings.filters, ("third", "Collision")]
    settings.workspaces = [*(pair for pair in settings.workspaces if pair[0] != "first"), ("third", "{}")]
    settings.keys = {**settings.keys, "edit.cut": "Ctrl+3"}
    settings.remember(Recent(str(path), "Town01", size=path.stat().st_size))
    settings.put(Settings.color_rules, ("speed > 3: red",), before=("speed > 1: red",))
    assert {name for name, _ in settings.filters} == {"first", "second", "third"}
    assert {name for name, _ in settings.workspaces} == {"second", "third"}
    assert settings.keys == {"edit.copy": "Ctrl+1", "edit.paste": "Ctrl+2", "edit.cut": "Ctrl+3"}
    assert [(each.path, each.map) for each in settings.recents] == [(str(path), "Town01"), (str(other), "")]
    assert settings.color_rules == ("speed > 3: red", "speed > 2: blue")


def test_two_windows_keep_the_segments_of_one_recording_and_their_own_lanes_and_maps(
    open_window: OpenWindow, settings: Settings, path: Path, qtbot: QtBot
) -> None:
    first, second = open_window(path), open_window(path)
    for window, name, start in ((first, "of the first", 2), (second, "of the second", 20)):
        window.show()
        idle(window, qtbot)
        window.session.segments.set([Segment(name, start, start + 5)])
        qtbot.waitUntil(lambda name=name: name in settings.segments_of(str(path)))  # type: ignore[misc]
        window.panes.get(TIMELINE).canvas.show_timeline_lane(name, False)
        window.session.roads.remembered = {**window.session.roads.remembered, name: "map.xodr"}
        window.session.roads.chosen.emit()
    kept = [each["name"] for each in json.loads(settings.segments_of(str(path)))]
    assert sorted(kept) == ["of the first", "of the second"]
    assert settings.timeline_lanes == {"of the first": False, "of the second": False}
    assert set(settings.road_maps) == {"of the first", "of the second"}
    first.session.segments.change(0, name="renamed")
    qtbot.waitUntil(lambda: "renamed" in settings.segments_of(str(path)))
    second.session.segments.set(())
    qtbot.waitUntil(lambda: "of the second" not in settings.segments_of(str(path)))
    assert [each["name"] for each in json.loads(settings.segments_of(str(path)))] == ["renamed"]


def make_unwritable(settings: Settings) -> None:
    """Put a folder in the place of the file."""
    settings.store.sync()
    settings.path.unlink()
    settings.path.mkdir()


def prompt_of(window: MainWindow, qtbot: QtBot) -> UnwrittenPrompt:
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(UnwrittenPrompt)))
    return next(each for each in window.findChildren(UnwrittenPrompt) if each.isVisible())


def test_segments_that_cannot_be_remembered_are_told_written_when_they_can_be_and_asked_for_before_the_end(
    open_window: OpenWindow, settings: Settings, path: Path, qtbot: QtBot
) -> None:
    window = open_window(path)
    window.show()
    idle(window, qtbot)
    make_unwritable(settings)
    window.session.segments.set([Segment("mine", 2, 5)])
    qtbot.waitUntil(lambda: any("cannot be written" in each for each in window.session.messages))
    assert not settings.is_written
    settings.path.rmdir()
    qtbot.waitUntil(lambda: settings.is_written)
    assert "mine" in Settings(settings.path).segments_of(str(path))
    assert "mine" in settings.path.read_text()

    # Closing the window asks what becomes of what is not written.
    make_unwritable(settings)
    window.session.segments.set([Segment("another", 2, 5)])
    window.close()
    prompt = prompt_of(window, qtbot)
    assert prompt.heading.text() == "Write what the program remembers?"
    prompt.buttons["Cancel"].click()
    qtbot.waitUntil(lambda: not window.findChildren(UnwrittenPrompt))
    assert window.isVisible()
    window.close()
    prompt = prompt_of(window, qtbot)
    settings.path.rmdir()
    prompt.buttons["Write again"].click()
    qtbot.waitUntil(lambda: window.session.recording is None)
    assert "another" in settings.path.read_text()


def test_a_lane_of_an_earlier_release_is_known_by_its_present_name(tmp_path: Path) -> None:
    before = Settings(tmp_path / "settings.ini")
    before.timeline_lanes = {"First, last": True, "Weather": False}
    assert Settings(tmp_path / "settings.ini").timeline_lanes == {"Spawned, gone": True, "Weather": False}
