"""Constants and options of the L1 table, which files carry as metadata, its columns, and the signals plotted of them.

`resources/l1.json` has them.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from .. import resources
from ..texts import N_, say

_TABLE = resources.table("l1")
_CONSTANTS = _TABLE["constants"]
_THRESHOLDS, _MODEL = _CONSTANTS["thresholds"], _CONSTANTS["vt_cpfm"]

CLASSES: Mapping[str, int] = _CONSTANTS["classes"]
"""Values of `veh_class`, by what highD calls them."""
CAR, TRUCK = CLASSES["Car"], CLASSES["Truck"]
VEHICLE_TYPES: Mapping[int, str] = {CAR: "LDV", TRUCK: "HDDT"}

NO_LEADER = -1
"""The row of the leader, where there is none."""

GRAVITY: float = _MODEL["gravity"]  # m/s2
AIR_DENSITY: float = _MODEL["air_density"]  # kg/m3
MIN_HEADWAY_SPEED: float = _THRESHOLDS["slowest_headway_mps"]  # no time headway below
REACTION_TIME: float = _THRESHOLDS["reaction_time_s"]  # of the modified DRAC
RISK_TTC: tuple[float, float] = tuple(_THRESHOLDS["risk_ttc_s"])
"""Seconds: below the first, risk 1; below the second, risk 2."""
TRACKS_PER_RECORDING = 10_000  # in `global_track_id`
PICTURE_SIZE = (1280, 720)  # pixels, where there is no picture
METRES_PER_PIXEL: float = _CONSTANTS["metres_per_pixel"]  # highD's pictures are a quarter of the video


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
    rolling: float
    speed_term: float
    constant_term: float
    most_power: float


def _consumption(source: str) -> Mapping[int, Consumption]:
    """The numbers of the classes; where they have no limit, power is not limited."""
    said = {each: _MODEL[source][name] for each, name in VEHICLE_TYPES.items()}
    return {each: Consumption(**{**one, "most_power": one["most_power"] or math.inf}) for each, one in said.items()}


DOCUMENTED, LITERATURE = _consumption("documented"), _consumption("literature")
"""Trucks of the second: Wang and Rakha 2017, as cited by others."""

VSP: Mapping[str, Any] = _CONSTANTS["vsp"]
"""The placeholder for vehicle specific power: `mass` by class (kg), `cubic`, `linear`, `square` (over v3, v, v2),
`gravity` (m/s2), `grade` (rad), `co2` and `nox` (over vsp, at zero)."""
STANDARD_VSP: tuple[float, float, float] = tuple(_CONSTANTS["vsp_kw_per_t"])
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
    return {"options": asdict(options), **_CONSTANTS, **found}


class Column(NamedTuple):
    """A column. `type` is a numpy code (`i4`, `i8`, `i1`, `f4`, `f8`) or `str`."""

    name: str
    type: str
    meaning: str
    unit: str = ""


_TEXTS: Mapping[str, tuple[str, str]] = {
    "acceleration": (N_("Acceleration"), N_("Slope of the smoothed speed")),
    "closing": (N_("Closing speed"), N_("Positive while the gap shrinks")),
    "drac": (N_("DRAC"), N_("Deceleration that avoids it after {reaction:g} s of reaction")),
    "fuel": (N_("Fuel"), N_("By the VT-CPFM model")),
    "gap": (N_("Gap"), N_("To the leader, bumper to bumper along its own path")),
    "headway": (N_("Time headway"), N_("Time to drive the gap")),
    "power": (N_("Power"), N_("By the VT-CPFM model")),
    "risk": (N_("Risk"), N_("2 for a TTC below 2 s, 1 below 4 s")),
    "speed": (N_("Speed"), N_("Speed over the ground, smoothed")),
    "ttc": (N_("TTC"), N_("Time to collision with the leader, while the gap closes")),
}
"""The title and the meaning of the signals, by name."""


class SignalKind(NamedTuple):
    """A computed signal: its name, column of the L1 table and unit."""

    name: str
    column: str
    unit: str

    @property
    def title(self) -> str:
        return say(_TEXTS[self.name][0])

    @property
    def meaning(self) -> str:
        return say(_TEXTS[self.name][1], reaction=REACTION_TIME)


L1 = "l1"
L1_MEANING = N_("Kinematics, car following, safety and emissions of every vehicle (needs the extra [analysis])")
"""The name of the table, and the code of what it holds."""

COLUMNS: tuple[Column, ...] = tuple(Column(*words) for words in _TABLE["columns"])
"""The 50 columns of every table."""

EXTRA: tuple[Column, ...] = tuple(Column(*words) for words in _TABLE["extra"])
"""The optional columns after them."""

SURROUNDINGS = tuple(each.name for each in COLUMNS if each.name.startswith(("following", "left", "right")))
"""The neighbours other than the leader."""

SIGNALS = {name: SignalKind(name, *said) for name, said in _TABLE["signals"].items()}
"""The computed signals of a vehicle, by the name that `Analysis.signal` takes."""
