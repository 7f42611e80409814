"""The columns of the L1 table, in order: name, type, meaning and unit."""

from typing import NamedTuple


class Column(NamedTuple):
    """A column. `type` is a numpy code (`i4`, `i8`, `i1`, `f4`, `f8`) or `str`."""

    name: str
    type: str
    meaning: str
    unit: str = ""


_SIDES = {
    f"{side}{place}": f"{words} in the {side} lane"
    for side in ("left", "right")
    for place, words in (("Preceding", "ahead"), ("Alongside", "beside"), ("Following", "behind"))
}

L1 = "l1"
L1_MEANING = "Kinematics, car following, safety and emissions of every vehicle (needs the extra [analysis])"
"""The name of the table, and what it holds."""

COLUMNS: tuple[Column, ...] = (
    Column("recordingId", "i4", "Number of the recording"),
    Column("frame", "i4", "Number of the frame, from 1"),
    Column("trackId", "i4", "Number of the track, or id of the actor"),
    Column("global_track_id", "i8", "A number for the track that no other recording has"),
    Column("time", "f8", "Time of the frame", "s"),
    Column("x_raw", "f4", "x as recorded: of a corner of the box in highD, of the actor in a recording", "m"),
    Column("y_raw", "f4", "y as recorded", "m"),
    Column("width", "f4", "Length of the vehicle, called width as in highD", "m"),
    Column("height", "f4", "Width of the vehicle, called height as in highD", "m"),
    Column("laneId_raw", "i4", "Lane as recorded, 0 where there are none"),
    Column("x_img", "f4", "x in the picture, all of it filled", "px"),
    Column("y_img", "f4", "y in the picture", "px"),
    Column("drivingDirection", "i1", "1 to -x, 2 to +x, 0 where there are no directions"),
    Column("veh_class", "i1", "1 car, 2 truck"),
    Column("s_long", "f4", "Position of the middle of the vehicle along the direction of travel", "m"),
    Column("d_lat", "f4", "Position of its middle across the road", "m"),
    Column("v_long_raw", "f4", "Speed in the direction of travel, as recorded", "m/s"),
    Column("a_long_raw", "f4", "Acceleration in the direction of travel, as recorded", "m/s2"),
    Column("v_long_smooth", "f4", "Speed, smoothed", "m/s"),
    Column("a_long_smooth", "f4", "Acceleration: slope of the smoothed speed", "m/s2"),
    Column("precedingId", "i4", "Track of the leader, 0 without one"),
    Column("followingId", "i4", "Track of the follower"),
    *(Column(f"{name}Id", "i4", f"Track {where}") for name, where in _SIDES.items()),
    Column("leader_s_long", "f4", "Position of the leader along the path of this vehicle", "m"),
    Column("leader_v_long", "f4", "Speed of the leader, smoothed", "m/s"),
    Column("leader_a_long", "f4", "Acceleration of the leader, smoothed", "m/s2"),
    Column("dist_headway_raw", "f4", "highD's own distance headway", "m"),
    Column("time_headway_raw", "f4", "highD's own time headway", "s"),
    Column("ttc_raw", "f4", "highD's own time to collision", "s"),
    Column("dist_headway", "f4", "Gap to the leader, bumper to bumper", "m"),
    Column("rel_velocity", "f4", "Closing speed, positive while the gap shrinks", "m/s"),
    Column("time_headway", "f4", "Time to drive the gap", "s"),
    Column("TTC", "f4", "Time to collision", "s"),
    Column("DRAC", "f4", "Deceleration that avoids a collision after a reaction time of 1 s", "m/s2"),
    Column("risk_level", "i1", "2 for a TTC below 2 s, 1 below 4 s, else 0"),
    Column("vehicle_type", "str", "Class in the fuel model"),
    Column("v_kmh", "f4", "Speed, smoothed", "km/h"),
    Column("a_kmhps", "f4", "Acceleration, smoothed", "km/h/s"),
    Column("cpf_power_kw", "f4", "Power by VT-CPFM", "kW"),
    Column("cpf_fuel_rate_lps", "f4", "Fuel by VT-CPFM", "L/s"),
    Column("cpf_co2_rate_gps", "f4", "CO2 by VT-CPFM", "g/s"),
    Column("vsp_value", "f4", "Placeholder for vehicle specific power"),
    Column("vsp_co2_rate", "f4", "CO2 by the placeholder"),
    Column("vsp_nox_rate", "f4", "NOx by the placeholder"),
    Column("dt", "f8", "Time from frame to frame", "s"),
)
"""The 50 columns of every table."""

EXTRA: tuple[Column, ...] = (
    Column("drac_standard", "f4", "DRAC without reaction time", "m/s2"),
    Column("vsp_kw_per_t", "f4", "Vehicle specific power, the usual definition", "kW/t"),
    Column("cpf_power_kw_literature", "f4", "Power by VT-CPFM, trucks by the literature's numbers", "kW"),
    Column("cpf_fuel_rate_lps_literature", "f4", "Fuel likewise", "L/s"),
    Column("cpf_co2_rate_gps_literature", "f4", "CO2 likewise", "g/s"),
    Column("x_img_registered", "f4", "x of the middle of the box on highD's picture", "px"),
    Column("y_img_registered", "f4", "y of the middle of the box on highD's picture", "px"),
)
"""The optional columns after them."""

SURROUNDINGS = tuple(f"{side}Id" for side in ("following", *_SIDES))
"""The neighbours other than the leader."""
