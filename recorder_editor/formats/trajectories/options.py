"""What may be chosen of a recording that is made of trajectories."""

from dataclasses import dataclass
from typing import NamedTuple

from ...format import DEFAULT_DIALECT, LONGEST_MAP_NAME
from ...option_specs import NumberPart, OptionSpec, option
from ...roads import RoadMap
from ...texts import N_

DEFAULT_MAP = "trajectories"
"""Not a map of the simulator; to be replayed, a recording has to name one that is large enough."""


class Origin(NamedTuple):
    """Where the origin of the file's axes is in the world of the simulator.

    Attributes:
        x: Metres.
        y: Metres.
        z: Metres.
        yaw: Rotation of its x axis, degrees, clockwise.
    """

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0


IDENTITY = Origin()


@dataclass(frozen=True)
class RecordingOptions:
    """What may be chosen of the recording, whatever file the trajectories are from.

    Attributes:
        start: Seconds since the first row; None: the first row.
        stop: End (exclusive), seconds since the first row; None: behind the last row.
        step: Seconds between frames; None: a frame for each time in the file.
        gap: Seconds that a road user may have no rows and stay; None: 1 s, or five of its usual steps.
        split_jumps: Make a road user that jumps two.
        hero: The road user that becomes the hero, by its id; None: none.
        origin: Where the origin of the file is in the world.
        map_name: The name of the map to write; None: that of the file or of the road map.
        dialect: The name of the dialect to write.
        roads: The road map, for heights and slopes; None: there is none.
    """

    start: float | None = option(
        None,
        OptionSpec(
            flag="--from",
            kind="time",
            metavar="S",
            label=N_("From"),
            unit="s",
            hint=N_("beginning"),
            help=N_("start, s since the first row"),
        ),
    )
    stop: float | None = option(
        None,
        OptionSpec(
            flag="--to", kind="time", metavar="S", label=N_("To"), unit="s", hint=N_("end"), help=N_("end (exclusive)")
        ),
    )
    step: float | None = option(
        None,
        OptionSpec(
            flag="--fixed-step",
            kind="unsigned",
            metavar="S",
            label=N_("Step"),
            unit="s",
            step=0.01,
            hint=N_("as in the file"),
            help=N_("s between frames, places between rows are interpolated (default: a frame for each time there)"),
        ),
    )
    gap: float | None = option(
        None,
        OptionSpec(
            flag="--gap",
            kind="unsigned",
            metavar="S",
            label=N_("Gap"),
            unit="s",
            step=0.1,
            hint=N_("by its steps"),
            help=N_("s without rows after which a road user is gone (default 1, or five of its usual steps)"),
        ),
    )
    split_jumps: bool = option(
        False,
        OptionSpec(
            flag="--split-jumps",
            kind="switch",
            label=N_("Split at jumps"),
            help=N_("make a road user that jumps two, before and after the jump"),
        ),
    )
    hero: str | None = option(
        None,
        OptionSpec(
            flag="--hero",
            kind="text",
            metavar="ID",
            label=N_("Hero"),
            hint=N_("none"),
            help=N_("the road user that becomes the hero, by its id in the file"),
        ),
    )
    origin: Origin = option(
        IDENTITY,
        OptionSpec(
            flag="--origin",
            kind="numbers",
            metavar="X,Y,Z,YAW",
            label=N_("Origin"),
            parts=(NumberPart("x", "m"), NumberPart("y", "m"), NumberPart("z", "m"), NumberPart(N_("yaw"), "°")),
            help=N_(
                "where the file's origin is in the world of the simulator: metres, and degrees of its x axis, "
                "clockwise (default 0,0,0,0; with a minus: --origin=-1,...)"
            ),
        ),
    )
    map_name: str | None = option(
        None,
        OptionSpec(
            flag="--map",
            kind="text",
            metavar="M",
            label=N_("Map"),
            hint=N_("that of the road map"),
            longest=LONGEST_MAP_NAME,
            help=N_("map name to write (default: that of the file or of the road map, else {other_map})"),
            help_values={"other_map": DEFAULT_MAP},
        ),
    )
    dialect: str = option(
        DEFAULT_DIALECT,
        OptionSpec(
            flag="--write-as",
            kind="dialect",
            metavar="NAME",
            label=N_("Release"),
            help=N_("dialect to write, or a release of it (default {new_dialect})"),
            help_values={"new_dialect": DEFAULT_DIALECT},
        ),
    )
    roads: RoadMap | None = None
