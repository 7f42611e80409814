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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
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

    Attributes:
        name: Its blueprint since 0.9.12.
        old_name: Its blueprint before 0.9.12.
        new_name: Its blueprint in UE5.
        uids: Since 0.9.12, in 0.9.10, and before.
        kind: Its class.
        half_length: cm.
        half_width: cm.
        half_height: cm.
        mass: kg.
        colors: Its colours.
        special: `electric`, `doors` (that open), or empty.
        has_lights: Whether it has lights.
        recorded: Whether its uid since 0.9.12 is from real recordings.
        stand_ins: Which of the three names (by field) are those of another model.
        is_measured: Whether its size is known, and not only that of its kind.
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
    is_measured: bool = True

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
        if self.kind == "truck":
            return (0.46, 4500.0, 5)
        if self.kind == "motorcycle":
            return (0.31, 11000.0, 6)
        if self.kind == "bicycle":
            return (0.333, 1000.0, 10)
        if self.special == "electric":
            return (0.355, 13000.0, 1)
        return (0.355, 6200.0, 6)


_TABLE = resources.table("blueprints")
HERO_MODEL, *CARS, MOTORCYCLE, CENTURY, OMAFIETS, ADULT, CHILD = [Model(**fields) for fields in _TABLE["models"]]
BICYCLES = (CENTURY, OMAFIETS)
CHILDREN = range(9, 15)  # of walker.pedestrian.NNNN
ADULTS = (*range(1, 9), *range(15, 30))
TYPICAL_SIZES: Mapping[str, Sequence[float]] = _TABLE["typical sizes"]
"""Length, width and height in metres where none were recorded, by category of OpenSCENARIO."""
TYPICAL_MASSES: Mapping[str, float] = _TABLE["typical masses"]
"""Of vehicles, kg, by kind."""
DRIVERS: Mapping[str, Sequence[float]] = _TABLE["drivers"]
"""By kind the slowest and the fastest (m/s), acceleration (m/s2), gap at standstill (m)."""
KINDS: Mapping[str, str] = {"vehicle": "car", "two-wheeler": "bicycle", "walker": "walker", "prop": "prop"}
"""The usual kind of a class of actors that can be added."""
LIMBS: Sequence[tuple[str, float, float]] = _TABLE["limbs"]
"""Bones of walkers: name, share of the swing, y (cm)."""
PROPS = ("static.prop.bench01", "static.prop.bin", "static.prop.plantpot01")


class Release(NamedTuple):
    """Blueprints in a release.

    The methods `vehicle`, `walker` and `other` return a blueprint, its uid and its attributes.

    Attributes:
        era: 0 before 0.9.10, 1 from 0.9.10, 2 from 0.9.12, 3 from 0.9.15.
        ue5: Whether it is of Unreal Engine 5.
    """

    era: int
    ue5: bool

    @classmethod
    def of(cls, dialect: Dialect) -> "Release":
        """Return the release of a dialect; a dialect that is not in the table is taken for the newest."""
        order = list(DIALECTS)
        last = len(order)
        if dialect.name in DIALECTS:
            last = order.index(dialect.name)
        era = -1
        for name in _TABLE["eras"]:
            if order.index(name) <= last:
                era += 1
        return cls(era=era, ue5=dialect.wide)

    @classmethod
    def all_of(cls, dialect: Dialect) -> tuple["Release", ...]:
        """Return the releases that a dialect stands for: several if a recording does not tell which one wrote it."""
        stock = DIALECTS.get(dialect.name)
        if stock is None or (stock.first, stock.last) == (dialect.first, dialect.last):
            return (cls.of(dialect),)
        of_engine = [other for other in DIALECTS.values() if other.engine == stock.engine]
        index = of_engine.index(stock)
        first = release_numbers(dialect.first)
        last = release_numbers(dialect.last)
        dialects: list[Dialect] = []
        for earlier in of_engine[:index]:
            if first and first <= release_numbers(earlier.last):
                dialects.append(earlier)
        dialects.append(stock)
        if dialect.last != stock.last:
            for later in of_engine[index + 1 :]:
                later_first = release_numbers(later.first)
                if not last or (later_first and later_first <= last):
                    dialects.append(later)
        return tuple(dict.fromkeys(map(cls.of, dialects)))

    @property
    def _name_field(self) -> str:
        """The field of `Model` that holds its name here."""
        if self.ue5:
            return "new_name"
        if self.era >= 2:
            return "name"
        return "old_name"

    def name_of(self, model: Model) -> str:
        """Return the blueprint of a vehicle model, or of one that stands in for it; empty if the release has none."""
        name: str = getattr(model, self._name_field)
        return name

    def own_name_of(self, model: Model) -> str:
        """Return the blueprint of a vehicle model itself; empty if the release has none."""
        if self._name_field in model.stand_ins:
            return ""
        return self.name_of(model)

    def model_of(self, name: str) -> Model | None:
        """Return the vehicle model of a blueprint of this release, or None."""
        if not name:
            return None
        for model in MODELS:
            if self.own_name_of(model) == name:
                return model
        return None

    def uid_of(self, model: Model) -> int | None:
        """Return the uid of a vehicle model, or of the one that stands in for it; None if it is not known.

        Models with one name have one uid: that of the model itself, else of the first one that it stands in for.
        """
        if self._name_field not in model.stand_ins:
            return self._uid(model)
        name = self.name_of(model)
        for other in (self.model_of(name), *MODELS):
            if other is not None and self.name_of(other) == name and self._uid(other):
                return self._uid(other)
        return self._uid(model)

    def _uid(self, model: Model) -> int | None:
        """Return the uid of a model in this era; None if it is not known."""
        index = max(0, 2 - self.era)
        if index < len(model.uids):
            return model.uids[index]
        return None

    # --- what is known of blueprints by name ------------------------------------------------------------

    def has(self, name: str) -> bool | None:
        """Return whether the release has a blueprint; None if that is not known.

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
        """Return the name that this release has for a blueprint of another one; empty if that is not known."""
        model = source.model_of(name) or _model_ever_named(name)
        if model is not None and self.own_name_of(model):
            return self.own_name_of(model)
        if self.has(name):
            return name
        return ""

    def uid(self, name: str) -> int | None:
        """Return the uid of a blueprint; None if it is not known, as those of Unreal 5."""
        if self.ue5:
            return None
        number = walker_number(name)
        model = self.model_of(name)
        if model is not None:
            return self.uid_of(model)
        if number is not None:
            if self.has(name) is False:
                return None
            _, uid, _ = self.walker(number)
            return uid
        _, other_uid, _ = self.other(name, "")
        return other_uid

    def recorded_uid(self, name: str) -> int | None:
        """Return the uid of a vehicle that real recordings of this era hold; None for others."""
        if self.ue5 or self.era < 2:
            return None
        model = self.model_of(name)
        if model is not None and model.recorded:
            return self.uid_of(model)
        return None

    def walkers_of(self, model: Model) -> Sequence[int]:
        """Return the numbers of walkers, children or adults, without those that the release is known to lack."""
        numbers = CHILDREN if model is CHILD else ADULTS
        return [number for number in numbers if self.has(walker_name(number)) is not False]

    def alternatives(self, name: str, source: "Release", attributes: Mapping[str, str]) -> list[str]:
        """Return blueprints of the release that can stand in for one that it lacks, the nearest one first.

        Args:
            name: A vehicle or a walker of another release.
            source: That release.
            attributes: Attributes of an actor of it, as far as they are known.

        Returns:
            Vehicles: those of its kind first, then those with as many wheels, then by the size of the box. Walkers:
            those of its age first, then those of its gender. Without those with an unknown uid where that makes the
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

        def distance(other: Model) -> tuple[bool, bool, float, str]:
            apart = (
                abs(other.half_length - model.half_length)
                + abs(other.half_width - model.half_width)
                + abs(other.half_height - model.half_height)
            )
            return other.is_two_wheeler != two_wheels, other.kind != kind, apart, self.own_name_of(other)

        usable: list[Model] = []
        for other in MODELS:
            if self.own_name_of(other) and (self.ue5 or self.uid_of(other)):
                usable.append(other)
        usable.sort(key=distance)
        return [self.own_name_of(other) for other in usable]

    def _walkers_like(self, number: int, attributes: Mapping[str, str]) -> list[str]:
        """Return all walkers of the release, those like the walker of a number and attributes first."""
        wanted = self._walker_values(number) | dict(attributes)

        def distance(other: int) -> tuple[bool, bool, int]:
            values = self._walker_values(other)
            return values["age"] != wanted["age"], values["gender"] != wanted["gender"], other

        numbers = range(1, _TABLE["walkers"]["count"][self.era] + 1)
        return [walker_name(other) for other in sorted(numbers, key=distance)]

    def _walker_values(self, number: int) -> dict[str, str]:
        """Return the attributes of a walker by name."""
        _, _, attributes = self.walker(number)
        return {name: value for _, name, value in attributes}

    @property
    def vehicle_uids(self) -> range:
        """The uids that vehicles have for sure, as real recordings of this era hold them: vehicles come first."""
        if self.ue5 or self.era < 2:
            return range(0)
        uids = [self.uid_of(model) or 0 for model in MODELS if model.recorded]
        return range(1, max(uids) + 1)

    # --- blueprints with their attributes ---------------------------------------------------------------

    def vehicle(self, model: Model, color: str, role: str) -> tuple[str, int | None, Attributes]:
        """Return a vehicle of a model and colour with a role name."""
        name = self.name_of(model)
        doors = model.special == "doors"
        values = {
            "has_lights": "true" if model.has_lights else "false",
            "generation": "2" if doors else "1",
            "has_dynamic_doors": "true" if doors else "false",
            "number_of_wheels": "2" if model.is_two_wheeler else "4",
            "base_type": model.kind,
            "special_type": model.special.removeprefix("doors"),
            "color": color,
            "ros_name": name,
            "role_name": role,
        }
        if model.is_two_wheeler:
            values["driver_id"] = "4"
        return name, self.uid_of(model), self._attributes("vehicle", values)

    def walker(self, number: int) -> tuple[str, int, Attributes]:
        """Return the walker of a number, from 1."""
        name = walker_name(number)
        values = {
            "gender": "female" if number % 3 else "male",
            "age": "child" if number in CHILDREN else "adult",
            "generation": "1" if number < 15 else "2",
            "ros_name": name,
        }
        return name, number + _TABLE["walkers"]["before"][self.era], self._attributes("walker", values)

    def other(self, name: str, role: str) -> tuple[str, int | None, Attributes]:
        """Return a sensor or a prop with a role name."""
        spec = _TABLE["sensors and props"].get(name, {"uids": [None], "attributes": []})
        attributes = list(spec["attributes"])
        attributes.extend(self._attributes("other", {"ros_name": name, "role_name": role}))
        # The last uid is that of all later eras.
        uids = spec["uids"]
        return name, uids[min(self.era, len(uids) - 1)], attributes

    def _attributes(self, kind: str, values: Mapping[str, str]) -> Attributes:
        """Return the attributes that the release has, with these values, or those of the table."""
        attributes: list[tuple[object, str, str]] = []
        for first, last, type_, name, value in _TABLE["attributes"][kind]:
            if not first <= self.era <= last:
                continue
            value = values.get(name, value)
            if value is not None:
                attributes.append((type_, name, value))
        return attributes

    def blueprints(self) -> Iterator["Blueprint"]:
        """Yield the blueprints of vehicles, walkers and props of the release."""
        for model in MODELS:
            if self.own_name_of(model):
                name, uid, attributes = self.vehicle(model, model.colors[0], "")
                yield Blueprint(name=name, uid=uid, attributes=attributes, model=model)
        for number in range(1, _TABLE["walkers"]["count"][self.era] + 1):
            model = CHILD if number in CHILDREN else ADULT
            name, uid, attributes = self.walker(number)
            yield Blueprint(name=name, uid=uid, attributes=attributes, model=model)
        for prop in _TABLE["props"]:
            name, uid, attributes = self.other(f"static.prop.{prop}", "")
            yield Blueprint(name=name, uid=uid, attributes=attributes, model=typical_model(kind="prop"))


class Blueprint(NamedTuple):
    """A blueprint that actors can be added of.

    Attributes:
        name: Its name.
        uid: In the release; None: not known.
        attributes: Its attributes.
        model: Its model; the kind is `prop`, too.
        life: A life of the recording that has it; None: there is none.
    """

    name: str
    uid: int | None
    attributes: Attributes
    model: Model
    life: Life | None = None


def attribute_type(name: str, value: str) -> str:
    """Return the name of the type of an attribute: that of the catalogue, else the one that the value looks like."""
    known = _attribute_types().get(name)
    if known is not None:
        return known
    if value in ("true", "false"):
        return "Bool"
    if re.fullmatch(r"-?\d{1,9}", value):
        return "Int"
    if re.fullmatch(r"-?\d+\.\d+", value):
        return "Float"
    if re.fullmatch(r"\d{1,3},\d{1,3},\d{1,3}", value):
        return "RGBColor"
    return "String"


@cache
def _attribute_types() -> Mapping[str, str]:
    """The names of the types of the attributes in the table, by the names of these."""
    types: dict[str, str] = {}
    for attributes in _TABLE["attributes"].values():
        for _, _, type_, name, _ in attributes:
            types[name] = type_
    for spec in _TABLE["sensors and props"].values():
        for type_, name, _ in spec["attributes"]:
            types[name] = type_
    return types


def typical_model(**known: Any) -> Model:
    """Return a model that is as usual for its kind but for the fields that are known of it."""
    kind = known.setdefault("kind", "car")
    fields: dict[str, Any] = {"name": "", "old_name": "", "new_name": "", "uids": (), "colors": ("128,128,128",)}
    fields["mass"] = TYPICAL_MASSES.get(kind, 75.0)
    fields["is_measured"] = all(side in known for side in SIDES)
    for side, size in zip(SIDES, TYPICAL_SIZES[kind], strict=True):
        fields[side] = 50 * size  # half of it, in cm
    return Model(**fields | known)


_OTHER_MODELS = [typical_model(**fields) for fields in _TABLE["other models"]]
MODELS = (HERO_MODEL, *CARS, MOTORCYCLE, *BICYCLES, *_OTHER_MODELS)
"""Vehicles."""
_NAME_FIELDS = ("name", "old_name", "new_name")


def _names_of(models: Iterable[Model]) -> frozenset[str]:
    """Return the blueprints of models in all releases."""
    names: set[str] = set()
    for model in models:
        names.update((model.name, model.old_name, model.new_name))
    return frozenset(names - {""})


_VEHICLE_NAMES = _names_of(MODELS)


@cache
def _model_ever_named(name: str) -> Model | None:
    """Return the vehicle model that a blueprint is in some release, or None."""
    if not name:
        return None
    for model in MODELS:
        for field in _NAME_FIELDS:
            if field not in model.stand_ins and getattr(model, field) == name:
                return model
    return None


def kind_of(life: Life) -> str:
    """Return the kind of a road user: `car`, `van`, `truck`, `bus`, `motorcycle`, `bicycle` or `walker`.

    A vehicle is what its attribute `base_type` says (since 0.9.14), else what CARLA's blueprint of its name is, else
    what is usual for its class: a car, or a bicycle if it has two wheels.

    Raises:
        KeyError: It is no road user.
    """
    usual = KINDS[life.class_]
    if usual not in ("car", "bicycle"):
        return usual
    base_type = (life.attribute("base_type") or "").lower()
    if base_type in TYPICAL_MASSES:
        return base_type
    model = _model_ever_named(life.blueprint)
    if model is not None:
        return model.kind
    return usual


def model_of_life(life: Life) -> Model:
    """Return the model of a road user; one as is typical of its kind if the catalogue has none.

    Raises:
        KeyError: It is no road user.
    """
    kind = kind_of(life)
    if kind == "walker":
        number = walker_number(life.blueprint)
        if life.attribute("age") == "child" or number in CHILDREN:
            return CHILD
        return ADULT
    model = _model_ever_named(life.blueprint)
    if model is not None:
        return model
    return typical_model(kind=kind)


def walker_name(number: int) -> str:
    """Return the blueprint of a walker by its number, from 1."""
    return f"walker.pedestrian.{number:04d}"


def walker_number(name: str) -> int | None:
    """Return the number of a walker by its blueprint, from 1; None for others."""
    match = re.fullmatch(r"walker\.pedestrian\.(\d{4})", name, re.ASCII)
    if match:
        return int(match[1]) or None
    return None
