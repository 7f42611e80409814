"""CARLA's blueprints of vehicles, walkers, sensors and props, with their names and attributes in each release.

Sizes, masses and most uids are from real recordings; the uid of a blueprint that none holds is a plausible one.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..format.dialects import Dialect

Attributes = Sequence[tuple[str, str, str]]


class Model(NamedTuple):
    """A vehicle or walker model.

    Fields: blueprint since 0.9.12, before it, and in UE5; uids since 0.9.12, in 0.9.10 and before; class; half
    sizes (cm); mass (kg); colours; `special`: `electric`, `doors` (that open), or empty.
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
    special: str

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


_MODELS = """
lincoln.mkz_2017 lincoln.mkz2017 lincoln.mkz 26 26 19 car 245.1 106.4 75.5 1696 16,16,16
tesla.model3 = ue4.bmw.grantourer 24 24 16 car 239.6 108.2 74.4 1845 17,37,103;140,0,0 electric
audi.tt = ue4.audi.tt 2 2 2 car 209.1 99.7 69.3 1430 0,39,105;255,0,0
dodge.charger_2020 dodge_charger.police dodge.charger 30 8 8 car 250.4 94.9 76.6 1920 211,142,0;90,12,12 doors
toyota.prius = ue4.ford.crown 15 15 17 car 225.7 100.3 76.2 1375 215,255,143;255,0,0 electric
nissan.micra = mini.cooper 12 12 12 car 181.7 92.3 75.1 1040 187,0,0;235,239,235
mercedes.sprinter volkswagen.t2 sprinter.mercedes 37 20 20 van 295.8 99.4 128.0 2400 115,115,115 doors
audi.etron = nissan.patrol 22 22 13 car 242.8 101.6 82.5 2490 168,0,27;33,33,33 electric
mini.cooper_s_2021 mini.cooperst mini.cooper 35 11 11 car 227.6 104.9 88.4 1310 215,88,0;20,60,30 doors
chevrolet.impala = ue4.chevrolet.impala 6 6 6 car 267.9 101.7 70.5 1610 61,86,143;209,176,101
ford.mustang mustang.mustang ue4.ford.mustang 27 27 20 car 235.9 94.7 65.1 1650 85,0,0;30,60,120
volkswagen.t2_2021 volkswagen.t2 sprinter.mercedes 39 20 20 van 222.1 88.7 99.4 1105 158,40,82;0,33,5 doors
mercedes.coupe mercedes-benz.coupe ue4.mercedes.ccc 10 10 10 car 251.3 107.6 82.5 1795 217,217,217;28,28,32
carlamotors.carlacola = carlacola.actors 5 5 5 truck 260.2 131.4 123.4 4600 255,68,0
micro.microlino bmw.isetta mini.cooper 4 4 3 car 110.4 74.1 68.8 513 145,255,181 electric
yamaha.yzf = = 17 17 21 motorcycle 110.2 43.3 76.6 176 142,11,17;16,16,16
diamondback.century = = 21 21 24 bicycle 82.1 18.6 67.0 120 214,0,0;30,30,60
gazelle.omafiets = = 25 23 18 bicycle 91.9 31.0 88.6 120 10,10,10;40,40,90
pedestrian = = 0 0 0 walker 18.8 18.8 93.0 75 none
pedestrian = = 0 0 0 walker 18.8 18.8 62.0 30 none child
"""  # in the order of the fields of `Model`, = where a blueprint keeps its name


def _model(line: str) -> Model:
    name, old, new, *values = line.split()
    names = (f"vehicle.{name if each == '=' else each}" for each in (name, old, new))
    uids, sizes = [int(value) for value in values[:3]], (float(value) for value in values[4:8])
    return Model._make([*names, uids, values[3], *sizes, values[8].split(";"), "".join(values[9:])])


HERO_MODEL, *CARS, MOTORCYCLE, CENTURY, OMAFIETS, ADULT, CHILD = (_model(line) for line in _MODELS.strip().splitlines())
BICYCLES = (CENTURY, OMAFIETS)
UNLIT = ("toyota", "nissan", "chevrolet", "mercedes.coupe", "carlamotors", "micro")
CHILDREN, ADULTS = range(9, 15), (*range(1, 9), *range(15, 30))  # of walker.pedestrian.NNNN
PROPS = ("static.prop.bench01", "static.prop.bin", "static.prop.plantpot01")
SENSORS_AND_PROPS: Mapping[str, tuple[tuple[int, int, int], Attributes]] = {
    "sensor.camera.rgb": ((27, 39, 52), (("Float", "fov", "100.0"), ("Int", "image_size_x", "1280"))),
    "sensor.other.collision": ((31, 28, 40), ()),
    "sensor.other.gnss": ((30, 31, 43), (("Int", "noise_seed", "0"),)),
    PROPS[0]: ((77, 77, 118), (("String", "size", "medium"),)),
    PROPS[1]: ((74, 74, 115), (("String", "size", "small"),)),
    PROPS[2]: ((112, 112, 153), (("String", "size", "medium"),)),
}


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
        unlit = model.kind == "bicycle" or model.name.removeprefix("vehicle.").startswith(UNLIT)
        special, doors = model.special.removeprefix("doors"), model.special == "doors"
        driver = [(2, "Int", "driver_id", "4")] if model.is_two_wheeler else []
        return (
            name,
            model.uids[max(0, 2 - self.era)],
            self._known(
                (3, "Bool", "has_lights", "false" if unlit else "true"),
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
        uids, own = SENSORS_AND_PROPS[name]
        named = self._known((3, "String", "ros_name", name), (0, "String", "role_name", role))
        return name, uids[min(self.era, 2)], [*own, *named]

    def _known(self, *attributes: tuple[int, str, str, str]) -> Attributes:
        """The attributes that the release has; the first value of each is the era that added it."""
        return [(kind, name, value) for since, kind, name, value in attributes if since <= self.era]
