"""Places, gazes and beams of packets of users: where they are, where they point, and which of them hold in a frame."""

import json
import math
import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.reading import Actors
from recorder_editor.views.frame_rays import MOST_RAYS, FrameRay, frame_rays

from .. import builders as b

MEMBERS = [
    ["id", "u32", "The number of the beam"],
    ["eye", "vector", "The eye, world", "cm", {"world": "place"}],
    ["look", "vector", "The direction, in the axes of the head"],
    ["head", "rotator", "The head, world"],
    ["on", "bool", "It is on"],
]
BEAM = {
    "id": 150,
    "name": "Beam",
    "rays": [{"origin": "eye", "direction": "look", "rotation": "head", "valid": "on"}],
    "members": MEMBERS,
}
NAN = math.nan


def beam(
    *,
    number: int = 1,
    eye: Sequence[float] = (100, 200, 0),
    look: Sequence[float] = (1, 0, 0),
    yaw: float = 0,
    on: int = 1,
) -> bytes:
    """A record; the rotation is pitch, roll, yaw."""
    return struct.pack("<I9fB", number, *eye, *look, 0, 0, yaw, on)


def beams(*records: bytes) -> bytes:
    return b.packet(150, b.u16(len(records)) + b"".join(records))


def rays_in(tmp_path: Path, frames: Sequence[bytes], shown: int, **changes: object) -> tuple[FrameRay, ...]:
    path = tmp_path / "beams.log"
    path.write_bytes(b.recording(*frames))
    schema = tmp_path / "beams.packets.json"
    schema.write_text(json.dumps({"packets": [{**BEAM, **changes}]}), encoding="utf-8")
    with recorder_editor.open(path, packets=[schema]) as recording:
        snapshot = recording.snapshot
        return frame_rays(snapshot, snapshot.frame(shown), Actors.of(snapshot))


@pytest.mark.parametrize(
    ("record", "way"),
    [
        (beam(), (1, 0)),
        (beam(look=(0, 3, 0)), (0, 1)),
        (beam(look=(0, 3, 0), yaw=90), (-1, 0)),
        (beam(look=(1, 0, 1)), (math.sqrt(0.5), 0)),
        (beam(look=(0, 0, -2)), (0, 0)),
    ],
    ids=["ahead", "right", "right of a head that looks right", "half up", "down"],
)
def test_a_direction_is_turned_with_its_axes_and_seen_from_above(
    tmp_path: Path, record: bytes, way: tuple[float, float]
) -> None:
    (ray,) = rays_in(tmp_path, [b.frame(1, packets=[beams(record)])], 0)
    assert ray.name == "Beam.look"
    assert (ray.x, ray.y) == (1, 2)
    assert (ray.dx, ray.dy) == pytest.approx(way, abs=1e-6)


@pytest.mark.parametrize(
    "record",
    [beam(on=0), beam(look=(0, 0, 0)), beam(look=(NAN, 0, 0)), beam(eye=(math.inf, 0, 0)), beam(yaw=NAN)],
    ids=["off", "nowhere", "no number", "infinitely far", "no rotation"],
)
def test_what_is_not_valid_or_has_no_place_or_direction_is_no_ray(tmp_path: Path, record: bytes) -> None:
    (ray,) = rays_in(tmp_path, [b.frame(1, packets=[beams(record, beam(eye=(700, 0, 0)))])], 0)
    assert ray.x == 7


def test_without_rotation_and_validity_the_direction_is_in_the_world(tmp_path: Path) -> None:
    rays = [{"origin": "eye", "direction": "look"}]
    (ray,) = rays_in(tmp_path, [b.frame(1, packets=[beams(beam(yaw=90, on=0))])], 0, rays=rays)
    assert (ray.dx, ray.dy) == (1, 0)


def test_that_of_a_lasting_packet_holds_until_the_next_record_of_its_key(tmp_path: Path) -> None:
    frames = [
        b.frame(1, packets=[beams(beam(number=1), beam(number=2))]),
        b.frame(2, packets=[beams(beam(number=1, eye=(500, 0, 0)))]),
        b.frame(3),
    ]
    for shown, starts in enumerate([[1, 1], [1, 5], [1, 5]]):
        rays = rays_in(tmp_path, frames, shown, lifetime="lasting", key=["id"])
        assert sorted(ray.x for ray in rays) == starts
    assert [ray.x for ray in rays_in(tmp_path, frames, 1)] == [5]
    assert rays_in(tmp_path, frames, 2) == ()


@pytest.mark.parametrize("lifetime", ["lasting", "shown"])
def test_that_of_an_actor_holds_while_the_actor_lives(tmp_path: Path, lifetime: str) -> None:
    members = [["id", "actor", "Who looks"], *MEMBERS[1:]]
    frames = [
        b.frame(1, packets=[b.packet(2, b.event_add([b.actor(7)])), beams(beam(number=7))]),
        b.frame(2),
        b.frame(3, packets=[b.packet(3, b.event_del([{"id": 7}]))]),
    ]
    changes = {"lifetime": lifetime, "key": ["id"], "members": members}
    counts = [len(rays_in(tmp_path, frames, shown, **changes)) for shown in range(3)]
    assert counts == ([1, 1, 0] if lifetime == "lasting" else [1, 0, 0])


def test_places_in_the_world_are_there_without_a_ray(tmp_path: Path) -> None:
    (ray,) = rays_in(tmp_path, [b.frame(1, packets=[beams(beam(eye=(700, -100, 0)))])], 0, rays=[])
    assert ray == FrameRay("Beam.eye", 7, -1, 0, 0)


@pytest.mark.parametrize("eye", [(0, 0, 0), (NAN, 1, 1), (1, math.inf, 1)], ids=["unset", "no number", "far"])
def test_a_place_that_is_unset_or_no_number_is_none(tmp_path: Path, eye: Sequence[float]) -> None:
    assert rays_in(tmp_path, [b.frame(1, packets=[beams(beam(eye=eye))])], 0, rays=[]) == ()


def test_vectors_that_are_no_places_in_the_world_are_not_shown(tmp_path: Path) -> None:
    members = [*MEMBERS[:1], ["eye", "vector", "In its own axes", "cm"], *MEMBERS[2:]]
    assert rays_in(tmp_path, [b.frame(1, packets=[beams(beam())])], 0, rays=[], members=members) == ()


def test_no_more_are_drawn_than_can_be_told_apart(tmp_path: Path) -> None:
    records = [beam(number=number) for number in range(MOST_RAYS + 5)]
    assert len(rays_in(tmp_path, [b.frame(1, packets=[beams(*records)])], 0)) == MOST_RAYS
