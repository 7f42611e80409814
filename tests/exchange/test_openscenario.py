"""Scenarios: the structure the standard asks for, checked element by element, and trajectories beside the positions.

The rules below are what we use of the schema of OpenSCENARIO XML 1.1 (which 1.2 and 1.3 keep): which children an
element has, in which order and how often, which attributes, of which type. Anything else fails.
"""

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.exchange.export import export, preview
from recorder_editor.exchange.openscenario import ScenarioError
from recorder_editor.recording.selectors import find_subset

from .. import builders as b
from ..recording import naive
from ..recording.films import add, box, delete, film, opened

# element: (children in order, each with how often: one, ? at most one, * any, + at least one; "|" one of), attributes
CHILDREN: dict[str, str] = {
    "OpenSCENARIO": "FileHeader CatalogLocations RoadNetwork Entities Storyboard",
    "FileHeader": "",
    "CatalogLocations": "",
    "RoadNetwork": "LogicFile?",
    "LogicFile": "",
    "Entities": "ScenarioObject*",
    "ScenarioObject": "Vehicle|Pedestrian|MiscObject",
    "Vehicle": "BoundingBox Performance Axles Properties",
    "Pedestrian": "BoundingBox Properties",
    "MiscObject": "BoundingBox Properties",
    "BoundingBox": "Center Dimensions",
    "Center": "",
    "Dimensions": "",
    "Performance": "",
    "Axles": "FrontAxle RearAxle",
    "FrontAxle": "",
    "RearAxle": "",
    "Properties": "Property*",
    "Property": "",
    "Storyboard": "Init Story+ StopTrigger",
    "Init": "Actions",
    "Actions": "Private*",
    "Private": "PrivateAction+",
    "PrivateAction": "TeleportAction|RoutingAction",
    "TeleportAction": "Position",
    "Position": "WorldPosition",
    "WorldPosition": "",
    "Story": "Act+",
    "Act": "ManeuverGroup+ StartTrigger",
    "ManeuverGroup": "Actors Maneuver*",
    "Actors": "EntityRef*",
    "EntityRef": "",
    "Maneuver": "Event+",
    "Event": "Action+ StartTrigger",
    "Action": "PrivateAction",
    "RoutingAction": "FollowTrajectoryAction",
    "FollowTrajectoryAction": "TrajectoryRef TimeReference TrajectoryFollowingMode",
    "TrajectoryRef": "Trajectory",
    "Trajectory": "Shape",
    "Shape": "Polyline",
    "Polyline": "Vertex Vertex+",
    "Vertex": "Position",
    "TimeReference": "Timing",
    "Timing": "",
    "TrajectoryFollowingMode": "",
    "StartTrigger": "ConditionGroup*",
    "StopTrigger": "ConditionGroup*",
    "ConditionGroup": "Condition+",
    "Condition": "ByValueCondition",
    "ByValueCondition": "SimulationTimeCondition",
    "SimulationTimeCondition": "",
}

NUMBER = r"-?(\d+(\.\d+)?|\d+(\.\d+)?e[+-]\d+)"
TEXT = r"[^\x00-\x1f]*"
NAME = r"[^\x00-\x1f$][^\x00-\x1f]*"
ATTRIBUTES: dict[str, dict[str, str]] = {
    "FileHeader": {
        "revMajor": "1",
        "revMinor": "1",
        "author": TEXT,
        "description": TEXT,
        "date": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ",
    },
    "LogicFile": {"filepath": TEXT},
    "ScenarioObject": {"name": NAME},
    "Vehicle": {"name": TEXT, "vehicleCategory": "bicycle|bus|car|motorbike|semitrailer|trailer|train|tram|truck|van"},
    "Pedestrian": {"name": TEXT, "model": TEXT, "mass": NUMBER, "pedestrianCategory": "animal|pedestrian|wheelchair"},
    "MiscObject": {"name": TEXT, "mass": NUMBER, "miscObjectCategory": "none|obstacle"},
    "Center": dict.fromkeys("xyz", NUMBER),
    "Dimensions": dict.fromkeys(("width", "length", "height"), NUMBER),
    "Performance": dict.fromkeys(("maxSpeed", "maxAcceleration", "maxDeceleration"), NUMBER),
    "FrontAxle": dict.fromkeys(("maxSteering", "wheelDiameter", "trackWidth", "positionX", "positionZ"), NUMBER),
    "RearAxle": dict.fromkeys(("maxSteering", "wheelDiameter", "trackWidth", "positionX", "positionZ"), NUMBER),
    "Property": {"name": TEXT, "value": TEXT},
    "Private": {"entityRef": NAME},
    "WorldPosition": dict.fromkeys("xyzhpr", NUMBER),
    "Story": {"name": NAME},
    "Act": {"name": NAME},
    "Maneuver": {"name": NAME},
    "Action": {"name": NAME},
    "ManeuverGroup": {"name": NAME, "maximumExecutionCount": r"\d+"},
    "Actors": {"selectTriggeringEntities": "true|false"},
    "EntityRef": {"entityRef": NAME},
    "Event": {"name": NAME, "priority": "parallel|skip", "maximumExecutionCount": r"\d+"},
    "Trajectory": {"name": NAME, "closed": "true|false"},
    "Vertex": {"time": NUMBER},
    "Timing": {"domainAbsoluteRelative": "absolute|relative", "scale": NUMBER, "offset": NUMBER},
    "TrajectoryFollowingMode": {"followingMode": "follow|position"},
    "Condition": {"name": TEXT, "delay": NUMBER, "conditionEdge": "falling|none|rising|risingOrFalling"},
    "SimulationTimeCondition": {"value": NUMBER, "rule": "greaterThan|greaterOrEqual|lessThan|lessOrEqual|equalTo"},
}


def checked(element: ET.Element) -> None:
    """Fails for whatever the rules do not allow."""
    pattern = "".join(map(_part, CHILDREN[element.tag].split()))
    inner = "".join(f"<{child.tag}>" for child in element)
    assert re.fullmatch(pattern, inner), f"{element.tag} holds {inner[:200]}"
    assert not (element.text or "").strip()
    rules = ATTRIBUTES.get(element.tag, {})
    assert set(element.attrib) == set(rules), element.tag
    for name, value in element.attrib.items():
        assert re.fullmatch(rules[name], value), f"{element.tag} {name}={value!r}"
    for child in element:
        checked(child)


def _part(word: str) -> str:
    names, often = (word[:-1], word[-1]) if word[-1] in "?*+" else (word, "")
    return f"(?:<(?:{names})>){often}"


def read(path: Path) -> ET.Element:
    """The scenario, checked; names that are meant are there."""
    root = ET.parse(path).getroot()
    checked(root)
    names = [each.attrib["name"] for each in root.iter("ScenarioObject")]
    assert len(set(names)) == len(names)
    for reference in [*root.iter("EntityRef"), *root.iter("Private")]:
        assert reference.attrib["entityRef"] in names
    return root


def ways(root: ET.Element) -> dict[str, list[tuple[float, ...]]]:
    """By entity: time, x, y, z, h, p, r of each point."""
    return {
        group.attrib["name"]: [
            (float(vertex.attrib["time"]), *(float(vertex[0][0].attrib[axis]) for axis in "xyzhpr"))
            for vertex in group.iter("Vertex")
        ]
        for group in root.iter("ManeuverGroup")
        if group.find("Maneuver") is not None
    }


def places(root: ET.Element) -> dict[str, tuple[float, ...]]:
    return {
        each.attrib["entityRef"]: tuple(float(next(each.iter("WorldPosition")).attrib[axis]) for axis in "xyzhpr")
        for each in root.iter("Private")
    }


def scenario(recording: Any, folder: Path, *actors: str, **subset: Any) -> ET.Element:
    export(recording.snapshot, folder / "out.xosc", subset=find_subset(recording.snapshot, actors, **subset))
    return read(folder / "out.xosc")


# --- real recordings ----------------------------------------------------------------------------------------


def mirrored(pose: tuple[float, ...]) -> tuple[float, ...]:
    """What is stored (cm, degrees) in right-handed axes, metres and radians: x, y, z, h, p, r."""
    x, y, z, roll, pitch, yaw = pose
    return x / 100, -y / 100, z / 100, math.radians(-yaw), math.radians(-pitch), math.radians(roll)


def test_trajectories_of_every_real_recording_are_the_positions(short_recording: Path, tmp_path: Path) -> None:
    data = short_recording.read_bytes()
    times, lives = naive.elapsed(data), naive.world(data).lives
    stored: dict[tuple[int, int], tuple[float, ...]] = {}
    for packet in naive.packets(data):
        if packet.id == 6:
            for actor, *pose in naive.records(packet.body, "<I6f"):
                stored[packet.frame, actor] = mirrored(tuple(pose))
    with recorder_editor.open(short_recording) as recording:
        root = scenario(recording, tmp_path)
    found, first = ways(root), places(root)
    on_the_road = [life for life in lives if life.blueprint.startswith(("vehicle.", "walker."))]
    told = 0
    for life in on_the_road:
        end = len(times) if life.gone is None else life.gone
        frames = [frame for frame in range(life.born, end) if (frame, life.actor) in stored]
        if not frames:
            continue
        name = f"actor_{life.actor}" if f"actor_{life.actor}" in first else "hero"
        number = sum(other.actor == life.actor for other in on_the_road[: on_the_road.index(life)])
        name += f"_{number + 1}" if number else ""
        assert first[name] == stored[frames[0], life.actor]
        poses = [stored[frame, life.actor] for frame in frames]
        if any(pose != poses[0] for pose in poses):
            expected = [(times[frame] - times[0], *pose) for frame, pose in zip(frames, poses, strict=True)]
            assert found[name] == expected
        else:
            assert name not in found
        told += 1
    assert told == sum(1 for each in root.iter("ScenarioObject") if each[0].tag != "MiscObject")


def test_the_damaged_recording_has_no_frame_for_a_scenario(damaged_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(damaged_recording) as recording, pytest.raises(ScenarioError, match="no frame"):
        scenario(recording, tmp_path)


# --- what is written how --------------------------------------------------------------------------------------


def at(*poses: dict[str, Any]) -> bytes:
    return b.packet(6, b.position(list(poses)))


def test_the_hero_has_its_name_its_box_and_its_map(tmp_path: Path) -> None:
    hero = b.actor(7, attributes=[b.attribute(3, "role_name", "hero"), b.attribute(3, "color", "1,2,3")])
    turned = b.pose(7, b.xyz(100.0, 200.0, 50.0), b.turn(90.0, 45.0, 180.0))
    with opened(film([add(hero), box(7, size=230.0), at(b.pose(7))], [at(turned)])) as recording:
        root = scenario(recording, tmp_path)
    assert [road.attrib for road in root.iter("LogicFile")] == [{"filepath": "Town01"}]
    (entity,) = root.iter("ScenarioObject")
    assert (entity.attrib["name"], entity[0].attrib["name"]) == ("hero", "vehicle.lincoln.mkz_2017")
    assert next(entity.iter("Center")).attrib == {"x": "0.0", "y": "0.0", "z": "0.7"}
    assert next(entity.iter("Dimensions")).attrib == {"width": "1.8", "length": "4.6", "height": "1.4"}
    assert [each.attrib for each in entity.iter("Property")] == [
        {"name": "role_name", "value": "hero"},
        {"name": "color", "value": "1,2,3"},
    ]
    assert ways(root)["hero"][1] == (0.05, 1.0, -2.0, 0.5, -math.pi, -math.pi / 4, math.pi / 2)
    assert 'y="-0.0"' not in (tmp_path / "out.xosc").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("blueprint", "attributes", "tag", "category"),
    [
        ("vehicle.tesla.model3", {}, "Vehicle", "car"),
        ("vehicle.carlamotors.firetruck", {"base_type": "truck"}, "Vehicle", "truck"),
        ("vehicle.gazelle.omafiets", {"number_of_wheels": "2"}, "Vehicle", "bicycle"),
        ("vehicle.yamaha.yzf", {"number_of_wheels": "2"}, "Vehicle", "motorbike"),
        ("vehicle.yamaha.yzf", {"base_type": "motorcycle"}, "Vehicle", "motorbike"),
        ("walker.pedestrian.0001", {}, "Pedestrian", "pedestrian"),
        ("static.prop.ball", {}, "MiscObject", "none"),
    ],
)
def test_a_blueprint_decides_what_an_entity_is(
    blueprint: str, attributes: dict[str, str], tag: str, category: str, tmp_path: Path
) -> None:
    told = [b.attribute(3, name, value) for name, value in attributes.items()]
    frames = [[add(b.actor(7, blueprint=blueprint, attributes=told)), at(b.pose(7))], [at(b.pose(7, b.xyz(1.0)))]]
    with opened(film(*frames)) as recording:
        (entity,) = scenario(recording, tmp_path).iter("ScenarioObject")
    assert entity[0].tag == tag
    assert category in entity[0].attrib.values()


def test_a_box_that_is_no_box_gives_way_to_the_usual_one(tmp_path: Path) -> None:
    nothing = {"id": 7, "origin": b.xyz(*[b.BOX_NAN_32] * 3), "extent": b.xyz(*[-math.inf] * 3)}
    with opened(film([add(b.actor(7)), b.packet(13, b.bounding_box([nothing])), at(b.pose(7))])) as recording:
        (size,) = scenario(recording, tmp_path).iter("Dimensions")
    assert size.attrib == {"width": "1.9", "length": "4.6", "height": "1.5"}


def test_who_never_moves_stands_without_a_trajectory(tmp_path: Path) -> None:
    here = b.pose(7, b.xyz(5.0))
    with opened(film([add(b.actor(7)), at(here)], [at(here)])) as recording:
        root = scenario(recording, tmp_path)
    assert places(root) == {"actor_7": (0.05, 0.0, 0.0, 0.0, 0.0, 0.0)}
    assert list(root.iter("Trajectory")) == []


def test_props_are_left_out_until_they_move_or_are_chosen(tmp_path: Path) -> None:
    both = add(b.actor(7), b.actor(8, 0, "static.prop.ball"), b.actor(9, 0, "static.prop.bin"))
    frames = film([both, at(b.pose(7), b.pose(8), b.pose(9))], [at(b.pose(7), b.pose(8, b.xyz(9.0)), b.pose(9))])
    with opened(frames) as recording:
        assert set(places(scenario(recording, tmp_path))) == {"actor_7", "actor_8"}
        assert set(places(scenario(recording, tmp_path, "9"))) == {"actor_9"}


def test_each_life_of_an_id_is_an_entity_and_starts_when_it_is_born(tmp_path: Path) -> None:
    def here(x: float) -> bytes:
        return at(b.pose(7, b.xyz(x)))

    frames = film([add(b.actor(7)), here(1)], [here(2)], [delete(7)], [add(b.actor(7)), here(3)], [here(4)])
    with opened(frames) as recording:
        root = scenario(recording, tmp_path)
    assert {name: [point[:2] for point in way] for name, way in ways(root).items()} == {
        "actor_7": [(0.0, 0.01), (0.05, 0.02)],
        "actor_7_2": [(pytest.approx(0.15), 0.03), (0.2, 0.04)],
    }
    begins = [float(each.attrib["value"]) for each in root.findall(".//Event/StartTrigger//SimulationTimeCondition")]
    assert begins == [0.0, pytest.approx(0.15)]
    (end,) = root.findall("Storyboard/StopTrigger//SimulationTimeCondition")
    assert float(end.attrib["value"]) == pytest.approx(0.2)


def test_the_last_of_two_records_in_a_frame_holds_and_nonsense_is_left_out(tmp_path: Path) -> None:
    odd = b.pose(7, b.xyz(b.BOX_NAN_32))
    frames = film([add(b.actor(7)), at(b.pose(7), b.pose(7, b.xyz(100.0)))], [at(odd)], [at(b.pose(7, b.xyz(300.0)))])
    with opened(frames) as recording:
        (way,) = ways(scenario(recording, tmp_path)).values()
    assert [point[:2] for point in way] == [(0.0, 1.0), (0.1, 3.0)]


def test_two_records_of_one_frame_alone_are_no_way(tmp_path: Path) -> None:
    with opened(film([add(b.actor(7)), at(b.pose(7)), at(b.pose(7, b.xyz(100.0)))])) as recording:
        assert list(scenario(recording, tmp_path).iter("Trajectory")) == []


def test_groups_of_actors_do_not_change_the_file(
    recordings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with recorder_editor.open(recordings / "carla-0.9.6-town03-walkers.rec") as recording:
        export(recording.snapshot, tmp_path / "whole.xosc")
        monkeypatch.setattr("recorder_editor.exchange.openscenario._GROUP", 500)
        export(recording.snapshot, tmp_path / "parts.xosc")
    assert (tmp_path / "whole.xosc").read_bytes() == (tmp_path / "parts.xosc").read_bytes()


def test_time_begins_with_the_first_chosen_frame_and_steps_thin_out(recordings: Path, tmp_path: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-town05-collisions.log") as recording:
        elapsed = recording.snapshot.elapsed
        found = ways(scenario(recording, tmp_path, start="#101", stop="#202", step=10))
    every = [elapsed[frame] - elapsed[100] for frame in range(100, 201, 10)]
    assert every in [[point[0] for point in way] for way in found.values()]
    assert {point[0] for way in found.values() for point in way} == set(every)


def test_times_that_do_not_rise_are_refused(tmp_path: Path) -> None:
    for times, frame in (((1.0, 1.0), 2), ((math.nan,), 1)):
        data = b.recording(*(b.frame(number, time) for number, time in enumerate(times, 1)))
        with opened(data) as recording, pytest.raises(ScenarioError, match=f"frame {frame}"):
            scenario(recording, tmp_path)


def test_nobody_to_write_is_refused_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.log"
    path.write_bytes(film([], []))
    assert main(["export", str(path), str(tmp_path / "out.xosc")]) == 1
    assert "No chosen actor" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path]


def test_names_that_xml_cannot_hold_are_written_all_the_same(tmp_path: Path) -> None:
    odd = b.actor(7, blueprint='vehicle.<"&\x01\ufffe>', attributes=[b.attribute(3, "role_name", "a\nb")])
    with opened(film([add(odd), at(b.pose(7))])) as recording:
        (entity,) = scenario(recording, tmp_path).iter("ScenarioObject")
    assert entity[0].attrib["name"] == 'vehicle.<"&\ufffd\ufffd>'
    assert next(entity.iter("Property")).attrib["value"] == "a\ufffdb"


def test_a_preview_lists_the_entities_and_about_the_size(recordings: Path, tmp_path: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-town05-collisions.log") as recording:
        found = preview(recording.snapshot, ".xosc", rows=4)
        root = scenario(recording, tmp_path)
    names = [each.attrib["name"] for each in root.iter("ScenarioObject")]
    assert [row[0] for row in found.rows] == names[:4]
    assert found.total == len(names)
    points = {row[0]: int(row[found.columns.index("points")]) for row in found.rows}
    assert points == {name: len(ways(root).get(name, [])) for name in names[:4]}
    assert found.size == pytest.approx((tmp_path / "out.xosc").stat().st_size, rel=0.2)
