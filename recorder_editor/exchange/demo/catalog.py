"""Who takes part: vehicles, walkers, sensors and props as CARLA's own blueprints, and how each release names them.

Boxes, masses and most numbers of blueprints are those of real recordings; where no recording holds a blueprint, its
number is a plausible one. Lengths in metres unless a name says otherwise. Knows no traffic and no bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

VehicleClass = Literal["car", "van", "truck", "motorcycle", "bicycle"]
Attributes = Sequence[tuple[str, str, str]]


class Model(NamedTuple):
    """A vehicle.

    Fields: blueprint since 0.9.12, before it, and in UE5; its number since 0.9.12, in 0.9.10 and before; class; centre
    of the box ahead of the actor and above the ground, half length, half width, half height (cm); wheelbase and wheel
    radius (m); mass (kg); greatest engine speed (rpm); forward gears; what it is called special for; whether its doors
    open; colours.
    """

    name: str
    old_name: str
    new_name: str
    uids: tuple[int, int, int]
    kind: VehicleClass
    ahead: float
    above: float
    half_length: float
    half_width: float
    half_height: float
    wheelbase: float
    radius: float
    mass: float
    max_rpm: float
    gears: int
    special: str
    doors: bool
    colors: tuple[str, ...]

    @property
    def two_wheels(self) -> bool:
        """Whether it has a rider instead of a cabin."""
        return self.kind in ("motorcycle", "bicycle")

    @property
    def generation(self) -> int:
        """CARLA's generation of the model: the second has a year in its name or doors that open."""
        return 2 if self.doors else 1


def _model(
    names: str, uids: tuple[int, int, int], kind: VehicleClass, box: tuple[float, float, float, float, float],
    drive: tuple[float, float, float, float, int], colors: str, special: str = "", *, doors: bool = False,
) -> Model:  # fmt: skip
    name, old, new = (f"vehicle.{part}" for part in names.split())
    wheelbase, radius, mass, rpm, gears = drive
    return Model(
        name, old, new, uids, kind, *box, wheelbase, radius, mass, rpm, gears, special, doors, tuple(colors.split())
    )


HERO = _model(
    "lincoln.mkz_2017 lincoln.mkz2017 lincoln.mkz", (26, 26, 19), "car", (0.4, 71.89, 245.08, 106.42, 75.54),
    (2.87, 0.355, 1696, 6500, 6), "16,16,16",
)  # fmt: skip
CARS: tuple[Model, ...] = (
    _model("tesla.model3 tesla.model3 ue4.bmw.grantourer", (24, 24, 16), "car", (2.92, 73.59, 239.59, 108.17, 74.38),
           (3.0, 0.37, 1845, 15000, 1), "17,37,103 140,0,0 180,180,180", "electric"),
    _model("audi.tt audi.tt ue4.audi.tt", (2, 2, 2), "car", (-0.04, 69.26, 209.06, 99.71, 69.26),
           (2.46, 0.365, 1430, 6800, 6), "0,39,105 16,44,21 255,0,0"),
    _model("seat.leon seat.leon ue4.chevrolet.impala", (14, 14, 15), "car", (-0.02, 73.96, 209.64, 90.81, 73.69),
           (2.74, 0.335, 1318, 5500, 6), "79,33,85 42,61,214"),
    _model("dodge.charger_2020 dodge_charger.police dodge.charger", (30, 8, 8), "car", (10.95, 75.0, 250.4, 94.9, 76.6),
           (3.05, 0.37, 1920, 8000, 8), "211,142,0 90,12,12", doors=True),
    _model("toyota.prius toyota.prius ue4.ford.crown", (15, 15, 17), "car", (0.2, 72.42, 225.68, 100.34, 76.24),
           (2.82, 0.37, 1375, 5000, 1), "215,255,143 255,0,0", "electric"),
    _model("nissan.micra nissan.micra mini.cooper", (12, 12, 12), "car", (0.0, 78.12, 181.67, 92.26, 75.06),
           (2.43, 0.3, 1040, 6000, 5), "187,0,0 235,239,235"),
    _model("lincoln.mkz_2020 lincoln.mkz2017 lincoln.mkz", (28, 26, 19), "car", (-0.63, 74.88, 244.62, 91.84, 74.51),
           (2.85, 0.36, 1700, 6500, 6), "0,0,0 120,20,20", doors=True),
    _model("mercedes.sprinter volkswagen.t2 sprinter.mercedes", (37, 20, 20), "van",
           (-1.05, 128.82, 295.76, 99.42, 128.03), (3.66, 0.36, 2400, 4500, 6), "115,115,115 240,240,240", doors=True),
    _model("audi.etron audi.etron nissan.patrol", (22, 22, 13), "car", (-0.36, 82.05, 242.79, 101.64, 82.47),
           (2.93, 0.4, 2490, 13000, 1), "168,0,27 33,33,33", "electric"),
    _model("mini.cooper_s_2021 mini.cooperst mini.cooper", (35, 11, 11), "car", (-3.13, 89.1, 227.63, 104.85, 88.36),
           (2.6, 0.34, 1310, 6000, 6), "215,88,0 20,60,30", doors=True),
    _model("chevrolet.impala chevrolet.impala ue4.chevrolet.impala", (6, 6, 6), "car",
           (0.01, 70.15, 267.87, 101.66, 70.53), (3.0, 0.355, 1610, 6200, 6), "61,86,143 209,176,101"),
    _model("ford.mustang mustang.mustang ue4.ford.mustang", (27, 27, 20), "car", (3.21, 65.05, 235.88, 94.74, 65.05),
           (2.74, 0.35, 1650, 6500, 6), "85,0,0 30,60,120"),
    _model("nissan.patrol nissan.patrol nissan.patrol", (13, 13, 14), "car", (-5.74, 93.51, 230.23, 96.58, 92.74),
           (2.97, 0.4, 2750, 5600, 5), "22,24,43 201,147,0"),
    _model("volkswagen.t2_2021 volkswagen.t2 sprinter.mercedes", (39, 20, 20), "van",
           (11.67, 99.12, 222.11, 88.73, 99.36), (2.54, 0.335, 1105, 4500, 4), "158,40,82 0,33,5", doors=True),
    _model("mercedes.coupe mercedes-benz.coupe ue4.mercedes.ccc", (10, 10, 10), "car",
           (0.0, 66.68, 251.34, 107.58, 82.53), (2.86, 0.36, 1795, 6500, 7), "217,217,217 28,28,32"),
    _model("carlamotors.carlacola carlamotors.carlacola carlacola.actors", (5, 5, 5), "truck",
           (0.0, 123.37, 260.19, 131.35, 123.37), (2.67, 0.46, 4600, 4500, 5), "255,68,0"),
    _model("micro.microlino bmw.isetta mini.cooper", (4, 4, 3), "car", (0.0, 67.72, 110.36, 74.05, 68.8),
           (1.5, 0.27, 513, 9000, 1), "145,255,181 240,240,240", "electric"),
)  # fmt: skip
MOTORCYCLES: tuple[Model, ...] = (
    _model("yamaha.yzf yamaha.yzf yamaha.yzf", (17, 17, 21), "motorcycle", (0.0, 76.7, 110.2, 43.3, 76.6),
           (1.42, 0.31, 176, 14000, 6), "142,11,17 16,16,16"),
    _model("harley-davidson.low_rider harley-davidson.low_rider harley-davidson.low_rider", (18, 18, 22), "motorcycle",
           (0.0, 80.0, 117.4, 38.2, 82.3), (1.63, 0.33, 305, 6500, 6), "0,0,0 110,70,20"),
    _model("vespa.zx125 kawasaki.ninja vespa.zx125", (29, 19, 23), "motorcycle", (0.0, 74.5, 90.2, 43.6, 79.4),
           (1.28, 0.26, 132, 8500, 1), "200,220,210 180,30,30"),
)  # fmt: skip
BICYCLES: tuple[Model, ...] = (
    _model("diamondback.century diamondback.century diamondback.century", (21, 21, 24), "bicycle",
           (0.0, 68.37, 82.14, 18.63, 67.03), (0.97, 0.333, 120, 1000, 10), "214,0,0 30,30,60"),
    _model("bh.crossbike bh.crossbike bh.crossbike", (20, 20, 25), "bicycle", (0.0, 71.9, 74.4, 42.9, 76.6),
           (1.02, 0.333, 120, 1000, 10), "56,140,56 20,20,20"),
    _model("gazelle.omafiets gazelle.omafiets gazelle.omafiets", (25, 23, 18), "bicycle", (0.0, 74.9, 91.9, 31.0, 88.6),
           (1.12, 0.343, 120, 1000, 10), "10,10,10 40,40,90"),
)  # fmt: skip


class Release(NamedTuple):
    """What a release's blueprints look like.

    Fields: `era` (0 before 0.9.10, 1 from 0.9.10, 2 from 0.9.12, 3 from 0.9.15) and whether it is `ue5`.
    """

    era: int
    ue5: bool

    def blueprint(self, model: Model) -> tuple[str, int]:
        """The name and the number a vehicle has."""
        if self.ue5:
            return model.new_name, model.uids[0]
        if self.era >= 2:
            return model.name, model.uids[0]
        return model.old_name, model.uids[2 - self.era]

    def vehicle(self, model: Model, color: str, role: str) -> Attributes:
        """A vehicle's attributes as (type, name, value), in the order the release writes them."""
        name, _ = self.blueprint(model)
        wheels = ("Int", "number_of_wheels", "2" if model.two_wheels else "4")
        driver = [("Int", "driver_id", "4")] if model.two_wheels and self.era >= 2 else []
        tail = [("RGBColor", "color", color), ("String", "role_name", role)]
        plain = [("String", "object_type", "")]
        sticky = [("Bool", "sticky_control", "true")]
        if self.era < 2:
            return [wheels, *sticky, *plain, *tail]
        if self.era == 2:
            return [("Int", "generation", str(model.generation)), wheels, *sticky, *driver, *plain, *tail]
        lit = "false" if model.kind == "bicycle" or model.name in UNLIT else "true"
        return [
            ("Bool", "has_lights", lit), ("Int", "generation", str(model.generation)),
            ("Bool", "has_dynamic_doors", "true" if model.doors else "false"), wheels,
            ("String", "base_type", model.kind), ("String", "special_type", model.special), *plain,
            ("Bool", "terramechanics", "false"), *sticky, *driver, tail[0], ("String", "ros_name", name), tail[1],
        ]  # fmt: skip

    def walker(self, number: int) -> tuple[str, int, Attributes]:
        """A walker's blueprint, its number and attributes."""
        name = f"walker.pedestrian.{number:04d}"
        uid = number + (34, 36, 58, 60)[self.era]
        gender = "female" if number % 3 else "male"
        attributes = [
            ("String", "gender", gender), ("Bool", "is_invincible", "false"),
            ("String", "age", "child" if number in CHILDREN else "adult"),
        ]  # fmt: skip
        if self.era >= 2:
            attributes.append(("Int", "generation", "1" if number < 15 else "2"))
        if self.era >= 3:
            attributes += [("Bool", "can_use_wheelchair", "false"), ("String", "ros_name", name)]
        return name, uid, [*attributes, ("String", "role_name", "pedestrian")]

    def sensor(self, name: str, role: str) -> tuple[int, Attributes]:
        """A sensor's number and attributes; only what tells it from a default camera is written out."""
        uid = SENSORS[name][min(self.era, 2)]
        attributes = SENSOR_ATTRIBUTES.get(name, ())
        ros = [("String", "ros_name", name)] if self.era >= 3 else []
        return uid, [*attributes, *ros, ("String", "role_name", role)]

    def prop(self, kind: str) -> tuple[str, int, Attributes]:
        """A prop's blueprint, its number and attributes."""
        name, uid, size = PROPS[kind]
        ros = [("String", "ros_name", name)] if self.era >= 3 else []
        number = uid + (0, 0, 41, 42)[self.era]
        return name, number, [("String", "size", size), *ros, ("String", "role_name", "prop")]


UNLIT = frozenset(
    f"vehicle.{name}"
    for name in (
        "seat.leon", "toyota.prius", "nissan.micra", "chevrolet.impala", "nissan.patrol", "mercedes.coupe",
        "carlamotors.carlacola", "micro.microlino",
    )
)  # fmt: skip
CHILDREN = frozenset((9, 10, 11, 12, 13, 14))
PEDESTRIANS = tuple(range(1, 30))
PROP_BOXES: Mapping[str, tuple[float, float, float]] = {
    "bench": (31.0, 92.5, 45.0), "bin": (33.0, 34.0, 55.0), "plant": (45.0, 45.0, 60.0), "mailbox": (24.0, 28.0, 62.0),
    "kiosk": (165.0, 165.0, 160.0), "advertisement": (22.0, 75.0, 125.0),
}  # fmt: skip
PROPS: Mapping[str, tuple[str, int, str]] = {
    "bench": ("static.prop.bench01", 77, "medium"), "bin": ("static.prop.bin", 74, "small"),
    "plant": ("static.prop.plantpot01", 112, "medium"), "mailbox": ("static.prop.mailbox", 103, "small"),
    "kiosk": ("static.prop.kiosk_01", 98, "big"), "advertisement": ("static.prop.advertisement", 70, "medium"),
}  # fmt: skip
SENSORS: Mapping[str, tuple[int, int, int]] = {
    "sensor.camera.rgb": (27, 39, 52), "sensor.other.collision": (31, 28, 40),
    "sensor.other.lane_invasion": (33, 33, 45), "sensor.other.gnss": (30, 31, 43),
}  # fmt: skip
SENSOR_ATTRIBUTES: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "sensor.camera.rgb": (
        ("Float", "fov", "100.0"), ("Int", "image_size_x", "1280"), ("Int", "image_size_y", "720"),
        ("Float", "gamma", "2.2"), ("String", "exposure_mode", "histogram"), ("Float", "shutter_speed", "200.0"),
        ("Float", "iso", "100.0"), ("Float", "fstop", "1.4"), ("Bool", "enable_postprocess_effects", "true"),
        ("Float", "sensor_tick", "0.0"),
    ),
    "sensor.other.gnss": (
        ("Float", "noise_alt_bias", "0.0"), ("Float", "noise_lat_bias", "0.0"), ("Float", "noise_lon_bias", "0.0"),
        ("Int", "noise_seed", "0"), ("Float", "sensor_tick", "0.0"),
    ),
}  # fmt: skip
