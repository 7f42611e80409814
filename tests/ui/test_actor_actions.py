"""What changes actors in the window: found by name, asked in a form, made as one step, refused in sentences."""

import json
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QMenu
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor.cli import main
from recorder_editor.edits import remove_actors, set_header, set_role
from recorder_editor.format.packets import VEHICLE_LIGHTS
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.lives import Life
from recorder_editor.ui.dialogs.base import Question
from recorder_editor.ui.dialogs.fields import FieldSpec
from recorder_editor.ui.dialogs.form import FormDialog, FormSpec
from recorder_editor.ui.session.clipboard import KIND, copied_actor
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ACTORS, ATTRIBUTES, PACKETS, SCENE
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import CheckEdit, ChoiceEdit, NumberEdit, TextEdit

from .. import builders as b
from ..format.test_json_text import ODD_JSON
from .alone import Alone
from .parts import in_turn
from .windows import OpenWindow, bring_up, idle, inner_menu, place_of

LEFT = Qt.MouseButton.LeftButton
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Shown = Alone | MainWindow
CAR, OTHER, LIGHT, CAMERA, LATE = 100, 101, 50, 102, 103
EDITS = (
    "actor.remove",
    "actor.keep",
    "actor.trim",
    "actor.blueprint",
    "actor.role",
    "actor.attribute",
    "actor.id",
    "actor.make_hero",
    "actor.swap",
    "path.move",
    "path.sideways",
    "path.smooth",
    "path.mirror",
    "path.hold",
    "actor.duplicate",
    "actor.copy",
    "actor.traffic_light",
    "actor.vehicle_lights",
)


def town(frames: int = 20, step: float = 0.1, map_name: str = "Town01") -> bytes:
    """Two cars that roll along x and tremble, a camera on the first of them, a car that comes in frame 11, a light."""
    parts: list[bytes] = []
    for index in range(frames):
        cars = [CAR, OTHER, *([LATE] if index >= 10 else [])]
        aside = 20.0 * (index % 2)
        poses = [b.pose(car, b.xyz(index * 100.0, 400.0 * (car - CAR) + aside, 50.0)) for car in cars]
        births = []
        if index == 0:
            hero = [b.attribute(3, "role_name", "hero"), b.attribute(4, "color", "1,2,3")]
            births = [
                b.actor(LIGHT, 3, "traffic.traffic_light", b.xyz(500.0, 900.0, 0.0), b.turn(), 0),
                b.actor(CAR, 1, "vehicle.tesla.model3", poses[0]["location"], b.turn(), 24, hero),
                b.actor(
                    OTHER,
                    1,
                    "vehicle.audi.tt",
                    poses[1]["location"],
                    b.turn(),
                    7,
                    [b.attribute(3, "role_name", "autopilot")],
                ),
                b.actor(CAMERA, 4, "sensor.camera.rgb", b.xyz(0.0, 0.0, 200.0), b.turn(), 40),
            ]
        elif index == 10:
            births = [b.actor(LATE, 1, "vehicle.audi.tt", poses[2]["location"], b.turn(), 7)]
        state = {"id": LIGHT, "frozen": False, "elapsed": index * step, "state": 0}
        control = {"steering": 0.0, "throttle": 0.5, "brake": 0.0, "handbrake": False, "gear": 1}
        packets = [
            b.packet(2, b.event_add(births)),
            b.packet(3, b.event_del([])),
            b.packet(4, b.event_parent([{"child": CAMERA, "parent": CAR}] if index == 0 else [])),
            b.packet(5, b.collision([])),
            b.packet(6, b.position(poses)),
            b.packet(7, b.traffic_light_state([state])),
            b.packet(8, b.anim_vehicle([{"id": car, **control} for car in cars])),
            b.packet(9, b.anim_walker([])),
            b.packet(10, b.vehicle_light([{"id": car, "lights": 0} for car in cars])),
        ]
        parts.append(b.frame(index + 1, index * step, -1.0 if index == frames - 1 else step, packets))
    return b.recording(*parts, map_name=map_name)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "town.log"
    path.write_bytes(town())
    return path


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.show()
    window.activateWindow()
    idle(window, qtbot)
    return window


@pytest.fixture(autouse=True)
def empty_clipboard(qapp: object) -> Iterator[None]:
    QGuiApplication.clipboard().setText("")
    yield
    QGuiApplication.clipboard().setText("")


def data_of(shown: Shown) -> bytes:
    snapshot = shown.session.snapshot_or_refuse()
    return snapshot.read(0, snapshot.size)


def steps(shown: Shown) -> list[str]:
    assert shown.session.recording is not None
    return [step.label for step in shown.session.recording.history.steps]


def life(shown: Shown, actor: int) -> Life:
    return Actors.of(shown.session.snapshot_or_refuse()).of_id(actor)[0]


def ids(shown: Shown) -> list[int]:
    return [one.actor for one in Actors.of(shown.session.snapshot_or_refuse())]


def select(shown: Shown, *actors: int, frame: int = 12) -> None:
    shown.session.selection.go_to_frame(frame)
    shown.session.selection.select_actor(actors[0])
    for actor in actors[1:]:
        shown.session.selection.select_actor(actor, add=True)


def ask(holder: Shown, name: str, qtbot: QtBot) -> FormDialog:
    (holder if isinstance(holder, Alone) else holder.registry).run(name)
    return shown(holder, qtbot)


def shown(holder: Shown, qtbot: QtBot) -> FormDialog:
    form = next(form for form in holder.findChildren(FormDialog) if form.isVisible())
    qtbot.waitUntil(form.isActiveWindow)
    idle(holder, qtbot)
    return form


def entries(menu: QMenu) -> list[str]:
    """The texts of what a menu shows, without keys."""
    shown = [action for action in menu.actions() if action.isVisible() and not action.isSeparator()]
    return [action.text().partition("\t")[0] for action in shown]


def is_open(form: FormDialog) -> bool:
    return isValid(form) and form.isVisible()


def give(form: FormDialog, name: str, text: str, qtbot: QtBot) -> None:
    """Type into a field and leave it by Tab; a choice and a box are set as a click on them does."""
    editor = form.editors[name]
    if isinstance(editor, ChoiceEdit):
        number = editor.findText(text)
        assert number >= 0
        editor.setCurrentIndex(number)
        editor.activated.emit(number)
    elif isinstance(editor, CheckEdit):
        qtbot.keyClick(editor, Qt.Key.Key_Space)
    else:
        assert isinstance(editor, (NumberEdit, TextEdit))
        editor.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(editor, Qt.Key.Key_A, CONTROL)
        qtbot.keyClick(editor, Qt.Key.Key_Backspace)
        qtbot.keyClicks(editor, text)
        completer = editor.completer()
        offers = completer.popup() if completer is not None else None
        qtbot.keyClick(offers if offers is not None and offers.isVisible() else editor, Qt.Key.Key_Tab)


def press(form: FormDialog, shown: Shown, qtbot: QtBot) -> None:
    """Click the filled button; the form goes when the edit is made."""
    qtbot.mouseClick(form.go, LEFT)
    idle(shown, qtbot)


def positions(shown: Shown, actor: int) -> dict[int, tuple[float, float]]:
    """Where an actor is, by frame, in metres."""
    found = {}
    for frame in shown.session.snapshot_or_refuse():
        packet = frame.packet("Position")
        record = packet.decoded.find_actor(actor) if packet is not None else None
        if packet is not None and record is not None:
            found[frame.index] = tuple(float(packet.decoded.get(record, f"location.{axis}")) / 100 for axis in "xy")
    return found


# --- found, and possible or not -----------------------------------------------------------------------------


def every_action_says_why_it_cannot_be_done_in_menus_too(
    open_window: OpenWindow, window: MainWindow, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("every action says why it cannot be done"):
        empty = open_window()
        for name in (*EDITS, "actor.paste", "recording.weather"):
            assert empty.registry.spec(name).reason() == "Open a recording first."
        for name in EDITS:
            assert (
                window.registry.spec(name).reason() == "Select an actor first, in the scene or in the table of actors."
            )
            assert not window.registry.is_enabled(name)
        assert window.registry.spec("actor.paste").reason() == "Copy an actor first, in this window or in another one."
        words = window.registry.spec("recording.weather").reason()
        assert words is not None
        assert words.endswith("records no weather; Recording > Convert to... ue4-2026 or ue5-2026 makes one that does.")
    with subtests.test("the tree offers nothing about actors where none is selected"):
        window.session.selection.go_to_frame(3)
        assert not [
            action for action in window.panes.get(PACKETS).menu().actions() if action.text().startswith("Actor")
        ]
    with subtests.test("pointing at an action that cannot be done says why"):
        menu, bar = window.menus["Actor"], window.menuBar()
        qtbot.mouseClick(bar, LEFT, pos=bar.actionGeometry(menu.menuAction()).center())
        qtbot.waitUntil(menu.isVisible)
        assert entries(menu) == ["Click a road user first", "Select hero", "Paste actor...", "New"]
        at = menu.actionGeometry(window.registry["actor.paste"]).center()
        for step in (-20, -10, 0):
            qtbot.mouseMove(menu, at + QPoint(step, 0))
        words = "Copy an actor first, in this window or in another one."
        qtbot.waitUntil(lambda: window.statusBar().currentMessage() == words)
        menu.close()
        qtbot.waitUntil(lambda: not window.statusBar().currentMessage())
    with subtests.test("with an actor the menu is whole"):
        select(window, CAR)
        qtbot.mouseClick(bar, LEFT, pos=bar.actionGeometry(menu.menuAction()).center())
        qtbot.waitUntil(menu.isVisible)
        shown = entries(menu)
        assert "Click a road user first" not in shown
        assert {"Follow", "Path", "New", "Remove actor...", "Set blueprint..."} <= set(shown)
        menu.close()
    with subtests.test("what is no actor is not pasted"):
        for junk in (b"", b"{", b"[]", b'{"file": 3}', b"\xff", *(text.encode() for text in ODD_JSON)):
            data = QMimeData()
            data.setData(KIND, junk)
            QGuiApplication.clipboard().setMimeData(data)
            assert copied_actor() is None
            assert not window.registry.is_enabled("actor.paste")
    with subtests.test("a form goes with its recording"):
        there = tmp_path / "there.log"
        there.write_bytes(town(3))
        select(window, CAR)
        form = ask(window, "path.move", qtbot)
        window.documents.open(there)
        qtbot.waitUntil(lambda: not is_open(form))
        idle(window, qtbot)


def actions_are_found_by_their_words_and_in_the_menus_of_the_panes(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("a reason stands in the status bar while the action is pointed at"):
        select(window, LIGHT)
        window.registry.refresh()
        move = window.registry["path.move"]
        assert not move.isEnabled()
        assert move.statusTip() == (
            "traffic.traffic_light 50 cannot be moved: the simulator finds traffic actors by their position."
        )
        assert window.registry["actor.traffic_light"].isEnabled()
        select(window, CAR)
        window.registry.refresh()
        assert move.isEnabled()
        assert move.statusTip() == ""
        assert window.registry["actor.traffic_light"].statusTip() == "vehicle.tesla.model3 100 is not a traffic light."
        assert window.registry["actor.make_hero"].statusTip() == "100 is the hero already."
        select(window, CAR, OTHER)
        window.registry.refresh()
        assert window.registry["path.smooth"].statusTip() == "Select one actor; 2 are selected."
        assert move.isEnabled()
    with subtests.test("every action has a tooltip and is found by its words"):
        search = window.search_field.search
        select(window, LIGHT)
        for name in (*EDITS, "actor.paste", "recording.weather"):
            spec = window.registry.spec(name)
            assert spec.tooltip
            assert spec.plain_text in [match.text for match in search.find(spec.plain_text)]
        mirror = next(match for match in search.find("mirror") if match.text == "Mirror path")
        assert not mirror.enabled
        assert "cannot be moved" in mirror.detail
    with subtests.test("the menus of the panes offer what makes sense"):
        select(window, CAR)
        table = [action.text() for action in window.panes.get(ACTORS).menu().actions()]
        assert {
            "Copy actor",
            "Remove actor...",
            "Keep only these actors",
            "Set vehicle lights...",
            "Change",
            "Path",
        } <= set(table)
        assert not {"Paste actor...", "Set traffic light..."} & set(table)
        tree = window.panes.get(PACKETS).menu()
        inner = inner_menu(tree, "Actor 100")
        assert "Trim life..." in [action.text() for action in inner.actions()]
        at = place_of(window.panes.get(SCENE).view, OTHER)
        assert at is not None
        window.panes.get(SCENE).view.customContextMenuRequested.emit(at.toPoint())
        assert window.session.selection.actors == (OTHER,)
        scene = window.panes.get(SCENE).findChild(QMenu)
        assert scene is not None
        names = {action.text(): action for action in scene.actions()}
        assert "Remove actor..." in names
        names["Remove actor..."].trigger()
        scene.close()
        form = next(form for form in window.findChildren(FormDialog) if form.isVisible())
        assert form.heading.text() == "Remove 101 audi.tt"
        idle(window, qtbot)
        form.reject()


# --- there or not -------------------------------------------------------------------------------------------


WHOLE = "All its records in all packets are deleted, collisions too."


def test_removing_says_who_goes_along(alone: Alone, path: Path, qtbot: QtBot) -> None:
    select(alone, CAR)
    form = ask(alone, "actor.remove", qtbot)
    assert form.outlook.text() == f"{WHOLE} Also removed: 102 camera.rgb."
    give(form, "children", "", qtbot)
    idle(alone, qtbot)
    assert form.outlook.text() == f"{WHOLE} Stays without a parent: 102 camera.rgb."
    press(form, alone, qtbot)
    assert not is_open(form)
    assert ids(alone) == [LIGHT, OTHER, CAMERA, LATE]
    assert steps(alone) == ["Remove 100"]
    alone.session.editing.undo()
    assert data_of(alone) == path.read_bytes()


def the_table_removes_and_keeps_actors_of_its_rows(window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    with subtests.test("delete in the table removes the actor of that row"):
        window.panes.focus("actors")
        select(window, OTHER)
        qtbot.waitUntil(lambda: len(window.panes.get(ACTORS).selected_lives()) == 1)
        window.panes.get(ACTORS).table.setFocus()
        qtbot.keyClick(window.panes.get(ACTORS).table, Qt.Key.Key_Delete)
        form = shown(window, qtbot)
        assert form.outlook.text() == f"{WHOLE} No actor is attached."
        qtbot.keyClick(form.go, Qt.Key.Key_Return)
        idle(window, qtbot)
        assert OTHER not in ids(window)
    with subtests.test("rows of actors that are not in this frame are meant too"):
        window.session.editing.undo()
        window.panes.focus("actors")
        window.session.selection.go_to_frame(2)
        model, table = window.panes.get(ACTORS).model, window.panes.get(ACTORS).table
        for number, actor in enumerate((CAR, LATE)):
            row = model.row_of(life(window, actor))
            assert row is not None
            at = table.visualRect(model.index(row, 0)).center()
            held = CONTROL if number else Qt.KeyboardModifier.NoModifier
            qtbot.mouseClick(table.viewport(), LEFT, held, at)
        assert [one.actor for one in window.panes.get(ACTORS).picked_lives()] == [CAR, LATE]
        window.registry.run("actor.keep")
        idle(window, qtbot)
        assert ids(window) == [LIGHT, CAR, CAMERA, LATE]
        assert steps(window) == ["Keep only 2 actors"]


def test_a_life_is_trimmed_to_frames(alone: Alone, qtbot: QtBot) -> None:
    select(alone, OTHER, frame=5)
    form = ask(alone, "actor.trim", qtbot)
    assert form.values == {"first": 6, "last": 20}
    give(form, "first", "25", qtbot)
    assert isinstance(form.editors["first"], NumberEdit)
    assert form.editors["first"].reason == "The largest value here is 20."
    give(form, "first", "8", qtbot)
    give(form, "last", "4", qtbot)
    assert form.against.text() == "101 lives from frame 1 to 20; choose frames of these."
    assert not form.go.isEnabled()
    give(form, "last", "12", qtbot)
    assert form.outlook.text() == "5 of its 20 frames stay, from 0.700 s to 1.100 s."
    press(form, alone, qtbot)
    trimmed = life(alone, OTHER)
    assert (trimmed.born, trimmed.gone) == (7, 12)


# --- what it is ---------------------------------------------------------------------------------------------


def test_the_uid_follows_the_blueprint_and_an_unknown_one_is_refused_in_place(alone: Alone, qtbot: QtBot) -> None:
    select(alone, CAR)
    form = ask(alone, "actor.blueprint", qtbot)
    assert form.values["uid"] == 24
    give(form, "blueprint", "vehicle.audi.tt", qtbot)
    assert form.values["uid"] == 7
    give(form, "blueprint", "vehicle.nobody.knows", qtbot)
    assert form.values["uid"] is None
    assert form.against.text() == "No actor of this recording has that blueprint: give its uid, or choose another."
    assert not form.go.isEnabled()
    give(form, "uid", "99", qtbot)
    assert form.outlook.text() == (
        "Up to CARLA 0.9.15 the uid alone decides what is created; later it has to be that of the same kind of actor."
    )
    give(form, "blueprint", "vehicle.audi.tt", qtbot)
    press(form, alone, qtbot)
    changed = life(alone, CAR)
    assert (changed.blueprint, changed.uid) == ("vehicle.audi.tt", 7)


def test_blueprints_of_the_file_are_offered(alone: Alone, qtbot: QtBot) -> None:
    select(alone, CAR)
    form = ask(alone, "actor.blueprint", qtbot)
    line = form.editors["blueprint"]
    assert isinstance(line, QLineEdit)
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "audi")
    completer = line.completer()
    assert completer is not None
    assert completer.currentCompletion() == "vehicle.audi.tt"
    popup = completer.popup()
    picture = popup.grab().toImage()
    edge = picture.pixelColor(picture.width() // 2, 0)
    assert edge == alone.theme.palette.edge
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert form.values == {"blueprint": "vehicle.audi.tt", "uid": 7}
    form.reject()


def test_what_an_edit_refuses_is_said_in_the_form(alone: Alone, path: Path, qtbot: QtBot) -> None:
    select(alone, CAR)
    form = ask(alone, "actor.id", qtbot)
    give(form, "new_id", str(OTHER), qtbot)
    press(form, alone, qtbot)
    assert is_open(form)
    assert form.job_panel.sentence.text() == "vehicle.audi.tt 101 has the id 101 from frame 1 on."
    give(form, "new_id", "0x200", qtbot)
    assert form.job_panel.sentence.text() == ""
    press(form, alone, qtbot)
    assert not is_open(form)
    assert ids(alone) == [LIGHT, 0x200, OTHER, CAMERA, LATE]
    alone.session.editing.undo()
    assert data_of(alone) == path.read_bytes()


def roles_attributes_the_hero_and_the_header_are_edited(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    with subtests.test("roles attributes and the hero"):
        select(window, OTHER)
        form = ask(window, "actor.role", qtbot)
        give(form, "role", "ego", qtbot)
        press(form, window, qtbot)
        assert life(window, OTHER).role_name == "ego"
        select(window, CAR)
        form = ask(window, "actor.attribute", qtbot)
        assert form.values["key"] == "color"
        assert form.values["value"] == "1,2,3"
        give(form, "value", "9,9,9", qtbot)
        press(form, window, qtbot)
        assert life(window, CAR).colour == (9, 9, 9)
        form = ask(window, "actor.attribute", qtbot)
        give(form, "without", "", qtbot)
        press(form, window, qtbot)
        assert life(window, CAR).attribute("color") is None
        select(window, OTHER)
        window.registry.run("actor.make_hero")
        idle(window, qtbot)
        assert [one.actor for one in Actors.of(window.session.snapshot_or_refuse()) if one.is_hero] == [OTHER]
        assert len(steps(window)) == 4
    with subtests.test("the header is edited in the panel"):
        window.registry.run("recording.header")
        names = {label.text() for label in window.panes.get(ATTRIBUTES).findChildren(type(window.file_name))} | {
            editor.accessibleName() for editor in window.panes.get(ATTRIBUTES).findChildren(QLineEdit)
        }
        assert any("map" in name.lower() for name in names)
        assert any("version" in name.lower() for name in names)
        assert any("date" in name.lower() for name in names)
    with subtests.test("a menu that is higher than the screen scrolls in one column"):
        menu, bar = window.menus["Actor"], window.menuBar()
        for number in range(60):
            menu.addAction(f"{number} more")
        qtbot.mouseClick(bar, LEFT, pos=bar.actionGeometry(menu.menuAction()).center())
        qtbot.waitUntil(menu.isVisible)
        shown = [action for action in menu.actions() if action.isVisible() and not action.isSeparator()]
        assert len({menu.actionGeometry(action).left() for action in shown}) == 1
        assert menu.height() <= menu.screen().availableSize().height()
        menu.close()


def test_two_selected_actors_change_places(alone: Alone, qtbot: QtBot) -> None:
    before = positions(alone, CAR), positions(alone, OTHER)
    select(alone, CAR, OTHER)
    form = ask(alone, "actor.swap", qtbot)
    assert form.values["other"] == "101 audi.tt"
    press(form, alone, qtbot)
    assert (positions(alone, OTHER), positions(alone, CAR)) == before
    assert life(alone, CAR).blueprint == "vehicle.tesla.model3"
    form = ask(alone, "actor.swap", qtbot)
    give(form, "other", "nobody", qtbot)
    assert form.against.text() == "“nobody” names no actor; write an id, as in 174."
    form.reject()


# --- ways ---------------------------------------------------------------------------------------------------


def ghosts_show_where_moves_and_holds_bring_the_actor(
    window: MainWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("a move shows its ghost and eases in and out"):
        before = positions(window, CAR)
        window.session.range.set(4, 17)
        select(window, CAR, frame=10)
        form = ask(window, "path.move", qtbot)
        assert form.values["frames"] == "range"
        give(form, "y", "3", qtbot)
        ghost = window.panes.get(SCENE).view.state.ghosts
        assert [(one.actor, one.dx, one.dy) for one in ghost] == [(CAR, 0.0, pytest.approx(3.0))]
        window.session.selection.go_to_frame(2)
        assert not window.panes.get(SCENE).view.state.ghosts
        give(form, "ease_in", "0.4", qtbot)
        give(form, "ease_out", "0.4", qtbot)
        assert form.outlook.text() == "Over 13 frames, 1.200 s"
        press(form, window, qtbot)
        assert not window.panes.get(SCENE).view.state.ghosts
        moved = positions(window, CAR)
        aside = [moved[frame][1] - before[frame][1] for frame in range(20)]
        assert (aside[:4], aside[17:]) == ([0.0] * 4, [0.0] * 3)
        assert aside[10] == pytest.approx(3.0)
        assert max(abs(one - other) for one, other in pairwise(aside)) < 1.5
        assert len(steps(window)) == 1
        window.registry.run("edit.undo")
        assert data_of(window) == path.read_bytes()
    with subtests.test("a hold says how long it stands and shows where"):
        window.session.range.set(2, 18)
        select(window, CAR, frame=10)
        form = ask(window, "path.hold", qtbot)
        assert form.against.text().startswith("Easing over 1 s and 1 s does not fit into the 1.5 s of these frames")
        give(form, "ease_in", "0.4", qtbot)
        give(form, "ease_out", "0.5", qtbot)
        assert (
            form.outlook.text() == "It stands still for 0.600 s, and catches up at up to 4.3 times its recorded speed."
        )
        (ghost,) = window.panes.get(SCENE).view.state.ghosts
        before = positions(window, CAR)
        press(form, window, qtbot)
        after = positions(window, CAR)
        assert (ghost.dx, ghost.dy) == pytest.approx(
            (after[10][0] - before[10][0], after[10][1] - before[10][1]), abs=1e-3
        )
        assert steps(window) == ["Hold 100 over 16 frames"]


GHOSTS: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("path.move", CAR, {"turn": "90"}),
    ("path.sideways", OTHER, {"metres": "-2"}),
    ("path.mirror", OTHER, {"x": "1", "y": "2", "angle": "30"}),
)


def the_ghost_is_where_the_actor_comes_to(window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    for name, actor, fields in GHOSTS:
        with subtests.test(name):
            select(window, actor, frame=10)
            form = ask(window, name, qtbot)
            for field, text in fields.items():
                give(form, field, text, qtbot)
            (ghost,) = window.panes.get(SCENE).view.state.ghosts
            before = positions(window, actor)
            press(form, window, qtbot)
            after = positions(window, actor)
            moved = after[10][0] - before[10][0], after[10][1] - before[10][1]
            assert (ghost.dx, ghost.dy) == pytest.approx(moved, abs=1e-3)
            if "turn" in fields:
                assert ghost.turn == pytest.approx(90.0)
            window.registry.run("edit.undo")


# --- copies -------------------------------------------------------------------------------------------------


def a_copy_comes_later_and_beside_and_there_is_one_form_at_a_time(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("a copy comes later and beside"):
        select(window, CAR, frame=10)
        before = positions(window, CAR)
        qtbot.keyClick(window, Qt.Key.Key_D, CONTROL | SHIFT)
        form = shown(window, qtbot)
        give(form, "seconds", "0.5", qtbot)
        give(form, "y", "2", qtbot)
        (ghost,) = window.panes.get(SCENE).view.state.ghosts
        assert (ghost.dx, ghost.dy) == pytest.approx((-5.0, 2.2))
        press(form, window, qtbot)
        (copy,) = set(ids(window)) - {LIGHT, CAR, OTHER, CAMERA, LATE}
        path = positions(window, copy)
        assert path[10] == pytest.approx((before[5][0], before[5][1] + 2.0))
        assert min(path) == 5
        assert not life(window, copy).is_hero
    with subtests.test("one form at a time"):
        select(window, CAR)
        first = ask(window, "path.move", qtbot)
        give(first, "x", "4", qtbot)
        ask(window, "path.smooth", qtbot)
        qtbot.waitUntil(lambda: len(window.findChildren(FormDialog)) == 1)
        assert not window.panes.get(SCENE).view.state.ghosts


def an_actor_is_pasted_into_another_recording_that_of_another_map_on_request(
    open_window: OpenWindow, window: MainWindow, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    there = tmp_path / "there.log"
    there.write_bytes(town(30))
    other = open_window(there)
    other.show()
    idle(other, qtbot)
    with subtests.test("an actor is pasted into another recording"):
        assert not other.registry.is_enabled("actor.paste")
        window.session.editing.apply(set_role(window.session.snapshot_or_refuse(), [life(window, CAR)], "ego"))
        select(window, CAR)
        window.registry.run("actor.copy")
        assert QGuiApplication.clipboard().text() == "100 vehicle.tesla.model3"
        assert other.registry.is_enabled("actor.paste")
        other.session.selection.go_to_frame(3)
        form = ask(other, "actor.paste", qtbot)
        assert form.heading.text() == "Paste 100 tesla.model3 of town.log"
        give(form, "new_id", "777", qtbot)
        press(form, other, qtbot)
        pasted = life(other, 777)
        assert (pasted.blueprint, pasted.born, pasted.role_name) == ("vehicle.tesla.model3", 3, "ego")
        path, source = positions(other, 777), positions(window, CAR)
        assert [path[frame + 3] for frame in range(20)] == [source[frame] for frame in range(20)]
        other.registry.run("edit.undo")
        assert data_of(other) == there.read_bytes()
    with subtests.test("another map is a question"):
        elsewhere = tmp_path / "elsewhere.log"
        elsewhere.write_bytes(town(30, map_name="Town05"))
        other.session.open(elsewhere)
        idle(other, qtbot)
        select(window, CAR)
        window.registry.run("actor.copy")
        other.registry.run("actor.paste")
        question = other.findChildren(Question)[0]
        assert question.words.text().startswith("100 was recorded on Town01, and this recording is of Town05")
        assert not other.findChildren(FormDialog)
        qtbot.mouseClick(question.buttons["Paste anyway"], LEFT)
        qtbot.waitUntil(lambda: bool(other.findChildren(FormDialog)))
        other.findChildren(FormDialog)[0].reject()


def an_actor_is_pasted_from_a_closed_file_which_may_be_gone(
    window: MainWindow, path: Path, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("what was copied may be gone when it is pasted"):
        gone = {"file": str(tmp_path / "gone.log"), "map": "Town01", "actor": 1, "born": 0, "blueprint": "vehicle.x"}
        for told, words in (
            (gone, "gone.log: No such file or directory."),
            (gone | {"file": str(path), "actor": 9}, "town.log holds no vehicle.x 9 any more; copy it again."),
        ):
            data = QMimeData()
            data.setData(KIND, json.dumps(told).encode())
            QGuiApplication.clipboard().setMimeData(data)
            form = ask(window, "actor.paste", qtbot)
            press(form, window, qtbot)
            assert form.job_panel.sentence.text().endswith(words)
            form.reject()
        assert data_of(window) == path.read_bytes()
    with subtests.test("an actor is pasted from a file that no window has open"):
        closed = tmp_path / "closed.log"
        closed.write_bytes(b.drive(frames=5, step=0.1))
        told = {"file": str(closed), "map": "Town01", "actor": 100, "born": 0}
        told["blueprint"] = "vehicle.lincoln.mkz_2017"
        data = QMimeData()
        data.setData(KIND, json.dumps(told).encode())
        QGuiApplication.clipboard().setMimeData(data)
        form = ask(window, "actor.paste", qtbot)
        give(form, "at", "0.5", qtbot)
        press(form, window, qtbot)
        assert not is_open(form)
        pasted = life(window, LATE + 1)
        assert (pasted.born, pasted.gone) == (5, 10)


def test_actors_are_edited_in_a_window(
    request: pytest.FixtureRequest, window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    def begin_anew() -> None:
        QGuiApplication.clipboard().setText("")
        window.session.open(path)
        idle(window, qtbot)
        bring_up(window, qtbot)

    in_turn(
        request,
        window,
        every_action_says_why_it_cannot_be_done_in_menus_too,
        actions_are_found_by_their_words_and_in_the_menus_of_the_panes,
        the_table_removes_and_keeps_actors_of_its_rows,
        ghosts_show_where_moves_and_holds_bring_the_actor,
        the_ghost_is_where_the_actor_comes_to,
        a_copy_comes_later_and_beside_and_there_is_one_form_at_a_time,
        an_actor_is_pasted_from_a_closed_file_which_may_be_gone,
        an_actor_is_pasted_into_another_recording_that_of_another_map_on_request,
        roles_attributes_the_hero_and_the_header_are_edited,
        opens=False,
        between=begin_anew,
    )


# --- states -------------------------------------------------------------------------------------------------


def test_a_light_is_set_over_a_range(alone: Alone, qtbot: QtBot) -> None:
    alone.session.range.set(5, 9)
    select(alone, LIGHT)
    form = ask(alone, "actor.traffic_light", qtbot)
    give(form, "state", "Green", qtbot)
    give(form, "elapsed", "2", qtbot)
    press(form, alone, qtbot)
    states = []
    for frame in alone.session.snapshot_or_refuse():
        packet = frame.packet("State")
        assert packet is not None
        states.append((packet.decoded.get(0, "state"), packet.decoded.get(0, "elapsed")))
    assert [state for state, _ in states] == [0] * 5 + [2] * 4 + [0] * 11
    assert [elapsed for _, elapsed in states[5:9]] == pytest.approx([2.0, 2.1, 2.2, 2.3])


def test_lights_of_vehicles_are_switched_on(alone: Alone, qtbot: QtBot) -> None:
    select(alone, CAR, OTHER)
    form = ask(alone, "actor.vehicle_lights", qtbot)
    give(form, "mode", "Switch these on", qtbot)
    bit = next(bit for bit, name in VEHICLE_LIGHTS.items() if name == "LowBeam")
    box = form.editors["mask"]
    box.committed.emit(str(bit))
    press(form, alone, qtbot)
    packet = alone.session.snapshot_or_refuse().frame(3).packet("VehicleLight")
    assert packet is not None
    assert [packet.decoded.get(record, "lights") for record in range(2)] == [bit, bit]


def test_the_weather_of_a_release_that_has_one(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> None:
    there = tmp_path / "rain.log"
    there.write_bytes(b.everything("ue4-2026"))
    window = open_window(there)
    window.show()
    idle(window, qtbot)
    form = ask(window, "recording.weather", qtbot)
    name = next(name for name in form.editors if "cloud" in name)
    give(form, name, "42", qtbot)
    press(form, window, qtbot)
    assert not is_open(form)
    held = window.session.snapshot_or_refuse().frame(0).packet("Weather")
    assert held is not None
    assert held.decoded.get(0, name) == 42.0


# --- the command line ---------------------------------------------------------------------------------------

COMMANDS: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("actor.remove", CAR, {}),
    ("actor.remove", CAR, {"children": ""}),
    ("actor.trim", OTHER, {"first": "4", "last": "15"}),
    ("actor.blueprint", CAR, {"blueprint": "vehicle.audi.tt"}),
    ("actor.blueprint", CAR, {"blueprint": "vehicle.x.y", "uid": "12"}),
    ("actor.role", OTHER, {"role": "ego"}),
    ("actor.attribute", CAR, {"value": "9,8,7"}),
    ("actor.attribute", CAR, {"without": ""}),
    ("actor.id", CAR, {"new_id": "500"}),
    ("actor.swap", CAR, {"other": "101"}),
    ("path.move", CAR, {"x": "0.25", "y": "-1.1", "turn": "12.5", "frames": "From here on", "ease_in": "0.3"}),
    ("path.sideways", CAR, {"metres": "-3.3", "ease_out": "0.5"}),
    ("path.smooth", CAR, {"window": "0.7"}),
    ("path.hold", CAR, {"first": "3", "last": "18", "ease_in": "0.4", "ease_out": "0"}),
    ("path.mirror", CAR, {"x": "1.5", "y": "-2", "angle": "33.3"}),
    ("actor.duplicate", CAR, {"seconds": "0.3", "x": "-1.5", "turn": "10", "new_id": "600"}),
    ("actor.traffic_light", LIGHT, {"state": "Yellow", "frozen": "Yes", "elapsed": "1.5"}),
    ("actor.vehicle_lights", CAR, {"mask": "3"}),
)


def test_the_command_that_is_shown_does_the_same(
    alone: Alone, path: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.chdir(tmp_path)
    made = tmp_path / "town-edited.log"
    for name, actor, fields in COMMANDS:
        with subtests.test(name, fields=fields):
            select(alone, actor, frame=6)
            form = ask(alone, name, qtbot)
            for field, text in fields.items():
                if field == "mask":
                    form.editors[field].committed.emit(text)
                else:
                    give(form, field, text, qtbot)
            for line in form.findChildren(QLineEdit):
                assert line.fontMetrics().horizontalAdvance(line.text()) <= line.width()
            program, *words = shlex.split(form.command_line())
            assert program == "recorder-editor"
            assert form.command.isVisible()
            press(form, alone, qtbot)
            assert not is_open(form)
            assert main(words) == 0
            assert made.read_bytes() == data_of(alone) != path.read_bytes()
            made.unlink()
            alone.session.editing.undo()


def test_the_command_is_copied(alone: Alone, qtbot: QtBot) -> None:
    select(alone, OTHER)
    form = ask(alone, "actor.role", qtbot)
    give(form, "role", "my car", qtbot)
    qtbot.mouseClick(form.command.copy, LEFT)
    words = "recorder-editor edit town.log town-edited.log --set-role '101=my car'"
    assert QGuiApplication.clipboard().text() == words
    form.reject()


# --- the form itself ----------------------------------------------------------------------------------------


def test_a_cancelled_edit_leaves_no_trace(alone: Alone, path: Path, theme: Theme, qtbot: QtBot) -> None:
    def make(_snapshot: Any, _values: Any, progress: Progress) -> Any:
        while True:
            progress.update(1, 4)

    form = FormDialog(
        alone.session, theme, FormSpec("Long", "Something long", "Do", (FieldSpec("x", "X", "number", 1.0),), make)
    )
    form.show_()
    qtbot.mouseClick(form.go, LEFT)
    assert form.job_panel.strip.isVisible()
    assert not form.go.isEnabled()
    assert not form.editors["x"].isEnabled()
    form.job_panel.strip.cancel_button.click()
    idle(alone, qtbot)
    assert form.go.isEnabled()
    assert steps(alone) == []
    assert data_of(alone) == path.read_bytes()
    form.reject()


def test_a_life_that_is_gone_meanwhile_is_named(alone: Alone, qtbot: QtBot) -> None:
    select(alone, CAR)
    form = ask(alone, "path.sideways", qtbot)
    snapshot = alone.session.snapshot_or_refuse()
    alone.session.editing.apply(remove_actors(snapshot, [life(alone, CAR)]))
    press(form, alone, qtbot)
    assert form.job_panel.sentence.text() == "Actor 100 is no longer there as it was; choose it again."
    form.reject()


def test_another_edit_meanwhile_does_no_harm(alone: Alone, qtbot: QtBot) -> None:
    select(alone, CAR)
    form = ask(alone, "actor.role", qtbot)
    alone.session.editing.apply(set_header(alone.session.snapshot_or_refuse(), map_name="Town02"))
    give(form, "role", "ego", qtbot)
    press(form, alone, qtbot)
    assert life(alone, CAR).role_name == "ego"
    assert len(steps(alone)) == 2


# --- real recordings ----------------------------------------------------------------------------------------


def test_a_real_recording_is_edited_and_comes_back(open_window: OpenWindow, recordings: Path, qtbot: QtBot) -> None:
    path = recordings / "carla-0.9.15-town05-bikes.log"
    window = open_window(path)
    window.show()
    idle(window, qtbot)
    car = next(one for one in window.session.actors or () if one.blueprint.startswith("vehicle.tesla"))
    select(window, car.actor, frame=100)
    form = ask(window, "actor.remove", qtbot)
    press(form, window, qtbot)
    assert car.actor not in ids(window)
    window.registry.run("edit.undo")
    assert data_of(window) == path.read_bytes()


@pytest.mark.parametrize(
    "mode", [pytest.param("light", marks=pytest.mark.pictures), pytest.param("dark", marks=pytest.mark.long)]
)
def test_pictures_of_every_form(
    open_window: OpenWindow, recordings: Path, artefacts: Path, theme: Theme, qtbot: QtBot, mode: Any
) -> None:
    theme.set_mode(mode)
    window = open_window(recordings / "carla-0.9.15-town05-bikes.log")
    window.resize(1440, 900)
    window.show()
    idle(window, qtbot)
    cars = [one for one in window.session.actors or () if one.blueprint.startswith("vehicle.tesla")]
    lamp = next(one for one in window.session.actors or () if one.class_ == "traffic light")
    select(window, cars[0].actor, frame=100)
    window.registry.run("actor.copy")
    for name in (*EDITS, "actor.paste"):
        if name in ("actor.keep", "actor.make_hero", "actor.copy"):
            continue
        select(window, lamp.actor if name == "actor.traffic_light" else cars[0].actor, frame=100)
        form = ask(window, name, qtbot)
        if name == "actor.blueprint":
            give(form, "blueprint", "vehicle.nobody.knows", qtbot)
        for label in form.findChildren(QLineEdit):
            assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
        assert form.grab().save(str(artefacts / f"form-{name}-{mode}.png"))
        if name == "path.sideways":
            window.grab().save(str(artefacts / f"actor-ghost-{mode}.png"))
        form.reject()
    menu = window.menus["Actor"]
    menu.popup(window.mapToGlobal(QPoint(300, 20)))
    assert menu.grab().save(str(artefacts / f"actor-menu-{mode}.png"))
    menu.close()
