"""Edits of time change three columns of the frame table and no packet."""

import math
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording, edits
from recorder_editor.errors import EditError

from .. import builders as b
from ..recording.films import OPENDRIVE, film, of_real, opened

POSE = b.packet(6, b.position([b.pose(1)]))


def frames_of(*times: tuple[int, float, float]) -> bytes:
    """A recording of frames (id, elapsed, duration) that hold one packet."""
    return b.recording(*(b.frame(number, elapsed, duration, [POSE]) for number, elapsed, duration in times))


def told(recording: Recording) -> list[tuple[int, float, float]]:
    return [(frame.frame_id, frame.elapsed, frame.duration) for frame in recording]


def saved(recording: Recording) -> bytes:
    return recording.snapshot.read(0, recording.snapshot.size)


def test_retiming_stretches_elapsed_and_durations_and_keeps_the_last_one() -> None:
    with opened(frames_of((1, 0.0, 0.5), (2, 0.5, 0.25), (3, 0.75, -1.0))) as recording:
        recording.apply(edits.retime(recording, 2.0))
        assert told(recording) == [(1, 0.0, 1.0), (2, 1.0, 0.5), (3, 1.5, -1.0)]
        assert saved(recording) == frames_of((1, 0.0, 1.0), (2, 1.0, 0.5), (3, 1.5, -1.0))
        assert recording.history.steps[-1].intent is not None


def test_shifting_moves_elapsed_alone() -> None:
    with opened(frames_of((1, 5.0, 0.5), (2, 5.5, -1.0))) as recording:
        recording.apply(edits.shift(recording, -5.0))
        assert told(recording) == [(1, 0.0, 0.5), (2, 0.5, -1.0)]


@pytest.mark.parametrize("factor", [0.0, -1.0, math.nan, math.inf])
def test_time_is_stretched_by_a_number_above_0(factor: float) -> None:
    with opened(film([], [])) as recording, pytest.raises(EditError):
        edits.retime(recording, factor)


@pytest.mark.parametrize("edit", [lambda r: edits.retime(r, 1.0), lambda r: edits.shift(r, 0.0)])
def test_what_changes_nothing_is_refused(edit: object) -> None:
    with opened(film([], [])) as recording, pytest.raises(EditError, match="already"):
        edit(recording)  # type: ignore[operator]


def test_a_recording_without_frames_has_no_times() -> None:
    with opened(b.header()) as recording, pytest.raises(EditError, match="no frames"):
        edits.retime(recording, 2.0)


def test_order_begins_at_0_and_counts_from_1() -> None:
    with opened(frames_of((7, 3.0, 0.5), (9, 3.5, 0.5), (9, 4.25, 7.0))) as recording:
        recording.apply(edits.order_times(recording))
        assert told(recording) == [(1, 0.0, 0.5), (2, 0.5, 0.75), (3, 1.25, -1.0)]


def test_times_that_are_none_are_filled_from_durations_and_from_the_others() -> None:
    nan = math.nan
    with opened(frames_of((1, 0.0, 0.5), (2, nan, 0.25), (3, nan, nan), (4, 2.0, 0.5), (5, 1.0, -1.0))) as recording:
        recording.apply(edits.order_times(recording))
        assert told(recording) == [(1, 0.0, 0.5), (2, 0.5, 0.25), (3, 0.75, 0.5), (4, 1.25, 0.5), (5, 1.75, -1.0)]


@of_real(OPENDRIVE)
def test_a_sound_recording_is_in_order(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as recording, pytest.raises(EditError, match="already"):
        edits.order_times(recording)


@of_real(OPENDRIVE)
def test_packets_and_undo_are_the_same_to_the_byte(sound_recording: Path, tmp_path: Path) -> None:
    out = tmp_path / "slow.log"
    with recorder_editor.open(sound_recording) as recording:
        recording.apply(edits.retime(recording, 3.0))
        recording.save(out)
        recording.undo()
        assert saved(recording) == sound_recording.read_bytes()
    with recorder_editor.open(sound_recording) as before, recorder_editor.open(out) as after:
        assert [each.packets[1:] for each in before.snapshot[:5]] == [each.packets[1:] for each in after.snapshot[:5]]
        assert after[-1].elapsed == before[-1].elapsed * 3.0
        assert not after.findings


SECONDS = st.one_of(st.floats(0, 100), st.sampled_from([math.nan, math.inf, -1.0]))


@given(st.lists(st.tuples(st.integers(0, 50), SECONDS, SECONDS), min_size=1, max_size=12))
def test_whatever_the_times_were_they_are_in_order_afterwards(times: list[tuple[int, float, float]]) -> None:
    with opened(frames_of(*times)) as recording:
        frames = len(recording)
        with suppress(EditError):
            recording.apply(edits.order_times(recording))
        ids, elapsed, durations = zip(*told(recording), strict=True)
        assert ids == tuple(range(1, frames + 1))
        assert elapsed[0] == 0.0
        assert durations[-1] == -1.0
        for first, second, lasting in zip(elapsed, elapsed[1:], durations, strict=False):
            assert second > first
            assert lasting == pytest.approx(second - first, abs=1e-8)
