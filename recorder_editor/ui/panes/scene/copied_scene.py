"""The road users of the frame as a table, as the scene copies them."""

import math

from ....reading import Actors, Life
from ....texts import say
from ....views.units import Units
from ...widgets.copied import heading
from .state import SceneState

_DIGITS = 7  # of a float of 32 bits


def scene_table(state: SceneState, lives: Actors | None, units: Units) -> tuple[list[str], list[list[str]]]:
    """Return what is selected in the scene as a table: a row for each actor.

    Args:
        state: What the scene shows.
        lives: The lives of the recording; None leaves out blueprints and roles.
        units: The units of quantities.

    Returns:
        (Headings, rows): of the selected actors that are in the frame, or of all road users where none is selected. The
        place is the centre of the box.
    """
    actors = state.actors
    entries = actors.indices_of(state.selected)
    if not entries:
        entries = [index for index in range(len(actors)) if actors.road_users[index]]
    metres = units.unit("m")
    heads = [
        say("Id"),
        say("Blueprint"),
        say("Role"),
        heading("x", metres),
        heading("y", metres),
        heading("z", metres),
        heading(say("Heading"), "°"),
        heading(say("Speed"), units.unit("m/s")),
    ]
    rows = []
    for index in entries:
        life = _life_at(lives, int(actors.life[index]))
        blueprint = ""
        role = ""
        if life is not None:
            blueprint = life.blueprint
            role = life.role_name
        place = (float(actors.x[index]), float(actors.y[index]), float(actors.z[index]))
        cells = [str(int(actors.ids[index])), blueprint, role]
        cells += [_number(value * units.factor("m")) for value in place]
        cells.append(_number(math.degrees(float(actors.yaw[index]))))
        cells.append(_number(float(actors.speed[index]) * units.factor("m/s")))
        rows.append(cells)
    return heads, rows


def _life_at(lives: Actors | None, index: int) -> Life | None:
    if lives is None or index < 0:
        return None
    return lives.lives[index]


def _number(value: float) -> str:
    """Return a number with the digits of a float of 32 bits; empty where it is unknown."""
    if not math.isfinite(value):
        return ""
    return f"{value:.{_DIGITS}g}"
