"""Columns over frames: against a slow loop on real recordings, and on every odd thing a file may hold."""

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording, edits
from recorder_editor.errors import Cancelled
from recorder_editor.progress import Progress
from recorder_editor.reading import columns, tracks
from recorder_editor.reading.tracks import COLUMNS, Tracks
from recorder_editor.recording.frames import NO_LAYOUT, RAW
from tests import builders
from tests.builders import RELEASES, everything, frame, packet, pose, xyz
from tests.recording import naive
from tests.recording.films import COLLISIONS, WALKERS, film, of_real, opened

Open = Callable[..., Tracks]
PLACES = [1, 2, 7, 30]


@pytest.fixture
def open_bytes(tmp_path: Path) -> Iterator[Open]:
    found: list[Recording] = []

    def open_(data: bytes, dialect: str | None = "ue4-0.9.12") -> Tracks:
        path = tmp_path / f"{len(found)}.log"
        path.write_bytes(data)
        found.append(recorder_editor.open(path, dialect=dialect))
        return found[-1].tracks

    yield open_
    for recording in found:
        recording.close()


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buffers, blocks and windows so small that every seam between them is met."""
    shrink(monkeypatch)


def shrink(patch: pytest.MonkeyPatch, *, buffer: int = 6000, block: int = 150, gap: int = 300, window: int = 7) -> None:
    patch.setattr(columns, "_BUFFER", buffer)
    patch.setattr(columns, "_GAP", gap)
    patch.setattr(columns, "_PORTION", 400)
    patch.setattr(columns, "BLOCK", block)
    patch.setattr(tracks, "BLOCK", block)
    patch.setattr(tracks, "_WINDOW", window)


def position(*records: dict[str, Any], wide: bool = False) -> bytes:
    return packet(6, builders.position(list(records), wide))


def moved(*records: tuple[int, float, float, float]) -> bytes:
    return packet(
        12,
        builders.kinematics(
            [{"id": number, "linear_velocity": xyz(*speed), "angular_velocity": xyz()} for number, *speed in records]
        ),
    )


def packed(table: np.ndarray[Any, np.dtype[np.void]]) -> list[tuple[int, bytes]]:
    """(frame, all other columns as bytes without gaps) of every record."""
    names = [name for name in table.dtype.names or () if name != "frame"]
    parts = [np.ascontiguousarray(table[name]) for name in names]
    return [
        (int(number), b"".join(part[n].tobytes() for part in parts)) for n, number in enumerate(table["frame"].tolist())
    ]


# --- real recordings ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COLUMNS)
def test_tracks_of_real_recordings_are_those_a_slow_loop_finds(sound_recording: Path, name: str) -> None:
    expected = naive.track(sound_recording.read_bytes(), name)
    with recorder_editor.open(sound_recording) as recording:
        table = recording.tracks.read(name)
        assert packed(table) == expected
        assert recording.tracks.count(name) == len(expected)


@of_real(COLLISIONS, WALKERS)
@pytest.mark.parametrize("name", COLUMNS)
def test_small_portions_of_real_recordings_give_the_same(
    sound_recording: Path, name: str, small_portions: None
) -> None:
    expected = naive.track(sound_recording.read_bytes(), name)
    with recorder_editor.open(sound_recording) as recording:
        assert packed(recording.tracks.read(name)) == expected
        blocks = list(recording.tracks.blocks(name))
        assert all(0 < len(block) <= 150 for block in blocks)
        assert [record for block in blocks for record in packed(block)] == expected


@cache
def positions_of(path: Path) -> list[tuple[int, bytes]]:
    return naive.track(path.read_bytes(), "positions")


CHOICES = [
    None,
    slice(None, None, 3),
    slice(10, 60),
    slice(-30, None, 4),
    slice(None, None, -14),
    range(5, 100, 9),
    range(100, 5, -9),
    range(-4, 10, 3),
    range(90, 10_000, 5),
    range(10_000, 20_000),
    range(7, 8),
    range(8, 8),
    slice(None, None, 10_000),
]


@pytest.mark.parametrize("frames", CHOICES)
@pytest.mark.parametrize("window", [7, 1 << 16])
def test_frames_are_chosen(recordings: Path, monkeypatch: pytest.MonkeyPatch, frames: Any, window: int) -> None:
    path = recordings / "carla-0.9.13-town05-collisions.log"
    every = positions_of(path)
    monkeypatch.setattr(tracks, "_WINDOW", window)
    with recorder_editor.open(path) as recording:
        total = range(len(recording))
        chosen = sorted(
            total[frames] if isinstance(frames, slice) else set(total if frames is None else frames) & set(total)
        )
        expected = [record for record in every if record[0] in set(chosen)]
        assert packed(recording.tracks.positions(frames=frames)) == expected
        ids = sorted({record[:4] for _, record in every})[3:9]
        actors = [int.from_bytes(each, "little") for each in ids]
        some = [record for record in expected if record[1][:4] in ids]
        assert packed(recording.tracks.positions(actors, frames)) == some
        assert packed(recording.tracks.positions(iter(actors), frames)) == some


def test_a_path_is_one_actors_positions(recordings: Path) -> None:
    path = recordings / "carla-0.9.13-town05-collisions.log"
    with recorder_editor.open(path) as recording:
        found = recording.tracks.path(3890)
        everything_ = recording.tracks.positions()
        assert found.tobytes() == everything_[everything_["id"] == 3890].tobytes()
        assert (
            len(recording.tracks.path(3)) == len(recording.tracks.path(-1)) == len(recording.tracks.path(1 << 40)) == 0
        )


def test_the_damaged_real_recording_is_read_as_far_as_it_goes(damaged_recording: Path) -> None:
    with recorder_editor.open(damaged_recording) as recording:
        for name in COLUMNS:
            assert len(recording.tracks.read(name)) <= recording.tracks.count(name)


# --- columns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", RELEASES)
@pytest.mark.parametrize("name", COLUMNS)
def test_every_release_gives_its_bits(open_bytes: Open, dialect: str, name: str) -> None:
    data = everything(dialect)
    found = open_bytes(data, dialect)
    wide = RELEASES[dialect].wide
    assert packed(found.read(name)) == naive.track(data, name, wide)
    if name == "positions":
        assert found.dtype(name)["x"] == np.dtype("f8" if wide else "f4")
        assert len(found.positions()) >= 3


def test_a_track_the_release_does_not_have_is_empty_and_has_its_columns(open_bytes: Open) -> None:
    found = open_bytes(everything("ue4-0.9.4"), "ue4-0.9.4")
    for name in ("kinematics", "controls", "walkers", "lights"):
        table = found.read(name)
        assert len(table) == found.count(name) == 0
        assert table.dtype.names is not None
        assert table.dtype.names[:2] == ("frame", "id")
        assert list(found.blocks(name)) == []
    assert len(found.speeds()) == len(found.positions(np.unique(found.positions()["id"])[:9])) - 1


def test_the_columns_have_names_and_their_own_types(open_bytes: Open) -> None:
    found = open_bytes(builders.drive(3))
    assert found.read("controls").dtype.descr[0] == ("frame", "<i4")
    assert found.read("controls")[0].item()[1:] == (100, 0.0, 0.5, 0.0, 0, 1)
    assert found.dtype("states").names == ("frame", "id", "frozen", "elapsed", "state")
    assert found.positions()["x"].tolist() == [0.0, 50.0, 100.0]
    assert found.positions()["frame"].tolist() == [0, 1, 2]
    assert found.read("lights")["lights"].tolist() == [0, 0, 0]


def test_a_name_that_is_no_track_is_refused(open_bytes: Open) -> None:
    found = open_bytes(builders.drive(3))
    with pytest.raises(KeyError):
        found.read("wheels")


def test_a_recording_without_frames_has_empty_tracks(open_bytes: Open) -> None:
    found = open_bytes(builders.recording())
    assert [len(found.read(name)) for name in COLUMNS] == [0] * 6
    assert len(found.speeds()) == len(found.positions([1])) == 0


# --- odd layouts and damage -----------------------------------------------------------------------------


def lie(data: bytes, count: int) -> bytes:
    """A packet that says another number of records than it holds."""
    return data[:5] + struct.pack("<H", count) + data[7:]


def body_of(ids: list[int], tail: bytes = b"") -> bytes:
    return builders.position([pose(n, xyz(n, 2.5, -n)) for n in ids]) + tail


IDS = st.lists(st.sampled_from(PLACES), max_size=40)
BODIES = st.one_of(
    st.builds(body_of, IDS),
    st.builds(lambda ids, count: builders.u16(count) + body_of(ids)[2:], IDS, st.sampled_from([0, 1, 2, 3, 6, 65535])),
    st.builds(body_of, IDS, st.binary(max_size=60)),
    st.binary(max_size=70),
)
PACKETS = st.one_of(
    st.builds(lambda body: packet(6, body), BODIES),
    st.builds(lambda size: packet(100, bytes(size)), st.integers(0, 400)),
)
TIMES = st.integers(1, 5)  # that a frame comes in a row
FRAMES = st.lists(st.tuples(st.lists(PACKETS, max_size=3), TIMES), min_size=1, max_size=8)


@given(
    frames=FRAMES,
    sizes=st.tuples(st.integers(1200, 3000), st.integers(40, 200), st.integers(0, 300), st.integers(1, 9)),
    step=st.integers(1, 4),
    start=st.integers(0, 5),
    actors=st.none() | st.lists(st.sampled_from([*PLACES, 99])),
)
def test_any_layouts_are_read_as_a_slow_loop_reads_them(
    frames: list[tuple[list[bytes], int]],
    sizes: tuple[int, int, int, int],
    step: int,
    start: int,
    actors: list[int] | None,
) -> None:
    data = film(*(packets for packets, times in frames for _ in range(times)))
    expected = [
        (number, record)
        for number, record in naive.track(data, "positions")
        if number >= start and (number - start) % step == 0
        if actors is None or int.from_bytes(record[:4], "little") in actors
    ]
    buffer, block, gap, window = sizes
    with pytest.MonkeyPatch.context() as patch, opened(data) as recording:
        shrink(patch, buffer=buffer, block=block, gap=gap, window=window)
        found = recording.tracks
        assert packed(found.positions(actors, slice(start, None, step))) == expected
        blocks = list(found.blocks("positions", actors, slice(start, None, step)))
        assert [record for part in blocks for record in packed(part)] == expected
        assert all(0 < len(part) <= block for part in blocks)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 65535])
def test_a_count_that_is_wrong_is_believed_as_far_as_the_body_goes(open_bytes: Open, count: int) -> None:
    sound = position(pose(1), pose(2))
    found = open_bytes(film([sound], [lie(sound, count)], [sound]))
    whole = min(count, 2)
    assert found.positions()["frame"].tolist() == [0, 0, *[1] * whole, 2, 2]
    assert found.count("positions") == 6
    assert found.positions([1])["frame"].tolist() == [0, *[1] * min(1, whole), 2]


def test_the_largest_bodies_fit(open_bytes: Open) -> None:
    body = builders.u16(65535) + bytes(65535 * 28)
    too_long = builders.u16(65535) + bytes(70000 * 28)
    found = open_bytes(film([packet(6, body)], [packet(6, too_long)], [position(pose(1))]))
    assert len(found.positions()) == 2 * 65535 + 1
    assert [len(block) for block in found.blocks("positions")] == [65535, 65536]
    assert columns._BUFFER >= 2 + 65535 * 52


def test_a_frame_of_too_many_packets_to_keep_is_walked(open_bytes: Open) -> None:
    many = [packet(100, b"x")] * 5000
    found = open_bytes(film([position(pose(1))], [position(pose(1)), *many, position(pose(2))], [position(pose(3))]))
    assert found.positions()[["frame", "id"]].tolist() == [(0, 1), (1, 1), (1, 2), (2, 3)]


def test_packets_between_frames_are_left_out(tmp_path: Path) -> None:
    frames = [frame(n + 1, n * 0.05, 0.05, [position(pose(n))]) for n in range(6)]
    data = builders.recording(frames[0], position(pose(90)), frames[1], b"\xff" * 40, *frames[2:], position(pose(91)))
    path = tmp_path / "town.log"
    path.write_bytes(data)
    with recorder_editor.open(path, dialect="ue4-0.9.12") as recording:
        kinds = recording.snapshot.table.column("kind")
        assert np.count_nonzero(kinds == RAW) == 3
        assert recording.snapshot.table.column("layout")[kinds == RAW].tolist() != [NO_LAYOUT] * 3
        table = recording.tracks.positions()
        assert table[["frame", "id"]].tolist() == [(n, n) for n in range(6)]
        assert recording.tracks.positions(frames=slice(1, None, 2))["id"].tolist() == [1, 3, 5]


def test_an_open_frame_is_a_frame(open_bytes: Open) -> None:
    open_frame = builders.frame_start(2, 0.05) + position(pose(2))
    data = builders.recording(
        frame(1, 0.0, 0.05, [position(pose(1))]), open_frame, frame(3, 0.1, -1.0, [position(pose(3))])
    )
    assert open_bytes(data).positions()["id"].tolist() == [1, 2, 3]


# --- edited recordings ----------------------------------------------------------------------------------


def test_edited_and_copied_frames_are_read_where_they_are(tmp_path: Path, small_portions: None) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(builders.drive(40, vehicles=3))
    with recorder_editor.open(path, dialect="ue4-0.9.12") as recording:
        for index, x in ((3, 1000.5), (20, -5.0), (4, 7.0)):
            where = edits.place(recording, frame=index, packet="Position", record=1, field="location.x")
            recording.apply(edits.set_field(recording, where, x))
        found = recording.tracks.path(101)
        assert [float(found["x"][n]) for n in (2, 3, 4, 5, 20)] == [100.0, 1000.5, 7.0, 250.0, -5.0]
        table = recording.snapshot.table
        twice = table.splice(10, 0, table.slice(2, 6)).splice(0, 1, table.slice(30, 31))
        snapshot = replace(recording.snapshot, table=twice)
        x = Tracks(snapshot).path(101)["x"]
        assert len(x) == 44
        assert x[10:14].tolist() == [100.0, 1000.5, 7.0, 250.0]
        assert x[0] == 1500.0


def test_the_last_record_of_an_actor_in_a_frame_is_its_place(open_bytes: Open) -> None:
    found = open_bytes(
        film([position(pose(1, xyz(1.0)), pose(1, xyz(2.0))), position(pose(1, xyz(3.0)))], [position(pose(1))])
    )
    assert found.path(1)["x"].tolist() == [3.0, 0.0]
    assert found.positions()["x"].tolist() == [1.0, 2.0, 3.0, 0.0]


# --- jobs -----------------------------------------------------------------------------------------------


def test_blocks_tell_how_far_they_are_and_can_be_cancelled(tmp_path: Path, small_portions: None) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(builders.drive(60, vehicles=5))
    with recorder_editor.open(path, dialect="ue4-0.9.12") as recording:
        done: list[tuple[int, int]] = []
        progress = Progress(lambda *numbers: done.append(numbers))
        for _ in recording.tracks.blocks("positions", frames=slice(None, None, 2), progress=progress):
            pass
        assert done == sorted(done)
        assert done[-1] == (30, 30)
        asked = iter([False, False, True])
        with pytest.raises(Cancelled):
            list(recording.tracks.blocks("positions", progress=Progress(is_cancelled=lambda: next(asked))))


# --- speeds ---------------------------------------------------------------------------------------------


def speeds(found: Tracks, **chosen: Any) -> list[tuple[int, int, float]]:
    return [(n, number, round(speed, 6)) for n, number, speed in found.speeds(**chosen).tolist()]


def test_speeds_are_those_of_kinematics_where_there_are_any(open_bytes: Open) -> None:
    found = open_bytes(
        film(
            [position(pose(1), pose(2)), moved((1, 3.0, 4.0, 0.0))],
            [position(pose(1, xyz(100.0)), pose(2, xyz(0.0, 50.0))), moved((1, 0.0, 0.0, 12.0), (9, 1.0, 0.0, 0.0))],
            [position(pose(1, xyz(200.0)), pose(2, xyz(0.0, 50.0, 100.0)))],
        )
    )
    between = pytest.approx(11.18034)  # from the first frame to the third; at the ends from or to the frame itself
    assert speeds(found) == [
        (0, 1, 5.0),
        (0, 2, 10.0),
        (1, 1, 12.0),
        (1, 2, between),
        (1, 9, 1.0),
        (2, 1, 20.0),
        (2, 2, 20.0),
    ]
    assert speeds(found, actors=[2]) == [(0, 2, 10.0), (1, 2, between), (2, 2, 20.0)]
    assert speeds(found, actors=[2], frames=slice(None, None, 2)) == [(0, 2, 10.0), (2, 2, 20.0)]
    assert speeds(found, actors=[2], frames=range(1, 2)) == [(1, 2, between)]


def test_a_jump_has_no_part_in_a_speed(open_bytes: Open) -> None:
    found = open_bytes(film(*([position(pose(1, xyz(x)))] for x in (0.0, 100.0, 90_000.0, 90_100.0, 0.0))))
    told = [round(speed, 6) if speed == speed else None for _, _, speed in speeds(found)]
    assert told == [20.0, 20.0, 20.0, 20.0, None]


def test_every_tenth_frame_is_as_fast_as_it_is_among_all(recordings: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.6-town03-walkers.rec") as recording:
        every = recording.tracks.speeds()
        tenth = recording.tracks.speeds(frames=slice(None, None, 10))
        assert len(tenth)
        np.testing.assert_array_equal(tenth, every[every["frame"] % 10 == 0])


def test_what_falls_does_not_jump(open_bytes: Open) -> None:
    found = open_bytes(film(*([position(pose(1, xyz(z=z)))] for z in (0.0, -2000.0, -4000.0))))
    assert [speed for _, _, speed in speeds(found)] == [400.0] * 3


def test_there_is_no_speed_where_time_stands_still(open_bytes: Open) -> None:
    found = open_bytes(film(*([position(pose(1, xyz(n)))] for n in range(3)), step=0.0))
    assert all(math.isnan(speed) for _, _, speed in speeds(found))
    assert math.isnan(open_bytes(film([position(pose(1))])).speeds()["speed"][0])


def test_speeds_of_a_real_recording_follow_from_its_positions(recordings: Path) -> None:
    path = recordings / "carla-0.9.6-town03-walkers.rec"
    expected = naive.speeds(path.read_bytes())
    with recorder_editor.open(path) as recording:
        found = recording.tracks.speeds()
    assert len(found) == len(expected)
    for number, actor, speed in found.tolist():
        assert speed == pytest.approx(expected[number, actor], nan_ok=True, rel=1e-9, abs=1e-12)
