"""Of several requests the newest one counts, and what was begun is over before what it reads from is closed."""

import re
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from recorder_editor.progress import Progress
from recorder_editor.ui.session.jobs import Job, Jobs, LatestJob, TimeLeft


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


def test_a_job_whose_handler_raises_has_ended(jobs: Jobs, qtbot: QtBot) -> None:
    ended: list[str] = []

    def fail(_result: None) -> None:
        raise ZeroDivisionError

    with qtbot.captureExceptions() as errors:
        job = jobs.start("Fail", lambda _progress: None, fail)
        job.ended.connect(lambda: ended.append(job.title))
        qtbot.waitUntil(lambda: not jobs.running)
    assert [error[0] for error in errors] == [ZeroDivisionError]
    assert ended == ["Fail"]


def test_the_end_of_a_job_may_open_a_dialog_of_the_system(jobs: Jobs, qtbot: QtBot) -> None:
    """Such a dialog has an event loop of its own, in which jobs go on."""
    others: list[Job] = []

    def choose_file() -> None:
        others.append(jobs.start("Next", lambda _progress: None, lambda _result: None))
        qtbot.waitUntil(lambda: others[0].has_ended)

    job = jobs.start("Save", lambda _progress: None, lambda _result: None)
    job.ended.connect(choose_file)
    qtbot.waitUntil(lambda: job.has_ended and not jobs.running)


def test_what_a_job_reports_is_told_by_itself_alone(jobs: Jobs, qtbot: QtBot) -> None:
    """The window looks at all its actions when jobs begin and end, and not with every report."""
    changes: list[int] = []
    reports: list[float | None] = []
    goes_on = threading.Event()
    jobs.changed.connect(lambda: changes.append(len(jobs.running)))

    def work(progress: Progress) -> None:
        progress.update(4, 4)
        goes_on.wait()

    job = jobs.start("Report", work, lambda _result: None)
    job.progressed.connect(lambda: reports.append(job.share))
    qtbot.waitUntil(lambda: reports == [1.0])
    assert changes == [1]
    goes_on.set()
    qtbot.waitUntil(lambda: not jobs.running)
    assert changes == [1, 0]


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


def _told(rate: Callable[[int], float]) -> list[float]:
    """What is told each second of work that does so much in a second."""
    time_left, share, told = TimeLeft(0.0), 0.0, []
    for second in range(1, 200):
        share += rate(second)
        if share >= 1:
            break
        left = time_left.after(share, float(second))
        told.append(-1.0 if left is None else left)
    return told


def test_the_time_left_is_that_of_the_last_seconds_and_counts_down() -> None:
    told = _told(lambda second: 0.01)
    assert told == pytest.approx([99.0 - n for n in range(len(told))])
    slower = _told(lambda second: 0.02 if second <= 25 else 0.005)
    assert slower[24] == pytest.approx(25.0)
    assert slower[44] == pytest.approx(80.0, rel=0.25)
    assert slower[44:] == sorted(slower[44:], reverse=True)
    ways = "".join("+" if now > before else "-" for before, now in pairwise(slower[::10]))
    assert re.fullmatch(r"-+\++-+", ways)


@pytest.mark.parametrize("every", [2, 5, 7])
def test_the_time_left_of_work_in_lumps_never_jumps_up_and_down(every: int) -> None:
    told = _told(lambda second: 0.0 if second % every else 0.01 * every)
    known = told[every:]
    assert all(now == pytest.approx(max(0, before - 1)) for before, now in pairwise(known))


def test_work_that_stands_still_has_no_time_left() -> None:
    told = _told(lambda second: 0.01 if second < 40 else 0.0)
    assert told[45] > 0
    assert set(told[60:]) == {-1.0}
