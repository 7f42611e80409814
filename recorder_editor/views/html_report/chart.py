"""The chart of a report: speed and time to collision of one road user over time, with its contacts and risks."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...analysis.constants import NO_LEADER
from ...arrays import BoolArray, FloatArray, IntArray
from ...reading.actors import NO_ACTOR
from ...texts import Measure, listed, say
from ..signal_reading import thinned
from .drawing import label_width, polyline, runs_of
from .speeds import SpeedSeries, round_up
from .subject import RISKY, VERY_RISKY, Contact, Subject

MOST_TTC = 10.0
"""s: beyond it no TTC is drawn."""

HEIGHT = 300
SPEED_TOP = 14.0
SPEED_BOTTOM = 134.0
TTC_TOP = 164.0
TTC_BOTTOM = 252.0
_RISK_BOTTOM = 266.0
_RISK_HEIGHTS = (4.0, 8.0)  # px: of a risk, and of a high one
_WIDE = (1120, 56, 1104)  # px: width, left and right end of the axis
_PRINT = (688, 28, 664)
_HOVER_STEP = 0.2  # s at least
_MOST_HOVERS = 200
_TITLE_ROOM = 84.0  # px of the title of the speed, which stands in the line of the labels
_COLUMNS = 2  # points a pixel, at most
_TICKS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600)
_TICK_ROOM = 46.0  # px


class Tick(NamedTuple):
    """A line of the grid.

    Attributes:
        place: Its x or y, px.
        text: Its number.
    """

    place: float
    text: str


class Bar(NamedTuple):
    """A stretch of time.

    Attributes:
        x: Its beginning, px.
        width: px.
        y: Its top, px.
        height: px.
        is_high: It is the worse kind.
    """

    x: float
    width: float
    y: float
    height: float
    is_high: bool


class ContactBand(NamedTuple):
    """A contact in the chart.

    Attributes:
        x: Its beginning, px.
        width: px.
        middle: Where its label is, px.
        text: Its label; empty where there is no room.
    """

    x: float
    width: float
    middle: float
    text: str


class Hover(NamedTuple):
    """What is shown while the pointer is over a moment.

    Attributes:
        x: The moment, px.
        left: The beginning of the stretch that reacts, px.
        width: px.
        y: The speed then, px; None where it is unknown.
        tag: The left of the tag, px.
        tag_width: px.
        text: Time, speed and TTC.
    """

    x: float
    left: float
    width: float
    y: float | None
    tag: float
    tag_width: float
    text: str


class Chart(NamedTuple):
    """The chart in one width.

    Attributes:
        kind: `wide`, or `print`.
        width: px.
        left: Where the axis of time begins, px.
        right: Where it ends.
        speed_ticks: Its numbers.
        ttc_ticks: Its numbers.
        time_ticks: Its numbers.
        speed: The curve.
        ttc: The curve.
        color: The name of the colour of the speed.
        contacts: The contacts.
        risks: The stretches at risk.
        limits: The limits of risks: y and text; the lower one is of high risks.
        hovers: Moments that react; none in print.
        description: What it shows, for who does not see it.
        height: px.
    """

    kind: str
    width: int
    left: float
    right: float
    speed_ticks: Sequence[Tick]
    ttc_ticks: Sequence[Tick]
    time_ticks: Sequence[Tick]
    speed: str
    ttc: str
    color: str
    contacts: Sequence[ContactBand]
    risks: Sequence[Bar]
    limits: Sequence[Tick]
    hovers: Sequence[Hover]
    description: str
    height: int = HEIGHT


class _Following(NamedTuple):
    """How near the mover comes to the one ahead.

    Attributes:
        frames: Indices, int64[n].
        times: s, float64[n].
        ttc: s, float64[n]; NaN where there is none.
        has_leader: bool[n].
    """

    frames: IntArray
    times: FloatArray
    ttc: FloatArray
    has_leader: BoolArray


class _Axis(NamedTuple):
    """The axis of time.

    Attributes:
        start: s.
        end: s.
        left: px.
        right: px.
    """

    start: float
    end: float
    left: float
    right: float

    def place(self, seconds: float) -> float:
        return self.left + (seconds - self.start) / (self.end - self.start) * (self.right - self.left)

    def places(self, seconds: FloatArray) -> FloatArray:
        return self.left + (seconds - self.start) / (self.end - self.start) * (self.right - self.left)


def charts_of(subject: Subject, speeds: SpeedSeries, color: str) -> list[Chart]:
    """Return the chart of the mover, wide and for print; none where no time passes while it is there.

    Args:
        subject: The recording.
        speeds: The speed of the mover.
        color: The name of the colour of its curve.
    """
    times = speeds.times[np.isfinite(speeds.times)]
    if len(times) < 2 or not float(times.max()) > float(times.min()):
        return []
    following = _following(subject)
    charts = []
    for kind, (width, left, right) in (("wide", _WIDE), ("print", _PRINT)):
        axis = _Axis(float(times.min()), float(times.max()), left, right)
        charts.append(_chart(subject, speeds, following, axis, kind=kind, width=width, color=color))
    return charts


def _following(subject: Subject) -> _Following:
    mover = subject.mover
    if subject.analysis is None or mover is None or mover.life is None:
        return _Following(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.bool_))
    signal = subject.analysis.signal("ttc", mover.life.index)
    rows = subject.analysis.rows_of(mover.life.index)
    leader = subject.analysis.columns["leader"][rows]
    return _Following(signal.frames, signal.times, signal.values, leader != NO_LEADER)


def _chart(
    subject: Subject, speeds: SpeedSeries, following: _Following, axis: _Axis, *, kind: str, width: int, color: str
) -> Chart:
    shown = np.where(following.ttc <= MOST_TTC, following.ttc, np.nan)
    hovers: list[Hover] = []
    if kind == "wide":
        hovers = _hovers(speeds, following, axis)
    limits = [_ttc_tick(RISKY), _ttc_tick(VERY_RISKY)]
    return Chart(
        kind=kind,
        width=width,
        left=axis.left,
        right=axis.right,
        speed_ticks=_speed_ticks(speeds.limit),
        ttc_ticks=[_ttc_tick(seconds) for seconds in range(0, round(MOST_TTC) + 1, 2)],
        time_ticks=_time_ticks(axis),
        speed=_curve(axis, speeds.times, _speed_y(speeds.values, speeds.limit)),
        ttc=_curve(axis, following.times, _ttc_y(shown)),
        color=color,
        contacts=_contact_bands(subject, axis),
        risks=_risk_bars(following, axis),
        limits=limits,
        hovers=hovers,
        description=say("Speed and time to collision over {seconds:.1f} s", seconds=axis.end - axis.start),
    )


def _speed_y(values: FloatArray, limit: float) -> FloatArray:
    return SPEED_BOTTOM - values / limit * (SPEED_BOTTOM - SPEED_TOP)


def _ttc_y(seconds: FloatArray) -> FloatArray:
    return TTC_BOTTOM - seconds / MOST_TTC * (TTC_BOTTOM - TTC_TOP)


def _ttc_tick(seconds: float) -> Tick:
    return Tick(TTC_BOTTOM - seconds / MOST_TTC * (TTC_BOTTOM - TTC_TOP), f"{seconds:g}")


def _speed_ticks(limit: float) -> list[Tick]:
    step = round_up(limit / 5)
    ticks = []
    for index in range(math.floor(limit / step + 1e-6) + 1):
        speed = index * step
        ticks.append(Tick(float(SPEED_BOTTOM - speed / limit * (SPEED_BOTTOM - SPEED_TOP)), f"{speed:g}"))
    return ticks


def _time_ticks(axis: _Axis) -> list[Tick]:
    pixels = (axis.right - axis.left) / (axis.end - axis.start)
    step = next((tick for tick in _TICKS if tick * pixels >= _TICK_ROOM), 0.0)
    if not step:
        step = round_up(_TICK_ROOM / pixels)
    first = math.ceil(axis.start / step - 1e-6)
    last = math.floor(axis.end / step + 1e-6)
    return [Tick(axis.place(index * step), f"{index * step:g}") for index in range(first, last + 1)]


def _curve(axis: _Axis, times: FloatArray, y: FloatArray) -> str:
    """Return a curve that is broken where it has no value."""
    columns = round(axis.right - axis.left) // _COLUMNS
    seconds, values = thinned(times, y, axis.start, axis.end, columns)
    x = axis.places(seconds)
    parts = []
    for begin, end in runs_of(np.isfinite(x) & np.isfinite(values)):
        points = np.column_stack((x[begin:end], values[begin:end])).tolist()
        if len(points) == 1:  # a dot
            points.append((points[0][0] + 0.6, points[0][1]))
        parts.append(polyline(points))
    return "".join(parts)


def _contact_bands(subject: Subject, axis: _Axis) -> list[ContactBand]:
    bands = []
    free_from = axis.left
    for contact in contacts_of_mover(subject):
        start = axis.place(float(subject.snapshot.elapsed[contact.first]))
        end = axis.place(float(subject.snapshot.elapsed[contact.last]))
        text = say("contact with {actor}", actor=_other(subject, contact))
        half = label_width(text) / 2
        middle = min(max((start + end) / 2, axis.left + _TITLE_ROOM + half), axis.right - half)
        if middle - half < free_from:
            text = ""
        else:
            free_from = middle + half
        bands.append(ContactBand(start, max(end - start, 2.0), middle, text))
    return bands


def contacts_of_mover(subject: Subject) -> list[Contact]:
    """Return the contacts of the one that the charts are about."""
    if subject.mover is None or subject.mover.life is None:
        return []
    index = subject.mover.life.index
    return [contact for contact in subject.contacts if any(life.index == index for life in contact.known)]


def _other(subject: Subject, contact: Contact) -> str:
    """Return whom the mover touches."""
    mover = subject.mover
    for actor, life in zip(contact.actors, contact.lives, strict=True):
        is_mover = life is not None and mover is not None and mover.life is not None and life.index == mover.life.index
        if not is_mover:
            if actor == NO_ACTOR:
                return say("an object")
            return str(actor)
    return str(contact.actors[0])


def _risk_bars(following: _Following, axis: _Axis) -> list[Bar]:
    bars = []
    for limit, height, is_high in ((RISKY, _RISK_HEIGHTS[0], False), (VERY_RISKY, _RISK_HEIGHTS[1], True)):
        for begin, end in runs_of(following.ttc < limit):
            start = axis.place(float(following.times[begin]))
            width = max(axis.place(float(following.times[end - 1])) - start, 1.5)
            bars.append(Bar(start, width, _RISK_BOTTOM - height, height, is_high))
    return bars


def _hovers(speeds: SpeedSeries, following: _Following, axis: _Axis) -> list[Hover]:
    step = max(_HOVER_STEP, (axis.end - axis.start) / _MOST_HOVERS)
    width = step / (axis.end - axis.start) * (axis.right - axis.left)
    hovers = []
    for index in range(math.floor((axis.end - axis.start) / step + 1e-6) + 1):
        seconds = axis.start + index * step
        x = axis.place(seconds)
        row = min(int(np.searchsorted(speeds.times, seconds - 1e-4)), len(speeds.times) - 1)
        speed = float(speeds.values[row])
        y = None
        speed_text = ""
        if math.isfinite(speed):
            y = float(_speed_y(np.array([speed]), speeds.limit)[0])
            speed_text = say("{speed:.2f} m/s", speed=Measure(speed))
        time_text = say("{seconds:.2f} s", seconds=Measure(speeds.times[row]))
        text = listed((time_text, speed_text, _ttc_text(following, int(speeds.frames[row]))), "clauses")
        tag_width = label_width(text)
        tag = x
        if x + tag_width > axis.right:
            tag = x - tag_width
        hovers.append(Hover(x, x - width / 2, width, y, tag, tag_width, text))
    return hovers


def _ttc_text(following: _Following, frame: int) -> str:
    row = int(np.searchsorted(following.frames, frame))
    if row >= len(following.frames) or following.frames[row] != frame or not following.has_leader[row]:
        return say("nobody ahead")
    ttc = float(following.ttc[row])
    if not math.isfinite(ttc):
        return say("the gap does not close")
    if ttc > MOST_TTC:
        return say("TTC above {seconds:g} s", seconds=MOST_TTC)
    return say("TTC {seconds:.2f} s", seconds=Measure(ttc))
