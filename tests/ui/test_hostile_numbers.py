"""Numbers that a file may hold and a person may type: endless, tiny, negative, none. No pane, layer or job warns."""

import math
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.recording import Edit, Snapshot
from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.panes.scene.coloring import COLORINGS
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE, SIGNALS
from recorder_editor.views.signal_key import Key

from ..extent import is_long
from .windows import OpenWindow, beginning, bring_up

HERO = 3890
LARGE = 3e38
NUMBERS = (LARGE, -LARGE, 3.7e19, 1e-45, math.inf, -math.inf, math.nan)


def every_time(change: Callable[[Snapshot], Edit]) -> Callable[[MainWindow], None]:
    """Edit the times of a window."""
    return lambda window: window.session.editing.apply(change(window.session.snapshot_or_refuse()))


def in_a_field(name: str, *values: float) -> Callable[[MainWindow], None]:
    """Give a field of the hero this value in three frames, between which it is where it was; other ones to others."""

    def apply(window: MainWindow) -> None:
        session = window.session
        poses = session.snapshot_or_refuse().frame(40).packet("Position")
        assert poses is not None
        others = [actor for actor in poses.array["id"].tolist() if actor != HERO]
        for actor, value in zip([HERO, *others[: len(values) - 1]], values, strict=True):
            for frame in (38, 40, 44):
                session.selection.go_to_frame(frame)
                session.selection.select_actor(actor)
                place = session.selection.place_of_actor(actor)
                assert place is not None
                place = place._replace(field=name)
                session.editing.apply(edits.set_field(session.snapshot_or_refuse(), place, value))

    return apply


TIMES = {
    "stretched without end": every_time(lambda snapshot: edits.retime(snapshot, 1e308)),
    "stretched": every_time(lambda snapshot: edits.retime(snapshot, 1e290)),
    "squeezed": every_time(lambda snapshot: edits.retime(snapshot, 1e-320)),
    "late": every_time(lambda snapshot: edits.shift(snapshot, 1e308)),
    "before": every_time(lambda snapshot: edits.shift(snapshot, -1e6)),
}


def look_at_everything(window: MainWindow, change: Callable[[MainWindow], None]) -> None:
    """Change the recording, then show it in all panes and layers, near and far."""
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
    for by in COLORINGS:
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
    for preset in ("trim", "repair", "inspect"):
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
    path = recordings / "carla-0.9.13-town05-collisions.log"
    if not is_long(request.config):
        part = tmp_path / path.name
        part.write_bytes(beginning(path, frames=60, actor=HERO, others=len(NUMBERS)))
        path = part
    window = open_window(path, preset="inspect")
    bring_up(window, qtbot)
    wait_for_jobs(window)
    return window


def assert_no_pane_warns(window: MainWindow, change: Callable[[MainWindow], None]) -> None:
    # As errors they would come out of Qt's painting, in the middle of which they end the process.
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        look_at_everything(window, change)
    assert {f"{each.filename}:{each.lineno}: {each.message}" for each in told} == set()


@pytest.mark.sampled(cases=4)
@pytest.mark.parametrize("name", TIMES)
def test_no_pane_warns_of_times(window: MainWindow, name: str) -> None:
    assert_no_pane_warns(window, TIMES[name])


@pytest.mark.sampled(cases=4)
@pytest.mark.parametrize("name", ["location.x", "rotation.yaw"])
@pytest.mark.parametrize("value", NUMBERS)
def test_no_pane_warns_of_places(window: MainWindow, name: str, value: float) -> None:
    assert_no_pane_warns(window, in_a_field(name, value))


@pytest.mark.parametrize("name", ["location.x", "rotation.yaw"])
def test_no_pane_warns_of_the_places_of_several(window: MainWindow, name: str) -> None:
    assert_no_pane_warns(window, in_a_field(name, *NUMBERS))
