"""Fuel consumption and emissions: the VT-CPFM fuel model, and two forms of vehicle specific power.

Knows arrays and constants only.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .constants import AIR_DENSITY, GRAVITY, STANDARD_VSP, VSP, Consumption


class Fuel(NamedTuple):
    """Power (kW), fuel (L/s) and CO2 (g/s), float64[n] each, named as in the L1 table."""

    cpf_power_kw: FloatArray
    cpf_fuel_rate_lps: FloatArray
    cpf_co2_rate_gps: FloatArray


class Specific(NamedTuple):
    """The placeholder's value, CO2 and NOx, float64[n] each, in the units that follow from its coefficients."""

    vsp_value: FloatArray
    vsp_co2_rate: FloatArray
    vsp_nox_rate: FloatArray


def consumption(
    speed: FloatArray, acceleration: FloatArray, kind: npt.NDArray[np.integer], sets: Mapping[int, Consumption]
) -> Fuel:
    """Step 7, VT-CPFM: from speed (m/s), acceleration (m/s2) and class, all of shape (n,).

    The force is inertia, rolling resistance (by km/h) and drag; engine power is clipped at `most_power`; fuel is
    a0 + a1 P + a2 P² for P ≥ 0, and a0 below.
    """
    made = Fuel(*(np.full(len(speed), np.nan) for _ in Fuel._fields))
    for each, one in sets.items():
        rows = np.flatnonzero(kind == each)
        v, a = speed[rows], acceleration[rows]
        rolling = one.mass * GRAVITY * one.rolling / 1000 * (one.speed_term * 3.6 * v + one.constant_term)
        force = one.mass * (1 + one.rotating) * a + rolling + 0.5 * AIR_DENSITY * one.area * one.drag * v**2
        power = np.minimum(force * v / (1000 * one.efficiency), one.most_power)
        idle, linear, square = one.fuel
        fuel = np.where(power < 0, idle, idle + linear * power + square * power**2)
        for column, values in zip(made, (power, fuel, fuel * one.co2), strict=True):
            column[rows] = values
    return made


def specific_power_placeholder(speed: FloatArray, acceleration: FloatArray, kind: npt.NDArray[np.integer]) -> Specific:
    """Step 8: the documented placeholder, whose coefficients are divided by the mass although they are per mass.

    Speed in m/s, acceleration in m/s2, class, all of shape (n,). CO2 and NOx are linear in the value, and constant
    below zero.
    """
    mass = np.full(len(speed), np.nan)
    for each, one in VSP.mass.items():
        mass[kind == each] = one
    climb = VSP.gravity * np.sin(VSP.grade)
    power = speed * acceleration + VSP.cubic * speed**3 + VSP.linear * speed + VSP.square * speed**2
    value = (power + climb * speed) / mass
    co2, nox = (np.where(value < 0, base, per * value + base) for per, base in (VSP.co2, VSP.nox))
    return Specific(value, co2, nox)


def specific_power(speed: FloatArray, acceleration: FloatArray, grade: float = 0.0) -> FloatArray:
    """The usual vehicle specific power, kW/t, float64[n]: v (1.1 a + g sin(grade) + 0.132) + 0.000302 v³."""
    inertia, linear, cubic = STANDARD_VSP
    power: FloatArray = speed * (inertia * acceleration + VSP.gravity * np.sin(grade) + linear) + cubic * speed**3
    return power
