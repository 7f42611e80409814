"""CARLA's blueprints of vehicles, walkers, sensors and props, with their names and attributes in each release.

`resources/blueprints.json` has them. Sizes, masses and most uids of the `models` and of `sensors and props` are from
real recordings; the uid of one that no recording holds is a plausible one. Of `other models` and `props` only what is
known is there: without a size they are as large as is typical of their kind, without a uid (since 0.9.12, in 0.9.10,
before) it has to be given. Each attribute comes with the first and the last era of a `Release` that has it, and its
value where that is always the same.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ... import resources
from ...errors import EditError, say
from ...format import Dialect
from ...recording import Actors, Life, Snapshot
from ...recording.event_index import class_of
from ..actors.describing import uid_of

Attributes = Sequence[tuple[Any, str, str]]
"""Type, name and value; the type by its name, or the number that a recording has for it."""


_SIDES = ("half_length", "half_width", "half_height")


class Model(NamedTuple):
    """A vehicle or walker model.

    Fields: blueprint since 0.9.12, before it, and in UE5; uids since 0.9.12, in 0.9.10 and before; class; half
    sizes (cm); mass (kg); colours; `special`: `electric`, `doors` (that open), or empty; whether it has lights.
    """

    name: str
    old_name: str
    new_name: str
    uids: Sequence[int | None]
    kind: str
    half_length: float
    half_width: float
    half_height: float
    mass: float
    colors: Sequence[str]
    special: str = ""
    has_lights: bool = True

    @property
    def is_two_wheeler(self) -> bool:
        """Whether it is a motorcycle or a bicycle."""
        return self.kind in ("motorcycle", "bicycle")

    @property
    def box(self) -> tuple[float, ...]:
        """Centre and half sizes of its BoundingBox, cm."""
        return 0.0, 0.0, self.half_height - self.above, self.half_length, self.half_width, self.half_height

    @property
    def above(self) -> float:
        """How far its origin is above the ground, cm: that of a walker is its middle."""
        return self.half_height if self.kind == "walker" else 0.0

    @property
    def wheelbase(self) -> float:
        """Metres between the axles."""
        return 0.012 * self.half_length

    @property
    def drive(self) -> tuple[float, float, int]:
        """Wheel radius (m), maximum engine speed (rpm), number of forward gears."""
        kinds = {"truck": (0.46, 4500.0, 5), "motorcycle": (0.31, 11000.0, 6), "bicycle": (0.333, 1000.0, 10)}
        return kinds.get(self.kind, (0.355, 13000.0, 1) if self.special == "electric" else (0.355, 6200.0, 6))


_TABLE = resources.table("blueprints")
HERO_MODEL, *CARS, MOTORCYCLE, CENTURY, OMAFIETS, ADULT, CHILD = (Model(**each) for each in _TABLE["models"])
BICYCLES = (CENTURY, OMAFIETS)
CHILDREN, ADULTS = range(9, 15), (*range(1, 9), *range(15, 30))  # of walker.pedestrian.NNNN
TYPICAL_SIZES: Mapping[str, Sequence[float]] = _TABLE["typical sizes"]
"""Length, width and height in metres where none were recorded, by category of OpenSCENARIO."""
DRIVERS: Mapping[str, Sequence[float]] = _TABLE["drivers"]
"""By kind the slowest and the fastest (m/s), acceleration (m/s2), gap at standstill (m)."""
KINDS: Mapping[str, str] = {"vehicle": "car", "two-wheeler": "bicycle", "walker": "walker", "prop": "prop"}
"""The usual kind of a class of actors that can be added."""
LIMBS: Sequence[tuple[str, float, float]] = _TABLE["limbs"]
"""Bones of walkers: name, share of the swing, y (cm)."""
PROPS = ("static.prop.bench01", "static.prop.bin", "static.prop.plantpot01")


class Release(NamedTuple):
    """Blueprints in a release.

    Fields: `era` (0 before 0.9.10, 1 from 0.9.10, 2 from 0.9.12, 3 from 0.9.15) and whether it is `ue5`. The methods
    return a blueprint, its uid and its attributes.
    """

    era: int
    ue5: bool

    @classmethod
    def of(cls, dialect: Dialect) -> "Release":
        """The release of a dialect."""
        eras = {"ue4-0.9.4": 0, "ue4-0.9.6": 0, "ue4-0.9.10": 1, "ue4-0.9.12": 2, "ue4-0.9.14": 2}
        return cls(eras.get(dialect.name, 3), dialect.wide)

    def name_of(self, model: Model) -> str:
        """The blueprint of a vehicle model; empty if the release has none."""
        return model.new_name if self.ue5 else model.name if self.era >= 2 else model.old_name

    def uid_of(self, model: Model) -> int | None:
        """The uid of a vehicle model; None if it is not known."""
        return dict(enumerate(model.uids)).get(max(0, 2 - self.era))

    def vehicle(self, model: Model, color: str, role: str) -> tuple[str, int | None, Attributes]:
        """A vehicle of a model and colour."""
        name = self.name_of(model)
        doors = model.special == "doors"
        values = {
            "has_lights": "true" if model.has_lights else "false",
            "generation": "2" if doors else "1",
            "has_dynamic_doors": "true" if doors else "false",
            "number_of_wheels": "2" if model.is_two_wheeler else "4",
            "base_type": model.kind,
            "special_type": model.special.removeprefix("doors"),
        }
        values |= {"color": color, "ros_name": name, "role_name": role}
        values |= {"driver_id": "4"} if model.is_two_wheeler else {}
        return name, self.uid_of(model), self._attributes("vehicle", values)

    def walker(self, number: int) -> tuple[str, int, Attributes]:
        """The walker of a number, from 1."""
        name = f"walker.pedestrian.{number:04d}"
        values = {
            "gender": "female" if number % 3 else "male",
            "age": "child" if number in CHILDREN else "adult",
            "generation": "1" if number < 15 else "2",
            "ros_name": name,
        }
        return name, number + (34, 36, 58, 60)[self.era], self._attributes("walker", values)

    def other(self, name: str, role: str) -> tuple[str, int | None, Attributes]:
        """A sensor or a prop."""
        said = _TABLE["sensors and props"].get(name, {"uids": [None] * 3, "attributes": []})
        named = self._attributes("other", {"ros_name": name, "role_name": role})
        return name, said["uids"][min(self.era, 2)], [*said["attributes"], *named]

    def _attributes(self, kind: str, values: Mapping[str, str]) -> Attributes:
        """The attributes that the release has: with these values, or the one of the table; without either, left out."""
        known = (words for first, last, *words in _TABLE["attributes"][kind] if first <= self.era <= last)
        return [(of, name, values.get(name, value)) for of, name, value in known if name in values or value is not None]

    def blueprints(self) -> Iterator["Blueprint"]:
        """The blueprints of vehicles, walkers and props of the release."""
        for model in (HERO_MODEL, *CARS, MOTORCYCLE, *BICYCLES, *_OTHERS):
            if self.name_of(model):
                yield Blueprint(*self.vehicle(model, model.colors[0], ""), model)
        for number in range(1, _TABLE["walkers"][self.era] + 1):
            yield Blueprint(*self.walker(number), CHILD if number in CHILDREN else ADULT)
        for prop in _TABLE["props"]:
            yield Blueprint(*self.other(f"static.prop.{prop}", ""), typical_model(kind="prop"))


class Blueprint(NamedTuple):
    """A blueprint that actors can be added of.

    Fields: `name`, `uid` in the release (None: not known), `attributes`, `model` (its kind is `prop`, too), a `life` of
    the recording that has it (None: none).
    """

    name: str
    uid: int | None
    attributes: Attributes
    model: Model
    life: Life | None = None


def typical_model(**known: Any) -> Model:
    """A model that is as usual for its kind but for what is known of it."""
    kind = known.setdefault("kind", "car")
    usual = {"name": "", "old_name": "", "new_name": "", "uids": (), "colors": ("128,128,128",)}
    usual["mass"] = _TABLE["typical masses"].get(kind, 75.0)
    return Model(**usual | {side: 50 * size for side, size in zip(_SIDES, TYPICAL_SIZES[kind], strict=True)} | known)


_OTHERS = [typical_model(**each) for each in _TABLE["other models"]]


def catalogue(snapshot: Snapshot) -> Mapping[str, Blueprint]:
    """The blueprints that actors can be added of by name: those met in a recording first, then CARLA's.

    Sizes, uids and attributes are those of the recording's own actors where it has them.
    """
    actors, known = Actors.of(snapshot), {each.name: each for each in Release.of(snapshot.dialect).blueprints()}
    boxes = {at: box.extent for at, box in actors.boxes.items() if all(1.0 < half < 2000.0 for half in box.extent)}
    met: dict[str, Blueprint] = {}
    for life in sorted(actors, key=lambda life: life.index not in boxes):
        name = life.blueprint
        if life.class_ in KINDS and name not in met:
            one = known.get(name) or _unknown(life.class_, name, life.attribute("base_type"))
            half: Any = zip(_SIDES, boxes[life.index], strict=True) if life.index in boxes else ()
            met[name] = Blueprint(name, uid_of(snapshot, name), life.attributes, one.model._replace(**dict(half)), life)
    return {name: met[name] for name in sorted(met)} | {name: known[name] for name in sorted(known.keys() - met.keys())}


def _unknown(class_: str, name: str, kind: str | None = None) -> Blueprint:
    return Blueprint(name, None, (), typical_model(kind=kind if kind in DRIVERS else KINDS[class_]))


def blueprint_of(snapshot: Snapshot, name: str, uid: int | None = None) -> Blueprint:
    """A blueprint to add an actor of, with a uid. Raises `EditError` where there is none."""
    found, class_ = catalogue(snapshot).get(name), class_of(name, 0, {}, {})
    if found is None and (uid is None or class_ not in KINDS):
        raise EditError(say("edits.not_to_be_added", blueprint=name))
    found = found or _unknown(class_, name)
    if not uid and found.life is not None:
        uid = found.uid
    # The uid of the catalogue comes last: it is a number of other builds.
    chosen = uid or uid_of_kind(snapshot, name) or found.uid
    if not chosen:
        raise EditError(say("edits.unknown_uid", blueprint=name))
    return found._replace(uid=chosen)


def uid_of_kind(snapshot: Snapshot, name: str) -> int | None:
    """A uid in the recording of an actor of the same kind (`vehicle`, `walker`, `static`), if that is enough.

    Newer releases find the class by its name, and take the uid for what makes an actor of that kind (format reference
    6.4). None for others, and if the recording has no such actor.
    """
    if snapshot.dialect.header_version != 2 and snapshot.dialect.name != "ue5-2026":
        return None
    kind = name.partition(".")[0]
    uids = Counter(life.uid for life in Actors.of(snapshot) if life.uid and life.blueprint.partition(".")[0] == kind)
    return uids.most_common(1)[0][0] if uids else None
