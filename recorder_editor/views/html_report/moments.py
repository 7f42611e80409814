"""The pictures of moments in a report: contacts and risks, seen from above."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import StructuredArray
from ...progress import SILENT, Progress
from ...reading import Life
from ...texts import Measure, listed, say, say_count
from .drawing import (
    Box,
    Figure,
    Label,
    ScaleBar,
    View,
    Wish,
    box_of,
    corner_rows,
    figure_of,
    is_in_picture,
    place_labels,
    polyline,
    rows_by_life,
    scale_bar,
)
from .naming import actor_text, label_color, place_of, seconds_text, short_text, span_text
from .subject import Contact, Risk, Subject

MOST_CONTACTS = 8
"""Contacts that have pictures; others have a row in a table."""

MOST_RISKS = 8

_CONTACT = (360, 220)  # px
_CONTACT_SCALE = 7.5  # px a metre
_RISK = (264, 150)
_RISK_SCALE = 5.0
_RISK_MIDDLE = 150  # px: phones and print show only these
_BEFORE = 1.0  # s before a contact
_TRAIL = 5.0  # s
_NEAR = 20.0  # m apart up to which both of a contact are in the middle
_RING_GAP = 4  # px
_RING_STEP = 4


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
            place = place_of(rows)
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
            parts.append(say("{actor} {speed:.2f} m/s", actor=short_text(life), speed=speed))
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
                    actor=short_text(risk.life),
                    leader=short_text(risk.leader),
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
            wishes.append(Wish(short_text(life), label_color(life), x, y, reach if life.is_hero else side))
    figures.sort(key=lambda figure: figure.is_meant)
    wishes.sort(key=lambda wish: wish.color != "hero")
    bar = scale_bar(view, 60)
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
            trails.append((label_color(life), polyline(kept.tolist())))
    return trails
