"""The overview of a frame: who is in it, what happens in it, and the traffic events and problems about it."""

from pathlib import Path

import numpy as np
import pytest

import recorder_editor
from recorder_editor.reading import Actors
from recorder_editor.reading.events import find_events
from recorder_editor.recording import Finding, Place, Snapshot
from recorder_editor.views.frame_overview import (
    EventIndex,
    FrameIndex,
    Section,
    TrafficEvent,
    problems_of,
    traffic_lights,
)

from .. import builders as b
from ..reading import films
from ..recording.films import add, attach, collide, delete, film

CAR, BIKE, WALKER, LIGHT, LATER = 1, 2, 3, 9, 20
BLUEPRINTS = {CAR: (1, "vehicle.audi.tt"), WALKER: (2, "walker.pedestrian.0001"), LIGHT: (3, "traffic.traffic_light")}


def lines(section: Section) -> list[tuple[str, str]]:
    return [(line.text, line.detail) for line in section.lines]


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    born = [b.actor(actor, kind, blueprint) for actor, (kind, blueprint) in BLUEPRINTS.items()]
    later = [b.actor(LATER + number, 1, "vehicle.audi.tt") for number in range(6)]
    poses = b.packet(6, b.position([b.pose(CAR), b.pose(WALKER)]))
    state = b.packet(7, b.traffic_light_state([{"id": LIGHT, "frozen": False, "elapsed": 4.5, "state": 2}]))
    path = tmp_path / "town.log"
    path.write_bytes(
        film(
            [add(*born), poses, state],
            [attach((WALKER, CAR)), collide((CAR, WALKER), (CAR, 0xFFFFFFFF)), poses],
            [delete(WALKER), add(*later), b.packet(6, b.position([b.pose(CAR)]))],
            [],
        )
    )
    return recorder_editor.open(path, dialect="ue4-0.9.12").snapshot


def test_road_users_are_counted_by_class_and_lights_by_state(snapshot: Snapshot) -> None:
    index = FrameIndex(Actors.of(snapshot))
    first = index.road_users(snapshot.frame(0))
    assert lines(first) == [("1 vehicle", ""), ("1 walker", "")]
    lights = traffic_lights(snapshot.frame(0))
    assert lights is not None
    assert (lights.title, lines(lights)) == ("Traffic lights", [("1 Green", "")])
    assert traffic_lights(snapshot.frame(2)) is None
    assert lines(index.road_users(snapshot.frame(2))) == [("1 vehicle", "")]
    assert lines(index.road_users(snapshot.frame(3))) == [("None", "")]


def test_what_happens_in_a_frame_leads_to_its_record(snapshot: Snapshot) -> None:
    index = FrameIndex(Actors.of(snapshot))
    first, second, third, last = (index.happenings(snapshot.frame(frame)) for frame in range(4))
    assert lines(first) == [("1 audi.tt", "spawned"), ("3 pedestrian.0001", "spawned"), ("9 traffic_light", "spawned")]
    assert first.lines[1].target == Place(0, 1, 1)
    assert lines(second) == [
        ("3 pedestrian.0001", "attached"),
        ("1 and 3", "collision"),
        ("1 and an object of the map", "collision"),
    ]
    assert second.lines[2].target == Place(1, 2, 1)
    # Of many alike there is one line, to their packet.
    assert lines(third) == [("6 actors", "spawned"), ("3 pedestrian.0001", "gone")]
    assert third.lines[0].target == Place(2, 2)
    assert lines(last) == [("No actor comes or goes, no collision", "")]


def test_traffic_events_are_those_before_now_and_after(tmp_path: Path) -> None:
    braking = films.Actor(films.along(0, 40, 0, films.braking(14, -4.5)))
    snapshot = recorder_editor.open(films.film(tmp_path / "brakes.log", {3: braking}, 12.0)).snapshot
    events = find_events(snapshot)
    (row,) = range(len(events))
    worst = int(events.table["worst"][row])
    index = EventIndex(events, lambda _kind: True)
    before, now = index.about(0, snapshot.elapsed), index.about(worst, snapshot.elapsed)
    after = index.about(len(snapshot) - 1, snapshot.elapsed)
    seconds = float(snapshot.elapsed[worst])
    end = float(snapshot.elapsed[-1])
    assert lines(before) == [("Hard braking: 3", f"{seconds:+.2f} s")]
    assert lines(now) == [("Hard braking: 3", "now")]
    assert lines(after) == [("Hard braking: 3", f"{seconds - end:+.2f} s")]
    assert now.lines[0].target == TrafficEvent(row)
    hidden = EventIndex(events, lambda _kind: False)
    assert lines(hidden.about(0, snapshot.elapsed)) == [("None of the kinds that are shown", "")]
    nothing = EventIndex(events.of(np.zeros(len(events), np.bool_)), lambda _kind: True)
    assert lines(nothing.about(0, snapshot.elapsed)) == [("None in this recording", "")]


def test_many_problems_are_counted() -> None:
    findings = [Finding("a-code", "warning", f"Sentence {number}.", row=0) for number in range(10)]
    section = problems_of(findings)
    assert [line.text for line in section.lines] == [*(f"Sentence {number}." for number in range(8)), "and 2 more"]
    assert section.lines[3].target is findings[3]
