"""Maps that nobody can trust: one sentence or a problem, no hang, and no more memory than the file explains."""

import itertools
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from recorder_editor.errors import Cancelled, MapError
from recorder_editor.progress import Progress
from recorder_editor.roads import RoadMap, centre_lines, document, find_route, lane_index, read_road_map, shortest_way
from recorder_editor.roads import opendrive as reading
from recorder_editor.roads.lane_index import LaneIndex

from .builders import (
    TWO_WAY,
    arc,
    geometry,
    joined,
    lane,
    opendrive,
    param_poly3,
    poly3,
    profile,
    road,
    section,
    spiral,
)

BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE OpenDRIVE [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<OpenDRIVE><header name="&c;"/></OpenDRIVE>"""
OUTSIDE = b'<!DOCTYPE OpenDRIVE SYSTEM "file:///etc/passwd"><OpenDRIVE/>'


def refused(data: bytes | Path) -> str:
    with pytest.raises(MapError) as caught:
        read_road_map(data)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert len(sentence) < 400
    return sentence


def peak_of(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("data", [BOMB, OUTSIDE])
def test_a_document_type_is_refused_and_with_it_every_entity(data: bytes) -> None:
    found: list[str] = []
    assert peak_of(lambda: found.append(refused(data))) < 1_000_000
    assert "document type declaration" in found[0]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no element found"),
        (b"\x00\x01\x02" * 99, "not well-formed"),
        (b"hello", "syntax error"),
        (b"<html/>", "no OpenDRIVE map"),
        (b"<OpenDRIVE>", "no element found"),
        (b"<OpenDRIVE/>", "no lanes"),
        (b'<?xml version="1.0" encoding="klingon"?><OpenDRIVE/>', "klingon"),
        (b'<?xml version="1.0" encoding="utf-8"?><OpenDRIVE name="\xff"/>', "invalid token"),
        (b"<OpenDRIVE><road>&nbsp;</road></OpenDRIVE>", "undefined entity"),
        (b"<a>" * 100_000, "another name"),
        (b"<OpenDRIVE>" + b"<a>" * 100_000, "levels deep"),
    ],
)
def test_what_is_no_map_gets_one_sentence(data: bytes, words: str) -> None:
    assert words in refused(data)


def test_half_a_gigabyte_of_text_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.xodr"
    path.write_bytes(b"<OpenDRIVE><header>")
    with path.open("r+b") as file:
        file.truncate(500 << 20)  # sparse: it takes no room
    assert peak_of(lambda: refused(path)) < 2_000_000
    assert "500 MB" in refused(path)


def test_text_without_end_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"<OpenDRIVE><header><geoReference>" + b"x" * (20 << 20)
    assert peak_of(lambda: refused(data)) < 2_000_000


def test_one_huge_element_is_refused_before_it_is_read() -> None:
    data = b'<OpenDRIVE><road name="' + b"x" * (20 << 20)
    assert "One element of the map has more than 1 MB" in refused(data)


def test_elements_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert document.MAX_ELEMENTS >= 1_000_000
    monkeypatch.setattr(document, "MAX_ELEMENTS", 10_000)
    data = b"<OpenDRIVE>" + b"<a/>" * 20_000
    assert "more than 10,000 elements" in refused(data)


def test_a_million_lanes_are_refused_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reading.MAX_LANES <= 1_000_000
    monkeypatch.setattr(reading, "MAX_LANES", 5_000)
    sections = "".join(section(s / 100, right=[lane(-1)]) for s in range(6_000))
    data = opendrive(road(lanes=sections))
    found: list[str] = []
    assert peak_of(lambda: found.append(refused(data))) < 2 * len(data)
    assert "more than 5,000 lanes" in found[0]


def test_many_lanes_take_memory_in_proportion() -> None:
    """Thousands of sections, and as many lanes side by side as there may be."""
    wide = section(right=[lane(-number, widths=((0.0, 0.1),)) for number in range(1, 256)])
    many = "".join(section(s / 10, right=[lane(-1)]) for s in range(1000))
    data = opendrive(road(1, lanes=wide), road(2, lanes=many))
    read_road_map(opendrive(road(1)))  # numpy loads its masked arrays with the first map, which are no memory of it
    found: list[RoadMap] = []
    assert peak_of(lambda: found.append(read_road_map(data))) < 4 * len(data) + 3_000_000
    assert len(found[0].lanes) == 1255
    assert found[0].waypoint(1, -255, 5.0)["y"] == pytest.approx(25.45)
    assert found[0].locate([(50.0, 25.45)])["lane"].tolist() == [254]
    assert "none up to 255" in str(
        read_road_map(opendrive(road(1), road(2, lanes=section(right=[lane(-256)])))).problems[0]
    )


def test_widths_that_multiply_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lane has the changes of all lanes between it and the centre."""
    monkeypatch.setattr("recorder_editor.roads.surface.MAX_PIECES", 20_000)
    widths = [tuple((number * 0.3 + shift * 0.001, 0.1) for number in range(300)) for shift in range(100)]
    lanes = section(right=[lane(-1 - number, widths=each) for number, each in enumerate(widths)])
    assert "widths of the map are more" in refused(opendrive(road(lanes=lanes)))


def test_changes_along_many_lanes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder_editor.roads.surface.MAX_PIECES", 20_000)
    lanes = section(right=[lane(-number, widths=((0.0, 0.1),)) for number in range(1, 101)])
    elevation = profile("elevation", *((number * 0.2, 0.1) for number in range(400)))
    assert "change at more places" in refused(opendrive(road(lanes=lanes, elevation=elevation)))


GOOD = road(7, 50.0)


def left_out(*parts: str) -> list[str]:
    """The sentences about a map with a good road and others, of which only the good one is left."""
    found = read_road_map(opendrive(GOOD, *parts))
    assert set(found.lanes["road_id"].tolist()) == {7}
    assert found.locate([(20.0, 1.75)])["lane"].tolist() == [1]
    assert all(problem.line > 1 and problem.element and "\n" not in problem.message for problem in found.problems)
    return [str(problem) for problem in found.problems]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (road(1, plan=geometry().replace('x="0.0"', 'x="NaN"')), "x is 'NaN'"),
        (road(1, plan=geometry().replace('hdg="0.0"', 'hdg="inf"')), "hdg is 'inf'"),
        (road(1, plan=geometry(x=1e9)), "too large to be meant"),
        (road(1, plan=geometry().replace('length="100.0"', "")), "The attribute length is missing"),
        (road(1, plan=""), "does not reach along the whole road"),
        (road(1, plan=geometry(length=40.0)), "does not reach along the whole road"),
        (road(1, plan=geometry(length=0.0)), "The length of a geometry is 0 m"),
        (road(1, plan=geometry(length=-5.0)), "The length of a geometry is -5 m"),
        (road(1, plan=geometry(arc(1e6))), "turns more than a hundred times"),
        (road(1, plan=geometry(spiral(0.0, 1e300))), "too large to be meant"),
        (road(1, plan=geometry(poly3(0, 0, 1e300))), "too large to be meant"),
        (road(1, plan=geometry(param_poly3((0, 999), (0, 0, 9), "normalized"))), "not nearly as long as it says"),
        (road(1, plan=geometry(param_poly3((0, 0), (0, 0), "arcLength"))), "not nearly as long as it says"),
        (road(1, plan=geometry("<helix/>") + geometry(s=50.0)), "no shape that is known"),
        (road(1, 0.0), "The length of road 1 is 0 m"),
        (road(1, 1e9), "too large to be meant"),
        (road(7), "There is a road 7 already"),
        (road(1, lanes=""), ""),
        (road(1, lanes=section(right=[lane(-1)]).replace('s="0.0"', 's="x"')), "s is 'x'"),
        (road(1, lanes=section(right=[lane(-1).replace('"-1"', '"one"')])), "id is 'one'"),
        (road(1, lanes=profile("laneOffset", (0.0, float("nan"))) + TWO_WAY), "a is 'nan'"),
    ],
)
def test_of_a_map_with_one_bad_road_the_rest_is_there(bad: str, words: str) -> None:
    told = left_out(bad)
    assert not words or words in told[0], told


def found_with(lanes: str = TWO_WAY, **more: str) -> RoadMap:
    return read_road_map(opendrive(road(lanes=lanes, **more)))


def test_negative_and_huge_widths_count_as_none() -> None:
    for a in (-3.0, 1e6):
        found = found_with(section(right=[lane(-1, widths=((0.0, a),)), lane(-2)]))
        assert len(found.problems) == 1
        assert found.problems[0].element == "lane"
        assert found.waypoint(1, [-1, -2], 5.0)["width"].tolist() == [0.0, 3.5]
        assert found.locate([(5.0, 1.0)])["lane"].tolist() == [1]
    grows = found_with(section(right=[lane(-1, widths=((0.0, 3.0, 0.0, 0.0, 1e6),))]))
    assert "too large" in grows.problems[0].message
    assert np.abs(grows.edges([0], [5.0])).max() <= 101.0


def test_a_width_that_is_no_number_is_left_out_alone() -> None:
    found = found_with(section(right=[lane(-1, widths=((0.0, float("nan")), (10.0, 3.0)))]))
    assert "it is left out" in found.problems[0].message
    assert found.waypoint(1, -1, 50.0)["width"] == 3.0


def test_heights_and_tilts_beyond_reason_count_as_none() -> None:
    found = found_with(elevation=profile("elevation", (0.0, 1e6)), lateral=profile("superelevation", (0.0, 1e3)))
    assert [problem.element for problem in found.problems] == ["elevation", "superelevation"]
    assert found.waypoint(1, -1, 5.0)["z"] == 0.0


def test_sections_out_of_order_without_length_or_behind_the_end() -> None:
    lanes = section(50.0, right=[lane(-1, "parking")]) + TWO_WAY + section(50.0, right=[lane(-1)]) + section(500.0)
    found = found_with(lanes)
    assert [problem.element for problem in found.problems] == ["laneSection"]
    assert found.lanes["s_begin"].tolist() == [0, 0, 50]
    assert found.lanes["s_end"].tolist() == [50, 50, 100]


def test_lanes_twice_and_ids_that_are_no_numbers() -> None:
    found = found_with(section(right=[lane(-1), lane(-1, "sidewalk"), lane(-2)]))
    assert "already" in found.problems[0].message
    assert found.lanes["lane_id"].tolist() == [-1, -2]
    named = read_road_map(opendrive(road("main street"), road("99999999999999999999"), road(3)))
    assert named.lanes["road_id"].tolist() == [-2, -2, -3, -3, 3, 3]
    assert named.waypoint(-2, -1, 5.0)["lane"] == 1
    assert len(named.problems) == 2


def test_unknown_words_are_taken_for_the_usual_ones_and_told_once() -> None:
    strange = [
        lane(-1, "hovercraft\x7f"),
        lane(-2, "hovercraft\x7f", ((0.0, 3.0),), '<roadMark type="dotty" color="pink"/>'),
    ]
    found = found_with(section(right=strange))
    assert len(found.problems) == 3
    assert "\x7f" not in str(found.problems)
    assert found.lanes["type"].tolist() == [0, 0]
    speedy = lane(-1, "driving", ((0.0, 3.0),), '<speed max="9" unit="parsec"/>', '<speed max="nan" unit="mph"/>')
    found = found_with(section(right=[speedy]))
    assert len(found.problems) == 2
    assert np.isnan(found.lanes["speed_limit"]).all()


def test_links_to_nowhere_to_themselves_and_round_and_round() -> None:
    anywhere = [
        joined("successor", 99, "start"),
        joined("successor", 99),
        joined("predecessor", 1, "start"),
        '<successor elementId="2" elementType="road"/>',
        '<successor elementType="road"/>',
    ]
    roads = [
        road(number, link=link, lanes=section(right=[lane(-1, before=-1, after=77), lane(-2, before=1e9, after=-2)]))
        for number, link in enumerate(anywhere, 1)
    ]
    junctions = '<junction id="99"><connection incomingRoad="1" connectingRoad="1" contactPoint="end">'
    junctions += '<laneLink from="-1" to="-1"/><laneLink from="5" to="x"/></connection></junction>'
    found = read_road_map(opendrive(*roads, junctions))
    for first, last in itertools.product(range(len(found.lanes)), repeat=2):
        shortest_way(found, [(first, 0.0)], {last: 0.0})
        ends = found.lane_points([first, last], found.lanes["s_begin"][[first, last]])
        way = find_route(found, *zip(ends["x"].tolist(), ends["y"].tolist(), strict=True))
        assert way is None or np.isfinite(way).all()


def test_a_file_that_breaks_off_keeps_the_roads_before() -> None:
    whole = opendrive(GOOD, road(8))
    cut = read_road_map(whole[: whole.index(b"<lanes>", whole.index(b'id="8"')) + 40])
    assert cut.lanes["road_id"].tolist() == [7, 7]
    assert len(cut.problems) == 2
    assert "What follows is left out" in str(cut.problems[-1])
    after = read_road_map(opendrive(GOOD)[:-3])
    assert after.lanes["road_id"].tolist() == [7, 7]


def test_of_thousands_of_problems_two_hundred_are_told() -> None:
    widths = tuple((0.0, float("nan")) for _ in range(5000))
    found = found_with(section(right=[lane(-1, widths=widths)]))
    assert len(found.problems) == 201
    assert found.problems[-1].message == "4,800 more problems follow this one."


def test_a_map_of_which_nothing_is_left_says_why() -> None:
    assert "No road of the map can be used" in refused(opendrive(road(1, plan=geometry(arc(1e6)))))


@pytest.mark.parametrize("apart", [1e3, 9e6])
def test_roads_far_apart_are_searched_as_quickly_as_near_ones(monkeypatch: pytest.MonkeyPatch, apart: float) -> None:
    measured: list[int] = []

    def counted(self: LaneIndex, *given: object, _do: Callable[..., object] = LaneIndex._measured) -> object:
        measured.append(len(given[0]))  # type: ignore[arg-type]
        return _do(self, *given)

    monkeypatch.setattr(LaneIndex, "_measured", counted)
    grid = [road(number, 50.0, geometry(length=50.0, x=60.0 * number)) for number in range(40)]
    found = read_road_map(opendrive(*grid, road(99, 50.0, geometry(length=50.0, x=apart, y=apart))))
    points = np.stack([np.linspace(0, 2400, 5000), np.full(5000, 1.75)], axis=-1)
    found.locate(points[:1])
    measured.clear()
    assert (found.locate(points)["lane"] >= 0).mean() > 0.8
    assert sum(measured) < 6 * len(points)


def test_the_longest_road_there_may_be_takes_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(centre_lines, "_MAX_SEGMENTS", 10_000)
    monkeypatch.setattr(lane_index, "_MAX_AREA", 1e5)
    found = read_road_map(opendrive(road(1, 9e6, geometry(spiral(0.0, 6e-5), 9e6))))
    at = found.lane_points(1, 8.9e6)

    def search() -> None:
        assert found.locate([(at["x"], at["y"])])["lane"].tolist() == [1]
        assert len(found.sample(tolerance=1000.0)) < 100_000

    assert peak_of(search) < 60_000_000


def test_many_segments_far_apart_take_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in blocks of its own: the number of cells is bounded, too."""
    monkeypatch.setattr(lane_index, "_MAX_CELLS", 10_000)
    roads = [road(number, 2.0, geometry(length=2.0, x=1000.0 * number)) for number in range(300)]
    found = read_road_map(opendrive(*roads))
    points = [(1000.0 * number + 1.0, 1.75) for number in range(300)]

    def search() -> None:
        located = found.locate(points)
        assert found.lanes["road_id"][located["lane"]].tolist() == list(range(300))

    assert peak_of(search) < 5_000_000


def test_reading_is_cancelled_between_blocks_and_reports_bytes() -> None:
    data = opendrive(*(road(number) for number in range(900)))
    told: list[tuple[int, int]] = []
    read_road_map(data, progress=Progress(lambda done, total: told.append((done, total))))
    assert len(told) > 1
    assert all(0 <= done <= total == len(data) for done, total in told)
    with pytest.raises(Cancelled):
        read_road_map(data, progress=Progress(None, lambda: True))


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_road_map(tmp_path / "none.xodr")
    with pytest.raises(FileNotFoundError):
        read_road_map(str(tmp_path / "none.xodr"))


def test_a_curve_that_is_steeper_than_a_wall_is_left_out() -> None:
    assert "steeper than can be meant" in refused(opendrive(road(1, 100.0, geometry(poly3(0.0, 0.0, 1e7)))))
    assert len(read_road_map(opendrive(road(1, 100.0, geometry(poly3(0.0, 0.0, 0.1))))).lanes) == 2


def test_a_tolerance_of_nothing_takes_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(centre_lines, "_MAX_SEGMENTS", 1_000)
    found = read_road_map(opendrive(road(1, 100.0, geometry(arc(0.02)))))
    assert peak_of(lambda: found.sample(tolerance=1e-15)) < 10_000_000
