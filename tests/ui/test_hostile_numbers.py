"""Numbers that a file may hold and a person may type: endless, tiny, negative, none. No pane, layer or job warns."""

import math
import traceback
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import edits
from recorder_editor.recording import Edit, Snapshot
from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.panes.scene.coloring import COLORINGS
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE, SIGNALS
from recorder_editor.views.signal_key import Key

from ..extent import is_long
from .windows import OpenWindow, beginning, bring_up, data_of

HERO = 3890
FRAMES = (38, 40, 44)
LARGE = 3e38
NUMBERS = (LARGE, -LARGE, 3.7e19, 1e-45, math.inf, -math.inf, math.nan)
TYPED = {"location.x": (LARGE, 1e-45), "rotation.yaw": (math.nan, -LARGE)}


def every_time(change: Callable[[Snapshot], Edit]) -> Callable[[MainWindow], None]:
    """Edit the times of a window."""
    return lambda window: window.session.editing.apply(change(window.session.snapshot_or_refuse()))


def in_a_field(name: str, value: float) -> Callable[[MainWindow], None]:
    """Type a value into a field of the hero in three frames, between which it is where it was."""

    def apply(window: MainWindow) -> None:
        session = window.session
        for frame in FRAMES:
            session.selection.go_to_frame(frame)
            session.selection.select_actor(HERO)
            place = session.selection.place_of_actor(HERO)
            assert place is not None
            place = place._replace(field=name)
            session.editing.apply(edits.set_field(session.snapshot_or_refuse(), place, value))

    return apply


def in_a_file(name: str) -> Callable[[MainWindow], None]:
    """Open a file in which several actors have these values in a field in three frames, each another one."""

    def apply(window: MainWindow) -> None:
        path = path_of(window).with_name(f"{name}.log")
        path.write_bytes(data_of(window))
        with recorder_editor.open(path) as recording:
            for frame in FRAMES:
                poses = recording[frame].packet("Position")
                assert poses is not None
                actors = poses.array["id"].tolist()
                actors.insert(0, actors.pop(actors.index(HERO)))
                for actor, value in zip(actors, NUMBERS, strict=False):
                    place = edits.place(recording, frame=frame, packet="Position", actor=actor, field=name)
                    recording.apply(edits.set_field(recording, place, value))
            data = recording.snapshot.read(0, recording.snapshot.size)
        path.write_bytes(data)
        window.session.open(path)

    return apply


def path_of(window: MainWindow) -> Path:
    recording = window.session.recording
    assert recording is not None
    return recording.path


TIMES = {
    "stretched without end": every_time(lambda snapshot: edits.retime(snapshot, 1e308)),
    "stretched": every_time(lambda snapshot: edits.retime(snapshot, 1e290)),
    "squeezed": every_time(lambda snapshot: edits.retime(snapshot, 1e-320)),
    "late": every_time(lambda snapshot: edits.shift(snapshot, 1e308)),
    "before": every_time(lambda snapshot: edits.shift(snapshot, -1e6)),
}


def look_at_everything(window: MainWindow, change: Callable[[MainWindow], None], part: slice) -> None:
    """Change the recording, then show it in all panes and layers, near and far; in a part of colours and layouts."""
    session = window.session
    failed: list[str] = []
    session.jobs.failed.connect(lambda error: failed.extend(traceback.format_exception(error)))
    change(window)
    wait_for_jobs(window)
    session.selection.go_to_frame(41)
    session.selection.select_actor(HERO)
    view = window.panes.get(SCENE).view
    signals = window.panes.get(SIGNALS)
    signals.add(*(Key("motion", each, "", HERO) for each in ("speed", "acceleration", "jerk")))
    signals.add(Key("field", "Position", "location.x", HERO))
    window.panes.focus(SIGNALS.name)
    wait_for_jobs(window)
    for by in list(COLORINGS)[part]:
        view.set_color_by(by)
        wait_for_jobs(window)
    for does in (view.fit, view.zoom_to_selection):
        does()
        for factor in (1e9, 1e-18, 1e9):
            view.zoom(factor, view.camera.pane.center())
            settle()
    for frame in (0, 38, 40, 44, session.frames - 1):
        session.selection.go_to_frame(frame)
        settle()
    for preset in ("trim", "repair", "inspect")[part]:
        window.panes.set_preset(preset)
        session.range.set(10, 50)
        wait_for_jobs(window)
    window.registry.run("path.edit")
    wait_for_jobs(window)
    assert not window.grab().isNull()
    assert not failed, "".join(failed)


@pytest.fixture
def window(
    open_window: OpenWindow, recordings: Path, tmp_path: Path, request: pytest.FixtureRequest, qtbot: QtBot
) -> MainWindow:
    """A window with a part of a real recording, with `--long` with the whole recording."""
    real = recordings / "carla-0.9.13-town05-collisions.log"
    path = tmp_path / real.name
    if is_long(request.config):
        path.write_bytes(real.read_bytes())
    else:
        path.write_bytes(beginning(real, frames=60, actor=HERO, others=len(NUMBERS)))
    window = open_window(path, preset="inspect")
    bring_up(window, qtbot)
    wait_for_jobs(window)
    return window


def assert_no_pane_warns(window: MainWindow, change: Callable[[MainWindow], None], part: slice) -> None:
    # As errors they would come out of Qt's painting, in the middle of which they end the process.
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        look_at_everything(window, change, part)
    assert {f"{each.filename}:{each.lineno}: {each.message}" for each in told} == set()


def assert_none_warns(
    window: MainWindow,
    request: pytest.FixtureRequest,
    subtests: pytest.Subtests,
    changes: Mapping[str, Callable[[MainWindow], None]],
) -> None:
    """One window for all changes; the recording is opened again after each.

    With `--long` each change is seen in all colours and layouts, else in every third: three changes are in all.
    """
    path = path_of(window)
    for number, (name, change) in enumerate(changes.items()):
        part = slice(None)
        if not is_long(request.config):
            part = slice(number % 3, None, 3)
        with subtests.test(name):
            assert_no_pane_warns(window, change, part)
        window.session.open(path)


def test_no_pane_warns_of_times(window: MainWindow, request: pytest.FixtureRequest, subtests: pytest.Subtests) -> None:
    names = [name for name in TIMES if name != "late" or is_long(request.config)]  # much like "stretched"
    assert_none_warns(window, request, subtests, {name: TIMES[name] for name in names})


@pytest.mark.parametrize("name", ["location.x", "rotation.yaw"])
def test_no_pane_warns_of_places(
    window: MainWindow, request: pytest.FixtureRequest, subtests: pytest.Subtests, name: str
) -> None:
    """Of each number alone, as it is typed, where `--long` is given; else of one, as all others are in the file."""
    typed = NUMBERS
    if not is_long(request.config):
        typed = TYPED[name]
    changes = {f"{value} is typed": in_a_field(name, value) for value in typed}
    changes["all are in the file"] = in_a_file(name)
    assert_none_warns(window, request, subtests, changes)
