"""What drivers do and show: pedals, steering, gear and lights, read off how their vehicles move."""

from typing import NamedTuple

import numpy as np

from .fleet import MAX_STEER
from .geometry import Flags, Floats, Ints
from .story import Moment
from .traffic import Traffic

POSITION, LOW_BEAM, BRAKE, RIGHT_BLINKER, LEFT_BLINKER, INTERIOR = 0x1, 0x2, 0x8, 0x10, 0x20, 0x100
ROLLING, WIND = 0.2, 0.003  # what slows a vehicle that is not braked, m/s2 and per (m/s)2
STANDING = 0.05  # m/s
HELD = 0.35  # brake of one who stands
SHIFTS = (5.0, 8.5, 12.0)  # m/s


class Controls(NamedTuple):
    """Columns in the order of the rows asked for; `steering` from -1 to 1, `lights` as the file's bits."""

    steering: Floats
    throttle: Floats
    brake: Floats
    handbrake: Flags
    gear: Ints
    lights: Ints


def controls(traffic: Traffic, moment: Moment, rows: Ints) -> Controls:
    """Pedals, wheel and switches of the vehicles in these rows."""
    fleet = traffic.fleet
    speed, pull, driving = fleet.speed[rows], fleet.pull[rows], fleet.driving[rows]
    need = pull + ROLLING + WIND * speed**2
    stands = speed < STANDING
    brake = np.where(stands & (pull <= 0), HELD, np.clip(-need / 6.5, 0.0, 1.0))
    throttle = np.where(brake > 0, 0.0, np.clip(need / 4.0, 0.0, 0.85))
    gears = np.array([1 if (model := fleet.model[row]) is None else model.gears for row in rows.tolist()])
    gear = np.minimum(1 + sum((speed > shift).astype(np.int64) for shift in SHIFTS), gears)
    return Controls(
        steering=fleet.steer[rows] / MAX_STEER,
        throttle=throttle * driving,
        brake=brake * driving,
        handbrake=~driving,
        gear=np.where(driving, gear, 0),
        lights=_lights(traffic, moment, rows, brake),
    )


def _lights(traffic: Traffic, moment: Moment, rows: Ints, brake: Floats) -> Ints:
    fleet = traffic.fleet
    driving = fleet.driving[rows]
    blinks = traffic.blinkers()[rows]
    lights = np.where(driving & (brake > 0.02), BRAKE, 0)
    lights |= np.where(driving & moment.night, POSITION | LOW_BEAM, 0)
    lights |= np.where(blinks > 0, RIGHT_BLINKER, 0) | np.where(blinks < 0, LEFT_BLINKER, 0)
    ids = fleet.id[rows]
    lights |= np.where(np.isin(ids, list(moment.hazard)), RIGHT_BLINKER | LEFT_BLINKER, 0)
    lights |= np.where(np.isin(ids, list(moment.open)), INTERIOR, 0)
    cycles = np.array([(model := fleet.model[row]) is not None and model.kind == "bicycle" for row in rows.tolist()])
    return np.where(cycles, 0, lights) if rows.size else lights
