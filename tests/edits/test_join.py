"""Split and join: parts that each replay alone, and parts that are put together again."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor import edits
from recorder_editor.api import Recording
from recorder_editor.arrays import StructuredArray
from recorder_editor.edits.trim import part_of, parts_of_bytes, parts_of_frames, parts_of_seconds
from recorder_editor.errors import EditError
from recorder_editor.reading import world
from recorder_editor.reading.actor_state import ALL_DOORS
from recorder_editor.reading.actors import Actors, Life
from recorder_editor.reading.event_index import EventFilter
from recorder_editor.reading.tracks import Tracks
from recorder_editor.recording.frames import Layouts
from recorder_editor.recording.save import save_copy
from recorder_editor.recording.snapshot import Derived

from .. import builders as b
from ..recording.films import BIKES, of_real
from ..replaying import assert_no_new_warnings, assert_replays_same
from .conftest import saved
from .test_trim import CAMERA, CAR, LATE, LIGHT, STEP, TRUCK, Story, added, at, box, ids, lamp, story

Opener = Callable[[bytes], Recording]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opener]:
    with ExitStack() as stack:

        def open_bytes(data: bytes) -> Recording:
            path = tmp_path / f"{len(list(tmp_path.iterdir()))}.log"
            path.write_bytes(data)
            return stack.enter_context(recorder_editor.open(path))

        yield open_bytes


def second() -> Story:
    """Another drive in the same town: the same light, a car that has the id of the first one's, a spectator."""
    made = Story()
    made.born = {0: [added(LIGHT, "traffic.traffic_light", 77.0), added(CAR, "vehicle.audi.tt")], 2: [added(TRUCK)]}
    made.gone = {4: [TRUCK]}
    made.hits = {3: [(CAR, TRUCK)]}
    made.lamps = {0: [lamp(1, 10.0), lamp(2, 30.0)]}
    for n in range(10):
        made.placed[n] = [CAR, *([TRUCK] if 2 <= n < 4 else [])]
    return made


# --- join -------------------------------------------------------------------------------------------------


def test_everybody_of_the_second_recording_has_an_id_of_their_own_but_the_level(opened: Opener) -> None:
    first, other = opened(story().to_bytes()), opened(second().to_bytes(6))
    first.apply(edits.join(first, [other]))
    seam = first[10]
    (car,) = ids(seam, "EventAdd")
    (truck,) = ids(first[12], "EventAdd")
    assert len({LIGHT, CAR, TRUCK, CAMERA, LATE, car, truck}) == 7
    assert ids(seam, "EventDel") == [CAR, CAMERA]
    assert ids(first[13], "Position") == [car, truck]
    assert ids(first[14], "EventDel") == [truck]
    hit = first[13].packet("Collision").records[0]
    assert (hit["actor1"], hit["actor2"]) == (car, truck)
    assert [record["id"] for record in seam.packet("SceneLight").records] == [2]  # the other one is as it was


def test_what_the_first_recording_left_is_not_told_again(opened: Opener) -> None:
    again = second()
    again.lamps = {0: [lamp(1, 10.0), lamp(2, 25.0)]}
    first, other = opened(story().to_bytes()), opened(again.to_bytes(6))
    first.apply(edits.join(first, [other]))
    assert first[10].packet("SceneLight") is None


def test_time_ids_and_collisions_go_on(opened: Opener) -> None:
    first, other = opened(story().to_bytes()), opened(second().to_bytes(6))
    first.apply(edits.join(first, [other]))
    assert [frame.frame_id for frame in first] == list(range(1, 17))
    assert [frame.elapsed for frame in first] == [STEP * n for n in range(16)]
    assert [frame.duration for frame in first] == [STEP] * 15 + [-1.0]
    assert ids(first[4], "Collision") == [4]
    assert ids(first[13], "Collision") == [4 + 1 + 3]


def test_a_gap_can_be_told(opened: Opener) -> None:
    first, other = opened(story().to_bytes()), opened(second().to_bytes(6))
    first.apply(edits.join(first, [other], gap=2.0))
    assert first[9].duration == 2.0
    assert first[10].elapsed == first[9].elapsed + 2.0
    for gap in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(EditError, match="cannot lie between two frames"):
            edits.join(first, [other], gap=gap)


def test_several_recordings_follow_one_another_and_undo_takes_all_of_them_back(opened: Opener) -> None:
    first, others = opened(story().to_bytes()), [opened(second().to_bytes(6)), opened(second().to_bytes(4))]
    before = saved(first)
    first.apply(edits.join(first, others))
    assert len(first) == 20
    born = [life.actor for life in first.actors if life.class_ == "vehicle"]
    assert len(born) == len(set(born)) == 7
    first.undo()
    assert saved(first) == before


def test_what_the_first_recording_told_still_holds_where_the_second_one_says_nothing_of_it(opened: Opener) -> None:
    told, silent = story(), second()
    told.gone, told.lamps = {}, {0: [lamp(1, 10.0)]}
    silent.born, silent.lamps = {0: told.born[0]}, {}
    first, *others = (opened(each.to_bytes(6)) for each in (told, silent, told))
    first.apply(edits.join(first, others, match_actors=True))
    for seam, records in ((first[6], {}), (first[12], {"EventAdd": [TRUCK], "BoundingBox": [TRUCK]})):
        names = ("EventAdd", "EventDel", "SceneLight", "BoundingBox")
        assert {name: found for name in names if (found := ids(seam, name))} == records
        assert ids(seam, "EventParent", "child") == []


def test_what_the_first_frame_tells_of_twice_holds_as_it_was_told_last(opened: Opener) -> None:
    def part(*packets: bytes) -> Recording:
        born = b.packet(2, b.event_add([added(CAR), added(TRUCK), added(CAMERA, "sensor.camera.rgb")]))
        recording = opened(b.recording(b.frame(1, 0.0, STEP, [born, *packets]), b.frame(2, STEP, -1.0)))
        recording.decode_as("ue4-0.9.16")
        return recording

    def doors(*told: tuple[int, bool]) -> bytes:
        return b.packet(23, b.vehicle_door([{"id": CAR, "door": door, "open": is_open} for door, is_open in told]))

    def lamps(*told: float) -> bytes:
        return b.packet(11, b.scene_light([lamp(1, intensity) for intensity in told]))

    def parents(*told: int) -> bytes:
        return b.packet(4, b.event_parent([{"child": CAMERA, "parent": parent} for parent in told]))

    first = part(parents(CAR), lamps(10.0), doors((ALL_DOORS, True)))
    changed = part(parents(TRUCK, CAR), lamps(20.0, 10.0), doors((0, False), (ALL_DOORS, True)))
    told = changed.actors.world_at(1)
    first.apply(edits.join(first, [changed, changed], match_actors=True))
    for index in (2, 4):
        assert ids(first[index], "EventAdd") == []
        assert ids(first[index], "EventParent", "parent") == [TRUCK, CAR]
        world = first.actors.world_at(index)
        assert world.lasting == told.lasting
        assert [each.lasting for each in world.actors] == [each.lasting for each in told.actors]


def test_bytes_before_the_first_frame_of_a_later_recording_are_kept(opened: Opener) -> None:
    head, later = b.header(), second().to_bytes(6)
    before = b"\xff\xff" + b.packet(6, b.position([at(CAR, 1)])) + b.packet(2, b.event_add([]))
    first, other = opened(story().to_bytes()), opened(head + before + later[len(head) :])
    first.apply(edits.join(first, [other]))
    data = saved(first)
    assert data[: first[10].offset].endswith(first[9].data + before)
    assert len(opened(data)) == 16


@pytest.mark.parametrize(
    "packet",
    [
        b.packet(2, b.event_add([added(CAR)])),
        b.packet(3, b.event_del([{"id": CAR}])),
        b.packet(13, b.bounding_box([box(CAR, 1.0)])),
    ],
)
def test_events_before_the_first_frame_of_a_later_recording_are_refused(opened: Opener, packet: bytes) -> None:
    head, later = b.header(), second().to_bytes(6)
    first, other = opened(story().to_bytes()), opened(head + packet + later[len(head) :])
    for match_actors in (False, True):
        with pytest.raises(EditError, match="would act on the recording before it"):
            edits.join(first, [other], match_actors=match_actors)


def riding(number: int) -> list[bytes]:
    """A car whose camera rides with it from birth on, and a chair that has no Position."""
    car, chair = b.actor(CAR, location=b.xyz(9000.0)), b.actor(TRUCK, 0, "static.chair", b.xyz(5.0))
    camera = b.actor(CAMERA, 0, "sensor.camera.rgb", b.xyz(-550.0))
    attached = b.packet(4, b.event_parent([{"child": CAMERA, "parent": CAR}]))
    born = [b.packet(2, b.event_add([car, chair, camera])), attached] if not number else []
    return [*born, b.packet(6, b.position([b.pose(CAR, b.xyz(9000.0 + number))]))]


def test_each_recording_that_follows_costs_as_much_as_the_one_before_it(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: Counter[str] = Counter()

    def blocks(self: Tracks, name: str, frames: slice = slice(None), _blocks: Any = Tracks.blocks) -> Iterator[Any]:
        looked_at["frames"] += len(range(len(self._snapshot))[frames])
        return iter(_blocks(self, name, frames=frames))

    def numbers(pose: bytes, _numbers: Any = world.numbers_of) -> Any:
        looked_at["poses"] += 1
        return _numbers(pose)

    def rows(self: EventFilter, chunk: StructuredArray, _rows: Any = EventFilter.rows) -> Any:
        looked_at["rows"] += len(chunk)
        return _rows(self, chunk)

    def layout(self: Layouts, number: int, _get: Any = Layouts.get) -> Any:
        looked_at["layouts"] += 1
        return _get(self, number)

    def lives(self: Actors) -> Iterator[Life]:
        looked_at["lives"] += len(self)
        return iter(self.lives)

    monkeypatch.setattr(EventFilter, "rows", rows)
    monkeypatch.setattr(Layouts, "get", layout)
    monkeypatch.setattr(Actors, "__iter__", lives)
    monkeypatch.setattr(Tracks, "blocks", blocks)
    monkeypatch.setattr(world, "numbers_of", numbers)

    def part(number: int) -> bytes:  # its packets are of other sizes than those of every other part
        own = b.packet(77, bytes(number))
        return b.recording(*(b.frame(n + 1, n * STEP, STEP, [*riding(n), own]) for n in range(4)))

    parts = [opened(part(number)) for number in range(1, 32)]
    costs: list[Counter[str]] = []
    for number in (2, 3, 30, 31):
        first, *others = (replace(each.snapshot, derived=Derived()) for each in (opened(part(0)), *parts[:number]))
        looked_at.clear()
        edits.join(first, others)
        costs.append(looked_at.copy())
    third, thirty_first = costs[1] - costs[0], costs[3] - costs[2]
    assert set(third) == {"frames", "poses", "rows", "layouts", "lives"}
    assert thirty_first == third


def test_edits_of_the_second_recording_come_along(opened: Opener) -> None:
    first, other = opened(story().to_bytes()), opened(second().to_bytes(6))
    other.apply(edits.trim(other, range(2, 5)))
    first.apply(edits.join(first, [other]))
    assert len(first) == 13
    assert len(ids(first[10], "EventAdd")) == 2


def test_another_map_and_another_dialect_are_refused_with_a_reason(opened: Opener) -> None:
    first = opened(story().to_bytes())
    elsewhere = opened(b.header(1, "/Game/Carla/Maps/Town05") + second().to_bytes(6)[len(b.header(1, "Town01")) :])
    with pytest.raises(EditError, match="different maps: Town01 and /Game/Carla/Maps/Town05"):
        edits.join(first, [elsewhere])
    other = opened(second().to_bytes(6))
    other.decode_as("ue4-0.9.15")
    with pytest.raises(EditError, match="convert IN OUT --write-as"):
        edits.join(first, [other])


def test_a_recording_without_frames_cannot_take_part(opened: Opener) -> None:
    first, empty = opened(story().to_bytes()), opened(b.recording())
    with pytest.raises(EditError, match="no frames"):
        edits.join(first, [empty])
    with pytest.raises(EditError, match="no frames"):
        edits.join(empty, [first])


# --- split ------------------------------------------------------------------------------------------------


def test_parts_cover_every_frame_once(opened: Opener) -> None:
    recording = opened(story().to_bytes())
    assert parts_of_frames(recording, 4) == [range(4), range(4, 8), range(8, 10)]
    assert parts_of_seconds(recording, 1.0) == [range(4), range(4, 8), range(8, 10)]
    assert parts_of_seconds(recording, 100.0) == [range(10)]


def test_no_part_is_larger_than_it_may_be_and_none_could_take_one_frame_more(opened: Opener, tmp_path: Path) -> None:
    recording = opened(story().to_bytes())
    snapshot, limit = recording.snapshot, 950
    parts = list(parts_of_bytes(recording, limit))
    assert [frame for each in parts for frame in each] == list(range(10))
    assert len(parts) > 2
    for number, each in enumerate(parts):
        path = tmp_path / f"part{number}.rec"
        save_copy(part_of(recording, each), path)
        assert path.stat().st_size == part_of(recording, each).size <= limit
        if each.stop < len(snapshot):
            assert part_of(recording, range(each.start, each.stop + 1)).size > limit


def test_parts_that_cannot_hold_one_frame_are_refused(opened: Opener) -> None:
    recording = opened(story().to_bytes())
    with pytest.raises(EditError, match="are too small"):
        list(parts_of_bytes(recording, 300))
    for seconds in (0.0, -1.0, float("nan")):
        with pytest.raises(EditError):
            parts_of_seconds(recording, seconds)
    with pytest.raises(EditError):
        parts_of_frames(recording, 0)


@of_real(BIKES)
def test_every_part_of_a_real_recording_replays_and_together_they_are_the_whole(
    short_recording: Path, tmp_path: Path
) -> None:
    chance = random.Random(short_recording.name)
    with ExitStack() as stack:
        recording = stack.enter_context(recorder_editor.open(short_recording))
        snapshot = recording.snapshot
        frames = max(2, len(snapshot) // chance.randint(2, 4))
        parts = []
        for number, each in enumerate(parts_of_frames(recording, frames)):
            path = tmp_path / f"{number}.log"
            save_copy(part_of(recording, each), path)
            opened = stack.enter_context(recorder_editor.open(path, dialect=snapshot.dialect.name))
            assert_replays_same(snapshot, each.start, each.stop, opened.snapshot)
            parts.append(opened)
        first, *others = parts
        first.apply(edits.join(first, others, match_actors=True))
        assert len(first) == len(snapshot)
        assert_replays_same(snapshot, 0, len(snapshot), first.snapshot)
        assert_no_new_warnings(snapshot, first.snapshot)
        whole = [index for index in range(len(snapshot)) if index % frames]
        assert all(first[index].data[29:] == snapshot.frame(index).data[29:] for index in whole)


@of_real(BIKES)
def test_a_real_recording_behind_itself_replays_twice(short_recording: Path) -> None:
    with recorder_editor.open(short_recording) as recording, recorder_editor.open(short_recording) as other:
        snapshot = recording.snapshot
        joined = snapshot.after(edits.join(recording, [other]))
        number = len(snapshot)
        assert_replays_same(snapshot, 0, number, joined)
        lives = recorder_editor.reading.actors.Actors.of(joined).lives
        again = lives[len(recording.actors.lives) :]
        known = iter(again)
        renamed = {}
        for life in recording.actors.lives:
            of_level = life.blueprint == "spectator" or life.blueprint.startswith(("traffic.", "static."))
            if of_level and not life.born and life.gone is None:
                continue
            renamed[life.actor] = next(known).actor
        assert next(known, None) is None
        assert_replays_same(snapshot, 0, number, joined, result_first=number, ids=renamed)
        assert_no_new_warnings(snapshot, joined)
