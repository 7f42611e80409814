"""The map of a report: the paths of all road users, that of one of them by its speed."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import AnyArray, FloatArray
from ...reading import Trajectory
from ...reading.actors import NO_ACTOR
from ...texts import say
from ..road_shapes import MARKS_FROM
from .drawing import (
    Box,
    Label,
    ScaleBar,
    View,
    Wish,
    color_of,
    corner_rows,
    ground_line,
    pieces_in,
    place_labels,
    polyline,
    scale_bar,
)
from .naming import label_color, map_name, place_of, rows_of, seconds_text, short_text
from .speeds import SpeedSeries
from .subject import Contact, Subject

_WIDE = (736, 560)  # px
_NARROW = (358, 400)
_MAP_SCALE = 4.3  # px a metre
_NARROW_SCALE = 3.05
_MAP_MARGIN = 56  # px that paths keep from the edges
_MOST_CONTACTS = 8  # marked
_MOST_LABELS = 3  # of contacts
_MOST_TAKEN = 300  # places on the way that labels keep off


class SpeedLine(NamedTuple):
    """A stretch of a path with about one speed.

    Attributes:
        step: The number of its colour, 0 to 9.
        path: px.
    """

    step: int
    path: str


class ClassPath(NamedTuple):
    """A recorded path on the map.

    Attributes:
        color: The name of the colour of its class.
        path: cm.
    """

    color: str
    path: str


class MapPicture(NamedTuple):
    """The map with the paths of all road users.

    Attributes:
        kind: `wide`, or `narrow` for phones and print.
        view: What it shows.
        is_far: It shows so much of a town that marks are left out.
        speed_lines: The path of the mover, by its speed.
        start: Where it starts, px; None without a mover.
        end: Where it ends, px; None without a mover.
        bursts: The places of contacts, px.
        labels: Texts on it.
        bar: How long a metre is.
        fastest: The speed at the end of the legend; empty without a mover.
        mover_color: The name of the colour of the mover's marks.
        description: What it shows, for who does not see it.
    """

    kind: str
    view: View
    is_far: bool
    speed_lines: Sequence[SpeedLine]
    start: tuple[float, float] | None
    end: tuple[float, float] | None
    bursts: Sequence[tuple[float, float]]
    labels: Sequence[Label]
    bar: ScaleBar
    fastest: str
    mover_color: str
    description: str


def map_views(subject: Subject) -> list[View]:
    """Return what the wide and the narrow map show; none where nothing has a place."""
    places = _map_places(subject)
    if not len(places):
        return []
    low = places.min(axis=0)
    high = places.max(axis=0)
    middle = (low + high) / 2
    views = []
    for (width, height), most in ((_WIDE, _MAP_SCALE), (_NARROW, _NARROW_SCALE)):
        room = (width - 2 * _MAP_MARGIN, height - 2 * _MAP_MARGIN)
        size = np.maximum(high - low, 1.0)
        scale = min(most, room[0] / size[0], room[1] / size[1])
        views.append(View(float(middle[0]), float(middle[1]), width, height, float(scale)))
    return views


def _map_places(subject: Subject) -> FloatArray:
    """Return the places that the map has to show, m, float64[n, 2]: those of the mover, or else of all road users."""
    paths = []
    if subject.mover is not None:
        paths.append(_path_of(subject.mover))
    else:
        for trajectory in subject.trajectories.trajectories:
            if trajectory.life is not None and trajectory.life.is_road_user:
                paths.append(_path_of(trajectory))
    places = np.concatenate([np.zeros((0, 2)), *paths])
    known: FloatArray = places[np.isfinite(places).all(axis=1)]
    return known


def _path_of(trajectory: Trajectory) -> FloatArray:
    return np.column_stack((trajectory.path["x"], trajectory.path["y"])).astype(np.float64)


def class_paths(subject: Subject, view: View) -> list[ClassPath]:
    """Return the recorded paths of the road users on the map, but for that of the mover."""
    lines: dict[str, list[str]] = {}
    for trajectory in subject.trajectories.trajectories:
        life = trajectory.life
        if life is None or not life.is_road_user or trajectory is subject.mover:
            continue
        for piece in pieces_in(_path_of(trajectory), view):
            lines.setdefault(color_of(life), []).append(ground_line(piece))
    return [ClassPath(color, "".join(paths)) for color, paths in lines.items()]


def map_pictures(subject: Subject, speeds: SpeedSeries | None) -> list[MapPicture]:
    """Return the wide and the narrow map; none where nothing has a place."""
    views = map_views(subject)
    return [_map_picture(subject, speeds, view, kind) for view, kind in zip(views, ("wide", "narrow"), strict=False)]


def _map_picture(subject: Subject, speeds: SpeedSeries | None, view: View, kind: str) -> MapPicture:
    bar = scale_bar(view, 100)
    lines: list[SpeedLine] = []
    on_way: list[list[float]] = []
    start = None
    end = None
    wishes = []
    mover_color = "text"
    fastest = ""
    places = _contact_places(subject)
    if subject.mover is not None and subject.mover.life is not None and speeds is not None:
        life = subject.mover.life
        mover_color = label_color(life)
        points = view.places(_path_of(subject.mover))
        lines = _speed_lines(points, subject.mover.path["frame"], speeds)
        known = points[np.isfinite(points).all(axis=1)]
        on_way = known[:: 1 + len(known) // _MOST_TAKEN].tolist()
        start = (float(known[0, 0]), float(known[0, 1]))
        end = (float(known[-1, 0]), float(known[-1, 1]))
        fastest = say("{speed:g} m/s", speed=speeds.limit)
        frames = subject.mover.path["frame"]
        first = say("{actor}, {time}", actor=short_text(life), time=seconds_text(subject, int(frames[0])))
        wishes.append(Wish(first, mover_color, start[0], start[1], 5))
        wishes.append(Wish(seconds_text(subject, int(frames[-1])), mover_color, end[0], end[1], 5))
    bursts = []
    for contact, place in places:
        x, y = view.place(*place)
        if not (0 <= x <= view.width and 0 <= y <= view.height):
            continue
        bursts.append((x, y))
        if len(bursts) <= _MOST_LABELS:
            wishes.append(Wish(_contact_label(subject, contact, kind), "error", x, y, 11))
    taken = [bar.box, Box(view.width - 200, view.height - 34, view.width, view.height)]
    taken.append(Box(view.width - 40, 0, view.width, 56))
    for x, y in (*bursts, *(place for place in (start, end) if place is not None)):
        taken.append(Box(x - 8, y - 8, x + 8, y + 8))
    for x, y in on_way:
        taken.append(Box(x - 3, y - 3, x + 3, y + 3))
    area = Box(4, 4, view.width - 4, view.height - 4)
    return MapPicture(
        kind=kind,
        view=view,
        is_far=view.scale < MARKS_FROM,
        speed_lines=lines,
        start=start,
        end=end,
        bursts=bursts,
        labels=place_labels(wishes, taken, area),
        bar=bar,
        fastest=fastest,
        mover_color=mover_color,
        description=_map_description(subject),
    )


def _speed_lines(points: FloatArray, frames: AnyArray, speeds: SpeedSeries) -> list[SpeedLine]:
    """Return a path (px) as stretches of about one speed."""
    steps = speeds.steps_at(frames)
    lines = []
    begin = 0
    for row in range(1, len(points)):
        is_end = row == len(points) - 1 or steps[row] != steps[begin] or not np.isfinite(points[row]).all()
        if not is_end:
            continue
        stretch = points[begin : row + 1]
        stretch = stretch[np.isfinite(stretch).all(axis=1)]
        if len(stretch) > 1:
            kept = stretch[corner_rows(stretch, 0.3)]
            lines.append(SpeedLine(int(steps[begin]), polyline(kept.tolist())))
        begin = row
        if not np.isfinite(points[row]).all():
            begin = min(row + 1, len(points) - 1)
    return lines


def _contact_label(subject: Subject, contact: Contact, kind: str) -> str:
    time = seconds_text(subject, contact.first)
    if kind == "narrow":
        return say("{time}, contact", time=time)
    names = []
    for actor in contact.actors:
        names.append(say("an object") if actor == NO_ACTOR else str(actor))
    return say("{time}, {first} and {second}", time=time, first=names[0], second=names[1])


def _map_description(subject: Subject) -> str:
    town = map_name(subject) or say("The ground")
    if subject.mover is None or subject.mover.life is None:
        return say("{map} seen from above with the recorded paths", map=town)
    return say(
        "{map} seen from above with the recorded paths, that of {actor} by its speed",
        map=town,
        actor=short_text(subject.mover.life),
    )


def _contact_places(subject: Subject) -> list[tuple[Contact, tuple[float, float]]]:
    """Return where the first contacts that have a place are, m."""
    places = []
    for contact in subject.contacts[:_MOST_CONTACTS]:
        rows = rows_of(subject, contact.known, contact.first)
        place = place_of(rows)
        if place is not None:
            places.append((contact, place))
    return places
