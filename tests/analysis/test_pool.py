"""Work for many items, in this process and in others."""

import os
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from recorder_editor.fleet.pool import run_many


def whose(item: int) -> tuple[int, int]:
    return item, os.getpid()


def busy_until(path: Path, item: int) -> tuple[int, int]:
    """Note that the item is begun, and wait until two are."""
    (path / str(item)).touch()
    while len(list(path.iterdir())) < 2:
        time.sleep(0.01)
    return whose(item)


def ends(item: int) -> int:
    if item == 2:
        os._exit(1)
    return item


def test_what_is_done_before_others_are_ready_is_done_here() -> None:
    outcomes = list(run_many(whose, range(20), workers=2, works_here=True))
    done = [outcome.result for outcome in outcomes if outcome.result is not None]
    assert sorted(item for item, _ in done) == list(range(20))
    assert (0, os.getpid()) in done


def test_this_process_and_another_one_work_at_the_same_time(tmp_path: Path) -> None:
    outcomes = list(run_many(partial(busy_until, tmp_path), range(4), workers=2, works_here=True))
    processes = Counter(outcome.result[1] for outcome in outcomes if outcome.result is not None)
    assert len(processes) == 2
    assert processes.total() == 4
    assert processes[os.getpid()] >= 1


def test_a_process_that_ends_costs_its_item_alone() -> None:
    outcomes = {outcome.item: outcome for outcome in run_many(ends, range(5), workers=2)}
    assert {item: outcome.result for item, outcome in outcomes.items()} == {0: 0, 1: 1, 2: None, 3: 3, 4: 4}
    assert outcomes[2].error is not None
    assert outcomes[2].error.startswith("A worker process ended")


@pytest.mark.long
def test_what_cannot_be_sent_to_another_process_is_raised() -> None:
    with pytest.raises(Exception, match="pickle"):
        list(run_many(whose, [lambda: None, lambda: None], workers=2))


def test_who_looks_at_the_first_outcome_alone_waits_for_no_other() -> None:
    outcomes = run_many(whose, range(1000), workers=2, works_here=True)
    assert next(outcomes).result == (0, os.getpid())
    outcomes.close()
