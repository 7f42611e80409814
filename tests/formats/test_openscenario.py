"""Scenarios: valid by the standard's own schemas, trajectories beside the positions, and what players read of them.

Every scenario that is made here is written in each style, and each is held against the schema of its version. What
ScenarioRunner reads is read again by `Runner`, from what its documentation and its parser take, not by its code.
"""

import importlib.util
import math
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from lxml import etree

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.formats.export import export, preview
from recorder_editor.formats.openscenario import ScenarioError, ScenarioOptions, ScenarioStyle, scenario_style
from recorder_editor.reading import SelectorError
from recorder_editor.reading.selectors import find_subset

from .. import builders as b
from ..recording import naive
from ..recording.films import BIKES, COLLISIONS, WALKERS, add, beginning, box, delete, film, of_real, opened
from ..roads.builders import opendrive, road

VERSIONS = ("1.0", "1.1", "1.2", "1.3")


def chosen_style(
    player: str | None = None, version: str | None = None, tolerance: float | None = None
) -> ScenarioStyle:
    return scenario_style(ScenarioOptions(player=player, version=version, tolerance=tolerance))


RUNNER = chosen_style("scenariorunner")
STYLES = [RUNNER, *(chosen_style(player, version) for player in (None, "esmini") for version in VERSIONS)]


@cache
def schema(version: str) -> etree.XMLSchema:
    """The schema of a version, as the association publishes it with its checker."""
    found = importlib.util.find_spec("qc_openscenario")
    assert found is not None
    assert found.submodule_search_locations is not None
    (folder,) = found.submodule_search_locations
    return etree.XMLSchema(etree.parse(Path(folder, "schema", f"{version}.0", "OpenSCENARIO.xsd")))


def options_for(style: ScenarioStyle) -> ScenarioOptions:
    """The options by which a scenario is written in a style."""
    return ScenarioOptions(player=style.player or None, version=style.version, tolerance=style.tolerance)


def read(path: Path, style: ScenarioStyle) -> ET.Element:
    """A scenario that is valid; names that are meant are there."""
    schema(style.version).assertValid(etree.parse(path))
    root = ET.parse(path).getroot()
    header = root.find("FileHeader")
    assert header is not None
    assert f"{header.attrib['revMajor']}.{header.attrib['revMinor']}" == style.version
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


def written(recording: Any, folder: Path, style: ScenarioStyle, *actors: str, **subset: Any) -> ET.Element:
    """The scenario in one style, which is valid."""
    chosen = find_subset(recording.snapshot, actors, **subset)
    export(recording.snapshot, folder / "out.xosc", options_for(style), chosen)
    return read(folder / "out.xosc", style)


def scenario(recording: Any, folder: Path, *actors: str, **subset: Any) -> ET.Element:
    """The scenario for no player; those in all styles are valid, too."""
    header = recording.snapshot.header
    for style in STYLES if header is not None and header.map_name != "OpenDriveMap" else STYLES[1:]:
        written(recording, folder, style, *actors, **subset)
    return written(recording, folder, ScenarioStyle(), *actors, **subset)


# --- real recordings ----------------------------------------------------------------------------------------


def mirrored(pose: tuple[float, ...]) -> tuple[float, ...]:
    """What is stored (cm, degrees) in right-handed axes, metres and radians: x, y, z, h, p, r."""
    x, y, z, roll, pitch, yaw = pose
    return x / 100, -y / 100, z / 100, math.radians(-yaw), math.radians(-pitch), math.radians(roll)


@of_real(WALKERS)
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
        monkeypatch.setattr("recorder_editor.formats.openscenario._GROUP", 500)
        export(recording.snapshot, tmp_path / "parts.xosc")
    assert (tmp_path / "whole.xosc").read_bytes() == (tmp_path / "parts.xosc").read_bytes()


def test_time_begins_with_the_first_chosen_frame_and_steps_thin_out(recordings: Path, tmp_path: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-town05-collisions.log") as recording:
        elapsed = recording.snapshot.elapsed
        found = ways(written(recording, tmp_path, ScenarioStyle(), start="#101", stop="#202", step=10))
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
    with opened(beginning(recordings / COLLISIONS, 100), None) as recording:
        found = preview(recording.snapshot, ".xosc", rows=4)
        root = written(recording, tmp_path, ScenarioStyle())
    names = [each.attrib["name"] for each in root.iter("ScenarioObject")]
    assert [row[0] for row in found.rows] == names[:4]
    assert found.total == len(names)
    points = {row[0]: int(row[found.columns.index("points")]) for row in found.rows}
    assert points == {name: len(ways(root).get(name, [])) for name in names[:4]}
    assert found.size == pytest.approx((tmp_path / "out.xosc").stat().st_size, rel=0.2)


# --- thinned paths --------------------------------------------------------------------------------------------


def between(times: np.ndarray, way: list[tuple[float, ...]]) -> np.ndarray:
    """Where somebody is at these times who moves evenly from point to point: float64[n, 3]."""
    points = np.array(way)
    return np.stack([np.interp(times, points[:, 0], points[:, axis]) for axis in (1, 2, 3)], axis=1)


@of_real(BIKES)
def test_a_thinned_path_is_at_every_time_within_the_tolerance(sound_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        every = ways(written(recording, tmp_path, ScenarioStyle()))
        before = sum(map(len, every.values()))
        for tolerance in (0.02, 0.1, 1.0):
            style = chosen_style(None, None, tolerance)
            thinned = ways(written(recording, tmp_path, style))
            shown = preview(recording.snapshot, ".xosc", options=options_for(style), rows=1000)
            counts = {row[0]: int(row[shown.columns.index("points")]) for row in shown.rows}
            assert thinned.keys() == every.keys()
            assert {name: count for name, count in counts.items() if count} == {
                name: len(way) for name, way in thinned.items()
            }
            for name, way in every.items():
                recorded = np.array(way)
                assert set(thinned[name]) <= set(way)
                assert [thinned[name][end] for end in (0, -1)] == [way[end] for end in (0, -1)]
                off = np.linalg.norm(between(recorded[:, 0], thinned[name]) - recorded[:, 1:4], axis=1)
                assert off.max() <= tolerance
            assert sum(map(len, thinned.values())) < before
            before = sum(map(len, thinned.values()))


def test_a_wait_on_a_straight_way_is_no_slower_drive(tmp_path: Path) -> None:
    xs = [0.0, 100.0, 200.0, 200.0, 200.0, 200.0, 300.0, 400.0]
    frames = [[add(b.actor(7)), at(b.pose(7))], *([at(b.pose(7, b.xyz(x)))] for x in xs[1:])]
    with opened(film(*frames)) as recording:
        (way,) = ways(written(recording, tmp_path, chosen_style(None, None, 0.1))).values()
    assert [point[1] for point in way] == [0.0, 2.0, 2.0, 4.0]


def test_long_paths_are_thinned_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder_editor.formats.openscenario._ROWS", 4)
    frames = [[add(b.actor(7)), at(b.pose(7))], *([at(b.pose(7, b.xyz(100.0 * n)))] for n in range(1, 11))]
    with opened(film(*frames)) as recording:
        (way,) = ways(written(recording, tmp_path, chosen_style(None, None, 0.1))).values()
    assert [point[1] for point in way] == [0.0, 4.0, 8.0, 10.0]


# --- for ScenarioRunner -----------------------------------------------------------------------------------------


class Actor(NamedTuple):
    """What ScenarioRunner makes of an entity: poses are x, y, z (m), pitch, yaw, roll (degrees) of CARLA.

    Fields: `blueprint`, `kind`, `is_ego`, `color`, `pose` and `speed` (m/s) at the beginning, `start` (s of its path),
    `path` (seconds since its start, and poses).
    """

    blueprint: str
    kind: str
    is_ego: bool
    color: str | None
    pose: tuple[float, ...]
    speed: float
    start: float
    path: list[tuple[float, tuple[float, ...]]]


class Runner:
    """A reader that takes of a scenario what ScenarioRunner takes. Attributes: `town`, `actors` by role name."""

    def __init__(self, root: ET.Element) -> None:
        (header,) = root.iter("FileHeader")
        assert (header.attrib["revMajor"], header.attrib["revMinor"]) == ("1", "0")
        self.is_left_handed = header.attrib["description"].startswith("CARLA:")
        (logic,) = root.findall("RoadNetwork/LogicFile")
        self.town = logic.attrib["filepath"]
        assert len(root.findall("Storyboard/Story")) == len(root.findall("Storyboard/Init")) == 1
        for condition in root.iter("Condition"):
            assert condition.attrib["delay"] == "0"
        self.actors = {each.attrib["name"]: self._actor(root, each) for each in root.iter("ScenarioObject")}

    def _actor(self, root: ET.Element, entity: ET.Element) -> Actor:
        name, (body,) = entity.attrib["name"], entity
        properties = {each.attrib["name"]: each.attrib["value"] for each in entity.iter("Property")}
        (private,) = (each for each in root.iter("Private") if each.attrib["entityRef"] == name)
        (place,) = private.findall("PrivateAction/TeleportAction/Position")
        speeds = private.findall("PrivateAction/LongitudinalAction/SpeedAction/SpeedActionTarget/AbsoluteTargetSpeed")
        speed = float(speeds[0].attrib["value"]) if speeds else 0.0
        assert speed >= 0
        start, way = 0.0, []
        for group in root.iter("ManeuverGroup"):
            if [each.attrib["entityRef"] for each in group.findall("Actors/EntityRef")] == [name]:
                (event,) = group.findall("Maneuver/Event")
                (condition,) = event.findall("StartTrigger//SimulationTimeCondition")
                (line,) = event.findall(
                    "Action/PrivateAction/RoutingAction/FollowTrajectoryAction/Trajectory/Shape/Polyline"
                )
                assert condition.attrib["rule"] in ("greaterThan", "lessThan", "equalTo")
                start = float(condition.attrib["value"])
                way = [(float(each.attrib["time"]), self._pose(each[0])) for each in line.findall("Vertex")]
        return Actor(
            body.attrib["model" if body.tag == "Pedestrian" else "name"],
            body.tag,
            body.tag == "Vehicle" and properties.get("type") == "ego_vehicle",
            properties.get("color"),
            self._pose(place),
            speed,
            start,
            way,
        )

    def _pose(self, position: ET.Element) -> tuple[float, ...]:
        """Only y and h have their signs turned."""
        world = {axis: float(value) for axis, value in position[0].attrib.items()}
        side = 1 if self.is_left_handed else -1
        turned = (math.degrees(world["p"]), side * math.degrees(world["h"]), math.degrees(world["r"]))
        return world["x"], side * world["y"], world["z"], *turned


def runner(recording: Any, folder: Path, *actors: str, tolerance: float | None = None) -> Runner:
    style = chosen_style("scenariorunner", None, tolerance)
    return Runner(written(recording, folder, style, *actors))


@pytest.mark.parametrize("tolerance", [0.0, None])
@of_real(WALKERS)
def test_scenario_runner_reads_the_poses_of_every_real_recording(
    tolerance: float | None, short_recording: Path, tmp_path: Path
) -> None:
    data = short_recording.read_bytes()
    with recorder_editor.open(short_recording) as recording:
        if recording.snapshot.header is not None and recording.snapshot.header.map_name == "OpenDriveMap":
            tmp_path.joinpath("a.xodr").write_bytes(opendrive(road()))
            recording.context.use_road_map(None, tmp_path / "a.xodr")
        every = ways(written(recording, tmp_path, ScenarioStyle()))
        found = runner(recording, tmp_path, tolerance=tolerance).actors
    stored: dict[tuple[float, int], tuple[float, ...]] = {}
    times = naive.elapsed(data)
    for packet in naive.packets(data):
        if packet.id == 6:
            for actor, x, y, z, roll, pitch, yaw in naive.records(packet.body, "<I6f"):
                stored[times[packet.frame], actor] = (x / 100, y / 100, z / 100, pitch, yaw, roll)
    lives = naive.world(data).lives
    heroes = [life.actor for life in lives if ("role_name", "hero") in [each[1:] for each in life.attributes]]
    assert {name for name, actor in found.items() if actor.path} == set(every)
    for name, actor in found.items():
        id_ = heroes[0] if name == "hero" else int(name.split("_")[1])
        assert any(actor.pose == pytest.approx(pose, abs=1e-9) for (_, of), pose in stored.items() if of == id_)
        assert (len(actor.path) == len(every.get(name, ()))) or tolerance is None
        for time, pose in actor.path:
            moment = min(times, key=lambda each: abs(each - times[0] - actor.start - time))
            assert moment - times[0] == pytest.approx(actor.start + time, abs=1e-9)
            assert pose == pytest.approx(stored[moment, id_], abs=1e-9)


def test_scenario_runner_gets_noses_up_where_the_standard_has_them_down(tmp_path: Path) -> None:
    turned = b.pose(7, b.xyz(100.0, 200.0, 50.0), b.turn(roll=10.0, pitch=20.0, yaw=30.0))
    with opened(film([add(b.actor(7)), at(turned)])) as recording:
        (actor,) = runner(recording, tmp_path).actors.values()
        (place,) = places(scenario(recording, tmp_path)).values()
    assert actor.pose == pytest.approx((1.0, 2.0, 0.5, 20.0, 30.0, 10.0))
    assert place == pytest.approx((1.0, -2.0, 0.5, *map(math.radians, (-30.0, -20.0, 10.0))))


def test_scenario_runner_spawns_who_was_recorded(tmp_path: Path) -> None:
    paint = [b.attribute(3, "role_name", "hero"), b.attribute(3, "color", "1,2,3")]
    crowd = [
        b.actor(7, attributes=paint),
        b.actor(8, blueprint="vehicle.audi.tt", attributes=[b.attribute(3, "role_name", "autopilot")]),
        b.actor(9, blueprint="walker.pedestrian.0001"),
        b.actor(10, 0, "static.prop.ball"),
    ]
    here = at(*(b.pose(number) for number in (7, 8, 9, 10)))
    there = at(*(b.pose(number, b.xyz(500.0)) for number in (7, 8, 9, 10)))
    with opened(film([add(*crowd), here], [there])) as recording:
        found = runner(recording, tmp_path)
    assert found.town == "Town01"
    assert {name: actor[:4] for name, actor in found.actors.items()} == {
        "hero": ("vehicle.lincoln.mkz_2017", "Vehicle", True, "1,2,3"),
        "actor_8": ("vehicle.audi.tt", "Vehicle", False, None),
        "actor_9": ("walker.pedestrian.0001", "Pedestrian", False, None),
        "actor_10": ("static.prop.ball", "MiscObject", False, None),
    }


def test_who_falls_at_the_beginning_does_not_drive(tmp_path: Path) -> None:
    fall = {"id": 7, "linear_velocity": b.xyz(3.0, 4.0, -12.0), "angular_velocity": b.xyz()}
    begin = [add(b.actor(7)), at(b.pose(7)), b.packet(12, b.kinematics([fall]))]
    with opened(film(begin, [at(b.pose(7, b.xyz(25.0)))])) as recording:
        assert runner(recording, tmp_path).actors["actor_7"].speed == pytest.approx(5.0)


def test_scenario_runner_begins_at_the_first_speed_and_keeps_who_comes_later_waiting(tmp_path: Path) -> None:
    def frame(*xs: float) -> bytes:
        return at(*(b.pose(7 + number, b.xyz(x)) for number, x in enumerate(xs)))

    fast = {"id": 8, "linear_velocity": b.xyz(3.0, 4.0), "angular_velocity": b.xyz()}
    frames = film(
        [add(b.actor(7), b.actor(8)), frame(0.0, 50.0), b.packet(12, b.kinematics([fast]))],
        [frame(100.0, 50.0)],
        [add(b.actor(9)), frame(300.0, 50.0, 0.0)],
        [frame(500.0, 50.0, 90.0)],
        [delete(7)],
        [add(b.actor(7)), frame(0.0)],
        [frame(100.0)],
    )
    with opened(frames) as recording:
        found = runner(recording, tmp_path).actors
    speeds = {name: actor.speed for name, actor in found.items()}
    assert speeds == {"actor_7": pytest.approx(20.0), "actor_8": 0.0, "actor_9": 0.0, "actor_7_2": 0.0}
    assert found["actor_9"].start == pytest.approx(0.1)
    assert [time for time, _ in found["actor_9"].path] == [0.0, pytest.approx(0.05)]


# --- styles -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("map_name", "for_runner", "for_esmini"),
    [
        ("Town05", "Town05", "Town05.xodr"),
        ("Carla/Maps/Town05", "Town05", "Town05.xodr"),
        ("OpenDriveMap", None, "OpenDriveMap.xodr"),
        ("", None, None),
    ],
)
def test_each_player_gets_the_map_as_it_reads_one(
    map_name: str, for_runner: str | None, for_esmini: str | None, tmp_path: Path
) -> None:
    data = b.recording(b.frame(1, 0.0, 0.05, [add(b.actor(7)), at(b.pose(7))]), map_name=map_name)
    file = tmp_path / "maps" / "a.xodr"
    with opened(data) as recording:
        for style, told in ((RUNNER, for_runner), (chosen_style("esmini"), for_esmini)):
            if told is None and style is RUNNER:
                with pytest.raises(ScenarioError, match="a town or a road map"):
                    written(recording, tmp_path, RUNNER)
                with pytest.raises(ScenarioError, match="a town or a road map"):
                    preview(recording.snapshot, ".xosc", options_for(RUNNER))
            else:
                roads = [each.attrib["filepath"] for each in written(recording, tmp_path, style).iter("LogicFile")]
                assert roads == [told] * bool(told)
        recording.context.use_road_map(None, file)
        for style, told in ((RUNNER, for_runner or "maps/a.xodr"), (chosen_style("esmini"), "maps/a.xodr")):
            (roads,) = written(recording, tmp_path, style).iter("LogicFile")
            assert roads.attrib["filepath"] == told


def test_a_style_is_what_was_chosen_or_what_the_player_wants() -> None:
    assert chosen_style() == ScenarioStyle("", "1.1", 0.0)
    assert chosen_style("scenariorunner") == ScenarioStyle("scenariorunner", "1.0", 0.1)
    assert chosen_style("scenariorunner", "1.0", 0.0) == ScenarioStyle("scenariorunner", "1.0", 0.0)
    assert chosen_style("esmini", "1.3", 0.5) == ScenarioStyle("esmini", "1.3", 0.5)
    with pytest.raises(SelectorError, match=r"1\.0 only"):
        chosen_style("scenariorunner", "1.1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["out.xosc", "--for", "scenariorunner", "--version", "1.2"], "ScenarioRunner reads OpenSCENARIO 1.0 only."),
        (["out.csv", "--for", "esmini"], "is for OpenSCENARIO (.xosc)."),
        (["out.csv", "--version", "1.1"], "is for OpenSCENARIO (.xosc)."),
        (["out.jsonl", "--tolerance", "0"], "is for OpenSCENARIO (.xosc)."),
        (["out.xosc", "--for", "roadrunner"], "roadrunner"),
        (["out.xosc", "--version", "1.4"], "1.4"),
        (["out.xosc", "--tolerance", "-1"], "tolerance"),
    ],
)
def test_what_does_not_fit_together_is_told_and_leaves_nothing(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b.drive(6))
    out, *options = arguments
    assert main(["export", str(path), str(tmp_path / out), *options]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path]


def test_the_command_line_writes_the_style(recordings: Path, tmp_path: Path) -> None:
    path, out, other = (recordings / "carla-0.9.15-town05-bikes.log"), tmp_path / "a.xosc", tmp_path / "b.xosc"
    for options, style in (
        (["--for", "scenariorunner"], RUNNER),
        (["--for", "esmini", "--version", "1.3", "--tolerance", "0.5"], ScenarioStyle("esmini", "1.3", 0.5)),
        (["--version", "1.0"], ScenarioStyle("", "1.0")),
    ):
        assert main(["export", str(path), str(out), *options]) == 0
        with recorder_editor.open(path) as recording:
            export(recording.snapshot, other, options_for(style))
        assert out.read_bytes() == other.read_bytes()
