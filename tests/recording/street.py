"""A street of 400 m and a recording of what goes on there, for the tests of lanes.

From north to south (y to the south, in metres): lane 1 (-3.5 to 0) to the west, lane -1 (0 to 3.5) and lane -2 (3.5 to
7) to the east, sidewalk -3 (7 to 9).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from recorder_editor import Recording
from recorder_editor.roads import RoadMap, read_road_map

from .. import builders as b
from ..roads.builders import lane, opendrive, road, section
from .films import add, film, opened

STREET = opendrive(
    road(
        id_=7,
        length=400.0,
        lanes=section(left=[lane(1)], right=[lane(-1), lane(-2), lane(-3, "sidewalk", [(0.0, 2.0)])]),
    )
)
CHANGING, WRONG, WALKER, ON_SIDEWALK, AWAY, LAMP = 1, 2, 3, 4, 5, 6
FRAMES = 8
CHANGE = 4
"""The frame (index) in which the first car is on the other lane."""

BLUEPRINTS: Mapping[int, tuple[int, str]] = {
    **dict.fromkeys((CHANGING, WRONG, ON_SIDEWALK, AWAY), (1, "vehicle.audi.tt")),
    WALKER: (2, "walker.pedestrian.0001"),
    LAMP: (3, "traffic.traffic_light"),
}


def places(frame: int) -> dict[int, tuple[float, float, float]]:
    """x, y (m) and heading of everybody."""
    return {
        CHANGING: (10.0 + 5 * frame, 1.75 if frame < CHANGE else 5.0, 0.0),
        WRONG: (100.0 + 5 * frame, -1.75, 10.0),
        WALKER: (50.0, 8.0, 90.0),
        ON_SIDEWALK: (200.0, 8.0, 0.0) if frame < CHANGE else (200.0, 5.0, 0.0),
        AWAY: (300.0, 40.0, 0.0) if frame < 6 else (300.0, 5.0, 0.0),
        LAMP: (20.0, 8.0, 0.0),
    }


def street_recording() -> bytes:
    """Frames half a second apart."""
    born = add(*(b.actor(id_, kind, blueprint) for id_, (kind, blueprint) in BLUEPRINTS.items()))
    return film(*([*([born] if not frame else []), _positions(frame)] for frame in range(FRAMES)), step=0.5)


def _positions(frame: int) -> bytes:
    poses = [b.pose(id_, b.xyz(100 * x, 100 * y), b.turn(yaw=yaw)) for id_, (x, y, yaw) in places(frame).items()]
    return b.packet(6, b.position(poses))


@contextmanager
def on_street(data: bytes | None = None) -> Iterator[Recording]:
    """That recording, or another one, with the map."""
    with opened(street_recording() if data is None else data) as recording:
        recording.context.use_road_map(street())
        yield recording


def street() -> RoadMap:
    return read_road_map(STREET, name="street")
