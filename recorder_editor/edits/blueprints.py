"""CARLA's blueprints of vehicles, walkers, sensors and props, with their names and attributes in each release.

`resources/blueprints.json` has them; its `eras` are the dialects with which names, attributes or uids changed. Sizes
and masses of the `models` are from real recordings, and so are the uids since 0.9.12 of those that are `recorded`; the
uid of one that no recording holds is a plausible one. Of `other models` and `props` only what is known is there (sizes
of those that no recording holds are from tables that users of CARLA measured and made public):
without a size they are as large as is typical of their kind, without a uid (since 0.9.12, in 0.9.10, before) it has to
be given. Names among `stand_ins` are those of another model, which the made-up town takes where a release does not have
the model. Walkers have a `count` of numbers in each era, and at the `most` so many (null: not known); their uids are
their numbers and what stands `before` them. Each attribute comes with the first and the last era of a `Release` that
has it, and its value where that is always the same.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .. import resources
from ..format import DIALECTS, Dialect
from ..format.dialects import release_numbers
from ..reading import Life

Attributes = Sequence[tuple[object, str, str]]
"""Type, name and value; the type by its name, or the number that a recording has for it."""


SIDES = ("half_length", "half_width", "half_height")


class Model(NamedTuple):
    """A vehicle or walker model.

    Fields: blueprint since 0.9.12, before it, and in UE5; uids since 0.9.12, in 0.9.10 and before; class; half
    sizes (cm); mass (kg); colours; `special`: `electric`, `doors` (that open), or empty; whether it has lights; whether
    its uid since 0.9.12 is from real recordings; which of the three names (by field) are those of another model.
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
    recorded: bool = False
    stand_ins: Sequence[str] = ()

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
        if self.kind == "walker":
            return self.half_height
        return 0.0

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
    `vehicle`, `walker` and `other` return a blueprint, its uid and its attributes.
    """

    era: int
    ue5: bool

    @classmethod
    def of(cls, dialect: Dialect) -> "Release":
        """The release of a dialect; a dialect that is not in the table is taken for the newest."""
        order = list(DIALECTS)
        if dialect.name in DIALECTS:
            last = order.index(dialect.name)
        else:
            last = len(order)
        firsts = [order.index(name) for name in _TABLE["eras"]]
        return cls(sum(first <= last for first in firsts) - 1, dialect.wide)

    @classmethod
    def all_of(cls, dialect: Dialect) -> tuple["Release", ...]:
        """The releases that a dialect stands for: several if a recording does not tell which one wrote it."""
        stock = DIALECTS.get(dialect.name)
        if stock is None or (stock.first, stock.last) == (dialect.first, dialect.last):
            return (cls.of(dialect),)
        order = []
        for each in DIALECTS.values():
            if each.engine == stock.engine:
                order.append(each)
        index = order.index(stock)
        first, last = release_numbers(dialect.first), release_numbers(dialect.last)
        before = []
        for each in order[:index]:
            if first and first <= release_numbers(each.last):
                before.append(each)
        after: list[Dialect] = []
        if dialect.last != stock.last:
            after = order[index + 1 :]
            if last:
                after = [each for each in after if release_numbers(each.first) and release_numbers(each.first) <= last]
        return tuple(dict.fromkeys(cls.of(each) for each in (*before, stock, *after)))

    @property
    def _name_field(self) -> str:
        """The field of `Model` that holds its name here."""
        if self.ue5:
            return "new_name"
        if self.era >= 2:
            return "name"
        return "old_name"

    def name_of(self, model: Model) -> str:
        """The blueprint of a vehicle model, or of one that stands in for it; empty if the release has none."""
        name: str = getattr(model, self._name_field)
        return name

    def own_name_of(self, model: Model) -> str:
        """The blueprint of a vehicle model itself; empty if the release has none."""
        if self._name_field in model.stand_ins:
            return ""
        return self.name_of(model)

    def model_of(self, name: str) -> Model | None:
        """The vehicle model of a blueprint of this release."""
        return next((model for model in MODELS if name and self.own_name_of(model) == name), None)

    def uid_of(self, model: Model) -> int | None:
        """The uid of a vehicle model, or of the one that stands in for it; None if it is not known.

        Models with one name have one uid: that of the model itself, else of the first one that it stands in for.
        """
        if self._name_field in model.stand_ins:
            name = self.name_of(model)
            same = []
            for each in (self.model_of(name), *MODELS):
                if each is not None and self.name_of(each) == name:
                    same.append(each)
            model = next((each for each in same if self._uid(each)), model)
        return self._uid(model)

    def _uid(self, model: Model) -> int | None:
        return dict(enumerate(model.uids)).get(max(0, 2 - self.era))

    # --- what is known of blueprints by name ------------------------------------------------------------

    def has(self, name: str) -> bool | None:
        """Whether the release has a blueprint; None if that is not known.

        That it has none is known of vehicles that other releases have, and of walkers with a number that is too large.
        """
        number = walker_number(name)
        if number is not None:
            most = _TABLE["walkers"]["most"][self.era]
            if number <= _TABLE["walkers"]["count"][self.era]:
                return True
            if most is not None and number > most:
                return False
            return None
        if name in _TABLE["sensors and props"] or name.removeprefix("static.prop.") in _TABLE["props"]:
            return True
        if self.model_of(name) is not None:
            return True
        if name in _VEHICLE_NAMES:
            return False
        return None

    def name_for(self, name: str, source: "Release") -> str:
        """The name that this release has for a blueprint of another one; empty if that is not known."""
        model = source.model_of(name) or _model_ever_named(name)
        if model is not None and self.own_name_of(model):
            return self.own_name_of(model)
        if self.has(name):
            return name
        return ""

    def uid(self, name: str) -> int | None:
        """The uid of a blueprint; None if it is not known, as those of Unreal 5."""
        if self.ue5:
            return None
        number = walker_number(name)
        model = self.model_of(name)
        if model is not None:
            return self.uid_of(model)
        if number is not None:
            if self.has(name) is not False:
                return self.walker(number)[1]
            return None
        return self.other(name, "")[1]

    def recorded_uid(self, name: str) -> int | None:
        """The uid of a vehicle that real recordings of this era hold; None for others."""
        if self.ue5 or self.era < 2:
            model = None
        else:
            model = self.model_of(name)
        if model is not None and model.recorded:
            return self.uid_of(model)
        return None

    def walkers_of(self, model: Model) -> Sequence[int]:
        """The numbers of walkers, children or adults, without those that the release is known to lack."""
        numbers = CHILDREN if model is CHILD else ADULTS
        return [number for number in numbers if self.has(walker_name(number)) is not False]

    def alternatives(self, name: str, source: "Release", attributes: Mapping[str, str]) -> list[str]:
        """Blueprints of the release that can stand in for one that it lacks, the nearest one first.

        Args:
            name: A vehicle or a walker of another release.
            source: That release.
            attributes: Attributes of an actor of it, as far as they are known.

        Returns:
            Vehicles: those of its kind first, then those with as many wheels, then by the size of the box. Walkers:
            those of its age first, then those of its gender. Without those whose uid is not known where that makes the
            actor. None for others.
        """
        number = walker_number(name)
        model = source.model_of(name) or _model_ever_named(name)
        if number is not None:
            return self._walkers_like(number, attributes)
        if model is None:
            return []
        two_wheels = attributes.get("number_of_wheels", "2" if model.is_two_wheeler else "4") == "2"
        kind = attributes.get("base_type") or model.kind

        def distance(each: Model) -> tuple[bool, bool, float, str]:
            sides = zip(each.box[3:], model.box[3:], strict=True)
            apart = sum(abs(its - mine) for its, mine in sides)
            return each.is_two_wheeler != two_wheels, each.kind != kind, apart, self.own_name_of(each)

        known = [each for each in MODELS if self.own_name_of(each) and (self.ue5 or self.uid_of(each))]
        return [self.own_name_of(each) for each in sorted(known, key=distance)]

    def _walkers_like(self, number: int, attributes: Mapping[str, str]) -> list[str]:
        own = {key: value for _, key, value in self.walker(number)[2]} | dict(attributes)

        def distance(each: int) -> tuple[bool, bool, int]:
            its = {key: value for _, key, value in self.walker(each)[2]}
            return its["age"] != own["age"], its["gender"] != own["gender"], each

        numbers = range(1, _TABLE["walkers"]["count"][self.era] + 1)
        return [walker_name(each) for each in sorted(numbers, key=distance)]

    @property
    def vehicle_uids(self) -> range:
        """The uids that vehicles have for sure, as real recordings of this era hold them: vehicles come first."""
        if self.ue5 or self.era < 2:
            return range(0)
        known = []
        for model in MODELS:
            if model.recorded:
                known.append(self.uid_of(model) or 0)
        return range(1, max(known) + 1)

    # --- blueprints with their attributes ---------------------------------------------------------------

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
        if model.is_two_wheeler:
            values |= {"driver_id": "4"}
        else:
            values |= {}
        return name, self.uid_of(model), self._attributes("vehicle", values)

    def walker(self, number: int) -> tuple[str, int, Attributes]:
        """The walker of a number, from 1."""
        name = walker_name(number)
        values = {
            "gender": "female" if number % 3 else "male",
            "age": "child" if number in CHILDREN else "adult",
            "generation": "1" if number < 15 else "2",
            "ros_name": name,
        }
        return name, number + _TABLE["walkers"]["before"][self.era], self._attributes("walker", values)

    def other(self, name: str, role: str) -> tuple[str, int | None, Attributes]:
        """A sensor or a prop."""
        said = _TABLE["sensors and props"].get(name, {"uids": [None], "attributes": []})
        named = self._attributes("other", {"ros_name": name, "role_name": role})
        # The last uid is that of all later eras.
        return name, said["uids"][: self.era + 1][-1], [*said["attributes"], *named]

    def _attributes(self, kind: str, values: Mapping[str, str]) -> Attributes:
        """The attributes that the release has: with these values, or the one of the table; without either, left out."""
        known = (words for first, last, *words in _TABLE["attributes"][kind] if first <= self.era <= last)
        return [(of, name, values.get(name, value)) for of, name, value in known if name in values or value is not None]

    def blueprints(self) -> Iterator["Blueprint"]:
        """The blueprints of vehicles, walkers and props of the release."""
        for model in MODELS:
            if self.own_name_of(model):
                yield Blueprint(*self.vehicle(model, model.colors[0], ""), model)
        for number in range(1, _TABLE["walkers"]["count"][self.era] + 1):
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
    return Model(**usual | {side: 50 * size for side, size in zip(SIDES, TYPICAL_SIZES[kind], strict=True)} | known)


MODELS = (HERO_MODEL, *CARS, MOTORCYCLE, *BICYCLES, *(typical_model(**each) for each in _TABLE["other models"]))
"""Vehicles."""
_VEHICLE_NAMES = frozenset(name for model in MODELS for name in (model.name, model.old_name, model.new_name) if name)


def _model_ever_named(name: str) -> Model | None:
    """The vehicle model that a blueprint is in some release."""
    for model in MODELS:
        own = (each for each in ("name", "old_name", "new_name") if each not in model.stand_ins)
        if name and name in (getattr(model, each) for each in own):
            return model
    return None


def walker_name(number: int) -> str:
    """The blueprint of a walker by its number, from 1."""
    return f"walker.pedestrian.{number:04d}"


def walker_number(name: str) -> int | None:
    """The number of a walker by its blueprint, from 1; None for others."""
    found = re.fullmatch(r"walker\.pedestrian\.(\d{4})", name, re.ASCII)
    if found:
        return int(found[1]) or None
    return None
