"""Actors filled by a value: chosen from the menu, explained by a legend, and taken from the session's analysis."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.ui.dialogs.color_rules import RulesDialog
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.color_rules import ColorRules
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.preferences import IDS
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.style.colors import DARK, LIGHT, Palette, contrast
from recorder_editor.ui.style.theme import Theme

from .pseudo import painted
from .test_scene_opening import drives
from .windows import inner_menu, place_of

FAST, SLOW = 1, 2
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme, session: Session, settings: Settings, tmp_path: Path) -> ScenePane:
    """A hero at 16 m/s behind a car at 4 m/s."""
    path = tmp_path / "drive.log"
    path.write_bytes(drives(((0.0, 0.0), (8.0, 0.0)), ((60.0, 0.0), (2.0, 0.0)), hero=FAST))
    session.open(path, dialect="ue4-0.9.12")
    pane = ScenePane(session, theme, Player(session, session), settings)
    qtbot.addWidget(pane)
    pane.resize(640, 480 + pane.hints.height())
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
    next(each for each in inner_menu(menu, "Colour by").actions() if each.text() == text).trigger()
    menu.close()


def fill(pane: ScenePane, actor: int) -> tuple[int, ...]:
    place = place_of(pane.view, actor)
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


def test_roles_stand_beside_ids_for_those_who_see_few_colours(pane: ScenePane, session: Session) -> None:
    assert session.actors is not None
    slow = [life for life in session.actors if life.actor == SLOW]
    session.editing.apply(edits.set_role(session.snapshot_or_refuse(), slow, "taxi"))
    choose(pane, "Role")
    found: list[tuple[str, str]] = []
    with painted(found):
        pane.view.grab()
    assert f"{SLOW} taxi" in [text for _, text in found]


def test_the_picture_of_another_frame_has_the_own_colours_of_those_in_it(pane: ScenePane, session: Session) -> None:
    assert session.actors is not None
    slow = session.actors.of_id(SLOW)
    session.editing.apply(edits.set_attribute(session.snapshot_or_refuse(), slow, "color", "200,0,200"))
    slow = session.actors.of_id(SLOW)
    session.editing.apply(edits.remove_from_frame(session.snapshot_or_refuse(), slow, 4))
    assert pane.view.contents.actors.index_of(SLOW) is None
    small = pane.picture_at(5)
    assert small is not None
    colours = {small.pixelColor(x, y).name() for x in range(small.width()) for y in range(small.height())}
    assert "#c800c8" in colours


OWN = [("10,10,12", LIGHT), ("10,10,12", DARK), ("168,0,27", DARK), ("250,240,120", LIGHT), ("250,240,120", DARK)]


@pytest.mark.parametrize(("colour", "palette"), OWN)
def test_an_own_colour_can_be_told_from_the_ground_and_its_wedge(colour: str, palette: Palette) -> None:
    given = QColor(*map(int, colour.split(",")))
    filled = palette.own_fill(given)
    assert contrast(palette.wedge_on_own(filled), filled) >= 3
    assert contrast(palette.text, palette.scene) >= 3  # the edge of them all
    is_black = given.lightness() < 20
    assert (filled != given) is (palette.dark and is_black)
    if palette.dark and is_black:
        assert contrast(filled, palette.road) > 1.5 > contrast(given, palette.road)


def shown_ids(pane: ScenePane) -> set[str]:
    found: list[tuple[str, str]] = []
    with painted(found):
        pane.view.grab()
    words = [text.split() for _, text in found]
    return {word[0] for word in words if word[0].isdecimal() and word[1:] != ["m"]}  # those of metres: the scale bar


def point_at(pane: ScenePane, place: QPointF | None) -> None:
    """Move the pointer to a place of the view, or out of it."""
    view = pane.view.viewport()
    none = Qt.MouseButton.NoButton
    if place is None:
        QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
        return
    at = QPointF(view.mapToGlobal(place.toPoint()))
    QApplication.sendEvent(view, QMouseEvent(QEvent.Type.MouseMove, place, at, none, none, Qt.KeyboardModifier(0)))


def test_only_what_is_near_the_hero_the_pointer_or_a_selected_one_has_its_id(
    pane: ScenePane, session: Session, settings: Settings
) -> None:
    assert shown_ids(pane) == {str(FAST)}  # the other one is 38 m away
    slow = place_of(pane.view, SLOW)
    assert slow is not None
    state = pane.view.state
    point_at(pane, QPointF(slow.x() - 29 * pane.view.camera.scale, slow.y()))
    assert pane.view.state is not state
    assert str(SLOW) in shown_ids(pane)
    state = pane.view.state
    point_at(pane, QPointF(slow.x() - 28 * pane.view.camera.scale, slow.y()))
    assert pane.view.state is state  # nothing is drawn anew where all ids stay
    point_at(pane, QPointF(slow.x() - 33 * pane.view.camera.scale, slow.y() + 40))
    assert str(SLOW) not in shown_ids(pane)
    settings[IDS] = "all"
    assert str(SLOW) in shown_ids(pane)
    settings[IDS] = "near"
    session.selection.select_actor(SLOW)
    assert str(SLOW) in shown_ids(pane)


def rules_dialog(pane: ScenePane) -> RulesDialog:
    choose(pane, "Rules...")
    dialog = pane.window().findChild(RulesDialog)
    assert isinstance(dialog, RulesDialog)
    return dialog


def test_rules_fill_whom_they_are_met_by_and_stand_in_the_legend(
    qtbot: QtBot, pane: ScenePane, settings: Settings, theme: Theme
) -> None:
    dialog = rules_dialog(pane)
    assert not dialog.go.isEnabled()
    qtbot.keyClicks(dialog.editor, "speed > 10: #D7301F")
    qtbot.keyClick(dialog.editor, Qt.Key.Key_Return)
    qtbot.keyClicks(dialog.editor, 'Position where role == "hero": blue')
    assert dialog.wrong.text() == ""
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    coloring = pane.view.state.coloring
    assert coloring is not None
    assert [text for text, _ in coloring.legend] == ["speed > 10", 'Position where role == "hero"', "others"]
    assert fill(pane, FAST) == (0xD7, 0x30, 0x1F)
    assert fill(pane, SLOW) == coloring.legend[-1][1].getRgb()[:3] == theme.palette.edge.getRgb()[:3]
    assert settings.color_rules == ("speed > 10: #D7301F", 'Position where role == "hero": blue')
    again = ScenePane(pane.session, theme, Player(pane.session, pane.session), settings)
    qtbot.addWidget(again)
    assert again.session.rule_colors.rules.lines == settings.color_rules
    assert again.view.color_by == "rules"
    choose(pane, "Speed")
    third = ScenePane(pane.session, theme, Player(pane.session, pane.session), settings)
    qtbot.addWidget(third)
    assert third.view.color_by == "speed"
    settings.store.setValue("scene/color_by", "spoilt")
    fourth = ScenePane(pane.session, theme, Player(pane.session, pane.session), settings)
    qtbot.addWidget(fourth)
    assert fourth.view.color_by == "own"


def test_the_legend_keeps_both_ends_of_a_long_rule(pane: ScenePane) -> None:
    text = "Kinematics where linear_velocity.x > 1 or linear_velocity.x < -1"
    pane.session.rule_colors.show(ColorRules([f"{text}: red"]), on=True)
    pane.view.set_color_by("rules")
    assert pane.view.state.coloring is not None
    shown = pane.view.state.coloring.legend[0][0]
    begin, end = shown.split("…")
    assert text.startswith(begin)
    assert end.endswith(".x < -1")
    assert len(shown) < 40


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("name", ["white", "gold", "orange", "purple", "black", "#1F78B4"])
def test_the_wedge_can_be_told_from_every_fill(palette: Palette, name: str) -> None:
    assert contrast(palette.wedge_on(QColor(name)), QColor(name)) >= 2
    assert palette.wedge_on(palette.vehicle) == palette.wedge


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("spead > 10: red", "Rule 1, column 1: Position has no field “spead”. Did you mean “speed”?"),
        ("speed > 10", "Rule 1, column 11: A rule is a condition, a colon and a colour, as in speed > 20: #D7301F."),
        ("speed > 10: rod", "Rule 1, column 12: “rod” is no colour; it is written as #D7301F, or by its name."),
        ("speed > 10:", "Rule 1, column 12: A colour belongs behind the colon, such as #D7301F."),
        ("PlatformTime where time > 1: red", "Rule 1, column 1: Records of PlatformTime belong to no actor"),
        ("Position where id == 1: id = 2: red", "Rule 1, column 1: A rule sets nothing"),
        ("Positon where id == 1: red", "Rule 1, column 1: "),
    ],
)
def test_a_wrong_rule_is_told_in_place(qtbot: QtBot, pane: ScenePane, line: str, said: str) -> None:
    dialog = rules_dialog(pane)
    dialog.editor.setPlainText(line)
    assert dialog.wrong.text().startswith(said)
    assert not dialog.go.isEnabled()
    dialog.reject()
    assert pane.view.color_by == "own"


def test_a_rule_about_packets_that_are_not_there_fills_nobody(pane: ScenePane) -> None:
    pane.session.rule_colors.show(
        ColorRules(["AnimVehicle where brake > 0.5: red", "nonsense", "speed > 0: #010203"]), on=True
    )
    pane.view.set_color_by("rules")
    assert pane.view.state.coloring is not None
    assert [text for text, _ in pane.view.state.coloring.legend[1:]] == ["speed > 0", "others"]
    assert fill(pane, FAST) == (1, 2, 3)


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
    assert fill(pane, SLOW) == theme.palette.edge.getRgb()[:3]
    # The next recording is analysed for it, too.
    assert session.recording is not None
    session.open(session.recording.path, dialect="ue4-0.9.12")
    qtbot.waitUntil(lambda: session.traffic.is_current)
    assert pane.view.state.coloring is not None
