"""The blueprint of a road user: by its class and size, of those that a release has."""

import re
from collections.abc import Mapping, Sequence
from math import hypot, isfinite
from typing import Final, NamedTuple

from ... import resources
from ...edits.blueprints import ADULT, CARS, CHILD, HERO_MODEL, MODELS, Attributes, Model, Release, walker_number
from ...format import Dialect
from .trajectories import RoadUser

ROLE = "autopilot"
HERO = "hero"

_NEXT_KINDS: Final[Mapping[str, Sequence[str]]] = {
    "car": ("car", "van"),
    "van": ("van", "car"),
    "truck": ("truck", "van"),
    "bus": ("bus", "truck", "van"),
    "motorcycle": ("motorcycle", "bicycle"),
    "bicycle": ("bicycle", "motorcycle"),
}
"""Kinds by which a kind is looked for: not every release has a bus."""

_WORDS: Final[Mapping[str, Sequence[str]]] = resources.table("trajectories")["classes"]

_KIND_OF_WORD: Final = {word: kind for kind, words in _WORDS.items() for word in words}

_ANY_KIND: Final[Sequence[str]] = resources.table("trajectories")["any class"]
"""Words by which a kind is not told, but that need no remark."""

KINDS: Final = tuple(_WORDS)
"""The kinds of road users."""

# Sizes that tell the kind of what has no class: m. The longest walker; the widest and longest two-wheeler; the longest
# car and van. From the sizes of the blueprints.
_LONGEST_WALKER = 1.3
_WIDEST_TWO_WHEELER = 1.1
_LONGEST_TWO_WHEELER = 2.9
_LONGEST_CAR = 5.8
_LONGEST_VAN = 7.5


def kind_of(word: str) -> str | None:
    """Return the kind that a word for a class means; empty where it leaves that open, None where it is not known.

    Args:
        word: As the file has it; case, blanks and a leading `TYPE_` do not matter.
    """
    plain = re.sub(r"[^a-z0-9]", "", word.lower().removeprefix("type_"))
    if plain in _ANY_KIND:
        return ""
    return _KIND_OF_WORD.get(plain)


def is_road_user(blueprint: str) -> bool:
    """Whether a blueprint is one of a road user, and not of a prop, a sensor or a traffic light."""
    return blueprint.startswith(("vehicle.", "walker."))


def kind_by_size(length: float, width: float) -> str:
    """Return the kind of a road user without a class: a car if its length is not known either."""
    if not isfinite(length):
        return "car"
    if length <= _LONGEST_WALKER:
        return "walker"
    if length <= _LONGEST_TWO_WHEELER and width <= _WIDEST_TWO_WHEELER:
        return "bicycle"
    if length <= _LONGEST_CAR:
        return "car"
    if length <= _LONGEST_VAN:
        return "van"
    return "truck"


class Choice(NamedTuple):
    """The blueprint of a road user.

    Attributes:
        name: Its name.
        uid: Its number.
        attributes: Its attributes.
        model: Its model.
        box: Half sizes of the road user, m; those of the model where the file tells none.
        is_exact: The file named this blueprint.
    """

    name: str
    uid: int
    attributes: Attributes
    model: Model
    box: tuple[float, float, float]
    is_exact: bool = False


class Chooser:
    """Chooses blueprints in the order in which road users come: those without a size take theirs in turn."""

    def __init__(self, dialect: Dialect) -> None:
        self._release = Release.of(dialect)
        needs_uid = dialect.makes_actors_by == "uid"
        self._models: dict[str, list[Model]] = {}
        for model in MODELS:
            is_usable = self._release.own_name_of(model) and (self._uid(model) or not needs_uid)
            if is_usable:
                self._models.setdefault(model.kind, []).append(model)
        self._named = {}
        for blueprint in self._release.blueprints():
            if is_road_user(blueprint.name) and (blueprint.uid or not needs_uid):
                self._named[blueprint.name] = blueprint
        self._turns: dict[str, int] = {}

    def _uid(self, model: Model) -> int:
        return self._release.uid_of(model) or 0

    def choose(self, user: RoadUser, *, is_hero: bool) -> Choice:
        """Choose the blueprint of a road user.

        Args:
            user: The road user.
            is_hero: Whether it is the hero.
        """
        role = user.role or ROLE
        if is_hero:
            role = HERO
        kind = user.kind or kind_by_size(user.length, user.width)
        if not user.kind and user.blueprint.startswith("walker."):
            kind = "walker"
        number = walker_number(user.blueprint)
        is_named = user.blueprint in self._named
        if kind in ("walker", "child") or (is_named and number is not None):
            return self._walker(user, kind, number if is_named else None)
        model = self._named[user.blueprint].model if is_named else self._vehicle(user, kind)
        turn = self._turn("color")
        color = model.colors[turn % len(model.colors)]
        name, uid, attributes = self._release.vehicle(model, color, role)
        # Releases that find the class by the name take any number of its kind (format reference 6.4).
        chosen_uid = uid or self._uid(HERO_MODEL)
        return Choice(name, chosen_uid, attributes, model, _box(user, model), is_exact=is_named)

    def _walker(self, user: RoadUser, kind: str, number: int | None) -> Choice:
        model = CHILD if kind == "child" else ADULT
        is_exact = number is not None
        if number is None:
            numbers = self._release.walkers_of(model)
            number = numbers[self._turn(kind) % len(numbers)]
        name, uid, attributes = self._release.walker(number)
        return Choice(name, uid, attributes, model, _box(user, model), is_exact=is_exact)

    def _vehicle(self, user: RoadUser, kind: str) -> Model:
        """The model nearest in size; without a size, those of the kind in turn."""
        usual = [model for model in CARS if model in self._models.get(kind, ())]
        if not isfinite(user.length) and not isfinite(user.width):
            models = usual or self._of_kind(kind)
            return models[self._turn(kind) % len(models)]
        models = self._of_kind(kind)

        def difference(model: Model) -> float:
            # Half sizes of models are centimetres.
            apart = 0.0
            for half, size in ((model.half_length, user.length), (model.half_width, user.width)):
                if isfinite(size):
                    apart = hypot(apart, half / 50 - size)
            return apart

        return min(models, key=difference)

    def _of_kind(self, kind: str) -> Sequence[Model]:
        for other in _NEXT_KINDS[kind]:
            if other in self._models:
                return self._models[other]
        return [HERO_MODEL]

    def _turn(self, kind: str) -> int:
        """How many were chosen of a kind before."""
        turn = self._turns.get(kind, 0)
        self._turns[kind] = turn + 1
        return turn


def _box(user: RoadUser, model: Model) -> tuple[float, float, float]:
    sizes = []
    for size, half in (
        (user.length, model.half_length),
        (user.width, model.half_width),
        (user.height, model.half_height),
    ):
        sizes.append(size / 2 if isfinite(size) else half / 100)
    return (sizes[0], sizes[1], sizes[2])
