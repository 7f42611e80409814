"""A recording of a fork: weather and configuration that last, data of each frame, and packets that no table knows."""

from collections.abc import Sequence

from . import builders as b
from .recording.films import add, film

Packets = Sequence[tuple[int, bytes]]
"""The fork's packets of a frame: (id, body)."""


def sky(clouds: float) -> bytes:
    """A body of DReyeVR's weather, 52 bytes a record."""
    return b.weather([dict.fromkeys(b.WEATHER, clouds)], dust=False)


def sensor(number: int) -> bytes:
    return b.dreyevr_sensor_data() + b.u8(number)


CONFIG = b.dreyevr_config_file()
STORY: tuple[Packets, ...] = (
    [(141, CONFIG), (139, sensor(0))],
    [(18, sky(10.0)), (150, b"mode 1"), (139, sensor(1))],
    [(21, sky(30.0)), (18, b"\0\0"), (139, sensor(2)), (140, b.dreyevr_custom_actor())],
    [(139, sensor(3)), (150, b"\0\0")],
    [(18, sky(50.0)), (139, sensor(4)), (141, CONFIG + b"!")],
    [(18, b""), (139, sensor(5)), (199, b"x"), (150, b"mode 2")],
    [(139, sensor(6))],
    [(21, sky(70.0)), (139, sensor(7))],
)
"""What a fork writes into eight frames."""


def data_of(story: Sequence[Packets]) -> bytes:
    """A recording with a car and these packets, twenty frames a second."""
    car = add(b.actor(7, 1, "vehicle.tesla.model3"))
    frames: list[list[bytes]] = []
    for number, packets in enumerate(story):
        poses = b.packet(6, b.position([b.pose(7, b.xyz(100.0 * number))]))
        frames.append([car if number == 0 else add(), poses, *(b.packet(*each) for each in packets)])
    return film(*frames)
