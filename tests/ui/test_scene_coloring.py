"""Actors filled by a value: chosen from the menu, explained by a legend, and taken from the session's analysis."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from recorder_editor.ui.player import Player
from recorder_editor.ui.scene.pane import ScenePane
from recorder_editor.ui.session import Session
from recorder_editor.ui.settings import Settings
from recorder_editor.ui.theme import Theme

from .test_scene_opening import drives

FAST, SLOW = 1, 2


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme, session: Session, settings: Settings, tmp_path: Path) -> ScenePane:
    """A hero at 16 m/s behind a car at 4 m/s."""
    path = tmp_path / "drive.log"
    path.write_bytes(drives(((0.0, 0.0), (8.0, 0.0)), ((60.0, 0.0), (2.0, 0.0)), hero=FAST))
    session.open(path, dialect="ue4-0.9.12")
    pane = ScenePane(session, theme, Player(session, session), settings)
    qtbot.addWidget(pane)
    pane.resize(640, 480)
    with qtbot.waitExposed(pane):
        pane.show()
    qtbot.waitUntil(lambda: session.background.trajectories is not None)
    session.selection.go_to_frame(4)
    pane.view.fit()
    return pane


def choose(pane: ScenePane, text: str) -> None:
    """Click an entry of Colour by in the context menu."""
    pane.view.customContextMenuRequested.emit(QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    colors = next(each.menu() for each in menu.actions() if each.text() == "Colour by")
    assert isinstance(colors, QMenu)
    next(each for each in colors.actions() if each.text() == text).trigger()
    menu.close()


def fill(pane: ScenePane, actor: int) -> tuple[int, ...]:
    place = pane.view.point_of(actor)
    assert place is not None
    return pane.view.grab().toImage().pixelColor(place.toPoint() + QPoint(-4, 0)).getRgb()[:3]


def test_speed_fills_everybody_on_one_scale_with_a_legend(pane: ScenePane, theme: Theme) -> None:
    plain = fill(pane, FAST)
    choose(pane, "Speed")
    coloring = pane.view.state.coloring
    assert coloring is not None
    assert [text for text, _ in coloring.legend] == ["0 m/s", "4 m/s", "8 m/s", "12 m/s", "16 m/s", "none"]
    assert fill(pane, FAST) == theme.palette.speed_color(1.0).getRgb()[:3] != plain
    assert fill(pane, SLOW) == theme.palette.speed_color(0.25).getRgb()[:3]
    choose(pane, "Class")
    assert fill(pane, FAST) == plain


def test_roles_have_a_colour_each_and_who_has_none_keeps_that_of_its_class(pane: ScenePane, theme: Theme) -> None:
    plain = fill(pane, SLOW)
    choose(pane, "Role")
    assert pane.view.state.coloring is not None
    assert [text for text, _ in pane.view.state.coloring.legend] == ["hero"]
    assert fill(pane, SLOW) == plain
    assert fill(pane, FAST) == theme.palette.speed_color(0.0).getRgb()[:3]


def test_ttc_is_that_of_the_analysis_and_is_shown_when_that_is_there(
    qtbot: QtBot, pane: ScenePane, session: Session, theme: Theme
) -> None:
    choose(pane, "TTC")
    qtbot.waitUntil(lambda: session.traffic.is_current)
    analysis, coloring = session.traffic.analysis, pane.view.state.coloring
    assert analysis is not None
    assert coloring is not None
    lives, values = analysis.values_at("ttc", 4)
    known = np.isfinite(values)
    assert set(coloring.colors) == set(lives[known].tolist())
    assert known.any()
    signal = analysis.signal("ttc", int(lives[known][0]))
    assert values[known][0] == signal.values[signal.frames == 4][0]
    assert [text for text, _ in coloring.legend][::4] == ["10 s", "0 s"]
    assert fill(pane, SLOW) == theme.palette.prop.getRgb()[:3]
