"""What a screen reader says of the scene: each actor of the frame, then each key of the path that is edited."""

import math

from ....texts import listed, say
from ....views.frame_actors import LifeTraits
from ....views.units import Units
from ...widgets.screen_reader import Spoken, spoken_lines
from .state import SceneState


def spoken_scene(state: SceneState, traits: LifeTraits | None, units: Units, *, measures: bool = False) -> Spoken:
    """The lines; the current one is what is measured while it `measures`, else the chosen key or the first selected
    actor."""
    actors = state.actors
    path = state.path
    count = len(actors)
    if path is not None:
        keys = len(path.keys)
    else:
        keys = 0
    current = count + state.path_key if keys else actors.index_of(state.selected[0]) if state.selected else None

    def line(number: int) -> str:
        if number < count:
            return _actor(state, traits, number, units)
        return _key(state, number - count, units)

    if state.drawn is not None and state.drawn.is_on:
        x, y, *_ = state.drawn.aim or (state.camera[:2], *state.drawn.points)[-1]
        drawn = say(
            "path of {places} places, x {x}, y {y}",
            places=len(state.drawn.legs),
            x=units.text(x, "m", 1),
            y=units.text(y, "m", 1),
        )
        return spoken_lines([drawn], 0)
    if measures and state.measured is not None:
        there = []
        for index in range(count):
            if (actors.x[index], actors.y[index]) == state.measured[1]:
                there.append(line(index))
        return spoken_lines([listed((_distance(state.measured, units), *there), "clauses")], 0)
    return Spoken(count + keys, line, -1 if current is None else current)


def _distance(ends: tuple[tuple[float, float], tuple[float, float]], units: Units) -> str:
    (ax, ay), (bx, by) = ends
    heading = round(math.degrees(math.atan2(by - ay, bx - ax)), 1) + 0.0  # no -0.0
    words = units.text(math.hypot(bx - ax, by - ay), "m", 2), say("heading {heading} degrees", heading=heading)
    return listed(words, "clauses")


def _actor(state: SceneState, traits: LifeTraits | None, index: int, units: Units) -> str:
    """`hero, 25, lincoln mkz 2017, 12.4 m/s, heading 92 degrees`."""
    actors = state.actors
    actor = int(actors.ids[index])
    life = int(actors.life[index])
    speed = float(actors.speed[index])
    words = [str(actor)]
    if traits is not None and life >= 0:
        known = traits.actors.lives[life]
        model = known.blueprint.partition(".")[2].replace(".", " ").replace("_", " ")
        words = [known.role_name or say(known.class_), *words, model or known.blueprint]
    if math.isfinite(speed):
        words.append(units.text(speed, "m/s", 1))
    words.append(say("heading {heading} degrees", heading=round(math.degrees(actors.yaw[index])) % 360))
    ghost = next((each for each in state.ghosts if each.actor == actor), None)
    if ghost is not None:
        moved = say(
            "moved by x {x}, y {y}, turned by {turn:.0f} degrees",
            x=units.text(ghost.dx, "m", 1),
            y=units.text(ghost.dy, "m", 1),
            turn=ghost.turn,
        )
        words.append(moved)
    return listed(words, "clauses")


def _key(state: SceneState, key: int, units: Units) -> str:
    path = state.path
    assert path is not None
    x, y = path.values[key, 0].tolist()
    words = say(
        "key {key} of {keys}, {time:.2f} s, x {x}, y {y}",
        key=key + 1,
        keys=len(path.keys),
        time=float(path.keys["time"][key]),
        x=units.text(x, "m", 1),
        y=units.text(y, "m", 1),
    )
    if key == state.path_key:
        wrong = [state.path_refusal, *(warning.words for warning in state.path_warnings)]
    else:
        wrong = []
    return listed((words, *wrong), "clauses")
