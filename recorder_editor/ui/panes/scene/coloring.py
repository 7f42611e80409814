"""What actors can be filled with, and the colours: of their class, their own, or of a value in the frame; the legend.

Values are those that Signals plots: speeds of the frame, and the session's analysis of traffic. Knows no widget.
"""

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from ....reading import Actors
from ....reading.event_index import CLASSES
from ....texts import N_, say
from ....views.frame_actors import FrameContents, Kind, Numbers, Reals
from ....views.signal_key import OFF_SCALE
from ....views.units import Units
from ...session import Session
from ...session.preferences import Preference
from ...style.colors import Palette
from ...style.theme import Theme

ColorBy = Literal["class", "own", "speed", "acceleration", "ttc", "role", "rules"]
COLORINGS: Mapping[ColorBy, tuple[str, str]] = {
    "class": (N_("Class"), N_("Vehicles, two-wheelers and walkers in a colour each")),
    "own": (N_("Own colour"), N_("The colour recorded for an actor, not that of its class")),
    "speed": (N_("Speed"), N_("From 0 to the top speed of the recording")),
    "acceleration": (N_("Acceleration"), N_("From -4 to 4 m/s², by the traffic analysis")),
    "ttc": ("TTC", N_("The time to collision with the leader, from 10 s to 0, by the traffic analysis")),
    "role": (N_("Role"), N_("A colour for each role name, which stands beside the id")),
    "rules": (N_("Rules..."), N_("Conditions that you write, such as speed > 20, each with a colour")),
}
"""What actors are filled with, and how the menus call and explain it (English)."""

COLOR_BY: Preference[ColorBy] = Preference("scene/color_by", "class", tuple(COLORINGS))

Legend = tuple[tuple[str, QColor], ...]

_STEPS = 16
_MOST_ROLES = 8
_LONGEST = 36


class Ramp(NamedTuple):
    """A value by colour: the ends of the ramp (`last` may be the lower one) and the unit."""

    first: float
    last: float
    unit: str


_OF_ANALYSIS = {"acceleration": Ramp(-4.0, 4.0, "m/s²"), "ttc": Ramp(OFF_SCALE["ttc"], 0.0, "s")}
NEEDS_ANALYSIS = frozenset(_OF_ANALYSIS)
_FASTEST = 120.0


class Coloring(NamedTuple):
    """`colors` by life index, what they mean, that of the `others` (None: of their class), and words beside ids."""

    colors: Mapping[int, QColor]
    legend: Legend
    others: QColor | None = None
    words: Mapping[int, str] = {}


def coloring_of(by: ColorBy, session: Session, contents: FrameContents, theme: Theme) -> Coloring | None:
    """The colours of the lives in a frame; None where they are those of the classes, or nothing is known yet."""
    snapshot = session.snapshot
    frame = contents.frame
    palette = theme.palette
    units = theme.units
    actors = session.actors
    survey = session.background.trajectories
    traffic = session.traffic
    if by == "class" or actors is None:
        return None
    if by == "own":
        return Coloring({life.index: QColor(*life.colour) for life in actors if life.colour is not None}, ())
    if by == "role":
        return _by_role(actors, palette)
    if by == "rules":
        if snapshot is None or frame is None:
            return None
        # In the colours of their classes, those who meet no rule would look like those who meet one.
        legend = []
        for rule in session.rule_colors.rules.of(snapshot.dialect):
            legend.append((_short(rule.text), rule.color))
        colors = {}
        for life, rule in session.rule_colors.of_row(frame.row).items():
            colors[life] = rule.color
        return Coloring(colors, (*legend, (say("others"), palette.edge)), palette.edge)
    if by == "speed":
        if survey is not None:
            tops = []
            for way in survey.trajectories:
                if way.top_speed < _FASTEST:
                    tops.append(way.top_speed)
        else:
            tops = []
        ramp = Ramp(0.0, 4.0 * math.ceil(max(tops, default=16.0) / 4) or 4.0, "m/s")
        return _by_value(ramp, contents.actors.life, contents.actors.speed, palette, units)
    if traffic.analysis is None or not traffic.is_current or frame is None:
        return None
    return _by_value(_OF_ANALYSIS[by], *traffic.analysis.values_at(by, frame.index), palette, units)


def _short(text: str) -> str:
    """Both ends of a long text: rules about one packet begin alike."""
    half = _LONGEST // 2
    if len(text) <= _LONGEST:
        return text
    return f"{text[:half]}…{text[1 - half :]}"


def _by_value(ramp: Ramp, lives: Numbers, values: Reals, palette: Palette, units: Units) -> Coloring:
    share = (values - ramp.first) / (ramp.last - ramp.first)
    known = np.isfinite(share) & (lives >= 0)
    steps = np.round(np.clip(share[known], 0.0, 1.0) * _STEPS) / _STEPS
    inks = {}
    for step in np.unique(steps).tolist():
        inks[step] = palette.speed_color(step)
    colors = {}
    for life, step in zip(lives[known].tolist(), steps.tolist(), strict=True):
        colors[life] = inks[step]
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    texts = []
    for part in shares:
        texts.append(units.short(ramp.first + part * (ramp.last - ramp.first), ramp.unit))
    legend = []
    for text, part in zip(texts, shares, strict=True):
        legend.append((text, palette.speed_color(part)))
    return Coloring(colors, (*legend, (say("none"), palette.edge)), palette.edge)


def _by_role(actors: Actors, palette: Palette) -> Coloring:
    users = []
    for life in actors:
        if life.class_ in CLASSES[: Kind.WALKER + 1]:
            users.append(life)
    names = sorted({life.role_name for life in users if life.role_name})[:_MOST_ROLES]
    inks = {}
    for place, name in enumerate(names):
        inks[name] = palette.speed_color(place / max(1, len(names) - 1))
    colors = {}
    for life in users:
        if life.role_name in inks:
            colors[life.index] = inks[life.role_name]
    # Several shades of one ramp look alike to people who see few colours.
    words = {}
    for life in users:
        if life.role_name:
            words[life.index] = life.role_name
    return Coloring(colors, tuple(inks.items()), words=words)
