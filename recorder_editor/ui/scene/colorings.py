"""What the actors of the scene can be filled with. No Qt."""

from collections.abc import Mapping
from typing import Literal

ColorBy = Literal["class", "own", "speed", "acceleration", "ttc", "role", "rules"]
COLORINGS: Mapping[ColorBy, tuple[str, str]] = {
    "class": ("Class", "Vehicles, two-wheelers and walkers in a colour each"),
    "own": ("Own colour", "The colour recorded for an actor, not that of its class"),
    "speed": ("Speed", "From standing to the fastest of the recording"),
    "acceleration": ("Acceleration", "From -4 to 4 m/s², by the analysis of traffic"),
    "ttc": ("TTC", "The time to collision with the leader, from 10 s to 0, by the analysis of traffic"),
    "role": ("Role", "A colour for each role name"),
    "rules": ("Rules...", "Conditions that you write, such as speed > 20, each with a colour"),
}
"""What actors are filled with, and how the menus call and explain it (English)."""
