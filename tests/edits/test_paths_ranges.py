"""Moving and placing lives over a range of frames, eased so that nothing jumps."""

import math
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor.api import Recording
from recorder_editor.edits import move_actors, place_actors
from recorder_editor.edits.paths.motion import eased
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors

from .. import builders as b
from ..extent import examples
from ..recording.films import BIKES, of_real
from .drives import all_sound, drive, life_of, opened, others_are_the_same, path_of, pose_of, saved, velocity_of


def ahead(frame: int) -> tuple[float, float, float, float]:
    """10 m/s along x, in steps of a tenth of a second."""
    return 100.0 * frame, 0.0, 50.0, 0.0


def beside(frame: int) -> tuple[float, float, float, float]:
    return 100.0 * frame, 400.0, 50.0, 0.0


def test_without_easing_every_frame_moves_by_the_offset_in_metres(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead, 9: beside})) as recording:
        before = saved(recording)
        recording.apply(move_actors(recording, [life_of(recording, 9)], (1.5, -2.0, 0.25), frames=range(3, 6)))
        moved = path_of(recording, 9)[:, :3] - [[100.0 * n, 400.0, 50.0] for n in range(11)]
        expected = np.zeros((11, 3))
        expected[3:6] = 150.0, -200.0, 25.0
        assert (moved == expected).all()
        assert pose_of(recording, 0, 9, "EventAdd") == (0.0, 400.0, 50.0, 0.0)
        assert velocity_of(recording, 4, 9) == (10.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        assert others_are_the_same(before, recording, {9}, tmp_path)
        recording.undo()
        assert saved(recording) == before


def test_easing_grows_from_nothing_and_goes_back_to_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording:
        edit = move_actors(recording, [life_of(recording, 7)], (0.0, 4.0, 0.0), ease_in=0.4, ease_out=0.2)
        recording.apply(edit)
        # 3u² - 2u³ at u = 0, 1/4, 1/2, 3/4, 1, and at 1, 1/2, 0 at the other end.
        weights = [0.0, 5 / 32, 0.5, 27 / 32, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.0]
        assert path_of(recording, 7)[:, 1] == pytest.approx([400.0 * each for each in weights], abs=1e-3)
        # Its slope is 6u(1 - u) over the seconds it takes, times 4 m.
        assert [velocity_of(recording, frame, 7)[1] for frame in (0, 1, 2, 4, 5, 9, 10)] == pytest.approx(
            [0.0, 4 * 6 * 0.25 * 0.75 / 0.4, 4 * 1.5 / 0.4, 0.0, 0.0, -4 * 1.5 / 0.2, 0.0], abs=1e-4
        )
        assert [velocity_of(recording, frame, 7)[0] for frame in range(11)] == [10.0] * 11
        assert pose_of(recording, 0, 7, "EventAdd") == (0.0, 0.0, 50.0, 0.0)


def test_the_velocity_is_the_slope_of_the_path(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: lambda n: (10.0 * n, 0.0, 0.0, 0.0)}, 101, step=0.01)) as recording:
        life = life_of(recording, 7)
        recording.apply(
            move_actors(recording, [life], (3.0, -2.0, 1.0), 40.0, pivot=(20.0, 5.0), ease_in=0.5, ease_out=0.5)
        )
        path = path_of(recording, 7)
        slope = (path[2:, :3] - path[:-2, :3]) / 0.02 / 100.0
        turning = (path[2:, 3] - path[:-2, 3]) / 0.02
        velocities = np.array([velocity_of(recording, n, 7) for n in range(1, 100)])
        assert velocities[:, :3] == pytest.approx(slope, abs=0.05)
        assert velocities[:, 5] == pytest.approx(turning, abs=0.5)
        assert (velocities[:, 3:5] == 0.0).all()


def test_a_turn_without_a_point_turns_each_about_where_it_is_at_the_start(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead, 9: beside})) as recording:
        lives = [life_of(recording, 7), life_of(recording, 9)]
        edit = move_actors(recording, lives, turn=90.0, frames=range(2, 11))
        assert edit.label == "Turn 7 and 1 other over 9 frames"
        recording.apply(edit)
        assert pose_of(recording, 2, 7) == (200.0, 0.0, 50.0, 90.0)
        assert pose_of(recording, 2, 9) == (200.0, 400.0, 50.0, 90.0)
        assert pose_of(recording, 5, 7) == pytest.approx((200.0, 300.0, 50.0, 90.0), abs=1e-4)
        assert pose_of(recording, 5, 9) == pytest.approx((200.0, 700.0, 50.0, 90.0), abs=1e-4)
        assert velocity_of(recording, 5, 9) == pytest.approx((0.0, 10.0, 0.0, 0.0, 0.0, 0.0), abs=1e-6)


def test_several_lives_turn_about_one_point_as_one_body(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead, 9: beside})) as recording:
        recording.apply(
            move_actors(recording, [life_of(recording, 7), life_of(recording, 9)], turn=180.0, pivot=(5.0, 2.0))
        )
        assert pose_of(recording, 3, 7) == pytest.approx((700.0, 400.0, 50.0, -180.0), abs=1e-4)
        assert pose_of(recording, 3, 9) == pytest.approx((700.0, 0.0, 50.0, -180.0), abs=1e-4)
        assert pose_of(recording, 0, 9, "EventAdd") == pytest.approx((1000.0, 0.0, 50.0, -180.0), abs=1e-4)


def test_another_life_of_the_same_id_stays(tmp_path: Path) -> None:
    data = drive({7: ahead}, 4)
    with opened(tmp_path, data + data[len(b.header()) :]) as it:
        lives = Actors.of(it.snapshot).of_id(7)
        assert [(life.born, life.gone) for life in lives] == [(0, 4), (4, None)]
        it.apply(move_actors(it, [lives[1]], (1.0, 0.0, 0.0), frames=range(8)))
        assert [pose_of(it, frame, 7)[0] for frame in range(8)] == [0, 100, 200, 300, 100, 200, 300, 400]
        assert [pose_of(it, frame, 7, "EventAdd")[0] for frame in (0, 4)] == [0.0, 100.0]


def test_the_birth_moves_with_the_weight_of_its_frame(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead, 9: beside}, born={9: 2})) as recording:
        recording.apply(move_actors(recording, [life_of(recording, 9)], (0.0, 1.0, 0.0), frames=range(11), ease_in=0.4))
        assert pose_of(recording, 2, 9, "EventAdd")[1] == pytest.approx(450.0)
        assert pose_of(recording, 2, 9)[1] == pytest.approx(450.0)


def test_who_is_attached_goes_along_with_its_own_positions(tmp_path: Path) -> None:
    attach = b.packet(4, b.event_parent([{"child": 9, "parent": 7}]))
    camera = b.packet(2, b.event_add([b.actor(8, 5, "sensor.camera.rgb", b.xyz(150.0, 0.0, 200.0))]))
    held = b.packet(4, b.event_parent([{"child": 8, "parent": 7}]))
    data = drive({7: ahead, 9: beside}, more=lambda n: [camera, held] if n == 0 else [attach] if n == 3 else [])
    with opened(tmp_path, data) as recording:
        before = saved(recording)
        recording.apply(move_actors(recording, [life_of(recording, 7)], (0.0, 0.0, 1.0), 90.0, frames=range(2, 8)))
        # Attached from the fourth frame on; the camera has no positions and follows by itself.
        assert [pose_of(recording, frame, 9)[2] for frame in range(11)] == [50.0] * 3 + [150.0] * 5 + [50.0] * 3
        assert pose_of(recording, 5, 9) == pytest.approx((-200.0, 300.0, 150.0, 90.0), abs=1e-4)
        assert others_are_the_same(before, recording, {7, 9}, tmp_path)
        assert recording[0].data == before[34 : 34 + len(recording[0].data)]


def test_an_actor_without_position_moves_at_once_by_its_birth(tmp_path: Path) -> None:
    camera = b.packet(2, b.event_add([b.actor(8, 5, "sensor.camera.rgb", b.xyz(150.0, 0.0, 200.0))]))
    with opened(tmp_path, drive({7: ahead}, more=lambda n: [camera] if n == 0 else [])) as recording:
        found = life_of(recording, 8)
        edit = move_actors(recording, [found], (1.0, 0.0, 0.0), 10.0, frames=range(4, 11), ease_in=0.2)
        assert edit.label.startswith("Move 8")
        recording.apply(edit)
        moved = life_of(recording, 8).transform
        assert (moved.x, moved.y, moved.z, moved.yaw) == pytest.approx((250.0, 0.0, 200.0, 10.0))


def test_placing_puts_the_actor_there_and_keeps_the_shape_of_its_path(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead, 9: beside})) as recording:
        lives = [life_of(recording, 7), life_of(recording, 9)]
        edit = place_actors(recording, lives, 4, location=(-3.0, 7.0, None), yaw=90.0)
        assert edit.label == "Place 7 and 1 other over 11 frames"
        recording.apply(edit)
        assert pose_of(recording, 4, 7) == (-300.0, 700.0, 50.0, 90.0)
        assert pose_of(recording, 6, 7) == pytest.approx((-300.0, 900.0, 50.0, 90.0), abs=1e-4)
        assert pose_of(recording, 4, 9) == pytest.approx((-700.0, 700.0, 50.0, 90.0), abs=1e-4)
        assert velocity_of(recording, 4, 7)[:2] == pytest.approx((0.0, 10.0), abs=1e-6)


def test_placing_sets_what_is_named_alone(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording:
        before = saved(recording)
        recording.apply(
            place_actors(recording, [life_of(recording, 7)], 3, location=(None, None, 2.0), frames=range(3, 4))
        )
        assert pose_of(recording, 3, 7) == (300.0, 0.0, 200.0, 0.0)
        after = saved(recording)
        assert sum(one != two for one, two in zip(before, after, strict=True)) <= 4


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda r, life: move_actors(r, [], (1.0, 0.0, 0.0)), "No actor"),
        (lambda r, life: move_actors(r, [life], (math.nan, 0.0, 0.0)), "numbers"),
        (lambda r, life: move_actors(r, [life]), "no position in these frames that this would change"),
        (lambda r, life: move_actors(r, [life], (1.0, 0.0, 0.0), frames=range(20, 30)), "no position"),
        (lambda r, life: move_actors(r, [life], (1.0, 0.0, 0.0), frames=range(0, 10, 2)), "follow one another"),
        (lambda r, life: move_actors(r, [life], (1.0, 0.0, 0.0), ease_in=0.6, ease_out=0.6), "does not fit"),
        (lambda r, life: move_actors(r, [life], (1.0, 0.0, 0.0), ease_in=-1.0), "0 seconds or more"),
        (lambda r, life: move_actors(r, [life], (1.0, 0.0, 0.0), ease_in=math.inf), "number of seconds"),
        (lambda r, life: place_actors(r, [life], 3), "No position"),
        (lambda r, life: place_actors(r, [life], 30, yaw=1.0), "not alive"),
        (lambda r, life: place_actors(r, [life], 3, yaw=1.0, frames=range(5, 7)), "not among"),
        (lambda r, life: place_actors(r, [life], 3, yaw=math.inf), "number"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(
    tmp_path: Path, call: Callable[..., object], sentence: str
) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording, pytest.raises(EditError, match=sentence):
        call(recording, life_of(recording, 7))


def test_traffic_actors_refuse(tmp_path: Path) -> None:
    light = b.packet(2, b.event_add([b.actor(3, 3, "traffic.traffic_light")]))
    with opened(tmp_path, drive({7: ahead}, more=lambda n: [light] if n == 0 else [])) as recording:
        with pytest.raises(EditError, match="finds traffic actors by their position"):
            move_actors(recording, [life_of(recording, 7), life_of(recording, 3)], (1.0, 0.0, 0.0))
        with pytest.raises(EditError, match="finds traffic actors by their position"):
            place_actors(recording, [life_of(recording, 3)], 0, yaw=1.0)


def test_easing_needs_time_that_goes_on(tmp_path: Path) -> None:
    data = drive({7: ahead}, 4).replace(np.float64(0.2).tobytes(), np.float64(0.0).tobytes(), 1)
    with opened(tmp_path, data) as recording, pytest.raises(EditError, match="in order"):
        move_actors(recording, [life_of(recording, 7)], (1.0, 0.0, 0.0), ease_in=0.1)


def test_the_intent_says_it_in_seconds_and_by_who_they_are(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording:
        life = life_of(recording, 7)
        intent = move_actors(recording, [life], (1.0, 0.0, 0.0), frames=range(2, 9), ease_in=0.1).intent
        assert intent is not None
        assert intent.operation == "move_actors"
        assert intent.arguments == {
            "actors": [{"id": 7, "blueprint": "vehicle.tesla.model3", "life": 0}],
            "offset": [1.0, 0.0, 0.0],
            "turn": 0.0,
            "pivot": None,
            "ease_in": 0.1,
            "ease_out": 0.0,
            "from": 0.2,
            "to": 0.8,
        }
        placed = place_actors(recording, [life], 2, yaw=5.0).intent
        assert placed is not None
        assert placed.arguments["at"] == 0.2
        assert placed.arguments["location"] == [None, None, None]


def test_it_reports_and_can_be_cancelled(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording:
        before, life = saved(recording), life_of(recording, 7)
        reports: list[tuple[int, int]] = []
        move_actors(recording, [life], (1.0, 0.0, 0.0), progress=Progress(lambda *at: reports.append(at)))
        assert reports[-1] == (11, 11)
        with pytest.raises(Cancelled):
            move_actors(recording, [life], (1.0, 0.0, 0.0), progress=Progress(is_cancelled=lambda: True))
        assert saved(recording) == before


def test_numbers_that_are_none_and_axes_that_are_not_moved_keep_their_bits(tmp_path: Path) -> None:
    place = b.packet(6, b.position([b.pose(5, b.xyz(b.SIGNALLING_32, -0.0, 1.0), b.turn(b.PAYLOAD_32, -0.0, 200.0))]))
    data = b.recording(
        b.frame(1, 0.0, 0.1, [b.packet(2, b.event_add([b.actor(5)])), place]), b.frame(2, 0.1, -1.0, [place])
    )
    with opened(tmp_path, data) as recording:
        before = saved(recording)
        recording.apply(move_actors(recording, [life_of(recording, 5)], (0.0, 0.0, 1.0)))
        after = saved(recording)
        assert after.count(b.f32(b.SIGNALLING_32) + b.f32(-0.0) + b.f32(101.0) + b.f32(b.PAYLOAD_32)) == 2
        recording.undo()
        recording.apply(move_actors(recording, [life_of(recording, 5)], turn=90.0, pivot=(0.0, 0.0)))
        assert saved(recording).count(b.f32(b.SIGNALLING_32)) == before.count(b.f32(b.SIGNALLING_32))


def test_nobody_is_placed_from_where_no_place_is(tmp_path: Path) -> None:
    place = b.packet(6, b.position([b.pose(5, b.xyz(math.inf, -0.0, 1.0), b.turn(yaw=math.nan))]))
    first = b.frame(1, 0.0, 0.1, [b.packet(2, b.event_add([b.actor(5)])), place])
    with opened(tmp_path, b.recording(first, b.frame(2, 0.1, -1.0, [place]))) as recording:
        lives = [life_of(recording, 5)]
        for wanted in ({"location": (1.0, None, None)}, {"yaw": 90.0}):
            with pytest.raises(EditError, match="Actor 5 has no finite position and heading in frame 1"):
                place_actors(recording, lives, 0, **wanted, ease_in=0.05)
        recording.apply(place_actors(recording, lives, 0, location=(None, 7.0, 2.0)))
        assert pose_of(recording, 1, 5)[:3] == (math.inf, 700.0, 200.0)


def test_doubles_move_in_double_precision(tmp_path: Path) -> None:
    x = 123456789.0625
    data = drive({7: lambda n: (x + n, 0.0, 0.0, 0.0)}, wide=True)
    with opened(tmp_path, data, "ue5-0.10.0") as recording:
        recording.apply(move_actors(recording, [life_of(recording, 7)], (0.00001, 0.0, 0.0)))
        assert pose_of(recording, 3, 7)[0] == x + 3 + 0.001
        assert pose_of(recording, 0, 7, "EventAdd")[0] == x + 0.001


@given(
    st.floats(-50, 50),
    st.floats(-50, 50),
    st.floats(-180, 180),
    st.floats(0, 0.5),
    st.floats(0, 0.5),
    st.integers(0, 3),
    st.integers(5, 11),
)
@settings(max_examples=examples(25))
def test_eased_moves_never_touch_the_ends_nor_what_is_outside(
    tmp_path_factory: pytest.TempPathFactory,
    x: float,
    y: float,
    turn: float,
    ease_in: float,
    ease_out: float,
    first: int,
    stop: int,
) -> None:
    span = 0.1 * (stop - 1 - first)
    ease_in, ease_out = 0.01 + ease_in * span * 0.9, 0.01 + ease_out * span * 0.9
    with opened(tmp_path_factory.mktemp("drive"), drive({7: ahead, 9: beside})) as recording:
        before = saved(recording)
        was = path_of(recording, 7)
        life = life_of(recording, 7)
        tiny = max(abs(x), abs(y), abs(turn)) < 1e-3
        with suppress(EditError) if tiny or ease_in + ease_out > span or stop - first == 2 else nullcontext():
            recording.apply(
                move_actors(
                    recording, [life], (x, y, 0.0), turn, range(first, stop), ease_in=ease_in, ease_out=ease_out
                )
            )
        now = path_of(recording, 7)
        assert (now[: first + 1] == was[: first + 1]).all()
        assert (now[stop - 1 :] == was[stop - 1 :]).all()
        assert (path_of(recording, 9) == [beside(n) for n in range(11)]).all()
        assert all_sound(recording)
        while recording.history.position:
            recording.undo()
        assert saved(recording) == before


def test_easing_is_0_at_the_ends_and_1_between() -> None:
    weight, rate = eased(np.linspace(0.0, 1.0, 101), 0.25, 0.5)
    assert (weight[0], weight[25], weight[50], weight[100]) == pytest.approx((0.0, 1.0, 1.0, 0.0))
    assert rate[1:-1] == pytest.approx((weight[2:] - weight[:-2]) / 0.02, abs=0.3)
    assert (np.diff(weight[:26]) >= 0).all()
    assert (np.diff(weight[50:]) <= 0).all()


def _busiest(recording: Recording) -> int:
    """Somebody with positions and, where there are any, velocities."""
    for name in ("AnimVehicle", "AnimWalker", "Position"):
        packet = recording[1].packet(name)
        if packet is not None and len(packet.decoded):
            return int(packet.array["id"][0])
    raise AssertionError


@of_real(BIKES)
def test_real_recordings_change_in_the_named_actor_alone(sound_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        before = saved(recording)
        actor = _busiest(recording)
        life = Actors.of(recording.snapshot).at(actor, 1)
        assert life is not None
        stop = len(recording.snapshot) if life.gone is None else life.gone
        was = path_of(recording, actor, range(life.born, stop))
        recording.apply(
            move_actors(recording, [life], (3.0, -1.5, 0.25), 15.0, range(life.born, stop), ease_in=0.5, ease_out=0.5)
        )
        assert all_sound(recording)
        now = path_of(recording, actor, range(life.born, stop))
        assert (now[[0, -1]] == was[[0, -1]]).all()
        middle = len(now) // 2
        assert now[middle, 2] - was[middle, 2] == pytest.approx(25.0, abs=1e-2)
        assert math.remainder(now[middle, 3] - was[middle, 3] - 15.0, 360.0) == pytest.approx(0.0, abs=1e-3)
        assert others_are_the_same(before, recording, {actor}, tmp_path)
        recording.undo()
        assert saved(recording) == before
