"""The steps of the L1 table, the same for highD and for recordings.

A step takes the columns so far and returns those it adds (m, m/s, m/s2, s); longer arithmetic is in other modules.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray
from .constants import DOCUMENTED, LITERATURE, METRES_PER_PIXEL, MIN_HEADWAY_SPEED, PICTURE_SIZE, Options
from .emissions import consumption, specific_power, specific_power_placeholder
from .interactions import NO_LEADER, find_rows
from .kinematics import find_runs, smooth_speed
from .picture import stretch_to_pixels
from .safety import recorded_time_to_collision, required_deceleration, risk_level, time_to_collision

Columns = dict[str, AnyArray]
Rows = Mapping[str, AnyArray]


class Setting(NamedTuple):
    """Values for all rows: the time step (s), the options, width and height of the picture (px)."""

    step: float
    options: Options
    picture: tuple[int, int] = PICTURE_SIZE


def unify(rows: Rows, setting: Setting) -> Columns:
    """Step 3: highD's axes as positions along and across the road, in the direction of travel.

    Vehicles of direction 1 (to -x) count from the largest x centre of the recording, so that `s_long` always grows;
    `d_lat` is the middle of the box and is not mirrored. There is a row at least.
    """
    centre, upper = rows["x_raw"] + rows["width"] / 2, rows["drivingDirection"] == 1
    sign = np.where(upper, -1.0, 1.0)
    return {
        "s_long": np.where(upper, float(centre.max()) - centre, centre),
        "d_lat": rows["y_raw"] + rows["height"] / 2,
        "v_long_raw": sign * rows["xVelocity"],
        "a_long_raw": sign * rows["xAcceleration"],
    }


def smooth(rows: Rows, setting: Setting) -> Columns:
    """Step 4."""
    starts, options = find_runs(rows["trackId"], rows["frame"]), setting.options
    speed, acceleration = smooth_speed(rows["v_long_raw"], starts, setting.step, options.window, options.order)
    return {"v_long_smooth": speed, "a_long_smooth": acceleration}


def assign_leaders(rows: Rows, setting: Setting) -> Columns:
    """The row of each row's leader, by `precedingId`; not a column of the table."""
    return {"leader": find_rows(rows["trackId"], rows["frame"], rows["precedingId"])}


def measure_following(rows: Rows, setting: Setting) -> Columns:
    """Step 5: the measures of car following, NaN without a leader; the headway is from bumper to bumper, and negative
    where the two overlap; the closing speed is positive while the gap shrinks; no time headway below 0.1 m/s.

    The optional column `leader_place` is the leader's position along the follower's path; without it, `s_long` counts.
    """
    leader, speed = rows["leader"], rows["v_long_smooth"]

    def of_leader(column: AnyArray) -> AnyArray:
        return np.where(leader == NO_LEADER, np.nan, column[leader])

    place = of_leader(rows["s_long"])
    if "leader_place" in rows:
        place = np.where(leader == NO_LEADER, np.nan, rows["leader_place"])
    pace = of_leader(speed)
    headway = place - rows["s_long"] - 0.5 * (of_leader(rows["width"]) + rows["width"])
    with np.errstate(divide="ignore", invalid="ignore"):
        seconds = np.where(speed < MIN_HEADWAY_SPEED, np.nan, headway / speed)
    return {
        "leader_s_long": place,
        "leader_v_long": pace,
        "leader_a_long": of_leader(rows["a_long_smooth"]),
        "dist_headway": headway,
        "rel_velocity": speed - pace,
        "time_headway": seconds,
    }


def assess_risk(rows: Rows, setting: Setting) -> Columns:
    """Step 6."""
    gap, closing = rows["dist_headway"], rows["rel_velocity"]
    ttc = recorded_time_to_collision(rows["ttc_raw"]) if setting.options.raw_ttc else time_to_collision(gap, closing)
    made: Columns = {"TTC": ttc, "DRAC": required_deceleration(gap, closing), "risk_level": risk_level(ttc)}
    return made | ({"drac_standard": required_deceleration(gap, closing, 0.0)} if setting.options.extra else {})


def compute_fuel(rows: Rows, setting: Setting) -> Columns:
    """Step 7."""
    speed, acceleration, kind = rows["v_long_smooth"], rows["a_long_smooth"], rows["veh_class"]
    made: Columns = consumption(speed, acceleration, kind, DOCUMENTED)._asdict()
    made |= {"v_kmh": 3.6 * speed, "a_kmhps": 3.6 * acceleration}
    if setting.options.extra:
        literature = consumption(speed, acceleration, kind, LITERATURE)._asdict()
        made |= {f"{name}_literature": column for name, column in literature.items()}
    return made


def compute_specific_power(rows: Rows, setting: Setting) -> Columns:
    """Step 8."""
    speed, acceleration = rows["v_long_smooth"], rows["a_long_smooth"]
    made: Columns = specific_power_placeholder(speed, acceleration, rows["veh_class"])._asdict()
    made["dt"] = np.full(len(speed), setting.step)
    return made | ({"vsp_kw_per_t": specific_power(speed, acceleration)} if setting.options.extra else {})


def to_pixels(rows: Rows, setting: Setting) -> Columns:
    """Step 9."""
    x, y = rows["x_raw"], rows["y_raw"]
    width, height = setting.picture
    made = {"x_img": stretch_to_pixels(x, width), "y_img": stretch_to_pixels(y, height)}
    if setting.options.extra:
        made |= {
            "x_img_registered": (x + rows["width"] / 2) / METRES_PER_PIXEL,
            "y_img_registered": (y + rows["height"] / 2) / METRES_PER_PIXEL,
        }
    return made


STEPS = (unify, smooth, assign_leaders, measure_following, assess_risk, compute_fuel, compute_specific_power, to_pixels)
"""The steps of highD recordings between merging and ordering."""
