"""The two of a traffic event in a frame: their ways, and where they would touch."""

import math
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.reading.events import find_events
from recorder_editor.views.conflict import Conflict, conflict_in

from ..reading.films import STEP, Actor, along, film

CROSSING = {1: Actor(along(-20, 0, 0, 10), role="hero"), 2: Actor(along(0, -20.5, 90, 10))}


def conflict_at(path: Path, seconds: float) -> Conflict | None:
    with recorder_editor.open(path) as recording:
        events = find_events(recording.snapshot)
        return conflict_in(events, 0, round(seconds / STEP))


def test_they_have_their_ways_and_the_place_where_they_touch(tmp_path: Path) -> None:
    conflict = conflict_at(film(tmp_path / "crossing.log", CROSSING, 4.0), 1.0)
    assert conflict is not None
    hero, other = conflict.ways
    assert (hero.actor, hero.is_hero, other.actor, other.is_hero) == (1, True, 2, False)
    assert (hero.x, hero.vx, hero.vy) == pytest.approx((-10, 10, 0), abs=1e-4)
    assert hero.half_width == pytest.approx(0.95)
    # The other one comes to the side of the hero's way last.
    assert conflict.seconds == pytest.approx((20.5 - 10 - 2.3 - 0.95) / 10, abs=1e-3)
    assert hero.contact is not None
    assert hero.contact[:, 0].mean() == pytest.approx(-10 + 10 * conflict.seconds, abs=1e-3)
    assert conflict.place is not None
    x, y = conflict.place
    assert -3 < x < 1
    assert y == pytest.approx(-0.95, abs=1.5)


def test_when_they_no_longer_meet_only_the_ways_stay(tmp_path: Path) -> None:
    conflict = conflict_at(film(tmp_path / "crossing.log", CROSSING, 4.0), 3.5)
    assert conflict is not None
    assert math.isnan(conflict.seconds)
    assert conflict.place is None
    assert conflict.distance > 5
    assert all(way.contact is None for way in conflict.ways)


def test_an_event_of_one_has_none(tmp_path: Path) -> None:
    path = film(tmp_path / "alone.log", {1: Actor(along(0, 0, 0, lambda seconds: 10 * min(seconds, 1)))}, 2.0)
    assert conflict_at(path, 1.0) is None
