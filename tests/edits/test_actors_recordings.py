"""Edits of actors on real recordings: everything decodes to its last byte, nobody is named who is not there.

Most of it on a stretch of each, in which somebody is born where that happens at all; some of it on whole recordings.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import recorder_editor
from recorder_editor import Edit, Recording, Snapshot
from recorder_editor.edits import (
    duplicate_actor,
    keep_only_actors,
    paste_actor,
    remove_actors,
    set_actor_id,
    set_hero,
    swap_actors,
    trim_life,
)
from recorder_editor.edits.trim import trim
from recorder_editor.errors import EditError
from recorder_editor.reading.lives import Life
from recorder_editor.recording.snapshot import Packet

from ..recording.films import BIKES, COLLISIONS, WALKERS, of_real
from .conftest import saved

Ids = npt.NDArray[np.uint32]
STRETCH = 30
"""Frames."""

SIDES = {"EventParent": ("child", "parent"), "Collision": ("actor1", "actor2")}


@pytest.fixture
def whole(sound_recording: Path) -> Iterator[Recording]:
    with recorder_editor.open(sound_recording) as recording:
        yield recording


@pytest.fixture
def opened(whole: Recording, tmp_path: Path) -> Iterator[Recording]:
    """A stretch of the recording, with the first birth after its beginning in it."""
    births = [life.born for life in whole.actors.lives if life.born > STRETCH // 5]
    first = max(0, min(births, default=0) - STRETCH // 5)
    stretch = whole.snapshot.after(trim(whole, range(first, min(first + STRETCH, len(whole)))))
    path = tmp_path / "stretch.log"
    path.write_bytes(stretch.read(0, stretch.size))
    with recorder_editor.open(path, dialect=whole.dialect.name) as recording:
        yield recording


def ids_in(packet: Packet) -> Ids:
    """Whom the records of a packet name: (records, one or two)."""
    body = packet.decoded
    if packet.name in SIDES:
        return np.stack([body.array[side] for side in SIDES[packet.name]], axis=1)
    if packet.type.actor_field is None or not len(body):
        return np.empty((0, 1), np.uint32)
    if packet.type.dtype is not None:
        return body.array["id"][:, None]
    return np.array([[body.get(index, "id")] for index in range(len(body))], np.uint32)


def judge(recording: Recording) -> None:
    """Every body is exactly as long as its records, and each of them names somebody who is alive."""
    alive: set[int] = set()
    for frame in recording:
        gone: set[int] = set()
        for packet in frame.packets:
            body = packet.decoded
            assert body.damage is None
            assert body.tail[0] == body.tail[1] or body.count is None
            assert body.count in (None, len(body))
            ids = set(ids_in(packet).ravel().tolist())
            if packet.name == "EventAdd":
                assert not alive & ids
                alive |= ids
            elif packet.name == "EventDel":
                gone |= ids
            assert ids <= alive | {0xFFFFFFFF}, (frame.index, packet.name)
        alive -= gone


def others(snapshot: Snapshot, left_out: set[int]) -> list[Mapping[str, bytes]]:
    """Of each frame the records of everybody else, by packet; those that are nobody's too."""
    found = []
    for frame in snapshot:
        records: dict[str, bytes] = {}
        for packet in frame.packets:
            body = packet.decoded
            ids = ids_in(packet)
            kept = ~np.isin(ids, [*left_out]).any(axis=1) if len(ids) else np.ones(0, np.bool_)
            if kept.all():
                raw = packet.body[2:] if body.count is not None else packet.body
            elif packet.type.dtype is not None:
                raw = body.array[kept].tobytes()
            else:
                spans = (body.span(index) for index in np.flatnonzero(kept).tolist())
                raw = b"".join(packet.body[start:stop] for start, stop in spans)
            # Some packets are left out where they are empty.
            records.update({packet.name: raw} if raw else {})
        found.append(records)
    return found


def one_of_each_class(recording: Recording) -> list[Life]:
    return list({life.class_: life for life in reversed(recording.actors.lives)}.values())


def apply_and_judge(recording: Recording, edit: Edit) -> None:
    before = recording.snapshot
    recording.apply(edit)
    judge(recording)
    for now, was in zip(recording, before, strict=True):
        assert (now.key, now.kind, now.frame_id, now.elapsed, now.duration) == (
            was.key,
            was.kind,
            was.frame_id,
            was.elapsed,
            was.duration,
        )


@of_real(WALKERS, COLLISIONS, BIKES)
def test_one_of_each_class_is_removed_with_all_that_is_told_of_it(opened: Recording) -> None:
    before = saved(opened)
    for life in one_of_each_class(opened):
        actors = opened.actors
        family = [life, *actors.children_of(life)]
        gone = {each.actor for each in (*family, *(each for child in family for each in actors.children_of(child)))}
        expected = others(opened.snapshot, gone)
        apply_and_judge(opened, remove_actors(opened, [life]))
        assert {each.actor for each in opened.actors} == {each.actor for each in actors} - gone
        assert others(opened.snapshot, set()) == expected
        opened.undo()
        assert saved(opened) == before


@of_real(BIKES)
def test_only_one_is_kept_beside_the_map(whole: Recording) -> None:
    before = saved(whole)
    life = next(each for each in whole.actors if each.class_ in ("vehicle", "two-wheeler"))
    try:
        edit = keep_only_actors(whole, [life])
    except EditError:
        assert {each.class_ for each in whole.actors if each.parent is None} <= {
            life.class_,
            "spectator",
            "prop",
            "traffic light",
            "traffic sign",
        }
        return
    apply_and_judge(whole, edit)
    movers = [each for each in whole.actors if each.class_ in ("vehicle", "two-wheeler", "walker")]
    assert [each.actor for each in movers] == [life.actor]
    assert {each.class_ for each in whole.actors} >= {"spectator", "traffic light"}
    whole.undo()
    assert saved(whole) == before


def trimmed(recording: Recording, life: Life) -> Edit:
    third = (len(recording) - life.born) // 3
    return trim_life(recording, life, range(life.born + third, life.born + 2 * third))


CHANGES: dict[str, Callable[[Recording, Life], Edit]] = {
    "trim": trimmed,
    "another id": lambda recording, life: set_actor_id(recording, life, 4_000_000_000),
    "copy": lambda recording, life: duplicate_actor(recording, life, offset=(2.0, 0.0, 0.0), turn=30.0),
    "later copy": lambda recording, life: duplicate_actor(recording, life, seconds=0.77),
    "paste": lambda recording, life: paste_actor(recording, recording.snapshot, life, at=0.4),
    "hero": set_hero,
}


CHANGED = ("vehicle", "walker", "sensor", "two-wheeler", "prop", "traffic light", "spectator", "traffic sign", "other")


@pytest.mark.parametrize("what", CHANGES)
@of_real(WALKERS, COLLISIONS)
def test_the_others_stay_as_they_are(opened: Recording, what: str) -> None:
    before = saved(opened)
    done = 0
    chosen = sorted(one_of_each_class(opened), key=lambda life: CHANGED.index(life.class_))
    for life in chosen[:2]:
        known = {each.actor for each in opened.actors}
        try:
            edit = CHANGES[what](opened, life)
        except EditError:
            assert what == "hero"
            continue
        # Who rides on one that comes later comes with it.
        riders = {
            each.actor for each in opened.actors if opened.actors.offset_parent_of(each) == life and what == "trim"
        }
        untouched = others(opened.snapshot, {life.actor, *riders})
        apply_and_judge(opened, edit)
        new = {each.actor for each in opened.actors} - known
        if what != "hero":
            assert others(opened.snapshot, {life.actor, *riders, *new}) == untouched
        done += 1
        opened.undo()
        assert saved(opened) == before
    assert done or what == "hero"


@of_real(BIKES)
def test_two_vehicles_change_places(opened: Recording) -> None:
    before = saved(opened)
    cars = [life for life in opened.actors if life.class_ == "vehicle"]
    if len(cars) < 2:
        pytest.skip("one vehicle alone cannot change places")
    first, second = cars[0], cars[-1]
    paths = [opened.tracks.path(life.actor) for life in (first, second)]
    apply_and_judge(opened, swap_actors(opened, first, second))
    for life, path in ((first, paths[1]), (second, paths[0])):
        now = opened.tracks.path(life.actor)
        assert [now[name].tobytes() for name in ("frame", "x", "yaw")] == [
            path[name].tobytes() for name in ("frame", "x", "yaw")
        ]
        (moved,) = opened.actors.of_id(life.actor)
        assert (moved.blueprint, moved.attributes, moved.uid) == (life.blueprint, life.attributes, life.uid)
    opened.undo()
    assert saved(opened) == before


@of_real(BIKES)
def test_a_copy_saves_and_opens_again(whole: Recording, tmp_path: Path) -> None:
    life = next(each for each in whole.actors if each.class_ == "vehicle")
    whole.apply(duplicate_actor(whole, life, seconds=0.5))
    whole.save(tmp_path / "copied.log")
    with recorder_editor.open(tmp_path / "copied.log") as again:
        assert not again.findings
        judge(again)
        assert len(again.actors) == len(whole.actors)
