"""In a language that is longer and marked no text of the program is plain English, and none is cut off."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor import resources
from recorder_editor.edits import Place, remove_actors
from recorder_editor.format import header
from recorder_editor.texts import say
from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.session.settings import Recent, Settings
from recorder_editor.ui.shell.dock_layout import PRESETS
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, BYTES, DIFFERENCES, SIGNALS
from recorder_editor.ui.shell.tour import Tour
from recorder_editor.ui.style.boxes import fill
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import Label
from recorder_editor.views.selection import HEADER
from recorder_editor.views.signal_catalog import signals_of_actor

from ..extent import is_long
from .pseudo import Reader, marked, of_model, speaking_it, write_language
from .windows import OpenWindow, ask_nobody, dialogs

PROJECT = Path(__file__).resolve().parents[2]
SAMPLE, DAMAGED = resources.path("sample/town.log"), resources.path("sample/town-damaged.log")
SIZE = (1280, 800)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the language."""
    spec = importlib.util.spec_from_file_location("translations", PROJECT / "packaging" / "translations.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    folder = tmp_path_factory.mktemp("language")
    write_language(folder, script)
    return folder


@pytest.fixture
def reader(folder: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    """Reads windows in this language; in the end all was translated and had room."""
    ask_nobody(monkeypatch)
    reader = Reader()
    for recording in (SAMPLE, DAMAGED):
        reader.know(recording)
    with speaking_it(folder, qapp):
        yield reader


def judge(reader: Reader, least: int = 100) -> None:
    plain = reader.plain()
    assert not plain, "\n".join(plain)
    assert not reader.cut, "\n".join(reader.cut)
    assert len(reader.texts) > least


def open_town(open_window: OpenWindow, path: Path = SAMPLE, preset: str = "inspect") -> MainWindow:
    window = open_window(path, size=SIZE, preset=preset)
    wait_for_jobs(window)
    return window


def test_on_the_first_page_and_in_the_tour(reader: Reader, open_window: OpenWindow, settings: Settings) -> None:
    settings.remember(Recent(str(SAMPLE), "DemoTown", 21.0, "2026-11-23", "0.9.15", 421, 2_374_816))
    window = open_window(size=SIZE)
    reader.look(window)
    reader.open_menus(window)
    window.registry.run("help.tour")
    wait_for_jobs(window)
    (tour,) = window.findChildren(Tour)
    for _ in range(7):
        reader.look(tour)
        tour.go(1)
        settle()
    judge(reader)


def choose(window: MainWindow) -> None:
    """Select an actor in a frame, and a range."""
    window.session.selection.go_to_frame(254)
    window.session.selection.select_actor(25)
    window.session.range.set(160, 380)
    wait_for_jobs(window)


def test_in_no_layout_pane_and_dialog_and_of_no_packet_and_signal(
    reader: Reader, open_window: OpenWindow, request: pytest.FixtureRequest, subtests: pytest.Subtests
) -> None:
    """In one window; of dialogs and packets a part, with `--long` all."""
    window = open_town(open_window)
    whole = is_long(request.config)
    with subtests.test("layouts and panes"):
        read_layouts_and_panes(window, reader, whole=whole)
    with subtests.test("packets and signals"):
        read_packets_and_signals(window, reader, whole=whole)
    with subtests.test("dialogs"):
        read_dialogs(window, reader, whole=whole)


def read_layouts_and_panes(window: MainWindow, reader: Reader, *, whole: bool) -> None:
    choose(window)
    assert window.session.actors is not None
    window.session.editing.apply(remove_actors(window.session.snapshot_or_refuse(), window.session.actors.of_id(26)))
    wait_for_jobs(window)
    for preset in PRESETS:
        window.registry.run(f"view.preset_{preset}")
        wait_for_jobs(window)
        reader.look(window)
    window.registry.run("view.preset_inspect")
    reader.open_menus(window)
    for name in window.panes.docks.keys() - PRESETS.keys():
        window.panes.show(name)
        settle()
        reader.look(window.panes.docks[name])
        reader.open_menus(window.panes.docks[name])
    reader.point_at(window, 8 if whole else 4)
    for typed in ("", "e", "25", "0x10"):
        window.registry.run("palette.open")
        QTest.keyClicks(window.search_field, typed)
        reader.read(of_model(window.search_field.model, QModelIndex(), "palette"))
    judge(reader)


def read_dialogs(window: MainWindow, reader: Reader, *, whole: bool) -> None:
    window.registry.run("view.preset_inspect")
    choose(window)
    seen, actions = 0, dialogs(window, slice(None) if whole else slice(3, None, 4))
    for action in actions:
        if window.registry.is_enabled(action):
            window.registry.run(action)
            wait_for_jobs(window)
            for dialog in QApplication.topLevelWidgets():
                if dialog is not window and dialog.isVisible():
                    seen += isinstance(dialog, QDialog)
                    reader.look(dialog)
                    dialog.close()
    assert seen > len(actions) / 3
    judge(reader, least=len(actions))


def read_packets_and_signals(window: MainWindow, reader: Reader, *, whole: bool) -> None:
    window.session.editing.undo()
    window.registry.run("view.preset_inspect")
    wait_for_jobs(window)
    parts = [window.panes.docks[each.name] for each in (ATTRIBUTES, BYTES)] + [window.status]
    row = window.session.snapshot_or_refuse().table.row_of_frame(254)
    for place in [
        Place(HEADER),
        Place(HEADER, field=header.FIELDS[0].path),
        Place(row),
        *(Place(row, packet, 0) for packet in range(24)),
    ]:
        window.session.selection.select(place)
        settle()
        # The others are made in the same way of each packet.
        for part in parts if whole or (place.packet or 0) % 6 == 0 else parts[:1]:
            reader.look(part)
    signals, actors = window.panes.get(SIGNALS), window.session.actors
    window.panes.show(SIGNALS.name)
    assert actors is not None
    signals.add(*signals_of_actor(window.session.snapshot_or_refuse(), actors, 25, 254))
    wait_for_jobs(window)
    reader.look(signals)
    reader.open_menus(signals)
    judge(reader)


def test_of_no_damage_and_no_difference(reader: Reader, open_window: OpenWindow) -> None:
    window = open_town(open_window, DAMAGED, "repair")
    reader.look(window)
    reader.open_menus(window)
    window.session.comparison.begin_later(SAMPLE, lambda error: pytest.fail(str(error)))
    wait_for_jobs(window)
    window.panes.show(DIFFERENCES.name)
    settle()
    reader.look(window)
    reader.open_menus(window.panes.docks[DIFFERENCES.name])
    judge(reader)


def test_what_was_not_translated_or_has_no_room_is_found(reader: Reader, theme: Theme, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    texts = (say("Open"), "Town05 25 m/s CARLA", "Open", f"{say('Open')} all", "Right", f"{say('Open')} (Alt+Right)")
    labels = [Label(theme, text) for text in texts]
    fill(QHBoxLayout(page), *labels)
    page.show()
    reader.look(page)
    assert [each.partition("text: ")[2] for each in reader.plain()] == ["'Open'", "'Right'", f"'{marked('Open')} all'"]
    assert not reader.cut
    labels[0].setFixedWidth(10)
    settle()
    reader.look(page)
    assert len(reader.cut) == 1
