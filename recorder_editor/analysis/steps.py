"""The steps of the L1 table, the same for highD and for recordings.

A step takes the columns so far and returns those it adds (m, m/s, m/s2, s). Longer arithmetic is in other modules.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray, FloatArray
from . import constants
from .constants import NO_LEADER, Consumption, Options
from .kinematics import find_runs, smooth_speed

Columns = dict[str, AnyArray]
Rows = Mapping[str, AnyArray]


class Setting(NamedTuple):
    """Values for all rows: the time step (s), the options, width and height of the picture (px)."""

    step: float
    options: Options
    picture: tuple[int, int] = constants.PICTURE_SIZE


def unify(rows: Rows, setting: Setting) -> Columns:
    """Step 3: highD's axes as positions along and across the road, in the direction of travel.

    Vehicles of direction 1 (to -x) count from the largest x centre of the recording, so that `s_long` always grows;
    `d_lat` is the middle of the box and is not mirrored. There is a row at least.
    """
    centre = rows["x_raw"] + rows["width"] / 2
    upper = rows["drivingDirection"] == 1
    sign = np.where(upper, -1.0, 1.0)
    return {
        "s_long": np.where(upper, float(centre.max()) - centre, centre),
        "d_lat": rows["y_raw"] + rows["height"] / 2,
        "v_long_raw": sign * rows["xVelocity"],
        "a_long_raw": sign * rows["xAcceleration"],
    }


def smooth(rows: Rows, setting: Setting) -> Columns:
    """Step 4."""
    starts = find_runs(rows["trackId"], rows["frame"])
    options = setting.options
    speed, acceleration = smooth_speed(rows["v_long_raw"], starts, setting.step, options.window, options.order)
    return {"v_long_smooth": speed, "a_long_smooth": acceleration}


def assign_leaders(rows: Rows, setting: Setting) -> Columns:
    """The row of each row's leader, that of the track `precedingId` in the same frame; not a column of the table.

    `NO_LEADER` without one: int64[n]. Rows are ordered by track, then frame, each pair once. 0 means none, even if
    there is a track 0.
    """
    track = rows["trackId"]
    frame = rows["frame"]
    wanted = rows["precedingId"]
    if not len(track):
        return {"leader": np.zeros(0, np.int64)}
    first = int(frame.min())
    frames = int(frame.max()) + 1 - first
    keys, asked = (each.astype(np.int64) * frames + (frame - first) for each in (track, wanted))
    row = np.minimum(keys.searchsorted(asked), len(keys) - 1)
    known = (wanted != 0) & (keys[row] == asked)
    return {"leader": np.where(known, row, NO_LEADER)}


def measure_following(rows: Rows, setting: Setting) -> Columns:
    """Step 5: the measures of car following, NaN without a leader; the headway is from bumper to bumper, and negative
    where the two overlap; the closing speed is positive while the gap shrinks; no time headway below 0.1 m/s.

    The optional column `leader_place` is the leader's position along the follower's path; without it, `s_long` counts.
    """
    leader = rows["leader"]
    speed = rows["v_long_smooth"]

    def of_leader(column: AnyArray) -> AnyArray:
        return np.where(leader == NO_LEADER, np.nan, column[leader])

    place = of_leader(rows["s_long"])
    if "leader_place" in rows:
        place = np.where(leader == NO_LEADER, np.nan, rows["leader_place"])
    pace = of_leader(speed)
    headway = place - rows["s_long"] - 0.5 * (of_leader(rows["width"]) + rows["width"])
    with np.errstate(divide="ignore", invalid="ignore"):
        seconds = np.where(speed < constants.MIN_HEADWAY_SPEED, np.nan, headway / speed)
    return {
        "leader_s_long": place,
        "leader_v_long": pace,
        "leader_a_long": of_leader(rows["a_long_smooth"]),
        "dist_headway": headway,
        "rel_velocity": speed - pace,
        "time_headway": seconds,
    }


def assess_risk(rows: Rows, setting: Setting) -> Columns:
    """Step 6: time to collision (TTC, s), required deceleration (DRAC, m/s2) and level of risk.

    The TTC is 0 if the two overlap and close, NaN if they do not close or there is no leader; highD's own one
    (`raw_ttc`) is NaN where it is 0 (no leader) or negative (the gap opens). The level is 2 for a TTC below 2 s, 1 from
    2 s to below 4 s, else 0, NaN included.
    """
    gap = rows["dist_headway"]
    closing = rows["rel_velocity"]
    if setting.options.raw_ttc:
        ttc = np.where(rows["ttc_raw"] > 0, rows["ttc_raw"], np.nan)
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            ttc = np.where(closing > 0, np.maximum(gap, 0.0) / closing, np.nan)
    near, nearest = constants.RISK_TTC
    level = (ttc < near).astype(np.int8) + (ttc < nearest).astype(np.int8)
    made: Columns = {
        "TTC": ttc,
        "DRAC": required_deceleration(gap, closing, constants.REACTION_TIME),
        "risk_level": level,
    }
    return made | ({"drac_standard": required_deceleration(gap, closing, 0.0)} if setting.options.extra else {})


def required_deceleration(headway: FloatArray, closing: FloatArray, reaction: float) -> FloatArray:
    """The modified DRAC in m/s2, float64[n]: braking that avoids the collision after `reaction` seconds.

    0 if the gap (m) does not close, NaN without a leader, inf if it closes within the reaction time. With a reaction
    of 0 s it is the standard DRAC, `closing`² / (2 `headway`).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.maximum(headway - closing * reaction, 0.0)
        return np.where(closing > 0, closing**2 / (2 * room), np.where(np.isnan(closing), np.nan, 0.0))


def compute_fuel(rows: Rows, setting: Setting) -> Columns:
    """Step 7."""
    speed = rows["v_long_smooth"]
    acceleration = rows["a_long_smooth"]
    made = consumption(rows, constants.DOCUMENTED) | {"v_kmh": 3.6 * speed, "a_kmhps": 3.6 * acceleration}
    if setting.options.extra:
        made |= {f"{name}_literature": column for name, column in consumption(rows, constants.LITERATURE).items()}
    return made


def consumption(rows: Rows, sets: Mapping[int, Consumption]) -> Columns:
    """Power (kW), fuel (L/s) and CO2 (g/s) by VT-CPFM, from speed (m/s), acceleration (m/s2) and class.

    The force is inertia, rolling resistance (by km/h) and drag; engine power is clipped at `most_power`; fuel is
    a0 + a1 P + a2 P² for P ≥ 0, and a0 below.
    """
    speed = rows["v_long_smooth"]
    acceleration = rows["a_long_smooth"]
    kind = rows["veh_class"]
    names = ("cpf_power_kw", "cpf_fuel_rate_lps", "cpf_co2_rate_gps")
    made: Columns = {name: np.full(len(speed), np.nan) for name in names}
    for each, one in sets.items():
        chosen = np.flatnonzero(kind == each)
        v = speed[chosen]
        a = acceleration[chosen]
        rolling = one.mass * constants.GRAVITY * one.rolling / 1000 * (one.speed_term * 3.6 * v + one.constant_term)
        force = one.mass * (1 + one.rotating) * a + rolling + 0.5 * constants.AIR_DENSITY * one.area * one.drag * v**2
        power = np.minimum(force * v / (1000 * one.efficiency), one.most_power)
        idle, linear, square = one.fuel
        fuel = np.where(power < 0, idle, idle + linear * power + square * power**2)
        for name, values in zip(names, (power, fuel, fuel * one.co2), strict=True):
            made[name][chosen] = values
    return made


def compute_specific_power(rows: Rows, setting: Setting) -> Columns:
    """Step 8: the documented placeholder, whose coefficients are divided by the mass although they are per mass.

    CO2 and NOx are linear in its value, and constant below zero; units follow from the coefficients. The usual vehicle
    specific power is v (1.1 a + 0.132) + 0.000302 v³, kW/t.
    """
    speed = rows["v_long_smooth"]
    acceleration = rows["a_long_smooth"]
    vsp = constants.VSP
    mass = np.full(len(speed), np.nan)
    for each, kilograms in vsp.mass.items():
        mass[rows["veh_class"] == each] = kilograms
    climb = vsp.gravity * np.sin(vsp.grade)
    power = speed * acceleration + vsp.cubic * speed**3 + vsp.linear * speed + vsp.square * speed**2
    value = (power + climb * speed) / mass
    co2, nox = (np.where(value < 0, base, per * value + base) for per, base in (vsp.co2, vsp.nox))
    made = {"vsp_value": value, "vsp_co2_rate": co2, "vsp_nox_rate": nox, "dt": np.full(len(speed), setting.step)}
    if setting.options.extra:
        inertia, linear, cubic = constants.STANDARD_VSP
        made["vsp_kw_per_t"] = speed * (inertia * acceleration + linear) + cubic * speed**3
    return made


def to_pixels(rows: Rows, setting: Setting) -> Columns:
    """Step 9."""
    x, y = rows["x_raw"], rows["y_raw"]
    width, height = setting.picture
    made = {"x_img": _stretched(x, width), "y_img": _stretched(y, height)}
    if setting.options.extra:
        made |= {
            "x_img_registered": (x + rows["width"] / 2) / constants.METRES_PER_PIXEL,
            "y_img_registered": (y + rows["height"] / 2) / constants.METRES_PER_PIXEL,
        }
    return made


def _stretched(place: AnyArray, pixels: int) -> FloatArray:
    """As documented: positions scaled from their range to the pixels, float64[n]; NaN for an empty range."""
    if not len(place):
        return place.astype(np.float64)
    low, high = float(np.nanmin(place)), float(np.nanmax(place))
    if high > low:
        return (place - low) / (high - low) * pixels
    return np.full(len(place), np.nan)


STEPS = (unify, smooth, assign_leaders, measure_following, assess_risk, compute_fuel, compute_specific_power, to_pixels)
"""The steps of highD recordings between merging and ordering."""
