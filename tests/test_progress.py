"""One object tells how far a job is and whether it shall end."""

from __future__ import annotations

import pytest

from recorder_editor.errors import Cancelled
from recorder_editor.progress import SILENT, Progress


def test_it_reports_each_item_and_the_end() -> None:
    told: list[tuple[int, int]] = []
    assert list(Progress(lambda done, total: told.append((done, total))).over("abc")) == list("abc")
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_it_reports_every_so_many_items() -> None:
    told: list[int] = []
    assert list(Progress(lambda done, _total: told.append(done)).over(range(10), every=4)) == list(range(10))
    assert told == [0, 4, 8, 10]


def test_nothing_to_do_is_done_at_once() -> None:
    told: list[tuple[int, int]] = []
    assert list(Progress(lambda done, total: told.append((done, total))).over([])) == []
    assert told == [(0, 0)]


def test_a_cancelled_job_ends_before_the_next_item() -> None:
    seen: list[int] = []
    items = Progress(is_cancelled=lambda: len(seen) == 2).over(range(9))
    with pytest.raises(Cancelled):
        seen.extend(items)
    assert seen == [0, 1]


def test_a_part_reports_its_share_of_the_whole_and_so_does_a_part_of_it() -> None:
    told: list[float] = []
    whole = Progress(lambda done, total: told.append(done / total))
    half = whole.part(0.5, 1)
    half.update(0, 10)
    half.update(5, 10)
    half.part(0.5, 1).update(1, 2)
    half.update(0, 0)
    assert told == [0.5, 0.75, 0.875, 1]


def test_a_part_of_a_cancelled_job_is_cancelled() -> None:
    with pytest.raises(Cancelled):
        Progress(is_cancelled=lambda: True).part(0, 0.5).check()
    with pytest.raises(Cancelled):
        Progress(print, lambda: True).part(0, 0.5).update(1, 2)


def test_a_quiet_job_reports_nothing_and_is_cancelled_all_the_same() -> None:
    told: list[int] = []
    Progress(lambda done, _total: told.append(done)).quiet().update(1, 2)
    assert not told
    with pytest.raises(Cancelled):
        Progress(print, lambda: True).quiet().check()


def test_without_a_listener_nothing_happens() -> None:
    SILENT.check()
    SILENT.update(1, 2)
    SILENT.part(0, 1).update(1, 2)
    assert list(SILENT.over((1, 2))) == [1, 2]


def test_it_tells_that_it_was_cancelled_where_something_is_to_be_cleared_away_first() -> None:
    assert Progress(is_cancelled=lambda: True).is_cancelled
    assert not SILENT.is_cancelled


def test_parts_of_one_size_make_up_the_whole() -> None:
    seen: list[float] = []
    progress = Progress(lambda done, total: seen.append(done / total))
    for number, part in progress.parts([0, 3, 6, 8]):
        part.update(number, 8)
    assert seen == [0.0, 0.3438, 0.6875, 1.0]
