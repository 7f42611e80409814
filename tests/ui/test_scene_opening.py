"""What the scene shows of a recording that was just opened, what F shows, and that a screenshot waits for it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from recorder_editor.reading.trajectories import find_trajectories
from recorder_editor.ui.app import screenshot
from recorder_editor.ui.panes.scene.layers import layer as base
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.style.theme import Theme

from .. import builders as b

FRAMES = 40  # frames of half a second
Place = tuple[float, float]


def drives(*ways: tuple[Place, Place], hero: int = 0, late: int = 0) -> bytes:
    """Cars 1, 2, ... that drive from a place (m) by so many metres a frame; `late` is not in the first frame."""
    roles = [[b.attribute(5, "role_name", "hero")] if number == hero else [] for number in range(1, len(ways) + 1)]
    born = b.packet(2, b.event_add([b.actor(number, attributes=role) for number, role in enumerate(roles, 1)]))

    def frame(index: int) -> bytes:
        places = [(x + index * dx, y + index * dy) for (x, y), (dx, dy) in ways]
        poses = [
            b.pose(number, b.xyz(100 * x, 100 * y))
            for number, (x, y) in enumerate(places, 1)
            if index or number != late
        ]
        return b.frame(index + 1, index * 0.5, 0.5, [*([] if index else [born]), b.packet(6, b.position(poses))])

    return b.recording(*(frame(index) for index in range(FRAMES)))


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, session: Session, settings: Settings, tmp_path: Path) -> Callable[..., ScenePane]:
    """Shows bytes in a scene of 640 x 480."""

    def make(data: bytes, *, wait: bool = True) -> ScenePane:
        path = tmp_path / "drive.log"
        path.write_bytes(data)
        session.open(path, dialect="ue4-0.9.12")
        pane = ScenePane(session, theme, Player(session, session), settings)
        qtbot.addWidget(pane)
        pane.resize(640, 480 + pane.hints.height())
        with qtbot.waitExposed(pane):
            pane.show()
        if wait:
            qtbot.waitUntil(lambda: session.background.trajectories is not None)
        return pane

    return make


def is_seen(view: SceneView, x: float, y: float) -> bool:
    return view.camera.pane.contains(view.camera.point(x, y))


def test_the_opening_shows_where_everybody_drives_in_the_next_seconds(show: Callable[..., ScenePane]) -> None:
    view = show(drives(((0.0, 0.0), (5.0, 0.0)), ((0.0, 8.0), (0.0, 4.0)))).view
    assert is_seen(view, 100.0, 0.0)
    assert is_seen(view, 0.0, 88.0)
    assert not is_seen(view, 195.0, 0.0)


def test_an_opening_as_wide_as_a_town_shows_the_hero(show: Callable[..., ScenePane]) -> None:
    view = show(drives(((0.0, 0.0), (5.0, 0.0)), ((1500.0, 900.0), (0.0, 0.0)), hero=1)).view
    assert is_seen(view, 0.0, 0.0)
    assert is_seen(view, 100.0, 0.0)
    assert view.camera.scale > 4


def test_who_is_born_later_and_stands_far_off_does_not_widen_the_opening(show: Callable[..., ScenePane]) -> None:
    view = show(drives(((0.0, 0.0), (1.0, 0.0)), ((800.0, 0.0), (0.0, 0.0)), late=2)).view
    assert is_seen(view, 20.0, 0.0)
    assert view.camera.scale > 10


@pytest.mark.parametrize("zooms", [False, True])
def test_the_paths_that_are_read_meanwhile_do_not_take_away_a_view_that_was_chosen(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session, monkeypatch: pytest.MonkeyPatch, zooms: bool
) -> None:
    monkeypatch.setattr(session.background, "begin", lambda: None)
    view = show(drives(((0.0, 0.0), (5.0, 0.0))), wait=False).view
    if zooms:
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    session.background.trajectories = find_trajectories(session.snapshot_or_refuse())
    session.background.trajectories_changed.emit()
    assert is_seen(view, 100.0, 0.0) != zooms


def test_f_shows_everybody_however_far_apart_and_the_caption_counts_who_is_kilometres_away(
    qtbot: QtBot, show: Callable[..., ScenePane]
) -> None:
    near = [((4.0 * n, 0.0), (0.0, 0.0)) for n in range(8)]
    pane = show(drives(*near, ((900.0, 0.0), (0.0, 0.0)), ((0.0, 9000.0), (0.0, 0.0))))
    qtbot.keyClick(pane.view, Qt.Key.Key_F)
    assert all(is_seen(pane.view, x, 0.0) for x in (0.0, 28.0, 900.0))
    assert pane.view.camera.scale > 0.5
    assert pane.caption == "10 road users, 1 of them far away"


def test_of_two_who_are_kilometres_apart_one_is_seen(qtbot: QtBot, show: Callable[..., ScenePane]) -> None:
    view = show(drives(((0.0, 0.0), (0.0, 0.0)), ((9000.0, 0.0), (0.0, 0.0)))).view
    assert is_seen(view, 0.0, 0.0) != is_seen(view, 9000.0, 0.0)


def test_a_screenshot_has_the_recorded_paths_whole_however_long_they_take_to_draw(
    theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "drive.log"
    path.write_bytes(drives(((0.0, 0.0), (40.0, 0.0)), ((0.0, 8.0), (0.0, 40.0)), ((50.0, 50.0), (40.0, -40.0))))
    monkeypatch.setattr(base, "SLICE", 0.0)
    pictures = []
    for at_once in (10**9, 0):
        monkeypatch.setattr(base, "AT_ONCE", at_once)
        out = tmp_path / f"{at_once}.png"
        screenshot(path, out, frame=30, size=(1000, 640))
        pictures.append(QImage(str(out)))
    assert pictures[0] == pictures[1]
