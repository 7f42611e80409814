"""Traffic lights, and the lanes that lead to the junctions in which they hold.

A light stands at its pole, often on the far side of the junction. Where it holds is told by the lanes of its
references, and of itself, which in the simulator's maps are all lanes of a junction. The simulator's own trigger
volumes stand there, shortly within the junction, and from 0.9.14 on at the end of the lane before
(`UTrafficLightComponent::InitializeSign`).
"""

from typing import Final

import numpy as np

from ..arrays import IndexArray, StructuredArray, row_type
from .links import LaneLinks
from .opendrive import TRAFFIC_LIGHT, OpenDrive
from .surface import Surface

LIGHT: Final = row_type("x y")
"""The place of the pole of a traffic light (m)."""

LIGHT_LANE: Final = row_type("light:i4 lane:i4 within")
"""A row of lights, the row of a lane at the end of which that light holds, and how far within the junction (m) the
farthest of its references is."""


def find_lights(drive: OpenDrive, surface: Surface) -> StructuredArray:
    """Return the traffic lights in the simulator's coordinates: dtype `LIGHT`, as in the file."""
    signals = _lights(drive)
    places = surface.place(signals["road"].astype(np.intp), signals["s"], signals["t"])
    lights = np.zeros(len(signals), LIGHT)
    lights["x"] = places.x
    lights["y"] = -places.y
    return lights


def find_light_lanes(drive: OpenDrive, surface: Surface, links: LaneLinks) -> StructuredArray:
    """Return the lanes that lead to where each light holds: dtype `LIGHT_LANE`, ordered, each light and lane once."""
    lights = {number: row for row, number in enumerate(_lights(drive)["number"].tolist())}
    lanes = surface.lanes
    found: dict[tuple[int, int], float] = {}
    references = ((drive.signals.table(), drive.signal_lanes), (drive.signal_references.table(), drive.reference_lanes))
    for owners, rows in references:
        for row, begin, end in rows.table().tolist():
            owner = owners[int(row)]
            light = lights.get(float(owner["number"]))
            if light is None or owner["number"] < 0 or int(owner["road"]) in drive.broken:
                continue
            for lane in _lanes_of(surface, int(owner["road"]), float(owner["s"]), begin, end).tolist():
                if lanes["junction"][lane] < 0:
                    continue
                within = owner["s"] - lanes["s_begin"][lane]
                if lanes["direction"][lane] < 0:
                    within = lanes["s_end"][lane] - owner["s"]
                for before in links.predecessors(lane).tolist():
                    if lanes["junction"][before] < 0:
                        found[light, before] = max(found.get((light, before), 0.0), float(within))
    return np.array([(*pair, found[pair]) for pair in sorted(found)], LIGHT_LANE)


def _lights(drive: OpenDrive) -> StructuredArray:
    """Return the signals that are traffic lights, those of roads that are left out excepted."""
    signals = drive.signals.table()
    is_used = ~np.isin(signals["road"], list(drive.broken))
    lights: StructuredArray = signals[is_used & (signals["kind"] == TRAFFIC_LIGHT)]
    return lights


def _lanes_of(surface: Surface, road: int, s: float, begin: float, end: float) -> IndexArray:
    """Return the lanes of a road, at an s, from one id to another one."""
    nearest_s = min(max(s, 0.0), float(surface.roads["length"][road]))
    section = int(surface.sections_at(np.array([road], np.intp), np.array([nearest_s]))[0])
    here = np.arange(surface.first_lane[section], surface.first_lane[section + 1])
    lane_id = surface.lanes["lane_id"][here]
    return here[(lane_id >= min(begin, end)) & (lane_id <= max(begin, end))]
