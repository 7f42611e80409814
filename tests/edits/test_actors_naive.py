"""Edits of actors beside the same edits done record by record in plain Python: byte for byte alike."""

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recorder_editor import Edit, Recording
from recorder_editor.edits import duplicate_actor, keep_only_actors, remove_actors, set_actor_id, swap_actors, trim_life
from recorder_editor.errors import EditError
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.lives import Life

from ..extent import examples
from ..recording.films import opened
from . import naive_actors as naive
from .conftest import saved

seeds = st.integers(0, 1 << 32)
lengths = st.integers(1, 14)
ways = st.sampled_from(("wild", "calm", "belt"))


@contextmanager
def some_recording(seed: int, frames: int, how: str) -> Iterator[tuple[Recording, bytes, random.Random, list[Life]]]:
    """A random recording, its bytes, chance to go on with, and its lives, traffic lights apart."""
    chance = random.Random(seed)
    data = naive.random_recording(chance, frames, how)
    with opened(data, "ue4-0.9.15") as recording:
        lives = [life for life in Actors.of(recording.snapshot) if life.class_ != "traffic light"]
        yield recording, data, chance, lives


def number_of(recording: Recording, life: Life) -> int:
    return Actors.of(recording.snapshot).of_id(life.actor).index(life)


def holds(recording: Recording, edit: Edit, expected: bytes) -> None:
    before = saved(recording)
    recording.apply(edit)
    assert saved(recording) == expected
    assert not any(naive.walk(naive.split(expected)[1]))
    for frame in recording:
        assert all(packet.decoded.damage is None for packet in frame.packets)
    recording.undo()
    assert saved(recording) == before


def others_in_the_way(lives: list[Life], *pair: Life) -> Iterator[bool]:
    """Whether another life of either id touches the time of the other."""
    far = 1 << 30
    for mine, other in (pair, pair[::-1]):
        for life in lives:
            if life.actor == mine.actor and life not in pair and pair[0].actor != pair[1].actor:
                yield life.born <= (far if other.gone is None else other.gone) and other.born <= (
                    far if life.gone is None else life.gone
                )


def test_random_recordings_are_sound_and_written_as_they_are_read() -> None:
    for seed in range(30):
        data = naive.random_recording(random.Random(seed), 12, ("wild", "calm", "belt")[seed % 3])
        assert naive.joined(*naive.split(data)) == data
        assert not any(naive.walk(naive.split(data)[1]))


@given(seeds, lengths, ways)
@settings(max_examples=examples(60))
def test_removing_is_leaving_out_every_record_of_the_life(seed: int, frames: int, how: str) -> None:
    with some_recording(seed, frames, how) as (recording, data, chance, lives):
        if not lives:
            return
        chosen = chance.sample(lives, chance.randint(1, min(3, len(lives))))
        leaving = {life.index for life in chosen}
        if any(life.parent in leaving and life.index not in leaving and not life.is_traffic for life in lives):
            return  # what was created attached and stays gets a place in the world: test_attachments.py
        gone = {(life.actor, number_of(recording, life)) for life in chosen}
        holds(recording, remove_actors(recording, chosen, children=False), naive.without(data, gone))


@given(seeds, lengths, ways)
@settings(max_examples=examples(40))
def test_children_go_with_their_parents(seed: int, frames: int, how: str) -> None:
    with some_recording(seed, frames, how) as (recording, data, chance, lives):
        if not lives:
            return
        life = chance.choice(lives)
        gone = {(life.actor, number_of(recording, life))}
        parents = naive.parents(naive.split(data)[1])
        while more := {child for child, parent in parents.items() if parent in gone} - gone:
            gone |= more
        holds(recording, remove_actors(recording, [life]), naive.without(data, gone))


@given(seeds, lengths, ways)
@settings(max_examples=examples(40))
def test_keeping_is_leaving_out_all_but_parents_and_children(seed: int, frames: int, how: str) -> None:
    with some_recording(seed, frames, how) as (recording, data, chance, lives):
        if not lives:
            return
        life = chance.choice(lives)
        everybody = {(each.actor, number_of(recording, each)) for each in lives}
        kept = {(life.actor, number_of(recording, life))}
        parents = naive.parents(naive.split(data)[1])
        while more := {child for child, parent in parents.items() if parent in kept} - kept:
            kept |= more
        while more := {parent for child, parent in parents.items() if child in kept} - kept:
            kept |= more
        if kept == everybody:
            with pytest.raises(EditError, match="There are no other actors"):
                keep_only_actors(recording, [life])
        else:
            holds(recording, keep_only_actors(recording, [life]), naive.without(data, everybody - kept))


@given(seeds, lengths, ways)
@settings(max_examples=examples(40))
def test_another_id_stands_wherever_the_life_is_meant(seed: int, frames: int, how: str) -> None:
    with some_recording(seed, frames, how) as (recording, data, chance, lives):
        if not lives:
            return
        life = chance.choice(lives)
        expected = naive.renumbered(data, life.actor, number_of(recording, life), 77)
        holds(recording, set_actor_id(recording, life, 77), expected)


@given(seeds, lengths, ways)
@settings(max_examples=examples(60))
def test_a_copy_is_every_record_again_behind_the_others(seed: int, frames: int, how: str) -> None:
    with some_recording(seed, frames, how) as (recording, data, chance, lives):
        if not lives:
            return
        life = chance.choice(lives)
        edit = duplicate_actor(recording, life, offset=(1.0, -2.5, 0.25), new_id=77)
        expected = naive.duplicated(data, life.actor, number_of(recording, life), 77, (100.0, -250.0, 25.0))
        holds(recording, edit, expected)


def riders_of(recording: Recording, life: Life) -> set[tuple[int, int]]:
    """Who was ever attached to a life, over any number of others: (id, number of its life)."""
    found = {life.index}
    while more := {each.child_life for each in recording.actors.parents if each.parent_life in found} - found - {None}:
        found |= {child for child in more if child is not None}
    lives = [recording.actors.lives[index] for index in found - {life.index}]
    return {(each.actor, number_of(recording, each)) for each in lives}


@given(seeds, lengths, ways, st.integers(0, 13), st.integers(1, 14))
@example(114380095, 11, "calm", 1, 1)
@settings(max_examples=examples(80))
def test_trimming_changes_nothing_but_records_that_name_the_life(
    seed: int, frames: int, how: str, start: int, number: int
) -> None:
    with some_recording(seed, frames, how) as (recording, data, chance, lives):
        if not lives:
            return
        life = chance.choice(lives)
        kept = range(start, start + number)
        span = range(life.born, len(recording) if life.gone is None else life.gone)
        inside = [index for index in span if index in kept]
        if not inside or len(inside) == len(span):
            with pytest.raises(EditError):
                trim_life(recording, life, kept)
            return
        which = number_of(recording, life)
        # Who was born on it comes with it (test_attachments), and who was born on those.
        riders = riders_of(recording, life)
        recording.apply(trim_life(recording, life, kept))
        trimmed = saved(recording)
        after = naive.split(trimmed)[1]
        assert not any(naive.walk(after))
        found = naive.spans(after)[life.actor][which]
        assert (found.born, found.gone) == (inside[0], inside[-1] + 1 if inside[-1] + 1 < span.stop else life.gone)
        gone = {(life.actor, which)}
        was, now = (naive.without(each, gone | riders) for each in (data, trimmed))
        assert was == now
        for index in inside:
            for packet in naive.IN_EVERY_FRAME:
                # Riders have no such records.
                assert naive.listed(naive.split(data)[1][index], packet) == naive.listed(after[index], packet)
        recording.undo()
        assert saved(recording) == data


@given(seeds, lengths, ways, st.floats(-4, 4, width=16), st.floats(-180, 180, width=16))
@settings(max_examples=examples(80))
def test_taking_a_copy_out_again_leaves_what_was_there(
    seed: int, frames: int, how: str, seconds: float, turn: float
) -> None:
    with some_recording(seed, frames, how) as (recording, data, chance, lives):
        if not lives:
            return
        life = chance.choice(lives)
        shifted = [0.5 * index - seconds for index in range(frames)]
        span = range(life.born, frames if life.gone is None else life.gone)
        # A millionth of a second is no other time.
        if not any(math.floor((at + 1e-6) / 0.5) in span and at - 1e-6 <= 0.5 * (frames - 1) for at in shifted):
            return
        edit = duplicate_actor(recording, life, seconds=seconds, turn=turn, offset=(1.0, 0.0, 0.0))
        recording.apply(edit)
        copied = saved(recording)
        assert not any(naive.walk(naive.split(copied)[1]))
        assert naive.without(copied, {(91, 0)}) == data
        recording.undo()
        assert saved(recording) == data


@given(seeds, lengths, ways)
@settings(max_examples=examples(60))
def test_who_changes_places_twice_is_where_he_was(seed: int, frames: int, how: str) -> None:
    def in_any_order(data: bytes) -> list[object]:
        return [
            [(number, sorted(held) if isinstance(held, list) else held) for number, held in packets]
            for packets in naive.split(data)[1]
        ]

    with some_recording(seed, frames, how) as (recording, data, chance, lives):
        cars = [life for life in lives if life.class_ == "vehicle"]
        if len(cars) < 2:
            return
        a, c = chance.sample(cars, 2)
        if any(others_in_the_way(lives, a, c)):
            with pytest.raises(EditError, match="has the id"):
                swap_actors(recording, a, c)
            return
        recording.apply(swap_actors(recording, a, c))
        assert not any(naive.walk(naive.split(saved(recording))[1]))
        again = [life for life in recording.actors if (life.actor, life.born) in {(a.actor, c.born), (c.actor, a.born)}]
        recording.apply(swap_actors(recording, *again))
        assert in_any_order(saved(recording)) == in_any_order(data)
        recording.undo()
        recording.undo()
        assert saved(recording) == data
