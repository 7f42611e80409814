"""CARLA's blueprints of vehicles, walkers, sensors and props, with their names and attributes in each release.

`resources/blueprints.json` has them. Sizes, masses and most uids are from real recordings; the uid of a blueprint that
none holds is a plausible one. Each attribute comes with the first and the last era of a `Release` that has it, and its
value where that is always the same.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .. import resources
from ..format import Dialect

Attributes = Sequence[tuple[str, str, str]]


class Model(NamedTuple):
    """A vehicle or walker model.

    Fields: blueprint since 0.9.12, before it, and in UE5; uids since 0.9.12, in 0.9.10 and before; class; half
    sizes (cm); mass (kg); colours; `special`: `electric`, `doors` (that open), or empty; whether it has lights.
    """

    name: str
    old_name: str
    new_name: str
    uids: Sequence[int]
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
LIMBS: Sequence[tuple[str, float, float]] = _TABLE["limbs"]
"""Bones of walkers: name, share of the swing, y (cm)."""
PROPS = ("static.prop.bench01", "static.prop.bin", "static.prop.plantpot01")


class Release(NamedTuple):
    """Blueprints in a release.

    Fields: `era` (0 before 0.9.10, 1 from 0.9.10, 2 from 0.9.12, 3 from 0.9.15) and whether it is `ue5`. The methods
    return a blueprint, its uid and its attributes, which are (type, name, value).
    """

    era: int
    ue5: bool

    @classmethod
    def of(cls, dialect: Dialect) -> "Release":
        """The release of a dialect."""
        eras = {"ue4-0.9.4": 0, "ue4-0.9.6": 0, "ue4-0.9.10": 1, "ue4-0.9.12": 2, "ue4-0.9.14": 2}
        return cls(eras.get(dialect.name, 3), dialect.wide)

    def vehicle(self, model: Model, color: str, role: str) -> tuple[str, int, Attributes]:
        """A vehicle of a model and colour."""
        name = model.new_name if self.ue5 else model.name if self.era >= 2 else model.old_name
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
        return name, model.uids[max(0, 2 - self.era)], self._attributes("vehicle", values)

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

    def other(self, name: str, role: str) -> tuple[str, int, Attributes]:
        """A sensor or a prop."""
        said = _TABLE["sensors and props"][name]
        named = self._attributes("other", {"ros_name": name, "role_name": role})
        return name, said["uids"][min(self.era, 2)], [*said["attributes"], *named]

    def _attributes(self, kind: str, values: Mapping[str, str]) -> Attributes:
        """The attributes that the release has: with these values, or the one of the table; without either, left out."""
        known = (words for first, last, *words in _TABLE["attributes"][kind] if first <= self.era <= last)
        return [(of, name, values.get(name, value)) for of, name, value in known if name in values or value is not None]
