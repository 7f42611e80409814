"""Playback by the clock: the recording's times decide, a late tick skips, the end stops or loops."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from recorder_editor import edits
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.player import SPEEDS, Player
from tests import builders as b


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def session(session: Session, recordings: Path) -> Session:
    session.open(recordings / "carla-0.9.13-town05-collisions.log")
    return session


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def player(session: Session, clock: Clock) -> Iterator[Player]:
    player = Player(session, clock=clock)
    yield player
    player.pause()


def pass_time(player: Player, clock: Clock, seconds: float) -> None:
    clock.now += seconds
    player.tick()


def test_frames_follow_the_recorded_times(player: Player, clock: Clock, session: Session) -> None:
    player.play()
    pass_time(player, clock, 0.049)
    assert session.selection.frame_index == 0
    pass_time(player, clock, 0.002)
    assert session.selection.frame_index == 1
    pass_time(player, clock, 0.5)
    assert session.selection.frame_index == 11


def test_a_late_tick_skips_frames(player: Player, clock: Clock, session: Session) -> None:
    player.play()
    seen = []
    session.selection.changed.connect(lambda: seen.append(session.selection.frame_index))
    pass_time(player, clock, 0.72)
    assert seen == [14]


def test_speed_scales_the_clock(player: Player, clock: Clock, session: Session) -> None:
    player.set_speed(4.0)
    player.play()
    pass_time(player, clock, 0.251)
    assert session.selection.frame_index == 20


def test_a_computer_that_slept_does_not_jump_to_the_end(player: Player, clock: Clock, session: Session) -> None:
    player.play()
    pass_time(player, clock, 3600.0)
    assert 19 <= session.selection.frame_index <= 20


def test_it_stops_at_the_end_and_begins_again(player: Player, clock: Clock, session: Session) -> None:
    session.selection.go_to_frame(550)
    player.play()
    pass_time(player, clock, 0.9)
    assert session.selection.frame_index == session.frames - 1
    assert not player.is_playing
    player.play()
    assert session.selection.frame_index == 0
    assert player.is_playing


def test_a_loop_stays_in_the_range(player: Player, clock: Clock, session: Session) -> None:
    session.range.set(100, 110)
    player.set_looping(True)
    player.play()
    assert session.selection.frame_index == 100
    seen = set()
    for _ in range(40):
        pass_time(player, clock, 0.03)
        seen.add(session.selection.frame_index)
    assert seen == set(range(100, 110))
    assert player.is_playing


def test_what_passed_beyond_the_end_of_a_loop_counts_from_its_beginning(
    player: Player, clock: Clock, session: Session
) -> None:
    session.range.set(100, 110)
    session.selection.go_to_frame(109)
    player.set_looping(True)
    player.play()
    session.selection.go_to_frame(108)
    pass_time(player, clock, 0.24)
    assert session.selection.frame_index in (102, 103)


def test_without_a_loop_the_range_does_not_hold_it(player: Player, clock: Clock, session: Session) -> None:
    session.range.set(100, 110)
    session.selection.go_to_frame(109)
    player.play()
    pass_time(player, clock, 0.2)
    assert session.selection.frame_index == 112 or session.selection.frame_index == 113


def test_j_k_and_l_shuttle(player: Player, clock: Clock, session: Session) -> None:
    session.selection.go_to_frame(200)
    player.shuttle(1)
    assert (player.is_playing, player.is_backward, player.speed) == (True, False, 1.0)
    player.shuttle(1)
    assert player.speed == 2.0
    player.shuttle(-1)
    assert (player.is_playing, player.is_backward, player.speed) == (True, True, 1.0)
    pass_time(player, clock, 0.5)
    assert session.selection.frame_index in (189, 190)
    player.shuttle(0)
    assert (player.is_playing, player.speed) == (False, 1.0)


def test_backward_stops_at_the_beginning(player: Player, clock: Clock, session: Session) -> None:
    session.selection.go_to_frame(3)
    player.shuttle(-1)
    pass_time(player, clock, 0.9)
    assert session.selection.frame_index == 0
    assert not player.is_playing


def test_it_goes_on_from_where_somebody_else_went(player: Player, clock: Clock, session: Session) -> None:
    player.play()
    pass_time(player, clock, 0.11)
    session.selection.go_to_frame(300)
    pass_time(player, clock, 0.051)
    assert session.selection.frame_index == 301


def test_it_plays_on_through_an_edit(player: Player, clock: Clock, session: Session) -> None:
    session.selection.go_to_frame(300)
    player.play()
    assert session.recording is not None
    session.editing.apply(edits.delete_rows(session.recording, 0, 10))
    assert session.selection.frame_index == 290
    pass_time(player, clock, 0.051)
    assert session.selection.frame_index == 291


def test_speeds_stay_within_their_bounds(player: Player) -> None:
    for _ in range(20):
        player.faster()
    assert player.speed == SPEEDS[-1] == 16.0
    for _ in range(20):
        player.slower()
    assert player.speed == SPEEDS[0] == 0.1


def test_times_that_do_not_rise_give_way_to_frame_numbers(
    player: Player, clock: Clock, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert session.snapshot is not None
    times = np.full(session.frames, np.nan)
    monkeypatch.setattr(type(session.snapshot), "elapsed", property(lambda _: times))
    player.play()
    pass_time(player, clock, 0.101)
    assert session.selection.frame_index == 2


def test_another_recording_stops_it(player: Player, session: Session, recordings: Path) -> None:
    player.play()
    session.open(recordings / "carla-0.9.13-opendrive.log")
    assert not player.is_playing


@pytest.fixture
def sixty(session: Session, tmp_path: Path) -> Session:
    """Sixty frames a second."""
    path = tmp_path / "sixty.log"
    path.write_bytes(b.drive(90, step=1 / 60))
    session.open(path)
    return session


@pytest.mark.parametrize("backward", [False, True])
def test_ticks_that_are_a_little_late_leave_no_frame_out(
    player: Player, clock: Clock, sixty: Session, backward: bool
) -> None:
    sixty.selection.go_to_frame(sixty.frames - 1 if backward else 0)
    seen = [sixty.selection.frame_index]
    sixty.selection.changed.connect(lambda: seen.append(sixty.selection.frame_index))
    player.play(backward=backward)
    late = itertools.cycle([0.016, 0.016, 0.034, 0.008, 0.008, 0.016, 0.045, 0.008, 0.008, 0.008, 0.008, 0.008])
    while player.is_playing:
        pass_time(player, clock, next(late))
    assert seen == (list(range(90))[::-1] if backward else list(range(90)))
    assert clock.now - 100.0 == pytest.approx(89 / 60, abs=0.05)


def test_what_is_left_out_is_left_out_one_by_one(player: Player, clock: Clock, sixty: Session) -> None:
    """Where every frame takes longer to draw than it lasts."""
    seen = [0]
    sixty.selection.changed.connect(lambda: seen.append(sixty.selection.frame_index))
    player.play()
    while player.is_playing:
        pass_time(player, clock, 0.022)
    assert set(np.diff(seen).tolist()) == {1, 2}
    assert len(seen) == pytest.approx((90 / 60 + 0.1) / 0.022, abs=3)


def test_a_tenth_of_a_second_that_is_lost_once_leaves_no_frame_out(
    player: Player, clock: Clock, sixty: Session
) -> None:
    seen = [0]
    sixty.selection.changed.connect(lambda: seen.append(sixty.selection.frame_index))
    player.play()
    for late in (*[0.016] * 10, 0.1, *[0.013] * 200):
        pass_time(player, clock, late)
    assert seen == list(range(90))


def test_panes_of_text_are_left_out_while_it_is_late_and_never_for_long(
    player: Player, clock: Clock, sixty: Session
) -> None:
    seen, read = [0], [0]
    sixty.selection.changed.connect(lambda: seen.append(sixty.selection.frame_index))
    sixty.selection.rested.connect(lambda: read.append(sixty.selection.frame_index))
    player.play()
    for late in (*[0.016] * 10, 0.1, *[0.01] * 50):
        pass_time(player, clock, late)
    assert seen == list(range(len(seen)))
    left_out = set(seen) - set(read)
    assert left_out
    assert left_out <= set(range(9, 30))  # it catches up by 6.7 ms a tick
    assert max(np.diff(read)) <= 7


def test_pausing_shows_the_last_frame_in_the_panes_of_text(player: Player, clock: Clock, sixty: Session) -> None:
    read: list[int] = []
    sixty.selection.rested.connect(lambda: read.append(sixty.selection.frame_index))
    player.play()
    pass_time(player, clock, 0.016)
    pass_time(player, clock, 0.08)
    assert sixty.selection.frame_index not in read
    player.pause()
    assert read[-1] == sixty.selection.frame_index


def test_frames_too_short_for_the_screen_are_left_out_evenly(player: Player, clock: Clock, sixty: Session) -> None:
    seen = [0]
    sixty.selection.changed.connect(lambda: seen.append(sixty.selection.frame_index))
    player.set_speed(4.0)
    player.play()
    while player.is_playing:
        pass_time(player, clock, 0.016)
    assert set(np.diff(seen[:-1]).tolist()) == {3, 4}
