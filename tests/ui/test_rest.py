"""What waits until typing and editing have paused is done once, with the last word."""

from time import monotonic

from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from recorder_editor.ui.session.debounce import MS_OF_OPENING, Debounce


def test_what_is_begun_again_and_again_is_done_once(qtbot: QtBot) -> None:
    parent, calls = QObject(), []
    rest = Debounce(parent, lambda: calls.append(1))
    for _ in range(3):
        rest.begin()
    assert not calls
    with qtbot.waitSignal(rest.timeout):
        pass
    assert calls == [1]
    assert not rest.isActive()


def test_the_first_look_waits_only_for_the_picture_and_the_next_one_for_a_pause_again() -> None:
    parent = QObject()
    rest = Debounce(parent, lambda: None)
    pause = rest.interval()
    rest.begin(at_once=True)
    assert rest.interval() != pause
    rest.begin()
    assert rest.interval() == pause
    rest.stop()


def test_what_follows_the_first_picture_waits_while_events_hold_it_up(qtbot: QtBot) -> None:
    parent, calls = QObject(), []
    rest = Debounce(parent, lambda: calls.append("rest"))

    def hold_up() -> None:
        until = monotonic() + MS_OF_OPENING / 1000 + 0.1
        while monotonic() < until:
            pass
        QTimer.singleShot(0, lambda: calls.append("picture"))

    QTimer.singleShot(0, hold_up)
    rest.begin(opening=True)
    qtbot.waitUntil(lambda: "rest" in calls)
    assert calls == ["picture", "rest"]
