"""Frames of a fixed step: what moves is interpolated, what is found stays, what happens is told once and in order."""

import math
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording
from recorder_editor.edits import event_schedule
from recorder_editor.edits.interpolation import locate
from recorder_editor.edits.resample import resample
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.tracks import Tracks

from .. import builders as b
from ..extent import examples
from ..recording.films import BIKES, COMINGS, add, attach, box, collide, delete, film, of_real, opened
from ..replaying import complaints
from .drives import all_sound, saved, told

EVENTS = {"EventAdd", "EventDel", "EventParent", "Collision", "VehicleDoor", "SceneLight", "Weather", "BoundingBox"}


def timed(*frames: tuple[float, Sequence[bytes]]) -> bytes:
    """Frames at these times."""
    ends = [*(later[0] for later in frames[1:]), None]
    return b.recording(
        *(
            b.frame(n + 1, at, -1.0 if end is None else end - at, packets)
            for n, ((at, packets), end) in enumerate(zip(frames, ends, strict=True))
        )
    )


def at(*poses: b.Record, wide: bool = False) -> bytes:
    return b.packet(6, b.position(list(poses), wide))


def car(actor: int, x: float = 0.0, yaw: float = 0.0, roll: float = 0.0) -> b.Record:
    return b.pose(actor, b.xyz(x, 2.0 * x, 5.0), b.turn(roll, 0.0, yaw))


def lamp(state: int) -> bytes:
    return b.packet(7, b.traffic_light_state([{"id": 2, "frozen": False, "elapsed": 1.0, "state": state}]))


def times_of(recording: Recording) -> list[tuple[int, float, float]]:
    return [(frame.frame_id, frame.elapsed, frame.duration) for frame in recording]


def ids_of(recording: Recording, packet: str) -> list[list[int]]:
    """The ids that each frame's packet of that kind names."""
    found = []
    for frame in recording:
        records = [record for each in frame.packets if each.name == packet for record in each.records]
        found.append([record["id"] for record in records])
    return found


# --- what moves -----------------------------------------------------------------------------------------


def test_places_lie_between_those_of_the_frames_around() -> None:
    with opened(
        timed(
            (0.0, [at(car(5, 0.0, 170.0, -10.0))]),
            (0.5, [at(car(5, 100.0, -170.0, 10.0))]),
            (2.0, [at(car(5, 400.0, 10.0))]),
        )
    ) as recording:
        before = saved(recording)
        edit = resample(recording, 0.25)
        assert edit.label == "Resample to a frame every 0.25 s"
        assert edit.intent is not None
        assert dict(edit.intent.arguments) == {"step": 0.25}
        recording.apply(edit)
        assert times_of(recording) == [(n + 1, 0.25 * n, 0.25 if n < 8 else -1.0) for n in range(9)]
        assert [told(recording, n, "Position", 5, "location.x")[0] for n in range(9)] == [
            0,
            50,
            100,
            150,
            200,
            250,
            300,
            350,
            400,
        ]
        assert [told(recording, n, "Position", 5, "location.y")[0] for n in range(3)] == [0, 100, 200]
        assert {told(recording, n, "Position", 5, "location.z")[0] for n in range(9)} == {5.0}
        # 170 to -170 goes over 180, and -170 to 10 exactly half around: the way the simulator takes is up.
        assert [told(recording, n, "Position", 5, "rotation.yaw")[0] for n in (0, 1, 2, 5, 8)] == [
            170.0,
            180.0,
            -170.0,
            -80.0,
            10.0,
        ]
        assert [told(recording, n, "Position", 5, "rotation.roll")[0] for n in (0, 1, 2)] == [-10.0, 0.0, 10.0]
        recording.undo()
        assert saved(recording) == before


def test_velocities_and_clocks_lie_between_too_and_the_rest_is_that_of_the_frame_found() -> None:
    def packets(n: int) -> list[bytes]:
        return [
            at(car(5)),
            lamp(n),
            b.packet(
                8,
                b.anim_vehicle(
                    [{"id": 5, "steering": 0.1 * n, "throttle": 0.0, "brake": 0.0, "handbrake": False, "gear": n}]
                ),
            ),
            b.packet(
                12,
                b.kinematics(
                    [{"id": 5, "linear_velocity": b.xyz(10.0 * n), "angular_velocity": b.xyz(0.0, 0.0, 350.0 * n)}]
                ),
            ),
            b.packet(14, b.platform_time({"time": 7.0 + n})),
        ]

    with opened(timed((0.0, packets(0)), (1.0, packets(1)))) as recording:
        recording.apply(resample(recording, 0.25))
        velocity = [told(recording, n, "Kinematics", 5, "linear_velocity.x", "angular_velocity.z") for n in range(5)]
        assert velocity == [(0.0, 0.0), (2.5, 87.5), (5.0, 175.0), (7.5, 262.5), (10.0, 350.0)]
        assert [frame.packet("PlatformTime").records[0]["time"] for frame in recording] == [7.0, 7.25, 7.5, 7.75, 8.0]  # type: ignore[union-attr]
        assert [told(recording, n, "State", 2, "state")[0] for n in range(5)] == [0, 0, 0, 0, 1]
        assert [told(recording, n, "AnimVehicle", 5, "gear")[0] for n in range(5)] == [0, 0, 0, 0, 1]


def test_a_time_that_is_a_frame_gives_that_frame_to_the_bit() -> None:
    odd = b.pose(5, b.xyz(b.SIGNALLING_32, -0.0, 1e-42), b.turn(b.PAYLOAD_32, 540.0, -0.0))
    there = [at(odd), b.packet(14, b.platform_time({"time": b.SIGNALLING_64}))]
    with opened(timed((0.0, there), (0.1000000004, there), (0.25, there), (0.3, there))) as recording:
        recording.apply(resample(recording, 0.1))
        assert [frame.elapsed for frame in recording] == [0.0, 0.1, 0.2, pytest.approx(0.3)]
        assert {frame.data[29:] for frame in recording} == {b"".join(there) + b.packet(1)}


def test_who_is_in_one_of_two_frames_only_is_not_moved() -> None:
    with opened(
        timed(
            (0.0, [add(b.actor(5), b.actor(6)), at(car(5, 0.0), car(6, 10.0))]),
            (1.0, [add(b.actor(7)), delete(5), at(car(7, 500.0), car(6, 20.0))]),
            (2.0, [at(car(7, 600.0), car(6, 30.0))]),
        )
    ) as recording:
        recording.apply(resample(recording, 0.5))
        assert ids_of(recording, "Position") == [[5, 6], [5, 6], [7, 6], [7, 6], [7, 6]]
        assert told(recording, 1, "Position", 5, "location.x") == (0.0,)
        assert [told(recording, n, "Position", 6, "location.x")[0] for n in range(5)] == [10, 15, 20, 25, 30]
        assert [told(recording, n, "Position", 7, "location.x")[0] for n in (2, 3, 4)] == [500, 550, 600]


def test_two_lives_of_one_id_are_not_joined_by_a_line() -> None:
    first = [add(b.actor(5)), at(car(5, 0.0))]
    with opened(
        timed((0.0, first), (1.0, [delete(5), add(b.actor(5)), at(car(5, 500.0))]), (2.0, [at(car(5, 600.0))]))
    ) as recording:
        recording.apply(resample(recording, 0.5))
        assert told(recording, 1, "Position", 5, "location.x") == (0.0,)
        # The id is deleted in the third frame, so its next life begins in the fourth.
        assert ids_of(recording, "Position") == [[5], [5], [], [5], [5]]
        assert told(recording, 3, "Position", 5, "location.x") == (550.0,)
        assert [life.born for life in Actors.of(recording.snapshot)] == [0, 3]


def test_doubles_are_interpolated_in_double_precision() -> None:
    x = 123456789.0625
    with opened(
        timed((0.0, [at(car(5, x), wide=True)]), (1.0, [at(car(5, x + 0.5), wide=True)])), "ue5-0.10.0"
    ) as recording:
        recording.apply(resample(recording, 0.25))
        assert [told(recording, n, "Position", 5, "location.x")[0] - x for n in range(5)] == [
            0,
            0.125,
            0.25,
            0.375,
            0.5,
        ]


def test_records_that_change_places_and_twice_told_ones_are_matched_by_who_they_are() -> None:
    with opened(
        timed(
            (0.0, [at(car(5, 0.0), car(6, 100.0), car(5, 10.0))]),
            (1.0, [at(car(6, 200.0), car(5, 20.0), car(5, 30.0))]),
        )
    ) as recording:
        recording.apply(resample(recording, 0.5))
        packet = recording[1].packet("Position")
        assert packet is not None
        # The last record of an actor is the one in force.
        assert packet.array["location.x"].tolist() == [15.0, 150.0, 20.0]


# --- what happens ---------------------------------------------------------------------------------------


def test_events_go_to_the_first_frame_that_is_not_before_them_and_come_once() -> None:
    empty = [add(), delete(), attach(), collide(), at()]
    with opened(
        timed(
            (0.0, [add(b.actor(5)), delete(), attach(), collide(), at()]),
            (0.3, [add(b.actor(6)), *empty[1:]]),
            (0.4, [add(), delete(), attach((6, 5)), collide((5, 6)), at()]),
            (0.6, [add(), delete(6), *empty[2:]]),
            (1.1, empty),
        )
    ) as recording:
        recording.apply(resample(recording, 0.25))
        assert [frame.elapsed for frame in recording] == [0.0, 0.25, 0.5, 0.75, 1.0]
        assert ids_of(recording, "EventAdd") == [[5], [], [6], [], []]
        assert ids_of(recording, "EventDel") == [[], [], [], [6], []]
        actors = Actors.of(recording.snapshot)
        assert [(one.frame_index, one.child, one.parent) for one in actors.parents] == [(2, 6, 5)]
        assert actors.collisions["frame_index"].tolist() == [2]
        # What the recorder writes empty too is there in every frame, in its order.
        assert {tuple(packet.id for packet in frame.packets) for frame in recording} == {(0, 2, 3, 4, 5, 6, 1)}


def test_events_of_several_frames_meet_in_one_packet_in_their_order() -> None:
    frames = [(0.1 * n, [add(b.actor(10 + n)), collide((10, 10 + n)), box(10 + n)]) for n in range(6)]
    with opened(timed(*frames)) as recording:
        recording.apply(resample(recording, 0.5))
        assert ids_of(recording, "EventAdd") == [[10], [11, 12, 13, 14, 15]]
        assert ids_of(recording, "BoundingBox") == [[10], [11, 12, 13, 14, 15]]
        assert [packet.name for packet in recording[1].packets] == [
            "FrameStart",
            "EventAdd",
            "Collision",
            "BoundingBox",
            "FrameEnd",
        ]


def test_an_id_is_never_added_where_it_is_deleted_nor_shown_before_it_is_there() -> None:
    with opened(
        timed(
            (0.0, [add(b.actor(5)), at(car(5, 0.0))]),
            (0.1, [delete(5), at()]),
            (0.2, [add(b.actor(5, 2)), at(car(5, 7.0))]),
            (1.0, [at(car(5, 8.0))]),
            (2.0, [at(car(5, 9.0))]),
            (3.0, [at(car(5, 9.0))]),
        )
    ) as recording:
        recording.apply(resample(recording, 1.0))
        assert ids_of(recording, "EventAdd") == [[5], [], [5], []]
        assert ids_of(recording, "EventDel") == [[], [5], [], []]
        assert ids_of(recording, "Position") == [[5], [], [5], [5]]
        assert [(life.born, life.gone, life.type) for life in Actors.of(recording.snapshot)] == [
            (0, 1, 1),
            (2, None, 2),
        ]


def test_who_came_and_went_between_two_frames_lives_for_one() -> None:
    with opened(
        timed(
            (0.0, [at()]),
            (0.1, [add(b.actor(5)), attach(), at(car(5))]),
            (0.2, [collide((5, 5)), at(car(5))]),
            (0.3, [delete(5), at()]),
            (1.0, [at()]),
            (2.0, [at()]),
        )
    ) as recording:
        recording.apply(resample(recording, 1.0))
        assert [frame.elapsed for frame in recording] == [0.0, 1.0, 2.0]
        assert [(life.born, life.gone) for life in Actors.of(recording.snapshot)] == [(1, 2)]
        assert Actors.of(recording.snapshot).collisions["frame_index"].tolist() == [1]
        recording.undo()
        # Two seconds a frame: its frame is the last one, and it lives to the end.
        recording.apply(resample(recording, 2.0))
        assert times_of(recording) == [(1, 0.0, 2.0), (2, 2.0, -1.0)]
        assert [(life.born, life.gone) for life in Actors.of(recording.snapshot)] == [(1, None)]


def test_an_end_is_told_in_its_frame_and_what_names_the_life_before_it() -> None:
    crash = [collide((5, 6)), at(car(5), car(6))]
    with opened(
        timed(
            (0.0, [add(b.actor(5), b.actor(6)), at(car(5), car(6))]),
            (0.05, [at(car(5), car(6))]),
            (0.1, [at(car(5), car(6))]),
            (0.15, crash),
            (0.2, [delete(5, 6), at()]),
            (0.3, [at()]),
        )
    ) as recording:
        recording.apply(resample(recording, 0.1))
        assert ids_of(recording, "EventDel") == [[], [], [5, 6], []]
        assert Actors.of(recording.snapshot).collisions["frame_index"].tolist() == [1]
        assert ids_of(recording, "Position") == [[5, 6], [5, 6], [], []]


def test_who_meets_somebody_born_in_the_frame_of_its_end_ends_a_frame_later() -> None:
    with opened(
        timed(
            (0.0, [add(b.actor(5)), at(car(5))]),
            (0.1, [at(car(5))]),
            (0.15, [add(b.actor(6)), attach((6, 5))]),
            (0.2, [delete(5), at(car(6))]),
            (0.3, [at(car(6))]),
        )
    ) as recording:
        recording.apply(resample(recording, 0.1))
        assert [one.frame_index for one in Actors.of(recording.snapshot).parents] == [2]
        assert ids_of(recording, "EventDel") == [[], [], [], [5]]


def test_packets_of_other_writers_are_carried_over_once_each() -> None:
    with opened(
        timed(*((0.25 * n, [at(car(5, 100.0 * n)), b.packet(139, bytes([n]))]) for n in range(5)))
    ) as recording:
        recording.apply(resample(recording, 0.5))
        bodies = [[packet.body for packet in frame.packets if packet.id == 139] for frame in recording]
        assert bodies == [[b"\x00"], [b"\x01", b"\x02"], [b"\x03", b"\x04"]]
        recording.undo()
        recording.apply(resample(recording, 0.125))
        bodies = [[packet.body for packet in frame.packets if packet.id == 139] for frame in recording]
        assert bodies == [[bytes([n // 2])] if n % 2 == 0 else [] for n in range(9)]
        assert [told(recording, n, "Position", 5, "location.x")[0] for n in range(9)] == [50.0 * n for n in range(9)]


def test_lamps_and_weather_keep_their_order_where_they_meet() -> None:
    def sky(value: float) -> bytes:
        return b.packet(24, b.weather([dict.fromkeys(b.WEATHER, value)]))

    with opened(
        timed((0.0, [at(), sky(1.0)]), (0.5, [at(), sky(2.0)]), (0.75, [at(), sky(3.0)]), (2.0, [at()])), "ue4-2026"
    ) as recording:
        recording.apply(resample(recording, 1.0))
        told_in = [
            [w["wetness"] for p in frame.packets if p.name == "Weather" for w in p.records] for frame in recording
        ]
        assert told_in == [[1.0], [2.0, 3.0], []]


# --- all of it ------------------------------------------------------------------------------------------


def test_time_begins_where_it_began_and_ends_not_behind_its_end() -> None:
    with opened(timed((5.0, [at(car(1))]), (5.3, [at(car(1, 3.0))]), (5.7, [at(car(1, 7.0))]))) as recording:
        edit = resample(recording, 0.5)
        assert edit.label == "Resample to a frame every 0.5 s, the last at 5.500 s (recorded: 5.700 s)"
        recording.apply(edit)
        assert [frame.elapsed for frame in recording] == [5.0, 5.5]
        assert [told(recording, n, "Position", 1, "location.x")[0] for n in range(2)] == [0.0, 5.0]


def test_one_step_more_holds_what_happens_at_the_end() -> None:
    with opened(timed((0.0, [at(car(1))]), (0.3, [at(car(1, 3.0))]), (0.7, [add(b.actor(5)), at(car(1, 7.0))]))) as (
        recording
    ):
        edit = resample(recording, 0.5)
        assert edit.label == "Resample to a frame every 0.5 s, the last at 1.000 s (recorded: 0.700 s)"
        recording.apply(edit)
        assert [frame.elapsed for frame in recording] == [0.0, 0.5, 1.0]
        assert [told(recording, n, "Position", 1, "location.x")[0] for n in range(3)] == [0.0, 5.0, 7.0]


def test_too_many_lives_of_one_id_at_the_end_are_refused() -> None:
    again = [delete(5), add(b.actor(5))]
    with opened(timed((0.0, [add(b.actor(5))]), (0.5, []), (0.9, again), (1.0, again))) as recording:
        with pytest.raises(EditError, match=r"EventAdd of frame 3 finds no frame.*shorter step"):
            resample(recording, 0.5)
        assert len(recording) == 4


@pytest.mark.parametrize(("step", "frames"), [(27.7, 2), (13.85, 3), (0.05, 555), (0.1, 278)])
def test_steps_summed_up_of_floats_are_those_that_were_meant(step: float, frames: int) -> None:
    times = np.cumsum([0.0, *[float(np.float32(0.05))] * 554])
    with opened(timed(*((when, [at(car(1, float(n)))]) for n, when in enumerate(times.tolist())))) as recording:
        recording.apply(resample(recording, step))
        places = [told(recording, n, "Position", 1, "location.x")[0] for n in range(len(recording))]
        assert places == [float(n) for n in range(0, 555, 554 // (frames - 1))]


def test_hours_summed_up_of_floats_find_their_frames() -> None:
    times = np.arange(200_000) * float(np.float32(0.1))
    found, share = locate(times, np.arange(200_000) * 0.1)
    assert found.tolist() == list(range(200_000))
    assert not share.any()


@pytest.mark.parametrize("step", [0.71, 1000.0])
def test_a_step_longer_than_the_recording_is_refused(step: float) -> None:
    with opened(timed((5.0, []), (5.7, []))) as recording, pytest.raises(EditError, match="longer than the recording"):
        resample(recording, step)


def test_one_frame_stays_one_frame() -> None:
    with opened(timed((0.0, [at(car(1))]))) as recording, pytest.raises(EditError, match="already"):
        resample(recording, 0.5)


def test_an_open_frame_is_closed() -> None:
    data = timed((0.0, [at(car(1))]), (0.5, [at(car(1, 10.0))]))
    with opened(data[:-5]) as recording:
        assert recording[1].is_open
        recording.apply(resample(recording, 0.25))
        assert [frame.is_open for frame in recording] == [False] * 3
        assert [told(recording, n, "Position", 1, "location.x")[0] for n in range(3)] == [0.0, 5.0, 10.0]


@pytest.mark.parametrize("step", [0.0, -1.0, math.nan, math.inf])
def test_a_step_is_a_number_above_0(step: float) -> None:
    with opened(film([], [])) as recording, pytest.raises(EditError, match="above 0"):
        resample(recording, step)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (1e-6, r"make 50,001 frames, about [0-9,]+ bytes, of the 2 recorded; 10,000 .* Take a longer step"),
        (1e-320, r"countless frames of the 2 .* Take a longer step"),
    ],
)
def test_more_frames_than_make_sense_are_refused(step: float, sentence: str) -> None:
    with opened(film([], [])) as recording, pytest.raises(EditError, match=sentence):
        resample(recording, step)


def test_frames_that_the_disk_cannot_hold_are_refused_before_any_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(film([], [], [])) as recording:
        monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(total=10**9, free=10_000))
        with pytest.raises(EditError, match=r"1,001 frames would be made, about [0-9,]+ bytes, and 10,000 bytes are"):
            resample(recording, 0.0001)
        assert recording.snapshot.store.scratch_path is None


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b.header(), "no frames"),
        (timed((0.0, []), (0.0, [])), "put its times in order"),
        (timed((0.0, []), (math.nan, []), (1.0, [])), "put its times in order"),
        (timed((0.0, [])) + b"\xee" * 40 + b.frame(2, 0.5), "`repair`"),
        (timed((0.0, []), (1.0, [b.packet(3, b"\x05\x00\x01")])), "EventDel of frame 2 is damaged"),
        (timed((0.0, [at(car(1))]), (1.0, [b.packet(6, b"\x05\x00\x01")])), "Position of frame 1 is damaged"),
    ],
)
def test_what_cannot_be_resampled_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with opened(data) as recording, pytest.raises(EditError, match=sentence):
        resample(recording, 0.3)


def test_it_reports_and_can_be_cancelled() -> None:
    with opened(film(*([at(car(1, float(n)))] for n in range(9)))) as recording:
        before, reports = saved(recording), []
        resample(recording, 0.02, progress=Progress(lambda *at: reports.append(at)))
        assert reports[-1] == (9, 9)
        with pytest.raises(Cancelled):
            resample(recording, 0.02, progress=Progress(is_cancelled=lambda: True))
        assert saved(recording) == before


@given(COMINGS, st.sampled_from([0.01, 0.03, 0.05, 0.07, 0.2]))
@settings(max_examples=examples(100))
def test_nothing_is_lost_whatever_comes_and_goes(frames: list[list[bytes]], step: float) -> None:
    with opened(film(*frames)) as recording:
        before, actors = saved(recording), Actors.of(recording.snapshot)
        events = Counter(_events(recording))
        lives = [(life.actor, life.type) for life in actors]
        with suppress(EditError):
            recording.apply(resample(recording, step))
        if not recording.history.position:
            return
        assert all_sound(recording)
        after = Actors.of(recording.snapshot)
        # Who would go behind the last frame lives to the end.
        gone = events - Counter(_events(recording))
        assert Counter(_events(recording)) == events - gone
        assert {name for name, _ in gone} <= {"EventDel"}
        assert sorted((life.actor, life.type) for life in after) == sorted(lives)
        assert all(life.gone is None or life.gone > life.born for life in after)
        assert _known(after) >= _known(actors)
        for came, went in zip(ids_of(recording, "EventAdd"), ids_of(recording, "EventDel"), strict=True):
            assert len(set(came)) == len(came)
            assert not {life.actor for life in after} & set(came) & set(went)
        assert [frame.frame_id for frame in recording] == list(range(1, len(recording) + 1))
        recording.undo()
        assert saved(recording) == before


def _known(actors: Actors) -> int:
    """How many attachments are between two who are alive."""
    return sum(one.child_life is not None and one.parent_life is not None for one in actors.parents)


def _events(recording: Recording) -> list[tuple[str, bytes]]:
    return [
        (packet.name, packet.body[slice(*packet.decoded.span(index))])
        for frame in recording
        for packet in frame.packets
        if packet.name in EVENTS
        for index in range(len(packet.decoded))
    ]


@pytest.mark.parametrize("step", [0.05, 0.013, 0.7])
@of_real(BIKES)
def test_real_recordings_keep_their_lives_and_events_and_ways(sound_recording: Path, step: float) -> None:
    with recorder_editor.open(sound_recording) as recording:
        before, old = saved(recording), recording.snapshot
        actors, times = Actors.of(old), old.elapsed
        known = Counter(each.code for each in complaints(old))
        events = Counter(_events(recording))
        was = Tracks(old).positions()
        recording.apply(resample(recording, step))
        new = recording.snapshot
        assert all_sound(recording)
        assert Counter(_events(recording)) == events
        assert Counter(each.code for each in complaints(new)) == known
        after = Actors.of(new)
        assert [(life.actor, life.blueprint) for life in after] == [(life.actor, life.blueprint) for life in actors]
        assert after.collisions["id"].tolist() == actors.collisions["id"].tolist()
        for life, other in zip(actors, after, strict=True):
            assert times[life.born] <= new.elapsed[other.born] + 1e-6
            assert new.elapsed[other.born] - times[life.born] <= step + 1e-6
        now = Tracks(new).positions()
        lives = after.indices_of(now["id"], now["frame"])
        assert (lives >= 0).all()
        for actor in np.unique(was["id"])[:40].tolist():
            one, two = was[was["id"] == actor], now[now["id"] == actor]
            for axis in "xyz":
                there = np.interp(new.elapsed[two["frame"]], times[one["frame"]], one[axis].astype(np.float64))
                assert np.allclose(two[axis].astype(np.float64), there, rtol=1e-7, atol=0.002)
        recording.undo()
        assert saved(recording) == before


@pytest.mark.parametrize("name", ["carla-0.9.13-opendrive.log", "carla-0.9.13-town05-collisions.log"])
def test_a_recording_of_a_fixed_step_is_itself_at_that_step(recordings: Path, name: str) -> None:
    with recorder_editor.open(recordings / name) as recording:
        before = saved(recording)
        elapsed = recording.snapshot.elapsed
        step = float(elapsed[1] - elapsed[0])
        packets = [frame.data[29:] for frame in recording]
        with suppress(EditError):
            recording.apply(resample(recording, step))
        assert [frame.data[29:] for frame in recording] == packets
        assert recording.snapshot.elapsed == pytest.approx(elapsed, abs=1e-9)
        if recording.history.position:
            recording.undo()
        # To half the step, every second frame is an old one to the bit.
        recording.apply(resample(recording, step / 2))
        assert [frame.data[29:] for frame in recording][::2] == packets
        recording.undo()
        assert saved(recording) == before


def test_packets_that_nobody_decodes_are_not_held_in_memory() -> None:
    size = 1_000_000
    frames = [[b.packet(120, bytes([number]) * size)] for number in range(40)]
    with opened(film(*frames)) as recording:
        tracemalloc.start()
        try:
            edit = resample(recording, 0.025)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        recording.apply(edit)
        assert [frame.packets[1].body[:1] for frame in recording if len(frame.packets) > 2] == [
            bytes([number]) for number in range(40)
        ]
    assert peak < 35_000_000


def test_of_large_frames_few_are_in_memory_at_a_time() -> None:
    size = 17 << 20
    frames = [[b.packet(120, bytes([number]) * size)] for number in range(4)]
    with opened(film(*frames)) as recording:
        tracemalloc.start()
        try:
            resample(recording, 0.025)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 4.5 * size


def test_packets_of_other_writers_that_no_frame_may_hold_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_schedule, "LARGEST_FRAME", 100)
    frames = [[b.packet(120, bytes(40))] for _ in range(5)]
    with opened(film(*frames)) as recording, pytest.raises(EditError, match="One frame would hold"):
        resample(recording, 0.2)
