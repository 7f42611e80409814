"""What actors can be filled with, and the colours: of their class, their own, or of a value in the frame; the legend.

Values are those that Signals plots: speeds of the frame, and the session's analysis of traffic. Knows no widget.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from ....arrays import distinct
from ....reading import Actors, Trajectories
from ....reading.event_index import CLASSES
from ....texts import N_, say
from ....views.frame_actors import FrameContents, Kind, Numbers, Reals
from ....views.signal_key import OFF_SCALE
from ...session import Session
from ...session.preferences import Preference
from ...style.colors import Palette
from ...style.look import Look

if TYPE_CHECKING:
    from ....analysis import Analysis

FrameColorBy = Literal["class", "own", "speed", "acceleration", "ttc", "role"]
"""What a frame itself, or the analysis of traffic, tells."""

ColorBy = Literal["class", "own", "speed", "acceleration", "ttc", "role", "rules"]
COLORINGS: Mapping[ColorBy, tuple[str, str]] = {
    "own": (N_("Own colour"), N_("The colour recorded for an actor, or else that of its class")),
    "class": (N_("Class"), N_("Vehicles, two-wheelers and walkers in a colour each")),
    "speed": (N_("Speed"), N_("From 0 to the top speed of the recording")),
    "acceleration": (N_("Acceleration"), N_("From -4 to 4 m/s², by the traffic analysis")),
    "ttc": ("TTC", N_("The time to collision with the leader, from 10 s to 0, by the traffic analysis")),
    "role": (N_("Role"), N_("A colour for each role name, which stands beside the id")),
    "rules": (N_("Rules..."), N_("Conditions that you write, such as speed > 20, each with a colour")),
}
"""What actors are filled with, and how the menus call and explain it (English)."""

COLOR_BY: Preference[ColorBy] = Preference("scene/color_by", "own", tuple(COLORINGS))

Legend = tuple[tuple[str, QColor], ...]

_STEPS = 16  # colours of a ramp
_MOST_ROLES = 8
_LONGEST = 36  # letters of a rule in the legend


class Ramp(NamedTuple):
    """A value by colour.

    Attributes:
        first: The value at the beginning of the ramp.
        last: The value at its end, which may be the lower one.
        unit: The unit of both.
    """

    first: float
    last: float
    unit: str


_OF_ANALYSIS = {"acceleration": Ramp(-4.0, 4.0, "m/s²"), "ttc": Ramp(OFF_SCALE["ttc"], 0.0, "s")}
NEEDS_ANALYSIS = frozenset(_OF_ANALYSIS)
_FASTEST = 120.0  # m/s: faster ones were put elsewhere


class Coloring(NamedTuple):
    """What the actors of a frame are filled with.

    Attributes:
        colors: Colour by index of the life.
        legend: What the colours mean.
        others: Colour of all other lives; None: that of their class.
        roles: The role that stands beside the id, by index of the life.
        is_own: Whether the colours are those of the actors themselves: any, and not of the palette.
    """

    colors: Mapping[int, QColor]
    legend: Legend
    others: QColor | None = None
    roles: Mapping[int, str] = {}
    is_own: bool = False


def coloring_of(by: ColorBy, session: Session, contents: FrameContents, theme: Look) -> Coloring | None:
    """Return the colours of the lives in a frame.

    Args:
        by: What actors are filled with.
        session: The session that values are taken from.
        contents: The actors of the frame.
        theme: Colours and units.

    Returns:
        None where the colours are those of the classes, or nothing is known yet.
    """
    actors = session.actors
    if actors is None:
        return None
    if by == "rules":
        return _by_rules(session, contents, theme.palette)
    traffic = session.traffic
    analysis = None
    if traffic.is_current:
        analysis = traffic.analysis
    return coloring_of_frame(by, actors, session.background.trajectories, contents, theme, analysis)


def coloring_of_frame(
    by: FrameColorBy,
    actors: Actors,
    survey: Trajectories | None,
    contents: FrameContents,
    theme: Look,
    analysis: "Analysis | None" = None,
) -> Coloring | None:
    """Return the colours of the lives in a frame, as far as the frame itself or the analysis tells them.

    Args:
        by: What actors are filled with.
        actors: The actors of the recording.
        survey: Its trajectories, for the top speed; None while they are not known.
        contents: The actors of the frame.
        theme: Colours and units.
        analysis: The analysis of traffic; None while there is none.

    Returns:
        None where the colours are those of the classes, or nothing is known yet.
    """
    if by == "class":
        return None
    if by == "own":
        return own_colors(actors, contents, theme.palette)
    if by == "role":
        return _by_role(actors, theme.palette)
    if by == "acceleration" or by == "ttc":
        if analysis is None or contents.frame is None:
            return None
        lives, values = analysis.values_at(by, contents.frame.index)
        return _by_value(_OF_ANALYSIS[by], lives, values, theme)
    ramp = Ramp(0.0, _top_of_ramp(survey), "m/s")
    return _by_value(ramp, contents.actors.life, contents.actors.speed, theme)


def _top_of_ramp(survey: Trajectories | None) -> float:
    """Return the speed at the end of the ramp, m/s: the top speed of the recording, rounded up to a multiple of 4."""
    speeds = []
    if survey is not None:
        for way in survey.trajectories:
            if way.top_speed < _FASTEST:
                speeds.append(way.top_speed)
    top = 4.0 * math.ceil(max(speeds, default=16.0) / 4)
    return top or 4.0


def own_colors(actors: Actors, contents: FrameContents, palette: Palette) -> Coloring:
    """Return the colours that the EventAdd of lives in a frame gives them."""
    fills: dict[tuple[int, int, int], QColor] = {}  # many have the same one
    colors = {}
    for index in contents.actors.life.tolist():
        if index >= 0:
            colour = actors.lives[index].colour
            if colour is not None:
                if colour not in fills:
                    fills[colour] = palette.own_fill(QColor(*colour))
                colors[index] = fills[colour]
    return Coloring(colors, (), is_own=True)


def _by_rules(session: Session, contents: FrameContents, palette: Palette) -> Coloring | None:
    """Return the colours of the rules that lives meet in a frame."""
    snapshot = session.snapshot
    frame = contents.frame
    if snapshot is None or frame is None:
        return None
    legend = []
    for rule in session.rule_colors.rules.of(snapshot.dialect):
        legend.append((_short(rule.text), rule.color))
    legend.append((say("others"), palette.edge))
    colors = {}
    for life, rule in session.rule_colors.of_row(frame.row).items():
        colors[life] = rule.color
    # In the colours of their classes, lives that meet no rule would look like those that meet one.
    return Coloring(colors, tuple(legend), others=palette.edge)


def _short(text: str) -> str:
    """Return both ends of a long text: rules about one packet begin alike."""
    half = _LONGEST // 2
    if len(text) <= _LONGEST:
        return text
    return f"{text[:half]}…{text[1 - half :]}"


def _by_value(ramp: Ramp, lives: Numbers, values: Reals, theme: Look) -> Coloring:
    """Return the colours of values on a ramp, in a few steps; `lives` are the indices of the lives that have them."""
    palette = theme.palette
    length = ramp.last - ramp.first
    shares = (values - ramp.first) / length
    has_value = np.isfinite(shares) & (lives >= 0)
    steps = np.round(np.clip(shares[has_value], 0.0, 1.0) * _STEPS) / _STEPS
    inks = {step: palette.speed_color(step) for step in distinct(steps).tolist()}
    colors = {}
    for life, step in zip(lives[has_value].tolist(), steps.tolist(), strict=True):
        colors[life] = inks[step]
    legend = []
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        text = theme.units.short(ramp.first + part * length, ramp.unit)
        legend.append((text, palette.speed_color(part)))
    legend.append((say("none"), palette.edge))
    return Coloring(colors, tuple(legend), others=palette.edge)


def _by_role(actors: Actors, palette: Palette) -> Coloring:
    """Return a colour for each of the first role names; the roles of all stand beside the ids."""
    roles = {}
    for life in actors:
        if life.class_ in CLASSES[: Kind.WALKER + 1] and life.role_name:
            roles[life.index] = life.role_name
    names = sorted(set(roles.values()))[:_MOST_ROLES]
    inks = {}
    for rank, name in enumerate(names):
        inks[name] = palette.speed_color(rank / max(1, len(names) - 1))
    colors = {life: inks[name] for life, name in roles.items() if name in inks}
    # Several shades of one ramp look alike to people who see few colours: hence the roles.
    return Coloring(colors, tuple(inks.items()), roles=roles)
