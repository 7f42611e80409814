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
_SOLID, _BROKEN = MARK_TYPES.index("solid"), MARK_TYPES.index("broken")


def find_marks(drive: OpenDrive, surface: Surface) -> StructuredArray:
    """The road marks, dtype `MARK`, ordered by lane and s."""
    found = drive.marks.table()
    lines = drive.mark_lines.table()
    drawn = drive.lanes.table()
    of = found["lane"].astype(np.intp)
    section = surface.section_of[of]
    if len(surface.sections):
        sections = surface.sections[np.maximum(section, 0)]
    else:
        sections = surface.sections[:0]
    is_known = (section >= 0) & ((surface.row_of[of] >= 0) | (drawn["id"][of] == 0))
    marks = np.zeros(len(found), MARK)
    if not is_known.any():
        return marks[:0]
    marks["lane"], marks["section"], marks["lane_id"] = surface.row_of[of], section, drawn["id"][of]
    marks["road"] = sections["road"]
    marks["s_begin"] = sections["s"] + np.maximum(found["offset"], 0.0)
    marks["s_end"] = sections["s_end"]
    marks["type"], marks["color"] = found["type"], found["color"]
    marks["width"], marks["is_bold"] = found["width"], found["is_bold"] > 0
    marks["length"] = marks["space"] = np.nan
    order = np.lexsort((marks["s_begin"], of))
    follows = np.flatnonzero(of[order][1:] == of[order][:-1])
    marks["s_end"][order[follows]] = np.minimum(marks["s_begin"][order[follows + 1]], marks["s_end"][order[follows]])
    # Lines that a mark is made of take its place.
    mark = lines["mark"].astype(np.intp)
    parts = marks[mark]
    parts["is_line"] = True
    begin = parts["s_begin"] + np.maximum(lines["offset"], 0.0)
    is_single = (lines["space"] <= 0) & (lines["length"] > 0)
    parts["s_end"] = np.where(is_single, np.minimum(begin + lines["length"], parts["s_end"]), parts["s_end"])
    parts["s_begin"] = begin
    parts["type"] = np.where(lines["space"] > 0, _BROKEN, _SOLID)
    parts["length"], parts["space"], parts["offset"] = lines["length"], lines["space"], lines["t"]
    parts["width"] = np.where(np.isnan(lines["width"]), parts["width"], lines["width"])
    parts = parts[is_known[mark]]
    is_known[mark] = False
    marks = np.concatenate([marks[is_known], parts])
    marks = marks[marks["s_end"] > marks["s_begin"]]
    return marks[np.lexsort((marks["s_begin"], -marks["lane_id"], marks["section"]))]


def find_shapes(drive: OpenDrive, surface: Surface, kind: int) -> list[FloatArray]:
    """The outlines of crosswalks, or stop lines from end to end: float64[n, 3] (m, the simulator's)."""
    objects = drive.objects.table()
    corners = drive.corners.table()
    of = corners["object"].astype(np.intp)
    shapes = []
    for number in np.flatnonzero(objects["kind"] == kind).tolist():
        thing = objects[number]
        own = corners[np.searchsorted(of, number) : np.searchsorted(of, number, "right")]
        road = int(thing["road"])
        if road in drive.broken:
            continue
        if not len(own):
            own = _box(thing, kind)
        points = _placed(surface, road, thing, own)
        if len(points) > 2 and np.allclose(points[0], points[-1], atol=1e-3):
            points = points[:-1]
        if len(points) > 1:
            shapes.append(points * _MIRROR)
    return shapes + (_signalled(drive, surface) if kind == STOP_LINE else [])


def _box(thing: StructuredArray, kind: int) -> StructuredArray:
    """The corners of an object of which only the size is told."""
    corners = np.zeros(4 if kind == CROSSWALK else 2, row_type("u v z is_local"))
    corners["is_local"] = 1
    length = float(thing["length"]) / 2
    width = float(thing["width"]) / 2
    if kind == CROSSWALK:
        corners["u"], corners["v"] = (-length, length, length, -length), (-width, -width, width, width)
    else:
        corners["u" if length >= width else "v"] = (-max(length, width), max(length, width))
    if max(length, width) > 0:
        return corners
    return corners[:0]


def _placed(surface: Surface, road: int, thing: StructuredArray, corners: StructuredArray) -> FloatArray:
    is_local = corners["is_local"] > 0
    s = np.where(is_local, thing["s"], corners["u"])
    t = np.where(is_local, thing["t"], corners["v"])
    track = surface.place(np.full(len(s), road), s, t)
    heading = surface.line.at(np.full(len(s), road), s).heading + thing["heading"]
    u, v = (np.where(is_local, corners[name], 0.0) for name in ("u", "v"))
    z = track.z + corners["z"] + np.where(is_local, thing["z"], 0.0)
    x = track.x + u * np.cos(heading) - v * np.sin(heading)
    y = track.y + u * np.sin(heading) + v * np.cos(heading)
    return np.stack([x, y, z], axis=-1)


def _signalled(drive: OpenDrive, surface: Surface) -> list[FloatArray]:
    """Stop lines that are signals: across the lanes they hold for, else those driven towards them."""
    lanes = surface.lanes
    valid = drive.stop_lanes.table()
    shapes = []
    for number, (road, s, _t, orientation) in enumerate(drive.stop_signals.table().tolist()):
        at = np.array([road], np.intp), np.array([min(s, surface.roads["length"][int(road)])])
        here = np.flatnonzero(lanes["section"] == surface.sections_at(*at))
        own = valid[valid["signal"] == number]
        if len(own):
            low, high = np.minimum(own["begin"], own["end"]), np.maximum(own["begin"], own["end"])
            id_ = lanes["lane_id"][here, None]
            here = here[((id_ >= low) & (id_ <= high)).any(axis=1)]
        elif orientation:
            here = here[lanes["direction"][here] == orientation]
        if len(here):
            inner, _, outer, _ = surface.borders(here, np.full(len(here), s))
            ends = np.array([np.minimum(inner, outer).min(), np.maximum(inner, outer).max()])
            shapes.append(mirrored(surface.place(np.full(2, int(road)), np.full(2, s), ends)))
    return shapes
