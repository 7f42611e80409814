"""Types of road users as ASAM OSI names them, by the kinds of CARLA's blueprints.

The names are those of the enumerations of `osi_object.proto` (OSI 3.7) without their prefixes: `VEHICLE` is
`TYPE_VEHICLE` of `MovingObject.Type`, `CAR` is `TYPE_CAR` of `MovingObject.VehicleClassification.Type`, `POLICE` is
`ROLE_POLICE` of `MovingObject.VehicleClassification.Role`.
"""

from collections.abc import Mapping
from typing import NamedTuple


class OsiType(NamedTuple):
    """What a moving object is in OSI.

    Attributes:
        type: Of `MovingObject.Type`.
        subtype: Of `VehicleClassification.Type`; empty for what is no vehicle.
        role: Of `VehicleClassification.Role`; empty for what is no vehicle.
    """

    type: str
    subtype: str
    role: str


SUBTYPES: Mapping[str, str] = {
    "car": "CAR",
    "van": "DELIVERY_VAN",
    "truck": "HEAVY_TRUCK",
    "bus": "BUS",
    "motorcycle": "MOTORBIKE",
    "bicycle": "BICYCLE",
}
"""The subtypes by the kind of a blueprint, as CARLA's attribute `base_type` has it."""

_ROLES: Mapping[str, str] = {"police": "POLICE", "dodgecop": "POLICE", "ambulance": "AMBULANCE", "firetruck": "FIRE"}
"""The roles by what stands in the name of a blueprint; other vehicles are civil."""


def osi_type(kind: str, blueprint: str = "") -> OsiType:
    """Return what a road user is in OSI.

    Args:
        kind: The kind of its blueprint: `car`, `van`, `truck`, `bus`, `motorcycle`, `bicycle` or `walker`.
        blueprint: The name of its blueprint, which tells the role of a vehicle.

    Raises:
        KeyError: It is of no such kind.
    """
    if kind == "walker":
        return OsiType(type="PEDESTRIAN", subtype="", role="")
    return OsiType(type="VEHICLE", subtype=SUBTYPES[kind], role=_role(blueprint))


def _role(blueprint: str) -> str:
    for word, role in _ROLES.items():
        if word in blueprint:
            return role
    return "CIVIL"
