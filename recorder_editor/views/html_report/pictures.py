"""The pictures of a report: the map with the paths, and moments seen from above."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import AnyArray, FloatArray, StructuredArray
from ...progress import SILENT, Progress
from ...reading import Life, Trajectory
from ...reading.actors import NO_ACTOR
from ...reading.lives import short_blueprint
from ...reading.road_users import boxes_of
from ...texts import Measure, listed, say, say_count
from ..conflict import touching_place
from .drawing import (
    Box,
    Figure,
    Label,
    View,
    Wish,
    box_of,
    color_of,
    corner_rows,
    figure_of,
    ground_line,
    is_in_picture,
    pieces_in,
    place_labels,
    polyline,
    rows_by_life,
)
from .speeds import SPEED_STEPS, SpeedSeries
from .subject import Contact, Risk, Subject

MOST_CONTACTS = 8
"""Contacts that have pictures; others have a row in a table."""

MOST_RISKS = 8

_WIDE = (736, 560)  # px
_NARROW = (358, 400)
_MAP_SCALE = 4.3  # px a metre
_NARROW_SCALE = 3.05
_MAP_MARGIN = 56  # px that paths keep from the edges
_CONTACT = (360, 220)
_CONTACT_SCALE = 7.5
_RISK = (264, 150)
_RISK_SCALE = 5.0
_RISK_MIDDLE = 150  # px: phones and print show only these
_BEFORE = 1.0  # s before a contact
_TRAIL = 5.0  # s
_NEAR = 20.0  # m apart up to which both of a contact are in the middle
_RING_GAP = 4  # px
_RING_STEP = 4
_MOST_MAP_CONTACTS = 3  # labels
_BAR_LENGTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)  # m


class ScaleBar(NamedTuple):
    """How long a metre is.

    Attributes:
        text: Its length, with the unit.
        pixels: Its length.
        width: px of its ground.
        top: Its top, px.
    """

    text: str
    pixels: float
    width: float
    top: float

    @property
    def box(self) -> Box:
        """The room that it takes."""
        return Box(0, self.top - 4, self.width + 8, self.top + 28)


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


class Moment(NamedTuple):
    """A moment seen from above.

    Attributes:
        view: What it shows.
        figures: The road users.
        trails: Where those that it is about came from: the name of a colour, and a path in pixels.
        rings: Rings around heroes, px: x, y, radius.
        bursts: Places of a contact, px.
        labels: Texts on it.
        bar: How long a metre is.
        title: The caption.
        rest: What follows the title in the same line.
        lines: The lines below it.
        description: What it shows, for who does not see it.
    """

    view: View
    figures: Sequence[Figure]
    trails: Sequence[tuple[str, str]]
    rings: Sequence[tuple[float, float, float]]
    bursts: Sequence[tuple[float, float]]
    labels: Sequence[Label]
    bar: ScaleBar
    title: str
    rest: str
    lines: Sequence[str]
    description: str


class ContactPictures(NamedTuple):
    """A contact and its pictures.

    Attributes:
        title: Who touches whom.
        span: Seconds and frames.
        moments: Before, first and last; none where neither has a position.
    """

    title: str
    span: str
    moments: Sequence[Moment]


def seconds_text(subject: Subject, frame: int) -> str:
    """Return the time of a frame, as `23.100 s`."""
    return say("{seconds:.3f} s", seconds=Measure(subject.snapshot.elapsed[frame]))


def actor_text(actor: int, life: Life | None) -> str:
    """Return an actor with its blueprint, as `3891 diamondback.century`."""
    if actor == NO_ACTOR:
        return say("an object")
    if life is None:
        return str(actor)
    text = f"{actor} {short_blueprint(life.blueprint)}"
    if life.is_hero:
        return say("{actor} (hero)", actor=text)
    return text


def _short_text(life: Life) -> str:
    """Return what a label says of an actor."""
    if life.is_hero:
        return say("{actor} hero", actor=life.actor)
    return str(life.actor)


def _ring_color(life: Life) -> str:
    if life.is_hero:
        return "hero"
    return color_of(life)


def _scale_bar(view: View, most: float) -> ScaleBar:
    metres = _BAR_LENGTHS[0]
    for length in _BAR_LENGTHS:
        if length * view.scale <= most:
            metres = length
    pixels = metres * view.scale
    return ScaleBar(say("{metres:,} m", metres=metres), pixels, pixels + 46, view.height - 26)


# --- the map ----------------------------------------------------------------------------------------------


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
    from ..road_shapes import MARKS_FROM

    bar = _scale_bar(view, 100)
    lines: list[SpeedLine] = []
    start = None
    end = None
    wishes = []
    mover_color = "text"
    fastest = ""
    places = _contact_places(subject)
    if subject.mover is not None and subject.mover.life is not None and speeds is not None:
        life = subject.mover.life
        mover_color = _ring_color(life)
        points = view.places(_path_of(subject.mover))
        lines = _speed_lines(points, subject.mover.path["frame"], speeds)
        known = points[np.isfinite(points).all(axis=1)]
        start = (float(known[0, 0]), float(known[0, 1]))
        end = (float(known[-1, 0]), float(known[-1, 1]))
        fastest = say("{speed:g} m/s", speed=speeds.limit)
        frames = subject.mover.path["frame"]
        first = say("{actor}, {time}", actor=_short_text(life), time=seconds_text(subject, int(frames[0])))
        wishes.append(Wish(first, mover_color, start[0], start[1], 5))
        wishes.append(Wish(seconds_text(subject, int(frames[-1])), mover_color, end[0], end[1], 5))
    bursts = []
    for contact, place in places:
        x, y = view.place(*place)
        if not (0 <= x <= view.width and 0 <= y <= view.height):
            continue
        bursts.append((x, y))
        if len(bursts) <= _MOST_MAP_CONTACTS:
            wishes.append(Wish(_contact_label(subject, contact, kind), "error", x, y, 11))
    taken = [bar.box, Box(view.width - 200, view.height - 34, view.width, view.height)]
    taken.append(Box(view.width - 40, 0, view.width, 56))
    for x, y in (*bursts, *(place for place in (start, end) if place is not None)):
        taken.append(Box(x - 8, y - 8, x + 8, y + 8))
    for piece in _points_of(lines):
        taken.append(Box(piece[0] - 3, piece[1] - 3, piece[0] + 3, piece[1] + 3))
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


def _points_of(lines: Iterable[SpeedLine]) -> list[tuple[float, float]]:
    """Return the corners of lines, px."""
    points = []
    for line in lines:
        for word in line.path.removeprefix("M").split("L"):
            x, _, y = word.partition(",")
            points.append((float(x), float(y)))
    return points


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
        actor=_short_text(subject.mover.life),
    )


def map_name(subject: Subject) -> str:
    """Return the town of a recording; empty without one."""
    from ...roads.towns import town_of

    header = subject.overview.header
    if header is None:
        return ""
    name = header.map_name
    if isinstance(name, bytes):
        name = name.decode("utf-8", "backslashreplace")
    return town_of(name)


def _contact_places(subject: Subject) -> list[tuple[Contact, tuple[float, float]]]:
    """Return where the first contacts that have a place are, m."""
    places = []
    for contact in subject.contacts[:MOST_CONTACTS]:
        rows = _rows_of(subject, contact.known, contact.first)
        place = _place_of(rows)
        if place is not None:
            places.append((contact, place))
    return places


def _place_of(rows: Sequence[np.void]) -> tuple[float, float] | None:
    """Return where one or two road users touch, m; None where none has a position."""
    if not rows:
        return None
    if len(rows) == 1:
        return float(rows[0]["x"]), float(rows[0]["y"])
    boxes = boxes_of(np.array(rows, rows[0].dtype))
    return touching_place(boxes.take(slice(0, 1)), boxes.take(slice(1, 2)))


def _rows_of(subject: Subject, lives: Sequence[Life], frame: int) -> list[np.void]:
    """Return the rows of lives that have a position in a frame."""
    rows = rows_by_life(subject.users.rows(range(frame, frame + 1), {life.actor for life in lives}))
    return [rows[life.index] for life in lives if life.index in rows]


# --- moments ----------------------------------------------------------------------------------------------


class _Scene(NamedTuple):
    """A frame from which a picture is made.

    Attributes:
        frame: Its index.
        rows: The road users in it, dtype `ROAD_USER`.
        meant: Those that it is about.
    """

    frame: int
    rows: StructuredArray
    meant: Sequence[Life]


def contact_pictures(
    subject: Subject, contacts: Sequence[Contact], progress: Progress = SILENT
) -> list[ContactPictures]:
    """Return contacts with their pictures."""
    pictures = []
    for contact in progress.over(contacts):
        title = listed(
            [actor_text(actor, life) for actor, life in zip(contact.actors, contact.lives, strict=True)], "and"
        )
        pictures.append(ContactPictures(title, span_text(subject, contact), _contact_moments(subject, contact)))
    return pictures


def span_text(subject: Subject, contact: Contact) -> str:
    """Return seconds and frames of a contact, as `23.100 to 24.950 s, frames 463 to 500`."""
    elapsed = subject.snapshot.elapsed
    if contact.first == contact.last:
        return say("{time}, frame {frame:,}", time=seconds_text(subject, contact.first), frame=contact.first + 1)
    return say(
        "{start:.3f} to {end:.3f} s, frames {first:,} to {last:,}",
        start=Measure(elapsed[contact.first]),
        end=Measure(elapsed[contact.last]),
        first=contact.first + 1,
        last=contact.last + 1,
    )


def _contact_moments(subject: Subject, contact: Contact) -> list[Moment]:
    snapshot = subject.snapshot
    before = snapshot.frame_at_time(float(snapshot.elapsed[contact.first]) - _BEFORE)
    wanted = [(contact.first, say("first contact"), True)]
    if 0 <= before < contact.first:
        wanted.insert(0, (before, say("before"), False))
    if contact.last != contact.first:
        wanted.append((contact.last, say("last contact"), True))
    moments = []
    for frame, what, is_touching in wanted:
        scene = _Scene(frame, subject.users.rows(range(frame, frame + 1)), contact.known)
        rows = _meant_rows(scene)
        if not rows:
            continue
        time = seconds_text(subject, frame)
        bursts = []
        if is_touching:
            place = _place_of(rows)
            if place is not None:
                bursts.append(place)
        title = say("{time}, {what}", time=time, what=what)
        moment = _moment(
            subject,
            scene,
            view=View(*_middle_of(rows), *_CONTACT, _CONTACT_SCALE),
            bursts=bursts,
            area_width=_CONTACT[0],
        )
        moments.append(moment._replace(title=title, lines=[_pace_text(scene)], description=title))
    return moments


def _middle_of(rows: Sequence[np.void]) -> tuple[float, float]:
    """Return the place in the middle of the picture of a contact, m: between both where they are near."""
    x = float(rows[0]["x"])
    y = float(rows[0]["y"])
    if len(rows) > 1:
        other_x = float(rows[1]["x"])
        other_y = float(rows[1]["y"])
        if math.hypot(other_x - x, other_y - y) <= _NEAR:
            return (x + other_x) / 2, (y + other_y) / 2
    return x, y


def _meant_rows(scene: _Scene) -> list[np.void]:
    rows = rows_by_life(scene.rows)
    return [rows[life.index] for life in scene.meant if life.index in rows]


def _pace_text(scene: _Scene) -> str:
    """Return how fast those are that a picture is about, and how far apart."""
    rows = rows_by_life(scene.rows)
    parts = []
    for life in scene.meant:
        if life.index in rows:
            row = rows[life.index]
            speed = Measure(math.hypot(float(row["vx"]), float(row["vy"])))
            parts.append(say("{actor} {speed:.2f} m/s", actor=_short_text(life), speed=speed))
    meant = _meant_rows(scene)
    if len(meant) == 2:
        metres = math.hypot(float(meant[0]["x"] - meant[1]["x"]), float(meant[0]["y"] - meant[1]["y"]))
        parts.append(say("centres {metres:.2f} m apart", metres=Measure(metres)))
    return listed(parts)


def risk_pictures(subject: Subject, risks: Sequence[Risk], progress: Progress = SILENT) -> list[Moment]:
    """Return the pictures of risks at their worst moments."""
    moments = []
    for risk in progress.over(risks):
        scene = _Scene(risk.frame, subject.users.rows(range(risk.frame, risk.frame + 1)), (risk.life, risk.leader))
        rows = _meant_rows(scene)
        if not rows:
            continue
        places = np.array([(float(row["x"]), float(row["y"])) for row in rows])
        middle = (places.min(axis=0) + places.max(axis=0)) / 2
        extent = float((places.max(axis=0) - places.min(axis=0)).max()) + 6.0
        scale = min(_RISK_SCALE, _RISK_MIDDLE / extent)
        view = View(float(middle[0]), float(middle[1]), *_RISK, scale)
        moment = _moment(subject, scene, view=view, bursts=[], area_width=_RISK_MIDDLE)
        moments.append(
            moment._replace(
                title=say("{seconds:.2f} s", seconds=Measure(risk.ttc)),
                rest=_when_text(subject, risk),
                lines=_risk_lines(risk),
                description=say(
                    "{actor} behind {leader} at {time}, seen from above",
                    actor=_short_text(risk.life),
                    leader=_short_text(risk.leader),
                    time=seconds_text(subject, risk.frame),
                ),
            )
        )
    return moments


def _when_text(subject: Subject, risk: Risk) -> str:
    time = say("at {seconds:.2f} s", seconds=Measure(subject.snapshot.elapsed[risk.frame]))
    if risk.times == 1:
        return time
    return listed((time, say_count("1 time", "{count:,} times", count=risk.times)))


def _risk_lines(risk: Risk) -> list[str]:
    behind = say("{actor} behind", actor=actor_text(risk.life.actor, risk.life))
    speed = say("{speed:.1f} m/s", speed=Measure(risk.closing))
    if risk.gap < 0:
        gap = say("boxes overlap by {metres:.2f} m", metres=Measure(-risk.gap))
    else:
        gap = say("gap {metres:.1f} m", metres=Measure(risk.gap))
    return [behind, actor_text(risk.leader.actor, risk.leader), listed((gap, speed))]


def _moment(
    subject: Subject, scene: _Scene, *, view: View, bursts: Sequence[tuple[float, float]], area_width: float
) -> Moment:
    """Return the picture of a frame, without its caption.

    Args:
        subject: The recording.
        scene: The frame.
        view: What the picture shows.
        bursts: Places of a contact, m.
        area_width: px in the middle in which labels have to be.
    """
    lives = subject.trajectories.actors.lives
    meant = {life.index for life in scene.meant}
    figures = []
    taken = []
    rings: list[tuple[float, float, float]] = []
    wishes = []
    for row in scene.rows:
        if not is_in_picture(row, view):
            continue
        life = lives[int(row["life"])]
        figure = figure_of(row, life, view, is_meant=life.index in meant)
        figures.append(figure)
        taken.append(box_of(row, view))
        x, y = view.place(float(row["x"]), float(row["y"]))
        reach = max(figure.length, figure.width) / 2
        if life.is_hero and life.index in meant:
            rings.extend(((x, y, reach + _RING_GAP), (x, y, reach + _RING_GAP + _RING_STEP)))
            reach += _RING_GAP + _RING_STEP
            taken.append(Box(x - reach, y - reach, x + reach, y + reach))
        if life.index in meant:
            side = min(figure.length, figure.width) / 2
            wishes.append(Wish(_short_text(life), _ring_color(life), x, y, reach if life.is_hero else side))
    figures.sort(key=lambda figure: figure.is_meant)
    wishes.sort(key=lambda wish: wish.color != "hero")
    bar = _scale_bar(view, 60)
    taken.append(bar.box)
    margin = (view.width - area_width) / 2
    area = Box(margin + 3, 3, view.width - margin - 3, view.height - 3)
    return Moment(
        view=view,
        figures=figures,
        trails=_trails(subject, scene, view),
        rings=rings,
        bursts=[view.place(*place) for place in bursts],
        labels=place_labels(wishes, taken, area),
        bar=bar,
        title="",
        rest="",
        lines=(),
        description="",
    )


def _trails(subject: Subject, scene: _Scene, view: View) -> list[tuple[str, str]]:
    """Return where those that a picture is about came from."""
    snapshot = subject.snapshot
    start = max(0, snapshot.frame_at_time(float(snapshot.elapsed[scene.frame]) - _TRAIL))
    rows = subject.users.rows(range(start, scene.frame + 1), {life.actor for life in scene.meant})
    trails = []
    for life in scene.meant:
        own = rows[rows["life"] == life.index]
        points = view.places(np.column_stack((own["x"], own["y"])))
        if len(points) > 1 and float(np.ptp(points, axis=0).max()) > 2:
            kept = points[corner_rows(points, 0.4)]
            trails.append((_ring_color(life), polyline(kept.tolist())))
    return trails


def speed_steps() -> range:
    """Return the numbers of the colours of speeds."""
    return range(SPEED_STEPS)
