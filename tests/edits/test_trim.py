"""Trim and cut: what is kept replays as it did, and the first frame behind a gap tells what is needed for that."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import edits
from recorder_editor.api import Recording
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.progress import Progress
from recorder_editor.recording.snapshot import Frame, Snapshot

from .. import builders as b
from ..recording.films import BIKES, of_real, town
from ..replaying import assert_no_new_warnings, assert_replays_same
from .conftest import saved

STEP = 0.25
CAR, TRUCK, LIGHT, CAMERA, LATE = 7, 8, 3, 9, 12


def added(number: int, blueprint: str = "vehicle.tesla.model3", x: float = 0.0) -> b.Record:
    return b.actor(number, 1, blueprint, b.xyz(x, 10.0 * number, 1.0), b.turn(0.0, 0.0, 90.0))


def at(number: int, frame: int) -> b.Record:
    return b.pose(number, b.xyz(100.0 * frame + number, 10.0 * number, 1.0), b.turn(0.0, 0.0, float(frame)))


def lamp(number: int, intensity: float) -> b.Record:
    return {
        "id": number,
        "intensity": intensity,
        "color": {"r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0},
        "on": True,
        "group": 1,
    }


def box(number: int, side: float) -> b.Record:
    return {"id": number, "origin": b.xyz(), "extent": b.xyz(side, side, side)}


class Story:
    """Ten frames, told as what happens in which of them."""

    def __init__(self) -> None:
        self.born: dict[int, list[b.Record]] = {}
        self.gone: dict[int, list[int]] = {}
        self.attached: dict[int, list[tuple[int, int]]] = {}
        self.hits: dict[int, list[tuple[int, int]]] = {}
        self.lamps: dict[int, list[b.Record]] = {}
        self.boxes: dict[int, list[b.Record]] = {}
        self.placed: dict[int, list[int]] = {}

    def frame(self, n: int, last: bool) -> bytes:
        hits = [
            {"id": n, "actor1": one, "actor2": two, "hero1": False, "hero2": False} for one, two in self.hits.get(n, [])
        ]
        packets = [
            b.packet(2, b.event_add(self.born.get(n, []))),
            b.packet(3, b.event_del([{"id": each} for each in self.gone.get(n, [])])),
            b.packet(4, b.event_parent([{"child": one, "parent": two} for one, two in self.attached.get(n, [])])),
            b.packet(5, b.collision(hits)),
            b.packet(6, b.position([at(each, n) for each in self.placed.get(n, [])])),
            *([b.packet(11, b.scene_light(self.lamps[n]))] if n in self.lamps else []),
            b.packet(13, b.bounding_box(self.boxes.get(n, []))),
            b.packet(14, b.platform_time({"time": 3.0 + n})),
        ]
        return b.frame(n + 1, STEP * n, -1.0 if last else STEP, packets)

    def to_bytes(self, frames: int = 10) -> bytes:
        return b.recording(*(self.frame(n, n == frames - 1) for n in range(frames)))


def story() -> Story:
    made = Story()
    made.born = {
        0: [added(LIGHT, "traffic.traffic_light", 77.0), added(CAR), added(TRUCK), added(CAMERA, "sensor.camera.rgb")],
        6: [added(LATE)],
    }
    made.attached = {0: [(CAMERA, CAR)]}
    made.gone = {4: [TRUCK], 8: [LATE]}
    made.hits = {4: [(CAR, TRUCK)]}
    made.lamps = {0: [lamp(1, 10.0), lamp(2, 20.0)], 3: [lamp(2, 25.0)]}
    made.boxes = {0: [box(CAR, 1.0), box(TRUCK, 2.0)], 6: [box(LATE, 3.0)]}
    for n in range(10):
        made.placed[n] = [CAR, *([TRUCK] if n < 4 else []), *([LATE] if 6 <= n < 8 else [])]
    return made


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    file = tmp_path / "story.log"
    file.write_bytes(story().to_bytes())
    with recorder_editor.open(file) as opened:
        yield opened


def ids(frame: Frame, name: str, field: str = "id") -> list[int]:
    packet = frame.packet(name)
    return [] if packet is None else [record[field] for record in packet.records]


# --- trim -------------------------------------------------------------------------------------------------


def test_the_first_kept_frame_creates_everybody_who_lives_as_they_are_then(recording: Recording) -> None:
    recording.apply(edits.trim(recording, range(2, 6)))
    first = recording[0]
    assert ids(first, "EventAdd") == [LIGHT, CAR, TRUCK, CAMERA]
    places = {record["id"]: record["location"] for record in first.packet("EventAdd").records}
    assert places[CAR] == at(CAR, 2)["location"]
    assert places[TRUCK] == at(TRUCK, 2)["location"]
    assert places[LIGHT] == {"x": 77.0, "y": 30.0, "z": 1.0}
    assert first.packet("EventParent").records == [{"child": CAMERA, "parent": CAR}]
    assert [record["intensity"] for record in first.packet("SceneLight").records] == [10.0, 20.0]
    assert ids(first, "BoundingBox") == [CAR, TRUCK]
    assert [packet.id for packet in first.packets] == [0, 2, 3, 4, 5, 6, 11, 13, 14, 1]


def test_time_begins_at_0_frames_at_1_and_the_last_duration_says_that_nothing_follows(recording: Recording) -> None:
    recording.apply(edits.trim(recording, range(2, 6)))
    assert [frame.frame_id for frame in recording] == [1, 2, 3, 4]
    assert [frame.elapsed for frame in recording] == [0.0, 0.25, 0.5, 0.75]
    assert [frame.duration for frame in recording] == [0.25, 0.25, 0.25, -1.0]


def test_frames_behind_the_first_keep_their_packets_byte_for_byte(recording: Recording) -> None:
    before = [frame.data[29:] for frame in recording]
    recording.apply(edits.trim(recording, range(2, 6)))
    assert [frame.data[29:] for frame in recording][1:] == before[3:6]


def test_one_who_ends_in_the_first_kept_frame_is_not_created_and_nothing_tells_of_them(recording: Recording) -> None:
    recording.apply(edits.trim(recording, range(4, 10)))
    first = recording[0]
    assert ids(first, "EventAdd") == [LIGHT, CAR, CAMERA]
    assert ids(first, "EventDel") == []
    assert first.packet("Collision").records == []
    assert [record["intensity"] for record in first.packet("SceneLight").records] == [10.0, 25.0]


def test_one_who_begins_in_the_first_kept_frame_is_created_once(recording: Recording) -> None:
    recording.apply(edits.trim(recording, range(6, 10)))
    assert ids(recording[0], "EventAdd") == [LIGHT, CAR, CAMERA, LATE]
    assert ids(recording[0], "BoundingBox") == [CAR, LATE]
    assert ids(recording[2], "EventDel") == [LATE]


def test_a_lamp_that_the_first_kept_frame_tells_of_is_told_once(recording: Recording) -> None:
    recording.apply(edits.trim(recording, range(3, 10)))
    lamps = recording[0].packet("SceneLight").records
    assert [(record["id"], record["intensity"]) for record in lamps] == [(1, 10.0), (2, 25.0)]


def test_without_its_end_a_recording_keeps_its_first_frame_as_it_is(recording: Recording) -> None:
    before = [frame.data for frame in recording]
    recording.apply(edits.trim(recording, range(5)))
    assert [frame.data for frame in recording][:4] == before[:4]
    assert recording[4].duration == -1.0


def test_clocks_stay_or_begin_at_0_when_that_is_asked_for(recording: Recording) -> None:
    times = [frame.packet("PlatformTime").records[0]["time"] for frame in recording]
    recording.apply(edits.trim(recording, range(2, 6)))
    assert [frame.packet("PlatformTime").records[0]["time"] for frame in recording] == times[2:6]
    recording.undo()
    recording.apply(edits.trim(recording, range(2, 6), rebase_clocks=True))
    assert [frame.packet("PlatformTime").records[0]["time"] for frame in recording] == [0.0, 1.0, 2.0, 3.0]


def test_undo_gives_the_identical_bytes_and_redo_the_trimmed_ones(recording: Recording) -> None:
    before = saved(recording)
    recording.apply(edits.trim(recording, range(2, 6), rebase_clocks=True))
    trimmed = saved(recording)
    recording.undo()
    assert saved(recording) == before
    recording.redo()
    assert saved(recording) == trimmed


def test_the_preview_says_what_an_edit_leads_to(recording: Recording) -> None:
    edit = edits.trim(recording, range(2, 6))
    seen = edits.outcome(recording, edit)
    assert (seen.frames, seen.seconds, seen.actors) == (4, 0.75, 4)
    recording.apply(edit)
    assert seen.size == len(saved(recording))


@pytest.mark.parametrize("frames", [range(3, 3), range(-1, 4), range(2, 11), range(0, 8, 2)])
def test_frames_that_are_not_there_cannot_be_kept(recording: Recording, frames: range) -> None:
    with pytest.raises(EditError):
        edits.trim(recording, frames)
    with pytest.raises(EditError):
        edits.cut(recording, frames)


def test_all_frames_are_refused_with_a_reason(recording: Recording) -> None:
    with pytest.raises(EditError, match="nothing would be removed"):
        edits.trim(recording, range(10))
    with pytest.raises(EditError, match="nothing would be left"):
        edits.cut(recording, range(10))


def test_a_cancelled_trim_leaves_no_trace(recording: Recording) -> None:
    before = saved(recording)
    with pytest.raises(Cancelled):
        edits.trim(recording, range(2, 6), rebase_clocks=True, progress=Progress(is_cancelled=lambda: True))
    assert saved(recording) == before
    assert not recording.is_modified


# --- cut --------------------------------------------------------------------------------------------------


def test_a_gap_is_closed_by_those_who_came_and_went_in_it(recording: Recording) -> None:
    recording.apply(edits.cut(recording, range(3, 7)))
    seam = recording[3]
    assert ids(seam, "EventAdd") == [LATE]
    assert ids(seam, "EventDel") == [TRUCK]
    assert seam.packet("EventParent").records == []
    assert [record["intensity"] for record in seam.packet("SceneLight").records] == [25.0]
    assert ids(seam, "BoundingBox") == [LATE]
    assert [frame.frame_id for frame in recording] == [1, 2, 3, 4, 5, 6]
    assert [frame.elapsed for frame in recording] == [STEP * n for n in range(6)]
    assert [frame.duration for frame in recording] == [STEP] * 5 + [-1.0]


def test_the_end_of_one_who_came_in_the_gap_goes_with_it(recording: Recording) -> None:
    recording.apply(edits.cut(recording, range(5, 8)))
    assert ids(recording[5], "EventDel") == []
    assert ids(recording[5], "EventAdd") == []


def test_frames_before_the_gap_are_not_touched(recording: Recording) -> None:
    before = [frame.data for frame in recording]
    recording.apply(edits.cut(recording, range(3, 7)))
    assert [frame.data for frame in recording][:3] == before[:3]
    assert [frame.data[29:] for frame in recording][4:] == [data[29:] for data in before[8:]]


def test_a_cut_at_an_end_is_a_trim(recording: Recording) -> None:
    for gap, kept in ((range(3), range(3, 10)), (range(6, 10), range(6))):
        cut = recording.snapshot.after(edits.cut(recording, gap))
        trimmed = recording.snapshot.after(edits.trim(recording, kept))
        assert [frame.data for frame in cut] == [frame.data for frame in trimmed]


def test_clocks_go_on_without_the_gap_when_that_is_asked_for(recording: Recording) -> None:
    recording.apply(edits.cut(recording, range(3, 7), rebase_clocks=True))
    times = [frame.packet("PlatformTime").records[0]["time"] for frame in recording]
    assert times == [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]


def test_an_id_that_returns_in_the_gap_becomes_another_one_behind_it(tmp_path: Path) -> None:
    told = story()
    told.born[6] = [added(TRUCK, "vehicle.audi.tt")]
    told.gone[8] = [TRUCK]
    told.boxes[6] = []
    for n in (6, 7):
        told.placed[n] = [CAR, TRUCK]
    told.hits[7] = [(CAR, TRUCK)]
    (tmp_path / "returns.log").write_bytes(told.to_bytes())
    with recorder_editor.open(tmp_path / "returns.log") as recording:
        before = saved(recording)
        recording.apply(edits.cut(recording, range(3, 7)))
        seam = recording[3]
        (fresh,) = ids(seam, "EventAdd")
        assert fresh not in (LIGHT, CAR, TRUCK, CAMERA, LATE)
        assert ids(seam, "EventDel") == [TRUCK]
        assert ids(seam, "Position") == [CAR, fresh]
        assert ids(seam, "Collision", "actor2") == [fresh]
        assert ids(recording[4], "EventDel") == [fresh]
        assert recording[0].packet("Position").records[1]["id"] == TRUCK
        recording.undo()
        assert saved(recording) == before


def test_a_new_life_of_an_id_that_begins_right_behind_the_gap_becomes_another_one(tmp_path: Path) -> None:
    told = story()
    told.born[6] = [added(TRUCK)]
    told.gone[8] = [TRUCK]
    told.boxes[6] = []
    for n in (6, 7):
        told.placed[n] = [CAR, TRUCK]
    (tmp_path / "returns.log").write_bytes(told.to_bytes())
    with recorder_editor.open(tmp_path / "returns.log") as recording:
        recording.apply(edits.cut(recording, range(2, 6)))
        (fresh,) = ids(recording[2], "EventAdd")
        assert fresh != TRUCK
        assert ids(recording[2], "EventDel") == [TRUCK]
        assert ids(recording[2], "Position") == [CAR, fresh]


# --- the real ones ----------------------------------------------------------------------------------------


def check_trim(snapshot: Snapshot, first: int, stop: int) -> None:
    trimmed = snapshot.after(edits.trim(snapshot, range(first, stop)))
    assert len(trimmed) == stop - first
    assert_replays_same(snapshot, first, stop, trimmed)
    assert_no_new_warnings(snapshot, trimmed)
    for frame in (trimmed[0], trimmed[-1]):
        assert all(packet.decoded.damage is None for packet in frame.packets)


def check_cut(snapshot: Snapshot, first: int, stop: int) -> None:
    left = snapshot.after(edits.cut(snapshot, range(first, stop)))
    assert len(left) == len(snapshot) - (stop - first)
    if first:
        assert_replays_same(snapshot, 0, first, left)
    if stop < len(snapshot):
        assert_replays_same(snapshot, stop, len(snapshot), left, result_first=first)
    assert_no_new_warnings(snapshot, left)


@of_real(BIKES)
def test_random_ranges_of_real_recordings_replay_as_they_did(short_recording: Path) -> None:
    chance = random.Random(short_recording.name)
    with recorder_editor.open(short_recording) as recording:
        for _ in range(3):
            first, stop = sorted(chance.sample(range(len(recording)), 2))
            check_trim(recording.snapshot, first, stop)
            check_cut(recording.snapshot, first, stop)


@pytest.mark.sampled(cases=2)
@pytest.mark.parametrize("dialect", ["ue4-0.9.6", "ue4-doors", "ue4-2026", "ue5-2026"])
def test_random_ranges_of_a_town_in_any_dialect_replay_as_they_did(tmp_path: Path, dialect: str) -> None:
    chance = random.Random(dialect)
    path = tmp_path / "town.log"
    path.write_bytes(town(4.0, vehicles=6, walkers=3, seed=3, step=0.1, dialect=dialect))
    with recorder_editor.open(path, dialect=dialect) as recording:
        for _ in range(2):
            first, stop = sorted(chance.sample(range(len(recording)), 2))
            check_trim(recording.snapshot, first, stop)
            check_cut(recording.snapshot, first, stop)
