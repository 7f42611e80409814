"""The words of the standard for lanes and road marks, by the index under which tables keep them."""

from typing import Final

LANE_TYPES: Final = (
    *("none", "driving", "stop", "shoulder", "biking", "sidewalk", "border", "restricted"),
    *("parking", "bidirectional", "median", "special1", "special2", "special3", "roadWorks", "tram"),
    *("rail", "entry", "exit", "offRamp", "onRamp", "connectingRamp", "bus", "taxi"),
    *("HOV", "mwyEntry", "mwyExit", "curb", "walking", "slipLane", "shared"),
)
"""The names of lane types in the standard; a lane has the index of its type."""
DRIVABLE: Final = (
    *("driving", "bidirectional", "entry", "exit", "offRamp", "onRamp", "connectingRamp"),
    *("bus", "taxi", "HOV", "mwyEntry", "mwyExit", "slipLane"),
)
"""The names of the types of lanes made for vehicles that drive on."""
MARK_TYPES: Final = (
    *("none", "solid", "broken", "solid solid", "solid broken", "broken solid", "broken broken", "botts dots"),
    *("grass", "curb", "edge", "custom"),
)
MARK_COLORS: Final = ("standard", "white", "yellow", "red", "blue", "green", "orange", "violet", "black")
