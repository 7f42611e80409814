"""Of several requests the newest one counts, and what was begun is over before what it reads from is closed."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from recorder_editor.progress import Progress
from recorder_editor.ui.jobs import Job, Jobs
from recorder_editor.ui.latest_job import LatestJob


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.cancel_all()
    qtbot.waitUntil(lambda: not jobs.running)


def until_cancelled(progress: Progress) -> None:
    """Works until it is told to stop."""
    while not progress.is_cancelled:
        threading.Event().wait(0.001)


def test_the_newest_request_alone_is_answered_after_the_pause(jobs: Jobs, qtbot: QtBot) -> None:
    wanted, told = [0], []
    latest = LatestJob(QObject(jobs), jobs, lambda: latest.run("Ask", lambda _progress: wanted[0], told.append))
    for number in range(3):
        wanted[0] = number
        latest.begin()
        assert latest.is_pending
        assert not latest.is_running
    qtbot.waitUntil(lambda: not latest.is_pending)
    assert told == [2]


def test_a_request_cancels_the_one_before_and_its_handlers_are_not_called(jobs: Jobs, qtbot: QtBot) -> None:
    told: list[object] = []
    latest = LatestJob(QObject(jobs), jobs)
    first = latest.run("First", until_cancelled, told.append, told.append)
    latest.run("Second", lambda _progress: 2, told.append)
    qtbot.waitUntil(lambda: not jobs.running)
    assert first.is_cancelled
    assert told == [2]
    assert not latest.is_pending


def test_an_error_is_handed_over_and_the_request_is_over_by_then(jobs: Jobs, qtbot: QtBot) -> None:
    told: list[tuple[str, bool]] = []
    latest = LatestJob(QObject(jobs), jobs)

    def fail(_progress: Progress) -> None:
        raise ValueError("no")

    latest.run("Fail", fail, print, lambda error: told.append((str(error), latest.is_running)))
    qtbot.waitUntil(lambda: bool(told))
    assert told == [("no", False)]


def test_one_that_somebody_else_cancels_is_over_as_well(jobs: Jobs, qtbot: QtBot) -> None:
    latest = LatestJob(QObject(jobs), jobs)
    latest.run("Work", until_cancelled, print).cancel()
    qtbot.waitUntil(lambda: not latest.is_running)


def test_stopping_waits_for_every_thread_also_for_those_that_were_cancelled_before(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[Job] = []
    wait = Job.wait
    monkeypatch.setattr(Job, "wait", lambda job, seconds: (waited.append(job), wait(job, seconds))[1])
    latest = LatestJob(QObject(jobs), jobs)
    started = [latest.run(title, until_cancelled, print) for title in ("First", "Second")]
    latest.stop()
    assert waited == started
    assert all(job.is_cancelled for job in started)
