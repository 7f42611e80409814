"""The words of the standard for lanes and road marks, by the index under which tables keep them."""

LANE_TYPES: tuple[str, ...] = (
    "none",
    "driving",
    "stop",
    "shoulder",
    "biking",
    "sidewalk",
    "border",
    "restricted",
    "parking",
    "bidirectional",
    "median",
    "special1",
    "special2",
    "special3",
    "roadWorks",
    "tram",
    "rail",
    "entry",
    "exit",
    "offRamp",
    "onRamp",
    "connectingRamp",
    "bus",
    "taxi",
    "HOV",
    "mwyEntry",
    "mwyExit",
    "curb",
    "walking",
    "slipLane",
    "shared",
)
"""The names of lane types in the standard; a lane has the index of its type."""

DRIVABLE: tuple[str, ...] = (
    "driving",
    "bidirectional",
    "entry",
    "exit",
    "offRamp",
    "onRamp",
    "connectingRamp",
    "bus",
    "taxi",
    "HOV",
    "mwyEntry",
    "mwyExit",
    "slipLane",
)
"""The names of the types of lanes made for vehicles that drive on."""

MARK_TYPES: tuple[str, ...] = (
    "none",
    "solid",
    "broken",
    "solid solid",
    "solid broken",
    "broken solid",
    "broken broken",
    "botts dots",
    "grass",
    "curb",
    "edge",
    "custom",
)
"""The names of types of road marks."""

MARK_COLORS: tuple[str, ...] = ("standard", "white", "yellow", "red", "blue", "green", "orange", "violet", "black")
"""The names of colours of road marks."""
