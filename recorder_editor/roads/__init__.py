"""Road maps in OpenDRIVE, the format of the simulator's maps: read, measured, searched.

Knows no recording and no window.
"""

from .furniture import MARK
from .road_map import LOCATION, SAMPLE, WAYPOINT, RoadMap, read_road_map
from .routes import find_route, shortest_way
from .surface import LANE
from .tables import MapProblem
from .traffic_lights import LIGHT, LIGHT_LANE
from .vocabulary import DRIVABLE, LANE_TYPES, MARK_COLORS, MARK_TYPES
