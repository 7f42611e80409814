"""The tour: seven notes beside real controls, by mouse and keys, left and taken again whenever somebody likes."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.ui.app import settle
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.tour import STEPS, Tour
from recorder_editor.ui.style.theme import Theme

from .parts import in_turn
from .windows import OpenWindow, bring_up


def tour_of(window: MainWindow) -> Tour:
    (tour,) = [each for each in window.findChildren(Tour) if not each.isHidden()]
    return tour


def begin_anew(window: MainWindow) -> None:
    window.registry.run("help.tour")
    settle()


@pytest.fixture
def window(open_window: OpenWindow, qtbot: QtBot) -> MainWindow:
    """A window whose tour was asked for on the start page."""
    window = open_window(size=(1280, 800))
    bring_up(window, qtbot)
    qtbot.mouseClick(window.start_page.tour_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.findChildren(Tour)))
    qtbot.waitUntil(lambda: not window.session.jobs.running)
    return window


def it_opens_a_sample_where_nothing_is_open_and_has_seven_steps(window: MainWindow, qtbot: QtBot) -> None:
    tour, titles = tour_of(window), []
    assert window.session.is_complete
    for number in range(1, 8):
        titles.append(tour.title.text())
        assert tour.accessibleName().endswith(f"{number} of 7")
        assert "{" not in tour.accessibleName()
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)
    assert len(set(titles)) == 7
    assert not tour.isVisible()
    qtbot.waitUntil(lambda: not window.findChildren(Tour))


def each_step_points_at_its_control_and_hides_little_of_it(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    follow_the_steps(window, theme, qtbot, 12)


def test_each_step_does_so_with_large_text(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    follow_the_steps(window, theme, qtbot, 24)


def follow_the_steps(window: MainWindow, theme: Theme, qtbot: QtBot, size: int) -> None:
    theme.set_text_size(size)
    tour = tour_of(window)
    for step in STEPS:
        settle()
        target = window.findChild(QWidget, step.widget)
        assert target is not None
        assert target.isVisible()
        place = QRect(target.mapTo(window, QPoint()), target.size())
        assert window.rect().contains(tour.geometry()), step.widget
        assert place.adjusted(-1, -1, 1, 1).contains(tour.pos() + tour.tip), step.widget
        hidden = place & tour.geometry()
        assert hidden.width() * hidden.height() <= place.width() * place.height() / (2 if size > 12 else 4), step.widget
        assert tour.contentsRect().right() - tour.next.geometry().right() >= 26, step.widget
        for label in (tour.title, tour.words):
            assert label.height() >= label.heightForWidth(label.width()), step.widget
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)


def the_keys_go_on_and_back_and_end_it(window: MainWindow, qtbot: QtBot) -> None:
    tour = tour_of(window)
    assert QApplication.focusWidget() is tour.next
    first = tour.title.text()
    qtbot.keyClick(tour.next, Qt.Key.Key_Left)
    assert (tour.number, tour.title.text()) == (0, first)
    qtbot.keyClick(tour.next, Qt.Key.Key_Right)
    qtbot.keyClick(tour.next, Qt.Key.Key_Space)
    qtbot.keyClick(tour.next, Qt.Key.Key_Return)
    assert tour.number == 3
    qtbot.keyClick(tour.next, Qt.Key.Key_Left)
    frame = window.session.selection.frame_index
    qtbot.keyClick(tour.next, Qt.Key.Key_I)
    qtbot.keyClick(tour.next, Qt.Key.Key_Left)
    assert tour.number == 1
    assert (window.session.selection.frame_index, window.session.range.is_set) == (frame, False)
    qtbot.keyClick(tour.next, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(Tour))
    pane = window.panes.focused()
    assert pane is not None


def it_is_taken_again_from_the_menu_on_what_is_open(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(tour_of(window).skip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.findChildren(Tour))
    window.panes.set_preset("trim")
    path = window.documents.path
    for _ in range(2):  # once more while it is shown: it begins anew
        window.registry.run("help.tour")
        settle()
        assert tour_of(window).number == 0
        qtbot.keyClick(tour_of(window).next, Qt.Key.Key_Right)
    assert (window.panes.preset, window.documents.path) == ("inspect", path)


def a_screen_reader_hears_every_step(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[QAccessibleEvent] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", told.append)
    tour = tour_of(window)
    qtbot.keyClick(tour.next, Qt.Key.Key_Right)
    said = [event.message() for event in told if hasattr(event, "message")]
    assert said == [tour.accessibleName()]
    assert tour.words.text() in said[0]
    assert tour.next.accessibleDescription() == said[0]


def it_ends_with_the_recording(window: MainWindow, qtbot: QtBot) -> None:
    window.registry.run("file.close")
    qtbot.waitUntil(lambda: not window.findChildren(Tour))


def a_key_that_was_chosen_is_the_one_it_names(window: MainWindow, qtbot: QtBot) -> None:
    window.registry.choose_keys({"play.toggle": "F9"})
    tour = tour_of(window)
    qtbot.keyClick(tour.next, Qt.Key.Key_Right)
    assert tour.words.text().startswith("F9 plays")


def test_the_tour_is_taken_again_and_again(request: pytest.FixtureRequest, window: MainWindow) -> None:
    in_turn(
        request,
        window,
        it_opens_a_sample_where_nothing_is_open_and_has_seven_steps,
        each_step_points_at_its_control_and_hides_little_of_it,
        the_keys_go_on_and_back_and_end_it,
        a_screen_reader_hears_every_step,
        it_is_taken_again_from_the_menu_on_what_is_open,
        a_key_that_was_chosen_is_the_one_it_names,
        it_ends_with_the_recording,
        opens=False,
        between=lambda: begin_anew(window),
    )
