"""The window without a recording: what to do first, the files of last time."""

import json
import os
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QSettings, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import edits, resources
from recorder_editor.progress import SILENT, Progress
from recorder_editor.reading.trajectories import SIDE
from recorder_editor.ui.app import Program, settle, wait_for_jobs
from recorder_editor.ui.dialogs.error import ErrorDialog
from recorder_editor.ui.session.preferences import TEXT_SIZE_PIXELS, THEME
from recorder_editor.ui.session.settings import MOST_RECENT, Recent, Settings
from recorder_editor.ui.shell.documents import demo_writer
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import REPAIR, SCENE
from recorder_editor.ui.shell.recent_files import RecentRow, short_folder
from recorder_editor.ui.shell.start_page import SituationCard
from recorder_editor.ui.style.look import TEXT_SIZE
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.units import size_text

from .. import builders as b
from ..extent import is_long
from ..format.test_json_text import ODD_JSON
from .parts import Parts, close_dialogs
from .windows import OpenWindow, bring_up

NAMES = ("carla-0.9.15-town05-bikes.log", "carla-0.9.6-town03-walkers.rec", "carla-0.9.13-town05-collisions.log")


@pytest.fixture(scope="module")
def told_once() -> list[Recent]:
    """What windows told of three recordings, the last one first; empty before they were open."""
    return []


@pytest.fixture
def three(open_window: OpenWindow, settings: Settings, told_once: list[Recent], recordings: Path) -> None:
    """Three recordings were open before."""
    for recent in reversed(told_once):
        settings.remember(recent)
    if not told_once:
        for name in NAMES:
            window = open_window(recordings / name)
            wait_for_jobs(window)
            window.close()
        told_once.extend(settings.recents)


@pytest.mark.usefixtures("three")
def test_recent_files_tell_map_length_date_frames_and_size(settings: Settings) -> None:
    first = settings.recents[0]
    assert Path(first.path).name == NAMES[-1]
    assert (first.map, round(first.seconds, 1), first.date, first.release) == (
        "Town05",
        27.7,
        "2022-08-30",
        "0.9.12–0.9.13",
    )
    assert (first.frames, first.size) == (555, 1_582_055)
    assert [Path(one.path).name for one in settings.recents] == list(reversed(NAMES))


def told(**values: Any) -> str:
    whole = {"path": "/", "map": "", "seconds": 0.0, "date": "", "release": "", "frames": 0, "size": 0, "lines": []}
    return json.dumps([whole | values])


SPOILT = (told(path="x" * 5000), told(path="\0"), told(seconds=10**400), told(frames=float("inf")))


@pytest.mark.parametrize("text", [*ODD_JSON, "[1, 2]", '{"a": 1}', "3", "null", '[{"path": 1}]', "[[[]]]", *SPOILT])
def test_a_spoilt_list_of_recent_files_is_an_empty_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.ini"
    store = QSettings(str(path), QSettings.Format.IniFormat)
    store.setValue("recent", text)
    store.setValue("text_size", "9" * 5000)
    store.sync()
    settings = Settings(path)
    assert settings.recents == ()
    assert settings[TEXT_SIZE_PIXELS] == TEXT_SIZE
    settings.remember(Recent(str(path)))
    assert [one.path for one in settings.recents] == [str(path)]


@pytest.mark.usefixtures("three")
def test_recent_files_keep_their_paths_as_small_lines(settings: Settings) -> None:
    for one in settings.recents:
        points = [point for line in one.lines for point in line]
        assert 1 < len(points) < 1000
        assert all(-1 <= value <= SIDE + 1 for point in points for value in point)


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("mode", ["light", pytest.param("dark", marks=pytest.mark.pictures)])
def test_the_page_shows_three_files(open_window: OpenWindow, theme: Theme, artefacts: Path, mode: str) -> None:
    theme.set_mode("dark" if mode == "dark" else "light")
    window = open_window()
    rows = window.start_page.recents.rows
    assert [row.text() for row in rows] == list(reversed(NAMES))
    assert {(row.width(), row.height()) for row in rows} == {(838, 56)}
    assert "Town05, 27.7 s, 555 frames, 2022-08-30, 1.6 MB" in rows[0].accessibleName()
    assert rows[0].hasFocus()
    window.grab().save(str(artefacts / f"window-empty-{mode}.png"))


def show_page(window: MainWindow, qtbot: QtBot) -> None:
    """Show the start page, with the files of last time as they stand in the settings."""
    close_dialogs()
    window.session.show_none()
    window.documents.recents_changed.emit()
    bring_up(window, qtbot)


def the_keyboard_goes_through_them_and_enter_opens_one(window: MainWindow, qtbot: QtBot) -> None:
    rows = window.start_page.recents.rows
    qtbot.keyClick(rows[0], Qt.Key.Key_Down)
    assert rows[1].hasFocus()
    qtbot.keyClick(rows[1], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.is_complete)
    assert window.documents.path is not None
    assert window.documents.path.name == NAMES[1]


def a_click_opens_one(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.start_page.recents.rows[2], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.is_complete)
    assert window.documents.path is not None
    assert window.documents.path.name == NAMES[0]


def rows_tell_who_drove_what_happened_and_what_is_gone(
    window: MainWindow, settings: Settings, recordings: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    gone = settings.recents[1]._replace(path=str(tmp_path / "gone.log"))
    settings.remember(gone)
    first = str(recordings / NAMES[0])
    settings.remember(next(each for each in settings.recents if each.path == first))
    show_page(window, qtbot)
    page = window.start_page
    page.show_leftovers((Path(first),))
    bikes, lost, town = page.recents.rows
    assert (bikes.users(), bikes.happened()[0]) == ("11 vehicles, 1 two-wheeler", "edits kept")
    assert (lost.users(), lost.happened()[0]) == ("7 vehicles, 23 walkers", "no collision")
    assert lost.accessibleName().endswith("not found")
    assert (town.users(), town.happened()[0]) == ("48 vehicles, 1 two-wheeler", "1 collision")
    assert set(town.recent.kinds) >= {"hero", "vehicle"}
    assert len(town.recent.kinds) == len(town.recent.lines)
    settle()
    picture = town.grab().toImage()
    colors = {picture.pixelColor(x, y).name() for x in range(12, 64) for y in range(10, 46)}
    assert page.theme.palette.scene.name() in colors
    assert len(colors) > 5
    lost.setFocus()
    qtbot.keyClick(lost, Qt.Key.Key_Delete)
    assert [Path(row.recent.path).name for row in page.recents.rows] == [NAMES[0], NAMES[2], NAMES[1]]
    assert page.recents.rows[1].hasFocus()
    assert all(Path(each.path).name != "gone.log" for each in settings.all_recents)
    row = page.recents.rows[1]
    for width, shown in ((838, (True, True, True)), (640, (True, True, False)), (420, (True, False, False))):
        row.setFixedWidth(width)
        columns = row.columns()
        assert tuple(bool(column[1]) for column in (columns.name, columns.users, columns.map)) == shown
        assert columns.name[0] + columns.name[1] <= columns.length[0]
        row.grab()
    row.setFixedWidth(838)
    usual = row.columns()
    row.widest = (usual.name[1] - 40, usual.users[1] + 60)
    columns = row.columns()
    assert columns.users[1] >= usual.users[1] + 40, "road users have what names leave"
    assert columns.name[1] >= row.widest[0]
    assert columns.map[0] + columns.map[1] <= columns.length[0]


def the_menu_has_them_too_and_can_forget_them(window: MainWindow, settings: Settings) -> None:
    menu = window.menus["recent"]
    menu.aboutToShow.emit()
    assert [action.text().split()[0] for action in menu.actions()[:3]] == list(reversed(NAMES))
    menu.actions()[-1].trigger()
    assert settings.recents == ()
    assert not window.start_page.recents.rows


@pytest.mark.usefixtures("three")
def test_files_of_last_time_are_chosen_on_the_page_and_in_the_menu(
    open_window: OpenWindow,
    settings: Settings,
    recordings: Path,
    tmp_path: Path,
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    """In one window; the list is as it was before each part."""
    window = open_window()
    listed = settings.all_recents
    parts = Parts()
    for part in (
        the_keyboard_goes_through_them_and_enter_opens_one,
        a_click_opens_one,
        rows_tell_who_drove_what_happened_and_what_is_gone,
        the_menu_has_them_too_and_can_forget_them,
    ):
        parts(part)

    def begin() -> dict[str, object]:
        settings.forget_recents()
        for recent in reversed(listed):
            settings.remember(recent)
        show_page(window, qtbot)
        return {}

    parts.run(subtests, begin, window=window, settings=settings, recordings=recordings, tmp_path=tmp_path, qtbot=qtbot)


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    """A small recording that may be written."""
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(60, vehicles=3))
    return path


def of_file(settings: Settings, path: Path) -> tuple[int, float, int]:
    """Frames, seconds and bytes, as the list tells them."""
    (one,) = (each for each in settings.recents if each.path == str(path))
    assert one.is_known
    assert one.size == path.stat().st_size
    return one.frames, round(one.seconds, 3), one.size


def read_anew(path: Path) -> tuple[int, float, int]:
    """The same, as they stand in the file."""
    with recorder_editor.open(path) as recording:
        elapsed = recording.snapshot.elapsed
        return len(recording), round(float(elapsed[-1] - elapsed[0]), 3), path.stat().st_size


def keep_ten_frames(window: MainWindow, qtbot: QtBot) -> None:
    """An edit that is not saved, and all that follows from it."""
    window.session.editing.apply(edits.trim(window.session.snapshot_or_refuse(), range(20, 30)))
    assert window.session.is_modified
    wait_for_jobs(window)
    qtbot.waitUntil(lambda: window.session.background.trajectories is not None)
    window.documents.recents_changed.emit()


def edits_that_are_not_saved_are_not_those_of_the_file(
    window: MainWindow, settings: Settings, drive: Path, qtbot: QtBot
) -> None:
    before, listed = read_anew(drive), settings.recents
    assert of_file(settings, drive) == before
    keep_ten_frames(window, qtbot)
    assert settings.recents == listed
    window.session.background.trajectories_changed.emit()
    assert settings.recents == listed
    window.documents.save()
    qtbot.waitUntil(lambda: not window.session.is_modified and not window.documents.is_busy)
    wait_for_jobs(window)
    assert of_file(settings, drive) == read_anew(drive) != before
    window.session.editing.undo()
    assert window.session.is_modified
    wait_for_jobs(window)
    assert of_file(settings, drive) == read_anew(drive)


def edits_that_are_saved_under_another_name_are_those_of_that_file(
    window: MainWindow, settings: Settings, drive: Path, qtbot: QtBot
) -> None:
    other = drive.with_name("other.log")
    keep_ten_frames(window, qtbot)
    window.documents._save(other, None)
    qtbot.waitUntil(lambda: window.documents.path == other and not window.documents.is_busy)
    wait_for_jobs(window)
    assert [Path(each.path) for each in settings.recents] == [other, drive]
    assert of_file(settings, other) == read_anew(other)
    assert of_file(settings, drive) == read_anew(drive)
    assert of_file(settings, other)[0] == 10


def of_a_file_that_was_written_since_only_its_size_is_told(
    window: MainWindow, settings: Settings, drive: Path, qtbot: QtBot, what: str
) -> None:
    window.documents.close()
    bring_up(window, qtbot)
    (row,) = window.start_page.recents.rows
    assert "60 frames" in row.accessibleName()
    if what == "size":
        drive.write_bytes(drive.read_bytes()[:20_000])
    else:
        os.utime(drive, ns=(10**18, 10**18))
    QApplication.sendEvent(window.start_page, QEvent(QEvent.Type.WindowActivate))
    (row,) = window.start_page.recents.rows
    size = drive.stat().st_size
    assert row.accessibleName() == f"drive.log, {size_text(size)}"
    assert (row.recent.frames, row.recent.lines, row.recent.size) == (0, (), size)
    row.grab()
    settings.remember(Recent(str(drive), map="Town05", size=size, modified=drive.stat().st_mtime_ns))
    assert [each.is_known for each in settings.recents] == [True]


def test_the_list_tells_of_files_as_they_are(
    open_window: OpenWindow, settings: Settings, drive: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    """In one window, whose file is as it was, and the only one in the list, before each part."""
    data = drive.read_bytes()
    window = open_window(drive)
    parts = Parts()
    parts(edits_that_are_not_saved_are_not_those_of_the_file)
    parts(edits_that_are_saved_under_another_name_are_those_of_that_file)
    parts.each("what", ["size", "time"])(of_a_file_that_was_written_since_only_its_size_is_told)

    def begin() -> dict[str, object]:
        settings.forget_recents()
        drive.write_bytes(data)
        window.session.open(drive)
        wait_for_jobs(window)
        return {}

    parts.run(subtests, begin, window=window, settings=settings, drive=drive, qtbot=qtbot)


def test_a_list_of_the_edition_before_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "settings.ini"
    store = QSettings(str(path), QSettings.Format.IniFormat)
    store.setValue("recent", told(path=str(path), frames=3, size=0))
    store.sync()
    (one,) = Settings(path).recents
    assert (one.path, one.is_known) == (str(path), False)


def test_files_that_are_gone_are_not_listed(settings: Settings, recordings: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone.log"
    shutil.copy(recordings / NAMES[0], gone)
    settings.remember(Recent(str(gone)))
    assert len(settings.recents) == 1
    gone.unlink()
    assert settings.recents == ()


def test_the_list_is_short_and_each_file_is_in_it_once(settings: Settings, tmp_path: Path) -> None:
    for number in range(MOST_RECENT + 5):
        path = tmp_path / f"{number % 13}.log"
        path.touch()
        settings.remember(Recent(str(path)))
    assert len(settings.recents) == MOST_RECENT
    assert len({one.path for one in settings.recents}) == MOST_RECENT


def test_spoilt_settings_are_empty_ones(tmp_path: Path) -> None:
    path = tmp_path / "settings.ini"
    path.write_text("[General]\nrecent=[{]\ntheme=pink\n", encoding="utf-8")
    settings = Settings(path)
    assert settings.recents == ()
    assert settings[THEME] == "system"
    assert settings.layout("inspect") is None


def test_paths_survive_an_opening_without_a_survey(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.touch()
    lines = (((0, 0), (10, 20)),)
    settings.remember(Recent(str(path), lines=lines))
    settings.remember(Recent(str(path), map="Town01"))
    assert settings.recents == (Recent(str(path), map="Town01", lines=lines),)


def test_a_folder_is_told_from_the_home_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert short_folder(tmp_path / "recordings") == "~/recordings"
    assert short_folder(tmp_path) == "~"
    assert short_folder(Path("/somewhere")) == str(Path("/somewhere"))


SAMPLES: dict[str, tuple[str, str, int, range, int | None]] = {
    "look": ("inspect", "town.log", 254, range(421), 25),
    "cut": ("trim", "town.log", 267, range(180, 360), None),
    "repair": ("repair", "town-damaged.log", 50, range(102), None),
}
"""Layout, file, frame, range and actor of each sample."""


def assert_sample_is_opened(window: MainWindow, qtbot: QtBot, name: str, *, key: bool) -> None:
    card, session = window.start_page.samples[f"sample.{name}"], window.session
    if key:
        card.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(card, Qt.Key.Key_Space)
    else:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.is_complete and not session.jobs.running)
    preset, file, frame, kept, actor = SAMPLES[name]
    qtbot.waitUntil(lambda: window.panes.preset == preset and session.selection.actor == actor)
    assert window.documents.path == resources.path(f"sample/{file}")
    assert (session.selection.frame_index, session.range.frames) == (frame, kept)
    view = window.panes.get(SCENE).view
    qtbot.waitUntil(lambda: name != "look" or view.camera.scale > 5)


def assert_sample_can_be_used(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    window.start_page.samples["sample.cut"].click()
    qtbot.waitUntil(lambda: session.is_complete and session.range.is_set)
    assert session.actors is not None
    hits = session.actors.collisions["frame_index"]
    assert len(hits)
    assert set(hits.tolist()) <= set(session.range.frames)
    window.registry.run("sample.repair")
    repair = window.panes.get(REPAIR)
    qtbot.waitUntil(lambda: repair.preview is not None and not session.jobs.running)
    assert session.recording is not None
    assert any(finding.severity == "error" for finding in session.recording.findings)


def test_the_damaged_sample_is_the_beginning_of_the_other_one_with_a_hole() -> None:
    whole, damaged = (resources.path(f"sample/{name}.log").read_bytes() for name in ("town", "town-damaged"))
    hole = range(300_000, 330_000)
    assert damaged == whole[: hole.start] + bytes(len(hole)) + whole[hole.stop : 600_000]


@pytest.mark.parametrize(
    "lines", [[[[10**300, -(10**300)], [0, 0]], [[5, 5]], []], [[]], [[[10**400, 0], [0, 0]]], [[[1, 1]] * 100_000]]
)
def test_hostile_entries_are_drawn_or_left_out(
    theme: Theme, tmp_path: Path, qtbot: QtBot, lines: list[list[list[int]]]
) -> None:
    """Far points, unknown classes and lists of other lengths come from a file that anybody may have written."""
    path = tmp_path / "a.log"
    path.touch()
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    store.setValue("recent", told(path=str(path), lines=lines, kinds=["hero", "?" * 10_000, "walker", "x"]))
    store.sync()
    (recent,) = Settings(tmp_path / "settings.ini").all_recents
    parent = QWidget()
    qtbot.addWidget(parent)
    row = RecentRow(theme, recent._replace(is_known=True), parent)
    row.resize(838, 56)
    row.grab()


def test_numbers_that_no_file_has_are_left_out(tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    store.setValue("recent", told(path=str(tmp_path / "gone.log"), size=10**400))
    store.sync()
    assert Settings(tmp_path / "settings.ini").all_recents == ()


def what_is_typed_on_the_page_is_searched_for(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window.start_page.open_button, Qt.Key.Key_T)
    qtbot.keyClicks(window.search_field, "our")
    assert window.search_field.text() == "tour"
    assert window.search_field.is_open
    qtbot.keyClick(window.search_field, Qt.Key.Key_Escape)
    qtbot.keyClick(window.start_page.open_button, Qt.Key.Key_Tab)
    assert not window.search_field.is_open


def a_file_that_is_dragged_over_the_window_is_named(window: MainWindow, drive: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(drive))])
    none = (Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, *none))
    words = [label.text() for label in window.start_page.findChildren(QLabel)]
    assert "Drop to open drive.log" in words
    window.start_page.grab()
    QApplication.sendEvent(window, QDragLeaveEvent())
    words = [label.text() for label in window.start_page.findChildren(QLabel)]
    assert "Drop to open drive.log" not in words


def the_page_says_what_the_program_is_for_and_fits_at_every_size(window: MainWindow, theme: Theme) -> None:
    before = window.size()
    window.resize(1280, 800)
    settle()
    page = window.start_page
    words = [label.text() for label in page.findChildren(QLabel)]
    assert "See, cut, edit and repair recordings of the driving simulator CARLA" in words
    for size, place in ((9, "above"), (12, "above"), (24, "beside")):
        theme.set_text_size(size)
        settle()
        cards = page.situations.values()
        assert {card.place for card in cards} == {place}, size
        assert len({card.height() for card in cards}) == 1
        for label in page.findChildren(QLabel):
            if label.isVisible() and label.wordWrap():
                assert label.height() >= label.heightForWidth(label.width()), (size, label.text())
    window.resize(before)


def only_recordings_are_remembered(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    other = tmp_path / "picture.png"
    other.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    window.documents.open(other)
    qtbot.waitUntil(lambda: window.session.is_complete)
    assert window.settings.recents == ()


def a_demo_recording_is_made_and_opened(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, artefacts: Path
) -> None:
    path = tmp_path / "demo.log"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    qtbot.mouseClick(window.start_page.demo_button, Qt.MouseButton.LeftButton)
    assert window.start_page.progress.isVisible()
    settle()
    window.grab().save(str(artefacts / "window-busy-light.png"))
    qtbot.waitUntil(lambda: window.session.is_complete)
    assert window.documents.path == path
    assert window.session.frames == 601


def each_situation_opens_a_file_for_what_helps(
    window: MainWindow, drive: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a click anywhere on the card, as by its button."""
    page = window.start_page
    session = window.session
    chosen = [drive]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(chosen[-1]), ""))

    def opens(card: SituationCard, preset: str) -> None:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(20, card.height() // 2))
        qtbot.waitUntil(lambda: session.is_complete and window.panes.preset == preset)
        wait_for_jobs(window)

    opens(page.situations["open"], "inspect")
    window.registry.run("file.close")
    opens(page.situations["cut"], "trim")
    assert not session.range.is_set  # nothing collides in it
    window.registry.run("file.close")
    chosen.append(resources.path("sample/town.log"))
    opens(page.situations["cut"], "trim")
    assert session.actors is not None
    contact = session.actors.contacts["first"][0]
    assert session.range.is_set
    assert contact in session.range.frames
    assert session.selection.frame_index == contact
    window.registry.run("file.close")
    chosen.append(drive)
    opens(page.situations["repair"], "repair")


def a_sample_is_opened_in_its_layout_at_its_place_for_what_can_be_done_with_it(
    window: MainWindow, qtbot: QtBot, request: pytest.FixtureRequest, subtests: pytest.Subtests
) -> None:
    """Each by a click or by a key; with `--long` by both."""
    ways = [("look", False), ("repair", True), ("cut", False)]
    if is_long(request.config):
        ways = [*product(SAMPLES, (False, True))]
    for name, key in ways:
        with subtests.test(name, key=key):
            window.session.show_none()
            bring_up(window, qtbot)
            assert_sample_is_opened(window, qtbot, name, key=key)
    with subtests.test("the collision is within the range, and what was damaged can be repaired"):
        window.session.show_none()
        assert_sample_can_be_used(window, qtbot)


def test_the_page_without_files_of_last_time(
    request: pytest.FixtureRequest,
    open_window: OpenWindow,
    theme: Theme,
    settings: Settings,
    qtbot: QtBot,
    drive: Path,
    tmp_path: Path,
    artefacts: Path,
    subtests: pytest.Subtests,
) -> None:
    """In one window, without a recording and a list before each part."""
    window = open_window()
    with subtests.test("without files of last time the page says so"):
        assert window.start_page.recents.rows == []
        assert QApplication.focusWidget() is window.start_page.open_button
    parts = Parts()
    for part in (
        what_is_typed_on_the_page_is_searched_for,
        a_file_that_is_dragged_over_the_window_is_named,
        the_page_says_what_the_program_is_for_and_fits_at_every_size,
        only_recordings_are_remembered,
        a_demo_recording_is_made_and_opened,
        each_situation_opens_a_file_for_what_helps,
        a_sample_is_opened_in_its_layout_at_its_place_for_what_can_be_done_with_it,
    ):
        parts(part)

    def begin() -> dict[str, object]:
        settings.forget_recents()
        theme.set_text_size(TEXT_SIZE)
        show_page(window, qtbot)
        return {"subtests": subtests}

    parts.run(
        subtests,
        begin,
        request=request,
        window=window,
        theme=theme,
        drive=drive,
        tmp_path=tmp_path,
        qtbot=qtbot,
        artefacts=artefacts,
    )


def test_a_demo_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "demo.log"
    assert not demo_writer(path, 5.0)(Progress(is_cancelled=lambda: True))
    assert list(tmp_path.iterdir()) == []
    assert demo_writer(path, 1.0)(SILENT)
    with recorder_editor.open(path) as recording:
        assert len(recording) == 21


@pytest.mark.parametrize(
    ("name", "words"), [("", "That is a folder, not a file."), ("missing.log", "There is no file of that name.")]
)
def test_a_start_with_what_cannot_be_opened_shows_the_page_and_why(
    program: Program, tmp_path: Path, qtbot: QtBot, name: str, words: str
) -> None:
    window = program.new_window(tmp_path / name)
    qtbot.waitUntil(lambda: bool(window.findChildren(ErrorDialog)))
    (told,) = window.findChildren(ErrorDialog)
    assert (told.report.what, told.report.file) == (words, str(tmp_path / name))
    assert window.start_page.isVisible()
    told.reject()
