"""The steps of the L1 table, the same for highD and for recordings.

A step takes the columns so far and returns those it adds; other modules hold the arithmetic.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray
from .constants import DOCUMENTED, LITERATURE, METRES_PER_PIXEL, PICTURE_SIZE, Options
from .emissions import consumption, specific_power, specific_power_placeholder
from .interactions import find_rows, follow_leader
from .kinematics import find_runs, smooth_speed, unify_axes
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
    """Step 3."""
    names = ("x_raw", "y_raw", "width", "height", "xVelocity", "xAcceleration", "drivingDirection")
    return unify_axes(*(rows[name] for name in names))._asdict()


def smooth(rows: Rows, setting: Setting) -> Columns:
    """Step 4."""
    starts, options = find_runs(rows["trackId"], rows["frame"]), setting.options
    speed, acceleration = smooth_speed(rows["v_long_raw"], starts, setting.step, options.window, options.order)
    return {"v_long_smooth": speed, "a_long_smooth": acceleration}


def assign_leaders(rows: Rows, setting: Setting) -> Columns:
    """The row of each row's leader, by `precedingId`; not a column of the table."""
    return {"leader": find_rows(rows["trackId"], rows["frame"], rows["precedingId"])}


def measure_following(rows: Rows, setting: Setting) -> Columns:
    """Step 5; the optional column `leader_place` is the leader's position along the follower's path."""
    speed, acceleration = rows["v_long_smooth"], rows["a_long_smooth"]
    place = rows.get("leader_place")
    return follow_leader(rows["leader"], rows["s_long"], speed, acceleration, rows["width"], place)._asdict()


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
