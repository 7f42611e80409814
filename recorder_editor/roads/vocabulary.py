"""The words of the standard for lanes and road marks, by the index under which tables keep them.

`resources/opendrive.json` has them.
"""

from .. import resources

_WORDS = resources.table("opendrive")
LANE_TYPES: tuple[str, ...] = tuple(_WORDS["lane types"])
"""The names of lane types in the standard; a lane has the index of its type."""
DRIVABLE: tuple[str, ...] = tuple(_WORDS["drivable"])
"""The names of the types of lanes made for vehicles that drive on."""
MARK_TYPES: tuple[str, ...] = tuple(_WORDS["mark types"])
MARK_COLORS: tuple[str, ...] = tuple(_WORDS["mark colors"])
