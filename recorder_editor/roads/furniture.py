"""Crosswalks and stop lines, and the road marks of lanes."""

from typing import Final

import numpy as np

from ..arrays import FloatArray, StructuredArray, row_type
from .opendrive import CROSSWALK, STOP_LINE, OpenDrive
from .surface import Surface, mirrored
from .vocabulary import MARK_TYPES

MARK: Final = row_type(
    "lane:i4 road:i4 section:i4 lane_id:i4 s_begin s_end type:u1 color:u1 is_bold:? is_line:? width length space offset"
)
_MIRROR = np.array([1.0, -1.0, 1.0])
_SOLID = MARK_TYPES.index("solid")
_BROKEN = MARK_TYPES.index("broken")


def find_marks(drive: OpenDrive, surface: Surface) -> StructuredArray:
    """Return the road marks, dtype `MARK`, ordered by lane and s."""
    rows = drive.marks.table()
    lane = rows["lane"].astype(np.intp)
    lane_id = drive.lanes.table()["id"][lane]
    section = surface.section_of[lane]
    is_known = (section >= 0) & ((surface.row_of[lane] >= 0) | (lane_id == 0))
    if not is_known.any():
        return np.zeros(0, MARK)
    sections = surface.sections[np.maximum(section, 0)]
    marks = np.zeros(len(rows), MARK)
    marks["lane"] = surface.row_of[lane]
    marks["section"] = section
    marks["lane_id"] = lane_id
    marks["road"] = sections["road"]
    marks["s_begin"] = sections["s"] + np.maximum(rows["offset"], 0.0)
    marks["s_end"] = sections["s_end"]
    marks["type"] = rows["type"]
    marks["color"] = rows["color"]
    marks["width"] = rows["width"]
    marks["is_bold"] = rows["is_bold"] > 0
    marks["length"] = np.nan
    marks["space"] = np.nan
    # A mark ends where the next one of its lane begins.
    order = np.lexsort((marks["s_begin"], lane))
    follows = np.flatnonzero(lane[order][1:] == lane[order][:-1])
    begins = marks["s_begin"]
    ends = marks["s_end"]
    cut = order[follows]
    ends[cut] = np.minimum(begins[order[follows + 1]], ends[cut])
    # Lines that a mark is made of take its place.
    lines = drive.mark_lines.table()
    mark = lines["mark"].astype(np.intp)
    parts = _mark_lines(lines, marks[mark])[is_known[mark]]
    is_known[mark] = False
    marks = np.concatenate([marks[is_known], parts])
    marks = marks[marks["s_end"] > marks["s_begin"]]
    return marks[np.lexsort((marks["s_begin"], -marks["lane_id"], marks["section"]))]


def _mark_lines(lines: StructuredArray, marks: StructuredArray) -> StructuredArray:
    """Return lines as marks.

    Args:
        lines: Rows of `OpenDrive.mark_lines`.
        marks: The mark of each line, dtype `MARK`; it is changed.
    """
    begin = marks["s_begin"] + np.maximum(lines["offset"], 0.0)
    is_single = (lines["space"] <= 0) & (lines["length"] > 0)
    marks["s_end"] = np.where(is_single, np.minimum(begin + lines["length"], marks["s_end"]), marks["s_end"])
    marks["s_begin"] = begin
    marks["is_line"] = True
    marks["type"] = np.where(lines["space"] > 0, _BROKEN, _SOLID)
    marks["length"] = lines["length"]
    marks["space"] = lines["space"]
    marks["offset"] = lines["t"]
    marks["width"] = np.where(np.isnan(lines["width"]), marks["width"], lines["width"])
    return marks


def find_shapes(drive: OpenDrive, surface: Surface, kind: int) -> list[FloatArray]:
    """Return the outlines of crosswalks, or stop lines from end to end.

    Args:
        drive: What was read.
        surface: The lanes.
        kind: `CROSSWALK` or `STOP_LINE`.

    Returns:
        The points of each, float64[n, 3] (m, in the simulator's coordinates).
    """
    objects = drive.objects.table()
    corners = drive.corners.table()
    owner = corners["object"].astype(np.intp)
    shapes = []
    for number in np.flatnonzero(objects["kind"] == kind).tolist():
        thing = objects[number]
        road = int(thing["road"])
        if road in drive.broken:
            continue
        own = corners[np.searchsorted(owner, number) : np.searchsorted(owner, number, "right")]
        if not len(own):
            own = _box(thing, kind)
        points = _placed(surface, road, thing, own)
        if len(points) > 2 and np.allclose(points[0], points[-1], atol=1e-3):
            points = points[:-1]
        if len(points) > 1:
            shapes.append(points * _MIRROR)
    if kind == STOP_LINE:
        shapes += _signalled(drive, surface)
    return shapes


def _box(thing: StructuredArray, kind: int) -> StructuredArray:
    """Return the corners of an object of which only the size is told; none if it has no size."""
    length = float(thing["length"]) / 2
    width = float(thing["width"]) / 2
    longer = max(length, width)
    corners = np.zeros(4 if kind == CROSSWALK else 2, row_type("u v z is_local"))
    if longer <= 0:
        return corners[:0]
    corners["is_local"] = 1
    if kind == CROSSWALK:
        corners["u"] = (-length, length, length, -length)
        corners["v"] = (-width, -width, width, width)
    elif length >= width:
        corners["u"] = (-longer, longer)
    else:
        corners["v"] = (-longer, longer)
    return corners


def _placed(surface: Surface, road: int, thing: StructuredArray, corners: StructuredArray) -> FloatArray:
    """Return corners of an object in the file's coordinates, float64[n, 3] (m)."""
    is_local = corners["is_local"] > 0
    roads = np.full(len(corners), road)
    s = np.where(is_local, thing["s"], corners["u"])
    t = np.where(is_local, thing["t"], corners["v"])
    track = surface.place(roads, s, t)
    heading = surface.line.at(roads, s).heading + thing["heading"]
    u = np.where(is_local, corners["u"], 0.0)
    v = np.where(is_local, corners["v"], 0.0)
    z = track.z + corners["z"] + np.where(is_local, thing["z"], 0.0)
    x = track.x + u * np.cos(heading) - v * np.sin(heading)
    y = track.y + u * np.sin(heading) + v * np.cos(heading)
    return np.stack([x, y, z], axis=-1)


def _signalled(drive: OpenDrive, surface: Surface) -> list[FloatArray]:
    """Return stop lines that are signals: across the lanes they hold for, else those driven towards them."""
    lanes = surface.lanes
    valid = drive.signal_lanes.table()
    shapes = []
    for number, (kind, _number, road, s, _t, orientation) in enumerate(drive.signals.table().tolist()):
        if kind != STOP_LINE:
            continue
        row = int(road)
        nearest_s = min(s, surface.roads["length"][row])
        section = surface.sections_at(np.array([row], np.intp), np.array([nearest_s]))
        here = np.flatnonzero(lanes["section"] == section)
        own = valid[valid["signal"] == number]
        if len(own):
            low = np.minimum(own["begin"], own["end"])
            high = np.maximum(own["begin"], own["end"])
            lane_id = lanes["lane_id"][here, None]
            here = here[((lane_id >= low) & (lane_id <= high)).any(axis=1)]
        elif orientation:
            here = here[lanes["direction"][here] == orientation]
        if len(here):
            inner, _, outer, _ = surface.borders(here, np.full(len(here), s))
            t = np.array([np.minimum(inner, outer).min(), np.maximum(inner, outer).max()])
            shapes.append(mirrored(surface.place(np.full(2, row), np.full(2, s), t)))
    return shapes
