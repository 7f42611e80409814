"""Workspaces: saved under a name, chosen, renamed, deleted, shared as a file, remembered for a recording."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from recorder_editor.reading.events import KINDS
from recorder_editor.recording.place import Place
from recorder_editor.ui.app import create_window, settle
from recorder_editor.ui.session.settings import MOST_TEXTS, Settings
from recorder_editor.ui.shell.dock_layout import PRESETS
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ACTORS, PACKETS, SCENE, SIGNALS, TIMELINE
from recorder_editor.ui.shell.reopening import show_again, shown_by
from recorder_editor.views.signal_key import Key

from .. import builders as b
from ..extent import examples
from .parts import Parts, begin_anew
from .windows import idle, workspace_cell

NAME, RULE = "Braking & turning", "speed > 1: #D7301F"
SPEED = Key("motion", "speed", "", 1)

part = Parts()


@pytest.fixture
def window(open_window: Callable[..., MainWindow], path: Path, qtbot: QtBot) -> MainWindow:
    return shown(open_window(path, size=(1400, 900)), qtbot)


def shown(window: MainWindow, qtbot: QtBot) -> MainWindow:
    window.show()
    idle(window, qtbot)
    return window


def make_own(window: MainWindow, qtbot: QtBot) -> None:
    """Change a bit of everything that a workspace holds."""
    panes = window.panes
    for dock in ("signals", "actors"):
        panes.show(dock)
    panes.show("history", False)
    idle(window, qtbot)
    window.resizeDocks([panes.docks["attributes"], panes.docks["packets"]], [400, 420], Qt.Orientation.Horizontal)
    panes.layout.moved_by_hand()
    window.splitDockWidget(panes.docks["attributes"], panes.docks["problems"], Qt.Orientation.Vertical)
    panes.get(SIGNALS).add(SPEED, Key("frame", "duration"))
    panes.get(PACKETS).filter.setText("Position where speed > 1")
    panes.get(ACTORS).filter.setText("vehicle")
    for action in ("scene.trails", "scene.follow_middle"):
        window.registry.run(action)
    scene, canvas = panes.get(SCENE), panes.get(TIMELINE).canvas
    scene._use_rules([RULE])
    window.registry.run("scene.color_speed")
    canvas.set_folded(True)
    canvas.show_timeline_lane("Weather", True)
    idle(window, qtbot)


def told(window: MainWindow) -> dict[str, Any]:
    """What of the window belongs to a workspace."""
    panes, scene = window.panes, window.panes.get(SCENE)
    canvas = panes.get(TIMELINE).canvas
    return {
        "signals": [trace.key for trace in panes.get(SIGNALS).traces],
        "filters": [panes.get(spec).filter.text() for spec in (PACKETS, ACTORS)],
        "switches": dict(scene.view.switches),
        "colors": (scene.view.color_by, window.session.rule_colors.rules.lines, scene.view.follow_mode),
        "timeline": (canvas.is_folded, canvas.wishes),
        "open": sorted(name for name in panes.docks if panes.is_open(name)),
    }


def lengths(window: MainWindow) -> dict[str, tuple[int, int]]:
    """Where docks in front begin and how wide they are, from above: bars above them may take of their heights."""
    docks = [dock for dock in window.panes.docks.values() if dock.isVisible() and dock.is_in_front()]
    return {dock.name: (dock.x(), dock.width()) for dock in sorted(docks, key=lambda dock: (dock.y(), dock.x()))}


def name_it(window: MainWindow, qtbot: QtBot, action: str, name: str) -> None:
    """Answer the dialog of an action with a name."""
    window.registry.run(action)
    dialog = window.findChild(QDialog, "askName")
    assert isinstance(dialog, QDialog)
    field = dialog.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    assert dialog.focusWidget() is field
    field.selectAll()
    qtbot.keyClicks(field, name)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(QDialog, "askName") is None)


def menu_of(window: MainWindow) -> QMenu:
    """The menu, as it is when somebody opens it."""
    menu = window.menus["View/Workspace"]
    menu.aboutToShow.emit()
    return menu


def entries(window: MainWindow) -> list[tuple[str, bool]]:
    return [(each.text(), each.isChecked()) for each in menu_of(window).actions() if not each.isSeparator()]


def click(window: MainWindow, qtbot: QtBot, name: str) -> None:
    menu = window.menus["View/Workspace"]
    menu.popup(window.pos())
    entry = next(each for each in menu.actions() if each.text() == name)
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    idle(window, qtbot)


def test_a_workspace_is_saved_chosen_by_the_menu_renamed_and_deleted(
    window: MainWindow, settings: Settings, qtbot: QtBot
) -> None:
    layouts = [text.partition("\t")[0] for text, _ in entries(window)[:5]]
    assert layouts == ["Inspect layout", "Scene layout", "Trim layout", "Repair layout", "Save workspace..."]
    plain = told(window)
    make_own(window, qtbot)
    name_it(window, qtbot, "workspace.save", NAME)
    own, places = told(window), lengths(window)
    assert entries(window)[4] == (NAME.replace("&", "&&"), True)
    window.registry.run("view.preset_trim")
    idle(window, qtbot)
    assert told(window)["open"] != own["open"]
    assert told(window)["signals"] == own["signals"]  # the presets are layouts alone
    window.panes.get(SIGNALS).model.clear()
    window.panes.get(PACKETS).filter.clear()
    window.registry.run("scene.color_class")
    click(window, qtbot, NAME.replace("&", "&&"))
    assert told(window) == own != plain
    assert list(lengths(window).items()) == list(places.items())
    window.registry.run("workspace.rename")
    dialog = window.findChild(QDialog, "askName")
    assert isinstance(dialog, QDialog)
    assert not next(each for each in dialog.findChildren(QPushButton) if each.text() == "Save").isEnabled()  # the same
    dialog.reject()
    qtbot.waitUntil(lambda: window.findChild(QDialog, "askName") is None)
    name_it(window, qtbot, "workspace.rename", "Braking")
    assert entries(window)[4] == ("Braking", True)
    assert [name for name, _ in settings.workspaces] == ["Braking"]
    window.registry.run("workspace.delete")
    assert told(window) == own
    assert settings.workspaces == ()
    assert not window.registry.is_enabled("workspace.delete")
    assert window.session.messages[-1].startswith("Braking is deleted")
    name_it(window, qtbot, "workspace.save", "Again")
    window.registry.run("view.preset_repair")
    click(window, qtbot, "Again")
    assert told(window) == own


@part
def the_switch_in_the_toolbar_shows_which_is_on_and_leads_to_each(window: MainWindow, qtbot: QtBot) -> None:
    switch = window.workspace_switch
    for name in PRESETS:
        qtbot.mouseClick(workspace_cell(window, name), Qt.MouseButton.LeftButton)
        settle()
        assert window.panes.preset == name
        assert [each for each in PRESETS if workspace_cell(window, each).isChecked()] == [name]
    assert switch.more.text() == ""
    name_it(window, qtbot, "workspace.save", NAME)
    qtbot.waitUntil(lambda: switch.more.text() == NAME)
    assert switch.more.property("on")
    assert not any(workspace_cell(window, each).isChecked() for each in PRESETS)
    qtbot.mouseClick(workspace_cell(window, "inspect"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: switch.more.text() == "")
    assert not switch.more.property("on")
    menu = switch.more.menu()
    menu.aboutToShow.emit()
    texts = [entry.text().partition("\t")[0] for entry in menu.actions()]
    assert texts == [NAME.replace("&", "&&"), "", "Save workspace...", "Reset layout"]
    menu.actions()[0].trigger()
    assert window.workspaces.current == NAME
    forget(window)


@part
def one_that_was_saved_before_the_layout_of_its_name_is_kept_beside_it(
    window: MainWindow, settings: Settings, qtbot: QtBot
) -> None:
    kept = {"workspace": 1, "name": "scene", "layout": "trim", "docks": [], "panes": {"events": {"frequent": True}}}
    settings.workspaces = [("scene", json.dumps(kept))]
    window.workspaces.choose("scene 2")
    idle(window, qtbot)
    assert (window.panes.preset, window.workspaces.current) == ("trim", "scene 2")
    assert window.session.events.switched == {kind.name: True for kind in KINDS if kind.is_frequent}
    assert not any(message.startswith("This workspace cannot") for message in window.session.messages)
    window.session.events.show_kinds({})
    forget(window)


@part
def a_workspace_is_found_by_its_name(window: MainWindow, qtbot: QtBot) -> None:
    name_it(window, qtbot, "workspace.save", NAME)
    window.registry.run("view.preset_trim")
    field = window.search_field
    qtbot.keyClicks(field, "turning")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.workspaces.current == NAME)
    forget(window)


@part
def with_a_large_scene_attributes_come_and_go_with_the_selection(window: MainWindow, qtbot: QtBot) -> None:
    window.registry.run("view.preset_scene")
    idle(window, qtbot)
    docks, selection = window.panes.docks, window.session.selection
    selection.go_to_frame(5)
    actors = window.session.actors
    assert actors is not None
    first, second = [life.actor for life in actors if life.is_road_user][:2]
    assert docks["actors"].is_in_front()
    assert not docks["attributes"].isVisible()
    width = window.panes.centre.width()
    assert width > 0.6 * window.width()
    selection.select_actor(first)
    settle()
    assert docks["attributes"].isVisible()
    assert docks["actors"].y() < docks["attributes"].y()
    docks["attributes"].close()
    selection.select_actor(second)
    settle()
    assert not docks["attributes"].isVisible(), "who closed it wants the room"
    selection.select(Place(selection.row))
    settle()
    assert not docks["attributes"].isVisible()
    window.panes.show("attributes")
    selection.select_actor(first)
    settle()
    assert docks["attributes"].isVisible()
    assert window.panes.centre.width() == width
    window.panes.show("history", False)
    for layout in ("inspect", "scene"):
        window.registry.run(f"view.preset_{layout}")
        idle(window, qtbot)
    assert docks["attributes"].isVisible()
    assert not docks["history"].isVisible()
    window.panes.show("history")
    name_it(window, qtbot, "workspace.save", NAME)
    selection.select(Place(selection.row))
    settle()
    assert docks["attributes"].isVisible(), "a workspace stays as it was saved"
    forget(window)


@part
def the_tab_that_is_in_front_belongs_to_a_workspace(window: MainWindow, qtbot: QtBot) -> None:
    window.panes.show("actors")
    name_it(window, qtbot, "workspace.save", NAME)
    window.registry.run("view.preset_trim")
    click(window, qtbot, NAME.replace("&", "&&"))
    assert window.panes.docks["actors"].is_in_front()
    forget(window)


@part
def saving_under_the_same_name_keeps_what_is_shown_now(window: MainWindow, settings: Settings, qtbot: QtBot) -> None:
    name_it(window, qtbot, "workspace.save", NAME)
    window.panes.get(PACKETS).filter.setText("Weather")
    window.registry.run("workspace.save")
    dialog = window.findChild(QDialog, "askName")
    assert isinstance(dialog, QDialog)
    assert dialog.findChild(QLineEdit).text() == NAME
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert [name for name, _ in settings.workspaces] == [NAME]
    assert json.loads(dict(settings.workspaces)[NAME])["panes"]["packets"]["filter"] == "Weather"
    window.panes.get(PACKETS).filter.clear()
    forget(window)


@part
def a_name_that_cannot_be_is_not_taken(window: MainWindow, qtbot: QtBot) -> None:
    window.registry.run("workspace.save")
    dialog = window.findChild(QDialog, "askName")
    assert isinstance(dialog, QDialog)
    save = next(each for each in dialog.findChildren(QPushButton) if each.text() == "Save")
    for name, is_right in (("", False), ("  ", False), ("trim", False), ("x" * 61, False), (" Braking ", True)):
        dialog.findChild(QLineEdit).setText(name)
        assert save.isEnabled() == is_right
    dialog.reject()
    qtbot.waitUntil(lambda: window.findChild(QDialog, "askName") is None)


def forget(window: MainWindow) -> None:
    """Leave no workspace behind, and the layout with which a window begins."""
    window.workspaces.delete()
    assert window.workspaces.own == {}
    window.workspaces.choose("inspect")


def choose_file(patch: pytest.MonkeyPatch, path: Path) -> None:
    for asks in ("getOpenFileName", "getSaveFileName"):
        patch.setattr(QFileDialog, asks, lambda *_args, **_more: (str(path), "Workspaces (*.json)"))


def test_a_workspace_outlives_its_window_as_a_file_with_the_recording_and_by_itself(
    window: MainWindow,
    open_window: Callable[..., MainWindow],
    close_window: Callable[[MainWindow], None],
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    make_own(window, qtbot)
    name_it(window, qtbot, "workspace.save", NAME)
    own, places = told(window), lengths(window)
    choose_file(monkeypatch, tmp_path / "shared")
    window.registry.run("workspace.export")
    file = tmp_path / "shared.json"
    assert json.loads(file.read_text())["name"] == NAME

    # A file brings it into a fresh window.
    fresh = create_window(path, theme=window.theme, settings=Settings(tmp_path / "others.ini"), size=(1400, 900))
    other = shown(fresh, qtbot)
    choose_file(monkeypatch, file)
    other.registry.run("workspace.import")
    idle(other, qtbot)
    assert told(other) == own
    assert list(lengths(other).items()) == list(places.items())
    assert other.workspaces.current == NAME
    other.registry.run("workspace.import")
    assert list(other.workspaces.own) == [NAME, f"{NAME} 2"]
    close_window(other)
    other.deleteLater()

    # Chosen for a recording it is there when that is opened again.
    second = tmp_path / "other.log"
    second.write_bytes(b.drive(20, vehicles=2))
    window.documents.open(second)
    qtbot.waitUntil(lambda: window.documents.path == second)
    idle(window, qtbot)
    window.workspaces.choose("trim")
    assert told(window)["signals"] == []
    window.documents.open(path)
    qtbot.waitUntil(lambda: window.documents.path == path)
    idle(window, qtbot)
    assert told(window) == own
    window.documents.open(second)
    qtbot.waitUntil(lambda: window.documents.path == second)
    assert window.panes.preset == window.workspaces.current == "trim"
    again = shown(open_window(path, size=(1400, 900)), qtbot)
    assert told(again) == own

    # A window that is reopened has it, and what was changed since.
    again.panes.get(SCENE).view.switch("ids")
    changed = told(again)
    assert changed != own
    seen = shown_by(again)
    close_window(again)
    after = open_window(size=(1400, 900))
    show_again(after, seen)
    qtbot.waitUntil(lambda: after.session.is_complete and not after.session.jobs.running)
    shown(after, qtbot)
    assert after.workspaces.current == NAME
    assert told(after) == changed


GOOD: dict[str, Any] = {
    "workspace": 1,
    "name": NAME,
    "layout": "inspect",
    "docks": [
        {"pane": "timeline", "at": "bottom", "of": "", "size": [1400, 200]},
        {"pane": "packets", "at": "left", "of": "", "size": [400, 300]},
        {"pane": "bytes", "at": "below", "of": "packets", "size": [400, 200]},
    ],
    "panes": {"packets": {"filter": "Weather"}, "scene": {"ids": False, "color_by": "own"}},
}


def dock(**more: Any) -> dict[str, Any]:
    return {"docks": [{"pane": "packets", "at": "left", "of": "", "size": [400, 300], **more}]}


ODD: list[tuple[dict[str, Any], str]] = [
    ({"workspace": 2}, "This is no workspace: "),
    ({"more": 2}, "This is no workspace: "),
    ({"name": ""}, "This is no workspace: "),
    ({"name": "repair"}, "This is no workspace: "),
    ({"name": ["x"]}, "This is no workspace: "),
    ({"layout": "outside"}, "This is no workspace: "),
    ({"docks": {}}, "This is no workspace: "),
    (dock(pane="nobody"), "This is no workspace: "),
    (dock(at="below"), "This is no workspace: "),
    (dock(at="behind", of="packets"), "This is no workspace: "),
    (dock(size=[1, "2"]), "This is no workspace: "),
    ({"docks": [*dock()["docks"], *dock()["docks"]]}, "This is no workspace: "),
    ({"panes": []}, "This is no workspace: "),
    ({"panes": {"nobody": {"filter": ""}}}, 'This workspace cannot be used: “nobody.filter” cannot be ""'),
    ({"panes": {"packets": {"nothing": 1}}}, "This workspace cannot be used: “packets.nothing” cannot be 1"),
    ({"panes": {"packets": {"filter": 5}}}, "This workspace cannot be used: “packets.filter” cannot be 5"),
    ({"panes": {"packets": 7}}, "This workspace cannot be used: “packets.” cannot be 7"),
    ({"panes": {"scene": {"ids": 1}}}, "This workspace cannot be used: “scene.ids” cannot be 1"),
    ({"panes": {"scene": {"color_by": "taste"}}}, "This workspace cannot be used: “scene.color_by” cannot be"),
    ({"panes": {"scene": {"roads": "all"}}}, "This workspace cannot be used: “scene.roads” cannot be"),
    ({"panes": {"scene": {"rules": [5]}}}, "This workspace cannot be used: “scene.rules” cannot be [5]"),
    ({"panes": {"timeline": {"lanes": {"Weather": []}}}}, "This workspace cannot be used: “timeline.lanes” can"),
    ({"panes": {"signals": {"signals": [["motion", "mood", "", 1, None]]}}}, "This workspace cannot be used: “sig"),
    ({"panes": {"signals": {"signals": [["motion", "speed", "", -1, None]]}}}, "This workspace cannot be used: “si"),
    ({"panes": {"signals": {"signals": [["frame", "speed", "", 1, None]]}}}, "This workspace cannot be used: “sign"),
    ({"panes": {"signals": {"signals": [[5]]}}}, "This workspace cannot be used: “signals.signals” cannot be"),
]


@part
def a_file_that_is_no_workspace_is_refused_and_nothing_changes(window: MainWindow, tmp_path: Path) -> None:
    before, file = (told(window), lengths(window)), tmp_path / "odd.json"
    for change, said in ODD:
        file.write_text(json.dumps(GOOD | change))
        window.workspaces.read(file)
        assert window.session.messages[-1].startswith(said)
        assert (told(window), lengths(window)) == before
    assert window.workspaces.own == {}
    assert window.workspaces.current == "inspect"


@part
def a_file_that_is_no_json_is_refused(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    for number, text in enumerate(("", "[", "[]", "null", "1e999", '{"a": 1, "a": 2}', "[" * 9_000, "\x00\xff"), 1):
        file.write_bytes(text.encode("latin-1"))
        window.workspaces.read(file)
        assert len(window.session.messages) == number
    window.workspaces.read(tmp_path / "missing.json")
    assert "missing.json" in window.session.messages[-1]
    assert window.workspaces.own == {}


@part
def a_spoilt_list_is_empty_a_spoilt_workspace_refused_and_there_are_not_too_many(
    window: MainWindow, settings: Settings
) -> None:
    settings.workspaces = [("Odd", "{")]
    window.workspaces.choose("Odd")
    assert window.workspaces.current == "inspect"
    assert "JSON" in window.session.messages[-1]
    settings.workspaces = [(f"n{number}", "{}") for number in range(MOST_TEXTS)]
    window.workspaces.save(NAME)
    assert window.session.messages[-1] == f"No more than {MOST_TEXTS} workspaces are kept; delete one first."
    assert NAME not in window.workspaces.own
    settings.store.setValue("workspaces", "[1, [2]]")
    assert window.workspaces.own == {}
    settings.workspaces = []


@part
def any_change_of_a_file_is_shown_or_refused(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    make_own(window, qtbot)
    window.workspaces.save(NAME)
    text, rng, file = window.workspaces.own[NAME], random.Random(14), tmp_path / "odd.json"
    parts = [
        '"left"',
        '"behind"',
        "0",
        "-1",
        "1e9",
        "[]",
        "{}",
        '""',
        "true",
        "null",
        '"packets"',
        '"bytes"',
        "99999999999",
    ]
    for _ in range(examples(60)):
        at = rng.randrange(len(text))
        file.write_text(f"{text[:at]}{rng.choice(parts)}{text[at + rng.randrange(12) :]}", encoding="utf-8")
        window.workspaces.read(file)
        QApplication.processEvents()
        for name in [name for name in window.workspaces.own if name != NAME]:
            window.workspaces.choose(name)
            window.workspaces.delete()
    idle(window, qtbot)
    window.workspaces.choose(NAME)
    assert window.workspaces.current == NAME


def test_workspaces_in_one_window(
    window: MainWindow, settings: Settings, path: Path, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    begin = begin_anew(window, path, qtbot)
    part.run(subtests, begin, window=window, settings=settings, tmp_path=tmp_path, qtbot=qtbot)


def test_rules_are_kept_however_many_there_are(settings: Settings) -> None:
    lines = tuple(f"speed > {number}: red" for number in range(200))
    settings.color_rules = lines
    assert Settings(settings.path).color_rules == lines
    settings.store.setValue("color_rules", json.dumps([["speed > 1: red", ""], ["speed > 2: blue", ""]]))
    assert settings.color_rules == ("speed > 1: red", "speed > 2: blue")
