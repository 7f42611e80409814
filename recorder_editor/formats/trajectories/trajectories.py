"""What importers of trajectories have in common: rows of road users, and what is known of each road user."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan
from typing import Final, Literal, NamedTuple, Protocol

import numpy as np

from ...arrays import AnyArray, StructuredArray, row_type
from ...errors import RecorderError

Axes = Literal["opendrive", "simulator"]
"""Right-handed axes (y to the north, angles counter-clockwise), or those of the simulator (y to the south)."""

ZAt = Literal["centre", "ground", "origin"]
"""What a height is of: the centre of the box, the ground below it, or the origin that the simulator gives an actor."""

ROW: Final = row_type("time:f8 user:i4 line:u4 x:f8 y:f8 z:f4 roll:f4 pitch:f4 yaw:f4 vx:f4 vy:f4 vz:f4", align=True)
"""A road user at a time.

`time` in s from any origin, `user` an index of `Trajectories.users`, `line` that of the file, or the number of its
row or message; `x y` the centre of its box and `z` what `Trajectories.z_at` says, in m; `roll pitch yaw` in radians,
`vx vy vz` in m/s. All but x and y are NaN where they are not told. With OpenDRIVE's axes angles are those of ISO 8855:
yaw counter-clockwise, pitch nose down, roll right side down. Rows are aligned: numpy copies each column that is not
before it reads it.
"""

LARGEST: Final = 1e7
"""Metres from the origin that places may be: coordinates of a country's grid stay below it."""

LATEST: Final = 1e11
"""Seconds from their origin that times may be."""

LONGEST: Final = 1000.0
"""Metres that a road user may be."""

BLOCK_ROWS = 1 << 17
"""Rows that are worked on at a time, so that memory stays small however long the file is."""


class TrajectoryError(RecorderError):
    """Trajectories cannot be read, or no recording can be made of them; the message names row and column."""


class RoadUser(NamedTuple):
    """What is known of a road user.

    Attributes:
        name: Its id in the file.
        kind: car, van, truck, bus, motorcycle, bicycle, walker or child; empty: its size tells.
        length: Metres; NaN: that of its blueprint.
        width: Metres; NaN likewise.
        height: Metres; NaN likewise.
        blueprint: Its blueprint; empty: one is chosen.
        role: Its role name; empty: `autopilot`.
    """

    name: str
    kind: str = ""
    length: float = nan
    width: float = nan
    height: float = nan
    blueprint: str = ""
    role: str = ""


class Rows(Protocol):
    """Rows ordered by time."""

    def __len__(self) -> int:
        """The number of rows."""

    def blocks(self) -> Iterator[StructuredArray]:
        """Yield the rows in blocks, ordered by time, which the caller may change.

        They have the columns of `ROW`, or the first five and some others: none tells what is left out.
        """

    def close(self) -> None:
        """Release what holds the rows."""


class MemoryRows:
    """Rows in memory."""

    def __init__(self, rows: StructuredArray) -> None:
        self._rows = rows[np.argsort(rows["time"], kind="stable")]

    def __len__(self) -> int:
        return len(self._rows)

    def blocks(self) -> Iterator[StructuredArray]:
        """Yield the rows in blocks, ordered by time."""
        for begin in range(0, len(self._rows), BLOCK_ROWS):
            yield self._rows[begin : begin + BLOCK_ROWS].copy()

    def close(self) -> None:
        """Nothing holds them but this."""


@dataclass(frozen=True, eq=False)
class Trajectories:
    """Trajectories of a file.

    Attributes:
        source: The name of the file.
        users: The road users, which the rows name by index.
        rows: The rows, ordered by time.
        axes: The axes of the rows.
        z_at: What their heights are of.
        map_name: The name of the map; empty: not told.
        date: When they were recorded, s since 1970; 0: not told.
        remarks: Sentences for the user.
    """

    source: str
    users: Sequence[RoadUser]
    rows: Rows
    axes: Axes = "opendrive"
    z_at: ZAt = "centre"
    map_name: str = ""
    date: int = 0
    remarks: tuple[str, ...] = ()


def small_numbers(numbers: AnyArray) -> AnyArray:
    """Return whole numbers from 0 on in the smallest type, which numpy sorts fastest.

    Args:
        numbers: int[n].
    """
    if int(numbers.max(initial=0)) < 1 << 16:
        return numbers.astype(np.uint16)
    return numbers
