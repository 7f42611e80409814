"""The constants and options of the L1 table, which files carry as metadata."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

CAR, TRUCK = 1, 2
"""Values of `veh_class`, and what highD calls them."""
CLASSES: Mapping[str, int] = {"Car": CAR, "Truck": TRUCK}
VEHICLE_TYPES: Mapping[int, str] = {CAR: "LDV", TRUCK: "HDDT"}

NO_LEADER = -1
"""The row of the leader, where there is none."""

GRAVITY = 9.80665  # m/s2
AIR_DENSITY = 1.2256  # kg/m3
MIN_HEADWAY_SPEED = 0.1  # m/s; no time headway below
REACTION_TIME = 1.0  # s, of the modified DRAC
RISK_TTC = (4.0, 2.0)  # s: below the first, risk 1; below the second, risk 2
TRACKS_PER_RECORDING = 10_000  # in `global_track_id`
PICTURE_SIZE = (1280, 720)  # pixels, where there is no picture
METRES_PER_PIXEL = 4 * 0.10106  # highD's pictures are a quarter of the video


class Consumption(NamedTuple):
    """A class of vehicle in the VT-CPFM model.

    Fields: `mass` (kg), `drag` (Cd), `area` (m2), `efficiency` (of the driveline), `rotating` (mass of
    rotating parts, as a share), `fuel` (a0, a1, a2 of L/s over kW), `co2` (g of CO2 a litre), `rolling` (Cr),
    `speed_term` and `constant_term` (c1 over km/h, c2), `most_power` (kW).
    """

    mass: float
    drag: float
    area: float
    efficiency: float
    rotating: float
    fuel: tuple[float, float, float]
    co2: float
    rolling: float = 1.75
    speed_term: float = 0.0328
    constant_term: float = 4.575
    most_power: float = float("inf")


LDV = Consumption(1453, 0.30, 2.32, 0.92, 0.04, (4.7738e-4, 5.363e-5, 1.0e-6), 2310)
HDDT = Consumption(7239, 0.78, 8.90, 0.95, 0.10, LDV.fuel, 2680)
HDDT_LITERATURE = Consumption(
    7182, 0.78, 10.0, 0.94, 0.10, (1.56e-3, 8.10e-5, 1.0e-8), 2070, rolling=1.25, most_power=246
)
"""Wang and Rakha 2017, as cited by others."""

DOCUMENTED: Mapping[int, Consumption] = {CAR: LDV, TRUCK: HDDT}
LITERATURE: Mapping[int, Consumption] = {CAR: LDV, TRUCK: HDDT_LITERATURE}


class SpecificPower(NamedTuple):
    """The placeholder for vehicle specific power.

    Fields: `mass` by class (kg), `cubic`, `linear`, `square` (over v3, v, v2), `gravity` (m/s2), `grade` (rad), `co2`
    and `nox` (over vsp, at zero).
    """

    mass: Mapping[int, float]
    cubic: float
    linear: float
    square: float
    gravity: float
    grade: float
    co2: tuple[float, float]
    nox: tuple[float, float]


VSP = SpecificPower({CAR: 1500.0, TRUCK: 8000.0}, 0.00035, 0.132, 0.000302, 9.81, 0.0, (0.7, 0.5), (0.1, 0.05))
VSP_NOTE = (
    "vsp_value, vsp_co2_rate and vsp_nox_rate are a placeholder: the coefficients are per mass already and are divided "
    "by the mass once more. vsp_kw_per_t, among the extra columns, is the usual definition."
)
STANDARD_VSP = (1.1, 0.132, 0.000302)
"""Coefficients of `vsp_kw_per_t`: of v a, v and v3."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the L1 table.

    Attributes: `window` and `order` (of the Savitzky-Golay filter), `raw_ttc` (take highD's own TTC), `extra` (append
    the extra columns). Raises ValueError for a window that is not odd, or not longer than the order.
    """

    window: int = 9
    order: int = 3
    raw_ttc: bool = False
    extra: bool = False

    def __post_init__(self) -> None:
        if self.window % 2 == 0 or not 1 <= self.order < self.window:
            raise ValueError(
                f"A window of {self.window} and an order of {self.order} smooth nothing: the window has to be odd and "
                "longer than the order, and the order at least 1."
            )


STANDARD = Options()


def metadata(options: Options, **found: Any) -> dict[str, Any]:
    """Options, constants and facts `found` in a recording, as JSON values."""
    return {
        "options": asdict(options),
        "thresholds": {
            "risk_ttc_s": RISK_TTC,
            "slowest_headway_mps": MIN_HEADWAY_SPEED,
            "reaction_time_s": REACTION_TIME,
        },
        "vt_cpfm": {
            "air_density": AIR_DENSITY,
            "gravity": GRAVITY,
            "documented": _by_type(DOCUMENTED),
            "literature": _by_type(LITERATURE),
        },
        "vsp": {**VSP._asdict(), "mass": {VEHICLE_TYPES[each]: mass for each, mass in VSP.mass.items()}},
        "vsp_remark": VSP_NOTE,
        "vsp_kw_per_t": STANDARD_VSP,
        "metres_per_pixel": METRES_PER_PIXEL,
        "classes": CLASSES,
        **found,
    }


def _by_type(sets: Mapping[int, Consumption]) -> dict[str, dict[str, Any]]:
    return {
        VEHICLE_TYPES[each]: {name: None if value == float("inf") else value for name, value in one._asdict().items()}
        for each, one in sets.items()
    }
