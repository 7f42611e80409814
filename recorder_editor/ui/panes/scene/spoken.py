"""What a screen reader says of the scene: each actor of the frame, then each key of the path that is edited."""

import math

from ....sentences import listed
from ....views.frame_actors import LifeTraits
from ....views.language import put, tr
from ....views.units import Units
from ...widgets.screen_reader import Spoken, spoken_lines
from .state import SceneState


def spoken_scene(state: SceneState, traits: LifeTraits | None, units: Units, *, measures: bool = False) -> Spoken:
    """The lines; the current one is what is measured while it `measures`, else the chosen key or the first selected
    actor."""
    actors, path = state.actors, state.path
    count, keys = len(actors), len(path.keys) if path is not None else 0
    current = count + state.path_key if keys else actors.index_of(state.selected[0]) if state.selected else None

    def line(number: int) -> str:
        return _actor(state, traits, number, units) if number < count else _key(state, number - count, units)

    if state.drawn is not None and state.drawn.is_on:
        where = [units.text(each, "m", 1) for each in state.drawn.aim or (state.camera[:2], *state.drawn.points)[-1]]
        return spoken_lines([put(tr("path of %1 places, x %2, y %3"), len(state.drawn.legs), *where)], 0)
    if measures and state.measured is not None:
        there = [line(index) for index in range(count) if (actors.x[index], actors.y[index]) == state.measured[1]]
        return spoken_lines([listed((_distance(state.measured, units), *there), "list.clauses")], 0)
    return Spoken(count + keys, line, -1 if current is None else current)


def _distance(ends: tuple[tuple[float, float], tuple[float, float]], units: Units) -> str:
    (ax, ay), (bx, by) = ends
    heading = round(math.degrees(math.atan2(by - ay, bx - ax)), 1) + 0.0  # no -0.0
    words = units.text(math.hypot(bx - ax, by - ay), "m", 2), put(tr("heading %1 degrees"), heading)
    return listed(words, "list.clauses")


def _actor(state: SceneState, traits: LifeTraits | None, index: int, units: Units) -> str:
    """`hero, 25, lincoln mkz 2017, 12.4 m/s, heading 92 degrees`."""
    actors = state.actors
    actor, life, speed = int(actors.ids[index]), int(actors.life[index]), float(actors.speed[index])
    words = [str(actor)]
    if traits is not None and life >= 0:
        known = traits.actors.lives[life]
        model = known.blueprint.partition(".")[2].replace(".", " ").replace("_", " ")
        words = [known.role_name or tr(known.class_), *words, model or known.blueprint]
    if math.isfinite(speed):
        words.append(units.text(speed, "m/s", 1))
    words.append(tr("heading %1 degrees").replace("%1", f"{round(math.degrees(actors.yaw[index])) % 360}"))
    ghost = next((each for each in state.ghosts if each.actor == actor), None)
    if ghost is not None:
        moved = units.text(ghost.dx, "m", 1), units.text(ghost.dy, "m", 1), f"{ghost.turn:.0f}"
        words.append(put(tr("moved by x %1, y %2, turned by %3 degrees"), *moved))
    return listed(words, "list.clauses")


def _key(state: SceneState, key: int, units: Units) -> str:
    path = state.path
    assert path is not None
    x, y = path.values[key, 0].tolist()
    place = units.text(x, "m", 1), units.text(y, "m", 1)
    words = put(tr("key %1 of %2, %3 s, x %4, y %5"), key + 1, len(path.keys), f"{path.keys['time'][key]:.2f}", *place)
    wrong = [state.path_refusal, *(warning.words for warning in state.path_warnings)] if key == state.path_key else []
    return listed((words, *wrong), "list.clauses")
