"""Constants and options of the L1 table, which files carry as metadata, its columns, and the signals plotted of them.

`resources/l1.json` has the columns. Numbers are those of the document that defines the table, where no other source is
named.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from .. import resources
from ..reading.measures import SLOWEST
from ..texts import N_, say

# --- classes, pictures, tracks ----------------------------------------------------------------------------------

CAR = 1
TRUCK = 2
CLASSES: Mapping[str, int] = {"Car": CAR, "Truck": TRUCK}
"""Values of `veh_class`, by what highD calls them."""
VEHICLE_TYPES: Mapping[int, str] = {CAR: "LDV", TRUCK: "HDDT"}
"""The classes as the fuel model calls them: light-duty vehicle, heavy-duty diesel truck."""

NO_LEADER = -1
"""The row of the leader, where there is none."""

TRACKS_PER_RECORDING = 10_000
"""The step from recording to recording in `global_track_id`."""

PICTURE_SIZE = (1280, 720)
"""Pixels, where there is no picture."""

METRES_PER_PIXEL = 4 * 0.10106
"""Of highD's pictures: a pixel of the video is 0.10106 m, and the pictures are a quarter of the video."""

# --- car following and safety -----------------------------------------------------------------------------------

REACTION_TIME = 1.0
"""Seconds, of the modified DRAC."""

RISK_TTC = (4.0, 2.0)
"""Seconds: below the first, risk 1; below the second, risk 2."""

# --- VT-CPFM ----------------------------------------------------------------------------------------------------

GRAVITY = 9.80665
"""m/s2: the standard acceleration of free fall."""

AIR_DENSITY = 1.2256
"""kg/m3: at sea level and 15 °C."""


class Consumption(NamedTuple):
    """A class of vehicle in the VT-CPFM model.

    The power is P = (m (1 + rotating) a + m g rolling / 1000 (speed_term v + constant_term) + density area drag v² / 2)
    v / (1000 efficiency), with v in km/h beside `speed_term`; the fuel is a0 + a1 P + a2 P² (a0 for P < 0).

    Attributes:
        mass: m, kg.
        drag: Cd.
        area: Frontal area, m2.
        efficiency: Of the driveline, 0 to 1.
        rotating: Mass of rotating parts, as a share of the mass.
        fuel: a0, a1, a2, of L/s over kW.
        co2: g of CO2 a litre of fuel.
        rolling: Cr, of the road's surface.
        speed_term: c1, over km/h.
        constant_term: c2.
        most_power: kW; infinite where power is not limited.
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
    most_power: float = math.inf


_DOCUMENTED_FUEL = (4.7738e-4, 5.363e-5, 1.0e-6)

_LDV = Consumption(mass=1453, drag=0.30, area=2.32, efficiency=0.92, rotating=0.04, fuel=_DOCUMENTED_FUEL, co2=2310)
_HDDT = Consumption(mass=7239, drag=0.78, area=8.9, efficiency=0.95, rotating=0.10, fuel=_DOCUMENTED_FUEL, co2=2680)
_HDDT_OF_LITERATURE = Consumption(
    mass=7182,
    drag=0.78,
    area=10.0,
    efficiency=0.94,
    rotating=0.10,
    fuel=(1.56e-3, 8.10e-5, 1.0e-8),
    co2=2070,
    rolling=1.25,
    most_power=246,
)
"""Wang and Rakha 2017, as cited by others."""

DOCUMENTED: Mapping[int, Consumption] = {CAR: _LDV, TRUCK: _HDDT}
"""The numbers of the document of the L1 table, by class."""
LITERATURE: Mapping[int, Consumption] = {CAR: _LDV, TRUCK: _HDDT_OF_LITERATURE}
"""The same with trucks of the literature, for the extra columns."""

# --- vehicle specific power -------------------------------------------------------------------------------------


class SpecificPower(NamedTuple):
    """The placeholder for vehicle specific power, as documented.

    Attributes:
        mass: kg, by class.
        cubic: Over v3.
        linear: Over v.
        square: Over v2.
        gravity: m/s2.
        grade: Of the road, rad.
        co2: Over the value, and at zero.
        nox: Over the value, and at zero.
    """

    mass: Mapping[int, float]
    cubic: float
    linear: float
    square: float
    gravity: float
    grade: float
    co2: tuple[float, float]
    nox: tuple[float, float]


VSP = SpecificPower(
    mass={CAR: 1500.0, TRUCK: 8000.0},
    cubic=0.00035,
    linear=0.132,
    square=0.000302,
    gravity=9.81,
    grade=0.0,
    co2=(0.7, 0.5),
    nox=(0.1, 0.05),
)
_VSP_REMARK = (
    "vsp_value, vsp_co2_rate and vsp_nox_rate are a placeholder: the coefficients are per mass already and are divided "
    "by the mass once more. vsp_kw_per_t, among the extra columns, is the usual definition."
)

STANDARD_VSP = (1.1, 0.132, 0.000302)
"""Coefficients of `vsp_kw_per_t`, v (1.1 a + 0.132) + 0.000302 v³: of v a, v and v3."""

# --- options and metadata ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the L1 table.

    Attributes:
        window: Rows of the Savitzky-Golay filter.
        order: Of its polynomials.
        raw_ttc: Whether highD's own TTC is taken.
        extra: Whether the extra columns are appended.

    Raises:
        ValueError: The window is not odd, or not longer than the order.
    """

    window: int = 9
    order: int = 3
    raw_ttc: bool = False
    extra: bool = False

    def __post_init__(self) -> None:
        if self.window % 2 == 0 or not 1 <= self.order < self.window:
            raise ValueError(
                say(
                    "A window of {window} and an order of {order} smooth nothing: the window has to be odd and "
                    "longer than the order, and the order at least 1.",
                    window=self.window,
                    order=self.order,
                )
            )


STANDARD = Options()


def metadata(options: Options, **facts: object) -> dict[str, object]:
    """Return options, constants and facts of a recording, as JSON values."""
    specific_power = VSP._asdict()
    specific_power["mass"] = {VEHICLE_TYPES[kind]: mass for kind, mass in VSP.mass.items()}
    return {
        "options": asdict(options),
        "thresholds": {"risk_ttc_s": RISK_TTC, "slowest_headway_mps": SLOWEST, "reaction_time_s": REACTION_TIME},
        "vt_cpfm": {
            "air_density": AIR_DENSITY,
            "gravity": GRAVITY,
            "documented": _by_type(DOCUMENTED),
            "literature": _by_type(LITERATURE),
        },
        "vsp": specific_power,
        "vsp_remark": _VSP_REMARK,
        "vsp_kw_per_t": STANDARD_VSP,
        "metres_per_pixel": METRES_PER_PIXEL,
        "classes": CLASSES,
        **facts,
    }


def _by_type(classes: Mapping[int, Consumption]) -> dict[str, dict[str, object]]:
    """Return the numbers of classes by their names in the fuel model, None for an infinite one, which JSON lacks."""
    numbers: dict[str, dict[str, object]] = {}
    for kind, model in classes.items():
        values = model._asdict()
        if model.most_power == math.inf:
            values["most_power"] = None
        numbers[VEHICLE_TYPES[kind]] = values
    return numbers


class Column(NamedTuple):
    """A column.

    Attributes:
        name: Its name in the table.
        type: A numpy code (`i4`, `i8`, `i1`, `f4`, `f8`) or `str`.
        meaning: What it holds.
        unit: Its unit; empty without one.
    """

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
    """A computed signal.

    Attributes:
        name: The name that `Analysis.signal` takes.
        column: Its column of the L1 table.
        unit: Its unit; empty without one.
    """

    name: str
    column: str
    unit: str

    @property
    def title(self) -> str:
        """The title, in the language of the window."""
        title, _ = _TEXTS[self.name]
        return say(title)

    @property
    def meaning(self) -> str:
        """What the signal holds, in the language of the window."""
        _, meaning = _TEXTS[self.name]
        return say(meaning, reaction=REACTION_TIME)


_TABLE = resources.table("l1")


def _columns(rows: Iterable[Sequence[str]]) -> tuple[Column, ...]:
    """Return the columns of rows of the table `l1`: name, type, meaning and, for some, the unit."""
    return tuple(Column(*row) for row in rows)


L1 = "l1"
L1_MEANING = N_("Kinematics, car following, safety and emissions of every vehicle (needs the extra [analysis])")
"""The name of the table, and the code of what it holds."""

COLUMNS = _columns(_TABLE["columns"])
"""The 50 columns of every table."""

EXTRA = _columns(_TABLE["extra"])
"""The optional columns after them."""

SURROUNDINGS = tuple(column.name for column in COLUMNS if column.name.startswith(("following", "left", "right")))
"""The neighbours other than the leader."""

_KINDS = (
    SignalKind("speed", column="v_long_smooth", unit="m/s"),
    SignalKind("acceleration", column="a_long_smooth", unit="m/s²"),
    SignalKind("gap", column="dist_headway", unit="m"),
    SignalKind("closing", column="rel_velocity", unit="m/s"),
    SignalKind("headway", column="time_headway", unit="s"),
    SignalKind("ttc", column="TTC", unit="s"),
    SignalKind("drac", column="DRAC", unit="m/s²"),
    SignalKind("risk", column="risk_level", unit=""),
    SignalKind("fuel", column="cpf_fuel_rate_lps", unit="L/s"),
    SignalKind("power", column="cpf_power_kw", unit="kW"),
)

SIGNALS: Mapping[str, SignalKind] = {kind.name: kind for kind in _KINDS}
"""The computed signals of a vehicle, by the name that `Analysis.signal` takes."""
