"""The Library beside the start page and a recording: a folder is indexed, rows are filtered, sorted and opened."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from recorder_editor import edits, resources
from recorder_editor.fleet import catalogue
from recorder_editor.fleet.catalogue import NAME, index
from recorder_editor.fleet.pool import Outcome, run_many
from recorder_editor.ui.app import settle
from recorder_editor.ui.session.preferences import THRESHOLDS
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.library import Library
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from .clipping import cut_words, painted_words
from .parts import Parts, close_dialogs
from .windows import OpenWindow, idle

LEFT = Qt.MouseButton.LeftButton


def make_drives(place: Path) -> None:
    """The sample, and a short recording in a folder below it."""
    (place / "deep").mkdir(parents=True)
    shutil.copy(resources.path("sample/town.log"), place)
    (place / "deep/short.log").write_bytes(b.drive(6, vehicles=2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two short recordings, one of them in a folder below it."""
    place = tmp_path / "drives"
    (place / "deep").mkdir(parents=True)
    for name in ("town.log", "deep/short.log"):
        (place / name).write_bytes(b.drive(6, vehicles=2))
    return place


@pytest.fixture(scope="module")
def indexed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its index, to be copied."""
    place = tmp_path_factory.mktemp("indexed") / "drives"
    make_drives(place)
    index(place)
    return place


@pytest.fixture
def indexed(indexed_once: Path, tmp_path: Path, settings: Settings) -> Path:
    """The folder, indexed and chosen."""
    folder = tmp_path / "drives"
    shutil.copytree(indexed_once, folder)
    settings.library = str(folder)
    return folder


@pytest.fixture
def show(open_window: OpenWindow, qtbot: QtBot) -> Callable[..., Library]:
    """Opens the Library of a new window from its start page."""

    def opened(**more: Any) -> Library:
        window = open_window(**more)
        window.registry.run("file.library")
        library = window.findChild(Library)
        rested(library, qtbot)
        return library

    return opened


def rested(library: Library, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not library._latest.is_pending and not library.session.jobs.running)
    settle()


def told(library: Library) -> list[str]:
    """The paths of the rows, as they are shown."""
    model = library.model
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def window_of(library: Library) -> MainWindow:
    window = library.window()
    assert isinstance(window, MainWindow)
    return window


def at(library: Library, row: int, column: int = 0) -> tuple[QModelIndex, QPoint]:
    index_ = library.model.index(row, column)
    return index_, library.table.visualRect(index_).center()


def type_filter(library: Library, text: str, qtbot: QtBot) -> None:
    library.filter.clear()
    qtbot.mouseClick(library.filter, LEFT)
    qtbot.keyClicks(library.filter, text)
    rested(library, qtbot)


def index_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process from now on."""
    monkeypatch.setattr(catalogue, "run_many", lambda work, items, _workers, works_here=False: run_many(work, items))


def test_at_first_it_says_what_to_do_and_an_index_is_made_from_it(
    show: Callable[..., Library], folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = show()
    assert library.isVisible()
    assert library.empty.text() == "No folder is indexed"
    assert told(library) == []
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    said: list[str] = []
    library.session.informed.connect(said.append)
    assert not library.index_button.isVisible()
    middle = library.first_button.mapTo(library, library.first_button.rect().center())
    assert abs(middle.x() - library.width() // 2) < 10
    qtbot.mouseClick(library.first_button, LEFT)
    assert library.progress.isVisible()
    assert library.session.jobs.running[0].title == "Indexing drives"
    rested(library, qtbot)
    assert not library.progress.isVisible()
    assert told(library) == ["deep/short.log", "town.log"]
    assert library.place.text().startswith("2 in ")
    assert said == [f"{folder / NAME}: 2 read, 0 unchanged, 0 gone, 0 failed."]
    index_here(monkeypatch)
    qtbot.mouseClick(library.index_button, LEFT)
    rested(library, qtbot)
    assert said[1:] == [f"{folder / NAME}: 0 read, 2 unchanged, 0 gone, 0 failed."]
    library.settings[THRESHOLDS[0]] = 1.0
    qtbot.mouseClick(library.index_button, LEFT)
    rested(library, qtbot)
    assert said[2:] == [f"{folder / NAME}: 2 read, 0 unchanged, 0 gone, 0 failed."]


def rows_have_the_paths_driven_and_numbers(library: Library, theme: Theme) -> None:
    model = library.model
    heads = [model.headerData(at_, Qt.Orientation.Horizontal) for at_ in range(model.columnCount())]
    assert heads[:3] == ["Recording", "Map", "Release"]
    cells = dict(zip(heads, (model.index(1, at_).data() for at_ in range(len(heads))), strict=True))
    assert [*cells.values()] == [
        *("town.log", "DemoTown", "0.9.15", "2025-01-01 13:00:00", "421", "21.00", "22", "13", "1", "0", "–", "0"),
        "2,374,816",
    ]
    assert model.index(0, heads.index("Minimum 2D-TTC, s")).data() == "–"

    def inks(row: int) -> set[int]:
        picture = model.index(row, 0).data(Qt.ItemDataRole.DecorationRole)
        assert isinstance(picture, QPixmap)
        assert picture.deviceIndependentSize().toSize() == library.table.iconSize()
        image = picture.toImage()
        return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}

    assert theme.palette.muted.rgb() in inks(1)
    assert theme.palette.scene.rgb() in inks(0)


def enter_in_the_filter_leads_to_the_rows_in_silence(
    library: Library, qtbot: QtBot, capfd: pytest.CaptureFixture[str]
) -> None:
    """PySide says on the error output what it cannot pass on as the type of a signal."""
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
        library.filter.setFocus()
        qtbot.keyClick(library.filter, key)
        assert QApplication.focusWidget() is library.table
    assert capfd.readouterr().err == ""


def the_filter_takes_expressions_and_tells_where_one_is_wrong(library: Library, qtbot: QtBot) -> None:
    type_filter(library, "town == 'DemoTown' and collisions > 0", qtbot)
    assert told(library) == ["town.log"]
    assert not library.error.message
    type_filter(library, "town == 'DemoTown' and colisions > 0", qtbot)
    assert library.error.message == "Recording has no field “colisions”. Did you mean “collisions”?"
    assert library.error.column == 24
    assert told(library) == ["town.log"]  # what was found before
    type_filter(library, "frames > 1000", qtbot)
    assert (told(library), library.empty.text()) == ([], "No row matches")
    assert not library.error.message
    qtbot.keyClick(library.filter, Qt.Key.Key_Escape)
    rested(library, qtbot)
    assert len(told(library)) == 2
    assert QApplication.focusWidget() is library.table


def a_click_on_a_heading_sorts_and_what_is_unknown_is_last(library: Library, qtbot: QtBot) -> None:
    library.window().resize(1440, 900)
    settle()

    def click(name: str) -> list[str]:
        header = library.header
        column = library.model.names.index(name)
        place = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
        qtbot.mouseClick(header.viewport(), LEFT, pos=place)
        return told(library)

    assert told(library) == ["deep/short.log", "town.log"]
    assert click("frames") == ["deep/short.log", "town.log"]
    assert click("frames") == ["town.log", "deep/short.log"]
    assert click("min_ttc")[0] == click("min_ttc")[0] == "town.log"
    click("frames")
    type_filter(library, "frames > 0", qtbot)
    assert told(library) == ["deep/short.log", "town.log"]  # as before
    assert click("frames") == ["town.log", "deep/short.log"]
    qtbot.mouseClick(library.kinds.segment(1), LEFT)
    rested(library, qtbot)
    assert len(told(library)) == 3


def a_recording_is_opened_and_closing_it_leads_back(library: Library, indexed: Path, qtbot: QtBot) -> None:
    window = window_of(library)
    for key in (False, True):
        row, place = at(library, 1)
        if key:
            library.table.setFocus()
            library.table.setCurrentIndex(row)
            qtbot.keyClick(library.table, Qt.Key.Key_Return)
        else:
            qtbot.mouseClick(library.table.viewport(), LEFT, pos=place)
            qtbot.mouseDClick(library.table.viewport(), LEFT, pos=place)
        qtbot.waitUntil(lambda: window.session.is_complete)
        assert window.documents.path == indexed / "town.log"
        assert window.session.selection.frame_index == 0
        qtbot.waitUntil(lambda: not library.isVisible())
        window.registry.run("file.close")
        assert library.isVisible()
        assert not window.start_page.isVisible()
        rested(library, qtbot)
        assert len(told(library)) == 2
    qtbot.mouseClick(library.back_button, LEFT)
    assert window.start_page.isVisible()


def an_event_is_opened_at_its_frame_with_its_actor(library: Library, qtbot: QtBot) -> None:
    qtbot.mouseClick(library.kinds.segment(1), LEFT)
    type_filter(library, "kind == 'collision'", qtbot)
    (row,) = (dict(zip(library.model.names, each, strict=True)) for each in library.model.rows)
    window, (_, place) = window_of(library), at(library, 0, 2)
    qtbot.mouseClick(library.table.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(library.table.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: window.session.is_complete and window.session.selection.frame_index > 0)
    assert window.session.selection.frame_index == row["frame"] - 1
    assert window.session.selection.actor == row["actor"]
    actors = window.session.actors
    assert actors is not None
    assert row["frame"] - 1 in actors.contacts["first"].tolist()
    events = window.session.events
    qtbot.waitUntil(lambda: events.chosen is not None)
    assert events.found is not None
    assert events.found.kind(events.chosen or 0).name == "collision"
    assert events.worst_frame == row["frame"] - 1
    assert events.is_selected


def beside_a_recording_nothing_is_closed_and_escape_leads_back(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    session = window.session
    session.editing.apply(edits.set_header(session.snapshot_or_refuse(), map_name="Town02"))
    session.selection.go_to_frame(3)
    settle()
    scene = window.panes.get(SCENE)
    scene.view.setFocus()
    scene.view.zoom(2.0, QPointF(50, 50))
    scale = scene.view.camera.scale
    before = session.snapshot, session.is_modified, window.windowTitle()
    docks = {name for name, dock in window.panes.docks.items() if dock.isVisible()}
    window.registry.run("file.library")
    library = window.findChild(Library)
    rested(library, qtbot)
    assert library.isVisible()
    assert told(library) == ["deep/short.log", "town.log"]
    assert library.back_button.text() == "Back to short.log"
    assert not [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]

    def assert_back() -> None:
        settle()
        assert not library.isVisible()
        assert before == (session.snapshot, session.is_modified, window.windowTitle())
        assert session.selection.frame_index == 3
        assert {name for name, dock in window.panes.docks.items() if dock.isVisible()} == docks
        assert scene.view.hasFocus()
        assert scene.view.camera.scale == scale

    with subtests.test("letters and Space do nothing to what is not seen"):
        for key in (Qt.Key.Key_I, Qt.Key.Key_S, Qt.Key.Key_Space):
            qtbot.keyClick(library.table, key)
        assert not session.range.is_set
        assert not window.player.is_playing
    with subtests.test("Escape"):
        qtbot.keyClick(library.table, Qt.Key.Key_Escape)
        assert_back()
    with subtests.test("the button"):
        window.registry.run("file.library")
        qtbot.mouseClick(library.back_button, LEFT)
        assert_back()
    with subtests.test("the recording itself is chosen in it"):
        window.registry.run("file.library")
        rested(library, qtbot)
        library.table.setCurrentIndex(library.model.index(0, 0))
        qtbot.keyClick(library.table, Qt.Key.Key_Return)
        assert_back()


def what_is_done_beside_it_shows_the_recording_again(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.editing.apply(edits.set_header(session.snapshot_or_refuse(), map_name="Town02"))
    for action in ("view.preset_inspect", "view.preset_trim", "edit.undo"):
        window.registry.run("file.library")
        library = window.findChild(Library)
        assert library.isVisible()
        window.registry.run(action)
        settle()
        assert not library.isVisible(), action
        assert window.panes.centre.isVisible()
    assert not session.is_modified
    window.registry.run("file.library")
    window.registry.run("file.close")
    rested(library, qtbot)
    assert library.isVisible()
    assert library.back_button.text() == "Start page"
    assert session.snapshot is None


def another_recording_is_opened_from_beside_one_and_edits_are_asked_about(
    window: MainWindow, indexed: Path, qtbot: QtBot
) -> None:
    window.session.editing.apply(edits.set_header(window.session.snapshot_or_refuse(), map_name="Town02"))
    window.registry.run("file.library")
    library = window.findChild(Library)
    rested(library, qtbot)
    library.table.setCurrentIndex(library.model.index(1, 0))
    qtbot.keyClick(library.table, Qt.Key.Key_Return)
    (question,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
    discard = next(each for each in question.findChildren(QPushButton) if each.text() == "Discard")
    qtbot.mouseClick(discard, LEFT)
    qtbot.waitUntil(lambda: window.documents.path == indexed / "town.log" and window.session.is_complete)
    qtbot.waitUntil(lambda: not library.isVisible() and window.panes.centre.isVisible())


def the_start_page_counts_what_the_library_holds_and_searches_in_it(library: Library, qtbot: QtBot) -> None:
    window = window_of(library)
    qtbot.mouseClick(library.back_button, LEFT)
    page = window.start_page
    words = page._library_words
    qtbot.waitUntil(lambda: words.text().startswith("2 recordings in "))
    assert " with 1 collision and " in words.text()
    qtbot.keyClicks(page.search, "collisions > 0")
    qtbot.keyClick(page.search, Qt.Key.Key_Return)
    rested(library, qtbot)
    assert library.isVisible()
    assert told(library) == ["town.log"]


def test_indexing_can_be_cancelled(
    show: Callable[..., Library], folder: Path, settings: Settings, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.library = str(folder)
    library = show()
    assert (
        library.empty.text()
        == f"{folder} has no index yet. Make one with recorder-editor index, or with Index folder in the Library."
    )
    library.index()
    assert library.progress.isVisible()
    qtbot.mouseClick(library.progress.cancel_button, LEFT)
    rested(library, qtbot)
    assert not library.progress.isVisible()
    assert not library.findChildren(QDialog)
    index_here(monkeypatch)
    library.index()
    rested(library, qtbot)
    assert len(told(library)) == 2


def a_foreign_file_in_its_place_is_told_and_stays(library: Library, indexed: Path, qtbot: QtBot) -> None:
    (indexed / NAME).write_text("mine", encoding="utf-8")
    words = f"{indexed / NAME} is no index that this release has made, or is damaged."
    for ask in (library.refresh, library.index):
        ask()
        rested(library, qtbot)
        assert library.empty.text().startswith(words)
        assert told(library) == []
    assert (indexed / NAME).read_text("utf-8") == "mine"


def a_file_that_cannot_be_read_is_told(
    library: Library, indexed: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    (indexed / "deep/short.log").write_bytes(b.drive(7))

    def fail(_work: object, items: list[Any], _workers: int, *, works_here: bool) -> Iterator[Outcome[Any, Any]]:
        yield from (Outcome(item, error="It is gone.") for item in items)

    monkeypatch.setattr(catalogue, "run_many", fail)
    said: list[str] = []
    library.session.refused.connect(said.append)
    library.index()
    rested(library, qtbot)
    assert said == [f"{indexed / NAME}: 0 read, 0 unchanged, 0 gone, 2 failed. deep/short.log: It is gone."]


def an_index_from_elsewhere_breaks_nothing(
    library: Library, indexed: Path, indexed_once: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    for value in ("NULL", "-1", "9e99", "'words'", "'a' || char(0)"):
        with subtests.test(value=value):
            shutil.copy(indexed_once / NAME, indexed / NAME)
            spoil(indexed / NAME, value)
            library.refresh()
            rested(library, qtbot)
            use(library, qtbot)
            assert window_of(library).documents.path == indexed / "town.log"
        window_of(library).registry.run("file.close")
        library.kinds.set_current(0)
        rested(library, qtbot)


def spoil(path: Path, value: str) -> None:
    """Write this in place of what an index has."""
    connection = sqlite3.connect(path)
    columns = ", ".join(f"{name} = {value}" for name in ("frame", "actor", "time", "kind", "blueprint"))
    connection.executescript(f"UPDATE events SET {columns}; UPDATE recordings SET lines = {value}, frames = {value}")
    connection.execute(f"UPDATE recordings SET path = {value} WHERE path != 'town.log'")
    connection.commit()
    connection.close()


def use(library: Library, qtbot: QtBot) -> None:
    """Open what is nowhere, and then the first event."""
    window = window_of(library)
    assert len(told(library)) == 2
    window.grab()
    row = told(library).index("town.log") ^ 1
    library.table.setFocus()
    library.table.setCurrentIndex(library.model.index(row, 0))
    qtbot.keyClick(library.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(QDialog)))
    for each in window.findChildren(QDialog):
        each.reject()
    qtbot.mouseClick(library.kinds.segment(1), LEFT)
    rested(library, qtbot)
    window.grab()
    library.table.setCurrentIndex(library.model.index(0, 0))
    qtbot.keyClick(library.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.is_complete)


def the_table_stands_below_the_filter_from_edge_to_edge(library: Library) -> None:
    (left, right), below = (
        [part.mapTo(library, QPoint(x, 0)).x() for x in (0, part.width())] for part in (library.table, library.filter)
    )
    assert [left, right] == below
    assert left == library.width() - right == library.height() - library.table.geometry().bottom() - 1 > 0


def names_have_room_in_every_window_and_what_is_left_in_a_wide_one(library: Library, theme: Theme) -> None:
    library.window().resize(960, 600)
    settle()
    for kind in (0, 1, 0):
        library.kinds.set_current(kind)
        for width in (1280, 960, 1900):
            library.window().resize(width, 700)
            settle()
            assert library.table.columnWidth(0) >= theme.px(200)
        assert library.header.length() == library.table.viewport().width()


def test_the_library_of_one_window(
    show: Callable[..., Library],
    indexed: Path,
    indexed_once: Path,
    theme: Theme,
    qtbot: QtBot,
    subtests: pytest.Subtests,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The index is what it was, and the Library shown, before each part; the part that sorts is the last one."""
    library = show()
    window = window_of(library)
    parts = Parts()
    for part in (
        rows_have_the_paths_driven_and_numbers,
        the_table_stands_below_the_filter_from_edge_to_edge,
        enter_in_the_filter_leads_to_the_rows_in_silence,
        the_filter_takes_expressions_and_tells_where_one_is_wrong,
        the_start_page_counts_what_the_library_holds_and_searches_in_it,
        an_event_is_opened_at_its_frame_with_its_actor,
        a_recording_is_opened_and_closing_it_leads_back,
        a_foreign_file_in_its_place_is_told_and_stays,
        a_file_that_cannot_be_read_is_told,
        an_index_from_elsewhere_breaks_nothing,
        names_have_room_in_every_window_and_what_is_left_in_a_wide_one,
        a_click_on_a_heading_sorts_and_what_is_unknown_is_last,
    ):
        parts(part)

    def begin() -> dict[str, object]:
        close_dialogs()
        shutil.copytree(indexed_once, indexed, dirs_exist_ok=True)
        window.registry.run("file.close")
        if not library.isVisible():
            window.registry.run("file.library")
        library.filter.clear()
        library.kinds.set_current(0)
        library.refresh()
        rested(library, qtbot)
        assert told(library) == ["deep/short.log", "town.log"]
        return {"subtests": subtests}

    parts.run(
        subtests,
        begin,
        library=library,
        indexed=indexed,
        indexed_once=indexed_once,
        theme=theme,
        qtbot=qtbot,
        capfd=capfd,
    )


def test_the_library_beside_a_recording(
    open_window: OpenWindow, indexed: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    """The recording is opened again before each part."""
    path = indexed / "deep/short.log"
    window = open_window(path)
    parts = Parts()
    for part in (
        beside_a_recording_nothing_is_closed_and_escape_leads_back,
        what_is_done_beside_it_shows_the_recording_again,
        another_recording_is_opened_from_beside_one_and_edits_are_asked_about,
    ):
        parts(part)

    def begin() -> dict[str, object]:
        window.session.open(path)
        idle(window, qtbot)
        window.panes.set_preset("inspect")
        settle()
        assert window.panes.centre.isVisible()
        return {"subtests": subtests}

    parts.run(subtests, begin, window=window, indexed=indexed, qtbot=qtbot)


@pytest.mark.parametrize("size", [12, 24])
def test_no_word_is_cut_off(show: Callable[..., Library], indexed: Path, theme: Theme, size: int) -> None:
    theme.set_text_size(size)
    library = show(size=(1280, 800))
    window, found = window_of(library), list[str]()
    with painted_words(found):
        window.grab()
        found += cut_words(library)
        library.kinds.set_current(1)
        settle()
        window.grab()
        found += cut_words(library)
    assert found == []


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_pictures_of_the_library(
    show: Callable[..., Library], indexed: Path, theme: Theme, artefacts: Path, qtbot: QtBot, mode: str
) -> None:
    theme.set_mode("dark" if mode == "dark" else "light")
    library = show(size=(1280, 800))
    library.window().grab().save(str(artefacts / f"library-{mode}.png"))
    type_filter(library, "town == 'DemoTown' and colisions > 0", qtbot)
    library.window().grab().save(str(artefacts / f"library-error-{mode}.png"))
