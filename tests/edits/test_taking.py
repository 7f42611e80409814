"""Taking over from another recording: things, fields in all their frames, frames; to the byte, and back."""

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Edit, Recording, edits
from recorder_editor.errors import EditError, NothingToDo, RecorderError
from recorder_editor.reports.diff import Comparison, Thing, compare, refusal_of, take_group, take_thing

from .choices import street
from .conftest import saved
from .operations import OPERATIONS

DIALECT = "ue4-2026"
HERO, OTHER_CAR, CAMERA, WALKER, ITS_SENSOR, BIKE = 7, 8, 9, 12, 13, 14


@contextmanager
def street_twice() -> Iterator[tuple[Recording, Recording]]:
    """The street, and a copy of it to be changed."""
    folder = Path(tempfile.mkdtemp())
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        recordings = []
        for name in ("here.log", "there.log"):
            (folder / name).write_bytes(street())
            recordings.append(stack.enter_context(recorder_editor.open(folder / name, dialect=DIALECT)))
        yield recordings[0], recordings[1]


def things(here: Recording, there: Recording) -> Comparison:
    return compare(here.snapshot, there.snapshot)


def thing(found: Comparison, **wanted: object) -> Thing:
    (one,) = (each for each in found.things if all(getattr(each, name) == value for name, value in wanted.items()))
    return one


def take(here: Recording, there: Recording, **wanted: object) -> None:
    found = things(here, there)
    here.apply(take_thing(here.snapshot, found, thing(found, **wanted)))


def life(recording: Recording, actor: int) -> recorder_editor.reading.lives.Life:
    return recording.actors.of_id(actor)[0]


def test_an_actor_only_there_comes_whole_and_goes_back() -> None:
    with street_twice() as (here, there):
        here.apply(edits.remove_actors(here, here.actors.of_id(OTHER_CAR), children=False))
        without = saved(here)
        found = things(here, there)
        car = thing(found, ids=(OTHER_CAR,))
        assert (car.kind, car.only) == ("actor", "b")
        edit = take_thing(here.snapshot, found, car)
        assert edit.label == "Take over actor 8"
        here.apply(edit)
        assert saved(here) == saved(there) == street()
        here.undo()
        assert saved(here) == without


def test_an_actor_only_here_is_removed_as_remove_actor_does() -> None:
    with street_twice() as (here, there):
        there.apply(edits.remove_actors(there, there.actors.of_id(OTHER_CAR), children=False))
        edit = take_thing(here.snapshot, things(here, there), thing(things(here, there), ids=(OTHER_CAR,), only="a"))
        assert edit.label == "Remove 8"
        assert edit.intent is not None
        here.apply(edit)
        assert saved(here) == saved(there)


def test_a_moved_actor_is_moved_in_all_its_frames_at_once() -> None:
    with street_twice() as (here, there):
        there.apply(edits.offset_path(there, life(there, HERO), None, 1.5))
        found = things(here, there)
        moved = thing(found, ids=(HERO,))
        assert moved.moved == pytest.approx(150.0, abs=0.1)
        assert moved.frames == len(here)
        here.apply(take_thing(here.snapshot, found, moved))
        assert saved(here) == saved(there)
        assert len(here.history.steps) == 1


def test_things_are_counted_frame_by_frame() -> None:
    with street_twice() as (here, there):
        there.apply(edits.offset_path(there, life(there, HERO), range(1, 4), 1.5))
        there.apply(edits.offset_path(there, life(there, OTHER_CAR), range(3, 5), 1.5))
        there.apply(edits.delete_rows(there, there.snapshot.table.row_of_frame(len(there) - 1)))
        counts = things(here, there).count_things().tolist()
        assert counts[:5] == [0, 1, 1, 2, 1]
        assert counts[-1] == 1


@pytest.mark.parametrize("where", ["here", "there"])
def test_frames_of_one_recording_come_and_go_with_what_happens_in_them(where: str) -> None:
    with street_twice() as (here, there):
        one = there if where == "here" else here
        born = life(one, WALKER).born
        # Its sensor goes with it: both are created in the next frame.
        one.apply(edits.trim_life(one, life(one, WALKER), range(born + 1, len(one))))
        one.apply(edits.delete_rows(one, one.snapshot.table.row_of_frame(born)))
        found = things(here, there)
        frames = thing(found, kind="frames")
        assert (frames.only, frames.frames) == ("a" if where == "here" else "b", 1)
        assert {each.ids for each in found.things if each.kind == "actor"} == {(WALKER,), (ITS_SENSOR,)}
        edit = take_thing(here.snapshot, found, frames)
        here.apply(edit)
        assert saved(here) == saved(there)
        assert len([each for each in here.actors if each.actor == WALKER]) == 1


def test_actors_of_frames_only_there_come_with_these_and_not_before() -> None:
    with street_twice() as (here, there):
        last = 6
        here.apply(edits.trim(here, range(last)))
        here.apply(edits.remove_actors(here, here.actors.of_id(BIKE)))
        there.apply(edits.trim_life(there, life(there, BIKE), range(last, len(there))))
        found = things(here, there)
        one = thing(found, kind="carried")
        assert one.ids == (BIKE,)
        assert refusal_of(here.snapshot, found, one) == f"it comes with frames {last + 1} to {len(there)}"
        with pytest.raises(EditError, match="it comes with frames"):
            take_thing(here.snapshot, found, one)


def test_an_actor_that_is_created_in_frames_only_there_waits_for_these() -> None:
    with street_twice() as (here, there):
        born = life(here, WALKER).born
        here.apply(edits.remove_actors(here, [life(here, WALKER)], children=False))
        here.apply(edits.delete_rows(here, here.snapshot.table.row_of_frame(born)))
        found = things(here, there)
        reason = refusal_of(here.snapshot, found, thing(found, ids=(WALKER,)))
        assert reason == (
            f"It begins or ends in frame {born + 1} of the other recording, which this one lacks: "
            "take these over first."
        )
        take(here, there, kind="frames")
        take(here, there, ids=(WALKER,))
        assert saved(here) == saved(there)


def test_the_header_is_taken_as_one_thing() -> None:
    with street_twice() as (here, there):
        there.apply(edits.set_header(there, map_name="Town07", date=1_700_000_000))
        take(here, there, kind="header")
        assert saved(here) == saved(there)


def test_one_field_is_taken_in_all_frames_and_no_other() -> None:
    with street_twice() as (here, there):
        for field in ("location.x", "location.y"):
            place = edits.place(there, frame=3, packet="Position", record=0, field=field)
            there.apply(edits.add_over(there, place, 50.0, range(3, 6)))
        found = things(here, there)
        (group,) = (each for each in found.groups if each.path == "location.x")
        here.apply(take_group(here.snapshot, found, group))
        left = things(here, there)
        assert [each.path for each in left.groups] == ["location.y"]
        assert left.groups[0].frames == 3


def test_what_is_the_same_is_no_step() -> None:
    with street_twice() as (here, there):
        with pytest.raises(NothingToDo):
            edits.take_actor(here, there.snapshot, HERO)
        with pytest.raises(NothingToDo):
            edits.take_values(here, there.snapshot, "Position", id=HERO, path="location.x")
        with pytest.raises(EditError, match="not in one recording only"):
            edits.take_frames(here, there.snapshot, 1, 3, there=True)


def test_recordings_of_other_releases_share_no_bytes_and_removing_needs_none() -> None:
    with street_twice() as (here, there):
        there.apply(edits.convert(there, "ue4-0.9.15").edit)
        there.apply(edits.remove_actors(there, there.actors.of_id(OTHER_CAR), children=False))
        here.apply(edits.remove_actors(here, [life(here, CAMERA)], children=False))
        found = things(here, there)
        assert "different things" in refusal_of(here.snapshot, found, thing(found, ids=(CAMERA,)))
        assert not refusal_of(here.snapshot, found, thing(found, ids=(OTHER_CAR,), only="a"))


def test_an_actor_with_another_id_is_two_things_of_which_each_keeps_what_is_attached() -> None:
    with street_twice() as (here, there):
        here.apply(edits.set_actor_id(here, life(here, HERO), 5))
        take(here, there, ids=(HERO,), only="b")
        take(here, there, ids=(5,), only="a")
        assert not things(here, there).things
        assert saved(here) == saved(there)


@pytest.mark.parametrize("what", ["packets", "records"])
def test_another_order_is_told_and_taken(what: str) -> None:
    with street_twice() as (here, there):
        frame = there.snapshot.frame(3)
        packet = next(packet for packet in frame.packets if packet.name == "Position")
        place = edits.place(there, frame=3, packet="Position", record=0)
        if what == "packets":
            there.apply(edits.move_packet(there, place._replace(record=None), packet.index + 1))
        else:
            there.apply(edits.move_record(there, place, 1))
        found = things(here, there)
        assert (found.differ, found.frames.same, found.frames.differ) == (True, len(here) - 1, 0)
        here.apply(take_thing(here.snapshot, found, thing(found, kind="order")))
        assert saved(here) == saved(there)
        assert not things(here, there).differ


# --- any edits ------------------------------------------------------------------------------------------

CHANGES = sorted(set(OPERATIONS) - {"convert", "join", "order_times", "resample", "retime", "shift"})
"""Edits after which the frames of both can be told by their times."""

few = settings(
    max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)


def change(recording: Recording, name: str, seed: int) -> None:
    with suppress(RecorderError):  # it refuses with a reason: nothing has happened
        recording.apply(OPERATIONS[name](recording, random.Random(seed), {}))


def once(make: Callable[[], Edit]) -> Edit | None:
    try:
        return make()
    except RecorderError:
        return None


edits_here = st.lists(st.tuples(st.sampled_from(CHANGES), st.integers(0, 1 << 32)), min_size=1, max_size=3)


@few
@given(edits_here, edits_here)
def test_whatever_differs_is_taken_thing_by_thing_and_undone(
    changes_here: list[tuple[str, int]], changes_there: list[tuple[str, int]]
) -> None:
    with street_twice() as (here, there):
        for name, seed in changes_here:
            change(here, name, seed)
        for name, seed in changes_there:
            change(there, name, seed)
        states = [saved(here)]
        refused = set()
        for _ in range(60):
            found = things(here, there)
            open_things = [each for each in found.things if each.key not in refused]
            if not open_things:
                break
            one = open_things[0]
            edit = once(lambda found=found, one=one: take_thing(here.snapshot, found, one))
            if edit is None:
                refused.add(one.key)
                continue
            here.apply(edit)
            states.append(saved(here))
            left = {each.key for each in things(here, there).things}
            assert one.key not in left, (one, edit.label)
        else:
            pytest.fail("taking over comes to no end")
        if not refused:
            assert not things(here, there).differ
            assert saved(here) == saved(there)
        for state in reversed(states[:-1]):
            here.undo()
            assert saved(here) == state
