"""The steps of the L1 table, the same for highD and for recordings.

A step takes the columns so far and returns those it adds (m, m/s, m/s2, s). Longer arithmetic is in other modules.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray, FloatArray
from ..reading.measures import deceleration_to_avoid, time_gap, time_to_close
from . import constants
from .constants import NO_LEADER, Consumption, Options
from .kinematics import find_runs, smooth_speed

Columns = dict[str, AnyArray]
Rows = Mapping[str, AnyArray]


class Setting(NamedTuple):
    """Values for all rows.

    Attributes:
        step: The time step, s.
        options: The options of the table.
        picture: Width and height of the picture, px.
    """

    step: float
    options: Options
    picture: tuple[int, int] = constants.PICTURE_SIZE


def unify(rows: Rows, setting: Setting) -> Columns:
    """Step 3: return highD's axes as positions along and across the road, in the direction of travel.

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
    """Step 4: return smoothed speed and acceleration, run by run."""
    starts = find_runs(rows["trackId"], rows["frame"])
    options = setting.options
    speed, acceleration = smooth_speed(
        rows["v_long_raw"], starts, setting.step, window=options.window, order=options.order
    )
    return {"v_long_smooth": speed, "a_long_smooth": acceleration}


def assign_leaders(rows: Rows, setting: Setting) -> Columns:
    """Return the row of each row's leader, that of the track `precedingId` in the same frame.

    It is no column of the table: int64[n], `NO_LEADER` without one. Rows are ordered by track, then frame, each pair
    once. 0 means none, even if there is a track 0.
    """
    track = rows["trackId"]
    frame = rows["frame"]
    wanted = rows["precedingId"]
    if not len(track):
        return {"leader": np.zeros(0, np.int64)}
    first = int(frame.min())
    frames = int(frame.max()) + 1 - first
    keys = track.astype(np.int64) * frames + (frame - first)
    wanted_keys = wanted.astype(np.int64) * frames + (frame - first)
    row = np.minimum(keys.searchsorted(wanted_keys), len(keys) - 1)
    has_leader = (wanted != 0) & (keys[row] == wanted_keys)
    return {"leader": np.where(has_leader, row, NO_LEADER)}


def measure_following(rows: Rows, setting: Setting) -> Columns:
    """Step 5: return the measures of car following, NaN without a leader.

    The headway is from bumper to bumper, and negative where the two overlap; the closing speed is positive while the
    gap shrinks; there is no time headway below 0.1 m/s.

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
    return {
        "leader_s_long": place,
        "leader_v_long": pace,
        "leader_a_long": of_leader(rows["a_long_smooth"]),
        "dist_headway": headway,
        "rel_velocity": speed - pace,
        "time_headway": time_gap(headway, speed),
    }


def assess_risk(rows: Rows, setting: Setting) -> Columns:
    """Step 6: return time to collision (TTC, s), required deceleration (DRAC, m/s2) and level of risk.

    The TTC is 0 if the two overlap and close, NaN if they do not close or there is no leader; highD's own one
    (`raw_ttc`) is NaN where it is 0 (no leader) or negative (the gap opens). The level is 2 for a TTC below 2 s, 1 from
    2 s to below 4 s, else 0, NaN included.
    """
    gap = rows["dist_headway"]
    closing = rows["rel_velocity"]
    if setting.options.raw_ttc:
        ttc = np.where(rows["ttc_raw"] > 0, rows["ttc_raw"], np.nan)
    else:
        ttc = time_to_close(gap, closing)
    near, nearest = constants.RISK_TTC
    level = (ttc < near).astype(np.int8) + (ttc < nearest).astype(np.int8)
    columns: Columns = {
        "TTC": ttc,
        "DRAC": deceleration_to_avoid(gap, closing, constants.REACTION_TIME),
        "risk_level": level,
    }
    if setting.options.extra:
        columns["drac_standard"] = deceleration_to_avoid(gap, closing)
    return columns


def compute_fuel(rows: Rows, setting: Setting) -> Columns:
    """Step 7: return power, fuel and CO2, and speed and acceleration in km/h."""
    speed = rows["v_long_smooth"]
    acceleration = rows["a_long_smooth"]
    columns = consumption(rows, constants.DOCUMENTED)
    columns["v_kmh"] = 3.6 * speed
    columns["a_kmhps"] = 3.6 * acceleration
    if setting.options.extra:
        for name, values in consumption(rows, constants.LITERATURE).items():
            columns[f"{name}_literature"] = values
    return columns


def consumption(rows: Rows, sets: Mapping[int, Consumption]) -> Columns:
    """Return power (kW), fuel (L/s) and CO2 (g/s) by VT-CPFM.

    The force is inertia, rolling resistance (by km/h) and drag; engine power is clipped at `most_power`; fuel is
    a0 + a1 P + a2 P² for P ≥ 0, and a0 below.

    Args:
        rows: Columns with speed (m/s), acceleration (m/s2) and class.
        sets: The numbers of the model, by class.

    Returns:
        Three columns; NaN for rows of other classes.
    """
    speed = rows["v_long_smooth"]
    acceleration = rows["a_long_smooth"]
    power = np.full(len(speed), np.nan)
    fuel = np.full(len(speed), np.nan)
    co2 = np.full(len(speed), np.nan)
    for kind, model in sets.items():
        chosen = np.flatnonzero(rows["veh_class"] == kind)
        v = speed[chosen]
        a = acceleration[chosen]
        inertia = model.mass * (1 + model.rotating) * a
        weight = model.mass * constants.GRAVITY
        rolling = weight * model.rolling / 1000 * (model.speed_term * 3.6 * v + model.constant_term)
        drag = 0.5 * constants.AIR_DENSITY * model.area * model.drag * v**2
        force = inertia + rolling + drag
        power[chosen] = np.minimum(force * v / (1000 * model.efficiency), model.most_power)
        idle, linear, square = model.fuel
        p = power[chosen]
        fuel[chosen] = np.where(p < 0, idle, idle + linear * p + square * p**2)
        co2[chosen] = fuel[chosen] * model.co2
    return {"cpf_power_kw": power, "cpf_fuel_rate_lps": fuel, "cpf_co2_rate_gps": co2}


def compute_specific_power(rows: Rows, setting: Setting) -> Columns:
    """Step 8: return the documented placeholder, its coefficients divided by the mass although they are per mass.

    CO2 and NOx are linear in its value, and constant below zero; units follow from the coefficients. The usual vehicle
    specific power is v (1.1 a + 0.132) + 0.000302 v³, kW/t.
    """
    speed = rows["v_long_smooth"]
    acceleration = rows["a_long_smooth"]
    vsp = constants.VSP
    mass = np.full(len(speed), np.nan)
    for kind, kilograms in vsp.mass.items():
        mass[rows["veh_class"] == kind] = kilograms
    climb = vsp.gravity * np.sin(vsp.grade)
    power = speed * acceleration + vsp.cubic * speed**3 + vsp.linear * speed + vsp.square * speed**2
    value = (power + climb * speed) / mass
    columns: Columns = {
        "vsp_value": value,
        "vsp_co2_rate": _emission(value, vsp.co2),
        "vsp_nox_rate": _emission(value, vsp.nox),
        "dt": np.full(len(speed), setting.step),
    }
    if setting.options.extra:
        inertia, linear, cubic = constants.STANDARD_VSP
        columns["vsp_kw_per_t"] = speed * (inertia * acceleration + linear) + cubic * speed**3
    return columns


def _emission(value: FloatArray, coefficients: tuple[float, float]) -> FloatArray:
    """Return an emission that is linear in the specific power, and constant below zero."""
    slope, base = coefficients
    return np.where(value < 0, base, slope * value + base)


def to_pixels(rows: Rows, setting: Setting) -> Columns:
    """Step 9: return positions in the picture."""
    x = rows["x_raw"]
    y = rows["y_raw"]
    width, height = setting.picture
    columns: Columns = {"x_img": _stretched(x, width), "y_img": _stretched(y, height)}
    if setting.options.extra:
        columns["x_img_registered"] = (x + rows["width"] / 2) / constants.METRES_PER_PIXEL
        columns["y_img_registered"] = (y + rows["height"] / 2) / constants.METRES_PER_PIXEL
    return columns


def _stretched(place: AnyArray, pixels: int) -> FloatArray:
    """Return positions scaled from their range to the pixels, as documented, float64[n]; NaN for an empty range."""
    if not len(place):
        return place.astype(np.float64)
    low = float(np.nanmin(place))
    high = float(np.nanmax(place))
    if high > low:
        return (place - low) / (high - low) * pixels
    return np.full(len(place), np.nan)


STEPS = (unify, smooth, assign_leaders, measure_following, assess_risk, compute_fuel, compute_specific_power, to_pixels)
"""The steps of highD recordings between merging and ordering."""
