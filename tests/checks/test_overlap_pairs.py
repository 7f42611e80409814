"""Pairs of overlapping vehicles: counted exactly in a crowd, up to a bound, and the listed ones as without one."""

import numpy as np
import pytest

from recorder_editor.arrays import BoolArray, IntArray, StructuredArray
from recorder_editor.checks import check, overlap_pairs
from recorder_editor.checks.overlap_pairs import NEIGHBOURS, OverlapPairs, lives_of
from recorder_editor.checks.overlaps import PLACED, are_overlapping
from recorder_editor.errors import Cancelled
from recorder_editor.progress import SILENT, Progress

from .. import builders as b
from ..recording.films import opened

LONGEST = 300.0


def places(frames: int, number: int, seed: int, *, repeats: bool = False) -> StructuredArray:
    """Boxes of vehicles in a narrow street, by frame and x; with `repeats` some have two in a frame."""
    chance = np.random.default_rng(seed)
    boxes = np.zeros(frames * number, PLACED)
    boxes["frame"] = np.repeat(np.arange(frames), number)
    boxes["life"] = np.tile(np.arange(number), frames)
    if repeats:
        boxes["life"] //= 2
    boxes["x"] = chance.uniform(0, 60.0 * number, len(boxes))
    boxes["y"] = chance.uniform(0, 300, len(boxes))
    boxes["cos"] = 1.0
    boxes["half"] = (100.0, 50.0)
    boxes["reach"] = np.hypot(100.0, 50.0)
    return boxes[np.lexsort((boxes["x"], boxes["frame"]))]


def no_pair(keys: IntArray) -> BoolArray:
    return np.zeros(len(keys), np.bool_)


def collected(boxes: StructuredArray, listed: int = 10**6) -> OverlapPairs:
    """The pairs of three blocks of whole frames."""
    pairs = OverlapPairs(listed, no_pair)
    for block in np.array_split(np.unique(boxes["frame"]), 3):
        pairs.add(boxes[np.isin(boxes["frame"], block)], LONGEST, are_overlapping, SILENT)
    return pairs


def one_by_one(boxes: StructuredArray) -> dict[tuple[int, int], list[int]]:
    """The frames of each pair, two loops long."""
    pairs: dict[tuple[int, int], set[int]] = {}
    for frame in np.unique(boxes["frame"]):
        here = boxes[boxes["frame"] == frame]
        for step in range(1, NEIGHBOURS + 1):
            for first, second in zip(here, here[step:], strict=False):
                if are_overlapping(np.array([first]), np.array([second]))[0]:
                    lives = sorted((int(first["life"]), int(second["life"])))
                    pairs.setdefault((lives[0], lives[1]), set()).add(int(frame))
    return {pair: sorted(frames) for pair, frames in pairs.items()}


@pytest.mark.parametrize("repeats", [False, True])
def test_pairs_and_their_frames_are_those_of_two_loops(repeats: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlap_pairs, "_GROUP", 20)
    boxes = places(6, 12, seed=3, repeats=repeats)
    expected = one_by_one(boxes)
    pairs = collected(boxes)
    assert len(expected) > 10
    assert (pairs.number, pairs.is_complete) == (len(expected), True)
    told = {lives_of(int(pair["key"])): (int(pair["first"]), int(pair["frames"])) for pair in pairs.first()}
    assert told == {lives: (frames[0], len(frames)) for lives, frames in expected.items()}
    assert [int(pair["first"]) for pair in pairs.first()] == sorted(frames[0] for frames in expected.values())


def test_of_a_crowd_the_same_pairs_are_listed_and_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = places(9, 40, seed=5)
    whole = collected(boxes, listed=7)
    monkeypatch.setattr(overlap_pairs, "_CROWD", 30)
    crowd = collected(boxes, listed=7)
    assert crowd.first().tolist() == whole.first().tolist()
    assert (crowd.number, crowd.is_complete) == (whole.number, True)
    monkeypatch.setattr(overlap_pairs, "MAX_PAIRS", 50)
    bounded = collected(boxes, listed=7)
    assert bounded.first().tolist() == whole.first().tolist()
    assert (bounded.number, bounded.is_complete) == (50, False)


def crowd(number: int) -> bytes:
    """Vehicles at one place, in two frames."""
    actors = range(1, number + 1)
    births = b.packet(2, b.event_add([b.actor(actor) for actor in actors]))
    poses = b.packet(6, b.position([b.pose(actor) for actor in actors]))
    return b.recording(b.frame(1, 0.0, 0.1, [births, poses]), b.frame(2, 0.1, -1.0, [poses]))


def test_the_pairs_of_a_crowd_that_are_not_listed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(crowd(60)) as recording:
        found = [finding for finding in check(recording.snapshot) if finding.code == "overlap"]
        assert len(found) == 1001
        assert found[-1].message == "770 more findings of the kind overlap are not listed."
        assert found[0].message.endswith(" are inside one another in frame 1 and 1 more.")
        monkeypatch.setattr(overlap_pairs, "_CROWD", 1100)
        monkeypatch.setattr(overlap_pairs, "MAX_PAIRS", 1200)
        bounded = [finding for finding in check(recording.snapshot) if finding.code == "overlap"]
        assert bounded[:-1] == found[:-1]
        assert bounded[-1].message == "More than 200 further findings of the kind overlap are not listed."


def test_a_crowd_can_be_left_in_the_middle_of_a_block() -> None:
    asked = 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 5

    pairs = OverlapPairs(10, no_pair)
    with pytest.raises(Cancelled):
        pairs.add(places(1, 100, seed=1), LONGEST, are_overlapping, Progress(None, is_cancelled))
