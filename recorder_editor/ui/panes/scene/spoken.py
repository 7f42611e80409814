"""What a screen reader says of the scene: each actor of the frame, then each key of the path that is edited."""

import math

from ....texts import listed, say
from ....views.frame_actors import LifeTraits
from ....views.units import Units
from ...session.path_drawing import PathDrawing
from ...widgets.screen_reader import Spoken, spoken_lines
from .state import SceneState


def spoken_scene(state: SceneState, traits: LifeTraits | None, units: Units, *, measures: bool = False) -> Spoken:
    """Return the lines of the scene for a screen reader.

    Args:
        state: What the scene shows.
        traits: What is known of the lives; None leaves out roles and blueprints.
        units: The units that quantities are said in.
        measures: Whether the second end of a distance is being set: then the distance is the only line.

    Returns:
        One line an actor, then one line a key. The chosen key is the current one, or else the first selected actor.
        While a path is drawn, its last place is the only line.
    """
    count = len(state.actors)

    def line(number: int) -> str:
        if number < count:
            return _actor_line(state, traits, number, units)
        return _key_line(state, number - count, units)

    if state.drawn is not None and state.drawn.is_on:
        return spoken_lines([_drawn_line(state, state.drawn, units)], 0)
    if measures and state.measured is not None:
        end = state.measured[1]
        clauses = [_distance(state.measured, units)]
        for index in range(count):
            if (state.actors.x[index], state.actors.y[index]) == end:
                clauses.append(line(index))
        return spoken_lines([listed(clauses, "clauses")], 0)
    if state.path is not None:
        keys = len(state.path.keys)
    else:
        keys = 0
    current = None
    if keys:
        current = count + state.path_key
    elif state.selected:
        current = state.actors.index_of(state.selected[0])
    if current is None:
        current = -1
    return Spoken(count + keys, line, current)


def _drawn_line(state: SceneState, drawn: PathDrawing, units: Units) -> str:
    """Say how many places a path has that is being drawn, and where the next one would be."""
    if drawn.aim is not None:
        x, y = drawn.aim
    elif drawn.points:
        x, y = drawn.points[-1]
    else:
        x, y = state.camera[:2]
    return say(
        "path of {places} places, x {x}, y {y}",
        places=len(drawn.legs),
        x=units.text(x, "m", 1),
        y=units.text(y, "m", 1),
    )


def _distance(ends: tuple[tuple[float, float], tuple[float, float]], units: Units) -> str:
    (ax, ay), (bx, by) = ends
    heading = round(math.degrees(math.atan2(by - ay, bx - ax)), 1) + 0.0  # no -0.0
    length = units.text(math.hypot(bx - ax, by - ay), "m", 2)
    return listed([length, say("heading {heading} degrees", heading=heading)], "clauses")


def _actor_line(state: SceneState, traits: LifeTraits | None, index: int, units: Units) -> str:
    """Say an actor, as in `hero, 25, lincoln mkz 2017, 12.4 m/s, heading 92 degrees`."""
    actors = state.actors
    actor = int(actors.ids[index])
    life_index = int(actors.life[index])
    speed = float(actors.speed[index])
    clauses = [str(actor)]
    if traits is not None and life_index >= 0:
        life = traits.actors.lives[life_index]
        model = life.blueprint.partition(".")[2].replace(".", " ").replace("_", " ")
        clauses = [life.role_name or say(life.class_), str(actor), model or life.blueprint]
    if math.isfinite(speed):
        clauses.append(units.text(speed, "m/s", 1))
    clauses.append(say("heading {heading} degrees", heading=round(math.degrees(actors.yaw[index])) % 360))
    for ghost in state.ghosts:
        if ghost.actor == actor:
            moved = say(
                "moved by x {x}, y {y}, turned by {turn:.0f} degrees",
                x=units.text(ghost.dx, "m", 1),
                y=units.text(ghost.dy, "m", 1),
                turn=ghost.turn,
            )
            clauses.append(moved)
            break
    return listed(clauses, "clauses")


def _key_line(state: SceneState, key: int, units: Units) -> str:
    """Say a key of the edited path; of the chosen one also what is wrong with the path."""
    path = state.path
    assert path is not None
    x, y = path.values[key, 0].tolist()
    place = say(
        "key {key} of {keys}, {time:.2f} s, x {x}, y {y}",
        key=key + 1,
        keys=len(path.keys),
        time=float(path.keys["time"][key]),
        x=units.text(x, "m", 1),
        y=units.text(y, "m", 1),
    )
    clauses = [place]
    if key == state.path_key:
        clauses.append(state.path_refusal)
        for warning in state.path_warnings:
            clauses.append(warning.text)
    return listed(clauses, "clauses")
