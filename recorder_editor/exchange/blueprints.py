"""CARLA's blueprints of vehicles, walkers, sensors and props, with their names and attributes in each release.

`resources/blueprints.json` has them. Sizes, masses and most uids are from real recordings; the uid of a blueprint that
none holds is a plausible one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .. import resources
from ..format import Dialect, read_json

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


_TABLE = read_json(resources.path("blueprints.json").read_bytes(), unique=True)
HERO_MODEL, *CARS, MOTORCYCLE, CENTURY, OMAFIETS, ADULT, CHILD = (Model(**each) for each in _TABLE["models"])
BICYCLES = (CENTURY, OMAFIETS)
CHILDREN, ADULTS = range(9, 15), (*range(1, 9), *range(15, 30))  # of walker.pedestrian.NNNN
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
        special, doors = model.special.removeprefix("doors"), model.special == "doors"
        driver = [(2, "Int", "driver_id", "4")] if model.is_two_wheeler else []
        return (
            name,
            model.uids[max(0, 2 - self.era)],
            self._known(
                (3, "Bool", "has_lights", "true" if model.has_lights else "false"),
                (2, "Int", "generation", "2" if doors else "1"),
                (3, "Bool", "has_dynamic_doors", "true" if doors else "false"),
                (0, "Int", "number_of_wheels", "2" if model.is_two_wheeler else "4"),
                (3, "String", "base_type", model.kind),
                (3, "String", "special_type", special),
                (3, "String", "object_type", ""),
                (3, "Bool", "terramechanics", "false"),
                (0, "Bool", "sticky_control", "true"),
                *driver,
                *([(0, "String", "object_type", "")] if self.era < 3 else []),
                (0, "RGBColor", "color", color),
                (3, "String", "ros_name", name),
                (0, "String", "role_name", role),
            ),
        )

    def walker(self, number: int) -> tuple[str, int, Attributes]:
        """The walker of a number, from 1."""
        name = f"walker.pedestrian.{number:04d}"
        return (
            name,
            number + (34, 36, 58, 60)[self.era],
            self._known(
                (0, "String", "gender", "female" if number % 3 else "male"),
                (0, "Bool", "is_invincible", "false"),
                (0, "String", "age", "child" if number in CHILDREN else "adult"),
                (2, "Int", "generation", "1" if number < 15 else "2"),
                (3, "Bool", "can_use_wheelchair", "false"),
                (3, "String", "ros_name", name),
                (0, "String", "role_name", "pedestrian"),
            ),
        )

    def other(self, name: str, role: str) -> tuple[str, int, Attributes]:
        """A sensor or a prop."""
        said = _TABLE["sensors and props"][name]
        named = self._known((3, "String", "ros_name", name), (0, "String", "role_name", role))
        return name, said["uids"][min(self.era, 2)], [*said["attributes"], *named]

    def _known(self, *attributes: tuple[int, str, str, str]) -> Attributes:
        """The attributes that the release has; the first value of each is the era that added it."""
        return [(kind, name, value) for since, kind, name, value in attributes if since <= self.era]
