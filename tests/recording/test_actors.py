"""Lives and events: against a slow loop on real recordings, and on every odd thing a file may hold."""

import math
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording
from recorder_editor.reading import event_index
from recorder_editor.reading.actors import EVENT_KINDS, NO_ACTOR, Actors
from recorder_editor.reading.event_index import Transform, class_of
from recorder_editor.reading.lives import Life
from recorder_editor.recording import packet_headers
from recorder_editor.recording.frames import NO_LAYOUT, RAW
from tests import builders
from tests.builders import RELEASES, actor, attribute, everything, frame, packet
from tests.recording import naive
from tests.recording.films import COLLISIONS, COMINGS, add, attach, box, collide, delete, film, of_real, opened

Open = Callable[..., Recording]


@pytest.fixture
def open_bytes(tmp_path: Path) -> Iterator[Open]:
    found: list[Recording] = []

    def open_(data: bytes, dialect: str | None = "ue4-0.9.12") -> Recording:
        path = tmp_path / f"{len(found)}.log"
        path.write_bytes(data)
        found.append(recorder_editor.open(path, dialect=dialect))
        return found[-1]

    yield open_
    for recording in found:
        recording.close()


def spans(actors: Actors) -> list[tuple[int, int, int | None]]:
    return [(life.actor, life.born, life.gone) for life in actors]


# --- real recordings ------------------------------------------------------------------------------------


def test_lives_of_real_recordings_are_those_a_slow_loop_finds(sound_recording: Path) -> None:
    expected = naive.world(sound_recording.read_bytes()).lives
    with recorder_editor.open(sound_recording) as recording:
        actors = recording.actors
        assert len(actors) == len(expected)
        for life, slow in zip(actors, expected, strict=True):
            assert (life.actor, life.born, life.gone, life.type) == (slow.actor, slow.born, slow.gone, slow.type)
            assert (life.transform, life.uid, life.blueprint) == (slow.transform, slow.uid, slow.blueprint)
            assert [tuple(each) for each in life.attributes] == slow.attributes
            assert life.added == slow.place
            assert life.parent == (None if slow.parent is None else expected.index(slow.parent))
            for boxes, sides in ((actors.boxes, slow.box), (actors.triggers, slow.trigger)):
                found = boxes.get(life.index)
                told = None if found is None else [*found.origin, *found.extent]
                assert repr(told) == repr(None if sides is None else [*sides])


@of_real(COLLISIONS)
def test_who_is_alive_in_each_frame_of_real_recordings(sound_recording: Path) -> None:
    expected = naive.world(sound_recording.read_bytes())
    ids = sorted({life.actor for life in expected.lives})
    with recorder_editor.open(sound_recording) as recording:
        actors = recording.actors
        assert actors.ids == tuple(ids)
        for index, alive in enumerate(expected.alive):
            assert {life.actor for life in actors.alive(index)} == alive
            assert {actor for actor in ids if actors.at(actor, index) is not None} == alive
            found = actors.indices_of(np.array(ids, np.uint32), np.full(len(ids), index, np.int32))
            assert {actors.lives[number].actor for number in found[found >= 0]} == alive


def test_events_and_collisions_of_real_recordings(sound_recording: Path) -> None:
    expected = naive.world(sound_recording.read_bytes())
    with recorder_editor.open(sound_recording) as recording:
        actors = recording.actors
        events = [
            (event["frame_index"], EVENT_KINDS[event["kind"]], event["actor"], event["packet"], event["record"])
            for event in actors.events
        ]
        assert [event for event in events if event[1] != "physics"] == [e for e in expected.events if e[1] != "physics"]
        physics = [event for event in events if event[1] == "physics"]
        assert {event[0] for event in physics} == {event[0] for event in expected.events if event[1] == "physics"}
        for index, _, number, at, record in physics:
            assert recording[index].packets[at].records[record]["id"] == number
        fields = ("frame_index", "id", "actor1", "actor2", "hero1", "hero2")
        assert [tuple(record[name] for name in fields) for record in actors.collisions] == expected.collisions
        assert (actors.events["row"] == actors.events["frame_index"]).all()


def test_classes_in_real_recordings(recordings: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.15-town05-bikes.log") as recording:
        by_class = {life.class_: life.blueprint for life in recording.actors}
    assert by_class["two-wheeler"].startswith("vehicle.")
    assert by_class["spectator"] == "spectator"
    assert by_class["traffic light"] == "traffic.traffic_light"
    with recorder_editor.open(recordings / "carla-0.9.13-town01.log") as recording:
        heroes = [life for life in recording.actors if life.is_hero]
        assert {life.class_ for life in recording.actors} >= {"vehicle", "prop", "sensor", "traffic sign"}
    assert [life.class_ for life in heroes] == ["vehicle"]


# --- lives ----------------------------------------------------------------------------------------------


def test_an_id_that_returns_has_two_lives(open_bytes: Open) -> None:
    actors = open_bytes(film([add(actor(7))], [delete(7)], [], [add(actor(7, blueprint="walker.one"))], [])).actors
    assert spans(actors) == [(7, 0, 1), (7, 3, None)]
    assert [life.class_ for life in actors.of_id(7)] == ["vehicle", "walker"]
    assert [getattr(actors.at(7, n), "born", None) for n in range(5)] == [0, None, None, 3, 3]
    assert [getattr(actors.nearest(7, n), "born", None) for n in range(5)] == [0, 0, 3, 3, 3]
    assert actors.nearest(8, 0) is None
    assert [len(actors.alive(n)) for n in range(5)] == [1, 0, 0, 1, 1]
    assert actors.indices_of(np.array([7] * 5), np.arange(5)).tolist() == [0, -1, -1, 1, 1]


def test_another_birth_of_a_living_id_ends_its_life(open_bytes: Open) -> None:
    actors = open_bytes(film([add(actor(7), actor(8))], [], [add(actor(7))], [delete(7)])).actors
    assert spans(actors) == [(7, 0, 2), (8, 0, None), (7, 2, 3)]


def test_of_two_births_in_one_frame_the_last_one_lives(open_bytes: Open) -> None:
    actors = open_bytes(film([add(actor(7, uid=1), actor(7, uid=2))], [])).actors
    assert spans(actors) == [(7, 0, 0), (7, 0, None)]
    found = actors.at(7, 0)
    assert found is not None
    assert found.uid == 2
    assert found.added == (0, 1, 1)
    assert actors.indices_of(np.array([7]), np.array([0])).tolist() == [1]


def test_who_is_added_and_deleted_in_one_frame_never_lives(open_bytes: Open) -> None:
    actors = open_bytes(film([add(actor(7)), delete(7)], [])).actors
    assert spans(actors) == [(7, 0, 0)]
    assert actors.alive(0) == []


def test_the_end_of_nobody_is_an_event_and_nothing_else(open_bytes: Open) -> None:
    actors = open_bytes(film([add(actor(7))], [delete(9, 9)])).actors
    assert spans(actors) == [(7, 0, None)]
    assert actors.events["actor"].tolist() == [7, 9, 9]


def test_several_packets_of_a_kind_in_one_frame_all_count(open_bytes: Open) -> None:
    actors = open_bytes(film([add(actor(1)), add(actor(2)), delete(1), add(actor(1))])).actors
    assert spans(actors) == [(1, 0, 0), (2, 0, None), (1, 0, None)]
    assert [life.added for life in actors] == [(0, 1, 0), (0, 2, 0), (0, 4, 0)]


def test_a_recording_without_frames_has_no_actors(open_bytes: Open) -> None:
    actors = open_bytes(builders.recording()).actors
    assert (len(actors), len(actors.events), len(actors.contacts), actors.alive(0)) == (0, 0, 0, [])
    assert actors.indices_of(np.array([1]), np.array([0])).tolist() == [-1]


def test_packets_between_frames_count_for_the_frame_after_them(open_bytes: Open) -> None:
    first, second = frame(1, 0.0, 0.05, [add(actor(1))]), frame(2, 0.05, 0.05, [])
    data = builders.recording(first, add(actor(2)), second, delete(1), add(actor(3)))
    recording = open_bytes(data)
    assert recording.snapshot.table.column("kind").tolist() == [0, RAW, 0, RAW]
    assert spans(recording.actors) == [(1, 0, 2), (2, 1, None), (3, 1, None)]
    assert [life.added for life in recording.actors] == [(0, 1, 0), (1, 0, 0), (3, 1, 0)]
    row = recording.snapshot.row(3)
    assert row.packets[1].records[0]["id"] == 3
    assert recording.actors.events["frame_index"].max() == 1


def test_a_life_knows_its_place_role_and_colour(open_bytes: Open) -> None:
    told = [attribute(3, "role_name", "hero"), attribute(4, "color", "17, 37,103"), attribute(3, "object_type", "")]
    turned = builders.turn(1.0, 2.0, 92.5)
    life = open_bytes(
        film([add(actor(7, 1, "vehicle.audi.tt", builders.xyz(1.5, -2.5, 3.0), turned, 9, told))])
    ).actors.lives[0]
    assert life.transform == Transform(1.5, -2.5, 3.0, 1.0, 2.0, 92.5)
    assert (life.role_name, life.is_hero, life.colour, life.uid) == ("hero", True, (17, 37, 103), 9)
    assert (life.attribute("color"), life.attribute("object_type"), life.attribute("none")) == ("17, 37,103", "", None)
    assert life.is_alive(0)


@pytest.mark.parametrize("text", ["", "red", "1,2", "1,2,3,4", "1,2,256", "-1,2,3", "1.5,2,3", "9" * 5000 + ",1,1"])
def test_a_colour_that_is_none_is_none(open_bytes: Open, text: str) -> None:
    life = open_bytes(film([add(actor(7, attributes=[attribute(4, "color", text)]))])).actors.lives[0]
    assert life.colour is None


def test_text_that_is_not_utf8_is_told_by_its_bytes(open_bytes: Open) -> None:
    odd = [attribute(3, b"\xff", b"a\x80"), attribute(3, b"role_name", b"\xc3")]
    life = open_bytes(film([add(actor(7, blueprint=b"vehicle.\xff", attributes=odd))])).actors.lives[0]
    assert (life.blueprint, life.role_name, life.class_) == ("vehicle.\\xff", "\\xc3", "vehicle")
    assert [(each.id, each.value) for each in life.attributes] == [("\\xff", "a\\x80"), ("role_name", "\\xc3")]


KINDS = {0: "Other", 1: "Vehicle", 2: "Walker", 3: "TrafficLight", 4: "TrafficSign", 5: "Sensor", 6: "Invalid"}


@pytest.mark.parametrize(
    ("blueprint", "kind", "attributes", "expected"),
    [
        ("vehicle.tesla.model3", 1, {"number_of_wheels": "4", "base_type": "car"}, "vehicle"),
        ("vehicle.yamaha.yzf", 1, {"number_of_wheels": "2"}, "two-wheeler"),
        ("vehicle.bh.crossbike", 1, {"base_type": "bicycle"}, "two-wheeler"),
        ("vehicle.vespa.zx125", 1, {"base_type": "motorcycle"}, "two-wheeler"),
        ("walker.pedestrian.0001", 2, {}, "walker"),
        ("traffic.traffic_light", 3, {}, "traffic light"),
        ("traffic.speed_limit.30", 4, {}, "traffic sign"),
        ("traffic.stop", 0, {}, "traffic sign"),
        ("static.prop.mesh", 0, {}, "prop"),
        ("sensor.camera.rgb", 0, {}, "sensor"),
        ("spectator", 0, {}, "spectator"),
        ("controller.ai.walker", 0, {}, "other"),
        ("harplab.dreyevr_vehicle.model3", 1, {}, "vehicle"),
        ("", 1, {"number_of_wheels": "2"}, "two-wheeler"),
        ("", 2, {}, "walker"),
        ("", 3, {}, "traffic light"),
        ("", 4, {}, "traffic sign"),
        ("", 5, {}, "sensor"),
        ("", 6, {}, "other"),
        ("", 77, {}, "other"),
    ],
)
def test_the_class_of_an_actor(blueprint: str, kind: int, attributes: dict[str, str], expected: str) -> None:
    assert class_of(blueprint, kind, attributes, KINDS) == expected


# --- parents, boxes, collisions -------------------------------------------------------------------------


def test_attachments_are_of_lives_not_of_ids(open_bytes: Open) -> None:
    actors = open_bytes(
        film(
            [add(actor(1), actor(2), actor(3)), attach((2, 1), (3, 1), (3, 99))],
            [delete(1), add(actor(4))],
            [add(actor(1)), attach((2, 1), (4, 4), (98, 1))],
        )
    ).actors
    car, camera, other, four, again = actors.lives
    assert (actors.parent_of(camera), actors.parent_of(other), actors.parent_of(four)) == (again, None, four)
    assert actors.children_of(again) == (camera,)
    assert actors.children_of(car) == ()
    assert [(each.frame_index, each.child, each.parent) for each in actors.parents] == [
        (0, 2, 1),
        (0, 3, 1),
        (0, 3, 99),
        (2, 2, 1),
        (2, 4, 4),
        (2, 98, 1),
    ]
    assert [(each.child_life, each.parent_life) for each in actors.parents] == [
        (1, 0),
        (2, 0),
        (2, None),
        (1, 4),
        (3, 3),
        (None, 4),
    ]
    assert actors.parents[4].place == (2, 2, 1)


def test_actors_attached_to_each_other_harm_nobody(open_bytes: Open) -> None:
    actors = open_bytes(film([add(actor(1), actor(2)), attach((1, 2), (2, 1))])).actors
    assert [life.parent for life in actors] == [1, 0]
    assert hash(actors.lives[0]) != hash(actors.lives[1])
    assert "parent=1" in repr(actors.lives[0])


def test_the_last_box_of_a_life_holds(open_bytes: Open) -> None:
    actors = open_bytes(
        film(
            [add(actor(1), actor(2)), box(1, 2, 5)],
            [box(1, size=200.0), box(2, number=17)],
            [delete(1)],
            [add(actor(1))],
        )
    ).actors
    assert actors.boxes[0].extent == (200.0, 90.0, 70.0)
    assert actors.boxes[0].place == (1, 1, 0)
    assert actors.boxes[1].place == (0, 2, 1)
    assert sorted(actors.boxes) == [0, 1]
    assert sorted(actors.triggers) == [1]


def test_boxes_without_a_size_are_kept_as_they_are(open_bytes: Open) -> None:
    body = builders.bounding_box(builders.boxes(wide=False))
    actors = open_bytes(film([add(actor(1)), packet(13, body)])).actors
    assert all(math.isnan(value) for value in actors.boxes[0].origin)
    assert actors.boxes[0].extent == (-math.inf, -math.inf, -math.inf)


def test_contacts_join_the_frames_in_which_two_touch(open_bytes: Open) -> None:
    actors = open_bytes(
        film(
            [add(actor(1), actor(2)), collide((1, 2), (2, 1))],
            [collide((2, 1))],
            [],
            [collide((1, 2), (1, NO_ACTOR))],
            [collide((1, NO_ACTOR))],
        )
    ).actors
    contacts = actors.contacts[["first", "last", "actor1", "actor2", "records", "collision"]].tolist()
    assert contacts == [(0, 1, 1, 2, 3, 0), (3, 3, 1, 2, 1, 3), (3, 4, 1, NO_ACTOR, 2, 4)]
    assert actors.collisions["hero2"].tolist() == [1] * 6
    assert actors.events["actor"][-3:].tolist() == [1, 1, 1]


# --- odd layouts and damage -----------------------------------------------------------------------------


def test_a_frame_of_too_many_packets_to_keep_is_walked(open_bytes: Open) -> None:
    many = [packet(100, b"x")] * 5000
    recording = open_bytes(film([*many, add(actor(7)), *many], [], [*many, delete(7)]))
    assert recording.snapshot.table.column("layout").tolist()[0] == NO_LAYOUT
    assert spans(recording.actors) == [(7, 0, 2)]
    assert recording.actors.lives[0].added == (0, 5001, 0)


@pytest.mark.parametrize("window", [5, 6, 17, 64])
def test_walking_takes_windows_of_any_size(open_bytes: Open, monkeypatch: pytest.MonkeyPatch, window: int) -> None:
    many = [packet(100, b"x" * n) for n in range(70)] * 60
    data = film([*many, add(actor(7))], [delete(7)])
    monkeypatch.setattr(packet_headers, "WINDOW", window)
    recording = open_bytes(data)
    assert recording.snapshot.table.column("layout").tolist()[0] == NO_LAYOUT
    assert spans(recording.actors) == [(7, 0, 1)]


@pytest.mark.parametrize("count", [0, 1, 3, 65535])
def test_a_count_that_is_wrong_is_believed_as_far_as_the_body_goes(open_bytes: Open, count: int) -> None:
    def lie(data: bytes) -> bytes:
        return data[:5] + struct.pack("<H", count) + data[7:]

    lies = [add(actor(3), actor(4)), collide((1, 2), (2, 1)), attach((1, 2), (2, 1)), box(1, 2), delete(1, 2)]
    actors = open_bytes(film([add(actor(1), actor(2))], *([lie(data)] for data in lies))).actors
    whole = min(count, 2)
    assert len(actors) == 2 + whole
    assert len(actors.collisions) == len(actors.parents) == len(actors.boxes) == whole
    assert sum(life.gone is not None for life in actors) == whole


def test_a_record_that_ends_early_is_left_out(open_bytes: Open) -> None:
    torn = builders.event_add([actor(1), actor(2)])[:-3]
    torn_delete = builders.event_del([{"id": 1}, {"id": 2}])[:-1]
    actors = open_bytes(
        film([packet(2, torn)], [packet(3, torn_delete)], [packet(3, b"\x01")], [packet(3, b"")])
    ).actors
    assert spans(actors) == [(1, 0, 1)]


@pytest.mark.parametrize("dialect", RELEASES)
def test_everything_a_release_can_write_is_told(open_bytes: Open, dialect: str) -> None:
    recording = open_bytes(everything(dialect), dialect)
    actors, release = recording.actors, RELEASES[dialect]
    assert [life.actor for life in actors] == [1, 174, 2, 174]
    assert actors.lives[1].gone == 0
    assert actors.lives[1].attribute("number_of_wheels") == "4"
    assert (actors.lives[1].class_, actors.lives[1].colour, actors.lives[1].is_hero) == ("vehicle", (17, 37, 103), True)
    told = {EVENT_KINDS[kind] for kind in actors.events["kind"]}
    expected = {"born", "gone", "parent", "collision"}
    expected |= {"scene light", "light times", "physics"} if release.lights else set()
    expected |= {"door"} if release.door is not None else set()
    expected |= {"weather"} if release.weather is not None else set()
    assert told == expected
    doors = actors.events[actors.events["kind"] == EVENT_KINDS.index("door")]
    assert doors["actor"].tolist() == ([174, 174, 175] if release.door is not None else [])
    if release.lights:
        physics = actors.events[actors.events["kind"] == EVENT_KINDS.index("physics")]
        assert physics["actor"].tolist() == ([174, 175, 176] if release.wide else [174, 175])
        assert actors.boxes[3].extent == (245.0, 91.75, 76.0)


def test_reading_stops_where_a_recording_holds_too_much(open_bytes: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_index, "MAX_ADDED", 3)
    actors = open_bytes(film([add(actor(1), actor(2))], [add(actor(3))], [add(actor(4))], [delete(1)])).actors
    assert spans(actors) == [(1, 0, 3), (2, 0, None), (3, 1, None)]
    assert not actors.is_whole
    monkeypatch.setattr(event_index, "MAX_BYTES", 300)
    actors = open_bytes(film([add(actor(1))], [collide((1, 2))], [collide((1, 2))], [collide((1, 2))])).actors
    assert actors.collisions["frame_index"].tolist() == [1, 2]
    assert not actors.is_whole


def test_attributes_beyond_what_memory_may_hold_are_left_out_and_the_class_is_known(
    open_bytes: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def named(number: int) -> list[dict[str, object]]:
        wheels = {"type": 1, "id": "number_of_wheels", "value": "2"}
        return [{"type": 3, "id": "role_name", "value": f"r{number}"}, wheels]

    monkeypatch.setattr(event_index, "MAX_ATTRIBUTES", 4)
    many = [actor(n, attributes=named(n)) for n in (1, 2, 3)]
    actors = open_bytes(film([add(*many)])).actors
    assert [len(life.attributes) for life in actors] == [2, 2, 0]
    assert [(life.role_name, life.class_) for life in actors][2] == ("r3", actors.lives[0].class_)
    assert not actors.is_whole


@given(bodies=st.lists(st.tuples(st.sampled_from([2, 3, 4, 5, 13, 15, 16, 17]), st.binary(max_size=120)), max_size=8))
def test_bodies_of_any_bytes_are_read(bodies: list[tuple[int, bytes]]) -> None:
    with opened(film([add(actor(1))], [packet(number, body) for number, body in bodies])) as recording:
        actors = recording.actors
        assert len(actors.events) >= 1
        assert len(actors.contacts) <= len(actors.collisions)


# --- anything ---------------------------------------------------------------------------------------------


@given(frames=COMINGS)
def test_any_coming_and_going_is_as_a_slow_loop_finds_it(frames: list[list[bytes]]) -> None:
    data = film(*frames)
    expected = naive.world(data)
    with opened(data) as recording:
        actors = recording.actors
        assert spans(actors) == [(life.actor, life.born, life.gone) for life in expected.lives]
        assert [life.parent for life in actors] == [
            None if life.parent is None else next(n for n, each in enumerate(expected.lives) if each is life.parent)
            for life in expected.lives
        ]
        assert sorted(actors.boxes) == [n for n, life in enumerate(expected.lives) if life.box is not None]
        assert [{life.actor for life in actors.alive(n)} for n in range(len(frames))] == expected.alive
        assert [
            (e["frame_index"], EVENT_KINDS[e["kind"]], e["actor"], e["packet"], e["record"]) for e in actors.events
        ] == expected.events
        everywhere = np.indices((6, len(frames))).reshape(2, -1)
        found = actors.indices_of(everywhere[0], everywhere[1])
        slow: list[Life | None] = [actors.at(number, index) for number, index in everywhere.T.tolist()]
        assert [None if number < 0 else actors.lives[number] for number in found.tolist()] == slow
