"""Road maps that were damaged, or changed by people: a sentence, or lanes that are somewhere and lead somewhere."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np

from recorder_editor.errors import MapError
from recorder_editor.roads import RoadMap, find_route, read_road_map, shortest_way

from ...real_recordings import RECORDINGS
from ...roads import builders as b
from ..watch import CONTROL, Broken, Watch
from .target import Target

NUMBER = re.compile(r'"-?\d[\d.e+-]*"')
TAG = re.compile(r"<[^>]*>")
NUMBERS = (
    *("0", "-0.0", "1", "-1", "0.5", "3", "100", "255", "256", "1e-9", "1e-300", "1e6", "9e6", "1e7", "1e30", "1e300"),
    *("-7", "-3.5", "nan", "inf", "-inf", "", " ", "x", "0x10", "1_0", "99999999999999999999", "2147483648", "\u0663"),
)
PIECE = 24_000
"""Bytes of a piece of a real map."""


@dataclass(frozen=True)
class Case:
    """The text of a map."""

    text: str


@lru_cache
def seeds() -> list[str]:
    """Roads of every kind of geometry, sections, links, objects; and pieces of real maps where there are any."""
    shapes = (
        b.LINE,
        b.arc(0.02),
        b.spiral(0.0, 0.05),
        b.poly3(0.0, 0.0, 0.01),
        b.param_poly3((0.0, 100.0), (0.0, 0.0, 5.0), "normalized"),
        b.param_poly3((0.0, 1.0), (0.0, 0.0, 0.001), "arcLength"),
    )
    thing = '<object type="crosswalk" s="9" t="0" hdg="1"><outline><cornerLocal u="1" v="2"/></outline></object>'
    signal = '<signal type="294" s="50" orientation="+"><validity fromLane="-1" toLane="1"/></signal>'
    signal += '<signal id="a" type="1000001" s="9" t="5"/>'
    signal += '<signalReference id="a" s="9"><validity fromLane="-1" toLane="1"/></signalReference>'
    more = f'<type s="0"><speed max="30" unit="mph"/></type><objects>{thing}</objects><signals>{signal}</signals>'
    painted = b.mark("broken", inside='<type><line length="3" space="6" tOffset="0.1" sOffset="0"/></type>')
    lanes = b.profile("laneOffset", (0.0, 1.0), (30.0, 1.0, 0.0, 0.01)) + b.section(
        0.0, [b.lane(1, "driving", ((0.0, 3.0), (9.0, 3.0, 0.1)), painted)], [b.lane(-1, after=-1)]
    )
    lanes += b.section(60.0, [b.lane(1, tag="border")], [b.lane(-1, before=-1), b.lane(-2, "sidewalk")])
    lifted = b.profile("elevation", (0.0, 1.0, 0.1)), b.profile("superelevation", (0.0, 0.1))
    roads = [
        b.road(
            number,
            plan=b.geometry(shape, y=20.0 * number),
            lanes=lanes,
            elevation=lifted[0],
            lateral=lifted[1],
            more=more,
            link=b.joined("predecessor", number, "start") + b.joined("successor", 9),
        )
        for number, shape in enumerate(shapes, 1)
    ]
    junction = b.junction(9, (1, 2, "start", [(-1, -1)]), (2, 3, "end", [(1, -1)]))
    made = [b.opendrive(each, junction).decode() for each in roads]
    real = []
    for path in sorted(RECORDINGS.with_name("maps").glob("*.xodr")):
        every = re.findall(r"(?s)<road .*?</road>", path.read_text("utf-8"))
        every = [each for each in every if len(each) < PIECE]
        real += [b.opendrive(*every[at : at + 3]).decode() for at in range(0, len(every), 9)]
    return made * 3 + real


class Maps(Target):
    of_a_round = 800

    def make(self, random: Random) -> Case:
        text = random.choice(seeds())
        for _ in range(1 + min(int(random.expovariate(0.5)), 9)):
            kind = random.randrange(8)
            if kind < 4:
                found = list(NUMBER.finditer(text))
                new = f'"{random.choice(NUMBERS)}"'
            else:
                found = list(TAG.finditer(text))
                new = "" if kind == 4 else random.choice(found)[0] if found and kind == 5 else ""
            if not found:
                break
            at = random.choice(found)
            if kind == 6:
                new = at[0] * random.choice((2, 3, 40))
            elif kind == 7:
                return Case(text[: at.start() + random.randrange(9)])
            text = text[: at.start()] + new + text[at.end() :]
        return Case(text)

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        try:
            found = read_road_map(case.text.encode("utf-8", "surrogatepass"))
        except MapError as error:
            if not str(error).strip() or CONTROL.search(str(error)) or "\n" in str(error):
                raise Broken("refused without a sentence", ascii(str(error))) from error
            return ("map refused",)
        _hold(found)
        return ("map", *(("problems of a map",) if found.problems else ()))


def _hold(found: RoadMap) -> None:
    """Raises `Broken` for lanes that are nowhere, lead out of the map, or are not found where they are."""
    for problem in found.problems:
        if not problem.message or CONTROL.search(str(problem)) or problem.line < 1:
            raise Broken("a problem without a sentence", ascii(str(problem)))
    lanes, samples = found.lanes, found.sample(25.0)
    if not (lanes["s_end"] > lanes["s_begin"]).all():
        raise Broken("a lane that has no length")
    for name in ("s", "x", "y", "z", "heading_deg", "width"):
        if not np.isfinite(samples[name]).all():
            raise Broken(f"{name} of a lane is no number")
    if (samples["width"] < 0).any() or (np.abs(samples["heading_deg"]) > 180).any():
        raise Broken("a width or heading that there is not")
    thin = found.sample(tolerance=1.0)
    if set(thin["lane"].tolist()) != set(range(len(lanes))):
        raise Broken("a lane without samples")
    chosen = samples[:: max(1, len(samples) // 50)]
    located = found.locate(np.stack([chosen["x"], chosen["y"], chosen["z"]], axis=-1), None)
    if (located["lane"] < 0).any() or (located["border"] < -0.1).any():
        raise Broken("a lane that is not found where it is", (chosen, located))
    # A lane may jump aside at s: its end before the jump is at s, too.
    there = found.lane_points(located["lane"], located["s"] + np.array([[-1e-6], [0.0], [1e-6]]))
    away = np.hypot(there["x"] - chosen["x"], there["y"] - chosen["y"])
    if (np.abs(away - located["distance"]).min(axis=0) > 0.001).any():
        raise Broken("a lane that is not at the distance that is told", (chosen, located, away))
    for shape in (*found.crosswalks, *found.stop_lines):
        if shape.shape[1] != 3 or not np.isfinite(shape).all():
            raise Broken("a crosswalk or stop line that is nowhere", shape)
    if not all(np.isfinite(found.lights[name]).all() for name in ("x", "y")):
        raise Broken("a traffic light that is nowhere", found.lights)
    for name, number in (("light", len(found.lights)), ("lane", len(lanes))):
        if not ((found.light_lanes[name] >= 0) & (found.light_lanes[name] < number)).all():
            raise Broken("a traffic light that holds nowhere", found.light_lanes)
    if not np.isfinite(found.mark_points(np.arange(len(found.marks)), found.marks["s_begin"])).all():
        raise Broken("a mark that is nowhere")
    for lane in range(min(len(lanes), 20)):
        beside = (*found.successors(lane), *found.predecessors(lane), found.left(lane), found.right(lane))
        if not all(-1 <= other < len(lanes) for other in beside):
            raise Broken("a lane that leads out of the map", (lane, beside))
        shortest_way(found, [(lane, 0.0)], {len(lanes) - 1: 0.0})
        way = find_route(found, chosen[["x", "y"]][0].tolist(), chosen[["x", "y"]][-1].tolist())
        if way is not None and not np.isfinite(way).all():
            raise Broken("a way that leads nowhere", lane)
